/* describe_markdown.c - a description as a section of the type's page: paragraphs, each with an empty line in front. Nothing in
 * it depends on the machine. */
#include "describe/describe.h"

#include <ctype.h>
#include <string.h>

/* Text as it is: what markdown would take for markup is escaped, but `code` stays code. */
static void print_plain(FILE *stream, const char *text, size_t length)
{
    bool is_code = false;
    for (const char *end = text + length; text < end; text++) {
        is_code ^= *text == '`';
        if (*text == '|' || (!is_code && strchr("*<\\", *text))) (void)fputc('\\', stream);
        (void)fputc(*text, stream);
    }
}

static void print_heading(tn_page *page, const char *title)
{
    (void)fprintf(page->stream, "\n## %c%s\n\n", toupper((unsigned char)*title), title + 1);
}

/* Types of several kinds may have the name; the title of the page tells what a single one is. */
static void print_head(tn_page *page)
{
    if (page->type_count) (void)fprintf(page->stream, "# %s: the %s\n", page->type.name, page->kind->key);
}

static void print_fact(tn_page *page, const char *title, const char *text)
{
    (void)fprintf(page->stream, "\n%c%s: %s.\n", toupper((unsigned char)*title), title + 1, text);
}

/* Formulas are code, and literature is for the end. */
static void print_section(tn_page *page, const char *title, const char *text)
{
    if (text == page->type.literature) return;
    print_heading(page, title);
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        (void)fprintf(page->stream, "    %.*s\n", (int)(end - text), text);
    (void)fprintf(page->stream, "    %s\n", text);
}

/* One source a line. */
static void print_literature(tn_page *page)
{
    print_heading(page, "literature");
    for (const char *text = page->type.literature; *text; text += *text == '\n') {
        const size_t length = strcspn(text, "\n");
        (void)fputs("* ", page->stream);
        print_plain(page->stream, text, length);
        (void)fputc('\n', page->stream);
        text += length;
    }
}

static void print_list(tn_page *page, const char *title)
{
    print_heading(page, title);
    if (strcmp(title, "ports") == 0)
        (void)fputs("| port | takes | meaning |\n| --- | --- | --- |\n", page->stream);
    else if (strcmp(title, "coordinates") == 0)
        (void)fputs("| coordinate | unit | meaning |\n| --- | --- | --- |\n", page->stream);
    else if (strncmp(title, "outputs", strlen("outputs")) == 0)
        (void)fputs("| output | unit | numbers | meaning |\n| --- | --- | --- | --- |\n", page->stream);
    else
        (void)fputs("| parameter | unit | default | meaning |\n| --- | --- | --- | --- |\n", page->stream);
}

/* `name` | unit | */
static void print_name(FILE *stream, const char *name, const char *unit)
{
    (void)fprintf(stream, "| `%s` | %s%s| ", name, unit, *unit ? " " : "");
}

static void print_choices(FILE *stream, const char *words)
{
    const char *separator = ": one of ";
    size_t length = 0;
    for (const char *word = tn_first_word(words, &length); word; word = tn_next_word(word, &length)) {
        (void)fprintf(stream, "%s`%.*s`", separator, (int)length, word);
        separator = ", ";
    }
}

static void print_parameter(tn_page *page, const tn_parameter *parameter)
{
    FILE *stream = page->stream;
    print_name(stream, parameter->name, parameter->unit);
    tn_print_default(stream, parameter);
    (void)fputs(" | ", stream);
    print_plain(stream, parameter->meaning, strlen(parameter->meaning));
    (void)fputs(" (", stream);
    tn_print_kind(stream, parameter);
    if (parameter->kind == TN_KIND_CHOICE) print_choices(stream, parameter->detail);
    if (parameter->kind == TN_KIND_CALLABLE) {
        (void)fputs(" of ", stream);
        print_plain(stream, parameter->detail, strlen(parameter->detail));
    }
    tn_print_range(stream, parameter);
    tn_print_changes(stream, parameter);
    (void)fputs(") |\n", stream);
}

static void print_port(tn_page *page, const tn_port *port)
{
    (void)fprintf(page->stream, "| `%s` | ", port->name);
    tn_print_port_count(page->stream, port);
    (void)fprintf(page->stream, ", %s", tn_marker_word(port->kind));
    tn_print_points_from(page->stream, port);
    (void)fputs(" | ", page->stream);
    print_plain(page->stream, port->meaning, strlen(port->meaning));
    (void)fputs(" |\n", page->stream);
}

static void print_output(tn_page *page, const tn_output *output, bool is_coordinate)
{
    print_name(page->stream, output->name, output->unit);
    if (!is_coordinate) (void)fprintf(page->stream, "%u | ", output->size);
    print_plain(page->stream, output->meaning, strlen(output->meaning));
    (void)fputs(" |\n", page->stream);
}

static void print_note(tn_page *page, const char *text) { (void)fprintf(page->stream, "\n%s\n", text); }

static void print_foot(tn_page *page)
{
    const tn_library *library = page->file->library;
    if (page->type.literature && *page->type.literature) print_literature(page);
    (void)fprintf(page->stream, "\nLibrary `%s` %s, licence %s.\n\n", library->name, library->version,
                  library->licence);
}

void tn_markdown_row(tn_page *page, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    FILE *stream = page->stream;
    const tn_description of = tn_type_description(kind, type);
    const char *unit = strcmp(kind->key, TN_MARKER_KIND) == 0 ? ((const tn_loaded_marker *)type)->unit : NULL;
    if (!page->type_count++)
        (void)fprintf(stream,
                      "\nTypes of library `%s` %s, licence %s:\n\n| %s | unit | ports | meaning | formula |\n"
                      "| --- | --- | --- | --- | --- |\n",
                      file->library->name, file->library->version, file->library->licence, kind->key);
    print_name(stream, of.name, unit ? unit : "");
    for (const tn_port *port = of.ports; port && port->name; port++)
        (void)fprintf(stream, "`%s` ", port->name);
    (void)fputs("| ", stream);
    print_plain(stream, of.summary, strlen(of.summary));
    (void)fputs(" | ", stream);
    if (of.formula && *of.formula) {
        (void)fputc('`', stream);
        print_plain(stream, of.formula, strlen(of.formula));
        (void)fputc('`', stream);
    }
    (void)fputs(" |\n", stream);
}

const tn_printer tn_markdown_printer = {.head = print_head,
                                        .fact = print_fact,
                                        .section = print_section,
                                        .list = print_list,
                                        .parameter = print_parameter,
                                        .port = print_port,
                                        .output = print_output,
                                        .note = print_note,
                                        .foot = print_foot};

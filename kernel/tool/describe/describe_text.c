/* describe_text.c - a description as plain text */
#include "describe/describe.h"

#include <string.h>

static void print_head(tn_page *page)
{
    const tn_library *library = page->file->library;
    if (page->type_count) (void)fputc('\n', page->stream);
    (void)fprintf(page->stream, "%s \"%s\": %s\n", page->kind->key, page->type.name, page->type.summary);
    (void)fprintf(page->stream, "library: %s %s, licence %s, %s\n", library->name, library->version,
                  library->licence, page->file->path);
}

static void print_fact(tn_page *page, const char *title, const char *text)
{
    (void)fprintf(page->stream, "%s: %s\n", title, text);
}

/* Every line of the text is indented. */
static void print_section(tn_page *page, const char *title, const char *text)
{
    (void)fprintf(page->stream, "\n%s\n", title);
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        (void)fprintf(page->stream, "    %.*s\n", (int)(end - text), text);
    (void)fprintf(page->stream, "    %s\n", text);
}

static void print_list(tn_page *page, const char *title) { (void)fprintf(page->stream, "\n%s\n", title); }

static void print_detail(FILE *stream, const tn_parameter *parameter)
{
    if (parameter->kind == TN_KIND_CALLABLE)
        (void)fprintf(stream, "        arguments: %s\n", parameter->detail);
    if (parameter->kind != TN_KIND_CHOICE) return;
    (void)fputs("        choices:", stream);
    size_t length = 0;
    for (const char *word = tn_first_word(parameter->detail, &length); word;
         word = tn_next_word(word, &length))
        (void)fprintf(stream, " %.*s", (int)length, word);
    (void)fputc('\n', stream);
}

static void print_parameter(tn_page *page, const tn_parameter *parameter)
{
    (void)fprintf(page->stream, "    %s: ", parameter->name);
    tn_print_kind(page->stream, parameter);
    if (*parameter->unit) (void)fprintf(page->stream, " [%s]", parameter->unit);
    (void)fputs(tn_has_default(parameter) ? ", default " : ", ", page->stream);
    tn_print_default(page->stream, parameter);
    tn_print_range(page->stream, parameter);
    tn_print_changes(page->stream, parameter);
    (void)fprintf(page->stream, "\n        %s\n", parameter->meaning);
    print_detail(page->stream, parameter);
}

static void print_port(tn_page *page, const tn_port *port)
{
    (void)fprintf(page->stream, "    %s: %s, ", port->name, tn_marker_word(port->kind));
    tn_print_port_count(page->stream, port);
    tn_print_points_from(page->stream, port);
    (void)fprintf(page->stream, "\n        %s\n", port->meaning);
}

static void print_output(tn_page *page, const tn_output *output, bool is_coordinate)
{
    (void)fprintf(page->stream, "    %s", output->name);
    if (*output->unit) (void)fprintf(page->stream, " [%s]", output->unit);
    if (!is_coordinate)
        (void)fprintf(page->stream, ": %u number%s", output->size, output->size == 1 ? "" : "s");
    (void)fprintf(page->stream, "\n        %s\n", output->meaning);
}

static void print_note(tn_page *page, const char *text) { (void)fprintf(page->stream, "\n%s\n", text); }

const tn_printer tn_text_printer = {.head = print_head,
                                    .fact = print_fact,
                                    .section = print_section,
                                    .list = print_list,
                                    .parameter = print_parameter,
                                    .port = print_port,
                                    .output = print_output,
                                    .note = print_note};

/* diagnostics_print.c - a listener that prints messages: as text, with the line of the file that they are about; as objects of JSON,
 * one a line (configs/README.md tells what is in them) */
#define _GNU_SOURCE
#include "config/diagnostics_internal.h"

#include "base/text.h"
#include "config/colour.h"
#include "config/json.h"

const char *const tn_severity_names[] = {
    [TN_SEVERITY_NOTE] = "note", [TN_SEVERITY_WARNING] = "warning", [TN_SEVERITY_ERROR] = "error"};

/* ---- as text --------------------------------------------------------------------------------------------- */

/* "path:line:column: " with the severity behind it. A message without a file stands alone, one
 * about a whole file has no line and column. */
static char *line_with(const tn_diagnostic *message, const char *before, const char *behind)
{
    tn_text line = {0};
    char numbers[32] = "";
    const char *file = message->file;
    if (*file && message->line)
        (void)snprintf(numbers, sizeof numbers, ":%u:%u", message->line, message->column);
    tn_text_add(&line, "%s%s%s%s%s%s: %s", file, numbers, *file ? ": " : "", before,
                tn_severity_names[message->severity], behind, message->text);
    return line.letters;
}

char *tn_diagnostic_line(const tn_diagnostic *message) { return line_with(message, "", ""); }

static void print_as_text(const tn_diagnostic *message, FILE *stream)
{
    const bool colours = tn_has_colours(stream);
    const char *before = colours ? tn_colour_of(tn_severity_names[message->severity]) : "";
    const char *behind = colours ? tn_colour_off : "";
    char *line = line_with(message, before, behind);
    (void)fputs(line, stream);
    tn_free(line);
    if (message->copy)
        (void)fprintf(stream, " (%s%s)", message->copy, message->in_others ? ", and in other copies" : "");
    (void)fputc('\n', stream);
    if (message->excerpt.line) tn_excerpt_print(&message->excerpt, message->line, before, behind, stream);
}

/* ---- as JSON --------------------------------------------------------------------------------------------- */

static void print_as_json(const tn_diagnostic *message, FILE *stream)
{
    const tn_excerpt *excerpt = &message->excerpt;
    tn_json json = {.stream = stream, .one_line = true};
    tn_json_print(&json, "{'severity': %s", tn_severity_names[message->severity]);
    if (*message->file) tn_json_text(&json, "file", message->file);
    if (*message->file && message->line)
        tn_json_print(&json, "'line': %u, 'column': %u", message->line, message->column);
    if (message->end_line)
        tn_json_print(&json, "'end_line': %u, 'end_column': %u", message->end_line, message->end_column);
    tn_json_print(&json, "'text': %s, 'hint': %s", message->text, message->hint);
    if (message->copy)
        tn_json_print(&json, "'copy': %s, 'in_other_copies': %d", message->copy, message->in_others);
    if (excerpt->line)
        tn_json_print(&json, "'excerpt': %s, 'excerpt_column': %u, 'excerpt_end_column': %u", excerpt->line,
                      excerpt->column, excerpt->end_column);
    tn_json_close(&json);
}

/* ---- the listener ---------------------------------------------------------------------------------------- */

static void print_message(void *data, const tn_diagnostic *message)
{
    const tn_message_printer *printer = data;
    if (printer->quiet && message->severity == TN_SEVERITY_NOTE) return;
    if (printer->json)
        print_as_json(message, printer->stream);
    else
        print_as_text(message, printer->stream);
}

static void print_count(void *data, tn_severity severity, size_t more, const char *text)
{
    const tn_message_printer *printer = data;
    if (printer->json)
        tn_json_print(&(tn_json){.stream = printer->stream, .one_line = true},
                      "{'severity': %s, 'text': %s, 'more': %g}", tn_severity_names[severity], text,
                      (double)more);
    else
        (void)fprintf(printer->stream, "%s\n", text);
}

tn_message_listener tn_message_printer_listener(const tn_message_printer *printer)
{
    return (tn_message_listener){(void *)printer, print_message, print_count};
}

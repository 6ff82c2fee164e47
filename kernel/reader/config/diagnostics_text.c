/* diagnostics_text.c - prints a message as text: a line, and the one of the file that it is about */
#define _GNU_SOURCE
#include "config/diagnostics_internal.h"

#include "base/memory.h"
#include "base/text.h"
#include "config/colour.h"

const char *const tn_severity_names[] = {
    [TN_SEVERITY_NOTE] = "note", [TN_SEVERITY_WARNING] = "warning", [TN_SEVERITY_ERROR] = "error"};

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

void tn_diagnostic_print_text(const tn_diagnostic *message, FILE *stream)
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

/* diagnostics_json.c - prints a message as an object of JSON on one line; configs/README.md tells what is in it */
#include "config/diagnostics_internal.h"

#include "config/json.h"

static void print_place(tn_json *json, const tn_diagnostic *message)
{
    if (*message->file) tn_json_text(json, "file", message->file);
    if (!*message->file || !message->line) return;
    tn_json_number(json, "line", message->line);
    tn_json_number(json, "column", message->column);
    if (!message->end_line) return;
    tn_json_number(json, "end_line", message->end_line);
    tn_json_number(json, "end_column", message->end_column);
}

static void print_excerpt(tn_json *json, const tn_excerpt *excerpt)
{
    if (!excerpt->line) return;
    tn_json_text(json, "excerpt", excerpt->line);
    tn_json_number(json, "excerpt_column", excerpt->column);
    tn_json_number(json, "excerpt_end_column", excerpt->end_column);
}

void tn_diagnostic_print_json(const tn_diagnostic *message, FILE *stream)
{
    tn_json json = {.stream = stream, .one_line = true};
    tn_json_open(&json, NULL, '{');
    tn_json_text(&json, "severity", tn_severity_names[message->severity]);
    print_place(&json, message);
    tn_json_text(&json, "text", message->text);
    if (message->hint) tn_json_text(&json, "hint", message->hint);
    if (message->copy) {
        tn_json_text(&json, "copy", message->copy);
        tn_json_boolean(&json, "in_other_copies", message->in_others);
    }
    print_excerpt(&json, &message->excerpt);
    tn_json_close(&json);
}

void tn_diagnostic_print_json_rest(tn_severity severity, size_t more, const char *text, FILE *stream)
{
    tn_json json = {.stream = stream, .one_line = true};
    tn_json_open(&json, NULL, '{');
    tn_json_text(&json, "severity", tn_severity_names[severity]);
    tn_json_text(&json, "text", text);
    tn_json_number(&json, "more", (double)more);
    tn_json_close(&json);
}

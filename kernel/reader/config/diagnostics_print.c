/* diagnostics_print.c - prints what was collected, and what a run tells, in the form that the user has chosen */
#include "config/diagnostics_internal.h"

#include "base/text.h"
#include "config/message.h"

#include <stdlib.h>

void tn_diagnostics_quiet(tn_diagnostics *diagnostics, bool quiet) { diagnostics->quiet = quiet; }

const char *const *tn_told(const tn_diagnostics *diagnostics, tn_severity severity)
{
    return (const char *const *)diagnostics->lines[severity].line;
}

static void print(const tn_diagnostic *message, FILE *stream)
{
    if (tn_message_chosen() == TN_MESSAGES_JSON)
        tn_diagnostic_print_json(message, stream);
    else
        tn_diagnostic_print_text(message, stream);
}

/* Says that there are more messages than are shown. */
static void print_rest(tn_severity severity, size_t more, const char *text, FILE *stream)
{
    if (tn_message_chosen() == TN_MESSAGES_JSON)
        tn_diagnostic_print_json_rest(severity, more, text, stream);
    else
        (void)fprintf(stream, "%s\n", text);
}

/* Keeps the line of a message for run.toml. */
static void keep_line(tn_diagnostics *diagnostics, const tn_diagnostic *message)
{
    struct tn_told_lines *lines = &diagnostics->lines[message->severity];
    char *line = lines->count < TN_LARGEST_COUNT ? tn_diagnostic_line(message) : NULL;
    if (line) lines->line[lines->count++] = line;
}

/* ---- what was collected ---------------------------------------------------------------------------------- */

void tn_diagnostics_print(tn_diagnostics *diagnostics, FILE *stream)
{
    char text[64];
    const size_t count = tn_diagnostics_list(diagnostics);
    for (size_t k = 0; k < count; k++) {
        const tn_diagnostic *message = tn_diagnostics_at(diagnostics, k);
        print(message, stream);
        keep_line(diagnostics, message);
        if (!message->more) continue;
        (void)snprintf(text, sizeof text, "... and %zu more of this kind", message->more);
        print_rest(message->severity, message->more, text, stream);
    }
    for (int severity = TN_SEVERITY_ERROR; severity >= TN_SEVERITY_NOTE; severity--) {
        const size_t more = tn_diagnostics_left_out(diagnostics, (tn_severity)severity);
        (void)snprintf(text, sizeof text, "%ss not shown: %zu", tn_severity_names[severity], more);
        if (more) print_rest((tn_severity)severity, more, text, stream);
    }
    tn_diagnostics_forget(diagnostics);
}

/* ---- during a run ---------------------------------------------------------------------------------------- */

/* Prints a message, unless nobody wants it, and keeps its line. */
static void show(tn_diagnostics *diagnostics, const tn_diagnostic *message)
{
    if (!(diagnostics->quiet && message->severity == TN_SEVERITY_NOTE)) print(message, stderr);
    keep_line(diagnostics, message);
}

void tn_tell(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = tn_message_text(format, arguments);
    va_end(arguments);
    if (!text) return;
    tn_diagnostic message = {.severity = severity,
                             .file = place.file ? place.file : "",
                             .line = place.line,
                             .column = place.column,
                             .text = text};
    const tn_message_kind *told = tn_message_kind_count(&diagnostics->told, severity, text);
    if (told && told->count <= TN_LARGEST_KIND) {
        tn_diagnostic_complete(diagnostics, &message, place, false);
        show(diagnostics, &message);
    }
    tn_diagnostic_clear(&message);
}

void tn_tell_rest(tn_diagnostics *diagnostics)
{
    for (size_t k = 0; k < diagnostics->told.count; k++) {
        const tn_message_kind *told = &diagnostics->told.kind[k];
        tn_text text = {0};
        if (told->count <= TN_LARGEST_KIND) continue;
        tn_text_add(&text, "... and %zu more of this kind: %s", told->count - TN_LARGEST_KIND, told->words);
        show(diagnostics, &(tn_diagnostic){.severity = told->severity, .file = "", .text = text.letters});
        free(text.letters);
    }
    tn_message_kinds_forget(&diagnostics->told);
}

/* diagnostics_tell.c - makes messages known: keeps them, and hands them to whoever listens */
#include "config/diagnostics_internal.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>

void tn_diagnostics_listen(tn_diagnostics *diagnostics, tn_message_listener listener)
{
    diagnostics->listener = listener;
}

size_t tn_told_count(const tn_diagnostics *diagnostics) { return diagnostics->known_count; }

const tn_diagnostic *tn_told(const tn_diagnostics *diagnostics, size_t number)
{
    return &diagnostics->known[number];
}

static char *copy(const char *text) { return text ? tn_copy_text(text) : NULL; }

static void keep(tn_diagnostics *diagnostics, const tn_diagnostic *message)
{
    if (diagnostics->known_of[message->severity] == TN_LARGEST_COUNT) return;
    tn_diagnostic kept = *message;
    kept.file = copy(message->file);
    kept.text = copy(message->text);
    kept.hint = copy(message->hint);
    kept.copy = copy(message->copy);
    kept.excerpt.line = copy(message->excerpt.line);
    diagnostics->known[diagnostics->known_count++] = kept;
    diagnostics->known_of[message->severity]++;
}

static void make_known(tn_diagnostics *diagnostics, const tn_diagnostic *message)
{
    const tn_message_listener *listener = &diagnostics->listener;
    if (listener->hear) listener->hear(listener->data, message);
    keep(diagnostics, message);
}

/* Says that there are more messages than are shown. */
static void count(const tn_diagnostics *diagnostics, tn_severity severity, size_t more, const char *text)
{
    const tn_message_listener *listener = &diagnostics->listener;
    if (listener->count) listener->count(listener->data, severity, more, text);
}

void tn_diagnostics_publish(tn_diagnostics *diagnostics)
{
    char text[64];
    const size_t messages = tn_diagnostics_list(diagnostics);
    for (size_t k = 0; k < messages; k++) {
        const tn_diagnostic *message = tn_diagnostics_at(diagnostics, k);
        make_known(diagnostics, message);
        if (!message->more) continue;
        (void)snprintf(text, sizeof text, "... and %zu more of this kind", message->more);
        count(diagnostics, message->severity, message->more, text);
    }
    for (int severity = TN_SEVERITY_ERROR; severity >= TN_SEVERITY_NOTE; severity--) {
        const size_t more = tn_diagnostics_left_out(diagnostics, (tn_severity)severity);
        (void)snprintf(text, sizeof text, "%ss not shown: %zu", tn_severity_names[severity], more);
        if (more) count(diagnostics, (tn_severity)severity, more, text);
    }
    tn_diagnostics_forget(diagnostics);
}

void tn_tell(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tn_tell_list(diagnostics, severity, place, format, arguments);
    va_end(arguments);
}

static void tell(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format,
                 va_list *arguments)
{
    char *text = tn_message_text(TN_LONGEST_TOLD, format, *arguments);
    tn_diagnostic message = {.severity = severity,
                             .file = place.file ? place.file : "",
                             .line = place.line,
                             .column = place.column,
                             .text = text};
    const tn_message_kind *told = tn_message_kind_count(&diagnostics->told, severity, text);
    if (told && told->count <= TN_LARGEST_KIND) {
        tn_diagnostic_complete(diagnostics, &message, place, false);
        make_known(diagnostics, &message);
    }
    tn_diagnostic_clear(&message);
}

/* A message may come up in the midst of a step: what there is no memory for is lost, and the lack noted. */
void tn_tell_list(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format,
                  va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    if (tn_memory_now())
        (void)tn_attempt(tn_memory_now(), tell(diagnostics, severity, place, format, &again));
    else
        tell(diagnostics, severity, place, format, &again);
    va_end(again);
}

void tn_tell_rest(tn_diagnostics *diagnostics)
{
    for (size_t k = 0; k < diagnostics->told.count; k++) {
        const tn_message_kind *told = &diagnostics->told.kind[k];
        tn_text text = {0};
        if (told->count <= TN_LARGEST_KIND) continue;
        tn_text_add(&text, "... and %zu more of this kind: %s", told->count - TN_LARGEST_KIND, told->words);
        make_known(diagnostics,
                   &(tn_diagnostic){.severity = told->severity, .file = "", .text = text.letters});
        tn_free(text.letters);
    }
    tn_message_kinds_forget(&diagnostics->told);
}

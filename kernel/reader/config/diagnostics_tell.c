/* diagnostics_tell.c - makes messages known: keeps them, and hands them to whoever listens */
#include "config/diagnostics_internal.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
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

/* Takes over the texts of a message. */
static void make_known(tn_diagnostics *diagnostics, tn_diagnostic *message)
{
    const tn_message_listener *listener = &diagnostics->listener;
    size_t *count = &diagnostics->known_of[message->severity];
    if (listener->hear) listener->hear(listener->data, message);
    if (*count < TN_LARGEST_COUNT)
        diagnostics->known[diagnostics->known_count++] = *message;
    else
        tn_diagnostic_clear(message);
    *count += *count < TN_LARGEST_COUNT;
}

/* Says that there are more messages than are shown. */
static void tell_count(const tn_diagnostics *diagnostics, tn_severity severity, size_t more, const char *text)
{
    const tn_message_listener *listener = &diagnostics->listener;
    if (listener->count) listener->count(listener->data, severity, more, text);
}

static int compare_messages(const void *left, const void *right)
{
    const tn_message_entry *a = left, *b = right;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    if (a->shown.line != b->shown.line) return a->shown.line < b->shown.line ? -1 : 1;
    if (a->shown.column != b->shown.column) return a->shown.column < b->shown.column ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

void tn_diagnostics_publish(tn_diagnostics *diagnostics)
{
    char text[64];
    tn_message_entry *messages = diagnostics->messages;
    qsort(messages, diagnostics->count, sizeof *messages, compare_messages);
    for (size_t i = 0; i < diagnostics->count; i++)
        messages[i].kind->last = i;
    for (size_t i = 0; i < diagnostics->count; i++) {
        const tn_message_kind *kind = messages[i].kind;
        const size_t more =
            kind->last == i && kind->count > TN_LARGEST_KIND ? kind->count - TN_LARGEST_KIND : 0;
        make_known(diagnostics, &messages[i].shown);
        (void)snprintf(text, sizeof text, "... and %zu more of this kind", more);
        if (more) tell_count(diagnostics, kind->severity, more, text);
    }
    for (int severity = TN_SEVERITY_ERROR; severity >= TN_SEVERITY_NOTE; severity--) {
        const size_t more = diagnostics->left_out[severity];
        (void)snprintf(text, sizeof text, "%ss not shown: %zu", tn_severity_names[severity], more);
        if (more) tell_count(diagnostics, (tn_severity)severity, more, text);
    }
    diagnostics->count = diagnostics->file_count = 0;
    memset(diagnostics->kept, 0, sizeof diagnostics->kept);
    memset(diagnostics->left_out, 0, sizeof diagnostics->left_out);
    tn_message_kinds_forget(&diagnostics->collected);
}

void tn_tell(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tn_tell_list(diagnostics, severity, place, format, arguments);
    va_end(arguments);
}

static void tell_message(tn_diagnostics *diagnostics, tn_severity severity, tn_place place,
                         const char *format, va_list *arguments)
{
    tn_diagnostic message = {.severity = severity,
                             .file = place.file ? place.file : "",
                             .line = place.line,
                             .column = place.column,
                             .text = tn_message_text(TN_LONGEST_TOLD, format, *arguments)};
    const tn_message_kind *told = tn_message_kind_count(&diagnostics->told, severity, message.text);
    if (!told || told->count > TN_LARGEST_KIND) {
        tn_diagnostic_clear(&message);
        return;
    }
    tn_diagnostic_complete(diagnostics, &message, place, false);
    make_known(diagnostics, &message);
}

/* A message may come up in the midst of a step: what there is no memory for is lost, and the lack noted. */
void tn_tell_list(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format,
                  va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    if (tn_memory_now())
        (void)tn_attempt(tn_memory_now(), tell_message(diagnostics, severity, place, format, &again));
    else
        tell_message(diagnostics, severity, place, format, &again);
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
    }
    tn_message_kinds_forget(&diagnostics->told);
}

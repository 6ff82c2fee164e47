/* diagnostics_state.c - what has been made known in a run, as spans of bytes: one that is gone on with tells nothing twice, and loses
 * nothing */
#include "config/diagnostics_internal.h"

#include "base/memory.h"

#include <string.h>

enum { LONGEST = 1 << 20 }; /* text */

static void list_text(char **text, tn_state_visitor *visitor)
{
    uint64_t size = *text ? strlen(*text) + 1 : 0;
    TN_VISIT(visitor, size);
    if (visitor->restores) *text = size && size <= LONGEST ? tn_new(size + 1, 1) : NULL;
    if (*text) visitor->bytes(visitor, *text, size);
}

static void list_kinds(tn_message_kinds *all, tn_state_visitor *visitor)
{
    uint64_t count = all->count;
    TN_VISIT(visitor, count);
    if (visitor->restores) {
        tn_message_kinds_forget(all);
        all->count =
            count < sizeof all->kind / sizeof *all->kind ? count : sizeof all->kind / sizeof *all->kind;
    }
    for (size_t k = 0; k < all->count; k++) {
        tn_message_kind *kind = &all->kind[k];
        if (visitor->restores) *kind = (tn_message_kind){.count = 0};
        TN_VISIT(visitor, kind->severity);
        TN_VISIT(visitor, kind->count);
        list_text(&kind->words, visitor);
        if (visitor->restores && !kind->words) kind->words = tn_copy_text("");
    }
}

/* The line of the file that a message shows is shown once. */
static void list_message(tn_diagnostic *message, tn_state_visitor *visitor)
{
    char *file = (char *)message->file;
    if (visitor->restores) *message = (tn_diagnostic){.severity = TN_SEVERITY_NOTE};
    TN_VISIT(visitor, message->severity);
    uint32_t *const number[] = {&message->line, &message->column, &message->end_line, &message->end_column};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        TN_VISIT(visitor, *number[k]);
    TN_VISIT(visitor, message->in_others);
    list_text(&file, visitor);
    list_text(&message->text, visitor);
    list_text(&message->hint, visitor);
    list_text(&message->copy, visitor);
    if (!visitor->restores) return;
    message->file = file ? file : tn_copy_text("");
    if (!message->text) message->text = tn_copy_text("");
}

void tn_diagnostics_list_state(tn_diagnostics *diagnostics, tn_state_visitor *visitor)
{
    const size_t most = sizeof diagnostics->known / sizeof *diagnostics->known;
    uint64_t count = diagnostics->known_count;
    TN_VISIT(visitor, count);
    TN_VISIT(visitor, diagnostics->known_of);
    if (visitor->restores) {
        for (size_t k = 0; k < diagnostics->known_count; k++)
            tn_diagnostic_clear(&diagnostics->known[k]);
        diagnostics->known_count = count < most ? count : most;
    }
    for (size_t k = 0; k < diagnostics->known_count; k++)
        list_message(&diagnostics->known[k], visitor);
    list_kinds(&diagnostics->told, visitor);
}

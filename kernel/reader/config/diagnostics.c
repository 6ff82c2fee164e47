/* diagnostics.c - collects messages */
#include "config/diagnostics_internal.h"

#include "base/memory.h"
#include "base/text.h"
#include "config/extent.h"

#include <string.h>

tn_diagnostics *tn_diagnostics_new(void) { return tn_new(1, sizeof(tn_diagnostics)); }

void tn_diagnostic_clear(tn_diagnostic *message)
{
    tn_free(message->text);
    tn_free(message->hint);
    tn_free(message->copy);
    tn_free(message->excerpt.line);
}

/* ---- what a message shows -------------------------------------------------------------------------------- */

void tn_diagnostics_show_text(tn_diagnostics *diagnostics, tn_source_text *text)
{
    TN_APPEND(diagnostics->texts, diagnostics->text_count, text);
}

/* The text that a place refers to, or NULL. Two of them may have one name, such as the values that are given to one key: they
 * are told apart by the pointer, which a text that is no longer read may share with a new one. */
static tn_source_text *find_text(const tn_diagnostics *diagnostics, const char *file)
{
    tn_source_text *named = NULL;
    for (size_t k = diagnostics->text_count; k-- > 0;) {
        tn_source_text *text = diagnostics->texts[k];
        if (text->file == file) return text;
        if (!named && strcmp(text->file, file) == 0) named = text;
    }
    return named;
}

char *tn_message_text(size_t longest, const char *format, va_list arguments)
{
    char shown[TN_LONGEST_TOLD + sizeof "..."];
    (void)tn_print_cut_list(shown, longest + sizeof "...", format, arguments);
    char *text = tn_copy_text(shown);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F) *c = ' ';
    return text;
}

/* A copy of the quoted word behind "did you mean"; NULL without one. */
static char *hint_of(const char *text)
{
    static const char words[] = "did you mean ";
    const char *hint = strstr(text, words), *quote = hint ? hint + sizeof words - 1 : NULL;
    const char *end = quote && (*quote == '`' || *quote == '"') ? strchr(quote + 1, *quote) : NULL;
    if (!end) return NULL;
    const size_t length = (size_t)(end - quote - 1);
    return memcpy(tn_new(length + 1, 1), quote + 1, length);
}

void tn_diagnostic_complete(const tn_diagnostics *diagnostics, tn_diagnostic *message, tn_place place,
                            bool inside)
{
    message->hint = hint_of(message->text);
    tn_source_text *source = place.file && place.line ? find_text(diagnostics, place.file) : NULL;
    if (!source) return;
    const size_t offset = tn_source_text_offset(source, place.line, place.column);
    const size_t end = tn_extent_end(source, offset, (tn_extent_wish){inside, message->hint != NULL});
    const tn_text_position last =
        tn_text_position_behind(source->letters, (tn_text_position){place.line, place.column, offset}, end);
    message->end_line = last.line;
    message->end_column = end > offset ? last.column : place.column + 1;
    message->excerpt = tn_excerpt_of(source, offset, end);
}

/* ---- collecting ------------------------------------------------------------------------------------------ */

/* The index of the file, which is added when it is new; `file_count` where there are too many. */
static size_t file_number(tn_diagnostics *diagnostics, const char *file)
{
    for (size_t i = 0; i < diagnostics->file_count; i++)
        if (strcmp(diagnostics->files[i], file) == 0) return i;
    if (diagnostics->file_count == sizeof diagnostics->files / sizeof *diagnostics->files)
        return diagnostics->file_count;
    diagnostics->files[diagnostics->file_count] = file;
    return diagnostics->file_count++;
}

/* The message that says it already: with the same text, or from another copy at the same place. */
static tn_diagnostic *find_same_message(tn_diagnostics *diagnostics, const tn_message_entry *entry)
{
    const tn_diagnostic *new = &entry->shown;
    for (size_t i = 0; i < diagnostics->count; i++) {
        tn_diagnostic *known = &diagnostics->messages[i].shown;
        if (diagnostics->messages[i].file != entry->file || known->line != new->line ||
            known->column != new->column || known->severity != new->severity || !known->copy != !new->copy)
            continue;
        if (strcmp(known->text, new->text) == 0 || (new->copy &&strcmp(known->copy, new->copy) != 0))
            return known;
    }
    return NULL;
}

void tn_diagnose_list(tn_diagnostics *diagnostics, tn_severity severity, tn_place place,
                      tn_error_detail detail, const char *format, va_list arguments)
{
    tn_diagnostic new = {.severity = severity,
                         .line = place.line,
                         .column = place.column,
                         .text = tn_message_text(TN_LONGEST_TEXT, format, arguments),
                         .copy = detail.copy ? tn_copy_text(detail.copy) : NULL};
    tn_message_entry entry = {.shown = new,
                              .order = diagnostics->count,
                              .file = file_number(diagnostics, place.file ? place.file : "")};
    const bool lost = entry.file == diagnostics->file_count;
    tn_diagnostic *known = lost ? NULL : find_same_message(diagnostics, &entry);
    const bool other_copy = known && new.copy &&strcmp(known->copy, new.copy) != 0;
    if (other_copy) known->in_others = true;
    if (new.severity == TN_SEVERITY_ERROR && (!known || other_copy)) diagnostics->error_count++;

    if (!known && !lost) entry.kind = tn_message_kind_count(&diagnostics->collected, new.severity, new.text);
    const bool enough = entry.kind && entry.kind->count > TN_LARGEST_KIND;
    if (entry.kind && !enough && diagnostics->kept[new.severity] < TN_LARGEST_COUNT) {
        diagnostics->kept[new.severity]++;
        entry.shown.file = diagnostics->files[entry.file];
        tn_diagnostic_complete(diagnostics, &entry.shown, place, detail.inside);
        diagnostics->messages[diagnostics->count++] = entry;
        return;
    }
    if (!known && !enough) diagnostics->left_out[new.severity]++;
    tn_diagnostic_clear(&new);
}

void tn_diagnose(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tn_diagnose_list(diagnostics, severity, place, (tn_error_detail){0}, format, arguments);
    va_end(arguments);
}

bool tn_error_shows(const tn_diagnostics *diagnostics, tn_place place, const char *text)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        const tn_diagnostic *known = &diagnostics->messages[i].shown;
        if (known->copy && known->line == place.line && known->column == place.column &&
            strcmp(known->file, place.file) == 0)
            return false;
    }
    const tn_message_kind *known =
        text ? tn_message_kind_of(&diagnostics->collected, TN_SEVERITY_ERROR, text) : NULL;
    return diagnostics->kept[TN_SEVERITY_ERROR] < TN_LARGEST_COUNT &&
           (!known || known->count < TN_LARGEST_KIND);
}

size_t tn_error_count(const tn_diagnostics *diagnostics) { return diagnostics->error_count; }

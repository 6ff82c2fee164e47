/* diagnostics.c - collects messages and prints them sorted by place. */
#define _GNU_SOURCE
#include "config/diagnostics.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Messages of each severity, what goes beyond is only counted; and bytes of a message. */
enum { LARGEST_COUNT = 100, LONGEST_TEXT = 2000 };

typedef struct message {
    size_t file; /* index in order of first report */
    uint32_t line, column;
    size_t order; /* of the report, for messages of the same place */
    tn_severity severity;
    char *text;
    char *copy;     /* of a repeated text, or NULL */
    bool in_others; /* other copies have an error there, too */
} message;

struct tn_diagnostics {
    message messages[2 * LARGEST_COUNT];
    size_t count;
    char *files[2 * LARGEST_COUNT]; /* copies: they outlive the documents that they name */
    size_t file_count;
    size_t kept[2], left_out[2]; /* by severity */
    size_t error_count;
};

static const char *const severity_names[] = {
    [TN_SEVERITY_WARNING] = "warning", [TN_SEVERITY_ERROR] = "error"};

tn_diagnostics *tn_diagnostics_new(void) { return tn_new(1, sizeof(tn_diagnostics)); }

static void forget(tn_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        free(diagnostics->messages[i].text);
        free(diagnostics->messages[i].copy);
    }
    for (size_t i = 0; i < diagnostics->file_count; i++)
        free(diagnostics->files[i]);
    diagnostics->count = diagnostics->file_count = 0;
    memset(diagnostics->kept, 0, sizeof diagnostics->kept);
    memset(diagnostics->left_out, 0, sizeof diagnostics->left_out);
}

void tn_diagnostics_free(tn_diagnostics *diagnostics)
{
    if (!diagnostics) return;
    forget(diagnostics);
    free(diagnostics);
}

/* The text malloc'd and on one line: control characters in quoted input must not break it, nor a quote of a
 * megabyte fill the screen. */
static char *format_text(const char *format, va_list arguments)
{
    char shown[LONGEST_TEXT + sizeof "..."];
    (void)tn_print_cut_list(shown, sizeof shown, format, arguments);
    char *text = strdup(shown);
    if (!text) return NULL;
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F) *c = ' ';
    return text;
}

/* The index of the file, which is added when it is new; `file_count` without memory. */
static size_t find_file(tn_diagnostics *diagnostics, const char *file)
{
    for (size_t i = 0; i < diagnostics->file_count; i++)
        if (strcmp(diagnostics->files[i], file) == 0) return i;
    if (diagnostics->file_count == 2 * LARGEST_COUNT) return diagnostics->file_count;
    char *copy = strdup(file);
    if (!copy) return diagnostics->file_count;
    diagnostics->files[diagnostics->file_count] = copy;
    return diagnostics->file_count++;
}

/* The message that says it already: with the same text, or from another copy at the same place. */
static message *find_known(tn_diagnostics *diagnostics, const message *new)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        message *known = &diagnostics->messages[i];
        if (known->file != new->file || known->line != new->line || known->column != new->column ||
            known->severity != new->severity || !known->copy != !new->copy)
            continue;
        if (strcmp(known->text, new->text) == 0 || (new->copy &&strcmp(known->copy, new->copy) != 0))
            return known;
    }
    return NULL;
}

/* Keeps a message, or drops or counts it. */
static void add(tn_diagnostics *diagnostics, const char *file, message new)
{
    new.order = diagnostics->count;
    new.file = find_file(diagnostics, file ? file : "");
    const bool lost = !new.text || new.file == diagnostics->file_count;
    message *known = lost ? NULL : find_known(diagnostics, &new);
    const bool other_copy = known && new.copy &&strcmp(known->copy, new.copy) != 0;
    if (other_copy) known->in_others = true;
    if (new.severity == TN_SEVERITY_ERROR && (!known || other_copy)) diagnostics->error_count++;

    if (!known && !lost && diagnostics->kept[new.severity] < LARGEST_COUNT) {
        diagnostics->kept[new.severity]++;
        diagnostics->messages[diagnostics->count++] = new;
        return;
    }
    if (!known) diagnostics->left_out[new.severity]++;
    free(new.text);
    free(new.copy);
}

void tn_diagnose(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(format, arguments);
    va_end(arguments);
    add(diagnostics, place.file,
        (message){.line = place.line, .column = place.column, .severity = severity, .text = text});
}

void tn_diagnose_copy(tn_diagnostics *diagnostics, tn_place place, const char *copy, const char *format,
                      va_list arguments)
{
    add(diagnostics, place.file,
        (message){.line = place.line,
                  .column = place.column,
                  .severity = TN_SEVERITY_ERROR,
                  .text = format_text(format, arguments),
                  .copy = copy ? strdup(copy) : NULL});
}

bool tn_error_shows(const tn_diagnostics *diagnostics, tn_place place)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        const message *known = &diagnostics->messages[i];
        if (known->copy && known->line == place.line && known->column == place.column &&
            strcmp(diagnostics->files[known->file], place.file) == 0)
            return false;
    }
    return diagnostics->kept[TN_SEVERITY_ERROR] < LARGEST_COUNT;
}

size_t tn_error_count(const tn_diagnostics *diagnostics) { return diagnostics->error_count; }

static int compare_messages(const void *left, const void *right)
{
    const message *a = left, *b = right;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* A message without a file stands alone, one about a whole file has no line and column. */
static void print_message(const char *file, const message *printed, FILE *stream)
{
    if (*file) fputs(file, stream);
    if (*file && printed->line) fprintf(stream, ":%u:%u", printed->line, printed->column);
    fprintf(stream, "%s%s: %s", *file ? ": " : "", severity_names[printed->severity], printed->text);
    if (printed->copy)
        fprintf(stream, " (%s%s)", printed->copy, printed->in_others ? ", and in other copies" : "");
    fputc('\n', stream);
}

void tn_diagnostics_print(tn_diagnostics *diagnostics, FILE *stream)
{
    qsort(diagnostics->messages, diagnostics->count, sizeof(message), compare_messages);
    for (size_t i = 0; i < diagnostics->count; i++) {
        const message *printed = &diagnostics->messages[i];
        print_message(diagnostics->files[printed->file], printed, stream);
    }
    for (int severity = TN_SEVERITY_ERROR; severity >= TN_SEVERITY_WARNING; severity--)
        if (diagnostics->left_out[severity])
            fprintf(stream, "%ss not shown: %zu\n", severity_names[severity],
                    diagnostics->left_out[severity]);
    forget(diagnostics);
}

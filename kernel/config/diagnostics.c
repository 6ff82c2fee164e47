/* diagnostics.c - collects messages and prints them sorted by place. */
#include "config/diagnostics.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Of each severity; what goes beyond is only counted. */
enum { LARGEST_COUNT = 100 };

typedef struct message {
    size_t file; /* index in order of first report */
    uint32_t line, column;
    size_t order; /* of the report, for messages of the same place */
    tn_severity severity;
    char *text;
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

tn_diagnostics *tn_diagnostics_new(void) { return calloc(1, sizeof(tn_diagnostics)); }

static void forget(tn_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        free(diagnostics->messages[i].text);
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

/* The text on one line, malloc'd; control characters in quoted input must not break the line. */
static char *format_text(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) return NULL;
    char *text = malloc((size_t)length + 1);
    if (!text) return NULL;
    vsnprintf(text, (size_t)length + 1, format, arguments);
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

static bool is_known(const tn_diagnostics *diagnostics, const message *other)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        const message *known = &diagnostics->messages[i];
        if (known->file == other->file && known->line == other->line && known->column == other->column &&
            known->severity == other->severity && strcmp(known->text, other->text) == 0)
            return true;
    }
    return false;
}

void tn_diagnose(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message new = {
        .line = place.line, .column = place.column, .order = diagnostics->count, .severity = severity};
    new.text = format_text(format, arguments);
    va_end(arguments);
    new.file = find_file(diagnostics, place.file ? place.file : "");

    const bool lost = !new.text || new.file == diagnostics->file_count;
    if (!lost && is_known(diagnostics, &new)) {
        free(new.text);
        return;
    }
    if (severity == TN_SEVERITY_ERROR) diagnostics->error_count++;
    if (lost || diagnostics->kept[severity] == LARGEST_COUNT) {
        diagnostics->left_out[severity]++;
        free(new.text);
        return;
    }
    diagnostics->kept[severity]++;
    diagnostics->messages[diagnostics->count++] = new;
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
    fprintf(stream, "%s%s: %s\n", *file ? ": " : "", severity_names[printed->severity], printed->text);
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

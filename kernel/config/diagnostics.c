/* diagnostics.c - collects messages and prints them sorted by place; keeps what a run tells. */
#define _GNU_SOURCE
#include "config/diagnostics.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Messages of each severity, and of one kind: what goes beyond is only counted; bytes of a message. */
enum { SEVERITIES = TN_SEVERITY_ERROR + 1, LARGEST_COUNT = 100, LARGEST_KIND = 10, LONGEST_TEXT = 2000 };

/* Messages that say the same of different things. */
typedef struct kind {
    tn_severity severity;
    char *words; /* what they say */
    size_t count;
    size_t last; /* the one that is shown last */
} kind;

typedef struct kinds {
    kind kind[SEVERITIES * LARGEST_COUNT];
    size_t count;
} kinds;

typedef struct message {
    size_t file; /* index in order of first report */
    uint32_t line, column;
    size_t order; /* of the report, for messages of the same place */
    tn_severity severity;
    char *text;
    char *copy;     /* of a repeated text, or NULL */
    bool in_others; /* other copies have an error there, too */
    kind *kind;
} message;

struct tn_diagnostics {
    message messages[SEVERITIES * LARGEST_COUNT];
    size_t count;
    char *files[SEVERITIES * LARGEST_COUNT]; /* copies: they outlive the documents that they name */
    size_t file_count;
    size_t kept[SEVERITIES], left_out[SEVERITIES]; /* by severity */
    size_t error_count;
    kinds collected, told;
    struct lines {
        char *line[LARGEST_COUNT + 1]; /* ends with NULL */
        size_t count;
    } lines[SEVERITIES]; /* what was told, and the warnings that were printed */
    bool quiet;
};

static const char *const severity_names[] = {
    [TN_SEVERITY_NOTE] = "note", [TN_SEVERITY_WARNING] = "warning", [TN_SEVERITY_ERROR] = "error"};

tn_diagnostics *tn_diagnostics_new(void) { return tn_new(1, sizeof(tn_diagnostics)); }

void tn_diagnostics_quiet(tn_diagnostics *diagnostics, bool quiet) { diagnostics->quiet = quiet; }

static void forget_kinds(kinds *all)
{
    for (size_t k = 0; k < all->count; k++)
        free(all->kind[k].words);
    all->count = 0;
}

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
    forget_kinds(&diagnostics->collected);
}

void tn_diagnostics_free(tn_diagnostics *diagnostics)
{
    if (!diagnostics) return;
    forget(diagnostics);
    forget_kinds(&diagnostics->told);
    for (int severity = 0; severity < SEVERITIES; severity++)
        for (size_t k = 0; k < diagnostics->lines[severity].count; k++)
            free(diagnostics->lines[severity].line[k]);
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

/* ---- kinds ----------------------------------------------------------------------------------------------- */

/* Whether what stands in front of a colon only names what the message is about: "`mass` of `body`", "body". */
static bool only_names(const char *words)
{
    return !strchr(words, ' ') || strcmp(words, "` of `") == 0 || strncmp(words, "` of [", 6) == 0;
}

/* What a message says, without what it says it of: quoted words and numbers, names in front of the first colon, and what
 * explains it behind a later one or in parentheses. */
static char *words_of(const char *text)
{
    char *words = tn_new(strlen(text) + 1, 1), *to = words;
    for (const char *c = text; *c; c++) {
        *to = '\0';
        const bool names = c[0] == ':' && c[1] == ' ' && only_names(words);
        if (names) {
            to = words;
            c++;
            continue;
        }
        if ((c[0] == ':' && c[1] == ' ') || (c[0] == ' ' && c[1] == '(')) break;
        *to++ = isdigit((unsigned char)*c) ? '#' : *c;
        const char *quote = *c == '`' || *c == '"' ? strchr(c + 1, *c) : NULL;
        if (quote)
            c = quote;
        else if (isdigit((unsigned char)*c))
            c += strspn(c + 1, "0123456789.e+-");
    }
    *to = '\0';
    return words;
}

static kind *find_kind(const kinds *all, tn_severity severity, const char *words)
{
    for (size_t k = 0; k < all->count; k++)
        if (all->kind[k].severity == severity && strcmp(all->kind[k].words, words) == 0)
            return (kind *)&all->kind[k];
    return NULL;
}

/* The kind of a message, which counts it; NULL without room for a new one. */
static kind *count_kind(kinds *all, tn_severity severity, const char *text)
{
    char *words = words_of(text);
    kind *known = find_kind(all, severity, words);
    if (known) {
        free(words);
    } else if (all->count < sizeof all->kind / sizeof *all->kind) {
        known = &all->kind[all->count++];
        *known = (kind){.severity = severity, .words = words};
    } else {
        free(words);
        return NULL;
    }
    known->count++;
    return known;
}

/* ---- collecting ------------------------------------------------------------------------------------------ */

/* The index of the file, which is added when it is new; `file_count` without memory. */
static size_t find_file(tn_diagnostics *diagnostics, const char *file)
{
    for (size_t i = 0; i < diagnostics->file_count; i++)
        if (strcmp(diagnostics->files[i], file) == 0) return i;
    if (diagnostics->file_count == SEVERITIES * LARGEST_COUNT) return diagnostics->file_count;
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

    if (!known && !lost) new.kind = count_kind(&diagnostics->collected, new.severity, new.text);
    const bool enough = new.kind &&new.kind->count > LARGEST_KIND;
    if (new.kind && !enough && diagnostics->kept[new.severity] < LARGEST_COUNT) {
        diagnostics->kept[new.severity]++;
        diagnostics->messages[diagnostics->count++] = new;
        return;
    }
    if (!known && !enough) diagnostics->left_out[new.severity]++;
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

bool tn_error_shows(const tn_diagnostics *diagnostics, tn_place place, const char *text)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        const message *known = &diagnostics->messages[i];
        if (known->copy && known->line == place.line && known->column == place.column &&
            strcmp(diagnostics->files[known->file], place.file) == 0)
            return false;
    }
    char *words = text ? words_of(text) : NULL;
    const kind *known = words ? find_kind(&diagnostics->collected, TN_SEVERITY_ERROR, words) : NULL;
    free(words);
    return diagnostics->kept[TN_SEVERITY_ERROR] < LARGEST_COUNT && (!known || known->count < LARGEST_KIND);
}

size_t tn_error_count(const tn_diagnostics *diagnostics) { return diagnostics->error_count; }

/* ---- printing -------------------------------------------------------------------------------------------- */

static int compare_messages(const void *left, const void *right)
{
    const message *a = left, *b = right;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* The line of a message (malloc'd; NULL without memory). One without a file stands alone, one about a whole file has no line
 * and column. */
static char *line_of(tn_place place, tn_severity severity, const char *text)
{
    const char *file = place.file ? place.file : "";
    char numbers[32] = "", *line = NULL;
    if (*file && place.line) (void)snprintf(numbers, sizeof numbers, ":%u:%u", place.line, place.column);
    const int length =
        asprintf(&line, "%s%s%s%s: %s", file, numbers, *file ? ": " : "", severity_names[severity], text);
    return length < 0 ? NULL : line;
}

/* Takes the line. */
static void keep_line(tn_diagnostics *diagnostics, tn_severity severity, char *line)
{
    struct lines *lines = &diagnostics->lines[severity];
    if (line && lines->count < LARGEST_COUNT)
        lines->line[lines->count++] = line;
    else
        free(line);
}

static void print_message(tn_diagnostics *diagnostics, const message *printed, FILE *stream)
{
    const tn_place place = {diagnostics->files[printed->file], printed->line, printed->column};
    char *line = line_of(place, printed->severity, printed->text);
    fputs(line ? line : printed->text, stream);
    if (printed->copy)
        fprintf(stream, " (%s%s)", printed->copy, printed->in_others ? ", and in other copies" : "");
    fputc('\n', stream);
    keep_line(diagnostics, printed->severity, line);
}

void tn_diagnostics_print(tn_diagnostics *diagnostics, FILE *stream)
{
    qsort(diagnostics->messages, diagnostics->count, sizeof(message), compare_messages);
    for (size_t i = 0; i < diagnostics->count; i++)
        diagnostics->messages[i].kind->last = i;
    for (size_t i = 0; i < diagnostics->count; i++) {
        const message *printed = &diagnostics->messages[i];
        print_message(diagnostics, printed, stream);
        if (printed->kind->last == i && printed->kind->count > LARGEST_KIND)
            fprintf(stream, "... and %zu more of this kind\n", printed->kind->count - LARGEST_KIND);
    }
    for (int severity = TN_SEVERITY_ERROR; severity >= TN_SEVERITY_NOTE; severity--)
        if (diagnostics->left_out[severity])
            fprintf(stream, "%ss not shown: %zu\n", severity_names[severity],
                    diagnostics->left_out[severity]);
    forget(diagnostics);
}

/* ---- during a run ---------------------------------------------------------------------------------------- */

/* Prints a line, unless nobody wants it, and keeps it. */
static void show_line(tn_diagnostics *diagnostics, tn_severity severity, char *line)
{
    if (line && !(diagnostics->quiet && severity == TN_SEVERITY_NOTE)) fprintf(stderr, "%s\n", line);
    keep_line(diagnostics, severity, line);
}

void tn_tell(tn_diagnostics *diagnostics, tn_severity severity, tn_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(format, arguments);
    va_end(arguments);
    kind *told = text ? count_kind(&diagnostics->told, severity, text) : NULL;
    if (told && told->count <= LARGEST_KIND) show_line(diagnostics, severity, line_of(place, severity, text));
    free(text);
}

void tn_tell_rest(tn_diagnostics *diagnostics)
{
    for (size_t k = 0; k < diagnostics->told.count; k++) {
        const kind *told = &diagnostics->told.kind[k];
        char *text = NULL;
        if (told->count <= LARGEST_KIND) continue;
        if (asprintf(&text, "... and %zu more of this kind: %s", told->count - LARGEST_KIND, told->words) < 0)
            continue;
        show_line(diagnostics, told->severity, line_of((tn_place){0}, told->severity, text));
        free(text);
    }
    forget_kinds(&diagnostics->told);
}

const char *const *tn_told(const tn_diagnostics *diagnostics, tn_severity severity)
{
    return (const char *const *)diagnostics->lines[severity].line;
}

/* columns.c - reads columns of numbers from a text file (see columns.h) */
#include "config/columns.h"

#include "config/source_text.h"
#include "expression/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Part of a line, without quotes and the blanks around it. */
typedef struct field {
    const char *start;
    size_t length;
} field;

typedef struct reader {
    const char *start, *end, *next; /* of the current line, and where the following one starts */
    uint32_t line;                  /* counted from 1 */
    char separator;                 /* ' ' for any number of blanks and tabs; 0 before the first line */
    field *field;
    size_t field_count, field_capacity;
    tn_text_failure *failure;
} reader;

/* Blames `place` in the current line. */
__attribute__((format(printf, 3, 4))) static bool blame_place(const reader *file, const char *place,
                                                              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const tn_text_position line = {file->line, 1, 0};
    *file->failure = (tn_text_failure){
        .line = file->line,
        .column = tn_text_position_behind(file->start, line, (size_t)(place - file->start)).column};
    (void)tn_print_cut_list(file->failure->text, sizeof file->failure->text, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- lines and fields ------------------------------------------------------------------------------------- */

static bool is_blank(const reader *file, char c)
{
    return c == ' ' || (c == '\t' && file->separator != '\t');
}

static bool is_separator(const reader *file, char c)
{
    return file->separator == ' ' ? is_blank(file, c) : c == file->separator;
}

static const char *skip_blanks(const reader *file, const char *c)
{
    while (c < file->end && is_blank(file, *c))
        c++;
    return c;
}

/* Takes the next line of `text` in hand, empty ones and comments, too; false behind the last one. */
static bool take_line(reader *file, const char *text_end)
{
    if (file->next == text_end) return false;
    const char *feed = memchr(file->next, '\n', (size_t)(text_end - file->next));
    file->start = file->next;
    file->end = feed ? feed : text_end;
    file->next = feed ? feed + 1 : text_end;
    if (file->end > file->start && file->end[-1] == '\r') file->end--;
    file->line++;
    return true;
}

static bool has_fields(const reader *file)
{
    const char *c = file->start + strspn(file->start, " \t");
    return c < file->end && *c != '#';
}

/* A comma between tabs or semicolons is more likely a decimal one, which is refused later. */
static char separator_of(const reader *file)
{
    static const char order[] = ";\t,";
    size_t found = sizeof order - 1;
    bool quoted = false;
    for (const char *c = file->start; c < file->end; c++) {
        quoted ^= *c == '"';
        const char *place = quoted || !*c ? NULL : strchr(order, *c);
        if (place && (size_t)(place - order) < found) found = (size_t)(place - order);
    }
    return order[found] ? order[found] : ' ';
}

/* The quotes that close a field which begins at `c`, behind its opening ones; a quote inside is doubled. */
static const char *closing_quotes(const reader *file, const char *c)
{
    for (; c < file->end; c++) {
        if (*c != '"') continue;
        if (c + 1 == file->end || c[1] != '"') return c;
        c++;
    }
    return NULL;
}

/* Takes the field at `c` and returns what follows it, or NULL when its quotes are not closed. */
static const char *take_field(const reader *file, const char *c, field *part)
{
    const bool quoted = c < file->end && *c == '"';
    const char *end = quoted ? closing_quotes(file, ++c) : c;
    if (!end) return NULL;
    while (!quoted && end < file->end && !is_separator(file, *end))
        end++;

    const char *last = end;
    c = skip_blanks(file, c);
    while (last > c && is_blank(file, last[-1]))
        last--;
    *part = (field){c, last > c ? (size_t)(last - c) : 0};
    return quoted ? end + 1 : end;
}

static bool split_line(reader *file)
{
    file->field_count = 0;
    for (const char *c = skip_blanks(file, file->start);; c = skip_blanks(file, c)) {
        file->field = tn_grow(file->field, &file->field_capacity, file->field_count + 1, sizeof *file->field);
        const char *behind = take_field(file, c, &file->field[file->field_count++]);
        if (!behind) return blame_place(file, c, "these quotes are not closed in the same line");
        c = skip_blanks(file, behind);
        if (c == file->end) return true;
        if (file->separator == ' ') continue;
        if (*c != file->separator) return blame_place(file, c, "a separator is missing after the quotes");
        c++;
    }
}

/* ---- numbers ---------------------------------------------------------------------------------------------- */

/* Whether a field is a number, finite or not. */
static bool is_number_field(field part, double *value)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    const size_t sign = part.length && (*part.start == '-' || *part.start == '+');
    *value = (double)NAN;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == part.length - sign &&
            strncasecmp(words[i], part.start + sign, part.length - sign) == 0)
            return true;
    return part.length && tn_decimal_read(part.start, part.length, value) == part.length;
}

static bool has_decimal_comma(field part)
{
    double whole;
    const size_t length = tn_decimal_read(part.start, part.length, &whole);
    return length > 0 && length < part.length && part.start[length] == ',';
}

static bool is_heading(const reader *file, const uint32_t *column, size_t count)
{
    bool has_word = false;
    for (size_t k = 0; k < count; k++) {
        if (column[k] >= file->field_count) continue;
        const field part = file->field[column[k]];
        double value;
        if (is_number_field(part, &value) || has_decimal_comma(part)) return false;
        has_word = true;
    }
    return has_word;
}

static bool read_field(const reader *file, uint32_t column, double *value)
{
    enum { LONGEST_QUOTE = 60 };
    if (column >= file->field_count)
        return blame_place(file, file->end, "there is no column %u: the line has %zu, counted from 0", column,
                           file->field_count);
    const field part = file->field[column];
    const bool number = is_number_field(part, value);
    if (number && isfinite(*value)) return true;
    if (!part.length) return blame_place(file, part.start, "column %u is empty", column);

    size_t shown = part.length < LONGEST_QUOTE ? part.length : LONGEST_QUOTE;
    while (shown < part.length && (part.start[shown] & 0xC0) == 0x80 && shown > 0)
        shown--;
    return blame_place(file, part.start, "`%.*s%s` in column %u is not a %snumber%s", (int)shown, part.start,
                       shown < part.length ? "..." : "", column, number ? "finite " : "",
                       has_decimal_comma(part) ? ": the decimal sign is a point" : "");
}

/* ---- the file --------------------------------------------------------------------------------------------- */

static bool check_no_nul(reader *file, const char *text, size_t length)
{
    const char *nul = memchr(text, '\0', length);
    if (!nul) return true;
    while (take_line(file, text + length) && file->next <= nul)
        ;
    return blame_place(file, nul, "the byte 0x00 is not UTF-8 text");
}

/* Reads all lines into `value`, row by row, and counts them. */
static bool read_rows(reader *file, const char *text_end, const uint32_t *column, size_t count,
                      double **value, size_t *rows)
{
    bool heading_allowed = true;
    size_t capacity = 0;
    while (take_line(file, text_end)) {
        if (!has_fields(file)) continue;
        if (!*rows) file->separator = separator_of(file);
        if (!split_line(file)) return false;
        const bool heading = heading_allowed && is_heading(file, column, count);
        heading_allowed = false;
        if (heading) continue;

        *value = tn_grow(*value, &capacity, (*rows + 1) * count, sizeof **value);
        for (size_t k = 0; k < count; k++)
            if (!read_field(file, column[k], &(*value)[*rows * count + k])) return false;
        ++*rows;
    }
    if (*rows) return true;
    *file->failure = (tn_text_failure){.text = "the file has no line of numbers"};
    return false;
}

bool tn_columns_read(const char *path, const uint32_t *column, size_t count, tn_arena *arena,
                     tn_columns *columns, tn_text_failure *failure)
{
    *columns = (tn_columns){0};
    size_t length = 0;
    char *text = tn_text_file_read(path, &length, failure);
    if (!text) return false;

    double *value = NULL;
    reader file = {.next = text, .failure = failure};
    const bool good = check_no_nul(&file, text, length) &&
                      read_rows(&file, text + length, column, count, &value, &columns->rows);
    if (good) {
        columns->value = tn_arena_new(arena, count * sizeof *columns->value);
        for (size_t k = 0; k < count; k++) {
            columns->value[k] = tn_arena_new(arena, columns->rows * sizeof **columns->value);
            for (size_t row = 0; row < columns->rows; row++)
                columns->value[k][row] = value[row * count + k];
        }
    }
    tn_free(file.field);
    tn_free(value);
    tn_free(text);
    return good;
}

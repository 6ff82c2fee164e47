/* csv_table.c - reads a table of results (see csv_table.h). */
#include "cli/csv_table.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A file while it is being read. */
typedef struct reader {
    const char *path;
    size_t line;
    FILE *errors;
} reader;

__attribute__((format(printf, 2, 3))) static bool report_malformed(const reader *file, const char *format,
                                                                   ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(file->errors, "%s:%zu: error: ", file->path, file->line);
    vfprintf(file->errors, format, arguments);
    fputc('\n', file->errors);
    va_end(arguments);
    return false;
}

/* Takes one name, in quotes or bare, out of the header and moves on to what follows; NULL when a quote is open. */
static char *take_name(tn_csv_table *table, char **rest)
{
    char *from = *rest;
    if (*from != '"') {
        const size_t length = strcspn(from, ",");
        *rest = from + length;
        return tn_arena_text(&table->arena, from, length);
    }
    /* a quote inside quotes is doubled */
    char *name = tn_arena_text(&table->arena, from + 1, strlen(from + 1)), *to = name;
    for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
        from += *from == '"';
        *to++ = *from;
    }
    *to = '\0';
    *rest = from + 1;
    return *from ? name : NULL;
}

static bool read_header(const reader *file, tn_csv_table *table, char *text)
{
    for (char *rest = text;; rest++) {
        char *name = take_name(table, &rest);
        if (!name || (*rest && *rest != ','))
            return report_malformed(file, "the quotes of a column name do not match");
        if (tn_csv_column(table, name) != SIZE_MAX)
            return report_malformed(file, "column \"%s\" appears twice", name);
        TN_APPEND(table->name, table->columns, name);
        if (!*rest) break;
    }
    if (strcmp(table->name[0], "time"))
        return report_malformed(file, "the first column is \"%s\", not \"time\"", table->name[0]);
    return true;
}

static bool read_row(const reader *file, tn_csv_table *table, const char *text)
{
    const size_t first = table->rows * table->columns;
    table->value =
        tn_grow(table->value, &table->value_capacity, first + table->columns, sizeof *table->value);
    for (size_t i = 0; i < table->columns; i++) {
        char *end = NULL;
        table->value[first + i] = strtod(text, &end);
        if (end == text || (*end && *end != ','))
            return report_malformed(file, "\"%.*s\" in column \"%s\" is not a number",
                                    (int)strcspn(text, ","), text, table->name[i]);
        const bool last = i + 1 == table->columns;
        if (!*end != last)
            return report_malformed(file, "%s than the %zu values of a row", *end ? "more" : "less",
                                    table->columns);
        text = end + 1;
    }
    const double time = table->value[first];
    if (!isfinite(time)) return report_malformed(file, "time %g is not finite", time);
    if (table->rows && time < tn_csv_value(table, table->rows - 1, 0))
        return report_malformed(file, "time goes back to %.17g", time);
    table->rows++;
    return true;
}

/* Its last number may be cut, and look like another one. */
static void warn_of_cut_row(const reader *file, const char *text)
{
    fprintf(file->errors, "%s:%zu: warning: \"%s\" has no end of line, as after a killed run: omitted\n",
            file->path, file->line, text);
}

static bool read_lines(reader *file, tn_csv_table *table, FILE *stream)
{
    char *text = NULL;
    size_t size = 0;
    bool good = true;
    for (ssize_t length; good && (length = getline(&text, &size, stream)) >= 0;) {
        file->line++;
        if (strlen(text) != (size_t)length) {
            good = report_malformed(file, "the line has a NUL byte: the file is not text");
            continue;
        }
        const bool ended = text[length - 1] == '\n';
        text[strcspn(text, "\r\n")] = '\0';
        if (file->line == 1)
            good = read_header(file, table, text);
        else if (!ended)
            warn_of_cut_row(file, text);
        else if (*text)
            good = read_row(file, table, text);
    }
    if (good && ferror(stream)) good = report_malformed(file, "cannot be read: %s", strerror(errno));
    if (good && !file->line) {
        file->line = 1;
        good = report_malformed(file, "the file is empty");
    }
    tn_free(text);
    return good;
}

bool tn_csv_read(const char *path, tn_csv_table *table, FILE *errors)
{
    reader file = {.path = path, .errors = errors};
    *table = (tn_csv_table){0};
    FILE *stream = fopen(path, "r");
    if (!stream) {
        fprintf(errors, "%s: error: %s\n", path, strerror(errno));
        return false;
    }
    const bool good = read_lines(&file, table, stream);
    fclose(stream);
    return good;
}

size_t tn_csv_column(const tn_csv_table *table, const char *name)
{
    for (size_t i = 0; i < table->columns; i++)
        if (!strcmp(table->name[i], name)) return i;
    return SIZE_MAX;
}

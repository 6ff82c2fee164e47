/* matrix_file.c - matrices of files (control.h): JSON, of which it reads objects, arrays of rows, and numbers, and lines of numbers */
#include "control.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

enum { MOST_BYTES = 64 << 20, MOST_DEPTH = 64 };

typedef struct text {
    const tn_host *host;
    const char *path, *begin, *at;
    bool failed;
} text;

/* With the line of the file where it stands. */
static TN_PRINTF(2, 3) bool refuse(text *t, const char *format, ...)
{
    char what[256];
    unsigned line = 1;
    va_list arguments;
    if (t->failed) return false;
    t->failed = true;
    va_start(arguments, format);
    (void)tn_print_cut_list(what, sizeof what, format, arguments);
    va_end(arguments);
    for (const char *c = t->begin; c < t->at; c++)
        line += *c == '\n';
    (void)tn_refuse(t->host, "file", "%s:%u: %s", t->path, line, what);
    return false;
}

/* The whole file with a zero behind it, to be freed; NULL after reporting. */
static char *read_all(const tn_host *host, const char *path)
{
    FILE *stream = fopen(path, "rb");
    char *content = stream ? malloc((size_t)MOST_BYTES + 1) : NULL;
    const size_t length = content ? fread(content, 1, MOST_BYTES, stream) : 0;
    const bool good = content && !ferror(stream) && feof(stream);
    if (stream) (void)fclose(stream);
    if (good) {
        content[length] = '\0';
        char *fits = realloc(content, length + 1);
        return fits ? fits : content;
    }
    free(content);
    (void)tn_refuse(host, "file", "`%s` cannot be read, or has more than %d MB", path, MOST_BYTES >> 20);
    return NULL;
}

static void skip_blanks(text *t)
{
    while (isspace((unsigned char)*t->at))
        t->at++;
}

static bool accept(text *t, char wanted)
{
    skip_blanks(t);
    if (*t->at != wanted) return false;
    t->at++;
    return true;
}

static bool expect(text *t, char wanted)
{
    return accept(t, wanted) || refuse(t, "`%c` is expected", wanted);
}

/* A number; null stands for what is none. */
static bool read_number(text *t, double *value)
{
    char *end = NULL;
    skip_blanks(t);
    *value = strtod(t->at, &end);
    if (end == t->at) return refuse(t, "a number is expected");
    if (!isfinite(*value)) return refuse(t, "this number is not finite");
    t->at = end;
    return true;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

/* A key, without what a backslash may mean: no name of ours has any. */
static bool read_key(text *t, char *key, size_t size)
{
    size_t length = 0;
    if (!expect(t, '"')) return false;
    for (; *t->at && *t->at != '"'; t->at++) {
        if (*t->at == '\\' && t->at[1]) t->at++;
        if (length + 1 < size) key[length++] = *t->at;
    }
    key[length] = '\0';
    return expect(t, '"');
}

static bool skip_value(text *t)
{
    char ends[MOST_DEPTH], unused[2];
    size_t depth = 0;
    do {
        skip_blanks(t);
        if (!*t->at) return refuse(t, "the file ends within a value");
        if (*t->at == '"') {
            if (!read_key(t, unused, sizeof unused)) return false;
        } else if (*t->at == '{' || *t->at == '[') {
            if (depth == MOST_DEPTH) return refuse(t, "values are nested too deep");
            ends[depth++] = *t->at++ == '{' ? '}' : ']';
            continue;
        } else if (depth && *t->at == ends[depth - 1]) {
            depth--;
            t->at++;
        } else if (depth && (*t->at == ',' || *t->at == ':')) {
            t->at++;
            continue;
        } else {
            const size_t length = strcspn(t->at, ",:]}[{\" \t\r\n");
            if (!length) return refuse(t, "a value is expected");
            t->at += length;
        }
    } while (depth);
    return true;
}

/* The numbers that stand between brackets, row by row, into `to` unless that is NULL; how many. */
static bool read_rows(text *t, control_matrix *m, double *to)
{
    size_t count = 0;
    m->rows = m->columns = 0;
    if (!expect(t, '[')) return false;
    while (!accept(t, ']')) {
        uint32_t columns = 0;
        if (m->rows && !expect(t, ',')) return false;
        if (!expect(t, '[')) return false;
        while (!accept(t, ']')) {
            double value = 0.0;
            if ((columns && !expect(t, ',')) || !read_number(t, &value)) return false;
            if (to) to[count] = value;
            count++;
            columns++;
        }
        if (m->rows && columns != m->columns)
            return refuse(t, "a row has %u numbers, the first one %u", columns, m->columns);
        m->columns = columns;
        m->rows++;
    }
    return true;
}

static bool read_matrix(text *t, control_matrix *m)
{
    const char *start = t->at;
    if (!read_rows(t, m, NULL)) return false;
    double *numbers = tn_control_numbers(t->host, (size_t)m->rows * m->columns);
    if (!numbers) return !(t->failed = true);
    t->at = start;
    m->value = m->rows && m->columns ? numbers : NULL;
    return read_rows(t, m, numbers);
}

static bool read_object(text *t, bool sampled, bool outermost, control_file *to);

/* The value of one key. Of linear.json the form between samples takes the place of A and B where it is wanted. */
static bool read_entry(text *t, const char *key, bool sampled, bool outermost, control_file *to)
{
    static const char names[] = "ABCDE";
    control_matrix *const matrix[] = {&to->A, &to->B, &to->C, &to->D, &to->E};
    const char *name = key[0] && !key[1] ? strchr(names, key[0]) : NULL;
    if (name && *name) return read_matrix(t, matrix[name - names]);
    if (strcmp(key, "step") == 0) return read_number(t, &to->step);
    if (outermost && strcmp(key, "minimal") == 0) return read_object(t, sampled, false, to);
    if (outermost && strcmp(key, "discrete") == 0 && sampled) return read_object(t, sampled, false, to);
    return skip_value(t);
}

static bool read_object(text *t, bool sampled, bool outermost, control_file *to)
{
    char key[64];
    bool first = true;
    if (!expect(t, '{')) return false;
    for (; !accept(t, '}'); first = false) {
        if (!first && !expect(t, ',')) return false;
        if (!read_key(t, key, sizeof key) || !expect(t, ':')) return false;
        skip_blanks(t);
        if (!read_entry(t, key, sampled, outermost, to)) return false;
    }
    return true;
}

static bool read_json(text *t, bool sampled, control_file *to)
{
    if (!read_object(t, sampled, true, to)) return false;
    skip_blanks(t);
    if (*t->at) return refuse(t, "more stands behind the object");
    if (!to->A.value && !to->B.value && !to->C.value && !to->D.value)
        return refuse(t, "it has no matrices: the keys are A, B, C, D, E");
    return true;
}

/* ---- lines of numbers ------------------------------------------------------------------------------------------ */

/* One line; numbers stand apart by commas, semicolons or blanks, and a # begins a comment. */
static bool read_line(text *t, double *to, uint32_t *columns)
{
    const char *end = t->at + strcspn(t->at, "\n");
    for (*columns = 0;; ++*columns) {
        while (t->at < end &&
               (isspace((unsigned char)*t->at) || (*columns && (*t->at == ',' || *t->at == ';'))))
            t->at++;
        if (t->at == end || *t->at == '#') break;
        double value = 0.0;
        if (!read_number(t, &value)) return false;
        if (to) to[*columns] = value;
    }
    t->at = *end ? end + 1 : end;
    return true;
}

static bool read_lines(text *t, control_matrix *m, double *to)
{
    m->rows = m->columns = 0;
    while (*t->at) {
        const char *line = t->at;
        uint32_t columns = 0;
        if (!read_line(t, to ? to + (size_t)m->rows * m->columns : NULL, &columns)) return false;
        if (!columns) continue;
        if (m->rows && columns != m->columns) {
            t->at = line;
            return refuse(t, "this line has %u numbers, the first one %u", columns, m->columns);
        }
        m->columns = columns;
        m->rows++;
    }
    return true;
}

static bool read_table(text *t, control_matrix *m)
{
    if (!read_lines(t, m, NULL)) return false;
    if (!m->rows) return refuse(t, "it has no numbers");
    double *numbers = tn_control_numbers(t->host, (size_t)m->rows * m->columns);
    if (!numbers) return false;
    t->at = t->begin;
    m->value = numbers;
    return read_lines(t, m, numbers);
}

/* ---- both ------------------------------------------------------------------------------------------------------ */

tn_status tn_control_read_file(const tn_host *host, const char *path, bool sampled, control_file *file)
{
    char *content = read_all(host, path);
    if (!content) return TN_INVALID;
    text t = {.host = host, .path = path, .begin = content, .at = content};
    skip_blanks(&t);
    const bool is_json = *t.at == '{';
    if (!is_json) t.at = content;
    const bool good = is_json ? read_json(&t, sampled, file) : read_table(&t, &file->D);
    free(content);
    return good ? TN_OK : TN_INVALID;
}

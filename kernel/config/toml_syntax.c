/* toml_syntax.c - puts the syntax errors of toml++ where the mistake stands.
 *
 * toml++ reports a duplicate key at its value, and a header that leads through something else than a table or a
 * number that is too large behind its end. */
#include "config/toml_internal.h"

#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_bare_key(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static size_t line_start(const char *text, size_t offset)
{
    while (offset > 0 && text[offset - 1] != '\n')
        offset--;
    return offset;
}

static size_t skip_blanks_back(const char *text, size_t start, size_t offset)
{
    while (offset > start && is_blank(text[offset - 1]))
        offset--;
    return offset;
}

static uint32_t column_at(const char *text, size_t offset)
{
    uint32_t column = 1;
    for (size_t i = line_start(text, offset); i < offset; i++)
        column += (text[i] & 0xC0) != 0x80;
    return column;
}

/* Back from the closing quote to the opening one: in "", backslashes may stand before others. */
static size_t opening_quote(const char *text, size_t start, size_t closing)
{
    size_t opening = closing;
    while (opening > start) {
        opening--;
        const bool escaped = text[closing] == '"' && opening > start && text[opening - 1] == '\\';
        if (text[opening] == text[closing] && !escaped) break;
    }
    return opening;
}

/* Where the key stands whose value begins at `value`: `value` itself if there is none.
 * `name` is the key without quotes. */
static size_t key_before(const char *text, size_t value, size_t *name, size_t *name_length)
{
    const size_t start = line_start(text, value);
    size_t key = skip_blanks_back(text, start, value);
    if (key == start || text[key - 1] != '=') return value;
    const size_t end = key = skip_blanks_back(text, start, key - 1);
    if (key == start) return value;

    const char quote = text[key - 1];
    const bool quoted = quote == '"' || quote == '\'';
    if (quoted) key = opening_quote(text, start, key - 1);
    while (!quoted && key > start && is_bare_key(text[key - 1]))
        key--;
    *name = key + quoted;
    *name_length = end - key - 2 * (size_t)quoted;
    return key;
}

static bool line_contains(const char *text, size_t start, size_t length, const char *words,
                          size_t words_length)
{
    const char *end = memchr(text + start, '\n', length - start);
    const size_t stop = end ? (size_t)(end - text) : length;
    for (size_t i = start; i + words_length <= stop; i++)
        if (memcmp(text + i, words, words_length) == 0) return true;
    return false;
}

/* The header that a failure means: the line of its place, or the line before where that one fits better. */
static size_t header_line(const char *text, size_t length, size_t offset, const tn_text_failure *failure)
{
    const size_t here = line_start(text, offset);
    if (here == 0 || failure->column != 1) return here;
    const size_t before = line_start(text, here - 1);
    if (offset == length || text[offset] != '[') return before;

    const char *name = strchr(failure->text, '\'');
    const char *end = name ? strchr(name + 1, '\'') : NULL;
    if (!end) return here;
    const size_t name_length = (size_t)(end - name) - 1;
    const bool fits_here = line_contains(text, here, length, name + 1, name_length);
    const bool fits_before = line_contains(text, before, length, name + 1, name_length);
    return fits_before && !fits_here ? before : here;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static void correct_duplicate_key(const char *text, size_t value, tn_text_failure *failure)
{
    size_t name, name_length;
    const size_t key = key_before(text, value, &name, &name_length);
    if (key == value) return;
    failure->column = column_at(text, key);
    (void)tn_print_cut(failure->text, sizeof failure->text, "duplicate key \"%.*s\"", (int)name_length,
                       text + name);
}

static void correct_header(const char *text, size_t length, size_t offset, tn_text_failure *failure)
{
    size_t start = header_line(text, length, offset, failure);
    if (start < line_start(text, offset)) failure->line--;
    while (is_blank(text[start]))
        start++;
    failure->column = column_at(text, start);
}

/* A number that is too large is reported behind its last digit. */
static void correct_number(tn_text_failure *failure)
{
    const char *open = strchr(failure->text, '\''), *close = strrchr(failure->text, '\'');
    const size_t digits = open < close ? (size_t)(close - open) - 1 : 0;
    if (digits < failure->column) failure->column -= (uint32_t)digits;
}

void tn_toml_correct_failure(const char *text, size_t length, tn_text_failure *failure)
{
    static const char parsing[] = "Error while parsing ";
    if (failure->line == 0 || !begins_with(failure->text, parsing)) return;
    memmove(failure->text, failure->text + strlen(parsing), sizeof failure->text - strlen(parsing));

    const size_t offset = tn_text_offset(text, length, failure->line, failure->column);
    if (begins_with(failure->text, "key-value pair: cannot redefine existing "))
        correct_duplicate_key(text, offset, failure);
    else if (begins_with(failure->text, "table header: cannot "))
        correct_header(text, length, offset, failure);
    else if (strstr(failure->text, "is not representable"))
        correct_number(failure);
}

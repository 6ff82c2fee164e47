/* toml_syntax.c - puts the syntax errors of toml++ where the mistake stands.
 *
 * toml++ reports a duplicate key at its value, and a header that leads through something else than a table or a
 * number that is too large behind its end. Of values that are none it tells what to write instead. */
#define _GNU_SOURCE
#include "config/toml_internal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

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
    const tn_text_position line = {1, 1, line_start(text, offset)};
    return tn_text_position_behind(text, line, offset).column;
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
    return memmem(text + start, end ? (size_t)(end - text) - start : length - start, words, words_length);
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

/* One table is written as a table, another one of its name as one of several. */
static void explain_header(tn_text_failure *failure)
{
    static const char table[] = "table header: cannot redefine existing table '",
                      array[] = "table header: cannot redefine existing array '";
    const bool first = begins_with(failure->text, table), later = begins_with(failure->text, array);
    const char *name = failure->text + sizeof table - 1, *end = strchr(name, '\'');
    if (!end || !(first ? strcmp(end, "' as array-of-tables") == 0 : later && strcmp(end, "' as table") == 0))
        return;
    char words[sizeof failure->text];
    (void)tn_print_cut(words, sizeof words,
                       first ? "`%.*s` is a table above: write [[%.*s]] in both places"
                             : "`%.*s` is an array of tables: write [[%.*s]]",
                       (int)(end - name), name, (int)(end - name), name);
    (void)tn_print_cut(failure->text, sizeof failure->text, "%s", words);
}

static void correct_header(const char *text, size_t length, size_t offset, tn_text_failure *failure)
{
    size_t start = header_line(text, length, offset, failure);
    if (start < line_start(text, offset)) failure->line--;
    while (is_blank(text[start]))
        start++;
    failure->column = column_at(text, start);
    explain_header(failure);
}

/* A number that is too large is reported behind its last digit. */
static void correct_number(tn_text_failure *failure)
{
    const char *open = strchr(failure->text, '\''), *close = strrchr(failure->text, '\'');
    const size_t digits = open < close ? (size_t)(close - open) - 1 : 0;
    if (digits < failure->column) failure->column -= (uint32_t)digits;
}

/* ---- values that are none -------------------------------------------------------------------------------- */

/* The end of a value that begins at `start`, without blanks behind it. */
static size_t value_end(const char *text, size_t length, size_t start)
{
    size_t end = start;
    while (end < length && !strchr(",]}#\n", text[end]))
        end++;
    return skip_blanks_back(text, start, end);
}

/* Where the word that `offset` lies in begins; `offset` itself where no value can begin there. */
static size_t value_start(const char *text, size_t offset)
{
    const size_t line = line_start(text, offset);
    size_t start = offset;
    while (start > line && !strchr("=,[{", text[start - 1]))
        start--;
    while (is_blank(text[start]))
        start++;
    return start > line && start <= offset ? start : offset;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Says what to write in place of a value that is no TOML; false where that is not known. */
static bool explain_value(const char *text, size_t length, size_t offset, tn_text_failure *failure)
{
    const size_t start = value_start(text, offset), end = value_end(text, length, start), size = end - start;
    const char *value = text + start;
    if (!size || size > 64 || strchr("\"'[{", *value)) return false;
    const int count = (int)size, sign = *value == '-' || *value == '+';
    int digits = 0, plain = 0; /* characters of a number in front; of any number, all over */
    while (digits < count && strchr("0123456789+-.eE_", value[digits]))
        digits++;
    for (int k = 0; k < count; k++)
        plain += strchr("0123456789+-.eE_xob", value[k]) != NULL;
    char *said = failure->text;
    const size_t room = sizeof failure->text;
    if (value[sign] == '.' && is_digit(value[sign + 1]))
        snprintf(said, room, "a number begins with a digit: %.*s0%.*s", sign, value, count - sign,
                 value + sign);
    else if (digits == count && value[count - 1] == '.')
        snprintf(said, room, "a number ends with a digit: %.*s0", count, value);
    else if (digits == count && text[end] == ',' && is_digit(text[end + 1]))
        snprintf(said, room, "a number has a decimal point: %.*s.%c", count, value, text[end + 1]);
    else if (strncasecmp(value, "true", 4) == 0 || strncasecmp(value, "false", 5) == 0)
        snprintf(said, room, "true and false are written in lower case");
    else if (digits && digits < count && value[digits] == ' ' && value[digits + 1] == '[')
        snprintf(said, room, "a number with a unit needs quotes: \"%.*s]\"", count, value);
    else if (digits && digits < count && value[digits] == ' ')
        snprintf(said, room, "a number with a unit needs quotes, the unit in brackets: \"%.*s [%.*s]\"",
                 digits, value, count - digits - 1, value + digits + 1);
    else if (plain < count)
        snprintf(said, room, "`%.*s` is not a value: names and expressions need quotes, \"%.*s\"", count,
                 value, count, value);
    else
        return false;
    failure->column = column_at(text, start);
    return true;
}

static bool is_about_value(const char *words)
{
    static const char *const beginnings[] = {"floating-point: ",
                                             "integer: ",
                                             "boolean: ",
                                             "value: could not",
                                             "decimal integer: expected",
                                             "key-value pair: expected a comment"};
    bool found = false;
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
        found = found || begins_with(words, beginnings[k]);
    return found;
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
    else if (is_about_value(failure->text))
        explain_value(text, length, offset, failure);
}

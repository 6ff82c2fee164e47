/* extent.c - how far that goes which a place points at (see extent.h)
 *
 * Places are told apart by the text in front of them, which is read token by token: what lies within a string is an expression,
 * all else is TOML. Up to a place that text is right, even where the rest of it is not. */
#include "config/extent.h"

#include "config/toml_internal.h"

#include <ctype.h>
#include <string.h>

static bool is_quote(char c) { return c == '"' || c == '\''; }

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* ---- TOML ------------------------------------------------------------------------------------------------ */

/* The beginning of the token that a byte lies in. Places come in order, mostly: the search goes on from the last one. */
static size_t token_at(tn_source_text *source, size_t offset)
{
    if (source->token > offset) source->token = 0;
    for (size_t end; source->token < offset; source->token = end) {
        end = tn_text_token_end(source->letters, source->length, source->token);
        if (end > offset) break;
    }
    return source->token;
}

/* The bracket that closes the one at `offset`, and the end behind it; `offset` where there is none. */
static size_t bracket_end(const tn_source_text *source, size_t offset)
{
    const char *text = source->letters;
    size_t depth = 0;
    for (size_t at = offset; at < source->length; at = tn_text_token_end(text, source->length, at)) {
        depth += text[at] == '[' || text[at] == '{';
        if (text[at] != ']' && text[at] != '}') continue;
        if (--depth == 0) return at + 1;
    }
    return offset;
}

/* A bare key, or a number, date, true or false. Keys end at a dot, which values may have. */
static size_t bare_end(const tn_source_text *source, size_t offset)
{
    const char *text = source->letters;
    size_t key = offset, value = offset;
    while (is_word(text[key]) || text[key] == '-')
        key++;
    while (is_word(text[value]) || (text[value] && strchr("+-.:", text[value])))
        value++;
    const size_t behind = value + strspn(text + value, " \t");
    const bool number = isdigit((unsigned char)text[offset]) || text[offset] == '+' || text[offset] == '-';
    return number && text[behind] != '=' ? value : key;
}

static size_t toml_end(const tn_source_text *source, size_t offset)
{
    const char c = source->letters[offset];
    if (is_quote(c)) return tn_text_string_end(source->letters, source->length, offset);
    return c == '[' || c == '{' ? bracket_end(source, offset) : bare_end(source, offset);
}

/* ---- expressions ----------------------------------------------------------------------------------------- */

/* Names of items may have dots; a name in front of a parenthesis is one with its call. */
static size_t name_end(const char *text, size_t offset, size_t limit, bool name_only)
{
    size_t end = offset;
    while (end < limit &&
           (is_word(text[end]) || (text[end] == '.' && end + 1 < limit && is_word(text[end + 1]))))
        end++;
    if (name_only || end == limit || text[end] != '(') return end;
    size_t depth = 0;
    for (size_t at = end; at < limit; at++) {
        depth += text[at] == '(';
        if (text[at] == ')' && --depth == 0) return at + 1;
    }
    return end;
}

/* Digits, a fraction, an exponent, and the letter behind a number of degrees. */
static size_t number_end(const char *text, size_t offset, size_t limit)
{
    size_t end = offset;
    while (end < limit &&
           (is_word(text[end]) || text[end] == '.' ||
            ((text[end] == '+' || text[end] == '-') && tolower((unsigned char)text[end - 1]) == 'e')))
        end++;
    return end;
}

/* The place of a {..}, or a sign, which may have two letters. */
static size_t sign_end(const char *text, size_t offset, size_t limit)
{
    static const char *const pairs[] = {"<=", ">=", "==", "!=", "<>", "&&", "||", "**"};
    const char *closing = text[offset] == '{' ? memchr(text + offset, '}', limit - offset) : NULL;
    if (closing) return (size_t)(closing - text) + 1;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (limit - offset >= 2 && strncmp(text + offset, pairs[k], 2) == 0) return offset + 2;
    return offset;
}

static size_t expression_end(const char *text, size_t offset, size_t limit, bool name_only)
{
    if (offset >= limit) return offset;
    const bool digit = isdigit((unsigned char)text[offset]) || (text[offset] == '.' && offset + 1 < limit &&
                                                                isdigit((unsigned char)text[offset + 1]));
    return digit                   ? number_end(text, offset, limit)
           : is_word(text[offset]) ? name_end(text, offset, limit, name_only)
                                   : sign_end(text, offset, limit);
}

/* ---- either ---------------------------------------------------------------------------------------------- */

/* The end of what a string holds, without its closing quotes. */
static size_t content_end(const tn_source_text *source, size_t string)
{
    const char *text = source->letters;
    size_t end = tn_text_string_end(text, source->length, string);
    const bool several_lines =
        end - string >= 6 && text[string + 1] == text[string] && text[string + 2] == text[string];
    for (int quotes = several_lines ? 3 : 1; quotes > 0 && end > string + 1 && text[end - 1] == text[string];
         quotes--)
        end--;
    return end;
}

size_t tn_extent_end(tn_source_text *source, size_t offset, tn_extent_wish wish)
{
    const char *text = source->letters;
    if (offset >= source->length) return offset;
    if (source->plain)
        return wish.inside || offset ? expression_end(text, offset, source->length, wish.name_only)
                                     : source->length;
    const size_t token = token_at(source, offset);
    if (token == offset) return toml_end(source, offset);
    return is_quote(text[token]) ? expression_end(text, offset, content_end(source, token), wish.name_only)
                                 : offset;
}

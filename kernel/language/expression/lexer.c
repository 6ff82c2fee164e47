/* lexer.c - cuts the text of an expression into tokens (see lexer.h), and a unit off its end. */
#include "expression/lexer.h"

#include "expression/decimal.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Symbols; one that starts with another stands before it. */
static const struct {
    const char *spelling;
    tn_token_kind kind;
} symbols[] = {
    {"**", TN_TOKEN_POWER},  {"<=", TN_TOKEN_LESS_EQUAL}, {">=", TN_TOKEN_GREATER_EQUAL},
    {"==", TN_TOKEN_EQUAL},  {"!=", TN_TOKEN_NOT_EQUAL},  {"<", TN_TOKEN_LESS},
    {">", TN_TOKEN_GREATER}, {"(", TN_TOKEN_OPEN},        {")", TN_TOKEN_CLOSE},
    {",", TN_TOKEN_COMMA},   {"+", TN_TOKEN_PLUS},        {"-", TN_TOKEN_MINUS},
    {"*", TN_TOKEN_TIMES},   {"/", TN_TOKEN_DIVIDE},      {":", TN_TOKEN_COLON},
};

static const struct {
    const char *spelling;
    tn_token_kind kind;
} keywords[] = {{"and", TN_TOKEN_AND}, {"or", TN_TOKEN_OR}, {"not", TN_TOKEN_NOT}};

/* Own classification: <ctype.h> depends on the locale. */
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* The character at `position`, a blank beyond the end. */
static char peek_letter(const tn_lexer *lexer, size_t position)
{
    return position < lexer->length ? lexer->text[position] : ' ';
}

static size_t skip_digits(const tn_lexer *lexer, size_t position)
{
    while (is_digit(peek_letter(lexer, position)))
        position++;
    return position;
}

bool tn_lexer_fail(tn_expression_error *error, size_t offset, const char *format, ...)
{
    error->offset = offset;
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

/* The end of an exponent that starts with the letter at `position`, or `position` when there is none. */
static size_t skip_exponent(const tn_lexer *lexer, size_t position)
{
    const char letter = peek_letter(lexer, position), sign = peek_letter(lexer, position + 1);
    if (letter != 'e' && letter != 'E' && letter != 'd' && letter != 'D') return position;
    const size_t digits = position + (sign == '+' || sign == '-' ? 2 : 1);
    return is_digit(peek_letter(lexer, digits)) ? skip_digits(lexer, digits) : position;
}

static bool read_number_token(tn_lexer *lexer, tn_token *token, tn_expression_error *error)
{
    const size_t start = lexer->position;
    size_t end = skip_digits(lexer, start);
    if (peek_letter(lexer, end) == '.') end = skip_digits(lexer, end + 1);
    const size_t mantissa_end = end;
    end = skip_exponent(lexer, end);
    if (end - start > TN_LONGEST_DECIMAL)
        return tn_lexer_fail(error, start, "number with more than 255 characters");
    if (!tn_decimal_read(lexer->text + start, end - start, &token->number))
        return tn_lexer_fail(error, start, "out of memory");
    if (!isfinite(token->number)) return tn_lexer_fail(error, start, "number is too large");

    /* A D that starts no exponent makes degrees; dividing first keeps 90D, 180D and 360D exact. */
    const char suffix = peek_letter(lexer, end);
    if (end == mantissa_end && (suffix == 'd' || suffix == 'D') &&
        !is_name_part(peek_letter(lexer, end + 1))) {
        token->number = token->number / 180.0 * M_PI;
        end++;
    }
    if (is_name_part(peek_letter(lexer, end)))
        return tn_lexer_fail(
            error, end, "a letter directly after a number: an operator or the exponent's digits are missing");
    if (peek_letter(lexer, end) == '.') return tn_lexer_fail(error, end, "second decimal point in a number");

    token->kind = TN_TOKEN_NUMBER;
    token->length = end - start;
    lexer->position = end;
    return true;
}

/* The dot in front.left: names of things in a part. */
static bool is_inner_dot(const tn_lexer *lexer, size_t position)
{
    return peek_letter(lexer, position) == '.' && is_name_start(peek_letter(lexer, position + 1));
}

static bool read_name_token(tn_lexer *lexer, tn_token *token)
{
    const char *const start = lexer->text + lexer->position;
    while (is_name_part(peek_letter(lexer, lexer->position)) || is_inner_dot(lexer, lexer->position))
        lexer->position++;
    token->kind = TN_TOKEN_NAME;
    token->length = lexer->position - token->offset;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i].spelling) == token->length &&
            strncasecmp(keywords[i].spelling, start, token->length) == 0)
            token->kind = keywords[i].kind;
    return true;
}

/* What is wrong with a character that starts no token. */
static bool refuse_character(tn_expression_error *error, size_t offset, char character)
{
    if (character == '^') return tn_lexer_fail(error, offset, "`^` is not an operator: write `**`");
    if (character == '=')
        return tn_lexer_fail(error, offset, "`=` is not an operator: comparisons are written `==`");
    if (character == '[' || character == ']')
        return tn_lexer_fail(error, offset, "unexpected `%c`: a unit must be in brackets at the very end",
                             character);
    if (character > ' ' && character <= '~')
        return tn_lexer_fail(error, offset, "unexpected character `%c`", character);
    return tn_lexer_fail(error, offset, "unexpected byte 0x%02X: expressions are plain ASCII",
                         (unsigned char)character);
}

static bool read_symbol(tn_lexer *lexer, tn_token *token, tn_expression_error *error)
{
    const char *const start = lexer->text + lexer->position;
    const size_t left = lexer->length - lexer->position;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        const size_t length = strlen(symbols[i].spelling);
        if (length > left || memcmp(symbols[i].spelling, start, length) != 0) continue;
        token->kind = symbols[i].kind;
        token->length = length;
        lexer->position += length;
        return true;
    }
    return refuse_character(error, lexer->position, *start);
}

bool tn_lexer_next(tn_lexer *lexer, tn_token *token, tn_expression_error *error)
{
    while (lexer->position < lexer->length && is_blank(lexer->text[lexer->position]))
        lexer->position++;
    *token = (tn_token){.kind = TN_TOKEN_END, .offset = lexer->position};
    if (lexer->position >= lexer->length) return true;

    const char first = lexer->text[lexer->position];
    if (is_digit(first) || (first == '.' && is_digit(peek_letter(lexer, lexer->position + 1))))
        return read_number_token(lexer, token, error);
    if (is_name_start(first)) return read_name_token(lexer, token);
    return read_symbol(lexer, token, error);
}

bool tn_lexer_is_keyword(const char *name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcasecmp(keywords[i].spelling, name) == 0) return true;
    return false;
}

/* The length of text[0..length) without the blanks at its end. */
static size_t trimmed_length(const char *text, size_t length)
{
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    return length;
}

size_t tn_expression_split_unit(const char *text, size_t length, size_t *unit_offset, size_t *unit_length)
{
    *unit_offset = *unit_length = 0;
    const size_t whole = trimmed_length(text, length);
    if (whole == 0 || text[whole - 1] != ']') return whole;

    size_t open = whole - 1;
    while (open > 0 && text[open] != '[')
        open--;
    if (text[open] != '[') return whole;

    /* Empty brackets are no unit: they stay in the expression, where they are an error. */
    size_t start = open + 1;
    const size_t end = start + trimmed_length(text + start, whole - 1 - start);
    while (start < end && is_blank(text[start]))
        start++;
    if (start == end) return whole;
    *unit_offset = start;
    *unit_length = end - start;
    return trimmed_length(text, open);
}

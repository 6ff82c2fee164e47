/* tenon/kit/user_parameters.h - the numbers of a text such as "USER(1011, 4, 6E-3, 30D)", for user_routine.h
 *
 * The word and its parentheses may be left out; blanks and ends of lines are free between numbers. D is an exponent where digits
 * follow, otherwise it turns degrees into radians.
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_USER_PARAMETERS_H
#define TENON_KIT_USER_PARAMETERS_H

#include "tenon/host.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

/* Numbers behind the last one, which are nan: a function that reads too far has no value. */
enum { TN_USER_PADDING = 16 };

static inline const char *tn_user_skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* Whether an exponent follows behind the letter E or D. */
static inline bool tn_user_exponent_follows(const char *text)
{
    if (*text == '+' || *text == '-') text++;
    return isdigit((unsigned char)*text) != 0;
}

/* Copies a number as C writes it; returns the length of it in the text, 0: there is none. `degrees`: a D ends it. */
static inline size_t tn_user_copy_number(const char *text, char *copy, size_t size, bool *degrees)
{
    size_t k = 0, digits = 0;
    *degrees = false;
    for (; k + 1 < size; k++) {
        const char c = text[k];
        const bool exponent = digits > 0 && strchr("eEdD", c) && c && tn_user_exponent_follows(text + k + 1);
        if (!exponent && !isdigit((unsigned char)c) && c != '.' &&
            !((c == '+' || c == '-') && (k == 0 || copy[k - 1] == 'e')))
            break;
        copy[k] = exponent ? 'e' : c;
        digits += isdigit((unsigned char)c) != 0;
    }
    copy[k] = '\0';
    *degrees = digits > 0 && (text[k] == 'd' || text[k] == 'D');
    return digits ? k + *degrees : 0;
}

/* In the notation of C, whatever the language of the program is. */
static inline bool tn_user_to_number(const char *copy, double *number)
{
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) return false;
    const locale_t before = uselocale(plain);
    char *end;
    *number = strtod(copy, &end);
    (void)uselocale(before);
    freelocale(plain);
    return *end == '\0' && isfinite(*number);
}

/* One number of the list; the place behind it, or NULL. */
static inline const char *tn_user_read_number(const char *text, double *number)
{
    char copy[64];
    bool degrees;
    const size_t length = tn_user_copy_number(text, copy, sizeof copy, &degrees);
    if (length == 0 || !tn_user_to_number(copy, number)) return NULL;
    if (degrees) *number *= 3.14159265358979323846 / 180.0;
    return text + length;
}

/* Behind "USER (", where it is there; `closed`: a parenthesis has to end the list. */
static inline const char *tn_user_open_list(const char *text, bool *closed)
{
    text = tn_user_skip_blanks(text);
    const bool word = strncasecmp(text, "user", 4) == 0;
    const char *list = word ? tn_user_skip_blanks(text + 4) : text;
    *closed = *list == '(';
    return *closed ? tn_user_skip_blanks(list + 1) : text;
}

/* The end of the list, and nothing behind it. */
static inline bool tn_user_list_ends(const char *text, bool closed)
{
    text = tn_user_skip_blanks(text);
    if (closed && *text++ != ')') return false;
    return *tn_user_skip_blanks(text) == '\0';
}

/* The numbers of a text, with nan behind them; *number lives as long as the model. Refuses wrong ones at `parameter`. */
static inline tn_status tn_user_parameters(const tn_host *host, const char *parameter, const char *text,
                                           const double **number, uint32_t *count)
{
    bool closed;
    size_t most = 1;
    for (const char *c = text; c && *c; c++)
        most += *c == ',';
    most += TN_USER_PADDING;
    double *list = host->allocate(host, most * sizeof *list);
    if (!list) return TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < most; k++)
        list[k] = (double)NAN;
    *count = 0;
    *number = list;
    if (!text) return TN_OK;
    const char *at = tn_user_open_list(text, &closed);
    if (tn_user_list_ends(at, closed)) return TN_OK;
    for (;;) {
        const char *behind = tn_user_read_number(at, &list[*count]);
        if (!behind)
            return tn_refuse(host, parameter,
                             "number %u of the list is missing or wrong, before `%s`: write "
                             "\"USER(1011, 4, 0.006)\"",
                             *count + 1, at);
        ++*count;
        if (tn_user_list_ends(behind, closed)) return TN_OK;
        behind = tn_user_skip_blanks(behind);
        if (*behind != ',')
            return tn_refuse(host, parameter, "`,` or the end of the list is missing before `%s`", behind);
        at = tn_user_skip_blanks(behind + 1);
    }
}

#endif

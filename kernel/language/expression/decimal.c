/* decimal.c - decimal numbers in texts (see decimal.h) */
#define _GNU_SOURCE /* strtod_l */
#include "expression/decimal.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

size_t tn_decimal_read(const char *text, size_t length, double *number)
{
    /* no further than its characters go: strtod also knows words and hexadecimal digits */
    char buffer[TN_LONGEST_DECIMAL + 1], *end = buffer;
    for (; length > 0 && end < buffer + TN_LONGEST_DECIMAL; text++, length--) {
        if (!*text || !strchr("+-.0123456789eEdD", *text)) break;
        *end++ = *text == 'd' || *text == 'D' ? 'e' : *text;
    }
    *end = '\0';

    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return 0;
    *number = strtod_l(buffer, &end, plain);
    freelocale(plain);
    return (size_t)(end - buffer);
}

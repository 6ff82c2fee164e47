/* tenon/text.h - texts in memory of fixed size. */
#ifndef TENON_TEXT_H
#define TENON_TEXT_H

#include "tenon/status.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* As vsnprintf into text[size]; but a text that does not fit is cut at a whole character and ends with "..." (in less than 4
 * bytes there is no room for that). Returns the length of what stands there. For messages: what is to be used again needs
 * memory for all of it. */
static inline size_t tn_print_cut_list(char *text, size_t size, const char *format, va_list arguments)
{
    const int length = vsnprintf(text, size, format, arguments);
    if (length >= 0 && (size_t)length < size) return (size_t)length;
    if (length < 0 || size < sizeof "...") {
        if (size) text[0] = '\0';
        return 0;
    }
    size_t end = size - sizeof "...";
    while (end > 0 && ((unsigned char)text[end] & 0xC0u) == 0x80u)
        end--;
    memcpy(text + end, "...", sizeof "...");
    return end + 3;
}

static inline TN_PRINTF(3, 4) size_t tn_print_cut(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t length = tn_print_cut_list(text, size, format, arguments);
    va_end(arguments);
    return length;
}

#endif

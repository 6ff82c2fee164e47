/* utf8.c - code points in a text (see utf8.h) */
#include "base/utf8.h"

size_t tn_utf8_length(const char *text, size_t length)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (!length) return 0;
    const unsigned char first = byte[0];
    if (first < 0x80) return 1;
    const size_t count = first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : 4;
    if (first < 0xC2 || first > 0xF4 || count > length) return 0;
    for (size_t i = 1; i < count; i++)
        if ((byte[i] & 0xC0) != 0x80) return 0;

    /* Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte. */
    if (first == 0xE0 && byte[1] < 0xA0) return 0;
    if (first == 0xED && byte[1] > 0x9F) return 0;
    if (first == 0xF0 && byte[1] < 0x90) return 0;
    if (first == 0xF4 && byte[1] > 0x8F) return 0;
    return count;
}

/* utf8.c - code points in a text (see utf8.h) */
#include "config/utf8.h"

#include <stdbool.h>

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

uint32_t tn_utf8_code(const char *text, size_t count)
{
    static const unsigned char first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = (unsigned char)text[0] & first_bits[count];
    for (size_t i = 1; i < count; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3F);
    return code;
}

typedef struct range {
    uint32_t first, last;
} range;

static bool is_in(uint32_t code, const range *ranges, size_t count)
{
    bool found = false;
    for (size_t k = 0; k < count; k++)
        found = found || (code >= ranges[k].first && code <= ranges[k].last);
    return found;
}

uint32_t tn_utf8_width(uint32_t code)
{
    /* marks that stand on the letter before, and what joins or parts letters */
    static const range none[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},
                                 {0x064B, 0x065F}, {0x093C, 0x093C}, {0x094D, 0x094D}, {0x0E31, 0x0E31},
                                 {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1160, 0x11FF}, {0x1AB0, 0x1AFF},
                                 {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x2060, 0x2064}, {0x20D0, 0x20FF},
                                 {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}};
    /* East Asian letters, and pictures */
    static const range two[] = {{0x1100, 0x115F},   {0x2329, 0x232A},  {0x2E80, 0x303E},   {0x3041, 0xA4CF},
                                {0xA960, 0xA97F},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
                                {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
                                {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
    if (code < none[0].first) return 1;
    if (is_in(code, none, sizeof none / sizeof *none)) return 0;
    return is_in(code, two, sizeof two / sizeof *two) ? 2 : 1;
}

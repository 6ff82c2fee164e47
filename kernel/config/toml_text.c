/* toml_text.c - the text of a file as UTF-8, and lines and columns in it. */
#include "config/toml_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of the code point at the beginning of `text`; 0 where it is not UTF-8. */
static size_t code_point_length(const unsigned char *text, size_t length)
{
    const unsigned char first = text[0];
    if (first < 0x80) return 1;
    const size_t count = first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : 4;
    if (first < 0xC2 || first > 0xF4 || count > length) return 0;
    for (size_t i = 1; i < count; i++)
        if ((text[i] & 0xC0) != 0x80) return 0;

    /* Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte. */
    const unsigned char second = text[1];
    if (first == 0xE0 && second < 0xA0) return 0;
    if (first == 0xED && second > 0x9F) return 0;
    if (first == 0xF0 && second < 0x90) return 0;
    if (first == 0xF4 && second > 0x8F) return 0;
    return count;
}

size_t tn_text_valid_utf8(const char *text, size_t length)
{
    size_t offset = 0;
    while (offset < length) {
        const size_t count = code_point_length((const unsigned char *)text + offset, length - offset);
        if (!count) break;
        offset += count;
    }
    return offset;
}

size_t tn_text_offset(const char *text, size_t length, uint32_t line, uint32_t column)
{
    size_t offset = 0;
    for (; line > 1; line--) {
        const char *end = memchr(text + offset, '\n', length - offset);
        if (!end) return length;
        offset = (size_t)(end - text) + 1;
    }
    for (; column > 1 && offset < length && text[offset] != '\n'; column--) {
        const size_t count = code_point_length((const unsigned char *)text + offset, length - offset);
        offset += count ? count : 1;
    }
    return offset;
}

/* The end of the string that begins at `offset`: behind its closing quotes, or where its line ends without them. */
static size_t string_end(const char *text, size_t length, size_t offset)
{
    const char quote = text[offset];
    const bool several_lines = length - offset >= 3 && text[offset + 1] == quote && text[offset + 2] == quote;
    const size_t quotes = several_lines ? 3 : 1;
    size_t found = 0;
    for (offset += quotes; offset < length && found < quotes; offset++) {
        if (text[offset] == '\n' && !several_lines) break;
        found = text[offset] == quote ? found + 1 : 0;
        if (text[offset] == '\\' && quote == '"') offset++;
    }
    return offset < length ? offset : length;
}

size_t tn_text_deep_key(const char *text, size_t length, size_t deepest)
{
    size_t dots = 0;
    for (size_t offset = 0; offset < length; offset++) {
        const char c = text[offset];
        if (c == '"' || c == '\'') {
            offset = string_end(text, length, offset) - 1;
        } else if (c == '#') {
            const char *end = memchr(text + offset, '\n', length - offset);
            offset = end ? (size_t)(end - text) - 1 : length;
        } else if (c == '.') {
            if (++dots > deepest) return offset;
        } else if (strchr("=,[]{}\n", c)) {
            dots = 0;
        }
    }
    return length;
}

char *tn_text_read(const char *path, size_t *length, tn_text_failure *failure)
{
    char *text = tn_text_file_read(path, length, failure);
    if (!text) return NULL;
    const size_t valid = tn_text_valid_utf8(text, *length);
    if (valid == *length) return text;
    failure->line = failure->column = 1;
    for (size_t i = 0; i < valid; i++) {
        failure->column = text[i] == '\n' ? 1 : failure->column + ((text[i] & 0xC0) != 0x80);
        failure->line += text[i] == '\n';
    }
    (void)snprintf(failure->text, sizeof failure->text, "the byte 0x%02X is not UTF-8 text",
                   (unsigned char)text[valid]);
    free(text);
    return NULL;
}

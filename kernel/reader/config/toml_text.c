/* toml_text.c - the text of a file as UTF-8, and lines and columns in it. */
#include "config/toml_internal.h"

#include "config/utf8.h"

#include <stdio.h>
#include <string.h>

size_t tn_text_valid_utf8(const char *text, size_t length)
{
    size_t offset = 0;
    while (offset < length) {
        const size_t count = tn_utf8_length(text + offset, length - offset);
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
        const size_t count = tn_utf8_length(text + offset, length - offset);
        offset += count ? count : 1;
    }
    return offset;
}

size_t tn_text_string_end(const char *text, size_t length, size_t offset)
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
    /* three quotes that close may follow one or two that belong to the string */
    for (int more = 0; found == 3 && more < 2 && offset < length && text[offset] == quote; more++)
        offset++;
    return offset < length ? offset : length;
}

size_t tn_text_token_end(const char *text, size_t length, size_t offset)
{
    if (text[offset] == '"' || text[offset] == '\'') return tn_text_string_end(text, length, offset);
    if (text[offset] != '#') return offset + 1;
    const char *end = memchr(text + offset, '\n', length - offset);
    return end ? (size_t)(end - text) : length;
}

size_t tn_text_deep_key(const char *text, size_t length, size_t deepest)
{
    size_t dots = 0;
    for (size_t offset = 0; offset < length; offset = tn_text_token_end(text, length, offset)) {
        if (text[offset] == '.' && ++dots > deepest) return offset;
        if (strchr("=,[]{}\n", text[offset])) dots = 0;
    }
    return length;
}

bool tn_text_is_utf8(const char *text, size_t length, tn_text_failure *failure)
{
    const size_t valid = tn_text_valid_utf8(text, length);
    if (valid == length) return true;
    const tn_text_position wrong = tn_text_position_behind(text, (tn_text_position){1, 1, 0}, valid);
    failure->line = wrong.line;
    failure->column = wrong.column;
    (void)snprintf(failure->text, sizeof failure->text, "the byte 0x%02X is not UTF-8 text",
                   (unsigned char)text[valid]);
    return false;
}

char *tn_text_read(const char *path, size_t *length, tn_text_failure *failure)
{
    char *text = tn_text_file_read(path, length, failure);
    if (!text || tn_text_is_utf8(text, *length, failure)) return text;
    tn_free(text);
    return NULL;
}

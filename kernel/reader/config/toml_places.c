/* toml_places.c - where a byte of a decoded string stands in the text it was written in. */
#include "config/toml_internal.h"

#include <string.h>

/* The raw text while it is read again, with the position of the next character. */
typedef struct reader {
    const char *text;
    size_t length;
    tn_text_position next;
} reader;

/* How a string is written: which quote, once or three times. Escapes belong to the double quotes. */
typedef struct spelling {
    bool escapes, several_lines;
} spelling;

static char letter_ahead(const reader *at, size_t ahead)
{
    return at->next.offset + ahead < at->length ? at->text[at->next.offset + ahead] : '\0';
}

static void skip_bytes(reader *at, size_t bytes)
{
    const size_t end = at->next.offset + bytes;
    at->next = tn_text_position_behind(at->text, at->next, end < at->length ? end : at->length);
}

/* A line break is one byte, or two with a carriage return; 0 where there is none. */
static size_t line_break_at(const reader *at, size_t ahead)
{
    if (letter_ahead(at, ahead) == '\n') return 1;
    return letter_ahead(at, ahead) == '\r' && letter_ahead(at, ahead + 1) == '\n' ? 2 : 0;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* A backslash at the end of a line swallows it and all blank space that follows; 0 where there is none. */
static size_t swallowed_at(const reader *at)
{
    size_t length = 1;
    while (is_blank(letter_ahead(at, length)))
        length++;
    if (!line_break_at(at, length)) return 0;
    for (size_t more = 1; more > 0; length += more)
        more = is_blank(letter_ahead(at, length)) ? 1 : line_break_at(at, length);
    return length;
}

/* How many bytes of UTF-8 the hexadecimal digits of \uXXXX or \UXXXXXXXX stand for. */
static size_t decoded_length(const char *digits, size_t count)
{
    static const char hexadecimal[] = "0123456789abcdefABCDEF";
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++) {
        const char *digit = strchr(hexadecimal, digits[i]);
        const uint32_t index = digit ? (uint32_t)(digit - hexadecimal) : 0;
        value = value * 16 + (index < 16 ? index : index - 6);
    }
    return value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
}

/* The piece of raw text at the reader: its length, and the number of decoded bytes that it stands for. */
static size_t piece_at(const reader *at, spelling how, size_t *decoded)
{
    *decoded = 1;
    const char first = letter_ahead(at, 0);
    if (first == '\\' && how.escapes) {
        const size_t swallowed = how.several_lines ? swallowed_at(at) : 0;
        if (swallowed) *decoded = 0;
        if (swallowed) return swallowed;
        const size_t digits = letter_ahead(at, 1) == 'u' ? 4 : letter_ahead(at, 1) == 'U' ? 8 : 0;
        if (digits && at->length - at->next.offset >= 2 + digits)
            *decoded = decoded_length(at->text + at->next.offset + 2, digits);
        return 2 + digits;
    }
    if (how.several_lines && line_break_at(at, 0)) return line_break_at(at, 0);
    size_t length = 1;
    while ((letter_ahead(at, length) & 0xC0) == 0x80)
        length++;
    *decoded = length;
    return length;
}

/* Steps over the opening quotes, and over the line break that follows three of them. */
static spelling open_string(reader *at)
{
    const char quote = letter_ahead(at, 0);
    spelling how = {.escapes = quote == '"'};
    if (quote != '"' && quote != '\'') return how;
    how.several_lines = letter_ahead(at, 1) == quote && letter_ahead(at, 2) == quote;
    skip_bytes(at, how.several_lines ? 3 : 1);
    if (how.several_lines) skip_bytes(at, line_break_at(at, 0));
    return how;
}

tn_place tn_toml_place_in_text(tn_document *document, const tn_toml *string, size_t offset)
{
    tn_source_text *source = tn_document_source(document, string->place.file);
    if (!source || string->kind != TN_TOML_STRING || string->reworded) return string->place;
    if (offset > string->length) offset = string->length;

    const tn_place place = string->place;
    const size_t start = tn_source_text_offset(source, place.line, place.column);
    reader at = {source->letters, source->length, {place.line, place.column, start}};
    const spelling how = source->plain ? (spelling){0} : open_string(&at);

    /* What is swallowed stands before the next byte, not for it: the loop goes past it even at the offset. */
    for (size_t done = 0, decoded; at.next.offset < at.length; done += decoded) {
        const size_t length = piece_at(&at, how, &decoded);
        if (done + decoded > offset) break;
        skip_bytes(&at, length);
    }
    return (tn_place){string->place.file, at.next.line, at.next.column};
}

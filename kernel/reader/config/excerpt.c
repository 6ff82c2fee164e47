/* excerpt.c - the line that a place is in (see excerpt.h) */
#include "config/excerpt.h"

#include "base/text.h"
#include "config/utf8.h"

#include <stdbool.h>
#include <string.h>

/* Columns of a terminal: of the widest line that is shown whole, or of what is shown of a wider one; of these in front of the
 * place; of a tab. */
enum { WIDEST = 100, IN_FRONT = 40, TAB = 4 };
enum { MOST_BYTES = 8 * WIDEST }; /* letters without a width are not to come in thousands */

static const char cut_mark[] = "...", unknown[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* A letter of a line. */
typedef struct letter {
    size_t bytes;
    uint32_t width;
    bool shown; /* as it is */
} letter;

/* Control characters, and those that turn the direction of the text around. */
static bool is_control(uint32_t code)
{
    return code < ' ' || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

static letter letter_at(const char *text, size_t length)
{
    const size_t bytes = tn_utf8_length(text, length);
    if (*text == '\t') return (letter){1, TAB, true};
    if (!bytes) return (letter){1, 1, false};
    const uint32_t code = tn_utf8_code(text, bytes);
    return is_control(code) ? (letter){bytes, 1, false} : (letter){bytes, tn_utf8_width(code), true};
}

/* Part of a text. */
typedef struct span {
    size_t start, end;
} span;

static span line_around(const tn_source_text *source, size_t offset)
{
    const char *text = source->letters;
    span line = {offset, offset};
    while (line.start > 0 && text[line.start - 1] != '\n')
        line.start--;
    const char *end = memchr(text + offset, '\n', source->length - offset);
    line.end = end ? (size_t)(end - text) : source->length;
    if (line.end > line.start && text[line.end - 1] == '\r') line.end--;
    return line;
}

/* Goes on from `offset` over letters that take no more than so many columns. */
static size_t step_forward(const char *text, size_t offset, size_t end, uint32_t width)
{
    const size_t last = end - offset > MOST_BYTES ? offset + MOST_BYTES : end;
    while (offset < last) {
        const letter next = letter_at(text + offset, end - offset);
        if (next.width > width) break;
        width -= next.width;
        offset += next.bytes;
    }
    return offset;
}

/* Likewise back. */
static size_t step_backward(const char *text, span line, size_t offset, uint32_t width)
{
    const size_t first = offset - line.start > MOST_BYTES ? offset - MOST_BYTES : line.start;
    while (offset > first) {
        size_t before = offset - 1;
        while (before > line.start && offset - before < 4 && (text[before] & 0xC0) == 0x80)
            before--;
        letter last = letter_at(text + before, line.end - before);
        if (before + last.bytes != offset) { /* no UTF-8 */
            before = offset - 1;
            last = (letter){1, 1, false};
        }
        if (last.width > width) break;
        width -= last.width;
        offset = before;
    }
    return offset;
}

static uint32_t columns_of(const char *text, span part)
{
    uint32_t width = 0;
    for (size_t at = part.start; at < part.end;) {
        const letter next = letter_at(text + at, part.end - at);
        width += next.width;
        at += next.bytes;
    }
    return width;
}

/* What is shown of a line: as much of it as fits, around the place. */
static span window_of(const char *text, span line, size_t offset)
{
    if (step_forward(text, line.start, line.end, WIDEST) == line.end) return line;
    span window = {.start = step_backward(text, line, offset, IN_FRONT)};
    window.end = step_forward(text, window.start, line.end, WIDEST);
    if (window.end == line.end)
        window.start = step_backward(text, line, window.start, WIDEST - columns_of(text, window));
    return window;
}

/* Adds letters as they may be shown; returns their number. */
static uint32_t add_letters(tn_text *to, const char *text, span part)
{
    uint32_t count = 0;
    for (size_t at = part.start; at < part.end; count++) {
        const letter next = letter_at(text + at, part.end - at);
        if (next.shown)
            tn_text_add_letters(to, text + at, next.bytes);
        else
            tn_text_add_letters(to, unknown, sizeof unknown - 1);
        at += next.bytes;
    }
    return count;
}

tn_excerpt tn_excerpt_of(const tn_source_text *source, size_t offset, size_t end)
{
    const char *text = source->letters;
    const span line = line_around(source, offset);
    if (offset > line.end) offset = line.end;
    const span window = window_of(text, line, offset);
    const bool front = window.start > line.start;
    if (end > window.end) end = window.end;
    if (end < offset) end = offset;

    tn_text shown = {0};
    tn_text_add(&shown, "%s", front ? cut_mark : "");
    const uint32_t before =
        (front ? (uint32_t)sizeof cut_mark - 1 : 0) + add_letters(&shown, text, (span){window.start, offset});
    const uint32_t meant = add_letters(&shown, text, (span){offset, end});
    (void)add_letters(&shown, text, (span){end, window.end});
    if (window.end < line.end) tn_text_add(&shown, "%s", cut_mark);
    return (tn_excerpt){shown.letters, before + 1, before + 1 + (meant ? meant : 1)};
}

/* ---- printing -------------------------------------------------------------------------------------------- */

static void print_letters(const char *text, FILE *stream)
{
    for (; *text; text++)
        if (*text == '\t')
            (void)fprintf(stream, "%*s", TAB, "");
        else
            (void)fputc(*text, stream);
}

/* Columns that letters `from` to `to`, counted from 1, take. */
static int width_between(const char *text, uint32_t from, uint32_t to)
{
    uint32_t number = 1, width = 0;
    for (size_t left = strlen(text); left > 0 && number < to; number++) {
        const letter next = letter_at(text, left);
        if (number >= from) width += next.width;
        text += next.bytes;
        left -= next.bytes;
    }
    return (int)width;
}

void tn_excerpt_print(const tn_excerpt *excerpt, uint32_t line, const char *before, const char *behind,
                      FILE *stream)
{
    const int number = fprintf(stream, " %4u", line);
    (void)fputs(*excerpt->line ? " | " : " |", stream);
    print_letters(excerpt->line, stream);
    (void)fprintf(stream, "\n%*s | %*s%s^", number, "", width_between(excerpt->line, 1, excerpt->column), "",
                  before);
    for (int k = width_between(excerpt->line, excerpt->column, excerpt->end_column); k > 1; k--)
        (void)fputc('~', stream);
    (void)fprintf(stream, "%s\n", behind);
}

/* source_text.c - a text that places refer to (see source_text.h) */
#include "config/source_text.h"

#include "base/memory.h"
#include "config/toml_internal.h"

#include <string.h>

tn_text_position tn_text_position_behind(const char *text, tn_text_position from, size_t offset)
{
    for (; from.offset < offset; from.offset++) {
        const char c = text[from.offset];
        from.column = c == '\n' ? 1 : from.column + ((c & 0xC0) != 0x80);
        from.line += c == '\n';
    }
    return from;
}

tn_source_text *tn_source_text_new(const char *file, char *letters, size_t length, bool plain)
{
    tn_source_text *source = tn_new(1, sizeof *source);
    *source = (tn_source_text){.file = file, .letters = letters, .length = length, .plain = plain};
    return source;
}

static void find_lines(tn_source_text *source)
{
    const char *end = source->letters + source->length, *line = source->letters;
    while (line) {
        TN_APPEND(source->line, source->line_count, (size_t)(line - source->letters));
        line = memchr(line, '\n', (size_t)(end - line));
        if (line) line++;
    }
}

/* Mistakes are mostly told in their order: the search goes on from the last one. */
size_t tn_source_text_offset(tn_source_text *source, uint32_t line, uint32_t column)
{
    if (!source->line) find_lines(source);
    if (line > source->line_count) return source->length;
    tn_text_position *last = &source->last;
    if (last->line != line || last->column > column)
        *last = (tn_text_position){line, 1, source->line[line - 1]};
    last->offset += tn_text_offset(source->letters + last->offset, source->length - last->offset, 1,
                                   column - last->column + 1);
    last->column = column;
    return last->offset;
}

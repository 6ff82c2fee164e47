/* text_table.c - a table of text with aligned columns (see text_table.h). */
#include "cli/text_table.h"

#include <stdarg.h>
#include <string.h>

void tn_text_table_add(tn_text_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = tn_arena_print_list(&table->arena, format, arguments);
    va_end(arguments);
    TN_APPEND(table->cell, table->count, text);
}

/* Letters, not bytes: the bytes that continue a UTF-8 letter take no place. */
static size_t letters_in(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

void tn_text_table_print(const tn_text_table *table, FILE *stream)
{
    size_t *width = tn_new(table->columns, sizeof *width);
    for (size_t i = 0; i < table->count; i++) {
        const size_t wide = letters_in(table->cell[i]);
        if (wide > width[i % table->columns]) width[i % table->columns] = wide;
    }
    for (size_t i = 0; i < table->count; i++) {
        const size_t column = i % table->columns;
        const bool last = column + 1 == table->columns;
        const size_t gap = last ? 0 : width[column] - letters_in(table->cell[i]) + 2;
        fprintf(stream, "%s%*s%s", table->cell[i], (int)gap, "", last ? "\n" : "");
    }
}

/* text_table.h - a table of text with aligned columns. */
#ifndef TN_TEXT_TABLE_H
#define TN_TEXT_TABLE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>

/* Start with {.columns = number of columns}, add cells row by row, the headings first. */
typedef struct tn_text_table {
    size_t columns;
    char **cell;
    size_t count;
    tn_arena arena;
} tn_text_table;

void tn_text_table_add(tn_text_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

void tn_text_table_print(const tn_text_table *table, FILE *stream);

#endif

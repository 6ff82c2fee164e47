/* csv_table.h - reads a table of results: a line of column names, the first being "time", then rows of numbers. */
#ifndef TN_CSV_TABLE_H
#define TN_CSV_TABLE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct tn_csv_table {
    char **name; /* [columns] */
    size_t columns, rows;
    double *value; /* [rows][columns]; time never goes back */
    size_t value_capacity;
    tn_arena arena;
} tn_csv_table;

/* Reads a file. False after an error, which was printed to `errors` as path:line: error: text; a last line without an end is left
 * out with a warning there. */
bool tn_csv_read(const char *path, tn_csv_table *table, FILE *errors);

/* Number of a column, or SIZE_MAX. */
size_t tn_csv_column(const tn_csv_table *table, const char *name);

static inline double tn_csv_value(const tn_csv_table *table, size_t row, size_t column)
{
    return table->value[row * table->columns + column];
}

#endif

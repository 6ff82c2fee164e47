/* columns.h - reads columns of numbers from a text file, such as a table of measurements or of results.
 *
 * Fields are separated by semicolons, tabs, commas or blanks: by the first of these that the first line of
 * numbers has. They may stand in quotes. Empty lines and lines that begin with `#` are skipped, and so is the
 * first other line when it is a heading, that is, when none of its wanted fields is a number. */
#ifndef TN_COLUMNS_H
#define TN_COLUMNS_H

#include "base/memory.h"
#include "config/text_file.h"

#include <stdbool.h>

typedef struct tn_columns {
    double **value; /* [count][rows], in the order asked for; all finite */
    size_t rows;    /* at least 1 */
} tn_columns;

/* Reads the columns with the numbers column[0..count), counted from 0, into memory of the arena. False after
 * filling `failure`, which has the line and column of what is wrong. */
bool tn_columns_read(const char *path, const uint32_t *column, size_t count, tn_arena *arena,
                     tn_columns *columns, tn_text_failure *failure);

#endif

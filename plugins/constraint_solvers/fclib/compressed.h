/* compressed.h - matrices of FCLib, in any of its three forms, by compressed columns */
#ifndef TENON_COMPRESSED_H
#define TENON_COMPRESSED_H

#include <fclib.h>
#include <stdbool.h>
#include <stdint.h>

/* Rows ascend; entries at one place are added up. */
typedef struct compressed {
    uint32_t rows, columns;
    uint32_t *start, *row;
    double *value;
} compressed;

typedef void (*entry_function)(void *data, uint32_t row, uint32_t column, double value);

/* False: an index is out of range, or beyond the arrays, or a number not finite. */
bool each_entry(const struct fclib_matrix *matrix, entry_function function, void *data);
/* False: no memory, or no matrix (`*sound`). */
bool compressed_take(const struct fclib_matrix *matrix, compressed *to, bool *sound);
void compressed_free(compressed *of);

#endif

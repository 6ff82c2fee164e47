/* sparse_row.h - rows of numbers of which few are not zero, and combinations of them. */
#ifndef TN_SPARSE_ROW_H
#define TN_SPARSE_ROW_H

#include <stddef.h>
#include <stdint.h>

typedef struct tn_sparse_row {
    uint32_t count;
    uint32_t *column; /* ascending */
    double *value;
} tn_sparse_row;

tn_sparse_row tn_sparse_copy(uint32_t count, const uint32_t *column, const double *value);
void tn_sparse_free(tn_sparse_row *row);

/* The first entry at or behind a column. */
uint32_t tn_sparse_place(const tn_sparse_row *row, uint32_t column);
/* Takes the entries of columns first ... end - 1 away. */
void tn_sparse_cut(tn_sparse_row *row, uint32_t first, uint32_t end);

/* Room for the sum of two rows. */
typedef struct tn_sparse_sum {
    uint32_t *column;
    double *value;
    size_t column_capacity, value_capacity;
} tn_sparse_sum;

/* row -= factor * other; entries up to `negligible` are left out. */
void tn_sparse_subtract(tn_sparse_row *row, double factor, const tn_sparse_row *other, double negligible,
                        tn_sparse_sum *sum);
void tn_sparse_sum_free(tn_sparse_sum *sum);

#endif

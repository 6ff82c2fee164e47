/* jordan.c - a solver of linear systems: the inverse of the full matrix, by the method of Gauss and Jordan */
#include <tenon/author.h>
#if TN_VALUES
#include <stdlib.h>

#define JORDAN(P) P(REAL, smallest_pivot, "", TN_ABOVE_LOW, 1e-14, 0.0, 1.0, "against the largest entry")
TN_PARAMETERS(jordan, JORDAN)

/* What create() makes: the inverse of the matrix, row by row. */
typedef struct inverse {
    const jordan *of;
    uint32_t size;
    double *rows, *result;
} inverse;

static void jordan_destroy(void *self)
{
    inverse *made = self;
    free(made->rows);
    free(made->result);
    free(made);
}

static tn_status jordan_create(TN_UNUSED const tn_host *host, const void *instance, const tn_matrix *matrix,
                               void **self)
{
    inverse *made = calloc(1, sizeof *made);
    if (!made) return TN_OUT_OF_MEMORY;
    made->of = instance;
    made->size = matrix->size;
    made->rows = calloc((size_t)matrix->size * 2 * matrix->size + 1, sizeof(double));
    made->result = calloc(matrix->size + 1, sizeof(double));
    if (!made->rows || !made->result) {
        jordan_destroy(made);
        return TN_OUT_OF_MEMORY;
    }
    *self = made;
    return TN_OK;
}

/* Row k of [A, 1], which becomes [1, A^-1]. */
static double *row(const inverse *made, uint32_t k) { return made->rows + (size_t)k * 2 * made->size; }

static double fill(inverse *made, const tn_matrix *matrix)
{
    double largest = 0.0;
    memset(made->rows, 0, sizeof(double) * made->size * 2 * made->size);
    for (uint32_t j = 0; j < made->size; j++) {
        row(made, j)[made->size + j] = 1.0;
        for (int32_t e = matrix->column_start[j]; e < matrix->column_start[j + 1]; e++) {
            row(made, (uint32_t)matrix->row[e])[j] = matrix->value[e];
            largest = fmax(largest, fabs(matrix->value[e]));
        }
    }
    return largest;
}

static void exchange(inverse *made, uint32_t one, uint32_t other)
{
    for (uint32_t j = 0; one != other && j < 2 * made->size; j++) {
        const double kept = row(made, one)[j];
        row(made, one)[j] = row(made, other)[j];
        row(made, other)[j] = kept;
    }
}

static tn_status jordan_factor(void *self, const tn_matrix *matrix)
{
    inverse *made = self;
    const uint32_t n = made->size;
    const double least = made->of->smallest_pivot * fill(made, matrix);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t pivot = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (fabs(row(made, i)[k]) > fabs(row(made, pivot)[k])) pivot = i;
        exchange(made, k, pivot);
        const double scale = row(made, k)[k];
        if (!(fabs(scale) > least)) return TN_RETRY;
        for (uint32_t j = k; j < 2 * n; j++)
            row(made, k)[j] /= scale;
        for (uint32_t i = 0; i < n; i++) {
            const double factor = row(made, i)[k];
            for (uint32_t j = k; i != k && factor != 0.0 && j < 2 * n; j++)
                row(made, i)[j] -= factor * row(made, k)[j];
        }
    }
    return TN_OK;
}

static tn_status jordan_solve(void *self, double *right_hand_side)
{
    const inverse *made = self;
    for (uint32_t i = 0; i < made->size; i++) {
        made->result[i] = 0.0;
        for (uint32_t j = 0; j < made->size; j++)
            made->result[i] += row(made, i)[made->size + j] * right_hand_side[j];
    }
    memcpy(right_hand_side, made->result, made->size * sizeof *right_hand_side);
    return TN_OK;
}

TN_LINEAR(jordan, .summary = "inverse by Gauss and Jordan",
          .formula = "[A, 1] -> [1, A^-1], partial pivoting", .create = jordan_create,
          .factor = jordan_factor, .solve = jordan_solve, .destroy = jordan_destroy)
TN_LIBRARY("jordan", "1.0.0", "Apache-2.0", "dense linear solver", {TN_LINEAR_KIND, &jordan_type})
#endif

/* dense.c - LU factorisation of the full matrix by LAPACK, for small systems and for checks of sparse
 * solvers, and dependent columns by QR. */
#include "tenon/descriptors.h"

#include <tenon/draft/linear.h>
#include <tenon/draft/stepping.h>
#include <tenon/kit/blas.h>

#include <complex.h>
#include <lapack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_SIZE 4000u /* 128 MB, and minutes beyond */

static const lapack_int one = 1;

typedef struct dense_solver {
    lapack_int size;
    lapack_int *pivot;
    double *factors; /* column by column */
    const tn_host *host;
    lapack_int *complex_pivot;
    double *complex_factors; /* pairs, column by column; NULL: no complex matrix was factorised yet */
} dense_solver;

static tn_status create_dense(const tn_host *host, TN_UNUSED const void *instance, const tn_matrix *matrix,
                              void **self)
{
    if (matrix->size > LARGEST_SIZE) {
        tn_say(host, TN_ERROR, "dense accepts at most %u unknowns, this model has %u: use linear = \"klu\"",
               LARGEST_SIZE, matrix->size);
        return TN_UNSUPPORTED;
    }
    if (!tn_blas_begin(0)) return TN_OUT_OF_MEMORY;
    const size_t n = matrix->size > 0 ? matrix->size : 1;
    dense_solver *solver = host->allocate(host, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
    solver->host = host;
    solver->size = (lapack_int)matrix->size;
    solver->pivot = host->allocate(host, n * sizeof *solver->pivot);
    solver->factors = host->allocate(host, n * n * sizeof(double));
    *self = solver;
    return solver->pivot && solver->factors ? TN_OK : TN_OUT_OF_MEMORY;
}

static tn_status factor_dense(void *self, const tn_matrix *matrix)
{
    dense_solver *solver = self;
    const size_t n = matrix->size;
    if (n == 0) return TN_OK;
    memset(solver->factors, 0, n * n * sizeof(double));
    for (size_t column = 0; column < n; column++)
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++)
            solver->factors[column * n + (size_t)matrix->row[k]] = matrix->value[k];

    lapack_int info = 0;
    LAPACK_dgetrf(&solver->size, &solver->size, solver->factors, &solver->size, solver->pivot, &info);
    return info == 0 ? TN_OK : info > 0 ? TN_RETRY : TN_FATAL;
}

static tn_status solve_dense(void *self, double *right_hand_side)
{
    const dense_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    lapack_int info = 0;
    LAPACK_dgetrs("N", &solver->size, &one, solver->factors, &solver->size, solver->pivot, right_hand_side,
                  &solver->size, &info);
    return info == 0 ? TN_OK : TN_FATAL;
}

/* Memory for complex factors, of which most runs have none. */
static bool make_complex(dense_solver *solver)
{
    const size_t n = (size_t)solver->size;
    if (solver->complex_factors) return true;
    solver->complex_pivot = solver->host->allocate(solver->host, n * sizeof *solver->complex_pivot);
    if (!solver->complex_pivot) return false;
    solver->complex_factors = solver->host->allocate(solver->host, 2 * n * n * sizeof(double));
    return solver->complex_factors != NULL;
}

static tn_status factor_complex_dense(void *self, const tn_matrix *pattern, const double *value)
{
    dense_solver *solver = self;
    const size_t n = pattern->size;
    if (n == 0) return TN_OK;
    if (!make_complex(solver)) return TN_OUT_OF_MEMORY;
    memset(solver->complex_factors, 0, 2 * n * n * sizeof(double));
    for (size_t column = 0; column < n; column++)
        for (int32_t k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
            memcpy(solver->complex_factors + 2 * (column * n + (size_t)pattern->row[k]),
                   value + 2 * (size_t)k, 2 * sizeof *value);
    lapack_int info = 0;
    LAPACK_zgetrf(&solver->size, &solver->size, (lapack_complex_double *)(void *)solver->complex_factors,
                  &solver->size, solver->complex_pivot, &info);
    return info == 0 ? TN_OK : info > 0 ? TN_RETRY : TN_FATAL;
}

static tn_status solve_complex_dense(void *self, double *right_hand_side)
{
    const dense_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    if (!solver->complex_factors) return TN_FATAL;
    lapack_int info = 0;
    LAPACK_zgetrs("N", &solver->size, &one, (lapack_complex_double *)(void *)solver->complex_factors,
                  &solver->size, solver->complex_pivot, (lapack_complex_double *)(void *)right_hand_side,
                  &solver->size, &info);
    return info == 0 ? TN_OK : TN_FATAL;
}

static tn_status state_of_dense(void *self, TN_UNUSED const tn_matrix *matrix, tn_state_visitor *visitor)
{
    dense_solver *solver = self;
    const size_t n = (size_t)solver->size;
    visitor->bytes(visitor, solver->pivot, n * sizeof *solver->pivot);
    tn_visit_numbers(visitor, solver->factors, n * n);
    bool is_complex = solver->complex_factors != NULL;
    TN_VISIT(visitor, is_complex);
    if (!is_complex) return TN_OK;
    if (!make_complex(solver)) return TN_OUT_OF_MEMORY;
    visitor->bytes(visitor, solver->complex_pivot, n * sizeof *solver->complex_pivot);
    tn_visit_numbers(visitor, solver->complex_factors, 2 * n * n);
    return TN_OK;
}

/* All memory is the host's. */
static void destroy_dense(void *self) { (void)self; }

/* A P = Q R with the columns in the order in which they stand out; R and the order replace matrix and order. */
static tn_status factor_by_columns(lapack_int rows, lapack_int columns, double *matrix, lapack_int *order)
{
    const lapack_int ask_size = -1;
    double length, unused;
    lapack_int info = 0;
    LAPACK_dgeqp3(&rows, &columns, matrix, &rows, order, &unused, &length, &ask_size, &info);
    if (info != 0) return TN_FATAL;
    double *memory = malloc(((size_t)columns + (size_t)length) * sizeof *memory);
    if (!memory) return TN_OUT_OF_MEMORY;
    const lapack_int size = (lapack_int)length;
    LAPACK_dgeqp3(&rows, &columns, matrix, &rows, order, memory, memory + columns, &size, &info);
    free(memory);
    return info == 0 ? TN_OK : TN_FATAL;
}

static tn_status dependent_dense(const tn_host *host, uint32_t rows, uint32_t columns, double *matrix,
                                 double tolerance, uint32_t *rank, uint32_t *order, double *combination)
{
    (void)host;
    const uint32_t steps = rows < columns ? rows : columns;
    const size_t leading = rows;
    *rank = 0;
    for (uint32_t k = 0; k < columns; k++)
        order[k] = k;
    if (steps == 0) return TN_OK;
    if (!tn_blas_begin(0)) return TN_OUT_OF_MEMORY;

    lapack_int *place = calloc(columns, sizeof *place); // 0: free to move
    if (!place) return TN_OUT_OF_MEMORY;
    const tn_status status = factor_by_columns((lapack_int)rows, (lapack_int)columns, matrix, place);
    for (uint32_t k = 0; k < columns && status == TN_OK; k++)
        order[k] = (uint32_t)place[k] - 1;
    free(place);
    if (status != TN_OK) return status;
    while (*rank < steps && fabs(matrix[*rank * leading + *rank]) > tolerance * fabs(matrix[0]))
        *rank += 1;

    // combination = R11^-1 R12, solved in the place of R12
    const uint32_t others = columns - *rank;
    if (*rank == 0 || others == 0) return TN_OK;
    double *rest = matrix + *rank * leading;
    const lapack_int size = (lapack_int)*rank, sides = (lapack_int)others, height = (lapack_int)rows;
    lapack_int info = 0;
    LAPACK_dtrtrs("U", "N", "N", &size, &sides, matrix, &height, rest, &height, &info);
    if (info != 0) return TN_FATAL;
    for (size_t j = 0; j < others; j++)
        memcpy(combination + j * *rank, rest + j * leading, *rank * sizeof *rest);
    return TN_OK;
}

static const tn_dependent_capability rank_revealing = {.struct_size = sizeof rank_revealing,
                                                       .dependent = dependent_dense};
static const tn_linear_state_capability dense_state = {.struct_size = sizeof dense_state,
                                                       .state = state_of_dense};
static const tn_complex_capability dense_complex = {.struct_size = sizeof dense_complex,
                                                    .factor_complex = factor_complex_dense,
                                                    .solve_complex = solve_complex_dense};
static tn_status estimate_dense(void *self, double *entries, double *operations)
{
    const double n = ((const dense_solver *)self)->size;
    *entries = n * n;
    *operations = n * n * n * 2.0 / 3.0;
    return TN_OK;
}

static const tn_estimate_capability dense_estimate = {.struct_size = sizeof dense_estimate,
                                                      .estimate = estimate_dense};
static const tn_capability dense_capabilities[] = {{TN_DEPENDENT_KEY, &rank_revealing},
                                                   {TN_LINEAR_STATE_KEY, &dense_state},
                                                   {TN_COMPLEX_KEY, &dense_complex},
                                                   {TN_ESTIMATE_KEY, &dense_estimate},
                                                   {NULL, NULL}};

static const tn_linear_type dense_type = {
    .struct_size = sizeof(tn_linear_type),
    .name = "dense",
    .summary = "LU of the full matrix by LAPACK, for up to 4000 unknowns",
    .formula = "P A = L U, partial pivoting",
    .literature = "Anderson et al.: LAPACK Users' Guide, 3rd ed., SIAM, 1999",
    .create = create_dense,
    .factor = factor_dense,
    .solve = solve_dense,
    .destroy = destroy_dense,
    .capabilities = dense_capabilities,
};

TN_LIBRARY("dense", "1.0.0", "Apache-2.0", "dense linear solver; links LAPACK (BSD)",
           {TN_LINEAR_KIND, &dense_type})

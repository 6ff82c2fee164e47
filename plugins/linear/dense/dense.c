/* dense.c - LU factorisation of the full matrix by LAPACK, for small systems and for checks of sparse
 * solvers. */
#include "tenon/plugin.h"

#include <lapacke.h>
#include <string.h>

#define LARGEST_SIZE 4000u /* 128 MB, and minutes beyond */

typedef struct dense_solver {
    lapack_int size;
    lapack_int *pivot;
    double *factors; /* column by column */
} dense_solver;

static tn_status create_dense(const tn_host *host, const tn_matrix *matrix, void **self)
{
    if (matrix->size > LARGEST_SIZE) {
        tn_say(host, TN_ERROR, "dense holds at most %u unknowns, this model has %u: use linear = \"klu\"",
               LARGEST_SIZE, matrix->size);
        return TN_UNSUPPORTED;
    }
    const size_t n = matrix->size > 0 ? matrix->size : 1;
    dense_solver *solver = host->allocate(host, sizeof *solver);
    if (!solver) return TN_OUT_OF_MEMORY;
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

    // the form without checks for NaN, which the kernel has caught before
    const lapack_int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, solver->size, solver->size, solver->factors,
                                                solver->size, solver->pivot);
    return info == 0 ? TN_OK : info > 0 ? TN_RETRY : TN_FATAL;
}

static tn_status solve_dense(void *self, double *right_hand_side)
{
    const dense_solver *solver = self;
    if (solver->size == 0) return TN_OK;
    const lapack_int info = LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', solver->size, 1, solver->factors,
                                                solver->size, solver->pivot, right_hand_side, solver->size);
    return info == 0 ? TN_OK : TN_FATAL;
}

/* All memory is the host's. */
static void destroy_dense(void *self) { (void)self; }

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
};

static const tn_type dense_types[] = {{TN_LINEAR_KIND, &dense_type}, {NULL, NULL}};

static const tn_library dense_library = {
    .struct_size = sizeof(tn_library),
    .abi_major = TN_ABI_MAJOR,
    .abi_minor = TN_ABI_MINOR,
    .name = "dense",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .summary = "dense linear solver; links LAPACK (BSD)",
    .types = dense_types,
};

TN_EXPORT const tn_library *tn_plugin_main(void);
const tn_library *tn_plugin_main(void) { return &dense_library; }

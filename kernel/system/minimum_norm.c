/* minimum_norm.c - multipliers of dependent rows, as results show them
 *
 * Where rows depend on each other many multipliers give the same forces G^T lambda. With A = G M^-1 G^T and a number e, a
 * billionth of its largest diagonal entry, eta = (A + e)^-1 A lambda gives those forces, too, but for parts of the size
 * e/A, and has the least norm that any has (Tikhonov). The same for the difference of the two takes those parts away. */
#include "system/redundancy.h"

#include <math.h>
#include <string.h>

enum { REPETITIONS = 3 };

/* The linear solver and its matrix in use by a time integrator stay as they are. */
typedef struct borrowed {
    double *value, *regularisation;
    void *self;
    double row_factor, share;
    bool least;
} borrowed;

static borrowed borrow(tn_assembly *assembly)
{
    const borrowed before = {.value = assembly->matrix.value,
                             .regularisation = assembly->regularisation,
                             .self = assembly->linear_self,
                             .row_factor = assembly->system.row_factor,
                             .share = assembly->regularisation_share,
                             .least = assembly->least_multipliers};
    const size_t entries = (size_t)assembly->matrix.column_start[assembly->matrix.size];
    if (!assembly->norm_value) {
        assembly->norm_value = tn_new_aligned(entries, sizeof(double));
        assembly->norm_regularisation = tn_new_aligned(assembly->system.rows, sizeof(double));
    }
    assembly->matrix.value = assembly->norm_value;
    assembly->regularisation = assembly->norm_regularisation;
    assembly->regularisation_share = TN_SHARE_OF_LEAST_MULTIPLIERS;
    assembly->least_multipliers = true;
    assembly->linear_self = assembly->norm_self;
    assembly->system.row_factor = 1.0;
    return before;
}

static void give_back(tn_assembly *assembly, const borrowed *before)
{
    assembly->norm_self = assembly->linear_self;
    assembly->matrix.value = before->value;
    assembly->regularisation = before->regularisation;
    assembly->regularisation_share = before->share;
    assembly->least_multipliers = before->least;
    assembly->linear_self = before->self;
    assembly->system.row_factor = before->row_factor;
}

void tn_add_border_product(const tn_assembly *assembly, const double *rows, double *b)
{
    const tn_matrix *A = &assembly->matrix;
    const uint32_t nv = assembly->system.nv;
    for (uint32_t r = 0; r < assembly->system.rows; r++)
        for (int32_t e = A->column_start[nv + r]; e < A->column_start[nv + r + 1]; e++)
            if ((uint32_t)A->row[e] < nv) b[A->row[e]] += A->value[e] * rows[r];
}

static tn_status find(tn_assembly *assembly, const double *lambda, double *eta)
{
    tn_system *system = &assembly->system;
    double *b = assembly->solution[0], *rest = assembly->row_memory;
    tn_status status = system->matrix(system, 1.0, 0.0, 0.0);
    if (status == TN_OK) status = system->factor(system);
    memset(eta, 0, system->rows * sizeof *eta);
    for (int k = 0; k < REPETITIONS && status == TN_OK; k++) {
        for (uint32_t r = 0; r < system->rows; r++)
            rest[r] = lambda[r] - eta[r];
        memset(b, 0, assembly->matrix.size * sizeof *b);
        tn_add_border_product(assembly, rest, b);
        status = system->solve(system, b);
        for (uint32_t r = 0; r < system->rows && status == TN_OK; r++)
            eta[r] += b[system->nv + r];
    }
    return status;
}

tn_status tn_minimum_norm(tn_assembly *assembly, double *eta)
{
    if (!tn_system_pattern(&assembly->system)) return TN_OUT_OF_MEMORY;
    const borrowed before = borrow(assembly);
    const tn_status status = find(assembly, assembly->system.lambda, eta);
    give_back(assembly, &before);
    return status;
}

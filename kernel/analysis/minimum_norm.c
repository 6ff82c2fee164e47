/* minimum_norm.c - multipliers of dependent rows, as results show them
 *
 * Where rows depend on each other many multipliers give the same forces G^T lambda. With A = G M^-1 G^T and a number e, a
 * billionth of its largest diagonal entry, eta = (A + e)^-1 A lambda gives those forces, too, but for parts of the size
 * e/A, and has the least norm that any has (Tikhonov). The same for the difference of the two takes those parts away, again and again: rows of
 * long chains hardly differ from dependent ones, with A down to the size of e. */
#include "analysis/redundancy.h"
#include "system/constraints.h"
#include "system/linear.h"
#include "system/matrix.h"

#include <math.h>
#include <string.h>

enum { REPETITIONS = 30 };
#define SMALL_CHANGE 1e-13 /* of the largest multiplier */

/* The time integrator's matrix and factors stay as they are: these equations have their own. */
bool tn_least_norm_open(tn_assembly *assembly)
{
    tn_equations *equations = &assembly->least_norm;
    if (!tn_system_pattern(&assembly->system)) return false;
    if (equations->matrix.value) return true;
    equations->matrix = assembly->equations.matrix;
    const size_t entries = (size_t)equations->matrix.column_start[equations->matrix.size];
    equations->matrix.value = tn_assembly_new(assembly, entries, sizeof(double));
    equations->regularisation = tn_assembly_new(assembly, assembly->system.rows, sizeof(double));
    return true;
}

static tn_status factor_least_norm(tn_assembly *assembly)
{
    tn_matrix_request request = tn_request_of_masses(assembly);
    request.state_factor = assembly->system.state_factor;
    request.share = TN_SHARE_OF_LEAST_MULTIPLIERS;
    request.even = true;
    const tn_status status = tn_matrix_fill(assembly, &request, &assembly->least_norm);
    return status == TN_OK ? tn_equations_factor(assembly, &assembly->least_norm) : status;
}

tn_status tn_minimum_norm(tn_assembly *assembly, double *eta)
{
    const tn_system *system = &assembly->system;
    if (!tn_least_norm_open(assembly)) return TN_OUT_OF_MEMORY;
    const tn_matrix *A = &assembly->least_norm.matrix;
    double *b = assembly->constraints->solution[0], *rest = assembly->constraints->row;
    tn_status status = factor_least_norm(assembly);
    memset(eta, 0, system->rows * sizeof *eta);
    double change = HUGE_VAL, largest = 0.0;
    for (int k = 0; k < REPETITIONS && status == TN_OK && change > SMALL_CHANGE * largest; k++) {
        for (uint32_t r = 0; r < system->rows; r++)
            rest[r] = system->lambda[r] - eta[r];
        memset(b, 0, A->size * sizeof *b);
        tn_add_border_product(assembly, A, rest, b);
        status = tn_equations_solve(assembly, &assembly->least_norm, b);
        change = 0.0;
        for (uint32_t r = 0; r < system->rows && status == TN_OK; r++) {
            eta[r] += b[system->nv + r];
            change = fmax(change, fabs(b[system->nv + r]));
            largest = fmax(largest, fabs(eta[r]));
        }
    }
    return status;
}

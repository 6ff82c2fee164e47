/* minimum_norm.c - multipliers of dependent rows, as results show them
 *
 * Where rows depend on each other many multipliers give the same forces G^T lambda. With A = G M^-1 G^T and a number e, a
 * billionth of its largest diagonal entry, N = (A + e)^-1 e keeps directions that give no forces, and leaves the part e/A of
 * others. Many multiplications by N find what multipliers have in the former; without it they have the least norm that any have. Rows of
 * long chains hardly differ from dependent ones, with A down to the size of e: therefore many. The part is found to about seven
 * digits, whoever solves: it is taken out until nothing is left. */
#include "analysis/redundancy.h"
#include "system/constraints.h"
#include "system/linear.h"
#include "system/matrix.h"

#include <math.h>
#include <string.h>

enum { REPETITIONS = 30, PASSES = 4 };
#define SMALL 1e-13       /* of the largest multiplier */
#define SHRINKS 0.5       /* what a multiplication changes, against the one before: it goes on like that; */
#define STALLS 0.9        /* it changes directions that give no forces, too, */
#define SEVEN_DIGITS 1e-7 /* by so little, which the next pass takes out */

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

/* Whether multiplications need not go on, after one that has changed the part by `change`, and one by `before` (0: none). */
static bool is_found(double change, double before, double size, double largest)
{
    if (change <= SMALL * largest) return true;
    if (!(before > 0.0)) return false;
    return change <= SHRINKS * before ? change * (change / before) <= 0.1 * SMALL * largest
                                      : change >= STALLS * before && change <= SEVEN_DIGITS * size;
}

/* What eta has in directions that give no forces, in the rows of b; `size` is its largest number. */
static tn_status find_null_part(tn_assembly *assembly, const double *eta, double *b, double largest,
                                double *size)
{
    const tn_system *system = &assembly->system;
    double *part = b + system->nv, *before = assembly->constraints->row;
    tn_status status = TN_OK;
    memcpy(part, eta, system->rows * sizeof *part);
    double change = 0.0;
    bool found = false;
    for (int k = 0; k < REPETITIONS && status == TN_OK && !found; k++) {
        const double last_change = change;
        memcpy(before, part, system->rows * sizeof *part);
        memset(b, 0, system->nv * sizeof *b);
        for (uint32_t r = 0; r < system->rows; r++)
            part[r] *= assembly->least_norm.regularisation[r];
        status = tn_equations_solve(assembly, &assembly->least_norm, b);
        change = *size = 0.0;
        for (uint32_t r = 0; r < system->rows && status == TN_OK; r++) {
            change = fmax(change, fabs(part[r] - before[r]));
            *size = fmax(*size, fabs(part[r]));
        }
        found = is_found(change, last_change, *size, largest);
    }
    return status;
}

tn_status tn_minimum_norm(tn_assembly *assembly, double *eta)
{
    const tn_system *system = &assembly->system;
    if (!tn_least_norm_open(assembly)) return TN_OUT_OF_MEMORY;
    double *b = assembly->constraints->solution[0], largest = 0.0, size = HUGE_VAL, left = HUGE_VAL;
    tn_status status = factor_least_norm(assembly);
    for (uint32_t r = 0; r < system->rows && status == TN_OK; r++) {
        eta[r] =
            assembly->least_norm.regularisation[r] > 0.0 ? system->lambda[r] : 0.0; /* others stand alone */
        largest = fmax(largest, fabs(eta[r]));
    }
    /* a part that is no smaller than in the pass before is one of slow directions, which give forces */
    for (int pass = 0; pass < PASSES && status == TN_OK && size > SMALL * largest && !(size > SHRINKS * left);
         pass++) {
        left = size;
        status = find_null_part(assembly, eta, b, largest, &size);
        for (uint32_t r = 0; r < system->rows && status == TN_OK; r++)
            eta[r] -= b[system->nv + r];
    }
    return status;
}

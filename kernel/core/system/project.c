/* project.c - accelerations under constraints, and the way back onto them
 *
 * All of it solves with the matrix of masses and rows
 *
 *     M   -G^T     x           b
 *     G    E       lambda  =   c
 *
 * less E: what E leaves undone is solved for again, which takes dependent rows to the multipliers of least norm as long
 * as their right-hand sides agree. */
#include "system/project.h"

#include "system/constraints.h"
#include "system/matrix.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 6, CORRECTIONS = 60, HALVINGS = 12 };
#define LONGEST_STEP 0.3      /* of a coordinate against its scale */
#define REMAINING_ERROR 1e-15 /* of rows, where corrections end */
#define GOOD_FACTORS \
    1e-3 /* share of an error that a correction leaves, up to which its factors are used again */
#define LARGEST_ERROR 1e-9 /* of rows that count as satisfied */

static tn_status factor_requested(tn_assembly *assembly, const tn_matrix_request *request)
{
    tn_equations *equations = &assembly->equations;
    if (equations->masses_factored && !request->positions_only) return tn_differentiate_markers(assembly);
    if (!tn_system_pattern(&assembly->system)) return TN_OUT_OF_MEMORY;
    const tn_status status = tn_matrix_fill(assembly, request, equations);
    return status == TN_OK ? assembly->system.factor(&assembly->system) : status;
}

tn_status tn_factor_masses(tn_assembly *assembly)
{
    const tn_matrix_request request = tn_request_of_masses(assembly);
    return factor_requested(assembly, &request);
}

/* Which errors of rows a correction takes away: of positions, of positions against where markers match as they are meant to (tn_batch
 * `closing`), or of velocities. */
typedef enum error_kind { OF_POSITIONS, OF_CLOSING, OF_VELOCITIES } error_kind;

/* For what the rows ask of the motion. */
static tn_status factor_way(tn_assembly *assembly, error_kind kind, bool pins_hold)
{
    tn_matrix_request request = tn_request_of_masses(assembly);
    request.leads_to_rows = true;
    request.positions_only = kind != OF_VELOCITIES;
    request.pins_hold = pins_hold;
    return factor_requested(assembly, &request);
}

/* r -= (A - E) x. */
static void subtract_product(const tn_assembly *assembly, const double *x, double *r)
{
    const tn_matrix *A = &assembly->equations.matrix;
    const uint32_t nv = assembly->system.nv;
    /* half of x is zero in a mechanism that moves in a plane, and most of a pattern is */
    for (uint32_t j = 0; j < A->size; j++)
        if (x[j] != 0.0)
            for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
                if (A->value[e] != 0.0) r[A->row[e]] -= A->value[e] * x[j];
    for (uint32_t k = 0; k < assembly->system.rows; k++)
        r[nv + k] += assembly->equations.regularisation[k] * x[nv + k];
}

double tn_square_of_scaled(const tn_assembly *assembly, const double *x)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < assembly->system.nv; i++)
        sum += x[i] / assembly->scale[i] * (x[i] / assembly->scale[i]);
    return sum;
}

tn_status tn_solve_exactly(tn_assembly *assembly)
{
    double *x = assembly->constraints->solution[0], *r = assembly->constraints->solution[1],
           *d = assembly->constraints->solution[2];
    const uint32_t n = assembly->equations.matrix.size;
    memset(x, 0, n * sizeof *x);
    double before = HUGE_VAL;
    for (int k = 0; k < REFINEMENTS; k++) {
        memcpy(d, r, n * sizeof *d);
        const tn_status status = assembly->system.solve(&assembly->system, d);
        if (status != TN_OK) return status;
        const double change = tn_square_of_scaled(assembly, d);
        if (!(change < before)) break; /* round-off, or rows that contradict each other */
        for (uint32_t i = 0; i < n; i++)
            x[i] += d[i];
        /* the next change would be smaller by as much as this one is */
        if (k > 0 && change / before * change <= 1e-30 * tn_square_of_scaled(assembly, x)) break;
        subtract_product(assembly, d, r);
        before = change;
    }
    return TN_OK;
}

/* The forces of the last evaluation hold the reactions of the current lambda. These are subtracted, and all multipliers are solved
 * for, so that null directions keep nothing of earlier ones. */
tn_status tn_constrained_accelerate(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    tn_status status = assembly->complement ? tn_differentiate_markers(assembly) : tn_factor_masses(assembly);
    double *b = assembly->constraints->solution[1], *c = b + system->nv;
    if (status == TN_OK) status = tn_constraint_bias(assembly, c);
    if (status != TN_OK) return status;
    memcpy(b, assembly->force, system->nv * sizeof *b);
    for (uint32_t r = 0; r < system->rows; r++)
        c[r] = -c[r];
    for (size_t k = 0; k < assembly->group_count; k++) { /* these stand alone in the matrix, with 1 */
        const tn_group *group = &assembly->group[k];
        if (group->unilateral)
            memcpy(c + group->row_start, system->lambda + group->row_start,
                   (size_t)group->rows * group->batch.count * sizeof *c);
    }
    const bool solved = assembly->complement && assembly->services->few_rows->solve(assembly, system->lambda);
    if (assembly->complement && !solved) status = tn_factor_masses(assembly);
    if (status == TN_OK && !solved) {
        tn_add_border_product(assembly, &assembly->equations.matrix, system->lambda, b);
        status = tn_solve_exactly(assembly);
    }
    if (status != TN_OK) return status;
    memcpy(system->a, assembly->constraints->solution[0], system->nv * sizeof *system->a);
    memcpy(system->lambda, assembly->constraints->solution[0] + system->nv, system->rows * sizeof *system->a);
    if (assembly->redundancy.solves_least) status = assembly->services->rows->remove_null_part(assembly);
    /* x_rate with these reactions and accelerations */
    return status == TN_OK && system->nx ? tn_evaluate_reactions(assembly) : status;
}

/* Residuals of the rows that count now, with the sign of a right-hand side; the largest one. */
static tn_status find_errors(tn_assembly *assembly, double *c, error_kind kind, double *largest)
{
    tn_system *system = &assembly->system;
    const bool of_velocities = kind == OF_VELOCITIES;
    const tn_status status =
        of_velocities ? system->constraint_rate(system, c)
                      : tn_constraint_residuals(assembly, c, (tn_rows_wanted){.closing = kind == OF_CLOSING});
    *largest = 0.0;
    for (uint32_t r = 0; r < system->rows; r++) {
        c[r] = !of_velocities && system->row_level[r] == TN_VELOCITY_ROW ? 0.0 : -c[r];
        *largest = fmax(*largest, fabs(c[r]));
    }
    return status;
}

/* Right-hand side (0, c) solved for a change of v or an increment of q. */
static tn_status find_change(tn_assembly *assembly, error_kind kind, bool pins_hold)
{
    memset(assembly->constraints->solution[1], 0, assembly->system.nv * sizeof(double));
    const bool few = assembly->complement && !pins_hold;
    tn_status status = few ? tn_differentiate_markers(assembly) : TN_OK;
    if (few && status == TN_OK && assembly->services->few_rows->solve(assembly, NULL)) return TN_OK;
    if (status == TN_OK) status = factor_way(assembly, kind, pins_hold);
    return status == TN_OK ? tn_solve_exactly(assembly) : status;
}

/* One correction of q along the increment in solution[0], shortened until the error falls. */
static tn_status correct_positions(tn_assembly *assembly, error_kind kind, double *error)
{
    tn_system *system = &assembly->system;
    double *increment = assembly->constraints->solution[0],
           *c = assembly->constraints->solution[1] + system->nv, largest = 0.0;
    for (uint32_t i = 0; i < system->nv; i++)
        largest = fmax(largest, fabs(increment[i]) / assembly->scale[i]);
    double share = largest > LONGEST_STEP ? LONGEST_STEP / largest : 1.0, taken = 0.0;
    const double before = *error;
    for (int k = 0; k < HALVINGS; k++, share *= 0.5) {
        /* the increments add up along one geodesic of every body: its end is reached from anywhere on it */
        for (uint32_t i = 0; i < system->nv; i++)
            assembly->constraints->solution[2][i] = (share - taken) * increment[i];
        tn_status status = system->retract(system, system->q, assembly->constraints->solution[2], system->q);
        taken = share;
        if (status == TN_OK) status = tn_evaluate(assembly, kind == OF_CLOSING);
        if (status == TN_OK) status = find_errors(assembly, c, kind, error);
        if (status == TN_OK && *error < before) return TN_OK;
        if (status != TN_OK && status != TN_RETRY) return status;
    }
    return TN_RETRY;
}

/* Names the constraint that stays violated most. */
static void note_violated_row(tn_assembly *assembly, double error)
{
    if (assembly->failures.refusal.group ||
        tn_system_constraint(&assembly->system, assembly->constraints->row) != TN_OK)
        return;
    const tn_row_found largest = tn_largest_row(assembly, assembly->constraints->row);
    assembly->failures.refusal.group = largest.group;
    assembly->failures.refusal.instance = largest.instance;
    assembly->failures.refusal.message = assembly->failures.refusal.number;
    (void)snprintf(assembly->failures.refusal.number, sizeof assembly->failures.refusal.number,
                   "an error of %.3g in its row %u cannot be removed", error, largest.row + 1);
}

static tn_status project_positions(tn_assembly *assembly, tn_projection how, error_kind kind)
{
    tn_system *system = &assembly->system;
    double error = 0.0;
    tn_status status = find_errors(assembly, assembly->constraints->solution[1] + system->nv, kind, &error);
    const double size = fmax(1.0, assembly->length);
    for (int k = 0; k < CORRECTIONS && status == TN_OK && error > REMAINING_ERROR * size; k++) {
        status = find_change(assembly, kind, how.pins_hold);
        if (status == TN_OK) status = correct_positions(assembly, kind, &error);
    }
    if (status != TN_OK && status != TN_RETRY) return status;
    if (error <= LARGEST_ERROR * size) return TN_OK;
    if (!how.explained) note_violated_row(assembly, error);
    return TN_RETRY;
}

/* What round-off of the velocities makes of the rates of rows. */
static double round_off_of_rates(const tn_assembly *assembly)
{
    double fastest = 0.0;
    for (uint32_t i = 0; i < assembly->system.nv; i++)
        fastest = fmax(fastest, fabs(assembly->system.v[i]) / assembly->scale[i]);
    return REMAINING_ERROR * fmax(1.0, assembly->length) * fastest;
}

/* The rows are linear in v: one correction does. Its factors are those of the accelerations, too. */
static tn_status project_velocities(tn_assembly *assembly, tn_projection how)
{
    tn_system *system = &assembly->system;
    double error = 0.0;
    tn_status status =
        find_errors(assembly, assembly->constraints->solution[1] + system->nv, OF_VELOCITIES, &error);
    if (status != TN_OK || error <= round_off_of_rates(assembly)) return status;
    status = find_change(assembly, OF_VELOCITIES, how.pins_hold);
    if (status != TN_OK) return status;
    for (uint32_t i = 0; i < system->nv; i++)
        system->v[i] += assembly->constraints->solution[0][i];
    status = system->evaluate(system);
    assembly->equations.masses_factored =
        status == TN_OK && !how.pins_hold && !assembly->complement && !assembly->reading.couples_directly;
    return status;
}

tn_status tn_transmit_impulses(tn_assembly *assembly, double *change, const double **multiplier)
{
    tn_system *system = &assembly->system;
    double error = 0.0;
    if (!tn_system_pattern(system)) return TN_OUT_OF_MEMORY;
    tn_status status = factor_way(assembly, OF_VELOCITIES, false);
    double *b = assembly->constraints->solution[1];
    if (status == TN_OK) status = find_errors(assembly, b + system->nv, OF_VELOCITIES, &error);
    memcpy(b, assembly->force, system->nv * sizeof *b);
    if (status == TN_OK) status = tn_solve_exactly(assembly);
    memcpy(change, assembly->constraints->solution[0], system->nv * sizeof *change);
    *multiplier = assembly->constraints->solution[0] + system->nv;
    return status;
}

tn_status tn_project(tn_assembly *assembly, tn_projection how)
{
    tn_system *system = &assembly->system;
    if (!system->rows) return TN_OK;
    if (!tn_system_pattern(system)) return TN_OUT_OF_MEMORY;
    tn_status status = tn_evaluate(assembly, how.closes);
    if (status == TN_OK) status = project_positions(assembly, how, how.closes ? OF_CLOSING : OF_POSITIONS);
    return status == TN_OK && !how.closes ? project_velocities(assembly, how) : status;
}

tn_status tn_system_project(tn_system *system)
{
    return tn_attempt_status(tn_project((tn_assembly *)system, (tn_projection){0}));
}

tn_status tn_closing_error(tn_assembly *assembly, double *rows, double *error)
{
    return find_errors(assembly, rows, OF_CLOSING, error);
}

/* solve.c - right-hand sides, refinement, and what becomes of the solution (see complement.h) */
#include "complement/complement.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 6 };
#define STANDS 1e-30 /* the square of what the next correction would change of the accelerations */

/* M^-1 times the forces `b` on all coordinates and, where there are reactions among these, less G^T reactions. */
static void divide_forces(const struct tn_complement *c, const double *b, const double *reactions)
{
    memset(c->change, 0, c->body_count * sizeof *c->change);
    for (uint32_t k = 0; k < c->body_count; k++)
        memcpy(&c->change[k], b + c->body[k].v_start, c->body[k].nv * sizeof *b);
    for (uint32_t k = 0; reactions && k < c->hold_count; k++) {
        const tn_joint *joint = &c->joint[c->hold[k].joint];
        tn_wide sum = c->change[c->hold[k].body];
        for (size_t r = 0; r < joint->rows; r++)
            sum -= reactions[joint->row_start + r] * c->hold[k].rows[r];
        c->change[c->hold[k].body] = sum;
    }
    for (uint32_t k = 0; k < c->body_count; k++) {
        const tn_moved_body *body = &c->body[k];
        tn_wide sum = {0.0};
        if (body->group->diagonal) sum = body->inverse[0] * c->change[k];
        for (size_t j = 0; !body->group->diagonal && j < body->nv; j++)
            sum += c->change[k][j] * body->inverse[j];
        c->acceleration[k] = sum;
    }
}

/* rest = what the rows lack of c, with the multipliers so far where they stand alone. */
static void find_rest(const struct tn_complement *c, const double *right)
{
    for (uint32_t k = 0; k < c->joint_count; k++) {
        tn_wide wanted = {0.0};
        memcpy(&wanted, right + c->joint[k].row_start, c->joint[k].rows * sizeof *right);
        c->rest[k] = wanted - c->alone[k] * c->multiplier[k];
    }
    for (uint32_t k = 0; k < c->hold_count; k++) {
        const tn_hold_on *hold = &c->hold[k];
        tn_wide sum = c->rest[hold->joint];
        for (size_t j = 0; j < c->body[hold->body].nv; j++)
            sum -= c->acceleration[hold->body][j] * hold->columns[j];
        c->rest[hold->joint] = sum;
    }
}

/* Accelerations that multipliers `rest` bring about, and the multipliers themselves, are added. */
static void add_change(const struct tn_complement *c)
{
    memset(c->change, 0, c->body_count * sizeof *c->change);
    for (uint32_t k = 0; k < c->hold_count; k++) {
        const tn_hold_on *hold = &c->hold[k];
        tn_wide sum = c->change[hold->body];
        for (size_t r = 0; r < c->joint[hold->joint].rows; r++)
            sum += c->rest[hold->joint][r] * hold->by_mass[r];
        c->change[hold->body] = sum;
    }
    for (uint32_t k = 0; k < c->body_count; k++)
        c->acceleration[k] += c->change[k];
    for (uint32_t k = 0; k < c->joint_count; k++)
        c->multiplier[k] += c->rest[k];
}

static double square_of_scaled(const tn_assembly *assembly, const struct tn_complement *c, const tn_wide *a)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < c->body_count; k++) {
        const double *scale = assembly->scale + c->body[k].v_start;
        for (size_t j = 0; j < c->body[k].nv; j++)
            sum += a[k][j] / scale[j] * (a[k][j] / scale[j]);
    }
    return sum;
}

/* Like tn_solve_exactly; false where corrections do not end. */
static bool refine(tn_assembly *assembly, struct tn_complement *c, const double *right)
{
    double before = HUGE_VAL;
    memset(c->multiplier, 0, c->joint_count * sizeof(tn_wide));
    for (int k = 0; k < REFINEMENTS; k++) {
        find_rest(c, right);
        tn_complement_substitute(c);
        assembly->statistics.linear_solves++;
        add_change(c);
        const double size = square_of_scaled(assembly, c, c->acceleration),
                     change = k ? square_of_scaled(assembly, c, c->change) : size;
        if (!(change < HUGE_VAL) || (k > 0 && !(change < before))) return false;
        if (k > 0 && change / before * change <= STANDS * size) return true;
        if (change == 0.0) return true;
        before = change;
    }
    return false;
}

static void write_solution(const tn_assembly *assembly, const struct tn_complement *c, double *x)
{
    for (uint32_t k = 0; k < c->body_count; k++)
        memcpy(x + c->body[k].v_start, &c->acceleration[k], c->body[k].nv * sizeof *x);
    for (uint32_t k = 0; k < c->joint_count; k++)
        memcpy(x + assembly->system.nv + c->joint[k].row_start, &c->multiplier[k],
               c->joint[k].rows * sizeof *x);
}

static bool solve(tn_assembly *assembly, const double *reactions)
{
    struct tn_complement *c = assembly->complement;
    double *const *solution = assembly->constraints->solution;
    if (assembly->redundancy.solves_least) return false;
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    const bool factored = tn_complement_factor(assembly, c);
    assembly->statistics.factorisations++;
    const double middle = tn_clock(assembly, TN_FACTORISATION, start);
    if (!factored) return false;
    divide_forces(c, solution[1], reactions);
    const bool stands = refine(assembly, c, solution[1] + assembly->system.nv);
    if (stands) write_solution(assembly, c, solution[0]);
    (void)tn_clock(assembly, TN_SOLUTION, middle);
    return stands;
}

const tn_row_solver tn_complements = {.solve = solve};

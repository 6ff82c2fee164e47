/* solve.c - right-hand sides, refinement, and what becomes of the solution (see complement.h) */
#include "complement/complement.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 6 };
/* Squares of changes against the solution: where the next one is of no account; and of those that do not end, as of rows that depend on
 * each other and differ a little, the largest that need no linear solver. */
#define STANDS 1e-30
#define LEFT_OVER 1e-8

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

/* In vectors. */
static void read_right(const struct tn_complement *c, const double *right)
{
    for (uint32_t k = 0; k < c->joint_count; k++) {
        c->right[k] = (tn_wide){0.0};
        memcpy(&c->right[k], right + c->joint[k].row_start, c->joint[k].rows * sizeof *right);
    }
}

/* *to += the sum of factor[k] vector[k]. `count` is a constant where it is a common one. */
static inline __attribute__((always_inline)) void add_sum(size_t count, const tn_wide *factor,
                                                          const tn_wide *vector, tn_wide *to)
{
    tn_wide sum = *to;
    for (size_t k = 0; k < count; k++)
        sum += (*factor)[k] * vector[k];
    *to = sum;
}

/* rest = what the rows lack of their right-hand side, with the multipliers so far where they stand alone. */
static void find_rest(const struct tn_complement *c)
{
    for (uint32_t k = 0; k < c->joint_count; k++)
        c->rest[k] = c->alone[k] * c->multiplier[k] - c->right[k];
    for (uint32_t k = 0; k < c->hold_count; k++) {
        const tn_hold_on *hold = &c->hold[k];
        const size_t nv = c->body[hold->body].nv;
        if (nv == 6)
            add_sum(6, &c->acceleration[hold->body], hold->columns, &c->rest[hold->joint]);
        else
            add_sum(nv, &c->acceleration[hold->body], hold->columns, &c->rest[hold->joint]);
    }
    for (uint32_t k = 0; k < c->joint_count; k++)
        c->rest[k] = -c->rest[k];
}

/* Accelerations that multipliers `rest` bring about, and the multipliers themselves, are added. */
static void add_change(const struct tn_complement *c)
{
    memset(c->change, 0, c->body_count * sizeof *c->change);
    for (uint32_t k = 0; k < c->hold_count; k++) {
        const tn_hold_on *hold = &c->hold[k];
        const size_t rows = c->joint[hold->joint].rows;
        if (rows == 5)
            add_sum(5, &c->rest[hold->joint], hold->by_mass, &c->change[hold->body]);
        else
            add_sum(rows, &c->rest[hold->joint], hold->by_mass, &c->change[hold->body]);
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

static void take_back_change(const struct tn_complement *c)
{
    for (uint32_t k = 0; k < c->body_count; k++)
        c->acceleration[k] -= c->change[k];
    for (uint32_t k = 0; k < c->joint_count; k++)
        c->multiplier[k] -= c->rest[k];
}

/* Like tn_solve_exactly, with the same solution; false where changes do not end, and are not small. */
static bool refine(tn_assembly *assembly, struct tn_complement *c)
{
    /* what is held at rest has accelerations of round-off: of those that it would have without its rows */
    const double freely = square_of_scaled(assembly, c, c->acceleration);
    double before = HUGE_VAL, change = HUGE_VAL, size = 0.0;
    memset(c->multiplier, 0, c->joint_count * sizeof *c->multiplier);
    for (int k = 0; k < REFINEMENTS; k++) {
        find_rest(c);
        tn_complement_substitute(c);
        assembly->statistics.linear_solves++;
        add_change(c);
        size = square_of_scaled(assembly, c, c->acceleration);
        change = k ? square_of_scaled(assembly, c, c->change) : size;
        if (change <= STANDS * freely || (k > 0 && change / before * change <= STANDS * size)) return true;
        if (!(change < before)) {
            take_back_change(c);
            break;
        }
        before = change;
    }
    return change <= LEFT_OVER * fmax(size, freely);
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
    read_right(c, solution[1] + assembly->system.nv);
    const bool stands = refine(assembly, c);
    if (stands) write_solution(assembly, c, solution[0]);
    (void)tn_clock(assembly, TN_SOLUTION, middle);
    return stands;
}

const tn_row_solver tn_complements = {.solve = solve};

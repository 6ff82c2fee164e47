/* reduce.c - the minimal form in independent coordinates (linearise.h)
 *
 * Accelerations and multipliers are the solution of
 *
 *     [M, -B; R, 0] (eta', l) = (-D eta - K xi + F x + F_u u, -L xi')
 *
 * with independent rows only. All is then written by the states z = (p, w, x): xi, eta, eta', l and x are matrices times z, plus what
 * the inputs make of them. */
#include "linearise.h"

#define SINGULAR 1e-15 /* reciprocal condition of the equations */

/* Everything by z and by u. */
typedef struct composition {
    linear_matrix xi, eta, x;             /* by z */
    linear_matrix acceleration, reaction; /* by z */
    linear_matrix acceleration_of_input, reaction_of_input;
    size_t size; /* of z */
} composition;

static void put_block(linear_matrix *to, size_t row, size_t column, const linear_matrix *from)
{
    for (size_t r = 0; r < from->rows; r++)
        memcpy(linear_row(to, row + r) + column, linear_row(from, r), from->columns * sizeof(double));
}

static bool compose_state(linear_work *work, composition *c)
{
    c->size = work->free_count + work->velocity_count + work->states;
    if (!linear_new(work, &c->xi, work->nv, c->size) || !linear_new(work, &c->eta, work->nv, c->size) ||
        !linear_new(work, &c->x, work->states, c->size))
        return false;
    put_block(&c->xi, 0, 0, &work->xi);
    put_block(&c->eta, 0, 0, &work->eta_p);
    put_block(&c->eta, 0, work->free_count, &work->eta_w);
    for (size_t k = 0; k < work->states; k++)
        linear_row(&c->x, k)[work->free_count + work->velocity_count + k] = 1.0;
    return true;
}

/* [M, -B; R, 0]. */
static void fill_equations(const linear_work *work, linear_matrix *to)
{
    const size_t nv = work->nv;
    put_block(to, 0, 0, &work->M);
    for (size_t r = 0; r < work->independent; r++)
        for (size_t i = 0; i < nv; i++) {
            linear_row(to, i)[nv + r] = -linear_row(&work->B, i)[work->row[r]];
            linear_row(to, nv + r)[i] = linear_row(&work->R, work->row[r])[i];
        }
}

/* Right-hand sides by z, then by u. */
static bool fill_sides(linear_work *work, const composition *c, linear_matrix *to)
{
    const size_t nv = work->nv;
    linear_matrix by_z, rate, asked;
    if (!linear_new(work, &by_z, nv, c->size) || !linear_new(work, &rate, nv, c->size) ||
        !linear_new(work, &asked, work->rows, c->size))
        return false;
    linear_add_product(-1.0, &work->D, &c->eta, &by_z);
    linear_add_product(-1.0, &work->K, &c->xi, &by_z);
    linear_add_product(1.0, &work->by_state, &c->x, &by_z);
    memcpy(rate.value, c->eta.value, nv * c->size * sizeof(double));
    linear_add_product(-1.0, &work->T, &c->xi, &rate);
    linear_add_product(-1.0, &work->L, &rate, &asked);
    put_block(to, 0, 0, &by_z);
    put_block(to, 0, c->size, &work->by_input);
    for (size_t r = 0; r < work->independent; r++)
        memcpy(linear_row(to, nv + r), linear_row(&asked, work->row[r]), c->size * sizeof(double));
    return true;
}

/* All multipliers by those of independent rows: of dependent ones the least that do the same, C^T (C C^T)^-1 with B = B_i C. */
static bool find_spread(linear_work *work)
{
    const size_t n = work->independent, rows = work->rows;
    linear_matrix own, normal, C, square, transposed;
    if (!linear_new(work, &own, n, work->nv) || !linear_new(work, &normal, n, n) ||
        !linear_new(work, &C, n, rows) || !linear_new(work, &square, n, n) ||
        !linear_new(work, &transposed, rows, n) || !linear_new(work, &work->spread, rows, n))
        return false;
    if (n == rows) {
        for (size_t r = 0; r < n; r++)
            linear_row(&work->spread, work->row[r])[r] = 1.0;
        return true;
    }
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < work->nv; i++)
            linear_row(&own, r)[i] = linear_row(&work->B, i)[work->row[r]];
    linear_add_product(1.0, &own, &work->B, &C);
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < n; c++)
            for (size_t i = 0; i < work->nv; i++)
                linear_row(&normal, r)[c] += linear_row(&own, r)[i] * linear_row(&own, c)[i];
    if (linear_solve(work, &normal, &C) < 0.0) return false;
    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < n; c++)
            for (size_t k = 0; k < rows; k++)
                linear_row(&square, r)[c] += linear_row(&C, r)[k] * linear_row(&C, c)[k];
        for (size_t k = 0; k < rows; k++)
            linear_row(&transposed, k)[r] = linear_row(&C, r)[k];
    }
    linear_matrix inverse;
    if (!linear_new(work, &inverse, n, n)) return false;
    for (size_t r = 0; r < n; r++)
        linear_row(&inverse, r)[r] = 1.0;
    if (linear_solve(work, &square, &inverse) < 0.0) return false;
    linear_add_product(1.0, &transposed, &inverse, &work->spread);
    return true;
}

/* Columns first ... of a matrix as one by itself. */
static bool take_columns(linear_work *work, const linear_matrix *from, size_t rows, size_t first,
                         size_t columns, linear_matrix *to)
{
    if (!linear_new(work, to, rows, columns)) return false;
    for (size_t r = 0; r < rows; r++)
        memcpy(linear_row(to, r), linear_row(from, r) + first, columns * sizeof(double));
    return true;
}

static tn_status solve_accelerations(linear_work *work, composition *c)
{
    const size_t size = work->nv + work->independent, columns = c->size + work->inputs;
    linear_matrix equations, sides, all;
    if (!linear_new(work, &equations, size, size) || !linear_new(work, &sides, size, columns) ||
        !linear_new(work, &all, work->rows, columns) || !fill_sides(work, c, &sides))
        return TN_OUT_OF_MEMORY;
    fill_equations(work, &equations);
    const double condition = linear_solve(work, &equations, &sides);
    if (condition < 0.0) return TN_OUT_OF_MEMORY;
    if (condition < SINGULAR)
        return tn_refuse(work->system->host, NULL,
                         "the equations of motion have no unique accelerations here: some coordinate has no "
                         "mass that moves with it");
    const linear_matrix own = {work->independent, columns, linear_row(&sides, work->nv)};
    if (!find_spread(work)) return TN_OUT_OF_MEMORY;
    linear_add_product(1.0, &work->spread, &own, &all);
    const bool good =
        take_columns(work, &sides, work->nv, 0, c->size, &c->acceleration) &&
        take_columns(work, &sides, work->nv, c->size, work->inputs, &c->acceleration_of_input) &&
        take_columns(work, &all, work->rows, 0, c->size, &c->reaction) &&
        take_columns(work, &all, work->rows, c->size, work->inputs, &c->reaction_of_input);
    return good ? TN_OK : TN_OUT_OF_MEMORY;
}

/* Numbers with these derivatives, by z and by u. */
static void add_slopes(const linear_slopes *slopes, const composition *c, linear_matrix *by_z,
                       linear_matrix *by_u)
{
    linear_add_product(1.0, &slopes->position, &c->xi, by_z);
    linear_add_product(1.0, &slopes->velocity, &c->eta, by_z);
    linear_add_product(1.0, &slopes->acceleration, &c->acceleration, by_z);
    linear_add_product(1.0, &slopes->reaction, &c->reaction, by_z);
    linear_add_product(1.0, &slopes->state, &c->x, by_z);
    linear_add_product(1.0, &slopes->acceleration, &c->acceleration_of_input, by_u);
    linear_add_product(1.0, &slopes->reaction, &c->reaction_of_input, by_u);
    for (size_t k = 0; k < slopes->input.rows * slopes->input.columns; k++)
        by_u->value[k] += slopes->input.value[k];
}

/* Rows of a basis of scaled coordinates over their scale. */
static bool unscale(linear_work *work, const linear_matrix *basis, linear_matrix *to)
{
    if (!linear_new(work, to, basis->rows, work->nv)) return false;
    for (size_t k = 0; k < basis->rows; k++)
        for (size_t i = 0; i < work->nv; i++)
            linear_row(to, k)[i] = linear_row(basis, k)[i] / work->system->scale[i];
    return true;
}

/* p' of own coordinates is that of xi' = eta - T xi, of named ones P eta + S xi; w' of own ones is that of eta', of named ones
 * P eta' + 2 S eta, as P' = S. */
static bool add_motion(linear_work *work, const composition *c, linear_matrix *A, linear_matrix *B)
{
    const bool named = work->positions > 0;
    const size_t np = work->free_count, nw = work->velocity_count, nv = work->nv;
    linear_matrix position = {np, c->size, A->value}, rate = {nw, c->size, linear_row(A, np)};
    linear_matrix rate_of_input = {nw, work->inputs, linear_row(B, np)}, P, V;
    if (named) {
        linear_add_product(1.0, &work->name_row, &c->eta, &position);
        linear_add_product(1.0, &work->name_slope, &c->xi, &position);
        for (size_t k = 0; k < nw; k++) {
            const linear_matrix own = {1, nv, linear_row(&work->name_row, work->rate_of[k])},
                                slope = {1, nv, linear_row(&work->name_slope, work->rate_of[k])};
            linear_matrix row = {1, c->size, linear_row(&rate, k)},
                          of_input = {1, work->inputs, linear_row(&rate_of_input, k)};
            double *position_rate = linear_row(&position, work->rate_of[k]); // is this state itself
            memset(position_rate, 0, c->size * sizeof *position_rate);
            position_rate[np + k] = 1.0;
            linear_add_product(1.0, &own, &c->acceleration, &row);
            linear_add_product(2.0, &slope, &c->eta, &row);
            linear_add_product(1.0, &own, &c->acceleration_of_input, &of_input);
        }
        return true;
    }
    linear_matrix change;
    if (!unscale(work, &work->free_positions, &P) || !unscale(work, &work->free_velocities, &V) ||
        !linear_new(work, &change, nv, c->size))
        return false;
    memcpy(change.value, c->eta.value, nv * c->size * sizeof(double));
    linear_add_product(-1.0, &work->T, &c->xi, &change);
    linear_add_product(1.0, &P, &change, &position);
    linear_add_product(1.0, &V, &c->acceleration, &rate);
    linear_add_product(1.0, &V, &c->acceleration_of_input, &rate_of_input);
    return true;
}

tn_status linear_reduce(linear_work *work)
{
    composition c;
    linear_form *to = &work->minimal;
    if (!compose_state(work, &c)) return TN_OUT_OF_MEMORY;
    const tn_status status = solve_accelerations(work, &c);
    if (status != TN_OK) return status;
    if (!linear_new(work, &to->A, c.size, c.size) || !linear_new(work, &to->B, c.size, work->inputs) ||
        !linear_new(work, &to->C, work->outputs, c.size) ||
        !linear_new(work, &to->D, work->outputs, work->inputs) || !add_motion(work, &c, &to->A, &to->B))
        return TN_OUT_OF_MEMORY;
    const size_t first = work->free_count + work->velocity_count;
    linear_matrix rates = {work->states, c.size, linear_row(&to->A, first)},
                  of_input = {work->states, work->inputs, linear_row(&to->B, first)};
    add_slopes(&work->rate, &c, &rates, &of_input);
    add_slopes(&work->to_output, &c, &to->C, &to->D);
    return TN_OK;
}

/* reduction.c - the linearised equations on what constraints leave free (eigen.h)
 *
 * Coordinates are scaled by their masses, rows to length 1. With R^T = [Q1 Q2] [R1 R2; 0 0] P^T by a QR factorisation with pivots, which
 * shows the rank, Q2 spans what the rows leave free, and Q1 R1^-T b is the least solution of R x = b. Positions obey position rows; velocities
 * position rows and velocity rows, the latter with a part that positions drag along. */
#include "eigen.h"
#include "matrices.h"

#include <lapacke.h>

#define DEPENDENT 1e-8 /* of rows of length 1: what is left of one that depends on others */

/* ---- rows --------------------------------------------------------------------------------------------------- */

/* Rows with their QR factorisation: those that count stand in front. */
typedef struct row_space {
    size_t nv, rows, rank;
    double *factor; /* [nv][rows] R above the diagonal, below it what makes Q */
    double *reflector;
    lapack_int *pivot;
    double *length;       /* [rows] of the scaled rows, in their first order */
    uint32_t *number;     /* [rows] of the system */
    double *first, *rest; /* [nv][rank] Q1, [nv][nv - rank] Q2 */
} row_space;

static bool open_space(const eigen_work *work, row_space *space)
{
    const tn_host *host = work->host;
    const size_t rows = work->rows + 1;
    space->nv = work->nv;
    space->factor = tn_eigen_numbers(host, space->nv * rows);
    space->reflector = tn_eigen_numbers(host, rows);
    space->pivot = host->allocate(host, rows * sizeof *space->pivot);
    space->length = tn_eigen_numbers(host, rows);
    space->number = host->allocate(host, rows * sizeof *space->number);
    return space->factor && space->reflector && space->pivot && space->length && space->number;
}

/* Takes the last row of a space in, scaled to length 1, unless it is zero. */
static void close_row(row_space *space, uint32_t number)
{
    double *row = space->factor + space->rows * space->nv, square = 0.0;
    for (size_t i = 0; i < space->nv; i++)
        square += row[i] * row[i];
    if (!(square > 0.0)) return;
    space->length[space->rows] = sqrt(square);
    space->number[space->rows] = number;
    for (size_t i = 0; i < space->nv; i++)
        row[i] /= space->length[space->rows];
    space->rows++;
}

/* Rows of G, or of G and A where velocities are meant. */
static void load_rows(const eigen_work *work, const double *scale, bool velocities, row_space *space)
{
    const tn_sparse *G = &work->linear->rows;
    for (uint32_t r = 0; r < work->rows; r++) {
        double *row = space->factor + space->rows * space->nv;
        if (!velocities && work->system->row_level[r] != TN_POSITION_ROW) continue;
        memset(row, 0, space->nv * sizeof *row);
        for (uint32_t j = 0; j < G->columns; j++)
            for (int32_t e = G->column_start[j]; e < G->column_start[j + 1]; e++)
                if ((uint32_t)G->row[e] == r) row[j] = G->value[e] * scale[j];
        close_row(space, r);
    }
}

/* Columns of B. */
static void load_reactions(const eigen_work *work, const double *scale, row_space *space)
{
    const tn_sparse *B = &work->linear->reactions;
    for (uint32_t r = 0; r < work->rows; r++) {
        double *row = space->factor + space->rows * space->nv;
        memset(row, 0, space->nv * sizeof *row);
        for (int32_t e = B->column_start[r]; e < B->column_start[r + 1]; e++)
            row[B->row[e]] = B->value[e] * scale[B->row[e]];
        close_row(space, r);
    }
}

static tn_status factorise(const eigen_work *work, row_space *space)
{
    const lapack_int n = (lapack_int)space->nv, m = (lapack_int)space->rows, block = 32;
    const lapack_int least = m < n ? m : n, size = 2 * n + (m + n + 1) * block + 4 * (m + n);
    double *room = tn_eigen_numbers(work->host, (size_t)size),
           *Q = tn_eigen_numbers(work->host, space->nv * space->nv);
    if (!room || !Q) return TN_OUT_OF_MEMORY;
    if (m && LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, m, space->factor, n, space->pivot, space->reflector,
                                 room, size) != 0)
        return TN_FATAL;
    while (space->rank < (size_t)least && fabs(space->factor[space->rank * (space->nv + 1)]) > DEPENDENT)
        space->rank++;
    for (size_t j = 0; j < space->nv; j++)
        for (size_t i = 0; i < space->nv; i++)
            Q[j * space->nv + i] = j < space->rank ? space->factor[j * space->nv + i] : 0.0;
    if (n && LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, n, n, (lapack_int)space->rank, Q, n, space->reflector,
                                 room, size) != 0)
        return TN_FATAL;
    space->first = Q;
    space->rest = Q + space->rank * space->nv;
    return TN_OK;
}

/* The least x [nv][columns] with R x = b; b [rows of the system][columns] is used up. */
static tn_status solve_least(const eigen_work *work, const row_space *space, const double *b, size_t columns,
                             double *x)
{
    const size_t r = space->rank;
    double *y = tn_eigen_numbers(work->host, r * columns);
    if (!y) return TN_OUT_OF_MEMORY;
    for (size_t c = 0; c < columns; c++)
        for (size_t k = 0; k < r; k++) {
            const size_t row = (size_t)space->pivot[k] - 1;
            double sum = b[c * work->rows + space->number[row]] / space->length[row];
            for (size_t l = 0; l < k; l++)
                sum -= space->factor[k * space->nv + l] * y[c * r + l];
            y[c * r + k] = sum / space->factor[k * space->nv + k];
        }
    tn_eigen_product(space->nv, r, columns, space->first, y, x);
    return TN_OK;
}

/* ---- scaled matrices ------------------------------------------------------------------------------------------ */

/* S A S, full. */
static double *expand(const eigen_work *work, const tn_sparse *A, const double *left, const double *right)
{
    double *full = tn_eigen_numbers(work->host, (size_t)A->rows * A->columns);
    for (uint32_t j = 0; full && j < A->columns; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++)
            full[(size_t)j * A->rows + (size_t)A->row[e]] = left[A->row[e]] * A->value[e] * right[j];
    return full;
}

static tn_status expand_all(eigen_work *work, eigen_reduced *r)
{
    const tn_linearisation *linear = work->linear;
    double *inverse = tn_eigen_numbers(work->host, r->nv);
    r->scale = tn_eigen_numbers(work->host, r->nv);
    if (!inverse || !r->scale) return TN_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < work->nv; j++) {
        inverse[j] = sqrt(tn_eigen_weight(work, j));
        r->scale[j] = 1.0 / inverse[j];
    }
    r->mass = expand(work, &linear->mass, r->scale, r->scale);
    r->stiffness = expand(work, &linear->stiffness, r->scale, r->scale);
    r->damping = expand(work, &work->damping, r->scale, r->scale);
    if (work->drags) r->transport = expand(work, &work->transport, inverse, r->scale);
    return r->mass && r->stiffness && r->damping && (r->transport || !work->drags) ? TN_OK : TN_OUT_OF_MEMORY;
}

/* ---- what is free ----------------------------------------------------------------------------------------------- */

/* W: what velocities have to be where positions are dq: L dq against velocity rows, G T dq along position rows. */
static tn_status find_drag(const eigen_work *work, eigen_reduced *r, const row_space *space)
{
    const tn_host *host = work->host;
    const size_t nv = r->nv, rows = work->rows, columns = r->positions;
    double *by_position = tn_eigen_numbers(host, rows * nv), *b = tn_eigen_numbers(host, rows * columns),
           *along = tn_eigen_numbers(host, nv * nv);
    double *one = tn_eigen_numbers(host, rows);
    if (!by_position || !b || !along || !one) return TN_OUT_OF_MEMORY;
    for (size_t k = 0; k < rows; k++)
        one[k] = 1.0;
    const double *G = r->transport ? expand(work, &work->linear->rows, one, r->scale) : NULL,
                 *L = expand(work, &work->linear->row_slopes, one, r->scale);
    if (!L || (r->transport && !G)) return TN_OUT_OF_MEMORY;
    if (r->transport) tn_eigen_product(rows, nv, nv, G, r->transport, by_position);
    for (size_t j = 0; j < nv; j++)
        for (size_t k = 0; k < rows; k++)
            if (work->system->row_level[k] == TN_VELOCITY_ROW) by_position[j * rows + k] = -L[j * rows + k];
    tn_eigen_product(rows, nv, columns, by_position, r->free_positions, b);
    r->drag = tn_eigen_numbers(host, nv * columns);
    return r->drag ? solve_least(work, space, b, columns, r->drag) : TN_OUT_OF_MEMORY;
}

static tn_status find_test(eigen_work *work, eigen_reduced *r)
{
    row_space reactions = {0};
    r->test = r->free_velocities;
    if (work->transposed) return TN_OK;
    if (!open_space(work, &reactions)) return TN_OUT_OF_MEMORY;
    load_reactions(work, r->scale, &reactions);
    const tn_status status = factorise(work, &reactions);
    if (status != TN_OK) return status;
    r->test = reactions.rest;
    if (reactions.rank == r->nv - r->velocities) return TN_OK;
    char text[256];
    (void)tn_print_cut(
        text, sizeof text,
        "%zu multipliers act against %zu independent constraint rows: the linearised equations have no "
        "unique solution",
        reactions.rank, r->nv - r->velocities);
    return work->system->fail(work->system, TN_INVALID, NULL, text);
}

tn_status tn_eigen_reduce(eigen_work *work, eigen_reduced *r)
{
    row_space positions = {0}, velocities = {0};
    *r = (eigen_reduced){.nv = work->nv, .states = work->nx};
    tn_status status = expand_all(work, r);
    if (status == TN_OK && !open_space(work, &positions)) status = TN_OUT_OF_MEMORY;
    if (status != TN_OK) return status;
    load_rows(work, r->scale, false, &positions);
    status = factorise(work, &positions);
    if (status != TN_OK) return status;
    r->positions = r->nv - positions.rank;
    r->free_positions = positions.rest;
    velocities = positions;
    if (work->rolls) {
        velocities = (row_space){0};
        if (!open_space(work, &velocities)) return TN_OUT_OF_MEMORY;
        load_rows(work, r->scale, true, &velocities);
        status = factorise(work, &velocities);
        if (status != TN_OK) return status;
    }
    r->velocities = r->nv - velocities.rank;
    r->free_velocities = velocities.rest;
    r->size = r->positions + r->velocities + r->states;
    if (work->rolls || r->transport) status = find_drag(work, r, &velocities);
    return status == TN_OK ? find_test(work, r) : status;
}

/* ---- the state matrix --------------------------------------------------------------------------------------------- */

/* Adds factor * X [rows][columns] to a block of A at (i, j). */
static void add_block(double *A, size_t size, size_t i, size_t j, size_t rows, size_t columns, double factor,
                      const double *X)
{
    for (size_t c = 0; c < columns; c++)
        for (size_t k = 0; k < rows; k++)
            A[(j + c) * size + i + k] += factor * X[c * rows + k];
}

/* The velocities, and their rates, of unknowns: V = [W, Y, 0] [nv][size], v = V z; likewise positions P = [Z, 0, 0]. */
static void fill_maps(const eigen_reduced *r, double *V, double *P)
{
    const size_t nv = r->nv;
    memcpy(P, r->free_positions, nv * r->positions * sizeof *P);
    if (r->drag) memcpy(V, r->drag, nv * r->positions * sizeof *V);
    memcpy(V + nv * r->positions, r->free_velocities, nv * r->velocities * sizeof *V);
}

/* y' = Z^T (V - T P) z. */
static tn_status fill_kinematics(const eigen_work *work, const eigen_reduced *r, const double *V,
                                 const double *P, double *memory, double *A)
{
    const size_t nv = r->nv, n = r->size;
    double *rates = tn_eigen_numbers(work->host, nv * n),
           *product = tn_eigen_numbers(work->host, r->positions * n);
    if (!rates || !product) return TN_OUT_OF_MEMORY;
    memcpy(rates, V, nv * n * sizeof *rates);
    if (r->transport) {
        tn_eigen_product(nv, nv, n, r->transport, P, memory);
        for (size_t i = 0; i < nv * n; i++)
            rates[i] -= memory[i];
    }
    const tn_status status =
        tn_eigen_transposed_product(work->host, r->positions, nv, n, r->free_positions, rates, product);
    add_block(A, n, 0, 0, r->positions, n, 1.0, product);
    return status;
}

/* The forces -(D V + K P) z + F x, less M W y'. */
static tn_status fill_forces(const eigen_work *work, const eigen_reduced *r, const double *V, const double *P,
                             const double *A, double *memory, double *force)
{
    const size_t nv = r->nv, n = r->size, states = r->states;
    tn_eigen_product(nv, nv, n, r->damping, V, memory);
    for (size_t i = 0; i < nv * n; i++)
        force[i] = -memory[i];
    tn_eigen_product(nv, nv, n, r->stiffness, P, memory);
    for (size_t i = 0; i < nv * n; i++)
        force[i] -= memory[i];
    double *F = force + nv * (n - states);
    for (size_t k = 0; k < states; k++)
        for (size_t i = 0; i < nv; i++)
            F[k * nv + i] += r->scale[i] * work->linear->force_by_state[i * states + k];
    if (!r->drag) return TN_OK;
    double *rates = tn_eigen_numbers(work->host, r->positions * n),
           *dragged = tn_eigen_numbers(work->host, nv * n);
    if (!rates || !dragged) return TN_OUT_OF_MEMORY;
    for (size_t j = 0; j < n; j++)
        memcpy(rates + j * r->positions, A + j * n, r->positions * sizeof *rates);
    tn_eigen_product(nv, r->positions, n, r->drag, rates, dragged);
    tn_eigen_product(nv, nv, n, r->mass, dragged, memory);
    for (size_t i = 0; i < nv * n; i++)
        force[i] -= memory[i];
    return TN_OK;
}

/* u' = (X^T M Y)^-1 X^T force. */
static tn_status fill_dynamics(eigen_work *work, const eigen_reduced *r, const double *force, double *A)
{
    const tn_host *host = work->host;
    const size_t nv = r->nv, n = r->size, m = r->velocities;
    double *mass = tn_eigen_numbers(host, m * m), *product = tn_eigen_numbers(host, nv * m),
           *rates = tn_eigen_numbers(host, m * n);
    lapack_int *pivot = host->allocate(host, (m + 1) * sizeof *pivot);
    if (!mass || !product || !rates || !pivot) return TN_OUT_OF_MEMORY;
    if (!m) return TN_OK;
    tn_eigen_product(nv, nv, m, r->mass, r->free_velocities, product);
    tn_status status = tn_eigen_transposed_product(host, m, nv, m, r->test, product, mass);
    if (status == TN_OK) status = tn_eigen_transposed_product(host, m, nv, n, r->test, force, rates);
    if (status != TN_OK) return status;
    const lapack_int order = (lapack_int)m;
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, order, order, mass, order, pivot) != 0)
        return work->system->fail(
            work->system, TN_INVALID, NULL,
            "the masses of what constraints leave free are singular: accelerations have no "
            "unique solution");
    (void)LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', order, (lapack_int)n, mass, order, pivot, rates, order);
    add_block(A, n, r->positions, 0, m, n, 1.0, rates);
    return TN_OK;
}

/* x' = R (P, V) z + H x. */
static void fill_states(const eigen_work *work, const eigen_reduced *r, const double *V, const double *P,
                        double *A)
{
    const size_t nv = r->nv, n = r->size, states = r->states, first = n - states;
    for (size_t k = 0; k < states; k++) {
        const double *by_position = work->linear->rate_by_motion + k * 2 * nv,
                     *by_velocity = by_position + nv;
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t i = 0; i < nv; i++)
                sum += r->scale[i] * (by_position[i] * P[j * nv + i] + by_velocity[i] * V[j * nv + i]);
            A[j * n + first + k] += sum;
        }
        for (size_t l = 0; l < states; l++)
            A[(first + l) * n + first + k] += work->linear->rate_by_state[k * states + l];
    }
}

tn_status tn_eigen_state_matrix(eigen_work *work, const eigen_reduced *r, double **A)
{
    const tn_host *host = work->host;
    const size_t n = r->size, count = r->nv * n;
    double *V = tn_eigen_numbers(host, count), *P = tn_eigen_numbers(host, count),
           *memory = tn_eigen_numbers(host, count), *force = tn_eigen_numbers(host, count);
    *A = tn_eigen_numbers(host, n * n);
    if (!V || !P || !memory || !force || !*A) return TN_OUT_OF_MEMORY;
    fill_maps(r, V, P);
    tn_status status = fill_kinematics(work, r, V, P, memory, *A);
    if (status == TN_OK) status = fill_forces(work, r, V, P, *A, memory, force);
    if (status == TN_OK) status = fill_dynamics(work, r, force, *A);
    fill_states(work, r, V, P, *A);
    return status;
}

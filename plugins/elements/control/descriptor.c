/* descriptor.c - the descriptor form E x' = A x + B u (control.h), also with a singular E of index 1
 *
 * Elimination with pivots makes of E the rows (I F) and zeros, in the order of the pivots, which are x_p, and of the other states x_f:
 * z = x_p + F x_f has rates, and the rows without rates give x_f of z and u. Without such rows z is x. */
#include "control.h"

/* Rows of [E A B], scaled. */
typedef struct equations {
    uint32_t n, m, width; /* width: 2 n + m */
    double *row;          /* [n][width] */
    double *scale;        /* [n] of the columns of E */
    uint32_t *pivot; /* [n] columns: the first `rank` have pivots, the others none, both in their order */
    uint32_t rank;
} equations;

enum { E_PART, A_PART };
static const double rank_tolerance = 1e-12;

static double *at(const equations *e, uint32_t row, uint32_t part, uint32_t column)
{
    return &e->row[(size_t)row * e->width + part * e->n + column];
}

static double largest(const double *number, uint32_t count)
{
    double most = 0.0;
    for (uint32_t k = 0; k < count; k++)
        most = fmax(most, fabs(number[k]));
    return most;
}

static void divide_row(double *row, uint32_t count, double by)
{
    for (uint32_t k = 0; k < count; k++)
        row[k] /= by;
}

static void exchange_rows(double *a, double *b, uint32_t count)
{
    for (uint32_t k = 0; k < count && a != b; k++) {
        const double kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

/* Row `r` has a pivot of 1 in this place: all others become zero there. */
static void clear_column(double *rows, uint32_t count, uint32_t width, uint32_t r, uint32_t column)
{
    const double *from = rows + (size_t)r * width;
    for (uint32_t i = 0; i < count; i++) {
        double *to = rows + (size_t)i * width;
        const double factor = i == r ? 0.0 : to[column];
        for (uint32_t k = 0; factor != 0.0 && k < width; k++)
            to[k] -= factor * from[k];
    }
}

static void scale_rows(const equations *e)
{
    for (uint32_t r = 0; r < e->n; r++) {
        const double size = largest(at(e, r, E_PART, 0), e->n);
        if (size > 0.0) divide_row(at(e, r, E_PART, 0), e->width, size);
    }
    for (uint32_t c = 0; c < e->n; c++)
        for (uint32_t r = 0; r < e->n; r++)
            e->scale[c] = fmax(e->scale[c], fabs(*at(e, r, E_PART, c)));
}

/* The best pivot in the rows from `rank` on, which is moved there; false: there is none. */
static bool choose_pivot(const equations *e)
{
    double best = rank_tolerance;
    uint32_t row = 0, column = 0;
    for (uint32_t r = e->rank; r < e->n; r++)
        for (uint32_t k = e->rank; k < e->n; k++) {
            const uint32_t c = e->pivot[k];
            if (!(fabs(*at(e, r, E_PART, c)) > best * e->scale[c])) continue;
            best = fabs(*at(e, r, E_PART, c)) / e->scale[c];
            row = r;
            column = k;
        }
    if (!(best > rank_tolerance)) return false;
    const uint32_t chosen = e->pivot[column];
    exchange_rows(at(e, e->rank, E_PART, 0), at(e, row, E_PART, 0), e->width);
    e->pivot[column] = e->pivot[e->rank];
    e->pivot[e->rank] = chosen;
    return true;
}

/* Columns in their order; those with pivots take their rows along. */
static void sort_pivots(const equations *e, uint32_t first, uint32_t end, bool with_rows)
{
    for (uint32_t i = first; i < end; i++)
        for (uint32_t k = i + 1; k < end; k++) {
            if (e->pivot[k] > e->pivot[i]) continue;
            const uint32_t kept = e->pivot[i];
            e->pivot[i] = e->pivot[k];
            e->pivot[k] = kept;
            if (with_rows) exchange_rows(at(e, i, E_PART, 0), at(e, k, E_PART, 0), e->width);
        }
}

static void eliminate(equations *e)
{
    scale_rows(e);
    for (e->rank = 0; e->rank < e->n && choose_pivot(e); e->rank++) {
        double *row = at(e, e->rank, E_PART, 0);
        divide_row(row, e->width, row[e->pivot[e->rank]]);
        clear_column(e->row, e->n, e->width, e->rank, e->pivot[e->rank]);
    }
    sort_pivots(e, 0, e->rank, true);
    sort_pivots(e, e->rank, e->n, false);
}

static double by_F(const equations *e, uint32_t k, uint32_t f)
{
    return *at(e, k, E_PART, e->pivot[e->rank + f]);
}

/* Row r of A, by z and x_f; behind it that of B. */
static void write_row(const equations *e, uint32_t r, double *to)
{
    for (uint32_t k = 0; k < e->rank; k++)
        to[k] = *at(e, r, A_PART, e->pivot[k]);
    for (uint32_t f = 0; f < e->n - e->rank; f++) {
        double sum = *at(e, r, A_PART, e->pivot[e->rank + f]);
        for (uint32_t k = 0; k < e->rank; k++)
            sum -= to[k] * by_F(e, k, f);
        to[e->rank + f] = sum;
    }
    memcpy(to + e->n, at(e, r, A_PART, e->n), e->m * sizeof *to);
}

/* Solves the rows without rates for x_f, by elimination: each is then one of x_f plus what follows it by z and u. */
static bool solve_rest(const equations *e, double *rows)
{
    const uint32_t rest = e->n - e->rank, width = e->n + e->m;
    for (uint32_t f = 0; f < rest; f++) {
        const double size = largest(rows + (size_t)f * width, e->n);
        if (!(size > 0.0)) return false;
        divide_row(rows + (size_t)f * width, width, size);
    }
    for (uint32_t f = 0; f < rest; f++) {
        const uint32_t column = e->rank + f;
        uint32_t best = f;
        for (uint32_t i = f + 1; i < rest; i++)
            if (fabs(rows[(size_t)i * width + column]) > fabs(rows[(size_t)best * width + column])) best = i;
        exchange_rows(rows + (size_t)f * width, rows + (size_t)best * width, width);
        const double pivot = rows[(size_t)f * width + column];
        if (!(fabs(pivot) > rank_tolerance)) return false;
        divide_row(rows + (size_t)f * width, width, pivot);
        clear_column(rows, rest, width, f, column);
    }
    return true;
}

/* ---- the block of z -------------------------------------------------------------------------------------------- */

/* x = X z + U u, where the rows `rest` give x_f. */
static void write_states(const equations *e, const double *rest, double *X, double *U)
{
    const uint32_t width = e->n + e->m;
    for (uint32_t k = 0; k < e->rank; k++)
        X[(size_t)e->pivot[k] * e->rank + k] = 1.0;
    for (uint32_t f = 0; f < e->n - e->rank; f++) {
        const double *row = rest + (size_t)f * width;
        const uint32_t own = e->pivot[e->rank + f];
        for (uint32_t k = 0; k <= e->rank; k++) {
            const uint32_t to = k < e->rank ? e->pivot[k] : own;
            const double factor = k < e->rank ? by_F(e, k, f) : -1.0; /* x_p = z - F x_f */
            for (uint32_t c = 0; c < e->rank; c++)
                X[(size_t)to * e->rank + c] += factor * row[c];
            for (uint32_t c = 0; c < e->m; c++)
                U[(size_t)to * e->m + c] += factor * row[e->n + c];
        }
    }
}

/* Row r of A and B, by z and u alone. */
static void write_rates(const equations *e, uint32_t r, const double *rest, double *A, double *B)
{
    const uint32_t width = e->n + e->m;
    double row[2 * CONTROL_MOST_STATES + CONTROL_MOST_INPUTS];
    write_row(e, r, row);
    memcpy(A + (size_t)r * e->rank, row, e->rank * sizeof *row);
    memcpy(B + (size_t)r * e->m, row + e->n, e->m * sizeof *row);
    for (uint32_t f = 0; f < e->n - e->rank; f++) {
        for (uint32_t c = 0; c < e->rank; c++)
            A[(size_t)r * e->rank + c] -= row[e->rank + f] * rest[(size_t)f * width + c];
        for (uint32_t c = 0; c < e->m; c++)
            B[(size_t)r * e->m + c] -= row[e->rank + f] * rest[(size_t)f * width + e->n + c];
    }
}

static void write_start(const equations *e, double *to)
{
    for (uint32_t k = 0; k < e->rank; k++) {
        to[(size_t)k * e->n + e->pivot[k]] = 1.0;
        for (uint32_t f = 0; f < e->n - e->rank; f++)
            to[(size_t)k * e->n + e->pivot[e->rank + f]] = by_F(e, k, f);
    }
}

static void write_outputs(const control_block *b, const equations *e, double *C, double *D)
{
    memcpy(D, b->D, (size_t)b->outputs * e->m * sizeof *D);
    for (uint32_t r = 0; r < b->outputs; r++)
        for (uint32_t k = 0; k < e->n; k++) {
            const double factor = b->C[(size_t)r * e->n + k];
            for (uint32_t c = 0; c < e->rank; c++)
                C[(size_t)r * e->rank + c] += factor * b->of_states[(size_t)k * e->rank + c];
            for (uint32_t c = 0; c < e->m; c++)
                D[(size_t)r * e->m + c] += factor * b->of_inputs[(size_t)k * e->m + c];
        }
}

static tn_status make_block(const tn_host *host, const equations *e, const double *rest, control_block *b)
{
    const size_t n = e->n, m = e->m, r = e->rank;
    double *A = tn_control_numbers(host, r * r), *B = tn_control_numbers(host, r * m),
           *C = tn_control_numbers(host, b->outputs * r), *D = tn_control_numbers(host, b->outputs * m),
           *X = tn_control_numbers(host, n * r), *U = tn_control_numbers(host, n * m),
           *start = tn_control_numbers(host, r * n);
    if (!A || !B || !C || !D || !X || !U || !start) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < e->rank; k++)
        write_rates(e, k, rest, A, B);
    write_states(e, rest, X, U);
    write_start(e, start);
    b->of_states = X;
    b->of_inputs = U;
    write_outputs(b, e, C, D);
    b->A = A;
    b->B = B;
    b->C = C;
    b->D = D;
    b->from_start = start;
    b->states = e->rank;
    return TN_OK;
}

tn_status tn_control_descriptor(const tn_host *host, control_block *b, const double *E, const char *key)
{
    const size_t n = b->states, m = b->inputs;
    equations e = {.n = b->states, .m = b->inputs, .width = 2 * b->states + b->inputs};
    e.row = tn_control_numbers(host, n * e.width);
    e.scale = tn_control_numbers(host, n);
    e.pivot = host->allocate(host, (n + 1) * sizeof *e.pivot);
    double *rest = tn_control_numbers(host, n * (n + m));
    if (!e.row || !e.scale || !e.pivot || !rest) return TN_OUT_OF_MEMORY;
    for (uint32_t r = 0; r < n; r++) {
        memcpy(at(&e, r, E_PART, 0), E + r * n, n * sizeof *E);
        memcpy(at(&e, r, A_PART, 0), b->A + r * n, n * sizeof *E);
        memcpy(at(&e, r, A_PART, e.n), b->B + r * m, m * sizeof *E);
        e.pivot[r] = r;
    }
    eliminate(&e);
    for (uint32_t f = 0; e.rank + f < e.n; f++)
        write_row(&e, e.rank + f, rest + (size_t)f * (e.n + e.m));
    if (!solve_rest(&e, rest))
        return tn_refuse(host, key,
                         "E is singular, of rank %u, and the equations without rates do not give the other "
                         "states: a descriptor form of index 2 or more is to be reduced to its minimal form",
                         e.rank);
    return make_block(host, &e, rest, b);
}

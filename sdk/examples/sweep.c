/* sweep.c - a constraint solver: row by row, each against all others, by full columns of A^-1 G^T; joints and one-sided rows */
#include <tenon/author.h>
#if TN_VALUES
#include <tenon/kit/impulse_error.h>

#include <stdlib.h>

#define SWEEP(P)                                                                  \
    P(REAL, tolerance, "", TN_ABOVE_LOW, 1e-8, 0.0, 1.0, "error that is allowed") \
    P(INTEGER, most_sweeps, 0, 10000, 1, 1e9, "over all rows")
TN_PARAMETERS(sweep, SWEEP)

typedef struct sweeper {
    const sweep *of;
    const tn_own_matrices *linear;
    void *A;        /* opened; its pattern is the same in all problems of a run */
    double *column; /* [rows][nv] A^-1 G^T, then z [nv] and the rates [rows] */
    size_t room;
} sweeper;

static void sweep_destroy(void *self)
{
    sweeper *s = self;
    if (s->A) s->linear->close(s->linear, s->A);
    free(s->column);
    free(s);
}

static tn_status sweep_create(TN_UNUSED const tn_host *host, const void *instance,
                              const tn_own_matrices *linear, void **self)
{
    sweeper *s = *self = calloc(1, sizeof *s);
    if (!s) return TN_OUT_OF_MEMORY;
    s->of = instance;
    s->linear = linear;
    return TN_OK;
}

/* Room for the largest problem so far. */
static bool has_room(sweeper *s, size_t count)
{
    if (count <= s->room) return true;
    double *grown = realloc(s->column, 2 * count * sizeof *grown);
    if (!grown) return false;
    s->column = grown;
    s->room = 2 * count;
    return true;
}

static tn_status find_columns(sweeper *s, const tn_impulse_problem *p)
{
    tn_status status = s->A ? TN_OK : s->linear->open(s->linear, p->matrix, 0, &s->A);
    if (status == TN_OK) status = s->linear->factor(s->linear, s->A, p->matrix->value);
    memset(s->column, 0, (size_t)p->rows * p->nv * sizeof *s->column);
    for (uint32_t r = 0; status == TN_OK && r < p->rows; r++) {
        double *x = s->column + (size_t)r * p->nv;
        for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++)
            x[p->column[e]] = p->value[e];
        status = s->linear->solve(s->linear, s->A, x);
    }
    return status;
}

/* One row: its impulse makes its rate vanish, or is none where it would pull. */
static void renew(const sweeper *s, const tn_impulse_problem *p, uint32_t r, bool one_sided, double *z)
{
    const double *x = s->column + (size_t)r * p->nv;
    double rate = p->free_rate[r], W = 0.0;
    for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++) {
        rate += p->value[e] * z[p->column[e]];
        W += p->value[e] * x[p->column[e]];
    }
    if (!(W > 0.0)) return;
    double impulse = p->impulse[r] - rate / W;
    if (one_sided && impulse < 0.0) impulse = 0.0;
    for (uint32_t j = 0; j < p->nv; j++)
        z[j] += x[j] * (impulse - p->impulse[r]);
    p->impulse[r] = impulse;
}

static tn_status sweep_solve(void *self, const tn_impulse_problem *p, tn_impulse_outcome *outcome)
{
    sweeper *s = self;
    tn_status status = tn_impulse_open(p, outcome); /* laws that are known, numbers that are finite */
    if (status != TN_OK) return status;
    for (uint32_t b = 0; b < p->blocks; b++)
        if (p->block[b].law == TN_CONE_LAW) {
            outcome->worst = b;
            return TN_UNSUPPORTED;
        }
    if (!has_room(s, (size_t)p->rows * p->nv + p->nv + p->rows)) return TN_OUT_OF_MEMORY;
    status = find_columns(s, p);
    if (status != TN_OK) return status;
    double *z = s->column + (size_t)p->rows * p->nv, *rate = z + p->nv;
    memset(z, 0, p->nv * sizeof *z);
    for (uint32_t r = 0; r < p->rows; r++) /* from where the step before has left off */
        for (uint32_t j = 0; j < p->nv; j++)
            z[j] += s->column[(size_t)r * p->nv + j] * p->impulse[r];
    for (outcome->iterations = 0; outcome->iterations < s->of->most_sweeps; outcome->iterations++) {
        tn_impulse_rates(p, z, rate);
        tn_impulse_error(p, rate, outcome);
        if (outcome->error <= s->of->tolerance) return TN_OK;
        for (uint32_t b = 0; b < p->blocks; b++)
            for (uint32_t i = 0; i < p->block[b].rows; i++)
                renew(s, p, p->block[b].first + i, p->block[b].law == TN_UNILATERAL_LAW, z);
    }
    return TN_RETRY;
}

TN_CONSTRAINT_SOLVER(sweep, .summary = "row by row, by full columns", .formula = "p_r -= u_r / W_rr",
                     .create = sweep_create, .solve = sweep_solve, .destroy = sweep_destroy)
TN_LIBRARY("sweep", "1.0.0", "Apache-2.0", "impulses row by row", {TN_CONSTRAINT_SOLVER_KIND, &sweep_type})
#endif

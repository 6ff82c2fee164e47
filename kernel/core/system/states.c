/* states.c - first-order states of elements in implicit solvers
 *
 * A step moves x by x = base + s x'(x, u), with s the solver's state factor and u the poses and twists of the markers: each
 * instance for itself, so its states are found by a small Newton iteration at every evaluation, and the solver sees forces
 * f(u, x(u)). Their derivative is f_u + f_x (1 - s h_x)^-1 s h_u: it takes the place of f_u in the tangent of the instance,
 * and the matrix of the system has no rows for x. Integrals of expressions change with values that belong to no instance:
 * coupling_matrix.c. */
#include "system/states.h"

#include "system/algebraic.h"
#include "system/lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_TURNS = 20 };
/* Newton's method squares errors: behind a correction of this size, relative to the state, nothing is left. */
static const double small = 1e-8;

struct tn_states {
    double *tangent, *rate;     /* of the rates of a group, or of a chunk */
    double *matrix, *direction; /* [nx][nx], [nx] of one instance */
    uint32_t *exchange;         /* [nx] */
};

/* ---- states of an evaluation ----------------------------------------------------------------------------- */

/* 1 - s h_x of one instance, factored; `tangent` [nx][stride], its columns of states from `first` on. */
static bool factor(const struct tn_states *m, uint32_t n, double s, const double *tangent, size_t stride,
                   size_t first)
{
    uint32_t dependent = 0;
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = 0; c < n; c++)
            m->matrix[r * n + c] = (r == c) - s * tangent[r * stride + first + c];
    return tn_lu_factor(n, m->matrix, m->exchange, &dependent);
}

/* What the states x of an instance leave of their equations, into `left`; true when that is round-off. */
static bool find_residual(uint32_t n, double factor, const double *base, const double *rate,
                          const double *tangent, size_t stride, const double *x, double *left)
{
    bool settled = true;
    for (uint32_t k = 0; k < n; k++) {
        double size = fabs(base[k]) + fabs(x[k]);
        for (uint32_t j = 0; j < n; j++)
            size += fabs(factor * tangent[k * stride + j] * x[j]);
        left[k] = base[k] + factor * rate[k] - x[k];
        settled = settled && fabs(left[k]) <= 64.0 * DBL_EPSILON * size;
    }
    return settled;
}

/* One correction of the states x of an instance with these rates; true when it was the last one. */
static bool correct(const tn_assembly *assembly, uint32_t n, const double *base, const double *rate,
                    const double *tangent, size_t stride, double *x)
{
    const struct tn_states *m = assembly->states;
    double *d = m->direction;
    const double s = assembly->system.state_factor;
    if (find_residual(n, s, base, rate, tangent, stride, x, d)) return true;
    if (!factor(m, n, s, tangent, stride, 0)) return false;
    tn_lu_solve(n, m->matrix, m->exchange, d);
    bool done = true;
    for (uint32_t k = 0; k < n; k++) {
        x[k] += d[k];
        done = done && fabs(d[k]) <= small * fmax(fabs(base[k]), fabs(x[k]));
    }
    return done;
}

/* Algebraic unknowns at the states as they are; then the rates, with their derivatives by states, which the unknowns follow. */
static tn_status find_rates(const tn_assembly *assembly, const tn_group *group, uint32_t first,
                            tn_batch *batch)
{
    tn_status status = tn_algebraic_follow(assembly, group, first, batch->count);
    if (status == TN_OK) status = tn_call(group->type, rates_tangent, batch);
    return status == TN_OK ? tn_algebraic_condense(assembly, group, batch, batch->layout->nx, batch->tangent)
                           : status;
}

/* Where there is no solution the states start anew the next time. */
static tn_status give_up(const tn_batch *batch, const double *base, double *x, uint32_t instance)
{
    memcpy(x, base, (size_t)batch->layout->nx * batch->count * sizeof *x);
    *batch->failure = (tn_failure){instance, TN_RETRY, "its states have no solution at the end of the step"};
    return TN_RETRY;
}

tn_status tn_states_find(const tn_assembly *assembly, const tn_group *group, uint32_t first, uint32_t count)
{
    if (!tn_states_are_followed(assembly, group)) return TN_OK;
    const struct tn_states *m = assembly->states;
    const uint32_t n = group->batch.layout->nx, unknowns = group->batch.layout->ns, stride = n + unknowns;
    const size_t start = group->x_start + (size_t)first * n;
    const tn_column_block columns[] = {{TN_STATE_COLUMNS, 0, n}, {TN_ALGEBRAIC_COLUMNS, n, unknowns}};
    const double *base = assembly->system.state_base + start;
    double *x = assembly->system.x + start, *rate = assembly->system.x_rate + start;
    tn_batch batch = tn_sub_batch(group, first, count);
    batch.time = assembly->system.time;
    batch.frozen = assembly->system.frozen;
    batch.tangent = m->tangent;
    batch.tangent_stride = stride;
    batch.columns = columns;
    batch.column_blocks = sizeof columns / sizeof *columns;
    uint32_t waiting = 0;
    for (int turn = 0; turn == 0 || (waiting != TN_NONE && turn < MOST_TURNS); turn++) {
        const tn_status status = find_rates(assembly, group, first, &batch);
        if (status != TN_OK) return status;
        waiting = TN_NONE;
        for (uint32_t i = 0; i < count; i++) {
            const size_t at = (size_t)i * n;
            if (!correct(assembly, n, base + at, rate + at, m->tangent + at * stride, stride, x + at))
                waiting = i;
        }
    }
    if (waiting != TN_NONE) return give_up(&batch, base, x, waiting);
    for (size_t k = 0; k < (size_t)n * count; k++)
        rate[k] = (x[k] - base[k]) / assembly->system.state_factor;
    return tn_algebraic_follow(assembly, group, first, count);
}

bool tn_states_are_followed(const tn_assembly *assembly, const tn_group *group)
{
    return group->follows && assembly->system.state_base && assembly->system.state_factor > 0.0;
}

tn_status tn_states_find_all(tn_assembly *assembly)
{
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        const tn_group *group = &assembly->group[k];
        status = tn_states_find(assembly, group, 0, group->batch.count);
        if (status != TN_OK) status = tn_refused(assembly, group, status);
    }
    return status;
}

/* ---- the tangent of forces ------------------------------------------------------------------------------- */

/* Adds f_x dx of one instance to all columns but those of the states. */
static void condense(const struct tn_states *m, const tn_batch *batch, double s, const double *rates,
                     double *tangent)
{
    const uint32_t n = batch->layout->nx, W = batch->wrench_size;
    const size_t stride = batch->tangent_stride, first = tn_first_column(batch, TN_STATE_COLUMNS);
    for (size_t c = 0; c < stride; c++) {
        if (c >= first && c < first + n) continue;
        double *d = m->direction, largest = 0.0;
        for (uint32_t k = 0; k < n; k++) {
            d[k] = s * rates[k * stride + c];
            largest = fmax(largest, fabs(d[k]));
        }
        if (largest == 0.0) continue;
        tn_lu_solve(n, m->matrix, m->exchange, d);
        for (uint32_t r = 0; r < W; r++)
            for (uint32_t k = 0; k < n; k++)
                tangent[r * stride + c] += tangent[r * stride + first + k] * d[k];
    }
}

tn_status tn_states_differentiate(const tn_assembly *assembly, const tn_group *group, const tn_batch *batch,
                                  const double **tangent)
{
    tn_batch rates = *batch;
    rates.tangent = assembly->states->tangent;
    rates.x_rate = assembly->states->rate;
    *tangent = rates.tangent;
    const tn_status status = tn_call(group->type, rates_tangent, &rates);
    return status == TN_OK ? tn_algebraic_condense(assembly, group, batch, batch->layout->nx, rates.tangent)
                           : status;
}

tn_status tn_states_condense(const tn_assembly *assembly, const tn_group *group, const tn_batch *batch,
                             double state_factor)
{
    if (!group->follows || state_factor == 0.0) return TN_OK;
    const size_t stride = batch->tangent_stride, n = batch->layout->nx;
    const double *tangent = NULL;
    const tn_status status = tn_states_differentiate(assembly, group, batch, &tangent);
    for (size_t i = 0; i < batch->count && status == TN_OK; i++, tangent += n * stride) {
        if (!factor(assembly->states, (uint32_t)n, state_factor, tangent, stride,
                    tn_first_column(batch, TN_STATE_COLUMNS)))
            return TN_RETRY;
        condense(assembly->states, batch, state_factor, tangent,
                 batch->tangent + i * batch->wrench_size * stride);
    }
    return status;
}

/* ---- columns and memory ---------------------------------------------------------------------------------- */

/* The blocks of columns that forces of a group are differentiated by. */
static void list_columns(tn_assembly *assembly, tn_group *group)
{
    tn_batch *batch = &group->batch;
    const uint32_t W = batch->wrench_size, states = group->follows ? batch->layout->nx : 0,
                   before = 2 * W + batch->dynamic_columns;
    const tn_column_block blocks[] = {{TN_POSE_COLUMNS, 0, W},
                                      {TN_TWIST_COLUMNS, W, W},
                                      {TN_PARAMETER_COLUMNS, 2 * W, batch->dynamic_columns},
                                      {TN_STATE_COLUMNS, before, states},
                                      {TN_ALGEBRAIC_COLUMNS, before + states, batch->layout->ns}};
    tn_column_block *columns = tn_arena_new(&assembly->model->arena, sizeof blocks);
    memcpy(columns, blocks, sizeof blocks);
    batch->columns = columns;
    batch->column_blocks = sizeof blocks / sizeof *blocks;
    batch->tangent_stride = before + states + batch->layout->ns;
}

void tn_states_build(tn_assembly *assembly)
{
    size_t most = 0, rates = 0, tangent = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        const size_t n = group->batch.layout->nx, count = group->batch.count,
                     whole = count * n * (n + group->batch.layout->ns);
        group->follows = n > 0 && group->type->rates_tangent && !group->type->is_variable;
        list_columns(assembly, group);
        if (!group->follows) continue;
        const size_t chunk = tn_chunk(count) * n;
        most = n > most ? n : most;
        rates = chunk > rates ? chunk : rates;
        tangent = whole > tangent ? whole : tangent;
        if (chunk * group->batch.tangent_stride > tangent) tangent = chunk * group->batch.tangent_stride;
    }
    if (!most) return;
    struct tn_states *m = assembly->states = tn_new(1, sizeof *m);
    m->tangent = tn_new_aligned(tangent, sizeof(double));
    m->rate = tn_new(rates, sizeof(double));
    m->matrix = tn_new(most * most, sizeof(double));
    m->direction = tn_new(most, sizeof(double));
    m->exchange = tn_new(most, sizeof(uint32_t));
}

void tn_states_free(struct tn_states *m)
{
    if (!m) return;
    tn_free(m->tangent);
    tn_free(m->rate);
    tn_free(m->matrix);
    tn_free(m->direction);
    tn_free(m->exchange);
    tn_free(m);
}

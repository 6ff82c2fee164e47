/* states.c - first-order states of elements in implicit solvers
 *
 * A step moves x by x = base + s x'(x, u), with s the solver's state factor and u the poses and twists of the markers: each
 * instance for itself, so its states are found by a small Newton iteration at every evaluation, and the solver sees forces
 * f(u, x(u)). Their derivative is f_u + f_x (1 - s h_x)^-1 s h_u: it takes the place of f_u in the tangent of the instance,
 * and the matrix of the system has no rows for x. Integrals of expressions change with values that belong to no instance:
 * value_source.h. */
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
    double *tangent, *rate; /* of the rates of a group, or of a chunk */
    tn_small_system system; /* of the nx states of one instance */
};

/* ---- states of an evaluation ----------------------------------------------------------------------------- */

/* 1 - s h_x of one instance, factored; `tangent` [nx][stride], its columns of states from `first` on. */
static bool factor_states(const tn_small_system *system, uint32_t n, double s, const double *tangent,
                          size_t stride, size_t first)
{
    uint32_t dependent = 0;
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t c = 0; c < n; c++)
            system->matrix[r * n + c] = (r == c) - s * tangent[r * stride + first + c];
    return tn_lu_factor(n, system->matrix, system->exchange, &dependent);
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
static bool correct_states(const tn_assembly *assembly, uint32_t n, const double *base, const double *rate,
                           const double *tangent, size_t stride, double *x)
{
    const tn_small_system *system = &assembly->states->system;
    double *d = system->direction;
    const double s = assembly->system.state_factor;
    if (find_residual(n, s, base, rate, tangent, stride, x, d)) return true;
    if (!factor_states(system, n, s, tangent, stride, 0)) return false;
    tn_lu_solve(n, system->matrix, system->exchange, d);
    bool done = true;
    for (uint32_t k = 0; k < n; k++) {
        x[k] += d[k];
        done = done && fabs(d[k]) <= small * fmax(fabs(base[k]), fabs(x[k]));
    }
    return done;
}

/* Algebraic unknowns at the states as they are; then the rates, with their derivatives by states, which the unknowns follow. */
static tn_status find_rates_of_states(const tn_assembly *assembly, const tn_group *group, uint32_t first,
                                      tn_batch *batch)
{
    tn_status status = tn_algebraic_follow(assembly, group, first, batch->count);
    if (status == TN_OK) status = tn_call(group->type, rates_tangent, batch);
    return status == TN_OK ? tn_algebraic_condense(assembly, group, batch, batch->layout->nx, batch->tangent)
                           : status;
}

/* Where there is no solution the states start anew the next time. */
static tn_status restart_states(const tn_batch *batch, const double *base, double *x, uint32_t instance)
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
        const tn_status status = find_rates_of_states(assembly, group, first, &batch);
        if (status != TN_OK) return status;
        waiting = TN_NONE;
        for (uint32_t i = 0; i < count; i++) {
            const size_t at = (size_t)i * n;
            if (!correct_states(assembly, n, base + at, rate + at, m->tangent + at * stride, stride, x + at))
                waiting = i;
        }
    }
    if (waiting != TN_NONE) return restart_states(&batch, base, x, waiting);
    for (size_t k = 0; k < (size_t)n * count; k++)
        rate[k] = (x[k] - base[k]) / assembly->system.state_factor;
    return tn_algebraic_follow(assembly, group, first, count);
}

bool tn_states_are_followed(const tn_assembly *assembly, const tn_group *group)
{
    return group->follows && assembly->system.state_base && assembly->system.state_factor > 0.0;
}

/* ---- the tangent of forces ------------------------------------------------------------------------------- */

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
    const tn_small_system *system = &assembly->states->system;
    const uint32_t n = batch->layout->nx;
    const size_t stride = batch->tangent_stride, first = tn_first_column(batch, TN_STATE_COLUMNS);
    const double *tangent = NULL;
    const tn_status status = tn_states_differentiate(assembly, group, batch, &tangent);
    for (size_t i = 0; i < batch->count && status == TN_OK; i++, tangent += n * stride) {
        if (!factor_states(system, n, state_factor, tangent, stride, first)) return TN_RETRY;
        tn_small_condense(system, n, state_factor, tangent, stride, first, batch->wrench_size,
                          batch->tangent + i * batch->wrench_size * stride);
    }
    return status;
}

/* ---- columns and memory ---------------------------------------------------------------------------------- */

/* The blocks of columns that forces of a group are differentiated by. */
static void list_columns(tn_assembly *assembly, tn_group *group)
{
    tn_batch *batch = &group->batch;
    const bool points = group->type->points && !group->force; /* no forces, of maybe many markers */
    const uint32_t W = points ? 0 : batch->wrench_size, states = group->follows ? batch->layout->nx : 0,
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
    struct tn_states *m = assembly->states = tn_assembly_new(assembly, 1, sizeof *m);
    m->tangent = tn_assembly_new(assembly, tangent, sizeof(double));
    m->rate = tn_assembly_new(assembly, rates, sizeof(double));
    m->system = tn_small_system_new(assembly, most);
}

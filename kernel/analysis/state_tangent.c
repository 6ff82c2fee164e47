/* state_tangent.c - derivatives of forces by states of elements, and of the rates of states, for solvers that integrate both as one
 * system: with J, T as in matrix.c, f_x = J_a^T F_x, and the rates have h_q = H_u J_c + H_w T_c, h_v = H_w J_c. */
#include "analysis/differences.h"

#include "system/matrix.h"
#include "system/states.h"
#include "values/value_graph.h"

#include <string.h>

typedef struct state_matrices {
    double *force, *motion, *state; /* [nv][n], [n][2 nv], [n][n] */
    size_t nv, n;
} state_matrices;

/* Wrenches on one marker by the states of its element, in their columns from `first` on. */
static void add_forces(const state_matrices *to, const tn_end *e, const double *tangent, size_t stride,
                       size_t count, size_t first)
{
    for (size_t r = 0; r < e->width; r++)
        for (size_t j = e->J ? 0 : r; j < (e->J ? e->nv : r + 1); j++) {
            double *row = to->force + (e->v_start + j) * to->n + first;
            for (size_t k = 0; k < count; k++)
                row[k] += (e->J ? e->J[r * e->nv + j] : 1.0) * tangent[(e->column + r) * stride + k];
        }
}

/* The rates of the states of an element by the pose and twist of one marker. */
static void add_rates(const state_matrices *to, const tn_end *e, const tn_batch *batch, const double *tangent,
                      size_t first)
{
    const size_t stride = batch->tangent_stride;
    for (size_t k = 0; k < batch->layout->nx; k++) {
        const double *by_pose = tangent + k * stride + e->column, *by_twist = by_pose + batch->wrench_size;
        double *q = to->motion + (first + k) * 2 * to->nv + e->v_start, *v = q + to->nv;
        for (size_t r = 0; r < e->width; r++) {
            if (!e->J) {
                q[r] += by_pose[r];
                v[r] += by_twist[r];
            }
            for (size_t j = 0; e->J && j < e->nv; j++) {
                const double J = e->J[r * e->nv + j], T = e->T[r * e->nv + j];
                q[j] += by_pose[r] * J + by_twist[r] * T;
                v[j] += by_twist[r] * J;
            }
        }
    }
}

/* All of one instance, whose states stand from `first` on. */
static void add_instance(tn_assembly *assembly, const tn_group *group, size_t instance, const double *forces,
                         const double *rates, const state_matrices *to)
{
    const tn_batch *batch = &group->batch;
    const size_t stride = batch->tangent_stride, count = batch->layout->nx;
    const size_t first = group->x_start + instance * count;
    const uint32_t column = tn_first_column(batch, TN_STATE_COLUMNS);
    tn_ends_of_instance(assembly, group, instance, tn_scratch(assembly)->end);
    for (size_t a = 0; a < group->leg_count; a++) {
        if (!tn_scratch(assembly)->end[a].nv) continue;
        if (forces) add_forces(to, &tn_scratch(assembly)->end[a], forces + column, stride, count, first);
        add_rates(to, &tn_scratch(assembly)->end[a], batch, rates, first);
    }
    for (size_t k = 0; k < count; k++)
        memcpy(to->state + (first + k) * to->n + first, rates + k * stride + column, count * sizeof(double));
}

/* States do not follow the motion here. */
static tn_status add_group(tn_assembly *assembly, const tn_group *group, const state_matrices *to)
{
    const size_t size = (size_t)group->batch.tangent_stride, n = group->batch.layout->nx;
    for (uint32_t first = 0; first < group->batch.count; first += TN_CHUNK) {
        tn_batch batch = tn_chunk_from(group, first);
        const double *rates = NULL;
        batch.tangent = tn_scratch(assembly)->tangent;
        batch.time = assembly->system.time;
        tn_status status = group->force ? tn_force_tangent(assembly, group, &batch, 0.0) : TN_OK;
        if (status == TN_OK) status = tn_states_differentiate(assembly, group, &batch, &rates);
        if (status != TN_OK) return status;
        for (size_t i = 0; i < batch.count; i++)
            add_instance(assembly, group, first + i,
                         group->force
                             ? tn_scratch(assembly)->tangent + i * group->batch.wrench_size * size
                             : NULL,
                         rates + i * n * size, to);
    }
    return TN_OK;
}

static tn_status state_tangent(tn_system *system, double *force_by_state, double *rate_by_motion,
                               double *rate_by_state)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const size_t nv = system->nv, n = system->nx - system->quadratures;
    const state_matrices to = {force_by_state, rate_by_motion, rate_by_state, nv, n};
    memset(to.force, 0, nv * n * sizeof(double));
    memset(to.motion, 0, n * 2 * nv * sizeof(double));
    memset(to.state, 0, n * n * sizeof(double));
    if (!tn_system_pattern(system)) return TN_OUT_OF_MEMORY;
    tn_status status = tn_differentiate_markers(assembly);
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++)
        if (assembly->group[k].follows) status = add_group(assembly, &assembly->group[k], &to);
    return status;
}

/* Whether all states are known to depend on the markers of their elements alone, and nothing but these elements on them. */
void tn_state_tangent_build(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    if (!assembly->states || assembly->reading.couples) return;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (group->batch.layout->nx && !group->follows) return;
        for (uint32_t i = 0; group->follows && i < group->batch.count; i++)
            if (tn_item_reads_state(model, group->item[i])) return;
    }
    assembly->system.state_tangent = state_tangent;
}

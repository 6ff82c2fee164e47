/* state_parts.c - derivatives of forces by states, and of the rates of states (see linearisation.h)
 *
 * With J, T as in matrix.c, and F_x, H_u, H_w, H_x what elements tell, F = J^T F_x, R = (H_u J + H_w T, H_w J), H = H_x. Parameters that
 * read the state add their own share: with p such a parameter, dw/dp dp/dx to F, dx'/dp times the derivatives of p to the others. The
 * rate of an integral is its expression. */
#include "linearised/linearisation.h"

#include "system/algebraic.h"
#include "system/markers.h"
#include "values/derivatives.h"
#include "values/state_values.h"

#include <string.h>

typedef struct tn_state_memory {
    double *tangent, *rate; /* of one instance */
    size_t tangent_size;
    double *by_motion, *by_state; /* [2 nv], [n] of one value */
    tn_dynamic *dynamic;          /* parameters of one instance that read the state */
    tn_end *end;                  /* of one marker */
    const char *coupled;          /* the first one whose rates read accelerations or reactions, or NULL */
    const char *crowded;          /* one whose unknowns there is no room for, or NULL */
} state_memory;

/* ---- memory ---------------------------------------------------------------------------------------------- */

static size_t most_parameters(const tn_group *group)
{
    size_t count = 0;
    while (group->type->parameters && group->type->parameters[count].name)
        count++;
    return count;
}

static size_t columns_of_parameters(const tn_group *group)
{
    size_t columns = 0;
    for (size_t k = 0; k < most_parameters(group); k++)
        if (group->type->parameters[k].flags & TN_DYNAMIC) columns += group->type->parameters[k].count;
    return columns;
}

void tn_state_parts_prepare(tn_assembly *assembly, tn_linearised *m)
{
    size_t size = 0, rates = 0, parameters = 0, legs = 0;
    if (!m->table.states) return;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const tn_layout *layout = group->batch.layout;
        const size_t W = group->batch.wrench_size,
                     own =
                         (W + layout->nx) * (2 * W + columns_of_parameters(group) + layout->nx + layout->ns);
        size = own > size ? own : size;
        rates = layout->nx > rates ? layout->nx : rates;
        parameters = most_parameters(group) > parameters ? most_parameters(group) : parameters;
    }
    for (uint32_t k = 0; k < assembly->model->marker_count; k++) {
        const size_t own = assembly->station[k].group == TN_NONE ? tn_leg_count(assembly, k) : 1;
        legs = own > legs ? own : legs;
    }
    state_memory *s = m->states = tn_assembly_new(assembly, 1, sizeof *s);
    s->tangent = tn_assembly_new(assembly, size, sizeof(double));
    s->tangent_size = size;
    s->rate = tn_assembly_new(assembly, rates, sizeof(double));
    s->by_motion = tn_assembly_new(assembly, 2 * (size_t)assembly->system.nv, sizeof(double));
    s->by_state = tn_assembly_new(assembly, m->table.states, sizeof(double));
    s->dynamic = tn_assembly_new(assembly, parameters, sizeof *s->dynamic);
    s->end = tn_assembly_new(assembly, legs, sizeof *s->end);
}

/* ---- one value ------------------------------------------------------------------------------------------- */

/* A row of derivatives by poses and twists of a marker, at its ends, to one by q and v. */
static void add_row(const tn_end *e, size_t nv, const double *by_pose, const double *by_twist, double factor,
                    double *row)
{
    double *q = row + e->v_start, *v = q + nv;
    for (size_t r = 0; r < e->width; r++) {
        if (!e->J) {
            q[r] += factor * by_pose[r];
            v[r] += factor * by_twist[r];
        }
        for (size_t j = 0; e->J && j < e->nv; j++) {
            const double J = e->J[r * e->nv + j], T = e->T[r * e->nv + j];
            q[j] += factor * (by_pose[r] * J + by_twist[r] * T);
            v[j] += factor * by_twist[r] * J;
        }
    }
}

/* From the weights of an unknown, which become zero. */
static void take_unknown(const tn_assembly *assembly, const state_memory *s, const tn_read_unknown *unknown,
                         bool *coupled)
{
    double *weight = assembly->read->derivatives->weight + unknown->weight;
    const size_t width = unknown->width;
    if (unknown->marker == TN_NONE) {
        *coupled = *coupled || weight[0] != 0.0;
        weight[0] = 0.0;
        return;
    }
    const size_t count = tn_ends_of(assembly, unknown->marker, 0, s->end);
    for (size_t l = 0; l < count; l++)
        if (s->end[l].nv) add_row(&s->end[l], assembly->system.nv, weight, weight + width, 1.0, s->by_motion);
    for (size_t r = 0; r < width; r++)
        *coupled = *coupled || weight[2 * width + r] != 0.0;
    memset(weight, 0, 3 * width * sizeof *weight);
}

/* The derivatives of a value, into by_motion and by_state. */
static tn_status differentiate(tn_assembly *assembly, const state_memory *s, uint32_t dynamic, bool *coupled)
{
    const tn_derivatives *memory = assembly->read->derivatives;
    const tn_system *system = &assembly->system;
    memset(s->by_motion, 0, 2 * (size_t)system->nv * sizeof(double));
    memset(s->by_state, 0, (system->nx - system->quadratures) * sizeof(double));
    const tn_status status = tn_value_differentiate(assembly, dynamic, s->by_state);
    for (size_t k = 0; k < memory->unknown_count; k++)
        take_unknown(assembly, s, &memory->unknown[k], coupled);
    return status;
}

static bool is_in_force(const tn_assembly *assembly, uint32_t dynamic)
{
    return !assembly->model->values->dynamic[dynamic].off && assembly->read->reach &&
           assembly->read->reach[dynamic].count;
}

/* ---- one element ----------------------------------------------------------------------------------------- */

/* An instance with columns for its markers, its parameters that read the state, its states and its unknowns. */
typedef struct element {
    const tn_group *group;
    uint32_t instance;
    tn_batch batch;
    tn_failure failure;
    tn_column_block columns[5];
} element;

static void add_parameter(const state_memory *s, element *of, const tn_dynamic_value *value)
{
    tn_batch *batch = &of->batch;
    if (tn_dynamic_column(batch, value->offset) != TN_NONE) return;
    s->dynamic[batch->dynamic_count++] = (tn_dynamic){.offset = (uint32_t)value->parameter->offset,
                                                      .count = value->parameter->count,
                                                      .kind = value->parameter->kind};
    batch->dynamic_columns += value->parameter->count;
}

static void open_element(const tn_assembly *assembly, const state_memory *s, const tn_group *group,
                         uint32_t instance, element *of)
{
    const tn_value_graph *graph = assembly->model->values;
    *of = (element){.group = group, .instance = instance, .batch = tn_sub_batch(group, instance, 1)};
    tn_batch *batch = &of->batch;
    batch->time = assembly->system.time;
    batch->failure = &of->failure;
    batch->dynamic = s->dynamic;
    batch->dynamic_count = batch->dynamic_columns = 0;
    TN_FOR_VALUES_OF (graph, group->item[instance], d)
        if (is_in_force(assembly, d)) add_parameter(s, of, &graph->dynamic[d]);
    const uint32_t W = batch->wrench_size, states = group->follows ? batch->layout->nx : 0,
                   behind = 2 * W + batch->dynamic_columns;
    const tn_column_block columns[] = {{TN_POSE_COLUMNS, 0, W},
                                       {TN_TWIST_COLUMNS, W, W},
                                       {TN_PARAMETER_COLUMNS, 2 * W, batch->dynamic_columns},
                                       {TN_STATE_COLUMNS, behind, states},
                                       {TN_ALGEBRAIC_COLUMNS, behind + states, batch->layout->ns}};
    memcpy(of->columns, columns, sizeof columns);
    batch->columns = of->columns;
    batch->column_blocks = sizeof columns / sizeof *columns;
    batch->tangent_stride = behind + states + batch->layout->ns;
    batch->tangent = s->tangent;
}

/* The kernel has room for derivatives of algebraic unknowns by what the matrix needs. */
static tn_status find_room(const tn_assembly *assembly, state_memory *s, const element *of)
{
    const tn_batch *all = &of->group->batch;
    if (!all->layout->ns || of->batch.tangent_stride <= tn_chunk(all->count) * all->tangent_stride)
        return TN_OK;
    s->crowded = tn_item_name(assembly->model, of->group->item[of->instance]);
    return TN_UNSUPPORTED;
}

/* F_k += J^T times a column of the tangent, for state number k. */
static void add_column(const tn_assembly *assembly, const tn_linearised *m, const element *of, size_t column,
                       double factor, size_t state)
{
    const size_t n = m->table.states, stride = of->batch.tangent_stride;
    for (uint32_t l = 0; l < of->group->leg_count; l++) {
        const tn_end *e = &tn_scratch(assembly)->end[l];
        for (size_t r = 0; r < e->width; r++) {
            const double force = factor * of->batch.tangent[(e->column + r) * stride + column];
            for (size_t j = 0; e->J && j < e->nv; j++)
                m->force_by_state[(e->v_start + j) * n + state] += e->J[r * e->nv + j] * force;
            if (!e->J && e->nv) m->force_by_state[(e->v_start + r) * n + state] += force;
        }
    }
}

static tn_status add_force(tn_assembly *assembly, const tn_linearised *m, const tn_group *group,
                           uint32_t instance)
{
    const tn_value_graph *graph = assembly->model->values;
    state_memory *s = m->states;
    element of;
    open_element(assembly, s, group, instance, &of);
    const size_t states = group->follows ? group->batch.layout->nx : 0, n = m->table.states;
    if (!states && !of.batch.dynamic_count) return TN_OK;
    tn_status found = find_room(assembly, s, &of);
    if (found == TN_OK) found = tn_force_tangent(assembly, group, &of.batch, 0.0);
    if (found != TN_OK) return found;
    tn_ends_of_instance(assembly, group, instance, tn_scratch(assembly)->end);
    for (size_t k = 0; k < states; k++)
        add_column(assembly, m, &of, tn_first_column(&of.batch, TN_STATE_COLUMNS) + k, 1.0,
                   group->x_start + instance * states + k);
    TN_FOR_VALUES_OF (graph, group->item[instance], d) {
        bool coupled = false; // the matrix knows
        if (!is_in_force(assembly, d)) continue;
        const tn_status status = differentiate(assembly, s, d, &coupled);
        if (status != TN_OK) return status;
        const size_t column = tn_first_column(&of.batch, TN_PARAMETER_COLUMNS) +
                              tn_dynamic_column(&of.batch, graph->dynamic[d].offset);
        for (size_t k = 0; k < n; k++)
            if (s->by_state[k] != 0.0) add_column(assembly, m, &of, column, s->by_state[k], k);
    }
    return TN_OK;
}

/* Adds the derivatives of a value, times a factor, to those of the rate of state number k. */
static void add_value(const tn_assembly *assembly, const tn_linearised *m, double factor, size_t k)
{
    const size_t nv = assembly->system.nv, n = m->table.states;
    for (size_t j = 0; j < 2 * nv; j++)
        m->rate_by_motion[k * 2 * nv + j] += factor * m->states->by_motion[j];
    for (size_t j = 0; j < n; j++)
        m->rate_by_state[k * n + j] += factor * m->states->by_state[j];
}

static tn_status add_integral(tn_assembly *assembly, const tn_linearised *m, const tn_group *group,
                              uint32_t instance)
{
    TN_FOR_VALUES_OF (assembly->model->values, group->item[instance], d) {
        bool coupled = false;
        if (!is_in_force(assembly, d)) continue;
        const tn_status status = differentiate(assembly, m->states, d, &coupled);
        if (status != TN_OK) return status;
        if (coupled && !m->states->coupled)
            m->states->coupled = tn_item_name(assembly->model, group->item[instance]);
        add_value(assembly, m, 1.0, group->x_start + instance);
    }
    return TN_OK;
}

/* What the rates of an instance change with by themselves. */
static void add_own_rates(const tn_assembly *assembly, const tn_linearised *m, const element *of)
{
    const size_t count = of->group->batch.layout->nx, n = m->table.states, nv = assembly->system.nv,
                 stride = of->batch.tangent_stride, first = of->group->x_start + of->instance * count,
                 own = tn_first_column(&of->batch, TN_STATE_COLUMNS);
    for (size_t k = 0; k < count; k++) {
        const double *row = of->batch.tangent + k * stride;
        for (uint32_t l = 0; l < of->group->leg_count; l++) {
            const tn_end *e = &tn_scratch(assembly)->end[l];
            if (e->nv)
                add_row(e, nv, row + e->column, row + e->column + of->batch.wrench_size, 1.0,
                        m->rate_by_motion + (first + k) * 2 * nv);
        }
        for (size_t j = 0; j < count; j++)
            m->rate_by_state[(first + k) * n + first + j] += row[own + j];
    }
}

static tn_status add_rates(tn_assembly *assembly, const tn_linearised *m, const tn_group *group,
                           uint32_t instance)
{
    const tn_value_graph *graph = assembly->model->values;
    state_memory *s = m->states;
    element of;
    open_element(assembly, s, group, instance, &of);
    of.batch.x_rate = s->rate;
    tn_status status = find_room(assembly, s, &of);
    if (status == TN_OK) status = tn_call(group->type, rates_tangent, &of.batch);
    if (status == TN_OK)
        status = tn_algebraic_condense(assembly, group, &of.batch, group->batch.layout->nx, of.batch.tangent);
    if (status != TN_OK) return status;
    tn_ends_of_instance(assembly, group, instance, tn_scratch(assembly)->end);
    add_own_rates(assembly, m, &of);
    TN_FOR_VALUES_OF (graph, group->item[instance], d) {
        bool coupled = false;
        if (!is_in_force(assembly, d)) continue;
        status = differentiate(assembly, s, d, &coupled);
        if (status != TN_OK) return status;
        if (coupled && !s->coupled) s->coupled = tn_item_name(assembly->model, group->item[instance]);
        const size_t column = tn_first_column(&of.batch, TN_PARAMETER_COLUMNS) +
                              tn_dynamic_column(&of.batch, graph->dynamic[d].offset);
        for (size_t k = 0; k < group->batch.layout->nx; k++)
            add_value(assembly, m, of.batch.tangent[k * of.batch.tangent_stride + column],
                      group->x_start + instance * group->batch.layout->nx + k);
    }
    return TN_OK;
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

/* The states of a group are no quadratures. */
static bool has_states(const tn_linearised *m, const tn_group *group)
{
    return group->batch.layout->nx && group->x_start < m->table.states;
}

bool tn_state_parts_are_known(const tn_linearised *m, const tn_group *group)
{
    return !has_states(m, group) || group->type->is_variable || group->follows;
}

const char *tn_state_parts_coupled(const tn_linearised *m) { return m->states ? m->states->coupled : NULL; }

const char *tn_state_parts_crowded(const tn_linearised *m) { return m->states ? m->states->crowded : NULL; }

static tn_status add_group(tn_assembly *assembly, const tn_linearised *m, const tn_group *group)
{
    tn_status status = tn_state_parts_are_known(m, group) ? TN_OK : TN_UNSUPPORTED;
    for (uint32_t i = 0; i < group->batch.count && status == TN_OK; i++) {
        if (group->active && !group->active[i]) continue;
        if (group->force && !group->type->is_variable) status = add_force(assembly, m, group, i);
        if (status != TN_OK || !has_states(m, group)) continue;
        status =
            group->type->is_variable ? add_integral(assembly, m, group, i) : add_rates(assembly, m, group, i);
    }
    return status;
}

tn_status tn_state_parts_find(tn_assembly *assembly, const tn_linearised *m)
{
    const size_t n = m->table.states, nv = assembly->system.nv;
    if (!n) return TN_OK;
    m->states->coupled = m->states->crowded = NULL;
    memset(m->force_by_state, 0, nv * n * sizeof(double));
    memset(m->rate_by_motion, 0, 2 * nv * n * sizeof(double));
    memset(m->rate_by_state, 0, n * n * sizeof(double));
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++)
        status = add_group(assembly, m, &assembly->group[k]);
    return status;
}

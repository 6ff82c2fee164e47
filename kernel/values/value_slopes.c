/* value_slopes.c - derivatives by states, inputs and all else (see value_slopes.h)
 *
 * With J and T of a marker (system/matrix.c) its pose changes by J dq, its twist by J dv + T dq; the rate of the twist is J v' + T v.
 * Its derivatives by q and v at given v' are T, and otherwise those of J and T, which are zero at rest and not known else: then it is not
 * exact. */
#include "values/value_slopes.h"

#include "values/derivatives.h"
#include "values/measured_forces.h"

#include "system/algebraic.h"
#include "system/markers.h"
#include "system/matrix.h"

#include <math.h>
#include <string.h>

struct tn_value_slopes {
    tn_derivatives *memory;
    const tn_live_value *const *live;
    tn_reach *of_live, *of_dynamic;
    tn_end *end;            /* [most legs of a marker] */
    double *tangent, *rate; /* of one instance, the largest of all */
    tn_slope_row row;       /* of one parameter */
    double *row_memory;     /* all of it, */
    size_t row_size;        /* so many */
    uint32_t n;             /* states that are no quadratures */
};

/* ---- memory ---------------------------------------------------------------------------------------------- */

static size_t most_legs(const tn_assembly *assembly)
{
    size_t most = 1;
    for (uint32_t m = 0; m < assembly->model->marker_count; m++) {
        const size_t legs = assembly->station[m].group == TN_NONE ? tn_leg_count(assembly, m) : 1;
        if (legs > most) most = legs;
    }
    return most;
}

static void make_tangents(tn_assembly *assembly, tn_value_slopes *s)
{
    size_t tangent = 0, rates = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_batch *batch = &assembly->group[k].batch;
        const size_t W = batch->wrench_size, n = batch->layout->nx,
                     size = (W > n ? W : n) * (batch->tangent_stride + 1);
        if (size > tangent) tangent = size;
        if (n > rates) rates = n;
    }
    s->tangent = tn_assembly_new(assembly, tangent, sizeof(double));
    s->rate = tn_assembly_new(assembly, rates, sizeof(double));
}

static void make_row(tn_assembly *assembly, tn_value_slopes *s)
{
    const size_t nv = assembly->system.nv, rows = assembly->system.rows, nx = assembly->system.nx;
    s->row_size = 3 * nv + rows + nx + tn_input_count(assembly->model);
    double *p = s->row_memory = tn_assembly_new(assembly, s->row_size, sizeof(double));
    s->row = (tn_slope_row){p, p + nv, p + 2 * nv, p + 3 * nv, p + 3 * nv + rows, p + 3 * nv + rows + nx};
}

/* A value of an element with a force or with states: others are on the way only. */
static bool is_asked_for(const tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    const uint32_t number = assembly->group_of[dynamic->item];
    const tn_group *group = number == TN_NONE ? NULL : &assembly->group[number];
    return group && (group->batch.layout->nx || (group->force && !group->type->is_variable));
}

/* What the matrix has in place of the memory of this, and again where there is no more memory. */
typedef struct exchange {
    tn_assembly *assembly;
    tn_derivatives *before;
} exchange;

static void put_back(void *data)
{
    const exchange *e = data;
    e->assembly->read->derivatives = e->before;
}

static void list_reaches(tn_assembly *assembly, tn_value_slopes *s, size_t count)
{
    const tn_value_graph *graph = assembly->model->values;
    exchange e = {assembly, assembly->read->derivatives};
    tn_hold hold;
    tn_hold_begin(&hold, put_back, &e);
    assembly->read->derivatives = s->memory;
    for (size_t k = 0; k < count; k++)
        s->of_live[k] = tn_reach_list_live(assembly, s->live[k]);
    for (uint32_t k = 0; k < graph->dynamic_count; k++)
        if (is_asked_for(assembly, &graph->dynamic[k]))
            s->of_dynamic[k] = tn_reach_list(assembly, k, false, NULL);
    tn_derivatives_complete(assembly);
    tn_hold_end(&hold);
    put_back(&e);
}

tn_value_slopes *tn_value_slopes_new(tn_assembly *assembly, const tn_live_value *const *live, size_t count)
{
    const size_t values = assembly->model->values->dynamic_count;
    tn_value_slopes *s = tn_assembly_new(assembly, 1, sizeof *s);
    s->live = live;
    s->n = assembly->system.nx - assembly->system.quadratures;
    s->of_live = tn_assembly_new(assembly, count, sizeof *s->of_live);
    s->of_dynamic = tn_assembly_new(assembly, values, sizeof *s->of_dynamic);
    s->memory = tn_derivatives_new(assembly);
    tn_derivatives_keep(assembly);
    s->memory->ends_at_states = true;
    list_reaches(assembly, s, count);
    s->end = tn_assembly_new(assembly, most_legs(assembly), sizeof *s->end);
    make_tangents(assembly, s);
    make_row(assembly, s);
    return s;
}

/* ---- from markers to coordinates --------------------------------------------------------------------------- */

/* Adds f J and f T of row r of an end; T may be unwanted. */
static void add_row(const tn_end *e, uint32_t r, double f, double *by_J, double *by_T)
{
    if (!e->J) {
        if (by_J && e->nv) by_J[e->v_start + r] += f;
        return;
    }
    for (size_t j = 0; j < e->nv; j++) {
        if (by_J) by_J[e->v_start + j] += f * e->J[r * e->nv + j];
        if (by_T) by_T[e->v_start + j] += f * e->T[r * e->nv + j];
    }
}

void tn_marker_slopes(const tn_assembly *assembly, uint32_t marker, uint32_t r, double factor,
                      const tn_slope_row *of_pose, const tn_slope_row *of_twist)
{
    const uint32_t legs = assembly->station[marker].group == TN_NONE ? tn_leg_count(assembly, marker) : 1;
    tn_end few[8], *ends = legs > 8 ? tn_new(legs, sizeof *ends) : few;
    const size_t count = tn_ends_of(assembly, marker, 0, ends);
    for (size_t l = 0; l < count; l++) {
        if (of_pose) add_row(&ends[l], r, factor, of_pose->q, NULL);
        if (of_twist) add_row(&ends[l], r, factor, of_twist->v, of_twist->q);
    }
    if (legs > 8) tn_free(ends);
}

/* The weights of an unknown, [3][width] of a marker, take their places, and are zero again. */
static void take_weights(const tn_assembly *assembly, const tn_value_slopes *s,
                         const tn_read_unknown *unknown, const tn_slope_row *to)
{
    const size_t count = tn_weights_of(unknown), width = unknown->width;
    double *weight = s->memory->weight + unknown->weight;
    if (unknown->marker == TN_NONE) {
        const size_t first = assembly->model->marker_count;
        to->lambda[tn_place_of_row(assembly, unknown->item, unknown->row) - first] += weight[0];
    } else {
        const size_t legs = tn_ends_of(assembly, unknown->marker, 0, s->end);
        for (size_t l = 0; l < legs; l++)
            for (uint32_t r = 0; r < width; r++) {
                add_row(&s->end[l], r, weight[r], to->q, NULL);
                add_row(&s->end[l], r, weight[width + r], to->v, to->q);
                add_row(&s->end[l], r, weight[2 * width + r], to->a, to->v);
            }
    }
    memset(weight, 0, count * sizeof *weight);
}

static void take_all(const tn_assembly *assembly, const tn_value_slopes *s, const tn_slope_row *to)
{
    for (size_t k = 0; k < s->memory->unknown_count; k++)
        take_weights(assembly, s, &s->memory->unknown[k], to);
    memset(s->memory->weight_along, 0, s->memory->weight_count * sizeof(double));
}

/* ---- live values ------------------------------------------------------------------------------------------- */

static bool moves(const tn_system *system)
{
    bool moving = false;
    for (uint32_t i = 0; i < system->nv; i++)
        moving = moving || fabs(system->v[i]) > 1e-9 * system->scale[i] ||
                 fabs(system->a[i]) > 1e-6 * system->scale[i];
    return moving;
}

/* Other sensors, rates of twists of moving bodies, and forces through markers made of others, whose distribution changes. */
static bool is_exact(const tn_assembly *assembly, const tn_live_value *live, bool moving)
{
    for (uint32_t k = 0; k < live->below_count; k++) {
        const tn_value_node *node = live->below[k].node;
        if ((node->kind == &tn_acceleration_node && moving) || node->kind == &tn_sensor_node) return false;
        if (node->kind != &tn_force_node) continue;
        const tn_measured_force *force = assembly->model->values->force[node->index];
        for (uint32_t s = 0; s < force->share_count; s++)
            if (force->share[s].step_count) return false;
    }
    return true;
}

static bool is_exact_below(const tn_assembly *assembly, const tn_value_slopes *s, const tn_live_value *live,
                           tn_reach reach)
{
    const bool moving = moves(&assembly->system);
    bool exact = is_exact(assembly, live, moving);
    for (size_t k = 0; k < reach.count && exact; k++)
        exact = is_exact(assembly,
                         &tn_value_of_rank(assembly->model->values, s->memory->reach[reach.first + k])->live,
                         moving);
    return exact;
}

static tn_sweep begin_sweep(tn_assembly *assembly, const tn_value_slopes *s, const tn_slope_row *to)
{
    assembly->read->derivatives = s->memory;
    return (tn_sweep){.assembly = assembly, .memory = s->memory, .by_input = to->u, .by_state = to->x};
}

tn_status tn_live_slopes(tn_assembly *assembly, tn_value_slopes *s, size_t k, const tn_slope_row *to,
                         bool *exact)
{
    tn_derivatives *const before = assembly->read->derivatives;
    tn_sweep sweep = begin_sweep(assembly, s, to);
    *exact = true;
    tn_status status = TN_OK;
    if (s->live[k]->expression) {
        status = tn_sweep_back_live(&sweep, s->live[k], s->of_live[k]);
        *exact = is_exact_below(assembly, s, s->live[k], s->of_live[k]);
    }
    take_all(assembly, s, to);
    assembly->read->derivatives = before;
    return status;
}

/* The direction of the sweep is the motion itself. */
static void set_direction(const tn_assembly *assembly, const tn_value_slopes *s)
{
    for (size_t k = 0; k < s->memory->unknown_count; k++) {
        const tn_read_unknown *unknown = &s->memory->unknown[k];
        if (unknown->marker == TN_NONE || unknown->width != 1) continue;
        s->memory->direction[unknown->weight] =
            assembly->motion[assembly->station[unknown->marker].place.twist];
    }
}

/* With c the coordinates that a value y(c) reads, its rate y_c c' changes by (y_cc c') J dq + y_c T dq at given velocities. */
tn_status tn_live_rate_slopes(tn_assembly *assembly, tn_value_slopes *s, size_t k, double *q)
{
    tn_derivatives *const before = assembly->read->derivatives;
    memset(s->row_memory, 0, s->row_size * sizeof(double));
    tn_sweep sweep = begin_sweep(assembly, s, &s->row);
    sweep.second = true;
    sweep.time_along = 1.0;
    set_direction(assembly, s);
    tn_status status = tn_sweep_along(&sweep, s->of_live[k]);
    if (status == TN_OK) status = tn_sweep_back_live(&sweep, s->live[k], s->of_live[k]);
    for (size_t i = 0; i < s->memory->unknown_count; i++) {
        const tn_read_unknown *unknown = &s->memory->unknown[i];
        if (unknown->marker == TN_NONE || unknown->width != 1) continue;
        const size_t legs = tn_ends_of(assembly, unknown->marker, 0, s->end);
        for (size_t l = 0; l < legs; l++) {
            add_row(&s->end[l], 0, s->memory->weight_along[unknown->weight], q, NULL);
            add_row(&s->end[l], 0, s->memory->weight[unknown->weight], NULL, q);
        }
    }
    take_all(assembly, s, &s->row);
    assembly->read->derivatives = before;
    return status;
}

/* ---- parameters ---------------------------------------------------------------------------------------------- */

/* The derivatives of a dynamic value, into the row of the memory. */
static tn_status find_row(tn_assembly *assembly, tn_value_slopes *s, uint32_t dynamic)
{
    tn_derivatives *const before = assembly->read->derivatives;
    memset(s->row_memory, 0, s->row_size * sizeof(double));
    tn_sweep sweep = begin_sweep(assembly, s, &s->row);
    const tn_status status = tn_sweep_back(&sweep, dynamic, s->of_dynamic[dynamic]);
    take_all(assembly, s, &s->row);
    assembly->read->derivatives = before;
    return status;
}

/* One instance as a batch with the tangent of this memory. */
static tn_batch batch_of(const tn_assembly *assembly, const tn_value_slopes *s, const tn_group *group,
                         uint32_t i)
{
    tn_batch batch = tn_sub_batch(group, i, 1);
    batch.time = assembly->system.time;
    batch.frozen = assembly->system.frozen;
    batch.tangent = s->tangent;
    return batch;
}

/* By a parameter of an instance that reads the state: the column of the tangent with its derivatives, TN_NONE where nothing changes. */
static size_t column_of(const tn_assembly *assembly, const tn_group *group, uint32_t dynamic, size_t rows,
                        const double *tangent)
{
    const tn_dynamic_value *value = &assembly->model->values->dynamic[dynamic];
    const tn_batch *batch = &group->batch;
    const uint32_t own = value->off ? TN_NONE : tn_dynamic_column(batch, value->offset);
    if (own == TN_NONE) return TN_NONE;
    const size_t column = tn_first_column(batch, TN_PARAMETER_COLUMNS) + own;
    for (size_t r = 0; r < rows; r++)
        if (tangent[r * batch->tangent_stride + column] != 0.0) return column;
    return TN_NONE; /* it need not have derivatives */
}

/* to [nv][width] += J^T c x of one column c of wrenches and a row x [count]. */
static void add_product(const tn_assembly *assembly, const tn_value_slopes *s, const tn_group *group,
                        size_t column, const double *x, size_t count, double *to, size_t width)
{
    const tn_end *ends = tn_scratch(assembly)->end;
    for (uint32_t l = 0; l < group->leg_count; l++) {
        const tn_end *e = &ends[l];
        for (size_t r = 0; r < e->width && e->nv; r++) {
            const double c = s->tangent[(e->column + r) * group->batch.tangent_stride + column];
            for (size_t j = e->J ? 0 : r; c != 0.0 && j < (e->J ? e->nv : r + 1); j++)
                for (size_t k = 0; k < count; k++)
                    to[(e->v_start + j) * width + k] += (e->J ? e->J[r * e->nv + j] : 1.0) * c * x[k];
        }
    }
}

/* By the parameters that change: through their columns in the tangent, which stays as it is meanwhile, other than that of the system. */
static tn_status add_parameters(tn_assembly *assembly, tn_value_slopes *s, const tn_group *group, uint32_t i,
                                double *by_state, double *by_input)
{
    const size_t inputs = tn_input_count(assembly->model);
    TN_FOR_VALUES_OF (assembly->model->values, group->item[i], d) {
        const size_t column = column_of(assembly, group, d, group->batch.wrench_size, s->tangent);
        if (column == TN_NONE) continue;
        const tn_status status = find_row(assembly, s, d);
        if (status != TN_OK) return status;
        add_product(assembly, s, group, column, s->row.x, s->n, by_state, s->n);
        if (by_input) add_product(assembly, s, group, column, s->row.u, inputs, by_input, inputs);
    }
    return TN_OK;
}

static void add_own_states(const tn_assembly *assembly, const tn_value_slopes *s, const tn_group *group,
                           uint32_t i, double *by_state)
{
    static const double one = 1.0;
    const size_t n = group->batch.layout->nx, first = tn_first_column(&group->batch, TN_STATE_COLUMNS);
    for (size_t k = 0; k < n; k++)
        add_product(assembly, s, group, first + k, &one, 1, by_state + group->x_start + i * n + k, s->n);
}

static bool rests(const tn_group *group, uint32_t i) { return group->active && !group->active[i]; }

tn_status tn_force_slopes(tn_assembly *assembly, tn_value_slopes *s, double *by_state, double *by_input)
{
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (!group->force || group->type->is_variable) continue;
        if (!group->batch.dynamic_columns && !group->follows) continue;
        for (uint32_t i = 0; i < group->batch.count && status == TN_OK; i++) {
            if (rests(group, i)) continue;
            tn_batch batch = batch_of(assembly, s, group, i);
            status = tn_force_tangent(assembly, group, &batch, 0.0);
            tn_ends_of_instance(assembly, group, i, tn_scratch(assembly)->end);
            if (status == TN_OK && group->follows) add_own_states(assembly, s, group, i, by_state);
            if (status == TN_OK) status = add_parameters(assembly, s, group, i, by_state, by_input);
        }
    }
    return status;
}

/* ---- rates of states ------------------------------------------------------------------------------------------ */

/* Adds the row of the memory, times a factor, to the derivatives of a rate; what nobody wants is noted. */
static void add_scaled(const tn_assembly *assembly, const tn_value_slopes *s, double factor,
                       const tn_slope_row *to, uint8_t *note)
{
    const tn_system *system = &assembly->system;
    const struct {
        const double *from;
        double *to;
        size_t count;
        uint8_t lost;
    } part[] = {{s->row.q, to->q, system->nv, 0},
                {s->row.v, to->v, system->nv, 0},
                {s->row.x, to->x, s->n, 0},
                {s->row.a, to->a, system->nv, TN_SLOPE_COUPLED},
                {s->row.lambda, to->lambda, system->rows, TN_SLOPE_COUPLED},
                {s->row.u, to->u, tn_input_count(assembly->model), 0}};
    for (size_t p = 0; p < sizeof part / sizeof *part; p++)
        for (size_t k = 0; k < part[p].count; k++)
            if (part[p].to)
                part[p].to[k] += factor * part[p].from[k];
            else if (factor * part[p].from[k] != 0.0)
                *note |= part[p].lost;
}

/* The derivatives of a value that rates of n states read, into the row of the memory. */
static tn_status find_read_row(tn_assembly *assembly, tn_value_slopes *s, uint32_t dynamic, size_t n,
                               uint8_t *note)
{
    const tn_live_value *live = &assembly->model->values->dynamic[dynamic].live;
    const tn_status status = find_row(assembly, s, dynamic);
    const bool exact = is_exact_below(assembly, s, live, s->of_dynamic[dynamic]);
    for (size_t k = 0; k < n && !exact; k++)
        note[k] |= TN_SLOPE_IN_PART;
    return status;
}

/* The rates of the states of an element by poses, twists and own states. */
static void add_own_rates(const tn_assembly *assembly, const tn_value_slopes *s, const tn_group *group,
                          uint32_t i, const tn_slope_row *rate)
{
    const tn_batch *batch = &group->batch;
    const size_t n = batch->layout->nx, W = batch->wrench_size, first = group->x_start + i * n;
    const uint32_t own = tn_first_column(batch, TN_STATE_COLUMNS);
    tn_end *ends = tn_scratch(assembly)->end;
    tn_ends_of_instance(assembly, group, i, ends);
    for (size_t k = 0; k < n; k++) {
        const double *row = s->tangent + k * batch->tangent_stride;
        for (uint32_t l = 0; l < group->leg_count; l++)
            for (uint32_t r = 0; r < ends[l].width; r++) {
                add_row(&ends[l], r, row[ends[l].column + r], rate[k].q, NULL);
                add_row(&ends[l], r, row[W + ends[l].column + r], rate[k].v, rate[k].q);
            }
        for (size_t c = 0; c < n; c++)
            rate[k].x[first + c] += row[own + c];
    }
}

/* The rates of the states of an element; those of its parameters besides. */
static tn_status add_rates(tn_assembly *assembly, tn_value_slopes *s, const tn_group *group, uint32_t i,
                           const tn_slope_row *rate, uint8_t *note)
{
    tn_batch batch = batch_of(assembly, s, group, i);
    const size_t n = batch.layout->nx;
    batch.x_rate = s->rate;
    tn_status status = tn_call(group->type, rates_tangent, &batch);
    if (status == TN_OK)
        status = tn_algebraic_condense(assembly, group, &batch, batch.layout->nx, s->tangent);
    if (status != TN_OK) return status;
    add_own_rates(assembly, s, group, i, rate);
    TN_FOR_VALUES_OF (assembly->model->values, group->item[i], d) {
        const size_t column = column_of(assembly, group, d, n, s->tangent);
        if (column == TN_NONE) continue;
        status = find_read_row(assembly, s, d, n, note);
        if (status != TN_OK) return status;
        for (size_t k = 0; k < n; k++)
            add_scaled(assembly, s, s->tangent[k * batch.tangent_stride + column], &rate[k], &note[k]);
    }
    return TN_OK;
}

/* The rate of an integral is the value of its expression; a number does not change. */
static tn_status add_integral(tn_assembly *assembly, tn_value_slopes *s, uint32_t item,
                              const tn_slope_row *rate, uint8_t *note)
{
    const uint32_t value = tn_value_in_force(assembly->model, item);
    if (value == TN_NONE) return TN_OK;
    const tn_status status = find_read_row(assembly, s, value, 1, note);
    if (status == TN_OK) add_scaled(assembly, s, 1.0, rate, note);
    return status;
}

tn_status tn_state_slopes(tn_assembly *assembly, tn_value_slopes *s, const tn_slope_row *rate, uint8_t *note,
                          uint32_t *lacking)
{
    tn_status status = TN_OK;
    memset(note, 0, s->n);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t n = group->batch.layout->nx;
        for (uint32_t i = 0; n && i < group->batch.count && status == TN_OK; i++) {
            const size_t first = group->x_start + i * n;
            if (rests(group, i)) continue;
            *lacking = group->item[i];
            if (group->type->is_variable)
                status = add_integral(assembly, s, group->item[i], rate + first, note + first);
            else if (group->follows)
                status = add_rates(assembly, s, group, i, rate + first, note + first);
            else
                status = TN_UNSUPPORTED;
        }
    }
    return status;
}

/* signals_extension.c - the table of inputs, sensors and positions (see signals_extension.h) */
#include "signals/signals_extension.h"

#include "analysis/least_results.h"
#include "signals/sensors.h"
#include "system/failure.h"
#include "system/matrix.h"
#include "values/state_values.h"

#include <math.h>
#include <string.h>

static tn_signal_memory *of(const tn_system *system)
{
    return tn_signal_memory_of((const tn_assembly *)system);
}

tn_slope_row tn_slope_row_of(const tn_assembly *assembly, const tn_slope_memory *m, size_t k)
{
    const size_t nv = assembly->system.nv, rows = assembly->system.rows,
                 nx = assembly->system.nx - assembly->system.quadratures;
    return (tn_slope_row){.q = m->position + k * nv,
                          .v = m->velocity + k * nv,
                          .a = m->acceleration + k * nv,
                          .lambda = m->reaction + k * rows,
                          .x = m->state + k * nx,
                          .u = m->input + k * tn_input_count(assembly->model)};
}

/* ---- what is asked for ------------------------------------------------------------------------------------- */

static tn_signal_info nothing(void) { return (tn_signal_info){.name = "", .unit = "", .value = (double)NAN}; }

static tn_signal_info input(tn_system *system, uint32_t k)
{
    const tn_model *model = ((const tn_assembly *)system)->model;
    if (k >= of(system)->table.inputs) return nothing();
    const tn_model_input known = tn_input_at(model, k);
    return (tn_signal_info){.name = known.name, .unit = known.unit, .value = *tn_input_place(model, k)};
}

static tn_signal_info output(tn_system *system, uint32_t k)
{
    return k < of(system)->table.outputs ? of(system)->output[k] : nothing();
}

static tn_signal_info position(tn_system *system, uint32_t k)
{
    return k < of(system)->table.positions ? of(system)->position[k] : nothing();
}

static tn_signal_info state(tn_system *system, uint32_t k)
{
    return k < of(system)->table.states ? of(system)->state[k] : nothing();
}

static uint32_t find_input(tn_system *system, const char *name, uint32_t *first)
{
    for (uint32_t k = 0; k < of(system)->table.inputs; k++)
        if (strcmp(input(system, k).name, name) == 0) {
            *first = k;
            return 1;
        }
    return 0;
}

static uint32_t find_output(tn_system *system, const char *name, uint32_t *first)
{
    const tn_signal_memory *m = of(system);
    const tn_model *model = ((const tn_assembly *)system)->model;
    for (uint32_t k = 0; k < m->table.outputs; k++) {
        const tn_sensor *sensor = &model->sensor[m->number[k].sensor];
        const bool whole = strcmp(sensor->name, name) == 0;
        if (!whole && strcmp(m->output[k].name, name) != 0) continue;
        *first = k;
        return whole ? sensor->size : 1;
    }
    return 0;
}

static uint32_t find_position(tn_system *system, const char *name, uint32_t *first)
{
    for (uint32_t k = 0; k < of(system)->table.positions; k++)
        if (strcmp(of(system)->position[k].name, name) == 0) {
            *first = k;
            return 1;
        }
    return 0;
}

/* ---- positions ----------------------------------------------------------------------------------------------- */

static double value_of(const tn_assembly *assembly, const tn_named_position *p)
{
    double value = (double)NAN;
    if (p->live && p->live->expression) {
        if (!tn_live_evaluate(assembly, p->live, &value, NULL)) value = (double)NAN;
    } else if (p->marker != TN_NONE) {
        value = assembly->configuration[assembly->station[p->marker].place.pose + p->row];
    }
    return value;
}

static bool is_zero(const double *x, size_t count)
{
    bool zero = true;
    for (size_t k = 0; k < count; k++)
        zero = zero && x[k] == 0.0;
    return zero;
}

/* Whether it changes with positions alone, whose derivatives stand in the row. */
static bool reads_positions(const tn_assembly *assembly, const tn_slope_row *row)
{
    const tn_system *system = &assembly->system;
    return is_zero(row->v, system->nv) && is_zero(row->a, system->nv) && is_zero(row->lambda, system->rows) &&
           is_zero(row->x, system->nx - system->quadratures) &&
           is_zero(row->u, tn_input_count(assembly->model));
}

/* Zeros that nobody keeps, but for derivatives by q. */
static tn_slope_row spare_row(const tn_assembly *assembly, const tn_signal_memory *m, double *q)
{
    const size_t nv = assembly->system.nv, rows = assembly->system.rows, nx = assembly->system.nx;
    double *v = m->spare, *lambda = v + 2 * nv, *x = lambda + rows, *u = x + nx;
    memset(v, 0, (2 * nv + rows + nx + m->table.inputs) * sizeof *v);
    return (tn_slope_row){.q = q, .v = v, .a = v + nv, .lambda = lambda, .x = x, .u = u};
}

/* P and S of a live value; TN_INVALID: it does not change with positions alone. */
static tn_status find_live_position(tn_assembly *assembly, const tn_signal_memory *m, uint32_t live,
                                    double *P, double *S)
{
    bool exact = true;
    const tn_slope_row row = spare_row(assembly, m, P);
    const tn_status status = tn_live_slopes(assembly, m->slopes, live, &row, &exact);
    if (status != TN_OK) return status;
    return reads_positions(assembly, &row) ? tn_live_rate_slopes(assembly, m->slopes, live, S) : TN_INVALID;
}

/* A position without derivatives, here or anywhere, keeps the reason: the solver refuses it only where it is asked for. */
static tn_status find_position_slopes(tn_assembly *assembly, tn_signal_memory *m, uint32_t k)
{
    size_t count = 0;
    const tn_named_position *p = &tn_positions(assembly->model, &count)[k];
    const size_t nv = assembly->system.nv;
    double *P = m->position_slopes + k * nv, *S = m->rate_slopes + k * nv;
    tn_status status = TN_OK;
    m->position[k].value = value_of(assembly, p);
    if (p->marker != TN_NONE) {
        const tn_slope_row of_pose = {.q = P}, of_twist = {.q = S};
        tn_marker_slopes(assembly, p->marker, p->row, 1.0, &of_pose, &of_twist);
    } else if (p->live) {
        status = find_live_position(assembly, m, m->live_of_position[k], P, S);
    }
    m->position[k].derivative = status == TN_OK        ? TN_EXACT_SIGNAL
                                : status == TN_INVALID ? TN_FORMLESS_SIGNAL
                                                       : TN_BROKEN_SIGNAL;
    if (status != TN_OK) {
        memset(P, 0, nv * sizeof *P);
        memset(S, 0, nv * sizeof *S);
    }
    return status == TN_INVALID || status == TN_RETRY ? TN_OK : status;
}

/* ---- all of it ------------------------------------------------------------------------------------------------ */

static void clear_rows(const tn_assembly *assembly, const tn_slope_memory *m, size_t count)
{
    const size_t nv = assembly->system.nv;
    memset(m->position, 0, count * nv * sizeof(double));
    memset(m->velocity, 0, count * nv * sizeof(double));
    memset(m->acceleration, 0, count * nv * sizeof(double));
    memset(m->reaction, 0, count * assembly->system.rows * sizeof(double));
    memset(m->state, 0, count * (assembly->system.nx - assembly->system.quadratures) * sizeof(double));
    memset(m->input, 0, count * tn_input_count(assembly->model) * sizeof(double));
}

static void clear_all(const tn_assembly *assembly, const tn_signal_memory *m)
{
    const size_t nv = assembly->system.nv;
    clear_rows(assembly, &m->rate, m->table.states);
    clear_rows(assembly, &m->of_output, m->table.outputs);
    memset(m->position_slopes, 0, m->table.positions * nv * sizeof(double));
    memset(m->rate_slopes, 0, m->table.positions * nv * sizeof(double));
    memset(m->force_by_state, 0, nv * m->table.states * sizeof(double));
    memset(m->force_by_input, 0, nv * m->table.inputs * sizeof(double));
}

static tn_status find_rates(tn_assembly *assembly, tn_signal_memory *m, const char **problem)
{
    uint32_t lacking = TN_NONE;
    for (uint32_t k = 0; k < m->table.states; k++)
        m->rate_row[k] = tn_slope_row_of(assembly, &m->rate, k);
    const tn_status status = tn_state_slopes(assembly, m->slopes, m->rate_row, m->note, &lacking);
    for (uint32_t k = 0; k < m->table.states; k++)
        m->state[k].derivative = m->note[k] & TN_SLOPE_IN_PART ? TN_PARTIAL_SIGNAL : TN_EXACT_SIGNAL;
    if (status != TN_OK && lacking != TN_NONE) *problem = tn_item_name(assembly->model, lacking);
    return status;
}

static tn_status find(tn_system *system, const char **problem)
{
    tn_assembly *assembly = (tn_assembly *)system;
    tn_signal_memory *m = of(system);
    const tn_statistics statistics = assembly->statistics;
    *problem = "";
    clear_all(assembly, m);
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = tn_results_at_hand(assembly);
    if (status == TN_OK) status = tn_differentiate_markers(assembly);
    if (status == TN_OK) status = tn_force_slopes(assembly, m->slopes, m->force_by_state, m->force_by_input);
    if (status == TN_OK) status = find_rates(assembly, m, problem);
    for (uint32_t k = 0; k < m->table.positions && status == TN_OK; k++)
        status = find_position_slopes(assembly, m, k);
    if (status == TN_OK) status = tn_output_slopes(assembly, m, problem);
    assembly->statistics = statistics;
    return status;
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

static uint32_t add_live(tn_signal_memory *m, const tn_live_value *live, size_t *count)
{
    m->live[(*count)++] = live;
    return (uint32_t)*count - 1;
}

/* The numbers of sensor s, from `first` on; `other` is what else it is, of a marker, or NULL. */
static void list_numbers(const tn_sensor *sensor, size_t s, uint32_t live, const tn_marker_sensor *other,
                         tn_output_number *first)
{
    const uint32_t marker = sensor->kind == TN_SENSOR_MARKER ? sensor->marker : TN_NONE;
    for (uint32_t c = 0; c < sensor->size; c++)
        first[c] = (tn_output_number){.sensor = s,
                                      .component = c,
                                      .live = live,
                                      .marker = other ? other->marker : marker,
                                      .output = other ? other->output : sensor->output};
}

/* Sensors that are markers' come in the order of sensors. */
static void list_outputs(tn_assembly *assembly, tn_signal_memory *m, size_t *lives)
{
    tn_column *column = NULL;
    const tn_model *model = assembly->model;
    const size_t columns = tn_sensor_columns(model, &column, &assembly->memory);
    size_t markers = 0, next = 0;
    const tn_marker_sensor *marker = tn_marker_sensors(model, &markers), *end = marker + markers;
    m->table.outputs = (uint32_t)columns - 1;
    m->output = tn_assembly_new(assembly, columns, sizeof *m->output);
    m->number = tn_assembly_new(assembly, columns, sizeof *m->number);
    for (uint32_t k = 0; k < m->table.outputs; k++)
        m->output[k] = (tn_signal_info){.name = column[k + 1].name, .unit = column[k + 1].unit};
    for (size_t s = 0; s < model->sensor_count; s++) {
        const tn_sensor *sensor = &model->sensor[s];
        const uint32_t live = sensor->expression ? add_live(m, sensor->expression, lives) : TN_NONE;
        list_numbers(sensor, s, live, marker < end && marker->sensor == s ? marker++ : NULL,
                     &m->number[next]);
        next += sensor->size;
    }
}

static void list_positions(tn_assembly *assembly, tn_signal_memory *m, size_t *lives)
{
    size_t count = 0;
    const tn_named_position *p = tn_positions(assembly->model, &count);
    m->table.positions = (uint32_t)count;
    m->position = tn_assembly_new(assembly, count, sizeof *m->position);
    m->live_of_position = tn_assembly_new(assembly, count, sizeof *m->live_of_position);
    for (size_t k = 0; k < count; k++) {
        const char *unit = p[k].unit ? p[k].unit : "";
        if (p[k].marker != TN_NONE && !p[k].unit) {
            const char *known = tn_coordinate_unit(assembly->model, p[k].marker);
            unit = known ? known : "";
        }
        m->position[k] = (tn_signal_info){.name = p[k].name, .unit = unit, .value = (double)NAN};
        if (p[k].live) m->live_of_position[k] = add_live(m, p[k].live, lives);
        if (p[k].body == TN_NONE) continue;
        const tn_group *group = &assembly->group[assembly->group_of[p[k].body]];
        m->position[k].count = group->batch.layout->nv;
        m->position[k].first = group->v_start + assembly->index_of[p[k].body] * group->batch.layout->nv;
    }
}

/* An integral is called like its variable, others like their element, with a number where it has several. */
static void list_states(tn_assembly *assembly, tn_signal_memory *m)
{
    m->table.states = assembly->system.nx - assembly->system.quadratures;
    m->state = tn_assembly_new(assembly, m->table.states, sizeof *m->state);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t n = group->batch.layout->nx;
        for (uint32_t i = 0; i < group->batch.count; i++)
            for (uint32_t c = 0; c < n; c++) {
                const char *name = tn_item_name(assembly->model, group->item[i]);
                if (n > 1) name = tn_arena_print(&assembly->memory, "%s.x%u", name, c);
                m->state[group->x_start + i * n + c] = (tn_signal_info){.name = name, .unit = ""};
            }
    }
}

static tn_slope_memory make_rows(tn_assembly *assembly, size_t count, tn_slope_matrices *shown)
{
    const tn_system *system = &assembly->system;
    const size_t nv = count * system->nv;
    const tn_slope_memory m = {
        .position = tn_assembly_new(assembly, nv, sizeof(double)),
        .velocity = tn_assembly_new(assembly, nv, sizeof(double)),
        .acceleration = tn_assembly_new(assembly, nv, sizeof(double)),
        .reaction = tn_assembly_new(assembly, count * system->rows, sizeof(double)),
        .state = tn_assembly_new(assembly, count * system->nx, sizeof(double)),
        .input = tn_assembly_new(assembly, count * tn_input_count(assembly->model), sizeof(double))};
    *shown = (tn_slope_matrices){m.position, m.velocity, m.acceleration, m.reaction, m.state, m.input};
    return m;
}

static void make_matrices(tn_assembly *assembly, tn_signal_memory *m)
{
    const size_t nv = assembly->system.nv, positions = m->table.positions, outputs = m->table.outputs;
    tn_signals *table = &m->table;
    m->rate = make_rows(assembly, table->states, &table->rate);
    m->of_output = make_rows(assembly, outputs, &table->output_slopes);
    m->rate_row = tn_assembly_new(assembly, assembly->system.nx, sizeof *m->rate_row);
    m->note = tn_assembly_new(assembly, assembly->system.nx, sizeof *m->note);
    table->position_slopes = m->position_slopes = tn_assembly_new(assembly, positions * nv, sizeof(double));
    table->rate_slopes = m->rate_slopes = tn_assembly_new(assembly, positions * nv, sizeof(double));
    table->force_by_state = m->force_by_state = tn_assembly_new(assembly, nv * table->states, sizeof(double));
    table->force_by_input = m->force_by_input = tn_assembly_new(assembly, nv * table->inputs, sizeof(double));
    m->value = tn_assembly_new(assembly, outputs, sizeof(double));
    m->sample = tn_assembly_new(assembly, 4 * outputs, sizeof(double));
    m->increment = tn_assembly_new(assembly, nv, sizeof(double));
    m->q = tn_assembly_new(assembly, assembly->system.nq, sizeof(double));
    m->spare = tn_assembly_new(assembly, 2 * nv + assembly->system.rows + assembly->system.nx + table->inputs,
                               sizeof(double));
}

static void make_memory(tn_assembly *assembly)
{
    tn_signal_memory *m = tn_assembly_new(assembly, 1, sizeof *m);
    size_t positions = 0, lives = 0;
    (void)tn_positions(assembly->model, &positions);
    m->live = tn_assembly_new(assembly, assembly->model->sensor_count + positions, sizeof *m->live);
    m->table = (tn_signals){.struct_size = sizeof m->table,
                            .inputs = (uint32_t)tn_input_count(assembly->model),
                            .delays = assembly->reading.past,
                            .input = input,
                            .output = output,
                            .position = position,
                            .state = state,
                            .find_input = find_input,
                            .find_output = find_output,
                            .find_position = find_position,
                            .find = find};
    list_outputs(assembly, m, &lives);
    list_positions(assembly, m, &lives);
    list_states(assembly, m);
    make_matrices(assembly, m);
    m->slopes = tn_value_slopes_new(assembly, m->live, lives);
    assembly->extension[TN_SIGNAL_EXTENSION] = m;
}

const tn_signals *tn_signals_of(tn_assembly *assembly)
{
    if (!tn_system_pattern(&assembly->system)) return NULL;
    if (!tn_signal_memory_of(assembly)) (void)tn_attempt(tn_memory_now(), make_memory(assembly));
    return tn_signal_memory_of(assembly) ? &tn_signal_memory_of(assembly)->table : NULL;
}

/* output_slopes.c - derivatives of what sensors record
 *
 * Those of expressions are found by sweeps, those of markers are their Jacobians: of the position x and the rotation R of a frame that
 * turns by e, dR = [e x] R. What types of elements give as outputs, and the system, has no rules: central differences of fourth
 * order, y' = (8 (y(h) - y(-h)) - (y(2h) - y(-2h))) / 12 h, whose error is h^4 y'''''/30. */
#include "signals/signals_extension.h"

#include "analysis/least_results.h"
#include "signals/sensors.h"
#include "values/state_values.h"

#include <math.h>
#include <string.h>

#define STEP 1e-3          /* of a scale */
#define STEP_OF_LINEAR 0.1 /* what is linear, or nearly so */

/* ---- by rules ------------------------------------------------------------------------------------------------- */

/* Entry c of a rotation matrix by rows, in row i and column j, changes by (e x R_j)_i. */
static void add_rotation(const tn_assembly *assembly, uint32_t marker, uint32_t c, const tn_slope_row *row)
{
    const double *R = assembly->configuration + assembly->station[marker].place.pose + 3;
    const uint32_t i = c / 3, j = c % 3, k = (i + 1) % 3, l = (i + 2) % 3;
    tn_marker_slopes(assembly, marker, 3 + k, R[3 * l + j], row, NULL);
    tn_marker_slopes(assembly, marker, 3 + l, -R[3 * k + j], row, NULL);
}

static void add_marker(const tn_assembly *assembly, const tn_output_number *number, const tn_slope_row *row)
{
    switch ((enum tn_marker_output)number->output) {
    case TN_MARKER_POSITION:
        tn_marker_slopes(assembly, number->marker, number->component, 1.0, row, NULL);
        break;
    case TN_MARKER_VELOCITY:
        tn_marker_slopes(assembly, number->marker, number->component, 1.0, NULL, row);
        break;
    case TN_MARKER_ROTATION:
        add_rotation(assembly, number->marker, number->component, row);
        break;
    default:
        tn_marker_slopes(assembly, number->marker, 3 + number->component, 1.0, NULL, row);
    }
}

/* What the marker has there; an output of an element with the same name is the same number, or something else after all. */
static bool is_of_marker(const tn_assembly *assembly, const tn_output_number *number, double value)
{
    if (number->marker == TN_NONE) return false;
    const double *known = tn_marker_numbers(assembly, number->marker, number->output);
    return fabs(known[number->component] - value) <= 1e-12 * (1.0 + fabs(value));
}

/* Sums over time, and what belongs to steps, are no functions of the state. */
static bool is_formless(const tn_sensor *sensor)
{
    if (sensor->kind == TN_SENSOR_ENERGY) return sensor->output != TN_ENERGY_POTENTIAL;
    return sensor->kind == TN_SENSOR_SYSTEM && sensor->output != TN_SYSTEM_KINETIC_ENERGY &&
           sensor->output != TN_SYSTEM_POTENTIAL_ENERGY && sensor->output != TN_SYSTEM_TOTAL_ENERGY &&
           sensor->output != TN_SYSTEM_MOMENTUM && sensor->output != TN_SYSTEM_ANGULAR_MOMENTUM;
}

static void clear_row(const tn_assembly *assembly, const tn_slope_row *row)
{
    const tn_system *system = &assembly->system;
    memset(row->q, 0, system->nv * sizeof(double));
    memset(row->v, 0, system->nv * sizeof(double));
    memset(row->a, 0, system->nv * sizeof(double));
    memset(row->lambda, 0, system->rows * sizeof(double));
    memset(row->x, 0, (system->nx - system->quadratures) * sizeof(double));
    memset(row->u, 0, tn_input_count(assembly->model) * sizeof(double));
}

/* How number k is differentiated; where that is by rules, it has been. */
static tn_signal_derivative find_by_rules(tn_assembly *assembly, tn_signal_memory *m, uint32_t k)
{
    const tn_output_number *number = &m->number[k];
    const tn_sensor *sensor = &assembly->model->sensor[number->sensor];
    const tn_slope_row row = tn_slope_row_of(assembly, &m->of_output, k);
    bool exact = false;
    tn_status status = TN_OK;
    if (number->live != TN_NONE) {
        status = tn_live_slopes(assembly, m->slopes, number->live, &row, &exact);
        if (!exact) clear_row(assembly, &row);
    } else if (is_of_marker(assembly, number, m->value[k])) {
        add_marker(assembly, number, &row);
        exact = true;
    }
    if (is_formless(sensor)) return TN_FORMLESS_SIGNAL;
    if (status != TN_OK || !isfinite(m->value[k])) {
        clear_row(assembly, &row);
        return TN_BROKEN_SIGNAL;
    }
    return exact ? TN_EXACT_SIGNAL : TN_DIFFERENCED_SIGNAL;
}

/* ---- by differences -------------------------------------------------------------------------------------------- */

/* What is moved: a number in place, or a coordinate of q along its retraction, where `place` is NULL. */
typedef struct moved {
    double *place;
    uint32_t coordinate;
    double step;
} moved;

static tn_status sample(tn_assembly *assembly, double *values)
{
    tn_status status = assembly->system.evaluate(&assembly->system);
    if (status == TN_OK) status = tn_results_at_hand(assembly);
    if (status == TN_OK) tn_sensor_values(assembly, 0.0, values);
    return status;
}

static tn_status sample_at(tn_assembly *assembly, tn_signal_memory *m, const moved *by, double h,
                           double *values)
{
    tn_system *system = &assembly->system;
    const double before = by->place ? *by->place : 0.0;
    tn_status status = TN_OK;
    if (by->place) {
        *by->place = before + h;
    } else {
        m->increment[by->coordinate] = h;
        status = system->retract(system, m->q, m->increment, system->q);
        m->increment[by->coordinate] = 0.0;
    }
    if (status == TN_OK) status = sample(assembly, values);
    if (by->place)
        *by->place = before;
    else
        memcpy(system->q, m->q, system->nq * sizeof *m->q);
    return status;
}

/* A column: entry [k][column] of a matrix with so many columns, of all outputs that need it. */
static tn_status find_column(tn_assembly *assembly, tn_signal_memory *m, const moved *by, double *to,
                             size_t columns, size_t column)
{
    static const double side[4] = {1.0, -1.0, 2.0, -2.0};
    const size_t outputs = m->table.outputs;
    tn_status status = TN_OK;
    for (size_t k = 0; k < 4 && status == TN_OK; k++)
        status = sample_at(assembly, m, by, side[k] * by->step, m->sample + k * outputs);
    const double *y = m->sample;
    for (size_t k = 0; k < outputs && status == TN_OK; k++)
        if (m->output[k].derivative == TN_DIFFERENCED_SIGNAL)
            to[k * columns + column] =
                (8.0 * (y[k] - y[outputs + k]) - (y[2 * outputs + k] - y[3 * outputs + k])) /
                (12.0 * by->step);
    return status;
}

/* All columns of numbers that stand one after the other. */
static tn_status find_columns(tn_assembly *assembly, tn_signal_memory *m, double *place, size_t count,
                              const double *scale, double share, double *to)
{
    tn_status status = TN_OK;
    for (size_t j = 0; j < count && status == TN_OK; j++) {
        const double unit = scale ? scale[j] : 1.0;
        const moved by = {.place = place ? place + j : NULL,
                          .coordinate = (uint32_t)j,
                          .step = share * (place ? fmax(unit, fabs(place[j])) : unit)};
        status = find_column(assembly, m, &by, to, count, j);
    }
    return status;
}

static tn_status find_differences(tn_assembly *assembly, tn_signal_memory *m)
{
    tn_system *system = &assembly->system;
    const tn_slope_memory *to = &m->of_output;
    const size_t nv = system->nv, inputs = tn_input_count(assembly->model);
    memcpy(m->q, system->q, system->nq * sizeof *m->q);
    tn_status status = find_columns(assembly, m, NULL, nv, system->scale, STEP, to->position);
    if (status == TN_OK) status = find_columns(assembly, m, system->v, nv, system->scale, STEP, to->velocity);
    if (status == TN_OK)
        status = find_columns(assembly, m, system->a, nv, NULL, STEP_OF_LINEAR, to->acceleration);
    if (status == TN_OK)
        status = find_columns(assembly, m, system->lambda, system->rows, NULL, STEP_OF_LINEAR, to->reaction);
    if (status == TN_OK)
        status = find_columns(assembly, m, system->x, m->table.states, NULL, STEP, to->state);
    for (size_t k = 0; k < inputs && status == TN_OK; k++) {
        double *place = tn_input_place(assembly->model, k);
        const moved by = {.place = place, .step = STEP * fmax(1.0, fabs(*place))};
        status = find_column(assembly, m, &by, to->input, inputs, k);
    }
    const tn_status back = sample(assembly, m->value);
    return status == TN_OK ? back : status;
}

tn_status tn_output_slopes(tn_assembly *assembly, tn_signal_memory *m, const char **problem)
{
    bool differences = false;
    tn_status status = TN_OK;
    tn_sensor_values(assembly, 0.0, m->value);
    for (uint32_t k = 0; k < m->table.outputs; k++) {
        m->output[k].derivative = find_by_rules(assembly, m, k);
        m->output[k].value = m->value[k];
        differences = differences || m->output[k].derivative == TN_DIFFERENCED_SIGNAL;
    }
    if (differences) {
        status = find_differences(assembly, m);
        if (status != TN_OK) *problem = "an output near this state";
    }
    return status;
}

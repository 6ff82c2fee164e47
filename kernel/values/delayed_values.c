/* delayed_values.c - values of the past: calls of delay, what they find and what they change with, histories
 *
 * A reader waits for all that the value and the lag read now, and their derivatives count. A lag that is always the same and longer
 * than the steps makes a loop of variables harmless: then the current value is not read.
 *
 * Trial states and rejected steps leave no trace: a time beyond the last accepted step is interpolated between that step and
 * the value at the current state, which is not kept. */
#include "values/derivatives.h"
#include "values/value_units.h"

#include <float.h>
#include <math.h>

/* Times that differ by less than this share of a lag are the same. */
static const double slack_of_times = 1e-9;

/* ---- calls ----------------------------------------------------------------------------------------------- */

static tn_live_value begin_argument(tn_model *model, const tn_toml *node,
                                    const struct tn_delayed_argument *argument)
{
    const tn_quantity quantity = {
        .expression = argument->expression, .factor = 1.0, .node = node, .calls = argument->calls};
    return tn_live_begin(model, &quantity);
}

/* Into fixed_lag; false after reporting one that has no value. */
static bool find_fixed_lag(tn_model *model, tn_delay *delay, size_t offset)
{
    const tn_live_value *lag = &delay->lag;
    const char *problem = NULL;
    delay->fixed_lag = (double)NAN;
    if (lag->calls.count || tn_expression_uses(lag->expression, lag->depth, NULL) ||
        tn_expression_value(lag->expression, lag->inputs, &delay->fixed_lag, &problem))
        return true;
    tn_source_error_inside(&model->reader->source, lag->node, offset, "the time of `%s` has no value: %s",
                           TN_DELAY_FUNCTION, problem);
    return false;
}

static bool connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_value_node *made)
{
    const struct tn_delayed_argument *argument = call->delayed->argument;
    tn_value_graph *graph = model->values;
    tn_delay *delay = tn_arena_new(&model->arena, sizeof *delay);
    *delay = (tn_delay){.value = begin_argument(model, node, &argument[TN_DELAY_VALUE]),
                        .lag = begin_argument(model, node, &argument[TN_DELAY_LAG]),
                        .start = begin_argument(model, node, &argument[TN_DELAY_START])};
    const size_t inputs = (size_t)tn_live_input_count(&delay->value) + tn_live_input_count(&delay->lag);
    delay->gradient = tn_arena_new(&model->arena, inputs * sizeof *delay->gradient);
    made->index = (uint32_t)graph->delay_count;
    TN_APPEND(graph->delay, graph->delay_count, delay);
    const bool in_sensor = graph->in_sensor;
    graph->in_sensor = false; /* histories keep accepted steps, at which sensors have no value */
    const bool value = tn_live_connect(model, &delay->value), lag = tn_live_connect(model, &delay->lag);
    graph->in_sensor = in_sensor;
    return find_fixed_lag(model, delay, argument[TN_DELAY_LAG].text.offset) && value && lag;
}

static tn_delay *delay_of(const tn_model *model, const tn_value_node *node)
{
    return model->values->delay[node->index];
}

/* ---- loops ----------------------------------------------------------------------------------------------- */

/* Of the delays in an expression, also those in their arguments: the ones that wait for a value of the reader's loop. */
static void find_loops(const tn_model *model, const tn_live_value *live, uint32_t loop)
{
    tn_value_graph *graph = model->values;
    for (uint32_t k = 0; k < live->calls.count; k++) {
        if (live->read[k].kind != &tn_delay_node) continue;
        tn_delay *delay = delay_of(model, &live->read[k]);
        find_loops(model, &delay->value, loop);
        find_loops(model, &delay->lag, loop);
        const size_t before = graph->read_count;
        if (delay->fixed_lag > 0.0) tn_graph_add_reads(model, &delay->value);
        delay->closes_loop = false;
        while (graph->read_count > before)
            if (graph->dynamic[graph->read[--graph->read_count].value].loop == loop)
                delay->closes_loop = true;
    }
}

bool tn_delays_find_loops(tn_model *model)
{
    const tn_value_graph *graph = model->values;
    for (uint32_t k = 0; k < graph->dynamic_count; k++)
        if (graph->dynamic[k].loop != TN_NONE)
            find_loops(model, &graph->dynamic[k].live, graph->dynamic[k].loop);
    return graph->delay_count > 0 && graph->loop_count > 0;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

/* The start, which is read at a time of its own. */
static const char *look_before_start(tn_delay *delay, double time)
{
    const char *problem = NULL;
    double *inputs = delay->start.inputs, slope[TN_REPEAT_DEPTH + 1];
    const uint32_t depth = delay->start.depth;
    inputs[depth] = time;
    delay->by_value = 0.0;
    if (!isnan(delay->fixed_lag)) {
        (void)tn_expression_value(delay->start.expression, inputs, &delay->output, &problem);
    } else if (tn_expression_gradient(delay->start.expression, inputs, &delay->output, slope, &problem)) {
        delay->by_lag = -slope[depth];
    }
    return problem;
}

static const char *look_back(tn_delay *delay, double time, const tn_past *now)
{
    const tn_recollection past = tn_history_at(&delay->history, time, now);
    delay->output = past.value;
    delay->by_value = past.by_now;
    delay->by_lag = -past.slope;
    return isfinite(past.value) ? NULL : "a delayed value did not exist at its time";
}

static const char *look_at_now(const tn_assembly *assembly, tn_delay *delay)
{
    const char *problem = NULL;
    delay->by_value = 1.0;
    delay->by_lag = 0.0;
    (void)tn_live_evaluate(assembly, &delay->value, &delay->output, &problem);
    return problem;
}

/* Beyond the last accepted step. In a loop the current value is not known, except at times that differ by rounding only. */
static const char *look_behind_end(const tn_assembly *assembly, tn_delay *delay, double time)
{
    const double end = tn_history_end(&delay->history);
    const char *problem = NULL;
    tn_past now = {.time = assembly->system.time};
    if (!delay->closes_loop) {
        (void)tn_live_evaluate(assembly, &delay->value, &now.value, &problem);
        return problem ? problem : look_back(delay, time, &now);
    }
    return time - end <= 1e-6 * (now.time - end)
               ? look_back(delay, end, NULL)
               : "the step is longer than the delay, which closes a loop of variables";
}

static const char *find(const tn_assembly *assembly, const tn_value_node *node)
{
    tn_delay *delay = delay_of(assembly->model, node);
    const char *problem = NULL;
    double lag = delay->fixed_lag;
    if (isnan(lag) && !tn_live_evaluate(assembly, &delay->lag, &lag, &problem)) return problem;
    delay->last_lag = lag;
    const double now = assembly->system.time;
    double time = now - lag;
    if (time >= now) return look_at_now(assembly, delay);
    if (!delay->history.count) return look_before_start(delay, time);
    /* the start itself, but for rounding */
    if (fabs(time - delay->history.begin) <= 4.0 * DBL_EPSILON * fabs(now)) time = delay->history.begin;
    if (time < delay->history.begin) return look_before_start(delay, time);
    return time <= tn_history_end(&delay->history) ? look_back(delay, time, NULL)
                                                   : look_behind_end(assembly, delay, time);
}

/* ---- nodes ----------------------------------------------------------------------------------------------- */

/* In a loop the current value is not read. */
static tn_live_value *argument(const tn_model *model, const tn_value_node *node, uint32_t k)
{
    tn_delay *delay = delay_of(model, node);
    tn_live_value *const read[] = {&delay->value, &delay->lag, NULL};
    return read[delay->closes_loop ? k + 1 : k];
}

static tn_unit unit(tn_unit_search *search, const tn_value_node *node)
{
    return tn_unit_of_argument(search, &delay_of(search->model, node)->value);
}

static const double *place(const tn_assembly *assembly, const tn_value_node *node)
{
    return &delay_of(assembly->model, node)->output;
}

static tn_status measure(tn_assembly *assembly, const tn_value_node *node)
{
    const tn_live_value *live;
    tn_status status = TN_OK;
    for (uint32_t k = 0; status == TN_OK && (live = argument(assembly->model, node, k)); k++)
        status = tn_live_measure(assembly, live);
    return status;
}

static tn_status hand_on(const tn_sweep *sweep, const tn_value_node *node, double share, double share_along)
{
    (void)share_along;
    const tn_delay *delay = delay_of(sweep->assembly->model, node);
    const double by_value = delay->closes_loop ? 0.0 : share * delay->by_value;
    const tn_status status = tn_hand_on_argument(sweep, &delay->value, delay->gradient, by_value);
    return status == TN_OK ? tn_hand_on_argument(sweep, &delay->lag, delay->gradient, share * delay->by_lag)
                           : status;
}

const tn_node_kind tn_delay_node = {.connect = connect,
                                    .in_constraint =
                                        "a constraint holds displacements: `delay` is not a function of them",
                                    .in_loop = "variables that read each other in a loop over a delay",
                                    .argument = argument,
                                    .unit = unit,
                                    .place = place,
                                    .measure = measure,
                                    .find = find,
                                    .hand_on = hand_on};

/* ---- accepted steps -------------------------------------------------------------------------------------- */

/* A kink at the start of the run returns, ever smoother, each time that a lag has passed: at so many returns steps end, and no curve of
 * a history reaches over them. */
enum { RETURNS = 4 };

/* The first return behind `time`; HUGE_VAL for none. Nearer ones than `slack` are reached. */
static double next_return(const tn_delay *delay, double time, double slack)
{
    const double lag = delay->fixed_lag, begin = delay->history.begin;
    if (!(lag > 0.0) || !delay->history.count || time > begin + (RETURNS + 1) * lag) return HUGE_VAL;
    for (int k = 1; k <= RETURNS; k++)
        if (begin + k * lag > time + slack * lag) return begin + k * lag;
    return HUGE_VAL;
}

/* So that the interpolation is about as exact as the steps are: where a curve begins, as if values changed much within a lag. Where
 * they are not smooth, steps need not become ever shorter. */
static double next_step(const tn_delay *delay, double tolerance)
{
    static const double shortest = 1e-3; /* of the lag */
    const double lag = delay->last_lag, step = tn_history_step(&delay->history, tolerance);
    if (!(lag > 0.0)) return HUGE_VAL;
    return fmax(isnan(step) ? lag * sqrt(sqrt(tolerance)) : step, shortest * lag);
}

double tn_delays_next_stop(const tn_assembly *assembly, double tolerance)
{
    const tn_model *model = assembly->model;
    const double time = assembly->system.time;
    double stop = HUGE_VAL;
    for (size_t k = 0; k < model->values->delay_count; k++)
        stop = fmin(stop, fmin(next_return(model->values->delay[k], time, slack_of_times),
                               time + next_step(model->values->delay[k], tolerance)));
    return stop;
}

static bool is_return(const tn_model *model, double time)
{
    for (size_t k = 0; k < model->values->delay_count; k++)
        if (next_return(model->values->delay[k], time, -slack_of_times) <=
            time + slack_of_times * model->values->delay[k]->fixed_lag)
            return true;
    return false;
}

/* All values first: delays may read each other. */
void tn_delays_accepted(const tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    const double time = assembly->system.time;
    const bool again = is_return(model, time);
    for (size_t k = 0; k < model->values->delay_count; k++) {
        tn_delay *delay = model->values->delay[k];
        if (!tn_live_evaluate(assembly, &delay->value, &delay->next, NULL)) delay->next = (double)NAN;
    }
    for (size_t k = 0; k < model->values->delay_count; k++) {
        tn_delay *delay = model->values->delay[k];
        tn_history_add(&delay->history, time, delay->next);
        if (again) tn_history_add(&delay->history, time, delay->next); /* another curve begins */
        if (!isnan(delay->fixed_lag)) tn_history_forget(&delay->history, time - delay->fixed_lag);
    }
}

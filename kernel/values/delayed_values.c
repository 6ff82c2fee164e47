/* delayed_values.c - values of the past: found when an expression is evaluated, kept at accepted steps
 *
 * Trial states and rejected steps leave no trace: what stands behind the last accepted step is interpolated between that and
 * the value at the current state, and forgotten. */
#include "values/delay_calls.h"

#include "values/delayed_values.h"

#include "values/live.h"

#include <float.h>
#include <math.h>

/* Times that differ by less than this share of a lag are the same. */
static const double slack_of_times = 1e-9;

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

/* Behind the last accepted step. In a loop the value of now is not known; times that are the same but for rounding are. */
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

static const char *find(const tn_assembly *assembly, tn_delay *delay)
{
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

const char *tn_delays_find(const tn_assembly *assembly, const tn_live_value *live)
{
    const tn_model *model = assembly->model;
    const char *problem = NULL;
    for (uint32_t k = 0; model->values->delay_count && k < live->calls.count && !problem; k++)
        if (live->observed[k].kind == TN_OBSERVED_DELAY)
            problem = find(assembly, model->values->delay[live->observed[k].index]);
    return problem;
}

/* ---- derivatives ----------------------------------------------------------------------------------------- */

/* The derivatives by what an argument reads, times a share, into `to`. */
static bool spread(const tn_assembly *assembly, const tn_live_value *argument, double share, double *gradient,
                   double *to)
{
    for (uint32_t k = 0; k < argument->reads; k++)
        to[k] = 0.0;
    if (share == 0.0 || !argument->reads) return true;
    if (!tn_live_gradient(assembly, argument, gradient)) return false;
    for (uint32_t k = 0; k < argument->reads; k++)
        to[k] = share * gradient[tn_live_first_observed(argument) + k];
    return true;
}

bool tn_delays_gradient(const tn_assembly *assembly, const tn_live_value *live, double *gradient)
{
    const double *by_call = gradient + tn_live_first_observed(live);
    double *to = gradient + tn_live_first_observed(live) + live->calls.count;
    for (uint32_t k = 0; k < live->calls.count; k++) {
        if (live->observed[k].kind != TN_OBSERVED_DELAY) continue;
        const tn_delay *delay = assembly->model->values->delay[live->observed[k].index];
        const double by_value = delay->closes_loop ? 0.0 : by_call[k] * delay->by_value;
        if (!spread(assembly, &delay->value, by_value, delay->gradient, to) ||
            !spread(assembly, &delay->lag, by_call[k] * delay->by_lag, delay->gradient,
                    to + delay->value.reads))
            return false;
        to += delay->value.reads + delay->lag.reads;
    }
    return true;
}

/* ---- accepted steps -------------------------------------------------------------------------------------- */

/* What is not smooth at the start of the run comes back, ever smoother, each time that a lag has passed: up to here steps end
 * there, and no curve of a history reaches over. */
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

/* step_length.c - whether the times of a run can be told apart: steps against the spacing of numbers at its times
 *
 * A step ends at a number, so it lasts what it says but for the spacing of numbers there. From a thousand spacings on that
 * is less than a thousandth of the step, and stays below what a step leaves out anyway. */
#include "run/plan.h"

#include <float.h>
#include <math.h>

#define SPACINGS 1e3

/* The shortest step at this time; formulas hold its square, which must be a number, too. */
static double shortest_at(double time)
{
    const double size = fabs(time);
    return fmax(SPACINGS * (nextafter(size, HUGE_VAL) - size), sqrt(DBL_MIN));
}

/* The time of the run that is nearest to 0, and the one furthest from it. */
static double nearest_to_zero(const tn_run *run)
{
    return run->start_time <= 0.0 && run->end_time >= 0.0 ? 0.0
                                                          : fmin(fabs(run->start_time), fabs(run->end_time));
}

static double furthest_from_zero(const tn_run *run)
{
    return fmax(fabs(run->start_time), fabs(run->end_time));
}

/* False, with an error at the node, when this length of what is called so cannot be resolved at this time. */
static bool check_length(tn_source *source, const tn_toml *node, const char *name, double length, double time)
{
    const double shortest = shortest_at(time);
    if (!(length < shortest)) return true;
    if (length < sqrt(DBL_MIN))
        tn_source_error(source, node, "%s of %.9g s is too short: its square is too small for a number", name,
                        length);
    else
        tn_source_error(
            source, node,
            "%s of %.9g s is too short for times of %.9g s, where numbers lie %.3g s apart: it must be "
            "at least %.3g s",
            name, length, time, shortest / SPACINGS, shortest);
    return false;
}

static bool check_key(tn_source *source, const tn_solver_plan *plan, const char *key, double length,
                      double time)
{
    char name[32];
    const tn_toml *node = tn_toml_get(plan->table, key);
    (void)snprintf(name, sizeof name, "`%s`", key);
    return check_length(source, node ? node : plan->table, name, length, time);
}

/* A step is not longer than the run. */
static void cut_step(tn_model *model, tn_solver_plan *plan, double span)
{
    const tn_toml *node = tn_toml_get(plan->table, "step");
    tn_run *run = &plan->run;
    if (!(run->step > span)) return;
    if (node && run->step > span * (1.0 + 1e-9))
        tn_diagnose(model->reader->diagnostics, TN_SEVERITY_WARNING, node->place,
                    "`step` %.9g s is longer than the run: it is shortened to %.9g s", run->step, span);
    run->step = span;
}

void tn_check_step_length(tn_model *model, tn_solver_plan *plan)
{
    tn_source *source = &model->reader->source;
    tn_run *run = &plan->run;
    const double span = run->end_time - run->start_time, furthest = furthest_from_zero(run);
    const tn_toml *end = tn_toml_get(plan->table, "end_time");
    if (!(span > 0.0)) {
        /* nothing is as far away as that; to one that seeks a single state it is a number of its own */
        if (!(plan->type->flags & TN_SINGLE_STATE && run->step_given)) run->step = fmin(run->step, 1.0);
        return;
    }
    if (!isfinite(span)) {
        tn_source_error(source, end,
                        "the time from `start_time` %g s to `end_time` %g s is too long for a number",
                        run->start_time, run->end_time);
        return;
    }
    /* an adaptive solver begins with a step that the start resolves */
    const double first_end = run->start_time + run->step;
    const double reached = fmin(fmax(fabs(run->start_time), fabs(first_end)), furthest);
    const double time = run->adaptive ? reached : furthest;
    if (!tn_toml_get(plan->table, "step")) run->step = fmax(run->step, shortest_at(time));
    const bool good = check_key(source, plan, "step", run->step, time) &&
                      check_key(source, plan, "max_step", run->maximum_step, furthest) &&
                      check_length(source, end, "the run", span, furthest);
    if (good && run->minimum_step > 0.0)
        (void)check_key(source, plan, "min_step", run->minimum_step, nearest_to_zero(run));
    if (good) cut_step(model, plan, span);
}

void tn_check_interval_length(tn_model *model, const tn_plan *plan)
{
    bool good = plan->interval > 0.0;
    for (size_t k = 0; good && k < plan->solver_count; k++) {
        const tn_run *run = &plan->solver[k].run;
        if (plan->solver[k].type && run->end_time > run->start_time)
            good = check_length(&model->reader->source, plan->interval_node, "the interval", plan->interval,
                                furthest_from_zero(run));
    }
}

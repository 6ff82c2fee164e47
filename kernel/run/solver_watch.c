/* solver_watch.c - states and times that are mistakes of a solver (see solver_watch.h) */
#include "run/solver_watch.h"

#include "extensions/contacts.h"
#include "system/accept.h"
#include "system/block_calls.h"
#include "system/explanation.h"
#include "system/failure.h"

#include <float.h>
#include <math.h>

#define blame_solver(watch, assembly, ...) \
    tn_blame(assembly, (watch)->plan->type, (watch)->plan->type->begin ? "step" : "advance", __VA_ARGS__)

enum { MOST_STANDING = 1000 }; /* an event and a change or two have the time of the state before */

static bool is_before_end(const tn_solver_watch *watch, double time)
{
    return time < watch->end - watch->margin;
}

static bool is_behind_end(const tn_solver_watch *watch, double time)
{
    return time > watch->end + watch->margin;
}

/* ---- the state ------------------------------------------------------------------------------------------- */

/* Blames the solver for the first number of `letter` that is not finite; `start` and `count` tell those of a group. */
static tn_status blame_numbers(const tn_solver_watch *watch, tn_assembly *assembly, const double *value,
                               char letter)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const tn_layout *layout = group->batch.layout;
        const uint32_t first = letter == 'q'   ? group->q_start
                               : letter == 'v' ? group->v_start
                                               : group->x_start;
        const uint32_t width = letter == 'q' ? layout->nq : letter == 'v' ? layout->nv : layout->nx;
        for (uint32_t i = 0; i < width * group->batch.count; i++) {
            if (isfinite(value[first + i])) continue;
            return blame_solver(watch, assembly, "left a state that is not finite: `%s.%c%u` is %g",
                                tn_item_name(assembly->model, group->item[i / width]), letter, i % width,
                                fabs(value[first + i]));
        }
    }
    return blame_solver(watch, assembly, "left an energy that is not finite");
}

static tn_status check_state(const tn_solver_watch *watch, tn_assembly *assembly)
{
    const tn_system *system = &assembly->system;
    if (!tn_all_are_finite(assembly, system->q, system->nq))
        return blame_numbers(watch, assembly, system->q, 'q');
    if (!tn_all_are_finite(assembly, system->v, system->nv))
        return blame_numbers(watch, assembly, system->v, 'v');
    return tn_are_finite(system->x, system->nx) ? TN_OK : blame_numbers(watch, assembly, system->x, 'x');
}

/* ---- steps and the end ----------------------------------------------------------------------------------- */

/* Blames the solver for a state that cannot be accepted. */
static tn_status check_step(void *data, tn_assembly *assembly)
{
    tn_solver_watch *watch = data;
    const double time = assembly->system.time;
    if (!(time >= watch->time - watch->margin))
        return blame_solver(watch, assembly, "went back in time, from %.9g s to %.9g s", watch->time, time);
    if (is_behind_end(watch, time))
        return blame_solver(watch, assembly, "went on to %.9g s, beyond `end_time` = %.9g s", time,
                            watch->end);
    if (time > watch->time && !tn_contacts_are_heard(assembly))
        return blame_solver(watch, assembly, "took a step without asking for the points of contact of `%s`",
                            tn_item_name(assembly->model, tn_contact_item(assembly)));
    watch->standing = time > watch->time ? 0 : watch->standing + 1;
    watch->time = time;
    if (watch->standing == MOST_STANDING)
        return blame_solver(watch, assembly, "does not advance: it handed over %d states at %.9g s",
                            MOST_STANDING, time);
    return check_state(watch, assembly);
}

void tn_solver_watch_begin(tn_solver_watch *watch, tn_assembly *assembly, const tn_solver_plan *plan)
{
    const tn_run *run = &plan->run;
    const double round_off = 4.0 * DBL_EPSILON * fmax(fabs(run->start_time), fabs(run->end_time));
    *watch = (tn_solver_watch){.plan = plan,
                               .end = run->end_time,
                               .margin = fmax(1e-9 * (run->end_time - run->start_time), round_off),
                               .time = run->start_time};
    assembly->acceptance->watch = (tn_step_watch){check_step, watch};
}

/* Blames the solver for an end that is not the end of the run. */
static tn_status check_finish(const tn_solver_watch *watch, tn_assembly *assembly)
{
    const double time = assembly->system.time;
    if (isnan(time)) return blame_solver(watch, assembly, "left a time that is not a number");
    if (is_before_end(watch, time))
        return blame_solver(watch, assembly, "ended at %.9g s, before `end_time` = %.9g s", time, watch->end);
    if (is_behind_end(watch, time))
        return blame_solver(watch, assembly, "ended at %.9g s, beyond `end_time` = %.9g s", time, watch->end);
    if (is_before_end(watch, watch->time))
        return blame_solver(watch, assembly,
                            "ended at `end_time` = %.9g s, but handed over its last state at %.9g s",
                            watch->end, watch->time);
    return check_state(watch, assembly);
}

tn_status tn_solver_watch_end(const tn_solver_watch *watch, tn_assembly *assembly, tn_status status)
{
    const tn_status accepted = assembly->acceptance->answer;
    assembly->acceptance->watch = (tn_step_watch){0};
    if (assembly->failures.blame[0]) return TN_FATAL;
    if (assembly->model->refused && (status == TN_OK || !assembly->failures.reason[0]))
        return tn_find_refusal(assembly) == TN_INVALID
                   ? assembly->system.fail(&assembly->system, TN_INVALID, NULL, NULL)
                   : TN_FATAL;
    if (status == TN_OK) status = accepted;
    if (status == TN_OK) return check_finish(watch, assembly);
    if (status == TN_EVENT && accepted != TN_EVENT)
        return blame_solver(
            watch, assembly,
            "ended at %.9g s with the status of an event that has not occurred, before `end_time` = %.9g s",
            assembly->system.time, watch->end);
    if (status == TN_EVENT && assembly->system.time > watch->time + watch->margin)
        return blame_solver(watch, assembly, "went on to %.9g s, but the run was ended at %.9g s",
                            assembly->system.time, watch->time);
    if (status != TN_EVENT && accepted == TN_OK && !assembly->failures.reason[0])
        return blame_solver(watch, assembly, "failed without a reason: %s", tn_status_text(status));
    return status;
}

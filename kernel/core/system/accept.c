/* accept.c - what happens where a step ends, in order (see accept.h) */
#include "system/accept.h"

#include "system/algebraic.h"
#include "system/data.h"
#include "system/events.h"
#include "system/failure.h"
#include "system/shown.h"
#include "system/turns.h"
#include "system/value_source.h"

/* ---- elements, turns and delays -------------------------------------------------------------------------- */

/* The last evaluation of the solver may have been nearby. */
static tn_status find_unknowns_of_state(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    if (!assembly->algebraic) return TN_OK;
    tn_refusal_forget(assembly);
    const tn_status status = tn_evaluate_markers(assembly);
    if (status != TN_OK) return system->fail(system, status, NULL, "this is the state at the end of a step");
    tn_algebraic_keep(assembly);
    return TN_OK;
}

/* The message of an element, on the step that ends here or on the model. */
void tn_tell_of_element(const tn_assembly *assembly, const tn_group *group, bool of_step)
{
    tn_model *model = assembly->model;
    const uint32_t item = group->item[group->failure.instance];
    tn_host_point(model, model->item[item].origin->at, tn_item_name(model, item));
    if (of_step)
        tn_say(&model->host, TN_WARNING, "at time %.9g s: %s", assembly->system.time, group->failure.message);
    else
        model->host.message(&model->host, TN_WARNING, group->failure.message);
    tn_host_point(model, NULL, NULL);
}

static tn_status call_accepted(tn_assembly *assembly, tn_group *group)
{
    group->failure = (tn_failure){0};
    const tn_status status = tn_call(group->type, accepted, &group->batch);
    if (!group->failure.message) return tn_worse(status, TN_OK);
    if (status != TN_OK) {
        (void)tn_refused(assembly, group, status);
        return assembly->system.fail(&assembly->system, status, NULL, NULL);
    }
    tn_tell_of_element(assembly, group, true);
    return TN_OK;
}

/* Calls `accepted` of all types with one of these flags, or of all that have it. */
static tn_status call_all_accepted(tn_assembly *assembly, uint32_t flags)
{
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++)
        if (assembly->group[k].type->accepted && (!flags || assembly->group[k].type->flags & flags))
            status = call_accepted(assembly, &assembly->group[k]);
    if (status == TN_OK) tn_turns_accepted(assembly);
    return status;
}

/* The motion after a change, at the time of the step that was accepted before it. */
tn_status tn_accept_jump(tn_assembly *assembly) { return call_all_accepted(assembly, TN_KEEPS_RATES); }

/* For histories, which may keep forces and accelerations. */
static tn_status evaluate_accepted(tn_assembly *assembly)
{
    const bool reads_results = assembly->reading.measured_forces || assembly->reading.accelerations ||
                               assembly->redundancy.shows_least;
    return reads_results && assembly->reading.past ? tn_evaluate_outputs(assembly)
                                                   : tn_evaluate_markers(assembly);
}

/* Elements hear of a step, and histories go on. */
static tn_status run_callbacks(tn_assembly *assembly, bool of_elements)
{
    tn_status status = evaluate_accepted(assembly);
    if (status == TN_OK && of_elements) status = call_all_accepted(assembly, 0);
    if (status == TN_OK) tn_values_accepted(assembly);
    tn_outputs_done(assembly);
    return status;
}

/* What has jumped where the step ended: histories go on from behind that. */
static tn_status remember_jump(tn_assembly *assembly)
{
    return assembly->reading.past ? run_callbacks(assembly, false) : TN_OK;
}

/* ---- changes --------------------------------------------------------------------------------------------- */

/* What the solver knows of the state is renewed, which is made consistent where the model has changed. */
static tn_status begin_anew(tn_assembly *assembly, bool changed)
{
    tn_system *system = &assembly->system;
    system->revision++;
    const tn_services *services = assembly->services;
    tn_status status = changed && services->consistent ? services->consistent(assembly, false) : TN_OK;
    if (status == TN_OK && changed && services->rows) status = services->rows->renew(assembly);
    if (status != TN_OK) return status;
    status = system->evaluate(system);
    if (status == TN_OK) status = tn_accept_jump(assembly);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    return status == TN_OK ? TN_OK : system->fail(system, status, NULL, "this is the state after a change");
}

/* Makes the changes, and takes the samples, that are due. */
static tn_status make_due_changes(tn_assembly *assembly, double time)
{
    bool any = false;
    const tn_status status = assembly->services->changes(assembly, time, &any);
    if (status == TN_OK) return begin_anew(assembly, any);
    assembly->system.revision += status != TN_EVENT; /* then all that the solver knows is as it was */
    return status == TN_EVENT ? TN_OK : status;
}

/* Whether changes are due, by their time or by conditions at the state of the last evaluation. */
static tn_status find_due(tn_assembly *assembly, double slack, bool *due)
{
    tn_system *system = &assembly->system;
    const tn_value_source *values = assembly->services->values;
    *due = false;
    const tn_status status = values ? values->look(assembly, due) : TN_OK;
    if (status != TN_OK)
        return system->fail(system, status, NULL, "`stop_when` and `crosses` are evaluated here");
    *due = *due || assembly->acceptance->next_change <= system->time + slack;
    return TN_OK;
}

/* What is changed may meet the conditions of other changes; each is made once. */
static tn_status make_changes(tn_assembly *assembly, bool *changed)
{
    tn_system *system = &assembly->system;
    const double slack = tn_slack_of_times(system->time, system->run->step);
    if (assembly->acceptance->next_change < system->time - 1e3 * slack)
        return system->fail(system, TN_FATAL, NULL, "the solver stepped over a change");
    bool due = false;
    if (!assembly->acceptance->waits && assembly->acceptance->next_change > system->time + slack)
        return TN_OK;
    tn_status status = find_due(assembly, slack, &due);
    while (status == TN_OK && due && assembly->services->changes) {
        status = make_due_changes(assembly, system->time + slack);
        *changed = true;
        if (status == TN_OK) status = find_due(assembly, slack, &due);
    }
    return status;
}

/* ---- the step -------------------------------------------------------------------------------------------- */

/* From the state that the solver handed over to the one that it goes on from. The step that ended was taken with the model as it
 * was: elements hear of it before the model changes. */
static tn_status settle_step(tn_assembly *assembly, double length, bool *changed)
{
    const uint32_t revision = assembly->system.revision;
    tn_status status = find_unknowns_of_state(assembly);
    if (status == TN_OK && assembly->acceptance->tells_elements)
        status = run_callbacks(assembly, true);
    else if (status == TN_OK)
        tn_turns_accepted(assembly);
    if (status == TN_OK) status = tn_events_accepted(assembly);
    if (status == TN_OK && assembly->data->size) tn_data_keep(assembly);
    if (status == TN_OK && assembly->system.slide)
        status = assembly->services->values->hold_jumps(assembly, length);
    if (status == TN_OK) status = make_changes(assembly, changed);
    if (status == TN_OK && assembly->system.revision != revision) status = remember_jump(assembly);
    if (status == TN_OK && assembly->algebraic) tn_algebraic_keep(assembly);
    return status;
}

/* TN_EVENT where some observer wants the solver to end, a failure at once. */
static tn_status show_to_observers(const tn_acceptance *acceptance, const tn_accepted_step *step)
{
    tn_status answer = TN_OK;
    for (const tn_step_observer *o = acceptance->first; o; o = o->behind) {
        const tn_status status = o->see(o->data, step);
        if (status != TN_OK && status != TN_EVENT) return status;
        if (status == TN_EVENT) answer = TN_EVENT;
    }
    return answer;
}

/* All of them, and adaptive ones. */
void tn_accept_find_stops(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    const double tolerance = system->run->relative_tolerance;
    const double past =
        assembly->reading.past ? assembly->services->values->next_stop(assembly, tolerance) : HUGE_VAL;
    double change = assembly->acceptance->next_change, stop = past;
    for (const tn_step_observer *o = assembly->acceptance->first; o; o = o->behind) {
        if (o->landing > system->time && o->landing < change) change = o->landing;
        if (o->next < stop) stop = o->next;
    }
    system->next_change = change;
    system->next_stop = change < stop ? change : stop;
    system->next_landing = past < HUGE_VAL ? system->next_stop : change; // histories keep ends of steps only
}

static tn_status accept_step(tn_assembly *assembly)
{
    tn_acceptance *acceptance = assembly->acceptance;
    tn_system *system = &assembly->system;
    tn_accepted_step step = {.length = system->time - acceptance->last_time};
    tn_status status = settle_step(assembly, step.length, &step.changed);
    if (status != TN_OK) return status;
    step.last = acceptance->waits && tn_accept_stops(assembly);
    status = show_to_observers(acceptance, &step);
    if (status != TN_OK && status != TN_EVENT) return status;
    if (system->slide) assembly->services->values->remember_jumps(assembly);
    tn_accept_find_stops(assembly);
    acceptance->last_time = system->time;
    return step.last ? TN_EVENT : status;
}

static tn_status accept_state(tn_assembly *assembly)
{
    tn_acceptance *acceptance = assembly->acceptance;
    const tn_step_watch *watch = &acceptance->watch;
    if (acceptance->is_deaf) return TN_OK;
    if (acceptance->answer != TN_OK) return acceptance->answer;
    if (watch->look) acceptance->answer = watch->look(watch->data, assembly);
    if (acceptance->answer == TN_OK) acceptance->answer = accept_step(assembly);
    if (assembly->failures.blame[0]) acceptance->answer = TN_FATAL;
    /* explained when the solver has returned */
    if (assembly->model->refused) acceptance->answer = TN_INVALID;
    return acceptance->answer;
}

/* Whether the step may end with more than numbers: conditions, histories and jumps of values, changes. What observers say finds its
 * memory by itself. */
static bool may_allocate(const tn_assembly *assembly)
{
    return assembly->reading.conditions || assembly->reading.past || assembly->impulses ||
           assembly->system.slide || assembly->acceptance->next_change < HUGE_VAL;
}

static tn_status accept_end_of_step(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const tn_status answer =
        may_allocate(assembly) ? tn_attempt_status(accept_state(assembly)) : accept_state(assembly);
    if (answer == TN_OUT_OF_MEMORY) assembly->acceptance->answer = answer;
    return answer;
}

tn_status tn_accept_anew(tn_assembly *assembly)
{
    tn_status status = begin_anew(assembly, true);
    if (status == TN_OK) status = remember_jump(assembly);
    if (status == TN_OK) tn_algebraic_keep(assembly);
    return status;
}

/* ---- the protocol ---------------------------------------------------------------------------------------- */

void tn_accept_build(tn_assembly *assembly)
{
    tn_acceptance *acceptance = assembly->acceptance = tn_assembly_new(assembly, 1, sizeof *acceptance);
    acceptance->next_change = HUGE_VAL;
    acceptance->waits = assembly->reading.conditions;
    acceptance->tells_elements = tn_turns_counted(assembly) || assembly->reading.past;
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].type->accepted) acceptance->tells_elements = true;
    assembly->system.accept = accept_end_of_step;
}

/* Where an observer hangs; NULL: the next one. */
static tn_step_observer **place_of(tn_assembly *assembly, const tn_step_observer *observer)
{
    tn_step_observer **place = &assembly->acceptance->first;
    while (*place && *place != observer)
        place = &(*place)->behind;
    return place;
}

void tn_accept_observe(tn_assembly *assembly, tn_step_observer *observer)
{
    *place_of(assembly, NULL) = observer;
    observer->behind = NULL;
}

void tn_accept_unobserve(tn_assembly *assembly, const tn_step_observer *observer)
{
    tn_step_observer **place = place_of(assembly, observer);
    if (*place) *place = observer->behind;
}

bool tn_accept_stops(const tn_assembly *assembly)
{
    return tn_values_meet(assembly, assembly->acceptance->stop);
}

void tn_accept_begin(tn_assembly *assembly, const tn_run *run, uint32_t stop)
{
    tn_system *system = &assembly->system;
    system->run = run;
    system->time = system->next_stop = assembly->acceptance->last_time = run->start_time;
    system->frozen = system->corrects = 0;
    system->state_factor = 0.0;
    system->state_base = NULL;
    assembly->acceptance->answer = TN_OK;
    assembly->acceptance->stop = stop;
    if (assembly->services->values) assembly->services->values->begin(assembly, stop);
    tn_turns_begin(assembly);
}

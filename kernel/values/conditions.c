/* conditions.c - what ends a part of a run, or makes changes in it
 *
 * The zeros of a condition, and the places where it takes another branch, are events, which adaptive solvers land on; at the
 * end of every accepted step its value decides whether it is met. */
#include "values/value_events.h"

#include "system/shown.h"
#include "values/state_values.h"

#include <math.h>
#include <string.h>

typedef struct watched {
    const tn_live_value *live;
    bool logical, stops;            /* it is a truth; it ends a solver */
    double event_time, event_value; /* the last one that a solver has looked at, and its time */
    uint32_t functions;             /* its event functions */
    bool on, seen, met;             /* it is looked at; it has been; what it is for is due */
    bool told;                      /* the user has been warned that it has no value somewhere */
    double side;                    /* the last sign that was not zero; 0: none yet */
    double time;                    /* when it was met; NaN: it has not been */
} watched;

struct tn_conditions {
    watched *watched;
    uint32_t count, functions;
    uint32_t *met, met_count; /* numbers of those that have been met, one after the other */
    uint32_t reads;           /* TN_READS_... of all of them */
    double *a; /* [nv] that of the solver, while that of the state at hand stands in its place */
};

uint32_t tn_conditions_build(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    struct tn_conditions *all = assembly->value_events->conditions = tn_new(1, sizeof *all);
    all->count = (uint32_t)model->values->condition_count;
    all->watched = tn_new(all->count, sizeof *all->watched);
    all->met = tn_new(all->count, sizeof *all->met);
    for (uint32_t k = 0; k < all->count; k++) {
        const tn_live_value *live = &model->values->condition[k];
        const bool logical = tn_expression_is_logical(live->expression);
        const uint32_t switches = tn_expression_switch_count(live->expression);
        all->watched[k] = (watched){.live = live,
                                    .logical = logical,
                                    .stops = true,
                                    .functions = logical ? switches : switches + 1,
                                    .event_time = (double)NAN,
                                    .time = (double)NAN};
        all->functions += all->watched[k].functions;
        all->reads |= tn_live_reads(model, live);
    }
    for (size_t k = model->timed_change_count; k < model->change_count; k++) {
        watched *w = &all->watched[model->change[k].condition];
        w->stops = false;
        w->on = true;
    }
    if (all->reads & TN_READS_ACCELERATIONS) all->a = tn_new(assembly->system.nv, sizeof *all->a);
    return all->functions;
}

void tn_conditions_begin(tn_assembly *assembly, uint32_t stop)
{
    struct tn_conditions *all = assembly->value_events->conditions;
    for (uint32_t k = 0; k < all->count; k++)
        if (all->watched[k].stops) all->watched[k].on = k == stop;
}

bool tn_condition_is_met(const tn_assembly *assembly, uint32_t condition)
{
    return condition != TN_NONE && assembly->value_events->conditions->watched[condition].met;
}

const tn_live_value *tn_condition_met(const tn_assembly *assembly, uint32_t number, double *time)
{
    const struct tn_conditions *all = assembly->value_events->conditions;
    if (number >= all->met_count) return NULL;
    *time = all->watched[all->met[number]].time;
    return all->watched[all->met[number]].live;
}

bool tn_condition_has_been_met(const tn_assembly *assembly, uint32_t condition)
{
    return !isnan(assembly->value_events->conditions->watched[condition].time);
}

void tn_conditions_done(tn_assembly *assembly)
{
    for (uint32_t k = 0; k < assembly->value_events->conditions->count; k++) {
        watched *w = &assembly->value_events->conditions->watched[k];
        if (!w->met || w->stops) continue;
        w->met = w->on = false;
    }
}

/* ---- events ---------------------------------------------------------------------------------------------- */

/* What conditions alone read is found at the state of the last evaluation. */
static tn_status find_condition_inputs(tn_assembly *assembly)
{
    const struct tn_conditions *all = assembly->value_events->conditions;
    tn_system *system = &assembly->system;
    tn_status status = TN_OK;
    if (all->reads & TN_READS_ACCELERATIONS) {
        memcpy(all->a, system->a, system->nv * sizeof *all->a);
        status = system->accelerate(system, system->a);
        if (status == TN_OK) status = tn_accelerations_evaluate(assembly);
        memcpy(system->a, all->a, system->nv * sizeof *all->a);
    }
    return status == TN_OK && all->reads & TN_READS_FORCES ? tn_forces_evaluate(assembly) : status;
}

static void find_functions(const tn_assembly *assembly, watched *w, double *value)
{
    const tn_live_value *live = w->live;
    for (uint32_t i = 0; i < w->functions; i++)
        value[i] = (double)NAN;
    if (!w->on || tn_live_find(assembly, live)) return;
    tn_live_switches(assembly, live, value);
    const bool valued = tn_live_evaluate(assembly, live, &w->event_value, NULL);
    w->event_time = valued ? assembly->system.time : (double)NAN;
    if (!w->logical && valued) value[w->functions - 1] = w->event_value;
}

tn_status tn_conditions_event_values(tn_assembly *assembly, double *value)
{
    const struct tn_conditions *all = assembly->value_events->conditions;
    const tn_status status = find_condition_inputs(assembly);
    for (uint32_t k = 0; k < all->count && status == TN_OK; k++) {
        find_functions(assembly, &all->watched[k], value);
        value += all->watched[k].functions;
    }
    return status;
}

/* ---- accepted steps -------------------------------------------------------------------------------------- */

static void warn_of_condition(const tn_assembly *assembly, const watched *w, const char *text,
                              const char *problem)
{
    tn_model *model = assembly->model;
    tn_host_point(model, &w->live->node->at, NULL);
    tn_say(&model->host, TN_WARNING, "`%s` %s at %.9g s%s%s", w->live->node->key, text, assembly->system.time,
           *problem ? ": " : "", problem);
    tn_host_point(model, NULL, NULL);
}

/* Zero is reached, or passed, from one side. */
static bool crosses_zero(watched *w, double value)
{
    const double side = (double)((value > 0.0) - (value < 0.0));
    const bool crossed = w->side != 0.0 && side != w->side;
    if (side != 0.0) w->side = side;
    return crossed;
}

static void look_at_condition(const tn_assembly *assembly, watched *w)
{
    struct tn_conditions *all = assembly->value_events->conditions;
    double value = 0.0;
    const char *problem = NULL;
    if (!tn_live_evaluate(assembly, w->live, &value, &problem)) {
        if (!w->told && !assembly->model->refused) warn_of_condition(assembly, w, "has no value and does not occur", problem);
        w->told = true;
        w->side = 0.0;
        return;
    }
    /* a solver that has landed behind a crossing has crossed it, where the last correction leads back by rounding, too */
    if (w->event_time == assembly->system.time) value = w->event_value;
    w->event_time = (double)NAN;
    w->met = w->logical ? value != 0.0 : crosses_zero(w, value);
    if (w->met && !w->seen)
        warn_of_condition(assembly, w,
                          w->stops ? "is true when the solver starts, and ends it"
                                   : "is true when it is first evaluated",
                          "");
    w->seen = true;
    if (!w->met) return;
    w->time = assembly->system.time;
    all->met[all->met_count++] = (uint32_t)(w - all->watched);
}

tn_status tn_conditions_accepted(tn_assembly *assembly, bool *change)
{
    const struct tn_conditions *all = assembly->value_events->conditions;
    bool any = false;
    *change = false;
    for (uint32_t k = 0; k < all->count; k++)
        any = any || all->watched[k].on;
    if (!any) return TN_OK;
    const bool reads_results = all->reads & (TN_READS_FORCES | TN_READS_ACCELERATIONS);
    const tn_status status = reads_results ? tn_evaluate_outputs(assembly) : tn_evaluate_markers(assembly);
    for (uint32_t k = 0; k < all->count && status == TN_OK; k++) {
        watched *w = &all->watched[k];
        if (w->on && !w->met) look_at_condition(assembly, w);
        *change = *change || (w->met && !w->stops);
    }
    if (reads_results) tn_outputs_done(assembly);
    return status;
}

/* ---- state ----------------------------------------------------------------------------------------------- */

void tn_conditions_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    struct tn_conditions *all = assembly->value_events->conditions;
    for (uint32_t k = 0; k < all->count; k++) {
        watched *w = &all->watched[k];
        double *const number[] = {&w->event_time, &w->event_value, &w->side, &w->time};
        bool *const truth[] = {&w->on, &w->seen, &w->met, &w->told};
        for (int i = 0; i < 4; i++) {
            tn_visit_numbers(visitor, number[i], 1);
            TN_VISIT(visitor, *truth[i]);
        }
        TN_VISIT(visitor, all->met[k]);
    }
    TN_VISIT(visitor, all->met_count);
}

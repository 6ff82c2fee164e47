/* causes.c - ranks the causes that a failure may have, and says the likeliest ones (see causes.h) */
#include "analysis/causes.h"

#include "config/diagnostics.h"
#include "extensions/step_counts.h"
#include "system/block_calls.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LIKELY_ENOUGH 0.3
enum { VERY_MANY_STEPS = 50000 };

/* ---- the list -------------------------------------------------------------------------------------------- */

void tn_cause_add(tn_cause_list *list, double likelihood, tn_place place, const char *format, ...)
{
    if (!(likelihood >= LIKELY_ENOUGH) || list->count == TN_MOST_CAUSES) return;
    tn_cause *cause = &list->cause[list->count++];
    *cause = (tn_cause){.likelihood = likelihood, .place = place};
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(cause->text, sizeof cause->text, format, arguments);
    va_end(arguments);
}

tn_place tn_place_of(const tn_assembly *assembly, const tn_group *group, uint32_t instance)
{
    return assembly->model->item[group->item[instance]].origin->at->place;
}

const char *tn_name_of(const tn_assembly *assembly, const tn_group *group, uint32_t instance)
{
    return tn_item_name(assembly->model, group->item[instance]);
}

const tn_group *tn_owner_of(const tn_assembly *assembly, size_t coordinate, uint32_t *instance)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t nv = group->batch.layout->nv, first = group->v_start;
        if (!nv || coordinate < first || coordinate >= first + nv * group->batch.count) continue;
        *instance = (uint32_t)((coordinate - first) / nv);
        return group;
    }
    return NULL;
}

/* ---- the state ------------------------------------------------------------------------------------------- */

static bool is_finite(const tn_assembly *assembly)
{
    const tn_system *system = &assembly->system;
    return tn_are_finite(system->q, system->nq) && tn_are_finite(system->v, system->nv) &&
           tn_are_finite(system->x, system->nx);
}

/* Forces, and accelerations in place, of the current state. */
static bool evaluates(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    return is_finite(assembly) && system->evaluate(system) == TN_OK &&
           system->accelerate(system, system->a) == TN_OK && tn_are_finite(system->a, system->nv);
}

/* The state of the failure, or that of the start where this has no forces. */
static bool find_state(tn_cause_list *list)
{
    tn_assembly *assembly = list->assembly;
    list->at_end = !list->ran_away && evaluates(assembly);
    if (list->at_end) return true;
    tn_state_copy_put(assembly, &list->start);
    assembly->model->refused = false;
    return evaluates(assembly);
}

/* Accelerations and multipliers of the start, where it has some. */
static void complete_start(tn_cause_list *list)
{
    tn_assembly *assembly = list->assembly;
    tn_state_copy_put(assembly, &list->start);
    if (evaluates(assembly)) tn_state_copy_take(assembly, &list->start);
    assembly->model->refused = false;
}

/* ---- messages -------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double first = ((const tn_cause *)a)->likelihood, second = ((const tn_cause *)b)->likelihood;
    return first < second ? 1 : first > second ? -1 : 0;
}

static void say(tn_cause_list *list)
{
    const tn_model *model = list->assembly->model;
    qsort(list->cause, list->count, sizeof *list->cause, compare);
    for (size_t k = 0; k < list->count && k < TN_CAUSES_SAID; k++)
        tn_model_tell(model, TN_SEVERITY_NOTE, list->cause[k].place, "%s cause: %s",
                      k ? "another possible" : "likely", list->cause[k].text);
}

static void find_causes(tn_cause_list *list, const tn_state_copy *end)
{
    tn_find_refusals(list);
    complete_start(list);
    tn_state_copy_put(list->assembly, end);
    tn_find_contradictions(list);
    if (!find_state(list)) return;
    tn_find_step_causes(list);
    tn_find_modes(list);
}

/* Matrices and multipliers that the search leaves are void behind a run; what is counted and read is put back. */
static void find_all(tn_cause_list *list)
{
    tn_assembly *assembly = list->assembly;
    tn_system *system = &assembly->system;
    const tn_statistics statistics = assembly->statistics;
    const uint32_t frozen = system->frozen;
    const double *base = system->state_base;
    tn_state_copy end = tn_state_copy_new(assembly);
    tn_state_copy_take(assembly, &end);
    system->frozen = 0;
    system->state_base = NULL;
    if (list->slow) {
        if (find_state(list)) tn_find_modes(list);
    } else {
        find_causes(list, &end);
    }
    tn_state_copy_put(assembly, &end);
    system->frozen = frozen;
    system->state_base = base;
    assembly->statistics = statistics;
    assembly->failures = list->failures;
    assembly->model->refused = false;
}

void tn_tolerance_warn(tn_assembly *assembly, const tn_state_copy *start)
{
    tn_cause_list *list = tn_new(1, sizeof *list);
    *list = (tn_cause_list){.assembly = assembly, .start = *start};
    tn_find_tolerances(list);
    if (list->count && list->cause[0].likelihood > 0.9)
        tn_model_tell(assembly->model, TN_SEVERITY_WARNING, list->cause[0].place, "%s", list->cause[0].text);
    tn_free(list);
}

/* Who has decided the length of most steps, where no force does by its stiffness. */
static void find_governor(tn_cause_list *list)
{
    tn_assembly *assembly = list->assembly;
    const tn_governor most = tn_step_governor(assembly);
    if (!most.group) return;
    tn_cause_add(list, 0.5, tn_place_of(assembly, most.group, most.instance),
                 "the errors of `%s` decided the length of %.0f %% of the steps; look at what moves it that "
                 "fast, ask for a looser "
                 "tolerance, or take a method of higher order",
                 tn_name_of(assembly, most.group, most.instance),
                 100.0 * (double)most.count / (double)most.all);
}

void tn_slowness_tell(tn_assembly *assembly, bool implicit, const tn_state_copy *start)
{
    const tn_statistics *s = &assembly->statistics;
    const uint64_t tries = s->steps + s->rejected_steps;
    if (!assembly->system.run->adaptive || tries < VERY_MANY_STEPS) return;
    tn_cause_list *list = tn_new(1, sizeof *list);
    *list = (tn_cause_list){.assembly = assembly, .implicit = implicit, .slow = true, .start = *start};
    list->failures = assembly->failures;
    list->step = (assembly->system.time - start->time) / (double)tries;
    find_all(list);
    if (!list->count) find_governor(list);
    if (list->count)
        tn_model_tell(assembly->model, TN_SEVERITY_NOTE, list->cause[0].place,
                      "the run took %llu steps (%llu rejected): %s", (unsigned long long)s->steps,
                      (unsigned long long)s->rejected_steps, list->cause[0].text);
    tn_free(list);
}

void tn_causes_tell(tn_assembly *assembly, tn_status status, bool implicit, const tn_state_copy *start)
{
    const tn_run *run = assembly->system.run;
    if (status != TN_OK && assembly->model->refused && assembly->model->refusing.item)
        return; /* a function of a user tells its own */
    tn_cause_list *list = tn_new(1, sizeof *list);
    *list = (tn_cause_list){.assembly = assembly,
                            .status = status,
                            .implicit = implicit,
                            .elapsed = assembly->system.time - start->time,
                            .step = run->adaptive ? assembly->statistics.largest_step : run->step,
                            .start = tn_state_copy_new(assembly),
                            .failures = assembly->failures};
    const bool refused = assembly->model->refused;
    tn_state_copy_of(assembly, start, &list->start);
    find_all(list);
    assembly->model->refused = refused;
    say(list);
    tn_free(list);
}

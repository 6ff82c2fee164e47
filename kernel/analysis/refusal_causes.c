/* refusal_causes.c - laws that have no value where the motion has come to, and numbers that are none (see causes.h) */
#include "analysis/causes.h"

#include "values/value_graph.h"

#include <math.h>
#include <string.h>

#define HUGE_GROWTH \
    1e6 /* of what the motion was at the start, and of the size of the model: it has run away */

/* What to do about a message of a domain. */
static const char *cure_of(const char *message)
{
    static const struct {
        const char *word, *cure;
    } cures[] = {
        {"division by zero", "keep its divisor away from zero, as by MAX(x, 1e-6), or start elsewhere"},
        {"SQRT", "guard its argument, as by SQRT(MAX(x, 0)), or stop the motion before it comes there"},
        {"LOG", "guard its argument, as by LOG(MAX(x, 1e-6)), or stop the motion before it comes there"},
        {"ASIN", "guard its argument, as by MAX(-1, MIN(1, x)), or stop the motion before it comes there"},
        {"ACOS", "guard its argument, as by MAX(-1, MIN(1, x)), or stop the motion before it comes there"},
        {"length zero", "start its points apart, or give the force by components"},
        {"common solution",
         "break the loop: lower the gain of what it reads, move the acceleration's part into a "
         "mass, or read a delayed value"},
        {"solution", "change the equation so that it has a solution, or its start value"},
    };
    for (size_t k = 0; k < sizeof cures / sizeof *cures; k++)
        if (strstr(message, cures[k].word)) return cures[k].cure;
    return "look at what takes the motion there, or change the law where it has no value";
}

static double largest_of(const double *number, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = !(fabs(number[i]) <= largest) ? fabs(number[i]) : largest;
    return largest;
}

/* The state, or what it was tried to go on to, is far beyond anything at the start. */
static bool has_run_away(const tn_cause_list *list)
{
    const tn_assembly *assembly = list->assembly;
    const tn_system *system = &assembly->system;
    const double size = assembly->length + largest_of(list->start.q, system->nq) +
                        largest_of(list->start.v, system->nv) + 1.0;
    return !(largest_of(system->q, system->nq) < HUGE_GROWTH * size &&
             largest_of(system->v, system->nv) < HUGE_GROWTH * size);
}

/* "force `pull`" */
static tn_place name_refusal(const tn_cause_list *list, const tn_refusal *refusal, char *name, size_t size)
{
    const tn_assembly *assembly = list->assembly;
    const tn_derived *derived = refusal->derived;
    const uint32_t item =
        derived ? derived->item[refusal->instance] : refusal->group->item[refusal->instance];
    (void)tn_print_cut(name, size, "%s `%s`", derived ? derived->name : refusal->group->type->name,
                       tn_item_name(assembly->model, item));
    const tn_dynamic_value *value = refusal->value;
    return value && value->item == item ? value->live.node->place
                                        : assembly->model->item[item].origin->at->place;
}

void tn_find_refusals(tn_cause_list *list)
{
    const tn_failures *failures = &list->failures;
    list->ran_away = has_run_away(list);
    const bool spoilt = !failures->refusal.group && !failures->refusal.derived;
    const tn_refusal *refusal = spoilt ? &failures->spoiler : &failures->refusal;
    if (list->status == TN_OK || (!refusal->group && !refusal->derived)) return;
    char name[256];
    const tn_place place = name_refusal(list, refusal, name, sizeof name);
    const char *message = refusal->message ? refusal->message : refusal->number;
    const char *problem = list->assembly->model->call_problem;
    const bool no_number = spoilt || (problem && strstr(problem, "not finite")) ||
                           message == failures->refusal.number ||
                           refusal->message == list->assembly->failures.refusal.number ||
                           strstr(message, "not finite") || strstr(message, "not a finite");
    if (!no_number)
        tn_cause_add(list, 0.95, place, "%s: %s%s%s%s; %s", name, message, problem ? " (" : "",
                     problem ? problem : "", problem ? ")" : "", cure_of(problem ? problem : message));
    else if (list->ran_away)
        tn_cause_add(
            list, 0.6, place,
            "%s is where numbers have grown beyond all bounds: it, or what drives the motion there, feeds "
            "energy into it; check signs and gains of forces, delays, and that the step is short enough",
            name);
    else
        tn_cause_add(
            list, 0.7, place,
            "%s is where the first number that is none comes from; look for values that are huge, or for a "
            "division by what may be zero",
            name);
}

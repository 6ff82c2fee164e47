/* step_causes.c - what a state says of steps that are too long for it, of tolerances that cannot be met, and of its start (see causes.h) */
#include "analysis/causes.h"

#include "extensions/step_counts.h"
#include "system/mass.h"
#include "values/value_events.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LARGE_TURN 0.5 /* rad in a step */
#define LARGE_DRIVE \
    0.3                /* of the size of a coordinate, that accelerations at the start move it by in a step */
#define LIGHT 1e-7     /* of the heaviest body */
#define ROUND_OFF 32.0 /* spacings of numbers: less is no tolerance */
enum { MANY_EVENTS = 200 };

/* ---- turns ----------------------------------------------------------------------------------------------- */

static void find_turns(tn_cause_list *list)
{
    const tn_assembly *assembly = list->assembly;
    const tn_system *system = &assembly->system;
    double largest = 0.0;
    uint32_t fastest = 0, instance = 0;
    for (uint32_t i = 0; i < system->nv; i++) {
        const double speed = fmax(list->ran_away ? 0.0 : fabs(system->v[i]), fabs(list->start.v[i]));
        if (!system->angular[i] || !(speed > largest)) continue;
        largest = speed;
        fastest = i;
    }
    const double turn = largest * list->step;
    const bool from_start = fabs(list->start.v[fastest]) > 0.1 * largest;
    if (!(turn > LARGE_TURN) || system->run->adaptive) return;
    const tn_group *group = tn_owner_of(assembly, fastest, &instance);
    if (!group) return;
    tn_cause_add(list,
                 !from_start  ? 0.6
                 : turn > 2.0 ? 0.9
                              : 0.7,
                 tn_place_of(assembly, group, instance),
                 "%s `%s` turns by %.2g rad in a step of %.3g s, at %.3g rad/s: steps should be below %.2g "
                 "s, a tenth of a "
                 "radian",
                 group->type->name, tn_name_of(assembly, group, instance), turn, list->step, largest,
                 0.1 / largest);
}

/* ---- jumps ----------------------------------------------------------------------------------------------- */

/* The first element whose expressions have switches, or which has events of its own; NULL for none. */
static const tn_group *find_switching(const tn_assembly *assembly, uint32_t *instance)
{
    const struct tn_value_events *events = assembly->value_events;
    for (size_t k = 0; events && k < events->live_count; k++) {
        const uint32_t item = events->live[k].dynamic->item;
        if (item == TN_NONE || assembly->group_of[item] == TN_NONE) continue;
        *instance = assembly->index_of[item];
        return &assembly->group[assembly->group_of[item]];
    }
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        *instance = 0;
        if (group->batch.layout->events && group->batch.count) return group;
    }
    return NULL;
}

/* The connector with the largest wrench, at the last evaluation. */
static const tn_group *find_strongest(const tn_assembly *assembly, uint32_t *instance, double *size)
{
    const tn_group *strongest = NULL;
    *size = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t width = group->batch.wrench_size;
        for (size_t i = 0; i < width * group->batch.count && group->force; i++) {
            if (!(fabs(group->batch.wrench[i]) > *size)) continue;
            *size = fabs(group->batch.wrench[i]);
            *instance = (uint32_t)(i / width);
            strongest = group;
        }
    }
    return strongest;
}

static void find_jumps(tn_cause_list *list)
{
    const tn_assembly *assembly = list->assembly;
    const tn_system *system = &assembly->system;
    const tn_step_counts *counts = tn_step_counts_now(assembly);
    const tn_evidence *evidence = counts && list->status != TN_OK ? &counts->evidence : NULL;
    const uint64_t events = assembly->statistics.events;
    uint32_t instance = 0;
    const tn_group *group = find_switching(assembly, &instance);
    const bool jumps = evidence && evidence->kind == TN_JUMPING;
    const bool chatters = events > MANY_EVENTS && 20 * events > assembly->statistics.steps;
    if (group && (jumps || chatters))
        tn_cause_add(list, 0.88, tn_place_of(assembly, group, instance),
                     "the law of %s `%s` switches back and forth (chatters): %llu events in %llu steps; "
                     "write a smooth law, such as "
                     "TANH(x/0.01) for SIGN(1, x) or STEP for IF, or give it hysteresis",
                     group->type->name, tn_name_of(assembly, group, instance), (unsigned long long)events,
                     (unsigned long long)assembly->statistics.steps);
    else if (group && !system->run->adaptive)
        tn_cause_add(
            list, list->status == TN_OK || list->implicit ? 0.7 : 0.5, tn_place_of(assembly, group, instance),
            "the law of %s `%s` switches (contact, friction, IF), and steps of %.3g s go over it: a force "
            "jumps within a "
            "step; use a much shorter step, or an adaptive solver, which ends steps where it switches",
            group->type->name, tn_name_of(assembly, group, instance), list->step);
    double size = 0.0;
    const tn_group *strongest = jumps && !group ? find_strongest(assembly, &instance, &size) : NULL;
    if (strongest)
        tn_cause_add(list, 0.5, tn_place_of(assembly, strongest, instance),
                     "the accelerations of `%s` jump from try to try: a force on it, perhaps that of `%s`, "
                     "is discontinuous, far too stiff, or near "
                     "a pole (as 1/x near 0); write a smooth, bounded law",
                     tn_name_of(assembly, evidence->group[0], evidence->instance[0]),
                     tn_name_of(assembly, strongest, instance));
}

/* ---- tolerances ------------------------------------------------------------------------------------------ */

void tn_find_tolerances(tn_cause_list *list)
{
    const tn_assembly *assembly = list->assembly;
    const tn_system *system = &assembly->system;
    const tn_run *run = system->run;
    if (!run->adaptive || !(run->relative_tolerance > 0.0)) return;
    const double absolute = run->scaled_tolerance ? 0.0 : run->absolute_tolerance;
    double worst = 0.0;
    uint32_t coordinate = 0, instance = 0;
    for (uint32_t i = 0; i < system->nv; i++) {
        const double size = fabs(system->v[i]);
        const double share = size * DBL_EPSILON / fmax(absolute + run->relative_tolerance * size, 1e-300);
        if (share > worst) worst = share, coordinate = i;
    }
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const tn_layout *layout = group->batch.layout;
        for (uint32_t i = 0; i < layout->nq * group->batch.count && layout->nv; i++) {
            const double size = fabs(system->q[group->q_start + i]);
            const double share = size * DBL_EPSILON / fmax(absolute + run->relative_tolerance * size, 1e-300);
            if (share > worst) worst = share, coordinate = group->v_start + i / layout->nq * layout->nv;
        }
    }
    const tn_group *group = tn_owner_of(assembly, coordinate, &instance);
    if (!group || worst * ROUND_OFF < 1.0) return;
    tn_cause_add(list, worst > 0.3 ? 0.93 : 0.7, tn_place_of(assembly, group, instance),
                 "the tolerance is out of reach: relative %.2g, absolute %.2g is %.2g spacings of the "
                 "numbers of `%s`, so that "
                 "round-off decides; use a tolerance of 1e-12 or more, or measure from a nearer origin",
                 run->relative_tolerance, absolute, 1.0 / worst, tn_name_of(assembly, group, instance));
}

static void find_shortest_step(tn_cause_list *list)
{
    tn_assembly *assembly = list->assembly;
    const tn_run *run = assembly->system.run;
    const tn_governor governor = tn_step_governor(assembly);
    if (!run->adaptive || !(run->minimum_step > 0.0) || list->status == TN_OK) return;
    if (governor.group)
        tn_cause_add(list, 0.9, tn_place_of(assembly, governor.group, governor.instance),
                     "`min_step` = %.3g s is longer than the steps that `%s` needs, whose errors decided "
                     "%.0f %% of all "
                     "steps; lower `min_step`, or the tolerance",
                     run->minimum_step, tn_name_of(assembly, governor.group, governor.instance),
                     100.0 * (double)governor.count / (double)governor.all);
}

/* ---- the start ------------------------------------------------------------------------------------------- */

/* Accelerations at the start that throw the model about within a step. */
static void find_violent_start(tn_cause_list *list)
{
    const tn_assembly *assembly = list->assembly;
    const double h = list->step;
    double largest = 0.0, size = 0.0;
    uint32_t coordinate = 0, instance = 0, body = 0;
    for (uint32_t i = 0; i < assembly->system.nv; i++) {
        const double moved = 0.5 * h * h * fabs(list->start.a[i]) / assembly->scale[i];
        if (moved > largest) largest = moved, coordinate = i;
    }
    if (!(largest > LARGE_DRIVE)) return;
    const tn_group *group = find_strongest(assembly, &instance, &size);
    const tn_group *moved = tn_owner_of(assembly, coordinate, &body);
    if (!group || !moved) return;
    const double light = tn_lightness_of(assembly, moved, body);
    if (light < LIGHT)
        tn_cause_add(list, 0.8, tn_place_of(assembly, moved, body),
                     "%s `%s` has a mass or a moment of inertia that nearly vanishes, %.2g of the largest of "
                     "the model: `%s` throws "
                     "it about; give it more mass or inertia, or hold it by a joint",
                     moved->type->name, tn_name_of(assembly, moved, body), light,
                     tn_name_of(assembly, group, instance));
    tn_cause_add(list, largest > 10.0 ? 0.75 : 0.55, tn_place_of(assembly, group, instance),
                 "the start is far from equilibrium: `%s` acts with %.3g N or N m, and `%s` would move by "
                 "%.2g times the size of "
                 "the model in a step of %.3g s; check units and unloaded lengths, start from an "
                 "equilibrium, or use much "
                 "shorter steps",
                 tn_name_of(assembly, group, instance), size, tn_name_of(assembly, moved, body), largest, h);
}

/* ---- derivatives ----------------------------------------------------------------------------------------- */

static void find_missing_tangents(tn_cause_list *list)
{
    const tn_assembly *assembly = list->assembly;
    for (size_t k = 0; k < assembly->group_count && list->implicit && list->status != TN_OK; k++) {
        const tn_group *group = &assembly->group[k];
        const tn_loaded_element *type = group->type;
        if (!(type->force && !type->force_tangent) && !(type->residual && !type->residual_tangent)) continue;
        tn_cause_add(
            list, 0.4, tn_place_of(assembly, group, 0),
            "%s `%s` was built without its exact derivatives: differences replace them, which slow Newton's "
            "method where the law is steep; build its plugin with all passes",
            type->name, tn_name_of(assembly, group, 0));
        return;
    }
}

void tn_find_step_causes(tn_cause_list *list)
{
    find_turns(list);
    find_jumps(list);
    tn_find_tolerances(list);
    find_shortest_step(list);
    find_violent_start(list);
    find_missing_tangents(list);
}

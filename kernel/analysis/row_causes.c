/* row_causes.c - constraints that contradict each other, and positions in which they lose rank (see causes.h) */
#define _GNU_SOURCE
#include "analysis/causes.h"
#include "analysis/redundancy.h"

#include "extensions/step_counts.h"
#include "system/explanation.h"

#include <math.h>

#define AT_THE_STATE 0.97  /* likelihoods of contradictions; */
#define AHEAD 0.8          /* positions without a way on look like that, too */
#define FARTHEST_AHEAD 0.1 /* of the run */
#define LARGE_GROWTH 1e3   /* of a reaction, against the largest at the start */

/* ---- contradictions -------------------------------------------------------------------------------------- */

static void tell_contradiction(tn_cause_list *list, const tn_evidence *evidence, double likelihood)
{
    const tn_assembly *assembly = list->assembly;
    char names[320] = "";
    size_t used = 0;
    for (uint32_t k = 0; k < evidence->count && used + 4 < sizeof names; k++)
        used += tn_print_cut(names + used, sizeof names - used, "%s`%s`",
                             !k                         ? ""
                             : k + 1 == evidence->count ? " and "
                                                        : ", ",
                             tn_name_of(assembly, evidence->group[k], evidence->instance[k]));
    const tn_place place = tn_place_of(assembly, evidence->group[0], evidence->instance[0]);
    if (evidence->count > 1)
        tn_cause_add(
            list, likelihood, place,
            "%s contradict each other: no motion satisfies them together; remove one of them, or make their "
            "lengths and prescribed motions agree",
            names);
    else
        tn_cause_add(list, 0.9, place,
                     "%s cannot be satisfied where the other constraints leave the bodies: the mechanism "
                     "locks, or does "
                     "not reach as far; check lengths, positions and prescribed motions",
                     names);
}

/* ---- lost rank ------------------------------------------------------------------------------------------- */

/* How many rows depend on others at the current state, and the first constraint of them. */
static uint32_t count_dependent(tn_assembly *assembly, uint32_t *owner_row)
{
    tn_rank rank = {0};
    uint32_t redundant = 0;
    tn_system *system = &assembly->system;
    if (system->evaluate(system) != TN_OK) return 0;
    if (tn_redundancy_find(assembly, false, &rank) == TN_OK) {
        redundant = rank.redundant;
        if (rank.set_count) *owner_row = rank.set_row[rank.set_start[rank.set_count - 1]];
    }
    tn_rank_free(&rank);
    return redundant;
}

static tn_place place_of_row(const tn_assembly *assembly, uint32_t row)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        if (row < group->row_start || row >= group->row_start + group->rows * group->batch.count) continue;
        return tn_place_of(assembly, group, (row - group->row_start) / group->rows);
    }
    return (tn_place){0};
}

static uint32_t largest_reaction(const double *lambda, uint32_t rows, double *size)
{
    uint32_t largest = 0;
    *size = 0.0;
    for (uint32_t r = 0; r < rows; r++) {
        if (fabs(lambda[r]) <= *size) continue;
        *size = fabs(lambda[r]);
        largest = r;
    }
    return largest;
}

/* Rows that have become dependent since the start, or whose reactions have grown as they do near such a position. */
static void find_lost_rank(tn_cause_list *list)
{
    tn_assembly *assembly = list->assembly;
    tn_system *system = &assembly->system;
    double before = 0.0, now = 0.0;
    (void)largest_reaction(list->start.lambda, system->rows, &before);
    const uint32_t grown = largest_reaction(system->lambda, system->rows, &now);
    uint32_t number = 0, row = 0, row_at_start = 0;
    if (isfinite(now) && before > 0.0 && now > LARGE_GROWTH * before) {
        const char *name = tn_row_owner(assembly, grown, &number);
        tn_cause_add(list, 0.75, place_of_row(assembly, grown),
                     "the mechanism is near a singular position (a dead point, or stretched to its limit): "
                     "the reaction of "
                     "`%s` in row %u has grown from %.2g to %.2g; check lengths and prescribed motions, or "
                     "keep the motion "
                     "away from there",
                     name, number, before, now);
    }
    const double time = system->time;
    tn_state_copy end = tn_state_copy_new(assembly);
    tn_state_copy_take(assembly, &end);
    const bool finite = tn_are_finite(system->q, system->nq) && tn_are_finite(system->v, system->nv);
    const uint32_t lost = finite ? count_dependent(assembly, &row) : 0;
    tn_state_copy_put(assembly, &list->start);
    const uint32_t lost_at_start = count_dependent(assembly, &row_at_start);
    tn_state_copy_put(assembly, &end);
    if (lost > lost_at_start)
        tn_cause_add(list, 0.85, place_of_row(assembly, row),
                     "the mechanism is in a singular position at %.6g s: %u more rows than at the start "
                     "depend on others, "
                     "among them one of `%s`; check lengths and prescribed motions, or keep the motion away "
                     "from there",
                     time, lost - lost_at_start, tn_row_owner(assembly, row, &number));
    else if (lost_at_start > 0)
        tn_cause_add(
            list, list->elapsed > 0.1 * (system->run->end_time - system->run->start_time) ? 0.35 : 0.65,
            place_of_row(assembly, row_at_start),
            "%u row%s of constraints depend%s on others from the start, the last of them in `%s`: a singular "
            "position, "
            "or one joint too many; start from another position, or leave out rows (a planar loop needs one "
            "spherical and one universal or cylindrical joint in place of two of its revolutes)",
            lost_at_start, lost_at_start == 1 ? "" : "s", lost_at_start == 1 ? "s" : "",
            tn_row_owner(assembly, row_at_start, &number));
}

static void say_nothing(const tn_assembly *assembly, const double *configuration, const double *motion)
{
    (void)assembly, (void)configuration, (void)motion;
}

/* Whether rows contradict each other that much later, if the motion goes on as it is. */
static bool contradict_at(tn_assembly *assembly, tn_step_counts *counts, const tn_state_copy *end,
                          double later)
{
    const tn_services *own = assembly->services;
    tn_explanation explanation = *own->explanation;
    tn_services quiet = *own;
    explanation.corrections = say_nothing;
    quiet.explanation = &explanation;
    counts->evidence = (tn_evidence){0};
    assembly->services = &quiet;
    assembly->system.time += later;
    const tn_status status = own->consistent(assembly, false);
    assembly->services = own;
    tn_state_copy_put(assembly, end);
    return status == TN_RETRY && counts->evidence.kind == TN_CONTRADICTION && counts->evidence.count > 1;
}

/* Rows that depend on each other may ask for different motions further on, which a step shows best where they have parted clearly. */
static bool contradict_ahead(tn_cause_list *list, tn_step_counts *counts)
{
    tn_assembly *assembly = list->assembly;
    const tn_system *system = &assembly->system;
    const bool finite = tn_are_finite(system->q, system->nq) && tn_are_finite(system->v, system->nv);
    if (!system->dependent_rows || !finite || !assembly->services->consistent ||
        !assembly->services->explanation)
        return false;
    tn_state_copy end = tn_state_copy_new(assembly);
    const tn_evidence evidence = counts->evidence;
    tn_state_copy_take(assembly, &end);
    const double most = FARTHEST_AHEAD * (system->run->end_time - system->run->start_time);
    for (double later = list->step; later < most; later *= 4.0)
        if (contradict_at(assembly, counts, &end, later)) return true;
    counts->evidence = evidence;
    return false;
}

void tn_find_contradictions(tn_cause_list *list)
{
    tn_step_counts *counts = tn_step_counts_of(list->assembly);
    if (list->status == TN_OK) return;
    const bool told = counts && counts->evidence.kind == TN_CONTRADICTION;
    if (told)
        tell_contradiction(list, &counts->evidence, AT_THE_STATE);
    else if (counts && contradict_ahead(list, counts))
        tell_contradiction(list, &counts->evidence, AHEAD);
    if (list->assembly->system.rows && !told) find_lost_rank(list);
}

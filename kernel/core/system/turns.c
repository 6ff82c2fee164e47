/* turns.c - the time since the last accepted state, and angles of expressions that count their turns over it */
#include "system/turns.h"

#include "system/explanation.h"

#include <tenon/turns.h>

#include <math.h>

/* The angular velocities of the first two frames that an angle is made of against each other; their square. */
static double turning_of(const tn_derived *derived, size_t i)
{
    const tn_batch *batch = &derived->batch;
    const tn_marker_place *place = batch->marker + i * batch->marker_count;
    double turning[3] = {0.0}, side = 1.0;
    for (uint32_t k = 0; k < batch->marker_count && side > -3.0; k++) {
        if (batch->marker_kind[k] != TN_FRAME) continue;
        for (int c = 0; c < 3; c++)
            turning[c] += side * batch->twist[place[k].twist + 3 + (uint32_t)c];
        side -= 2.0;
    }
    return turning[0] * turning[0] + turning[1] * turning[1] + turning[2] * turning[2];
}

void tn_turns_add(const tn_derived *derived)
{
    const double turn = 6.283185307179586, since = derived->batch.step;
    for (size_t i = 0; i < derived->batch.count; i++) {
        const double expected = tn_expected_angle(derived->kept + TN_KEPT_DOUBLES * i, since,
                                                  derived->twist[i], turning_of(derived, i));
        derived->pose[i] += turn * floor((expected - derived->pose[i]) / turn + 0.5);
    }
}

bool tn_turns_counted(const tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++)
        if (assembly->derived[k].kept) return true;
    return false;
}

static void keep_angles(tn_assembly *assembly, tn_derived *derived)
{
    const tn_explanation *explanation = assembly->services->explanation;
    for (size_t i = 0; i < derived->batch.count; i++)
        tn_keep_angle(derived->kept + TN_KEPT_DOUBLES * i, derived->batch.step, derived->pose[i],
                      derived->twist[i], turning_of(derived, i));
    if (explanation) explanation->turns(assembly, derived);
}

/* ---- time ------------------------------------------------------------------------------------------------ */

static void set_time_since(tn_assembly *assembly, double since)
{
    assembly->turns->since = since;
    for (size_t k = 0; k < assembly->group_count; k++)
        assembly->group[k].batch.step = since;
    for (size_t k = 0; k < assembly->derived_count; k++)
        assembly->derived[k].batch.step = since;
}

/* Who keeps nothing of the last accepted state has no use for the time since then. */
static bool uses_time(const tn_group *group)
{
    return group->type->accepted || group->type->update || group->batch.layout->nd > 0;
}

void tn_turns_begin(tn_assembly *assembly)
{
    assembly->turns->timed = tn_turns_counted(assembly);
    for (size_t k = 0; k < assembly->group_count; k++)
        assembly->turns->timed = assembly->turns->timed || uses_time(&assembly->group[k]);
    assembly->turns->accepted_time = (double)NAN;
    set_time_since(assembly, 0.0);
}

/* The iterations of a step have it in common. */
void tn_turns_find_time(tn_assembly *assembly)
{
    const double time = assembly->system.time - assembly->turns->accepted_time,
                 since = isnan(time) ? 0.0 : time;
    if (since != assembly->turns->since) set_time_since(assembly, since);
}

/* Kept out of line: most steps have nothing to do with it. */
__attribute__((noinline)) static void keep_all_angles(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++)
        if (assembly->derived[k].kept) keep_angles(assembly, &assembly->derived[k]);
    set_time_since(assembly, 0.0);
}

void tn_turns_accepted(tn_assembly *assembly)
{
    assembly->turns->accepted_time = assembly->system.time;
    if (assembly->turns->timed) keep_all_angles(assembly);
}

/* start.c - takes a state to the constraints before a run, and behind a change of the model */
#include "start/start.h"

#include "start/places.h"
#include "system/constraints.h"
#include "system/explanation.h"
#include "system/failure.h"
#include "system/project.h"

#include <math.h>
#include <string.h>

#define FAR_OFF 0.1        /* m, rad: from here on the rows themselves lead to where frames match */
#define LARGEST_ERROR 1e-6 /* of rows after all corrections, beyond which they contradict each other */
#define TRIED "the constraints are to be satisfied"
#define FARTHEST_NEARBY 0.1 /* of a coordinate against its scale */
enum { NEARBY_TRIES = 3 };

/* Where the state is taken from: the poses and twists of all markers; how. */
typedef struct beginning {
    double *configuration, *motion;
    tn_projection how;
} beginning;

static double *copy_numbers(const double *from, size_t count)
{
    double *to = tn_new_aligned(count, sizeof *to);
    memcpy(to, from, count * sizeof *to);
    return to;
}

/* ---- refusals -------------------------------------------------------------------------------------------- */

/* TN_RETRY. */
static tn_status refuse_rows(tn_assembly *assembly, const char *why, const char *what, bool pins_hold)
{
    const tn_explanation *explanation = assembly->services->explanation;
    if (explanation) explanation->rows(assembly, why, assembly->constraints->row, what, pins_hold);
    return TN_RETRY;
}

/* Names the constraints that keep the largest errors, unless an element has said what is wrong. */
static tn_status refuse_constraints(tn_assembly *assembly, tn_status status, bool pins_hold)
{
    if (status != TN_RETRY || assembly->failures.refusal.group || assembly->failures.refusal.derived ||
        tn_system_constraint(&assembly->system, assembly->constraints->row) != TN_OK)
        return assembly->system.fail(&assembly->system, status, NULL, TRIED);
    return refuse_rows(assembly, "the constraints cannot be satisfied together: from these positions",
                       "keeps an error", pins_hold);
}

/* Rows vanish not only where frames match as they are meant to. */
static tn_status check_frames(tn_assembly *assembly, bool pins_hold)
{
    double error = 0.0;
    tn_status status = tn_closing_error(assembly, assembly->constraints->row, &error);
    if (status != TN_OK) return refuse_constraints(assembly, status, pins_hold);
    if (error <= LARGEST_ERROR * fmax(1.0, assembly->length)) return TN_OK;
    return refuse_rows(assembly,
                       "the frames of a joint do not match where its constraints hold:", "keeps an error",
                       pins_hold);
}

/* Leaves the rates in the memory of the rows. */
static tn_status largest_rate(tn_assembly *assembly, double *rate)
{
    const tn_status status = tn_system_constraint_rate(&assembly->system, assembly->constraints->row);
    if (status == TN_OK) *rate = tn_largest_row(assembly, assembly->constraints->row).size;
    return status;
}

/* Velocities that agree are found in one step, if there are any; `before` it the largest rate was this. */
static tn_status check_rates(tn_assembly *assembly, double before, bool pins_hold)
{
    double rate = 0.0;
    const tn_status status = largest_rate(assembly, &rate);
    if (status != TN_OK) return refuse_constraints(assembly, status, pins_hold);
    if (rate <= LARGEST_ERROR * fmax(fmax(1.0, assembly->length), before)) return TN_OK;
    return refuse_rows(assembly, "no velocities agree with all constraints:", "keeps a rate", pins_hold);
}

/* ---- the start ------------------------------------------------------------------------------------------- */

/* Corrections of zero may yet change the last bit of a rotation. */
static tn_status restore_pinned(tn_assembly *assembly, const beginning *before)
{
    tn_system *system = &assembly->system;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t nq = group->batch.layout->nq, nv = group->batch.layout->nv;
        for (size_t i = 0; group->pinned && i < group->batch.count; i++) {
            const size_t q = group->q_start + i * nq, v = group->v_start + i * nv;
            if (!group->pinned[i]) continue;
            memcpy(system->q + q, before->configuration + q, nq * sizeof(double));
            memcpy(system->v + v, before->motion + v, nv * sizeof(double));
        }
    }
    return system->evaluate(system);
}

/* Moves the bodies that are not pinned off their start positions, each coordinate by up to `share` of its scale to either side;
 * the same way in every run. */
static tn_status displace_bodies(tn_assembly *assembly, const beginning *before, double share)
{
    tn_system *system = &assembly->system;
    double *increment = assembly->constraints->solution[0];
    uint64_t draw = 0x9e3779b97f4a7c15u;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t nv = group->batch.layout->nv;
        for (size_t i = 0; i < nv * group->batch.count; i++) {
            draw = draw * 6364136223846793005u + 1442695040888963407u;
            const double side = (double)(draw >> 11) * 0x1p-52 - 1.0;
            const bool pinned = before->how.pins_hold && group->pinned && group->pinned[i / nv];
            increment[group->v_start + i] = pinned ? 0.0 : share * assembly->scale[group->v_start + i] * side;
        }
    }
    memcpy(system->v, before->motion, system->nv * sizeof *system->v);
    return system->retract(system, before->configuration, increment, system->q);
}

/* At singular positions an error e is closed by moves of the size of its root, in directions that no derivative shows: where
 * the way from the start positions ends, it is tried from nearby. */
static tn_status project_from_nearby(tn_assembly *assembly, const beginning *before)
{
    tn_system *system = &assembly->system;
    tn_status status = displace_bodies(assembly, before, 0.0);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->constraint(system, assembly->constraints->row);
    if (status != TN_OK) return status;
    const double error = tn_largest_row(assembly, assembly->constraints->row).size;
    double share = sqrt(error / fmax(1.0, assembly->length));
    status = TN_RETRY;
    for (int k = 0; k < NEARBY_TRIES && status == TN_RETRY && share <= FARTHEST_NEARBY; k++, share *= 3.0) {
        status = displace_bodies(assembly, before, share);
        if (status == TN_OK) status = tn_project(assembly, before->how);
    }
    if (status != TN_RETRY) return status;

    /* what the start positions themselves lead to explains the failure */
    status = displace_bodies(assembly, before, 0.0);
    return status == TN_OK ? tn_project(assembly, before->how) : status;
}

/* Frames that are far off are turned to where they match first: from there on the rows themselves lead. Where their turns
 * contradict each other the rows are tried all the same, and what they come to is checked. */
static tn_status satisfy_constraints(tn_assembly *assembly, const beginning *before)
{
    const bool pins_hold = before->how.pins_hold;
    double rate = 0.0, error = 0.0;
    tn_status status = largest_rate(assembly, &rate);
    if (status == TN_OK) status = tn_closing_error(assembly, assembly->constraints->row, &error);
    if (status == TN_OK && error > FAR_OFF) {
        tn_projection way = before->how;
        way.closes = true;
        status = tn_project(assembly, way);
        if (status == TN_RETRY) status = TN_OK;
    }
    if (status == TN_OK) status = tn_project(assembly, before->how);
    if (status == TN_RETRY && !assembly->failures.refusal.group && error <= FAR_OFF)
        status = project_from_nearby(assembly, before);
    if (status == TN_OK && pins_hold) status = restore_pinned(assembly, before);
    if (status != TN_OK) return refuse_constraints(assembly, status, pins_hold);
    status = check_frames(assembly, pins_hold);
    return status == TN_OK ? check_rates(assembly, rate, pins_hold) : status;
}

/* Whether a change of its multiplier can change the second derivative of a row, at the last evaluation. */
static tn_status can_influence(tn_assembly *assembly, uint32_t row, bool *can)
{
    tn_system *system = &assembly->system;
    double *b = assembly->constraints->solution[1];
    tn_status status = tn_factor_masses(assembly);
    memset(b, 0, assembly->equations.matrix.size * sizeof *b);
    b[system->nv + row] = 1.0;
    if (status == TN_OK) status = tn_solve_exactly(assembly);
    /* what only the regularisation of the matrix takes up remains */
    *can = fabs(b[system->nv + row]) < 0.5;
    return status;
}

/* Constraints whose multipliers are left to forces: these must be able to hold them. */
static tn_status check_servos(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->rows && group->batch.layout->passive_rows && i < group->batch.count;
             i++) {
            bool can = true;
            if (group->active && !group->active[i]) continue;
            status = can_influence(assembly, group->row_start + i * group->rows, &can);
            if (status == TN_OK && can) continue;
            group->failure =
                (tn_failure){i, TN_RETRY,
                             "the forces that read its multiplier cannot influence its constraint "
                             "here: its second derivative does not depend on them"};
            return system->fail(system, status == TN_OK ? tn_refused(assembly, group, TN_RETRY) : status,
                                NULL, TRIED);
        }
    }
    return TN_OK;
}

static tn_status make_consistent(tn_assembly *assembly, bool run_starts, bool keeps_velocities)
{
    tn_system *system = &assembly->system;
    tn_status status = run_starts ? tn_tell_start(assembly) : TN_OK;
    if (status == TN_OK && !system->rows) return TN_OK;
    if (status == TN_OK) status = system->evaluate(system);
    if (status != TN_OK) return system->fail(system, status, NULL, TRIED);
    const size_t poses = (size_t)assembly->pose_size, twists = assembly->twist_size;
    beginning before = {copy_numbers(assembly->configuration, poses),
                        copy_numbers(assembly->motion, twists),
                        {.pins_hold = run_starts, .explained = true}};
    double *velocities = copy_numbers(system->v, system->nv);
    status = satisfy_constraints(assembly, &before);
    if (status == TN_OK) status = check_servos(assembly);
    if (keeps_velocities && status == TN_OK) {
        memcpy(system->v, velocities, system->nv * sizeof *velocities);
        status = system->evaluate(system);
    }
    const tn_explanation *explanation = assembly->services->explanation;
    if (status == TN_OK && explanation)
        explanation->corrections(assembly, before.configuration, before.motion);
    tn_free(before.configuration);
    tn_free(before.motion);
    tn_free(velocities);
    return status;
}

tn_status tn_make_consistent(tn_assembly *assembly, bool run_starts)
{
    return make_consistent(assembly, run_starts, false);
}

tn_status tn_close_positions_only(tn_assembly *assembly, bool run_starts)
{
    return make_consistent(assembly, run_starts, true);
}

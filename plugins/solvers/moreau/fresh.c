/* fresh.c - the beginning of a smooth motion: at the start, after a change of the model, where a prescribed motion jumps
 *
 * Joints whose rates do not agree with the velocities there stop bodies at once, by an impact between two steps; its impulse counts in the
 * mean reactions of the step that follows. Accelerations and reactions are those behind it. */
#include "moreau.h"

#define AGREES 1e-12 /* of the velocities of rows: such rates satisfy the joints */
#define HOLDS 1e-6   /* of these velocities: the largest remaining rate */

/* The largest rate of joints at the state of the last begin_step(), and the velocities that it is made of, with the change z of v. */
typedef struct rates {
    double left, speed;
} rates;

static rates measure(const moreau_work *work, const double *z)
{
    const tn_operators *o = work->o;
    rates found = {0.0, 0.0};
    for (uint32_t r = 0; r < work->system->rows; r++) {
        double rate = work->rate[r];
        for (uint32_t e = o->row_start[r]; e < o->row_start[r + 1]; e++) {
            rate += o->value[e] * z[o->column[e]];
            found.speed = fmax(found.speed, fabs(o->value[e] * work->system->v[o->column[e]]));
        }
        found.left = fmax(found.left, fabs(rate));
        found.speed = fmax(found.speed, fabs(work->rate[r]));
    }
    return found;
}

/* The problem of joints with zero rates after an impact. */
static bool make_problem(moreau_work *work)
{
    const tn_operators *o = work->o;
    moreau_problem *problem = &work->projection;
    tn_moreau_open_problem(work, problem);
    for (uint32_t r = 0, count; r < work->system->rows; r += count) {
        for (count = 1; r + count < work->system->rows && o->row_owner[r + count] == o->row_owner[r];)
            count++;
        if (!tn_moreau_add_block(problem, TN_JOINT_LAW, count, o->row_owner[r], 0.0)) return false;
        for (uint32_t k = r; k < r + count; k++) {
            const uint32_t first = o->row_start[k];
            if (!tn_moreau_add_row(problem, k, o->column + first, o->value + first,
                                   o->row_start[k + 1] - first, work->rate[k], 0.0))
                return false;
        }
    }
    tn_moreau_close_problem(work, problem);
    return true;
}

/* z, the change of v by an impact, with the masses alone. */
static tn_status find_impact(moreau_work *work)
{
    const moreau_stand stand = work->stand;
    work->h = 0.0;
    memcpy(work->v_f, work->system->v, work->system->nv * sizeof *work->v_f);
    tn_status status = tn_moreau_renew_matrix(work);
    work->stand = stand;
    if (status == TN_OK) status = tn_moreau_solve(work, &work->projection);
    if (status != TN_OK && status != TN_RETRY) return status;
    memset(work->z, 0, work->system->nv * sizeof *work->z);
    tn_moreau_add_impulses(&work->projection, work->z);
    return tn_moreau_divide(work, work->z);
}

/* v becomes that after the impact. Where impulses are not found it stays the same, and the step reports the failure. */
static tn_status stop_bodies(moreau_work *work, bool *jumps)
{
    tn_system *system = work->system;
    tn_status status = work->o->row_values(system, work->gap, work->rate);
    memset(work->z, 0, system->nv * sizeof *work->z);
    const rates before = measure(work, work->z);
    if (status != TN_OK || before.left <= AGREES * before.speed) return status;
    if (!make_problem(work)) return TN_OUT_OF_MEMORY;
    status = find_impact(work);
    if (status == TN_UNSUPPORTED) return TN_OK;
    *jumps = status == TN_OK && measure(work, work->z).left <= HOLDS * before.speed;
    for (uint32_t j = 0; *jumps && j < system->nv; j++)
        system->v[j] += work->z[j];
    for (uint32_t r = 0; *jumps && r < system->rows; r++)
        work->kick[r] = work->projection.impulse[r];
    return status;
}

static tn_status look(moreau_work *work)
{
    const tn_status status = work->o->begin_step(work->system);
    if (status == TN_OK) tn_moreau_keep_end(work);
    return status;
}

tn_status tn_moreau_begin_anew(moreau_work *work)
{
    tn_system *system = work->system;
    work->failed = TN_MOREAU_NO_VALUE;
    work->stand.foreseen = work->stand.knows_rows = 0;
    if (!work->joints || work->settings->law != BY_POSITION) return TN_OK;
    bool jumps = false;
    tn_status status = look(work);
    if (status == TN_OK && work->only_joints) status = stop_bodies(work, &jumps);
    if (status == TN_OK && jumps) status = look(work);
    if (status == TN_OK) tn_moreau_keep_rows(work);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) work->stand.fresh = system->accelerate(system, system->a) == TN_OK;
    return status;
}

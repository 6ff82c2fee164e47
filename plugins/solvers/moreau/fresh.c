/* fresh.c - where a motion begins anew: at the start, behind a change of the model, where a prescribed motion jumps
 *
 * Joints whose rates do not agree with the velocities there stop bodies at once, by an impact between two steps; its impulse counts in the
 * mean reactions of the step that follows. Accelerations and reactions are those behind it. */
#include "moreau.h"

#define AGREES 1e-12 /* of the velocities of rows */

/* Rates of the joints at the state of the last begin_step(), as a problem with G0; false: there is no memory. */
static bool state_problem(moreau_work *work, const double *rate, bool *jumps)
{
    const tn_operators *o = work->o;
    moreau_problem *problem = &work->projection;
    tn_moreau_open_problem(work, problem);
    double largest = 0.0, speed = 0.0;
    for (uint32_t r = 0, count; r < work->system->rows; r += count) {
        for (count = 1; r + count < work->system->rows && o->row_owner[r + count] == o->row_owner[r];)
            count++;
        if (!tn_moreau_add_block(problem, TN_JOINT_LAW, count, o->row_owner[r], 0.0)) return false;
        for (uint32_t k = r; k < r + count; k++) {
            const uint32_t first = o->row_start[k];
            if (!tn_moreau_add_row(problem, k, o->column + first, o->value + first,
                                   o->row_start[k + 1] - first, rate[k], 0.0))
                return false;
            largest = fmax(largest, fabs(rate[k]));
            speed = fmax(speed, fabs(rate[k]));
            for (uint32_t e = first; e < o->row_start[k + 1]; e++)
                speed = fmax(speed, fabs(o->value[e] * work->system->v[o->column[e]]));
        }
    }
    tn_moreau_close_problem(work, problem);
    *jumps = largest > AGREES * speed;
    return true;
}

/* v becomes what an impact leaves. A problem without a solution changes nothing: the step sees to it. */
static tn_status stop_bodies(moreau_work *work, bool *jumps)
{
    tn_system *system = work->system;
    tn_status status = work->o->row_values(system, work->gap, work->rate);
    if (status != TN_OK) return status;
    if (!state_problem(work, work->rate, jumps)) return TN_OUT_OF_MEMORY;
    if (!*jumps) return TN_OK;
    const double stiffness = work->stand.stiffness;
    work->h = 0.0;
    memcpy(work->v_f, system->v, system->nv * sizeof *system->v);
    status = tn_moreau_renew_matrix(work);
    work->stand.stiffness = stiffness;
    if (status != TN_OK) return status;
    status = tn_moreau_solve(work, &work->projection);
    if (status == TN_RETRY || status == TN_UNSUPPORTED) {
        *jumps = false;
        return TN_OK;
    }
    memset(work->z, 0, system->nv * sizeof *work->z);
    tn_moreau_add_impulses(&work->projection, work->z);
    if (status == TN_OK) status = tn_moreau_divide(work, work->z);
    for (uint32_t j = 0; j < system->nv; j++)
        system->v[j] += work->z[j];
    for (uint32_t r = 0; r < system->rows; r++)
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

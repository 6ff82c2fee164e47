/* momentum.c - momenta with constant directions in space, and the end of a step with a given momentum
 *
 * P = M v, in axes that turn with the bodies where v is measured in such; there M is constant, and P' = f + w x P in components of
 * these axes is the force in space. At the end v1 = M^-1 P, with P turned into the axes of q1, which depend on v1: an iteration, whose
 * last velocities have this momentum to round-off wherever it stops. */
#include "moreau.h"

#include <float.h>

enum { MOST_TURNS = 60 };

static void add_cross(double *sum, const double *w, const double *p)
{
    sum[0] += w[1] * p[2] - w[2] * p[1];
    sum[1] += w[2] * p[0] - w[0] * p[2];
    sum[2] += w[0] * p[1] - w[1] * p[0];
}

tn_status tn_moreau_add_turning(moreau_work *work, const double *v, double *sum)
{
    if (work->plain || !work->triples) return TN_OK;
    const tn_status status = work->o->mass_multiply(work->system, v, work->number);
    for (uint32_t k = 0; status == TN_OK && k < work->triples; k++) {
        const uint32_t first = work->triple[k];
        add_cross(sum + first, v + first, work->number + first);
    }
    return status;
}

/* q1 = q_m [+] theta h v1 */
static tn_status move_to_end(moreau_work *work)
{
    tn_system *system = work->system;
    for (uint32_t j = 0; j < system->nv; j++)
        work->number[j] = work->theta * work->h * work->v1[j];
    return system->retract(system, work->q_m, work->number, work->q1);
}

/* Writes the velocities of P at q1 into v1; returns the change of v1 relative to the largest. */
static tn_status turn_to_end(moreau_work *work, const double *P, double *difference)
{
    tn_system *system = work->system;
    double *v = work->number, change = 0.0, largest = 0.0;
    if (work->turns)
        system->transport(system, work->q_axes, work->q1, P, v, NULL, NULL);
    else
        memcpy(v, P, system->nv * sizeof *v);
    const tn_status status = work->o->mass_solve(system, v);
    for (uint32_t j = 0; j < system->nv; j++) {
        change = tn_moreau_larger(change, fabs(v[j] - work->v1[j]));
        largest = tn_moreau_larger(largest, fabs(v[j]));
        work->v1[j] = v[j];
    }
    *difference = largest > 0.0 ? change / largest : 0.0;
    return largest <= DBL_MAX ? status : TN_RETRY;
}

tn_status tn_moreau_turn_velocities(moreau_work *work)
{
    double difference = 0.0;
    return work->plain || !work->turns ? TN_OK : turn_to_end(work, work->P1, &difference);
}

/* Without rotating axes two passes suffice: the second changes nothing. */
tn_status tn_moreau_find_end(moreau_work *work, const double *P)
{
    if (work->plain) return move_to_end(work);
    double difference = HUGE_VAL, before = HUGE_VAL;
    tn_status status = TN_OK;
    if (!work->turns) {
        status = turn_to_end(work, P, &difference);
        return status == TN_OK ? move_to_end(work) : status;
    }
    for (int k = 0; status == TN_OK && k < MOST_TURNS && difference > 4.0 * DBL_EPSILON; k++) {
        before = difference;
        status = move_to_end(work);
        if (status == TN_OK) status = turn_to_end(work, P, &difference);
        if (difference < 1e-12 && difference > 0.5 * before) break;
    }
    if (status != TN_OK || difference < 1e-9) return status;
    work->failed = "bodies turn too far in a step of this length";
    return TN_RETRY;
}

tn_status tn_moreau_predict(moreau_work *work)
{
    tn_system *system = work->system;
    const uint32_t nv = system->nv;
    /* a is the mean of a step: two of them predict the next */
    const uint32_t known = work->smooth ? work->past : work->stand.foreseen > 1 ? 2 : 1;
    for (uint32_t j = 0; j < nv; j++)
        work->a0[j] = tn_moreau_extrapolate(known, work->a_kept, work->a_past, j);
    for (uint32_t j = 0; j < nv; j++) {
        work->number[j] = (1.0 - work->theta) * work->h * work->v0[j];
        work->v1[j] = work->v0[j] + work->h * work->a0[j];
    }
    tn_status status = system->retract(system, work->q0, work->number, work->q_m);
    if (status == TN_OK && work->smooth) status = system->retract(system, work->q_m, work->bent, work->q_m);
    if (status == TN_OK) status = move_to_end(work);
    if (status != TN_OK || work->plain) return status;
    memcpy(work->q_axes, work->q1, system->nq * sizeof *work->q1);
    status = work->o->mass_multiply(system, work->v0, work->P0);
    return status == TN_OK ? work->o->mass_multiply(system, work->v1, work->Pp) : status;
}

/* curve.c - paths are curved by reactions that turn within a step
 *
 * Half of the step goes along v0, half along v1: where reactions turn, as at the end of a rod, this falls short of the arc by (h w)^3/12.
 * That is the difference of the trapezoidal rule to Hermite's, h^2/12 (a0 - a1), of the accelerations that the impulses of the step make at
 * both of its ends: the same impulses, as both ends see them. */
#include "moreau.h"

bool tn_moreau_make_curve(moreau_work *work)
{
    const tn_system *system = work->system;
    work->G0 =
        system->host->allocate(system->host, (work->o->row_start[system->rows] + 1u) * sizeof *work->G0);
    return work->G0 != NULL;
}

/* sum += G^T p of the joints, with these values of G. */
static void add_joints(const moreau_work *work, const double *G, double *sum)
{
    const tn_operators *o = work->o;
    const moreau_problem *main = &work->main;
    for (uint32_t r = 0; r < main->table.rows; r++) {
        const uint32_t source = main->source[r];
        if (source >= work->system->rows || o->row_kind[source] != TN_BILATERAL) continue;
        for (uint32_t e = o->row_start[source]; e < o->row_start[source + 1]; e++)
            sum[o->column[e]] += G[e] * main->impulse[r];
    }
}

tn_status tn_moreau_follow_curve(moreau_work *work)
{
    tn_system *system = work->system;
    const uint32_t nv = system->nv;
    if (work->settings->law != BY_POSITION || !work->joints) return TN_OK;
    tn_status status = TN_OK;
    memset(work->curve, 0, nv * sizeof *work->curve);
    if (work->stand.knows_rows && work->foreseen) {
        double *first = work->curve, *last = work->number;
        memset(first, 0, nv * sizeof *first);
        memset(last, 0, nv * sizeof *last);
        add_joints(work, work->G0, first);
        add_joints(work, work->o->value, last);
        status = work->o->mass_solve(system, first);
        if (status == TN_OK) status = work->o->mass_solve(system, last);
        if (work->turns) system->transport(system, work->q0, work->q1, first, first, NULL, NULL);
        for (uint32_t j = 0; j < nv; j++)
            first[j] = work->h / 12.0 * (first[j] - last[j]);
        if (status == TN_OK) status = system->retract(system, work->q1, first, work->q1);
    }
    return status;
}

void tn_moreau_keep_rows(moreau_work *work)
{
    const tn_system *system = work->system;
    if (work->settings->law != BY_POSITION || !work->joints) return;
    memcpy(work->G0, work->o->value, work->o->row_start[system->rows] * sizeof *work->G0);
    work->stand.knows_rows = 1;
}

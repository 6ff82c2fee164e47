/* driven.c - states that are functions of time: integrals of prescribed velocities and accelerations, at the end of a step
 *
 * By the classical method of fourth order, which is exact for signals of straight lines, in pieces that are halved until halving changes
 * nothing: where a signal has a corner within the step, they are short there. */
#include "moreau.h"

#include <float.h>

#define NOTHING 1e-14 /* of the states and their change in a step: smaller differences do not count */
#define SHORTEST 0x1p-48

static tn_status find_rates(moreau_work *work, double time, const double *x, double *rate)
{
    tn_system *system = work->system;
    system->time = time;
    for (uint32_t k = 0; k < system->nx; k++)
        if (work->o->state_driven[k]) system->x[k] = x[k];
    const tn_status status = system->evaluate(system);
    for (uint32_t k = 0; k < system->nx; k++)
        rate[k] = work->o->state_driven[k] ? system->x_rate[k] : 0.0;
    return status;
}

/* A Runge-Kutta step from x, with its rates there, to `to`; scratch: [3][nx]. */
static tn_status cross(moreau_work *work, double time, double h, const double *x, double *to, double *scratch)
{
    static const double at[] = {0.0, 0.5, 0.5, 1.0}, share[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const uint32_t nx = work->system->nx;
    double *rate = scratch, *stage = rate + nx, *sum = stage + nx;
    tn_status status = TN_OK;
    memset(sum, 0, nx * sizeof *sum);
    memset(rate, 0, nx * sizeof *rate);
    for (int s = 0; s < 4 && status == TN_OK; s++) {
        for (uint32_t k = 0; k < nx; k++)
            stage[k] = x[k] + at[s] * h * rate[k];
        status = find_rates(work, time + at[s] * h, stage, rate);
        for (uint32_t k = 0; k < nx; k++)
            sum[k] += share[s] * rate[k];
    }
    for (uint32_t k = 0; k < nx; k++)
        to[k] = x[k] + h * sum[k];
    return status;
}

static bool agree(const moreau_work *work, const double *x, const double *whole, const double *halves)
{
    for (uint32_t k = 0; k < work->system->nx; k++) {
        const double size = fmax(fabs(x[k]), work->h * fabs(work->x_rate0[k])) + fabs(halves[k] - x[k]);
        if (fabs(whole[k] - halves[k]) > NOTHING * size + DBL_MIN) return false;
    }
    return true;
}

/* Pieces are powers of 1/2 of the step; they double again as soon as the larger one fits. */
static tn_status cross_in_pieces(moreau_work *work)
{
    const uint32_t nx = work->system->nx;
    double *x = work->driven, *whole = x + nx, *half = whole + nx, *halves = half + nx,
           *scratch = halves + nx;
    double done = 0.0, part = 1.0;
    while (done < 1.0) {
        const double time = work->time0 + done * work->h, h = part * work->h;
        tn_status status = cross(work, time, h, x, whole, scratch);
        if (status == TN_OK) status = cross(work, time, 0.5 * h, x, half, scratch);
        if (status == TN_OK) status = cross(work, time + 0.5 * h, 0.5 * h, half, halves, scratch);
        if (status != TN_OK) return status;
        if (part > SHORTEST && !agree(work, x, whole, halves)) {
            part *= 0.5;
            continue;
        }
        memcpy(x, halves, nx * sizeof *x);
        done += part;
        while (done < 1.0 && fmod(done, 2.0 * part) == 0.0)
            part *= 2.0;
    }
    return TN_OK;
}

bool tn_moreau_make_driven(moreau_work *work)
{
    const tn_system *system = work->system;
    for (uint32_t k = 0; k < system->nx; k++)
        work->drives = work->drives || work->o->state_driven[k];
    work->x_end = system->host->allocate(system->host, (system->nx + 1u) * sizeof *work->x_end);
    if (!work->drives) return work->x_end != NULL;
    work->driven = system->host->allocate(system->host, 7 * (size_t)system->nx * sizeof *work->driven);
    return work->x_end && work->driven;
}

tn_status tn_moreau_foresee_states(moreau_work *work)
{
    tn_system *system = work->system;
    for (uint32_t k = 0; k < system->nx; k++)
        work->x_end[k] = work->x0[k] + work->h * work->x_rate0[k];
    if (!work->drives) return TN_OK;
    memcpy(work->driven, work->x0, system->nx * sizeof *work->driven);
    const tn_status status = cross_in_pieces(work);
    for (uint32_t k = 0; k < system->nx; k++)
        if (work->o->state_driven[k]) work->x_end[k] = work->driven[k];
    memcpy(system->x, work->x0, system->nx * sizeof *system->x);
    system->time = work->time0;
    return status;
}

/* relaxation.c - dynamic relaxation: a motion in pseudo time, with the masses of the model, that loses its kinetic energy whenever
 * that has a peak (Day 1965; Otter, Cassell, Hobbs 1966), by implicit steps
 *
 *     (M/h^2 + K) d = f + G^T lambda + M v/h,  G d = -g,  v = d/h
 *
 * which get longer while the motion goes on, until Newton's method takes over. */
#include "static.h"

#define LONGER 1.3
#define NEAR 1e-2 /* of the forces at the start: Newton's method is tried, and at a tenth of that again */

enum { MOST_STEPS = 2000 };

/* Forces against those in play, as energies along coordinates. */
static double rest_of(const static_work *work)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < work->nv; i++)
        largest = fmax(largest, fabs(work->residual[i]) * work->system->scale[i]);
    return largest;
}

/* One step of length h with the velocity of the last one, times h, in `way`; the new one, and twice its kinetic energy. */
static tn_status take_step(static_work *work, double h, double ratio, double *way, double *energy)
{
    tn_status status = tn_static_evaluate(work);
    for (uint32_t i = 0; i < work->nv; i++)
        way[i] *= ratio;
    if (status == TN_OK) status = work->operators->mass_multiply(work->system, way, work->trial);
    if (status == TN_OK) status = tn_static_matrix(work, 1.0 / (h * h));
    if (status == TN_OK) status = tn_static_factor(work);
    for (uint32_t i = 0; i < work->nv; i++)
        work->residual[i] += work->trial[i] / (h * h);
    if (status == TN_OK) status = tn_static_solve(work, work->residual, work->direction);
    if (status != TN_OK) return status;
    const double size = tn_static_size(work, work->direction, work->cap);
    if (!isfinite(size)) return TN_RETRY;
    tn_static_keep(work, &work->trial_point);
    const double share = fmin(1.0, 1.0 / fmax(size, 1e-300));
    status = tn_static_apply(work, &work->trial_point, work->direction, share);
    for (uint32_t r = 0; r < work->rows; r++)
        work->system->lambda[r] = work->trial_point.lambda[r] + work->direction[work->nv + r];
    for (uint32_t i = 0; i < work->nv; i++)
        way[i] = share * work->direction[i];
    if (status == TN_OK) status = work->operators->mass_multiply(work->system, way, work->trial);
    *energy = 0.0;
    for (uint32_t i = 0; i < work->nv; i++)
        *energy += way[i] * work->trial[i] / (h * h);
    return status == TN_OK ? tn_static_evaluate(work) : status;
}

tn_status tn_static_relax(static_work *work, bool *found)
{
    double *way = work->system->host->allocate(work->system->host, (work->nv + 1) * sizeof *way);
    *found = false;
    if (!way) return TN_OUT_OF_MEMORY;
    memset(way, 0, work->nv * sizeof *way);
    tn_status status = tn_static_evaluate(work);
    if (status != TN_OK) return status;
    double h = 1.0 / sqrt(fmax(work->stiffest, 1e-300)), ratio = 1.0, before = 0.0, near = NEAR;
    const double all = fmax(rest_of(work), 1e-300);
    uint32_t peaks = 0;
    for (int k = 0; k < MOST_STEPS; k++) {
        double energy = 0.0;
        tn_static_keep(work, &work->kept);
        status = take_step(work, h, ratio, way, &energy);
        work->iterations++;
        if (status == TN_RETRY) {
            tn_static_return(work, &work->kept);
            h *= 0.25;
            ratio = 0.0;
            if (h < 1e-9 / sqrt(work->stiffest)) return TN_RETRY;
            continue;
        }
        if (status != TN_OK) return status;
        ratio = LONGER;
        if (energy < before) {
            peaks++;
            ratio = 0.0;
        }
        before = energy < before ? 0.0 : energy;
        h *= LONGER;
        if (rest_of(work) > near * all) continue;
        status = tn_static_newton(work, work->settings->iterations, found);
        if (*found || (status != TN_OK && status != TN_RETRY)) break;
        near *= 0.1;
    }
    if (*found)
        tn_say(work->system->host, TN_NOTE, "dynamic relaxation: %u peaks of the kinetic energy", peaks);
    return *found ? TN_OK : status;
}

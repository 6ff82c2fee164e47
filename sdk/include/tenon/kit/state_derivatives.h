/* tenon/kit/state_derivatives.h - for implicit solvers with states x among their unknowns: derivatives of forces and of rates of states,
 * exact where the system knows them (state_tangent), else by differences, while there are not too many.
 *
 *     tn_state_derivatives_make(&d, system, n)       n states that are no quadratures; false without memory
 *     if (d.known) status = tn_state_derivatives_find(&d);
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_STATE_DERIVATIVES_H
#define TENON_KIT_STATE_DERIVATIVES_H

#include "tenon/solver.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { TN_MOST_STATES = 1000, TN_MOST_DIFFERENCES = 300 }; /* of full matrices; evaluations for differences */

typedef struct tn_state_derivatives {
    tn_system *system;
    uint32_t states;
    bool known; /* there are states, not too many for full matrices and differences: the arrays exist */
    /* [nv][states]; [states][2 nv], by increments of q, then by v; [states][states] */
    double *force_by_state, *rate_by_motion, *rate_by_state;
    double *force, *rate, *increment, *q; /* of the state that differences are taken about */
} tn_state_derivatives;

static inline bool tn_state_derivatives_make(tn_state_derivatives *d, tn_system *system, uint32_t states)
{
    const size_t n = states, nv = system->nv;
    *d = (tn_state_derivatives){.system = system, .states = states};
    d->known = n > 0 && n <= TN_MOST_STATES && (system->state_tangent || n <= TN_MOST_DIFFERENCES);
    if (!d->known) return true;
    double **const array[] = {
        &d->force_by_state, &d->rate_by_motion, &d->rate_by_state, &d->force, &d->rate, &d->increment, &d->q};
    const size_t size[] = {nv * n, 2 * nv * n, n * n, nv, n, nv, system->nq};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        if (!(*array[k] = system->host->allocate(system->host, (size[k] + 1) * sizeof(double)))) return false;
    return true;
}

/* f and x' of the state with one number changed by `step`; `force` may be NULL. */
static inline tn_status tn_state_difference(tn_state_derivatives *d, double step, double *force, double *rate,
                                            size_t rate_stride)
{
    tn_system *system = d->system;
    const tn_status status = system->evaluate(system);
    for (uint32_t i = 0; i < system->nv && force && status == TN_OK; i++)
        force[i * (size_t)d->states] = (system->force[i] - d->force[i]) / step;
    for (uint32_t k = 0; k < d->states && status == TN_OK; k++)
        rate[k * rate_stride] = (system->x_rate[k] - d->rate[k]) / step;
    return status;
}

static inline tn_status tn_state_differ_by_states(tn_state_derivatives *d)
{
    tn_system *system = d->system;
    tn_status status = TN_OK;
    for (uint32_t j = 0; j < d->states && status == TN_OK; j++) {
        const double kept = system->x[j], step = sqrt(DBL_EPSILON) * fmax(1.0, fabs(kept));
        system->x[j] = kept + step;
        status = tn_state_difference(d, step, d->force_by_state + j, d->rate_by_state + j, d->states);
        system->x[j] = kept;
    }
    return status;
}

static inline tn_status tn_state_differ_by_motion(tn_state_derivatives *d)
{
    tn_system *system = d->system;
    const size_t nv = system->nv;
    tn_status status = TN_OK;
    memcpy(d->q, system->q, system->nq * sizeof(double));
    memset(d->increment, 0, nv * sizeof(double));
    for (uint32_t j = 0; j < nv && status == TN_OK; j++) {
        const double size = system->scale[j] > 0.0 ? system->scale[j] : 1.0;
        const double step = sqrt(DBL_EPSILON) * size;
        d->increment[j] = step;
        status = system->retract(system, d->q, d->increment, system->q);
        d->increment[j] = 0.0;
        if (status == TN_OK) status = tn_state_difference(d, step, NULL, d->rate_by_motion + j, 2 * nv);
        memcpy(system->q, d->q, system->nq * sizeof(double));
        const double kept = system->v[j], faster = sqrt(DBL_EPSILON) * fmax(size, fabs(kept));
        system->v[j] = kept + faster;
        if (status == TN_OK)
            status = tn_state_difference(d, faster, NULL, d->rate_by_motion + nv + j, 2 * nv);
        system->v[j] = kept;
    }
    return status;
}

/* At the last evaluation, which differences repeat at the end. TN_RETRY: it cannot be; a difference that is outside of a domain leaves
 * what was known. */
static inline tn_status tn_state_derivatives_find(tn_state_derivatives *d)
{
    tn_system *system = d->system;
    if (system->state_tangent)
        return system->state_tangent(system, d->force_by_state, d->rate_by_motion, d->rate_by_state);
    memcpy(d->force, system->force, system->nv * sizeof(double));
    memcpy(d->rate, system->x_rate, d->states * sizeof(double));
    memset(d->rate_by_motion, 0, 2 * (size_t)d->states * system->nv * sizeof(double));
    tn_status status = tn_state_differ_by_states(d);
    if (status == TN_OK && 2 * system->nv + d->states <= TN_MOST_DIFFERENCES)
        status = tn_state_differ_by_motion(d);
    const tn_status again = system->evaluate(system);
    return status == TN_OK || status == TN_RETRY ? again : status;
}

#endif

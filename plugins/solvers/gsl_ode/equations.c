/* equations.c - y = (q, v, x) and y' = (N(q) v, v', h), as GSL wants them. */
#include "gsl_ode.h"

#include <gsl/gsl_errno.h>
#include <string.h>

/* The three parts of the first `count` entries of y; those of x that are left out stay as they are. */
void tn_gsl_write_state(const gsl_ode_work *work, double time, const double *y, size_t count)
{
    const tn_system *system = work->system;
    const size_t nq = system->nq, nv = system->nv;
    work->system->time = time;
    memcpy(system->q, y, nq * sizeof(double));
    memcpy(system->v, y + nq, nv * sizeof(double));
    memcpy(system->x, y + nq + nv, (count - nq - nv) * sizeof(double));
}

void tn_gsl_read_state(const gsl_ode_work *work, double *y, size_t count)
{
    const tn_system *system = work->system;
    const size_t nq = system->nq, nv = system->nv;
    memcpy(y, system->q, nq * sizeof(double));
    memcpy(y + nq, system->v, nv * sizeof(double));
    memcpy(y + nq + nv, system->x, (count - nq - nv) * sizeof(double));
}

tn_status tn_gsl_read_slope(const gsl_ode_work *work, size_t count, double *slope)
{
    tn_system *system = work->system;
    const size_t nq = system->nq, nv = system->nv;
    tn_status status = system->accelerate(system, slope + nq);
    if (status == TN_OK && system->vector_space)
        memcpy(slope, system->v, nv * sizeof(double));
    else if (status == TN_OK)
        status = system->rate(system, slope);
    if (status == TN_OK) memcpy(slope + nq + nv, system->x_rate, (count - nq - nv) * sizeof(double));
    return status;
}

tn_status tn_gsl_slope(const gsl_ode_work *work, size_t count, double *slope)
{
    const tn_status status = work->system->evaluate(work->system);
    return status == TN_OK ? tn_gsl_read_slope(work, count, slope) : status;
}

const double *tn_gsl_unshift(const gsl_ode_integrator *integrator, const double *y)
{
    if (!integrator->shift) return y;
    double *unshifted = integrator->work->unshifted;
    for (size_t i = 0; i < integrator->equations.dimension; i++)
        unshifted[i] = y[i] - integrator->shift[i];
    return unshifted;
}

int tn_gsl_function(double time, const double *y, double *slope, void *integrator)
{
    const gsl_ode_integrator *self = integrator;
    gsl_ode_work *work = self->work;
    const size_t count = self->equations.dimension;
    tn_gsl_write_state(work, time, tn_gsl_unshift(self, y), count);
    work->status = tn_gsl_slope(work, count, slope);
    if (work->status == TN_OK) tn_stall_watch_see(&work->stall, slope + work->system->nq);
    if (work->status == TN_OK) work->status = tn_event_watch_peek(&work->watch);

    // GSL ends a step at once on EBADFUNC, and takes any other code for a reason to shorten it
    return work->status == TN_OK ? GSL_SUCCESS : work->status == TN_RETRY ? GSL_EDOM : GSL_EBADFUNC;
}

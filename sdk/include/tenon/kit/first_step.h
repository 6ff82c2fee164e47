/* tenon/kit/first_step.h - for adaptive solvers: a first step, where the model gives none (step_given of tn_run is 0).
 *
 * The rule of Hairer, Norsett and Wanner (Solving Ordinary Differential Equations I, 2nd ed., 1993, section II.4): a step of Euler's
 * method that changes y by a hundredth of its size tells how fast y' changes; the first step is the one for which the leading term of
 * the error of a method of order p, guessed from y' and y'', is a hundredth of what is allowed.
 *
 *     status = tn_first_step_find(system, &weights, order, &h);
 *
 * To be called at an accepted state that was evaluated, with `a`, lambda and x_rate as they are there; all of it is so again afterwards.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_FIRST_STEP_H
#define TENON_KIT_FIRST_STEP_H

#include "tenon/kit/error_weights.h"

#include <string.h>

#define TN_FIRST_SHARE 0.01   /* of the size of y, and of the error allowed */
#define TN_FIRST_GROWTH 100.0 /* times the trial step, at most */
#define TN_FIRST_BLIND 1e-6   /* of the run: the trial step where sizes tell nothing */

/* The state (q, v, x), its rates, twice, and lambda. */
typedef struct tn_first_memory {
    double *y, *slope, *lambda;
    size_t size;
} tn_first_memory;

static inline double tn_first_tolerance(const tn_error_weights *weights, const double *y, size_t i)
{
    const tn_system *system = weights->system;
    const size_t nq = system->nq, nv = system->nv;
    const double absolute = i < nq        ? weights->absolute_q[i]
                            : i < nq + nv ? weights->absolute_v[i - nq]
                                          : weights->absolute_x[i - nq - nv];
    return absolute + system->run->relative_tolerance * fabs(y[i]);
}

/* Rms of numbers against the tolerances of y, without quadratures. */
static inline double tn_first_norm(const tn_error_weights *weights, const tn_first_memory *memory,
                                   const double *number)
{
    const size_t count = memory->size - weights->system->quadratures;
    double squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double part = number[i] / tn_first_tolerance(weights, memory->y, i);
        squares += part * part;
    }
    return count ? sqrt(squares / (double)count) : 0.0;
}

static inline tn_status tn_first_read_slope(tn_system *system, const double *a, double *slope)
{
    const size_t nq = system->nq, nv = system->nv;
    memcpy(slope + nq, a, nv * sizeof *slope);
    memcpy(slope + nq + nv, system->x_rate, system->nx * sizeof *slope);
    if (!system->vector_space) return system->rate(system, slope);
    memcpy(slope, system->v, nv * sizeof *slope);
    return TN_OK;
}

static inline void tn_first_write_state(tn_system *system, const double *y, const double *slope, double h)
{
    const size_t nq = system->nq, nv = system->nv;
    for (size_t i = 0; i < nq; i++)
        system->q[i] = y[i] + h * slope[i];
    for (size_t i = 0; i < nv; i++)
        system->v[i] = y[nq + i] + h * slope[nq + i];
    for (size_t i = 0; i < system->nx; i++)
        system->x[i] = y[nq + nv + i] + h * slope[nq + nv + i];
}

/* Goes back to the state that all was found at. */
static inline tn_status tn_first_go_back(tn_system *system, const tn_first_memory *memory, double time)
{
    const size_t states = (size_t)system->nq + system->nv;
    system->time = time;
    tn_first_write_state(system, memory->y, memory->slope, 0.0);
    memcpy(system->lambda, memory->lambda, system->rows * sizeof(double));
    const tn_status status = system->evaluate(system);
    memcpy(system->x_rate, memory->slope + states, system->nx * sizeof(double));
    return status;
}

/* How fast y' changes, from a trial step: the rms of y'' about, or a number that is not finite where the step was refused. */
static inline double tn_first_curvature(tn_system *system, const tn_error_weights *weights,
                                        const tn_first_memory *memory, double h)
{
    double *later = memory->slope + memory->size;
    tn_first_write_state(system, memory->y, memory->slope, h);
    system->time += h;
    tn_status status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, later + system->nq);
    if (status == TN_OK) status = tn_first_read_slope(system, later + system->nq, later);
    if (status != TN_OK) return (double)NAN;
    for (size_t i = 0; i < memory->size; i++)
        later[i] = (later[i] - memory->slope[i]) / h;
    return tn_first_norm(weights, memory, later);
}

static inline double tn_first_guess(double h, double rate, double curvature, unsigned order)
{
    const double larger = fmax(rate, curvature);
    if (!isfinite(larger)) return h;
    const double guess =
        larger > 1e-15 ? pow(TN_FIRST_SHARE / larger, 1.0 / ((double)order + 1.0)) : HUGE_VAL;
    return fmin(TN_FIRST_GROWTH * h, guess);
}

/* [setup] A first step into `step`, for a method of this order; TN_OUT_OF_MEMORY, or what the evaluation of the state that the system has
 * come back to answers. */
static inline tn_status tn_first_step_find(tn_system *system, const tn_error_weights *weights, unsigned order,
                                           double *step)
{
    const tn_run *run = system->run;
    const tn_host *host = system->host;
    const double time = system->time, span = run->end_time - time;
    tn_first_memory memory = {.size = (size_t)system->nq + system->nv + system->nx};
    memory.y = host->allocate(host, (3 * memory.size + system->rows + 1) * sizeof(double));
    if (!memory.y) return TN_OUT_OF_MEMORY;
    memory.slope = memory.y + memory.size;
    memory.lambda = memory.y + 3 * memory.size;
    memcpy(memory.y, system->q, system->nq * sizeof(double));
    memcpy(memory.y + system->nq, system->v, system->nv * sizeof(double));
    memcpy(memory.y + system->nq + system->nv, system->x, system->nx * sizeof(double));
    memcpy(memory.lambda, system->lambda, system->rows * sizeof(double));
    tn_status status = tn_first_read_slope(system, system->a, memory.slope);
    if (status != TN_OK || !(span > 0.0)) return status;

    const double size = tn_first_norm(weights, &memory, memory.y);
    const double rate = tn_first_norm(weights, &memory, memory.slope);
    const bool tells = size > 1e-5 && rate > 1e-5;
    const double trial = fmin(tells ? TN_FIRST_SHARE * size / rate : TN_FIRST_BLIND * span, 1e-3 * span);
    const double curvature = tn_first_curvature(system, weights, &memory, trial);
    const double guess = tn_first_guess(trial, rate, curvature, order);
    *step =
        fmax(fmin(guess, fmin(span, run->maximum_step > 0.0 ? run->maximum_step : span)), run->minimum_step);
    return tn_first_go_back(system, &memory, time);
}

#endif

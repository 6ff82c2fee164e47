/* tenon/kit/error_weights.h - for adaptive solvers: what errors of q, v and x are measured against.
 *
 *     if (!tn_error_weights_make(&weights, system)) return TN_OUT_OF_MEMORY;
 *     ... at the start, and behind each accepted step: tn_error_weights_see(&weights);
 *     error against weights.absolute_q[i] + relative |q[i]|,  and so for v and x
 *
 * `tolerance = t` of a model means relative_tolerance = t and, number by number, absolute tolerances of t times a size:
 *
 *     q    the size of the model for lengths, 1 for angles and the numbers of rotations
 *     v    a tenth of the fastest velocity of its kind so far (translations, rotations, others), at least what would take the time of
 *          the run for the size of q: a motion that stops for a moment is not resolved to nothing
 *     x    its largest value so far, at least 1e-6 in its unit
 *
 * absolute_tolerance itself is the same number for all, in SI units.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_ERROR_WEIGHTS_H
#define TENON_KIT_ERROR_WEIGHTS_H

#include "tenon/draft/error_scale.h"
#include "tenon/draft/stepping.h"

#include <math.h>

#define TN_SHARE_OF_FASTEST 0.1
#define TN_LEAST_STATE 1e-6

typedef struct tn_error_weights {
    const tn_system *system;
    const tn_error_scale *scale;
    double *absolute_q, *absolute_v, *absolute_x; /* [nq], [nv], [nx] absolute tolerances */
    double fastest[TN_MOTION_KINDS];              /* velocities so far */
} tn_error_weights;

static inline double *tn_new_weights(const tn_system *system, uint32_t count)
{
    double *weight = system->host->allocate(system->host, ((size_t)count + 1) * sizeof *weight);
    for (uint32_t i = 0; i < count && weight; i++)
        weight[i] = system->run->absolute_tolerance;
    return weight;
}

static inline bool tn_error_weights_make(tn_error_weights *weights, tn_system *system)
{
    *weights = (tn_error_weights){.system = system};
    weights->scale = system->extension ? system->extension(system, TN_ERROR_SCALE_KEY) : NULL;
    weights->absolute_q = tn_new_weights(system, system->nq);
    weights->absolute_v = tn_new_weights(system, system->nv);
    weights->absolute_x = tn_new_weights(system, system->nx);
    if (!weights->absolute_q || !weights->absolute_v || !weights->absolute_x) return false;
    if (!weights->scale) return !system->run->scaled_tolerance;
    for (uint32_t i = 0; i < system->nq && system->run->scaled_tolerance; i++)
        weights->absolute_q[i] *= weights->scale->coordinate[i];
    for (uint32_t i = 0; i < system->nx && system->run->scaled_tolerance; i++)
        weights->absolute_x[i] *= TN_LEAST_STATE;
    return true;
}

/* The fastest velocities so far, and what follows from the current state. */
static inline void tn_error_weights_see(tn_error_weights *weights)
{
    const tn_system *system = weights->system;
    const double tolerance = system->run->absolute_tolerance;
    if (!system->run->scaled_tolerance) return;
    const double span = fmax(system->run->end_time - system->run->start_time, 1e-300);
    for (uint32_t i = 0; i < system->nv; i++) {
        double *fastest = &weights->fastest[weights->scale->kind[i]];
        *fastest = fmax(*fastest, fabs(system->v[i]));
    }
    for (uint32_t i = 0; i < system->nv; i++)
        weights->absolute_v[i] =
            tolerance *
            fmax(TN_SHARE_OF_FASTEST * weights->fastest[weights->scale->kind[i]], system->scale[i] / span);
    for (uint32_t i = 0; i < system->nx; i++)
        weights->absolute_x[i] = fmax(weights->absolute_x[i], tolerance * fabs(system->x[i]));
}

/* What it knows between two steps (tn_stepping_capability). */
static inline void tn_error_weights_state(tn_error_weights *weights, tn_state_visitor *visitor)
{
    tn_visit_numbers(visitor, weights->fastest, TN_MOTION_KINDS);
    tn_visit_numbers(visitor, weights->absolute_v, weights->system->nv);
    tn_visit_numbers(visitor, weights->absolute_x, weights->system->nx);
}

#endif

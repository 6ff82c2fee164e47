/* vectors.c - what a step does with all coordinates, one by one: start kept, prediction, correction, end (see newton.c). */
#include "generalized_alpha.h"

#include <string.h>

/* ---- the start of the step ------------------------------------------------------------------------------- */

/* Copies of numbers of the state, back to it, too. */
typedef struct copy {
    double *to;
    const double *from;
} copy;

static inline void copy_block(void *data, size_t first, size_t last)
{
    const copy *c = data;
    memcpy(c->to + first, c->from + first, (last - first) * sizeof(double));
}

static void copy_numbers(const alpha_work *work, double *to, const double *from, size_t count)
{
    copy c = {to, from};
    tn_for_numbers(work->system->host, count, copy_block, &c);
}

/* The start of the step is kept, to iterate from and to return to. */
void tn_alpha_save_state(alpha_work *work)
{
    const tn_system *system = work->system;
    work->time0 = system->time;
    copy_numbers(work, work->q0, system->q, system->nq);
    copy_numbers(work, work->v0, system->v, system->nv);
    copy_numbers(work, work->vdot0, system->a, system->nv);
    memcpy(work->lambda0, system->lambda, system->rows * sizeof(double));
    memcpy(work->x0, system->x, system->nx * sizeof(double));
}

void tn_alpha_restore_state(alpha_work *work)
{
    tn_system *system = work->system;
    system->time = work->time0;
    copy_numbers(work, system->q, work->q0, system->nq);
    copy_numbers(work, system->v, work->v0, system->nv);
    copy_numbers(work, system->a, work->vdot0, system->nv);
    memcpy(system->lambda, work->lambda0, system->rows * sizeof(double));
    memcpy(system->x, work->x0, system->nx * sizeof(double));
}

/* ---- increments ------------------------------------------------------------------------------------------ */

static void add_increments(void *data, size_t first, size_t last)
{
    const alpha_work *work = data;
    double *q = work->system->q;
    for (size_t i = first; i < last; i++)
        q[i] = work->q0[i] + work->increment[i];
}

tn_status tn_alpha_apply_increment(alpha_work *work)
{
    tn_system *system = work->system;
    if (!system->vector_space) return system->retract(system, work->q0, work->increment, system->q);
    tn_for_numbers(system->host, system->nv, add_increments, work);
    return TN_OK;
}

/* ---- prediction ------------------------------------------------------------------------------------------ */

typedef struct prediction {
    const alpha_work *work;
    double h, *v, *vdot;
} prediction;

static inline void predict_block(void *data, size_t first, size_t last)
{
    const prediction *p = data;
    const alpha_work *work = p->work;
    const alpha_coefficients c = work->c;
    const double h = p->h, half = 0.5 - c.beta, share = 1.0 / (1.0 - c.alpha_m),
                 ratio = h / work->before_step;
    const double *v0 = work->v0, *vdot0 = work->vdot0, *before = work->before, *a0 = work->a;
    double *increment = work->increment, *v = p->v, *vdot = p->vdot;
    for (size_t i = first; i < last; i++) {
        const double vdot1 = vdot0[i] + ratio * (vdot0[i] - before[i]);
        const double a1 = share * ((1.0 - c.alpha_f) * vdot1 + c.alpha_f * vdot0[i] - c.alpha_m * a0[i]);
        increment[i] = h * (v0[i] + h * (half * a0[i] + c.beta * a1));
        v[i] = v0[i] + h * ((1.0 - c.gamma) * a0[i] + c.gamma * a1);
        vdot[i] = vdot1;
    }
}

void tn_alpha_predict_motion(alpha_work *work, double h)
{
    const tn_system *system = work->system;
    prediction p = {work, h, work->in_ground_axes ? work->v_at_start : system->v,
                    work->in_ground_axes ? work->vdot_at_start : system->a};
    tn_for_numbers(system->host, system->nv, predict_block, &p);
}

/* ---- correction ------------------------------------------------------------------------------------------ */

typedef struct correction {
    const alpha_work *work;
    double to_v, to_a, *v, *a;
} correction;

static inline void correct_block(void *data, size_t first, size_t last)
{
    const correction *c = data;
    const alpha_work *work = c->work;
    const double *d = work->residual, *shift = work->shift, *inverse_scale = work->inverse_scale;
    const double to_v = c->to_v, to_a = c->to_a;
    double *increment = work->increment, *v = c->v, *a = c->a, largest = 0.0, sum = 0.0;
    for (size_t i = first; i < last; i++) {
        const double size = (fabs(d[i]) + fabs(shift[i])) * inverse_scale[i];
        increment[i] -= d[i] + shift[i];
        v[i] -= to_v * d[i];
        a[i] -= to_a * d[i];
        largest = size > largest ? size : largest;
        sum += size;
    }
    work->norm[first / TN_NUMBERS_OF_BLOCK] = isfinite(sum) ? largest : sum;
}

double tn_alpha_correct_motion(alpha_work *work, double h)
{
    const tn_system *system = work->system;
    correction c = {work, work->c.gamma / (work->c.beta * h), tn_alpha_kappa(work, h),
                    work->in_ground_axes ? work->v_at_start : system->v,
                    work->in_ground_axes ? work->vdot_at_start : system->a};
    tn_for_numbers(system->host, system->nv, correct_block, &c);
    double largest = 0.0;
    for (size_t k = 0; k < tn_count_blocks(system->nv); k++) {
        if (!isfinite(work->norm[k])) return work->norm[k];
        largest = fmax(largest, work->norm[k]);
    }
    return largest;
}

/* ---- the end of the step --------------------------------------------------------------------------------- */

static inline void finish_block(void *data, size_t first, size_t last)
{
    const prediction *p = data;
    const alpha_work *work = p->work;
    const alpha_coefficients c = work->c;
    const double share = 1.0 / (1.0 - c.alpha_m);
    const double *vdot0 = work->vdot0, *vdot1 = p->vdot;
    double *a = work->a;
    for (size_t i = first; i < last; i++)
        a[i] = share * ((1.0 - c.alpha_f) * vdot1[i] + c.alpha_f * vdot0[i] - c.alpha_m * a[i]);
}

void tn_alpha_finish_motion(alpha_work *work)
{
    const tn_system *system = work->system;
    prediction p = {.work = work, .vdot = work->in_ground_axes ? work->vdot_at_start : system->a};
    tn_for_numbers(system->host, system->nv, finish_block, &p);
}

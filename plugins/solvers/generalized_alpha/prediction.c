/* prediction.c - v' and multipliers at the end of a step, from those of the steps before
 *
 * With the shift x by one step back, v' that is a polynomial in time of degree k - 1 is annihilated by (1 - x)^k. Rows of constraints
 * leave besides what alternates and dies away by the roots of the scheme for infinite frequencies: at index 3 those of
 *
 *     P(x) = (1 + alpha_f/(1 - alpha_f) x) (1 + (1/2 - 2 beta + gamma)/beta x + (1/2 + beta - gamma)/beta x^2)
 *
 * which is (1 + r x)^3 for generalized_alpha, and at index 2 those of (1 + alpha_f/(1 - alpha_f) x) (1 + (1 - gamma)/gamma x).
 * What is left of an iteration excites it. Each way to predict takes the next v' from F(x) v' = 0, with F = (1 - x)^k or
 * (1 - x)^k P; a step takes the way that would have predicted the last one best. */
#include "generalized_alpha.h"

#include <string.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- ways to predict --------------------------------------------------------------------------------------- */

/* Multiplies F, of some degree, by 1 + first x + second x^2. */
static void multiply(double *F, uint32_t *degree, double first, double second)
{
    const uint32_t more = second != 0.0 ? 2 : first != 0.0 ? 1 : 0;
    for (uint32_t i = *degree + more; i > 0; i--) {
        const double here = i <= *degree ? F[i] : 0.0;
        const double one = i >= 1 && i - 1 <= *degree ? F[i - 1] : 0.0;
        const double two = i >= 2 && i - 2 <= *degree ? F[i - 2] : 0.0;
        F[i] = here + first * one + second * two;
    }
    *degree += more;
}

static void add_way(alpha_work *work, uint32_t power, bool alternating)
{
    alpha_predictors *p = &work->predictors;
    const alpha_coefficients c = work->c;
    double F[ALPHA_PAST + 2] = {1.0};
    uint32_t degree = 0;
    for (uint32_t k = 0; k < power; k++)
        multiply(F, &degree, -1.0, 0.0);
    if (alternating) multiply(F, &degree, c.alpha_f / (1.0 - c.alpha_f), 0.0);
    if (alternating && work->index == 2) multiply(F, &degree, (1.0 - c.gamma) / c.gamma, 0.0);
    if (alternating && work->index != 2)
        multiply(F, &degree, (0.5 - 2.0 * c.beta + c.gamma) / c.beta, (0.5 + c.beta - c.gamma) / c.beta);
    p->needed[p->ways] = degree > 1 ? degree - 1 : 1;
    for (uint32_t i = 1; i <= degree; i++)
        p->coefficient[p->ways][i - 1] = -F[i];
    p->ways++;
}

void tn_alpha_make_predictors(alpha_work *work)
{
    const alpha_coefficients c = work->c;
    work->predictors = (alpha_predictors){.growth = 1.0};
    for (uint32_t power = 2; power <= 3; power++)
        add_way(work, power, false);
    if (!work->system->rows) return;
    add_way(work, 2, true);
    add_way(work, 3, true);
    work->predictors.growth = 1.0 / (1.0 - c.alpha_f) * (work->index == 2 ? 1.0 / c.gamma : 2.0 / c.beta * 0.5);
}

void tn_alpha_forget_past(alpha_work *work)
{
    tn_alpha_forget_contraction(work);
    work->predictors.known = 1;
    work->predictors.best = 0;
    for (uint32_t k = 0; k < ALPHA_WAYS; k++)
        work->predictors.error[k] = HUGE_VAL;
    work->predictors.error[0] = 0.0;
}

double tn_alpha_usual_correction(const alpha_work *work, double h)
{
    const alpha_predictors *p = &work->predictors;
    double error = p->error[0];
    if (p->ways > 2) error = fmin(error, p->error[2] / p->growth);
    return error / tn_alpha_kappa(work, h);
}

/* ---- prediction -------------------------------------------------------------------------------------------- */

typedef struct alpha_prediction {
    const alpha_work *work;
    double h, factor[ALPHA_PAST + 1], *v, *vdot;
} alpha_prediction;

static void predict_block(void *data, size_t first, size_t last)
{
    const alpha_prediction *p = data;
    const alpha_work *work = p->work;
    const alpha_coefficients c = work->c;
    const double h = p->h, half = 0.5 - c.beta, share = 1.0 / (1.0 - c.alpha_m);
    const double *f = p->factor, *v0 = work->v0, *vdot0 = work->vdot0, *a0 = work->a;
    double *const *past = work->past;
    double *increment = work->increment, *v = p->v, *vdot = p->vdot;
    for (size_t i = first; i < last; i++) {
        const double vdot1 = f[0] * vdot0[i] + f[1] * past[0][i] + f[2] * past[1][i] + f[3] * past[2][i] +
                             f[4] * past[3][i] + f[5] * past[4][i];
        const double a1 = share * ((1.0 - c.alpha_f) * vdot1 + c.alpha_f * vdot0[i] - c.alpha_m * a0[i]);
        increment[i] = h * (v0[i] + h * (half * a0[i] + c.beta * a1));
        v[i] = v0[i] + h * ((1.0 - c.gamma) * a0[i] + c.gamma * a1);
        vdot[i] = vdot1;
    }
}

void tn_alpha_predict(alpha_work *work, double h)
{
    tn_system *system = work->system;
    const size_t nv = system->nv;
    const double ratio = h / work->before_step;
    alpha_prediction p = {work, h, {1.0 + ratio, -ratio}, work->in_ground_axes ? work->v_at_start : system->v,
                          work->in_ground_axes ? work->vdot_at_start : system->a};
    if (fabs(ratio - 1.0) < 1e-6) memcpy(p.factor, work->predictors.coefficient[work->predictors.best], sizeof p.factor);
    tn_for_numbers(system->host, nv, predict_block, &p);
    double *const *past = work->past;
    const double *f = p.factor;
    for (size_t r = 0, i = nv; r < system->rows; r++, i++)
        system->lambda[r] = f[0] * work->vdot0[i] + f[1] * past[0][i] + f[2] * past[1][i] + f[3] * past[2][i] +
                            f[4] * past[3][i] + f[5] * past[4][i];
    for (uint32_t i = 0; i < system->nx - system->quadratures; i++)
        system->x[i] =
            work->x0[i] + h * (work->x_rate0[i] + 0.5 * ratio * (work->x_rate0[i] - work->x_rate_before[i]));
}

/* ---- the end of a step ------------------------------------------------------------------------------------- */

typedef struct alpha_ending {
    const alpha_work *work;
    double (*coefficient)[ALPHA_PAST + 1];
    const double *vdot;
} alpha_ending;

static void finish_block(void *data, size_t first, size_t last)
{
    const alpha_ending *e = data;
    const alpha_work *work = e->work;
    const alpha_coefficients c = work->c;
    const double share = 1.0 / (1.0 - c.alpha_m);
    const double *vdot0 = work->vdot0, *vdot1 = e->vdot, *scale = work->inverse_scale;
    double *const *past = work->past;
    double *a = work->a, *error = work->norm + ALPHA_WAYS * (first / TN_NUMBERS_OF_BLOCK);
    for (size_t i = first; i < last; i++)
        a[i] = share * ((1.0 - c.alpha_f) * vdot1[i] + c.alpha_f * vdot0[i] - c.alpha_m * a[i]);
    for (uint32_t k = 0; k < work->predictors.ways; k++) {
        const double *f = e->coefficient[k];
        double largest = 0.0;
        for (size_t i = first; i < last; i++) {
            const double left = vdot1[i] - (f[0] * vdot0[i] + f[1] * past[0][i] + f[2] * past[1][i] +
                                            f[3] * past[2][i] + f[4] * past[3][i] + f[5] * past[4][i]);
            const double size = fabs(left) * scale[i];
            largest = size > largest ? size : largest;
        }
        error[k] = largest;
    }
}

/* The way for the next step. */
static void choose_way(alpha_work *work, uint32_t known)
{
    alpha_predictors *p = &work->predictors;
    const size_t blocks = tn_count_blocks(work->system->nv);
    p->best = 0;
    for (uint32_t k = 0; k < p->ways; k++) {
        double error = 0.0;
        for (size_t b = 0; b < blocks; b++)
            error = fmax(error, work->norm[ALPHA_WAYS * b + k]);
        p->error[k] = p->needed[k] <= known ? error : HUGE_VAL;
        if (p->error[k] < p->error[p->best]) p->best = k;
    }
    if (getenv("GA_LOG")) fprintf(stderr, "way %u known %u errors/kappa %.2e %.2e %.2e %.2e\n", p->best, known, p->error[0]/tn_alpha_kappa(work, work->before_step), p->error[1]/tn_alpha_kappa(work, work->before_step), p->error[2]/tn_alpha_kappa(work, work->before_step), p->error[3]/tn_alpha_kappa(work, work->before_step));
    if (getenv("GA_WAY")) p->best = 0;
}

void tn_alpha_finish_step(alpha_work *work, double h)
{
    tn_system *system = work->system;
    alpha_predictors *p = &work->predictors;
    const double ratio = h / work->before_step;
    const bool equal = fabs(ratio - 1.0) < 1e-6;
    double of_slope[1][ALPHA_PAST + 1] = {{1.0 + ratio, -ratio}};
    alpha_ending ending = {work, equal ? p->coefficient : of_slope,
                           work->in_ground_axes ? work->vdot_at_start : system->a};
    const uint32_t ways = p->ways;
    if (!equal) p->ways = 1;
    tn_for_numbers(system->host, system->nv, finish_block, &ending);
    choose_way(work, equal ? p->known : 1);
    p->ways = ways;
    for (uint32_t k = 1; k < ways && !equal; k++)
        p->error[k] = HUGE_VAL;
    p->known = equal ? (p->known < ALPHA_PAST ? p->known + 1 : ALPHA_PAST) : 1;
    work->contraction.age++;
    work->contraction.of_matrix++;
    work->before_step = h;

    // the oldest one makes place
    double *vdot0 = work->vdot0, *oldest = work->past[ALPHA_PAST - 1], *a = work->a;
    memmove(work->past + 1, work->past, (ALPHA_PAST - 1) * sizeof *work->past);
    work->past[0] = vdot0;
    work->vdot0 = oldest;
    if (!work->in_ground_axes) return;
    double **past = work->past;
    system->transport(system, work->q0, system->q, a, a, past[0], past[0]);
    system->transport(system, work->q0, system->q, past[1], past[1], past[2], past[2]);
    system->transport(system, work->q0, system->q, past[3], past[3], past[4], past[4]);
}

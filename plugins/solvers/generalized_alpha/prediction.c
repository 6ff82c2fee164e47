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
#include "vectors.h"

#include <string.h>

#define EQUAL_STEPS 1e-6      /* relative difference of their lengths */
#define LONGEST_UNMEASURED 8u /* steps for which errors of predictions are taken to stay as they are */
#define PREFERENCE 0.5        /* for what predicts multipliers best, too */
#define CAUTION 4.0           /* with what multiplies errors of multipliers that nothing determines */
#define MUCH_WORSE 2.0        /* unless a correction is so much larger than expected; */
#define TRIFLE_OF_ROWS 1e-6   /* of the largest multiplier: such errors need no other way */

/* Ways: k = 2, 3, 4; and with P. */
enum { SLOPES, CURVATURE, CUBIC, SLOPES_ALTERNATING, CURVATURE_ALTERNATING, CUBIC_ALTERNATING };

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
    add_way(work, 2, false);
    add_way(work, 3, false);
    add_way(work, 4, false);
    if (!work->system->rows) return;
    add_way(work, 2, true);
    add_way(work, 3, true);
    add_way(work, 4, true);
    const double at_1 = work->index == 2 ? 1.0 / c.gamma : 1.0 / c.beta; // of the other factor of P
    work->predictors.growth = at_1 / (1.0 - c.alpha_f);
}

void tn_alpha_forget_past(alpha_work *work)
{
    alpha_predictors *p = &work->predictors;
    tn_alpha_forget_contraction(work);
    p->known = 1;
    p->best = p->unmeasured = 0;
    p->acceleration = p->multiplier = 0.0;
    for (uint32_t k = 0; k < ALPHA_WAYS; k++) {
        p->error[k] = k ? HUGE_VAL : 0.0;
        p->row_error[k] = 0.0;
    }
}

double tn_alpha_usual_correction(const alpha_work *work, double h)
{
    const alpha_predictors *p = &work->predictors;
    const double smooth = p->ways > SLOPES_ALTERNATING ? p->error[SLOPES_ALTERNATING] / p->growth : HUGE_VAL;
    return (smooth < p->error[SLOPES] ? smooth : p->error[SLOPES]) / tn_alpha_kappa(work, h);
}

/* ---- prediction -------------------------------------------------------------------------------------------- */

static bool is_equal_step(const alpha_work *work, double h)
{
    return fabs(h / work->before_step - 1.0) < EQUAL_STEPS;
}

/* Values of the past, the latest ones first. */
typedef struct alpha_history {
    const double *now, *past[ALPHA_PAST];
} alpha_history;

static alpha_history history_of(const alpha_work *work, size_t first)
{
    alpha_history history = {.now = work->vdot0 + first};
    for (size_t k = 0; k < ALPHA_PAST; k++)
        history.past[k] = work->past[k] + first;
    return history;
}

/* Whether the factors behind these are zero, as those of all ways without P are. */
static bool has_three(const double *f) { return f[4] == 0.0 && f[5] == 0.0 && f[6] == 0.0; }

/* The sum of past values by which a way predicts the next one. Its factors add up to 1: over differences, it overflows no sooner than
 * the motion itself. `three` is a constant of each copy. */
static inline __attribute__((always_inline)) double combine(bool three, const double *f,
                                                            const alpha_history *h, size_t i)
{
    const double here = h->now[i];
    const double sum =
        f[1] * (h->past[0][i] - here) + f[2] * (h->past[1][i] - here) + f[3] * (h->past[2][i] - here);
    if (three) return here + sum;
    return here + (sum + f[4] * (h->past[3][i] - here) + f[5] * (h->past[4][i] - here) +
                   f[6] * (h->past[5][i] - here));
}

typedef struct alpha_prediction {
    const alpha_work *work;
    double h, factor[ALPHA_PAST + 1], *v, *vdot;
} alpha_prediction;

/* Loops over numbers that do not overlap are worked out several at a time. First the v' that is predicted; then what it makes. */
static void combine_numbers(const double *factor, const alpha_history *past, size_t count,
                            double *restrict result)
{
    const alpha_history history = *past;
    if (has_three(factor))
        for (size_t i = 0; i < count; i++)
            result[i] = combine(true, factor, &history, i);
    else
        for (size_t i = 0; i < count; i++)
            result[i] = combine(false, factor, &history, i);
}

static void predict_numbers(const alpha_coefficients c, double h, size_t count, const double *v0,
                            const double *a0, const double *vdot0, const double *vdot,
                            double *restrict increment, double *restrict v)
{
    const double half = 0.5 - c.beta, share = 1.0 / (1.0 - c.alpha_m);
    for (size_t i = 0; i < count; i++) {
        const double a1 = share * ((1.0 - c.alpha_f) * vdot[i] + c.alpha_f * vdot0[i] - c.alpha_m * a0[i]);
        increment[i] = h * (v0[i] + h * (half * a0[i] + c.beta * a1));
        v[i] = v0[i] + h * ((1.0 - c.gamma) * a0[i] + c.gamma * a1);
    }
}

static void predict_block(void *data, size_t first, size_t last)
{
    const alpha_prediction *p = data;
    const alpha_work *work = p->work;
    const alpha_history history = history_of(work, first);
    combine_numbers(p->factor, &history, last - first, p->vdot + first);
    predict_numbers(work->c, p->h, last - first, work->v0 + first, work->a + first, history.now,
                    p->vdot + first, work->increment + first, p->v + first);
}

void tn_alpha_predict(alpha_work *work, double h)
{
    tn_system *system = work->system;
    const alpha_predictors *ways = &work->predictors;
    const size_t nv = system->nv;
    const double ratio = h / work->before_step;
    alpha_prediction p = {.work = work,
                          .h = h,
                          .factor = {1.0 + ratio, -ratio},
                          .v = work->in_ground_axes ? work->v_at_start : system->v,
                          .vdot = work->in_ground_axes ? work->vdot_at_start : system->a};
    if (is_equal_step(work, h)) memcpy(p.factor, ways->coefficient[ways->best], sizeof p.factor);
    tn_for_numbers(system->host, nv, predict_block, &p);
    const alpha_history multipliers = history_of(work, nv);
    for (size_t r = 0; r < system->rows; r++)
        system->lambda[r] = combine(false, p.factor, &multipliers, r);
    for (uint32_t i = 0; i < system->nx - system->quadratures; i++)
        system->x[i] =
            work->x0[i] + h * (work->x_rate0[i] + 0.5 * ratio * (work->x_rate0[i] - work->x_rate_before[i]));
}

/* ---- the end of a step ------------------------------------------------------------------------------------- */

typedef struct alpha_ending {
    const alpha_work *work;
    const double *vdot;
    const double *factor[ALPHA_WAYS]; /* of those to measure */
    uint32_t count;
} alpha_ending;

static void advance_acceleration(const alpha_coefficients c, size_t count, const double *vdot0,
                                 const double *vdot1, double *restrict a)
{
    const double share = 1.0 / (1.0 - c.alpha_m);
    for (size_t i = 0; i < count; i++)
        a[i] = share * ((1.0 - c.alpha_f) * vdot1[i] + c.alpha_f * vdot0[i] - c.alpha_m * a[i]);
}

/* The largest error, scaled, that a way would have made. */
static inline __attribute__((always_inline)) double largest_by_factors(bool three, const double *factor,
                                                                       const alpha_history *past,
                                                                       const double *vdot,
                                                                       const double *scale, size_t count)
{
    const alpha_history history = *past;
    const size_t whole = count - count % ALPHA_LANES;
    double largest[ALPHA_LANES] = {0.0}, rest = 0.0;
    for (size_t i = 0; i < whole; i += ALPHA_LANES)
        for (size_t k = 0; k < ALPHA_LANES; k++) {
            const double size = fabs(vdot[i + k] - combine(three, factor, &history, i + k)) * scale[i + k];
            largest[k] = size > largest[k] ? size : largest[k];
        }
    for (size_t i = whole; i < count; i++) {
        const double size = fabs(vdot[i] - combine(three, factor, &history, i)) * scale[i];
        rest = size > rest ? size : rest;
    }
    return whole ? alpha_largest_lane(largest, rest) : rest;
}

static double largest_error(const double *factor, const alpha_history *past, const double *vdot,
                            const double *scale, size_t count)
{
    return has_three(factor) ? largest_by_factors(true, factor, past, vdot, scale, count)
                             : largest_by_factors(false, factor, past, vdot, scale, count);
}

static void finish_block(void *data, size_t first, size_t last)
{
    const alpha_ending *e = data;
    const alpha_work *work = e->work;
    const alpha_history history = history_of(work, first);
    const double *vdot1 = e->vdot + first, *scale = work->inverse_scale + first;
    double *error = work->norm + (ALPHA_WAYS + 1) * (first / TN_NUMBERS_OF_BLOCK);
    advance_acceleration(work->c, last - first, history.now, vdot1, work->a + first);
    for (uint32_t k = 0; k < e->count; k++)
        error[k] = largest_error(e->factor[k], &history, vdot1, scale, last - first);
    if (e->count == 0) return;
    double fastest = 0.0;
    for (size_t i = 0; i < last - first; i++)
        fastest = fabs(vdot1[i]) * scale[i] > fastest ? fabs(vdot1[i]) * scale[i] : fastest;
    error[ALPHA_WAYS] = fastest;
}

static double largest_of_blocks(const alpha_work *work, uint32_t k)
{
    const size_t blocks = tn_count_blocks(work->system->nv);
    double largest = 0.0;
    for (size_t b = 0; b < blocks; b++)
        largest = fmax(largest, work->norm[(ALPHA_WAYS + 1) * b + k]);
    return largest;
}

/* A way of higher order spreads what is left of iterations, above all in null directions of rows that depend on each other. */
static double handicap_of(const alpha_work *work, uint32_t way)
{
    const bool cubic = way == CUBIC || way == CUBIC_ALTERNATING;
    if (cubic && work->system->dependent_rows) return CAUTION;
    return cubic || way == CURVATURE_ALTERNATING ? PREFERENCE : 1.0;
}

/* The largest error that a way would have made of multipliers. */
static double largest_row_error(const alpha_work *work, const double *factor)
{
    const alpha_history history = history_of(work, work->system->nv);
    double largest = 0.0;
    for (size_t r = 0; r < work->system->rows; r++)
        largest = fmax(largest, fabs(work->system->lambda[r] - combine(false, factor, &history, r)));
    return largest;
}

static double share_of(double error, double size) { return size > 0.0 ? error / size : 0.0; }

/* What a way is judged by: its error of v'; and where rows depend on each other, that of multipliers, too. What an iteration leaves of
 * these a way of high order multiplies from step to step, and where rows hold bodies twice no correction of q tells of it. */
static double judge(const alpha_work *work, uint32_t way)
{
    const alpha_predictors *p = &work->predictors;
    if (!work->system->dependent_rows || !(p->error[way] < HUGE_VAL)) return p->error[way];
    return fmax(share_of(p->error[way], p->acceleration), share_of(p->row_error[way], p->multiplier));
}

/* The way that would have predicted the step best is the one for the next. */
static void choose_way(alpha_work *work, const alpha_ending *ending)
{
    const tn_system *system = work->system;
    alpha_predictors *p = &work->predictors;
    p->best = p->unmeasured = 0;
    p->acceleration = largest_of_blocks(work, ALPHA_WAYS);
    p->multiplier = system->dependent_rows ? alpha_largest(system->lambda, system->rows) : 0.0;
    for (uint32_t k = 0; k < p->ways; k++) {
        const bool is_known = k < ending->count && p->needed[k] <= p->known;
        p->error[k] = is_known ? largest_of_blocks(work, k) : HUGE_VAL;
        p->row_error[k] =
            is_known && system->dependent_rows ? largest_row_error(work, ending->factor[k]) : 0.0;
        if (handicap_of(work, k) * judge(work, k) < judge(work, p->best)) p->best = k;
    }
}

/* Whether the first corrections of the step were much larger than what the way has made of late. */
static bool has_become_worse(const alpha_work *work, double h, uint32_t way)
{
    const alpha_predictors *p = &work->predictors;
    return work->first_correction * tn_alpha_kappa(work, h) > MUCH_WORSE * p->error[way] ||
           work->first_row_correction > MUCH_WORSE * fmax(p->row_error[way], TRIFLE_OF_ROWS * p->multiplier);
}

/* The oldest v' makes place. */
static void shift_past(alpha_work *work)
{
    tn_system *system = work->system;
    double **past = work->past, *oldest = past[ALPHA_PAST - 1], *a = work->a;
    memmove(past + 1, past, (ALPHA_PAST - 1) * sizeof *past);
    past[0] = work->vdot0;
    work->vdot0 = oldest;
    if (!work->in_ground_axes) return;
    system->transport(system, work->q0, system->q, a, a, past[0], past[0]);
    for (uint32_t k = 1; k < work->predictors.known; k += 2) {
        double *next = k + 1 < ALPHA_PAST ? past[k + 1] : NULL;
        system->transport(system, work->q0, system->q, past[k], past[k], next, next);
    }
}

void tn_alpha_finish_step(alpha_work *work, double h)
{
    tn_system *system = work->system;
    alpha_predictors *p = &work->predictors;
    const bool equal = is_equal_step(work, h);
    const double ratio = h / work->before_step, slopes[ALPHA_PAST + 1] = {1.0 + ratio, -ratio};
    const bool worse = has_become_worse(work, h, equal ? p->best : SLOPES);
    const bool looks = !equal || worse || p->known < ALPHA_PAST || ++p->unmeasured >= LONGEST_UNMEASURED;
    alpha_ending ending = {.work = work, .vdot = work->in_ground_axes ? work->vdot_at_start : system->a};
    ending.count = !looks ? 0 : equal ? p->ways : 1;
    for (uint32_t k = 0; k < ending.count; k++)
        ending.factor[k] = equal ? p->coefficient[k] : slopes;
    if (!equal) p->known = 1;
    tn_for_numbers(system->host, system->nv, finish_block, &ending);
    if (looks) choose_way(work, &ending);
    if (equal && p->known < ALPHA_PAST) p->known++;
    shift_past(work);
    work->contraction.age++;
    work->contraction.of_matrix++;
    work->before_step = h;
}

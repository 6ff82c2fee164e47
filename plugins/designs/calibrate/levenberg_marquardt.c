/* levenberg_marquardt.c - least squares from one start: derivatives as one batch, steps of several lengths as another one */
#include "calibrate.h"

#include <tenon/kit/jacobi.h>

typedef struct descent {
    tn_search_run *run;
    calibration *all;
    fit *at;
    uint32_t n, data;
    double *point;  /* [2 n or CALIBRATE_TRIALS][n] */
    double *turned; /* [n] U^T r */
    double damping; /* 0: not known yet */
} descent;

static double residual_of(const descent *d, uint64_t point, uint32_t k)
{
    return d->run->result[point * d->run->search->problem->numbers + d->all->number[k]];
}

static void take(descent *d, uint64_t point, const double *x)
{
    memcpy(d->at->x, x, d->n * sizeof *x);
    for (uint32_t k = 0; k < d->data; k++)
        d->at->residual[k] = residual_of(d, point, k);
    d->at->value = d->run->value[point];
    d->at->case_number = d->run->speaker->first + point;
    d->at->known = true;
    d->at->current = false;
}

/* Column i from the points on both sides, or from one of them and x where the other one has failed or lies beyond the range. */
static bool find_column(descent *d, uint32_t i)
{
    const double *upper = d->point + (size_t)(2 * i) * d->n, *lower = upper + d->n, *x = d->at->x;
    const uint64_t above = 2 * i, below = above + 1;
    const bool use_above = d->run->done[above] && upper[i] > x[i],
               use_below = d->run->done[below] && lower[i] < x[i];
    if (!use_above && !use_below) return false;
    const double width = (use_above ? upper[i] : x[i]) - (use_below ? lower[i] : x[i]);
    double *column = d->at->jacobian + (size_t)i * d->data;
    for (uint32_t k = 0; k < d->data; k++)
        column[k] = ((use_above ? residual_of(d, above, k) : d->at->residual[k]) -
                     (use_below ? residual_of(d, below, k) : d->at->residual[k])) /
                    width;
    return true;
}

/* Variables at an end of their range which the descent would take beyond it are held; the columns of the others become those of the
 * decomposition. */
static void decompose(descent *d)
{
    fit *at = d->at;
    const tn_search *search = d->run->search;
    at->frees = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        double slope = 0.0, *column = at->jacobian + (size_t)i * d->data;
        for (uint32_t k = 0; k < d->data; k++)
            slope += column[k] * at->residual[k];
        if ((at->x[i] <= search->low[i] && slope > 0.0) || (at->x[i] >= search->high[i] && slope < 0.0))
            continue;
        memmove(at->jacobian + (size_t)at->frees * d->data, column, d->data * sizeof *column);
        at->free[at->frees++] = i;
    }
    tn_jacobi_svd(d->data, at->frees, at->jacobian, at->singular, at->axis);
    for (uint32_t j = 0; j < at->frees; j++) {
        d->turned[j] = 0.0;
        for (uint32_t k = 0; k < d->data && at->singular[j] > 0.0; k++)
            d->turned[j] += at->jacobian[(size_t)j * d->data + k] / at->singular[j] * at->residual[k];
    }
    at->judged = at->current = true;
}

/* Derivatives at x by 2 n cases. */
static bool linearise(descent *d)
{
    for (uint32_t i = 0; i < d->n; i++)
        for (uint32_t side = 0; side < 2; side++) {
            double *point = d->point + (size_t)(2 * i + side) * d->n;
            memcpy(point, d->at->x, d->n * sizeof *point);
            point[i] += side ? -d->all->difference : d->all->difference;
            tn_search_clamp(d->run->search, point);
        }
    if (!tn_search_evaluate(d->run, 2u * d->n, d->point)) return false;
    for (uint32_t i = 0; i < d->n; i++)
        if (!find_column(d, i))
            return tn_search_end(d->run, "cases beside it fail, so that it has no derivatives,");
    decompose(d);
    return true;
}

static void make_trial(const descent *d, double damping, double *point)
{
    const fit *at = d->at;
    memcpy(point, at->x, d->n * sizeof *point);
    for (uint32_t j = 0; j < at->frees; j++) {
        const double s = at->singular[j], square = s * s + damping;
        const double length = square > 0.0 ? -s * d->turned[j] / square : 0.0;
        for (uint32_t i = 0; i < at->frees; i++)
            point[at->free[i]] += length * at->axis[(size_t)j * at->frees + i];
    }
    tn_search_clamp(d->run->search, point);
}

static double distance(const descent *d, const double *point)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < d->n; i++)
        largest = fmax(largest, fabs(point[i] - d->at->x[i]));
    return largest;
}

/* What a step gives: none of the lengths is better, one is, or x is as good as it gets. */
typedef enum outcome { WORSE, BETTER, CONVERGED, ENDED } outcome;

static outcome step(descent *d)
{
    double damping[CALIBRATE_TRIALS];
    for (uint32_t t = 0; t < CALIBRATE_TRIALS; t++) {
        damping[t] = d->damping * pow(100.0, (double)t - 1.0);
        make_trial(d, damping[t], d->point + (size_t)t * d->n);
    }
    if (distance(d, d->point) < d->all->search.settings.tolerance) return CONVERGED;
    if (!tn_search_evaluate(d->run, CALIBRATE_TRIALS, d->point)) return ENDED;
    uint32_t best = 0;
    for (uint32_t t = 1; t < CALIBRATE_TRIALS; t++)
        if (d->run->value[t] < d->run->value[best]) best = t;
    if (!(d->run->value[best] < d->at->value)) {
        d->damping *= 1e6;
        const double *shortest = d->point + (size_t)(CALIBRATE_TRIALS - 1) * d->n;
        return distance(d, shortest) < d->all->search.settings.tolerance ? CONVERGED : WORSE;
    }
    take(d, best, d->point + (size_t)best * d->n);
    d->damping = fmax(damping[best] * 0.1, 1e-14 * d->at->singular[0] * d->at->singular[0]);
    return BETTER;
}

static void descend(descent *d)
{
    if (!tn_search_evaluate(d->run, 1, d->run->start)) return;
    if (!d->run->done[0]) {
        d->run->end = TN_START_HAS_NO_RESULT;
        return;
    }
    take(d, 0, d->run->start);
    for (;;) {
        if (!linearise(d)) return;
        if (d->damping == 0.0) d->damping = 1e-3 * d->at->singular[0] * d->at->singular[0];
        outcome came = WORSE;
        while (came == WORSE)
            came = step(d);
        if (came == CONVERGED) tn_search_conclude(d->run);
        if (came != BETTER) return;
    }
}

void tn_calibrate_run(tn_search_run *run)
{
    calibration *all = (calibration *)run->search;
    const size_t n = run->search->problem->variables;
    const size_t points = 2 * n > CALIBRATE_TRIALS ? 2 * n : CALIBRATE_TRIALS;
    double *memory = calloc(points * n + n, sizeof *memory);
    descent d = {.run = run,
                 .all = all,
                 .at = &all->fit[run->number],
                 .n = (uint32_t)n,
                 .data = all->data,
                 .point = memory,
                 .turned = memory ? memory + points * n : NULL};
    if (memory) {
        descend(&d);
    } else {
        run->status = TN_OUT_OF_MEMORY;
        (void)tn_search_end(run, "out of memory");
    }
    free(memory);
}

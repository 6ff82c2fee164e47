/* trust_region.c - dogleg on the scaled least squares of all residuals
 *
 * With the matrix A of the last evaluation, the residual b, weights W of the equations and sizes C of the unknowns the model of the
 * squares is |W (b - A C y)|^2; a step is the one along the dogleg from the steepest descent to Newton's that ends inside |y| <= radius
 * (Powell 1970; Conn, Gould, Toint: Trust-Region Methods, 2000, section 7.5). */
#include "static.h"

#define NEAR 1e-3 /* increments, against the longest ones, from which on plain iterations end the search */
#define FIRST_RADIUS 1.0
#define SMALLEST_RADIUS 1e-9
#define GOOD 0.75 /* gain against that of the model */
#define POOR 0.25

typedef struct dogleg {
    static_work *work;
    double *weight, *size;                    /* [size] W, C */
    double *steepest, *newton, *step, *image; /* [size] y, and A C y */
    double radius, squares;
} dogleg;

static double square_sum(const double *x, uint32_t n)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

static bool make_dogleg(dogleg *d, static_work *work)
{
    const tn_system *system = work->system;
    const tn_host *host = system->host;
    const uint32_t n = work->size, first = work->nv + work->rows;
    *d = (dogleg){.work = work, .radius = FIRST_RADIUS};
    double **const arrays[] = {&d->weight, &d->size, &d->steepest, &d->newton, &d->step, &d->image};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k] = host->allocate(host, (n + 1) * sizeof(double)))) return false;
    double length = 0.0;
    for (uint32_t i = 0; i < work->nv; i++)
        length = fmax(length, system->scale[i]);
    const double energy = work->energy > 0.0 ? work->energy : 1.0;
    for (uint32_t i = 0; i < n; i++) {
        const bool motion = i < work->nv, row = !motion && i < first;
        d->weight[i] = motion ? system->scale[i] / energy : row ? 1.0 / fmax(length, 1e-300) : 1.0;
        d->size[i] = motion ? work->cap[i] : row ? energy / fmax(length, 1e-300) : 1.0;
    }
    return true;
}

/* Residuals as right-hand side of the matrix, weighted, into `image`; their squares. */
static double weigh(dogleg *d)
{
    const static_work *work = d->work;
    for (uint32_t i = 0; i < work->size; i++)
        d->image[i] = d->weight[i] * work->residual[i];
    return square_sum(d->image, work->size);
}

/* W A C y; rows of the matrix carry a factor, and so do multipliers. */
static void map(dogleg *d, const double *y, double *image)
{
    static_work *work = d->work;
    for (uint32_t i = 0; i < work->size; i++) {
        const bool row = i >= work->nv && i < work->nv + work->rows;
        work->trial[i] = d->size[i] * y[i] / (row ? work->row_scale : 1.0);
    }
    tn_static_multiply(work, work->trial, image);
    for (uint32_t i = 0; i < work->size; i++) {
        const bool row = i >= work->nv && i < work->nv + work->rows;
        image[i] *= d->weight[i] / (row ? work->row_scale : 1.0);
    }
}

static void map_back(dogleg *d, const double *image, double *y)
{
    static_work *work = d->work;
    for (uint32_t i = 0; i < work->size; i++) {
        const bool row = i >= work->nv && i < work->nv + work->rows;
        work->trial[i] = d->weight[i] * image[i] / (row ? work->row_scale : 1.0);
    }
    tn_static_multiply_transposed(work, work->trial, y);
    for (uint32_t i = 0; i < work->size; i++) {
        const bool row = i >= work->nv && i < work->nv + work->rows;
        y[i] *= d->size[i] / (row ? work->row_scale : 1.0);
    }
}

/* The step inside the radius; the squares that the model leaves. */
static double choose_step(dogleg *d, bool has_newton)
{
    const uint32_t n = d->work->size;
    map_back(d, d->image, d->steepest);
    memcpy(d->step, d->steepest, n * sizeof *d->step);
    double *image = d->work->product;
    map(d, d->step, image);
    const double slope = square_sum(d->steepest, n), curvature = square_sum(image, n);
    const double way = curvature > 0.0 ? slope / curvature : 0.0;
    for (uint32_t i = 0; i < n; i++)
        d->steepest[i] *= way;
    const double cauchy = sqrt(square_sum(d->steepest, n));
    double a = 0.0, b = 0.0, c = -d->radius * d->radius;
    for (uint32_t i = 0; i < n && has_newton; i++) {
        const double leg = d->newton[i] - d->steepest[i];
        a += leg * leg;
        b += leg * d->steepest[i];
        c += d->steepest[i] * d->steepest[i];
    }
    double along = 0.0, share = 1.0;
    if (cauchy >= d->radius)
        share = d->radius / cauchy;
    else if (has_newton && a > 0.0)
        along = fmin(1.0, (sqrt(fmax(b * b - a * c, 0.0)) - b) / a);
    for (uint32_t i = 0; i < n; i++)
        d->step[i] = share * d->steepest[i] + along * (has_newton ? d->newton[i] - d->steepest[i] : 0.0);
    map(d, d->step, image);
    for (uint32_t i = 0; i < n; i++)
        image[i] -= d->image[i];
    return square_sum(image, n);
}

static tn_status take_step(dogleg *d, double expected, bool *accepted)
{
    static_work *work = d->work;
    for (uint32_t i = 0; i < work->size; i++)
        work->direction[i] = d->size[i] * d->step[i];
    tn_static_keep(work, &work->trial_point);
    tn_status status = tn_static_apply(work, &work->trial_point, work->direction, 1.0);
    if (status == TN_OK) status = tn_static_evaluate(work);
    if (status != TN_OK && status != TN_RETRY) return status;
    double squares = 0.0;
    for (uint32_t i = 0; i < work->size; i++)
        squares += d->weight[i] * work->residual[i] * d->weight[i] * work->residual[i];
    const double gain = (d->squares - squares) / fmax(d->squares - expected, 1e-300);
    *accepted = status == TN_OK && gain > 1e-4;
    if (!(status == TN_OK) || gain < POOR)
        d->radius *= 0.25;
    else if (gain > GOOD)
        d->radius = fmin(2.0 * d->radius, 10.0);
    if (!*accepted) tn_static_return(work, &work->trial_point);
    return TN_OK;
}

tn_status tn_static_trust_region(static_work *work, bool *found)
{
    dogleg d;
    *found = false;
    if (!make_dogleg(&d, work)) return TN_OUT_OF_MEMORY;
    for (int64_t k = 0; k < work->settings->iterations && d.radius > SMALLEST_RADIUS; k++) {
        tn_status status = tn_static_evaluate(work);
        if (status == TN_OK) status = tn_static_matrix(work, 0.0);
        if (status != TN_OK) return status;
        status = tn_static_factor(work);
        if (status == TN_OK) status = tn_static_solve(work, work->residual, d.newton);
        if (status != TN_OK && status != TN_RETRY) return status;
        const bool regular = status == TN_OK && isfinite(tn_static_size(work, d.newton, work->cap));
        work->system->statistics->newton_iterations++;
        work->iterations++;
        if (regular && tn_static_size(work, d.newton, work->cap) <= NEAR) {
            status = tn_static_finish(work, found);
            if (status != TN_OK || *found) return status;
            status = tn_static_evaluate(work);
            if (status == TN_OK) status = tn_static_matrix(work, 0.0);
            if (status != TN_OK) return status;
        }
        for (uint32_t i = 0; i < work->size && regular; i++)
            d.newton[i] /= d.size[i];
        d.squares = weigh(&d);
        bool accepted = false;
        while (!accepted && d.radius > SMALLEST_RADIUS) {
            const double expected = choose_step(&d, regular);
            status = take_step(&d, expected, &accepted);
            if (status != TN_OK) return status;
        }
    }
    return TN_RETRY;
}

/* dense_output.c - states within a step: its collocation polynomial, of order 3, taken to the constraints
 *
 * What is recorded there reads accelerations and reactions, too, in which stiff forces amplify the errors of positions. So the
 * accelerations are compared with those of the velocities and accelerations at both ends of the step, between which they are
 * smooth. Where they differ by more than the tolerances the state is not used: a step ends there instead. */
#include "radau.h"

void tn_radau_keep(const radau_work *work, radau_point *point)
{
    const tn_system *system = work->system;
    memcpy(point->q, system->q, system->nq * sizeof(double));
    memcpy(point->v, system->v, system->nv * sizeof(double));
    memcpy(point->a, system->a, system->nv * sizeof(double));
    memcpy(point->x, system->x, system->nx * sizeof(double));
    memcpy(point->x_rate, system->x_rate, system->nx * sizeof(double));
    memcpy(point->lambda, system->lambda, system->rows * sizeof(double));
}

void tn_radau_put_back(radau_work *work, const radau_point *point, double time)
{
    tn_system *system = work->system;
    system->time = time;
    memcpy(system->q, point->q, system->nq * sizeof(double));
    memcpy(system->v, point->v, system->nv * sizeof(double));
    memcpy(system->a, point->a, system->nv * sizeof(double));
    memcpy(system->x, point->x, system->nx * sizeof(double));
    memcpy(system->x_rate, point->x_rate, system->nx * sizeof(double));
    memcpy(system->lambda, point->lambda, system->rows * sizeof(double));
}

/* q, v and x at the share s of the step; multipliers to start from. */
static tn_status enter_polynomial(radau_work *work, double s)
{
    tn_system *system = work->system;
    const radau_point *start = &work->start, *end = &work->end;
    double w[STAGES], *theta = work->product, *v = work->error_q;
    tn_radau_interpolation_weights(s, w);
    const double rest = 1.0 - w[0] - w[1] - w[2];
    for (uint32_t k = 0; k < system->nv; k++) {
        theta[k] = w[0] * work->theta[0][k] + w[1] * work->theta[1][k] + w[2] * work->theta[2][k];
        v[k] = rest * start->v[k] + w[0] * work->v[0][k] + w[1] * work->v[1][k] + w[2] * work->v[2][k];
    }
    for (uint32_t k = 0; k < system->nx; k++)
        system->x[k] =
            rest * start->x[k] + w[0] * work->x[0][k] + w[1] * work->x[1][k] + w[2] * work->x[2][k];
    for (uint32_t r = 0; r < system->rows; r++)
        system->lambda[r] = start->lambda[r] + s * (end->lambda[r] - start->lambda[r]);
    const tn_status status = system->retract(system, start->q, theta, system->q);
    if (status == TN_OK) system->transport(system, start->q, system->q, v, system->v, NULL, NULL);
    return status;
}

/* The ends of a step of length h, and the integral of a number over it, by its mean. */
typedef struct ends {
    double h, from, slope_from, to, slope_to;
} ends;

/* The slope at the share s of the cubic polynomial between the ends. */
static double cubic_slope(const ends *e, double s)
{
    return e->slope_from * (1.0 - s) * (1.0 - 3.0 * s) + e->slope_to * s * (3.0 * s - 2.0) +
           6.0 * s * (1.0 - s) * (e->to - e->from) / e->h;
}

/* And of the one of order 4 that has this mean, too. */
static double quartic_slope(const ends *e, double mean, double s)
{
    const double cubic = 0.5 * (e->from + e->to) + e->h * (e->slope_from - e->slope_to) / 12.0;
    return cubic_slope(e, s) + 60.0 * (mean - cubic) / e->h * s * (1.0 - s) * (1.0 - 2.0 * s);
}

/* Rates of v and x against those between the ends of the step, over its length, in tolerances. */
static double rates_differ(radau_work *work, double s, double h)
{
    const tn_system *system = work->system;
    const radau_point *start = &work->start, *end = &work->end;
    const double *weight = radau_a[STAGES - 1];
    double *v = work->error_q, *a = work->product, *difference = work->error_v;
    memcpy(v, end->v, system->nv * sizeof *v);
    memcpy(a, end->a, system->nv * sizeof *a);
    memcpy(difference, system->a, system->nv * sizeof *difference);
    tn_radau_turn(work, end->q, start->q, v, a);
    tn_radau_turn(work, system->q, start->q, difference, NULL);
    for (uint32_t k = 0; k < system->nv; k++) {
        const ends e = {h, start->v[k], start->a[k], v[k], a[k]};
        const double mean = weight[0] * work->v[0][k] + weight[1] * work->v[1][k] + weight[2] * work->v[2][k];
        difference[k] = h * (difference[k] - quartic_slope(&e, mean, s));
    }
    for (uint32_t k = 0; k < work->states; k++) {
        const ends e = {h, start->x[k], start->x_rate[k], end->x[k], end->x_rate[k]};
        work->error_x[k] = h * (system->x_rate[k] - cubic_slope(&e, s));
    }
    return tn_radau_norm(work, NULL, difference, work->error_x);
}

tn_status tn_radau_interpolate(radau_work *work, double time, bool *exact)
{
    const double h = work->stand.end - work->stand.start, s = (time - work->stand.start) / h;
    work->system->time = time;
    tn_status status = enter_polynomial(work, s);
    if (status == TN_OK) status = tn_radau_settle(work);
    *exact = status == TN_OK && rates_differ(work, s, h) <= 1.0;
    return status;
}

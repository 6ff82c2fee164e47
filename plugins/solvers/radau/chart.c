/* chart.c - rates of increments of q along the exponential map.
 *
 * Increments are q0 [+] theta: components add, but for angular vectors of bodies, which turn a rotation R0 to R0 exp(theta).
 * With w in the axes that the body has at R0, theta' = dexp^-1(theta) w = w - theta x w/2 + c theta x (theta x w), where c = (1 -
 * (|theta|/2) cot(|theta|/2))/|theta|^2. */
#include "radau.h"

#define SMALL_TURN 0.03   /* rad: below it a series has all digits */
#define PROBE 1e-4        /* increments that the retraction is compared at */
#define LARGEST_SLIP 1e-7 /* far above PROBE^2, far below PROBE */

static double coefficient(double square)
{
    if (square < SMALL_TURN * SMALL_TURN) return 1.0 / 12.0 + square / 720.0 + square * square / 30240.0;
    const double half = 0.5 * sqrt(square);
    return (1.0 - half / tan(half)) / square;
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void turn_rate(const double *theta, const double *w, double *rate)
{
    double once[3], twice[3];
    cross(theta, w, once);
    cross(theta, once, twice);
    const double c = coefficient(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]);
    for (int k = 0; k < 3; k++)
        rate[k] = w[k] - 0.5 * once[k] + c * twice[k];
}

/* Components of angular vectors follow each other by threes. */
void tn_radau_chart_rate(const tn_system *system, const double *theta, const double *v, double *rate)
{
    const uint32_t nv = system->nv;
    for (uint32_t i = 0; i < nv; i++) {
        if (!system->angular[i] || i + 2 >= nv) {
            rate[i] = v[i];
            continue;
        }
        turn_rate(theta + i, v + i, rate + i);
        i += 2;
    }
}

/* q [+] (t + e t') against (q [+] t) moved by e v, t' being the rate of t for v: both must agree up to e^2. And the retraction must
 * begin with q' = N(q) v. */
static tn_status compare_coordinates(radau_work *work, double *largest)
{
    tn_system *system = work->system;
    const double *size = work->weights.scale->coordinate;
    double *q1 = work->residual[0], *q2 = work->residual[1], *rate = work->residual[2];
    double *theta = work->theta[0], *v = work->v[0], *slope = work->theta[1];
    for (uint32_t i = 0; i < system->nv; i++) {
        theta[i] = 0.3 * sin(1.7 * i + 0.4) * system->scale[i];
        v[i] = cos(2.3 * i + 0.9) * system->scale[i];
    }
    tn_status status = system->retract(system, system->q, theta, q2);
    if (status != TN_OK) return status;
    system->transport(system, q2, system->q, v, work->theta[2], NULL, NULL);
    tn_radau_chart_rate(system, theta, work->theta[2], slope);
    for (uint32_t i = 0; i < system->nv; i++) {
        slope[i] = theta[i] + PROBE * slope[i];
        work->theta[2][i] = PROBE * v[i];
    }
    status = system->retract(system, system->q, slope, q1);
    if (status == TN_OK) status = system->retract(system, q2, work->theta[2], q2);
    *largest = 0.0;
    for (uint32_t i = 0; i < system->nq && status == TN_OK; i++)
        *largest = fmax(*largest, fabs(q1[i] - q2[i]) / size[i]);
    if (status != TN_OK) return status;

    memcpy(work->v[1], system->v, system->nv * sizeof(double));
    memcpy(system->v, v, system->nv * sizeof(double));
    status = system->rate(system, rate);
    memcpy(system->v, work->v[1], system->nv * sizeof(double));
    if (status == TN_OK) status = system->retract(system, system->q, work->theta[2], q2);
    for (uint32_t i = 0; i < system->nq && status == TN_OK; i++)
        *largest = fmax(*largest, fabs(q2[i] - system->q[i] - PROBE * rate[i]) / size[i]);
    return status;
}

tn_status tn_radau_check_chart(radau_work *work, bool *fits)
{
    const tn_system *system = work->system;
    double slip = 0.0;
    *fits = true;
    if (system->vector_space) return TN_OK;
    const tn_status status = compare_coordinates(work, &slip);
    *fits = slip <= LARGEST_SLIP;
    return status;
}

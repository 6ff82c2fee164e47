/* turning.c - motions that turn steadily (eigen.h)
 *
 * A motion is steady where all that moves only turns about a common axis: v' = Omega x v of every velocity and angular velocity, in
 * axes that do not turn. An equilibrium, and whatever rolls straight ahead, have Omega = 0. Omega is found by least squares. In axes that
 * turn with it, which have q' = v - T q with T + [Omega x] in place of T, and D + M [Omega x] in place of D, coefficients are constant. */
#include "eigen.h"
#include "matrices.h"

#include <lapacke.h>

#define NO_AXIS 1e-9  /* of the largest eigenvalue: a direction that no velocity tells anything about */
#define NO_TURN 1e-12 /* of angular velocities */
#define UNSTEADY 1e-6 /* of terms: forces that change along a motion that turns */

/* ---- vectors ------------------------------------------------------------------------------------------------ */

/* Whether components i, i + 1, i + 2 of v, in still axes, are a velocity, or an angular velocity, of a piece of a rigid body. */
static bool is_vector(const eigen_work *work, uint32_t i)
{
    const double *rigid = work->linear->rigid + 6 * (size_t)i;
    if (i + 2 >= work->nv) return false;
    for (int kind = 0; kind < 2; kind++) {
        bool is = true;
        for (int r = 0; r < 3 && is; r++)
            for (int c = 0; c < 6 && is; c++) {
                const bool counts = kind ? true : c < 3; // angular velocities do not change with the place
                const double wanted = c == r + 3 * kind ? 1.0 : 0.0;
                is = !counts || fabs(rigid[6 * r + c] - wanted) <= 1e-9;
            }
        if (is) return true;
    }
    return false;
}

static tn_status list_vectors(eigen_work *work)
{
    work->vector = work->host->allocate(work->host, (work->nv / 3 + 1) * sizeof *work->vector);
    if (!work->vector) return TN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i + 2 < work->nv; i++) {
        if (!is_vector(work, i)) continue;
        work->vector[work->vectors++] = i;
        i += 2;
    }
    return TN_OK;
}

static void cross(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Omega x of all vectors; nothing of other coordinates. */
static void turn_vectors(const eigen_work *work, const double *x, double *turned)
{
    memset(turned, 0, work->nv * sizeof *turned);
    for (uint32_t k = 0; k < work->vectors; k++)
        cross(work->turning, x + work->vector[k], turned + work->vector[k]);
}

bool tn_eigen_turns(const eigen_work *work)
{
    const double *w = work->turning;
    return w[0] != 0.0 || w[1] != 0.0 || w[2] != 0.0;
}

/* ---- Omega --------------------------------------------------------------------------------------------------- */

/* The least Omega with the least sum of m |v' - Omega x v|^2. */
static tn_status fit(eigen_work *work, const double *v, const double *a)
{
    double N[9] = {0.0}, right[3] = {0.0}, value[3];
    for (uint32_t k = 0; k < work->vectors; k++) {
        const uint32_t i = work->vector[k];
        const double mass = tn_eigen_diagonal(&work->linear->mass, i), *w = v + i;
        double moment[3];
        cross(w, a + i, moment);
        for (int r = 0; r < 3; r++) {
            right[r] += mass * moment[r];
            for (int c = 0; c < 3; c++)
                N[3 * c + r] +=
                    mass * ((r == c ? w[0] * w[0] + w[1] * w[1] + w[2] * w[2] : 0.0) - w[r] * w[c]);
        }
    }
    double room[16];
    if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', 3, N, 3, value, room, 16) != 0) return TN_FATAL;
    for (int k = 0; k < 3; k++) {
        const double *e = N + 3 * k, along = e[0] * right[0] + e[1] * right[1] + e[2] * right[2];
        for (int r = 0; r < 3 && value[k] > NO_AXIS * value[2]; r++)
            work->turning[r] += along / value[k] * e[r];
    }
    return TN_OK;
}

static void forget_small_turning(eigen_work *work, const double *v)
{
    double fastest = 0.0, turn = 0.0;
    for (uint32_t k = 0; k < work->vectors; k++)
        for (uint32_t r = 0; r < 3; r++)
            fastest = fmax(fastest, fabs(v[work->vector[k] + r]) / work->system->scale[work->vector[k] + r]);
    for (int r = 0; r < 3; r++)
        turn = fmax(turn, fabs(work->turning[r]));
    if (!(turn > NO_TURN * fastest)) memset(work->turning, 0, sizeof work->turning);
}

tn_status tn_eigen_fit_turning(eigen_work *work, const double *v, double *a, double *memory)
{
    tn_status status = list_vectors(work);
    if (status != TN_OK || !work->moves) return status;
    status = fit(work, v, a);
    forget_small_turning(work, v);
    turn_vectors(work, v, memory);
    for (uint32_t i = 0; i < work->nv; i++)
        a[i] -= memory[i];
    return status;
}

/* ---- equations in axes that turn ----------------------------------------------------------------------------- */

/* [Omega x] of all vectors. */
static tn_status find_cross_products(const eigen_work *work, tn_sparse *crosses)
{
    const tn_host *host = work->host;
    const double *w = work->turning;
    const double W[9] = {0.0, w[2], -w[1], -w[2], 0.0, w[0], w[1], -w[0], 0.0}; // by columns
    const uint32_t nv = work->nv, entries = tn_eigen_turns(work) ? 9 * work->vectors : 0;
    int32_t *start = host->allocate(host, (nv + 1) * sizeof *start),
            *row = host->allocate(host, (entries + 1) * sizeof *row), count = 0;
    double *value = tn_eigen_numbers(host, entries);
    if (!start || !row || !value) return TN_OUT_OF_MEMORY;
    for (uint32_t j = 0, k = 0; j < nv; j++) {
        while (k < work->vectors && work->vector[k] + 2 < j)
            k++;
        for (uint32_t r = 0; r < 3 && entries && k < work->vectors && work->vector[k] <= j; r++) {
            row[count] = (int32_t)(work->vector[k] + r);
            value[count++] = W[3 * (j - work->vector[k]) + r];
        }
        start[j + 1] = count;
    }
    *crosses = (tn_sparse){nv, nv, start, row, value};
    return TN_OK;
}

tn_status tn_eigen_take_axes(eigen_work *work)
{
    const tn_linearisation *linear = work->linear;
    const bool damped = work->moves || !work->undamped;
    tn_sparse crosses;
    tn_status status = find_cross_products(work, &crosses);
    if (status != TN_OK) return status;
    const eigen_term transport[] = {{&linear->transport, NULL}, {&crosses, NULL}},
                     damping[] = {{&linear->mass, &crosses}, {&linear->damping, NULL}};
    status = tn_eigen_sum(work->host, transport, 2, &work->transport);
    if (status == TN_OK) status = tn_eigen_sum(work->host, damping, damped ? 2 : 1, &work->damping);
    work->drags = status == TN_OK && tn_eigen_has_entries(&work->transport);
    return status;
}

/* ---- whether it lasts ---------------------------------------------------------------------------------------- */

/* sum += A x; terms += the squares of what is added, by the weights of coordinates. */
static void add_force(const eigen_work *work, const tn_sparse *A, const double *x, double *sum, double *own,
                      double *terms)
{
    memset(own, 0, work->nv * sizeof *own);
    tn_eigen_multiply_add(A, x, own);
    for (uint32_t i = 0; i < work->nv; i++) {
        sum[i] += own[i];
        *terms += own[i] * own[i] / tn_eigen_weight(work, i);
    }
}

/* What is left of the rates of forces that no reaction takes, as a share of their terms. */
static tn_status find_unsteadiness(const eigen_work *work, double *share)
{
    const size_t nv = work->nv;
    double *memory = tn_eigen_numbers(work->host, 4 * nv), terms = 0.0, left = 0.0;
    if (!memory) return TN_OUT_OF_MEMORY;
    double *a = memory, *b = memory + nv, *sum = memory + 2 * nv, *own = memory + 3 * nv;
    turn_vectors(work, work->velocity, a);
    turn_vectors(work, a, b);
    add_force(work, &work->linear->mass, b, sum, own, &terms);
    add_force(work, &work->linear->damping, a, sum, own, &terms);
    add_force(work, &work->linear->stiffness, work->velocity, sum, own, &terms);
    const tn_status status = tn_eigen_take_reactions(work, sum);
    for (uint32_t i = 0; i < nv; i++)
        left += sum[i] * sum[i] / tn_eigen_weight(work, i);
    *share = terms > 0.0 ? sqrt(left / terms) : 0.0;
    return status;
}

/* Where a motion turns steadily with w, the equations go on to hold with q' = v, v' = w x v, v'' = w x v', and reactions that stay as
 * they are. A pendulum that swings through its lowest point only seems to turn so. */
tn_status tn_eigen_check_turning(eigen_work *work)
{
    const double *w = work->turning;
    double share = 0.0;
    if (!tn_eigen_turns(work)) return TN_OK;
    const tn_status status = find_unsteadiness(work, &share);
    if (status != TN_OK) return status;
    if (!(share > UNSTEADY)) {
        const double turn = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        tn_say(work->host, TN_NOTE,
               "the model turns steadily, by %.6g rad/s about (%.6g, %.6g, %.6g): eigenvalues are those of "
               "the linearised "
               "motion about this one, in axes that turn with it",
               turn, w[0] / turn, w[1] / turn, w[2] / turn);
        return TN_OK;
    }
    if (!work->settings->force)
        return work->system->fail(
            work->system, TN_INVALID, NULL,
            "modes are asked for away from an equilibrium, and from a steady motion: the model turns at this "
            "instant as in "
            "a steady motion, but the forces on it change. `force = true` takes the state as it is");
    tn_say(work->host, TN_WARNING,
           "the motion is not steady: eigenvalues are those of this instant, and tell nothing "
           "about stability");
    return TN_OK;
}

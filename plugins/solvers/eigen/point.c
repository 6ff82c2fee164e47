/* point.c - the state where modes are asked for: whether it lasts, and of what kind its equations are (eigen.h) */
#include "eigen.h"
#include "matrices.h"

#include <stdio.h>

#define BALANCED 1e-6    /* of forces in play: what is left of them at an equilibrium */
#define ROUND_OFF 1e-15  /* of the forces that stiffnesses make at the size of the model */
#define AT_REST 1e-12    /* of scales, per second */
#define STEP_ALONG 1e-2  /* of scales: how far the motion goes on for a look at the equations there */
#define CHANGES 1e-6     /* of the largest entry, for a motion by a scale */
#define NOTHING 1e-12    /* of stiffnesses and of damping in their units */
#define UNSYMMETRIC 1e-9 /* of the largest stiffness */

enum { WARNINGS = 3, LETTERS = 512 };

/* ---- what is not exact, what switches --------------------------------------------------------------------- */

static void warn_of_differences(const eigen_work *work)
{
    const char *name, *why = NULL;
    uint32_t count = 0;
    while ((name = work->linear->inexact(work->system, count, &why)) != NULL)
        if (count++ < WARNINGS) tn_say(work->host, TN_WARNING, "`%s` %s", name, why);
    if (count > WARNINGS)
        tn_say(work->host, TN_WARNING, "and so have %u others: see the warnings above", count - WARNINGS);
}

static tn_status look_at_switches(eigen_work *work)
{
    const char *name, *why = NULL;
    uint32_t here = 0;
    for (uint32_t k = 0;
         (name = work->linear->switching(work->system, k, &why, &here)) != NULL && k < WARNINGS; k++) {
        char text[LETTERS];
        if (here && !work->settings->force) {
            (void)tn_print_cut(text, sizeof text,
                               "`%s` %s: there are no small motions about a state where something switches "
                               "(`force = true` takes the side that the law takes)",
                               name, why);
            return work->system->fail(work->system, TN_INVALID, NULL, text);
        }
        tn_say(work->host, here ? TN_WARNING : TN_NOTE, "`%s` %s", name, why);
    }
    return TN_OK;
}

/* ---- still axes ---------------------------------------------------------------------------------------------- */

/* The first component of an angular vector. */
static bool is_angular(const eigen_work *work, uint32_t i)
{
    const uint8_t *angular = work->system->angular;
    return i + 2 < work->nv && angular[i] && angular[i + 1] && angular[i + 2];
}

/* A vector of v, or of a. */
static void turn_to_still_axes(const eigen_work *work, const double *own, double *still)
{
    memcpy(still, own, work->nv * sizeof *still);
    for (uint32_t i = 0; i < work->nv; i++) {
        if (!is_angular(work, i)) continue;
        const double *P = work->linear->turn + 3 * (size_t)i;
        for (uint32_t r = 0; r < 3; r++)
            still[i + r] = P[3 * r] * own[i] + P[3 * r + 1] * own[i + 1] + P[3 * r + 2] * own[i + 2];
        i += 2;
    }
}

/* ---- balance ------------------------------------------------------------------------------------------------ */

/* The work of forces in play along scales of coordinates, J: forces without reactions, reactions, and round-off of stiffnesses. */
static tn_status measure_forces(const eigen_work *work, double *left, double *energy)
{
    tn_system *system = work->system;
    tn_status status = system->evaluate(system);
    memcpy(left, system->force, work->nv * sizeof *left);
    if (status == TN_OK) status = work->operators->begin_step(system);
    double largest = 0.0;
    for (uint32_t i = 0; i < work->nv && status == TN_OK; i++) {
        const double scale = system->scale[i];
        largest = fmax(largest, scale * fmax(fabs(system->force[i]), fabs(left[i] - system->force[i])));
        largest = fmax(largest, ROUND_OFF / BALANCED * fabs(tn_eigen_diagonal(&work->linear->stiffness, i)) *
                                    scale * scale);
    }
    *energy = largest;
    return status == TN_OK ? system->evaluate(system) : status;
}

static tn_status refuse_acceleration(eigen_work *work, const double *residual, double share)
{
    char text[LETTERS];
    (void)tn_print_cut(text, sizeof text,
                       "modes are asked for away from an equilibrium, and from a steady motion: %.2g of the "
                       "forces in play accelerate "
                       "the model there. `static` in front of `eigen` finds an equilibrium; `force = true` "
                       "takes the state as it is",
                       share);
    return work->system->fail(work->system, TN_INVALID, residual, text);
}

/* Accelerations in still axes that belong to no steady motion. */
static tn_status check_balance(eigen_work *work, const double *a, double *residual)
{
    double largest = 0.0, energy = 0.0;
    const tn_status status = measure_forces(work, residual, &energy);
    if (status != TN_OK) return status;
    memset(residual, 0, work->nv * sizeof *residual);
    tn_eigen_multiply_add(&work->linear->mass, a, residual);
    for (uint32_t i = 0; i < work->nv; i++)
        largest = fmax(largest, fabs(residual[i]) * work->system->scale[i]);
    if (!(largest > BALANCED * energy)) return TN_OK;
    if (!work->settings->force) return refuse_acceleration(work, residual, largest / energy);
    tn_say(work->host, TN_WARNING,
           "the state is no equilibrium: %.2g of the forces in play accelerate the model; eigenvalues are "
           "those of "
           "this instant, and tell nothing about stability",
           largest / energy);
    return TN_OK;
}

/* Whether anything depends on a state. */
static bool is_felt(const eigen_work *work, uint32_t k)
{
    const uint32_t n = work->linear->states;
    bool felt = false;
    for (uint32_t i = 0; i < work->nv; i++)
        felt = felt || work->linear->force_by_state[(size_t)i * n + k] != 0.0;
    for (uint32_t l = 0; l < n; l++)
        felt = felt || work->linear->rate_by_state[(size_t)l * n + k] != 0.0;
    return felt;
}

/* A rate against the terms that it is made of. */
static double share_of_rate(const eigen_work *work, uint32_t k)
{
    const tn_system *system = work->system;
    const uint32_t n = work->linear->states;
    const double *by_motion = work->linear->rate_by_motion + (size_t)k * 2 * work->nv;
    double terms = 0.0;
    for (uint32_t i = 0; i < work->nv; i++)
        terms = fmax(
            terms, fmax(fabs(by_motion[i]) * system->scale[i], fabs(by_motion[work->nv + i] * system->v[i])));
    for (uint32_t l = 0; l < n; l++)
        terms = fmax(terms, fabs(work->linear->rate_by_state[(size_t)k * n + l] * system->x[l]));
    return terms > 0.0 ? fabs(system->x_rate[k]) / terms : system->x_rate[k] == 0.0 ? 0.0 : HUGE_VAL;
}

static tn_status check_states(eigen_work *work)
{
    tn_system *system = work->system;
    for (uint32_t k = 0; k < work->linear->states; k++) {
        if (system->state_held[k] || !is_felt(work, k) || !(share_of_rate(work, k) > BALANCED)) continue;
        uint32_t number = 0;
        char text[LETTERS];
        const char *name = work->linear->state_owner(system, k, &number);
        (void)tn_print_cut(
            text, sizeof text,
            "modes are asked for away from an equilibrium: state %u of `%s` changes by %.4g per second. "
            "`static` in front of `eigen` finds an equilibrium; `force = true` takes the state as it is",
            number + 1, name, system->x_rate[k]);
        if (!work->settings->force) return system->fail(system, TN_INVALID, NULL, text);
        tn_say(work->host, TN_WARNING,
               "the state is no equilibrium: state %u of `%s` changes by %.4g per second", number + 1, name,
               system->x_rate[k]);
        return TN_OK;
    }
    return TN_OK;
}

/* ---- steady motions ----------------------------------------------------------------------------------------- */

typedef struct copies {
    double *part[5];
} copies;

static void list_parts(const eigen_work *work, const tn_sparse *part[5])
{
    part[0] = &work->linear->mass;
    part[1] = &work->linear->damping;
    part[2] = &work->linear->stiffness;
    part[3] = &work->linear->rows;
    part[4] = &work->linear->row_slopes;
}

static bool copy_parts(const eigen_work *work, copies *to)
{
    const tn_sparse *part[5];
    list_parts(work, part);
    for (int k = 0; k < 5; k++) {
        const size_t count = (size_t)part[k]->column_start[part[k]->columns];
        to->part[k] = tn_eigen_numbers(work->host, count);
        if (!to->part[k]) return false;
        memcpy(to->part[k], part[k]->value, count * sizeof(double));
    }
    return true;
}

/* The largest change of a part, against its largest entry. */
static double change_of(const eigen_work *work, const copies *before)
{
    const tn_sparse *part[5];
    double worst = 0.0;
    list_parts(work, part);
    for (int k = 0; k < 5; k++) {
        double change = 0.0, largest = 0.0;
        for (int32_t e = 0; e < part[k]->column_start[part[k]->columns]; e++) {
            change = fmax(change, fabs(part[k]->value[e] - before->part[k][e]));
            largest = fmax(largest, fabs(before->part[k][e]));
        }
        if (change > 0.0) worst = fmax(worst, largest > 0.0 ? change / largest : 1.0);
    }
    return worst;
}

/* Where the motion has gone on a little the equations must be the same. */
static tn_status look_ahead(eigen_work *work, double *memory)
{
    tn_system *system = work->system;
    double *q = tn_eigen_numbers(work->host, system->nq), fastest = 0.0;
    copies before;
    if (!q || !copy_parts(work, &before)) return TN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < work->nv; i++)
        fastest = fmax(fastest, fabs(system->v[i]) / system->scale[i]);
    for (uint32_t i = 0; i < work->nv; i++)
        memory[i] = STEP_ALONG / fastest * system->v[i];
    memcpy(q, system->q, system->nq * sizeof *q);
    tn_status status = system->retract(system, q, memory, system->q);
    if (status == TN_OK) status = work->linear->find(system, TN_STILL_AXES);
    const double change = status == TN_OK ? change_of(work, &before) / STEP_ALONG : 0.0;
    memcpy(system->q, q, system->nq * sizeof *q);
    if (status == TN_OK || status == TN_RETRY) status = work->linear->find(system, TN_STILL_AXES);
    if (status == TN_OK && change > CHANGES)
        tn_say(work->host, TN_WARNING,
               "the linearised equations change along the motion (by %.2g, for a motion by a radian or the "
               "size of the "
               "model): eigenvalues are those of this instant, and tell nothing about stability",
               change);
    return status;
}

/* Says how the model moves. */
static tn_status look_at_motion(eigen_work *work, double *memory)
{
    if (tn_eigen_turns(work)) return tn_eigen_check_turning(work);
    tn_say(work->host, TN_NOTE,
           "the model moves: eigenvalues are those of the linearised motion about this one");
    return look_ahead(work, memory);
}

/* ---- the kind of equations ---------------------------------------------------------------------------------- */

static double size_of(const eigen_work *work, const tn_sparse *A, bool antisymmetric)
{
    const tn_sparse *M = &work->linear->mass;
    double largest = 0.0;
    for (uint32_t j = 0; j < A->columns; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            const uint32_t i = (uint32_t)A->row[e];
            double value = A->value[e];
            if (antisymmetric)
                for (int32_t f = A->column_start[i]; f < A->column_start[i + 1]; f++)
                    if ((uint32_t)A->row[f] == j) value -= A->value[f];
            const double masses = tn_eigen_diagonal(M, i) * tn_eigen_diagonal(M, j);
            largest = fmax(largest, masses > 0.0 ? fabs(value) / sqrt(masses) : fabs(value));
        }
    return largest;
}

static tn_status classify(eigen_work *work)
{
    const double stiffness = size_of(work, &work->linear->stiffness, false),
                 damping = size_of(work, &work->linear->damping, false);
    for (uint32_t r = 0; r < work->rows; r++)
        work->rolls = work->rolls || work->system->row_level[r] == TN_VELOCITY_ROW;
    work->fastest = fmax(sqrt(stiffness), damping);
    for (int c = 0; c < 3; c++)
        work->fastest = fmax(work->fastest, fabs(work->turning[c]));
    const tn_status status = tn_eigen_compare_reactions(work, &work->transposed);
    work->undamped = !work->settings->damped || damping <= NOTHING * sqrt(stiffness);
    work->symmetric = !work->moves && work->undamped && !work->nx && !work->rolls && work->transposed &&
                      size_of(work, &work->linear->stiffness, true) <= UNSYMMETRIC * stiffness &&
                      size_of(work, &work->linear->mass, true) <= UNSYMMETRIC;
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

static tn_status linearise(eigen_work *work)
{
    tn_system *system = work->system;
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    if (status != TN_OK) return system->fail(system, status, NULL, "modes are asked for at this state");
    status = work->linear->find(system, TN_STILL_AXES);
    warn_of_differences(work);
    if (status == TN_UNSUPPORTED)
        return system->fail(
            system, status, NULL,
            "modes need derivatives by first-order states, which are not known: see the warnings");
    if (status != TN_OK)
        return system->fail(system, status, NULL, "the equations are linearised at this state");
    return look_at_switches(work);
}

tn_status tn_eigen_begin(eigen_work *work)
{
    tn_system *system = work->system;
    double *v = tn_eigen_numbers(work->host, work->nv), *a = tn_eigen_numbers(work->host, work->nv),
           *memory = tn_eigen_numbers(work->host, (size_t)work->nv + work->rows);
    if (!v || !a || !memory) return TN_OUT_OF_MEMORY;
    tn_status status = linearise(work);
    if (status != TN_OK) return status;
    work->nx = work->settings->damped ? work->linear->states : 0;
    for (uint32_t i = 0; i < work->nv; i++)
        work->moves = work->moves || fabs(system->v[i]) > AT_REST * system->scale[i];
    if (work->moves && !work->settings->damped)
        return system->fail(
            system, TN_INVALID, NULL,
            "`damped = false` leaves out gyroscopic forces, but the model moves: its modes without them mean "
            "nothing");
    turn_to_still_axes(work, system->v, v);
    turn_to_still_axes(work, system->a, a);
    work->velocity = v;
    status = tn_eigen_fit_turning(work, v, a, memory);
    if (status == TN_OK) status = check_balance(work, a, memory);
    if (status == TN_OK) status = check_states(work);
    if (status == TN_OK && work->moves) status = look_at_motion(work, memory);
    if (status == TN_OK) status = classify(work);
    return status == TN_OK ? tn_eigen_take_axes(work) : status;
}

/* newton.c - Newton's method without a potential, and the last iterations of every search
 *
 * Steps are shortened until the simplified correction at their end, with the matrix of their start, is shorter than the correction
 * itself: a test that does not depend on how equations and unknowns are scaled (Deuflhard: Newton Methods for Nonlinear Problems,
 * 2004, section 3.3). */
#include "static.h"

#define NEAR 1e-3 /* increments, against the longest ones, from which on plain iterations end the search */
#define STANDSTILL 0.3  /* of the increment before: round-off, where increments are as small as */
#define TINY 1e-9       /* relative */
#define DIVERGENCE 10.0 /* of the first increment */
#define ROUND_OFF 1e-13 /* of forces in play */
#define SHORTEST 0x1p-12
#define LOOK_AGAIN 1e-5   /* increments, from which on motions that are free at the equilibrium are known */
#define LARGEST_REST 1e-8 /* of forces in play: more is no equilibrium, however short the increments */

enum { LAST_ITERATIONS = 25 };

/* Takes what a correction has along motions that nothing holds out of it: there it is round-off, over nothing. */
static tn_status hold_free(static_work *work, const static_modes *modes)
{
    for (uint32_t k = 0; k < modes->count && modes->free_count; k++) {
        if (!modes->is_free[k]) continue;
        const tn_status status = work->operators->mass_multiply(work->system, modes->vector[k], work->trial);
        if (status != TN_OK) return status;
        double part = 0.0;
        for (uint32_t i = 0; i < work->nv; i++)
            part += work->trial[i] * work->direction[i];
        for (uint32_t i = 0; i < work->nv; i++)
            work->direction[i] -= part * modes->vector[k][i];
    }
    return TN_OK;
}

static tn_status find_last_correction(static_work *work, const static_modes *modes)
{
    tn_status status = tn_static_evaluate(work);
    if (status == TN_OK) status = tn_static_matrix(work, modes->free_count ? work->least_shift : 0.0);
    if (status == TN_OK) status = tn_static_factor(work);
    if (status == TN_OK) status = tn_static_solve(work, work->residual, work->direction);
    return status == TN_OK ? hold_free(work, modes) : status;
}

tn_status tn_static_finish(static_work *work, bool *found)
{
    double first = 0.0, previous = HUGE_VAL;
    bool looked = false;
    static_modes *modes = &work->modes;
    *found = false;
    tn_static_keep(work, &work->kept);
    tn_status status = tn_static_find_modes(work, modes);
    for (int k = 0; k < LAST_ITERATIONS && status == TN_OK; k++) {
        if (!looked && previous <= LOOK_AGAIN) { // motions may be free at the equilibrium alone
            status = tn_static_find_modes(work, modes);
            looked = true;
        }
        if (status == TN_OK) status = find_last_correction(work, modes);
        if (status != TN_OK) break;
        const double size = tn_static_size(work, work->direction, work->system->scale);
        if (k == 0) first = size;
        if (!isfinite(size) || (size > TINY && size > DIVERGENCE * first && tn_static_rest(work) > ROUND_OFF))
            break;
        work->system->statistics->newton_iterations++;
        work->iterations++;
        const bool stands = previous <= TINY && size > STANDSTILL * previous;
        // forces at round-off are an equilibrium, also where so much is free that increments stay round-off over nothing
        const bool rests = (k > 4 || modes->free_count == STATIC_MODES) && tn_static_rest(work) <= ROUND_OFF;
        *found = size <= work->settings->tolerance || stands || rests;
        work->reached = size;
        if (!stands) {
            tn_static_keep(work, &work->trial_point);
            status = tn_static_apply(work, &work->trial_point, work->direction, 1.0);
        }
        previous = size;
        if (*found) break;
    }
    if (*found && status == TN_OK) status = tn_static_evaluate(work);
    if (*found && status == TN_OK && tn_static_rest(work) <= LARGEST_REST) return TN_OK;
    *found = false;
    tn_static_return(work, &work->kept);
    return status == TN_RETRY ? TN_OK : status;
}

/* The correction at the current state, with the smallest shift that makes the matrix regular. */
static tn_status find_correction(static_work *work, double *shift)
{
    for (*shift = work->least_shift; *shift <= work->stiffest; *shift *= 10.0) {
        tn_status status = tn_static_matrix(work, *shift);
        if (status == TN_OK) status = tn_static_factor(work);
        if (status == TN_OK) status = tn_static_solve(work, work->residual, work->direction);
        if (status != TN_RETRY) return status;
    }
    return TN_RETRY;
}

tn_status tn_static_iterate(static_work *work, int64_t most, bool *found)
{
    *found = false;
    for (int64_t k = 0; k < most; k++) {
        double shift = 0.0;
        tn_status status = tn_static_evaluate(work);
        if (status == TN_OK) status = find_correction(work, &shift);
        if (status != TN_OK) return status;
        work->system->statistics->newton_iterations++;
        work->iterations++;
        const double size = tn_static_size(work, work->direction, work->cap);
        if (!isfinite(size)) return TN_RETRY;
        if (size <= NEAR || tn_static_rest(work) <= ROUND_OFF) {
            status = tn_static_finish(work, found);
            if (status != TN_OK || *found) return status;
            status = tn_static_evaluate(work);
            if (status == TN_OK) status = find_correction(work, &shift);
            if (status != TN_OK) return status;
        }
        tn_static_keep(work, &work->trial_point);
        bool accepted = false;
        for (double share = fmin(1.0, 1.0 / fmax(size, 1e-300)); share >= SHORTEST && !accepted;
             share *= 0.5) {
            status = tn_static_apply(work, &work->trial_point, work->direction, share);
            if (status == TN_OK) status = tn_static_evaluate(work);
            if (status == TN_OK) status = tn_static_solve(work, work->residual, work->trial);
            if (status != TN_OK && status != TN_RETRY) return status;
            accepted = status == TN_OK &&
                       tn_static_size(work, work->trial, work->cap) <= (1.0 - 0.25 * share) * size;
        }
        if (!accepted) {
            tn_static_return(work, &work->trial_point);
            return TN_RETRY;
        }
    }
    return TN_RETRY;
}

tn_status tn_static_newton(static_work *work, int64_t most, bool *found)
{
    *found = false;
    if (work->states) return tn_static_iterate(work, most, found);
    work->potential = work->potential && (work->gravity || work->load == 1.0);
    tn_static_keep(work, &work->before);
    const uint64_t before = work->iterations;
    const tn_status status = tn_static_descend(work, most, found);
    if (*found || (status != TN_OK && status != TN_RETRY)) return status;
    // on its way down, and not at its end: other iterations would only find the next saddle
    const bool descends = work->potential || work->symmetry;
    if (descends && work->iterations - before >= (uint64_t)most) return status;
    tn_static_return(work, &work->before);
    return tn_static_iterate(work, most, found);
}

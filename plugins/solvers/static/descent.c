/* descent.c - Newton's method downhill: every iterate satisfies the constraints and has less energy than the one before, by the potential
 * of the model, or, where forces do work that it does not tell of but the tangent is symmetric, by their slope along the step
 *
 * Directions come of K + sigma M with the smallest sigma that makes the reduced tangent positive definite (counted by the inertia of
 * the bordered matrix where it is small enough, else by the slope and the length of the direction): then they descend, also where the
 * tangent is indefinite, and saddles repel. Near the equilibrium plain iterations end the search (newton.c). */
#include "static.h"

#define ARMIJO 1e-4   /* of the slope: what a step must gain */
#define OVERSHOOT 4.0 /* of the longest increments, up to which a direction is shortened, not turned */
#define PUSH_BACK 0.5 /* of the slope at the start */
#define NEAR 1e-3  /* increments, against the longest ones, from which on plain iterations end the search */
#define PROBE 1e-5 /* increment that the slope of the potential is measured by */
#define SLOPE_ERROR 1e-3  /* of it, relative */
#define ROUND_OFF 1e-12   /* of a potential, relative to energies in play */
#define FIRST_SHIFT 10.0  /* times the least one; then tenfold each time */
#define NO_REST 1e-13     /* of forces in play: round-off */
#define DEPARTURE 0.3     /* of the longest increments: away from a saddle */
#define STRETCH 8.0       /* of such a direction at the most */
#define LARGEST_SHIFT 1e8 /* of the stiffest motion */

enum {
    HALVINGS = 40,
    COUNTED = 500, /* unknowns, up to which eigenvalues are counted for each direction */
    DEPARTURES = 5 /* from saddles */
};

/* Multipliers that leave the smallest rest, by the masses; where there are none, those at hand do. */
static tn_status settle_multipliers(static_work *work)
{
    tn_system *system = work->system;
    tn_status status = tn_static_evaluate(work);
    if (status != TN_OK || !work->rows) return status;
    const tn_status answer = system->accelerate(system, work->trial);
    if (answer != TN_OK && answer != TN_RETRY) return answer;
    return tn_static_evaluate(work);
}

/* Onto the constraints, at rest. */
static tn_status close_rows(static_work *work)
{
    tn_system *system = work->system;
    memset(system->v, 0, system->nv * sizeof *system->v);
    const tn_status status = work->rows ? system->project(system) : TN_OK;
    return status == TN_OK ? tn_static_evaluate(work) : status;
}

static tn_status find_potential(static_work *work, double *potential)
{
    return work->statics->potential(work->system, potential);
}

static double slope_along(const static_work *work, const double *direction)
{
    double slope = 0.0;
    for (uint32_t i = 0; i < work->nv; i++)
        slope += work->residual[i] * direction[i];
    return slope;
}

/* The smallest shift whose direction descends. TN_RETRY: none. */
static tn_status find_direction(static_work *work, bool counts, double *size)
{
    const double least = work->least_shift;
    const bool known = work->shift > FIRST_SHIFT * least;
    double shift = known ? 0.25 * work->shift : 0.0;
    if (shift > 0.0 && shift < FIRST_SHIFT * least) shift = least;
    while (shift <= LARGEST_SHIFT * work->stiffest) {
        tn_status status = tn_static_matrix(work, shift);
        const int negative = status == TN_OK && counts ? tn_static_negative(work) : -1;
        if (status == TN_OK && negative > 0) status = TN_RETRY;
        if (status == TN_OK) status = tn_static_factor(work);
        if (status == TN_OK) status = tn_static_solve(work, work->residual, work->direction);
        if (status != TN_OK && status != TN_RETRY) return status;
        *size = status == TN_OK ? tn_static_size(work, work->direction, work->cap) : (double)NAN;
        const bool descends =
            status == TN_OK && (negative == 0 || slope_along(work, work->direction) > 0.0 || *size == 0.0);
        if (descends && *size <= OVERSHOOT) {
            work->shift = shift;
            return TN_OK;
        }
        shift = shift == 0.0                  ? least
                : shift < FIRST_SHIFT * least ? FIRST_SHIFT * least
                                              : (known ? 2.0 : 10.0) * shift;
    }
    return TN_RETRY;
}

/* Whether forces are the slope of the potential along the direction: what they are not does work of its own. */
static tn_status check_potential(static_work *work, double size, double potential)
{
    const double slope = slope_along(work, work->direction), step = PROBE / fmax(size, 1e-300);
    double ahead = 0.0, behind = 0.0;
    if (slope * step <= 1e3 * ROUND_OFF * (work->energy + fabs(potential))) return TN_OK;
    tn_static_keep(work, &work->trial_point);
    tn_status status = tn_static_apply(work, &work->trial_point, work->direction, step);
    if (status == TN_OK) status = tn_static_evaluate(work);
    if (status == TN_OK) status = find_potential(work, &ahead);
    if (status == TN_OK) status = tn_static_apply(work, &work->trial_point, work->direction, -step);
    if (status == TN_OK) status = tn_static_evaluate(work);
    if (status == TN_OK) status = find_potential(work, &behind);
    tn_static_return(work, &work->trial_point);
    const tn_status again = tn_static_evaluate(work);
    if (status == TN_RETRY) return again; // too near to the end of a domain
    const double found = (behind - ahead) / (2.0 * step),
                 round_off = ROUND_OFF * (work->energy + fabs(ahead)) / step;
    if (status == TN_OK && fabs(found - slope) > SLOPE_ERROR * fabs(slope) + round_off)
        work->potential = false;
    return status == TN_OK ? again : status;
}

/* The state at `share` of the direction, on the constraints, and what becomes of the energy there: the potential; or, where none tells,
 * how much the forces push back there, of what they pulled with at the start. */
static tn_status try_step(static_work *work, double share, double slope, double *value)
{
    tn_status status = tn_static_apply(work, &work->trial_point, work->direction, share);
    if (status == TN_OK) status = close_rows(work);
    if (status == TN_OK && work->potential) return find_potential(work, value);
    if (status == TN_OK) status = settle_multipliers(work);
    *value = -slope_along(work, work->direction) / slope;
    return status;
}

/* Enough less energy by the potential; else the forces push back at most half as much as they pulled. */
static bool is_good(const static_work *work, double share, double slope, double before, double value)
{
    const double round_off = ROUND_OFF * (work->energy + fabs(before));
    return work->potential ? value <= before - ARMIJO * share * slope + round_off : value <= PUSH_BACK;
}

/* A long step is taken half as far while that has still less energy. */
static tn_status shorten(static_work *work, double share, double slope, double value)
{
    double half = 0.0;
    while (work->potential && share > 1.0) {
        const tn_status status = try_step(work, 0.5 * share, slope, &half);
        if (status != TN_OK && status != TN_RETRY) return status;
        if (status == TN_RETRY || half >= value) return try_step(work, share, slope, &half);
        share *= 0.5;
        value = half;
    }
    return TN_OK;
}

/* A step along the direction that lowers the energy; TN_RETRY: none does. */
static tn_status search_line(static_work *work, double size, double before)
{
    const double slope = slope_along(work, work->direction);
    // where the tangent is indefinite the shift makes short steps
    const double longest = work->shift > work->least_shift ? STRETCH : 1.0;
    double share = fmin(longest, 1.0 / fmax(size, 1e-300)), value = 0.0;
    tn_static_keep(work, &work->trial_point);
    for (int k = 0; k < HALVINGS; k++) {
        const tn_status status = try_step(work, share, slope, &value);
        if (status == TN_OK && is_good(work, share, slope, before, value))
            return shorten(work, share, slope, value);
        if (status != TN_OK && status != TN_RETRY) return status;
        // without a potential towards where forces vanish
        const bool pushes = status == TN_OK && !work->potential;
        share *= pushes ? fmax(1.0 / (1.0 + value), 0.1) : 0.5;
        tn_static_return(work, &work->trial_point);
    }
    return TN_RETRY;
}

/* A saddle that the search has come upon is left again along the motion that is most unstable; `found` is false then. */
static tn_status leave_saddle(static_work *work, bool *found)
{
    const static_modes *modes = &work->modes;
    uint32_t worst = 0;
    for (uint32_t k = 1; k < modes->count; k++)
        if (modes->value[k] < modes->value[worst]) worst = k;
    if (!modes->negative) return TN_OK;
    if (modes->is_free[worst] ||
        !(modes->value[worst] < 0.0)) { // it is not among the vectors: back to where it was not reached yet
        *found = false;
        tn_static_return(work, &work->kept);
        return tn_static_evaluate(work);
    }
    memset(work->direction, 0, work->size * sizeof *work->direction);
    memcpy(work->direction, modes->vector[worst], work->nv * sizeof *work->direction);
    const double size = tn_static_size(work, work->direction, work->cap);
    tn_static_keep(work, &work->trial_point);
    tn_status status = tn_static_apply(work, &work->trial_point, work->direction, DEPARTURE / size);
    if (status == TN_OK) status = close_rows(work);
    *found = status != TN_OK;
    if (status == TN_RETRY) {
        tn_static_return(work, &work->trial_point);
        return tn_static_evaluate(work);
    }
    return status;
}

tn_status tn_static_descend(static_work *work, int64_t most, bool *found)
{
    double size = 0.0, potential = 0.0;
    int departures = 0;
    bool counts = work->nv + work->rows <= COUNTED;
    *found = false;
    const tn_status closed = close_rows(work);
    if (closed != TN_OK) return closed;
    for (int64_t k = 0; k < most; k++) {
        tn_status status = settle_multipliers(work);
        if (status == TN_OK && work->potential) status = find_potential(work, &potential);
        if (status == TN_OK) status = find_direction(work, counts, &size);
        if (status != TN_OK) return status;
        work->system->statistics->newton_iterations++;
        work->iterations++;
        if ((size <= NEAR && work->shift <= work->least_shift) || tn_static_rest(work) <= NO_REST) {
            status = tn_static_finish(work, found);
            if (status == TN_OK && *found && k > 0 && departures++ < DEPARTURES) {
                status = leave_saddle(work, found);
                counts = counts || work->modes.negative;
                if (status == TN_OK && !*found) continue;
            }
            if (status != TN_OK || *found) return status;
            status = settle_multipliers(work);
            if (status == TN_OK) status = find_direction(work, counts, &size);
            if (status != TN_OK) return status;
        }
        if (work->potential) status = check_potential(work, size, potential);
        if (status == TN_OK) status = search_line(work, size, potential);
        if (status != TN_OK) return status;
    }
    return TN_RETRY;
}

/* index.c - the index at which constraints are taken, and where index 3 ends
 *
 * At index 3 multipliers answer to positions, divided by beta h^2: round-off of positions shows in them at very short steps.
 * At infinite frequency that answer has a triple zero, which splits where bodies turn in a step: in body axes already at small
 * turns, in ground axes from about 1.2 rad on, and before that slender bodies that nutate gain energy with the fourth power of the
 * turn. */
#include "generalized_alpha.h"
#include "vectors.h"

#include <float.h>

#define SHARE_OF_ACCELERATIONS 1e-3 /* that round-off of positions may have in what reactions bring about */
#define LONGEST_TURN 1.05           /* rad per step */
#define TURN_WITHOUT_RADIUS \
    0.3 /* rad per step at spectral radius 0: a rod gains 1e-5 of its nutation in a step */

bool tn_alpha_damps_at_infinity(const alpha_instance *settings)
{
    const bool alpha = settings->scheme == SCHEME_GENERALIZED_ALPHA || settings->scheme == SCHEME_HHT;
    return alpha ? settings->spectral_radius < 1.0 : settings->coefficients.gamma > 0.5;
}

/* What round-off of the largest coordinate comes to in accelerations by steps of h, and the largest one there is, or 1 (m/s^2). */
static void measure(const alpha_work *work, double h, double *round_off, double *acceleration)
{
    const tn_system *system = work->system;
    double size = 0.0;
    *acceleration = 1.0;
    for (uint32_t i = 0; i < system->nq; i++)
        size = fmax(size, fabs(system->q[i]));
    for (uint32_t i = 0; i < system->nv; i++)
        *acceleration = fmax(*acceleration, fabs(system->a[i]));
    *round_off = DBL_EPSILON * size / (work->c.beta * h * h);
}

bool tn_alpha_resolves(const alpha_work *work, double h)
{
    double round_off = 0.0, acceleration = 1.0;
    if (work->index != 3 || !work->system->position_rows) return true;
    measure(work, h, &round_off, &acceleration);
    return round_off <= acceleration;
}

void tn_alpha_choose_index(alpha_work *work)
{
    const tn_system *system = work->system;
    const alpha_instance *settings = work->settings;
    double round_off = 0.0, acceleration = 1.0;
    if (system->position_rows && system->run->step > 0.0)
        measure(work, system->run->step, &round_off, &acceleration);
    const bool resolves = round_off <= SHARE_OF_ACCELERATIONS * acceleration;
    const bool suits = tn_alpha_damps_at_infinity(settings) && resolves && !system->run->adaptive;
    work->index = settings->index == 2 || (settings->index == 0 && !suits) ? 2 : 3;
    if (work->index == 3 && !resolves)
        tn_say(system->host, TN_WARNING,
               "at index 3 a step of %.3g s gives reactions an error of about %.2g N per kg, from the "
               "round-off of positions: use `index = 2`",
               system->run->step, round_off);

    // where multipliers answer to positions, bodies that spin need the same axes for all of them
    work->in_ground_axes = work->index == 3 && system->position_rows > 0 && !system->vector_space;
    const bool has_radius = settings->scheme == SCHEME_GENERALIZED_ALPHA || settings->scheme == SCHEME_HHT;
    const double radius = has_radius ? settings->spectral_radius : 0.0;
    work->longest_turn = fmin(LONGEST_TURN, TURN_WITHOUT_RADIUS / (1.0 - radius));
    tn_alpha_make_predictors(work);
}

/* No component is so large that a turn may be too long. */
static bool are_all_short(const alpha_work *work, double longest)
{
    const double *increment = work->increment;
    const size_t count = work->system->nv;
    double largest[ALPHA_LANES] = {0.0}, rest = 0.0;
    size_t i = 0;
    for (; i + ALPHA_LANES <= count; i += ALPHA_LANES)
        for (size_t k = 0; k < ALPHA_LANES; k++) {
            const double square = increment[i + k] * increment[i + k];
            largest[k] = square > largest[k] ? square : largest[k];
        }
    for (; i < count; i++)
        rest = increment[i] * increment[i] > rest ? increment[i] * increment[i] : rest;
    return 3.0 * alpha_largest_lane(largest, rest) <= longest;
}

void tn_alpha_watch_turns(alpha_work *work)
{
    tn_system *system = work->system;
    const double longest = work->longest_turn * work->longest_turn;
    double turn = 0.0;
    if (are_all_short(work, longest)) return;
    for (uint32_t i = 0; i < system->nv; i++) {
        turn = system->angular[i] ? turn + work->increment[i] * work->increment[i] : 0.0;
        if (!(turn > longest)) continue;
        char text[300];
        (void)snprintf(text, sizeof text,
                       "it turns by more than %.3g rad in a step of %.3g s: at index 3 with this spectral "
                       "radius a spinning body may then gain energy; use shorter steps, `index = 2` or, up "
                       "to 1 rad, a larger `spectral_radius`",
                       work->longest_turn, work->a_step);
        system->warn(system, i, text);
        work->longest_turn = HUGE_VAL;
        return;
    }
}

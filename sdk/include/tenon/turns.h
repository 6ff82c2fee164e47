/* tenon/turns.h - angles that count their turns; included by author.h.
 *
 * A measured angle is known but for whole turns. It stands next to where the rates lead from the last accepted state:
 *
 *   angle there + (rate there + rate now)/2 * time since
 *
 * While a rate only grows, or only falls, within a step, this is off by at most |rate now - rate there|/2 * time since. Turns
 * are counted rightly where it is off by less than half a turn; from a quarter of a turn on the user is warned. */
#ifndef TENON_TURNS_H
#define TENON_TURNS_H

#include <math.h>
#include <stdbool.h>

/* What an angle keeps of the last accepted state, in discrete data that begin as zeros: so the first angle is the one nearest
 * to 0. The turning is the square of the angular velocity of its two sides against each other. */
enum { TN_KEPT_ANGLE, TN_KEPT_RATE, TN_KEPT_TURNING, TN_KEPT_DOUBT, TN_KEPT_DOUBLES };
enum { TN_NO_DOUBT, TN_DOUBT, TN_DOUBT_TOLD };

#define TN_DOUBTFUL_TURNS                                                                                   \
    "its rate changes so much within a step that turns of its angle may be miscounted: it needs a shorter " \
    "step"

/* How far the expectation may be off. */
static inline double tn_angle_uncertainty(const double *kept, double since, double rate)
{
    return 0.5 * fabs((rate - kept[TN_KEPT_RATE]) * since);
}

static inline double tn_limited_rate(double rate, double turning)
{
    return rate * rate > turning ? copysign(sqrt(turning), rate) : rate;
}

/* Where the rates lead. Beyond half a turn they may be those of an axis that passes close to the one that it turns about: the
 * angle is much faster there than the bodies are, for an instant, which leads nowhere. */
static inline double tn_expected_angle(const double *kept, double since, double rate, double turning)
{
    const double half_turn = 3.14159265358979323846;
    double before = kept[TN_KEPT_RATE];
    if (tn_angle_uncertainty(kept, since, rate) > half_turn) {
        before = tn_limited_rate(before, kept[TN_KEPT_TURNING]);
        rate = tn_limited_rate(rate, turning);
    }
    return kept[TN_KEPT_ANGLE] + 0.5 * since * (before + rate);
}

/* A state was accepted where the angle, with its turns, is this. */
static inline void tn_keep_angle(double *kept, double since, double angle, double rate, double turning)
{
    const double quarter_turn = 1.57079632679489661923;
    const bool in_doubt =
        since != 0.0 && (tn_angle_uncertainty(kept, since, rate) > quarter_turn ||
                         fabs(angle - tn_expected_angle(kept, since, rate, turning)) > quarter_turn);
    if (in_doubt && kept[TN_KEPT_DOUBT] == (double)TN_NO_DOUBT) kept[TN_KEPT_DOUBT] = TN_DOUBT;
    kept[TN_KEPT_ANGLE] = angle;
    kept[TN_KEPT_RATE] = rate;
    kept[TN_KEPT_TURNING] = turning;
}

#endif

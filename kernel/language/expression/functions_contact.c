/* functions_contact.c - forces of stops (see functions.h).
 *
 *   IMPACT(x, v, x1, k, e, cmax, d)      pushes to larger x where x < x1
 *   BISTOP(x, v, x1, x2, k, e, cmax, d)  the same, and pushes to smaller x where x > x2
 *
 * At depth u the push is k u^e - c v, with v the speed outwards and c rising from 0 at u = 0 to cmax at u = d as STEP does;
 * it never pulls. */
#include "expression/jet.h"
#include "expression/ramps.h"

/* What a stop is made of, at the end of both argument lists. */
enum { STIFFNESS, EXPONENT, DAMPING, DEPTH, STOP_ARGUMENTS };

/* u**e; u > 0. */
static void power_of_depth(const tn_jet_space *space, const tn_jet *u, const tn_jet *e, tn_jet *result)
{
    const double value = pow(u->value, e->value), slope = value / u->value, exponent = e->value;
    bool varies = false; /* the exponent does, seldom */
    for (uint32_t k = 0; k < space->count; k++)
        varies = varies || e->first[k] != 0.0;
    const double logarithm = varies ? log(u->value) : 0.0;
    tn_jet_two(space, u, e,
               (tn_jet_rule){.value = value,
                             .a = exponent * slope,
                             .b = value * logarithm,
                             .aa = exponent * (exponent - 1.0) * slope / u->value,
                             .ab = slope * (1.0 + exponent * logarithm),
                             .bb = value * logarithm * logarithm},
               result);
}

/* The push at depth `u`, which becomes the result: zero instead of a pull. `rate` is the speed outwards. */
static void find_push(const tn_jet_space *space, const tn_jet *stop, tn_jet *u, const tn_jet *rate)
{
    tn_jet spring, damper;
    power_of_depth(space, u, &stop[EXPONENT], &spring);
    tn_jet_product(space, &stop[STIFFNESS], &spring, &spring);

    damper = stop[DAMPING];
    if (u->value < stop[DEPTH].value) {
        tn_jet_quotient(space, u, &stop[DEPTH], u);
        const tn_ramp ramp = tn_ramp_cubic(u->value);
        tn_jet_one(space, u, ramp.value, ramp.first, ramp.second, u);
        tn_jet_product(space, &damper, u, &damper);
    }
    tn_jet_product(space, &damper, rate, &damper);
    tn_jet_sum(space, 1.0, &spring, -1.0, &damper, u);
    if (!(u->value > 0.0)) tn_jet_sum(space, 0.0, stop, 0.0, stop, u);
}

enum { IMPACT_STOP = 3, IMPACT_ARGUMENTS = 7, BISTOP_STOP = 4, BISTOP_ARGUMENTS = 8 };

/* What is wrong with the arguments from k on. */
#define REFUSE_STOP(form, argument)                  \
    (argument)[0] < 0.0    ? form " needs k >= 0"    \
    : (argument)[1] <= 0.0 ? form " needs e > 0"     \
    : (argument)[2] < 0.0  ? form " needs cmax >= 0" \
    : (argument)[3] <= 0.0 ? form " needs d > 0"     \
                           : NULL

static const char *refuse_impact(const double *argument)
{
    return REFUSE_STOP("IMPACT(x, v, x1, k, e, cmax, d)", argument + IMPACT_STOP);
}

static const char *refuse_bistop(const double *argument)
{
    if (argument[2] >= argument[3]) return "BISTOP(x, v, x1, x2, k, e, cmax, d) needs x1 < x2";
    return REFUSE_STOP("BISTOP(x, v, x1, x2, k, e, cmax, d)", argument + BISTOP_STOP);
}

/* The force of a stop where it is touched; the upper one is the lower one seen in a mirror. */
static void touch_stop(const double *argument, uint32_t count, bool upper, tn_function_result *result)
{
    tn_jet jet[BISTOP_ARGUMENTS], force, rate;
    const tn_jet_space space = tn_jet_begin(argument, count, result, jet);
    const double side = upper ? -1.0 : 1.0;
    tn_jet_sum(&space, side, &jet[upper ? 3 : 2], -side, &jet[0], &force);
    if (upper) tn_jet_sum(&space, side, &jet[1], 0.0, &jet[1], &rate);
    find_push(&space, &jet[count - STOP_ARGUMENTS], &force, upper ? &rate : &jet[1]);
    if (upper) tn_jet_sum(&space, side, &force, 0.0, &force, &force);
    tn_jet_end(&space, &force, count, result);
}

TN_BODY(impact)
{
    const char *const problem = refuse_impact(argument);
    result->value = 0.0;
    if (!problem && argument[0] < argument[2]) touch_stop(argument, IMPACT_ARGUMENTS, false, result);
    return problem;
}

TN_BODY(bistop)
{
    const char *const problem = refuse_bistop(argument);
    const bool lower = argument[0] < argument[2];
    result->value = 0.0;
    if (!problem && (lower || argument[0] > argument[3]))
        touch_stop(argument, BISTOP_ARGUMENTS, !lower, result);
    return problem;
}

/* ---- side by side ------------------------------------------------------------------------------------------ */

/* The arguments of a stop from `stop` on, in one lane. Bits are those of find_push. */
static double push_of_lane(double u, double rate, const tn_lane_values *stop, uint32_t lane)
{
    const double depth = stop[DEPTH][lane], spring = stop[STIFFNESS][lane] * pow(u, stop[EXPONENT][lane]);
    double damper = stop[DAMPING][lane];
    if (u < depth) damper *= tn_ramp_cubic(u / depth).value;
    const double push = spring - damper * rate;
    return push > 0.0 ? push : 0.0 * stop[STIFFNESS][lane];
}

static bool are_stops(const tn_lane_values *stop, const tn_lanes *lanes)
{
    int64_t wrong = 0;
    TN_EACH_LANE wrong |= ((stop[STIFFNESS][lane] < 0.0) | (stop[EXPONENT][lane] <= 0.0) |
                           (stop[DAMPING][lane] < 0.0) | (stop[DEPTH][lane] <= 0.0)) &
                          tn_lane_goes_along(lanes, lane);
    return !wrong;
}

TN_LANES_BODY(impact_lanes)
{
    const tn_lane_values *stop = argument + IMPACT_STOP;
    if (!are_stops(stop, lanes)) return false;
    TN_EACH_LANE
    {
        const double u = argument[2][lane] - argument[0][lane];
        const bool touches = argument[0][lane] < argument[2][lane] && tn_lane_goes_along(lanes, lane);
        argument[0][lane] = touches ? push_of_lane(u, argument[1][lane], stop, lane) : 0.0;
    }
    return true;
}

/* As the sum of touch_stop. */
static double mirrored(double x) { return -x + 0.0 * x; }

TN_LANES_BODY(bistop_lanes)
{
    const tn_lane_values *stop = argument + BISTOP_STOP;
    int64_t wrong = 0;
    TN_EACH_LANE wrong |= (argument[2][lane] >= argument[3][lane]) & tn_lane_goes_along(lanes, lane);
    if (wrong || !are_stops(stop, lanes)) return false;
    TN_EACH_LANE
    {
        const double x = argument[0][lane], v = argument[1][lane], low = argument[2][lane],
                     high = argument[3][lane];
        double force = 0.0;
        if (tn_lane_goes_along(lanes, lane) && x < low)
            force = push_of_lane(low - x, v, stop, lane);
        else if (tn_lane_goes_along(lanes, lane) && x > high)
            force = mirrored(push_of_lane(x - high, mirrored(v), stop, lane));
        argument[0][lane] = force;
    }
    return true;
}

/* ---- switching functions ----------------------------------------------------------------------------------- */

/* Where the push would become a pull; NaN out of contact. The arguments are those from k on. */
static double find_pull(double u, double rate, const double *argument)
{
    if (!(u > 0.0)) return (double)NAN;
    const double ramp = u < argument[3] ? tn_ramp_cubic(u / argument[3]).value : 1.0;
    return argument[0] * pow(u, argument[1]) - argument[2] * ramp * rate;
}

static void impact_switches(const double *argument, double *value)
{
    const double u = argument[2] - argument[0];
    value[0] = u;
    value[1] = u - argument[6];
    value[2] = find_pull(u, argument[1], argument + IMPACT_STOP);
}

static void bistop_switches(const double *argument, double *value)
{
    const double low = argument[2] - argument[0], high = argument[0] - argument[3];
    value[0] = low;
    value[1] = low - argument[7];
    value[2] = high;
    value[3] = high - argument[7];
    value[4] = low > 0.0 ? find_pull(low, argument[1], argument + BISTOP_STOP)
                         : find_pull(high, -argument[1], argument + BISTOP_STOP);
}

const tn_function tn_contact_functions[] = {
    {"BISTOP", BISTOP_ARGUMENTS, BISTOP_ARGUMENTS, bistop, bistop_lanes, .smoothness = 0,
     .refuse = refuse_bistop, .switch_count = 5, .switches = bistop_switches,
     .compared = TN_ARGUMENT(0) | TN_ARGUMENT(2) | TN_ARGUMENT(3) | TN_ARGUMENT(BISTOP_ARGUMENTS - 1)},
    {"IMPACT", IMPACT_ARGUMENTS, IMPACT_ARGUMENTS, impact, impact_lanes, .smoothness = 0,
     .refuse = refuse_impact, .switch_count = 3, .switches = impact_switches,
     .compared = TN_ARGUMENT(0) | TN_ARGUMENT(2) | TN_ARGUMENT(IMPACT_ARGUMENTS - 1)},
    {.name = NULL},
};

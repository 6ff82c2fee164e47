/* functions_step.c - transitions between two constants (see functions.h):
 *
 *   y0 for x <= x0,  y0 + (y1 - y0) s(t) with t = (x - x0)/(x1 - x0),  y1 for x >= x1 */
#include "expression/functions.h"
#include "expression/ramps.h"

enum { X, X0, Y0, X1, Y1, ARGUMENTS };

/* Second derivatives, from those of t = (x - x0)/(x1 - x0). */
static void fill_second(double height, double width, double t, const tn_ramp *ramp,
                        double (*second)[ARGUMENTS])
{
    static const int place[] = {X, X0, X1};
    const double slope[] = {1.0 / width, (t - 1.0) / width, -t / width};
    const double curvature[3][3] = {
        {0.0, 1.0, -1.0}, {1.0, 2.0 * t - 2.0, 1.0 - 2.0 * t}, {-1.0, 1.0 - 2.0 * t, 2.0 * t}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            second[place[i]][place[j]] = height * (ramp->second * slope[i] * slope[j] +
                                                   ramp->first * curvature[i][j] / (width * width));
        second[place[i]][Y0] = second[Y0][place[i]] = -ramp->first * slope[i];
        second[place[i]][Y1] = second[Y1][place[i]] = ramp->first * slope[i];
    }
}

/* Inlined: the ramp is known to the compiler. */
static inline const char *ramp_transition(const double *argument, tn_function_result *result,
                                          tn_ramp (*ramp_at)(double t), const char *problem)
{
    const double x = argument[X], width = argument[X1] - argument[X0], height = argument[Y1] - argument[Y0];
    if (!(width > 0.0)) return problem;
    if (x <= argument[X0]) return tn_choose_argument(argument, Y0, result);
    if (x >= argument[X1]) return tn_choose_argument(argument, Y1, result);

    const double t = (x - argument[X0]) / width;
    const tn_ramp ramp = ramp_at(t);
    result->value = argument[Y0] + height * ramp.value;
    if (!result->partial) return NULL;
    const double slope = height * ramp.first / width;
    result->partial[X] = slope;
    result->partial[X0] = slope * (t - 1.0);
    result->partial[X1] = -slope * t;
    result->partial[Y0] = 1.0 - ramp.value;
    result->partial[Y1] = ramp.value;
    if (result->second) fill_second(height, width, t, &ramp, (double(*)[ARGUMENTS])(void *)result->second);
    return NULL;
}

static inline bool ramp_lanes(tn_lane_values *argument, const tn_lanes *lanes, tn_ramp (*ramp_at)(double t))
{
    int64_t wrong = 0;
    TN_EACH_LANE
    {
        const double x = argument[X][lane], x0 = argument[X0][lane], x1 = argument[X1][lane],
                     y0 = argument[Y0][lane], y1 = argument[Y1][lane], width = x1 - x0;
        const double between = y0 + (y1 - y0) * ramp_at((x - x0) / width).value;
        wrong |= !(width > 0.0) & tn_lane_goes_along(lanes, lane);
        argument[X][lane] = x <= x0 ? y0 : x >= x1 ? y1 : between;
    }
    return !wrong;
}

#define TRANSITION(name, ramp, text)                                                  \
    static const char name##_problem[] = text;                                        \
    TN_BODY(name) { return ramp_transition(argument, result, ramp, name##_problem); } \
    static const char *refuse_##name(const double *argument)                          \
    {                                                                                 \
        return argument[X0] >= argument[X1] ? name##_problem : NULL;                  \
    }

TRANSITION(step, tn_ramp_cubic, "STEP(x, x0, y0, x1, y1) needs x0 < x1")
TN_LANES_BODY(step_lanes) { return ramp_lanes(argument, lanes, tn_ramp_cubic); }
TRANSITION(step5, tn_ramp_quintic, "STEP5(x, x0, y0, x1, y1) needs x0 < x1")
TN_LANES_BODY(step5_lanes) { return ramp_lanes(argument, lanes, tn_ramp_quintic); }
TRANSITION(havsin, tn_ramp_sine, "HAVSIN(x, x0, y0, x1, y1) needs x0 < x1")

static void at_ends(const double *argument, double *value)
{
    value[0] = argument[X] - argument[X0];
    value[1] = argument[X] - argument[X1];
}

#define ENDS                                                                                                \
    .switch_count = 2, .switches = at_ends, .compared = TN_ARGUMENT(X) | TN_ARGUMENT(X0) | TN_ARGUMENT(X1), \
    .summed = TN_ARGUMENT(Y0) | TN_ARGUMENT(Y1)

const tn_function tn_step_functions[] = {
    {"HAVSIN", ARGUMENTS, ARGUMENTS, havsin, .smoothness = 1, .refuse = refuse_havsin, ENDS},
    {"STEP", ARGUMENTS, ARGUMENTS, step, step_lanes, .smoothness = 1, .refuse = refuse_step, ENDS},
    {"STEP5", ARGUMENTS, ARGUMENTS, step5, step5_lanes, .smoothness = 2, .refuse = refuse_step5, ENDS},
    {.name = NULL},
};

/* functions_elementary.c - trigonometry, roots, exponentials and logarithms (see functions.h). */
#include "expression/functions.h"

#include <math.h>

/* A function of one variable that is defined everywhere: y, y' and y'' as formulas in x and y. */
#define EVERYWHERE(name, formula, derivative, curvature)      \
    TN_BODY(name)                                             \
    {                                                         \
        const double x = argument[0], y = (formula);          \
        result->value = y;                                    \
        if (result->partial) *result->partial = (derivative); \
        if (result->second) *result->second = (curvature);    \
        return NULL;                                          \
    }

static double square_of(double x) { return x * x; }

EVERYWHERE(arc_tangent, atan(x), 1.0 / (1.0 + x * x), -2.0 * x / square_of(1.0 + x * x))
EVERYWHERE(cosine, cos(x), -sin(x), -y)
EVERYWHERE(sine, sin(x), cos(x), -y)
EVERYWHERE(tangent, tan(x), 1.0 + y * y, 2.0 * y * (1.0 + y * y))
EVERYWHERE(hyperbolic_cosine, cosh(x), sinh(x), y)
EVERYWHERE(hyperbolic_sine, sinh(x), cosh(x), y)
EVERYWHERE(hyperbolic_tangent, tanh(x), 1.0 / square_of(cosh(x)), -2.0 * y / square_of(cosh(x)))
EVERYWHERE(exponential, exp(x), y, y)

/* ASIN, whose slope is positive (`sign` 1), or ACOS (-1). */
static const char *arc_function(double x, double (*function)(double), double sign, const char *beyond,
                                const char *end, tn_function_result *result)
{
    const double rest = (1.0 - x) * (1.0 + x);
    if (fabs(x) > 1.0) return beyond;
    result->value = function(x);
    if (!result->partial) return NULL;
    if (fabs(x) == 1.0) return end;
    result->partial[0] = sign / sqrt(rest);
    if (result->second) result->second[0] = sign * x / (rest * sqrt(rest));
    return NULL;
}

TN_BODY(arc_sine)
{
    return arc_function(argument[0], asin, 1.0, "ASIN of a number beyond 1", "derivative of ASIN at 1",
                        result);
}

TN_BODY(arc_cosine)
{
    return arc_function(argument[0], acos, -1.0, "ACOS of a number beyond 1", "derivative of ACOS at 1",
                        result);
}

TN_BODY(arc_tangent_2)
{
    const double y = argument[0], x = argument[1];
    if (x == 0.0 && y == 0.0) return "ATAN2 of two zeros";
    /* Adding +0 turns a negative zero into a positive one: the result is then pi, never -pi. */
    result->value = atan2(y + 0.0, x);
    if (!result->partial) return NULL;
    /* Divided twice by the radius: its square may overflow or vanish. */
    const double radius = hypot(x, y), sine = y / radius, cosine = x / radius;
    result->partial[0] = cosine / radius;
    result->partial[1] = -sine / radius;
    if (!result->second) return NULL;
    result->second[0] = -2.0 * sine * cosine / radius / radius;
    result->second[1] = result->second[2] = (sine * sine - cosine * cosine) / radius / radius;
    result->second[3] = -result->second[0];
    return NULL;
}

TN_BODY(square_root)
{
    if (argument[0] < 0.0) return "SQRT of a negative number";
    result->value = sqrt(argument[0]);
    if (!result->partial) return NULL;
    if (argument[0] == 0.0) return "derivative of SQRT at zero";
    result->partial[0] = 0.5 / result->value;
    if (result->second) result->second[0] = -0.5 * result->partial[0] / argument[0];
    return NULL;
}

TN_LANES_BODY(square_root_lanes)
{
    int64_t negative = 0;
    TN_EACH_LANE negative |= (argument[0][lane] < 0.0) & tn_lane_goes_along(lanes, lane);
    TN_EACH_LANE argument[0][lane] = sqrt(argument[0][lane]);
    return !negative;
}

TN_BODY(natural_logarithm)
{
    if (argument[0] <= 0.0) return "LOG of zero or a negative number";
    result->value = log(argument[0]);
    if (result->partial) result->partial[0] = 1.0 / argument[0];
    if (result->second) result->second[0] = -1.0 / square_of(argument[0]);
    return NULL;
}

TN_BODY(decimal_logarithm)
{
    if (argument[0] <= 0.0) return "LOG10 of zero or a negative number";
    result->value = log10(argument[0]);
    if (result->partial) result->partial[0] = 1.0 / (M_LN10 * argument[0]);
    if (result->second) result->second[0] = -1.0 / (M_LN10 * square_of(argument[0]));
    return NULL;
}

const tn_function tn_elementary_functions[] = {
    {"ACOS", 1, 1, arc_cosine, .smoothness = TN_SMOOTH, .unit = TN_VALUE_ANGLE},
    {"ASIN", 1, 1, arc_sine, .smoothness = TN_SMOOTH, .unit = TN_VALUE_ANGLE},
    {"ATAN", 1, 1, arc_tangent, .smoothness = TN_SMOOTH, .unit = TN_VALUE_ANGLE},
    {"ATAN2", 2, 2, arc_tangent_2, .smoothness = TN_SMOOTH, .compared = TN_ARGUMENT(0) | TN_ARGUMENT(1),
     .unit = TN_VALUE_ANGLE},
    {"COS", 1, 1, cosine, .smoothness = TN_SMOOTH, .unit = TN_VALUE_NUMBER},
    {"COSH", 1, 1, hyperbolic_cosine, .smoothness = TN_SMOOTH, .unit = TN_VALUE_NUMBER},
    {"EXP", 1, 1, exponential, .smoothness = TN_SMOOTH, .unit = TN_VALUE_NUMBER},
    {"LOG", 1, 1, natural_logarithm, .smoothness = TN_SMOOTH, .unit = TN_VALUE_NUMBER},
    {"LOG10", 1, 1, decimal_logarithm, .smoothness = TN_SMOOTH, .unit = TN_VALUE_NUMBER},
    {"SIN", 1, 1, sine, .smoothness = TN_SMOOTH, .unit = TN_VALUE_NUMBER},
    {"SINH", 1, 1, hyperbolic_sine, .smoothness = TN_SMOOTH, .unit = TN_VALUE_NUMBER},
    {"SQRT", 1, 1, square_root, square_root_lanes, .smoothness = TN_SMOOTH, .unit = TN_VALUE_ROOT},
    {"TAN", 1, 1, tangent, .smoothness = TN_SMOOTH, .unit = TN_VALUE_NUMBER},
    {"TANH", 1, 1, hyperbolic_tangent, .smoothness = TN_SMOOTH, .unit = TN_VALUE_NUMBER},
    {.name = NULL},
};

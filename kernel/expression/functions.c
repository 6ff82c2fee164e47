/* functions.c - values and partial derivatives of all functions (see functions.h).
 *
 * At kinks the derivative follows one rule: where two branches are equal, that of the first argument counts
 * (MAX, MIN, DIM as MAX(a-b, 0)); ABS has derivative 0 at 0. */
#include "expression/functions.h"

#include "base/text.h"

#include <math.h>
#include <strings.h>

#define BODY(name) static const char *name(const double *argument, uint32_t count, tn_function_result *result)

/* A function of one variable that is defined everywhere: value y and derivative as formulas in x and y. */
#define EVERYWHERE(name, formula, derivative)                   \
    BODY(name)                                                  \
    {                                                           \
        (void)count;                                            \
        const double x = argument[0], y = (formula);            \
        result->value = y;                                      \
        if (result->partial) result->partial[0] = (derivative); \
        return NULL;                                            \
    }

static double sign_of(double x) { return (double)((x > 0.0) - (x < 0.0)); }

EVERYWHERE(absolute, fabs(x), sign_of(x))
EVERYWHERE(arc_tangent, atan(x), 1.0 / (1.0 + x * x))
EVERYWHERE(truncate, trunc(x), 0.0)
EVERYWHERE(nearest_integer, round(x), 0.0)
EVERYWHERE(ceiling, ceil(x), 0.0)
EVERYWHERE(floor_of, floor(x), 0.0)
EVERYWHERE(cosine, cos(x), -sin(x))
EVERYWHERE(sine, sin(x), cos(x))
EVERYWHERE(tangent, tan(x), 1.0 + y * y)
EVERYWHERE(hyperbolic_cosine, cosh(x), sinh(x))
EVERYWHERE(hyperbolic_sine, sinh(x), cosh(x))
EVERYWHERE(hyperbolic_tangent, tanh(x), 1.0 / (cosh(x) * cosh(x)))
EVERYWHERE(exponential, exp(x), y)
EVERYWHERE(truth, x != 0.0 ? 1.0 : 0.0, 0.0)
EVERYWHERE(negation, x == 0.0 ? 1.0 : 0.0, 0.0)

BODY(arc_sine)
{
    (void)count;
    const double x = argument[0];
    if (fabs(x) > 1.0) return "ASIN of a number beyond 1";
    result->value = asin(x);
    if (!result->partial) return NULL;
    if (fabs(x) == 1.0) return "derivative of ASIN at 1";
    result->partial[0] = 1.0 / sqrt((1.0 - x) * (1.0 + x));
    return NULL;
}

BODY(arc_cosine)
{
    (void)count;
    const double x = argument[0];
    if (fabs(x) > 1.0) return "ACOS of a number beyond 1";
    result->value = acos(x);
    if (!result->partial) return NULL;
    if (fabs(x) == 1.0) return "derivative of ACOS at 1";
    result->partial[0] = -1.0 / sqrt((1.0 - x) * (1.0 + x));
    return NULL;
}

BODY(arc_tangent_2)
{
    (void)count;
    const double y = argument[0], x = argument[1];
    if (x == 0.0 && y == 0.0) return "ATAN2 of two zeros";
    /* Adding +0 turns a negative zero into a positive one: the result is then pi, never -pi. */
    result->value = atan2(y + 0.0, x);
    if (!result->partial) return NULL;
    /* Divided twice by the radius: its square may overflow or vanish. */
    const double radius = hypot(x, y);
    result->partial[0] = x / radius / radius;
    result->partial[1] = -y / radius / radius;
    return NULL;
}

BODY(square_root)
{
    (void)count;
    if (argument[0] < 0.0) return "SQRT of a negative number";
    result->value = sqrt(argument[0]);
    if (!result->partial) return NULL;
    if (argument[0] == 0.0) return "derivative of SQRT at zero";
    result->partial[0] = 0.5 / result->value;
    return NULL;
}

BODY(natural_logarithm)
{
    (void)count;
    if (argument[0] <= 0.0) return "LOG of zero or a negative number";
    result->value = log(argument[0]);
    if (result->partial) result->partial[0] = 1.0 / argument[0];
    return NULL;
}

BODY(decimal_logarithm)
{
    (void)count;
    if (argument[0] <= 0.0) return "LOG10 of zero or a negative number";
    result->value = log10(argument[0]);
    if (result->partial) result->partial[0] = 1.0 / (M_LN10 * argument[0]);
    return NULL;
}

BODY(positive_difference)
{
    (void)count;
    const bool positive = argument[0] >= argument[1];
    result->value = positive ? argument[0] - argument[1] : 0.0;
    if (!result->partial) return NULL;
    result->partial[0] = positive ? 1.0 : 0.0;
    result->partial[1] = positive ? -1.0 : 0.0;
    return NULL;
}

/* MAX and MIN hand over argument number `chosen`. */
static const char *choose(const double *argument, uint32_t count, uint32_t chosen, tn_function_result *result)
{
    result->value = argument[chosen];
    if (!result->partial) return NULL;
    for (uint32_t i = 0; i < count; i++)
        result->partial[i] = i == chosen ? 1.0 : 0.0;
    return NULL;
}

BODY(maximum)
{
    uint32_t chosen = 0;
    for (uint32_t i = 1; i < count; i++)
        if (argument[i] > argument[chosen]) chosen = i;
    return choose(argument, count, chosen, result);
}

BODY(minimum)
{
    uint32_t chosen = 0;
    for (uint32_t i = 1; i < count; i++)
        if (argument[i] < argument[chosen]) chosen = i;
    return choose(argument, count, chosen, result);
}

BODY(remainder_of)
{
    (void)count;
    const double a = argument[0], b = argument[1];
    if (b == 0.0) return "MOD by zero";
    result->value = fmod(a, b);
    if (!result->partial) return NULL;
    result->partial[0] = 1.0;
    result->partial[1] = -round((a - result->value) / b);
    return NULL;
}

BODY(transfer_of_sign)
{
    (void)count;
    const double sign = argument[1] >= 0.0 ? 1.0 : -1.0;
    result->value = sign * fabs(argument[0]);
    if (!result->partial) return NULL;
    result->partial[0] = sign * sign_of(argument[0]);
    result->partial[1] = 0.0;
    return NULL;
}

/* Partial derivatives of base**exponent. With respect to the exponent there is none at a negative base, nor
 * at 0**0; with a constant exponent nobody asks. */
static const char *power_partials(double base, double exponent, tn_function_result *result)
{
    if (base != 0.0) {
        result->partial[0] = exponent * result->value / base;
        result->partial[1] = base > 0.0 ? result->value * log(base) : (double)NAN;
        return NULL;
    }
    if (exponent > 0.0 && exponent < 1.0) return "derivative of a power at zero";
    result->partial[0] = exponent == 1.0 ? 1.0 : 0.0;
    result->partial[1] = exponent > 0.0 ? 0.0 : (double)NAN;
    return NULL;
}

BODY(power)
{
    (void)count;
    const double base = argument[0], exponent = argument[1];
    if (base < 0.0 && exponent != rint(exponent))
        return "power of a negative number with a fractional exponent";
    if (base == 0.0 && exponent < 0.0) return "zero to a negative power";
    result->value = pow(base, exponent);
    return result->partial ? power_partials(base, exponent, result) : NULL;
}

#define COMPARISON(name, operator)                                          \
    BODY(name)                                                              \
    {                                                                       \
        (void)count;                                                        \
        result->value = argument[0] operator argument[1] ? 1.0 : 0.0;       \
        if (result->partial) result->partial[0] = result->partial[1] = 0.0; \
        return NULL;                                                        \
    }

COMPARISON(less, <)
COMPARISON(less_equal, <=)
COMPARISON(greater, >)
COMPARISON(greater_equal, >=)
COMPARISON(equal, ==)
COMPARISON(not_equal, !=)

const tn_function tn_operator_power = {"**", 2, 2, power};
const tn_function tn_operator_not = {"not", 1, 1, negation};
const tn_function tn_operator_truth = {"truth", 1, 1, truth};
const tn_function tn_comparisons[6] = {
    {"<", 2, 2, less},           {"<=", 2, 2, less_equal}, {">", 2, 2, greater},
    {">=", 2, 2, greater_equal}, {"==", 2, 2, equal},      {"!=", 2, 2, not_equal},
};

static const tn_function functions[] = {
    {"ABS", 1, 1, absolute},
    {"ACOS", 1, 1, arc_cosine},
    {"AINT", 1, 1, truncate},
    {"ANINT", 1, 1, nearest_integer},
    {"ASIN", 1, 1, arc_sine},
    {"ATAN", 1, 1, arc_tangent},
    {"ATAN2", 2, 2, arc_tangent_2},
    {"CEIL", 1, 1, ceiling},
    {"COS", 1, 1, cosine},
    {"COSH", 1, 1, hyperbolic_cosine},
    {"DIM", 2, 2, positive_difference},
    {"EXP", 1, 1, exponential},
    {"FLOOR", 1, 1, floor_of},
    {"LOG", 1, 1, natural_logarithm},
    {"LOG10", 1, 1, decimal_logarithm},
    {"MAX", 2, TN_ANY_COUNT, maximum},
    {"MIN", 2, TN_ANY_COUNT, minimum},
    {"MOD", 2, 2, remainder_of},
    {"SIGN", 2, 2, transfer_of_sign},
    {"SIN", 1, 1, sine},
    {"SINH", 1, 1, hyperbolic_sine},
    {"SQRT", 1, 1, square_root},
    {"TAN", 1, 1, tangent},
    {"TANH", 1, 1, hyperbolic_tangent},
};

static const struct {
    const char *name;
    double value;
} constants[] = {{"PI", M_PI}, {"DTOR", M_PI / 180.0}, {"RTOD", 180.0 / M_PI}};

const tn_function *tn_function_find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcasecmp(functions[i].name, name) == 0) return &functions[i];
    return NULL;
}

const char *tn_function_nearest(const char *name)
{
    tn_nearest search;
    tn_nearest_start(&search, name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        tn_nearest_offer(&search, functions[i].name);
    return search.best;
}

bool tn_constant_find(const char *name, double *value)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (strcasecmp(constants[i].name, name) != 0) continue;
        *value = constants[i].value;
        return true;
    }
    return false;
}

const char *tn_constant_name(size_t index)
{
    return index < sizeof constants / sizeof *constants ? constants[index].name : NULL;
}

/* functions_operator.c - powers, comparisons and logic (see functions.h). */
#include "expression/functions.h"

#include <math.h>

static bool argument_varies(const tn_function_result *result, uint32_t argument)
{
    return result->varying >> argument & 1;
}

/* Derivatives of 0**exponent. */
static const char *power_at_zero(double exponent, tn_function_result *result)
{
    if (exponent > 0.0 && exponent < 1.0) return "derivative of a power at zero";
    result->partial[0] = exponent == 1.0 ? 1.0 : 0.0;
    result->partial[1] = exponent > 0.0 ? 0.0 : (double)NAN;
    if (!result->second) return NULL;
    if (exponent > 1.0 && exponent < 2.0 && argument_varies(result, 0))
        return "second derivative of a power at zero";
    result->second[0] = exponent == 2.0 ? 2.0 : 0.0;
    result->second[1] = result->second[2] = exponent > 1.0 ? 0.0 : (double)NAN;
    result->second[3] = result->partial[1];
    return NULL;
}

/* With respect to the exponent there is no derivative at a negative base. */
static const char *power_derivatives(double base, double exponent, tn_function_result *result)
{
    if (base == 0.0) return power_at_zero(exponent, result);
    const double value = result->value;
    const double logarithm = !argument_varies(result, 1) ? 0.0 : base > 0.0 ? log(base) : (double)NAN;
    result->partial[0] = exponent * value / base;
    result->partial[1] = value * logarithm;
    if (!result->second) return NULL;
    result->second[0] = (exponent - 1.0) * result->partial[0] / base;
    result->second[1] = result->second[2] = value / base * (1.0 + exponent * logarithm);
    result->second[3] = result->partial[1] * logarithm;
    return NULL;
}

TN_BODY(power)
{
    const double base = argument[0], exponent = argument[1];
    if (base < 0.0 && exponent != rint(exponent))
        return "power of a negative number with a fractional exponent";
    if (base == 0.0 && exponent < 0.0) return "zero to a negative power";
    result->value = pow(base, exponent);
    return result->partial ? power_derivatives(base, exponent, result) : NULL;
}

TN_BODY(truth)
{
    result->value = argument[0] != 0.0 ? 1.0 : 0.0;
    return NULL;
}

TN_LANES_OF_ONE(truth_lanes, a != 0.0 ? 1.0 : 0.0)

TN_BODY(negation)
{
    result->value = 1.0 - argument[0];
    if (result->partial) result->partial[0] = -1.0;
    return NULL;
}

TN_LANES_OF_ONE(negation_lanes, 1.0 - a)

#define COMPARISON(name, operator)                                    \
    TN_BODY(name)                                                     \
    {                                                                 \
        result->value = argument[0] operator argument[1] ? 1.0 : 0.0; \
        return NULL;                                                  \
    }                                                                 \
    TN_LANES_OF_TWO(name##_lanes, a operator b ? 1.0 : 0.0)

COMPARISON(less, <)
COMPARISON(less_equal, <=)
COMPARISON(greater, >)
COMPARISON(greater_equal, >=)
COMPARISON(equal, ==)
COMPARISON(not_equal, !=)

const tn_function tn_operator_power = {"**", 2, 2, power, .smoothness = TN_SMOOTH};
const tn_function tn_operator_not = {"not",
                                     1,
                                     1,
                                     negation,
                                     negation_lanes,
                                     .smoothness = TN_SMOOTH,
                                     .unit = TN_VALUE_NUMBER,
                                     .nature = TN_LOGICAL};
const tn_function tn_operator_truth = {"and, or, not",
                                       1,
                                       1,
                                       truth,
                                       truth_lanes,
                                       .smoothness = TN_JUMPS,
                                       .switch_count = 1,
                                       .switches = tn_switch_at_zero,
                                       .unit = TN_VALUE_NUMBER,
                                       .nature = TN_LOGICAL};
#define TRUTH_OF(name, body)                                                                           \
    {                                                                                                  \
        name, 2, 2, body, body##_lanes,                                                                \
            .smoothness = TN_JUMPS, .switch_count = 1, .switches = tn_switch_where_equal,              \
            .compared = TN_ARGUMENT(0) | TN_ARGUMENT(1), .unit = TN_VALUE_NUMBER, .nature = TN_LOGICAL \
    }
const tn_function tn_comparisons[6] = {TRUTH_OF("<", less),    TRUTH_OF("<=", less_equal),
                                       TRUTH_OF(">", greater), TRUTH_OF(">=", greater_equal),
                                       TRUTH_OF("==", equal),  TRUTH_OF("!=", not_equal)};

int tn_comparison_direction(const tn_function *function)
{
    static const int direction[] = {-1, -1, 1, 1, 0, 0};
    for (size_t k = 0; k < sizeof direction / sizeof *direction; k++)
        if (function == &tn_comparisons[k]) return direction[k];
    return 0;
}

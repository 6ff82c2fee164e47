/* functions_choice.c - functions with kinks and jumps (see functions.h). No second derivative is left of them.
 *
 * At kinks the derivative follows one rule: where two branches are equal, that of the first argument counts
 * (MAX, MIN, DIM as MAX(a-b, 0)); ABS has derivative 0 at 0. */
#include "expression/functions.h"

#include <math.h>

/* Steps between constants. */
#define LEVELS(name, formula)         \
    TN_BODY(name)                     \
    {                                 \
        const double a = argument[0]; \
        result->value = (formula);    \
        return NULL;                  \
    }                                 \
    TN_LANES_OF_ONE(name##_lanes, formula)

LEVELS(truncate, trunc(a))
LEVELS(nearest_integer, round(a))
LEVELS(ceiling, ceil(a))
LEVELS(floor_of, floor(a))

TN_BODY(absolute)
{
    result->value = fabs(argument[0]);
    if (result->partial) result->partial[0] = tn_sign_of(argument[0]);
    return NULL;
}

TN_LANES_OF_ONE(absolute_lanes, fabs(a))

TN_BODY(positive_difference)
{
    const bool positive = argument[0] >= argument[1];
    result->value = positive ? argument[0] - argument[1] : 0.0;
    if (!result->partial || !positive) return NULL;
    result->partial[0] = 1.0;
    result->partial[1] = -1.0;
    return NULL;
}

TN_LANES_OF_TWO(positive_difference_lanes, a >= b ? a - b : 0.0)

const char *tn_choose_argument(const double *argument, uint32_t chosen, tn_function_result *result)
{
    result->value = argument[chosen];
    if (result->partial) result->partial[chosen] = 1.0;
    return NULL;
}

TN_BODY(maximum) { return tn_choose_argument(argument, argument[1] > argument[0] ? 1 : 0, result); }

TN_BODY(minimum) { return tn_choose_argument(argument, argument[1] < argument[0] ? 1 : 0, result); }

TN_LANES_OF_TWO(maximum_lanes, b > a ? b : a)

TN_LANES_OF_TWO(minimum_lanes, b < a ? b : a)

TN_BODY(remainder_of)
{
    const double a = argument[0], b = argument[1];
    if (b == 0.0) return "MOD by zero";
    result->value = fmod(a, b);
    if (!result->partial) return NULL;
    result->partial[0] = 1.0;
    result->partial[1] = -round((a - result->value) / b);
    return NULL;
}

TN_BODY(transfer_of_sign)
{
    const double sign = argument[1] >= 0.0 ? 1.0 : -1.0;
    result->value = sign * fabs(argument[0]);
    if (result->partial) result->partial[0] = sign * tn_sign_of(argument[0]);
    return NULL;
}

TN_LANES_OF_TWO(transfer_of_sign_lanes, (b >= 0.0 ? 1.0 : -1.0) * fabs(a))

/* ---- switching functions ----------------------------------------------------------------------------------- */

void tn_switch_at_zero(const double *argument, double *value) { value[0] = argument[0]; }

void tn_switch_where_equal(const double *argument, double *value) { value[0] = argument[0] - argument[1]; }

static void switch_at_both(const double *argument, double *value)
{
    value[0] = argument[0];
    value[1] = argument[1];
}

/* Changes its sign at every integer; the nearest one is taken off first, which keeps large x exact. */
static double integer_wave(double x)
{
    const double nearest = round(x), wave = sin(M_PI * (x - nearest));
    return fmod(nearest, 2.0) == 0.0 ? wave : -wave;
}

/* The same without a change at 0. */
static double truncation_wave(double x) { return fabs(x) < 0.5 ? 1.0 : integer_wave(fabs(x)); }

static void at_integers(const double *argument, double *value) { value[0] = integer_wave(argument[0]); }

static void at_half_integers(const double *argument, double *value)
{
    value[0] = integer_wave(argument[0] + 0.5);
}

static void at_truncations(const double *argument, double *value) { value[0] = truncation_wave(argument[0]); }

static void at_wraps(const double *argument, double *value)
{
    value[0] = truncation_wave(argument[0] / argument[1]);
}

#define BOTH TN_ARGUMENT(0) | TN_ARGUMENT(1)
const tn_function tn_choice_functions[] = {
    {"ABS", 1, 1, absolute, absolute_lanes, .smoothness = 0, .switch_count = 1, .switches = tn_switch_at_zero,
     .summed = TN_ARGUMENT(0)},
    {"AINT", 1, 1, truncate, truncate_lanes, .smoothness = TN_JUMPS, .switch_count = 1,
     .switches = at_truncations, .summed = TN_ARGUMENT(0), .nature = TN_STEPWISE},
    {"ANINT", 1, 1, nearest_integer, nearest_integer_lanes, .smoothness = TN_JUMPS, .switch_count = 1,
     .switches = at_half_integers, .summed = TN_ARGUMENT(0), .nature = TN_STEPWISE},
    {"CEIL", 1, 1, ceiling, ceiling_lanes, .smoothness = TN_JUMPS, .switch_count = 1, .switches = at_integers,
     .summed = TN_ARGUMENT(0), .nature = TN_STEPWISE},
    {"DIM", 2, 2, positive_difference, positive_difference_lanes, .smoothness = 0, .switch_count = 1,
     .switches = tn_switch_where_equal, .summed = BOTH},
    {"FLOOR", 1, 1, floor_of, floor_of_lanes, .smoothness = TN_JUMPS, .switch_count = 1,
     .switches = at_integers, .summed = TN_ARGUMENT(0), .nature = TN_STEPWISE},
    {"MAX", 2, TN_ANY_COUNT, maximum, maximum_lanes, .smoothness = 0, .in_pairs = true, .switch_count = 1,
     .switches = tn_switch_where_equal, .summed = BOTH},
    {"MIN", 2, TN_ANY_COUNT, minimum, minimum_lanes, .smoothness = 0, .in_pairs = true, .switch_count = 1,
     .switches = tn_switch_where_equal, .summed = BOTH},
    {"MOD", 2, 2, remainder_of, .smoothness = TN_JUMPS, .switch_count = 1, .switches = at_wraps,
     .summed = BOTH},
    {"SIGN", 2, 2, transfer_of_sign, transfer_of_sign_lanes, .smoothness = TN_JUMPS, .switch_count = 2,
     .switches = switch_at_both, .summed = TN_ARGUMENT(0)},
    {.name = NULL},
};

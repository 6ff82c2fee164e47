/* functions_series.c - sums of coefficients times given functions of one variable t (see functions.h):
 *
 *   POLY(x, x0, c0, ...)       t^j                          t = x - x0
 *   CHEBY(x, x0, c0, ...)      T_j(t), not scaled           t = x - x0
 *   FORCOS(x, x0, w, c0, ...)  cos(j t)                     t = w (x - x0)
 *   FORSIN(x, x0, w, c0, ...)  1, then sin(j t)             t = w (x - x0) */
#include "expression/functions.h"

#include <math.h>
#include <string.h>

/* The functions at one t, with two derivatives. */
typedef struct basis {
    double value[TN_MOST_COEFFICIENTS], first[TN_MOST_COEFFICIENTS], second[TN_MOST_COEFFICIENTS];
} basis;

typedef void fill_basis(double t, uint32_t count, basis *basis);

static void fill_powers(double t, uint32_t count, basis *b)
{
    for (uint32_t j = 0; j < count; j++) {
        b->value[j] = j > 0 ? t * b->value[j - 1] : 1.0;
        b->first[j] = j > 0 ? j * b->value[j - 1] : 0.0;
        b->second[j] = j > 0 ? j * b->first[j - 1] : 0.0;
    }
}

static void fill_chebyshev(double t, uint32_t count, basis *b)
{
    for (uint32_t j = 0; j < count; j++) {
        b->value[j] = j > 1 ? 2.0 * t * b->value[j - 1] - b->value[j - 2] : j == 1 ? t : 1.0;
        b->first[j] = j > 1 ? 2.0 * (b->value[j - 1] + t * b->first[j - 1]) - b->first[j - 2] : (double)j;
        b->second[j] = j > 1 ? 4.0 * b->first[j - 1] + 2.0 * t * b->second[j - 1] - b->second[j - 2] : 0.0;
    }
}

static void fill_cosines(double t, uint32_t count, basis *b)
{
    for (uint32_t j = 0; j < count; j++) {
        b->value[j] = cos(j * t);
        b->first[j] = -(double)j * sin(j * t);
        b->second[j] = -(double)j * j * b->value[j];
    }
}

static void fill_sines(double t, uint32_t count, basis *b)
{
    for (uint32_t j = 0; j < count; j++) {
        b->value[j] = j > 0 ? sin(j * t) : 1.0;
        b->first[j] = j > 0 ? j * cos(j * t) : 0.0;
        b->second[j] = -(double)j * j * b->value[j];
    }
}

static double sum_products(const double *coefficient, const double *function, uint32_t count)
{
    double total = 0.0;
    for (uint32_t j = 0; j < count; j++)
        total += coefficient[j] * function[j];
    return total;
}

/* `scaled`: w stands in front of the coefficients. */
static const char *sum_series(const double *argument, uint32_t count, tn_function_result *result,
                              fill_basis *fill, bool scaled)
{
    const uint32_t before = scaled ? 3 : 2, terms = count - before;
    const double *const coefficient = argument + before;
    const double scale = scaled ? argument[2] : 1.0, distance = argument[0] - argument[1];
    basis b;
    fill(scale * distance, terms, &b);
    result->value = sum_products(coefficient, b.value, terms);
    if (!result->partial) return NULL;

    /* derivatives of t with respect to x, x0 and w */
    const double slope[3] = {scale, -scale, distance};
    const double curvature[3][3] = {{0.0, 0.0, 1.0}, {0.0, 0.0, -1.0}, {1.0, -1.0, 0.0}};
    const double first = sum_products(coefficient, b.first, terms);
    for (uint32_t i = 0; i < before; i++)
        result->partial[i] = first * slope[i];
    for (uint32_t j = 0; j < terms; j++)
        result->partial[before + j] = b.value[j];
    if (!result->second) return NULL;

    const double second = sum_products(coefficient, b.second, terms);
    for (uint32_t i = 0; i < before; i++) {
        for (uint32_t k = 0; k < before; k++)
            result->second[i * count + k] = second * slope[i] * slope[k] + first * curvature[i][k];
        for (uint32_t j = 0; j < terms; j++)
            result->second[i * count + before + j] = result->second[(before + j) * count + i] =
                b.first[j] * slope[i];
    }
    return NULL;
}

/* Side by side: the bits are those of fill_powers or fill_chebyshev, and sum_products. */
static inline bool sum_lanes(tn_lane_values *argument, uint32_t count, bool chebyshev)
{
    tn_lane_values t, before, function, total;
    TN_EACH_LANE t[lane] = argument[0][lane] - argument[1][lane];
    TN_EACH_LANE before[lane] = 0.0;
    TN_EACH_LANE function[lane] = 1.0;
    TN_EACH_LANE total[lane] = 0.0 + argument[2][lane];
    for (uint32_t j = 1; j < count - 2; j++) {
        const bool recurs = chebyshev && j > 1;
        TN_EACH_LANE
        {
            const double now = function[lane];
            function[lane] = recurs ? 2.0 * t[lane] * now - before[lane] : t[lane] * now;
            before[lane] = now;
        }
        TN_EACH_LANE total[lane] += argument[2 + j][lane] * function[lane];
    }
    memcpy(argument[0], total, sizeof total);
    return true;
}

TN_LANES_BODY(polynomial_lanes) { return sum_lanes(argument, count, false); }
TN_LANES_BODY(chebyshev_lanes) { return sum_lanes(argument, count, true); }

TN_BODY(polynomial) { return sum_series(argument, count, result, fill_powers, false); }
TN_BODY(chebyshev) { return sum_series(argument, count, result, fill_chebyshev, false); }
TN_BODY(cosines) { return sum_series(argument, count, result, fill_cosines, true); }
TN_BODY(sines) { return sum_series(argument, count, result, fill_sines, true); }

#define PLAIN 3, 2 + TN_MOST_COEFFICIENTS
#define PLACES .compared = TN_ARGUMENT(0) | TN_ARGUMENT(1)
#define SCALED 4, 3 + TN_MOST_COEFFICIENTS

const tn_function tn_series_functions[] = {
    {"CHEBY", PLAIN, chebyshev, chebyshev_lanes, .smoothness = TN_SMOOTH, PLACES},
    {"FORCOS", SCALED, cosines, .smoothness = TN_SMOOTH, PLACES, .summed = TN_ARGUMENTS_FROM(3)},
    {"FORSIN", SCALED, sines, .smoothness = TN_SMOOTH, PLACES, .summed = TN_ARGUMENTS_FROM(3)},
    {"POLY", PLAIN, polynomial, polynomial_lanes, .smoothness = TN_SMOOTH, PLACES},
    {.name = NULL},
};

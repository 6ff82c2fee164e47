/* tenon/kit/search_slopes.h - derivatives by differences for searches (kit/search.h): one batch of cases
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_SEARCH_SLOPES_H
#define TENON_KIT_SEARCH_SLOPES_H

#include "tenon/kit/search.h"

/* What is differentiated: a number that follows from what has come of point k. */
typedef double (*tn_search_quantity)(const tn_search_run *run, uint64_t k, uint32_t which);

static inline double tn_search_merit_quantity(const tn_search_run *run, uint64_t k, TN_UNUSED uint32_t which)
{
    return tn_search_merit(run, k);
}
static inline double tn_search_value_quantity(const tn_search_run *run, uint64_t k, TN_UNUSED uint32_t which)
{
    return run->value[k];
}
static inline double tn_search_excess_quantity(const tn_search_run *run, uint64_t k, uint32_t which)
{
    return run->excess[k * run->search->limits + which];
}

/* Runs x and, on both sides of it, two cases for each variable; `point` [2 variables + 1][variables] is what stands in the batch, x
 * first. False: the algorithm is to return. */
static inline bool tn_search_evaluate_around(tn_search_run *run, const double *x, double difference,
                                             double *point)
{
    const uint32_t size = run->search->problem->variables;
    memcpy(point, x, size * sizeof *x);
    for (uint32_t k = 0; k < 2 * size; k++) {
        double *beside = point + (size_t)(k + 1) * size;
        memcpy(beside, x, size * sizeof *x);
        beside[k / 2] += k % 2 ? -difference : difference;
        tn_search_clamp(run->search, beside);
    }
    return tn_search_evaluate(run, 2u * size + 1u, point);
}

/* The derivative by variable i of a quantity, by both sides or by the one whose case has a result; 0 where there is none. */
static inline double tn_search_slope(const tn_search_run *run, const double *point, uint32_t i,
                                     tn_search_quantity quantity, uint32_t which)
{
    const uint32_t size = run->search->problem->variables;
    uint64_t above = 2u * (uint64_t)i + 1, below = above + 1;
    if (!run->done[above]) above = 0;
    if (!run->done[below]) below = 0;
    const double width = point[above * size + i] - point[below * size + i];
    if (!run->done[above] || !run->done[below] || width == 0.0) return 0.0;
    return (quantity(run, above, which) - quantity(run, below, which)) / width;
}

#endif

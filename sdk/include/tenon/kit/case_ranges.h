/* tenon/kit/case_ranges.h - how executors deal the cases of a batch: in ranges so short that workers end at about the same time.
 *
 *     const tn_case_range next = tn_case_range_take(&left, workers, case_time);
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_CASE_RANGES_H
#define TENON_KIT_CASE_RANGES_H

#include <stdint.h>

#define TN_CASE_RANGE_TIME 0.2 /* s on the clock that a range should take */
enum { TN_LONGEST_CASE_RANGE = 256 };

/* Cases first, ..., first + count - 1. */
typedef struct tn_case_range {
    uint64_t first, count;
} tn_case_range;

/* The next cases for one of so many workers, off the beginning of `left`; `case_time`, s on the clock: what a case takes, 0 where nobody
 * knows. */
static inline tn_case_range tn_case_range_take(tn_case_range *left, uint32_t workers, double case_time)
{
    const double fit = case_time > 0.0 ? TN_CASE_RANGE_TIME / case_time : 1.0;
    const uint64_t share = left->count / (2 * (uint64_t)workers) + 1;
    uint64_t most = fit >= TN_LONGEST_CASE_RANGE ? TN_LONGEST_CASE_RANGE : fit > 1.0 ? (uint64_t)fit : 1;
    if (most > share) most = share;
    if (most > left->count) most = left->count;
    const tn_case_range taken = {left->first, most};
    left->first += most;
    left->count -= most;
    return taken;
}

/* The mean of what cases have taken, with the latest ones before those that are long gone. */
static inline double tn_case_range_time(double mean, double latest)
{
    return mean > 0.0 ? 0.7 * mean + 0.3 * latest : latest;
}

#endif

/* clock.h - the time on the wall. */
#ifndef TN_CLOCK_H
#define TN_CLOCK_H

#include <time.h>

/* s, since some moment in the past. */
static inline double tn_clock_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif

/* tenon/kit/step_grid.h - for solvers: the times of a run with fixed step, the ends of adaptive steps, and the count of steps.
 *
 * Times are start + k step, never a running sum, and the last one is the end of the run exactly:
 *
 *     const tn_step_grid grid = tn_step_grid_make(run->start_time, run->end_time, run->step);
 *     for (uint64_t k = 0; k < grid.count; k++) {
 *         const double h = tn_step_grid_step(&grid, k);
 *         ... from tn_step_grid_time(&grid, k) to tn_step_grid_time(&grid, k + 1) ...
 *         tn_count_step(system->statistics, h);
 *     }
 *
 * tn_step_grid_part_end() cuts a step in two where the model changes; tn_step_grid_fit() ends an adaptive step at a stop,
 * and tn_step_progress_stalls() tells when such steps lead nowhere.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_STEP_GRID_H
#define TENON_KIT_STEP_GRID_H

#include "tenon/solver.h"

#include <float.h>

/* A remainder shorter than this part of a step is merged into the last step. */
#define TN_STEP_GRID_MERGE 1e-9

typedef struct tn_step_grid {
    double start, end, step;
    uint64_t count;
} tn_step_grid;

/* Times between `start` and `end` that lie nearer than this are the same: a part of a step, or their round-off. */
static inline double tn_step_grid_margin(double step, double start, double end)
{
    return fmax(TN_STEP_GRID_MERGE * step, 4.0 * DBL_EPSILON * fmax(fabs(start), fabs(end)));
}

static inline tn_step_grid tn_step_grid_make(double start, double end, double step)
{
    tn_step_grid grid = {.start = start, .end = end, .step = step, .count = 0};
    if (!(end > start)) return grid;
    const double steps = ceil((end - start - tn_step_grid_margin(step, start, end)) / step);
    grid.count = steps > 1.0 ? (uint64_t)fmin(steps, 1e18) : 1;
    return grid;
}

/* The time after `index` steps. */
static inline double tn_step_grid_time(const tn_step_grid *grid, uint64_t index)
{
    return index >= grid->count ? grid->end : grid->start + (double)index * grid->step;
}

/* The length of the step that begins after `index` steps: only the last one may differ. */
static inline double tn_step_grid_step(const tn_step_grid *grid, uint64_t index)
{
    if (index + 1 < grid->count) return grid->step;
    const double last = grid->end - tn_step_grid_time(grid, index);

    // a difference that is round-off of the times is not another step size
    const double round_off = 4.0 * DBL_EPSILON * fmax(fabs(grid->start), fabs(grid->end));
    return fabs(last - grid->step) <= round_off ? grid->step : last;
}

/* The end of the part of grid step `index` that begins at `time`: a change of the model cuts the step in two. One
 * nearer to the step's end than TN_STEP_GRID_MERGE, or than round-off, is left to that end. One as near to `time` was made
 * there: accept() sees it at least so widely. */
static inline double tn_step_grid_part_end(const tn_step_grid *grid, uint64_t index, double time,
                                           double next_change)
{
    const double end = tn_step_grid_time(grid, index + 1);
    if (next_change >= end) return end;
    const bool behind = next_change > time + TN_STEP_GRID_MERGE * grid->step;
    return behind && next_change < end - tn_step_grid_margin(grid->step, time, end) ? next_change : end;
}

/* The length of that part; a step that is not cut has its own length exactly. */
static inline double tn_step_grid_part_step(const tn_step_grid *grid, uint64_t index, double time,
                                            double part_end)
{
    const bool whole =
        time == tn_step_grid_time(grid, index) && part_end == tn_step_grid_time(grid, index + 1);
    return whole ? tn_step_grid_step(grid, index) : part_end - time;
}

/* An adaptive step to take now: not beyond `stop`, and no sliver left before it. */
static inline double tn_step_grid_fit(double time, double wanted, double stop)
{
    const double remaining = stop - time;
    if (wanted >= remaining * (1.0 - TN_STEP_GRID_MERGE)) return remaining;
    return wanted > 0.5 * remaining ? 0.5 * remaining : wanted;
}

/* Whether adaptive steps still lead somewhere. */
typedef struct tn_step_progress {
    double time; /* when they were counted last */
    uint32_t tries;
} tn_step_progress;

enum { TN_STEP_TRIES = 20000 };
#define TN_STEP_LEAST 1e-8 /* of the run, which so many steps, taken or rejected, must pass */

/* To be called at each try; true when they lead nowhere, as would the rest of the run. */
static inline bool tn_step_progress_stalls(tn_step_progress *progress, double time, const tn_run *run)
{
    if (++progress->tries < TN_STEP_TRIES) return false;
    const bool stalls = time - progress->time < TN_STEP_LEAST * (run->end_time - run->start_time);
    *progress = (tn_step_progress){.time = time};
    return stalls;
}

#define TN_STEP_STALLED                                                                             \
    "20000 steps in a row have advanced by less than 1e-8 of the run, though each was accurate or " \
    "shortened: forces jump to and fro, or events occur without end"

/* The solver's part of the statistics after an accepted step. */
static inline void tn_count_step(tn_statistics *statistics, double step)
{
    if (statistics->steps == 0) statistics->smallest_step = statistics->largest_step = step;
    if (step < statistics->smallest_step) statistics->smallest_step = step;
    if (step > statistics->largest_step) statistics->largest_step = step;
    statistics->steps++;
}

#endif

/* progress.c - how far a run has come, on the terminal (see progress.h) */
#include "cli/progress.h"

#include "run/clock.h"

#include <math.h>
#include <unistd.h>

#define SHOWN_EVERY 0.2 /* s of wall time */

static tn_status show_progress(void *data, const tn_accepted_step *step)
{
    tn_progress *progress = data;
    const tn_system *system = &progress->assembly->system;
    const double wall = tn_clock_now();
    if (wall - progress->shown < SHOWN_EVERY) return TN_OK;
    progress->shown = wall;
    progress->line = true;
    const double used = wall - progress->begun, done = system->time - progress->start;
    const double span = progress->end - progress->start; /* none where a single state is sought */
    const double since = system->time - progress->from;
    const double left = since > 0.0 ? used * (progress->end - system->time) / since : 0.0;
    (void)fprintf(stderr, "\rt = %-10.6g s  step %-9.3g s  %.3g steps/s  %5.1f %%  %.0f s left   ",
                  system->time, step->length,
                  used > 0.0 ? (double)(system->statistics->steps - progress->steps) / used : 0.0,
                  span > 0.0 ? 100.0 * done / span : 100.0, left);
    (void)fflush(stderr);
    return TN_OK;
}

void tn_progress_open(tn_progress *progress, tn_assembly *assembly)
{
    *progress = (tn_progress){.assembly = assembly, .observer = {.see = show_progress, .next = HUGE_VAL}};
    progress->observer.data = progress;
}

void tn_progress_start(tn_progress *progress, const tn_solver_plan *solver, bool quiet)
{
    progress->start = solver->run.start_time;
    progress->end = solver->run.end_time;
    progress->from = progress->assembly->system.time;
    progress->begun = progress->shown = tn_clock_now();
    progress->steps = progress->assembly->system.statistics->steps;
    tn_accept_unobserve(progress->assembly, &progress->observer);
    if (!quiet && solver->progress && isatty(STDERR_FILENO))
        tn_accept_observe(progress->assembly, &progress->observer);
}

void tn_progress_close(tn_progress *progress)
{
    if (progress->line) (void)fputc('\n', stderr);
    tn_accept_unobserve(progress->assembly, &progress->observer);
}

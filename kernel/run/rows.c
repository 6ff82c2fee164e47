/* rows.c - how many rows a run records: one for every step, unless that is too many or an interval is asked for */
#include "run/plan.h"

#include <float.h>
#include <math.h>

#define SPARSE_ROWS 1e4     /* of a run with too many steps for a row each, about */
#define BYTES_OF_NUMBER 20. /* 17 digits, the most that it may need; sign, point, comma */

static bool is_run(const tn_solver_plan *plan)
{
    return plan->type && plan->run.end_time > plan->run.start_time;
}

/* Of a fixed length. */
static double steps_of(const tn_run *run)
{
    return ceil((run->end_time - run->start_time) / run->step - 1e-9);
}

/* The steps of all solvers together; infinite where one of them chooses its own. */
static double all_steps(const tn_plan *plan, bool fixed_only)
{
    double steps = 0.0;
    for (size_t k = 0; k < plan->solver_count; k++) {
        const tn_solver_plan *solver = &plan->solver[k];
        if (!is_run(solver) || (fixed_only && solver->run.adaptive)) continue;
        steps += solver->run.adaptive ? HUGE_VAL : steps_of(&solver->run);
    }
    return steps;
}

void tn_plan_rows(tn_plan *plan)
{
    const double steps = all_steps(plan, true), every = fmax(round(steps / SPARSE_ROWS), 1.0);
    double span = 0.0;
    plan->sparse = !(plan->interval > 0.0) && steps > TN_DENSE_ROWS;
    for (size_t k = 0; k < plan->solver_count; k++)
        if (is_run(&plan->solver[k])) span += plan->solver[k].run.end_time - plan->solver[k].run.start_time;
    for (size_t k = 0; k < plan->solver_count; k++) {
        tn_solver_plan *solver = &plan->solver[k];
        const tn_run *run = &solver->run;
        /* times must tell such rows apart, as they do those of any interval */
        const double shortest = 1e3 * DBL_EPSILON * fmax(fabs(run->start_time), fabs(run->end_time));
        if (is_run(solver))
            solver->sparse_interval = run->adaptive ? fmax(span / SPARSE_ROWS, shortest) : every * run->step;
    }
}

static double rows_of(const tn_plan *plan)
{
    double rows = 1.0;
    for (size_t k = 0; k < plan->solver_count; k++) {
        const tn_solver_plan *solver = &plan->solver[k];
        const double interval = plan->interval > 0.0 ? plan->interval
                                : plan->sparse       ? solver->sparse_interval
                                                     : 0.0;
        if (!is_run(solver)) continue;
        rows += interval > 0.0 ? ceil((solver->run.end_time - solver->run.start_time) / interval - 1e-9)
                               : steps_of(&solver->run);
    }
    return rows;
}

bool tn_plan_size_words(const tn_plan *plan, size_t columns, char *text, size_t size)
{
    const double steps = all_steps(plan, false);
    const bool chosen = isinf(steps), counted = !chosen || plan->interval > 0.0;
    const double rows = counted ? rows_of(plan) : 0.0;
    if (!(counted && (rows > TN_DENSE_ROWS + 1.0 || (!chosen && steps > TN_DENSE_ROWS)))) return false;
    int used = chosen ? 0 : snprintf(text, size, "the run takes %.10g steps; ", steps);
    if (used < 0 || (size_t)used >= size) return false;
    (void)snprintf(text + used, size - (size_t)used,
                   "%.10g rows of %zu columns are recorded, about %.2g MB%s", rows, columns,
                   1e-6 * rows * (double)columns * BYTES_OF_NUMBER,
                   plan->sparse ? " (`[output] interval` changes this)" : "");
    return true;
}

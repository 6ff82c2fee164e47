/* load_steps.c - the load in steps, from none to all of it, each from the equilibrium of the one before and along its tangent */
#include "static.h"

#define FIRST_STEP 0.1
#define SHORTEST_STEP 1e-4

enum { FEW = 8, MOST_ITERATIONS = 40 };

/* Along the change of the equilibrium with the load, as far as it is known. */
static tn_status predict(static_work *work, double step)
{
    tn_status status = tn_static_load_vector(work, work->trial);
    if (status == TN_OK) status = tn_static_matrix(work, 0.0);
    if (status == TN_OK) status = tn_static_factor(work);
    if (status == TN_OK) status = tn_static_solve(work, work->trial, work->direction);
    if (status != TN_OK) return status == TN_RETRY ? TN_OK : status;
    const double size = step * tn_static_size(work, work->direction, work->cap);
    if (!isfinite(size) || size > 1.0) return TN_OK;
    tn_static_keep(work, &work->trial_point);
    return tn_static_apply(work, &work->trial_point, work->direction, step);
}

tn_status tn_static_load_steps(static_work *work, bool *found)
{
    static_point *const last = &work->last;
    double step = FIRST_STEP;
    *found = false;
    tn_static_set_load(work, 0.0);
    tn_status status = tn_static_newton(work, work->settings->iterations, found);
    if (status != TN_OK || !*found) return status;
    tn_static_keep(work, last);
    while (work->load < 1.0) {
        const double load = last->load + step < 1.0 - 1e-9 ? last->load + step : 1.0;
        const uint64_t before = work->iterations;
        status = predict(work, load - last->load);
        tn_static_set_load(work, load);
        if (status == TN_OK) status = tn_static_newton(work, MOST_ITERATIONS, found);
        if (status != TN_OK && status != TN_RETRY) return status;
        if (*found) {
            tn_static_keep(work, last);
            if (work->iterations - before <= FEW) step *= 2.0;
            continue;
        }
        tn_static_return(work, last);
        step *= 0.5;
        if (step < SHORTEST_STEP) {
            tn_say(work->system->host, TN_NOTE, "load steps end at load factor %.6g", last->load);
            return TN_RETRY;
        }
        status = tn_static_evaluate(work);
        if (status != TN_OK) return status;
    }
    return TN_OK;
}

/* discontinuous.c - laws that switch (contact, friction) in steps of generalized_alpha.
 *
 * Newton's method needs laws that are smooth. So elements hold the branch that they are on in discrete data, which are
 * renewed when the iteration has converged; it goes on from there until they agree with the state. An impact
 * would leave the time at which forces begin to act to chance, an error of order h: a step that contains one is refused
 * until it ends in front of the impact, or is so short that its place does not matter. All starts anew behind it, with
 * steps that grow as slowly as what follows an impact dies away. */
#include "generalized_alpha.h"

#include <string.h>

#define STEPS_IN_PART \
    8u /* before a longer part is tried, where what a change of step leaves has to die away */
#define FEW_REFUSALS 6u /* of parts before jumps are asked about, and again after twice as many */

tn_status tn_alpha_start_data(alpha_work *work)
{
    tn_system *system = work->system;
    double error = 0.0, step = 0.0;
    work->switches = system->switching != 0;
    if (!work->switches) return TN_OK;
    system->frozen = 1;
    tn_status status = system->update(system, 0.0, &error, &step);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    if (status == TN_OK) return TN_OK;
    return system->fail(system, status, NULL, "contact and friction were to start from this state");
}

tn_status tn_alpha_switch(alpha_work *work, double h, double time)
{
    tn_system *system = work->system;
    const alpha_instance *settings = work->settings;
    for (int64_t count = 0;; count++) {
        double error = 0.0, step = 0.0;
        tn_status status = system->update(system, h, &error, &step);
        if (status != TN_OK || error <= settings->discontinuous_tolerance) return status;
        if (step > 0.0) {
            work->landed = 0.5 * h < work->shortest * (1.0 - 1e-9); // halves of it are not allowed
            if (!work->landed) {
                work->wanted = step;
                return TN_RETRY;
            }
        }
        if (count == settings->discontinuous_iterations) {
            work->unsettled++;
            work->largest_error = fmax(work->largest_error, error);
            return TN_OK;
        }
        status = tn_alpha_iterate_anew(work, h, time, false);
        if (status != TN_OK) return status;
    }
}

void tn_alpha_shorten(alpha_work *work, double grid_step)
{
    work->part *= 0.5;
    while (work->wanted > 0.0 && work->part * grid_step > fmax(work->wanted, work->shortest))
        work->part *= 0.5;
    work->wanted = 0.0;
    work->landed = false;
    work->steps_in_part = 0;
}

bool tn_alpha_may_lengthen(alpha_work *work, double done)
{
    work->steps_in_part++;
    if (work->landed) work->steps_in_part = 0;
    const bool at_index_3 = work->index == 3 && work->system->position_rows > 0;
    const bool soon = (work->switches || at_index_3) && work->steps_in_part < STEPS_IN_PART;
    if (work->part >= 1.0 || soon || fmod(done, 2.0 * work->part) != 0.0) return false;
    work->steps_in_part = 0;
    return true;
}

void tn_alpha_forget_refusals(alpha_work *work)
{
    work->refusals = 0;
    work->most_refusals = FEW_REFUSALS;
}

tn_status tn_alpha_slide(alpha_work *work, double grid_step)
{
    tn_system *system = work->system;
    if (++work->refusals < work->most_refusals || !system->slide) return TN_OK;
    work->most_refusals *= 2;
    work->matrix_step = 0.0;
    if (system->slide(system, grid_step, 1) == 0) return TN_OK;
    tn_alpha_forget_refusals(work);
    tn_status status = system->accelerate(system, system->a);
    if (status == TN_OK) memcpy(work->x_rate0, system->x_rate, system->nx * sizeof(double));
    return status == TN_OK ? tn_alpha_start(work, work->part * grid_step) : status;
}

void tn_alpha_report_data(const alpha_work *work)
{
    if (work->unsettled > 0)
        tn_say(work->system->host, TN_NOTE,
               "contact or friction still changed after %lld iterations in %llu of %llu steps, by up to %.3g "
               "N: a "
               "smaller step, or a larger proportional zone of friction, may help",
               (long long)work->settings->discontinuous_iterations, (unsigned long long)work->unsettled,
               (unsigned long long)work->system->statistics->steps, work->largest_error);
}

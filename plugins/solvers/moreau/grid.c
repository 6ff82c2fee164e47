/* grid.c - steps of fixed length, divided into pieces where the model changes, and into parts where a step fails */
#include "moreau.h"

#include <stdio.h>

#define SMALLEST_PART 0x1p-10 /* of a grid step, after halvings */
enum { MOST_WARNINGS = 3 };

static void begin_piece(moreau_work *work)
{
    tn_system *system = work->system;
    moreau_stand *stand = &work->stand;
    stand->start = stand->time;
    stand->end = tn_step_grid_part_end(&work->grid, stand->step, stand->time, system->next_change);
    stand->length = tn_step_grid_part_step(&work->grid, stand->step, stand->time, stand->end);
    stand->seen = stand->end;
    double seen = stand->end;
    const double kink = tn_moreau_first_kink(work, stand->end, &seen);
    const double margin = tn_step_grid_margin(work->grid.step, stand->time, stand->end);
    stand->jumps = kink <= stand->end && seen < stand->end && kink > stand->time + margin;
    if (stand->jumps) stand->seen = seen;
    if (kink < stand->end - margin && kink > stand->time + margin) {
        stand->end = kink;
        stand->length = kink - stand->time;
        system->statistics->events++;
    }
    stand->done = 0.0;
    stand->part = 1.0;
}

/* A stop that was requested between two parts may lie within the piece: the rest becomes another piece. */
static void look_at_stops(moreau_work *work)
{
    moreau_stand *stand = &work->stand;
    if (stand->done >= 1.0) begin_piece(work);
    if (stand->done > 0.0 && work->system->next_change < stand->end) begin_piece(work);
}

/* ---- failures --------------------------------------------------------------------------------------------------- */

static tn_status give_up(moreau_work *work, double h, tn_status status)
{
    tn_system *system = work->system;
    char text[320];
    if (status == TN_UNSUPPORTED)
        (void)snprintf(text, sizeof text,
                       "the constraint solver `%s` cannot treat the rows of `%s`: take another one, or other "
                       "settings of it",
                       work->chosen->type->name, tn_moreau_worst_name(work));
    else if (!work->failed)
        (void)snprintf(text, sizeof text,
                       "the step %.3g s: the impulses that `%s` found have an error of %.3g after %u "
                       "iterations, most of it at "
                       "`%s` (on_failure = \"%s\")",
                       h, work->chosen->type->name, work->outcome.error, work->outcome.iterations,
                       tn_moreau_worst_name(work), work->settings->on_failure == STOP ? "stop" : "halve");
    else
        (void)snprintf(text, sizeof text, "the step %.3g s: %s", h, work->failed);
    status = system->fail(system, status == TN_RETRY ? TN_FATAL : status, NULL, text);
    tn_moreau_restore_start(work);
    return status;
}

static void count_worst(moreau_work *work)
{
    tn_impulse_totals *totals = work->chosen->totals;
    const tn_impulse_problem *p = &work->main.table;
    if (!totals || !p->rows || !(work->outcome.error > totals->worst_error)) return;
    totals->worst_error = work->outcome.error;
    totals->worst_merit = work->outcome.merit;
    totals->worst_time = work->system->time;
    totals->worst_owner = p->block[work->outcome.worst].owner;
}

/* A step that is accepted without its impulses, as `on_failure = "continue"` asks for. */
static void tell_unsolved(moreau_work *work)
{
    if (work->solved) return;
    work->stand.unsolved++;
    if (work->chosen->totals) work->chosen->totals->not_solved++;
    if (work->stand.unsolved > MOST_WARNINGS) return;
    tn_say(work->system->host, TN_WARNING,
           "the step to %.9g s goes on with impulses whose error is %.3g, most of it at `%s`%s",
           work->system->time, work->outcome.error, tn_moreau_worst_name(work),
           work->stand.unsolved == MOST_WARNINGS ? "; further ones are counted in run.toml" : "");
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

/* One part of the piece of a step, accepted. Parts are powers of 1/2, so their sums are exact; they double again as soon as the larger
 * one fits into the step. */
static tn_status cross_part(moreau_work *work)
{
    tn_system *system = work->system;
    moreau_stand *stand = &work->stand;
    const double shortest = fmax(system->run->minimum_step, SMALLEST_PART * work->grid.step);
    tn_moreau_keep_start(work);
    for (;;) {
        const double next = stand->done + stand->part, h = stand->part * stand->length;
        const double end = next < 1.0 ? stand->start + next * stand->length : stand->end;
        const tn_status status = tn_moreau_try_step(work, h, end);
        if (status == TN_RETRY && work->settings->on_failure != STOP && 0.5 * h >= shortest) {
            tn_step_rejected(work->report, system, work->failed ? TN_REJECTED_DOMAIN : TN_REJECTED_ITERATION);
            tn_moreau_restore_start(work);
            stand->part *= 0.5;
            continue;
        }
        if (status != TN_OK) return give_up(work, h, status);
        tn_moreau_remember(work);
        stand->done = next;
        stand->time = end;
        stand->foreseen = work->foreseen && h == stand->last_length ? stand->foreseen + 1 : work->foreseen;
        stand->last_length = h;
        stand->fresh = 0;
        stand->anew = end == stand->end && stand->jumps;
        if (stand->done < 1.0 && fmod(stand->done, 2.0 * stand->part) == 0.0) stand->part *= 2.0;
        if (stand->done >= 1.0 && end >= tn_step_grid_time(&work->grid, stand->step + 1)) stand->step++;
        tn_count_step(system->statistics, h);
        count_worst(work);
        tell_unsolved(work);
        return TN_OK;
    }
}

static tn_status accept_part(moreau_work *work)
{
    tn_system *system = work->system;
    if (work->contacts) {
        const tn_status settled =
            work->contacts->settle(system, work->contact_impulse, work->mean_rate, work->h);
        if (settled != TN_OK) return settled;
    }
    work->stand.accepted++;
    return system->accept(system);
}

tn_status tn_moreau_steps(moreau_work *work, double until, uint64_t most)
{
    tn_system *system = work->system;
    const double stop = fmin(until, system->run->end_time);
    const uint64_t before = work->stand.accepted;
    tn_status status = TN_OK;
    while (status == TN_OK && system->time < stop && work->stand.accepted - before < most) {
        work->begins_step = true;
        if (system->revision != work->stand.revision) {
            work->stand.revision = system->revision;
            work->A_known = false;
            work->stand.anew = 1;
            work->stand.stiffness = HUGE_VAL;
        }
        if (work->stand.anew) status = tn_moreau_begin_anew(work);
        work->stand.anew = 0;
        if (status != TN_OK) return give_up(work, 0.0, status);
        look_at_stops(work);
        status = cross_part(work);
        if (status == TN_OK) status = accept_part(work);
    }
    return status;
}

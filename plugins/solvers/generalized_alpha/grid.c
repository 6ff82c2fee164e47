/* grid.c - steps of fixed length: pieces of the grid that end where the model changes, and parts of them where a whole one cannot be
 * solved. What steps start with is in first_step.c, one step in newton.c. */
#include "generalized_alpha.h"

#include <string.h>

#define SMALLEST_PART 0x1p-20      /* of the grid step, after halvings */
#define SHORTEST_AT_IMPACT 0x1p-10 /* of the grid step: an impact in so short a step may stay there */

enum { MOST_PARTS = 16384 }; /* of a grid step */

static tn_status give_up_on_parts(alpha_work *work)
{
    char text[200];
    (void)snprintf(text, sizeof text,
                   "one step was divided into %d parts, down to %.3g s, and has not ended: forces jump at "
                   "every one of them, or are too fast for any step",
                   MOST_PARTS, work->system->statistics->smallest_step);
    return tn_stall_watch_fail(&work->stall, text);
}

/* One part of the piece of a step, accepted. Parts are powers of 1/2, so their sums are exact; they are halved until one converges,
 * and double again as soon as the larger one fits into the step. */
static tn_status cross_part(alpha_work *work)
{
    tn_system *system = work->system;
    alpha_piece *piece = &work->stand.piece;
    const double h = piece->length;
    const double smallest = SMALLEST_PART * h, asked = system->run->minimum_step;
    const double shortest = asked > smallest ? asked : smallest;
    work->shortest = shortest > SHORTEST_AT_IMPACT * h ? shortest : SHORTEST_AT_IMPACT * h;
    for (;;) {
        const double next = piece->done + work->part, part_step = work->part * h;
        tn_status status =
            tn_alpha_solve_step(work, part_step, next < 1.0 ? piece->start + next * h : piece->end);
        if (status == TN_OK) tn_alpha_finish_step(work, part_step);
        tn_stall_watch_turn(&work->stall, piece->parts >= MOST_PARTS - TN_STALL_TRIES);
        tn_stall_watch_see(&work->stall, system->a);
        if (status == TN_RETRY) {
            system->statistics->rejected_steps += tn_alpha_reason(work) == TN_REJECTED_EVENT;
            tn_step_rejected(work->report, system, tn_alpha_reason(work));
            if (0.5 * part_step < shortest) return tn_alpha_give_up(work, part_step, "was halved to");
            tn_alpha_restore_state(work);
            if (work->switches) system->restore_data(system);
            tn_alpha_shorten(work, h);
            status = tn_alpha_slide(work, h);
            if (status == TN_OK) continue;
        }
        if (status == TN_OK && work->in_ground_axes) tn_alpha_watch_turns(work);
        if (status == TN_OK && system->nx) status = tn_alpha_integrate_states(work, part_step);
        if (status != TN_OK) return system->fail(system, status, NULL, "the Newton iteration cannot go on");
        if (++piece->parts > MOST_PARTS) return give_up_on_parts(work);
        piece->done = next;
        if (tn_alpha_may_lengthen(work, piece->done)) work->part *= 2.0;
        tn_count_step(system->statistics, part_step);
        if (piece->done >= 1.0 && piece->parts == 1) tn_alpha_forget_refusals(work);
        return tn_alpha_accept(work);
    }
}

/* A step of the grid, in two pieces where the model changes in between. */
static void begin_piece(alpha_work *work)
{
    const tn_system *system = work->system;
    alpha_stand *stand = &work->stand;
    const double end = tn_step_grid_part_end(&work->grid, stand->step, stand->time, system->next_change);
    stand->piece = (alpha_piece){.start = stand->time,
                                 .length = tn_step_grid_part_step(&work->grid, stand->step, stand->time, end),
                                 .end = end,
                                 .revision = system->revision};
}

/* What is asked for between two parts may lie within the piece: what is left of it is another one. */
static void cut_piece(alpha_work *work)
{
    alpha_stand *stand = &work->stand;
    if (stand->piece.done >= 1.0 || !(work->system->next_change < stand->piece.end)) return;
    stand->time = work->system->time;
    begin_piece(work);
}

static void end_piece(alpha_work *work)
{
    alpha_stand *stand = &work->stand;
    stand->time = stand->piece.end;
    if (stand->time >= tn_step_grid_time(&work->grid, stand->step + 1)) stand->step++;
}

/* Whether the accepted state, or what has changed since, asks for a new start. */
static bool is_out_of_date(const alpha_work *work)
{
    const alpha_stand *stand = &work->stand;
    const uint32_t revision = work->system->revision;
    return work->landed || revision != stand->revision ||
           (stand->piece.done >= 1.0 && revision != stand->piece.revision);
}

static tn_status renew(alpha_work *work)
{
    const tn_system *system = work->system;
    alpha_stand *stand = &work->stand;
    const bool changed = system->revision != stand->revision, within = stand->piece.done < 1.0;
    tn_status status = TN_OK;
    stand->revision = system->revision;
    if (changed) memcpy(work->x_rate0, system->x_rate, system->nx * sizeof(double));
    if (work->landed)
        status = tn_alpha_start_behind_impact(work, work->part * stand->piece.length);
    else if (changed && within)
        status = tn_alpha_start_behind_change(work, work->part * stand->piece.length);
    if (status != TN_OK || within || system->revision == stand->piece.revision) return status;
    work->part = 1.0;
    const double end = tn_step_grid_time(&work->grid, stand->step + 1);
    const bool cut = stand->time > tn_step_grid_time(&work->grid, stand->step);
    return tn_alpha_start_behind_change(work, cut ? end - stand->time
                                                  : tn_step_grid_step(&work->grid, stand->step));
}

tn_status tn_alpha_steps_on_grid(alpha_work *work, double stop, uint64_t most)
{
    const tn_system *system = work->system;
    const alpha_stand *stand = &work->stand;
    const uint64_t before = stand->accepted;
    tn_status status = TN_OK;
    while (status == TN_OK && system->time < stop && stand->accepted - before < most) {
        if (is_out_of_date(work)) status = renew(work);
        if (status != TN_OK) break;
        if (stand->piece.done >= 1.0)
            begin_piece(work);
        else
            cut_piece(work);
        status = cross_part(work);
        if (status == TN_OK && stand->piece.done >= 1.0) end_piece(work);
    }
    return status;
}

void tn_alpha_begin_grid(alpha_work *work)
{
    const tn_system *system = work->system;
    work->grid = tn_step_grid_make(system->time, system->run->end_time, system->run->step);
    work->stand.step = 0;
    work->stand.time = system->time;
}

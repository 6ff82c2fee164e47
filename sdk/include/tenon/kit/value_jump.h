/* kit/value_jump.h - displacements prescribed by functions of time that jump: the body would need an infinite velocity. Solvers then take it
 * there without one, or let it ring, so elements warn of such jumps.
 *
 * Behind every accepted step the value and its rate are compared with those before. A value that moves by more than twice what the rates at
 * both ends allow has jumped if most of that happens in an eighth of the step: such a course no solver resolves, while adaptive ones pass
 * over a whole STEP at once. That holds for any way of writing the function. */
#ifndef TENON_KIT_VALUE_JUMP_H
#define TENON_KIT_VALUE_JUMP_H

#include <tenon/author.h>

#include <math.h>
#include <stdio.h>

/* Discrete data of one value; all zero at the start. */
enum { TN_JUMP_KNOWN, TN_JUMP_VALUE, TN_JUMP_RATE, TN_JUMP_TOLD, TN_JUMP_DATA };

#if TN_VALUES

#define TN_JUMP_NOISE 1e-9 /* of the values: smaller differences are none */

/* What the rates at both ends of a step do not account for, with its sign; 0: the course is smooth enough. */
static inline TN_UNUSED double tn_jump_between(const double *kept, double value, double rate, double step)
{
    const double way = value - kept[TN_JUMP_VALUE], first = step * kept[TN_JUMP_RATE], last = step * rate;
    const double over = way - fmin(fmax(way, fmin(first, last)), fmax(first, last));
    const double noise = TN_JUMP_NOISE * fmax(fabs(value), fabs(kept[TN_JUMP_VALUE]));
    return fabs(over) > fmax(noise, fmax(fabs(first), fabs(last))) ? over : 0.0;
}

static inline TN_UNUSED tn_status tn_observe_jump(const tn_context *context, uint32_t entry, double since,
                                                  tn_expression_values *found)
{
    static const double ahead[1] = {0.0};
    const tn_batch *batch = context->batch;
    *found = (tn_expression_values){.struct_size = sizeof *found, .entry = entry, .since = since};
    return batch->host->observe(batch->host, batch->variable[context->instance], ahead, found);
}

/* Whether most of a jump happens in a small part of the step, which three halvings find; a value that reads other variables is not known
 * there. */
static inline TN_UNUSED bool tn_jump_is_sudden(const tn_context *context, uint32_t entry, double jump,
                                               double before, double value)
{
    double first = context->batch->step, last = 0.0; /* before now */
    for (int k = 0; k < 3; k++) {
        const double since = 0.5 * (first + last);
        tn_expression_values middle;
        if (tn_observe_jump(context, entry, since, &middle) != TN_OK || isnan(middle.before)) return true;
        const bool late = fabs(value - middle.before) > fabs(middle.before - before);
        *(late ? &first : &last) = since;
        *(late ? &before : &value) = middle.before;
    }
    return fabs(value - before) > 0.4 * fabs(jump);
}

static inline TN_UNUSED void tn_tell_jump(const tn_context *context, double *kept, double jump,
                                          const char *unit)
{
    static _Thread_local char text[320];
    const double step = context->batch->step;
    (void)snprintf(
        text, sizeof text,
        "its value jumps by %.6g %s within a step of %.3g s, which no velocity follows: motions and "
        "reactions from then on cannot be trusted; prescribe a course that takes several steps, as by "
        "STEP, or take shorter steps",
        jump, unit, step);
    if (tn_warn(context, text)) kept[TN_JUMP_TOLD] = 1.0;
}

/* Behind an accepted step, of a type flagged TN_DRIVEN: warns of the first jump of its dynamic number `entry`, while it acts, and keeps the
 * value. One that has no derivative there is compared by later steps. */
static inline TN_UNUSED void tn_watch_jump(const tn_context *context, double *kept, uint32_t entry,
                                           double value, const char *unit)
{
    tn_expression_values found;
    if (tn_observe_jump(context, entry, 0.0, &found) != TN_OK) return;
    if (kept[TN_JUMP_KNOWN] != 0.0 && kept[TN_JUMP_TOLD] == 0.0 && context->active) {
        const double jump = tn_jump_between(kept, value, found.by_time, context->batch->step);
        if (jump != 0.0 && tn_jump_is_sudden(context, entry, jump, kept[TN_JUMP_VALUE], value))
            tn_tell_jump(context, kept, jump, unit);
    }
    kept[TN_JUMP_KNOWN] = 1.0;
    kept[TN_JUMP_VALUE] = value;
    kept[TN_JUMP_RATE] = found.by_time;
}

#endif

#endif

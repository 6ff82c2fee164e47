/* prescribed.h - the motion of a point along a direction, or three, by a function of time: of displacements, velocities or
 * accelerations. All of them are rows of positions: velocities and accelerations have their integrals as states, so that places are as
 * exact as the integrals are. A file defines LEVEL, PRESCRIBED_UNIT and OWN(P), its own parameters, and includes this one, then says
 * TN_PRESCRIBED(name). */
#ifndef TENON_SOLFEC_PRESCRIBED_H
#define TENON_SOLFEC_PRESCRIBED_H

#include "directed.h"

#include <tenon/kit/value_jump.h>

#define PRESCRIBED(P)                                                                                   \
    P(REALS, direction, 3, 0, "", TN_TURNS | TN_OPTIONAL, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,             \
      "direction of `value` at the start, ground axes, of any length")                                  \
    P(REAL, value, PRESCRIBED_UNIT, TN_DYNAMIC | TN_OPTIONAL, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,         \
      "w, a function of time, along the direction")                                                     \
    P(REALS, values, 3, 0, PRESCRIBED_UNIT, TN_DYNAMIC | TN_OPTIONAL, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, \
      "in place of `direction` and `value`: three functions of time, along the axes of `base`")         \
    P(ROTATION, base, TN_MOVES, "axes T1, T2, N of `values`, into ground")                              \
    OWN(P)                                                                                              \
    P(CHOICE, follow, FOLLOW_WORDS, 0, 0,                                                               \
      "what carries the directions: nothing (also automatic), or the body of a marker")                 \
    STRENGTH(P, "size of the reaction")                                                                 \
    P(PRIVATE, directed, rows)

/* States: integrals of the values, then integrals of accelerations. */
enum { DISPLACEMENT, VELOCITY, ACCELERATION };

/* Own discrete data: jumps of displacements. */
enum { JUMPS = DIRECTED_DATA, PRESCRIBED_DATA = JUMPS + (LEVEL == 0 ? MOST_DIRECTIONS * TN_JUMP_DATA : 0) };

#define TN_PRESCRIBED_RATES(name)                                            \
    TN_RATES(name, TN_ANY, 2)                                                \
    {                                                                        \
        const uint32_t rows = self->rows.rows;                               \
        for (uint32_t k = 0; k < rows; k++) {                                \
            const tn_real value = rows == 1 ? self->value : self->values[k]; \
            rate[k] = LEVEL == ACCELERATION ? x[rows + k] : value;           \
            if (LEVEL == ACCELERATION) rate[rows + k] = value;               \
        }                                                                    \
        return TN_OK;                                                        \
    }

#if TN_VALUES

/* What a row is held at, and its first and second time derivative. */
typedef struct course {
    double at[3];
} course;

static course course_of(const tn_batch *batch, uint32_t i, const directed *d, double value, uint32_t k,
                        tn_status *worst)
{
    static const double ahead[1] = {1.0};
    const double *x = batch->x + (size_t)i * batch->layout->nx;
    if (LEVEL == ACCELERATION) return (course){{x[k], x[d->rows + k], value}};
    tn_expression_values found = {.struct_size = sizeof found, .entry = d->rows == 1 ? 0 : 1 + k};
    const tn_status status = batch->host->observe(batch->host, batch->variable[i], ahead, &found);
    if (status != TN_OK)
        *worst = tn_note_failure(batch, i, *worst, status, "its value has no derivative here");
    if (LEVEL == VELOCITY) return (course){{x[k], value, found.by_time}};
    return (course){{value, found.by_time, found.product[0]}};
}

/* Behind an accepted step. */
static void watch_jumps(const tn_context *context, const directed *d, const double *held, double *data)
{
    if (LEVEL != DISPLACEMENT || is_broken(data)) return;
    for (uint32_t k = 0; k < d->rows; k++)
        tn_watch_jump(context, data + JUMPS + k * TN_JUMP_DATA, d->rows == 1 ? 0 : 1 + k, held[k], "m");
}

static tn_status prepare_prescribed(const tn_host *host, directed *d, int32_t follow, const double *direction,
                                    bool one, bool three, const double *base)
{
    if (one == three)
        return tn_refuse(host, one ? "values" : NULL,
                         "a `value` along a `direction`, or three `values` along a `base`");
    if (three && !isnan(direction[0]))
        return tn_refuse(host, "direction", "three `values` have the directions of their `base`");
    d->follow = follow == FOLLOW_AUTOMATIC ? FOLLOW_FIXED : follow;
    if (one) return set_direction(host, direction, d);
    set_base(base, d);
    return TN_OK;
}

#define TN_PRESCRIBED(name)                                                                                  \
    static tn_status name##_prepare(const tn_host *host, void *instance)                                     \
    {                                                                                                        \
        name *self = instance;                                                                               \
        return prepare_prescribed(host, &self->rows, self->follow, self->direction, !isnan(self->value),     \
                                  !isnan(self->values[0]), self->base);                                      \
    }                                                                                                        \
    static tn_status name##_layout(const tn_host *host, const void *instance, tn_layout *layout)             \
    {                                                                                                        \
        const name *self = instance;                                                                         \
        layout->nx = LEVEL * self->rows.rows;                                                                \
        layout->held_states = LEVEL > 0;                                                                     \
        const tn_status status = lay_out_directed(host, &self->rows, !isnan(self->strength), layout);        \
        layout->nd = PRESCRIBED_DATA;                                                                        \
        return status;                                                                                       \
    }                                                                                                        \
    static double name##_value(const name *self, uint32_t k)                                                 \
    {                                                                                                        \
        return self->rows.rows == 1 ? self->value : self->values[k];                                         \
    }                                                                                                        \
    /* Takes a derivative of what is held off the residuals. */                                              \
    static tn_status name##_take_off(tn_batch *batch, tn_status worst, int order)                            \
    {                                                                                                        \
        for (uint32_t i = 0; i < batch->count; i++) {                                                        \
            const name *self = tn_instance(batch, i);                                                        \
            const tn_context context = tn_context_at(batch, i);                                              \
            const uint32_t rows = self->rows.rows;                                                           \
            for (uint32_t k = 0; context.active && !is_broken(tn_data(&context)) && k < rows; k++)           \
                batch->residual[i * rows + k] -=                                                             \
                    course_of(batch, i, &self->rows, name##_value(self, k), k, &worst).at[order];            \
        }                                                                                                    \
        return worst;                                                                                        \
    }                                                                                                        \
    static tn_status name##_held(tn_batch *batch)                                                            \
    {                                                                                                        \
        return name##_take_off(batch, name##_constraint(batch), 0);                                          \
    }                                                                                                        \
    static tn_status name##_held_rate(tn_batch *batch)                                                       \
    {                                                                                                        \
        return name##_take_off(batch, name##_constraint_rate(batch), 1);                                     \
    }                                                                                                        \
    static tn_status name##_held_bias(tn_batch *batch)                                                       \
    {                                                                                                        \
        return name##_take_off(batch, name##_constraint_bias(batch), 2);                                     \
    }                                                                                                        \
    TN_FOR_INSTANCES(name, at_start, TN_ANY, 2, double *data = tn_own_data(context); if (data[FOUND] == 0.0) \
                         find_reference(&self->rows, marker, context, data, nothing_prescribed))             \
    /* A displacement counts from the start; the others go on from where they become active. */              \
    TN_ACCEPTED(name, TN_ANY, 2)                                                                             \
    {                                                                                                        \
        const bool first = data[FOUND] == 0.0, waits = !context->active && LEVEL > 0;                        \
        if (first || waits)                                                                                  \
            find_reference(&self->rows, marker, context, data,                                               \
                           LEVEL ? tn_states(context) : nothing_prescribed);                                 \
        settle_strength(context, data);                                                                      \
        watch_jumps(context, &self->rows, self->rows.rows == 1 ? &self->value : self->values, data);         \
    }                                                                                                        \
    TN_EVENTS(name, TN_ANY, 2)                                                                               \
    {                                                                                                        \
        value[0] = strength_left(tn_data(context), self->strength - load_of(context));                       \
    }                                                                                                        \
    TN_ON_EVENT(name, TN_ANY, 2)                                                                             \
    {                                                                                                        \
        if (sign[0] < 0.0) break_now(context, data, load_of(context));                                       \
    }                                                                                                        \
    /* Where to it moves. */                                                                                 \
    static tn_status name##_draw(const tn_host *host, const void *instance, const tn_drawing_sink *sink)     \
    {                                                                                                        \
        (void)host;                                                                                          \
        return draw_directions(&((const name *)instance)->rows, TN_DRAWN_ARROW, sink);                       \
    }                                                                                                        \
    TN_PORTS(name, {"markers", "the point, against the ground or a second one", TN_ANY, 1, 2, 0})            \
    TN_OUTPUTS(name, SHARED_OUTPUTS("how far it is off"))                                                    \
    TN_OUTPUT(name, TN_ANY, 2)                                                                               \
    {                                                                                                        \
        double held[MOST_DIRECTIONS] = {0.0};                                                                \
        for (uint32_t k = 0; k < self->rows.rows; k++)                                                       \
            held[k] = LEVEL ? tn_states(context)[k] : name##_value(self, k);                                 \
        return write_directed_output(&self->rows, marker, context, output, held, value);                     \
    }

#define TN_PRESCRIBED_CAPABILITIES(name)                                                     \
    TN_HAS(constraint, .constraint = name##_held, .constraint_rows = name##_constraint_rows, \
           .constraint_rate = name##_held_rate, .constraint_bias = name##_held_bias,         \
           .constraint_stiffness = name##_constraint_stiffness),                             \
        TN_HAS(data, .accepted = name##_accepted, .at_start = name##_at_start),              \
        TN_HAS(events, .events = name##_events, .on_event = name##_on_event), TN_HAS_DRAWING(name)

#define TN_PRESCRIBED_FIELDS(name)                                                                        \
    .literature = SOLFEC_LITERATURE, .synonyms = name##_synonyms, .flags = TN_DRIVEN | TN_KEEPS_RATES,    \
    .ports = name##_ports, .outputs = name##_outputs, .prepare = name##_prepare, .layout = name##_layout, \
    .output = name##_output

#endif

#endif

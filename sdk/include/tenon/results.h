/* tenon/results.h - texts that are wanted as values only: outputs, energies, discrete data and events; included by author.h.
 *
 * They stand between #if TN_VALUES and #endif. */
#ifndef TENON_RESULTS_H
#define TENON_RESULTS_H

#include "tenon/loops.h"

#if TN_VALUES

/* Text of one instance with its own type hidden. */
typedef void (*tn_instance_text)(const void *instance, const tn_marker_state *marker, tn_context *context);
typedef tn_status (*tn_output_text)(const void *instance, const tn_marker_state *marker, tn_context *context,
                                    double *value);
typedef double (*tn_update_text)(const void *instance, const tn_marker_state *marker, tn_context *context,
                                 double *recommended_step);

/* ---- outputs --------------------------------------------------------------------------------------------- */

/* `size` of the output; `marker` has room for `maximum` of them. */
TN_INLINE tn_status tn_output_values(tn_batch *batch, tn_output_text text, uint32_t size, uint32_t kind,
                                     uint32_t maximum, tn_marker_state *marker)
{
    tn_status worst = TN_OK;
    const uint32_t count = tn_count_of(batch, kind, maximum);
    for (uint32_t i = batch->first; i < batch->first + batch->count; i++) {
        tn_context context = tn_context_at(batch, i);
        tn_load_markers(batch, kind, count, i, marker, NULL);
        double *value = batch->value + (size_t)(i - batch->first) * size;
        worst = tn_note_status(&context, worst, text(tn_instance(batch, i), marker, &context, value));
    }
    return worst;
}

/* The wrench on marker k of the context's instance, as outputs find it: whatever kinds the markers are. That of a node is read. */
static inline TN_UNUSED tn_wrench tn_wrench_on(const tn_context *context, uint32_t k)
{
    const tn_batch *batch = context->batch;
    double *from = batch->wrench + (size_t)context->instance * batch->wrench_size;
    tn_wrench wrench = {{{0.0, 0.0, 0.0}}, {{0.0, 0.0, 0.0}}, NULL};
    for (uint32_t before = 0; before < k; before++)
        from += tn_twist_size(batch->marker_kind[before]);
    if (tn_is_node(batch->marker_kind[k])) {
        wrench.generalized = from;
        return wrench;
    }
    for (uint32_t e = 0; e < tn_twist_size(batch->marker_kind[k]); e++)
        *(e < 3 ? &wrench.force.e[e] : &wrench.torque.e[e - 3]) = from[e];
    return wrench;
}

#define TN_OUTPUT_TEXT(name)                                                                                \
    static inline tn_status name##_output_text(                                                             \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED const tn_batch *batch, TN_UNUSED uint32_t i, TN_UNUSED uint32_t output, double *value)
/* Outputs of a connector or body: reads self, marker[], context, batch, i (instance) and `output` (index in
 * the table of outputs); writes value[]. */
#define TN_OUTPUT(name, KIND, maximum)                                                                      \
    TN_OUTPUT_TEXT(name);                                                                                   \
    TN_INLINE tn_status name##_output_of(const void *instance, const tn_marker_state *marker,               \
                                         tn_context *context, double *value)                                \
    {                                                                                                       \
        const tn_batch *batch = context->batch;                                                             \
        return name##_output_text((const name *)instance, marker, context, batch, context->instance,        \
                                  batch->output, value);                                                    \
    }                                                                                                       \
    static tn_status name##_output(tn_batch *batch)                                                         \
    {                                                                                                       \
        tn_marker_state marker[TN_ROOM(maximum)];                                                           \
        return tn_output_values(batch, name##_output_of, name##_outputs[batch->output].size, KIND, maximum, \
                                marker);                                                                    \
    }                                                                                                       \
    TN_OUTPUT_TEXT(name)

/* ---- energies, discrete data, events ---------------------------------------------------------------------- */

/* Does something with every instance, active or not. */
TN_INLINE tn_status tn_for_instances(tn_batch *batch, tn_instance_text text, uint32_t kind, uint32_t maximum,
                                     tn_marker_state *marker)
{
    const uint32_t count = tn_count_of(batch, kind, maximum);
    for (uint32_t i = 0; i < batch->count; i++) {
        tn_context context = tn_context_at(batch, i);
        tn_load_markers(batch, kind, count, i, marker, NULL);
        text(tn_instance(batch, i), marker, &context);
    }
    return TN_OK;
}

/* What the context's instance has in arrays of the batch: its discrete data and states, to be written; its event functions. */
TN_INLINE double *tn_own_data(const tn_context *context)
{
    return context->batch->d + (size_t)context->instance * context->batch->layout->nd;
}
TN_INLINE double *tn_own_events(const tn_context *context)
{
    return context->batch->value + (size_t)context->instance * context->batch->layout->events;
}

TN_INLINE double *tn_own_states(const tn_context *context)
{
    return context->batch->x + (size_t)context->instance * context->batch->layout->nx;
}

/* The function name_what of a batch, which does `...` with the text name_what_text of every instance. */
#define TN_FOR_INSTANCES(name, what, KIND, maximum, ...)                                   \
    TN_INLINE void name##_##what##_of(const void *instance, const tn_marker_state *marker, \
                                      tn_context *context)                                 \
    {                                                                                      \
        const name *self = (const name *)instance;                                         \
        __VA_ARGS__;                                                                       \
    }                                                                                      \
    static tn_status name##_##what(tn_batch *batch)                                        \
    {                                                                                      \
        tn_marker_state marker[TN_ROOM(maximum)];                                          \
        return tn_for_instances(batch, name##_##what##_of, KIND, maximum, marker);         \
    }

#define TN_ENERGY_TEXT(name, what)             \
    static inline double name##_##what##_text( \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context)
#define TN_ENERGY(name, what, KIND, maximum)                                                  \
    TN_ENERGY_TEXT(name, what);                                                               \
    TN_FOR_INSTANCES(name, what, KIND, maximum,                                               \
                     context->batch->value[context->instance] =                               \
                         context->active ? name##_##what##_text(self, marker, context) : 0.0) \
    TN_ENERGY_TEXT(name, what)
/* Potential energy of a connector, J, and the power that it dissipates, W: read self, marker[], context; return a
 * double. Both are zero while it is not active. */
#define TN_POTENTIAL(name, KIND, maximum) TN_ENERGY(name, potential, KIND, maximum)
#define TN_DISSIPATION(name, KIND, maximum) TN_ENERGY(name, dissipation, KIND, maximum)

#define TN_ACCEPTED_TEXT(name)                                                       \
    static inline void name##_accepted_text(TN_UNUSED const name *self,              \
                                            TN_UNUSED const tn_marker_state *marker, \
                                            TN_UNUSED tn_context *context, TN_UNUSED double *data)
/* What an accepted step leaves in the discrete data of a connector: reads self, marker[], context; writes data[]; may
 * warn (tn_warn). */
#define TN_ACCEPTED(name, KIND, maximum)                                                \
    TN_ACCEPTED_TEXT(name);                                                             \
    TN_FOR_INSTANCES(name, accepted, KIND, maximum,                                     \
                     name##_accepted_text(self, marker, context, tn_own_data(context))) \
    TN_ACCEPTED_TEXT(name)

#define TN_EVENTS_TEXT(name)                                                       \
    static inline void name##_events_text(TN_UNUSED const name *self,              \
                                          TN_UNUSED const tn_marker_state *marker, \
                                          TN_UNUSED tn_context *context, TN_UNUSED double *value)
/* Event functions of a connector: reads self, marker[], context; writes value[], smooth numbers that change their signs
 * where something switches. */
#define TN_EVENTS(name, KIND, maximum)                                                  \
    TN_EVENTS_TEXT(name);                                                               \
    TN_FOR_INSTANCES(name, events, KIND, maximum,                                       \
                     name##_events_text(self, marker, context, tn_own_events(context))) \
    TN_EVENTS_TEXT(name)

/* The impulses of an instance, of whatever kinds its markers are: zero, then as they are. Those on nodes are written where they
 * belong. */
static inline TN_UNUSED void tn_clear_impulses(const tn_context *context, tn_wrench *impulse)
{
    const tn_batch *batch = context->batch;
    double *to = batch->wrench + (size_t)context->instance * batch->wrench_size;
    for (uint32_t k = 0; k < batch->marker_count; k++) {
        const uint32_t kind = batch->marker_kind[k];
        impulse[k].force = impulse[k].torque = tn_zero();
        impulse[k].generalized = tn_is_node(kind) ? to : NULL;
        to += tn_twist_size(kind);
    }
}
static inline TN_UNUSED void tn_store_impulses(const tn_context *context, const tn_wrench *impulse)
{
    const tn_batch *batch = context->batch;
    double *to = batch->wrench + (size_t)context->instance * batch->wrench_size;
    for (uint32_t k = 0; k < batch->marker_count; k++) {
        const uint32_t size = tn_twist_size(batch->marker_kind[k]);
        for (uint32_t e = 0; e < size && !impulse[k].generalized; e++)
            to[e] = e < 3 ? impulse[k].force.e[e] : impulse[k].torque.e[e - 3];
        to += size;
    }
}

#define TN_ON_EVENT_TEXT(name)                                                                              \
    static inline void name##_on_event_text(                                                                \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED const double *sign, TN_UNUSED double *data, TN_UNUSED double *x,                          \
        TN_UNUSED tn_wrench *impulse)
/* What happens there: reads self, marker[], context and sign[] (1 or -1 for an event function that has just changed to it,
 * else 0); writes data[], own states x[], and impulse[] (N s and N m s, zero at the start) on the markers, with the velocities
 * before in these. */
#define TN_ON_EVENT(name, KIND, maximum)                                                          \
    TN_ON_EVENT_TEXT(name);                                                                       \
    TN_FOR_INSTANCES(name, on_event, KIND, maximum, tn_wrench impulse[TN_ROOM(maximum)];          \
                     tn_clear_impulses(context, impulse);                                         \
                     name##_on_event_text(self, marker, context, tn_own_events(context),          \
                                          tn_own_data(context), tn_own_states(context), impulse); \
                     tn_store_impulses(context, impulse))                                         \
    TN_ON_EVENT_TEXT(name)

/* ---- laws that switch ------------------------------------------------------------------------------------- */

TN_INLINE tn_status tn_update_values(tn_batch *batch, tn_update_text text, uint32_t kind, uint32_t maximum,
                                     tn_marker_state *marker)
{
    const uint32_t count = tn_count_of(batch, kind, maximum);
    batch->error = batch->recommended_step = 0.0;
    for (uint32_t i = 0; i < batch->count; i++) {
        tn_context context = tn_context_at(batch, i);
        double step = 0.0;
        tn_load_markers(batch, kind, count, i, marker, NULL);
        const double error = text(tn_instance(batch, i), marker, &context, &step);
        if (!context.active) continue;
        batch->error += error;
        if (step > 0.0 && (batch->recommended_step <= 0.0 || step < batch->recommended_step))
            batch->recommended_step = step;
        if (context.message) (void)tn_warn(&context, context.message);
    }
    return TN_OK;
}

#define TN_UPDATE_TEXT(name)                                                                                \
    static inline double name##_update_text(                                                                \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED double *data, TN_UNUSED double *recommended_step)
/* How a law switches, once the iterations of an implicit step with held data converged: reads self, marker[], context
 * and the held data[], which it renews; returns the force, N, that this changes at the state as it is. It may write
 * *recommended_step (see tn_batch). What an instance that is not active returns
 * does not count. At batch->step 0 a static text in context->message becomes a warning. */
#define TN_UPDATE(name, KIND, maximum)                                                           \
    TN_UPDATE_TEXT(name);                                                                        \
    TN_INLINE double name##_update_of(const void *instance, const tn_marker_state *marker,       \
                                      tn_context *context, double *recommended_step)             \
    {                                                                                            \
        return name##_update_text((const name *)instance, marker, context, tn_own_data(context), \
                                  recommended_step);                                             \
    }                                                                                            \
    static tn_status name##_update(tn_batch *batch)                                              \
    {                                                                                            \
        tn_marker_state marker[TN_ROOM(maximum)];                                                \
        return tn_update_values(batch, name##_update_of, KIND, maximum, marker);                 \
    }                                                                                            \
    TN_UPDATE_TEXT(name)

#else

/* What is not differentiated, where it stands outside of #if TN_VALUES: one plain error in front of the others. */
#define TN_VALUES_ONLY(what) TN_STATIC_ASSERT(false, what " stands between #if TN_VALUES and #endif");
#define TN_OUTPUT(name, KIND, maximum) TN_VALUES_ONLY("TN_OUTPUT")
#define TN_POTENTIAL(name, KIND, maximum) TN_VALUES_ONLY("TN_POTENTIAL")
#define TN_DISSIPATION(name, KIND, maximum) TN_VALUES_ONLY("TN_DISSIPATION")
#define TN_ACCEPTED(name, KIND, maximum) TN_VALUES_ONLY("TN_ACCEPTED")
#define TN_EVENTS(name, KIND, maximum) TN_VALUES_ONLY("TN_EVENTS")
#define TN_ON_EVENT(name, KIND, maximum) TN_VALUES_ONLY("TN_ON_EVENT")
#define TN_UPDATE(name, KIND, maximum) TN_VALUES_ONLY("TN_UPDATE")

#endif

#endif

/* tenon/results.h - texts that are wanted as values only: outputs, energies, discrete data and events; included by author.h.
 *
 * They stand between #if TN_VALUES and #endif. */
#ifndef TENON_RESULTS_H
#define TENON_RESULTS_H

#if TN_VALUES

/* Outputs of a connector or body: reads self, marker[], context, batch, i (instance) and `output` (index in
 * the table of outputs); writes value[]. */
#define TN_OUTPUT(name, KIND, maximum)                                                                      \
    static inline tn_status name##_output_text(                                                             \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED const tn_batch *batch, TN_UNUSED uint32_t i, TN_UNUSED uint32_t output, double *value);   \
    static tn_status name##_output(tn_batch *batch)                                                         \
    {                                                                                                       \
        tn_status worst = TN_OK;                                                                            \
        const uint32_t size = name##_outputs[batch->output].size;                                           \
        for (uint32_t i = batch->first; i < batch->first + batch->count; i++) {                             \
            const int count = TN_COUNT_OF(KIND, batch, maximum);                                            \
            tn_marker_state marker[(maximum) > 0 ? (maximum) : 1];                                          \
            for (int k = 0; k < count; k++)                                                                 \
                tn_load_marker(batch->pose, batch->twist, TN_KIND_OF(KIND, batch, k),                       \
                               batch->marker[i * (uint32_t)count + (uint32_t)k], &marker[k]);               \
            const name *self = (const name *)tn_instance(batch, i);                                         \
            tn_context context = {batch->time, batch, i, !batch->active || batch->active[i], NULL};         \
            tn_status status = name##_output_text(self, marker, &context, batch, i, batch->output,          \
                                                  batch->value + (i - batch->first) * size);                \
            if (status != TN_OK) {                                                                          \
                worst = tn_note_failure(batch, i, worst, status, context.message);                          \
                context.message = NULL;                                                                     \
            }                                                                                               \
        }                                                                                                   \
        return worst;                                                                                       \
    }                                                                                                       \
    static inline tn_status name##_output_text(                                                             \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED const tn_batch *batch, TN_UNUSED uint32_t i, TN_UNUSED uint32_t output, double *value)

/* Potential energy of a connector, J, and the power that it dissipates, W: read self, marker[], context; return a
 * double. Both are zero while it is not active. */
#define TN_POTENTIAL(name, KIND, maximum) TN_ENERGY(name, potential, KIND, maximum)
#define TN_DISSIPATION(name, KIND, maximum) TN_ENERGY(name, dissipation, KIND, maximum)
#define TN_ENERGY_TEXT(name, what)             \
    static inline double name##_##what##_text( \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context)
#define TN_ENERGY(name, what, KIND, maximum)                                                                \
    TN_ENERGY_TEXT(name, what);                                                                             \
    TN_EACH_INSTANCE(name, KIND, maximum, what,                                                             \
                     batch->value[i] = context.active ? name##_##what##_text(self, marker, &context) : 0.0) \
    TN_ENERGY_TEXT(name, what)

/* A function of the batch that does something with every instance i of a connector, its markers and its context. */
#define TN_EACH_INSTANCE(name, KIND, maximum, what, ...)                                            \
    static tn_status name##_##what(tn_batch *batch)                                                 \
    {                                                                                               \
        const int count = TN_COUNT_OF(KIND, batch, maximum);                                        \
        for (uint32_t i = 0; i < batch->count; i++) {                                               \
            tn_marker_state marker[maximum];                                                        \
            for (int k = 0; k < count; k++)                                                         \
                tn_load_marker(batch->pose, batch->twist, TN_KIND_OF(KIND, batch, k),               \
                               batch->marker[i * (uint32_t)count + (uint32_t)k], &marker[k]);       \
            tn_context context = {batch->time, batch, i, !batch->active || batch->active[i], NULL}; \
            const name *self = (const name *)tn_instance(batch, i);                                 \
            __VA_ARGS__;                                                                            \
        }                                                                                           \
        return TN_OK;                                                                               \
    }

#define TN_ACCEPTED_TEXT(name)                                                       \
    static inline void name##_accepted_text(TN_UNUSED const name *self,              \
                                            TN_UNUSED const tn_marker_state *marker, \
                                            TN_UNUSED tn_context *context, TN_UNUSED double *data)
/* What an accepted step leaves in the discrete data of a connector: reads self, marker[], context; writes data[]; may
 * warn (tn_warn). */
#define TN_ACCEPTED(name, KIND, maximum)                                                                     \
    TN_ACCEPTED_TEXT(name);                                                                                  \
    TN_EACH_INSTANCE(name, KIND, maximum, accepted,                                                          \
                     name##_accepted_text(self, marker, &context, batch->d + (size_t)i * batch->layout->nd)) \
    TN_ACCEPTED_TEXT(name)

#define TN_EVENTS_TEXT(name)                                                       \
    static inline void name##_events_text(TN_UNUSED const name *self,              \
                                          TN_UNUSED const tn_marker_state *marker, \
                                          TN_UNUSED tn_context *context, TN_UNUSED double *value)
/* Event functions of a connector: reads self, marker[], context; writes value[], smooth numbers that change their signs
 * where something switches. */
#define TN_EVENTS(name, KIND, maximum)                                                                \
    TN_EVENTS_TEXT(name);                                                                             \
    TN_EACH_INSTANCE(                                                                                 \
        name, KIND, maximum, events,                                                                  \
        name##_events_text(self, marker, &context, batch->value + (size_t)i * batch->layout->events)) \
    TN_EVENTS_TEXT(name)

/* The impulses of an instance, of whatever kinds its markers are. */
static inline TN_UNUSED void tn_store_impulses(const tn_batch *batch, uint32_t i, const tn_wrench *impulse)
{
    double *to = batch->wrench + (size_t)i * batch->wrench_size;
    for (uint32_t k = 0; k < batch->marker_count; k++) {
        const uint32_t size = tn_twist_size(batch->marker_kind[k]);
        for (uint32_t e = 0; e < size; e++)
            *to++ = e < 3 ? impulse[k].force.e[e] : impulse[k].torque.e[e - 3];
    }
}

#define TN_ON_EVENT_TEXT(name)                                                                              \
    static inline void name##_on_event_text(                                                                \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED const double *sign, TN_UNUSED double *data, TN_UNUSED double *x,                          \
        TN_UNUSED tn_wrench *impulse)
/* What happens there: reads self, marker[], context and sign[] (1 or -1 for an event function that has just changed to it,
 * else 0); writes data[], own states x[], and impulse[] (N s and N m s, zero at the start) on the markers, with the velocities before
 * in these. */
#define TN_ON_EVENT(name, KIND, maximum)                                                               \
    TN_ON_EVENT_TEXT(name);                                                                            \
    TN_EACH_INSTANCE(name, KIND, maximum, on_event, tn_wrench impulse[maximum];                        \
                     for (int k = 0; k < count; k++) impulse[k].force = impulse[k].torque = tn_zero(); \
                     name##_on_event_text(self, marker, &context,                                      \
                                          batch->value + (size_t)i * batch->layout->events,            \
                                          batch->d + (size_t)i * batch->layout->nd,                    \
                                          batch->x + (size_t)i * batch->layout->nx, impulse);          \
                     tn_store_impulses(batch, i, impulse))                                             \
    TN_ON_EVENT_TEXT(name)

/* How a law switches, once the iterations of an implicit step with held data converged: reads self, marker[], context
 * and the held data[], which it renews; returns the force, N, that this changes at the state as it is. It may write
 * *recommended_step (see tn_batch). What an instance that is not active returns
 * does not count. At batch->step 0 a static text in context->message becomes a warning. */
#define TN_UPDATE(name, KIND, maximum)                                                                      \
    static inline double name##_update_text(                                                                \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED double *data, TN_UNUSED double *recommended_step);                                        \
    static tn_status name##_update(tn_batch *batch)                                                         \
    {                                                                                                       \
        const int count = TN_COUNT_OF(KIND, batch, maximum);                                                \
        batch->error = batch->recommended_step = 0.0;                                                       \
        for (uint32_t i = 0; i < batch->count; i++) {                                                       \
            tn_marker_state marker[maximum];                                                                \
            double step = 0.0;                                                                              \
            for (int k = 0; k < count; k++)                                                                 \
                tn_load_marker(batch->pose, batch->twist, TN_KIND_OF(KIND, batch, k),                       \
                               batch->marker[i * (uint32_t)count + (uint32_t)k], &marker[k]);               \
            tn_context context = {batch->time, batch, i, !batch->active || batch->active[i], NULL};         \
            const double error = name##_update_text((const name *)tn_instance(batch, i), marker, &context,  \
                                                    batch->d + (size_t)i * batch->layout->nd, &step);       \
            if (!context.active) continue;                                                                  \
            batch->error += error;                                                                          \
            if (step > 0.0 && (batch->recommended_step <= 0.0 || step < batch->recommended_step))           \
                batch->recommended_step = step;                                                             \
            if (context.message && batch->failure && !batch->failure->message)                              \
                *batch->failure = (tn_failure){i, TN_OK, context.message};                                  \
        }                                                                                                   \
        return TN_OK;                                                                                       \
    }                                                                                                       \
    static inline double name##_update_text(                                                                \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED double *data, TN_UNUSED double *recommended_step)

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

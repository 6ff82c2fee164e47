/* tenon/calls.h - laws of connectors that call a user's function: for several instances at once; included by author.h.
 *
 * The author writes such a law in two parts, around the call: NAME_measure(), which takes what it needs from the markers and fills the
 * arguments of the call, and NAME_apply(), which takes the result to the wrenches. What the second part needs of the first one is kept
 * in a struct of the author's, whose first field is `tn_real value`:
 *
 *     typedef struct spring_line { tn_real value; tn_vec3 direction; } spring_line;
 *
 *     static inline tn_status spring_measure(const spring *self, const tn_marker_state *marker, tn_context *context,
 *                                            spring_line *kept, tn_real *argument);
 *     static inline void spring_apply(const spring_line *kept, tn_wrench *wrench);
 *
 *     TN_CALLING_FORCE(spring, TN_POINT, 2, spring_line, force_function, 6)
 *
 * The call's result becomes kept->value. Where an instance has no such function, spring_measure() fills kept->value, and no argument.
 * The same numbers elsewhere, such as in outputs: spring_law(self, marker, context, &kept), of all that comes before spring_apply(). */
#ifndef TENON_CALLS_H
#define TENON_CALLS_H

#include "tenon/loops.h"

#if TN_VALUES
#include "tenon/values.h"
#endif

/* The two parts and the call between them, of one instance. */
#define TN_CALLING_LAW(name, kept_type, callable, arguments)                                      \
    static inline TN_UNUSED tn_status name##_law(const name *self, const tn_marker_state *marker, \
                                                 tn_context *context, kept_type *kept)            \
    {                                                                                             \
        tn_real argument[arguments];                                                              \
        const tn_status status = name##_measure(self, marker, context, kept, argument);           \
        if (status != TN_OK || !tn_is_given(self->callable)) return status;                       \
        return tn_call(context, self->callable, argument, arguments, &kept->value);               \
    }

#define TN_CALLING_TEXT(name, kept_type)                                   \
    {                                                                      \
        kept_type kept;                                                    \
        const tn_status status = name##_law(self, marker, context, &kept); \
        if (status == TN_OK) name##_apply(&kept, wrench);                  \
        return status;                                                     \
    }

#if TN_VALUES

/* Both parts with their types hidden. */
typedef tn_status (*tn_measure_text)(const void *instance, const tn_marker_state *marker, tn_context *context,
                                     void *kept, double *argument);
typedef void (*tn_apply_text)(const void *kept, tn_wrench *wrench);

/* What the loop knows of a law; constants, into which the texts are inlined. */
typedef struct tn_calling_law {
    tn_measure_text measure;
    tn_apply_text apply;
    uint32_t kind, maximum, arguments;
    size_t kept_size, place; /* the latter: of the callable in an instance */
} tn_calling_law;

/* Calls that wait to be made together: those of the instances first + lane[k]. */
typedef struct tn_waiting_calls {
    uint32_t first, count;
    double nothing; /* 0, or nan where some argument is not finite */
    uint32_t lane[TN_CALL_LANES];
    tn_callable callable[TN_CALL_LANES];
    double argument[TN_ARGUMENTS * TN_CALL_LANES], value[TN_CALL_LANES];
} tn_waiting_calls;

TN_INLINE tn_callable tn_callable_of(const tn_batch *batch, uint32_t i, size_t place)
{
    return *(const tn_callable *)(const void *)((const char *)tn_instance(batch, i) + place);
}

static inline TN_UNUSED bool tn_has_calls(const tn_batch *batch, size_t place)
{
    for (uint32_t i = 0; i < batch->count; i++)
        if (tn_is_given(tn_callable_of(batch, i, place))) return true;
    return false;
}

/* The calls one by one: where they cannot be made together, or one of them has no value. */
static inline TN_UNUSED tn_status tn_call_each(tn_context *context, const tn_waiting_calls *calls,
                                               int arguments, tn_status worst, char *kept, size_t kept_size,
                                               bool *good)
{
    for (uint32_t k = 0; k < calls->count; k++) {
        const uint32_t lane = calls->lane[k];
        double argument[TN_ARGUMENTS];
        for (int i = 0; i < arguments; i++)
            argument[i] = calls->argument[i * TN_CALL_LANES + (int)k];
        context->instance = calls->first + lane;
        const tn_status status = tn_call(context, calls->callable[k], argument, arguments,
                                         (double *)(void *)(kept + lane * kept_size));
        good[lane] = status == TN_OK;
        worst = tn_note_status(context, worst, status);
    }
    return worst;
}

TN_INLINE bool tn_call_together(const tn_batch *batch, tn_waiting_calls *calls, char *kept, size_t kept_size)
{
    const tn_host *host = batch->host;
    const bool offered = host->struct_size >= offsetof(tn_host, call_many) + sizeof host->call_many;
    if (!offered || !host->call_many || calls->count < 2 || calls->nothing != 0.0 ||
        host->call_many(host, calls->callable, calls->count, calls->argument, calls->value) != TN_OK)
        return false;
    for (uint32_t k = 0; k < calls->count; k++)
        *(double *)(void *)(kept + calls->lane[k] * kept_size) = calls->value[k];
    return true;
}

/* The first parts of a block of instances, and their calls; good[lane]: there is a force. */
TN_INLINE tn_status tn_measure_block(tn_context *context, tn_calling_law law, tn_waiting_calls *calls,
                                     uint32_t lanes, tn_marker_state *marker, char *kept, bool *good,
                                     tn_status worst)
{
    const tn_batch *batch = context->batch;
    const uint32_t first = calls->first;
    double argument[TN_ARGUMENTS] = {0.0};
    calls->count = 0;
    calls->nothing = 0.0;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const uint32_t i = first + lane;
        good[lane] = false;
        if (batch->active && !batch->active[i]) continue;
        context->instance = i;
        tn_load_markers(batch, law.kind, law.maximum, i, marker, NULL);
        const tn_status status =
            law.measure(tn_instance(batch, i), marker, context, kept + lane * law.kept_size, argument);
        worst = tn_note_status(context, worst, status);
        good[lane] = status == TN_OK;
        const tn_callable callable = tn_callable_of(batch, i, law.place);
        if (!good[lane] || !tn_is_given(callable)) continue;
        const uint32_t k = calls->count++;
        calls->lane[k] = lane;
        calls->callable[k] = callable;
        double sum = 0.0;
        for (uint32_t j = 0; j < law.arguments; j++) {
            calls->argument[j * TN_CALL_LANES + k] = argument[j];
            sum += argument[j];
        }
        calls->nothing += sum - sum;
    }
    if (!tn_call_together(batch, calls, kept, law.kept_size))
        worst = tn_call_each(context, calls, (int)law.arguments, worst, kept, law.kept_size, good);
    return worst;
}

/* `kept` has room for TN_CALL_LANES of what the law keeps. */
TN_INLINE tn_status tn_calling_values(tn_batch *batch, tn_calling_law law, tn_marker_state *marker,
                                      tn_wrench *wrench, char *kept)
{
    tn_status worst = TN_OK;
    tn_context context = tn_context_of(batch);
    tn_waiting_calls calls;
    double *out = batch->wrench;
    bool good[TN_CALL_LANES];
    if (!tn_fits_ports(batch, law.kind, law.maximum)) return TN_INVALID;
    for (calls.first = 0; calls.first < batch->count; calls.first += TN_CALL_LANES) {
        const uint32_t left = batch->count - calls.first;
        const uint32_t lanes = left < TN_CALL_LANES ? left : (uint32_t)TN_CALL_LANES;
        worst = tn_measure_block(&context, law, &calls, lanes, marker, kept, good, worst);
        for (uint32_t lane = 0; lane < lanes; lane++) {
            tn_clear_wrenches(batch, law.kind, law.maximum, wrench, out);
            if (good[lane]) law.apply(kept + lane * law.kept_size, wrench);
            out = tn_store_wrenches(batch, law.kind, law.maximum, wrench, out);
        }
    }
    return worst;
}

#define TN_CALLING_FORCE(name, KIND, maximum, kept_type, callable, arguments)                             \
    TN_CALLING_LAW(name, kept_type, callable, arguments)                                                  \
    TN_INLINE tn_status name##_measure_of(const void *instance, const tn_marker_state *marker,            \
                                          tn_context *context, void *kept, double *argument)              \
    {                                                                                                     \
        return name##_measure((const name *)instance, marker, context, (kept_type *)kept, argument);      \
    }                                                                                                     \
    TN_INLINE void name##_apply_of(const void *kept, tn_wrench *wrench)                                   \
    {                                                                                                     \
        name##_apply((const kept_type *)kept, wrench);                                                    \
    }                                                                                                     \
    TN_FORCE_OF(name)                                                                                     \
    static tn_status name##_force(tn_batch *batch)                                                        \
    {                                                                                                     \
        const tn_calling_law law = {name##_measure_of, name##_apply_of,         KIND, maximum, arguments, \
                                    sizeof(kept_type), offsetof(name, callable)};                         \
        tn_marker_state marker[maximum];                                                                  \
        tn_wrench wrench[maximum];                                                                        \
        kept_type kept[TN_CALL_LANES];                                                                    \
        if (!tn_has_calls(batch, law.place))                                                              \
            return tn_force_values(batch, name##_force_of, KIND, maximum, marker, wrench);                \
        return tn_calling_values(batch, law, marker, wrench, (char *)kept);                               \
    }                                                                                                     \
    TN_C_LINKAGE tn_status name##_force_tangent(tn_batch *batch);                                         \
    TN_FORCE_TEXT(name) TN_CALLING_TEXT(name, kept_type)

#else

#define TN_CALLING_FORCE(name, KIND, maximum, kept_type, callable, arguments) \
    TN_CALLING_LAW(name, kept_type, callable, arguments)                      \
    TN_FORCE(name, KIND, maximum) TN_CALLING_TEXT(name, kept_type)

#endif

#endif

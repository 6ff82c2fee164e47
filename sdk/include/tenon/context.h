/* tenon/context.h - what the text of one instance sees: markers, wrenches, time, states, discrete data, users' functions;
 * included by author.h. */
#ifndef TENON_CONTEXT_H
#define TENON_CONTEXT_H

#include "tenon/algebra.h"
#include "tenon/plugin.h"
#include "tenon/turns.h"

#include <string.h>

/* A marker of the instance, ground axes. A point has rotation = identity and angular_velocity = 0; the value
 * and rate of a coordinate stand in position.e[0] and velocity.e[0], its generalized force in force.e[0]. A node of n
 * coordinates has these and their rates, [n] each; they are NULL for all others. */
typedef struct tn_marker_state {
    tn_vec3 position;
    tn_mat3 rotation;
    tn_vec3 velocity, angular_velocity;
    const tn_real *coordinates, *rates;
} tn_marker_state;

/* Force at the marker's origin and torque, ground axes, acting on the marker's body; generalized forces [n] on the coordinates of
 * a node, zero at the start, NULL for all others. */
typedef struct tn_wrench {
    tn_vec3 force, torque;
    tn_real *generalized;
} tn_wrench;

/* Number of coordinates of marker k of this batch, which is a node. */
static inline TN_UNUSED uint32_t tn_node_size(const tn_batch *batch, uint32_t k)
{
    return batch->marker_kind[k] >> 8;
}

typedef struct tn_context {
    double time;
    const tn_batch *batch;
    uint32_t instance; /* index in the batch */
    bool active;
    const char *message; /* of a refusal: static text */
    double time_rate;    /* of time as a scalar of the pass: 1 where a pass differentiates along the motion */
    bool two_points;     /* the markers are two points, in the first two ports */
    /* dynamic parameters that a pass differentiates by, and the seed of the first (maybe none of this sweep) */
    uint32_t dynamic_count;
    int dynamic_seed;
#if !TN_VALUES
    const tn_real *state; /* own states, then algebraic unknowns, with their seeds */
#endif
} tn_context;

/* The context of a loop that goes over the active instances of a batch: it sets `instance`. */
TN_INLINE tn_context tn_context_of(const tn_batch *batch)
{
    tn_context context;
    context.time = batch->time;
    context.batch = batch;
    context.instance = 0;
    context.active = true;
    context.message = NULL;
    context.time_rate = 0.0;
    context.two_points = false;
    context.dynamic_count = 0;
    context.dynamic_seed = 0;
#if !TN_VALUES
    context.state = NULL;
#endif
    return context;
}

/* The context of one instance, active or not. */
TN_INLINE tn_context tn_context_at(const tn_batch *batch, uint32_t instance)
{
    tn_context context = tn_context_of(batch);
    context.instance = instance;
    context.active = !batch->active || batch->active[instance];
    return context;
}

/* Time as a scalar of the pass, for constraints that depend on it. */
static inline TN_UNUSED tn_real tn_time(const tn_context *context)
{
    tn_real time = tn_constant(context->time);
#if TN_PASS == TN_PASS_SECOND
    tn_seed_time(&time, context->time_rate, 0.0);
#endif
    return time;
}

/* Ends a text that has no value here; the message is static text. */
static inline TN_UNUSED tn_status tn_retry(tn_context *context, const char *message)
{
    context->message = message;
    return TN_RETRY;
}

/* Tells the user something about the current instance, from `accepted`; static text. False: another one has spoken in this
 * step, and the next step is the time to try again. */
static inline TN_UNUSED bool tn_warn(const tn_context *context, const char *message)
{
    tn_failure *failure = context->batch->failure;
    if (!failure || failure->message) return false;
    failure->instance = context->instance;
    failure->status = TN_OK;
    failure->message = message;
    return true;
}

/* Warns, once for each angle that the instance keeps (turns.h), where its turns are in doubt; from `accepted`. */
static inline TN_UNUSED void tn_tell_doubt(const tn_context *context, double *kept)
{
    if (kept[TN_KEPT_DOUBT] == (double)TN_DOUBT && tn_warn(context, TN_DOUBTFUL_TURNS))
        kept[TN_KEPT_DOUBT] = TN_DOUBT_TOLD;
}

/* The square of the length of a vector, as a number. */
static inline TN_UNUSED double tn_square_of(tn_vec3 a)
{
    const double x = tn_value(a.e[0]), y = tn_value(a.e[1]), z = tn_value(a.e[2]);
    return x * x + y * y + z * z;
}

/* Number of markers in port `port` of this batch, and the index of its first one. */
static inline TN_UNUSED uint32_t tn_port_count(const tn_context *context, uint32_t port)
{
    if (context->two_points) return port < 2;
    return context->batch->port_first[port + 1] - context->batch->port_first[port];
}
static inline TN_UNUSED uint32_t tn_port_first(const tn_context *context, uint32_t port)
{
    if (context->two_points) return port < 2 ? port : 2;
    return context->batch->port_first[port];
}

/* Discrete data of the instance, as `accepted` or `update` left them. A law with an `update` reads them while
 * batch->frozen is 1; else it goes by the state alone. */
static inline TN_UNUSED const double *tn_data(const tn_context *context)
{
    return context->batch->d + (size_t)context->instance * context->batch->layout->nd;
}

/* Own states x of the instance, as many as `layout` has asked for (nx): with their derivatives in a differentiating pass. */
static inline TN_UNUSED const tn_real *tn_states(const tn_context *context)
{
#if TN_VALUES
    return context->batch->x + (size_t)context->instance * context->batch->layout->nx;
#else
    return context->state;
#endif
}

/* Own algebraic unknowns s of the instance (ns), likewise. */
static inline TN_UNUSED const tn_real *tn_unknowns(const tn_context *context)
{
#if TN_VALUES
    return context->batch->s + (size_t)context->instance * context->batch->layout->ns;
#else
    return context->state + context->batch->layout->nx;
#endif
}

static inline TN_UNUSED bool tn_is_given(tn_callable callable) { return callable.handle != NULL; }

#if !TN_VALUES
/* A callable among the dynamic parameters: the derivative by its value. */
static inline TN_UNUSED void tn_seed_call(const tn_context *context, tn_callable callable, tn_real *result)
{
    const tn_dynamic *dynamic = context->batch->dynamic;
    const char *instance = (const char *)tn_instance(context->batch, context->instance);
    int seed = context->dynamic_seed;
    for (uint32_t k = 0; k < context->dynamic_count; seed += (int)dynamic[k].count, k++)
        if (dynamic[k].kind == TN_KIND_CALLABLE && seed >= 0 && seed < TN_SEEDS &&
            memcmp(instance + dynamic[k].offset, &callable, sizeof callable) == 0)
            tn_seed(result, seed, 1.0);
}
#endif

/* Calls a user's function with up to TN_ARGUMENTS arguments; its exact partial derivatives enter the pass. */
static inline TN_UNUSED tn_status tn_call(tn_context *context, tn_callable callable, const tn_real *arguments,
                                          int count, tn_real *result)
{
    double values[TN_ARGUMENTS], partials[TN_ARGUMENTS], value = 0.0;
    for (int i = 0; i < count; i++)
        values[i] = tn_value(arguments[i]);
    const tn_host *host = context->batch->host;
    tn_status status = host->call(host, callable, values, &value, TN_VALUES ? NULL : partials);
    if (status != TN_OK) return tn_worse(status, tn_retry(context, "the function has no value here"));
    *result = tn_constant(value);
#if TN_PASS == TN_PASS_SECOND
    context->message = "a function of the model has no second derivative: it cannot be used in a constraint";
    return TN_UNSUPPORTED;
#elif !TN_VALUES
    tn_seed_call(context, callable, result);
    for (int i = 0; i < count; i++)
        *result = *result + partials[i] * (arguments[i] - values[i]);
#endif
    return TN_OK;
}

#endif

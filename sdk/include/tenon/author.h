/* tenon/author.h - writing plugins: one function becomes values, exact tangent and batch loops.
 *
 * A connector states its parameters as one list, its law as one function of its markers:
 *
 *     #define SPRING(P) P(REAL, stiffness, "N/m", TN_REQUIRED, 0, 0, TN_UNBOUNDED, "force per stretch")
 *     TN_PARAMETERS(spring, SPRING)
 *     TN_FORCE(spring, TN_POINT, 2) { ... read self, marker, context; write wrench; return TN_OK; }
 *     TN_PORTS(spring, {"markers", "the two ends", TN_POINT, 2, 2, 0})
 *     TN_ELEMENT(spring, .summary = "...", TN_HAS_FORCE(spring))
 *     TN_LIBRARY("spring", "1.0.0", "Apache-2.0", "...", {TN_ELEMENT_KIND, &spring_type})
 *
 * An element with first-order states has their rates as well: TN_RATES(filter, TN_POINT, 2) { ... read x; write rate } with
 * TN_HAS_RATES(filter).
 *
 * Likewise a marker made of other markers, by its pose and twist: TN_KINEMATICS(middle, TN_POINT, TN_POINT, 2) { ...
 * write out->position and out->velocity } with TN_MARKER(middle, .kind = TN_POINT, ..., TN_HAS_KINEMATICS(middle)).
 *
 * The same file is compiled once per pass (see scalar.h) by `tenon build` or tenon_add_plugin(). In the text
 * of a law write tn_real and the functions of scalar.h and algebra.h, in the common subset of C and C++.
 * What is not differentiated (prepare, layout, outputs, energies, accepted) stands between #if TN_VALUES and #endif;
 * so does all of a file without any law (a function of expressions, a solver).
 *
 * Kinds of parameter in the list, with their field in `self`:
 *   P(REAL, name, unit, flags, default, low, high, meaning)              tn_real name
 *   P(VECTOR, name, unit, flags, meaning)                                tn_vec3 name (default zero)
 *   P(REALS, name, count, alternative, unit, flags, default, low, high, meaning)   tn_real name[count]
 *   P(ROTATION, name, flags, meaning)                                    double name[9] (default identity)
 *   P(INTEGER, name, flags, default, low, high, meaning)                 int64_t name
 *   P(BOOLEAN, name, flags, default, meaning)                            int32_t name
 *   P(BOOLEANS, name, count, flags, default, meaning)                    int32_t name[count]
 *   P(CHOICE, name, "a|b|c", flags, default index, meaning)              int32_t name
 *   P(TEXT, name, flags, meaning)                                        const char *name
 *   P(CALLABLE, name, unit, "argument [unit], ...", flags, meaning)      tn_callable name
 *   P(LIST, name, unit, flags, meaning)                                  tn_list name
 *   P(PRIVATE, type, name)                                               type name: not in the model, for prepare
 * A REAL, VECTOR or REALS flagged TN_DYNAMIC carries derivatives where the model gives an expression. A CALLABLE that is
 * flagged so may read the state besides its arguments; a law calls it at one set of arguments only. */
#ifndef TENON_AUTHOR_H
#define TENON_AUTHOR_H

#include "tenon/algebra.h"
#include "tenon/plugin.h"

#include <string.h>

#include "tenon/parameters.h"
#include "tenon/turns.h"

/* ---- what a text sees ----------------------------------------------------------------------------------- */

/* A marker of the instance, ground axes. A point has rotation = identity and angular_velocity = 0; the value
 * and rate of a coordinate stand in position.e[0] and velocity.e[0], its generalized force in force.e[0]. */
typedef struct tn_marker_state {
    tn_vec3 position;
    tn_mat3 rotation;
    tn_vec3 velocity, angular_velocity;
} tn_marker_state;

/* Force at the marker's origin and torque, ground axes, acting on the marker's body. */
typedef struct tn_wrench {
    tn_vec3 force, torque;
} tn_wrench;

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
    const tn_real *state; /* own states, with their seeds */
#endif
} tn_context;

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

static inline TN_UNUSED bool tn_is_given(tn_callable callable) { return callable.handle != NULL; }

#if !TN_VALUES
/* A callable among the dynamic parameters: the derivative by its value. (Numbers among these are never of the size that a
 * handle has for one.) */
static inline TN_UNUSED void tn_seed_call(const tn_context *context, tn_callable callable, tn_real *result)
{
    const tn_dynamic *dynamic = context->batch->dynamic;
    const char *instance = (const char *)tn_instance(context->batch, context->instance);
    int seed = context->dynamic_seed;
    for (uint32_t k = 0; k < context->dynamic_count; seed += (int)dynamic[k].count, k++)
        if (seed >= 0 && seed < TN_SEEDS &&
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
    context->message = "a function of the model has no second derivative: it cannot stand in a constraint";
    return TN_UNSUPPORTED;
#elif !TN_VALUES
    tn_seed_call(context, callable, result);
    for (int i = 0; i < count; i++)
        *result = *result + partials[i] * (arguments[i] - values[i]);
#endif
    return TN_OK;
}

/* ---- batch loops ---------------------------------------------------------------------------------------- */

/* Notes the first instance with the worst status. */
static inline TN_UNUSED tn_status tn_note_failure(const tn_batch *batch, uint32_t instance, tn_status worst,
                                                  tn_status status, const char *message)
{
    if (tn_worse(status, worst) == worst) return worst;
    if (batch->failure) {
        batch->failure->instance = instance;
        batch->failure->status = (uint32_t)status;
        batch->failure->message = message;
    }
    return tn_worse(status, worst);
}

/* False, noted as the failure, when a text was written for other markers than the ports of its type take: the arrays of
 * the batch would be read and written out of place. `kind` and `maximum` as in TN_FORCE. */
static inline TN_UNUSED bool tn_fits_ports(const tn_batch *batch, uint32_t kind, uint32_t maximum)
{
    bool fits = kind == TN_ANY ? batch->marker_count <= maximum : batch->marker_count == maximum;
    for (uint32_t k = 0; fits && kind != TN_ANY && k < maximum; k++)
        fits = batch->marker_kind[k] == kind;
    if (!fits)
        (void)tn_note_failure(batch, 0, TN_OK, TN_INVALID,
                              "its law is written for another number or kind of markers than its ports take");
    return fits;
}

static inline __attribute__((always_inline)) void tn_load_marker(const double *pose, const double *twist,
                                                                 uint32_t kind, tn_marker_place place,
                                                                 tn_marker_state *m)
{
    pose += place.pose;
    twist += place.twist;
    if (kind == TN_COORDINATE) {
        m->position = tn_vector(pose[0], 0.0, 0.0);
        m->velocity = tn_vector(twist[0], 0.0, 0.0);
    } else {
        m->position = tn_vector(pose[0], pose[1], pose[2]);
        m->velocity = tn_vector(twist[0], twist[1], twist[2]);
    }
    if (kind == TN_FRAME) {
        for (int i = 0; i < 3; i++)
            m->rotation.row[i] = tn_vector(pose[3 + 3 * i], pose[4 + 3 * i], pose[5 + 3 * i]);
        m->angular_velocity = tn_vector(twist[3], twist[4], twist[5]);
    } else {
        m->rotation = tn_identity();
        m->angular_velocity = tn_zero();
    }
}

static inline TN_UNUSED tn_marker_state tn_marker_at_rest(void)
{
    tn_marker_state m;
    m.position = m.velocity = m.angular_velocity = tn_zero();
    m.rotation = tn_identity();
    return m;
}

/* `KIND` is a constant, or TN_ANY for what the batch says; with TN_ANY `maximum` is the largest number of
 * markers (tn_port_count() tells how many there are), else the exact one. */
#define TN_KIND_OF(KIND, batch, k) ((KIND) == TN_ANY ? (batch)->marker_kind[k] : (uint32_t)(KIND))
#define TN_COUNT_OF(KIND, batch, maximum) ((KIND) == TN_ANY ? (int)(batch)->marker_count : (maximum))

#define TN_SIGNATURE(name, suffix)                                                                          \
    static inline tn_status name##_##suffix##_text(                                                         \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED tn_wrench *wrench)

#define TN_RATES_SIGNATURE(name)                                                                         \
    static inline tn_status name##_rates_text(                                                           \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED const tn_real *x, \
        TN_UNUSED tn_context *context, TN_UNUSED tn_real *rate)

#define TN_BODY_SIGNATURE(name)                                                                            \
    static inline tn_status name##_body_force_text(TN_UNUSED const name *self, TN_UNUSED const tn_real *q, \
                                                   TN_UNUSED const tn_real *v,                             \
                                                   TN_UNUSED tn_context *context, TN_UNUSED tn_real *force)

#define TN_RESIDUAL_SIGNATURE(name)                                                                      \
    static inline tn_status name##_residual_text(TN_UNUSED const name *self, TN_UNUSED const tn_real *q, \
                                                 TN_UNUSED const tn_real *v, TN_UNUSED const tn_real *a, \
                                                 TN_UNUSED tn_context *context, TN_UNUSED tn_real *residual)

#define TN_CONSTRAINT_SIGNATURE(name)                                                       \
    static inline tn_status name##_constraint_text(TN_UNUSED const name *self,              \
                                                   TN_UNUSED const tn_marker_state *marker, \
                                                   TN_UNUSED tn_context *context, TN_UNUSED tn_real *row)

#define TN_KINEMATICS_SIGNATURE(name)                                                                       \
    static inline tn_status name##_kinematics_text(                                                         \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED tn_marker_state *out)

#if TN_VALUES

#include "tenon/constraint.h"

/* Residuals of a constraint (see constraint.h): reads self, marker[], context; writes row[] (zero at the start). */
#define TN_CONSTRAINT(name)                                                                    \
    TN_CONSTRAINT_SIGNATURE(name);                                                             \
    static tn_status name##_constraint_of(const void *instance, const tn_marker_state *marker, \
                                          tn_context *context, tn_real *row)                   \
    {                                                                                          \
        return name##_constraint_text((const name *)instance, marker, context, row);           \
    }                                                                                          \
    static tn_status name##_constraint(tn_batch *batch)                                        \
    {                                                                                          \
        return tn_constraint_values(batch, name##_constraint_of);                              \
    }                                                                                          \
    tn_status name##_constraint_rows(tn_batch *batch);                                         \
    tn_status name##_constraint_rate(tn_batch *batch);                                         \
    tn_status name##_constraint_bias(tn_batch *batch);                                         \
    tn_status name##_constraint_stiffness(tn_batch *batch);                                    \
    TN_CONSTRAINT_SIGNATURE(name)

/* Pose and twist of a marker as one row; where the next one begins. */
static inline TN_UNUSED double *tn_store_marker(double *to, uint32_t kind, const tn_marker_state *m)
{
    const int size = kind == TN_COORDINATE ? 1 : 3;
    for (int j = 0; j < size; j++)
        *to++ = m->position.e[j];
    for (int j = 0; kind == TN_FRAME && j < 9; j++)
        *to++ = m->rotation.row[j / 3].e[j % 3];
    for (int j = 0; j < size; j++)
        *to++ = m->velocity.e[j];
    for (int j = 0; kind == TN_FRAME && j < 3; j++)
        *to++ = m->angular_velocity.e[j];
    return to;
}

/* The law of a connector: reads self, marker[], context; writes wrench[] (zero at the start). */
#define TN_FORCE(name, KIND, maximum)                                                          \
    TN_SIGNATURE(name, force);                                                                 \
    static tn_status name##_force(tn_batch *batch)                                             \
    {                                                                                          \
        tn_status worst = TN_OK;                                                               \
        tn_context context = {batch->time, batch, 0, true, NULL};                              \
        if (!tn_fits_ports(batch, KIND, maximum)) return TN_INVALID;                           \
        const int count = TN_COUNT_OF(KIND, batch, maximum);                                   \
        const tn_marker_place *place = batch->marker;                                          \
        double *out = batch->wrench;                                                           \
        /* held here, lest every store to the wrenches makes the compiler read them again */   \
        const double *const pose = batch->pose, *const twist = batch->twist;                   \
        const uint8_t *const active = batch->active;                                           \
        const char *instance = (const char *)batch->instance;                                  \
        const size_t stride = batch->instance_stride;                                          \
        const uint32_t instances = batch->count;                                               \
        for (uint32_t i = 0; i < instances; i++, place += count, instance += stride) {         \
            tn_marker_state marker[maximum];                                                   \
            tn_wrench wrench[maximum];                                                         \
            for (int k = 0; k < count; k++) {                                                  \
                tn_load_marker(pose, twist, TN_KIND_OF(KIND, batch, k), place[k], &marker[k]); \
                wrench[k].force = wrench[k].torque = tn_zero();                                \
            }                                                                                  \
            context.instance = i;                                                              \
            if (!active || active[i]) {                                                        \
                const name *self = (const name *)(const void *)instance;                       \
                tn_status status = name##_force_text(self, marker, &context, wrench);          \
                if (__builtin_expect(status != TN_OK, 0)) {                                    \
                    worst = tn_note_failure(batch, i, worst, status, context.message);         \
                    context.message = NULL;                                                    \
                }                                                                              \
            }                                                                                  \
            for (int k = 0; k < count; k++) {                                                  \
                const uint32_t kind = TN_KIND_OF(KIND, batch, k);                              \
                const int size = kind == TN_COORDINATE ? 1 : 3;                                \
                for (int j = 0; j < size; j++)                                                 \
                    *out++ = wrench[k].force.e[j];                                             \
                if (kind == TN_FRAME)                                                          \
                    for (int j = 0; j < 3; j++)                                                \
                        *out++ = wrench[k].torque.e[j];                                        \
            }                                                                                  \
        }                                                                                      \
        return worst;                                                                          \
    }                                                                                          \
    tn_status name##_force_tangent(tn_batch *batch);                                           \
    TN_SIGNATURE(name, force)

/* Rates of the states x of a connector, x' = h(markers, x, t), nx of them as `layout` has asked for: reads self, marker[], x[]
 * (which is tn_states(context)), context; writes rate[] (zero at the start). A force reads the states by tn_states(context).
 * The states of an instance that is not active rest. */
#define TN_RATES(name, KIND, maximum)                                                                   \
    TN_RATES_SIGNATURE(name);                                                                           \
    static tn_status name##_rates(tn_batch *batch)                                                      \
    {                                                                                                   \
        tn_status worst = TN_OK;                                                                        \
        tn_context context = {batch->time, batch, 0, true, NULL};                                       \
        if (!tn_fits_ports(batch, KIND, maximum)) return TN_INVALID;                                    \
        const uint32_t count = (uint32_t)TN_COUNT_OF(KIND, batch, maximum), states = batch->layout->nx; \
        for (uint32_t i = 0; i < batch->count; i++) {                                                   \
            double *rate = batch->x_rate + (size_t)i * states;                                          \
            memset(rate, 0, states * sizeof *rate);                                                     \
            if (batch->active && !batch->active[i]) continue;                                           \
            tn_marker_state marker[(maximum) > 0 ? (maximum) : 1];                                      \
            for (uint32_t k = 0; k < count; k++)                                                        \
                tn_load_marker(batch->pose, batch->twist, TN_KIND_OF(KIND, batch, k),                   \
                               batch->marker[i * count + k], &marker[k]);                               \
            context.instance = i;                                                                       \
            const tn_status status = name##_rates_text((const name *)tn_instance(batch, i), marker,     \
                                                       tn_states(&context), &context, rate);            \
            if (status == TN_OK) continue;                                                              \
            worst = tn_note_failure(batch, i, worst, status, context.message);                          \
            context.message = NULL;                                                                     \
        }                                                                                               \
        return worst;                                                                                   \
    }                                                                                                   \
    tn_status name##_rates_tangent(tn_batch *batch);                                                    \
    TN_RATES_SIGNATURE(name)

/* Distances and speeds are asked for between two points most of the time: their loop is compiled once more for these,
 * where all that other markers would bring is known to be missing. */
static inline TN_UNUSED bool tn_has_two_points(const tn_batch *batch)
{
    const uint32_t *kind = batch->marker_kind, *first = batch->port_first;
    return batch->marker_count == 2 && kind[0] == TN_POINT && kind[1] == TN_POINT && first[1] == 1 &&
           first[2] == 2;
}

/* A marker of kind `DELIVERED` made of other markers, `maximum` at the most (`KIND` as above; how many there are says
 * tn_port_count): reads self, marker[], context; writes out->position and out->velocity and, for a frame,
 * out->rotation and out->angular_velocity (identity and zero at the start). The twist is the time derivative of the
 * pose as the markers move, so it is linear in their twists: its derivative takes a wrench on the marker to
 * wrenches on those. The conformance checks hold the two against each other. */
#define TN_KINEMATICS(name, DELIVERED, KIND, maximum)                                                     \
    TN_KINEMATICS_SIGNATURE(name);                                                                        \
    static inline __attribute__((always_inline))                                                          \
    tn_status name##_kinematics_loop(tn_batch *batch, bool two_points)                                    \
    {                                                                                                     \
        tn_status worst = TN_OK;                                                                          \
        tn_context context = {batch->time, batch, 0, true, NULL, 0.0, two_points};                        \
        const uint32_t count = two_points ? 2 : batch->marker_count;                                      \
        const tn_marker_place *place = batch->marker;                                                     \
        const double *const pose = batch->pose, *const twist = batch->twist;                              \
        double *value = batch->value;                                                                     \
        for (uint32_t i = 0; i < batch->count; i++, place += count) {                                     \
            tn_marker_state marker[(maximum) > 2 ? (maximum) : 2], out = tn_marker_at_rest();             \
            for (uint32_t k = 0; k < count; k++)                                                          \
                tn_load_marker(pose, twist, two_points ? TN_POINT : TN_KIND_OF(KIND, batch, k), place[k], \
                               &marker[k]);                                                               \
            context.instance = i;                                                                         \
            tn_status status =                                                                            \
                name##_kinematics_text((const name *)tn_instance(batch, i), marker, &context, &out);      \
            if (status != TN_OK) {                                                                        \
                worst = tn_note_failure(batch, i, worst, status, context.message);                        \
                context.message = NULL;                                                                   \
            }                                                                                             \
            value = tn_store_marker(value, DELIVERED, &out);                                              \
        }                                                                                                 \
        return worst;                                                                                     \
    }                                                                                                     \
    static tn_status name##_kinematics(tn_batch *batch)                                                   \
    {                                                                                                     \
        const uint32_t count = batch->marker_count;                                                       \
        if (!tn_fits_ports(batch, KIND, count < (maximum) ? count : (maximum))) return TN_INVALID;        \
        return tn_has_two_points(batch) ? name##_kinematics_loop(batch, true)                             \
                                        : name##_kinematics_loop(batch, false);                           \
    }                                                                                                     \
    tn_status name##_kinematics_tangent(tn_batch *batch);                                                 \
    TN_KINEMATICS_SIGNATURE(name)

/* The force of a body on itself (gravity, gyroscopic terms): reads self, q[nq], v[nv], context; writes
 * force[nv] (zero at the start). */
#define TN_BODY_FORCE(name, NQ, NV)                                                                  \
    TN_BODY_SIGNATURE(name);                                                                         \
    static tn_status name##_body_force(tn_batch *batch)                                              \
    {                                                                                                \
        tn_status worst = TN_OK;                                                                     \
        tn_context context = {batch->time, batch, 0, true, NULL};                                    \
        for (uint32_t i = 0; i < batch->count; i++) {                                                \
            const name *self = (const name *)tn_instance(batch, i);                                  \
            double force[NV] = {0.0};                                                                \
            context.instance = i;                                                                    \
            tn_status status =                                                                       \
                name##_body_force_text(self, batch->q + (NQ)*i, batch->v + (NV)*i, &context, force); \
            if (status != TN_OK) {                                                                   \
                worst = tn_note_failure(batch, i, worst, status, context.message);                   \
                context.message = NULL;                                                              \
            }                                                                                        \
            for (int j = 0; j < (NV); j++)                                                           \
                batch->force[(NV)*i + (uint32_t)j] = force[j];                                       \
        }                                                                                            \
        return worst;                                                                                \
    }                                                                                                \
    tn_status name##_body_force_tangent(tn_batch *batch);                                            \
    TN_BODY_SIGNATURE(name)

/* M(q) a - f(q, v, t) of a body whose mass matrix depends on q, in place of its mass and force: reads self, q[nq], v[nv], a[nv]
 * (dv/dt, which it is linear in), context; writes residual[nv] (zero at the start). */
#define TN_RESIDUAL(name, NQ, NV)                                                               \
    TN_RESIDUAL_SIGNATURE(name);                                                                \
    static tn_status name##_residual(tn_batch *batch)                                           \
    {                                                                                           \
        tn_status worst = TN_OK;                                                                \
        tn_context context = {batch->time, batch, 0, true, NULL};                               \
        for (uint32_t i = 0; i < batch->count; i++) {                                           \
            const name *self = (const name *)tn_instance(batch, i);                             \
            double residual[NV] = {0.0};                                                        \
            context.instance = i;                                                               \
            tn_status status = name##_residual_text(self, batch->q + (NQ)*i, batch->v + (NV)*i, \
                                                    batch->a + (NV)*i, &context, residual);     \
            if (status != TN_OK) {                                                              \
                worst = tn_note_failure(batch, i, worst, status, context.message);              \
                context.message = NULL;                                                         \
            }                                                                                   \
            for (int j = 0; j < (NV); j++)                                                      \
                batch->residual[(NV)*i + (uint32_t)j] = residual[j];                            \
        }                                                                                       \
        return worst;                                                                           \
    }                                                                                           \
    tn_status name##_residual_tangent(tn_batch *batch);                                         \
    TN_RESIDUAL_SIGNATURE(name)

#include "tenon/results.h"

/* Tables and descriptors. The passes that differentiate are linked in when the build defines TN_EXACT. */
#define TN_PORTS(name, ...) static const tn_port name##_ports[] = {__VA_ARGS__, {0}};
#define TN_OUTPUTS(name, ...) static const tn_output name##_outputs[] = {__VA_ARGS__, {0}};
#define TN_SYNONYMS(name, ...) static const tn_synonym name##_synonyms[] = {__VA_ARGS__, {NULL, NULL, NULL}};
#ifdef TN_EXACT
#define TN_HAS_FORCE(name) .force = name##_force, .force_tangent = name##_force_tangent
#define TN_HAS_RATES(name) .rates = name##_rates, .rates_tangent = name##_rates_tangent
#define TN_HAS_CONSTRAINT(name)                                                           \
    .constraint = name##_constraint, .constraint_rows = name##_constraint_rows,           \
    .constraint_rate = name##_constraint_rate, .constraint_bias = name##_constraint_bias, \
    .constraint_stiffness = name##_constraint_stiffness
#define TN_HAS_BODY_FORCE(name) \
    .body_force = name##_body_force, .body_force_tangent = name##_body_force_tangent
#define TN_HAS_RESIDUAL(name) .residual = name##_residual, .residual_tangent = name##_residual_tangent
#define TN_HAS_KINEMATICS(name) \
    .kinematics = name##_kinematics, .kinematics_tangent = name##_kinematics_tangent
#else
#define TN_HAS_FORCE(name) .force = name##_force
#define TN_HAS_RATES(name) .rates = name##_rates
#define TN_HAS_CONSTRAINT(name) .constraint = name##_constraint
#define TN_HAS_BODY_FORCE(name) .body_force = name##_body_force
#define TN_HAS_RESIDUAL(name) .residual = name##_residual
#define TN_HAS_KINEMATICS(name) .kinematics = name##_kinematics
#endif
/* The descriptor `name_type`; further fields of tn_element_type, tn_marker_type, ... as designated
 * initialisers. */
#define TN_ELEMENT(type_name, ...) TN_DESCRIPTOR(tn_element_type, type_name, __VA_ARGS__)
#define TN_MARKER(type_name, ...) TN_DESCRIPTOR(tn_marker_type, type_name, __VA_ARGS__)
#define TN_SOLVER(type_name, ...) TN_DESCRIPTOR(tn_solver_type, type_name, __VA_ARGS__)
#define TN_FUNCTION(type_name, ...) TN_DESCRIPTOR(tn_function_type, type_name, __VA_ARGS__)
#define TN_DESCRIPTOR(kind, type_name, ...)                              \
    const kind type_name##_type = {.struct_size = sizeof(kind),          \
                                   .name = #type_name,                   \
                                   .parameters = type_name##_parameters, \
                                   .instance_size = sizeof(type_name),   \
                                   __VA_ARGS__};
/* A type whose descriptor stands in another file of the same library. */
#define TN_ELSEWHERE(kind, type_name) extern const kind type_name##_type;

/* The exported function of the library; then its types as {TN_ELEMENT_KIND, &spring_type}, ... */
#define TN_LIBRARY(library_name, library_version, library_licence, library_summary, ...) \
    static const tn_type tn_library_types[] = {__VA_ARGS__, {NULL, NULL}};               \
    static const tn_library tn_library_data = {.struct_size = sizeof(tn_library),        \
                                               .abi_major = TN_ABI_MAJOR,                \
                                               .abi_minor = TN_ABI_MINOR,                \
                                               .name = library_name,                     \
                                               .version = library_version,               \
                                               .licence = library_licence,               \
                                               .summary = library_summary,               \
                                               .types = tn_library_types};               \
    TN_EXPORT const tn_library *tn_plugin_main(void);                                    \
    TN_EXPORT const tn_library *tn_plugin_main(void) { return &tn_library_data; }

#else

#include "tenon/tangent.h"

#include "tenon/results.h"

#define TN_PORTS(name, ...)
#define TN_OUTPUTS(name, ...)
#define TN_SYNONYMS(name, ...)
#define TN_ELEMENT(name, ...)
#define TN_MARKER(name, ...)
#define TN_SOLVER(name, ...)
#define TN_FUNCTION(name, ...)
#define TN_LIBRARY(name, ...)

#endif

#endif

/* tenon/loops.h - from the batch to the text of one instance and back: what the loops of all passes share; included by
 * author.h.
 *
 * A text is written once by the author, for one instance. TN_FORCE(spring, TN_POINT, 2) { ... } declares spring_force_text(),
 * whose body these braces are, and two functions around it: spring_force_of(), in which the type of the instance is hidden,
 * and spring_force(), which hands that one and the constants (kind and number of markers) to a loop. The loops are inlined
 * always, so that the call of the text is a direct one there and the sizes are constants; they stand in values.h,
 * tangent.h and results.h. What they need of memory, whose size the constants tell, belongs to the function around. */
#ifndef TENON_LOOPS_H
#define TENON_LOOPS_H

#include "tenon/context.h"

/* ---- failures ------------------------------------------------------------------------------------------- */

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

/* The worst status so far, after the text of the context's instance has returned `status`. */
TN_INLINE tn_status tn_note_status(tn_context *context, tn_status worst, tn_status status)
{
    if (__builtin_expect(status == TN_OK, 1)) return worst;
    worst = tn_note_failure(context->batch, context->instance, worst, status, context->message);
    context->message = NULL;
    return worst;
}

/* False, noted as the failure, when a text was written for other markers than the ports of its type take: the arrays of
 * the batch would be read and written out of place. `kind` and `maximum` as in TN_FORCE. */
static inline TN_UNUSED bool tn_fits_ports(const tn_batch *batch, uint32_t kind, uint32_t maximum)
{
    bool fits = kind == TN_ANY ? batch->marker_count <= maximum : batch->marker_count == maximum;
    for (uint32_t k = 0; fits && kind != TN_ANY && k < maximum; k++)
        fits = batch->marker_kind[k] == kind || (kind == TN_NODE && tn_is_node(batch->marker_kind[k]));
    if (!fits)
        (void)tn_note_failure(batch, 0, TN_OK, TN_INVALID,
                              "its law is written for another number or kind of markers than its ports take");
    return fits;
}

/* ---- markers -------------------------------------------------------------------------------------------- */

/* `kind` is a constant, TN_ANY for what the batch says, or TN_NODE for nodes of the sizes that it says; with TN_ANY `maximum` is
 * the largest number of markers (tn_port_count() tells how many there are), else the exact one. */
TN_INLINE uint32_t tn_kind_of(const tn_batch *batch, uint32_t kind, uint32_t k)
{
    return kind == TN_ANY || kind == TN_NODE ? batch->marker_kind[k] : kind;
}
TN_INLINE uint32_t tn_count_of(const tn_batch *batch, uint32_t kind, uint32_t maximum)
{
    return kind == TN_ANY ? batch->marker_count : maximum;
}
/* Entries of an array for that many markers, which an element may have none of. */
#define TN_ROOM(maximum) ((maximum) > 0 ? (maximum) : 1)

/* Most coordinates that the nodes of one instance have together, where the text is differentiated. */
#define TN_NODE_COORDINATES 96

/* Reals of a pass that differentiates for the nodes of an instance: their coordinates, rates and generalized forces. */
#define TN_NODE_ROOM(kind, maximum)                                  \
    ((kind) == TN_ANY || (kind) == TN_NODE ? 3 * TN_NODE_COORDINATES \
                                           : 3 * ((uint32_t)(kind) >> 8) * (maximum) + 1)

/* The coordinates of a node: those of the batch themselves, or scalars of the pass in the next part of `*room`. */
TN_INLINE void tn_load_node(const double *pose, const double *twist, uint32_t size, tn_marker_state *m,
                            TN_UNUSED tn_real **room)
{
    m->position = m->velocity = m->angular_velocity = tn_zero();
    m->rotation = tn_identity();
#if TN_VALUES
    (void)size;
    m->coordinates = pose;
    m->rates = twist;
#else
    tn_real *to = *room;
    for (uint32_t j = 0; j < size; j++) {
        to[j] = tn_constant(pose[j]);
        to[size + j] = tn_constant(twist[j]);
    }
    m->coordinates = to;
    m->rates = to + size;
    *room = to + 2 * (size_t)size;
#endif
}

TN_INLINE void tn_load_marker(const double *pose, const double *twist, uint32_t kind, tn_marker_place place,
                              tn_marker_state *m, tn_real **room)
{
    pose += place.pose;
    twist += place.twist;
    m->coordinates = m->rates = NULL;
    if (tn_is_node(kind)) {
        tn_load_node(pose, twist, kind >> 8, m, room);
        return;
    }
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

/* All markers of instance i; `room` of a differentiating pass is for its nodes. */
TN_INLINE void tn_load_markers(const tn_batch *batch, uint32_t kind, uint32_t count, uint32_t i,
                               tn_marker_state *marker, tn_real *room)
{
    const tn_marker_place *place = batch->marker + (size_t)i * count;
    for (uint32_t k = 0; k < count; k++)
        tn_load_marker(batch->pose, batch->twist, tn_kind_of(batch, kind, k), place[k], &marker[k], &room);
}

static inline TN_UNUSED tn_marker_state tn_marker_at_rest(void)
{
    tn_marker_state m;
    m.position = m.velocity = m.angular_velocity = tn_zero();
    m.rotation = tn_identity();
    m.coordinates = m.rates = NULL;
    return m;
}

/* ---- texts ---------------------------------------------------------------------------------------------- */

/* A text with its own type of instance hidden. A law of forces writes wrench[], one of rates rate[]: the other one is NULL. */
typedef tn_status (*tn_law_text)(const void *instance, const tn_marker_state *marker, tn_context *context,
                                 tn_wrench *wrench, tn_real *rate);
typedef tn_status (*tn_kinematics_text)(const void *instance, const tn_marker_state *marker,
                                        tn_context *context, tn_marker_state *out);
typedef tn_status (*tn_body_force_text)(const void *instance, const tn_real *q, const tn_real *v,
                                        tn_context *context, tn_real *force);
typedef tn_status (*tn_residual_text)(const void *instance, const tn_real *q, const tn_real *v,
                                      const tn_real *a, tn_context *context, tn_real *residual);
typedef tn_status (*tn_constraint_text)(const void *instance, const tn_marker_state *marker,
                                        tn_context *context, tn_real *row);

/* The heads of texts: in front of the author's braces, and as declarations before what calls them. */
#define TN_FORCE_TEXT(name)                                                                                 \
    static inline TN_UNUSED tn_status name##_force_text(                                                    \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED tn_wrench *wrench)
#define TN_RATES_TEXT(name)                                                                              \
    static inline TN_UNUSED tn_status name##_rates_text(                                                 \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED const tn_real *x, \
        TN_UNUSED tn_context *context, TN_UNUSED tn_real *rate)
#define TN_ALGEBRAIC_TEXT(name)                                                                          \
    static inline TN_UNUSED tn_status name##_algebraic_text(                                             \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED const tn_real *s, \
        TN_UNUSED tn_context *context, TN_UNUSED tn_real *residual)
#define TN_KINEMATICS_TEXT(name)                                                                            \
    static inline TN_UNUSED tn_status name##_kinematics_text(                                               \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED tn_marker_state *out)
#define TN_BODY_FORCE_TEXT(name)                                                            \
    static inline TN_UNUSED tn_status name##_body_force_text(                               \
        TN_UNUSED const name *self, TN_UNUSED const tn_real *q, TN_UNUSED const tn_real *v, \
        TN_UNUSED tn_context *context, TN_UNUSED tn_real *force)
#define TN_RESIDUAL_TEXT(name)                                                              \
    static inline TN_UNUSED tn_status name##_residual_text(                                 \
        TN_UNUSED const name *self, TN_UNUSED const tn_real *q, TN_UNUSED const tn_real *v, \
        TN_UNUSED const tn_real *a, TN_UNUSED tn_context *context, TN_UNUSED tn_real *residual)
#define TN_CONSTRAINT_TEXT(name)                                                                            \
    static inline TN_UNUSED tn_status name##_constraint_text(                                               \
        TN_UNUSED const name *self, TN_UNUSED const tn_marker_state *marker, TN_UNUSED tn_context *context, \
        TN_UNUSED tn_real *row)

/* The texts as the loops call them. Parameters of markers and constraints have no columns. */
#define TN_FORCE_OF(name)                                                                                \
    TN_FORCE_TEXT(name);                                                                                 \
    TN_INLINE tn_status name##_force_of(const void *instance, const tn_marker_state *marker,             \
                                        tn_context *context, tn_wrench *wrench, TN_UNUSED tn_real *rate) \
    {                                                                                                    \
        TN_SELF(name, instance, context);                                                                \
        return name##_force_text(self, marker, context, wrench);                                         \
    }
#define TN_RATES_OF(name)                                                                                \
    TN_RATES_TEXT(name);                                                                                 \
    TN_INLINE tn_status name##_rates_of(const void *instance, const tn_marker_state *marker,             \
                                        tn_context *context, TN_UNUSED tn_wrench *wrench, tn_real *rate) \
    {                                                                                                    \
        TN_SELF(name, instance, context);                                                                \
        return name##_rates_text(self, marker, tn_states(context), context, rate);                       \
    }
#define TN_KINEMATICS_OF(name)                                                                    \
    TN_KINEMATICS_TEXT(name);                                                                     \
    TN_INLINE tn_status name##_kinematics_of(const void *instance, const tn_marker_state *marker, \
                                             tn_context *context, tn_marker_state *out)           \
    {                                                                                             \
        TN_CONSTANT_SELF(name, instance);                                                         \
        return name##_kinematics_text(self, marker, context, out);                                \
    }
#define TN_BODY_FORCE_OF(name)                                                                         \
    TN_BODY_FORCE_TEXT(name);                                                                          \
    TN_INLINE tn_status name##_body_force_of(const void *instance, const tn_real *q, const tn_real *v, \
                                             tn_context *context, tn_real *force)                      \
    {                                                                                                  \
        TN_SELF(name, instance, context);                                                              \
        return name##_body_force_text(self, q, v, context, force);                                     \
    }
#define TN_RESIDUAL_OF(name)                                                                         \
    TN_RESIDUAL_TEXT(name);                                                                          \
    TN_INLINE tn_status name##_residual_of(const void *instance, const tn_real *q, const tn_real *v, \
                                           const tn_real *a, tn_context *context, tn_real *residual) \
    {                                                                                                \
        TN_SELF(name, instance, context);                                                            \
        return name##_residual_text(self, q, v, a, context, residual);                               \
    }
/* The loops of constraints, and of the unknowns that these may read, are too long to be inlined. */
#define TN_ALGEBRAIC_OF(name)                                                                           \
    TN_ALGEBRAIC_TEXT(name);                                                                            \
    static TN_UNUSED tn_status name##_algebraic_of(const void *instance, const tn_marker_state *marker, \
                                                   tn_context *context, tn_real *residual)              \
    {                                                                                                   \
        TN_SELF(name, instance, context);                                                               \
        return name##_algebraic_text(self, marker, tn_unknowns(context), context, residual);            \
    }
#define TN_CONSTRAINT_OF(name)                                                                 \
    TN_CONSTRAINT_TEXT(name);                                                                  \
    static tn_status name##_constraint_of(const void *instance, const tn_marker_state *marker, \
                                          tn_context *context, tn_real *row)                   \
    {                                                                                          \
        TN_CONSTANT_SELF(name, instance);                                                      \
        return name##_constraint_text(self, marker, context, row);                             \
    }

/* Rows that read no unknowns; rows that do, behind the TN_ALGEBRAIC that determines these by the poses of the markers and time. */
#define TN_CONSTRAINT(name) TN_CONSTRAINT_BY(name, NULL)
#define TN_CONSTRAINT_WITH_UNKNOWNS(name) TN_CONSTRAINT_BY(name, name##_algebraic_of)

#endif

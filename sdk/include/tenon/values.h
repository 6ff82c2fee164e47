/* tenon/values.h - batch loops of the pass over values: forces, rates, markers made of others, bodies, constraints; included
 * by author.h. */
#ifndef TENON_VALUES_H
#define TENON_VALUES_H

#include "tenon/loops.h"

#include "tenon/algebraic.h"
#include "tenon/constraint.h"

/* ---- forces and rates ------------------------------------------------------------------------------------ */

/* The wrenches of one instance at zero; those of nodes are written where they belong, `out` being the instance's. */
TN_INLINE void tn_clear_wrenches(const tn_batch *batch, uint32_t kind, uint32_t count, tn_wrench *wrench,
                                 double *out)
{
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t own = tn_kind_of(batch, kind, k);
        wrench[k].force = wrench[k].torque = tn_zero();
        wrench[k].generalized = NULL;
        if (tn_is_node(own)) {
            wrench[k].generalized = out;
            memset(out, 0, (own >> 8) * sizeof *out);
        }
        out += tn_twist_size(own);
    }
}

/* The wrenches of one instance, each as long as the twist of its marker; where the next one's begin. */
TN_INLINE double *tn_store_wrenches(const tn_batch *batch, uint32_t kind, uint32_t count,
                                    const tn_wrench *wrench, double *out)
{
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t own = tn_kind_of(batch, kind, k);
        const int size = own == TN_COORDINATE ? 1 : 3;
        if (tn_is_node(own)) {
            out += own >> 8;
            continue;
        }
        for (int j = 0; j < size; j++)
            *out++ = wrench[k].force.e[j];
        if (own == TN_FRAME)
            for (int j = 0; j < 3; j++)
                *out++ = wrench[k].torque.e[j];
    }
    return out;
}

/* `marker` and `wrench` have room for `maximum` of them. */
TN_INLINE tn_status tn_force_values(tn_batch *batch, tn_law_text text, uint32_t kind, uint32_t maximum,
                                    tn_marker_state *marker, tn_wrench *wrench)
{
    tn_status worst = TN_OK;
    tn_context context = tn_context_of(batch);
    if (!tn_fits_ports(batch, kind, maximum)) return TN_INVALID;
    const uint32_t count = tn_count_of(batch, kind, maximum);
    const tn_marker_place *place = batch->marker;
    double *out = batch->wrench;
    /* held here, lest every store to the wrenches makes the compiler read them again */
    const double *const pose = batch->pose, *const twist = batch->twist;
    const uint8_t *const active = batch->active;
    const char *instance = (const char *)batch->instance;
    const size_t stride = batch->instance_stride;
    const uint32_t instances = batch->count;
    for (uint32_t i = 0; i < instances; i++, place += count, instance += stride) {
        for (uint32_t k = 0; k < count; k++)
            tn_load_marker(pose, twist, tn_kind_of(batch, kind, k), place[k], &marker[k], NULL);
        tn_clear_wrenches(batch, kind, count, wrench, out);
        context.instance = i;
        if (!active || active[i])
            worst = tn_note_status(&context, worst, text(instance, marker, &context, wrench, NULL));
        out = tn_store_wrenches(batch, kind, count, wrench, out);
    }
    return worst;
}

/* The law of a connector: reads self, marker[], context; writes wrench[] (zero at the start). `KIND` of all its markers and
 * their number; with TN_ANY the largest number. */
#define TN_FORCE(name, KIND, maximum)                                                  \
    TN_FORCE_OF(name)                                                                  \
    static tn_status name##_force(tn_batch *batch)                                     \
    {                                                                                  \
        tn_marker_state marker[maximum];                                               \
        tn_wrench wrench[maximum];                                                     \
        return tn_force_values(batch, name##_force_of, KIND, maximum, marker, wrench); \
    }                                                                                  \
    TN_C_LINKAGE tn_status name##_force_tangent(tn_batch *batch);                      \
    TN_FORCE_TEXT(name)

TN_INLINE tn_status tn_rates_values(tn_batch *batch, tn_law_text text, uint32_t kind, uint32_t maximum,
                                    tn_marker_state *marker)
{
    tn_status worst = TN_OK;
    tn_context context = tn_context_of(batch);
    if (!tn_fits_ports(batch, kind, maximum)) return TN_INVALID;
    const uint32_t count = tn_count_of(batch, kind, maximum), states = batch->layout->nx;
    for (uint32_t i = 0; i < batch->count; i++) {
        double *rate = batch->x_rate + (size_t)i * states;
        memset(rate, 0, states * sizeof *rate);
        if (batch->active && !batch->active[i]) continue;
        tn_load_markers(batch, kind, count, i, marker, NULL);
        context.instance = i;
        worst = tn_note_status(&context, worst, text(tn_instance(batch, i), marker, &context, NULL, rate));
    }
    return worst;
}

/* Rates of the states x of a connector, x' = h(markers, x, t), nx of them as `layout` has asked for: reads self, marker[], x[]
 * (which is tn_states(context)), context; writes rate[] (zero at the start). A force reads the states by tn_states(context).
 * The states of an instance that is not active rest. */
#define TN_RATES(name, KIND, maximum)                                          \
    TN_RATES_OF(name)                                                          \
    static tn_status name##_rates(tn_batch *batch)                             \
    {                                                                          \
        tn_marker_state marker[TN_ROOM(maximum)];                              \
        return tn_rates_values(batch, name##_rates_of, KIND, maximum, marker); \
    }                                                                          \
    TN_C_LINKAGE tn_status name##_rates_tangent(tn_batch *batch);              \
    TN_RATES_TEXT(name)

/* Algebraic equations 0 = r(markers, x, s, t) of a connector, one for each of the ns unknowns that `layout` has asked for:
 * reads self, marker[], s[] (which is tn_unknowns(context)), tn_states(context), context; writes residual[] (zero at the
 * start). The kernel finds s; forces and rates read it by tn_unknowns(context). Unknowns of an instance that is not active
 * rest. */
#define TN_ALGEBRAIC(name, KIND, maximum)                                      \
    TN_ALGEBRAIC_OF(name)                                                      \
    static tn_status name##_algebraic(tn_batch *batch)                         \
    {                                                                          \
        return tn_algebraic_values(batch, name##_algebraic_of, KIND, maximum); \
    }                                                                          \
    TN_C_LINKAGE tn_status name##_algebraic_tangent(tn_batch *batch);          \
    TN_ALGEBRAIC_TEXT(name)

/* ---- markers made of others ------------------------------------------------------------------------------- */

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

/* Distances and speeds are asked for between two points most of the time: their loop is compiled once more for these,
 * where all that other markers would bring is known to be missing. */
static inline TN_UNUSED bool tn_has_two_points(const tn_batch *batch)
{
    const uint32_t *kind = batch->marker_kind, *first = batch->port_first;
    return batch->marker_count == 2 && kind[0] == TN_POINT && kind[1] == TN_POINT && first[1] == 1 &&
           first[2] == 2;
}

TN_INLINE tn_status tn_kinematics_loop(tn_batch *batch, tn_kinematics_text text, uint32_t delivered,
                                       uint32_t kind, bool two_points, tn_marker_state *marker)
{
    tn_status worst = TN_OK;
    tn_context context = tn_context_of(batch);
    context.two_points = two_points;
    const uint32_t count = two_points ? 2 : batch->marker_count;
    const tn_marker_place *place = batch->marker;
    const double *const pose = batch->pose, *const twist = batch->twist;
    double *value = batch->value;
    for (uint32_t i = 0; i < batch->count; i++, place += count) {
        tn_marker_state out = tn_marker_at_rest();
        for (uint32_t k = 0; k < count; k++)
            tn_load_marker(pose, twist, two_points ? (uint32_t)TN_POINT : tn_kind_of(batch, kind, k),
                           place[k], &marker[k], NULL);
        context.instance = i;
        worst = tn_note_status(&context, worst, text(tn_instance(batch, i), marker, &context, &out));
        value = tn_store_marker(value, delivered, &out);
    }
    return worst;
}

/* `marker` has room for `maximum` of them, and for two. */
TN_INLINE tn_status tn_kinematics_values(tn_batch *batch, tn_kinematics_text text, uint32_t delivered,
                                         uint32_t kind, uint32_t maximum, tn_marker_state *marker)
{
    const uint32_t count = batch->marker_count;
    if (!tn_fits_ports(batch, kind, count < maximum ? count : maximum)) return TN_INVALID;
    return tn_has_two_points(batch) ? tn_kinematics_loop(batch, text, delivered, kind, true, marker)
                                    : tn_kinematics_loop(batch, text, delivered, kind, false, marker);
}

/* A marker of kind `DELIVERED` made of other markers, `maximum` at the most (`KIND` as above; how many there are says
 * tn_port_count): reads self, marker[], context; writes out->position and out->velocity and, for a frame,
 * out->rotation and out->angular_velocity (identity and zero at the start). The twist is the time derivative of the
 * pose as the markers move, so it is linear in their twists: its derivative takes a wrench on the marker to
 * wrenches on those. The conformance checks hold the two against each other. */
#define TN_KINEMATICS(name, DELIVERED, KIND, maximum)                                               \
    TN_KINEMATICS_OF(name)                                                                          \
    static tn_status name##_kinematics(tn_batch *batch)                                             \
    {                                                                                               \
        tn_marker_state marker[(maximum) > 2 ? (maximum) : 2];                                      \
        return tn_kinematics_values(batch, name##_kinematics_of, DELIVERED, KIND, maximum, marker); \
    }                                                                                               \
    TN_C_LINKAGE tn_status name##_kinematics_tangent(tn_batch *batch);                              \
    TN_KINEMATICS_TEXT(name)

/* ---- bodies ---------------------------------------------------------------------------------------------- */

/* `force` has room for nv numbers. */
TN_INLINE tn_status tn_body_force_values(tn_batch *batch, tn_body_force_text text, uint32_t nq, uint32_t nv,
                                         double *force)
{
    tn_status worst = TN_OK;
    tn_context context = tn_context_of(batch);
    for (uint32_t i = 0; i < batch->count; i++) {
        for (uint32_t j = 0; j < nv; j++)
            force[j] = 0.0;
        context.instance = i;
        worst = tn_note_status(&context, worst,
                               text(tn_instance(batch, i), batch->q + (size_t)nq * i,
                                    batch->v + (size_t)nv * i, &context, force));
        for (uint32_t j = 0; j < nv; j++)
            batch->force[(size_t)nv * i + j] = force[j];
    }
    return worst;
}

/* The force of a body on itself (gravity, gyroscopic terms): reads self, q[nq], v[nv], context; writes
 * force[nv] (zero at the start). */
#define TN_BODY_FORCE(name, NQ, NV)                                              \
    TN_BODY_FORCE_OF(name)                                                       \
    static tn_status name##_body_force(tn_batch *batch)                          \
    {                                                                            \
        double force[NV];                                                        \
        return tn_body_force_values(batch, name##_body_force_of, NQ, NV, force); \
    }                                                                            \
    TN_C_LINKAGE tn_status name##_body_force_tangent(tn_batch *batch);           \
    TN_BODY_FORCE_TEXT(name)

/* `residual` has room for nv numbers. */
TN_INLINE tn_status tn_residual_values(tn_batch *batch, tn_residual_text text, uint32_t nq, uint32_t nv,
                                       double *residual)
{
    tn_status worst = TN_OK;
    tn_context context = tn_context_of(batch);
    for (uint32_t i = 0; i < batch->count; i++) {
        for (uint32_t j = 0; j < nv; j++)
            residual[j] = 0.0;
        context.instance = i;
        worst =
            tn_note_status(&context, worst,
                           text(tn_instance(batch, i), batch->q + (size_t)i * nq, batch->v + (size_t)i * nv,
                                batch->a + (size_t)i * nv, &context, residual));
        for (uint32_t j = 0; j < nv; j++)
            batch->residual[(size_t)i * nv + j] = residual[j];
    }
    return worst;
}

/* M(q) a - f(q, v, t) of a body whose mass matrix depends on q, in place of its mass and force: reads self, q[nq], v[nv], a[nv]
 * (dv/dt, which it is linear in), context; writes residual[nv] (zero at the start). */
#define TN_RESIDUAL(name, NQ, NV)                                               \
    TN_RESIDUAL_OF(name)                                                        \
    static tn_status name##_residual(tn_batch *batch)                           \
    {                                                                           \
        double residual[NV];                                                    \
        return tn_residual_values(batch, name##_residual_of, NQ, NV, residual); \
    }                                                                           \
    TN_C_LINKAGE tn_status name##_residual_tangent(tn_batch *batch);            \
    TN_RESIDUAL_TEXT(name)

/* ---- constraints ------------------------------------------------------------------------------------------ */

/* Residuals of a constraint (see constraint.h): reads self, marker[], context; writes row[] (zero at the start). */
#define TN_CONSTRAINT_BY(name, unknowns)                                 \
    TN_CONSTRAINT_OF(name)                                               \
    static tn_status name##_constraint(tn_batch *batch)                  \
    {                                                                    \
        return tn_constraint_values(batch, name##_constraint_of);        \
    }                                                                    \
    TN_C_LINKAGE tn_status name##_constraint_rows(tn_batch *batch);      \
    TN_C_LINKAGE tn_status name##_constraint_rate(tn_batch *batch);      \
    TN_C_LINKAGE tn_status name##_constraint_bias(tn_batch *batch);      \
    TN_C_LINKAGE tn_status name##_constraint_stiffness(tn_batch *batch); \
    TN_CONSTRAINT_TEXT(name)

#endif

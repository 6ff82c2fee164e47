/* tenon/tangent.h - batch loops of the differentiating passes; included by author.h.
 *
 * The columns of a tangent are swept TN_SEEDS at a time: the scalars of one sweep carry the derivatives with
 * respect to columns first ... first + TN_SEEDS - 1. Which columns there are, and how long a row is, says the batch; those of a
 * kind that this pass does not know become zero. */
#ifndef TENON_TANGENT_H
#define TENON_TANGENT_H

#include "tenon/loops.h"

/* Seeds one scalar when its column lies in the sweep. */
static inline TN_UNUSED void tn_seed_column(tn_real *a, int column, int first, double derivative)
{
    if (column >= first && column < first + TN_SEEDS) tn_seed(a, column - first, derivative);
}

/* A scalar of a node, which stands in memory of the pass: to be written by the pass, and only read by a text. */
static inline TN_UNUSED tn_real *tn_writable(const tn_real *scalar) { return (tn_real *)(uintptr_t)scalar; }

/* False, noted as the failure, where an instance has more coordinates of nodes than a pass has room for. */
static inline TN_UNUSED bool tn_fits_nodes(const tn_batch *batch)
{
    uint32_t size = 0;
    for (uint32_t k = 0; k < batch->marker_count; k++)
        if (tn_is_node(batch->marker_kind[k])) size += tn_node_size(batch, k);
    if (size <= TN_NODE_COORDINATES) return true;
    (void)tn_note_failure(batch, 0, TN_OK, TN_INVALID,
                          "its nodes have more than 96 coordinates together: write its tangent by hand");
    return false;
}

/* Seeds pose columns (displacement; rotation vector: dR = [e_i] R) and twist columns of a marker. */
static inline TN_UNUSED void tn_seed_marker(tn_marker_state *m, uint32_t kind, int pose_column,
                                            int twist_column, int first)
{
    const int size = kind == TN_COORDINATE ? 1 : 3;
    if (tn_is_node(kind)) {
        for (int i = 0; i < (int)(kind >> 8); i++) {
            tn_seed_column(tn_writable(&m->coordinates[i]), pose_column + i, first, 1.0);
            tn_seed_column(tn_writable(&m->rates[i]), twist_column + i, first, 1.0);
        }
        return;
    }
    for (int i = 0; i < size; i++) {
        tn_seed_column(&m->position.e[i], pose_column + i, first, 1.0);
        tn_seed_column(&m->velocity.e[i], twist_column + i, first, 1.0);
    }
    if (kind != TN_FRAME) return;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int l = 0; l < 3; l++) {
            double above = tn_value(m->rotation.row[j].e[l]), below = tn_value(m->rotation.row[k].e[l]);
            tn_seed_column(&m->rotation.row[j].e[l], pose_column + 3 + i, first, -below);
            tn_seed_column(&m->rotation.row[k].e[l], pose_column + 3 + i, first, above);
        }
        tn_seed_column(&m->angular_velocity.e[i], twist_column + 3 + i, first, 1.0);
    }
}

/* Where the columns of a tangent stand. */
typedef struct tn_column_map {
    int stride, pose, twist, parameter, state, unknown, own_position, own_velocity, own_acceleration;
} tn_column_map;

TN_INLINE tn_column_map tn_columns_of(const tn_batch *batch)
{
    tn_column_map map;
    map.stride = (int)batch->tangent_stride;
    map.pose = (int)tn_first_column(batch, TN_POSE_COLUMNS);
    map.twist = (int)tn_first_column(batch, TN_TWIST_COLUMNS);
    map.parameter = (int)tn_first_column(batch, TN_PARAMETER_COLUMNS);
    map.state = (int)tn_first_column(batch, TN_STATE_COLUMNS);
    map.unknown = (int)tn_first_column(batch, TN_ALGEBRAIC_COLUMNS);
    map.own_position = (int)tn_first_column(batch, TN_POSITION_COLUMNS);
    map.own_velocity = (int)tn_first_column(batch, TN_VELOCITY_COLUMNS);
    map.own_acceleration = (int)tn_first_column(batch, TN_ACCELERATION_COLUMNS);
    return map;
}

/* Most states and algebraic unknowns of one instance, together. */
#define TN_MOST_STATES 32

/* False, noted as the failure, where an instance has more. */
static inline TN_UNUSED bool tn_fits_states(const tn_batch *batch)
{
    if (batch->layout->nx + batch->layout->ns <= TN_MOST_STATES) return true;
    (void)tn_note_failure(batch, 0, TN_OK, TN_INVALID,
                          "an element has 32 states and algebraic unknowns at the most");
    return false;
}

/* The seeds of a sweep for the dynamic parameters of an instance. */
TN_INLINE void tn_seed_parameters(tn_context *context, int seed)
{
    context->dynamic_count = context->batch->dynamic_count;
    context->dynamic_seed = seed;
}

/* The markers of instance i, seeded, where columns of poses and twists begin there; what is left of the room for nodes. */
TN_INLINE tn_real *tn_load_seeded(const tn_batch *batch, uint32_t kind, uint32_t count, uint32_t i, int pose,
                                  int twist, int first, tn_marker_state *marker, tn_real *room)
{
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t own = tn_kind_of(batch, kind, k);
        tn_load_marker(batch->pose, batch->twist, own, batch->marker[i * count + k], &marker[k], &room);
        tn_seed_marker(&marker[k], own, pose, twist, first);
        pose += (int)tn_twist_size(own);
        twist += (int)tn_twist_size(own);
    }
    return room;
}

/* Wrenches at zero, those of nodes in what is left of the room. */
TN_INLINE void tn_clear_wrenches(const tn_batch *batch, uint32_t kind, uint32_t count, tn_wrench *wrench,
                                 tn_real *room)
{
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t own = tn_kind_of(batch, kind, k);
        wrench[k].force = wrench[k].torque = tn_zero();
        wrench[k].generalized = NULL;
        if (!tn_is_node(own)) continue;
        wrench[k].generalized = room;
        for (uint32_t j = 0; j < own >> 8; j++)
            *room++ = tn_constant(0.0);
    }
}

/* The states of the context's instance, then its algebraic unknowns, with the seeds of a sweep. */
static inline TN_UNUSED void tn_load_states(const tn_context *context, tn_column_map at, int first,
                                            tn_real *state)
{
    const tn_batch *batch = context->batch;
    const int states = (int)batch->layout->nx, unknowns = (int)batch->layout->ns;
    const double *x = batch->x + (size_t)context->instance * (size_t)states;
    for (int k = 0; k < states; k++) {
        state[k] = tn_constant(x[k]);
        tn_seed_column(&state[k], at.state + k, first, 1.0);
    }
    for (int k = 0; k < unknowns; k++) {
        state[states + k] = tn_constant(batch->s[context->instance * (uint32_t)unknowns + (uint32_t)k]);
        tn_seed_column(&state[states + k], at.unknown + k, first, 1.0);
    }
}

/* Writes the sweep's columns of one row. */
static inline TN_UNUSED void tn_store_row(double *row, tn_real a, int first, int columns)
{
    for (int c = 0; c < TN_SEEDS && first + c < columns; c++)
        row[first + c] = tn_derivative(a, c);
}

#include "tenon/algebraic.h"
#include "tenon/constraint.h"

/* Begins a function that the values' file declares and this pass defines. */
#define TN_TANGENT(function)                          \
    TN_C_LINKAGE tn_status function(tn_batch *batch); \
    TN_C_LINKAGE tn_status function(tn_batch *batch)

#if TN_PASS == TN_PASS_SECOND

#define TN_CONSTRAINT_BY(name, unknowns)                                           \
    TN_CONSTRAINT_OF(name)                                                         \
    TN_TANGENT(name##_constraint_rate)                                             \
    {                                                                              \
        return tn_constraint_motion(batch, name##_constraint_of, unknowns, false); \
    }                                                                              \
    TN_TANGENT(name##_constraint_bias)                                             \
    {                                                                              \
        return tn_constraint_motion(batch, name##_constraint_of, unknowns, true);  \
    }                                                                              \
    TN_TANGENT(name##_constraint_stiffness)                                        \
    {                                                                              \
        return tn_constraint_stiffness(batch, name##_constraint_of, unknowns);     \
    }                                                                              \
    TN_CONSTRAINT_TEXT(name)
#define TN_ALGEBRAIC(name, KIND, maximum) TN_ALGEBRAIC_OF(name) TN_ALGEBRAIC_TEXT(name)
/* Laws need no second derivatives: their text is compiled, and nobody calls it. */
#define TN_FORCE(name, KIND, maximum) TN_FORCE_TEXT(name)
#define TN_RATES(name, KIND, maximum) TN_RATES_TEXT(name)
#define TN_KINEMATICS(name, DELIVERED, KIND, maximum) TN_KINEMATICS_TEXT(name)
#define TN_BODY_FORCE(name, NQ, NV) TN_BODY_FORCE_TEXT(name)
#define TN_RESIDUAL(name, NQ, NV) TN_RESIDUAL_TEXT(name)

#else

#define TN_CONSTRAINT_BY(name, unknowns)                                                                     \
    TN_CONSTRAINT_OF(name)                                                                                   \
    TN_TANGENT(name##_constraint_rows) { return tn_constraint_rows(batch, name##_constraint_of, unknowns); } \
    TN_CONSTRAINT_TEXT(name)
#define TN_ALGEBRAIC(name, KIND, maximum)                                                             \
    TN_ALGEBRAIC_OF(name)                                                                             \
    TN_TANGENT(name##_algebraic_tangent) { return tn_algebraic_tangent(batch, name##_algebraic_of); } \
    TN_ALGEBRAIC_TEXT(name)

/* ---- forces and rates ------------------------------------------------------------------------------------ */

TN_INLINE tn_real tn_wrench_entry(const tn_wrench *wrench, uint32_t kind, int j)
{
    if (tn_is_node(kind)) return wrench->generalized[j];
    return j < 3 ? wrench->force.e[j] : wrench->torque.e[j - 3];
}

/* Writes the sweep's columns of all wrenches of one instance, and their values. */
TN_INLINE void tn_store_wrench_rows(const tn_batch *batch, uint32_t kind, uint32_t count,
                                    const tn_wrench *wrench, double *out, double *tangent, int first,
                                    int columns)
{
    int row = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t own = tn_kind_of(batch, kind, k);
        for (int j = 0; j < (int)tn_twist_size(own); j++, row++) {
            const tn_real w = tn_wrench_entry(&wrench[k], own, j);
            out[row] = tn_value(w);
            tn_store_row(tangent + row * columns, w, first, columns);
        }
    }
}

/* Rows are those of the wrenches or, where `wrench` is NULL, the rates of x. The arrays have room for `maximum` markers and
 * wrenches, for TN_MOST_STATES rates, and `room` as TN_NODE_ROOM says. */
TN_INLINE tn_status tn_law_tangent(tn_batch *batch, tn_law_text text, uint32_t kind, uint32_t maximum,
                                   tn_marker_state *marker, tn_wrench *wrench, tn_real *rate, tn_real *room)
{
    tn_status worst = TN_OK;
    tn_real state[TN_MOST_STATES];
    tn_context context = tn_context_of(batch);
    const uint32_t count = tn_count_of(batch, kind, maximum);
    const int rows = (int)(wrench ? batch->wrench_size : batch->layout->nx);
    const tn_column_map at = tn_columns_of(batch);
    if (!tn_fits_states(batch) || !tn_fits_nodes(batch)) return TN_INVALID;
    context.state = state;
    for (uint32_t i = 0; i < batch->count; i++) {
        double *tangent = batch->tangent + (size_t)i * (size_t)rows * (size_t)at.stride;
        double *out = (wrench ? batch->wrench : batch->x_rate) + (size_t)i * (size_t)rows;
        if (batch->active && !batch->active[i]) {
            memset(tangent, 0, sizeof(double) * (size_t)rows * (size_t)at.stride);
            memset(out, 0, sizeof(double) * (size_t)rows);
            continue;
        }
        context.instance = i;
        for (int first = 0; first < at.stride; first += TN_SEEDS) {
            tn_seed_parameters(&context, at.parameter - first);
            tn_load_states(&context, at, first, state);
            tn_real *left = tn_load_seeded(batch, kind, count, i, at.pose, at.twist, first, marker, room);
            if (wrench) tn_clear_wrenches(batch, kind, count, wrench, left);
            for (int row = 0; rate && row < rows; row++)
                rate[row] = tn_constant(0.0);
            worst =
                tn_note_status(&context, worst, text(tn_instance(batch, i), marker, &context, wrench, rate));
            if (wrench) tn_store_wrench_rows(batch, kind, count, wrench, out, tangent, first, at.stride);
            for (int row = 0; rate && row < rows; row++) {
                out[row] = tn_value(rate[row]);
                tn_store_row(tangent + row * at.stride, rate[row], first, at.stride);
            }
        }
    }
    return worst;
}

#define TN_FORCE(name, KIND, maximum)                                                             \
    TN_FORCE_OF(name)                                                                             \
    TN_TANGENT(name##_force_tangent)                                                              \
    {                                                                                             \
        tn_marker_state marker[maximum];                                                          \
        tn_wrench wrench[maximum];                                                                \
        tn_real room[TN_NODE_ROOM(KIND, maximum)];                                                \
        return tn_law_tangent(batch, name##_force_of, KIND, maximum, marker, wrench, NULL, room); \
    }                                                                                             \
    TN_FORCE_TEXT(name)

#define TN_RATES(name, KIND, maximum)                                                           \
    TN_RATES_OF(name)                                                                           \
    TN_TANGENT(name##_rates_tangent)                                                            \
    {                                                                                           \
        tn_marker_state marker[TN_ROOM(maximum)];                                               \
        tn_real rate[TN_MOST_STATES];                                                           \
        tn_real room[TN_NODE_ROOM(KIND, maximum)];                                              \
        return tn_law_tangent(batch, name##_rates_of, KIND, maximum, marker, NULL, rate, room); \
    }                                                                                           \
    TN_RATES_TEXT(name)

/* ---- markers made of others ------------------------------------------------------------------------------- */

/* Rows: the twist; columns: pose increments of all markers, then their twists. Values are left alone. */
TN_INLINE tn_status tn_kinematics_tangent(tn_batch *batch, tn_kinematics_text text, uint32_t delivered,
                                          uint32_t kind, tn_marker_state *marker, tn_real *room)
{
    tn_status worst = TN_OK;
    tn_context context = tn_context_of(batch);
    if (!tn_fits_nodes(batch)) return TN_INVALID;
    const int size = (int)batch->wrench_size, rows = (int)tn_twist_size(delivered);
    for (uint32_t i = 0; i < batch->count; i++) {
        double *tangent = batch->tangent + (size_t)i * (size_t)(rows * 2 * size);
        context.instance = i;
        for (int first = 0; first < 2 * size; first += TN_SEEDS) {
            tn_marker_state out = tn_marker_at_rest();
            (void)tn_load_seeded(batch, kind, batch->marker_count, i, 0, size, first, marker, room);
            worst = tn_note_status(&context, worst, text(tn_instance(batch, i), marker, &context, &out));
            for (int row = 0; row < rows; row++)
                tn_store_row(tangent + row * 2 * size,
                             row < 3 ? out.velocity.e[row] : out.angular_velocity.e[row - 3], first,
                             2 * size);
        }
    }
    return worst;
}

#define TN_KINEMATICS(name, DELIVERED, KIND, maximum)                                             \
    TN_KINEMATICS_OF(name)                                                                        \
    TN_TANGENT(name##_kinematics_tangent)                                                         \
    {                                                                                             \
        tn_marker_state marker[maximum];                                                          \
        tn_real room[TN_NODE_ROOM(KIND, maximum)];                                                \
        return tn_kinematics_tangent(batch, name##_kinematics_of, DELIVERED, KIND, marker, room); \
    }                                                                                             \
    TN_KINEMATICS_TEXT(name)

/* ---- bodies ---------------------------------------------------------------------------------------------- */

/* True for a body whose matrices are lists of entries, noted as the failure: the pass writes full ones. */
static inline TN_UNUSED bool tn_has_entries(const tn_batch *batch)
{
    if (!batch->layout || !batch->layout->own_entries) return false;
    (void)tn_note_failure(batch, 0, TN_OK, TN_INVALID, "its tangent has to be written entry by entry");
    return true;
}

/* The coordinates of instance i, seeded along increments of q (the retraction: batch->basis, or the identity), v and dv/dt. */
TN_INLINE void tn_load_seeded_coordinates(const tn_batch *batch, uint32_t nq, uint32_t nv, uint32_t i,
                                          tn_column_map at, int first, tn_real *q, tn_real *v, tn_real *a)
{
    const double *basis = batch->basis ? batch->basis + (size_t)i * nq * nv : NULL;
    for (uint32_t j = 0; j < nq; j++) {
        q[j] = tn_constant(batch->q[(size_t)i * nq + j]);
        for (uint32_t k = 0; k < nv; k++)
            tn_seed_column(&q[j], at.own_position + (int)k, first,
                           basis ? basis[j * nv + k] : (j == k ? 1.0 : 0.0));
    }
    for (uint32_t j = 0; j < nv; j++) {
        v[j] = tn_constant(batch->v[(size_t)i * nv + j]);
        tn_seed_column(&v[j], at.own_velocity + (int)j, first, 1.0);
        if (!a) continue;
        a[j] = tn_constant(batch->a[(size_t)i * nv + j]);
        tn_seed_column(&a[j], at.own_acceleration + (int)j, first, 1.0);
    }
}

/* Forces of a body on itself, or its residual: one of the two texts is NULL. The arrays have room for nq and nv numbers. */
TN_INLINE tn_status tn_own_pass(tn_batch *batch, tn_body_force_text force, tn_residual_text residual,
                                uint32_t nq, uint32_t nv, tn_real *q, tn_real *v, tn_real *a, tn_real *out)
{
    tn_status worst = TN_OK;
    tn_context context = tn_context_of(batch);
    const tn_column_map at = tn_columns_of(batch);
    double *values = force ? batch->force : batch->residual;
    if (tn_has_entries(batch)) return TN_INVALID;
    for (uint32_t i = 0; i < batch->count; i++) {
        double *tangent = batch->tangent + (size_t)i * nv * (size_t)at.stride;
        const void *instance = tn_instance(batch, i);
        context.instance = i;
        for (int first = 0; first < at.stride; first += TN_SEEDS) {
            tn_seed_parameters(&context, at.parameter - first);
            tn_load_seeded_coordinates(batch, nq, nv, i, at, first, q, v, a);
            for (uint32_t j = 0; j < nv; j++)
                out[j] = tn_constant(0.0);
            worst = tn_note_status(&context, worst,
                                   force ? force(instance, q, v, &context, out)
                                         : residual(instance, q, v, a, &context, out));
            for (uint32_t j = 0; j < nv; j++) {
                values[(size_t)i * nv + j] = tn_value(out[j]);
                tn_store_row(tangent + (int)j * at.stride, out[j], first, at.stride);
            }
        }
    }
    return worst;
}

#define TN_BODY_FORCE(name, NQ, NV)                                                       \
    TN_BODY_FORCE_OF(name)                                                                \
    TN_TANGENT(name##_body_force_tangent)                                                 \
    {                                                                                     \
        tn_real q[NQ], v[NV], force[NV];                                                  \
        return tn_own_pass(batch, name##_body_force_of, NULL, NQ, NV, q, v, NULL, force); \
    }                                                                                     \
    TN_BODY_FORCE_TEXT(name)

#define TN_RESIDUAL(name, NQ, NV)                                                       \
    TN_RESIDUAL_OF(name)                                                                \
    TN_TANGENT(name##_residual_tangent)                                                 \
    {                                                                                   \
        tn_real q[NQ], v[NV], a[NV], residual[NV];                                      \
        return tn_own_pass(batch, NULL, name##_residual_of, NQ, NV, q, v, a, residual); \
    }                                                                                   \
    TN_RESIDUAL_TEXT(name)

#endif

#endif

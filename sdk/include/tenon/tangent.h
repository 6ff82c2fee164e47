/* tenon/tangent.h - batch loops of the differentiating passes; included by author.h.
 *
 * The columns of a tangent are swept TN_SEEDS at a time: the scalars of one sweep carry the derivatives with
 * respect to columns first ... first + TN_SEEDS - 1. Which columns there are, and how long a row is, says the batch; those of a
 * kind that this pass does not know become zero. */
#ifndef TENON_TANGENT_H
#define TENON_TANGENT_H

#include "tenon/author.h"

/* Seeds one scalar when its column lies in the sweep. */
static inline TN_UNUSED void tn_seed_column(tn_real *a, int column, int first, double derivative)
{
    if (column >= first && column < first + TN_SEEDS) tn_seed(a, column - first, derivative);
}

/* Seeds pose columns (displacement; rotation vector: dR = [e_i] R) and twist columns of a marker. */
static inline TN_UNUSED void tn_seed_marker(tn_marker_state *m, uint32_t kind, int pose_column,
                                            int twist_column, int first)
{
    const int size = kind == TN_COORDINATE ? 1 : 3;
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
    int stride, pose, twist, parameter, state, own_position, own_velocity, own_acceleration;
} tn_column_map;

static inline TN_UNUSED tn_column_map tn_columns_of(const tn_batch *batch)
{
    tn_column_map map;
    map.stride = (int)batch->tangent_stride;
    map.pose = (int)tn_first_column(batch, TN_POSE_COLUMNS);
    map.twist = (int)tn_first_column(batch, TN_TWIST_COLUMNS);
    map.parameter = (int)tn_first_column(batch, TN_PARAMETER_COLUMNS);
    map.state = (int)tn_first_column(batch, TN_STATE_COLUMNS);
    map.own_position = (int)tn_first_column(batch, TN_POSITION_COLUMNS);
    map.own_velocity = (int)tn_first_column(batch, TN_VELOCITY_COLUMNS);
    map.own_acceleration = (int)tn_first_column(batch, TN_ACCELERATION_COLUMNS);
    return map;
}

/* Most states of one instance. */
#define TN_MOST_STATES 32

/* False, noted as the failure, where an instance has more. */
static inline TN_UNUSED bool tn_fits_states(const tn_batch *batch)
{
    if (batch->layout->nx <= TN_MOST_STATES) return true;
    (void)tn_note_failure(batch, 0, TN_OK, TN_INVALID, "an element has 32 states at the most");
    return false;
}

/* The states of the context's instance, with the seeds of a sweep. */
static inline TN_UNUSED void tn_load_states(const tn_context *context, int column, int first, tn_real *state)
{
    const int count = (int)context->batch->layout->nx;
    const double *x = context->batch->x + (size_t)context->instance * (size_t)count;
    for (int k = 0; k < count; k++) {
        state[k] = tn_constant(x[k]);
        tn_seed_column(&state[k], column + k, first, 1.0);
    }
}

/* Writes the sweep's columns of one row. */
static inline TN_UNUSED void tn_store_row(double *row, tn_real a, int first, int columns)
{
    for (int c = 0; c < TN_SEEDS && first + c < columns; c++)
        row[first + c] = tn_derivative(a, c);
}

#include "tenon/constraint.h"

/* A constraint sees a view of its instance without columns for parameters. */
#define TN_CONSTRAINT_OF(name)                                                                 \
    TN_CONSTRAINT_SIGNATURE(name);                                                             \
    static tn_status name##_constraint_of(const void *instance, const tn_marker_state *marker, \
                                          tn_context *context, tn_real *row)                   \
    {                                                                                          \
        name view;                                                                             \
        name##_copy(&view, (const name##_stored *)instance, NULL, 0, 0);                       \
        return name##_constraint_text(&view, marker, context, row);                            \
    }
#define TN_CONSTRAINT_PASS(name, function, call)               \
    TN_C_LINKAGE tn_status name##_##function(tn_batch *batch); \
    TN_C_LINKAGE tn_status name##_##function(tn_batch *batch) { return call; }

#if TN_PASS == TN_PASS_SECOND

#define TN_CONSTRAINT(name)                                                                              \
    TN_CONSTRAINT_OF(name)                                                                               \
    TN_CONSTRAINT_PASS(name, constraint_rate, tn_constraint_motion(batch, name##_constraint_of, false))  \
    TN_CONSTRAINT_PASS(name, constraint_bias, tn_constraint_motion(batch, name##_constraint_of, true))   \
    TN_CONSTRAINT_PASS(name, constraint_stiffness, tn_constraint_stiffness(batch, name##_constraint_of)) \
    TN_CONSTRAINT_SIGNATURE(name)
/* Laws need no second derivatives: their text is compiled, and nobody calls it. */
#define TN_FORCE(name, KIND, maximum) TN_UNUSED TN_SIGNATURE(name, force)
#define TN_RATES(name, KIND, maximum) TN_UNUSED TN_RATES_SIGNATURE(name)
#define TN_KINEMATICS(name, DELIVERED, KIND, maximum) TN_UNUSED TN_KINEMATICS_SIGNATURE(name)
#define TN_BODY_FORCE(name, NQ, NV) TN_UNUSED TN_BODY_SIGNATURE(name)

#else

#define TN_CONSTRAINT(name)                                                                    \
    TN_CONSTRAINT_OF(name)                                                                     \
    TN_CONSTRAINT_PASS(name, constraint_rows, tn_constraint_rows(batch, name##_constraint_of)) \
    TN_CONSTRAINT_SIGNATURE(name)

#define TN_FORCE(name, KIND, maximum)                                                                   \
    TN_SIGNATURE(name, force);                                                                          \
    TN_C_LINKAGE tn_status name##_force_tangent(tn_batch *batch);                                       \
    TN_C_LINKAGE tn_status name##_force_tangent(tn_batch *batch)                                        \
    {                                                                                                   \
        tn_status worst = TN_OK;                                                                        \
        tn_real state[TN_MOST_STATES];                                                                  \
        tn_context context = {batch->time, batch, 0, true, NULL};                                       \
        const int count = TN_COUNT_OF(KIND, batch, maximum), size = (int)batch->wrench_size;            \
        const tn_column_map at = tn_columns_of(batch);                                                  \
        if (!tn_fits_states(batch)) return TN_INVALID;                                                  \
        context.state = state;                                                                          \
        for (uint32_t i = 0; i < batch->count; i++) {                                                   \
            double *tangent = batch->tangent + (size_t)i * (size_t)size * (size_t)at.stride;            \
            double *out = batch->wrench + (size_t)i * (size_t)size;                                     \
            if (batch->active && !batch->active[i]) {                                                   \
                memset(tangent, 0, sizeof(double) * (size_t)size * (size_t)at.stride);                  \
                memset(out, 0, sizeof(double) * (size_t)size);                                          \
                continue;                                                                               \
            }                                                                                           \
            const name##_stored *stored = (const name##_stored *)tn_instance(batch, i);                 \
            context.instance = i;                                                                       \
            for (int first = 0; first < at.stride; first += TN_SEEDS) {                                 \
                name view;                                                                              \
                tn_marker_state marker[maximum];                                                        \
                tn_wrench wrench[maximum];                                                              \
                int column = 0;                                                                         \
                name##_copy(&view, stored, batch->dynamic, batch->dynamic_count, at.parameter - first); \
                context.dynamic_count = batch->dynamic_count;                                           \
                context.dynamic_seed = at.parameter - first;                                            \
                tn_load_states(&context, at.state, first, state);                                       \
                for (int k = 0; k < count; k++) {                                                       \
                    const uint32_t kind = TN_KIND_OF(KIND, batch, k);                                   \
                    tn_load_marker(batch->pose, batch->twist, kind,                                     \
                                   batch->marker[i * (uint32_t)count + (uint32_t)k], &marker[k]);       \
                    tn_seed_marker(&marker[k], kind, at.pose + column, at.twist + column, first);       \
                    wrench[k].force = wrench[k].torque = tn_zero();                                     \
                    column += (int)tn_twist_size(kind);                                                 \
                }                                                                                       \
                tn_status status = name##_force_text(&view, marker, &context, wrench);                  \
                if (status != TN_OK) {                                                                  \
                    worst = tn_note_failure(batch, i, worst, status, context.message);                  \
                    context.message = NULL;                                                             \
                }                                                                                       \
                int row = 0;                                                                            \
                for (int k = 0; k < count; k++) {                                                       \
                    const int width = (int)tn_twist_size(TN_KIND_OF(KIND, batch, k));                   \
                    for (int j = 0; j < width; j++, row++) {                                            \
                        tn_real w = j < 3 ? wrench[k].force.e[j] : wrench[k].torque.e[j - 3];           \
                        out[row] = tn_value(w);                                                         \
                        tn_store_row(tangent + row * at.stride, w, first, at.stride);                   \
                    }                                                                                   \
                }                                                                                       \
            }                                                                                           \
        }                                                                                               \
        return worst;                                                                                   \
    }                                                                                                   \
    TN_SIGNATURE(name, force)

/* Rows: the rates of x. */
#define TN_RATES(name, KIND, maximum)                                                                   \
    TN_RATES_SIGNATURE(name);                                                                           \
    TN_C_LINKAGE tn_status name##_rates_tangent(tn_batch *batch);                                       \
    TN_C_LINKAGE tn_status name##_rates_tangent(tn_batch *batch)                                        \
    {                                                                                                   \
        tn_status worst = TN_OK;                                                                        \
        tn_real state[TN_MOST_STATES], rate[TN_MOST_STATES];                                            \
        tn_context context = {batch->time, batch, 0, true, NULL};                                       \
        const int count = TN_COUNT_OF(KIND, batch, maximum), rows = (int)batch->layout->nx;             \
        const tn_column_map at = tn_columns_of(batch);                                                  \
        if (!tn_fits_states(batch)) return TN_INVALID;                                                  \
        context.state = state;                                                                          \
        for (uint32_t i = 0; i < batch->count; i++) {                                                   \
            double *tangent = batch->tangent + (size_t)i * (size_t)rows * (size_t)at.stride;            \
            double *out = batch->x_rate + (size_t)i * (size_t)rows;                                     \
            if (batch->active && !batch->active[i]) {                                                   \
                memset(tangent, 0, sizeof(double) * (size_t)rows * (size_t)at.stride);                  \
                memset(out, 0, sizeof(double) * (size_t)rows);                                          \
                continue;                                                                               \
            }                                                                                           \
            const name##_stored *stored = (const name##_stored *)tn_instance(batch, i);                 \
            context.instance = i;                                                                       \
            for (int first = 0; first < at.stride; first += TN_SEEDS) {                                 \
                name view;                                                                              \
                tn_marker_state marker[(maximum) > 0 ? (maximum) : 1];                                  \
                int column = 0;                                                                         \
                name##_copy(&view, stored, batch->dynamic, batch->dynamic_count, at.parameter - first); \
                context.dynamic_count = batch->dynamic_count;                                           \
                context.dynamic_seed = at.parameter - first;                                            \
                tn_load_states(&context, at.state, first, state);                                       \
                for (int k = 0; k < count; k++) {                                                       \
                    const uint32_t kind = TN_KIND_OF(KIND, batch, k);                                   \
                    tn_load_marker(batch->pose, batch->twist, kind,                                     \
                                   batch->marker[i * (uint32_t)count + (uint32_t)k], &marker[k]);       \
                    tn_seed_marker(&marker[k], kind, at.pose + column, at.twist + column, first);       \
                    column += (int)tn_twist_size(kind);                                                 \
                }                                                                                       \
                for (int row = 0; row < rows; row++)                                                    \
                    rate[row] = tn_constant(0.0);                                                       \
                tn_status status = name##_rates_text(&view, marker, state, &context, rate);             \
                if (status != TN_OK) {                                                                  \
                    worst = tn_note_failure(batch, i, worst, status, context.message);                  \
                    context.message = NULL;                                                             \
                }                                                                                       \
                for (int row = 0; row < rows; row++) {                                                  \
                    out[row] = tn_value(rate[row]);                                                     \
                    tn_store_row(tangent + row * at.stride, rate[row], first, at.stride);               \
                }                                                                                       \
            }                                                                                           \
        }                                                                                               \
        return worst;                                                                                   \
    }                                                                                                   \
    TN_RATES_SIGNATURE(name)

/* Rows: the twist; columns: pose increments of all markers, then their twists. Values are left alone. */
#define TN_KINEMATICS(name, DELIVERED, KIND, maximum)                                                    \
    TN_KINEMATICS_SIGNATURE(name);                                                                       \
    TN_C_LINKAGE tn_status name##_kinematics_tangent(tn_batch *batch);                                   \
    TN_C_LINKAGE tn_status name##_kinematics_tangent(tn_batch *batch)                                    \
    {                                                                                                    \
        tn_status worst = TN_OK;                                                                         \
        tn_context context = {batch->time, batch, 0, true, NULL};                                        \
        const uint32_t count = batch->marker_count;                                                      \
        const int size = (int)batch->wrench_size, rows = (int)tn_twist_size(DELIVERED);                  \
        for (uint32_t i = 0; i < batch->count; i++) {                                                    \
            double *tangent = batch->tangent + (size_t)i * (size_t)(rows * 2 * size);                    \
            const name##_stored *stored = (const name##_stored *)tn_instance(batch, i);                  \
            context.instance = i;                                                                        \
            for (int first = 0; first < 2 * size; first += TN_SEEDS) {                                   \
                name view;                                                                               \
                tn_marker_state marker[maximum], out = tn_marker_at_rest();                              \
                int column = 0;                                                                          \
                name##_copy(&view, stored, NULL, 0, 0);                                                  \
                for (uint32_t k = 0; k < count; k++) {                                                   \
                    const uint32_t kind = TN_KIND_OF(KIND, batch, k);                                    \
                    tn_load_marker(batch->pose, batch->twist, kind, batch->marker[i * count + k],        \
                                   &marker[k]);                                                          \
                    tn_seed_marker(&marker[k], kind, column, size + column, first);                      \
                    column += (int)tn_twist_size(kind);                                                  \
                }                                                                                        \
                tn_status status = name##_kinematics_text(&view, marker, &context, &out);                \
                if (status != TN_OK) {                                                                   \
                    worst = tn_note_failure(batch, i, worst, status, context.message);                   \
                    context.message = NULL;                                                              \
                }                                                                                        \
                for (int row = 0; row < rows; row++)                                                     \
                    tn_store_row(tangent + row * 2 * size,                                               \
                                 row < 3 ? out.velocity.e[row] : out.angular_velocity.e[row - 3], first, \
                                 2 * size);                                                              \
            }                                                                                            \
        }                                                                                                \
        return worst;                                                                                    \
    }                                                                                                    \
    TN_KINEMATICS_SIGNATURE(name)

/* True for a body whose matrices are lists of entries, noted as the failure: the pass writes full ones. */
static inline TN_UNUSED bool tn_has_entries(const tn_batch *batch)
{
    if (!batch->layout || !batch->layout->own_entries) return false;
    (void)tn_note_failure(batch, 0, TN_OK, TN_INVALID, "its tangent has to be written entry by entry");
    return true;
}

/* A body by itself: values into batch->target, derivatives by increments of q (along the retraction: batch->basis, or the identity),
 * v and dv/dt. `call` works out what the body writes to out[]. */
#define TN_OWN_PASS(name, NQ, NV, function, target, call)                                                \
    TN_C_LINKAGE tn_status name##_##function(tn_batch *batch);                                           \
    TN_C_LINKAGE tn_status name##_##function(tn_batch *batch)                                            \
    {                                                                                                    \
        tn_status worst = TN_OK;                                                                         \
        tn_context context = {batch->time, batch, 0, true, NULL};                                        \
        const tn_column_map map = tn_columns_of(batch);                                                  \
        if (tn_has_entries(batch)) return TN_INVALID;                                                    \
        for (uint32_t i = 0; i < batch->count; i++) {                                                    \
            double *tangent = batch->tangent + (size_t)i * (size_t)((NV)*map.stride);                    \
            const name##_stored *stored = (const name##_stored *)tn_instance(batch, i);                  \
            context.instance = i;                                                                        \
            for (int first = 0; first < map.stride; first += TN_SEEDS) {                                 \
                name view;                                                                               \
                tn_real q[NQ], v[NV], a[NV], out[NV];                                                    \
                name##_copy(&view, stored, batch->dynamic, batch->dynamic_count, map.parameter - first); \
                context.dynamic_count = batch->dynamic_count;                                            \
                context.dynamic_seed = map.parameter - first;                                            \
                for (int j = 0; j < (NQ); j++) {                                                         \
                    q[j] = tn_constant(batch->q[(NQ)*i + (uint32_t)j]);                                  \
                    for (int k = 0; k < (NV); k++)                                                       \
                        tn_seed_column(&q[j], map.own_position + k, first,                               \
                                       batch->basis                                                      \
                                           ? batch->basis[((NQ)*i + (uint32_t)j) * (NV) + (uint32_t)k]   \
                                           : (j == k ? 1.0 : 0.0));                                      \
                }                                                                                        \
                for (int j = 0; j < (NV); j++) {                                                         \
                    v[j] = tn_constant(batch->v[(NV)*i + (uint32_t)j]);                                  \
                    a[j] = tn_constant(batch->a ? batch->a[(NV)*i + (uint32_t)j] : 0.0);                 \
                    tn_seed_column(&v[j], map.own_velocity + j, first, 1.0);                             \
                    tn_seed_column(&a[j], map.own_acceleration + j, first, 1.0);                         \
                    out[j] = tn_constant(0.0);                                                           \
                }                                                                                        \
                (void)a;                                                                                 \
                tn_status status = call;                                                                 \
                if (status != TN_OK) {                                                                   \
                    worst = tn_note_failure(batch, i, worst, status, context.message);                   \
                    context.message = NULL;                                                              \
                }                                                                                        \
                for (int j = 0; j < (NV); j++) {                                                         \
                    batch->target[(NV)*i + (uint32_t)j] = tn_value(out[j]);                              \
                    tn_store_row(tangent + j * map.stride, out[j], first, map.stride);                   \
                }                                                                                        \
            }                                                                                            \
        }                                                                                                \
        return worst;                                                                                    \
    }

#define TN_BODY_FORCE(name, NQ, NV)                                                                          \
    TN_BODY_SIGNATURE(name);                                                                                 \
    TN_OWN_PASS(name, NQ, NV, body_force_tangent, force, name##_body_force_text(&view, q, v, &context, out)) \
    TN_BODY_SIGNATURE(name)

#define TN_RESIDUAL(name, NQ, NV)                                    \
    TN_RESIDUAL_SIGNATURE(name);                                     \
    TN_OWN_PASS(name, NQ, NV, residual_tangent, residual,            \
                name##_residual_text(&view, q, v, a, &context, out)) \
    TN_RESIDUAL_SIGNATURE(name)

#endif

#endif

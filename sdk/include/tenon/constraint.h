/* tenon/constraint.h - constraints: one text of residuals becomes all that a solver needs; included by author.h.
 *
 * The text writes row[0], row[1], ...: position rows first, functions of poses (and of tn_time(context)) that shall be
 * zero; then velocity rows, linear in the twists. How many of each there are says `layout`. From it come
 *
 *   values              g, or A v + b                                     double
 *   rows                G = dg/d(pose increments), or A = d/d(twists)      dual numbers
 *   rate, bias          dg/dt and d2g/dt2 at markers that do not accelerate; A v + b and its first derivative
 *   stiffness           d(G^T lambda)/d(pose increments)                   second-order numbers
 *
 * A row grows with the distance to where it is zero, in m or rad, and has a slope there: length - L, not its square. Reactions are
 * + G^T lambda.
 *
 * Parameters of a constraint cannot be TN_DYNAMIC: what changes with time is a function of tn_time(context). Algebraic unknowns
 * that a text reads (TN_CONSTRAINT_WITH_UNKNOWNS) follow the poses and time in all of it, but are held in the values (algebraic.h).
 *
 * A rotation R moves by increments on its left, exp[e] R. For the stiffness the second increment acts on the first one's
 * result, so that the mixed coefficient is [e_j][e_c] R: the derivative, along e_c, of rows that are taken anew there. */
#ifndef TENON_CONSTRAINT_H
#define TENON_CONSTRAINT_H

#include "tenon/loops.h"

/* One instance on its way through a pass. */
typedef struct tn_constraint_view {
    const tn_batch *batch;
    const void *instance;
    tn_context context;
    tn_marker_state marker[TN_CONSTRAINT_MARKERS];
    tn_real row[TN_CONSTRAINT_ROWS];
    uint32_t position_rows, rows;
    int size; /* of all twists together */
#if !TN_VALUES
    tn_follower follower;
    tn_real room[2 * TN_NODE_COORDINATES]; /* of its nodes */
#endif
} tn_constraint_view;

static inline TN_UNUSED void tn_constraint_look(tn_constraint_view *view, const tn_batch *batch, uint32_t i)
{
    const tn_layout *layout = batch->layout;
    view->batch = batch;
    view->instance = tn_instance(batch, i);
    view->context = tn_context_at(batch, i);
    view->position_rows = layout->position_rows;
    view->rows = layout->position_rows + layout->velocity_rows;
    view->size = (int)batch->wrench_size;
}

/* Markers as they are, rows zero. */
static inline TN_UNUSED void tn_constraint_load(tn_constraint_view *view)
{
    const tn_batch *batch = view->batch;
#if TN_VALUES
    tn_real *const room = NULL;
#else
    tn_real *const room = view->room;
#endif
    tn_load_markers(batch, TN_ANY, batch->marker_count, view->context.instance, view->marker, room);
    for (uint32_t r = 0; r < view->rows; r++)
        view->row[r] = tn_constant(0.0);
}

static inline TN_UNUSED tn_status tn_constraint_call(tn_constraint_view *view, tn_constraint_text text,
                                                     tn_status worst)
{
    const tn_status status = text(view->instance, view->marker, &view->context, view->row);
    if (status == TN_OK) return worst;
    return tn_note_failure(view->batch, view->context.instance, worst, status, view->context.message);
}

#if TN_VALUES

static inline TN_UNUSED tn_status tn_constraint_values(tn_batch *batch, tn_constraint_text text)
{
    tn_status worst = TN_OK;
    tn_constraint_view view;
    for (uint32_t i = 0; i < batch->count; i++) {
        tn_constraint_look(&view, batch, i);
        tn_constraint_load(&view);
        if (view.context.active) worst = tn_constraint_call(&view, text, worst);
        for (uint32_t r = 0; r < view.rows; r++)
            batch->residual[(size_t)i * view.rows + r] = view.row[r];
    }
    return worst;
}

#else

/* Readies the unknowns of the instance that the view looks at. */
static inline TN_UNUSED tn_status tn_constraint_begin(tn_constraint_view *view, tn_constraint_text unknowns,
                                                      tn_status worst)
{
    tn_follower *f = &view->follower;
    f->text = unknowns;
    f->count = unknowns ? view->batch->layout->ns : 0;
    view->context.state = f->unknown;
    if (!f->count || !view->context.active) return worst;
    tn_constraint_load(view);
    const tn_status status = tn_follower_differentiate(f, view->instance, view->marker, &view->context);
    if (status == TN_OK) return worst;
    return tn_note_failure(view->batch, view->context.instance, worst, status, view->context.message);
}

/* The rows at the markers with the seeds that they have. */
static inline TN_UNUSED tn_status tn_constraint_follow(tn_constraint_view *view, tn_constraint_text text,
                                                       tn_status worst)
{
    if (view->follower.count) {
        const tn_status status =
            tn_follower_follow(&view->follower, view->instance, view->marker, &view->context);
        if (status != TN_OK)
            return tn_note_failure(view->batch, view->context.instance, worst, status, view->context.message);
    }
    return tn_constraint_call(view, text, worst);
}

#if TN_PASS == TN_PASS_SECOND

/* ---- rate and bias: all markers move on, lane 0 and the direction of its own being time ---- */

static inline TN_UNUSED void tn_constraint_drive(tn_constraint_view *view)
{
    view->context.time_rate = 1.0;
    for (uint32_t k = 0; k < view->batch->marker_count; k++) {
        tn_marker_state *m = &view->marker[k];
        const uint32_t size = m->coordinates ? tn_node_size(view->batch, k) : 0;
        for (uint32_t j = 0; j < size; j++)
            tn_seed_time(tn_writable(&m->coordinates[j]), tn_value(m->rates[j]), 0.0);
        const double w[3] = {tn_value(m->angular_velocity.e[0]), tn_value(m->angular_velocity.e[1]),
                             tn_value(m->angular_velocity.e[2])};
        for (int i = 0; i < 3; i++) {
            const double v = tn_value(m->velocity.e[i]);
            tn_seed_time(&m->position.e[i], v, 0.0);
        }
        for (int c = 0; c < 3; c++) {
            const double x[3] = {tn_value(m->rotation.row[0].e[c]), tn_value(m->rotation.row[1].e[c]),
                                 tn_value(m->rotation.row[2].e[c])};
            const double once[3] = {w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2],
                                    w[0] * x[1] - w[1] * x[0]};
            const double twice[3] = {w[1] * once[2] - w[2] * once[1], w[2] * once[0] - w[0] * once[2],
                                     w[0] * once[1] - w[1] * once[0]};
            for (int i = 0; i < 3; i++)
                tn_seed_time(&m->rotation.row[i].e[c], once[i], twice[i]);
        }
    }
}

/* `second`: the bias instead of the rate. */
static inline TN_UNUSED tn_status tn_constraint_motion(tn_batch *batch, tn_constraint_text text,
                                                       tn_constraint_text unknowns, bool second)
{
    tn_status worst = TN_OK;
    tn_constraint_view view;
    if (!tn_fits_nodes(batch)) return TN_INVALID;
    for (uint32_t i = 0; i < batch->count; i++) {
        tn_constraint_look(&view, batch, i);
        worst = tn_constraint_begin(&view, unknowns, worst);
        tn_constraint_load(&view);
        if (view.context.active) {
            tn_constraint_drive(&view);
            worst = tn_constraint_follow(&view, text, worst);
        }
        for (uint32_t r = 0; r < view.rows; r++) {
            const bool position = r < view.position_rows;
            batch->residual[(size_t)i * view.rows + r] =
                position ? (second ? tn_mixed(view.row[r], 0) : tn_derivative(view.row[r], 0))
                         : (second ? tn_derivative(view.row[r], 0) : tn_value(view.row[r]));
        }
    }
    return worst;
}

/* ---- stiffness ---- */

/* Moves the pose along increment `c` of marker k in the direction of its own. */
static inline TN_UNUSED void tn_constraint_turn(tn_marker_state *m, uint32_t kind, int c)
{
    if (c < 3 || tn_is_node(kind)) {
        (tn_is_node(kind) ? tn_writable(&m->coordinates[c]) : &m->position.e[c])->e += 1.0;
        return;
    }
    const int j = (c - 2) % 3, l = (c - 1) % 3; /* the axes that follow axis c - 3 */
    for (int column = 0; column < 3; column++) {
        m->rotation.row[j].e[column].e -= m->rotation.row[l].e[column].value;
        m->rotation.row[l].e[column].e += m->rotation.row[j].e[column].value;
    }
}

/* Seeds the lanes of a marker that may be moved already: increments of its pose, on the left of what it is. */
static inline TN_UNUSED void tn_constraint_seed(tn_marker_state *m, uint32_t kind, int column, int first)
{
    const tn_mat3 R = m->rotation;
    const int size = (int)tn_twist_size(kind);
    for (int c = 0; c < size; c++) {
        const int lane = column + c - first;
        if (lane < 0 || lane >= TN_SEEDS) continue;
        if (c < 3 || tn_is_node(kind)) {
            tn_seed(tn_is_node(kind) ? tn_writable(&m->coordinates[c]) : &m->position.e[c], lane, 1.0);
            continue;
        }
        const int j = (c - 2) % 3, l = (c - 1) % 3;
        for (int e = 0; e < 3; e++) {
            tn_seed(&m->rotation.row[j].e[e], lane, -R.row[l].e[e].value);
            tn_seed(&m->rotation.row[l].e[e], lane, R.row[j].e[e].value);
            tn_seed_mixed(&m->rotation.row[j].e[e], lane, -R.row[l].e[e].e);
            tn_seed_mixed(&m->rotation.row[l].e[e], lane, R.row[j].e[e].e);
        }
    }
}

/* Component c of the twist of a marker. */
static inline TN_UNUSED tn_real *tn_twist_entry(tn_marker_state *m, uint32_t kind, int c)
{
    if (tn_is_node(kind)) return tn_writable(&m->rates[c]);
    return c < 3 ? &m->velocity.e[c] : &m->angular_velocity.e[c - 3];
}

/* One sweep: lanes are increments of poses, or for velocity rows components of twists. */
static inline TN_UNUSED tn_status tn_constraint_sweep(tn_constraint_view *view, tn_constraint_text text,
                                                      int moved, int first, bool twists, tn_status worst)
{
    int column = 0;
    tn_constraint_load(view);
    for (uint32_t k = 0; k < view->batch->marker_count; k++) {
        const uint32_t kind = view->batch->marker_kind[k];
        const int size = (int)tn_twist_size(kind);
        tn_marker_state *m = &view->marker[k];
        if (moved >= column && moved < column + size) tn_constraint_turn(m, kind, moved - column);
        if (!twists) tn_constraint_seed(m, kind, column, first);
        for (int c = 0; twists && c < size; c++)
            tn_seed_column(tn_twist_entry(m, kind, c), column + c, first, 1.0);
        column += size;
    }
    return tn_constraint_follow(view, text, worst);
}

static inline TN_UNUSED tn_status tn_constraint_stiffness(tn_batch *batch, tn_constraint_text text,
                                                          tn_constraint_text unknowns)
{
    tn_status worst = TN_OK;
    tn_constraint_view view;
    if (!tn_fits_nodes(batch)) return TN_INVALID;
    for (uint32_t i = 0; i < batch->count; i++) {
        tn_constraint_look(&view, batch, i);
        const int size = view.size;
        const double *lambda = batch->lambda + (size_t)i * view.rows;
        double *stiffness = batch->tangent + (size_t)i * (size_t)(size * size);
        memset(stiffness, 0, sizeof(double) * (size_t)(size * size));
        if (!view.context.active) continue;
        worst = tn_constraint_begin(&view, unknowns, worst);
        for (int half = 0; half < 2; half++) {
            const uint32_t begin = half ? view.position_rows : 0, end = half ? view.rows : view.position_rows;
            for (int c = 0; begin < end && c < size; c++)
                for (int first = 0; first < size; first += TN_SEEDS) {
                    worst = tn_constraint_sweep(&view, text, c, first, half, worst);
                    for (uint32_t r = begin; r < end; r++)
                        for (int lane = 0; lane < TN_SEEDS && first + lane < size; lane++)
                            stiffness[(first + lane) * size + c] += lambda[r] * tn_mixed(view.row[r], lane);
                }
        }
    }
    return worst;
}

#else

static inline TN_UNUSED tn_status tn_constraint_rows(tn_batch *batch, tn_constraint_text text,
                                                     tn_constraint_text unknowns)
{
    enum { NOWHERE = 1 << 20 }; /* a column beyond all sweeps */
    tn_status worst = TN_OK;
    tn_constraint_view view;
    if (!tn_fits_nodes(batch)) return TN_INVALID;
    for (uint32_t i = 0; i < batch->count; i++) {
        tn_constraint_look(&view, batch, i);
        double *rows = batch->tangent + (size_t)i * view.rows * (size_t)view.size;
        memset(rows, 0, sizeof(double) * view.rows * (size_t)view.size);
        if (!view.context.active) continue;
        worst = tn_constraint_begin(&view, unknowns, worst);
        for (int half = 0; half < 2; half++) {
            const uint32_t begin = half ? view.position_rows : 0, end = half ? view.rows : view.position_rows;
            for (int first = 0; begin < end && first < view.size; first += TN_SEEDS) {
                int column = 0;
                tn_constraint_load(&view);
                for (uint32_t k = 0; k < batch->marker_count; k++) {
                    const uint32_t kind = batch->marker_kind[k];
                    tn_seed_marker(&view.marker[k], kind, half ? NOWHERE : column, half ? column : NOWHERE,
                                   first);
                    column += (int)tn_twist_size(kind);
                }
                worst = tn_constraint_follow(&view, text, worst);
                for (uint32_t r = begin; r < end; r++)
                    tn_store_row(rows + r * (size_t)view.size, view.row[r], first, view.size);
            }
        }
    }
    return worst;
}

#endif

#endif

#endif

/* tenon/algebraic.h - algebraic equations 0 = r(markers, x, s, t) of the unknowns s of an element; included by author.h.
 *
 * The kernel finds s, and condenses the tangents of forces and rates. Rows of constraints have their derivatives with s
 * following the markers, which the passes see to (constraint.h): with u the poses of the markers, or time,
 *
 *     ds = -r_s^-1 r_u du,
 *
 * and the second derivatives of s are -r_s^-1 times those of r where s goes by its first ones. */
#ifndef TENON_ALGEBRAIC_H
#define TENON_ALGEBRAIC_H

#include "tenon/loops.h"

/* Most markers of an element. */
#define TN_ELEMENT_MARKERS 32

#if TN_VALUES

static inline TN_UNUSED tn_status tn_algebraic_values(tn_batch *batch, tn_constraint_text text, uint32_t kind,
                                                      uint32_t maximum)
{
    tn_status worst = TN_OK;
    tn_context context = tn_context_of(batch);
    if (!tn_fits_ports(batch, kind, maximum)) return TN_INVALID;
    const uint32_t count = batch->marker_count, unknowns = batch->layout->ns;
    for (uint32_t i = 0; i < batch->count; i++) {
        tn_marker_state marker[TN_ELEMENT_MARKERS];
        double *residual = batch->residual + (size_t)i * unknowns;
        memset(residual, 0, unknowns * sizeof *residual);
        if (batch->active && !batch->active[i]) continue;
        tn_load_markers(batch, TN_ANY, count, i, marker, NULL);
        context.instance = i;
        const tn_status status = text(tn_instance(batch, i), marker, &context, residual);
        if (status == TN_OK) continue;
        worst = tn_note_failure(batch, i, worst, status, context.message);
        context.message = NULL;
    }
    return worst;
}

#else

#if TN_PASS != TN_PASS_SECOND

/* Rows: the equations; columns as the batch lists them. */
static inline TN_UNUSED tn_status tn_algebraic_tangent(tn_batch *batch, tn_constraint_text text)
{
    tn_status worst = TN_OK;
    tn_real state[TN_MOST_STATES], left[TN_MOST_STATES], room[TN_NODE_ROOM(TN_ANY, 0)];
    tn_context context = tn_context_of(batch);
    const int rows = (int)batch->layout->ns;
    const tn_column_map at = tn_columns_of(batch);
    if (!tn_fits_states(batch) || !tn_fits_nodes(batch)) return TN_INVALID;
    context.state = state;
    context.dynamic_count = batch->dynamic_count;
    for (uint32_t i = 0; i < batch->count; i++) {
        double *tangent = batch->tangent + (size_t)i * (size_t)rows * (size_t)at.stride;
        double *residual = batch->residual + (size_t)i * (size_t)rows;
        if (batch->active && !batch->active[i]) {
            memset(tangent, 0, sizeof(double) * (size_t)rows * (size_t)at.stride);
            memset(residual, 0, sizeof(double) * (size_t)rows);
            continue;
        }
        context.instance = i;
        for (int first = 0; first < at.stride; first += TN_SEEDS) {
            tn_marker_state marker[TN_ELEMENT_MARKERS];
            context.dynamic_seed = at.parameter - first;
            tn_load_states(&context, at, first, state);
            (void)tn_load_seeded(batch, TN_ANY, batch->marker_count, i, at.pose, at.twist, first, marker,
                                 room);
            for (int row = 0; row < rows; row++)
                left[row] = tn_constant(0.0);
            const tn_status status = text(tn_instance(batch, i), marker, &context, left);
            if (status != TN_OK) {
                worst = tn_note_failure(batch, i, worst, status, context.message);
                context.message = NULL;
            }
            for (int row = 0; row < rows; row++) {
                residual[row] = tn_value(left[row]);
                tn_store_row(tangent + row * at.stride, left[row], first, at.stride);
            }
        }
    }
    return worst;
}

#endif

/* ---- unknowns that follow the markers of a constraint ------------------------------------------------------ */

typedef struct tn_follower {
    tn_constraint_text text; /* NULL: there are no unknowns */
    uint32_t count;
    tn_real unknown[TN_CONSTRAINT_UNKNOWNS], left[TN_CONSTRAINT_UNKNOWNS];
    double slope[TN_CONSTRAINT_UNKNOWNS * TN_CONSTRAINT_UNKNOWNS]; /* r_s, factored: P r_s = L U */
    uint32_t exchange[TN_CONSTRAINT_UNKNOWNS];                     /* row that changed places with row k */
} tn_follower;

static inline TN_UNUSED void tn_follower_factor(tn_follower *f)
{
    const uint32_t n = f->count;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t largest = k;
        for (uint32_t r = k + 1; r < n; r++)
            if (fabs(f->slope[r * n + k]) > fabs(f->slope[largest * n + k])) largest = r;
        f->exchange[k] = largest;
        for (uint32_t c = 0; c < n; c++) {
            const double kept = f->slope[k * n + c];
            f->slope[k * n + c] = f->slope[largest * n + c];
            f->slope[largest * n + c] = kept;
        }
        /* regular, or the kernel had not found s */
        for (uint32_t r = k + 1; r < n; r++) {
            const double factor = f->slope[r * n + k] /= f->slope[k * n + k];
            for (uint32_t c = k + 1; c < n; c++)
                f->slope[r * n + c] -= factor * f->slope[k * n + c];
        }
    }
}

/* d = -r_s^-1 d */
static inline TN_UNUSED void tn_follower_solve(const tn_follower *f, double *d)
{
    const uint32_t n = f->count;
    for (uint32_t k = 0; k < n; k++) {
        const double kept = d[f->exchange[k]];
        d[f->exchange[k]] = d[k];
        d[k] = kept;
    }
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t k = 0; k < r; k++)
            d[r] -= f->slope[r * n + k] * d[k];
    for (uint32_t r = n; r-- > 0;) {
        for (uint32_t k = r + 1; k < n; k++)
            d[r] -= f->slope[r * n + k] * d[k];
        d[r] /= f->slope[r * n + r];
    }
    for (uint32_t k = 0; k < n; k++)
        d[k] = -d[k];
}

static inline TN_UNUSED void tn_follower_load(tn_follower *f, const tn_context *context)
{
    for (uint32_t k = 0; k < f->count; k++)
        f->unknown[k] = tn_constant(context->batch->s[context->instance * f->count + k]);
}

static inline TN_UNUSED tn_status tn_follower_call(tn_follower *f, const void *instance,
                                                   const tn_marker_state *marker, tn_context *context)
{
    for (uint32_t k = 0; k < f->count; k++)
        f->left[k] = tn_constant(0.0);
    return f->text(instance, marker, context, f->left);
}

/* r_s, with markers that have no seeds. */
static inline TN_UNUSED tn_status tn_follower_differentiate(tn_follower *f, const void *instance,
                                                            const tn_marker_state *marker,
                                                            tn_context *context)
{
    const uint32_t n = f->count;
    for (uint32_t first = 0; first < n; first += TN_SEEDS) {
        tn_follower_load(f, context);
        for (uint32_t k = 0; k < n; k++)
            tn_seed_column(&f->unknown[k], (int)k, (int)first, 1.0);
        const tn_status status = tn_follower_call(f, instance, marker, context);
        if (status != TN_OK) return status;
        for (uint32_t r = 0; r < n; r++)
            tn_store_row(f->slope + r * n, f->left[r], (int)first, (int)n);
    }
    tn_follower_factor(f);
    return TN_OK;
}

/* Seeds the unknowns by what the seeds of the markers make of them. */
static inline TN_UNUSED tn_status tn_follower_follow(tn_follower *f, const void *instance,
                                                     const tn_marker_state *marker, tn_context *context)
{
    double d[TN_CONSTRAINT_UNKNOWNS];
    tn_follower_load(f, context);
    tn_status status = tn_follower_call(f, instance, marker, context);
    for (int lane = 0; lane < TN_SEEDS; lane++) {
        for (uint32_t k = 0; k < f->count; k++)
            d[k] = tn_derivative(f->left[k], lane);
        tn_follower_solve(f, d);
        for (uint32_t k = 0; k < f->count; k++)
            tn_seed(&f->unknown[k], lane, d[k]);
    }
#if TN_PASS == TN_PASS_SECOND
    for (uint32_t k = 0; k < f->count; k++)
        d[k] = f->left[k].e;
    tn_follower_solve(f, d);
    for (uint32_t k = 0; k < f->count; k++)
        f->unknown[k].e += d[k];
    if (status == TN_OK) status = tn_follower_call(f, instance, marker, context);
    for (int lane = 0; lane < TN_SEEDS; lane++) {
        for (uint32_t k = 0; k < f->count; k++)
            d[k] = tn_mixed(f->left[k], lane);
        tn_follower_solve(f, d);
        for (uint32_t k = 0; k < f->count; k++)
            tn_seed_mixed(&f->unknown[k], lane, d[k]);
    }
#endif
    return status;
}

#endif

#endif

/* own_differences.c - derivatives of forces of bodies on themselves, and of residuals, by central differences */
#include "analysis/differences.h"

#include "system/own_tangent.h"

size_t tn_own_differences_needed(const tn_group *group)
{
    const tn_layout *layout = group->batch.layout;
    const bool needed = (group->type->body_force || group->type->residual) && !tn_own_is_exact(group);
    return needed ? tn_chunk(group->batch.count) * (layout->nq + 5 * (size_t)layout->nv) : 0;
}

/* What one side of a difference is: the force or residual where coordinate j of every body of a chunk is moved by h. */
static tn_status moved_value(const tn_group *group, const tn_batch *batch, uint32_t kind, size_t j, double h,
                             double *memory, double *value)
{
    const size_t nq = batch->layout->nq, nv = batch->layout->nv, count = batch->count;
    double *q = memory, *motion = q + count * nq;
    const double *from = kind == TN_VELOCITY_COLUMNS ? batch->v : batch->a;
    tn_batch moved = *batch;
    for (size_t i = 0; i < count * nv; i++)
        motion[i] = (kind == TN_POSITION_COLUMNS ? 0.0 : from[i]) + (i % nv == j ? h : 0.0);
    moved.force = moved.residual = value;
    if (kind == TN_VELOCITY_COLUMNS) moved.v = motion;
    if (kind == TN_ACCELERATION_COLUMNS) moved.a = motion;
    if (kind == TN_POSITION_COLUMNS) {
        tn_batch retraction = *batch;
        retraction.increment = motion;
        retraction.configuration = q;
        for (size_t i = 0; group->type->flags & TN_VECTOR_SPACE && i < count * nv; i++)
            q[i] = batch->q[i] + motion[i];
        if (!(group->type->flags & TN_VECTOR_SPACE)) {
            const tn_status status = tn_call(group->type, retract, &retraction);
            if (status != TN_OK) return status;
        }
        moved.q = q;
    }
    return group->type->residual ? tn_call(group->type, residual, &moved)
                                 : tn_call(group->type, body_force, &moved);
}

/* Column j of a block of the chunk's tangent. */
static void store_column(const tn_group *group, const tn_batch *batch, uint32_t first, size_t j,
                         const double *above, const double *below, double width)
{
    const size_t nv = batch->layout->nv, stride = batch->tangent_stride;
    const tn_own_pattern *own = group->own;
    for (size_t i = 0; i < batch->count; i++, above += nv, below += nv) {
        for (size_t e = 0; own && e < own->entries; e++)
            if (own->column[e] == j)
                batch->tangent[i * stride + first + e] = (above[own->row[e]] - below[own->row[e]]) / width;
        for (size_t r = 0; !own && r < nv; r++)
            batch->tangent[(i * nv + r) * stride + first + j] = (above[r] - below[r]) / width;
    }
}

tn_status tn_own_differences_find(const tn_group *group, const tn_batch *batch, double *memory)
{
    const size_t nq = batch->layout->nq, nv = batch->layout->nv, count = batch->count;
    double *above = memory + count * (nq + nv), *below = above + count * nv;
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < batch->column_blocks; k++) {
        const tn_column_block *block = &batch->columns[k];
        /* linear: any step is exact */
        const double h = block->kind == TN_ACCELERATION_COLUMNS ? 1.0 : TN_DIFFERENCE_STEP;
        for (size_t j = 0; j < nv && status == TN_OK; j++) {
            status = moved_value(group, batch, block->kind, j, h, memory, above);
            if (status == TN_OK) status = moved_value(group, batch, block->kind, j, -h, memory, below);
            store_column(group, batch, block->first, j, above, below, 2.0 * h);
        }
    }
    return status;
}

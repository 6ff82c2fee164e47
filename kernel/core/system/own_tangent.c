/* own_tangent.c - forces of bodies on themselves and residuals M(q) v' - f: values, derivatives, masses
 *
 * The force of a body with a residual is f, which the residual gives without accelerations; the derivatives of the residual by
 * accelerations are M. A full matrix of derivatives has a row for each coordinate; one with a pattern is a list of entries. */
#include "system/own_tangent.h"

#include "system/matrix.h"

#include <math.h>
#include <string.h>

/* Relative step of differences: the cube root of the rounding error. */
static const double step = 6e-6;

static bool needs_basis(const tn_group *group)
{
    return !(group->type->flags & TN_VECTOR_SPACE) && !group->own;
}

static bool is_exact(const tn_group *group)
{
    return group->type->residual ? group->type->residual_tangent != NULL
                                 : group->type->body_force_tangent != NULL;
}

size_t tn_own_columns(const tn_group *group)
{
    return group->own ? group->own->entries : group->batch.layout->nv;
}

static size_t rows_of(const tn_group *group) { return group->own ? 1 : group->batch.layout->nv; }

size_t tn_own_tangent_size(const tn_group *group) { return rows_of(group) * 2 * tn_own_columns(group); }

size_t tn_own_memory_size(const tn_group *group)
{
    const size_t nq = group->batch.layout->nq, nv = group->batch.layout->nv;
    return nv + (needs_basis(group) ? nq * nv + nq + nv : 0);
}

tn_status tn_own_force(const tn_group *group, tn_batch *batch)
{
    if (!group->type->residual) return tn_call(group->type, body_force, batch);
    tn_batch at_rest = *batch;
    at_rest.a = group->at_rest;
    at_rest.residual = batch->force;
    const tn_status status = tn_call(group->type, residual, &at_rest);
    for (size_t i = 0; i < (size_t)batch->layout->nv * batch->count; i++)
        batch->force[i] = -batch->force[i];
    return status;
}

/* ---- differences ----------------------------------------------------------------------------------------- */

size_t tn_own_differences_size(const tn_group *group)
{
    const tn_layout *layout = group->batch.layout;
    const bool needed = (group->type->body_force || group->type->residual) && !is_exact(group);
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

static tn_status differences(const tn_group *group, const tn_batch *batch, double *memory)
{
    const size_t nq = batch->layout->nq, nv = batch->layout->nv, count = batch->count;
    double *above = memory + count * (nq + nv), *below = above + count * nv;
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < batch->column_blocks; k++) {
        const tn_column_block *block = &batch->columns[k];
        const double h = block->kind == TN_ACCELERATION_COLUMNS ? 1.0 : step; /* linear: any step is exact */
        for (size_t j = 0; j < nv && status == TN_OK; j++) {
            status = moved_value(group, batch, block->kind, j, h, memory, above);
            if (status == TN_OK) status = moved_value(group, batch, block->kind, j, -h, memory, below);
            store_column(group, batch, block->first, j, above, below, 2.0 * h);
        }
    }
    return status;
}

/* ---- derivatives ----------------------------------------------------------------------------------------- */

/* dq/d(increment) of every body of a chunk: the rates of unit velocities. */
static tn_status fill_basis(const tn_group *group, const tn_batch *batch, double *unit, double *rate,
                            double *basis)
{
    const size_t nq = batch->layout->nq, nv = batch->layout->nv, count = batch->count;
    tn_batch probe = *batch;
    probe.v = unit;
    probe.rate = rate;
    for (size_t j = 0; j < nv; j++) {
        for (size_t i = 0; i < count * nv; i++)
            unit[i] = i % nv == j ? 1.0 : 0.0;
        const tn_status status = tn_call(group->type, rate, &probe);
        if (status != TN_OK) return status;
        for (size_t i = 0; i < count * nq; i++)
            basis[i * nv + j] = rate[i];
    }
    return TN_OK;
}

/* In these columns, which follow each other; `memory` has tn_own_memory_size() for each instance, `probe` what differences take. */
static tn_status differentiate(const tn_group *group, tn_batch *batch, const tn_column_block *columns,
                               uint32_t blocks, double *memory, double *probe)
{
    const size_t count = batch->count, nv = batch->layout->nv, nq = batch->layout->nq;
    double *unit = memory + count * nv, *rate = unit + count * nv, *basis = rate + count * nq;
    batch->columns = columns;
    batch->column_blocks = blocks;
    batch->tangent_stride = columns[blocks - 1].first + columns[blocks - 1].count;
    batch->dynamic_count = batch->dynamic_columns = 0;
    if (!is_exact(group)) return differences(group, batch, probe);
    if (needs_basis(group) && columns->kind == TN_POSITION_COLUMNS) {
        const tn_status status = fill_basis(group, batch, unit, rate, basis);
        if (status != TN_OK) return status;
        batch->basis = basis;
    }
    /* the pass writes values, too: they must not overwrite what the gather has added to */
    batch->force = batch->residual = memory;
    return group->type->residual ? tn_call(group->type, residual_tangent, batch)
                                 : tn_call(group->type, body_force_tangent, batch);
}

tn_status tn_own_tangent(const tn_assembly *assembly, const tn_group *group, tn_batch *batch)
{
    const uint32_t n = (uint32_t)tn_own_columns(group);
    const tn_column_block columns[] = {{TN_POSITION_COLUMNS, 0, n}, {TN_VELOCITY_COLUMNS, n, n}};
    return differentiate(group, batch, columns, 2, assembly->fill->own, assembly->fill->probe);
}

tn_status tn_own_mass(tn_group *group)
{
    const uint32_t n = (uint32_t)tn_own_columns(group);
    const size_t nv = group->batch.layout->nv, size = rows_of(group) * n;
    const tn_column_block column = {TN_ACCELERATION_COLUMNS, 0, n};
    const size_t chunk = tn_chunk(group->batch.count);
    for (uint32_t first = 0; first < group->batch.count; first += TN_CHUNK) {
        const uint32_t left = group->batch.count - first;
        tn_batch batch = tn_sub_batch(group, first, left < TN_CHUNK ? left : TN_CHUNK);
        batch.a = group->at_rest;
        batch.tangent = group->mass + first * size;
        const tn_status status =
            differentiate(group, &batch, &column, 1, group->unread, group->unread + chunk * nv);
        if (status != TN_OK) return status;
    }
    return TN_OK;
}

/* ---- the power of masses that change --------------------------------------------------------------------- */

size_t tn_mass_power_size(const tn_group *group)
{
    const tn_layout *layout = group->batch.layout;
    return rows_of(group) * tn_own_columns(group) + tn_own_memory_size(group) + layout->nq +
           5 * (size_t)layout->nv;
}

/* v^T R v, where R holds the derivatives of a residual by positions. */
static double contract(const tn_group *group, const double *R, const double *v)
{
    const size_t nv = group->batch.layout->nv;
    const tn_own_pattern *own = group->own;
    double sum = 0.0;
    for (size_t e = 0; own && e < own->entries; e++)
        sum += R[e] * v[own->row[e]] * v[own->column[e]];
    for (size_t r = 0; !own && r < nv; r++)
        for (size_t c = 0; c < nv; c++)
            sum += R[r * nv + c] * v[r] * v[c];
    return sum;
}

/* (dM/dq v) x is what the derivatives of the residual along v differ by, at accelerations x and without any. */
double tn_mass_power(const tn_assembly *assembly, const tn_group *group, uint32_t instance, double *memory)
{
    const uint32_t n = (uint32_t)tn_own_columns(group);
    const tn_column_block column = {TN_POSITION_COLUMNS, 0, n};
    double *own = memory + rows_of(group) * n, *probe = own + tn_own_memory_size(group), power[2];
    for (int side = 0; side < 2; side++) {
        tn_batch batch = tn_sub_batch(group, instance, 1);
        batch.time = assembly->system.time;
        batch.tangent = memory;
        batch.a = side ? group->at_rest : batch.v;
        if (differentiate(group, &batch, &column, 1, own, probe) != TN_OK) return (double)NAN;
        power[side] = contract(group, memory, batch.v);
    }
    return 0.5 * (power[0] - power[1]);
}

/* own_tangent.c - forces of bodies on themselves and residuals M(q) v' - f: values, derivatives, masses
 *
 * The force of a body with a residual is f, which the residual gives without accelerations; the derivatives of the residual by
 * accelerations are M. A full matrix of derivatives has a row for each coordinate; one with a pattern is a list of entries. */
#include "system/own_tangent.h"

#include "system/tangent_source.h"

static bool needs_basis(const tn_group *group)
{
    return !(group->type->flags & TN_VECTOR_SPACE) && !group->own;
}

bool tn_own_is_exact(const tn_group *group)
{
    return group->type->residual ? group->type->residual_tangent != NULL
                                 : group->type->body_force_tangent != NULL;
}

size_t tn_own_columns(const tn_group *group)
{
    return group->own ? group->own->entries : group->batch.layout->nv;
}

size_t tn_own_rows(const tn_group *group) { return group->own ? 1 : group->batch.layout->nv; }

size_t tn_own_tangent_size(const tn_group *group) { return tn_own_rows(group) * 2 * tn_own_columns(group); }

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

tn_status tn_own_differentiate(const tn_assembly *assembly, const tn_group *group, tn_batch *batch,
                               const tn_column_block *columns, uint32_t blocks, double *memory, double *probe)
{
    const size_t count = batch->count, nv = batch->layout->nv, nq = batch->layout->nq;
    double *unit = memory + count * nv, *rate = unit + count * nv, *basis = rate + count * nq;
    batch->columns = columns;
    batch->column_blocks = blocks;
    batch->tangent_stride = columns[blocks - 1].first + columns[blocks - 1].count;
    batch->dynamic_count = batch->dynamic_columns = 0;
    const tn_tangent_source *tangents = assembly->services->tangents;
    if (!tn_own_is_exact(group)) return tangents ? tangents->own(group, batch, probe) : TN_UNSUPPORTED;
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
    return tn_own_differentiate(assembly, group, batch, columns, 2, tn_scratch(assembly)->own,
                                assembly->fill->probe);
}

tn_status tn_own_mass(const tn_assembly *assembly, tn_group *group)
{
    const uint32_t n = (uint32_t)tn_own_columns(group);
    const size_t nv = group->batch.layout->nv, size = tn_own_rows(group) * n;
    const tn_column_block column = {TN_ACCELERATION_COLUMNS, 0, n};
    const size_t chunk = tn_chunk(group->batch.count);
    for (uint32_t first = 0; first < group->batch.count; first += TN_CHUNK) {
        tn_batch batch = tn_chunk_from(group, first);
        batch.a = group->at_rest;
        batch.tangent = group->mass + first * size;
        const tn_status status = tn_own_differentiate(assembly, group, &batch, &column, 1, group->unread,
                                                      group->unread + chunk * nv);
        if (status != TN_OK) return status;
    }
    return TN_OK;
}

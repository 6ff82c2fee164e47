/* matrix.c - fills c_mass M - c_damping df/dv - c_stiffness df/dq
 *
 * With J the Jacobian of a marker (its twist against v), T the derivative of its twist with respect to the
 * increment of q at fixed v, P the derivative of its pulled-back wrench, and K, D the blocks of a connector's
 * tangent against poses and twists, the force on marker a contributes
 *
 *     df/dq = J_a^T (K J_c + D T_c) + P_a,     df/dv = J_a^T D J_c.
 *
 * J of an alias is a piece of the identity; T and P are zero there. A marker made of others depends on several bodies,
 * with a J and a T for each; how wrenches on it are passed on changes with the poses, too (derived_matrix.c).
 * Constraints border all that with their rows (constraint_matrix.c). */
#include "system/assembly.h"

#include <string.h>

/* ---- bodies ---------------------------------------------------------------------------------------------- */

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

tn_status tn_own_tangent(const tn_assembly *assembly, const tn_group *group, tn_batch *batch)
{
    if (!group->type->body_force_tangent) return tn_body_force_differences(group, batch, assembly->probe);
    const size_t count = batch->count, nv = batch->layout->nv, nq = batch->layout->nq;
    double *force = assembly->own, *unit = force + count * nv;
    double *rate = unit + count * nv, *basis = rate + count * nq;
    if (!(group->type->flags & TN_VECTOR_SPACE)) {
        const tn_status status = fill_basis(group, batch, unit, rate, basis);
        if (status != TN_OK) return status;
        batch->basis = basis;
    }
    /* the pass writes values, too: they must not overwrite what the gather has added to */
    batch->force = force;
    return tn_call(group->type, body_force_tangent, batch);
}

static void add_mass(const tn_filling *f, const tn_group *group, uint32_t first_body)
{
    const size_t nv = group->batch.layout->nv;
    for (uint32_t i = 0; i < group->batch.count; i++) {
        const size_t start = f->assembly->own_block[first_body + i],
                     length = f->assembly->column_length[first_body + i];
        const double *mass = group->mass + i * (group->diagonal ? nv : nv * nv);
        double *value = f->assembly->matrix.value + start;
        for (size_t c = 0; c < nv; c++)
            for (size_t r = 0; r < nv; r++)
                if (!group->diagonal)
                    value[c * length + r] += f->c_mass * mass[r * nv + c];
                else if (r == c)
                    value[c * length + r] += f->c_mass * mass[c];
    }
}

static tn_status add_own_forces(const tn_filling *f, const tn_group *group, uint32_t first_body)
{
    tn_assembly *assembly = f->assembly;
    const size_t nv = group->batch.layout->nv;
    for (uint32_t first = 0; first < group->batch.count; first += TN_CHUNK) {
        const uint32_t left = group->batch.count - first;
        tn_batch batch = tn_sub_batch(group, first, left < TN_CHUNK ? left : TN_CHUNK);
        batch.tangent = assembly->tangent;
        batch.time = assembly->system.time;
        const tn_status status = tn_own_tangent(assembly, group, &batch);
        if (status != TN_OK) return status;
        for (uint32_t i = 0; i < batch.count; i++) {
            const double *tangent = assembly->tangent + i * 2 * nv * nv;
            double *block = assembly->scratch;
            for (size_t k = 0; k < nv * nv; k++) {
                const double *row = tangent + k / nv * 2 * nv;
                block[k] = -f->c_stiffness * row[k % nv] - f->c_damping * row[nv + k % nv];
            }
            const uint32_t body = first_body + first + i;
            tn_add_block(f, assembly->own_block[body], assembly->column_length[body], 0, 0, nv, nv, block);
        }
    }
    return TN_OK;
}

/* ---- markers --------------------------------------------------------------------------------------------- */

static tn_status differentiate_riders(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_riders *riders = &assembly->riders[k];
        tn_attachments attachments = riders->attachments;
        if (!attachments.nv) continue;
        attachments.matrix = riders->jacobian;
        tn_status status = tn_call(riders->type, jacobian, &attachments);
        attachments.matrix = riders->derivative; /* zero where there is no function for it */
        if (riders->type->twist_derivative)
            status = tn_worse(status, tn_call(riders->type, twist_derivative, &attachments));
        if (status != TN_OK) return status;
    }
    return TN_OK;
}

tn_status tn_differentiate_markers(tn_assembly *assembly)
{
    const tn_status status = differentiate_riders(assembly);
    return status == TN_OK ? tn_derived_differentiate(assembly) : status;
}

/* -c_stiffness P on the bodies' own blocks. */
static tn_status add_pull_back(const tn_filling *f)
{
    tn_assembly *assembly = f->assembly;
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_riders *riders = &assembly->riders[k];
        const size_t nv = riders->type->pull_back_derivative ? riders->attachments.nv : 0,
                     size = tn_twist_size(riders->attachments.kind);
        for (uint32_t first = 0; nv && first < riders->attachments.count; first += TN_CHUNK) {
            tn_attachments part = riders->attachments;
            part.count = part.count - first < TN_CHUNK ? part.count - first : TN_CHUNK;
            part.body += first;
            part.data = (const char *)part.data + (size_t)first * part.data_size;
            part.wrench += first * size;
            part.matrix = assembly->scratch;
            const tn_status status = tn_call(riders->type, pull_back_derivative, &part);
            if (status != TN_OK) return status;
            for (uint32_t i = 0; i < part.count; i++) {
                const uint32_t body = assembly->body_start[riders->group] + part.body[i];
                double *block = assembly->scratch + i * nv * nv;
                for (size_t e = 0; e < nv * nv; e++)
                    block[e] *= -f->c_stiffness;
                tn_add_block(f, assembly->own_block[body], assembly->column_length[body], 0, 0, nv, nv,
                             block);
            }
        }
    }
    return TN_OK;
}

/* ---- connectors ------------------------------------------------------------------------------------------ */

/* One body that a marker depends on: `station` tells where it hangs on that body, or J and T stand in `leg`. */
static tn_end end_on(const tn_assembly *assembly, const tn_station *station, const tn_leg *leg, size_t width)
{
    const uint32_t group = leg ? assembly->group_of[leg->item] : station->group;
    const uint32_t body = leg ? assembly->index_of[leg->item] : station->body;
    const tn_group *owner = &assembly->group[group];
    tn_end e = {.width = width, .nv = owner->batch.layout->nv};
    if (!e.nv) return e;
    e.length = assembly->column_length[assembly->body_start[group] + body];
    e.v_start = owner->v_start + body * e.nv;
    e.diagonal = owner->diagonal;
    e.pinned = assembly->pins_hold && owner->pinned && owner->pinned[body];
    e.inverse = owner->inverse + (size_t)body * (owner->diagonal ? e.nv : e.nv * e.nv);
    if (leg) {
        e.J = leg->jacobian;
        e.T = leg->derivative;
    } else if (station->riders == TN_NONE) {
        e.offset = station->place.twist - e.v_start;
    } else {
        const tn_riders *riders = &assembly->riders[station->riders];
        e.J = riders->jacobian + station->rider * width * e.nv;
        e.T = riders->derivative + station->rider * width * e.nv;
    }
    return e;
}

size_t tn_ends_of(const tn_assembly *assembly, uint32_t marker, size_t column, tn_end *ends)
{
    const tn_station *station = &assembly->station[marker];
    const size_t width = tn_twist_size(assembly->model->marker[marker].kind);
    size_t count = 1;
    if (station->group != TN_NONE) {
        ends[0] = end_on(assembly, station, NULL, width);
    } else {
        const tn_derived *derived = &assembly->derived[station->riders];
        const uint32_t *start = derived->leg_start + station->rider;
        count = start[1] - start[0];
        for (size_t l = 0; l < count; l++)
            ends[l] = end_on(assembly, station, &derived->leg[start[0] + l], width);
    }
    for (size_t l = 0; l < count; l++)
        ends[l].column = column;
    return count;
}

/* product [rows][columns] += A B, where A(r, k) = A[r down + k across]. */
static inline void add_product(size_t rows, size_t inner, size_t columns, const double *A, size_t down,
                               size_t across, const double *B, double *product)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t k = 0; k < inner; k++)
            for (size_t j = 0; j < columns; j++)
                product[r * columns + j] += A[r * down + k * across] * B[k * columns + j];
}

/* Frames on rigid bodies are what most models are made of: there the compiler knows the sizes. */
static void multiply(size_t rows, size_t inner, size_t columns, const double *A, size_t down, size_t across,
                     const double *B, double *product)
{
    if (rows == 6 && inner == 6 && columns == 6)
        add_product(6, 6, 6, A, down, across, B, product);
    else
        add_product(rows, inner, columns, A, down, across, B, product);
}

/* One pair of ends: J_a^T (B J_c - c_stiffness D T_c), B = -c_stiffness K - c_damping D. */
void tn_add_pair(const tn_filling *f, const double *tangent, size_t W, size_t stride, const tn_end *a,
                 const tn_end *c, uint32_t start)
{
    const bool twists = stride > W;
    double *right = f->assembly->scratch, *left = right + 6 * (a->nv > c->nv ? a->nv : c->nv);
    double B[36], D[36];
    for (size_t r = 0; r < a->width; r++)
        for (size_t k = 0; k < c->width; k++) {
            const double *row = tangent + (a->column + r) * stride + c->column + k;
            const double damping = twists ? row[W] : 0.0;
            D[r * c->width + k] = -f->c_stiffness * damping;
            B[r * c->width + k] = -f->c_stiffness * row[0] - f->c_damping * damping;
        }
    /* columns: from the marker to the coordinates of its body */
    const double *block = B;
    size_t columns = c->width, column = c->offset;
    if (c->J) {
        memset(right, 0, a->width * c->nv * sizeof *right);
        multiply(a->width, c->width, c->nv, B, c->width, 1, c->J, right);
        if (twists) multiply(a->width, c->width, c->nv, D, c->width, 1, c->T, right);
        block = right;
        columns = c->nv;
        column = 0;
    }
    if (!a->J) {
        tn_add_block(f, start, c->length, a->offset, column, a->width, columns, block);
        return;
    }
    memset(left, 0, a->nv * columns * sizeof *left);
    multiply(a->nv, a->width, columns, a->J, 1, a->nv, block, left);
    tn_add_block(f, start, c->length, 0, column, a->nv, columns, left);
}

void tn_ends_of_instance(const tn_assembly *assembly, const tn_group *group, size_t instance, tn_end *ends)
{
    const size_t markers = group->batch.marker_count;
    size_t column = 0;
    for (size_t k = 0; k < markers; k++) {
        ends += tn_ends_of(assembly, group->marker[instance * markers + k], column, ends);
        column += tn_twist_size(group->batch.marker_kind[k]);
    }
}

tn_status tn_force_tangent(tn_assembly *assembly, const tn_group *group, tn_batch *batch)
{
    tn_status status = group->type->force_tangent
                           ? tn_call(group->type, force_tangent, batch)
                           : tn_force_differences(group, batch, assembly->length, assembly->probe);
    if (status == TN_OK)
        status = tn_algebraic_condense(assembly, group, batch, batch->wrench_size, batch->tangent);
    return status == TN_OK ? tn_states_condense(assembly, group, batch) : status;
}

/* Tangents of forces, or stiffness of reactions, of a group. */
static tn_status add_connectors(const tn_filling *f, const tn_group *group, bool reactions)
{
    tn_assembly *assembly = f->assembly;
    const size_t W = group->batch.wrench_size, legs = group->leg_count;
    const size_t stride = reactions ? W : group->batch.tangent_stride, size = W * stride;
    size_t coupled = group->coupled;
    for (uint32_t first = 0; first < group->batch.count; first += TN_CHUNK) {
        const uint32_t left = group->batch.count - first;
        tn_batch batch = tn_sub_batch(group, first, left < TN_CHUNK ? left : TN_CHUNK);
        batch.tangent = assembly->tangent;
        batch.time = assembly->system.time;
        const tn_status status = reactions ? tn_call(group->type, constraint_stiffness, &batch)
                                           : tn_force_tangent(assembly, group, &batch);
        if (status != TN_OK) return status;
        for (size_t i = 0; i < batch.count; i++) {
            tn_end *ends = assembly->end;
            tn_ends_of_instance(assembly, group, first + i, ends);
            size_t pair = (first + i) * legs * legs;
            for (size_t a = 0; a < legs; a++)
                for (size_t c = 0; c < legs; c++, pair++)
                    if (group->block[pair] != TN_NONE)
                        tn_add_pair(f, assembly->tangent + i * size, W, stride, &ends[a], &ends[c],
                                    group->block[pair]);
            if (!reactions && group->coupled_count) {
                const tn_status added =
                    tn_coupling_add(f, group, first + i, &coupled, ends, assembly->tangent + i * size);
                if (added != TN_OK) return added;
            }
        }
    }
    return TN_OK;
}

/* What depends on the state: forces and reactions. */
static tn_status add_forces(const tn_filling *f)
{
    const tn_assembly *assembly = f->assembly;
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        const tn_group *group = &assembly->group[k];
        if (group->type->body_force) status = add_own_forces(f, group, assembly->body_start[k]);
        if (group->type->force && status == TN_OK) status = add_connectors(f, group, false);
        const bool reacts = group->rows && !group->batch.layout->passive_rows;
        if (reacts && group->type->constraint_stiffness && status == TN_OK)
            status = add_connectors(f, group, true);
    }
    if (status == TN_OK) status = tn_derived_add_pull_back(f);
    return status == TN_OK ? add_pull_back(f) : status;
}

tn_status tn_system_matrix(tn_system *system, double c_mass, double c_damping, double c_stiffness)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const tn_matrix *matrix = tn_system_pattern(system);
    if (!matrix) return TN_OUT_OF_MEMORY;
    const tn_filling f = {assembly, c_mass, c_damping, c_stiffness};
    assembly->statistics.matrices++;
    assembly->masses_factored = assembly->checks_solution = false;
    memset(matrix->value, 0, sizeof(double) * (size_t)matrix->column_start[matrix->size]);
    tn_status status = tn_differentiate_markers(assembly);
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++)
        if (assembly->group[k].batch.layout->nv) add_mass(&f, &assembly->group[k], assembly->body_start[k]);
    const bool direct = !assembly->projecting && tn_couplings_are_direct(assembly);
    if (status == TN_OK && (c_damping != 0.0 || c_stiffness != 0.0 || direct)) status = add_forces(&f);
    return status == TN_OK && system->rows ? tn_constraints_fill(&f) : status;
}

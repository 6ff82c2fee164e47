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
#include "system/matrix.h"

#include "system/algebraic.h"
#include "system/markers.h"
#include "system/mass.h"
#include "system/own_tangent.h"
#include "system/states.h"
#include "system/tangent_source.h"
#include "system/value_source.h"

#include <string.h>

/* ---- bodies ---------------------------------------------------------------------------------------------- */

/* The block that a body has by itself. */
static tn_matrix_block own_block(const tn_assembly *assembly, uint32_t body)
{
    return (tn_matrix_block){assembly->fill->own_block[body], assembly->fill->column_length[body]};
}

/* Adds factor * entries, listed as in the pattern of a large body. */
static void add_entries(const tn_filling *f, const tn_group *group, size_t instance, double factor,
                        const double *entry)
{
    const uint32_t count = group->own->entries, *place = group->own_place + instance * count;
    for (uint32_t e = 0; e < count; e++)
        f->to->matrix.value[place[e]] += factor * entry[e];
}

/* A diagonal mass matrix of a large body. */
static void add_diagonal(const tn_filling *f, const tn_group *group, size_t instance, const double *mass)
{
    const tn_own_pattern *own = group->own;
    for (uint32_t c = 0; c < own->size; c++)
        f->to->matrix.value[group->own_place[instance * own->entries + own->diagonal[c]]] +=
            f->request.c_mass * mass[c];
}

static void add_block_of_masses(const tn_filling *f, const tn_group *group, uint32_t body, const double *mass)
{
    const size_t nv = group->batch.layout->nv;
    const tn_matrix_block block = own_block(f->assembly, body);
    double *value = f->to->matrix.value + block.start;
    for (size_t c = 0; c < nv; c++)
        for (size_t r = 0; r < nv; r++)
            if (!group->diagonal)
                value[c * block.length + r] += f->request.c_mass * mass[r * nv + c];
            else if (r == c)
                value[c * block.length + r] += f->request.c_mass * mass[c];
}

static void add_mass(const tn_filling *f, const tn_group *group, uint32_t first_body)
{
    const size_t nv = group->batch.layout->nv;
    const size_t size = group->diagonal ? nv : group->own ? group->own->entries : nv * nv;
    for (uint32_t i = 0; i < group->batch.count; i++)
        if (!group->own)
            add_block_of_masses(f, group, first_body + i, group->mass + i * size);
        else if (group->diagonal)
            add_diagonal(f, group, i, group->mass + i * size);
        else
            add_entries(f, group, i, f->request.c_mass, group->mass + i * size);
}

/* The tangent of one body by itself, of its force, or with the other sign of its residual. */
static void add_own_tangent(const tn_filling *f, const tn_group *group, uint32_t first_body,
                            uint32_t instance, const double *tangent)
{
    const double sign = group->type->residual ? 1.0 : -1.0;
    const size_t nv = group->batch.layout->nv;
    if (group->own) {
        add_entries(f, group, instance, sign * f->request.c_stiffness, tangent);
        add_entries(f, group, instance, sign * f->request.c_damping, tangent + group->own->entries);
        return;
    }
    double *block = f->assembly->fill->scratch;
    for (size_t k = 0; k < nv * nv; k++) {
        const double *row = tangent + k / nv * 2 * nv;
        block[k] =
            sign * f->request.c_stiffness * row[k % nv] + sign * f->request.c_damping * row[nv + k % nv];
    }
    tn_add_block(f, own_block(f->assembly, first_body + instance), 0, 0, nv, nv, block);
}

/* Names the instance, `first` ones being in front of the batch. */
static tn_status tangent_failed(tn_assembly *assembly, const tn_group *group, const tn_batch *batch,
                                uint32_t first, tn_status status)
{
    batch->failure->instance += first;
    return tn_refused(assembly, group, status);
}

static tn_status add_own_forces(const tn_filling *f, const tn_group *group, uint32_t first_body)
{
    tn_assembly *assembly = f->assembly;
    const size_t size = tn_own_tangent_size(group);
    for (uint32_t first = 0; first < group->batch.count; first += TN_CHUNK) {
        tn_batch batch = tn_chunk_from(group, first);
        batch.tangent = assembly->fill->tangent;
        batch.time = assembly->system.time;
        *batch.failure = (tn_failure){0};
        const tn_status status = tn_own_tangent(assembly, group, &batch);
        if (status != TN_OK) return tangent_failed(assembly, group, &batch, first, status);
        for (uint32_t i = 0; i < batch.count; i++)
            add_own_tangent(f, group, first_body, first + i, assembly->fill->tangent + i * size);
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
        const tn_attachments *all = &riders->attachments;
        const size_t columns = all->columns, width = tn_twist_size(all->kind);
        const uint32_t chunk = tn_pull_back_chunk(all);
        for (uint32_t first = 0; all->nv && riders->type->pull_back_derivative && first < all->count;
             first += chunk) {
            tn_attachments part = *all;
            part.count = part.count - first < chunk ? part.count - first : chunk;
            part.body += first;
            part.data = (const char *)part.data + (size_t)first * part.data_size;
            part.wrench += first * width;
            part.matrix = assembly->fill->scratch;
            const tn_status status = tn_call(riders->type, pull_back_derivative, &part);
            if (status != TN_OK) return status;
            for (uint32_t i = 0; i < part.count; i++) {
                const tn_matrix_block block = riders->block[first + i];
                const size_t offset = assembly->group[riders->group].own ? 0 : riders->first[first + i];
                double *P = assembly->fill->scratch + i * columns * columns;
                if (block.start == TN_NONE) continue;
                for (size_t e = 0; e < columns * columns; e++)
                    P[e] *= -f->request.c_stiffness;
                tn_add_block(f, block, offset, offset, columns, columns, P);
            }
        }
    }
    return TN_OK;
}

/* ---- connectors ------------------------------------------------------------------------------------------ */

tn_status tn_force_tangent(tn_assembly *assembly, const tn_group *group, tn_batch *batch, double state_factor)
{
    const tn_tangent_source *tangents = assembly->services->tangents;
    tn_status status = TN_UNSUPPORTED;
    if (group->type->force_tangent)
        status = tn_call(group->type, force_tangent, batch);
    else if (tangents)
        status = tangents->force(group, batch, assembly->length, assembly->fill->probe);
    if (status == TN_OK)
        status = tn_algebraic_condense(assembly, group, batch, batch->wrench_size, batch->tangent);
    return status == TN_OK ? tn_states_condense(assembly, group, batch, state_factor) : status;
}

/* Tangents of forces, or stiffness of reactions, of a group. */
static tn_status add_connectors(const tn_filling *f, const tn_group *group, bool reactions)
{
    tn_assembly *assembly = f->assembly;
    const size_t W = group->batch.wrench_size, legs = group->leg_count;
    const size_t stride = reactions ? W : group->batch.tangent_stride, size = W * stride;
    size_t coupled = group->coupled;
    for (uint32_t first = 0; first < group->batch.count; first += TN_CHUNK) {
        tn_batch batch = tn_chunk_from(group, first);
        batch.tangent = assembly->fill->tangent;
        batch.time = assembly->system.time;
        *batch.failure = (tn_failure){0};
        const tn_status status = reactions
                                     ? tn_call(group->type, constraint_stiffness, &batch)
                                     : tn_force_tangent(assembly, group, &batch, f->request.state_factor);
        if (status != TN_OK) return tangent_failed(assembly, group, &batch, first, status);
        for (size_t i = 0; i < batch.count; i++) {
            tn_end *ends = assembly->fill->end;
            tn_ends_of_instance(assembly, group, first + i, ends);
            size_t pair = (first + i) * legs * legs;
            for (size_t a = 0; a < legs; a++)
                for (size_t c = 0; c < legs; c++, pair++)
                    if (group->block[pair].start != TN_NONE)
                        tn_add_pair(f, assembly->fill->tangent + i * size, W, stride, &ends[a], &ends[c],
                                    group->block[pair]);
            if (!reactions && group->coupled_count) {
                const tn_status added = assembly->services->values->add_to_matrix(
                    f, group, first + i, &coupled, ends, assembly->fill->tangent + i * size);
                if (added != TN_OK) return added;
            }
        }
    }
    return TN_OK;
}

/* What depends on the state: forces and reactions. */
static tn_status add_force_tangents(const tn_filling *f)
{
    const tn_assembly *assembly = f->assembly;
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        const tn_group *group = &assembly->group[k];
        if (group->type->body_force || group->type->residual)
            status = add_own_forces(f, group, assembly->fill->body_start[k]);
        if (group->type->force && status == TN_OK) status = add_connectors(f, group, false);
        const bool reacts = group->rows && !group->batch.layout->passive_rows;
        if (reacts && group->type->constraint_stiffness && status == TN_OK)
            status = add_connectors(f, group, true);
    }
    if (status == TN_OK) status = tn_derived_add_pull_back(f);
    return status == TN_OK ? add_pull_back(f) : status;
}

tn_status tn_matrix_fill(tn_assembly *assembly, const tn_matrix_request *request, tn_equations *to)
{
    const tn_matrix *matrix = &to->matrix;
    const tn_filling f = {assembly, *request, to};
    assembly->statistics.matrices++;
    to->masses_factored = to->checks_solution = false;
    memset(matrix->value, 0, sizeof(double) * (size_t)matrix->column_start[matrix->size]);
    tn_status status = tn_mass_renew(assembly);
    if (status == TN_OK) status = tn_differentiate_markers(assembly);
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++)
        if (assembly->group[k].batch.layout->nv)
            add_mass(&f, &assembly->group[k], assembly->fill->body_start[k]);
    const bool direct = !request->leads_to_rows && assembly->reading.couples_directly;
    const bool has_forces = request->c_damping != 0.0 || request->c_stiffness != 0.0 || direct;
    if (status == TN_OK && has_forces) status = add_force_tangents(&f);
    return status == TN_OK && assembly->system.rows ? tn_constraints_fill(&f) : status;
}

tn_matrix_request tn_request_of_masses(const tn_assembly *assembly)
{
    return (tn_matrix_request){.c_mass = 1.0,
                               .row_factor = 1.0,
                               .share = assembly->redundancy.share,
                               .even = assembly->redundancy.solves_least};
}

tn_status tn_system_matrix(tn_system *system, double c_mass, double c_damping, double c_stiffness)
{
    tn_assembly *assembly = (tn_assembly *)system;
    if (!tn_system_pattern(system)) return TN_OUT_OF_MEMORY;
    const tn_matrix_request request = {.c_mass = c_mass,
                                       .c_damping = c_damping,
                                       .c_stiffness = c_stiffness,
                                       .row_factor = system->row_factor,
                                       .state_factor = system->state_factor,
                                       .share = assembly->redundancy.share,
                                       .even = assembly->redundancy.solves_least};
    return tn_matrix_fill(assembly, &request, &assembly->equations);
}

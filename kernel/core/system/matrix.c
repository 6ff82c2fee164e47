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
#include "system/block_calls.h"
#include "system/markers.h"
#include "system/mass.h"
#include "system/own_tangent.h"
#include "system/states.h"
#include "system/tangent_source.h"
#include "system/value_source.h"

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

/* What is added for the bodies, or connectors, of a group: how, for some of them, with whose failure. */
typedef struct addition {
    const tn_filling *f;
    tn_group *group;
    uint32_t first_body; /* of bodies: their first node */
    bool reactions;      /* of connectors: the stiffness of reactions, not the tangent of forces */
    tn_status (*add)(const struct addition *addition, size_t first, size_t last, tn_failure *failure);
} addition;

static void add_block(void *data, size_t first, size_t last)
{
    const addition *a = data;
    tn_block_answer *answer = &a->group->answer[first / TN_BLOCK];
    answer->status = a->add(a, first, last, &answer->failure);
}

/* In blocks where none of these needs memory that they share, and none adds to what another one adds to. */
static tn_status add_all(addition *a, bool apart, const struct tn_colours *colours)
{
    tn_assembly *assembly = a->f->assembly;
    tn_group *group = a->group;
    const size_t count = group->batch.count;
    tn_status status = TN_OK;
    if (group->answer && apart) {
        if (colours)
            tn_for_colours(assembly, colours, count, add_block, a);
        else
            tn_for_blocks(assembly, count, TN_BLOCK, add_block, a);
        status = tn_worst_answer(group);
    } else {
        status = a->add(a, 0, count, &group->failure);
    }
    return status == TN_OK ? TN_OK : tn_refused(assembly, group, status);
}

static void add_masses(void *data, size_t first, size_t last)
{
    const addition *a = data;
    const tn_filling *f = a->f;
    const tn_group *group = a->group;
    const size_t nv = group->batch.layout->nv;
    const size_t size = group->diagonal ? nv : group->own ? group->own->entries : nv * nv;
    for (size_t i = first; i < last; i++)
        if (!group->own)
            add_block_of_masses(f, group, a->first_body + (uint32_t)i, group->mass + i * size);
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
    double *block = tn_scratch(f->assembly)->product;
    for (size_t k = 0; k < nv * nv; k++) {
        const double *row = tangent + k / nv * 2 * nv;
        block[k] =
            sign * f->request.c_stiffness * row[k % nv] + sign * f->request.c_damping * row[nv + k % nv];
    }
    tn_add_block(f, own_block(f->assembly, first_body + instance), 0, 0, nv, nv, block);
}

/* The part of a group from `first` on that one call takes, its tangent being in memory of this thread. */
static tn_batch chunk_for_tangent(const tn_assembly *assembly, const tn_group *group, size_t first,
                                  size_t last, tn_failure *failure)
{
    tn_batch batch = tn_sub_batch(group, (uint32_t)first, (uint32_t)tn_chunk(last - first));
    batch.tangent = tn_scratch(assembly)->tangent;
    batch.time = assembly->system.time;
    batch.failure = failure;
    *failure = (tn_failure){0};
    return batch;
}

static tn_status add_own_forces(const addition *a, size_t first, size_t last, tn_failure *failure)
{
    const tn_assembly *assembly = a->f->assembly;
    const size_t size = tn_own_tangent_size(a->group);
    for (size_t next = first; next < last; next += TN_CHUNK) {
        tn_batch batch = chunk_for_tangent(assembly, a->group, next, last, failure);
        const tn_status status = tn_own_tangent(assembly, a->group, &batch);
        failure->instance += (uint32_t)(next - first);
        if (status != TN_OK) return status;
        for (uint32_t i = 0; i < batch.count; i++)
            add_own_tangent(a->f, a->group, a->first_body, (uint32_t)next + i, batch.tangent + i * size);
    }
    return TN_OK;
}

/* ---- markers --------------------------------------------------------------------------------------------- */

tn_status tn_differentiate_markers(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_riders *riders = &assembly->riders[k];
        tn_attachments attachments = riders->attachments;
        if (!attachments.nv) continue;
        attachments.matrix = riders->jacobian;
        tn_status status =
            tn_call_riders_in_blocks(assembly, riders, &attachments, riders->type->jacobian, "jacobian");
        attachments.matrix = riders->derivative; /* zero where there is no function for it */
        if (riders->type->twist_derivative && riders->derivative)
            status = tn_worse(status,
                              tn_call_riders_in_blocks(assembly, riders, &attachments,
                                                       riders->type->twist_derivative, "twist_derivative"));
        if (status != TN_OK) return status;
    }
    return tn_derived_differentiate(assembly);
}

/* -c_stiffness P of some riders on the bodies' own blocks. */
typedef struct pulling_back {
    const tn_filling *f;
    const tn_riders *riders;
    tn_status status; /* the worst, whatever the order */
} pulling_back;

static void add_block_of_pull_backs(void *data, size_t first, size_t last)
{
    pulling_back *p = data;
    const tn_filling *f = p->f;
    const tn_riders *riders = p->riders;
    const tn_attachments *all = &riders->attachments;
    const size_t columns = all->columns, chunk = tn_pull_back_chunk(all);
    for (size_t next = first; next < last; next += chunk) {
        tn_attachments part = tn_part_of_attachments(all, next, last - next < chunk ? last - next : chunk);
        part.matrix = tn_scratch(f->assembly)->product;
        const tn_status status = tn_call(riders->type, pull_back_derivative, &part);
        tn_note_worst(&p->status, status);
        for (size_t i = 0; status == TN_OK && i < part.count; i++) {
            const tn_matrix_block block = riders->block[next + i];
            const size_t offset = f->assembly->group[riders->group].own ? 0 : riders->first[next + i];
            double *P = part.matrix + i * columns * columns;
            if (block.start == TN_NONE) continue;
            for (size_t e = 0; e < columns * columns; e++)
                P[e] *= -f->request.c_stiffness;
            tn_add_block(f, block, offset, offset, columns, columns, P);
        }
    }
}

static tn_status add_pull_back(const tn_filling *f)
{
    const tn_assembly *assembly = f->assembly;
    pulling_back p = {.f = f};
    for (size_t k = 0; k < assembly->riders_count && p.status == TN_OK; k++) {
        p.riders = &assembly->riders[k];
        if (p.riders->attachments.nv && p.riders->type->pull_back_derivative)
            tn_for_colours(assembly, p.riders->colours, p.riders->attachments.count, add_block_of_pull_backs,
                           &p);
    }
    return p.status;
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

/* Whether tangents of several instances need no memory that they share. */
static bool are_apart(const tn_group *group)
{
    if (group->coupled_count || !group->colours) return false;
    return !group->force || (group->type->force_tangent && !group->batch.layout->ns && !group->follows);
}

static tn_status find_tangents(const addition *a, tn_batch *batch)
{
    return a->reactions ? tn_call(a->group->type, constraint_stiffness, batch)
                        : tn_force_tangent(a->f->assembly, a->group, batch, a->f->request.state_factor);
}

/* Tangents of forces, or stiffness of reactions, of some instances of a group. */
static tn_status add_connectors(const addition *a, size_t first, size_t last, tn_failure *failure)
{
    const tn_filling *f = a->f;
    const tn_assembly *assembly = f->assembly;
    const tn_group *group = a->group;
    const size_t W = group->batch.wrench_size, legs = group->leg_count;
    const size_t stride = a->reactions ? W : group->batch.tangent_stride, size = W * stride;
    const bool is_coupled = !a->reactions && group->coupled_count;
    size_t coupled = group->coupled;
    for (size_t next = first; next < last; next += TN_CHUNK) {
        tn_batch batch = chunk_for_tangent(assembly, group, next, last, failure);
        const tn_status status = find_tangents(a, &batch);
        failure->instance += (uint32_t)(next - first);
        if (status != TN_OK) return status;
        for (size_t i = 0; i < batch.count; i++) {
            const double *tangent = batch.tangent + i * size;
            tn_end *ends = tn_scratch(assembly)->end;
            tn_ends_of_instance(assembly, group, next + i, ends);
            size_t pair = (next + i) * legs * legs;
            for (size_t row = 0; row < legs; row++)
                for (size_t column = 0; column < legs; column++, pair++)
                    if (group->block[pair].start != TN_NONE)
                        tn_add_pair(f, tangent, W, stride, &ends[row], &ends[column], group->block[pair]);
            const tn_status added =
                is_coupled
                    ? assembly->services->values->add_to_matrix(f, group, next + i, &coupled, ends, tangent)
                    : TN_OK;
            if (added != TN_OK) return added;
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
        tn_group *group = &assembly->group[k];
        addition own = {f, group, assembly->fill->body_start[k], .add = add_own_forces},
                 forces = {f, group, .add = add_connectors},
                 reactions = {f, group, .reactions = true, .add = add_connectors};
        if (group->type->body_force || group->type->residual)
            status = add_all(&own, tn_own_is_exact(group), NULL);
        if (group->force && status == TN_OK) status = add_all(&forces, are_apart(group), group->colours);
        const bool reacts = group->rows && !group->batch.layout->passive_rows;
        if (reacts && group->type->constraint_stiffness && status == TN_OK)
            status = add_all(&reactions, are_apart(group), group->colours);
    }
    if (status == TN_OK) status = tn_derived_add_pull_back(f);
    return status == TN_OK ? add_pull_back(f) : status;
}

static void add_all_masses(const tn_filling *f)
{
    const tn_assembly *assembly = f->assembly;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        addition a = {f, group, assembly->fill->body_start[k]};
        if (group->batch.layout->nv) tn_for_blocks(assembly, group->batch.count, TN_BLOCK, add_masses, &a);
    }
}

tn_status tn_matrix_fill(tn_assembly *assembly, const tn_matrix_request *request, tn_equations *to)
{
    const tn_matrix *matrix = &to->matrix;
    const tn_filling f = {assembly, *request, to};
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    assembly->statistics.matrices++;
    to->masses_factored = to->is_factored = false;
    tn_clear_numbers(assembly, matrix->value, (size_t)matrix->column_start[matrix->size]);
    tn_status status = tn_mass_renew(assembly);
    if (status == TN_OK) status = tn_differentiate_markers(assembly);
    if (status == TN_OK) add_all_masses(&f);
    const bool direct = !request->leads_to_rows && assembly->reading.couples_directly;
    const bool has_forces = request->c_damping != 0.0 || request->c_stiffness != 0.0 || direct;
    if (status == TN_OK && has_forces) status = add_force_tangents(&f);
    if (status == TN_OK && assembly->system.rows) status = tn_constraints_fill(&f);
    (void)tn_clock(assembly, TN_MATRICES, start);
    return status;
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

/* culprit.c - finds who has brought in a number that is not finite; asked when something has failed by one */
#include "analysis/culprit.h"

#include "system/failure.h"
#include "system/matrix.h"
#include "system/own_tangent.h"
#include "values/value_graph.h"

#include <math.h>
#include <string.h>

/* The first number that is not finite, or `count`. */
static size_t first_not_finite(const double *x, size_t count)
{
    size_t i = 0;
    while (i < count && isfinite(x[i]))
        i++;
    return i;
}

/* ---- markers --------------------------------------------------------------------------------------------- */

/* Notes the body that says where a marker is. */
static bool blame_rider(tn_assembly *assembly, const tn_riders *riders, size_t rider, const char *what,
                        double value)
{
    assembly->failures.refusal.group = &assembly->group[riders->group];
    assembly->failures.refusal.instance = riders->attachments.body[rider];
    tn_name_number(assembly, what, value);
    return true;
}

static bool find_rider(tn_assembly *assembly, const tn_riders *riders)
{
    const tn_attachments *attachments = &riders->attachments;
    const size_t pose = tn_pose_size(attachments->kind), twist = tn_twist_size(attachments->kind);
    const size_t poses = attachments->count * pose, twists = attachments->count * twist;
    size_t bad = first_not_finite(attachments->pose, poses);
    if (bad < poses)
        return blame_rider(assembly, riders, bad / pose, "pose of a marker on it", attachments->pose[bad]);
    bad = first_not_finite(attachments->twist, twists);
    return bad < twists &&
           blame_rider(assembly, riders, bad / twist, "twist of a marker on it", attachments->twist[bad]);
}

static bool find_derived(tn_assembly *assembly, const tn_derived *derived)
{
    const size_t pose = tn_pose_size(derived->kind), twist = tn_twist_size(derived->kind);
    const size_t poses = derived->batch.count * pose, twists = derived->batch.count * twist;
    const size_t bad_pose = first_not_finite(derived->pose, poses),
                 bad_twist = first_not_finite(derived->twist, twists);
    if (bad_pose == poses && bad_twist == twists) return false;
    const bool is_pose = bad_pose < poses;
    assembly->failures.refusal.derived = derived;
    assembly->failures.refusal.instance = (uint32_t)(is_pose ? bad_pose / pose : bad_twist / twist);
    tn_name_number(assembly, is_pose ? "pose" : "twist",
                   is_pose ? derived->pose[bad_pose] : derived->twist[bad_twist]);
    return true;
}

/* A state that is not finite spoils all markers: it is no fault of theirs. */
bool tn_marker_culprit(tn_assembly *assembly)
{
    const tn_system *system = &assembly->system;
    if (!tn_are_finite(system->q, system->nq) || !tn_are_finite(system->v, system->nv)) return false;
    for (size_t k = 0; k < assembly->riders_count; k++)
        if (find_rider(assembly, &assembly->riders[k])) return true;
    for (size_t k = 0; k < assembly->derived_count; k++)
        if (find_derived(assembly, &assembly->derived[k])) return true;
    return false;
}

/* ---- forces and reactions ------------------------------------------------------------------------------ */

/* How the twists of markers that are made of others follow from those, as the last pass has left it. */
static bool find_derived_tangent(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++) {
        const tn_derived *derived = &assembly->derived[k];
        const size_t size = tn_twist_size(derived->kind) * (size_t)2 * derived->batch.wrench_size;
        const size_t count = size * derived->batch.count,
                     bad = first_not_finite(derived->batch.tangent, count);
        if (bad == count) continue;
        assembly->failures.refusal.group = NULL;
        assembly->failures.refusal.derived = derived;
        assembly->failures.refusal.instance = (uint32_t)(bad / size);
        tn_name_number(assembly, "tangent", derived->batch.tangent[bad]);
        return true;
    }
    return false;
}

/* Notes who brought in a number that is not finite: the first constraint with such derivatives, which spoil the reactions
 * of all others; else the first connector with such a force; else the first marker that spoils what it passes on; else the
 * first body. */
tn_status tn_number_culprit(tn_assembly *assembly)
{
    enum { ROWS, WRENCHES, FORCES, PASSES };
    static const char *const names[PASSES] = {"derivative", "force", "force"};
    for (size_t pass = 0; pass < PASSES; pass++) {
        if (pass == FORCES && find_derived_tangent(assembly)) return TN_RETRY;
        for (size_t k = 0; k < assembly->group_count; k++) {
            const tn_group *group = &assembly->group[k];
            const tn_batch *batch = &group->batch;
            const size_t widths[] = {(size_t)group->rows * batch->wrench_size, batch->wrench_size,
                                     batch->layout->nv};
            const double *const from[] = {group->row, batch->wrench, batch->force};
            const size_t count = widths[pass] * batch->count, bad = first_not_finite(from[pass], count);
            if (bad < count)
                return tn_not_finite(assembly, group, (uint32_t)(bad / widths[pass]), names[pass],
                                     from[pass][bad]);
        }
    }
    return TN_RETRY;
}

/* ---- the matrix ------------------------------------------------------------------------------------------ */

static bool find_jacobian(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->riders_count; k++) {
        const tn_riders *riders = &assembly->riders[k];
        const size_t size = tn_twist_size(riders->attachments.kind) * (size_t)riders->attachments.columns;
        const size_t count = size * riders->attachments.count;
        size_t bad = first_not_finite(riders->jacobian, count);
        if (bad < count) return blame_rider(assembly, riders, bad / size, "jacobian", riders->jacobian[bad]);
        bad = riders->derivative ? first_not_finite(riders->derivative, count) : count;
        if (bad < count)
            return blame_rider(assembly, riders, bad / size, "twist_derivative", riders->derivative[bad]);
    }
    return false;
}

/* Derivatives of a group that the matrix is made of. */
typedef struct tangent {
    const char *name;
    tn_batch_function function; /* NULL: that of forces on bodies themselves */
    size_t size;                /* of one instance */
} tangent;

static bool find_tangent(tn_assembly *assembly, const tn_group *group, const tangent *t)
{
    for (uint32_t first = 0; first < group->batch.count; first += TN_CHUNK) {
        tn_batch batch = tn_chunk_from(group, first);
        batch.tangent = tn_scratch(assembly)->tangent;
        batch.time = assembly->system.time;
        const tn_status status = t->function ? tn_call_at(group->type, t->name, NULL, t->function(&batch))
                                             : tn_own_tangent(assembly, group, &batch);
        const size_t count = t->size * batch.count, bad = first_not_finite(batch.tangent, count);
        if (status != TN_OK || bad == count) continue;
        (void)tn_not_finite(assembly, group, first + (uint32_t)(bad / t->size), t->name, batch.tangent[bad]);
        return true;
    }
    return false;
}

static bool find_tangent_of_group(tn_assembly *assembly, const tn_group *group)
{
    const tn_loaded_element *type = group->type;
    const size_t W = group->batch.wrench_size;
    const size_t rows = (size_t)group->rows * W * group->batch.count,
                 bad = first_not_finite(group->row, rows);
    if (bad < rows) {
        (void)tn_not_finite(assembly, group, (uint32_t)(bad / (group->rows * W)), "derivative",
                            group->row[bad]);
        return true;
    }
    const tangent force = {"tangent", type->force ? type->force_tangent : NULL,
                           W * (2 * W + group->batch.dynamic_columns)};
    const bool reacts = group->rows && !group->batch.layout->passive_rows;
    const tangent stiffness = {"stiffness", reacts ? type->constraint_stiffness : NULL, W * W};
    const bool has_own = type->body_force_tangent || type->residual_tangent;
    const tangent own = {"tangent", NULL, has_own ? tn_own_tangent_size(group) : 0};
    return (force.function && find_tangent(assembly, group, &force)) ||
           (stiffness.function && find_tangent(assembly, group, &stiffness)) ||
           (has_own && find_tangent(assembly, group, &own));
}

tn_status tn_matrix_culprit(tn_assembly *assembly)
{
    bool found = find_jacobian(assembly) || find_derived_tangent(assembly);
    for (size_t k = 0; k < assembly->group_count && !found; k++)
        found = find_tangent_of_group(assembly, &assembly->group[k]);
    /* the solver may evaluate other states before it gives up */
    if (found) assembly->failures.spoiler = assembly->failures.refusal;
    return TN_RETRY;
}

/* ---- refusals -------------------------------------------------------------------------------------------- */

/* Whether the force of one instance, by itself, refuses the state. */
static bool force_refuses(const tn_assembly *assembly, const tn_group *group, uint32_t instance)
{
    tn_batch batch = tn_sub_batch(group, instance, 1);
    assembly->model->refused = false;
    if (group->type->body_force || group->type->residual) (void)tn_own_force(group, &batch);
    if (group->force) (void)tn_call(group->type, force, &batch);
    return assembly->model->refused;
}

tn_status tn_refusal_culprit(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    const tn_call_site *site = &model->refusing;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->type == site->type && i < group->batch.count; i++) {
            if (!force_refuses(assembly, group, i)) continue;
            assembly->failures.refusal.group = group;
            assembly->failures.refusal.instance = i;
            assembly->failures.refusal.message = model->refusal;
            return TN_INVALID;
        }
    }
    model->refused = true;
    if (!site->item) return tn_blame(assembly, site->type, site->function, "refuses: %s", model->refusal);
    char *blame = assembly->failures.blame;
    if (!*blame)
        (void)tn_print_cut(blame, sizeof assembly->failures.blame, "at time %.9g s: signal `%s`: %s",
                           assembly->system.time, site->item, model->refusal);
    return TN_FATAL;
}

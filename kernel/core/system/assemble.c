/* assemble.c - from the instances of a model to a system: groups, one memory for the state, start state */
#include "system/accept.h"
#include "system/account.h"
#include "system/algebraic.h"
#include "system/changes.h"
#include "system/conditions.h"
#include "system/configuration.h"
#include "system/constraints.h"
#include "system/data.h"
#include "system/energy.h"
#include "system/events.h"
#include "system/failure.h"
#include "system/linear.h"
#include "system/markers.h"
#include "system/mass.h"
#include "system/matrix.h"
#include "system/project.h"
#include "system/redundancy.h"
#include "system/shown.h"
#include "system/sliding.h"
#include "system/states.h"
#include "system/turns.h"
#include "system/value_source.h"

#include <math.h>
#include <string.h>

/* Numbers the coordinates of all bodies. */
static void number_coordinates(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        group->q_start = system->nq;
        group->v_start = system->nv;
        group->d_start = (uint32_t)assembly->data->size;
        group->x_start = system->nx;
        system->nx += group->batch.layout->nx * group->batch.count;
        system->nq += group->batch.layout->nq * group->batch.count;
        system->nv += group->batch.layout->nv * group->batch.count;
        assembly->data->size += (size_t)group->batch.layout->nd * group->batch.count;
        group->row_start = system->rows;
        system->rows += group->rows * group->batch.count;
        system->position_rows += group->batch.layout->position_rows * group->batch.count;
        system->velocity_rows += group->batch.layout->velocity_rows * group->batch.count;
    }
}

/* Memory of the constraints; which rows are of velocities. */
static void make_rows(tn_assembly *assembly)
{
    const uint32_t rows = assembly->system.rows;
    assembly->system.row_level = assembly->row_level = tn_new(rows, sizeof *assembly->row_level);
    assembly->row_memory = tn_new_aligned(rows, sizeof(double));
    const size_t motion = assembly->system.nv + assembly->marker_wrench_size;
    assembly->direction = tn_new_aligned(rows ? motion : 0, sizeof(double));
    assembly->acceleration = tn_new_aligned(rows ? motion : 0, sizeof(double));
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        const uint32_t position_rows = group->batch.layout->position_rows;
        if (!group->rows) continue;
        group->batch.lambda = assembly->system.lambda + group->row_start;
        group->row = tn_new_aligned((size_t)group->batch.count * group->rows * group->batch.wrench_size,
                                    sizeof(double));
        for (uint32_t r = 0; r < group->rows * group->batch.count; r++)
            assembly->row_level[group->row_start + r] =
                r % group->rows < position_rows ? TN_POSITION_ROW : TN_VELOCITY_ROW;
    }
}

static void mark_held_states(tn_assembly *assembly)
{
    const uint32_t count = assembly->system.nx;
    assembly->system.state_held = assembly->state_held = tn_new(count, sizeof *assembly->state_held);
    memset(assembly->state_held, 1, count);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const tn_layout *layout = group->batch.layout;
        memset(assembly->state_held + group->x_start, layout->held_states != 0,
               (size_t)layout->nx * group->batch.count);
    }
}

/* Points the batches at the state, and the connectors at their markers and slots. */
static void connect_groups(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    system->q = assembly->configuration;
    system->v = assembly->motion;
    system->a = tn_new_aligned(system->nv, sizeof(double));
    system->x = tn_new_aligned(system->nx, sizeof(double));
    system->x_rate = tn_new_aligned(system->nx, sizeof(double));
    mark_held_states(assembly);
    system->lambda = tn_new_aligned(system->rows, sizeof(double));
    assembly->data->now = tn_new_aligned(assembly->data->size, sizeof(double));
    assembly->force = tn_new_aligned(system->nv, sizeof(double));
    system->force = assembly->force;
    for (size_t k = 0; k < assembly->group_count; k++)
        assembly->wrench_size +=
            (size_t)assembly->group[k].batch.wrench_size * assembly->group[k].batch.count;
    assembly->wrench = tn_new_aligned(assembly->wrench_size, sizeof(double));
    size_t slot = 0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        tn_batch *batch = &group->batch;
        batch->failure = &group->failure;
        batch->q = system->q + group->q_start;
        batch->v = system->v + group->v_start;
        batch->a = system->a + group->v_start;
        batch->force = assembly->force + group->v_start;
        batch->x = system->x + group->x_start;
        batch->x_rate = system->x_rate + group->x_start;
        batch->d = assembly->data->now + group->d_start;
        batch->pose = assembly->configuration;
        batch->twist = assembly->motion;
        batch->wrench = assembly->wrench + slot;
        slot += (size_t)batch->wrench_size * batch->count;
        const size_t uses = (size_t)batch->count * batch->marker_count;
        tn_marker_place *place = tn_new_aligned(uses, sizeof *place);
        for (size_t i = 0; i < uses; i++)
            place[i] = assembly->station[group->marker[i]].place;
        batch->marker = place;
    }
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_attachments *attachments = &assembly->riders[k].attachments;
        const tn_group *owner = &assembly->group[assembly->riders[k].group];
        attachments->q = owner->batch.q;
        attachments->v = owner->batch.v;
        attachments->force = owner->batch.force;
    }
}

static void keep_solutions(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    system->coupled_accelerations = assembly->couples_directly;
    if (system->rows || system->coupled_accelerations || assembly->integrates_accelerations)
        assembly->kept_solution = tn_new_aligned((size_t)system->nv + system->rows, sizeof(double));
}

static bool set_initial_state(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const tn_layout *layout = group->batch.layout;
        if (!group->type->initial) continue;
        for (uint32_t i = 0; i < group->batch.count; i++) {
            const void *instance = (const char *)group->batch.instance + i * group->batch.instance_stride;
            const tn_status status =
                tn_call_for(tn_item_name(model, group->item[i]), group->type, initial, &model->host, instance,
                            assembly->system.q + group->q_start + (size_t)i * layout->nq,
                            assembly->system.v + group->v_start + (size_t)i * layout->nv,
                            assembly->system.x + group->x_start + (size_t)i * layout->nx,
                            tn_algebraic_start(assembly, group, i),
                            assembly->data->now + group->d_start + (size_t)i * layout->nd);
            if (status == TN_OK) continue;
            tn_source_error(&model->source, model->item[group->item[i]].origin->table,
                            "`%s` has no start state: %s", tn_item_name(model, group->item[i]),
                            tn_status_text(status));
            return false;
        }
    }
    return true;
}

/* The smallest box with edges along the ground axes around what was met. */
typedef struct box {
    double low[3], high[3];
} box;

static void widen(box *around, const double *point)
{
    for (int i = 0; i < 3; i++) {
        around->low[i] = fmin(around->low[i], point[i]);
        around->high[i] = fmax(around->high[i], point[i]);
    }
}

/* Where the bodies of a group are: their velocities when the model turns about the ground axes tell. */
static void widen_by_bodies(const tn_group *group, box *around)
{
    const tn_loaded_element *type = group->type;
    const size_t nv = group->batch.layout->nv;
    if (nv < 3 || !type->rigid_motion) return;
    for (uint32_t k = 0; k < 3; k++)
        if (strcmp(tn_velocity_unit(type, group->batch.instance, k), "m") != 0) return;
    double *motion = tn_new_aligned(tn_chunk(group->batch.count) * nv * 6, sizeof *motion);
    for (uint32_t first = 0; first < group->batch.count; first += TN_CHUNK) {
        const uint32_t left = group->batch.count - first;
        tn_batch batch = tn_sub_batch(group, first, left < TN_CHUNK ? left : TN_CHUNK);
        batch.rigid_motion = motion;
        if (tn_call(type, rigid_motion, &batch) != TN_OK) break;
        for (size_t i = 0; i < batch.count; i++) {
            const double *m =
                motion + i * nv * 6; /* velocity [e] of a turn about x: m[6 e + 3], y: + 4, z: + 5 */
            widen(around, (double[]){m[6 * 1 + 5], m[6 * 2 + 3], m[6 * 0 + 4]});
        }
    }
    tn_free(motion);
}

/* Lengths are measured against the size of the model, angles against 1 rad. */
static void set_scale(tn_assembly *assembly)
{
    box around = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    double square = 0.0;
    for (size_t k = 0; k < assembly->model->marker_count; k++)
        if (tn_has_place(assembly->model->marker[k].kind))
            widen(&around, assembly->configuration + assembly->station[k].place.pose);
    for (size_t k = 0; k < assembly->group_count; k++)
        widen_by_bodies(&assembly->group[k], &around);
    for (int i = 0; i < 3; i++) {
        const double edge = around.high[i] - around.low[i];
        square += edge > 0.0 ? edge * edge : 0.0;
    }
    const double length = assembly->length = square > 0.0 ? sqrt(square) : 1.0;
    assembly->scale = tn_new_aligned(assembly->system.nv, sizeof(double));
    assembly->system.scale = assembly->scale;
    assembly->system.angular = assembly->angular = tn_new(assembly->system.nv, sizeof *assembly->angular);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t nv = group->batch.layout->nv;
        for (size_t i = 0; i < (size_t)nv * group->batch.count; i++) {
            const char *unit =
                tn_velocity_unit(group->type, tn_instance(&group->batch, i / nv), (uint32_t)(i % nv));
            assembly->scale[group->v_start + i] = strcmp(unit, "m") == 0 ? length : 1.0;
            assembly->angular[group->v_start + i] = group->type->transport && strcmp(unit, "rad") == 0;
        }
    }
}

static void notice_differences(const tn_assembly *assembly, const char *type)
{
    tn_tell(assembly->model->diagnostics, TN_SEVERITY_NOTE, (tn_place){0},
            "`%s` was built without its exact tangent: central differences stand in", type);
}

static void notice_slow_states(const tn_assembly *assembly, const char *type)
{
    tn_tell(assembly->model->diagnostics, TN_SEVERITY_NOTE, (tn_place){0},
            "`%s` was built without exact tangents of the rates of its states: implicit solvers iterate on "
            "these by themselves, "
            "which takes short steps where they are stiff",
            type);
}

static void notice_missing_tangents(const tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_loaded_element *type = assembly->group[k].type;
        if (k && assembly->group[k - 1].type == type) continue; /* groups of one type stand together */
        if ((type->force && !type->force_tangent) || (type->body_force && !type->body_force_tangent) ||
            (type->residual && !type->residual_tangent))
            notice_differences(assembly, type->name);
        if (type->force && !type->is_variable && assembly->group[k].batch.layout->nx && !type->rates_tangent)
            notice_slow_states(assembly, type->name);
    }
    for (size_t k = 0; k < assembly->derived_count; k++) {
        const tn_derived *derived = &assembly->derived[k];
        bool told = derived->exact;
        for (size_t before = 0; before < k && !told; before++)
            told = assembly->derived[before].name == derived->name;
        if (!told) notice_differences(assembly, derived->name);
    }
}

/* Nothing is offered beyond tn_system itself. */
static const void *extension(tn_system *system, const char *key)
{
    (void)system, (void)key;
    return NULL;
}

static void set_functions(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    system->struct_size = sizeof *system;
    system->host = &assembly->model->host;
    system->statistics = &assembly->statistics;
    system->vector_space = 1;
    system->next_change = assembly->changes->next = HUGE_VAL;
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].batch.layout->nq && !(assembly->group[k].type->flags & TN_VECTOR_SPACE))
            system->vector_space = 0;
    system->evaluate = tn_system_evaluate;
    system->accelerate = tn_system_accelerate;
    system->residual = tn_system_residual;
    system->rate = tn_system_rate;
    system->retract = tn_system_retract;
    system->normalise = tn_system_normalise;
    system->transport = tn_system_transport;
    system->pattern = tn_system_pattern;
    system->matrix = tn_system_matrix;
    system->constraint = tn_system_constraint;
    system->constraint_rate = tn_system_constraint_rate;
    system->constraint_product = tn_system_constraint_product;
    system->project = tn_system_project;
    system->event_values = tn_system_event_values;
    system->row_factor = 1.0;
    assembly->redundancy->share = TN_SHARE_OF_UNKNOWN_ROWS;
    system->fail = tn_system_fail;
    system->fail_at_jump = tn_system_fail_at_jump;
    system->extension = extension;
    system->warn = tn_system_warn;
}

/* What topics own that every model has. */
static void open_topics(tn_assembly *assembly)
{
    assembly->data = tn_new(1, sizeof *assembly->data);
    assembly->turns = tn_new(1, sizeof *assembly->turns);
    assembly->changes = tn_new(1, sizeof *assembly->changes);
    assembly->energies = tn_new(1, sizeof *assembly->energies);
    assembly->linear = tn_new(1, sizeof *assembly->linear);
    assembly->redundancy = tn_new(1, sizeof *assembly->redundancy);
    assembly->shown = tn_new(1, sizeof *assembly->shown);
    assembly->fill = tn_new(1, sizeof *assembly->fill);
}

static void close_topics(tn_assembly *assembly)
{
    tn_data_free(assembly->data);
    tn_free(assembly->turns);
    tn_free(assembly->changes);
    tn_energies_free(assembly->energies);
    tn_free(assembly->linear);
    tn_free(assembly->redundancy);
    tn_shown_free(assembly->shown);
    tn_fill_memory_free(assembly->fill);
}

tn_assembly *tn_assemble(tn_model *model, const tn_value_source *values)
{
    tn_assembly *assembly = tn_new_aligned(1, sizeof *assembly);
    assembly->model = model;
    assembly->values = values;
    open_topics(assembly);
    bool good = tn_groups_build(assembly);
    if (good) {
        tn_guarded_watch(assembly);
        assembly->energies->told = tn_new(assembly->group_count, sizeof *assembly->energies->told);
        number_coordinates(assembly);
        tn_ledger_build(assembly);
        tn_stations_build(assembly);
        good = tn_stations_check(assembly);
    }
    if (good) {
        connect_groups(assembly);
        make_rows(assembly);
        tn_derived_place(assembly);
        if (assembly->values) assembly->values->open(assembly);
        tn_algebraic_build(assembly);
        tn_states_build(assembly);
        tn_algebraic_make_room(assembly);
        keep_solutions(assembly);
        tn_events_build(assembly);
        tn_sliding_build(assembly);
        tn_shown_build(assembly);
        good = set_initial_state(assembly);
        tn_algebraic_keep(assembly);
    }
    if (good) {
        set_functions(assembly);
        tn_state_tangent_build(assembly);
        tn_data_build(assembly);
        tn_sliding_prepare(assembly);
        tn_accept_build(assembly);
        tn_account_build(assembly);
        tn_gather_build(assembly);
        good = tn_mass_build(assembly) == TN_OK;
    }
    if (good) {
        /* for the size of the model; a refusal here is explained by the first evaluation of the run */
        tn_turns_begin(assembly);
        (void)tn_evaluate_markers(assembly);
        set_scale(assembly);
        notice_missing_tangents(assembly);
        tn_same_body_check(assembly);
        if (tn_algebraic_check(assembly)) return assembly;
    }
    tn_assembly_free(assembly);
    return NULL;
}

static void free_batches(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        tn_free(group->item);
        tn_free(group->active);
        tn_free(group->marker);
        tn_free(group->mass);
        tn_free(group->inverse);
        tn_free(group->lightness);
        tn_free(group->own_force);
        tn_free(group->at_rest);
        tn_free(group->unread);
        tn_free(group->own_place);
        tn_own_pattern_free(group->own);
        tn_free(group->block);
        tn_free(group->row);
        tn_free(group->border);
        tn_free(group->pinned);
        tn_free((void *)group->batch.marker);
        tn_free(group->batch.instance);
        tn_free(group->batch.scratch);
    }
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_free((void *)assembly->riders[k].attachments.body);
        tn_free((void *)assembly->riders[k].attachments.data);
        tn_free(assembly->riders[k].jacobian);
        tn_free(assembly->riders[k].derivative);
        tn_free(assembly->riders[k].first);
        tn_free(assembly->riders[k].block);
    }
    for (size_t k = 0; k < assembly->gather_count; k++) {
        tn_free(assembly->gather[k].target);
        tn_free(assembly->gather[k].start);
        tn_free(assembly->gather[k].slot);
    }
    tn_free(assembly->gather);
}

void tn_assembly_free(tn_assembly *assembly)
{
    if (!assembly) return;
    tn_linear_close(assembly);
    tn_instances_release(assembly->model); /* they stand in the memory of the batches */
    tn_ledger_free(assembly->ledger);
    free_batches(assembly);
    tn_derived_free(assembly);
    if (assembly->values) assembly->values->close(assembly);
    tn_states_free(assembly->states);
    tn_algebraic_free(assembly->algebraic);
    tn_impulses_free(assembly->impulses);
    tn_events_free(assembly->events);
    tn_conditions_free(assembly->conditions);
    tn_sliding_free(assembly->sliding);
    tn_account_free(assembly->account);
    tn_accept_free(assembly->acceptance);
    tn_free(assembly->state_held);
    tn_free(assembly->angular);
    void *const memory[] = {assembly->group,
                            assembly->group_of,
                            assembly->index_of,
                            assembly->riders,
                            assembly->station,
                            assembly->configuration,
                            assembly->motion,
                            assembly->force,
                            assembly->wrench,
                            assembly->marker_wrench,
                            assembly->scale,
                            assembly->system.a,
                            assembly->equations.matrix.value,
                            assembly->equations.regularisation,
                            assembly->least_norm.matrix.value,
                            assembly->least_norm.regularisation,
                            assembly->system.x,
                            assembly->system.x_rate,
                            assembly->system.lambda,
                            assembly->row_level,
                            assembly->direction,
                            assembly->acceleration,
                            assembly->row_memory,
                            assembly->solution[0],
                            assembly->solution[1],
                            assembly->solution[2],
                            assembly->kept_solution};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        tn_free(memory[k]);
    close_topics(assembly);
    tn_free(assembly);
}

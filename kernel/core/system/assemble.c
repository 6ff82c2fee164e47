/* assemble.c - from the instances of a model to a system: groups, one memory for the state, start state */
#include "system/block_calls.h"
#include "system/accept.h"
#include "system/algebraic.h"
#include "system/configuration.h"
#include "system/constraints.h"
#include "system/data.h"
#include "system/energy_source.h"
#include "system/events.h"
#include "system/explanation.h"
#include "system/failure.h"
#include "system/linear.h"
#include "system/markers.h"
#include "system/mass.h"
#include "system/matrix.h"
#include "system/project.h"
#include "system/states.h"
#include "system/tangent_source.h"
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
    uint8_t *level = tn_assembly_new(assembly, rows, sizeof *level);
    struct tn_constraint_memory *memory = tn_assembly_new(assembly, 1, sizeof *memory);
    assembly->system.row_level = level;
    assembly->constraints = memory;
    memory->row = tn_assembly_new(assembly, rows, sizeof(double));
    memory->marker_motion = tn_assembly_new(assembly, assembly->twist_size, sizeof(double));
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        const uint32_t position_rows = group->batch.layout->position_rows;
        if (!group->rows) continue;
        group->unilateral = group->type->row_kinds != NULL;
        group->batch.lambda = assembly->system.lambda + group->row_start;
        group->row = tn_assembly_new(
            assembly, (size_t)group->batch.count * group->rows * group->batch.wrench_size, sizeof(double));
        for (uint32_t r = 0; r < group->rows * group->batch.count; r++)
            level[group->row_start + r] = r % group->rows < position_rows ? TN_POSITION_ROW : TN_VELOCITY_ROW;
    }
}

static void mark_held_states(tn_assembly *assembly)
{
    const uint32_t count = assembly->system.nx;
    uint8_t *held = tn_assembly_new(assembly, count, sizeof *held);
    assembly->system.state_held = held;
    memset(held, 1, count);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const tn_layout *layout = group->batch.layout;
        memset(held + group->x_start, layout->held_states != 0, (size_t)layout->nx * group->batch.count);
    }
}

/* Points the batches at the state, and the connectors at their markers and slots. */
static void connect_groups(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    system->q = assembly->configuration;
    system->v = assembly->motion;
    system->a = tn_assembly_new(assembly, system->nv, sizeof(double));
    system->x = tn_assembly_new(assembly, system->nx, sizeof(double));
    system->x_rate = tn_assembly_new(assembly, system->nx, sizeof(double));
    mark_held_states(assembly);
    system->lambda = tn_assembly_new(assembly, system->rows, sizeof(double));
    assembly->data->now = tn_assembly_new(assembly, assembly->data->size, sizeof(double));
    system->force = assembly->force = tn_assembly_new(assembly, system->nv, sizeof(double));
    for (size_t k = 0; k < assembly->group_count; k++)
        assembly->wrench_size +=
            (size_t)assembly->group[k].batch.wrench_size * assembly->group[k].batch.count;
    assembly->wrench = tn_assembly_new(assembly, assembly->wrench_size, sizeof(double));
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
        tn_marker_place *place = tn_assembly_new(assembly, uses, sizeof *place);
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
    system->coupled_accelerations = assembly->reading.couples_directly;
    if (system->rows || system->coupled_accelerations || assembly->reading.integrated_accelerations)
        assembly->constraints->kept_solution =
            tn_assembly_new(assembly, (size_t)system->nv + system->rows, sizeof(double));
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
            return tn_model_error(model, model->item[group->item[i]].origin->at->place,
                                  "`%s` has no start state: %s", tn_item_name(model, group->item[i]),
                                  tn_status_text(status));
        }
    }
    return true;
}

/* The smallest box with edges along the ground axes around what was met. */
typedef struct box {
    double low[3], high[3];
} box;

static void widen_box(box *around, const double *point)
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
        tn_batch batch = tn_chunk_from(group, first);
        batch.rigid_motion = motion;
        if (tn_call(type, rigid_motion, &batch) != TN_OK) break;
        for (size_t i = 0; i < batch.count; i++) {
            /* velocity [e] of a turn about x: m[6 e + 3], y: + 4, z: + 5 */
            const double *m = motion + i * nv * 6;
            widen_box(around, (double[]){m[6 * 1 + 5], m[6 * 2 + 3], m[6 * 0 + 4]});
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
            widen_box(&around, assembly->configuration + assembly->station[k].place.pose);
    for (size_t k = 0; k < assembly->group_count; k++)
        widen_by_bodies(&assembly->group[k], &around);
    for (int i = 0; i < 3; i++) {
        const double edge = around.high[i] - around.low[i];
        square += edge > 0.0 ? edge * edge : 0.0;
    }
    const double length = assembly->length = square > 0.0 ? sqrt(square) : 1.0;
    assembly->scale = tn_assembly_new(assembly, assembly->system.nv, sizeof(double));
    assembly->system.scale = assembly->scale;
    uint8_t *angular = tn_assembly_new(assembly, assembly->system.nv, sizeof *angular);
    assembly->system.angular = angular;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t nv = group->batch.layout->nv;
        for (size_t i = 0; i < (size_t)nv * group->batch.count; i++) {
            const char *unit =
                tn_velocity_unit(group->type, tn_instance(&group->batch, i / nv), (uint32_t)(i % nv));
            assembly->scale[group->v_start + i] = strcmp(unit, "m") == 0 ? length : 1.0;
            angular[group->v_start + i] = group->type->transport && strcmp(unit, "rad") == 0;
        }
    }
}

/* What is offered beyond tn_system itself. */
static const void *find_extension(tn_system *system, const char *key)
{
    tn_assembly *assembly = (tn_assembly *)system;
    return key && assembly->services->extension ? assembly->services->extension(assembly, key) : NULL;
}

static void set_functions(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    system->struct_size = sizeof *system;
    system->host = &assembly->model->host;
    system->statistics = &assembly->statistics;
    system->vector_space = 1;
    system->next_change = system->next_landing = HUGE_VAL;
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
    assembly->redundancy.share = TN_SHARE_OF_UNKNOWN_ROWS;
    system->fail = tn_system_fail;
    system->fail_at_jump = tn_system_fail_at_jump;
    system->extension = find_extension;
    system->warn = tn_system_warn;
}

/* What topics own that every model has. */
static void open_topics(tn_assembly *assembly)
{
    assembly->data = tn_assembly_new(assembly, 1, sizeof *assembly->data);
    assembly->turns = tn_assembly_new(assembly, 1, sizeof *assembly->turns);
    assembly->linear = tn_assembly_new(assembly, 1, sizeof *assembly->linear);
    assembly->fill = tn_assembly_new(assembly, 1, sizeof *assembly->fill);
}

tn_assembly *tn_assemble(tn_model *model, const tn_services *services)
{
    tn_assembly *assembly = tn_new_aligned(1, sizeof *assembly);
    assembly->model = model;
    assembly->services = services;
    open_topics(assembly);
    bool good = tn_groups_build(assembly);
    if (good) {
        const tn_call_watch *watch = tn_registry_loading(model->registry)->watch;
        if (watch) watch->grouped(assembly);
        number_coordinates(assembly);
        if (services->energies) services->energies->open(assembly);
        tn_stations_build(assembly);
        good = tn_stations_check(assembly);
    }
    if (good) {
        connect_groups(assembly);
        make_rows(assembly);
        tn_derived_place(assembly);
        if (services->values) services->values->open(assembly);
        tn_algebraic_build(assembly);
        tn_states_build(assembly);
        tn_algebraic_make_room(assembly);
        keep_solutions(assembly);
        tn_events_build(assembly);
        if (services->rows) services->rows->open(assembly);
        good = set_initial_state(assembly);
        tn_algebraic_keep(assembly);
    }
    if (good) {
        set_functions(assembly);
        if (services->tangents) services->tangents->open(assembly);
        tn_data_build(assembly);
        tn_accept_build(assembly);
        if (services->blocks) services->blocks->choose(assembly);
        tn_evaluate_build(assembly);
        if (services->energies) services->energies->observe(assembly);
        tn_gather_build(assembly);
        good = tn_mass_build(assembly) == TN_OK;
    }
    if (good) {
        /* for the size of the model; a refusal here is explained by the first evaluation of the run */
        tn_turns_begin(assembly);
        (void)tn_evaluate_markers(assembly);
        set_scale(assembly);
        if (services->explanation) services->explanation->notice(assembly);
        good = tn_algebraic_check(assembly);
    }
    return good ? assembly : NULL;
}

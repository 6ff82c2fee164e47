/* assemble.c - from the instances of a model to batches, one memory for the state, and marker stations */
#include "system/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups ---------------------------------------------------------------------------------------------- */

/* What all instances of a group share. */
typedef struct shape {
    tn_layout layout;
    uint32_t marker_count;
    uint32_t kind[16];
    const uint32_t *port_first;
    uint64_t dynamic;
} shape;

static bool same_shape(const shape *a, const shape *b, uint32_t port_count)
{
    return memcmp(&a->layout.nq, &b->layout.nq,
                  offsetof(tn_layout, marker_count) - offsetof(tn_layout, nq)) == 0 &&
           a->marker_count == b->marker_count &&
           memcmp(a->kind, b->kind, a->marker_count * sizeof *a->kind) == 0 && a->dynamic == b->dynamic &&
           (!port_count ||
            memcmp(a->port_first, b->port_first, (port_count + 1) * sizeof *a->port_first) == 0);
}

/* What this kernel does not integrate yet would silently be left out: it is refused. */
static bool can_run(tn_model *model, const tn_use *use, const tn_layout *layout, const tn_toml *table)
{
    const bool rows = layout->position_rows || layout->velocity_rows, states = layout->nx || layout->ns;
    if (!rows && !states && !layout->events && !use->element->residual) return true;
    tn_source_error(
        &model->source, table,
        "`%s` declares %s: interface %u.%u of this kernel runs bodies with constant mass and forces",
        use->element->name,
        rows             ? "constraints"
        : states         ? "states of its own"
        : layout->events ? "events"
                         : "a residual",
        TN_ABI_MAJOR, TN_ABI_MINOR);
    return false;
}

static bool find_shape(tn_model *model, const tn_use *use, uint32_t instance, shape *found)
{
    const tn_item *item = &model->item[use->item[instance]];
    const tn_template *origin = item->origin;
    *found = (shape){.port_first = origin->port_first, .dynamic = origin->filler.dynamic};
    if (use->port_count) {
        const uint32_t start = use->marker_start[instance];
        found->marker_count = use->marker_start[instance + 1] - start;
        for (uint32_t k = 0; k < found->marker_count && k < 16; k++)
            found->kind[k] = model->marker[use->marker_index[start + k]].kind;
        if (found->marker_count > 16) {
            tn_source_error(&model->source, origin->table, "more than 16 markers at one element");
            return false;
        }
    }
    found->layout = (tn_layout){.struct_size = sizeof(tn_layout),
                                .marker_count = found->marker_count,
                                .marker_kind = found->kind,
                                .port_first = found->port_first};
    if (use->element->layout) {
        const size_t before = tn_error_count(model->diagnostics);
        tn_host_point(model, origin->table, tn_item_name(model, use->item[instance]));
        const tn_status status =
            use->element->layout(&model->host, use->instance + instance * use->instance_size, &found->layout);
        tn_host_point(model, NULL, NULL);
        if (status != TN_OK) {
            if (tn_error_count(model->diagnostics) == before)
                tn_source_error(&model->source, origin->table, "%s", tn_status_text(status));
            return false;
        }
    }
    return can_run(model, use, &found->layout, origin->table);
}

static uint32_t sum_of_twists(const shape *s)
{
    uint32_t size = 0;
    for (uint32_t k = 0; k < s->marker_count; k++)
        size += tn_twist_size(s->kind[k]);
    return size;
}

static void start_group(tn_assembly *assembly, const tn_use *use, const shape *s)
{
    tn_model *model = assembly->model;
    size_t capacity = assembly->group_count;
    assembly->group = tn_grow(assembly->group, &capacity, assembly->group_count + 1, sizeof *assembly->group);
    tn_group *group = &assembly->group[assembly->group_count++];
    uint32_t *kinds = tn_arena_new(&model->arena, (s->marker_count + 1) * sizeof *kinds);
    memcpy(kinds, s->kind, s->marker_count * sizeof *kinds);
    *group = (tn_group){.type = use->element, .port_first = s->port_first, .marker_kind = kinds};
    group->batch = (tn_batch){.struct_size = sizeof(tn_batch),
                              .host = &model->host,
                              .gravity = model->gravity,
                              .instance_stride = use->instance_size,
                              .marker_count = s->marker_count,
                              .wrench_size = sum_of_twists(s),
                              .port_first = s->port_first,
                              .marker_kind = kinds,
                              .layout = s->layout};
    group->batch.layout.marker_kind = kinds;
    group->batch.layout.marker_count = s->marker_count;
}

/* Sorts the instances of one type into groups; every instance gets its group and its index there. */
static bool group_use(tn_assembly *assembly, tn_use *use)
{
    tn_model *model = assembly->model;
    const size_t first = assembly->group_count;
    shape *shapes = NULL, s;
    size_t capacity = 0, count = 0;
    bool good = true;
    for (uint32_t i = 0; i < use->count; i++) {
        if (!find_shape(model, use, i, &s)) {
            good = false;
            break;
        }
        size_t k = 0;
        while (k < count && !same_shape(&shapes[k], &s, use->port_count))
            k++;
        if (k == count) {
            shapes = tn_grow(shapes, &capacity, count + 1, sizeof *shapes);
            shapes[count++] = s;
            start_group(assembly, use, &s);
        }
        const uint32_t item = use->item[i];
        assembly->group_of[item] = (uint32_t)(first + k);
        assembly->index_of[item] = assembly->group[first + k].batch.count++;
    }
    free(shapes);
    return good;
}

/* Hands the instances over to their groups, on aligned memory. */
static void fill_groups(tn_assembly *assembly, tn_use *use, size_t first)
{
    const tn_model *model = assembly->model;
    for (size_t k = first; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        group->item = tn_new(group->batch.count, sizeof *group->item);
        group->marker = tn_new((size_t)group->batch.count * group->batch.marker_count, sizeof *group->marker);
        group->batch.instance = tn_new_aligned(group->batch.count, use->instance_size);
        group->batch.failure = &group->failure;
    }
    for (uint32_t i = 0; i < use->count; i++) {
        const uint32_t item = use->item[i], index = assembly->index_of[item];
        tn_group *group = &assembly->group[assembly->group_of[item]];
        const uint32_t markers = group->batch.marker_count;
        group->item[index] = item;
        memcpy((char *)group->batch.instance + index * use->instance_size,
               use->instance + i * use->instance_size, use->instance_size);
        if (markers)
            memcpy(group->marker + (size_t)index * markers, use->marker_index + use->marker_start[i],
                   markers * sizeof *group->marker);
        if (model->item[item].active) continue;
        if (!group->active) {
            group->active = tn_new(group->batch.count, 1);
            memset(group->active, 1, group->batch.count);
            group->batch.active = group->active;
        }
        group->active[index] = 0;
    }
    free(use->instance);
    free(use->marker_index);
    free(use->marker_start);
    use->instance = NULL;
    use->marker_index = use->marker_start = NULL;
}

/* ---- state and markers ----------------------------------------------------------------------------------- */

/* Numbers the coordinates of all bodies. */
static void number_coordinates(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        group->q_start = system->nq;
        group->v_start = system->nv;
        system->nq += group->batch.layout.nq * group->batch.count;
        system->nv += group->batch.layout.nv * group->batch.count;
    }
}

/* Riders of this kind on this group, made when new. */
static uint32_t riders_of(tn_assembly *assembly, uint32_t group, uint32_t kind)
{
    for (size_t k = 0; k < assembly->riders_count; k++)
        if (assembly->riders[k].group == group && assembly->riders[k].attachments.kind == kind)
            return (uint32_t)k;
    size_t capacity = assembly->riders_count;
    assembly->riders =
        tn_grow(assembly->riders, &capacity, assembly->riders_count + 1, sizeof *assembly->riders);
    tn_riders *riders = &assembly->riders[assembly->riders_count];
    const tn_group *owner = &assembly->group[group];
    *riders = (tn_riders){.type = owner->type, .group = group};
    riders->attachments = (tn_attachments){.struct_size = sizeof(tn_attachments),
                                           .kind = kind,
                                           .nq = owner->batch.layout.nq,
                                           .nv = owner->batch.layout.nv,
                                           .data_size = (uint32_t)owner->type->attachment_size,
                                           .instance = owner->batch.instance,
                                           .instance_stride = owner->batch.instance_stride};
    return (uint32_t)assembly->riders_count++;
}

/* Sorts the markers into aliases and riders, and gives each its place. */
static void place_markers(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    const size_t count = model->marker_count;
    assembly->station = tn_new(count, sizeof *assembly->station);
    for (size_t k = 0; k < count; k++) {
        const tn_marker *marker = &model->marker[k];
        tn_station *station = &assembly->station[k];
        const uint32_t group = assembly->group_of[marker->body], body = assembly->index_of[marker->body];
        const tn_group *owner = &assembly->group[group];
        *station = (tn_station){
            .group = group, .body = body, .riders = TN_NONE, .rider = TN_NONE, .wrench = TN_NONE};
        if (marker->alias_pose >= 0) {
            station->place.pose =
                owner->q_start + body * owner->batch.layout.nq + (uint32_t)marker->alias_pose;
            station->place.twist =
                owner->v_start + body * owner->batch.layout.nv + (uint32_t)marker->alias_twist;
        } else {
            station->riders = riders_of(assembly, group, marker->kind);
            station->rider = assembly->riders[station->riders].attachments.count++;
        }
    }
    /* memory behind q and v, riders after riders */
    size_t pose = assembly->system.nq, twist = assembly->system.nv, wrench = 0;
    size_t *pose_start = tn_new(assembly->riders_count, sizeof *pose_start);
    size_t *twist_start = tn_new(assembly->riders_count, sizeof *twist_start);
    size_t *wrench_start = tn_new(assembly->riders_count, sizeof *wrench_start);
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_riders *riders = &assembly->riders[k];
        const size_t n = riders->attachments.count, kind = riders->attachments.kind;
        pose_start[k] = pose, twist_start[k] = twist, wrench_start[k] = wrench;
        pose += n * tn_pose_size((uint32_t)kind);
        twist += n * tn_twist_size((uint32_t)kind);
        wrench += n * tn_twist_size((uint32_t)kind);
        riders->marker = tn_new(n, sizeof *riders->marker);
        riders->attachments.body = tn_new(n, sizeof(uint32_t));
        riders->attachments.data = tn_new_aligned(n, riders->attachments.data_size);
    }
    assembly->configuration = tn_new_aligned(pose, sizeof(double));
    assembly->motion = tn_new_aligned(twist, sizeof(double));
    assembly->marker_wrench = tn_new_aligned(wrench, sizeof(double));
    assembly->marker_wrench_size = wrench;
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_attachments *attachments = &assembly->riders[k].attachments;
        attachments->pose = assembly->configuration + pose_start[k];
        attachments->twist = assembly->motion + twist_start[k];
        attachments->wrench = assembly->marker_wrench + wrench_start[k];
    }
    for (uint32_t k = 0; k < count; k++) {
        tn_station *station = &assembly->station[k];
        if (station->riders == TN_NONE) continue;
        tn_riders *riders = &assembly->riders[station->riders];
        const uint32_t i = station->rider, size = tn_twist_size(riders->attachments.kind);
        riders->marker[i] = k;
        ((uint32_t *)riders->attachments.body)[i] = station->body;
        if (riders->attachments.data_size)
            memcpy((char *)riders->attachments.data + (size_t)i * riders->attachments.data_size,
                   model->marker[k].data, riders->attachments.data_size);
        station->place.pose =
            (uint32_t)pose_start[station->riders] + i * tn_pose_size(riders->attachments.kind);
        station->place.twist = (uint32_t)twist_start[station->riders] + i * size;
        station->wrench = (uint32_t)wrench_start[station->riders] + i * size;
    }
    free(pose_start);
    free(twist_start);
    free(wrench_start);
}

/* Points the batches at the state, and the connectors at their markers and slots. */
static void connect_groups(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    system->q = assembly->configuration;
    system->v = assembly->motion;
    system->a = tn_new_aligned(system->nv, sizeof(double));
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
        batch->q = system->q + group->q_start;
        batch->v = system->v + group->v_start;
        batch->a = system->a + group->v_start;
        batch->force = assembly->force + group->v_start;
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

static bool set_initial_state(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const tn_layout *layout = &group->batch.layout;
        if (!group->type->initial) continue;
        for (uint32_t i = 0; i < group->batch.count; i++) {
            const void *instance = (const char *)group->batch.instance + i * group->batch.instance_stride;
            const tn_status status = group->type->initial(
                &model->host, instance, assembly->system.q + group->q_start + (size_t)i * layout->nq,
                assembly->system.v + group->v_start + (size_t)i * layout->nv, NULL, NULL, NULL);
            if (status == TN_OK) continue;
            tn_source_error(&model->source, model->item[group->item[i]].origin->table,
                            "`%s` has no start state: %s", tn_item_name(model, group->item[i]),
                            tn_status_text(status));
            return false;
        }
    }
    return true;
}

/* Lengths are measured against the size of the model, angles against 1 rad. */
static void set_scale(tn_assembly *assembly)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, square = 0.0;
    for (size_t k = 0; k < assembly->model->marker_count; k++)
        for (int i = 0; i < 3 && assembly->model->marker[k].kind != TN_COORDINATE; i++) {
            const double p = assembly->configuration[assembly->station[k].place.pose + (uint32_t)i];
            low[i] = fmin(low[i], p);
            high[i] = fmax(high[i], p);
        }
    for (int i = 0; i < 3; i++)
        square += high[i] > low[i] ? (high[i] - low[i]) * (high[i] - low[i]) : 0.0;
    const double length = square > 0.0 ? sqrt(square) : 1.0;
    assembly->scale = tn_new_aligned(assembly->system.nv, sizeof(double));
    assembly->system.scale = assembly->scale;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t nv = group->batch.layout.nv;
        for (size_t i = 0; i < (size_t)nv * group->batch.count; i++) {
            const char *unit = group->type->velocity_units ? group->type->velocity_units[i % nv] : "";
            assembly->scale[group->v_start + i] = strcmp(unit, "m") == 0 ? length : 1.0;
        }
    }
}

static void notice_missing_tangents(const tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_element_type *type = assembly->group[k].type;
        if ((type->force && !type->force_tangent) || (type->body_force && !type->body_force_tangent))
            (void)fprintf(stderr,
                          "note: `%s` was built without its exact tangent: central differences stand in\n",
                          type->name);
    }
}

static void set_functions(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    system->struct_size = sizeof *system;
    system->host = &assembly->model->host;
    system->statistics = &assembly->statistics;
    system->vector_space = 1;
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].batch.layout.nq && !(assembly->group[k].type->flags & TN_VECTOR_SPACE))
            system->vector_space = 0;
    system->evaluate = tn_system_evaluate;
    system->accelerate = tn_system_accelerate;
    system->residual = tn_system_residual;
    system->rate = tn_system_rate;
    system->retract = tn_system_retract;
    system->normalise = tn_system_normalise;
    system->pattern = tn_system_pattern;
    system->matrix = tn_system_matrix;
    system->fail = tn_system_fail;
}

tn_assembly *tn_assemble(tn_model *model)
{
    tn_assembly *assembly = tn_new_aligned(1, sizeof *assembly);
    assembly->model = model;
    assembly->group_of = tn_new(model->names.count, sizeof(uint32_t));
    assembly->index_of = tn_new(model->names.count, sizeof(uint32_t));
    bool good = true;
    for (size_t k = 0; k < model->use_count; k++) {
        const size_t first = assembly->group_count;
        if (!model->use[k].element) continue;
        good = group_use(assembly, &model->use[k]) && good;
        if (good) fill_groups(assembly, &model->use[k], first);
    }
    if (good) {
        number_coordinates(assembly);
        place_markers(assembly);
        connect_groups(assembly);
        good = set_initial_state(assembly);
    }
    if (good) {
        set_functions(assembly);
        tn_gather_build(assembly);
        good = tn_mass_build(assembly) == TN_OK && tn_evaluate_markers(assembly) == TN_OK;
        if (!good)
            tn_source_error(&model->source, tn_document_root(model->document),
                            "the start state cannot be evaluated");
    }
    if (good) {
        set_scale(assembly);
        notice_missing_tangents(assembly);
        return assembly;
    }
    tn_assembly_free(assembly);
    return NULL;
}

void tn_assembly_free(tn_assembly *assembly)
{
    if (!assembly) return;
    tn_linear_close(assembly);
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        free(group->item);
        free(group->active);
        free(group->marker);
        free(group->mass);
        free(group->inverse);
        free(group->block);
        free((void *)group->batch.marker);
        free(group->batch.instance);
    }
    for (size_t k = 0; k < assembly->riders_count; k++) {
        free(assembly->riders[k].marker);
        free((void *)assembly->riders[k].attachments.body);
        free((void *)assembly->riders[k].attachments.data);
        free(assembly->riders[k].jacobian);
        free(assembly->riders[k].derivative);
    }
    for (size_t k = 0; k < assembly->gather_count; k++) {
        free(assembly->gather[k].target);
        free(assembly->gather[k].start);
        free(assembly->gather[k].slot);
    }
    void *const memory[] = {
        assembly->group,         assembly->group_of,      assembly->index_of,     assembly->riders,
        assembly->station,       assembly->configuration, assembly->motion,       assembly->force,
        assembly->wrench,        assembly->marker_wrench, assembly->scale,        assembly->system.a,
        assembly->column_start,  assembly->row,           assembly->matrix.value, assembly->own_block,
        assembly->column_length, assembly->body_start,    assembly->tangent,      assembly->scratch,
        assembly->own,           assembly->product,       assembly->rigid_motion};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        free(memory[k]);
    free(assembly);
}

tn_batch tn_sub_batch(const tn_group *group, uint32_t first, uint32_t count)
{
    tn_batch batch = group->batch;
    const tn_layout *layout = &batch.layout;
    batch.count = count;
    batch.instance = (char *)batch.instance + first * batch.instance_stride;
    if (batch.active) batch.active += first;
    batch.marker += (size_t)first * batch.marker_count;
    batch.wrench += (size_t)first * batch.wrench_size;
    batch.q += (size_t)first * layout->nq;
    batch.v += (size_t)first * layout->nv;
    batch.a += (size_t)first * layout->nv;
    batch.force += (size_t)first * layout->nv;
    return batch;
}

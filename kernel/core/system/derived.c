/* derived.c - markers made of other markers: groups by level, the bodies that they depend on, memory */
#include "system/differences.h"
#include "system/markers.h"

#include <tenon/turns.h>

#include <string.h>

enum { MOST_LEGS = 4000000 }; /* up to 600 bytes each */

/* ---- groups ---------------------------------------------------------------------------------------------- */

static const tn_use *use_of(const tn_model *model, uint32_t item)
{
    return &model->use[model->item[item].use];
}

/* Same type and coordinate, and numbers and kinds of markers; the level is the same. */
static bool belongs(const tn_model *model, const tn_derived *derived, const tn_marker *made)
{
    const uint32_t item = made->body;
    const tn_use *use = use_of(model, item);
    const uint32_t *first = model->item[item].origin->port_first;
    uint32_t count = 0;
    const uint32_t *marker = tn_markers_at(model, item, &count);
    if (derived->type != use->marker || derived->connector != use->element ||
        derived->coordinate != made->coordinate ||
        memcmp(derived->batch.port_first, first, (use->port_count + 1) * sizeof *first) != 0)
        return false;
    for (uint32_t k = 0; k < count; k++)
        if (derived->batch.marker_kind[k] != model->marker[marker[k]].kind) return false;
    return true;
}

static tn_derived new_group(const tn_use *use, uint32_t coordinate)
{
    if (use->element)
        return (tn_derived){.connector = use->element,
                            .coordinate = coordinate,
                            .kind = TN_COORDINATE,
                            .name = use->element->name,
                            .exact = use->element->coordinate_tangent};
    return (tn_derived){.type = use->marker,
                        .coordinate = TN_NONE,
                        .kind = use->marker->kind,
                        .name = use->marker->name,
                        .exact = use->marker->kinematics_tangent,
                        .constant = use->marker->flags & TN_CONSTANT_SHARES};
}

static void start_group(tn_assembly *assembly, const tn_marker *made)
{
    tn_model *model = assembly->model;
    const uint32_t item = made->body;
    const tn_use *use = use_of(model, item);
    assembly->derived = tn_grow(assembly->derived, &assembly->derived_capacity, assembly->derived_count + 1,
                                sizeof *assembly->derived);
    tn_derived *derived = &assembly->derived[assembly->derived_count++];
    *derived = new_group(use, made->coordinate);
    derived->level = model->item[item].level;
    derived->batch = (tn_batch){.struct_size = sizeof(tn_batch),
                                .host = &model->host,
                                .gravity = model->gravity,
                                .instance_stride = use->marker ? use->instance_size : 0,
                                .port_first = model->item[item].origin->port_first};
    const uint32_t *marker = tn_markers_at(model, item, &derived->batch.marker_count);
    const uint32_t count = derived->batch.marker_count;
    uint32_t *kinds = tn_arena_new(&model->arena, (count + 1) * sizeof *kinds);
    for (uint32_t k = 0; k < count; k++) {
        kinds[k] = model->marker[marker[k]].kind;
        derived->batch.wrench_size += tn_twist_size(kinds[k]);
    }
    tn_layout *layout = tn_arena_new(&model->arena, sizeof *layout);
    *layout = (tn_layout){.struct_size = sizeof *layout,
                          .marker_count = count,
                          .marker_kind = kinds,
                          .port_first = derived->batch.port_first};
    derived->batch.marker_kind = kinds;
    derived->batch.layout = layout;
}

/* The group that a marker belongs to, counted from 1; 0: a new one. Those of its level are the last ones. */
static size_t find_group(const tn_assembly *assembly, const tn_marker *made)
{
    const uint32_t level = assembly->model->item[made->body].level;
    for (size_t k = assembly->derived_count; k > 0 && assembly->derived[k - 1].level == level; k--)
        if (belongs(assembly->model, &assembly->derived[k - 1], made)) return k;
    return 0;
}

/* Every marker gets its group and its index there. The markers come by level, so the groups do, too. */
static void sort_markers(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    assembly->derived_of = tn_new(model->marker_count, sizeof *assembly->derived_of);
    for (size_t i = 0; i < model->derived_count; i++) {
        const tn_marker *made = &model->marker[model->derived[i]];
        size_t k = find_group(assembly, made);
        if (!k) {
            start_group(assembly, made);
            k = assembly->derived_count;
        }
        assembly->derived_of[model->derived[i]] =
            (struct tn_derived_place){(uint32_t)(k - 1), assembly->derived[k - 1].batch.count++};
    }
    /* a frame that serves as a point, too */
    for (uint32_t k = 0; k < model->marker_count; k++) {
        const tn_item *item = &model->item[model->marker[k].body];
        if (model->marker[k].coordinate == TN_NONE && tn_is_derived(model, model->marker[k].body))
            assembly->derived_of[k] = assembly->derived_of[item->marker[model->use[item->use].marker->kind]];
    }
}

static void fill_groups(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        const size_t count = derived->batch.count;
        derived->item = tn_new(count, sizeof *derived->item);
        derived->marker = tn_new(count * derived->batch.marker_count, sizeof *derived->marker);
        if (derived->type) derived->batch.instance = tn_new_aligned(count, derived->batch.instance_stride);
    }
    for (size_t i = 0; i < model->derived_count; i++) {
        const struct tn_derived_place *place = &assembly->derived_of[model->derived[i]];
        const uint32_t item = model->marker[model->derived[i]].body, index = place->index;
        tn_derived *derived = &assembly->derived[place->group];
        const size_t size = derived->batch.instance_stride;
        uint32_t markers = 0;
        const uint32_t *marker = tn_markers_at(model, item, &markers);
        derived->item[index] = item;
        memcpy(derived->marker + (size_t)index * markers, marker, markers * sizeof *marker);
        if (derived->type) tn_instance_move(model, item, (char *)derived->batch.instance + index * size);
    }
}

/* ---- legs ------------------------------------------------------------------------------------------------ */

uint32_t tn_leg_count(const tn_assembly *assembly, uint32_t marker)
{
    if (!tn_marker_is_derived(assembly->model, marker)) return 1;
    const struct tn_derived_place *place = &assembly->derived_of[marker];
    const uint32_t *start = assembly->derived[place->group].leg_start + place->index;
    return start[1] - start[0];
}

uint32_t tn_leg_item(const tn_assembly *assembly, uint32_t marker, uint32_t leg)
{
    if (!tn_marker_is_derived(assembly->model, marker)) return assembly->model->marker[marker].body;
    const struct tn_derived_place *place = &assembly->derived_of[marker];
    const tn_derived *derived = &assembly->derived[place->group];
    return derived->leg[derived->leg_start[place->index] + leg].item;
}

/* While the bodies are listed that markers depend on. */
typedef struct listing {
    size_t total;
    size_t *place;    /* [items] where an item stands among the legs of a group */
    uint32_t *number; /* [items] of the last marker that it was listed for, */
    uint32_t marker;  /* counted from 1 over all groups */
} listing;

/* The place of an item among the legs of the current marker, which begin at `first`; new at the end where it is not there. */
static uint32_t place_of_leg(tn_derived *derived, listing *l, uint32_t item, size_t first, size_t *count,
                             size_t *capacity)
{
    if (l->number[item] != l->marker) {
        l->number[item] = l->marker;
        l->place[item] = *count;
        derived->leg = tn_grow(derived->leg, capacity, *count + 1, sizeof *derived->leg);
        derived->leg[(*count)++] = (tn_leg){.item = item};
    }
    return (uint32_t)(l->place[item] - first);
}

/* A marker depends on the bodies that the markers it is made of depend on: each is listed once. False after reporting more
 * of them than there is memory for. */
static bool find_legs(const tn_assembly *assembly, tn_derived *derived, listing *l)
{
    const size_t markers = derived->batch.marker_count;
    size_t count = 0, capacity = 0, seen = 0, seen_capacity = 0;
    derived->leg_start = tn_new(derived->batch.count + 1u, sizeof *derived->leg_start);
    for (size_t i = 0; i < derived->batch.count; i++) {
        const size_t first = count;
        l->marker++;
        for (size_t k = 0; k < markers; k++) {
            const uint32_t marker = derived->marker[i * markers + k], legs = tn_leg_count(assembly, marker);
            derived->leg_of = tn_grow(derived->leg_of, &seen_capacity, seen + legs, sizeof *derived->leg_of);
            for (uint32_t leg = 0; leg < legs; leg++)
                derived->leg_of[seen++] =
                    place_of_leg(derived, l, tn_leg_item(assembly, marker, leg), first, &count, &capacity);
        }
        derived->leg_start[i + 1] = (uint32_t)count;
        l->total += count - first;
        if (l->total <= MOST_LEGS) continue;
        tn_source_error(&assembly->model->source, assembly->model->item[derived->item[i]].origin->table,
                        "markers that are made of others depend on more than %d bodies, each marker counted "
                        "with all of its own: this is the most that there may be",
                        MOST_LEGS);
        return false;
    }
    return true;
}

bool tn_derived_build(tn_assembly *assembly)
{
    const size_t items = assembly->model->names.count;
    if (!assembly->model->derived_count) return true;
    sort_markers(assembly);
    fill_groups(assembly);
    listing l = {.place = tn_new(items, sizeof *l.place), .number = tn_new(items, sizeof *l.number)};
    bool good = true;
    for (size_t k = 0; k < assembly->derived_count && good; k++)
        good = find_legs(assembly, &assembly->derived[k], &l);
    tn_free(l.place);
    tn_free(l.number);
    return good;
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

/* Where a wrench on this marker is added; NULL when it moves nothing. */
static double *receiver(const tn_assembly *assembly, uint32_t marker)
{
    const tn_station *station = &assembly->station[marker];
    if (station->group != TN_NONE && !assembly->group[station->group].batch.layout->nv) return NULL;
    return station->riders == TN_NONE ? assembly->force + station->place.twist
                                      : assembly->marker_wrench + station->wrench;
}

static void find_connectors(const tn_assembly *assembly, tn_derived *derived)
{
    derived->connector_place = tn_new(derived->batch.count, sizeof *derived->connector_place);
    for (size_t i = 0; i < derived->batch.count; i++)
        derived->connector_place[i] = (struct tn_connector_place){
            &assembly->group[assembly->group_of[derived->item[i]]], assembly->index_of[derived->item[i]]};
}

void tn_derived_place(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        tn_batch *batch = &derived->batch;
        const size_t uses = (size_t)batch->count * batch->marker_count;
        const size_t width = tn_twist_size(derived->kind);
        tn_marker_place *place = tn_new_aligned(uses, sizeof *place);
        derived->to = tn_new(uses, sizeof *derived->to);
        for (size_t i = 0; i < uses; i++) {
            place[i] = assembly->station[derived->marker[i]].place;
            derived->to[i] = receiver(assembly, derived->marker[i]);
        }
        batch->marker = place;
        batch->failure = &derived->failure;
        batch->pose = assembly->configuration;
        batch->twist = assembly->motion;
        batch->value = tn_new_aligned(batch->count * (tn_pose_size(derived->kind) + width), sizeof(double));
        batch->tangent = tn_new_aligned(batch->count * width * 2 * batch->wrench_size, sizeof(double));
        if (!derived->exact)
            derived->differences = tn_new_aligned(tn_kinematics_differences_size(derived), sizeof(double));
        if (derived->connector) find_connectors(assembly, derived);
        if (derived->type && derived->type->flags & TN_COUNTS_TURNS)
            derived->kept = tn_new(batch->count, TN_KEPT_DOUBLES * sizeof *derived->kept);
    }
}

void tn_derived_free(tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        void *const memory[] = {derived->connector_place,
                                derived->item,
                                derived->marker,
                                derived->to,
                                derived->leg_start,
                                derived->leg,
                                derived->leg_memory,
                                derived->leg_of,
                                derived->block,
                                derived->kept,
                                derived->differences,
                                derived->batch.instance,
                                (void *)derived->batch.marker,
                                derived->batch.value,
                                derived->batch.tangent,
                                (void *)derived->unit.marker,
                                (void *)derived->unit.twist,
                                derived->unit.value,
                                derived->unit.tangent};
        for (size_t m = 0; m < sizeof memory / sizeof *memory; m++)
            tn_free(memory[m]);
    }
    tn_free(assembly->derived);
    tn_free(assembly->derived_of);
}

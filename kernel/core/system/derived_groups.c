/* derived_groups.c - markers made of other markers: groups by level, the bodies that they depend on, memory */
#include "system/markers.h"
#include "system/tangent_source.h"

#include <tenon/turns.h>

#include <string.h>

enum { MOST_LEGS = 4000000 }; /* up to 600 bytes each */

/* ---- groups ---------------------------------------------------------------------------------------------- */

static const tn_use *use_of(const tn_model *model, uint32_t item)
{
    return &model->use[model->item[item].use];
}

/* Same type and coordinate, and numbers and kinds of markers; the level is the same. */
static bool belongs_to_group(const tn_model *model, const tn_derived *derived, const tn_marker *made)
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

static void start_derived_group(tn_assembly *assembly, const tn_marker *made)
{
    tn_model *model = assembly->model;
    const uint32_t item = made->body;
    const tn_use *use = use_of(model, item);
    const tn_loaded_marker *type = use->marker;
    uint32_t count = 0;
    const uint32_t *marker = tn_markers_at(model, item, &count);
    uint32_t *kinds = tn_new(count, sizeof *kinds);
    for (uint32_t k = 0; k < count; k++)
        kinds[k] = model->marker[marker[k]].kind;
    assembly->derived = tn_arena_grow(&assembly->memory, assembly->derived, &assembly->derived_capacity,
                                      assembly->derived_count + 1, sizeof *assembly->derived);
    tn_derived *derived = &assembly->derived[assembly->derived_count++];
    *derived = (tn_derived){.type = type,
                            .connector = use->element,
                            .coordinate = made->coordinate,
                            .kind = type ? type->kind : TN_COORDINATE,
                            .name = use->type->name,
                            .exact = type ? type->kinematics_tangent : use->element->coordinate_tangent,
                            .constant = type && type->flags & TN_CONSTANT_SHARES,
                            .level = model->item[item].level};
    derived->batch = tn_new_batch(model, use,
                                  &(tn_layout){.struct_size = sizeof(tn_layout),
                                               .marker_count = count,
                                               .marker_kind = kinds,
                                               .port_first = model->item[item].origin->port_first});
    if (!type) derived->batch.instance_stride = 0;
    tn_free(kinds);
}

/* The group that a marker belongs to, counted from 1; 0: a new one. Those of its level are the last ones. */
static size_t find_derived_group(const tn_assembly *assembly, const tn_marker *made)
{
    const uint32_t level = assembly->model->item[made->body].level;
    for (size_t k = assembly->derived_count; k > 0 && assembly->derived[k - 1].level == level; k--)
        if (belongs_to_group(assembly->model, &assembly->derived[k - 1], made)) return k;
    return 0;
}

/* Every marker gets its group and its index there. The markers come by level, so the groups do, too. */
static void sort_markers(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    assembly->derived_of = tn_assembly_new(assembly, model->marker_count, sizeof *assembly->derived_of);
    for (size_t i = 0; i < model->derived_count; i++) {
        const tn_marker *made = &model->marker[model->derived[i]];
        size_t k = find_derived_group(assembly, made);
        if (!k) {
            start_derived_group(assembly, made);
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

static void fill_derived_groups(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        const size_t count = derived->batch.count;
        derived->item = tn_assembly_new(assembly, count, sizeof *derived->item);
        derived->marker =
            tn_assembly_new(assembly, count * derived->batch.marker_count, sizeof *derived->marker);
        if (derived->type)
            derived->batch.instance = tn_assembly_new(assembly, count, derived->batch.instance_stride);
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
    tn_arena *memory;
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
        derived->leg = tn_arena_grow(l->memory, derived->leg, capacity, *count + 1, sizeof *derived->leg);
        derived->leg[(*count)++] = (tn_leg){.item = item};
    }
    return (uint32_t)(l->place[item] - first);
}

/* A marker depends on the bodies that the markers it is made of depend on: each is listed once. False after reporting more
 * of them than there is memory for. */
static bool list_legs_of_group(tn_assembly *assembly, tn_derived *derived, listing *l)
{
    const size_t markers = derived->batch.marker_count;
    size_t count = 0, capacity = 0, seen = 0, seen_capacity = 0;
    derived->leg_start = tn_assembly_new(assembly, derived->batch.count + 1u, sizeof *derived->leg_start);
    for (size_t i = 0; i < derived->batch.count; i++) {
        const size_t first = count;
        l->marker++;
        for (size_t k = 0; k < markers; k++) {
            const uint32_t marker = derived->marker[i * markers + k], legs = tn_leg_count(assembly, marker);
            derived->leg_of = tn_arena_grow(&assembly->memory, derived->leg_of, &seen_capacity, seen + legs,
                                            sizeof *derived->leg_of);
            for (uint32_t leg = 0; leg < legs; leg++)
                derived->leg_of[seen++] =
                    place_of_leg(derived, l, tn_leg_item(assembly, marker, leg), first, &count, &capacity);
        }
        derived->leg_start[i + 1] = (uint32_t)count;
        l->total += count - first;
        if (l->total <= MOST_LEGS) continue;
        return tn_model_error(
            assembly->model, assembly->model->item[derived->item[i]].origin->at->place,
            "markers that are made of others depend on more than %d bodies in all, each body counted "
            "for every marker: this is the limit",
            MOST_LEGS);
    }
    return true;
}

bool tn_derived_build(tn_assembly *assembly)
{
    const size_t items = assembly->model->names.count;
    if (!assembly->model->derived_count) return true;
    sort_markers(assembly);
    fill_derived_groups(assembly);
    listing l = {.memory = &assembly->memory,
                 .place = tn_new(items, sizeof *l.place),
                 .number = tn_new(items, sizeof *l.number)};
    bool good = true;
    for (size_t k = 0; k < assembly->derived_count && good; k++)
        good = list_legs_of_group(assembly, &assembly->derived[k], &l);
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

static void find_connectors(tn_assembly *assembly, tn_derived *derived)
{
    derived->connector_place =
        tn_assembly_new(assembly, derived->batch.count, sizeof *derived->connector_place);
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
        tn_marker_place *place = tn_assembly_new(assembly, uses, sizeof *place);
        derived->to = tn_assembly_new(assembly, uses, sizeof *derived->to);
        for (size_t i = 0; i < uses; i++) {
            place[i] = assembly->station[derived->marker[i]].place;
            derived->to[i] = receiver(assembly, derived->marker[i]);
        }
        batch->marker = place;
        batch->failure = &derived->failure;
        batch->pose = assembly->configuration;
        batch->twist = assembly->motion;
        batch->value =
            tn_assembly_new(assembly, batch->count * (tn_pose_size(derived->kind) + width), sizeof(double));
        batch->tangent =
            tn_assembly_new(assembly, batch->count * width * 2 * batch->wrench_size, sizeof(double));
        const tn_tangent_source *tangents = assembly->services->tangents;
        if (!derived->exact && tangents)
            derived->differences = tn_assembly_new(assembly, tangents->marker_size(derived), sizeof(double));
        if (derived->connector) find_connectors(assembly, derived);
        if (derived->type && derived->type->flags & TN_COUNTS_TURNS)
            derived->kept = tn_assembly_new(assembly, batch->count, TN_KEPT_DOUBLES * sizeof *derived->kept);
    }
}

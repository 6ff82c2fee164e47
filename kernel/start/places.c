/* places.c - where markers are in the model as it is given, before there is a system (see places.h) */
#include "start/places.h"

#include <tenon/draft/places.h>

#include <math.h>
#include <string.h>

/* What a body says of its start. */
typedef struct body_start {
    tn_layout layout;
    double *q, *others; /* others: v, x, s, d, one behind the other */
} body_start;

static tn_status find_start(const tn_model *model, uint32_t body, body_start *found)
{
    const tn_loaded_element *type = model->use[model->item[body].use].element;
    const char *name = tn_item_name(model, body);
    const void *instance = tn_item_instance(model, body);
    *found = (body_start){.layout = {.struct_size = sizeof(tn_layout), .port_first = (const uint32_t[2]){0}}};
    tn_layout *sizes = &found->layout;
    tn_status status = type->layout ? tn_call_for(name, type, layout, &model->host, instance, sizes) : TN_OK;
    const size_t others = (size_t)sizes->nv + sizes->nx + sizes->ns + sizes->nd;
    found->q = tn_new_aligned(sizes->nq + 1u, sizeof(double));
    found->others = tn_new_aligned(others + 1, sizeof(double));
    double *x = found->others + sizes->nv, *s = x + sizes->nx;
    if (status == TN_OK && type->initial)
        status = tn_call_for(name, type, initial, &model->host, instance, found->q, found->others, x, s,
                             s + sizes->ns);
    return status;
}

/* Where a point or frame fixed to a body is. */
static tn_status place_rider(const tn_model *model, const tn_marker *marker, const body_start *body,
                             double *position)
{
    static const uint32_t first_body = 0;
    const tn_loaded_element *type = model->use[model->item[marker->body].use].element;
    double pose[12] = {0.0};
    tn_attachments attachments = {.struct_size = sizeof attachments,
                                  .count = 1,
                                  .kind = marker->kind,
                                  .nq = body->layout.nq,
                                  .nv = body->layout.nv,
                                  .data_size = (uint32_t)type->attachment_size,
                                  .body = &first_body,
                                  .data = marker->data,
                                  .instance = tn_item_instance(model, marker->body),
                                  .instance_stride = model->use[model->item[marker->body].use].instance_size,
                                  .q = body->q,
                                  .v = body->others,
                                  .pose = pose};
    if (marker->alias_pose < 0 && !type->pose) return TN_UNSUPPORTED;
    if (marker->alias_pose < 0) {
        const tn_status status = tn_call(type, pose, &attachments);
        if (status != TN_OK) return status;
    }
    const double *from = marker->alias_pose < 0 ? pose : body->q + marker->alias_pose;
    memcpy(position, from, 3 * sizeof *position);
    return TN_OK;
}

static tn_status place(const tn_model *model, const tn_marker *marker, double *position)
{
    body_start body;
    tn_status status = find_start(model, marker->body, &body);
    if (status == TN_OK) status = place_rider(model, marker, &body, position);
    tn_free(body.others);
    tn_free(body.q);
    return status;
}

static tn_status place_marker(const tn_model *model, uint32_t number, double *position)
{
    const tn_marker *marker = &model->marker[number];
    const bool fixed = tn_has_place(marker->kind) && marker->coordinate == TN_NONE;
    return fixed && !tn_marker_is_derived(model, number) ? place(model, marker, position) : TN_UNSUPPORTED;
}

/* The reference point of a body. */
static tn_status place_body(const tn_model *model, uint32_t item, double *position)
{
    const tn_use *use = model->item[item].index == TN_NONE ? NULL : &model->use[model->item[item].use];
    const tn_loaded_element *type = use ? use->element : NULL;
    if (!type || !type->bind) return TN_UNSUPPORTED;
    tn_attachment point = {.struct_size = sizeof point,
                           .kind = TN_POINT,
                           .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                           .data = tn_new_aligned(type->attachment_size + 1, 1),
                           .alias_pose = -1,
                           .alias_twist = -1};
    tn_status status = tn_call_for(tn_item_name(model, item), type, bind, &model->host,
                                   tn_item_instance(model, item), &point);
    const tn_marker marker = {
        .body = item, .kind = TN_POINT, .alias_pose = point.alias_pose, .data = point.data};
    if (status == TN_OK) status = place(model, &marker, position);
    tn_free(point.data);
    return status;
}

/* Of the element that is laid out now. */
static tn_status position_of_marker(const tn_host *host, uint32_t number, double *position)
{
    const tn_model *model = host->self;
    const uint32_t item = model->host_item ? tn_names_find(&model->names, model->host_item) : TN_NO_NAME;
    uint32_t count = 0;
    if (item == TN_NO_NAME) return TN_UNSUPPORTED;
    const uint32_t *marker = tn_markers_at(model, item, &count);
    return number < count ? tn_attempt_status(place_marker(model, marker[number], position)) : TN_UNSUPPORTED;
}

static void widen(double *low, double *high, const double *position)
{
    for (int i = 0; i < 3; i++) {
        low[i] = fmin(low[i], position[i]);
        high[i] = fmax(high[i], position[i]);
    }
}

static tn_status find_longest_edge(const tn_model *model, double *longest)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, position[3];
    for (uint32_t k = 0; k < model->marker_count; k++)
        if (place_marker(model, k, position) == TN_OK) widen(low, high, position);
    for (uint32_t k = 0; k < model->names.count; k++)
        if (place_body(model, k, position) == TN_OK) widen(low, high, position);
    *longest = fmax(0.0, fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2])));
    return TN_OK;
}

static tn_status size_of_model(const tn_host *host, double *size)
{
    tn_model *model = host->self;
    const tn_status status =
        model->size > 0.0 ? TN_OK : tn_attempt_status(find_longest_edge(model, &model->size));
    *size = model->size;
    return status;
}

static const tn_places offered_places = {
    .struct_size = sizeof offered_places, .position = position_of_marker, .size = size_of_model};

const void *tn_places_extension(const char *key)
{
    return strcmp(key, TN_PLACES_KEY) == 0 ? &offered_places : NULL;
}

tn_status tn_tell_start(tn_assembly *assembly)
{
    bool evaluated = false;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (!group->type->at_start) continue;
        tn_status status = evaluated ? TN_OK : tn_evaluate_markers(assembly);
        if (status != TN_OK) return status;
        evaluated = true;
        status = tn_call(group->type, at_start, &group->batch);
        if (status != TN_OK) return tn_refused(assembly, group, status);
    }
    if (evaluated) tn_data_keep(assembly);
    return TN_OK;
}

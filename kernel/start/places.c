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

static tn_status place_marker(const tn_model *model, uint32_t number, double *position)
{
    const tn_marker *marker = &model->marker[number];
    if (!tn_has_place(marker->kind) || marker->coordinate != TN_NONE || tn_marker_is_derived(model, number))
        return TN_UNSUPPORTED;
    body_start body;
    tn_status status = find_start(model, marker->body, &body);
    if (status == TN_OK) status = place_rider(model, marker, &body, position);
    tn_free(body.others);
    tn_free(body.q);
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

static tn_status find_longest_edge(const tn_model *model, double *longest)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    *longest = 0.0;
    for (uint32_t k = 0; k < model->marker_count; k++) {
        double position[3];
        if (place_marker(model, k, position) != TN_OK) continue;
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], position[i]);
            high[i] = fmax(high[i], position[i]);
            *longest = fmax(*longest, high[i] - low[i]);
        }
    }
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

static const tn_places places = {
    .struct_size = sizeof places, .position = position_of_marker, .size = size_of_model};

static const void *find_extension(const tn_host *host, const char *key)
{
    (void)host;
    return key && strcmp(key, TN_PLACES_KEY) == 0 ? &places : NULL;
}

void tn_places_offer(tn_model *model) { model->host.extension = find_extension; }

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

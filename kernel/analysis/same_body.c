/* same_body.c - reports connectors whose markers are all on one rigid body: forces between these have no effect */
#include "analysis/culprit.h"

/* Of bodies whose places cannot move against each other. */
enum { POINT_COORDINATES = 3, RIGID_COORDINATES = 6 };

/* The item that carries a runtime marker; TN_NONE for several, and for coordinates. */
static uint32_t carrier_of(const tn_model *model, const uint32_t *carrier, uint32_t marker)
{
    const tn_marker *made = &model->marker[marker];
    if (!tn_has_place(made->kind) || made->coordinate != TN_NONE) return TN_NONE;
    return tn_is_derived(model, made->body) ? carrier[made->body] : made->body;
}

/* The item that carries all of several runtime markers; TN_NONE where there is none such. */
static uint32_t common_carrier(const tn_model *model, const uint32_t *carrier, const uint32_t *marker,
                               uint32_t count)
{
    const uint32_t first = count ? carrier_of(model, carrier, marker[0]) : TN_NONE;
    for (uint32_t k = 1; k < count; k++)
        if (carrier_of(model, carrier, marker[k]) != first) return TN_NONE;
    return first;
}

/* The carriers of all markers made of others, by item: those that they are made of come first. */
static uint32_t *find_carriers(const tn_model *model)
{
    uint32_t *carrier = tn_new(model->names.count, sizeof *carrier);
    for (size_t k = 0; k < model->derived_count; k++) {
        const uint32_t item = model->marker[model->derived[k]].body;
        uint32_t count = 0;
        if (!tn_is_derived(model, item)) continue;
        const uint32_t *marker = tn_markers_at(model, item, &count);
        carrier[item] = common_carrier(model, carrier, marker, count);
    }
    return carrier;
}

/* Forces between places that stand still are harmless. */
static void report_connector(tn_assembly *assembly, const tn_group *group, uint32_t instance, uint32_t body)
{
    tn_model *model = assembly->model;
    const uint32_t item = group->item[instance];
    const uint32_t coordinates = assembly->group[assembly->group_of[body]].batch.layout->nv;
    const tn_location *at = model->item[item].origin->at;
    const tn_place place = tn_model_key_place(model, at, group->type->ports[0].name);
    const char *name = tn_item_name(model, item), *on = tn_item_name(model, body);
    if (coordinates != 0 && coordinates != POINT_COORDINATES && coordinates != RIGID_COORDINATES) return;
    if (group->batch.marker_count == 1 && coordinates == 0)
        tn_model_error(model, place, "%s: its marker is on `%s`, which does not move", name, on);
    else if (group->batch.marker_count == 1)
        return;
    else if (group->type->constraint)
        tn_model_error(model, place,
                       "%s: all its markers are on `%s`: a %s connects two bodies, or a body to the ground",
                       name, on, group->type->name);
    else if (coordinates)
        tn_model_warn(model, place, "%s: all its markers are on `%s`: forces between them do not move it",
                      name, on);
}

void tn_same_body_check(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    uint32_t *carrier = find_carriers(model);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t count = group->batch.marker_count;
        const bool concerned = count > 1 || (count == 1 && group->rows);
        for (uint32_t i = 0; concerned && i < group->batch.count; i++) {
            const uint32_t body = common_carrier(model, carrier, group->marker + (size_t)i * count, count);
            if (body != TN_NONE) report_connector(assembly, group, i, body);
        }
    }
    tn_free(carrier);
}

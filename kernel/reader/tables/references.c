/* references.c - names of markers and elements in the tables of items, resolved and connected */
#include "tables/tables.h"

#include <string.h>

/* The item that the current copy has become. */
static uint32_t own_item(tn_made *made) { return made->item[made->next++]; }

static uint32_t referred_item(tn_model *model, tn_pattern *pattern)
{
    const char *name = tn_pattern_expand(&model->reader->source, pattern);
    return name ? tn_item_find(model, name, pattern->node) : TN_NONE;
}

/* On its host, which an element must be that carries such markers. */
static void fix_marker(tn_model *model, uint32_t item, uint32_t host, const tn_location *at)
{
    if (model->item[host].index == TN_NONE) return; /* reported already */
    const tn_loaded_element *type = model->use[model->item[host].use].element;
    const uint32_t kind = model->use[model->item[item].use].marker->kind;
    if (!type)
        tn_model_error(model, at->place, "`%s` is a marker: an element is expected",
                       tn_item_name(model, host));
    else if (!type->bind && !type->coordinates && !type->instance_coordinates)
        tn_model_error(model, at->place, "`%s` is a %s: it carries no markers", tn_item_name(model, host),
                       type->name);
    else if (!type->bind && kind != TN_COORDINATE)
        tn_marker_report_no_carrier(model, host, kind, at);
    else
        model->item[item].host = host;
}

void tn_marker_connect(tn_model *model, tn_template *origin, void *data)
{
    const uint32_t item = own_item(data);
    if (item == TN_NONE || origin->base.wrong || tn_is_derived(model, item)) return;
    tn_pattern *name = &origin->reference->name;
    const uint32_t host = referred_item(model, name);
    if (host != TN_NONE) fix_marker(model, item, host, &name->node->at);
}

/* A coordinate and a node have names, a point or frame has a place: false after reporting one that is given the other. */
static bool suits_kind(tn_model *model, const tn_toml *node, uint32_t kind)
{
    static const char *const places[] = {"position", "rotation"};
    static const uint32_t named[] = {TN_COORDINATE, TN_NODE};
    bool good = true;
    for (size_t k = 0; k < 2; k++) {
        const tn_toml *name = tn_toml_get(node, tn_marker_word(named[k]));
        if (!name || kind == named[k]) continue;
        good = tn_source_error(&model->reader->source, name, "a %s is given: a %s is needed",
                               tn_marker_word(named[k]), tn_marker_word(kind));
    }
    for (size_t k = 0; (kind == TN_COORDINATE || kind == TN_NODE) && k < 2; k++) {
        const tn_toml *place = tn_toml_get(node, places[k]);
        if (!place) continue;
        good = tn_source_error(&model->reader->source, place, "a %s is needed: it has no %s",
                               tn_marker_word(kind), places[k]);
    }
    return good;
}

/* A marker in place of a connector, as its table says. */
static uint32_t marker_in_place(tn_model *model, uint32_t item, uint32_t kind, const tn_in_place *local,
                                const tn_toml *node)
{
    const tn_item *on = &model->item[item];
    if (on->index != TN_NONE && model->use[on->use].element && !suits_kind(model, node, tn_marker_slot(kind)))
        return TN_NONE;
    return tn_marker_in_place(model, item, kind, local, &node->at);
}

/* The text that an element gives as `coordinate`, for its ports that take coordinates; or NULL. */
static const char *given_coordinate(const tn_model *model, uint32_t item)
{
    const tn_use *use = &model->use[model->item[item].use];
    const tn_parameter *parameter = use->element ? use->element->parameters : NULL;
    for (; parameter && parameter->name; parameter++)
        if (parameter->kind == TN_KIND_TEXT && strcmp(parameter->name, "coordinate") == 0)
            return *(const char *const *)(const void *)((const char *)tn_item_instance(model, item) +
                                                        parameter->offset);
    return NULL;
}

/* The runtime marker, of this kind, that one reference of the current copy means. */
static uint32_t referred_marker(tn_model *model, uint32_t owner, struct tn_reference *reference,
                                uint32_t kind)
{
    const uint32_t item = referred_item(model, &reference->name);
    if (item == TN_NONE) return TN_NONE;
    const char *coordinate = kind == TN_COORDINATE ? given_coordinate(model, owner) : NULL;
    if (!reference->in_place.table && coordinate)
        return marker_in_place(model, item, TN_COORDINATE, &(tn_in_place){.coordinate = coordinate},
                               model->item[owner].origin->at->node);
    if (!reference->in_place.table) return tn_marker_of(model, item, kind, &reference->name.node->at);
    tn_in_place local;
    tn_filler_apply(&model->reader->source, &reference->in_place, &local);
    if (coordinate && local.coordinate)
        tn_source_error(&model->reader->source, tn_toml_get(reference->in_place.table, "coordinate"),
                        "`coordinate` is given twice: here, and as `%s` of `%s`", coordinate,
                        tn_item_name(model, owner));
    else if (coordinate)
        local.coordinate = coordinate;
    return marker_in_place(model, item, kind, &local, reference->in_place.table);
}

void tn_connector_connect(tn_model *model, tn_template *origin, void *data)
{
    const uint32_t item = own_item(data);
    if (item == TN_NONE || origin->base.wrong || !model->use[origin->base.use].port_count) return;
    uint32_t *marker = tn_new(origin->reference_count, sizeof *marker);
    for (uint32_t k = 0; k < origin->reference_count; k++) {
        struct tn_reference *reference = &origin->reference[k];
        const tn_port *port = &model->use[origin->base.use].ports[reference->port];
        const uint32_t number = k - origin->base.port_first[reference->port];
        marker[k] = referred_marker(model, item, reference,
                                    port->points_from && number >= port->points_from ? TN_POINT : port->kind);
    }
    tn_item_connect(model, item, marker, origin->reference_count);
    tn_free(marker);
}

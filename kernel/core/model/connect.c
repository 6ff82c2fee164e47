/* connect.c - resolves names and binds markers to bodies */
#include "model/reading.h"

#include <string.h>

static uint32_t add_marker(tn_model *model, uint32_t body, uint32_t coordinate,
                           const tn_attachment *attachment)
{
    model->marker =
        tn_grow(model->marker, &model->marker_capacity, model->marker_count + 1, sizeof *model->marker);
    model->marker[model->marker_count] = (tn_marker){.body = body,
                                                     .kind = attachment->kind,
                                                     .coordinate = coordinate,
                                                     .alias_pose = attachment->alias_pose,
                                                     .alias_twist = attachment->alias_twist,
                                                     .first = attachment->first,
                                                     .columns = attachment->columns,
                                                     .data = attachment->data};
    return (uint32_t)model->marker_count++;
}

/* ---- coordinates of connectors --------------------------------------------------------------------------- */

/* "angle_1, angle_2", in the model's memory; offers each of them to a search unless that is NULL. */
static const char *list_coordinates(tn_model *model, const tn_output *coordinates, tn_nearest *search)
{
    tn_text list = {0};
    for (const tn_output *c = coordinates; c->name; c++) {
        if (search) tn_nearest_offer(search, c->name);
        tn_text_list(&list, c->name);
    }
    const char *kept = list.length ? tn_arena_text(&model->arena, list.letters, list.length) : "";
    tn_free(list.letters);
    return kept;
}

/* The number of the coordinate that is named, or of the only one; TN_NONE after reporting. The name stands in `table`,
 * which is no table where the connector alone is named. */
static uint32_t find_coordinate(tn_model *model, uint32_t item, const char *wanted, const tn_toml *table)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    const tn_output *coordinates = tn_coordinates_of(model, item);
    const char *name = tn_item_name(model, item);
    if (!wanted && coordinates->name && !coordinates[1].name) return 0;
    if (!wanted) {
        tn_source_error(&model->source, table,
                        "`%s` is a %s: `coordinate` tells which of its coordinates is needed (%s)", name,
                        type->name, list_coordinates(model, coordinates, NULL));
        return TN_NONE;
    }
    for (uint32_t k = 0; coordinates[k].name; k++)
        if (strcmp(coordinates[k].name, wanted) == 0) return k;
    tn_nearest search;
    tn_nearest_start(&search, wanted);
    const char *list = list_coordinates(model, coordinates, &search);
    const tn_toml *given = tn_toml_get(table, "coordinate");
    tn_source_error(&model->source, given ? given : table,
                    "`%s` is a %s: it has no coordinate `%s`%s%s%s (what it has: %s)", name, type->name,
                    wanted, search.best ? ": did you mean `" : "", search.best ? search.best : "",
                    search.best ? "`?" : "", list);
    return TN_NONE;
}

/* ---- markers on elements --------------------------------------------------------------------------------- */

static void report_no_carrier(tn_model *model, uint32_t item, uint32_t kind, const tn_toml *node)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    const char *name = tn_item_name(model, item), *word = tn_marker_word(kind);
    if (tn_coordinates_of(model, item))
        tn_source_error(&model->source, node, "`%s` is a %s: it cannot carry a %s, but has coordinates (%s)",
                        name, type->name, word,
                        list_coordinates(model, tn_coordinates_of(model, item), NULL));
    else
        tn_source_error(&model->source, node, "`%s` is a %s: it cannot carry a %s", name, type->name, word);
}

/* Asks a body to carry a marker; false when it cannot, reported unless node is NULL. */
static bool bind_attachment(tn_model *model, uint32_t body, tn_attachment *attachment, const tn_toml *table,
                            const tn_toml *node)
{
    const tn_use *use = &model->use[model->item[body].use];
    const tn_loaded_element *type = use->element;
    const char *name = tn_item_name(model, body);
    tn_status status = TN_UNSUPPORTED;
    const uint32_t asked = attachment->kind;
    const size_t before = tn_error_count(model->diagnostics);
    attachment->struct_size = sizeof *attachment;
    attachment->alias_pose = attachment->alias_twist = -1;
    if (type->bind) {
        attachment->data = type->attachment_size ? tn_arena_new(&model->arena, type->attachment_size) : NULL;
        tn_host_point(model, table, tn_has_place(asked) ? NULL : name);
        status = tn_call_for(name, type, bind, &model->host, tn_item_instance(model, body), attachment);
        tn_host_point(model, NULL, NULL);
    }
    /* it is the body that says how many coordinates a node has */
    if (status == TN_OK && asked == TN_NODE && (!tn_is_node(attachment->kind) || attachment->kind == TN_NODE))
        status = TN_UNSUPPORTED;
    if (status != TN_OK || asked != TN_NODE) attachment->kind = asked;
    if (status != TN_OK) {
        if (node && tn_error_count(model->diagnostics) == before)
            report_no_carrier(model, body, attachment->kind, node);
        return false;
    }
    return true;
}

/* What an element that carries a marker is: a body, or a connector that has coordinates. */
static bool has_coordinates(tn_model *model, uint32_t item, uint32_t kind)
{
    return kind == TN_COORDINATE && tn_coordinates_of(model, item);
}

/* Adds a runtime marker; TN_NONE when the element cannot carry it. One that moves is no alias of what stands still. */
static uint32_t bind_marker(tn_model *model, uint32_t item, tn_attachment *attachment, bool moves,
                            const tn_toml *table, const tn_toml *node)
{
    uint32_t coordinate = TN_NONE;
    attachment->alias_pose = attachment->alias_twist = -1;
    if (has_coordinates(model, item, attachment->kind)) {
        coordinate = find_coordinate(model, item, attachment->coordinate, table);
        if (coordinate == TN_NONE) return TN_NONE;
    } else if (!bind_attachment(model, item, attachment, table, node)) {
        return TN_NONE;
    }
    if (moves && model->use[model->item[item].use].element->pose)
        attachment->alias_pose = attachment->alias_twist = -1;
    return add_marker(model, item, coordinate, attachment);
}

static tn_attachment new_attachment(uint32_t kind)
{
    return (tn_attachment){.kind = kind, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static void report_place(tn_model *model, uint32_t item, const tn_toml *node)
{
    const void *type = model->use[model->item[item].use].marker;
    tn_source_error(&model->source, node, "`%s`: %s gives a place that is not finite",
                    tn_item_name(model, item),
                    tn_registry_culprit(model->registry, type, "local_pose").words);
}

static bool is_finite(const tn_attachment *attachment)
{
    double sum = 0.0;
    for (int k = 0; k < 9; k++)
        sum += 0.0 * attachment->rotation[k] + 0.0 * attachment->position[k % 3];
    return sum == 0.0;
}

/* A coordinate and a node have names, a point or frame has a place: false after reporting one that is given the other. */
static bool suits(tn_model *model, const tn_toml *node, uint32_t kind)
{
    static const char *const places[] = {"position", "rotation"};
    static const uint32_t named[] = {TN_COORDINATE, TN_NODE};
    bool good = true;
    for (size_t k = 0; k < 2; k++) {
        const tn_toml *name = tn_toml_get(node, tn_marker_word(named[k]));
        if (!name || kind == named[k]) continue;
        tn_source_error(&model->source, name, "a %s is given: a %s is needed", tn_marker_word(named[k]),
                        tn_marker_word(kind));
        good = false;
    }
    for (size_t k = 0; (kind == TN_COORDINATE || kind == TN_NODE) && k < 2; k++) {
        const tn_toml *place = tn_toml_get(node, places[k]);
        if (!place) continue;
        tn_source_error(&model->source, place, "a %s is needed: it has no %s", tn_marker_word(kind),
                        places[k]);
        good = false;
    }
    return good;
}

/* The marker, a node, where it has as many coordinates as the kind says; TN_NONE after reporting. */
static uint32_t of_size(tn_model *model, uint32_t marker, uint32_t kind, const char *name,
                        const tn_toml *node)
{
    if (marker == TN_NONE || model->marker[marker].kind == kind || kind == TN_NODE) return marker;
    const uint32_t size = tn_pose_size(model->marker[marker].kind);
    if (node)
        tn_source_error(&model->source, node, "the node of `%s` has %u coordinate%s: one of %u is needed",
                        name, size, size == 1 ? "" : "s", tn_pose_size(kind));
    return TN_NONE;
}

uint32_t tn_marker_in_place(tn_model *model, uint32_t item, uint32_t kind, const tn_in_place *local,
                            const tn_toml *node)
{
    if (model->item[item].index == TN_NONE) return TN_NONE; /* reported already */
    if (!model->use[model->item[item].use].element) {
        tn_source_error(&model->source, node, "`%s` is a marker: an element is expected",
                        tn_item_name(model, item));
        return TN_NONE;
    }
    if (!suits(model, node, tn_marker_slot(kind))) return TN_NONE;
    if (tn_is_node(kind)) {
        tn_attachment attachment = new_attachment(TN_NODE);
        attachment.node = local->node;
        return of_size(model, bind_marker(model, item, &attachment, false, node, node), kind,
                       tn_item_name(model, item), node);
    }
    for (uint32_t k = kind == TN_ANY ? TN_FRAME : kind;; k = TN_POINT) {
        tn_attachment attachment = new_attachment(k);
        memcpy(attachment.position, local->position, sizeof attachment.position);
        memcpy(attachment.rotation, local->rotation, sizeof attachment.rotation);
        attachment.coordinate = local->coordinate;
        const bool last = kind != TN_ANY || k == TN_POINT;
        const uint32_t marker = bind_marker(model, item, &attachment, false, node, last ? node : NULL);
        if (marker != TN_NONE || last) return marker;
    }
}

/* `kind` is none that leaves a choice. */
static uint32_t marker_of(tn_model *model, uint32_t item, uint32_t kind, const tn_toml *node)
{
    uint32_t *known = &model->item[item].marker[kind];
    if (*known != TN_NONE || model->item[item].index == TN_NONE)
        return *known; /* wrong items are reported already */

    const tn_use *use = &model->use[model->item[item].use];
    const tn_toml *table = model->item[item].origin->table;
    tn_attachment attachment = new_attachment(kind);
    /* by its name alone: what its body has to say about that belongs where the name stands */
    if (use->element) return *known = bind_marker(model, item, &attachment, false, node ? node : table, node);

    model->item[item].wanted = true;
    /* a declared marker rides on its element, or is made of others; a frame serves as a point, too */
    const bool derived = tn_is_derived(model, item);
    const uint32_t host = model->item[item].host;
    if (host == TN_NONE && !derived) return TN_NONE; /* reported already */
    if (use->marker->kind != kind && !(use->marker->kind == TN_FRAME && kind == TN_POINT)) {
        if (node)
            tn_source_error(&model->source, node, "marker `%s` is a %s: a %s is needed",
                            tn_item_name(model, item), tn_marker_word(use->marker->kind),
                            tn_marker_word(kind));
        return TN_NONE;
    }
    if (derived) {
        attachment.alias_pose = attachment.alias_twist = -1;
        return *known = add_marker(model, item, TN_NONE, &attachment);
    }
    const tn_status status = tn_call_for(tn_item_name(model, item), use->marker, local_pose,
                                         tn_item_instance(model, item), &attachment);
    if (status != TN_OK || !is_finite(&attachment)) {
        if (node && status != TN_OK)
            tn_host_blame(model, node, tn_item_name(model, item), use->marker, "local_pose", status);
        else if (node)
            report_place(model, item, node);
        return TN_NONE;
    }
    return *known = bind_marker(model, host, &attachment, model->item[item].moves, table, node);
}

uint32_t tn_marker_of(tn_model *model, uint32_t item, uint32_t kind, const tn_toml *node)
{
    if (kind == TN_ANY) {
        const uint32_t frame = marker_of(model, item, TN_FRAME, NULL);
        return frame != TN_NONE ? frame : marker_of(model, item, TN_POINT, node);
    }
    const uint32_t marker = marker_of(model, item, tn_marker_slot(kind), node);
    return tn_is_node(kind) ? of_size(model, marker, kind, tn_item_name(model, item), node) : marker;
}

/* A marker that moves on a large body keeps the coordinates that it depends on, by which it is coupled with others. */
static bool stays_on_coordinates(tn_model *model, uint32_t item, uint32_t kind, const tn_attachment *to,
                                 const tn_toml *table)
{
    const uint32_t number = model->item[item].marker[tn_marker_slot(kind)];
    const tn_marker *marker = number == TN_NONE ? NULL : &model->marker[number];
    if (!marker || (marker->first == to->first && marker->columns == to->columns && marker->kind == to->kind))
        return true;
    tn_source_error(&model->source, table,
                    "`%s` would depend on other coordinates of `%s` there than it does where it is made",
                    tn_item_name(model, item), tn_item_name(model, marker->body));
    return false;
}

const void *tn_marker_rebind(tn_model *model, uint32_t item, uint32_t kind, const void *instance,
                             const tn_toml *table)
{
    const tn_use *use = &model->use[model->item[item].use];
    tn_attachment attachment = new_attachment(kind);
    const uint32_t host = model->item[item].host;
    if (tn_call_for(tn_item_name(model, item), use->marker, local_pose, instance, &attachment) != TN_OK)
        return NULL;
    if (!is_finite(&attachment)) {
        report_place(model, item, table);
        return NULL;
    }
    if (has_coordinates(model, host, kind))
        (void)find_coordinate(model, host, attachment.coordinate, table);
    else if (bind_attachment(model, host, &attachment, table, table) &&
             stays_on_coordinates(model, item, kind, &attachment, table))
        return attachment.data;
    return NULL;
}

void tn_markers_check(tn_model *model)
{
    for (uint32_t k = 0; k < model->names.count; k++) {
        const tn_item *item = &model->item[k];
        if (item->index == TN_NONE || item->host == TN_NONE || item->wanted) continue;
        const uint32_t kind = model->use[item->use].marker->kind;
        (void)tn_marker_rebind(model, k, kind, tn_item_instance(model, k), item->origin->table);
    }
}

/* The item that the current copy has become. */
static uint32_t own_item(tn_made *made) { return made->item[made->next++]; }

static uint32_t referred_item(tn_model *model, tn_pattern *pattern)
{
    const char *name = tn_pattern_expand(&model->source, pattern);
    return name ? tn_item_find(model, name, pattern->node) : TN_NONE;
}

void tn_marker_connect(tn_model *model, tn_template *origin, void *data)
{
    const uint32_t item = own_item(data);
    if (item == TN_NONE || origin->wrong || tn_is_derived(model, item)) return;
    tn_pattern *name = &origin->reference->name;
    const uint32_t host = referred_item(model, name);
    if (host == TN_NONE || model->item[host].index == TN_NONE) return;
    const tn_loaded_element *type = model->use[model->item[host].use].element;
    const uint32_t kind = model->use[model->item[item].use].marker->kind;
    if (!type)
        tn_source_error(&model->source, name->node, "`%s` is a marker: an element is expected",
                        tn_item_name(model, host));
    else if (!type->bind && !type->coordinates && !type->instance_coordinates)
        tn_source_error(&model->source, name->node, "`%s` is a %s: it carries no markers",
                        tn_item_name(model, host), type->name);
    else if (!type->bind && kind != TN_COORDINATE)
        report_no_carrier(model, host, kind, name->node);
    else
        model->item[item].host = host;
}

/* The text that an element gives as `coordinate`, for its ports that take coordinates; or NULL. */
static const char *named_coordinate(const tn_model *model, uint32_t item)
{
    const tn_use *use = &model->use[model->item[item].use];
    const tn_parameter *parameter = use->element ? use->element->parameters : NULL;
    for (; parameter && parameter->name; parameter++)
        if (parameter->kind == TN_KIND_TEXT && strcmp(parameter->name, "coordinate") == 0)
            return *(const char *const *)(const void *)((const char *)tn_item_instance(model, item) +
                                                        parameter->offset);
    return NULL;
}

/* The runtime marker that one reference of the current copy means. */
static uint32_t referred_marker(tn_model *model, uint32_t owner, struct tn_reference *reference,
                                const tn_port *port)
{
    const uint32_t item = referred_item(model, &reference->name);
    if (item == TN_NONE) return TN_NONE;
    const char *coordinate = port->kind == TN_COORDINATE ? named_coordinate(model, owner) : NULL;
    if (!reference->in_place.table && coordinate)
        return tn_marker_in_place(model, item, TN_COORDINATE, &(tn_in_place){.coordinate = coordinate},
                                  model->item[owner].origin->table);
    if (!reference->in_place.table) return tn_marker_of(model, item, port->kind, reference->name.node);
    tn_in_place local;
    tn_filler_apply(&model->source, &reference->in_place, &local);
    if (coordinate && local.coordinate)
        tn_source_error(&model->source, tn_toml_get(reference->in_place.table, "coordinate"),
                        "`coordinate` is given twice: here, and as `%s` of `%s`", coordinate,
                        tn_item_name(model, owner));
    else if (coordinate)
        local.coordinate = coordinate;
    return tn_marker_in_place(model, item, port->kind, &local, reference->in_place.table);
}

const uint32_t *tn_markers_at(const tn_model *model, uint32_t item, uint32_t *count)
{
    const tn_use *use = &model->use[model->item[item].use];
    const uint32_t *start = use->marker_start + model->item[item].index;
    *count = start[1] - start[0];
    return *count ? use->marker_index + start[0] : NULL;
}

void tn_add_markers(tn_use *use, size_t index, const uint32_t *marker, uint32_t count)
{
    use->marker_index = tn_grow(use->marker_index, &use->marker_capacity, use->marker_count + count,
                                sizeof *use->marker_index);
    if (count) memcpy(use->marker_index + use->marker_count, marker, count * sizeof *marker);
    use->marker_count += count;
    use->marker_start =
        tn_grow(use->marker_start, &use->start_capacity, index + 2, sizeof *use->marker_start);
    if (!index) use->marker_start[0] = 0;
    use->marker_start[index + 1] = (uint32_t)use->marker_count;
}

void tn_connector_connect(tn_model *model, tn_template *origin, void *data)
{
    const uint32_t item = own_item(data);
    if (item == TN_NONE || origin->wrong || !model->use[origin->use].port_count) return;
    uint32_t *marker = tn_new(origin->reference_count, sizeof *marker);
    for (uint32_t k = 0; k < origin->reference_count; k++) {
        struct tn_reference *reference = &origin->reference[k];
        marker[k] = referred_marker(model, item, reference, &model->use[origin->use].ports[reference->port]);
    }
    /* only now: looking names up may have added a type in use, and moved the array */
    tn_add_markers(&model->use[origin->use], model->item[item].index, marker, origin->reference_count);
    tn_free(marker);
}

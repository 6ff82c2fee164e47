/* markers.c - markers bound to the bodies that carry them */
#include "model/builder.h"

#include <string.h>

static uint32_t add_marker(tn_model *model, uint32_t body, uint32_t coordinate,
                           const tn_attachment *attachment)
{
    TN_APPEND(model->marker, model->marker_count,
              (tn_marker){.body = body,
                          .kind = attachment->kind,
                          .coordinate = coordinate,
                          .alias_pose = attachment->alias_pose,
                          .alias_twist = attachment->alias_twist,
                          .first = attachment->first,
                          .columns = attachment->columns,
                          .data_size = attachment->data_used,
                          .data = attachment->data});
    return (uint32_t)model->marker_count - 1;
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

/* The number of the coordinate that is named, or of the only one; TN_NONE after reporting. The name stands under
 * `coordinate` of what stands at the place. */
static uint32_t find_coordinate(tn_model *model, uint32_t item, const char *wanted, const tn_location *at)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    const tn_output *coordinates = tn_coordinates_of(model, item);
    const char *name = tn_item_name(model, item);
    if (!wanted && coordinates->name && !coordinates[1].name) return 0;
    if (!wanted) {
        tn_model_error(model, at->place, "`%s` is a %s: `coordinate` must name one of its coordinates (%s)",
                       name, type->name, list_coordinates(model, coordinates, NULL));
        return TN_NONE;
    }
    for (uint32_t k = 0; coordinates[k].name; k++)
        if (strcmp(coordinates[k].name, wanted) == 0) return k;
    tn_nearest search;
    tn_nearest_start(&search, wanted);
    const char *list = list_coordinates(model, coordinates, &search);
    tn_model_error(model, tn_model_key_place(model, at, "coordinate"),
                   "`%s` is a %s: it has no coordinate `%s`%s%s%s (available: %s)", name, type->name, wanted,
                   search.best ? ": did you mean `" : "", search.best ? search.best : "",
                   search.best ? "`?" : "", list);
    return TN_NONE;
}

/* ---- markers on elements --------------------------------------------------------------------------------- */

void tn_marker_report_no_carrier(tn_model *model, uint32_t item, uint32_t kind, const tn_location *at)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    const char *name = tn_item_name(model, item), *word = tn_marker_word(kind);
    if (tn_coordinates_of(model, item))
        tn_model_error(model, at->place, "`%s` is a %s: it cannot carry a %s, but has coordinates (%s)", name,
                       type->name, word, list_coordinates(model, tn_coordinates_of(model, item), NULL));
    else
        tn_model_error(model, at->place, "`%s` is a %s: it cannot carry a %s", name, type->name, word);
}

/* Asks a body to carry a marker; false when it cannot, reported unless `at` is NULL. */
static bool bind_attachment(tn_model *model, uint32_t body, tn_attachment *attachment, tn_arena *arena,
                            const tn_location *declared, const tn_location *at)
{
    const tn_use *use = &model->use[model->item[body].use];
    const tn_loaded_element *type = use->element;
    const char *name = tn_item_name(model, body);
    tn_status status = TN_UNSUPPORTED;
    const uint32_t asked = attachment->kind;
    const size_t before = tn_model_errors(model);
    attachment->struct_size = sizeof *attachment;
    attachment->alias_pose = attachment->alias_twist = -1;
    if (type->bind) {
        attachment->data = type->attachment_size ? tn_arena_new(arena, type->attachment_size) : NULL;
        tn_host_point(model, declared, tn_has_place(asked) ? NULL : name);
        status = tn_call_for(name, type, bind, &model->host, tn_item_instance(model, body), attachment);
        tn_host_point(model, NULL, NULL);
    }
    /* it is the body that says how many coordinates a node has */
    if (status == TN_OK && asked == TN_NODE && (!tn_is_node(attachment->kind) || attachment->kind == TN_NODE))
        status = TN_UNSUPPORTED;
    if (status != TN_OK || asked != TN_NODE) attachment->kind = asked;
    if (status != TN_OK) {
        if (at && tn_model_errors(model) == before)
            tn_marker_report_no_carrier(model, body, attachment->kind, at);
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
                            const tn_location *declared, const tn_location *at)
{
    uint32_t coordinate = TN_NONE;
    if (has_coordinates(model, item, attachment->kind)) {
        coordinate = find_coordinate(model, item, attachment->coordinate, declared);
        if (coordinate == TN_NONE) return TN_NONE;
    } else if (!bind_attachment(model, item, attachment, &model->places, declared, at)) {
        return TN_NONE;
    }
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    if (moves && type->pose) attachment->alias_pose = attachment->alias_twist = -1;
    if (moves || !attachment->data_used || attachment->data_used > type->attachment_size)
        attachment->data_used = (uint32_t)type->attachment_size;
    return add_marker(model, item, coordinate, attachment);
}

static tn_attachment new_attachment(uint32_t kind)
{
    return (tn_attachment){
        .kind = kind, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .alias_pose = -1, .alias_twist = -1};
}

static void report_place(tn_model *model, uint32_t item, const tn_location *at)
{
    const void *type = model->use[model->item[item].use].marker;
    tn_model_error(model, at->place, "`%s`: %s gives a place that is not finite", tn_item_name(model, item),
                   tn_registry_culprit(model->registry, type, "local_pose").words);
}

static bool has_finite_place(const tn_attachment *attachment)
{
    double sum = 0.0;
    for (int k = 0; k < 9; k++)
        sum += 0.0 * attachment->rotation[k] + 0.0 * attachment->position[k % 3];
    return sum == 0.0;
}

/* The marker, a node, where it has as many coordinates as the kind says; TN_NONE after reporting. */
static uint32_t check_node_size(tn_model *model, uint32_t marker, uint32_t kind, const char *name,
                                const tn_location *at)
{
    if (marker == TN_NONE || model->marker[marker].kind == kind || kind == TN_NODE) return marker;
    const uint32_t size = tn_pose_size(model->marker[marker].kind);
    if (at)
        tn_model_error(model, at->place, "the node of `%s` has %u coordinate%s: one of %u is needed", name,
                       size, size == 1 ? "" : "s", tn_pose_size(kind));
    return TN_NONE;
}

uint32_t tn_marker_in_place(tn_model *model, uint32_t item, uint32_t kind, const tn_in_place *local,
                            const tn_location *at)
{
    if (model->item[item].index == TN_NONE) return TN_NONE; /* reported already */
    if (!model->use[model->item[item].use].element) {
        tn_model_error(model, at->place, "`%s` is a marker: an element is expected",
                       tn_item_name(model, item));
        return TN_NONE;
    }
    if (tn_is_node(kind)) {
        tn_attachment attachment = new_attachment(TN_NODE);
        attachment.node = local->node;
        return check_node_size(model, bind_marker(model, item, &attachment, false, at, at), kind,
                               tn_item_name(model, item), at);
    }
    for (uint32_t k = kind == TN_ANY ? TN_FRAME : kind;; k = TN_POINT) {
        tn_attachment attachment = new_attachment(k);
        memcpy(attachment.position, local->position, sizeof attachment.position);
        memcpy(attachment.rotation, local->rotation, sizeof attachment.rotation);
        attachment.coordinate = local->coordinate;
        const bool last = kind != TN_ANY || k == TN_POINT;
        const uint32_t marker = bind_marker(model, item, &attachment, false, at, last ? at : NULL);
        if (marker != TN_NONE || last) return marker;
    }
}

/* `kind` leaves no choice. */
static uint32_t find_or_bind(tn_model *model, uint32_t item, uint32_t kind, const tn_location *at)
{
    uint32_t *known = &model->item[item].marker[kind];
    /* wrong items are reported already */
    if (*known != TN_NONE || model->item[item].index == TN_NONE) return *known;

    const tn_use *use = &model->use[model->item[item].use];
    const tn_location *declared = model->item[item].origin->at;
    tn_attachment attachment = new_attachment(kind);
    /* by its name alone: what its body has to say about that belongs where the name stands */
    if (use->element) return *known = bind_marker(model, item, &attachment, false, at ? at : declared, at);

    model->item[item].wanted = true;
    /* a declared marker rides on its element, or is made of others; a frame serves as a point, too */
    const bool derived = tn_is_derived(model, item);
    const uint32_t host = model->item[item].host;
    if (host == TN_NONE && !derived) return TN_NONE; /* reported already */
    if (use->marker->kind != kind && !(use->marker->kind == TN_FRAME && kind == TN_POINT)) {
        if (at)
            tn_model_error(model, at->place, "marker `%s` is a %s: a %s is needed", tn_item_name(model, item),
                           tn_marker_word(use->marker->kind), tn_marker_word(kind));
        return TN_NONE;
    }
    if (derived) return *known = add_marker(model, item, TN_NONE, &attachment);
    const tn_status status = tn_call_for(tn_item_name(model, item), use->marker, local_pose,
                                         tn_item_instance(model, item), &attachment);
    if (status != TN_OK || !has_finite_place(&attachment)) {
        if (at && status != TN_OK)
            tn_host_blame(model, at, tn_item_name(model, item), use->marker, "local_pose", status);
        else if (at)
            report_place(model, item, at);
        return TN_NONE;
    }
    return *known = bind_marker(model, host, &attachment, model->item[item].moves, declared, at);
}

uint32_t tn_marker_of(tn_model *model, uint32_t item, uint32_t kind, const tn_location *at)
{
    if (kind == TN_ANY) {
        const uint32_t frame = find_or_bind(model, item, TN_FRAME, NULL);
        return frame != TN_NONE ? frame : find_or_bind(model, item, TN_POINT, at);
    }
    const uint32_t marker = find_or_bind(model, item, tn_marker_slot(kind), at);
    return tn_is_node(kind) ? check_node_size(model, marker, kind, tn_item_name(model, item), at) : marker;
}

/* A marker that moves on a large body keeps the coordinates that it depends on, by which it is coupled with others. */
static bool stays_on_coordinates(tn_model *model, uint32_t item, uint32_t kind, const tn_attachment *to,
                                 const tn_location *at)
{
    const uint32_t number = model->item[item].marker[tn_marker_slot(kind)];
    const tn_marker *marker = number == TN_NONE ? NULL : &model->marker[number];
    if (!marker || (marker->first == to->first && marker->columns == to->columns && marker->kind == to->kind))
        return true;
    return tn_model_error(model, at->place, "moved there, `%s` would depend on other coordinates of `%s`",
                          tn_item_name(model, item), tn_item_name(model, marker->body));
}

const void *tn_marker_rebind(tn_model *model, uint32_t item, uint32_t kind, const void *instance,
                             const tn_location *at)
{
    const tn_use *use = &model->use[model->item[item].use];
    tn_attachment attachment = new_attachment(kind);
    const uint32_t host = model->item[item].host;
    if (tn_call_for(tn_item_name(model, item), use->marker, local_pose, instance, &attachment) != TN_OK)
        return NULL;
    if (!has_finite_place(&attachment)) {
        report_place(model, item, at);
        return NULL;
    }
    if (has_coordinates(model, host, kind))
        (void)find_coordinate(model, host, attachment.coordinate, at);
    else if (bind_attachment(model, host, &attachment, &model->arena, at, at) &&
             stays_on_coordinates(model, item, kind, &attachment, at))
        return attachment.data;
    return NULL;
}

void tn_markers_check(tn_model *model)
{
    for (uint32_t k = 0; k < model->names.count; k++) {
        const tn_item *item = &model->item[k];
        if (item->index == TN_NONE || item->host == TN_NONE || item->wanted) continue;
        const uint32_t kind = model->use[item->use].marker->kind;
        (void)tn_marker_rebind(model, k, kind, tn_item_instance(model, k), item->origin->at);
    }
}

const uint32_t *tn_markers_at(const tn_model *model, uint32_t item, uint32_t *count)
{
    const tn_use *use = &model->use[model->item[item].use];
    const uint32_t *start = use->marker_start + model->item[item].index;
    *count = start[1] - start[0];
    return *count ? use->marker_index + start[0] : NULL;
}

void tn_item_connect(tn_model *model, uint32_t item, const uint32_t *marker, uint32_t count)
{
    tn_use *use = &model->use[model->item[item].use];
    const size_t index = model->item[item].index;
    use->marker_index = tn_grow(use->marker_index, &use->marker_capacity, use->marker_count + count,
                                sizeof *use->marker_index);
    if (count) memcpy(use->marker_index + use->marker_count, marker, count * sizeof *marker);
    use->marker_count += count;
    use->marker_start =
        tn_grow(use->marker_start, &use->start_capacity, index + 2, sizeof *use->marker_start);
    if (!index) use->marker_start[0] = 0;
    use->marker_start[index + 1] = (uint32_t)use->marker_count;
}

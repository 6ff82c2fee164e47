/* coordinate_calls.c - COORD(item, coordinate) and RATE(item, coordinate): value and rate of whatever a port that takes
 * coordinates does; `coordinate` is left out where the item has only one, or is a marker */
#include "values/graph.h"

#include <string.h>

static const char value_function[] = "coord", rate_function[] = "rate";

bool tn_is_function_of_coordinates(const char *name)
{
    return strcmp(name, value_function) == 0 || strcmp(name, rate_function) == 0;
}

void tn_offer_functions_of_coordinates(tn_nearest *search)
{
    tn_nearest_offer(search, value_function);
    tn_nearest_offer(search, rate_function);
}

/* ---- markers --------------------------------------------------------------------------------------------- */

/* Place of the marker that all calls share which name this coordinate of an item; it holds TN_NONE when it is new. */
static uint32_t *shared_marker(tn_model *model, uint32_t item, const char *coordinate)
{
    const size_t size = strlen(coordinate) + sizeof "4294967295 ";
    char *name = tn_arena_new(&model->arena, size);
    (void)snprintf(name, size, "%u %s", item, coordinate);
    uint32_t number = tn_names_find(&model->values->coordinate_names, name);
    if (number == TN_NO_NAME) {
        number = tn_names_add(&model->values->coordinate_names, name);
        model->values->coordinate_marker =
            tn_grow(model->values->coordinate_marker, &model->values->coordinate_capacity, (size_t)number + 1,
                    sizeof *model->values->coordinate_marker);
        model->values->coordinate_marker[number] = TN_NONE;
    }
    return &model->values->coordinate_marker[number];
}

/* An argument in place of the whole expression, for errors. */
static tn_toml node_of(const tn_model *model, const tn_toml *node, const tn_item_argument *argument)
{
    tn_toml here = *node;
    here.place = tn_toml_place_in_text(model->reader->document, node, argument->offset);
    return here;
}

static uint32_t only_coordinate(tn_model *model, const tn_toml *node, const tn_item_call *call, uint32_t item)
{
    const uint32_t known = model->item[item].marker[TN_COORDINATE];
    if (known != TN_NONE) return known;
    const tn_toml here = node_of(model, node, &call->item[0]);
    return tn_marker_of(model, item, TN_COORDINATE, &here.at);
}

static uint32_t named_coordinate(tn_model *model, const tn_toml *node, const tn_item_call *call,
                                 uint32_t item)
{
    const bool is_element = model->use[model->item[item].use].element;
    const tn_in_place local = {.coordinate = call->item[1].text};
    uint32_t *marker = shared_marker(model, item, local.coordinate);
    if (*marker != TN_NONE) return *marker;
    const tn_toml here = node_of(model, node, &call->item[is_element ? 1 : 0]);
    return *marker = tn_marker_in_place(model, item, TN_COORDINATE, &local, &here.at);
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

/* True for a marker of which only the rate means something. */
static bool has_no_value(const tn_model *model, uint32_t item)
{
    const tn_loaded_marker *type = model->use[model->item[item].use].marker;
    return type && type->flags & TN_QUASI_COORDINATE;
}

bool tn_coordinate_connect(tn_model *model, const tn_toml *node, const tn_item_call *call,
                           tn_observed *observed)
{
    const bool value = strcmp(call->function, value_function) == 0;
    if (call->count < 1 || call->count > 2) {
        tn_source_error_inside(&model->reader->source, node, call->offset,
                               "`%s` takes 1 to 2 arguments (item, coordinate), not %u", call->function,
                               call->count);
        return false;
    }
    const uint32_t item = tn_item_of_argument(model, &call->item[0], TN_PLACES, node);
    if (item == TN_NONE || model->item[item].index == TN_NONE) return false; /* reported already */
    if (value && has_no_value(model, item)) {
        tn_source_error_inside(&model->reader->source, node, call->item[0].offset,
                               "`%s` is a velocity and has no value: `rate(%s)` is its velocity",
                               call->item[0].text, call->item[0].text);
        return false;
    }
    *observed = (tn_observed){.kind = value ? TN_OBSERVED_COORDINATE : TN_OBSERVED_RATE,
                              .index = call->count == 1 ? only_coordinate(model, node, call, item)
                                                        : named_coordinate(model, node, call, item)};
    return observed->index != TN_NONE;
}

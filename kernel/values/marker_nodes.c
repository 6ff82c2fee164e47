/* marker_nodes.c - values and rates of coordinates: functions of markers, COORD and RATE
 *
 * A function of markers such as DX(tip, base) is a marker type of kind TN_COORDINATE that is made of other markers: a call
 * makes one, the same for all calls that name the same items, and reads its value or, of a quasi-coordinate, its rate.
 * COORD(item, coordinate) and RATE(item, coordinate) are value and rate of whatever a port that takes coordinates does;
 * `coordinate` is left out where the item has only one, or is a marker. */
#include "values/derivatives.h"
#include "values/value_units.h"

#include <string.h>

const char *tn_coordinate_unit(const tn_model *model, uint32_t marker)
{
    const tn_marker *made = &model->marker[marker];
    const tn_use *use = &model->use[model->item[made->body].use];
    if (use->marker) return use->marker->unit;
    const tn_output *own = tn_known_list(model, made->body, 1); /* asked for when the marker was made */
    if (made->coordinate != TN_NONE) return (own ? own : use->element->coordinates)[made->coordinate].unit;
    if (made->alias_twist >= 0 && (use->element->velocity_units || use->element->velocity_unit))
        return tn_velocity_unit(use->element, tn_item_instance(model, made->body),
                                (uint32_t)made->alias_twist);
    return use->element->rigid_motion ? "m" : NULL; /* a body in space has those of positions */
}

static const char value_function[] = "coord", rate_function[] = "rate";

/* ---- names ----------------------------------------------------------------------------------------------- */

/* A call gives every port one marker or none, and no parameter. */
static bool can_be_called(const tn_loaded_marker *type)
{
    uint32_t ports = 0;
    for (; type->ports && type->ports[ports].name; ports++)
        if (ports == TN_MOST_ITEMS || type->ports[ports].minimum > 1) return false;
    for (const tn_parameter *p = type->parameters; p && p->name; p++)
        if (p->flags & TN_REQUIRED) return false;
    return (type->kind == TN_COORDINATE || type->flags & TN_ACCELERATION) && ports > 0;
}

/* The marker type that is a function of markers; NULL: there is none of that name. */
static const tn_loaded_marker *function_of_markers(tn_model *model, const char *name)
{
    const tn_loaded_marker *type = tn_registry_find(model->registry, TN_MARKER_KIND, name, NULL, 0);
    return type && can_be_called(type) ? type : NULL;
}

static bool is_function_of_coordinates(const char *name)
{
    return strcmp(name, value_function) == 0 || strcmp(name, rate_function) == 0;
}

static bool is_function(tn_model *model, const char *name)
{
    return is_function_of_coordinates(name) || function_of_markers(model, name);
}

static void offer(tn_model *model, tn_nearest *search)
{
    tn_nearest_offer(search, value_function);
    tn_nearest_offer(search, rate_function);
    tn_registry_offer(model->registry, TN_MARKER_KIND, search);
}

/* ---- functions of markers -------------------------------------------------------------------------------- */

/* 0 stands for the global frame, or for what an optional argument is when it is left out. */
static bool is_left_out(const tn_item_argument *argument, const tn_port *port)
{
    return port->minimum == 0 && strcmp(argument->text, "0") == 0;
}

/* Whether a call has as many markers as its function has places for. */
static bool check_marker_count(tn_model *model, const tn_toml *node, const tn_item_call *call,
                               const tn_port *ports, uint32_t most)
{
    uint32_t least = 0;
    for (uint32_t k = 0; k < most; k++)
        if (ports[k].minimum > 0) least = k + 1;
    if (call->count >= least && call->count <= most) return true;
    tn_text places = {0};
    for (uint32_t k = 0; k < most; k++)
        tn_text_list(&places, ports[k].name);
    return tn_call_check_count(model, node, call, least, most, places.letters);
}

/* What a call is about: at every port an item, or nothing. No other call and no item of the model has that name. */
static const char *name_of_call(tn_model *model, const tn_loaded_marker *type, const uint32_t *item,
                                uint32_t ports)
{
    tn_text name = {0};
    tn_text_add(&name, "%s(", type->name);
    for (uint32_t k = 0; k < ports; k++)
        tn_text_add(&name, "%s%s", k ? ", " : "", item[k] == TN_NONE ? "0" : tn_item_name(model, item[k]));
    tn_text_add(&name, ")");
    return name.letters;
}

/* The number of ports that both have, from the first one on. */
static uint32_t count_common_ports(const tn_loaded_marker *type, const tn_loaded_marker *other)
{
    uint32_t k = 0;
    while (type->ports[k].name && other->ports[k].name && type->ports[k].kind == other->ports[k].kind)
        k++;
    return k;
}

/* What a quasi-coordinate is the rate of, where that is loaded; else the type itself. *ports become those that count. */
static const tn_loaded_marker *type_to_read(tn_model *model, const tn_loaded_marker *type, uint32_t *ports)
{
    const tn_loaded_marker *other = type->rate_of ? function_of_markers(model, type->rate_of) : NULL;
    const uint32_t common = other ? count_common_ports(type, other) : 0;
    if (!other || other->ports[common].name || other->kind != type->kind) return type;
    *ports = common;
    return other;
}

static bool connect_function(tn_model *model, const tn_toml *node, const tn_item_call *call,
                             tn_value_node *made)
{
    const tn_loaded_marker *type = function_of_markers(model, call->function);
    uint32_t item[TN_MOST_ITEMS], count[TN_MOST_ITEMS] = {0}, marker[TN_MOST_ITEMS], markers = 0, ports = 0;
    for (; ports < TN_MOST_ITEMS && type->ports[ports].name; ports++)
        item[ports] = TN_NONE;
    if (!check_marker_count(model, node, call, type->ports, ports)) return false;
    uint32_t read = ports;
    const tn_loaded_marker *from = type_to_read(model, type, &read);
    for (uint32_t k = 0; k < call->count; k++) {
        if (is_left_out(&call->item[k], &type->ports[k])) continue;
        const tn_argument_place p = tn_argument_connect(model, node, &call->item[k], type->ports[k].kind);
        if (p.marker == TN_NONE) return false;
        item[k] = p.item;
        if (k >= read) continue;
        marker[markers++] = p.marker;
        count[k] = 1;
    }
    const uint32_t own =
        tn_item_make_marker(model, from, name_of_call(model, from, item, read), &node->at, count, marker);
    made->kind = type->flags & TN_ACCELERATION       ? &tn_acceleration_node
                 : type->flags & TN_QUASI_COORDINATE ? &tn_rate_node
                                                     : &tn_coordinate_node;
    made->index = tn_marker_of(model, own, type->kind, NULL);
    return made->index != TN_NONE;
}

/* ---- COORD and RATE -------------------------------------------------------------------------------------- */

/* Place of the marker that all calls share which name this coordinate of an item; it holds TN_NONE when it is new. */
static uint32_t *shared_marker(tn_model *model, uint32_t item, const char *coordinate)
{
    tn_value_graph *graph = model->values;
    const char *name = tn_arena_print(&model->arena, "%u %s", item, coordinate);
    uint32_t number = tn_names_find(&graph->coordinate_names, name);
    if (number == TN_NO_NAME) {
        number = tn_names_add(&graph->coordinate_names, name);
        TN_APPEND(graph->coordinate_marker, graph->coordinate_count, TN_NONE);
    }
    return &graph->coordinate_marker[number];
}

static uint32_t find_coordinate(tn_model *model, const tn_toml *node, const tn_item_call *call, uint32_t item)
{
    const bool named = call->count > 1, is_element = model->use[model->item[item].use].element;
    const tn_in_place local = {.coordinate = named ? call->item[1].text : NULL};
    uint32_t *marker =
        named ? shared_marker(model, item, local.coordinate) : &model->item[item].marker[TN_COORDINATE];
    if (*marker != TN_NONE) return *marker;
    const tn_toml here = tn_argument_node(model, node, &call->item[named && is_element ? 1 : 0]);
    if (!named) return tn_marker_of(model, item, TN_COORDINATE, &here.at);
    return *marker = tn_marker_in_place(model, item, TN_COORDINATE, &local, &here.at);
}

/* True for a marker of which only the rate means something. */
static bool has_no_value(const tn_model *model, uint32_t item)
{
    const tn_loaded_marker *type = model->use[model->item[item].use].marker;
    return type && type->flags & TN_QUASI_COORDINATE;
}

static bool connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_value_node *made)
{
    if (!is_function_of_coordinates(call->function)) return connect_function(model, node, call, made);
    const bool value = strcmp(call->function, value_function) == 0;
    if (!tn_call_check_count(model, node, call, 1, 2, "item, coordinate")) return false;
    const uint32_t item = tn_item_of_argument(model, &call->item[0], TN_PLACES, node);
    if (item == TN_NONE || model->item[item].index == TN_NONE) return false; /* reported already */
    if (value && has_no_value(model, item)) {
        tn_source_error_inside(&model->reader->source, node, call->item[0].offset,
                               "`%s` is a velocity and has no value: `rate(%s)` is its velocity",
                               call->item[0].text, call->item[0].text);
        return false;
    }
    made->kind = value ? &tn_coordinate_node : &tn_rate_node;
    made->index = find_coordinate(model, node, call, item);
    return made->index != TN_NONE;
}

/* ---- units ----------------------------------------------------------------------------------------------- */

tn_unit tn_unit_of_marker(tn_unit_search *search, const tn_value_node *node)
{
    const char *text = tn_coordinate_unit(search->model, node->index);
    return text ? tn_unit_of_text(text) : (tn_unit){0};
}

/* The unit of a type is that of what its flags say: a value, a velocity or an acceleration. */
static tn_unit unit_of_rate(tn_unit_search *search, const tn_value_node *node)
{
    const tn_model *model = search->model;
    const tn_unit unit = tn_unit_of_marker(search, node), second = tn_unit_of_text("s");
    const tn_loaded_marker *type = model->use[model->item[model->marker[node->index].body].use].marker;
    if (type && type->flags & TN_ACCELERATION) return tn_unit_product(unit, second);
    return type && type->flags & TN_QUASI_COORDINATE ? unit : tn_unit_quotient(unit, second);
}

/* ---- evaluation ------------------------------------------------------------------------------------------ */

static void sources(const tn_model *model, const tn_value_node *node, tn_source_visitor *visit, void *data)
{
    (void)model;
    visit(data, TN_MOTION_OF, node->index);
}

static const double *place_of_value(const tn_assembly *assembly, const tn_value_node *node)
{
    return assembly->configuration + assembly->station[node->index].place.pose;
}

static const double *place_of_rate(const tn_assembly *assembly, const tn_value_node *node)
{
    return assembly->motion + assembly->station[node->index].place.twist;
}

static double change(const tn_sweep *sweep, const tn_value_node *node)
{
    return sweep->memory->direction[tn_weight_place(sweep->memory, node->index)];
}

static tn_status hand_on_value(const tn_sweep *sweep, const tn_value_node *node, double share,
                               double share_along)
{
    const size_t place = tn_weight_place(sweep->memory, node->index);
    sweep->memory->weight[place] += share;
    sweep->memory->weight_along[place] += share_along;
    return TN_OK;
}

static tn_status hand_on_rate(const tn_sweep *sweep, const tn_value_node *node, double share,
                              double share_along)
{
    (void)share_along;
    sweep->memory->weight[tn_weight_place(sweep->memory, node->index) + 1] += share;
    return TN_OK;
}

const tn_node_kind tn_coordinate_node = {.is_function = is_function,
                                         .offer = offer,
                                         .connect = connect,
                                         .sources = sources,
                                         .unit = tn_unit_of_marker,
                                         .place = place_of_value,
                                         .change = change,
                                         .hand_on = hand_on_value};

const tn_node_kind tn_rate_node = {.in_constraint = "a constraint holds displacements: this is a velocity",
                                   .sources = sources,
                                   .unit = unit_of_rate,
                                   .place = place_of_rate,
                                   .hand_on = hand_on_rate};

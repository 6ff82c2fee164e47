/* observed.c - what expressions read of the state: functions of markers, and variables; of coordinates: coordinates.c; of
 * forces: forces.c
 *
 * A function of markers such as DX(tip, base) is a marker type of kind TN_COORDINATE that is made of other markers: a call
 * makes one, the same for all calls that name the same items, and reads its value or, of a quasi-coordinate, its rate. */
#include "model/delays.h"
#include "model/reading.h"
#include "model/standard.h"

#include <string.h>

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
    char unused[1];
    const tn_loaded_marker *type =
        tn_registry_find(model->registry, TN_MARKER_KIND, name, unused, sizeof unused);
    return type && can_be_called(type) ? type : NULL;
}

bool tn_is_function_of_items(tn_model *model, const char *name)
{
    return strcmp(name, TN_VARIABLE_FUNCTION) == 0 || tn_is_function_of_coordinates(name) ||
           tn_is_function_of_forces(name) || function_of_markers(model, name);
}

void tn_offer_functions_of_items(tn_model *model, tn_nearest *search)
{
    tn_nearest_offer(search, TN_VARIABLE_FUNCTION);
    tn_offer_functions_of_coordinates(search);
    tn_offer_functions_of_forces(search);
    tn_registry_offer(model->registry, TN_MARKER_KIND, search);
}

static bool is_reference(void *data, const char *name) { return tn_is_function_of_items(data, name); }

void tn_observed_prepare(tn_model *model) { model->source.is_reference = is_reference; }

tn_live_value tn_live_begin(tn_model *model, const tn_quantity *quantity)
{
    const tn_source *source = &model->source;
    tn_live_value live = {.expression = quantity->expression,
                          .factor = quantity->factor,
                          .depth = source->depth,
                          .argument_count = quantity->argument_count,
                          .observed =
                              tn_arena_new(&model->arena, (quantity->calls.count + 1) * sizeof(tn_observed)),
                          .calls = quantity->calls,
                          .unit = quantity->unit,
                          .node = quantity->node,
                          .part = model->part};
    live.inputs = tn_arena_new(&model->arena, tn_live_input_count(&live) * sizeof *live.inputs);
    if (source->depth) {
        live.variable = tn_arena_new(&model->arena, source->depth * sizeof *live.variable);
        memcpy(live.variable, source->variable, source->depth * sizeof *live.variable);
        memcpy(live.inputs, source->variable_value, source->depth * sizeof *live.inputs);
    }
    return live;
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

static bool connect_variable(tn_model *model, const tn_toml *node, const tn_item_call *call,
                             tn_observed *observed)
{
    if (call->count != 1) {
        tn_source_error_inside(&model->source, node, call->offset, "`varval` takes 1 variable, not %u",
                               call->count);
        return false;
    }
    *observed = (tn_observed){.kind = TN_OBSERVED_VARIABLE,
                              .index = tn_item_of_argument(model, &call->item[0], TN_VARIABLES, node)};
    return observed->index != TN_NONE;
}

tn_argument_place tn_argument_connect(tn_model *model, const tn_toml *node, const tn_item_argument *argument,
                                      uint32_t kind)
{
    const tn_item_argument global = {TN_GLOBAL_FRAME, argument->offset};
    const bool zero = strcmp(argument->text, "0") == 0;
    tn_argument_place p = {tn_item_of_argument(model, zero ? &global : argument, TN_PLACES, node), TN_NONE};
    const size_t before = tn_error_count(model->diagnostics);
    if (p.item != TN_NONE) p.marker = tn_marker_of(model, p.item, kind, NULL);
    if (p.item == TN_NONE || p.marker != TN_NONE || tn_error_count(model->diagnostics) != before) return p;
    /* again, where the place of the argument is worth finding */
    tn_toml here = *node;
    here.place = tn_toml_place_in_text(model->document, node, argument->offset);
    (void)tn_marker_of(model, p.item, kind, &here);
    return p;
}

/* 0 stands for the global frame, or for what an optional argument is when it is left out. */
static bool is_left_out(const tn_item_argument *argument, const tn_port *port)
{
    return port->minimum == 0 && strcmp(argument->text, "0") == 0;
}

/* Whether a call has as many markers as its function has places for. */
static bool check_count(tn_model *model, const tn_toml *node, const tn_item_call *call, const tn_port *ports,
                        uint32_t most)
{
    uint32_t least = 0;
    for (uint32_t k = 0; k < most; k++)
        if (ports[k].minimum > 0) least = k + 1;
    if (call->count >= least && call->count <= most) return true;
    tn_text places = {0};
    for (uint32_t k = 0; k < most; k++)
        tn_text_list(&places, ports[k].name);
    tn_source_error_inside(&model->source, node, call->offset, "`%s` takes %u to %u markers (%s), not %u",
                           call->function, least, most, places.length ? places.letters : "none", call->count);
    tn_free(places.letters);
    return false;
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
    const char *kept = tn_arena_text(&model->arena, name.letters, name.length);
    tn_free(name.letters);
    return kept;
}

static bool connect_function(tn_model *model, const tn_toml *node, const tn_item_call *call,
                             tn_observed *observed)
{
    const tn_loaded_marker *type = function_of_markers(model, call->function);
    uint32_t item[TN_MOST_ITEMS], count[TN_MOST_ITEMS] = {0}, marker[TN_MOST_ITEMS], markers = 0, ports = 0;
    for (; ports < TN_MOST_ITEMS && type->ports[ports].name; ports++)
        item[ports] = TN_NONE;
    if (!check_count(model, node, call, type->ports, ports)) return false;
    for (uint32_t k = 0; k < call->count; k++) {
        if (is_left_out(&call->item[k], &type->ports[k])) continue;
        const tn_argument_place p = tn_argument_connect(model, node, &call->item[k], type->ports[k].kind);
        if (p.marker == TN_NONE) return false;
        item[k] = p.item;
        marker[markers++] = p.marker;
        count[k] = 1;
    }
    const uint32_t made =
        tn_item_make_marker(model, type, name_of_call(model, type, item, ports), node->place, count, marker);
    *observed = (tn_observed){.kind = type->flags & TN_ACCELERATION       ? TN_OBSERVED_ACCELERATION
                                      : type->flags & TN_QUASI_COORDINATE ? TN_OBSERVED_RATE
                                                                          : TN_OBSERVED_COORDINATE,
                              .index = tn_marker_of(model, made, type->kind, NULL)};
    return observed->index != TN_NONE;
}

/* For errors: the copy that an expression belongs to is in hand again. */
static void enter_copy(tn_source *source, const tn_live_value *live)
{
    source->depth = live->depth;
    source->variable_value = live->depth ? live->inputs : NULL;
    if (live->depth) memcpy(source->variable, live->variable, live->depth * sizeof *live->variable);
}

static bool connect_call(tn_model *model, const tn_toml *node, const tn_item_call *call,
                         tn_observed *observed)
{
    if (call->delayed) return tn_delay_connect(model, node, call, observed);
    if (strcmp(call->function, TN_VARIABLE_FUNCTION) == 0)
        return connect_variable(model, node, call, observed);
    if (tn_is_function_of_coordinates(call->function))
        return tn_coordinate_connect(model, node, call, observed);
    if (tn_is_function_of_forces(call->function)) return tn_force_connect(model, node, call, observed);
    return connect_function(model, node, call, observed);
}

bool tn_live_connect(tn_model *model, tn_live_value *live)
{
    bool good = true;
    const tn_source before = model->source;
    const tn_part *part = tn_part_enter(model, live->part);
    enter_copy(&model->source, live);
    for (uint32_t k = 0; k < live->calls.count; k++) {
        const tn_item_call *call = &live->calls.call[k];
        if (!connect_call(model, live->node, call, &live->observed[k])) good = false;
    }
    if (good) tn_delays_list_reads(model, live);
    model->source = before;
    (void)tn_part_enter(model, part);
    return good;
}

/* ---- all dynamic values ----------------------------------------------------------------------------------- */

static void note_variables(tn_model *model, const tn_live_value *live)
{
    for (uint32_t k = 0; k < live->reads; k++)
        if (live->observed[k].kind == TN_OBSERVED_VARIABLE) model->item[live->observed[k].index].read = true;
}

bool tn_dynamics_connect(tn_model *model)
{
    bool good = true;
    for (size_t k = 0; k < model->dynamic_count; k++)
        if (!tn_live_connect(model, &model->dynamic[k].live))
            good = false;
        else
            note_variables(model, &model->dynamic[k].live);
    tn_dynamics_list(model);
    return good;
}

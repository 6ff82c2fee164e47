/* force_calls.c - functions of forces: what elements exert on a marker (tenon/measure.h), by types of plugins */
#include "config/standard.h"
#include "values/measured_forces.h"

#include <stdlib.h>
#include <string.h>

/* The library of standard measures has a name of its own. */
static const tn_measure_type *measure_named(tn_model *model, const char *name)
{
    char unused[1];
    const tn_measure_type *type =
        tn_registry_find(model->registry, TN_MEASURE_KIND, name, unused, sizeof unused);
    if (type || model->values->measures_open) return type;
    model->values->measures_open = true;
    (void)tn_registry_find(model->registry, TN_MEASURE_KIND, TN_STANDARD_MEASURES, unused, sizeof unused);
    return tn_registry_find(model->registry, TN_MEASURE_KIND, name, unused, sizeof unused);
}

bool tn_is_function_of_forces(tn_model *model, const char *name) { return measure_named(model, name); }

void tn_offer_functions_of_forces(tn_model *model, tn_nearest *search)
{
    (void)measure_named(model, TN_STANDARD_MEASURES);
    tn_registry_offer(model->registry, TN_MEASURE_KIND, search);
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

static bool has_count(tn_model *model, const tn_toml *node, const tn_item_call *call, uint32_t least,
                      uint32_t most, const char *form)
{
    if (call->count >= least && call->count <= most) return true;
    tn_source_error_inside(&model->reader->source, node, call->offset,
                           "`%s` takes %u to %u arguments (%s), not %u", call->function, least, most, form,
                           call->count);
    return false;
}

/* The integer that an argument is. */
static bool read_number(tn_model *model, const tn_toml *node, const tn_item_call *call, uint32_t k,
                        uint32_t least, uint32_t most, const char *meaning, uint32_t *number)
{
    char *end = NULL;
    const unsigned long value = strtoul(call->item[k].text, &end, 10);
    *number = (uint32_t)value;
    if (!*end && end != call->item[k].text && value >= least && value <= most) return true;
    tn_source_error_inside(&model->reader->source, node, call->item[k].offset, "`%s` is no %s: %u to %u",
                           call->item[k].text, meaning, least, most);
    return false;
}

static bool read_component(tn_model *model, const tn_toml *node, const tn_item_call *call,
                           tn_measured_force *force)
{
    return read_number(model, node, call, 2, TN_FORCE_MAGNITUDE, TN_TORQUE_Z,
                       "component (1 to 4: force, x, y, z; 5 to 8: torque, x, y, z)", &force->component);
}

/* An argument that is there, and not 0 for ground axes. */
static bool read_frame(tn_model *model, const tn_toml *node, const tn_item_call *call, uint32_t k,
                       tn_measured_force *force)
{
    if (k >= call->count || strcmp(call->item[k].text, "0") == 0) return true;
    force->frame = tn_argument_connect(model, node, &call->item[k], TN_FRAME).marker;
    return force->frame != TN_NONE;
}

static bool read_place(tn_model *model, const tn_toml *node, const tn_item_argument *argument, uint32_t *item)
{
    *item = tn_argument_connect(model, node, argument, TN_POINT).item;
    return *item != TN_NONE;
}

static bool connect_to_marker(tn_model *model, const tn_toml *node, const tn_item_call *call,
                              tn_measured_force *force)
{
    if (!has_count(model, node, call, 1, 3, "i, j, k") ||
        !read_place(model, node, &call->item[0], &force->target))
        return false;
    const bool pair = call->count > 1 && strcmp(call->item[1].text, "0") != 0;
    return (!pair || read_place(model, node, &call->item[1], &force->other)) &&
           read_frame(model, node, call, 2, force);
}

static bool connect_to_element(tn_model *model, const tn_toml *node, const tn_item_call *call,
                               tn_item_class class, tn_measured_force *force)
{
    uint32_t last = 0;
    if (!has_count(model, node, call, 3, 4, "element, last, component, frame")) return false;
    force->element = tn_item_of_argument(model, &call->item[0], class, node);
    if (force->element == TN_NONE ||
        !read_number(model, node, call, 1, 0, 1, "marker (0: the first one, 1: the last one)", &last))
        return false;
    force->last = last;
    return read_component(model, node, call, force) && read_frame(model, node, call, 3, force);
}

static bool connect_to_variable(tn_model *model, const tn_toml *node, const tn_item_call *call,
                                tn_measured_force *force)
{
    if (!has_count(model, node, call, 3, 4, "variable, marker, component, frame")) return false;
    force->element = tn_item_of_argument(model, &call->item[0], TN_VARIABLES, node);
    return force->element != TN_NONE && read_place(model, node, &call->item[1], &force->target) &&
           read_component(model, node, call, force) && read_frame(model, node, call, 3, force);
}

static bool connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_measured_force *force)
{
    const tn_measure_type *type = measure_named(model, call->function);
    force->component = type->component;
    switch ((tn_measure_form)type->form) {
    case TN_MEASURE_MARKER:
        return connect_to_marker(model, node, call, force);
    case TN_MEASURE_FORCE:
        return connect_to_element(model, node, call, TN_FORCES, force);
    case TN_MEASURE_CONSTRAINT:
        return connect_to_element(model, node, call, TN_CONSTRAINTS, force);
    default:
        return connect_to_variable(model, node, call, force);
    }
}

bool tn_force_connect(tn_model *model, const tn_toml *node, const tn_item_call *call, tn_value_node *made)
{
    tn_measured_force *force = tn_arena_new(&model->arena, sizeof *force);
    *force = (tn_measured_force){.element = TN_NONE,
                                 .other = TN_NONE,
                                 .target = TN_NONE,
                                 .frame = TN_NONE,
                                 .node = node,
                                 .offset = call->offset};
    const bool good = connect(model, node, call, force);
    tn_value_graph *graph = model->values;
    graph->force =
        tn_grow(graph->force, &graph->force_capacity, graph->force_count + 1, sizeof(tn_measured_force *));
    made->index = (uint32_t)graph->force_count;
    graph->force[graph->force_count++] = force;
    return good;
}

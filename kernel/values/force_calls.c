/* force_calls.c - functions of forces: what elements exert on a marker (tenon/measure.h), by types of plugins */
#include "config/standard.h"
#include "values/measured_forces.h"

#include <stdlib.h>
#include <string.h>

/* The library of standard measures has a name of its own. */
static const tn_measure_type *measure_named(tn_model *model, const char *name)
{
    const tn_measure_type *type = tn_registry_find(model->registry, TN_MEASURE_KIND, name, NULL, 0);
    if (type || model->values->measures_open) return type;
    model->values->measures_open = true;
    (void)tn_registry_find(model->registry, TN_MEASURE_KIND, TN_STANDARD_MEASURES, NULL, 0);
    return tn_registry_find(model->registry, TN_MEASURE_KIND, name, NULL, 0);
}

bool tn_is_function_of_forces(tn_model *model, const char *name) { return measure_named(model, name); }

void tn_offer_functions_of_forces(tn_model *model, tn_nearest *search)
{
    (void)measure_named(model, TN_STANDARD_MEASURES);
    tn_registry_offer(model->registry, TN_MEASURE_KIND, search);
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

/* A call while it is connected. */
typedef struct reading {
    tn_model *model;
    const tn_toml *node;
    const tn_item_call *call;
    tn_measured_force *force; /* what it reads */
} reading;

/* The integer that an argument is. */
static bool read_integer(const reading *r, uint32_t k, uint32_t least, uint32_t most, const char *meaning,
                         uint32_t *number)
{
    const tn_item_argument *argument = &r->call->item[k];
    char *end = NULL;
    const unsigned long value = strtoul(argument->text, &end, 10);
    *number = (uint32_t)value;
    if (!*end && end != argument->text && value >= least && value <= most) return true;
    tn_source_error_inside(&r->model->reader->source, r->node, argument->offset, "`%s` is not a %s: %u to %u",
                           argument->text, meaning, least, most);
    return false;
}

static bool read_component(const reading *r)
{
    return read_integer(r, 2, TN_FORCE_MAGNITUDE, TN_TORQUE_Z,
                        "component (1 to 4: force, x, y, z; 5 to 8: torque, x, y, z)", &r->force->component);
}

/* An argument that is there, and not 0 for ground axes. */
static bool read_frame(const reading *r, uint32_t k)
{
    if (k >= r->call->count || strcmp(r->call->item[k].text, "0") == 0) return true;
    r->force->frame = tn_argument_connect(r->model, r->node, &r->call->item[k], TN_FRAME).marker;
    return r->force->frame != TN_NONE;
}

static bool read_place(const reading *r, uint32_t k, uint32_t *item)
{
    *item = tn_argument_connect(r->model, r->node, &r->call->item[k], TN_POINT).item;
    return *item != TN_NONE;
}

static bool read_element(const reading *r, tn_item_class class)
{
    r->force->element = tn_item_of_argument(r->model, &r->call->item[0], class, r->node);
    return r->force->element != TN_NONE;
}

static bool connect_to_marker(const reading *r)
{
    if (!tn_call_check_count(r->model, r->node, r->call, 1, 3, "i, j, k") ||
        !read_place(r, 0, &r->force->target))
        return false;
    const bool pair = r->call->count > 1 && strcmp(r->call->item[1].text, "0") != 0;
    return (!pair || read_place(r, 1, &r->force->other)) && read_frame(r, 2);
}

static bool connect_to_element(const reading *r, tn_item_class class)
{
    uint32_t last = 0;
    const char *form = "element, last, component, frame";
    const bool good = tn_call_check_count(r->model, r->node, r->call, 3, 4, form) && read_element(r, class) &&
                      read_integer(r, 1, 0, 1, "marker (0: the first one, 1: the last one)", &last);
    r->force->last = last;
    return good && read_component(r) && read_frame(r, 3);
}

static bool connect_to_variable(const reading *r)
{
    return tn_call_check_count(r->model, r->node, r->call, 3, 4, "variable, marker, component, frame") &&
           read_element(r, TN_VARIABLES) && read_place(r, 1, &r->force->target) && read_component(r) &&
           read_frame(r, 3);
}

static bool connect_call(const reading *r)
{
    const tn_measure_type *type = measure_named(r->model, r->call->function);
    r->force->component = type->component;
    switch ((tn_measure_form)type->form) {
    case TN_MEASURE_MARKER:
        return connect_to_marker(r);
    case TN_MEASURE_FORCE:
        return connect_to_element(r, TN_FORCES);
    case TN_MEASURE_CONSTRAINT:
        return connect_to_element(r, TN_CONSTRAINTS);
    default:
        return connect_to_variable(r);
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
    const bool good = connect_call(&(reading){model, node, call, force});
    tn_value_graph *graph = model->values;
    made->index = (uint32_t)graph->force_count;
    TN_APPEND(graph->force, graph->force_count, force);
    return good;
}

/* force_calls.c - functions of forces: what elements exert on a marker
 *
 *   FX FY FZ FM TX TY TZ TM (i, j, k)      all that acts on marker i, or of this what acts on j, too; along the axes of k
 *   JOINT, BUSH, ... (element, last, component, k)     what one element exerts on its first marker, or its last one
 *   VARFRC (variable, marker, component, k)            what the constraint of a variable exerts on a marker
 *
 * Components: 1 magnitude, 2 to 4 x, y, z of the force, 5 magnitude, 6 to 8 x, y, z of the torque. */
#include "values/measured_forces.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t component;
} resultants[] = {{"fm", TN_FORCE_MAGNITUDE},  {"fx", TN_FORCE_X},  {"fy", TN_FORCE_Y},  {"fz", TN_FORCE_Z},
                  {"tm", TN_TORQUE_MAGNITUDE}, {"tx", TN_TORQUE_X}, {"ty", TN_TORQUE_Y}, {"tz", TN_TORQUE_Z}};

/* One for every kind of element that the language knows; those of constraints, and the others, have ids of their own. */
static const struct {
    const char *name;
    tn_item_class class;
} element_functions[] = {{"joint", TN_CONSTRAINTS}, {"jprim", TN_CONSTRAINTS},   {"motion", TN_CONSTRAINTS},
                         {"cvcv", TN_CONSTRAINTS},  {"coupler", TN_CONSTRAINTS}, {"cvsf", TN_CONSTRAINTS},
                         {"ptcv", TN_CONSTRAINTS},  {"beam", TN_FORCES},         {"bush", TN_FORCES},
                         {"field", TN_FORCES},      {"sforce", TN_FORCES},       {"vforce", TN_FORCES},
                         {"vtorq", TN_FORCES},      {"vtorque", TN_FORCES},      {"gforce", TN_FORCES},
                         {"nforce", TN_FORCES},     {"yforce", TN_FORCES},       {"spdp", TN_FORCES}};

static const char variable_force[] = "varfrc";

#define COUNT(list) (sizeof(list) / sizeof *(list))

static size_t resultant_named(const char *name)
{
    size_t k = 0;
    while (k < COUNT(resultants) && strcmp(resultants[k].name, name) != 0)
        k++;
    return k;
}

static size_t element_function_named(const char *name)
{
    size_t k = 0;
    while (k < COUNT(element_functions) && strcmp(element_functions[k].name, name) != 0)
        k++;
    return k;
}

bool tn_is_function_of_forces(tn_model *model, const char *name)
{
    (void)model;
    return strcmp(name, variable_force) == 0 || resultant_named(name) < COUNT(resultants) ||
           element_function_named(name) < COUNT(element_functions);
}

void tn_offer_functions_of_forces(tn_model *model, tn_nearest *search)
{
    (void)model;
    tn_nearest_offer(search, variable_force);
    for (size_t k = 0; k < COUNT(resultants); k++)
        tn_nearest_offer(search, resultants[k].name);
    for (size_t k = 0; k < COUNT(element_functions); k++)
        tn_nearest_offer(search, element_functions[k].name);
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

static bool has_count(tn_model *model, const tn_toml *node, const tn_item_call *call, uint32_t least,
                      uint32_t most, const char *form)
{
    if (call->count >= least && call->count <= most) return true;
    tn_source_error_inside(&model->source, node, call->offset, "`%s` takes %u to %u arguments (%s), not %u",
                           call->function, least, most, form, call->count);
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
    tn_source_error_inside(&model->source, node, call->item[k].offset, "`%s` is no %s: %u to %u",
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

static bool connect_resultant(tn_model *model, const tn_toml *node, const tn_item_call *call,
                              tn_measured_force *force)
{
    force->component = resultants[resultant_named(call->function)].component;
    if (!has_count(model, node, call, 1, 3, "i, j, k") ||
        !read_place(model, node, &call->item[0], &force->target))
        return false;
    const bool pair = call->count > 1 && strcmp(call->item[1].text, "0") != 0;
    return (!pair || read_place(model, node, &call->item[1], &force->other)) &&
           read_frame(model, node, call, 2, force);
}

static bool connect_element(tn_model *model, const tn_toml *node, const tn_item_call *call,
                            tn_measured_force *force)
{
    uint32_t last = 0;
    const tn_item_class class = element_functions[element_function_named(call->function)].class;
    if (!has_count(model, node, call, 3, 4, "element, last, component, frame")) return false;
    force->element = tn_item_of_argument(model, &call->item[0], class, node);
    if (force->element == TN_NONE ||
        !read_number(model, node, call, 1, 0, 1, "marker (0: the first one, 1: the last one)", &last))
        return false;
    force->last = last;
    return read_component(model, node, call, force) && read_frame(model, node, call, 3, force);
}

static bool connect_variable_force(tn_model *model, const tn_toml *node, const tn_item_call *call,
                                   tn_measured_force *force)
{
    if (!has_count(model, node, call, 3, 4, "variable, marker, component, frame")) return false;
    force->element = tn_item_of_argument(model, &call->item[0], TN_VARIABLES, node);
    return force->element != TN_NONE && read_place(model, node, &call->item[1], &force->target) &&
           read_component(model, node, call, force) && read_frame(model, node, call, 3, force);
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
    const bool good =
        strcmp(call->function, variable_force) == 0 ? connect_variable_force(model, node, call, force)
        : resultant_named(call->function) < COUNT(resultants) ? connect_resultant(model, node, call, force)
                                                              : connect_element(model, node, call, force);
    tn_value_graph *graph = model->values;
    graph->force =
        tn_grow(graph->force, &graph->force_capacity, graph->force_count + 1, sizeof(tn_measured_force *));
    made->index = (uint32_t)graph->force_count;
    graph->force[graph->force_count++] = force;
    return good;
}

/* plugin_tables.c - holds the tables of a type against its instance and against each other
 *
 * Parameters are written into an instance by the plugin's own table: a wrong offset or count would overwrite memory, so every entry
 * is held against the instance first. */
#include "config/fill.h"
#include "config/plugin_texts.h"
#include "plugin/checks.h"

#include <string.h>

enum { MOST_DYNAMIC = 64 }; /* a bit for each (tn_filler) */

static size_t count_words(const char *words, char separator)
{
    size_t count = 1;
    for (; *words; words++)
        count += *words == separator;
    return count;
}

/* Reports a fault of a parameter, whose name stands in front. */
__attribute__((format(printf, 4, 5))) static bool
wrong_parameter(const char *type, const tn_parameter *parameter, tn_reason *reason, const char *format, ...)
{
    char fault[TN_LONGEST_REASON];
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(fault, sizeof fault, format, arguments);
    va_end(arguments);
    return tn_wrong(reason, "parameter \"%s\" of \"%s\"%s", parameter->name, type, fault);
}

/* Default, range and detail: the kernel will compare values with them. A default number is one that the model might give. */
static bool check_values(const char *type, const tn_parameter *parameter, tn_reason *reason)
{
    char unused[128];
    const bool is_number = parameter->kind == TN_KIND_REAL || parameter->kind == TN_KIND_INTEGER;
    const bool is_choice = parameter->kind == TN_KIND_CHOICE,
               is_callable = parameter->kind == TN_KIND_CALLABLE;
    if ((is_choice || is_callable) && !parameter->detail)
        return wrong_parameter(type, parameter, reason, " lists no %s", is_choice ? "choices" : "arguments");
    if (is_choice &&
        !(parameter->standard >= 0.0 && parameter->standard < (double)count_words(parameter->detail, '|')))
        return wrong_parameter(type, parameter, reason, ": default %g is not one of its choices %s",
                               parameter->standard, parameter->detail);
    if (is_callable && count_words(parameter->detail, ',') > TN_ARGUMENTS)
        return wrong_parameter(type, parameter, reason, " has %zu arguments, %d are the most",
                               count_words(parameter->detail, ','), TN_ARGUMENTS);
    if (!(parameter->low <= parameter->high))
        return wrong_parameter(type, parameter, reason, ": its range from %g to %g is empty", parameter->low,
                               parameter->high);
    if (!is_number || parameter->flags & (TN_REQUIRED | TN_OPTIONAL) ||
        tn_parameter_admits(parameter, parameter->standard, unused, sizeof unused))
        return true;
    return wrong_parameter(type, parameter, reason, ": default %g is out of its range from %g to %g",
                           parameter->standard, parameter->low, parameter->high);
}

/* The kernel must be able to do with a parameter of an element, given its kind, all that its flags ask for; NULL or the fault. */
static const char *fault_of_flags(const tn_parameter *first, const tn_parameter *parameter)
{
    const bool real = parameter->kind == TN_KIND_REAL, triple = real && parameter->count == 3;
    const bool dynamic = parameter->flags & TN_DYNAMIC;
    const uint32_t places = parameter->flags & (TN_MOVES | TN_TURNS);
    if (dynamic && !real && parameter->kind != TN_KIND_CALLABLE)
        return "cannot change with time: only reals and functions can";
    if (dynamic && parameter - first >= MOST_DYNAMIC)
        return "cannot change with time: of a type's parameters the first 64 can";
    if (dynamic && places) return "is placed once: it cannot change with time";
    if (places == (TN_MOVES | TN_TURNS)) return "either moves or turns with a part";
    if (places == TN_MOVES && !triple && parameter->kind != TN_KIND_ROTATION)
        return "cannot move with a part: 3 reals or a rotation can";
    if (parameter->flags & TN_SYMMETRIC && !(real && parameter->count == 6))
        return "is not a symmetric matrix: 6 reals are";
    if (parameter->flags & TN_CODE && parameter->kind != TN_KIND_FILE) return "is no code: a file is";
    if (parameter->flags & TN_BESIDE && !(real && parameter->count == 1 && dynamic))
        return "cannot be given by keys beside it: one real that changes can";
    if (places == TN_TURNS && !triple) return "cannot turn with a part: 3 reals can";
    return NULL;
}

size_t tn_parameter_size(const tn_parameter *parameter)
{
    switch (parameter->kind) {
    case TN_KIND_REAL:
        return parameter->count * sizeof(double);
    case TN_KIND_ROTATION:
        return 9 * sizeof(double);
    case TN_KIND_LIST:
        return sizeof(tn_list);
    case TN_KIND_TEXTS:
        return sizeof(tn_texts);
    case TN_KIND_INTEGER:
    case TN_KIND_TEXT:
    case TN_KIND_FILE:
    case TN_KIND_CALLABLE:
        return sizeof(int64_t);
    case TN_KIND_BOOLEAN:
    case TN_KIND_CHOICE:
        return parameter->count * sizeof(int32_t);
    default:
        return SIZE_MAX;
    }
}

static bool check_parameter(const tn_description *of, const tn_parameter *parameter, tn_reason *reason)
{
    const char *type = of->name;
    const bool is_short = parameter->kind == TN_KIND_BOOLEAN || parameter->kind == TN_KIND_CHOICE;
    const size_t size = tn_parameter_size(parameter), alignment = is_short ? sizeof(int32_t) : sizeof(double);
    if (!parameter->meaning || !parameter->unit)
        return wrong_parameter(type, parameter, reason, " has no %s",
                               parameter->meaning ? "unit" : "meaning");
    if (size == SIZE_MAX)
        return wrong_parameter(type, parameter, reason, " is of unknown kind %u", parameter->kind);
    const bool countable = parameter->kind == TN_KIND_REAL || parameter->kind == TN_KIND_BOOLEAN;
    if (parameter->count < 1 || (!countable && parameter->count != 1) ||
        parameter->count_alternative >= (parameter->kind == TN_KIND_REAL ? parameter->count : 1))
        return wrong_parameter(type, parameter, reason, " cannot have a count of %u or %u", parameter->count,
                               parameter->count_alternative);
    if (parameter->offset % alignment)
        return wrong_parameter(type, parameter, reason, ": offset %u is not a multiple of %zu",
                               parameter->offset, alignment);
    if (size > of->instance_size || parameter->offset > of->instance_size - size)
        return wrong_parameter(type, parameter, reason, ": %zu bytes at offset %u leave its instance of %zu",
                               size, parameter->offset, of->instance_size);
    const char *fault = fault_of_flags(of->parameters, parameter);
    return check_values(type, parameter, reason) &&
           (!fault || wrong_parameter(type, parameter, reason, " %s", fault));
}

static bool check_parameters(const tn_description *type, tn_reason *reason)
{
    for (const tn_parameter *parameter = type->parameters; parameter && parameter->name; parameter++) {
        if (!*parameter->name) return tn_wrong(reason, "a parameter of \"%s\" has an empty name", type->name);
        if (!check_parameter(type, parameter, reason)) return false;
        for (const tn_parameter *other = type->parameters; other < parameter; other++)
            if (!strcmp(other->name, parameter->name))
                return wrong_parameter(type->name, parameter, reason, " appears twice");
    }
    return true;
}

/* Ports alone take any number of coordinates, or nodes of a size. */
static bool is_port_kind(uint32_t kind) { return kind <= TN_ANY || (tn_is_node(kind) && kind >> 8); }

static bool check_ports(const tn_description *type, tn_reason *reason)
{
    for (const tn_port *port = type->ports; port && port->name; port++) {
        if (!port->meaning)
            return tn_wrong(reason, "port \"%s\" of \"%s\" has no meaning", port->name, type->name);
        if (!is_port_kind(port->kind))
            return tn_wrong(reason, "port \"%s\" of \"%s\" is of unknown kind %u", port->name, type->name,
                            port->kind);
        if (port->points_from && port->kind != TN_ANY)
            return tn_wrong(reason,
                            "port \"%s\" of \"%s\" takes points from number %u on, but not any marker",
                            port->name, type->name, port->points_from);
        if (port->maximum < 1 || port->minimum > port->maximum)
            return tn_wrong(reason, "port \"%s\" of \"%s\" cannot take %u to %u markers", port->name,
                            type->name, port->minimum, port->maximum);
    }
    return true;
}

/* Outputs or coordinates, each of at most so many numbers. */
static bool check_list(const char *what, const tn_output *list, uint32_t most, const char *type,
                       tn_reason *reason)
{
    for (; list && list->name; list++) {
        if (!list->meaning || !list->unit)
            return tn_wrong(reason, "%s \"%s\" of \"%s\" has no %s", what, list->name, type,
                            list->meaning ? "unit" : "meaning");
        if (list->size < 1 || list->size > most)
            return tn_wrong(reason, "%s \"%s\" of \"%s\" has size %u%s", what, list->name, type, list->size,
                            most == 1 ? ", not 1" : "");
    }
    return true;
}

/* Markers on them are made of the element's own markers. */
static bool check_coordinate_list(const tn_loaded_element *type, tn_reason *reason)
{
    const bool has_ports = type->ports && type->ports->name;
    if ((type->coordinates || type->instance_coordinates) && !has_ports)
        return tn_wrong(reason, "element \"%s\" has coordinates, but no ports", type->name);
    if (type->coordinates && !type->coordinates->name)
        return tn_wrong(reason, "the coordinates of \"%s\" are an empty list", type->name);
    return check_list("coordinate", type->coordinates, 1, type->name, reason);
}

/* Some capability reads the markers, and no element is two things at once. */
static bool check_capabilities(const tn_loaded_element *type, tn_reason *reason)
{
    const bool reads = type->force || type->constraint || type->rates || type->coordinates ||
                       type->accepted || type->update || type->events || type->output || type->is_variable;
    const char *fault = NULL;
    if (type->ports && type->ports->name && !reads)
        return tn_wrong(reason,
                        "element \"%s\" has the port \"%s\", but no capability that reads its markers, such "
                        "as \"" TN_FORCE_KEY "\"",
                        type->name, type->ports->name);
    if (type->mass && type->constraint)
        fault = "has both \"" TN_BODY_KEY "\" and \"" TN_CONSTRAINT_KEY
                "\": rows act on markers, a body has none";
    else if (type->flags & TN_VECTOR_SPACE && type->retract)
        fault = "is flagged TN_VECTOR_SPACE: it cannot have \"" TN_CONFIGURATION_KEY "\"";
    return !fault || tn_wrong(reason, "element \"%s\" %s", type->name, fault);
}

/* Rates of rows come from their text, which knows time but not the rates of parameters. With a force beside, these may be
 * its own. */
static bool check_constraint(const tn_loaded_element *type, tn_reason *reason)
{
    if (!type->constraint || type->force || type->flags & TN_DRIVEN) return true;
    for (const tn_parameter *parameter = type->parameters; parameter && parameter->name; parameter++)
        if (parameter->flags & TN_DYNAMIC)
            return tn_wrong(reason,
                            "parameter \"%s\" of constraint \"%s\" cannot change with time: its rows have "
                            "tn_time(context) for that",
                            parameter->name, type->name);
    return true;
}

static bool check_endings(const tn_writer_type *type, tn_reason *reason)
{
    for (const char *const *ending = type->endings; ending && *ending; ending++)
        if (**ending != '.' || strchr(*ending, '/'))
            return tn_wrong(reason, "ending \"%s\" of writer \"%s\" is not like \".csv\"", *ending,
                            type->name);
    return true;
}

/* Only parameters of elements are evaluated again or placed. (A marker that moves by itself would have a velocity that
 * its pose and twist do not tell.) */
static bool check_constant(const tn_kind *kind, const tn_description *type, tn_reason *reason)
{
    for (const tn_parameter *parameter = type->parameters; parameter && parameter->name; parameter++)
        if (parameter->flags & (TN_DYNAMIC | TN_MOVES | TN_TURNS))
            return tn_wrong(reason, "parameter \"%s\" of %s \"%s\" cannot %s", parameter->name, kind->key,
                            type->name,
                            parameter->flags & TN_DYNAMIC ? "change with time" : "move with a part");
    return true;
}

/* Units, turns and quasi-coordinates belong to coordinates. NULL or the fault. */
static const char *fault_of_marker(const tn_loaded_marker *type)
{
    const bool is_acceleration = type->flags & TN_ACCELERATION, counts_turns = type->flags & TN_COUNTS_TURNS;
    const bool has_unit = type->unit && !is_acceleration;
    if (type->local_pose && type->kinematics)
        return "has both \"" TN_PLACE_KEY "\" and \"" TN_KINEMATICS_KEY
               "\": it rides on an element, or is made of others";
    if (type->kind == TN_NODE && type->kinematics) return "is made of others: it cannot be a node";
    if (type->kind != TN_COORDINATE && has_unit) return "is not a coordinate: it cannot have a unit";
    if (type->kind != TN_COORDINATE && counts_turns) return "is not a coordinate: it cannot count turns";
    if (type->kind != TN_COORDINATE && type->flags & TN_QUASI_COORDINATE)
        return "is not a coordinate: it cannot be a quasi-coordinate";
    if (is_acceleration && (type->kind == TN_FRAME || type->kind == TN_NODE || !type->ports))
        return "delivers an acceleration: it is a coordinate or point made of others";
    if (counts_turns && type->flags & TN_QUASI_COORDINATE)
        return "is a quasi-coordinate: it cannot count turns";
    return NULL;
}

static bool check_marker_type(const tn_loaded_marker *type, tn_reason *reason)
{
    const char *fault = fault_of_marker(type);
    if (type->kind > TN_NODE)
        return tn_wrong(reason, "marker \"%s\" delivers an unknown kind %u", type->name, type->kind);
    return !fault || tn_wrong(reason, "marker \"%s\" %s", type->name, fault);
}

bool tn_check_tables(const tn_kind *kind, const void *type, tn_reason *reason)
{
    const tn_description description = tn_type_description(kind, type);
    if (kind == tn_kind_find(TN_MARKER_KIND) && !check_marker_type(type, reason)) return false;
    if (kind == tn_kind_find(TN_WRITER_KIND) && !check_endings(type, reason)) return false;
    const bool is_element = kind == tn_kind_find(TN_ELEMENT_KIND);
    if (is_element ? !check_coordinate_list(type, reason) || !check_capabilities(type, reason) ||
                         !check_constraint(type, reason)
                   : !check_constant(kind, &description, reason))
        return false;
    return check_parameters(&description, reason) && check_ports(&description, reason) &&
           check_list("output", description.outputs, UINT32_MAX, description.name, reason);
}

static bool has_name(const tn_output *list, const char *name)
{
    while (list && list->name && strcmp(list->name, name) != 0)
        list++;
    return list && list->name;
}

bool tn_check_own_list(const tn_output *list, uint32_t most, const tn_type_head *type, tn_reason *reason)
{
    const tn_loaded_element *element = (const void *)type;
    const bool are_outputs = most > 1;
    for (const tn_output *entry = list; entry->name; entry++) {
        if (!entry->meaning || !entry->unit)
            return tn_wrong(reason, "\"%s\" has no %s", entry->name, entry->meaning ? "unit" : "meaning");
        if (!tn_check_units(entry->unit, entry->name, type->name, reason)) return false;
        if (entry->size < 1 || entry->size > most)
            return tn_wrong(reason, "\"%s\" has size %u", entry->name, entry->size);
        if (are_outputs && type->flags & TN_FIXED_NAMES && !has_name(element->outputs, entry->name))
            return tn_wrong(reason, "\"%s\" is not among the outputs of the type, whose names are fixed",
                            entry->name);
    }
    return true;
}

/* plugin_tables.c - holds the tables of a type against its instance and against each other
 *
 * Parameters are written into an instance by the plugin's own table: a wrong offset or count would overwrite memory, so every entry
 * is held against the instance first. */
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

/* A number that stands where the model says nothing is one that the model might give. */
static bool check_default(const char *type, const tn_parameter *parameter, tn_reason *reason)
{
    const double value = parameter->standard;
    const bool is_number = parameter->kind == TN_KIND_REAL || parameter->kind == TN_KIND_INTEGER;
    if (!is_number || parameter->flags & (TN_REQUIRED | TN_OPTIONAL)) return true;
    const bool low = parameter->flags & TN_ABOVE_LOW ? value > parameter->low : value >= parameter->low;
    const bool high = parameter->flags & TN_BELOW_HIGH ? value < parameter->high : value <= parameter->high;
    if (low && high) return true;
    return tn_wrong(reason, "parameter \"%s\" of \"%s\": default %g is out of its range from %g to %g",
                    parameter->name, type, value, parameter->low, parameter->high);
}

/* Default, range and detail: what the kernel will compare values with. */
static bool check_values(const char *type, const tn_parameter *parameter, tn_reason *reason)
{
    const char *name = parameter->name;
    const bool needs_detail = parameter->kind == TN_KIND_CHOICE || parameter->kind == TN_KIND_CALLABLE;
    if (needs_detail && !parameter->detail)
        return tn_wrong(reason, "parameter \"%s\" of \"%s\" lists no %s", name, type,
                        parameter->kind == TN_KIND_CHOICE ? "choices" : "arguments");
    if (parameter->kind == TN_KIND_CHOICE &&
        !(parameter->standard >= 0.0 && parameter->standard < (double)count_words(parameter->detail, '|')))
        return tn_wrong(reason, "parameter \"%s\" of \"%s\": default %g is none of its choices %s", name,
                        type, parameter->standard, parameter->detail);
    if (parameter->kind == TN_KIND_CALLABLE && count_words(parameter->detail, ',') > TN_ARGUMENTS)
        return tn_wrong(reason, "parameter \"%s\" of \"%s\" has %zu arguments, %d are the most", name, type,
                        count_words(parameter->detail, ','), TN_ARGUMENTS);
    if (!(parameter->low <= parameter->high))
        return tn_wrong(reason, "parameter \"%s\" of \"%s\": its range from %g to %g is empty", name, type,
                        parameter->low, parameter->high);
    return check_default(type, parameter, reason);
}

/* What the flags ask the kernel to do with a parameter of an element, it must be able to do with its kind. */
static bool check_flags(const char *type, const tn_parameter *first, const tn_parameter *parameter,
                        tn_reason *reason)
{
    const char *name = parameter->name;
    const bool real = parameter->kind == TN_KIND_REAL, triple = real && parameter->count == 3;
    const uint32_t places = parameter->flags & (TN_MOVES | TN_TURNS);
    if (parameter->flags & TN_DYNAMIC && !real && parameter->kind != TN_KIND_CALLABLE)
        return tn_wrong(reason,
                        "parameter \"%s\" of \"%s\" cannot change with time: only reals and functions can",
                        name, type);
    if (parameter->flags & TN_DYNAMIC && parameter - first >= MOST_DYNAMIC)
        return tn_wrong(
            reason,
            "parameter \"%s\" of \"%s\" cannot change with time: of a type's parameters the first "
            "%d can",
            name, type, MOST_DYNAMIC);
    if (parameter->flags & TN_DYNAMIC && places)
        return tn_wrong(reason, "parameter \"%s\" of \"%s\" is placed once: it cannot change with time", name,
                        type);
    if (places == (TN_MOVES | TN_TURNS))
        return tn_wrong(reason, "parameter \"%s\" of \"%s\" either moves or turns with a part", name, type);
    if (places == TN_MOVES && !triple && parameter->kind != TN_KIND_ROTATION)
        return tn_wrong(reason,
                        "parameter \"%s\" of \"%s\" cannot move with a part: 3 reals or a rotation can", name,
                        type);
    if (parameter->flags & TN_SYMMETRIC && !(real && parameter->count == 6))
        return tn_wrong(reason, "parameter \"%s\" of \"%s\" is no symmetric matrix: 6 reals are", name, type);
    if (places == TN_TURNS && !triple)
        return tn_wrong(reason, "parameter \"%s\" of \"%s\" cannot turn with a part: 3 reals can", name,
                        type);
    return true;
}

static bool check_parameter(const tn_description *type, const tn_parameter *parameter, tn_reason *reason)
{
    const char *name = parameter->name;
    size_t size = 0, alignment = 1;
    if (!parameter->meaning || !parameter->unit)
        return tn_wrong(reason, "parameter \"%s\" of \"%s\" has no %s", name, type->name,
                        parameter->meaning ? "unit" : "meaning");
    if (!tn_parameter_space(parameter, &size, &alignment))
        return tn_wrong(reason, "parameter \"%s\" of \"%s\" is of unknown kind %u", name, type->name,
                        parameter->kind);
    const bool countable = parameter->kind == TN_KIND_REAL || parameter->kind == TN_KIND_BOOLEAN;
    if (parameter->count < 1 || (!countable && parameter->count != 1) ||
        parameter->count_alternative >= (parameter->kind == TN_KIND_REAL ? parameter->count : 1))
        return tn_wrong(reason, "parameter \"%s\" of \"%s\" cannot have a count of %u or %u", name,
                        type->name, parameter->count, parameter->count_alternative);
    if (parameter->offset % alignment)
        return tn_wrong(reason, "parameter \"%s\" of \"%s\": offset %u is no multiple of %zu", name,
                        type->name, parameter->offset, alignment);
    if (size > type->instance_size || parameter->offset > type->instance_size - size)
        return tn_wrong(reason,
                        "parameter \"%s\" of \"%s\": %zu bytes at offset %u leave its instance of %zu", name,
                        type->name, size, parameter->offset, type->instance_size);
    return check_values(type->name, parameter, reason) &&
           check_flags(type->name, type->parameters, parameter, reason);
}

static bool check_parameters(const tn_description *type, tn_reason *reason)
{
    if (!type->parameters) return true;
    for (const tn_parameter *parameter = type->parameters; parameter->name; parameter++) {
        if (!*parameter->name) return tn_wrong(reason, "a parameter of \"%s\" has an empty name", type->name);
        if (!check_parameter(type, parameter, reason)) return false;
        for (const tn_parameter *other = type->parameters; other < parameter; other++)
            if (!strcmp(other->name, parameter->name))
                return tn_wrong(reason, "parameter \"%s\" of \"%s\" is there twice", parameter->name,
                                type->name);
    }
    return true;
}

/* Ports alone take any number of coordinates, or nodes of a size. */
static bool is_port_kind(uint32_t kind) { return kind <= TN_ANY || (tn_is_node(kind) && kind >> 8); }

static bool check_ports(const tn_description *type, tn_reason *reason)
{
    if (!type->ports) return true;
    for (const tn_port *port = type->ports; port->name; port++) {
        if (!port->meaning)
            return tn_wrong(reason, "port \"%s\" of \"%s\" has no meaning", port->name, type->name);
        if (!is_port_kind(port->kind))
            return tn_wrong(reason, "port \"%s\" of \"%s\" is of unknown kind %u", port->name, type->name,
                            port->kind);
        if (port->maximum < 1 || port->minimum > port->maximum)
            return tn_wrong(reason, "port \"%s\" of \"%s\" cannot take %u to %u markers", port->name,
                            type->name, port->minimum, port->maximum);
    }
    return true;
}

static bool check_outputs(const tn_description *type, tn_reason *reason)
{
    if (!type->outputs) return true;
    for (const tn_output *output = type->outputs; output->name; output++) {
        if (!output->meaning || !output->unit)
            return tn_wrong(reason, "output \"%s\" of \"%s\" has no %s", output->name, type->name,
                            output->meaning ? "unit" : "meaning");
        if (output->size < 1)
            return tn_wrong(reason, "output \"%s\" of \"%s\" has size 0", output->name, type->name);
    }
    return true;
}

/* Markers on them are made of the element's own markers. */
static bool check_coordinates(const tn_loaded_element *type, tn_reason *reason)
{
    const tn_output *coordinate = type->coordinates;
    const bool has_ports = type->ports && type->ports->name;
    if ((coordinate || type->instance_coordinates) && !has_ports)
        return tn_wrong(reason, "element \"%s\" has coordinates, but no ports", type->name);
    if (!coordinate) return true;
    if (!coordinate->name) return tn_wrong(reason, "the coordinates of \"%s\" are an empty list", type->name);
    for (; coordinate->name; coordinate++) {
        if (!coordinate->meaning || !coordinate->unit)
            return tn_wrong(reason, "coordinate \"%s\" of \"%s\" has no %s", coordinate->name, type->name,
                            coordinate->meaning ? "unit" : "meaning");
        if (coordinate->size != 1)
            return tn_wrong(reason, "coordinate \"%s\" of \"%s\" has size %u, not 1", coordinate->name,
                            type->name, coordinate->size);
    }
    return true;
}

/* Somebody reads the markers; and nobody is two things at once. */
static bool check_capabilities(const tn_loaded_element *type, tn_reason *reason)
{
    const bool reads = type->force || type->constraint || type->rates || type->coordinates ||
                       type->accepted || type->update || type->events || type->output || type->is_variable;
    if (type->ports && type->ports->name && !reads)
        return tn_wrong(reason,
                        "element \"%s\" has the port \"%s\", but no capability that reads its markers, such "
                        "as \"" TN_FORCE_KEY "\"",
                        type->name, type->ports->name);
    if (type->mass && type->constraint)
        return tn_wrong(reason,
                        "element \"%s\" has both \"" TN_BODY_KEY "\" and \"" TN_CONSTRAINT_KEY
                        "\": rows act on markers, a body has none",
                        type->name);
    if (type->flags & TN_VECTOR_SPACE && type->retract)
        return tn_wrong(
            reason, "element \"%s\" is flagged TN_VECTOR_SPACE: it cannot have \"" TN_CONFIGURATION_KEY "\"",
            type->name);
    return true;
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

/* What is said of a coordinate is said of nothing else. */
static bool check_marker(const tn_loaded_marker *type, tn_reason *reason)
{
    if (type->local_pose && type->kinematics)
        return tn_wrong(reason,
                        "marker \"%s\" has both \"" TN_PLACE_KEY "\" and \"" TN_KINEMATICS_KEY
                        "\": it rides on an element, or is made of others",
                        type->name);
    if (type->kind > TN_NODE)
        return tn_wrong(reason, "marker \"%s\" delivers an unknown kind %u", type->name, type->kind);
    if (type->kind == TN_NODE && type->kinematics)
        return tn_wrong(reason, "marker \"%s\" is made of others: it cannot be a node", type->name);
    const bool is_acceleration = type->flags & TN_ACCELERATION;
    const bool has_unit = type->unit && !is_acceleration;
    if (type->kind != TN_COORDINATE && (has_unit || type->flags & (TN_COUNTS_TURNS | TN_QUASI_COORDINATE)))
        return tn_wrong(reason, "marker \"%s\" is no coordinate: it cannot %s", type->name,
                        has_unit                        ? "have a unit"
                        : type->flags & TN_COUNTS_TURNS ? "count turns"
                                                        : "be a quasi-coordinate");
    if (is_acceleration && (type->kind == TN_FRAME || type->kind == TN_NODE || !type->ports))
        return tn_wrong(reason,
                        "marker \"%s\" tells an acceleration: it is a coordinate or point made of others",
                        type->name);
    if (type->flags & TN_COUNTS_TURNS && type->flags & TN_QUASI_COORDINATE)
        return tn_wrong(reason, "marker \"%s\" is a quasi-coordinate: it cannot count turns", type->name);
    return true;
}

bool tn_check_tables(const tn_kind *kind, const void *type, tn_reason *reason)
{
    const tn_description description = tn_type_description(kind, type);
    if (kind == tn_kind_find(TN_MARKER_KIND) && !check_marker(type, reason)) return false;
    if (kind == tn_kind_find(TN_WRITER_KIND) && !check_endings(type, reason)) return false;
    const bool is_element = kind == tn_kind_find(TN_ELEMENT_KIND);
    if (is_element ? !check_coordinates(type, reason) || !check_capabilities(type, reason) ||
                         !check_constraint(type, reason)
                   : !check_constant(kind, &description, reason))
        return false;
    return check_parameters(&description, reason) && check_ports(&description, reason) &&
           check_outputs(&description, reason);
}

bool tn_check_own_list(const tn_output *list, uint32_t most, const char *type, tn_reason *reason)
{
    for (const tn_output *entry = list; entry->name; entry++) {
        if (!entry->meaning || !entry->unit)
            return tn_wrong(reason, "\"%s\" has no %s", entry->name, entry->meaning ? "unit" : "meaning");
        if (!tn_check_units(entry->unit, entry->name, type, reason)) return false;
        if (entry->size < 1 || entry->size > most)
            return tn_wrong(reason, "\"%s\" has size %u", entry->name, entry->size);
    }
    return true;
}

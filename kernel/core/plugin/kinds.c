/* kinds.c - the table of kinds (see kinds.h). A new kind is a row here, and so is a new capability of one. */
#include "plugin/kinds.h"

#include <tenon/draft/impulses.h>

#include <string.h>

/* ---- capabilities ---------------------------------------------------------------------------------------- */

enum { FIELDS = 2 * sizeof(uint32_t) }; /* where those of a capability begin, behind its size */

/* The fields of a capability, from `first` to `last`, stand in the loaded type as they do in its struct. */
#define STANDS_ALIKE(loaded, what, first, last)                                     \
    TN_STATIC_ASSERT(offsetof(tn_##what##_capability, first) == FIELDS &&           \
                         offsetof(loaded, last) - offsetof(loaded, first) ==        \
                             offsetof(tn_##what##_capability, last) - FIELDS &&     \
                         offsetof(tn_##what##_capability, last) + sizeof(void *) == \
                             sizeof(tn_##what##_capability),                        \
                     "the fields of tn_" #what "_capability stand in " #loaded " in the same order")
#define KNOWN(loaded, what, key, first)                              \
    {                                                                \
        key, sizeof(tn_##what##_capability), offsetof(loaded, first) \
    }

/* capability, key, its first and last field */
#define ELEMENT_CAPABILITIES(X)                                                                \
    X(tn_loaded_element, force, TN_FORCE_KEY, force, force_tangent)                            \
    X(tn_loaded_element, body, TN_BODY_KEY, velocity_units, velocity_unit)                     \
    X(tn_loaded_element, configuration, TN_CONFIGURATION_KEY, rate, transport)                 \
    X(tn_loaded_element, attachment, TN_ATTACHMENT_KEY, attachment_size, pull_back_derivative) \
    X(tn_loaded_element, constraint, TN_CONSTRAINT_KEY, constraint, constraint_stiffness)      \
    X(tn_loaded_element, states, TN_STATES_KEY, rates, rates_tangent)                          \
    X(tn_loaded_element, algebraic, TN_ALGEBRAIC_KEY, algebraic, algebraic_tangent)            \
    X(tn_loaded_element, energy, TN_ENERGY_KEY, potential, dissipation)                        \
    X(tn_loaded_element, data, TN_DATA_KEY, accepted, at_start)                                \
    X(tn_loaded_element, events, TN_EVENTS_KEY, events, on_event)                              \
    X(tn_loaded_element, coordinates, TN_COORDINATES_KEY, coordinates, instance_coordinates)   \
    X(tn_loaded_element, variable, TN_VARIABLE_KEY, variable_kind, variable_kind)              \
    X(tn_loaded_element, row_kinds, TN_ROW_KINDS_KEY, row_kinds, contact_law)                  \
    X(tn_loaded_element, contacts, TN_CONTACTS_KEY, has_contacts, settled)                     \
    X(tn_loaded_element, shaped, TN_SHAPED_KEY, shapes, shapes)                                \
    X(tn_loaded_element, drawing, TN_DRAWING_KEY, draw, draw)                                  \
    X(tn_loaded_element, readable, TN_READABLE_KEY, readable_count, readable_tangent)          \
    X(tn_loaded_element, sampled, TN_SAMPLED_KEY, next_sample, sampled_states)
#define MARKER_CAPABILITIES(X)                                              \
    X(tn_loaded_marker, place, TN_PLACE_KEY, local_pose, local_pose)        \
    X(tn_loaded_marker, kinematics, TN_KINEMATICS_KEY, kinematics, rate_of) \
    X(tn_loaded_marker, shape, TN_SHAPE_KEY, shape, shape)
#define SOLVER_CAPABILITIES(X) X(tn_loaded_solver, stepping, TN_STEPPING_KEY, begin, hides)
#define LINEAR_CAPABILITIES(X)                                                  \
    X(tn_loaded_linear, dependent, TN_DEPENDENT_KEY, dependent, dependent)      \
    X(tn_loaded_linear, linear_state, TN_LINEAR_STATE_KEY, state, state)        \
    X(tn_loaded_linear, complex, TN_COMPLEX_KEY, factor_complex, solve_complex) \
    X(tn_loaded_linear, estimate, TN_ESTIMATE_KEY, estimate, estimate)
#define WRITER_CAPABILITIES(X)                               \
    X(tn_loaded_writer, append, TN_APPEND_KEY, place, flush) \
    X(tn_loaded_writer, conversion, TN_CONVERSION_KEY, convert, pages)
#define FUNCTION_CAPABILITIES(X) X(tn_loaded_function, values, TN_VALUES_KEY, reads, values)

#define CHECK(loaded, what, key, first, last) STANDS_ALIKE(loaded, what, first, last);
#define ROW(loaded, what, key, first, last) KNOWN(loaded, what, key, first),
#define KNOWS(list, CAPABILITIES) \
    CAPABILITIES(CHECK)           \
    static const tn_known_capability list[] = {CAPABILITIES(ROW){NULL, 0, 0}};
KNOWS(of_elements, ELEMENT_CAPABILITIES)
KNOWS(of_markers, MARKER_CAPABILITIES)
KNOWS(of_solvers, SOLVER_CAPABILITIES)
KNOWS(of_linear, LINEAR_CAPABILITIES)
KNOWS(of_writers, WRITER_CAPABILITIES)
KNOWS(of_functions, FUNCTION_CAPABILITIES)
static const tn_known_capability none[] = {{NULL, 0, 0}};

/* ---- kinds ----------------------------------------------------------------------------------------------- */

/* One of several functions that stand and fall together; the first that is missing, or what is missing behind it. */
#define NEEDS(function)                        \
    do {                                       \
        if (!type->function) return #function; \
    } while (0)
#define FIRST(function, behind) (type->function ? (behind) : #function)

static const char *missing_in_body(const tn_loaded_element *type)
{
    /* one whose markers coincide with coordinates of its own has nothing but bind() */
    const char *missing = FIRST(bind, FIRST(pose, FIRST(twist, FIRST(pull_back, FIRST(jacobian, NULL)))));
    if ((type->pose || type->twist || type->pull_back || type->jacobian) && missing) return missing;
    if (type->retract || type->normalise || type->transport) NEEDS(rate);
    if (type->rate) NEEDS(retract);
    if (type->residual_tangent) NEEDS(residual);
    if ((type->body_force || type->rigid_motion) && !type->residual) NEEDS(mass);
    return NULL;
}

static const char *missing_in_element(const void *of)
{
    const tn_loaded_element *type = of;
    if ((type->outputs && type->outputs->name) || type->instance_outputs) NEEDS(output);
    if (type->coordinates || type->instance_coordinates) NEEDS(coordinate);
    if (type->force_tangent) NEEDS(force);
    if (type->rates_tangent) NEEDS(rates);
    if (type->algebraic_tangent) NEEDS(algebraic);
    if (type->on_event) NEEDS(events);
    if (type->has_contacts || type->settled) NEEDS(points);
    if (type->constraint_rows || type->constraint_bias || type->constraint_stiffness) NEEDS(constraint);
    return missing_in_body(type);
}

static const char *missing_in_marker(const void *of)
{
    const tn_loaded_marker *type = of;
    if (type->ports && type->ports->name) return type->kinematics ? NULL : "kinematics"; // made of others
    return type->local_pose ? NULL : "local_pose";
}

static const char *missing_in_solver(const void *of)
{
    const tn_loaded_solver *type = of;
    NEEDS(advance);
    if (!type->begin && !type->step && !type->end && !type->state) return NULL;
    return FIRST(begin, FIRST(step, FIRST(end, FIRST(state, NULL))));
}

static const char *missing_in_linear(const void *of)
{
    const tn_linear_type *type = of;
    return FIRST(create, FIRST(factor, FIRST(solve, FIRST(destroy, NULL))));
}

static const char *missing_in_constraint_solver(const void *of)
{
    const tn_constraint_solver_type *type = of;
    return FIRST(create, FIRST(solve, FIRST(destroy, NULL)));
}

static const char *missing_in_writer(const void *of)
{
    const tn_loaded_writer *type = of;
    if (type->convert && !type->own.open && !type->own.row && !type->own.close) return NULL;
    if (!type->own.open) return "open";
    if (!type->own.row) return "row";
    if (!type->own.close) return "close";
    return !type->place == !type->reopen && !type->place == !type->cut ? NULL : "place, reopen or cut";
}

static const char *missing_in_function(const void *of)
{
    const tn_loaded_function *type = of;
    NEEDS(value);
    if (type->unit || type->switches || type->argument_count) NEEDS(reads);
    if (type->switches) NEEDS(switch_count);
    return NULL;
}

static const tn_kind kinds[] = {
    {TN_ELEMENT_KIND, sizeof(tn_element_type), sizeof(tn_loaded_element), offsetof(tn_element_type, ports),
     offsetof(tn_element_type, outputs), of_elements, missing_in_element},
    {TN_MARKER_KIND, sizeof(tn_marker_type), sizeof(tn_loaded_marker), offsetof(tn_marker_type, ports), 0,
     of_markers, missing_in_marker},
    {TN_SOLVER_KIND, sizeof(tn_solver_type), sizeof(tn_loaded_solver), 0, 0, of_solvers, missing_in_solver},
    {TN_LINEAR_KIND, sizeof(tn_linear_type), sizeof(tn_loaded_linear), 0, 0, of_linear, missing_in_linear},
    {TN_WRITER_KIND, sizeof(tn_writer_type), sizeof(tn_loaded_writer), 0, 0, of_writers, missing_in_writer},
    {TN_FUNCTION_KIND, sizeof(tn_function_type), sizeof(tn_loaded_function), 0, 0, of_functions,
     missing_in_function},
    {TN_MEASURE_KIND, sizeof(tn_measure_type), sizeof(tn_measure_type), 0, 0, none, NULL},
    {TN_CONSTRAINT_SOLVER_KIND, sizeof(tn_constraint_solver_type), sizeof(tn_constraint_solver_type), 0, 0,
     none, missing_in_constraint_solver},
};

enum { OWN = sizeof kinds / sizeof kinds[0] };
static const tn_kind *more; /* tn_kinds_add */
static size_t more_count;

void tn_kinds_add(const tn_kind *list, size_t count) { more = list, more_count = count; }

size_t tn_kind_count(void) { return OWN + more_count; }

const tn_kind *tn_kind_at(size_t index) { return index < OWN ? &kinds[index] : &more[index - OWN]; }

const tn_kind *tn_kind_find(const char *key)
{
    for (size_t i = 0; i < tn_kind_count(); i++)
        if (!strcmp(tn_kind_at(i)->key, key)) return tn_kind_at(i);
    return NULL;
}

/* The pointer that stands `offset` bytes into the type. */
static const void *pointer_at(const void *type, size_t offset)
{
    const void *pointer = NULL;
    if (offset) memcpy(&pointer, (const char *)type + offset, sizeof pointer);
    return pointer;
}

tn_description tn_type_description(const tn_kind *kind, const void *type)
{
    const tn_type_head *head = type;
    return (tn_description){.name = head->name,
                            .summary = head->summary,
                            .formula = head->formula,
                            .literature = head->literature,
                            .parameters = head->parameters,
                            .ports = pointer_at(type, kind->ports),
                            .outputs = pointer_at(type, kind->outputs),
                            .synonyms = head->synonyms,
                            .instance_size = head->instance_size};
}

const char *tn_marker_word(uint32_t kind)
{
    static const char *const names[] = {[TN_POINT] = "point",
                                        [TN_FRAME] = "frame",
                                        [TN_COORDINATE] = "coordinate",
                                        [TN_NODE] = "node",
                                        [TN_ANY] = "point or frame"};
    return names[kind & 0xff];
}

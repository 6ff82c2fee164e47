/* kinds.c - the table of kinds (see kinds.h). A new kind is a row here; plugins of it need no other change. */
#include "plugin/kinds.h"

#include <string.h>

/* All kinds begin alike, which lets one function describe them all. */
typedef struct type_head {
    uint32_t struct_size, second;
    const char *name, *summary, *formula, *literature;
} type_head;

#define BEGINS_ALIKE(type)                                                              \
    TN_STATIC_ASSERT(offsetof(type, name) == offsetof(type_head, name) &&               \
                         offsetof(type, literature) == offsetof(type_head, literature), \
                     #type " begins with the head that all kinds share")
BEGINS_ALIKE(tn_element_type);
BEGINS_ALIKE(tn_marker_type);
BEGINS_ALIKE(tn_solver_type);
BEGINS_ALIKE(tn_linear_type);
BEGINS_ALIKE(tn_writer_type);
BEGINS_ALIKE(tn_function_type);
BEGINS_ALIKE(tn_script_type);

static const char *missing_in_element(const void *type)
{
    const tn_element_type *element = type;
    const bool has_outputs = (element->outputs && element->outputs->name) || element->instance_outputs;
    if (has_outputs && !element->output) return "output";
    return (element->coordinates || element->instance_coordinates) && !element->coordinate ? "coordinate"
                                                                                           : NULL;
}

static const char *missing_in_marker(const void *type)
{
    const tn_marker_type *marker = type;
    if (marker->ports && marker->ports->name) return marker->kinematics ? NULL : "kinematics";
    return marker->local_pose ? NULL : "local_pose";
}

static const char *missing_in_solver(const void *type)
{
    const tn_solver_type *solver = type;
    return solver->advance ? NULL : "advance";
}

static const char *missing_in_linear(const void *type)
{
    const tn_linear_type *linear = type;
    if (!linear->create) return "create";
    if (!linear->factor) return "factor";
    if (!linear->solve) return "solve";
    return linear->destroy ? NULL : "destroy";
}

static const char *missing_in_writer(const void *type)
{
    const tn_writer_type *writer = type;
    if (!writer->open) return "open";
    if (!writer->row) return "row";
    return writer->close ? NULL : "close";
}

static const char *missing_in_function(const void *type)
{
    const tn_function_type *function = type;
    return function->value ? NULL : "value";
}

static const char *missing_in_script(const void *type)
{
    const tn_script_type *script = type;
    if (!script->open) return "open";
    if (!script->call) return "call";
    return script->close ? NULL : "close";
}

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_KEYS ((const char *const[]){NULL})

static const tn_kind kinds[] = {
    {TN_ELEMENT_KIND, offsetof(tn_element_type, prepare), sizeof(tn_element_type),
     offsetof(tn_element_type, parameters), offsetof(tn_element_type, ports),
     offsetof(tn_element_type, outputs), offsetof(tn_element_type, instance_size),
     offsetof(tn_element_type, synonyms), missing_in_element,
     KEYS("name", "type", "id", "when", "active", "pinned")},
    {TN_MARKER_KIND, offsetof(tn_marker_type, prepare), sizeof(tn_marker_type),
     offsetof(tn_marker_type, parameters), offsetof(tn_marker_type, ports), 0,
     offsetof(tn_marker_type, instance_size), offsetof(tn_marker_type, synonyms), missing_in_marker,
     KEYS("name", "type", "id", "when", "element")},
    {TN_SOLVER_KIND, offsetof(tn_solver_type, prepare), sizeof(tn_solver_type),
     offsetof(tn_solver_type, parameters), 0, 0, offsetof(tn_solver_type, instance_size),
     offsetof(tn_solver_type, synonyms), missing_in_solver, KEYS("type")},
    {TN_LINEAR_KIND, offsetof(tn_linear_type, create), sizeof(tn_linear_type), 0, 0, 0, 0, 0,
     missing_in_linear, NO_KEYS},
    {TN_WRITER_KIND, offsetof(tn_writer_type, open), sizeof(tn_writer_type), 0, 0, 0, 0, 0, missing_in_writer,
     NO_KEYS},
    {TN_FUNCTION_KIND, offsetof(tn_function_type, prepare), sizeof(tn_function_type),
     offsetof(tn_function_type, parameters), 0, 0, offsetof(tn_function_type, instance_size), 0,
     missing_in_function, KEYS("name", "type", "id", "when", "file", "columns")},
    {TN_SCRIPT_KIND, offsetof(tn_script_type, open), sizeof(tn_script_type), 0, 0, 0, 0, 0, missing_in_script,
     NO_KEYS},
};

size_t tn_kind_count(void) { return sizeof kinds / sizeof kinds[0]; }

const tn_kind *tn_kind_at(size_t index) { return &kinds[index]; }

const tn_kind *tn_kind_find(const char *key)
{
    for (size_t i = 0; i < tn_kind_count(); i++)
        if (!strcmp(kinds[i].key, key)) return &kinds[i];
    return NULL;
}

uint32_t tn_type_size(const void *type) { return ((const type_head *)type)->struct_size; }

/* The pointer that stands `offset` bytes into the type. */
static const void *pointer_at(const void *type, size_t offset)
{
    const void *pointer = NULL;
    if (offset) memcpy(&pointer, (const char *)type + offset, sizeof pointer);
    return pointer;
}

tn_description tn_type_description(const tn_kind *kind, const void *type)
{
    const type_head *head = type;
    tn_description description = {.name = head->name,
                                  .summary = head->summary,
                                  .formula = head->formula,
                                  .literature = head->literature,
                                  .parameters = pointer_at(type, kind->parameters),
                                  .ports = pointer_at(type, kind->ports),
                                  .outputs = pointer_at(type, kind->outputs),
                                  .synonyms = pointer_at(type, kind->synonyms)};
    if (kind->instance_size)
        memcpy(&description.instance_size, (const char *)type + kind->instance_size, sizeof(size_t));
    return description;
}

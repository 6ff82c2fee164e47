/* trespassing_lists.c - types that tell something of their instances, and write where nothing is theirs as they do */
#include "trespassing.h"

/* ---- a body with outputs, and units, of its own ---------------------------------------------------------- */

enum way { NOTHING, LIST, UNIT, BEHIND };

typedef struct counter {
    double mass;
    int32_t way, reserved;
} counter;

static const tn_parameter counter_parameters[] = {{.name = "mass",
                                                   .meaning = "of it",
                                                   .unit = "kg",
                                                   .standard = 1.0,
                                                   .high = TN_UNBOUNDED,
                                                   .offset = offsetof(counter, mass),
                                                   .kind = TN_KIND_REAL,
                                                   .count = 1},
                                                  {.name = "way",
                                                   .meaning = "what is wrong",
                                                   .unit = "",
                                                   .detail = "nothing|list|unit|behind",
                                                   .high = 3.0,
                                                   .offset = offsetof(counter, way),
                                                   .kind = TN_KIND_CHOICE,
                                                   .count = 1},
                                                  {0}};
static const tn_output own_outputs[] = {{"pair", "one and two", "", 2, 0}, {0}};
static const tn_output no_outputs[] = {{0}};

static tn_status lay_out(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nq = layout->nv = 1;
    return TN_OK;
}

static void change(const void *instance, int32_t way)
{
    counter *self = writable(instance);
    if (self->way == way) self->mass += 1.0;
}

static const char *unit(const void *instance, uint32_t number)
{
    (void)number;
    change(instance, UNIT);
    return "m";
}

static const tn_output *outputs(const tn_host *host, const void *instance)
{
    (void)host;
    change(instance, LIST);
    return own_outputs;
}

static tn_status mass(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->mass[i] = 1.0;
    return TN_OK;
}

static tn_status output(tn_batch *batch)
{
    for (uint32_t i = 0; i < 2 * batch->count; i++)
        batch->value[i] = 1.0 + i % 2;
    const counter *last = tn_instance(batch, batch->first + batch->count - 1);
    if (last->way == BEHIND) batch->value[2 * batch->count] = 3.0;
    return TN_OK;
}

static const tn_body_capability body = {
    .struct_size = sizeof(tn_body_capability), .mass = mass, .velocity_unit = unit};
static const tn_capability body_capabilities[] = {{TN_BODY_KEY, &body}, {NULL, NULL}};
static const tn_element_type counter_type = {.struct_size = sizeof(tn_element_type),
                                             .name = "counter",
                                             .parameters = counter_parameters,
                                             .instance_size = sizeof(counter),
                                             .summary = "has outputs of its own",
                                             .formula = "-",
                                             .flags = TN_VECTOR_SPACE,
                                             .capabilities = body_capabilities,
                                             .outputs = no_outputs,
                                             .layout = lay_out,
                                             .output = output,
                                             .instance_outputs = outputs};

/* ---- a variable ------------------------------------------------------------------------------------------ */

typedef struct variable {
    double value;
} variable;

static const tn_parameter variable_parameters[] = {{.name = "value",
                                                    .meaning = "its expression",
                                                    .unit = TN_ANY_UNIT,
                                                    .low = -TN_UNBOUNDED,
                                                    .high = TN_UNBOUNDED,
                                                    .offset = offsetof(variable, value),
                                                    .kind = TN_KIND_REAL,
                                                    .count = 1,
                                                    .flags = TN_REQUIRED | TN_DYNAMIC},
                                                   {0}};

static tn_status kind_of(const tn_host *host, const void *instance, uint32_t reads_itself,
                         tn_variable_kind *kind)
{
    (void)host, (void)instance, (void)reads_itself;
    kind[0] = kind[1] = TN_EXPLICIT;
    return TN_OK;
}

static const tn_variable_capability has_kind = {.struct_size = sizeof(tn_variable_capability),
                                                .variable_kind = kind_of};
static const tn_capability variable_capabilities[] = {{TN_VARIABLE_KEY, &has_kind}, {NULL, NULL}};
static const tn_element_type variable_type = {.struct_size = sizeof(tn_element_type),
                                              .name = "wide_variable",
                                              .parameters = variable_parameters,
                                              .instance_size = sizeof(variable),
                                              .summary = "has two kinds",
                                              .formula = "-",
                                              .capabilities = variable_capabilities};

TN_LIBRARY("trespassing_lists", "1.2.3", "Apache-2.0", "for tests of guarded runs",
           {TN_ELEMENT_KIND, &counter_type}, {TN_ELEMENT_KIND, &variable_type})

/* lists.c - named lists of values: arrays, inputs and outputs of a plant; blocks that hand their inputs on */
#include "control.h"

#include <tenon/kit/drawing.h>

enum { MOST_VALUES = CONTROL_MOST_OUTPUTS };

#define REFERENCE_ARRAY(P)                                                                                 \
    P(PRIVATE, const control_block *, block)                                                               \
    P(REALS, values, MOST_VALUES, 0, TN_ANY_UNIT, TN_DYNAMIC | TN_REQUIRED | TN_FEWER, 0.0, -TN_UNBOUNDED, \
      TN_UNBOUNDED, "numbers and expressions, such as \"VARVAL(angle)\"; number 1 is the first one")
TN_PARAMETERS(reference_array, REFERENCE_ARRAY)

static tn_status list_prepare(const tn_host *host, void *instance)
{
    reference_array *self = instance;
    const control_sampling continuous = {.period = (double)NAN};
    if (self->block) return TN_OK;
    control_block *block = host->allocate(host, sizeof *block);
    if (!block) return TN_OUT_OF_MEMORY;
    block->input = offsetof(reference_array, values);
    while (block->inputs < MOST_VALUES && !isnan(self->values[block->inputs]))
        block->inputs++;
    block->outputs = block->inputs;
    double *identity = tn_control_numbers(host, (size_t)block->outputs * block->inputs);
    if (!identity) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < block->outputs; k++)
        identity[(size_t)k * block->inputs + k] = 1.0;
    block->A = block->B = block->C = block->D = identity;
    const tn_status status = tn_control_complete(host, block, &continuous);
    if (status == TN_OK) self->block = block;
    return status;
}

TN_DRAWS_NOTHING(block)
TN_OUTPUTS(list, {"output", "its values", "", 1, 0})

#define LIST_FIELDS                                                                                    \
    TN_CAPABILITIES(TN_HAS(readable, .readable_count = tn_control_count, .readable_by = tn_control_by, \
                           .readable = tn_control_readable,                                            \
                           .readable_tangent = tn_control_readable_tangent),                           \
                    TN_HAS_DRAWING(block)),                                                            \
        .prepare = list_prepare, .flags = TN_FIXED_NAMES, .outputs = list_outputs,                     \
        .output = tn_control_output, .instance_outputs = tn_control_outputs

/* They differ in their names only. */
typedef reference_array plant_input, plant_output;
#define plant_input_parameters reference_array_parameters
#define plant_output_parameters reference_array_parameters

TN_SYNONYMS(reference_array, {"array", NULL, NULL}, {"variable_id_list", "values", NULL})
TN_ELEMENT(reference_array, .summary = "list of values by a name", .formula = "ARYVAL(name, k) = values[k]",
           .synonyms = reference_array_synonyms, LIST_FIELDS)
TN_SYNONYMS(plant_input, {"control_plantinput", NULL, NULL}, {"pinput", NULL, NULL},
            {"variable_id_list", "values", NULL})
TN_ELEMENT(plant_input, .summary = "list of what a controller gives to a plant",
           .formula = "PINVAL(name, k) = values[k]", .synonyms = plant_input_synonyms, LIST_FIELDS)
TN_SYNONYMS(plant_output, {"control_plantoutput", NULL, NULL}, {"poutput", NULL, NULL},
            {"variable_id_list", "values", NULL})
TN_ELEMENT(plant_output, .summary = "list of what a plant shows to a controller",
           .formula = "POUVAL(name, k) = values[k]", .synonyms = plant_output_synonyms, LIST_FIELDS)

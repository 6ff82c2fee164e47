/* reference_variable.c - a number that an expression of time, of the motion of markers and of other variables gives */
#include <tenon/author.h>

#define REFERENCE_VARIABLE(P) \
    P(REAL, expression, TN_ANY_UNIT, TN_DYNAMIC | TN_REQUIRED, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "v")

TN_PARAMETERS(reference_variable, REFERENCE_VARIABLE)

#if TN_VALUES

TN_OUTPUTS(reference_variable, {"value", "of the variable", "", 1, 0})

static tn_status reference_variable_output(tn_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        batch->value[i] = ((const reference_variable *)tn_instance(batch, batch->first + i))->expression;
    return TN_OK;
}

TN_ELEMENT(reference_variable, .flags = TN_VARIABLE, .summary = "variable given by an expression",
           .formula = "v = expression", .outputs = reference_variable_outputs,
           .output = reference_variable_output)
TN_LIBRARY("reference_variable", "1.0.0", "Apache-2.0", "variables of expressions",
           {TN_ELEMENT_KIND, &reference_variable_type})

#endif

/* defaults.c - what an instance holds where a model gives nothing, by the table of its type */
#include "model/builder.h"

#include <math.h>

void tn_parameter_set_default(const tn_parameter *parameter, void *instance)
{
    void *place = (char *)instance + parameter->offset;
    switch (parameter->kind) {
    case TN_KIND_REAL:
        for (uint32_t k = 0; k < parameter->count; k++)
            ((double *)place)[k] = parameter->flags & TN_OPTIONAL ? (double)NAN : parameter->standard;
        break;
    case TN_KIND_ROTATION:
        for (int k = 0; k < 9; k += 4)
            ((double *)place)[k] = 1.0;
        break;
    case TN_KIND_INTEGER:
        *(int64_t *)place = (int64_t)parameter->standard;
        break;
    case TN_KIND_BOOLEAN:
    case TN_KIND_CHOICE:
        for (uint32_t k = 0; k < parameter->count; k++)
            ((int32_t *)place)[k] = (int32_t)parameter->standard;
        break;
    default:
        break; /* texts, files and callables are NULL, lists empty */
    }
}

void tn_parameters_set_defaults(const tn_parameter *parameters, void *instance)
{
    for (const tn_parameter *p = parameters; p && p->name; p++)
        tn_parameter_set_default(p, instance);
}

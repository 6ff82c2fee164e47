/* parameters.c - from what a model gives to the memory of an instance, guided by the type's table of parameters */
#include "model/builder.h"

#include <math.h>
#include <string.h>

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

bool tn_parameter_admits(const tn_parameter *parameter, double value, char *words, size_t size)
{
    const bool low = parameter->flags & TN_ABOVE_LOW ? value > parameter->low : value >= parameter->low;
    const bool high = parameter->flags & TN_BELOW_HIGH ? value < parameter->high : value <= parameter->high;
    if (low && high) return true;
    const char *above = parameter->flags & TN_ABOVE_LOW ? "larger than" : "at least";
    const char *below = parameter->flags & TN_BELOW_HIGH ? "smaller than" : "at most";
    (void)tn_print_cut(words, size, "%g is out of range: it must be %s %g", value, low ? below : above,
                       low ? parameter->high : parameter->low);
    return false;
}

int32_t tn_parameter_choice(const tn_parameter *parameter, const char *word, size_t length)
{
    int32_t index = 0;
    for (const char *known = parameter->detail; *known; known += *known == '|', index++) {
        const size_t size = strcspn(known, "|");
        if (size == length && strncmp(known, word, length) == 0) return index;
        known += size;
    }
    return -1;
}

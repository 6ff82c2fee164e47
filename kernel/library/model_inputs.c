/* model_inputs.c - inputs of a model of the library: numbers that its expressions read, set between steps */
#include "library/library.h"

#include "values/value_graph.h"

#include <math.h>
#include <string.h>

size_t tenon_input_count(const tenon_model *model)
{
    return model->study.model ? tn_input_count(model->study.model) : 0;
}

const char *tenon_input_name(const tenon_model *model, size_t number)
{
    return number < tenon_input_count(model) ? tn_input_at(model->study.model, number).name : NULL;
}

const char *tenon_input_unit(const tenon_model *model, size_t number)
{
    return number < tenon_input_count(model) ? tn_input_at(model->study.model, number).unit : NULL;
}

tenon_status tenon_input_find(const tenon_model *model, const char *name, size_t *number)
{
    for (size_t k = 0; k < tenon_input_count(model); k++)
        if (strcmp(tenon_input_name(model, k), name) == 0) {
            *number = k;
            return TENON_OK;
        }
    return TENON_REFUSED;
}

static tenon_status find_input(tenon_model *model, size_t number)
{
    const tenon_status status = tn_library_enter(model);
    if (status != TENON_OK || number < tenon_input_count(model)) return status;
    return tn_library_say(model, TENON_REFUSED, "there is no input number %zu", number);
}

tenon_status tenon_input(tenon_model *model, size_t number, double *value)
{
    const tenon_status status = find_input(model, number);
    if (status == TENON_OK) *value = tn_input_at(model->study.model, number).value;
    return status;
}

/* Before the start nothing has been evaluated with it; behind that the solver goes on from it, or all is as it was. */
static tenon_status write_input(tenon_model *model, size_t number, double value)
{
    tenon_status status = find_input(model, number);
    if (status != TENON_OK) return status;
    if (!isfinite(value))
        return tn_library_say(model, TENON_REFUSED, "the value of an input is a finite number");
    if (model->phase == TN_ENDED) return tn_library_say(model, TENON_REFUSED, "the run has ended");
    tn_model *read = model->study.model;
    const double before = tn_input_at(read, number).value;
    tn_input_set(read, number, value);
    if (model->phase == TN_OPENED) return TENON_OK;
    status = tn_library_go_on(model);
    if (status != TENON_REFUSED) return status;
    tn_input_set(read, number, before);
    return tn_library_go_back(model, true);
}

tenon_status tenon_set_input(tenon_model *model, size_t number, double value)
{
    return tn_library_call(model, write_input(model, number, value));
}

/* model_parameters.c - parameters of a model of the library: read, and changed as a [[change]] would */
#include "library/library.h"

#include "changes/changes.h"

#include <string.h>

/* ---- paths ------------------------------------------------------------------------------------------------ */

/* A parameter of an item. */
typedef struct subject {
    uint32_t item;
    const tn_parameter *parameter;
} subject;

static bool holds_numbers(const tn_parameter *parameter)
{
    return parameter->kind == TN_KIND_REAL || parameter->kind == TN_KIND_INTEGER ||
           parameter->kind == TN_KIND_BOOLEAN;
}

/* "item.parameter"; names of items in parts have dots, too. */
static tenon_status find_subject(tenon_model *model, const char *path, subject *found)
{
    const tn_model *read = model->study.model;
    const char *dot = strrchr(path, '.'), *name = dot ? dot + 1 : path;
    char item[TN_LONGEST_REASON];
    (void)snprintf(item, sizeof item, "%.*s", dot ? (int)(dot - path) : 0, path);
    found->item = tn_names_find(&read->names, item);
    if (found->item == TN_NO_NAME)
        return tn_library_say(model, TENON_REFUSED, "`%s`: there is no element or marker `%s`", path, item);
    found->parameter = read->use[read->item[found->item].use].type->parameters;
    while (found->parameter && found->parameter->name && strcmp(found->parameter->name, name) != 0)
        found->parameter++;
    if (!found->parameter || !found->parameter->name)
        return tn_library_say(model, TENON_REFUSED, "`%s`: there is no parameter `%s`", path, name);
    if (!holds_numbers(found->parameter))
        return tn_library_say(model, TENON_REFUSED, "`%s` holds no numbers", path);
    return TENON_OK;
}

/* ---- read ------------------------------------------------------------------------------------------------- */

static tenon_status read_parameter(tenon_model *model, const char *path, double *values, size_t capacity,
                                   size_t *count)
{
    subject s;
    tenon_status status = tenon_start(model);
    if (status == TENON_OK) status = find_subject(model, path, &s);
    if (status != TENON_OK) return status;
    const char *place = (const char *)tn_item_instance(model->study.model, s.item) + s.parameter->offset;
    *count = s.parameter->count;
    for (size_t k = 0; k < *count && k < capacity; k++)
        values[k] = s.parameter->kind == TN_KIND_REAL      ? ((const double *)(const void *)place)[k]
                    : s.parameter->kind == TN_KIND_INTEGER ? (double)((const int64_t *)(const void *)place)[k]
                                                           : ((const int32_t *)(const void *)place)[k];
    return TENON_OK;
}

tenon_status tenon_parameter(tenon_model *model, const char *path, double *values, size_t capacity,
                             size_t *count)
{
    return tn_library_call(model, read_parameter(model, path, values, capacity, count));
}

/* ---- changed ---------------------------------------------------------------------------------------------- */

/* The last error that was told, as the reason. */
static tenon_status refuse_change(tenon_model *model)
{
    tn_diagnostics_publish(model->study.diagnostics);
    return tn_library_say_last_error(model, TENON_REFUSED, "this cannot be changed");
}

/* The parameter's bytes before the change, as a change. */
static tn_change keep_parameters(const tenon_model *model, const tn_change *change)
{
    tn_change kept = *change;
    const tn_model *read = model->study.model;
    const size_t size = read->use[read->item[change->item].use].instance_size;
    kept.instance = tn_new(1, size);
    memcpy(kept.instance, read->settled[change->item], size);
    return kept;
}

/* What an element refuses, or the constraints cannot follow, is taken back. */
static tenon_status make_change(tenon_model *model, tn_change *change)
{
    tn_assembly *assembly = model->study.assembly;
    tn_change before = keep_parameters(model, change);
    tenon_status status =
        tn_change_apply_now(assembly, change) == TN_OK ? tn_library_go_on(model) : refuse_change(model);
    if (status == TENON_REFUSED) {
        status = tn_library_go_back(model, tn_change_apply_now(assembly, &before) == TN_OK);
        assembly->failures.reason[0] = '\0';
    }
    tn_free(before.instance);
    return status;
}

static tenon_status write_parameter(tenon_model *model, const char *path, const double *values, size_t count)
{
    subject s;
    tn_change change = {0};
    tenon_status status = tn_library_stand(model);
    if (status == TENON_OK) status = find_subject(model, path, &s);
    if (status != TENON_OK) return status;
    if (model->phase == TN_ENDED) return tn_library_say(model, TENON_REFUSED, "the run has ended");
    const bool good =
        tn_change_of_numbers(model->study.model, s.item, s.parameter->name, values, count, &change);
    status = good ? make_change(model, &change) : refuse_change(model);
    tn_free(change.instance);
    return status;
}

tenon_status tenon_set_parameter(tenon_model *model, const char *path, const double *values, size_t count)
{
    return tn_library_call(model, write_parameter(model, path, values, count));
}

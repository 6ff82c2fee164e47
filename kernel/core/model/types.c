/* types.c - the types that a model uses */
#include "model/builder.h"

#include <stdio.h>
#include <string.h>

static uint32_t find_use_of(const tn_model *model, const void *type)
{
    for (size_t k = 0; k < model->use_count; k++)
        if (model->use[k].type == type) return (uint32_t)k;
    return TN_NONE;
}

uint32_t tn_use_of(tn_model *model, const char *kind, const void *type)
{
    const uint32_t known = find_use_of(model, type);
    if (known != TN_NONE) return known;
    model->use = tn_grow(model->use, &model->use_capacity, model->use_count + 1, sizeof *model->use);
    tn_use *use = &model->use[model->use_count];
    *use = (tn_use){.type = type};
    if (strcmp(kind, TN_ELEMENT_KIND) == 0)
        use->element = type;
    else
        use->marker = type;
    use->ports = use->element ? use->element->ports : use->marker->ports;
    use->instance_size = use->type->instance_size;
    while (use->ports && use->ports[use->port_count].name)
        use->port_count++;
    return (uint32_t)model->use_count++;
}

/* With what was probably meant: found by its name elsewhere, or left out by the build, else by its letters. */
static void report_unknown_type(tn_model *model, const char *kind, const tn_location *at, const char *name,
                                const char *reason)
{
    char beginning[64];
    (void)snprintf(beginning, sizeof beginning, "unknown %s type ``", kind);
    const tn_reports *reports = &model->reports;
    const bool shows = !reports->shows || reports->shows(reports->data, at->place, beginning);
    char *hint = shows && reports->meant ? reports->meant(reports->data, kind, name) : NULL;
    tn_nearest search;
    tn_nearest_start(&search, name);
    if (shows && !hint) tn_registry_offer(model->registry, kind, &search);
    if (hint)
        tn_model_error(model, at->place, "unknown %s type `%s`: %s `tenon plugins` lists all types", kind,
                       name, hint);
    else if (search.best && strcmp(search.best, name) != 0)
        tn_model_error(model, at->place, "unknown %s type `%s`: did you mean `%s`?", kind, name, search.best);
    else
        tn_model_error(model, at->place, "unknown %s type `%s`: %s; `tenon plugins` lists all types", kind,
                       name, reason);
    tn_free(hint);
}

const void *tn_model_type(tn_model *model, const char *kind, const tn_location *at, const char *name)
{
    char reason[TN_LONGEST_REASON];
    const void *type = tn_registry_find_anywhere(model->registry, kind, name, reason, sizeof reason);
    if (!type) report_unknown_type(model, kind, at, name, reason);
    return type;
}

uint32_t tn_use_named(tn_model *model, const char *kind, const tn_location *at, const char *name)
{
    const void *type = tn_model_type(model, kind, at, name);
    return type ? tn_use_of(model, kind, type) : TN_NONE;
}

bool tn_has_motion(const tn_loaded_element *type) { return type->mass || type->residual; }

bool tn_can_rest(const tn_loaded_element *type)
{
    return (type->ports && type->ports->name) || type->is_variable;
}

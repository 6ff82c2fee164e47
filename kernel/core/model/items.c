/* items.c - elements and markers, with their instances */
#include "model/builder.h"

#include <string.h>

const char *tn_item_name(const tn_model *model, uint32_t item) { return model->names.name[item]; }

void *tn_item_instance(const tn_model *model, uint32_t item) { return model->item[item].instance; }

/* Memory of the next instance of a type: one piece for all that were expected, which may then stay there. */
static void *next_instance(tn_use *use)
{
    if (!use->block && use->expected >= 1.0) {
        use->room = (size_t)use->expected;
        use->block = tn_new_aligned(use->room, use->instance_size);
    }
    const size_t number = use->count - 1;
    if (number < use->room) return (char *)use->block + number * use->instance_size;
    return tn_arena_new(&use->memory, use->instance_size + 1);
}

/* The next one of its type, with an instance. */
static void add_instance(tn_model *model, uint32_t item, const void *prototype)
{
    tn_use *use = &model->use[model->item[item].use];
    model->item[item].index = (uint32_t)use->count;
    TN_APPEND(use->item, use->count, item);
    void *instance = model->item[item].instance = next_instance(use);
    if (prototype)
        memcpy(instance, prototype, use->instance_size);
    else
        tn_parameters_set_defaults(use->type->parameters, instance);
}

void tn_item_refuse(tn_model *model, const tn_origin *origin, uint32_t taken, const char *name)
{
    const tn_place other = model->item[taken].origin->name_place, place = origin->name_place;
    const bool here = strcmp(other.file, place.file) == 0;
    tn_model_error(model, place, "the name `%s` is taken, at %s%s%u", name, here ? "line " : other.file,
                   here ? "" : ":", other.line);
}

/* There is room, with zeros, for the item of the next name: tn_model_release visits all of them. */
static void reserve_item(tn_model *model)
{
    const size_t count = model->names.count;
    model->item = tn_grow_by_one(model->item, count, sizeof *model->item);
    model->item[count] = (tn_item){.instance = NULL};
}

uint32_t tn_item_add(tn_model *model, const tn_origin *origin, const char *name, const void *prototype)
{
    reserve_item(model);
    const uint32_t item = tn_names_add(&model->names, name);
    if (item == TN_NO_NAME) {
        tn_item_refuse(model, origin, tn_names_find(&model->names, name), name);
        return TN_NONE;
    }
    model->item[item] = (tn_item){.origin = origin,
                                  .use = origin->use,
                                  .index = TN_NONE,
                                  .host = TN_NONE,
                                  .marker = {TN_NONE, TN_NONE, TN_NONE, TN_NONE},
                                  .active = origin->active};
    if (!origin->wrong) add_instance(model, item, prototype);
    return item;
}

void tn_item_complete(tn_model *model, uint32_t item)
{
    tn_item *made = &model->item[item];
    if (made->instance)
        made->prepared = tn_instance_prepare(model, &model->use[made->use], tn_item_name(model, item),
                                             made->origin->at, made->instance);
}

/* ---- items without a declaration -------------------------------------------------------------------------- */

static tn_origin *new_origin(tn_model *model, uint32_t use, const tn_location *at)
{
    tn_origin *origin = tn_arena_new(&model->arena, sizeof *origin);
    *origin = (tn_origin){.at = at, .name_place = at->place, .use = use, .active = true};
    return origin;
}

/* A type flagged TN_PRESENT has an instance of its own name without being declared; else NULL. */
static const tn_loaded_element *present_type(tn_model *model, const char *name)
{
    char reason[TN_LONGEST_REASON];
    const tn_loaded_element *type =
        tn_registry_find(model->registry, TN_ELEMENT_KIND, name, reason, sizeof reason);
    return type && type->flags & TN_PRESENT ? type : NULL;
}

bool tn_item_is_present(tn_model *model, const char *name) { return present_type(model, name); }

uint32_t tn_item_present(tn_model *model, const char *name)
{
    static const tn_location nowhere = {{"default", 0, 0}, NULL};
    const tn_loaded_element *type = present_type(model, name);
    if (!type) return TN_NONE;
    const uint32_t declared = tn_names_find(&model->names, name);
    if (declared != TN_NO_NAME) return declared;
    const char *own = tn_arena_text(&model->arena, name, strlen(name));
    const tn_origin *origin = new_origin(model, tn_use_of(model, TN_ELEMENT_KIND, type), &nowhere);
    const uint32_t item = tn_item_add(model, origin, own, NULL);
    tn_item_complete(model, item);
    return item;
}

uint32_t tn_item_make_marker(tn_model *model, const tn_loaded_marker *type, const char *name,
                             const tn_location *at, const uint32_t *count, const uint32_t *marker)
{
    const uint32_t known = tn_names_find(&model->names, name);
    if (known != TN_NO_NAME) return known;
    tn_origin *origin = new_origin(model, tn_use_of(model, TN_MARKER_KIND, type), at);
    const uint32_t ports = model->use[origin->use].port_count;
    uint32_t *first = tn_arena_new(&model->arena, (ports + 1) * sizeof *first);
    for (uint32_t port = 0; port < ports; port++)
        first[port + 1] = first[port] + count[port];
    origin->port_first = first;
    const uint32_t item = tn_item_add(model, origin, name, NULL);
    tn_item_connect(model, item, marker, first[ports]);
    return item;
}

/* own_lists.c - outputs, coordinates and units that instances of a type have of their own */
#include "model/builder.h"
#include "plugin/call_site.h"
#include "plugin/checks.h"

#include <string.h>

/* The list that `function` gives for an item, asked for once; an empty one after reporting a list that is not complete. */
static const tn_output *own_list(tn_model *model, uint32_t item, int number,
                                 const tn_output *(*function)(const tn_host *, const void *),
                                 const char *function_name, const char *what, uint32_t most)
{
    static const tn_output none[] = {{0}};
    tn_use *use = &model->use[model->item[item].use];
    const uint32_t index = model->item[item].index;
    use->own =
        tn_arena_grow(&model->arena, use->own, &use->own_capacity, index + (size_t)1, sizeof *use->own);
    if (tn_known_list(model, item, number)) return tn_known_list(model, item, number);
    const tn_type_head *type = use->type;
    const tn_location *at = model->item[item].origin->at;
    const char *name = tn_item_name(model, item);
    tn_host_point(model, at, name);
    const tn_output *list =
        tn_call_at(type, function_name, name, function(&model->host, tn_item_instance(model, item)));
    tn_host_point(model, NULL, NULL);

    const tn_plugin_file *file = tn_registry_file_of(model->registry, type);
    const tn_loading *loading = tn_registry_loading(model->registry);
    tn_reason reason = {{0}};
    const bool good = list ? !loading->check_list || loading->check_list(list, most, type, &reason)
                           : tn_wrong(&reason, "there is no list");
    if (!good)
        tn_model_error(model, at->place, "the %s of `%s`, by its type %s: %s (plugin %s)", what, name,
                       type->name, reason.text, file ? file->path : "");
    return use->own[index][number] = good ? list : none;
}

const tn_output *tn_outputs_of(tn_model *model, uint32_t item)
{
    enum { MOST_NUMBERS = 1000000 };
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    if (!type->instance_outputs) return type->outputs;
    return own_list(model, item, 0, type->instance_outputs, "instance_outputs", "outputs", MOST_NUMBERS);
}

const tn_output *tn_coordinates_of(tn_model *model, uint32_t item)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    if (!type->instance_coordinates) return type->coordinates;
    return own_list(model, item, 1, type->instance_coordinates, "instance_coordinates", "coordinates", 1);
}

const char *tn_velocity_unit(const tn_loaded_element *type, const void *instance, uint32_t number)
{
    const char *unit = type->velocity_unit    ? tn_call(type, velocity_unit, instance, number)
                       : type->velocity_units ? type->velocity_units[number]
                                              : NULL;
    return unit ? unit : "";
}

/* own_lists.c - outputs, coordinates and units that instances of a type have of their own */
#include "model/builder.h"
#include "plugin/call_site.h"
#include "plugin/checks.h"

#include <string.h>

static const tn_loaded_element *type_of(const tn_model *model, uint32_t item)
{
    return model->use[model->item[item].use].element;
}

/* An empty list after reporting one that is not complete. */
static const tn_output *check(tn_model *model, uint32_t item, const tn_output *list, const char *what,
                              uint32_t most)
{
    static const tn_output none[] = {{0}};
    const tn_loaded_element *type = type_of(model, item);
    const tn_plugin_file *file = tn_registry_file_of(model->registry, type);
    const tn_loading *loading = tn_registry_loading(model->registry);
    tn_reason reason = {{0}};
    const bool good = list ? !loading->check_list || loading->check_list(list, most, type->name, &reason)
                           : tn_wrong(&reason, "there is no list");
    if (good) return list;
    tn_model_error(model, model->item[item].origin->at->place,
                   "the %s of `%s`, by its type %s: %s (plugin %s)", what, tn_item_name(model, item),
                   type->name, reason.text, file ? file->path : "");
    return none;
}

const tn_output *tn_outputs_of(tn_model *model, uint32_t item)
{
    enum { MOST_NUMBERS = 1000000 };
    const tn_loaded_element *type = type_of(model, item);
    const tn_output **own = &model->item[item].outputs;
    if (!type->instance_outputs) return type->outputs;
    if (*own) return *own;
    tn_host_point(model, model->item[item].origin->at, tn_item_name(model, item));
    const tn_output *list = tn_call_for(tn_item_name(model, item), type, instance_outputs, &model->host,
                                        tn_item_instance(model, item));
    tn_host_point(model, NULL, NULL);
    return *own = check(model, item, list, "outputs", MOST_NUMBERS);
}

const tn_output *tn_coordinates_of(tn_model *model, uint32_t item)
{
    const tn_loaded_element *type = type_of(model, item);
    const tn_output **own = &model->item[item].coordinates;
    if (!type->instance_coordinates) return type->coordinates;
    if (*own) return *own;
    tn_host_point(model, model->item[item].origin->at, tn_item_name(model, item));
    const tn_output *list = tn_call_for(tn_item_name(model, item), type, instance_coordinates, &model->host,
                                        tn_item_instance(model, item));
    tn_host_point(model, NULL, NULL);
    return *own = check(model, item, list, "coordinates", 1);
}

const char *tn_velocity_unit(const tn_loaded_element *type, const void *instance, uint32_t number)
{
    const char *unit = type->velocity_unit    ? tn_call(type, velocity_unit, instance, number)
                       : type->velocity_units ? type->velocity_units[number]
                                              : NULL;
    return unit ? unit : "";
}

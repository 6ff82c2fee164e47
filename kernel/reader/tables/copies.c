/* copies.c - copies of elements and markers, with what their tables say in their instances */
#include "tables/tables.h"
#include "values/value_graph.h"

/* A user's function that reads the state, or switches between branches. */
static bool is_watched(tn_model *model, const tn_fill_step *step)
{
    return step->kind == TN_STEP_CALLABLE && (tn_quantity_changes(&model->reader->source, &step->quantity) ||
                                              tn_expression_switch_count(step->quantity.expression) > 0);
}

void tn_item_add_dynamics(tn_model *model, const tn_filler *filler, uint32_t item, const void *instance)
{
    for (size_t k = 0; k < filler->count; k++) {
        const tn_fill_step *step = &filler->step[k];
        const bool function = is_watched(model, step);
        if (step->kind != TN_STEP_DYNAMIC && !function) continue;
        tn_dynamic_value dynamic = {.live = tn_live_begin(model, &step->quantity),
                                    .item = item,
                                    .parameter = step->parameter,
                                    .offset =
                                        step->parameter->offset + step->component * (uint32_t)sizeof(double)};
        if (function) dynamic.live.inputs = tn_user_function_at(instance, dynamic.offset)->inputs;
        tn_dynamic_add(model, &dynamic);
    }
}

/* Whether a copy can have a name; one that is none is reported, and serves all the same. */
static bool check_name(tn_model *model, const tn_template *origin, const char *name, const char *full)
{
    const uint32_t taken = tn_names_find(&model->names, full);
    if (!tn_name_check(&model->reader->source, origin->name.node->place, name))
        model->reader->incomplete = true;
    else if (taken != TN_NO_NAME)
        tn_item_refuse(model, &origin->base, taken, name);
    return taken == TN_NO_NAME;
}

/* Adds the next instance of a type, fills it and lets the type check it. */
static uint32_t make_copy(tn_model *model, const tn_template *origin, const char *name)
{
    const char *full = tn_part_name(model, name);
    if (!check_name(model, origin, name, full)) return TN_NONE;
    const uint32_t item = tn_item_add(model, &origin->base, full, origin->filler.prototype);
    char id[32];
    if (tn_template_id(model, origin, id, sizeof id) && !origin->base.wrong)
        tn_item_add_id(model, item, id, origin->id.node->key_place);
    void *instance = tn_item_instance(model, item);
    if (!instance) return item;
    const tn_loaded_element *type = model->use[origin->base.use].element;
    const size_t before = tn_error_count(model->reader->diagnostics), unknown = model->reader->source.unknown;
    tn_filler_vary(&model->reader->source, &origin->filler, instance);
    if (type) tn_part_place(model, origin->base.at, type, instance);
    tn_item_add_dynamics(model, &origin->filler, item, instance);
    const bool whole = !origin->filler.unknown && model->reader->source.unknown == unknown;
    if (whole && tn_error_count(model->reader->diagnostics) == before) tn_item_complete(model, item);
    return item;
}

void tn_item_make(tn_model *model, tn_template *origin, void *data)
{
    tn_made *made = data;
    const char *name = tn_pattern_expand(&model->reader->source, &origin->name);
    model->reader->source.item = name;
    const uint32_t item = name ? make_copy(model, origin, name) : TN_NONE;
    TN_APPEND(made->item, made->count, item);
    model->reader->source.item = NULL;
    if (!name) model->reader->incomplete = true;
}

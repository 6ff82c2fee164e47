/* shapes.c - elements learn the shapes of their markers (tenon/draft/shapes.h) */
#include "tables/tables.h"

/* The shape of a declared marker; NULL where its type is none, or after reporting. */
static const tn_shape *read_shape(tn_model *model, uint32_t item)
{
    const tn_item *marker = &model->item[item];
    const tn_loaded_marker *type = model->use[marker->use].marker;
    if (!type || !type->shape || marker->host == TN_NONE) return NULL;
    tn_shape *shape = tn_arena_new(&model->arena, sizeof *shape);
    shape->struct_size = sizeof *shape;
    const char *name = tn_item_name(model, item);
    if (tn_call_setup(model, marker->origin->at, name, type, shape, &model->host, marker->instance, shape) !=
        TN_OK)
        return NULL;
    shape->name = name;
    shape->body = marker->host;
    shape->fixed = !tn_has_motion(model->use[model->item[marker->host].use].element);
    return shape;
}

/* By runtime marker: the shapes of declared markers that elements are connected to. */
static const tn_shape **read_shapes(tn_model *model)
{
    const tn_shape **shape = tn_new(model->marker_count + 1, sizeof *shape);
    for (uint32_t k = 0; k < model->names.count; k++) {
        const uint32_t frame = model->item[k].index == TN_NONE ? TN_NONE : model->item[k].marker[TN_FRAME];
        if (frame != TN_NONE && model->use[model->item[k].use].marker) shape[frame] = read_shape(model, k);
    }
    return shape;
}

static void tell_shapes(tn_model *model, uint32_t item, const tn_shape **shape)
{
    const tn_loaded_element *type = model->use[model->item[item].use].element;
    uint32_t count = 0;
    const uint32_t *marker = tn_markers_at(model, item, &count);
    const tn_shape **own = tn_arena_new(&model->arena, (count + 1) * sizeof *own);
    for (uint32_t k = 0; k < count; k++)
        own[k] = shape[marker[k]];
    (void)tn_call_setup(model, model->item[item].origin->at, tn_item_name(model, item), type, shapes,
                        &model->host, tn_item_instance(model, item), count, own);
}

void tn_shapes_connect(tn_model *model)
{
    bool asked = false;
    for (size_t k = 0; k < model->use_count; k++)
        asked = asked || (model->use[k].element && model->use[k].element->shapes && model->use[k].count);
    if (!asked || tn_error_count(model->reader->diagnostics)) return;
    const tn_shape **shape = read_shapes(model);
    for (size_t k = 0; k < model->use_count; k++)
        for (size_t i = 0; model->use[k].element && model->use[k].element->shapes && i < model->use[k].count;
             i++)
            tell_shapes(model, model->use[k].item[i], shape);
    tn_free(shape);
}

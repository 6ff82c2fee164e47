/* builder.c - a new model, its order, and its end */
#include "model/builder.h"

tn_model *tn_model_new(tn_registry *registry, const tn_reports *reports)
{
    tn_model *model = tn_new(1, sizeof *model);
    model->registry = registry;
    model->reports = *reports;
    tn_host_prepare(model);
    return model;
}

void tn_model_order(tn_model *model)
{
    tn_derived_order(model);
    tn_markers_check(model);
}

void tn_model_free(tn_model *model)
{
    if (!model) return;
    tn_instances_release(model);
    tn_free(model->owned);
    for (size_t k = 0; k < model->use_count; k++) {
        tn_use *use = &model->use[k];
        tn_arena_free(&use->memory);
        tn_free(use->block);
        tn_free(use->item);
        tn_free(use->marker_start);
        tn_free(use->marker_index);
    }
    tn_names_free(&model->names);
    tn_free(model->use);
    tn_free(model->item);
    tn_free(model->marker);
    tn_free(model->derived);
    tn_free(model->sensor);
    tn_arena_free(&model->arena);
    tn_free(model);
}

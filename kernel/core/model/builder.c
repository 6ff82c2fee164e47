/* builder.c - a new model, its order, and its end */
#include "model/builder.h"

#include <stdlib.h>

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
    free(model->owned);
    for (size_t k = 0; k < model->use_count; k++) {
        tn_use *use = &model->use[k];
        tn_arena_free(&use->memory);
        free(use->block);
        free(use->item);
        free(use->marker_start);
        free(use->marker_index);
    }
    tn_names_free(&model->names);
    free(model->use);
    free(model->item);
    free(model->marker);
    free(model->derived);
    free(model->sensor);
    tn_arena_free(&model->arena);
    free(model);
}

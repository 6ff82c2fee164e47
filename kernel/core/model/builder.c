/* builder.c - a new model */
#include "model/builder.h"

tn_model *tn_model_new(tn_registry *registry, const tn_reports *reports)
{
    tn_model *model = tn_new(1, sizeof *model);
    model->registry = registry;
    model->reports = *reports;
    tn_host_prepare(model);
    return model;
}

/* data.c - discrete data of elements: renewed where the iterations of an implicit step converged, kept at accepted steps */
#include "system/data.h"

#include "system/accept.h"
#include "system/turns.h"

#include <string.h>

static tn_status update_data(tn_system *system, double step, double *error, double *recommended_step)
{
    tn_assembly *assembly = (tn_assembly *)system;
    const bool asks = step == 0.0 && !assembly->data->warned;
    *error = *recommended_step = 0.0;
    tn_status status = tn_evaluate_markers(assembly);
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        tn_group *group = &assembly->group[k];
        tn_batch *batch = &group->batch;
        if (!group->type->update) continue;
        group->failure = (tn_failure){0};
        batch->time = system->time;
        batch->step = step;
        batch->error = batch->recommended_step = 0.0;
        status = tn_call(group->type, update, batch);
        batch->step = assembly->turns->since;
        if (status != TN_OK) return tn_refused(assembly, group, status);
        *error += batch->error;
        if (batch->recommended_step > 0.0 &&
            (*recommended_step == 0.0 || batch->recommended_step < *recommended_step))
            *recommended_step = batch->recommended_step;
        /* what an element expects trouble with; of many alike the first one speaks */
        if (asks && group->failure.message) tn_tell_of_element(assembly, group, false);
    }
    if (step == 0.0) assembly->data->warned = true;
    return status;
}

static void restore_data(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    memcpy(assembly->data->now, assembly->data->kept, assembly->data->size * sizeof *assembly->data->now);
}

void tn_data_keep(tn_assembly *assembly)
{
    memcpy(assembly->data->kept, assembly->data->now, assembly->data->size * sizeof *assembly->data->now);
}

void tn_data_build(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    assembly->data->kept = tn_assembly_new(assembly, assembly->data->size, sizeof(double));
    tn_data_keep(assembly);
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].type->update) system->switching = 1;
    system->update = update_data;
    system->restore_data = restore_data;
}

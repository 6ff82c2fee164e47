/* configuration.c - rates, increments and normalisation of the configuration, group by group */
#include "system/configuration.h"

#include "system/block_calls.h"

#include <string.h>

tn_status tn_system_rate(tn_system *system, double *rate)
{
    tn_assembly *assembly = (tn_assembly *)system;
    tn_status worst = TN_OK;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (!group->batch.layout->nq) continue;
        tn_batch batch = group->batch;
        batch.rate = rate + group->q_start;
        if (group->type->flags & TN_VECTOR_SPACE)
            memcpy(batch.rate, batch.v, sizeof(double) * batch.layout->nv * batch.count);
        else
            worst = tn_worse(worst, tn_call_in_blocks(assembly, group, &batch, group->type->rate, "rate"));
    }
    return worst;
}

tn_status tn_system_retract(tn_system *system, const double *from, const double *increment, double *to)
{
    tn_assembly *assembly = (tn_assembly *)system;
    tn_status worst = TN_OK;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (!group->batch.layout->nq) continue;
        tn_batch batch = group->batch;
        batch.q = from + group->q_start;
        batch.increment = increment + group->v_start;
        batch.configuration = to + group->q_start;
        if (group->type->flags & TN_VECTOR_SPACE)
            for (size_t i = 0; i < (size_t)batch.layout->nv * batch.count; i++)
                batch.configuration[i] = batch.q[i] + batch.increment[i];
        else
            worst =
                tn_worse(worst, tn_call_in_blocks(assembly, group, &batch, group->type->retract, "retract"));
    }
    return worst;
}

tn_status tn_system_normalise(tn_system *system, double *q)
{
    tn_assembly *assembly = (tn_assembly *)system;
    tn_status worst = TN_OK;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (!group->batch.layout->nq || group->type->flags & TN_VECTOR_SPACE || !group->type->normalise)
            continue;
        tn_batch batch = group->batch;
        batch.configuration = q + group->q_start;
        worst =
            tn_worse(worst, tn_call_in_blocks(assembly, group, &batch, group->type->normalise, "normalise"));
    }
    return worst;
}

static void copy_vector(const tn_group *group, const double *vector, double *result)
{
    if (result == vector) return;
    memcpy(result + group->v_start, vector + group->v_start,
           sizeof(double) * group->batch.layout->nv * group->batch.count);
}

static void transport_group(const tn_assembly *assembly, tn_group *group, const double *from,
                            const double *to, const double *vector, double *result, const double *second,
                            double *second_result)
{
    tn_batch batch = group->batch;
    batch.q = from + group->q_start;
    batch.target = to + group->q_start;
    batch.vector[0] = vector + group->v_start;
    batch.transported[0] = result + group->v_start;
    batch.vector[1] = second ? second + group->v_start : NULL;
    batch.transported[1] = second ? second_result + group->v_start : NULL;
    (void)tn_call_in_blocks(assembly, group, &batch, group->type->transport, "transport");
}

void tn_system_transport(tn_system *system, const double *from, const double *to, const double *vector,
                         double *result, const double *second, double *second_result)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (!group->batch.layout->nv) continue;
        if (group->type->transport) {
            transport_group(assembly, group, from, to, vector, result, second, second_result);
            continue;
        }
        copy_vector(group, vector, result);
        if (second) copy_vector(group, second, second_result);
    }
}

/* state_copy.c - states that are gone back to (see causes.h) */
#include "analysis/causes.h"

#include <string.h>

tn_state_copy tn_state_copy_new(tn_assembly *assembly)
{
    const tn_system *system = &assembly->system;
    return (tn_state_copy){.q = tn_assembly_new(assembly, system->nq, sizeof(double)),
                           .v = tn_assembly_new(assembly, system->nv, sizeof(double)),
                           .x = tn_assembly_new(assembly, system->nx, sizeof(double)),
                           .a = tn_assembly_new(assembly, system->nv, sizeof(double)),
                           .lambda = tn_assembly_new(assembly, system->rows, sizeof(double))};
}

void tn_state_copy_take(const tn_assembly *assembly, tn_state_copy *copy)
{
    const tn_system *system = &assembly->system;
    copy->time = system->time;
    memcpy(copy->q, system->q, system->nq * sizeof(double));
    memcpy(copy->v, system->v, system->nv * sizeof(double));
    memcpy(copy->x, system->x, system->nx * sizeof(double));
    memcpy(copy->a, system->a, system->nv * sizeof(double));
    memcpy(copy->lambda, system->lambda, system->rows * sizeof(double));
}

void tn_state_copy_put(tn_assembly *assembly, const tn_state_copy *copy)
{
    tn_system *system = &assembly->system;
    system->time = copy->time;
    memcpy(system->q, copy->q, system->nq * sizeof(double));
    memcpy(system->v, copy->v, system->nv * sizeof(double));
    memcpy(system->x, copy->x, system->nx * sizeof(double));
    memcpy(system->a, copy->a, system->nv * sizeof(double));
    memcpy(system->lambda, copy->lambda, system->rows * sizeof(double));
}

void tn_state_copy_of(const tn_assembly *assembly, const tn_state_copy *from, tn_state_copy *to)
{
    const tn_system *system = &assembly->system;
    to->time = from->time;
    memcpy(to->q, from->q, system->nq * sizeof(double));
    memcpy(to->v, from->v, system->nv * sizeof(double));
    memcpy(to->x, from->x, system->nx * sizeof(double));
    memcpy(to->a, from->a, system->nv * sizeof(double));
    memcpy(to->lambda, from->lambda, system->rows * sizeof(double));
}

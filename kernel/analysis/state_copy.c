/* state_copy.c - states that are gone back to (see causes.h) */
#include "analysis/causes.h"

#include "system/data.h"

#include <tenon/turns.h>

#include <string.h>

static size_t turns_size(const tn_derived *derived)
{
    return derived->kept ? TN_KEPT_DOUBLES * (size_t)derived->batch.count : 0;
}

static size_t kept_size(const tn_assembly *assembly)
{
    size_t size = assembly->data->size;
    for (size_t k = 0; k < assembly->derived_count; k++)
        size += turns_size(&assembly->derived[k]);
    return size;
}

tn_state_copy tn_state_copy_new(tn_assembly *assembly)
{
    const tn_system *system = &assembly->system;
    return (tn_state_copy){.q = tn_assembly_new(assembly, system->nq, sizeof(double)),
                           .v = tn_assembly_new(assembly, system->nv, sizeof(double)),
                           .x = tn_assembly_new(assembly, system->nx, sizeof(double)),
                           .a = tn_assembly_new(assembly, system->nv, sizeof(double)),
                           .lambda = tn_assembly_new(assembly, system->rows, sizeof(double)),
                           .kept = tn_assembly_new(assembly, kept_size(assembly), sizeof(double))};
}

/* What is the same stays untouched: a copy of rest is fresh memory, which takes none. */
static void copy_changed(double *to, const double *from, size_t count)
{
    if (memcmp(to, from, count * sizeof *to) != 0) memcpy(to, from, count * sizeof *to);
}

/* From one to the other, either being the assembly's own. */
static void copy_numbers(const tn_assembly *assembly, const tn_state_copy *from, const tn_state_copy *to)
{
    const tn_system *system = &assembly->system;
    copy_changed(to->q, from->q, system->nq);
    copy_changed(to->v, from->v, system->nv);
    copy_changed(to->x, from->x, system->nx);
    copy_changed(to->a, from->a, system->nv);
    copy_changed(to->lambda, from->lambda, system->rows);
}

static tn_state_copy own_state(const tn_assembly *assembly)
{
    const tn_system *system = &assembly->system;
    return (tn_state_copy){
        .q = system->q, .v = system->v, .x = system->x, .a = system->a, .lambda = system->lambda};
}

void tn_state_copy_take(const tn_assembly *assembly, tn_state_copy *copy)
{
    const tn_state_copy own = own_state(assembly);
    double *kept = copy->kept;
    copy->time = assembly->system.time;
    copy_numbers(assembly, &own, copy);
    if (assembly->data->size) memcpy(kept, assembly->data->now, assembly->data->size * sizeof *kept);
    kept += assembly->data->size;
    for (size_t k = 0; k < assembly->derived_count; k++) {
        const size_t size = turns_size(&assembly->derived[k]);
        if (size) memcpy(kept, assembly->derived[k].kept, size * sizeof *kept);
        kept += size;
    }
}

void tn_state_copy_put(tn_assembly *assembly, const tn_state_copy *copy)
{
    const tn_state_copy own = own_state(assembly);
    const double *kept = copy->kept;
    assembly->system.time = copy->time;
    copy_numbers(assembly, copy, &own);
    if (assembly->data->size) memcpy(assembly->data->now, kept, assembly->data->size * sizeof *kept);
    kept += assembly->data->size;
    for (size_t k = 0; k < assembly->derived_count; k++) {
        const size_t size = turns_size(&assembly->derived[k]);
        if (size) memcpy(assembly->derived[k].kept, kept, size * sizeof *kept);
        kept += size;
    }
}

void tn_state_copy_of(const tn_assembly *assembly, const tn_state_copy *from, tn_state_copy *to)
{
    to->time = from->time;
    copy_numbers(assembly, from, to);
    memcpy(to->kept, from->kept, kept_size(assembly) * sizeof *to->kept);
}

void tn_state_copy_list_state(const tn_assembly *assembly, tn_state_copy *copy, tn_state_visitor *visitor)
{
    const tn_system *system = &assembly->system;
    TN_VISIT(visitor, copy->time);
    tn_visit_numbers(visitor, copy->q, system->nq);
    tn_visit_numbers(visitor, copy->v, system->nv);
    tn_visit_numbers(visitor, copy->x, system->nx);
    tn_visit_numbers(visitor, copy->a, system->nv);
    tn_visit_numbers(visitor, copy->lambda, system->rows);
    tn_visit_numbers(visitor, copy->kept, kept_size(assembly));
}

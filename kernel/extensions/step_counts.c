/* step_counts.c - counts what solvers report of their steps (see step_counts.h) */
#include "extensions/step_counts.h"

static void count_rejected(tn_system *system, uint32_t reason)
{
    tn_step_counts *counts = tn_step_counts_now((tn_assembly *)system);
    if (reason < TN_REJECTIONS) counts->rejected[reason]++;
}

static void count_governed(tn_system *system, uint32_t coordinate)
{
    tn_step_counts *counts = tn_step_counts_now((tn_assembly *)system);
    if (coordinate < system->nv + system->nx) counts->governed[coordinate]++;
}

static uint32_t velocity_of(tn_system *system, uint32_t number)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const uint32_t nq = group->batch.layout->nq, nv = group->batch.layout->nv;
        if (number < group->q_start || number - group->q_start >= group->batch.count * nq) continue;
        const uint32_t i = number - group->q_start;
        return nv ? group->v_start + i / nq * nv + (i % nq < nv ? i % nq : nv - 1) : 0;
    }
    return 0;
}

static void make_counts(tn_assembly *assembly)
{
    const tn_system *system = &assembly->system;
    tn_step_counts *counts = tn_assembly_new(assembly, 1, sizeof *counts);
    counts->governed = tn_assembly_new(assembly, (size_t)system->nv + system->nx, sizeof *counts->governed);
    counts->table = (tn_step_report){.struct_size = sizeof counts->table,
                                     .velocity_of = velocity_of,
                                     .rejected = count_rejected,
                                     .governed = count_governed};
    assembly->extension[TN_STEP_COUNT_EXTENSION] = counts;
}

tn_step_counts *tn_step_counts_of(tn_assembly *assembly)
{
    if (!tn_step_counts_now(assembly)) (void)tn_attempt(tn_memory_now(), make_counts(assembly));
    return tn_step_counts_now(assembly);
}

/* ---- who decided ----------------------------------------------------------------------------------------- */

/* Counts of one instance, all its components together; a group has `width` of each, from `start` on. */
static void look_at_group(const tn_step_counts *counts, const tn_group *group, size_t start, uint32_t width,
                          bool of_state, tn_governor *most)
{
    for (uint32_t i = 0; i < group->batch.count && width; i++) {
        const uint64_t *governed = counts->governed + start + (size_t)i * width;
        uint64_t sum = 0;
        uint32_t largest = 0;
        for (uint32_t k = 0; k < width; k++) {
            sum += governed[k];
            if (governed[k] > governed[largest]) largest = k;
        }
        if (sum <= most->count) continue;
        most->group = group;
        most->instance = i;
        most->coordinate = largest;
        most->of_state = of_state;
        most->count = sum;
    }
}

tn_governor tn_step_governor(tn_assembly *assembly)
{
    tn_governor most = {0};
    const tn_step_counts *counts = tn_step_counts_now(assembly);
    for (size_t i = 0; counts && i < (size_t)assembly->system.nv + assembly->system.nx; i++)
        most.all += counts->governed[i];
    for (size_t k = 0; k < assembly->group_count && counts; k++) {
        const tn_group *group = &assembly->group[k];
        look_at_group(counts, group, group->v_start, group->batch.layout->nv, false, &most);
        look_at_group(counts, group, assembly->system.nv + group->x_start, group->batch.layout->nx, true,
                      &most);
    }
    return most;
}

void tn_step_counts_list_state(tn_assembly *assembly, tn_state_visitor *visitor)
{
    if (!tn_step_counts_now(assembly)) make_counts(assembly);
    tn_step_counts *counts = tn_step_counts_now(assembly);
    TN_VISIT(visitor, counts->rejected);
    visitor->bytes(visitor, counts->governed,
                   ((size_t)assembly->system.nv + assembly->system.nx) * sizeof *counts->governed);
}

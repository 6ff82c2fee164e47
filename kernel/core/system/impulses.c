/* impulses.c - impulses that elements exert on markers at an event, and what they do to the velocities
 *
 * With P the impulses on all coordinates and G the rows of the constraints, which transmit impulses L,
 *
 *     M (v+ - v-) = P + G^T L,     G v+ + dg/dt = 0.
 *
 * An impulse does the work of its product with the mean of the twists before and behind it. */
#include "system/energy_source.h"
#include "system/events.h"
#include "system/markers.h"
#include "system/mass.h"
#include "system/project.h"

#include <math.h>
#include <string.h>

struct tn_impulses {
    double *mean;   /* [twists] twists before, then the mean of those and the ones behind, as in `motion` */
    double *change; /* [nv] of v */
};

void tn_impulses_build(tn_assembly *assembly)
{
    struct tn_impulses *m = assembly->impulses = tn_assembly_new(assembly, 1, sizeof *m);
    m->mean = tn_assembly_new(assembly, assembly->twist_size, sizeof(double));
    m->change = tn_assembly_new(assembly, assembly->system.nv, sizeof(double));
}

/* Slots of types without forces keep what stands in them. The rows of constraints are those of the state. */
tn_status tn_impulses_begin(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    const tn_status status = system->rows ? system->evaluate(system) : TN_OK;
    memset(assembly->wrench, 0, assembly->wrench_size * sizeof *assembly->wrench);
    return status;
}

/* Whether there are impulses, or may be those of rows that an event has changed; one that is no number names its element. */
static tn_status find_impulses(tn_assembly *assembly, bool *any)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t W = group->batch.wrench_size;
        *any = *any || (group->rows && group->type->on_event);
        for (size_t e = 0; group->type->on_event && e < W * group->batch.count; e++) {
            const double impulse = group->batch.wrench[e];
            if (!isfinite(impulse))
                return tn_not_finite(assembly, group, (uint32_t)(e / W), "impulse", impulse);
            *any = *any || impulse != 0.0;
        }
    }
    return TN_OK;
}

static void add_impulses_of_rows(const tn_assembly *assembly, const double *multiplier)
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t W = group->batch.wrench_size, rows = group->rows;
        const double *L = multiplier + group->row_start;
        for (size_t i = 0; rows && i < group->batch.count; i++)
            for (size_t r = 0; r < rows; r++)
                for (size_t c = 0; c < W; c++)
                    group->batch.wrench[i * W + c] += tn_rows_of(group, i)[r * W + c] * L[i * rows + r];
    }
}

/* Twists before become the mean of those and the ones behind. */
static tn_status find_mean(tn_assembly *assembly)
{
    double *mean = assembly->impulses->mean;
    const tn_status status = tn_evaluate_markers(assembly);
    for (size_t e = 0; e < assembly->twist_size; e++)
        mean[e] = 0.5 * (mean[e] + assembly->motion[e]);
    return status;
}

static tn_status apply_impulses(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    const struct tn_impulses *m = assembly->impulses;
    const double *multiplier = NULL;
    tn_status status = TN_OK;
    memcpy(m->mean, assembly->motion, assembly->twist_size * sizeof(double));
    memset(assembly->force, 0, system->nv * sizeof *assembly->force);
    tn_gather_run(assembly);
    status = system->rows ? tn_transmit_impulses(assembly, m->change, &multiplier)
                          : tn_mass_divide(assembly, assembly->force, m->change);
    if (status != TN_OK) return status;
    for (uint32_t i = 0; i < system->nv; i++)
        system->v[i] += m->change[i];
    if (multiplier) add_impulses_of_rows(assembly, multiplier);
    status = find_mean(assembly);
    if (status == TN_OK && system->quadratures)
        assembly->services->energies->impulses(assembly, m->mean, m->change);
    return status;
}

tn_status tn_impulses_act(tn_assembly *assembly)
{
    bool any = false;
    tn_status status = find_impulses(assembly, &any);
    if (status == TN_OK && any) status = apply_impulses(assembly);
    memset(assembly->wrench, 0, assembly->wrench_size * sizeof *assembly->wrench);
    return status;
}

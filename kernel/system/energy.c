/* energy.c - energies and momenta of the whole system */
#include "system/assembly.h"

#include <stdlib.h>
#include <string.h>

double tn_kinetic_energy(const tn_assembly *assembly)
{
    const tn_system *system = &assembly->system;
    double *product = tn_new(system->nv, sizeof *product), twice = 0.0;
    tn_mass_multiply(assembly, system->v, product);
    for (size_t i = 0; i < system->nv; i++)
        twice += system->v[i] * product[i];
    free(product);
    return 0.5 * twice;
}

double tn_potential_energy(tn_assembly *assembly)
{
    double value[TN_CHUNK], sum = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t first = 0; group->type->potential && first < group->batch.count; first += TN_CHUNK) {
            const uint32_t left = group->batch.count - first;
            tn_batch batch = tn_sub_batch(group, first, left < TN_CHUNK ? left : TN_CHUNK);
            batch.time = assembly->system.time;
            batch.value = value;
            if (group->type->potential(&batch) != TN_OK) continue;
            for (uint32_t i = 0; i < batch.count; i++)
                sum += value[i];
        }
    }
    return sum;
}

/* The momentum along a rigid motion u is u^T M v. */
void tn_momenta(tn_assembly *assembly, double momentum[3], double angular_momentum[3])
{
    const tn_system *system = &assembly->system;
    double *product = tn_new(system->nv, sizeof *product), sum[6] = {0.0};
    tn_mass_multiply(assembly, system->v, product);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const size_t nv = group->batch.layout.nv;
        if (!nv || !group->type->rigid_motion) continue;
        double *map = tn_new(TN_CHUNK * nv * 6, sizeof *map);
        for (uint32_t first = 0; first < group->batch.count; first += TN_CHUNK) {
            const uint32_t left = group->batch.count - first;
            tn_batch batch = tn_sub_batch(group, first, left < TN_CHUNK ? left : TN_CHUNK);
            batch.mass = map;
            if (group->type->rigid_motion(&batch) != TN_OK) continue;
            const double *p = product + group->v_start + first * nv;
            for (size_t i = 0; i < batch.count * nv; i++)
                for (size_t c = 0; c < 6; c++)
                    sum[c] += map[6 * i + c] * p[i];
        }
        free(map);
    }
    free(product);
    memcpy(momentum, sum, 3 * sizeof *sum);
    memcpy(angular_momentum, sum + 3, 3 * sizeof *sum);
}

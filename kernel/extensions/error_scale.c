/* error_scale.c - kinds and sizes of coordinates, by the units of their velocities (see error_scale.h) */
#include "extensions/error_scale.h"

#include <string.h>

static uint8_t kind_of(const char *unit)
{
    return strcmp(unit, "m") == 0     ? TN_MOTION_TRANSLATION
           : strcmp(unit, "rad") == 0 ? TN_MOTION_ROTATION
                                      : TN_MOTION_OTHER;
}

/* Numbers of q of one instance. Where they are more than its increments, lengths that lead or trail are taken for such, and what lies
 * between for a rotation. */
static void scale_coordinates(uint32_t nq, uint32_t nv, const uint8_t *kind, const double *of_v, double *of_q)
{
    uint32_t first = 0, last = nq;
    for (uint32_t k = 0; k < nq; k++)
        of_q[k] = 1.0;
    for (; first < nv && first < nq && (nq == nv || kind[first] == TN_MOTION_TRANSLATION); first++)
        of_q[first] = of_v[first];
    for (uint32_t k = nv; last > first && k > first && kind[k - 1] == TN_MOTION_TRANSLATION; k--)
        of_q[--last] = of_v[k - 1];
}

static void scale_group(const tn_assembly *assembly, const tn_group *group, uint8_t *kind, double *coordinate)
{
    const uint32_t nq = group->batch.layout->nq, nv = group->batch.layout->nv;
    for (size_t i = 0; i < group->batch.count; i++) {
        const size_t v_start = group->v_start + i * nv;
        for (uint32_t k = 0; k < nv; k++)
            kind[v_start + k] =
                kind_of(tn_velocity_unit(group->type, tn_instance(&group->batch, (uint32_t)i), k));
        scale_coordinates(nq, nv, kind + v_start, assembly->scale + v_start,
                          coordinate + group->q_start + i * nq);
    }
}

static const tn_error_scale *make_scale(tn_assembly *assembly)
{
    tn_error_scale *scale = tn_assembly_new(assembly, 1, sizeof *scale);
    uint8_t *kind = tn_assembly_new(assembly, assembly->system.nv, sizeof *kind);
    double *coordinate = tn_assembly_new(assembly, assembly->system.nq, sizeof *coordinate);
    for (size_t k = 0; k < assembly->group_count; k++)
        scale_group(assembly, &assembly->group[k], kind, coordinate);
    *scale = (tn_error_scale){.struct_size = sizeof *scale, .kind = kind, .coordinate = coordinate};
    return scale;
}

const tn_error_scale *tn_error_scale_of(tn_assembly *assembly)
{
    const tn_error_scale *volatile scale = NULL;
    (void)tn_attempt(tn_memory_now(), scale = make_scale(assembly));
    return scale;
}

/* statics.c - what solvers that seek an equilibrium ask for (see statics.h)
 *
 * The potential is that of all types that tell one. */
#include "extensions/statics.h"

#include "extensions/motions.h"
#include "system/data.h"

#include <math.h>
#include <string.h>

static inline struct tn_statics_memory *kept(const tn_assembly *assembly)
{
    return assembly->extension[TN_STATICS_EXTENSION];
}

struct tn_statics_memory {
    tn_statics table;
    double gravity[3]; /* of the model, m/s^2 */
};

/* ---- the start ------------------------------------------------------------------------------------------------ */

static tn_status begin(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    tn_status status = system->evaluate(system);
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        tn_group *group = &assembly->group[k];
        if (group->type->accepted) status = tn_worse(tn_call(group->type, accepted, &group->batch), TN_OK);
    }
    if (status == TN_OK) tn_data_keep(assembly);
    return status == TN_OK ? system->evaluate(system) : status;
}

/* ---- potential, gravity ---------------------------------------------------------------------------------- */

static tn_status find_potential(tn_system *system, double *potential)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    double value[TN_CHUNK], sum = 0.0;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t first = 0; group->type->potential && first < group->batch.count; first += TN_CHUNK) {
            tn_batch batch = tn_chunk_from(group, first);
            batch.time = system->time;
            batch.value = value;
            const tn_status status = tn_call(group->type, potential, &batch);
            if (status != TN_OK) return status;
            for (uint32_t i = 0; i < batch.count; i++)
                sum += value[i];
        }
    }
    *potential = sum;
    return isfinite(sum) ? TN_OK : TN_RETRY;
}

static void scale_gravity(tn_system *system, double factor)
{
    tn_assembly *assembly = (tn_assembly *)system;
    for (int c = 0; c < 3; c++)
        assembly->model->gravity[c] = factor * kept(assembly)->gravity[c];
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

static void describe(tn_system *system, const double *direction, char *text, size_t size)
{
    tn_text words = {0};
    text[0] = '\0';
    if (!tn_attempt(tn_memory_now(), tn_add_motion(&words, (const tn_assembly *)system, direction, false)))
        return;
    if (words.letters) (void)tn_print_cut(text, size, "%s", words.letters);
    tn_free(words.letters);
}

static const char *name_owner(tn_system *system, uint32_t coordinate, uint32_t *first, uint32_t *count)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    const tn_group *group = assembly->group;
    while (coordinate - group->v_start >= group->batch.layout->nv * group->batch.count)
        group++;
    const uint32_t nv = group->batch.layout->nv, instance = (coordinate - group->v_start) / nv;
    *first = group->v_start + instance * nv;
    *count = nv;
    return tn_item_name(assembly->model, group->item[instance]);
}

static const char *name_switching(tn_system *system)
{
    const tn_assembly *assembly = (const tn_assembly *)system;
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->type->update && i < group->batch.count; i++)
            if (!group->batch.active || group->batch.active[i])
                return tn_item_name(assembly->model, group->item[i]);
    }
    return NULL;
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

static void make_statics(tn_assembly *assembly)
{
    struct tn_statics_memory *m = tn_assembly_new(assembly, 1, sizeof *m);
    const double *gravity = assembly->model->gravity;
    memcpy(m->gravity, gravity, sizeof m->gravity);
    m->table = (tn_statics){.struct_size = sizeof m->table,
                            .has_gravity = gravity[0] != 0.0 || gravity[1] != 0.0 || gravity[2] != 0.0,
                            .begin = begin,
                            .potential = find_potential,
                            .scale_gravity = scale_gravity,
                            .describe = describe,
                            .owner = name_owner,
                            .switching = name_switching};
    assembly->extension[TN_STATICS_EXTENSION] = m;
}

const tn_statics *tn_statics_of(tn_assembly *assembly)
{
    if (!kept(assembly)) (void)tn_attempt(tn_memory_now(), make_statics(assembly));
    return kept(assembly) ? &kept(assembly)->table : NULL;
}

/* accelerations.c - what markers flagged TN_ACCELERATION tell
 *
 * With J the Jacobian of such a marker and T the derivative of its twist with respect to the increment of q, the time
 * derivative of its twist is J a + T v, body by body. */
#include "values/accelerations.h"

#include "system/matrix.h"

#include <math.h>
#include <string.h>

struct tn_accelerations {
    uint32_t *marker; /* [count] each once */
    size_t count;
    struct told {
        double value, rate[3]; /* of the twist */
    } * told;                  /* [markers] */
    bool in_forces;            /* some dynamic value reads one: they are found in every evaluation */
    bool in_rates;             /* the rate of some state does */
};

static size_t count_calls(const tn_live_value *live)
{
    size_t count = 0;
    for (uint32_t k = 0; k < live->reads; k++)
        count += live->observed[k].kind == TN_OBSERVED_ACCELERATION;
    return count;
}

static void add_calls(struct tn_accelerations *all, const tn_live_value *live)
{
    for (uint32_t k = 0; k < live->reads; k++) {
        size_t known = 0;
        if (live->observed[k].kind != TN_OBSERVED_ACCELERATION) continue;
        while (known < all->count && all->marker[known] != live->observed[k].index)
            known++;
        all->marker[known] = live->observed[k].index;
        if (known == all->count) all->count++;
    }
}

/* Whether a value reads an acceleration, also by way of others; those that are `seen` have been looked at. */
static bool reads_one(const tn_model *model, uint32_t dynamic, bool *seen)
{
    const tn_live_value *live = &model->dynamic[dynamic].live;
    bool found = false;
    if (seen[dynamic]) return false;
    seen[dynamic] = true;
    for (uint32_t k = 0; k < live->reads && !found; k++) {
        const tn_observed *observed = &live->observed[k];
        found = observed->kind == TN_OBSERVED_ACCELERATION;
        if (observed->kind != TN_OBSERVED_VARIABLE) continue;
        uint32_t other = model->first_dynamic[observed->index];
        for (; other != TN_NONE && !found; other = model->next_dynamic[other])
            found = reads_one(model, other, seen);
    }
    return found;
}

static bool rates_read_one(const tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    bool found = false, *seen = tn_new(model->dynamic_count, sizeof *seen);
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; group->batch.layout->nx && i < group->batch.count && !found; i++)
            for (uint32_t d = model->first_dynamic[group->item[i]]; d != TN_NONE; d = model->next_dynamic[d])
                found = found || reads_one(model, d, seen);
    }
    tn_free(seen);
    return found;
}

bool tn_accelerations_are_integrated(const tn_assembly *assembly)
{
    return assembly->read->accelerations && assembly->read->accelerations->in_rates;
}

void tn_accelerations_build(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    size_t in_forces = 0, count = 0;
    for (size_t k = 0; k < model->dynamic_count; k++)
        in_forces += count_calls(&model->dynamic[k].live);
    for (size_t k = 0; k < model->sensor_count; k++)
        count += count_calls(&model->sensor[k].live);
    for (size_t k = 0; k < model->condition_count; k++)
        count += count_calls(&model->condition[k].live);
    if (!(count + in_forces)) return;
    struct tn_accelerations *all = assembly->read->accelerations = tn_new(1, sizeof *all);
    all->marker = tn_new(count + in_forces, sizeof *all->marker);
    all->told = tn_new(model->marker_count, sizeof *all->told);
    all->in_forces = in_forces > 0;
    all->in_rates = rates_read_one(assembly);
    for (size_t k = 0; k < model->dynamic_count; k++)
        add_calls(all, &model->dynamic[k].live);
    for (size_t k = 0; k < model->sensor_count; k++)
        add_calls(all, &model->sensor[k].live);
    for (size_t k = 0; k < model->condition_count; k++)
        add_calls(all, &model->condition[k].live);
}

void tn_accelerations_free(struct tn_accelerations *all)
{
    if (!all) return;
    tn_free(all->marker);
    tn_free(all->told);
    tn_free(all);
}

const double *tn_acceleration_place(const tn_assembly *assembly, uint32_t marker)
{
    return &assembly->read->accelerations->told[marker].value;
}

static void measure(const tn_assembly *assembly, uint32_t marker)
{
    struct told *told = &assembly->read->accelerations->told[marker];
    const tn_derived *derived = &assembly->derived[assembly->derived_of[marker].group];
    const uint32_t index = assembly->derived_of[marker].index, width = tn_twist_size(derived->kind);
    *told = (struct told){0.0};
    for (uint32_t l = derived->leg_start[index]; l < derived->leg_start[index + 1]; l++) {
        const tn_leg *leg = &derived->leg[l];
        const tn_group *owner = &assembly->group[assembly->group_of[leg->item]];
        const size_t body = assembly->index_of[leg->item] * (size_t)owner->batch.layout->nv;
        const size_t nv = leg->columns, first = owner->v_start + body + leg->first;
        const double *v = assembly->system.v + first, *a = assembly->system.a + first;
        for (size_t r = 0; r < width; r++)
            for (size_t j = 0; j < nv; j++)
                told->rate[r] += leg->jacobian[r * nv + j] * a[j] + leg->derivative[r * nv + j] * v[j];
    }
    const double *rate = told->rate;
    told->value = width == 1 ? rate[0] : sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
}

tn_status tn_accelerations_evaluate(tn_assembly *assembly, bool for_outputs)
{
    const struct tn_accelerations *all = assembly->read->accelerations;
    if (!all || !(for_outputs || all->in_forces)) return TN_OK;
    if (!tn_system_pattern(&assembly->system)) return TN_OUT_OF_MEMORY;
    const tn_status status = tn_differentiate_markers(assembly);
    for (size_t k = 0; k < all->count && status == TN_OK; k++)
        measure(assembly, all->marker[k]);
    return status;
}

void tn_acceleration_gradient(const tn_assembly *assembly, uint32_t marker, double *gradient)
{
    const struct told *told = &assembly->read->accelerations->told[marker];
    const uint32_t width = tn_twist_size(assembly->model->marker[marker].kind);
    for (uint32_t r = 0; r < width; r++)
        gradient[r] = width == 1 ? 1.0 : told->value > 0.0 ? told->rate[r] / told->value : 0.0;
}

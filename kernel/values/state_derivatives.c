/* state_derivatives.c - derivatives of values by states that are integrals of expressions, beside those by markers (derivatives.h) */
#include "values/coupling.h"

static bool has_states(const tn_assembly *assembly)
{
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].batch.layout->nx) return true;
    return false;
}

/* The value is one of an element with a force or with states. */
static bool is_asked_for(const tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    const uint32_t number = assembly->group_of[dynamic->item];
    if (number == TN_NONE || !dynamic->live.below_count) return false;
    const tn_group *group = &assembly->group[number];
    return group->batch.layout->nx || (group->force && !group->type->is_variable);
}

void tn_state_derivatives_build(tn_assembly *assembly)
{
    const tn_value_graph *graph = assembly->model->values;
    const uint32_t coupled = assembly->system.coupled_states;
    if (!has_states(assembly)) return;
    assembly->read->reach = tn_assembly_new(assembly, graph->dynamic_count, sizeof *assembly->read->reach);
    const tn_couplings *listed = assembly->read->couplings;
    for (size_t k = 0; listed && k < listed->value_count; k++)
        assembly->read->reach[listed->value[k].dynamic] = listed->value[k].reach;
    for (uint32_t d = 0; d < graph->dynamic_count; d++)
        if (!assembly->read->reach[d].count && is_asked_for(assembly, &graph->dynamic[d]))
            assembly->read->reach[d] = tn_reach_list(assembly, d, false, NULL);
    assembly->system.coupled_states = coupled; // to be asked for is not to be read by forces
}

/* What has come to the integrals among the values that are reached. */
static void take_waiting(const tn_assembly *assembly, tn_reach reach, double *by_state)
{
    const tn_derivatives *memory = assembly->read->derivatives;
    for (size_t k = reach.first; k < reach.first + reach.count; k++) {
        const uint32_t rank = memory->reach[k];
        const tn_dynamic_value *value = tn_value_of_rank(assembly->model->values, rank);
        const double share = memory->waiting[rank];
        memory->waiting[rank] = 0.0;
        if (share == 0.0) continue;
        const tn_group *group = &assembly->group[assembly->group_of[value->item]];
        by_state[group->x_start + assembly->index_of[value->item] * group->batch.layout->nx] += share;
    }
}

tn_status tn_value_differentiate(tn_assembly *assembly, uint32_t dynamic, double *by_state)
{
    tn_sweep sweep = {.assembly = assembly, .memory = assembly->read->derivatives, .state_factor = 1.0};
    const tn_reach reach = assembly->read->reach[dynamic];
    if (!reach.count) return TN_OK;
    const tn_status status = tn_sweep_to_states(&sweep, dynamic, reach);
    take_waiting(assembly, reach, by_state);
    return status;
}

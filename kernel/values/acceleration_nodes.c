/* acceleration_nodes.c - values of markers flagged TN_ACCELERATION
 *
 * With J the Jacobian of such a marker and T the derivative of its twist with respect to the increment of q, the time
 * derivative of its twist is J a + T v, body by body. */
#include "values/derivatives.h"
#include "values/value_units.h"

#include "system/matrix.h"

#include <math.h>
#include <string.h>

struct tn_accelerations {
    uint32_t *marker; /* [count] each once */
    size_t count;
    struct measured {
        bool listed;
        double value, rate[3]; /* of the twist */
    } * measured;              /* [markers] */
};

/* Made where the first acceleration is read. */
static struct tn_accelerations *memory_of_accelerations(tn_assembly *assembly)
{
    if (assembly->read->accelerations) return assembly->read->accelerations;
    struct tn_accelerations *all = assembly->read->accelerations = tn_assembly_new(assembly, 1, sizeof *all);
    all->measured = tn_assembly_new(assembly, assembly->model->marker_count, sizeof *all->measured);
    assembly->reading.accelerations = true;
    return all;
}

static void add_nodes(void *data, tn_live_value *live)
{
    tn_assembly *assembly = data;
    for (uint32_t k = 0; k < live->below_count; k++) {
        const uint32_t marker = live->below[k].node->index;
        if (live->below[k].node->kind != &tn_acceleration_node) continue;
        struct tn_accelerations *all = memory_of_accelerations(assembly);
        if (!all->measured[marker].listed) TN_APPEND(all->marker, all->count, marker);
        all->measured[marker].listed = true;
    }
}

/* Dynamic values that read one: then they are found in every evaluation; among them rates of states. */
void tn_accelerations_build(tn_assembly *assembly)
{
    const tn_value_graph *graph = assembly->model->values;
    tn_visit_live(assembly->model, add_nodes, assembly);
    for (size_t k = 0; k < graph->dynamic_count; k++) {
        if (!(graph->reads[k] & TN_READS_ACCELERATIONS)) continue;
        const tn_group *group = &assembly->group[assembly->group_of[graph->dynamic[k].item]];
        assembly->read->accelerations_in_forces = true;
        if (group->batch.layout->nx) assembly->reading.integrated_accelerations = true;
    }
}

static void find_acceleration(const tn_assembly *assembly, uint32_t marker)
{
    struct measured *measured = &assembly->read->accelerations->measured[marker];
    const tn_derived *derived = &assembly->derived[assembly->derived_of[marker].group];
    const uint32_t index = assembly->derived_of[marker].index, width = tn_twist_size(derived->kind);
    memset(measured->rate, 0, sizeof measured->rate);
    for (uint32_t l = derived->leg_start[index]; l < derived->leg_start[index + 1]; l++) {
        const tn_leg *leg = &derived->leg[l];
        const tn_group *owner = &assembly->group[assembly->group_of[leg->item]];
        const size_t body = assembly->index_of[leg->item] * (size_t)owner->batch.layout->nv;
        const size_t nv = leg->columns, first = owner->v_start + body + leg->first;
        const double *v = assembly->system.v + first, *a = assembly->system.a + first;
        for (size_t r = 0; r < width; r++)
            for (size_t j = 0; j < nv; j++)
                measured->rate[r] += leg->jacobian[r * nv + j] * a[j] + leg->derivative[r * nv + j] * v[j];
    }
    const double *rate = measured->rate;
    measured->value = width == 1 ? rate[0] : sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
}

tn_status tn_accelerations_evaluate(tn_assembly *assembly)
{
    const struct tn_accelerations *all = assembly->read->accelerations;
    if (!all) return TN_OK;
    if (!tn_system_pattern(&assembly->system)) return TN_OUT_OF_MEMORY;
    const tn_status status = tn_differentiate_markers(assembly);
    for (size_t k = 0; k < all->count && status == TN_OK; k++)
        find_acceleration(assembly, all->marker[k]);
    return status;
}

/* ---- nodes ----------------------------------------------------------------------------------------------- */

static void sources(const tn_model *model, const tn_value_node *node, tn_source_visitor *visit, void *data)
{
    (void)model;
    visit(data, TN_ACCELERATION_OF, node->index);
}

static const double *place(const tn_assembly *assembly, const tn_value_node *node)
{
    return &assembly->read->accelerations->measured[node->index].value;
}

/* By the time derivative of the marker's twist. */
static tn_status hand_on(const tn_sweep *sweep, const tn_value_node *node, double share, double share_along)
{
    (void)share_along;
    const struct measured *measured = &sweep->assembly->read->accelerations->measured[node->index];
    const uint32_t width = tn_twist_size(sweep->assembly->model->marker[node->index].kind);
    double *weight = sweep->memory->weight + tn_weight_place(sweep->memory, node->index) + 2 * (size_t)width;
    for (uint32_t r = 0; r < width; r++)
        weight[r] += share * (width == 1              ? 1.0
                              : measured->value > 0.0 ? measured->rate[r] / measured->value
                                                      : 0.0);
    return TN_OK;
}

const tn_node_kind tn_acceleration_node = {.reads = TN_READS_ACCELERATIONS,
                                           .in_constraint =
                                               "a constraint holds displacements: this is an acceleration",
                                           .sources = sources,
                                           .unit = tn_unit_of_marker,
                                           .place = place,
                                           .hand_on = hand_on};

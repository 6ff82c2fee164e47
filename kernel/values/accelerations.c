/* accelerations.c - what markers flagged TN_ACCELERATION tell
 *
 * With J the Jacobian of such a marker and T the derivative of its twist with respect to the increment of q, the time
 * derivative of its twist is J a + T v, body by body. */
#include "values/accelerations.h"

#include "values/derivatives.h"
#include "values/value_units.h"

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

/* The search for what is read. */
typedef struct listing {
    const tn_model *model;
    uint32_t *marker;
    bool *known; /* [markers] */
    size_t count;
} listing;

static void add_node(void *data, const tn_value_node *node, const tn_value_node *call)
{
    listing *list = data;
    (void)call;
    if (node->kind != &tn_acceleration_node || list->known[node->index]) return;
    list->known[node->index] = true;
    list->marker[list->count++] = node->index;
}

static void add_nodes(void *data, tn_live_value *live)
{
    listing *list = data;
    tn_visit_nodes(list->model, live, add_node, list);
}

static bool values_read_one(const tn_assembly *assembly, bool states_only)
{
    const tn_value_graph *graph = assembly->model->values;
    bool found = false;
    for (size_t k = 0; k < graph->dynamic_count; k++) {
        const tn_group *group = &assembly->group[assembly->group_of[graph->dynamic[k].item]];
        const bool counts = !states_only || group->batch.layout->nx;
        found = found || (counts && graph->reads[k] & TN_READS_ACCELERATIONS);
    }
    return found;
}

bool tn_accelerations_are_integrated(const tn_assembly *assembly)
{
    return assembly->read->accelerations && assembly->read->accelerations->in_rates;
}

void tn_accelerations_build(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    listing list = {.model = model,
                    .marker = tn_value_new(assembly, model->marker_count, sizeof *list.marker),
                    .known = tn_value_new(assembly, model->marker_count, sizeof *list.known)};
    tn_visit_live(model, add_nodes, &list);
    if (!list.count) return;
    struct tn_accelerations *all = assembly->read->accelerations = tn_value_new(assembly, 1, sizeof *all);
    *all = (struct tn_accelerations){.marker = list.marker,
                                     .count = list.count,
                                     .told = tn_value_new(assembly, model->marker_count, sizeof *all->told),
                                     .in_forces = values_read_one(assembly, false),
                                     .in_rates = values_read_one(assembly, true)};
}

static void find(const tn_assembly *assembly, uint32_t marker)
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
        find(assembly, all->marker[k]);
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
    return &assembly->read->accelerations->told[node->index].value;
}

/* By the time derivative of the marker's twist. */
static tn_status hand_on(const tn_sweep *sweep, const tn_value_node *node, double share, double share_along)
{
    (void)share_along;
    const struct told *told = &sweep->assembly->read->accelerations->told[node->index];
    const uint32_t width = tn_twist_size(sweep->assembly->model->marker[node->index].kind);
    double *weight = sweep->memory->weight + tn_weight_place(sweep->memory, node->index) + 2 * (size_t)width;
    for (uint32_t r = 0; r < width; r++)
        weight[r] += share * (width == 1 ? 1.0 : told->value > 0.0 ? told->rate[r] / told->value : 0.0);
    return TN_OK;
}

const tn_node_kind tn_acceleration_node = {.reads = TN_READS_ACCELERATIONS,
                                           .in_constraint =
                                               "a constraint holds displacements: this is an acceleration",
                                           .sources = sources,
                                           .unit = tn_unit_of_marker,
                                           .place = place,
                                           .hand_on = hand_on};

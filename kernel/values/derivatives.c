/* derivatives.c - what values reach, and sweeps over it */
#include "values/derivatives.h"

#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 3 }; /* each further one of a higher order in the step */

/* ---- memory ---------------------------------------------------------------------------------------------- */

void tn_derivatives_build(tn_assembly *assembly)
{
    assembly->read->derivatives = tn_derivatives_new(assembly);
}

tn_derivatives *tn_derivatives_new(tn_assembly *assembly)
{
    const size_t values = assembly->model->values->dynamic_count, inputs = assembly->read->most_inputs;
    const size_t places = assembly->model->marker_count + assembly->system.rows;
    tn_derivatives *memory = tn_assembly_new(assembly, 1, sizeof *memory);
    memory->number = tn_assembly_new(assembly, places, sizeof *memory->number);
    memory->mark = tn_assembly_new(assembly, values, sizeof *memory->mark);
    memory->gradient = tn_assembly_new(assembly, inputs, sizeof(double));
    memory->product = tn_assembly_new(assembly, inputs, sizeof(double));
    memory->of_input = tn_assembly_new(assembly, inputs, sizeof(double));
    memory->adjoint = tn_assembly_new(assembly, values, sizeof(double));
    memory->adjoint_along = tn_assembly_new(assembly, values, sizeof(double));
    memory->change = tn_assembly_new(assembly, values, sizeof(double));
    memory->waiting = tn_assembly_new(assembly, values, sizeof(double));
    return memory;
}

void tn_derivatives_complete(tn_assembly *assembly)
{
    tn_derivatives *memory = assembly->read->derivatives;
    if (memory->weight_count) tn_derivatives_keep(assembly);
    memory->weight = tn_assembly_new(assembly, memory->weight_count, sizeof(double));
    memory->weight_along = tn_assembly_new(assembly, memory->weight_count, sizeof(double));
    memory->direction = tn_assembly_new(assembly, memory->weight_count, sizeof(double));
}

/* ---- what is reached ------------------------------------------------------------------------------------- */

typedef struct listing {
    tn_assembly *assembly;
    void (*meet)(tn_assembly *assembly, uint32_t unknown);
} listing;

static void add_to_reach(tn_derivatives *memory, const tn_value_graph *graph, uint32_t dynamic)
{
    if (memory->mark[dynamic] == memory->stamp) return;
    memory->mark[dynamic] = memory->stamp;
    TN_APPEND(memory->reach, memory->reach_count, graph->dynamic[dynamic].rank);
}

/* With all of its loop. */
static void meet_value(tn_derivatives *memory, const tn_value_graph *graph, uint32_t dynamic)
{
    const uint32_t loop = graph->dynamic[dynamic].loop;
    add_to_reach(memory, graph, dynamic);
    for (uint32_t k = 0; loop != TN_NONE && k < graph->loop[loop].count; k++)
        add_to_reach(memory, graph, graph->order[graph->loop[loop].first + k]);
}

/* `place` is that among the numbers. */
static void meet_unknown(const listing *list, size_t place, tn_read_unknown unknown)
{
    tn_derivatives *memory = list->assembly->read->derivatives;
    uint32_t *number = &memory->number[place];
    if (!*number) {
        *number = (uint32_t)memory->unknown_count + 1;
        unknown.weight = memory->weight_count;
        memory->weight_count += tn_weights_of(&unknown);
        TN_APPEND(memory->unknown, memory->unknown_count, unknown);
    }
    tn_read_unknown *known = &memory->unknown[*number - 1];
    known->direct = known->direct || unknown.direct;
    if (list->meet) list->meet(list->assembly, *number - 1);
}

static void meet_marker(const listing *list, uint32_t marker, bool direct)
{
    const uint32_t width = tn_twist_size(list->assembly->model->marker[marker].kind);
    meet_unknown(list, marker, (tn_read_unknown){.marker = marker, .width = width, .direct = direct});
}

static void meet_rows(const listing *list, uint32_t item)
{
    const tn_group *group = &list->assembly->group[list->assembly->group_of[item]];
    for (uint32_t r = 0; r < group->rows; r++)
        meet_unknown(
            list, tn_place_of_row(list->assembly, item, r),
            (tn_read_unknown){.marker = TN_NONE, .item = item, .row = r, .width = 1, .direct = true});
}

static void meet_element(const listing *list, uint32_t item)
{
    const tn_assembly *assembly = list->assembly;
    const tn_group *group = &assembly->group[assembly->group_of[item]];
    const uint32_t *marker = group->marker + assembly->index_of[item] * group->batch.marker_count;
    /* reactions of points of contact are known as means of steps only, like those of rows */
    const bool by_points = group->type->has_contacts && !group->force;
    for (uint32_t k = 0; k < group->batch.marker_count; k++)
        meet_marker(list, marker[k], by_points);
    if (!group->batch.layout->passive_rows) meet_rows(list, item);
}

static void meet_source(void *data, tn_node_source what, uint32_t index)
{
    const listing *list = data;
    const tn_value_graph *graph = list->assembly->model->values;
    if (what == TN_ROWS_OF) {
        meet_rows(list, index);
    } else if (what == TN_FORCES_OF) {
        meet_element(list, index);
    } else if (what == TN_MOTION_OF || what == TN_ACCELERATION_OF) {
        meet_marker(list, index, what == TN_ACCELERATION_OF);
    } else if (what != TN_STATE_OF || !list->assembly->read->derivatives->ends_at_states) {
        if (what == TN_STATE_OF) list->assembly->system.coupled_states = 1;
        TN_FOR_VALUES_OF (graph, index, k)
            meet_value(list->assembly->read->derivatives, graph, k);
    }
}

static int compare_descending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

static void meet_sources(listing *list, const tn_live_value *live)
{
    for (uint32_t k = 0; k < live->below_count; k++) {
        const tn_value_node *node = live->below[k].node;
        if (node->kind->sources) node->kind->sources(list->assembly->model, node, meet_source, list);
    }
}

/* All behind those that stand in the list from `first` on. */
static tn_reach complete_reach(listing *list, size_t first, bool in_force)
{
    tn_derivatives *memory = list->assembly->read->derivatives;
    const tn_value_graph *graph = list->assembly->model->values;
    for (size_t next = first; next < memory->reach_count; next++) {
        const tn_dynamic_value *value = tn_value_of_rank(graph, memory->reach[next]);
        if (!(in_force && value->off)) meet_sources(list, &value->live);
    }
    if (memory->reach_count > first)
        qsort(memory->reach + first, memory->reach_count - first, sizeof *memory->reach, compare_descending);
    return (tn_reach){first, memory->reach_count - first};
}

tn_reach tn_reach_list(tn_assembly *assembly, uint32_t dynamic, bool in_force,
                       void (*meet)(tn_assembly *assembly, uint32_t unknown))
{
    tn_derivatives *memory = assembly->read->derivatives;
    const size_t first = memory->reach_count;
    memory->stamp++;
    meet_value(memory, assembly->model->values, dynamic);
    return complete_reach(&(listing){assembly, meet}, first, in_force);
}

tn_reach tn_reach_list_live(tn_assembly *assembly, const tn_live_value *live)
{
    tn_derivatives *memory = assembly->read->derivatives;
    const size_t first = memory->reach_count;
    listing list = {assembly, NULL};
    memory->stamp++;
    meet_sources(&list, live);
    return complete_reach(&list, first, false);
}

/* ---- sweeps ---------------------------------------------------------------------------------------------- */

static tn_status hand_on_to_node(const tn_sweep *sweep, const tn_value_node *node, double share,
                                 double share_along)
{
    const bool counts = (share != 0.0 || share_along != 0.0) && node->kind->hand_on;
    if (sweep->by_input && node->kind == &tn_input_node) sweep->by_input[node->index] += share;
    return counts ? node->kind->hand_on(sweep, node, share, share_along) : TN_OK;
}

static bool differentiate_live(const tn_sweep *sweep, const tn_live_value *live, double *value)
{
    const tn_derivatives *memory = sweep->memory;
    const double *direction = NULL;
    if (sweep->second) {
        double *along = memory->of_input + tn_live_first_read(live);
        memset(memory->of_input, 0, tn_live_first_read(live) * sizeof *along);
        along[-1] = sweep->time_along;
        for (uint32_t k = 0; k < live->calls.count; k++)
            along[k] = live->read[k].kind->change ? live->read[k].kind->change(sweep, &live->read[k]) : 0.0;
        direction = memory->of_input;
    }
    return tn_live_differentiate(sweep->assembly, live, direction, value, memory->gradient, memory->product);
}

static tn_status differentiate_value(const tn_sweep *sweep, const tn_dynamic_value *dynamic, double *value)
{
    return differentiate_live(sweep, &dynamic->live, value)
               ? TN_OK
               : tn_value_refused(sweep->assembly, dynamic, "its expression has no derivative here");
}

/* From a value to what it reads outside of its loop. */
static tn_status hand_outside(tn_sweep *sweep, size_t rank, bool first)
{
    const tn_derivatives *memory = sweep->memory;
    const tn_dynamic_value *dynamic = tn_value_of_rank(sweep->assembly->model->values, rank);
    const tn_live_value *live = &dynamic->live;
    const double adjoint = memory->adjoint[rank] * live->factor,
                 along = memory->adjoint_along[rank] * live->factor;
    const double *gradient = memory->gradient + tn_live_first_read(live),
                 *product = memory->product + tn_live_first_read(live);
    double value = 0.0;
    memory->adjoint[rank] = memory->adjoint_along[rank] = 0.0;
    if (dynamic->off || (adjoint == 0.0 && along == 0.0 && !first)) return TN_OK;
    tn_status status = differentiate_value(sweep, dynamic, &value);
    if (status != TN_OK) return status;
    if (first) sweep->value = value * live->factor;
    sweep->reader = dynamic;
    sweep->by_time += adjoint * gradient[-1];
    if (sweep->second) sweep->by_time_along += along * gradient[-1] + adjoint * product[-1];
    for (uint32_t i = 0; status == TN_OK && i < live->calls.count; i++)
        status = hand_on_to_node(sweep, &live->read[i], adjoint * gradient[i],
                                 sweep->second ? along * gradient[i] + adjoint * product[i] : 0.0);
    return status;
}

/* From a value to those of its loop: what second derivatives give. */
static tn_status hand_inside(const tn_sweep *sweep, size_t rank)
{
    const tn_derivatives *memory = sweep->memory;
    const tn_value_graph *graph = sweep->assembly->model->values;
    const tn_dynamic_value *dynamic = tn_value_of_rank(graph, rank);
    const tn_live_value *live = &dynamic->live;
    const double *product = memory->product + tn_live_first_read(live);
    double unused = 0.0;
    const tn_status status = dynamic->off ? TN_OK : differentiate_value(sweep, dynamic, &unused);
    for (uint32_t i = 0; status == TN_OK && !dynamic->off && i < live->calls.count; i++) {
        const uint32_t other = tn_loop_place(sweep->assembly->model, dynamic, &live->read[i]);
        if (other != TN_NONE)
            memory->adjoint_along[graph->loop[dynamic->loop].first + other] +=
                memory->adjoint[rank] * live->factor * product[i];
    }
    return status;
}

/* Makes of what has come to the values of a loop, the ranks from `first` on, what comes to their expressions. */
static tn_status enter_loop(const tn_sweep *sweep, uint32_t loop, size_t first, size_t count)
{
    const tn_derivatives *memory = sweep->memory;
    tn_status status = tn_loop_divide(sweep->assembly, loop, true, memory->adjoint + first);
    for (size_t k = count; sweep->second && status == TN_OK && k-- > 0;)
        status = hand_inside(sweep, first + k);
    return sweep->second && status == TN_OK
               ? tn_loop_divide(sweep->assembly, loop, true, memory->adjoint_along + first)
               : status;
}

/* How many values of a reach, from this one on, belong to one loop. */
static size_t count_together(const tn_value_graph *graph, uint32_t rank)
{
    const uint32_t loop = tn_value_of_rank(graph, rank)->loop;
    return loop == TN_NONE ? 1 : graph->loop[loop].count;
}

/* Once over all values. After a failure adjoints are put to zero all the same. */
static tn_status sweep_once(tn_sweep *sweep, uint32_t from, tn_reach reach)
{
    const tn_value_graph *graph = sweep->assembly->model->values;
    const uint32_t *rank = sweep->memory->reach + reach.first;
    tn_status status = TN_OK;
    for (size_t k = 0, count; k < reach.count; k += count) {
        const uint32_t loop = tn_value_of_rank(graph, rank[k])->loop;
        count = count_together(graph, rank[k]);
        if (loop != TN_NONE && status == TN_OK)
            status = enter_loop(sweep, loop, graph->loop[loop].first, count);
        for (size_t i = k; i < k + count; i++)
            if (status == TN_OK)
                status = hand_outside(sweep, rank[i], rank[i] == from);
            else
                sweep->memory->adjoint[rank[i]] = sweep->memory->adjoint_along[rank[i]] = 0.0;
    }
    return status;
}

tn_status tn_sweep_back(tn_sweep *sweep, uint32_t dynamic, tn_reach reach)
{
    const tn_derivatives *memory = sweep->memory;
    uint32_t from = sweep->assembly->model->values->dynamic[dynamic].rank;
    tn_status status = TN_OK;
    memory->adjoint[from] = 1.0;
    for (int turn = 0; turn < SWEEPS; turn++, from = TN_NONE) {
        status = tn_worse(status, sweep_once(sweep, from, reach));
        for (size_t k = reach.first; k < reach.first + reach.count; k++) {
            const uint32_t rank = memory->reach[k];
            memory->adjoint[rank] = turn + 1 < SWEEPS && status == TN_OK ? memory->waiting[rank] : 0.0;
            memory->waiting[rank] = 0.0;
        }
        if (!sweep->assembly->system.coupled_states || sweep->state_factor == 0.0) break;
    }
    return status;
}

/* A reader that belongs to nobody stands for the value: whoever finds no derivative does not name it. */
tn_status tn_sweep_back_live(tn_sweep *sweep, const tn_live_value *live, tn_reach reach)
{
    static const tn_dynamic_value nobody = {.item = TN_NONE, .loop = TN_NONE};
    const tn_derivatives *memory = sweep->memory;
    const double *gradient = memory->gradient + tn_live_first_read(live),
                 *product = memory->product + tn_live_first_read(live);
    double value = 0.0;
    tn_status status = TN_OK;
    if (!differentiate_live(sweep, live, &value)) return TN_RETRY;
    sweep->value = value * live->factor;
    sweep->reader = &nobody;
    sweep->by_time += gradient[-1] * live->factor;
    for (uint32_t i = 0; i < live->calls.count && status == TN_OK; i++)
        status = hand_on_to_node(sweep, &live->read[i], live->factor * gradient[i],
                                 sweep->second ? live->factor * product[i] : 0.0);
    return tn_worse(status, sweep_once(sweep, TN_NONE, reach));
}

tn_status tn_sweep_along(tn_sweep *sweep, tn_reach reach)
{
    const tn_derivatives *memory = sweep->memory;
    const tn_value_graph *graph = sweep->assembly->model->values;
    tn_status status = TN_OK;
    for (size_t k = 0; k < reach.count; k++)
        memory->change[memory->reach[reach.first + k]] = 0.0;
    for (size_t end = reach.first + reach.count, count; end > reach.first && status == TN_OK; end -= count) {
        const uint32_t first = memory->reach[end - 1], loop = tn_value_of_rank(graph, first)->loop;
        count = count_together(graph, first);
        /* the values of a loop count for nothing until all that it reads has been counted */
        double *along = loop == TN_NONE ? memory->change : memory->adjoint;
        for (uint32_t rank = first; rank < first + count && status == TN_OK; rank++) {
            const tn_dynamic_value *dynamic = tn_value_of_rank(graph, rank);
            double value = 0.0, sum = 0.0;
            along[rank] = 0.0;
            if (dynamic->off) continue;
            status = differentiate_value(sweep, dynamic, &value);
            for (uint32_t i = dynamic->live.depth; i < tn_live_input_count(&dynamic->live); i++)
                sum += memory->gradient[i] * memory->of_input[i];
            along[rank] = dynamic->live.factor * sum;
        }
        if (loop == TN_NONE) continue;
        memcpy(memory->change + first, along + first, count * sizeof *along);
        memset(along + first, 0, count * sizeof *along);
        if (status == TN_OK) status = tn_loop_divide(sweep->assembly, loop, false, memory->change + first);
    }
    return status;
}

tn_status tn_hand_on_argument(const tn_sweep *sweep, const tn_live_value *argument, double *gradient,
                              double share)
{
    double unused = 0.0;
    tn_status status = TN_OK;
    if (share == 0.0 || !argument->calls.count) return TN_OK;
    if (!tn_live_differentiate(sweep->assembly, argument, NULL, &unused, gradient, NULL))
        return tn_value_refused(sweep->assembly, sweep->reader, "its expression has no derivative here");
    for (uint32_t k = 0; k < argument->calls.count && status == TN_OK; k++)
        status = hand_on_to_node(sweep, &argument->read[k],
                                 share * gradient[tn_live_first_read(argument) + k], 0.0);
    return status;
}

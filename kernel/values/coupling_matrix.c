/* coupling_matrix.c - fills in what the matrix owes to parameters that read the state
 *
 * dp/dc comes from one sweep backwards through all values that p reads, directly or not: the derivative by a value is handed
 * on to what it reads. Integrals x' = g change with their own rates: with dx = s dx', s being the solver's state factor, a
 * derivative by x is s times one by g. It is handed on by a sweep of its own, of a higher order in the step. */
#include "values/accelerations.h"
#include "values/coupling.h"
#include "values/measured_forces.h"
#include "values/live.h"
#include "system/matrix.h"

#include <string.h>

enum { SWEEPS = 3 };

/* ---- derivatives of one value ---------------------------------------------------------------------------- */

/* To the values of an item that another one reads; within its loop, nothing is left to hand on. */
static void hand_on(tn_couplings *c, const tn_model *model, uint32_t item, uint32_t loop, double share)
{
    for (uint32_t other = model->values->first_dynamic[item]; other != TN_NONE;
         other = model->values->next_dynamic[other])
        if (loop == TN_NONE || model->values->dynamic[other].loop != loop)
            c->adjoint[model->values->dynamic[other].rank] += share;
}

/* At the last value of a loop: derivatives by its values become those by their expressions. */
static tn_status enter_loop(const tn_assembly *assembly, uint32_t rank, uint32_t number)
{
    if (number == TN_NONE) return TN_OK;
    const tn_loop *loop = &assembly->model->values->loop[number];
    return rank == loop->first + loop->count - 1
               ? tn_loop_divide(assembly, number, true, assembly->read->couplings->adjoint + loop->first)
               : TN_OK;
}

static double *weight_of_marker(const tn_couplings *c, uint32_t marker)
{
    return c->weight + c->unknown[c->number[marker]].weight;
}

static double *weight_of_row(const tn_assembly *assembly, uint32_t item, uint32_t row)
{
    const tn_couplings *c = assembly->read->couplings;
    return c->weight + c->unknown[c->number[tn_place_of_row(assembly, item, row)]].weight;
}

/* The column of a dynamic parameter among these; TN_NONE: it does not change with the state. */
static uint32_t column_of(const tn_batch *batch, uint32_t offset)
{
    uint32_t column = 0;
    for (uint32_t k = 0; k < batch->dynamic_count; k++) {
        const tn_dynamic *dynamic = &batch->dynamic[k];
        if (offset >= dynamic->offset && offset < dynamic->offset + dynamic->count * sizeof(double))
            return column + (offset - dynamic->offset) / (uint32_t)sizeof(double);
        column += dynamic->count;
    }
    return TN_NONE;
}

static tn_status add_force_share(const tn_filling *f, const tn_measured_force *force,
                                 const struct tn_force_share *acting, double share)
{
    tn_assembly *assembly = f->assembly;
    tn_couplings *c = assembly->read->couplings;
    const tn_model *model = assembly->model;
    const tn_group *group = &assembly->group[assembly->group_of[acting->item]];
    const tn_force_gradient *gradient = NULL;
    const tn_status status =
        tn_force_differentiate(assembly, force, acting, f->request.state_factor, &gradient);
    if (status != TN_OK) return status;
    const uint32_t *marker = group->marker + assembly->index_of[acting->item] * group->batch.marker_count;
    const double *by_pose = gradient->by_pose, *by_twist = by_pose + group->batch.wrench_size;
    for (uint32_t k = 0; k < group->batch.marker_count; k++) {
        const uint32_t width = tn_twist_size(model->marker[marker[k]].kind);
        double *weight = weight_of_marker(c, marker[k]);
        for (uint32_t r = 0; r < width; r++) {
            weight[r] += share * *by_pose++;
            weight[width + r] += share * *by_twist++;
        }
    }
    for (uint32_t r = 0; !group->batch.layout->passive_rows && r < group->rows; r++)
        *weight_of_row(assembly, acting->item, r) += share * gradient->by_multiplier[r];
    for (uint32_t d = model->values->first_dynamic[acting->item]; d != TN_NONE;
         d = model->values->next_dynamic[d]) {
        const uint32_t column = column_of(&group->batch, model->values->dynamic[d].offset);
        if (column != TN_NONE)
            c->adjoint[model->values->dynamic[d].rank] += share * gradient->by_dynamic[column];
    }
    return TN_OK;
}

static tn_status add_force(const tn_filling *f, const tn_measured_force *force, double share)
{
    tn_assembly *assembly = f->assembly;
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < force->share_count && status == TN_OK; k++)
        status = add_force_share(f, force, &force->share[k], share);
    if (status != TN_OK || force->frame == TN_NONE) return status;
    double by_turn[3], *weight = weight_of_marker(assembly->read->couplings, force->frame) + 3;
    status = tn_force_by_frame(assembly, force, by_turn);
    for (size_t k = 0; k < 3; k++)
        weight[k] += share * by_turn[k];
    return status;
}

/* To what is read, into its weights or the adjoints of values. */
static tn_status add_observed(const tn_filling *f, const tn_observed *observed, uint32_t loop, double share)
{
    tn_assembly *assembly = f->assembly;
    tn_couplings *c = assembly->read->couplings;
    const tn_model *model = assembly->model;
    if (observed->kind == TN_OBSERVED_FORCE)
        return add_force(f, model->values->measured_force[observed->index], share);
    if (observed->kind == TN_OBSERVED_COORDINATE) {
        *weight_of_marker(c, observed->index) += share;
    } else if (observed->kind == TN_OBSERVED_RATE) {
        weight_of_marker(c, observed->index)[1] += share;
    } else if (observed->kind == TN_OBSERVED_ACCELERATION) {
        const uint32_t width = tn_twist_size(model->marker[observed->index].kind);
        double gradient[6], *weight = weight_of_marker(c, observed->index) + 2 * (size_t)width;
        tn_acceleration_gradient(assembly, observed->index, gradient);
        for (uint32_t r = 0; r < width; r++)
            weight[r] += share * gradient[r];
    } else if (tn_is_multiplier(model, observed)) {
        *weight_of_row(assembly, observed->index, 0) += share;
    } else if (tn_is_integral(model, observed)) {
        for (uint32_t d = model->values->first_dynamic[observed->index]; d != TN_NONE;
             d = model->values->next_dynamic[d])
            c->waiting[model->values->dynamic[d].rank] += share * f->request.state_factor;
    } else {
        hand_on(c, model, observed->index, loop, share);
    }
    return TN_OK;
}

/* From the adjoint of one value to what it reads. */
static tn_status add_value(const tn_filling *f, uint32_t rank)
{
    tn_assembly *assembly = f->assembly;
    tn_couplings *c = assembly->read->couplings;
    const tn_model *model = assembly->model;
    const tn_dynamic_value *dynamic = &model->values->dynamic[model->values->dynamic_order[rank]];
    const tn_live_value *live = &dynamic->live;
    tn_status status = enter_loop(assembly, rank, dynamic->loop);
    const double adjoint = c->adjoint[rank] * live->factor;
    c->adjoint[rank] = 0.0;
    if (status != TN_OK || adjoint == 0.0 || dynamic->off) return status;
    if (!tn_live_gradient(assembly, live, c->gradient))
        return tn_value_refused(assembly, dynamic, "its expression has no derivative here");
    const double *gradient = c->gradient + tn_live_first_observed(live);
    for (uint32_t i = 0; status == TN_OK && i < live->reads; i++)
        if (gradient[i] != 0.0 && live->observed[i].kind != TN_OBSERVED_DELAY)
            status = add_observed(f, &live->observed[i], dynamic->loop, adjoint * gradient[i]);
    return status;
}

/* Derivatives of a value with respect to all unknowns that it reads, into their weights. */
static tn_status sweep(const tn_filling *f, const tn_coupled_value *value)
{
    const tn_assembly *assembly = f->assembly;
    tn_couplings *c = assembly->read->couplings;
    const uint32_t *reach = c->reach + value->reach;
    tn_status status = TN_OK;
    c->adjoint[assembly->model->values->dynamic[value->dynamic].rank] = 1.0;
    for (int turn = 0; turn < SWEEPS; turn++) {
        for (size_t k = 0; k < value->length; k++) {
            const tn_status added = status == TN_OK ? add_value(f, reach[k]) : TN_OK;
            c->adjoint[reach[k]] = 0.0;
            status = tn_worse(status, added);
        }
        for (size_t k = 0; k < value->length; k++) {
            c->adjoint[reach[k]] = turn + 1 < SWEEPS ? c->waiting[reach[k]] : 0.0;
            c->waiting[reach[k]] = 0.0;
        }
        if (!assembly->system.coupled_states || f->request.state_factor == 0.0) break;
    }
    return status;
}

/* ---- blocks ---------------------------------------------------------------------------------------------- */

/* dw/dp dp/dc of one value: as a tangent against pose, twist and its time derivative of a marker, or one column. */
static void add_columns(tn_couplings *c, const tn_batch *batch, const double *tangent,
                        const tn_coupled_value *value, const double *weight, size_t weights)
{
    const size_t stride = batch->tangent_stride;
    const double *slopes = tangent + tn_first_column(batch, TN_PARAMETER_COLUMNS) + value->column;
    for (size_t r = 0; r < batch->wrench_size; r++) {
        const double slope = slopes[r * stride];
        for (size_t k = 0; slope != 0.0 && k < weights; k++)
            c->tangent[weights * r + k] += slope * weight[k];
    }
}

/* The pairs of one marker with the ends of a connector. An acceleration changes like v' does. */
static const tn_matrix_block *add_pairs(const tn_filling *f, const tn_read_unknown *unknown,
                                        const tn_end *ends, uint32_t legs, const tn_matrix_block *block)
{
    const tn_couplings *c = f->assembly->read->couplings;
    const size_t count = tn_ends_of(f->assembly, unknown->marker, 0, c->end), width = unknown->width;
    const bool by_accelerations = c->direct && !f->request.leads_to_rows;
    const tn_filling by_rate = {f->assembly, {.c_damping = f->request.c_mass}, f->to};
    for (size_t l = 0; l < count; l++)
        for (uint32_t a = 0; a < legs; a++, block++) {
            if (block->start == TN_NONE) continue;
            tn_add_pair(f, c->tangent, width, 3 * width, &ends[a], &c->end[l], *block);
            if (by_accelerations)
                tn_add_pair(&by_rate, c->tangent + width, width, 3 * width, &ends[a], &c->end[l], *block);
        }
    return block;
}

/* The column of a multiplier: what it does to the bodies of a connector. */
static const tn_matrix_block *add_multiplier(const tn_filling *f, const tn_read_unknown *unknown,
                                             const tn_end *ends, uint32_t legs, const tn_matrix_block *block)
{
    const tn_assembly *assembly = f->assembly;
    const tn_couplings *c = assembly->read->couplings;
    for (uint32_t a = 0; a < legs; a++, block++) {
        const tn_end *e = &ends[a];
        for (size_t j = 0; block->start != TN_NONE && j < e->nv; j++) {
            double force = 0.0;
            for (size_t r = 0; r < e->width; r++)
                force += (e->J ? e->J[r * e->nv + j] : (double)(r == j)) * c->tangent[e->column + r];
            const double entry = -f->request.row_factor * force;
            tn_add_block(f, *block, e->offset + j, unknown->row, 1, 1, &entry);
        }
    }
    return block;
}

/* Whether the wrench depends on a value: by a function that was not called it does not, and that may have no derivatives. */
static bool is_felt(const tn_batch *batch, const double *tangent, const tn_coupled_value *value)
{
    const double *slopes = tangent + tn_first_column(batch, TN_PARAMETER_COLUMNS) + value->column;
    bool felt = false;
    for (size_t r = 0; r < batch->wrench_size; r++)
        felt = felt || slopes[r * batch->tangent_stride] != 0.0;
    return felt;
}

/* The weights of one value for all that its connector reads; they are taken out of those in hand. */
static tn_status find_weights(const tn_filling *f, const tn_coupled_connector *connector,
                              const tn_coupled_value *value, const double *tangent, double *weights)
{
    const tn_assembly *assembly = f->assembly;
    const tn_couplings *c = assembly->read->couplings;
    const tn_batch *batch = &assembly->group[connector->group].batch;
    const bool counts =
        !assembly->model->values->dynamic[value->dynamic].off && is_felt(batch, tangent, value);
    const tn_status status = counts ? sweep(f, value) : TN_OK;
    for (size_t r = 0; r < connector->reads; r++) {
        const tn_read_unknown *unknown = &c->unknown[c->read[connector->read + r]];
        const size_t count = tn_weights_of(unknown);
        memcpy(weights, c->weight + unknown->weight, count * sizeof *weights);
        memset(c->weight + unknown->weight, 0, count * sizeof *weights);
        weights += count;
    }
    return status;
}

/* All of one connector, whose ends and tangent these are. */
static tn_status add_connector(const tn_filling *f, const tn_coupled_connector *connector, const tn_end *ends,
                               const double *tangent)
{
    tn_couplings *c = f->assembly->read->couplings;
    const tn_group *group = &f->assembly->group[connector->group];
    const tn_matrix_block *block = c->block + connector->block;
    size_t place = 0;
    tn_status status = TN_OK;
    for (size_t v = 0; v < connector->values; v++)
        status = tn_worse(status, find_weights(f, connector, &c->value[connector->value + v], tangent,
                                               c->weights + v * connector->weights));
    for (size_t r = 0; r < connector->reads && status == TN_OK; r++) {
        const tn_read_unknown *unknown = &c->unknown[c->read[connector->read + r]];
        const size_t weights = tn_weights_of(unknown);
        memset(c->tangent, 0, weights * group->batch.wrench_size * sizeof *c->tangent);
        for (size_t v = 0; v < connector->values; v++)
            add_columns(c, &group->batch, tangent, &c->value[connector->value + v],
                        c->weights + v * connector->weights + place, weights);
        place += weights;
        if (unknown->marker != TN_NONE)
            block = add_pairs(f, unknown, ends, group->leg_count, block);
        else if (!f->request.leads_to_rows)
            block = add_multiplier(f, unknown, ends, group->leg_count, block);
        else
            block += group->leg_count;
    }
    return status;
}

tn_status tn_coupling_add(const tn_filling *f, const tn_group *group, size_t instance, size_t *next,
                          const tn_end *ends, const double *tangent)
{
    const tn_couplings *c = f->assembly->read->couplings;
    if (*next == group->coupled + group->coupled_count || c->connector[*next].instance != instance)
        return TN_OK;
    return add_connector(f, &c->connector[(*next)++], ends, tangent);
}

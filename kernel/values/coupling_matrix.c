/* coupling_matrix.c - fills in what the matrix owes to parameters that read the state: dp/dc by sweeps (derivatives.h) */
#include "values/coupling.h"

#include <string.h>

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
    tn_assembly *assembly = f->assembly;
    tn_derivatives *memory = assembly->read->derivatives;
    const tn_batch *batch = &assembly->group[connector->group].batch;
    const bool counts =
        !assembly->model->values->dynamic[value->dynamic].off && is_felt(batch, tangent, value);
    tn_sweep sweep = {.assembly = assembly, .memory = memory, .state_factor = f->request.state_factor};
    const tn_status status = counts ? tn_sweep_back(&sweep, value->dynamic, value->reach) : TN_OK;
    for (size_t r = 0; r < connector->reads; r++) {
        const tn_read_unknown *unknown = tn_unknown_read(assembly, connector, r);
        const size_t count = tn_weights_of(unknown);
        memcpy(weights, memory->weight + unknown->weight, count * sizeof *weights);
        memset(memory->weight + unknown->weight, 0, count * sizeof *weights);
        weights += count;
    }
    return status;
}

/* All of one connector, whose ends and tangent these are. */
static tn_status add_connector(const tn_filling *f, const tn_coupled_connector *connector, const tn_end *ends,
                               const double *tangent)
{
    const tn_assembly *assembly = f->assembly;
    tn_couplings *c = assembly->read->couplings;
    const tn_group *group = &assembly->group[connector->group];
    const tn_matrix_block *block = c->block + connector->block;
    size_t place = 0;
    tn_status status = TN_OK;
    for (size_t v = 0; v < connector->values; v++)
        status = tn_worse(status, find_weights(f, connector, &c->value[connector->value + v], tangent,
                                               c->weights + v * connector->weights));
    for (size_t r = 0; r < connector->reads && status == TN_OK; r++) {
        const tn_read_unknown *unknown = tn_unknown_read(assembly, connector, r);
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

/* redundancy.c - constraints whose rows depend on each other: what follows for solutions and results
 *
 * Many multipliers give the same forces G^T lambda then. Results show those of least norm, which are found from any others
 * (minimum_norm.c); where the motion, or what is integrated, depends on multipliers, all solutions have the least ones. */
#include "analysis/redundancy.h"

#include "analysis/analysis.h"
#include "analysis/shown.h"
#include "model/delays.h"

#include <string.h>

/* Parts of the rows that only a dense factorisation decides cost the cube of their size. */
enum { QUICKLY_ANALYSED = 1000 };

tn_status tn_redundancy_find(tn_assembly *assembly, bool thorough, tn_rank *rank)
{
    tn_status status = tn_find_redundancy(assembly, NULL, rank);
    if (status != TN_UNSUPPORTED || (!thorough && rank->core_rows > QUICKLY_ANALYSED)) return status;
    tn_rank_free(rank);
    return tn_find_redundancy(assembly, assembly->redundancy.dense, rank);
}

static bool reads_multipliers(const tn_model *model, const tn_live_value *live)
{
    bool reads = false;
    for (uint32_t k = 0; k < live->reads; k++) {
        const tn_observed *observed = &live->observed[k];
        reads = reads || observed->kind == TN_OBSERVED_FORCE ||
                (observed->kind == TN_OBSERVED_VARIABLE &&
                 model->item[observed->index].variable == TN_CONSTRAINT_MULTIPLIER);
    }
    return reads;
}

static bool has_rows(const tn_assembly *assembly, uint32_t item)
{
    return assembly->group[assembly->group_of[item]].rows > 0;
}

/* Whether parameters, states or conditions read multipliers, or the work of single constraints is integrated. */
static bool needs_least_multipliers(const tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    bool needs = false;
    for (size_t k = 0; k < model->dynamic_count; k++)
        needs = needs || reads_multipliers(model, &model->dynamic[k].live);
    for (size_t k = 0; k < model->condition_count; k++)
        needs = needs || reads_multipliers(model, &model->condition[k].live);
    for (size_t s = 0; s < model->sensor_count; s++)
        needs =
            needs || (model->sensor[s].kind == TN_SENSOR_ENERGY && has_rows(assembly, model->sensor[s].item));
    return needs;
}

static bool shows_multipliers(const tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    bool shows = assembly->redundancy.shows_states;
    for (size_t s = 0; s < model->sensor_count; s++) {
        const tn_sensor *sensor = &model->sensor[s];
        shows = shows || (sensor->kind == TN_SENSOR_ELEMENT && has_rows(assembly, sensor->item)) ||
                (sensor->kind == TN_SENSOR_EXPRESSION && reads_multipliers(model, &sensor->live));
    }
    for (size_t k = 0; k < model->delay_count; k++)
        shows = shows || reads_multipliers(model, &model->delay[k]->value);
    return shows;
}

void tn_redundancy_set(tn_assembly *assembly, tn_status status, const tn_rank *rank)
{
    tn_redundancy *redundancy = &assembly->redundancy;
    const bool found = status == TN_OK && rank->redundant > 0;
    redundancy->solves_least = found && needs_least_multipliers(assembly);
    assembly->system.dependent_rows = redundancy->solves_least ? 2 : found;
    redundancy->share = redundancy->solves_least ? TN_SHARE_OF_LEAST_MULTIPLIERS
                        : found                  ? TN_SHARE_OF_DEPENDENT_ROWS
                        : status == TN_OK        ? TN_SHARE_OF_INDEPENDENT_ROWS
                                                 : TN_SHARE_OF_UNKNOWN_ROWS;
    redundancy->shows_least = (status != TN_OK || found) && shows_multipliers(assembly);
}

tn_status tn_redundancy_renew(tn_assembly *assembly)
{
    tn_rank rank = {0};
    if (!assembly->system.rows) return TN_OK;
    const tn_status status = tn_redundancy_find(assembly, false, &rank);
    tn_redundancy_set(assembly, status, &rank);
    tn_rank_free(&rank);
    return status == TN_OUT_OF_MEMORY ? status : TN_OK;
}

const tn_row_analysis tn_dependent_rows = {
    .open = tn_shown_open, .renew = tn_redundancy_renew, .show = tn_shown_find, .hide = tn_shown_end};

/* redundancy.c - constraints whose rows depend on each other: what follows for solutions and results
 *
 * Many multipliers give the same forces G^T lambda then. Results show those of least norm, which are found from any others
 * (minimum_norm.c); where the motion, or what is integrated, depends on multipliers, all solutions have the least ones. */
#include "analysis/redundancy.h"

#include "analysis/analysis.h"
#include "analysis/least_results.h"
#include "values/value_graph.h"

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

/* A force may be one of constraints. */
enum { OF_MULTIPLIERS = TN_READS_FORCES | TN_READS_MULTIPLIERS };

static bool has_rows(const tn_assembly *assembly, uint32_t item)
{
    return assembly->group[assembly->group_of[item]].rows > 0;
}

/* Whether parameters, states or conditions read multipliers, or the work of single constraints is integrated. */
static bool needs_least_multipliers(const tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    bool needs = false;
    size_t count = 0;
    const tn_dynamic_value *dynamic = tn_dynamic_values(model, &count);
    for (size_t k = 0; k < count; k++)
        needs = needs || tn_live_reads(model, &dynamic[k].live) & OF_MULTIPLIERS;
    const tn_live_value *condition = tn_conditions(model, &count);
    for (size_t k = 0; k < count; k++)
        needs = needs || tn_live_reads(model, &condition[k]) & OF_MULTIPLIERS;
    for (size_t s = 0; s < model->sensor_count; s++)
        needs =
            needs || (model->sensor[s].kind == TN_SENSOR_ENERGY && has_rows(assembly, model->sensor[s].item));
    for (size_t k = 0; k < assembly->group_count; k++) /* what breaks under its reaction */
        needs = needs || (assembly->group[k].rows && assembly->group[k].batch.layout->events);
    return needs;
}

static bool shows_multipliers(const tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    bool shows = assembly->redundancy.shows_states;
    for (size_t s = 0; s < model->sensor_count; s++) {
        const tn_sensor *sensor = &model->sensor[s];
        shows = shows || (sensor->kind == TN_SENSOR_ELEMENT && has_rows(assembly, sensor->item)) ||
                (sensor->kind == TN_SENSOR_STATE && sensor->output == TN_STATE_LAMBDA) ||
                (sensor->kind == TN_SENSOR_EXPRESSION &&
                 tn_live_reads(model, sensor->expression) & OF_MULTIPLIERS);
    }
    return shows || tn_past_reads(model) & OF_MULTIPLIERS;
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

const tn_row_analysis tn_dependent_rows = {.open = tn_shown_open,
                                           .renew = tn_redundancy_renew,
                                           .remove_null_part = tn_remove_null_part,
                                           .level_regularisation = tn_level_regularisation,
                                           .show = tn_shown_find,
                                           .hide = tn_shown_end};

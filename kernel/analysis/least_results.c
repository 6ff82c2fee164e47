/* least_results.c - the state as results show it: to more digits than the solver's own needs, which it gets back unchanged
 *
 * Dependent rows show multipliers of least norm. Implicit solvers of motions without rows show M^-1 f of the state: their own
 * v' satisfies that to the tolerance of their iterations only, of which its share of h^-2 is the largest. */
#include "analysis/least_results.h"

#include "analysis/redundancy.h"
#include "system/constraints.h"
#include "system/mass.h"
#include "values/values.h"

#include <string.h>

static bool is_acceleration(const tn_assembly *assembly, const tn_sensor *sensor)
{
    if (sensor->kind != TN_SENSOR_ELEMENT) return false;
    const tn_group *group = &assembly->group[assembly->group_of[sensor->item]];
    return group->batch.layout->nv > 0 && sensor->is_acceleration;
}

void tn_shown_open(tn_assembly *assembly)
{
    const tn_system *system = &assembly->system;
    const tn_model *model = assembly->model;
    assembly->shown = tn_assembly_new(assembly, 1, sizeof *assembly->shown);
    if (system->rows || assembly->reading.couples_directly) return;
    bool shows = assembly->reading.accelerations;
    for (size_t s = 0; s < model->sensor_count && !shows; s++)
        shows = is_acceleration(assembly, &model->sensor[s]);
    if (shows)
        assembly->shown->kept = tn_assembly_new(assembly, (size_t)system->nv + system->nx, sizeof(double));
}

/* v' is not M^-1 f of the state alone where forces hold a motion at a jump. */
static bool finds_accelerations(const tn_assembly *assembly)
{
    const bool is_implicit = assembly->equations.matrix.value != NULL;
    return assembly->shown->kept && is_implicit && !assembly->system.slide;
}

static tn_status show_accelerations(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    struct tn_shown *shown = assembly->shown;
    const uint64_t evaluations = assembly->statistics.evaluations;
    memcpy(shown->kept, system->a, system->nv * sizeof(double));
    memcpy(shown->kept + system->nv, system->x_rate, system->nx * sizeof(double));
    shown->holds = true;
    const tn_status status = system->evaluate(system);
    assembly->statistics.evaluations = evaluations;
    return status == TN_OK ? tn_mass_divide(assembly, assembly->force, system->a) : status;
}

static tn_status show_least_multipliers(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    const size_t bytes = system->rows * sizeof(double);
    if (!assembly->shown->least) {
        assembly->shown->least = tn_assembly_new(assembly, system->rows, sizeof(double));
        assembly->shown->own = tn_assembly_new(assembly, system->rows, sizeof(double));
    }
    const tn_status status = tn_minimum_norm(assembly, assembly->shown->least);
    if (status != TN_OK) return status;
    memcpy(assembly->shown->own, system->lambda, bytes);
    memcpy(system->lambda, assembly->shown->least, bytes);
    assembly->shown->holds_least = true;
    return TN_OK;
}

void tn_shown_end(tn_assembly *assembly)
{
    tn_system *system = &assembly->system;
    struct tn_shown *shown = assembly->shown;
    if (assembly->shown->holds_least)
        memcpy(system->lambda, assembly->shown->own, system->rows * sizeof(double));
    assembly->shown->holds_least = false;
    if (!shown->holds) return;
    memcpy(system->a, shown->kept, system->nv * sizeof(double));
    memcpy(system->x_rate, shown->kept + system->nv, system->nx * sizeof(double));
    shown->holds = false;
}

static tn_status evaluate_wrenches(tn_assembly *assembly)
{
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++) {
        tn_group *group = &assembly->group[k];
        if (!group->rows && !group->contact) continue;
        group->batch.time = assembly->system.time;
        if (group->force) status = tn_call(group->type, force, &group->batch);
        if (status == TN_OK && group->rows) status = tn_constraints_react(assembly, group, false);
        if (group->contact) tn_contacts_react(assembly, group);
    }
    return status == TN_OK ? tn_forces_evaluate(assembly) : status;
}

tn_status tn_shown_find(tn_assembly *assembly)
{
    tn_shown_end(assembly);
    tn_status status = finds_accelerations(assembly) ? show_accelerations(assembly) : TN_OK;
    if (status == TN_OK) status = tn_evaluate_markers(assembly);
    if (status == TN_OK && assembly->redundancy.shows_least) {
        status = show_least_multipliers(assembly);
        if (status == TN_OK) status = tn_evaluate_markers(assembly); /* parameters may read them */
    }
    if (status == TN_OK) status = tn_accelerations_evaluate(assembly);
    return status == TN_OK ? evaluate_wrenches(assembly) : status;
}

tn_status tn_results_at_hand(tn_assembly *assembly)
{
    tn_status status = tn_evaluate_markers(assembly);
    if (status == TN_OK) status = tn_accelerations_evaluate(assembly);
    return status == TN_OK ? evaluate_wrenches(assembly) : status;
}

/* evaluate.c - the phases of one evaluation: parameters, markers, forces, gather */
#include "system/algebraic.h"
#include "system/block_calls.h"
#include "system/constraints.h"
#include "system/energy_source.h"
#include "system/explanation.h"
#include "system/failure.h"
#include "system/markers.h"
#include "system/mass.h"
#include "system/own_tangent.h"
#include "system/states.h"
#include "system/turns.h"
#include "system/value_source.h"

#include <math.h>
#include <string.h>

/* Finds unknowns of all groups at the markers of this evaluation. */
static tn_status find_in_groups(tn_assembly *assembly,
                                tn_status (*find)(const tn_assembly *assembly, const tn_group *group,
                                                  uint32_t first, uint32_t count))
{
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        const tn_status status = find(assembly, group, 0, group->batch.count);
        if (status != TN_OK) return tn_refused(assembly, group, status);
    }
    return TN_OK;
}

static inline tn_status evaluate_markers(tn_assembly *assembly)
{
    if (assembly->turns->timed) tn_turns_find_time(assembly);
    if (assembly->system.changing_masses) tn_mass_forget(assembly);
    for (size_t k = 0; k < assembly->riders_count; k++) {
        tn_riders *riders = &assembly->riders[k];
        tn_attachments *all = &riders->attachments;
        if (riders->known) continue;
        tn_status worst = tn_call_riders_in_blocks(assembly, riders, all, riders->type->pose, "pose");
        worst =
            tn_worse(worst, tn_call_riders_in_blocks(assembly, riders, all, riders->type->twist, "twist"));
        if (worst != TN_OK) return worst;
        riders->known = riders->still;
    }
    tn_status status = assembly->derived_count ? tn_derived_evaluate(assembly) : TN_OK;
    if (status == TN_OK && assembly->reading.evaluates)
        status = assembly->services->values->evaluate(assembly);
    return status == TN_OK && assembly->algebraic ? find_in_groups(assembly, tn_algebraic_find) : status;
}

tn_status tn_evaluate_markers(tn_assembly *assembly) { return evaluate_markers(assembly); }

/* All forces of a group: what bodies exert on themselves, what connectors exert, also by rows and points of contact. */
static tn_status find_forces(tn_assembly *assembly, tn_group *group, bool closing)
{
    const tn_loaded_element *type = group->type;
    tn_batch *batch = &group->batch;
    const size_t size = (size_t)batch->layout->nv * batch->count * sizeof *batch->force;
    tn_status status = TN_OK;
    if (size && type->residual) {
        status = tn_own_force(group, batch);
        memcpy(group->own_force, batch->force, size);
    } else if (size && type->body_force) {
        status = tn_call_in_blocks(assembly, group, batch, type->body_force, "body_force");
    } else if (size) {
        memset(batch->force, 0, size);
    }
    if (status == TN_OK && group->force)
        status = tn_call_in_blocks(assembly, group, batch, group->force, "force");
    if (status == TN_OK && group->rows) status = tn_constraints_react(assembly, group, closing);
    if (status == TN_OK && group->contact) tn_contacts_react(assembly, group);
    return status;
}

void tn_evaluate_build(tn_assembly *assembly)
{
    tn_act *act = assembly->act = tn_assembly_new(assembly, assembly->group_count + 1, sizeof *act);
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        const tn_loaded_element *type = group->type;
        const tn_layout *sizes = group->batch.layout;
        const bool moves = sizes->nv > 0, more = group->rows || group->answer || type->points ||
                                                 type->residual || (moves && group->force);
        *act = (tn_act){group, moves ? type->body_force : group->force, moves ? "body_force" : "force"};
        if (more) act->function = NULL;
        act += more || moves || sizes->nx || sizes->ns || sizes->nd || sizes->events ||
               group->batch.marker_count || type->accepted;
    }
    act->group = NULL;
}

/* All behind the markers, and what reads them. */
static inline tn_status evaluate_forces(tn_assembly *assembly, bool closing, double middle)
{
    const tn_system *system = &assembly->system;
    tn_status status = assembly->states ? find_in_groups(assembly, tn_states_find) : TN_OK;
    if (status != TN_OK) return status;

    /* bodies first: their own force overwrites what the gather then adds to; connectors next */
    for (const tn_act *act = assembly->act; act->group; act++) {
        tn_group *group = act->group;
        group->batch.time = system->time;
        group->batch.frozen = system->frozen;
        status = act->function ? tn_call_at(group->type, act->name, NULL, act->function(&group->batch))
                               : find_forces(assembly, group, closing);
        if (status != TN_OK) return tn_refused(assembly, group, status);
    }
    tn_gather_run(assembly);
    for (size_t k = 0; system->nx && k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        if (!group->batch.layout->nx || tn_states_are_followed(assembly, group)) continue;
        status = tn_call(group->type, rates, &group->batch);
        if (status != TN_OK) return tn_refused(assembly, group, status);
    }
    if (system->quadratures) assembly->services->energies->rates(assembly);
    (void)tn_clock(assembly, TN_CONNECTORS, middle);
    return assembly->model->refused ? tn_find_refusal(assembly) : TN_OK;
}

static inline tn_status evaluate(tn_assembly *assembly, bool closing, bool moved)
{
    assembly->statistics.evaluations++;
    assembly->equations.masses_factored = false;
    tn_refusal_forget(assembly);
    assembly->model->call_problem = NULL;
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    const tn_status status = moved ? evaluate_markers(assembly) : TN_OK;
    return status == TN_OK ? evaluate_forces(assembly, closing, tn_clock(assembly, TN_MARKERS, start))
                           : status;
}

tn_status tn_evaluate(tn_assembly *assembly, bool closing) { return evaluate(assembly, closing, true); }

tn_status tn_evaluate_reactions(tn_assembly *assembly)
{
    return evaluate(assembly, false, assembly->reading.evaluates || assembly->algebraic);
}

tn_status tn_system_evaluate(tn_system *system) { return tn_evaluate((tn_assembly *)system, false); }

/* list.c - the spans of bytes that make up the state of a run (see state.h) */
#include "state/state.h"

#include "analysis/energy.h"
#include "analysis/redundancy.h"
#include "changes/changes.h"
#include "extensions/step_counts.h"
#include "extensions/complex_equations.h"
#include "extensions/contacts.h"
#include "extensions/equations_state.h"
#include "run/constraint_solver.h"
#include "system/accept.h"
#include "system/algebraic.h"
#include "system/data.h"
#include "system/events.h"
#include "system/linear.h"
#include "system/mass.h"
#include "system/turns.h"
#include "values/values.h"

#include <tenon/turns.h>

static void list_system(tn_assembly *assembly, tn_state_visitor *visitor)
{
    tn_system *system = &assembly->system;
    TN_VISIT(visitor, system->time);
    tn_visit_numbers(visitor, system->q, system->nq);
    tn_visit_numbers(visitor, system->v, system->nv);
    tn_visit_numbers(visitor, system->a, system->nv);
    tn_visit_numbers(visitor, system->x, system->nx);
    tn_visit_numbers(visitor, system->x_rate, system->nx);
    tn_visit_numbers(visitor, system->lambda, system->rows);
    double *const number[] = {&system->next_stop, &system->next_change, &system->next_landing,
                              &system->row_factor, &system->state_factor};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        tn_visit_numbers(visitor, number[k], 1);
    TN_VISIT(visitor, system->revision);
    TN_VISIT(visitor, system->frozen);
    TN_VISIT(visitor, system->dependent_rows);
    TN_VISIT(visitor, assembly->statistics);
    tn_step_counts_list_state(assembly, visitor);
    tn_contacts_list_state(assembly, visitor);
}

static void list_elements(tn_assembly *assembly, tn_state_visitor *visitor)
{
    struct tn_data *data = assembly->data;
    tn_visit_numbers(visitor, data->now, data->size);
    tn_visit_numbers(visitor, data->kept, data->size);
    TN_VISIT(visitor, data->warned);
    for (size_t k = 0; k < assembly->group_count; k++) {
        tn_group *group = &assembly->group[k];
        visitor->bytes(visitor, group->active, group->active ? group->batch.count : 0);
        TN_VISIT(visitor, group->batch.step);
        if (visitor->restores) group->rows_known = false;
    }
    for (size_t k = 0; k < assembly->derived_count; k++) {
        tn_derived *derived = &assembly->derived[k];
        if (derived->kept)
            tn_visit_numbers(visitor, derived->kept, TN_KEPT_DOUBLES * (size_t)derived->batch.count);
        TN_VISIT(visitor, derived->batch.step);
    }
    TN_VISIT(visitor, assembly->turns->accepted_time);
    TN_VISIT(visitor, assembly->turns->since);
    if (visitor->restores) tn_mass_forget(assembly);
}

static void list_acceptance(tn_acceptance *acceptance, tn_state_visitor *visitor)
{
    TN_VISIT(visitor, acceptance->answer);
    TN_VISIT(visitor, acceptance->stop);
    TN_VISIT(visitor, acceptance->next_change);
    TN_VISIT(visitor, acceptance->last_time);
    TN_VISIT(visitor, acceptance->changes_made);
}

static void list_redundancy(tn_redundancy *redundancy, tn_state_visitor *visitor)
{
    TN_VISIT(visitor, redundancy->share);
    TN_VISIT(visitor, redundancy->solves_least);
    TN_VISIT(visitor, redundancy->shows_least);
}

bool tn_state_list_model(tn_study *study, tn_state_visitor *visitor)
{
    tn_assembly *assembly = study->assembly;
    if (!tn_changes_list_state(assembly, visitor)) return false;
    list_system(assembly, visitor);
    list_elements(assembly, visitor);
    tn_events_list_state(assembly, visitor);
    tn_algebraic_list_state(assembly, visitor);
    list_acceptance(assembly->acceptance, visitor);
    list_redundancy(&assembly->redundancy, visitor);
    tn_values_list_state(assembly, visitor);
    tn_ledger_list_state(assembly, visitor);
    tn_account_list_state(assembly, visitor);
    tn_recorder_list_state(study->recorder, visitor);
    TN_VISIT(visitor, study->running.watch.time);
    TN_VISIT(visitor, study->running.watch.standing);
    TN_VISIT(visitor, study->running.status);
    return true;
}

void tn_state_list_solver(tn_study *study, tn_state_visitor *visitor)
{
    tn_assembly *assembly = study->assembly;
    const tn_solver_run *running = &study->running;
    if (assembly->linear->type) {
        bool shows = assembly->least_norm.matrix.value != NULL;
        TN_VISIT(visitor, shows);
        if (shows) (void)tn_least_norm_open(assembly);
        tn_equations_list_state(assembly, &assembly->equations, visitor);
        if (shows) tn_equations_list_state(assembly, &assembly->least_norm, visitor);
        tn_complex_list_state(assembly, visitor);
        tn_constraint_solver_list_state(assembly, visitor);
    }
    tn_call(running->owner, state, running->work, visitor);
}

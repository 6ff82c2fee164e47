/* values.c - the table by which the system calls the functions of this folder */
#include "values/value_events.h"
#include "values/coupling.h"
#include "values/derivatives.h"
#include "values/measured_forces.h"

static void open_values(tn_assembly *assembly)
{
    struct tn_value_memory *read = assembly->read = tn_new(1, sizeof *read);
    assembly->model->values->assembly = assembly;
    tn_accelerations_build(assembly);
    tn_live_prepare(assembly);
    tn_loops_build(assembly);
    tn_derivatives_build(assembly);
    tn_couplings_build(assembly);
    tn_closures_build(assembly);
    tn_derivatives_complete(assembly);
    tn_forces_build(assembly);
    assembly->reading.couples = read->couplings != NULL;
    assembly->reading.couples_directly = read->couplings && read->couplings->direct;
    assembly->reading.measured_forces = read->forces != NULL;
    assembly->reading.past = assembly->model->values->delay_count > 0;
    assembly->reading.conditions = assembly->model->values->condition_count > 0;
}

static void renew_values(tn_assembly *assembly, bool other_expressions)
{
    tn_closures_renew(assembly);
    if (other_expressions) tn_live_batches_build(assembly);
}

static tn_status evaluate_values(tn_assembly *assembly)
{
    const tn_status status =
        assembly->read->accelerations_in_forces ? tn_accelerations_evaluate(assembly) : TN_OK;
    return status == TN_OK ? tn_dynamics_evaluate(assembly) : status;
}

const tn_value_source tn_state_values = {.open = open_values,
                                         .renew = renew_values,
                                         .evaluate = evaluate_values,
                                         .value = tn_live_evaluate,
                                         .accepted = tn_delays_accepted,
                                         .next_stop = tn_delays_next_stop,
                                         .list_events = tn_value_events_list,
                                         .event_values = tn_value_events_find,
                                         .begin = tn_conditions_begin,
                                         .look = tn_conditions_accepted,
                                         .is_met = tn_condition_is_met,
                                         .changed = tn_conditions_done,
                                         .hold_jumps = tn_sliding_accepted,
                                         .remember_jumps = tn_sliding_remember,
                                         .accelerate = tn_coupled_accelerate,
                                         .visit_pairs = tn_couplings_visit,
                                         .make_blocks = tn_couplings_prepare,
                                         .add_to_matrix = tn_coupling_add};

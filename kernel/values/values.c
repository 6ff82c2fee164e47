/* values.c - the table by which the system calls what stands in this folder */
#include "values/accelerations.h"
#include "values/conditions.h"
#include "values/coupled_accelerations.h"
#include "values/coupling.h"
#include "values/delayed_values.h"
#include "values/live.h"
#include "values/measured_forces.h"
#include "values/sliding.h"
#include "values/value_events.h"
#include "values/variable_derivatives.h"

static void open_values(tn_assembly *assembly)
{
    struct tn_value_memory *read = assembly->read = tn_new(1, sizeof *read);
    tn_accelerations_build(assembly);
    tn_live_prepare(assembly);
    tn_loops_build(assembly);
    tn_derivatives_build(assembly);
    tn_couplings_build(assembly);
    tn_closures_build(assembly);
    tn_derivatives_complete(assembly);
    tn_forces_build(assembly);
    assembly->couples = read->couplings != NULL;
    assembly->couples_directly = tn_couplings_are_direct(assembly);
    assembly->reads_accelerations = read->accelerations != NULL;
    assembly->integrates_accelerations = tn_accelerations_are_integrated(assembly);
    assembly->measures_forces = read->forces != NULL;
    assembly->reads_past = tn_reads_past(assembly->model);
    size_t conditions = 0;
    (void)tn_conditions(assembly->model, &conditions);
    assembly->has_conditions = conditions > 0;
}

static void close_values(tn_assembly *assembly)
{
    struct tn_value_memory *read = assembly->read;
    tn_value_events_free(assembly);
    if (!read) return;
    tn_couplings_free(read->couplings);
    tn_derivatives_free(read->derivatives);
    tn_live_batches_free(read->live->batches);
    tn_arena_free(&read->arena);
    tn_free(read);
    assembly->read = NULL;
}

static void renew(tn_assembly *assembly, bool other_expressions)
{
    tn_closures_renew(assembly);
    if (other_expressions) tn_live_batches_build(assembly);
}

static tn_status evaluate(tn_assembly *assembly)
{
    const tn_status status = tn_accelerations_evaluate(assembly, false);
    return status == TN_OK ? tn_dynamics_evaluate(assembly) : status;
}

static tn_status find_accelerations(tn_assembly *assembly)
{
    return tn_accelerations_evaluate(assembly, true);
}

const tn_value_source tn_state_values = {.open = open_values,
                                         .close = close_values,
                                         .renew = renew,
                                         .evaluate = evaluate,
                                         .find_accelerations = find_accelerations,
                                         .find_forces = tn_forces_evaluate,
                                         .value = tn_live_evaluate,
                                         .switches = tn_live_switches,
                                         .find_past = tn_live_find,
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

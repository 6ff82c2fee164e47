/* check_study.c - what a study tells without running: its start state, and what is free there (see study.h) */
#include "analysis/redundancy.h"
#include "run/study.h"
#include "start/start.h"
#include "system/linear.h"

/* Takes a constrained model to its start state with this linear solver. */
static bool find_start_state(tn_study *study, tn_linear_choice linear)
{
    tn_assembly *assembly = study->assembly;
    tn_linear_close(assembly);
    if (!linear.type) return false;
    tn_linear_open(assembly, linear.type, linear.instance);
    return tn_make_consistent(assembly, true) == TN_OK;
}

bool tn_study_check(tn_study *study, tn_rank *rank)
{
    static const tn_run nothing = {.struct_size = sizeof nothing};
    const tn_plan *plan = &study->plan;
    tn_assembly *assembly = study->assembly;
    *rank = (tn_rank){0};
    assembly->system.run = plan->solver_count ? &plan->solver[0].run : &nothing;
    if (assembly->system.rows && !find_start_state(study, tn_plan_any_linear(study->model, plan))) {
        tn_study_tell(study, TN_SEVERITY_ERROR, "%s", assembly->failures.reason);
        return false;
    }
    const tn_status status = tn_redundancy_find(assembly, true, rank);
    if (status != TN_OK)
        tn_study_tell(study, TN_SEVERITY_ERROR, "the rank of a closed loop with %u rows cannot be found: %s",
                      rank->core_rows, tn_status_text(status));
    return status == TN_OK;
}

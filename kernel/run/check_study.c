/* check_study.c - what a study tells without running: its start state, and what is free there (see study.h) */
#include "analysis/redundancy.h"
#include "extensions/contacts.h"
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

/* What an element with points of contact refuses at the start, such as shapes that overlap; true where there is nothing. */
static bool check_contacts_of(tn_study *study, tn_group *group)
{
    tn_model *model = study->model;
    group->failure = (tn_failure){0};
    const tn_status status = tn_call(group->type, accepted, &group->batch);
    if (status == TN_OK && !model->refused) return true;
    const uint32_t item = group->item[group->failure.instance];
    tn_model_tell(model, TN_SEVERITY_ERROR, model->item[item].origin->at->place, "%s: %s",
                  tn_item_name(model, item),
                  model->refused           ? model->refusal
                  : group->failure.message ? group->failure.message
                                           : tn_status_text(status));
    return false;
}

static bool check_contacts(tn_study *study)
{
    tn_assembly *assembly = study->assembly;
    if (tn_contact_item(assembly) == TN_NONE) return true;
    if (assembly->system.evaluate(&assembly->system) != TN_OK) return true; /* a run says why */
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].type->points && assembly->group[k].type->accepted &&
            !check_contacts_of(study, &assembly->group[k]))
            return false;
    return true;
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
    if (!check_contacts(study)) return false;
    const tn_status status = tn_redundancy_find(assembly, true, rank);
    if (status != TN_OK)
        tn_study_tell(study, TN_SEVERITY_ERROR, "the rank of a closed loop with %u rows cannot be found: %s",
                      rank->core_rows, tn_status_text(status));
    return status == TN_OK;
}

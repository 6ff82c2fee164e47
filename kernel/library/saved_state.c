/* saved_state.c - the state of a model of the library as bytes (state/state.h) */
#include "library/library.h"

#include "state/state.h"

/* Whether the solver that runs can be saved, which one can only that takes steps. */
static tenon_status find_stepping(tenon_model *model)
{
    const tn_solver_run *running = &model->study.running;
    if (model->phase == TN_ENDED) return tn_library_say(model, TENON_REFUSED, "the run has ended");
    if (running->work && running->begun) return TENON_OK;
    return tn_library_say(model, TENON_REFUSED, "the solver %s cannot be saved: it has no capability \"%s\"",
                          model->study.solver->name, TN_STEPPING_KEY);
}

static tenon_status save_state(tenon_model *model, void *bytes, size_t capacity, size_t *size)
{
    tenon_status status = tn_library_stand(model);
    if (status == TENON_OK) status = find_stepping(model);
    if (status != TENON_OK) return status;
    tn_text anew = {0};
    *size = tn_state_save(&model->study, bytes, capacity, &anew);
    if (anew.length && !model->told_of_save)
        tn_study_tell(
            &model->study, TN_SEVERITY_NOTE,
            "at %.9g s the state was saved: %s cannot hand over all that it has learnt from earlier steps, "
            "and begins that anew at every save",
            tenon_time(model), anew.letters);
    model->told_of_save = model->told_of_save || anew.length;
    tn_free(anew.letters);
    tn_diagnostics_publish(model->study.diagnostics);
    if (!bytes || *size <= capacity) return TENON_OK;
    return tn_library_say(model, TENON_REFUSED, "the state has %zu bytes, and there is room for %zu", *size,
                          capacity);
}

tenon_status tenon_save(tenon_model *model, void *bytes, size_t capacity, size_t *size)
{
    return tn_library_call(model, save_state(model, bytes, capacity, size));
}

static tenon_status restore_state(tenon_model *model, const void *bytes, size_t size)
{
    tenon_status status = tn_library_stand(model);
    if (status != TENON_OK && status != TENON_ENDED) return status;
    tn_text reason = {0};
    const tn_status restored = tn_state_restore(&model->study, bytes, size, &reason);
    if (restored == TN_OK) {
        model->phase = TN_STANDING;
        status = TENON_OK;
    } else if (restored == TN_INVALID) {
        status = tn_library_say(model, TENON_REFUSED, "%s", reason.letters);
    } else {
        model->broken = TENON_FAILED;
        status =
            tn_library_say(model, TENON_FAILED, "the state could not be restored: %s",
                           model->study.assembly->failures.reason[0] ? model->study.assembly->failures.reason
                                                                     : "the bytes are of another model");
    }
    tn_free(reason.letters);
    return status;
}

tenon_status tenon_restore(tenon_model *model, const void *bytes, size_t size)
{
    return tn_library_call(model, restore_state(model, bytes, size));
}

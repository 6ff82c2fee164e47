/* model_state.c - the state of a model of the library: read, and written */
#include "library/library.h"

#include "system/accept.h"
#include "system/shown.h"

#include <string.h>

tenon_status tenon_sizes_of(const tenon_model *model, tenon_sizes *sizes)
{
    const tn_assembly *assembly = model->study.assembly;
    if (!assembly) return TENON_INVALID;
    const tenon_sizes all = {.size = sizes->size,
                             .coordinates = assembly->system.nq,
                             .velocities = assembly->system.nv,
                             .multipliers = assembly->system.rows};
    memcpy(sizes, &all, sizes->size < sizeof all ? sizes->size : sizeof all);
    return TENON_OK;
}

static void copy_numbers(double *to, const double *from, size_t count)
{
    if (to) memcpy(to, from, count * sizeof *to);
}

tenon_status tenon_state(tenon_model *model, double *q, double *v)
{
    const tenon_status status = tenon_start(model);
    if (status != TENON_OK) return status;
    const tn_system *system = &model->study.assembly->system;
    copy_numbers(q, system->q, system->nq);
    copy_numbers(v, system->v, system->nv);
    return TENON_OK;
}

/* ---- as results show it ----------------------------------------------------------------------------------- */

static tenon_status read_results(tenon_model *model, double *a, double *lambda)
{
    const tenon_status status = tenon_start(model);
    if (status != TENON_OK) return status;
    tn_assembly *assembly = model->study.assembly;
    const tn_system *system = &assembly->system;
    const tn_status found = tn_evaluate_outputs(assembly);
    if (found <= TN_EVENT) {
        copy_numbers(a, system->a, system->nv);
        copy_numbers(lambda, system->lambda, system->rows);
    }
    tn_outputs_done(assembly);
    if (found <= TN_EVENT) return TENON_OK;
    return tn_library_say(model, TENON_REFUSED, "the state has none: %s", tn_status_text(found));
}

tenon_status tenon_accelerations(tenon_model *model, double *a)
{
    return tn_library_call(model, read_results(model, a, NULL));
}

tenon_status tenon_multipliers(tenon_model *model, double *lambda)
{
    return tn_library_call(model, read_results(model, NULL, lambda));
}

/* ---- written ---------------------------------------------------------------------------------------------- */

tenon_status tn_library_go_on(tenon_model *model)
{
    tn_assembly *assembly = model->study.assembly;
    const tn_status status = tn_accept_anew(assembly);
    tn_diagnostics_publish(model->study.diagnostics);
    if (status == TN_OK) return TENON_OK;
    (void)tn_library_say(model, TENON_REFUSED, "%s",
                         assembly->failures.reason[0] ? assembly->failures.reason : tn_status_text(status));
    assembly->failures.reason[0] = '\0';
    return status == TN_OUT_OF_MEMORY ? TENON_OUT_OF_MEMORY : TENON_REFUSED;
}

tenon_status tn_library_go_back(tenon_model *model, bool restored)
{
    char reason[sizeof model->reason];
    memcpy(reason, model->reason, sizeof reason);
    const bool good = restored && tn_library_go_on(model) == TENON_OK;
    memcpy(model->reason, reason, sizeof reason);
    if (good) return TENON_REFUSED;
    return model->broken = TENON_FAILED;
}

/* q, v and multipliers, one behind the other. */
static double *keep_state(const tn_system *system)
{
    double *kept = tn_new((size_t)system->nq + system->nv + system->rows, sizeof *kept);
    copy_numbers(kept, system->q, system->nq);
    copy_numbers(kept + system->nq, system->v, system->nv);
    copy_numbers(kept + system->nq + system->nv, system->lambda, system->rows);
    return kept;
}

static void restore_state(const tn_system *system, const double *kept)
{
    copy_numbers(system->q, kept, system->nq);
    copy_numbers(system->v, kept + system->nq, system->nv);
    copy_numbers(system->lambda, kept + system->nq + system->nv, system->rows);
}

static tenon_status write_state(tenon_model *model, const double *q, const double *v)
{
    tenon_status status = tn_library_stand(model);
    if (status != TENON_OK) return status;
    if (model->phase == TN_ENDED) return tn_library_say(model, TENON_REFUSED, "the run has ended");
    const tn_system *system = &model->study.assembly->system;
    double *kept = keep_state(system);
    if (q) copy_numbers(system->q, q, system->nq);
    if (v) copy_numbers(system->v, v, system->nv);
    if (system->normalise((tn_system *)system, system->q) == TN_OK)
        status = tn_library_go_on(model);
    else
        status = tn_library_say(model, TENON_REFUSED, "these are no coordinates of the bodies");
    if (status == TENON_REFUSED) {
        restore_state(system, kept);
        (void)tn_library_go_back(model, true);
    }
    tn_free(kept);
    return status;
}

tenon_status tenon_set_state(tenon_model *model, const double *q, const double *v)
{
    return tn_library_call(model, write_state(model, q, v));
}

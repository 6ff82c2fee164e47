/* failure.c - notes who has refused, or has made a mistake; fails and warns for solvers (see failure.h) */
#include "system/failure.h"

#include "system/block_calls.h"

#include "system/explanation.h"

#include <math.h>
#include <stdarg.h>

/* ---- who it was ------------------------------------------------------------------------------------------ */

tn_status tn_refused(tn_assembly *assembly, const tn_group *group, tn_status status)
{
    if (tn_find_marker(assembly)) return tn_worse(status, TN_RETRY);
    assembly->failures.refusal.group = group;
    assembly->failures.refusal.instance = group->failure.instance;
    assembly->failures.refusal.message =
        assembly->model->refused ? assembly->model->refusal : group->failure.message;
    return tn_worse(status, TN_OK);
}

void tn_name_number(tn_assembly *assembly, const char *what, double value)
{
    assembly->failures.refusal.message = assembly->failures.refusal.number;
    (void)snprintf(assembly->failures.refusal.number, sizeof assembly->failures.refusal.number,
                   "its %s is %s, not a finite number", what,
                   isnan(value)  ? "nan"
                   : value > 0.0 ? "inf"
                                 : "-inf");
}

tn_status tn_worst_answer(tn_group *group)
{
    tn_status worst = TN_OK;
    for (size_t k = 0; k * TN_BLOCK < group->batch.count; k++) {
        if (tn_worse(group->answer[k].status, worst) == worst) continue;
        worst = group->answer[k].status;
        group->failure = group->answer[k].failure;
        group->failure.instance += (uint32_t)(k * TN_BLOCK);
    }
    return worst;
}

tn_status tn_not_finite(tn_assembly *assembly, const tn_group *group, uint32_t instance, const char *what,
                        double value)
{
    if (tn_find_marker(assembly)) return TN_RETRY;
    assembly->failures.refusal.group = group;
    assembly->failures.refusal.instance = instance;
    tn_name_number(assembly, what, value);
    return TN_RETRY;
}

tn_status tn_blame(tn_assembly *assembly, const void *type, const char *function, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(what, sizeof what, format, arguments);
    va_end(arguments);
    if (assembly->failures.blame[0]) return TN_FATAL;
    const tn_culprit culprit = tn_registry_culprit(assembly->model->registry, type, function);
    (void)tn_print_cut(assembly->failures.blame, sizeof assembly->failures.blame, "at time %.9g s: %s %s",
                       assembly->system.time, culprit.words, what);
    return TN_FATAL;
}

/* ---- what solvers say ------------------------------------------------------------------------------------ */

static tn_status fail_for(tn_system *system, tn_status status, const double *residual, const double *jump,
                          const char *what_was_tried)
{
    tn_assembly *assembly = (tn_assembly *)system;
    tn_failures *failures = &assembly->failures;
    const tn_explanation *explanation = assembly->services->explanation;
    if (failures->blame[0])
        memcpy(failures->reason, failures->blame, sizeof failures->reason);
    else if (explanation)
        explanation->failure(assembly, status, residual, jump, what_was_tried);
    else
        (void)tn_print_cut(failures->reason, sizeof failures->reason, "at time %.9g s: %s", system->time,
                           tn_status_text(status));
    return status;
}

tn_status tn_system_fail(tn_system *system, tn_status status, const double *residual,
                         const char *what_was_tried)
{
    return tn_attempt_status(fail_for(system, status, residual, NULL, what_was_tried));
}

tn_status tn_system_fail_at_jump(tn_system *system, tn_status status, const double *jump,
                                 const char *what_was_tried)
{
    return tn_attempt_status(fail_for(system, status, NULL, jump, what_was_tried));
}

void tn_system_warn(tn_system *system, uint32_t coordinate, const char *text)
{
    tn_assembly *assembly = (tn_assembly *)system;
    tn_model *model = assembly->model;
    const tn_location *at = model->host_at;
    const char *item = model->host_item;
    const tn_group *group = assembly->group;
    while (coordinate - group->v_start >= group->batch.layout->nv * group->batch.count)
        group++;
    const uint32_t owner = group->item[(coordinate - group->v_start) / group->batch.layout->nv];
    tn_host_point(model, model->item[owner].origin->at, tn_item_name(model, owner));
    tn_say(&model->host, TN_WARNING, "at time %.9g s: %s", system->time, text);
    tn_host_point(model, at, item);
}

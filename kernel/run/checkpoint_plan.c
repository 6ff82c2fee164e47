/* checkpoint_plan.c - whether a run can have the checkpoints that [output] asks for (see plan.h) */
#include "run/plan.h"

static void check_solvers(tn_source *source, const tn_plan *plan, const tn_toml *node)
{
    for (size_t k = 0; k < plan->solver_count; k++) {
        const tn_loaded_solver *type = plan->solver[k].type;
        if (type && !type->begin)
            tn_source_error(source, node,
                            "there can be no checkpoints: the solver `%s` does not go on from one (it has no "
                            "capability \"%s\")",
                            type->name, TN_STEPPING_KEY);
    }
}

static void check_writers(tn_source *source, const tn_plan *plan, const tn_toml *node)
{
    for (size_t k = 0; k < plan->writer_count; k++) {
        const tn_writer_type *type = plan->writer[k].type;
        if (!tn_loaded_writer_of(type)->reopen)
            tn_source_error(
                source, node,
                "there can be no checkpoints: the writer `%s` does not go on with a table (it has no "
                "capability \"%s\")",
                type->name, TN_APPEND_KEY);
    }
}

/* From the start of the first solver to the end of the last one. */
static bool is_reached(const tn_plan *plan, double time)
{
    const tn_solver_plan *solver = plan->solver;
    return time > solver[0].run.start_time && time < solver[plan->solver_count - 1].run.end_time;
}

static void check_times(tn_model *model, const tn_plan *plan, const tn_toml *node)
{
    for (size_t k = 0; node && plan->solver_count && k < plan->checkpoint.times.count; k++) {
        const double time = plan->checkpoint.times.value[k];
        if (is_reached(plan, time)) continue;
        tn_diagnose(
            model->reader->diagnostics, TN_SEVERITY_WARNING,
            node->kind == TN_TOML_ARRAY && k < node->count ? node->child[k]->place : node->place,
            "the checkpoint at %.9g s is not made: it is not between the start and the end of the run", time);
    }
}

void tn_check_checkpoints(tn_model *model, bool guarded, tn_plan *plan, const tn_toml *output)
{
    tn_source *source = &model->reader->source;
    const tn_toml *times = tn_toml_get(output, "checkpoint_times"),
                  *every = tn_toml_get(output, "checkpoint");
    const tn_toml *node = every ? every : times;
    if (guarded) {
        plan->checkpoint = (tn_checkpoint_plan){0};
        tn_diagnose(model->reader->diagnostics, TN_SEVERITY_WARNING, node->place,
                    "a run with `--guard` makes no checkpoints");
        return;
    }
    check_solvers(source, plan, node);
    check_writers(source, plan, node);
    check_times(model, plan, times);
}

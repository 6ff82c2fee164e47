/* live.c - expressions that are evaluated again and again: what they read, and the parameters that they give */
#include "values/state_values.h"

double *tn_dynamic_place(const tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    const tn_batch *batch = &assembly->group[assembly->group_of[dynamic->item]].batch;
    char *instance = (char *)batch->instance + assembly->index_of[dynamic->item] * batch->instance_stride;
    return (double *)(void *)(instance + dynamic->offset);
}

static void prepare_live(void *data, tn_live_value *live)
{
    tn_assembly *assembly = data;
    const size_t inputs = tn_live_input_count(live);
    if (inputs > assembly->read->most_inputs) assembly->read->most_inputs = inputs;
    for (uint32_t k = 0; k < live->calls.count; k++) {
        const tn_node_kind *kind = live->read[k].kind;
        live->read[k].value = kind->place(assembly, &live->read[k]);
        live->finds = live->finds || kind->measure || kind->find;
    }
}

void tn_live_prepare(tn_assembly *assembly)
{
    tn_visit_live(assembly->model, prepare_live, assembly);
    tn_live_batches_build(assembly);
}

/* The inputs at the last evaluated markers. */
static double *gather_inputs(const tn_assembly *assembly, const tn_live_value *live)
{
    double *input = live->inputs + tn_live_first_read(live);
    input[-1] = assembly->system.time;
    for (uint32_t k = 0; k < live->calls.count; k++)
        input[k] = *live->read[k].value;
    return live->inputs;
}

const char *tn_live_find(const tn_assembly *assembly, const tn_live_value *live)
{
    const char *problem = NULL;
    for (uint32_t k = 0; live->finds && k < live->calls.count && !problem; k++)
        if (live->read[k].kind->find) problem = live->read[k].kind->find(assembly, &live->read[k]);
    return problem;
}

bool tn_live_evaluate(const tn_assembly *assembly, const tn_live_value *live, double *value,
                      const char **problem)
{
    const char *unused = NULL, **reason = problem ? problem : &unused;
    *reason = tn_live_find(assembly, live);
    if (*reason || !tn_expression_value(live->expression, gather_inputs(assembly, live), value, reason))
        return false;
    *value *= live->factor;
    return true;
}

bool tn_live_differentiate(const tn_assembly *assembly, const tn_live_value *live, const double *direction,
                           double *value, double *gradient, double *product)
{
    const char *unused = NULL;
    const double *inputs = gather_inputs(assembly, live);
    return direction
               ? tn_expression_second(live->expression, inputs, direction, value, gradient, product, &unused)
               : tn_expression_gradient(live->expression, inputs, value, gradient, &unused);
}

void tn_live_switches(const tn_assembly *assembly, const tn_live_value *live, double *value)
{
    const char *unused = NULL;
    (void)tn_expression_switches(live->expression, gather_inputs(assembly, live), value, &unused);
}

tn_status tn_value_refused(tn_assembly *assembly, const tn_dynamic_value *dynamic, const char *problem)
{
    if (dynamic->item == TN_NONE) return assembly->model->refused ? TN_INVALID : TN_RETRY;
    tn_group *group = &assembly->group[assembly->group_of[dynamic->item]];
    const tn_status status = assembly->model->refused ? TN_INVALID : TN_RETRY;
    group->failure = (tn_failure){assembly->index_of[dynamic->item], status, problem};
    assembly->failures.refusal.value = dynamic;
    return tn_refused(assembly, group, status);
}

tn_status tn_live_measure(tn_assembly *assembly, const tn_live_value *live)
{
    tn_status status = TN_OK;
    for (uint32_t k = 0; live->finds && k < live->calls.count && status == TN_OK; k++)
        if (live->read[k].kind->measure) status = live->read[k].kind->measure(assembly, &live->read[k]);
    return status;
}

/* What a value reads that stands nowhere yet, for whoever evaluates its expression elsewhere. */
static tn_status find_inputs(tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    const tn_status status = tn_live_measure(assembly, &dynamic->live);
    const char *problem = status == TN_OK ? tn_live_find(assembly, &dynamic->live) : NULL;
    return problem ? tn_value_refused(assembly, dynamic, problem) : status;
}

static tn_status solve_loop(tn_assembly *assembly, uint32_t number)
{
    const tn_model *model = assembly->model;
    const tn_loop *loop = &model->values->loop[number];
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < loop->count && status == TN_OK; k++)
        status = find_inputs(assembly, tn_value_of_rank(model->values, loop->first + k));
    return status == TN_OK ? tn_loop_solve(assembly, number) : status;
}

tn_status tn_dynamic_evaluate(tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    double value = 0.0;
    const char *problem = NULL;
    if (dynamic->loop != TN_NONE) return solve_loop(assembly, dynamic->loop);
    const bool function = dynamic->live.argument_count > 0; /* called by its instance */
    const tn_status status =
        function ? find_inputs(assembly, dynamic) : tn_live_measure(assembly, &dynamic->live);
    if (status == TN_OK && function) (void)gather_inputs(assembly, &dynamic->live);
    if (status != TN_OK || function) return status;
    if (!tn_live_evaluate(assembly, &dynamic->live, &value, &problem))
        return tn_value_refused(assembly, dynamic, problem);
    *tn_dynamic_place(assembly, dynamic) = value;
    return TN_OK;
}

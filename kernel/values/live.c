/* live.c - expressions that are evaluated again and again: what they read, and the parameters that they give */
#include "values/live.h"

static char *instance_of(const tn_assembly *assembly, uint32_t item)
{
    const tn_batch *batch = &assembly->group[assembly->group_of[item]].batch;
    return (char *)batch->instance + assembly->index_of[item] * batch->instance_stride;
}

double *tn_dynamic_place(const tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    return (double *)(void *)(instance_of(assembly, dynamic->item) + dynamic->offset);
}

static void prepare(void *data, tn_live_value *live)
{
    tn_assembly *assembly = data;
    const size_t inputs = tn_live_input_count(live);
    if (inputs > assembly->read->live->most_inputs) assembly->read->live->most_inputs = inputs;
    for (uint32_t k = 0; k < live->calls.count; k++) {
        const tn_node_kind *kind = live->read[k].kind;
        live->read[k].value = kind->place(assembly, &live->read[k]);
        live->finds = live->finds || kind->measure || kind->find;
    }
}

void tn_live_prepare(tn_assembly *assembly)
{
    struct tn_live *live = assembly->read->live = tn_value_new(assembly, 1, sizeof *live);
    tn_visit_live(assembly->model, prepare, assembly);
    tn_live_batches_build(assembly);
}

/* The inputs at the last evaluated markers. */
static double *gather(const tn_assembly *assembly, const tn_live_value *live)
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
    if (*reason || !tn_expression_value(live->expression, gather(assembly, live), value, reason))
        return false;
    *value *= live->factor;
    return true;
}

bool tn_live_differentiate(const tn_assembly *assembly, const tn_live_value *live, const double *direction,
                           double *value, double *gradient, double *product)
{
    const char *unused = NULL;
    const double *inputs = gather(assembly, live);
    return direction
               ? tn_expression_second(live->expression, inputs, direction, value, gradient, product, &unused)
               : tn_expression_gradient(live->expression, inputs, value, gradient, &unused);
}

void tn_live_switches(const tn_assembly *assembly, const tn_live_value *live, double *value)
{
    const char *unused = NULL;
    (void)tn_expression_switches(live->expression, gather(assembly, live), value, &unused);
}

tn_status tn_value_refused(tn_assembly *assembly, const tn_dynamic_value *dynamic, const char *problem)
{
    tn_group *group = &assembly->group[assembly->group_of[dynamic->item]];
    group->failure = (tn_failure){assembly->index_of[dynamic->item], TN_RETRY, problem};
    assembly->failures.refusal.value = dynamic;
    return tn_refused(assembly, group, TN_RETRY);
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

/* A function is called by its instance. */
static tn_status ready_function(tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    const tn_status status = find_inputs(assembly, dynamic);
    if (status == TN_OK) (void)gather(assembly, &dynamic->live);
    return status;
}

tn_status tn_dynamic_evaluate(tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    double value = 0.0;
    const char *problem = NULL;
    if (dynamic->loop != TN_NONE) return solve_loop(assembly, dynamic->loop);
    if (dynamic->live.argument_count) return ready_function(assembly, dynamic);
    const tn_status status = tn_live_measure(assembly, &dynamic->live);
    if (status != TN_OK) return status;
    if (!tn_live_evaluate(assembly, &dynamic->live, &value, &problem))
        return tn_value_refused(assembly, dynamic, problem);
    *tn_dynamic_place(assembly, dynamic) = value;
    return TN_OK;
}

tn_status tn_dynamics_evaluate(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    if (tn_live_batches_evaluate(assembly)) return TN_OK;
    /* one by one, until the one that has no value */
    tn_status status = TN_OK;
    for (uint32_t rank = 0; rank < model->values->dynamic_count && status == TN_OK; rank++) {
        const tn_dynamic_value *dynamic = tn_value_of_rank(model->values, rank);
        if (!dynamic->off || dynamic->loop != TN_NONE) status = tn_dynamic_evaluate(assembly, dynamic);
        if (dynamic->loop != TN_NONE) rank += model->values->loop[dynamic->loop].count - 1;
    }
    return status;
}

/* live.c - expressions that are evaluated again and again: what they read, and the parameters that they give */
#include "model/delays.h"
#include "values/live.h"

#include "values/accelerations.h"
#include "values/delays.h"
#include "values/forces.h"

static char *instance_of(const tn_assembly *assembly, uint32_t item)
{
    const tn_batch *batch = &assembly->group[assembly->group_of[item]].batch;
    return (char *)batch->instance + assembly->index_of[item] * batch->instance_stride;
}

double *tn_dynamic_place(const tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    return (double *)(void *)(instance_of(assembly, dynamic->item) + dynamic->offset);
}

static const double *place_of(const tn_assembly *assembly, const tn_observed *observed)
{
    if (observed->kind == TN_OBSERVED_DELAY) return &assembly->model->delay[observed->index]->output;
    if (observed->kind == TN_OBSERVED_VARIABLE) {
        const tn_group *group = &assembly->group[assembly->group_of[observed->index]];
        if (assembly->model->item[observed->index].variable == TN_INTEGRAL)
            return assembly->system.x + group->x_start +
                   assembly->index_of[observed->index] * group->batch.layout->nx;
        if (assembly->model->item[observed->index].variable == TN_CONSTRAINT_MULTIPLIER)
            return assembly->system.lambda + group->row_start +
                   assembly->index_of[observed->index] * group->rows;
        return (const double *)(const void *)(instance_of(assembly, observed->index) +
                                              tn_value_of(group->type)->offset);
    }
    if (observed->kind == TN_OBSERVED_ACCELERATION) return tn_acceleration_place(assembly, observed->index);
    if (observed->kind == TN_OBSERVED_FORCE) return &assembly->model->measured_force[observed->index]->value;
    const tn_marker_place place = assembly->station[observed->index].place;
    return observed->kind == TN_OBSERVED_RATE ? assembly->motion + place.twist
                                              : assembly->configuration + place.pose;
}

static void prepare(tn_assembly *assembly, tn_live_value *live)
{
    const size_t inputs = tn_live_first_observed(live) + live->reads;
    if (inputs > assembly->read->live->most_inputs) assembly->read->live->most_inputs = inputs;
    for (uint32_t k = 0; k < live->calls.count; k++)
        live->observed[k].value = place_of(assembly, &live->observed[k]);
}

void tn_live_prepare(tn_assembly *assembly)
{
    tn_model *model = assembly->model;
    for (size_t k = 0; k < model->dynamic_count; k++)
        prepare(assembly, &model->dynamic[k].live);
    for (size_t k = 0; k < model->sensor_count; k++)
        prepare(assembly, &model->sensor[k].live);
    for (size_t k = 0; k < model->condition_count; k++)
        prepare(assembly, &model->condition[k].live);
    for (size_t k = 0; k < model->delay_count; k++) {
        prepare(assembly, &model->delay[k]->value);
        prepare(assembly, &model->delay[k]->lag);
    }
    assembly->read->live->gradient = tn_new(assembly->read->live->most_inputs, sizeof(double));
    tn_live_batches_build(assembly);
}

/* The inputs at the last evaluated markers. */
static double *gather(const tn_assembly *assembly, const tn_live_value *live)
{
    double *input = live->inputs + tn_live_first_observed(live);
    input[-1] = assembly->system.time;
    for (uint32_t k = 0; k < live->calls.count; k++)
        input[k] = *live->observed[k].value;
    return live->inputs;
}

bool tn_live_evaluate(const tn_assembly *assembly, const tn_live_value *live, double *value,
                      const char **problem)
{
    const char *unused = NULL, **reason = problem ? problem : &unused;
    *reason = tn_delays_find(assembly, live);
    if (*reason || !tn_expression_value(live->expression, gather(assembly, live), value, reason))
        return false;
    *value *= live->factor;
    return true;
}

bool tn_live_gradient(const tn_assembly *assembly, const tn_live_value *live, double *gradient)
{
    const char *unused = NULL;
    double value = 0.0;
    return tn_expression_gradient(live->expression, gather(assembly, live), &value, gradient, &unused) &&
           tn_delays_gradient(assembly, live, gradient);
}

bool tn_live_second(const tn_assembly *assembly, const tn_live_value *live, const double *direction,
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
    assembly->failed_value = dynamic;
    return tn_refused(assembly, group, TN_RETRY);
}

/* Forces of elements whose parameters are known by now. */
static tn_status find_forces(tn_assembly *assembly, const tn_live_value *live)
{
    tn_status status = TN_OK;
    for (uint32_t k = 0; assembly->read->forces && k < live->reads && status == TN_OK; k++)
        if (live->observed[k].kind == TN_OBSERVED_FORCE)
            status = tn_force_evaluate(assembly, assembly->model->measured_force[live->observed[k].index]);
    return status;
}

/* What a value reads that stands nowhere yet, for whoever evaluates its expression elsewhere. */
static tn_status find_inputs(tn_assembly *assembly, const tn_dynamic_value *dynamic)
{
    const tn_status status = find_forces(assembly, &dynamic->live);
    const char *problem = status == TN_OK ? tn_delays_find(assembly, &dynamic->live) : NULL;
    return problem ? tn_value_refused(assembly, dynamic, problem) : status;
}

static tn_status solve_loop(tn_assembly *assembly, uint32_t number)
{
    const tn_model *model = assembly->model;
    const tn_loop *loop = &model->loop[number];
    tn_status status = TN_OK;
    for (uint32_t k = 0; k < loop->count && status == TN_OK; k++)
        status = find_inputs(assembly, &model->dynamic[model->dynamic_order[loop->first + k]]);
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
    const tn_status status = find_forces(assembly, &dynamic->live);
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
    for (uint32_t rank = 0; rank < model->dynamic_count && status == TN_OK; rank++) {
        const tn_dynamic_value *dynamic = &model->dynamic[model->dynamic_order[rank]];
        if (!dynamic->off || dynamic->loop != TN_NONE) status = tn_dynamic_evaluate(assembly, dynamic);
        if (dynamic->loop != TN_NONE) rank += model->loop[dynamic->loop].count - 1;
    }
    return status;
}

void tn_live_free(struct tn_live *live)
{
    if (!live) return;
    tn_live_batches_free(live->batches);
    tn_free(live->gradient);
    tn_free(live);
}

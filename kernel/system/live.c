/* live.c - expressions that are evaluated again and again: what they read, and the parameters that they give */
#include "system/assembly.h"

#include <math.h>

static char *instance_of(const tn_assembly *assembly, uint32_t item)
{
    const tn_batch *batch = &assembly->group[assembly->group_of[item]].batch;
    return (char *)batch->instance + assembly->index_of[item] * batch->instance_stride;
}

/* What VARVAL reads of an element. */
static const tn_parameter *value_of(const tn_element_type *type)
{
    const tn_parameter *parameter = type->parameters;
    while (!(parameter->kind == TN_KIND_REAL && parameter->flags & TN_DYNAMIC))
        parameter++;
    return parameter;
}

static const double *place_of(const tn_assembly *assembly, const tn_observed *observed)
{
    if (observed->kind == TN_OBSERVED_VARIABLE) {
        const tn_group *group = &assembly->group[assembly->group_of[observed->index]];
        if (assembly->model->item[observed->index].variable == TN_INTEGRAL)
            return assembly->system.x + group->x_start +
                   assembly->index_of[observed->index] * group->batch.layout->nx;
        if (assembly->model->item[observed->index].variable == TN_CONSTRAINT_MULTIPLIER)
            return assembly->system.lambda + group->row_start +
                   assembly->index_of[observed->index] * group->rows;
        return (const double *)(const void *)(instance_of(assembly, observed->index) +
                                              value_of(group->type)->offset);
    }
    const tn_marker_place place = assembly->station[observed->index].place;
    return observed->kind == TN_OBSERVED_RATE ? assembly->motion + place.twist
                                              : assembly->configuration + place.pose;
}

static void prepare(tn_assembly *assembly, tn_live_value *live)
{
    const size_t inputs = live->depth + 1u + live->calls.count;
    if (inputs > assembly->most_inputs) assembly->most_inputs = inputs;
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
    assembly->live_gradient = tn_new(assembly->most_inputs, sizeof(double));
}

/* The inputs at the last evaluated markers. */
static double *gather(const tn_assembly *assembly, const tn_live_value *live)
{
    double *input = live->inputs + live->depth;
    *input++ = assembly->system.time;
    for (uint32_t k = 0; k < live->calls.count; k++)
        input[k] = *live->observed[k].value;
    return live->inputs;
}

bool tn_live_evaluate(const tn_assembly *assembly, const tn_live_value *live, double *value,
                      const char **problem)
{
    const char *unused = NULL;
    if (!tn_expression_value(live->expression, gather(assembly, live), value, problem ? problem : &unused))
        return false;
    *value *= live->factor;
    return true;
}

bool tn_live_gradient(const tn_assembly *assembly, const tn_live_value *live, double *gradient)
{
    const char *unused = NULL;
    double value = 0.0;
    return tn_expression_gradient(live->expression, gather(assembly, live), &value, gradient, &unused);
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

/* Which input of the expression of an implicit variable it is itself. */
static uint32_t own_input(const tn_dynamic_value *dynamic)
{
    uint32_t k = 0;
    while (dynamic->live.observed[k].kind != TN_OBSERVED_VARIABLE ||
           dynamic->live.observed[k].index != dynamic->item)
        k++;
    return dynamic->live.depth + 1 + k;
}

double tn_live_own_derivative(const tn_assembly *assembly, const tn_dynamic_value *dynamic,
                              const double *gradient)
{
    const bool implicit = assembly->model->item[dynamic->item].variable == TN_IMPLICIT;
    return implicit ? -gradient[own_input(dynamic)] : 1.0;
}

/* Newton's method from the last value. */
static const char *solve(const tn_assembly *assembly, const tn_dynamic_value *dynamic, double *value)
{
    enum { MOST_ITERATIONS = 50 };
    const tn_live_value *live = &dynamic->live;
    const uint32_t own = own_input(dynamic);
    double *inputs = gather(assembly, live), *gradient = assembly->live_gradient;
    const char *problem = NULL;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        double left = 0.0;
        if (!tn_expression_gradient(live->expression, inputs, &left, gradient, &problem)) return problem;
        if (gradient[own] == 0.0 || !isfinite(gradient[own]))
            return "its equation does not change with it here: it has no solution nearby";
        const double correction = -left / gradient[own];
        *value = inputs[own] += correction;
        if (fabs(correction) <= 4e-16 * fabs(*value) || correction == 0.0) return NULL;
        if (k > 8 && fabs(correction) <= 1e-13 * fmax(1.0, fabs(*value))) return NULL;
    }
    return "its equation is not solved after 50 iterations";
}

tn_status tn_dynamics_evaluate(tn_assembly *assembly)
{
    const tn_model *model = assembly->model;
    for (size_t k = 0; k < model->dynamic_count; k++) {
        const tn_dynamic_value *dynamic = &model->dynamic[model->dynamic_order[k]];
        if (dynamic->off) continue;
        double value = 0.0;
        const char *problem = NULL;
        if (model->item[dynamic->item].variable == TN_IMPLICIT)
            problem = solve(assembly, dynamic, &value);
        else
            (void)tn_live_evaluate(assembly, &dynamic->live, &value, &problem);
        if (problem) {
            tn_group *group = &assembly->group[assembly->group_of[dynamic->item]];
            group->failure = (tn_failure){assembly->index_of[dynamic->item], TN_RETRY, problem};
            return tn_refused(assembly, group, TN_RETRY);
        }
        *(double *)(void *)(instance_of(assembly, dynamic->item) + dynamic->offset) = value;
    }
    return TN_OK;
}

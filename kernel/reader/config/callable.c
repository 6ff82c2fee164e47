/* callable.c - what stands behind a tn_callable: an expression of its arguments, or a function of the model that gets just these */
#include "config/fill.h"

#include <math.h>
#include <string.h>

/* Value and partial derivatives by the arguments (or NULL); false with a static text outside the domain. */
static bool call_user_function(const tn_called *called, const double *arguments, double *value,
                               double *partials, const char **problem)
{
    const tn_user_function *function = (const tn_user_function *)(const void *)called;
    double *inputs = function->inputs, *gradient = function->gradient;
    const uint32_t depth = function->depth, count = function->argument_count;
    memcpy(inputs + depth, arguments, count * sizeof *inputs);
    const bool known = partials
                           ? tn_expression_gradient(function->expression, inputs, value, gradient, problem)
                           : tn_expression_value(function->expression, inputs, value, problem);
    if (!known) return false;
    *value = *value * function->factor + *function->added;
    for (uint32_t k = 0; partials && k < count; k++)
        partials[k] = gradient[depth + k] * function->factor;
    return true;
}

/* The same where the expression hands the arguments over to a routine, and nothing else. */
static bool call_routine(const tn_called *called, const double *arguments, double *value, double *partials,
                         const char **problem)
{
    const tn_user_function *function = (const tn_user_function *)(const void *)called;
    const uint32_t count = function->argument_count;
    bool known = true;
    for (uint32_t k = 0; k < count; k++)
        known &= !isnan(arguments[k]);
    tn_function_result result = {.partial = partials, .varying = ((uint64_t)1 << count) - 1};
    *problem = known ? function->routine->body(function->routine, arguments, count, &result)
                     : "result is not finite";
    if (!*problem && !isfinite(result.value)) *problem = "result is not finite";
    *value = result.value * function->factor + *function->added;
    for (uint32_t k = 0; partials && k < count; k++)
        partials[k] *= function->factor;
    return !*problem;
}

void tn_callable_apply(tn_source *source, const tn_fill_step *step, void *instance)
{
    const size_t inputs = source->depth + step->quantity.argument_count + 1u + step->quantity.calls.count;
    double *memory = tn_arena_new(source->arena, (2 * inputs + 1) * sizeof *memory);
    tn_user_function *function = tn_arena_new(source->arena, sizeof *function);
    *function = (tn_user_function){.called = {call_user_function},
                                   .expression = step->quantity.expression,
                                   .factor = step->quantity.factor,
                                   .depth = source->depth,
                                   .argument_count = step->quantity.argument_count,
                                   .inputs = memory,
                                   .gradient = memory + inputs,
                                   .added = memory + 2 * inputs};
    uint32_t handed;
    const tn_routine *routine = tn_expression_only_call(function->expression, source->depth, &handed);
    if (routine && handed == function->argument_count) {
        function->called.call = call_routine;
        function->routine = routine;
    }
    if (source->variable_value) memcpy(memory, source->variable_value, source->depth * sizeof *memory);
    ((tn_callable *)((char *)instance + step->parameter->offset))->handle = function;
}

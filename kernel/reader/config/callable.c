/* callable.c - what stands behind a tn_callable: an expression of its arguments, or a function of the model that gets just these */
#include "config/fill.h"

#include <math.h>
#include <string.h>

enum { MOST_USED = 16, MOST_CALLS = 4 }; /* inputs and calls of expressions that are called together */

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

/* Switching functions are looked at where the last call was: argument k of it stands at arguments[k * stride]. */
static void keep_arguments(const tn_user_function *function, const double *arguments, size_t stride)
{
    for (uint32_t k = 0; k < function->argument_count; k++)
        function->inputs[function->depth + k] = arguments[k * stride];
}

/* The same where the expression hands the arguments over to a routine, and nothing else. */
static bool call_routine(const tn_called *called, const double *arguments, double *value, double *partials,
                         const char **problem)
{
    const tn_user_function *function = (const tn_user_function *)(const void *)called;
    const uint32_t count = function->argument_count;
    bool known = true;
    if (tn_expression_switch_count(function->expression)) keep_arguments(function, arguments, 1);
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

/* ---- many at once ---------------------------------------------------------------------------------------- */

enum { LANES = TN_EXPRESSION_LANES };
_Static_assert((int)LANES == (int)TN_CALL_LANES, "arguments of calls stand as expressions take them");

static bool call_routines(const tn_user_function *const *function, uint32_t count, const double *arguments,
                          double *values)
{
    const tn_routine *routine[LANES];
    for (uint32_t lane = 0; lane < count; lane++)
        routine[lane] = function[lane]->routine;
    return routine[0]->many(routine, count, arguments, values);
}

/* Where the inputs of an expression stand: its arguments side by side, the rest with each function. */
static bool call_expressions(const tn_user_function *const *function, uint32_t count, const double *arguments,
                             double *values)
{
    const tn_expression *expression = function[0]->expression;
    const double *source[MOST_USED * LANES];
    const tn_routine *routine[MOST_CALLS * LANES];
    const uint32_t depth = function[0]->depth, used = tn_expression_used_count(expression);
    uint32_t calls = 0;
    for (uint32_t k = 0; k < used; k++) {
        const uint32_t input = tn_expression_used(expression, k);
        const bool given = input >= depth && input < depth + function[0]->argument_count;
        for (uint32_t lane = 0; lane < LANES; lane++)
            source[k * LANES + lane] =
                given ? &arguments[(input - depth) * LANES + lane] : &function[lane]->inputs[input];
    }
    for (; tn_expression_routine(expression, calls); calls++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            routine[calls * LANES + lane] = tn_expression_routine(function[lane]->expression, calls);
    return tn_expression_value_lanes(expression, source, routine, count, values);
}

/* As call_many() of tenon/host.h. Lanes without a call repeat the first one. */
static bool call_together(const tn_callable *callable, uint32_t count, double *arguments, double *values)
{
    const tn_user_function *function[LANES], *first = callable->handle;
    double value[LANES];
    bool alike = true;
    for (uint32_t lane = 0; lane < count; lane++) {
        function[lane] = callable[lane].handle;
        alike &= function[lane]->like == first->like;
    }
    if (!alike) return false;
    for (uint32_t lane = count; lane < LANES; lane++) {
        function[lane] = first;
        for (uint32_t k = 0; k < first->argument_count; k++)
            arguments[k * LANES + lane] = arguments[k * LANES];
    }
    for (uint32_t lane = 0; lane < count && tn_expression_switch_count(first->expression); lane++)
        keep_arguments(function[lane], arguments + lane, LANES);
    if (!(first->routine ? call_routines : call_expressions)(function, count, arguments, value)) return false;
    bool finite = true;
    for (uint32_t lane = 0; lane < count; lane++) {
        finite &= isfinite(value[lane]);
        values[lane] = value[lane] * function[lane]->factor + *function[lane]->added;
    }
    return finite;
}

static bool are_alike(const tn_user_function *a, const tn_user_function *b)
{
    return a->argument_count == b->argument_count && a->depth == b->depth && !a->routine == !b->routine &&
           tn_expression_compare(a->expression, b->expression) == 0;
}

/* Whether it may be called together with others at all. */
static bool has_lanes(const tn_user_function *function)
{
    const tn_expression *expression = function->expression;
    if (function->routine) return function->routine->family != NULL;
    return tn_expression_has_lanes(expression) && tn_expression_used_count(expression) <= MOST_USED &&
           !tn_expression_routine(expression, MOST_CALLS);
}

/* Copies of an item have equal functions, which come one after the other: a few of the last ones are looked through. */
static void find_like(tn_source *source, tn_user_function *function)
{
    if (!has_lanes(function)) return;
    const uint32_t known =
        source->functions_known < TN_FUNCTIONS_KNOWN ? source->functions_known : TN_FUNCTIONS_KNOWN;
    function->called.many = call_together;
    for (uint32_t k = 0; k < known && !function->like; k++)
        if (are_alike(source->function_known[k], function)) function->like = source->function_known[k];
    if (function->like) return;
    function->like = function;
    source->function_known[source->functions_known++ % TN_FUNCTIONS_KNOWN] = function;
}

/* ---- setup ----------------------------------------------------------------------------------------------- */

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
    find_like(source, function);
    if (source->variable_value) memcpy(memory, source->variable_value, source->depth * sizeof *memory);
    ((tn_callable *)((char *)instance + step->parameter->offset))->handle = function;
}

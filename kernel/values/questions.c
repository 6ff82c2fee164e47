/* questions.c - what code of users asks the model for in a call (tenon/draft/questions.h) */
#include "values/graph.h"
#include "expression/functions.h"
#include "system/accept.h"

#include <tenon/draft/questions.h>

#include <math.h>
#include <string.h>

/* *found is NULL after writing why there is none. */
static void find_routine(tn_model *model, const char *function, const char *signal, const tn_routine **found,
                         char *problem, size_t size)
{
    const tn_scope *known = &model->reader->source.functions;
    const tn_routine_kind kind = known->routine_kind(model, function);
    if (kind == TN_NO_ROUTINE && known->explain(model, function, true, problem, size)) return;
    if (kind != TN_NAMED_ROUTINE && kind != TN_NAMED_THIRD_ROUTINE) {
        (void)tn_print_cut(problem, size, "`%s` is no function with the data of a signal", function);
        return;
    }
    const tn_routine *routine = known->routine(model, function, signal, problem, size);
    if (!routine) return;
    const char *wrong = routine->reading_count ? "reads the model by itself"
                        : routine->one_thread  ? "is called by one thread at a time"
                                               : NULL;
    if (wrong) (void)tn_print_cut(problem, size, "`%s` %s: ask for the expression", function, wrong);
    if (!wrong) *found = routine;
}

/* The data of a signal may be prepared here, while the caller's own item is: its place is restored. */
static const void *find(const tn_host *host, const char *function, const char *signal, char *problem,
                        size_t size)
{
    tn_model *model = host->self;
    const tn_location *at = model->host_at;
    const char *item = model->host_item;
    const tn_routine *found[1] = {NULL};
    *problem = '\0';
    if (!tn_attempt(tn_memory_now(), find_routine(model, function, signal, found, problem, size)))
        (void)tn_print_cut(problem, size, "out of memory");
    tn_host_point(model, at, item);
    return *found;
}

static const char *value_of(const void *found, const double *argument, uint32_t count, double *value,
                            double *first)
{
    const tn_routine *routine = found;
    tn_function_result result = {.partial = first};
    if (count < routine->minimum_count || count > routine->maximum_count)
        return "the number of its arguments is wrong";
    const char *problem = routine->body(routine, argument, count, &result);
    *value = result.value;
    return problem;
}

static const void *function_of(const char *name) { return tn_function_find(name); }

static const char *function_value(const void *function, const double *argument, uint32_t count, double *value,
                                  double *first, double *second)
{
    const tn_function *of = function;
    tn_function_result result = {.partial = first, .second = second, .varying = ~0ull};
    if (count < of->minimum_count || (of->maximum_count != TN_ANY_COUNT && count > of->maximum_count))
        return "the number of its arguments is wrong";
    for (uint32_t k = 0; k < count; k++)
        if (isnan(argument[k])) return "an argument is not a number";
    if (first) memset(first, 0, count * sizeof *first); /* bodies write what is not zero */
    if (second) memset(second, 0, (size_t)count * count * sizeof *second);
    const char *problem = of->body(argument, count, &result);
    *value = result.value;
    return problem;
}

static double accepted_time(const tn_host *host)
{
    const tn_assembly *assembly = ((const tn_model *)host->self)->values->assembly;
    return assembly && assembly->acceptance ? assembly->acceptance->last_time : 0.0;
}

const void *tn_questions_extension(const char *key)
{
    static const tn_questions questions = {.struct_size = sizeof questions,
                                           .find = find,
                                           .value = value_of,
                                           .function = function_of,
                                           .function_value = function_value,
                                           .accepted_time = accepted_time};
    return strcmp(key, TN_QUESTIONS_KEY) == 0 ? &questions : NULL;
}

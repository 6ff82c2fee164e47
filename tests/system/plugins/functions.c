/* functions.c - functions for test_signals.c: one with data of its own, and one without any */
#include <tenon/author.h>

#define STAIRS(P) P(LIST, height, TN_ANY_UNIT, TN_REQUIRED, "value between whole numbers, from 0 on")

TN_PARAMETERS(stairs, STAIRS)

static tn_status stairs_value(const void *instance, const double *arguments, double *value, double *first,
                              double *second)
{
    const stairs *self = instance;
    if (!(arguments[0] >= 0.0 && arguments[0] < (double)self->height.count)) return TN_RETRY;
    *value = self->height.value[(size_t)arguments[0]];
    if (first) first[0] = 0.0;
    if (second) second[0] = 0.0;
    return TN_OK;
}

static tn_status cube_value(const void *instance, const double *arguments, double *value, double *first,
                            double *second)
{
    (void)instance;
    const double x = arguments[0];
    *value = x * x * x;
    if (first) first[0] = 3.0 * x * x;
    if (second) second[0] = 6.0 * x;
    return TN_OK;
}

TN_FUNCTION(stairs, .summary = "steps", .arguments = 1, .value = stairs_value)

static const tn_function_type cube_type = {.struct_size = sizeof(tn_function_type),
                                           .name = "cube",
                                           .summary = "third power",
                                           .arguments = 1,
                                           .value = cube_value};

TN_LIBRARY("functions", "1.0.0", "Apache-2.0", "functions of expressions", {TN_FUNCTION_KIND, &stairs_type},
           {TN_FUNCTION_KIND, &cube_type})

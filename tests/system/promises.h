/* promises.h - what [[expect]] tables of the models of configs/ promise, for runs by other solvers and settings than the models' own */
#ifndef TENON_TESTS_SYSTEM_PROMISES_H
#define TENON_TESTS_SYSTEM_PROMISES_H

#include "harness.h"

typedef struct tn_promise {
    char column[64], printed[64]; /* the value as it stands there, without a unit */
    double time, value, tolerance;
} tn_promise;

/* The next table of a model behind `*text`, which is set behind its header; false where there is none. */
static inline bool tn_next_promise(const char **text, tn_promise *promise)
{
    static const char header[] = "[[expect]]\n";
    *text = strstr(*text, header);
    if (!*text) return false;
    *text += sizeof header - 1;
    const char *value = strstr(*text, "\nvalue = "), *tolerance = strstr(*text, "\ntolerance = ");
    if (value) value += strlen("\nvalue = ");
    if (value && *value == '"') value++;
    if (!value || !tolerance ||
        sscanf(*text, "sensor = \"%63[^\"]\" at = %lf", promise->column, &promise->time) != 2 ||
        sscanf(value, "%63[0-9.eE+-]", promise->printed) != 1 ||
        sscanf(tolerance, "\ntolerance = %lf", &promise->tolerance) != 1)
        fail_msg("`%.60s...` cannot be read", *text);
    promise->value = strtod(promise->printed, NULL);
    return true;
}

#endif

/* functions.h - the functions, named constants and rarer operators of expressions.
 *
 * A new function is one body and one line of the table in functions.c. */
#ifndef TN_FUNCTIONS_H
#define TN_FUNCTIONS_H

#include "expression/expression.h"

/* Returns NULL, or static text that says why the arguments are outside the domain. Arguments are never NaN.
 * A partial derivative that does not exist may be NaN: it is an error only where that argument varies. */
typedef const char *tn_function_body(const double *argument, uint32_t count, tn_function_result *result);

#define TN_ANY_COUNT UINT32_MAX

typedef struct tn_function {
    const char *name; /* upper case */
    uint32_t minimum_count, maximum_count;
    tn_function_body *body;
} tn_function;

/* The function called `name` in any case, or NULL. */
const tn_function *tn_function_find(const char *name);
/* The function whose name is nearest to `name`, or NULL. */
const char *tn_function_nearest(const char *name);

/* Named constants (PI, DTOR, RTOD), in any case. */
bool tn_constant_find(const char *name, double *value);
/* Number `index` of their names, NULL after the last. */
const char *tn_constant_name(size_t index);

/* Operators that are worked like functions. Comparisons: < <= > >= == != */
extern const tn_function tn_operator_power, tn_operator_not;
extern const tn_function tn_operator_truth; /* 0 for 0, 1 for everything else */
extern const tn_function tn_comparisons[6];

#endif

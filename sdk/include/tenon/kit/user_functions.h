/* tenon/kit/user_functions.h - functions of the language of expressions that other programs offer to routines: STEP, IMPACT, POLY, ...,
 * with derivatives of an order
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_USER_FUNCTIONS_H
#define TENON_KIT_USER_FUNCTIONS_H

#include "tenon/draft/questions.h"

#include <math.h>

enum { TN_USER_MOST_NUMBERS = 34 }; /* arguments of one */

/* `arguments` of each call, or as many at least where `is_series`: coefficients follow. Derivatives are those by the first `varying` ones. */
typedef struct tn_user_function {
    const char *name;
    uint32_t arguments, varying;
    bool is_series;
} tn_user_function;

static const tn_user_function tn_user_functions[] = {
    {"step", 5, 1, false},   {"step5", 5, 1, false},  {"havsin", 5, 1, false}, {"shf", 6, 1, false},
    {"impact", 7, 2, false}, {"bistop", 8, 2, false}, {"poly", 2, 1, true},    {"cheby", 2, 1, true},
    {"forcos", 3, 1, true},  {"forsin", 3, 1, true}};
enum {
    TN_USER_STEP_FUNCTION,
    TN_USER_STEP5,
    TN_USER_HAVSIN,
    TN_USER_SHF,
    TN_USER_IMPACT,
    TN_USER_BISTOP,
    TN_USER_POLY,
    TN_USER_CHEBY,
    TN_USER_FORCOS,
    TN_USER_FORSIN,
    TN_USER_FUNCTION_COUNT
};

/* How many numbers an order has: of one variable 1; of x and v the function, its two first, its three second derivatives. */
static inline uint32_t tn_user_derivative_count(const tn_user_function *function, int order)
{
    return function->varying == 1 ? 1 : (uint32_t)order + 1;
}

/* The derivatives of an order, 0 to 2: the value; f_x, f_v; f_xx, f_xv, f_vv. NULL, or why there are none, and they are nan. */
static inline const char *tn_user_function_value(const tn_questions *questions, uint32_t number,
                                                 const double *argument, uint32_t count, int order,
                                                 double *derivative)
{
    double value = 0.0, first[TN_USER_MOST_NUMBERS], second[TN_USER_MOST_NUMBERS * TN_USER_MOST_NUMBERS];
    const tn_user_function *function = &tn_user_functions[number];
    const void *found = questions ? questions->function(function->name) : NULL;
    const bool orderly = order >= 0 && order <= 2;
    const char *problem = !orderly                       ? "the order of a derivative is 0, 1 or 2"
                          : !found                       ? "this kernel has no such function"
                          : count > TN_USER_MOST_NUMBERS ? "there are too many coefficients"
                                                         : NULL;
    if (!problem)
        problem = questions->function_value(found, argument, count, &value, order > 0 ? first : NULL,
                                            order > 1 ? second : NULL);
    for (uint32_t k = 0; k < tn_user_derivative_count(function, orderly ? order : 0); k++)
        derivative[k] = problem      ? (double)NAN
                        : order == 0 ? value
                        : order == 1 ? first[k]
                                     : second[k < 2 ? k : count + 1];
    return problem;
}

#endif

/* tenon/draft/questions.h - "tenon.questions/1" of tn_host: what code of users asks the model for while it works out a value: functions
 * with the data of a [[signal]], such as a spline, at numbers that the code has just found; functions of the language of expressions, such
 * as IMPACT; the time of the last accepted step.
 *
 * What expressions can read before a call is better declared as a reading (draft/values.h), whose derivatives the kernel knows.
 *
 * This kernel implements it; it may change until it moves one folder up. */
#ifndef TENON_DRAFT_QUESTIONS_H
#define TENON_DRAFT_QUESTIONS_H

#include "tenon/host.h"

#define TN_QUESTIONS_KEY "tenon.questions/1"

typedef struct tn_questions {
    uint32_t struct_size, reserved;
    /* [setup] The function `function` of expressions, in lower case, with the data of a signal, which is named as an expression there would
     * name it, by its name or integer id. It lives as long as the model. NULL after writing to `problem` why there is none; it stays
     * empty where the signal has been reported as wrong. */
    const void *(*find)(const tn_host *host, const char *function, const char *signal, char *problem,
                        size_t size);
    /* [hot] Its value at the arguments of a call but the signal, and its derivatives by them (`first`, as many, or NULL). Any thread may
     * call it. NULL, or why there is no value here. */
    const char *(*value)(const void *found, const double *argument, uint32_t count, double *value,
                         double *first);
    /* [hot] A function of the language itself by its name, such as "impact", NULL: there is none. It lives as long as the process. */
    const void *(*function)(const char *name);
    /* [hot] Its value, and its first (`count`) and second (`count` squared) derivatives by its arguments, or NULL, none without the ones
     * before. Any thread may call it, whatever host there is. NULL, or why there is no value here. */
    const char *(*function_value)(const void *function, const double *argument, uint32_t count, double *value,
                                  double *first, double *second);
    /* [hot] s: where the last accepted step has ended, or the solver has begun; 0 at setup. */
    double (*accepted_time)(const tn_host *host);
} tn_questions;

#endif

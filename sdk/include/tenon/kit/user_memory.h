/* tenon/kit/user_memory.h - whether a user's function keeps something from call to call, for plugins of user_routine.h
 *
 * Solvers also call for states that they reject, derivatives move the numbers of a state, and threads take turns: a function whose
 * value depends on earlier calls has none. It is called at setup with made-up numbers, in between with others, and twice at its first
 * call of the run.
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_USER_MEMORY_H
#define TENON_KIT_USER_MEMORY_H

#include "tenon/kit/user_routine.h"

/* What is known of one function; it begins with zeros. */
typedef struct tn_user_memory {
    atomic_bool tried;    /* it has given the same value twice */
    atomic_bool compared; /* for the plugin to set: calls side by side have given what single ones give */
    atomic_bool late;     /* for the plugin to set: a call has not ended in time */
} tn_user_memory;

/* The second call of two: what it prints has been printed. */
static _Thread_local bool tn_user_repeats;

static inline bool tn_user_same_value(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static inline bool tn_user_is_tried(const tn_user_memory *memory)
{
    return atomic_load_explicit(&memory->tried, memory_order_relaxed);
}

/* `once`, twice at the first call of the run. */
static inline tn_status tn_user_call_tried(tn_user_memory *memory, tn_user_call *call,
                                           tn_status (*once)(tn_user_call *call))
{
    tn_status status = once(call);
    if (status != TN_OK || call->finds_reads || tn_user_is_tried(memory)) return status;
    const double value = call->value;
    tn_user_repeats = true;
    status = once(call);
    tn_user_repeats = false;
    if (status == TN_OK && !tn_user_same_value(value, call->value))
        return tn_user_fail(call, TN_INVALID,
                            "it returns %.9g, and then %.9g for the same numbers: it keeps something from "
                            "call to call, such as a global or static variable",
                            value, call->value);
    atomic_store(&memory->tried, true);
    return status;
}

/* The value for made-up numbers; false: there may be none. */
static inline bool tn_user_find_trial(const tn_user_called *called, double shift, double *value)
{
    double x[TN_MOST_READINGS];
    for (uint32_t k = 0; k < TN_MOST_READINGS; k++)
        x[k] = shift + 0.0625 * k;
    tn_user_call call = {.by_differences = true, .at_setup = true};
    const tn_status status = tn_user_call_with(&call, called, x);
    *value = call.value;
    return status == TN_OK;
}

/* Of a function that tn_user_prepare() has prepared; `renew`, where it is not NULL, makes it what it was before its first call. */
static inline tn_status tn_user_check_memory(const tn_user_routine *routine, const void *instance,
                                             tn_user_memory *memory,
                                             tn_status (*renew)(const tn_user_routine *routine))
{
    const tn_user_called called = {routine, instance};
    double value, other, again;
    atomic_store(&memory->tried, true);
    const bool first = tn_user_find_trial(&called, 0.75, &value);
    if (!atomic_load(&memory->late)) (void)tn_user_find_trial(&called, 0.3125, &other);
    bool compares = first && !atomic_load(&memory->late) && tn_user_find_trial(&called, 0.75, &again);
    tn_status status = TN_OK;
    if (renew && compares && tn_user_same_value(value, again)) {
        status = renew(routine);
        compares = status == TN_OK && tn_user_find_trial(&called, 0.75, &again);
    }
    atomic_store(&memory->tried, false);
    if (atomic_load(&memory->late))
        return tn_refuse(routine->host, "function", "%s has not ended within the time of a call (`limit`)",
                         routine->what);
    if (status != TN_OK || !compares || tn_user_same_value(value, again)) return status;
    return tn_refuse(routine->host, "function",
                     "%s returns %.9g, and later %.9g for the same numbers: it keeps something from call to "
                     "call, such as a global variable",
                     routine->what, value, again);
}

#endif

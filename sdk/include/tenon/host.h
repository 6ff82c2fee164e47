/* tenon/host.h - services of the kernel for plugins, an argument of every function that needs them. */
#ifndef TENON_HOST_H
#define TENON_HOST_H

#include "tenon/describe.h"
#include "tenon/text.h"

typedef enum tn_level {
    TN_NOTE = 0,
    TN_WARNING = 1,
    TN_ERROR = 2,
    TN_LEVEL_IS_32_BITS = 0x7fffffff
} tn_level;

typedef struct tn_host tn_host;
struct tn_expression_values; /* batch.h */
struct tn_host {
    uint32_t struct_size; /* read no field beyond it */
    uint32_t reserved;
    void *self; /* the kernel's own */

    /* [setup] Zeroed memory aligned to 64 bytes that lives as long as the model; NULL when there is none. */
    void *(*allocate)(const tn_host *host, size_t bytes);
    /* [hot] A line for the user; the kernel adds the name and place of the current item. Lines of calls that run side by side appear
     * behind these, in the order of their instances; so do errors. */
    void (*message)(const tn_host *host, tn_level level, const char *text);
    /* [hot] An error of the model at the current item: at the value of `parameter`, at an entry of a list, "states.0", or at the
     * item's header when it is NULL or not given in the file. The run ends after all were collected; one that is running, at once. */
    void (*error)(const tn_host *host, const char *parameter, const char *text);
    /* [hot] Calls task(data, first, last) for the blocks 0 ... grain - 1, grain ... 2 grain - 1, ... of 0 ... count - 1, on the threads of
     * the run, in any order, and waits for all of them. The blocks do not depend on the number of threads: where each of them writes
     * what is its own, results do not, either. Within a task blocks are done one after the other. */
    void (*parallel_for)(const tn_host *host, size_t count, size_t grain,
                         void (*task)(void *data, size_t first, size_t last), void *data);
    /* [hot] Value of a callable; `partials` (one per argument) may be NULL. TN_RETRY outside its domain. Callables belong to
     * one instance; two threads never call the same one at a time. */
    tn_status (*call)(const tn_host *host, tn_callable callable, const double *arguments, double *value,
                      double *partials);
    /* [hot] The expression of a variable (batch->variable[i]); `direction` [n + 1] of coordinates and
     * time, or NULL where no second derivatives are wanted. TN_RETRY outside its domain. */
    tn_status (*observe)(const tn_host *host, const void *variable, const double *direction,
                         struct tn_expression_values *values);
    /* [setup] Table of functions of a key such as "acme.roads/1", whose first field is its size; NULL: not offered. */
    const void *(*extension)(const tn_host *host, const char *key);
    /* [hot] Values of `count` callables at once, TN_CALL_LANES at most, without derivatives: argument k of number i stands at
     * arguments[k * TN_CALL_LANES + i], all of them finite; the room behind `count` is used up. TN_UNSUPPORTED: these are not called at once, or some of
     * them have no value; call() tells which. */
    tn_status (*call_many)(const tn_host *host, const tn_callable *callable, uint32_t count,
                           double *arguments, double *values);
};
enum { TN_CALL_LANES = 16 };

/* printf-like forms of message() and error(): the formatting happens in the plugin. A text that is too long ends with "...". */
static inline TN_PRINTF(3, 4) void tn_say(const tn_host *host, tn_level level, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(text, sizeof text, format, arguments);
    va_end(arguments);
    host->message(host, level, text);
}

/* Returns TN_INVALID, so that a check can end with `return tn_refuse(...)`. */
static inline TN_PRINTF(3, 4) tn_status
    tn_refuse(const tn_host *host, const char *parameter, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)tn_print_cut_list(text, sizeof text, format, arguments);
    va_end(arguments);
    host->error(host, parameter, text);
    return TN_INVALID;
}

#endif

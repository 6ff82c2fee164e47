/* tenon/kit/user_routine.h - functions that users write in another language, as sources of values (draft/values.h)
 *
 * What compiled routines and scripts have in common: the keys of a [[signal]], the parameters "USER(...)", the questions after the
 * state (SYSFNC, SYSARY) and their answers, derivatives by differences, messages. A plugin of a language
 *
 *     #define ROUTINE(P) P(FILE, library, TN_REQUIRED | TN_CODE, "...") TN_USER_PARAMETERS(P)
 *     TN_PARAMETERS(routine, ROUTINE)
 *     TN_USER_FUNCTIONS(routine) ... TN_FUNCTION(routine, .prepare = ..., TN_USER_FIELDS(routine))
 *
 * fills in, in prepare(), what tn_user_routine has in front of "private", and calls tn_user_prepare(host, self): `run` is called once
 * (iflag), finds no state (all numbers are 0), and its questions become the readings. `run` calls the user's function with what
 * the tn_user_call holds. From there the questions of the user's function come to tn_user_ask() with tn_user_now, the innermost call
 * of this thread.
 *
 * Numbers of a call, and derivatives by them, are in this order: arguments, readings, and the time where `reads_time`.
 *
 * C only; one source file of a plugin includes it. Part of the kit: no part of the binary interface, and it may change with any
 * version. */
#ifndef TENON_KIT_USER_ROUTINE_H
#define TENON_KIT_USER_ROUTINE_H

#include "tenon/kit/user_call.h"
#include "tenon/kit/user_derivatives.h"
#include "tenon/kit/user_parameters.h"

/* The keys of all types of routines, behind those of their own. The kernel knows `item_id`: see draft/values.h. */
#define TN_USER_PARAMETERS(P)                                                                                \
    P(TEXT, function, 0, "name of the function; default: VARSUB")                                            \
    P(TEXT, parameters, 0, "numbers that the function gets: \"USER(1011, 4, 0.006)\"")                       \
    P(TEXTS, reads, 0, "expressions that the function reads; default: those that its first call asks for")   \
    P(TEXTS, splines, 0,                                                                                     \
      "splines that the function asks for, \"cubspl(rubber)\"; default: those that its first call asks for") \
    P(INTEGER, arguments, 0, 0, 0, TN_ARGUMENTS, "numbers that a call in an expression hands over")          \
    P(TEXT, unit, 0, "SI unit of the value; default: not known")                                             \
    P(REAL, step, "", TN_ABOVE_LOW, 1.0, 0.0, 1e3, "factor of the distances of differences")                 \
    P(INTEGER, item_id, 0, 0, 0, 2147483647.0,                                                               \
      "`id` that the function gets; default: that of the element whose value it is, or of the signal")       \
    P(PRIVATE, tn_user_routine, user)

/* ---- setup ------------------------------------------------------------------------------------------------ */

static inline tn_status tn_user_declare(tn_user_routine *routine, const char *expression)
{
    const tn_user_query query = {.function = expression};
    const tn_user_read *read;
    const char *wrong = tn_user_add_read(routine->host, routine->reads, &query, &read);
    return wrong ? tn_refuse(routine->host, "reads", "`%s`: %s", expression, wrong) : TN_OK;
}

/* A spline that the model declares. */
static inline tn_status tn_user_declare_spline(tn_user_routine *routine, const char *text)
{
    char name[TN_USER_TEXT];
    uint32_t method;
    if (!tn_user_read_spline(text, &method, name, sizeof name))
        return tn_refuse(routine->host, "splines",
                         "`%s` is no spline: write akispl, cubspl, linspl or quispl of a signal, "
                         "\"cubspl(rubber)\"",
                         text);
    const tn_user_id signal = tn_user_signal_of(name);
    const tn_user_spline *spline = tn_user_find_spline(routine->splines, method, &signal);
    if (!spline) spline = tn_user_add_spline(routine->host, routine->splines, method, &signal);
    if (spline && spline->found) return TN_OK;
    return tn_refuse(routine->host, "splines", "`%s`: %s", text,
                     spline ? spline->wrong : "there are too many splines");
}

/* The first call. */
static inline tn_status tn_user_find_reads(const tn_user_routine *routine, const void *instance)
{
    static const double nothing[TN_MOST_READINGS] = {0.0};
    tn_user_call call = {.routine = routine,
                         .instance = instance,
                         .argument = nothing,
                         .reading = nothing,
                         .finds_reads = true};
    const tn_status status = tn_user_enter(&call);
    if (status == TN_OK || status == TN_RETRY) return TN_OK;
    if (status == TN_OUT_OF_MEMORY) return status;
    return tn_refuse(routine->host, "function", "%s, in its first call (iflag): %s", routine->what,
                     call.problem[0] ? call.problem : tn_status_text(status));
}

/* The keys that all types have. */
typedef struct tn_user_keys {
    const char *parameters, *unit;
    tn_texts reads, splines;
    int64_t arguments, item_id;
    double step;
} tn_user_keys;

static inline tn_status tn_user_prepare_keys(const tn_host *host, const void *instance,
                                             tn_user_routine *routine, const tn_user_keys *keys)
{
    tn_host *kept = host->allocate(host, sizeof *kept); /* what is an argument now may be gone later */
    if (!kept) return TN_OUT_OF_MEMORY;
    memcpy(kept, host, host->struct_size < sizeof *kept ? host->struct_size : sizeof *kept);
    routine->host = kept;
    routine->arguments = (uint32_t)keys->arguments;
    routine->id = keys->item_id;
    routine->scale = keys->step;
    routine->unit = keys->unit;
    routine->reads = host->allocate(host, sizeof *routine->reads);
    routine->told = host->allocate(host, sizeof *routine->told); /* zeros */
    routine->splines = host->allocate(host, sizeof *routine->splines);
    if (!routine->reads || !routine->told || !routine->splines) return TN_OUT_OF_MEMORY;
    routine->splines->questions = host->extension ? host->extension(host, TN_QUESTIONS_KEY) : NULL;
    tn_status status =
        tn_user_parameters(host, "parameters", keys->parameters, &routine->parameter, &routine->parameters);
    for (uint64_t k = 0; k < keys->reads.count && status == TN_OK; k++)
        status = tn_user_declare(routine, keys->reads.text[k]);
    for (uint32_t k = 0;
         keys->reads.count == 0 && routine->declared && routine->declared[k] && status == TN_OK; k++)
        status = tn_user_declare(routine, routine->declared[k]);
    for (uint64_t k = 0; k < keys->splines.count && status == TN_OK; k++)
        status = tn_user_declare_spline(routine, keys->splines.text[k]);
    if (status == TN_OK && !routine->declares_all) status = tn_user_find_reads(routine, instance);
    if (status != TN_OK) return status;
    routine->readings = routine->reads->readings;
    if (routine->reads->readings + routine->arguments + routine->reads_time > TN_MOST_READINGS)
        return tn_refuse(host, "arguments",
                         "%s has %u arguments and reads %u numbers: together there may be %d", routine->what,
                         routine->arguments, routine->reads->readings, TN_MOST_READINGS - 1);
    return TN_OK;
}

/* Of an instance with the TN_USER_PARAMETERS, whose `user` is filled in. */
#define tn_user_prepare(host, self)                                        \
    tn_user_prepare_keys(host, (self), &(self)->user,                      \
                         &(tn_user_keys){.parameters = (self)->parameters, \
                                         .unit = (self)->unit,             \
                                         .reads = (self)->reads,           \
                                         .splines = (self)->splines,       \
                                         .arguments = (self)->arguments,   \
                                         .item_id = (self)->item_id,       \
                                         .step = (self)->step})

static inline const char *tn_user_reading(const tn_user_routine *routine, uint32_t number)
{
    if (number < routine->reads->readings) return routine->reads->text[number];
    return number == routine->reads->readings && routine->reads_time ? "TIME" : NULL;
}

/* ---- calls ------------------------------------------------------------------------------------------------ */

/* Zeros, but for the text of a problem: to clear that would take longer than most calls. */
static inline void tn_user_begin(tn_user_call *call, bool by_differences)
{
    call->finds_reads = false;
    call->by_differences = by_differences;
    call->at_setup = false;
    call->value = 0.0;
    call->first = call->second = NULL;
    call->has_first = call->has_second = false;
    call->problem[0] = '\0';
    call->cursor = 0;
}

/* The routine of an instance. */
typedef struct tn_user_called {
    const tn_user_routine *routine;
    const void *instance;
} tn_user_called;

/* Readies a call with these numbers. */
static inline void tn_user_hand_over(tn_user_call *call, const tn_user_called *called, const double *argument,
                                     const double *reading)
{
    const tn_user_routine *routine = called->routine;
    call->routine = routine;
    call->instance = called->instance;
    call->argument = argument;
    call->reading = reading;
    call->time = routine->reads_time ? reading[routine->readings] : 0.0;
}

/* One call with the numbers x. */
static inline tn_status tn_user_call_with(tn_user_call *call, const tn_user_called *called, const double *x)
{
    tn_user_hand_over(call, called, x, x + called->routine->arguments);
    const tn_status status = tn_user_enter(call);
    return status == TN_OK && !isfinite(call->value) ? TN_RETRY : status;
}

/* Copies numbers that stand `stride` apart, and pads them with nan. */
static inline void tn_user_copy_numbers(double *to, const double *from, uint32_t stride, uint32_t count)
{
    double *end = to + count;
    for (; to < end; to++, from += stride)
        *to = *from;
    for (size_t k = 0; k < TN_USER_PADDING; k++)
        end[k] = (double)NAN;
}

/* One of many calls within the innermost one, whose numbers stand `stride` apart. Another status than TN_OK says nothing but that there
 * is no value. */
static inline tn_status tn_user_value_of_many(tn_user_call *call, const tn_user_routine *routine,
                                              const void *instance, const double *arguments, uint32_t stride)
{
    const uint32_t n = routine->arguments + routine->readings + routine->reads_time;
    double x[TN_MOST_READINGS];
    for (uint32_t k = 0; k < n; k++, arguments += stride)
        x[k] = *arguments;
    tn_user_hand_over(call, &(tn_user_called){routine, instance}, x, x + routine->arguments);
    call->cursor = 0;
    const tn_status status = tn_user_run(call);
    return status == TN_OK && !isfinite(call->value) ? TN_RETRY : status;
}

/* For differences: a place without a value is one where its calls fail, too. */
static inline bool tn_user_value_for_differences(void *data, const double *x, double *value, double *first)
{
    tn_user_call call;
    tn_user_begin(&call, true);
    call.first = first;
    if (tn_user_call_with(&call, data, x) != TN_OK || (first && !call.has_first)) return false;
    *value = call.value;
    return true;
}

/* Tells once that derivatives are those of differences. */
static inline void tn_user_note_differences(const tn_user_routine *routine, const char *which)
{
    if (atomic_exchange(&routine->told->differences, true)) return;
    tn_say(routine->host, TN_NOTE, "%s gives no %s derivatives: they are found by differences", routine->what,
           which);
}

static inline void tn_user_differences(tn_user_called *called, const tn_user_call *call, double *x,
                                       uint32_t n, double *first, double *second)
{
    double work[4 * TN_MOST_READINGS];
    const tn_user_law f = {.value = tn_user_value_for_differences,
                           .data = called,
                           .x = x,
                           .n = n,
                           .scale = called->routine->scale};
    const bool by_values = first && !call->has_first;
    if (by_values) tn_user_note_differences(called->routine, "first");
    if (by_values) tn_user_first(&f, call->value, first);
    if (!second || call->has_second) return;
    if (!by_values) tn_user_note_differences(called->routine, "second");
    if (by_values)
        tn_user_second(&f, call->value, first, second);
    else
        tn_user_second_of_first(&f, second, work);
}

/* Tells why a call has ended the run. */
static inline tn_status tn_user_refuse(const tn_user_call *call, tn_status status)
{
    const tn_user_routine *routine = call->routine;
    const char *problem = call->problem[0] ? call->problem : tn_status_text(status);
    if (routine->reads_time)
        (void)tn_refuse(routine->host, NULL, "%s, at %.9g s: %s", routine->what, call->time, problem);
    else
        (void)tn_refuse(routine->host, NULL, "%s: %s", routine->what, problem);
    return status;
}

/* value() of a type: the value, and derivatives that the function does not know by differences. */
static inline tn_status tn_user_value(const tn_user_routine *routine, const void *instance,
                                      const double *arguments, double *value, double *first, double *second)
{
    const uint32_t n = routine->arguments + routine->readings + routine->reads_time;
    tn_user_called called = {routine, instance};
    tn_user_call call;
    tn_user_begin(&call, false);
    call.first = first;
    call.second = second;
    const tn_status status = tn_user_call_with(&call, &called, arguments);
    if (status == TN_RETRY) return status;
    if (status != TN_OK) return tn_user_refuse(&call, status);
    *value = call.value;
    if ((first && !call.has_first) || (second && !call.has_second)) {
        double x[TN_MOST_READINGS];
        memcpy(x, arguments, n * sizeof *x);
        tn_user_differences(&called, &call, x, n, first, second);
    }
    return TN_OK;
}

/* What a type says where it returns TN_RETRY. */
static inline const char *tn_user_domain(const tn_host *host, const tn_user_routine *routine)
{
    static const char end[] = " has no finite value here";
    const size_t size = strlen(routine->what) + sizeof end;
    char *text = host->allocate(host, size);
    if (text) (void)snprintf(text, size, "%s%s", routine->what, end);
    return text;
}

/* Nobody can tell how smooth a user's function is: it is taken at its word, that is as smooth as constraints need. */
static inline tn_status tn_user_inspect(const void *instance, const double *arguments, int32_t *smoothness)
{
    (void)instance, (void)arguments;
    *smoothness = 2;
    return TN_OK;
}

/* The functions NAME_reads, NAME_unit, NAME_argument_count of the capability, and NAME_value, NAME_domain of the type. */
#define TN_USER_FUNCTIONS(name)                                                                           \
    static const char *name##_reads(const tn_host *host, const void *instance, uint32_t number)           \
    {                                                                                                     \
        (void)host;                                                                                       \
        return tn_user_reading(&((const name *)instance)->user, number);                                  \
    }                                                                                                     \
    static const char *name##_unit(const void *instance) { return ((const name *)instance)->unit; }       \
    static uint32_t name##_argument_count(const void *instance)                                           \
    {                                                                                                     \
        return ((const name *)instance)->user.arguments;                                                  \
    }                                                                                                     \
    static tn_status name##_value(const void *instance, const double *arguments, double *value,           \
                                  double *first, double *second)                                          \
    {                                                                                                     \
        return tn_user_value(&((const name *)instance)->user, instance, arguments, value, first, second); \
    }                                                                                                     \
    static const char *name##_domain(const tn_host *host, const void *instance)                           \
    {                                                                                                     \
        return tn_user_domain(host, &((const name *)instance)->user);                                     \
    }

/* The fields of a type of that name; further functions of the capability behind it. */
#define TN_USER_FIELDS(name, ...)                                                                          \
    .arguments = TN_ARGUMENTS, .value = name##_value, .domain = name##_domain, .inspect = tn_user_inspect, \
    TN_CAPABILITIES(TN_HAS(values, .reads = name##_reads, .unit = name##_unit,                             \
                           .argument_count = name##_argument_count, ##__VA_ARGS__))

#endif

/* tenon/kit/user_call.h - one call of a user's function, for user_routine.h: what it gets, its questions after the state and their
 * answers, its messages and problems */
#ifndef TENON_KIT_USER_CALL_H
#define TENON_KIT_USER_CALL_H

#include "tenon/kit/user_queries.h"
#include "tenon/kit/user_splines.h"

#include <stdatomic.h>

typedef struct tn_user_routine tn_user_routine;

/* One call of the user's function, which begins with zeros; `run` writes what stands behind "answers". */
typedef struct tn_user_call {
    const tn_user_routine *routine;
    const void *instance; /* of the type, where it stands now: it may be another place than in prepare() */
    const double *argument, *reading; /* [arguments], [readings] */
    double time;
    bool finds_reads;    /* iflag: the first call, by which the kernel learns what is read */
    bool by_differences; /* dflag: a call for derivatives, which keeps no memory and prints nothing */
    bool at_setup;       /* a call in front of the run, which may ask for new splines */
    /* answers */
    double value;
    double *first, *second;     /* where they are wanted and the function has them, else NULL or left */
    bool has_first, has_second; /* they were written */
    char problem
        [TN_USER_TEXT]; /* why `run` returns another status than TN_OK; the text of the first one stays */
    /* private */
    uint32_t cursor;
    struct tn_user_call *outer;
} tn_user_call;

struct tn_user_routine {
    const tn_host *host;
    const char *what; /* "`VARSUB` of `ke.so`", for messages; lives as long as the model */
    void *self;       /* the plugin's own; not in the instance, which may be copied */
    tn_status (*run)(
        tn_user_call *call); /* TN_RETRY: it has no value here; others end the run, with `problem` */
    bool reads_time;         /* it gets the time */
    bool declares_all;       /* no first call: `reads` of the model, or `declared`, is all that it reads */
    const char *const *declared; /* expressions in place of the key `reads`, up to NULL; or NULL */
    /* private */
    tn_user_reads *reads;
    tn_user_splines *splines;
    double scale;
    const char *unit;
    struct tn_user_told {
        atomic_bool differences; /* the note of these */
        atomic_uint lines;       /* of the function */
    } * told;
    /* the result of tn_user_prepare(), for `run`: at the end, side by side with what follows in the instance */
    const double *parameter; /* nan behind them */
    uint32_t parameters, arguments, readings;
    int64_t id;
};

enum {
    TN_USER_LINES = 1000
}; /* that a function may write; printing in each call of a long run would fill the log */

static _Thread_local tn_user_call *tn_user_now;

/* Keeps the first problem of a call, and returns the status. */
static inline TN_PRINTF(3, 4) tn_status
    tn_user_fail(tn_user_call *call, tn_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!call->problem[0]) (void)tn_print_cut_list(call->problem, sizeof call->problem, format, arguments);
    va_end(arguments);
    return status;
}

/* A line of the user's function; not in calls for derivatives. */
static inline void tn_user_say(const tn_user_call *call, tn_level level, const char *text)
{
    struct tn_user_told *told = call->routine->told;
    if (call->by_differences) return;
    const unsigned before = told ? atomic_load_explicit(&told->lines, memory_order_relaxed) : 0;
    if (before > TN_USER_LINES) return;
    if (told && atomic_fetch_add(&told->lines, 1) == TN_USER_LINES)
        tn_say(call->routine->host, TN_WARNING, "%s has written %d lines: the rest is left out",
               call->routine->what, TN_USER_LINES);
    else if (call->finds_reads || !call->routine->reads_time)
        tn_say(call->routine->host, level, "%s: %s", call->routine->what, text);
    else
        tn_say(call->routine->host, level, "%s, at %.9g s: %s", call->routine->what, call->time, text);
}

/* A question that has not been asked before: recorded in the first call, otherwise NULL after tn_user_fail(). */
static inline const tn_user_read *tn_user_ask_anew(tn_user_call *call, const tn_user_query *query)
{
    const tn_user_routine *routine = call->routine;
    const tn_user_read *read = NULL;
    char text[TN_USER_TEXT] = "";
    const char *wrong =
        call->finds_reads ? tn_user_add_read(routine->host, routine->reads, query, &read) : NULL;
    if (read && !wrong) return read;
    (void)tn_user_print_query(text, sizeof text, query->function, query->id, query->count);
    if (wrong)
        (void)tn_user_fail(call, TN_INVALID, "it asks for `%s`: %s", text, wrong);
    else
        (void)tn_user_fail(
            call, TN_INVALID,
            "it asks for `%s`, which it has not asked for in its first call (iflag): it must ask the same "
            "questions in every call",
            text);
    return NULL;
}

/* The numbers that answer a question, *size of them; NULL after tn_user_fail(): the routine should return. */
static inline const double *tn_user_ask(tn_user_call *call, const tn_user_query *query, uint32_t *size)
{
    static const double nothing[6] = {0.0};
    const tn_user_read *read = tn_user_find_read(call->routine->reads, query, &call->cursor);
    if (!read) read = tn_user_ask_anew(call, query);
    if (!read) return NULL;
    *size = read->size;
    return call->finds_reads ? nothing : call->reading + read->first;
}

/* Makes it the innermost call of this thread until tn_user_close(). Returns where that stands: to find the place of a variable of the
 * thread takes time. */
static inline tn_user_call **tn_user_open(tn_user_call *call)
{
    tn_user_call **now = &tn_user_now;
    call->outer = *now;
    *now = call;
    return now;
}

static inline void tn_user_close(tn_user_call **now, const tn_user_call *call) { *now = call->outer; }

/* Calls `run` of the innermost call. A problem that it has not returned counts, too. */
static inline tn_status tn_user_run(tn_user_call *call)
{
    const tn_status status = call->routine->run(call);
    return status == TN_OK && call->problem[0] ? TN_INVALID : status;
}

/* Why there is no such spline. */
static inline tn_status tn_user_refuse_spline(tn_user_call *call, const tn_user_point *point,
                                              const tn_user_spline *spline)
{
    char text[TN_USER_TEXT];
    (void)tn_user_print_query(text, sizeof text, tn_user_methods[point->method], &point->signal, 1);
    if (spline) return tn_user_fail(call, TN_INVALID, "it asks for `%s`: %s", text, spline->wrong);
    if (call->finds_reads || call->at_setup)
        return tn_user_fail(call, TN_INVALID, "it asks for `%s`: there are too many splines", text);
    return tn_user_fail(call, TN_INVALID,
                        "it asks for `%s`, which it has not asked for in its first call (iflag): declare it, "
                        "splines = [\"%s\"]",
                        text, text);
}

/* A spline at a point, with its derivative by x where `slope` is not NULL; 0 in the first call. TN_RETRY where it has no value, with the
 * reason in *why, which lives as long as the model; the value is nan then. Other statuses after tn_user_fail(). */
static inline tn_status tn_user_ask_spline(tn_user_call *call, const tn_user_point *point, double *value,
                                           double *slope, const char **why)
{
    const tn_user_routine *routine = call->routine;
    *value = 0.0;
    *why = NULL;
    if (slope) *slope = 0.0;
    if (point->z != 0.0 || point->order < 0 || point->order > 2)
        return tn_user_fail(call, TN_INVALID,
                            "it asks for `%s` with z = %g and order %d: z is 0, and the order 0, 1 or 2",
                            tn_user_methods[point->method], point->z, point->order);
    const tn_user_spline *spline = tn_user_find_spline(routine->splines, point->method, &point->signal);
    if (!spline && (call->finds_reads || call->at_setup))
        spline = tn_user_add_spline(routine->host, routine->splines, point->method, &point->signal);
    if (!spline || !spline->found) return tn_user_refuse_spline(call, point, spline);
    if (call->finds_reads) return TN_OK;
    *why = tn_user_spline_value(routine->splines, spline->found, point, value, slope);
    return *why ? TN_RETRY : TN_OK;
}

/* s: where the last accepted step has ended. */
static inline double tn_user_accepted_time(const tn_user_call *call)
{
    const tn_questions *questions = call->routine->splines->questions;
    return questions ? questions->accepted_time(call->routine->host) : 0.0;
}

static inline tn_status tn_user_enter(tn_user_call *call)
{
    tn_user_call **now = tn_user_open(call);
    const tn_status status = tn_user_run(call);
    tn_user_close(now, call);
    return status;
}

#endif

/* routine.c - values that compiled routines of users give: VARSUB of other programs, and the tables of tenon/routine.h
 *
 * What a routine reads, its parameters, its differences and messages are those of all functions of users (kit/user_routine.h); here is
 * how it is called. */
#include <tenon/author.h>

#if TN_VALUES

#include "exported.h"
#include "library.h"

#include <tenon/kit/user_routine.h>

#include <stdlib.h>

#define ROUTINE(P)                                                \
    P(FILE, library, TN_REQUIRED | TN_CODE, "the shared library") \
    TN_USER_PARAMETERS(P)                                         \
    P(PRIVATE, routine_entry, entry)

TN_PARAMETERS(routine, ROUTINE)
TN_USER_FUNCTIONS(routine)

enum { MOST_NUMBERS = 256 }; /* in par[] */

/* ---- questions of the user's function ---------------------------------------------------------------------- */

const double *routine_answer(const char *name, const int *ids, int count, bool vector, uint32_t *size)
{
    tn_user_id id[TN_USER_IDS];
    *size = 0;
    if (!tn_user_now) return NULL;
    if (!name || count < 0 || count > TN_USER_IDS) {
        (void)tn_user_fail(tn_user_now, TN_INVALID, "it asks for `%s` of %d items", name ? name : "", count);
        return NULL;
    }
    for (int k = 0; k < count; k++)
        id[k] = (tn_user_id){.number = ids[k]};
    return tn_user_ask(tn_user_now, &(tn_user_query){name, id, (uint32_t)count, vector}, size);
}

void routine_message(const char *text, int id, bool stop)
{
    char line[TN_USER_TEXT];
    if (!tn_user_now) return;
    (void)tn_print_cut(line, sizeof line, "%s (id %d)", text ? text : "", id);
    if (stop)
        (void)tn_user_fail(tn_user_now, TN_FATAL, "%s", line);
    else
        tn_user_say(tn_user_now, TN_WARNING, line);
}

/* ---- calls ------------------------------------------------------------------------------------------------- */

/* Copies numbers, and pads them; these are few, and memcpy() is called for many. */
static inline void copy_numbers(double *to, const double *from, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        to[k] = from[k];
    for (uint32_t k = 0; k < TN_USER_PADDING; k++)
        to[count + k] = (double)NAN;
}

/* The routine gets copies: nothing that it writes is seen by another call. */
static tn_status call_varsub(tn_user_call *call)
{
    const routine *self = call->instance;
    const tn_user_routine *user = call->routine;
    double par[MOST_NUMBERS + TN_USER_PADDING], time = call->time;
    int id = (int)user->id, npar = (int)(user->parameters + user->arguments);
    int dflag = call->by_differences, iflag = call->finds_reads;
    if (npar > MOST_NUMBERS)
        return tn_user_fail(call, TN_INVALID, "it gets %d numbers, %d are the most", npar, MOST_NUMBERS);
    for (uint32_t k = 0; k < user->parameters; k++)
        par[k] = user->parameter[k];
    copy_numbers(par + user->parameters, call->argument, user->arguments);
    call->value = (double)NAN; /* a routine that writes none has none */
    self->entry.varsub(&id, &time, par, &npar, &dflag, &iflag, &call->value);
    return TN_OK;
}

static void fail_call(tn_routine_call *from, const char *text)
{
    (void)tn_user_fail(from->self, TN_INVALID, "%s", text);
}

static void say_line(tn_routine_call *from, const char *text) { tn_user_say(from->self, TN_NOTE, text); }

static tn_status call_table(tn_user_call *call)
{
    const routine *self = call->instance;
    const tn_user_routine *user = call->routine;
    const tn_routine_table *table = self->entry.table;
    const uint32_t derivatives = table->derivatives;
    double argument[TN_ARGUMENTS + TN_USER_PADDING], reading[TN_MOST_READINGS + TN_USER_PADDING];
    copy_numbers(argument, call->argument, user->arguments);
    copy_numbers(reading, call->reading, user->readings);
    tn_routine_call to = {.struct_size = sizeof to,
                          .parameters = user->parameters,
                          .arguments = user->arguments,
                          .readings = user->readings,
                          .parameter = user->parameter,
                          .argument = argument,
                          .reading = reading,
                          .id = user->id,
                          .by_differences = call->by_differences,
                          .value = (double)NAN,
                          .first = derivatives > 0 ? call->first : NULL,
                          .second = derivatives > 1 ? call->second : NULL,
                          .self = call,
                          .fail = fail_call,
                          .say = say_line};
    const tn_status status = table->value(&to);
    call->value = to.value;
    call->has_first = to.first != NULL;
    call->has_second = to.second != NULL;
    return status;
}

/* Many calls without derivatives. Where one has no value, routine_value() tells why. */
static tn_status routine_values(const void *const *instances, uint32_t count, const double *arguments,
                                uint32_t stride, double *values)
{
    tn_status status = TN_OK;
    tn_user_call call;
    tn_user_begin(&call, false);
    tn_user_call **now = tn_user_open(&call);
    for (uint32_t i = 0; i < count && status == TN_OK; i++) {
        const routine *self = instances[i];
        status = tn_user_value_of_many(&call, &self->user, self, arguments + i, stride);
        values[i] = call.value;
    }
    tn_user_close(now, &call);
    return status;
}

/* ---- setup ------------------------------------------------------------------------------------------------- */

/* An expression with its parameters in place of %1, %2, ...; NULL after refusing. */
static const char *fill_expression(const tn_host *host, const char *text, const double *parameter,
                                   uint32_t count)
{
    char whole[TN_USER_TEXT];
    size_t length = 0;
    for (const char *c = text; *c;) {
        char *end = NULL;
        const unsigned long number = *c == '%' ? strtoul(c + 1, &end, 10) : 0;
        if (*c == '%' && (number < 1 || number > count)) {
            (void)tn_refuse(host, "parameters", "`%s` needs parameter %lu, and there are %u", text, number,
                            count);
            return NULL;
        }
        const int printed =
            *c == '%' ? snprintf(whole + length, sizeof whole - length, "%.17g", parameter[number - 1])
                      : snprintf(whole + length, sizeof whole - length, "%c", *c);
        if (printed < 0 || length + (size_t)printed >= sizeof whole) {
            (void)tn_refuse(host, "function", "`%s` is too long an expression", text);
            return NULL;
        }
        length += (size_t)printed;
        c = *c == '%' ? end : c + 1;
    }
    return tn_user_keep_text(host, whole);
}

/* What a table declares. */
static tn_status declare(const tn_host *host, routine *self)
{
    const double *parameter;
    uint32_t count = 0, reads = 0;
    tn_status status = tn_user_parameters(host, "parameters", self->parameters, &parameter, &count);
    const char *const *text = self->entry.table->reads;
    while (text && text[reads])
        reads++;
    const char **filled = host->allocate(host, (reads + 1) * sizeof *filled);
    if (!filled) return TN_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < reads && status == TN_OK; k++)
        if (!(filled[k] = fill_expression(host, text[k], parameter, count))) status = TN_INVALID;
    self->user.declared = filled;
    return status;
}

static tn_status prepare_routine(const tn_host *host, void *instance)
{
    routine *self = instance;
    const char *name = self->function ? self->function : "VARSUB";
    char what[TN_USER_TEXT];
    tn_status status = routine_find(host, self->library, name, &self->entry);
    if (status != TN_OK) return status;
    const char *slash = strrchr(self->library, '/');
    (void)tn_print_cut(what, sizeof what, "`%s` of `%s`", name, slash ? slash + 1 : self->library);
    self->user.what = tn_user_keep_text(host, what);
    if (!self->user.what) return TN_OUT_OF_MEMORY;
    self->user.run = self->entry.table ? call_table : call_varsub;
    self->user.reads_time = !self->entry.table;
    self->user.declares_all = self->entry.table != NULL;
    if (self->entry.table) status = declare(host, self);
    return status == TN_OK ? tn_user_prepare(host, self) : status;
}

TN_FUNCTION(routine, .summary = "value that a compiled routine of a user gives",
            .formula = "routine(name, ...) = VARSUB(id, time, par, ...),   par: parameters, then arguments",
            .prepare = prepare_routine, TN_USER_FIELDS(routine, .values = routine_values))
TN_LIBRARY("routine", "1.0.0", "Apache-2.0", "compiled routines of users", {TN_FUNCTION_KIND, &routine_type})

#endif

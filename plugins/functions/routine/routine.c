/* routine.c - values that compiled routines of users give: VARSUB of other programs, and the tables of tenon/routine.h
 *
 * What a routine reads, its parameters, its differences and messages are those of all functions of users (kit/user_routine.h); here is
 * how it is called. */
#include <tenon/author.h>

#if TN_VALUES

#include "exported.h"
#include "library.h"

#include <tenon/kit/user_memory.h>

#include <stdlib.h>

#define ROUTINE(P)                                                \
    P(FILE, library, TN_REQUIRED | TN_CODE, "the shared library") \
    TN_USER_PARAMETERS(P)                                         \
    P(PRIVATE, routine_entry, entry)

TN_PARAMETERS(routine, ROUTINE)
TN_USER_FUNCTIONS(routine)

enum { MOST_NUMBERS = 256 }; /* in par[] */

/* ---- questions of the user's function ---------------------------------------------------------------------- */

/* Questions that come in the same order as in the first call are answered without a search. */
static const tn_user_read *next_read(tn_user_call *call, const char *name, const int *ids, uint32_t count,
                                     bool vector)
{
    const tn_user_reads *reads = call->routine->reads;
    const tn_user_read *read = &reads->read[call->cursor];
    if (call->cursor >= reads->count || read->query.count != count || read->query.vector != vector ||
        !tn_user_same_function(name, read->query.function, count > 0))
        return NULL;
    for (uint32_t k = 0; k < count; k++)
        if (read->query.id[k].name || read->query.id[k].number != ids[k]) return NULL;
    call->cursor = call->cursor + 1 < reads->count ? call->cursor + 1 : 0;
    return read;
}

static const double *ask(tn_user_call *call, const char *name, const int *ids, int count, bool vector,
                         uint32_t *size)
{
    tn_user_id id[TN_USER_IDS];
    if (!name || count < 0 || count > TN_USER_IDS) {
        (void)tn_user_fail(call, TN_INVALID, "it asks for `%s` of %d items", name ? name : "", count);
        return NULL;
    }
    for (int k = 0; k < count; k++)
        id[k] = (tn_user_id){.number = ids[k]};
    return tn_user_ask(call, &(tn_user_query){name, id, (uint32_t)count, vector}, size);
}

const double *routine_answer(const char *name, const int *ids, int count, bool vector, uint32_t *size)
{
    tn_user_call *call = tn_user_now;
    *size = 0;
    if (!call) return NULL;
    const tn_user_read *read =
        name && !call->finds_reads ? next_read(call, name, ids, (uint32_t)count, vector) : NULL;
    if (!read) return ask(call, name, ids, count, vector, size);
    *size = read->size;
    return call->reading + read->first;
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

void routine_note(const char *text, int id, bool plain)
{
    char line[TN_USER_TEXT];
    if (!tn_user_now) return;
    (void)tn_print_cut(line, sizeof line, "%s (id %d)", text ? text : "", id);
    tn_user_say(tn_user_now, plain ? TN_NOTE : TN_WARNING, line);
}

bool routine_spline(const char *method, double x, double z, int id, int order, double *value)
{
    const char *why;
    tn_user_point point = {.signal.number = id, .x = x, .z = z, .order = order};
    *value = (double)NAN;
    while (point.method < TN_USER_METHODS && strcmp(tn_user_methods[point.method], method) != 0)
        point.method++;
    if (!tn_user_now || point.method == TN_USER_METHODS) return false;
    return tn_user_ask_spline(tn_user_now, &point, value, NULL, &why) == TN_OK;
}

double routine_accepted_time(void) { return tn_user_now ? tn_user_accepted_time(tn_user_now) : 0.0; }

/* ---- calls ------------------------------------------------------------------------------------------------- */

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
    tn_user_copy_numbers(par + user->parameters, call->argument, 1, user->arguments);
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
    double argument[TN_ARGUMENTS + TN_USER_PADDING], reading[TN_MOST_READINGS + TN_USER_PADDING];
    tn_user_copy_numbers(argument, call->argument, 1, user->arguments);
    tn_user_copy_numbers(reading, call->reading, 1, user->readings);
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
                          .first = table->derivatives > 0 ? call->first : NULL,
                          .second = table->derivatives > 1 ? call->second : NULL,
                          .self = call,
                          .fail = fail_call,
                          .say = say_line};
    const tn_status status = table->value(&to);
    call->value = to.value;
    call->has_first = to.first != NULL;
    call->has_second = to.second != NULL;
    return status;
}

static tn_status run_varsub(tn_user_call *call)
{
    return tn_user_call_tried(call->routine->self, call, call_varsub);
}

static tn_status run_table(tn_user_call *call)
{
    return tn_user_call_tried(call->routine->self, call, call_table);
}

/* ---- many calls without derivatives ------------------------------------------------------------------------ */

/* Whether both are calls of one table, with as many numbers. */
static bool are_alike(const routine *a, const routine *b)
{
    if (a == b) return true;
    return a->entry.table == b->entry.table && a->user.arguments == b->user.arguments &&
           a->user.readings == b->user.readings && a->user.parameters == b->user.parameters &&
           tn_user_is_tried(b->user.self);
}

/* Calls of one table, up to CALLS; what they have in common is written once. */
enum { CALLS = 16 };
typedef struct table_calls {
    const routine *const *instance;
    uint32_t count, stride;
    const double *argument; /* as that of tn_values_of_calls */
    double value[CALLS];
    tn_user_call *call;
    tn_routine_call to;
} table_calls;

static void begin_tables(table_calls *all, tn_user_call *call)
{
    const tn_user_routine *user = &all->instance[0]->user;
    all->call = call;
    all->to = (tn_routine_call){.struct_size = sizeof all->to,
                                .parameters = user->parameters,
                                .arguments = user->arguments,
                                .readings = user->readings,
                                .value = (double)NAN,
                                .self = call,
                                .fail = fail_call,
                                .say = say_line};
    call->routine = user;
}

/* One by one. False where one has no value. */
static bool call_each(table_calls *all)
{
    double argument[TN_ARGUMENTS + TN_USER_PADDING], reading[TN_MOST_READINGS + TN_USER_PADDING];
    tn_routine_call to = all->to;
    bool good = true;
    for (uint32_t k = 0; k < TN_USER_PADDING; k++)
        argument[to.arguments + k] = reading[to.readings + k] = (double)NAN;
    to.argument = argument;
    to.reading = reading;
    for (uint32_t i = 0; i < all->count && good; i++) {
        const routine *self = all->instance[i];
        const double *from = all->argument + i;
        for (uint32_t k = 0; k < to.arguments; k++, from += all->stride)
            argument[k] = *from;
        for (uint32_t k = 0; k < to.readings; k++, from += all->stride)
            reading[k] = *from;
        all->call->routine = &self->user;
        to.parameter = self->user.parameter;
        to.id = self->user.id;
        to.value = (double)NAN;
        good = self->entry.table->value(&to) == TN_OK && !all->call->problem[0] && isfinite(to.value);
        all->value[i] = to.value;
    }
    return good;
}

/* By their bits, which are looked at side by side. */
static bool are_finite(const double *number, uint32_t count)
{
    const uint64_t exponent = 0x7ff0000000000000u;
    uint64_t wrong = 0, bits[CALLS];
    memcpy(bits, number, count * sizeof *bits);
    for (uint32_t i = 0; i < count; i++)
        wrong |= (bits[i] & exponent) == exponent;
    return !wrong;
}

/* Side by side, by what the table has for that. */
static bool call_side_by_side(table_calls *all)
{
    const double *parameter[CALLS];
    int64_t id[CALLS];
    for (uint32_t i = 0; i < all->count; i++) {
        parameter[i] = all->instance[i]->user.parameter;
        id[i] = all->instance[i]->user.id;
        all->value[i] = (double)NAN;
    }
    const tn_routine_calls calls = {.struct_size = sizeof calls,
                                    .count = all->count,
                                    .stride = all->stride,
                                    .parameters = all->to.parameters,
                                    .arguments = all->to.arguments,
                                    .readings = all->to.readings,
                                    .argument = all->argument,
                                    .reading = all->argument + (size_t)all->to.arguments * all->stride,
                                    .parameter = parameter,
                                    .id = id,
                                    .value = all->value,
                                    .call = &all->to};
    if (all->instance[0]->entry.values(&calls) != TN_OK || all->call->problem[0]) return false;
    return are_finite(all->value, all->count);
}

/* Once in a run both ways have to give the same. */
static bool compare_ways(table_calls *all)
{
    double first[CALLS];
    tn_user_memory *memory = all->instance[0]->user.self;
    const bool has_values = call_side_by_side(all);
    memcpy(first, all->value, all->count * sizeof *first);
    if (!call_each(all)) return false;
    for (uint32_t i = 0; has_values && i < all->count; i++)
        if (!(fabs(first[i] - all->value[i]) <= 1e-12 * fabs(all->value[i]))) {
            (void)tn_user_fail(all->call, TN_INVALID,
                               "`values` of its table gives %.17g where `value` gives %.17g", first[i],
                               all->value[i]);
            (void)tn_user_refuse(all->call, TN_INVALID);
            return false;
        }
    atomic_store(&memory->compared, true);
    return true;
}

/* The first of `count` calls, as many as have the same table, *done of them; false where one has no value. */
static bool call_tables(tn_user_call *call, const void *const *instances, uint32_t count,
                        const double *arguments, uint32_t stride, double *values, uint32_t *done)
{
    table_calls all; /* without zeros, which take time */
    all.instance = (const routine *const *)instances;
    all.count = 1;
    all.stride = stride;
    all.argument = arguments;
    while (all.count < count && all.count < CALLS && are_alike(instances[0], instances[all.count]))
        all.count++;
    *done = all.count;
    begin_tables(&all, call);
    const tn_user_memory *memory = all.instance[0]->user.self;
    const bool compared = atomic_load_explicit(&memory->compared, memory_order_relaxed);
    const bool good = !all.instance[0]->entry.values || all.count == 1 ? call_each(&all)
                      : compared                                       ? call_side_by_side(&all)
                                                                       : compare_ways(&all);
    memcpy(values, all.value, all.count * sizeof *values); /* they may stand where the arguments do */
    return good;
}

/* Where one has no value, routine_value() tells why. */
static tn_status routine_values(const void *const *instances, uint32_t count, const double *arguments,
                                uint32_t stride, double *values)
{
    bool good = true;
    tn_user_call call;
    tn_user_begin(&call, false);
    tn_user_call **now = tn_user_open(&call);
    for (uint32_t i = 0, done = 1; i < count && good; i += done) {
        const routine *self = instances[i];
        if (self->entry.table && tn_user_is_tried(self->user.self)) {
            good = call_tables(&call, instances + i, count - i, arguments + i, stride, values + i, &done);
            continue;
        }
        done = 1;
        good = tn_user_value_of_many(&call, &self->user, self, arguments + i, stride) == TN_OK;
        values[i] = call.value;
    }
    tn_user_close(now, &call);
    return good ? TN_OK : TN_RETRY;
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
    routine_open_functions(host);
    tn_status status = routine_find(host, self->library, name, &self->entry);
    if (status != TN_OK) return status;
    const char *slash = strrchr(self->library, '/');
    (void)tn_print_cut(what, sizeof what, "`%s` of `%s`", name, slash ? slash + 1 : self->library);
    self->user.what = tn_user_keep_text(host, what);
    if (!self->user.what) return TN_OUT_OF_MEMORY;
    self->user.self = host->allocate(host, sizeof(tn_user_memory)); /* zeros */
    if (!self->user.self) return TN_OUT_OF_MEMORY;
    self->user.run = self->entry.table ? run_table : run_varsub;
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

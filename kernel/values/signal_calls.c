/* signal_calls.c - functions of plugins in expressions, with the data of a [[signal]] or without any; those that read the model by
 * themselves (tenon/draft/values.h) get their readings as further arguments */
#include "values/graph.h"
#include "config/plugin_texts.h"
#include "config/standard.h"
#include "units/dimension.h"

#include <math.h>
#include <string.h>

bool tn_signal_has_data(const tn_loaded_function *type) { return type->parameters && type->parameters->name; }

/* The library of the standard function holds more, which are known by other names than its file. */
static const tn_loaded_function *find_function(tn_model *model, const char *name)
{
    const tn_loaded_function *type = tn_registry_find(model->registry, TN_FUNCTION_KIND, name, NULL, 0);
    if (!type && tn_registry_find(model->registry, TN_FUNCTION_KIND, TN_STANDARD_SIGNAL, NULL, 0))
        type = tn_registry_find(model->registry, TN_FUNCTION_KIND, name, NULL, 0);
    return type;
}

static tn_routine_kind routine_kind_of(void *data, const char *name)
{
    const tn_loaded_function *type = find_function(data, name);
    if (!type) return TN_NO_ROUTINE;
    if (type->data_of) return TN_NAMED_THIRD_ROUTINE;
    return tn_signal_has_data(type) ? TN_NAMED_ROUTINE : TN_PLAIN_ROUTINE;
}

/* Where the type has argument number k of a call: readings stand behind all arguments, those that were left out, too. */
static uint32_t place_of(const tn_signal *signal, uint32_t count, uint32_t k)
{
    const uint32_t given = count - signal->routine.reading_count;
    return k < given ? k : signal->arguments + k - given;
}

/* The arguments of a call as the type has them, [TN_MOST_READINGS]. */
static void arrange_arguments(const tn_signal *signal, const double *argument, uint32_t count,
                              double *arguments)
{
    memset(arguments, 0, TN_MOST_READINGS * sizeof *arguments);
    for (uint32_t k = 0; k < count; k++)
        arguments[place_of(signal, count, k)] = argument[k];
}

/* Whether nothing has to be arranged for a call without derivatives: during a run, of a type that takes several calls at once. */
static bool is_plain(const tn_signal *signal)
{
    return signal->routine.family && signal->model->clock && !signal->model->reader->source.made_up;
}

/* Calls of signals of one type, of as many arguments as the type has them. */
static bool call_signals(const tn_routine *const *routine, uint32_t count, const double *argument,
                         double *value)
{
    const tn_signal *first = (const tn_signal *)(const void *)routine[0];
    const void *instance[TN_EXPRESSION_LANES];
    bool one = true; /* signal, which messages can name */
    if (!is_plain(first)) return false;
    for (uint32_t k = 0; k < count; k++) {
        instance[k] = ((const tn_signal *)(const void *)routine[k])->instance;
        one = one && routine[k] == routine[0];
    }
    return tn_call_for(one ? first->name : NULL, first->type, values, instance, count, argument,
                       TN_EXPRESSION_LANES, value) == TN_OK;
}

static bool call_plainly(const tn_signal *signal, const double *argument, double *value)
{
    const void *instance = signal->instance;
    return tn_call_for(signal->name, signal->type, values, &instance, 1, argument, 1, value) == TN_OK;
}

/* In front of the run a message of the function belongs to its signal. */
static void point_at(const tn_signal *signal, bool enters)
{
    const bool known = signal->table && !signal->model->clock;
    if (known) tn_host_point(signal->model, enters ? &signal->table->at : NULL, enters ? signal->name : NULL);
}

/* Kept out of line: its arrays are large. */
__attribute__((noinline)) static const char *call_arranged(const tn_signal *signal, const double *argument,
                                                           uint32_t count, tn_function_result *result)
{
    const tn_routine *routine = &signal->routine;
    tn_model *model = signal->model;
    if (signal->type->reads && model->reader->source.made_up) return signal->problem;
    const size_t errors = model->clock ? 0 : tn_model_errors(model);
    const uint32_t all = signal->arguments + routine->reading_count;
    double arguments[TN_MOST_READINGS], partials[TN_MOST_READINGS],
        second[TN_MOST_READINGS * TN_MOST_READINGS];
    arrange_arguments(signal, argument, count, arguments);
    for (uint32_t k = 0; result->second && k < all * all; k++)
        second[k] = (double)NAN; /* a function that leaves them out has none */
    point_at(signal, true);
    const tn_status status =
        tn_call_for(signal->name, signal->type, value, signal->instance, arguments, &result->value,
                    result->partial ? partials : NULL, result->second ? second : NULL);
    point_at(signal, false);
    const bool told = model->clock ? model->refused : tn_model_errors(model) != errors;
    if (status != TN_OK)
        return told ? signal->told : status == TN_INVALID ? signal->refusal : signal->problem;
    for (uint32_t i = 0; result->partial && i < count; i++) {
        const uint32_t row = place_of(signal, count, i);
        result->partial[i] = partials[row];
        for (uint32_t j = 0; result->second && j < count; j++)
            result->second[i * count + j] = second[row * all + place_of(signal, count, j)];
    }
    return NULL;
}

static const char *call_signal(const tn_routine *routine, const double *argument, uint32_t count,
                               tn_function_result *result)
{
    const tn_signal *signal = (const tn_signal *)(const void *)routine;
    if (is_plain(signal) && !result->partial && call_plainly(signal, argument, &result->value)) return NULL;
    return call_arranged(signal, argument, count, result);
}

/* Looks at the arguments of a call while it is compiled; NaN for those that are not known yet. */
static const char *inspect_arguments(const tn_routine *routine, const double *argument, uint32_t count,
                                     int32_t *smoothness)
{
    const tn_signal *signal = (const tn_signal *)(const void *)routine;
    double arguments[TN_MOST_READINGS];
    arrange_arguments(signal, argument, count, arguments);
    *smoothness = 0;
    if (!signal->type->inspect) return NULL;
    const tn_status status = tn_call(signal->type, inspect, signal->instance, arguments, smoothness);
    return status == TN_OK ? NULL : signal->refusal;
}

static void find_switches(const tn_routine *routine, const double *argument, uint32_t count, double *value)
{
    const tn_signal *signal = (const tn_signal *)(const void *)routine;
    double arguments[TN_MOST_READINGS];
    arrange_arguments(signal, argument, count, arguments);
    signal->type->switches(signal->instance, arguments, value);
}

/* What an instance reads by itself, with what else it says of its value; NULL, or why it cannot be called. */
static const char *find_readings(tn_model *model, tn_signal *signal)
{
    const tn_loaded_function *type = signal->type;
    const char *reading[TN_MOST_READINGS + 1];
    tn_routine *routine = &signal->routine;
    uint32_t count = 0;
    if (!type->reads) return NULL;
    if (type->argument_count)
        signal->arguments = tn_call_for(signal->name, type, argument_count, signal->instance);
    if (signal->arguments > type->arguments) return "it has more arguments than its type";
    while (count + signal->arguments <= TN_MOST_READINGS &&
           (reading[count] = tn_call_for(signal->name, type, reads, &model->host, signal->instance, count)))
        count++;
    if (count + signal->arguments > TN_MOST_READINGS) return "it has too many arguments and readings";
    if (count + signal->arguments == 0) return "it reads nothing, and has no arguments";
    routine->reading =
        memcpy(tn_arena_new(&model->arena, (count + 1) * sizeof *reading), reading, count * sizeof *reading);
    routine->reading_count = count;
    if (type->unit) routine->unit = tn_call_for(signal->name, type, unit, signal->instance);
    if (routine->unit && !tn_dimension_si(routine->unit)) return "its unit is not known";
    if (!type->switches) return NULL;
    routine->switch_count = tn_call_for(signal->name, type, switch_count, signal->instance);
    routine->switches = find_switches;
    return routine->switch_count <= TN_MOST_OWN_SWITCHES ? NULL : "it has too many switching functions";
}

/* "signal `curve`: its data reach from 0 to 3" */
static const char *problem_of(tn_model *model, const tn_loaded_function *type, const char *name,
                              const char *reason, const char *about)
{
    return tn_arena_print(&model->arena, "%s `%s`: %s%s", name ? "signal" : "function",
                          name ? name : type->name, reason, about);
}

tn_signal *tn_signal_add(tn_model *model, const tn_signal *what)
{
    const tn_loaded_function *type = what->type;
    tn_signal *signal = tn_arena_new(&model->arena, sizeof *signal);
    *signal = *what;
    signal->model = model;
    signal->arguments = type->arguments;
    signal->routine = (tn_routine){.name = type->name,
                                   .body = call_signal,
                                   .inspect = inspect_arguments,
                                   .one_thread = type->flags & TN_ONE_THREAD};
    const char *domain =
        type->domain ? tn_call_for(signal->name, type, domain, &model->host, signal->instance) : NULL;
    signal->problem = problem_of(model, type, signal->name, domain ? domain : "it has no value here", "");
    const char *wrong = find_readings(model, signal);
    if (wrong) signal->wrong = problem_of(model, type, signal->name, wrong, "");
    signal->routine.maximum_count = signal->arguments;
    signal->routine.minimum_count =
        signal->arguments -
        (type->argument_count ? 0 : type->optional); /* an instance has none to leave out */
    if (type->values && !signal->wrong && signal->routine.minimum_count == signal->routine.maximum_count) {
        signal->routine.family = type;
        signal->routine.many = call_signals;
    }
    signal->refusal =
        problem_of(model, type, signal->name, "an argument is not allowed, see tenon describe ", type->name);
    signal->told =
        problem_of(model, type, signal->name, "it has refused its numbers, as its message says", "");
    return signal;
}

/* The number of a signal by its name or id, or TN_NO_NAME. */
static uint32_t find_signal(const tn_model *model, const char *subject)
{
    const bool is_id = *subject >= '0' && *subject <= '9';
    const uint32_t found =
        tn_part_find(model, is_id ? &model->reader->signal_ids : &model->reader->signal_names, subject);
    return is_id && found != TN_NO_NAME ? model->reader->signal_of_id[found] : found;
}

/* A signal whose data another function uses: made when it is first asked for. NULL after reporting. */
static const tn_signal *shared_signal(tn_model *model, tn_signal *signal, const tn_loaded_function *type)
{
    for (const tn_signal *other = signal->sharing; other; other = other->sharing)
        if (other->type == type) return other->instance ? other : NULL;
    const size_t size = signal->type->instance_size;
    void *instance = tn_arena_new(&model->arena, size + 1);
    memcpy(instance, signal->given, size);
    tn_status status = TN_OK;
    if (type->prepare)
        status =
            tn_call_setup(model, &signal->table->at, signal->name, type, prepare, &model->host, instance);
    tn_signal what = {.type = type, .name = signal->name, .table = signal->table, .sharing = signal->sharing};
    if (status == TN_OK) {
        what.instance = instance;
        tn_instance_own(model, type, signal->name, instance);
    }
    signal->sharing = what.instance ? tn_signal_add(model, &what) : tn_arena_new(&model->arena, sizeof what);
    if (!what.instance) *signal->sharing = what;
    return what.instance ? signal->sharing : NULL;
}

/* What a function gets of a signal; NULL after writing to `message`, or when the signal is wrong. */
static const tn_routine *routine_of_signal(tn_model *model, const tn_loaded_function *type, uint32_t number,
                                           const char *subject, char *message, size_t size)
{
    tn_signal *signal = model->reader->signal[number];
    if (signal && signal->type == type) return &signal->routine;
    if (number == model->reader->unmade_signal)
        (void)tn_print_cut(message, size, "signal `%s` needs itself", subject);
    if (!signal) return NULL; /* one that is wrong has been reported */
    if (type->data_of && strcmp(signal->type->name, type->data_of) == 0) {
        const tn_signal *other = shared_signal(model, signal, type);
        return other ? &other->routine : NULL;
    }
    (void)tn_print_cut(message, size, "signal `%s` is made for `%s`, not for `%s`", subject,
                       signal->type->name, type->name);
    return NULL;
}

/* False when further errors are only counted: the nearest name need not be searched. */
static bool shows_more(const tn_model *model, const char *text)
{
    return tn_error_shows(model->reader->diagnostics, (tn_place){"", 0, 0}, text);
}

/* NULL after writing why a signal cannot be called. */
static const tn_routine *callable_routine(const tn_routine *found, char *message, size_t size)
{
    const tn_signal *signal = (const tn_signal *)(const void *)found;
    if (!signal || !signal->wrong) return found;
    (void)tn_print_cut(message, size, "%s", signal->wrong);
    return NULL;
}

static const tn_routine *find_routine_of_call(void *data, const char *name, const char *subject,
                                              char *message, size_t size)
{
    tn_model *model = data;
    const tn_loaded_function *type = find_function(model, name);
    if (!subject)
        return callable_routine(&tn_signal_add(model, &(tn_signal){.type = type})->routine, message, size);
    const uint32_t number = find_signal(model, subject);
    if (number != TN_NO_NAME)
        return callable_routine(routine_of_signal(model, type, number, subject, message, size), message,
                                size);
    tn_nearest search;
    tn_nearest_start(&search, subject);
    if (shows_more(model, "there is no signal ``"))
        tn_part_offer(model, &model->reader->signal_names, &search);
    if (model->reader->part->outer && tn_part_is_outside(model, subject))
        (void)tn_print_cut(message, size, "`%s` is outside of this part: list it in `[part] uses`", subject);
    else if (search.best)
        (void)tn_print_cut(message, size, "there is no signal `%s`: did you mean `%s`?", subject,
                           search.best);
    else if (model->reader->reading_signals)
        (void)tn_print_cut(message, size, "there is no signal `%s` in front of this one, which needs it",
                           subject);
    else if (!model->reader->incomplete)
        (void)tn_print_cut(message, size, "there is no signal `%s`", subject);
    return NULL;
}

/* Markers, measures and functions that expressions call, and that the build has left out. */
static bool explain_left_out(tn_model *model, const char *name, char *message, size_t size)
{
    char *hint = tn_left_out_hint(model->registry, NULL, name);
    if (!hint) return false;
    (void)tn_print_cut(message, size, "unknown function `%s`: %s `tenon plugins` lists all types", name,
                       hint);
    tn_free(hint);
    return true;
}

/* A signal is no function by itself, and functions of plugins have names that may be mistyped. */
static bool explain_name(void *data, const char *name, bool called, char *message, size_t size)
{
    tn_model *model = data;
    const uint32_t number = tn_part_find(model, &model->reader->signal_names, name);
    const tn_signal *signal = number != TN_NO_NAME ? model->reader->signal[number] : NULL;
    const tn_routine_kind kind = called ? TN_NO_ROUTINE : routine_kind_of(model, name);
    tn_nearest search;
    tn_nearest_start(&search, name);
    const bool searches = called && shows_more(model, "unknown function ``");
    if (searches) tn_registry_offer(model->registry, TN_FUNCTION_KIND, &search);
    if (searches) tn_offer_functions_of_items(model, &search);
    if (searches) tn_nearest_offer(&search, TN_DELAY_FUNCTION);
    if (number != TN_NO_NAME)
        (void)tn_print_cut(message, size, "`%s` is a signal: write %s(%s, x)", name,
                           signal ? signal->type->name : TN_STANDARD_SIGNAL, name);
    else if (kind != TN_NO_ROUTINE)
        (void)tn_print_cut(message, size, "function `%s` without its arguments in parentheses", name);
    else if (search.best &&
             (find_function(model, search.best) || tn_is_function_of_items(model, search.best) ||
              strcmp(search.best, TN_DELAY_FUNCTION) == 0))
        (void)tn_print_cut(message, size, "unknown function `%s`: did you mean `%s`?", name, search.best);
    else
        return called ? searches && explain_left_out(model, name, message, size)
                      : tn_part_explain_parameter(model, name, message, size);
    return true;
}

void tn_signals_prepare(tn_model *model)
{
    model->reader->source.functions.routine_kind = routine_kind_of;
    model->reader->source.functions.routine = find_routine_of_call;
    model->reader->source.functions.explain = explain_name;
    model->reader->unmade_signal = TN_NONE;
    model->reader->source.functions.routine_data = model;
}

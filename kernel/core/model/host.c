/* host.c - what the kernel offers to plugins (tenon/host.h) */
#include "model/reading.h"

#include "plugin/call_site.h"
#include "plugin/guard.h"

void tn_host_point(tn_model *model, const tn_toml *table, const char *item)
{
    model->host_table = table;
    model->host_item = item;
}

void tn_host_blame(tn_model *model, const tn_toml *table, const char *name, const void *type,
                   const char *function, tn_status status)
{
    const tn_culprit culprit = tn_registry_culprit(model->registry, type, function);
    tn_source_error(&model->source, table, "%s%s%s%s has failed without a reason: %s", name ? "`" : "",
                    name ? name : "", name ? "`: " : "", culprit.words, tn_status_text(status));
}

/* Functions that plugins call are entries: a lack of memory does not leave the plugin. */
static void *allocate(const tn_host *host, size_t bytes)
{
    return tn_arena_try(&((tn_model *)host->self)->arena, bytes < 64 ? 64 : bytes);
}

/* The type whose function is running while there is no current item; NULL: none. */
static const tn_use *use_in_hand(const tn_model *model)
{
    const void *type = tn_site ? tn_site->type : NULL;
    for (size_t k = 0; type && !model->host_item && k < model->use_count; k++)
        if (model->use[k].element == type || model->use[k].marker == type) return &model->use[k];
    return NULL;
}

/* A message of a law belongs to the current state. The instance is known only where the type has a single one. */
static void speak_of_state(const tn_model *model, const tn_use *use, tn_severity severity, const char *text)
{
    const char *type = use->element ? use->element->name : use->marker->name;
    const tn_place place = model->item[use->item[0]].origin->table->place;
    if (use->count == 1)
        tn_tell(model->diagnostics, severity, place, "%s: at time %.9g s: %s",
                tn_item_name(model, use->item[0]), *model->clock, text);
    else
        tn_tell(model->diagnostics, severity, (tn_place){0}, "one of %zu `%s`: at time %.9g s: %s",
                use->count, type, *model->clock, text);
}

static void tell(const tn_host *host, tn_level level, const char *text)
{
    static const tn_severity severities[] = {TN_SEVERITY_NOTE, TN_SEVERITY_WARNING, TN_SEVERITY_ERROR};
    const tn_model *model = host->self;
    const tn_use *use = model->clock ? use_in_hand(model) : NULL;
    if (use) {
        speak_of_state(model, use, severities[level <= TN_ERROR ? level : TN_ERROR], text);
        return;
    }
    const tn_toml *table = model->host_table;
    const tn_place place = table && table->place.line ? table->place : (tn_place){0};
    tn_tell(model->diagnostics, severities[level <= TN_ERROR ? level : TN_ERROR], place, "%s%s%s",
            model->host_item ? model->host_item : "", model->host_item ? ": " : "", text);
}

static void message(const tn_host *host, tn_level level, const char *text)
{
    (void)tn_attempt(tn_memory_now(), tell(host, level, text));
}

/* A function that runs with the simulation: the run ends with the first thing that one of them refuses. */
static void refuse_state(tn_model *model, const char *text)
{
    if (model->refused) return;
    model->refused = true;
    model->refusing_type = tn_site->type;
    model->refusing_function = tn_site->function;
    (void)tn_print_cut(model->refusal, sizeof model->refusal, "%s", text);
}

static void report(const tn_host *host, const char *parameter, const char *text)
{
    tn_model *model = host->self;
    if (model->clock && tn_site && !model->host_item) {
        refuse_state(model, text);
        return;
    }
    const tn_toml *table = model->host_table;
    const tn_toml *node = parameter && table ? tn_parameter_node(table, parameter) : NULL;
    const tn_place place = node ? node->place : table ? table->place : (tn_place){"model", 0, 0};
    if (model->host_item)
        tn_source_error_at(&model->source, place, "%s: %s", model->host_item, text);
    else
        tn_source_error_at(&model->source, place, "%s", text);
}

static void error(const tn_host *host, const char *parameter, const char *text)
{
    (void)tn_attempt(tn_memory_now(), report(host, parameter, text));
}

/* One thread so far: the whole range at once. */
static void parallel_for(const tn_host *host, size_t count, size_t grain,
                         void (*task)(void *, size_t, size_t), void *data)
{
    (void)host, (void)grain;
    if (count) task(data, 0, count);
}

static tn_status call(const tn_host *host, tn_callable callable, const double *arguments, double *value,
                      double *partials)
{
    const char *problem = NULL;
    if (tn_function_call(callable.handle, arguments, value, partials, &problem)) return TN_OK;
    tn_model *model = host->self;
    __atomic_store_n(&model->call_problem, problem, __ATOMIC_RELAXED); /* any thread may come here */
    return TN_RETRY;
}

static const void *extension(const tn_host *host, const char *key)
{
    (void)host, (void)key;
    return NULL;
}

/* A plugin did something wrong to the current item, while the model is read. */
static void tell_fault(void *data, const tn_guard_fault *fault)
{
    tn_model *model = data;
    const tn_culprit culprit = tn_registry_culprit(model->registry, fault->type, fault->function);
    const tn_place place = model->host_table ? model->host_table->place : (tn_place){"model", 0, 0};
    const char *item = fault->item ? fault->item : model->host_item;
    tn_source_error_at(&model->source, place, "%s%s%s%s %s", item ? "`" : "", item ? item : "",
                       item ? "`: " : "", culprit.words, fault->what);
}

void tn_host_prepare(tn_model *model)
{
    if (tn_guard_is_on()) tn_guard_listen((tn_guard_listener){.data = model, .tell = tell_fault});
    model->host = (tn_host){.struct_size = sizeof(tn_host),
                            .self = model,
                            .allocate = allocate,
                            .message = message,
                            .error = error,
                            .parallel_for = parallel_for,
                            .call = call,
                            .extension = extension};
}

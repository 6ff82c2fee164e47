/* host.c - what the kernel offers to plugins (tenon/host.h) */
#include "model/builder.h"

#include "plugin/call_site.h"

_Thread_local uint32_t tn_thread_number;

void tn_host_point(tn_model *model, const tn_location *at, const char *item)
{
    model->host_at = at;
    model->host_item = item;
}

void tn_host_blame(tn_model *model, const tn_location *at, const char *name, const void *type,
                   const char *function, tn_status status)
{
    const tn_culprit culprit = tn_registry_culprit(model->registry, type, function);
    tn_model_error(model, at->place, "%s%s%s%s has failed without a reason: %s", name ? "`" : "",
                   name ? name : "", name ? "`: " : "", culprit.words, tn_status_text(status));
}

size_t tn_setup_begin(tn_model *model, const tn_location *at, const char *name)
{
    tn_host_point(model, at, name);
    return tn_model_errors(model);
}

tn_status tn_setup_end(tn_model *model, const tn_location *at, const char *name, const void *type,
                       const char *function, size_t errors_before, tn_status status)
{
    tn_host_point(model, NULL, NULL);
    if (status != TN_OK && tn_model_errors(model) == errors_before)
        tn_host_blame(model, at, name, type, function, status);
    return status;
}

/* Functions that plugins call are entries: a lack of memory does not leave the plugin. */
static void *allocate_for_plugin(const tn_host *host, size_t bytes)
{
    return tn_arena_try(&((tn_model *)host->self)->arena, bytes < 64 ? 64 : bytes);
}

/* The type whose function is running while there is no current item; NULL: none. */
static const tn_use *find_running_use(const tn_model *model)
{
    const void *type = tn_site ? tn_site->type : NULL;
    for (size_t k = 0; type && !model->host_item && k < model->use_count; k++)
        if (model->use[k].type == type) return &model->use[k];
    return NULL;
}

/* A message of a law belongs to the current state. The instance is known only where the type has a single one. */
static void tell_of_state(const tn_model *model, const tn_use *use, tn_severity severity, const char *text)
{
    const tn_place place = model->item[use->item[0]].origin->at->place;
    if (use->count == 1)
        tn_model_tell(model, severity, place, "%s: at time %.9g s: %s", tn_item_name(model, use->item[0]),
                      *model->clock, text);
    else
        tn_model_tell(model, severity, (tn_place){0}, "one of %zu `%s`: at time %.9g s: %s", use->count,
                      use->type->name, *model->clock, text);
}

static void tell_message(const tn_model *model, tn_level level, const char *text)
{
    static const tn_severity severities[] = {TN_SEVERITY_NOTE, TN_SEVERITY_WARNING, TN_SEVERITY_ERROR};
    const tn_severity severity = severities[level <= TN_ERROR ? level : TN_ERROR];
    const tn_use *use = model->clock ? find_running_use(model) : NULL;
    if (use) tell_of_state(model, use, severity, text);
    if (use) return;
    const char *called = model->clock && !model->host_item && tn_site ? tn_site->item : NULL;
    const char *item = called ? called : model->host_item; /* that of a function stands nowhere here */
    const bool known = !called && model->host_at && model->host_at->place.line;
    tn_model_tell(model, severity, known ? model->host_at->place : (tn_place){0}, "%s%s%s", item ? item : "",
                  item ? ": " : "", text);
}

/* Plugins may keep a copy, whose functions are those of before the run, or get one of a guard. */
static const tn_host *own(const tn_host *host) { return &((tn_model *)host->self)->host; }

static void send_message(const tn_host *host, tn_level level, const char *text)
{
    if (host != own(host)) own(host)->message(own(host), level, text);
    if (host == own(host)) (void)tn_attempt(tn_memory_now(), tell_message(host->self, level, text));
}

/* A function that runs with the simulation: the run ends with the first thing that one of them refuses. */
static void refuse_state(tn_model *model, const char *text)
{
    if (model->refused) return;
    model->refused = true;
    model->refusing = *tn_site;
    (void)tn_print_cut(model->refusal, sizeof model->refusal, "%s", text);
}

/* Of a solver that runs the place is known, of what it calls it is not. */
static void report_error(tn_model *model, const char *parameter, const char *text)
{
    const bool runs = model->clock && tn_site && !model->host_item;
    if (runs) refuse_state(model, text);
    if (runs && (tn_site->outer || !model->host_at)) return;
    const tn_location *at = model->host_at;
    const char *item = at || !tn_site ? model->host_item : tn_site->item;
    const tn_place place = at && parameter ? tn_model_key_place(model, at, parameter)
                           : at            ? at->place
                                           : (tn_place){"model", 0, 0};
    if (runs)
        tn_model_tell(model, TN_SEVERITY_ERROR, place, "%s", text);
    else
        tn_model_error(model, place, "%s%s%s", item ? item : "", item ? ": " : "", text);
}

static void send_error(const tn_host *host, const char *parameter, const char *text)
{
    if (host != own(host)) own(host)->error(own(host), parameter, text);
    if (host == own(host)) (void)tn_attempt(tn_memory_now(), report_error(host->self, parameter, text));
}

void tn_run_blocks(TN_UNUSED const tn_host *host, size_t count, size_t grain,
                   void (*task)(void *data, size_t first, size_t last), void *data)
{
    const size_t block = grain ? grain : count;
    for (size_t first = 0; first < count; first += block)
        task(data, first, count - first < block ? count : first + block);
}

static tn_status call_function(const tn_host *host, tn_callable callable, const double *arguments,
                               double *value, double *partials)
{
    const char *problem = NULL;
    const tn_called *called = (const tn_called *)callable.handle;
    if (called->call(called, arguments, value, partials, &problem)) return TN_OK;
    tn_model *model = host->self;
    __atomic_store_n(&model->call_problem, problem, __ATOMIC_RELAXED); /* any thread may come here */
    return model->refused ? TN_INVALID : TN_RETRY;
}

static tn_status call_functions(TN_UNUSED const tn_host *host, const tn_callable *callable, uint32_t count,
                                double *arguments, double *values)
{
    const tn_called *called = (const tn_called *)callable->handle;
    return called->many && called->many(callable, count, arguments, values) ? TN_OK : TN_UNSUPPORTED;
}

static const void *find_extension(TN_UNUSED const tn_host *host, TN_UNUSED const char *key) { return NULL; }

void tn_host_prepare(tn_model *model)
{
    const tn_call_watch *watch = tn_registry_loading(model->registry)->watch;
    if (watch) watch->reads(model);
    model->host = (tn_host){.struct_size = sizeof(tn_host),
                            .self = model,
                            .allocate = allocate_for_plugin,
                            .message = send_message,
                            .error = send_error,
                            .parallel_for = tn_run_blocks,
                            .call = call_function,
                            .extension = find_extension,
                            .call_many = call_functions};
}

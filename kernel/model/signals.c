/* signals.c - [[signal]] tables: data that expressions use through a function, such as spline(name, x) */
#include "model/model.h"

#include "config/columns.h"

#include <string.h>

/* What makes a signal that does not say. */
static const char default_function[] = "spline";

static const char *const signal_words[] = {"name", "type", "id", "when", "file", "columns", NULL};

/* ---- functions of expressions ---------------------------------------------------------------------------- */

static const tn_function_type *find_function(tn_model *model, const char *name)
{
    char unused[1];
    return tn_registry_find(model->registry, TN_FUNCTION_KIND, name, unused, sizeof unused);
}

static bool has_data(const tn_function_type *type) { return type->parameters && type->parameters->name; }

static tn_routine_kind routine_kind(void *data, const char *name)
{
    const tn_function_type *type = find_function(data, name);
    return !type ? TN_NO_ROUTINE : has_data(type) ? TN_NAMED_ROUTINE : TN_PLAIN_ROUTINE;
}

static const char *call(const tn_routine *routine, const double *argument, uint32_t count,
                        tn_function_result *result)
{
    const tn_signal *signal = (const tn_signal *)(const void *)routine;
    double arguments[TN_ARGUMENTS] = {0.0}, partials[TN_ARGUMENTS];
    memcpy(arguments, argument, count * sizeof *arguments);
    const tn_status status = tn_call(signal->type, value, signal->instance, arguments, &result->value,
                                     result->partial ? partials : NULL, NULL);
    if (status == TN_INVALID) return signal->refusal;
    if (status != TN_OK) return signal->problem;
    if (result->partial) memcpy(result->partial, partials, count * sizeof *partials);
    return NULL;
}

/* "signal `curve`: its data reach from 0 to 3" */
static const char *problem_of(tn_model *model, const tn_function_type *type, const char *name,
                              const char *reason, const char *about)
{
    const size_t size = strlen(name ? name : type->name) + strlen(reason) + strlen(about) + 32;
    char *problem = tn_arena_new(&model->arena, size);
    (void)snprintf(problem, size, "%s `%s`: %s%s", name ? "signal" : "function", name ? name : type->name,
                   reason, about);
    return problem;
}

/* `name`: of a signal, NULL for a function without data. */
static tn_signal *add_signal(tn_model *model, const tn_function_type *type, void *instance, const char *name)
{
    tn_signal *signal = tn_arena_new(&model->arena, sizeof *signal);
    *signal = (tn_signal){.routine = {.name = type->name,
                                      .minimum_count = type->arguments - type->optional,
                                      .maximum_count = type->arguments,
                                      .body = call},
                          .type = type,
                          .instance = instance};
    const char *domain = type->domain ? tn_call_for(name, type, domain, &model->host, instance) : NULL;
    signal->problem = problem_of(model, type, name, domain ? domain : "it has no value here", "");
    signal->refusal =
        problem_of(model, type, name, "an argument is not allowed, see tenon describe ", type->name);
    return signal;
}

static const tn_routine *routine(void *data, const char *name, const char *subject, char *message,
                                 size_t size)
{
    tn_model *model = data;
    const tn_function_type *type = find_function(model, name);
    if (!subject) return &add_signal(model, type, NULL, NULL)->routine;
    const uint32_t number = tn_part_find(model, &model->signal_names, subject);
    if (number != TN_NO_NAME) {
        const tn_signal *signal = model->signal[number];
        if (signal && signal->type == type) return &signal->routine;
        if (number == model->unmade_signal)
            (void)snprintf(message, size, "signal `%s` needs itself", subject);
        else if (signal)
            (void)snprintf(message, size, "signal `%s` is made for `%s`, not for `%s`", subject,
                           signal->type->name, name);
        return NULL; /* one that is wrong has been reported */
    }
    tn_nearest search;
    tn_nearest_start(&search, subject);
    tn_part_offer(model, &model->signal_names, &search);
    if (model->part->outer && tn_part_is_outside(model, subject))
        (void)snprintf(message, size, "`%s` is outside of this part: list it in `[part] uses`", subject);
    else if (search.best)
        (void)snprintf(message, size, "there is no signal `%s`: did you mean `%s`?", subject, search.best);
    else if (model->reading_signals)
        (void)snprintf(message, size, "there is no signal `%s` in front of this one, which needs it",
                       subject);
    else if (!model->incomplete)
        (void)snprintf(message, size, "there is no signal `%s`", subject);
    return NULL;
}

/* A signal is no function by itself, and functions of plugins have names that may be mistyped. */
static bool explain(void *data, const char *name, bool called, char *message, size_t size)
{
    tn_model *model = data;
    const uint32_t number = tn_part_find(model, &model->signal_names, name);
    const tn_signal *signal = number != TN_NO_NAME ? model->signal[number] : NULL;
    const tn_routine_kind kind = called ? TN_NO_ROUTINE : routine_kind(model, name);
    tn_nearest search;
    tn_nearest_start(&search, name);
    if (called) tn_registry_offer(model->registry, TN_FUNCTION_KIND, &search);
    if (called) tn_offer_functions_of_items(model, &search);
    if (number != TN_NO_NAME)
        (void)snprintf(message, size, "`%s` is a signal: write %s(%s, x)", name,
                       signal ? signal->type->name : default_function, name);
    else if (kind != TN_NO_ROUTINE)
        (void)snprintf(message, size, "function `%s` without its arguments in parentheses", name);
    else if (search.best &&
             (find_function(model, search.best) || tn_is_function_of_items(model, search.best)))
        (void)snprintf(message, size, "unknown function `%s`: did you mean `%s`?", name, search.best);
    else
        return !called && tn_part_explain_parameter(model, name, message, size);
    return true;
}

void tn_signals_prepare(tn_model *model)
{
    model->source.routine_kind = routine_kind;
    model->source.routine = routine;
    model->source.explain = explain;
    model->unmade_signal = TN_NONE;
    model->source.routine_data = model;
}

/* ---- [[signal]] ------------------------------------------------------------------------------------------ */

/* The parameters of a type; with a file, its lists need not be written. */
static const tn_parameter *parameters_of(tn_model *model, const tn_function_type *type, bool file)
{
    size_t count = 0;
    while (type->parameters && type->parameters[count].name)
        count++;
    tn_parameter *copy = tn_arena_new(&model->arena, (count + 1) * sizeof *copy);
    for (size_t k = 0; k < count; k++) {
        copy[k] = type->parameters[k];
        if (file && copy[k].kind == TN_KIND_LIST) copy[k].flags &= ~(uint32_t)TN_REQUIRED;
    }
    return copy;
}

static const tn_function_type *type_of(tn_model *model, const tn_toml *table)
{
    const tn_toml *node = tn_toml_get(table, "type");
    if (node && node->kind != TN_TOML_STRING) {
        tn_source_error(&model->source, node, "`type` is a string");
        return NULL;
    }
    const tn_function_type *type =
        tn_model_type(model, TN_FUNCTION_KIND, node ? node : table, node ? node->text : default_function);
    if (!type || has_data(type)) return type;
    tn_source_error(&model->source, node ? node : table, "`%s` takes no data: call it as it is", type->name);
    return NULL;
}

void tn_signal_compile(tn_model *model, tn_template *origin)
{
    tn_source *source = &model->source;
    const tn_toml *table = origin->table, *file = tn_toml_get(table, "file");
    const tn_function_type *type = origin->function = type_of(model, table);
    const tn_parameter *parameters = type ? parameters_of(model, type, file) : NULL;
    const tn_keys keys = {.words = signal_words, .parameters = {parameters}};
    const tn_toml *name = tn_meant(table, "name", &keys), *columns = tn_toml_get(table, "columns");
    if (!name) tn_source_error(source, table, "missing key `name`");
    origin->nameless = !name || !tn_pattern_compile(source, name, &origin->name);
    if (origin->nameless) model->incomplete = true;
    if (!type) return;
    tn_filler_prepare(source, table, parameters, type->instance_size, &origin->filler);
    tn_check_keys(source, table, &keys);
    if (file && file->kind != TN_TOML_STRING) tn_source_error(source, file, "`file` is a path");
    if (columns && !file) tn_source_error_at(source, columns->key_place, "`columns` belongs to `file`");
    if (columns && columns->kind != TN_TOML_ARRAY)
        tn_source_error(source, columns, "`columns` is an array of numbers of columns, counted from 0");
}

/* Fills one list after the other with the columns of a file. False after reporting. */
static bool read_columns(tn_model *model, const tn_template *origin, const tn_toml *file, void *instance)
{
    tn_source *source = &model->source;
    const tn_toml *node = tn_toml_get(origin->table, "columns");
    uint32_t most = 0, count = 0;
    for (const tn_parameter *p = origin->function->parameters; p->name; p++)
        most += p->kind == TN_KIND_LIST;
    const tn_parameter **list = tn_arena_new(&model->arena, (most + 1) * sizeof *list);
    uint32_t *column = tn_arena_new(&model->arena, (most + 1) * sizeof *column);
    for (const tn_parameter *p = origin->function->parameters; p->name; p++)
        if (p->kind == TN_KIND_LIST) {
            if (tn_toml_get(origin->table, p->name))
                tn_source_error_at(source, tn_toml_get(origin->table, p->name)->key_place,
                                   "`%s` comes from `file` already", p->name);
            column[count] = count;
            list[count++] = p;
        }
    if (node && node->count != count) {
        tn_source_error(source, node, "`columns` has %u numbers: one each for the lists of `%s`", count,
                        origin->function->name);
        return false;
    }
    for (uint32_t k = 0; node && k < count; k++) {
        int64_t number = 0;
        if (!tn_integer_read(source, node->child[k], &number)) return false;
        if (number < 0 || number > UINT32_MAX) {
            tn_source_error(source, node->child[k], "columns are counted from 0");
            return false;
        }
        column[k] = (uint32_t)number;
    }
    const char *path = tn_document_beside(model->document, file);
    tn_columns columns;
    tn_text_failure failure = {0};
    if (!tn_columns_read(path, column, count, &model->arena, &columns, &failure)) {
        if (failure.line)
            tn_source_error(source, file, "%s:%u:%u: %s", path, failure.line, failure.column, failure.text);
        else
            tn_source_error(source, file, "`%s`: %s", path, failure.text);
        return false;
    }
    for (uint32_t k = 0; k < count; k++)
        *(tn_list *)(void *)((char *)instance + list[k]->offset) = (tn_list){columns.value[k], columns.rows};
    return true;
}

/* The table of a signal for messages: those about lists stand where the file is named that they come from. */
static const tn_toml *blamed_table(tn_model *model, const tn_toml *table, const tn_toml *file)
{
    if (!file) return table;
    tn_toml *copy = tn_arena_new(&model->arena, sizeof *copy);
    *copy = *table;
    copy->place = file->place;
    return copy;
}

static tn_signal *fill(tn_model *model, const tn_template *origin, const char *name)
{
    const tn_function_type *type = origin->function;
    const tn_toml *file = tn_toml_get(origin->table, "file");
    const size_t before = tn_error_count(model->diagnostics);
    void *instance = tn_arena_new(&model->arena, type->instance_size + 1);
    tn_filler_apply(&model->source, &origin->filler, instance);
    if (file && !read_columns(model, origin, file, instance)) return NULL;
    if (tn_error_count(model->diagnostics) != before) return NULL;
    tn_host_point(model, blamed_table(model, origin->table, file), name);
    const tn_status status = type->prepare ? tn_call_for(name, type, prepare, &model->host, instance) : TN_OK;
    tn_host_point(model, NULL, NULL);
    if (status != TN_OK && tn_error_count(model->diagnostics) == before)
        tn_source_error(&model->source, origin->table, "`%s`: %s", name, tn_status_text(status));
    return status == TN_OK ? add_signal(model, type, instance, name) : NULL;
}

static void make(tn_model *model, tn_template *origin, void *data)
{
    (void)data;
    char buffer[256];
    const char *own = tn_pattern_expand(&model->source, &origin->name, buffer, sizeof buffer);
    if (!own || !tn_is_name(own)) model->incomplete = true;
    if (!own) return;
    if (!tn_is_name(own)) {
        tn_source_error(&model->source, origin->name.node, "`%s` is no name: letters, digits and _ only",
                        own);
        return;
    }
    const char *name = tn_part_name(model, own);
    const uint32_t number = tn_names_add(&model->signal_names, name);
    if (number == TN_NO_NAME) {
        tn_source_error_at(&model->source, origin->name.node->key_place, "another signal has the name `%s`",
                           own);
        return;
    }
    model->signal = tn_grow(model->signal, &model->signal_capacity, number + 1, sizeof *model->signal);
    model->signal[number] = NULL;
    model->unmade_signal = number;
    tn_signal *signal = origin->wrong ? NULL : fill(model, origin, name);
    model->signal[number] = signal;
    model->unmade_signal = TN_NONE;
}

void tn_signals_read(tn_model *model, tn_part *part)
{
    part->signals = tn_new(1, sizeof *part->signals);
    model->reading_signals = true;
    tn_block_compile(model, part->root, part->signals, true);
    tn_block_walk_kind(model, part->signals, TN_TEMPLATE_SIGNAL, make, NULL);
    model->reading_signals = false;
}

/* signals.c - [[signal]] tables: data that expressions use through a function, such as spline(name, x)
 *
 * The calls are in signal_calls.c. */
#include "tables/tables.h"
#include "values/value_graph.h"
#include "config/standard.h"

#include "config/columns.h"

#include <stdlib.h>
#include <string.h>

static const char *const signal_words[] = {"name", "type", "id", "when", "file", "columns", NULL};

/* The parameters of a type; with a file, its lists need not be written. */
static const tn_parameter *signal_parameters(tn_model *model, const tn_loaded_function *type, bool file)
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

/* Finds the function that a signal has data for; false after reporting. */
static bool find_function(tn_model *model, tn_template *origin)
{
    tn_source *source = &model->reader->source;
    const tn_toml *table = origin->table, *node = tn_toml_get(table, "type");
    if (node && node->kind != TN_TOML_STRING) return tn_value_error(source, node, "a string is expected");
    const tn_loaded_function *type = tn_model_type(model, TN_FUNCTION_KIND, node ? &node->at : &table->at,
                                                   node ? node->text : TN_STANDARD_SIGNAL);
    if (type && !tn_signal_has_data(type))
        return tn_source_error(source, node ? node : table, "`%s` takes no data: call it directly",
                               type->name);
    origin->function = type;
    return type;
}

void tn_signal_compile(tn_model *model, tn_template *origin)
{
    tn_source *source = &model->reader->source;
    const tn_toml *table = origin->table, *file = tn_toml_get(table, "file");
    const bool known = find_function(model, origin);
    const tn_loaded_function *type = origin->function;
    const tn_parameter *parameters = known ? signal_parameters(model, type, file) : NULL;
    const tn_keys keys = {.words = signal_words, .parameters = {parameters}};
    const tn_toml *columns = tn_toml_get(table, "columns");
    tn_template_name(model, origin, &keys);
    if (!known) return;
    tn_filler_prepare(source, table, parameters, type->instance_size, &origin->filler);
    tn_check_keys(source, table, &keys);
    if (file) (void)tn_source_expect(source, file, TN_TOML_STRING, "`file` is a path");
    if (columns && !file) tn_source_error_at(source, columns->key_place, "`columns` belongs to `file`");
    if (columns)
        (void)tn_source_expect(source, columns, TN_TOML_ARRAY,
                               "`columns` is an array of numbers of columns, counted from 0");
}

/* Fills one list after the other with the columns of a file. False after reporting. */
static bool read_signal_columns(tn_model *model, const tn_template *origin, const tn_toml *file,
                                void *instance)
{
    tn_source *source = &model->reader->source;
    const tn_toml *node = tn_toml_get(origin->table, "columns");
    uint32_t count = 0;
    for (const tn_parameter *p = origin->function->parameters; p->name; p++) {
        if (p->kind != TN_KIND_LIST) continue;
        count++;
        const tn_toml *given = tn_toml_get(origin->table, p->name);
        if (given) tn_source_error_at(source, given->key_place, "`%s` comes from `file` already", p->name);
    }
    if (node && node->count != count)
        return tn_source_error(source, node, "`columns` has %u numbers: one each for the lists of `%s`",
                               count, origin->function->name);
    uint32_t *column = tn_arena_new(&model->arena, (count + 1) * sizeof *column);
    for (uint32_t k = 0; k < count; k++) {
        int64_t number = k;
        if (node && !tn_integer_read(source, node->child[k], &number)) return false;
        if (number < 0 || number > UINT32_MAX)
            return tn_source_error(source, node->child[k], "columns are counted from 0");
        column[k] = (uint32_t)number;
    }
    const char *path = tn_document_beside(model->reader->document, file);
    tn_document_add_input(model->reader->document, path);
    tn_columns columns;
    tn_text_failure failure = {0};
    if (!tn_columns_read(path, column, count, &model->arena, &columns, &failure)) {
        if (failure.line)
            return tn_source_error(source, file, "%s:%u:%u: %s", path, failure.line, failure.column,
                                   failure.text);
        return tn_source_error(source, file, "`%s`: %s", path, failure.text);
    }
    double *const *value = columns.value;
    for (const tn_parameter *p = origin->function->parameters; p->name; p++)
        if (p->kind == TN_KIND_LIST)
            *(tn_list *)(void *)((char *)instance + p->offset) = (tn_list){*value++, columns.rows};
    return true;
}

/* The table of a signal for messages: those about lists stand where the file is named that they come from. */
static const tn_toml *blamed_table(tn_model *model, const tn_toml *table, const tn_toml *file)
{
    if (!file) return table;
    tn_toml *copy = tn_toml_new(&model->arena, *table);
    copy->place = file->place;
    return copy;
}

/* The `id` of the signal, where the type asks for that of an item (tenon/draft/values.h) and the table gives none. */
static void fill_item_id(tn_model *model, const tn_template *origin, void *instance)
{
    const tn_parameter *parameter = tn_item_id_parameter(origin->function);
    char id[32];
    if (parameter && !tn_toml_get(origin->table, parameter->name) &&
        tn_template_id(model, origin, id, sizeof id))
        *(int64_t *)(void *)((char *)instance + parameter->offset) = strtoll(id, NULL, 10);
}

static tn_signal *fill_signal(tn_model *model, const tn_template *origin, const char *name)
{
    const tn_loaded_function *type = origin->function;
    const tn_toml *file = tn_toml_get(origin->table, "file");
    const size_t before = tn_error_count(model->reader->diagnostics), unknown = model->reader->source.unknown;
    void *instance = tn_arena_new(&model->arena, type->instance_size + 1);
    tn_filler_apply(&model->reader->source, &origin->filler, instance);
    fill_item_id(model, origin, instance);
    if (file && !read_signal_columns(model, origin, file, instance)) return NULL;
    if (origin->filler.unknown || model->reader->source.unknown != unknown ||
        tn_error_count(model->reader->diagnostics) != before)
        return NULL;
    const tn_toml *table = blamed_table(model, origin->table, file);
    void *given = tn_arena_new(&model->arena, type->instance_size + 1);
    memcpy(given, instance, type->instance_size);
    tn_host_point(model, &table->at, name);
    const tn_status status = type->prepare ? tn_call_for(name, type, prepare, &model->host, instance) : TN_OK;
    tn_host_point(model, NULL, NULL);
    if (status != TN_OK && tn_error_count(model->reader->diagnostics) == before)
        tn_host_blame(model, &origin->table->at, name, type, "prepare", status);
    if (status != TN_OK) return NULL;
    tn_instance_own(model, type, name, instance);
    return tn_signal_add(
        model,
        &(tn_signal){.type = type, .instance = instance, .given = given, .name = name, .table = table});
}

/* Makes a signal known by its id. */
static void add_id(tn_model *model, const tn_template *origin, uint32_t number)
{
    char text[32];
    if (!tn_template_id(model, origin, text, sizeof text)) return;
    const uint32_t id = tn_names_add(&model->reader->signal_ids, tn_part_name(model, text));
    if (id == TN_NO_NAME) {
        tn_source_error_at(&model->reader->source, origin->id.node->key_place, "another signal has the id %s",
                           text);
        return;
    }
    model->reader->signal_of_id = tn_grow(model->reader->signal_of_id, &model->reader->signal_id_capacity,
                                          id + 1, sizeof *model->reader->signal_of_id);
    model->reader->signal_of_id[id] = number;
}

/* Enters a name that is free, and what it stands for; NULL after reporting. */
static tn_signal *add_signal(tn_model *model, const tn_template *origin, const char *name, uint32_t number)
{
    tn_reader *reader = model->reader;
    reader->signal = tn_grow(reader->signal, &reader->signal_capacity, number + 1, sizeof *reader->signal);
    reader->signal[number] = NULL;
    add_id(model, origin, number);
    reader->unmade_signal = number;
    reader->signal[number] = origin->base.wrong ? NULL : fill_signal(model, origin, name);
    reader->unmade_signal = TN_NONE;
    return reader->signal[number];
}

const tn_signal *tn_signal_make_unnamed(tn_model *model, const tn_toml *table, const char *name)
{
    tn_template *origin = tn_template_new(table, TN_TEMPLATE_SIGNAL);
    const char *full = tn_part_name(model, name);
    tn_template_compile(model, origin);
    return add_signal(model, origin, full, tn_names_add(&model->reader->signal_names, full));
}

static void make_signal(tn_model *model, tn_template *origin, void *data)
{
    (void)data;
    const char *own = tn_pattern_expand(&model->reader->source, &origin->name);
    if (!own || !tn_name_check(&model->reader->source, origin->name.node->place, own)) {
        model->reader->incomplete = true;
        return;
    }
    const char *name = tn_part_name(model, own);
    const uint32_t number = tn_names_add(&model->reader->signal_names, name);
    if (number == TN_NO_NAME) {
        tn_source_error_at(&model->reader->source, origin->name.node->key_place,
                           "another signal has the name `%s`", own);
        return;
    }
    (void)add_signal(model, origin, name, number);
}

void tn_signals_read(tn_model *model, tn_part *part)
{
    part->signals = tn_new(1, sizeof *part->signals);
    model->reader->reading_signals = true;
    tn_block_compile(model, part->root, part->signals, true);
    if (tn_block_count(model, part->signals))
        tn_block_walk_kind(model, part->signals, TN_TEMPLATE_SIGNAL, make_signal, NULL);
    model->reader->reading_signals = false;
}

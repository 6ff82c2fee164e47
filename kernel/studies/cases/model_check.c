/* model_check.c - the model of a study: that it takes each value of the variables, and what its responses can read */
#include "cases/model_sum.h"

#include "library/library.h"
#include "names/reader.h"
#include "plugin/registry.h"
#include "units/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIED = 64 }; /* values of a list, behind which others are known when their cases run */

/* A message about a value that the study gives. */
typedef struct blame {
    tn_place place;
    tn_severity severity;
    char text[TN_LONGEST_REASON];
} blame;
enum { MOST_BLAMED = 8 };

/* One opening of the model. */
typedef struct trial {
    tn_cases *cases;
    tenon_model *model;
    bool quiet;                /* warnings were told before */
    blame blamed[MOST_BLAMED]; /* kept until the memory is that of the study again */
    size_t blames;
} trial;

/* The variable that a message is about: its place is "--set NAME". */
static const tn_case_variable *blamed_variable(const tn_cases *cases, const char *file)
{
    static const char beginning[] = "--set ";
    if (strncmp(file, beginning, sizeof beginning - 1) != 0) return NULL;
    const char *path = file + sizeof beginning - 1;
    for (uint32_t k = 0; k < cases->variables; k++) {
        const char *name = cases->variable[k].name;
        const size_t length = strlen(name);
        if (strncmp(path, name, length) == 0 && (!path[length] || path[length] == '.'))
            return &cases->variable[k];
    }
    return NULL;
}

static void hear(void *data, const tn_diagnostic *message)
{
    trial *self = data;
    const tn_message_listener *listener = &self->cases->options->listener;
    const tn_case_variable *blamed = blamed_variable(self->cases, message->file);
    if (self->quiet && message->severity != TN_SEVERITY_ERROR && !blamed) return;
    if (blamed && self->blames < MOST_BLAMED) {
        blame *kept = &self->blamed[self->blames++];
        kept->place = blamed->name_node->place;
        kept->severity = message->severity;
        (void)tn_print_cut(kept->text, sizeof kept->text, "%s", message->text);
    } else if (listener->hear)
        listener->hear(listener->data, message);
}

static void hear_count(void *data, tn_severity severity, size_t more, const char *text)
{
    const trial *self = data;
    const tn_message_listener *listener = &self->cases->options->listener;
    if (listener->count && !(self->quiet && severity != TN_SEVERITY_ERROR))
        listener->count(listener->data, severity, more, text);
}

static void watch(void *data, tn_study *study)
{
    const tn_cases_options *options = ((const trial *)data)->cases->options;
    if (options->watch) options->watch(study);
}

static void unwatch(void *data)
{
    const tn_cases_options *options = ((const trial *)data)->cases->options;
    if (options->watch) options->watch(NULL);
}

/* In the memory of the study. */
static void tell_blames(trial *self)
{
    for (size_t k = 0; k < self->blames; k++)
        tn_diagnose(self->cases->file.diagnostics, self->blamed[k].severity, self->blamed[k].place, "%s",
                    self->blamed[k].text);
    self->blames = 0;
}

/* Opens the model with these values, NULL: as it is. False after messages. */
static bool open_model(trial *self, const double *value)
{
    tn_arena arena = {0};
    const tn_cases *cases = self->cases;
    tenon_options asked = {.size = sizeof asked,
                           .plugin_paths = cases->options->plugin_paths,
                           .plugin_path_count = cases->options->plugin_path_count,
                           .trust = cases->options->trust,
                           .threads = 1};
    if (value) asked.overrides = tn_case_overrides(cases, value, &arena, &asked.override_count);
    const tn_library_wishes wishes = {.client = {.data = self, .open = watch, .close = unwatch},
                                      .listener = {self, hear, hear_count}};
    const tenon_status status =
        tn_library_open(&(tn_library_source){.name = cases->model}, &asked, &wishes, &self->model);
    tn_arena_free(&arena);
    tell_blames(self);
    if (status == TENON_OUT_OF_MEMORY) tn_no_memory("the model of the study");
    return status == TENON_OK;
}

/* ---- the model as it is ----------------------------------------------------------------------------------------- */

/* The node at a path; NULL: there is none. */
static const tn_toml *find_node(const tn_toml *at, const char *path)
{
    while (at && *path) {
        const size_t length = strcspn(path, ".");
        const tn_toml *next = at->kind == TN_TOML_TABLE ? tn_toml_find(at, path, length) : NULL;
        for (size_t k = 0; at->kind == TN_TOML_ARRAY && !next && k < at->count; k++) {
            const char *name =
                at->child[k]->kind == TN_TOML_TABLE ? tn_toml_text(at->child[k], "name") : NULL;
            char *end = NULL;
            const bool numbered =
                *path >= '0' && *path <= '9' && strtoul(path, &end, 10) == k && end == path + length;
            if (numbered || (name && strlen(name) == length && strncmp(name, path, length) == 0))
                next = at->child[k];
        }
        at = next;
        path += length + (path[length] == '.');
    }
    return at;
}

/* `text` in the memory of the model stays in that of the study. */
static void blame_node(trial *self, const tn_toml *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void blame_node(trial *self, const tn_toml *node, const char *format, ...)
{
    va_list arguments;
    if (self->blames == MOST_BLAMED) return;
    blame *kept = &self->blamed[self->blames++];
    kept->place = node->place;
    kept->severity = TN_SEVERITY_ERROR;
    va_start(arguments, format);
    (void)tn_print_cut_list(kept->text, sizeof kept->text, format, arguments);
    va_end(arguments);
}

/* A parameter without its table in front; a unit that is not the one of the value that the model gives. */
static void check_path(trial *self, const tn_study *study, const tn_case_variable *variable)
{
    const tn_toml *root = tn_document_root(study->document), *node = find_node(root, variable->name);
    char error[TN_LONGEST_REASON];
    size_t offset = 0, length = 0;
    double factor = 1.0;
    if (!node && tn_toml_get(tn_toml_get(root, "parameters"), variable->name))
        blame_node(self, variable->name_node, "unknown key `%s`: did you mean `parameters.%s`?",
                   variable->name, variable->name);
    if (!node || node->kind != TN_TOML_STRING || !*variable->unit) return;
    (void)tn_expression_split_unit(node->text, node->length, &offset, &length);
    if (!length) return;
    const char *unit = tn_document_text(study->document, node->text + offset, length);
    if (!tn_unit_factor(variable->unit, unit, &factor, error, sizeof error))
        blame_node(self, variable->value_node, "the model gives `%s` in %s, which %s does not fit",
                   variable->name, unit, variable->unit);
}

/* The coordinate of the value that the model gives. */
static void find_start(const tn_study *study, tn_case_variable *variable)
{
    const tn_toml *node = find_node(tn_document_root(study->document), variable->name);
    char error[TN_LONGEST_REASON];
    double value = (double)NAN, factor = 1.0;
    if (!node || !tn_unit_si_factor(variable->unit, &factor, error, sizeof error)) return;
    if (node->kind == TN_TOML_INTEGER || node->kind == TN_TOML_REAL) {
        value = node->real;
    } else if (node->kind == TN_TOML_STRING) {
        for (uint32_t k = 0; k < variable->levels; k++)
            if (strcmp(variable->level[k].label, node->text) == 0) {
                variable->start = (k + 0.5) / variable->levels;
                return;
            }
        if (!tn_number_read(&study->model->reader->source, node, NULL, &value)) return;
    }
    variable->start = tn_case_coordinate(variable, value / factor);
}

/* In the memory of the model. */
static void look_at_model(trial *self, tn_model_sum *sum)
{
    tn_cases *cases = self->cases;
    const tn_study *study = &self->model->study;
    tn_hash_add_text(sum->hashing, TENON_VERSION);
    tn_hash_add_text(sum->hashing, tn_model_print_as_written(study->model));
    for (uint32_t k = 0; k < cases->variables; k++)
        check_path(self, study, &cases->variable[k]), find_start(study, &cases->variable[k]);
}

/* What responses can read of sensors. */
static void take_columns(tn_cases *cases, const tenon_model *model)
{
    tn_series_columns *columns = &cases->columns;
    columns->count = (uint32_t)tenon_sensor_count(model);
    columns->name = tn_arena_new(&cases->arena, (columns->count + 1) * sizeof *columns->name);
    columns->unit = tn_arena_new(&cases->arena, (columns->count + 1) * sizeof *columns->unit);
    columns->place = tn_arena_new(&cases->arena, (columns->count + 1) * sizeof *columns->place);
    for (uint32_t k = 0; k < columns->count; k++) {
        const char *name = tenon_sensor_name(model, k), *unit = tenon_sensor_unit(model, k);
        columns->name[k] = tn_arena_text(&cases->arena, name, strlen(name));
        columns->unit[k] = tn_arena_text(&cases->arena, unit, strlen(unit));
        columns->place[k] = k;
    }
}

/* ---- each value --------------------------------------------------------------------------------------------------- */

/* The first values of all variables, but for one. */
static bool try_value(tn_cases *cases, tn_model_sum *sum, uint32_t variable, double value)
{
    trial self = {.cases = cases, .quiet = true};
    double *all = tn_new(cases->variables + 1, sizeof *all);
    uint32_t level = 0;
    for (uint32_t k = 0; k < cases->variables; k++)
        all[k] = cases->variable[k].levels ? 0.0 : tn_case_value(&cases->variable[k], 0.5, &level);
    if (variable < cases->variables) all[variable] = value;
    const bool good = open_model(&self, all);
    if (good) tn_model_sum_add(sum, &self.model->study);
    if (!good && tn_error_count(cases->file.diagnostics) == 0 && variable < cases->variables) {
        const tn_case_variable *v = &cases->variable[variable];
        tn_diagnose(cases->file.diagnostics, TN_SEVERITY_ERROR, v->table->place,
                    "the model is wrong with `%s` = %s", v->name,
                    v->levels ? v->level[(size_t)value].label
                              : tn_arena_print(&cases->arena, "%.9g %s", value, v->unit));
    } else if (!good && tn_error_count(cases->file.diagnostics) == 0) {
        tn_diagnose(cases->file.diagnostics, TN_SEVERITY_ERROR, (tn_place){cases->options->file, 0, 0},
                    "the model is wrong with the values in the middle of all ranges, and the first ones of "
                    "all lists");
    }
    tenon_close(self.model);
    tn_free(all);
    return good;
}

static bool try_values(tn_cases *cases, tn_model_sum *sum)
{
    bool good = try_value(cases, sum, UINT32_MAX, 0.0);
    for (uint32_t k = 0; good && k < cases->variables; k++)
        for (uint32_t n = 1; good && n < cases->variable[k].levels && n < MOST_TRIED; n++)
            good = try_value(cases, sum, k, n);
    return good;
}

bool tn_cases_check_model(tn_cases *cases)
{
    trial self = {.cases = cases};
    tn_model_sum sum = {.cases = cases, .hashing = tn_hash_begin()};
    bool good = open_model(&self, NULL);
    if (good) {
        if (!tn_attempt(&self.model->memory, look_at_model(&self, &sum)))
            tn_no_memory("the model of the study");
        tell_blames(&self);
        take_columns(cases, self.model);
        tn_cases_note_inputs(cases, self.model->study.document);
        tn_model_sum_add(&sum, &self.model->study);
    } else if (tn_error_count(cases->file.diagnostics) == 0) {
        tn_diagnose(cases->file.diagnostics, TN_SEVERITY_ERROR, (tn_place){cases->options->file, 0, 0},
                    "the model %s has errors", cases->model);
    }
    tenon_close(self.model);
    if (good) tn_cases_read_responses(cases, tn_toml_get(tn_document_root(cases->file.document), "response"));
    good = good && tn_error_count(cases->file.diagnostics) == 0 && try_values(cases, &sum);
    cases->base = tn_model_sum_end(&sum);
    tn_resolve_paths(cases->file.document, tn_document_root(cases->file.document)); /* of the copy */
    return good && tn_error_count(cases->file.diagnostics) == 0;
}

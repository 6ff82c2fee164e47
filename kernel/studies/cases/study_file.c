/* study_file.c - reads the file of a study: [study], [design], [execute], and what stands in other files of this folder */
#include "cases/cases.h"

#include "config/file.h"
#include "names/reader.h"
#include "plugin/call_site.h"

#include <stdlib.h>
#include <string.h>

const tn_parameter tn_study_parameters[] = {
    TN_VALUE_KEY("model", TN_KIND_FILE, "model file", .offset = offsetof(tn_study_keys, model),
                 .flags = TN_REQUIRED),
    TN_VALUE_KEY("name", TN_KIND_TEXT, "name of the study", .offset = offsetof(tn_study_keys, name)),
    TN_VALUE_KEY("seed", TN_KIND_INTEGER, "chooses the random numbers",
                 .offset = offsetof(tn_study_keys, seed), .standard = 1.0, .low = 0.0, .high = 9e15),
    TN_VALUE_KEY("results", TN_KIND_TEXT, "folder of results", .offset = offsetof(tn_study_keys, results)),
    {0}};

const tn_parameter tn_execute_parameters[] = {
    {.name = "time_limit",
     .meaning = "processor time of a case",
     .unit = "s",
     .kind = TN_KIND_REAL,
     .count = 1,
     .low = 0.0,
     .high = TN_UNBOUNDED,
     .offset = offsetof(tn_execute_keys, time_limit)},
    TN_VALUE_KEY("memory_limit", TN_KIND_TEXT, "memory of a case",
                 .offset = offsetof(tn_execute_keys, memory)),
    TN_VALUE_KEY("retries", TN_KIND_INTEGER, "how often a lost case is tried again",
                 .offset = offsetof(tn_execute_keys, retries), .standard = 1.0, .low = 0.0, .high = 100.0),
    TN_VALUE_KEY("keep", TN_KIND_CHOICE, "runs whose results are kept",
                 .offset = offsetof(tn_execute_keys, keep), .detail = "responses|failed|all"),
    {0}};
const char *const tn_study_words[] = {"study", "variable", "response", "design", "execute", NULL};
static const char *const execute_words[] = {"type", "time_limit", "memory_limit", "retries", "keep", NULL};
static const char *const design_words[] = {"type", NULL};
static const tn_toml no_keys = {.kind = TN_TOML_TABLE};

const char *tn_cases_file(tn_cases *cases, const tn_toml *node, const char *path)
{
    const char *reason = NULL;
    tn_toml named = *node;
    named.text = path;
    named.length = strlen(path);
    const char *found = tn_document_beside(cases->file.document, &named);
    FILE *file = tn_file_open(found, &reason);
    if (!file) {
        (void)tn_value_error(tn_cases_source(cases), node, "`%s` cannot be read: %s", found, reason);
        return NULL;
    }
    (void)fclose(file);
    return found;
}

/* "2 [GB]" in bytes. */
static bool read_memory(tn_cases *cases, const tn_toml *node)
{
    static const struct {
        const char *word;
        double bytes;
    } units[] = {{"[kB]", 1e3},     {"[MB]", 1e6},        {"[GB]", 1e9},          {"[TB]", 1e12},
                 {"[KiB]", 1024.0}, {"[MiB]", 1048576.0}, {"[GiB]", 1073741824.0}};
    char *end = NULL;
    const char *text = cases->execute.memory;
    const double number = strtod(text, &end);
    while (*end == ' ')
        end++;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (end != text && strcmp(end, units[k].word) == 0 && number > 0.0 &&
            number * units[k].bytes < 1e18) {
            cases->execute.memory_limit = (uint64_t)(number * units[k].bytes);
            return true;
        }
    return tn_source_error(tn_cases_source(cases), node, "`memory_limit` is an amount such as \"2 [GB]\"");
}

static void read_execute(tn_cases *cases, const tn_toml *table)
{
    tn_source *source = tn_cases_source(cases);
    if (table && !tn_source_expect(source, table, TN_TOML_TABLE, "[execute] is a table")) return;
    source->item = "[execute]";
    tn_fill(source, table ? table : &no_keys, tn_execute_parameters, sizeof cases->execute, &cases->execute);
    source->item = NULL;
    if (cases->execute.memory) (void)read_memory(cases, tn_toml_get(table, "memory_limit"));
    /* a table without a type has the standard one */
    const bool typed = table && tn_toml_get(table, "type");
    const tn_other_choice choice = tn_choose_other(
        cases->file.model, typed ? table : NULL,
        &(tn_other_kind){TN_EXECUTOR_KIND, "local", execute_words, offsetof(tn_executor_type, prepare)});
    if (table && !typed)
        (void)tn_source_missing_key(source, table, "type", "the executor, such as \"local\"", NULL);
    cases->executor = choice.type;
    cases->executor_instance = choice.instance;
}

static void read_design(tn_cases *cases, const tn_toml *root)
{
    const tn_toml *table = tn_toml_get(root, "design");
    if (!table) {
        (void)tn_source_missing_key(tn_cases_source(cases), root, "design",
                                    "the table that says which cases there are, such as type = \"sobol\"",
                                    NULL);
        return;
    }
    if (!tn_source_expect(tn_cases_source(cases), table, TN_TOML_TABLE, "[design] is a table")) return;
    const tn_other_choice choice = tn_choose_other(
        cases->file.model, table,
        &(tn_other_kind){TN_DESIGN_KIND, NULL, design_words, offsetof(tn_design_type, prepare)});
    cases->design = choice.type;
    cases->design_instance = choice.instance;
    cases->design_table = table;
}

static void read_study(tn_cases *cases, const tn_toml *root)
{
    tn_source *source = tn_cases_source(cases);
    const tn_toml *table = tn_toml_get(root, "study");
    if (!table) {
        (void)tn_source_missing_key(source, root, "study", "the table with `model` and `name`", NULL);
        return;
    }
    if (!tn_source_expect(source, table, TN_TOML_TABLE, "[study] is a table")) return;
    source->item = "[study]";
    tn_fill(source, table, tn_study_parameters, sizeof cases->study, &cases->study);
    tn_check_keys(source, table, &(tn_keys){.parameters = {tn_study_parameters}});
    source->item = NULL;
    cases->model = cases->study.model;
    const char *real = cases->model && strstr(cases->model, "../")
                           ? tn_document_real_path(cases->file.document, cases->model)
                           : NULL;
    if (real) cases->model = real; /* as messages name it */
    if (cases->study.name) return;
    const char *file = strrchr(cases->options->file, '/');
    file = file ? file + 1 : cases->options->file;
    cases->study.name = tn_arena_text(&cases->arena, file, strcspn(file, "."));
}

/* Fills the problem of the design: variables, responses, seed. */
static void state_problem(tn_cases *cases)
{
    tn_design_variable *variable = tn_arena_new(&cases->arena, (cases->variables + 1) * sizeof *variable);
    tn_design_response *response = tn_arena_new(&cases->arena, (cases->responses + 1) * sizeof *response);
    for (uint32_t k = 0; k < cases->variables; k++) {
        const tn_case_variable *from = &cases->variable[k];
        uint32_t level = 0;
        variable[k] =
            (tn_design_variable){.name = from->name,
                                 .unit = from->unit,
                                 .levels = from->levels,
                                 .bounded = from->levels || (from->distribution != TN_VARIABLE_NORMAL &&
                                                             from->distribution != TN_VARIABLE_LOGNORMAL),
                                 .start = from->start};
        const char **text = from->levels ? tn_arena_new(&cases->arena, from->levels * sizeof *text) : NULL;
        for (uint32_t n = 0; n < from->levels; n++)
            text[n] = from->level[n].label;
        variable[k].text = text;
        variable[k].low = tn_case_value(from, 0.0, &level);
        variable[k].high = tn_case_value(from, 1.0, &level);
        if (from->levels && (isnan(variable[k].low) || isnan(variable[k].high))) {
            variable[k].low = 0.0;
            variable[k].high = from->levels - 1;
        }
    }
    for (uint32_t k = 0; k < cases->responses; k++) {
        const tn_case_response *from = &cases->response[k];
        response[k] = (tn_design_response){.name = from->name,
                                           .unit = from->unit,
                                           .first = from->first,
                                           .size = from->size,
                                           .is_data = from->samples.measured != NULL,
                                           .limited = from->limited,
                                           .limit = from->limit};
    }
    cases->problem = (tn_design_problem){.struct_size = sizeof cases->problem,
                                         .variables = cases->variables,
                                         .responses = cases->responses,
                                         .numbers = cases->numbers,
                                         .variable = variable,
                                         .response = response,
                                         .seed = (uint64_t)cases->study.seed};
}

/* What the order of the cases depends on, besides what each of them does. */
static void sum_design(tn_cases *cases)
{
    tn_hashing *hashing = tn_hash_begin();
    tn_toml *child = tn_toml_get(tn_document_root(cases->file.document), "design");
    const tn_toml alone = {.kind = TN_TOML_TABLE, .child = &child, .count = child != NULL};
    char *text = tn_toml_print(&alone);
    tn_hash_add(hashing, cases->base.byte, sizeof cases->base.byte);
    tn_hash_add_text(hashing, text);
    tn_hash_add(hashing, &cases->study.seed, sizeof cases->study.seed);
    tn_free(text);
    for (uint32_t k = 0; k < cases->variables; k++) {
        const tn_case_variable *v = &cases->variable[k];
        tn_hash_add(hashing,
                    (const double[]){v->distribution, v->log, v->low, v->high, v->mode, v->levels, v->start},
                    7 * sizeof(double));
    }
    cases->design_hash = tn_hash_end(hashing);
}

static bool read_file(tn_cases *cases)
{
    tn_diagnostics *diagnostics = cases->file.diagnostics;
    const tn_toml *root = tn_document_root(cases->file.document);
    tn_check_keys(tn_cases_source(cases), root, &(tn_keys){.words = tn_study_words});
    read_study(cases, root);
    tn_cases_read_variables(cases, tn_toml_get(root, "variable"));
    read_design(cases, root);
    read_execute(cases, tn_toml_get(root, "execute"));
    if (tn_error_count(diagnostics) == 0 && tn_cases_check_model(cases)) {
        state_problem(cases);
        sum_design(cases);
    }
    tn_diagnostics_publish(diagnostics);
    return tn_error_count(diagnostics) == 0;
}

bool tn_cases_open(tn_cases *cases, const tn_cases_options *options)
{
    *cases = (tn_cases){.options = options};
    cases->file_options = (tn_study_options){.model = options->file,
                                             .asked = {.size = sizeof(tenon_options),
                                                       .plugin_paths = options->plugin_paths,
                                                       .plugin_path_count = options->plugin_path_count}};
    return tn_study_open_tables(&cases->file, &cases->file_options, options->listener) && read_file(cases);
}

void tn_cases_close(tn_cases *cases)
{
    if (cases->file.diagnostics) tn_study_close(&cases->file);
    cases->file.diagnostics = NULL;
}

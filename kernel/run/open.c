/* open.c - reads and assembles a study (see study.h) */
#define _GNU_SOURCE
#include "guard/guard.h"
#include "config/plugin_texts.h"
#include "run/clock.h"
#include "run/study.h"
#include "system/linear.h"
#include "analysis/redundancy.h"
#include "units/units.h"
#include "run/services.h"

#include <string.h>

/* The directory of the model file, from which --trust loads plugins. */
static void trust_model(tn_study *study)
{
    const char *path = study->options->model, *slash = strrchr(path, '/');
    tn_arena arena = {0};
    const char *directory = study->options->text ? study->options->folder
                            : slash              ? tn_arena_text(&arena, path, (size_t)(slash - path) + 1)
                                                 : "./";
    (void)tn_registry_add_directory(study->registry, directory);
    tn_arena_free(&arena);
}

static bool apply_overrides(tn_study *study)
{
    bool good = true;
    for (size_t k = 0; k < study->options->set_count; k++) {
        const char *text = study->options->set[k], *equals = strchr(text, '=');
        if (!equals) {
            tn_tell(study->diagnostics, TN_SEVERITY_ERROR, (tn_place){0},
                    "--set %s: `path=value` is expected", text);
            good = false;
            continue;
        }
        const char *path = tn_document_text(study->document, text, (size_t)(equals - text));
        good = tn_document_set(study->document, path, equals + 1, study->diagnostics) && good;
    }
    return good;
}

/* "name=expression" as a [[sensor]]. */
static bool add_sensors(tn_study *study)
{
    bool good = true;
    for (size_t k = 0; k < study->options->sensor_count; k++) {
        const char *text = study->options->sensor[k], *equals = strchr(text, '=');
        if (!equals) {
            tn_tell(study->diagnostics, TN_SEVERITY_ERROR, (tn_place){0},
                    "sensor %s: `name=expression` is expected", text);
            good = false;
            continue;
        }
        const char *name = tn_document_text(study->document, text, (size_t)(equals - text));
        char file[TN_LONGEST_REASON];
        (void)snprintf(file, sizeof file, "sensor %s", name);
        good = tn_document_add_table(study->document, "sensor",
                                     (const char *const[]){"name", name, "expression", equals + 1, NULL},
                                     file, study->diagnostics) &&
               good;
    }
    return good;
}

/* run.toml shall say what was run: --solver stands in every solver's `type`. */
static void resolve_solver(tn_study *study)
{
    for (size_t k = 0; study->options->solver && k < study->plan.solver_count; k++) {
        tn_toml *type = tn_toml_get(study->plan.solver[k].table, "type");
        if (!type || type->kind != TN_TOML_STRING) continue;
        type->text = study->options->solver;
        type->length = strlen(type->text);
    }
}

static bool open_registry(tn_study *study)
{
    const tn_study_options *options = study->options;
    tn_loading loading = tn_reader_loading;
    if (options->guard) loading.watch = &tn_guard;
    study->registry = tn_registry_new(options->installation, loading);
    if (options->trust) trust_model(study);
    for (size_t k = options->plugin_path_count; k-- > 0;)
        if (!tn_registry_add_directory(study->registry, options->plugin_path[k])) {
            tn_tell(study->diagnostics, TN_SEVERITY_ERROR, (tn_place){0},
                    "--plugin-path %s: no such directory", options->plugin_path[k]);
            return false;
        }
    return true;
}

static void read_document(tn_study *study)
{
    const tn_study_options *options = study->options;
    study->document =
        options->text ? tn_document_parse(options->text, options->model, options->folder, study->diagnostics)
                      : tn_document_read(options->model, study->diagnostics);
}

/* Whether the solvers can integrate the system; problems go to the diagnostics. */
static void check_solvers(tn_study *study)
{
    tn_model *model = study->model;
    for (size_t k = 0; study->assembly && k < study->plan.solver_count; k++) {
        const tn_solver_plan *plan = &study->plan.solver[k];
        const size_t before = tn_error_count(study->diagnostics);
        if (!plan->type->check) continue;
        tn_host_point(model, &plan->table->at, NULL);
        const tn_status status =
            tn_call(plan->type, check, &model->host, plan->instance, &study->assembly->system);
        tn_host_point(model, NULL, NULL);
        if (status != TN_OK && tn_error_count(study->diagnostics) == before)
            tn_host_blame(model, &plan->table->at, NULL, plan->type, "check", status);
    }
}

static void assemble(tn_study *study)
{
    const double start = tn_clock_now();
    study->assembly = tn_assemble(study->model, &tn_all_services);
    study->assembly_time = tn_clock_now() - start;
    if (study->assembly) study->assembly->redundancy.dense = tn_plan_dense(study->model);
    if (study->assembly && (study->assembly->system.rows || study->assembly->couples_directly))
        tn_plan_linear(study->model, &study->plan);
    check_solvers(study);
    if (study->assembly) study->model->clock = &study->assembly->system.time;
}

static bool read(tn_study *study)
{
    const tn_study_options *options = study->options;
    const double start = tn_clock_now();
    if (!open_registry(study)) return false;
    read_document(study);
    bool good = study->document && apply_overrides(study) && add_sensors(study);
    if (study->document) {
        study->model = tn_model_read(study->document, study->diagnostics, study->registry, options->trust);
        tn_plan_read(study->model, options->solver,
                     &(tn_plan_wishes){options->out, options->needs_solver, options->writes}, &study->plan);
        resolve_solver(study);
        tn_parameters_check(&study->model->reader->source);
    }
    good = good && tn_error_count(study->diagnostics) == 0;
    study->load_time = tn_clock_now() - start;
    if (good) assemble(study);
    tn_diagnostics_publish(study->diagnostics);
    return study->assembly && tn_error_count(study->diagnostics) == 0;
}

bool tn_study_open(tn_study *study, const tn_study_options *options, const tn_study_client *client,
                   tn_message_listener listener)
{
    *study = (tn_study){.options = options, .client = *client, .diagnostics = tn_diagnostics_new()};
    tn_units_open();
    tn_diagnostics_listen(study->diagnostics, listener);
    if (client->open) client->open(client->data, study);
    return read(study);
}

void tn_study_give_up(tn_study *study)
{
    if (study->recorder) tn_recorder_give_up(study->recorder);
    if (study->assembly) tn_linear_close(study->assembly);
    if (study->model) tn_instances_release(study->model);
    if (study->client.close) study->client.close(study->client.data);
    tn_results_unlock(&study->results);
    tn_units_close();
}

void tn_study_close(tn_study *study)
{
    tn_plan_free(&study->plan);
    tn_assembly_free(study->assembly);
    if (study->client.close) study->client.close(study->client.data);
    tn_run_file_free(&study->run_file);
    tn_results_close(&study->results);
    tn_model_close(study->model);
    tn_document_free(study->document);
    tn_registry_free(study->registry);
    tn_diagnostics_free(study->diagnostics);
    tn_units_close();
}

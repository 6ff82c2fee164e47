/* open_study.c - reads and assembles a study (see study.h) */
#define _GNU_SOURCE
#include "guard/guard.h"
#include "config/plugin_texts.h"
#include "config/standard.h"
#include "extensions/contacts.h"
#include "extensions/operators.h"
#include "extensions/own_matrices.h"
#include "start/places.h"
#include "run/clock.h"
#include "run/linear_choice.h"
#include "run/study.h"
#include "threads/threads.h"
#include "system/linear.h"
#include "analysis/redundancy.h"
#include "units/units.h"
#include "run/all_services.h"

#include <tenon/draft/contacts.h>

#include <math.h>
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
}

/* The name in front of "=" in a text that an option gives, and what stands behind it; NULL after reporting. */
static const char *split_option(tn_study *study, const char *option, const char *text, const char *expected,
                                const char **value)
{
    const char *equals = strchr(text, '=');
    if (!equals) {
        tn_study_tell(study, TN_SEVERITY_ERROR, "%s %s: `%s` is expected", option, text, expected);
        return NULL;
    }
    *value = equals + 1;
    return tn_document_text(study->document, text, (size_t)(equals - text));
}

static bool apply_overrides(tn_study *study)
{
    bool good = true;
    for (size_t k = 0; k < study->options->asked.override_count; k++) {
        const char *value = NULL;
        const char *path =
            split_option(study, "--set", study->options->asked.overrides[k], "path=value", &value);
        good = path && tn_document_set(study->document, path, value, study->diagnostics) && good;
    }
    return good;
}

/* Options become [[sensor]] tables. */
static bool add_sensors(tn_study *study)
{
    bool good = true;
    for (size_t k = 0; k < study->options->asked.sensor_count; k++) {
        const char *value = NULL;
        const char *name =
            split_option(study, "sensor", study->options->asked.sensors[k], "name=expression", &value);
        char file[TN_LONGEST_REASON];
        (void)snprintf(file, sizeof file, "sensor %s", name ? name : "");
        const char *const keys[] = {"name", name, "expression", value, NULL};
        good =
            name && tn_document_add_table(study->document, "sensor", keys, file, study->diagnostics) && good;
    }
    return good;
}

/* run.toml shall say what was run: --solver stands in every solver's `type`. */
static void resolve_solver(tn_study *study)
{
    const char *solver = study->options->asked.solver;
    for (size_t k = 0; solver && k < study->plan.solver_count; k++) {
        tn_toml *type = tn_toml_get(study->plan.solver[k].table, "type");
        if (!type || type->kind != TN_TOML_STRING) continue;
        type->text = solver;
        type->length = strlen(type->text);
    }
}

static bool open_registry(tn_study *study)
{
    const tn_study_options *options = study->options;
    tn_loading loading = tn_reader_loading;
    if (options->guard) loading.watch = &tn_guard;
    study->registry = tn_registry_new(options->installation, loading);
    if (options->asked.trust) trust_model(study);
    for (size_t k = options->asked.plugin_path_count; k-- > 0;)
        if (!tn_registry_add_directory(study->registry, options->asked.plugin_paths[k])) {
            tn_study_tell(study, TN_SEVERITY_ERROR, "--plugin-path %s: no such directory",
                          options->asked.plugin_paths[k]);
            return false;
        }
    return true;
}

/* Refuses a solver without impulses for the points of contact of an element. */
static void check_contacts(tn_study *study, const tn_solver_plan *plan, uint32_t item)
{
    tn_model *model = study->model;
    if (item == TN_NONE || plan->type->flags & TN_UNILATERAL_ROWS) return;
    tn_model_error(model, plan->table->at.place,
                   "`%s` finds no impulses, and only these act at the points of contact of `%s` (%s): take a "
                   "solver by impulses, such as `%s`",
                   plan->type->name, tn_item_name(model, item),
                   model->use[model->item[item].use].element->name, TN_STANDARD_IMPULSES);
}

/* Refuses a constraint solver for joints where an element `item` has other rows. */
static void check_constraint_solver(tn_study *study, const tn_solver_plan *plan, uint32_t item)
{
    tn_model *model = study->model;
    const tn_toml *node = tn_toml_get(plan->table, "constraint_solver");
    if (item == TN_NONE || !plan->constraint.type || !(plan->constraint.type->flags & TN_JOINTS_ONLY)) return;
    tn_model_error(model, node ? node->at.place : plan->table->at.place,
                   "`%s` finds impulses of joints only, and `%s` (%s) is none: use `%s`, `gauss_seidel` "
                   "or `admm`",
                   plan->constraint.type->name, tn_item_name(model, item),
                   model->use[model->item[item].use].element->name, TN_STANDARD_FOR_CONTACTS);
}

/* Whether the solvers can integrate the system; problems go to the diagnostics. */
static void check_solvers(tn_study *study)
{
    tn_model *model = study->model;
    const uint32_t contact = tn_contact_item(study->assembly);
    const uint32_t unilateral = tn_unilateral_item(study->assembly);
    for (size_t k = 0; k < study->plan.solver_count; k++) {
        const tn_solver_plan *plan = &study->plan.solver[k];
        if (unilateral != TN_NONE && !(plan->type->flags & TN_UNILATERAL_ROWS))
            tn_model_error(model, plan->table->at.place,
                           "`%s` takes all constraints for equations, and those of `%s` (%s) are unilateral",
                           plan->type->name, tn_item_name(model, unilateral),
                           model->use[model->item[unilateral].use].element->name);
        check_contacts(study, plan, contact);
        check_constraint_solver(study, plan, contact != TN_NONE ? contact : unilateral);
        if (plan->type->check)
            (void)tn_call_setup(model, &plan->table->at, NULL, plan->type, check, &model->host,
                                plan->instance, &study->assembly->system);
    }
}

/* Where the model names none; chosen here, so that a run that goes on from a checkpoint has the same plugins. */
static void choose_constraint_solvers(tn_study *study)
{
    tn_assembly *assembly = study->assembly;
    for (size_t k = 0; k < study->plan.solver_count; k++) {
        tn_solver_plan *plan = &study->plan.solver[k];
        if (!(plan->type->flags & TN_BY_IMPULSES) || plan->constraint.type) continue;
        const bool only_joints = tn_unilateral_item(assembly) == TN_NONE &&
                                 !tn_all_services.extension(assembly, TN_CONTACT_ROWS_KEY);
        plan->constraint = tn_choose_constraint_solver(
            study->model, NULL, only_joints ? TN_STANDARD_FOR_JOINTS : TN_STANDARD_FOR_CONTACTS);
    }
}

static const void *find_host_extension(const tn_host *host, const char *key)
{
    const void *places = tn_places_extension(key);
    return places ? places : tn_reader_extension(host, key);
}

static void assemble_model(tn_study *study)
{
    const double start = tn_clock_now();
    study->model->host.extension = find_host_extension;
    study->assembly = tn_assemble(study->model, &tn_all_services);
    study->assembly_time = tn_clock_now() - start;
    if (!study->assembly) return;
    if (study->assembly->system.rows) /* else nothing asks for it, and it brings LAPACK along */
        study->assembly->redundancy.dense = tn_model_type(
            study->model, TN_LINEAR_KIND, &tn_document_root(study->document)->at, TN_STANDARD_DENSE);
    if (study->assembly->system.rows || study->assembly->reading.couples_directly)
        tn_plan_linear(study->model, &study->plan);
    tn_linear_find_candidates(study);
    choose_constraint_solvers(study);
    check_solvers(study);
    study->model->clock = &study->assembly->system.time;
}

static bool read_model(tn_study *study)
{
    const tn_study_options *options = study->options;
    const double start = tn_clock_now();
    if (!open_registry(study)) return false;
    study->document =
        options->text ? tn_document_parse(options->text, options->model, options->folder, study->diagnostics)
                      : tn_document_read(options->model, study->diagnostics);
    bool good = study->document && apply_overrides(study) && add_sensors(study);
    if (study->document) {
        study->model =
            tn_model_read(study->document, study->diagnostics, study->registry, options->asked.trust);
        tn_plan_read(study->model, options, &study->plan);
        resolve_solver(study);
        tn_parameters_check(&study->model->reader->source);
    }
    good = good && tn_error_count(study->diagnostics) == 0;
    study->load_time = tn_clock_now() - start;
    if (good) assemble_model(study);
    tn_diagnostics_publish(study->diagnostics);
    return study->assembly && tn_error_count(study->diagnostics) == 0;
}

static void begin_study(tn_study *study, const tn_study_options *options, tn_message_listener listener)
{
    *study = (tn_study){.options = options,
                        .diagnostics = tn_diagnostics_new(),
                        .results.descriptor = -1,
                        .resumed_at = (double)NAN};
    tn_units_open();
    tn_diagnostics_listen(study->diagnostics, listener);
}

bool tn_study_open(tn_study *study, const tn_study_options *options, const tn_study_client *client,
                   tn_message_listener listener)
{
    begin_study(study, options, listener);
    study->client = *client;
    if (client->open) client->open(client->data, study);
    return read_model(study);
}

bool tn_study_open_writers(tn_study *study, const tn_study_options *options, tn_message_listener listener)
{
    begin_study(study, options, listener);
    if (open_registry(study))
        study->document = tn_document_parse(options->text, options->model, ".", study->diagnostics);
    if (study->document) {
        study->model = tn_model_read(study->document, study->diagnostics, study->registry, false);
        const tn_toml *output = tn_toml_get(tn_document_root(study->document), "output");
        tn_plan_writers(study->model, output, &(tn_log_keys){.log = 1}, &study->plan);
    }
    tn_diagnostics_publish(study->diagnostics);
    return study->model && tn_error_count(study->diagnostics) == 0;
}

bool tn_study_open_tables(tn_study *study, const tn_study_options *options, tn_message_listener listener)
{
    begin_study(study, options, listener);
    if (open_registry(study))
        study->document = options->text
                              ? tn_document_parse(options->text, options->model, ".", study->diagnostics)
                              : tn_document_read(options->model, study->diagnostics);
    tn_document *nothing =
        study->document ? tn_document_parse("", options->model, ".", study->diagnostics) : NULL;
    if (!nothing) {
        tn_diagnostics_publish(study->diagnostics);
        return false;
    }
    study->model = tn_model_read(nothing, study->diagnostics, study->registry, false);
    study->model->reader->document = study->model->reader->source.document = study->document;
    return true;
}

void tn_study_close(tn_study *study)
{
    if (study->recorder) {
        (void)tn_recorder_close(study->recorder);
        tn_recorder_leave_log(study->recorder);
    }
    if (study->model) tn_threads_close(study->model);
    if (study->assembly) tn_own_matrices_close(study->assembly);
    if (study->assembly) tn_linear_close(study->assembly);
    if (study->model) tn_model_release(study->model);
    if (study->client.close) study->client.close(study->client.data);
    tn_results_unlock(&study->results);
    tn_units_close();
}

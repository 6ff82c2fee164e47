/* run.c - a whole run: read, assemble, integrate, record */
#define _GNU_SOURCE
#include "run/run.h"

#include "analysis/account.h"
#include "analysis/energy.h"
#include "analysis/freedom.h"
#include "analysis/redundancy.h"
#include "config/message.h"
#include "config/plugin_texts.h"
#include "guard/guard.h"
#include "run/changes.h"
#include "run/crash.h"
#include "run/interrupt.h"
#include "run/progress.h"
#include "run/services.h"
#include "run/solver_watch.h"
#include "run/study.h"
#include "system/accept.h"
#include "system/linear.h"
#include "system/project.h"
#include "units/units.h"
#include "values/conditions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_EVENTS = 5 }; /* that a summary tells */

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- reading --------------------------------------------------------------------------------------------- */

/* The directory of the model file, from which --trust loads plugins. */
static void trust_model(tn_study *study)
{
    const char *path = study->options->model, *slash = strrchr(path, '/');
    tn_arena arena = {0};
    const char *directory = slash ? tn_arena_text(&arena, path, (size_t)(slash - path) + 1) : "./";
    (void)tn_registry_add_directory(study->registry, directory);
    tn_arena_free(&arena);
}

static bool apply_overrides(tn_study *study)
{
    bool good = true;
    for (size_t k = 0; k < study->options->set_count; k++) {
        const char *text = study->options->set[k], *equals = strchr(text, '=');
        if (!equals) {
            tn_message("error", "--set %s: `path=value` is expected", text);
            good = false;
            continue;
        }
        const char *path = tn_document_text(study->document, text, (size_t)(equals - text));
        good = tn_document_set(study->document, path, equals + 1, study->diagnostics) && good;
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
    const tn_run_options *options = study->options;
    tn_loading loading = tn_reader_loading;
    if (options->guard) loading.watch = &tn_guard;
    study->registry = tn_registry_new(options->program, loading);
    if (options->trust) trust_model(study);
    for (size_t k = options->plugin_path_count; k-- > 0;)
        if (!tn_registry_add_directory(study->registry, options->plugin_path[k])) {
            tn_message("error", "--plugin-path %s: no such directory", options->plugin_path[k]);
            return false;
        }
    return study->registry != NULL;
}

/* Whether the solvers can integrate the system; problems go to the diagnostics. */
static void check_solvers(tn_study *study)
{
    tn_model *model = study->model;
    for (size_t k = 0; study->assembly && k < study->plan.solver_count; k++) {
        const tn_solver_plan *plan = &study->plan.solver[k];
        const size_t before = tn_error_count(study->diagnostics);
        if (!plan->type->check) continue;
        tn_host_point(model, plan->table, NULL);
        const tn_status status =
            tn_call(plan->type, check, &model->host, plan->instance, &study->assembly->system);
        tn_host_point(model, NULL, NULL);
        if (status != TN_OK && tn_error_count(study->diagnostics) == before)
            tn_host_blame(model, plan->table, NULL, plan->type, "check", status);
    }
}

/* Everything short of running; false when there are errors, which are printed. */
static bool read_study(tn_study *study, bool solver_needed)
{
    const tn_run_options *options = study->options;
    const double start = now();
    study->diagnostics = tn_diagnostics_new();
    tn_diagnostics_quiet(study->diagnostics, options->quiet);
    if (!open_registry(study)) return false;
    study->document = tn_document_read(options->model, study->diagnostics);
    bool good = study->document && apply_overrides(study);
    if (study->document) {
        study->model = tn_model_read(study->document, study->diagnostics, study->registry, options->trust);
        tn_plan_read(study->model, options->solver, options->out, solver_needed, &study->plan);
        resolve_solver(study);
        tn_parameters_check(&study->model->source);
    }
    good = good && tn_error_count(study->diagnostics) == 0;
    study->load_time = now() - start;
    if (good) {
        const double assembling = now();
        study->assembly = tn_assemble(study->model, &tn_all_services);
        study->assembly_time = now() - assembling;
        if (study->assembly) study->assembly->redundancy.dense = tn_plan_dense(study->model);
        if (study->assembly && (study->assembly->system.rows || study->assembly->couples_directly))
            tn_plan_linear(study->model, &study->plan);
        check_solvers(study);
        if (study->assembly) study->model->clock = &study->assembly->system.time;
    }
    tn_diagnostics_print(study->diagnostics, stderr);
    return study->assembly && tn_error_count(study->diagnostics) == 0;
}

static void free_study(tn_study *study)
{
    tn_plan_free(&study->plan);
    tn_assembly_free(study->assembly);
    tn_crash_watch(NULL); /* no plugin is called from here on */
    tn_run_file_free(&study->run_file);
    tn_results_close(&study->results);
    tn_model_free(study->model);
    tn_document_free(study->document);
    tn_registry_free(study->registry);
    tn_diagnostics_free(study->diagnostics);
    tn_units_close();
}

/* ---- running --------------------------------------------------------------------------------------------- */

/* A state that has no value yet is explained by the solver's first evaluation. */
static void start_ledger(tn_assembly *assembly)
{
    if (tn_evaluate_markers(assembly) == TN_OK) tn_ledger_start(assembly);
}

static tn_status note_redundancy(tn_study *study)
{
    tn_rank rank = {0};
    const tn_status status = tn_redundancy_find(study->assembly, false, &rank);
    tn_redundancy_set(study->assembly, status, &rank);
    if (status == TN_OK)
        tn_freedom_note(study->assembly, &rank);
    else if (status == TN_UNSUPPORTED)
        tn_tell(study->diagnostics, TN_SEVERITY_NOTE, (tn_place){0},
                "closed loops with %u constraint rows are not searched for redundant ones (tenon check does)",
                rank.core_rows);
    tn_rank_free(&rank);
    return status == TN_OUT_OF_MEMORY ? status : TN_OK;
}

/* Who sees accepted steps: behind the account of energies rows come first, then the terminal. */
typedef struct run_observers {
    tn_recorder *recorder;
    tn_progress progress;
} run_observers;

static tn_status advance(tn_study *study, const tn_solver_plan *plan)
{
    tn_assembly *assembly = study->assembly;
    tn_solver_watch watch;
    tn_host_point(study->model, plan->table, NULL);
    tn_solver_watch_begin(&watch, assembly, plan);
    const tn_status returned = tn_call(plan->type, advance, plan->instance, &assembly->system);
    const tn_status status = tn_solver_watch_end(&watch, assembly, returned);
    tn_host_point(study->model, NULL, NULL);
    return status;
}

/* One part of the run, from where the last one ended unless it says otherwise. */
static tn_status run_solver(tn_study *study, run_observers *observers, tn_solver_plan *plan, bool first)
{
    tn_system *system = &study->assembly->system;
    if (!first && !plan->starts_anew) plan->run.start_time = system->time;
    if (plan->run.end_time < plan->run.start_time) {
        (void)tn_print_cut(study->assembly->failures.reason, sizeof study->assembly->failures.reason,
                           "the solver at line %u ends at %g s, before its start at %g s",
                           plan->table->place.line, plan->run.end_time, plan->run.start_time);
        return TN_INVALID;
    }
    tn_accept_begin(study->assembly, &plan->run, plan->stop);
    study->solver = plan->type;
    study->ended_by = NULL;
    tn_linear_close(study->assembly);
    if (plan->linear.type) tn_linear_open(study->assembly, plan->linear.type, plan->linear.instance);
    tn_recorder_start(observers->recorder, plan);
    tn_progress_start(&observers->progress, plan, study->options->quiet);
    bool changed = false;
    const tn_status made = tn_changes_apply(study->assembly, plan->run.start_time, &changed);
    if (made != TN_OK) return made;
    if (first || changed) {
        const tn_status consistent = tn_make_consistent(study->assembly, first);
        if (consistent != TN_OK) return consistent;
    }
    if (system->rows && (first || changed)) {
        const tn_status found = first ? note_redundancy(study) : tn_redundancy_renew(study->assembly);
        if (found != TN_OK) return found;
    }
    if (first) start_ledger(study->assembly);
    const tn_status status = advance(study, plan);
    if (study->assembly->failures.blame[0])
        memcpy(study->assembly->failures.reason, study->assembly->failures.blame,
               sizeof study->assembly->failures.reason);
    if (status != TN_EVENT || tn_interrupted || !tn_accept_stops(study->assembly)) return status;
    study->ended_by = &study->model->condition[plan->stop];
    return TN_OK;
}

static tn_status run_all(tn_study *study, tn_recorder *recorder)
{
    run_observers observers = {.recorder = recorder};
    tn_status status = TN_OK;
    const double start = now();
    tn_progress_open(&observers.progress, study->assembly);
    tn_interrupts_observe(study->assembly);
    for (size_t k = 0; k < study->plan.solver_count && status == TN_OK; k++)
        status = run_solver(study, &observers, &study->plan.solver[k], k == 0);
    tn_interrupts_unobserve(study->assembly);
    tn_progress_close(&observers.progress);
    study->wall_time = now() - start;
    return status;
}

/* Losses are what an implicit method is chosen for. */
static void check_energy(tn_study *study)
{
    double misfit = 0.0, share = 0.0, time = 0.0;
    const bool damps = study->solver && study->solver->flags & TN_NEEDS_MATRIX;
    if (!tn_account_misfit(study->assembly, &misfit, &share, &time) || (misfit < 0.0 && damps)) return;
    tn_tell(study->diagnostics, TN_SEVERITY_WARNING, (tn_place){0},
            "the run has %s %.3g J that no force accounts for, %.2g %% of the energy in the motion, most "
            "of it at about %.4g s: its results are not to be trusted; a smaller step, or an adaptive "
            "one, helps (the sensor `system = \"energy_balance\"` shows it)",
            misfit > 0.0 ? "gained" : "lost", fabs(misfit), 100.0 * share, time);
}

/* What a run waited for in vain. Copies stand at one place. */
static void note_unmet(const tn_study *study)
{
    const tn_model *model = study->model;
    const tn_place *before = NULL;
    for (uint32_t k = 0; k < model->condition_count; k++) {
        const tn_toml *node = model->condition[k].node;
        const bool same =
            before && before->line == node->place.line && strcmp(before->file, node->place.file) == 0;
        if (same || tn_condition_has_been_met(study->assembly, k)) continue;
        before = &node->place;
        tn_tell(study->diagnostics, TN_SEVERITY_NOTE, node->place, "`%s` has not been met: %s", node->key,
                strcmp(node->key, "crosses") == 0 ? "the change was not made"
                                                  : "the solver has gone on to its `end_time`");
    }
}

static void print_events(const tn_study *study)
{
    double time = 0.0;
    const tn_condition *condition;
    for (uint32_t k = 0; (condition = tn_condition_met(study->assembly, k, &time)); k++) {
        if (k == MOST_EVENTS) {
            (void)printf("         and more, see run.toml\n");
            return;
        }
        (void)printf("%s %.9g s: %s = \"%s\"\n", k ? "        " : "events  ", time, condition->node->key,
                     condition->node->text);
    }
}

static void print_summary(const tn_study *study)
{
    const tn_assembly *assembly = study->assembly;
    const tn_statistics *s = &assembly->statistics;
    const char *name = study->model->name ? study->model->name : study->options->model;
    (void)printf("model    %s: %zu elements and markers, %u coordinates\n", name, study->model->names.count,
                 assembly->system.nv);
    (void)printf("run      %s, %s at %.9g s\n", study->solver ? study->solver->name : "",
                 study->ended_by ? "ended by `stop_when`" : study->status, assembly->system.time);
    print_events(study);
    (void)printf("steps    %llu (%llu rejected), %llu Newton iterations, %llu evaluations\n",
                 (unsigned long long)s->steps, (unsigned long long)s->rejected_steps,
                 (unsigned long long)s->newton_iterations, (unsigned long long)s->evaluations);
    (void)printf("time     %.3f s running, %.3f s loading; %.3g us per step\n", study->wall_time,
                 study->load_time + study->assembly_time,
                 s->steps ? 1e6 * study->wall_time / (double)s->steps : 0.0);
    if (study->recorded.interval > 0.0)
        (void)printf("rows     %llu, one every %.6g s where one for every step is too many\n",
                     (unsigned long long)study->recorded.rows, study->recorded.interval);
    (void)printf("results  %s\n", study->plan.directory);
}

/* The exit status of how the solvers ended, and of whether all was written. */
static int conclude(tn_study *study, tn_status status, bool written)
{
    const bool interrupted = status == TN_EVENT && tn_interrupted;
    study->status = !written          ? "failed"
                    : status == TN_OK ? "finished"
                    : interrupted     ? "interrupted"
                                      : "failed";
    if (status == TN_OK) note_unmet(study);
    if (written && status == TN_OK) return 0;
    if (written && interrupted) return 128 + (int)tn_interrupted;
    char *reason = study->assembly->failures.reason;
    if (!reason[0]) memcpy(reason, study->assembly->failures.blame, sizeof study->assembly->failures.reason);
    if (!reason[0])
        (void)tn_print_cut(reason, sizeof study->assembly->failures.reason, "at time %.9g s: %s",
                           study->assembly->system.time,
                           written ? tn_status_text(status) : "the results cannot be written");
    tn_message("error", "the simulation failed %s", reason);
    return 1;
}

/* The run itself, of which run.toml says that it is running. */
static int record(tn_study *study)
{
    tn_recorder *recorder = tn_results_clear(study) ? tn_recorder_open(study->assembly, &study->plan) : NULL;
    const tn_status status = recorder ? run_all(study, recorder) : TN_FATAL;
    if (recorder) study->recorded = tn_recorder_rows(recorder);
    const bool written = recorder && tn_recorder_close(recorder);
    const int result = conclude(study, status, written);
    if (result != 1) check_energy(study); // a run that failed has its reason
    tn_passed_tell(study);
    tn_tell_rest(study->diagnostics);
    tn_interrupts_hold();
    const bool told = tn_run_file_write(study);
    tn_interrupts_resume();
    if (!study->options->quiet) print_summary(study);
    return told ? result : 1;
}

static int integrate(tn_study *study)
{
    const int refused = tn_results_open(study);
    if (refused) return refused;
    tn_interrupts_catch();
    tn_interrupts_hold();
    const bool begun = tn_run_file_begin(study);
    tn_interrupts_resume();
    const int result = begun ? record(study) : 1;
    tn_interrupts_release();
    return result;
}

/* What a plugin refuses is no mistake of its own. */
static void tell_outcome(const tn_study *study, int status)
{
    const tn_assembly *assembly = study->assembly;
    tn_run_outcome *outcome = study->options->outcome;
    *outcome = (tn_run_outcome){.steps = assembly ? assembly->statistics.steps : 0};
    outcome->blames_plugin = study->registry && tn_registry_has_culprit(study->registry) &&
                             !(study->model && study->model->refused);
    outcome->lost_numbers = status == 1 && assembly &&
                            (assembly->failures.spoiler.group || assembly->failures.spoiler.derived ||
                             assembly->failures.refusal.message == assembly->failures.refusal.number);
}

int tn_run_model(const tn_run_options *options)
{
    tn_study study = {.options = options};
    tn_crash_watch(&study);
    const int status = read_study(&study, true) ? integrate(&study) : 2;
    if (options->outcome) tell_outcome(&study, status);
    free_study(&study);
    return status;
}

/* Takes a constrained model to its start state with this linear solver; false when that fails: its reason is in the assembly. */
static bool take_to_start(const tn_study *study, tn_linear_choice linear)
{
    tn_assembly *assembly = study->assembly;
    if (!assembly->system.rows) return true;
    tn_linear_close(assembly);
    if (!linear.type) return false;
    tn_linear_open(assembly, linear.type, linear.instance);
    return tn_make_consistent(assembly, true) == TN_OK;
}

/* The start state, and what is free in it. */
static int check_freedom(tn_study *study)
{
    static const tn_run nothing = {.struct_size = sizeof nothing};
    const tn_plan *plan = &study->plan;
    tn_rank rank = {0};
    study->assembly->system.run = plan->solver_count ? &plan->solver[0].run : &nothing;
    if (study->assembly->system.rows && !take_to_start(study, tn_plan_any_linear(study->model, plan))) {
        tn_message("error", "%s", study->assembly->failures.reason);
        return 1;
    }
    const tn_status status = tn_redundancy_find(study->assembly, true, &rank);
    if (status == TN_OK)
        tn_freedom_print(study->assembly, &rank);
    else
        tn_message("error", "the rank of a closed loop with %u rows cannot be found: %s", rank.core_rows,
                   tn_status_text(status));
    tn_rank_free(&rank);
    return status == TN_OK ? 0 : 1;
}

int tn_check_model(const tn_run_options *options)
{
    tn_study study = {.options = options};
    tn_crash_watch(&study);
    const bool good = read_study(&study, false);
    int result = good ? check_freedom(&study) : 2;
    if (good) {
        const tn_system *system = &study.assembly->system;
        (void)printf("elements and markers: %zu\nconfiguration coordinates: %u\nvelocity coordinates: "
                     "%u\nconstraint rows: %u\nsensors: %zu\n",
                     study.model->names.count, system->nq, system->nv, system->rows,
                     study.model->sensor_count);
    }
    free_study(&study);
    return result;
}

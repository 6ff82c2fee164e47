/* plan.c - what [solver] and [output] ask for */
#include "run/plan.h"
#include "threads/threads.h"

#include "config/standard.h"
#include "figures/figures.h"
#include "run/study.h"
#include "system/accept.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- [solver] -------------------------------------------------------------------------------------------- */

typedef struct shared_keys {
    double start_time, end_time, step, max_step, min_step, tolerance, relative_tolerance, absolute_tolerance;
    int32_t adaptive, progress;
    int64_t threads;
    const char *linear, *constraint_solver, *stop_when;
} shared_keys;

#define KEY(structure, key, type, text, ...)                                                         \
    {                                                                                                \
        .name = #key, .meaning = text, .offset = offsetof(structure, key), .kind = type, .count = 1, \
        __VA_ARGS__                                                                                  \
    }
#define TIME .unit = "s", .low = -TN_UNBOUNDED, .high = TN_UNBOUNDED
#define OPTIONAL_LENGTH .unit = "s", .high = TN_UNBOUNDED, .flags = TN_ABOVE_LOW | TN_OPTIONAL
#define TOLERANCE .unit = "", .high = TN_UNBOUNDED
#define LARGEST_TOLERANCE 0.1 /* above it nothing is left of a motion */

const tn_parameter tn_solver_parameters[] = {
    KEY(shared_keys, start_time, TN_KIND_REAL,
        "start of the run; default 0, or where the solver before ended", TIME, .flags = TN_OPTIONAL),
    KEY(shared_keys, end_time, TN_KIND_REAL, "end of the run; not for solvers that seek a single state", TIME,
        .flags = TN_OPTIONAL),
    KEY(shared_keys, step, TN_KIND_REAL, "fixed step, or the first one of an adaptive solver",
        OPTIONAL_LENGTH),
    KEY(shared_keys, max_step, TN_KIND_REAL, "largest step", OPTIONAL_LENGTH),
    KEY(shared_keys, min_step, TN_KIND_REAL, "smallest step", OPTIONAL_LENGTH),
    KEY(shared_keys, tolerance, TN_KIND_REAL,
        "error allowed in a step, relative and as a share of the size of the model, of 1 rad and of the "
        "largest velocities; makes the step adaptive",
        .unit = "", .high = LARGEST_TOLERANCE, .flags = TN_ABOVE_LOW | TN_OPTIONAL),
    KEY(shared_keys, relative_tolerance, TN_KIND_REAL,
        "error allowed in a step, relative; default `tolerance`, or 1e-6; makes the step adaptive", TOLERANCE,
        .flags = TN_ABOVE_LOW | TN_OPTIONAL),
    KEY(shared_keys, absolute_tolerance, TN_KIND_REAL,
        "error allowed in a step, absolute, in SI units; default by `tolerance`, or 1e-9", TOLERANCE,
        .flags = TN_ABOVE_LOW | TN_OPTIONAL),
    KEY(shared_keys, adaptive, TN_KIND_BOOLEAN, "choose the step by its error", .unit = "", .high = 1.0),
    KEY(shared_keys, linear, TN_KIND_TEXT,
        "solver of linear systems; default " TN_STANDARD_LINEAR ", or for large models what costs least",
        .unit = "", .detail = TN_LINEAR_KIND),
    KEY(shared_keys, constraint_solver, TN_KIND_TEXT,
        "of a solver by impulses: what finds them; default by the solver", .unit = "",
        .detail = TN_CONSTRAINT_SOLVER_KIND),
    KEY(shared_keys, stop_when, TN_KIND_TEXT,
        "expression that crosses zero, or comparison that comes true, where the solver ends before "
        "`end_time`",
        .unit = ""),
    KEY(shared_keys, threads, TN_KIND_INTEGER,
        "threads to work on, where the model is large enough; 0: one for each core. Results do not depend on "
        "it",
        .unit = "", .standard = 1.0, .high = TN_MOST_THREADS),
    KEY(shared_keys, progress, TN_KIND_BOOLEAN, "show progress on a terminal", .unit = "", .standard = 1.0,
        .high = 1.0),
    {0}};

/* How other programs call them. */
static const tn_synonym shared_synonyms[] = {{"dt", "step", NULL},
                                             {"h", "step", NULL},
                                             {"time_step", "step", NULL},
                                             {"step_size", "step", NULL},
                                             {"t0", "start_time", NULL},
                                             {"t_start", "start_time", NULL},
                                             {"initial_time", "start_time", NULL},
                                             {"t_end", "end_time", NULL},
                                             {"duration", "end_time", NULL},
                                             {"final_time", "end_time", NULL},
                                             {"stop_time", "end_time", NULL},
                                             {"rtol", "relative_tolerance", NULL},
                                             {"accuracy", "tolerance", NULL},
                                             {"atol", "absolute_tolerance", NULL},
                                             {"initial_step", "step", NULL},
                                             {"linear_solver", "linear", NULL},
                                             {NULL, NULL, NULL}};

/* Refuses the first key that makes steps adaptive, for a solver that has fixed ones only. */
static void check_fixed_steps(tn_source *source, const tn_solver_plan *plan)
{
    static const char *const keys[] = {"adaptive", "tolerance", "relative_tolerance", "absolute_tolerance"};
    if (plan->type->flags & (TN_ADAPTIVE | TN_ONLY_ADAPTIVE | TN_SINGLE_STATE)) return;
    for (size_t k = plan->run.adaptive ? 0 : 3; k < sizeof keys / sizeof *keys; k++) {
        const tn_toml *node = tn_toml_get(plan->table, keys[k]);
        if (!node) continue;
        tn_source_error(source, node, "`%s` has fixed steps only", plan->type->name);
        return;
    }
}

/* What `tolerance`, `relative_tolerance`, `absolute_tolerance` and `adaptive` come to. */
static void complete_tolerances(tn_model *model, const shared_keys *keys, tn_solver_plan *plan)
{
    tn_source *source = &model->reader->source;
    const tn_toml *adaptive_node = tn_toml_get(plan->table, "adaptive");
    const bool asked = !isnan(keys->tolerance), relative = !isnan(keys->relative_tolerance);
    tn_run *run = &plan->run;
    run->relative_tolerance = relative ? keys->relative_tolerance : asked ? keys->tolerance : 1e-6;
    run->scaled_tolerance = asked && isnan(keys->absolute_tolerance);
    run->absolute_tolerance = run->scaled_tolerance              ? keys->tolerance
                              : !isnan(keys->absolute_tolerance) ? keys->absolute_tolerance
                                                                 : 1e-9;
    run->adaptive = keys->adaptive || ((asked || relative) && !adaptive_node);
    if (plan->type->flags & TN_ONLY_ADAPTIVE) run->adaptive = 1;
    if (plan->type->flags & TN_ONLY_ADAPTIVE && adaptive_node && !keys->adaptive)
        tn_source_error(source, adaptive_node, "`%s` has no fixed steps", plan->type->name);
    if (asked && !run->adaptive)
        tn_source_error(source, adaptive_node, "`adaptive = false` contradicts `tolerance`");
    check_fixed_steps(source, plan);
}

static void check_times(tn_model *model, const tn_solver_plan *before, const tn_solver_plan *plan)
{
    tn_source *source = &model->reader->source;
    const tn_run *run = &plan->run;
    if (before && run->start_time < before->run.end_time)
        tn_source_error(source, tn_toml_get(plan->table, "start_time"),
                        "`start_time` %g s is before the end of the previous solver, %g s", run->start_time,
                        before->run.end_time);
    if (run->end_time < run->start_time)
        tn_source_error(source, tn_toml_get(plan->table, "end_time"), "`end_time` %g s is before %s %g s",
                        run->end_time,
                        before && !plan->starts_anew ? "the end of the previous solver," : "`start_time`",
                        run->start_time);
}

/* Turns the shared keys into what a solver gets; it starts where the one `before` it (or NULL) ends. One that seeks a single state
 * ends where it starts, and has no use for steps: the same keys may stay there. */
static void complete_run(tn_model *model, const shared_keys *keys, const tn_solver_plan *before,
                         tn_solver_plan *plan)
{
    tn_source *source = &model->reader->source;
    const tn_toml *table = plan->table;
    const bool single = plan->type->flags & TN_SINGLE_STATE;
    tn_run *run = &plan->run;
    plan->starts_anew = !isnan(keys->start_time);
    const double start = plan->starts_anew ? keys->start_time : before ? before->run.end_time : 0.0;
    if (!single && isnan(keys->end_time))
        tn_source_missing_key(source, table, "end_time", "end of the run", "s");
    *run = (tn_run){.start_time = start,
                    .end_time = single || isnan(keys->end_time) ? start : keys->end_time,
                    .step = keys->step,
                    .adaptive = single, /* its states are no steps of a motion */
                    .minimum_step = isnan(keys->min_step) ? 0.0 : keys->min_step,
                    .maximum_step = isnan(keys->max_step) ? HUGE_VAL : keys->max_step};
    if (!single) complete_tolerances(model, keys, plan);
    check_times(model, before, plan);
    const double span = run->end_time - run->start_time;
    const bool may_last = !single && (span > 0.0 || (before && before->stop != TN_NONE));
    run->step_given = !isnan(run->step);
    if (!run->step_given && !run->adaptive && may_last)
        tn_source_missing_key(source, table, "step", "fixed step", "s");
    if (!run->step_given) run->step = span > 0.0 ? 1e-3 * span : 1.0;
    if (run->step > run->maximum_step) run->step = run->maximum_step;
    if (run->minimum_step > run->step && run->step_given)
        tn_source_error(source, tn_toml_get(table, "min_step"),
                        "`min_step` %g s is larger than the step %g s", run->minimum_step, run->step);
    run->step = fmax(run->step, run->minimum_step);
    tn_check_step_length(model, plan);
}

static void prepare_solver(tn_model *model, tn_solver_plan *plan)
{
    tn_status status = TN_OK;
    if (plan->type->prepare)
        status = tn_call_setup(model, &plan->table->at, NULL, plan->type, prepare, &model->host,
                               plan->instance, &plan->run);
    if (status == TN_OK) tn_instance_own(model, plan->type, NULL, plan->instance);
}

/* Whether a node names a type; else that was reported. */
static bool names_type(const tn_toml *node)
{
    return node->kind == TN_TOML_STRING || (node->kind == TN_TOML_TABLE && tn_toml_get(node, "type"));
}

/* The solver of linear systems, where one is needed; a wrong name is an error anywhere. */
static void read_linear(tn_model *model, tn_solver_plan *plan)
{
    const tn_toml *node = tn_toml_get(plan->table, "linear");
    if (node ? names_type(node) : plan->type->flags & TN_NEEDS_MATRIX)
        plan->linear = tn_choose_linear(model, node, plan->table);
    plan->linear_is_open = !node;
}

/* "`admm`, `direct` or `gauss_seidel`": the types that find impulses, of all libraries. */
static const char *constraint_solvers(tn_model *model)
{
    const char *list = "", *last = NULL;
    tn_registry_load_all(model->registry, NULL);
    for (size_t k = 0; k < tn_registry_file_count(model->registry); k++) {
        const tn_library *library = tn_registry_file(model->registry, k)->library;
        for (const tn_type *type = library ? library->types : NULL; type && type->kind; type++) {
            const tn_constraint_solver_type *solver = type->type;
            if (strcmp(type->kind, TN_CONSTRAINT_SOLVER_KIND) != 0 || solver->flags & TN_SOLVES_NONE)
                continue;
            if (last) list = tn_arena_print(&model->arena, *list ? "%s, `%s`" : "%s`%s`", list, last);
            last = solver->name;
        }
    }
    return last ? tn_arena_print(&model->arena, *list ? "%s or `%s`" : "%s`%s`", list, last) : "another type";
}

/* Refuses a type that serves solvers by impulses otherwise, at its name. */
static void check_that_it_solves(tn_model *model, const tn_toml *node, const tn_constraint_solver_type *type)
{
    if (!type || !(type->flags & TN_SOLVES_NONE)) return;
    tn_source_error(&model->reader->source, node->kind == TN_TOML_TABLE ? tn_toml_get(node, "type") : node,
                    "`%s` solves no problems of impulses: use %s", type->name, constraint_solvers(model));
}

/* What finds impulses; the `written` solver may be another one than the one that the command line asks for. */
static void read_constraint_solver(tn_model *model, const tn_loaded_solver *written, tn_solver_plan *plan)
{
    const tn_toml *node = tn_toml_get(plan->table, "constraint_solver");
    if (!node || !names_type(node)) return;
    if (!(written->flags & TN_BY_IMPULSES))
        tn_source_error(&model->reader->source, node,
                        "`%s` takes constraints for equations and has no constraint solver: that is for "
                        "solvers by impulses, such as `moreau`",
                        written->name);
    else
        plan->constraint = tn_choose_constraint_solver(model, node, NULL);
    check_that_it_solves(model, node, plan->constraint.type);
}

void tn_plan_linear(tn_model *model, tn_plan *plan)
{
    for (size_t k = 0; k < plan->solver_count; k++)
        if (!plan->solver[k].linear.type) {
            plan->solver[k].linear = tn_choose_linear(model, NULL, plan->solver[k].table);
            plan->solver[k].linear_is_open = true;
        }
}

tn_linear_choice tn_plan_any_linear(tn_model *model, const tn_plan *plan)
{
    if (plan->solver_count && plan->solver[0].linear.type) return plan->solver[0].linear;
    return tn_choose_linear(model, NULL, tn_document_root(model->reader->source.document));
}

/* The type that a table asks for; NULL after reporting. */
static const tn_loaded_solver *find_solver(tn_model *model, const tn_toml *table)
{
    static const char *const words[] = {"type", NULL};
    const tn_toml *node =
        tn_meant(table, "type", &(tn_keys){.words = words, .parameters = {tn_solver_parameters}});
    if (!node)
        tn_source_missing_key(&model->reader->source, table, "type", "the solver", NULL);
    else if (strcmp(node->key, "type") != 0)
        tn_source_unknown_key(&model->reader->source, node, &(tn_nearest){.best = "type"});
    else if (node->kind != TN_TOML_STRING)
        tn_value_error(&model->reader->source, node, "a string is expected");
    else
        return tn_model_type(model, TN_SOLVER_KIND, &node->at, node->text);
    return NULL;
}

static void read_solver(tn_model *model, const tn_toml *table, const char *other_type,
                        const tn_solver_plan *before, tn_solver_plan *plan)
{
    static const char *const words[] = {"type", NULL};
    tn_source *source = &model->reader->source;
    *plan = (tn_solver_plan){.table = table, .stop = TN_NONE};
    if (table->kind != TN_TOML_TABLE) {
        tn_source_error(source, table, "[solver] is a table");
        return;
    }
    const tn_loaded_solver *written = find_solver(model, table);
    if (!written) return;
    plan->type = other_type
                     ? tn_model_type(model, TN_SOLVER_KIND, &tn_toml_get(table, "type")->at, other_type)
                     : written;
    if (!plan->type) return;

    const size_t errors = tn_error_count(model->reader->diagnostics);
    shared_keys keys;
    plan->instance = tn_arena_new(&model->arena, plan->type->instance_size + 1);
    tn_fill(source, table, tn_solver_parameters, sizeof keys, &keys);
    tn_fill(source, table, plan->type->parameters, plan->type->instance_size, plan->instance);
    /* with another solver from the command line, keys of the written one are no mistakes */
    tn_check_keys(source, table,
                  &(tn_keys){.words = words,
                             .parameters = {tn_solver_parameters, plan->type->parameters},
                             .others = written->parameters,
                             .synonyms = {shared_synonyms, plan->type->synonyms}});
    read_linear(model, plan);
    read_constraint_solver(model, written, plan);
    plan->progress = keys.progress;
    plan->threads = (uint32_t)keys.threads;
    plan->stop = tn_stop_condition(model, table);
    if (tn_error_count(model->reader->diagnostics) == errors) complete_run(model, &keys, before, plan);
    if (tn_error_count(model->reader->diagnostics) == errors) prepare_solver(model, plan);
}

static void read_solvers(tn_model *model, const tenon_options *asked, tn_plan *plan)
{
    const tn_toml *root = tn_document_root(model->reader->document);
    const tn_toml *node = tn_meant(root, "solver", &tn_model_keys);
    if (!node) {
        if (!asked->check_only)
            tn_source_error_at(&model->reader->source, (tn_place){root->place.file, 0, 0},
                               "missing table [solver]");
        return;
    }
    const bool array = node->kind == TN_TOML_ARRAY;
    plan->solver_count = array ? node->count : 1;
    plan->solver = tn_new(plan->solver_count, sizeof *plan->solver);
    model->reader->source.item = "[solver]";
    for (size_t k = 0; k < plan->solver_count; k++) {
        read_solver(model, array ? node->child[k] : node, asked->solver, k ? &plan->solver[k - 1] : NULL,
                    &plan->solver[k]);
        if (asked->threads) plan->solver[k].threads = asked->threads > 0 ? (uint32_t)asked->threads : 0;
    }
    model->reader->source.item = NULL;
}

/* ---- [output] -------------------------------------------------------------------------------------------- */

typedef struct output_keys {
    const char *directory;
    double interval, checkpoint;
    tn_list checkpoint_times;
    int32_t states;
    tn_log_keys log;
} output_keys;

const tn_parameter tn_output_parameters[] = {
    KEY(output_keys, directory, TN_KIND_TEXT, "where results go", .unit = ""),
    KEY(output_keys, interval, TN_KIND_REAL, "time between rows", OPTIONAL_LENGTH),
    KEY(output_keys, checkpoint, TN_KIND_REAL,
        "wall time between checkpoints, from which `tenon run --resume` goes on", OPTIONAL_LENGTH),
    KEY(output_keys, checkpoint_times, TN_KIND_LIST,
        "times of the model at which checkpoints are made, each at the end of the first step there", TIME,
        .flags = TN_OPTIONAL),
    KEY(output_keys, states, TN_KIND_BOOLEAN, "record q, v and multipliers", .unit = "", .high = 1.0),
    {.name = "log",
     .meaning = "write rows.tnl, from which reports, scenes and archives are made",
     .offset = offsetof(output_keys, log.log),
     .kind = TN_KIND_BOOLEAN,
     .count = 1,
     .unit = "",
     .standard = 1.0,
     .high = 1.0},
    {.name = "frames",
     .meaning = "frames of the motion in rows.tnl: as many as the tolerance needs, at each row, or none",
     .offset = offsetof(output_keys, log.frames),
     .kind = TN_KIND_CHOICE,
     .detail = "auto|rows|none",
     .count = 1,
     .unit = ""},
    {.name = "frame_tolerance",
     .meaning = "largest error of the motion between frames, as a share of the size of the model, and in rad",
     .offset = offsetof(output_keys, log.tolerance),
     .kind = TN_KIND_REAL,
     .count = 1,
     .unit = "",
     .standard = 1e-3,
     .high = 1.0,
     .flags = TN_ABOVE_LOW},
    {0}};

/* results/STEM of the model file. */
static const char *standard_directory(tn_model *model)
{
    const char *path = tn_document_path(model->reader->document), *slash = strrchr(path, '/');
    const char *stem = slash ? slash + 1 : path, *dot = strrchr(stem, '.');
    const size_t length = dot && dot > stem ? (size_t)(dot - stem) : strlen(stem);
    return tn_arena_print(&model->arena, "results/%.*s", (int)length, stem);
}

/* A fixed step must hit every row: also the last one, to which the differences add up. */
static void check_interval(tn_model *model, const tn_plan *plan)
{
    for (size_t k = 0; plan->interval > 0.0 && k < plan->solver_count; k++) {
        const tn_run *run = &plan->solver[k].run;
        if (!plan->solver[k].type || run->adaptive || !(run->end_time > run->start_time)) continue;
        const double steps = plan->interval / run->step, error = fabs(steps / round(steps) - 1.0);
        const double intervals = fmax((run->end_time - run->start_time) / plan->interval, 1.0);
        if (steps > 0.5 && (error * intervals <= 1e-9 || error <= 4.0 * DBL_EPSILON)) continue;
        tn_source_error(&model->reader->source, plan->interval_node,
                        "the interval %.12g s is not a multiple of the fixed step %.12g s: steps would not "
                        "end at the rows",
                        plan->interval, run->step);
    }
}

static void read_output(tn_model *model, const tn_study_options *options, tn_plan *plan)
{
    const char *directory = options->asked.results;
    static const char *const words[] = {"writers", NULL};
    tn_source *source = &model->reader->source;
    const tn_toml *table = tn_toml_get(tn_document_root(model->reader->document), "output");
    output_keys keys = {
        .interval = (double)NAN, .checkpoint = (double)NAN, .log = {.log = 1, .tolerance = 1e-3}};
    if (table && table->kind != TN_TOML_TABLE) {
        tn_source_error(source, table, "[output] is a table");
        table = NULL;
    }
    if (table) {
        tn_fill(source, table, tn_output_parameters, sizeof keys, &keys);
        tn_check_keys(source, table, &(tn_keys){.words = words, .parameters = {tn_output_parameters}});
        plan->interval_node = tn_toml_get(table, "interval");
    }
    plan->interval = isnan(keys.interval) ? 0.0 : keys.interval;
    plan->directory = directory ? directory : keys.directory ? keys.directory : standard_directory(model);
    const tn_toml *node = table && !directory ? tn_toml_get(table, "directory") : NULL;
    const tn_place place = node ? node->place : (tn_place){0};
    if (!plan->directory[0])
        tn_source_error_at(source, place, "the directory of the results has no name");
    else if (options->writes && !directory && !model->reader->trust && !tn_results_stay_here(plan->directory))
        tn_source_error_at(source, place,
                           "the results would go to `%s`, which is outside the current folder: choose a "
                           "directory with --out, or allow it with --trust",
                           plan->directory);
    plan->states = keys.states;
    if (options->checkpoints) {
        plan->checkpoint.every = isnan(keys.checkpoint) ? 0.0 : keys.checkpoint;
        plan->checkpoint.times = keys.checkpoint_times;
    }
    tn_plan_writers(model, table, &keys.log, plan);
    if (tn_plan_has_checkpoints(plan)) tn_check_checkpoints(model, options->guard, plan, table);
    plan->figures = options->writes;
    if (options->writes) return;
    plan->writer_count = plan->converter_count = 0;
    plan->log = false;
}

/* A change that no solver comes to. */
static void check_changes(tn_model *model, const tn_plan *plan)
{
    double end = plan->solver_count ? -HUGE_VAL : HUGE_VAL;
    for (size_t k = 0; k < plan->solver_count; k++)
        end = plan->solver[k].type ? fmax(end, plan->solver[k].run.end_time) : HUGE_VAL;
    for (size_t k = 0; k < model->change_count; k++) {
        const tn_change *change = &model->change[k];
        const tn_toml *time = tn_toml_get(change->at->node, "time");
        if (change->time > end && time)
            tn_diagnose(model->reader->diagnostics, TN_SEVERITY_WARNING, time->place,
                        "the change at %.9g s is never made: the run ends at %.9g s", change->time, end);
    }
}

/* Nor is there a row at a time that the run does not come to. */
static void check_chosen_times(tn_model *model, const tn_plan *plan)
{
    const tn_figure_plan *figures = model->reader->figures;
    double start = HUGE_VAL, end = -HUGE_VAL;
    for (size_t k = 0; k < plan->solver_count; k++) {
        if (!plan->solver[k].type) return;
        start = fmin(start, plan->solver[k].run.start_time);
        end = fmax(end, plan->solver[k].run.end_time);
    }
    for (size_t k = 0; figures && start <= end && k < figures->time_count; k++)
        if (figures->time[k] < start - tn_slack_of_times(start, end - start) ||
            figures->time[k] > end + tn_slack_of_times(end, end - start))
            tn_diagnose(model->reader->diagnostics, TN_SEVERITY_WARNING, figures->time_node[k]->place,
                        "there is no row at %.9g s: the run is from %.9g s to %.9g s", figures->time[k],
                        start, end);
}

void tn_plan_read(tn_model *model, const tn_study_options *options, tn_plan *plan)
{
    *plan = (tn_plan){0};
    read_solvers(model, &options->asked, plan);
    model->reader->source.item = "[output]";
    read_output(model, options, plan);
    model->reader->source.item = NULL;
    check_interval(model, plan);
    tn_check_interval_length(model, plan);
    check_changes(model, plan);
    if (plan->figures) check_chosen_times(model, plan);
    tn_plan_rows(plan);
}

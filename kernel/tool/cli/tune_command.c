/* tune_command.c - tries solvers, and says which would be fastest (see tune.h) */
#include "cli/crash.h"
#include "cli/message.h"
#include "cli/text_table.h"
#include "cli/tune.h"
#include "config/plugin_texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TRIES = 14, TIMES = 3, MOST_CHOICES = 32, OWN_STEPS = 5 };
#define PROBE 1.5      /* s: of the reference; a run that it does not come through in is tried in part */
#define REFERENCE 12.0 /* s: the same up to where it has come, in the worst case */
#define MOMENT 3.0     /* s: of any other try */
#define SHORTEST 0.5   /* s */
#define SLOWER 5.0
#define STRICTER 1e-3   /* the tolerance of the reference, as a share of the accuracy */
#define STRICTEST 1e-12 /* round-off is not far */
#define LOOSEST_TOLERANCE 0.1

/* A solver with the settings that stay the same while its tolerance, or its step, is sought. */
typedef struct variant {
    const tn_loaded_solver *type;
    const char *fixed; /* "order = 5"; "" */
    bool adaptive;
    const char *settings; /* all: of the try that counts */
    bool came_through;
    double error, time;
    uint64_t steps;
    const char *reason; /* where none came through */
} variant;

typedef struct tuner {
    tn_tune_model model;
    tn_arena arena;
    variant *all;
    size_t count;
    tn_tune_result *reference, *other;
    const char *reference_type;
    double reference_tolerance, uncertainty;
    double fastest; /* s: of the accurate ones so far */
} tuner;

/* ---- what is tried --------------------------------------------------------------------------------------------- */

static void add_variant(tuner *t, const tn_loaded_solver *type, const char *fixed, bool adaptive)
{
    TN_APPEND(t->all, t->count,
              (variant){.type = type, .fixed = fixed, .adaptive = adaptive, .settings = fixed});
}

/* One for each word of its choices but the standard one. */
static void add_choices(tuner *t, const tn_loaded_solver *type, const tn_parameter *parameter, bool adaptive)
{
    char words[1024];
    (void)snprintf(words, sizeof words, "%s", parameter->detail);
    char *rest = words;
    for (int k = 0; rest && k < MOST_CHOICES; k++) {
        const char *word = strsep(&rest, "|");
        if (k == (int)parameter->standard) continue;
        add_variant(t, type, tn_arena_print(&t->arena, "%s = \"%s\"", parameter->name, word), adaptive);
    }
}

/* With a fixed step, and with error control, where its methods are all tried. */
static void add_solver(void *data, const tn_kind *kind, const void *found, const tn_plugin_file *file)
{
    (void)kind, (void)file;
    tuner *t = data;
    const tn_loaded_solver *type = found;
    const char *only = t->model.options->asked.solver;
    if (type->flags & TN_SINGLE_STATE || (only && strcmp(only, type->name) != 0)) return;
    const bool adaptive = type->flags & (TN_ADAPTIVE | TN_ONLY_ADAPTIVE);
    if (!(type->flags & TN_ONLY_ADAPTIVE)) add_variant(t, type, "", false);
    if (adaptive) add_variant(t, type, "", true);
    for (const tn_parameter *p = type->parameters; p && p->name; p++)
        if (p->kind == TN_KIND_CHOICE && !strchr(p->name, '.')) add_choices(t, type, p, adaptive);
}

static int compare_names(const void *a, const void *b)
{
    const variant *left = a, *right = b;
    const int names = strcmp(left->type->name, right->type->name);
    if (names) return names;
    if (left->adaptive != right->adaptive) return left->adaptive - right->adaptive;
    return strcmp(left->fixed, right->fixed);
}

static const char *with_setting(tuner *t, const char *fixed, const char *key, double value)
{
    return tn_arena_print(&t->arena, "%s%s%s = %.12g", fixed, *fixed ? "; " : "", key, value);
}

/* ---- the reference --------------------------------------------------------------------------------------------- */

static double strict(double tolerance) { return fmax(tolerance, STRICTEST); }

/* How far this solver gets in a moment, and the course of the motion up to there, twice: false where it does not. */
static bool try_reference(tuner *t, const variant *v)
{
    tn_tune_model *model = &t->model;
    const double tolerance = strict(STRICTER * model->accuracy);
    const char *type = v->type->name, *settings = with_setting(t, v->fixed, "tolerance", tolerance);
    if (!tn_tune_explore(model, type, settings, PROBE, t->reference)) return false;
    tn_tune_try(model, type, settings, REFERENCE, t->reference);
    if (!t->reference->came_through) return false;
    tn_tune_try(model, type, with_setting(t, v->fixed, "tolerance", 10.0 * tolerance), REFERENCE, t->other);
    if (!t->other->came_through) return false;
    t->reference_type = type;
    t->reference_tolerance = tolerance;
    t->uncertainty = tn_tune_error(model, t->other, t->reference);
    return true;
}

/* Implicit methods of high order take any model: radau is asked first, where it is installed. */
static bool find_reference(tuner *t)
{
    const char *reason = NULL;
    for (int first = 1; first >= 0; first--)
        for (size_t k = 0; k < t->count; k++) {
            const variant *v = &t->all[k];
            if (!v->adaptive || *v->fixed || (strcmp(v->type->name, "radau") == 0) != first) continue;
            if (try_reference(t, v)) return true;
            reason = tn_arena_print(&t->arena, "%s: %s", v->type->name,
                                    t->reference->came_through ? t->other->reason : t->reference->reason);
        }
    tn_message("error", "tenon run: no solver with error control takes this model as a reference%s%s",
               reason ? ": " : "", reason ? reason : "");
    return false;
}

/* ---- one solver ------------------------------------------------------------------------------------------------ */

/* One that takes many times as long as another one is of no use. */
static double seconds_for_try(const tuner *t)
{
    const tn_study *study = &t->model.model->study;
    return fmin(3.0 * (study->load_time + study->assembly_time) + fmax(SHORTEST, SLOWER * t->fastest),
                MOMENT);
}

/* Whether it comes through, and near enough; the try is kept where it is the better one. */
static bool try_settings(tuner *t, variant *v, const char *settings, bool *ran)
{
    tn_tune_try(&t->model, v->type->name, settings, seconds_for_try(t), t->other);
    *ran = t->other->came_through;
    if (!*ran) {
        if (!v->reason) v->reason = tn_arena_print(&t->arena, "%s", t->other->reason);
        return false;
    }
    const double error = tn_tune_error(&t->model, t->other, t->reference);
    if (error <= t->model.accuracy) t->fastest = fmin(t->fastest, t->other->time);
    const bool good = error <= t->model.accuracy, was_good = v->came_through && v->error <= t->model.accuracy;
    if (!v->came_through || (good && (!was_good || t->other->time < v->time)) ||
        (!was_good && error < v->error)) {
        v->came_through = true;
        v->settings = settings;
        v->error = error;
        v->time = t->other->time;
        v->steps = t->other->steps;
    }
    return good;
}

/* Whether steps are mostly as long as their error lets them be, and not as the times at which results are compared. */
static bool has_own_steps(const tn_tune_result *result)
{
    return result->steps >= OWN_STEPS * TN_TUNE_POINTS;
}

/* Stricter settings would, too. */
static bool took_too_long(const tn_tune_result *result)
{
    return strncmp(result->reason, TN_TUNE_NO_END, sizeof TN_TUNE_NO_END - 1) == 0;
}

/* Looser while that is accurate enough, else stricter until it is. */
static void seek_tolerance(tuner *t, variant *v)
{
    double tolerance = fmin(t->model.accuracy, LOOSEST_TOLERANCE);
    bool ran = false;
    const bool good = try_settings(t, v, with_setting(t, v->fixed, "tolerance", tolerance), &ran);
    for (int k = 0; k < MOST_TRIES / 2; k++) {
        if (good && !has_own_steps(t->other)) return;
        tolerance *= good ? 10.0 : 0.1;
        if (tolerance > LOOSEST_TOLERANCE || tolerance < STRICTEST) return;
        const bool now = try_settings(t, v, with_setting(t, v->fixed, "tolerance", tolerance), &ran);
        if (now != good || (!ran && took_too_long(t->other))) return;
    }
}

/* A step of 1, 2 or 5 times a power of ten; of an interval of rows, which steps have to hit, as many parts. */
static double round_step(const tn_tune_model *model, double step)
{
    const double number = model->interval > 0.0 ? model->interval / step : 1.0 / step;
    const double power = pow(10.0, floor(log10(number) + 1e-9)), digits = number / power;
    const double rounded = power * (digits > 5.0 + 1e-6   ? 10.0
                                    : digits > 2.0 + 1e-6 ? 5.0
                                    : digits > 1.0 + 1e-6 ? 2.0
                                                          : 1.0);
    return model->interval > 0.0 ? model->interval / fmax(rounded, 1.0) : 1.0 / rounded;
}

static void seek_step(tuner *t, variant *v)
{
    const tn_tune_model *model = &t->model;
    const double part = tn_tune_horizon(model) - model->start;
    const double longest = fmin(0.5 * (model->end - model->start), part);
    double step = round_step(model, 0.02 * part);
    bool ran = false;
    const bool good = try_settings(t, v, with_setting(t, v->fixed, "step", step), &ran);
    for (int k = 0; k < MOST_TRIES; k++) {
        const double next = round_step(model, good ? 2.01 * step : 0.5 * step);
        if (next == step || next > longest) return;
        step = next;
        const bool now = try_settings(t, v, with_setting(t, v->fixed, "step", step), &ran);
        if (now != good || (!ran && took_too_long(t->other))) return;
    }
}

/* The clock is not the same twice: the least time counts. */
static void time_again(tuner *t, variant *v)
{
    for (int k = 1; k < TIMES; k++) {
        tn_tune_try(&t->model, v->type->name, v->settings, MOMENT, t->other);
        if (t->other->came_through) v->time = fmin(v->time, t->other->time);
    }
}

static bool is_good(const tuner *t, const variant *v)
{
    return v->came_through && v->error <= t->model.accuracy;
}

/* The accurate ones, the fastest first; then what has come through, then the rest. */
static int compare_results(const void *a, const void *b, void *data)
{
    const variant *left = a, *right = b;
    const int rank_left = is_good(data, left) ? 0 : left->came_through ? 1 : 2;
    const int rank_right = is_good(data, right) ? 0 : right->came_through ? 1 : 2;
    if (rank_left != rank_right) return rank_left - rank_right;
    if (rank_left == 2) return compare_names(a, b);
    return (left->time > right->time) - (left->time < right->time);
}

static void sort_results(tuner *t)
{
    for (size_t k = 1; k < t->count; k++) {
        const variant moved = t->all[k];
        size_t place = k;
        for (; place && compare_results(&moved, &t->all[place - 1], t) < 0; place--)
            t->all[place] = t->all[place - 1];
        t->all[place] = moved;
    }
}

/* ---- linear solvers -------------------------------------------------------------------------------------------- */

typedef struct linear_search {
    tuner *t;
    const variant *of;
} linear_search;

static void try_linear(void *data, const tn_kind *kind, const void *found, const tn_plugin_file *file)
{
    (void)kind, (void)file;
    const linear_search *search = data;
    tuner *t = search->t;
    const char *name = ((const tn_loaded_linear *)found)->name;
    variant v = *search->of;
    bool ran = false;
    v.came_through = false;
    v.reason = NULL;
    v.fixed = tn_arena_print(&t->arena, "%s; linear = \"%s\"", search->of->settings, name);
    (void)try_settings(t, &v, v.fixed, &ran);
    if (is_good(t, &v)) time_again(t, &v);
    TN_APPEND(t->all, t->count, v);
}

/* The fastest one that solves linear systems, with each that is installed; the standard one is among them. */
static void try_all_linear(tuner *t)
{
    const bool constrained = t->model.model->study.assembly->system.rows > 0;
    for (size_t k = 0; k < t->count && is_good(t, &t->all[k]); k++) {
        if (!constrained && !(t->all[k].type->flags & TN_NEEDS_MATRIX)) continue;
        const variant of = t->all[k];
        tn_types_visit(t->model.model->study.registry, TN_LINEAR_KIND, try_linear, &(linear_search){t, &of});
        break;
    }
    sort_results(t);
}

/* ---- the answer ------------------------------------------------------------------------------------------------ */

static void print_head(const tuner *t)
{
    const tn_tune_model *model = &t->model;
    const double part = tn_tune_horizon(model) - model->start, all = model->end - model->start;
    if (model->whole)
        (void)printf("model      %s: the whole run, %.4g s\n", model->options->model, part);
    else
        (void)printf("model      %s: the first %.4g s of %.4g s\n", model->options->model, part, all);
    (void)printf("accuracy   %.3g, %s: the largest difference of a coordinate, as a share of the size of the "
                 "model, or "
                 "in rad\n",
                 model->accuracy,
                 model->given ? "the `tolerance` of the model" : "as the model has no `tolerance`");
    (void)printf("reference  %s, tolerance = %.3g, which is itself uncertain by %.2g\n\n", t->reference_type,
                 t->reference_tolerance, t->uncertainty);
    if (!model->whole)
        tn_message(
            "warning",
            "the whole run takes too long to be tried: what comes behind its first %.4g s, a contact say, "
            "has not been seen, and errors may grow",
            part);
    if (t->uncertainty > 0.3 * model->accuracy)
        tn_message("warning", "the reference is not much better than the accuracy that is asked for: the "
                              "motion is sensitive, or "
                              "has jumps; do not trust the errors");
}

static void print_table(const tuner *t)
{
    static const char *const headings[] = {"solver", "settings", "accurate", "error",
                                           "steps",  "time",     "whole run"};
    const tn_tune_model *model = &t->model;
    const double times = (model->end - model->start) / (tn_tune_horizon(model) - model->start);
    tn_text_table table = {.columns = sizeof headings / sizeof headings[0] - (model->whole ? 1 : 0)};
    for (size_t k = 0; k < table.columns; k++)
        tn_text_table_add(&table, "%s", headings[k]);
    for (size_t k = 0; k < t->count && t->all[k].came_through; k++) {
        const variant *v = &t->all[k];
        tn_text_table_add(&table, "%s", v->type->name);
        tn_text_table_add(&table, "%s", v->settings);
        tn_text_table_add(&table, "%s", is_good(t, v) ? "yes" : "no");
        tn_text_table_add(&table, "%.1e", v->error);
        tn_text_table_add(&table, "%llu", (unsigned long long)v->steps);
        tn_text_table_add(&table, "%.3g s", v->time);
        if (!model->whole) tn_text_table_add(&table, "%.3g s", times * v->time);
    }
    tn_text_table_print(&table, stdout);
    bool any = false;
    for (size_t k = 0; k < t->count; k++) {
        const variant *v = &t->all[k];
        if (v->came_through) continue;
        (void)printf("%s  %s%s%s, %s: %s\n", any ? "" : "\nThese do not come through:\n", v->type->name,
                     *v->fixed ? " " : "", v->fixed, v->adaptive ? "error control" : "fixed step",
                     v->reason ? v->reason : "");
        any = true;
    }
}

static int print_answer(const tuner *t)
{
    const variant *best = t->count ? &t->all[0] : NULL;
    if (!best || !is_good(t, best)) {
        (void)puts("\nNone of them is accurate enough in a moment: ask for a larger `tolerance`.");
        return 1;
    }
    (void)printf("\nThe fastest at this accuracy:\n\n%s",
                 tn_tune_lines(&t->model, best->type->name, best->settings));
    return 0;
}

/* On a terminal; the line goes with the last one. */
static void show_progress(const tuner *t, size_t tried)
{
    if (t->model.options->quiet || !isatty(STDERR_FILENO)) return;
    if (tried < t->count)
        (void)fprintf(stderr, "\r%zu of %zu: %-24s", tried + 1, t->count, t->all[tried].type->name);
    else
        (void)fprintf(stderr, "\r%*s\r", 48, "");
    (void)fflush(stderr);
}

static int refuse_solver(const tuner *t)
{
    const char *name = t->model.options->asked.solver;
    char *hint = name ? tn_type_hint(t->model.model->study.registry, TN_SOLVER_KIND, name) : NULL;
    tn_message("error", "tenon run: there is no solver %s that takes steps in time%s%s",
               name ? name : "installed", hint ? ": " : "", hint ? hint : "");
    tn_free(hint);
    return 2;
}

/* In the memory of the model, to which its plugins belong. */
static int tune(tuner *t)
{
    tn_registry_load_all(t->model.model->study.registry, NULL);
    tn_types_visit(t->model.model->study.registry, TN_SOLVER_KIND, add_solver, t);
    if (!t->count) return refuse_solver(t);
    qsort(t->all, t->count, sizeof *t->all, compare_names);
    t->reference = tn_tune_result_new(&t->model);
    t->other = tn_tune_result_new(&t->model);
    if (!t->reference || !t->other || !find_reference(t)) return 1;
    t->fastest = t->reference->time; /* which is accurate, too */
    for (size_t k = 0; k < t->count; k++) {
        show_progress(t, k);
        if (t->all[k].adaptive)
            seek_tolerance(t, &t->all[k]);
        else
            seek_step(t, &t->all[k]);
        if (is_good(t, &t->all[k])) time_again(t, &t->all[k]);
    }
    sort_results(t);
    try_all_linear(t);
    show_progress(t, t->count);
    print_head(t);
    print_table(t);
    return print_answer(t);
}

int tn_tune_run(const tn_run_options *options)
{
    static tuner t;
    volatile int status = tn_tune_open(&t.model, options);
    tn_memory *memory = &t.model.model->memory;
    if (status == 0 && !tn_attempt(memory, status = tune(&t))) status = tn_crash_lacks_memory(memory->lack);
    tn_tune_close(&t.model);
    return status;
}

/* tune_model.c - the model that solvers are tried on, and one try (see tune.h) */
#define _GNU_SOURCE
#include "cli/crash.h"
#include "cli/message.h"
#include "cli/process.h"
#include "cli/tune.h"

#include "extensions/error_scale.h"
#include "run/clock.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

/* ---- the model ----------------------------------------------------------------------------------------------- */

/* A table with those keys of another one that are listed, or that are not. */
static tn_toml choose_keys(const tn_toml *table, const char *const *keys, bool listed)
{
    tn_toml chosen = *table;
    chosen.child = tn_new(table->count + 1, sizeof *chosen.child);
    chosen.count = 0;
    for (size_t k = 0; k < table->count; k++) {
        bool found = false;
        for (const char *const *key = keys; *key; key++)
            found = found || strcmp(*key, table->child[k]->key) == 0;
        if (found == listed) chosen.child[chosen.count++] = table->child[k];
    }
    return chosen;
}

/* All but the solver that is tuned, and those behind it. */
static const char *print_base(tn_tune_model *tune)
{
    static const char *const others[] = {"solver", "output", "run", NULL};
    tn_document *document = tune->model->study.document;
    const tn_toml *root = tn_document_root(document);
    const tn_toml *solver = tn_toml_get(root, "solver");
    tn_toml whole = choose_keys(root, others, false);
    tn_toml before = *solver;
    before.count = tune->part;
    if (tune->part) whole.child[whole.count++] = &before;
    tn_resolve_paths(document, &whole);
    tn_text text = {0};
    tn_text_add(&text, "%s\n", tn_toml_print(&whole));
    /* steps end at rows, as in the run itself */
    if (tune->interval > 0.0) tn_text_add(&text, "[output]\ninterval = %.17g\n", tune->interval);
    return text.letters;
}

static const char *print_kept(const tn_toml *table)
{
    static const char *const keys[] = {"start_time", "end_time", "stop_when", "max_step",
                                       "threads",    "progress", NULL};
    const tn_toml kept = choose_keys(table, keys, true);
    return kept.count ? tn_toml_print(&kept) : "";
}

/* False: no solver of the model takes steps in time. */
static bool find_part(tn_tune_model *tune)
{
    const tn_plan *plan = &tune->model->study.plan;
    while (tune->part < plan->solver_count) {
        const tn_solver_plan *solver = &plan->solver[tune->part];
        if (!(solver->type->flags & TN_SINGLE_STATE) && solver->run.end_time > solver->run.start_time)
            return true;
        tune->part++;
    }
    return false;
}

static void describe_part(tn_tune_model *tune)
{
    tn_study *study = &tune->model->study;
    const tn_solver_plan *solver = &study->plan.solver[tune->part];
    const tn_error_scale *scale = tn_error_scale_of(study->assembly);
    tune->start = solver->run.start_time;
    tune->end = solver->run.end_time;
    tune->interval = study->plan.interval;
    tune->given = tn_toml_get(solver->table, "tolerance") || tn_toml_get(solver->table, "relative_tolerance");
    tune->accuracy = tune->given ? solver->run.relative_tolerance : 1e-4;
    tune->coordinates = study->assembly->system.nq;
    tune->scale = tn_new(tune->coordinates, sizeof *tune->scale);
    for (size_t k = 0; k < tune->coordinates; k++)
        tune->scale[k] = scale && scale->coordinate[k] > 0.0 ? scale->coordinate[k] : 1.0;
    tune->base = print_base(tune);
    tune->kept = print_kept(solver->table);
}

static const char *folder_of(const char *path)
{
    static tn_arena arena;
    const char *slash = strrchr(path, '/');
    return slash ? tn_arena_text(&arena, path, (size_t)(slash - path) + 1) : ".";
}

int tn_tune_open(tn_tune_model *tune, const tn_run_options *options)
{
    static tn_message_printer printer;
    *tune = (tn_tune_model){.options = options, .folder = folder_of(options->model)};
    printer = (tn_message_printer){
        .stream = stderr, .json = tn_message_chosen() == TN_MESSAGES_JSON, .quiet = options->quiet};
    tenon_options asked = options->asked;
    asked.size = sizeof asked;
    asked.solver = NULL; /* which restricts what is tried */
    const tn_library_wishes wishes = {.listener = tn_message_printer_listener(&printer)};
    if (tn_library_open(&(tn_library_source){.name = options->model}, &asked, &wishes, &tune->model) !=
        TENON_OK)
        return 2;
    if (!find_part(tune)) {
        tn_message("error",
                   "tenon run: there is nothing to tune: no solver of the model takes steps in time");
        return 2;
    }
    if (tune->model->study.assembly->system.nv == 0) {
        tn_message("error", "tenon run: there is nothing to tune: nothing in the model moves");
        return 2;
    }
    if (tn_attempt(&tune->model->memory, describe_part(tune))) return 0;
    return tn_crash_lacks_memory(tune->model->memory.lack);
}

void tn_tune_close(tn_tune_model *tune) { tenon_close(tune->model); }

const char *tn_tune_lines(const tn_tune_model *tune, const char *type, const char *settings)
{
    tn_text text = {0};
    tn_text_add(&text, "%s\ntype = \"%s\"\n", tune->part ? "[[solver]]" : "[solver]", type);
    for (const char *end; *settings; settings = end + (*end == ';')) {
        while (*settings == ' ')
            settings++;
        end = strchrnul(settings, ';');
        tn_text_add_letters(&text, settings, (size_t)(end - settings));
        tn_text_add(&text, "\n");
    }
    tn_text_add(&text, "%s", tune->kept);
    return text.letters;
}

/* ---- one try ------------------------------------------------------------------------------------------------- */

#define FIRST_STRIDE 1e-3       /* of the accuracy */
#define LEFT 1e-3               /* of a run that is stopped */
enum { CHILD_LACKS_MODEL = 3 }; /* exit status */

typedef struct
try {
    const tn_tune_model *tune;
    const char *text;
    double exploring; /* s on the wall: as far as it gets; 0: from point to point */
    tn_tune_result *result;
}
try;

tn_tune_result *tn_tune_result_new(const tn_tune_model *tune)
{
    const size_t size = sizeof(tn_tune_result) + TN_TUNE_POINTS * tune->coordinates * sizeof(double);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) return memory;
    tn_message("error", "tenon run: no memory for the results of other processes: %s", strerror(errno));
    return NULL;
}

/* How far the motion has gone in a step. The coordinates before it stand among the results. */
static double find_progress(const tn_tune_model *tune, tn_tune_result *result, const double *q)
{
    double largest = 0.0;
    for (size_t k = 0; k < tune->coordinates; k++)
        largest = fmax(largest, fabs(q[k] - result->q[k]) / tune->scale[k]);
    memcpy(result->q, q, tune->coordinates * sizeof *q);
    return largest;
}

/* Keeps every second mark, twice as far apart, where there is no room left. */
static void mark_time(tn_tune_result *result, double time)
{
    if (result->gone < result->stride) return;
    result->gone = 0.0;
    result->mark[result->marks++] = time;
    if (result->marks < TN_TUNE_MARKS) return;
    for (uint32_t k = 0; k < TN_TUNE_MARKS / 2; k++)
        result->mark[k] = result->mark[2 * k + 1];
    result->marks /= 2;
    result->stride *= 2.0;
}

static tenon_status explore(const try *work, tenon_model *model)
{
    tn_tune_result *result = work->result;
    const double begun = tn_clock_now(), *q = model->study.assembly->system.q;
    tenon_status status = TENON_OK;
    (void)find_progress(work->tune, result, q);
    for (uint64_t k = 1; status == TENON_OK && tn_clock_now() - begun < work->exploring; k++) {
        status = tenon_step(model);
        if (status != TENON_OK && status != TENON_ENDED) return status;
        if ((k & (k - 1)) == 0) result->power_of_two = tenon_time(model);
        result->gone += find_progress(work->tune, result, q);
        mark_time(result, tenon_time(model));
    }
    result->ended = status == TENON_ENDED;
    return TENON_OK;
}

static tenon_status visit_points(const try *work, tenon_model *model)
{
    const tn_tune_model *tune = work->tune;
    for (int k = 0; k < TN_TUNE_POINTS; k++) {
        const double time = tune->point[k];
        const tenon_status status = tenon_step_to(model, time);
        const bool early =
            status == TENON_ENDED && tenon_time(model) < time - 1e-9 * (tune->end - tune->start);
        if (early || (status != TENON_OK && status != TENON_ENDED)) return early ? TENON_ENDED : status;
        memcpy(work->result->q + (size_t)k * tune->coordinates, model->study.assembly->system.q,
               tune->coordinates * sizeof(double));
    }
    return TENON_OK;
}

static void tell_reason(tn_tune_result *result, tenon_model *model, tenon_status status)
{
    const char *reason = tenon_reason(model);
    if (status == TENON_ENDED)
        (void)snprintf(result->reason, sizeof result->reason, "it ended before the others, at %.6g s",
                       tenon_time(model));
    else
        (void)tn_print_cut(result->reason, sizeof result->reason, "%s",
                           reason && reason[0] ? reason : "it has failed without a reason");
}

/* In a process of its own. */
static int carry_out(void *data)
{
    const try *work = data;
    const tn_tune_model *tune = work->tune;
    tenon_options asked = tune->options->asked;
    tenon_model *model = NULL;
    asked.size = sizeof asked;
    asked.overrides = NULL; /* they are in the text */
    asked.override_count = 0;
    asked.solver = asked.results = NULL;
    const tn_library_source source = {tune->options->model, work->text, tune->folder, false};
    tenon_status status = tn_library_open(&source, &asked, &(tn_library_wishes){.writes = false}, &model);
    if (!model) return CHILD_LACKS_MODEL;
    if (status == TENON_OK && model->study.assembly->system.nq != tune->coordinates) status = TENON_FAILED;
    if (status == TENON_OK) status = tenon_start(model);
    const double begun = tn_clock_now();
    if (status == TENON_OK) status = work->exploring > 0.0 ? explore(work, model) : visit_points(work, model);
    tn_tune_result *result = work->result;
    result->time = tn_clock_now() - begun;
    result->reached = tenon_time(model);
    result->steps = model->study.assembly ? model->study.assembly->statistics.steps : 0;
    result->came_through = status == TENON_OK;
    if (status != TENON_OK) tell_reason(result, model, status);
    return 0;
}

/* An interrupt from the keyboard has ended the child alone: it was meant for all. */
static void follow_interrupt(int status)
{
    if (status != 128 + SIGINT) return;
    (void)signal(SIGINT, SIG_DFL);
    (void)raise(SIGINT);
}

static void run_try(const tn_tune_model *tune, const char *type, const char *settings, double exploring,
                    double seconds, tn_tune_result *result)
{
    tn_text text = {0}, told = {0};
    tn_text_add(&text, "%s\n%s", tune->base, tn_tune_lines(tune, type, settings));
    *result = (tn_tune_result){.stride = FIRST_STRIDE * tune->accuracy, .power_of_two = tune->start};
    try work = {tune, text.letters, exploring, result};
    const int status = tn_run_child(carry_out, &work, seconds, &told);
    follow_interrupt(status);
    if (status == TN_CHILD_KILLED)
        (void)snprintf(result->reason, sizeof result->reason, TN_TUNE_NO_END " after %.3g s", seconds);
    else if (status == TN_CHILD_NOT_STARTED)
        (void)snprintf(result->reason, sizeof result->reason, "no process could be started for it");
    else if (status == CHILD_LACKS_MODEL)
        (void)snprintf(result->reason, sizeof result->reason, "there is no memory for the model");
    else if (status != 0)
        (void)snprintf(result->reason, sizeof result->reason, "its process ended with status %d", status);
    if (status != 0) result->came_through = false;
    tn_free(text.letters);
    tn_free(told.letters);
}

void tn_tune_try(const tn_tune_model *tune, const char *type, const char *settings, double seconds,
                 tn_tune_result *result)
{
    run_try(tune, type, settings, 0.0, seconds, result);
}

bool tn_tune_explore(tn_tune_model *tune, const char *type, const char *settings, double seconds,
                     tn_tune_result *result)
{
    run_try(tune, type, settings, seconds, 2.0 * seconds, result);
    /* where `stop_when` has stopped it others stop somewhat before or behind: a little is left to them */
    const bool stopped = result->ended && result->reached < tune->end;
    const double horizon = !result->ended ? result->power_of_two
                           : stopped      ? result->reached - LEFT * (result->reached - tune->start)
                                          : tune->end;
    size_t marks = 0;
    if (!result->came_through || !(horizon > tune->start)) return false;
    while (marks < result->marks && result->mark[marks] < horizon)
        marks++;
    for (size_t k = 0; k < TN_TUNE_POINTS; k++)
        tune->point[k] =
            marks < TN_TUNE_POINTS ? horizon : result->mark[(k + 1) * marks / TN_TUNE_POINTS - 1];
    tune->point[TN_TUNE_POINTS - 1] = horizon;
    tune->whole = result->ended;
    return true;
}

double tn_tune_error(const tn_tune_model *tune, const tn_tune_result *a, const tn_tune_result *b)
{
    double largest = 0.0;
    for (size_t k = 0; k < TN_TUNE_POINTS * tune->coordinates; k++) {
        const double error = fabs(a->q[k] - b->q[k]) / tune->scale[k % tune->coordinates];
        if (!(error <= largest)) largest = error; /* what is no number counts */
    }
    return largest;
}

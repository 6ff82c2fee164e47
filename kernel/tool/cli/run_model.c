/* run_model.c - runs and checks models for the program (see run_model.h) */
#include "cli/run_model.h"

#include "analysis/redundancy.h"
#include "cli/crash.h"
#include "cli/figure_summary.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "run/statistics.h"
#include "library/library.h"
#include "values/value_events.h"

#include <stdio.h>

enum { MOST_EVENTS = 5 };                         /* that a summary tells */
enum { EXPECTATION_FAILED = 3, TIMED_OUT = 124 }; /* exit status */

/* ---- what the program hears of the run --------------------------------------------------------------------- */

typedef struct client {
    const tn_run_options *options;
    const tn_checkpoint *checkpoint; /* that the run is to go on from; NULL */
    tn_message_printer printer;
    bool waits; /* the run has not come to where it goes on: its messages have been told before */
    tn_progress progress;
} client;

static void hear_message(void *data, const tn_diagnostic *message)
{
    const client *self = data;
    const tn_message_listener printer = tn_message_printer_listener(&self->printer);
    if (!self->waits || message->severity == TN_SEVERITY_ERROR) printer.hear(printer.data, message);
}

static void hear_count(void *data, tn_severity severity, size_t more, const char *text)
{
    const client *self = data;
    const tn_message_listener printer = tn_message_printer_listener(&self->printer);
    if (!self->waits || severity == TN_SEVERITY_ERROR) printer.count(printer.data, severity, more, text);
}

static void watch_study(void *data, tn_study *study)
{
    tn_crash_watch(study, ((const client *)data)->options->quiet);
}

static void unwatch_study(void *data)
{
    (void)data;
    tn_crash_watch(NULL, false);
}

static void begin_run(void *data, tn_study *study)
{
    tn_progress_open(&((client *)data)->progress, study->assembly);
    /* else it is ended between two steps, where a checkpoint can be made */
    if (!tn_checkpoints_wanted(study)) tn_interrupts_observe(study->assembly);
}

static void go_on(void *data, tn_study *study)
{
    client *self = data;
    self->waits = false;
    if (!self->options->quiet)
        tn_message("note", "the run goes on from its checkpoint at %.9g s", study->assembly->system.time);
}

static void end_run(void *data, tn_study *study)
{
    tn_interrupts_unobserve(study->assembly);
    tn_crash_unlimit();
    tn_progress_close(&((client *)data)->progress);
}

static void begin_solver(void *data, const tn_solver_plan *plan)
{
    client *self = data;
    tn_progress_start(&self->progress, plan, self->options->quiet);
}

static bool is_interrupted(void *data)
{
    (void)data;
    if (tn_interrupted) tn_interrupts_answered();
    return tn_interrupted != 0;
}

static void mask_signals(void *data, bool begins)
{
    (void)data;
    tn_interrupts_mask(begins);
}

static tenon_status open_for_command(client *self, bool runs, tenon_model **model)
{
    const tn_run_options *options = self->options;
    self->printer = (tn_message_printer){
        .stream = stderr, .json = tn_message_chosen() == TN_MESSAGES_JSON, .quiet = options->quiet};
    tenon_options asked = options->asked;
    asked.size = sizeof asked;
    asked.check_only = !runs;
    const tn_library_wishes wishes = {.client = {.data = self,
                                                 .open = watch_study,
                                                 .close = unwatch_study,
                                                 .begin = begin_run,
                                                 .end = end_run,
                                                 .solver = begin_solver,
                                                 .resumed = go_on,
                                                 .is_interrupted = is_interrupted,
                                                 .write = mask_signals},
                                      .listener = {self, hear_message, hear_count},
                                      .checkpoint = self->checkpoint,
                                      .writes = true,
                                      .expanded = options->expanded,
                                      .guard = options->guard};
    return tn_library_open(&(tn_library_source){.name = options->model}, &asked, &wishes, model);
}

static int tell_lack(const tenon_model *model)
{
    return tn_crash_lacks_memory(model ? model->memory.lack : "out of memory");
}

/* ---- run --------------------------------------------------------------------------------------------------- */

static void print_events(const tn_study *study)
{
    double time = 0.0;
    const tn_live_value *condition;
    for (uint32_t k = 0; (condition = tn_condition_met(study->assembly, k, &time)); k++) {
        if (k == MOST_EVENTS) {
            (void)printf("         and more, see run.toml\n");
            return;
        }
        (void)printf("%s %.9g s: %s = \"%s\"\n", k ? "        " : "events  ", time, condition->node->key,
                     condition->node->text);
    }
}

/* Why steps were rejected, who decided their length, what the time went to, and how the factors fill. */
static void print_statistics(const tn_study *study)
{
    const tn_run_statistics found = tn_run_statistics_of(study);
    const char *const reasons[TN_REJECTIONS] = {"by their error", "by the iteration", "by a domain",
                                                "shortened for events"};
    const char *before = "rejected ";
    for (int k = 0; k < TN_REJECTIONS; k++) {
        if (!found.rejected[k]) continue;
        (void)printf("%s%llu %s", before, (unsigned long long)found.rejected[k], reasons[k]);
        before = ", ";
    }
    if (before[0] == ',') (void)putchar('\n');
    const tn_governor *governor = &found.governor;
    if (governor->group)
        (void)printf("governed by `%s` in %.0f %% of the steps\n", tn_governor_name(study, governor),
                     100.0 * (double)governor->count / (double)governor->all);
    (void)printf("phases  ");
    for (int k = 0; k < TN_PHASES; k++)
        (void)printf("%s %s %.0f %%", k ? "," : "", tn_phase_names[k],
                     study->wall_time > 0.0 ? 100.0 * found.phase[k] / study->wall_time : 0.0);
    (void)putchar('\n');
    if (found.factors > 0.0)
        (void)printf("factors  %.0f entries for %.0f of the matrix, by %s\n", found.factors, found.matrix,
                     found.linear);
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
    print_statistics(study);
    const tn_recorded recorded = tn_recorder_rows(study->recorder);
    if (recorded.interval > 0.0)
        (void)printf("rows     %llu, at most one every %.6g s\n", (unsigned long long)recorded.rows,
                     recorded.interval);
    tn_figures_print(study);
    (void)printf("results  %s\n", study->plan.directory);
}

/* Of a run that has begun; `ended` is what it has come to by itself. */
static int check_expectations(tenon_model *model, bool quiet, int ended)
{
    const volatile int status = ended; /* a lack of memory comes by a jump */
    volatile bool holds = true;
    if (!tn_attempt(&model->memory, holds = tn_expectations_tell(&model->study, quiet)))
        return tell_lack(model);
    return status == 0 && !holds ? EXPECTATION_FAILED : status;
}

static int end_of_interrupted(const tenon_model *model, unsigned limit)
{
    if (tn_interrupted != SIGVTALRM) return 128 + (int)tn_interrupted;
    tn_message("error", "the run was ended after %u s, as --limit says, at time %.9g s", limit,
               model->study.assembly->system.time);
    return TIMED_OUT;
}

static int end_of_run(const tenon_model *model, const tn_run_options *options)
{
    switch (model->result) {
    case TN_STUDY_FINISHED:
        return 0;
    case TN_STUDY_INTERRUPTED:
        return end_of_interrupted(model, options->limit);
    case TN_STUDY_REFUSED_BY_FILES:
        tn_message("note", "choose another directory by `--out`, or move away what is not needed there");
        return 2;
    case TN_STUDY_REFUSED:
        return 2;
    case TN_STUDY_FAILED:
        break;
    }
    return 1;
}

static int run_opened(tenon_model *model, const tn_run_options *options)
{
    tn_interrupts_catch();
    const tenon_status status = tenon_run(model);
    tn_interrupts_release();
    if (status == TENON_OUT_OF_MEMORY) return tell_lack(model);
    if (model->study.status && !options->quiet) {
        volatile bool lacks = !tn_attempt(&model->memory, print_summary(&model->study));
        if (lacks) return tell_lack(model);
    }
    const int ended = end_of_run(model, options);
    return options->check && model->study.status ? check_expectations(model, options->quiet, ended) : ended;
}

/* What a plugin refuses is no mistake of its own. */
static void tell_outcome(const tn_study *study, int status, tn_run_outcome *outcome)
{
    const tn_assembly *assembly = study->assembly;
    *outcome = (tn_run_outcome){.steps = assembly ? assembly->statistics.steps : 0};
    outcome->blames_plugin = study->registry && tn_registry_has_culprit(study->registry) &&
                             !(study->model && study->model->refused);
    outcome->lost_numbers = status == 1 && assembly &&
                            (assembly->failures.spoiler.group || assembly->failures.spoiler.derived ||
                             assembly->failures.refusal.message == assembly->failures.refusal.number);
}

int tn_run_from(const tn_run_options *options, const tn_checkpoint *checkpoint)
{
    client self = {.options = options, .checkpoint = checkpoint, .waits = checkpoint != NULL};
    tenon_model *model = NULL;
    const tenon_status opened = open_for_command(&self, true, &model);
    const int status = opened == TENON_OUT_OF_MEMORY ? tell_lack(model)
                       : opened != TENON_OK          ? 2
                                                     : run_opened(model, options);
    if (options->outcome && model) tell_outcome(&model->study, status, options->outcome);
    tenon_close(model);
    if (options->outcome) options->outcome->returned = true;
    return status;
}

int tn_run_model(const tn_run_options *options) { return tn_run_from(options, NULL); }

/* ---- check ------------------------------------------------------------------------------------------------- */

static void print_freedom(const tn_study *study, const tn_rank *rank)
{
    (void)printf("degrees of freedom: %u\nredundant constraints: %u\n",
                 study->assembly->system.nv - rank->rank, rank->redundant);
    for (uint32_t set = 0; set < rank->set_count; set++) {
        tn_dependent_set_print(stdout, study->assembly, rank, set, UINT32_MAX);
        (void)putchar('\n');
    }
}

static void print_sizes(const tn_study *study)
{
    const tn_system *system = &study->assembly->system;
    (void)printf("elements and markers: %zu\nconfiguration coordinates: %u\nvelocity coordinates: "
                 "%u\nconstraint rows: %u\nsensors: %zu\n",
                 study->model->names.count, system->nq, system->nv, system->rows, study->model->sensor_count);
}

static int check_study(tn_study *study)
{
    tn_rank rank;
    const bool good = tn_study_check(study, &rank);
    if (good) print_freedom(study, &rank);
    tn_rank_free(&rank);
    print_sizes(study);
    return good ? 0 : 1;
}

int tn_check_model(const tn_run_options *options)
{
    client self = {.options = options};
    tenon_model *model = NULL;
    volatile int status = 2;
    if (open_for_command(&self, false, &model) == TENON_OK)
        (void)tn_attempt(&model->memory, status = check_study(&model->study));
    if (!model || model->memory.lack[0]) status = tell_lack(model);
    tenon_close(model);
    return status;
}

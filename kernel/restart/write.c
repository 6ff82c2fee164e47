/* write.c - runs a study, and makes its checkpoints on the way (see restart.h) */
#include "restart/contents.h"
#include "run/put_file.h"
#include "run/clock.h"
#include "state/state.h"
#include "system/accept.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define SHORT 5e-4         /* s on the wall, between two looks at the clock */
enum { MOST_STEPS = 256 }; /* meanwhile: the next one may last much longer than those before */

typedef struct schedule {
    tn_study *study;
    tn_run_origin origin;
    tn_arena arena;
    double due;       /* s on the wall */
    double due_at;    /* s of the model; HUGE_VAL: no more */
    double last;      /* s of the model: of the checkpoint that was made last; NaN: there is none */
    size_t looked;    /* the part of the run whose solver was looked at, and one more */
    bool hides;       /* that solver, or its linear solver, keeps some of its memory out of reach */
    uint64_t stride;  /* steps between two looks at the clock */
    double looked_at; /* s on the wall */
    bool fails;       /* the last one could not be written, which was told */
    tn_text hidden;   /* by whom */
} schedule;

bool tn_checkpoints_wanted(const tn_study *study)
{
    return study->options->writes && tn_plan_has_checkpoints(&study->plan);
}

/* ---- when -------------------------------------------------------------------------------------------------- */

static double slack_at(const tn_study *study, double time)
{
    return tn_slack_of_times(time, study->assembly->system.run->step);
}

/* The first of the chosen times behind this one. */
static double next_time(const tn_study *study, double time)
{
    const tn_list *times = &study->plan.checkpoint.times;
    double next = HUGE_VAL;
    for (size_t k = 0; k < times->count; k++)
        if (times->value[k] > time + slack_at(study, time)) next = fmin(next, times->value[k]);
    return next;
}

/* ---- what it is of ----------------------------------------------------------------------------------------- */

/* False after a warning: there would be no way to tell later that nothing has changed. */
static bool add_file(schedule *s, const char *path)
{
    tn_run_origin *origin = &s->origin;
    const char *whole = tn_document_identity(s->study->document, path);
    uint64_t sum = 0;
    if (!tn_sum_file(whole, &sum)) {
        tn_study_tell(s->study, TN_SEVERITY_WARNING, "no checkpoints are made: %s cannot be read: %s", whole,
                      strerror(errno));
        return false;
    }
    TN_APPEND(origin->file, origin->files, (tn_read_file){whole, sum});
    return true;
}

static bool find_origin(schedule *s)
{
    tn_study *study = s->study;
    const tenon_options *asked = &study->options->asked;
    tn_run_origin *origin = &s->origin;
    const char *path;
    *origin = (tn_run_origin){.version = TENON_VERSION,
                              .asked = {.folder = tn_adopt(getcwd(NULL, 0)),
                                        .model = study->options->model,
                                        .solver = asked->solver,
                                        .overrides = (const char **)asked->overrides,
                                        .override_count = asked->override_count,
                                        .threads = asked->threads,
                                        .expanded = study->options->expanded},
                              .places = tn_plan_places(&study->plan)};
    origin->place = tn_new(origin->places, sizeof *origin->place);
    if (!origin->asked.folder || !tn_sum_program(study->options->installation, &origin->program)) {
        tn_study_tell(study, TN_SEVERITY_WARNING, "no checkpoints are made: %s: %s",
                      origin->asked.folder ? "the program cannot be read" : "the current folder is unknown",
                      strerror(errno));
        return false;
    }
    for (size_t k = 0; (path = tn_document_input_path(study->document, k)); k++)
        if (!add_file(s, path)) return false;
    return true;
}

/* ---- the file ---------------------------------------------------------------------------------------------- */

/* All of it, behind room for the first line. */
static tn_spans collect(schedule *s)
{
    tn_study *study = s->study;
    tn_spans spans = tn_spans_write(), course = tn_spans_write();
    (void)tn_spans_add(&spans, TN_FIRST_LENGTH);
    s->origin.asked.time = study->assembly->system.time;
    tn_run_origin_list(&s->origin, &spans.visitor, NULL);
    tn_course_list(study, &course.visitor);
    uint64_t size = course.used;
    TN_VISIT(&spans.visitor, size);
    spans.visitor.bytes(&spans.visitor, course.bytes, size);
    tn_free(course.bytes);
    tn_text anew = {0};
    const size_t state = tn_state_save(study, NULL, 0, &anew);
    (void)tn_state_save(study, tn_spans_add(&spans, state), state, &anew);
    tn_free(anew.letters);
    return spans;
}

static bool make_checkpoint(schedule *s)
{
    tn_study *study = s->study;
    if (!tn_recorder_find_places(study->recorder, s->origin.place)) return false; /* which ends the run */
    tn_spans spans = collect(s);
    char line[TN_FIRST_LENGTH + 1];
    const size_t rest = spans.used - TN_FIRST_LENGTH;
    (void)snprintf(line, sizeof line, TN_FIRST_LINE, rest,
                   tn_sum_bytes(TN_START_OF_SUM, spans.bytes + TN_FIRST_LENGTH, rest));
    memcpy(spans.bytes, line, TN_FIRST_LENGTH);
    const tn_file_place place = {study->results.descriptor, TN_CHECKPOINT, TN_CHECKPOINT_IN_WORK, true};
    const bool good = tn_put_file(&place, &(tn_file_part){spans.bytes, spans.used}, 1);
    if (!good && !s->fails)
        tn_study_tell(study, TN_SEVERITY_WARNING,
                      "at time %.9g s the checkpoint %s/" TN_CHECKPOINT
                      " could not be written: %s; the one before, if "
                      "any, is as it was",
                      study->assembly->system.time, study->plan.directory, strerror(errno));
    tn_free(spans.bytes);
    s->fails = !good;
    if (good) s->last = study->assembly->system.time;
    return good;
}

/* ---- the run ----------------------------------------------------------------------------------------------- */

/* Another solver may have begun: whether it hands over all that it knows. */
static void look_at_solver(schedule *s)
{
    tn_study *study = s->study;
    if (s->looked == study->running.number + 1) return;
    s->looked = study->running.number + 1;
    s->hidden.length = 0;
    s->hides = tn_state_hides(study, &s->hidden);
    if (!s->hides || study->tells_hidden) return;
    study->tells_hidden = true;
    tn_study_tell(
        study, TN_SEVERITY_WARNING,
        "%s cannot hand over all that it has learnt from earlier steps, so that checkpoints are made at the "
        "`checkpoint_times` only, where it begins that anew: these times have an influence on the results",
        s->hidden.letters);
}

/* One that seeks a single state is no place to go on from: it would seek again. */
static bool stands_at_step(const tn_study *study)
{
    const tn_solver_run *running = &study->running;
    return tn_study_stands(study) && running->number < study->plan.solver_count && running->begun &&
           running->work && running->status == TN_OK &&
           !(study->plan.solver[running->number].type->flags & TN_SINGLE_STATE);
}

/* A call of a solver costs as much as a step of a small model, and a signal is to be answered soon. */
static void choose_stride(schedule *s, double now)
{
    const double taken = now - s->looked_at;
    s->looked_at = now;
    if (taken < SHORT && s->stride < MOST_STEPS) s->stride *= 2;
    if (taken > 2.0 * SHORT && s->stride > 1) s->stride /= 2;
}

static void look_at_step(schedule *s)
{
    tn_study *study = s->study;
    const double time = study->assembly->system.time, every = study->plan.checkpoint.every;
    const double now = tn_clock_now();
    choose_stride(s, now);
    look_at_solver(s);
    if (!stands_at_step(study)) return;
    if (time >= s->due_at - slack_at(study, time)) {
        (void)make_checkpoint(s);
        s->due_at = next_time(study, time);
    } else if (every > 0.0 && !s->hides && now >= s->due) {
        (void)make_checkpoint(s);
    } else {
        return;
    }
    s->looked_at = tn_clock_now();
    s->due = s->looked_at + every;
}

/* The run ends early: a note gives the command that resumes it. */
static void conclude(schedule *s)
{
    tn_study *study = s->study;
    const char *directory = study->plan.directory, *trust = study->options->asked.trust ? " --trust" : "";
    if (!stands_at_step(study)) return;
    if (!s->hides && make_checkpoint(s)) {
        tn_study_tell(study, TN_SEVERITY_NOTE, "`tenon run --resume %s%s` goes on from here, %.9g s",
                      directory, trust, s->last);
        return;
    }
    const char *reason = s->hides ? s->hidden.letters : NULL;
    tn_text text = {0};
    if (reason) tn_text_add(&text, "%s can be left at the `checkpoint_times` only: ", reason);
    if (isnan(s->last))
        tn_text_add(&text, "there is no checkpoint yet, from which the run could go on");
    else
        tn_text_add(&text, "`tenon run --resume %s%s` goes on from the last checkpoint, at %.9g s", directory,
                    trust, s->last);
    tn_study_tell(study, TN_SEVERITY_NOTE, "%s", text.letters);
    tn_free(text.letters);
}

void tn_checkpoints_run(tn_study *study)
{
    schedule s = {.study = study, .last = study->resumed_at, .due_at = HUGE_VAL, .stride = 1};
    const bool makes = find_origin(&s);
    double time = study->assembly->system.time;
    s.looked_at = tn_clock_now();
    s.due = s.looked_at + study->plan.checkpoint.every;
    if (makes) s.due_at = next_time(study, time);
    while (!tn_study_is_interrupted(study) &&
           tn_study_go_on(study, s.due_at - slack_at(study, time), s.stride)) {
        if (makes) look_at_step(&s);
        time = study->assembly->system.time;
    }
    if (makes && tn_study_is_interrupted(study)) conclude(&s);
    tn_free(s.hidden.letters);
}

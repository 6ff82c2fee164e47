/* recorder.c - what happens at every accepted step: rows, callbacks, progress, interruption */
#define _GNU_SOURCE
#include "run/recorder.h"

#include "base/message.h"
#include "run/interrupt.h"
#include "run/results.h"
#include "run/solver_watch.h"
#include "system/redundancy.h"
#include "system/value_source.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A table in all writers. */
typedef struct table {
    const char *name;
    void **self; /* [writers]; NULL for one that is not open */
    double *row;
    size_t columns;
} table;

struct tn_recorder {
    tn_assembly *assembly;
    const tn_plan *plan;
    tn_arena arena;
    table sensors, states;
    bool broken, accepts; /* a writer failed; some type wants to know of accepted steps */
    bool waits;           /* the model has conditions */
    double start, end, last_row, last_time, next_row;
    const tn_solver_plan *solver;
    tn_solver_watch watch;
    double interval; /* s: of rows; 0: every step */
    double stride;   /* s: times of rows nearer than a share of it are the same */
    uint64_t rows;
    bool sparse;         /* nobody has asked for the interval */
    uint64_t next;       /* number of the next row */
    bool progress, line; /* wanted; there is one on the terminal that has not ended */
    double shown, begun; /* wall times */
    uint64_t steps;      /* of the solvers before */
};

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- tables ---------------------------------------------------------------------------------------------- */

/* A writer that did not do what it was called for; what it has said about that stands on standard error. */
static void blame_writer(tn_recorder *recorder, size_t k, const char *function, const table *t,
                         tn_status status)
{
    recorder->broken = true;
    const tn_model *model = recorder->assembly->model;
    (void)tn_blame(recorder->assembly, recorder->plan->writer[k].type, function,
                   "has failed for the table `%s`, so the results cannot be written: %s", t->name,
                   model->refused ? model->refusal : tn_status_text(status));
}

static bool open_table(tn_recorder *recorder, table *t, const char *name, const tn_column *columns,
                       size_t count)
{
    const tn_plan *plan = recorder->plan;
    t->name = name;
    t->self = tn_new(plan->writer_count, sizeof *t->self);
    t->row = tn_new(count, sizeof *t->row);
    t->columns = count;
    for (size_t k = 0; k < plan->writer_count; k++) {
        const tn_status status =
            tn_call(plan->writer[k].type, open, &recorder->assembly->model->host, plan->writer[k].instance,
                    plan->directory, name, columns, count, &t->self[k]);
        if (status == TN_OK) continue;
        blame_writer(recorder, k, "open", t, status);
        return false;
    }
    return true;
}

static void write_row(tn_recorder *recorder, const table *t)
{
    for (size_t k = 0; k < recorder->plan->writer_count; k++) {
        const tn_status status = tn_call(recorder->plan->writer[k].type, row, t->self[k], t->row);
        if (status != TN_OK) blame_writer(recorder, k, "row", t, status);
    }
}

static void close_table(tn_recorder *recorder, table *t)
{
    for (size_t k = 0; t->self && k < recorder->plan->writer_count; k++) {
        const tn_status status =
            t->self[k] ? tn_call(recorder->plan->writer[k].type, close, t->self[k]) : TN_OK;
        if (status != TN_OK) blame_writer(recorder, k, "close", t, status);
    }
    free(t->self);
    free(t->row);
}

/* owner.q0, owner.q1, ...; the column behind them. */
static tn_column *name_states(tn_arena *arena, tn_column *column, const char *owner, const char *letter,
                              uint32_t count)
{
    for (uint32_t c = 0; c < count; c++)
        *column++ = (tn_column){tn_arena_print(arena, "%s.%s%u", owner, letter, c), ""};
    return column;
}

/* time, then q, v and multipliers of every element: body.q0, body.q1, ... */
static bool open_states(tn_recorder *recorder)
{
    const tn_assembly *assembly = recorder->assembly;
    const size_t count = 1 + assembly->system.nq + assembly->system.nv + assembly->system.rows;
    tn_column *columns = tn_arena_new(&recorder->arena, count * sizeof *columns), *q = columns + 1;
    tn_column *v = q + assembly->system.nq, *lambda = v + assembly->system.nv;
    columns[0] = (tn_column){"time", "s"};
    for (size_t k = 0; k < assembly->group_count; k++) {
        const tn_group *group = &assembly->group[k];
        for (uint32_t i = 0; i < group->batch.count; i++) {
            const char *owner = tn_item_name(assembly->model, group->item[i]);
            q = name_states(&recorder->arena, q, owner, "q", group->batch.layout->nq);
            v = name_states(&recorder->arena, v, owner, "v", group->batch.layout->nv);
            lambda = name_states(&recorder->arena, lambda, owner, "lambda", group->rows);
        }
    }
    return open_table(recorder, &recorder->states, TN_STATES, columns, count);
}

/* ---- accepted steps -------------------------------------------------------------------------------------- */

/* Times that lie nearer than this are the same: a share of a `stride`, or the round-off of times. */
static double slack_at(double time, double stride)
{
    return fmax(1e-9 * stride, 4.0 * DBL_EPSILON * fabs(time));
}

/* Steps add up to intervals but for a share of these; however long they are, that is less than a step. */
static double stride_of_rows(const tn_recorder *recorder, double step)
{
    const double interval = recorder->interval;
    const double stride = fmin(fmin(interval, recorder->end - recorder->start), 0.25e9 * step);
    return interval > 0.0 ? stride : step;
}

/* Sensors of what has no value tell so; a result that could not be worked out is none, nor are reactions of dependent rows that
 * are not the least ones. */
static tn_status evaluate_results(tn_assembly *assembly)
{
    const tn_status status = tn_evaluate_outputs(assembly);
    const bool lacks_reactions = assembly->redundant && !assembly->shows_least;
    if (status <= TN_EVENT && !lacks_reactions) return TN_OK;
    tn_outputs_done(assembly);
    return assembly->system.fail(&assembly->system, status > TN_EVENT ? status : TN_FATAL, NULL,
                                 "this is what is to be recorded");
}

static tn_status record(tn_recorder *recorder, double time)
{
    tn_assembly *assembly = recorder->assembly;
    tn_system *system = &assembly->system;
    const tn_status status = evaluate_results(assembly);
    if (status != TN_OK) return status;
    recorder->sensors.row[0] = time;
    tn_sensor_values(assembly, system->time - recorder->last_time, recorder->sensors.row + 1);
    write_row(recorder, &recorder->sensors);
    if (recorder->plan->states) {
        double *row = recorder->states.row;
        row[0] = time;
        memcpy(row + 1, system->q, system->nq * sizeof *row);
        memcpy(row + 1 + system->nq, system->v, system->nv * sizeof *row);
        memcpy(row + 1 + system->nq + system->nv, system->lambda, system->rows * sizeof *row);
        write_row(recorder, &recorder->states);
    }
    tn_outputs_done(assembly);
    recorder->last_row = time;
    recorder->rows++;
    return TN_OK;
}

/* The time of the next row, never beyond the end. */
static double next_time(const tn_recorder *recorder)
{
    if (!(recorder->interval > 0.0)) return recorder->end;
    const double time = recorder->start + (double)recorder->next * recorder->interval;
    return time < recorder->end - slack_at(time, recorder->stride) ? time : recorder->end;
}

static void show_progress(tn_recorder *recorder)
{
    const tn_system *system = &recorder->assembly->system;
    const double wall = now();
    if (wall - recorder->shown < 0.2) return;
    recorder->shown = wall;
    recorder->line = true;
    const double used = wall - recorder->begun, done = system->time - recorder->start;
    const double left = done > 0.0 ? used * (recorder->end - system->time) / done : 0.0;
    (void)fprintf(stderr, "\rt = %-10.6g s  step %-9.3g s  %.3g steps/s  %5.1f %%  %.0f s left   ",
                  system->time, system->time - recorder->last_time,
                  used > 0.0 ? (double)(system->statistics->steps - recorder->steps) / used : 0.0,
                  100.0 * done / (recorder->end - recorder->start), left);
    (void)fflush(stderr);
}

/* What an element has to tell about the step. */
static void pass_on(tn_model *model, const tn_group *group, double time)
{
    const uint32_t item = group->item[group->failure.instance];
    tn_host_point(model, model->item[item].origin->table, tn_item_name(model, item));
    tn_say(&model->host, TN_WARNING, "at time %.9g s: %s", time, group->failure.message);
    tn_host_point(model, NULL, NULL);
}

static tn_status call_accepted(const tn_assembly *assembly, tn_group *group)
{
    group->failure = (tn_failure){0};
    const tn_status status = tn_call(group->type, accepted, &group->batch);
    if (status == TN_OK && group->failure.message) pass_on(assembly->model, group, assembly->system.time);
    return tn_worse(status, TN_OK);
}

/* The motion behind a change, at the time of the step that was accepted before it. */
static tn_status accept_change(tn_assembly *assembly)
{
    tn_status status = TN_OK;
    for (size_t k = 0; k < assembly->group_count && status == TN_OK; k++)
        if (assembly->group[k].type->accepted && assembly->group[k].type->flags & TN_KEEPS_RATES)
            status = call_accepted(assembly, &assembly->group[k]);
    if (status == TN_OK) tn_turns_accepted(assembly);
    return status;
}

/* For histories, which may keep forces and accelerations. */
static tn_status evaluate_accepted(tn_assembly *assembly)
{
    const bool reads_results = assembly->measures_forces || assembly->reads_accelerations || assembly->redundant;
    return reads_results && assembly->model->delay_count ? tn_evaluate_outputs(assembly)
                                                         : tn_evaluate_markers(assembly);
}

static tn_status run_callbacks(tn_assembly *assembly)
{
    tn_status worst = evaluate_accepted(assembly);
    for (size_t k = 0; k < assembly->group_count && worst == TN_OK; k++)
        if (assembly->group[k].type->accepted) worst = call_accepted(assembly, &assembly->group[k]);
    if (worst == TN_OK) tn_turns_accepted(assembly);
    if (worst == TN_OK) tn_values_accepted(assembly);
    tn_outputs_done(assembly);
    return worst;
}

/* What has jumped where the step ended: histories go on from behind that. */
static tn_status remember_jump(tn_assembly *assembly)
{
    if (!assembly->model->delay_count) return TN_OK;
    const tn_status status = evaluate_accepted(assembly);
    if (status == TN_OK) tn_values_accepted(assembly);
    tn_outputs_done(assembly);
    return status;
}

/* Makes the changes that are due; what the solver knows of the state is then renewed. */
static tn_status make_due(const tn_recorder *recorder, double time)
{
    tn_assembly *assembly = recorder->assembly;
    tn_system *system = &assembly->system;
    bool any = false;
    tn_status status = tn_changes_apply(assembly, time, &any);
    system->revision++;
    if (status == TN_OK) status = tn_make_consistent(assembly, false);
    if (status == TN_OK) status = tn_redundancy_renew(assembly);
    if (status != TN_OK) return status;
    status = system->evaluate(system);
    if (status == TN_OK) status = accept_change(assembly);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    return status == TN_OK ? TN_OK : system->fail(system, status, NULL, "this is the state after a change");
}

/* Whether changes are due, by their time or by conditions at the state of the last evaluation. */
static tn_status find_due(const tn_recorder *recorder, double slack, bool *due)
{
    tn_assembly *assembly = recorder->assembly;
    tn_system *system = &assembly->system;
    const tn_status status = tn_conditions_accepted(assembly, due);
    if (status != TN_OK)
        return system->fail(system, status, NULL, "`stop_when` and `crosses` were looked at here");
    *due = *due || system->next_change <= system->time + slack;
    return TN_OK;
}

/* What is changed may meet the conditions of other changes; each is made once. */
static tn_status make_changes(const tn_recorder *recorder)
{
    tn_system *system = &recorder->assembly->system;
    const double slack = slack_at(system->time, system->run->step);
    if (system->next_change < system->time - 1e3 * slack)
        return system->fail(system, TN_FATAL, NULL,
                            "the solver stepped over a change instead of landing on it");
    bool due = false;
    if (!recorder->waits && system->next_change > system->time + slack) return TN_OK;
    tn_status status = find_due(recorder, slack, &due);
    while (status == TN_OK && due) {
        status = make_due(recorder, system->time + slack);
        if (status == TN_OK) status = find_due(recorder, slack, &due);
    }
    return status;
}

/* Steps of a fixed length that are taken in parts have their row at their end. */
static bool ends_step(const tn_recorder *recorder)
{
    const tn_system *system = &recorder->assembly->system;
    const double step = system->run->step, time = system->time;
    if (system->run->adaptive || !(step > 0.0)) return true;
    const double end = recorder->start + round((time - recorder->start) / step) * step;
    return fabs(time - end) <= slack_at(time, step);
}

/* A row for every step has come to too many: from here on they stand at an interval. */
static void make_sparse(tn_recorder *recorder)
{
    const tn_system *system = &recorder->assembly->system;
    recorder->sparse = true;
    recorder->interval = recorder->solver->sparse_interval;
    recorder->stride = stride_of_rows(recorder, recorder->solver->run.step);
    const double passed = system->time - recorder->start + slack_at(system->time, recorder->stride);
    recorder->next = (uint64_t)(passed / recorder->interval) + 1;
    recorder->next_row = next_time(recorder);
    tn_tell(recorder->assembly->model->diagnostics, TN_SEVERITY_NOTE, (tn_place){0},
            "%llu rows are recorded by now: from %.9g s on there is one every %.6g s (`[output] interval` "
            "asks for more or fewer)",
            (unsigned long long)recorder->rows, system->time, recorder->interval);
}

static tn_status record_if_due(tn_recorder *recorder, bool changed, bool last)
{
    tn_status status = TN_OK;
    const tn_system *system = &recorder->assembly->system;
    const bool every_step = !(recorder->interval > 0.0);
    const double due = recorder->next_row;
    if (system->time >= due - slack_at(system->time, recorder->stride)) {
        if (due > recorder->last_row) status = record(recorder, due);
        recorder->next++;
        recorder->next_row = next_time(recorder);
    } else if (system->time > recorder->last_row &&
               (last || (every_step && (changed || ends_step(recorder))))) {
        status = record(recorder, system->time);
    }
    if (every_step && recorder->rows > TN_DENSE_ROWS && system->time < recorder->end) make_sparse(recorder);
    return status;
}

/* The step that ended was taken with the model as it was: elements hear of it before the model changes. The row shows
 * what comes after. */
static tn_status accept_step(tn_recorder *recorder)
{
    tn_assembly *assembly = recorder->assembly;
    tn_system *system = &assembly->system;
    const uint64_t change = assembly->changes_made;
    const uint32_t revision = system->revision;
    bool jumped = false;
    tn_status status = tn_algebraic_accepted(assembly);
    if (status == TN_OK && recorder->accepts)
        status = run_callbacks(assembly);
    else if (status == TN_OK)
        tn_turns_accepted(assembly);
    if (status == TN_OK) status = tn_events_accepted(assembly, &jumped);
    if (status == TN_OK && jumped) status = accept_change(assembly);
    if (status == TN_OK) tn_data_keep(assembly);
    if (status == TN_OK && assembly->sliding)
        status = tn_sliding_accepted(assembly, system->time - recorder->last_time);
    if (status == TN_OK) status = make_changes(recorder);
    if (status == TN_OK && system->revision != revision) status = remember_jump(assembly);
    if (status != TN_OK) return status;
    tn_algebraic_keep(assembly);
    tn_account_accepted(assembly);
    const bool stops = recorder->waits && tn_conditions_stop(assembly);
    status = record_if_due(recorder, assembly->changes_made != change, stops);
    if (status != TN_OK) return status;
    if (assembly->sliding) tn_sliding_remember(assembly);
    system->next_stop = fmin(fmin(recorder->next_row, system->next_change),
                             tn_values_next_stop(assembly, recorder->solver->run.relative_tolerance));
    if (recorder->progress) show_progress(recorder);
    recorder->last_time = system->time;
    if (recorder->broken) return TN_FATAL;
    if (tn_interrupted) tn_interrupts_heard();
    return tn_interrupted || stops ? TN_EVENT : TN_OK;
}

/* A solver that goes on behind its end gets the same answer again. */
static tn_status accept(tn_system *system)
{
    tn_assembly *assembly = (tn_assembly *)system;
    tn_recorder *recorder = assembly->recorder;
    tn_solver_watch *watch = &recorder->watch;
    if (watch->accepted != TN_OK) return watch->accepted;
    watch->accepted = tn_solver_watch_step(watch, assembly);
    if (watch->accepted == TN_OK) watch->accepted = accept_step(recorder);
    if (assembly->blame[0]) watch->accepted = TN_FATAL;
    if (assembly->model->refused) watch->accepted = TN_INVALID; /* explained when the solver has returned */
    return watch->accepted;
}

tn_status tn_recorder_end(const tn_recorder *recorder, tn_status status)
{
    return tn_solver_watch_end(&recorder->watch, recorder->assembly, status);
}

/* ---- the recorder ---------------------------------------------------------------------------------------- */

static void tell_size(const tn_recorder *recorder)
{
    char text[256];
    if (tn_plan_size_words(recorder->plan, recorder->sensors.columns + recorder->states.columns, text,
                           sizeof text))
        tn_tell(recorder->assembly->model->diagnostics, TN_SEVERITY_NOTE, (tn_place){0}, "%s", text);
}

tn_recorder *tn_recorder_open(tn_assembly *assembly, const tn_plan *plan)
{
    tn_recorder *recorder = tn_new(1, sizeof *recorder);
    recorder->assembly = assembly;
    recorder->plan = plan;
    recorder->last_row = -HUGE_VAL;
    recorder->waits = assembly->model->condition_count > 0;
    recorder->accepts = tn_turns_counted(assembly) || assembly->model->delay_count > 0;
    for (size_t k = 0; k < assembly->group_count; k++)
        if (assembly->group[k].type->accepted) recorder->accepts = true;
    tn_column *columns = NULL;
    const size_t count = tn_sensor_columns(assembly->model, &columns, &recorder->arena);
    if (open_table(recorder, &recorder->sensors, TN_SENSORS, columns, count) &&
        (!plan->states || open_states(recorder))) {
        assembly->recorder = recorder;
        assembly->system.accept = accept;
        assembly->shows_states = plan->states;
        tell_size(recorder);
        return recorder;
    }
    (void)tn_recorder_close(recorder);
    return NULL;
}

void tn_recorder_start(tn_recorder *recorder, const tn_solver_plan *solver, bool quiet)
{
    tn_system *system = &recorder->assembly->system;
    recorder->start = solver->run.start_time;
    recorder->end = solver->run.end_time;
    recorder->solver = solver;
    tn_solver_watch_begin(&recorder->watch, solver);
    recorder->sparse = recorder->sparse || recorder->plan->sparse;
    recorder->interval = recorder->sparse ? solver->sparse_interval : recorder->plan->interval;
    recorder->stride = stride_of_rows(recorder, solver->run.step);
    recorder->next = 0;
    recorder->last_time = solver->run.start_time;
    recorder->progress =
        !quiet && solver->progress && tn_message_chosen() == TN_MESSAGES_TEXT && isatty(STDERR_FILENO);
    recorder->begun = recorder->shown = now();
    recorder->steps = system->statistics->steps;
    recorder->next_row = system->next_stop = recorder->start;
    tn_conditions_begin(recorder->assembly, solver->stop);
    tn_turns_begin(recorder->assembly);
    recorder->assembly->system.state_factor = 0.0;
    recorder->assembly->system.state_base = NULL;
}

tn_recorded tn_recorder_rows(const tn_recorder *recorder)
{
    return (tn_recorded){recorder->rows, recorder->sparse ? recorder->interval : 0.0};
}

bool tn_recorder_close(tn_recorder *recorder)
{
    if (recorder->line) (void)fputc('\n', stderr);
    close_table(recorder, &recorder->sensors);
    close_table(recorder, &recorder->states);
    const bool good = !recorder->broken;
    tn_arena_free(&recorder->arena);
    free(recorder);
    return good;
}

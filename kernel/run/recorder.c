/* recorder.c - rows of sensors and states, at the right times, to all writers */
#include "run/recorder.h"

#include "analysis/redundancy.h"
#include "analysis/least_results.h"
#include "run/result_table.h"
#include "run/results.h"
#include "signals/sensors.h"
#include "system/accept.h"
#include "system/failure.h"

#include <math.h>
#include <string.h>

struct tn_recorder {
    tn_step_observer observer; /* `next` is the time of the next row */
    tn_assembly *assembly;
    const tn_plan *plan;
    tn_arena arena;
    tn_result_table sensors, states;
    tn_run_log *log;                                             /* or NULL */
    void (*hear)(void *data, double time, const double *values); /* of rows; or NULL */
    void *listener;
    bool broken;                 /* a writer failed */
    const tn_table_place *place; /* of the next table that is opened; NULL: it is new */
    bool waits;                  /* tables are open from earlier, and rows go nowhere yet */
    double start, end, last_row;
    const tn_solver_plan *solver;
    double interval; /* s: of rows; 0: every step */
    double stride;   /* s: times of rows nearer than a share of it are the same */
    uint64_t rows;
    bool sparse;          /* the interval is not the user's */
    uint64_t next;        /* number of the next row */
    tn_figures *figures;  /* of all rows; or NULL */
    const double *chosen; /* [chosen_count] s: further times of rows, in order */
    size_t chosen_count;
    uint64_t next_chosen;
};

/* ---- tables ---------------------------------------------------------------------------------------------- */

/* The log cannot be written, and so the results. */
static void blame_log(tn_recorder *recorder, const char *reason)
{
    recorder->broken = true;
    tn_tell(recorder->assembly->model->reader->diagnostics, TN_SEVERITY_ERROR, (tn_place){0},
            "%s/" TN_LOG " cannot be written: %s", recorder->plan->directory, reason);
}

/* Its place, where it is there already. */
static bool open_table(tn_recorder *recorder, tn_result_table *table, const char *name,
                       const tn_column *columns, size_t count)
{
    const tn_table_place *place = recorder->place;
    if (place) recorder->place += recorder->plan->writer_count;
    const bool good =
        tn_result_table_open(table, recorder->assembly, recorder->plan, name, columns, count, place);
    recorder->broken = recorder->broken || !good;
    return good;
}

/* In the log first, which has the row whatever writers do. */
static void write_row(tn_recorder *recorder, const tn_result_table *table)
{
    if (recorder->log) tn_log_row(recorder->log, table == &recorder->states, table->row);
    if (!tn_result_table_write(table)) recorder->broken = true;
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

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* Steps add up to intervals but for a share of these; however long they are, that is less than a step. */
static double stride_of_rows(const tn_recorder *recorder, double step)
{
    const double interval = recorder->interval;
    const double stride = fmin(fmin(interval, recorder->end - recorder->start), 0.25e9 * step);
    return interval > 0.0 ? stride : step;
}

/* Sensors without a value report that themselves; here fails what makes all results wrong: an evaluation, or reactions of
 * dependent rows that are not the least ones. */
static tn_status evaluate_results(tn_assembly *assembly)
{
    const tn_status status = tn_evaluate_outputs(assembly);
    const bool lacks_reactions = assembly->redundancy.shows_least && !assembly->shown->holds_least;
    if (status <= TN_EVENT && !lacks_reactions) return TN_OK;
    tn_outputs_done(assembly);
    return assembly->system.fail(&assembly->system, status > TN_EVENT ? status : TN_FATAL, NULL,
                                 "this state is to be recorded");
}

/* What the log keeps of a state; results are at hand where it has a row. */
static void log_state(tn_recorder *recorder, double time, bool is_row, bool is_last)
{
    if (!recorder->log || recorder->waits) return;
    tn_log_step(recorder->log, time, is_row, is_last);
    const int fault = tn_log_fault(recorder->log);
    if (fault && !recorder->broken) blame_log(recorder, strerror(fault));
}

static tn_status record_row(tn_recorder *recorder, double time, double step, bool is_last)
{
    tn_assembly *assembly = recorder->assembly;
    tn_system *system = &assembly->system;
    recorder->last_row = time;
    recorder->rows++;
    if (recorder->waits || !(tn_plan_writes(recorder->plan) || recorder->figures || recorder->hear))
        return TN_OK;
    const double start = tn_clock(assembly, TN_PHASES, 0.0);
    const tn_status status = evaluate_results(assembly);
    if (status != TN_OK) return status;
    recorder->sensors.row[0] = time;
    tn_sensor_values(assembly, step, recorder->sensors.row + 1);
    if (recorder->figures)
        tn_figures_add(recorder->figures, time, tn_slack_of_times(time, recorder->stride),
                       recorder->sensors.row + 1);
    if (recorder->hear) recorder->hear(recorder->listener, time, recorder->sensors.row + 1);
    write_row(recorder, &recorder->sensors);
    if (recorder->plan->states) {
        double *row = recorder->states.row;
        row[0] = time;
        memcpy(row + 1, system->q, system->nq * sizeof *row);
        memcpy(row + 1 + system->nq, system->v, system->nv * sizeof *row);
        memcpy(row + 1 + system->nq + system->nv, system->lambda, system->rows * sizeof *row);
        write_row(recorder, &recorder->states);
    }
    log_state(recorder, time, true, is_last);
    tn_outputs_done(assembly);
    (void)tn_clock(assembly, TN_OUTPUT, start);
    return TN_OK;
}

/* The time of the next row at an interval, never beyond the end. */
static double next_time(const tn_recorder *recorder)
{
    if (!(recorder->interval > 0.0)) return recorder->end;
    const double time = recorder->start + (double)recorder->next * recorder->interval;
    return time < recorder->end - tn_slack_of_times(time, recorder->stride) ? time : recorder->end;
}

/* Whether fixed steps end at a time, from the start on. */
static bool is_end_of_step(const tn_recorder *recorder, double time)
{
    const double step = recorder->assembly->system.run->step;
    if (!(step > 0.0)) return true;
    const double end = recorder->start + round((time - recorder->start) / step) * step;
    return fabs(time - end) <= tn_slack_of_times(time, step);
}

/* When the next row is due: at the interval, or before that at a time of its own, where fixed steps are cut. */
static void find_next(tn_recorder *recorder)
{
    const bool any = recorder->next_chosen < recorder->chosen_count;
    const double due = next_time(recorder), chosen = any ? recorder->chosen[recorder->next_chosen] : HUGE_VAL;
    const bool first = any && chosen < due - tn_slack_of_times(due, recorder->stride);
    recorder->observer.next = first ? chosen : due;
    recorder->observer.landing =
        first && !recorder->assembly->system.run->adaptive && !is_end_of_step(recorder, chosen) ? chosen
                                                                                                : 0.0;
}

/* The row that was due is there: on to the next one of each kind. */
static void pass_row(tn_recorder *recorder)
{
    const double due = recorder->observer.next, slack = tn_slack_of_times(due, recorder->stride);
    if (next_time(recorder) <= due + slack) recorder->next++;
    while (recorder->next_chosen < recorder->chosen_count &&
           recorder->chosen[recorder->next_chosen] <= due + slack)
        recorder->next_chosen++;
    find_next(recorder);
}

/* Steps of a fixed length that are taken in parts have their row at their end. */
static bool ends_step(const tn_recorder *recorder)
{
    const tn_system *system = &recorder->assembly->system;
    return system->run->adaptive || is_end_of_step(recorder, system->time);
}

/* A row for every step has come to too many: from here on they stand at an interval. */
static void make_sparse(tn_recorder *recorder)
{
    const tn_system *system = &recorder->assembly->system;
    recorder->sparse = true;
    recorder->interval = recorder->solver->sparse_interval;
    recorder->stride = stride_of_rows(recorder, recorder->solver->run.step);
    const double passed = system->time - recorder->start + tn_slack_of_times(system->time, recorder->stride);
    recorder->next = (uint64_t)(passed / recorder->interval) + 1;
    find_next(recorder);
    if (!tn_plan_writes(recorder->plan)) return;
    tn_tell(
        recorder->assembly->model->reader->diagnostics, TN_SEVERITY_NOTE, (tn_place){0},
        "%llu rows are recorded so far: from %.9g s on, a row is recorded every %.6g s (`[output] interval` "
        "changes this)",
        (unsigned long long)recorder->rows, system->time, recorder->interval);
}

/* A row where one is due, for every step, or for the last one; for every state of a solver that seeks one. */
static tn_status record_step(void *data, const tn_accepted_step *step)
{
    tn_recorder *recorder = data;
    tn_status status = TN_OK;
    const tn_system *system = &recorder->assembly->system;
    const bool every_step = !(recorder->interval > 0.0);
    const double due = recorder->observer.next;
    const uint64_t rows = recorder->rows;
    const bool ends =
        step->last || system->time >= recorder->end - tn_slack_of_times(system->time, recorder->stride);
    if (recorder->solver->type->flags & TN_SINGLE_STATE) {
        status = record_row(recorder, system->time, 0.0, ends);
    } else if (system->time >= due - tn_slack_of_times(system->time, recorder->stride)) {
        if (due > recorder->last_row) status = record_row(recorder, due, step->length, ends);
        pass_row(recorder);
    } else if (system->time > recorder->last_row &&
               (step->last || (every_step && (step->changed || ends_step(recorder))))) {
        status = record_row(recorder, system->time, step->length, ends);
    }
    if (rows == recorder->rows) log_state(recorder, system->time, false, ends);
    if (every_step && recorder->rows > TN_DENSE_ROWS && system->time < recorder->end) make_sparse(recorder);
    return status == TN_OK && recorder->broken ? TN_FATAL : status;
}

/* ---- the recorder ---------------------------------------------------------------------------------------- */

static void report_size(const tn_recorder *recorder)
{
    char text[256];
    if (tn_plan_writes(recorder->plan) &&
        tn_plan_size_words(recorder->plan, recorder->sensors.columns + recorder->states.columns, text,
                           sizeof text))
        tn_tell(recorder->assembly->model->reader->diagnostics, TN_SEVERITY_NOTE, (tn_place){0}, "%s", text);
}

tn_recorder *tn_recorder_new(tn_assembly *assembly, const tn_plan *plan)
{
    tn_recorder *recorder = tn_new(1, sizeof *recorder);
    recorder->assembly = assembly;
    recorder->plan = plan;
    recorder->last_row = -HUGE_VAL;
    recorder->observer = (tn_step_observer){.see = record_step, .data = recorder, .next = HUGE_VAL};
    tn_accept_observe(assembly, &recorder->observer);
    return recorder;
}

/* Behind the tables. */
static bool open_log(tn_recorder *recorder, const tn_log_request *asked)
{
    const tn_plan *plan = recorder->plan;
    const tn_result_table *const all[] = {&recorder->sensors, &recorder->states};
    tn_logged_table tables[2];
    for (size_t t = 0; t < 2; t++)
        tables[t] = (tn_logged_table){all[t]->name, all[t]->column, all[t]->columns};
    tn_log_request request = *asked;
    const char *reason = NULL;
    request.assembly = recorder->assembly;
    request.frames = plan->frames;
    request.tolerance = plan->frame_tolerance;
    request.start_time = plan->solver_count ? plan->solver[0].run.start_time : 0.0;
    request.table = tables;
    request.tables = plan->states ? 2 : 1;
    request.place = recorder->place;
    recorder->log = tn_log_open(&request, &reason);
    if (reason && recorder->place)
        tn_refuse(&recorder->assembly->model->host, NULL, "the log %s/" TN_LOG ": %s", plan->directory,
                  reason);
    if (reason && !recorder->place) blame_log(recorder, reason);
    return recorder->log != NULL;
}

bool tn_recorder_open(tn_recorder *recorder, const tn_log_request *log)
{
    tn_assembly *assembly = recorder->assembly;
    tn_column *columns = NULL;
    const size_t count = tn_sensor_columns(assembly->model, &columns, &recorder->arena);
    if (!open_table(recorder, &recorder->sensors, TN_SENSORS, columns, count) ||
        (recorder->plan->states && !open_states(recorder)) ||
        (recorder->plan->log && !open_log(recorder, log)))
        return false;
    assembly->redundancy.shows_states = recorder->plan->states;
    if (recorder->plan->figures)
        recorder->figures = tn_figures_new(assembly->model, assembly->model->reader->figures);
    recorder->chosen = tn_figure_times(recorder->figures, &recorder->chosen_count);
    report_size(recorder);
    return true;
}

/* ---- going on ---------------------------------------------------------------------------------------------- */

bool tn_recorder_find_places(tn_recorder *recorder, tn_table_place *place)
{
    const size_t writers = recorder->plan->writer_count;
    if (!tn_result_table_find_places(&recorder->sensors, place) ||
        (recorder->plan->states && !tn_result_table_find_places(&recorder->states, place + writers))) {
        recorder->broken = true;
        return false;
    }
    if (!recorder->log) return true;
    tn_log_place(recorder->log, place + tn_plan_places(recorder->plan) - 1);
    const int fault = tn_log_fault(recorder->log);
    if (fault) blame_log(recorder, strerror(fault));
    return !fault;
}

bool tn_recorder_reopen(tn_recorder *recorder, const tn_log_request *log, const tn_table_place *place)
{
    recorder->place = place;
    recorder->waits = true;
    const bool good = tn_recorder_open(recorder, log);
    recorder->place = NULL;
    return good;
}

bool tn_recorder_cut(tn_recorder *recorder)
{
    recorder->waits = false;
    if (recorder->log) tn_log_cut(recorder->log);
    if (!tn_result_table_cut(&recorder->sensors) ||
        (recorder->plan->states && !tn_result_table_cut(&recorder->states)))
        recorder->broken = true;
    return !recorder->broken;
}

void tn_recorder_listen(tn_recorder *recorder, void (*hear)(void *data, double time, const double *values),
                        void *data)
{
    recorder->hear = hear;
    recorder->listener = data;
}

void tn_recorder_start(tn_recorder *recorder, const tn_solver_plan *solver)
{
    recorder->start = solver->run.start_time;
    recorder->end = solver->run.end_time;
    recorder->solver = solver;
    recorder->sparse = recorder->sparse || recorder->plan->sparse;
    recorder->interval = recorder->sparse ? solver->sparse_interval : recorder->plan->interval;
    recorder->stride = stride_of_rows(recorder, solver->run.step);
    recorder->next = 0;
    recorder->observer.next = recorder->start;
    recorder->observer.landing = 0.0;
    const bool sought = solver->type->flags & TN_SINGLE_STATE;
    if (recorder->figures)
        tn_figures_begin(recorder->figures, (int32_t)(solver - recorder->plan->solver), recorder->start,
                         tn_slack_of_times(recorder->start, recorder->stride), !sought);
    /* a state that was sought is another one than that of the last row, at the same time */
    if (sought) recorder->last_row = -HUGE_VAL;
}

void tn_recorder_list_state(tn_recorder *recorder, tn_state_visitor *visitor)
{
    double *const number[] = {&recorder->start,    &recorder->end,    &recorder->last_row,
                              &recorder->interval, &recorder->stride, &recorder->observer.next};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        tn_visit_numbers(visitor, number[k], 1);
    TN_VISIT(visitor, recorder->rows);
    TN_VISIT(visitor, recorder->next);
    TN_VISIT(visitor, recorder->sparse);
    if (recorder->figures) {
        tn_visit_numbers(visitor, &recorder->observer.landing, 1);
        TN_VISIT(visitor, recorder->next_chosen);
        tn_figures_list_state(recorder->figures, visitor);
    }
    if (recorder->log) tn_log_list_state(recorder->log, visitor);
}

tn_recorded tn_recorder_rows(const tn_recorder *recorder)
{
    return (tn_recorded){recorder->rows, recorder->sparse ? recorder->interval : 0.0};
}

void tn_recorder_flush(const tn_recorder *recorder)
{
    if (!recorder) return;
    tn_result_table_flush(&recorder->sensors);
    tn_result_table_flush(&recorder->states);
    if (recorder->log) tn_log_flush_crashed(recorder->log);
}

bool tn_recorder_close(tn_recorder *recorder)
{
    tn_accept_unobserve(recorder->assembly, &recorder->observer);
    const bool closed[] = {tn_result_table_close(&recorder->sensors),
                           tn_result_table_close(&recorder->states)};
    recorder->broken = recorder->broken || !closed[0] || !closed[1];
    return !recorder->broken;
}

const tn_figures *tn_recorder_figures(const tn_recorder *recorder) { return recorder->figures; }

tn_run_log *tn_recorder_log(const tn_recorder *recorder) { return recorder->log; }

bool tn_recorder_end_log(tn_recorder *recorder, const char *status, const char *run_text)
{
    if (!recorder->log) return true;
    const bool good = !tn_log_fault(recorder->log); /* else it has been told */
    tn_log_end(recorder->log, status, run_text);
    tn_log_close(recorder->log);
    const int fault = tn_log_fault(recorder->log);
    if (fault && good) blame_log(recorder, strerror(fault));
    return !fault;
}

void tn_recorder_leave_log(tn_recorder *recorder)
{
    if (recorder->log) tn_log_close(recorder->log);
}

/* recorder.h - rows of sensors and states, at the right times, to all writers: an observer of accepted steps (system/accept.h). */
#ifndef TN_RECORDER_H
#define TN_RECORDER_H

#include "figures/figures.h"
#include "run/plan.h"
#include "system/assembly.h"

typedef struct tn_recorder tn_recorder;

tn_recorder *tn_recorder_new(tn_assembly *assembly, const tn_plan *plan);
/* Where the tables, and the log behind them, stand (tn_plan_places); false where one may lack a part, which ends the run. */
bool tn_recorder_find_places(tn_recorder *recorder, tn_table_place *place);
/* As tn_recorder_open, with tables that are there, from these places on: rows go nowhere, and nothing changes, until
 * tn_recorder_cut removes what stands behind the places. False after a message. */
bool tn_recorder_reopen(tn_recorder *recorder, const tn_log_request *log, const tn_table_place *place);
bool tn_recorder_cut(tn_recorder *recorder);
/* Opens the writers in the plan's directory, which must exist, and the log, of which the plan, the tables and their places are filled in
 * here; without writers solvers take the same steps. False after a message. */
bool tn_recorder_open(tn_recorder *recorder, const tn_log_request *log);
/* The log of the run, or NULL: it has none. */
tn_run_log *tn_recorder_log(const tn_recorder *recorder);
/* Whoever hears of each row, besides the writers: the numbers of all sensors. */
void tn_recorder_listen(tn_recorder *recorder, void (*hear)(void *data, double time, const double *values),
                        void *data);
/* A solver begins: times of its rows. */
void tn_recorder_start(tn_recorder *recorder, const tn_solver_plan *solver);
/* Which rows there are, and when the next one is due. */
void tn_recorder_list_state(tn_recorder *recorder, tn_state_visitor *visitor);
/* What has been recorded so far. */
typedef struct tn_recorded {
    uint64_t rows;
    double interval; /* s: that nobody has asked for; 0: every row that was asked for is there */
} tn_recorded;
tn_recorded tn_recorder_rows(const tn_recorder *recorder);
/* Figures of all rows so far, or NULL. */
const tn_figures *tn_recorder_figures(const tn_recorder *recorder);
/* The process crashes, and ends behind this: rows that writers keep back are written. Called within a signal handler. */
void tn_recorder_flush(const tn_recorder *recorder);
/* Closes the tables, unless they are closed; false when something could not be written. The log stays open for its end: */
bool tn_recorder_close(tn_recorder *recorder);
/* that the run has ended so, with the table [run] of run.toml; false after a message. */
bool tn_recorder_end_log(tn_recorder *recorder, const char *status, const char *run_text);
/* Leaves the log as it is. */
void tn_recorder_leave_log(tn_recorder *recorder);

#endif

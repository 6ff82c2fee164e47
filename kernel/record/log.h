/* log.h - writes the log of a run, rows.tnl (log_blocks.h): rows, frames with wrenches, events, modes. */
#ifndef TN_LOG_H
#define TN_LOG_H

#include "config/diagnostics.h"
#include "record/log_blocks.h"
#include "system/assembly.h"

typedef enum tn_frames { TN_FRAMES_AUTO, TN_FRAMES_ROWS, TN_FRAMES_NONE } tn_frames;

/* Columns of a table; those of sensors are in the order of the model. */
typedef struct tn_logged_table {
    const char *name;
    const tn_column *column;
    size_t columns;
} tn_logged_table;

typedef struct tn_log_request {
    tn_assembly *assembly; /* at its start */
    tn_diagnostics *diagnostics;
    int folder;
    const char *title, *model_text;
    double start_time;
    tn_frames frames;
    double tolerance; /* of frames */
    const tn_logged_table *table;
    size_t tables;
    const tn_table_place
        *place; /* of an existing log: the place from which it is continued; NULL: a new log */
} tn_log_request;

typedef struct tn_run_log tn_run_log;

/* NULL where it fails: with `reason`, which does not name the file and which the caller reports; or with `reason` NULL, after messages about
 * drawings of types. */
tn_run_log *tn_log_open(const tn_log_request *request, const char **reason);
void tn_log_row(tn_run_log *log, size_t table, const double *row);
/* Records an accepted state. `is_row`: there is a row at this time, and results are evaluated; `is_last`: the last state of a solver. */
void tn_log_step(tn_run_log *log, double time, bool is_row, bool is_last);
/* Records the last frame, with the wrenches of the present state, where a run is interrupted behind an accepted step. */
void tn_log_stop(tn_run_log *log);
/* Records a mode about the state of the system: eigenvalue [2]; real and imaginary parts of increments, [nv] each, in the coordinates of v. */
tn_status tn_log_mode(tn_run_log *log, const double *eigenvalue, const double *re, const double *im);
/* errno of a write that failed; 0: none has. */
int tn_log_fault(const tn_run_log *log);
void tn_log_list_state(tn_run_log *log, tn_state_visitor *visitor);
/* As for tables: tenon/draft/append.h. */
void tn_log_place(tn_run_log *log, tn_table_place *place);
void tn_log_cut(tn_run_log *log);
/* Flushes records in a signal handler, on any thread: the process ends when this returns. */
void tn_log_flush_crashed(tn_run_log *log);
/* Writes the last block of a run that has ended; `run_text`: the table [run] of run.toml. */
void tn_log_end(tn_run_log *log, const char *status, const char *run_text);
void tn_log_close(tn_run_log *log);

#endif

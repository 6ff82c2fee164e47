/* log.h - the log of a run, rows.tnl (log_blocks.h), while the run goes on: rows, frames with wrenches, events, modes. */
#ifndef TN_LOG_H
#define TN_LOG_H

#include "config/diagnostics.h"
#include "record/log_blocks.h"
#include "system/assembly.h"

typedef enum tn_frames { TN_FRAMES_AUTO, TN_FRAMES_ROWS, TN_FRAMES_NONE } tn_frames;

/* Columns of a table; those of sensors stand in the order of the model. */
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
    const tn_table_place *place; /* where the log stands that is gone on with; NULL: it is new */
} tn_log_request;

typedef struct tn_run_log tn_run_log;

/* NULL after a message that does not name the file, with which it is to be told: `reason`; or after the message of a type. */
tn_run_log *tn_log_open(const tn_log_request *request, const char **reason);
void tn_log_row(tn_run_log *log, size_t table, const double *row);
/* An accepted state. `is_row`: at this time, where results are at hand; `is_last`: of a solver. */
void tn_log_step(tn_run_log *log, double time, bool is_row, bool is_last);
/* A mode about the state of the system: velocities of all coordinates, real and imaginary parts [nv]; eigenvalue [2]. */
tn_status tn_log_mode(tn_run_log *log, const double *eigenvalue, const double *re, const double *im);
/* errno of what could not be written; 0: all could. */
int tn_log_fault(const tn_run_log *log);
void tn_log_list_state(tn_run_log *log, tn_state_visitor *visitor);
/* As of tables: tenon/draft/append.h. */
void tn_log_place(tn_run_log *log, tn_table_place *place);
void tn_log_cut(tn_run_log *log);
/* The run has ended: the table [run] of run.toml. */
void tn_log_end(tn_run_log *log, const char *status, const char *run_text);
void tn_log_close(tn_run_log *log);

#endif

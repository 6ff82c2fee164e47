/* study.h - one study: a model that is read, assembled, and run by its solvers, one after the other.
 *
 * Whoever wants one fills the options, opens it, runs it once and closes it; the library does so for its callers. Nothing is printed:
 * messages go to the study's diagnostics, and a client hears of what happens. */
#ifndef TN_STUDY_H
#define TN_STUDY_H

#include "extensions/phases.h"
#include "analysis/causes.h"
#include "analysis/rank.h"
#include "run/plan.h"
#include "run/recorder.h"
#include "run/results.h"
#include "run/solver_watch.h"
#include "system/assembly.h"
#include "values/value_graph.h"

#include <tenon/tenon.h>

/* What is asked for. Texts and lists stay the caller's, and stay as they are until the study is closed. */
typedef struct tn_study_options {
    const char *installation; /* a file beside which plugins are installed; NULL: the program */
    const char *model;        /* path of a file, or the name of a text */
    const char *text;         /* the model itself; NULL: the file is read */
    const char *folder;       /* that the paths of a text are relative to */
    tenon_options asked;      /* by the program that uses the library */
    bool writes;              /* results are written: where the options or the model say */
    bool expanded;            /* run.toml with repeats written out */
    bool guard;               /* the memory of plugins is watched */
    bool checkpoints;         /* are made where the model asks for them */
} tn_study_options;

typedef struct tn_study tn_study;

/* Who hears of what happens; any function may be NULL. */
typedef struct tn_study_client {
    void *data;
    /* Nothing is read yet. */
    void (*open)(void *data, tn_study *study);
    /* No plugin is called any more. */
    void (*close)(void *data);
    /* Solvers are about to run, and have run: observers of accepted steps come and go here (system/accept.h). */
    void (*begin)(void *data, tn_study *study);
    void (*end)(void *data, tn_study *study);
    /* One of the solvers begins. */
    void (*solver)(void *data, const tn_solver_plan *plan);
    /* A row has been recorded: the time, s, and the numbers of all sensors. */
    void (*row)(void *data, double time, const double *values);
    /* Asked where an observer may have ended the run: whether it has. */
    bool (*is_interrupted)(void *data);
    /* A run goes on from a checkpoint: until then only its errors are new. */
    void (*resumed)(void *data, tn_study *study);
    /* run.toml is being written from the first call on, until the second one. */
    void (*write)(void *data, bool begins);
} tn_study_client;

/* What is known of run.toml before the run: NULL before and after it. How the run went stands between the two. */
typedef struct tn_run_file {
    char *beginning, *ending;
} tn_run_file;

/* The solver that runs, or comes next. */
typedef struct tn_solver_run {
    size_t number; /* among those of the plan */
    bool begun;
    tn_status status;              /* what it has come to so far: TN_OK, it goes on */
    void *work;                    /* of one that takes steps, also behind its end, for the next one; NULL */
    const tn_loaded_solver *owner; /* of the work */
    struct tn_advance_thread *thread; /* of one that does not, in a study that is stepped: advance_thread.h */
    tn_solver_watch watch;
} tn_solver_run;

struct tn_study {
    const tn_study_options *options;
    tn_study_client client;
    tn_diagnostics *diagnostics;
    tn_document *document;
    tn_registry *registry;
    tn_model *model;
    tn_plan plan;
    tn_assembly *assembly; /* NULL: the model has errors */
    tn_results results;
    tn_recorder *recorder;
    tn_run_file run_file;
    tn_solver_run running;
    bool stepped;                               /* its run is to stand between steps; set before it begins */
    const tn_loaded_solver *solver;             /* of the last part of the run */
    const tn_live_value *ended_by;              /* condition that ended that part before its end; or NULL */
    const char *status;                         /* "finished", "failed" or "interrupted" */
    double load_time, assembly_time, wall_time; /* s */
    double start_of_clock, time_before; /* s; of a run that was gone on with, on the wall before that */
    long long resumes;                  /* how often it was */
    double resumed_at;                  /* s: where it was last; NaN: nowhere */
    bool tells_hidden;                  /* that a solver has checkpoints at chosen times only */
    tn_phase_times phases;              /* what the time of the run goes to */
    tn_state_copy start;                /* where the solver that is running began */
    bool records;                       /* the run has begun, and its results can be written */
    struct tn_linear_candidates
        *linears;          /* what the linear solver of a large model is chosen from: linear_choice.h */
    uint64_t sum_of_model; /* of its text, once it was asked for; else 0 */
};

/* A message on the study as a whole. */
#define tn_study_tell(study, severity, ...) \
    tn_tell((study)->diagnostics, severity, (tn_place){0}, __VA_ARGS__)

/* How a study has ended. */
typedef enum tn_study_result {
    TN_STUDY_FINISHED,
    TN_STUDY_FAILED,
    TN_STUDY_INTERRUPTED,
    TN_STUDY_REFUSED,         /* the results may not be written where they should, */
    TN_STUDY_REFUSED_BY_FILES /* because of the files there */
} tn_study_result;

/* Makes the directory, locks it and looks at what is in it, which stays as it is: TN_STUDY_FINISHED; after messages TN_STUDY_FAILED
 * when the directory cannot be made, and a refusal when the run may not write there. results.c */
tn_study_result tn_results_open(tn_study *study);
/* Enters those of a run that is over, in `plan.directory`, of whose files they are then: its table [run]; NULL after a message, also where
 * the run goes on. */
const tn_toml *tn_results_enter(tn_study *study);
/* [run] of the run.toml in a directory that is open there, whoever writes in it; NULL: there is none of a run. */
const tn_toml *tn_results_look(tn_results *results, const char *directory);
/* open_study.c: reads and assembles. False: there are errors, which are among the messages; the study is to be closed all the same. */
bool tn_study_open(tn_study *study, const tn_study_options *options, const tn_study_client *client,
                   tn_message_listener listener);
/* For the results of a run that is over (later.h): only writers are chosen, by the text that is given, [output] alone. */
bool tn_study_open_writers(tn_study *study, const tn_study_options *options, tn_message_listener listener);
/* For a file, or a text, that is no model, but has tables of plugins: the document is read, and the model, which they belong to, is empty. */
bool tn_study_open_tables(tn_study *study, const tn_study_options *options, tn_message_listener listener);
/* Closes what is not memory: files, the lock of the results, linear solvers, instances of plugins. Blocks of the study are freed with
 * the memory that it was opened in (base/memory.h). Also for one that was left for lack of memory. */
void tn_study_close(tn_study *study);
/* run_study.c: a run, once. Opens the results, and lets the first solver begin: where that is TN_STUDY_FINISHED the study stands at its
 * start. */
tn_study_result tn_study_begin(tn_study *study);
/* The same of a run that goes on from a checkpoint. The tables stand at these places; `restore` takes the study, which stands at its
 * start, to there: false after a message. Unless that is TN_STUDY_FINISHED nothing has changed. */
typedef struct tn_study_resumption {
    const tn_table_place *place;
    bool (*restore)(void *data, tn_study *study);
    void *data;
} tn_study_resumption;
tn_study_result tn_study_resume(tn_study *study, const tn_study_resumption *resumption);
/* Whether it stands where it began, and has not ended there. */
bool tn_study_stands(const tn_study *study);
/* Goes on to a time, s, or by so many accepted steps (UINT64_MAX: as many as there are; more than one only with solvers that take
 * steps); false: the run has ended there. */
bool tn_study_go_on(tn_study *study, double until, uint64_t most);
/* s on the wall, that the run has taken so far. */
double tn_study_wall_time(const tn_study *study);
/* Concludes a run that has ended, or ends it where it stands. */
tn_study_result tn_study_end(tn_study *study);
/* Whether it has ended as the model wants it to. */
bool tn_study_is_complete(const tn_study *study);
/* Whether somebody has ended it. */
bool tn_study_is_interrupted(const tn_study *study);
/* Writes something while nothing interrupts it. */
bool tn_study_write(tn_study *study, bool (*write)(tn_study *study));
/* run_solvers.c: the solvers of the plan one after the other, for the functions above. */
tn_status tn_solvers_begin(tn_study *study);
bool tn_solvers_go_on(tn_study *study, double until, uint64_t most);
void tn_solvers_end(tn_study *study);
/* Lets solver `number` of the plan begin at the state and time of the system, its part of the run at `start`, s, in place of what runs
 * or has ended. The state of the run is about to be restored. */
tn_status tn_solvers_place(tn_study *study, size_t number, double start);
/* A run that has ended, and writes nothing, can be gone on with from a restored state. run_study.c */
bool tn_study_reopen(tn_study *study);
/* check_study.c: takes the model to its start state, as a run would, and finds the redundant constraints there; false after a message.
 * Free the rank with tn_rank_free in any case. */
bool tn_study_check(tn_study *study, tn_rank *rank);
/* passed.c: a note on the events that steps of a fixed length went over. */
void tn_passed_tell(tn_study *study);
/* Makes the paths in the tree of a model those of files, whatever they are relative to. paths.c */
void tn_resolve_paths(tn_document *document, const tn_toml *root);
/* The model as TOML, with its repeats written out where `expanded`. expanded.c */
char *tn_model_print(tn_model *model, bool expanded);
/* The same, written out, with paths as they stand in the files: it does not depend on where these are. */
char *tn_model_print_as_written(tn_model *model);
/* Writes run.toml in place of that of an earlier run: what is run, by which plugins, and that it is running. run_file.c */
bool tn_run_file_begin(tn_study *study);
/* The same once more, with the files that have been added. */
bool tn_run_file_renew(tn_study *study);
/* The table [run], of a run that has ended. */
char *tn_run_file_text(const tn_study *study);
/* conversions.c: lets the writers that convert make files of the log; false after messages, where one has failed. */
bool tn_study_convert(tn_study *study);
/* Writes how the run ended, with what effort. */
bool tn_run_file_write(tn_study *study);
/* The same in a signal handler; `reason` may be NULL. */
bool tn_run_file_write_crashed(const tn_study *study, const char *status, const char *reason);

#endif

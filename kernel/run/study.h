/* study.h - all that one run holds, and the files of run/ share. */
#ifndef TN_STUDY_H
#define TN_STUDY_H

#include "run/plan.h"
#include "run/recorder.h"
#include "run/results.h"
#include "run/run.h"
#include "system/assembly.h"

/* What is known of run.toml before the run: NULL before and after it. How the run went stands between the two. */
typedef struct tn_run_file {
    char *beginning, *ending;
} tn_run_file;

typedef struct tn_study {
    const tn_run_options *options;
    tn_diagnostics *diagnostics;
    tn_document *document;
    tn_registry *registry;
    tn_model *model;
    tn_plan plan;
    tn_assembly *assembly;
    tn_results results;
    tn_run_file run_file;
    const tn_solver_type *solver; /* of the last part of the run */
    const tn_condition *ended_by; /* which ended that part before its end; or NULL */
    tn_recorded recorded;
    const char *status;                         /* "finished", "failed" or "interrupted" */
    double load_time, assembly_time, wall_time; /* s */
} tn_study;

/* passed.c: a note on the events that steps of a fixed length went over. */
void tn_passed_tell(tn_study *study);
/* Makes the paths in the tree of a model those of files, whatever they are relative to. paths.c */
void tn_resolve_paths(tn_document *document, const tn_toml *root);
/* The model as TOML with its repeats written out (malloc'd; NULL without memory). expanded.c */
char *tn_expanded_print(tn_model *model);
/* Writes run.toml in place of that of an earlier run: what is run, by which plugins, and that it is running. run_file.c */
bool tn_run_file_begin(tn_study *study);
/* Writes how the run ended, with what effort. */
bool tn_run_file_write(tn_study *study);
/* The same in a signal handler; `reason` may be NULL. */
bool tn_run_file_write_crashed(const tn_study *study, const char *status, const char *reason);
void tn_run_file_free(tn_run_file *file);

#endif

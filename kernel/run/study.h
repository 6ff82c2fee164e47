/* study.h - all that one run holds, and the files of run/ share. */
#ifndef TN_STUDY_H
#define TN_STUDY_H

#include "run/plan.h"
#include "run/recorder.h"
#include "run/run.h"
#include "system/assembly.h"

typedef struct tn_study {
    const tn_run_options *options;
    tn_diagnostics *diagnostics;
    tn_document *document;
    tn_registry *registry;
    tn_model *model;
    tn_plan plan;
    tn_assembly *assembly;
    const tn_solver_type *solver;               /* of the last part of the run */
    const char *status;                         /* "finished", "failed" or "interrupted" */
    double load_time, assembly_time, wall_time; /* s */
} tn_study;

/* The model as TOML with its repeats written out (malloc'd; NULL without memory). expanded.c */
char *tn_expanded_print(tn_model *model);
/* Writes run.toml into the results: what was run, by which plugins, with what effort. run_file.c */
bool tn_run_file_write(const tn_study *study);
/* Removes the one of an earlier run. */
void tn_run_file_remove(const tn_plan *plan);

#endif

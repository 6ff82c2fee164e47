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

/* Writes run.toml into the results: what was run, by which plugins, with what effort. run_file.c */
bool tn_run_file_write(const tn_study *study);

#endif

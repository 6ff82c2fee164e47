/* study.h - all that one run holds, and the files of run/ share. */
#ifndef TN_STUDY_H
#define TN_STUDY_H

#include "run/plan.h"
#include "run/recorder.h"
#include "run/run.h"
#include "system/assembly.h"

/* run.toml: its name, the one it has while it is written, and what is known of it before the run. */
typedef struct tn_run_file {
    char *path, *temporary;
    char *beginning, *ending; /* NULL before and after the run; between the two stands how the run went */
} tn_run_file;

typedef struct tn_study {
    const tn_run_options *options;
    tn_diagnostics *diagnostics;
    tn_document *document;
    tn_registry *registry;
    tn_model *model;
    tn_plan plan;
    tn_assembly *assembly;
    tn_run_file run_file;
    const tn_solver_type *solver;               /* of the last part of the run */
    char warning[512];                          /* about the run as a whole; empty: none */
    const char *status;                         /* "finished", "failed" or "interrupted" */
    double load_time, assembly_time, wall_time; /* s */
} tn_study;

/* Makes the paths in the tree of a model those of files, whatever they are relative to. paths.c */
void tn_resolve_paths(tn_document *document, const tn_toml *root);
/* The model as TOML with its repeats written out (malloc'd; NULL without memory). expanded.c */
char *tn_expanded_print(tn_model *model);
/* Removes the run.toml of an earlier run, and prints what is known of this one. run_file.c */
bool tn_run_file_begin(tn_study *study);
/* Writes it into the results: what was run, by which plugins, how it ended, with what effort. */
bool tn_run_file_write(tn_study *study);
/* The same in a signal handler. */
bool tn_run_file_write_crashed(const tn_study *study, const char *reason);
void tn_run_file_free(tn_run_file *file);

#endif

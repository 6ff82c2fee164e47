/* results.h - the directory of results: where it may lie, who writes there, and which files may be replaced.
 *
 * A run replaces and removes nothing but run.toml and the tables that it lists. A file that the run reads it never
 * touches, under whatever name it is found there. One run at a time writes into a directory. */
#ifndef TN_RESULTS_H
#define TN_RESULTS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* The tables of a run: what the names of their files begin with. */
#define TN_SENSORS "sensors"
#define TN_STATES "states"
/* The name of run.toml while it is written. */
#define TN_RUN_FILE_IN_WORK ".run.toml.part"

/* From where a run goes on (restart/restart.h); its name while it is written; what it begins with. */
#define TN_CHECKPOINT "checkpoint"
#define TN_CHECKPOINT_IN_WORK ".checkpoint.part"
#define TN_CHECKPOINT_WORD "tenon-checkpoint "

typedef struct tn_file_names {
    const char **name;
    size_t count;
} tn_file_names;

typedef struct tn_results {
    /* of the directory: it has the lock, and files are found from it wherever the process goes; -1: it is not open */
    int descriptor;
    tn_file_names written;  /* by this run, besides run.toml */
    size_t own;             /* of these are tables of the run; solvers have added the others */
    tn_file_names replaced; /* of an earlier run, and still there: to be removed */
    tn_file_names unknown;  /* likewise, but of a writer that is not there now: stay, and stay listed */
    struct tn_registry
        *others; /* all writers, for stems of files that no writer of this run makes; NULL: not loaded yet */
    struct stat
        *plugin; /* [plugins] the files that have been opened, so far; of mode 0 where there is none */
    size_t plugins;
    tn_arena arena;
} tn_results;

struct tn_study;
struct tn_state_visitor;
/* Removes the log that is to be replaced, before run.toml becomes that of this run: one that is killed between the two must not leave
 * the log of the earlier run beside its own list of files. False after a message. */
bool tn_results_clear_log(const struct tn_study *study);
/* Removes all that is to be replaced; false after a message. */
bool tn_results_clear(struct tn_study *study);
/* Whether this run writes a table of this name; whether solvers may add one; adds it to those that this run writes, false after a message:
 * a file of that name is there, which no earlier run has listed. */
bool tn_results_has(const tn_results *results, const char *name);
bool tn_results_may_add(const char *name);
bool tn_results_add(struct tn_study *study, const char *name);
/* Whether converted files may have this name: not .toml, which could be a model. */
bool tn_results_may_convert(const char *name);
/* The names that solvers have added. */
void tn_results_list_state(tn_results *results, struct tn_state_visitor *visitor);
/* What the run.toml that is there lists, and solvers have added behind the checkpoint that is gone back to, goes; false after a message. */
bool tn_results_forget_added(struct tn_study *study, const tn_file_names *listed);
/* Removes a file, where it is there, and a checkpoint with what is left of one; false after a message. */
bool tn_results_remove(const struct tn_study *study, const char *name);
bool tn_results_forget_checkpoint(const struct tn_study *study);
/* How often the run has been gone on with, by the run.toml that is there. */
long long tn_results_resumes(struct tn_study *study);
/* Leaves the directory to other runs. */
void tn_results_unlock(tn_results *results);

/* Whether a directory lies below the current folder, or will, with all links followed. results_place.c */
bool tn_results_stay_here(const char *directory);

#endif

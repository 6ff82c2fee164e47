/* plan.h - what [solver] and [output] ask for. */
#ifndef TN_PLAN_H
#define TN_PLAN_H

#include "tables/tables.h"

#include "plugin/loaded_types.h"
#include "record/log.h"

#include <tenon/draft/impulses.h>

/* A linear solver, constraint solver, or writer, with its parameters; the type NULL for none. */
typedef struct tn_linear_choice {
    const tn_loaded_linear *type;
    const void *instance;
} tn_linear_choice;
typedef struct tn_constraint_choice {
    const tn_constraint_solver_type *type;
    const void *instance;
} tn_constraint_choice;
typedef struct tn_writer_choice {
    const tn_writer_type *type;
    const void *instance;
} tn_writer_choice;

/* What the kernel has loaded of a writer. */
static inline const tn_loaded_writer *tn_loaded_writer_of(const tn_writer_type *type)
{
    return (const tn_loaded_writer *)(const void *)type;
}

/* One entry of [solver] or [[solver]]. */
typedef struct tn_solver_plan {
    const tn_toml *table;
    const tn_loaded_solver *type;
    tn_linear_choice linear;
    bool linear_is_open;             /* to choice: the model names none (linear_choice.h) */
    tn_constraint_choice constraint; /* of a solver by impulses, where the model names one */
    void *instance;
    tn_run run;
    double sparse_interval; /* s: of rows, where there are too many steps for a row each */
    uint32_t stop;          /* the condition that ends it, or TN_NONE */
    bool starts_anew;       /* start_time is given */
    bool progress;
    uint32_t threads; /* 0: all cores */
} tn_solver_plan;

/* When checkpoints are made (restart/restart.h). */
typedef struct tn_checkpoint_plan {
    double every;  /* s of wall time; 0: at no such time */
    tn_list times; /* s, of the model */
} tn_checkpoint_plan;

typedef struct tn_plan {
    tn_solver_plan *solver;
    size_t solver_count;
    const char *directory;
    double interval; /* 0: every step, */
    bool sparse;     /* but at the sparse intervals of the solvers from the start */
    const tn_toml *interval_node;
    tn_writer_choice *writer; /* of rows */
    size_t writer_count;
    tn_writer_choice *converter; /* writers that convert the log after the run */
    size_t converter_count;
    bool figures; /* statistics and expectations are worked out */
    bool log;     /* whether rows.tnl is written */
    tn_frames frames;
    double frame_tolerance; /* of its frames */
    bool states;
    tn_checkpoint_plan checkpoint;
} tn_plan;

/* The keys of every solver; the last name is NULL. */
extern const tn_parameter tn_solver_parameters[];
/* The keys of [output] besides `writers`. */
extern const tn_parameter tn_output_parameters[];

struct tn_study_options;
/* Reads both tables as the options (study.h) say; problems go to the model's diagnostics. */
void tn_plan_read(tn_model *model, const struct tn_study_options *options, tn_plan *plan);
/* step_length.c: the step is one that the times of the run resolve, and no longer than the run; the interval of rows. */
void tn_check_step_length(tn_model *model, tn_solver_plan *plan);
void tn_check_interval_length(tn_model *model, const tn_plan *plan);
/* checkpoint_plan.c: a run with checkpoints has solvers and writers that can go on from one, and comes to their times. A guarded one
 * has none, after a warning: its solvers run from start to end. */
void tn_check_checkpoints(tn_model *model, bool guarded, tn_plan *plan, const tn_toml *output);
/* Whether any are asked for. */
static inline bool tn_plan_has_checkpoints(const tn_plan *plan)
{
    return plan->checkpoint.every > 0.0 || plan->checkpoint.times.count;
}
/* Whether rows are written; the number of tables of writers, and of the log, that a checkpoint continues. */
static inline bool tn_plan_writes(const tn_plan *plan) { return plan->writer_count || plan->log; }
static inline size_t tn_plan_places(const tn_plan *plan)
{
    return plan->writer_count * (plan->states ? 2 : 1) + plan->log;
}
/* writers.c: the writers and the log of [output]. */
typedef struct tn_log_keys {
    int32_t log, frames; /* frames: tn_frames */
    double tolerance;
} tn_log_keys;
void tn_plan_writers(tn_model *model, const tn_toml *output, const tn_log_keys *keys, tn_plan *plan);
/* rows.c: the most rows, behind that of the start, of a run that asks for no interval; finds the intervals beyond that. What
 * a long run takes, in words; false for a short one. `columns` are those of all tables. */
#define TN_DENSE_ROWS 100000
void tn_plan_rows(tn_plan *plan);
bool tn_plan_size_words(const tn_plan *plan, size_t columns, char *text, size_t size);
/* The solvers of a model with constraints need a linear solver, whatever they do with it. */
void tn_plan_linear(tn_model *model, tn_plan *plan);
/* The first solver's linear solver, or what solvers get; the type NULL after reporting. */
tn_linear_choice tn_plan_any_linear(tn_model *model, const tn_plan *plan);
/* choice.c: what a name, or a table `{type = "...", ...}` with parameters, chooses; NULL stands for the standard one. The type
 * is NULL after reporting. */
tn_linear_choice tn_choose_linear(tn_model *model, const tn_toml *node, const tn_toml *otherwise);
/* By a name, with standard parameters; the type NULL, without a message, where it is not installed. */
tn_linear_choice tn_find_linear(tn_model *model, const char *name);
tn_writer_choice tn_choose_writer(tn_model *model, const tn_toml *node);
/* By a name or table; by a `name` alone, with standard parameters, where there is no node. */
tn_constraint_choice tn_choose_constraint_solver(tn_model *model, const tn_toml *node, const char *name);
/* Of a kind that models know nothing of. */
typedef struct tn_other_kind {
    const char *key, *standard; /* standard: the name where there is no node */
    const char *const *words;   /* keys of the table besides those of the type, NULL last */
    size_t prepare;             /* where that function stands in the type, bytes */
} tn_other_kind;
typedef struct tn_other_choice {
    const void *type, *instance;
} tn_other_choice;
tn_other_choice tn_choose_other(tn_model *model, const tn_toml *node, const tn_other_kind *kind);

#endif

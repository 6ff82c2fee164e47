/* services.h - tables of functions that the system calls where they are given, when a model is assembled
 *
 * The system evaluates, solves and steps by itself. Expressions that read the state, energies, dependent rows, the explanation of
 * failures, checks of linear solvers, differences in place of exact tangents, calls in blocks, rows of small mechanisms, the way onto the constraints where a run starts, changes of the model and extensions for solvers are not part of it:
 * tn_assemble takes a table, for the last three a function, for each of these topics, or NULL. The table's header states what happens without it. The tables
 * outlive the assembly. */
#ifndef TN_SERVICES_H
#define TN_SERVICES_H

#include "plugin/loading.h"

typedef struct tn_services {
    const struct tn_value_source *values;     /* value_source.h */
    const struct tn_energy_source *energies;  /* energy_source.h */
    const struct tn_row_analysis *rows;       /* row_analysis.h */
    const struct tn_explanation *explanation; /* explanation.h */
    const struct tn_linear_check *linear;     /* linear.h */
    const struct tn_tangent_source *tangents; /* tangent_source.h */
    const struct tn_block_calls *blocks;      /* block_calls.h */
    const struct tn_row_solver *few_rows;     /* project.h */
    /* Makes all changes of the model that are due at this time, s, or because their condition is met: whether there were any. Blocks
     * whose sample time has come are sampled behind them, which changes no coordinates; TN_EVENT: that has changed nothing at all. Renews
     * system.next_change and that of the acceptance. TN_INVALID, with its reason, where an item refuses what they make of it. The system
     * does not know what is changed, and when: it ends steps where a change is due, calls this there, and goes on from the changed
     * model. */
    tn_status (*changes)(tn_assembly *assembly, double time, bool *any);
    /* Takes the state to the constraints behind a change, where a run starts, too (start/start.h); without it the state has to be there. */
    tn_status (*consistent)(tn_assembly *assembly, bool run_starts);
    /* What solvers get from `extension` of tn_system by this key; NULL: it is not offered. */
    const void *(*extension)(tn_assembly *assembly, const char *key);
} tn_services;

#endif

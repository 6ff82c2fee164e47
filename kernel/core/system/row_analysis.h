/* row_analysis.h - constraints whose rows depend on each other, as the system sees them: what is known of them, and a table of
 * functions, given with the model
 *
 * Dependent rows have many multipliers that give the same motion. The system solves for some of them whatever the rows are; whether
 * it has to, and which multipliers results show, is for this table. Without a table rows count as unknown, and results
 * show the state as the solver left it. Behind it: kernel/analysis.
 *
 * When: `open` once values are; `renew` behind a change of the model, at a state that meets the constraints; `show` and `hide`
 * around whatever reads results. */
#ifndef TN_ROW_ANALYSIS_H
#define TN_ROW_ANALYSIS_H

#include <tenon/plugin.h>

#include <stdbool.h>

/* E of the matrix against the diagonal of its Schur complement: where it is seldom needed, where it has to take up the round-off
 * of dependent rows, and where solutions shall have the least multipliers. Soft directions of long structures and of singular
 * positions bear no larger shares. */
#define TN_SHARE_OF_INDEPENDENT_ROWS 1e-14
#define TN_SHARE_OF_UNKNOWN_ROWS 1e-12
#define TN_SHARE_OF_DEPENDENT_ROWS 1e-10
#define TN_SHARE_OF_LEAST_MULTIPLIERS 1e-9

/* What was found, and what the run has set. */
typedef struct tn_redundancy {
    double share; /* E against the diagonal of the Schur complement */
    /* all solutions have multipliers of least norm: E of the matrix is the same for all rows */
    bool solves_least;
    /* rows depend on each other: results show multipliers of least norm, by equations of their own */
    bool shows_least;
    bool shows_states;                    /* given: multipliers are among the results */
    const struct tn_loaded_linear *dense; /* given: to find ranks with; NULL: none is there */
} tn_redundancy;

struct tn_assembly;
struct tn_filling;

typedef struct tn_row_analysis {
    /* [setup] Makes the memory, `assembly->shown`, which lives as long as the assembly. */
    void (*open)(struct tn_assembly *assembly);
    /* Which rows depend on each other at the current state, into assembly->redundancy; TN_OUT_OF_MEMORY, else TN_OK. */
    tn_status (*renew)(struct tn_assembly *assembly);
    /* [hot] Where `solves_least` is set: takes null directions out of the multipliers, so that the rest has the least norm. */
    tn_status (*remove_null_part)(struct tn_assembly *assembly);
    /* [hot] Where a matrix is asked for with an even E: the largest one becomes that of all rows. */
    void (*level_regularisation)(const struct tn_filling *fill);
    /* Evaluates the state as results show it: markers, parameters, accelerations and the wrenches of constraints, with multipliers
     * of least norm where `shows_least` is set; then the state is the solver's again. */
    tn_status (*show)(struct tn_assembly *assembly);
    void (*hide)(struct tn_assembly *assembly);
} tn_row_analysis;

#endif

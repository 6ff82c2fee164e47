/* analysis.h - what this folder offers the system: energies and their account, dependent rows, explanations, checks of linear
 * solvers. Whoever assembles a model gives these tables (system/services.h), which say when each function is called. */
#ifndef TN_ANALYSIS_H
#define TN_ANALYSIS_H

#include "analysis/differences.h"
#include "system/energy_source.h"
#include "system/explanation.h"
#include "system/linear.h"
#include "system/row_analysis.h"

#include <tenon/draft/freedom.h>

extern const tn_energy_source tn_energy_accounts; /* energy.c */
extern const tn_row_analysis tn_dependent_rows;   /* redundancy.c */
extern const tn_explanation tn_explanations;      /* explanation.c */
extern const tn_linear_check tn_linear_checks;    /* linear_check.c */
extern const tn_freedom tn_free_motions;          /* mobility.c: the extension of that name */

#endif

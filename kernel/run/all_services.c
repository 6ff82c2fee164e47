/* all_services.c - the tables that runs give to the system (see all_services.h) */
#include "run/all_services.h"

#include "analysis/analysis.h"
#include "linearised/linearisation.h"
#include "changes/changes.h"
#include "complement/complement.h"
#include "extensions/extension.h"
#include "run/constraint_solver.h"
#include "run/solver_tables.h"
#include "signals/signals_extension.h"
#include "start/start.h"
#include "threads/block_calls.h"
#include "values/values.h"

#include <string.h>

static const void *find_extension(tn_assembly *assembly, const char *key)
{
    if (strcmp(key, TN_FREEDOM_KEY) == 0) return &tn_free_motions;
    if (strcmp(key, TN_LINEARISATION_KEY) == 0) return tn_linearisation_of(assembly);
    if (strcmp(key, TN_TABLES_KEY) == 0) return tn_solver_tables_of(assembly);
    if (strcmp(key, TN_MODES_KEY) == 0) return tn_solver_modes_of(assembly);
    if (strcmp(key, TN_SIGNALS_KEY) == 0) return tn_signals_of(assembly);
    if (strcmp(key, TN_CONSTRAINT_SOLVER_KEY) == 0) return tn_constraint_solver_of(assembly);
    return tn_extension_of(assembly, key);
}

const tn_services tn_all_services = {.values = &tn_state_values,
                                     .energies = &tn_energy_accounts,
                                     .rows = &tn_dependent_rows,
                                     .explanation = &tn_explanations,
                                     .linear = &tn_linear_checks,
                                     .tangents = &tn_central_differences,
                                     .blocks = &tn_calls_in_blocks,
                                     .few_rows = &tn_complements,
                                     .changes = tn_changes_and_samples,
                                     .consistent = tn_make_consistent,
                                     .extension = find_extension};

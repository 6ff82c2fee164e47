/* operators.h - the pieces of the equations one by one, for solvers that work on rows (tenon/draft/operators.h).
 *
 * Rows of types with kinds are no equations: everything else in the kernel leaves them out. Their places in the matrix hold a row that
 * stands alone, residuals and rates are 0, and the multipliers are the solver's. */
#ifndef TN_OPERATORS_H
#define TN_OPERATORS_H

#include "extensions/extension.h"

#include <tenon/draft/operators.h>

/* Made at the first call; NULL without memory, where kinds of rows are wrong, or where the system has no pattern. */
const tn_operators *tn_operators_of(tn_assembly *assembly);
/* Whether rows need a solver that gives them their meaning: the first element that has such rows, or TN_NONE. */
uint32_t tn_unilateral_item(const tn_assembly *assembly);

#endif

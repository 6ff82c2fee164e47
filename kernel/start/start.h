/* start.h - takes a state to the constraints: where a run starts, and behind a change of the model. */
#ifndef TN_START_H
#define TN_START_H

#include "system/assembly.h"

/* Takes the state to the constraints, and says what moved; explains a failure. Where a run starts, bodies that are pinned stay as they
 * are. */
tn_status tn_make_consistent(tn_assembly *assembly, bool run_starts);
/* Positions alone: for solvers by impulses, whose first step takes velocities to the constraints, with the impulses that this takes. */
tn_status tn_close_positions_only(tn_assembly *assembly, bool run_starts);

#endif

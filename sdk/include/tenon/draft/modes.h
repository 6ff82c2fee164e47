/* tenon/draft/modes.h - "tenon.modes/1" of tn_system: modes about the state of the system, which a solver adds to the recording of the run
 * (recording.h) for animations. */
#ifndef TENON_DRAFT_MODES_H
#define TENON_DRAFT_MODES_H

#include "tenon/solver.h"

#define TN_MODES_KEY "tenon.modes/1"
typedef struct tn_modes {
    uint32_t struct_size, reserved;
    /* [setup] Adds a mode: the real part of exp(eigenvalue t) times the increment re + i im of q, [nv] each, in the coordinates of v.
     * `eigenvalue` [2]: 1/s, real and imaginary part. The kernel records the displacements of bodies, scaled so that the largest is 1.
     *
     * system->extension(system, TN_MODES_KEY) is NULL where the run keeps no log. */
    tn_status (*add)(tn_system *system, const double *eigenvalue, const double *re, const double *im);
} tn_modes;

#endif

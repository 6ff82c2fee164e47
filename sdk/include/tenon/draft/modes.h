/* tenon/draft/modes.h - "tenon.modes/1" of tn_system: small motions that a solver has found about the state of the system, for pictures
 * of them (recording.h). */
#ifndef TENON_DRAFT_MODES_H
#define TENON_DRAFT_MODES_H

#include "tenon/solver.h"

#define TN_MODES_KEY "tenon.modes/1"
typedef struct tn_modes {
    uint32_t struct_size, reserved;
    /* [setup] A mode: the real part of exp(eigenvalue t) times the increment re + i im of q, [nv] each, in the coordinates of v. The kernel
     * keeps how bodies move by it, whatever the size of the increment is. `eigenvalue` [2]: 1/s, real and imaginary part.
     *
     * The extension is not offered (NULL) where no log of the run is written. */
    tn_status (*add)(tn_system *system, const double *eigenvalue, const double *re, const double *im);
} tn_modes;

#endif

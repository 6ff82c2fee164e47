/* own_matrices.h - the linear solver of the study for matrices of solvers (tenon/draft/own_matrices.h) */
#ifndef TN_OWN_MATRICES_OF_SYSTEM_H
#define TN_OWN_MATRICES_OF_SYSTEM_H

#include "extensions/extension.h"

#include <tenon/draft/own_matrices.h>

/* NULL where no linear solver is open. */
const tn_own_matrices *tn_own_matrices_of(const tn_assembly *assembly);

#endif

/* own_matrices.h - the linear solver of the study for matrices of plugins (tenon/draft/own_matrices.h) */
#ifndef TN_OWN_MATRICES_OF_SYSTEM_H
#define TN_OWN_MATRICES_OF_SYSTEM_H

#include "extensions/extension.h"

#include <tenon/draft/own_matrices.h>
#include <tenon/draft/stepping.h>

/* Made at the first call, in the memory of the assembly; NULL where memory runs out. It uses the linear solver that is open. */
const tn_own_matrices *tn_own_matrices_of(tn_assembly *assembly);
/* All data on which later factorisations depend. Restored matrices wait until their pattern is opened. */
void tn_own_matrices_list_state(tn_assembly *assembly, tn_state_visitor *visitor);
/* A linear solver that cannot save its state begins anew at the next factor(); returns whether there is one. */
bool tn_own_matrices_forget(tn_assembly *assembly);
/* Closes restored matrices that have not been opened. */
void tn_own_matrices_close(tn_assembly *assembly);

#endif

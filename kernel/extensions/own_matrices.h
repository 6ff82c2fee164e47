/* own_matrices.h - the linear solver of the study for matrices of plugins (tenon/draft/own_matrices.h) */
#ifndef TN_OWN_MATRICES_OF_SYSTEM_H
#define TN_OWN_MATRICES_OF_SYSTEM_H

#include "extensions/extension.h"

#include <tenon/draft/own_matrices.h>
#include <tenon/draft/stepping.h>

/* Made at the first call, in the memory of the assembly; NULL without memory. It works with the linear solver that is open. */
const tn_own_matrices *tn_own_matrices_of(tn_assembly *assembly);
/* All that factorisations to come depend on. What is restored waits for whoever opens matrices of its pattern. */
void tn_own_matrices_list_state(tn_assembly *assembly, tn_state_visitor *visitor);
/* A linear solver that does not tell its own begins anew at the next factor(): true where there is one. */
bool tn_own_matrices_forget(tn_assembly *assembly);
/* Ends what nobody has asked for. */
void tn_own_matrices_close(tn_assembly *assembly);

#endif

/* linear_service.h - sparse linear systems of other sizes than the system's own, for constraint solvers (tenon/draft/impulses.h) */
#ifndef TN_LINEAR_SERVICE_H
#define TN_LINEAR_SERVICE_H

#include "extensions/extension.h"

#include <tenon/draft/impulses.h>
#include <tenon/draft/stepping.h>

/* Made at the first call, in the memory of the assembly; NULL without memory. It works with the linear solver that is open. */
const tn_linear_service *tn_linear_service_of(tn_assembly *assembly);
/* All that factorisations to come depend on. What is restored waits for whoever creates a system of its pattern. */
void tn_linear_service_list_state(tn_assembly *assembly, tn_state_visitor *visitor);
/* A linear solver that does not tell its own begins anew at the next factor(): true where there is one. */
bool tn_linear_service_forget(tn_assembly *assembly);
/* Ends what nobody has asked for. */
void tn_linear_service_close(tn_assembly *assembly);

#endif

/* complex_equations.h - real and complex matrices of stages (tenon/draft/complex_equations.h) */
#ifndef TN_COMPLEX_EQUATIONS_OF_SYSTEM_H
#define TN_COMPLEX_EQUATIONS_OF_SYSTEM_H

#include "extensions/extension.h"

#include <tenon/draft/complex_equations.h>
#include <tenon/draft/stepping.h>

/* The table, made at the first call; it tells about the linear solver that is open now. NULL without memory or pattern, and where no
 * linear solver is open. */
const tn_complex_equations *tn_complex_equations_of(tn_assembly *assembly);
/* All that solutions with them depend on. `forgets`: a linear solver that does not tell its own begins anew: true where there is one. */
void tn_complex_list_state(tn_assembly *assembly, tn_state_visitor *visitor);
bool tn_complex_forget(tn_assembly *assembly);

#endif

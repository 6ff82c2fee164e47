/* equations_state.h - what equations of a system keep between solutions. */
#ifndef TN_EQUATIONS_STATE_H
#define TN_EQUATIONS_STATE_H

#include "system/assembly.h"

/* All that solutions with these equations, and factorisations to come, depend on. */
void tn_equations_list_state(tn_assembly *assembly, tn_equations *equations, tn_state_visitor *visitor);

#endif

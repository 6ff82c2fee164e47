/* coupled_accelerations.h - accelerations where forces read them. Called by the system by way of its table (system/value_source.h). */
#ifndef TN_COUPLED_ACCELERATIONS_H
#define TN_COUPLED_ACCELERATIONS_H

#include "system/assembly.h"

/* Into v' and lambda of the state; TN_RETRY where there is no solution, whose first force is named. */
tn_status tn_coupled_accelerate(tn_assembly *assembly);

#endif

/* all_services.h - all that the system can be given: values that read the state, energies, dependent rows, explanations, checks of
 * linear solvers. Given by whoever assembles a model as a run does. */
#ifndef TN_ALL_SERVICES_H
#define TN_ALL_SERVICES_H

#include "system/services.h"

extern const tn_services tn_all_services;

#endif

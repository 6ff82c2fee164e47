/* configuration.h - positions and their increments. */
#ifndef TN_CONFIGURATION_H
#define TN_CONFIGURATION_H

#include "system/assembly.h"

/* configuration.c */
tn_status tn_system_rate(tn_system *system, double *rate);
tn_status tn_system_retract(tn_system *system, const double *from, const double *increment, double *to);
tn_status tn_system_normalise(tn_system *system, double *q);
void tn_system_transport(tn_system *system, const double *from, const double *to, const double *vector,
                         double *result, const double *second, double *second_result);

#endif

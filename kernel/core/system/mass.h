/* mass.h - masses of bodies, and what is found with them alone. */
#ifndef TN_MASS_H
#define TN_MASS_H

#include "system/assembly.h"

/* mass.c: masses and their inverses; the masses of the last evaluation; M a and M^-1 f with these; what tn_system offers
 * of them. */
tn_status tn_mass_build(tn_assembly *assembly);
tn_status tn_mass_renew(tn_assembly *assembly);
void tn_mass_forget(tn_assembly *assembly); /* an evaluation begins */
/* The mass against coordinate number i of all in a group. */
double tn_mass_of_coordinate(const tn_group *group, size_t i);
tn_status tn_mass_multiply(tn_assembly *assembly, const double *a, double *product);
tn_status tn_mass_divide(tn_assembly *assembly, const double *force, double *a);
tn_status tn_system_residual(tn_system *system, const double *a, double *residual);

#endif

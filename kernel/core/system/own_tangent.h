/* own_tangent.h - forces of bodies on themselves, and their derivatives. */
#ifndef TN_OWN_TANGENT_H
#define TN_OWN_TANGENT_H

#include "system/assembly.h"

/* own_tangent.c: forces of bodies on themselves, into batch->force; derivatives of these, or of residuals at the accelerations
 * in batch->a, by positions and velocities, into batch->tangent of a chunk; of residuals by accelerations, into the masses of
 * a group. */
tn_status tn_own_force(const tn_group *group, tn_batch *batch);
tn_status tn_own_tangent(const tn_assembly *assembly, const tn_group *group, tn_batch *batch);
tn_status tn_own_mass(tn_group *group);
size_t tn_own_columns(const tn_group *group);      /* of one kind: coordinates, or entries of the pattern */
size_t tn_own_tangent_size(const tn_group *group); /* doubles of one instance */
size_t tn_own_memory_size(const tn_group *group); /* doubles of one instance that the tangent takes besides */
size_t
tn_own_differences_size(const tn_group *group); /* doubles that a chunk takes for differences; 0 when exact */
/* v^T (dM/dt) v / 2 of one instance with a residual: what its forces do besides f v. `memory` has tn_mass_power_size() doubles. */
double tn_mass_power(const tn_assembly *assembly, const tn_group *group, uint32_t instance, double *memory);
size_t tn_mass_power_size(const tn_group *group);

#endif

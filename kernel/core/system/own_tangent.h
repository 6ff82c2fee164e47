/* own_tangent.h - forces of bodies on themselves, and their derivatives. */
#ifndef TN_OWN_TANGENT_H
#define TN_OWN_TANGENT_H

#include "system/assembly.h"

/* own_tangent.c: forces of bodies on themselves, into batch->force; derivatives of these, or of residuals at the accelerations
 * in batch->a, by positions and velocities, into batch->tangent of a chunk; of residuals by accelerations, into the masses of
 * a group. */
tn_status tn_own_force(const tn_group *group, tn_batch *batch);
tn_status tn_own_tangent(const tn_assembly *assembly, const tn_group *group, tn_batch *batch);
tn_status tn_own_mass(const tn_assembly *assembly, tn_group *group);
bool tn_own_is_exact(const tn_group *group);       /* its type has these derivatives */
size_t tn_own_columns(const tn_group *group);      /* of one kind: coordinates, or entries of the pattern */
size_t tn_own_rows(const tn_group *group);         /* of a matrix of derivatives */
size_t tn_own_tangent_size(const tn_group *group); /* doubles of one instance */
size_t tn_own_memory_size(const tn_group *group); /* doubles of one instance that the tangent takes besides */
/* Derivatives in these columns, which follow each other; `memory` has tn_own_memory_size() for each instance, `probe` what
 * differences take (tangent_source.h). */
tn_status tn_own_differentiate(const tn_assembly *assembly, const tn_group *group, tn_batch *batch,
                               const tn_column_block *columns, uint32_t blocks, double *memory,
                               double *probe);

#endif

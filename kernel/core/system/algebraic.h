/* algebraic.h - unknowns of elements that their own equations determine. */
#ifndef TN_ALGEBRAIC_H
#define TN_ALGEBRAIC_H

#include "system/assembly.h"
#include "system/lu.h"

/* algebraic.c: memory for unknowns, then, behind tn_states_build, for tangents; where those of an instance start, NULL for
 * none. Finds them at the markers and states of an evaluation, from the last accepted ones: of some instances, which tell in
 * their batch's `failure` where there are none; of all. `follow`: from where they are. Keeps them as they are, of a state that
 * was accepted. */
void tn_algebraic_build(tn_assembly *assembly);
void tn_algebraic_make_room(tn_assembly *assembly);
/* At the first evaluated markers: false after reporting unknowns of rows that depend on velocities. */
bool tn_algebraic_check(const tn_assembly *assembly);
double *tn_algebraic_start(const tn_assembly *assembly, const tn_group *group, uint32_t instance);
tn_status tn_algebraic_find(const tn_assembly *assembly, const tn_group *group, uint32_t first,
                            uint32_t count);
tn_status tn_algebraic_follow(const tn_assembly *assembly, const tn_group *group, uint32_t first,
                              uint32_t count);
void tn_algebraic_keep(const tn_assembly *assembly);
void tn_algebraic_list_state(tn_assembly *assembly, tn_state_visitor *visitor);
/* Adds to a tangent, `rows` of each instance with the columns of the batch, how its unknowns follow all else. */
tn_status tn_algebraic_condense(const tn_assembly *assembly, const tn_group *group, const tn_batch *batch,
                                uint32_t rows, double *tangent);

/* Memory for the equations of up to n unknowns of an instance, also of states. */
static inline tn_small_system tn_small_system_new(tn_assembly *assembly, size_t n)
{
    return (tn_small_system){.matrix = tn_assembly_new(assembly, n * n, sizeof(double)),
                             .direction = tn_assembly_new(assembly, n, sizeof(double)),
                             .exchange = tn_assembly_new(assembly, n, sizeof(uint32_t))};
}

#endif

/* state_values.h - the memory of values that read the state, of one assembly; the system sees the table tn_state_values only */
#ifndef TN_STATE_VALUES_H
#define TN_STATE_VALUES_H

#include "values/graph.h"
#include "values/values.h"

struct tn_value_memory {
    tn_arena arena;                     /* of all that has its size from the start */
    struct tn_live *live;               /* for values of expressions */
    struct tn_loops *loops;             /* of values that read each other */
    struct tn_derivatives *derivatives; /* of all of them */
    size_t first_observed;              /* of the lists of what is reached, those that may become others */
    struct tn_couplings *couplings;     /* NULL: no parameter reads the state */
    struct tn_accelerations *accelerations; /* that expressions read, or NULL */
    struct tn_force_memory *forces;         /* to measure forces that expressions read, or NULL */
};

/* Zeroed memory until the assembly ends. */
static inline void *tn_value_new(const tn_assembly *assembly, size_t count, size_t size)
{
    return tn_arena_new(&assembly->read->arena, count * size);
}

#endif

/* state_values.h - the memory of values that read the state, of one assembly; the system sees the table tn_state_values only */
#ifndef TN_STATE_VALUES_H
#define TN_STATE_VALUES_H

#include "values/graph.h"
#include "values/values.h"

struct tn_value_memory {
    struct tn_live *live;                   /* for values of expressions */
    struct tn_loops *loops;                 /* of values that read each other */
    struct tn_derivatives *derivatives;     /* of all of them */
    struct tn_closures *closures;           /* of variables that act */
    struct tn_couplings *couplings;         /* NULL: no parameter reads the state */
    struct tn_accelerations *accelerations; /* that expressions read, or NULL */
    struct tn_force_memory *forces;         /* to measure forces that expressions read, or NULL */
};

#endif

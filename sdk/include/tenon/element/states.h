/* tenon/element/states.h - "tenon.states/1": first-order states x' = h of an element. */
#ifndef TENON_ELEMENT_STATES_H
#define TENON_ELEMENT_STATES_H

#include "tenon/batch.h"

#define TN_STATES_KEY "tenon.states/1"

/* An instance has 32 states and algebraic unknowns at the most, together. They keep their values while it is not active. */
typedef struct tn_states_capability {
    uint32_t struct_size, reserved;
    /* [hot] h into `x_rate`; */
    tn_batch_function rates;
    /* and h with its exact derivatives, into `tangent` (see tn_batch), for implicit solvers, which then solve for x together
     * with the motion. NULL: solvers iterate on x separately. */
    tn_batch_function rates_tangent;
} tn_states_capability;

#endif

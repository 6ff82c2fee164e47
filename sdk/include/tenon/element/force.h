/* tenon/element/force.h - "tenon.force/1": forces of a connector on its markers. */
#ifndef TENON_ELEMENT_FORCE_H
#define TENON_ELEMENT_FORCE_H

#include "tenon/batch.h"

#define TN_FORCE_KEY "tenon.force/1"

typedef struct tn_force_capability {
    uint32_t struct_size, reserved;
    /* [hot] Wrenches on all markers into `wrench`; */
    tn_batch_function force;
    /* and these with their exact derivatives, into `wrench` and `tangent` (see tn_batch). NULL: central differences stand in. */
    tn_batch_function force_tangent;
} tn_force_capability;

#endif

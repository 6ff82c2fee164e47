/* tenon/element/configuration.h - "tenon.configuration/1": coordinates of a body that is no vector space (see TN_VECTOR_SPACE). */
#ifndef TENON_ELEMENT_CONFIGURATION_H
#define TENON_ELEMENT_CONFIGURATION_H

#include "tenon/batch.h"

#define TN_CONFIGURATION_KEY "tenon.configuration/1"

typedef struct tn_configuration_capability {
    uint32_t struct_size, reserved;
    /* [hot] q' = N(q) v into `rate`; */
    tn_batch_function rate;
    /* [hot] q [+] dv: reads batch->q and the increment in batch->v, writes batch->rate; source and target may be the same
     * memory; */
    tn_batch_function retract;
    /* [hot] and removal of the drift from the manifold (such as the norm of a quaternion), q in batch->rate. */
    tn_batch_function normalise;
    /* [hot] Of a type that measures velocities in axes that turn with it: vectors of velocities (v, a, increments of q) in
     * batch->v, belonging to the configuration batch->q, with the components that they have at the configuration in
     * batch->rate, which is read; in ground axes they stay as they are. Into batch->residual [count][nv], which may be the
     * memory of the vectors. batch->a, where it is not NULL, holds further ones, which go into batch->force in the same way.
     * NULL: components stay as they are. */
    tn_batch_function transport;
} tn_configuration_capability;

#endif

/* tenon/element/configuration.h - "tenon.configuration/1": coordinates of a body that is no vector space (see TN_VECTOR_SPACE). */
#ifndef TENON_ELEMENT_CONFIGURATION_H
#define TENON_ELEMENT_CONFIGURATION_H

#include "tenon/batch.h"

#define TN_CONFIGURATION_KEY "tenon.configuration/1"

typedef struct tn_configuration_capability {
    uint32_t struct_size, reserved;
    /* [hot] q' = N(q) v into `rate`; */
    tn_batch_function rate;
    /* [hot] q [+] dv with dv in `increment`, into `configuration`, which may be the memory of q; */
    tn_batch_function retract;
    /* [hot] and removal of the drift from the manifold (such as the norm of a quaternion), of `configuration` in place. */
    tn_batch_function normalise;
    /* [hot] Of a type that measures velocities in axes that turn with it: vectors of velocities (v, a, increments of q) in
     * `vector`, belonging to the configuration q, into `transported`, with the components that they have at the configuration
     * `target`; in ground axes they stay as they are. Each result may be the memory of its vector; vector[1] may be NULL, and
     * nothing is to be done for it then. NULL: components stay as they are. */
    tn_batch_function transport;
} tn_configuration_capability;

#endif

/* tenon/element/energy.h - "tenon.energy/1": stored energy and dissipated power of an element. */
#ifndef TENON_ELEMENT_ENERGY_H
#define TENON_ELEMENT_ENERGY_H

#include "tenon/batch.h"

#define TN_ENERGY_KEY "tenon.energy/1"

/* All other work of the forces counts as supplied energy. The output `dissipated_energy` of an instance starts with its
 * parameter of that name, a REAL, if the type has one. */
typedef struct tn_energy_capability {
    uint32_t struct_size, reserved;
    /* [hot] Potential energy, J, [count] into `value`; NULL: none. */
    tn_batch_function potential;
    /* [hot] Dissipated power, W, not negative, [count] into `value`; NULL: none. */
    tn_batch_function dissipation;
} tn_energy_capability;

#endif

/* tenon/element/energy.h - "tenon.energy/1": what an element stores and dissipates. */
#ifndef TENON_ELEMENT_ENERGY_H
#define TENON_ELEMENT_ENERGY_H

#include "tenon/batch.h"

#define TN_ENERGY_KEY "tenon.energy/1"

/* What the forces do beyond these two counts as supplied from outside. The output `dissipated_energy` of an instance counts on
 * from its parameter of that name, a REAL, where the type has one. */
typedef struct tn_energy_capability {
    uint32_t struct_size, reserved;
    /* [hot] Potential energy, J, [count] into `value`; NULL: none. */
    tn_batch_function potential;
    /* [hot] Dissipated power, W, not negative, [count] into `value`; NULL: none. */
    tn_batch_function dissipation;
} tn_energy_capability;

#endif

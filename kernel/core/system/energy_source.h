/* energy_source.h - energies and their check, as the system sees them: a table of functions, given with the model
 *
 * Energies that sensors record are integrated along the run, as quadratures among the states; the account of energies observes
 * accepted steps. Without a table there are neither. Behind it: kernel/analysis.
 *
 * When: `open` once coordinates are numbered, `observe` once the system is complete; `rates` behind the forces of every evaluation
 * where there are quadratures; `impulses` where elements have exerted some at an event; `changed` where a change of the model has
 * given an element another parameter. */
#ifndef TN_ENERGY_SOURCE_H
#define TN_ENERGY_SOURCE_H

#include "system/assembly.h"

typedef struct tn_energy_source {
    /* [setup] Makes the memory, `assembly->energies`, which lives as long as the assembly, and adds quadratures to the states. */
    void (*open)(tn_assembly *assembly);
    /* [setup] Accepted steps can be observed from now on. */
    void (*observe)(tn_assembly *assembly);

    /* [hot] The rates of the quadratures, W, into x_rate. */
    void (*rates)(tn_assembly *assembly);
    /* The wrenches are impulses, with these means of twists before and behind them; v has changed by `change`. */
    void (*impulses)(tn_assembly *assembly, const double *mean, const double *change);
    /* [hot] The points of contact of an element have done so much work, J, in the step that ends here. */
    void (*contacts)(tn_assembly *assembly, uint32_t item, double work);
    /* The parameter of an element that stands `offset` bytes in its instance was changed. */
    void (*changed)(tn_assembly *assembly, uint32_t item, uint32_t offset);
} tn_energy_source;

#endif

/* measured_forces.h - forces that expressions read. */
#ifndef TN_SYSTEM_FORCES_H
#define TN_SYSTEM_FORCES_H

#include "values/state_values.h"

/* forces.c: memory; the value of a force that expressions read, into it, and of all of them; its derivatives by what one
 * element depends on, and by the turn of the frame that it is told in (by_turn [3], ground axes). All are found anew from the
 * last evaluated markers, the parameters and the current multipliers; anything but TN_OK names the element that refused. */
typedef struct tn_force_gradient {
    double *by_wrench;     /* [W] of the element */
    double *by_pose;       /* [2 W] of its markers: by poses, then twists */
    double *by_dynamic;    /* [dynamic columns] */
    double *by_multiplier; /* [rows] */
} tn_force_gradient;
void tn_forces_build(tn_assembly *assembly);
void tn_forces_free(struct tn_force_memory *memory);
tn_status tn_force_evaluate(tn_assembly *assembly, tn_measured_force *force);
tn_status tn_forces_evaluate(tn_assembly *assembly);
tn_status tn_force_differentiate(tn_assembly *assembly, const tn_measured_force *force,
                                 const struct tn_force_share *share, double state_factor,
                                 const tn_force_gradient **gradient);
tn_status tn_force_by_frame(tn_assembly *assembly, const tn_measured_force *force, double by_turn[3]);

#endif

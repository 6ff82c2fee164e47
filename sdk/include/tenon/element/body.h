/* tenon/element/body.h - "tenon.body/1": mass, and forces of a body on itself. */
#ifndef TENON_ELEMENT_BODY_H
#define TENON_ELEMENT_BODY_H

#include "tenon/batch.h"

#define TN_BODY_KEY "tenon.body/1"

typedef struct tn_body_capability {
    uint32_t struct_size, reserved;
    const char *const
        *velocity_units; /* [nv] unit of each increment of q: "m" or "rad"; NULL: dimensionless */
    /* [setup] Constant mass matrix, symmetric positive definite, into `mass`. */
    tn_batch_function mass;
    /* [hot] Forces of a body on itself, f(q, v, t), into `force`; NULL: none; */
    tn_batch_function body_force;
    /* and [count][nv][2 nv + dynamic] derivatives into `tangent`, columns: increments of q, then v. NULL: central differences. */
    tn_batch_function body_force_tangent;
    /* [hot] Velocity coordinates of the body when the whole model moves as one rigid body: [count][nv][6] into `mass`; columns are
     * unit velocities along and unit angular velocities about the ground axes, through the ground origin. Gives momenta and
     * frame-indifference tests. NULL: it has no part in them. */
    tn_batch_function rigid_motion;
} tn_body_capability;

#endif

/* tenon/element/body.h - "tenon.body/1": mass, and forces of a body on itself. */
#ifndef TENON_ELEMENT_BODY_H
#define TENON_ELEMENT_BODY_H

#include "tenon/batch.h"

#define TN_BODY_KEY "tenon.body/1"

typedef struct tn_body_capability {
    uint32_t struct_size, reserved;
    const char *const *
        velocity_units; /* unit of each increment of q, for the largest nv: "m", "rad"; NULL: dimensionless */
    /* [setup] Constant mass matrix, symmetric positive definite, into `mass`. */
    tn_batch_function mass;
    /* [hot] Forces of a body on itself, f(q, v, t), into `force`; NULL: none; */
    tn_batch_function body_force;
    /* and these with their derivatives by positions and velocities into `tangent` (see tn_batch). NULL: central differences. */
    tn_batch_function body_force_tangent;
    /* [hot] In place of body_force and mass, for a mass matrix that depends on q: M(q) v' - f(q, v, t) into `residual`,
     * [count][nv], linear in v'; */
    tn_batch_function residual;
    /* and this with its derivatives by positions, velocities and accelerations (these are M, symmetric positive definite) into
     * `tangent`. TN_RETRY: outside a domain. NULL: central differences. */
    tn_batch_function residual_tangent;
    /* [hot] Velocity coordinates of the body when the whole model moves as one rigid body: into `rigid_motion`; columns are
     * unit velocities along and unit angular velocities about the ground axes, through the ground origin. Used for momenta and
     * tests of frame indifference. NULL: not included in them. */
    tn_batch_function rigid_motion;
    /* [setup] Of a body whose layout has `own_entries`: row and column of each entry, in the order of `mass` and of its
     * tangents, [own_entries] each. The list contains the whole diagonal, every position once, and for each its mirrored one.
     * Instances with equal lists form one batch. M^-1 f costs the fill of a Cholesky factorisation in the order of approximate
     * minimum degree. */
    tn_status (*own_pattern)(const tn_host *host, const void *instance, uint32_t *row, uint32_t *column);
    /* [setup] Unit of increment `number` of q ("m", "rad"; NULL: none), if it depends on the instance, instead of
     * `velocity_units`: a static text. */
    const char *(*velocity_unit)(const void *instance, uint32_t number);
} tn_body_capability;

#endif

/* tenon/element/algebraic.h - "tenon.algebraic/1": algebraic unknowns s of an element, 0 = r(markers, x, s, t). */
#ifndef TENON_ELEMENT_ALGEBRAIC_H
#define TENON_ELEMENT_ALGEBRAIC_H

#include "tenon/batch.h"

#define TN_ALGEBRAIC_KEY "tenon.algebraic/1"

/* dr/ds must be regular: the kernel solves for s, instance by instance, at every evaluation of the markers, from the s of the
 * last accepted state, so that solvers see forces and rates as functions of the other variables. Tangents of forces and rates
 * keep s constant (its columns are TN_ALGEBRAIC_COLUMNS); those of constraint rows, their rate, bias and stiffness include the
 * change of s with the markers. There r must not depend on velocities. */
typedef struct tn_algebraic_capability {
    uint32_t struct_size, reserved;
    /* [hot] r into `residual`, [count][ns]; */
    tn_batch_function algebraic;
    /* and r with its exact derivatives, into `residual` and `tangent` (see tn_batch): an element with unknowns must have them. */
    tn_batch_function algebraic_tangent;
} tn_algebraic_capability;

#endif

/* tenon/element/constraint.h - "tenon.constraint/1": equations between the motions of markers, kept by multipliers. */
#ifndef TENON_ELEMENT_CONSTRAINT_H
#define TENON_ELEMENT_CONSTRAINT_H

#include "tenon/batch.h"

#define TN_CONSTRAINT_KEY "tenon.constraint/1"

/* Most markers and rows of one constraint. */
#define TN_CONSTRAINT_MARKERS 8
#define TN_CONSTRAINT_ROWS 16
#define TN_CONSTRAINT_UNKNOWNS 8 /* algebraic ones */

typedef struct tn_constraint_capability {
    uint32_t struct_size, reserved;
    /* [hot] Residuals into `residual`; */
    tn_batch_function constraint;
    /* rows against marker twists [count][rows][W] into `tangent`; */
    tn_batch_function constraint_rows;
    /* first time derivatives of position rows at the markers' twists, values of velocity rows, into `residual`; NULL: they are
     * the rows times the twists; */
    tn_batch_function constraint_rate;
    /* acceleration bias (second time derivative where the markers' twists do not change) into `residual`; NULL: zero; */
    tn_batch_function constraint_bias;
    /* geometric stiffness d(G^T lambda)/d(pose) [count][W][W] into `tangent`; NULL: zero, or left out knowingly. */
    tn_batch_function constraint_stiffness;
} tn_constraint_capability;

#endif

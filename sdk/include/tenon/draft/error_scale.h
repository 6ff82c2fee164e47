/* tenon/draft/error_scale.h - "tenon.error_scale/1" of tn_system: what errors of a step are measured against, number by number of q
 * and v. kit/error_weights.h makes weights of it. */
#ifndef TENON_DRAFT_ERROR_SCALE_H
#define TENON_DRAFT_ERROR_SCALE_H

#include "tenon/solver.h"

/* Kinds of velocities, and of increments of q. */
enum tn_motion_kind {
    TN_MOTION_OTHER = 0,
    TN_MOTION_TRANSLATION = 1,
    TN_MOTION_ROTATION = 2,
    TN_MOTION_KINDS = 3
};

#define TN_ERROR_SCALE_KEY "tenon.error_scale/1"
typedef struct tn_error_scale {
    uint32_t struct_size, reserved;
    const uint8_t *kind; /* [nv] tn_motion_kind, by the unit of the velocity: m/s, rad/s, or another one */
    const double *
        coordinate; /* [nq] the size of the model, m, for lengths; 1 for angles and the numbers of rotations */
} tn_error_scale;

#endif

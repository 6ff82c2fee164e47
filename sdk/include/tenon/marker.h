/* tenon/marker.h - where elements touch each other. */
#ifndef TENON_MARKER_H
#define TENON_MARKER_H

#include "tenon/batch.h"

typedef struct tn_marker_type {
    uint32_t struct_size;
    uint32_t kind; /* tn_marker_kind that it delivers */
    const char *name, *summary, *formula, *literature;
    const tn_parameter *parameters;
    const tn_port *ports; /* for markers made of other markers; NULL: rides on the element named `element` */
    size_t instance_size;

    /* [setup] Checks and completes one instance. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [setup] Riding on an element: fills position, rotation and coordinate of `attachment`. */
    tn_status (*local_pose)(const void *instance, tn_attachment *attachment);
    /* [hot] Made of other markers: pose and twist from those of its ports, into `value` [count][pose size
     * + twist size]; and the derivative of the twist with respect to theirs, [count][twist size][2 W]. */
    tn_batch_function kinematics, kinematics_tangent;
} tn_marker_type;

#endif

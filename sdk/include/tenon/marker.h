/* tenon/marker.h - where elements touch each other. */
#ifndef TENON_MARKER_H
#define TENON_MARKER_H

#include "tenon/batch.h"

enum tn_marker_flag {
    TN_CONSTANT_SHARES =
        1u, /* made of other markers: the derivative of its twist with respect to theirs depends on
                               neither poses nor parameters that may be changed: it is asked for once */
    /* Since interface 1.1, of coordinates made of other markers. */
    TN_COUNTS_TURNS = 2u, /* its value is an angle in (-pi, pi]; the kernel adds the turns since the start */
    /* Only its velocity means something, which need not be linear in the twists of its ports; its value is 0. (Where it is
     * not linear, the matrix leaves out how the shares of a force on it change.) */
    TN_QUASI_COORDINATE = 4u,
    /* What expressions read is the time derivative of its rate; of a TN_POINT the length of that of its velocity. An axis
     * that a frame carries along may count as its own: then the derivative by poses is that where it is carried. */
    TN_ACCELERATION = 8u
};

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
     * + twist size]; and the derivative of the twist with respect to theirs, [count][twist size][2 W], into
     * `tangent` (and nothing else), columns as in tn_batch. The twist is the time derivative of the pose, so it is linear in the twists
     * of the ports; a wrench on the marker goes to the ports by the transpose of that half of the derivative. */
    tn_batch_function kinematics, kinematics_tangent;
    /* [setup] Made of other markers: checks one instance against the number and kinds of those (in `layout`, as for
     * an element; a marker has no sizes to ask for). NULL: any will do. */
    tn_status (*layout)(const tn_host *host, const void *instance, tn_layout *layout);
    uint32_t flags; /* sum of tn_marker_flag */
    uint32_t reserved;
    /* Since interface 1.1. SI unit of a coordinate made of other markers (of its rate, where only that means
     * something; of what expressions read, of an acceleration); NULL: it depends on what it is made of. */
    const char *unit;
    const tn_synonym *synonyms; /* as those of an element */
} tn_marker_type;

#endif

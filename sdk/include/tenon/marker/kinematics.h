/* tenon/marker/kinematics.h - "tenon.kinematics/1": a marker made of other markers. */
#ifndef TENON_MARKER_KINEMATICS_H
#define TENON_MARKER_KINEMATICS_H

#include "tenon/batch.h"

#define TN_KINEMATICS_KEY "tenon.kinematics/1"

typedef struct tn_kinematics_capability {
    uint32_t struct_size, reserved;
    /* [hot] Pose and twist from those of its ports, into `value` [count][pose size + twist size]. The twist is the time derivative
     * of the pose, so it is linear in the twists of the ports; */
    tn_batch_function kinematics;
    /* and the derivative of the twist with respect to theirs, [count][twist size][2 W], into `tangent` (and nothing else),
     * columns as in tn_batch: a wrench on the marker goes to the ports by the transpose of the half by twists. NULL: central
     * differences. */
    tn_batch_function kinematics_tangent;
    /* [setup] Checks one instance against the number and kinds of its ports' markers (in `layout`, as for an element; a marker
     * has no sizes). NULL: accepts any. */
    tn_status (*layout)(const tn_host *host, const void *instance, tn_layout *layout);
    /* SI unit of a coordinate (of the rate, for a quasi-coordinate; of the value in expressions, for an acceleration); NULL: it
     * depends on the markers of its ports. */
    const char *unit;
    /* The type whose rate this quasi-coordinate is, with the same first ports; markers in further ones make no difference. Expressions
     * read that rate, so that both cost one evaluation. NULL: there is none. */
    const char *rate_of;
} tn_kinematics_capability;

#endif

/* tenon/element/attachment.h - "tenon.attachment/1": markers ride on an element. */
#ifndef TENON_ELEMENT_ATTACHMENT_H
#define TENON_ELEMENT_ATTACHMENT_H

#include "tenon/batch.h"

#define TN_ATTACHMENT_KEY "tenon.attachment/1"

/* A body that moves has all functions up to `jacobian`, one that does not move `bind`, `pose` and `twist`. Markers that coincide with
 * coordinates of the body (alias_pose and alias_twist of tn_attachment) are read from q and v, and their forces added to those of
 * the coordinates: pose, twist, pull_back and jacobian are not called for them, and a body may lack these functions where all of its
 * markers are so. */
typedef struct tn_attachment_capability {
    uint32_t struct_size, reserved;
    size_t attachment_size; /* bytes of one attachment's data */
    /* [setup] Takes a local pose; TN_UNSUPPORTED when this kind of marker cannot ride here. */
    tn_status (*bind)(const tn_host *host, const void *instance, tn_attachment *attachment);
    /* [hot] Pose and twist of attachments; generalized force of their wrenches, added. */
    tn_attachment_function pose, twist, pull_back;
    /* [hot] Twist against v (which is also pose increment against increment of q); derivative of the twist
     * with respect to the increment of q at fixed v; derivative of the pulled-back wrench likewise, [nv][nv]. The last two may be
     * NULL: zero. */
    tn_attachment_function jacobian, twist_derivative, pull_back_derivative;
} tn_attachment_capability;

#endif

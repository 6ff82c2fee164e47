/* tenon/element/attachment.h - "tenon.attachment/1": markers ride on an element. */
#ifndef TENON_ELEMENT_ATTACHMENT_H
#define TENON_ELEMENT_ATTACHMENT_H

#include "tenon/batch.h"

#define TN_ATTACHMENT_KEY "tenon.attachment/1"

/* A body with coordinates has all functions up to `jacobian`, a fixed one has `bind`, `pose` and `twist`. The kernel reads
 * markers that coincide with coordinates of the body (alias_pose and alias_twist of tn_attachment) from q and v, and adds their
 * forces to those of the coordinates, without calling pose, twist, pull_back and jacobian; a body with only such markers may
 * lack these functions. */
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

/* tenon/kit/body_axis.h - coordinate markers on bodies: x, y or z of a point, ground axes.
 *
 * For the `bind` of a body that carries markers of kind TN_COORDINATE by one component of a point's position:
 *
 *     int32_t axis;
 *     const tn_status status = tn_body_axis(host, attachment, &axis);
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. */
#ifndef TENON_KIT_BODY_AXIS_H
#define TENON_KIT_BODY_AXIS_H

#include "tenon/author.h"

/* The axis that the attachment names, 0 to 2; any other name is refused. */
static inline tn_status tn_body_axis(const tn_host *host, const tn_attachment *attachment, int32_t *axis)
{
    const char *name = attachment->coordinate;
    if (!name)
        return tn_refuse(host, "coordinate",
                         "it is a body, not a joint: set `coordinate` to one of its position (x, y, z)");
    for (*axis = 0; *axis < 3; ++*axis)
        if (name[0] == "xyz"[*axis] && name[1] == '\0') return TN_OK;
    return tn_refuse(host, "coordinate", "there is no coordinate `%s` here: one of x, y, z is needed", name);
}

#endif

/* body_axis.h - coordinate markers on bodies: x, y or z of a point, ground axes. */
#ifndef TENON_BODY_AXIS_H
#define TENON_BODY_AXIS_H

#include <tenon/author.h>

/* The axis that the attachment names, 0 to 2; any other name is refused. */
static inline tn_status body_axis(const tn_host *host, const tn_attachment *attachment, int32_t *axis)
{
    const char *name = attachment->coordinate;
    if (!name)
        return tn_refuse(host, "coordinate",
                         "it is a body, no joint: `coordinate` tells which coordinate of its position is "
                         "needed (x, y, z)");
    for (*axis = 0; *axis < 3; ++*axis)
        if (name[0] == "xyz"[*axis] && name[1] == '\0') return TN_OK;
    return tn_refuse(host, "coordinate", "there is no coordinate `%s` here: one of x, y, z is needed", name);
}

#endif

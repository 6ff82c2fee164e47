/* tenon/marker/place.h - "tenon.place/1": a marker that rides on an element. */
#ifndef TENON_MARKER_PLACE_H
#define TENON_MARKER_PLACE_H

#include "tenon/batch.h"

#define TN_PLACE_KEY "tenon.place/1"

typedef struct tn_place_capability {
    uint32_t struct_size, reserved;
    /* [setup] Fills position, rotation and coordinate of `attachment`. */
    tn_status (*local_pose)(const void *instance, tn_attachment *attachment);
} tn_place_capability;

#endif

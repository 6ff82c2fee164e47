/* tenon/marker.h - markers, the places that connectors act on. A type either rides on an element ("tenon.place/1") or is made
 * of other markers ("tenon.kinematics/1"). */
#ifndef TENON_MARKER_H
#define TENON_MARKER_H

#include "tenon/marker/kinematics.h"
#include "tenon/marker/place.h"
#include "tenon/type.h"

enum tn_marker_flag {
    TN_CONSTANT_SHARES =
        1u, /* made of other markers: the derivative of its twist with respect to theirs depends on
                               neither poses nor parameters that may be changed: it is asked for once */
    /* The others are of coordinates made of other markers. */
    TN_COUNTS_TURNS = 2u, /* its value is an angle in (-pi, pi]; the kernel adds the turns since the start */
    /* Only its velocity means something, which expressions read and which need not be linear in the twists of its ports; its value is
     * 0. (Where it is
     * not linear, the matrix leaves out how the shares of a force on it change.) */
    TN_QUASI_COORDINATE = 4u,
    /* What expressions read is the time derivative of its rate; of a TN_POINT the length of that of its velocity. An axis
     * that a frame carries along may count as its own: then the derivative by poses is that where it is carried. */
    TN_ACCELERATION = 8u
};

typedef struct tn_marker_type {
    /* as in all types: see type.h */
    uint32_t struct_size, reserved;
    const char *name;
    const tn_parameter *parameters;
    size_t instance_size;
    const char *summary, *formula, *literature;
    const tn_synonym *synonyms;
    uint32_t flags;
    uint32_t kind; /* tn_marker_kind that it delivers */
    const tn_capability *capabilities;
    void (*release)(const tn_host *host, void *instance);

    const tn_port *ports; /* of markers made of other markers; NULL: rides on the element named `element` */
    /* [setup] Checks and completes one instance; NULL: nothing to do. */
    tn_status (*prepare)(const tn_host *host, void *instance);
    /* [setup] The instance, whose bytes stand at `to` now, stood at `from`; NULL: it has no pointers into itself. */
    void (*relocate)(const tn_host *host, void *to, const void *from);
} tn_marker_type;

#endif

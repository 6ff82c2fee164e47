/* displacements.c - DX, DY, DZ, DM: how far I is from J */
#include "kinematics.h"

static inline tn_status distance_along(int axis, const tn_marker_state *marker, const tn_context *context,
                                       tn_marker_state *out)
{
    const tn_marker_state k = marker_in(marker, context, 2);
    const separation d = separation_of(marker, context, k.angular_velocity);
    out->position.e[0] = tn_dot(d.way, tn_axis(k.rotation, axis));
    out->velocity.e[0] = tn_dot(d.rate, tn_axis(k.rotation, axis));
    return TN_OK;
}

static inline tn_status distance(const tn_marker_state *marker, const tn_context *context,
                                 tn_marker_state *out)
{
    const separation d = separation_seen_from_ground(marker, context);
    out->position.e[0] = length_of(d.way);
    out->velocity.e[0] = part_along(d.rate, d.way, 0.0);
    return TN_OK;
}

TN_PORTS(component, MARKER_I(TN_POINT), MARKER_J(TN_POINT), MARKER_K)
TN_PORTS(length, MARKER_I(TN_POINT), MARKER_J(TN_POINT))

#define COMPONENT(name, axis, letter)                                                                     \
    FUNCTION(name, return distance_along(axis, marker, context, out), component, "m", 0, RELATIVE_MOTION, \
             "displacement of a marker from another, along " letter,                                      \
             "c = d . " letter "K,  dc/dt = (vI - vJ - wK x d) . " letter "K,  with d = rI - rJ")
COMPONENT(dx, 0, "x")
COMPONENT(dy, 1, "y")
COMPONENT(dz, 2, "z")
FUNCTION(dm, return distance(marker, context, out), length, "m", 0, RELATIVE_MOTION,
         "distance of two markers", "c = |d|,  dc/dt = (vI - vJ) . d/|d|,  with d = rI - rJ")

/* velocities.c - VX, VY, VZ, VM, VR, WX, WY, WZ, WM: how fast I moves and turns against J */
#include "kinematics.h"

/* Seen from the frame in port `port`. */
static inline separation seen_from(uint32_t port, const tn_marker_state *marker, const tn_context *context)
{
    return separation_of(marker, context, marker_in(marker, context, port).angular_velocity);
}

static inline tn_status value_is(tn_real value, tn_marker_state *out)
{
    out->velocity.e[0] = value;
    return TN_OK;
}

/* Component of a vector along an axis of K. */
static inline tn_real component(tn_vec3 a, int axis, const tn_marker_state *marker, const tn_context *context)
{
    return tn_dot(a, tn_axis(marker_in(marker, context, 2).rotation, axis));
}

/* The frame L turns across the way from J to I: the speed along it is the same from every frame. */
static inline tn_real speed_of_departure(const tn_marker_state *marker, const tn_context *context)
{
    const separation d = separation_seen_from_ground(marker, context);
    return part_along(d.rate, d.way, 0.0);
}

TN_PORTS(velocity, MARKER_I(TN_POINT), MARKER_J(TN_POINT), MARKER_K, MARKER_L)
TN_PORTS(speed, MARKER_I(TN_POINT), MARKER_J(TN_POINT), MARKER_L)
TN_PORTS(turning, MARKER_I(TN_FRAME), MARKER_J(TN_FRAME), MARKER_K)
TN_PORTS(turning_speed, MARKER_I(TN_FRAME), MARKER_J(TN_FRAME))

#define SEEN_VELOCITY "with u = vI - vJ - wL x d,  d = rI - rJ"

#define VELOCITY(name, axis, letter)                                                                     \
    FUNCTION(name,                                                                                       \
             return value_is(component(seen_from(3, marker, context).rate, axis, marker, context), out), \
             velocity, "m/s", TN_QUASI_COORDINATE, RELATIVE_MOTION,                                      \
             "velocity of a marker relative to another, along " letter,                                  \
             "dc/dt = u . " letter "K,  " SEEN_VELOCITY)
VELOCITY(vx, 0, "x")
VELOCITY(vy, 1, "y")
VELOCITY(vz, 2, "z")
FUNCTION(vm, return value_is(length_of(seen_from(2, marker, context).rate), out), speed, "m/s",
         TN_QUASI_COORDINATE, RELATIVE_MOTION, "speed of a marker relative to another",
         "dc/dt = |u|,  " SEEN_VELOCITY)
FUNCTION(vr, return value_is(speed_of_departure(marker, context), out), speed, "m/s", TN_QUASI_COORDINATE,
         RELATIVE_MOTION, "speed of separation of two markers", "dc/dt = u . d/|d|,  " SEEN_VELOCITY,
         .rate_of = "dm")

#define TURNING(name, axis, letter)                                                                     \
    FUNCTION(name, return value_is(component(turning_of(marker, context), axis, marker, context), out), \
             turning, "rad/s", TN_QUASI_COORDINATE, RELATIVE_MOTION,                                    \
             "angular velocity of a marker relative to another, about " letter,                         \
             "dc/dt = (wI - wJ) . " letter "K")
TURNING(wx, 0, "x")
TURNING(wy, 1, "y")
TURNING(wz, 2, "z")
FUNCTION(wm, return value_is(length_of(turning_of(marker, context)), out), turning_speed, "rad/s",
         TN_QUASI_COORDINATE, RELATIVE_MOTION, "angular speed of a marker relative to another",
         "dc/dt = |wI - wJ|")

/* acceleration.c - ACCX, ACCY, ACCZ, ACCM, WDTX, WDTY, WDTZ, WDTM: how the motion of I against J changes
 *
 * The rate of such a marker is a component of the velocity u of I against J, or of the angular velocity, along an axis that
 * is held in L: its time derivative is that component of the acceleration that is seen from L, here
 *
 *     b = aI - aJ - alphaL x d - 2 wL x u - wL x (wL x d). */
#include "kinematics.h"

TN_PORTS(acceleration, MARKER_I(TN_POINT), MARKER_J(TN_POINT), MARKER_K, MARKER_L)
TN_PORTS(acceleration_size, MARKER_I(TN_POINT), MARKER_J(TN_POINT), MARKER_L)
TN_PORTS(angular_acceleration, MARKER_I(TN_FRAME), MARKER_J(TN_FRAME), MARKER_K, MARKER_L)
TN_PORTS(angular_acceleration_size, MARKER_I(TN_FRAME), MARKER_J(TN_FRAME), MARKER_L)

/* Where K's axis is now, as L carries it on. */
static inline tn_vec3 axis_carried(int axis, const tn_marker_state *marker, const tn_context *context)
{
    const tn_mat3 carrier = marker_in(marker, context, 3).rotation;
    tn_vec3 held = tn_rotate_back(carrier, tn_axis(marker_in(marker, context, 2).rotation, axis));
    for (int k = 0; k < 3; k++)
        held.e[k] = tn_constant(tn_value(held.e[k]));
    return tn_rotate(carrier, held);
}

static inline tn_vec3 velocity_seen_from(uint32_t port, const tn_marker_state *marker,
                                         const tn_context *context)
{
    return separation_of(marker, context, marker_in(marker, context, port).angular_velocity).rate;
}

static inline tn_status rate_is(tn_real rate, tn_marker_state *out)
{
    out->velocity.e[0] = rate;
    return TN_OK;
}

/* All components along the axes of L in port 2. */
static inline tn_status rates_are(tn_vec3 rate, const tn_marker_state *marker, const tn_context *context,
                                  tn_marker_state *out)
{
    out->velocity = tn_rotate_back(marker_in(marker, context, 2).rotation, rate);
    return TN_OK;
}

#define COMPONENT(name, axis, vector, taken, of_unit, about, law)                                            \
    FUNCTION(name, return rate_is(tn_dot(vector, axis_carried(axis, marker, context)), out), taken, of_unit, \
             TN_QUASI_COORDINATE | TN_ACCELERATION, RELATIVE_MOTION, about, law)

#define SEEN_ACCELERATION \
    "with b = aI - aJ - alphaL x d - 2 wL x u - wL x (wL x d),  u = vI - vJ - wL x d,  d = rI - rJ"
#define ACCELERATION(name, axis, letter)                                                 \
    COMPONENT(name, axis, velocity_seen_from(3, marker, context), acceleration, "m/s^2", \
              "acceleration of a marker relative to another, along " letter,             \
              "b . " letter "K,  " SEEN_ACCELERATION)
ACCELERATION(accx, 0, "x")
ACCELERATION(accy, 1, "y")
ACCELERATION(accz, 2, "z")

#define TURNING_UP(name, axis, letter)                                                  \
    COMPONENT(name, axis, turning_of(marker, context), angular_acceleration, "rad/s^2", \
              "angular acceleration of a marker relative to another, about " letter,    \
              "(alphaI - alphaJ - wL x (wI - wJ)) . " letter "K")
TURNING_UP(wdtx, 0, "x")
TURNING_UP(wdty, 1, "y")
TURNING_UP(wdtz, 2, "z")

#define SIZE(name, vector, taken, of_unit, about, law)                                                      \
    TN_NO_PARAMETERS(name)                                                                                  \
    TN_KINEMATICS(name, TN_POINT, TN_ANY, MOST_MARKERS) { return rates_are(vector, marker, context, out); } \
    TN_MARKER(name, .summary = about, .formula = law, .literature = RELATIVE_MOTION,                        \
              .flags = TN_ACCELERATION, .kind = TN_POINT,                                                   \
              TN_CAPABILITIES(TN_HAS(kinematics, TN_KINEMATICS_FIELDS(name), .unit = of_unit)),             \
              .ports = taken##_ports)

SIZE(accm, velocity_seen_from(2, marker, context), acceleration_size, "m/s^2",
     "magnitude of the acceleration of a marker relative to another", "|b|,  " SEEN_ACCELERATION)
SIZE(wdtm, turning_of(marker, context), angular_acceleration_size, "rad/s^2",
     "magnitude of the angular acceleration of a marker relative to another",
     "|alphaI - alphaJ - wL x (wI - wJ)|")

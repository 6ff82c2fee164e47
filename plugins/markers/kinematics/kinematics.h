/* kinematics.h - what the functions of markers share: their ports, the motion of I against J, lengths with a
 * derivative everywhere, and the table that makes a type of each function */
#ifndef TN_KINEMATICS_H
#define TN_KINEMATICS_H

#include <tenon/author.h>

/* Most markers of a function: I, J, K, L. */
enum { MOST_MARKERS = 4 };

/* The marker in a port, or ground where that is empty. */
static inline tn_marker_state marker_in(const tn_marker_state *marker, const tn_context *context,
                                        uint32_t port)
{
    return tn_port_count(context, port) ? marker[tn_port_first(context, port)] : tn_marker_at_rest();
}

/* The way from J to I, and its rate as it is seen from a frame that turns with `turning`. */
typedef struct separation {
    tn_vec3 way, rate;
} separation;

/* As seen from ground. */
static inline separation separation_seen_from_ground(const tn_marker_state *marker, const tn_context *context)
{
    const tn_marker_state i = marker_in(marker, context, 0), j = marker_in(marker, context, 1);
    return (separation){tn_subtract(i.position, j.position), tn_subtract(i.velocity, j.velocity)};
}

static inline separation separation_of(const tn_marker_state *marker, const tn_context *context,
                                       tn_vec3 turning)
{
    const tn_marker_state i = marker_in(marker, context, 0), j = marker_in(marker, context, 1);
    separation s;
    s.way = tn_subtract(i.position, j.position);
    s.rate = tn_subtract(tn_subtract(i.velocity, j.velocity), tn_cross(turning, s.way));
    return s;
}

/* Angular velocity of I against J. */
static inline tn_vec3 turning_of(const tn_marker_state *marker, const tn_context *context)
{
    return tn_subtract(marker_in(marker, context, 0).angular_velocity,
                       marker_in(marker, context, 1).angular_velocity);
}

/* |a|; where that is 0, so is its derivative. */
static inline tn_real length_of(tn_vec3 a)
{
    return tn_value(tn_dot(a, a)) > 0.0 ? tn_norm(a) : tn_constant(0.0);
}

/* The part of `a` along `direction`; 0, and so is its derivative, where that is not longer than `least`. */
static inline tn_real part_along(tn_vec3 a, tn_vec3 direction, double least)
{
    const tn_real length = length_of(direction);
    return tn_value(length) > least ? tn_dot(a, direction) / length : tn_constant(0.0);
}

/* ---- the table ------------------------------------------------------------------------------------------- */

#define MARKER_I(kind)                               \
    {                                                \
        "i", "I, the measured marker", kind, 1, 1, 0 \
    }
#define MARKER_J(kind)                                                 \
    {                                                                  \
        "j", "J, the reference marker; default: ground", kind, 0, 1, 0 \
    }
#define MARKER_K                                                                  \
    {                                                                             \
        "k", "K, the frame of the components; default: ground", TN_FRAME, 0, 1, 0 \
    }
#define MARKER_L                                                                         \
    {                                                                                    \
        "l", "L, the frame of the observer of rates; default: ground", TN_FRAME, 0, 1, 0 \
    }

#define RELATIVE_MOTION                                                                                  \
    "Goldstein, Poole, Safko: Classical Mechanics, 3rd ed., Addison-Wesley, 2002, section 4.9 (rate of " \
    "change of a vector)"
#define EULER_ANGLES                                                                                \
    "Goldstein, Poole, Safko: Classical Mechanics, 3rd ed., Addison-Wesley, 2002, section 4.4 and " \
    "appendix A (Euler angles and other conventions)"

/* FUNCTION(name, its text, ports, unit, flags, source, summary, formula) */
#define FUNCTION(name, text, taken, of_unit, of_flags, source, about, law, ...) \
    TN_NO_PARAMETERS(name)                                                      \
    TN_KINEMATICS(name, TN_COORDINATE, TN_ANY, MOST_MARKERS) { text; }          \
    FUNCTION_TYPE(name, name, taken, of_unit, of_flags, source, about, law, __VA_ARGS__)
#define FUNCTION_TYPE(name, of, taken, of_unit, of_flags, source, about, law, ...)                         \
    TN_MARKER(name, .summary = about, .formula = law, .literature = source, .flags = of_flags,             \
              .kind = TN_COORDINATE,                                                                       \
              TN_CAPABILITIES(TN_HAS(kinematics, TN_KINEMATICS_FIELDS(of), .unit = of_unit, __VA_ARGS__)), \
              .ports = taken##_ports)
/* A type that does what another one of the same file does. */
#define SAME_FUNCTION(name, of, taken, of_unit, of_flags, source, about, law) \
    TN_NO_PARAMETERS(name)                                                    \
    FUNCTION_TYPE(name, of, taken, of_unit, of_flags, source, about, law)

#endif

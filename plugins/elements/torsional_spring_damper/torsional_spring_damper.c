/* torsional_spring_damper.c - rotational spring, damper and actuator about the z axis of a frame */
#include <tenon/author.h>
#include <tenon/kit/drawing.h>

#define ARGUMENTS \
    "angle [rad], angle_t [rad/s], stiffness [N m/rad], damping [N m s/rad], torque [N m], time [s]"
#define TORSIONAL_SPRING_DAMPER(P)                                                                       \
    P(REAL, stiffness, "N m/rad", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,                    \
      "k, against angle - reference_angle")                                                              \
    P(REAL, damping, "N m s/rad", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,                    \
      "d, against the rate of the angle")                                                                \
    P(REAL, reference_angle, "rad", TN_DYNAMIC | TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,        \
      "angle at which the spring is free of torque")                                                     \
    P(REAL, torque, "N m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                 \
      "added torque of an actuator; positive reduces the angle")                                         \
    P(CALLABLE, torque_function, "N m", ARGUMENTS, TN_DYNAMIC,                                           \
      "replaces the linear law; its angle is measured from reference_angle; positive turns the markers " \
      "back together")

TN_PARAMETERS(torsional_spring_damper, TORSIONAL_SPRING_DAMPER)

static const double turn = 6.28318530717958647692;

/* How the second marker's x axis points, seen along the first marker's z axis. */
typedef struct twist_angle {
    tn_real value;       /* torque, once it is known */
    tn_real angle, rate; /* with all turns since the start */
    tn_vec3 gradient;    /* the rate is gradient . (w1 - w0), ground axes */
    double turning;      /* |w1 - w0|^2 */
} twist_angle;

/* The gradient stands on the second x axis: turning about that moves it nowhere. Where the z axes are parallel it is
 * the first z axis. */
static inline tn_status measure(const tn_marker_state *marker, tn_context *context, twist_angle *seen)
{
    const tn_vec3 x = tn_axis(marker[1].rotation, 0), z = tn_axis(marker[0].rotation, 2);
    const tn_real along = tn_dot(tn_axis(marker[0].rotation, 0), x),
                  across = tn_dot(tn_axis(marker[0].rotation, 1), x), up = tn_dot(z, x);
    const tn_real square = along * along + across * across;
    if (!(tn_value(square) > 1e-16))
        return tn_retry(context,
                        "the last marker's x axis is parallel to the first marker's z axis: there is "
                        "no angle between them");
    const tn_real wrapped = tn_atan2(across, along);
    const tn_vec3 turning = tn_subtract(marker[1].angular_velocity, marker[0].angular_velocity);
    seen->gradient = tn_scale(1.0 / square, tn_subtract(z, tn_scale(up, x)));
    seen->rate = tn_dot(seen->gradient, turning);
    seen->turning = tn_square_of(turning);
    const double expected =
        tn_expected_angle(tn_data(context), context->batch->step, tn_value(seen->rate), seen->turning);
    seen->angle = wrapped + turn * rint((expected - tn_value(wrapped)) / turn);
    return TN_OK;
}

static inline tn_status torsional_spring_damper_measure(const torsional_spring_damper *self,
                                                        const tn_marker_state *marker, tn_context *context,
                                                        twist_angle *seen, tn_real *argument)
{
    const tn_status status = measure(marker, context, seen);
    if (status != TN_OK) return status;
    const tn_real angle = seen->angle - self->reference_angle;
    if (tn_is_given(self->torque_function)) {
        argument[0] = angle;
        argument[1] = seen->rate;
        argument[2] = self->stiffness;
        argument[3] = self->damping;
        argument[4] = self->torque;
        argument[5] = tn_constant(context->time);
    } else {
        seen->value = self->stiffness * angle + self->damping * seen->rate + self->torque;
    }
    return TN_OK;
}

static inline void torsional_spring_damper_apply(const twist_angle *seen, tn_wrench *wrench)
{
    wrench[0].torque = tn_scale(seen->value, seen->gradient);
    wrench[1].torque = tn_negate(wrench[0].torque);
}

TN_CALLING_FORCE(torsional_spring_damper, TN_FRAME, 2, twist_angle, torque_function, 6)

#if TN_VALUES

TN_PORTS(torsional_spring_damper,
         {"markers", "the two frames; the angle is about the z axis of the first", TN_FRAME, 2, 2, 0})

enum { ANGLE, ANGULAR_VELOCITY, TORQUE_LOCAL, TORQUE, POTENTIAL_ENERGY };
TN_OUTPUTS(torsional_spring_damper,
           [ANGLE] = {"angle",
                      "from the first x axis to the second; in [-pi, pi] at the start, then it counts turns",
                      "rad", 1, 0},
           [ANGULAR_VELOCITY] = {"angular_velocity", "rate of the angle", "rad/s", 1, 0},
           [TORQUE_LOCAL] = {"torque_local", "T, positive reduces the angle", "N m", 1, 0},
           [TORQUE] = {"torque", "-T a, the torque on the second marker, ground axes", "N m", 3, 0},
           [POTENTIAL_ENERGY] = {
               "potential_energy",
               "k (angle - reference_angle)^2 / 2; 0 with a torque_function and when not active", "J", 1, 0})

TN_POTENTIAL(torsional_spring_damper, TN_FRAME, 2)
{
    twist_angle seen;
    if (tn_is_given(self->torque_function) || measure(marker, context, &seen) != TN_OK) return 0.0;
    const double angle = seen.angle - self->reference_angle;
    return 0.5 * self->stiffness * angle * angle;
}

TN_DISSIPATION(torsional_spring_damper, TN_FRAME, 2)
{
    twist_angle seen;
    if (tn_is_given(self->torque_function) || measure(marker, context, &seen) != TN_OK) return 0.0;
    return self->damping * seen.rate * seen.rate;
}

/* Turns are counted from step to step, also while it is not active. */
TN_ACCEPTED(torsional_spring_damper, TN_FRAME, 2)
{
    twist_angle seen;
    if (measure(marker, context, &seen) == TN_OK)
        tn_keep_angle(data, context->batch->step, seen.angle, seen.rate, seen.turning);
    tn_tell_doubt(context, data);
}

TN_OUTPUT(torsional_spring_damper, TN_FRAME, 2)
{
    twist_angle seen;
    const bool acts = context->active && (output == TORQUE_LOCAL || output == TORQUE);
    seen.value = 0.0;
    const tn_status status =
        acts ? torsional_spring_damper_law(self, marker, context, &seen) : measure(marker, context, &seen);
    if (status != TN_OK) return status;
    switch (output) {
    case ANGLE:
        *value = seen.angle;
        break;
    case ANGULAR_VELOCITY:
        *value = seen.rate;
        break;
    case TORQUE_LOCAL:
        *value = seen.value;
        break;
    case TORQUE:
        memcpy(value, tn_scale(-seen.value, seen.gradient).e, sizeof(tn_vec3));
        break;
    default:
        *value = context->active ? torsional_spring_damper_potential_text(self, marker, context) : 0.0;
    }
    return TN_OK;
}

/* The angle at the last accepted step. */
static tn_status torsional_spring_damper_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->nd = TN_KEPT_DOUBLES;
    return TN_OK;
}

TN_DRAWS(torsional_spring_damper, {.kind = TN_DRAWN_SLEEVE})

TN_SYNONYMS(torsional_spring_damper, {"spring", NULL, NULL}, {"damper", NULL, NULL},
            {"torsion spring", NULL, NULL}, {"torsional spring", NULL, NULL},
            {"torsion spring damper", NULL, NULL}, {"rotational spring damper", NULL, NULL},
            {"rsda", NULL, NULL}, {"connector_torsional_spring_damper", NULL, NULL},
            {"object_connector_torsional_spring_damper", NULL, NULL}, {"deformable hinge", NULL, NULL},
            {"k", "stiffness", NULL}, {"stiffness_coefficient", "stiffness", NULL},
            {"spring_constant", "stiffness", NULL}, {"c", "damping", NULL}, {"d", "damping", NULL},
            {"viscosity", "damping", NULL}, {"damping_coefficient", "damping", NULL},
            {"angle0", "reference_angle", NULL}, {"preload", "torque", NULL})
TN_ELEMENT(
    torsional_spring_damper, .summary = "rotational spring, damper and actuator about the z axis of a frame",
    .formula = "angle = atan2(y0 . x1, x0 . x1), with all turns since the start\n"
               "a = (z0 - (z0 . x1) x1) / (1 - (z0 . x1)^2),  d(angle)/dt = a . (w1 - w0)\n"
               "T = k (angle - reference_angle) + d d(angle)/dt + torque\n"
               "T = torque_function(angle - reference_angle, d(angle)/dt, k, d, torque, time)      where one "
               "is given\n"
               "torque T a on the first marker, -T a on the second; zero when it is not active",
    .literature = "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                  "chapter 3 (torsional spring-dampers)",
    .synonyms = torsional_spring_damper_synonyms, .flags = TN_KEEPS_RATES,
    TN_CAPABILITIES(TN_HAS_FORCE(torsional_spring_damper),
                    TN_HAS(energy, .potential = torsional_spring_damper_potential,
                           .dissipation = torsional_spring_damper_dissipation),
                    TN_HAS(data, .accepted = torsional_spring_damper_accepted),
                    TN_HAS_DRAWING(torsional_spring_damper)),
    .ports = torsional_spring_damper_ports, .outputs = torsional_spring_damper_outputs,
    .layout = torsional_spring_damper_layout, .output = torsional_spring_damper_output)

TN_LIBRARY("torsional_spring_damper", "1.0.0", "Apache-2.0", "torsional spring-damper between two frames",
           {TN_ELEMENT_KIND, &torsional_spring_damper_type})

#endif

/* cartesian_spring_damper.c - three springs and dampers along the axes of a frame */
#include <tenon/author.h>
#include <tenon/kit/drawing.h>

#define CARTESIAN_SPRING_DAMPER(P)                                                            \
    P(REALS, stiffness, 3, 0, "N/m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,      \
      "k, along the first marker's x, y, z")                                                  \
    P(REALS, damping, 3, 0, "N s/m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,      \
      "d, along the same axes")                                                               \
    P(REALS, offset, 3, 0, "m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, \
      "u0, displacement at which the springs are free of force")

TN_PARAMETERS(cartesian_spring_damper, CARTESIAN_SPRING_DAMPER)

/* The second origin as an observer sees it who stands in the first frame. */
typedef struct relative_motion {
    tn_vec3 arm;                /* from the first origin to the second, ground axes */
    tn_vec3 displacement, rate; /* first marker's axes */
} relative_motion;

static inline relative_motion observe(const tn_marker_state *marker)
{
    relative_motion seen;
    seen.arm = tn_subtract(marker[1].position, marker[0].position);
    const tn_vec3 velocity = tn_subtract(tn_subtract(marker[1].velocity, marker[0].velocity),
                                         tn_cross(marker[0].angular_velocity, seen.arm));
    seen.displacement = tn_rotate_back(marker[0].rotation, seen.arm);
    seen.rate = tn_rotate_back(marker[0].rotation, velocity);
    return seen;
}

/* The force on the first marker, in its axes. */
static inline tn_vec3 law(const cartesian_spring_damper *self, const relative_motion *seen)
{
    tn_vec3 force;
    for (int i = 0; i < 3; i++)
        force.e[i] = self->stiffness[i] * (seen->displacement.e[i] - self->offset[i]) +
                     self->damping[i] * seen->rate.e[i];
    return force;
}

TN_FORCE(cartesian_spring_damper, TN_FRAME, 2)
{
    const relative_motion seen = observe(marker);
    const tn_vec3 force = tn_rotate(marker[0].rotation, law(self, &seen));
    wrench[0].force = force;
    wrench[1].force = tn_negate(force);
    /* the line of the force misses the first marker, which takes the moment of the pair */
    wrench[0].torque = tn_cross(seen.arm, force);
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(cartesian_spring_damper,
         {"markers", "the frame with the axes, and the supported frame", TN_FRAME, 2, 2, 0})

enum { DISPLACEMENT_LOCAL, VELOCITY_LOCAL, FORCE_LOCAL, FORCE, POTENTIAL_ENERGY };
TN_OUTPUTS(cartesian_spring_damper,
           [DISPLACEMENT_LOCAL] = {"displacement_local", "u, second origin minus first, first marker's axes",
                                   "m", 3, 0},
           [VELOCITY_LOCAL] = {"velocity_local", "du/dt, as seen in the first marker's axes", "m/s", 3, 0},
           [FORCE_LOCAL] = {"force_local", "-f, the force on the second marker, first marker's axes", "N", 3,
                            0},
           [FORCE] = {"force", "-R0 f, the same in ground axes", "N", 3, 0},
           [POTENTIAL_ENERGY] = {"potential_energy", "sum of k (u - u0)^2 / 2; 0 when not active", "J", 1, 0})

TN_POTENTIAL(cartesian_spring_damper, TN_FRAME, 2)
{
    const relative_motion seen = observe(marker);
    double energy = 0.0;
    for (int i = 0; i < 3; i++) {
        const double stretch = seen.displacement.e[i] - self->offset[i];
        energy += 0.5 * self->stiffness[i] * stretch * stretch;
    }
    return energy;
}

TN_DISSIPATION(cartesian_spring_damper, TN_FRAME, 2)
{
    const relative_motion seen = observe(marker);
    double power = 0.0;
    for (int i = 0; i < 3; i++)
        power += self->damping[i] * seen.rate.e[i] * seen.rate.e[i];
    return power;
}

TN_OUTPUT(cartesian_spring_damper, TN_FRAME, 2)
{
    const relative_motion seen = observe(marker);
    const tn_vec3 force = context->active ? tn_negate(law(self, &seen)) : tn_zero();
    if (output == POTENTIAL_ENERGY) {
        *value = context->active ? cartesian_spring_damper_potential_text(self, marker, context) : 0.0;
        return TN_OK;
    }
    const tn_vec3 result = output == DISPLACEMENT_LOCAL ? seen.displacement
                           : output == VELOCITY_LOCAL   ? seen.rate
                           : output == FORCE_LOCAL      ? force
                                                        : tn_rotate(marker[0].rotation, force);
    memcpy(value, &result, sizeof result);
    return TN_OK;
}

TN_DRAWS(cartesian_spring_damper, {.kind = TN_DRAWN_COIL, TN_BETWEEN_MARKERS})

TN_SYNONYMS(cartesian_spring_damper, {"bushing", NULL, NULL},
            {"connector_cartesian_spring_damper", NULL, NULL},
            {"object_connector_cartesian_spring_damper", NULL, NULL},
            {"deformable displacement joint", NULL, NULL}, {"k", "stiffness", NULL},
            {"stiffness_coefficient", "stiffness", NULL}, {"spring_constant", "stiffness", NULL},
            {"c", "damping", NULL}, {"d", "damping", NULL}, {"viscosity", "damping", NULL},
            {"damping_coefficient", "damping", NULL})
TN_ELEMENT(cartesian_spring_damper, .summary = "three springs and dampers along the axes of a frame",
           .formula = "u = R0^T (p1 - p0),  du/dt = R0^T (v1 - v0 - w0 x (p1 - p0))\n"
                      "f = k (u - u0) + d du/dt                                component by component\n"
                      "force R0 f at p0 and torque (p1 - p0) x R0 f on the first marker,\n"
                      "force -R0 f at p1 on the second; zero when it is not active",
           .literature = "Gerstmayr: Exudyn: a C++-based Python package for flexible multibody systems, "
                         "Multibody Syst. Dyn. 60 (2024) 533-561 (ObjectConnectorCartesianSpringDamper)",
           .synonyms = cartesian_spring_damper_synonyms,
           TN_CAPABILITIES(TN_HAS_FORCE(cartesian_spring_damper),
                           TN_HAS(energy, .potential = cartesian_spring_damper_potential,
                                  .dissipation = cartesian_spring_damper_dissipation),
                           TN_HAS_DRAWING(cartesian_spring_damper)),
           .ports = cartesian_spring_damper_ports, .outputs = cartesian_spring_damper_outputs,
           .output = cartesian_spring_damper_output)

TN_LIBRARY("cartesian_spring_damper", "1.0.0", "Apache-2.0", "spring-damper along the axes of a frame",
           {TN_ELEMENT_KIND, &cartesian_spring_damper_type})

#endif

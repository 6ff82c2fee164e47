/* spring_damper.c - spring, damper and actuator along the line between two points */
#include <tenon/author.h>
#include <tenon/kit/drawing.h>

#define ARGUMENTS "deltaL [m], deltaL_t [m/s], stiffness [N/m], damping [N s/m], force [N], time [s]"
#define SPRING_DAMPER(P)                                                                               \
    P(REAL, reference_length, "m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,                 \
      "length L0 at which the spring is free of force")                                                \
    P(REAL, stiffness, "N/m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED, "k, against L - L0") \
    P(REAL, damping, "N s/m", TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED, "d, against dL/dt")  \
    P(REAL, force, "N", TN_DYNAMIC | TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,                  \
      "added force fa of an actuator; positive pulls the points together")                             \
    P(REAL, velocity_offset, "m/s", TN_DYNAMIC | TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,      \
      "v0, rate of the reference length, subtracted from dL/dt in the damper")                         \
    P(CALLABLE, force_function, "N", ARGUMENTS, TN_DYNAMIC,                                            \
      "replaces the linear law; positive pulls the points together")

TN_PARAMETERS(spring_damper, SPRING_DAMPER)

/* Scalar force, length and its rate, and unit vector from the first to the second point. */
typedef struct line_force {
    tn_real value, length, rate; /* rate: of the length, less velocity_offset */
    tn_vec3 direction;
} line_force;

static inline tn_status spring_damper_measure(const spring_damper *self, const tn_marker_state *marker,
                                              tn_context *context, line_force *line, tn_real *argument)
{
    const tn_vec3 distance = tn_subtract(marker[1].position, marker[0].position);
    const tn_real square = tn_dot(distance, distance);
    if (tn_value(square) > 0.0) {
        line->length = tn_sqrt(square);
        line->direction = tn_scale(1.0 / line->length, distance);
    } else if (TN_VALUES) {
        return tn_retry(context, "its two points coincide: at length zero it has no direction");
    } else {
        /* the tangent goes on with the unit matrix in place of (I - e e^T) / L, lest it be singular */
        line->length = tn_constant(0.0);
        line->direction = distance;
    }
    const tn_real stretch = line->length - self->reference_length;
    line->rate =
        tn_dot(line->direction, tn_subtract(marker[1].velocity, marker[0].velocity)) - self->velocity_offset;
    if (tn_is_given(self->force_function)) {
        argument[0] = stretch;
        argument[1] = line->rate;
        argument[2] = self->stiffness;
        argument[3] = self->damping;
        argument[4] = self->force;
        argument[5] = tn_constant(context->time);
    } else {
        line->value = self->stiffness * stretch + self->damping * line->rate + self->force;
    }
    return TN_OK;
}

static inline void spring_damper_apply(const line_force *line, tn_wrench *wrench)
{
    wrench[0].force = tn_scale(line->value, line->direction);
    wrench[1].force = tn_negate(wrench[0].force);
}

TN_CALLING_FORCE(spring_damper, TN_POINT, 2, line_force, force_function, 6)

#if TN_VALUES

TN_PORTS(spring_damper, {"markers", "the two end points", TN_POINT, 2, 2, 0})

enum { DISTANCE, DISPLACEMENT, VELOCITY, FORCE, FORCE_LOCAL, POTENTIAL_ENERGY };
TN_OUTPUTS(spring_damper, [DISTANCE] = {"distance", "L", "m", 1, 0},
           [DISPLACEMENT] = {"displacement", "p1 - p0, ground axes", "m", 3, 0},
           [VELOCITY] = {"velocity", "velocity of p1 minus that of p0, ground axes", "m/s", 3, 0},
           [FORCE] = {"force", "f e, the force on the first marker, ground axes", "N", 3, 0},
           [FORCE_LOCAL] = {"force_local", "f, positive in tension", "N", 1, 0},
           [POTENTIAL_ENERGY] = {"potential_energy",
                                 "k (L - L0)^2 / 2; 0 with a force_function and when not active", "J", 1, 0})

TN_POTENTIAL(spring_damper, TN_POINT, 2)
{
    if (tn_is_given(self->force_function)) return 0.0;
    const double stretch =
        tn_norm(tn_subtract(marker[1].position, marker[0].position)) - self->reference_length;
    return 0.5 * self->stiffness * stretch * stretch;
}

TN_DISSIPATION(spring_damper, TN_POINT, 2)
{
    line_force line;
    if (tn_is_given(self->force_function) || spring_damper_law(self, marker, context, &line) != TN_OK)
        return 0.0;
    return self->damping * line.rate * line.rate;
}

TN_OUTPUT(spring_damper, TN_POINT, 2)
{
    const tn_vec3 distance = tn_subtract(marker[1].position, marker[0].position);
    const tn_vec3 velocity = tn_subtract(marker[1].velocity, marker[0].velocity);
    line_force line = {0.0, tn_norm(distance), 0.0, tn_zero()};
    if (output == FORCE || output == FORCE_LOCAL) {
        const tn_status status = context->active ? spring_damper_law(self, marker, context, &line) : TN_OK;
        if (status != TN_OK) return status;
    }
    switch (output) {
    case DISTANCE:
        *value = line.length;
        break;
    case DISPLACEMENT:
        memcpy(value, distance.e, sizeof distance);
        break;
    case VELOCITY:
        memcpy(value, velocity.e, sizeof velocity);
        break;
    case FORCE:
        memcpy(value, tn_scale(line.value, line.direction).e, sizeof(tn_vec3));
        break;
    case FORCE_LOCAL:
        *value = line.value;
        break;
    default:
        *value = context->active ? spring_damper_potential_text(self, marker, context) : 0.0;
    }
    return TN_OK;
}

/* A damper where there is nothing but damping. */
static tn_status spring_damper_draw(const tn_host *host, const void *instance, const tn_drawing_sink *sink)
{
    const spring_damper *self = instance;
    const bool damps_only = self->stiffness == 0.0 && self->damping > 0.0;
    (void)host;
    return tn_draw(sink,
                   (tn_drawing){.kind = damps_only ? TN_DRAWN_DAMPER : TN_DRAWN_COIL, TN_BETWEEN_MARKERS});
}

TN_SYNONYMS(spring_damper, {"spring", NULL, NULL}, {"damper", NULL, NULL}, {"dashpot", NULL, NULL},
            {"spring damper", NULL, NULL}, {"tsda", NULL, NULL}, {"two point linear spring", NULL, NULL},
            {"two point linear damper", NULL, NULL}, {"connector_spring_damper", NULL, NULL},
            {"object_connector_spring_damper", NULL, NULL}, {"deformable rod", NULL, NULL},
            {"bistop", NULL, "force_function = \"BISTOP(...)\""},
            {"impact", NULL, "force_function = \"IMPACT(...)\""}, {"tendon", NULL, NULL},
            {"k", "stiffness", NULL}, {"stiffness_coefficient", "stiffness", NULL},
            {"spring_constant", "stiffness", NULL}, {"c", "damping", NULL}, {"d", "damping", NULL},
            {"viscosity", "damping", NULL}, {"damping_coefficient", "damping", NULL},
            {"L0", "reference_length", NULL}, {"l0", "reference_length", NULL},
            {"length", "reference_length", NULL}, {"rest_length", "reference_length", NULL},
            {"free_length", "reference_length", NULL}, {"natural_length", "reference_length", NULL},
            {"preload", "force", NULL})
TN_ELEMENT(spring_damper, .summary = "spring, damper and actuator along the line between two points",
           .formula = "L = |p1 - p0|,  e = (p1 - p0)/L,  dL/dt = e . d(p1 - p0)/dt\n"
                      "f = k (L - L0) + d (dL/dt - v0) + fa\n"
                      "f = force_function(L - L0, dL/dt - v0, k, d, fa, time)          where one is given\n"
                      "force f e on the first marker, -f e on the second; zero when it is not active",
           .literature = "Gerstmayr: Exudyn: a C++-based Python package for flexible multibody systems, "
                         "Multibody Syst. Dyn. 60 (2024) 533-561",
           .synonyms = spring_damper_synonyms,
           TN_CAPABILITIES(TN_HAS_FORCE(spring_damper),
                           TN_HAS(energy, .potential = spring_damper_potential,
                                  .dissipation = spring_damper_dissipation),
                           TN_HAS_DRAWING(spring_damper)),
           .ports = spring_damper_ports, .outputs = spring_damper_outputs, .output = spring_damper_output)

TN_LIBRARY("spring_damper", "1.0.0", "Apache-2.0", "spring-damper between two points",
           {TN_ELEMENT_KIND, &spring_damper_type})

#endif

/* coordinate_spring_damper.c - spring and damper between two coordinates, or one coordinate and zero */
#include <tenon/author.h>
#include <tenon/kit/drawing.h>

#define COORDINATE_SPRING_DAMPER(P)                                                            \
    P(REAL, stiffness, TN_ANY_UNIT, TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,        \
      "stiffness k against u - offset; N/m between positions, N m/rad between angles")         \
    P(REAL, damping, TN_ANY_UNIT, TN_DYNAMIC | TN_CHANGEABLE, 0.0, 0.0, TN_UNBOUNDED,          \
      "damping d against du/dt; N s/m or N m s/rad")                                           \
    P(REAL, offset, TN_ANY_UNIT, TN_DYNAMIC | TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, \
      "value of u without a spring force; m or rad")

TN_PARAMETERS(coordinate_spring_damper, COORDINATE_SPRING_DAMPER)

/* Of the last coordinate against the first one, or against zero; sign and index of the last one. */
typedef struct displacement {
    int last;
    tn_real u, rate;
} displacement;

static inline displacement displacement_of(const tn_marker_state *marker, const tn_context *context)
{
    displacement d;
    d.last = (int)context->batch->marker_count - 1;
    d.u = marker[d.last].position.e[0];
    d.rate = marker[d.last].velocity.e[0];
    if (d.last == 1) {
        d.u = d.u - marker[0].position.e[0];
        d.rate = d.rate - marker[0].velocity.e[0];
    }
    return d;
}

/* On the last coordinate. */
static inline tn_real law(const coordinate_spring_damper *self, const displacement *d)
{
    return -(self->stiffness * (d->u - self->offset) + self->damping * d->rate);
}

TN_FORCE(coordinate_spring_damper, TN_ANY, 2)
{
    const displacement d = displacement_of(marker, context);
    const tn_real force = law(self, &d);
    wrench[d.last].force.e[0] = force;
    if (d.last == 1) wrench[0].force.e[0] = -force;
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(coordinate_spring_damper,
         {"markers", "the two coordinates; a single one is connected to zero", TN_COORDINATE, 1, 2, 0})

enum { DISPLACEMENT, VELOCITY, FORCE, POTENTIAL_ENERGY };
TN_OUTPUTS(coordinate_spring_damper,
           [DISPLACEMENT] = {"displacement", "u, last coordinate minus first; m or rad", "", 1, 0},
           [VELOCITY] = {"velocity", "du/dt; m/s or rad/s", "", 1, 0},
           [FORCE] = {"force", "force on the last coordinate, N or N m; the first receives its negative", "",
                      1, 0},
           [POTENTIAL_ENERGY] = {"potential_energy", "k (u - offset)^2 / 2", "J", 1, 0})

TN_POTENTIAL(coordinate_spring_damper, TN_ANY, 2)
{
    const double stretch = displacement_of(marker, context).u - self->offset;
    return 0.5 * self->stiffness * stretch * stretch;
}

TN_DISSIPATION(coordinate_spring_damper, TN_ANY, 2)
{
    const double rate = displacement_of(marker, context).rate;
    return self->damping * rate * rate;
}

TN_OUTPUT(coordinate_spring_damper, TN_ANY, 2)
{
    const displacement d = displacement_of(marker, context);
    switch (output) {
    case DISPLACEMENT:
        *value = d.u;
        break;
    case VELOCITY:
        *value = d.rate;
        break;
    case FORCE:
        *value = context->active ? law(self, &d) : 0.0;
        break;
    default:
        *value = context->active ? coordinate_spring_damper_potential_text(self, marker, context) : 0.0;
    }
    return TN_OK;
}

TN_DRAWS_NOTHING(coordinate_spring_damper)

TN_SYNONYMS(coordinate_spring_damper, {"connector_coordinate_spring_damper", NULL, NULL},
            {"object_connector_coordinate_spring_damper", NULL, NULL}, {"mobility linear spring", NULL, NULL},
            {"mobility linear damper", NULL, NULL}, {"k", "stiffness", NULL},
            {"stiffness_coefficient", "stiffness", NULL}, {"spring_constant", "stiffness", NULL},
            {"c", "damping", NULL}, {"d", "damping", NULL}, {"viscosity", "damping", NULL},
            {"damping_coefficient", "damping", NULL})
TN_ELEMENT(coordinate_spring_damper, .summary = "spring and damper between two coordinates, or one and zero",
           .formula = "u = c1 - c0, or c0 when there is one coordinate only\n"
                      "f = -stiffness (u - offset) - damping du/dt on the last coordinate, -f on the first;\n"
                      "zero when not active",
           .synonyms = coordinate_spring_damper_synonyms,
           TN_CAPABILITIES(TN_HAS_FORCE(coordinate_spring_damper),
                           TN_HAS(energy, .potential = coordinate_spring_damper_potential,
                                  .dissipation = coordinate_spring_damper_dissipation),
                           TN_HAS_DRAWING(coordinate_spring_damper)),
           .ports = coordinate_spring_damper_ports, .outputs = coordinate_spring_damper_outputs,
           .output = coordinate_spring_damper_output)

TN_LIBRARY("coordinate_spring_damper", "1.0.0", "Apache-2.0", "spring-damper between coordinates",
           {TN_ELEMENT_KIND, &coordinate_spring_damper_type})

#endif

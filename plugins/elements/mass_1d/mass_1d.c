/* mass_1d.c - a mass with one displacement */
#include <tenon/kit/one_coordinate.h>
#include <tenon/kit/drawing.h>

#define MASS_1D(P)                                                                              \
    P(REAL, mass, "kg", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "m")                \
    P(REAL, position, "m", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "x, displacement at the start") \
    P(REAL, velocity, "m/s", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "dx/dt at the start")

TN_PARAMETERS(mass_1d, MASS_1D)

#if TN_VALUES

static tn_one_coordinate mass_1d_coordinate_of(const void *instance)
{
    const mass_1d *self = instance;
    return (tn_one_coordinate){self->mass, self->position, self->velocity};
}
TN_ONE_COORDINATE(mass_1d)

TN_OUTPUTS(mass_1d, [TN_ONE_COORDINATE_VALUE] = {"coordinate", "x", "m", 1, 0},
           [TN_ONE_COORDINATE_VELOCITY] = {"velocity", "dx/dt", "m/s", 1, 0},
           [TN_ONE_COORDINATE_ACCELERATION] = {"acceleration", "d2x/dt2", "m/s^2", 1, 0},
           [TN_ONE_COORDINATE_ENERGY] = {"kinetic_energy", "m (dx/dt)^2 / 2", "J", 1, 0})

static const char *const units[] = {"m"};

TN_DRAWS_NOTHING(mass_1d)

TN_SYNONYMS(mass_1d, {"object_mass_1d", NULL, NULL}, {"m", "mass", NULL})
TN_ELEMENT(mass_1d, .summary = "a mass with one displacement",
           .formula = "m d2x/dt2 = sum of the forces of its markers",
           .literature = "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                         "chapter 3 (particle mechanics)",
           .synonyms = mass_1d_synonyms, .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(attachment, .bind = tn_one_coordinate_bind),
                           TN_HAS(body, .velocity_units = units, .mass = mass_1d_mass),
                           TN_HAS_DRAWING(mass_1d)),
           .outputs = mass_1d_outputs, TN_ONE_COORDINATE_FIELDS(mass_1d))

TN_LIBRARY("mass_1d", "1.0.0", "Apache-2.0", "mass with one displacement", {TN_ELEMENT_KIND, &mass_1d_type})

#endif

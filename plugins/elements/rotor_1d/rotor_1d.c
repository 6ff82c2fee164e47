/* rotor_1d.c - an inertia with one angle */
#include <tenon/kit/one_coordinate.h>
#include <tenon/kit/drawing.h>

#define ROTOR_1D(P)                                                                                        \
    P(REAL, inertia, "kg m^2", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "J, moment of inertia") \
    P(REAL, angle, "rad", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "angle at the start")                       \
    P(REAL, speed, "rad/s", 0, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, "w, its rate, at the start")

TN_PARAMETERS(rotor_1d, ROTOR_1D)

#if TN_VALUES

static tn_one_coordinate rotor_1d_coordinate_of(const void *instance)
{
    const rotor_1d *self = instance;
    return (tn_one_coordinate){self->inertia, self->angle, self->speed};
}
TN_ONE_COORDINATE(rotor_1d)

TN_OUTPUTS(rotor_1d, [TN_ONE_COORDINATE_VALUE] = {"coordinate", "angle, with all turns", "rad", 1, 0},
           [TN_ONE_COORDINATE_VELOCITY] = {"velocity", "w, the rate of the angle", "rad/s", 1, 0},
           [TN_ONE_COORDINATE_ACCELERATION] = {"acceleration", "dw/dt", "rad/s^2", 1, 0},
           [TN_ONE_COORDINATE_ENERGY] = {"kinetic_energy", "J w^2 / 2", "J", 1, 0})

static const char *const units[] = {"rad"};

TN_DRAWS_NOTHING(rotor_1d)

TN_SYNONYMS(rotor_1d, {"object_rotor_1d", NULL, NULL}, {"object_rotational_mass_1d", NULL, NULL},
            {"rotational mass", NULL, NULL}, {"rotor", NULL, NULL}, {"J", "inertia", NULL},
            {"I", "inertia", NULL})
TN_ELEMENT(rotor_1d, .summary = "an inertia with one angle",
           .formula = "J dw/dt = sum of the torques of its markers",
           .literature = "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                         "chapter 3 (rotation about a fixed axis)",
           .synonyms = rotor_1d_synonyms, .flags = TN_VECTOR_SPACE,
           TN_CAPABILITIES(TN_HAS(attachment, .bind = tn_one_coordinate_bind),
                           TN_HAS(body, .velocity_units = units, .mass = rotor_1d_mass),
                           TN_HAS_DRAWING(rotor_1d)),
           .outputs = rotor_1d_outputs, TN_ONE_COORDINATE_FIELDS(rotor_1d))

TN_LIBRARY("rotor_1d", "1.0.0", "Apache-2.0", "inertia with one angle", {TN_ELEMENT_KIND, &rotor_1d_type})

#endif

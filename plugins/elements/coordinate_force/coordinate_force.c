/* coordinate_force.c - an applied force along one coordinate, or between two */
#include <tenon/author.h>
#include <tenon/kit/drawing.h>

#define COORDINATE_FORCE(P)                                                                                 \
    P(REAL, value, TN_ANY_UNIT, TN_REQUIRED | TN_DYNAMIC | TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, \
      "Q, force on the first coordinate; N on a position, N m on an angle")

TN_PARAMETERS(coordinate_force, COORDINATE_FORCE)

TN_FORCE(coordinate_force, TN_ANY, 2)
{
    (void)marker; /* a number that reads the motion is known by now */
    wrench[0].force.e[0] = self->value;
    if (context->batch->marker_count == 2) wrench[1].force.e[0] = -self->value;
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(coordinate_force, {"markers", "the coordinate that it acts on; a second one takes the reaction",
                            TN_COORDINATE, 1, 2, 0})

enum { FORCE, VELOCITY, POWER };
TN_OUTPUTS(coordinate_force,
           [FORCE] = {"force", "on the first coordinate, N or N m; zero when it is not active", "", 1, 0},
           [VELOCITY] = {"velocity", "du/dt, first coordinate against the second; m/s or rad/s", "", 1, 0},
           [POWER] = {"power", "Q du/dt; zero when it is not active", "W", 1, 0})

TN_OUTPUT(coordinate_force, TN_ANY, 2)
{
    const double force = context->active ? self->value : 0.0;
    const double reaction_rate = context->batch->marker_count == 2 ? marker[1].velocity.e[0] : 0.0;
    const double rate = marker[0].velocity.e[0] - reaction_rate;
    *value = output == FORCE ? force : output == VELOCITY ? rate : force * rate;
    return TN_OK;
}

TN_DRAWS_NOTHING(coordinate_force)

TN_ELEMENT(coordinate_force, .summary = "an applied force along one coordinate, or between two",
           .formula = "Q = value on the first coordinate, -Q on the second\n"
                      "power = Q du/dt,  with u = c0 - c1, or c0 when there is one coordinate only",
           .literature = "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                         "chapter 3 (generalized forces)",
           TN_CAPABILITIES(TN_HAS_FORCE(coordinate_force), TN_HAS_DRAWING(coordinate_force)),
           .ports = coordinate_force_ports, .outputs = coordinate_force_outputs,
           .output = coordinate_force_output)

TN_LIBRARY("coordinate_force", "1.0.0", "Apache-2.0", "applied force along a coordinate",
           {TN_ELEMENT_KIND, &coordinate_force_type})

#endif

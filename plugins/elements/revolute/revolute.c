/* revolute.c - two frames that turn against each other about their common z axis */
#include "../joint.h"

#define REVOLUTE(P)

TN_PARAMETERS(revolute, REVOLUTE)

#if TN_VALUES

JOINT_ROWS(revolute, TN_FRAME, JOINT_POINT, {PERPENDICULAR, X, Z}, {PERPENDICULAR, Y, Z})
JOINT_COORDINATES(revolute, {ANGLE_IN_FIRST, Z, X})

TN_PORTS(revolute, {"markers", "the two frames; their z axes are the axis", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(revolute, JOINT_OUTPUTS(JOINT_FRAME_AXES, JOINT_MIXED), JOINT_ANGLE_OUTPUTS("angle", JOINT_TURN))
JOINT_COORDINATE_NAMES(revolute, {"angle", JOINT_TURN, "rad", 1, 0})

TN_SYNONYMS(revolute, {"hinge", NULL, NULL}, {"pin", NULL, NULL}, {"pin joint", NULL, NULL},
            {"revolute joint", NULL, NULL}, {"joint_revolute_z", NULL, NULL},
            {"object_joint_revolute_z", NULL, NULL}, {"revolute hinge", NULL, NULL}, {"rev", NULL, NULL})
TN_ELEMENT(revolute, .summary = "holds the origins and the z axes of two frames together",
           .formula = "p1 - p0 = 0, ground axes\n"
                      "x0 . z1 = 0,  y0 . z1 = 0\n" JOINT_ANGLE_FORMULA,
           .literature = JOINT_LITERATURE, .synonyms = revolute_synonyms, .flags = TN_KEEPS_RATES,
           TN_CAPABILITIES(JOINT_HAS_ROWS(revolute), JOINT_HAS_COORDINATES(revolute),
                           JOINT_COUNTS_TURNS(revolute)),
           .ports = revolute_ports, .outputs = revolute_outputs, JOINT_FIELDS(revolute))

TN_LIBRARY("revolute", "1.0.0", "Apache-2.0", "revolute joint", {TN_ELEMENT_KIND, &revolute_type})

#endif

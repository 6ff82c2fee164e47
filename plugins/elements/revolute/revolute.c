/* revolute.c - two frames that turn against each other about their common z axis */
#include <tenon/kit/joint.h>
#include <tenon/kit/drawing.h>

#define REVOLUTE(P)

TN_PARAMETERS(revolute, REVOLUTE)

#if TN_VALUES

TN_JOINT_ROWS(revolute, TN_FRAME, TN_JOINT_POINT, {TN_PERPENDICULAR, TN_X, TN_Z},
              {TN_PERPENDICULAR, TN_Y, TN_Z})
TN_JOINT_COORDINATES(revolute, {TN_ANGLE_IN_FIRST, TN_Z, TN_X})

TN_PORTS(revolute, {"markers", "the two frames; their z axes are the axis", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(revolute, TN_JOINT_OUTPUTS(TN_JOINT_FRAME_AXES, TN_JOINT_MIXED),
           TN_JOINT_ANGLE_OUTPUTS("angle", TN_JOINT_TURN))
TN_JOINT_COORDINATE_NAMES(revolute, {"angle", TN_JOINT_TURN, "rad", 1, 0})

TN_DRAWS(revolute, {.kind = TN_DRAWN_HINGE})

TN_SYNONYMS(revolute, {"hinge", NULL, NULL}, {"pin", NULL, NULL}, {"pin joint", NULL, NULL},
            {"revolute joint", NULL, NULL}, {"joint_revolute_z", NULL, NULL},
            {"object_joint_revolute_z", NULL, NULL}, {"revolute hinge", NULL, NULL}, {"rev", NULL, NULL})
TN_ELEMENT(revolute, .summary = "keeps the origins and the z axes of two frames together",
           .formula = "p1 - p0 = 0, ground axes\n"
                      "x0 . z1 = 0,  y0 . z1 = 0\n" TN_JOINT_ANGLE_FORMULA,
           .literature = TN_JOINT_LITERATURE, .synonyms = revolute_synonyms, .flags = TN_KEEPS_RATES,
           TN_CAPABILITIES(TN_JOINT_HAS_ROWS(revolute), TN_JOINT_HAS_COORDINATES(revolute),
                           TN_JOINT_COUNTS_TURNS(revolute), TN_HAS_DRAWING(revolute)),
           .ports = revolute_ports, .outputs = revolute_outputs, TN_JOINT_FIELDS(revolute))

TN_LIBRARY("revolute", "1.0.0", "Apache-2.0", "revolute joint", {TN_ELEMENT_KIND, &revolute_type})

#endif

/* cylindrical.c - two frames that turn about and slide along their common z axis */
#include "../joint.h"

#define CYLINDRICAL(P)

TN_PARAMETERS(cylindrical, CYLINDRICAL)

#if TN_VALUES

JOINT_ROWS(cylindrical, TN_FRAME, {IN_PLANE, X, 0}, {IN_PLANE, Y, 0}, {PERPENDICULAR, X, Z},
           {PERPENDICULAR, Y, Z})
JOINT_COORDINATES(cylindrical, {ANGLE_IN_FIRST, Z, X}, {TRANSLATION, Z, 0})

TN_PORTS(cylindrical, {"markers", "the two frames; their z axes are the axis", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(cylindrical, JOINT_OUTPUTS(JOINT_FRAME_AXES, JOINT_MIXED),
           JOINT_ANGLE_OUTPUTS("angle", JOINT_TURN), JOINT_TRANSLATION_OUTPUTS("translation", "z0 . d"))
JOINT_COORDINATE_NAMES(cylindrical, {"angle", JOINT_TURN, "rad", 1, 0}, {"translation", "z0 . d", "m", 1, 0})

TN_SYNONYMS(cylindrical, {"cylindrical joint", NULL, NULL}, {"cylinder", NULL, NULL})
TN_ELEMENT(cylindrical, .summary = "holds the z axes of two frames on one line",
           .formula = JOINT_GAP_FORMULA "x0 . d = 0,  y0 . d = 0\n"
                                        "x0 . z1 = 0,  y0 . z1 = 0\n" JOINT_ANGLE_FORMULA
                                        "\ntranslation = z0 . d",
           .literature = JOINT_LITERATURE, .synonyms = cylindrical_synonyms, .flags = TN_KEEPS_RATES,
           TN_CAPABILITIES(JOINT_HAS_ROWS(cylindrical), JOINT_HAS_COORDINATES(cylindrical),
                           JOINT_COUNTS_TURNS(cylindrical)),
           .ports = cylindrical_ports, .outputs = cylindrical_outputs, JOINT_FIELDS(cylindrical))

TN_LIBRARY("cylindrical", "1.0.0", "Apache-2.0", "cylindrical joint", {TN_ELEMENT_KIND, &cylindrical_type})

#endif

/* planar.c - the last frame slides and turns in the plane that the first frame's z axis stands on */
#include "../joint.h"

#define PLANAR(P)

TN_PARAMETERS(planar, PLANAR)

#if TN_VALUES

JOINT_ROWS(planar, TN_FRAME, {IN_PLANE, Z, 0}, {PERPENDICULAR, X, Z}, {PERPENDICULAR, Y, Z})
JOINT_COORDINATES(planar, {TRANSLATION, X, 0}, {TRANSLATION, Y, 0}, {ANGLE_IN_FIRST, Z, X})

TN_PORTS(planar,
         {"markers", "the two frames; the first one's x and y axes span the plane", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(planar, JOINT_OUTPUTS(JOINT_FRAME_AXES, JOINT_MIXED), JOINT_TRANSLATION_OUTPUTS("x", "x0 . d"),
           JOINT_TRANSLATION_OUTPUTS("y", "y0 . d"), JOINT_ANGLE_OUTPUTS("angle", JOINT_TURN))
JOINT_COORDINATE_NAMES(planar, {"x", "x0 . d", "m", 1, 0}, {"y", "y0 . d", "m", 1, 0},
                       {"angle", JOINT_TURN, "rad", 1, 0})

TN_SYNONYMS(planar, {"planar joint", NULL, NULL}, {"plane joint", NULL, NULL}, {"in plane", NULL, NULL})
TN_ELEMENT(planar, .summary = "holds a frame in the x-y plane of another one, with parallel z axes",
           .formula = JOINT_GAP_FORMULA "z0 . d = 0\n"
                                        "x0 . z1 = 0,  y0 . z1 = 0\n"
                                        "x = x0 . d,  y = y0 . d\n" JOINT_ANGLE_FORMULA,
           .literature = JOINT_LITERATURE, .synonyms = planar_synonyms, .flags = TN_KEEPS_RATES,
           TN_CAPABILITIES(JOINT_HAS_ROWS(planar), JOINT_HAS_COORDINATES(planar), JOINT_COUNTS_TURNS(planar)),
           .ports = planar_ports, .outputs = planar_outputs, JOINT_FIELDS(planar))

TN_LIBRARY("planar", "1.0.0", "Apache-2.0", "planar joint", {TN_ELEMENT_KIND, &planar_type})

#endif

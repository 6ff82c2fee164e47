/* planar.c - the last frame slides and turns in the plane that the first frame's z axis stands on */
#include <tenon/kit/joint.h>
#include <tenon/kit/drawing.h>

#define PLANAR(P)

TN_PARAMETERS(planar, PLANAR)

#if TN_VALUES

TN_JOINT_ROWS(planar, TN_FRAME, {TN_IN_PLANE, TN_Z, 0}, {TN_PERPENDICULAR, TN_X, TN_Z},
              {TN_PERPENDICULAR, TN_Y, TN_Z})
TN_JOINT_COORDINATES(planar, {TN_TRANSLATION, TN_X, 0}, {TN_TRANSLATION, TN_Y, 0},
                     {TN_ANGLE_IN_FIRST, TN_Z, TN_X})

TN_PORTS(planar,
         {"markers", "the two frames; the first one's x and y axes span the plane", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(planar, TN_JOINT_OUTPUTS(TN_JOINT_FRAME_AXES, TN_JOINT_MIXED),
           TN_JOINT_TRANSLATION_OUTPUTS("x", "x0 . d"), TN_JOINT_TRANSLATION_OUTPUTS("y", "y0 . d"),
           TN_JOINT_ANGLE_OUTPUTS("angle", TN_JOINT_TURN))
TN_JOINT_COORDINATE_NAMES(planar, {"x", "x0 . d", "m", 1, 0}, {"y", "y0 . d", "m", 1, 0},
                          {"angle", TN_JOINT_TURN, "rad", 1, 0})

TN_DRAWS(planar, {.kind = TN_DRAWN_DISC})

TN_SYNONYMS(planar, {"planar joint", NULL, NULL}, {"plane joint", NULL, NULL}, {"in plane", NULL, NULL})
TN_ELEMENT(planar, .summary = "keeps a frame in the x-y plane of another one, with parallel z axes",
           .formula = TN_JOINT_GAP_FORMULA "z0 . d = 0\n"
                                           "x0 . z1 = 0,  y0 . z1 = 0\n"
                                           "x = x0 . d,  y = y0 . d\n" TN_JOINT_ANGLE_FORMULA,
           .literature = TN_JOINT_LITERATURE, .synonyms = planar_synonyms, .flags = TN_KEEPS_RATES,
           TN_CAPABILITIES(TN_JOINT_HAS_ROWS(planar), TN_JOINT_HAS_COORDINATES(planar),
                           TN_JOINT_COUNTS_TURNS(planar), TN_HAS_DRAWING(planar)),
           .ports = planar_ports, .outputs = planar_outputs, TN_JOINT_FIELDS(planar))

TN_LIBRARY("planar", "1.0.0", "Apache-2.0", "planar joint", {TN_ELEMENT_KIND, &planar_type})

#endif

/* cylindrical.c - two frames that turn about and slide along their common z axis */
#include <tenon/kit/joint.h>
#include <tenon/kit/drawing.h>

#define CYLINDRICAL(P)

TN_PARAMETERS(cylindrical, CYLINDRICAL)

#if TN_VALUES

TN_JOINT_ROWS(cylindrical, TN_FRAME, {TN_IN_PLANE, TN_X, 0}, {TN_IN_PLANE, TN_Y, 0},
              {TN_PERPENDICULAR, TN_X, TN_Z}, {TN_PERPENDICULAR, TN_Y, TN_Z})
TN_JOINT_COORDINATES(cylindrical, {TN_ANGLE_IN_FIRST, TN_Z, TN_X}, {TN_TRANSLATION, TN_Z, 0})

TN_PORTS(cylindrical, {"markers", "the two frames; their z axes are the axis", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(cylindrical, TN_JOINT_OUTPUTS(TN_JOINT_FRAME_AXES, TN_JOINT_MIXED),
           TN_JOINT_ANGLE_OUTPUTS("angle", TN_JOINT_TURN),
           TN_JOINT_TRANSLATION_OUTPUTS("translation", "z0 . d"))
TN_JOINT_COORDINATE_NAMES(cylindrical, {"angle", TN_JOINT_TURN, "rad", 1, 0},
                          {"translation", "z0 . d", "m", 1, 0})

TN_DRAWS(cylindrical, {.kind = TN_DRAWN_HINGE}, {.kind = TN_DRAWN_SLIDE})

TN_SYNONYMS(cylindrical, {"cylindrical joint", NULL, NULL}, {"cylinder", NULL, NULL})
TN_ELEMENT(cylindrical, .summary = "keeps the z axes of two frames on one line",
           .formula = TN_JOINT_GAP_FORMULA "x0 . d = 0,  y0 . d = 0\n"
                                           "x0 . z1 = 0,  y0 . z1 = 0\n" TN_JOINT_ANGLE_FORMULA
                                           "\ntranslation = z0 . d",
           .literature = TN_JOINT_LITERATURE, .synonyms = cylindrical_synonyms, .flags = TN_KEEPS_RATES,
           TN_CAPABILITIES(TN_JOINT_HAS_ROWS(cylindrical), TN_JOINT_HAS_COORDINATES(cylindrical),
                           TN_JOINT_COUNTS_TURNS(cylindrical), TN_HAS_DRAWING(cylindrical)),
           .ports = cylindrical_ports, .outputs = cylindrical_outputs, TN_JOINT_FIELDS(cylindrical))

TN_LIBRARY("cylindrical", "1.0.0", "Apache-2.0", "cylindrical joint", {TN_ELEMENT_KIND, &cylindrical_type})

#endif

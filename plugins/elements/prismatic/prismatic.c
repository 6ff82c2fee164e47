/* prismatic.c - two frames that slide along their common x axis and do not turn */
#include <tenon/kit/joint.h>
#include <tenon/kit/drawing.h>

#define PRISMATIC(P)

TN_PARAMETERS(prismatic, PRISMATIC)

#if TN_VALUES

TN_JOINT_ROWS(prismatic, TN_FRAME, {TN_IN_PLANE, TN_Y, 0}, {TN_IN_PLANE, TN_Z, 0}, TN_JOINT_ROTATION)
TN_JOINT_COORDINATES(prismatic, {TN_TRANSLATION, TN_X, 0})

TN_PORTS(prismatic, {"markers", "the two frames; their x axes are the axis", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(prismatic, TN_JOINT_OUTPUTS(TN_JOINT_FRAME_AXES, TN_JOINT_MIXED),
           TN_JOINT_TRANSLATION_OUTPUTS("translation", "x0 . d"))
TN_JOINT_COORDINATE_NAMES(prismatic, {"translation", "x0 . d", "m", 1, 0})

TN_DRAWS(prismatic, {.kind = TN_DRAWN_SLIDE, .axis = {1.0, 0.0, 0.0}})

TN_SYNONYMS(prismatic, {"slider", NULL, NULL}, {"slide", NULL, NULL}, {"slider joint", NULL, NULL},
            {"translational", NULL, NULL}, {"translational joint", NULL, NULL},
            {"prismatic joint", NULL, NULL}, {"joint_prismatic_x", NULL, NULL},
            {"object_joint_prismatic_x", NULL, NULL})
TN_ELEMENT(prismatic, .summary = "lets two frames slide along their common x axis only",
           .formula = TN_JOINT_GAP_FORMULA "y0 . d = 0,  z0 . d = 0\n" TN_JOINT_ROTATION_FORMULA
                                           "\ntranslation = x0 . d",
           .literature = TN_JOINT_LITERATURE, .synonyms = prismatic_synonyms,
           TN_CAPABILITIES(TN_JOINT_HAS_ROWS(prismatic), TN_JOINT_HAS_COORDINATES(prismatic),
                           TN_HAS_DRAWING(prismatic)),
           .ports = prismatic_ports, .outputs = prismatic_outputs, TN_JOINT_FIELDS(prismatic))

TN_LIBRARY("prismatic", "1.0.0", "Apache-2.0", "prismatic joint", {TN_ELEMENT_KIND, &prismatic_type})

#endif

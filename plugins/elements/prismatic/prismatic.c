/* prismatic.c - two frames that slide along their common x axis and do not turn */
#include "../joint.h"

#define PRISMATIC(P)

TN_PARAMETERS(prismatic, PRISMATIC)

#if TN_VALUES

JOINT_ROWS(prismatic, TN_FRAME, {IN_PLANE, Y, 0}, {IN_PLANE, Z, 0}, JOINT_ROTATION)
JOINT_COORDINATES(prismatic, {TRANSLATION, X, 0})

TN_PORTS(prismatic, {"markers", "the two frames; their x axes are the axis", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(prismatic, JOINT_OUTPUTS(JOINT_FRAME_AXES, JOINT_MIXED),
           JOINT_TRANSLATION_OUTPUTS("translation", "x0 . d"))
JOINT_COORDINATE_NAMES(prismatic, {"translation", "x0 . d", "m", 1, 0})

TN_SYNONYMS(prismatic, {"slider", NULL, NULL}, {"slide", NULL, NULL}, {"slider joint", NULL, NULL},
            {"translational", NULL, NULL}, {"translational joint", NULL, NULL},
            {"prismatic joint", NULL, NULL}, {"joint_prismatic_x", NULL, NULL},
            {"object_joint_prismatic_x", NULL, NULL})
TN_ELEMENT(prismatic, .summary = "lets two frames slide along their common x axis only",
           .formula = JOINT_GAP_FORMULA "y0 . d = 0,  z0 . d = 0\n" JOINT_ROTATION_FORMULA
                                        "\ntranslation = x0 . d",
           .literature = JOINT_LITERATURE, .synonyms = prismatic_synonyms,
           TN_CAPABILITIES(JOINT_HAS_ROWS(prismatic), JOINT_HAS_COORDINATES(prismatic)),
           .ports = prismatic_ports, .outputs = prismatic_outputs, JOINT_FIELDS(prismatic))

TN_LIBRARY("prismatic", "1.0.0", "Apache-2.0", "prismatic joint", {TN_ELEMENT_KIND, &prismatic_type})

#endif

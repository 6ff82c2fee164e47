/* fixed.c - two frames that coincide */
#include "../joint.h"

#define FIXED(P)

TN_PARAMETERS(fixed, FIXED)

#if TN_VALUES

JOINT_ROWS(fixed, TN_FRAME, JOINT_POINT, JOINT_ROTATION)
JOINT_WITHOUT_COORDINATES(fixed)

TN_PORTS(fixed, {"markers", "the two frames", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(fixed, JOINT_OUTPUTS(JOINT_FRAME_AXES, JOINT_MIXED))

TN_SYNONYMS(fixed, {"weld", NULL, NULL}, {"weld joint", NULL, NULL}, {"clamp", NULL, NULL},
            {"rigid joint", NULL, NULL}, {"rigid connection", NULL, NULL}, {"fixed joint", NULL, NULL},
            {"lock", NULL, NULL}, {"locked", NULL, NULL})
TN_ELEMENT(fixed, .summary = "holds two frames together",
           .formula = "p1 - p0 = 0, ground axes\n" JOINT_ROTATION_FORMULA, .literature = JOINT_LITERATURE,
           .synonyms = fixed_synonyms, TN_CAPABILITIES(JOINT_HAS_ROWS(fixed)), .ports = fixed_ports,
           .outputs = fixed_outputs, JOINT_FIELDS(fixed))

TN_LIBRARY("fixed", "1.0.0", "Apache-2.0", "fixed joint", {TN_ELEMENT_KIND, &fixed_type})

#endif

/* fixed.c - two frames that coincide */
#include <tenon/kit/joint.h>
#include <tenon/kit/drawing.h>

#define FIXED(P)

TN_PARAMETERS(fixed, FIXED)

#if TN_VALUES

TN_JOINT_ROWS(fixed, TN_FRAME, TN_JOINT_POINT, TN_JOINT_ROTATION)
TN_JOINT_WITHOUT_COORDINATES(fixed)

TN_PORTS(fixed, {"markers", "the two frames", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(fixed, TN_JOINT_OUTPUTS(TN_JOINT_FRAME_AXES, TN_JOINT_MIXED))

TN_DRAWS(fixed, {.kind = TN_DRAWN_FRAME})

TN_SYNONYMS(fixed, {"weld", NULL, NULL}, {"weld joint", NULL, NULL}, {"clamp", NULL, NULL},
            {"rigid joint", NULL, NULL}, {"rigid connection", NULL, NULL}, {"fixed joint", NULL, NULL},
            {"lock", NULL, NULL}, {"locked", NULL, NULL})
TN_ELEMENT(fixed, .summary = "keeps two frames together",
           .formula = "p1 - p0 = 0, ground axes\n" TN_JOINT_ROTATION_FORMULA,
           .literature = TN_JOINT_LITERATURE, .synonyms = fixed_synonyms,
           TN_CAPABILITIES(TN_JOINT_HAS_ROWS(fixed), TN_HAS_DRAWING(fixed)), .ports = fixed_ports,
           .outputs = fixed_outputs, TN_JOINT_FIELDS(fixed))

TN_LIBRARY("fixed", "1.0.0", "Apache-2.0", "fixed joint", {TN_ELEMENT_KIND, &fixed_type})

#endif

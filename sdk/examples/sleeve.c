/* sleeve.c - a joint that turns and slides, by the kit */
#include <tenon/kit/joint.h>
#if TN_VALUES
TN_NO_PARAMETERS(sleeve)
TN_JOINT_ROWS(sleeve, TN_FRAME, {TN_IN_PLANE, TN_X, 0}, {TN_IN_PLANE, TN_Y, 0},
              {TN_PERPENDICULAR, TN_X, TN_Z}, {TN_PERPENDICULAR, TN_Y, TN_Z})
TN_JOINT_COORDINATES(sleeve, {TN_TRANSLATION, TN_Z, 0}, {TN_ANGLE_IN_FIRST, TN_Z, TN_X})

TN_PORTS(sleeve, {"markers", "the two frames; their z axes are the axis", TN_FRAME, 2, 2, 0})
TN_OUTPUTS(sleeve, TN_JOINT_OUTPUTS(TN_JOINT_FRAME_AXES, TN_JOINT_MIXED),
           TN_JOINT_TRANSLATION_OUTPUTS("translation", "along z0"),
           TN_JOINT_ANGLE_OUTPUTS("angle", TN_JOINT_TURN))
TN_JOINT_COORDINATE_NAMES(sleeve, {"translation", "along z0", "m", 1, 0},
                          {"angle", TN_JOINT_TURN, "rad", 1, 0})
TN_ELEMENT(sleeve, .summary = "holds the z axes of two frames together",
           .formula = TN_JOINT_GAP_FORMULA "x0 . d = 0,  y0 . d = 0,  x0 . z1 = 0,  y0 . z1 = 0",
           .flags = TN_KEEPS_RATES, .ports = sleeve_ports, .outputs = sleeve_outputs,
           TN_CAPABILITIES(TN_JOINT_HAS_ROWS(sleeve), TN_JOINT_HAS_COORDINATES(sleeve),
                           TN_JOINT_COUNTS_TURNS(sleeve)),
           TN_JOINT_FIELDS(sleeve))
TN_LIBRARY("sleeve", "1.0.0", "Apache-2.0", "joint that turns and slides", {TN_ELEMENT_KIND, &sleeve_type})
#endif

/* universal.c - two frames with a common origin; the first one's x axis and the last one's y axis make the cross */
#include <tenon/kit/joint.h>
#include <tenon/kit/drawing.h>

#define UNIVERSAL(P)

TN_PARAMETERS(universal, UNIVERSAL)

#if TN_VALUES

TN_JOINT_ROWS(universal, TN_FRAME, TN_JOINT_POINT, {TN_PERPENDICULAR, TN_X, TN_Y})
TN_JOINT_COORDINATES(universal, {TN_ANGLE_IN_FIRST, TN_X, TN_Y}, {TN_ANGLE_IN_LAST, TN_Y, TN_X})

#define ABOUT_FIRST "of y1 about x0; in (-pi, pi] at the start, then it counts turns"
#define ABOUT_LAST "of the last frame about its y axis; in (-pi, pi] at the start, then it counts turns"

TN_PORTS(universal, {"markers", "the two frames; the axes of the cross are x of the first and y of the last",
                     TN_FRAME, 2, 2, 0})
TN_OUTPUTS(universal, TN_JOINT_OUTPUTS(TN_JOINT_FRAME_AXES, TN_JOINT_MIXED),
           TN_JOINT_ANGLE_OUTPUTS("angle_1", ABOUT_FIRST), TN_JOINT_ANGLE_OUTPUTS("angle_2", ABOUT_LAST))
TN_JOINT_COORDINATE_NAMES(universal, {"angle_1", ABOUT_FIRST, "rad", 1, 0},
                          {"angle_2", ABOUT_LAST, "rad", 1, 0})

TN_DRAWS(universal, {.kind = TN_DRAWN_HINGE, .axis = {1.0, 0.0, 0.0}},
         {.kind = TN_DRAWN_HINGE, .place = {{TN_AT_MARKER, 1}}, .axis = {0.0, 1.0, 0.0}})

TN_SYNONYMS(universal, {"cardan", NULL, NULL}, {"cardan hinge", NULL, NULL}, {"hooke", NULL, NULL},
            {"hooke joint", NULL, NULL}, {"universal joint", NULL, NULL}, {"gimbal", NULL, NULL})
TN_ELEMENT(universal,
           .summary = "keeps two origins together, and x of the first frame perpendicular to y of the last",
           .formula = "p1 - p0 = 0, ground axes\n"
                      "x0 . y1 = 0\n"
                      "angle_1 = atan2(z0 . y1, y0 . y1), with all turns since the start\n"
                      "angle_2 = atan2(x0 . z1, x0 . x1), with all turns since the start",
           .literature = TN_JOINT_LITERATURE, .synonyms = universal_synonyms, .flags = TN_KEEPS_RATES,
           TN_CAPABILITIES(TN_JOINT_HAS_ROWS(universal), TN_JOINT_HAS_COORDINATES(universal),
                           TN_JOINT_COUNTS_TURNS(universal), TN_HAS_DRAWING(universal)),
           .ports = universal_ports, .outputs = universal_outputs, TN_JOINT_FIELDS(universal))

TN_LIBRARY("universal", "1.0.0", "Apache-2.0", "universal joint", {TN_ELEMENT_KIND, &universal_type})

#endif

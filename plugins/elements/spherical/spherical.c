/* spherical.c - two points that coincide */
#include <tenon/kit/joint.h>
#include <tenon/kit/drawing.h>

#define SPHERICAL(P)

TN_PARAMETERS(spherical, SPHERICAL)

#if TN_VALUES

TN_JOINT_ROWS(spherical, TN_ANY, TN_JOINT_POINT)
TN_JOINT_WITHOUT_COORDINATES(spherical)

TN_PORTS(spherical, {"markers", "the two points; a frame counts as its origin", TN_ANY, 2, 2, 1})
TN_OUTPUTS(spherical, TN_JOINT_OUTPUTS("axes of the first marker; ground axes if it is a point", "m"))

TN_DRAWS(spherical, {.kind = TN_DRAWN_BALL})

TN_SYNONYMS(spherical, {"ball", NULL, NULL}, {"ball joint", NULL, NULL}, {"ball and socket", NULL, NULL},
            {"spherical joint", NULL, NULL}, {"spherical hinge", NULL, NULL},
            {"object_joint_spherical", NULL, NULL}, {"joint_spherical", NULL, NULL})
TN_ELEMENT(spherical, .summary = "keeps two points together", .formula = "p1 - p0 = 0, ground axes",
           .literature = TN_JOINT_LITERATURE, .synonyms = spherical_synonyms, .flags = TN_CONSTANT_ROWS,
           TN_CAPABILITIES(TN_JOINT_HAS_CONSTANT_ROWS(spherical), TN_HAS_DRAWING(spherical)),
           .ports = spherical_ports, .outputs = spherical_outputs, TN_JOINT_FIELDS(spherical))

TN_LIBRARY("spherical", "1.0.0", "Apache-2.0", "spherical joint", {TN_ELEMENT_KIND, &spherical_type})

#endif

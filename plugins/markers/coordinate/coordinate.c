/* coordinate.c - one coordinate of an element */
#include <tenon/author.h>

#define COORDINATE(P) P(TEXT, coordinate, 0, "name of the coordinate; optional if the element has only one")

TN_PARAMETERS(coordinate, COORDINATE)

#if TN_VALUES

static tn_status coordinate_local_pose(const void *instance, tn_attachment *attachment)
{
    const coordinate *self = instance;
    attachment->coordinate = self->coordinate;
    return TN_OK;
}

TN_SYNONYMS(coordinate, {"node_coordinate", NULL, NULL}, {"marker_node_coordinate", NULL, NULL},
            {"dof", NULL, NULL})
TN_MARKER(coordinate, .summary = "one coordinate of an element",
          .formula = "c, dc/dt;  a force on it has the power force dc/dt",
          .literature = "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                        "chapter 3 (generalized coordinates and forces)",
          .synonyms = coordinate_synonyms, .kind = TN_COORDINATE,
          TN_CAPABILITIES(TN_HAS(place, .local_pose = coordinate_local_pose)))

TN_LIBRARY("coordinate", "1.0.0", "Apache-2.0", "marker: coordinate of an element",
           {TN_MARKER_KIND, &coordinate_type})

#endif

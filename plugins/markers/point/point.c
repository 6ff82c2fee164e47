/* point.c - a point fixed to an element */
#include <tenon/author.h>

#define POINT(P) \
    P(VECTOR, position, "m", TN_CHANGEABLE, "from the element's reference point, in the element's axes")

TN_PARAMETERS(point, POINT)

#if TN_VALUES

static tn_status point_local_pose(const void *instance, tn_attachment *attachment)
{
    const point *self = instance;
    memcpy(attachment->position, self->position.e, sizeof self->position);
    return TN_OK;
}

TN_SYNONYMS(point, {"body_position", NULL, NULL}, {"marker_body_position", NULL, NULL})
TN_MARKER(point, .summary = "a point fixed to an element",
          .formula = "p = p_element + R_element position,  v = dp/dt",
          .literature = "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                        "chapter 2 (reference kinematics)",
          .synonyms = point_synonyms, .kind = TN_POINT,
          TN_CAPABILITIES(TN_HAS(place, .local_pose = point_local_pose)))

TN_LIBRARY("point", "1.0.0", "Apache-2.0", "marker: point on an element", {TN_MARKER_KIND, &point_type})

#endif

/* frame.c - a frame fixed to an element */
#include <tenon/author.h>

#define FRAME(P)                                                               \
    P(VECTOR, position, "m", TN_CHANGEABLE,                                    \
      "its origin, from the element's reference point, in the element's axes") \
    P(ROTATION, rotation, TN_CHANGEABLE, "orientation, from the marker's axes to the element's")

TN_PARAMETERS(frame, FRAME)

#if TN_VALUES

static tn_status frame_local_pose(const void *instance, tn_attachment *attachment)
{
    const frame *self = instance;
    memcpy(attachment->position, self->position.e, sizeof self->position);
    memcpy(attachment->rotation, self->rotation, sizeof self->rotation);
    return TN_OK;
}

TN_SYNONYMS(frame, {"body_rigid", NULL, NULL}, {"marker_body_rigid", NULL, NULL}, {"site", NULL, NULL},
            {"reference frame", NULL, NULL}, {"coordinate system", NULL, NULL})
TN_MARKER(frame, .summary = "a frame fixed to an element; serves as a point, too",
          .formula = "p = p_element + R_element position,  R = R_element rotation\n"
                     "v = dp/dt,                           w = w_element",
          .literature = "Shabana: Dynamics of Multibody Systems, 5th ed., Cambridge University Press, 2020, "
                        "chapter 2 (reference kinematics)",
          .synonyms = frame_synonyms, .kind = TN_FRAME,
          TN_CAPABILITIES(TN_HAS(place, .local_pose = frame_local_pose)))

TN_LIBRARY("frame", "1.0.0", "Apache-2.0", "marker: frame on an element", {TN_MARKER_KIND, &frame_type})

#endif

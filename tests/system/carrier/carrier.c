/* carrier.c - a marker whose map of twists changes with the poses: a frame that is carried towards a point, and turned
 * about its z axis, the more the further away the point is
 *
 * It serves the tests of derived markers; with TN_EXACT undefined it is a type without exact tangent. */
#include <tenon/author.h>

#define CARRIER(P)                                                                      \
    P(VECTOR, offset, "m", 0, "in the axes of the base")                                \
    P(REAL, ratio, "", 0, 0.3, -TN_UNBOUNDED, TN_UNBOUNDED, "share of the way")         \
    P(REAL, rate, "1/m^2", 0, 0.02, -TN_UNBOUNDED, TN_UNBOUNDED, "growth of the share") \
    P(REAL, turn, "rad/m^2", 0, 0.05, -TN_UNBOUNDED, TN_UNBOUNDED, "angle per square of the distance")

TN_PARAMETERS(carrier, CARRIER)

TN_KINEMATICS(carrier, TN_FRAME, TN_ANY, 2)
{
    const tn_marker_state *base = &marker[0], *aim = &marker[1];
    const tn_vec3 way = tn_subtract(aim->position, base->position);
    const tn_vec3 speed = tn_subtract(aim->velocity, base->velocity);
    const tn_vec3 arm = tn_rotate(base->rotation, self->offset), z = tn_axis(base->rotation, 2);
    const tn_real square = tn_dot(way, way), growth = 2.0 * tn_dot(way, speed);
    if (tn_value(square) == 0.0) return tn_retry(context, "the point stands on the frame");
    const tn_real share = self->ratio + self->rate * square, angle = self->turn * square;
    out->position = tn_add(tn_add(base->position, arm), tn_scale(share, way));
    out->velocity = tn_add(tn_add(base->velocity, tn_cross(base->angular_velocity, arm)),
                           tn_add(tn_scale(share, speed), tn_scale(self->rate * growth, way)));
    const tn_real c = tn_cos(angle), s = tn_sin(angle);
    for (int i = 0; i < 3; i++)
        out->rotation.row[i] =
            tn_vector(c * base->rotation.row[i].e[0] + s * base->rotation.row[i].e[1],
                      c * base->rotation.row[i].e[1] - s * base->rotation.row[i].e[0], z.e[i]);
    out->angular_velocity = tn_add(base->angular_velocity, tn_scale(self->turn * growth, z));
    return TN_OK;
}

#if TN_VALUES

TN_PORTS(carrier, {"base", "the frame that is carried", TN_FRAME, 1, 1, 0},
         {"aim", "the point that it is carried to", TN_POINT, 1, 1, 0})

TN_MARKER(carrier, .summary = "a frame carried towards a point", .formula = "p = base + share (aim - base)",
          .kind = TN_FRAME, TN_CAPABILITIES(TN_HAS_KINEMATICS(carrier)), .ports = carrier_ports)

TN_LIBRARY("carrier", "1.0.0", "Apache-2.0", "marker of the tests", {TN_MARKER_KIND, &carrier_type})

#endif

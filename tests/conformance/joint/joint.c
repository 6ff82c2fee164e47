/* joint.c - a constraint with something of everything, for the conformance checks: offsets on turning frames, directions,
 * a distance, an angle that is driven in time, and a velocity row that is no derivative of a position row. */
#include <tenon/author.h>

#define JOINT(P)                                           \
    P(VECTOR, first, "m", 0, "point on the first frame")   \
    P(VECTOR, second, "m", 0, "point on the second frame") \
    P(REAL, speed, "rad/s", 0, 0.3, -1.0, 1.0, "of the driven angle")

TN_PARAMETERS(joint, JOINT)

TN_CONSTRAINT(joint)
{
    const tn_vec3 a = tn_add(marker[0].position, tn_rotate(marker[0].rotation, self->first));
    const tn_vec3 b = tn_add(marker[1].position, tn_rotate(marker[1].rotation, self->second));
    const tn_vec3 gap = tn_subtract(b, a), local = tn_rotate_back(marker[0].rotation, gap);
    const tn_vec3 x0 = tn_axis(marker[0].rotation, 0), y0 = tn_axis(marker[0].rotation, 1);
    const tn_vec3 x1 = tn_axis(marker[1].rotation, 0), z1 = tn_axis(marker[1].rotation, 2);
    const tn_real time = tn_time(context);
    for (int i = 0; i < 3; i++)
        row[i] = local.e[i];
    row[3] = tn_dot(x0, z1);
    row[4] = tn_norm(tn_subtract(marker[1].position, marker[0].position)) - 1.0;
    row[5] = tn_atan2(tn_dot(y0, x1), tn_dot(x0, x1) + 3.0) - tn_sin(self->speed * time);
    const tn_vec3 arm = tn_subtract(marker[1].position, marker[0].position);
    const tn_vec3 approach = tn_subtract(tn_subtract(marker[1].velocity, marker[0].velocity),
                                         tn_cross(marker[0].angular_velocity, arm));
    row[6] = tn_exp(0.1 * tn_dot(gap, y0)) * tn_dot(z1, approach);
    return TN_OK;
}

#if TN_VALUES

static tn_status joint_layout(const tn_host *host, const void *instance, tn_layout *layout)
{
    (void)host, (void)instance;
    layout->position_rows = 6;
    layout->velocity_rows = 1;
    return TN_OK;
}

TN_PORTS(joint, {"markers", "two frames", TN_FRAME, 2, 2, 0})
TN_ELEMENT(joint, .summary = "a joint for tests", .formula = "see its source",
           TN_CAPABILITIES(TN_HAS_CONSTRAINT(joint)), .ports = joint_ports, .layout = joint_layout)
TN_LIBRARY("joint", "1.0.0", "Apache-2.0", "a joint for tests", {TN_ELEMENT_KIND, &joint_type})

#endif

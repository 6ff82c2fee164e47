/* rigid_body.h - the instance of a rigid body, and how its state is read.
 *
 * State at the centre of mass: q = (position of the centre of mass in ground; unit quaternion w x y z),
 * v = (velocity of the centre of mass in ground axes; angular velocity in body axes). The mass matrix is
 * constant, the gyroscopic term explicit. */
#ifndef TENON_RIGID_BODY_H
#define TENON_RIGID_BODY_H

#include <tenon/author.h>

#define RIGID_BODY(P)                                                                                 \
    P(REAL, mass, "kg", TN_REQUIRED | TN_ABOVE_LOW, 0.0, 0.0, TN_UNBOUNDED, "mass m")                 \
    P(REALS, inertia, 6, 3, "kg m^2", TN_REQUIRED | TN_SYMMETRIC, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED,   \
      "J about the centre of mass, body axes: principal values, or xx yy zz xy xz yz of the matrix")  \
    P(VECTOR, com, "m", 0, "centre of mass, from the reference point, body axes")                     \
    P(VECTOR, position, "m", TN_MOVES, "position of the reference point at the start, ground axes")   \
    P(ROTATION, rotation, TN_MOVES, "orientation at the start, from body axes to ground axes")        \
    P(VECTOR, velocity, "m/s", TN_TURNS, "velocity of the reference point at the start, ground axes") \
    P(VECTOR, angular_velocity, "rad/s", TN_OPTIONAL, "angular velocity at the start, body axes")     \
    P(VECTOR, angular_velocity_ground, "rad/s", TN_OPTIONAL | TN_TURNS,                               \
      "angular velocity at the start, ground axes; give only one of the two")                         \
    P(REAL, gravity_scale, "", TN_CHANGEABLE, 1.0, -TN_UNBOUNDED, TN_UNBOUNDED,                       \
      "factor on the `gravity` of `[model]`")

TN_PARAMETERS(rigid_body, RIGID_BODY)

#if TN_VALUES

/* Matrix of the six entries xx yy zz xy xz yz. */
static inline tn_mat3 inertia_matrix(const double *e)
{
    tn_mat3 J = {{{{e[0], e[3], e[4]}}, {{e[3], e[1], e[5]}}, {{e[4], e[5], e[2]}}}};
    return J;
}

static inline tn_vec3 read_vector(const double *e) { return tn_vector(e[0], e[1], e[2]); }
static inline void write_vector(double *to, tn_vec3 a) { memcpy(to, a.e, sizeof a); }
static inline tn_quaternion read_quaternion(const double *q)
{
    return (tn_quaternion){q[3], q[4], q[5], q[6]};
}

/* Principal moments of inertia, ascending, must be positive and obey the triangle inequality. */
tn_status rigid_body_check_inertia(const tn_host *host, const double inertia[6]);

/* What solvers do with states in every iteration: steps.c. */
tn_status rigid_body_retract(tn_batch *batch);
tn_status rigid_body_transport(tn_batch *batch);

/* Body operations, attachments.c. */
tn_status rigid_body_bind(const tn_host *host, const void *instance, tn_attachment *attachment);
tn_status rigid_body_pose(tn_attachments *attachments);
tn_status rigid_body_twist(tn_attachments *attachments);
tn_status rigid_body_pull_back(tn_attachments *attachments);
tn_status rigid_body_jacobian(tn_attachments *attachments);
tn_status rigid_body_twist_derivative(tn_attachments *attachments);
tn_status rigid_body_pull_back_derivative(tn_attachments *attachments);
typedef struct rigid_attachment {
    tn_vec3 arm;      /* from the centre of mass, body axes */
    int32_t axis;     /* of a coordinate; else 0 */
    int32_t aligned;  /* marker axes are body axes */
    tn_mat3 rotation; /* takes marker axes into body axes; there only for frames that turn them */
} rigid_attachment;

#endif

#endif

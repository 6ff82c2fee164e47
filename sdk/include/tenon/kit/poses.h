/* tenon/kit/poses.h - positions and quaternions (w, x, y, z), 7 numbers, as recordings have them.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_POSES_H
#define TENON_KIT_POSES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const double tn_no_turn[4] = {1.0, 0.0, 0.0, 0.0};

/* Scales to length 1; where that is impossible, to the identity. */
static inline void tn_turn_normalize(double *q)
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0.0) || !isfinite(length)) {
        memcpy(q, tn_no_turn, sizeof tn_no_turn);
        return;
    }
    for (size_t k = 0; k < 4; k++)
        q[k] /= length;
}

/* The rotation by b, then by a. `product` may be one of them. */
static inline void tn_turns_product(const double *a, const double *b, double *product)
{
    const double c[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                         a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                         a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                         a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(product, c, sizeof c);
}

/* Rotates a vector, from moving axes to those of ground. `turned` may be `vector`. */
static inline void tn_turn_vector(const double *q, const double *vector, double *turned)
{
    const double v[3] = {vector[0], vector[1], vector[2]};
    const double t[3] = {2.0 * (q[2] * v[2] - q[3] * v[1]), 2.0 * (q[3] * v[0] - q[1] * v[2]),
                         2.0 * (q[1] * v[1] - q[2] * v[0])};
    turned[0] = v[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    turned[1] = v[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    turned[2] = v[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

/* The shortest rotation that takes one unit vector to another. */
static inline void tn_turn_between(const double *from, const double *to, double *q)
{
    const double dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
    q[0] = 1.0 + dot;
    q[1] = from[1] * to[2] - from[2] * to[1];
    q[2] = from[2] * to[0] - from[0] * to[2];
    q[3] = from[0] * to[1] - from[1] * to[0];
    if (q[0] < 1e-12) { // half a turn, about any perpendicular axis
        const size_t least = fabs(from[0]) < 0.6 ? 0u : 1u;
        double axis[3] = {0.0, 0.0, 0.0};
        for (size_t k = 0; k < 3; k++)
            axis[k] = (k == least ? 1.0 : 0.0) - from[least] * from[k];
        q[0] = 0.0;
        memcpy(q + 1, axis, sizeof axis);
    }
    tn_turn_normalize(q);
}

/* Interpolates between two poses, `part` 0 to 1: linearly, and by the shortest rotation. */
static inline void tn_pose_between(const double *from, const double *to, double part, double *pose)
{
    double dot = 0.0;
    for (size_t k = 0; k < 3; k++)
        pose[k] = from[k] + part * (to[k] - from[k]);
    for (size_t k = 3; k < 7; k++)
        dot += from[k] * to[k];
    const double sign = dot < 0.0 ? -1.0 : 1.0, angle = acos(fmin(fabs(dot), 1.0)), sine = sin(angle);
    const double a = sine > 1e-6 ? sin((1.0 - part) * angle) / sine : 1.0 - part;
    const double b = sine > 1e-6 ? sin(part * angle) / sine : part;
    for (size_t k = 3; k < 7; k++)
        pose[k] = a * from[k] + sign * b * to[k];
    tn_turn_normalize(pose + 3);
}

/* The pose in ground axes of position and quaternion in the axes of an outer pose. */
static inline void tn_pose_compose(const double *outer, const double *position, const double *quaternion,
                                   double *pose)
{
    double moved[3];
    tn_turn_vector(outer + 3, position, moved);
    for (size_t k = 0; k < 3; k++)
        moved[k] += outer[k];
    tn_turns_product(outer + 3, quaternion, pose + 3);
    memcpy(pose, moved, sizeof moved);
}

#endif

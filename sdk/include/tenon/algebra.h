/* tenon/algebra.h - vectors, rotation matrices and quaternions over the scalar of the pass.
 *
 * A rotation matrix R takes local components into ground: ground = R local; rows are row[0..2].
 * Quaternions are (w, x, y, z), Hamilton product, same meaning as their matrix. */
#ifndef TENON_ALGEBRA_H
#define TENON_ALGEBRA_H

#include "tenon/scalar.h"

typedef struct tn_vec3 {
    tn_real e[3];
} tn_vec3;

typedef struct tn_mat3 {
    tn_vec3 row[3];
} tn_mat3;

typedef struct tn_quaternion {
    tn_real w, x, y, z;
} tn_quaternion;

static inline tn_vec3 tn_vector(tn_real x, tn_real y, tn_real z)
{
    tn_vec3 r;
    r.e[0] = x;
    r.e[1] = y;
    r.e[2] = z;
    return r;
}
static inline tn_vec3 tn_zero(void) { return tn_vector(0.0, 0.0, 0.0); }
static inline tn_vec3 tn_add(tn_vec3 a, tn_vec3 b)
{
    return tn_vector(a.e[0] + b.e[0], a.e[1] + b.e[1], a.e[2] + b.e[2]);
}
static inline tn_vec3 tn_subtract(tn_vec3 a, tn_vec3 b)
{
    return tn_vector(a.e[0] - b.e[0], a.e[1] - b.e[1], a.e[2] - b.e[2]);
}
static inline tn_vec3 tn_negate(tn_vec3 a) { return tn_vector(-a.e[0], -a.e[1], -a.e[2]); }
static inline tn_vec3 tn_scale(tn_real s, tn_vec3 a) { return tn_vector(s * a.e[0], s * a.e[1], s * a.e[2]); }
static inline tn_real tn_dot(tn_vec3 a, tn_vec3 b)
{
    return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2];
}
static inline tn_vec3 tn_cross(tn_vec3 a, tn_vec3 b)
{
    return tn_vector(a.e[1] * b.e[2] - a.e[2] * b.e[1], a.e[2] * b.e[0] - a.e[0] * b.e[2],
                     a.e[0] * b.e[1] - a.e[1] * b.e[0]);
}
/* Length; its derivative does not exist at zero. */
static inline tn_real tn_norm(tn_vec3 a) { return tn_sqrt(tn_dot(a, a)); }

static inline tn_mat3 tn_identity(void)
{
    tn_mat3 r;
    r.row[0] = tn_vector(1.0, 0.0, 0.0);
    r.row[1] = tn_vector(0.0, 1.0, 0.0);
    r.row[2] = tn_vector(0.0, 0.0, 1.0);
    return r;
}
/* R a: local components into ground. */
static inline tn_vec3 tn_rotate(tn_mat3 R, tn_vec3 a)
{
    return tn_vector(tn_dot(R.row[0], a), tn_dot(R.row[1], a), tn_dot(R.row[2], a));
}
/* R^T a: ground components into local. */
static inline tn_vec3 tn_rotate_back(tn_mat3 R, tn_vec3 a)
{
    return tn_add(tn_scale(a.e[0], R.row[0]), tn_add(tn_scale(a.e[1], R.row[1]), tn_scale(a.e[2], R.row[2])));
}
/* Axis j of the rotated frame in ground axes: column j. */
static inline tn_vec3 tn_axis(tn_mat3 R, int j)
{
    return tn_vector(R.row[0].e[j], R.row[1].e[j], R.row[2].e[j]);
}
static inline tn_mat3 tn_transpose(tn_mat3 R)
{
    tn_mat3 r;
    for (int i = 0; i < 3; i++)
        r.row[i] = tn_axis(R, i);
    return r;
}
static inline tn_mat3 tn_multiply(tn_mat3 A, tn_mat3 B)
{
    tn_mat3 r;
    for (int i = 0; i < 3; i++)
        r.row[i] = tn_rotate_back(B, A.row[i]);
    return r;
}

/* Rotation matrix of a quaternion of any length but zero. */
static inline tn_mat3 tn_rotation_of(tn_quaternion p)
{
    tn_real s = 2.0 / (p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
    tn_mat3 r;
    r.row[0] = tn_vector(1.0 - s * (p.y * p.y + p.z * p.z), s * (p.x * p.y - p.w * p.z),
                         s * (p.x * p.z + p.w * p.y));
    r.row[1] = tn_vector(s * (p.x * p.y + p.w * p.z), 1.0 - s * (p.x * p.x + p.z * p.z),
                         s * (p.y * p.z - p.w * p.x));
    r.row[2] = tn_vector(s * (p.x * p.z - p.w * p.y), s * (p.y * p.z + p.w * p.x),
                         1.0 - s * (p.x * p.x + p.y * p.y));
    return r;
}

static inline tn_quaternion tn_quaternion_multiply(tn_quaternion a, tn_quaternion b)
{
    tn_quaternion r;
    r.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    r.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    r.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    r.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    return r;
}

#if TN_VALUES

/* Unit quaternion of the rotation vector a: exp of a / 2. */
static inline tn_quaternion tn_exponential(tn_vec3 a)
{
    double angle = tn_norm(a), half = 0.5 * angle;
    double s = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : sin(half) / angle;
    tn_quaternion r = {cos(half), s * a.e[0], s * a.e[1], s * a.e[2]};
    return r;
}

static inline tn_quaternion tn_quaternion_normalise(tn_quaternion p)
{
    double s = 1.0 / sqrt(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
    tn_quaternion r = {s * p.w, s * p.x, s * p.y, s * p.z};
    return r;
}

/* Unit quaternion of a rotation matrix by rows, w >= 0, from the largest component (Shepperd 1978). */
static inline tn_quaternion tn_quaternion_of(const double R[9])
{
    double trace = R[0] + R[4] + R[8];
    double square[4] = {1.0 + trace, 1.0 + 2.0 * R[0] - trace, 1.0 + 2.0 * R[4] - trace,
                        1.0 + 2.0 * R[8] - trace};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[k]) k = i;
    double x = R[7] - R[5], y = R[2] - R[6], z = R[3] - R[1];
    double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
    tn_quaternion r = k == 0   ? (tn_quaternion){square[0], x, y, z}
                      : k == 1 ? (tn_quaternion){x, square[1], xy, xz}
                      : k == 2 ? (tn_quaternion){y, xy, square[2], yz}
                               : (tn_quaternion){z, xz, yz, square[3]};
    if (r.w < 0.0) r = (tn_quaternion){-r.w, -r.x, -r.y, -r.z};
    return tn_quaternion_normalise(r);
}

#endif

#endif

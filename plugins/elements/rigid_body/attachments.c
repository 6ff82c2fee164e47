/* attachments.c - markers on a rigid body: pose, twist, pull-back and their derivatives.
 *
 * With arm r in body axes and rotation R: p = x + R r, v = x' + R (w x r), angular velocity R w (w in body
 * axes); a wrench (f, t) pulls back to (f, r x R^T f + R^T t). An increment phi of the rotation acts on the
 * right, R exp[phi], so dR = R [phi]. A coordinate is one component of p and of v. */
#include <tenon/kit/body_axis.h>
#include "lanes.h"

#if TN_VALUES

tn_status rigid_body_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    const rigid_body *self = instance;
    rigid_attachment *data = attachment->data;
    const bool coordinate = attachment->kind == TN_COORDINATE;
    if (coordinate && tn_body_axis(host, attachment, &data->axis) != TN_OK) return TN_INVALID;
    data->arm = tn_subtract(read_vector(attachment->position), self->com);
    memcpy(&data->rotation, attachment->rotation, sizeof data->rotation);
    const tn_mat3 none = tn_identity();
    data->aligned = memcmp(&data->rotation, &none, sizeof none) == 0;
    /* a point at the centre of mass stands in the state as it is */
    if (attachment->kind != TN_FRAME && tn_dot(data->arm, data->arm) == 0.0)
        attachment->alias_pose = attachment->alias_twist = data->axis;
    return TN_OK;
}

/* What all operations start from. */
typedef struct view {
    const rigid_attachment *data;
    const double *q, *v;
    tn_mat3 R;
    tn_vec3 w;   /* angular velocity, body axes */
    size_t size; /* doubles of a twist */
} view;

static inline view look(const tn_attachments *attachments, size_t i)
{
    const size_t body = attachments->body[i];
    view s = {.data = (const rigid_attachment *)attachments->data + i,
              .q = attachments->q + 7 * body,
              .v = attachments->v + 6 * body,
              .size = tn_twist_size(attachments->kind)};
    s.R = tn_rotation_of(read_quaternion(s.q));
    s.w = read_vector(s.v + 3);
    return s;
}

/* Writes a position or velocity; of a coordinate, its one component. */
static inline void write_linear(const view *s, double *to, tn_vec3 a)
{
    if (s->size == 1)
        *to = a.e[s->data->axis];
    else
        write_vector(to, a);
}

/* What four markers start from. */
typedef struct lanes_view {
    size_t marker[LANES];
    lanes_place q, v, data;
    lanes_matrix R;
    lanes_vector arm;
} lanes_view;

enum { ROTATION_IN_DATA = offsetof(rigid_attachment, rotation) / sizeof(double) };

static inline lanes_view look_at_four(const tn_attachments *attachments, size_t first)
{
    lanes_view s;
    for (size_t lane = 0; lane < LANES; lane++) {
        const size_t i = first + lane < attachments->count ? first + lane : attachments->count - 1;
        const size_t body = attachments->body[i];
        s.marker[lane] = i;
        s.q.from[lane] = attachments->q + 7 * body;
        s.v.from[lane] = attachments->v + 6 * body;
        s.data.from[lane] = ((const rigid_attachment *)attachments->data + i)->arm.e;
    }
    s.R = lanes_rotation(&s.q);
    s.arm = lanes_read_vector(&s.data, 0);
    return s;
}

/* Rotations of frames: those of their bodies, if all four have the axes of these. */
static inline void write_rotations(const tn_attachments *attachments, const lanes_view *s,
                                   double *const pose[LANES])
{
    const rigid_attachment *data = attachments->data;
    bool aligned = true;
    lanes_matrix own;
    for (size_t lane = 0; lane < LANES; lane++)
        aligned = aligned && data[s->marker[lane]].aligned;
    for (size_t k = 0; k < 3 && aligned; k++)
        lanes_write(pose, 3 + 3 * k, &s->R.row[k]);
    if (aligned) return;
    for (size_t k = 0; k < 3; k++)
        own.row[k] = lanes_read_vector(&s->data, ROTATION_IN_DATA + 3 * k);
    for (size_t k = 0; k < 3; k++) {
        const lanes_vector row = lanes_rotate_back(&own, &s->R.row[k]);
        lanes_write(pose, 3 + 3 * k, &row);
    }
}

static inline __attribute__((always_inline)) void find_poses(tn_attachments *attachments, bool is_frame)
{
    const size_t size = is_frame ? 12 : 3;
    for (size_t i = 0; i < attachments->count; i += LANES) {
        const lanes_view s = look_at_four(attachments, i);
        const lanes_vector x = lanes_read_vector(&s.q, 0), arm = lanes_rotate(&s.R, &s.arm);
        const lanes_vector position = lanes_add(&x, &arm);
        double *pose[LANES];
        for (size_t lane = 0; lane < LANES; lane++)
            pose[lane] = attachments->pose + s.marker[lane] * size;
        lanes_write(pose, 0, &position);
        if (is_frame) write_rotations(attachments, &s, pose);
    }
}

tn_status rigid_body_pose(tn_attachments *attachments)
{
    if (attachments->kind != TN_COORDINATE) {
        find_poses(attachments, attachments->kind == TN_FRAME);
        return TN_OK;
    }
    for (size_t i = 0; i < attachments->count; i++) {
        const view s = look(attachments, i);
        write_linear(&s, attachments->pose + i, tn_add(read_vector(s.q), tn_rotate(s.R, s.data->arm)));
    }
    return TN_OK;
}

static inline __attribute__((always_inline)) void find_twists(tn_attachments *attachments, bool is_frame)
{
    const size_t size = is_frame ? 6 : 3;
    for (size_t i = 0; i < attachments->count; i += LANES) {
        const lanes_view s = look_at_four(attachments, i);
        const lanes_vector v = lanes_read_vector(&s.v, 0), w = lanes_read_vector(&s.v, 3);
        const lanes_vector sweep = lanes_cross(&w, &s.arm), turned = lanes_rotate(&s.R, &sweep);
        const lanes_vector velocity = lanes_add(&v, &turned), spin = lanes_rotate(&s.R, &w);
        double *twist[LANES];
        for (size_t lane = 0; lane < LANES; lane++)
            twist[lane] = attachments->twist + s.marker[lane] * size;
        lanes_write(twist, 0, &velocity);
        if (is_frame) lanes_write(twist, 3, &spin);
    }
}

tn_status rigid_body_twist(tn_attachments *attachments)
{
    if (attachments->kind != TN_COORDINATE) {
        find_twists(attachments, attachments->kind == TN_FRAME);
        return TN_OK;
    }
    for (size_t i = 0; i < attachments->count; i++) {
        const view s = look(attachments, i);
        write_linear(&s, attachments->twist + i,
                     tn_add(read_vector(s.v), tn_rotate(s.R, tn_cross(s.w, s.data->arm))));
    }
    return TN_OK;
}

/* The force of a wrench at the marker, ground axes. */
static inline tn_vec3 force_of(const view *s, const double *wrench)
{
    if (s->size != 1) return read_vector(wrench);
    tn_vec3 force = tn_zero();
    force.e[s->data->axis] = *wrench;
    return force;
}

/* Markers on one body add to it one after the other. */
static inline __attribute__((always_inline)) void pull_back_wrenches(tn_attachments *attachments,
                                                                     bool is_frame)
{
    const size_t size = is_frame ? 6 : 3;
    for (size_t i = 0; i < attachments->count; i += LANES) {
        const lanes_view s = look_at_four(attachments, i);
        lanes_place wrench;
        for (size_t lane = 0; lane < LANES; lane++)
            wrench.from[lane] = attachments->wrench + s.marker[lane] * size;
        const lanes_vector applied = lanes_read_vector(&wrench, 0),
                           turned = lanes_rotate_back(&s.R, &applied);
        lanes_vector moment = lanes_cross(&s.arm, &turned);
        if (is_frame) {
            const lanes_vector torque = lanes_read_vector(&wrench, 3), own = lanes_rotate_back(&s.R, &torque);
            moment = lanes_add(&moment, &own);
        }
        for (size_t lane = 0; lane < LANES && i + lane < attachments->count; lane++) {
            double *force = attachments->force + 6 * (size_t)attachments->body[i + lane];
            for (size_t k = 0; k < 3; k++) {
                force[k] += applied.e[k][lane];
                force[3 + k] += moment.e[k][lane];
            }
        }
    }
}

tn_status rigid_body_pull_back(tn_attachments *attachments)
{
    if (attachments->kind != TN_COORDINATE) {
        pull_back_wrenches(attachments, attachments->kind == TN_FRAME);
        return TN_OK;
    }
    for (size_t i = 0; i < attachments->count; i++) {
        const view s = look(attachments, i);
        double *force = attachments->force + 6 * (size_t)attachments->body[i];
        const tn_vec3 applied = force_of(&s, attachments->wrench + i);
        const tn_vec3 moment = tn_cross(s.data->arm, tn_rotate_back(s.R, applied));
        for (int k = 0; k < 3; k++) {
            force[k] += applied.e[k];
            force[3 + k] += moment.e[k];
        }
    }
    return TN_OK;
}

/* R [e_j x a] in column j. */
static inline tn_mat3 turning(const tn_mat3 *R, tn_vec3 a)
{
    tn_mat3 turned;
    for (int k = 0; k < 3; k++) {
        const double *r = R->row[k].e;
        turned.row[k] = tn_vector(r[2] * a.e[1] - r[1] * a.e[2], r[0] * a.e[2] - r[2] * a.e[0],
                                  r[1] * a.e[0] - r[0] * a.e[1]);
    }
    return turned;
}

/* Writes a row of a matrix against v and w. */
static inline void write_row(double *row, tn_vec3 against_v, tn_vec3 against_w)
{
    write_vector(row, against_v);
    write_vector(row + 3, against_w);
}

/* Rows of six: the linear ones (one of them for a coordinate), and the angular ones of a frame. */
static inline void write_matrix(double *matrix, const view *s, const tn_mat3 *linear_v,
                                const tn_mat3 *linear_w, const tn_mat3 *angular_w)
{
    const int first = s->size == 1 ? s->data->axis : 0, count = s->size == 1 ? 1 : 3;
    for (int k = first; k < first + count; k++, matrix += 6)
        write_row(matrix, linear_v->row[k], linear_w->row[k]);
    for (int k = 0; s->size == 6 && k < 3; k++, matrix += 6)
        write_row(matrix, tn_zero(), angular_w->row[k]);
}

tn_status rigid_body_jacobian(tn_attachments *attachments)
{
    const tn_mat3 identity = tn_identity();
    for (size_t i = 0; i < attachments->count; i++) {
        const view s = look(attachments, i);
        const tn_mat3 linear = turning(&s.R, s.data->arm);
        write_matrix(attachments->matrix + 6 * s.size * i, &s, &identity, &linear, &s.R);
    }
    return TN_OK;
}

tn_status rigid_body_twist_derivative(tn_attachments *attachments)
{
    const tn_mat3 none = {0};
    for (size_t i = 0; i < attachments->count; i++) {
        const view s = look(attachments, i);
        const tn_mat3 linear = turning(&s.R, tn_cross(s.w, s.data->arm)), angular = turning(&s.R, s.w);
        write_matrix(attachments->matrix + 6 * s.size * i, &s, &none, &linear, &angular);
    }
    return TN_OK;
}

static inline tn_vec3 unit(int j) { return tn_vector(j == 0, j == 1, j == 2); }

tn_status rigid_body_pull_back_derivative(tn_attachments *attachments)
{
    memset(attachments->matrix, 0, sizeof(double) * 36 * attachments->count);
    for (size_t i = 0; i < attachments->count; i++) {
        const view s = look(attachments, i);
        const double *wrench = attachments->wrench + i * s.size;
        const tn_vec3 force = tn_rotate_back(s.R, force_of(&s, wrench));
        const tn_vec3 torque =
            attachments->kind == TN_FRAME ? tn_rotate_back(s.R, read_vector(wrench + 3)) : tn_zero();
        for (int j = 0; j < 3; j++) {
            const tn_vec3 column =
                tn_add(tn_cross(s.data->arm, tn_cross(force, unit(j))), tn_cross(torque, unit(j)));
            for (size_t k = 0; k < 3; k++)
                attachments->matrix[36 * i + 6 * (3 + k) + 3 + (size_t)j] = column.e[k];
        }
    }
    return TN_OK;
}

#endif

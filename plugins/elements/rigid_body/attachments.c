/* attachments.c - markers on a rigid body: pose, twist, pull-back and their derivatives.
 *
 * With arm r in body axes and rotation R: p = x + R r, v = x' + R (w x r), angular velocity R w (w in body
 * axes); a wrench (f, t) pulls back to (f, r x R^T f + R^T t). An increment phi of the rotation acts on the
 * right, R exp[phi], so dR = R [phi]. A coordinate is one component of p and of v. */
#include <tenon/kit/body_axis.h>
#include "rigid_body.h"

#if TN_VALUES

tn_status rigid_body_bind(const tn_host *host, const void *instance, tn_attachment *attachment)
{
    const rigid_body *self = instance;
    rigid_attachment *data = attachment->data;
    const bool coordinate = attachment->kind == TN_COORDINATE;
    if (coordinate && tn_body_axis(host, attachment, &data->axis) != TN_OK) return TN_INVALID;
    data->arm = tn_subtract(read_vector(attachment->position), self->com);
    memcpy(&data->rotation, attachment->rotation, sizeof data->rotation);
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

tn_status rigid_body_pose(tn_attachments *attachments)
{
    const size_t size = tn_pose_size(attachments->kind);
    for (size_t i = 0; i < attachments->count; i++) {
        const view s = look(attachments, i);
        double *pose = attachments->pose + i * size;
        write_linear(&s, pose, tn_add(read_vector(s.q), tn_rotate(s.R, s.data->arm)));
        if (attachments->kind != TN_FRAME) continue;
        const tn_mat3 rotation = tn_multiply(s.R, s.data->rotation);
        memcpy(pose + 3, &rotation, sizeof rotation);
    }
    return TN_OK;
}

tn_status rigid_body_twist(tn_attachments *attachments)
{
    for (size_t i = 0; i < attachments->count; i++) {
        const view s = look(attachments, i);
        double *twist = attachments->twist + i * s.size;
        write_linear(&s, twist, tn_add(read_vector(s.v), tn_rotate(s.R, tn_cross(s.w, s.data->arm))));
        if (attachments->kind == TN_FRAME) write_vector(twist + 3, tn_rotate(s.R, s.w));
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

tn_status rigid_body_pull_back(tn_attachments *attachments)
{
    for (size_t i = 0; i < attachments->count; i++) {
        const view s = look(attachments, i);
        const double *wrench = attachments->wrench + i * s.size;
        double *force = attachments->force + 6 * (size_t)attachments->body[i];
        const tn_vec3 applied = force_of(&s, wrench);
        tn_vec3 moment = tn_cross(s.data->arm, tn_rotate_back(s.R, applied));
        if (attachments->kind == TN_FRAME)
            moment = tn_add(moment, tn_rotate_back(s.R, read_vector(wrench + 3)));
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

/* attachments.c - markers on a rigid body: pose, twist, pull-back and their derivatives.
 *
 * With arm r in body axes and rotation R: p = x + R r, v = x' + R (w x r), angular velocity R w (w in body
 * axes); a wrench (f, t) pulls back to (f, r x R^T f + R^T t). An increment phi of the rotation acts on the
 * right, R exp[phi], so dR = R [phi]. A coordinate is one component of p and of v. */
#include <tenon/kit/body_axis.h>
#include "fours.h"

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
    if (attachment->kind != TN_FRAME || data->aligned)
        attachment->data_used = offsetof(rigid_attachment, rotation);
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

static inline const rigid_attachment *data_of(const tn_attachments *attachments, size_t i)
{
    const char *first = attachments->data;
    return (const rigid_attachment *)(const void *)(first + i * attachments->data_size);
}

static inline view look(const tn_attachments *attachments, size_t i)
{
    const size_t body = attachments->body[i];
    view s = {.data = data_of(attachments, i),
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
typedef struct four_view {
    size_t marker[TN_LANES];
    tn_four_places q, v, data;
    tn_four_matrix R;
    tn_four_vector arm;
} four_view;

enum { ROTATION_IN_DATA = offsetof(rigid_attachment, rotation) / sizeof(double) };

static inline four_view look_at_four(const tn_attachments *attachments, size_t first)
{
    four_view s;
    for (size_t lane = 0; lane < TN_LANES; lane++) {
        const size_t i = first + lane < attachments->count ? first + lane : attachments->count - 1;
        const size_t body = attachments->body[i];
        s.marker[lane] = i;
        s.q.from[lane] = attachments->q + 7 * body;
        s.v.from[lane] = attachments->v + 6 * body;
        s.data.from[lane] = data_of(attachments, i)->arm.e;
    }
    s.R = four_rotations(&s.q);
    tn_four data[TN_LANES]; /* the number behind the arm is not used */
    tn_four_read_block(&s.data, 0, data);
    s.arm = (tn_four_vector){{data[0], data[1], data[2]}};
    return s;
}

/* Rotations of frames: those of their bodies, if all four have the axes of these. */
static inline void turn_markers(const tn_attachments *attachments, const four_view *s,
                                tn_four_matrix *rotation)
{
    bool aligned = true;
    tn_four_matrix own;
    for (size_t lane = 0; lane < TN_LANES; lane++)
        aligned = aligned && data_of(attachments, s->marker[lane])->aligned;
    *rotation = s->R;
    if (aligned) return;
    for (size_t k = 0; k < 3; k++)
        own.row[k] = tn_four_read_vector(&s->data, ROTATION_IN_DATA + 3 * k);
    for (size_t k = 0; k < 3; k++)
        rotation->row[k] = tn_four_rotate_back(&own, &s->R.row[k]);
}

typedef struct four_poses {
    tn_four_vector position;
    tn_four_matrix rotation;
} four_poses;

static inline __attribute__((always_inline)) void find_poses(tn_attachments *attachments, bool is_frame)
{
    const size_t size = is_frame ? 12 : 3;
    TN_STATIC_ASSERT(sizeof(four_poses) == 12 * sizeof(tn_four), "poses are rows of numbers");
    for (size_t i = 0; i < attachments->count; i += TN_LANES) {
        const four_view s = look_at_four(attachments, i);
        tn_four x[TN_LANES]; /* and the first number of the quaternion */
        tn_four_read_block(&s.q, 0, x);
        const tn_four_vector arm = tn_four_rotate(&s.R, &s.arm);
        four_poses found = {.position = {{x[0] + arm.e[0], x[1] + arm.e[1], x[2] + arm.e[2]}}};
        double *pose[TN_LANES];
        for (size_t lane = 0; lane < TN_LANES; lane++)
            pose[lane] = attachments->pose + s.marker[lane] * size;
        if (is_frame) {
            turn_markers(attachments, &s, &found.rotation);
            tn_four_write_all(pose, 0, 12, (const tn_four *)(const void *)&found);
        } else {
            tn_four_write_vector(pose, 0, &found.position);
        }
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
    for (size_t i = 0; i < attachments->count; i += TN_LANES) {
        const four_view s = look_at_four(attachments, i);
        tn_four numbers[6];
        tn_four_read_all(&s.v, 6, numbers);
        const tn_four_vector v = {{numbers[0], numbers[1], numbers[2]}},
                             w = {{numbers[3], numbers[4], numbers[5]}};
        const tn_four_vector sweep = tn_four_cross(&w, &s.arm), turned = tn_four_rotate(&s.R, &sweep);
        const tn_four_vector velocity = tn_four_add(&v, &turned), spin = tn_four_rotate(&s.R, &w);
        double *twist[TN_LANES];
        for (size_t lane = 0; lane < TN_LANES; lane++)
            twist[lane] = attachments->twist + s.marker[lane] * size;
        if (is_frame)
            tn_four_write_all(twist, 0, 6,
                              (const tn_four[6]){velocity.e[0], velocity.e[1], velocity.e[2], spin.e[0],
                                                 spin.e[1], spin.e[2]});
        else
            tn_four_write_vector(twist, 0, &velocity);
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
static inline void add_loads(tn_attachments *attachments, size_t first, const tn_four_vector *force,
                             const tn_four_vector *moment)
{
    const tn_four in[TN_LANES] = {force->e[0], force->e[1], force->e[2], moment->e[0]};
    tn_four load[TN_LANES];
    tn_four_transpose(in, load);
    for (size_t lane = 0; lane < TN_LANES && first + lane < attachments->count; lane++) {
        double *to = attachments->force + 6 * (size_t)attachments->body[first + lane];
        *(tn_four_loose *)(void *)to += load[lane];
        to[4] += moment->e[1][lane];
        to[5] += moment->e[2][lane];
    }
}

static inline __attribute__((always_inline)) void pull_back_wrenches(tn_attachments *attachments,
                                                                     bool is_frame)
{
    const size_t size = is_frame ? 6 : 3;
    for (size_t i = 0; i < attachments->count; i += TN_LANES) {
        const four_view s = look_at_four(attachments, i);
        tn_four_places places;
        tn_four wrench[6];
        for (size_t lane = 0; lane < TN_LANES; lane++)
            places.from[lane] = attachments->wrench + s.marker[lane] * size;
        if (is_frame) tn_four_read_all(&places, 6, wrench);
        const tn_four_vector applied = is_frame ? (tn_four_vector){{wrench[0], wrench[1], wrench[2]}}
                                                : tn_four_read_vector(&places, 0),
                             turned = tn_four_rotate_back(&s.R, &applied);
        tn_four_vector moment = tn_four_cross(&s.arm, &turned);
        if (is_frame) {
            const tn_four_vector torque = {{wrench[3], wrench[4], wrench[5]}},
                                 own = tn_four_rotate_back(&s.R, &torque);
            moment = tn_four_add(&moment, &own);
        }
        add_loads(attachments, i, &applied, &moment);
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

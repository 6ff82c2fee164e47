/* four_slopes.h - the tangent of four bushings at a time (see fours.h).
 *
 * With H the matrix that takes the angular velocity w to the rates of the angles, the angles change with a small turn of M by H, too, and
 * the torque of moments m is H^T m. Turns and places of F and M count by their differences in the axes of F; what turns with these axes,
 * forces and differences alike, adds a vector product. */
#ifndef TENON_LINEAR_BUSHING_FOUR_SLOPES_H
#define TENON_LINEAR_BUSHING_FOUR_SLOPES_H

#include "fours.h"

/* Derivatives of the wrench on M by increments of the frames, ground axes. Those by the places of M are the negative of those by the
 * places of F: a bushing sees differences only. Likewise with velocities and angular velocities. */
typedef struct four_slopes {
    tn_four_matrix force_by_place, force_by_turn;    /* of M; of F: that of M has none */
    tn_four_matrix force_by_velocity, force_by_spin; /* of M; of F, likewise */
    tn_four_matrix torque_by_turn[2];                /* of F, of M */
    tn_four_matrix torque_by_spin;                   /* of M */
} four_slopes;

static inline tn_four_matrix multiply(const tn_four_matrix *A, const tn_four_matrix *B)
{
    tn_four_matrix product;
    for (int i = 0; i < 3; i++)
        product.row[i] = tn_four_rotate_back(B, &A->row[i]);
    return product;
}

static inline tn_four_matrix transpose(const tn_four_matrix *A)
{
    return (tn_four_matrix){{tn_four_axis(A, 0), tn_four_axis(A, 1), tn_four_axis(A, 2)}};
}

/* R A R^T. */
static inline tn_four_matrix into_ground(const tn_four_matrix *R, const tn_four_matrix *A)
{
    const tn_four_matrix turned = multiply(R, A), back = transpose(R);
    return multiply(&turned, &back);
}

/* R diag(d) R^T. */
static inline tn_four_matrix diagonal_into_ground(const tn_four_matrix *R, const tn_four *d)
{
    tn_four_matrix result;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result.row[i].e[j] = R->row[i].e[0] * d[0] * R->row[j].e[0] +
                                 R->row[i].e[1] * d[1] * R->row[j].e[1] +
                                 R->row[i].e[2] * d[2] * R->row[j].e[2];
    return result;
}

/* [a x]. */
static inline tn_four_matrix skew(const tn_four_vector *a)
{
    const tn_four none = {0.0};
    return (tn_four_matrix){
        {{{none, -a->e[2], a->e[1]}}, {{a->e[2], none, -a->e[0]}}, {{-a->e[1], a->e[0], none}}}};
}

/* sum += factor A. */
static inline void add_scaled(tn_four_matrix *sum, double factor, const tn_four_matrix *A)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum->row[i].e[j] += factor * A->row[i].e[j];
}

/* sum += A [a x]. */
static inline void add_crossed(tn_four_matrix *sum, const tn_four_matrix *A, const tn_four_vector *a)
{
    for (int i = 0; i < 3; i++) {
        const tn_four_vector row = tn_four_cross(&A->row[i], a);
        sum->row[i] = tn_four_add(&sum->row[i], &row);
    }
}

/* sum -= [a x] A. */
static inline void subtract_moments(tn_four_matrix *sum, const tn_four_vector *a, const tn_four_matrix *A)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int c = 0; c < 3; c++)
            sum->row[i].e[c] -= a->e[j] * A->row[k].e[c] - a->e[k] * A->row[j].e[c];
    }
}

/* H: rates of the angles by the angular velocity in the axes of F. Angles change with small turns by the same matrix. */
static inline tn_four_matrix rates_by_spin(const four_bushings *b)
{
    const tn_four none = {0.0}, one = none + 1.0, last_y = -b->sin_x / b->cos_y, last_z = b->cos_x / b->cos_y;
    return (tn_four_matrix){{{{one, -b->sin_y * last_y, -b->sin_y * last_z}},
                             {{none, b->cos_x, b->sin_x}},
                             {{none, last_y, last_z}}}};
}

/* Of H w by qx and qy, the angular velocity w being held. */
static inline tn_four_matrix rates_by_angles(const four_bushings *b)
{
    const tn_four none = {0.0}, last = b->rate.e[2], last_x = -b->rate.e[1] / b->cos_y,
                  last_y = last * b->sin_y / b->cos_y;
    return (tn_four_matrix){{{{-b->sin_y * last_x, -b->cos_y * last - b->sin_y * last_y, none}},
                             {{b->cos_y * last, none, none}},
                             {{last_x, last_y, none}}}};
}

/* Of the torque H^T m by qx and qy, the moments m being held. */
static inline tn_four_matrix torque_by_angles(const four_bushings *b)
{
    const tn_four none = {0.0}, across_y = b->across * b->sin_y / b->cos_y - b->moments.e[0];
    return (tn_four_matrix){{{{none, none, none}},
                             {{-b->torque.e[2], -b->sin_x * across_y, none}},
                             {{b->torque.e[1], b->cos_x * across_y, none}}}};
}

static inline void find_torque_slopes(const four_bushings *b, four_slopes *s)
{
    const tn_four_matrix H = rates_by_spin(b), back = transpose(&H), by_angles = rates_by_angles(b),
                         direct = torque_by_angles(b);
    tn_four_matrix moments, damped;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            moments.row[i].e[j] = b->coefficient[6 + i] * by_angles.row[i].e[j];
            if (i == j) moments.row[i].e[j] += b->coefficient[i];
            damped.row[i].e[j] = -b->coefficient[6 + i] * H.row[i].e[j];
        }
    const tn_four_matrix lost = multiply(&back, &moments);
    tn_four_matrix of_angles;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            of_angles.row[i].e[j] = direct.row[i].e[j] - lost.row[i].e[j];
    const tn_four_matrix by_turn = multiply(&of_angles, &H), by_spin = multiply(&back, &damped);
    s->torque_by_turn[1] = into_ground(&b->F.rotation, &by_turn);
    s->torque_by_spin = into_ground(&b->F.rotation, &by_spin);
    const tn_four_matrix turned_torque = skew(&b->ground_torque);
    s->torque_by_turn[0] = (tn_four_matrix){0};
    add_scaled(&s->torque_by_turn[0], -1.0, &s->torque_by_turn[1]);
    add_scaled(&s->torque_by_turn[0], -1.0, &turned_torque);
    add_crossed(&s->torque_by_turn[0], &s->torque_by_spin, &b->ground_spin);
}

static inline void find_force_slopes(const four_bushings *b, four_slopes *s)
{
    const tn_four minus_k[3] = {-b->coefficient[3], -b->coefficient[4], -b->coefficient[5]},
                  minus_c[3] = {-b->coefficient[9], -b->coefficient[10], -b->coefficient[11]};
    const tn_four_vector back = {{-b->F.spin.e[0], -b->F.spin.e[1], -b->F.spin.e[2]}};
    const tn_four_matrix spring = diagonal_into_ground(&b->F.rotation, minus_k),
                         turned_force = skew(&b->ground_force);
    s->force_by_velocity = diagonal_into_ground(&b->F.rotation, minus_c);
    s->force_by_place = spring;
    add_crossed(&s->force_by_place, &s->force_by_velocity, &back);
    s->force_by_turn = s->force_by_spin = (tn_four_matrix){0};
    add_crossed(&s->force_by_turn, &spring, &b->arm);
    add_crossed(&s->force_by_turn, &s->force_by_velocity, &b->ground_velocity);
    add_scaled(&s->force_by_turn, -1.0, &turned_force);
    add_crossed(&s->force_by_spin, &s->force_by_velocity, &b->arm);
}

/* ---- rows and columns ---------------------------------------------------------------------------------------------- */

/* Rows: force and torque on F, then on M. Columns: places of F, turns of F, then those of M; or velocities and angular velocities. */
enum { FORCE_ON_F, TORQUE_ON_F, FORCE_ON_M, TORQUE_ON_M, BLOCKS };
enum { PLACE_OF_F, TURN_OF_F, PLACE_OF_M, TURN_OF_M };

/* The rows of F from those of M: the force is its negative; the torque too, with the moment of the force at M. */
static inline void complete(const four_bushings *b, tn_four_matrix block[BLOCKS][BLOCKS])
{
    for (int j = 0; j < BLOCKS; j++) {
        block[FORCE_ON_F][j] = block[TORQUE_ON_F][j] = (tn_four_matrix){0};
        add_scaled(&block[FORCE_ON_F][j], -1.0, &block[FORCE_ON_M][j]);
        add_scaled(&block[TORQUE_ON_F][j], -1.0, &block[TORQUE_ON_M][j]);
        subtract_moments(&block[TORQUE_ON_F][j], &b->arm, &block[FORCE_ON_M][j]);
    }
}

static inline void by_poses(const four_bushings *b, const four_slopes *s,
                            tn_four_matrix block[BLOCKS][BLOCKS])
{
    const tn_four_matrix none = {0}, turned_force = skew(&b->ground_force);
    tn_four_matrix *force = block[FORCE_ON_M], *torque = block[TORQUE_ON_M];
    force[PLACE_OF_F] = force[TURN_OF_M] = torque[PLACE_OF_F] = torque[PLACE_OF_M] = none;
    add_scaled(&force[PLACE_OF_F], -1.0, &s->force_by_place);
    force[TURN_OF_F] = s->force_by_turn;
    force[PLACE_OF_M] = s->force_by_place;
    torque[TURN_OF_F] = s->torque_by_turn[0];
    torque[TURN_OF_M] = s->torque_by_turn[1];
    complete(b, block);
    // the arm changes as well
    add_scaled(&block[TORQUE_ON_F][PLACE_OF_M], 1.0, &turned_force);
    add_scaled(&block[TORQUE_ON_F][PLACE_OF_F], -1.0, &turned_force);
}

static inline void by_twists(const four_bushings *b, const four_slopes *s,
                             tn_four_matrix block[BLOCKS][BLOCKS])
{
    const tn_four_matrix none = {0};
    tn_four_matrix *force = block[FORCE_ON_M], *torque = block[TORQUE_ON_M];
    force[PLACE_OF_F] = force[TURN_OF_M] = none;
    torque[PLACE_OF_F] = torque[PLACE_OF_M] = torque[TURN_OF_F] = none;
    add_scaled(&force[PLACE_OF_F], -1.0, &s->force_by_velocity);
    force[TURN_OF_F] = s->force_by_spin;
    force[PLACE_OF_M] = s->force_by_velocity;
    add_scaled(&torque[TURN_OF_F], -1.0, &s->torque_by_spin);
    torque[TURN_OF_M] = s->torque_by_spin;
    complete(b, block);
}

static inline void write_columns(const tn_batch *batch, const four_bushings *b, uint32_t first,
                                 const tn_four_matrix block[BLOCKS][BLOCKS])
{
    const size_t stride = batch->tangent_stride;
    double *to[TN_LANES];
    for (size_t lane = 0; lane < TN_LANES; lane++)
        to[lane] = batch->tangent + WRENCHES * stride * b->index[lane];
    for (size_t row = 0; row < WRENCHES; row++) {
        tn_four numbers[WRENCHES];
        for (size_t j = 0; j < BLOCKS; j++)
            memcpy(numbers + 3 * j, &block[row / 3][j].row[row % 3], sizeof(tn_four_vector));
        tn_four_write_all(to, row * stride + first, WRENCHES, numbers);
    }
}

static inline void write_slopes(const tn_batch *batch, const four_bushings *b)
{
    const uint32_t pose = tn_first_column(batch, TN_POSE_COLUMNS),
                   twist = tn_first_column(batch, TN_TWIST_COLUMNS);
    four_slopes s;
    tn_four_matrix block[BLOCKS][BLOCKS];
    find_torque_slopes(b, &s);
    find_force_slopes(b, &s);
    if (pose != TN_NO_COLUMN) {
        by_poses(b, &s, block);
        write_columns(batch, b, pose, block);
    }
    if (twist != TN_NO_COLUMN) {
        by_twists(b, &s, block);
        write_columns(batch, b, twist, block);
    }
}

/* Whether the tangent has no other columns, which the text knows. */
static inline bool asks_for_slopes_only(const tn_batch *batch)
{
    for (uint32_t k = 0; k < batch->column_blocks; k++)
        if (batch->columns[k].count > 0 && batch->columns[k].kind != TN_POSE_COLUMNS &&
            batch->columns[k].kind != TN_TWIST_COLUMNS)
            return false;
    return true;
}

#endif

/* fours.h - the wrenches of four bushings at a time: every evaluation asks for all of them.
 *
 * The law is that of linear_bushing.c, whose text is for one bushing. Vectors have their components in the axes of the frame F,
 * unless a comment names others. */
#ifndef TENON_LINEAR_BUSHING_FOURS_H
#define TENON_LINEAR_BUSHING_FOURS_H

#include <tenon/kit/fours.h>

enum { WRENCHES = 12, ANGULAR = 3 }; /* numbers of an instance; where the angular ones of a marker begin */

/* A frame as evaluations leave it: 12 numbers of its pose, 6 of its twist; ground axes. */
typedef struct four_frames {
    tn_four_vector position;
    tn_four_matrix rotation;
    tn_four_vector velocity, spin;
} four_frames;

typedef struct four_bushings {
    size_t index[TN_LANES];
    tn_four coefficient[12]; /* stiffnesses, then dampings */
    four_frames F, M;
    tn_four_vector arm, ground_velocity, ground_spin; /* of M as seen from F, ground axes */
    tn_four_vector position, velocity, spin;          /* likewise, axes of F */
    tn_four square, sin_x, cos_x, sin_y, cos_y;       /* `square`: that of cos_y */
    tn_four across; /* torque across the middle axis, in the plane of y and z */
    tn_four_vector angle, rate, moments, force, torque;
    tn_four_vector ground_force, ground_torque; /* on M, ground axes */
} four_bushings;

static inline void read_frames(const tn_batch *batch, const size_t *index, size_t marker, four_frames *frames)
{
    TN_STATIC_ASSERT(sizeof *frames == 18 * sizeof(tn_four), "frames are rows of numbers");
    tn_four_places pose, twist;
    for (size_t lane = 0; lane < TN_LANES; lane++) {
        const tn_marker_place *place = &batch->marker[2 * index[lane] + marker];
        pose.from[lane] = batch->pose + place->pose;
        twist.from[lane] = batch->twist + place->twist;
    }
    tn_four_read_all(&pose, 12, (tn_four *)(void *)frames);
    tn_four_read_all(&twist, 6, (tn_four *)(void *)&frames->velocity);
}

static inline void read_coefficients(const tn_batch *batch, four_bushings *b)
{
    TN_STATIC_ASSERT(offsetof(linear_bushing, damping) ==
                         offsetof(linear_bushing, stiffness) + 6 * sizeof(double),
                     "stiffnesses and dampings stand side by side");
    tn_four_places places;
    for (size_t lane = 0; lane < TN_LANES; lane++)
        places.from[lane] = ((const linear_bushing *)tn_instance(batch, b->index[lane]))->stiffness;
    tn_four_read_all(&places, 12, b->coefficient);
}

static inline void observe_four(four_bushings *b)
{
    const tn_four_vector velocity = tn_four_subtract(&b->M.velocity, &b->F.velocity);
    b->arm = tn_four_subtract(&b->M.position, &b->F.position);
    b->ground_spin = tn_four_subtract(&b->M.spin, &b->F.spin);
    const tn_four_vector swept = tn_four_cross(&b->F.spin, &b->arm);
    b->ground_velocity = tn_four_subtract(&velocity, &swept);
    b->position = tn_four_rotate_back(&b->F.rotation, &b->arm);
    b->velocity = tn_four_rotate_back(&b->F.rotation, &b->ground_velocity);
    b->spin = tn_four_rotate_back(&b->F.rotation, &b->ground_spin);
}

static inline void turn_four(four_bushings *b)
{
    const tn_four_vector x = tn_four_axis(&b->F.rotation, 0), y = tn_four_axis(&b->F.rotation, 1),
                         z = tn_four_axis(&b->F.rotation, 2), x_of_m = tn_four_axis(&b->M.rotation, 0),
                         y_of_m = tn_four_axis(&b->M.rotation, 1), z_of_m = tn_four_axis(&b->M.rotation, 2);
    const tn_four xx = tn_four_dot(&x, &x_of_m), xy = tn_four_dot(&x, &y_of_m), xz = tn_four_dot(&x, &z_of_m),
                  yz = tn_four_dot(&y, &z_of_m), zz = tn_four_dot(&z, &z_of_m);
    b->square = yz * yz + zz * zz;
    b->cos_y = tn_four_sqrt(b->square);
    b->sin_y = xz;
    b->sin_x = -yz / b->cos_y;
    b->cos_x = zz / b->cos_y;
    b->angle.e[0] = tn_four_atan2(-yz, zz);
    b->angle.e[1] = tn_four_atan2(xz, b->cos_y);
    b->angle.e[2] = tn_four_atan2(-xy, xx);
    const tn_four *w = b->spin.e;
    const tn_four last = (b->cos_x * w[2] - b->sin_x * w[1]) / b->cos_y;
    b->rate = (tn_four_vector){{w[0] - b->sin_y * last, b->cos_x * w[1] + b->sin_x * w[2], last}};
}

static inline void load_four(four_bushings *b)
{
    for (int k = 0; k < 3; k++) {
        b->moments.e[k] = -(b->coefficient[k] * b->angle.e[k] + b->coefficient[6 + k] * b->rate.e[k]);
        b->force.e[k] =
            -(b->coefficient[3 + k] * b->position.e[k] + b->coefficient[9 + k] * b->velocity.e[k]);
    }
    const tn_four *f = b->moments.e;
    b->across = (f[2] - b->sin_y * f[0]) / b->cos_y;
    b->torque = (tn_four_vector){
        {f[0], b->cos_x * f[1] - b->sin_x * b->across, b->sin_x * f[1] + b->cos_x * b->across}};
    b->ground_force = tn_four_rotate(&b->F.rotation, &b->force);
    b->ground_torque = tn_four_rotate(&b->F.rotation, &b->torque);
}

/* Bushings first ... first + 3 of the batch, or the last one again. */
static inline void measure_four(const tn_batch *batch, uint32_t first, four_bushings *b)
{
    tn_four_choose(first, batch->count, b->index);
    read_coefficients(batch, b);
    read_frames(batch, b->index, 0, &b->F);
    read_frames(batch, b->index, 1, &b->M);
    observe_four(b);
    turn_four(b);
    load_four(b);
}

static inline void write_wrenches(const tn_batch *batch, const four_bushings *b)
{
    double *to[TN_LANES];
    tn_four wrench[WRENCHES];
    const tn_four_vector moment = tn_four_cross(&b->arm, &b->ground_force);
    for (int k = 0; k < 3; k++) {
        wrench[6 + k] = b->ground_force.e[k];
        wrench[6 + ANGULAR + k] = b->ground_torque.e[k];
        wrench[k] = -wrench[6 + k];
        wrench[ANGULAR + k] = -(b->ground_torque.e[k] + moment.e[k]);
    }
    for (size_t lane = 0; lane < TN_LANES; lane++)
        to[lane] = batch->wrench + WRENCHES * b->index[lane];
    tn_four_write_all(to, 0, WRENCHES, wrench);
}

#endif

/* steps.c - increments of the state and vectors along them: what solvers ask for in every iteration. */
#include "lanes.h"

#if TN_VALUES

#define SMALL_ANGLE 0.1 /* rad, below which a few terms of series are exact to round-off */

typedef struct lanes_quaternion {
    lanes w, x, y, z;
} lanes_quaternion;

static inline lanes_quaternion read_quaternions(const lanes_place *q)
{
    return (lanes_quaternion){lanes_read(q, 3), lanes_read(q, 4), lanes_read(q, 5), lanes_read(q, 6)};
}

/* Bodies first ... first + 3, or the last one again. */
static inline void choose_bodies(const tn_batch *batch, size_t first, size_t body[LANES])
{
    for (size_t lane = 0; lane < LANES; lane++)
        body[lane] = first + lane < batch->count ? first + lane : batch->count - 1;
}

static inline lanes_place place_of(const double *numbers, size_t size, const size_t body[LANES])
{
    lanes_place place;
    for (size_t lane = 0; lane < LANES; lane++)
        place.from[lane] = numbers + size * body[lane];
    return place;
}

/* ---- increments ------------------------------------------------------------------------------------------ */

/* The rotations by these vectors. */
static inline lanes_quaternion exponential_of(const lanes_vector *a)
{
    const lanes square = lanes_dot(a, a), x = 0.25 * square;
    lanes w = 1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0))));
    lanes s = 0.5 - x / 12.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0))));
    for (size_t lane = 0; lane < LANES; lane++) {
        if (square[lane] <= SMALL_ANGLE * SMALL_ANGLE) continue;
        const double angle = sqrt(square[lane]), half = 0.5 * angle;
        w[lane] = cos(half);
        s[lane] = sin(half) / angle;
    }
    return (lanes_quaternion){w, s * a->e[0], s * a->e[1], s * a->e[2]};
}

static inline lanes_quaternion multiply(const lanes_quaternion *a, const lanes_quaternion *b)
{
    return (lanes_quaternion){a->w * b->w - a->x * b->x - a->y * b->y - a->z * b->z,
                              a->w * b->x + a->x * b->w + a->y * b->z - a->z * b->y,
                              a->w * b->y - a->x * b->z + a->y * b->w + a->z * b->x,
                              a->w * b->z + a->x * b->y - a->y * b->x + a->z * b->w};
}

static inline lanes lengths_of(const lanes_quaternion *p)
{
    lanes length = p->w * p->w + p->x * p->x + p->y * p->y + p->z * p->z;
    for (size_t lane = 0; lane < LANES; lane++)
        length[lane] = sqrt(length[lane]);
    return length;
}

tn_status rigid_body_retract(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i += LANES) {
        size_t body[LANES];
        choose_bodies(batch, i, body);
        const lanes_place q = place_of(batch->q, 7, body), increment = place_of(batch->increment, 6, body);
        const lanes_vector from = lanes_read_vector(&q, 0), shift = lanes_read_vector(&increment, 0);
        const lanes_vector angles = lanes_read_vector(&increment, 3), position = lanes_add(&from, &shift);
        const lanes_quaternion p = read_quaternions(&q), turn = exponential_of(&angles);
        const lanes_quaternion turned = multiply(&p, &turn);
        const lanes share = 1.0 / lengths_of(&turned);
        const lanes_vector axis = {{share * turned.x, share * turned.y, share * turned.z}};
        const lanes w = share * turned.w;
        for (size_t lane = 0; lane < LANES; lane++) {
            double *to = batch->configuration + 7 * body[lane];
            for (size_t k = 0; k < 3; k++)
                to[k] = position.e[k][lane];
            to[3] = w[lane];
            for (size_t k = 0; k < 3; k++)
                to[4 + k] = axis.e[k][lane];
        }
    }
    return TN_OK;
}

/* ---- vectors --------------------------------------------------------------------------------------------- */

/* The conjugate of `to` times `from`: R1^T R0. */
static inline lanes_quaternion turn_between(const lanes_quaternion *from, const lanes_quaternion *to)
{
    return (lanes_quaternion){to->w * from->w + to->x * from->x + to->y * from->y + to->z * from->z,
                              to->w * from->x - to->x * from->w - to->y * from->z + to->z * from->y,
                              to->w * from->y + to->x * from->z - to->y * from->w - to->z * from->x,
                              to->w * from->z - to->x * from->y + to->y * from->x - to->z * from->w};
}

/* The velocities of four bodies with angular parts turned, w + 2 (p0 p x w + p x (p x w)). */
static inline void turn_velocities(const lanes_quaternion *p, const double *velocity, double *result,
                                   const size_t body[LANES])
{
    const lanes_place from = place_of(velocity, 6, body);
    const lanes_vector w = lanes_read_vector(&from, 3), axis = {{p->x, p->y, p->z}};
    const lanes_vector half = lanes_cross(&axis, &w), more = lanes_cross(&axis, &half);
    lanes_vector turned;
    for (int k = 0; k < 3; k++)
        turned.e[k] = w.e[k] + 2.0 * (p->w * half.e[k] + more.e[k]);
    double *to[LANES];
    for (size_t lane = 0; lane < LANES; lane++)
        to[lane] = result + 6 * body[lane];
    lanes_write(to, 3, &turned);
    for (size_t lane = 0; lane < LANES && result != velocity; lane++)
        memcpy(to[lane], from.from[lane], 3 * sizeof *result);
}

/* Four bodies at a time; where fewer are left, those that are turned in place are read before any of them is written. */
tn_status rigid_body_transport(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i += LANES) {
        size_t body[LANES];
        choose_bodies(batch, i, body);
        const lanes_place from = place_of(batch->q, 7, body), to = place_of(batch->target, 7, body);
        const lanes_quaternion before = read_quaternions(&from), behind = read_quaternions(&to);
        const lanes_quaternion turn = turn_between(&before, &behind);
        turn_velocities(&turn, batch->vector[0], batch->transported[0], body);
        if (batch->vector[1]) turn_velocities(&turn, batch->vector[1], batch->transported[1], body);
    }
    return TN_OK;
}

#endif

/* steps.c - increments of the state and vectors along them: what solvers ask for in every iteration. */
#include "fours.h"

#if TN_VALUES

#define SMALL_ANGLE 0.1 /* rad, below which a few terms of series are exact to round-off */

static inline tn_four_places place_of(const double *numbers, size_t size, const size_t body[TN_LANES])
{
    tn_four_places place;
    for (size_t lane = 0; lane < TN_LANES; lane++)
        place.from[lane] = numbers + size * body[lane];
    return place;
}

/* ---- increments ------------------------------------------------------------------------------------------ */

/* The rotations by these vectors. */
static inline four_quaternions exponential_of(const tn_four_vector *a)
{
    const tn_four square = tn_four_dot(a, a), x = 0.25 * square;
    tn_four w = 1.0 - x / 2.0 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0))));
    tn_four s = 0.5 - x / 12.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0))));
    for (size_t lane = 0; lane < TN_LANES; lane++) {
        if (square[lane] <= SMALL_ANGLE * SMALL_ANGLE) continue;
        const double angle = sqrt(square[lane]), half = 0.5 * angle;
        w[lane] = cos(half);
        s[lane] = sin(half) / angle;
    }
    return (four_quaternions){w, s * a->e[0], s * a->e[1], s * a->e[2]};
}

static inline four_quaternions multiply(const four_quaternions *a, const four_quaternions *b)
{
    return (four_quaternions){a->w * b->w - a->x * b->x - a->y * b->y - a->z * b->z,
                              a->w * b->x + a->x * b->w + a->y * b->z - a->z * b->y,
                              a->w * b->y - a->x * b->z + a->y * b->w + a->z * b->x,
                              a->w * b->z + a->x * b->y - a->y * b->x + a->z * b->w};
}

static inline tn_four lengths_of(const four_quaternions *p)
{
    return tn_four_sqrt(p->w * p->w + p->x * p->x + p->y * p->y + p->z * p->z);
}

tn_status rigid_body_retract(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i += TN_LANES) {
        size_t body[TN_LANES];
        tn_four_choose(i, batch->count, body);
        const tn_four_places q = place_of(batch->q, 7, body), increment = place_of(batch->increment, 6, body);
        tn_four from[7], by[6], to[7];
        tn_four_read_all(&q, 7, from);
        tn_four_read_all(&increment, 6, by);
        const tn_four_vector angles = {{by[3], by[4], by[5]}};
        const four_quaternions p = {from[3], from[4], from[5], from[6]}, turn = exponential_of(&angles);
        const four_quaternions turned = multiply(&p, &turn);
        const tn_four share = 1.0 / lengths_of(&turned);
        for (size_t k = 0; k < 3; k++)
            to[k] = from[k] + by[k];
        to[3] = share * turned.w;
        to[4] = share * turned.x;
        to[5] = share * turned.y;
        to[6] = share * turned.z;
        double *configuration[TN_LANES];
        for (size_t lane = 0; lane < TN_LANES; lane++)
            configuration[lane] = batch->configuration + 7 * body[lane];
        tn_four_write_all(configuration, 0, 7, to);
    }
    return TN_OK;
}

/* ---- vectors --------------------------------------------------------------------------------------------- */

/* The conjugate of `to` times `from`: R1^T R0. */
static inline four_quaternions turn_between(const four_quaternions *from, const four_quaternions *to)
{
    return (four_quaternions){to->w * from->w + to->x * from->x + to->y * from->y + to->z * from->z,
                              to->w * from->x - to->x * from->w - to->y * from->z + to->z * from->y,
                              to->w * from->y + to->x * from->z - to->y * from->w - to->z * from->x,
                              to->w * from->z - to->x * from->y + to->y * from->x - to->z * from->w};
}

/* The velocities of four bodies with angular parts turned, w + 2 (p0 p x w + p x (p x w)). */
static inline void turn_velocities(const four_quaternions *p, const double *velocity, double *result,
                                   const size_t body[TN_LANES])
{
    const tn_four_places from = place_of(velocity, 6, body);
    const tn_four_vector w = tn_four_read_vector(&from, 3), axis = {{p->x, p->y, p->z}};
    const tn_four_vector half = tn_four_cross(&axis, &w), more = tn_four_cross(&axis, &half);
    tn_four_vector turned;
    for (int k = 0; k < 3; k++)
        turned.e[k] = w.e[k] + 2.0 * (p->w * half.e[k] + more.e[k]);
    double *to[TN_LANES];
    for (size_t lane = 0; lane < TN_LANES; lane++)
        to[lane] = result + 6 * body[lane];
    tn_four_write_vector(to, 3, &turned);
    for (size_t lane = 0; lane < TN_LANES && result != velocity; lane++)
        memcpy(to[lane], from.from[lane], 3 * sizeof *result);
}

/* Four bodies at a time; where fewer are left, those that are turned in place are read before any of them is written. */
tn_status rigid_body_transport(tn_batch *batch)
{
    for (size_t i = 0; i < batch->count; i += TN_LANES) {
        size_t body[TN_LANES];
        tn_four_choose(i, batch->count, body);
        const tn_four_places from = place_of(batch->q, 7, body), to = place_of(batch->target, 7, body);
        const four_quaternions before = read_quaternions(&from), behind = read_quaternions(&to);
        const four_quaternions turn = turn_between(&before, &behind);
        turn_velocities(&turn, batch->vector[0], batch->transported[0], body);
        if (batch->vector[1]) turn_velocities(&turn, batch->vector[1], batch->transported[1], body);
    }
    return TN_OK;
}

#endif

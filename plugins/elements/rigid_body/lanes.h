/* lanes.h - numbers of four markers or bodies, which are worked out at once: every evaluation asks for all of them.
 *
 * What a lane yields does not depend on the others: the operations are those of tenon/algebra.h. Where fewer than four are left, the
 * last one is worked out more than once. */
#ifndef TENON_RIGID_BODY_LANES_H
#define TENON_RIGID_BODY_LANES_H

#include "rigid_body.h"

#pragma GCC diagnostic ignored \
    "-Wpsabi" /* lanes are passed within one object only: nobody else needs to know how */

enum { LANES = 4 };
typedef double lanes __attribute__((vector_size(8 * LANES)));

typedef struct lanes_vector {
    lanes e[3];
} lanes_vector;

typedef struct lanes_matrix {
    lanes_vector row[3];
} lanes_matrix;

/* Where the numbers of each lane begin. */
typedef struct lanes_place {
    const double *from[LANES];
} lanes_place;

static inline lanes lanes_read(const lanes_place *p, size_t k)
{
    return (lanes){p->from[0][k], p->from[1][k], p->from[2][k], p->from[3][k]};
}

static inline lanes_vector lanes_read_vector(const lanes_place *p, size_t first)
{
    return (lanes_vector){{lanes_read(p, first), lanes_read(p, first + 1), lanes_read(p, first + 2)}};
}

static inline lanes lanes_dot(const lanes_vector *a, const lanes_vector *b)
{
    return a->e[0] * b->e[0] + a->e[1] * b->e[1] + a->e[2] * b->e[2];
}

static inline lanes_vector lanes_cross(const lanes_vector *a, const lanes_vector *b)
{
    return (lanes_vector){{a->e[1] * b->e[2] - a->e[2] * b->e[1], a->e[2] * b->e[0] - a->e[0] * b->e[2],
                           a->e[0] * b->e[1] - a->e[1] * b->e[0]}};
}

static inline lanes_vector lanes_add(const lanes_vector *a, const lanes_vector *b)
{
    return (lanes_vector){{a->e[0] + b->e[0], a->e[1] + b->e[1], a->e[2] + b->e[2]}};
}

static inline lanes_vector lanes_rotate(const lanes_matrix *R, const lanes_vector *a)
{
    return (lanes_vector){{lanes_dot(&R->row[0], a), lanes_dot(&R->row[1], a), lanes_dot(&R->row[2], a)}};
}

static inline lanes_vector lanes_rotate_back(const lanes_matrix *R, const lanes_vector *a)
{
    lanes_vector r;
    for (int k = 0; k < 3; k++)
        r.e[k] = a->e[0] * R->row[0].e[k] + (a->e[1] * R->row[1].e[k] + a->e[2] * R->row[2].e[k]);
    return r;
}

/* Of the quaternions behind the positions in q. */
static inline lanes_matrix lanes_rotation(const lanes_place *q)
{
    const lanes w = lanes_read(q, 3), x = lanes_read(q, 4), y = lanes_read(q, 5), z = lanes_read(q, 6);
    const lanes s = 2.0 / (w * w + x * x + y * y + z * z);
    return (lanes_matrix){{{{1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)}},
                           {{s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)}},
                           {{s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}}}};
}

static inline void lanes_write(double *const to[LANES], size_t first, const lanes_vector *a)
{
    for (size_t lane = 0; lane < LANES; lane++)
        for (size_t k = 0; k < 3; k++)
            to[lane][first + k] = a->e[k][lane];
}

#endif

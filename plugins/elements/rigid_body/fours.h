/* fours.h - four markers or bodies at a time (tenon/kit/fours.h): every evaluation asks for all of them. */
#ifndef TENON_RIGID_BODY_FOURS_H
#define TENON_RIGID_BODY_FOURS_H

#include "rigid_body.h"

#include <tenon/kit/fours.h>

typedef struct four_quaternions {
    tn_four w, x, y, z;
} four_quaternions;

/* Behind the positions in q. */
static inline four_quaternions read_quaternions(const tn_four_places *q)
{
    tn_four p[4];
    tn_four_read_block(q, 3, p);
    return (four_quaternions){p[0], p[1], p[2], p[3]};
}

static inline tn_four_matrix four_rotations(const tn_four_places *q)
{
    const four_quaternions p = read_quaternions(q);
    const tn_four w = p.w, x = p.x, y = p.y, z = p.z, s = 2.0 / (w * w + x * x + y * y + z * z);
    return (tn_four_matrix){{{{1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)}},
                             {{s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)}},
                             {{s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}}}};
}

#endif

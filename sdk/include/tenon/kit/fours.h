/* tenon/kit/fours.h - numbers of four instances, which are worked out at once: vectors, matrices and a few functions of them.
 *
 * What a lane yields does not depend on the others: the operations are those of tenon/algebra.h, number by number. Where fewer than four
 * instances are left, the last one is worked out more than once, so that results do not depend on how a batch is cut.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_FOURS_H
#define TENON_KIT_FOURS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC diagnostic ignored \
    "-Wpsabi" /* fours are passed within one object only: nobody else needs to know how */

enum { TN_LANES = 4 };
typedef double tn_four __attribute__((vector_size(8 * TN_LANES)));
typedef int64_t tn_four_mask __attribute__((vector_size(8 * TN_LANES))); /* of a lane: all bits, or none */

typedef struct tn_four_vector {
    tn_four e[3];
} tn_four_vector;

typedef struct tn_four_matrix {
    tn_four_vector row[3];
} tn_four_matrix;

/* Where the numbers of each lane begin. */
typedef struct tn_four_places {
    const double *from[TN_LANES];
} tn_four_places;

/* The index of each lane, the first one being a multiple of TN_LANES. */
static inline void tn_four_choose(size_t first, size_t count, size_t index[TN_LANES])
{
    for (size_t lane = 0; lane < TN_LANES; lane++)
        index[lane] = first + lane < count ? first + lane : count - 1;
}

/* ---- reading and writing ------------------------------------------------------------------------------------------ */

/* Four numbers in memory, wherever they stand. */
typedef double tn_four_loose __attribute__((vector_size(8 * TN_LANES), aligned(sizeof(double)), may_alias));

/* Rows become columns. */
static inline void tn_four_transpose(const tn_four in[TN_LANES], tn_four out[TN_LANES])
{
    const tn_four even_01 = __builtin_shufflevector(in[0], in[1], 0, 4, 2, 6),
                  odd_01 = __builtin_shufflevector(in[0], in[1], 1, 5, 3, 7),
                  even_23 = __builtin_shufflevector(in[2], in[3], 0, 4, 2, 6),
                  odd_23 = __builtin_shufflevector(in[2], in[3], 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(even_01, even_23, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(odd_01, odd_23, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(even_01, even_23, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(odd_01, odd_23, 2, 3, 6, 7);
}

static inline tn_four tn_four_read(const tn_four_places *p, size_t k)
{
    return (tn_four){p->from[0][k], p->from[1][k], p->from[2][k], p->from[3][k]};
}

static inline tn_four_vector tn_four_read_vector(const tn_four_places *p, size_t first)
{
    return (tn_four_vector){{tn_four_read(p, first), tn_four_read(p, first + 1), tn_four_read(p, first + 2)}};
}

static inline void tn_four_read_block(const tn_four_places *p, size_t first, tn_four out[TN_LANES])
{
    tn_four in[TN_LANES];
    for (size_t lane = 0; lane < TN_LANES; lane++)
        in[lane] = *(const tn_four_loose *)(const void *)(p->from[lane] + first);
    tn_four_transpose(in, out);
}

/* The first `count` numbers, four or more; the last block overlaps the one before it. */
static inline __attribute__((always_inline)) void tn_four_read_all(const tn_four_places *p, size_t count,
                                                                   tn_four *out)
{
    for (size_t k = 0; k + TN_LANES <= count; k += TN_LANES)
        tn_four_read_block(p, k, out + k);
    if (count % TN_LANES) tn_four_read_block(p, count - TN_LANES, out + count - TN_LANES);
}

static inline void tn_four_write_vector(double *const to[TN_LANES], size_t first, const tn_four_vector *a)
{
    for (size_t lane = 0; lane < TN_LANES; lane++)
        for (size_t k = 0; k < 3; k++)
            to[lane][first + k] = a->e[k][lane];
}

static inline void tn_four_write_block(double *const to[TN_LANES], size_t first, const tn_four in[TN_LANES])
{
    tn_four out[TN_LANES];
    tn_four_transpose(in, out);
    for (size_t lane = 0; lane < TN_LANES; lane++)
        *(tn_four_loose *)(void *)(to[lane] + first) = out[lane];
}

/* `count` numbers, four or more, from place `first` of each lane on. */
static inline __attribute__((always_inline)) void tn_four_write_all(double *const to[TN_LANES], size_t first,
                                                                    size_t count, const tn_four *in)
{
    for (size_t k = 0; k + TN_LANES <= count; k += TN_LANES)
        tn_four_write_block(to, first + k, in + k);
    if (count % TN_LANES) tn_four_write_block(to, first + count - TN_LANES, in + count - TN_LANES);
}

/* ---- vectors and matrices ------------------------------------------------------------------------------------------ */

static inline tn_four tn_four_dot(const tn_four_vector *a, const tn_four_vector *b)
{
    return a->e[0] * b->e[0] + a->e[1] * b->e[1] + a->e[2] * b->e[2];
}

static inline tn_four_vector tn_four_cross(const tn_four_vector *a, const tn_four_vector *b)
{
    return (tn_four_vector){{a->e[1] * b->e[2] - a->e[2] * b->e[1], a->e[2] * b->e[0] - a->e[0] * b->e[2],
                             a->e[0] * b->e[1] - a->e[1] * b->e[0]}};
}

static inline tn_four_vector tn_four_add(const tn_four_vector *a, const tn_four_vector *b)
{
    return (tn_four_vector){{a->e[0] + b->e[0], a->e[1] + b->e[1], a->e[2] + b->e[2]}};
}

static inline tn_four_vector tn_four_subtract(const tn_four_vector *a, const tn_four_vector *b)
{
    return (tn_four_vector){{a->e[0] - b->e[0], a->e[1] - b->e[1], a->e[2] - b->e[2]}};
}

static inline tn_four_vector tn_four_rotate(const tn_four_matrix *R, const tn_four_vector *a)
{
    return (tn_four_vector){
        {tn_four_dot(&R->row[0], a), tn_four_dot(&R->row[1], a), tn_four_dot(&R->row[2], a)}};
}

static inline tn_four_vector tn_four_rotate_back(const tn_four_matrix *R, const tn_four_vector *a)
{
    tn_four_vector r;
    for (int k = 0; k < 3; k++)
        r.e[k] = a->e[0] * R->row[0].e[k] + (a->e[1] * R->row[1].e[k] + a->e[2] * R->row[2].e[k]);
    return r;
}

/* Column j. */
static inline tn_four_vector tn_four_axis(const tn_four_matrix *R, int j)
{
    return (tn_four_vector){{R->row[0].e[j], R->row[1].e[j], R->row[2].e[j]}};
}

/* ---- functions ---------------------------------------------------------------------------------------------------- */

static inline tn_four tn_four_select(tn_four_mask where, tn_four a, tn_four otherwise)
{
    return (tn_four)((where & (tn_four_mask)a) | (~where & (tn_four_mask)otherwise));
}

static inline tn_four tn_four_sqrt(tn_four a)
{
    for (size_t lane = 0; lane < TN_LANES; lane++)
        a[lane] = sqrt(a[lane]);
    return a;
}

/* The angle of (x, y), which is not the origin, to two units of its last place. By the approximation of the Cephes library for tangents
 * up to 0.66; above, from the eighth of a turn on. */
static inline tn_four tn_four_atan2(tn_four y, tn_four x)
{
    const double quarter = 1.57079632679489661923,
                 rest = 6.123233995736765886130e-17; /* pi/2 and its round-off */
    const tn_four_mask sign = (tn_four_mask)(tn_four){-0.0, -0.0, -0.0, -0.0};
    const tn_four none = {0.0}, high = (tn_four)((tn_four_mask)y & ~sign),
                  wide = (tn_four)((tn_four_mask)x & ~sign);
    const tn_four_mask steep = high > wide;
    const tn_four less = tn_four_select(steep, wide, high), more = tn_four_select(steep, high, wide);
    const tn_four_mask middle = less > 0.66 * more;
    const tn_four t = tn_four_select(middle, less - more, less) / tn_four_select(middle, less + more, more);
    const tn_four z = t * t;
    const tn_four p =
        (((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z - 7.500855792314704667340e1) * z -
         1.228866684490136173410e2) *
            z -
        6.485021904942025371773e1;
    const tn_four q =
        ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z + 4.328810604912902668951e2) *
             z +
         4.853903996359136964868e2) *
            z +
        1.945506571482613964425e2;
    const tn_four small = t * (z * p / q) + t;
    tn_four angle = tn_four_select(middle, 0.5 * quarter + (small + 0.5 * rest), small);
    angle = tn_four_select(steep, quarter - (angle - rest), angle);
    angle = tn_four_select(x < none, 2.0 * quarter - (angle - 2.0 * rest), angle);
    return (tn_four)((tn_four_mask)angle | ((tn_four_mask)y & sign));
}

#endif

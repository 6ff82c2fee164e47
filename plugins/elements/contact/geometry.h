/* geometry.h - where two shapes touch: gap, normal and place of one possible point, for texts of all passes. It is the same for both
 * laws.
 *
 * All shapes that touch are balls against something: a sphere, both ends of a capsule, the corners of a box (of radius 0). The nearest
 * point of what a ball touches is known in closed form; the gap is its distance from the centre without the radii. */
#ifndef TENON_CONTACT_GEOMETRY_H
#define TENON_CONTACT_GEOMETRY_H

#include "contact.h"

#define CONTACT_NO_DIRECTION "the centres of two shapes coincide: their contact has no direction"

/* Ground axes. */
typedef struct contact_place {
    tn_real gap;
    tn_vec3 normal;   /* out of the second shape, into the first */
    tn_vec3 position; /* half way between the surfaces */
} contact_place;

static inline tn_vec3 contact_vector(const double *e) { return tn_vector(e[0], e[1], e[2]); }

/* The number of [-half, half] that is nearest to x. */
static inline tn_real contact_clamp(tn_real x, double half)
{
    return tn_value(x) > half ? tn_constant(half) : tn_value(x) < -half ? tn_constant(-half) : x;
}

/* From inside of a box the way out goes through the nearest face. */
static inline tn_vec3 contact_way_out(const double *half, tn_vec3 y, tn_real *distance)
{
    int face = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(tn_value(y.e[k])) - half[k] > fabs(tn_value(y.e[face])) - half[face]) face = k;
    tn_vec3 n = tn_zero();
    n.e[face] = tn_constant(tn_value(y.e[face]) < 0.0 ? -1.0 : 1.0);
    *distance = tn_abs(y.e[face]) - half[face];
    return n;
}

/* Distance of y from the surface of a box or from the line of a capsule, and the direction away from it, all in the axes of that
 * shape. False where there is none. */
static inline bool contact_away(const contact_point *point, tn_vec3 y, tn_real *distance, tn_vec3 *direction)
{
    tn_vec3 nearest;
    for (int k = 0; k < 3; k++)
        nearest.e[k] = contact_clamp(y.e[k], point->half[k]);
    const tn_vec3 way = tn_subtract(y, nearest);
    const tn_real square = tn_dot(way, way);
    if (tn_value(square) > 0.0) {
        *distance = tn_sqrt(square);
        *direction = tn_scale(1.0 / *distance, way);
        return true;
    }
    if (point->kind != CONTACT_BOX) return false;
    *direction = contact_way_out(point->half, y, distance);
    return true;
}

/* The point at the places of both shapes of its pair. False where the centres coincide, so that there is no direction. */
static inline bool contact_look(const contact_point *point, const tn_marker_state *first,
                                const tn_marker_state *second, contact_place *at)
{
    const tn_marker_state *ball = point->ball_second ? second : first,
                          *other = point->ball_second ? first : second;
    const tn_vec3 centre = tn_add(ball->position, tn_rotate(ball->rotation, contact_vector(point->centre)));
    const tn_vec3 from = tn_subtract(centre, other->position);
    tn_vec3 normal;
    tn_real distance;
    if (point->kind == CONTACT_PLANE) {
        normal = tn_axis(other->rotation, 2);
        distance = tn_dot(normal, from);
    } else {
        tn_vec3 direction;
        if (!contact_away(point, tn_rotate_back(other->rotation, from), &distance, &direction)) return false;
        normal = tn_rotate(other->rotation, direction);
    }
    at->gap = distance - (point->radius + point->other_radius);
    at->position = tn_subtract(centre, tn_scale(point->radius + 0.5 * at->gap, normal));
    at->normal = point->ball_second ? tn_negate(normal) : normal;
    return true;
}

/* The velocity of the first shape against the second at a place. */
static inline tn_vec3 contact_velocity(const tn_marker_state *first, const tn_marker_state *second,
                                       tn_vec3 position)
{
    const tn_vec3 one =
        tn_add(first->velocity, tn_cross(first->angular_velocity, tn_subtract(position, first->position)));
    const tn_vec3 other =
        tn_add(second->velocity, tn_cross(second->angular_velocity, tn_subtract(position, second->position)));
    return tn_subtract(one, other);
}

#endif

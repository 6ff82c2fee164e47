/* passage.c - points that were closed only between two accepted states: shapes that have passed through each other within a step
 *
 * Between both states the middle of the ball follows a cubic in the axes of the other shape, by its places and velocities at both ends.
 * On it the gap is searched for a sign below zero: it changes by no more than the way, so that each stride may be as long as the gap. By
 * impulses, whose points are not kept, the way of the last step is a line along the velocities at its end. */
#include "passage.h"

#include "geometry.h"
#include "near.h"

#define STRIDE \
    1e-2 /* of the smallest length of both shapes: the least stride; shallower passages may be missed */
#define DEPTH 1e-5 /* of that length: what is no deeper is no passage */
enum { MOST_STRIDES = 2000 };

typedef struct path {
    tn_vec3 control[4]; /* points of Bezier's polygon */
    double length;      /* of that polygon; the curve is no longer */
} path;

/* The gap of the ball of a point whose middle is at y, in the axes of the other shape. */
static double gap_at(const contact_point *point, tn_vec3 y)
{
    tn_vec3 direction;
    double distance = 0.0;
    if (point->kind == CONTACT_PLANE) return y.e[2] - point->radius;
    (void)contact_away(point, y, &distance, &direction); // 0 where centres coincide
    return distance - (point->radius + point->other_radius);
}

void contact_keep_place(const contact_point *point, const tn_marker_state *first,
                        const tn_marker_state *second, double *place)
{
    const tn_marker_state *ball = point->ball_second ? second : first,
                          *other = point->ball_second ? first : second;
    const tn_vec3 arm = tn_rotate(ball->rotation, contact_vector(point->centre));
    const tn_vec3 from = tn_subtract(tn_add(ball->position, arm), other->position);
    const tn_vec3 of_ball = tn_add(ball->velocity, tn_cross(ball->angular_velocity, arm));
    const tn_vec3 of_other = tn_add(other->velocity, tn_cross(other->angular_velocity, from));
    const tn_vec3 y = tn_rotate_back(other->rotation, from);
    const tn_vec3 rate = tn_rotate_back(other->rotation, tn_subtract(of_ball, of_other));
    memcpy(place, y.e, sizeof y.e);
    memcpy(place + 3, rate.e, sizeof rate.e);
}

static path make_path(const double *before, const double *now, double step)
{
    path way;
    way.control[0] = contact_vector(before);
    way.control[1] = tn_add(way.control[0], tn_scale(step / 3.0, contact_vector(before + 3)));
    way.control[3] = contact_vector(now);
    way.control[2] = tn_subtract(way.control[3], tn_scale(step / 3.0, contact_vector(now + 3)));
    way.length = 0.0;
    for (int k = 0; k < 3; k++)
        way.length += tn_norm(tn_subtract(way.control[k + 1], way.control[k]));
    return way;
}

static tn_vec3 place_on(const path *way, double s)
{
    const double r = 1.0 - s;
    const double weight[] = {r * r * r, 3.0 * s * r * r, 3.0 * s * s * r, s * s * s};
    tn_vec3 sum = tn_zero();
    for (int k = 0; k < 4; k++)
        sum = tn_add(sum, tn_scale(weight[k], way->control[k]));
    return sum;
}

/* The largest velocity of the curve by its parameter. */
static double speed_of(const path *way)
{
    double speed = 0.0;
    for (int k = 0; k < 3; k++)
        speed = fmax(speed, 3.0 * tn_norm(tn_subtract(way->control[k + 1], way->control[k])));
    return speed;
}

/* Whether the curve stays out because it lies between points above a plane. */
static bool stays_above(const contact_point *point, const path *way)
{
    bool above = point->kind == CONTACT_PLANE;
    for (int k = 0; above && k < 4; k++)
        above = gap_at(point, way->control[k]) > 0.0;
    return above;
}

double contact_passed(const contact_point *point, double size, const double *before, const double *now,
                      double step)
{
    const double gap = gap_at(point, contact_vector(now)), old = gap_at(point, contact_vector(before));
    if (!(gap > 0.0 && old > 0.0 && step > 0.0)) return 0.0;
    const path way = make_path(before, now, step);
    if (!(way.length > gap + old) || !isfinite(way.length) || stays_above(point, &way)) return 0.0;
    const double speed = speed_of(&way), least = STRIDE * size;
    double s = 0.0, here = old;
    for (uint32_t k = 0; k < MOST_STRIDES; k++) {
        s += (fmax(here, 0.0) + least) / speed;
        if (!(s < 1.0)) return 0.0;
        here = gap_at(point, place_on(&way, s));
        if (here < -DEPTH * size) return here;
    }
    return 0.0;
}

/* ---- by impulses ------------------------------------------------------------------------------------------------- */

#define SLOW 0.25 /* of the smallest length: shapes that go no further in a step pass through none */

/* Twice the largest way of a point of a shape in the last step, and the smallest length of all shapes. */
static double largest_way(const tn_batch *batch, uint32_t instance, double *size)
{
    const contact_setup *setup = ((const contact *)tn_instance(batch, instance))->setup;
    double speed = 0.0;
    *size = HUGE_VAL;
    for (uint32_t k = 0; k < setup->shapes; k++) {
        const double *twist = batch->twist + batch->marker[(size_t)instance * batch->marker_count + k].twist;
        const double turning = tn_norm(contact_vector(twist + 3));
        const double arm = setup->bound[k] < HUGE_VAL ? setup->bound[k] : 0.0;
        speed = fmax(speed, tn_norm(contact_vector(twist)) + turning * arm);
        *size = fmin(*size, contact_size_of(setup->shape[k], setup->shape[k]));
    }
    return 2.0 * speed * batch->step;
}

/* Ends the search where a pair has passed, which it notes in `data`. */
static bool has_not_passed(contact_search *s, uint32_t one, uint32_t other, void *data)
{
    const tn_shape *a = s->setup->shape[one], *b = s->setup->shape[other];
    const tn_marker_state first = contact_marker(s->batch, s->instance, one),
                          second = contact_marker(s->batch, s->instance, other);
    for (uint32_t feature = 0; feature < contact_count_points(a, b); feature++) {
        const contact_point point = contact_make_point(a, b, feature);
        double now[CONTACT_PLACE], before[CONTACT_PLACE];
        contact_keep_place(&point, &first, &second, now);
        for (int e = 0; e < 3; e++) {
            before[e] = now[e] - s->batch->step * now[e + 3];
            before[e + 3] = now[e + 3];
        }
        if (contact_passed(&point, contact_size_of(a, b), before, now, s->batch->step) < 0.0) {
            ((uint32_t *)data)[0] = one;
            ((uint32_t *)data)[1] = other;
            return false;
        }
    }
    return true;
}

bool contact_find_passage(const tn_batch *batch, uint32_t instance, uint32_t pair[2])
{
    double size = 0.0;
    const double way = batch->step > 0.0 ? largest_way(batch, instance, &size) : 0.0;
    return way > SLOW * size && way < HUGE_VAL &&
           !contact_visit_near(batch, instance, way, has_not_passed, pair);
}

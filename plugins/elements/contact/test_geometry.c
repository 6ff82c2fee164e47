/* test_geometry.c - gap, normal and place of every pair that may touch, against a search over the surfaces */
#include "test_scene.h"

enum { POSES = 100 };

/* ---- the distance of a point from a shape, by a search ----------------------------------------------------------- */

/* Points of a surface, or of the line of a capsule, by two numbers from 0 to 1. */
typedef struct surface {
    const scene *s;
    uint32_t shape;
    int face;
    tn_vec3 from; /* where the distance is wanted from */
} surface;

static tn_vec3 point_of(const surface *f, double u, double v)
{
    const tn_shape *shape = &f->s->shape[f->shape];
    tn_vec3 y = tn_zero();
    if (shape->kind == TN_PLANE) y = tn_vector(40 * u - 20, 40 * v - 20, 0);
    if (shape->kind == TN_CAPSULE) y.e[2] = (u - 0.5) * shape->size[1];
    if (shape->kind == TN_BOX) {
        const int k = f->face / 2;
        y.e[k] = (f->face % 2 ? 0.5 : -0.5) * shape->size[k];
        y.e[(k + 1) % 3] = (u - 0.5) * shape->size[(k + 1) % 3];
        y.e[(k + 2) % 3] = (v - 0.5) * shape->size[(k + 2) % 3];
    }
    return tn_add(read_vector(f->s->pose + 12 * f->shape), tn_rotate(read_rotation(f->s, f->shape), y));
}

static double distance_at(const surface *f, double u, double v)
{
    return tn_norm(tn_subtract(f->from, point_of(f, u, v)));
}

/* The smallest distance along one number, by golden sections: it is convex; `inner`: along the other one at each. */
static double smallest(const surface *f, double u, bool inner)
{
    const double share = 0.5 * (sqrt(5) - 1);
    double low = 0, high = 1;
    for (int k = 0; k < 60; k++) {
        const double a = high - share * (high - low), b = low + share * (high - low);
        const double at_a = inner ? distance_at(f, u, a) : smallest(f, a, true);
        const double at_b = inner ? distance_at(f, u, b) : smallest(f, b, true);
        *(at_a < at_b ? &high : &low) = at_a < at_b ? b : a;
    }
    return inner ? distance_at(f, u, low) : smallest(f, low, true);
}

static bool is_inside(const scene *s, uint32_t k, tn_vec3 p)
{
    const tn_vec3 y = tn_rotate_back(read_rotation(s, k), tn_subtract(p, read_vector(s->pose + 12 * k)));
    if (s->shape[k].kind == TN_PLANE) return y.e[2] < 0;
    bool inside = s->shape[k].kind == TN_BOX;
    for (int e = 0; e < 3; e++)
        inside = inside && fabs(y.e[e]) < 0.5 * s->shape[k].size[e];
    return inside;
}

/* Below 0 inside. */
static double search_distance(const scene *s, uint32_t k, tn_vec3 from)
{
    double least = HUGE_VAL;
    for (int face = 0; face < (s->shape[k].kind == TN_BOX ? 6 : 1); face++)
        least = fmin(least, smallest(&(surface){s, k, face, from}, 0, false));
    if (s->shape[k].kind == TN_SPHERE) least = tn_norm(tn_subtract(from, read_vector(s->pose + 12 * k)));
    const double radius =
        s->shape[k].kind == TN_SPHERE || s->shape[k].kind == TN_CAPSULE ? s->shape[k].size[0] : 0;
    return (is_inside(s, k, from) ? -least : least) - radius;
}

/* ---- the comparison ------------------------------------------------------------------------------------------------ */

/* The centre of the ball of a feature, and its radius. */
static tn_vec3 ball_of(const scene *s, uint32_t k, uint64_t feature, double *radius)
{
    const tn_shape *shape = &s->shape[k];
    tn_vec3 y = tn_zero();
    *radius = shape->kind == TN_BOX ? 0 : shape->size[0];
    if (shape->kind == TN_CAPSULE) y.e[2] = (feature ? 0.5 : -0.5) * shape->size[1];
    for (int e = 0; e < 3 && shape->kind == TN_BOX; e++)
        y.e[e] = (feature >> e & 1 ? 0.5 : -0.5) * shape->size[e];
    return tn_add(read_vector(s->pose + 12 * k), tn_rotate(read_rotation(s, k), y));
}

/* Of marker 0 against marker 1 the derivative of a gap by the place of the first shape is the normal. */
static void check_normal(scene *s, uint32_t number)
{
    const tn_contact_point point = s->point[number];
    const double h = 1e-6;
    for (int e = 0; e < 3; e++) {
        double gap[2];
        for (int side = 0; side < 2; side++) {
            s->pose[e] += side ? h : -h;
            scene_find(s, 1e3);
            gap[side] = s->point[number].gap;
            s->pose[e] -= side ? h : -h;
        }
        assert_true(fabs((gap[1] - gap[0]) / (2 * h) - point.normal[e]) < 1e-7);
    }
    scene_find(s, 1e3);
}

static void check_point(scene *s, uint32_t number, bool ball_second)
{
    const tn_contact_point point = s->point[number];
    const uint32_t ball = ball_second ? 1 : 0, other = 1 - ball;
    double radius = 0;
    const tn_vec3 centre = ball_of(s, ball, point.feature, &radius);
    const double gap = search_distance(s, other, centre) - radius;
    assert_true(fabs(point.gap - gap) < 1e-7);
    assert_true(fabs(tn_norm(read_vector(point.normal)) - 1) < 1e-14);
    check_normal(s, number);
    /* the place is half a gap from either surface, on the line through the centre along the normal */
    const tn_vec3 place = read_vector(point.position), way = tn_subtract(centre, place);
    const tn_vec3 normal = tn_scale(ball_second ? -1 : 1, read_vector(point.normal));
    assert_true(tn_norm(tn_subtract(way, tn_scale(radius + 0.5 * gap, normal))) < 1e-7);
    if (gap > 0.0) assert_true(fabs(search_distance(s, other, place) - 0.5 * gap) < 1e-7);
}

typedef struct sizes {
    tn_shape_kind kind;
    double size[3];
} sizes;

static void check_pair(sizes one, sizes two, uint32_t points, bool ball_second)
{
    uint64_t seed = 7 + one.kind * 10 + two.kind;
    scene s;
    scene_begin(&s, CONTACT_BY_IMPULSE);
    scene_shape(&s, one.kind, one.size[0], one.size[1], one.size[2]);
    scene_shape(&s, two.kind, two.size[0], two.size[1], two.size[2]);
    scene_prepare(&s);
    int closed = 0;
    for (int k = 0; k < POSES; k++) {
        for (uint32_t m = 0; m < 2; m++)
            scene_put(&s, m, draw_vector(&seed, 0.5), draw_turn(&seed), tn_zero(), tn_zero());
        scene_find(&s, 1e3);
        assert_int_equal(s.points, points);
        for (uint32_t p = 0; p < points; p++) {
            assert_int_equal(s.point[p].first, 0);
            assert_int_equal(s.point[p].second, 1);
            assert_int_equal(s.point[p].feature, p);
            check_point(&s, p, ball_second);
            closed += s.point[p].gap < 0.0;
        }
        /* the margin leaves out what is further, and nothing else */
        uint32_t near = 0;
        for (uint32_t p = 0; p < points; p++)
            near += s.point[p].gap <= 0.1;
        scene_find(&s, 0.1);
        assert_int_equal(s.points, near);
    }
    assert_true(closed > POSES / 20 && closed < (int)points * POSES);
    scene_end(&s);
}

static const sizes sphere = {TN_SPHERE, {0.3, 0, 0}}, small = {TN_SPHERE, {0.2, 0, 0}},
                   box = {TN_BOX, {0.7, 0.5, 0.9}}, capsule = {TN_CAPSULE, {0.15, 0.6, 0}},
                   plane = {TN_PLANE, {1, 1, 0}};

static void test_a_plane_with_a_sphere_a_capsule_and_a_box(void **state)
{
    (void)state;
    check_pair(plane, sphere, 1, true);
    check_pair(sphere, plane, 1, false);
    check_pair(plane, capsule, 2, true);
    check_pair(capsule, plane, 2, false);
    check_pair(plane, box, 8, true);
    check_pair(box, plane, 8, false);
}

static void test_two_spheres(void **state)
{
    (void)state;
    check_pair(sphere, small, 1, false);
}

static void test_a_sphere_with_a_box_inside_and_outside_of_faces_edges_and_corners(void **state)
{
    (void)state;
    check_pair(sphere, box, 1, false);
    check_pair(box, small, 1, true);
}

static void test_a_sphere_with_a_capsule(void **state)
{
    (void)state;
    check_pair(sphere, capsule, 1, false);
    check_pair(capsule, small, 1, true);
}

/* ---- near pairs ------------------------------------------------------------------------------------------------------ */

static int by_marker(const void *a, const void *b)
{
    const tn_contact_point *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    if (x->second != y->second) return x->second < y->second ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static double gap_of(const scene *s, uint32_t a, uint32_t b)
{
    const tn_vec3 from = tn_subtract(read_vector(s->pose + 12 * a), read_vector(s->pose + 12 * b));
    const double r = s->shape[a].size[0];
    return s->shape[b].kind == TN_PLANE ? tn_dot(tn_axis(read_rotation(s, b), 2), from) - r
                                        : tn_norm(from) - r - s->shape[b].size[0];
}

/* All that are near are found, in their order, and none twice; so is the smallest gap. */
static void check_near(scene *s, double margin)
{
    double least = HUGE_VAL;
    uint32_t expected = 0;
    scene_find(s, margin);
    for (uint32_t a = 0; a < 22; a++)
        for (uint32_t b = a + 1; b < s->count; b++) {
            expected += gap_of(s, a, b) <= margin;
            least = fmin(least, gap_of(s, a, b));
        }
    assert_int_equal(s->points, expected);
    for (uint32_t p = 0; p + 1 < s->points; p++)
        assert_true(by_marker(&s->point[p], &s->point[p + 1]) < 0);
    test_no_numbers(s->scratch, SCENE_SCRATCH);
    assert_true(fabs(*test_value(&s->e, "gap") - least) < 1e-14);
}

/* Spheres at random, spread along one axis or all, some of them as wide as all others together, and two planes. */
static void check_many_shapes(double wide, tn_vec3 spread)
{
    uint64_t seed = 3;
    scene s;
    scene_begin(&s, CONTACT_BY_IMPULSE);
    for (int k = 0; k < 22; k++)
        scene_shape(&s, TN_SPHERE, draw(&seed, 0.1, 0.3) * (k % 9 == 4 ? wide : 1.0), 0, 0);
    for (int k = 0; k < 2; k++) {
        tn_shape *shape = scene_shape(&s, TN_PLANE, 1, 1, 0);
        shape->body = 0;
        shape->fixed = 1;
    }
    scene_prepare(&s);
    for (int pose = 0; pose < POSES; pose++) {
        for (uint32_t k = 0; k < s.count; k++) {
            tn_vec3 place = draw_vector(&seed, 1);
            for (int e = 0; e < 3; e++)
                place.e[e] *= spread.e[e];
            scene_put(&s, k, place, draw_turn(&seed), tn_zero(), tn_zero());
        }
        check_near(&s, draw(&seed, 0, 0.2));
    }
    scene_end(&s);
}

static void test_many_shapes_are_found_in_order(void **state)
{
    (void)state;
    check_many_shapes(1, tn_vector(1, 1, 1));
    check_many_shapes(1, tn_vector(0.1, 4, 0));
    check_many_shapes(1, tn_vector(0, 0, 4));
    check_many_shapes(20, tn_vector(1, 1, 3));
}

static void test_centres_that_coincide_have_no_direction(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s, CONTACT_BY_IMPULSE);
    scene_shape(&s, TN_SPHERE, 0.1, 0, 0);
    scene_shape(&s, TN_SPHERE, 0.1, 0, 0);
    scene_prepare(&s);
    for (uint32_t k = 0; k < 2; k++)
        scene_put(&s, k, tn_zero(), tn_identity(), tn_zero(), tn_zero());
    s.taken = (tn_contact_list){.struct_size = sizeof s.taken, .add = scene_take};
    assert_int_equal(s.e.type->points(&s.e.batch, 0, 1, &s.taken), TN_RETRY);
    assert_string_equal(s.e.failure.message,
                        "the centres of two shapes coincide: their contact has no direction");
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plane_with_a_sphere_a_capsule_and_a_box),
        cmocka_unit_test(test_two_spheres),
        cmocka_unit_test(test_a_sphere_with_a_box_inside_and_outside_of_faces_edges_and_corners),
        cmocka_unit_test(test_a_sphere_with_a_capsule),
        cmocka_unit_test(test_many_shapes_are_found_in_order),
        cmocka_unit_test(test_centres_that_coincide_have_no_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

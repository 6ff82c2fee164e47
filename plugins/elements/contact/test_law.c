/* test_law.c - the penalty law: against one written anew, its tangents, action and reaction, indifference to the frame, energies,
 * events and data */
#include "test_scene.h"

enum { STATES = 150 };

/* Three bodies that touch each other: a plane, a box and a sphere; or a capsule and a plane, and so on by `which`. */
static void begin_shapes(scene *s, int which, bool bristles)
{
    scene_begin(s, CONTACT_BY_PENALTY);
    scene_choose(s, "friction_law", bristles);
    test_give(&s->e, "slip_speed", 0.5);
    test_give(&s->e, "stribeck_speed", 1.5);
    test_give(&s->e, "bristle_length", 0.2);
    test_give(&s->e, "bristle_time", 0.1);
    if (which == 0) {
        scene_shape(s, TN_PLANE, 1, 1, 0);
        scene_shape(s, TN_BOX, 0.6, 0.5, 0.7);
        scene_shape(s, TN_SPHERE, 0.4, 0, 0);
    } else {
        scene_shape(s, TN_CAPSULE, 0.3, 0.5, 0);
        scene_shape(s, TN_SPHERE, 0.4, 0, 0);
        if (which == 2) scene_shape(s, TN_PLANE, 1, 1, 0);
    }
    scene_prepare(s);
}

/* Everything moves; half of the points that are closed know the speed of their impact. */
static void draw_scene(scene *s, uint64_t *seed)
{
    for (uint32_t k = 0; k < s->count; k++)
        scene_put(s, k, draw_vector(seed, 0.3), draw_turn(seed), draw_vector(seed, 1), draw_vector(seed, 1));
    for (uint32_t p = CONTACT_DATA; p < CONTACT_DATA + s->e.layout.events / 2; p++)
        s->d[p] = draw(seed, 0, 1) < 0.5 ? 0 : draw(seed, 0, 1) < 0.8 ? draw(seed, 2, 5) : draw(seed, -5, -2);
    for (uint32_t k = 0; k < s->e.layout.nx; k++)
        s->x[k] = draw(seed, -0.15, 0.15);
}

static void find_forces(scene *s) { assert_int_equal(s->e.type->force(&s->e.batch), TN_OK); }

/* ---- forces ---------------------------------------------------------------------------------------------------------- */

/* One sphere on a plane whose axes are those of ground: all is known. */
static void begin_sphere(scene *s, bool bristles, double depth, tn_vec3 velocity, tn_vec3 w)
{
    scene_begin(s, CONTACT_BY_PENALTY);
    scene_choose(s, "friction_law", bristles);
    scene_shape(s, TN_PLANE, 1, 1, 0);
    scene_shape(s, TN_SPHERE, 0.5, 0, 0);
    scene_prepare(s);
    scene_put(s, 0, tn_zero(), tn_identity(), tn_zero(), tn_zero());
    scene_put(s, 1, tn_vector(0, 0, 0.5 - depth), tn_identity(), velocity, w);
}

/* C (1 + e) = log((1 + C)/(1 - e C)) for e = 1/2. */
static double loss_at_a_half(void)
{
    double C = 1.5;
    for (int k = 0; k < 50; k++) {
        const double f = log((1 + C) / (1 - 0.5 * C)) - 1.5 * C,
                     slope = 1 / (1 + C) + 0.5 / (1 - 0.5 * C) - 1.5;
        C -= f / slope;
    }
    return C;
}

static void test_the_normal_force_is_that_of_hunt_and_crossley(void **state)
{
    (void)state;
    scene s;
    begin_sphere(&s, false, 0.01, tn_vector(0, 0, -0.3), tn_zero());
    const double C = loss_at_a_half(), elastic = 2000 * pow(0.01, 1.5);
    s.d[CONTACT_DATA] = 2;
    find_forces(&s);
    assert_true(fabs(s.wrench[8] / (elastic * (1 + C * 0.3 / 2)) - 1) < 1e-12);
    s.d[CONTACT_DATA] = 0; /* just closed: it goes by the speed of now */
    find_forces(&s);
    assert_true(fabs(s.wrench[8] / (elastic * (1 + C)) - 1) < 1e-12);
    s.twist[8] = 3; /* leaving faster than any impact: no pull */
    s.d[CONTACT_DATA] = 2;
    find_forces(&s);
    expect_numbers(s.wrench, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    scene_end(&s);
}

static void test_regularised_friction_opposes_the_slip(void **state)
{
    (void)state;
    scene s;
    begin_sphere(&s, false, 0.01, tn_vector(3e-4, 4e-4, 0), tn_zero());
    find_forces(&s);
    const double N = s.wrench[8], mu = 0.4 + 0.2 * exp(-25e-8 / 1e-4), F = mu * N * tanh(0.5);
    expect_numbers(s.wrench + 6, -0.6 * F, -0.8 * F, N);
    /* rolling does not slip: the point of contact is half way between the surfaces */
    const double arm = 0.5 - 0.005;
    scene_put(&s, 1, tn_vector(0, 0, 0.49), tn_identity(), tn_vector(arm, 0, 0), tn_vector(0, 1, 0));
    find_forces(&s);
    assert_true(fabs(s.wrench[6]) < 1e-12 && s.wrench[8] > 0);
    scene_end(&s);
}

static void test_a_bristle_is_a_spring_up_to_its_length(void **state)
{
    (void)state;
    scene s;
    begin_sphere(&s, true, 0.01, tn_zero(), tn_zero());
    s.x[0] = 0.5e-4;
    find_forces(&s);
    assert_true(fabs(s.wrench[6] / (0.6 * 0.5 * s.wrench[8]) - 1) < 1e-12); /* at rest mu_s */
    assert_int_equal(s.e.type->rates(&s.e.batch), TN_OK);
    expect_numbers(s.x_rate, 0, 0); /* it does not creep */
    s.x[0] = 7e-4;
    find_forces(&s);
    assert_true(fabs(s.wrench[6] / (0.6 * s.wrench[8]) - 1) < 1e-12); /* |F_T| <= mu F_N */
    s.x[0] = -1e-4;                                                   /* of the plane against the sphere */
    s.twist[6] = 0.2;
    assert_int_equal(s.e.type->rates(&s.e.batch), TN_OK);
    assert_true(fabs(s.x_rate[0]) < 1e-15); /* it slides: nothing is left for the bristle */
    scene_end(&s);
}

/* What acts on one shape acts on the others the other way, about any point. */
static void test_forces_and_moments_add_up_to_nothing(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int k = 0; k < STATES; k++) {
        scene s;
        begin_shapes(&s, k % 3, k % 2);
        draw_scene(&s, &seed);
        find_forces(&s);
        tn_vec3 force = tn_zero(), moment = tn_zero();
        double size = 0;
        for (uint32_t m = 0; m < s.count; m++) {
            const tn_vec3 f = read_vector(s.wrench + 6 * m), t = read_vector(s.wrench + 6 * m + 3);
            force = tn_add(force, f);
            moment = tn_add(moment, tn_add(t, tn_cross(read_vector(s.pose + 12 * m), f)));
            size += tn_norm(f) + tn_norm(t);
        }
        assert_true(tn_norm(force) + tn_norm(moment) <= 1e-13 * size);
        scene_end(&s);
    }
}

/* All turned, moved and set in motion as one: the forces turn along, and do not change otherwise. */
static void test_the_law_does_not_depend_on_the_frame(void **state)
{
    (void)state;
    uint64_t seed = 12;
    int closed = 0;
    for (int k = 0; k < STATES; k++) {
        scene s;
        begin_shapes(&s, k % 3, k % 2);
        draw_scene(&s, &seed);
        find_forces(&s);
        double before[6 * SCENE_SHAPES], size = 0;
        memcpy(before, s.wrench, sizeof before);
        const tn_mat3 Q = draw_turn(&seed);
        const tn_vec3 shift = draw_vector(&seed, 3), v = draw_vector(&seed, 3), w = draw_vector(&seed, 3);
        for (uint32_t m = 0; m < s.count; m++) {
            const tn_vec3 x = tn_add(shift, tn_rotate(Q, read_vector(s.pose + 12 * m)));
            const tn_vec3 velocity =
                tn_add(tn_rotate(Q, read_vector(s.twist + 6 * m)), tn_add(v, tn_cross(w, x)));
            const tn_vec3 turning = tn_add(tn_rotate(Q, read_vector(s.twist + 6 * m + 3)), w);
            scene_put(&s, m, x, tn_multiply(Q, read_rotation(&s, m)), velocity, turning);
            for (int e = 0; e < 6; e++)
                size += fabs(before[6 * m + (uint32_t)e]);
        }
        find_forces(&s);
        for (uint32_t m = 0; m < 2 * s.count; m++) {
            const tn_vec3 turned = tn_rotate(Q, read_vector(before + 3 * m));
            assert_true(tn_norm(tn_subtract(turned, read_vector(s.wrench + 3 * m))) <= 1e-11 * size);
        }
        closed += size > 0;
        scene_end(&s);
    }
    assert_true(closed > STATES / 2);
}

/* ---- tangents --------------------------------------------------------------------------------------------------------- */

/* Moves one column of a tangent: an increment of a pose, a twist, a state. */
static void move(scene *s, uint32_t column, double by)
{
    const uint32_t W = 6 * s->count, k = column % W / 6, e = column % 6;
    if (column >= 2 * W) {
        s->x[column - 2 * W] += by;
    } else if (column >= W) {
        s->twist[6 * k + e] += by;
    } else if (e < 3) {
        s->pose[12 * k + e] += by;
    } else {
        tn_vec3 phi = tn_zero();
        phi.e[e - 3] = by;
        const tn_mat3 R = tn_multiply(tn_rotation_of(tn_exponential(phi)), read_rotation(s, k));
        memcpy(s->pose + 12 * k + 3, &R, sizeof R);
    }
}

/* Which branches a state is on: a difference across one says nothing. */
static void find_branches(scene *s, double *signs)
{
    s->e.batch.value = s->events;
    assert_int_equal(s->e.type->events(&s->e.batch), TN_OK);
    for (uint32_t k = 0; k < s->e.layout.events; k++)
        signs[k] = isnan(s->events[k]) ? 0 : s->events[k] > 0 ? 1 : -1;
}

static bool is_near(double got, double expected, double size)
{
    return fabs(got - expected) <= 2e-6 * (1 + size);
}

/* Forces (rows W) or rates (rows nx) against differences of the plain values, column by column; those that agree. */
static void check_tangent(scene *s, bool rates, int *good, int *all)
{
    static double tangent[6 * SCENE_SHAPES * (12 * SCENE_SHAPES + 32)];
    const uint32_t W = 6 * s->count, nx = s->e.layout.nx, rows = rates ? nx : W, columns = 2 * W + nx;
    tn_batch *batch = &s->e.batch;
    const tn_column_block blocks[] = {
        {TN_POSE_COLUMNS, 0, W}, {TN_TWIST_COLUMNS, W, W}, {TN_STATE_COLUMNS, 2 * W, nx}};
    batch->columns = blocks;
    batch->column_blocks = 3;
    batch->tangent_stride = columns;
    batch->tangent = tangent;
    assert_int_equal(rates ? s->e.type->rates_tangent(batch) : s->e.type->force_tangent(batch), TN_OK);
    const double *out = rates ? s->x_rate : s->wrench, h = 1e-6;
    double size = 0, signs[2][2 * SCENE_POINTS], value[2][6 * SCENE_SHAPES + 32];
    for (uint32_t k = 0; k < rows * columns; k++)
        size = fmax(size, fabs(tangent[k]));
    for (uint32_t c = 0; c < columns; c++) {
        for (int side = 0; side < 2; side++) {
            move(s, c, side ? h : -h);
            find_branches(s, signs[side]);
            assert_int_equal(rates ? s->e.type->rates(batch) : s->e.type->force(batch), TN_OK);
            memcpy(value[side], out, rows * sizeof *out);
            move(s, c, side ? -h : h);
        }
        if (memcmp(signs[0], signs[1], s->e.layout.events * sizeof(double)) != 0) continue;
        for (uint32_t r = 0; r < rows; r++, ++*all)
            *good += is_near((value[1][r] - value[0][r]) / (2 * h), tangent[r * columns + c], size);
    }
}

/* Other branches (which face, where a bristle slips, the speed of now) have no event: the few differences across them are let go. */
static void test_tangents_are_exact(void **state)
{
    (void)state;
    uint64_t seed = 13;
    int good = 0, all = 0;
    for (int k = 0; k < STATES; k++) {
        scene s;
        begin_shapes(&s, k % 3, k % 2);
        draw_scene(&s, &seed);
        check_tangent(&s, false, &good, &all);
        if (s.e.layout.nx) check_tangent(&s, true, &good, &all);
        scene_end(&s);
    }
    assert_true(all > 50000);
    assert_true(all - good <= all / 5000);
}

/* ---- energies ---------------------------------------------------------------------------------------------------------- */

static double read_energy(scene *s, tn_batch_function function)
{
    double value = (double)NAN;
    s->e.batch.value = &value;
    assert_int_equal(function(&s->e.batch), TN_OK);
    return value;
}

/* Regularised: what the forces take is stored or dissipated. Bristles dissipate, and never give. */
static void test_power_is_stored_or_dissipated(void **state)
{
    (void)state;
    uint64_t seed = 14;
    for (int k = 0; k < STATES; k++) {
        scene s;
        begin_shapes(&s, k % 3, k % 2);
        draw_scene(&s, &seed);
        find_forces(&s);
        double power = 0, size = 0;
        for (uint32_t e = 0; e < 6 * s.count; e++) {
            power += s.wrench[e] * s.twist[e];
            size += fabs(s.wrench[e] * s.twist[e]);
        }
        const double dissipated = read_energy(&s, s.e.type->dissipation), h = 1e-6;
        assert_true(dissipated >= 0);
        scene after = s, before = s;
        for (uint32_t m = 0; m < s.count; m++)
            for (uint32_t e = 0; e < 6; e++) {
                move(&after, 6 * m + e, h * s.twist[6 * m + e]);
                move(&before, 6 * m + e, -h * s.twist[6 * m + e]);
            }
        after.e.batch.pose = after.pose;
        before.e.batch.pose = before.pose;
        const double stored =
            (read_energy(&after, s.e.type->potential) - read_energy(&before, s.e.type->potential)) / (2 * h);
        if (k % 2 == 0) assert_true(fabs(power + dissipated + stored) <= 1e-6 * (1 + size));
        scene_end(&s);
    }
}

/* ---- events and data ----------------------------------------------------------------------------------------------------- */

static void test_an_impact_begins_a_bristle(void **state)
{
    (void)state;
    scene s;
    begin_sphere(&s, true, 1e-9, tn_vector(0, 0, -0.7), tn_zero());
    double sign[] = {-1, 0};
    s.x[0] = s.x[1] = 1e-5;
    s.e.batch.value = sign;
    s.e.layout.events = 2;
    assert_int_equal(s.e.type->on_event(&s.e.batch), TN_OK);
    expect_numbers(s.x, 0, 0);
    expect_numbers(s.wrench, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); /* no impulse */
    scene_end(&s);
}

/* What the data of the one point are behind a step that ends there, before which they were `before`. */
static double data_behind(double before, double depth, double speed, double step)
{
    scene s;
    begin_sphere(&s, false, depth, tn_vector(0, 0, -speed), tn_zero());
    s.d[CONTACT_DATA] = before;
    s.e.batch.step = step;
    assert_int_equal(s.e.type->accepted(&s.e.batch), TN_OK);
    const double after = s.d[CONTACT_DATA];
    scene_end(&s);
    return after;
}

/* Also of steps that pass over the impact: its speed is that of the step before. */
static void test_the_damping_goes_by_the_speed_of_the_impact(void **state)
{
    (void)state;
    expect_numbers(&(double){data_behind(0, -0.1, 0.7, 0.01)}, -0.7); /* open, and approaching */
    expect_numbers(&(double){data_behind(2, -0.1, -0.7, 0.01)}, 0);   /* open, and leaving */
    expect_numbers(&(double){data_behind(-0.6, 1e-12, 0.7, 0.01)}, 0.7);
    expect_numbers(&(double){data_behind(-0.9, 1e-12, 0.7, 0.01)}, 0.7);
    expect_numbers(&(double){data_behind(-0.9, 2e-3, 0.7, 0.01)}, 0.9);
    expect_numbers(&(double){data_behind(-0.9, 2e-3, -0.1, 0.01)}, 0.9);
    expect_numbers(&(double){data_behind(0, 1e-9, 1e-5, 0)}, 0.01); /* slower than the threshold */
    expect_numbers(&(double){data_behind(0.8, 2e-3, 0.1, 0.01)}, 0.8);
    /* within such a step, too */
    scene s;
    begin_sphere(&s, false, 0.01, tn_vector(0, 0, -0.3), tn_zero());
    const double C = loss_at_a_half(), elastic = 2000 * pow(0.01, 1.5);
    s.d[CONTACT_DATA] = -0.9;
    find_forces(&s);
    assert_true(fabs(s.wrench[8] / (elastic * (1 + C * 0.3 / 0.9)) - 1) < 1e-12);
    s.d[CONTACT_DATA] = -0.2;
    find_forces(&s);
    assert_true(fabs(s.wrench[8] / (elastic * (1 + C)) - 1) < 1e-12);
    scene_end(&s);
}

static void test_outputs_are_sums_over_the_points(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s, CONTACT_BY_PENALTY);
    scene_shape(&s, TN_PLANE, 1, 1, 0);
    scene_shape(&s, TN_BOX, 0.4, 0.2, 0.1);
    scene_prepare(&s);
    scene_put(&s, 0, tn_zero(), tn_identity(), tn_zero(), tn_zero());
    scene_put(&s, 1, tn_vector(1, 2, 0.05 - 1e-4), tn_identity(), tn_vector(0.03, 0.04, 0), tn_zero());
    find_forces(&s);
    const double N = s.wrench[8], T = hypot(s.wrench[6], s.wrench[7]);
    expect_numbers(test_value(&s.e, "normal_force"), N);
    expect_numbers(test_value(&s.e, "friction_force"), T);
    expect_numbers(test_value(&s.e, "gap"), -1e-4);
    expect_numbers(test_value(&s.e, "points"), 4);
    expect_numbers(test_value(&s.e, "slip"), 0.05);
    const double *position = test_value(&s.e, "position");
    assert_true(fabs(position[0] - 1) + fabs(position[1] - 2) + fabs(position[2] + 0.5e-4) < 1e-12);
    scene_put(&s, 1, tn_vector(1, 2, 0.07), tn_identity(), tn_zero(), tn_zero());
    expect_numbers(test_value(&s.e, "gap"), 0.02);
    expect_numbers(test_value(&s.e, "points"), 0);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_normal_force_is_that_of_hunt_and_crossley),
        cmocka_unit_test(test_regularised_friction_opposes_the_slip),
        cmocka_unit_test(test_a_bristle_is_a_spring_up_to_its_length),
        cmocka_unit_test(test_forces_and_moments_add_up_to_nothing),
        cmocka_unit_test(test_the_law_does_not_depend_on_the_frame),
        cmocka_unit_test(test_tangents_are_exact),
        cmocka_unit_test(test_power_is_stored_or_dissipated),
        cmocka_unit_test(test_an_impact_begins_a_bristle),
        cmocka_unit_test(test_the_damping_goes_by_the_speed_of_the_impact),
        cmocka_unit_test(test_outputs_are_sums_over_the_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_rolling_disc.c - the law against one written anew, its derivatives in all regimes, energy, and how it switches. */
#include "../test_element.h"

#define STATES 300

static double draw(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static tn_vec3 draw_vector(uint64_t *seed, double size)
{
    const double x = draw(seed, -size, size), y = draw(seed, -size, size);
    return tn_vector(x, y, draw(seed, -size, size));
}

static tn_quaternion draw_turn(uint64_t *seed)
{
    const double w = draw(seed, -1, 1), x = draw(seed, -1, 1), y = draw(seed, -1, 1);
    return (tn_quaternion){w, x, y, draw(seed, -1, 1)};
}

/* A disc of radius 0.5 that stands on the z = 0 plane of ground, its axis along x, sunk in by `depth`; everything moves
 * that may. */
static void disc_begin(test_element *e, double depth)
{
    test_begin(e, "rolling_disc");
    test_frame(e, 0, tn_zero(), TEST_NO_TURN);
    test_frame(e, 0, tn_vector(0, 0, 0.5 - depth), TEST_NO_TURN);
    test_give(e, "disc_radius", 0.5);
    assert_int_equal(test_prepare(e), TN_OK);
}

/* All parameters, frames and motions at random, the disc near the plane. */
static void disc_at_random(test_element *e, uint64_t *seed)
{
    test_begin(e, "rolling_disc");
    const tn_vec3 axis = draw_vector(seed, 2), normal = draw_vector(seed, 3);
    const double radius = draw(seed, 0.1, 1);
    test_give(e, "disc_radius", radius);
    test_store(e, "disc_axis", axis.e, 3);
    test_store(e, "plane_normal", normal.e, 3);
    test_give(e, "dry_friction_angle", draw(seed, -3, 3));
    test_give(e, "contact_stiffness", draw(seed, 0, 1000));
    test_give(e, "contact_damping", draw(seed, 0, 10));
    test_give(e, "dry_friction", draw(seed, 0, 1), draw(seed, 0, 1));
    test_give(e, "dry_friction_proportional_zone", draw(seed, 0.1, 4));
    test_give(e, "viscous_friction", draw(seed, 0, 0.3), draw(seed, 0, 0.3));
    test_give(e, "rolling_friction_viscous", draw(seed, 0, 0.5));
    *(int32_t *)test_place(e, test_parameter(e, "use_linear_proportional_zone")) = draw(seed, 0, 1) < 0.5;
    const tn_quaternion turn = draw_turn(seed);
    const tn_vec3 place = draw_vector(seed, 1), n = tn_rotate(tn_rotation_of(turn), normal);
    const tn_vec3 along = draw_vector(seed, 1);
    const double height = draw(seed, -0.2, 1.0) * radius - tn_dot(along, n) / tn_norm(n);
    const tn_vec3 centre = tn_add(place, tn_add(along, tn_scale(height / tn_norm(n), n)));
    test_moving_frame(e, 0, place, turn, draw_vector(seed, 1), draw_vector(seed, 1));
    test_moving_frame(e, 0, centre, draw_turn(seed), draw_vector(seed, 1), draw_vector(seed, 2));
    assert_int_equal(test_prepare(e), TN_OK);
}

/* ---- the law, written anew ------------------------------------------------------------------------------- */

static double number(const test_element *e, const char *name, int k)
{
    return ((const double *)test_place(e, test_parameter(e, name)))[k];
}

static tn_vec3 axis_of(const test_element *e, const char *name, int marker)
{
    tn_mat3 R;
    memcpy(&R, e->pose + 12 * marker + 3, sizeof R);
    const tn_vec3 a = tn_vector(number(e, name, 0), number(e, name, 1), number(e, name, 2));
    return tn_rotate(R, tn_scale(1 / tn_norm(a), a));
}

static tn_vec3 read(const double *from) { return tn_vector(from[0], from[1], from[2]); }

static tn_vec3 velocity_at(const test_element *e, int marker, tn_vec3 place)
{
    const tn_vec3 arm = tn_subtract(place, read(e->pose + 12 * marker));
    return tn_add(read(e->twist + 6 * marker), tn_cross(read(e->twist + 6 * marker + 3), arm));
}

/* The contact point as the lowest one of the circle; friction in its own turned axes. Wrenches as the element's. */
static void expected_wrenches(const test_element *e, double wrench[12])
{
    const double radius = number(e, "disc_radius", 0), angle = number(e, "dry_friction_angle", 0);
    const double zone = number(e, "dry_friction_proportional_zone", 0);
    const bool linear = *(int32_t *)test_place(e, test_parameter(e, "use_linear_proportional_zone"));
    const tn_vec3 n = axis_of(e, "plane_normal", 0), a = axis_of(e, "disc_axis", 1);
    const tn_vec3 centre = read(e->pose + 12), ground = read(e->pose);
    tn_vec3 down = tn_subtract(tn_scale(tn_dot(n, a), a), n);
    down = tn_scale(radius / tn_norm(down), down);
    const tn_vec3 C = tn_add(centre, down);
    const double gap = tn_dot(tn_subtract(C, ground), n);
    const tn_vec3 slip = tn_subtract(velocity_at(e, 1, C), velocity_at(e, 0, C));
    const double normal =
        -number(e, "contact_stiffness", 0) * gap - number(e, "contact_damping", 0) * tn_dot(slip, n);
    memset(wrench, 0, 12 * sizeof *wrench);
    if (gap >= 0 || normal <= 0) return;

    // main axes of friction: lateral and forward, turned by -angle about the normal
    tn_vec3 forward = tn_cross(a, n);
    forward = tn_scale(1 / tn_norm(forward), forward);
    const tn_vec3 lateral = tn_cross(forward, tn_negate(n));
    const double c = cos(angle), s = sin(angle);
    const tn_vec3 axis[2] = {tn_subtract(tn_scale(c, lateral), tn_scale(s, forward)),
                             tn_add(tn_scale(s, lateral), tn_scale(c, forward))};
    const double speed = tn_norm(tn_subtract(slip, tn_scale(tn_dot(slip, n), n))), x = fmin(speed / zone, 1);
    tn_vec3 force = tn_scale(normal, n);
    for (int k = 0; k < 2; k++) {
        const double mu = number(e, "dry_friction", k) + number(e, "viscous_friction", k) * speed;
        const double size = mu * (linear ? x : x * (2 - x)) * normal * tn_dot(slip, axis[k]) / speed;
        force = tn_subtract(force, tn_scale(size, axis[k]));
    }
    const tn_vec3 motion = tn_subtract(read(e->twist + 6), velocity_at(e, 0, centre));
    const tn_vec3 resistance = tn_scale(-number(e, "rolling_friction_viscous", 0) * normal,
                                        tn_subtract(motion, tn_scale(tn_dot(motion, n), n)));
    for (int k = 0; k < 2; k++) {
        const tn_vec3 p = k ? centre : ground;
        const tn_vec3 f = tn_scale(k ? 1 : -1, force), r = tn_scale(k ? 1 : -1, resistance);
        const tn_vec3 sum = tn_add(f, r);
        const tn_vec3 moment = tn_add(tn_cross(tn_subtract(C, p), f), tn_cross(tn_subtract(centre, p), r));
        memcpy(wrench + 6 * k, sum.e, sizeof sum);
        memcpy(wrench + 6 * k + 3, moment.e, sizeof moment);
    }
}

static double largest(const double *numbers, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(numbers[i]));
    return most;
}

static void test_forces_are_those_of_the_law_written_anew(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int touching = 0;
    for (int k = 0; k < STATES; k++) {
        test_element e;
        double expected[12];
        disc_at_random(&e, &seed);
        expected_wrenches(&e, expected);
        assert_int_equal(test_force(&e), TN_OK);
        const double size = largest(expected, 12);
        touching += size > 0;
        for (int i = 0; i < 12; i++)
            if (!(fabs(e.wrench[i] - expected[i]) <= 1e-11 * size))
                fail_msg("state %d, entry %d: %.15g instead of %.15g", k, i, e.wrench[i], expected[i]);
        test_end(&e);
    }
    assert_in_range(touching, STATES / 4, STATES - STATES / 10);
}

/* Forces as they are told by the outputs; what they do is dissipated or stored. */
static void test_power_is_stored_or_dissipated(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < 1000; k++) {
        test_element e;
        disc_at_random(&e, &seed);
        assert_int_equal(test_force(&e), TN_OK);
        const double gap = *test_value(&e, "gap");
        const double sine = tn_norm(tn_cross(axis_of(&e, "plane_normal", 0), axis_of(&e, "disc_axis", 1)));
        if (fabs(gap) > 0.02 && sine > 0.6) assert_true(test_balance_of_power(&e) >= -1e-12);
        assert_int_equal(e.type->dissipation(&e.batch), TN_OK);
        assert_true(e.value[0] >= -1e-12);
        test_end(&e);
    }
}

static void test_outputs_belong_together(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int k = 0; k < 50; k++) {
        test_element e;
        double R[9], slip[3], force[3], C[3], local[3];
        disc_at_random(&e, &seed);
        memcpy(R, test_value(&e, "rotation"), sizeof R);
        memcpy(slip, test_value(&e, "velocity_local"), sizeof slip);
        memcpy(force, test_value(&e, "force"), sizeof force);
        memcpy(C, test_value(&e, "position"), sizeof C);
        memcpy(local, test_value(&e, "force_local"), sizeof local);
        const tn_vec3 n = axis_of(&e, "plane_normal", 0);
        const tn_vec3 velocity = tn_subtract(velocity_at(&e, 1, read(C)), velocity_at(&e, 0, read(C)));
        for (int i = 0; i < 3; i++) {
            const tn_vec3 column = tn_vector(R[i], R[3 + i], R[6 + i]);
            expect_numbers(&(double){tn_norm(column)}, 1);
            expect_numbers(&slip[i], tn_dot(column, velocity));
        }
        expect_numbers(&(double){R[2] * n.e[0] + R[5] * n.e[1] + R[8] * n.e[2]}, 1);

        // the resistance at the centre is tangential
        expect_numbers(&local[2], tn_dot(n, read(force)));
        const double gap = tn_dot(n, tn_subtract(read(C), read(e.pose)));
        expect_numbers(test_value(&e, "gap"), gap);
        assert_int_equal(test_force(&e), TN_OK);
        expect_numbers(force, e.wrench[6], e.wrench[7], e.wrench[8]);
        expect_numbers(test_value(&e, "torque"), e.wrench[9], e.wrench[10], e.wrench[11]);
        test_end(&e);
    }
}

/* Moves a marker by an increment: displacement, then rotation vector in ground axes. */
static void move(test_element *e, int marker, const double *increment)
{
    double *pose = e->pose + 12 * marker;
    for (int i = 0; i < 3; i++)
        pose[i] += increment[i];
    tn_mat3 R;
    memcpy(&R, pose + 3, sizeof R);
    R = tn_multiply(tn_rotation_of(tn_exponential(read(increment + 3))), R);
    memcpy(pose + 3, &R, sizeof R);
}

/* The contact point runs along its trail on the plane. */
static void test_velocity_is_that_of_the_trail(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int k = 0; k < 50; k++) {
        test_element e;
        double C[2][3], pose[24], step[12];
        const double h = 1e-6;
        disc_at_random(&e, &seed);
        memcpy(pose, e.pose, sizeof pose);
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 12; i++)
                step[i] = (side ? h : -h) * e.twist[i];
            memcpy(e.pose, pose, sizeof pose);
            move(&e, 0, step);
            move(&e, 1, step + 6);
            memcpy(C[side], test_value(&e, "position"), sizeof C[side]);
        }
        memcpy(e.pose, pose, sizeof pose);
        const tn_vec3 of_plane = velocity_at(&e, 0, read(test_value(&e, "position")));
        const double *velocity = test_value(&e, "velocity");
        for (int i = 0; i < 3; i++)
            assert_true(fabs((C[1][i] - C[0][i]) / (2 * h) - of_plane.e[i] - velocity[i]) <=
                        1e-6 * (1 + largest(velocity, 3)));
        test_end(&e);
    }
}

/* ---- derivatives ----------------------------------------------------------------------------------------- */

static void difference(test_element *e, int column, double h, double *wrench)
{
    double pose[24], twist[12], increment[12] = {0};
    memcpy(pose, e->pose, sizeof pose);
    memcpy(twist, e->twist, sizeof twist);
    if (column < 12) {
        increment[column] = h;
        move(e, 0, increment);
        move(e, 1, increment + 6);
    } else {
        e->twist[column - 12] += h;
    }
    assert_int_equal(test_force(e), TN_OK);
    memcpy(wrench, e->wrench, 12 * sizeof *wrench);
    memcpy(e->pose, pose, sizeof pose);
    memcpy(e->twist, twist, sizeof twist);
}

static void check_tangent(test_element *e)
{
    const double h = 1e-6;
    assert_int_equal(test_force_tangent(e), TN_OK);
    const double size = largest(e->tangent, 12 * 24);
    for (int column = 0; column < 24; column++) {
        double up[12], down[12];
        difference(e, column, h, up);
        difference(e, column, -h, down);
        for (int i = 0; i < 12; i++) {
            const double expected = (up[i] - down[i]) / (2 * h);
            if (!(fabs(e->tangent[24 * i + column] - expected) <= 1e-6 * (1 + size)))
                fail_msg("row %d, column %d: %.9g instead of %.9g", i, column, e->tangent[24 * i + column],
                         expected);
        }
    }
}

/* By the state, and held: open, in the zone (also where the slip has left it), sliding one way (also where the slip
 * has turned round), and pressed where the state would not. */
static void test_derivatives_are_exact_in_all_regimes(void **state)
{
    (void)state;
    uint64_t seed = 5;
    static const double data[][3] = {{0, 0, 1}, {0, 0, -1}, {5, 1, -1}, {-3, 7, -1}, {-5, -5, -1}};
    enum { REGIMES = sizeof data / sizeof *data };
    for (int k = 0; k < STATES; k++) {
        test_element e;
        disc_at_random(&e, &seed);
        e.batch.frozen = k % (REGIMES + 1) > 0;
        if (e.batch.frozen) memcpy(e.discrete, data[k % (REGIMES + 1) - 1], sizeof data[0]);
        check_tangent(&e);
        test_end(&e);
    }
}

/* ---- switching ------------------------------------------------------------------------------------------- */

static double update(test_element *e, double step)
{
    e->batch.step = step;
    e->batch.time = 1;
    assert_int_equal(e->type->update(&e->batch), TN_OK);
    return e->batch.error;
}

static void test_data_that_agree_with_the_state_give_the_law_of_the_state(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int k = 0; k < STATES; k++) {
        test_element e;
        double held[12];
        disc_at_random(&e, &seed);
        (void)update(&e, 0.1);
        expect_numbers(&(double){update(&e, 0.1)}, 0);
        e.batch.frozen = 1;
        assert_int_equal(test_force(&e), TN_OK);
        memcpy(held, e.wrench, sizeof held);
        e.batch.frozen = 0;
        assert_int_equal(test_force(&e), TN_OK);
        assert_memory_equal(held, e.wrench, sizeof held);
        test_end(&e);
    }
}

static void test_an_impact_tells_where_the_step_should_have_ended(void **state)
{
    (void)state;
    test_element e;
    disc_begin(&e, 0.01);
    test_give(&e, "contact_stiffness", 1000);
    test_give(&e, "contact_damping", 20);
    e.twist[8] = -2;
    e.batch.frozen = 1;

    // it is held as open: no force, until the update finds 10 N + 40 N
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(&e.wrench[8], 0);
    expect_numbers(&(double){update(&e, 0.1)}, 50);
    expect_numbers(&e.batch.recommended_step, 0.1 - 0.01 / 2);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(&e.wrench[8], 50);
    expect_numbers(&(double){update(&e, 0.1)}, 0);
    expect_numbers(&e.batch.recommended_step, 0);

    // a damper that would pull lets go, for the time being
    e.twist[8] = 1;
    expect_numbers(&(double){update(&e, 0.1)}, 10);
    expect_numbers(&e.batch.recommended_step, 0);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(&e.wrench[8], 0);

    // an instance that is not active has nothing to say
    e.twist[8] = -2;
    e.active[0] = 0;
    expect_numbers(&(double){update(&e, 0.1)}, 0);
    expect_numbers(&e.batch.recommended_step, 0);
    test_end(&e);
}

/* The force of sliding holds its direction until the iteration ends; then the disc may come to rest in the zone. */
static void test_slip_that_turns_round_stops_in_the_zone(void **state)
{
    (void)state;
    test_element e;
    disc_begin(&e, 0.01);
    test_give(&e, "contact_stiffness", 1000);
    test_give(&e, "dry_friction", 0.5, 0.5);
    test_give(&e, "dry_friction_proportional_zone", 0.1);
    e.twist[6] = 3;
    (void)update(&e, 0.1);
    e.batch.frozen = 1;
    e.twist[6] = -2;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(&e.wrench[6], -5);

    // the line through zero, which goes on beyond the zone
    assert_true(update(&e, 0.1) > 5);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(&e.wrench[6], 5 * 2 / 0.1);
    e.twist[6] = -0.05;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(&e.wrench[6], 5 * 0.75);
    expect_numbers(&(double){update(&e, 0.1)}, 0);
    test_end(&e);
}

static void test_friction_without_a_zone_is_warned_of(void **state)
{
    (void)state;
    test_element e;
    disc_begin(&e, 0.01);
    (void)update(&e, 0);
    assert_null(e.failure.message);
    test_give(&e, "dry_friction", 0, 0.5);
    (void)update(&e, 0.1);
    assert_null(e.failure.message);
    (void)update(&e, 0);
    assert_non_null(strstr(e.failure.message, "dry_friction_proportional_zone"));

    // at rest there is no direction: no force, and no infinite derivative
    test_give(&e, "contact_stiffness", 1000);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench + 6, 0, 0, 10, 0, 0, 0);
    assert_int_equal(test_force_tangent(&e), TN_OK);
    for (int i = 0; i < 12 * 24; i++)
        assert_true(isfinite(e.tangent[i]));
    test_end(&e);
}

/* ---- refusals -------------------------------------------------------------------------------------------- */

static void test_a_disc_that_lies_flat_has_no_contact_point(void **state)
{
    (void)state;
    test_element e;
    disc_begin(&e, 0.01);
    test_give(&e, "disc_axis", 0, 0, -1);
    assert_int_equal(test_force(&e), TN_RETRY);
    assert_non_null(strstr(e.failure.message, "parallel"));
    assert_int_equal(e.failure.instance, 0);
    assert_int_equal(test_output(&e, "position"), TN_RETRY);
    expect_numbers(&(double){update(&e, 0.1)}, 0);
    test_end(&e);
}

static void test_directions_of_any_length_but_zero(void **state)
{
    (void)state;
    test_element e;
    disc_begin(&e, 0.01);
    expect_numbers((const double *)test_place(&e, test_parameter(&e, "disc_axis")), 1, 0, 0);
    expect_numbers((const double *)test_place(&e, test_parameter(&e, "plane_normal")), 0, 0, 1);
    test_give(&e, "disc_axis", 0, 3, 4);
    assert_int_equal(test_prepare(&e), TN_OK);
    expect_numbers((const double *)test_place(&e, test_parameter(&e, "disc_axis")), 0, 0.6, 0.8);
    test_give(&e, "plane_normal", 0, 0, 0);
    assert_int_equal(test_prepare(&e), TN_INVALID);
    assert_string_equal(e.host.parameter, "plane_normal");
    test_end(&e);
}

static void test_inactive_transmits_nothing_but_measures(void **state)
{
    (void)state;
    test_element e;
    disc_begin(&e, 0.01);
    test_give(&e, "contact_stiffness", 1000);
    expect_numbers(test_value(&e, "potential_energy"), 0.5 * 1000 * 1e-4);
    e.active[0] = 0;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "force_local"), 0, 0, 0);
    expect_numbers(test_value(&e, "force"), 0, 0, 0);
    expect_numbers(test_value(&e, "potential_energy"), 0);
    expect_numbers(test_value(&e, "gap"), -0.01);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_are_those_of_the_law_written_anew),
        cmocka_unit_test(test_power_is_stored_or_dissipated),
        cmocka_unit_test(test_outputs_belong_together),
        cmocka_unit_test(test_velocity_is_that_of_the_trail),
        cmocka_unit_test(test_derivatives_are_exact_in_all_regimes),
        cmocka_unit_test(test_data_that_agree_with_the_state_give_the_law_of_the_state),
        cmocka_unit_test(test_an_impact_tells_where_the_step_should_have_ended),
        cmocka_unit_test(test_slip_that_turns_round_stops_in_the_zone),
        cmocka_unit_test(test_friction_without_a_zone_is_warned_of),
        cmocka_unit_test(test_a_disc_that_lies_flat_has_no_contact_point),
        cmocka_unit_test(test_directions_of_any_length_but_zero),
        cmocka_unit_test(test_inactive_transmits_nothing_but_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

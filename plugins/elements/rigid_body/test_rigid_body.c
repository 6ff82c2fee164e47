/* test_rigid_body.c - a body whose centre of mass is not its reference point: start values, outputs while it
 * turns, markers; Euler's equations; and the inertias that no body has. */
#include "../test_body.h"

#define RIGHT_ANGLE 1.57079632679489661923
#define HALF_ROOT 0.70710678118654752440 /* cos and sin of half a right angle */

/* A body turned by 90 degrees about z, so that its axes x y z lie along ground's y, -x, z; its centre of mass
 * stands half a metre along its x, at (1, 2.5, 3). It turns with (0, 3, 2) in its own axes, (-3, 0, 2) in
 * ground axes. */
static void body_begin(test_element *e)
{
    test_begin(e, "rigid_body");
    test_give(e, "mass", 2);
    test_give(e, "inertia", 0.4, 0.5, 0.6);
    test_give(e, "com", 0.5, 0, 0);
    test_give(e, "position", 1, 2, 3);
    test_store(e, "rotation", TEST_TURN_Z, 9);
    test_give(e, "velocity", 1, 0, 0);
}

static void turning_body_begin(test_element *e)
{
    body_begin(e);
    test_give(e, "angular_velocity", 0, 3, 2);
    test_start(e);
}

static void test_starts_at_its_centre_of_mass(void **state)
{
    (void)state;
    test_element e;
    turning_body_begin(&e);
    expect_numbers(e.q, 1, 2.5, 3, HALF_ROOT, 0, 0, HALF_ROOT);

    // (1, 0, 0) + (-3, 0, 2) x (0, 0.5, 0), then the angular velocity in body axes
    expect_numbers(e.v, 0, 0, -1.5, 0, 3, 2);
    test_end(&e);
}

static void test_angular_velocity_in_ground_axes_means_the_same(void **state)
{
    (void)state;
    test_element e;
    body_begin(&e);
    test_give(&e, "angular_velocity_ground", -3, 0, 2);
    test_start(&e);
    expect_numbers(e.v, 0, 0, -1.5, 0, 3, 2);
    test_end(&e);

    body_begin(&e);
    test_start(&e); // neither given: it does not turn
    expect_numbers(e.v, 1, 0, 0, 0, 0, 0);
    test_end(&e);

    // both given: refused, even when they agree
    body_begin(&e);
    test_give(&e, "angular_velocity", 0, 3, 2);
    test_give(&e, "angular_velocity_ground", -3, 0, 2);
    assert_int_equal(test_prepare(&e), TN_INVALID);
    assert_string_equal(e.host.parameter, "angular_velocity_ground");
    assert_non_null(strstr(e.host.message, "angular_velocity is given too"));
    test_end(&e);
}

static void test_outputs_of_the_reference_point_while_it_turns(void **state)
{
    (void)state;
    test_element e;
    turning_body_begin(&e);
    expect_numbers(test_value(&e, "position"), 1, 2, 3);
    expect_numbers(test_value(&e, "displacement"), 0, 0, 0);
    expect_numbers(test_value(&e, "velocity"), 1, 0, 0);
    expect_numbers(test_value(&e, "com_position"), 1, 2.5, 3);

    // with r = (0, -0.5, 0) from the centre of mass, w = (-3, 0, 2), w' = (0, 1, 2) in ground axes:
    // w' x r = (1, 0, 0), w x (w x r) = (0, 6.5, 0)
    memcpy(e.a, (const double[]){0.1, 0.2, 0.3, 1, 0, 2}, sizeof e.a);
    expect_numbers(test_value(&e, "acceleration"), 1.1, 6.7, 0.3);
    expect_numbers(test_value(&e, "angular_acceleration"), 0, 1, 2);

    // turned back to ground axes about the centre of mass, the reference point moves by (-0.5, 0.5, 0)
    memcpy(e.q + 3, (const double[]){1, 0, 0, 0}, 4 * sizeof *e.q);
    expect_numbers(test_value(&e, "position"), 0.5, 2.5, 3);
    expect_numbers(test_value(&e, "displacement"), -0.5, 0.5, 0);
    test_end(&e);
}

static void test_orientation_outputs_and_energy(void **state)
{
    (void)state;
    test_element e;
    turning_body_begin(&e);
    expect_numbers(test_value(&e, "rotation"), 0, -1, 0, 1, 0, 0, 0, 0, 1);
    expect_numbers(test_value(&e, "quaternion"), HALF_ROOT, 0, 0, HALF_ROOT);
    expect_numbers(test_value(&e, "angular_velocity"), -3, 0, 2);
    expect_numbers(test_value(&e, "angular_velocity_local"), 0, 3, 2);

    // (2 1.5^2 + 0.5 3^2 + 0.6 2^2) / 2, with the speed of the centre of mass
    expect_numbers(test_value(&e, "kinetic_energy"), 5.7);
    test_end(&e);
}

static void test_weight_and_potential_belong_to_the_centre_of_mass(void **state)
{
    (void)state;
    test_element e;
    body_begin(&e);
    test_start(&e);
    e.gravity[1] = -10;
    assert_int_equal(e.type->body_force(&e.batch), TN_OK);
    expect_numbers(e.force, 0, -20, 0, 0, 0, 0);
    assert_int_equal(e.type->potential(&e.batch), TN_OK);
    expect_numbers(e.value, 50); // 2 10 2.5

    test_give(&e, "gravity_scale", 0.5);
    assert_int_equal(e.type->body_force(&e.batch), TN_OK);
    expect_numbers(e.force, 0, -10, 0, 0, 0, 0);
    assert_int_equal(e.type->potential(&e.batch), TN_OK);
    expect_numbers(e.value, 25);
    test_end(&e);
}

/* w' = ((J2 - J3) w2 w3 / J1, ...) for J = (2, 3, 4) and w = (1, 2, 3). */
static void test_torque_free_rates_are_those_of_euler(void **state)
{
    (void)state;
    test_element e;
    body_begin(&e);
    test_give(&e, "inertia", 2, 3, 4);
    test_give(&e, "angular_velocity", 1, 2, 3);
    test_start(&e);
    assert_int_equal(e.type->body_force(&e.batch), TN_OK);
    assert_int_equal(e.type->mass(&e.batch), TN_OK);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            expect_numbers(e.mass + 6 * i + j, i != j ? 0 : i < 3 ? 2 : i - 1);
    expect_numbers(e.force, 0, 0, 0, 2 * -3, 3 * 2, 4 * -0.5);
    test_end(&e);
}

static void test_six_entries_are_those_of_the_matrix(void **state)
{
    (void)state;
    test_element e;
    body_begin(&e);
    test_give(&e, "inertia", 2, 3, 4, 0.1, 0.2, 0.3);
    test_give(&e, "angular_velocity", 1, 0, 0);
    test_start(&e);
    assert_int_equal(e.type->mass(&e.batch), TN_OK);
    expect_numbers(e.mass + 6 * 3 + 3, 2, 0.1, 0.2);
    expect_numbers(e.mass + 6 * 4 + 3, 0.1, 3, 0.3);
    expect_numbers(e.mass + 6 * 5 + 3, 0.2, 0.3, 4);

    // -w x J w = (2, 0.1, 0.2) x (1, 0, 0)
    assert_int_equal(e.type->body_force(&e.batch), TN_OK);
    expect_numbers(e.force + 3, 0, 0.2, -0.1);
    test_end(&e);
}

static void test_inertias_that_no_body_has_are_refused(void **state)
{
    (void)state;
    static const struct {
        double inertia[6];
        const char *reason;
    } refused[] = {
        {{-1, 1, 1, 0, 0, 0}, "not positive"},
        {{0, 1, 1, 0, 0, 0}, "not positive"},
        {{1, 1, 1, 2, 0, 0}, "not positive"},               // principal moments -1, 1, 3
        {{1, 1, 2.1, 0, 0, 0}, "exceeds the sum"},          // one more than the other two together,
        {{2, 2, 2, 0, 1.2, 0}, "exceeds the sum"},          // as only the principal moments 0.8, 2, 3.2 show,
        {{2.5e-9, 1e-9, 1e-9, 0, 0, 0}, "exceeds the sum"}, // however small the body
    };
    static const double accepted[][6] = {
        {1, 1, 2, 0, 0, 0},   // a thin disc
        {1, 1, 1, 0, 0, 0},   // a ball
        {2, 2, 2, 0, 0.9, 0}, // principal moments 1.1, 2, 2.9
        {2e6, 3e6, 4e6, 0, 0, 0},   {2e-12, 3e-12, 4e-12, 0, 0, 0}, {2.4e-9, 2.0833, 2.0833, 0, 0, 0},
        {1e-10, 0.3, 0.3, 0, 0, 0}, // thin wires
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        test_element e;
        body_begin(&e);
        test_store(&e, "inertia", refused[i].inertia, 6);
        assert_int_equal(test_prepare(&e), TN_INVALID);
        assert_string_equal(e.host.parameter, "inertia");
        assert_non_null(strstr(e.host.message, "inertia"));
        assert_non_null(strstr(e.host.message, refused[i].reason));
        test_end(&e);
    }
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        test_element e;
        body_begin(&e);
        test_store(&e, "inertia", accepted[i], 6);
        assert_int_equal(test_prepare(&e), TN_OK);
        assert_string_equal(e.host.message, "");
        test_end(&e);
    }
}

static void test_a_hair_too_much_inertia_only_warns(void **state)
{
    (void)state;
    test_element e;
    body_begin(&e);
    test_give(&e, "inertia", 1, 1, 2 + 1e-10);
    assert_int_equal(test_prepare(&e), TN_OK);
    assert_non_null(strstr(e.host.message, "inertia"));
    test_end(&e);
}

static void test_only_a_point_at_the_centre_of_mass_is_the_state_itself(void **state)
{
    (void)state;
    static const struct {
        uint32_t kind;
        double x;
        int32_t place;
    } cases[] = {{TN_POINT, 0.5, 0}, {TN_POINT, 0, -1}, {TN_POINT, 0.4, -1}, {TN_FRAME, 0.5, -1}};
    test_element e;
    turning_body_begin(&e);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(test_bind(&e, cases[i].kind, tn_vector(cases[i].x, 0, 0), TEST_NO_TURN), TN_OK);
        assert_int_equal(e.attachment.alias_pose, cases[i].place);
        assert_int_equal(e.attachment.alias_twist, cases[i].place);
    }
    test_end(&e);
}

static void test_markers_count_from_the_reference_point(void **state)
{
    (void)state;
    test_element e;
    turning_body_begin(&e);

    // in the reference point itself: the pose and the velocity that the model gave
    assert_int_equal(test_bind(&e, TN_FRAME, tn_zero(), TEST_NO_TURN), TN_OK);
    test_ride(&e, e.type->pose);
    test_ride(&e, e.type->twist);
    expect_numbers(e.pose, 1, 2, 3, 0, -1, 0, 1, 0, 0, 0, 0, 1);
    expect_numbers(e.twist, 1, 0, 0, -3, 0, 2);

    // one metre along the body's y, turned: (1, 0, 0) + (-3, 0, 2) x (-1, 0, 0)
    assert_int_equal(test_bind(&e, TN_FRAME, tn_vector(0, 1, 0), TEST_TURN_X), TN_OK);
    test_ride(&e, e.type->pose);
    test_ride(&e, e.type->twist);
    expect_numbers(e.pose, 0, 2, 3, 0, 0, 1, 1, 0, 0, 0, 1, 0);
    expect_numbers(e.twist, 1, -2, 0, -3, 0, 2);
    test_end(&e);
}

static void test_wrenches_act_about_the_centre_of_mass(void **state)
{
    (void)state;
    test_element e;
    turning_body_begin(&e);
    assert_int_equal(test_bind(&e, TN_FRAME, tn_zero(), TEST_NO_TURN), TN_OK);

    // (-0.5, 0, 0) x (0, 0, 10) in body axes, and ground's x is the body's -y; added to what is there
    memcpy(e.wrench, (const double[]){0, 0, 10, 4, 0, 0}, 6 * sizeof *e.wrench);
    for (int i = 0; i < 6; i++)
        e.force[i] = 100;
    test_ride(&e, e.type->pull_back);
    expect_numbers(e.force, 100, 100, 110, 100, 101, 100);
    test_end(&e);
}

static void test_coordinates_are_those_of_the_reference_point(void **state)
{
    (void)state;
    test_element e;
    turning_body_begin(&e);
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(test_bind_coordinate(&e, (const char *const[]){"x", "y", "z"}[axis]), TN_OK);
        assert_int_equal(e.attachment.alias_pose, -1);
        test_no_numbers(e.pose, 2);
        test_no_numbers(e.twist, 2);
        test_ride(&e, e.type->pose);
        test_ride(&e, e.type->twist);
        expect_numbers(e.pose, axis + 1);
        expect_numbers(e.twist, axis == 0);
        assert_true(isnan(e.pose[1]) && isnan(e.twist[1]));
    }

    // a force on its height turns the body about its centre of mass: (-0.5, 0, 0) x (0, 0, 10) in body axes
    e.wrench[0] = 10;
    test_ride(&e, e.type->pull_back);
    expect_numbers(e.force, 0, 0, 10, 0, 5, 0);
    test_only_axes_are_coordinates(&e, true);
    test_end(&e);

    // where the reference point is the centre of mass they stand in the state
    body_begin(&e);
    test_give(&e, "com", 0, 0, 0);
    test_start(&e);
    assert_int_equal(test_bind_coordinate(&e, "y"), TN_OK);
    assert_int_equal(e.attachment.alias_pose, 1);
    assert_int_equal(e.attachment.alias_twist, 1);
    test_end(&e);
}

static void test_increments_turn_in_body_axes(void **state)
{
    (void)state;
    test_element e;
    turning_body_begin(&e);
    e.batch.increment = (const double[]){1, 0, 0, RIGHT_ANGLE, 0, 0};
    e.batch.configuration = e.q;
    assert_int_equal(e.type->retract(&e.batch), TN_OK);
    expect_numbers(test_value(&e, "com_position"), 2, 2.5, 3);
    expect_numbers(test_value(&e, "rotation"), 0, 0, 1, 1, 0, 0, 0, 1, 0);
    test_end(&e);
}

/* Three bodies that turn by right angles about x, y and z: what points along ground axes goes on doing so. */
static void test_vectors_keep_their_components_in_ground_axes(void **state)
{
    (void)state;
    test_element e;
    turning_body_begin(&e);
    static const double from[3][7] = {{1, 2, 3, 1}, {4, 5, 6, 1}, {7, 8, 9, 1}};
    static const double to[3][7] = {{0, 0, 0, HALF_ROOT, HALF_ROOT},
                                    {0, 0, 0, HALF_ROOT, 0, HALF_ROOT},
                                    {0, 0, 0, HALF_ROOT, 0, 0, HALF_ROOT}};
    static const double first[3][6] = {{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}};
    double second[3][6] = {{7, 8, 9, 1, 2, 3}, {7, 8, 9, 1, 2, 3}, {7, 8, 9, 1, 2, 3}}, result[3][6], q[3][7];
    memcpy(q, to, sizeof q);
    tn_batch batch = e.batch;
    batch.count = 3;
    batch.q = from[0];
    batch.target = q[0];
    batch.vector[0] = first[0];
    batch.transported[0] = result[0];
    batch.vector[1] = batch.transported[1] = second[0];
    assert_int_equal(e.type->transport(&batch), TN_OK);
    expect_numbers(result[0], 1, 2, 3, 4, 6, -5);
    expect_numbers(result[1], 1, 2, 3, -6, 5, 4);
    expect_numbers(result[2], 1, 2, 3, 5, -4, 6);
    expect_numbers(second[0], 7, 8, 9, 1, 3, -2);
    expect_numbers(second[1], 7, 8, 9, -3, 2, 1);
    expect_numbers(second[2], 7, 8, 9, 2, -1, 3);

    // one vector alone, in place, and back again
    batch.count = 1;
    batch.q = q[0];
    batch.target = (const double[]){0, 0, 0, 1, 0, 0, 0};
    batch.vector[0] = batch.transported[0] = result[0];
    batch.vector[1] = NULL;
    assert_int_equal(e.type->transport(&batch), TN_OK);
    expect_numbers(result[0], 1, 2, 3, 4, 5, 6);
    test_end(&e);
}

/* What a marker with the axes of its body keeps is its place: two of them stand one behind the other. */
static void test_axes_are_kept_only_where_they_are_turned(void **state)
{
    (void)state;
    test_element e;
    turning_body_begin(&e);
    assert_int_equal(test_bind(&e, TN_FRAME, tn_vector(1, 0, 0), TEST_TURN_X), TN_OK);
    assert_int_equal(e.attachment.data_used, 0);
    assert_int_equal(test_bind(&e, TN_POINT, tn_vector(1, 0, 0), TEST_TURN_X), TN_OK);
    const size_t size = e.attachment.data_used;
    assert_true(size > 0 && size < e.type->attachment_size);

    double data[16], pose[24];
    assert_true(2 * size <= sizeof data);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(test_bind(&e, TN_FRAME, tn_vector(1 + k, 0, 0), TEST_NO_TURN), TN_OK);
        assert_int_equal(e.attachment.data_used, size);
        memcpy((char *)data + (size_t)k * size, e.data, size);
    }
    tn_attachments two = {.struct_size = sizeof two,
                          .count = 2,
                          .kind = TN_FRAME,
                          .nq = 7,
                          .nv = 6,
                          .data_size = (uint32_t)size,
                          .body = (const uint32_t[]){0, 0},
                          .data = data,
                          .instance = e.instance,
                          .instance_stride = e.batch.instance_stride,
                          .q = e.q,
                          .v = e.v,
                          .pose = pose};
    assert_int_equal(e.type->pose(&two), TN_OK);
    expect_numbers(pose, 1, 3, 3, 0, -1, 0, 1, 0, 0, 0, 0, 1);
    expect_numbers(pose + 12, 1, 4, 3, 0, -1, 0, 1, 0, 0, 0, 0, 1);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_at_its_centre_of_mass),
        cmocka_unit_test(test_angular_velocity_in_ground_axes_means_the_same),
        cmocka_unit_test(test_outputs_of_the_reference_point_while_it_turns),
        cmocka_unit_test(test_orientation_outputs_and_energy),
        cmocka_unit_test(test_weight_and_potential_belong_to_the_centre_of_mass),
        cmocka_unit_test(test_torque_free_rates_are_those_of_euler),
        cmocka_unit_test(test_six_entries_are_those_of_the_matrix),
        cmocka_unit_test(test_inertias_that_no_body_has_are_refused),
        cmocka_unit_test(test_a_hair_too_much_inertia_only_warns),
        cmocka_unit_test(test_only_a_point_at_the_centre_of_mass_is_the_state_itself),
        cmocka_unit_test(test_markers_count_from_the_reference_point),
        cmocka_unit_test(test_wrenches_act_about_the_centre_of_mass),
        cmocka_unit_test(test_coordinates_are_those_of_the_reference_point),
        cmocka_unit_test(test_axes_are_kept_only_where_they_are_turned),
        cmocka_unit_test(test_increments_turn_in_body_axes),
        cmocka_unit_test(test_vectors_keep_their_components_in_ground_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

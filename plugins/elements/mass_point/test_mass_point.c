/* test_mass_point.c - weight, outputs and energies of a point, and the markers that it refuses. */
#include "../test_body.h"

static void mass_point_begin(test_element *e)
{
    test_begin(e, "mass_point");
    test_give(e, "mass", 2);
    test_give(e, "position", 1, 2, 3);
    test_give(e, "velocity", 1, 2, 2);
    e->gravity[0] = 1, e->gravity[2] = -10;
    test_start(e);
}

static void test_mass_is_required_and_positive(void **state)
{
    (void)state;
    test_element e;
    mass_point_begin(&e);
    const tn_parameter *mass = test_parameter(&e, "mass");
    assert_int_equal(mass->flags, TN_REQUIRED | TN_ABOVE_LOW);
    assert_true(mass->low == 0.0);
    test_end(&e);
}

static void test_start_state(void **state)
{
    (void)state;
    test_element e;
    mass_point_begin(&e);
    assert_int_equal(e.layout.nq, 3);
    assert_int_equal(e.layout.nv, 3);
    assert_true(e.type->flags & TN_VECTOR_SPACE);
    expect_numbers(e.q, 1, 2, 3);
    expect_numbers(e.v, 1, 2, 2);
    test_end(&e);
}

static void test_weight_scales_with_gravity_scale_and_inertia_does_not(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 0.5, 0.0, -1.0};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        test_element e;
        mass_point_begin(&e);
        if (scales[i] != 1.0) test_give(&e, "gravity_scale", scales[i]);
        assert_int_equal(e.type->body_force(&e.batch), TN_OK);
        expect_numbers(e.force, 2 * scales[i], 0, -20 * scales[i]);
        assert_int_equal(e.type->mass(&e.batch), TN_OK);
        expect_numbers(e.mass, 2, 0, 0, 0, 2, 0, 0, 0, 2);

        // -m s g . p = -2 s (1 - 30)
        assert_int_equal(e.type->potential(&e.batch), TN_OK);
        expect_numbers(e.value, 58 * scales[i]);
        test_end(&e);
    }
}

static void test_outputs_of_a_moved_point(void **state)
{
    (void)state;
    test_element e;
    mass_point_begin(&e);
    memcpy(e.q, (const double[]){1.5, 2, 1}, 3 * sizeof *e.q);
    memcpy(e.a, (const double[]){7, 8, 9}, 3 * sizeof *e.a);
    expect_numbers(test_value(&e, "position"), 1.5, 2, 1);
    expect_numbers(test_value(&e, "displacement"), 0.5, 0, -2);
    expect_numbers(test_value(&e, "velocity"), 1, 2, 2);
    expect_numbers(test_value(&e, "acceleration"), 7, 8, 9);
    expect_numbers(test_value(&e, "kinetic_energy"), 9);
    test_end(&e);
}

static void test_only_the_point_itself_is_a_marker(void **state)
{
    (void)state;
    test_element e;
    mass_point_begin(&e);

    // it stands in q and v as it is
    assert_int_equal(test_bind(&e, TN_POINT, tn_zero(), TEST_NO_TURN), TN_OK);
    assert_int_equal(e.attachment.alias_pose, 0);
    assert_int_equal(e.attachment.alias_twist, 0);

    for (int axis = 0; axis < 3; axis++) {
        const tn_vec3 offset = tn_vector(0.1 * (axis == 0), 0.1 * (axis == 1), 0.1 * (axis == 2));
        e.host.parameter[0] = 0;
        assert_int_equal(test_bind(&e, TN_POINT, offset, TEST_NO_TURN), TN_INVALID);
        assert_string_equal(e.host.parameter, "position");
        assert_non_null(strstr(e.host.message, "no offset"));
    }
    assert_int_equal(test_bind(&e, TN_FRAME, tn_zero(), TEST_NO_TURN), TN_UNSUPPORTED);
    test_end(&e);
}

static void test_coordinates_stand_in_the_state(void **state)
{
    (void)state;
    test_element e;
    mass_point_begin(&e);
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(test_bind_coordinate(&e, (const char *const[]){"x", "y", "z"}[axis]), TN_OK);
        assert_int_equal(e.attachment.alias_pose, axis);
        assert_int_equal(e.attachment.alias_twist, axis);
    }
    test_only_axes_are_coordinates(&e, true);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_is_required_and_positive),
        cmocka_unit_test(test_start_state),
        cmocka_unit_test(test_weight_scales_with_gravity_scale_and_inertia_does_not),
        cmocka_unit_test(test_outputs_of_a_moved_point),
        cmocka_unit_test(test_only_the_point_itself_is_a_marker),
        cmocka_unit_test(test_coordinates_stand_in_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_rotor_1d.c - one angle: names, units and start values; the rest is that of mass_1d. */
#include "../test_body.h"

static void rotor_begin(test_element *e)
{
    test_begin(e, "rotor_1d");
    test_give(e, "inertia", 2);
    test_give(e, "angle", 0.5);
    test_give(e, "speed", 3);
    test_start(e);
}

static void test_inertia_is_required_and_positive(void **state)
{
    (void)state;
    test_element e;
    rotor_begin(&e);
    const tn_parameter *inertia = test_parameter(&e, "inertia");
    assert_int_equal(inertia->flags, TN_REQUIRED | TN_ABOVE_LOW);
    assert_true(inertia->low == 0.0);
    assert_int_equal(e.type->mass(&e.batch), TN_OK);
    expect_numbers(e.mass, 2);
    test_end(&e);
}

static void test_its_coordinate_is_an_angle(void **state)
{
    (void)state;
    test_element e;
    rotor_begin(&e);
    assert_string_equal(e.type->velocity_units[0], "rad");
    expect_numbers(e.q, 0.5);
    expect_numbers(e.v, 3);
    e.q[0] = 20, e.a[0] = 7;
    expect_numbers(test_value(&e, "coordinate"), 20);
    expect_numbers(test_value(&e, "velocity"), 3);
    expect_numbers(test_value(&e, "acceleration"), 7);
    expect_numbers(test_value(&e, "kinetic_energy"), 9);
    test_end(&e);
}

static void test_carries_its_coordinate_only(void **state)
{
    (void)state;
    test_element e;
    rotor_begin(&e);
    assert_int_equal(test_bind_coordinate(&e, NULL), TN_OK);
    assert_int_equal(e.attachment.alias_pose, 0);
    assert_int_equal(e.attachment.alias_twist, 0);
    assert_int_equal(test_bind_coordinate(&e, "angle"), TN_INVALID);
    assert_int_equal(test_bind(&e, TN_FRAME, tn_zero(), TEST_NO_TURN), TN_UNSUPPORTED);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inertia_is_required_and_positive),
        cmocka_unit_test(test_its_coordinate_is_an_angle),
        cmocka_unit_test(test_carries_its_coordinate_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

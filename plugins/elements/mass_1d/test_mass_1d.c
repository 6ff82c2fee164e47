/* test_mass_1d.c - one displacement: start, outputs, its only marker, and no gravity. */
#include "../test_body.h"

static void mass_begin(test_element *e)
{
    test_begin(e, "mass_1d");
    test_give(e, "mass", 2);
    test_give(e, "position", 0.5);
    test_give(e, "velocity", 3);
    e->gravity[2] = -10;
    test_start(e);
}

static void test_mass_is_required_and_positive(void **state)
{
    (void)state;
    test_element e;
    mass_begin(&e);
    const tn_parameter *mass = test_parameter(&e, "mass");
    assert_int_equal(mass->flags, TN_REQUIRED | TN_ABOVE_LOW);
    assert_true(mass->low == 0.0);
    test_end(&e);
}

static void test_starts_where_it_is_told_at_the_origin_else(void **state)
{
    (void)state;
    test_element e;
    mass_begin(&e);
    assert_int_equal(e.layout.nq, 1);
    assert_int_equal(e.layout.nv, 1);
    assert_true(e.type->flags & TN_VECTOR_SPACE);
    assert_string_equal(e.type->velocity_units[0], "m");
    expect_numbers(e.q, 0.5);
    expect_numbers(e.v, 3);
    test_end(&e);

    test_begin(&e, "mass_1d");
    test_give(&e, "mass", 2);
    test_start(&e);
    expect_numbers(e.q, 0);
    expect_numbers(e.v, 0);
    test_end(&e);
}

static void test_has_mass_but_no_weight_and_no_place_in_space(void **state)
{
    (void)state;
    test_element e;
    mass_begin(&e);
    assert_int_equal(e.type->mass(&e.batch), TN_OK);
    expect_numbers(e.mass, 2);
    assert_null(e.type->body_force);
    assert_null(e.type->potential);
    assert_null(e.type->rigid_motion);
    test_end(&e);
}

static void test_outputs(void **state)
{
    (void)state;
    test_element e;
    mass_begin(&e);
    e.q[0] = -0.25, e.a[0] = 7;
    expect_numbers(test_value(&e, "coordinate"), -0.25);
    expect_numbers(test_value(&e, "velocity"), 3);
    expect_numbers(test_value(&e, "acceleration"), 7);
    expect_numbers(test_value(&e, "kinetic_energy"), 9);
    test_end(&e);
}

static void test_carries_its_coordinate_only(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, "coordinate"};
    test_element e;
    mass_begin(&e);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(test_bind_coordinate(&e, names[i]), TN_OK);
        assert_int_equal(e.attachment.alias_pose, 0);
        assert_int_equal(e.attachment.alias_twist, 0);
    }
    assert_int_equal(test_bind_coordinate(&e, "x"), TN_INVALID);
    assert_string_equal(e.host.parameter, "coordinate");
    assert_non_null(strstr(e.host.message, "`x`"));
    assert_int_equal(test_bind(&e, TN_POINT, tn_zero(), TEST_NO_TURN), TN_UNSUPPORTED);
    assert_int_equal(test_bind(&e, TN_FRAME, tn_zero(), TEST_NO_TURN), TN_UNSUPPORTED);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_is_required_and_positive),
        cmocka_unit_test(test_starts_where_it_is_told_at_the_origin_else),
        cmocka_unit_test(test_has_mass_but_no_weight_and_no_place_in_space),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_carries_its_coordinate_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

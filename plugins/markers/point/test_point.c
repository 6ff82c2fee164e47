/* test_point.c - the local position of a point. */
#include "../../elements/test_element.h"

static void test_rides_on_an_element_as_a_point(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "point");
    assert_int_equal(e.marker_type->kind, TN_POINT);
    assert_null(e.marker_type->ports);
    assert_int_equal(test_parameter(&e, "position")->flags, TN_CHANGEABLE);
    test_end(&e);
}

static void test_stands_where_it_is_told(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "point");
    tn_attachment attachment = {.struct_size = sizeof attachment, .kind = TN_POINT};
    test_no_numbers(attachment.position, 3);
    assert_int_equal(e.marker_type->local_pose(e.instance, &attachment), TN_OK);
    expect_numbers(attachment.position, 0, 0, 0);

    test_give(&e, "position", 1, 2, 3);
    assert_int_equal(e.marker_type->local_pose(e.instance, &attachment), TN_OK);
    expect_numbers(attachment.position, 1, 2, 3);
    assert_null(attachment.coordinate);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rides_on_an_element_as_a_point),
        cmocka_unit_test(test_stands_where_it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

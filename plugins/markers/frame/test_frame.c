/* test_frame.c - the local pose of a frame. */
#include "../../elements/test_element.h"

/* Where the marker rides, on memory that held something else. */
static tn_attachment local_pose(const test_element *e)
{
    tn_attachment attachment = {.struct_size = sizeof attachment, .kind = e->marker_type->kind};
    test_no_numbers(attachment.position, 3);
    test_no_numbers(attachment.rotation, 9);
    assert_int_equal(e->marker_type->local_pose(e->instance, &attachment), TN_OK);
    return attachment;
}

static void test_rides_on_an_element_as_a_frame(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "frame");
    assert_int_equal(e.marker_type->kind, TN_FRAME);
    assert_null(e.marker_type->ports);
    test_end(&e);
}

static void test_stands_in_the_reference_point_by_default(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "frame");
    const tn_attachment attachment = local_pose(&e);
    expect_numbers(attachment.position, 0, 0, 0);
    expect_numbers(attachment.rotation, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    test_end(&e);
}

static void test_stands_where_it_is_told(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "frame");
    test_give(&e, "position", 1, 2, 3);
    test_store(&e, "rotation", TEST_TURN_Z, 9);
    const tn_attachment attachment = local_pose(&e);
    expect_numbers(attachment.position, 1, 2, 3);
    expect_numbers(attachment.rotation, 0, -1, 0, 1, 0, 0, 0, 0, 1);
    assert_null(attachment.coordinate);
    test_end(&e);
}

static void test_both_can_be_changed_during_a_run(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "frame");
    assert_int_equal(test_parameter(&e, "position")->flags, TN_CHANGEABLE);
    assert_int_equal(test_parameter(&e, "rotation")->flags, TN_CHANGEABLE);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rides_on_an_element_as_a_frame),
        cmocka_unit_test(test_stands_in_the_reference_point_by_default),
        cmocka_unit_test(test_stands_where_it_is_told),
        cmocka_unit_test(test_both_can_be_changed_during_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

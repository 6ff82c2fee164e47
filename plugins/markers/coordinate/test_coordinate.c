/* test_coordinate.c - a coordinate marker hands the name of its coordinate to the element. */
#include "../../elements/test_element.h"

static void test_rides_on_an_element_as_a_coordinate(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "coordinate");
    assert_int_equal(e.marker_type->kind, TN_COORDINATE);
    assert_null(e.marker_type->ports);
    assert_false(test_parameter(&e, "coordinate")->flags & TN_REQUIRED);
    test_end(&e);
}

static void test_names_its_coordinate(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "coordinate");
    tn_attachment attachment = {.struct_size = sizeof attachment, .kind = TN_COORDINATE, .coordinate = "old"};
    assert_int_equal(e.marker_type->local_pose(e.instance, &attachment), TN_OK);
    assert_null(attachment.coordinate);

    const tn_parameter *coordinate = test_parameter(&e, "coordinate");
    assert_int_equal(coordinate->kind, TN_KIND_TEXT);
    *(const char **)test_place(&e, coordinate) = "y";
    assert_int_equal(e.marker_type->local_pose(e.instance, &attachment), TN_OK);
    assert_string_equal(attachment.coordinate, "y");
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rides_on_an_element_as_a_coordinate),
        cmocka_unit_test(test_names_its_coordinate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

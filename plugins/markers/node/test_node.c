/* test_node.c - a node marker hands the name of its node to the element. */
#include "../../elements/test_element.h"

static void test_rides_on_an_element_as_a_node_of_any_size(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "node");
    assert_int_equal(e.marker_type->kind, TN_NODE);
    assert_null(e.marker_type->ports);
    assert_false(test_parameter(&e, "node")->flags & TN_REQUIRED);
    test_end(&e);
}

static void test_names_its_node(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "node");
    tn_attachment attachment = {.struct_size = sizeof attachment, .kind = TN_NODE, .node = "old"};
    assert_int_equal(e.marker_type->local_pose(e.instance, &attachment), TN_OK);
    assert_null(attachment.node);

    *(const char **)test_place(&e, test_parameter(&e, "node")) = "tip";
    assert_int_equal(e.marker_type->local_pose(e.instance, &attachment), TN_OK);
    assert_string_equal(attachment.node, "tip");
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rides_on_an_element_as_a_node_of_any_size),
        cmocka_unit_test(test_names_its_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_center.c - the mean, and the checks of its weights. */
#include "../../elements/test_element.h"

/* A center of two points that move. */
static void begin(test_element *e)
{
    test_begin(e, "center");
    test_point(e, 0, tn_vector(1, 2, 3), tn_vector(1, 0, 0));
    test_point(e, 0, tn_vector(5, 2, -1), tn_vector(0, 0, 4));
}

static void give_weights(test_element *e, const double *value, uint64_t count)
{
    *(tn_list *)test_place(e, test_parameter(e, "weights")) = (tn_list){value, count};
}

static tn_status check_weights(test_element *e, const double *value, uint64_t count)
{
    give_weights(e, value, count);
    e->host.message[0] = '\0';
    const tn_status status = e->marker_type->prepare(&e->host.table, e->instance);
    e->layout = (tn_layout){.struct_size = sizeof(tn_layout), .marker_count = e->batch.marker_count};
    return status == TN_OK ? e->marker_type->layout(&e->host.table, e->instance, &e->layout) : status;
}

static void test_equal_weights_give_the_middle(void **state)
{
    (void)state;
    test_element e;
    begin(&e);
    assert_int_equal(check_weights(&e, NULL, 0), TN_OK);
    assert_int_equal(e.marker_type->kinematics(&e.batch), TN_OK);
    expect_numbers(e.value, 3, 2, 1, 0.5, 0, 2);
    test_end(&e);
}

static void test_weights_draw_it_to_a_marker(void **state)
{
    (void)state;
    test_element e;
    begin(&e);
    assert_int_equal(check_weights(&e, (const double[]){3, 1}, 2), TN_OK);
    assert_int_equal(e.marker_type->kinematics(&e.batch), TN_OK);
    expect_numbers(e.value, 2, 2, 2, 0.75, 0, 1);
    assert_int_equal(check_weights(&e, (const double[]){0, 2}, 2), TN_OK);
    assert_int_equal(e.marker_type->kinematics(&e.batch), TN_OK);
    expect_numbers(e.value, 5, 2, -1, 0, 0, 4);
    test_end(&e);
}

/* Rows: the velocity; columns: poses, then twists, of both points. */
static void test_forces_are_shared_by_the_weights(void **state)
{
    (void)state;
    test_element e;
    begin(&e);
    assert_int_equal(check_weights(&e, (const double[]){3, 1}, 2), TN_OK);
    test_no_numbers(e.tangent, 3 * 12);
    assert_int_equal(e.marker_type->kinematics_tangent(&e.batch), TN_OK);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 12; column++) {
            const double share = column < 6 || column % 3 != row ? 0.0 : column < 9 ? 0.75 : 0.25;
            assert_true(e.tangent[12 * row + column] == share);
        }
    test_end(&e);
}

static void test_weights_are_one_for_each_marker_and_not_negative(void **state)
{
    (void)state;
    static const struct {
        double weight[3];
        uint64_t count;
        const char *message;
    } wrong[] = {{{1, -1}, 2, "a weight is not negative: -1"},
                 {{0, 0}, 2, "the sum of the weights is 0: it must be larger than 0"},
                 {{1}, 1, "1 weights for 2 markers"},
                 {{1, 1, 1}, 3, "3 weights for 2 markers"}};
    test_element e;
    begin(&e);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(check_weights(&e, wrong[k].weight, wrong[k].count), TN_INVALID);
        assert_string_equal(e.host.parameter, "weights");
        assert_string_equal(e.host.message, wrong[k].message);
    }
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_weights_give_the_middle),
        cmocka_unit_test(test_weights_draw_it_to_a_marker),
        cmocka_unit_test(test_forces_are_shared_by_the_weights),
        cmocka_unit_test(test_weights_are_one_for_each_marker_and_not_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

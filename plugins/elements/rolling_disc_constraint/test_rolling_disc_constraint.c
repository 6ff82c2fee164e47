/* test_rolling_disc_constraint.c - its rows are the gap and the slip, its outputs those of rolling_disc. */
#include "../test_element.h"

/* A disc of radius 0.5, its axis along y of a turned marker; it leans, moves and turns above a plane that does, too. */
static void disc_begin(test_element *e, const char *type)
{
    test_begin(e, type);
    test_moving_frame(e, 0, tn_vector(0.2, -0.1, 0.3), (tn_quaternion){1, 0.1, 0.2, -0.3},
                      tn_vector(0.3, 0.2, -0.5), tn_vector(0.4, -0.7, 0.2));
    test_moving_frame(e, 0, tn_vector(1, 0.5, 0.9), (tn_quaternion){1, 0.4, -0.2, 0.5},
                      tn_vector(-1, 0.7, 0.2), tn_vector(2, 1, -3));
    test_give(e, "disc_radius", 0.5);
    test_give(e, "disc_axis", 0, 2, 0);
    assert_int_equal(test_prepare(e), TN_OK);
}

static void test_outputs_are_those_of_rolling_disc(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t size;
    } outputs[] = {{"position", 3}, {"velocity", 3}, {"velocity_local", 3}, {"rotation", 9}, {"gap", 1}};
    test_element ideal, penalty;
    disc_begin(&ideal, "rolling_disc_constraint");
    disc_begin(&penalty, "rolling_disc");
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++) {
        const double *expected = test_value(&penalty, outputs[k].name);
        assert_memory_equal(test_value(&ideal, outputs[k].name), expected, outputs[k].size * sizeof(double));
    }
    test_end(&ideal);
    test_end(&penalty);
}

static void test_rows_are_the_gap_and_the_slip(void **state)
{
    (void)state;
    test_element e;
    double residual[3], rate[3], slip[3];
    disc_begin(&e, "rolling_disc_constraint");
    assert_int_equal(e.layout.position_rows, 1);
    assert_int_equal(e.layout.velocity_rows, 2);
    memcpy(slip, test_value(&e, "velocity_local"), sizeof slip);
    e.batch.residual = residual;
    assert_int_equal(e.type->constraint(&e.batch), TN_OK);
    expect_numbers(residual, *test_value(&e, "gap"), slip[0], slip[1]);
    e.batch.residual = rate;
    assert_int_equal(e.type->constraint_rate(&e.batch), TN_OK);
    expect_numbers(rate, slip[2], slip[0], slip[1]);
    test_end(&e);
}

/* The wrench on the disc, as the rows put it there. */
static void test_force_local_is_the_reaction_in_the_axes_of_the_contact(void **state)
{
    (void)state;
    test_element e;
    double R[9];
    disc_begin(&e, "rolling_disc_constraint");
    for (int i = 0; i < 12; i++)
        e.wrench[i] = i + 1;
    memcpy(R, test_value(&e, "rotation"), sizeof R);
    expect_numbers(test_value(&e, "force"), 7, 8, 9);
    expect_numbers(test_value(&e, "torque"), 10, 11, 12);
    expect_numbers(test_value(&e, "force_local"), R[0] * 7 + R[3] * 8 + R[6] * 9,
                   R[1] * 7 + R[4] * 8 + R[7] * 9, R[2] * 7 + R[5] * 8 + R[8] * 9);
    test_end(&e);
}

static void test_a_disc_that_lies_flat_has_no_contact_point(void **state)
{
    (void)state;
    test_element e;
    double residual[3];
    disc_begin(&e, "rolling_disc_constraint");
    test_give(&e, "disc_axis", 0, 0, 1);
    memcpy(e.pose + 15, e.pose + 3, 9 * sizeof(double));
    e.batch.residual = residual;
    assert_int_equal(e.type->constraint(&e.batch), TN_RETRY);
    assert_non_null(strstr(e.failure.message, "parallel"));
    test_give(&e, "disc_axis", 0, 0, 0);
    assert_int_equal(test_prepare(&e), TN_INVALID);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs_are_those_of_rolling_disc),
        cmocka_unit_test(test_rows_are_the_gap_and_the_slip),
        cmocka_unit_test(test_force_local_is_the_reaction_in_the_axes_of_the_contact),
        cmocka_unit_test(test_a_disc_that_lies_flat_has_no_contact_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_fours.c - numbers of four instances: how they are read and written, and the angle of a point */
#include <tenon/kit/fours.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 13 };

/* Number k of lane l is 100 l + k. */
static void fill(double number[TN_LANES][MOST])
{
    for (size_t lane = 0; lane < TN_LANES; lane++)
        for (size_t k = 0; k < MOST; k++)
            number[lane][k] = (double)(100 * lane + k);
}

static void test_rows_are_read_and_written_number_by_number(void **state)
{
    (void)state;
    double from[TN_LANES][MOST], to[TN_LANES][MOST];
    const tn_four_places places = {{from[0], from[1], from[2], from[3]}};
    double *const targets[TN_LANES] = {to[0], to[1], to[2], to[3]};
    fill(from);
    for (size_t count = TN_LANES; count < MOST; count++) {
        tn_four read[MOST];
        tn_four_read_all(&places, count, read);
        for (size_t k = 0; k < count; k++)
            for (size_t lane = 0; lane < TN_LANES; lane++)
                assert_true(read[k][lane] == from[lane][k]);
        memset(to, 0, sizeof to);
        tn_four_write_all(targets, 1, count, read);
        for (size_t lane = 0; lane < TN_LANES; lane++) {
            assert_memory_equal(to[lane] + 1, from[lane], count * sizeof(double));
            for (size_t k = 0; k < MOST; k++)
                assert_true((k >= 1 && k <= count) || to[lane][k] == 0.0);
        }
    }
}

static void test_what_is_left_of_a_batch_is_filled_up_with_its_last_one(void **state)
{
    (void)state;
    size_t index[TN_LANES];
    tn_four_choose(4, 6, index);
    assert_memory_equal(index, ((const size_t[]){4, 5, 5, 5}), sizeof index);
    tn_four_choose(0, 9, index);
    assert_memory_equal(index, ((const size_t[]){0, 1, 2, 3}), sizeof index);
}

/* Units of the last place of b, off by a. */
static double units_off(double a, double b)
{
    const double size = fabs(b);
    return fabs(a - b) / (nextafter(size, HUGE_VAL) - size);
}

static void expect_angle(double y, double x)
{
    /* neighbours of another size: no lane goes by those beside it */
    const tn_four ys = {y, 1.0, -x, -y}, xs = {x, -1.0, y, -x}, angle = tn_four_atan2(ys, xs);
    for (size_t lane = 0; lane < TN_LANES; lane++) {
        const double right = atan2(ys[lane], xs[lane]);
        if (units_off(angle[lane], right) > 3.0 || !signbit(angle[lane]) != !signbit(right))
            fail_msg("%.17g instead of %.17g", angle[lane], right);
    }
}

static void test_angles_of_all_sizes_in_all_quadrants(void **state)
{
    (void)state;
    for (int k = -3000; k <= 3000; k++) {
        const double angle = (double)k * 1e-3 * 3.14159265358979;
        expect_angle(sin(angle), cos(angle));
        expect_angle(1e200 * sin(angle), 1e200 * cos(angle));
    }
    for (int k = -300; k <= 0; k++) {
        expect_angle(pow(10.0, k), 1.0);
        expect_angle(-pow(10.0, k), -1.0);
    }
    expect_angle(0.0, 1.0);
    expect_angle(-0.0, 1.0);
    expect_angle(0.66, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_read_and_written_number_by_number),
        cmocka_unit_test(test_what_is_left_of_a_batch_is_filled_up_with_its_last_one),
        cmocka_unit_test(test_angles_of_all_sizes_in_all_quadrants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_history.c - values of the past: what stands between the points, where curves end, what is forgotten */
#include "expression/history.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double cubic(double t) { return 1.0 + t * (2.0 + t * (-3.0 + 4.0 * t)); }
static double slope_of_cubic(double t) { return 2.0 + t * (-6.0 + 12.0 * t); }

static void expect(tn_recollection found, double value, double slope)
{
    if (!(fabs(found.value - value) <= 1e-12 && fabs(found.slope - slope) <= 1e-11))
        fail_msg("%.15g with slope %.15g, not %.15g with %.15g", found.value, found.slope, value, slope);
}

static void cubics_are_met_between_uneven_points(void **state)
{
    (void)state;
    static const double times[] = {-1.0, -0.7, 0.1, 0.3, 1.2, 1.25, 2.0};
    tn_history history = {0};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        tn_history_add(&history, times[k], cubic(times[k]));
    assert_true(history.begin == -1.0 && tn_history_end(&history) == 2.0);
    for (int k = 0; k <= 300; k++)
        expect(tn_history_at(&history, -1.0 + 0.01 * k, NULL), cubic(-1.0 + 0.01 * k),
               slope_of_cubic(-1.0 + 0.01 * k));
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        assert_true(tn_history_at(&history, times[k], NULL).value == cubic(times[k]));
}

/* What stands behind the last point changes with the value of now, and leaves no trace. */
static void the_newest_point_counts_behind_the_end_only(void **state)
{
    (void)state;
    tn_history history = {0};
    for (int k = 0; k < 4; k++)
        tn_history_add(&history, k, cubic(k));
    for (double size = 1.0; size < 3.0; size++) {
        const tn_past now = {.time = 3.5, .value = size * cubic(3.5)};
        expect(tn_history_at(&history, 2.9, &now), cubic(2.9), slope_of_cubic(2.9));
        assert_true(tn_history_at(&history, 2.9, &now).by_now == 0.0);
    }
    const tn_past now = {.time = 3.5, .value = cubic(3.5)}, more = {.time = 3.5, .value = cubic(3.5) + 1.0};
    const tn_recollection found = tn_history_at(&history, 3.2, &now);
    expect(found, cubic(3.2), slope_of_cubic(3.2));
    assert_true(fabs(tn_history_at(&history, 3.2, &more).value - found.value - found.by_now) <= 1e-12);
    assert_true(found.by_now > 0.1 && history.count == 4);
}

/* Of t^4 the fourth divided difference is 1. */
static void a_step_is_as_long_as_the_error_allows(void **state)
{
    (void)state;
    tn_history history = {0};
    for (int k = 0; k < 6; k++) {
        assert_true(isnan(tn_history_step(&history, 1e-4)) == (k < 5));
        tn_history_add(&history, k, pow(k, 4.0));
    }
    assert_true(history.greatest == 625.0);
    assert_true(fabs(tn_history_step(&history, 1e-4 / 625.0) - 0.1) <= 1e-12);
    assert_true(tn_history_step(&history, 1.0) == 2.0);
    tn_history_add(&history, 5.0, 625.0); /* another curve begins */
    assert_true(isnan(tn_history_step(&history, 1e-4)));
}

static void the_error_is_of_fourth_order(void **state)
{
    (void)state;
    double error[2] = {0};
    for (int fine = 0; fine < 2; fine++) {
        const double step = fine ? 0.05 : 0.1;
        tn_history history = {0};
        for (int k = 0; k * step < 3.01; k++)
            tn_history_add(&history, k * step, sin(k * step));
        for (int k = 0; k < 300; k++)
            error[fine] =
                fmax(error[fine], fabs(tn_history_at(&history, 0.01 * k, NULL).value - sin(0.01 * k)));
    }
    assert_true(error[0] < 1e-5 && error[0] / error[1] > 13.0);
}

static void curves_do_not_reach_over_jumps_and_kinks(void **state)
{
    (void)state;
    tn_history history = {0};
    for (int k = 0; k <= 4; k++)
        tn_history_add(&history, k, 1.0);
    tn_history_add(&history, 4.0, 3.0); /* a jump */
    for (int k = 5; k <= 8; k++)
        tn_history_add(&history, k, 3.0);
    tn_history_add(&history, 8.0, 3.0); /* a kink */
    for (int k = 9; k <= 12; k++)
        tn_history_add(&history, k, 3.0 + 2.0 * (k - 8));
    expect(tn_history_at(&history, 3.99, NULL), 1.0, 0.0);
    assert_true(tn_history_at(&history, 4.0, NULL).value == 3.0);
    expect(tn_history_at(&history, 4.5, NULL), 3.0, 0.0);
    expect(tn_history_at(&history, 7.5, NULL), 3.0, 0.0);
    expect(tn_history_at(&history, 8.5, NULL), 4.0, 2.0);
}

/* A neighbour that is much nearer than the interval is long would show its rounding. */
static void near_neighbours_are_left_out(void **state)
{
    (void)state;
    tn_history history = {0};
    tn_history_add(&history, 0.0, 0.0);
    tn_history_add(&history, 1e-9, 1e-9 + 1e-12);
    tn_history_add(&history, 1.0, 1.0);
    tn_history_add(&history, 2.0, 2.0);
    assert_true(fabs(tn_history_at(&history, 0.5, NULL).value - 0.5) <= 1e-11);
}

static void what_nobody_needs_is_forgotten(void **state)
{
    (void)state;
    tn_history history = {0};
    for (int k = 0; k < 10000; k++) {
        const double time = 0.01 * k;
        tn_history_add(&history, time, cubic(time));
        tn_history_forget(&history, time - 0.1);
        if (k >= 13) {
            const double value = tn_history_at(&history, time - 0.1, NULL).value;
            assert_true(fabs(value - cubic(time - 0.1)) <= 1e-13 * fabs(value) + 1e-13);
        }
    }
    assert_true(history.capacity == 16 && history.begin == 0.0);
}

static void a_time_that_goes_back_begins_anew(void **state)
{
    (void)state;
    tn_history history = {0};
    for (int k = 0; k < 20; k++)
        tn_history_add(&history, k, k);
    tn_history_add(&history, 5.0, 1.0);
    assert_true(history.count == 1 && history.begin == 5.0);
    expect(tn_history_at(&history, 5.0, NULL), 1.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cubics_are_met_between_uneven_points),
                                       cmocka_unit_test(the_newest_point_counts_behind_the_end_only),
                                       cmocka_unit_test(a_step_is_as_long_as_the_error_allows),
                                       cmocka_unit_test(the_error_is_of_fourth_order),
                                       cmocka_unit_test(curves_do_not_reach_over_jumps_and_kinks),
                                       cmocka_unit_test(near_neighbours_are_left_out),
                                       cmocka_unit_test(what_nobody_needs_is_forgotten),
                                       cmocka_unit_test(a_time_that_goes_back_begins_anew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

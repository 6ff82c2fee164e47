/* test_spline_collocation.c - not-a-knot and quintic curves, and the functions that choose a method at the call. */
#include "test_spline.h"

#include <float.h>

static const int collocated[] = {NOT_A_KNOT, QUINTIC};

static double polynomial_at(const double *coefficient, int degree, double x, int order)
{
    double sum = 0.0;
    for (int k = degree; k >= order; k--) {
        double factor = coefficient[k];
        for (int j = 0; j < order; j++)
            factor *= k - j;
        sum = sum * x + factor;
    }
    return sum;
}

/* Not-a-knot keeps cubics; the natural quintic, whose third derivative vanishes at the ends, keeps parabolas. */
static void polynomials_are_kept_with_all_derivatives(void **state)
{
    (void)state;
    static const double coefficient[] = {1.5, -2.0, 0.7, 0.3};
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS];
    make_points(x, y, false);
    for (size_t k = 0; k < COUNT(collocated); k++) {
        const int degree = collocated[k] == NOT_A_KNOT ? 3 : 2;
        for (size_t count = collocated[k] == NOT_A_KNOT ? 4 : 6; count <= POINTS; count++) {
            for (size_t i = 0; i < count; i++)
                y[i] = polynomial_at(coefficient, degree, x[i], 0);
            spline self = spline_of(x, y, count, collocated[k], OUTSIDE_LINEAR);
            prepare(&host, &self);
            for (int n = 0; n <= 100; n++) {
                const double at = fmin(x[0] + (x[count - 1] - x[0]) * n / 100.0, x[count - 1]);
                for (int order = 0; order < 3; order++) {
                    const result r = evaluate(&self, at, order);
                    assert_true(fabs(r.value - polynomial_at(coefficient, degree, at, order)) < 1e-10);
                    assert_true(fabs(r.first[0] - polynomial_at(coefficient, degree, at, order + 1)) < 1e-7);
                }
            }
        }
    }
    test_host_end(&host);
}

/* Derivative number `order` of the piece of interval `i`, at its left (0) or right (1) end. */
static double at_end(const spline *self, size_t i, int order, int right)
{
    const double *x = self->x.value;
    return derivative_of(&self->piece[i + 1], methods[self->interpolation].degree, order,
                         right ? x[i + 1] - x[i] : 0.0);
}

static void curves_are_continuous_up_to_their_order(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS];
    for (int even = 0; even < 2; even++) {
        make_points(x, y, even);
        for (size_t k = 0; k < COUNT(collocated); k++) {
            spline self = spline_of(x, y, POINTS, collocated[k], OUTSIDE_LINEAR);
            prepare(&host, &self);
            for (int order = 0; order < methods[collocated[k]].degree; order++) {
                double jump = 0.0, size = 0.0;
                for (size_t i = 1; i + 1 < POINTS; i++) {
                    jump = fmax(jump, fabs(at_end(&self, i - 1, order, 1) - at_end(&self, i, order, 0)));
                    size = fmax(size, fabs(at_end(&self, i, order, 0)));
                }
                assert_true(jump < 1e-10 * size);
            }
            for (size_t i = 0; i + 1 < POINTS; i++)
                assert_true(fabs(at_end(&self, i, 0, 1) - y[i + 1]) < 1e-11 &&
                            at_end(&self, i, 0, 0) == y[i]);
        }
    }
    test_host_end(&host);
}

static void ends_are_not_a_knot_and_natural(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS];
    make_points(x, y, false);
    spline cubic = spline_of(x, y, POINTS, NOT_A_KNOT, OUTSIDE_LINEAR);
    spline quintic = spline_of(x, y, POINTS, QUINTIC, OUTSIDE_LINEAR);
    prepare(&host, &cubic);
    prepare(&host, &quintic);
    const size_t last = POINTS - 2;
    assert_true(fabs(at_end(&cubic, 0, 3, 0) - at_end(&cubic, 1, 3, 0)) < 1e-8);
    assert_true(fabs(at_end(&cubic, last - 1, 3, 0) - at_end(&cubic, last, 3, 0)) < 1e-8);
    assert_true(fabs(at_end(&cubic, 1, 3, 0) - at_end(&cubic, 2, 3, 0)) > 1.0);
    const double size = fabs(at_end(&quintic, 4, 4, 0));
    for (int order = 3; order <= 4; order++) {
        assert_true(fabs(at_end(&quintic, 0, order, 0)) < 1e-10 * size);
        assert_true(fabs(at_end(&quintic, last, order, 1)) < 1e-9 * size);
    }
    assert_true(fabs(at_end(&quintic, 0, 2, 0)) > 1.0); /* a natural cubic would have none */
    test_host_end(&host);
}

/* Largest error of exp(-x) sin(3 x) on [0, 2], away from the ends. */
static double wave_error(test_host *host, int method, int intervals)
{
    double x[201], y[201], error = 0.0;
    for (int i = 0; i <= intervals; i++) {
        x[i] = 2.0 * i / intervals;
        y[i] = exp(-x[i]) * sin(3.0 * x[i]);
    }
    spline self = spline_of(x, y, (size_t)intervals + 1, method, OUTSIDE_LINEAR);
    prepare(host, &self);
    const double margin = method == QUINTIC ? 0.5 : 0.0;
    for (int k = 0; k <= 2000; k++) {
        const double at = margin + (2.0 - 2.0 * margin) * k / 2000;
        error = fmax(error, fabs(value_at(&self, at) - exp(-at) * sin(3.0 * at)));
    }
    return error;
}

static void errors_fall_with_order_four_and_six(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    assert_true(log2(wave_error(&host, NOT_A_KNOT, 40) / wave_error(&host, NOT_A_KNOT, 80)) > 3.8);
    assert_true(log2(wave_error(&host, QUINTIC, 20) / wave_error(&host, QUINTIC, 40)) > 5.7);
    /* at the ends, too, where the natural cubic is of order 2 */
    assert_true(wave_error(&host, NOT_A_KNOT, 80) < 0.01 * wave_error(&host, CUBIC, 80));
    test_host_end(&host);
}

static void few_points_are_refused(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const double x[] = {0.0, 1.0, 2.0, 3.0, 4.0}, y[] = {0.0, 1.0, 0.0, 1.0, 0.0};
    spline cubic = spline_of(x, y, 3, NOT_A_KNOT, OUTSIDE_LINEAR);
    spline quintic = spline_of(x, y, 5, QUINTIC, OUTSIDE_LINEAR);
    assert_int_equal(prepare_spline(&host.table, &cubic), TN_INVALID);
    assert_int_equal(prepare_spline(&host.table, &quintic), TN_INVALID);
    test_host_end(&host);
}

/* ---- the functions ----------------------------------------------------------------------------------------- */

static void functions_take_their_own_method(void **state)
{
    (void)state;
    static const struct {
        const tn_function_type *type;
        int method;
    } cases[] = {
        {&linspl_type, LINEAR}, {&akispl_type, AKIMA}, {&cubspl_type, NOT_A_KNOT}, {&quispl_type, QUINTIC}};
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS];
    make_points(x, y, false);
    for (size_t k = 0; k < COUNT(cases); k++) {
        spline wanted = spline_of(x, y, POINTS, cases[k].method, OUTSIDE_CONSTANT);
        spline given = spline_of(x, y, POINTS, STEFFEN, OUTSIDE_CONSTANT);
        prepare(&host, &wanted);
        prepare(&host, &given);
        const polynomial *const own = given.piece;
        spline copy = given;
        assert_int_equal(cases[k].type->prepare(&host.table, &copy), TN_OK);
        assert_ptr_equal(given.piece, own);
        for (double at = x[0] - 1.0; at < x[POINTS - 1] + 1.0; at += 0.07)
            for (double order = 0.0; order < 3.0; order++) {
                const double arguments[] = {at, 0.0, order};
                double value, first[3], second[9];
                const result r = evaluate(&wanted, at, order);
                assert_int_equal(cases[k].type->value(&copy, arguments, &value, first, second), TN_OK);
                assert_true(value == r.value && first[0] == r.first[0] && second[0] == r.second[0]);
                assert_true(isnan(first[1]) && isnan(first[2]) && isnan(second[4]) && isnan(second[8]));
            }
    }
    test_host_end(&host);
}

static void surfaces_and_strange_orders_are_refused(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS], value;
    make_points(x, y, false);
    spline self = spline_of(x, y, POINTS, CUBIC, OUTSIDE_LINEAR);
    assert_int_equal(cubspl_type.prepare(&host.table, &self), TN_OK);
    const double nan = (double)NAN, surface[] = {nan, 1.0, 0.0}, strange[] = {nan, 0.0, 3.0};
    const double here[] = {0.0, 1.0, 0.0};
    int32_t smoothness = 0;
    assert_int_equal(cubspl_type.inspect(&self, surface, &smoothness), TN_INVALID);
    assert_int_equal(cubspl_type.inspect(&self, strange, &smoothness), TN_INVALID);
    assert_int_equal(spline_type.inspect(&self, (double[]){nan, 3.0}, &smoothness), TN_INVALID);
    assert_int_equal(cubspl_type.value(&self, here, &value, NULL, NULL), TN_INVALID);
    test_host_end(&host);
}

static void smoothness_is_that_of_points_and_ends(void **state)
{
    (void)state;
    static const struct {
        int method, outside;
        double order;
        int32_t smoothness;
    } cases[] = {{LINEAR, OUTSIDE_ERROR, 0, 0},      {LINEAR, OUTSIDE_LINEAR, 1, -1},
                 {AKIMA, OUTSIDE_LINEAR, 0, 1},      {CUBIC, OUTSIDE_LINEAR, 0, 2},
                 {CUBIC, OUTSIDE_LINEAR, 1, 1},      {CUBIC, OUTSIDE_CONSTANT, 0, 0},
                 {NOT_A_KNOT, OUTSIDE_LINEAR, 0, 1}, {NOT_A_KNOT, OUTSIDE_ERROR, 0, 2},
                 {QUINTIC, OUTSIDE_ERROR, 2, 2},     {QUINTIC, OUTSIDE_LINEAR, 0, 1}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        const spline self = {.interpolation = cases[k].method, .outside = cases[k].outside};
        int32_t smoothness = 99;
        assert_int_equal(spline_type.inspect(&self, (double[]){(double)NAN, cases[k].order}, &smoothness),
                         TN_OK);
        assert_int_equal(smoothness, cases[k].smoothness);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_are_kept_with_all_derivatives),
        cmocka_unit_test(curves_are_continuous_up_to_their_order),
        cmocka_unit_test(ends_are_not_a_knot_and_natural),
        cmocka_unit_test(errors_fall_with_order_four_and_six),
        cmocka_unit_test(few_points_are_refused),
        cmocka_unit_test(functions_take_their_own_method),
        cmocka_unit_test(surfaces_and_strange_orders_are_refused),
        cmocka_unit_test(smoothness_is_that_of_points_and_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

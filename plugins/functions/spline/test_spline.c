/* test_spline.c - curves against GSL's own evaluation, their derivatives, continuity and order. */
#include "test_spline.h"

#include <float.h>

/* ---- against GSL ------------------------------------------------------------------------------------------ */

static void check_against_gsl(const spline *self, const gsl_interp *curve, double x)
{
    double (*const evaluations[])(const gsl_interp *, const double *, const double *, double,
                                  gsl_interp_accel *) = {gsl_interp_eval, gsl_interp_eval_deriv,
                                                         gsl_interp_eval_deriv2};
    /* the derivatives of these points reach about 1e2 and 1e3 */
    static const double tolerance[] = {1e-14, 1e-13, 1e-12};
    for (int order = 0; order < 3; order++) {
        const double expected = evaluations[order](curve, self->x.value, self->y.value, x, NULL);
        const result r = evaluate(self, x, order);
        if (!(fabs(r.value - expected) <= tolerance[order] * 10.0))
            fail_msg("%s, order %d at %.17g: %.17g, but GSL gives %.17g", methods[self->interpolation].name,
                     order, x, r.value, expected);
    }
}

static void curves_are_those_of_gsl(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS];
    for (int even = 0; even < 2; even++) {
        make_points(x, y, even);
        for (int method = 0; method < METHODS; method++) {
            spline self = spline_of(x, y, POINTS, method, OUTSIDE_LINEAR);
            prepare(&host, &self);
            assert_true(even ? self.density == 2.0 : self.density == 0.0);
            gsl_interp *curve = gsl_interp_alloc(*methods[method].type, POINTS);
            assert_int_equal(gsl_interp_init(curve, x, y, POINTS), GSL_SUCCESS);
            uint32_t seed = 11;
            for (int k = 0; k < 1000; k++)
                check_against_gsl(&self, curve, x[0] + random_number(&seed) * (x[POINTS - 1] - x[0]));
            for (int i = 0; i < POINTS; i++)
                check_against_gsl(&self, curve, x[i]);
            gsl_interp_free(curve);
        }
    }
    test_host_end(&host);
}

/* ---- derivatives and continuity --------------------------------------------------------------------------- */

static void derivatives_are_those_of_the_value(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS];
    make_points(x, y, false);
    for (int method = 0; method < METHODS; method++) {
        spline self = spline_of(x, y, POINTS, method, OUTSIDE_LINEAR);
        prepare(&host, &self);
        uint32_t seed = 5;
        for (int k = 0; k < 200; k++) {
            /* within an interval, or outside; differences of a cubic over h are off by its third derivative h^2 / 6 */
            const int i = k % (POINTS + 1);
            const double from = i == 0 ? x[0] - 1.0 : x[i - 1], to = i == POINTS ? from + 1.0 : x[i],
                         h = 1e-5;
            const double at = from + 2.0 * h + random_number(&seed) * (to - from - 4.0 * h);
            for (int order = 0; order < 3; order++) {
                const result here = evaluate(&self, at, order);
                const result left = evaluate(&self, at - h, order), right = evaluate(&self, at + h, order);
                const double size = 1.0 + fabs(here.first[0]) + fabs(here.second[0]);
                assert_true(fabs((right.value - left.value) / (2.0 * h) - here.first[0]) <= 1e-6 * size);
                assert_true(fabs((right.first[0] - left.first[0]) / (2.0 * h) - here.second[0]) <=
                            1e-6 * size);
                if (order < 2) assert_true(here.first[0] == evaluate(&self, at, order + 1).value);
                if (order == 0) assert_true(here.second[0] == evaluate(&self, at, 2).value);
                if (order == 2) assert_true(here.second[0] == 0.0);
            }
        }
    }
    test_host_end(&host);
}

static void derivatives_by_the_order_do_not_exist(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const double x[] = {0.0, 1.0, 3.0}, y[] = {1.0, 2.0, 0.0};
    spline self = spline_of(x, y, 3, CUBIC, OUTSIDE_LINEAR);
    prepare(&host, &self);
    const result r = evaluate(&self, 0.5, 0.0);
    assert_true(isnan(r.first[1]) && isnan(r.second[1]) && isnan(r.second[2]) && isnan(r.second[3]));

    /* who asks for the value only gets the same */
    const double arguments[] = {0.5, 0.0};
    double value = 0.0;
    assert_int_equal(spline_value(&self, arguments, &value, NULL, NULL), TN_OK);
    assert_true(value == r.value);
    test_host_end(&host);
}

static void curves_are_as_smooth_as_their_method_says(void **state)
{
    (void)state;
    static const int continuous[METHODS] = {[LINEAR] = 0, [AKIMA] = 1, [CUBIC] = 2, [STEFFEN] = 1};
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS];
    make_points(x, y, false);
    for (int method = 0; method < METHODS; method++) {
        spline self = spline_of(x, y, POINTS, method, OUTSIDE_LINEAR);
        prepare(&host, &self);
        for (int order = 0; order <= 2; order++) {
            double jump = 0.0;
            for (int i = 1; i + 1 < POINTS; i++)
                jump = fmax(jump, fabs(evaluate(&self, nextafter(x[i], -DBL_MAX), order).value -
                                       evaluate(&self, x[i], order).value));
            if (order <= continuous[method])
                assert_true(jump < 1e-11);
            else
                assert_true(jump > (method == LINEAR && order == 2 ? -1.0 : 0.1));
        }
        /* through the points, exactly; at the last one by the end of its interval */
        for (int i = 0; i + 1 < POINTS; i++)
            assert_true(value_at(&self, x[i]) == y[i]);
        assert_true(fabs(value_at(&self, x[POINTS - 1]) - y[POINTS - 1]) < 1e-14 * 10.0);
    }
    test_host_end(&host);
}

static void cubic_ends_without_curvature(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS];
    make_points(x, y, false);
    spline self = spline_of(x, y, POINTS, CUBIC, OUTSIDE_LINEAR);
    prepare(&host, &self);
    assert_true(evaluate(&self, x[0], 2.0).value == 0.0);
    assert_true(fabs(evaluate(&self, x[POINTS - 1], 2.0).value) < 1e-11);
    test_host_end(&host);
}

static void slopes_of_linear_are_those_to_the_right(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const double x[] = {0.0, 1.0, 3.0}, y[] = {1.0, 2.0, 0.0};
    spline self = spline_of(x, y, 3, LINEAR, OUTSIDE_CONSTANT);
    prepare(&host, &self);
    assert_true(evaluate(&self, 0.0, 1.0).value == 1.0 && evaluate(&self, 1.0, 1.0).value == -1.0);
    assert_true(evaluate(&self, 3.0, 1.0).value == -1.0); /* the last one has nothing to its right */
    assert_true(evaluate(&self, 1.0, 2.0).value == 0.0);
    test_host_end(&host);
}

/* ---- curves that are known -------------------------------------------------------------------------------- */

static void straight_lines_are_kept_by_all_methods(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS];
    make_points(x, y, false);
    for (int i = 0; i < POINTS; i++)
        y[i] = 3.0 - 2.0 * x[i];
    for (int method = 0; method < METHODS; method++) {
        spline self = spline_of(x, y, POINTS, method, OUTSIDE_LINEAR);
        prepare(&host, &self);
        for (double at = x[0] - 3.0; at < x[POINTS - 1] + 3.0; at += 0.01) {
            const result r = evaluate(&self, at, 0.0);
            assert_true(fabs(r.value - (3.0 - 2.0 * at)) < 1e-13);
            assert_true(fabs(r.first[0] + 2.0) < 1e-13 && fabs(r.second[0]) < 1e-12);
        }
    }
    test_host_end(&host);
}

/* Largest error of sin on [0, pi], whose ends have no curvature either, with so many intervals. */
static double sine_error(test_host *host, int method, int intervals)
{
    double x[201], y[201], error = 0.0;
    for (int i = 0; i <= intervals; i++) {
        x[i] = M_PI * i / intervals;
        y[i] = sin(x[i]);
    }
    spline self = spline_of(x, y, (size_t)intervals + 1, method, OUTSIDE_LINEAR);
    prepare(host, &self);
    for (int k = 0; k <= 5000; k++)
        error = fmax(error, fabs(value_at(&self, M_PI * k / 5000) - sin(M_PI * k / 5000)));
    return error;
}

static void errors_fall_with_the_order_of_the_method(void **state)
{
    (void)state;
    /* the maximum is a point: steffen makes one of every point that is higher than its neighbours */
    static const double order[METHODS] = {[LINEAR] = 2.0, [AKIMA] = 3.0, [CUBIC] = 4.0, [STEFFEN] = 3.0};
    test_host host;
    test_host_begin(&host);
    for (int method = 0; method < METHODS; method++) {
        const double measured = log2(sine_error(&host, method, 50) / sine_error(&host, method, 100));
        assert_true(measured > order[method] - 0.1);
    }
    /* 5/384 h^4, the known bound of cubic splines */
    assert_true(sine_error(&host, CUBIC, 100) < 5.0 / 384.0 * pow(M_PI / 100.0, 4.0) * 1.01);
    test_host_end(&host);
}

static void only_steffen_stays_between_the_points(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const double x[] = {0.0, 1.0, 2.0, 2.5, 4.0, 5.0}, y[] = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0};
    spline steffen = spline_of(x, y, COUNT(x), STEFFEN, OUTSIDE_LINEAR);
    spline natural = spline_of(x, y, COUNT(x), CUBIC, OUTSIDE_LINEAR);
    prepare(&host, &steffen);
    prepare(&host, &natural);
    double before = 0.0, largest = 0.0;
    for (double at = 0.0; at <= 5.0; at += 0.01) {
        const double value = value_at(&steffen, at);
        assert_true(value >= before && value <= 1.0);
        before = value;
        largest = fmax(largest, value_at(&natural, at));
    }
    assert_true(largest > 1.05);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_those_of_gsl),
        cmocka_unit_test(derivatives_are_those_of_the_value),
        cmocka_unit_test(derivatives_by_the_order_do_not_exist),
        cmocka_unit_test(curves_are_as_smooth_as_their_method_says),
        cmocka_unit_test(cubic_ends_without_curvature),
        cmocka_unit_test(slopes_of_linear_are_those_to_the_right),
        cmocka_unit_test(straight_lines_are_kept_by_all_methods),
        cmocka_unit_test(errors_fall_with_the_order_of_the_method),
        cmocka_unit_test(only_steffen_stays_between_the_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

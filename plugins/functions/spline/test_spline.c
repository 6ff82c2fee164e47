/* test_spline.c - curves against GSL's own evaluation, their derivatives and continuity, what lies outside the
 * points, and what is refused. */
#include "spline.c"

#include "../../solvers/test_host.h"

#include <float.h>
#include <stdlib.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { METHODS = 4, POINTS = 12 };

typedef struct result {
    double value, first[2], second[4];
} result;

static result evaluate(const spline *self, double x, double order)
{
    const double arguments[] = {x, order};
    result r;
    assert_int_equal(spline_value(self, arguments, &r.value, r.first, r.second), TN_OK);
    return r;
}
static double value_at(const spline *self, double x) { return evaluate(self, x, 0.0).value; }

/* Uniform in [0, 1), the same on every machine. */
static double random_number(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

static spline spline_of(const double *x, const double *y, size_t count, int interpolation, int outside)
{
    return (spline){.x = {x, count}, .y = {y, count}, .interpolation = interpolation, .outside = outside};
}

static void prepare(test_host *host, spline *self)
{
    assert_int_equal(prepare_spline(&host->table, self), TN_OK);
}

/* Points without symmetry, the distances between 0.1 and 1.1, or all 0.5. */
static void make_points(double x[POINTS], double y[POINTS], bool even)
{
    uint32_t seed = 3;
    for (int i = 0; i < POINTS; i++) {
        const double step = 0.1 + random_number(&seed);
        x[i] = i == 0 ? -2.0 : x[i - 1] + (even ? 0.5 : step);
        y[i] = 10.0 * random_number(&seed) - 4.0;
    }
}

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

/* ---- outside the points ----------------------------------------------------------------------------------- */

static void check_outside(const spline *self, double x, double value, double slope)
{
    const result r = evaluate(self, x, 0.0);
    assert_true(fabs(r.value - value) < 1e-13);
    assert_true(fabs(r.first[0] - slope) < 1e-13 && r.second[0] == 0.0);
    assert_true(evaluate(self, x, 1.0).value == r.first[0] && evaluate(self, x, 2.0).value == 0.0);
}

static void outside_follows_its_rule_on_both_sides(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const double x[] = {0.0, 1.0, 2.0, 4.0, 5.0}, y[] = {1.0, 2.0, -1.0, 0.0, 3.0};
    for (int method = 0; method < METHODS; method++) {
        spline linear = spline_of(x, y, COUNT(x), method, OUTSIDE_LINEAR);
        spline constant = spline_of(x, y, COUNT(x), method, OUTSIDE_CONSTANT);
        spline none = spline_of(x, y, COUNT(x), method, OUTSIDE_ERROR);
        prepare(&host, &linear);
        prepare(&host, &constant);
        prepare(&host, &none);
        const double left = evaluate(&linear, 0.0, 1.0).value, right = evaluate(&linear, 5.0, 1.0).value;
        assert_true(left != 0.0 && right != 0.0);
        check_outside(&linear, -2.0, 1.0 - 2.0 * left, left);
        check_outside(&linear, 7.0, 3.0 + 2.0 * right, right);
        check_outside(&constant, -2.0, 1.0, 0.0);
        check_outside(&constant, 7.0, 3.0, 0.0);

        /* the ends are inside, under every rule */
        const spline *all[] = {&linear, &constant, &none};
        for (size_t k = 0; k < COUNT(all); k++) {
            assert_true(evaluate(all[k], 0.0, 0.0).first[0] == left);
            assert_true(fabs(evaluate(all[k], 5.0, 0.0).first[0] - right) < 1e-13);
        }
        const double places[] = {nextafter(0.0, -1.0), nextafter(5.0, 6.0), -2.0, 7.0};
        for (size_t k = 0; k < COUNT(places); k++) {
            const double arguments[] = {places[k], 0.0};
            double value = 0.0;
            assert_int_equal(spline_value(&none, arguments, &value, NULL, NULL), TN_RETRY);
        }
    }
    test_host_end(&host);
}

static void what_is_no_number_and_no_order_has_no_value(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const double x[] = {0.0, 1.0}, y[] = {1.0, 2.0};
    spline self = spline_of(x, y, 2, LINEAR, OUTSIDE_LINEAR);
    prepare(&host, &self);
    double value = 0.0;
    const double places[] = {NAN, INFINITY, -INFINITY}, orders[] = {-1.0, 0.5, 3.0, NAN, 1e300};
    for (size_t k = 0; k < COUNT(places); k++)
        assert_int_equal(spline_value(&self, (double[]){places[k], 0.0}, &value, NULL, NULL), TN_RETRY);
    for (size_t k = 0; k < COUNT(orders); k++)
        assert_int_equal(spline_value(&self, (double[]){0.5, orders[k]}, &value, NULL, NULL), TN_INVALID);
    test_host_end(&host);
}

/* ---- preparation ------------------------------------------------------------------------------------------ */

static void check_refused(spline self, const char *parameter, const char *message)
{
    test_host host;
    test_host_begin(&host);
    assert_int_equal(prepare_spline(&host.table, &self), TN_INVALID);
    assert_string_equal(host.parameter, parameter);
    assert_string_equal(host.message, message);
    test_host_end(&host);
}

static void wrong_points_are_refused_with_the_first_wrong_one(void **state)
{
    (void)state;
    const double x[] = {0.0, 1.0, 1.5, 1.5, 1.0}, y[] = {1.0, 2.0, 3.0, 4.0, 5.0};
    const double falls[] = {0.0, 0.3, 0.1}, infinite[] = {0.0, 1.0, INFINITY};
    const double huge[] = {0.0, 1.7e308, -1.7e308};
    spline self = spline_of(x, y, 5, LINEAR, OUTSIDE_LINEAR);
    check_refused(self, "x",
                  "x must increase strictly, but x[2] = 1.5 is followed by x[3] = 1.5 (counted from 0)");
    check_refused(spline_of(falls, y, 3, CUBIC, OUTSIDE_LINEAR), "x",
                  "x must increase strictly, but x[1] = 0.3 is followed by x[2] = 0.1 (counted from 0)");
    self.y.count = 4;
    check_refused(self, "x", "x has 5 values, but y has 4");
    check_refused(spline_of(infinite, y, 3, LINEAR, OUTSIDE_LINEAR), "x", "x[2] = inf is not finite");
    check_refused(spline_of(y, infinite, 3, LINEAR, OUTSIDE_LINEAR), "y", "y[2] = inf is not finite");
    check_refused(spline_of(y, huge, 3, LINEAR, OUTSIDE_LINEAR), "x",
                  "the curve is not finite from x[1] = 2 to x[2] = 3");
}

static void few_points_are_enough_or_refused(void **state)
{
    (void)state;
    static const size_t least[METHODS] = {[LINEAR] = 2, [AKIMA] = 5, [CUBIC] = 3, [STEFFEN] = 3};
    const double x[] = {0.0, 1.0, 1.5, 3.0, 3.5}, y[] = {1.0, 2.0, 3.0, -4.0, 5.0};
    test_host host;
    test_host_begin(&host);
    for (int method = 0; method < METHODS; method++)
        for (size_t count = 0; count <= COUNT(x); count++) {
            spline self = spline_of(x, y, count, method, OUTSIDE_LINEAR);
            if (count >= least[method]) {
                prepare(&host, &self);
                for (size_t i = 0; i < count; i++)
                    assert_true(fabs(value_at(&self, x[i]) - y[i]) < 1e-14 * 10.0);
            } else {
                char message[128];
                (void)snprintf(message, sizeof message,
                               "interpolation = \"%s\" needs %zu points, but there are %zu",
                               methods[method].name, least[method], count);
                check_refused(self, "x", message);
            }
        }
    test_host_end(&host);
}

static void neighbouring_numbers_make_a_jump(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const double after = nextafter(1.0, 2.0), x[] = {0.0, 1.0, after, 2.0}, y[] = {3.0, 3.0, 5.0, 5.0};
    for (int method = LINEAR; method < METHODS; method++) {
        if (method == AKIMA) continue; /* needs a point more */
        spline self = spline_of(x, y, COUNT(x), method, OUTSIDE_LINEAR);
        prepare(&host, &self);
        assert_true(value_at(&self, 1.0) == 3.0 && value_at(&self, after) == 5.0);
    }
    spline self = spline_of(x + 1, y + 1, 2, LINEAR, OUTSIDE_LINEAR);
    prepare(&host, &self);
    assert_true(value_at(&self, 1.0) == 3.0 && value_at(&self, after) == 5.0);
    test_host_end(&host);
}

static void preparing_again_changes_nothing(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    double x[POINTS], y[POINTS];
    make_points(x, y, false);
    spline self = spline_of(x, y, POINTS, CUBIC, OUTSIDE_LINEAR);
    prepare(&host, &self);
    const double before = value_at(&self, 0.123);
    prepare(&host, &self);
    assert_true(value_at(&self, 0.123) == before);

    /* nor does preparing a copy by another method */
    spline copy = self;
    copy.interpolation = LINEAR;
    prepare(&host, &copy);
    assert_true(value_at(&copy, 0.123) != before && value_at(&self, 0.123) == before);
    test_host_end(&host);
}

/* ---- many points ------------------------------------------------------------------------------------------ */

static void check_many(test_host *host, const double *x, const double *y, size_t count, bool even)
{
    spline self = spline_of(x, y, count, LINEAR, OUTSIDE_ERROR);
    prepare(host, &self);
    assert_true((self.density > 0.0) == even);
    const clock_t start = clock();
    uint32_t seed = 17;
    enum { CALLS = 500000 };
    for (int k = 0; k < CALLS; k++)
        (void)value_at(&self, x[0] + random_number(&seed) * (x[count - 1] - x[0]));
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_true(seconds < 2.0); /* a walk through the points would take a minute */

    for (size_t i = 0; i + 1 < count; i++) {
        assert_int_equal(interval_of(&self, x[i]), i);
        assert_int_equal(interval_of(&self, nextafter(x[i + 1], x[i])), i);
    }
    assert_int_equal(interval_of(&self, x[count - 1]), count - 2);
}

static void many_points_are_searched_fast(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    double *x = calloc(MANY, sizeof *x), *y = calloc(MANY, sizeof *y);
    assert_true(x && y);
    test_host host;
    test_host_begin(&host);
    uint32_t seed = 23;
    for (int i = 0; i < MANY; i++) {
        x[i] = 0.1 * i;
        y[i] = random_number(&seed);
    }
    check_many(&host, x, y, MANY, true);
    for (int i = 0; i < MANY; i++)
        x[i] += 0.04 * random_number(&seed); /* still nearly even */
    check_many(&host, x, y, MANY, true);
    for (int i = 1; i < MANY; i++)
        x[i] = x[i - 1] + 0.01 + random_number(&seed);
    check_many(&host, x, y, MANY, false);
    test_host_end(&host);
    free(x);
    free(y);
}

static void descriptor_tells_licence_and_arguments(void **state)
{
    (void)state;
    const tn_library *library = tn_plugin_main();
    const tn_function_type *type = library->types[0].type;
    assert_string_equal(library->types[0].kind, TN_FUNCTION_KIND);
    assert_string_equal(library->licence, "GPL-3.0-or-later");
    assert_string_equal(type->name, "spline");
    assert_int_equal(type->arguments, 2);
    assert_int_equal(type->optional, 1);
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
        cmocka_unit_test(outside_follows_its_rule_on_both_sides),
        cmocka_unit_test(what_is_no_number_and_no_order_has_no_value),
        cmocka_unit_test(wrong_points_are_refused_with_the_first_wrong_one),
        cmocka_unit_test(few_points_are_enough_or_refused),
        cmocka_unit_test(neighbouring_numbers_make_a_jump),
        cmocka_unit_test(preparing_again_changes_nothing),
        cmocka_unit_test(many_points_are_searched_fast),
        cmocka_unit_test(descriptor_tells_licence_and_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_spline_points.c - what lies outside the points, which points are refused, and the search among many. */
#include "test_spline.h"

#include <stdlib.h>
#include <time.h>

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
    const double places[] = {(double)NAN, HUGE_VAL, -HUGE_VAL},
                 orders[] = {-1.0, 0.5, 3.0, (double)NAN, 1e300};
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
    const double falls[] = {0.0, 0.3, 0.1}, infinite[] = {0.0, 1.0, HUGE_VAL};
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

static int errors_of_the_program;

static void count_error(const char *reason, const char *file, int line, int number)
{
    (void)reason, (void)file, (void)line, (void)number;
    errors_of_the_program++;
}

/* Left alone, GSL ends the program at its first error. */
static void errors_of_gsl_are_returned_and_others_handled_as_before(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const double x[] = {0.0, 1.0}, y[] = {1.0, 2.0};
    spline self = spline_of(x, y, 2, LINEAR, OUTSIDE_LINEAR);
    (void)gsl_set_error_handler(count_error);
    tn_gsl_set_handler(); /* as where a program that has a handler loads the plugin */
    prepare(&host, &self);
    tn_gsl_enter();
    assert_null(gsl_interp_alloc(gsl_interp_cspline, 1));
    tn_gsl_leave();
    assert_int_equal(errors_of_the_program, 0);
    assert_null(gsl_interp_alloc(gsl_interp_cspline, 1));
    assert_int_equal(errors_of_the_program, 1);
    test_host_end(&host);
}

static void descriptor_tells_licence_and_arguments(void **state)
{
    (void)state;
    const tn_library *library = tn_plugin_library();
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
        cmocka_unit_test(outside_follows_its_rule_on_both_sides),
        cmocka_unit_test(what_is_no_number_and_no_order_has_no_value),
        cmocka_unit_test(wrong_points_are_refused_with_the_first_wrong_one),
        cmocka_unit_test(few_points_are_enough_or_refused),
        cmocka_unit_test(neighbouring_numbers_make_a_jump),
        cmocka_unit_test(preparing_again_changes_nothing),
        cmocka_unit_test(many_points_are_searched_fast),
        cmocka_unit_test(errors_of_gsl_are_returned_and_others_handled_as_before),
        cmocka_unit_test(descriptor_tells_licence_and_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

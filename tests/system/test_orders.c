/* test_orders.c - the error of every method falls with its order when the step is halved, for positions,
 * velocities and rotations alike */
#include "harness.h"

#include <math.h>

/* No two moments of inertia are equal, and the reference point is not the centre of mass. */
#define BODY                                                                                                \
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.05, 0.08, 0.1, 0.01, -0.005, " \
    "0.008]\n"
#define SENSORS                                                       \
    "[[sensor]]\nname = 'p'\nelement = 'body'\noutput = 'position'\n" \
    "[[sensor]]\nname = 'v'\nelement = 'body'\noutput = 'velocity'\n" \
    "[[sensor]]\nname = 'R'\nelement = 'body'\noutput = 'rotation'\n" \
    "[[sensor]]\nname = 'w'\nelement = 'body'\noutput = 'angular_velocity'\n"

static const char free_rotation[] =
    BODY "com = [0.1, -0.2, 0.05]\nvelocity = [0.3, -0.1, 0.2]\nangular_velocity = [8, 20, -4]\n" SENSORS;

static const char heavy_body[] =
    "[model]\ngravity = [0, 0, -9.81]\n" BODY
    "com = [0.02, -0.01, 0.03]\nposition = [-0.1, -0.05, -0.9]\nvelocity = [0.2, 0.1, 0]\n"
    "angular_velocity = [0.5, 1, -0.3]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\n"
    "markers = ['ground', { element = 'body', position = [0.1, 0.05, 0.2] }]\n"
    "reference_length = 0.5\nstiffness = 200\ndamping = 0.5\n" SENSORS;

static const char *const models[] = {free_rotation, heavy_body};
static const char *const model_names[] = {"free rotation", "heavy body on a spring"};

static const struct quantity {
    const char *name, *first_column;
    size_t columns;
} quantities[] = {{"position", "p.x", 3}, {"velocity", "v.x", 3}, {"rotation", "R.0", 9}, {"spin", "w.x", 3}};
enum { QUANTITIES = 4 };

/* Rows at every 0.1 s of one second. */
static const tn_csv_table *integrate(const char *model, const char *solver, double step)
{
    return tn_simulate(tn_format("%s[output]\ninterval = 0.1\n[solver]\nend_time = 1\nstep = %.17g\n%s",
                                 model, step, solver),
                       NULL);
}

/* Largest difference of one quantity over all rows. */
static double difference(const tn_csv_table *a, const tn_csv_table *b, const struct quantity *quantity)
{
    const size_t first = tn_column_of(a, quantity->first_column);
    double largest = 0.0;
    assert_int_equal(a->rows, 11);
    assert_int_equal(b->rows, 11);
    for (size_t row = 0; row < a->rows; row++)
        for (size_t k = first; k < first + quantity->columns; k++)
            largest = fmax(largest, fabs(tn_csv_value(a, row, k) - tn_csv_value(b, row, k)));
    return largest;
}

static void check_orders(const char *solver, double order, double step, const char *model, const char *name,
                         const tn_csv_table *exact)
{
    const tn_csv_table *whole = integrate(model, solver, step), *half = integrate(model, solver, step / 2);
    for (int i = 0; i < QUANTITIES; i++) {
        const double coarse = difference(whole, exact, &quantities[i]),
                     fine = difference(half, exact, &quantities[i]), measured = log2(coarse / fine);
        if (!(fabs(measured - order) <= 0.2))
            fail_msg("%s%s, %s: errors %.3g and %.3g at steps %.3g and half of it are of order %.2f, not %g",
                     solver, name, quantities[i].name, coarse, fine, step, measured, order);
    }
}

static void check_method(const char *solver, double order, double step)
{
    for (int m = 0; m < 2; m++) {
        const tn_csv_table *exact = integrate(models[m], "type = 'rk'\norder = 5\n", 2e-4);
        check_orders(solver, order, step, models[m], model_names[m], exact);
    }
}

static void test_runge_kutta_1(void **state)
{
    (void)state;
    check_method("type = 'rk'\norder = 1\n", 1, 1e-4);
}

static void test_runge_kutta_2(void **state)
{
    (void)state;
    check_method("type = 'rk'\norder = 2\n", 2, 2e-3);
}

static void test_runge_kutta_4(void **state)
{
    (void)state;
    check_method("type = 'rk'\norder = 4\n", 4, 2.5e-3);
}

static void test_runge_kutta_5(void **state)
{
    (void)state;
    check_method("type = 'rk'\norder = 5\n", 5, 2.5e-3);
}

static void test_generalized_alpha(void **state)
{
    (void)state;
    static const char *const radii[] = {"0", "0.5", "0.8", "1"};
    for (int k = 0; k < 4; k++)
        check_method(tn_format("type = 'generalized_alpha'\nspectral_radius = %s\n", radii[k]), 2, 1e-3);
}

static void test_other_schemes(void **state)
{
    (void)state;
    check_method("type = 'generalized_alpha'\nscheme = 'hht'\nspectral_radius = 0.7\n", 2, 1e-3);
    check_method("type = 'generalized_alpha'\nscheme = 'trapezoidal'\n", 2, 1e-3);
    check_method("type = 'generalized_alpha'\nnewton = { jacobian = 'full' }\n", 2, 1e-3);
}

/* Newmark's gamma above 1/2 damps, at the price of an order. */
static void test_newmark_with_damping(void **state)
{
    (void)state;
    check_method("type = 'generalized_alpha'\nscheme = 'newmark'\ngamma = 0.6\nbeta = 0.3025\n", 1, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runge_kutta_1),       cmocka_unit_test(test_runge_kutta_2),
        cmocka_unit_test(test_runge_kutta_4),       cmocka_unit_test(test_runge_kutta_5),
        cmocka_unit_test(test_generalized_alpha),   cmocka_unit_test(test_other_schemes),
        cmocka_unit_test(test_newmark_with_damping)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

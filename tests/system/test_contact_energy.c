/* test_contact_energy.c - contact by penalty creates no energy, however coarse the tolerance */
#include "harness.h"

#include <math.h>

/* A ball of 1 g that falls on a stiff floor; a row after every step. */
static const tn_csv_table *fall(const char *solver, double restitution, double height, double tolerance)
{
    return tn_simulate(
        tn_format("[model]\ngravity = [0, 0, -10]\n"
                  "[[material_pair]]\na = 'steel'\nb = 'steel'\nrestitution = %g\nstiffness = 1e7\n"
                  "[[element]]\nname = 'ball'\ntype = 'rigid_body'\nmass = 1e-3\n"
                  "inertia = [4e-8, 4e-8, 4e-8]\nposition = [0, 0, %.17g]\n"
                  "[[marker]]\nname = 'skin'\ntype = 'shape'\nelement = 'ball'\nkind = 'sphere'\n"
                  "radius = 0.01\nmaterial = 'steel'\n"
                  "[[marker]]\nname = 'floor'\ntype = 'shape'\nelement = 'ground'\nkind = 'plane'\n"
                  "material = 'steel'\n"
                  "[[element]]\nname = 'touch'\ntype = 'contact'\nlaw = 'penalty'\n"
                  "shapes = ['skin', 'floor']\n"
                  "[[sensor]]\nname = 'total'\nsystem = 'total_energy'\n"
                  "[solver]\ntype = '%s'\ntolerance = %g\nend_time = 0.5\n",
                  restitution, 0.01 + height, solver, tolerance),
        NULL);
}

/* The most that a number gains over any one before it. */
static double largest_rise(const tn_csv_table *rows, const char *name)
{
    const size_t column = tn_column_of(rows, name);
    double least = HUGE_VAL, rise = 0.0;
    for (size_t row = 0; row < rows->rows; row++) {
        const double value = tn_csv_value(rows, row, column);
        assert_true(isfinite(value));
        least = fmin(least, value);
        rise = fmax(rise, value - least);
    }
    return rise;
}

/* The ball chatters at rest, and steps are long enough to jump over whole contacts. */
static void check_energy(const char *solver)
{
    static const double restitutions[] = {0.5, 0.01, 0.003, 0.001}, heights[] = {0.03, 0.1, 0.137, 0.2, 0.3};
    static const double tolerances[] = {1e-3, 1e-4, 1e-5};
    for (size_t k = 0; k < (TN_SANITIZED ? 20 : 60); k++) {
        const double tolerance = tolerances[k / 20], height = heights[k / 4 % 5], e = restitutions[k % 4];
        const tn_csv_table *rows = fall(solver, e, height, tolerance);
        const double rise = largest_rise(rows, "total") / (0.01 * height);
        if (!(rise <= 0.2 * tolerance))
            fail_msg("%s, tolerance %g, restitution %g, height %g m: gains %g of its energy", solver,
                     tolerance, e, height, rise);
    }
}

static void a_light_ball_on_a_stiff_floor_gains_no_energy_under_rk(void **state)
{
    (void)state;
    check_energy("rk");
}

/* Its Jacobian of the floor damps corrections and estimates of stages in the air. */
static void a_light_ball_on_a_stiff_floor_gains_no_energy_under_radau(void **state)
{
    (void)state;
    check_energy("radau");
}

/* The default stepper leaves its second stage out of both the result and the estimate. */
static void a_light_ball_on_a_stiff_floor_gains_no_energy_under_gsl_ode(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
    check_energy("gsl_ode");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_ball_on_a_stiff_floor_gains_no_energy_under_rk),
        cmocka_unit_test(a_light_ball_on_a_stiff_floor_gains_no_energy_under_radau),
        cmocka_unit_test(a_light_ball_on_a_stiff_floor_gains_no_energy_under_gsl_ode),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

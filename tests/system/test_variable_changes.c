/* test_variable_changes.c - expressions, penalties and activity of reference variables change during a run */
#include "harness.h"

#include <math.h>

static const char *const solvers[] = {"rk", "gsl_ode", "generalized_alpha"};
enum { RK, GSL_ODE, ALPHA, SOLVERS };
/* One on the grid of steps, one off it. */
static const double times[] = {0.5, 0.3137};
enum { TIMES = sizeof times / sizeof *times };

static const char mass[] = "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
                           "[[sensor]]\nname = 'x'\nexpression = 'DX(m)'\n"
                           "[[sensor]]\nname = 'v'\nexpression = 'VARVAL(v)'\n";
static const char pendulum[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
    "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n"
    "[[sensor]]\nname = 'w'\nelement = 'm'\noutput = 'velocity'\n";

static const char *variable(const char *keys)
{
    return tn_format("[[element]]\nname = 'v'\ntype = 'reference_variable'\n%s\n", keys);
}

static const char *change(double time, const char *keys)
{
    return tn_format("[[change]]\ntime = %.17g\nelement = 'v'\n%s\n", time, keys);
}

static const char *expression(double time, const char *value)
{
    return change(time, tn_format("parameter = 'expression'\nvalue = %s", value));
}

static const tn_csv_table *run(int solver, const char *model)
{
    const char *more = solver == GSL_ODE ? "relative_tolerance = 1e-9\n" : "";
    return tn_simulate(
        tn_format("%s[solver]\ntype = '%s'\nstep = 1e-3\nend_time = 1\n%s", model, solvers[solver], more),
        TN_WORDS("--quiet"));
}

static double value(const tn_csv_table *table, size_t row, const char *column)
{
    return tn_csv_value(table, row, tn_column_of(table, column));
}

static void expect(const tn_csv_table *table, size_t row, const char *column, double right, double tolerance)
{
    const double found = value(table, row, column);
    if (!(fabs(found - right) <= tolerance))
        fail_msg("%s(%g) = %.12g instead of %.12g", column, value(table, row, "time"), found, right);
}

/* ---- expressions ------------------------------------------------------------------------------------------- */

/* 2, then 12 t, then 0: the force that reads it is that of the new expression at once. */
static void test_an_explicit_variable_becomes_another_expression_and_a_number(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int k = 0; k < TIMES; k++) {
            const double first = times[k], second = times[k] + 0.25;
            const double v1 = 2.0 * first, x1 = first * first;
            const tn_csv_table *table =
                run(s, tn_format("%s%s[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\n"
                                 "value = ['VARVAL(v)', 0, 0]\n%s%s",
                                 mass, variable("expression = 2"), expression(first, "'12*TIME'"),
                                 expression(second, "0")));
            for (size_t row = 0; row < table->rows; row++) {
                const double t = value(table, row, "time"), end = fmin(t, second), d = end - first;
                const double late = v1 + 6.0 * (second * second - first * first);
                const double x = t < first
                                     ? t * t
                                     : x1 + v1 * d + 6.0 * first * d * d + 2.0 * d * d * d + late * (t - end);
                expect(table, row, "v", t < first ? 2.0 : t < second ? 12.0 * t : 0.0, 1e-12);
                expect(table, row, "x", x, s == ALPHA ? 2e-6 : 1e-8);
            }
        }
}

/* From where it was, not from its initial value: the root is the negative one, also behind a change of something else. */
static void test_another_equation_is_solved_from_the_last_value(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int k = 0; k < TIMES; k++) {
            const tn_csv_table *table = run(s, tn_format("%s%s%s%s", mass,
                                                         variable("implicit = true\ninitial_value = 1\n"
                                                                  "expression = 'VARVAL(v) - 1 + 10*TIME'"),
                                                         expression(times[k], "'VARVAL(v)**2 - 25 - DX(m)'"),
                                                         change(0.75, "parameter = 'penalty'\nvalue = 3")));
            for (size_t row = 0; row < table->rows; row++) {
                const double t = value(table, row, "time");
                expect(table, row, "v", t < times[k] ? 1.0 - 10.0 * t : -5.0, 1e-12);
            }
        }
}

static void test_an_integral_keeps_its_value(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int k = 0; k < TIMES; k++) {
            const double first = times[k], second = times[k] + 0.25;
            const tn_csv_table *table = run(
                s, tn_format("%s%s%s%s[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\n"
                             "value = ['VARVAL(v)', 0, 0]\n[[sensor]]\nname = 'rate'\nelement = 'v'\n"
                             "output = 'rate'\n[[sensor]]\nname = 'w'\nexpression = 'VX(m)'\n",
                             mass, variable("integral = true\ninitial_value = 0.25\nexpression = '4*TIME'"),
                             expression(first, "1"), expression(second, "'VARVAL(v) - VX(m)'")));
            for (size_t row = 0; row < table->rows; row++) {
                const double t = value(table, row, "time"), after = 0.25 + 2.0 * first * first + t - first;
                if (t < second) expect(table, row, "v", t < first ? 0.25 + 2.0 * t * t : after, 1e-6);
                if (t < second)
                    expect(table, row, "rate", t < first ? 4.0 * t : 1.0, 1e-12);
                else
                    expect(table, row, "rate", value(table, row, "v") - value(table, row, "w"), 1e-12);
            }
        }
}

/* The mass is put onto the new rod, which carries it: radially m a = -m w^2 / L. */
static void test_another_constraint_is_taken_up(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        for (int k = 0; k < TIMES; k++) {
            const tn_csv_table *table = run(
                s, tn_format("%s%s%s[[sensor]]\nname = 'v'\nexpression = 'VARVAL(v)'\n", pendulum,
                             variable("implicit = true\nexpression = 'DM(m) - 1'"),
                             expression(times[k], "'SQRT(DX(m)**2 + DY(m)**2 + (DZ(m) - 0.2)**2) - 1.1'")));
            for (size_t row = 0; row < table->rows; row++) {
                const bool late = value(table, row, "time") >= times[k];
                const double x = value(table, row, "p.x"), z = value(table, row, "p.z") - (late ? 0.2 : 0.0);
                const double u = value(table, row, "w.x"), w = value(table, row, "w.z");
                const double length = late ? 1.1 : 1.0;
                assert_true(fabs(sqrt(x * x + z * z) - length) < 1e-8);
                expect(table, row, "v", (9.81 * z - u * u - w * w) / length, s == ALPHA ? 2e-3 : 1e-6);
            }
        }
}

/* Where a force of 1 N and one of the penalty are in balance. */
static void test_penalty_and_expression_of_a_soft_constraint_change(void **state)
{
    (void)state;
    static const char *const changes[] = {"parameter = 'penalty'\nvalue = 1000",
                                          "parameter = 'expression'\nvalue = '2*(DX(m) - 0.1)'",
                                          "parameter = 'penalty1'\nvalue = 0"};
    static const double rests[] = {1e-3, 0.1 + 1.0 / 1600.0, 2.5e-3};
    for (int s = 0; s < SOLVERS; s++)
        for (int k = 0; k < 3; k++) {
            const tn_csv_table *table =
                run(s, tn_format("%s%s%s[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\n"
                                 "value = [1, 0, 0]\n",
                                 mass,
                                 variable("implicit = true\nexpression = 'DX(m)'\nautobalance = 'penalty'\n"
                                          "penalty = 400\npenalty1 = 40"),
                                 change(times[1], changes[k])));
            size_t row = 0;
            while (value(table, row, "time") < times[1])
                expect(table, row, "v", value(table, row, "x"), 0.0), row++;
            expect(table, table->rows - 1, "x", rests[k], 1e-4);
        }
}

/* ---- activity ---------------------------------------------------------------------------------------------- */

/* It lets go and takes hold as a joint does. */
static void test_a_constraint_is_switched_like_a_joint(void **state)
{
    (void)state;
    static const char rod[] =
        "[[element]]\nname = 'v'\ntype = 'distance'\nmarkers = ['ground', 'm']\nlength = 1\n";
    static const char *const columns[] = {"p.x", "p.z", "w.x", "w.z"};
    for (int s = 0; s < SOLVERS; s++)
        for (int k = 0; k < TIMES; k++) {
            const char *off_and_on = tn_format("%s%s", change(times[k], "active = false"),
                                               change(times[k] + 0.2, "active = true"));
            const tn_csv_table *joint = run(s, tn_format("%s%s%s", pendulum, rod, off_and_on));
            const tn_csv_table *table =
                run(s, tn_format("%s%s%s[[sensor]]\nname = 'v'\nexpression = 'VARVAL(v)'\n", pendulum,
                                 variable("implicit = true\nexpression = 'DM(m) - 1'"), off_and_on));
            for (size_t row = 0; row < table->rows; row++) {
                const double t = value(table, row, "time");
                for (size_t c = 0; c < 4; c++)
                    expect(table, row, columns[c], value(joint, row, columns[c]), s == GSL_ODE ? 1e-6 : 1e-8);
                if (t >= times[k] && t < times[k] + 0.199) expect(table, row, "v", 0.0, 0.0);
            }
        }
}

/* Its forces vanish; it still tells g. */
static void test_a_soft_constraint_is_switched_on(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *table =
            run(s, tn_format("%s%s%s[[sensor]]\nname = 'multiplier'\nelement = 'v'\noutput = 'multiplier'\n"
                             "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\nvalue = [1, 0, 0]\n",
                             mass,
                             variable("implicit = true\nexpression = 'DX(m)'\nautobalance = 'penalty'\n"
                                      "penalty = 400\npenalty1 = 40\nactive = false"),
                             change(times[1], "active = true")));
        for (size_t row = 0; row < table->rows; row++) {
            const double t = value(table, row, "time");
            expect(table, row, "v", value(table, row, "x"), 0.0);
            if (t >= times[1]) continue;
            expect(table, row, "x", 0.5 * t * t, 1e-6);
            expect(table, row, "multiplier", 0.0, 0.0);
        }
        expect(table, table->rows - 1, "x", 2.5e-3, 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_explicit_variable_becomes_another_expression_and_a_number),
        cmocka_unit_test(test_another_equation_is_solved_from_the_last_value),
        cmocka_unit_test(test_an_integral_keeps_its_value),
        cmocka_unit_test(test_another_constraint_is_taken_up),
        cmocka_unit_test(test_penalty_and_expression_of_a_soft_constraint_change),
        cmocka_unit_test(test_a_constraint_is_switched_like_a_joint),
        cmocka_unit_test(test_a_soft_constraint_is_switched_on)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

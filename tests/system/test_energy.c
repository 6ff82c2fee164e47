/* test_energy.c - energies that are integrated along a run: the balance, what was dissipated, what was supplied */
#include "harness.h"

#include <math.h>

#define SENSOR(name, of, output) "[[sensor]]\nname = '" name "'\n" of "\noutput = '" output "'\n"
#define ELEMENT(name, element)                                            \
    SENSOR(name "_stored", "element = '" element "'", "potential_energy") \
    SENSOR(name "_lost", "element = '" element "'", "dissipated_energy")  \
    SENSOR(name "_given", "element = '" element "'", "supplied_energy")
#define SYSTEM(output) "[[sensor]]\nname = '" output "'\nsystem = '" output "'\n"
#define ENERGIES               \
    SYSTEM("potential_energy") \
    SYSTEM("dissipated_energy") SYSTEM("supplied_energy") SYSTEM("total_energy") SYSTEM("energy_balance")
#define RK "[solver]\ntype = 'rk'\n"
#define ALPHA "[solver]\ntype = 'generalized_alpha'\n"

static double value(const tn_csv_table *run, size_t row, const char *column)
{
    return tn_csv_value(run, row, tn_column_of(run, column));
}

static void check_near(double value, double right, double tolerance)
{
    if (!(fabs(value - right) <= tolerance)) fail_msg("%.17g is not %.17g", value, right);
}

/* Every kind of element: bodies with weight, springs between points of all sorts, one that is driven, one that is
 * not active, given loads. */
#define EVERYTHING                                                                                          \
    "[model]\ngravity = [0.3, 0, -9.81]\n"                                                                  \
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.05, 0.08, 0.1, 0.01, -0.005, " \
    "0.008]\n"                                                                                              \
    "com = [0.02, -0.01, 0.03]\nvelocity = [0.2, 0.1, 0]\nangular_velocity = [0.5, 3, -2]\n"                \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 0.7\nposition = [0, 0.5, -1]\nvelocity = [1, " \
    "0, 0]\n"                                                                                               \
    "[[element]]\nname = 'hanger'\ntype = 'spring_damper'\nreference_length = 0.5\nstiffness = "            \
    "200\ndamping = 1.5\n"                                                                                  \
    "markers = [{ element = 'ground', position = [0, 0, 1] }, { element = 'body', position = [0.1, 0.05, "  \
    "0.2] }]\n"                                                                                             \
    "[[element]]\nname = 'link'\ntype = 'spring_damper'\nmarkers = ['body', 'mass']\nstiffness = "          \
    "60\ndamping = 0.4\n"                                                                                   \
    "reference_length = '0.8 + 0.1*sin(5*time)'\nforce = 0.5\n"                                             \
    "[[element]]\nname = 'spare'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 100\n"  \
    "damping = 1\nactive = false\n"                                                                         \
    "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = ['mass']\nvalue = ['2*cos(3*time)', 1, 0]\n"     \
    "[[element]]\nname = 'twist'\ntype = 'torque'\nmarkers = ['body', 'ground']\nvalue = [0, 0.1, "         \
    "'time']\nlocal = true\n"

/* ---- the balance ----------------------------------------------------------------------------------------- */

/* How far the balance moves in half a second. */
static double drift(const char *solver, double step)
{
    const tn_csv_table *run = tn_simulate(
        tn_format(EVERYTHING ENERGIES "[output]\ninterval = 0.1\n%send_time = 0.5\nstep = %.17g\n", solver,
                  step),
        NULL);
    double largest = 0.0;
    assert_int_equal(run->rows, 6);
    for (size_t row = 1; row < run->rows; row++)
        largest = fmax(largest, fabs(value(run, row, "energy_balance") - value(run, 0, "energy_balance")));
    return largest;
}

static void test_drift_falls_with_the_order_of_the_method(void **state)
{
    (void)state;
    static const struct method {
        const char *solver;
        double order, step;
    } methods[] = {{RK "order = 1\n", 1, 1e-4},
                   {RK "order = 2\n", 2, 1e-3},
                   {RK "order = 4\n", 4, 2.5e-3},
                   {RK "order = 5\n", 5, 2.5e-3},
                   {ALPHA, 2, 1e-3},
                   {ALPHA "spectral_radius = 0\n", 2, 1e-3},
                   {ALPHA "spectral_radius = 0.5\n", 2, 1e-3},
                   {ALPHA "spectral_radius = 1\n", 2, 1e-3},
                   {ALPHA "scheme = 'hht'\nspectral_radius = 0.7\n", 2, 1e-3},
                   {ALPHA "scheme = 'newmark'\n", 2, 1e-3},
                   {ALPHA "scheme = 'newmark'\ngamma = 0.6\nbeta = 0.3025\n", 1, 1e-4},
                   {ALPHA "scheme = 'trapezoidal'\nnewton = { jacobian = 'full' }\n", 2, 1e-3}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const double coarse = drift(methods[k].solver, methods[k].step),
                     fine = drift(methods[k].solver, methods[k].step / 2), order = log2(coarse / fine);
        if (!(fabs(order - methods[k].order) < 0.35))
            fail_msg("%s: drifts %.3g and %.3g are of order %.2f", methods[k].solver, coarse, fine, order);
    }
}

static void test_drift_meets_the_tolerances(void **state)
{
    (void)state;
    const char *const solver =
        RK "order = 5\nadaptive = true\nrelative_tolerance = 1e-%d\nabsolute_tolerance = 1e-%d\n";
    char loose[200], tight[200];
    (void)snprintf(loose, sizeof loose, solver, 5, 6);
    (void)snprintf(tight, sizeof tight, solver, 10, 11);
    const double coarse = drift(loose, 0.01), fine = drift(tight, 0.01);
    assert_true(coarse < 1e-3);
    assert_true(fine < 1e-8 && fine < 1e-3 * coarse);
}

/* ---- sums ------------------------------------------------------------------------------------------------ */

static void test_elements_sum_to_the_system(void **state)
{
    (void)state;
    static const char *const solvers[] = {RK "step = 1e-3\n", ALPHA "step = 1e-3\n",
                                          RK "order = 5\nrelative_tolerance = 1e-6\n"};
    static const char *const elements[] = {"body",  "mass", "hanger", "link",
                                           "spare", "push", "twist",  "ground"};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        const tn_csv_table *run = tn_simulate(
            tn_format(EVERYTHING ENERGIES ELEMENT("body", "body") ELEMENT("mass", "mass")
                          ELEMENT("hanger", "hanger") ELEMENT("link", "link") ELEMENT("spare", "spare")
                              ELEMENT("push", "push") ELEMENT("twist", "twist")
                                  ELEMENT("ground", "ground") "%s"
                                                              "end_time = 0.3\n[output]\ninterval = 0.1\n",
                      solvers[s]),
            NULL);
        for (size_t row = 0; row < run->rows; row++) {
            double stored = 0.0, lost = 0.0, given = 0.0;
            for (size_t k = 0; k < sizeof elements / sizeof *elements; k++) {
                stored += value(run, row, tn_format("%s_stored", elements[k]));
                lost += value(run, row, tn_format("%s_lost", elements[k]));
                given += value(run, row, tn_format("%s_given", elements[k]));
            }
            check_near(stored, value(run, row, "potential_energy"), 1e-12);
            check_near(lost, value(run, row, "dissipated_energy"), 1e-12);
            check_near(given, value(run, row, "supplied_energy"), 1e-10);
            check_near(value(run, row, "total_energy") + lost - given, value(run, row, "energy_balance"),
                       1e-10);
            check_near(value(run, row, "spare_stored"), 0.0, 0.0);
            check_near(value(run, row, "spare_lost"), 0.0, 0.0);
            check_near(value(run, row, "spare_given"), 0.0, 0.0);
            check_near(value(run, row, "body_given"), 0.0, 1e-3); /* its weight is all stored */
            check_near(value(run, row, "hanger_given"), 0.0, 1e-3);
        }
        assert_true(value(run, run->rows - 1, "hanger_lost") > 0.01);
        assert_true(fabs(value(run, run->rows - 1, "link_given")) > 0.01);
    }
}

/* ---- known energies -------------------------------------------------------------------------------------- */

#define MASS "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.5, 0, 0]\n"
#define SPRING                                                                             \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n" \
    "reference_length = 1\nstiffness = 4\n"

/* What a damped oscillator has lost by t = 1; the sum is that of all elements. */
static void test_a_damper_dissipates(void **state)
{
    (void)state;
    static const struct {
        const char *solver;
        double tolerance;
    } solvers[] = {{RK "order = 2\nstep = 1e-3\n", 1e-5},
                   {RK "order = 4\nstep = 0.01\n", 1e-8},
                   {RK "order = 5\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-10\n", 1e-8},
                   {ALPHA "step = 1e-3\n", 1e-6},
                   {ALPHA "scheme = 'trapezoidal'\nstep = 1e-3\n", 1e-6}};
    const double decay = 0.6, w = sqrt(4.0 - decay * decay);
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        const tn_csv_table *run = tn_simulate(tn_format(MASS SPRING "damping = 1.2\n" ENERGIES ELEMENT(
                                                            "s", "spring") "%send_time = 1\n[output]\n"
                                                                           "interval = 0.1\n",
                                                        solvers[s].solver),
                                              NULL);
        for (size_t row = 0; row < run->rows; row++) {
            const double t = tn_csv_value(run, row, 0), e = 0.5 * exp(-decay * t);
            const double x = e * (cos(w * t) + decay / w * sin(w * t)), v = -e * 4.0 / w * sin(w * t);
            const double lost = 0.5 - 0.5 * v * v - 2.0 * x * x;
            check_near(value(run, row, "dissipated_energy"), lost, solvers[s].tolerance);
            check_near(value(run, row, "s_lost"), value(run, row, "dissipated_energy"), 0.0);
            check_near(value(run, row, "supplied_energy"), 0.0, solvers[s].tolerance);
        }
    }
}

static void test_a_force_does_work(void **state)
{
    (void)state;
    static const struct {
        const char *solver;
        double tolerance;
    } solvers[] = {{RK "step = 0.01\n", 1e-10}, {ALPHA "step = 1e-3\n", 1e-6}};
    for (size_t s = 0; s < 2; s++) {
        const tn_csv_table *run =
            tn_simulate(tn_format(MASS "[[element]]\nname = 'push'\ntype = 'force'\nmarkers = ['mass']\n"
                                       "value = ['cos(time)', 2, 0]\n" ENERGIES ELEMENT(
                                           "p", "push") "%send_time = 1\n[output]\n"
                                                        "interval = 0.1\n",
                                  solvers[s].solver),
                        NULL);
        for (size_t row = 0; row < run->rows; row++) {
            const double t = tn_csv_value(run, row, 0), work = 0.5 * sin(t) * sin(t) + 2.0 * t * t;
            check_near(value(run, row, "supplied_energy"), work, solvers[s].tolerance);
            check_near(value(run, row, "p_given"), work, solvers[s].tolerance);
            check_near(value(run, row, "p_stored") + value(run, row, "p_lost"), 0.0, 0.0);
        }
    }
}

/* The power of a spring whose free length is driven is -k (L - L0) dL0/dt. */
static void test_a_driven_spring_supplies(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        MASS
        "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 4\n"
        "reference_length = '1 + 0.1*sin(2*time)'\n" ENERGIES ELEMENT("s", "spring")
            SENSOR("L", "element = 'spring'", "distance") RK "step = 1e-3\nend_time = 2\n",
        NULL);
    double work = 0.0, before = 0.0;
    for (size_t row = 0; row < run->rows; row++) {
        const double t = tn_csv_value(run, row, 0);
        const double power = -4.0 * (value(run, row, "L") - 1.0 - 0.1 * sin(2.0 * t)) * 0.2 * cos(2.0 * t);
        if (row) work += 0.5e-3 * (before + power);
        before = power;
        check_near(value(run, row, "supplied_energy"), work, 1e-6);
        check_near(value(run, row, "s_given"), work, 1e-6);
        check_near(value(run, row, "total_energy") - work, 0.5, 1e-6);
    }
    assert_true(fabs(work) > 0.01);
}

/* A spring that is let go takes with it what it stored; dampers lose nothing while they are not active. */
static void test_what_is_not_active_has_no_energy(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        MASS SPRING
        "damping = 0.5\n"
        "[[change]]\ntime = 0.405\nelement = 'spring'\nactive = false\n"
        "[[change]]\ntime = 0.7\nelement = 'spring'\nactive = true\n" ENERGIES ELEMENT("s", "spring")
            SENSOR("L", "element = 'spring'", "distance") RK "step = 1e-2\nend_time = 1\n",
        NULL);
    double lost = 0.0, given = 0.0;
    for (size_t row = 0; row < run->rows; row++) {
        const double t = tn_csv_value(run, row, 0), stretch = value(run, row, "L") - 1.0;
        const bool off = t > 0.405 - 1e-9 && t < 0.7 - 1e-9;
        check_near(value(run, row, "energy_balance"), 0.5, 1e-8);
        check_near(value(run, row, "s_stored"), off ? 0.0 : 2.0 * stretch * stretch, 1e-14);
        if (fabs(t - 0.405) < 1e-9) {
            lost = value(run, row, "s_lost");
            given = value(run, row, "s_given");
            check_near(given, -2.0 * stretch * stretch, 1e-8);
        }
        if (fabs(t - 0.7) < 1e-9)
            check_near(value(run, row, "s_given") - given, 2.0 * stretch * stretch, 1e-12);
        if (off) check_near(value(run, row, "s_lost"), lost, 0.0);
        if (off) check_near(value(run, row, "s_given"), given, 1e-15);
    }
    assert_true(lost > 1e-3);
}

/* What a change puts into gravity or springs comes from outside, at once. */
static void test_changes_supply_what_they_store(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        "[model]\ngravity = [-10, 0, 0]\n" MASS
        "[[marker]]\nname = 'anchor'\ntype = 'point'\nelement = 'ground'\n"
        "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['anchor', 'mass']\nstiffness = 4\n"
        "reference_length = 1\n"
        "[[change]]\ntime = 0.205\nelement = 'mass'\nparameter = 'gravity_scale'\nvalue = -0.5\n"
        "[[change]]\ntime = 0.4\nmarker = 'anchor'\nposition = [-0.5, 0, 0]\n" ENERGIES ELEMENT("m", "mass")
            ELEMENT("s", "spring") SENSOR("p", "element = 'mass'", "position") RK
        "step = 1e-2\nend_time = 0.6\n",
        NULL);
    double weight = 0.0, spring = 0.0;
    for (size_t row = 0; row < run->rows; row++) {
        const double t = tn_csv_value(run, row, 0), x = value(run, row, "p.x");
        if (fabs(t - 0.205) < 1e-9) weight = -1.5 * 10.0 * x;
        if (fabs(t - 0.4) < 1e-9) spring = 2.0 * ((x - 0.5) * (x - 0.5) - (x - 1.0) * (x - 1.0));
        check_near(value(run, row, "energy_balance"), 15.5, 1e-8);
        check_near(value(run, row, "m_given"), weight, 1e-8);
        check_near(value(run, row, "s_given"), spring, 1e-8);
        check_near(value(run, row, "total_energy"), 15.5 + weight + spring, 1e-8);
    }
    assert_true(fabs(weight) > 1.0 && fabs(spring) > 0.1);
}

/* ---- what a sensor must not do --------------------------------------------------------------------------- */

/* The motion, the steps and the iterations are the same, to the last bit. */
static void test_energies_do_not_touch_the_motion(void **state)
{
    (void)state;
    static const char *const solvers[] = {RK "order = 1\nstep = 1e-3\n",
                                          RK "order = 2\nstep = 1e-3\n",
                                          RK "order = 4\nstep = 1e-3\n",
                                          RK "order = 5\nstep = 1e-3\n",
                                          RK "order = 5\nadaptive = true\nrelative_tolerance = 1e-4\n",
                                          ALPHA "step = 2e-3\n",
                                          ALPHA "scheme = 'trapezoidal'\nstep = 5e-3\n",
                                          ALPHA "newton = { jacobian = 'full' }\nstep = 5e-3\n"};
    static const char *const counts[] = {"run.statistics.steps", "run.statistics.rejected_steps",
                                         "run.statistics.newton_iterations", "run.statistics.factorisations"};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        const tn_csv_table *states[2];
        const char *results[2];
        for (int with = 0; with < 2; with++) {
            results[with] = tn_scratch_path(NULL);
            const char *model = tn_write(
                "motion.toml",
                tn_format(EVERYTHING SENSOR("p", "element = 'mass'", "position")
                              SENSOR("a", "element = 'body'",
                                     "acceleration") "%s%send_time = 0.4\n"
                                                     "[[change]]\ntime = 0.1234\nelement = 'link'\n"
                                                     "parameter = 'stiffness'\nvalue = 80\n",
                          with ? ENERGIES ELEMENT("s", "hanger") ELEMENT("b", "body") : "", solvers[s]));
            const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--quiet", "--out", results[with]));
            if (outcome.status) fail_msg("%s", outcome.errors);
            states[with] = tn_sensors(results[with]);
        }
        assert_int_equal(states[0]->rows, states[1]->rows);
        for (size_t row = 0; row < states[0]->rows; row++)
            for (size_t c = 0; c < 7; c++)
                assert_true(tn_csv_value(states[0], row, c) == tn_csv_value(states[1], row, c));
        for (int k = 0; k < 4; k++)
            assert_true(tn_run_number(results[0], counts[k]) == tn_run_number(results[1], counts[k]));
    }
}

static void test_an_output_of_the_element_comes_first(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        tn_format("[plugins]\nwatched = '%s'\n" MASS
                  "[[element]]\nname = 'w'\ntype = 'watched'\nmarkers = ['mass']\n" ELEMENT("w", "w") RK
                  "step = 0.1\nend_time = 0.1\n",
                  tn_build_test_plugin("watched")),
        TN_WORDS("--trust"));
    check_near(value(run, 1, "w_given"), 42.0, 0.0);
    check_near(value(run, 1, "w_lost"), 0.0, 0.0);
    check_near(value(run, 1, "w_stored"), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_drift_falls_with_the_order_of_the_method),
                                       cmocka_unit_test(test_drift_meets_the_tolerances),
                                       cmocka_unit_test(test_elements_sum_to_the_system),
                                       cmocka_unit_test(test_a_damper_dissipates),
                                       cmocka_unit_test(test_a_force_does_work),
                                       cmocka_unit_test(test_a_driven_spring_supplies),
                                       cmocka_unit_test(test_what_is_not_active_has_no_energy),
                                       cmocka_unit_test(test_changes_supply_what_they_store),
                                       cmocka_unit_test(test_energies_do_not_touch_the_motion),
                                       cmocka_unit_test(test_an_output_of_the_element_comes_first)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

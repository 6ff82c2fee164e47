/* test_bushing_inputs.c - bushings in whole runs: where they are singular, changes, parameters and their units */
#include "harness.h"

#include <math.h>

static double value(const tn_csv_table *run, size_t row, const char *column)
{
    return tn_csv_value(run, row, tn_column_of(run, column));
}

static void check_near(double got, double right, double tolerance)
{
    if (!(fabs(got - right) <= tolerance)) fail_msg("%.17g instead of %.17g", got, right);
}

/* ---- large middle angles --------------------------------------------------------------------------------- */

/* A body at the end of a bushing, turned by an angle about the middle axis. */
#define HINGE(angle, speed)                                                                                 \
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 1]\n"                      \
    "rotation = { axis = [0, 1, 0], angle = '" angle " [deg]' }\nangular_velocity = [0, " speed ", 0]\n"    \
    "[[element]]\nname = 'bush'\ntype = 'linear_bushing'\nmarkers = ['ground', 'body']\nstiffness = [1, 1," \
    " 1, 1, 1, 1]\ndamping = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]\n"                                              \
    "[[sensor]]\nname = 'q'\nelement = 'bush'\noutput = 'q'\n[solver]\nstep = 1e-3\n"

static const char *const types[] = {"type = 'rk'", "type = 'generalized_alpha'"};

static tn_outcome run_hinge(const char *model, const char *type, const char *end, const char **results)
{
    *results = tn_scratch_path(NULL);
    return tn_tenon(TN_WORDS("run",
                             tn_write("model.toml", tn_format("%s%s\nend_time = %s\n", model, type, end)),
                             "--quiet", "--out", *results));
}

static void check_singular(const char *model, const char *type, const char *time)
{
    const char *results = NULL;
    const tn_outcome outcome = run_hinge(model, type, "1", &results);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("linear_bushing `bush` (", "model.toml:8:1", time,
                                            "middle angle qy", "singular"));
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    tn_check_holds(tn_run_text(results, "run.reason"), TN_WORDS("middle angle qy", "singular"));
}

static void test_a_singular_start_is_refused(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        check_singular(HINGE("90", "0"), types[k], "at time 0 s");
        check_singular(HINGE("-90", "0"), types[k], "at time 0 s");
    }
}

/* The change puts the second frame into the singular position; a body that swings through it may step over it. */
static void test_a_singular_position_during_the_run(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        check_singular("[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 1]\n"
                       "velocity = [1, 0, 0]\ncom = [0.1, 0, 0]\n"
                       "[[element]]\nname = 'bush'\ntype = 'linear_bushing'\nmarkers = ['ground', 'tip']\n"
                       "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'body'\n"
                       "[[change]]\ntime = 0.5\nmarker = 'tip'\nrotation = { axis = [0, 1, 0], angle = "
                       "'90 [deg]' }\n[solver]\nstep = 1e-2\n",
                       types[k], "at time 0.5");
}

/* Once, with name and place, however long the angle is large; the run goes on. */
static void test_a_large_angle_is_warned_of_once(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *results = NULL;
        tn_outcome outcome = run_hinge(HINGE("70", "1"), types[k], "0.05", &results);
        assert_int_equal(outcome.status, 0);
        assert_string_equal(outcome.errors, "");
        outcome = run_hinge(HINGE("70", "1"), types[k], "0.3", &results);
        assert_int_equal(outcome.status, 0);
        tn_check_holds(outcome.errors, TN_WORDS("model.toml:8:1: warning: bush: at time 0.0", "75 degrees"));
        tn_check_one_message(outcome.errors);
        const tn_csv_table *run = tn_sensors(results);
        assert_true(value(run, run->rows - 1, "q.1") > 1.4);
    }
}

/* Each of several bushings has its own warning. */
static void test_all_large_angles_are_warned_of(void **state)
{
    (void)state;
    const char *results = NULL;
    const tn_outcome outcome = run_hinge(
        "[[repeat]]\ncount = 3\n[[repeat.element]]\nname = 'b{i}'\ntype = 'rigid_body'\nmass = 1\n"
        "inertia = [1, 1, 1]\nrotation = { axis = [0, 1, 0], angle = '80 [deg]' }\n"
        "[[repeat.element]]\nname = 'bush{i}'\ntype = 'linear_bushing'\nmarkers = ['ground', 'b{i}']\n"
        "[solver]\nstep = 0.1\n",
        types[0], "1", &results);
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("warning: bush0: at time 0 s", "warning: bush1: at time 0.1 s",
                                            "warning: bush2: at time 0.2 s"));
}

/* ---- changes --------------------------------------------------------------------------------------------- */

#define BUSHING                                                                                            \
    "[[element]]\nname = 'bush'\ntype = 'linear_bushing'\nmarkers = ['foot', 'head']\n"                    \
    "stiffness = [1, 2, 3, 4, 5, 6]\ndamping = [1, 1, 1, 1, 1, 1]\n"                                       \
    "[[marker]]\nname = 'foot'\ntype = 'frame'\nelement = 'ground'\n[[marker]]\nname = 'head'\ntype = "    \
    "'frame'\nelement = 'body'\n"                                                                          \
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 1]\nposition = [0.1, "    \
    "0.2, 0.3]\nvelocity = [1, 2, 3]\nangular_velocity = [0.1, 0.2, 0.3]\n"                                \
    "[[sensor]]\nname = 'q'\nelement = 'bush'\noutput = 'q'\n[[sensor]]\nname = 'd'\nelement = 'bush'\n"   \
    "output = 'qdot'\n[[sensor]]\nname = 'f'\nelement = 'bush'\noutput = 'f'\n[[sensor]]\nname = 'X'\n"    \
    "element = 'bush'\noutput = 'X_FM'\n[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 0.01\n" \
    "[[change]]\ntime = 0.5\n"

static void check_law(const tn_csv_table *run, const double k[6], const double c[6])
{
    for (int i = 0; i < 6; i++) {
        const double q = tn_value_at(run, tn_format("q.%d", i), 0.5),
                     d = tn_value_at(run, tn_format("d.%d", i), 0.5);
        check_near(tn_value_at(run, tn_format("f.%d", i), 0.5), -(k[i] * q + c[i] * d), 1e-12);
        assert_true(d != 0.0);
    }
}

static void test_changes(void **state)
{
    (void)state;
    static const double k[6] = {1, 2, 3, 4, 5, 6}, c[6] = {1, 1, 1, 1, 1, 1}, other[6] = {6, 0, 4, 3, 2, 1};
    check_law(
        tn_simulate(BUSHING "element = 'bush'\nparameter = 'stiffness'\nvalue = [6, 0, 4, 3, 2, 1]\n", NULL),
        other, c);
    check_law(
        tn_simulate(BUSHING "element = 'bush'\nparameter = 'damping'\nvalue = [6, 0, 4, 3, 2, 1]\n", NULL), k,
        other);

    // the frames: where the second one was moved to shows in q at once, where the first one was, with the other sign
    const tn_csv_table *still = tn_simulate(BUSHING "element = 'bush'\nactive = true\n", NULL);
    const tn_csv_table *foot = tn_simulate(BUSHING "marker = 'foot'\nposition = [0.5, 0, 0]\n", NULL);
    check_near(tn_value_at(foot, "q.3", 0.5), tn_value_at(still, "q.3", 0.5) - 0.5, 1e-12);
    check_near(tn_value_at(foot, "q.4", 0.5), tn_value_at(still, "q.4", 0.5), 1e-12);
    check_law(foot, k, c);
    const tn_csv_table *head =
        tn_simulate(BUSHING "marker = 'head'\nrotation = { axis = [0, 0, 1], angle = '90 [deg]' }\n", NULL);
    check_near(tn_value_at(head, "X.0", 0.5), tn_value_at(still, "X.1", 0.5), 1e-12);
    check_near(tn_value_at(head, "X.1", 0.5), -tn_value_at(still, "X.0", 0.5), 1e-12);
    check_law(head, k, c);
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

#define MODEL "[[element]]\nname = 'bush'\ntype = 'linear_bushing'\nmarkers = ['ground', 'ground']\n"
#define END "[solver]\ntype = 'rk'\nend_time = 0\nstep = 1\n"

static void test_wrong_parameters_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *line, *error;
    } cases[] = {{"stiffness = [1, 2, 3, 4, -5, 6]",
                  "5:26: error: `stiffness` of `bush`: -5 is out of range: it must be at least 0"},
                 {"damping = [-1, 2, 3, 4, 5, 6]",
                  "5:12: error: `damping` of `bush`: -1 is out of range: it must be at least 0"},
                 {"dissipated_energy = -1", "5:21: error: `dissipated_energy` of `bush`: -1 is out of range"},
                 {"stiffness = [1, 2, 3]",
                  "5:13: error: `stiffness` of `bush`: an array of 6 numbers is expected (N m/rad; N/m)"},
                 {"stiffness = ['1 [N/m]', 0, 0, 0, 0, 0]",
                  "5:14: error: `stiffness` of `bush`: `1 [N/m]`: unit N/m does not fit: N m/rad is"},
                 {"stiffness = [0, 0, 0, '1 [Nm/rad]', 0, 0]", "does not fit: N/m is expected"},
                 {"stiffness = { value = [1, 2, 3, 4, 5, 6], unit = 'N/m' }",
                  "5:50: error: `stiffness` of `bush`: unit N/m does not fit: N m/rad; N/m is expected, one "
                  "for each number"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("check", tn_write("model.toml", tn_format(MODEL "%s\n" END, cases[k].line))));
        assert_int_equal(outcome.status, 2);
        tn_check_holds(outcome.errors, TN_WORDS(cases[k].error));
    }
}

static void test_every_number_has_its_own_unit(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    const char *model = "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                        "position = [1, 1, 1]\nrotation = { axis = [1, 0, 0], angle = 1 }\n" MODEL
                        "stiffness = ['2 [N mm/rad]', '3 [Nm/deg]', 4, '5 [N/mm]', '6 + time', '7 [kN/m]']\n"
                        "[[sensor]]\nname = 'f'\nelement = 'bush'\noutput = 'f'\n"
                        "[[sensor]]\nname = 'X'\nelement = 'bush'\noutput = 'X_GM'\n" END;
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("model.toml", model), "--quiet", "--out", results, "--set",
                          "element.bush.markers=['ground', 'body']"));
    assert_string_equal(outcome.errors, "");
    const tn_csv_table *run = tn_sensors(results);
    check_near(value(run, 0, "f.0"), -2e-3, 1e-16);
    check_near(value(run, 0, "f.3"), -5e3, 1e-9);
    check_near(value(run, 0, "f.4"), -6, 1e-12);
    check_near(value(run, 0, "f.5"), -7e3, 1e-9);
    tn_check_holds(tn_read(tn_format("%s/sensors.units.csv", results)),
                   TN_WORDS("s,N m,N m,N m,N,N,N,,,,,,,,,,m,m,m"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_singular_start_is_refused),
                                       cmocka_unit_test(test_a_singular_position_during_the_run),
                                       cmocka_unit_test(test_a_large_angle_is_warned_of_once),
                                       cmocka_unit_test(test_all_large_angles_are_warned_of),
                                       cmocka_unit_test(test_changes),
                                       cmocka_unit_test(test_wrong_parameters_are_refused_at_their_place),
                                       cmocka_unit_test(test_every_number_has_its_own_unit)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_bushing.c - bushings in whole runs: against Simbody, energies and momenta, the count of what they dissipate */
#include "reference.h"

#include <math.h>

#define REFERENCE TENON_SOURCE_DIR "/tests/reference/bushing/"

static double value(const tn_csv_table *run, size_t row, const char *column)
{
    return tn_csv_value(run, row, tn_column_of(run, column));
}

static void check_near(double got, double right, double tolerance)
{
    if (!(fabs(got - right) <= tolerance)) fail_msg("%.17g instead of %.17g", got, right);
}

/* ---- against Simbody ------------------------------------------------------------------------------------- */

/* Columns from the one of that name on, as an array of TOML. */
static const char *numbers(const tn_csv_table *table, size_t row, const char *first, size_t count)
{
    const size_t column = tn_column_of(table, first);
    const char *text = "";
    for (size_t k = 0; k < count; k++)
        text = tn_format("%s%s%.17g", text, k ? ", " : "", tn_csv_value(table, row, column + k));
    return tn_format("[%s]", text);
}

static const char *rotation(const tn_csv_table *table, size_t row, const char *of)
{
    return tn_format("[%s, %s, %s]", numbers(table, row, tn_format("%s.0", of), 3),
                     numbers(table, row, tn_format("%s.3", of), 3),
                     numbers(table, row, tn_format("%s.6", of), 3));
}

/* Two bodies and the bushing between them, in the state of a row. */
static const char *model_of(const tn_csv_table *states, size_t row)
{
    const char *text = "";
    for (int body = 1; body <= 2; body++)
        text = tn_format("%s[[element]]\nname = 'b%d'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                         "position = %s\nrotation = %s\nangular_velocity_ground = %s\nvelocity = %s\n",
                         text, body, numbers(states, row, tn_format("b%dp.0", body), 3),
                         rotation(states, row, tn_format("b%dR", body)),
                         numbers(states, row, tn_format("b%dw.0", body), 3),
                         numbers(states, row, tn_format("b%dv.0", body), 3));
    text = tn_format(
        "%s[[element]]\nname = 'bush'\ntype = 'linear_bushing'\nstiffness = %s\ndamping = %s\n"
        "markers = [{ element = 'b1', position = %s, rotation = %s }, { element = 'b2', position = "
        "%s, rotation = %s }]\n",
        text, numbers(states, row, "k.0", 6), numbers(states, row, "c.0", 6), numbers(states, row, "Fp.0", 3),
        rotation(states, row, "FR"), numbers(states, row, "Mp.0", 3), rotation(states, row, "MR"));
    static const char *const sensors[][2] = {{"q", "q"},
                                             {"d", "qdot"},
                                             {"m", "F_GM"},
                                             {"g", "F_GF"},
                                             {"V", "V_FM"},
                                             {"X", "X_FM"},
                                             {"pe", "potential_energy"},
                                             {"pd", "power_dissipation"}};
    for (size_t k = 0; k < sizeof sensors / sizeof *sensors; k++)
        text = tn_format("%s[[sensor]]\nname = '%s'\nelement = 'bush'\noutput = '%s'\n", text, sensors[k][0],
                         sensors[k][1]);
    return tn_format("%s[solver]\ntype = 'rk'\nend_time = 0\nstep = 1\n", text);
}

static void test_outputs_at_given_states(void **state)
{
    (void)state;
    tn_csv_table states;
    assert_true(tn_csv_read(REFERENCE "states.csv", &states, stderr));
    assert_int_equal(states.rows, 20);
    const size_t first = tn_column_of(&states, "q.0");
    for (size_t row = 0; row < states.rows; row++) {
        const tn_csv_table *run = tn_simulate(model_of(&states, row), NULL);
        assert_int_equal(run->columns - 1, states.columns - first);
        for (size_t k = first; k < states.columns; k++) {
            const double right = tn_csv_value(&states, row, k), got = value(run, 0, states.name[k]);
            if (!(fabs(got - right) <= 1e-11 * (1.0 + fabs(right))))
                fail_msg("%s of state %zu: %.17g instead of %.17g", states.name[k], row, got, right);
        }
    }
}

static void test_motion(void **state)
{
    (void)state;
    static const struct {
        const char *columns;
        double alpha, rk; /* relative to the largest of each column */
    } cases[] = {{"p", 5e-6, 1e-10}, {"w", 5e-5, 1e-9}, {"q", 5e-5, 1e-9}, {"f", 5e-5, 1e-9},
                 {"F", 5e-5, 1e-9},  {"P", 5e-5, 1e-9}, {"Ed", 5e-5, 1e-9}};
    const char *model = tn_read(REFERENCE "motion.toml");
    const tn_csv_table *alpha = tn_simulate(model, NULL),
                       *rk = tn_simulate(model, TN_WORDS("--solver", "rk"));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tn_check_columns(alpha, REFERENCE "motion.csv", cases[k].columns, 0.0, cases[k].alpha);
        tn_check_columns(rk, REFERENCE "motion.csv", cases[k].columns, 0.0, cases[k].rk);
    }
}

/* ---- energy and momenta ---------------------------------------------------------------------------------- */

/* Two bodies joined by two bushings, one across the other. */
#define PAIR                                                                                               \
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.05, 0.08, 0.1]\n"                \
    "velocity = [0.3, 0.1, -0.2]\nangular_velocity = [1, -2, 0.5]\n"                                       \
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1.5\ninertia = [0.04, 0.03, 0.02]\n"             \
    "com = [0.02, 0.01, 0]\nposition = [0.3, 0.2, -0.1]\nangular_velocity = [0, 3, 1]\n"                   \
    "[[element]]\nname = 'ab'\ntype = 'linear_bushing'\nstiffness = [20, 30, 40, 500, 600, 700]\n"         \
    "damping = [0.02, 0.03, 0.04, 0.5, 0.6, 0.7]\n"                                                        \
    "markers = [{ element = 'a', position = [0.1, 0, 0] }, { element = 'b', rotation = { axis = [1, 2, 1]" \
    ", angle = '45 [deg]' } }]\n"                                                                          \
    "[[element]]\nname = 'ba'\ntype = 'linear_bushing'\nstiffness = [1, 2, 3, 40, 50, 60]\n"               \
    "damping = [0.1, 0.2, 0.3, 0, 0, 0]\n"                                                                 \
    "markers = [{ element = 'b', position = [0, 0.1, 0] }, { element = 'a', rotation = { axis = [0, 1, 2]" \
    ", angle = '-20 [deg]' } }]\n"                                                                         \
    "[[sensor]]\nname = 'E'\nsystem = 'total_energy'\n[[sensor]]\nname = 'P'\nsystem = 'momentum'\n"       \
    "[[sensor]]\nname = 'L'\nsystem = 'angular_momentum'\n"                                                \
    "[[sensor]]\nname = 'D_ab'\nelement = 'ab'\noutput = 'dissipated_energy'\n"                            \
    "[[sensor]]\nname = 'D_ba'\nelement = 'ba'\noutput = 'dissipated_energy'\n"                            \
    "[output]\ninterval = 0.01\n"

static void test_energies_add_up(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(PAIR "[solver]\ntype = 'rk'\norder = 5\nend_time = 2\nstep = 5e-4\n", NULL);
    const double start = value(run, 0, "E"), end = value(run, run->rows - 1, "E");
    for (size_t row = 0; row < run->rows; row++)
        check_near(value(run, row, "E") + value(run, row, "D_ab") + value(run, row, "D_ba"), start, 1e-9);
    assert_true(end < 0.6 * start);
}

static double drift(const tn_csv_table *run, const char *name)
{
    double change = 0.0, size = 0.0;
    for (size_t row = 0; row < run->rows; row++)
        for (const char *axis = "xyz"; *axis; axis++) {
            const char *column = tn_format("%s.%c", name, *axis);
            change = fmax(change, fabs(value(run, row, column) - value(run, 0, column)));
            size = fmax(size, fabs(value(run, row, column)));
        }
    return change / size;
}

static void test_momenta_of_a_free_pair(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(PAIR "[solver]\ntype = 'rk'\norder = 5\nend_time = 2\nstep = 2e-4\n", NULL);
    assert_true(drift(run, "P") <= 1e-12);
    assert_true(drift(run, "L") <= 1e-12);
}

/* ---- the count of dissipated energy ---------------------------------------------------------------------- */

/* v = 2 exp(-5 t): 4 (1 - exp(-10 t)) J are lost. */
#define SLIDER                                                                                           \
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 1]\nvelocity = [2, 0, " \
    "0]\n"                                                                                               \
    "[[element]]\nname = 'bush'\ntype = 'linear_bushing'\nmarkers = ['ground', 'body']\n"                \
    "damping = [0, 0, 0, 10, 0, 0]\n"
#define COUNTS                                                                                      \
    "[[sensor]]\nname = 'lost'\nelement = 'bush'\noutput = 'dissipated_energy'\n"                   \
    "[[sensor]]\nname = 'supplied'\nelement = 'bush'\noutput = 'supplied_energy'\n"                 \
    "[[sensor]]\nname = 'of_all'\nsystem = 'dissipated_energy'\n[[sensor]]\nname = 'x'\nelement = " \
    "'body'\noutput = 'position'\n"

static double lost_after(double time) { return 4.0 * (1.0 - exp(-10.0 * time)); }

static void test_the_count_begins_and_goes_on_where_it_is_told(void **state)
{
    (void)state;
    static const char *const solvers[] = {"type = 'rk'\nstep = 1e-3\n",
                                          "type = 'generalized_alpha'\nstep = 1e-3\n",
                                          "type = 'gsl_ode'\nstep = 1e-3\nrelative_tolerance = 1e-10\n"};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        const tn_csv_table *run = tn_simulate(
            tn_format(SLIDER COUNTS
                      "[[change]]\ntime = 0.2\nelement = 'bush'\nparameter = 'dissipated_energy'\n"
                      "value = 7\n[output]\ninterval = 0.05\n[solver]\nend_time = 0.5\n%s",
                      solvers[s]),
            TN_WORDS("--set", "element.bush.dissipated_energy=1.5"));
        for (size_t row = 0; row < run->rows; row++) {
            const double t = tn_csv_value(run, row, 0);
            const double before = t < 0.2 - 1e-9 ? 1.5 : 7.0 - lost_after(0.2);
            check_near(value(run, row, "lost"), before + lost_after(t), 1e-4);
            check_near(value(run, row, "of_all"), lost_after(t), 1e-4);
            check_near(value(run, row, "supplied"), 0.0, 1e-4);
        }
        assert_true(value(run, 0, "lost") == 1.5);
        check_near(tn_value_at(run, "lost", 0.2), 7.0, 1e-14);
    }
}

/* Without a sensor that asks for it nothing is integrated, and the motion is the same bit for bit. */
static void test_the_count_costs_nothing_unless_it_is_read(void **state)
{
    (void)state;
    const char *solver = "[solver]\ntype = 'generalized_alpha'\nend_time = 0.2\nstep = 1e-3\n";
    const tn_csv_table *with = tn_simulate(tn_format(SLIDER COUNTS "%s", solver), NULL);
    tn_world world;
    tn_world_open(&world, tn_format(SLIDER "%s", solver), NULL, NULL);
    assert_int_equal(world.system->nx, 0);
    tn_world_close(&world);
    const tn_csv_table *without = tn_simulate(
        tn_format(SLIDER "[[sensor]]\nname = 'x'\nelement = 'body'\noutput = 'position'\n%s", solver), NULL);
    assert_int_equal(with->rows, without->rows);
    for (size_t row = 0; row < with->rows; row++)
        assert_true(value(with, row, "x.x") == value(without, row, "x.x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_outputs_at_given_states),
                                       cmocka_unit_test(test_motion),
                                       cmocka_unit_test(test_energies_add_up),
                                       cmocka_unit_test(test_momenta_of_a_free_pair),
                                       cmocka_unit_test(test_the_count_begins_and_goes_on_where_it_is_told),
                                       cmocka_unit_test(test_the_count_costs_nothing_unless_it_is_read)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

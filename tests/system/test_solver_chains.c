/* test_solver_chains.c - solvers of different types in a row, with constraints, states and motions: each takes over q, v, a, x and
 * lambda of the one before; and solvers that seek a single state (plugins/halt.c), anywhere in the row */
#include "harness.h"

#include <tenon/tenon.h>

#include <math.h>

static const char *halt;

static int open_all(void **state)
{
    if (tn_scratch_open(state) != 0) return -1;
    halt = tn_build_test_plugin("halt");
    return 0;
}

static double value(const tn_csv_table *run, size_t row, const char *column)
{
    return tn_csv_value(run, row, tn_column_of(run, column));
}

#define RK(end) "[[solver]]\ntype = 'rk'\nstep = 1e-3\nend_time = " end "\n"
#define EXACT(end)                                                                                          \
    "[[solver]]\ntype = 'rk'\norder = 5\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-12\nend_time " \
    "= " end "\n"
#define ALPHA(end) "[[solver]]\ntype = 'generalized_alpha'\nstep = 1e-3\nend_time = " end "\n"
#define GSL(end) "[[solver]]\ntype = 'gsl_ode'\nstepper = 'rk4'\nstep = 1e-3\nend_time = " end "\n"
#define KINEMATIC(end) "[[solver]]\ntype = 'kinematic'\nstep = 1e-2\nend_time = " end "\n"
#define MOREAU(end, constraint_solver)                                                                      \
    "[[solver]]\ntype = 'moreau'\nstep = 1e-3\nend_time = " end "\nconstraint_solver = '" constraint_solver \
    "'\n"
#define HALT "[[solver]]\ntype = 'halt'\n"
#define HALT_IN_STEPS "[[solver]]\ntype = 'halt_in_steps'\n"
#define INTERVAL "[output]\ninterval = 0.01\nstates = true\n"

/* ---- a pendulum of two rods, and a state that follows it ---------------------------------------------------- */

#define PENDULUM                                                                                         \
    "[model]\ngravity = [0, -9.81, 0]\n[[repeat]]\ncount = 2\n[[repeat.element]]\nname = 'rod{i}'\n"     \
    "type = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.1, 0.1]\nposition = ['0.5 + i', 0, 0]\n"          \
    "[[element]]\nname = 'pin0'\ntype = 'revolute'\nmarkers = ['ground', { element = 'rod0', "           \
    "position = [-0.5, 0, 0] }]\n[[element]]\nname = 'pin1'\ntype = 'revolute'\nmarkers = [{ element = " \
    "'rod0', position = [0.5, 0, 0] }, { element = 'rod1', position = [-0.5, 0, 0] }]\n"                 \
    "[[element]]\nname = 'lag'\ntype = 'reference_variable'\nintegral = true\nexpression = 'DY(rod1) - " \
    "VARVAL(lag)'\n"                                                                                     \
    "[[sensor]]\nname = 'lag'\nexpression = 'VARVAL(lag)'\n[[sensor]]\nname = 'f'\nelement = "           \
    "'pin0'\noutput = "                                                                                  \
    "'force'\n"                                                                                          \
    "[[sensor]]\nname = 'a'\nelement = 'rod1'\noutput = 'acceleration'\n"                                \
    "[[sensor]]\nname = 'p'\nelement = 'rod1'\noutput = 'position'\n"                                    \
    "[[sensor]]\nname = 'v'\nelement = 'rod1'\noutput = 'velocity'\n"

static void check_against(const tn_csv_table *run, const tn_csv_table *exact, const char *chain)
{
    static const char *const columns[] = {"p.x", "p.y", "v.x", "v.y", "lag", "a.x", "a.y", "f.x", "f.y"};
    static const double tolerance[] = {1e-5, 1e-5, 1e-4, 1e-4, 1e-5, 2e-2, 2e-2, 2e-2, 2e-2};
    assert_int_equal(run->rows, exact->rows);
    for (size_t row = 0; row < run->rows; row++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            if (!(fabs(value(run, row, columns[c]) - value(exact, row, columns[c])) < tolerance[c]))
                fail_msg("%s at %g s: %s is %.9g, not %.9g", chain, value(run, row, "time"), columns[c],
                         value(run, row, columns[c]), value(exact, row, columns[c]));
}

static void test_all_that_moves_is_handed_over(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
    static const char *const first[] = {RK("0.2"), ALPHA("0.2"), GSL("0.2")}, *const second[] = {RK("0.4"),
                                                                                                 ALPHA("0.4"),
                                                                                                 GSL("0.4")};
    const tn_csv_table *exact = tn_simulate(PENDULUM EXACT("0.4") "[output]\ninterval = 0.01\n", NULL);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            const char *chain = tn_format("%s%s", first[i], second[k]);
            check_against(tn_simulate(tn_format("%s%s[output]\ninterval = 0.01\n", PENDULUM, chain), NULL),
                          exact, chain);
        }
}

/* Each with the constraint solver of its own; reactions and accelerations are means over steps there. */
static void test_solvers_by_impulses_among_others(void **state)
{
    (void)state;
    static const char *const chains[] = {
        MOREAU("0.2", "direct") RK("0.4"), ALPHA("0.2") MOREAU("0.4", "gauss_seidel"),
        MOREAU("0.1", "direct") MOREAU("0.2", "admm") RK("0.3") MOREAU("0.4", "projected_newton")};
    static const char *const columns[] = {"p.x", "p.y", "v.x", "v.y", "lag"};
    const tn_csv_table *exact = tn_simulate(PENDULUM EXACT("0.4") "[output]\ninterval = 0.01\n", NULL);
    for (size_t k = 0; k < 2 * sizeof chains / sizeof *chains; k++) {
        const char *model = tn_format("%s%s[output]\ninterval = 0.01\n", PENDULUM, chains[k / 2]);
        const tn_csv_table *run = tn_simulate(model, k % 2 ? TN_WORDS("--guard") : NULL);
        for (size_t row = 0; row < exact->rows; row++)
            for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
                if (!(fabs(value(run, row, columns[c]) - value(exact, row, columns[c])) < 1e-4))
                    fail_msg("%s at %g s: %s is %.9g, not %.9g", chains[k / 2], value(run, row, "time"),
                             columns[c], value(run, row, columns[c]), value(exact, row, columns[c]));
    }
}

/* ---- a driven bar ----------------------------------------------------------------------------------------- */

#define BAR                                                                                                  \
    "[model]\ngravity = [0, -9.81, 0]\n[[element]]\nname = 'bar'\ntype = 'rigid_body'\nmass = 2\n"           \
    "inertia = [0.01, 0.2, 0.2]\nposition = [0.5, 0, 0]\n[[element]]\nname = 'bearing'\ntype = 'revolute'\n" \
    "markers = ['ground', { element = 'bar', position = [-0.5, 0, 0] }]\n[[element]]\nname = 'drive'\n"      \
    "type = 'motion'\njoint = 'bearing'\nvalue = '0.5*SIN(3*time)'\n[[sensor]]\nname = 'angle'\n"            \
    "element = 'bearing'\noutput = 'angle'\n[[sensor]]\nname = 'torque'\nelement = 'drive'\n"                \
    "output = 'effort'\n[[sensor]]\nname = 'v'\nelement = 'bar'\noutput = 'velocity'\n[[sensor]]\nname = "   \
    "'balance'\nsystem = 'energy_balance'\n"

static void test_kinematic_among_others(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
    const tn_csv_table *run = tn_simulate(
        BAR ALPHA("0.2") KINEMATIC("0.4") RK("0.6") GSL("0.8") KINEMATIC("1.0") ALPHA("1.2") INTERVAL, NULL);
    assert_int_equal(run->rows, 121);
    for (size_t row = 0; row < run->rows; row++) {
        const double t = value(run, row, "time"), angle = 0.5 * sin(3.0 * t);
        const bool exact = (t > 0.205 && t < 0.405) || (t > 0.805 && t < 1.005);
        assert_true(fabs(value(run, row, "angle") - angle) < (exact ? 1e-12 : 1e-8));
        assert_true(fabs(value(run, row, "torque") - (9.81 * cos(angle) - 6.3 * angle)) <
                    (exact ? 1e-9 : 1e-3));
    }
}

/* What a motion has set going is let go where another solver begins. */
static void test_a_driven_start_of_a_free_motion(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(BAR "[[change]]\ntime = 0.5\nelement = 'drive'\nactive = false\n" KINEMATIC("0.5")
                        ALPHA("0.7") INTERVAL,
                    NULL);
    const double angle = 0.5 * sin(1.5), rate = 1.5 * cos(1.5);
    const double energy = 0.35 * rate * rate + 9.81 * sin(angle);
    assert_true(fabs(tn_value_at(run, "angle", 0.5) - angle) < 1e-12);
    const double vx = tn_value_at(run, "v.x", 0.7), vy = tn_value_at(run, "v.y", 0.7);
    const double now = 1.4 * (vx * vx + vy * vy) + 9.81 * sin(tn_value_at(run, "angle", 0.7));
    assert_true(fabs(now - energy) < 1e-4);
    assert_true(fabs(tn_value_at(run, "angle", 0.7) - 0.5 * sin(2.1)) > 0.01);
}

/* ---- single states ---------------------------------------------------------------------------------------- */

/* x = 1 + cos(2 t)/2 */
#define MASS                                                                                              \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.5, 0, 0]\n"                 \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 4\n" \
    "reference_length = 1\n[[sensor]]\nname = 'p'\nelement = 'mass'\noutput = 'position'\n"               \
    "[[sensor]]\nname = 'v'\nelement = 'mass'\noutput = 'velocity'\n"                                     \
    "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n"

static const char *with_halt(const char *model)
{
    return tn_format("[plugins]\nhalt = '%s'\nhalt_in_steps = '%s'\n%s", halt, halt, model);
}

static const char *run_to(const char *model, int status, const char **errors)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("chain.toml", model), "--trust", "--quiet", "--out", results));
    if (outcome.status != status) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    if (errors) *errors = outcome.errors;
    return results;
}

/* First, in the middle, where the mass moves, and last: a row each, beside that of the state before. */
static void check_halts(const char *halted)
{
    const char *errors = NULL;
    const char *results = run_to(with_halt(tn_format("%s%s%s%s%s%s[output]\ninterval = 0.1\n", MASS, halted,
                                                     RK("0.4"), halted, ALPHA("0.8"), halted)),
                                 0, &errors);
    const tn_csv_table *run = tn_sensors(results);
    static const double times[] = {0.0, 0.1, 0.2, 0.3, 0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.8};
    assert_string_equal(errors, "");
    assert_int_equal(run->rows, sizeof times / sizeof *times);
    for (size_t row = 0; row < run->rows; row++)
        assert_true(fabs(value(run, row, "time") - times[row]) < 1e-12);
    const double amplitude = 0.5 * cos(0.8);
    assert_true(fabs(value(run, 4, "v.x") + sin(0.8)) < 1e-9);
    assert_true(value(run, 5, "v.x") == 0.0 && value(run, 5, "p.x") == value(run, 4, "p.x"));
    assert_true(fabs(value(run, 9, "p.x") - 1.0 - amplitude * cos(0.8)) < 1e-5);
    assert_true(value(run, 10, "v.x") == 0.0);
    assert_string_equal(tn_run_text(results, "run.status"), "finished");
    assert_true(fabs(tn_run_number(results, "run.end_time") - 0.8) < 1e-12);
}

static void test_single_states_in_a_row(void **state)
{
    (void)state;
    check_halts(HALT);
    check_halts(HALT_IN_STEPS);
}

static void test_a_single_state_alone(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_sensors(run_to(with_halt(MASS HALT), 0, NULL));
    assert_int_equal(run->rows, 1);
    assert_true(value(run, 0, "time") == 0.0);
    run = tn_sensors(
        run_to(with_halt(MASS HALT "start_time = 3\nend_time = 9\nstep = 0.1\ntolerance = 1e-3\n"), 0, NULL));
    assert_int_equal(run->rows, 1);
    assert_true(value(run, 0, "time") == 3.0);
}

static void test_single_states_under_guard(void **state)
{
    (void)state;
    const char *file = tn_write("guarded.toml", with_halt(MASS HALT RK("0.2") HALT_IN_STEPS ALPHA("0.4")));
    const char *results[] = {tn_scratch_path(NULL), tn_scratch_path(NULL)};
    for (int k = 0; k < 2; k++)
        assert_int_equal(tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", results[k],
                                           k ? "--guard" : "--trust"))
                             .status,
                         0);
    assert_string_equal(tn_read(tn_format("%s/sensors.csv", results[0])),
                        tn_read(tn_format("%s/sensors.csv", results[1])));
}

/* Where the solver before has ended early, that is the time of the state. */
static void test_a_single_state_behind_a_condition(void **state)
{
    (void)state;
    const char *results =
        run_to(with_halt(MASS RK("1") "stop_when = 'DX(mass) < 1.2'\n" HALT ALPHA("1")), 0, NULL);
    const tn_csv_table *run = tn_sensors(results);
    assert_true(fabs(value(run, run->rows - 1, "time") - 1.0) < 1e-12);
    assert_true(fabs(value(run, run->rows - 1, "p.x") - 1.0) < 0.2);
    double least = 1.0;
    for (size_t row = 1; row < run->rows; row++)
        if (value(run, row, "time") == value(run, row - 1, "time")) least = fabs(value(run, row, "v.x"));
    assert_true(least == 0.0);
}

/* Energies count from where the motion begins. */
static void test_energies_behind_a_single_state(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_sensors(run_to(
        with_halt(MASS "[[sensor]]\nname = 's'\nsystem = 'supplied_energy'\n" HALT RK("0.4")), 0, NULL));
    for (size_t row = 0; row < run->rows; row++) {
        assert_true(fabs(value(run, row, "balance") - 0.5) < 1e-9);
        assert_true(fabs(value(run, row, "s")) < 1e-9);
    }
}

static void test_steps_of_a_program(void **state)
{
    (void)state;
    const char *kinds[] = {HALT, HALT_IN_STEPS};
    for (int k = 0; k < 2; k++) {
        const char *file = tn_write(
            "steps.toml",
            with_halt(tn_format("%s%s%s%s%s", MASS, kinds[k],
                                "[[solver]]\ntype = 'rk'\nstep = 0.1\nend_time = 0.2\n", kinds[k],
                                "[[solver]]\ntype = 'generalized_alpha'\nstep = 0.1\nend_time = 0.4\n")));
        const char *path[] = {TENON_PLUGINS};
        tenon_options options = {
            .size = sizeof options, .trust = 1, .plugin_paths = path, .plugin_path_count = 1};
        tenon_model *model = NULL;
        assert_int_equal(tenon_open_file(file, &options, &model), TENON_OK);
        double q[3], v[3];
        assert_int_equal(tenon_state(model, q, v), TENON_OK);
        assert_true(tenon_time(model) == 0.0 && v[0] == 0.0);
        if (k == 1) { // a solver that does not take steps hands over no state
            static char bytes[100000];
            size_t size = 0;
            assert_int_equal(tenon_save(model, bytes, sizeof bytes, &size), TENON_OK);
            assert_int_equal(tenon_step(model), TENON_OK);
            assert_int_equal(tenon_restore(model, bytes, size), TENON_OK);
            assert_true(tenon_time(model) == 0.0);
        }
        int steps = 0;
        while (tenon_step(model) == TENON_OK) {
            steps++;
            assert_int_equal(tenon_state(model, q, v), TENON_OK);
            assert_true(fabs(tenon_time(model) - 0.1 * steps) < 1e-12);
        }
        assert_int_equal(steps, 4);
        tenon_close(model);
    }
}

static void test_messages_of_end_times(void **state)
{
    (void)state;
    const char *errors = NULL;
    (void)run_to(with_halt(MASS "[solver]\ntype = 'rk'\nstep = 0.1\n"), 2, &errors);
    tn_check_holds(errors, TN_WORDS("`end_time`"));
    (void)run_to(with_halt(MASS HALT "[[solver]]\ntype = 'rk'\nstep = 0.1\n"), 2, &errors);
    tn_check_holds(errors, TN_WORDS("`end_time`"));
    const tn_outcome check =
        tn_tenon(TN_WORDS("check", tn_write("check.toml", with_halt(MASS HALT)), "--trust"));
    assert_int_equal(check.status, 0);
    const tn_outcome told = tn_tenon(TN_WORDS("describe", "halt", "--plugin-path", tn_scratch_path(".")));
    assert_int_equal(told.status, 0);
    tn_check_holds(told.output, TN_WORDS("none: it seeks a single state"));
}

/* `end_time` is required of solvers that go on to a time, and of no other. */
static void test_schema(void **state)
{
    (void)state;
    const tn_outcome outcome = tn_tenon(TN_WORDS("schema", "--plugin-path", tn_scratch_path(".")));
    assert_int_equal(outcome.status, 0);
    static const char *const names[] = {"\"solver.rk\"", "\"solver.halt\""};
    for (int k = 0; k < 2; k++) {
        const char *at = strstr(outcome.output, names[k]);
        while (at && strncmp(at + strlen(names[k]), ": {", 3) != 0)
            at = strstr(at + 1, names[k]);
        assert_non_null(at);
        const char *next = strstr(at + 1, "\n    \"solver");
        bool required = false;
        for (const char *list = at; (list = strstr(list, "\"required\": [")) && (!next || list < next);
             list++) {
            const char *word = strstr(list, "\"end_time\"");
            required = required || (word && word < strchr(list, ']'));
        }
        assert_true(required == (k == 0));
    }
}

/* ---- accuracy by one number ------------------------------------------------------------------------------- */

static void check_refused(const char *solver, const char *const *words)
{
    const char *errors = NULL;
    (void)run_to(tn_format("%s[solver]\nend_time = 1\n%s", MASS, solver), 2, &errors);
    tn_check_holds(errors, words);
}

static void test_tolerance(void **state)
{
    (void)state;
    check_refused("type = 'rk'\norder = 5\ntolerance = 0\n", TN_WORDS("`tolerance`", "chain.toml:27:"));
    check_refused("type = 'rk'\norder = 5\ntolerance = 1\n", TN_WORDS("`tolerance`", "0.1"));
    check_refused("type = 'radau'\nadaptive = false\n", TN_WORDS("`radau` has no fixed steps"));
    check_refused("type = 'rk'\norder = 5\ntolerance = 1e-5\nadaptive = false\nstep = 0.1\n",
                  TN_WORDS("`adaptive = false` contradicts `tolerance`"));
    check_refused("type = 'kinematic'\nstep = 0.1\ntolerance = 1e-5\n",
                  TN_WORDS("`kinematic` has fixed steps only"));
    const tn_csv_table *run =
        tn_simulate(MASS "[solver]\ntype = 'rk'\norder = 5\nend_time = 1\ntolerance = 1e-8\n", NULL);
    assert_true(fabs(value(run, run->rows - 1, "p.x") - 1.0 - 0.5 * cos(2.0)) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_that_moves_is_handed_over),
                                       cmocka_unit_test(test_solvers_by_impulses_among_others),
                                       cmocka_unit_test(test_kinematic_among_others),
                                       cmocka_unit_test(test_a_driven_start_of_a_free_motion),
                                       cmocka_unit_test(test_single_states_in_a_row),
                                       cmocka_unit_test(test_a_single_state_alone),
                                       cmocka_unit_test(test_a_single_state_behind_a_condition),
                                       cmocka_unit_test(test_single_states_under_guard),
                                       cmocka_unit_test(test_energies_behind_a_single_state),
                                       cmocka_unit_test(test_steps_of_a_program),
                                       cmocka_unit_test(test_messages_of_end_times),
                                       cmocka_unit_test(test_schema),
                                       cmocka_unit_test(test_tolerance)};
    return cmocka_run_group_tests(tests, open_all, tn_scratch_close);
}

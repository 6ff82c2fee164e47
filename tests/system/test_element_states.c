/* test_element_states.c - first-order states of elements: implicit solvers find them together with the motion */
#include "models.h"
#include "tangent.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define SOURCE TENON_SOURCE_DIR "/tests/conformance/creep/creep.c"
#define SENSORS                                                    \
    "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n" \
    "[[sensor]]\nname = 'x'\nelement = 'c'\noutput = 'spring'\n"

static const char *plugin(void)
{
    static char path[4096];
    if (path[0] == '\0') (void)snprintf(path, sizeof path, "%s", tn_build_text("creep", tn_read(SOURCE)));
    return path;
}

/* A mass of 1 kg that moves away from the ground, held by an element of that plugin. */
static const char *creeping(const char *file, const char *parameters)
{
    return tn_format("[plugins]\ncreep = '%s'\n"
                     "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
                     "velocity = [1, 0, 0]\n"
                     "[[element]]\nname = 'c'\ntype = 'creep'\nmarkers = [{ element = 'ground' }, 'm']\n"
                     "%s\n" SENSORS,
                     file, parameters);
}

static const char *results;

static const tn_csv_table *run(const char *model, const char *solver)
{
    results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS(
        "run", tn_write("model.toml", tn_format("%s%s", model, solver)), "--trust", "--out", results));
    if (outcome.status != 0) fail_msg("%s: %s", solver, outcome.errors);
    return tn_sensors(results);
}

static double counted(const char *what)
{
    return tn_run_number(results, tn_format("run.statistics.%s", what));
}

static double last(const tn_csv_table *table, const char *column)
{
    return tn_csv_value(table, table->rows - 1, tn_column_of(table, column));
}

/* x' = k v - x/tau, v' = -x: where tau is short, a damper k tau with little delay. */
static void a_maxwell_element_takes_whole_steps_however_stiff_it_is(void **state)
{
    (void)state;
    const double times[] = {1e-2, 1e-4, 1e-5, 1e-7};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        const tn_csv_table *table =
            run(creeping(plugin(), tn_format("stiffness = 1e5\ntime_constant = %.17g", times[k])),
                "[solver]\ntype = 'generalized_alpha'\nend_time = 0.1\nstep = 1e-3\n");
        assert_true(counted("steps") == 100.0 && counted("rejected_steps") == 0.0);
        assert_true(counted("newton_iterations") <= 300.0);
        const double delay = 1e5 * times[k], way = (1.0 - exp(-0.1 * delay)) / delay;
        if (times[k] < 2e-5) assert_true(fabs(last(table, "p.x") - 1.0 - way) < 2e-6);
    }
}

static double largest_error(const tn_csv_table *table, const tn_csv_table *exact)
{
    const size_t column = tn_column_of(table, "x");
    double largest = 0.0;
    assert_int_equal(table->rows, exact->rows);
    for (size_t row = 0; row < table->rows; row++)
        largest = fmax(largest, fabs(tn_csv_value(table, row, column) - tn_csv_value(exact, row, column)));
    return largest;
}

static void errors_of_states_fall_with_the_square_of_the_step(void **state)
{
    (void)state;
    const char *model = creeping(plugin(), "stiffness = 40\ntime_constant = 0.2\nsoftening = 0.05\n"
                                           "damping = 2\ndelay = 0.1");
    const char *rows = "[output]\ninterval = 0.1\n";
    const tn_csv_table *exact =
        run(model, tn_format("[solver]\ntype = 'rk'\norder = 5\nrelative_tolerance = 1e-11\n"
                             "absolute_tolerance = 1e-12\nend_time = 1\n%s",
                             rows));
    double before = 0.0;
    for (double step = 0.02; step > 0.002; step *= 0.5) {
        const double error = largest_error(
            run(model, tn_format("[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = %.17g\n%s", step,
                                 rows)),
            exact);
        if (before > 0.0) assert_true(before / error > 3.8 && before / error < 4.2);
        before = error;
    }
}

/* On bodies, with parameters that read the motion, and a force that reads that of an element with states. */
static const char *coupled(void)
{
    return tn_format("[plugins]\ncreep = '%s'\n" GRAVITY BODY_A BODY_B POINT_C
                     "[[marker]]\nname = 'a1'\ntype = 'point'\nelement = 'a'\nposition = [0.4, 0.1, -0.3]\n"
                     "[[marker]]\nname = 'b1'\ntype = 'point'\nelement = 'b'\nposition = [0.1, -0.3, 0.2]\n"
                     "[[element]]\nname = 'ab'\ntype = 'creep'\nmarkers = ['a1', 'b1']\n"
                     "stiffness = 3\nsoftening = 0.2\ndamping = 0.5\n"
                     "[[element]]\nname = 'bc'\ntype = 'creep'\nmarkers = ['b1', 'c']\n"
                     "stiffness = '5 + SIN(DX(a1, c))'\ntime_constant = '1.2 + 0.5*COS(DY(b1))'\n"
                     "softening = 0.1\ndamping = '0.4 + 0.1*SIN(VX(a1))'\n"
                     "[[element]]\nname = 'read'\ntype = 'force'\nmarkers = ['c']\n"
                     "value = ['0.3*FX(b1)', '0.1*FY(b1)*DX(c)', '1']\n",
                     plugin());
}

static void the_matrix_holds_what_states_add_to_forces(void **state)
{
    (void)state;
    tn_check_tangent_with_states(coupled(), 0.3, true, 1e-9);
}

static void differences_stand_in_for_a_tangent_of_forces(void **state)
{
    (void)state;
    tn_check_tangent_with_states(coupled(), 0.3, false, 1e-7);
}

static void a_type_without_tangents_says_so_and_runs(void **state)
{
    (void)state;
    (void)plugin();
    const char *parameters = "stiffness = 40\ntime_constant = 0.2\ndamping = 2\ndelay = 0.1";
    const char *solver = "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1e-3\n";
    const double exact = last(run(creeping(plugin(), parameters), solver), "p.x");
    const tn_csv_table *table = run(creeping(tn_build_without_passes("creep"), parameters), solver);
    assert_true(fabs(last(table, "p.x") - exact) < 1e-7);
    bool told = false;
    for (int k = 0; k < 2; k++)
        told = told || strstr(tn_run_text(results, tn_format("run.notes.%d", k)), "rates of its states");
    assert_true(told);
}

/* Central differences of forces and rates along one number of the state. */
static void differentiate(const tn_probe *probe, double *number, double *force, double *rate)
{
    tn_system *system = probe->world.system;
    const double h = 1e-5, value = *number;
    memset(force, 0, system->nv * sizeof *force);
    memset(rate, 0, system->nx * sizeof *rate);
    for (int side = -1; side <= 1; side += 2) {
        *number = value + side * h;
        assert_int_equal(system->evaluate(system), TN_OK);
        for (uint32_t i = 0; i < system->nv; i++)
            force[i] += side * system->force[i] / (2.0 * h);
        for (uint32_t i = 0; i < system->nx; i++)
            rate[i] += side * system->x_rate[i] / (2.0 * h);
    }
    *number = value;
}

static void assert_close(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-8 * (1.0 + fabs(expected)))) fail_msg("%.12g, not %.12g", got, expected);
}

static void derivatives_of_the_states_are_known_to_solvers(void **state)
{
    (void)state;
    tn_probe probe;
    tn_probe_open(
        &probe,
        tn_format("[plugins]\ncreep = '%s'\n" BODY_A POINT_C
                  "[[marker]]\nname = 'a1'\ntype = 'point'\nelement = 'a'\nposition = [0.4, 0.1, -0.3]\n"
                  "[[element]]\nname = 'ac'\ntype = 'creep'\nmarkers = ['a1', 'c']\n"
                  "stiffness = 3\nsoftening = 0.2\ndamping = 0.5\n",
                  plugin()),
        NULL, NULL);
    tn_system *system = probe.world.system;
    const uint32_t nv = system->nv, n = system->nx - system->quadratures;
    double *by_state = tn_numbers(nv * n), *by_motion = tn_numbers(n * 2 * nv), *rates = tn_numbers(n * n);
    double *force = tn_numbers(nv), *rate = tn_numbers(system->nx), *q = tn_numbers(system->nq);
    assert_non_null(system->state_tangent);
    for (int k = 0; k < 20; k++) {
        tn_probe_draw(&probe);
        for (uint32_t i = 0; i < n; i++)
            system->x[i] = tn_draw(&probe.random, -2.0, 2.0);
        assert_int_equal(system->evaluate(system), TN_OK);
        assert_int_equal(system->state_tangent(system, by_state, by_motion, rates), TN_OK);
        for (uint32_t j = 0; j < n; j++) {
            differentiate(&probe, &system->x[j], force, rate);
            for (uint32_t i = 0; i < nv; i++)
                assert_close(by_state[i * n + j], force[i]);
            for (uint32_t i = 0; i < n; i++)
                assert_close(rates[i * n + j], rate[i]);
        }
        for (uint32_t j = 0; j < nv; j++) {
            differentiate(&probe, &system->v[j], force, rate);
            for (uint32_t i = 0; i < n; i++)
                assert_close(by_motion[(2 * i + 1) * nv + j], rate[i]);
        }
        memcpy(q, system->q, system->nq * sizeof *q);
        for (uint32_t j = 0; j < nv; j++) {
            double sum[8] = {0.0};
            for (int side = -1; side <= 1; side += 2) {
                probe.increment[j] = side * 1e-5;
                assert_int_equal(system->retract(system, q, probe.increment, system->q), TN_OK);
                assert_int_equal(system->evaluate(system), TN_OK);
                for (uint32_t i = 0; i < n; i++)
                    sum[i] += side * system->x_rate[i] / 2e-5;
            }
            probe.increment[j] = 0.0;
            for (uint32_t i = 0; i < n; i++)
                assert_close(by_motion[2 * i * nv + j], sum[i]);
        }
        memcpy(system->q, q, system->nq * sizeof *q);
    }
    double *const memory[] = {by_state, by_motion, rates, force, rate, q};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; k++)
        free(memory[k]);
    tn_probe_close(&probe);
}

/* Where the state is read elsewhere, too, they are not all known, and solvers take differences. */
static void derivatives_of_states_that_parameters_reach_are_left_out(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world, coupled(), NULL, NULL);
    assert_null(world.system->state_tangent);
    tn_world_close(&world);
}

static void radau_takes_stiff_states(void **state)
{
    (void)state;
    const tn_csv_table *table = run(creeping(plugin(), "stiffness = 1e3\ntime_constant = 1e-3\ndelay = 0.1"),
                                    "[solver]\ntype = 'radau'\nend_time = 1\ntolerance = 1e-7\n");
    const double slow = 2e3 / (1e3 + sqrt(1e6 - 4e3)), fast = 1e3 - slow;
    const double way = (fast / slow * (1.0 - exp(-slow)) - slow / fast) / (fast - slow);
    assert_true(fabs(last(table, "p.x") - 1.0 - way) < 1e-6);
    assert_true(counted("steps") < 150.0);
}

static void ida_takes_stiff_states(void **state)
{
    (void)state;
    tn_need_plugin("ida");
    const tn_csv_table *table = run(creeping(plugin(), "stiffness = 1e3\ntime_constant = 1e-3\ndelay = 0.1"),
                                    "[solver]\ntype = 'ida'\nend_time = 1\ntolerance = 1e-7\n");
    const double slow = 2e3 / (1e3 + sqrt(1e6 - 4e3)), fast = 1e3 - slow;
    const double way = (fast / slow * (1.0 - exp(-slow)) - slow / fast) / (fast - slow);
    assert_true(fabs(last(table, "p.x") - 1.0 - way) < 1e-6);
    assert_true(counted("steps") < 300.0);
}

static void implicit_steppers_take_stiff_states(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
    static const char *const steppers[] = {"rk1imp", "rk4imp", "bsimp", "msbdf"};
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k++) {
        const tn_csv_table *table = run(
            creeping(plugin(), "stiffness = 1e3\ntime_constant = 1e-3\ndelay = 0.1"),
            tn_format("[solver]\ntype = 'gsl_ode'\nstepper = '%s'\nend_time = 1\nrelative_tolerance = 1e-7\n",
                      steppers[k]));
        const double slow = 2e3 / (1e3 + sqrt(1e6 - 4e3)), fast = 1e3 - slow;
        const double way = (fast / slow * (1.0 - exp(-slow)) - slow / fast) / (fast - slow);
        if (!(fabs(last(table, "p.x") - 1.0 - way) < 1e-4))
            fail_msg("%s: %.12g, not %.12g", steppers[k], last(table, "p.x"), 1.0 + way);
    }
}

/* Where the complex step is as exact as dual numbers. */
static void both_exact_passes_agree(void **state)
{
    (void)state;
    (void)plugin();
    const char *parameters = "stiffness = 1e5\ntime_constant = 1e-5";
    const char *solver = "[solver]\ntype = 'generalized_alpha'\nend_time = 0.1\nstep = 1e-3\n";
    const double exact = last(run(creeping(plugin(), parameters), solver), "p.x");
    const double other = last(run(creeping(tn_build_complex_step("creep"), parameters), solver), "p.x");
    assert_true(counted("rejected_steps") == 0.0 && fabs(other - exact) < 1e-12);
}

static void states_of_an_element_that_is_not_active_rest(void **state)
{
    (void)state;
    const tn_csv_table *table = run(
        creeping(
            plugin(),
            "stiffness = 40\ntime_constant = 0.2\n[[change]]\ntime = 0.1\nelement = 'c'\nactive = false\n"),
        "[solver]\ntype = 'generalized_alpha'\nend_time = 0.5\nstep = 1e-2\n[output]\ninterval = 0.1\n");
    const double x = tn_value_at(table, "x", 0.2);
    assert_true(x > 0.1 && fabs(tn_value_at(table, "x", 0.5) - x) <= 1e-14);
}

static void states_without_a_solution_refuse_the_evaluation(void **state)
{
    (void)state;
    tn_probe probe;
    tn_probe_open(&probe, creeping(plugin(), "stiffness = 40"), NULL, NULL);
    tn_probe_follow_states(&probe, 0.1);
    probe.base[0] = (double)NAN;
    assert_int_equal(probe.world.system->evaluate(probe.world.system), TN_RETRY);
    assert_non_null(strstr(probe.world.assembly->failures.refusal.message, "no solution"));
    assert_int_equal(probe.world.assembly->failures.refusal.instance, 0);
    tn_probe_close(&probe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_maxwell_element_takes_whole_steps_however_stiff_it_is),
        cmocka_unit_test(errors_of_states_fall_with_the_square_of_the_step),
        cmocka_unit_test(the_matrix_holds_what_states_add_to_forces),
        cmocka_unit_test(differences_stand_in_for_a_tangent_of_forces),
        cmocka_unit_test(a_type_without_tangents_says_so_and_runs),
        cmocka_unit_test(derivatives_of_the_states_are_known_to_solvers),
        cmocka_unit_test(derivatives_of_states_that_parameters_reach_are_left_out),
        cmocka_unit_test(radau_takes_stiff_states),
        cmocka_unit_test(ida_takes_stiff_states),
        cmocka_unit_test(implicit_steppers_take_stiff_states),
        cmocka_unit_test(both_exact_passes_agree),
        cmocka_unit_test(states_of_an_element_that_is_not_active_rest),
        cmocka_unit_test(states_without_a_solution_refuse_the_evaluation)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

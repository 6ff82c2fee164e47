/* test_nodes.c - nodes of any size: forces, energies, impulses and tangents on them, in the state and beside it */
#include "harness.h"
#include "tangent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *cloud, *tie, *results;

static int set_up(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    cloud = tn_build_test_plugin("cloud");
    tie = tn_build_text("tie", tn_read(TENON_SOURCE_DIR "/tests/system/plugins/tie.c"));
    return 0;
}

/* Two clouds of so many masses, the first of them somewhere, and a tie between their nodes. */
static const char *clouds(int size, double start, const char *node, const char *file, const char *keys)
{
    return tn_format(
        "[plugins]\ncloud = '%s'\ntie = '%s'\n[[element]]\nname = 'a'\ntype = 'cloud'\nsize = %d\nstart = "
        "%g\n"
        "[[element]]\nname = 'b'\ntype = 'cloud'\nsize = %d\n"
        "[[marker]]\nname = 'end'\ntype = 'node'\nelement = 'b'\nnode = '%s'\n"
        "[[element]]\nname = 't'\ntype = 'tie'\nnodes = [{ element = 'a', node = '%s' }, 'end']\n%s"
        "[[sensor]]\nname = 'a'\nelement = 'a'\noutput = 'last'\n"
        "[[sensor]]\nname = 'b'\nelement = 'b'\noutput = 'last'\n"
        "[[sensor]]\nname = 'f'\nelement = 't'\noutput = 'pull'\n"
        "[[sensor]]\nname = 'E'\nsystem = 'energy_balance'\n",
        cloud, file, size, start, size, node, node, keys);
}

#define IMPLICIT(step) \
    "[solver]\ntype = 'generalized_alpha'\nspectral_radius = 1\nend_time = 1\nstep = " step "\n"
#define EXPLICIT                                                                                            \
    "[solver]\ntype = 'rk'\norder = 5\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-12\nend_time = " \
    "1\n"                                                                                                   \
    "[output]\ninterval = 0.1\n"

static const tn_csv_table *run(const char *model, const char *solver)
{
    results = tn_scratch_path(NULL);
    const char *file = tn_write("model.toml", tn_format("%s%s", model, solver));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--trust", "--guard", "--out", results));
    if (outcome.status != 0 || strstr(outcome.errors, "warning")) fail_msg("%s\n%s", outcome.errors, model);
    return tn_sensors(results);
}

static double iterations(void)
{
    return tn_run_number(results, "run.statistics.newton_iterations") /
           tn_run_number(results, "run.statistics.steps");
}

/* Masses of 1 kg on springs of 4 N/m, tied by 3 N/m each: they swing together with 2 rad/s, against each other with sqrt(10). */
static void masses_that_are_tied_swing_as_they_should(void **state)
{
    (void)state;
    const tn_csv_table *table = run(clouds(9, 1.8, "own", tie, ""), EXPLICIT);
    for (double time = 0.0; time < 1.05; time += 0.1) {
        const double together = 0.1 * cos(2.0 * time), against = 0.1 * cos(sqrt(10.0) * time);
        assert_true(fabs(tn_value_at(table, "a", time) - together - against) < 1e-10);
        assert_true(fabs(tn_value_at(table, "b", time) - together + against) < 1e-10);
        assert_true(fabs(tn_value_at(table, "f", time) - 6.0 * against) < 1e-9);
        assert_true(fabs(tn_value_at(table, "E", time) - tn_value_at(table, "E", 0.0)) < 1e-9);
    }
}

/* An implicit solver takes one iteration for what is linear, and the same way; whether the nodes stand in the state or not. */
static void an_implicit_solver_has_their_tangent(void **state)
{
    (void)state;
    static const char *const nodes[] = {"own", "mixed"};
    for (int k = 0; k < 2; k++) {
        const double expected =
            tn_value_at(run(clouds(9, 1.8, nodes[k], tie, "damping = 0.2\n"), EXPLICIT), "b", 1.0);
        const tn_csv_table *table = run(clouds(9, 1.8, nodes[k], tie, "damping = 0.2\n"), IMPLICIT("1e-3"));
        assert_true(fabs(tn_value_at(table, "b", 1.0) - expected) < 1e-5);
        if (!(iterations() < 1.2)) fail_msg("%s: %g iterations", nodes[k], iterations());
        table = run(clouds(9, 1.8, nodes[k], tie, "hardening = 9\n"), IMPLICIT("1e-3"));
        assert_true(iterations() < 2.5);
        assert_true(fabs(tn_value_at(table, "E", 1.0) - tn_value_at(table, "E", 0.0)) <
                    2e-3 * tn_value_at(table, "E", 0.0));
    }
}

/* The matrix against differences, for small and large nodes, by every way to the tangent. */
static void the_matrix_is_the_derivative(void **state)
{
    (void)state;
    const char *const files[] = {tie, tn_build_complex_step("tie")};
    static const char *const nodes[] = {"own", "mixed"};
    static const int sizes[] = {2, 6, 7, 16};
    for (int k = 0; k < 16; k++) {
        const char *model =
            tn_format("%s" IMPLICIT("1e-3"), clouds(sizes[k / 4], 1.0, nodes[k / 2 % 2], files[k % 2],
                                                    "hardening = 9\ndamping = 0.2\n"));
        tn_check_tangent_with_states(model, 0.0, true, 1e-7);
        tn_check_tangent_with_states(model, 0.0, false, 1e-6);
    }
}

/* 2 N s on every mass of the second cloud, and as much backwards on the first one, at 0.5 s. */
static void impulses_act_on_every_coordinate(void **state)
{
    (void)state;
    const tn_csv_table *table = run(clouds(9, 0.0, "own", tie, "struck = 2\n"), EXPLICIT);
    for (double time = 0.6; time < 1.05; time += 0.1)
        assert_true(fabs(tn_value_at(table, "b", time) - 2.0 / sqrt(10.0) * sin(sqrt(10.0) * (time - 0.5))) <
                    1e-9);
    assert_true(fabs(tn_value_at(table, "E", 1.0) - tn_value_at(table, "E", 0.0)) < 1e-9);
}

static void too_many_coordinates_for_a_pass_are_refused(void **state)
{
    (void)state;
    const char *file =
        tn_write("model.toml", tn_format("%s" IMPLICIT("1e-3"), clouds(49, 1.0, "own", tie, "")));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--trust", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("its nodes have more than 96 coordinates together", "tie `t`"));
}

static void nodes_that_do_not_match_are_refused_by_their_element(void **state)
{
    (void)state;
    const char *text = clouds(9, 1.0, "own", tie, "");
    const char *file =
        tn_write("model.toml",
                 tn_format("%s[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
                           "[[element]]\nname = 'u'\ntype = 'tie'\nnodes = ['m', 'end']\n" IMPLICIT("1e-3"),
                           text));
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", file, "--trust"));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, TN_WORDS("u: they have 3 and 9 coordinates"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_that_are_tied_swing_as_they_should),
        cmocka_unit_test(an_implicit_solver_has_their_tangent),
        cmocka_unit_test(the_matrix_is_the_derivative),
        cmocka_unit_test(impulses_act_on_every_coordinate),
        cmocka_unit_test(too_many_coordinates_for_a_pass_are_refused),
        cmocka_unit_test(nodes_that_do_not_match_are_refused_by_their_element)};
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

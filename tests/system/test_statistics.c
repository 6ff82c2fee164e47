/* test_statistics.c - what a run says of its cost: rejections by reason, the element that governs the step, time by phase, fill */
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>

/* Two oscillators that know nothing of each other; the fast one needs the short steps. */
#define SLOW_AND_FAST                                                                                      \
    "[[element]]\nname = 'slow'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"                  \
    "[[element]]\nname = 'fast'\ntype = 'mass_point'\nmass = 1\nposition = [0, 1.1, 0]\n"                  \
    "[[element]]\nname = 'soft'\ntype = 'spring_damper'\nmarkers = ['ground', 'slow']\nstiffness = 1\n"    \
    "reference_length = 1\n"                                                                               \
    "[[element]]\nname = 'stiff'\ntype = 'spring_damper'\nmarkers = ['ground', 'fast']\nstiffness = 1e4\n" \
    "reference_length = 1\n[[sensor]]\nname = 'x'\nexpression = 'DX(slow)'\n"

static const char *run_for_results(const char *model, const char *const *more)
{
    const char *results = tn_scratch_path(NULL);
    const char *words[16] = {"run", tn_write("model.toml", model), "--quiet", "--out", results};
    for (size_t k = 5; more && *more; k++, more++)
        words[k] = *more;
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    return results;
}

static double statistic(const char *results, const char *name)
{
    return tn_run_number(results, tn_format("run.statistics.%s", name));
}

static double sum_of_reasons(const char *results)
{
    return statistic(results, "rejected_by_error") + statistic(results, "rejected_by_iteration") +
           statistic(results, "rejected_by_domain");
}

static void test_the_element_that_governs_is_named(void **state)
{
    (void)state;
    static const char *const solvers[] = {"rk", "gsl_ode"};
    for (size_t k = 0; k < 2; k++) {
        const char *model =
            tn_format(SLOW_AND_FAST "[solver]\ntype = '%s'\nend_time = 3\ntolerance = 1e-6\n", solvers[k]);
        const char *results = run_for_results(model, NULL);
        assert_string_equal(tn_run_text(results, "run.statistics.governed_by"), "fast");
        assert_true(statistic(results, "governed_share") > 0.99);
        assert_true(statistic(results, "rejected_steps") == sum_of_reasons(results));
    }
}

/* A guarded solver counts the same. */
static void test_the_guard_passes_reports_on(void **state)
{
    (void)state;
    static const char model[] = SLOW_AND_FAST "[solver]\ntype = 'gsl_ode'\nend_time = 1\nstep = 0.5\n"
                                              "relative_tolerance = 1e-5\n";
    const char *free = run_for_results(model, NULL), *guarded = run_for_results(model, TN_WORDS("--guard"));
    assert_true(statistic(free, "rejected_by_error") > 0.0);
    static const char *const same[] = {"rejected_by_error", "governed_share", "steps", "rejected_steps"};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        assert_true(statistic(free, same[k]) == statistic(guarded, same[k]));
}

/* A law that has no value below the start: the first step is too long for it. */
static void test_a_domain_that_refuses_is_counted(void **state)
{
    (void)state;
    const char *results = run_for_results(
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [0, 0, 0]\n"
        "velocity = [-1, 0, 0]\n[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\n"
        "value = ['2*SQRT(DX(m) + 0.5)', 0, 0]\n[[sensor]]\nname = 'x'\nexpression = 'DX(m)'\n"
        "[solver]\ntype = 'rk'\nend_time = 0.9\nstep = 0.9\nrelative_tolerance = 1e-4\n",
        NULL);
    assert_true(statistic(results, "rejected_by_domain") > 0.0);
    assert_true(statistic(results, "rejected_steps") == sum_of_reasons(results));
}

static void test_steps_are_shortened_for_events(void **state)
{
    (void)state;
    const char *results = run_for_results(
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [0, 0, 0]\n"
        "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\n"
        "value = ['IF(time - 0.3: 0, 1, 1)', 0, 0]\n[[sensor]]\nname = 'x'\nexpression = 'DX(m)'\n"
        "[solver]\ntype = 'rk'\nend_time = 1\ntolerance = 1e-4\n",
        NULL);
    assert_true(statistic(results, "shortened_for_events") == 1.0 && statistic(results, "events") == 1.0);
    assert_true(statistic(results, "rejected_steps") == 0.0);
}

/* ---- times and fill ---------------------------------------------------------------------------------------- */

static const char *const times[] = {"markers_time",       "connectors_time", "matrix_time",
                                    "factorisation_time", "solution_time",   "output_time"};

static void test_times_add_up_to_less_than_the_whole(void **state)
{
    (void)state;
    const char *results = run_for_results(tn_read(TENON_SOURCE_DIR "/configs/benchmarks/chain.toml"),
                                          TN_WORDS("--set", "parameters.n=64"));
    double sum = 0.0;
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        const double time = statistic(results, times[k]);
        assert_true(time > 0.0);
        sum += time;
    }
    const double whole = statistic(results, "wall_time");
    if (!(sum < whole && sum > 0.3 * whole)) fail_msg("phases %g s of %g s", sum, whole);
    assert_true(statistic(results, "first_factorisation_time") > 0.0);
    assert_true(fabs(statistic(results, "linear_time") - statistic(results, "factorisation_time") -
                     statistic(results, "solution_time")) < 1e-8);
}

/* An arrow, and a chain: klu leaves them without fill, a full matrix has n^2 entries. */
static void test_the_fill_is_that_of_the_factors(void **state)
{
    (void)state;
    static const char *const linear[] = {"klu", "dense"};
    for (size_t k = 0; k < 2; k++) {
        const char *model = tn_format(SLOW_AND_FAST "[solver]\ntype = 'generalized_alpha'\nend_time = 0.01\n"
                                                    "step = 1e-3\nlinear = '%s'\n",
                                      linear[k]);
        const char *results = run_for_results(model, NULL);
        const double matrix = statistic(results, "matrix_entries"),
                     factors = statistic(results, "factor_entries");
        assert_true(matrix >= 6.0 && matrix <= 18.0); /* two blocks of 3 x 3, of which axes are apart */
        assert_true(k ? factors == 36.0 : factors >= 6.0 && factors <= 18.0);
    }
}

/* The clock is read, or not: nothing else changes. */
static void test_times_change_no_results(void **state)
{
    (void)state;
    const char *model = SLOW_AND_FAST "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-3\n";
    const tn_csv_table *run = tn_simulate(model, NULL);
    tn_world world;
    tn_world_open(&world, model, NULL, NULL);
    assert_int_equal(tn_world_begin(&world), TN_OK);
    assert_int_equal(tn_world_advance(&world, NULL, NULL), TN_OK);
    assert_true(world.system->q[0] == tn_csv_value(run, run->rows - 1, tn_column_of(run, "x")) ||
                world.system->q[0] + 1.1 == tn_csv_value(run, run->rows - 1, tn_column_of(run, "x")));
    tn_world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_element_that_governs_is_named),
                                       cmocka_unit_test(test_the_guard_passes_reports_on),
                                       cmocka_unit_test(test_a_domain_that_refuses_is_counted),
                                       cmocka_unit_test(test_steps_are_shortened_for_events),
                                       cmocka_unit_test(test_times_add_up_to_less_than_the_whole),
                                       cmocka_unit_test(test_the_fill_is_that_of_the_factors),
                                       cmocka_unit_test(test_times_change_no_results)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

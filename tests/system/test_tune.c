/* test_tune.c - `tenon run MODEL --tune`: a table of solvers, and the lines of a model, which are as fast and as accurate as they say */
#include "harness.h"

#include <math.h>
#include <stdio.h>

#define ANSWER "The fastest at this accuracy:\n\n"

static size_t count_words(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

/* Rows of different solvers that are accurate. */
static size_t count_solvers(const char *output)
{
    static const char *const names[] = {"\nrk ", "\nradau ", "\ngeneralized_alpha ", "\ngsl_ode "};
    size_t count = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        count += strstr(output, names[k]) != NULL;
    return count;
}

static double last_value(const tn_csv_table *table, const char *column)
{
    return table->value[(table->rows - 1) * table->columns + tn_column_of(table, column)];
}

/* The model with these lines in place of its solver. */
static const tn_csv_table *run_with(const char *model, const char *lines)
{
    return tn_simulate(tn_format("[include]\nfiles = ['%s']\n%s", model, lines), NULL);
}

static void check_model(const char *name, const char *column, double size)
{
    const char *model = tn_format(TENON_SOURCE_DIR "/configs/%s.toml", name);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--tune"));
    if (outcome.status != 0) fail_msg("%s%s", outcome.output, outcome.errors);
    tn_check_holds(outcome.output,
                   TN_WORDS("accuracy   0.0001, as the model has no `tolerance`", "reference  radau",
                            "solver ", ": the whole run, ", "kinematic, fixed step: "));
    assert_true(count_solvers(outcome.output) >= 3);
    assert_true(count_words(outcome.output, "  yes  ") >= 3);
    const char *answer = strstr(outcome.output, ANSWER);
    assert_non_null(answer);
    const double found = last_value(run_with(model, answer + strlen(ANSWER)), column);
    const char *end = strstr(answer, "end_time");
    assert_non_null(end);
    const char *strict = tn_format("[solver]\ntype = 'radau'\ntolerance = 1e-9\n%s", end);
    const double right = last_value(run_with(model, strict), column);
    /* the end is one of the times that were looked at; the size of the model is about this one */
    if (!(fabs(found - right) <= 2e-4 * size)) fail_msg("%s: %g, not %g", name, found, right);
}

static void settings_are_found(void **state)
{
    (void)state;
    tn_need_plugin("radau");
    check_model("first/spring_damper", "x.x", 1.0);
    check_model("benchmarks/iftomm_a01_pendulum", "P1.x", 1.0);
}

/* Its `tolerance` is the accuracy; parts in front of the one that is tuned stay; keys of it that are no settings, too. */
static void the_model_says_how_accurate(void **state)
{
    (void)state;
    tn_need_plugin("radau");
    const char *model = tn_write(
        "chain.toml", "[[element]]\nname = 'mass'\ntype = 'mass_1d'\nmass = 1\nposition = 0.1\n"
                      "[[element]]\nname = 'spring'\ntype = 'coordinate_spring_damper'\nmarkers = 'mass'\n"
                      "stiffness = 30\n[[element]]\nname = 'push'\ntype = 'coordinate_force'\n"
                      "markers = 'mass'\nvalue = '3 + IF(time - 0.01: 0, 0, 1)'\n"
                      "[[sensor]]\nname = 'x'\nexpression = 'COORD(mass)'\n"
                      "[[solver]]\ntype = 'static'\n[[solver]]\ntype = 'rk'\ntolerance = 1e-6\n"
                      "end_time = 5\nstop_when = 'time > 4'\nmax_step = 0.5\n");
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--tune"));
    if (outcome.status != 0) fail_msg("%s%s", outcome.output, outcome.errors);
    tn_check_holds(outcome.output,
                   TN_WORDS("accuracy   1e-06, the `tolerance` of the model", ANSWER "[[solver]]\ntype = ",
                            "end_time = 5\nstop_when = \"time > 4\"\nmax_step = 0.5\n"));
    const tn_outcome only = tn_tenon(TN_WORDS("run", model, "--tune", "--solver", "rk"));
    assert_int_equal(only.status, 0);
    assert_null(strstr(only.output, "generalized_alpha"));
}

/* A motion that is over soon is compared while it lasts: at rest all solvers agree. */
static void errors_are_those_of_the_motion(void **state)
{
    (void)state;
    tn_need_plugin("rk");
    const char *model = tn_write(
        "early.toml", "[[element]]\nname = 'mass'\ntype = 'mass_1d'\nmass = 1\nposition = 1\n"
                      "[[element]]\nname = 'spring'\ntype = 'coordinate_spring_damper'\nmarkers = 'mass'\n"
                      "stiffness = 900\ndamping = 30\n[[sensor]]\nname = 'x'\nexpression = 'COORD(mass)'\n"
                      "[solver]\ntype = 'rk'\ntolerance = 1e-5\nend_time = 100\n");
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--tune", "--solver", "rk"));
    if (outcome.status != 0) fail_msg("%s%s", outcome.output, outcome.errors);
    tn_check_holds(outcome.output, TN_WORDS("early.toml: the whole run, 100 s\n"));
    assert_null(strstr(outcome.output, "whole run  "));
    const char *row = strstr(outcome.output, "\nrk  ");
    for (; row; row = strstr(row + 1, "\nrk  ")) {
        const char *error = strstr(row, "  yes ");
        if (error) assert_true(strtod(error + 6, NULL) > 1e-9);
    }
}

static void a_part_is_called_one(void **state)
{
    (void)state;
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", TENON_SOURCE_DIR "/configs/first/spring_damper.toml",
                                                 "--tune", "--solver", "rk", "--set", "solver.end_time=1e6"));
    if (outcome.status != 0) fail_msg("%s%s", outcome.output, outcome.errors);
    tn_check_holds(outcome.output,
                   TN_WORDS("spring_damper.toml: the first ", " s of 1e+06 s\n", "whole run\n"));
    tn_check_holds(outcome.errors, TN_WORDS("the whole run takes too long to be tried"));
}

static void what_cannot_be_tuned_is_refused(void **state)
{
    (void)state;
    const char *model =
        tn_write("still.toml", "[[element]]\nname = 'mass'\ntype = 'mass_1d'\nmass = 1\n"
                               "[[element]]\nname = 'spring'\ntype = 'coordinate_spring_damper'\n"
                               "markers = 'mass'\nstiffness = 30\n[solver]\ntype = 'static'\n");
    const tn_outcome still = tn_tenon(TN_WORDS("run", model, "--tune"));
    assert_int_equal(still.status, 2);
    tn_check_holds(still.errors,
                   TN_WORDS("there is nothing to tune: no solver of the model takes steps in time"));
    const tn_outcome results = tn_tenon(TN_WORDS("run", model, "--tune", "--out", "x"));
    assert_int_equal(results.status, 2);
    tn_check_holds(results.errors, TN_WORDS("--tune writes no results"));
    const tn_outcome nobody = tn_tenon(TN_WORDS("run", TENON_SOURCE_DIR "/configs/first/spring_damper.toml",
                                                "--tune", "--solver", "nobody"));
    assert_int_equal(nobody.status, 2);
    tn_check_holds(nobody.errors, TN_WORDS("there is no solver nobody that takes steps in time"));
    const tn_outcome synonym = tn_tenon(TN_WORDS("run", TENON_SOURCE_DIR "/configs/first/spring_damper.toml",
                                                 "--tune", "--solver", "runge_kutta"));
    assert_int_equal(synonym.status, 2);
    tn_check_holds(synonym.errors, TN_WORDS("no solver runge_kutta", "did you mean `rk`?"));
    const tn_outcome wrong = tn_tenon(TN_WORDS("run", "nowhere.toml", "--tune"));
    assert_int_equal(wrong.status, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_found),
        cmocka_unit_test(the_model_says_how_accurate),
        cmocka_unit_test(errors_are_those_of_the_motion),
        cmocka_unit_test(a_part_is_called_one),
        cmocka_unit_test(what_cannot_be_tuned_is_refused),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

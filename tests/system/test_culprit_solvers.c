/* test_culprit_solvers.c - solvers, writers and linear solvers that fail without a word: the message names the type, its function and
 * its library */
#include "culprits.h"

static const char *plugin; /* careless.so */

static int set_up(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    plugin = tn_build_test_plugin("careless");
    return 0;
}

#define SPRING \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 4\n"

/* Runs a model in which all types that are not installed come from the plugin: it fails, and prints the reason. */
static tn_outcome run_to_failure(const char *model, const char *results)
{
    static const char *const types[] = {
        "careless", "does_not_open", "loses_rows", "does_not_close", "not_created",      "always_singular",
        "identity", "not_a_number",  "not_solved", "no_impulses",    "failing_impulses", "narrow_impulses"};
    const char *text = "[plugins]\n";
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strstr(model, types[k])) text = tn_format("%s%s = '%s'\n", text, types[k], plugin);
    const tn_outcome outcome = run_trusted(tn_format("%s%s", text, model), results);
    assert_int_equal(outcome.status, 1);
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    return outcome;
}

static void check(const char *model, const char *const *words)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = run_to_failure(model, results);
    tn_check_holds(outcome.errors, TN_WORDS("error: the simulation failed at time ", plugin));
    tn_check_holds(outcome.errors, words);
    tn_check_holds(tn_run_text(results, "run.reason"), words);
}

/* ---- solvers --------------------------------------------------------------------------------------------- */

static void check_solver(const char *way, const char *const *words)
{
    check(tn_format(MASS SENSOR SOLVER("type = 'careless'\nway = '%s'"), way), words);
}
#define ADVANCE "`advance` of solver careless (plugin careless 1.2.3, "

static void test_solver_that_ends_at_another_time(void **state)
{
    (void)state;
    check_solver("early", TN_WORDS("at time 0.5 s: " ADVANCE, ") ended at 0.5 s, before `end_time` = 1 s"));
    check_solver("nothing", TN_WORDS("at time 0 s: " ADVANCE, ") ended at 0 s, before `end_time` = 1 s"));
    check_solver("late", TN_WORDS("at time 2 s: " ADVANCE, ") went on to 2 s, beyond `end_time` = 1 s"));
    check_solver("nan_time", TN_WORDS(ADVANCE, ") left a time that is not a number"));
    check_solver("unrecorded",
                 TN_WORDS(ADVANCE, "ended at `end_time` = 1 s, but handed over its last state at 0.75 s"));
}

static void test_solver_that_does_not_move_on(void **state)
{
    (void)state;
    check_solver("back", TN_WORDS(ADVANCE, ") went back in time, from 0.5 s to 0.1 s"));
    check_solver("still", TN_WORDS(ADVANCE, ") does not advance: it handed over 1000 states at 0.25 s"));
}

static void test_solver_that_leaves_no_numbers(void **state)
{
    (void)state;
    check_solver("nan", TN_WORDS("at time 0.5 s: " ADVANCE, "a state that is not finite: `mass.v1` is nan"));
}

static void test_solver_that_returns_without_a_reason(void **state)
{
    (void)state;
    check_solver("fails", TN_WORDS(ADVANCE, ") failed without a reason: unrecoverable failure"));
    check_solver(
        "stops",
        TN_WORDS(ADVANCE, "with the status of an event that has not occurred, before `end_time` = 1 s"));
}

/* What the model asks for is no mistake of the solver, unless it does not listen. */
static void test_solver_that_goes_on_behind_its_end(void **state)
{
    (void)state;
    check(MASS SENSOR SOLVER("type = 'careless'\nway = 'goes_on'\nstop_when = 'time > 0.4'"),
          TN_WORDS(ADVANCE, ") went on to 1 s, but the run was ended at 0.5 s"));
}

/* ---- writers --------------------------------------------------------------------------------------------- */

static void check_writer(const char *writer, const char *function, const char *table)
{
    check(tn_format(MASS SENSOR SOLVER("type = 'rk'") "[output]\nwriters = ['%s']\nstates = true\n", writer),
          TN_WORDS(tn_format("`%s` of writer %s (plugin careless 1.2.3, ", function, writer),
                   tn_format(") has failed for the table `%s`, so the results cannot be written", table)));
}

static void test_writers(void **state)
{
    (void)state;
    check_writer("does_not_open", "open", "sensors");
    check_writer("loses_rows", "row", "sensors");
    check_writer("does_not_close", "close", "sensors");
}

/* ---- linear solvers -------------------------------------------------------------------------------------- */

static void check_linear(const char *linear, const char *function, const char *what)
{
    check(tn_format(MASS SPRING SENSOR SOLVER("type = 'generalized_alpha'\nlinear = '%s'"), linear),
          TN_WORDS(tn_format("`%s` of linear %s (plugin careless 1.2.3, ", function, linear), what));
}

static void test_linear_solvers(void **state)
{
    (void)state;
    check_linear("not_created", "create", ") has failed for a matrix of size 3: unrecoverable failure");
    check_linear("not_solved", "solve", ") has failed for a matrix of size 3: unrecoverable failure");
    check_linear("always_singular", "factor", ") reports a regular matrix of size 3 as singular");
    check_linear("identity", "solve", ") gives a wrong solution for a matrix of size 3: its residual is");
    check_linear("not_a_number", "solve",
                 ") gives a solution that is not finite for a finite matrix of size 3");
}

static const char *model_with_constraint_solver(const char *name)
{
    return tn_format(MASS SPRING SENSOR "[[element]]\nname = 'rod'\ntype = 'distance'\nmarkers = ["
                                        "{ element = 'ground', position = [9, 9, 9] }, 'mass']\n" SOLVER(
                                            "type = 'moreau'\nconstraint_solver = '%s'"),
                     name);
}

static void check_constraint_solver(const char *name, const char *what)
{
    check(model_with_constraint_solver(name),
          TN_WORDS(tn_format("`solve` of constraint_solver %s (plugin careless 1.2.3, ", name), what));
}

static void test_constraint_solvers(void **state)
{
    (void)state;
    check_constraint_solver("no_impulses",
                            ") gives impulses that are not finite for a finite problem of 1 rows");
    check_constraint_solver("failing_impulses",
                            ") has failed for a problem of 1 rows: unrecoverable failure");
}

/* No step and no start helps where a law is not known: the advice is about the constraint solver alone. */
static void test_constraint_solver_that_does_not_know_a_law(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = run_to_failure(model_with_constraint_solver("narrow_impulses"), results);
    tn_check_holds(
        outcome.errors,
        TN_WORDS("error: the simulation failed at time 0.005 s: the constraint solver `narrow_impulses` "
                 "cannot treat the rows of `rod`: take another one, or other settings of it\n"));
    assert_null(strstr(outcome.errors, "try "));
}

static void test_solver_that_asks_too_early(void **state)
{
    (void)state;
    check_solver("no_pattern", TN_WORDS(ADVANCE, "has called factor() without the flag TN_NEEDS_MATRIX"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solver_that_ends_at_another_time),
        cmocka_unit_test(test_solver_that_does_not_move_on),
        cmocka_unit_test(test_solver_that_leaves_no_numbers),
        cmocka_unit_test(test_solver_that_returns_without_a_reason),
        cmocka_unit_test(test_solver_that_goes_on_behind_its_end),
        cmocka_unit_test(test_writers),
        cmocka_unit_test(test_linear_solvers),
        cmocka_unit_test(test_constraint_solvers),
        cmocka_unit_test(test_constraint_solver_that_does_not_know_a_law),
        cmocka_unit_test(test_solver_that_asks_too_early),
    };
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

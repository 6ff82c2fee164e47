/* test_joint_failures.c - runs with joints that cannot go on: who, which row, when, what was tried, what helps */
#include "harness.h"

static const char *const solvers[] = {"generalized_alpha", "rk", "gsl_ode"};
/* What each says that it tried. */
static const char *const tried[] = {"the step was halved to", "the step is fixed", "the step is fixed"};
enum { SOLVERS = 3 };

static const char *built(const char *name)
{
    return tn_build_text(name, tn_read(tn_format(TENON_SOURCE_DIR "/tests/system/plugins/%s.c", name)));
}

/* Fails in its run with the words and what was tried; results so far are kept. When it failed. */
static double check_failure(const char *model, int solver, const char *const *words)
{
    const char *results = tn_scratch_path(NULL);
    (void)tn_write("joint.toml",
                   tn_format("%s[solver]\ntype = '%s'\nend_time = 2\nstep = 0.01\n", model, solvers[solver]));
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", "joint.toml", "--quiet", "--trust", "--out", results));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, words);
    tn_check_holds(outcome.errors, TN_WORDS("at time", tried[solver], "try a smaller step"));
    assert_ptr_equal(strchr(outcome.errors, '\n'), outcome.errors + strlen(outcome.errors) - 1);
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    assert_true(tn_sensors(results)->rows > 10);
    return tn_run_number(results, "run.end_time");
}

/* The one among several whose function has no value any more. */
static void a_constraint_that_is_no_number_is_named(void **state)
{
    (void)state;
    const char *model =
        tn_format("[plugins]\nleash = '%s'\n"
                  "[[repeat]]\ncount = 3\n[[repeat.element]]\nname = 'm{i}'\ntype = 'mass_point'\nmass = 1\n"
                  "position = ['(i == 1)*0.5 + (i != 1)*3', 0, 0]\n"
                  "[[repeat.element]]\nname = 'tie{i}'\ntype = 'leash'\nmarkers = ['m{i}']\n"
                  "square = '(i == 1)*0.25 + (i != 1)*9'\n"
                  "[[element]]\nname = 'hinge'\ntype = 'spherical'\nmarkers = ['m2', 'last']\n"
                  "[[element]]\nname = 'last'\ntype = 'mass_point'\nmass = 1\nposition = [3, 0, 0]\n"
                  "[[sensor]]\nname = 'x'\nelement = 'm0'\noutput = 'position'\n",
                  built("leash"));
    for (int k = 0; k < SOLVERS; k++) {
        const double time = check_failure(
            model, k, TN_WORDS("leash `tie1` (joint.toml:10:1): its ", "not a finite number", "0.25 s"));
        assert_true(time > 0.23 && time <= 0.25);
    }
}

/* Two links of 1 m whose end is drawn away from a pivot: at asin(0.75/0.9) s they are stretched. */
static void a_mechanism_that_locks_is_told(void **state)
{
    (void)state;
    const double end = 0.9851107833377455; /* s */
    const char *model = tn_format(
        "[plugins]\nwinch = '%s'\n"
        "[[repeat]]\ncount = 2\n[[repeat.element]]\nname = 'link{i}'\ntype = 'rigid_body'\nmass = 1\n"
        "inertia = [0.01, 0.1, 0.1]\nposition = ['0.25 + 0.5*i', 0, '0.5*sin(60D)']\n"
        "rotation = { axis = [0, 1, 0], angle = '(2*i - 1)*60D' }\n"
        "[[element]]\nname = 'pivot'\ntype = 'spherical'\n"
        "markers = ['ground', { element = 'link0', position = [-0.5, 0, 0] }]\n"
        "[[element]]\nname = 'elbow'\ntype = 'spherical'\n"
        "markers = [{ element = 'link0', position = [0.5, 0, 0] }, { element = 'link1', position = [-0.5, 0, "
        "0] }]\n"
        "[[element]]\nname = 'rope'\ntype = 'winch'\nmarkers = [{ element = 'link1', position = [0.5, 0, 0] "
        "}]\n"
        "swell = -0.9\n"
        "[[sensor]]\nname = 'x'\nelement = 'link1'\noutput = 'position'\n",
        built("winch"));
    static const char *const seen[] = {"constraint error", "cannot be removed", "cannot be removed"};
    for (int k = 0; k < SOLVERS; k++) {
        const double time =
            check_failure(model, k, TN_WORDS("(joint.toml:", seen[k], "row ", "if the mechanism locks"));
        assert_true(time > end - 0.02 && time < end + 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_constraint_that_is_no_number_is_named),
                                       cmocka_unit_test(a_mechanism_that_locks_is_told)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_broken_models.c - what a run says that fails, or whose results are wrong: the true cause is among the first three causes said
 *
 * Causes are notes, "likely cause: ..." and "another possible cause: ...", or a warning that is the cause itself; with names, and cures. */
#define _GNU_SOURCE
#include "broken_models.h"
#include "harness.h"

enum { CAUSES = 3, LARGEST_MISSES_IN_30 = 3 };

static bool is_message(const char *line)
{
    const bool cause = strstr(line, " cause: ") != NULL;
    /* a warning of the run as a whole has no place, and names nobody */
    const bool warning = strstr(line, ": warning: ") && !strstr(line, "but the parameter is");
    return cause || warning;
}

static bool holds(const char *line, const char *const *words)
{
    for (; *words; words++)
        if (!strstr(line, *words)) return false;
    return true;
}

/* The messages of a run, line by line: whether one of the first three causes holds the words; how many there were. */
static bool names_cause(const char *errors, const char *const *words, size_t *said)
{
    bool found = false;
    *said = 0;
    for (const char *line = errors; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        const char *text = tn_format("%.*s", (int)strcspn(line, "\n"), line);
        if (!is_message(text)) continue;
        (*said)++;
        found = found || (*said <= CAUSES && holds(text, words));
    }
    return found;
}

static void test_causes_are_among_the_first_three(void **state)
{
    (void)state;
    size_t misses = 0;
    for (size_t k = 0; k < tn_broken_count; k++) {
        const tn_broken_model *broken = &tn_broken_models[k];
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", tn_write("model.toml", broken->text), "--out", tn_scratch_path(NULL)));
        const bool warns = strstr(outcome.errors, "warning: ") != NULL;
        if (outcome.status != 1 && !(outcome.status == 0 && warns))
            fail_msg("%s: exit %d, nothing said: %s", broken->title, outcome.status, outcome.errors);
        size_t said = 0;
        if (names_cause(outcome.errors, broken->words, &said)) continue;
        misses++;
        print_message("%s: not among %zu causes:\n%s\n", broken->title, said, outcome.errors);
    }
    assert_true(tn_broken_count >= 30);
    if (30 * misses > LARGEST_MISSES_IN_30 * tn_broken_count)
        fail_msg("%zu of %zu causes are not among the first three said", misses, tn_broken_count);
}

/* No more than three notes, most likely first, and run.toml has them. */
static void test_three_causes_at_most_are_said(void **state)
{
    (void)state;
    for (size_t k = 0; k < tn_broken_count; k++) {
        const char *results = tn_scratch_path(NULL);
        const tn_outcome outcome = tn_tenon(
            TN_WORDS("run", tn_write("model.toml", tn_broken_models[k].text), "--quiet", "--out", results));
        const char *text = tn_read(tn_format("%s/run.toml", results));
        size_t likely = 0, causes = 0;
        for (const char *at = text; (at = strstr(at, " cause: ")); at++)
            causes++;
        for (const char *at = text; (at = strstr(at, "note: likely cause: ")); at++)
            likely++;
        if (causes > CAUSES || likely > 1 || (outcome.status == 1 && likely != 1))
            fail_msg("%s: %zu causes, %zu of them likely", tn_broken_models[k].title, causes, likely);
    }
}

/* A run that is right, and slow: 1e5 steps, which a damper asks for, and as many that a motion needs. */
static void test_slow_runs_say_what_keeps_them(void **state)
{
    (void)state;
    static const char *const slow[][2] = {
        {"[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
         "[[element]]\nname = 'dashpot'\ntype = 'spring_damper'\nmarkers = ['ground', 'm']\nstiffness = 1\n"
         "damping = 3e5\nreference_length = 1\n[solver]\ntype = 'rk'\nend_time = 1\ntolerance = 1e-4\n"
         "[output]\ninterval = 0.1\n",
         "spring_damper `dashpot` keeps them short"},
        {"[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
         "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'm']\nstiffness = 1e4\n"
         "reference_length = 1\n[solver]\ntype = 'rk'\nend_time = 30\ntolerance = 1e-10\n[output]\ninterval "
         "= 1\n",
         "the errors of `m` decided the length of 100 % of the steps"}};
    for (size_t k = 0; k < sizeof slow / sizeof *slow; k++) {
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", tn_write("model.toml", slow[k][0]), "--out", tn_scratch_path(NULL)));
        assert_int_equal(outcome.status, 0);
        tn_check_holds(outcome.errors, TN_WORDS("note: the run took ", slow[k][1]));
    }
}

/* A run that is right has no causes to say, whatever the solver. */
static void test_good_runs_say_nothing(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
        "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'm']\nstiffness = 1e4\n"
        "damping = 1\nreference_length = 1\n";
    static const char *const solvers[] = {"type = 'rk'\nstep = 1e-3\n", "type = 'rk'\ntolerance = 1e-10\n",
                                          "type = 'gsl_ode'\ntolerance = 1e-12\n",
                                          "type = 'generalized_alpha'\nstep = 1e-4\n"};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        const tn_outcome outcome = tn_tenon(TN_WORDS(
            "run", tn_write("model.toml", tn_format("%s[solver]\nend_time = 1\n%s", model, solvers[k])),
            "--out", tn_scratch_path(NULL)));
        assert_int_equal(outcome.status, 0);
        assert_string_equal(outcome.errors, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_causes_are_among_the_first_three),
                                       cmocka_unit_test(test_three_causes_at_most_are_said),
                                       cmocka_unit_test(test_slow_runs_say_what_keeps_them),
                                       cmocka_unit_test(test_good_runs_say_nothing)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

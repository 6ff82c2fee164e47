/* test_trial.c - `tenon build` tries every type of a library under guard, and tells what it does that it must not */
#define _GNU_SOURCE
#include "harness.h"

#include <unistd.h>

/* Of an endless run; others are slow under sanitizers. */
#if TN_SANITIZED
#define SECONDS "5"
#else
#define SECONDS "1"
#endif

static tn_outcome outcome; /* of building on_trial.c, whose types are tried one after the other */

static tn_outcome build(const char *words)
{
    return tn_await(tn_start("sh", TN_WORDS("-c", tn_format("TMPDIR=$PWD TENON_SDK=" TENON_SOURCE_DIR
                                                            "/sdk exec " TENON_BINARY " build %s",
                                                            words))));
}

static int set_up(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    outcome = build("--trial-time " SECONDS " " TENON_SOURCE_DIR "/tests/system/plugins/on_trial.c");
    return 0;
}

/* What is told of a type whose trial fails. */
static void check_fault(const char *type, const char *const *words)
{
    const char *begin = strstr(outcome.errors, tn_format("%s failed its trial:\n", type));
    if (!begin) fail_msg("nothing is told about %s: %s", type, outcome.errors);
    const char *end = strstr(begin, "tenon build: `--models");
    assert_non_null(end);
    tn_check_holds(tn_format("%.*s", (int)(end - begin), begin), words);
}

#define LIBRARY "(plugin on_trial 1.2.3, "
#define FORCE(type) "at time 0 s: `force` of element " type " " LIBRARY

static void test_one_fault_fails_the_build(void **state)
{
    (void)state;
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("tenon build: on_trial.so was built, but element \"beyond\" failed its trial"));
}

static void test_memory(void **state)
{
    (void)state;
    check_fault("element \"beyond\"",
                TN_WORDS(FORCE("beyond"), ") writes beyond the end of `wrench`, for `"));
    check_fault("element \"changes\"", TN_WORDS(FORCE("changes"), ") changes `pose`, which is read-only"));
    check_fault("element \"unwritten\"",
                TN_WORDS(FORCE("unwritten"), ") leaves numbers of `wrench` unwritten"));
}

static void test_numbers(void **state)
{
    (void)state;
    check_fault("element \"not_a_number\"", TN_WORDS("not_a_number `tried` (", "): its force is nan"));
}

static void test_ends_of_the_program(void **state)
{
    (void)state;
    check_fault("element \"crashing\"", TN_WORDS("at time 0 s: SIGSEGV", "in force of element crashing",
                                                 "; plugin on_trial 1.2.3, "));
    check_fault("element \"leaving\"", TN_WORDS("exit(3) was called in force of element leaving"));
    check_fault("element \"killed\"", TN_WORDS("error: the run was ended by signal 9"));
}

static void test_loops(void **state)
{
    (void)state;
    check_fault("element \"endless\"",
                TN_WORDS("at time 0 s: the run has not ended after " SECONDS " s: it is in force of element endless",
                         "; plugin on_trial 1.2.3, "));
}

static void test_solver_and_writer(void **state)
{
    (void)state;
    check_fault("solver \"early\"", TN_WORDS("`advance` of solver early " LIBRARY,
                                             ") ended at 0.005 s, before `end_time` = 0.01 s"));
    check_fault("writer \"idle\"", TN_WORDS("writer idle has made no file sensors.nothing of the table"));
}

static void test_what_is_no_fault(void **state)
{
    (void)state;
    tn_check_holds(outcome.output,
                   TN_WORDS("    element \"good\": tried for 23 steps under guard\n",
                            "    element \"refusing\": not tried: no model was found for it: "
                            "\"tried: never what it wants\"\n",
                            "    element \"with_a_file\": not tried: its parameter `map` is a file\n"));
}

/* Nothing is left behind but the library. */
static void test_directories_are_removed(void **state)
{
    (void)state;
    const tn_outcome left = tn_await(tn_start("sh", TN_WORDS("-c", "ls -d tenon-*")));
    assert_int_not_equal(left.status, 0);
    assert_int_equal(access(tn_scratch_path("on_trial.so"), R_OK), 0);
}

static void test_options(void **state)
{
    (void)state;
    const char *spring = TENON_SOURCE_DIR "/sdk/examples/plain/linear_spring.c";
    tn_outcome built = build(tn_format("--no-trial %s", spring));
    assert_int_equal(built.status, 0);
    assert_null(strstr(built.output, "under guard"));
    built = build(tn_format("--models kept %s", spring));
    assert_int_equal(built.status, 0);
    tn_check_holds(built.output, TN_WORDS("    element \"linear_spring\": tried for "));
    const tn_outcome again = tn_tenon(TN_WORDS("run", "kept/element_linear_spring.toml", "--trust", "--guard",
                                               "--quiet", "--out", tn_scratch_path(NULL)));
    assert_int_equal(again.status, 0);
    built = build(tn_format("--trial-time 0 %s", spring));
    assert_int_equal(built.status, 2);
    tn_check_holds(built.errors, TN_WORDS("--trial-time 0: 1 to 3600 s are possible"));
}

/* What the SDK shows to authors stands its trial; each in another way to be made a model of. */
static void test_examples(void **state)
{
    (void)state;
    static const char *const files[] = {"columns.c", "jordan.c", "sweep.c", "parabola.c", "bead_on_wire.c", "trolley.c"};
    for (size_t k = 0; k < (TN_SANITIZED ? 1 : sizeof files / sizeof *files); k++) {
        const tn_outcome built = build(tn_format(TENON_SOURCE_DIR "/sdk/examples/%s", files[k]));
        if (built.status != 0) fail_msg("%s: %s", files[k], built.errors);
        tn_check_holds(built.output, TN_WORDS("\": tried for ", " steps under guard\n"));
    }
}

static void test_measures(void **state)
{
    (void)state;
    const tn_outcome built = build(TENON_SOURCE_DIR "/plugins/measures/forces/forces.c");
    assert_int_equal(built.status, 0);
    for (const char *const *name = TN_WORDS("fx", "joint", "spdp", "varfrc"); *name; name++)
        tn_check_holds(built.output, TN_WORDS(tn_format("    measure \"%s\": tried for ", *name)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_fault_fails_the_build),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_ends_of_the_program),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_solver_and_writer),
        cmocka_unit_test(test_what_is_no_fault),
        cmocka_unit_test(test_directories_are_removed),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_measures),
    };
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

/* test_process_calls.c - plugins that end the process, or take it elsewhere: they are named, and the results are kept */
#define _GNU_SOURCE
#include "harness.h"

#include <unistd.h>

/* A force that makes a call at 0.05 s, or when it is prepared. */
static const char plugin[] =
    "#define _GNU_SOURCE\n#include <tenon/author.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
    "#include <fcntl.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
    "TN_NO_PARAMETERS(NAME)\n"
    "#if TN_VALUES\nstatic void call(void) { CALL; }\n"
    "static TN_UNUSED void *call_in_thread(void *unused) { call(); return unused; }\n#endif\n"
    "TN_FORCE(NAME, TN_POINT, 1)\n{\n    (void)marker;\n"
    "#if TN_VALUES && !PREPARES\n    if (tn_value(tn_time(context)) > 0.045) { IN_STEP; }\n#endif\n"
    "    wrench[0].force = tn_zero();\n    return TN_OK;\n}\n"
    "#if TN_VALUES\n"
    "static tn_status prepare(const tn_host *host, void *instance)\n{\n    (void)host, (void)instance;\n"
    "#if PREPARES\n    call();\n#endif\n    return TN_OK;\n}\n"
    "TN_PORTS(NAME, {\"markers\", \"any\", TN_POINT, 1, 1, 0})\n"
    "TN_ELEMENT(NAME, .summary = \"calls\", .formula = \"-\", .ports = NAME_PORTS, .prepare = prepare, "
    "TN_CAPABILITIES(TN_HAS_FORCE(NAME)))\n"
    "TN_LIBRARY(\"calls\", \"1.0.0\", \"Apache-2.0\", \"calls\", {TN_ELEMENT_KIND, &NAME_TYPE})\n#endif\n";

/* The plugin with its words replaced. */
static const char *plugin_text(const char *name, const char *call, const char *in_step, bool prepares)
{
    const char *const words[][2] = {{"NAME_PORTS", tn_format("%s_ports", name)},
                                    {"NAME_TYPE", tn_format("%s_type", name)},
                                    {"NAME", name},
                                    {"CALL", call},
                                    {"IN_STEP", in_step},
                                    {"PREPARES", prepares ? "1" : "0"}};
    const char *text = plugin;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (const char *found; (found = strstr(text, words[k][0]));)
            text = tn_format("%.*s%s%s", (int)(found - text), text, words[k][1], found + strlen(words[k][0]));
    return text;
}

static tn_outcome run(const char *name, const char *library, const char *results)
{
    const char *model = tn_format("[plugins]\n%s = '%s'\n"
                                  "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\n"
                                  "[[element]]\nname = 'culprit'\ntype = '%s'\nmarkers = 'mass'\n"
                                  "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
                                  "[solver]\ntype = 'generalized_alpha'\nend_time = 0.1\nstep = 0.01\n",
                                  name, library, name);
    (void)tn_write("model.toml", model);
    return tn_tenon(TN_WORDS("run", "model.toml", "--trust", "--quiet", "--out", results));
}

/* The call ends the run with status 1 after five steps. */
static void check_call(const char *name, const char *call, const char *in_step, const char *told)
{
    const char *library = tn_build_text(name, plugin_text(name, call, in_step, false));
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = run(name, library, results);
    assert_int_equal(outcome.status, 1);
    const char *reason =
        tn_format("at time 0.05 s: %s was called in force of element %s `culprit` (", told, name);
    tn_check_holds(outcome.errors, TN_WORDS("error: the simulation failed ", reason, library));
    assert_string_equal(tn_run_text(results, "run.status"), "failed");
    tn_check_holds(tn_run_text(results, "run.reason"), TN_WORDS(reason, "plugin calls 1.0.0"));
    assert_int_equal(tn_sensors(results)->rows, 5);
}

static void test_calls_that_end_the_process(void **state)
{
    (void)state;
    check_call("exits", "exit(0)", "call()", "exit(0)");
    check_call("exits_at_once", "_exit(3)", "call()", "_exit(3)");
    check_call("exits_quickly", "quick_exit(0)", "call()", "quick_exit(0)");
}

static void test_calls_that_change_the_directory(void **state)
{
    (void)state;
    check_call("moves", "if (chdir(\"/\")) return", "call()", "chdir");
    check_call("moves_by_number", "if (fchdir(99)) return", "call()", "fchdir(99)");
}

static void test_thread_of_a_plugin(void **state)
{
    (void)state;
    check_call("threads", "exit(0)",
               "pthread_t t; if (!pthread_create(&t, 0, call_in_thread, 0)) pthread_join(t, 0)", "exit(0)");
}

static void test_prepare(void **state)
{
    (void)state;
    const char *library = tn_build_text("prepares", plugin_text("prepares", "exit(0)", "", true));
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = run("prepares", library, results);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("error: exit(0) was called in prepare of element prepares `culprit`", library));
    assert_int_not_equal(access(results, F_OK), 0);
}

/* What a plugin starts may end and move as it likes. */
static void test_child_of_a_plugin(void **state)
{
    (void)state;
    const char *library = tn_build_text(
        "forks", plugin_text("forks",
                             "pid_t child = fork(); if (child == 0) { if (chdir(\"/\")) abort(); _exit(0); } "
                             "int status = 1; if (waitpid(child, &status, 0) < 0 || status) abort()",
                             "call()", false));
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = run("forks", library, results);
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    assert_string_equal(tn_run_text(results, "run.status"), "finished");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_that_end_the_process),
        cmocka_unit_test(test_calls_that_change_the_directory),
        cmocka_unit_test(test_thread_of_a_plugin),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_child_of_a_plugin),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

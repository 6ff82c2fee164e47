/* test_culprit_laws.c - laws of elements that refuse, are no numbers, or do not return: the message names the element, or the type with
 * its function and library */
#define _GNU_SOURCE
#include "culprits.h"

#include <math.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* ---- laws ------------------------------------------------------------------------------------------------ */

/* An element on one point; FORCE, TANGENT and ACCEPTED are what its functions do at their ends. */
static const char law[] =
    "#include <tenon/author.h>\n#include <poll.h>\n"
    "#define NAME(P) P(REAL, limit, \"s\", 0, 9.0, 0.0, TN_UNBOUNDED, \"when\")\n"
    "TN_PARAMETERS(law, NAME)\n"
    "TN_FORCE(law, TN_POINT, 1)\n{\n    wrench[0].force = tn_scale(tn_constant(-4.0), marker[0].position);\n"
    "#if TN_VALUES\n    const tn_host *host = context->batch->host;\n    (void)host;\n"
    "    const bool late = context->time > tn_value(self->limit);\n    (void)late;\n    %s\n#endif\n"
    "    return TN_OK;\n}\n"
    "#if TN_VALUES\nstatic TN_UNUSED tn_status tangent(tn_batch *batch)\n{\n"
    "    for (size_t i = 0; i < (size_t)batch->count * 18; i++) batch->tangent[i] = NAN;\n    return "
    "TN_OK;\n}\n"
    "static TN_UNUSED tn_status accepted(tn_batch *batch)\n{\n    if (batch->time > 0.045)\n"
    "        tn_refuse(batch->host, NULL, \"worn out\");\n    return TN_OK;\n}\n"
    "TN_PORTS(law, {\"markers\", \"any\", TN_POINT, 1, 1, 0})\n"
    "TN_ELEMENT(law, .summary = \"law\", .formula = \"-\", .ports = law_ports, TN_CAPABILITIES(%s))\n"
    "TN_LIBRARY(\"laws\", \"1.0.0\", \"Apache-2.0\", \"laws\", {TN_ELEMENT_KIND, &law_type})\n#endif\n";

#define LAW(name, more) "[[element]]\nname = '" name "'\ntype = 'law'\nmarkers = 'mass'\n" more "\n"
#define LAWS LAW("first", "") LAW("second", "limit = 0.045") MASS SENSOR SOLVER("type = 'generalized_alpha'")

/* Runs a model with that law. */
static tn_outcome run_law(const char *model, const char *in_force, const char *functions, const char *results)
{
    const char *library = tn_build_text("law", tn_format(law, in_force, functions));
    return run_trusted(tn_format("[plugins]\nlaw = '%s'\n%s", library, model), results);
}

static void check_law(const char *in_force, const char *functions, const char *const *words)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = run_law(LAWS, in_force, functions, results);
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, words);
    tn_check_holds(tn_run_text(results, "run.reason"), words);
}

static void test_law_that_refuses(void **state)
{
    (void)state;
    const char *const *words =
        TN_WORDS("at time 0.05 s: law `second` (", "model.toml:8:1): too late by 0.005");
    const char *refuse = "if (late) tn_refuse(host, \"limit\", \"too late by %g\", context->time - 0.045);";
    check_law(refuse, "TN_HAS_FORCE(law)", words);
    check_law(tn_format("if (late) return %s", refuse + sizeof "if (late)"), "TN_HAS_FORCE(law)", words);
    check_law(
        "", "TN_HAS_FORCE(law), TN_HAS(data, .accepted = accepted)",
        TN_WORDS("at time 0.05 s: `accepted` of element law (plugin laws 1.0.0, ", ") refuses: worn out"));
}

static void test_law_that_speaks(void **state)
{
    (void)state;
    const char *say = "if (late) tn_say(host, TN_WARNING, \"it is late\");", *results = tn_scratch_path(NULL);
    tn_outcome outcome = run_law(MASS LAW("only", "limit = 0.995") SENSOR SOLVER("type = 'rk'"), say,
                                 "TN_HAS_FORCE(law)", results);
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml:8:1: warning: only: at time 1 s: it is late"));
    outcome = run_law(LAWS, say, "TN_HAS_FORCE(law)", tn_scratch_path(NULL));
    tn_check_holds(outcome.errors, TN_WORDS("warning: one of 2 `law`: at time 0.05 s: it is late"));
}

static void test_tangent_that_is_no_number(void **state)
{
    (void)state;
    check_law("", "TN_HAS(force, .force = law_force, .force_tangent = tangent)",
              TN_WORDS("law `first` (", "): its tangent is nan, not a finite number"));
}

/* ---- results --------------------------------------------------------------------------------------------- */

/* The run continues, with one warning. */
static void check_told(const char *functions, const char *sensor, const char *words)
{
    const char *text = tn_format(law, "", functions), *end = strstr(text, "TN_PORTS");
    const char *more =
        "TN_OUTPUTS(law, {\"load\", \"of it\", \"N\", 1, 0})\n"
        "TN_OUTPUT(law, TN_POINT, 1)\n{\n    value[0] = context->time > 0.045 ? (double)NAN : 1.0;\n"
        "    return TN_OK;\n}\n"
        "TN_POTENTIAL(law, TN_POINT, 1)\n{\n    return context->time > 0.045 ? (double)NAN : 1.0;\n}\n"
        "TN_DISSIPATION(law, TN_POINT, 1)\n{\n    return context->time > 0.045 ? -3.0 : 1.0;\n}\n";
    const char *library = tn_build_text("law", tn_format("%.*s%s%s", (int)(end - text), text, more, end));
    const tn_outcome outcome =
        run_trusted(tn_format("[plugins]\nlaw = '%s'\n" MASS LAW("first", "") SOLVER("type = 'rk'") "%s",
                              library, sensor),
                    tn_scratch_path(NULL));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("model.toml:8:1: warning: ", "(plugin laws 1.0.0, ", words));
}

static void test_results_that_cannot_be(void **state)
{
    (void)state;
    check_told("TN_HAS_FORCE(law)), .outputs = law_outputs, .output = (law_output",
               "[[sensor]]\nname = 'load'\nelement = 'first'\noutput = 'load'\n",
               ") gives a number that is not finite; nan is recorded where the sensor has no value");
    check_told("TN_HAS_FORCE(law), TN_HAS(energy, .potential = law_potential)",
               "[[sensor]]\nname = 'energy'\nsystem = 'potential_energy'\n",
               ") gives nan J, but an energy must be finite");
    check_told("TN_HAS_FORCE(law), TN_HAS(energy, .dissipation = law_dissipation)",
               "[[sensor]]\nname = 'lost'\nelement = 'first'\noutput = 'dissipated_energy'\n",
               ") gives -3 W, but dissipated power must not be negative");
}

/* ---- loops ----------------------------------------------------------------------------------------------- */

static void wait_for(double seconds)
{
    (void)nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))}, NULL);
}

/* Waits until the program has written these words; a test that waits in vain is ended by the time limit of all tests. */
static void wait_for_words(const char *file, const char *words)
{
    while (access(file, F_OK) != 0 || !strstr(tn_read(file), words))
        wait_for(0.05);
}

/* The first signal says where the program is, the second one ends it there. */
static void test_law_that_loops(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL), *place = "it is in force of element law `second` (";
    const char *library = tn_build_text(
        "law", tn_format(law, "if (late) { fputs(\"looping\\n\", stderr); " TN_ENDLESS_LOOP " }",
                         "TN_HAS_FORCE(law)"));
    (void)tn_write("model.toml", tn_format("[plugins]\nlaw = '%s'\n" MASS LAW("second", "limit = 0.045")
                                               SENSOR SOLVER("type = 'rk'"),
                                           library));
    const tn_child child =
        tn_start(TENON_BINARY, TN_WORDS("run", "model.toml", "--trust", "--quiet", "--out", results));
    wait_for_words(child.errors, "looping");
    (void)kill(child.process, SIGINT);
    wait_for_words(child.errors, "Ctrl-C once more ends it here");
    (void)kill(child.process, SIGINT);
    const tn_outcome outcome = tn_await(child);
    tn_check_holds(outcome.errors,
                   TN_WORDS("note: no step has been accepted since the program was asked to end: at "
                            "time 0.05 s: ",
                            place, "plugin laws 1.0.0, ", library));
    assert_int_equal(outcome.status, 128 + SIGINT);
    assert_string_equal(tn_run_text(results, "run.status"), "interrupted");
}

static void test_library_that_loops(void **state)
{
    (void)state;
    (void)tn_write("endless.c", "#include <tenon/plugin.h>\n#include <poll.h>\n"
                                "TN_EXPORT const tn_library *tn_plugin_library(void);\n"
                                "const tn_library *tn_plugin_library(void)\n{\n    " TN_ENDLESS_LOOP "\n}\n");
    const tn_outcome outcome = tn_await(tn_start(
        "sh", TN_WORDS("-c", "TENON_SDK=" TENON_SOURCE_DIR "/sdk " TENON_BINARY " build endless.c")));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("tenon build: endless.so was built, but is refused: "
                                            "`tn_plugin_library` did not return within 5 s"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_law_that_refuses),
        cmocka_unit_test(test_law_that_speaks),
        cmocka_unit_test(test_tangent_that_is_no_number),
        cmocka_unit_test(test_results_that_cannot_be),
        cmocka_unit_test(test_law_that_loops),
        cmocka_unit_test(test_library_that_loops),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

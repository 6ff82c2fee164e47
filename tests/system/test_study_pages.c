/* test_study_pages.c - `tenon study report`: pages of studies of each kind, also of one that goes on or has failed cases. Where node and chromium are
 * installed, browser/check_studies.mjs of the writer looks at all of them. */
#define _GNU_SOURCE
#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define STUDY "[study]\nmodel = 'model.toml'\nname = 'a </script> \"study\"'\n"
#define STIFFNESS "[[variable]]\nname = 'parameters.k'\nrange = ['50 [N/m]', '200 [N/m]']\nscale = 'log'\n"
#define DAMPING "[[variable]]\nname = 'parameters.c'\nrange = ['1 [N s/m]', '20 [N s/m]']\n"
#define LEAST "[[response]]\nname = 'least'\nexpression = 'min(x.x)'\nunit = 'mm'\nlimit = '< 2 [m]'\n"

static const char *plugins; /* folder with whims.so */

static void write_model(void)
{
    (void)tn_write("model.toml",
                   "[parameters]\nk = '100 [N/m]'\nc = '5 [N s/m]'\nwhim = 0\n"
                   "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
                   "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', "
                   "'mass']\nreference_length = 1\nstiffness = 'k'\ndamping = 'c'\n"
                   "[[element]]\nname = 'whims'\ntype = 'whims'\nmarkers = 'mass'\nwhim = 'whim'\n"
                   "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
                   "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-2\n");
}

/* The folder of results of a study, in the folder that holds those of all. */
static const char *carry_out(const char *name, const char *text, int status)
{
    const char *results = tn_scratch_path(tn_format("pages/%s", name));
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("study", tn_write("study.toml", text), "--plugin-path", plugins, "--out", results));
    if (outcome.status != status) fail_msg("%s: %d %s", name, outcome.status, outcome.errors);
    return results;
}

/* Its page, as text. */
static const char *page_of(const char *results)
{
    const tn_outcome outcome = tn_tenon(TN_WORDS("study", "report", results));
    if (outcome.status != 0) fail_msg("%s: %s", results, outcome.errors);
    tn_check_holds(outcome.output, TN_WORDS("page", "study.html"));
    return tn_read(tn_format("%s/study.html", results));
}

/* What the page is made of; each word stands in it as JSON. */
static void check_page(const char *results, const char *const *words)
{
    const char *page = page_of(results);
    const char *head = strstr(page, "id=\"head\">"), *end = head ? strstr(head, "</script>") : NULL;
    assert_non_null(end);
    const char *json = tn_format("%.*s", (int)(end - head), head);
    tn_check_holds(json, TN_WORDS("\"format\":\"tenon-study\"", "a \\u003c/script> \\u0022study\\u0022",
                                  "\"name\":\"parameters.k\",\"unit\":\"N/m\"",
                                  tn_format("\"command\":\"tenon case %s\"", results)));
    tn_check_holds(json, words);
}

static void samples_have_pages(void **state)
{
    (void)state;
    check_page(
        carry_out("grid",
                  STUDY STIFFNESS "[[variable]]\nname = 'solver.type'\nvalues = ['rk', "
                                  "'generalized_alpha']\n" LEAST "[design]\ntype = 'grid'\nlevels = [3]\n",
                  0),
        TN_WORDS("\"cases\":6", "\"count\":6,\"name\":\"ok\"", "\"levels\":[\"rk\",\"generalized_alpha\"]",
                 "\"limited\":1,\"name\":\"least\",\"unit\":\"mm\",\"limit\":2000"));
    check_page(carry_out("sobol", STUDY STIFFNESS DAMPING LEAST "[design]\ntype = 'sobol'\ncount = 16\n", 0),
               TN_WORDS("\"cases\":16"));
}

static void sensitivities_have_pages(void **state)
{
    (void)state;
    check_page(carry_out("morris", STUDY STIFFNESS DAMPING LEAST "[design]\ntype = 'morris'\n", 0),
               TN_WORDS("\"name\":\"mu*\",\"response\":\"least\",\"variable\":\"parameters.c\""));
    check_page(
        carry_out("saltelli", STUDY STIFFNESS DAMPING LEAST "[design]\ntype = 'saltelli'\ncount = 16\n", 0),
        TN_WORDS("\"name\":\"total effect\"", "\"low\":"));
}

static void searches_have_pages(void **state)
{
    (void)state;
    check_page(carry_out("search",
                         STUDY STIFFNESS DAMPING LEAST
                         "[design]\ntype = 'nelder_mead'\nmaximise = 'least'\nmost_cases = 40\n",
                         0),
               TN_WORDS("maximise = \\u0022least\\u0022", "\"name\":\"optimum\",\"response\":\"least\""));
}

/* The best value of a list of texts is one of them. */
static void searches_in_lists_have_pages(void **state)
{
    (void)state;
    if (access(TENON_PLUGINS "/nlopt.so", F_OK) != 0) skip();
    const char *results =
        carry_out("list",
                  STUDY STIFFNESS "[[variable]]\nname = 'solver.type'\nvalues = "
                                  "['generalized_alpha', 'rk']\n" LEAST
                                  "[design]\ntype = 'nlopt'\nalgorithm = 'direct_l'\nminimise "
                                  "= 'least'\nmost_cases = 30\n",
                  0);
    const char *page = page_of(results);
    assert_true(strstr(page, "\"variable\":\"solver.type\",\"unit\":\"\",\"text\":\"rk\"") ||
                strstr(page, "\"variable\":\"solver.type\",\"unit\":\"\",\"text\":\"generalized_alpha\""));
}

static void calibrations_have_pages(void **state)
{
    (void)state;
    (void)tn_write("data.csv", "time,x.x\n0.1,1.07\n0.2,1.0\n0.3,0.95\n0.5,1.0\n0.8,1.01\n");
    check_page(
        carry_out("calibration",
                  STUDY STIFFNESS DAMPING
                  "[[response]]\nname = 'fit'\nsensor = 'x.x'\ndata = 'data.csv'\ndeviation = '1 [mm]'\n"
                  "[design]\ntype = 'calibrate'\nmost_cases = 60\n",
                  0),
        TN_WORDS("\"size\":5,\"data\":1", "\"variable\":\"parameters.k\""));
}

static void accuracy_has_a_page(void **state)
{
    (void)state;
    check_page(
        carry_out("tolerances",
                  STUDY "[[variable]]\nname = 'parameters.k'\nvalues = ['100 [N/m]']\n"
                        "[[variable]]\nname = 'solver.type'\nvalues = ['rk', 'generalized_alpha']\n"
                        "[[variable]]\nname = 'solver.step'\nvalues = [1e-2, 5e-3, 2.5e-3]\n"
                        "[[response]]\nname = 'x'\nsensor = 'x.x'\ntimes = [0.25, 0.5, 1.0]\n"
                        "[design]\ntype = 'tolerances'\n",
                  0),
        TN_WORDS("\"name\":\"error\"", "\"name\":\"effort\"", "\"name\":\"Pareto front\"", "\"size\":3"));
}

static void failed_cases_are_counted_with_their_reasons(void **state)
{
    (void)state;
    check_page(carry_out("failures",
                         STUDY STIFFNESS "[[variable]]\nname = 'parameters.whim'\nvalues = [0, 1, 3]\n" LEAST
                                         "[design]\ntype = 'grid'\nlevels = [4]\n",
                         0),
               TN_WORDS("\"count\":4,\"name\":\"ok\"", "\"count\":4,\"name\":\"failed\"",
                        "\"count\":4,\"name\":\"crashed\"", "SIGSEGV"));
}

/* A page is made while the study goes on, and has what there is by then. */
static void a_study_that_goes_on_has_a_page(void **state)
{
    (void)state;
    const char *results = tn_scratch_path("pages/goes_on");
    const char *file =
        tn_write("study.toml", STUDY STIFFNESS
                 "[[variable]]\nname = 'parameters.whim'\nvalues = [0, 2]\n" LEAST
                 "[design]\ntype = 'grid'\nlevels = [3]\n[execute]\ntype = 'local'\nworkers = 1\n");
    const tn_child child =
        tn_start(TENON_BINARY, TN_WORDS("study", file, "--plugin-path", plugins, "--out", results));
    for (int k = 0; k < 1000 && access(tn_format("%s/study.db", results), F_OK) != 0; k++)
        (void)usleep(10000);
    (void)usleep(300000); /* the cases are in the database, and one of them never ends */
    const tn_outcome page = tn_tenon(TN_WORDS("study", "report", results));
    (void)kill(child.process, SIGINT);
    (void)kill(child.process, SIGINT);
    (void)usleep(100000);
    (void)kill(child.process, SIGINT);
    (void)tn_await(child);
    if (page.status != 0) fail_msg("%s", page.errors);
    check_page(results, TN_WORDS("\"cases\":6", "\"name\":\"waiting\""));
}

static void mistakes_are_told(void **state)
{
    (void)state;
    const char *results = tn_scratch_path("pages/grid");
    const tn_outcome none = tn_tenon(TN_WORDS("study", "report", "nothing"));
    assert_int_equal(none.status, 2);
    tn_check_holds(none.errors, TN_WORDS("nothing/study.db", "no results of a study"));
    const tn_outcome ending = tn_tenon(TN_WORDS("study", "report", results, "--out", "page.pdf"));
    assert_int_equal(ending.status, 2);
    tn_check_holds(ending.errors, TN_WORDS("*.html", "page.pdf"));
    const tn_outcome key = tn_tenon(TN_WORDS("study", "report", results, "--set", "rws=5"));
    assert_int_equal(key.status, 2);
    tn_check_holds(key.errors, TN_WORDS("`rws`: did you mean `rows`?"));
    const tn_outcome folder =
        tn_tenon(TN_WORDS("study", "report", results, "--out", tn_scratch_path("none/page.html")));
    assert_int_equal(folder.status, 1);
    tn_check_holds(folder.errors, TN_WORDS("none/page.html cannot be written", "No such file"));
}

static void pages_go_where_they_are_wanted(void **state)
{
    (void)state;
    const char *results = tn_scratch_path("pages/grid"), *page = tn_scratch_path("elsewhere.html");
    assert_int_equal(
        tn_tenon(TN_WORDS("study", "report", results, "--out", page, "--set", "title=Other", "--quiet"))
            .status,
        0);
    tn_check_holds(tn_read(page), TN_WORDS("<title>Other</title>"));
    /* by the file of a study, whose results are in another folder */
    const char *file = tn_write("named.toml", tn_format("[study]\nresults = '%s'\n", results));
    assert_int_equal(tn_tenon(TN_WORDS("study", "report", file, "--out", page)).status, 0);
}

/* The pages of all tests before. */
static void pages_work_in_a_browser(void **state)
{
    (void)state;
    if (system("command -v node >/dev/null && command -v \"${CHROMIUM:-chromium}\" >/dev/null") != 0) {
        if (getenv("TENON_NO_SKIPS")) fail_msg("there is no chromium");
        skip();
    }
    const char *command =
        tn_format("node " TENON_SOURCE_DIR "/plugins/writers/report/browser/check_studies.mjs %s",
                  tn_scratch_path("pages"));
    assert_int_equal(system(command), 0);
}

static int open_tests(void **state)
{
    const int status = tn_scratch_open(state);
    if (status == 0) {
        (void)tn_build_test_plugin("whims");
        plugins = tn_scratch_path(".");
        write_model();
    }
    return status;
}

int main(void)
{
    if (access(TENON_PLUGINS "/study_page.so", F_OK) != 0) {
        (void)puts("skipped: the writer report is not built");
        return getenv("TENON_NO_SKIPS") != NULL;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_have_pages),
                                       cmocka_unit_test(sensitivities_have_pages),
                                       cmocka_unit_test(searches_have_pages),
                                       cmocka_unit_test(searches_in_lists_have_pages),
                                       cmocka_unit_test(calibrations_have_pages),
                                       cmocka_unit_test(accuracy_has_a_page),
                                       cmocka_unit_test(failed_cases_are_counted_with_their_reasons),
                                       cmocka_unit_test(a_study_that_goes_on_has_a_page),
                                       cmocka_unit_test(mistakes_are_told),
                                       cmocka_unit_test(pages_go_where_they_are_wanted),
                                       cmocka_unit_test(pages_work_in_a_browser)};
    return cmocka_run_group_tests(tests, open_tests, tn_scratch_close);
}

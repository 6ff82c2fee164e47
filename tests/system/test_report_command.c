/* test_report_command.c - `tenon report`: files where the user wants them, and messages about wrong options, absent results, absent
 * programs */
#include "harness.h"

#include <sys/stat.h>
#include <unistd.h>

static const char model[] =
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1.1, 0, 0]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\n"
    "reference_length = 1\nstiffness = 100\n"
    "[[sensor]]\nname = 'x'\nelement = 'mass'\noutput = 'position'\n"
    "[[sensor]]\nname = 'f'\nelement = 'spring'\noutput = 'force'\n"
    "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-2\n[output]\nwriters = ['csv']\n";
static const char *results;

static int run_model(void **state)
{
    if (tn_scratch_open(state) != 0) return 1;
    results = tn_scratch_path(NULL);
    return tn_tenon(TN_WORDS("run", tn_write("model.toml", model), "--quiet", "--out", results)).status;
}

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

/* The number of times that a word stands in a text. */
static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

static void expect(tn_outcome outcome, int status, const char *message)
{
    if (outcome.status != status) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    tn_check_holds(outcome.errors, TN_WORDS(message));
}

#define REPORT(...) tn_tenon(TN_WORDS("report", results, __VA_ARGS__))

static void plots_go_where_the_user_wants_them(void **state)
{
    (void)state;
    tn_need_plugin("report");
    const char *before = tn_read(tn_format("%s/run.toml", results)), *file = tn_scratch_path("all.svg"),
               *folder = tn_scratch_path("plots");
    expect(REPORT("--svg", file), 0, NULL);
    assert_int_equal(count_of(tn_read(file), "<svg "), 3); /* the sheet, and a plot for each sensor */
    assert_int_equal(count_of(tn_read(file), "class=\"curve\" stroke"),
                     2 * 6); /* each has a line in the legend, too */
    expect(REPORT("--svg", file, "--plot", "x.x"), 0, NULL);
    assert_int_equal(count_of(tn_read(file), "<svg "), 2);
    expect(REPORT("--svg", tn_format("%s/", folder)), 0, NULL);
    assert_true(is_there(tn_format("%s/report_1_x.svg", folder)) &&
                is_there(tn_format("%s/report_2_f.svg", folder)));
    assert_string_equal(tn_read(tn_format("%s/run.toml", results)), before);
    assert_false(is_there(tn_format("%s/report.html", results)) ||
                 is_there(tn_format("%s/.conversion.part", results)));
}

static void pages_go_where_the_user_wants_them(void **state)
{
    (void)state;
    tn_need_plugin("report");
    const char *file = tn_scratch_path("page.html");
    expect(REPORT("--out", file, "--set", "title=A model"), 0, NULL);
    tn_check_holds(tn_read(file), TN_WORDS("<title>A model", "tenon-report"));
    assert_false(is_there(tn_format("%s/report.html", results)));
    expect(REPORT("--out", results), 1, "are those that run.toml lists");
    expect(REPORT("--out", tn_format("%s/report.html", results)), 1, "are those that run.toml lists");
    expect(REPORT("--out", "/nonexistent/page.html"), 1,
           "--out /nonexistent/page.html cannot be written: No such file");
    expect(tn_tenon(TN_WORDS("report", results)), 0, NULL);
    assert_true(is_there(tn_format("%s/report.html", results)));
    assert_int_equal(unlink(tn_format("%s/report.html", results)), 0);
}

static void pictures_are_taken_at_their_times(void **state)
{
    (void)state;
    tn_need_plugin("report");
    if (tn_await(tn_start("sh", TN_WORDS("-c", "command -v chromium"))).status != 0) {
        if (getenv("TENON_NO_SKIPS")) fail_msg("there is no chromium");
        skip();
    }
    const char *folder = tn_scratch_path("pictures");
    struct stat one, other;
    expect(REPORT("--png", tn_format("%s/", folder), "--at", "0", "--at", "0.157", "--size", "320x200"), 0,
           "");
    assert_int_equal(stat(tn_format("%s/report_1.png", folder), &one), 0);
    assert_int_equal(stat(tn_format("%s/report_2.png", folder), &other), 0);
    assert_true(one.st_size > 1000 && other.st_size > 1000 && one.st_size != other.st_size);
    expect(REPORT("--png", tn_scratch_path("whole.png"), "--whole", "--size", "640x480"), 0, NULL);
    assert_int_equal(stat(tn_scratch_path("whole.png"), &one), 0);
    assert_true(one.st_size > 1000);
}

/* By a search path without it. */
static void a_missing_chromium_is_named(void **state)
{
    (void)state;
    tn_need_plugin("report");
    const char *file = tn_scratch_path("none.png"), *empty = tn_scratch_path("empty");
    assert_int_equal(mkdir(empty, 0777), 0);
    const tn_outcome outcome = tn_await(tn_start(
        "env", TN_WORDS(tn_format("PATH=%s", empty), TENON_BINARY, "report", results, "--png", file)));
    expect(outcome, 1, "chromium, which takes them, is not installed (package chromium)");
    assert_false(is_there(file) || is_there(tn_format("%s/report.html", results)));
}

static void wrong_options_are_explained(void **state)
{
    (void)state;
    tn_need_plugin("report");
    expect(REPORT("--png", "a.jpg"), 2, "--png makes a file *.png, not \"a.jpg\"");
    expect(REPORT("--png", "a.png", "--at", "2"), 2, "--at 2: the run goes from 0 to 1 s");
    expect(REPORT("--png", "a.png", "--at", "soon"), 2, "--at takes a time in s, not \"soon\"");
    expect(REPORT("--png", "a.png", "--at", "0", "--at", "1"), 2, "--png a.png is one file for 2 times");
    expect(REPORT("--png", "a.png", "--size", "big"), 2, "--size takes pixels as in 1600x900, not \"big\"");
    expect(REPORT("--png", "a.png", "--size", "9x9"), 2, "9 is not between 64 and 8192");
    expect(REPORT("--svg", "a.svg", "--at", "0"), 2, "--at belongs to --png");
    expect(REPORT("--out", "a.html", "--plot", "x"), 2, "--plot belongs to --svg");
    expect(REPORT("--svg", "a.svg", "--plot", "x.w"), 2, "no column or sensor \"x.w\": did you mean \"x.");
    expect(REPORT("--out", "a.html", "--set", "titel=x"), 2, "unknown key `titel`: did you mean `title`?");
    expect(REPORT("--out", "a.html", "--set", "title"), 2, "--set takes KEY=VALUE, not \"title\"");
    expect(tn_tenon(TN_WORDS("report", "nowhere", "--png", "a.png")), 2, "nowhere holds no results of a run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plots_go_where_the_user_wants_them),
                                       cmocka_unit_test(pages_go_where_the_user_wants_them),
                                       cmocka_unit_test(pictures_are_taken_at_their_times),
                                       cmocka_unit_test(a_missing_chromium_is_named),
                                       cmocka_unit_test(wrong_options_are_explained)};
    return cmocka_run_group_tests(tests, run_model, tn_scratch_close);
}

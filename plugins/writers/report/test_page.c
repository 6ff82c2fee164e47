/* test_page.c - pages in a real browser: they are ready without an error, show what the rows are, zoom to single ones, answer to keys
 * and addresses, and do without WebGL. browser/check.mjs does the looking, where node and chromium are installed. */
#include "report.h"

#include "../../solvers/test_host.h"
#include "../../../tests/support/test_recording.h"

#include <dlfcn.h>
#include <unistd.h>

static char folder[] = "/tmp/tenon_pages_XXXXXX";

static const char *const pages[] = {"small", "exact", "million", "two", "empty", "broken"};

/* A still of 1600 x 900 points. */
static void check_still(void)
{
    char path[96];
    unsigned char head[24] = {0};
    (void)snprintf(path, sizeof path, "%s/report_1.png", folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    (void)fclose(file);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(head + 16, "\0\0\x06\x40\0\0\x03\x84", 8);
    assert_int_equal(unlink(path), 0);
}

/* The page of one or two recordings, moved to a name of its own. */
static void make_page(const char *name, const test_recording *one, const test_recording *other, bool exact)
{
    test_host host;
    test_host_begin(&host);
    void *library = dlopen(TENON_PLUGINS "/report.so", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    tn_plugin_function function = NULL;
    void *symbol = dlsym(library, TN_PLUGIN_SYMBOL);
    memcpy(&function, &symbol, sizeof function);
    const tn_writer_type *type = function()->types[0].type;
    const tn_conversion *conversion = tn_capability_of(type->capabilities, TN_CONVERSION_KEY);
    const double time = 2.5;
    tn_report_settings settings = {.tolerance = 1e-3, .exact = exact};
    if (other) settings.png = (tn_list){&time, 1};
    const tn_recording *const recordings[] = {&one->recording, other ? &other->recording : NULL};
    assert_int_equal(type->prepare(&host.table, &settings), TN_OK);
    assert_int_equal(conversion->convert(&host.table, &settings, recordings, other ? 2 : 1, folder), TN_OK);
    if (other) check_still();
    char from[96], to[96];
    (void)snprintf(from, sizeof from, "%s/report.html", folder);
    (void)snprintf(to, sizeof to, "%s/%s.html", folder, name);
    assert_int_equal(rename(from, to), 0);
    test_host_end(&host);
}

/* Every other frame is not finite. */
static tn_status broken_frame(const tn_recording *recording, uint64_t first, uint64_t count, double *time,
                              double *pose, double *wrench)
{
    const tn_status status = test_recording_frame(recording, first, count, time, pose, wrench);
    for (uint64_t f = 0; pose && f < count; f++)
        if ((first + f) % 2) pose[7 * TEST_TRACKS * f + 8] = (double)NAN;
    return status;
}

/* A run that failed at its start: nothing but texts; and one whose poses are not all there. */
static void make_odd_pages(test_recording *t)
{
    test_recording_make(t, 2, 4, 2);
    tn_recording *r = &t->recording;
    r->tracks = r->drawings = r->wrenches = r->modes = r->tables = 0;
    r->frames = 0;
    r->time_reached = 0.0;
    r->size = 0.0;
    r->status = "failed";
    make_page("empty", t, NULL, false);
    test_recording_make(t, 1, 4, 41); // one row
    t->recording.frame = broken_frame;
    make_page("broken", t, NULL, false);
}

static void test_pages_in_a_browser(void **state)
{
    (void)state;
    if (system("command -v node >/dev/null && command -v \"${CHROMIUM:-chromium}\" >/dev/null") != 0) {
        if (getenv("TENON_NO_SKIPS")) fail_msg("there is no chromium");
        print_message("skipped: chromium or node is not installed\n");
        skip();
    }
    static test_recording one, other;
    assert_non_null(mkdtemp(folder));
    test_recording_make(&one, 2000, 6, 400);
    test_recording_make(&other, 3777, 6, 300);
    make_page("small", &one, NULL, false);
    make_page("exact", &one, NULL, true);
    make_page("two", &one, &other, false);
    test_recording_make(&one, 1000000, 6, 400);
    make_page("million", &one, NULL, false);
    make_odd_pages(&other);

    char command[512];
    (void)snprintf(command, sizeof command, "node '%s/plugins/writers/report/browser/check.mjs' %s",
                   TENON_SOURCE_DIR, folder);
    const int result = system(command);
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) {
        char path[96];
        (void)snprintf(path, sizeof path, "%s/%s.html", folder, pages[k]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
    assert_int_equal(result, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages_in_a_browser)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

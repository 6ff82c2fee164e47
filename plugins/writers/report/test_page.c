/* test_page.c - pages in a browser: they load without errors, show the values of the rows, zoom, react to keys and addresses, and work
 * without WebGL. Checked by browser/check.mjs, where node and chromium are installed. */
#include "report.h"

#define TEST_WRITER "report"
#include "../test_conversion.h"

/* A sanitized build makes the pages; a browser, which is not sanitized, looks at those of the other one. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static const char *const pages[] = {"small", "exact", "million", "two", "empty", "broken"};

/* A still of 1600 x 900 points. */
static void check_still(const test_conversion *c)
{
    char path[96];
    unsigned char head[24] = {0};
    (void)snprintf(path, sizeof path, "%s/report_1.png", c->folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    (void)fclose(file);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(head + 16, "\0\0\x06\x40\0\0\x03\x84", 8);
    assert_int_equal(unlink(path), 0);
}

/* Makes the page of one or two recordings, and renames it. */
static void make_page(const test_conversion *c, const char *name, const test_recording *other, bool exact)
{
    const double time = 2.5;
    tn_report_settings *settings = c->instance;
    settings->exact = exact;
    settings->png = (tn_list){&time, other ? 1 : 0};
    const tn_recording *const recordings[] = {&c->made.recording, other ? &other->recording : NULL};
    assert_int_equal(c->type->prepare(&c->host.table, settings), TN_OK);
    assert_int_equal(c->conversion->convert(&c->host.table, settings, recordings, other ? 2 : 1, c->folder),
                     TN_OK);
    if (other) check_still(c);
    char from[96], to[96];
    (void)snprintf(from, sizeof from, "%s/report.html", c->folder);
    (void)snprintf(to, sizeof to, "%s/%s.html", c->folder, name);
    assert_int_equal(rename(from, to), 0);
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

/* Pages of a run that failed at its start, with texts only, and of a run with invalid poses. */
static void make_odd_pages(test_conversion *c)
{
    test_recording_make(&c->made, 2, 4, 2);
    tn_recording *r = &c->made.recording;
    r->tracks = r->drawings = r->wrenches = r->modes = r->tables = 0;
    r->frames = 0;
    r->time_reached = 0.0;
    r->size = 0.0;
    r->status = "failed";
    make_page(c, "empty", NULL, false);
    test_recording_make(&c->made, 1, 4, 41); // one row
    c->made.recording.frame = broken_frame;
    make_page(c, "broken", NULL, false);
}

static void test_pages_in_a_browser(void **state)
{
    if (system("command -v node >/dev/null && command -v \"${CHROMIUM:-chromium}\" >/dev/null") != 0) {
        if (getenv("TENON_NO_SKIPS")) fail_msg("there is no chromium");
        print_message("skipped: chromium or node is not installed\n");
        skip();
    }
    static test_recording other;
    test_conversion *c = test_begin(state, 2000, 6, 400);
    test_recording_make(&other, 3777, 6, 300);
    make_page(c, "small", NULL, false);
    make_page(c, "exact", NULL, true);
    make_page(c, "two", &other, false);
    test_recording_make(&c->made, 1000000, 6, 400);
    make_page(c, "million", NULL, false);
    make_odd_pages(c);

    const int result = SANITIZED ? 0 : test_run(c, "node", "browser/check.mjs", "");
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) {
        char path[96];
        (void)snprintf(path, sizeof path, "%s/%s.html", c->folder, pages[k]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(result, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_OF_CONVERSION(test_pages_in_a_browser)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

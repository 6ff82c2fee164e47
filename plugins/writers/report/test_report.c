/* test_report.c - the writer report: codes of numbers, thinning of rows and frames, pages and plots by their settings. Pages in a browser:
 * test_page.c. */
#include "bytes.c"
#include "codec.c"
#include "motion.c"
#include "pack.c"
#include "rows.c"

#define TEST_WRITER "report"
#include "../test_conversion.h"

#include <float.h>

/* ---- decoding -------------------------------------------------------------------------------------------------- */

static uint64_t folded(const unsigned char *planes, size_t count, size_t i, size_t bytes)
{
    uint64_t value = 0;
    for (size_t b = bytes; b-- > 0;)
        value = value << 8 | planes[b * count + i];
    return (value >> 1) ^ (0u - (value & 1));
}

static void unfold(const unsigned char *planes, size_t count, size_t bytes, int64_t *code)
{
    uint64_t before = 0, slope = 0;
    for (size_t i = 0; i < count; i++) {
        slope += folded(planes, count, i, bytes);
        before += slope;
        code[i] = bytes == 2   ? (int16_t)(uint16_t)before
                  : bytes == 4 ? (int32_t)(uint32_t)before
                               : (int64_t)before;
    }
}

enum { CODES = 1000 };

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 29;
}

/* Extremes, noise, and a smooth signal; of 16, 32 and 64 bits. */
static void test_codes_are_decoded(void **state)
{
    (void)state;
    static unsigned char planes[8 * CODES];
    static int64_t wide[CODES], back[CODES];
    static int32_t code[CODES];
    static int16_t narrow[CODES];
    uint64_t bits = 1;
    for (int i = 0; i < CODES; i++) {
        wide[i] = i < 300 ? (int64_t)random_bits(&bits) : (int64_t)(1e9 * sin(0.01 * i));
        if (i == 5) wide[i] = INT64_MAX;
        if (i == 6) wide[i] = INT64_MIN;
        code[i] = (int32_t)(uint32_t)(uint64_t)wide[i];
        if (i == 7) code[i] = INT32_MIN;
        if (i == 8) code[i] = INT32_MAX;
        narrow[i] = (int16_t)(uint16_t)(uint64_t)wide[i];
    }
    for (size_t bytes = 2; bytes <= 8; bytes *= 2) {
        if (bytes == 2)
            tn_code_planes16(narrow, CODES, planes);
        else if (bytes == 4)
            tn_code_planes32(code, CODES, planes);
        else
            tn_code_planes64(wide, CODES, planes);
        unfold(planes, CODES, bytes, back);
        for (int i = 0; i < CODES; i++)
            assert_int_equal(back[i], bytes == 2 ? narrow[i] : bytes == 4 ? code[i] : wide[i]);
    }
}

/* The second differences of a straight line are zero after the first two. */
static void test_straight_lines_are_zeros(void **state)
{
    (void)state;
    static int32_t code[CODES];
    static unsigned char planes[4 * CODES];
    for (int i = 0; i < CODES; i++)
        code[i] = 17 - 12345 * i;
    tn_code_planes32(code, CODES, planes);
    for (size_t b = 0; b < 4; b++)
        for (size_t i = 2; i < CODES; i++)
            assert_int_equal(planes[b * CODES + i], 0);
}

static void test_values_are_exact_to_their_range(void **state)
{
    (void)state;
    const double ranges[][2] = {{-1.0, 1.0},   {1e6, 1e6 + 1e-3}, {-DBL_MAX, DBL_MAX},
                                {0.0, 1e-300}, {3.0, 3.0},        {-1e12, 5.0}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const double low = ranges[k][0], high = ranges[k][1];
        const tn_code_scale scale = tn_scale_of(low, high, false);
        for (int i = 0; i <= 100; i++) {
            const double share = i / 100.0, value = low * (1.0 - share) + high * share;
            const double back = scale.origin + scale.step * tn_code_of(scale, value);
            assert_true(fabs(back - value) <=
                        0x1p-20 * (0.5 * high - 0.5 * low) + 2.0 * DBL_EPSILON * fabs(value));
        }
    }
    const tn_code_scale uneven = tn_scale_of(-0.1, 0.3, false);
    assert_true(uneven.origin + uneven.step * tn_code_of(uneven, 0.0) == 0.0);
    const tn_code_scale whole = tn_scale_of(-5.0, 1e9, true);
    assert_true(whole.origin + whole.step * tn_code_of(whole, 123456789.0) == 123456789.0);
}

static void test_times_are_exact(void **state)
{
    (void)state;
    const double step = tn_time_step(1e4);
    for (int i = 0; i < 100000; i++) {
        const double time = i * 0.1;
        assert_true(fabs(rint(time / step) * step - time) <= 0.5 * step);
        if (time >= 8192.0) assert_true(rint(time / step) * step == time);
    }
    assert_true(step < 2e-12);
}

static void test_base64(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
    for (size_t k = 0; k < 4; k++) { // RFC 4648
        char out[16] = "";
        const size_t length = tn_base64((const unsigned char *)words[k][0], strlen(words[k][0]), out);
        assert_int_equal(length, strlen(words[k][1]));
        assert_string_equal(out, words[k][1]);
    }
}

static void test_packed_bytes_are_unpacked(void **state)
{
    (void)state;
    static unsigned char data[200000], back[200000];
    uint64_t bits = 3;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i < 100000 ? random_bits(&bits) : i / 1000);
    tn_bytes store = {0};
    tn_packed one, other;
    assert_true(tn_pack(&store, data, 10, &one) && tn_pack(&store, data, sizeof data, &other));
    assert_int_equal(other.place, one.bytes);
    z_stream stream = {.next_in = store.at + other.place,
                       .avail_in = (uInt)other.bytes,
                       .next_out = back,
                       .avail_out = sizeof back};
    assert_int_equal(inflateInit2(&stream, -15), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    (void)inflateEnd(&stream);
    assert_memory_equal(data, back, sizeof data);
    tn_bytes_free(&store);
}

static void test_texts_cannot_end_the_script(void **state)
{
    (void)state;
    tn_bytes json = {0};
    tn_put_text(&json, "a </script> \"q\" \\ \n \x01 \xc3\xa4");
    tn_bytes_add(&json, "", 1);
    assert_string_equal((const char *)json.at,
                        "\"a \\u003c/script> \\u0022q\\u0022 \\u005c \\u000a \\u0001 \xc3\xa4\"");
    tn_bytes_free(&json);
}

static void test_stars_in_names(void **state)
{
    (void)state;
    const char *const text[] = {"wheel.*", "*.x", "a*b*c", "q?"};
    const tn_texts patterns = {text, 4};
    assert_true(tn_matches(&patterns, "wheel.front") && tn_matches(&patterns, "body.position.x"));
    assert_true(tn_matches(&patterns, "aXbYbc") && tn_matches(&patterns, "abc"));
    assert_false(tn_matches(&patterns, "wheel") || tn_matches(&patterns, "x") ||
                 tn_matches(&patterns, "abcd"));
    assert_true(tn_matches(&patterns, "q1") && !tn_matches(&patterns, "q") && !tn_matches(&patterns, "q12"));
}

/* ---- thinning ------------------------------------------------------------------------------------------------------ */

/* The spike of a single row remains, and times ascend. */
static void test_thinned_rows_keep_their_peaks(void **state)
{
    (void)state;
    static test_recording t;
    const uint64_t thins[] = {2, 3, 7, 1000, 70000};
    test_recording_make(&t, 100001, 6, 10);
    for (size_t k = 0; k < 5; k++) {
        tn_row_reader reader;
        uint64_t rows = 0;
        double peak = 0.0, before = -1.0, least = HUGE_VAL;
        assert_int_equal(tn_rows_begin(&reader, &t.recording, 0, thins[k]), TN_OK);
        do {
            assert_int_equal(tn_rows_next(&reader), TN_OK);
            for (uint64_t r = 0; r < reader.count; r++) {
                assert_true(reader.value[6 * r] > before);
                before = reader.value[6 * r];
                peak = fmax(peak, reader.value[6 * r + 1]);
                least = fmin(least, reader.value[6 * r + 3]);
            }
            rows += reader.count;
        } while (reader.count > 0);
        tn_rows_end(&reader);
        assert_int_equal(rows, tn_rows_kept(100001, thins[k]));
        assert_true(peak == 1.0 && least == 0.0);
    }
}

static void check_between(const tn_recording *recording, const tn_motion *motion, const double *tolerance)
{
    double pose[3][7 * TEST_TRACKS], time[3];
    for (uint64_t f = 0, k = 0; f < recording->frames; f++) {
        while (k + 2 < motion->count && motion->frame[k + 1] < f)
            k++;
        const uint64_t frame[3] = {motion->frame[k], f, motion->frame[k + 1]};
        for (int i = 0; i < 3; i++)
            assert_int_equal(recording->frame(recording, frame[i], 1, time + i, pose[i], NULL), TN_OK);
        for (size_t track = 0; track < TEST_TRACKS; track++)
            assert_true(is_between(pose[0] + 7 * track, pose[2] + 7 * track,
                                   (time[1] - time[0]) / (time[2] - time[0]), pose[1] + 7 * track,
                                   tolerance[0] * 1.001 + 1e-12, tolerance[1] * 1.001 + 1e-9));
    }
}

static void test_frames_are_within_their_tolerance(void **state)
{
    (void)state;
    static test_recording t;
    tn_motion motion;
    test_recording_make(&t, 100, 4, 30001);
    assert_int_equal(tn_choose_frames(&t.recording, 0, 1e-3, &motion), TN_OK);
    assert_true(motion.count >= 600 && motion.count <= 2000);
    assert_int_equal(motion.frame[0], 0);
    assert_int_equal(motion.frame[motion.count - 1], 30000);
    assert_true(motion.tolerance[0] >= 1e-3 * t.recording.size);
    // only every fourth frame was compared at most; the motion in between is small
    const double tolerance[2] = {motion.tolerance[0], motion.tolerance[1] + 20.0 * t.frame_step};
    check_between(&t.recording, &motion, tolerance);
    free(motion.frame);

    test_recording_make(&t, 100, 4, 500); // few: all of them
    assert_int_equal(tn_choose_frames(&t.recording, 0, 1e-3, &motion), TN_OK);
    assert_int_equal(motion.count, 500);
    assert_true(motion.tolerance[0] == 0.0);
    free(motion.frame);
    assert_int_equal(tn_choose_frames(&t.recording, 40, 1e-3, &motion), TN_OK);
    assert_true(motion.count <= 40 && motion.count > 10);
    assert_int_equal(motion.frame[motion.count - 1], 499);
    free(motion.frame);
}

/* ---- files --------------------------------------------------------------------------------------------------------- */

/* The whole file, which is removed. */
static char *read_result(const test_conversion *c, const char *name, size_t *size)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", c->folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(1, *size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *size, file), *size);
    (void)fclose(file);
    assert_int_equal(unlink(path), 0);
    return text;
}

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}

static void test_page_and_plots(void **state)
{
    test_conversion *c = test_begin(state, 5000, 6, 100);
    const char *const svg[] = {"gap", "wave*"};
    tn_report_settings *settings = c->instance;
    settings->svg = (tn_texts){svg, 2};
    const tn_recording *recordings[2] = {&c->made.recording, &c->made.recording};
    assert_int_equal(c->type->prepare(&c->host.table, settings), TN_OK);
    assert_int_equal(c->conversion->convert(&c->host.table, settings, recordings, 2, c->folder), TN_OK);
    size_t size;
    char *text = read_result(c, "report.html", &size);
    assert_non_null(strstr(text, "<title>pendulum &lt;test></title>"));
    assert_int_equal(count_of(text, "</script>"), 3); // head, one block, program
    assert_null(strstr(text, "http-equiv=\"refresh\""));
    assert_int_equal(count_of(text, "<link"), 0);
    assert_int_equal(count_of(text, "src=\"http"), 0);
    free(text);
    text = read_result(c, "report_1_gap.svg", &size);
    assert_non_null(strstr(text, "gap [m]"));
    assert_int_equal(count_of(text, "<path class=\"curve\""), 4); // two curves, two of the legend
    free(text);
    free(read_result(c, "report_2_wave_.svg", &size));
    assert_int_equal(test_empty(c), 0); // no other file
}

static void test_too_large_page_is_thinned(void **state)
{
    test_conversion *c = test_begin(state, 400000, 8, 3000);
    tn_report_settings *settings = c->instance;
    settings->tolerance = 1e-6;
    settings->max_size = "2 MB";
    settings->exact = 1;
    assert_int_equal(c->type->prepare(&c->host.table, settings), TN_OK);
    test_converts(c, "the page has 1 row of ");
    assert_non_null(strstr(c->host.message, " frames in place of "));
    size_t size;
    char *text = read_result(c, "report.html", &size);
    assert_true(size <= 2000000 && size > 1200000);
    assert_non_null(strstr(text, "\"rows\":400000,\"kept\":"));
    assert_null(strstr(text, "\"thin\":1,"));
    free(text);
    assert_int_equal(test_empty(c), 0);
}

static void test_wrong_settings_are_refused(void **state)
{
    test_conversion *c = *state;
    static const char *const wrong[] = {"50", "many MB", "-1 MB", "1 kB", "5 MBs", "inf MB"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ((tn_report_settings *)c->instance)->max_size = wrong[k];
        assert_int_equal(c->type->prepare(&c->host.table, c->instance), TN_INVALID);
        assert_string_equal(c->host.parameter, "max_size");
    }
}

static test_conversion *begin_small(void **state)
{
    test_conversion *c = test_begin(state, 100, 4, 10);
    assert_int_equal(c->type->prepare(&c->host.table, c->instance), TN_OK);
    return c;
}

static void test_folder_that_does_not_exist_is_reported(void **state)
{
    test_conversion *c = begin_small(state);
    const tn_recording *recording = &c->made.recording;
    assert_int_equal(c->conversion->convert(&c->host.table, c->instance, &recording, 1, "/nonexistent"),
                     TN_FATAL);
    assert_non_null(strstr(c->host.message, "cannot create /nonexistent/report.html: No such file"));
}

static void test_full_disks_are_reported(void **state) { test_full_disks(begin_small(state), 10); }

static void test_missing_mesh_is_reported(void **state)
{
    test_conversion *c = begin_small(state);
    c->made.drawing[0].drawing.shape.kind = TN_MESH;
    c->made.drawing[0].drawing.shape.mesh = "/nonexistent/arm.stl";
    test_converts(
        c, "the mesh of `arm` cannot be read: /nonexistent/arm.stl: it cannot be opened: No such file");
}

/* The page gets the triangles that the kit reads, and no file. */
static void test_triangles_of_meshes_are_part_of_the_page(void **state)
{
    test_conversion *c = begin_small(state);
    char path[128];
    (void)snprintf(path, sizeof path, "%s/report_mesh.obj", c->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", file) > 0);
    assert_int_equal(fclose(file), 0);
    c->made.drawing[0].drawing.shape.kind = TN_MESH;
    c->made.drawing[0].drawing.shape.mesh = path;
    test_converts(c, NULL);
    size_t size;
    char *page = read_result(c, "report.html", &size);
    assert_non_null(strstr(page, "\"triangles\":{\"count\":4,"));
    free(page);
}

static void test_frames_that_are_not_finite_are_left_out(void **state)
{
    test_conversion *c = test_begin(state, 100, 4, 102);
    assert_int_equal(c->type->prepare(&c->host.table, c->instance), TN_OK);
    c->made.recording.frame = test_broken_frame;
    test_converts(c, "34 of 102 frames are left out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes_are_decoded),
        cmocka_unit_test(test_straight_lines_are_zeros),
        cmocka_unit_test(test_values_are_exact_to_their_range),
        cmocka_unit_test(test_times_are_exact),
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_packed_bytes_are_unpacked),
        cmocka_unit_test(test_texts_cannot_end_the_script),
        cmocka_unit_test(test_stars_in_names),
        cmocka_unit_test(test_thinned_rows_keep_their_peaks),
        cmocka_unit_test(test_frames_are_within_their_tolerance),
        TEST_OF_CONVERSION(test_page_and_plots),
        TEST_OF_CONVERSION(test_too_large_page_is_thinned),
        TEST_OF_CONVERSION(test_wrong_settings_are_refused),
        TEST_OF_CONVERSION(test_folder_that_does_not_exist_is_reported),
        TEST_OF_CONVERSION(test_full_disks_are_reported),
        TEST_OF_CONVERSION(test_missing_mesh_is_reported),
        TEST_OF_CONVERSION(test_triangles_of_meshes_are_part_of_the_page),
        TEST_OF_CONVERSION(test_frames_that_are_not_finite_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

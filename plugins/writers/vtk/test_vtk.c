/* test_vtk.c - frames of the writer vtk, read by VTK: number, arrays, surfaces; few frames, invalid frames, full disks */
#define TEST_WRITER "vtk"
#include "../test_conversion.h"

enum { FRAMES = 101 };

static void check_frames(const test_conversion *c, int frames, int surfaces, const char *names)
{
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "%d %d %s", frames, surfaces, names);
    test_check(c, "python3", "check_frames.py", arguments);
}

static void test_frames_are_those_of_the_recording(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
    test_converts(c, NULL);
    check_frames(c, FRAMES, 1, "");
    assert_int_equal(test_empty(c), 2 * FRAMES + 1);
    test_set(c, "surfaces", 0);
    test_converts(c, NULL);
    check_frames(c, FRAMES, 0, "");
    assert_int_equal(test_empty(c), FRAMES + 1);
}

static void test_frames_at_even_times(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 100001);
    test_set(c, "rate", 2.5);
    test_converts(c, NULL);
    check_frames(c, 26, 1, "");
    (void)test_empty(c);
    test_set(c, "most_frames", 11);
    test_converts(c, "there would be 26 frames, more than `most_frames`: 11");
    check_frames(c, 11, 1, "");
}

static void test_names_are_kept(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 3);
    test_odd_names(&c->made);
    test_converts(c, NULL);
    check_frames(c, 3, 1, "\"a/b \\\"quoted\\\" <&> 'x'\" B\xc3\xa4r.\xe8\xbb\x8a \"line\nbreak\\\\.]]>\"");
}

static void test_torques_are_about_the_origin_of_the_body(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 3);
    c->made.wrench[0].place = test_recording_place(1, 0.0, 2.0, 0.0);
    test_converts(c, NULL);
    test_check(c, "python3", "check_torque.py", "");
}

static void test_few_frames(void **state)
{
    for (uint64_t frames = 0; frames < 3; frames++) {
        test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
        const char *message = frames > 0 ? NULL : "there is no frame";
        c->made.recording.frames = frames;
        test_converts(c, message);
        check_frames(c, (int)frames, 1, "");
        (void)test_empty(c);
        c->made.recording.drawings = 0;
        test_converts(c, message);
        assert_int_equal(test_empty(c), 2 * frames + 1);
    }
}

static void test_frames_that_are_not_finite_are_left_out(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 102);
    c->made.recording.frame = test_broken_frame;
    test_converts(c, "34 of 102 frames are left out");
    check_frames(c, 68, 1, "");
}

static void test_forces_that_are_not_recorded_are_reported(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
    c->made.recording.frame = test_lost_forces;
    test_converts(c, "vtk: forces of 1 of 101 frames, the first at 10 s, are not finite or not recorded");
    check_frames(c, FRAMES, 1, "");
}

static void test_missing_mesh_is_reported(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 11);
    test_recording_shape(&c->made, 0, TN_MESH, 2.0, 1.0, -1.0);
    c->made.drawing[0].drawing.shape.mesh = "/nonexistent/arm.stl";
    test_converts(c, "/nonexistent/arm.stl: it cannot be opened: No such file");
}

static void test_full_disks_are_reported(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 11);
    test_full_disks(c, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_OF_CONVERSION(test_frames_are_those_of_the_recording),
        TEST_OF_CONVERSION(test_frames_at_even_times),
        TEST_OF_CONVERSION(test_names_are_kept),
        TEST_OF_CONVERSION(test_torques_are_about_the_origin_of_the_body),
        TEST_OF_CONVERSION(test_few_frames),
        TEST_OF_CONVERSION(test_frames_that_are_not_finite_are_left_out),
        TEST_OF_CONVERSION(test_forces_that_are_not_recorded_are_reported),
        TEST_OF_CONVERSION(test_missing_mesh_is_reported),
        TEST_OF_CONVERSION(test_full_disks_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

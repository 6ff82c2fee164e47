/* test_vtk.c - frames as VTK reads them: number, arrays, surfaces; few frames; broken ones; full disks */
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
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "vtk");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, FRAMES);
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_string_equal(c.host.message, "");
    check_frames(&c, FRAMES, 1, "");
    assert_int_equal(test_empty(&c), 2 * FRAMES + 1);
    test_set(&c, "surfaces", 0);
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    check_frames(&c, FRAMES, 0, "");
    assert_int_equal(test_empty(&c), FRAMES + 1);
    test_conversion_end(&c);
}

static void test_frames_at_even_times(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "vtk");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, 100001);
    test_set(&c, "rate", 2.5);
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_string_equal(c.host.message, "");
    check_frames(&c, 26, 1, "");
    (void)test_empty(&c);
    test_set(&c, "most_frames", 11);
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_non_null(strstr(c.host.message, "26 frames are wanted, more than `most_frames`: 11"));
    check_frames(&c, 11, 1, "");
    test_conversion_end(&c);
}

static void test_names_are_kept(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "vtk");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, 3);
    test_odd_names(&t);
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    check_frames(&c, 3, 1, "\"a/b \\\"quoted\\\" <&> 'x'\" B\xc3\xa4r.\xe8\xbb\x8a \"line\nbreak\\\\.]]>\"");
    test_conversion_end(&c);
}

static void test_torques_are_about_the_origin_of_the_body(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "vtk");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, 3);
    t.wrench[0].place = test_recording_place(1, 0.0, 2.0, 0.0);
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    test_check(&c, "python3", "check_torque.py", "");
    test_conversion_end(&c);
}

static void test_few_frames(void **state)
{
    (void)state;
    for (uint64_t frames = 0; frames < 3; frames++) {
        test_recording t;
        test_conversion c;
        test_conversion_begin(&c, "vtk");
        test_recording_make(&t, 11, TEST_FIRST_COLUMNS, FRAMES);
        t.recording.frames = frames;
        assert_int_equal(test_convert(&c, &t.recording), TN_OK);
        assert_true(!strstr(c.host.message, "there is no frame") == (frames > 0));
        check_frames(&c, (int)frames, 1, "");
        (void)test_empty(&c);
        t.recording.drawings = 0;
        assert_int_equal(test_convert(&c, &t.recording), TN_OK);
        assert_int_equal(test_empty(&c), 2 * frames + 1);
        test_conversion_end(&c);
    }
}

static void test_frames_that_are_not_finite_are_left_out(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "vtk");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, 102);
    t.recording.frame = test_broken_frame;
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_non_null(strstr(c.host.message, "34 of 102 frames are left out"));
    check_frames(&c, 68, 1, "");
    test_conversion_end(&c);
}

static void test_missing_mesh_is_told(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "vtk");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, 11);
    test_recording_shape(&t, 0, TN_MESH, 2.0, 1.0, -1.0);
    t.drawing[0].drawing.shape.mesh = "/nonexistent/arm.stl";
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_non_null(strstr(c.host.message, "/nonexistent/arm.stl: it cannot be opened: No such file"));
    test_conversion_end(&c);
}

static void test_full_disks_are_reported(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "vtk");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, 11);
    test_full_disks(&c, &t.recording, 30);
    test_conversion_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_those_of_the_recording),
        cmocka_unit_test(test_frames_at_even_times),
        cmocka_unit_test(test_names_are_kept),
        cmocka_unit_test(test_torques_are_about_the_origin_of_the_body),
        cmocka_unit_test(test_few_frames),
        cmocka_unit_test(test_frames_that_are_not_finite_are_left_out),
        cmocka_unit_test(test_missing_mesh_is_told),
        cmocka_unit_test(test_full_disks_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

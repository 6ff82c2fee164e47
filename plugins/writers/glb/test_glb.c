/* test_glb.c - scenes as other programs read them: motion, drawings, names; few frames; broken ones; full disks */
#include "../test_conversion.h"

enum { FRAMES = 101 };

static void check_motion(const test_conversion *c, int frames)
{
    char count[16];
    (void)snprintf(count, sizeof count, "%d", frames);
    test_check(c, "python3", "check_motion.py", count);
}

static void validate(const test_conversion *c)
{
    test_check(c, "bash", "validate.sh", TENON_PLUGINS "/../tests");
}

static void test_scene_is_that_of_the_recording(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "glb");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, FRAMES);
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_string_equal(c.host.message, "");
    check_motion(&c, FRAMES);
    validate(&c);
    test_conversion_end(&c);
}

static void test_frames_at_even_times(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "glb");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, 20001);
    test_set(&c, "rate", 20.0);
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_string_equal(c.host.message, "");
    check_motion(&c, 201);
    assert_int_equal(test_empty(&c), 1);

    test_set(&c, "rate", (double)NAN);
    test_set(&c, "most_frames", 401);
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_non_null(strstr(c.host.message, "20001 frames are wanted, more than `most_frames`: 401"));
    check_motion(&c, 401);
    test_conversion_end(&c);
}

static void test_all_kinds_of_drawings(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    tn_recorded_drawing drawing[TN_DRAWN_FRAME + 8];
    test_conversion_begin(&c, "glb");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, FRAMES);
    for (uint32_t k = 0; k < sizeof drawing / sizeof *drawing; k++) {
        drawing[k] = t.drawing[k > TN_DRAWN_FRAME + 1 ? 0 : 3];
        drawing[k].drawing.kind = k;
        if (k > TN_DRAWN_FRAME + 1) { /* shapes but for meshes; one is of a later kind */
            drawing[k].drawing.kind = TN_DRAWN_SHAPE;
            drawing[k].drawing.shape.kind = k - TN_DRAWN_FRAME - 2;
            drawing[k].drawing.shape.color[3] = 0.3;
        } else {
            memset(drawing[k].drawing.size, 0, sizeof drawing[k].drawing.size);
        }
    }
    drawing[TN_DRAWN_LINE].place[1] = drawing[TN_DRAWN_LINE].place[0]; /* no length */
    t.recording.drawing = drawing;
    t.recording.drawings = sizeof drawing / sizeof *drawing;
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    validate(&c);
    test_conversion_end(&c);
}

static void test_names_are_quoted(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "glb");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, FRAMES);
    test_odd_names(&t);
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    validate(&c);
    test_check(&c, "python3", "check_names.py", "");
    test_conversion_end(&c);
}

/* Of a model without bodies. */
static tn_status only_times(TN_UNUSED const tn_recording *recording, uint64_t first, uint64_t count,
                            double *time, TN_UNUSED double *pose, TN_UNUSED double *wrench)
{
    for (uint64_t f = 0; time && f < count; f++)
        time[f] = (double)(first + f);
    return TN_OK;
}

static void test_few_frames(void **state)
{
    (void)state;
    for (uint64_t frames = 0; frames < 3; frames++) {
        test_recording t;
        test_conversion c;
        test_conversion_begin(&c, "glb");
        test_recording_make(&t, 11, TEST_FIRST_COLUMNS, FRAMES);
        t.recording.frames = frames;
        assert_int_equal(test_convert(&c, &t.recording), TN_OK);
        assert_true(!strstr(c.host.message, "there is no frame") == (frames > 0));
        validate(&c);
        t.recording.tracks = t.recording.drawings = t.recording.wrenches = 0;
        t.recording.frame = only_times;
        (void)test_empty(&c);
        assert_int_equal(test_convert(&c, &t.recording), TN_OK);
        validate(&c);
        test_conversion_end(&c);
    }
}

static void test_frames_that_are_not_finite_are_left_out(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "glb");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, 102);
    t.recording.frame = test_broken_frame;
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_non_null(strstr(c.host.message, "34 of 102 frames are left out, the first at 0.0990099 s"));
    check_motion(&c, 68);
    validate(&c);
    test_conversion_end(&c);
}

static void test_meshes_come_from_their_files(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    char path[128];
    test_conversion_begin(&c, "glb");
    (void)snprintf(path, sizeof path, "%s/scene_mesh.obj", c.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", file) > 0);
    assert_int_equal(fclose(file), 0);
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, FRAMES);
    test_recording_shape(&t, 0, TN_MESH, 2.0, 1.0, -1.0);
    t.drawing[0].drawing.shape.mesh = path;
    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_string_equal(c.host.message, "");
    validate(&c);
    test_check(&c, "python3", "check_mesh.py", "");
    (void)test_empty(&c);

    assert_int_equal(test_convert(&c, &t.recording), TN_OK);
    assert_non_null(strstr(c.host.message, "scene_mesh.obj: it cannot be opened: No such file"));
    validate(&c);
    test_conversion_end(&c);
}

static void test_a_thousand_bodies(void **state)
{
    (void)state;
    test_crowd crowd;
    test_conversion c;
    test_conversion_begin(&c, "glb");
    test_crowd_make(&crowd, 1000, 30);
    assert_int_equal(test_convert(&c, &crowd.recording), TN_OK);
    validate(&c);
    test_crowd_free(&crowd);
    test_conversion_end(&c);
}

static void test_full_disks_are_reported(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "glb");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, FRAMES);
    test_full_disks(&c, &t.recording, 50);
    test_conversion_end(&c);
}

static tn_status failing_frame(const tn_recording *recording, uint64_t first, uint64_t count, double *time,
                               double *pose, double *wrench)
{
    const tn_status status = test_recording_frame(recording, first, count, time, pose, wrench);
    return first + count > 50 ? TN_FATAL : status;
}

static void test_recordings_that_cannot_be_read(void **state)
{
    (void)state;
    test_recording t;
    test_conversion c;
    test_conversion_begin(&c, "glb");
    test_recording_make(&t, 11, TEST_FIRST_COLUMNS, FRAMES);
    t.recording.frame = failing_frame;
    assert_int_equal(test_convert(&c, &t.recording), TN_FATAL);
    test_conversion_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scene_is_that_of_the_recording),
        cmocka_unit_test(test_frames_at_even_times),
        cmocka_unit_test(test_all_kinds_of_drawings),
        cmocka_unit_test(test_names_are_quoted),
        cmocka_unit_test(test_few_frames),
        cmocka_unit_test(test_frames_that_are_not_finite_are_left_out),
        cmocka_unit_test(test_meshes_come_from_their_files),
        cmocka_unit_test(test_a_thousand_bodies),
        cmocka_unit_test(test_full_disks_are_reported),
        cmocka_unit_test(test_recordings_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

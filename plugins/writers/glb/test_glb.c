/* test_glb.c - scenes of the writer glb, read by other programs: motion, drawings, names; few frames, invalid frames, full disks */
#define TEST_WRITER "glb"
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

/* test_check() makes a failure of it where tests may not be left out. */
static void test_a_validator_that_is_not_there_is_no_success(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
    test_converts(c, NULL);
    assert_int_equal(test_run(c, "PATH= /bin/bash", "validate.sh", TENON_PLUGINS "/../tests"), 77);
}

static void test_scene_is_that_of_the_recording(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
    test_converts(c, NULL);
    check_motion(c, FRAMES);
    validate(c);
}

static void test_frames_at_even_times(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 20001);
    test_set(c, "rate", 20.0);
    test_converts(c, NULL);
    check_motion(c, 201);
    assert_int_equal(test_empty(c), 1);

    test_set(c, "rate", (double)NAN);
    test_set(c, "most_frames", 401);
    test_converts(c, "there would be 20001 frames, more than `most_frames`: 401");
    check_motion(c, 401);
}

static void test_all_kinds_of_drawings(void **state)
{
    tn_recorded_drawing drawing[TN_DRAWN_ARROW + 8];
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
    for (uint32_t k = 0; k < sizeof drawing / sizeof *drawing; k++) {
        drawing[k] = c->made.drawing[k > TN_DRAWN_ARROW + 1 ? 0 : 3];
        drawing[k].drawing.kind = k;
        if (k > TN_DRAWN_ARROW + 1) { /* all shapes but meshes, and one of a later version */
            drawing[k].drawing.kind = TN_DRAWN_SHAPE;
            drawing[k].drawing.shape.kind = k - TN_DRAWN_ARROW - 2;
            drawing[k].drawing.shape.color[3] = 0.3;
        } else {
            memset(drawing[k].drawing.size, 0, sizeof drawing[k].drawing.size);
        }
    }
    drawing[TN_DRAWN_LINE].place[1] = drawing[TN_DRAWN_LINE].place[0]; /* no length */
    c->made.recording.drawing = drawing;
    c->made.recording.drawings = sizeof drawing / sizeof *drawing;
    test_converts(c, NULL);
    validate(c);
}

static void test_names_are_quoted(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
    test_odd_names(&c->made);
    test_converts(c, NULL);
    validate(c);
    test_check(c, "python3", "check_names.py", "");
}

/* Frames of a model without bodies. */
static tn_status only_times(TN_UNUSED const tn_recording *recording, uint64_t first, uint64_t count,
                            double *time, TN_UNUSED double *pose, TN_UNUSED double *wrench)
{
    for (uint64_t f = 0; time && f < count; f++)
        time[f] = (double)(first + f);
    return TN_OK;
}

static void test_few_frames(void **state)
{
    for (uint64_t frames = 0; frames < 3; frames++) {
        test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
        const char *message = frames > 0 ? NULL : "there is no frame";
        c->made.recording.frames = frames;
        test_converts(c, message);
        validate(c);
        c->made.recording.tracks = c->made.recording.drawings = c->made.recording.wrenches = 0;
        c->made.recording.frame = only_times;
        (void)test_empty(c);
        test_converts(c, NULL);
        validate(c);
        (void)test_empty(c);
    }
}

static void test_frames_that_are_not_finite_are_left_out(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, 102);
    c->made.recording.frame = test_broken_frame;
    test_converts(c, "34 of 102 frames are left out, the first at 0.0990099 s");
    check_motion(c, 68);
    validate(c);
}

static void test_frames_without_forces_are_kept(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
    c->made.recording.frame = test_lost_forces;
    test_converts(c, NULL);
    check_motion(c, FRAMES);
    validate(c);
}

static void test_meshes_come_from_their_files(void **state)
{
    char path[128];
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
    (void)snprintf(path, sizeof path, "%s/scene_mesh.obj", c->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", file) > 0);
    assert_int_equal(fclose(file), 0);
    test_recording_shape(&c->made, 0, TN_MESH, 2.0, 1.0, -1.0);
    c->made.drawing[0].drawing.shape.mesh = path;
    test_converts(c, NULL);
    validate(c);
    test_check(c, "python3", "check_mesh.py", "");
    (void)test_empty(c);

    test_converts(c, "scene_mesh.obj: it cannot be opened: No such file");
    validate(c);
}

static void test_a_thousand_bodies(void **state)
{
    test_conversion *c = *state;
    test_crowd crowd;
    test_crowd_make(&crowd, 1000, 30);
    assert_int_equal(test_convert(c, &crowd.recording), TN_OK);
    validate(c);
    test_crowd_free(&crowd);
}

static void test_full_disks_are_reported(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
    test_full_disks(c, 50);
}

static tn_status failing_frame(const tn_recording *recording, uint64_t first, uint64_t count, double *time,
                               double *pose, double *wrench)
{
    const tn_status status = test_recording_frame(recording, first, count, time, pose, wrench);
    return first + count > 50 ? TN_FATAL : status;
}

static void test_recordings_that_cannot_be_read(void **state)
{
    test_conversion *c = test_begin(state, 11, TEST_FIRST_COLUMNS, FRAMES);
    c->made.recording.frame = failing_frame;
    assert_int_equal(test_convert(c, &c->made.recording), TN_FATAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_OF_CONVERSION(test_a_validator_that_is_not_there_is_no_success),
        TEST_OF_CONVERSION(test_scene_is_that_of_the_recording),
        TEST_OF_CONVERSION(test_frames_at_even_times),
        TEST_OF_CONVERSION(test_all_kinds_of_drawings),
        TEST_OF_CONVERSION(test_names_are_quoted),
        TEST_OF_CONVERSION(test_few_frames),
        TEST_OF_CONVERSION(test_frames_that_are_not_finite_are_left_out),
        TEST_OF_CONVERSION(test_frames_without_forces_are_kept),
        TEST_OF_CONVERSION(test_meshes_come_from_their_files),
        TEST_OF_CONVERSION(test_a_thousand_bodies),
        TEST_OF_CONVERSION(test_full_disks_are_reported),
        TEST_OF_CONVERSION(test_recordings_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

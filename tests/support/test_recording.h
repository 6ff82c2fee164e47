/* test_recording.h - a synthetic recording for tests of converting writers: a rotating arm, a bob, a fast wheel; smooth columns, one with
 * a spike, one with missing values */
#ifndef TENON_TEST_RECORDING_H
#define TENON_TEST_RECORDING_H

#include "tenon/draft/recording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEST_TRACKS = 3, TEST_WRENCHES = 1, TEST_FIRST_COLUMNS = 4 };

typedef struct test_recording {
    tn_recording recording;
    tn_recorded_track track[TEST_TRACKS];
    tn_recorded_drawing drawing[5];
    tn_recorded_wrench wrench[TEST_WRENCHES];
    tn_recorded_table table;
    tn_recorded_column column[64];
    char name[64][32];
    tn_recorded_event event[2];
    tn_recorded_mode mode;
    double displacement[TEST_TRACKS][6][2];
    double row_step, frame_step; /* s */
} test_recording;

/* Columns: time; "spike", 1 in the middle row and else 0; "gap", NaN in its second half; "count", the number of the row; then smooth
 * ones. */
static double test_recording_value(const test_recording *t, uint64_t row, uint32_t column)
{
    const double time = (double)row * t->row_step;
    switch (column) {
    case 0:
        return time;
    case 1:
        return row == t->table.rows / 2 ? 1.0 : 0.0;
    case 2:
        return row < t->table.rows / 2 ? sin(time) : (double)NAN;
    case 3:
        return (double)row;
    default:
        return (1.0 + column) * sin((0.3 * column) * time) + cos(0.1 * time);
    }
}

static tn_status test_recording_rows(const tn_recording *recording, uint32_t table, uint64_t first,
                                     uint64_t count, double *value)
{
    const test_recording *t = recording->self;
    if (table > 0 || first + count > t->table.rows) return TN_INVALID;
    for (uint64_t r = 0; r < count; r++)
        for (uint32_t c = 0; c < t->table.columns; c++)
            *value++ = test_recording_value(t, first + r, c);
    return TN_OK;
}

/* The arm turns about y at 1 rad/s around the origin; the bob hangs below and swings; the wheel rolls along x at 20 rad/s. */
static void test_recording_pose(double time, uint32_t track, double *pose)
{
    const double speed[TEST_TRACKS] = {1.0, 0.0, 20.0}, half = 0.5 * speed[track] * time;
    const double position[TEST_TRACKS][3] = {
        {0.5 * cos(time), 0.0, -0.5 * sin(time)}, {0.2 * sin(3.0 * time), 0.0, -1.0}, {2.0 * time, 1.0, 0.1}};
    memcpy(pose, position[track], 3 * sizeof *pose);
    const double quaternion[4] = {cos(half), 0.0, sin(half), 0.0};
    memcpy(pose + 3, quaternion, sizeof quaternion);
}

static tn_status test_recording_frame(const tn_recording *recording, uint64_t first, uint64_t count,
                                      double *time, double *pose, double *wrench)
{
    const test_recording *t = recording->self;
    if (first + count > recording->frames) return TN_INVALID;
    for (uint64_t f = 0; f < count; f++) {
        const double at = (double)(first + f) * t->frame_step;
        if (time) time[f] = at;
        for (uint32_t k = 0; pose && k < TEST_TRACKS; k++)
            test_recording_pose(at, k, pose + 7 * (f * TEST_TRACKS + k));
        const double force[6] = {10.0 * sin(at), 0.0, -9.81, 0.0, 0.0, 0.0};
        if (wrench) memcpy(wrench + 6 * f, force, sizeof force);
    }
    return TN_OK;
}

static inline tn_recorded_place test_recording_place(uint32_t track, double x, double y, double z)
{
    return (tn_recorded_place){.track = track, .position = {x, y, z}, .quaternion = {1.0, 0.0, 0.0, 0.0}};
}

static void test_recording_draw(test_recording *t, uint32_t k, const char *name, uint32_t kind,
                                tn_recorded_place from, tn_recorded_place to)
{
    t->drawing[k] =
        (tn_recorded_drawing){.struct_size = sizeof t->drawing[k], .name = name, .place = {from, to}};
    t->drawing[k].drawing = (tn_drawing){.struct_size = sizeof(tn_drawing),
                                         .kind = kind,
                                         .axis = {0.0, 1.0, 0.0},
                                         .color = {0.2, 0.4, 0.8, 1.0},
                                         .size = {0.05, 0.01, 8.0}};
}

static void test_recording_shape(test_recording *t, uint32_t k, uint32_t kind, double a, double b, double c)
{
    t->drawing[k].drawing.shape = (tn_shape){.struct_size = sizeof(tn_shape),
                                             .kind = kind,
                                             .size = {a, b, c},
                                             .color = {0.8, 0.5, 0.1, 1.0},
                                             .visible = 1};
}

/* Rows and frames over 10 s; `columns` counts time, at least TEST_FIRST_COLUMNS. The recording points into itself. */
static void test_recording_make(test_recording *t, uint64_t rows, uint32_t columns, uint64_t frames)
{
    static const char *const names[TEST_FIRST_COLUMNS] = {"time", "spike", "gap", "count"};
    static const char *const tracks[TEST_TRACKS] = {"arm", "bob", "car.wheel"};
    *t = (test_recording){.row_step = 10.0 / (double)(rows - 1), .frame_step = 10.0 / (double)(frames - 1)};
    for (uint32_t k = 0; k < TEST_TRACKS; k++)
        t->track[k] = (tn_recorded_track){.struct_size = sizeof t->track[k],
                                          .is_body = 1,
                                          .name = tracks[k],
                                          .type = k == 1 ? "mass_point" : "rigid_body",
                                          .has_rotation = k != 1};
    for (uint32_t c = 0; c < columns; c++) {
        (void)snprintf(t->name[c], sizeof t->name[c], c < TEST_FIRST_COLUMNS ? "%s" : "%s%u",
                       c < TEST_FIRST_COLUMNS ? names[c] : "wave", c);
        t->column[c] = (tn_recorded_column){.struct_size = sizeof t->column[c],
                                            .name = t->name[c],
                                            .unit = c == 0 ? "s" : "m",
                                            .sensor = t->name[c],
                                            .subject = c == 0 ? "" : "arm",
                                            .quantity = c == 0 ? "" : "position",
                                            .description = "",
                                            .components = 1};
    }
    const tn_recorded_place origin = test_recording_place(TN_GROUND_TRACK, 0.0, 0.0, 0.0);
    test_recording_draw(t, 0, "arm", TN_DRAWN_SHAPE, test_recording_place(0, 0.0, 0.0, 0.0), origin);
    test_recording_shape(t, 0, TN_BOX, 1.0, 0.1, 0.1);
    test_recording_draw(t, 1, "bob", TN_DRAWN_SHAPE, test_recording_place(1, 0.0, 0.0, 0.0), origin);
    test_recording_shape(t, 1, TN_SPHERE, 0.1, 0.0, 0.0);
    test_recording_draw(t, 2, "car.wheel", TN_DRAWN_DISC, test_recording_place(2, 0.0, 0.0, 0.0), origin);
    test_recording_draw(t, 3, "spring", TN_DRAWN_COIL, test_recording_place(0, 0.5, 0.0, 0.0),
                        test_recording_place(1, 0.0, 0.0, 0.0));
    test_recording_draw(t, 4, "hinge", TN_DRAWN_HINGE, origin, origin);
    t->wrench[0] = (tn_recorded_wrench){.struct_size = sizeof t->wrench[0],
                                        .element = "spring",
                                        .type = "spring_damper",
                                        .place = test_recording_place(1, 0.0, 0.0, 0.0)};
    t->table = (tn_recorded_table){.struct_size = sizeof t->table,
                                   .columns = columns,
                                   .name = "sensors",
                                   .column = t->column,
                                   .rows = rows};
    t->event[0] = (tn_recorded_event){.struct_size = sizeof t->event[0],
                                      .level = TN_WARNING,
                                      .time = (double)NAN,
                                      .element = "",
                                      .text = "a </script> & \"quoted\" warning"};
    t->event[1] = (tn_recorded_event){.struct_size = sizeof t->event[1],
                                      .level = TN_NOTE,
                                      .time = 2.5,
                                      .element = "spring",
                                      .text = "breaks"};
    t->displacement[0][2][0] = 1.0;
    t->displacement[1][0][1] = 0.5;
    t->mode = (tn_recorded_mode){
        .struct_size = sizeof t->mode, .eigenvalue = {-0.1, 6.0}, .displacement = &t->displacement[0][0][0]};
    t->recording = (tn_recording){
        .struct_size = sizeof t->recording,
        .self = t,
        .title = "pendulum <test>",
        .program = "tenon 0.0.0",
        .model_text = "[solver]\ntype = \"rk\" # </script>\n",
        .run_text = "status = \"finished\"\n",
        .status = "finished",
        .time_reached = 10.0,
        .size = 1.5,
        .lower = {-0.5, 0.0, -1.0},
        .upper = {20.0, 1.0, 0.5},
        .tracks = TEST_TRACKS,
        .drawings = 5,
        .wrenches = TEST_WRENCHES,
        .tables = 1,
        .events = 2,
        .modes = 1,
        .track = t->track,
        .drawing = t->drawing,
        .wrench = t->wrench,
        .table = &t->table,
        .event = t->event,
        .mode = &t->mode,
        .frames = frames,
        .length_tolerance = 1e-3,
        .angle_tolerance = 1e-3,
        .rows = test_recording_rows,
        .frame = test_recording_frame,
    };
}

#endif

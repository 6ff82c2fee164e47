/* test_thinning.c - frames of known motions: few, and errors of interpolation within the tolerance */
#include "record/thinning.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 5000 };

/* One body, whose pose a function of time gives. */
typedef struct world {
    tn_motion motion;
    tn_track_source source;
    double pose[12];
    tn_thinning thinning;
    double time[MOST_FRAMES], frame[MOST_FRAMES][12];
    size_t frames;
} world;

typedef void (*law)(double time, double *pose);

static void keep_frame(void *data, double time, const tn_thinning *thinning)
{
    world *w = data;
    assert_true(w->frames < MOST_FRAMES);
    w->time[w->frames] = time;
    memcpy(w->frame[w->frames++], thinning->first.last, sizeof w->pose);
}

static void open_world(world *w, double tolerance)
{
    memset(w, 0, sizeof *w);
    w->source = (tn_track_source){.is_carried = true, .is_frame = true};
    w->motion = (tn_motion){.source = &w->source, .count = 1, .pose = w->pose};
    tn_thinning_begin(&w->thinning, &w->motion, tolerance, tolerance);
    w->thinning.emit = keep_frame;
    w->thinning.data = w;
}

static void turn_about_z(double angle, double *pose)
{
    const double turned[9] = {cos(angle), -sin(angle), 0, sin(angle), cos(angle), 0, 0, 0, 1};
    memcpy(pose + 3, turned, sizeof turned);
}

static void record(world *w, law motion, double end, double step)
{
    for (size_t k = 0; (double)k * step <= end * (1.0 + 1e-12); k++) {
        motion((double)k * step, w->pose);
        (void)tn_thinning_see(&w->thinning, (double)k * step, false);
    }
    (void)tn_thinning_end(&w->thinning);
}

/* The largest errors between frames, at `count` times: of positions and angles, both about z. */
static void find_errors(const world *w, law motion, size_t count, double *length, double *angle)
{
    const double end = w->time[w->frames - 1];
    size_t f = 0;
    *length = *angle = 0.0;
    for (size_t k = 0; k <= count; k++) {
        const double time = end * (double)k / (double)count;
        double pose[12], a[4], b[4], dot = 0.0, square = 0.0;
        motion(time, pose);
        while (f + 2 < w->frames && w->time[f + 1] <= time)
            f++;
        const double *one = w->frame[f], *other = w->frame[f + 1], span = w->time[f + 1] - w->time[f];
        const double share = span > 0.0 ? (time - w->time[f]) / span : 0.0;
        for (int i = 0; i < 3; i++)
            square += pow(one[i] + share * (other[i] - one[i]) - pose[i], 2);
        *length = fmax(*length, sqrt(square));
        tn_quaternion_of(one + 3, a);
        tn_quaternion_of(other + 3, b);
        for (int i = 0; i < 4; i++)
            dot += a[i] * b[i];
        for (int i = 0; i < 4; i++)
            a[i] += share * ((dot < 0.0 ? -b[i] : b[i]) - a[i]);
        const double found = 2.0 * atan2(a[3], a[0]), right = atan2(pose[6], pose[3]);
        *angle = fmax(*angle, fabs(remainder(found - right, 8.0 * atan(1.0))));
    }
}

static void check(law motion, double end, double step, double tolerance, size_t least, size_t most)
{
    world *w = malloc(sizeof *w);
    double length, angle;
    open_world(w, tolerance);
    record(w, motion, end, step);
    find_errors(w, motion, (size_t)(end / step), &length, &angle);
    if (length > tolerance || angle > tolerance)
        fail_msg("errors %g and %g, tolerance %g", length, angle, tolerance);
    if (w->frames < least || w->frames > most) fail_msg("%zu frames, not %zu to %zu", w->frames, least, most);
    free(w);
}

static void rest(double time, double *pose)
{
    (void)time;
    memset(pose, 0, 12 * sizeof *pose);
    turn_about_z(0.0, pose);
}

static void straight(double time, double *pose)
{
    rest(time, pose);
    pose[0] = 3.0 * time;
    pose[1] = 1.0 - time;
}

static void parabola(double time, double *pose)
{
    straight(time, pose);
    pose[2] = 5.0 * time * time;
}

static void kink(double time, double *pose)
{
    straight(time, pose);
    pose[2] = fabs(time - 0.4);
}

static void spin(double time, double *pose)
{
    rest(time, pose);
    turn_about_z(20.0 * time, pose);
}

static void wobble(double time, double *pose)
{
    rest(time, pose);
    pose[0] = sin(7.0 * time);
    pose[1] = 0.3 * cos(31.0 * time);
    turn_about_z(2.0 * sin(9.0 * time) + 3.0 * time, pose);
}

static void straight_motions_have_two_frames(void **state)
{
    (void)state;
    check(rest, 0.9, 1e-3, 1e-3, 2, 2);
    check(straight, 0.9, 1e-3, 1e-3, 2, 2);
}

/* A parabola of 10 m/s^2 leaves its chord by 10 h^2/8; the frames of a spin are limited by the interpolation of quaternions. */
static void curved_motions_have_few_frames(void **state)
{
    (void)state;
    check(parabola, 0.9, 1e-4, 1e-3, 32, 60);
    check(kink, 0.9, 1e-3, 1e-3, 3, 4);
    check(spin, 1.0, 1e-4, 1e-3, 20, 60);
    check(wobble, 3.0, 1e-4, 1e-3, 200, 900);
    check(wobble, 3.0, 1e-4, 1e-2, 60, 300);
    check(wobble, 3.0, 1e-4, 1e-4, 600, 3000);
}

/* Two states at one time, as where a model is changed, are two frames. */
static void jumps_are_two_frames(void **state)
{
    (void)state;
    world *w = malloc(sizeof *w);
    open_world(w, 1e-3);
    for (int k = 0; k < 100; k++) {
        rest(0.0, w->pose);
        w->pose[0] = k < 50 ? 0.0 : 1.0;
        (void)tn_thinning_see(&w->thinning, 0.01 * (k < 50 ? k : k - 1), false);
    }
    (void)tn_thinning_end(&w->thinning);
    assert_int_equal(w->frames, 4);
    assert_true(w->time[1] == w->time[2] && w->frame[1][0] == 0.0 && w->frame[2][0] == 1.0);
    free(w);
}

/* A state that is not finite becomes a frame, and later ones are thinned as before. */
static void states_that_are_not_finite_are_frames(void **state)
{
    (void)state;
    world *w = malloc(sizeof *w);
    open_world(w, 1e-3);
    for (int k = 0; k < 60; k++) {
        straight(0.01 * k, w->pose);
        if (k == 30) w->pose[1] = (double)NAN;
        (void)tn_thinning_see(&w->thinning, 0.01 * k, false);
    }
    (void)tn_thinning_end(&w->thinning);
    size_t none = 0;
    for (size_t k = 0; k < w->frames; k++)
        none += isnan(w->frame[k][1]) ? 1 : 0;
    assert_int_equal(none, 1);
    assert_true(w->frames < 10);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_motions_have_two_frames),
        cmocka_unit_test(curved_motions_have_few_frames),
        cmocka_unit_test(jumps_are_two_frames),
        cmocka_unit_test(states_that_are_not_finite_are_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

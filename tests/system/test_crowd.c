/* test_crowd.c - the motion of a thousand bodies over ten seconds: frames of the log hold their tolerance, a page stays small */
#include "recordings.h"

#include <math.h>
#include <sys/stat.h>

enum { BODIES = 1000, TIMES = 200 };

static const char model[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[repeat]]\nvariable = 'i'\ncount = 10\n[[repeat.repeat]]\nvariable = 'j'\ncount = 100\n"
    "[[repeat.repeat.element]]\nname = 'body_{i}_{j}'\ntype = 'rigid_body'\nmass = 1\n"
    "inertia = [0.02, 0.03, 0.04]\nposition = ['2*i', '2*j', 0]\n"
    "velocity = ['0.3*SIN(i + j)', '0.3*COS(2*i - j)', 0]\nangular_velocity = ['SIN(i)', 'COS(j)', 0.5]\n"
    "[[repeat.repeat.element]]\nname = 'spring_{i}_{j}'\ntype = 'spring_damper'\n"
    "markers = [{ element = 'ground', position = ['2*i', '2*j', 2] }, 'body_{i}_{j}']\n"
    "reference_length = 1.5\nstiffness = 30\ndamping = 0.5\n"
    "[solver]\ntype = 'generalized_alpha'\nend_time = 10\nstep = '5 [ms]'\n";

static const char *run(const char *const *more)
{
    const char *words[32] = {"run", tn_write("model.toml", model), "--quiet", "--out", tn_scratch_path(NULL)};
    for (size_t k = 0; more[k]; k++)
        words[5 + k] = more[k];
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    return words[4];
}

/* All poses at a time, on the way between the frames around it. */
static void find_poses(const tn_recording *recording, double time, double *pose)
{
    static double around[2][7 * BODIES];
    double at[2] = {0.0, 0.0};
    uint64_t next = 1;
    for (; next + 1 < recording->frames; next++) {
        assert_int_equal(recording->frame(recording, next, 1, at, NULL, NULL), TN_OK);
        if (at[0] >= time) break;
    }
    assert_int_equal(recording->frame(recording, next - 1, 2, at, around[0], NULL), TN_OK);
    const double share = (time - at[0]) / (at[1] - at[0]);
    for (size_t k = 0; k < 7 * (size_t)BODIES; k++)
        pose[k] = around[0][k] + share * (around[1][k] - around[0][k]);
}

static double distance_of(const double *pose, const double *right)
{
    return sqrt(pow(pose[0] - right[0], 2) + pow(pose[1] - right[1], 2) + pow(pose[2] - right[2], 2));
}

/* Of quaternions, one of which is of no unit length. */
static double angle_of(const double *pose, const double *right)
{
    double length = 0.0, sum[2] = {0.0, 0.0};
    for (int k = 3; k < 7; k++)
        length += pose[k] * pose[k];
    for (int k = 3; k < 7; k++) {
        sum[0] += pow(pose[k] / sqrt(length) - right[k], 2);
        sum[1] += pow(pose[k] / sqrt(length) + right[k], 2);
    }
    return 4.0 * asin(fmin(1.0, 0.5 * sqrt(fmin(sum[0], sum[1]))));
}

/* The exact poses are those of a run with a frame at each row. */
static void frames_of_a_thousand_bodies_hold_their_tolerance(void **state)
{
    (void)state;
    static double pose[7 * BODIES], right[7 * BODIES];
    const char *results = run(TN_WORDS("--set", "output.interval=10", "--set", "output.writers=[]"));
    tn_recording *recording = tn_record_open(results),
                 *exact =
                     tn_record_open(run(TN_WORDS("--set", "output.frames=rows", "--set",
                                                 "output.interval=0.005", "--set", "output.writers=[]")));
    assert_int_equal(recording->tracks, BODIES);
    assert_int_equal(exact->frames, 2001);
    assert_true(recording->frames < 500);
    tn_random dice = {31};
    double worst = 0.0, worst_angle = 0.0, time;
    for (int k = 0; k < TIMES; k++) {
        const uint64_t row = (uint64_t)tn_draw(&dice, 0.0, 2000.0);
        assert_int_equal(exact->frame(exact, row, 1, &time, right, NULL), TN_OK);
        find_poses(recording, time, pose);
        for (size_t b = 0; b < BODIES; b++) {
            worst = fmax(worst, distance_of(pose + 7 * b, right + 7 * b) / recording->length_tolerance);
            worst_angle =
                fmax(worst_angle, angle_of(pose + 7 * b, right + 7 * b) / recording->angle_tolerance);
        }
    }
    if (worst > 1.0 || worst_angle > 1.0 || fmax(worst, worst_angle) < 0.1)
        fail_msg("errors are %g and %g of the tolerance", worst, worst_angle);
    tn_recording_close(recording);
    tn_recording_close(exact);
}

static void the_page_of_a_thousand_bodies_is_small(void **state)
{
    (void)state;
    struct stat status;
    tn_need_plugin("report");
    const char *results = run(TN_WORDS("--set", "output.interval=0.1", "--set", "output.writers=['report']"));
    assert_int_equal(stat(tn_format("%s/report.html", results), &status), 0);
    if (status.st_size > 6000000) fail_msg("%lld bytes", (long long)status.st_size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_of_a_thousand_bodies_hold_their_tolerance),
                                       cmocka_unit_test(the_page_of_a_thousand_bodies_is_small)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

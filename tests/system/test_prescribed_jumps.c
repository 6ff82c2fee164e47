/* test_prescribed_jumps.c - every solver warns of prescribed displacements that jump, however the model writes them, and not of fast
 * ones */
#include "harness.h"

static const char *const solvers[] = {"type = 'moreau'\nstep = 1e-3",
                                      "type = 'moreau'\nlaw = 'velocity'\nstep = 1e-3",
                                      "type = 'generalized_alpha'\nstep = 1e-3",
                                      "type = 'rk'\nstep = 1e-3",
                                      "type = 'rk'\ntolerance = 1e-6",
                                      "type = 'radau'\ntolerance = 1e-4",
                                      "type = 'kinematic'\nstep = 1e-3"};
enum {
    ALL = sizeof solvers / sizeof *solvers,
    SOLVERS = ALL - 1 /* the last one does not go on behind a jump */
};

#define JUMP "its value jumps by 0.1 "
/* 0.1 within a microsecond */
#define STEEP                                                                                                \
    "[[signal]]\nname = 's'\nx = [0, 0.0503, 0.050301, 1]\ny = [0, 0, 0.1, 0.1]\ninterpolation = 'linear'\n" \
    "outside = 'constant'\n"

#define MODEL(drive) "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n" drive
#define POINT(value)                                                                                        \
    MODEL(                                                                                                  \
        "[[element]]\nname = 'drive'\ntype = 'set_displacement'\nmarkers = 'body'\ndirection = [1, 0, 0]\n" \
        "value = \"" value "\"\n")
#define POINTS(value)                                                                               \
    MODEL("[[element]]\nname = 'drive'\ntype = 'set_displacement'\nmarkers = 'body'\nvalues = [0, " \
          "\"" value "\", 0]\n")
#define HINGE(value)                                                                       \
    MODEL("[[element]]\nname = 'hinge'\ntype = 'revolute'\nmarkers = ['ground', 'body']\n" \
          "[[element]]\nname = 'drive'\ntype = 'motion'\njoint = 'hinge'\nvalue = \"" value "\"\n")

static const char *warnings(const char *model, int s)
{
    const char *file =
        tn_write("jump.toml", tn_format("%s[solver]\n%s\nend_time = 0.1\n", model, solvers[s]));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--out", tn_scratch_path(NULL)));
    if (outcome.status != 0) fail_msg("%s: %s", solvers[s], outcome.errors);
    return outcome.errors;
}

/* How often the errors hold a text. */
static int count_of(const char *errors, const char *text)
{
    int count = 0;
    for (const char *at = strstr(errors, text); at; at = strstr(at + 1, text))
        count++;
    return count;
}

static void test_jumps_are_told_of_once_with_place_time_and_size(void **state)
{
    (void)state;
    static const char *const models[] = {
        POINT("IF(time - 0.0503: 0, 0.1, 0.1)"), POINTS("0.1*(time > 0.0503) + 0.2*(time > 0.08)"),
        STEEP POINT("spline(s, time)"), HINGE("IF(time - 0.0503: 0, 0.1, 0.1)"),
        STEEP HINGE("spline(s, time)")};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (int s = 0; s < SOLVERS; s++) {
            /* adaptive solvers that resolve a steep course follow it */
            if (strstr(models[k], "spline") && strstr(solvers[s], "tolerance")) continue;
            const char *errors = warnings(models[k], s);
            const bool at_end = strstr(errors, "drive: at time 0.051 s: " JUMP),
                       there = strstr(errors, "drive: at time 0.0503");
            if (count_of(errors, JUMP) != 1 || count_of(errors, "its value jumps") != 1 || !(at_end || there))
                fail_msg("%s, model %zu: %s", solvers[s], k, errors);
        }
}

static void test_courses_that_are_fast_or_have_corners_are_not_told_of(void **state)
{
    (void)state;
    static const char *const models[] = {POINT("0.1*SIN(1500*time)"),
                                         POINT("STEP(time, 0.0503, 0, 0.0533, 0.1)"),
                                         POINT("STEP5(time, 0.0503, 0, 0.0533, 0.1)"),
                                         POINT("5*MAX(0, time - 0.0503)"),
                                         POINTS("1 + 1e-3*SIN(time)"),
                                         HINGE("ABS(SIN(40*time))"),
                                         HINGE("2*PI*time")};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (int s = 0; s < (k < 5 ? SOLVERS : ALL); s++) {
            const char *errors = warnings(models[k], s);
            if (strstr(errors, "its value jumps")) fail_msg("%s, model %zu: %s", solvers[s], k, errors);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jumps_are_told_of_once_with_place_time_and_size),
        cmocka_unit_test(test_courses_that_are_fast_or_have_corners_are_not_told_of),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

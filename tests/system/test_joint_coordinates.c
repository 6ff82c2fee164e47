/* test_joint_coordinates.c - coordinates of joints as markers: gears, racks, springs, drives; what acts on one comes back on
 * the bodies of both sides */
#include "models.h"
#include "reference.h"
#include "tangent.h"

#include <math.h>

#define CHANGE(time, element, active) \
    "[[change]]\ntime = " time "\nelement = '" element "'\nactive = " active "\n"
/* What Newton's method leaves in positions stands in reactions divided by h^2. */
#define ACCURATE "newton = { relative_tolerance = 1e-12 }\n"

static const char *const solvers[] = {
    "type = 'generalized_alpha'\nstep = 1e-3\n" ACCURATE,
    "type = 'generalized_alpha'\nstep = 1e-3\nindex = 2\n" ACCURATE,
    "type = 'generalized_alpha'\nstep = 1e-3\nscheme = 'trapezoidal'\n" ACCURATE,
    "type = 'rk'\nstep = 1e-3\n"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

/* A model of tests/system/models, with more in it. */
static const char *model_of(const char *name, const char *more)
{
    return tn_format("%s\n%s", tn_read(tn_format(TENON_SOURCE_DIR "/tests/system/models/%s.toml", name)),
                     more);
}

static const tn_csv_table *run_for(const char *model, const char *end, const char *solver)
{
    return tn_simulate(
        tn_format("%s[output]\ninterval = 0.1\n[solver]\nend_time = %s\n%s", model, end, solver),
        TN_WORDS("--trust"));
}

static void check_value(const tn_csv_table *run, const char *column, double time, double value,
                        double tolerance)
{
    const double error = fabs(tn_value_at(run, column, time) - value);
    if (!(error <= tolerance)) fail_msg("%s misses %.12g by %.3g at %g s", column, value, error, time);
}

/* ---- gears ------------------------------------------------------------------------------------------------- */

static void test_a_gear_between_hinges(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model_of("gear", ""), "4", solvers[s]);
        const double slow = -2.0 * 3.0 / (4.0 * 0.5 + 4.0); /* rad/s^2 */
        for (int k = 0; k <= 4; k++) {
            check_value(run, "slow", k, 0.5 * slow * k * k, 1e-7);
            check_value(run, "fast", k, -slow * k * k, 1e-7); /* 16 rad: some turns */
            check_value(run, "rate", k, slow * k, 1e-7);
            check_value(run, "force", k, 4.0 * slow, 1e-6);
            check_value(run, "reaction", k, 0.5 * 4.0 * slow, 1e-6);
            check_value(run, "bearing.z", k, 0.0, 1e-7); /* what the gear does is not the hinge's */
        }
        assert_true(tn_largest_in(run, "error") <= 1e-9);
    }
}

static void test_rack_and_pinion(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model_of("rack", ""), "2", solvers[s]);
        const double a = 2.0 * 9.81 / (2.0 + 0.3 / 0.0625);
        for (int k = 0; k <= 4; k++) {
            const double t = 0.5 * k, way = 0.5 * a * t * t;
            check_value(run, "way", t, way, 1e-7);
            check_value(run, "p.z", t, -way, 1e-7);
            check_value(run, "angle", t, way / 0.25, 1e-7);
            check_value(run, "torque", t, 0.3 * a / 0.25, 1e-6);
            check_value(run, "force", t, -0.3 * a / 0.0625, 1e-6);
        }
    }
}

/* ---- springs ----------------------------------------------------------------------------------------------- */

static const char by_coordinate[] =
    "[[element]]\nname = 'spring'\ntype = 'coordinate_spring_damper'\n"
    "markers = { element = 'second', coordinate = 'angle' }\nstiffness = 30\ndamping = 0.5\noffset = 0.7\n";
static const char by_frames[] =
    "[[element]]\nname = 'spring'\ntype = 'torsional_spring_damper'\n"
    "markers = ['before', 'behind']\nstiffness = 30\ndamping = 0.5\nreference_angle = 0.7\n";

static void check_same(const tn_csv_table *a, const tn_csv_table *b, const char *const *columns, size_t count,
                       double tolerance)
{
    for (size_t k = 0; k < count; k++)
        for (int row = 0; row <= 20; row++)
            check_value(a, columns[k], 0.1 * row, tn_value_at(b, columns[k], 0.1 * row), tolerance);
}

static void test_a_spring_on_an_angle_is_a_torsional_spring(void **state)
{
    (void)state;
    static const char *const motion[] = {"p.x", "p.y", "p.z", "v.x", "v.y",
                                         "v.z", "w.x", "w.y", "w.z", "angle"},
                             *const reactions[] = {"F.x", "F.y", "F.z", "T.x", "T.y", "T.z"};
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *a = run_for(model_of("arms", by_coordinate), "2", solvers[s]),
                           *b = run_for(model_of("arms", by_frames), "2", solvers[s]);
        check_same(a, b, motion, sizeof motion / sizeof *motion, 2e-7);
        check_same(a, b, reactions, sizeof reactions / sizeof *reactions, s < SOLVERS - 1 ? 2e-4 : 1e-10);
        assert_true(tn_largest_in(a, "angle") > 0.5);
    }
}

#define JOINT(name, type, markers) \
    "[[element]]\nname = '" name "'\ntype = '" type "'\nmarkers = [" markers "]\n"
#define SPRING_ON(name, markers) \
    JOINT(name, "coordinate_spring_damper", markers) "stiffness = 3\ndamping = 0.7\n"
#define OF(joint, coordinate) "{ element = '" joint "', coordinate = '" coordinate "' }"

static const char springs_on_joints[] = GRAVITY BODY_A BODY_B FRAMES JOINT("hinge", "revolute", "'g1', 'a1'")
    JOINT("tube", "cylindrical", "'a2', 'b1'") JOINT("guide", "prismatic", "'b1', 'a1'")
        JOINT("table", "planar", "'g1', 'b1'")
            SPRING_ON("s1", OF("hinge", "angle") ", " OF("tube", "translation"))
                SPRING_ON("s2", OF("tube", "angle"))
                    SPRING_ON("s3", OF("guide", "translation") ", " OF("b", "y"))
                        SPRING_ON("s4", OF("table", "x") ", " OF("table", "angle"));

static void test_the_matrix_is_that_of_differences(void **state)
{
    (void)state;
    tn_check_tangent(springs_on_joints);
}

/* ---- action and reaction ----------------------------------------------------------------------------------- */

static void test_what_acts_on_coordinates_keeps_energy_and_momenta(void **state)
{
    (void)state;
    static const char *const kept[] = {"E", "P.x", "P.y", "P.z", "L.x", "L.y", "L.z"};
    const tn_csv_table *run = run_for(model_of("tumbling", ""), "2", "type = 'rk'\norder = 5\nstep = 1e-3\n");
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        for (int row = 0; row <= 20; row++)
            check_value(run, kept[k], 0.1 * row, tn_value_at(run, kept[k], 0.0), 1e-9);
    assert_true(tn_largest_in(run, "q") > 1.0 && tn_largest_in(run, "u") > 0.1);
    assert_true(tn_largest_in(run, "error") <= 1e-9);
}

static void test_solvers_agree_on_coordinates_of_moving_joints(void **state)
{
    (void)state;
    static const char *const columns[] = {"p.x", "p.y", "p.z", "q", "u"};
    const tn_csv_table *right =
        run_for(model_of("tumbling", ""), "2", "type = 'rk'\norder = 5\nstep = 1e-3\n");
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model_of("tumbling", ""), "2", solvers[s]);
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
            check_value(run, columns[k], 2.0, tn_value_at(right, columns[k], 2.0), 1e-4);
    }
}

/* ---- drives ------------------------------------------------------------------------------------------------ */

/* 2 sin(3 t); the wheel must turn by -2/3 of it, which its inertia resists. */
static void test_a_driven_angle(void **state)
{
    (void)state;
    const char *plugin = tn_build_text("drive", tn_read(TENON_SOURCE_DIR "/tests/system/plugins/drive.c"));
    const char *model = model_of("drive", tn_format("[plugins]\ndrive = '%s'\n", plugin));
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model, "2", solvers[s]);
        for (int k = 1; k <= 4; k++) {
            const double t = 0.5 * k, angle = 2.0 * sin(3.0 * t);
            check_value(run, "angle", t, angle, 1e-8);
            check_value(run, "rate", t, 6.0 * cos(3.0 * t), 1e-4);
            check_value(run, "p.y", t, 0.5 * cos(angle), 1e-8);
            check_value(run, "p.z", t, 0.5 * sin(angle), 1e-8);
            check_value(run, "wheel", t, -2.0 / 3.0 * angle, 1e-8);
            const double moment = 0.5 * -2.0 / 3.0 * -18.0 * sin(3.0 * t);
            check_value(run, "moment", t, moment, 1e-3);
            check_value(run, "back", t, 2.0 / 3.0 * moment, 1e-3);
        }
    }
}

/* ---- changes ----------------------------------------------------------------------------------------------- */

/* Behind the gear that lets go the wheels turn on by themselves. Where the hinge lets go, the gear goes on: all that it does
 * is a moment, which moves no centre of mass. */
static void test_gears_and_joints_are_switched(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model_of("gear", CHANGE("1", "gear", "false")), "2", solvers[s]);
        const double slow = -2.0 * 3.0 / (4.0 * 0.5 + 4.0);
        check_value(run, "slow", 2.0, 0.5 * slow + slow, 1e-6);
        check_value(run, "fast", 2.0, -slow - 2.0 * slow + 3.0, 1e-6);
        check_value(run, "force", 1.5, 0.0, 0.0);
        run = run_for(model_of("gear", CHANGE("1", "hinge_slow", "false")), "2", solvers[s]);
        check_value(run, "slow", 2.0, 2.0 * slow, 1e-6);
        check_value(run, "fast", 2.0, -4.0 * slow, 1e-6);
        check_value(run, "force", 2.0, 4.0 * slow, 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_gear_between_hinges),
        cmocka_unit_test(test_rack_and_pinion),
        cmocka_unit_test(test_a_spring_on_an_angle_is_a_torsional_spring),
        cmocka_unit_test(test_the_matrix_is_that_of_differences),
        cmocka_unit_test(test_what_acts_on_coordinates_keeps_energy_and_momenta),
        cmocka_unit_test(test_solvers_agree_on_coordinates_of_moving_joints),
        cmocka_unit_test(test_a_driven_angle),
        cmocka_unit_test(test_gears_and_joints_are_switched),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

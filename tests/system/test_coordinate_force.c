/* test_coordinate_force.c - forces on coordinates of joints, 1-D elements and bodies against the same ones written by hand;
 * what COORD and RATE read; the matrix; energies */
#include "models.h"
#include "reference.h"
#include "tangent.h"

#include <math.h>

#define ARMS "/tests/system/models/arms.toml"
#define ACCURATE "newton = { relative_tolerance = 1e-12 }\n"
#define FORCE(name, markers, value)                                                                       \
    "[[element]]\nname = '" name "'\ntype = 'coordinate_force'\nmarkers = [" markers "]\nvalue = '" value \
    "'\n"
#define JOINT(name, type, markers) \
    "[[element]]\nname = '" name "'\ntype = '" type "'\nmarkers = [" markers "]\n"
#define OF(item, coordinate) "{ element = '" item "', coordinate = '" coordinate "' }"
#define SHOW(name, element, output) \
    "[[sensor]]\nname = '" name "'\nelement = '" element "'\noutput = '" output "'\n"
#define SHOW_VALUE(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define SHOW_SYSTEM(name) "[[sensor]]\nname = '" name "'\nsystem = '" name "'\n"

static const tn_csv_table *run_for(const char *model, const char *end, const char *solver)
{
    return tn_simulate(
        tn_format("%s[output]\ninterval = 0.1\n[solver]\nend_time = %s\n%s", model, end, solver), NULL);
}

/* Largest difference of columns that two runs have both, or of two columns of one run. */
static void check_equal(const tn_csv_table *a, const char *left, const tn_csv_table *b, const char *right,
                        double tolerance)
{
    const size_t of_a = tn_column_of(a, left), of_b = tn_column_of(b, right);
    assert_int_equal(a->rows, b->rows);
    for (size_t row = 0; row < a->rows; row++) {
        const double error = fabs(tn_csv_value(a, row, of_a) - tn_csv_value(b, row, of_b));
        if (!(error <= tolerance))
            fail_msg("%s and %s differ by %.3g at %g s", left, right, error, tn_csv_value(a, row, 0));
    }
}

/* ---- against forces in space ------------------------------------------------------------------------------ */

/* Both laws are the same where joints hold exactly: stages of rk do so to less than rounding at this step. */
static const char *const solvers[] = {"type = 'rk'\nstep = 5e-4\n",
                                      "type = 'generalized_alpha'\nstep = 1e-3\n" ACCURATE};
static const char *const motion[] = {"p.x", "p.y", "p.z", "v.x", "v.y", "v.z", "w.x", "w.y", "w.z", "angle"};

/* What stands in front of the axis of the hinge is the frame `before`; the torque turns `behind` about it. */
static void test_on_an_angle_it_is_a_pair_of_torques(void **state)
{
    (void)state;
    static const char by_coordinate[] =
        FORCE("drive", OF("second", "angle"), "9*SIN(3*TIME) - 0.4*RATE(second) - 2*COORD(second)");
    static const char by_frames[] =
        "[[element]]\nname = 'drive'\ntype = 'torque'\nmarkers = ['behind', 'before']\naxes = 'before'\n"
        "value = [0, 0, '9*SIN(3*TIME) - 0.4*WZ(behind, before, before) - 2*AZ(behind, before)']\n";
    const char *arms = tn_read(TENON_SOURCE_DIR ARMS);
    for (int s = 0; s < 2; s++) {
        const tn_csv_table *a = run_for(tn_format("%s\n%s", arms, by_coordinate), "1", solvers[s]),
                           *b = run_for(tn_format("%s\n%s", arms, by_frames), "1", solvers[s]);
        for (size_t k = 0; k < sizeof motion / sizeof *motion; k++)
            check_equal(a, motion[k], b, motion[k], s == 0 ? 1e-12 : 1e-9);
        assert_true(tn_largest_in(a, "angle") > 0.3);
    }
}

/* One evaluation on one state, so that nothing but the forces is compared. */
static void test_accelerations_are_those_of_the_torque(void **state)
{
    (void)state;
    static const char about[] = SHOW_VALUE("ax", "ACCX(behind)") SHOW_VALUE("ay", "ACCY(behind)")
        SHOW_VALUE("az", "ACCZ(behind)") SHOW_VALUE("wx", "WDTX(behind)") SHOW_VALUE("wy", "WDTY(behind)")
            SHOW_VALUE("wz", "WDTZ(behind)");
    static const char *const columns[] = {"ax", "ay", "az", "wx", "wy", "wz"};
    const char *arms = tn_read(TENON_SOURCE_DIR ARMS);
    const tn_csv_table *a = run_for(tn_format("%s\n%s%s", arms, FORCE("drive", "'second'", "7"), about), "0",
                                    solvers[0]),
                       *b =
                           run_for(tn_format("%s\n%s%s", arms,
                                             "[[element]]\nname = 'drive'\ntype = 'torque'\naxes = 'before'\n"
                                             "markers = ['behind', 'before']\nvalue = [0, 0, 7]\n",
                                             about),
                                   "0", solvers[0]);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        check_equal(a, columns[k], b, columns[k], 1e-12);
    assert_true(tn_largest_in(a, "wz") > 1.0);
}

/* A slide holds its frames in parallel: it does not matter which of them takes the moment of the pair. */
static void test_on_a_translation_it_is_a_pair_of_forces(void **state)
{
    (void)state;
    static const char model[] = GRAVITY BODY_A BODY_B FRAMES JOINT("slide", "prismatic", "'a1', 'b1'")
        SHOW("p", "b", "position") SHOW("v", "b", "velocity") SHOW("w", "a", "angular_velocity")
            SHOW("angle", "slide", "translation");
    static const char by_coordinate[] =
        FORCE("drive", "'slide'", "20*SIN(3*TIME) - 0.4*RATE(slide) - 2*COORD(slide)");
    static const char by_frames[] =
        "[[element]]\nname = 'drive'\ntype = 'force'\nmarkers = ['b1', 'a1']\naxes = 'a1'\n"
        "value = ['20*SIN(3*TIME) - 0.4*VX(b1, a1, a1, a1) - 2*DX(b1, a1, a1)', 0, 0]\n";
    const tn_csv_table *a = run_for(tn_format("%s%s", model, by_coordinate), "1", solvers[0]),
                       *b = run_for(tn_format("%s%s", model, by_frames), "1", solvers[0]);
    for (size_t k = 0; k < sizeof motion / sizeof *motion; k++)
        check_equal(a, motion[k], b, motion[k], 1e-11);
    assert_true(tn_largest_in(a, "angle") > 0.3);
}

static void test_on_a_body_it_is_a_force_along_an_axis(void **state)
{
    (void)state;
    static const char model[] = GRAVITY BODY_A POINT_C SHOW("p", "a", "position")
        SHOW("w", "a", "angular_velocity") SHOW("c", "c", "position");
    static const char *const columns[] = {"p.x", "p.y", "p.z", "w.x", "w.y", "w.z", "c.x", "c.y", "c.z"};
    const tn_csv_table *a = run_for(tn_format("%s%s", model,
                                              FORCE("f", OF("a", "y"), "3 - 2*COORD(a, y) - 0.1*RATE(a, y)")
                                                  FORCE("g", OF("c", "z"), "-5*COORD(c, z)")),
                                    "1", solvers[0]),
                       *b =
                           run_for(tn_format("%s%s", model,
                                             READING("force", "f", "'a'", "0", "3 - 2*DY(a) - 0.1*VY(a)", "0")
                                                 READING("force", "g", "'c'", "0", "0", "-5*DZ(c)")),
                                   "1", solvers[0]);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        check_equal(a, columns[k], b, columns[k], 1e-12);
}

/* ---- what is read ----------------------------------------------------------------------------------------- */

#define SLIDER "[[element]]\nname = 'slider'\ntype = 'mass_1d'\nmass = 2\nvelocity = 1\n"
#define ROTOR "[[element]]\nname = 'rotor'\ntype = 'rotor_1d'\ninertia = 0.8\nspeed = 20\n"
#define TUBE JOINT("tube", "cylindrical", "'g1', 'a1'")
#define HINGE JOINT("hinge", "revolute", "'a2', 'b1'")

/* An output of an element, and the expression that is to be the same, as the columns `x_...` and `y_...`. */
#define BOTH(name, element, output, expression) \
    SHOW("x_" name, element, output) SHOW_VALUE("y_" name, expression)

static const char read_in_all_ways[] =
    GRAVITY BODY_A BODY_B FRAMES SLIDER ROTOR TUBE HINGE FORCE("spin", OF("tube", "angle"), "30")
        BOTH("angle", "tube", "angle", "COORD(tube, angle)")
            BOTH("angle_rate", "tube", "angle_rate", "RATE(tube, angle)")
                BOTH("translation", "tube", "translation", "COORD(tube, translation)")
                    BOTH("translation_rate", "tube", "translation_rate", "RATE(tube, translation)")
                        BOTH("hinge", "hinge", "angle", "COORD(hinge)")
                            BOTH("rotor", "rotor", "coordinate", "COORD(rotor)")
                                BOTH("rotor_rate", "rotor", "velocity", "RATE(rotor)")
                                    BOTH("slider", "slider", "coordinate", "COORD(slider)")
                                        BOTH("slider_rate", "slider", "velocity", "RATE(slider)");

/* Angles with all turns. */
static void test_values_and_rates_are_those_of_the_elements(void **state)
{
    (void)state;
    static const char *const columns[] = {"angle", "angle_rate", "translation", "translation_rate", "hinge",
                                          "rotor", "rotor_rate", "slider",      "slider_rate"};
    const tn_csv_table *run = run_for(read_in_all_ways, "2", solvers[0]);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        check_equal(run, tn_format("x_%s", columns[k]), run, tn_format("y_%s", columns[k]), 0.0);
    assert_true(tn_largest_in(run, "y_angle") > 12.0);
}

static void test_bodies_and_markers_made_of_others_have_coordinates(void **state)
{
    (void)state;
    static const char model[] = GRAVITY BODY_A BODY_B POINT_C FRAMES
        "[[marker]]\nname = 'height'\ntype = 'coordinate'\nelement = 'b'\ncoordinate = 'z'\n"
        "[[marker]]\nname = 'way'\ntype = 'dm'\ni = 'a1'\nj = 'b1'\n"
        "[[marker]]\nname = 'speed'\ntype = 'vx'\ni = 'a1'\nk = 'b1'\n" SHOW_VALUE("x_0", "DZ(b)")
            SHOW_VALUE("y_0", "COORD(height)") SHOW_VALUE("x_1", "VY(a)") SHOW_VALUE("y_1", "RATE(a, y)")
                SHOW_VALUE("x_2", "DM(a1, b1)") SHOW_VALUE("y_2", "COORD(way)")
                    SHOW_VALUE("x_3", "VR(a1, b1)") SHOW_VALUE("y_3", "RATE(way)")
                        SHOW_VALUE("x_4", "VX(a1, 0, b1)") SHOW_VALUE("y_4", "RATE(speed)")
                            SHOW_VALUE("x_5", "DX(c)") SHOW_VALUE("y_5", "COORD(c, x) + COORD(ground)")
                                SHOW_VALUE("x_6", "0") SHOW_VALUE("y_6", "COORD(ground, x) + RATE(ground)")
                                    READING("force", "push", "'a1'", "3", "2", "30");
    const tn_csv_table *run = run_for(model, "1", solvers[0]);
    for (int k = 0; k <= 6; k++)
        check_equal(run, tn_format("x_%d", k), run, tn_format("y_%d", k), 1e-13);
}

static void test_units_are_those_of_the_coordinates(void **state)
{
    (void)state;
    static const char sensors[] = SHOW_VALUE("a", "COORD(tube, angle)") SHOW_VALUE("b", "RATE(tube, angle)")
        SHOW_VALUE("c", "COORD(tube, translation)") SHOW_VALUE("d", "RATE(tube, translation)")
            SHOW_VALUE("e", "COORD(rotor)*RATE(slider)") SHOW_VALUE("f", "COORD(a, x)")
                SHOW_VALUE("g", "RATE(a, y)") SHOW_VALUE("h", "RATE(speed)") SHOW_VALUE("i", "RATE(way)")
                    SHOW_VALUE("j", "RATE(faster)") SHOW_VALUE("k", "COORD(ground)");
    const char *file =
        tn_write("units.toml", tn_format("%s%s%s[solver]\ntype = 'rk'\nend_time = 0\nstep = 0.1\n",
                                         GRAVITY BODY_A BODY_B FRAMES SLIDER ROTOR TUBE,
                                         "[[marker]]\nname = 'speed'\ntype = 'wz'\ni = 'a1'\n"
                                         "[[marker]]\nname = 'way'\ntype = 'dx'\ni = 'a1'\n"
                                         "[[marker]]\nname = 'faster'\ntype = 'accx'\ni = 'a1'\n",
                                         sensors));
    const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", "units"));
    assert_null(strstr(run.errors, "unit `"));
    assert_int_equal(run.status, 0);
    assert_string_equal(tn_read(tn_scratch_path("units/sensors.units.csv")),
                        "time,a,b,c,d,e,f,g,h,i,j,k\ns,rad,rad/s,m,m/s,m/s,m,m/s,rad/s,m/s,m/s,\n");
}

static void test_values_of_different_units_are_told(void **state)
{
    (void)state;
    const char *file = tn_write(
        "clash.toml",
        SLIDER ROTOR SHOW_VALUE("a", "COORD(slider) + RATE(slider)") SHOW_VALUE(
            "b", "COORD(rotor) + COORD(slider)") "[solver]\ntype = 'rk'\nend_time = 0\nstep = 0.1\n");
    const tn_outcome run = tn_tenon(TN_WORDS("check", file));
    assert_int_equal(run.status, 0);
    tn_check_holds(run.errors, TN_WORDS("`+` of values of different units: a length (m), a velocity (m/s)",
                                        "`+` of values of different units: an angle (rad), a length (m)"));
}

/* Each copy and each part reads its own; a delayed one what it was. */
static void test_copies_parts_and_the_past(void **state)
{
    (void)state;
    (void)tn_write("axle.toml",
                   "[[element]]\nname = 'wheel'\ntype = 'rotor_1d'\ninertia = 2\nspeed = 'start'\n"
                   "[parameters]\nstart = 1\n"
                   "[[sensor]]\nname = 'inner'\nexpression = 'RATE(wheel)'\n");
    static const char model[] =
        "[[part]]\nname = 'left'\nfile = 'axle.toml'\nparameters = { start = 3 }\n"
        "[[part]]\nname = 'right'\nfile = 'axle.toml'\n"
        "[[repeat]]\ncount = 3\nvariable = 'i'\n"
        "[[repeat.element]]\nname = 'r_{i}'\nid = '10 + i'\ntype = 'rotor_1d'\ninertia = 1\nspeed = 'i + 1'\n"
        "[[repeat.element]]\nname = 'f_{i}'\ntype = 'coordinate_force'\nmarkers = 'r_{i}'\n"
        "value = '-(i + 1)*RATE(r_{i})'\n" /* speed (i + 1) exp(-(i + 1) t) */
        SHOW_VALUE("part", "RATE(left.wheel) - 2*COORD(right.wheel)") SHOW_VALUE("number", "RATE(12)")
            SHOW_VALUE("before", "DELAY(COORD(right.wheel), 0.5, -7)");
    const tn_csv_table *run = run_for(model, "1", "type = 'rk'\nstep = 1e-2\n");
    assert_true(fabs(tn_value_at(run, "part", 1) - (3 - 2)) < 1e-9);
    assert_true(fabs(tn_value_at(run, "left.inner", 1) - 3) < 1e-12);
    assert_true(fabs(tn_value_at(run, "number", 1) - 3 * exp(-3.0)) < 1e-7);
    assert_true(fabs(tn_value_at(run, "before", 0.2) + 7) < 1e-12);
    assert_true(fabs(tn_value_at(run, "before", 1) - 0.5) < 1e-9);
}

/* ---- the matrix ------------------------------------------------------------------------------------------- */

static void test_the_matrix_is_that_of_differences(void **state)
{
    (void)state;
    tn_check_tangent(tn_read(TENON_SOURCE_DIR "/tests/system/models/coordinate_forces.toml"));
}

/* ---- constraints ------------------------------------------------------------------------------------------ */

/* What a variable holds among coordinates is a gear. */
static void test_a_constraint_of_coordinates_is_a_gear(void **state)
{
    (void)state;
    static const char model[] =
        ROTOR "[[element]]\nname = 'wheel'\ntype = 'rotor_1d'\ninertia = 3\nspeed = 10\n" FORCE(
            "drive", "'rotor'", "4*SIN(3*TIME) - 0.1*RATE(rotor)") SHOW("angle", "wheel", "coordinate")
            SHOW("rate", "wheel", "velocity");
    static const char gear[] =
        "[[element]]\nname = 'gear'\ntype = 'gear'\nmarkers = ['rotor', 'wheel']\nratio = 2\n" SHOW(
            "force", "gear", "reaction");
    static const char equation[] =
        VARIABLE("gear", "COORD(rotor) - 2*COORD(wheel)") "implicit = true\n" SHOW("force", "gear", "value");
    static const char *const columns[] = {"angle", "rate", "force"};
    for (int s = 0; s < 2; s++) {
        const tn_csv_table *a = run_for(tn_format("%s%s", model, gear), "1", solvers[s]),
                           *b = run_for(tn_format("%s%s", model, equation), "1", solvers[s]);
        for (size_t k = 0; k < 3; k++)
            check_equal(a, columns[k], b, columns[k], 1e-9);
    }
}

/* ---- energies --------------------------------------------------------------------------------------------- */

/* A motor drives a wheel against a brake; a spring in between. All work of the two forces counts as supplied. */
static void test_work_is_supplied(void **state)
{
    (void)state;
    static const char model[] = ROTOR
        "[[element]]\nname = 'wheel'\ntype = 'rotor_1d'\ninertia = 3\n"
        "[[element]]\nname = 'shaft'\ntype = 'coordinate_spring_damper'\nmarkers = ['rotor', 'wheel']\n"
        "stiffness = 40\ndamping = 2\n" FORCE("motor", "'rotor', 'wheel'", "12 - 0.5*RATE(rotor)")
            FORCE("brake", "'wheel'", "-2*RATE(wheel)") VARIABLE(
                "by_motor",
                "(12 - 0.5*RATE(rotor))*(RATE(rotor) - RATE(wheel))") "integral = true\n" SHOW_SYSTEM("energy"
                                                                                                      "_balan"
                                                                                                      "ce")
                SHOW("motor", "motor", "supplied_energy") SHOW("power", "motor", "power")
                    SHOW("work", "by_motor", "value") SHOW("rate", "by_motor", "rate")
                        SHOW("lost", "brake", "dissipated_energy") SHOW("brake", "brake", "supplied_energy");
    const tn_csv_table *run = run_for(model, "2", "type = 'rk'\nstep = 1e-3\n");
    const double start = tn_value_at(run, "energy_balance", 0);
    for (int k = 0; k <= 20; k++)
        assert_true(fabs(tn_value_at(run, "energy_balance", 0.1 * k) - start) < 1e-8);
    check_equal(run, "motor", run, "work", 1e-12);
    check_equal(run, "power", run, "rate", 1e-12);
    assert_true(tn_largest_in(run, "motor") > 10.0 && tn_value_at(run, "brake", 2) < -10.0);
    assert_true(tn_largest_in(run, "lost") == 0.0);
}

/* ---- clutches --------------------------------------------------------------------------------------------- */

/* Dry friction holds both sides together once they turn alike: after t = J1 J2/(J1 + J2) w/T at (J1 w)/(J1 + J2). */
static void test_a_dry_clutch_brings_both_sides_to_one_speed(void **state)
{
    (void)state;
    static const char model[] = ROTOR "[[element]]\nname = 'wheel'\ntype = 'rotor_1d'\ninertia = 2.4\n" FORCE(
        "clutch", "'wheel', 'rotor'", "SIGN(24, RATE(rotor) - RATE(wheel))")
        SHOW_VALUE("slip", "RATE(rotor) - RATE(wheel)") SHOW_VALUE("speed", "RATE(wheel)");
    const tn_csv_table *run = run_for(model, "1", "type = 'generalized_alpha'\nstep = 1e-3\n");
    assert_true(fabs(tn_value_at(run, "slip", 0.3) - (20 - 0.3 * (24 / 0.8 + 24 / 2.4))) < 1e-6);
    assert_true(fabs(tn_value_at(run, "slip", 1)) < 1e-2);
    assert_true(fabs(tn_value_at(run, "speed", 1) - 0.8 * 20 / 3.2) < 1e-2);
}

/* ---- changes ---------------------------------------------------------------------------------------------- */

static void test_the_force_is_changed_and_switched_during_the_run(void **state)
{
    (void)state;
    static const char model[] = ROTOR FORCE(
        "f", "'rotor'", "-0.8*RATE(rotor)") "[[change]]\ntime = 0.5\nelement = 'f'\nparameter = "
                                            "'value'\nvalue = '1.6 + 0*COORD(rotor)'\n"
                                            "[[change]]\ntime = 1\nelement = 'f'\nactive = false\n" SHOW(
                                                "w", "rotor", "velocity") SHOW("force", "f", "force");
    for (int s = 0; s < 2; s++) {
        const tn_csv_table *run = run_for(model, "1.5", solvers[s]);
        const double at_half = 20 * exp(-0.5);
        assert_true(fabs(tn_value_at(run, "w", 0.5) - at_half) < (s ? 1e-5 : 1e-9));
        assert_true(fabs(tn_value_at(run, "w", 1.5) - at_half - 1) < (s ? 1e-5 : 1e-9));
        assert_true(tn_value_at(run, "force", 0.5) == 1.6 && tn_value_at(run, "force", 1.2) == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_an_angle_it_is_a_pair_of_torques),
        cmocka_unit_test(test_accelerations_are_those_of_the_torque),
        cmocka_unit_test(test_on_a_translation_it_is_a_pair_of_forces),
        cmocka_unit_test(test_on_a_body_it_is_a_force_along_an_axis),
        cmocka_unit_test(test_values_and_rates_are_those_of_the_elements),
        cmocka_unit_test(test_bodies_and_markers_made_of_others_have_coordinates),
        cmocka_unit_test(test_units_are_those_of_the_coordinates),
        cmocka_unit_test(test_values_of_different_units_are_told),
        cmocka_unit_test(test_copies_parts_and_the_past),
        cmocka_unit_test(test_the_matrix_is_that_of_differences),
        cmocka_unit_test(test_a_constraint_of_coordinates_is_a_gear),
        cmocka_unit_test(test_work_is_supplied),
        cmocka_unit_test(test_a_dry_clutch_brings_both_sides_to_one_speed),
        cmocka_unit_test(test_the_force_is_changed_and_switched_during_the_run),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_kinematic.c - the solver `kinematic`: motions and efforts against closed forms, its order where it integrates, and what it
 * refuses, by name */
#include "harness.h"

#include <tenon/tenon.h>

#include <math.h>

#define GRAVITY 9.81
#define MODEL "[model]\ngravity = [0, -9.81, 0]\n"
#define SOLVER(end, step) "[solver]\ntype = 'kinematic'\nend_time = " end "\nstep = " step "\n"
#define SENSOR(name, of, output) "[[sensor]]\nname = '" name "'\n" of "\noutput = '" output "'\n"
#define ERROR "[[sensor]]\nname = 'error'\nsystem = 'constraint_error'\n"
#define BALANCE "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n"

/* A rod that turns about z at its end: J = 0.2 + 2/4, m g l = 2 g/2. */
#define BAR                                                                                        \
    MODEL "[[element]]\nname = 'bar'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.01, 0.2, 0.2]\n" \
          "position = [0.5, 0, 0]\n[[element]]\nname = 'bearing'\ntype = 'revolute'\n"             \
          "markers = ['ground', { element = 'bar', position = [-0.5, 0, 0] }]\n" SENSOR(           \
              "angle", "element = 'bearing'", "angle") ERROR BALANCE
#define DRIVE(name, more) "[[element]]\nname = '" name "'\ntype = 'motion'\njoint = 'bearing'\n" more "\n"
#define TORQUE SENSOR("torque", "element = 'drive'", "effort")
enum { BAR_INERTIA_TENTHS = 7 };

static double value(const tn_csv_table *run, size_t row, const char *column)
{
    return tn_csv_value(run, row, tn_column_of(run, column));
}

static double torque_of_bar(double angle, double acceleration)
{
    return BAR_INERTIA_TENTHS / 10.0 * acceleration + GRAVITY * cos(angle);
}

static void test_torque_of_a_driven_bar(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(BAR DRIVE("drive", "value = '0.5*SIN(3*time)'") TORQUE SOLVER("2", "0.01"), NULL);
    assert_int_equal(run->rows, 201);
    for (size_t row = 0; row < run->rows; row++) {
        const double angle = 0.5 * sin(3.0 * tn_csv_value(run, row, 0));
        assert_true(fabs(value(run, row, "angle") - angle) < 1e-12);
        assert_true(fabs(value(run, row, "torque") - torque_of_bar(angle, -9.0 * angle)) < 1e-9);
        assert_true(value(run, row, "error") < 1e-13);
        assert_true(fabs(value(run, row, "balance") - value(run, 0, "balance")) < 1e-7);
    }
}

/* ---- a slider-crank ------------------------------------------------------------------------------------- */

#define CRANK 0.5 /* m, and a rod of 1 m; uniform bars of 1 kg and 2 kg, a block of 3 kg */
#define SLIDER_CRANK                                                                                    \
    MODEL                                                                                               \
    "[parameters]\nr = 0.5\nangle = 0.4\nfall = 'asin(r*sin(angle))'\nx = 'r*cos(angle) + cos(fall)'\n" \
    "[[element]]\nname = 'crank'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.02, 0.02]\n"        \
    "position = ['r/2*cos(angle)', 'r/2*sin(angle)', 0]\n"                                              \
    "rotation = { axis = [0, 0, 1], angle = 'angle' }\n"                                                \
    "[[element]]\nname = 'rod'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.01, 0.2, 0.2]\n"            \
    "position = ['r*cos(angle) + cos(fall)/2', 'r/2*sin(angle)', 0]\n"                                  \
    "rotation = { axis = [0, 0, 1], angle = '-fall' }\n"                                                \
    "[[element]]\nname = 'block'\ntype = 'rigid_body'\nmass = 3\ninertia = [0.1, 0.1, 0.1]\n"           \
    "position = ['x', 0, 0]\n"                                                                          \
    "[[element]]\nname = 'bearing'\ntype = 'revolute'\n"                                                \
    "markers = ['ground', { element = 'crank', position = ['-r/2', 0, 0] }]\n"                          \
    "[[element]]\nname = 'pin'\ntype = 'revolute'\nmarkers = [{ element = 'crank', "                    \
    "position = ['r/2', 0, 0] }, { element = 'rod', position = [-0.5, 0, 0] }]\n"                       \
    "[[element]]\nname = 'gudgeon'\ntype = 'revolute'\n"                                                \
    "markers = [{ element = 'rod', position = [0.5, 0, 0] }, 'block']\n"                                \
    "[[element]]\nname = 'guide'\ntype = 'generic'\nmarkers = ['ground', 'block']\n"                    \
    "locked = [false, true, true, true, true, true]\n" ERROR BALANCE SENSOR(                            \
        "x", "element = 'block'", "position") SENSOR("angle", "element = 'bearing'", "angle")
#define PUSH(value)                                                                \
    "[[element]]\nname = 'push'\ntype = 'motion'\nmarkers = ['ground', 'block']\n" \
    "direction = [1, 0, 0]\nvalue = '" value "'\n"

/* The torque that the crank needs: of T = I(angle) rate^2/2 and V(angle). */
static double torque_of_crank(double angle, double rate, double acceleration)
{
    const double s = sin(angle), c = cos(angle), fall = -asin(CRANK * s), sf = sin(fall), cf = cos(fall);
    const double f1 = -CRANK * c / cf, f2 = (CRANK * s + sf * f1 * f1) / cf;
    const double x1 = -CRANK * s - sf * f1, x2 = -CRANK * c - cf * f1 * f1 - sf * f2;
    const double u1 = -CRANK * s - 0.5 * sf * f1, u2 = -CRANK * c - 0.5 * (cf * f1 * f1 + sf * f2);
    const double w1 = CRANK * c + 0.5 * cf * f1, w2 = -CRANK * s + 0.5 * (cf * f2 - sf * f1 * f1);
    const double inertia = 0.02 + 0.0625 + 0.2 * f1 * f1 + 2.0 * (u1 * u1 + w1 * w1) + 3.0 * x1 * x1;
    const double half_of_change = 0.2 * f1 * f2 + 2.0 * (u1 * u2 + w1 * w2) + 3.0 * x1 * x2;
    return inertia * acceleration + half_of_change * rate * rate + GRAVITY * (0.25 * c + 2.0 * w1);
}

static double place_of_block(double angle)
{
    return CRANK * cos(angle) + sqrt(1.0 - CRANK * CRANK * sin(angle) * sin(angle));
}

static void test_torque_of_a_slider_crank(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(SLIDER_CRANK DRIVE("drive", "value = '0.4 + 5*time + SIN(2*time)'")
                                              TORQUE SOLVER("2", "0.005"),
                                          NULL);
    assert_int_equal(run->rows, 401);
    for (size_t row = 0; row < run->rows; row++) {
        const double t = tn_csv_value(run, row, 0), angle = 0.4 + 5.0 * t + sin(2.0 * t);
        const double torque = torque_of_crank(angle, 5.0 + 2.0 * cos(2.0 * t), -4.0 * sin(2.0 * t));
        if (!(fabs(value(run, row, "torque") - torque) < 1e-9))
            fail_msg("at %g s: %.12g, not %.12g", t, value(run, row, "torque"), torque);
        assert_true(fabs(value(run, row, "x.x") - place_of_block(angle)) < 1e-12);
        assert_true(value(run, row, "error") < 1e-13);
    }
}

/* Without mass, nearly: the rows alone say where it goes. */
static void test_light_bodies(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        SLIDER_CRANK DRIVE("drive", "value = '0.4 + 5*time'") TORQUE SOLVER("1", "0.01"),
        TN_WORDS("--set", "element.rod.mass=1e-8", "--set", "element.rod.inertia=[1e-9,1e-9,1e-9]"));
    for (size_t row = 0; row < run->rows; row++) {
        const double angle = 0.4 + 5.0 * tn_csv_value(run, row, 0);
        assert_true(fabs(value(run, row, "x.x") - place_of_block(angle)) < 1e-12);
        assert_true(value(run, row, "error") < 1e-13);
    }
}

/* The efforts of two motions that want the same are the least ones: halves. */
static void test_motions_that_agree_share(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(BAR DRIVE("drive", "value = 'time'")
                                              DRIVE("other", "value = 'time'") TORQUE SOLVER("1", "0.1"),
                                          NULL);
    for (size_t row = 0; row < run->rows; row++)
        assert_true(fabs(2.0 * value(run, row, "torque") - torque_of_bar(tn_csv_value(run, row, 0), 0.0)) <
                    1e-8);
}

/* ---- what is integrated --------------------------------------------------------------------------------- */

static double last_error(const char *model, const char *column, double exact)
{
    const tn_csv_table *run = tn_simulate(model, NULL);
    return fabs(value(run, run->rows - 1, column) - exact);
}

static void check_order(const char *name, double coarse, double fine, double least)
{
    const double order = log2(coarse / fine);
    if (!(order > least)) fail_msg("%s: errors %g, %g: order %.2f", name, coarse, fine, order);
}

/* Prescribed rates and accelerations; the work of the motor. */
static void test_orders(void **state)
{
    (void)state;
    const char *rate = SLIDER_CRANK DRIVE("drive", "level = 'velocity'\nvalue = '5 + 2*COS(2*time)'"),
               *acceleration = SLIDER_CRANK DRIVE(
                   "drive", "level = 'acceleration'\ninitial_velocity = 7\nvalue = '-4*SIN(2*time)'"),
               *work = SLIDER_CRANK DRIVE("drive", "value = '0.4 + 5*time + SIN(2*time)'");
    const double x = place_of_block(0.4 + 5.0 * 1.0 + sin(2.0));
    check_order("rate", last_error(tn_format("%s%s", rate, SOLVER("1", "0.02")), "x.x", x),
                last_error(tn_format("%s%s", rate, SOLVER("1", "0.01")), "x.x", x), 3.6);
    check_order("acceleration", last_error(tn_format("%s%s", acceleration, SOLVER("1", "0.02")), "x.x", x),
                last_error(tn_format("%s%s", acceleration, SOLVER("1", "0.01")), "x.x", x), 3.6);
    const tn_csv_table *start = tn_simulate(tn_format("%s%s", work, SOLVER("0", "0.02")), NULL);
    const double energy = value(start, 0, "balance");
    check_order("work", last_error(tn_format("%s%s", work, SOLVER("1", "0.02")), "balance", energy),
                last_error(tn_format("%s%s", work, SOLVER("1", "0.01")), "balance", energy), 3.6);
}

/* ---- in company ------------------------------------------------------------------------------------------ */

static const char *run_to(const char *model, int status, const char **errors, const char *more)
{
    const char *results = tn_scratch_path(NULL), *file = tn_write("kinematic.toml", model);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", file, "--quiet", "--out", results, more ? more : "--trust"));
    if (outcome.status != status) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    if (errors) *errors = outcome.errors;
    return results;
}

static const char moving[] =
    SLIDER_CRANK DRIVE("drive", "value = '0.4 + 5*time + SIN(2*time)'") TORQUE SOLVER("0.3", "0.01");

static void test_guard_and_threads_change_nothing(void **state)
{
    (void)state;
    const char *plain = tn_read(tn_format("%s/sensors.csv", run_to(moving, 0, NULL, NULL)));
    assert_string_equal(plain, tn_read(tn_format("%s/sensors.csv", run_to(moving, 0, NULL, "--guard"))));
    assert_string_equal(plain, tn_read(tn_format("%s/sensors.csv", run_to(moving, 0, NULL, "--threads=2"))));
}

static void test_changes_and_conditions(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        BAR "[[element]]\nname = 'load'\ntype = 'torque'\nmarkers = ['bar']\nvalue = [0, 0, 1]\n"
            "[[change]]\ntime = 0.123\nelement = 'load'\nactive = false\n" DRIVE("drive", "value = 'time'")
                TORQUE SOLVER("1", "0.1") "stop_when = 'AZ(bar) > 0.55'\n",
        NULL);
    for (size_t row = 0; row < run->rows; row++) {
        const double t = tn_csv_value(run, row, 0), load = row < 2 || (t <= 0.123 && row == 2) ? 1.0 : 0.0;
        assert_true(fabs(value(run, row, "torque") - torque_of_bar(t, 0.0) + load) < 1e-9 || t == 0.123);
    }
    assert_true(fabs(tn_csv_value(run, run->rows - 1, 0) - 0.6) < 1e-12);
}

static void test_a_motion_that_is_taken_away(void **state)
{
    (void)state;
    const char *errors = NULL;
    (void)run_to(
        BAR DRIVE(
            "drive",
            "value = 'time'") "[[change]]\ntime = 0.5\nelement = 'drive'\nactive = false\n" SOLVER("1",
                                                                                                   "0.1"),
        1, &errors, NULL);
    tn_check_holds(errors, TN_WORDS("failed at time 0.5 s: 1 degree of freedom is left: rigid_body `bar`"));
}

/* Saved in the middle and restored in another model, which goes on to the same bits: with a prescribed rate, and with energies. */
static tenon_model *open_model(const char *file)
{
    static const char *const path[] = {TENON_PLUGINS};
    const tenon_options options = {.size = sizeof options, .plugin_paths = path, .plugin_path_count = 1};
    tenon_model *model = NULL;
    assert_int_equal(tenon_open_file(file, &options, &model), TENON_OK);
    return model;
}

static void check_saved(const char *text)
{
    enum { NUMBERS = 64 };
    const char *file = tn_write("saved.toml", text);
    tenon_model *first = open_model(file), *second = open_model(file);
    for (int k = 0; k < 7; k++)
        assert_int_equal(tenon_step(first), TENON_OK);
    size_t size = 0;
    assert_int_equal(tenon_save(first, NULL, 0, &size), TENON_OK);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(tenon_save(first, bytes, size, &size), TENON_OK);
    assert_int_equal(tenon_restore(second, bytes, size), TENON_OK);
    free(bytes);
    for (int k = 0; k < 7; k++) {
        double q[2][NUMBERS] = {{0}}, v[2][NUMBERS] = {{0}}, sensor[2][NUMBERS] = {{0}};
        tenon_model *const model[2] = {first, second};
        for (int m = 0; m < 2; m++) {
            assert_int_equal(tenon_step(model[m]), TENON_OK);
            assert_int_equal(tenon_state(model[m], q[m], v[m]), TENON_OK);
            assert_true(tenon_sensor_count(model[m]) < NUMBERS);
            assert_int_equal(tenon_sensor_values(model[m], sensor[m]), TENON_OK);
        }
        assert_memory_equal(q[0], q[1], sizeof q[0]);
        assert_memory_equal(v[0], v[1], sizeof v[0]);
        assert_memory_equal(sensor[0], sensor[1], sizeof sensor[0]);
    }
    tenon_close(first);
    tenon_close(second);
}

static void test_saved_states(void **state)
{
    (void)state;
    check_saved(moving);
    check_saved(SLIDER_CRANK DRIVE("drive", "level = 'velocity'\nvalue = '5 + 2*COS(2*time)'")
                    TORQUE SOLVER("1", "0.02"));
}

/* ---- refusals -------------------------------------------------------------------------------------------- */

static void check_refused(const char *model, const char *const *words)
{
    const char *errors = NULL;
    (void)run_to(model, 1, &errors, NULL);
    tn_check_holds(errors, words);
}

static void test_freedom_that_is_left(void **state)
{
    (void)state;
    check_refused(BAR SOLVER("1", "0.1"),
                  TN_WORDS("at time 0 s: 1 degree of freedom is left: rigid_body `bar` (",
                           ") turns about (0, 0, 1) through (0, 0, 0); ", "needs a `motion` for each"));
    check_refused(SLIDER_CRANK SOLVER("1", "0.1"),
                  TN_WORDS("1 degree of freedom is left: rigid_body `", ") turns about (0, 0, ", ", `"));
    check_refused("[[element]]\nname = 'p'\ntype = 'mass_point'\nmass = 1\n[[element]]\nname = 'r'\n"
                  "type = 'rotor_1d'\ninertia = 1\n" SOLVER("1", "0.1"),
                  TN_WORDS("4 degrees of freedom are left: mass_point `p` (",
                           ") translates along (1, 0, 0); ", "along (0, 1, 0); ", "along (0, 0, 1); ",
                           "rotor_1d `r` (", ") turns; "));
    check_refused(
        MODEL
        "[[element]]\nname = 'top'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 1]\n"
        "[[element]]\nname = 'ball'\ntype = 'spherical'\nmarkers = ['ground', 'top']\n" SOLVER("1", "0.1"),
        TN_WORDS("3 degrees of freedom are left: rigid_body `top` (",
                 "turns about (1, 0, 0) through (0, 0, 0)", "turns about (0, 1, 0) through (0, 0, 0)",
                 "turns about (0, 0, 1) through (0, 0, 0)"));
    check_refused(
        MODEL
        "[[element]]\nname = 'screw'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 1]\nposition = [3, 2, "
        "0]\n"
        "[[element]]\nname = 'nut'\ntype = 'cylindrical'\nmarkers = [{ element = 'ground', position = [3, 2, "
        "0] }, 'screw']\n[[element]]\nname = 'thread'\ntype = 'gear'\nratio = 0.25\nmarkers = [{ element = "
        "'nut', coordinate = 'translation' }, { element = 'nut', coordinate = 'angle' }]\n" SOLVER("1",
                                                                                                   "0.1"),
        TN_WORDS(" turns about (0, 0, 1) through (3, 2, 0) and slides along it by 0.25 m/rad; "));
}

/* The block is pushed beyond the stretched position, comes to rest in it, or stands in it at the start. */
static void test_singular_positions(void **state)
{
    (void)state;
    const char *const *words = TN_WORDS("rigid_body `crank` (", ") turns about (0, 0, ", "1) through (0, ",
                                        "1) through (1.5, ", " freely: ", "is singular");
    check_refused(SLIDER_CRANK PUSH("x + 0.1*time") SOLVER("2", "0.01"), words);
    check_refused(SLIDER_CRANK PUSH("1.4 + 0.1*SIN(2*time)") SOLVER("2", "0.01"), words);
    check_refused(SLIDER_CRANK PUSH("1.4 + 0.1*SIN(0.5*PI*time)") SOLVER("2", "0.01"), words); // on the grid
    check_refused(SLIDER_CRANK PUSH("1.5") "[[change]]\ntime = 9\nelement = 'push'\nactive = false\n" SOLVER(
                      "2", "0.01"),
                  TN_WORDS("at time 0 s:", "`"));
}

/* A parallelogram that turns through the position in which its bars lie on a line: between two steps, and in one. */
#define FRAME                                                                                            \
    MODEL "[parameters]\na = 0.5\n[[repeat]]\ncount = 2\n[[repeat.element]]\nname = 'crank{i}'\n"        \
          "type = 'rigid_body'\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"                                   \
          "position = ['2*i + cos(a)/2', 'sin(a)/2', 0]\nrotation = { axis = [0, 0, 1], angle = 'a' }\n" \
          "[[repeat.element]]\nname = 'pin{i}'\ntype = 'revolute'\nmarkers = [{ element = 'ground', "    \
          "position = ['2*i', 0, 0] }, { element = 'crank{i}', position = [-0.5, 0, 0] }]\n"             \
          "[[repeat.element]]\nname = 'top{i}'\ntype = 'revolute'\nmarkers = [{ element = 'crank{i}', "  \
          "position = [0.5, 0, 0] }, { element = 'bar', position = ['2*i - 1', 0, 0] }]\n"               \
          "[[element]]\nname = 'bar'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"        \
          "position = ['1 + cos(a)', 'sin(a)', 0]\n[[element]]\nname = 'drive'\ntype = 'motion'\n"       \
          "joint = 'pin0'\n"

static void test_change_points(void **state)
{
    (void)state;
    const char *words[] = {") turns about (0, 0, ", " freely: ", "is singular", "at time 0.880", NULL};
    check_refused(FRAME "value = '0.5 + 3*time'\n" SOLVER("2", "0.01"), words); // (PI - 0.5)/3 = 0.88053
    check_refused(FRAME "value = '0.5 + 3*time'\n" SOLVER("2", "0.1"), words);
    words[3] = "at time 0.5 s";
    check_refused(FRAME "value = '0.5 + (PI - 0.5)*2*time'\n" SOLVER("2", "0.1"), words);
}

static void test_motions_that_contradict_each_other(void **state)
{
    (void)state;
    check_refused(BAR DRIVE("drive", "value = 'time'") DRIVE("other", "value = '0.1 + time'")
                      SOLVER("1", "0.1"),
                  TN_WORDS("at time 0 s", "motion `drive`", "motion `other`"));
    check_refused(BAR DRIVE("drive", "value = 'time'") DRIVE("other", "value = '1.1*time'")
                      SOLVER("1", "0.1"),
                  TN_WORDS("at time 0 s", "motion `drive`", "motion `other`"));
    check_refused(BAR DRIVE("drive", "value = 'time'") DRIVE("other", "value = 'SIN(time)'")
                      SOLVER("1", "0.1"),
                  TN_WORDS("motion `drive`", "motion `other`", "constraints and motions"));
    check_refused(BAR DRIVE("drive", "value = 'time'")
                      DRIVE("other", "level = 'velocity'\nvalue = '1 + time'") SOLVER("1", "0.1"),
                  TN_WORDS("motion `drive`", "motion `other`", "keeps a rate"));
}

static void test_motions_that_cannot_be_followed(void **state)
{
    (void)state;
    check_refused(BAR DRIVE("drive", "value = 'time + IF(time - 0.5: 0, 0, 0.1)'") SOLVER("1", "0.1"),
                  TN_WORDS("the positions jump", "motion `drive` (", "at time 0.5"));
    check_refused(BAR DRIVE("drive", "value = 'SQRT(0.55 - time)'") SOLVER("1", "0.1"),
                  TN_WORDS("motion `drive` (", "at time 0.55"));
}

/* Rates may jump: the way is still one. */
static void test_rates_may_jump(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        BAR DRIVE("drive", "value = 'time + IF(time - 0.53: 0, 0, 3*(time - 0.53))'") SOLVER("1", "0.1"),
        NULL);
    assert_true(fabs(value(run, run->rows - 1, "angle") - 2.41) < 1e-12);
}

static void test_keys(void **state)
{
    (void)state;
    const char *errors = NULL;
    (void)run_to(BAR DRIVE("drive", "value = 'time'") "[solver]\ntype = 'kinematic'\nend_time = 1\n", 2,
                 &errors, NULL);
    tn_check_holds(errors, TN_WORDS("step"));
    (void)run_to(BAR DRIVE("drive", "value = 'time'") SOLVER("1", "0.1") "tolerance = 1e-3\n", 2, &errors,
                 NULL);
    tn_check_holds(errors, TN_WORDS("`kinematic` has fixed steps only"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_torque_of_a_driven_bar),
                                       cmocka_unit_test(test_torque_of_a_slider_crank),
                                       cmocka_unit_test(test_light_bodies),
                                       cmocka_unit_test(test_motions_that_agree_share),
                                       cmocka_unit_test(test_orders),
                                       cmocka_unit_test(test_guard_and_threads_change_nothing),
                                       cmocka_unit_test(test_changes_and_conditions),
                                       cmocka_unit_test(test_a_motion_that_is_taken_away),
                                       cmocka_unit_test(test_saved_states),
                                       cmocka_unit_test(test_freedom_that_is_left),
                                       cmocka_unit_test(test_singular_positions),
                                       cmocka_unit_test(test_change_points),
                                       cmocka_unit_test(test_motions_that_contradict_each_other),
                                       cmocka_unit_test(test_motions_that_cannot_be_followed),
                                       cmocka_unit_test(test_rates_may_jump),
                                       cmocka_unit_test(test_keys)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

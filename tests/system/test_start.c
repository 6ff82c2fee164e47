/* test_start.c - where a run starts: bodies are taken to where the joints hold, by their masses, and it is told what moved;
 * those that are pinned stay */
#include "harness.h"

#include <math.h>

#define BODY(name, more) \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.02, 0.025]\n" more
#define JOINT(name, type, first, last) \
    "[[element]]\nname = '" name "'\ntype = '" type "'\nmarkers = [" first ", " last "]\n"
#define SENSOR(name, of, output) "[[sensor]]\nname = '" name "'\n" of "\noutput = '" output "'\n"
#define GAP "[[sensor]]\nname = 'gap'\nsystem = 'constraint_error'\n"
#define START "[solver]\ntype = 'generalized_alpha'\nend_time = 0\nstep = 0.001\n"

static tn_outcome run(const char *model, const char *results)
{
    return tn_tenon(TN_WORDS("run", tn_write("start.toml", model), "--out", results));
}

/* Values of the first row, from this column on. */
static void read_values(const tn_csv_table *table, const char *first, size_t count, double *value)
{
    for (size_t k = 0, column = tn_column_of(table, first); k < count; k++)
        value[k] = tn_csv_value(table, 0, column + k);
}

static void check_values(const tn_csv_table *table, const char *first, size_t count, const double *expected,
                         double tolerance)
{
    double value[9];
    read_values(table, first, count, value);
    for (size_t k = 0; k < count; k++)
        if (!(fabs(value[k] - expected[k]) <= tolerance))
            fail_msg("%s: number %zu is %.17g, not %.17g", first, k, value[k], expected[k]);
}

/* ---- frames that are turned far -------------------------------------------------------------------------- */

enum { ANGLES = 6 };

/* Bodies whose frames are turned by 120 to 170 degrees about many axes, and stand somewhere else. */
static const char *turned_frames(const char *joint)
{
    return tn_format(
        "[[marker]]\nname = 'base'\ntype = 'frame'\nelement = 'ground'\n"
        "rotation = { axis = [1, -2, 0.5], angle = 0.7 }\n" SENSOR("base", "marker = 'base'", "rotation") GAP
        "[[repeat]]\ncount = %d\n"
        "[[repeat.element]]\nname = 'b{i}'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.02, 0.025]\n"
        "position = [0.3, '0.1*i', -0.2]\nrotation = { axis = [1, -2, 0.5], angle = 0.7 }\n"
        "[[repeat.marker]]\nname = 'f{i}'\ntype = 'frame'\nelement = 'b{i}'\nposition = [0.1, 0, 0.2]\n"
        "rotation = { axis = ['cos(i)', 'sin(i)', '0.4*i - 1'], angle = '(120 + 10*i)*DTOR' }\n"
        "[[repeat.element]]\nname = 'j{i}'\nmarkers = ['base', 'f{i}']\n%s"
        "[[repeat.sensor]]\nname = 'f{i}'\nmarker = 'f{i}'\noutput = 'rotation'\n" START,
        ANGLES, joint);
}

/* The columns of two rotation matrices that are axes which the joint holds together point the same way. */
static void axes_match_behind_the_start(void **state)
{
    (void)state;
    static const struct {
        const char *joint;
        bool same[3];
    } cases[] = {
        {"type = 'revolute'\n", {false, false, true}},
        {"type = 'cylindrical'\n", {false, false, true}},
        {"type = 'planar'\n", {false, false, true}},
        {"type = 'prismatic'\n", {true, true, true}},
        {"type = 'fixed'\n", {true, true, true}},
        {"type = 'universal'\n", {false, false, false}},
        {"type = 'generic'\nlocked = [true, true, true, false, true, true]\n", {true, false, false}},
        {"type = 'generic'\nlocked = [true, false, true, true, false, true]\n", {false, true, false}},
        {"type = 'generic'\nlocked = [false, false, false, true, true, false]\n", {false, false, true}},
        {"type = 'generic'\nlocked = [false, false, true, true, true, true]\n", {true, true, true}},
        {"type = 'generic'\nlocked = [true, true, true, false, false, true]\n", {false, false, false}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const tn_csv_table *table = tn_simulate(turned_frames(cases[k].joint), NULL);
        double base[9], frame[9];
        assert_true(tn_value_at(table, "gap", 0) < 1e-12);
        read_values(table, "base.0", 9, base);
        for (int i = 0; i < ANGLES; i++) {
            read_values(table, tn_format("f%d.0", i), 9, frame);
            for (int c = 0; c < 3; c++) {
                const double cosine =
                    base[c] * frame[c] + base[3 + c] * frame[3 + c] + base[6 + c] * frame[6 + c];
                if (cases[k].same[c] && !(cosine > 1.0 - 1e-12))
                    fail_msg("%sframe %d: axes %d have a cosine of %g", cases[k].joint, i, c, cosine);
            }
        }
    }
}

/* x of the first and y of the last are parallel: there the row of a universal joint has no slope. */
static void a_universal_joint_without_slope_closes(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        BODY("b", "") JOINT("j", "universal", "'ground'",
                            "{ element = 'b', rotation = { axis = [0, 0, 1], angle = '-90 [deg]' } }")
            SENSOR("gap", "element = 'j'", "constraint_error") START,
        NULL);
    assert_true(tn_value_at(table, "gap", 0) < 1e-12);
}

/* Open chains of all joints, whose bodies lie about: they can be closed from anywhere. */
static void chains_close_from_anywhere(void **state)
{
    (void)state;
    static const char *const types[] = {"revolute",  "prismatic", "cylindrical", "fixed",
                                        "universal", "planar",    "spherical"};
    tn_random random = {7};
    for (int chain = 0; chain < 12; chain++) {
        const char *model = GAP START;
        for (int i = 0; i < 12; i++)
            model = tn_format(
                "[[element]]\nname = 'b%d'\ntype = 'rigid_body'\nmass = %g\ninertia = [0.01, 0.02, 0.02]\n"
                "position = [%g, %g, %g]\nrotation = { axis = [%g, %g, 1], angle = %g }\n" //
                JOINT("j%d", "%s", "'%s'", "{ element = 'b%d', position = [-0.5, 0, 0] }") "%s",
                i, pow(10.0, tn_draw(&random, -1.0, 1.0)), tn_draw(&random, -0.5, 0.5) + 0.8 * i,
                tn_draw(&random, -0.5, 0.5), tn_draw(&random, -0.5, 0.5), tn_draw(&random, -2.0, 2.0),
                tn_draw(&random, -2.0, 2.0), tn_draw(&random, -2.5, 2.5), i,
                types[(int)tn_draw(&random, 0.0, 6.999)], i ? tn_format("b%d", i - 1) : "ground", i, model);
        assert_true(tn_value_at(tn_simulate(model, NULL), "gap", 0) < 1e-12);
    }
}

/* Crank 1 m, coupler 2 m, rocker 1.5 m, ground 2 m, elbow up, with revolutes; the bodies are displaced by a tenth. */
static void a_four_bar_closes_to_its_own_branch(void **state)
{
    (void)state;
    const double crank_angle = 1.0, turn = 0.1;
    const double ax = cos(crank_angle), ay = sin(crank_angle), dx = 2.0 - ax, far = hypot(dx, ay);
    const double cosine = (4.0 + far * far - 2.25) / (4.0 * far);
    const double coupler = atan2(-ay, dx) + acos(cosine);
    const double bx = ax + 2.0 * cos(coupler), by = ay + 2.0 * sin(coupler);
    const double rocker = atan2(by, bx - 2.0);
    const char *model = tn_format(
        "[[repeat]]\ncount = 3\n[[repeat.element]]\nname = 'b{i}'\ntype = 'rigid_body'\nmass = 1\n"
        "inertia = [0.01, 0.1, 0.1]\n"
        "position = ['(i == 0)*%.17g + (i == 1)*%.17g + (i == 2)*%.17g', "
        "'(i == 0)*%.17g + (i == 1)*%.17g + (i == 2)*%.17g', 0.1]\n"
        "rotation = { axis = [0, 0.1, 1], angle = '(i == 0)*%.17g + (i == 1)*%.17g + (i == 2)*%.17g' "
        "}\n" JOINT("j0", "revolute", "'ground'", "{ element = 'b0', position = [-0.5, 0, 0] }")
            JOINT("j1", "revolute", "{ element = 'b0', position = [0.5, 0, 0] }",
                  "{ element = 'b1', position = [-1, 0, 0] }")
                JOINT("j2", "revolute", "{ element = 'b1', position = [1, 0, 0] }",
                      "{ element = 'b2', position = [0.75, 0, 0] }")
                    JOINT("j3", "revolute", "{ element = 'ground', position = [2, 0, 0] }",
                          "{ element = 'b2', position = [-0.75, 0, 0] }")
                        GAP SENSOR("crank", "element = 'j0'", "angle")
                            SENSOR("rocker", "element = 'j3'", "angle")
                                SENSOR("b1", "element = 'b1'", "position") START,
        0.5 * ax + 0.1, 0.5 * (ax + bx) - 0.2, 0.5 * (bx + 2.0) + 0.1, 0.5 * ay - 0.1, 0.5 * (ay + by) + 0.2,
        0.5 * by + 0.15, crank_angle + turn, coupler - turn, rocker + turn);
    const tn_csv_table *table = tn_simulate(model, NULL);
    assert_true(tn_value_at(table, "gap", 0) < 1e-12);
    assert_true(fabs(tn_value_at(table, "crank", 0) - crank_angle) < 2.5 * turn);
    assert_true(fabs(tn_value_at(table, "rocker", 0) - rocker) < 2.5 * turn);
    assert_true(fabs(tn_value_at(table, "b1.z", 0)) < 1e-12);
    assert_true(tn_value_at(table, "b1.y", 0) > 0.3);
}

/* ---- masses and what is told ----------------------------------------------------------------------------- */

#define POINT(name, mass, x, v)                                                            \
    "[[element]]\nname = '" name "'\ntype = 'mass_point'\nmass = " mass "\nposition = [" x \
    ", 0, 0]\nvelocity = [" v ", 0, 0]\n" SENSOR(name, "element = '" name "'", "position") \
        SENSOR(name "_v", "element = '" name "'", "velocity")

/* Momentum and centre of mass stay: the heavier moves less; velocities agree behind it. */
static void the_heavier_moves_less_and_it_is_told(void **state)
{
    (void)state;
    const char *model = POINT("light", "1", "0", "0") POINT("heavy", "3", "1", "8")
        JOINT("pin", "spherical", "'light'", "'heavy'") START;
    const tn_outcome outcome = run(model, "told");
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors,
                   TN_WORDS("moved `light` by 0.75 m", "changed its velocity by 6 m/s",
                            "moved `heavy` by 0.25 m", "changed its velocity by 2 m/s", "at 0 s"));
    const tn_csv_table *table = tn_sensors(tn_scratch_path("told"));
    check_values(table, "light.x", 3, (const double[]){0.75, 0, 0}, 1e-14);
    check_values(table, "heavy.x", 3, (const double[]){0.75, 0, 0}, 1e-14);
    check_values(table, "light_v.x", 3, (const double[]){6, 0, 0}, 1e-13);
    check_values(table, "heavy_v.x", 3, (const double[]){6, 0, 0}, 1e-13);

    const tn_outcome quiet =
        tn_tenon(TN_WORDS("run", tn_write("start.toml", model), "--quiet", "--out", "quiet"));
    assert_int_equal(quiet.status, 0);
    tn_check_holds(quiet.errors,
                   TN_WORDS("start.toml:1:1: warning: the constraints moved `light` by 0.75 m"));
    tn_check_holds(tn_run_text(tn_scratch_path("quiet"), "run.warnings.0"),
                   TN_WORDS("start.toml:1:1: warning: the constraints moved `light` by 0.75 m"));
}

/* What moves by less than a tenth of the size of the model, or turns by less than 0.1 rad, is no reason to worry. */
static void small_corrections_are_notes(void **state)
{
    (void)state;
    const char *model = POINT("a", "1", "0", "0") POINT("b", "1", "0.01", "0") POINT("c", "1", "5", "0")
        JOINT("pin", "spherical", "'a'", "'b'") START;
    const tn_outcome quiet =
        tn_tenon(TN_WORDS("run", tn_write("start.toml", model), "--quiet", "--out", "small"));
    assert_int_equal(quiet.status, 0);
    assert_string_equal(quiet.errors, "");
    tn_check_holds(tn_run_text(tn_scratch_path("small"), "run.notes.0"),
                   TN_WORDS("start.toml:1:1: note: the constraints moved `a` by 0.005 m"));
}

/* Every body is where a motion or a joint to a driven one takes it: that is one line, not one for each. */
static void bodies_that_follow_motions_are_told_of_in_one_line(void **state)
{
    (void)state;
    char model[4096] = "[[element]]\nname = 'drive'\ntype = 'motion'\nmarkers = ['ground', 'b0']\n"
                       "direction = [1, 0, 0]\nvalue = '0.001 + 0.5*time'\n"
                       "[[element]]\nname = 'rail'\ntype = 'prismatic'\nmarkers = ['ground', 'b0']\n";
    for (int k = 0; k < 9; k++)
        (void)snprintf(model + strlen(model), sizeof model - strlen(model),
                       "[[element]]\nname = 'b%d'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                       "%s",
                       k,
                       k ? tn_format("[[element]]\nname = 'w%d'\ntype = 'fixed'\nmarkers = ['b%d', 'b%d']\n",
                                     k, k - 1, k)
                         : "");
    const tn_outcome outcome = run(tn_format("%s%s", model, START), "driven");
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("all 9 bodies follow motions", "up to 0.001 m (`b", "0.5 m/s"));
    assert_null(strstr(outcome.errors, "the constraints moved"));
}

/* ---- bodies that are pinned ------------------------------------------------------------------------------ */

#define PLACED                                                                                          \
    "position = [0.1, 0.2, 0.3]\nrotation = { axis = [1, 2, -3], angle = 1.3 }\nvelocity = [1, 2, 3]\n" \
    "angular_velocity = [0.3, -0.2, 0.7]\n"
#define ALL_OF(name)                                        \
    SENSOR(name "_p", "element = '" name "'", "position")   \
    SENSOR(name "_q", "element = '" name "'", "quaternion") \
    SENSOR(name "_v", "element = '" name "'", "velocity")   \
    SENSOR(name "_w", "element = '" name "'", "angular_velocity_local")

/* All numbers of a body against those of another one, in a table of its own. */
static void check_same(const tn_csv_table *table, const char *body, const tn_csv_table *other_table,
                       const char *other, double tolerance)
{
    static const struct {
        const char *first;
        size_t count;
    } columns[] = {{"p.x", 3}, {"q.0", 4}, {"v.x", 3}, {"w.x", 3}};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        double expected[4];
        read_values(other_table, tn_format("%s_%s", other, columns[k].first), columns[k].count, expected);
        check_values(table, tn_format("%s_%s", body, columns[k].first), columns[k].count, expected,
                     tolerance);
    }
}

/* To the last bit as without any joint; the other one comes, and brings a third one along. */
static void a_pinned_body_stays_and_the_others_come(void **state)
{
    (void)state;
    const tn_csv_table *alone = tn_simulate(BODY("alone", PLACED) ALL_OF("alone") START, NULL);
    const char *model =
        BODY("held", "pinned = true\n" PLACED) ALL_OF("held") BODY("free", "position = [3, 0, 0]\n")
            ALL_OF("free") BODY("last", "position = [3, 1, 0]\n") JOINT("weld", "fixed", "'held'", "'free'")
                JOINT("pin", "spherical", "'free'", "{ element = 'last', position = [0, -1, 0] }") GAP START;
    const tn_outcome outcome = run(model, "pinned");
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("moved `free`", "moved `last`"));
    assert_null(strstr(outcome.errors, "held"));
    const tn_csv_table *table = tn_sensors(tn_scratch_path("pinned"));
    check_same(table, "held", alone, "alone", 0.0);
    check_same(table, "free", alone, "alone", 1e-13);
    assert_true(tn_value_at(table, "gap", 0) < 1e-13);
}

/* Two wheels in mesh: the one that is pinned keeps its angle and speed. */
static void coordinates_may_be_pinned(void **state)
{
    (void)state;
    static const char *const pins[2][2] = {{"pinned = true\n", ""}, {"", "pinned = true\n"}};
    static const double angles[2][2] = {{0.5, 1.0}, {0.4, 0.8}}, speeds[2][2] = {{3, 6}, {2, 4}};
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *table = tn_simulate(
            tn_format("[[element]]\nname = 'a'\ntype = 'rotor_1d'\ninertia = 1\nangle = 0.5\nspeed = 3\n%s"
                      "[[element]]\nname = 'b'\ntype = 'rotor_1d'\ninertia = 2\nangle = 0.8\nspeed = 4\n%s"
                      "[[element]]\nname = 'mesh'\ntype = 'coordinate_constraint'\nmarkers = ['a', 'b']\n"
                      "factors = [2, -1]\n" SENSOR("a", "element = 'a'", "coordinate")
                          SENSOR("b", "element = 'b'", "coordinate") SENSOR("va", "element = 'a'", "velocity")
                              SENSOR("vb", "element = 'b'", "velocity") START,
                      pins[k][0], pins[k][1]),
            NULL);
        check_values(table, "a", 1, &angles[k][0], k == 0 ? 0.0 : 1e-15);
        check_values(table, "b", 1, &angles[k][1], k == 1 ? 0.0 : 1e-15);
        check_values(table, "va", 1, &speeds[k][0], k == 0 ? 0.0 : 1e-14);
        check_values(table, "vb", 1, &speeds[k][1], k == 1 ? 0.0 : 1e-14);
    }
}

/* It falls with the other one. */
static void a_pin_holds_at_the_start_only(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        "[model]\ngravity = [0, 0, -10]\n" BODY("held", "pinned = true\n")
            BODY("free", "position = [1, 0, 0]\n") ALL_OF("held")
                JOINT("weld", "fixed", "'held'",
                      "'free'") "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 0.01\n",
        NULL);
    assert_true(fabs(tn_value_at(table, "held_p.z", 1) + 5.0) < 1e-3);
}

/* Where a joint is switched on during the run, both sides of it move, pinned or not at the start. */
static void a_pin_does_not_hold_at_a_change(void **state)
{
    (void)state;
    const tn_csv_table *table = tn_simulate(
        "[[element]]\nname = 'a'\ntype = 'mass_point'\nmass = 1\npinned = true\nvelocity = [0, 0, 0]\n"
        "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\npinned = "
        "true\n" JOINT("pin", "spherical", "'a'", "'b'") "active = false\n" SENSOR(
            "a", "element = 'a'",
            "position") "[[change]]\ntime = 0.1\nelement = 'pin'\nactive = true\n"
                        "[solver]\ntype = 'generalized_alpha'\nend_time = 0.2\nstep = 0.01\n",
        NULL);
    assert_true(fabs(tn_value_at(table, "a.x", 0)) == 0.0);
    assert_true(fabs(tn_value_at(table, "a.x", 0.2) - 0.5) < 1e-12);
}

static void connectors_have_nothing_to_pin(void **state)
{
    (void)state;
    const tn_outcome joint = tn_tenon(
        TN_WORDS("check", tn_write("start.toml", BODY("b", "") JOINT("pin", "spherical", "'ground'",
                                                                     "'b'") "pinned = true\n" START)));
    assert_int_equal(joint.status, 2);
    tn_check_holds(joint.errors, TN_WORDS("start.toml:10:1: error: unknown key `pinned`"));
    const tn_outcome number =
        tn_tenon(TN_WORDS("check", tn_write("start.toml", BODY("b", "pinned = 1\n") START)));
    assert_int_equal(number.status, 2);
    tn_check_holds(number.errors,
                   TN_WORDS("start.toml:6:10: error: `pinned` of `b`: true or false is expected"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_match_behind_the_start),
        cmocka_unit_test(a_universal_joint_without_slope_closes),
        cmocka_unit_test(chains_close_from_anywhere),
        cmocka_unit_test(a_four_bar_closes_to_its_own_branch),
        cmocka_unit_test(the_heavier_moves_less_and_it_is_told),
        cmocka_unit_test(small_corrections_are_notes),
        cmocka_unit_test(bodies_that_follow_motions_are_told_of_in_one_line),
        cmocka_unit_test(a_pinned_body_stays_and_the_others_come),
        cmocka_unit_test(coordinates_may_be_pinned),
        cmocka_unit_test(a_pin_holds_at_the_start_only),
        cmocka_unit_test(a_pin_does_not_hold_at_a_change),
        cmocka_unit_test(connectors_have_nothing_to_pin),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

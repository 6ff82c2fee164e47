/* test_contact_penalty.c - motions with contact by penalty against closed solutions, under all solvers; and what models of shapes and
 * materials are refused for */
#include "harness.h"

#include <math.h>

#define PAIR(more) "[[material_pair]]\na = 'steel'\nb = 'steel'\n" more "\n"
#define BODY(name, more)                                                                                    \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.001, 0.001, 0.001]\n" more \
    "\n"
#define SHAPE(name, element, more) \
    "[[marker]]\nname = '" name "'\ntype = 'shape'\nelement = '" element "'\nmaterial = 'steel'\n" more "\n"
#define SPHERE(name, element, radius) SHAPE(name, element, "kind = 'sphere'\nradius = " radius)
#define FLOOR SHAPE("floor", "ground", "kind = 'plane'")
#define CONTACT(shapes, more) \
    "[[element]]\nname = 'touch'\ntype = 'contact'\nlaw = 'penalty'\nshapes = [" shapes "]\n" more "\n"
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define OUTPUT(name) "[[sensor]]\nname = '" name "'\nelement = 'touch'\noutput = '" name "'\n"

/* What each solver is asked for: names of the program's solvers, with their settings. */
static const struct {
    const char *name, *settings;
} solvers[] = {{"radau", ""},
               {"ida", ""},
               {"rk", "relative_tolerance = 1e-7\n"},
               {"generalized_alpha", "tolerance = 1e-6\n"}};
enum { SOLVERS = sizeof solvers / sizeof *solvers };
enum { LONG_STRIDE = TN_SANITIZED ? 2 : 1 }; /* through solvers where motions take long */

static const tn_csv_table *run(const char *model, size_t solver, double end, double interval)
{
    return tn_simulate(tn_format("%s[solver]\ntype = '%s'\n%send_time = %g\n[output]\ninterval = %g\n", model,
                                 solvers[solver].name, solvers[solver].settings, end, interval),
                       NULL);
}

static void expect_near(double value, double expected, double tolerance, size_t solver)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.12g instead of %.12g", solvers[solver].name, value, expected);
}

/* ---- impacts --------------------------------------------------------------------------------------------------------- */

/* Two spheres of 1 kg that meet at +-v. */
static const char *meeting_spheres(double e, double v, double exponent)
{
    return tn_format(PAIR("restitution = %.17g\nstiffness = 1e6\nexponent = %.17g")
                         BODY("left", "position = [-0.6, 0, 0]\nvelocity = [%.17g, 0, 0]")
                             BODY("right", "position = [0.6, 0, 0]\nvelocity = [%.17g, 0, 0]")
                                 SPHERE("one", "left", "0.5") SPHERE("other", "right", "0.5")
                                     CONTACT("'one', 'other'", "") SENSOR("v", "VX(left)")
                                         SENSOR("w", "VX(right)"),
                     e, exponent, v, -v);
}

static void test_two_spheres_give_back_what_the_restitution_says(void **state)
{
    (void)state;
    static const double restitutions[] = {0.0, 0.25, 0.5, 0.75, 1.0};
    for (size_t solver = 0; solver < SOLVERS; solver++)
        for (size_t k = 0; k < 5; k++) {
            const double e = restitutions[k];
            const tn_csv_table *rows = run(meeting_spheres(e, 1.0, 1.5), solver, 0.2, 0.2);
            expect_near(tn_value_at(rows, "v", 0.2), -e, 1e-3, solver);
            expect_near(tn_value_at(rows, "w", 0.2), e, 1e-3, solver);
        }
}

/* Wherever in the step they meet; 1e-4 s is a tenth of the time that they touch. */
static void test_steps_that_pass_over_the_impact_know_its_speed(void **state)
{
    (void)state;
    static const double restitutions[] = {0.0, 0.25, 0.5, 1.0};
    for (size_t k = 0; k < 4; k++)
        for (int part = 0; part < 3; part++) {
            const double v = 1 + 1e-4 * part;
            const tn_csv_table *rows =
                tn_simulate(tn_format("%s[solver]\ntype = 'generalized_alpha'\nstep = 1e-4\nend_time = 0.2\n"
                                      "[output]\ninterval = 0.2\n",
                                      meeting_spheres(restitutions[k], v, 1.5)),
                            NULL);
            expect_near(tn_value_at(rows, "w", 0.2), restitutions[k] * v, 1e-3, SOLVERS - 1);
        }
}

/* Light and heavy balls that fall and stay, for both exponents; the energy is accounted for. */
static void test_a_ball_without_restitution_stays_where_it_lands(void **state)
{
    (void)state;
    static const struct {
        double mass, height, stiffness, exponent;
    } falls[] = {{1, 0.2, 1e8, 1.5}, {1, 0.2, 1e5, 1}, {100, 0.05, 1e8, 1.5}, {1e-3, 1, 1e5, 1}};
    for (size_t solver = 0; solver < SOLVERS; solver++)
        for (size_t k = 0; k < sizeof falls / sizeof *falls; k++) {
            const double m = falls[k].mass, weight = 10 * m, h = falls[k].height;
            const tn_csv_table *rows =
                run(tn_format("[model]\ngravity = [0, 0, -10]\n" PAIR(
                                  "restitution = 0\nstiffness = %.17g\nexponent = "
                                  "%.17g") "[[element]]\nname = "
                                           "'ball'\ntype = "
                                           "'rigid_body'\n"
                                           "mass = %.17g\ninertia = [1, 1, "
                                           "1]\nposition = [0, 0, %.17g]\n" SPHERE("skin", "ball", "0.1")
                                               FLOOR CONTACT("'skin', 'floor'", "") SENSOR("v", "VZ(ball)")
                                                   OUTPUT("gap") OUTPUT("normal_force")
                                                       OUTPUT("dissipated_energy"),
                              falls[k].stiffness, falls[k].exponent, m, 0.1 + h),
                    solver, 2, 0.02);
            const double depth = pow(weight / falls[k].stiffness, 1 / falls[k].exponent);
            for (size_t row = 0; row < rows->rows; row++)
                assert_true(tn_csv_value(rows, row, tn_column_of(rows, "v")) < 1e-3 * sqrt(20 * h));
            expect_near(tn_value_at(rows, "gap", 2) / depth, -1, 3e-2, solver); /* it creeps there */
            expect_near(tn_value_at(rows, "normal_force", 2) / weight, 1, 1e-3, solver);
            expect_near(tn_value_at(rows, "dissipated_energy", 2) / (weight * h), 1, 0.01, solver);
        }
}

/* A contact that begins to act on what overlaps goes by the speed of then. */
static void test_a_contact_that_is_switched_on_presses_from_there(void **state)
{
    (void)state;
    const char *model = tn_format(
        "[model]\ngravity = [0, 0, -10]\n" PAIR("restitution = 0.5\nstiffness = 1e4\nexponent = 1")
            BODY("ball", "position = [0, 0, 0.1]") SPHERE("skin", "ball", "0.1")
                FLOOR CONTACT("'skin', 'floor'", "active = false") SENSOR("v", "VZ(ball)") OUTPUT("points")
                    OUTPUT("gap") "[[change]]\ntime = 0.01\nelement = 'touch'\nactive = true\n"
                                  "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n");
    for (size_t solver = 0; solver < SOLVERS; solver++) {
        const tn_csv_table *rows = run(model, solver, 2, 0.005);
        expect_near(tn_value_at(rows, "points", 0.005), 0, 0, solver);
        expect_near(tn_value_at(rows, "gap", 2), -1e-3, 1e-5, solver);
        expect_near(tn_value_at(rows, "balance", 2), tn_value_at(rows, "balance", 0.02), 1e-3, solver);
    }
}

/* From 0.05 to 20 m/s, for any exponent: the damping follows from the speed of each impact. */
static void test_restitution_does_not_depend_on_the_speed(void **state)
{
    (void)state;
    for (double v = 0.05; v < 50; v *= 20) {
        for (double n = 1.0; n < 2.1; n += 0.5) {
            const tn_csv_table *rows = run(meeting_spheres(0.6, v, n), 0, 0.4 / v, 0.4 / v);
            expect_near(tn_csv_value(rows, rows->rows - 1, tn_column_of(rows, "v")) / v, -0.6, 1e-3, 0);
        }
    }
}

/* ---- at rest, sliding, rolling ------------------------------------------------------------------------------------------ */

static void test_a_ball_rests_on_its_spring(void **state)
{
    (void)state;
    const char *model = "[model]\ngravity = [0, 0, -10]\n" PAIR("damping = 1\nstiffness = 1e4\nexponent = 1")
        BODY("ball", "position = [0, 0, 0.1]") SPHERE("skin", "ball", "0.1")
            FLOOR CONTACT("'skin', 'floor'", "") OUTPUT("gap") OUTPUT("normal_force");
    for (size_t solver = 0; solver < SOLVERS; solver++) {
        const tn_csv_table *rows = run(model, solver, 3, 3);
        expect_near(tn_value_at(rows, "gap", 3), -1e-3, 1e-6, solver);
        expect_near(tn_value_at(rows, "normal_force", 3), 10, 1e-2, solver);
    }
}

/* A flat box on a plane, gravity turned by an angle; 5 m/s or at rest. */
static const char *block(double angle, double speed, const char *law)
{
    const double g = 9.81;
    return tn_format("[model]\ngravity = [%.17g, 0, %.17g]\n" PAIR(
                         "friction = 0.5\nrestitution = 0.5\nstiffness = 1e6\nexponent = 1")
                         BODY("block", "position = [0, 0, 0.05]\nvelocity = [%.17g, 0, 0]")
                             SHAPE("box", "block", "kind = 'box'\nsize = [0.4, 0.4, 0.1]")
                                 FLOOR CONTACT("'floor', 'box'", "%s") SENSOR("x", "DX(block)")
                                     OUTPUT("friction_force") OUTPUT("dissipated_energy"),
                     g * sin(angle), -g * cos(angle), speed, law);
}

static void test_a_block_that_slides_stops(void **state)
{
    (void)state;
    for (size_t solver = 0; solver < SOLVERS; solver += LONG_STRIDE) {
        const tn_csv_table *rows =
            run(block(0, 5, solver % 2 ? "friction_law = 'bristle'" : ""), solver, 2, 2);
        expect_near(tn_value_at(rows, "x", 2), 2.548420, 5e-3 * 2.548420, solver);
        expect_near(tn_value_at(rows, "dissipated_energy", 2), 12.5, 0.01, solver);
    }
}

static void test_a_block_on_a_steep_incline_slides(void **state)
{
    (void)state;
    for (size_t solver = 0; solver < SOLVERS; solver++) {
        const tn_csv_table *rows = run(block(acos(-1) / 6, 0, "slip_speed = 1e-4"), solver, 2, 2);
        expect_near(tn_value_at(rows, "x", 2), 1.3142907889, 1e-3 * 1.3142907889, solver);
    }
}

/* tan 20 deg is below 0.5: the bristles bend, and then nothing moves any more. */
static void test_bristles_hold_a_block_without_creep(void **state)
{
    (void)state;
    for (size_t solver = 0; solver < SOLVERS; solver += LONG_STRIDE) {
        const tn_csv_table *rows = run(block(acos(-1) / 9, 0, "friction_law = 'bristle'"), solver, 10, 5);
        const double creep = tn_value_at(rows, "x", 10) - tn_value_at(rows, "x", 5);
        expect_near(creep, 0, 1e-9, solver);
        expect_near(tn_value_at(rows, "friction_force", 10), 9.81 * sin(acos(-1) / 9), 1e-6, solver);
    }
}

/* The slip falls by 7 mu g/2 per second until it is gone; from then on the sphere rolls. */
static void test_a_sphere_rolls_when_it_has_lost_its_slip(void **state)
{
    (void)state;
    const char *model = "[model]\ngravity = [0, 0, -9.81]\n" PAIR(
        "friction = 0.2\nrestitution = 0.5\nstiffness = 1e7\nexponent = 1")
        BODY("ball", "position = [0, 0, 0.05]\nvelocity = [1, 0, 0]") SPHERE("skin", "ball", "0.05")
            FLOOR CONTACT("'floor', 'skin'", "slip_speed = 1e-4") SENSOR("v", "VX(ball)") OUTPUT("slip");
    for (size_t solver = 0; solver < SOLVERS; solver++) {
        const tn_csv_table *rows = run(model, solver, 0.2, 1e-3);
        const double early = tn_value_at(rows, "slip", 0.05), late = tn_value_at(rows, "slip", 0.14);
        expect_near(0.14 + late * 0.09 / (early - late), 0.145623999, 1e-3 * 0.145623999, solver);
        expect_near(tn_value_at(rows, "slip", 0.146), 0, 1e-3, solver);
        expect_near(tn_value_at(rows, "v", 0.2), 0.714285714, 1e-4, solver);
    }
}

/* Four corners hit at once, again and again, until the box slides to rest: the same under all solvers, for both exponents, with and without
 * bristles, and the energy is accounted for. */
static void test_a_flat_box_that_falls_comes_to_rest(void **state)
{
    (void)state;
    static const char *const laws[] = {"stiffness = 1e6\nexponent = 1", "stiffness = 1e8\nexponent = 1.5"};
    static const char *const friction[] = {"friction_law = 'bristle'", "slip_speed = 1e-3"};
    double x[4];
    for (size_t solver = 0; solver < SOLVERS - 1; solver++) /* generalized_alpha: see contact.md */
        for (int k = 0; k < 4; k += 2 * LONG_STRIDE - 1) {
            const tn_csv_table *rows = run(
                tn_format(
                    "[model]\ngravity = [0, 0, -9.81]\n" PAIR("friction = 0.5\nrestitution = 0.5\n%s")
                        BODY("block", "position = [0, 0, 0.15]\nvelocity = [0.3, 0, 0]") SHAPE(
                            "box", "block",
                            "kind = 'box'\nsize = [0.2, 0.2, 0.1]") FLOOR CONTACT("'floor', 'box'", "%s")
                            SENSOR("x", "DX(block)") SENSOR("v", "VM(block)") OUTPUT(
                                "normal_force") "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n",
                    laws[k % 2], friction[k / 2]),
                solver, 1, 0.1);
            expect_near(tn_value_at(rows, "normal_force", 1), 9.81, 1e-4, solver);
            expect_near(tn_value_at(rows, "v", 1), 0, 1e-8, solver);
            if (!solver) x[k] = tn_value_at(rows, "x", 1);
            expect_near(tn_value_at(rows, "x", 1), x[k], 2e-5, solver);
            expect_near(x[k], 0.04, 0.003, solver);
            expect_near(tn_value_at(rows, "balance", 1), tn_value_at(rows, "balance", 0), 1e-4, solver);
        }
}

/* Three boxes fall onto each other, corner after corner at nearly the same time, and come to rest. */
static void test_boxes_that_fall_make_a_stack(void **state)
{
    (void)state;
    const char *model = "[model]\ngravity = [0, 0, -9.81]\n" PAIR("friction = 0.5\nrestitution = "
                                                                  "0.3\nstiffness = 1e7\nexponent = 1")
        SHAPE(
            "top_0", "ground",
            "kind = 'plane'") "[[repeat]]\nvariable = 'k'\ncount = 3\n"
                              "[[repeat.element]]\nname = 'box_{k + 1}'\ntype = 'rigid_body'\nmass = "
                              "10\ninertia "
                              "= [0.1, 0.1, 0.1]\n"
                              "position = ['0.01*(k + 1)', 0, '0.12 + 0.22*k']\n"
                              "[[repeat.marker]]\nname = 'skin_{k + 1}'\ntype = 'shape'\nelement = 'box_{k + "
                              "1}'\nmaterial = 'steel'\n"
                              "kind = 'box'\nsize = [0.3, 0.3, 0.2]\n"
                              "[[repeat.marker]]\nname = 'top_{k + 1}'\ntype = 'shape'\nelement = 'box_{k + "
                              "1}'\nmaterial = 'steel'\n"
                              "kind = 'plane'\nposition = [0, 0, 0.1]\n"
                              "[[repeat.element]]\nname = 'on_{k}'\ntype = 'contact'\nlaw = "
                              "'penalty'\nshapes = "
                              "['top_{k}', 'skin_{k + 1}']\n"
                              "slip_speed = 0.01\n"
                              "[[repeat.sensor]]\nname = 'N_{k}'\nelement = 'on_{k}'\noutput = "
                              "'normal_force'\n"
                              "[[repeat.sensor]]\nname = 'points_{k}'\nelement = 'on_{k}'\noutput = "
                              "'points'\n";
    for (size_t solver = 0; solver < 3; solver++) { /* generalized_alpha: see contact.md */
        const tn_csv_table *rows = run(model, solver, 2, 2);
        for (int k = 0; k < 3; k++) {
            expect_near(tn_value_at(rows, tn_format("N_%d", k), 2), 98.1 * (3 - k), 1e-5, solver);
            expect_near(tn_value_at(rows, tn_format("points_%d", k), 2), 4, 0, solver);
        }
    }
}

/* ---- the kernel's part --------------------------------------------------------------------------------------------------- */

/* Rows of spheres by impulses: no matrix couples them, and no tangent is made, however many there are. */
static void test_hundreds_of_shapes_by_impulses_have_no_tangent(void **state)
{
    (void)state;
    tn_world world;
    const char *model = PAIR("friction = 0.5") FLOOR
        "[[repeat]]\ncount = 300\n[[repeat.element]]\nname = 'ball_{i}'\ntype = 'rigid_body'\nmass = 1\n"
        "inertia = [0.1, 0.1, 0.1]\nposition = ['i', 0, 0.5]\n[[repeat.marker]]\nname = 'skin_{i}'\ntype = "
        "'shape'\n"
        "element = 'ball_{i}'\nkind = 'sphere'\nradius = 0.4\nmaterial = 'steel'\n"
        "[[element]]\nname = 'touch'\ntype = 'contact'\nlaw = 'impulse'\nshapes = ['floor'%s]\n"
        "[solver]\ntype = 'generalized_alpha'\nstep = 0.01\nend_time = 1\n";
    char list[300 * 16] = "";
    size_t length = 0;
    for (int k = 0; k < 300; k++)
        length += (size_t)snprintf(list + length, sizeof list - length, ", 'skin_%d'", k);
    tn_world_open(&world, tn_format(model, list), NULL, NULL);
    for (size_t k = 0; k < world.assembly->group_count; k++) {
        const tn_group *group = &world.assembly->group[k];
        if (!group->type->points) continue;
        assert_int_equal(group->batch.marker_count, 301);
        assert_null(group->force);
        assert_int_equal(group->batch.tangent_stride, 0);
    }
    tn_world_open_linear(&world);
    assert_int_equal(world.system->evaluate(world.system), TN_OK);
    assert_int_equal(world.system->matrix(world.system, 1, 1, 1), TN_OK);
    assert_int_equal(world.assembly->equations.matrix.size, 1800);
    assert_true(world.assembly->equations.matrix.column_start[1800] <= 300 * 36);
    tn_world_close(&world);
}

static void test_results_are_the_same_under_guard_and_on_threads(void **state)
{
    (void)state;
    const char *model = block(0.4, 1, "friction_law = 'bristle'");
    const tn_csv_table *alone = run(model, 0, 0.2, 0.2);
    for (int k = 0; k < 2; k++) {
        const char *const *words = k ? TN_WORDS("--guard") : TN_WORDS("--threads", "2");
        const tn_csv_table *rows = tn_simulate(
            tn_format("%s[solver]\ntype = 'radau'\nend_time = 0.2\n[output]\ninterval = 0.2\n", model),
            words);
        assert_true(tn_value_at(rows, "x", 0.2) == tn_value_at(alone, "x", 0.2));
    }
}

/* Corner after corner lands at an exponent of 1, where round-off holds the gaps of some at 0 for a while. */
static void test_boxes_that_land_corner_by_corner_come_to_rest(void **state)
{
    (void)state;
    static const struct {
        const char *law, *motion;
        double tolerance;
    } falls[] = {
        {"restitution = 0.5\nstiffness = 1e7",
         "position = [0, 0, 0.180915]\nrotation = { axis = [0.142805, -0.142222, 0.156183], angle = 0.3 }\n"
         "velocity = [0, -1.86239, 0]\nangular_velocity = [1.8096, 0, 0.412762]",
         1e-5},
        {"restitution = 0.2\nstiffness = 1e6",
         "position = [0, 0, 0.291053]\nrotation = { axis = [-0.786343, 0.405171, 0.304084], angle = 0.001 }\n"
         "velocity = [0.940527, 0.936237, -0.788048]\nangular_velocity = [0, -0.945934, -0.567869]",
         1e-4}};
    for (size_t k = 0; k < sizeof falls / sizeof *falls; k++) {
        const char *model = tn_format(
            "[model]\ngravity = [0, 0, -9.81]\n" PAIR("friction = 0.3\nexponent = 1\n%s") FLOOR
            "[[element]]\nname = 'box'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.0066, 0.0066, "
            "0.0066]\n%s\n" SHAPE("corners", "box", "kind = 'box'\nsize = [0.2, 0.2, 0.2]")
                CONTACT("'floor', 'corners'", "friction_law = 'bristle'") SENSOR("z", "DZ(box)") SENSOR(
                    "tilt", "ABS(WX(box)) + ABS(WY(box))") "[solver]\ntype = 'generalized_alpha'\ntolerance "
                                                           "= %g\nend_time = 2\n[output]\n"
                                                           "interval = 0.1\n",
            falls[k].law, falls[k].motion, falls[k].tolerance);
        const tn_csv_table *t = tn_simulate(model, NULL);
        assert_true(fabs(tn_value_at(t, "z", 2.0) - 0.1) < 1e-5 && fabs(tn_value_at(t, "tilt", 2.0)) < 1e-3);
    }
}

/* ---- mistakes --------------------------------------------------------------------------------------------------------------- */

#define BALL BODY("ball", "position = [0, 0, 0.1]") SPHERE("skin", "ball", "0.1")
#define END "[solver]\ntype = 'radau'\nend_time = 1\n"

static void expect_errors(const char *model, const char *const *words)
{
    const char *path = tn_write("wrong.toml", model);
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", path));
    assert_int_equal(outcome.status, 2);
    tn_check_holds(outcome.errors, words);
}

static void test_pairs_of_materials_are_checked(void **state)
{
    (void)state;
    expect_errors(PAIR("restitution = 1.5") BALL END, TN_WORDS(":4:15: error: `restitution`", "at most 1"));
    expect_errors(PAIR("friction = -1") BALL END, TN_WORDS(":4:12: error: `friction`", "at least 0"));
    expect_errors(PAIR("friction = 0.1") PAIR("friction = 0.2") BALL END,
                  TN_WORDS(":5:1: error: `steel` and `steel` have a pair already, in line 1"));
    expect_errors("[[material_pair]]\na = 'steel'\n" BALL END,
                  TN_WORDS("missing key `b` of [[material_pair]]"));
    expect_errors(PAIR("friktion = 0.1") BALL END, TN_WORDS("unknown key `friktion`", "`friction`"));
    expect_errors(PAIR("friction = 0.5\nstatic_friction = 0.4") BALL END,
                  TN_WORDS(":5:19: error: `static_friction` is below `friction`, 0.5"));
    expect_errors(PAIR("exponent = 0.5") BALL END, TN_WORDS("`exponent`", "at least 1"));
    expect_errors(PAIR("restitution = 1\ndamping = 1") BALL END, TN_WORDS("give one of them"));
    const char *path = tn_write("steep.toml", PAIR("friction = 11") BALL END);
    const tn_outcome outcome = tn_tenon(TN_WORDS("check", path));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors,
                   TN_WORDS("steep.toml:4:12: warning: `friction`: a coefficient of friction of 11"));
}

static void test_contacts_are_checked(void **state)
{
    (void)state;
    expect_errors(
        BALL FLOOR CONTACT("'skin', 'floor'", "") END,
        TN_WORDS("error: touch: there is no [[material_pair]] for the material `steel` of `skin` and `steel` "
                 "of `floor`"));
    expect_errors(PAIR("restitution = 0.5") BALL FLOOR CONTACT("'skin', 'floor'", "") END,
                  TN_WORDS("error: touch: law `penalty` needs a `stiffness`"));
    expect_errors(PAIR("stiffness = 1e5\nrestitution = 0.5") BALL FLOOR CONTACT("'skin', 'ground'", "") END,
                  TN_WORDS("error: touch: number 2 of these markers is none of type `shape`"));
    expect_errors(PAIR("stiffness = 1e5\nrestitution = 0.5") BALL SPHERE("other", "ball", "0.2")
                      CONTACT("'skin', 'other'", "") END,
                  TN_WORDS("error: touch: none of these shapes can touch another"));
    expect_errors(PAIR("stiffness = 1e5\nrestitution = 0.5")
                      BALL FLOOR CONTACT("'floor', 'skin', 'floor'", "") END,
                  TN_WORDS("error: touch: the shape `floor` stands here twice"));
    expect_errors(PAIR("stiffness = 1e5")
                      BALL SHAPE("can", "ground", "kind = 'cylinder'\nradius = 1\nlength = 1")
                          CONTACT("'skin', 'can'", "") END,
                  TN_WORDS("contact between `skin`, a sphere, and `can`, a cylinder, is not supported"));
    expect_errors(BALL SHAPE("hull", "ground", "kind = 'mesh'\nmesh = 'nothing.stl'") END,
                  TN_WORDS("`mesh` of `hull`", "nothing.stl"));
    expect_errors(BALL SHAPE("hull", "ground", "kind = 'sphere'\nradius = -1") END,
                  TN_WORDS("`radius` of `hull`: -1 is out of range"));
}

/* Of the exponent that the element has, also where it stiffens later. */
static void test_a_stiffness_has_the_unit_of_its_exponent(void **state)
{
    (void)state;
    static const struct {
        const char *numbers, *change, *error; /* NULL: none */
    } units[] = {{"exponent = 1\nstiffness = '10 [kN/m]'", "20 [N/mm]", NULL},
                 {"stiffness = '10 [N/mm^1.5]'", "2 [kN/mm^1.5]", NULL},
                 {"exponent = 2\nstiffness = '10 [MPa]'", "2e4", NULL},
                 {"exponent = 1\nstiffness = 1e4", "20 [N/m^1.5]",
                  "error: `stiffness` of `touch`: `20 [N/m^1.5]`: unknown unit \"N/m^1.5\": N/m is expected"},
                 {"stiffness = 1e4", "20 [N/m]", "unit N/m does not fit: N/m^1.5 is expected"},
                 {"stiffness = '1e4 [N s/m]'", "20", "unit N s/m does not fit: N/m^1.5 is expected"}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        const char *path =
            tn_write("units.toml",
                     tn_format("%s" BALL FLOOR CONTACT(
                                   "'skin', 'floor'",
                                   "restitution = 0.5\nfriction = 0\n%s") "[[change]]\ntime = 0.5\nelement = "
                                                                          "'touch'\nparameter = "
                                                                          "'stiffness'\nvalue = '%s'\n" END,
                               "", units[k].numbers, units[k].change));
        const tn_outcome outcome = tn_tenon(TN_WORDS("check", path));
        if (outcome.status != (units[k].error ? 2 : 0)) fail_msg("%zu: %s", k, outcome.errors);
        if (units[k].error) tn_check_holds(outcome.errors, TN_WORDS("units.toml:", units[k].error));
    }
}

/* A change of a number of the element is tried before the run, and made in it. */
static void test_friction_may_change(void **state)
{
    (void)state;
    const char *model = tn_format(
        "%s[[change]]\ntime = 0.5\nelement = 'touch'\nparameter = 'friction'\nvalue = 0\n", block(0, 5, ""));
    const tn_csv_table *rows = run(model, 0, 1, 0.25);
    const double before = 5 * 0.5 - 0.25 * 9.81 * 0.25, speed = 5 - 0.5 * 9.81 * 0.5;
    expect_near(tn_value_at(rows, "x", 0.5), before, 1e-4, 0);
    expect_near(tn_value_at(rows, "x", 1), before + 0.5 * speed, 2e-4, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_spheres_give_back_what_the_restitution_says),
        cmocka_unit_test(test_steps_that_pass_over_the_impact_know_its_speed),
        cmocka_unit_test(test_a_ball_without_restitution_stays_where_it_lands),
        cmocka_unit_test(test_a_contact_that_is_switched_on_presses_from_there),
        cmocka_unit_test(test_restitution_does_not_depend_on_the_speed),
        cmocka_unit_test(test_a_ball_rests_on_its_spring),
        cmocka_unit_test(test_a_block_that_slides_stops),
        cmocka_unit_test(test_a_block_on_a_steep_incline_slides),
        cmocka_unit_test(test_bristles_hold_a_block_without_creep),
        cmocka_unit_test(test_a_sphere_rolls_when_it_has_lost_its_slip),
        cmocka_unit_test(test_a_flat_box_that_falls_comes_to_rest),
        cmocka_unit_test(test_boxes_that_fall_make_a_stack),
        cmocka_unit_test(test_hundreds_of_shapes_by_impulses_have_no_tangent),
        cmocka_unit_test(test_results_are_the_same_under_guard_and_on_threads),
        cmocka_unit_test(test_boxes_that_land_corner_by_corner_come_to_rest),
        cmocka_unit_test(test_pairs_of_materials_are_checked),
        cmocka_unit_test(test_contacts_are_checked),
        cmocka_unit_test(test_a_stiffness_has_the_unit_of_its_exponent),
        cmocka_unit_test(test_friction_may_change),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_reference_variables.c - variables of every kind: values, equations, constraints hard and soft, integrals */
#include "harness.h"

#include <math.h>

static const char *const solvers[] = {"type = 'generalized_alpha'\nstep = 1e-3\n",
                                      "type = 'rk'\nstep = 1e-3\n", "type = 'gsl_ode'\nstep = 1e-3\n"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static const tn_csv_table *run_for(const char *model, const char *end, int solver)
{
    return tn_simulate(
        tn_format("%s\n[solver]\nend_time = %s\n%s[output]\ninterval = 0.1\n", model, end, solvers[solver]),
        NULL);
}

static double value_at(const tn_csv_table *run, const char *column, double time)
{
    return tn_value_at(run, column, time);
}

static void expect(const tn_csv_table *run, const char *column, double time, double value, double tolerance)
{
    const double found = value_at(run, column, time);
    if (!(fabs(found - value) <= tolerance))
        fail_msg("%s(%g) = %.12g instead of %.12g", column, time, found, value);
}

/* ---- explicit -------------------------------------------------------------------------------------------- */

static const char body[] =
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 4\ninertia = [0.006, 0.005, 0.004]\n"
    "velocity = [1, 2, -1]\nangular_velocity = [3, -2, 5]\nid = 1011\n";

/* Principal moments belong to the body's axes: with components in ground axes it would not stay constant. */
static void test_kinetic_energy_of_a_free_body_is_constant(void **state)
{
    (void)state;
    const char *model = tn_format(
        "%s[[element]]\nname = 'T'\ntype = 'reference_variable'\nid = 3070\nexpression = "
        "'0.5*(4*VM(1011)**2 + 0.006*WX(1011,0,1011)**2 + 0.005*WY(b,0,b)**2 + 0.004*WZ(b,0,b)**2)'\n"
        "[[sensor]]\nname = 'T'\nexpression = 'VARVAL(3070)'\n"
        "[[sensor]]\nname = 'wrong'\nexpression = '0.003*WX(b)**2 + 0.0025*WY(b)**2 + 0.002*WZ(b)**2'\n",
        body);
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model, "1", s);
        expect(run, "T", 0.0, 12.087, 1e-12);
        expect(run, "T", 1.0, 12.087, s ? 1e-9 : 1e-4);
        assert_true(fabs(value_at(run, "wrong", 1.0) - value_at(run, "wrong", 0.0)) > 1e-3);
    }
}

/* ---- implicit -------------------------------------------------------------------------------------------- */

/* v + 0.1 v^3 = sin t; the force v drives a mass, so that the matrix needs dv/dx. */
static void test_an_equation_is_solved(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
        "[[element]]\nname = 'v'\ntype = 'reference_variable'\nimplicit = true\n"
        "expression = 'VARVAL(v) + 0.1*VARVAL(v)**3 - SIN(TIME)'\n"
        "[[element]]\nname = 'u'\ntype = 'reference_variable'\nimplicit = true\n"
        "expression = 'VARVAL(u) + VARVAL(u)**3 + 1e6*DX(m) - 100*VARVAL(v)'\n"
        "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\nvalue = ['VARVAL(u)', 0, 0]\n"
        "[[sensor]]\nname = 'v'\nelement = 'v'\noutput = 'value'\n"
        "[[sensor]]\nname = 'u'\nelement = 'u'\noutput = 'value'\n"
        "[[sensor]]\nname = 'x'\nexpression = 'DX(m)'\n";
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model, "3", s);
        for (int k = 0; k <= 30; k++) {
            const double time = 0.1 * k, v = value_at(run, "v", time), u = value_at(run, "u", time);
            assert_true(fabs(v + 0.1 * v * v * v - sin(time)) <= 1e-13);
            assert_true(fabs(u + u * u * u + 1e6 * value_at(run, "x", time) - 100.0 * v) <= 1e-8);
        }
    }
    const tn_outcome full = tn_tenon(TN_WORDS(
        "run",
        tn_write("full.toml", tn_format("%s[solver]\ntype = 'generalized_alpha'\nstep = 1e-3\nend_time = 1\n"
                                        "newton = { jacobian = 'full' }\n",
                                        model)),
        "--out", "full"));
    assert_int_equal(full.status, 0);
    assert_true(tn_run_number(tn_scratch_path("full"), "run.statistics.newton_iterations") <=
                3.5e3); /* quadratic, by dv/dx */
}

/* ---- constraints ----------------------------------------------------------------------------------------- */

static const char pendulum[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"
    "velocity = [0, 0.5, 0]\n[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n";
static const char rod[] = "[[element]]\nname = 'c'\ntype = 'distance'\nmarkers = ['ground', 'm']\n"
                          "[[sensor]]\nname = 'f'\nelement = 'c'\noutput = 'force'\n";
static const char equation[] =
    "[[element]]\nname = 'c'\ntype = 'reference_variable'\nimplicit = true\n"
    "expression = 'DM(m) - 1'\n[[sensor]]\nname = 'v'\nelement = 'c'\noutput = 'value'\n"
    "[[sensor]]\nname = 'same'\nexpression = 'VARVAL(c)'\n"
    "[[sensor]]\nname = 'error'\nelement = 'c'\noutput = 'constraint_error'\n";

/* Forces + (dg/dq)^T v: v is the force along the rod, away from its other end. */
static void test_an_equation_holds_like_a_rod(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *with_rod = run_for(tn_format("%s%s", pendulum, rod), "1", s);
        const tn_csv_table *run = run_for(tn_format("%s%s", pendulum, equation), "1", s);
        for (int k = 0; k <= 10; k++) {
            const double time = 0.1 * k, x = value_at(run, "p.x", time), z = value_at(run, "p.z", time);
            const double y = value_at(run, "p.y", time), v = value_at(run, "v", time);
            expect(with_rod, "p.x", time, x, 1e-8);
            expect(with_rod, "p.z", time, z, 1e-8);
            expect(with_rod, "f.x", time, v * x, 2e-5);
            expect(with_rod, "f.y", time, v * y, 2e-5);
            expect(run, "same", time, v, 0.0);
            assert_true(value_at(run, "error", time) <= 1e-10);
        }
    }
}

/* The error of a soft constraint falls as its penalty grows. */
static void test_a_soft_constraint_becomes_the_hard_one(void **state)
{
    (void)state;
    double error[3];
    const tn_csv_table *hard = run_for(tn_format("%s%s", pendulum, equation), "1", 0);
    for (int k = 0; k < 3; k++) {
        const double penalty = 1e4 * pow(10.0, k);
        const tn_csv_table *run = run_for(
            tn_format("%s[[element]]\nname = 'c'\ntype = 'reference_variable'\nimplicit = true\n"
                      "expression = 'DM(m) - 1'\nautobalance = 'penalty'\npenalty = %g\npenalty1 = %g\n"
                      "[[sensor]]\nname = 'g'\nexpression = 'VARVAL(c)'\n"
                      "[[sensor]]\nname = 'multiplier'\nelement = 'c'\noutput = 'multiplier'\n",
                      pendulum, penalty, 0.5 * sqrt(penalty)),
            "1", 0);
        error[k] = fabs(value_at(run, "g", 1.0));
        expect(run, "multiplier", 1.0, value_at(hard, "v", 1.0), 0.1);
        if (k > 0) assert_true(error[k] < 0.15 * error[k - 1]);
    }
}

/* Example 6 of the documents that these variables come from: an angle of 60 degrees between two z axes, with friction. */
static void test_a_soft_angle_settles(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"
        "rotation = { axis = [1, 0, 0], angle = '20 [deg]' }\n"
        "[[element]]\nname = 'joint'\ntype = 'spherical'\nmarkers = ['ground', 'b']\n"
        "[[element]]\nname = 'soft'\ntype = 'reference_variable'\nimplicit = true\n"
        "expression = 'THETA(b, ground) - 60D'\nautobalance = 'penalty'\npenalty = 1000\npenalty1 = 10\n"
        "[[sensor]]\nname = 'angle'\nexpression = 'THETA(b)'\n";
    for (int s = 0; s < SOLVERS; s++)
        expect(run_for(model, "2", s), "angle", 2.0, acos(-1.0) / 3.0, 1e-6);
}

/* ---- servo constraints ----------------------------------------------------------------------------------- */

/* A robot of two links of 1 m whose tip follows a path, driven by torques at its joints. */
enum { SHOULDER, ELBOW };
#define LINK 1.0
#define CENTRE 0.5
#define LINK_MASS 2.0
#define LINK_INERTIA 0.2

static void path_at(double time, double *x, double *y)
{
    *x = 1.2 + 0.2 * sin(2.0 * time);
    *y = 0.5 + 0.3 * (1.0 - cos(3.0 * time));
}

/* The angles of the joints, by the law of cosines. */
static void angles_at(double time, double angle[2])
{
    double x = 0.0, y = 0.0;
    path_at(time, &x, &y);
    angle[ELBOW] = acos((x * x + y * y - 2.0 * LINK * LINK) / (2.0 * LINK * LINK));
    angle[SHOULDER] = atan2(y, x) - atan2(LINK * sin(angle[ELBOW]), LINK + LINK * cos(angle[ELBOW]));
}

/* Inverse dynamics: the equations of motion of the two angles, which are differentiated by differences. */
static void torques_at(double time, double torque[2])
{
    const double h = 1e-4, l = LINK, c = CENTRE, m = LINK_MASS, J = LINK_INERTIA;
    double before[2], angle[2], after[2], rate[2], acceleration[2];
    angles_at(time - h, before);
    angles_at(time, angle);
    angles_at(time + h, after);
    for (int k = 0; k < 2; k++) {
        rate[k] = (after[k] - before[k]) / (2.0 * h);
        acceleration[k] = (after[k] - 2.0 * angle[k] + before[k]) / (h * h);
    }
    const double cosine = cos(angle[ELBOW]), turning = -m * l * c * sin(angle[ELBOW]);
    const double M11 = 2.0 * J + m * c * c + m * (l * l + c * c + 2.0 * l * c * cosine);
    const double M12 = J + m * (c * c + l * c * cosine), M22 = J + m * c * c;
    torque[SHOULDER] = M11 * acceleration[0] + M12 * acceleration[1] + turning * rate[1] * rate[1] +
                       2.0 * turning * rate[0] * rate[1];
    torque[ELBOW] = M12 * acceleration[0] + M22 * acceleration[1] - turning * rate[0] * rate[0];
}

static const char *robot(const char *torques)
{
    double angle[2];
    angles_at(0.0, angle);
    const double a = angle[SHOULDER], b = angle[SHOULDER] + angle[ELBOW];
    return tn_format("[[element]]\nname = 'upper'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.1, 0.2]\n"
                     "position = [%.17g, %.17g, 0]\nrotation = { axis = [0, 0, 1], angle = %.17g }\n"
                     "[[element]]\nname = 'fore'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.1, 0.2]\n"
                     "position = [%.17g, %.17g, 0]\nrotation = { axis = [0, 0, 1], angle = %.17g }\n"
                     "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'fore'\nposition = [0.5, 0, 0]\n"
                     "[[element]]\nname = 'shoulder'\ntype = 'revolute'\nmarkers = ['ground', { element = "
                     "'upper', position = [-0.5, 0, 0] "
                     "}]\n"
                     "[[element]]\nname = 'elbow'\ntype = 'revolute'\nmarkers = [{ element = 'upper', "
                     "position = [0.5, 0, 0] }, { "
                     "element = 'fore', position = [-0.5, 0, 0] }]\n"
                     "[[element]]\nname = 'x'\ntype = 'reference_variable'\nid = 1\nimplicit = "
                     "true\nautobalance = 'disabled'\n"
                     "expression = 'DX(tip) - 1.2 - 0.2*SIN(2*TIME)'\n"
                     "[[element]]\nname = 'y'\ntype = 'reference_variable'\nid = 2\nimplicit = "
                     "true\nautobalance = 'disabled'\n"
                     "expression = 'DY(tip) - 0.5 - 0.3*(1 - COS(3*TIME))'\n%s"
                     "[[sensor]]\nname = 'error_x'\nelement = 'x'\noutput = 'constraint_error'\n"
                     "[[sensor]]\nname = 'error_y'\nelement = 'y'\noutput = 'constraint_error'\n"
                     "[[sensor]]\nname = 't1'\nexpression = 'VARVAL(1)'\n[[sensor]]\nname = 't2'\nexpression "
                     "= 'VARVAL(2)'\n",
                     CENTRE * cos(a), CENTRE * sin(a), a, LINK * cos(a) + CENTRE * cos(b),
                     LINK * sin(a) + CENTRE * sin(b), b, torques);
}

/* Held at the tip, done by the joints: the multipliers are the torques of inverse dynamics. */
static void test_servo_constraints_are_inverse_dynamics(void **state)
{
    (void)state;
    const char *model = robot(
        "[[element]]\nname = 'first'\ntype = 'torque'\nmarkers = ['upper']\nvalue = [0, 0, 'VARVAL(1)']\n"
        "[[element]]\nname = 'second'\ntype = 'torque'\nmarkers = ['fore', 'upper']\nvalue = [0, 0, "
        "'VARVAL(2)']\n");
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model, "2", s);
        for (int k = 0; k <= 20; k++) {
            const double time = 0.1 * k;
            double torque[2];
            torques_at(time, torque);
            expect(run, "t1", time, torque[SHOULDER], 1e-3);
            expect(run, "t2", time, torque[ELBOW], 1e-3);
            assert_true(fmax(value_at(run, "error_x", time), value_at(run, "error_y", time)) <= 1e-9);
        }
    }
}

static void test_a_servo_constraint_that_nobody_serves_is_refused(void **state)
{
    (void)state;
    const tn_outcome run = tn_tenon(TN_WORDS(
        "check",
        tn_write("idle.toml",
                 robot("[[element]]\nname = 'first'\ntype = 'torque'\nmarkers = ['upper']\nvalue = [0, 0, "
                       "'VARVAL(1)']\n"))));
    assert_int_equal(run.status, 2);
    tn_check_holds(run.errors, TN_WORDS("`y`", "no force reads VARVAL(y)"));
}

static void expect_refusal(const char *text, const char *words)
{
    const tn_outcome run = tn_tenon(TN_WORDS(
        "check",
        tn_write("wrong.toml",
                 tn_format("%s[[element]]\nname = 'c'\ntype = 'reference_variable'\n%s\n", pendulum, text))));
    assert_int_equal(run.status, 2);
    tn_check_holds(run.errors, TN_WORDS(words));
}

static void test_what_cannot_be_held_is_refused(void **state)
{
    (void)state;
    expect_refusal("implicit = true\nexpression = 'VX(m)'", "17:15: error: a constraint holds displacements");
    expect_refusal("implicit = true\nexpression = 'SIN(TIME)'", "error: the constraint `c` reads no marker");
    expect_refusal("implicit = true\nexpression = 'ABS(DX(m))'", "must be smooth: ABS");
    expect_refusal(
        "expression = 'VX(m)'\nunit = 'km/h'\n[[sensor]]\nname = 'c'\nelement = 'c'\noutput = 'value'",
        "17:8: error: `km/h`: values are in SI units");
    expect_refusal(
        "expression = 'VX(m)'\nunit = 'm/q'\n[[sensor]]\nname = 'c'\nelement = 'c'\noutput = 'value'",
        "17:8: error: `m/q`");
    expect_refusal("expression = 'VARVAL(c) + 1'", "`c` reads itself");
    expect_refusal("implicit = true\nintegral = true\nexpression = 'DX(m)'",
                   "an integral cannot be implicit");
    expect_refusal("static_hold = true\nexpression = 'DX(m)'",
                   "16:15: error: c: only an integral can be held");
}

/* A chain of any length may be read by forces and sensors. */
static void test_a_constraint_reads_so_many_variables_only(void **state)
{
    (void)state;
    static const int counts[] = {900, 20000};
    for (int k = 0; k < 2; k++) {
        const char *model =
            tn_format("%s[[element]]\nname = 'v_0'\ntype = 'reference_variable'\nexpression = 'DM(m)'\n"
                      "[[repeat]]\ncount = %d\n[[repeat.element]]\nname = 'v_{i+1}'\n"
                      "type = 'reference_variable'\nexpression = 'VARVAL(v_{i}) + 1e-3'\n"
                      "[[element]]\nname = 'c'\ntype = 'reference_variable'\nimplicit = true\n"
                      "expression = 'VARVAL(v_%d) - 1 - 1e-3*%d'\n",
                      pendulum, counts[k], counts[k], counts[k]);
        const tn_outcome check = tn_tenon(TN_WORDS("check", tn_write("long.toml", model)));
        assert_int_equal(check.status, k ? 2 : 0);
        if (k) tn_check_holds(check.errors, TN_WORDS("a constraint reads at most 1000 variables"));
    }
}

/* ---- integrals ------------------------------------------------------------------------------------------- */

static void test_the_integral_of_a_velocity_is_a_displacement(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1.05, 0, 0]\n"
        "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'm']\n"
        "reference_length = 1\nstiffness = 100\ndamping = 1\n"
        "[[element]]\nname = 'd'\ntype = 'reference_variable'\nexpression = 'VX(m)'\n"
        "integral = true\ninitial_value = 1.05\n"
        "[[sensor]]\nname = 'd'\nelement = 'd'\noutput = 'value'\n"
        "[[sensor]]\nname = 'rate'\nelement = 'd'\noutput = 'rate'\n"
        "[[sensor]]\nname = 'x'\nexpression = 'DX(m)'\n[[sensor]]\nname = 'v'\nexpression = 'VX(m)'\n";
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(model, "1", s);
        expect(run, "d", 1.0, value_at(run, "x", 1.0), s ? 1e-8 : 1e-6);
        expect(run, "rate", 1.0, value_at(run, "v", 1.0), 0.0);
    }
}

/* A controller with an integral that leaks: x'' = -100 x - 6 x' - 80 y, y' = x - 0.2 y. */
static void test_an_integral_feeds_back_with_order_two(void **state)
{
    (void)state;
    static const char model[] =
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 2\nposition = [0.5, 0, 0]\n"
        "[[element]]\nname = 'y'\ntype = 'reference_variable'\nexpression = 'DX(m) - 0.2*VARVAL(y)'\n"
        "integral = true\ninitial_value = 0.3\n"
        "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['m']\n"
        "value = ['-100*DX(m) - 6*VX(m) - 80*VARVAL(y)', 0, 0]\n"
        "[[sensor]]\nname = 'x'\nexpression = 'DX(m)'\n[[sensor]]\nname = 'y'\nexpression = 'VARVAL(y)'\n";
    const tn_csv_table *fine = run_for(model, "2", 1);
    static const char *const columns[] = {"x", "y"};
    double error[2][2];
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *run =
            tn_simulate(tn_format("%s[solver]\ntype = 'generalized_alpha'\nend_time = 2\nstep = %g\n", model,
                                  k ? 2e-3 : 4e-3),
                        NULL);
        for (int c = 0; c < 2; c++)
            error[k][c] = fabs(value_at(run, columns[c], 2.0) - value_at(fine, columns[c], 2.0));
    }
    for (int c = 0; c < 2; c++)
        assert_true(fabs(error[0][c] / error[1][c] - 4.0) < 0.2);
    expect(run_for(model, "2", 2), "x", 2.0, value_at(fine, "x", 2.0), 1e-7);
}

/* One flag per state: x of integrals in the order of their groups, then quadratures, which are held. */
static void test_integrals_tell_whether_they_are_held_in_equilibria(void **state)
{
    (void)state;
    static const char integral[] = "[[element]]\nname = '%s'\ntype = 'reference_variable'\nintegral = true\n"
                                   "expression = 'TIME'\n%s";
    tn_world world;
    tn_world_open(&world,
                  tn_format("[[repeat]]\ncount = 2\n[[repeat.element]]\nname = 'free_{i}'\n"
                            "type = 'reference_variable'\nintegral = true\nexpression = 'TIME'\n%s%s"
                            "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n",
                            tn_format(integral, "held", "static_hold = true\ninitial_value = 7\n"),
                            tn_format(integral, "free", "initial_value = 3\n")),
                  NULL, NULL);
    const tn_system *system = world.system;
    assert_true(system->nx == 4 + system->quadratures && system->quadratures > 0);
    uint32_t held = 0;
    for (uint32_t k = 0; k < system->nx; k++) {
        const bool keeps = k >= 4 || system->x[k] == 7.0;
        held += k < 4 && system->state_held[k];
        assert_int_equal(system->state_held[k], keeps);
    }
    assert_int_equal(held, 1);
    tn_world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinetic_energy_of_a_free_body_is_constant),
        cmocka_unit_test(test_an_equation_is_solved),
        cmocka_unit_test(test_an_equation_holds_like_a_rod),
        cmocka_unit_test(test_a_soft_constraint_becomes_the_hard_one),
        cmocka_unit_test(test_a_soft_angle_settles),
        cmocka_unit_test(test_servo_constraints_are_inverse_dynamics),
        cmocka_unit_test(test_a_servo_constraint_that_nobody_serves_is_refused),
        cmocka_unit_test(test_what_cannot_be_held_is_refused),
        cmocka_unit_test(test_a_constraint_reads_so_many_variables_only),
        cmocka_unit_test(test_the_integral_of_a_velocity_is_a_displacement),
        cmocka_unit_test(test_integrals_tell_whether_they_are_held_in_equilibria),
        cmocka_unit_test(test_an_integral_feeds_back_with_order_two)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_measured.c - expressions that read accelerations and forces: their values, and forces that depend on them */
#include "models.h"
#include "tangent.h"

#include <math.h>

#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define OUTPUT(name, element, output) \
    "[[sensor]]\nname = '" name "'\nelement = '" element "'\noutput = '" output "'\n"

static const char *const solvers[] = {"type = 'generalized_alpha'\nstep = 1e-3\n",
                                      "type = 'rk'\nstep = 1e-3\n", "type = 'gsl_ode'\nstep = 1e-3\n"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static const tn_csv_table *run_for(const char *model, const char *end, int solver)
{
    return tn_simulate(tn_format("%s\n[solver]\nend_time = %s\n%s", model, end, solvers[solver]), NULL);
}

static void expect(const tn_csv_table *run, const char *column, double time, double value, double tolerance)
{
    const double found = tn_value_at(run, column, time);
    if (!(fabs(found - value) <= tolerance))
        fail_msg("%s(%g) = %.12g instead of %.12g", column, time, found, value);
}

/* ---- accelerations --------------------------------------------------------------------------------------- */

static const char two_bodies[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.2, 0.25]\n"
    "position = [0.3, 0, 0]\nangular_velocity = [1, 2, 3]\nvelocity = [0.1, 0.2, 0.5]\n"
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.05, 0.03, 0.04]\n"
    "position = [-0.3, 0.4, 0]\nangular_velocity = [-1, 0.5, 0.3]\n"
    "[[marker]]\nname = 'ma'\ntype = 'frame'\nelement = 'a'\nposition = [0.1, 0.05, 0.2]\n"
    "rotation = { axis = [1, 1, 0], angle = 0.7 }\n"
    "[[marker]]\nname = 'mb'\ntype = 'frame'\nelement = 'b'\nposition = [-0.1, 0.15, 0.1]\n"
    "rotation = { axis = [0, 1, 1], angle = -0.4 }\n"
    "[[element]]\nname = 'spring'\nid = 5\ntype = 'spring_damper'\nmarkers = ['ma', 'mb']\nstiffness = 100\n"
    "damping = 3\nreference_length = 0.4\n"
    "[[element]]\nname = 'bush'\nid = 6\ntype = 'cartesian_spring_damper'\nmarkers = ['ma', 'mb']\n"
    "stiffness = [10, 20, 30]\ndamping = [1, 2, 3]\n";

/* Fourth-order difference of a column. */
static double rate_of(const tn_csv_table *run, const char *column, double time, double h)
{
    return (tn_value_at(run, column, time - 2.0 * h) - 8.0 * tn_value_at(run, column, time - h) +
            8.0 * tn_value_at(run, column, time + h) - tn_value_at(run, column, time + 2.0 * h)) /
           (12.0 * h);
}

static void test_accelerations_are_rates_of_velocities(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"vx", "ax"}, {"vy", "ay"}, {"vz", "az"}, {"wx", "bx"},
                                           {"wy", "by"}, {"gx", "hx"}, {"gz", "hz"}};
    const tn_csv_table *run = run_for(
        tn_format("%s%s", two_bodies,
                  SENSOR("vx", "VX(ma, mb, a, a)") SENSOR("ax", "ACCX(ma, mb, a, a)")
                      SENSOR("vy", "VY(ma, mb, mb, mb)") SENSOR("ay", "ACCY(ma, mb, mb, mb)")
                          SENSOR("vz", "VZ(mb)") SENSOR("az", "accz(mb)") SENSOR("wx", "WX(ma, mb)")
                              SENSOR("bx", "WDTX(ma, mb)") SENSOR("wy", "WY(ma)") SENSOR("by", "WDTY(ma)")
                                  SENSOR("gx", "VX(a, b, mb, mb)") SENSOR("hx", "ACCX(a, b, mb, mb)")
                                      SENSOR("gz", "WZ(a, b, a)") SENSOR("hz", "WDTZ(a, b, a, a)")),
        "0.1", 1);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const double rate = rate_of(run, pairs[k][0], 0.05, 1e-3);
        const double found = tn_value_at(run, pairs[k][1], 0.05);
        if (!(fabs(found - rate) <= 1e-6 * (10.0 + fabs(rate))))
            fail_msg("%s = %.12g instead of %.12g", pairs[k][1], found, rate);
    }
}

/* Iterations that end early leave v' off by their tolerance over h^2; what is shown is the acceleration of the very state, and
 * looking at it changes nothing. */
static void test_accelerations_shown_are_those_of_the_state(void **state)
{
    (void)state;
    const char *model = tn_format(
        "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 2\nposition = [0.3, 0, 0]\nvelocity = [0, 3, "
        "0]\n"
        "[[element]]\nname = 'ground'\ntype = 'ground'\n"
        "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['b', 'ground']\nstiffness = 4000\n"
        "damping = 2\nreference_length = 0.25\n%s%s%s"
        "[solver]\nend_time = 0.2\ntype = 'generalized_alpha'\nstep = 2e-3\nnewton.relative_tolerance = "
        "1e-3\n",
        OUTPUT("x", "b", "position") OUTPUT("a", "b", "acceleration"), OUTPUT("f", "s", "force"),
        SENSOR("ax", "ACCX(b)"));
    const tn_csv_table *all = tn_simulate(model, NULL);
    const tn_csv_table *last = tn_simulate(tn_format("%s[output]\ninterval = 0.2\n", model), NULL);
    for (double time = 0.02; time < 0.21; time += 0.02) {
        for (int i = 0; i < 3; i++)
            expect(all, tn_format("a.%c", "xyz"[i]), time,
                   0.5 * tn_value_at(all, tn_format("f.%c", "xyz"[i]), time), 1e-11);
        expect(all, "ax", time, tn_value_at(all, "a.x", time), 0.0);
    }
    for (int i = 0; i < 3; i++)
        expect(last, tn_format("x.%c", "xyz"[i]), 0.2, tn_value_at(all, tn_format("x.%c", "xyz"[i]), 0.2),
               0.0);
}

/* The same vector, seen from L, along the axes of K and of L; ACCM is its size. */
static void test_accelerations_are_seen_from_one_frame_along_the_axes_of_another(void **state)
{
    (void)state;
    const tn_csv_table *run = run_for(
        tn_format("%s%s[[sensor]]\nname = 'K'\nmarker = 'mb'\noutput = 'rotation'\n"
                  "[[sensor]]\nname = 'L'\nmarker = 'a'\noutput = 'rotation'\n",
                  two_bodies,
                  SENSOR("k0", "ACCX(ma, b, mb, a)") SENSOR("k1", "ACCY(ma, b, mb, a)")
                      SENSOR("k2", "ACCZ(ma, b, mb, a)") SENSOR("l0", "ACCX(ma, b, a, a)")
                          SENSOR("l1", "ACCY(ma, b, a, a)") SENSOR("l2", "ACCZ(ma, b, a, a)")
                              SENSOR("m", "ACCM(ma, b, a)") SENSOR("w", "WDTM(ma, b, a)") SENSOR(
                                  "n", "SQRT(WDTX(ma,b,mb,a)**2+WDTY(ma,b,mb,a)**2+WDTZ(ma,b,mb,a)**2)")),
        "0.1", 1);
    const double time = 0.07;
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        double along = 0.0;
        for (int j = 0; j < 3; j++)
            for (int r = 0; r < 3; r++)
                along += tn_value_at(run, tn_format("K.%d", 3 * r + i), time) *
                         tn_value_at(run, tn_format("L.%d", 3 * r + j), time) *
                         tn_value_at(run, tn_format("l%d", j), time);
        expect(run, tn_format("k%d", i), time, along, 1e-10);
        sum += along * along;
    }
    expect(run, "m", time, sqrt(sum), 1e-10);
    expect(run, "n", time, tn_value_at(run, "w", time), 1e-11);
}

/* m x'' = 10 - 3 x'': an added mass; and one that grows without the multiplier being linear: 2 y'' = -|y''|/2 + sin t. */
static const char added_mass[] =
    "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 2\n"
    "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['b']\n"
    "value = ['10 - 3*ACCX(b)', 'SIN(time) - 0.5*ABS(ACCY(b))', 0]\n" OUTPUT("x", "b", "position")
        OUTPUT("a", "b", "acceleration");

static void test_forces_may_read_accelerations(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(added_mass, "1", s);
        expect(run, "a.x", 0.0, 2.0, 1e-12);
        expect(run, "a.x", 1.0, 2.0, 1e-10);
        expect(run, "x.x", 1.0, 1.0, 1e-10);
        expect(run, "a.y", 1.0, sin(1.0) / 2.5, s ? 1e-10 : 1e-7);
    }
}

static void test_a_force_that_takes_all_inertia_away_is_named(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_outcome outcome = tn_tenon(TN_WORDS(
            "run",
            tn_write("lost.toml", tn_format("[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 2\n"
                                            "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['b']\n"
                                            "value = ['1 + 2*ACCX(b)', 0, 0]\n[solver]\nend_time = 1\n%s",
                                            solvers[s])),
            "--out", tn_scratch_path("lost")));
        assert_int_equal(outcome.status, 1);
        tn_check_holds(outcome.errors, TN_WORDS("force `f`", "it reads an acceleration or a reaction"));
    }
}

/* ---- forces ---------------------------------------------------------------------------------------------- */

static void test_forces_of_elements_are_those_of_their_outputs(void **state)
{
    (void)state;
    const tn_csv_table *run = run_for(
        tn_format("%s%s", two_bodies,
                  SENSOR("s", "SFORCE(spring, 0, 1)") SENSOR("s0", "SFORCE(5, 0, 3, 0)")
                      SENSOR("s1", "SFORCE(5, 1, 3)") OUTPUT("S", "spring", "force")
                          OUTPUT("local", "spring", "force_local") SENSOR("b", "BUSH(6, 1, 4, 0)")
                              SENSOR("bl", "GFORCE(bush, 1, 2, ma)") OUTPUT("B", "bush", "force")
                                  OUTPUT("BL", "bush", "force_local") SENSOR("t", "BUSH(bush, 0, 7)")
                                      SENSOR("tm", "BUSH(bush, 0, 5)") SENSOR("all", "FY(ma)")
                                          SENSOR("both", "FY(ma, mb)") SENSOR("other", "FM(ma, a)")
                                              SENSOR("back", "FY(mb)") SENSOR("turned", "FZ(ma, mb, mb)")
                                                  SENSOR("x", "FX(ma)") SENSOR("z", "FZ(ma)")
                                                      SENSOR("m", "FM(ma)")),
        "0.1", 1);
    for (int k = 0; k <= 10; k++) {
        const double time = 0.01 * k, x = tn_value_at(run, "x", time), y = tn_value_at(run, "all", time),
                     z = tn_value_at(run, "z", time);
        expect(run, "s", time, fabs(tn_value_at(run, "local", time)), 1e-12);
        expect(run, "s0", time, tn_value_at(run, "S.y", time), 1e-12);
        expect(run, "s1", time, -tn_value_at(run, "S.y", time), 1e-12);
        expect(run, "b", time, tn_value_at(run, "B.z", time), 1e-12);
        expect(run, "bl", time, tn_value_at(run, "BL.x", time), 1e-12);
        expect(run, "all", time, tn_value_at(run, "S.y", time) - tn_value_at(run, "B.y", time), 1e-12);
        expect(run, "both", time, y, 1e-12);
        expect(run, "back", time, -y, 1e-12);
        expect(run, "other", time, 0.0, 0.0);
        expect(run, "m", time, sqrt(x * x + y * y + z * z), 1e-12);
        assert_true(fabs(tn_value_at(run, "t", time)) <= tn_value_at(run, "tm", time));
    }
    assert_true(fabs(tn_value_at(run, "turned", 0.1) - tn_value_at(run, "z", 0.1)) > 0.1);
}

/* A slider pressed down by a varying force: friction takes mu N off, and more of it by the resultant at the body. */
static const char friction[] =
    "[model]\ngravity = [3, 0, -9.81]\n"
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 1]\n"
    "[[element]]\nname = 'slide'\nid = 7\ntype = 'prismatic'\nmarkers = ['ground', 'b']\n"
    "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['b']\n"
    "value = ['-0.3*ABS(JOINT(7, 1, 4))*(1 + 0.01*FM(b, ground))', 0, '-1*TIME**2']\n" OUTPUT(
        "a", "b", "acceleration") SENSOR("n", "JOINT(slide, 1, 4)");

static void test_forces_may_read_reactions(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run = run_for(friction, "1", s);
        for (int k = 0; k <= 10; k++) {
            const double time = 0.1 * k, N = 2.0 * 9.81 + time * time;
            expect(run, "n", time, N, 1e-9);
            expect(run, "a.x", time, 3.0 - 0.15 * N * (1.0 + 0.01 * N), 1e-9);
        }
    }
}

/* The reaction of what drives a joint, on the frames of the joint. */
static void test_reactions_of_motions_act_on_the_markers_of_the_joint(void **state)
{
    (void)state;
    const tn_csv_table *run = run_for(
        "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 2]\n"
        "[[element]]\nname = 'hinge'\ntype = 'revolute'\nmarkers = ['ground', 'b']\n"
        "[[element]]\nname = 'drive'\ntype = 'motion'\njoint = 'hinge'\ncoordinate = 'angle'\n"
        "value = '0.5*TIME**2'\n" SENSOR("t0", "MOTION(drive, 0, 8)") SENSOR("t1", "MOTION(drive, 1, 8)")
            SENSOR("tm", "MOTION(drive, 1, 5, b)") SENSOR("all", "TZ(b)") SENSOR("a", "WDTZ(b)"),
        "1", 0);
    expect(run, "t1", 1.0, 2.0, 1e-7);
    expect(run, "t0", 1.0, -2.0, 1e-7);
    expect(run, "tm", 1.0, 2.0, 1e-7);
    expect(run, "all", 1.0, 2.0, 1e-7);
    expect(run, "a", 1.0, 1.0, 1e-7);
}

/* A pendulum on a distance that a variable holds: what it exerts on the mass is the multiplier, along the rod. */
static void test_constraints_of_variables_tell_their_forces(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *run =
            run_for("[model]\ngravity = [0, 0, -9.81]\n"
                    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 2\nposition = [1, 0, 0]\n"
                    "[[element]]\nname = 'rod'\ntype = 'reference_variable'\nimplicit = true\n"
                    "expression = 'DM(m, ground) - 1'\n" SENSOR("f", "VARFRC(rod, m, 1)")
                        SENSOR("l", "VARVAL(rod)") SENSOR("fx", "VARFRC(rod, m, 2, 0)")
                            SENSOR("g", "VARFRC(rod, ground, 2)") SENSOR("x", "DX(m)") SENSOR("all", "FX(m)"),
                    "0.4", s);
        const double lambda = tn_value_at(run, "l", 0.4);
        assert_true(lambda < -10.0);
        expect(run, "f", 0.4, -lambda, 1e-9);
        expect(run, "fx", 0.4, lambda * tn_value_at(run, "x", 0.4), 1e-8);
        expect(run, "g", 0.4, -lambda * tn_value_at(run, "x", 0.4), 1e-8);
        expect(run, "all", 0.4, tn_value_at(run, "fx", 0.4), 1e-12);
    }
}

/* ---- the matrix ------------------------------------------------------------------------------------------ */

#define READS(name, value) \
    "[[element]]\nname = '" name "'\ntype = 'force'\nmarkers = ['c']\nvalue = [" value ", 'DX(c)*0', 0]\n"

static void test_tangent_of_forces_that_read_forces_is_exact(void **state)
{
    (void)state;
    static const char *const reads[] = {
        READS("f", "'0.001*SFORCE(spring, 0, 1)**2'"),
        READS("f", "'0.2*BUSH(bush, 1, 3)'"),
        READS("f", "'0.2*BUSH(bush, 1, 3, mb)'"),
        READS("f", "'0.1*FX(ma, mb, c)'"),
        READS("f", "'0.05*TM(mb)**2'"),
        READS("f", "'0.1*FX(ma, mb, c) + 0.05*TM(mb)**2'"),
        "[[element]]\nname = 'v'\ntype = 'reference_variable'\nexpression = 'SFORCE(s2, 1, 2)*DX(c)'\n"
        "[[element]]\nname = 's2'\ntype = 'spring_damper'\nmarkers = ['ma', 'ground']\nstiffness = 3\n"
        "damping = '1 + 0.1*VZ(b)'\nforce = '0.1*FY(mb, ma, a)'\n" READS("f",
                                                                         "'VARVAL(v) + VARVAL(v)**2/50'")};
    for (size_t k = 0; k < sizeof reads / sizeof *reads; k++)
        tn_check_tangent(tn_format("%s[[element]]\nname = 'c'\ntype = 'rigid_body'\nmass = 1\n"
                                   "inertia = [0.1, 0.2, 0.3]\nposition = [0, 1, 1]\n%s"
                                   "[solver]\ntype = 'generalized_alpha'\nstep = 1\nend_time = 1\n",
                                   two_bodies, reads[k]));
}

static double iterations_per_step(const char *model, const char *solver)
{
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run",
                          tn_write("count.toml", tn_format("%s[solver]\ntype = 'generalized_alpha'\n"
                                                           "newton = { jacobian = 'full' }\n%s",
                                                           model, solver)),
                          "--out", tn_scratch_path("count")));
    if (outcome.status) fail_msg("%s", outcome.errors);
    return tn_run_number(tn_scratch_path("count"), "run.statistics.newton_iterations") /
           tn_run_number(tn_scratch_path("count"), "run.statistics.steps");
}

/* What is linear takes one iteration, and another one that sees that it did. */
static void test_newton_converges_as_if_forces_stood_there_themselves(void **state)
{
    (void)state;
    static const char controlled[] =
        "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 2\n"
        "[[element]]\nname = 'sum'\ntype = 'reference_variable'\nintegral = true\nexpression = '1 - DX(b)'\n"
        "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['b']\n"
        "value = ['40*VARVAL(sum) - 4*VX(b) + 30*(1 - DX(b))', 0, 0]\n";
    assert_true(iterations_per_step(controlled, "step = 0.05\nend_time = 2\n") <= 2.0);
    assert_true(iterations_per_step(added_mass, "step = 0.01\nend_time = 1\n") <= 2.0);
    assert_true(iterations_per_step(friction, "step = 0.01\nend_time = 1\n") <= 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accelerations_are_rates_of_velocities),
        cmocka_unit_test(test_accelerations_shown_are_those_of_the_state),
        cmocka_unit_test(test_accelerations_are_seen_from_one_frame_along_the_axes_of_another),
        cmocka_unit_test(test_forces_may_read_accelerations),
        cmocka_unit_test(test_a_force_that_takes_all_inertia_away_is_named),
        cmocka_unit_test(test_forces_of_elements_are_those_of_their_outputs),
        cmocka_unit_test(test_forces_may_read_reactions),
        cmocka_unit_test(test_reactions_of_motions_act_on_the_markers_of_the_joint),
        cmocka_unit_test(test_constraints_of_variables_tell_their_forces),
        cmocka_unit_test(test_tangent_of_forces_that_read_forces_is_exact),
        cmocka_unit_test(test_newton_converges_as_if_forces_stood_there_themselves)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

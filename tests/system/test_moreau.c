/* test_moreau.c - the solver by impulses on joints: orders, energies, momenta, reactions, starts that do not agree with constraints; against
 * closed solutions, and against Solfec's errors at the same step */
#include "harness.h"

#include <math.h>

#define PI 3.14159265358979323846

/* ---- runs -------------------------------------------------------------------------------------------------------- */

#define STEPS "[solver]\ntype = 'moreau'\nstep = %.17g\nend_time = %.17g\n%s[output]\nstates = true\n%s"

static const tn_csv_table *run_model(const char *model)
{
    const char *file = tn_write("model.toml", model);
    const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", "results"));
    if (run.status != 0 || run.errors[0]) fail_msg("exit %d: %s", run.status, run.errors);
    return tn_sensors(tn_scratch_path("results"));
}

static const tn_csv_table *simulate(const char *model, const char *solver, double step, double end)
{
    return run_model(tn_format("%s" STEPS, model, step, end, solver, ""));
}

static const tn_csv_table *states(void)
{
    static tn_csv_table table;
    table = (tn_csv_table){0};
    assert_true(tn_csv_read(tn_scratch_path("results/states.csv"), &table, stderr));
    return &table;
}

static double value(const tn_csv_table *t, size_t row, const char *column)
{
    return t->value[row * t->columns + tn_column_of(t, column)];
}

static double spread(const tn_csv_table *t, const char *column)
{
    double largest = 0.0;
    for (size_t row = 0; row < t->rows; row++)
        largest = fmax(largest, fabs(value(t, row, column) - value(t, 0, column)));
    return largest;
}

/* y' = f(t, y) by the classical method, in steps that leave nothing of their error. */
typedef void (*slope)(const double *y, double *rate);
static void integrate(slope f, double *y, int n, double time, int steps)
{
    double k[4][8], at[8];
    const double h = time / steps;
    for (int s = 0; s < steps; s++) {
        f(y, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            for (int i = 0; i < n; i++)
                at[i] = y[i] + (stage == 3 ? h : 0.5 * h) * k[stage - 1][i];
            f(at, k[stage]);
        }
        for (int i = 0; i < n; i++)
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

/* ---- a pendulum on a rod (C2) ------------------------------------------------------------------------------------ */

#define PENDULUM                                                                                             \
    "[model]\ngravity = [0, 0, -9.869604401089358]\n[[element]]\nname = 'bob'\ntype = 'rigid_body'\nmass = " \
    "1\n"                                                                                                    \
    "inertia = [1, 1, 1]\nposition = [1, 0, 1]\n[[element]]\nname = 'rod'\ntype = 'distance'\n"              \
    "markers = [{ element = 'ground', position = [0, 0, 1] }, 'bob']\n[[sensor]]\nname = 'p'\nelement = "    \
    "'bob'\n"                                                                                                \
    "output = 'position'\n[[sensor]]\nname = 'energy'\nsystem = 'total_energy'\n"

static void swing(const double *y, double *rate)
{
    rate[0] = y[1];
    rate[1] = -PI * PI * sin(y[0]);
}

typedef struct errors {
    double position, length, energy,
        tension; /* of the tension: in the middle of steps, where reactions are means */
} errors;

static errors pendulum_errors(double h)
{
    const tn_csv_table *t = simulate(PENDULUM, "", h, 10.0), *s = states();
    errors found = {.energy = spread(t, "energy")};
    double y[2] = {0.5 * PI, 0.0};
    for (size_t row = 0; row < t->rows; row++) {
        const double x = value(t, row, "p.x"), z = value(t, row, "p.z") - 1.0;
        found.position = fmax(found.position, hypot(x - sin(y[0]), z + cos(y[0])));
        found.length = fmax(found.length, fabs(hypot(x, z) - 1.0));
        const int steps = (int)ceil(h / 1e-3);
        integrate(swing, y, 2, 0.5 * h, steps);
        const double tension = y[1] * y[1] + PI * PI * cos(y[0]);
        if (row + 1 < t->rows)
            found.tension = fmax(found.tension, fabs(fabs(value(s, row + 1, "rod.lambda0")) - fabs(tension)));
        integrate(swing, y, 2, 0.5 * h, steps);
    }
    return found;
}

/* Solfec: 1.2e-3, 3.7e-3 at h = 0.01 and 1.2e-5, 3.7e-5, 0.056 at 0.001. */
static void a_pendulum_swings_better_than_solfecs(void **state)
{
    (void)state;
    const errors coarse = pendulum_errors(1e-2), fine = pendulum_errors(1e-3);
    assert_true(coarse.position < 1.2e-3 && coarse.energy < 3.7e-3 && coarse.length < 1e-9);
    assert_true(fine.position < 1.2e-5 && fine.energy < 3.7e-5 && fine.length < 1e-12 &&
                fine.tension < 0.056);
}

/* 8^4 is 4096; how many passes a step takes depends on its length. Reactions are means of steps, which differ from those in the
 * middle by order 2. */
static void its_order_is_four_and_two_in_reactions(void **state)
{
    (void)state;
    const errors coarse = pendulum_errors(1e-2), fine = pendulum_errors(1.25e-3);
    assert_true(coarse.position / fine.position > 1e3 && coarse.energy / fine.energy > 1e3);
    assert_true(coarse.tension / fine.tension > 55.0 && coarse.tension < 1e-2);
}

/* As Solfec's: energy is kept to round-off, positions drift by order 2. */
static void the_law_of_velocities_keeps_energy(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(PENDULUM, "law = 'velocity'\n", 1e-3, 10.0);
    assert_true(spread(t, "energy") < 1e-10);
    double length = 0.0;
    for (size_t row = 0; row < t->rows; row++)
        length = fmax(length, fabs(hypot(value(t, row, "p.x"), value(t, row, "p.z") - 1.0) - 1.0));
    assert_true(length > 1e-7 && length < 1e-5);
}

/* ---- two boxes in a chain (C8, C9) ------------------------------------------------------------------------------- */

#define BOX(name, x)                                                                                    \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = 10\ninertia = [0.016666666666666666, " \
    "0.8416666666666667, 0.8416666666666667]\nposition = [" x ", 0, 0]\n"
#define BALL(name, first, second) \
    "[[element]]\nname = '" name "'\ntype = 'spherical'\nmarkers = [" first ", " second "]\n"
#define TWO_BOXES                                                                                          \
    "[model]\ngravity = [0, 0, -10]\n" BOX("b0", "0.5") BOX("b1", "1.5") BALL(                             \
        "j0", "{ element = 'b0', position = [0.5, 0, 0] }", "{ element = 'b1', position = [-0.5, 0, 0] }") \
        BALL("j1", "{ element = 'b1', position = [0.5, 0, 0] }",                                           \
             "{ element = 'ground', position = [2, 0, 0] }") "[[sensor]]\nname = 'energy'\nsystem = "      \
                                                             "'total_energy'\n[[sensor]]\nname = "         \
                                                             "'p'\nelement = 'b0'\noutput = 'position'\n"

/* Angles of the upper and the lower box from the horizontal, and their rates. */
static void swing_two(const double *y, double *rate)
{
    const double I = 10.0 / 12.0 * 1.01, c = cos(y[0] - y[1]), s = sin(y[0] - y[1]);
    const double M[2] = {I + 12.5, I + 2.5}, mixed = 5.0 * c;
    const double f0 = 150.0 * cos(y[0]) - 5.0 * s * y[3] * y[3],
                 f1 = 50.0 * cos(y[1]) + 5.0 * s * y[2] * y[2];
    const double det = M[0] * M[1] - mixed * mixed;
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (M[1] * f0 - mixed * f1) / det;
    rate[3] = (M[0] * f1 - mixed * f0) / det;
}

static double tip_error(const tn_csv_table *t, double h, double until)
{
    double y[4] = {0.0}, largest = 0.0;
    for (size_t row = 0; row < t->rows && (double)row * h <= until; row++) {
        const double x = 2.0 - cos(y[0]) - 0.5 * cos(y[1]), z = -sin(y[0]) - 0.5 * sin(y[1]);
        largest = fmax(largest, hypot(value(t, row, "p.x") - x, value(t, row, "p.z") - z));
        integrate(swing_two, y, 4, h, (int)ceil(h / 2.5e-4));
    }
    return largest;
}

/* Solfec at h = 1e-3: 1.6e-5 until 2 s, 3.4e-4 until 5 s. */
static void two_boxes_swing_better_than_solfecs(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(TWO_BOXES, "", 1e-3, 5.0);
    assert_true(tip_error(t, 1e-3, 2.0) < 1.6e-5);
    assert_true(tip_error(t, 1e-3, 5.0) < 3.4e-4);
    const double coarse = tip_error(simulate(TWO_BOXES, "", 2e-3, 2.0), 2e-3, 2.0),
                 fine = tip_error(simulate(TWO_BOXES, "", 1e-3, 2.0), 1e-3, 2.0);
    assert_true(coarse / fine > 3.0);
}

/* Whatever finds the impulses. */
static void constraint_solvers_agree(void **state)
{
    (void)state;
    static const char *const solvers[] = {
        "constraint_solver = 'direct'\n", "constraint_solver = 'gauss_seidel'\n",
        "constraint_solver = { type = 'gauss_seidel', joints = 'swept', tolerance = 1e-12 }\n",
        "constraint_solver = 'projected_newton'\n",
        "constraint_solver = { type = 'admm', tolerance = 1e-9 }\n"};
    double x[5];
    for (int k = 0; k < 5; k++) {
        const tn_csv_table *t = simulate(TWO_BOXES, solvers[k], 1e-3, 1.0);
        x[k] = tn_value_at(t, "p.x", 1.0);
        assert_true(tn_run_number(tn_scratch_path("results"), "run.statistics.impulse_problems_not_solved") ==
                    0.0);
    }
    assert_true(fabs(x[1] - x[0]) < 1e-9 && fabs(x[2] - x[0]) < 1e-8);
    assert_true(fabs(x[3] - x[0]) < 1e-8 && fabs(x[4] - x[0]) < 1e-8);
}

/* ---- turning bodies ---------------------------------------------------------------------------------------------- */

#define FREE_BODY                                                                                         \
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 2, 3]\nangular_velocity = " \
    "[0.01, 5, "                                                                                          \
    "0.02]\n[[sensor]]\nname = 'w'\nelement = 'body'\noutput = 'angular_velocity_local'\n"                \
    "[[sensor]]\nname = 'energy'\nsystem = 'total_energy'\n"

/* The momentum R J w in ground axes. */
static void find_momentum(const tn_csv_table *s, size_t row, double L[3])
{
    const double p[4] = {value(s, row, "body.q3"), value(s, row, "body.q4"), value(s, row, "body.q5"),
                         value(s, row, "body.q6")};
    const double J[3] = {value(s, row, "body.v3"), 2.0 * value(s, row, "body.v4"),
                         3.0 * value(s, row, "body.v5")};
    double t[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        t[i] = 2.0 * (p[j + 1] * J[k] - p[k + 1] * J[j]);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        L[i] = J[i] + p[0] * t[i] + p[j + 1] * t[k] - p[k + 1] * t[j];
    }
}

/* It turns over and over, about its axis of middle inertia. */
static void a_free_body_keeps_its_angular_momentum_to_round_off(void **state)
{
    (void)state;
    const tn_csv_table *t = run_model(tn_format("%s" STEPS, FREE_BODY, 0.01, 1000.0, "", "interval = 10\n"));
    const tn_csv_table *s = states();
    double first[3], L[3];
    find_momentum(s, 0, first);
    for (size_t row = 1; row < s->rows; row++) {
        find_momentum(s, row, L);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(L[i] - first[i]) < 1e-10);
    }
    assert_true(spread(t, "energy") < 1e-3 * value(t, 0, "energy"));
    assert_true(spread(t, "w.y") > 5.0);
}

/* J = (5, 5, 1) about the tip, m g l = 20, 50 rad/s (C7): Solfec's axis is off by 1.14e-5 after 10 s at h = 1e-3. */
#define TOP                                                                                                  \
    "[model]\ngravity = [0, 0, -10]\n[[element]]\nname = 'top'\ntype = 'rigid_body'\nmass = 2\ninertia = "   \
    "[3, 3, 1]\n"                                                                                            \
    "position = [0, -0.04997916927067833, 0.9987502603949663]\nrotation = { axis = [1, 0, 0], angle = 0.05 " \
    "}\n"                                                                                                    \
    "angular_velocity = [0, 0, 50]\n[[element]]\nname = 'tip'\ntype = 'spherical'\nmarkers = ['ground', "    \
    "{ element = 'top', position = [0, 0, -1] }]\n[[sensor]]\nname = 'p'\nelement = 'top'\noutput = "        \
    "'position'\n"                                                                                           \
    "[[sensor]]\nname = 'energy'\nsystem = 'total_energy'\n"

static double axis_error(double h, double *energy)
{
    const tn_csv_table *t = simulate(TOP, "", h, 10.0);
    *energy = spread(t, "energy");
    const double x = tn_value_at(t, "p.x", 10.0) + 0.0471322314,
                 y = tn_value_at(t, "p.y", 10.0) - 0.0267486864, z = tn_value_at(t, "p.z", 10.0) - 0.99853045;
    return sqrt(x * x + y * y + z * z);
}

static void a_heavy_top_precesses_with_order_two(void **state)
{
    (void)state;
    double energy[2];
    const double coarse = axis_error(2e-3, &energy[0]), fine = axis_error(1e-3, &energy[1]);
    assert_true(fine < 1.14e-5 && coarse / fine > 3.5);
    assert_true(energy[1] < 1e-8 * 1270.0 && energy[0] < 1e-7 * 1270.0);
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

#define SPRING(stiffness, damping)                                                                           \
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 1]\n[[element]]\nname = 'b'\n" \
    "type = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\nvelocity = [1, 0, "           \
    "0]\n[[element]]\n"                                                                                      \
    "name = 's'\ntype = 'spring_damper'\nmarkers = ['a', 'b']\nreference_length = 1\nstiffness = " stiffness \
    "\n"                                                                                                     \
    "damping = " damping "\n[[sensor]]\nname = 'p'\nelement = 'b'\noutput = 'position'\n"

static double spring_error(const char *model, const char *forces, double damping, double h)
{
    const tn_csv_table *t = simulate(model, forces, h, 5.0);
    const double d = 0.75 * damping, w = sqrt(150.0 - d * d);
    double largest = 0.0;
    for (size_t row = 0; row < t->rows; row++) {
        const double time = value(t, row, "time"), way = exp(-d * time) * sin(w * time) / w;
        largest = fmax(largest, fabs(value(t, row, "p.x") - (1.0 + time / 3.0 + 2.0 / 3.0 * way)));
    }
    return largest;
}

/* C12. Solfec: 2.0e-5 without damping; 1.3e-4 and, by Newton's method, 2.0e-6 with it, at h = 1e-3; a hundred times that at 0.01 but for the
 * first with damping. */
static void a_spring_and_damper_beat_solfecs(void **state)
{
    (void)state;
    assert_true(spring_error(SPRING("100", "0"), "", 0.0, 1e-3) < 2.0e-6);
    assert_true(spring_error(SPRING("100", "2"), "", 2.0, 1e-3) < 2.0e-6);
    assert_true(spring_error(SPRING("100", "0"), "", 0.0, 1e-2) < 2.0e-4);
    assert_true(spring_error(SPRING("100", "2"), "", 2.0, 1e-2) < 2.0e-4);
    static const char *const forces[] = {"forces = 'explicit'\n", "forces = 'implicit'\n"};
    for (int k = 0; k < 2; k++) {
        const double coarse = spring_error(SPRING("100", "2"), forces[k], 2.0, 2e-3),
                     fine = spring_error(SPRING("100", "2"), forces[k], 2.0, 1e-3);
        assert_true(coarse / fine > 3.7 && fine < 2e-5);
    }
}

/* h w = 122, and a damper that would stop the bodies in a thousandth of a step. */
static void stiff_forces_stay_bounded(void **state)
{
    (void)state;
    static const char *const models[] = {SPRING("1e8", "0"), SPRING("1e8", "1e6"), SPRING("0", "1e6")};
    for (int k = 0; k < 3; k++) {
        const tn_csv_table *t = simulate(models[k], k ? "theta = 0.6\n" : "", 0.01, 5.0);
        for (size_t row = 0; row < t->rows; row++)
            assert_true(fabs(value(t, row, "p.x") - 1.0 - value(t, row, "time") / 3.0) < 0.02);
    }
}

/* ---- starts ------------------------------------------------------------------------------------------------------ */

/* C20: a body that moves under a joint at its centre comes to rest in the first step, which reports the impulse, 1 N s, as its mean force.
 * Nothing flips behind it. */
static void an_incompatible_start_is_at_rest_after_one_step(void **state)
{
    (void)state;
    const tn_csv_table *t =
        simulate("[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                 "velocity = [1, 0, 0]\n[[element]]\nname = 'joint'\ntype = 'spherical'\n"
                 "markers = ['ground', 'body']\n[[sensor]]\nname = 'p'\nelement = 'body'\n"
                 "output = 'position'\n",
                 "", 0.01, 0.1);
    const tn_csv_table *s = states();
    assert_true(value(s, 0, "body.v0") == 1.0);
    assert_true(fabs(fabs(value(s, 1, "joint.lambda0")) - 100.0) < 1e-9);
    for (size_t row = 1; row < s->rows; row++) {
        assert_true(fabs(value(s, row, "body.v0")) < 1e-12 && fabs(value(t, row, "p.x")) < 1e-12);
        assert_true(row == 1 || fabs(value(s, row, "joint.lambda0")) < 1e-8);
    }
}

/* C1: the two ball joints of a hinge share what they carry; along the hinge, where one would be enough, nothing is invented. */
static void redundant_joints_share_by_least_norm(void **state)
{
    (void)state;
    (void)simulate(
        "[model]\ngravity = [0, 0, -9.8]\n[[element]]\nname = 'bar'\ntype = 'rigid_body'\nmass = 0.01\n"
        "inertia = [8.416666666666667e-4, 8.416666666666667e-4, 1.6666666666666667e-5]\n"
        "position = [0.125, 0, 0.5334936490538904]\nrotation = { axis = [0, 1, 0], angle = '-30 [deg]' "
        "}\n" BALL("j0", "{ element = 'bar', position = [0, -0.05, 0.25] }",
                   "{ element = 'ground', position = [0, -0.05, 0.75] }")
            BALL("j1", "{ element = 'bar', position = [0, 0.05, 0.25] }",
                 "{ element = 'ground', position = [0, 0.05, 0.75] }"),
        "", 1e-3, 2.0);
    const tn_csv_table *s = states();
    const double theta = -0.0944693663, omega = -2.08014452;
    for (size_t row = 1; row < s->rows; row++) {
        for (int k = 0; k < 3; k += 2) {
            const double first = value(s, row, k ? "j0.lambda2" : "j0.lambda0"),
                         second = value(s, row, k ? "j1.lambda2" : "j1.lambda0");
            assert_true(fabs(first - second) < 1e-9);
        }
        assert_true(fabs(value(s, row, "j0.lambda1")) < 1e-9 && fabs(value(s, row, "j1.lambda1")) < 1e-9);
    }
    assert_true(fabs(fabs(value(s, s->rows - 1, "bar.v4")) - fabs(omega)) < 1e-5);
    (void)theta;
}

/* A joint of a running model, on a spring that is solved for: order 2, as of generalized_alpha. */
static double swing_on_spring(const char *solver, double h)
{
    const char *model = PENDULUM
        "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ["
        "{ element = 'ground', position = [2, 0, 0] }, 'bob']\nreference_length = 1\n"
        "stiffness = 50\ndamping = 0.5\n[[change]]\ntime = 0.7\nelement = 'spring'\nparameter = 'stiffness'\n"
        "value = 20\n";
    const tn_csv_table *t =
        run_model(tn_format("%s[solver]\ntype = '%s'\nstep = %.17g\nend_time = 1.5\n", model, solver, h));
    return tn_value_at(t, "p.x", 1.5);
}

static void springs_beside_joints_and_changes_are_of_order_two(void **state)
{
    (void)state;
    const double exact = swing_on_spring("rk", 5e-4), coarse = swing_on_spring("moreau", 2e-3) - exact,
                 fine = swing_on_spring("moreau", 1e-3) - exact;
    if (!(fabs(fine) < 2e-5 && fabs(coarse / fine) > 3.0)) fail_msg("%g %g", coarse, fine);
}

/* Bricard's mechanism moves though it has a joint too many; the four-bar passes singular positions: with the closed energies of both, where
 * dependent joints contradict each other by round-off and by what they are apart. */
static void overconstrained_and_singular_loops_move(void **state)
{
    (void)state;
    static const char *const models[] = {"a04_bricard", "a02_four_bar"};
    for (int k = 0; k < 2; k++) {
        const char *file = tn_format(TENON_SOURCE_DIR "/configs/benchmarks/iftomm_%s.toml", models[k]);
        const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--quiet", "--solver", "moreau", "--set",
                                                 "solver.step=1e-3", "--out", "results"));
        if (run.status != 0 || run.errors[0]) fail_msg("%s: exit %d: %s", models[k], run.status, run.errors);
        const tn_csv_table *t = tn_sensors(tn_scratch_path("results"));
        assert_true(spread(t, "energy") < 1e-3 * fabs(value(t, 0, "energy")));
    }
}

/* A force that begins at 1/3 s, between two ends of steps, and grows along a line: the step is divided there. */
static void steps_end_where_time_switches_a_law(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate("[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = "
                                     "1\n[[element]]\nname = 'push'\ntype = 'force'\n"
                                     "markers = ['mass']\nvalue = ['IF(time - 1/3: 0, 0, 1)', 0, "
                                     "0]\n[[sensor]]\nname = 'p'\nelement = 'mass'\n"
                                     "output = 'position'\n",
                                     "", 0.01, 1.0);
    assert_true(fabs(tn_value_at(t, "p.x", 1.0) - 2.0 / 9.0) < 1e-12);
    assert_true(tn_run_number(tn_scratch_path("results"), "run.statistics.events") == 1.0);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static const char *refusal(const char *model)
{
    const char *file = tn_write("refused.toml", model);
    const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", "refused"));
    assert_true(run.status != 0);
    return run.errors;
}

static void only_solvers_by_impulses_have_a_constraint_solver(void **state)
{
    (void)state;
    tn_check_holds(
        refusal(PENDULUM "[solver]\ntype = 'rk'\nstep = 1e-3\nend_time = 1\nconstraint_solver = 'direct'\n"),
        TN_WORDS("refused.toml:", "`rk` takes constraints for equations", "constraint_solver = 'direct'"));
    tn_check_holds(
        refusal(PENDULUM
                "[solver]\ntype = 'moreau'\nstep = 1e-3\nend_time = 1\nconstraint_solver = 'direkt'\n"),
        TN_WORDS("refused.toml:", "direkt", "direct"));
    tn_check_holds(refusal(PENDULUM "[solver]\ntype = 'moreau'\nstep = 1e-3\nend_time = 1\n"
                                    "constraint_solver = { type = 'direct', tolerance = -1 }\n"),
                   TN_WORDS("refused.toml:", "tolerance"));
}

static void the_guard_watches(void **state)
{
    (void)state;
    const char *file =
        tn_write("guarded.toml", TWO_BOXES "[solver]\ntype = 'moreau'\nstep = 1e-3\nend_time = 0.1\n");
    const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--quiet", "--guard", "--out", "guarded"));
    if (run.status != 0 || run.errors[0]) fail_msg("exit %d: %s", run.status, run.errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pendulum_swings_better_than_solfecs),
                                       cmocka_unit_test(its_order_is_four_and_two_in_reactions),
                                       cmocka_unit_test(the_law_of_velocities_keeps_energy),
                                       cmocka_unit_test(two_boxes_swing_better_than_solfecs),
                                       cmocka_unit_test(constraint_solvers_agree),
                                       cmocka_unit_test(a_free_body_keeps_its_angular_momentum_to_round_off),
                                       cmocka_unit_test(a_heavy_top_precesses_with_order_two),
                                       cmocka_unit_test(a_spring_and_damper_beat_solfecs),
                                       cmocka_unit_test(stiff_forces_stay_bounded),
                                       cmocka_unit_test(an_incompatible_start_is_at_rest_after_one_step),
                                       cmocka_unit_test(redundant_joints_share_by_least_norm),
                                       cmocka_unit_test(springs_beside_joints_and_changes_are_of_order_two),
                                       cmocka_unit_test(overconstrained_and_singular_loops_move),
                                       cmocka_unit_test(steps_end_where_time_switches_a_law),
                                       cmocka_unit_test(only_solvers_by_impulses_have_a_constraint_solver),
                                       cmocka_unit_test(the_guard_watches)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

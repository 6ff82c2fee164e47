/* test_linearise.c - the state equations that `linearise` finds: against analytic ones, in any orientation, and against
 * motions */
#include "linear.h"

#include <tenon/tenon.h>

#include <math.h>

/* ---- a pole on a cart --------------------------------------------------------------------------------------------- */

static void test_named_states_have_the_analytic_matrices(void **state)
{
    (void)state;
    const double M = CART_MASS, m = POLE_MASS, l = POLE_LENGTH, J = POLE_INERTIA + m * l * l, d = DAMPING,
                 D = (M + m) * J - m * m * l * l;
    const double x[3] = {m * m * l * l * GRAVITY / D, -J * d / D, J / D},
                 t[3] = {(M + m) * m * l * GRAVITY / D, -m * l * d / D, m * l / D};
    const double A[] = {0, 0, 1, 0, 0, 0, 0, 1, 0, x[0], x[1], 0, 0, t[0], t[1], 0};
    const double B[] = {0, 0, x[2], t[2]};
    const double C[] = {1,
                        0,
                        0,
                        0, // x
                        0,
                        0,
                        0,
                        1, // angle_rate
                        0,
                        x[0] - 2 * l * t[0],
                        x[1] - 2 * l * t[1],
                        0, // acceleration of the tip
                        0,
                        -m * (x[0] - l * t[0]),
                        -m * (x[1] - l * t[1]),
                        0, // on the cart
                        0,
                        0,
                        0,
                        0};
    const double K[] = {0, 0, x[2] - 2 * l * t[2], -m * (x[2] - l * t[2]), 0};
    static const char *const positions[] = {"['cart', 'hinge.angle']", "['rail', 'hinge']",
                                            "['x', 'hinge.angle']"};
    for (size_t k = 0; k < sizeof positions / sizeof *positions; k++) {
        const char *results =
            tn_linearise(tn_cart_pole(tn_upright, 0.0, tn_format(LINEARISE("states = %s\n"), positions[k])));
        const tn_npz_matrix found[] = {tn_npz_read(results, "A"), tn_npz_read(results, "B"),
                                       tn_npz_read(results, "C"), tn_npz_read(results, "D")};
        tn_check_matrix(&found[0], 4, 4, A, 1e-12);
        tn_check_matrix(&found[1], 4, 1, B, 1e-12);
        tn_check_matrix(&found[2], 5, 4, C, 1e-12);
        tn_check_matrix(&found[3], 5, 1, K, 1e-12);
    }
}

/* a of s^4 + a3 s^3 + ..., by the traces of powers (Faddeev and LeVerrier). */
static void characteristic(const tn_npz_matrix *A, double *a)
{
    enum { N = 4 };
    double M[N][N] = {{0.0}}, P[N][N];
    assert_int_equal(A->rows, N);
    a[N] = 1.0;
    for (int k = 1; k <= N; k++) {
        double trace = 0.0;
        for (int i = 0; i < N; i++)
            M[i][i] += a[N - k + 1];
        memset(P, 0, sizeof P);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int n = 0; n < N; n++)
                    P[i][j] += tn_npz_at(A, (size_t)i, (size_t)n) * M[n][j];
        for (int i = 0; i < N; i++)
            trace += P[i][i];
        a[N - k] = -trace / k;
        memcpy(M, P, sizeof M);
    }
}

static void test_orientation_does_not_matter(void **state)
{
    (void)state;
    static const double axes[][3] = {{0.6, 0.0, 0.8}, {0.36, 0.48, -0.8}, {0.0, 1.0, 0.0}};
    static const double angles[] = {1.0, -2.5, 0.3};
    const tn_form first = tn_form_read(tn_linearise(tn_cart_pole(tn_upright, 0.0, LINEARISE(""))), false);
    double a[5], b[5];
    characteristic(&first.A, a);
    for (size_t k = 0; k < 3; k++) {
        const char *results = tn_linearise(tn_cart_pole(axes[k], angles[k], LINEARISE("")));
        const tn_form turned = tn_form_read(results, false), full = tn_form_read(results, true);
        characteristic(&turned.A, b);
        for (int i = 0; i < 5; i++)
            assert_true(fabs(a[i] - b[i]) <= 1e-10 * (1.0 + fabs(a[i])));
        tn_check_transfer(&first, &turned, 1e-10);
        tn_check_transfer(&first, &full, 1e-10);
    }
}

/* Between samples of a held input: exp(A h) by a long series, with the integral beside it. */
static void test_the_discrete_form_is_the_exponential(void **state)
{
    (void)state;
    static const double steps[] = {1e-3, 0.1, 5.0};
    for (size_t k = 0; k < 3; k++) {
        const char *results = tn_linearise(tn_cart_pole(
            tn_upright, 0.0, tn_format(LINEARISE("states = ['x', 'hinge']\nstep = %g\n"), steps[k])));
        const tn_form f = tn_form_read(results, false);
        const tn_npz_matrix A = tn_npz_read(results, "discrete_A"), B = tn_npz_read(results, "discrete_B");
        long double e[5][5] = {{0.0L}}, term[5][5] = {{0.0L}}, next[5][5];
        for (int i = 0; i < 5; i++)
            e[i][i] = term[i][i] = 1.0L;
        for (int power = 1; power < 200; power++) {
            memset(next, 0, sizeof next);
            for (size_t i = 0; i < 5; i++)
                for (size_t j = 0; j < 5; j++)
                    for (size_t n = 0; n < 4; n++)
                        next[i][j] += term[i][n] *
                                      (long double)(j < 4 ? tn_npz_at(&f.A, n, j) : tn_npz_at(&f.B, n, 0)) *
                                      (long double)steps[k] / power;
            memcpy(term, next, sizeof term);
            for (int i = 0; i < 5; i++)
                for (int j = 0; j < 5; j++)
                    e[i][j] += term[i][j];
        }
        double a[16], b[4], size = 0.0;
        for (size_t i = 0; i < 4; i++) {
            for (size_t j = 0; j < 4; j++) {
                a[4 * i + j] = (double)e[i][j];
                size = fmax(size, fabs(a[4 * i + j]));
            }
            b[i] = (double)e[i][4];
        }
        tn_check_matrix(&A, 4, 4, a, 1e-13 * size);
        tn_check_matrix(&B, 4, 1, b, 1e-13 * size);
    }
}

/* ---- states of elements, integrals, sensors ------------------------------------------------------------------------- */

/* A controller that integrates holds a rotor: J p'' = -kp (p - u) - ki z - kd p', z' = p - u; and reads what it does. */
static void test_integrals_are_states(void **state)
{
    (void)state;
    const char *results = tn_linearise(
        "[[input]]\nname = 'wanted'\nunit = 'deg'\nvalue = 30\n"
        "[[element]]\nname = 'rotor'\ntype = 'rotor_1d'\ninertia = 2\nangle = '30 [deg]'\n"
        "[[element]]\nname = 'error'\ntype = 'reference_variable'\nexpression = 'COORD(rotor) - wanted'\n"
        "[[element]]\nname = 'sum'\ntype = 'reference_variable'\nintegral = true\nexpression = "
        "'VARVAL(error)'\n"
        "[[element]]\nname = 'drive'\ntype = 'coordinate_force'\nmarkers = 'rotor'\n"
        "value = '-3*VARVAL(error) - 5*VARVAL(sum) - 0.7*RATE(rotor)'\n"
        "[[sensor]]\nname = 'torque'\nexpression = '-3*VARVAL(error) - 5*VARVAL(sum) - 0.7*RATE(rotor) + "
        "2*wanted'\n"
        "[[sensor]]\nname = 'sum'\nexpression = 'VARVAL(sum)'\n"
        "[[sensor]]\nname = 'spin'\nelement = 'rotor'\noutput = 'acceleration'\n"
        "[[sensor]]\nname = 'kinetic'\nsystem = 'kinetic_energy'\n"
        "[[sensor]]\nname = 'work'\nelement = 'drive'\noutput = 'supplied_energy'\n" LINEARISE(
            "states = ['rotor']\n"));
    const tn_npz_matrix found[] = {tn_npz_read(results, "A"), tn_npz_read(results, "B"),
                                   tn_npz_read(results, "C"), tn_npz_read(results, "D")};
    tn_check_matrix(&found[0], 3, 3, (double[]){0, 1, 0, -1.5, -0.35, -2.5, 1, 0, 0}, 1e-13);
    tn_check_matrix(&found[1], 3, 1, (double[]){0, 1.5, -1}, 1e-13);
    tn_check_matrix(&found[2], 4, 3, (double[]){-3, -0.7, -5, 0, 0, 1, -1.5, -0.35, -2.5, 0, 0, 0}, 1e-11);
    tn_check_matrix(&found[3], 4, 1, (double[]){3 + 2, 0, 1.5, 0}, 1e-11);
    const char *text = tn_read(tn_format("%s/linear.json", results));
    tn_check_holds(text,
                   TN_WORDS("\"wanted\", \"unit\": \"deg\"", "0.52359877559829",
                            "\"spin\", \"unit\": \"rad/s^2\", \"value\": 0, \"derivatives\": \"differences\"",
                            "\"torque\"", "\"derivatives\": \"exact\"",
                            "derivatives of `spin`, `kinetic` are found by differences"));
    tn_check_holds(tn_run_text(results, "run.notes.0"), TN_WORDS("left out", "`work`"));
}

/* Rolling wheels turn: eigenvalues of the bicycle at 5 m/s (Meijaard et al., Proc. R. Soc. A 463 (2007) 1955), in coordinates of its own. */
static void test_a_bicycle_has_its_published_eigenvalues(void **state)
{
    (void)state;
    static double complex m[TN_MOST_STATES][TN_MOST_STATES + 1];
    static const double published[][2] = {
        {-14.0783896927982, 0.0}, {-0.775341882195845, 4.46486771378823}, {-0.32286642900409, 0.0}};
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", TENON_SOURCE_DIR "/configs/seeds/bicycle.toml",
                                                 "--solver", "linearise", "--set", "parameters.speed=5",
                                                 "--set", "parameters.roll_rate=0", "--out", results));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    const tn_form f = tn_form_read(results, false);
    assert_int_equal(f.A.rows, 7 + 3);
    for (size_t k = 0; k < 3; k++) {
        const double complex s = tn_complex(published[k][0], published[k][1]);
        if (!(tn_form_eliminate(&f, s, 0, m) < 1e-9)) fail_msg("%g is no eigenvalue", creal(s));
        assert_true(tn_form_eliminate(&f, s + 1e-3, 0, m) > 1e-6);
    }
}

/* A top spins tn_upright on its point: J z'' - i J3 w z' - m g l z = 0 of its tilt z = x + i y, whatever its phase is, and up. */
static void test_a_top_has_constant_coefficients(void **state)
{
    (void)state;
    static double complex m[TN_MOST_STATES][TN_MOST_STATES + 1];
    static const double tilts[][2] = {{0.0, 0.0}, {0.7, 1.2}, {2.1, -0.4}};
    const double J = 0.05 + 2.0 * 0.3 * 0.3, J3 = 0.02, w = 150.0, g = 2.0 * 9.81 * 0.3;
    const double root = sqrt(J3 * J3 * w * w - 4.0 * J * g);
    for (size_t k = 0; k < 3; k++) {
        const double c = cos(tilts[k][0]), s = sin(tilts[k][0]); // about y, behind a phase about z
        const char *results = tn_linearise(tn_format(
            "[model]\ngravity = [%.17g, 0, %.17g]\n"
            "[[element]]\nname = 'top'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.05, 0.05, 0.02]\n"
            "position = [%.17g, 0, %.17g]\nrotation = { euler = 'yzx', angles = [%.17g, %.17g, 0] }\n"
            "angular_velocity = [%.17g, 0, %.17g]\n"
            "[[element]]\nname = 'point'\ntype = 'spherical'\n"
            "markers = ['ground', { element = 'top', position = [0, 0, -0.3] }]\n" LINEARISE(""),
            -9.81 * s, -9.81 * c, 0.3 * s, 0.3 * c, tilts[k][0], tilts[k][1], 0.0, w));
        const tn_form f = tn_form_read(results, false);
        assert_int_equal(f.A.rows, 6);
        for (int sign = -1; sign <= 1; sign += 2) {
            const double complex at = tn_complex(0.0, (J3 * w + sign * root) / (2.0 * J));
            if (!(tn_form_eliminate(&f, at, 0, m) < 1e-10)) fail_msg("%gi is no eigenvalue", cimag(at));
            assert_true(tn_form_eliminate(&f, at + 1e-3, 0, m) > 1e-7);
        }
    }
}

/* Lean and steer, and all else that changes while it rolls: M q'' + v C q' + (g K0 + v^2 K2) q = 0 with the published matrices. */
static void test_rolling_wheels_leave_named_rates(void **state)
{
    (void)state;
    static const double M[2][2] = {{80.81722, 2.31941332208709}, {2.31941332208709, 0.29784188199686}},
                        C[2][2] = {{0.0, 33.86641391492494}, {-0.85035641456978, 1.6854039739756}},
                        K0[2][2] = {{-80.95, -2.59951685249872}, {-2.59951685249872, -0.80329488458618}},
                        K2[2][2] = {{0.0, 76.59734589573222}, {0.0, 2.65431523794604}};
    const double v = 5.0, D = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    const char *text = tn_read(TENON_SOURCE_DIR "/configs/seeds/bicycle.toml");
    const char *model = tn_format(
        "%.*s[[sensor]]\nname = 'lean'\nexpression = 'ROLL(frame)'\n"
        "[[sensor]]\nname = 'yaw'\nexpression = 'YAW(frame)'\n"
        "[[marker]]\nname = 'contact'\ntype = 'point'\nelement = 'frame'\nposition = [0, 0, 0]\n"
        "[[sensor]]\nname = 'at'\nmarker = 'contact'\noutput = 'position'\n" LINEARISE(
            "outputs = ['lean']\nstates = ['lean', 'steering.angle', 'rear_axle.angle', 'at.x', 'at.y', "
            "'yaw', 'front_axle.angle']\n"),
        (int)(strstr(text, "[solver]") - text), text);
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("bicycle.toml", model), "--set", "parameters.speed=5", "--set",
                          "parameters.roll_rate=0", "--out", results));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    const tn_npz_matrix A = tn_npz_read(results, "A");
    assert_int_equal(A.rows, 7 + 3);
    for (size_t r = 0; r < 2; r++)
        for (size_t c = 0; c < 4; c++) {
            double right[2];
            for (size_t k = 0; k < 2; k++)
                right[k] = c < 2 ? -(9.81 * K0[k][c] + v * v * K2[k][c]) : -v * C[k][c - 2];
            const double expected = (M[1 - r][1 - r] * right[r] - M[r][1 - r] * right[1 - r]) / D,
                         found = tn_npz_at(&A, 7 + r, c < 2 ? c : 5 + c);
            if (!(fabs(found - expected) < 1e-9 * (1.0 + fabs(expected))))
                fail_msg("%zu, %zu: %.15g, not %.15g", r, c, found, expected);
        }
    // sideways by the heading, and along by the rear wheel
    assert_true(fabs(tn_npz_at(&A, 4, 5) - v) < 1e-12 && fabs(tn_npz_at(&A, 3, 9) - 0.3) < 1e-12);
}

/* Hinges of a planar loop hold more than they need: a parallelogram of 1 m, whose bars are thin, hangs. */
static void test_dependent_rows_have_least_reactions(void **state)
{
    (void)state;
#define BAR(name, mass, x, y, angle)                                                                     \
    "[[element]]\nname = '" name "'\ntype = 'rigid_body'\nmass = " mass "\ninertia = [0.01, 0.1, 0.1]\n" \
    "position = [" x ", " y ", 0]\nrotation = { axis = [0, 0, 1], angle = '" angle " [deg]' }\n"
#define PIN(name, first, second) \
    "[[element]]\nname = '" name "'\ntype = 'revolute'\nmarkers = [" first ", " second "]\n"
#define END(bar, x) "{ element = '" bar "', position = [" x ", 0, 0] }"
    const char *results = tn_linearise(
        "[model]\ngravity = [0, -9.81, 0]\n[[input]]\nname = 'u'\nunit = 'N m'\nvalue = 0\n" BAR(
            "a", "1", "0", "-0.5", "-90") BAR("b", "2", "0.5", "-1", "0") BAR("c", "1", "1", "-0.5", "90")
            PIN("j1", "'ground'", END("a", "-0.5")) PIN("j2", END("a", "0.5"), END("b", "-0.5"))
                PIN("j3", END("b", "0.5"), END("c", "-0.5")) PIN(
                    "j4", END("c", "0.5"),
                    END("ground", "1")) "[[element]]\nname = 'm'\ntype = 'coordinate_force'\nmarkers = "
                                        "'j1'\nvalue = 'u - 0.1*RATE(j1)'\n"
                                        "[[sensor]]\nname = 'across'\nexpression = 'JOINT(j2, 0, 2)'\n"
                                        "[[sensor]]\nname = 'out'\nexpression = 'JOINT(j3, 0, 4)'\n"
                                        "[[sensor]]\nname = 'other'\nexpression = 'COORD(j4)'\n" LINEARISE(
                                            "states = ['j1']\n"));
    const double J = 2.0 * (0.1 + 0.25) + 2.0, g = 3.0 * 9.81 / J, d = 0.1 / J;
    const tn_form f = tn_form_read(results, false), full = tn_form_read(results, true);
    tn_check_matrix(&f.A, 2, 2, (double[]){0, 1, -g, -d}, 1e-12);
    tn_check_matrix(&f.B, 2, 1, (double[]){0, 1 / J}, 1e-12);
    // bar b pulls its end back with what the torque does not need to turn the bar itself, of 0.35 kg m^2
    tn_check_matrix(&f.D, 3, 1, (double[]){0.35 / J - 1, 0, 0}, 1e-12);
    tn_check_transfer(&f, &full, 1e-10);
    tn_check_holds(tn_run_text(results, "run.warnings.0"), TN_WORDS("depend on each other"));
}

/* ---- against motions -------------------------------------------------------------------------------------------------- */

/* Steps of the steering of a car, small ones: what the equations between samples say of it. */
static void test_a_car_answers_its_steering_as_it_moves(void **state)
{
    (void)state;
    enum { SAMPLES = 50, OUTPUTS = 4 };
    static const char *const names[OUTPUTS] = {"yaw_rate", "lateral_velocity", "lateral_acceleration",
                                               "wheel_angle"};
    const char *path = TENON_SOURCE_DIR "/configs/seeds/linearise_car.toml", *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", path, "--set", "solver.1.step=0.01", "--set",
                          "solver.1.outputs=['yaw_rate', 'lateral_velocity', 'lateral_acceleration', "
                          "'wheel_angle']",
                          "--out", results));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    const tn_form f = tn_form_read(results, false);
    const tn_npz_matrix A = tn_npz_read(results, "discrete_A"), B = tn_npz_read(results, "discrete_B");

    static const char *const plugins[] = {TENON_PLUGINS};
    tenon_model *model = NULL;
    const char *text = tn_read(path), *last = strstr(text, "[[solver]]\ntype = \"linearise\"");
    assert_non_null(last);
    const char *moving = tn_format("%.*s[[solver]]\ntype = 'radau'\nend_time = 3\ntolerance = 1e-9\n",
                                   (int)(last - text), text);
    const tenon_options plain = {.size = sizeof plain, .plugin_paths = plugins, .plugin_path_count = 1};
    assert_int_equal(tenon_open_text(moving, "car.toml", NULL, &plain, &model), TENON_OK);
    assert_int_equal(tenon_step_to(model, 2.0), TENON_OK);
    const double small = 1e-5;
    double z[TN_MOST_STATES] = {0.0}, next[TN_MOST_STATES], largest[OUTPUTS] = {0.0}, worst[OUTPUTS] = {0.0},
           start[OUTPUTS];
    size_t number[OUTPUTS], steering = 0;
    for (size_t o = 0; o < OUTPUTS; o++) {
        assert_int_equal(tenon_sensor_find(model, names[o], &number[o]), TENON_OK);
        assert_int_equal(tenon_sensor_value(model, number[o], &start[o]), TENON_OK);
    }
    assert_int_equal(tenon_input_find(model, "steering", &steering), TENON_OK);
    assert_int_equal(tenon_set_input(model, steering, small), TENON_OK);
    for (int k = 0; k <= SAMPLES; k++) {
        if (k) assert_int_equal(tenon_step_to(model, 2.0 + 0.01 * k), TENON_OK);
        for (size_t o = 0; o < OUTPUTS; o++) {
            double value = 0.0, linear = tn_npz_at(&f.D, o, 0);
            for (size_t i = 0; i < A.rows; i++)
                linear += tn_npz_at(&f.C, o, i) * z[i];
            assert_int_equal(tenon_sensor_value(model, number[o], &value), TENON_OK);
            largest[o] = fmax(largest[o], fabs(linear));
            worst[o] = fmax(worst[o], fabs(linear - (value - start[o]) / small));
        }
        for (size_t i = 0; i < A.rows; i++) {
            next[i] = tn_npz_at(&B, i, 0);
            for (size_t j = 0; j < A.rows; j++)
                next[i] += tn_npz_at(&A, i, j) * z[j];
        }
        memcpy(z, next, sizeof z);
    }
    tenon_close(model);
    for (size_t o = 0; o < OUTPUTS; o++)
        if (!(worst[o] <= 1e-4 * largest[o]))
            fail_msg("%s: off by %.3g of %.3g", names[o], worst[o], largest[o]);
}

/* i' = a - i with the acceleration a = -2 x of a mass on a spring: exact at rest, and nothing else is said. */
static void test_rates_that_read_accelerations(void **state)
{
    (void)state;
    const char *results = tn_linearise(
        "[[element]]\nname = 'm'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 1, 1]\n[[element]]\n"
        "name = 'guide'\ntype = 'prismatic'\nmarkers = ['ground', 'm']\n[[element]]\nname = 's'\n"
        "type = 'cartesian_spring_damper'\nmarkers = ['ground', 'm']\nstiffness = [4, 4, 4]\n[[element]]\n"
        "name = 'i'\ntype = 'reference_variable'\nexpression = 'ACCX(m) - VARVAL(i)'\nintegral = true\n"
        "[[sensor]]\nname = 'x'\nexpression = 'DX(m)'\n" LINEARISE("states = ['guide']\n"));
    const tn_npz_matrix A = tn_npz_read(results, "A");
    tn_check_matrix(&A, 3, 3, (const double[]){0, 1, 0, -2, 0, 0, -2, 0, -1}, 1e-14);
    assert_non_null(strstr(tn_read(tn_format("%s/linear.json", results)), "\"inexact\": []"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates_that_read_accelerations),
                                       cmocka_unit_test(test_named_states_have_the_analytic_matrices),
                                       cmocka_unit_test(test_orientation_does_not_matter),
                                       cmocka_unit_test(test_the_discrete_form_is_the_exponential),
                                       cmocka_unit_test(test_integrals_are_states),
                                       cmocka_unit_test(test_a_bicycle_has_its_published_eigenvalues),
                                       cmocka_unit_test(test_a_top_has_constant_coefficients),
                                       cmocka_unit_test(test_rolling_wheels_leave_named_rates),
                                       cmocka_unit_test(test_dependent_rows_have_least_reactions),
                                       cmocka_unit_test(test_a_car_answers_its_steering_as_it_moves)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

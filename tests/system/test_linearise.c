/* test_linearise.c - the state equations that `linearise` finds: against analytic ones, in any orientation, against motions, and what it
 * refuses */
#include "harness.h"
#include "npz.h"

#include <tenon/tenon.h>

#include <complex.h>
#include <math.h>

#define LINEARISE(keys) "[[solver]]\ntype = 'linearise'\n" keys

static const char *run_well(const char *model)
{
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("linear.toml", model), "--out", results));
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    return results;
}

static const char *refused(const char *model)
{
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("linear.toml", model), "--out", tn_scratch_path(NULL)));
    if (outcome.status == 0) fail_msg("it is not refused: %s", outcome.errors);
    return outcome.errors;
}

static void check_matrix(const tn_npz_matrix *found, size_t rows, size_t columns, const double *expected,
                         double tolerance)
{
    assert_int_equal(found->rows, rows);
    assert_int_equal(found->columns, columns);
    for (size_t k = 0; k < rows * columns; k++)
        if (!(fabs(found->value[k] - expected[k]) <= tolerance * (1.0 + fabs(expected[k]))))
            fail_msg("entry %zu, %zu is %.17g, not %.17g", k / columns, k % columns, found->value[k],
                     expected[k]);
}

/* ---- transfer functions ------------------------------------------------------------------------------------------- */

typedef struct form {
    tn_npz_matrix E, A, B, C, D;
    bool has_E;
} form;

static form read_form(const char *results, bool descriptor)
{
    const char *p = descriptor ? "descriptor_" : "";
    return (form){.has_E = descriptor,
                  .E = descriptor ? tn_npz_read(results, "descriptor_E") : (tn_npz_matrix){0},
                  .A = tn_npz_read(results, tn_format("%sA", p)),
                  .B = tn_npz_read(results, tn_format("%sB", p)),
                  .C = tn_npz_read(results, tn_format("%sC", p)),
                  .D = tn_npz_read(results, tn_format("%sD", p))};
}

enum { MOST = 256 };

static double complex complex_of(double real, double imaginary)
{
    double complex z;
    memcpy(&z, (double[2]){real, imaginary}, sizeof z);
    return z;
}

/* s E - A, with a right-hand side behind it, eliminated; the smallest pivot over the largest. */
static double eliminate(size_t n, double complex (*m)[MOST + 1])
{
    double least = HUGE_VAL, most = 0.0;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t r = k + 1; r < n; r++)
            if (cabs(m[r][k]) > cabs(m[best][k])) best = r;
        for (size_t c = 0; c <= n; c++) {
            const double complex x = m[k][c];
            m[k][c] = m[best][c];
            m[best][c] = x;
        }
        least = fmin(least, cabs(m[k][k]));
        most = fmax(most, cabs(m[k][k]));
        for (size_t r = 0; r < n; r++) {
            const double complex f = r == k ? 0.0 : m[r][k] / m[k][k];
            for (size_t c = k; c <= n && f != 0.0; c++)
                m[r][c] -= f * m[k][c];
        }
    }
    return least / most;
}

static double fill(const form *f, double complex s, size_t input, double complex (*m)[MOST + 1])
{
    const size_t n = f->A.rows;
    assert_true(n <= MOST);
    for (size_t r = 0; r < n; r++) {
        for (size_t c = 0; c < n; c++)
            m[r][c] = s * (f->has_E ? tn_npz_at(&f->E, r, c) : (double)(r == c)) - tn_npz_at(&f->A, r, c);
        m[r][n] = f->B.columns ? tn_npz_at(&f->B, r, input) : 0.0;
    }
    return eliminate(n, m);
}

static double complex transfer(const form *f, double complex s, size_t output, size_t input)
{
    static double complex m[MOST][MOST + 1];
    const size_t n = f->A.rows;
    double complex y = tn_npz_at(&f->D, output, input);
    (void)fill(f, s, input, m);
    for (size_t k = 0; k < n; k++)
        y += tn_npz_at(&f->C, output, k) * m[k][n] / m[k][k];
    return y;
}

static void check_transfer(const form *a, const form *b, double tolerance)
{
    assert_int_equal(a->D.rows, b->D.rows);
    assert_int_equal(a->D.columns, b->D.columns);
    for (int k = 0; k < 10; k++) {
        const double complex s = complex_of(0.0, 0.3 * pow(1.7, k));
        for (size_t o = 0; o < a->D.rows; o++)
            for (size_t i = 0; i < a->D.columns; i++) {
                const double complex x = transfer(a, s, o, i), y = transfer(b, s, o, i);
                if (!(cabs(x - y) <= tolerance * (1e-3 + cabs(x))))
                    fail_msg("output %zu at %g rad/s: %.15g%+.15gi, not %.15g%+.15gi", o, cimag(s), creal(y),
                             cimag(y), creal(x), cimag(x));
            }
    }
}

/* ---- a pole on a cart --------------------------------------------------------------------------------------------- */

#define CART_MASS 1.5
#define POLE_MASS 0.3
#define POLE_LENGTH 0.5
#define POLE_INERTIA 0.02
#define DAMPING 0.4
#define GRAVITY 9.81

/* Standing, the cart on a rail along x; all of it turned about an axis. The pole leans to -x where its angle grows. */
static const char *cart_pole(const double axis[3], double angle, const char *solver)
{
    const double c = cos(angle), s = sin(angle), k = 1.0 - c, *a = axis;
    const double z[3] = {k * a[0] * a[2] + s * a[1], k * a[1] * a[2] - s * a[0], k * a[2] * a[2] + c};
    const char *turn = tn_format("rotation = { axis = [%.17g, %.17g, %.17g], angle = '%.17g [rad]' }",
                                 axis[0], axis[1], axis[2], angle);
    return tn_format(
        "[model]\ngravity = [%.17g, %.17g, %.17g]\n"
        "[[input]]\nname = 'push'\nunit = 'N'\nvalue = 0\n"
        "[[element]]\nname = 'cart'\ntype = 'rigid_body'\nmass = 1.5\ninertia = [0.1, 0.2, 0.3]\n%s\n"
        "[[element]]\nname = 'pole'\ntype = 'rigid_body'\nmass = 0.3\ninertia = [0.021, 0.02, 0.005]\n"
        "position = [%.17g, %.17g, %.17g]\n%s\n"
        "[[element]]\nname = 'rail'\ntype = 'prismatic'\nmarkers = [{ element = 'ground', %s }, 'cart']\n"
        "[[element]]\nname = 'hinge'\ntype = 'revolute'\nmarkers = ["
        "{ element = 'cart', rotation = { axis = [1, 0, 0], angle = '90 [deg]' } },"
        "{ element = 'pole', position = [0, 0, -0.5], rotation = { axis = [1, 0, 0], angle = '90 [deg]' } "
        "}]\n"
        "[[element]]\nname = 'motor'\ntype = 'coordinate_force'\nmarkers = 'rail'\n"
        "value = 'push - 0.4*RATE(rail)'\n"
        "[[marker]]\nname = 'tip'\ntype = 'frame'\nelement = 'pole'\nposition = [0, 0, 0.5]\n"
        "[[marker]]\nname = 'foot'\ntype = 'frame'\nelement = 'ground'\n%s\n"
        "[[sensor]]\nname = 'x'\nexpression = 'COORD(rail)'\n"
        "[[sensor]]\nname = 'rate'\nelement = 'hinge'\noutput = 'angle_rate'\n"
        "[[sensor]]\nname = 'acceleration'\nexpression = 'ACCX(tip, foot, foot)'\n"
        "[[sensor]]\nname = 'reaction'\nexpression = 'JOINT(hinge, 0, 2, foot)'\n"
        "[[sensor]]\nname = 'drive'\nexpression = 'SFORCE(motor, 0, 1)**2'\n%s",
        -GRAVITY * z[0], -GRAVITY * z[1], -GRAVITY * z[2], turn, POLE_LENGTH * z[0], POLE_LENGTH * z[1],
        POLE_LENGTH * z[2], turn, turn, turn, solver);
}

static const double upright[3] = {0.0, 0.0, 1.0};

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
            run_well(cart_pole(upright, 0.0, tn_format(LINEARISE("states = %s\n"), positions[k])));
        const tn_npz_matrix found[] = {tn_npz_read(results, "A"), tn_npz_read(results, "B"),
                                       tn_npz_read(results, "C"), tn_npz_read(results, "D")};
        check_matrix(&found[0], 4, 4, A, 1e-12);
        check_matrix(&found[1], 4, 1, B, 1e-12);
        check_matrix(&found[2], 5, 4, C, 1e-12);
        check_matrix(&found[3], 5, 1, K, 1e-12);
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
    const form first = read_form(run_well(cart_pole(upright, 0.0, LINEARISE(""))), false);
    double a[5], b[5];
    characteristic(&first.A, a);
    for (size_t k = 0; k < 3; k++) {
        const char *results = run_well(cart_pole(axes[k], angles[k], LINEARISE("")));
        const form turned = read_form(results, false), full = read_form(results, true);
        characteristic(&turned.A, b);
        for (int i = 0; i < 5; i++)
            assert_true(fabs(a[i] - b[i]) <= 1e-10 * (1.0 + fabs(a[i])));
        check_transfer(&first, &turned, 1e-10);
        check_transfer(&first, &full, 1e-10);
    }
}

/* Between samples of a held input: exp(A h) by a long series, with the integral beside it. */
static void test_the_discrete_form_is_the_exponential(void **state)
{
    (void)state;
    static const double steps[] = {1e-3, 0.1, 5.0};
    for (size_t k = 0; k < 3; k++) {
        const char *results = run_well(
            cart_pole(upright, 0.0, tn_format(LINEARISE("states = ['x', 'hinge']\nstep = %g\n"), steps[k])));
        const form f = read_form(results, false);
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
        check_matrix(&A, 4, 4, a, 1e-13 * size);
        check_matrix(&B, 4, 1, b, 1e-13 * size);
    }
}

/* ---- states of elements, integrals, sensors ------------------------------------------------------------------------- */

/* A controller that integrates holds a rotor: J p'' = -kp (p - u) - ki z - kd p', z' = p - u; and reads what it does. */
static void test_integrals_are_states(void **state)
{
    (void)state;
    const char *results = run_well(
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
    check_matrix(&found[0], 3, 3, (double[]){0, 1, 0, -1.5, -0.35, -2.5, 1, 0, 0}, 1e-13);
    check_matrix(&found[1], 3, 1, (double[]){0, 1.5, -1}, 1e-13);
    check_matrix(&found[2], 4, 3, (double[]){-3, -0.7, -5, 0, 0, 1, -1.5, -0.35, -2.5, 0, 0, 0}, 1e-11);
    check_matrix(&found[3], 4, 1, (double[]){3 + 2, 0, 1.5, 0}, 1e-11);
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
    static double complex m[MOST][MOST + 1];
    static const double published[][2] = {
        {-14.0783896927982, 0.0}, {-0.775341882195845, 4.46486771378823}, {-0.32286642900409, 0.0}};
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", TENON_SOURCE_DIR "/configs/seeds/bicycle.toml",
                                                 "--solver", "linearise", "--set", "parameters.speed=5",
                                                 "--set", "parameters.roll_rate=0", "--out", results));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    const form f = read_form(results, false);
    assert_int_equal(f.A.rows, 7 + 3);
    for (size_t k = 0; k < 3; k++) {
        const double complex s = complex_of(published[k][0], published[k][1]);
        if (!(fill(&f, s, 0, m) < 1e-9)) fail_msg("%g is no eigenvalue", creal(s));
        assert_true(fill(&f, s + 1e-3, 0, m) > 1e-6);
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
    const char *results = run_well(
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
    const form f = read_form(results, false), full = read_form(results, true);
    check_matrix(&f.A, 2, 2, (double[]){0, 1, -g, -d}, 1e-12);
    check_matrix(&f.B, 2, 1, (double[]){0, 1 / J}, 1e-12);
    // bar b pulls its end back with what the torque does not need to turn the bar itself, of 0.35 kg m^2
    check_matrix(&f.D, 3, 1, (double[]){0.35 / J - 1, 0, 0}, 1e-12);
    check_transfer(&f, &full, 1e-10);
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
    const form f = read_form(results, false);
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
    double z[MOST] = {0.0}, next[MOST], largest[OUTPUTS] = {0.0}, worst[OUTPUTS] = {0.0}, start[OUTPUTS];
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

/* ---- chains, guard, files ---------------------------------------------------------------------------------------------- */

static void test_it_stands_among_other_solvers(void **state)
{
    (void)state;
    const char *results = run_well(cart_pole(
        upright, 0.0,
        "[[solver]]\ntype = 'static'\nfree = 'hold'\n" LINEARISE("states = ['cart', 'hinge']\n")
            LINEARISE("outputs = ['reaction', 'x']\ninputs = []\n") "[[solver]]\ntype = 'rk'\nend_time = "
                                                                    "0.1\nstep = 0.01\n"));
    assert_int_equal(tn_sensors(results)->rows, 3 + 10);
    tn_check_holds(tn_read(tn_format("%s/run.toml", results)),
                   TN_WORDS("linear.npz", "linear_2.npz", "linear.json", "linear_2.json"));
    // what it does not touch goes on: the pole stands
    assert_true(fabs(tn_value_at(tn_sensors(results), "x", 0.1)) < 1e-12);
}

static void test_guarded_calls_find_the_same(void **state)
{
    (void)state;
    const char *model =
        tn_write("guarded.toml", cart_pole(upright, 0.4, LINEARISE("states = ['cart', 'hinge']\n")));
    const char *results[] = {tn_scratch_path(NULL), tn_scratch_path(NULL)};
    for (int k = 0; k < 2; k++) {
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", model, "--out", results[k], k ? "--guard" : "--quiet"));
        if (outcome.status != 0) fail_msg("%s", outcome.errors);
    }
    assert_string_equal(tn_read(tn_format("%s/linear.json", results[0])),
                        tn_read(tn_format("%s/linear.json", results[1])));
}

/* ---- what is wrong ---------------------------------------------------------------------------------------------------- */

static void test_wrong_names_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *words[4];
    } wrong[] = {
        {"inputs = ['pus']\n", {"linear.toml:", "there is no [[input]] `pus`", "did you mean `push`"}},
        {"outputs = ['x', 'acceleratoin']\n",
         {"there is no [[sensor]] `acceleratoin`", "did you mean `acceleration`"}},
        {"states = ['cart', 'hing']\n", {"no element, marker or sensor `hing`", "did you mean `hinge`"}},
        {"states = ['cart', 'hinge.angel']\n", {"linear.toml:", "angel", "angle"}},
        {"states = ['cart', 'cart']\n", {"`cart` is named twice"}},
        {"states = ['cart']\n",
         {"names 1 position, but the model moves in 2 ways", "`pole` turns about (0, 1, 0)"}},
        {"states = ['cart', 'rail']\n", {"linear.toml:", "`rail` is not independent of those before it"}},
        {"states = ['cart', 'hinge', 'rail']\n", {"`rail` is not independent", "2 ways"}},
        {"states = ['pole', 'hinge']\n", {"`pole` is a body that does not have just one motion"}},
        {"states = ['cart', 'reaction']\n", {"`reaction` is no function of positions"}},
        {"states = ['cart', 'rate']\n", {"the sensor `rate` is no position"}},
        {"outputs = ['x', 'x']\n", {"named twice"}},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *errors = refused(cart_pole(upright, 0.0, tn_format(LINEARISE("%s"), wrong[k].keys)));
        for (size_t w = 0; w < 4 && wrong[k].words[w]; w++)
            tn_check_holds(errors, TN_WORDS(wrong[k].words[w]));
    }
}

static void test_states_out_of_balance_are_refused(void **state)
{
    (void)state;
    const char *model = "[model]\ngravity = [0, 0, -9.81]\n"
                        "[[element]]\nname = 'stone'\ntype = 'mass_point'\nmass = 2\n"
                        "[[sensor]]\nname = 'sum'\nsystem = 'energy_balance'\n"
                        "[[sensor]]\nname = 'z'\nexpression = 'DZ(stone)'\n";
    tn_check_holds(refused(tn_format("%s" LINEARISE(""), model)),
                   TN_WORDS("no equilibrium", "most of all at `stone`", "force = true"));
    const char *results = run_well(tn_format("%s" LINEARISE("force = true\n"), model));
    tn_check_holds(tn_run_text(results, "run.warnings.0"), TN_WORDS("no equilibrium"));
    tn_check_holds(refused(tn_format("%s" LINEARISE("force = true\noutputs = ['sum']\n"), model)),
                   TN_WORDS("`sum` is no function of the state"));
    tn_check_holds(
        refused("[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1\n"
                "[[sensor]]\nname = 'before'\nexpression = 'DELAY(COORD(m), 0.1, 0)'\n" LINEARISE("")),
        TN_WORDS("values of the past", "DELAY"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_named_states_have_the_analytic_matrices),
                                       cmocka_unit_test(test_orientation_does_not_matter),
                                       cmocka_unit_test(test_the_discrete_form_is_the_exponential),
                                       cmocka_unit_test(test_integrals_are_states),
                                       cmocka_unit_test(test_a_bicycle_has_its_published_eigenvalues),
                                       cmocka_unit_test(test_rolling_wheels_leave_named_rates),
                                       cmocka_unit_test(test_dependent_rows_have_least_reactions),
                                       cmocka_unit_test(test_a_car_answers_its_steering_as_it_moves),
                                       cmocka_unit_test(test_it_stands_among_other_solvers),
                                       cmocka_unit_test(test_guarded_calls_find_the_same),
                                       cmocka_unit_test(test_wrong_names_are_refused),
                                       cmocka_unit_test(test_states_out_of_balance_are_refused)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_eigen.c - modes that `eigen` finds: against closed solutions and published values, dense and sparse, about equilibria and steady
 * motions; where it refuses; the tables that it writes */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BICYCLES TENON_SOURCE_DIR "/configs/modes/bicycle_speeds.toml"
#define EIGEN(keys) "[[solver]]\ntype = 'eigen'\n" keys
#define GRAVITY "[model]\ngravity = [0, 0, -9.81]\n"

enum { MOST = 512 };

/* ---- runs and their modes ---------------------------------------------------------------------------------- */

typedef struct modes {
    size_t count;
    double re[MOST], im[MOST], frequency[MOST], damping[MOST], mass[MOST][6];
    char first[MOST][64];
} modes;

static const char *results;

static tn_outcome run_to(const char *model, int status, const char *const *more)
{
    const char *words[24] = {"run", tn_write("eigen.toml", model), "--out", results = tn_scratch_path(NULL)};
    for (size_t k = 0; more && more[k]; k++)
        words[4 + k] = more[k];
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != status) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    return outcome;
}

static const modes *read_modes(const char *file)
{
    static modes read;
    const char *line = tn_read(tn_format("%s/%s", results, file));
    read.count = 0;
    while ((line = strchr(line, '\n')) != NULL && line[1]) {
        const size_t k = read.count++;
        char *end = NULL;
        assert_true(k < MOST && strtoul(++line, &end, 10) == k + 1);
        double *const number[] = {&read.re[k],      &read.im[k],      &read.frequency[k], &read.damping[k],
                                  &read.mass[k][0], &read.mass[k][1], &read.mass[k][2],   &read.mass[k][3],
                                  &read.mass[k][4], &read.mass[k][5]};
        for (size_t n = 0; n < sizeof number / sizeof *number; n++)
            *number[n] = strtod(end + 1, &end);
        (void)snprintf(read.first[k], sizeof read.first[k], "%.*s", (int)strcspn(end + 1, ","), end + 1);
    }
    return &read;
}

static const modes *find_modes(const char *model, const char *const *more)
{
    (void)run_to(model, 0, more);
    return read_modes("modes.csv");
}

static void check_number(const char *what, double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance * fmax(fabs(wanted), 1e-300)))
        fail_msg("%s is %.17g, not %.17g: %.2g", what, found, wanted, found / wanted - 1.0);
}

static void check_absolute(const char *what, double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance)) fail_msg("%s is %.17g, not %.17g", what, found, wanted);
}

/* ---- closed solutions --------------------------------------------------------------------------------------- */

static const char *chain_of(int beads, const char *keys)
{
    return tn_format(
        GRAVITY
        "[[repeat]]\nvariable = 'i'\ncount = %d\n[[repeat.element]]\nname = 'bead{i}'\ntype = 'mass_point'\n"
        "mass = 0.7\nposition = [0, 0, '-0.3*(i + 1)']\n[[element]]\nname = 'rod0'\ntype = 'distance'\n"
        "length = 0.3\nmarkers = ['ground', 'bead0']\n[[repeat]]\nvariable = 'i'\ncount = %d\n"
        "[[repeat.element]]\nname = 'rod{i + 1}'\ntype = 'distance'\nlength = 0.3\n"
        "markers = ['bead{i}', 'bead{i + 1}']\n" EIGEN("%s"),
        beads, beads - 1, keys);
}

static double laguerre(int n, double x)
{
    double before = 1.0, now = 1.0 - x;
    for (int k = 1; k < n; k++) {
        const double next = ((2 * k + 1 - x) * now - k * before) / (k + 1);
        before = now;
        now = next;
    }
    return now;
}

/* The first zeros of L_n, by bisection. */
static void find_zeros(int n, int count, double *zero)
{
    const double step = 0.01 / n;
    int found = 0;
    for (double x = 0.0; found < count; x += step) {
        if (laguerre(n, x) * laguerre(n, x + step) > 0.0) continue;
        double low = x, high = x + step;
        for (int k = 0; k < 80; k++) {
            const double middle = 0.5 * (low + high);
            *(laguerre(n, low) * laguerre(n, middle) > 0.0 ? &low : &high) = middle;
        }
        zero[found++] = 0.5 * (low + high);
    }
}

/* w^2 = g/l times the zeros of the Laguerre polynomial, in two directions. */
static void test_hanging_chain(void **state)
{
    (void)state;
    double zero[4];
    find_zeros(20, 4, zero);
    for (int sparse = 0; sparse < 2; sparse++) {
        const modes *m = find_modes(
            chain_of(20, tn_format("count = 8\nmethod = '%s'\n", sparse ? "sparse" : "dense")), NULL);
        assert_int_equal(m->count, 8);
        for (size_t k = 0; k < 8; k++) {
            check_number("a frequency of the chain", m->im[k], sqrt(9.81 / 0.3 * zero[k / 2]), 1e-9);
            assert_true(m->re[k] == 0.0);
            check_number("frequency", m->frequency[k], m->im[k] / (2.0 * acos(-1.0)), 1e-15);
        }
    }
}

#define ROW(count, more)                                                                       \
    "[[repeat]]\nvariable = 'i'\ncount = " count                                               \
    "\n[[repeat.element]]\nname = 'm{i}'\ntype = 'mass_1d'\nmass = 2\n"                        \
    "[[repeat]]\nvariable = 'i'\ncount = '" count " - 1'\n[[repeat.element]]\nname = 's{i}'\n" \
    "type = 'coordinate_spring_damper'\nmarkers = ['m{i}', 'm{i + 1}']\nstiffness = 1000\n" more

/* w = 2 sqrt(k/m) sin(pi j/2n); the first one is its place. */
static void test_free_row_of_masses(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        const modes *m =
            find_modes(tn_format("%s", ROW("200", "") EIGEN("count = 12\n")),
                       TN_WORDS("--set", sparse ? "solver.0.method=sparse" : "solver.0.method=dense"));
        assert_int_equal(m->count, 12);
        assert_true(hypot(m->re[0], m->im[0]) <= 1e-6 * m->im[1]);
        for (size_t k = 1; k < 12; k++)
            check_number("a frequency of the row", m->im[k],
                         2.0 * sqrt(500.0) * sin(acos(-1.0) * (double)k / 400.0), 1e-9);
    }
}

static void check_same(const modes *a, const modes *b, double tolerance)
{
    assert_int_equal(a->count, b->count);
    for (size_t k = 0; k < a->count; k++) {
        const double difference = hypot(a->re[k] - b->re[k], a->im[k] - b->im[k]);
        if (!(difference <= tolerance * hypot(b->re[k], b->im[k])))
            fail_msg("eigenvalue %zu is (%.17g, %.17g), and (%.17g, %.17g)", k + 1, a->re[k], a->im[k],
                     b->re[k], b->im[k]);
    }
}

/* With dampers, a state that follows one mass and pulls another, and a slow damper alone. */
static const char damped_row[] = ROW(
    "200",
    "damping = '0.5 + 0.01*i'\n") "[[element]]\nname = 'wall'\ntype = 'coordinate_spring_damper'\nmarkers = "
                                  "['ground', 'm0']\nstiffness = 500\n"
                                  "damping = 3\n[[element]]\nname = 'lag'\ntype = "
                                  "'reference_variable'\nintegral = true\n"
                                  "expression = 'COORD(m3) - 4*VARVAL(lag)'\n[[element]]\nname = "
                                  "'pull'\ntype = 'coordinate_force'\n"
                                  "markers = ['m9']\nvalue = '-5*VARVAL(lag)'\n" EIGEN("count = 10\n");

static void test_sparse_and_dense_agree(void **state)
{
    (void)state;
    static const char *const near[] = {"solver.0.near=0", "solver.0.near=2.5"};
    static modes dense;
    for (int k = 0; k < 2; k++) {
        dense = *find_modes(damped_row, TN_WORDS("--set", near[k], "--set", "solver.0.method=dense"));
        assert_true(dense.re[0] < 0.0);
        check_same(find_modes(damped_row, TN_WORDS("--set", near[k], "--set", "solver.0.method=sparse")),
                   &dense, 1e-9);
    }
}

/* A free beam: six rigid motions, each of two zeros where there is damping. */
static const char beam[] =
    "[parameters]\nc = 0\n[[repeat]]\nvariable = 'i'\ncount = 12\n[[repeat.element]]\nname = 'b{i}'\n"
    "type = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.02, 0.025]\nposition = ['0.3*i', 0, 0]\n"
    "[[repeat]]\nvariable = 'i'\ncount = 11\n[[repeat.element]]\nname = 'r{i}'\ntype = 'linear_bushing'\n"
    "markers = [{ element = 'b{i}', position = [0.15, 0, 0] }, { element = 'b{i + 1}', position = [-0.15, 0, "
    "0] }]\n"
    "stiffness = [100, 200, 300, 10000, 20000, 30000]\ndamping = ['c', 'c', '2*c', '3*c', 'c', 'c']\n" EIGEN(
        "count = 16\n");

static void test_free_beam(void **state)
{
    (void)state;
    static const char *const damping[] = {"parameters.c=0", "parameters.c=0.3"};
    static modes dense;
    for (size_t k = 0; k < 2; k++) {
        size_t zeros = 0;
        dense = *find_modes(beam, TN_WORDS("--set", damping[k], "--set", "solver.0.method=dense"));
        for (size_t m = 0; m < dense.count; m++)
            zeros += hypot(dense.re[m], dense.im[m]) <= 1e-6 * 7.0;
        assert_int_equal(zeros, 6 * (k + 1));
        check_same(find_modes(beam, TN_WORDS("--set", damping[k], "--set", "solver.0.method=sparse")), &dense,
                   1e-9);
    }
}

#define OSCILLATOR(damping)                                                                 \
    "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 2\n[[element]]\nname = 's'\ntype = " \
    "'coordinate_spring_damper'\n"                                                          \
    "markers = ['ground', 'm']\nstiffness = 800\ndamping = " damping "\n"

/* w = 20/s; 8 N s/m is a tenth of the critical damping, 100 N s/m more than that. */
static void test_damped_oscillator(void **state)
{
    (void)state;
    const modes *m = find_modes(OSCILLATOR("8") EIGEN(""), NULL);
    assert_int_equal(m->count, 1);
    check_number("real part", m->re[0], -2.0, 1e-14);
    check_number("imaginary part", m->im[0], sqrt(396.0), 1e-14);
    check_number("damping ratio", m->damping[0], 0.1, 1e-14);
    assert_string_equal(m->first[0], "m");
    m = find_modes(OSCILLATOR("8") EIGEN("damped = false\n"), NULL);
    check_number("undamped", m->im[0], 20.0, 1e-14);
    assert_true(m->re[0] == 0.0);
    m = find_modes(OSCILLATOR("100") EIGEN(""), NULL);
    assert_int_equal(m->count, 2);
    check_number("slow", m->re[0], -10.0, 1e-13);
    check_number("fast", m->re[1], -40.0, 1e-13);
}

/* m x'' = -k x - c y, y' = (x - y)/T. */
static void test_first_order_states(void **state)
{
    (void)state;
    const modes *m = find_modes(
        OSCILLATOR("0") "[[element]]\nname = 'y'\ntype = 'reference_variable'\nintegral = true\n"
                        "expression = '(COORD(m) - VARVAL(y))/0.1'\n[[element]]\nname = 'f'\n"
                        "type = 'coordinate_force'\nmarkers = ['m']\nvalue = '-300*VARVAL(y)'\n"
                        "[[element]]\nname = 'alone'\ntype = 'reference_variable'\nintegral = true\n"
                        "expression = '-0.25*VARVAL(alone)'\n" EIGEN(""),
        NULL);
    assert_int_equal(m->count, 3);
    check_number("of a state alone", m->re[0], -0.25, 1e-13);
    assert_string_equal(m->first[0], "alone");
    for (size_t k = 1; k < 3; k++) { // (s^2 + 400)(s + 10) + 1500 = 0
        const double a = m->re[k], b = m->im[k], re = a * a - b * b + 400.0, im = 2.0 * a * b;
        check_absolute("characteristic polynomial",
                       hypot(re * (a + 10.0) - im * b + 1500.0, re * b + im * (a + 10.0)), 0.0, 1e-9);
    }
}

/* An upright top: s = i (C w -+ sqrt(C^2 w^2 - 4 A m g l))/2A, wherever its marks have come to. */
static const char top[] = GRAVITY
    "[parameters]\nturned = 0\n[[element]]\nname = 'top'\ntype = 'rigid_body'\nmass = 2\ncom = [0, 0, 0.3]\n"
    "inertia = [0.03, 0.03, 0.05]\nangular_velocity = [0, 0, 100]\nrotation = { axis = [0, 0, 1], angle = "
    "'turned' }\n"
    "[[element]]\nname = 'tip'\ntype = 'spherical'\nmarkers = ['ground', 'top']\n" EIGEN("");

static void test_a_top(void **state)
{
    (void)state;
    const double A = 0.03 + 2 * 0.09, H = 0.05 * 100, root = sqrt(H * H - 4 * A * 2 * 9.81 * 0.3);
    static const char *const turned[] = {"parameters.turned=0", "parameters.turned=0.7",
                                         "parameters.turned=-2"};
    for (int k = 0; k < 3; k++) {
        const modes *m = find_modes(top, TN_WORDS("--set", turned[k]));
        assert_int_equal(m->count, 4);
        check_number("precession", m->im[2], (H - root) / 2 / A, 1e-11);
        check_number("nutation", m->im[3], (H + root) / 2 / A, 1e-11);
        check_absolute("damping", m->damping[3], 0.0, 1e-12);
    }
    tn_check_holds(run_to(top, 0, NULL).errors,
                   TN_WORDS("the model moves: eigenvalues are those of the linearised motion"));
}

/* Two cranks of 1 kg and 2 m hold a coupler of 3 kg; their axes make three rows redundant. */
static const char parallelogram[] =
    GRAVITY "[[repeat]]\ncount = 2\nvariable = 'i'\n[[repeat.element]]\nname = 'crank{i}'\ntype = "
            "'rigid_body'\nmass = 1\n"
            "inertia = ['1/3', '1/3', 1e-3]\nposition = ['2*i', 0, -1]\n[[repeat.element]]\nname = 'pin{i}'\n"
            "type = 'revolute'\nmarkers = [{ element = 'ground', position = ['2*i', 0, 0], rotation = { axis "
            "= [1, 0, 0], "
            "angle = '-90 [deg]' } }, { element = 'crank{i}', position = [0, 0, 1], rotation = { axis = [1, "
            "0, 0], angle = "
            "'-90 [deg]' } }]\n[[repeat.element]]\nname = 'joint{i}'\ntype = 'revolute'\nmarkers = [{ "
            "element = 'crank{i}', "
            "position = [0, 0, -1], rotation = { axis = [1, 0, 0], angle = '-90 [deg]' } }, { element = "
            "'coupler', position = "
            "['2*i - 1', 0, 0], rotation = { axis = [1, 0, 0], angle = '-90 [deg]' } }]\n[[element]]\nname = "
            "'coupler'\n"
            "type = 'rigid_body'\nmass = 3\ninertia = [0.1, 1, 1]\nposition = [1, 0, -2]\n" EIGEN("");

static void test_redundant_loop(void **state)
{
    (void)state;
    const modes *m = find_modes(parallelogram, NULL);
    assert_int_equal(m->count, 1);
    check_number("w", m->im[0], sqrt((1 + 3) * 9.81 / ((2.0 / 3 + 3) * 2)), 1e-9);
}

/* On three springs of different stiffness: effective masses of all modes add up to the mass in each direction. */
static void test_effective_masses(void **state)
{
    (void)state;
    const modes *m = find_modes(
        "[[repeat]]\ncount = 3\nvariable = 'i'\n[[repeat.element]]\nname = 'm{i}'\ntype = 'rigid_body'\nmass "
        "= '1 + i'\n"
        "inertia = [0.1, 0.2, 0.25]\nposition = ['i', '0.2*i', 0]\n[[repeat.element]]\nname = 'b{i}'\n"
        "type = 'linear_bushing'\nmarkers = [{ element = 'ground', position = ['i', '0.2*i', 0] }, 'm{i}']\n"
        "stiffness = ['30 + i', 40, 50, 500, '600 + 30*i', 700]\n[[element]]\nname = 'link'\ntype = "
        "'spring_damper'\n"
        "markers = ['m0', 'm2']\nreference_length = 'SQRT(4.16)'\nstiffness = 300\n" EIGEN(""),
        NULL);
    double sum[6] = {0.0};
    assert_int_equal(m->count, 18);
    for (size_t k = 0; k < m->count; k++)
        for (int c = 0; c < 6; c++)
            sum[c] += m->mass[k][c];
    for (int c = 0; c < 3; c++)
        check_number("mass", sum[c], 6.0, 1e-7);
    // about the centre of mass, at x = (2 + 6)/6
    const double x = 8.0 / 6.0, square = 2.0 + 3.0 * 4.0 - 6.0 * x * x;
    check_number("moment of inertia", sum[3], 0.3 + 0.04 * square, 1e-7);
    check_number("moment of inertia", sum[5], 0.75 + 1.04 * square, 1e-7);
}

/* ---- steady motions ------------------------------------------------------------------------------------------- */

/* Meijaard et al. (2007), Table 2: castering, capsize, weave (real, imaginary); of 0 m/s all real. */
static const double published[11][4] = {
    {-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393},
    {-7.11008014637442, -3.13423125066578, 3.52696170990070, 0.80774027519930},
    {-8.67387984831735, -3.07158645641514, 2.68234517512745, 1.68066296590675},
    {-10.35101467245920, -2.63366137253667, 1.70675605663975, 2.31582447384325},
    {-12.15861426576447, -1.42944427361326, 0.41325331521125, 3.07910818603206},
    {-14.07838969279822, -0.32286642900409, -0.77534188219585, 4.46486771378823},
    {-16.08537123098026, -0.00406690076970, -1.52644486584142, 5.87673060598709},
    {-18.15788466125262, 0.10268170574766, -2.13875644258362, 7.19525913329805},
    {-20.27940894394569, 0.14327879765713, -2.69348683581097, 8.46037971396931},
    {-22.43788559040858, 0.15790184030917, -3.21675402252485, 9.69377351531791},
    {-24.62459635017404, 0.16105338653172, -3.72016840437287, 10.90681139476287}};

static void check_there(const modes *m, double re, double im)
{
    for (size_t k = 0; k < m->count; k++)
        if (hypot(m->re[k] - re, m->im[k] - im) <= 1e-9) return;
    fail_msg("there is no eigenvalue (%.14g, %.14g)", re, im);
}

static void test_bicycles(void **state)
{
    (void)state;
    const modes *m = find_modes(tn_read(BICYCLES), NULL);
    size_t zeros = 0;
    for (size_t k = 0; k < m->count; k++)
        zeros += m->re[k] == 0.0 && m->im[k] == 0.0;
    assert_int_equal(m->count, 100);
    assert_int_equal(zeros, 66);
    for (int v = 0; v < 11; v++) {
        const double *p = published[v];
        check_there(m, p[0], 0.0);
        check_there(m, p[1], 0.0);
        check_there(m, p[2], v ? p[3] : 0.0);
        if (!v) check_there(m, p[3], 0.0);
    }
}

/* At a time of a run, wherever the wheels have come to by then. */
static void test_eigenvalues_do_not_turn_with_wheels(void **state)
{
    (void)state;
    static modes start;
    const char *bicycles = tn_read(BICYCLES), *solver = strstr(bicycles, "[solver]");
    assert_non_null(solver);
    const char *model =
        tn_format("%.*s[[solver]]\ntype = 'rk'\nstep = 0.01\nend_time = 0.37\n" EIGEN("count = 110\n"),
                  (int)(solver - bicycles), bicycles);
    start = *find_modes(bicycles, NULL);
    const modes *m = find_modes(model, NULL);
    assert_int_equal(m->count, start.count);
    for (size_t k = 0; k < start.count; k++)
        if (start.re[k] != 0.0) check_there(m, start.re[k], start.im[k]);
}

/* A thin disc of mass m and radius R that rolls upright with w: s^2 = 4 g/(5 R) - 12 w^2/5, wherever its marks have come to. */
static void test_a_disc_rolls_upright_where_it_is_fast_enough(void **state)
{
    (void)state;
    static const char model[] = GRAVITY
        "[parameters]\nw = 3\nturned = 0\n[[element]]\nname = 'disc'\ntype = 'rigid_body'\nmass = 2\n"
        "inertia = [0.125, 0.25, 0.125]\nposition = [0, 0, 0.5]\nvelocity = ['0.5*w', 0, 0]\n"
        "angular_velocity = [0, 'w', 0]\nrotation = { axis = [0, 1, 0], angle = 'turned' }\n[[element]]\n"
        "name = 'floor'\ntype = 'rolling_disc_constraint'\nmarkers = ['ground', 'disc']\ndisc_radius = 0.5\n"
        "disc_axis = [0, 1, 0]\n" EIGEN("");
    for (int k = 0; k < 3; k++) {
        const modes *m = find_modes(model, TN_WORDS("--set", tn_format("parameters.turned=%g", 1.3 * k)));
        assert_int_equal(m->count, 7);
        check_number("imaginary part", m->im[6], sqrt(2.4 * 9 - 1.6 * 9.81), 1e-12);
        check_absolute("real part", m->re[6], 0.0, 1e-12);
    }
    const modes *m = find_modes(model, TN_WORDS("--set", "parameters.w=2"));
    assert_int_equal(m->count, 8);
    check_number("falling over", fmax(m->re[6], m->re[7]), sqrt(1.6 * 9.81 - 2.4 * 4), 1e-12);
}

/* A conical pendulum at an angle t: w^2 = g/(l cos t), and it swings about that by w sqrt(1 + 3 cos^2 t). */
static const char *conical(const char *velocity)
{
    return tn_format(
        GRAVITY "[[element]]\nname = 'bob'\ntype = 'mass_point'\nmass = 2\nposition = ['2*SIN(0.7)', 0, "
                "'-2*COS(0.7)']\nvelocity = %s\n[[element]]\nname = 'rod'\ntype = 'distance'\nlength = 2\n"
                "markers = ['ground', 'bob']\n" EIGEN(""),
        velocity);
}

static void test_steady_turning(void **state)
{
    (void)state;
    const double w = sqrt(9.81 / (2 * cos(0.7)));
    const char *model = conical(tn_format("[0, %.17g, 0]", w * 2 * sin(0.7)));
    const modes *m = find_modes(model, NULL);
    assert_int_equal(m->count, 3);
    check_number("imaginary part", m->im[2], w * sqrt(1 + 3 * cos(0.7) * cos(0.7)), 1e-10);
    assert_true(m->im[1] == 0.0 && m->re[1] == 0.0);
    tn_check_holds(run_to(model, 0, NULL).errors,
                   TN_WORDS(tn_format("the model turns steadily, by %.6g rad/s", w)));
    tn_check_holds(run_to(conical("[0, 1, 0]"), 1, NULL).errors,
                   TN_WORDS("away from an equilibrium, and from a steady motion", "the forces on it change"));
}

/* At its lowest point a pendulum has the acceleration of a steady turn about its pin. */
static void test_a_pendulum_only_seems_to_turn_steadily(void **state)
{
    (void)state;
    const char *model = GRAVITY
        "[[element]]\nname = 'bob'\ntype = 'mass_point'\nmass = 2\nposition = [0, 0, -2]\nvelocity = [1, 0, "
        "0]\n"
        "[[element]]\nname = 'rod'\ntype = 'distance'\nlength = 2\nmarkers = ['ground', 'bob']\n" EIGEN("");
    tn_check_holds(run_to(model, 1, NULL).errors,
                   TN_WORDS("as in a steady motion, but the forces on it change"));
    tn_check_holds(run_to(model, 0, TN_WORDS("--set", "solver.0.force=true")).errors,
                   TN_WORDS("the motion is not steady"));
}

/* A rotor with two different moments of inertia: its axes do not stand still. */
static void test_equations_that_change_are_told(void **state)
{
    (void)state;
    const char *model = "[[element]]\nname = 'r'\ntype = 'rigid_body'\nmass = 2\ninertia = [1, 2, 2.5]\n"
                        "angular_velocity = [0, 0, 3]\n" EIGEN("");
    tn_check_holds(run_to(model, 0, NULL).errors,
                   TN_WORDS("the linearised equations change along the motion"));
}

/* ---- chains of solvers ------------------------------------------------------------------------------------------ */

#define PENDULUM                                                                                             \
    GRAVITY "[[element]]\nname = 'bob'\ntype = 'mass_point'\nmass = 2\nposition = [1, 0, -1]\n[[element]]\n" \
            "name = 'rod'\ntype = 'distance'\nlength = 1.5\nmarkers = ['ground', 'bob']\n"

static void test_behind_static(void **state)
{
    (void)state;
    const modes *m = find_modes(PENDULUM "[[solver]]\ntype = 'static'\n" EIGEN(""), TN_WORDS("--guard"));
    assert_int_equal(m->count, 2);
    check_number("w", m->im[0], sqrt(9.81 / 1.5), 1e-10);
    check_number("w", m->im[1], sqrt(9.81 / 1.5), 1e-10);
}

/* In front of a motion, and in it: the tables have names of their own, and the motion is as if they had not been asked for. */
static void test_within_a_run(void **state)
{
    (void)state;
    static const char model[] =
        OSCILLATOR("8") EIGEN("") "[[solver]]\ntype = 'rk'\nstep = 0.01\nend_time = 0.1\n" EIGEN(
            "") "[[solver]]\ntype = 'rk'\nstep = 0.01\nend_time = 0.2\n";
    (void)run_to(model, 0, NULL);
    static modes first;
    first = *read_modes("modes.csv");
    check_same(read_modes("modes_2.csv"), &first, 1e-13);
    check_number("end", tn_run_number(results, "run.end_time"), 0.2, 1e-15);
    assert_string_equal(tn_run_text(results, "run.files.2"), "modes.csv");
    assert_string_equal(tn_run_text(results, "run.files.5"), "shapes_2.csv");
}

/* ---- tables ------------------------------------------------------------------------------------------------------- */

static void test_tables_are_replaced_and_never_those_of_others(void **state)
{
    (void)state;
    const char *file = tn_write("row.toml", OSCILLATOR("8") EIGEN("")), *place = tn_scratch_path(NULL);
    assert_int_equal(tn_tenon(TN_WORDS("run", file, "--quiet", "--out", place)).status, 0);
    assert_int_equal(tn_tenon(TN_WORDS("run", file, "--quiet", "--out", place)).status, 0);
    assert_int_equal(access(tn_format("%s/modes_2.csv", place), F_OK), -1);
    // another solver writes none: those of the last run go
    assert_int_equal(
        tn_tenon(TN_WORDS("run", file, "--quiet", "--out", place, "--set", "solver.0.type=static")).status,
        0);
    assert_int_equal(access(tn_format("%s/modes.csv", place), F_OK), -1);
    FILE *own = fopen(tn_format("%s/shapes.csv", place), "w");
    assert_non_null(own);
    assert_int_equal(fclose(own), 0);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", file, "--out", place));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("the results would replace", "shapes.csv: no earlier run lists it"));
}

/* The pendulum's bob goes to and fro at its place. */
static void test_shapes(void **state)
{
    (void)state;
    (void)find_modes(PENDULUM "[[solver]]\ntype = 'static'\n" EIGEN(""), NULL);
    const char *shapes = tn_read(tn_format("%s/shapes.csv", results));
    tn_check_holds(shapes,
                   TN_WORDS("mode,element,coordinate,x,y,z,ux_real,ux_imaginary", "\n1,bob,,", "\n2,bob,,"));
}

/* ---- what is refused ------------------------------------------------------------------------------------------------ */

static void test_wrong_questions(void **state)
{
    (void)state;
    tn_check_holds(run_to(PENDULUM EIGEN(""), 1, NULL).errors,
                   TN_WORDS("`bob`", "modes are asked for away from an equilibrium", "of the forces in play",
                            "`force = true`"));
    tn_check_holds(run_to(PENDULUM EIGEN("force = true\n"), 0, NULL).errors,
                   TN_WORDS("the state is no equilibrium"));
    tn_check_holds(run_to(PENDULUM EIGEN("count = 0\n"), 2, NULL).errors,
                   TN_WORDS("`count`", "0 is out of range"));
    tn_check_holds(run_to(PENDULUM EIGEN("near = -1\n"), 2, NULL).errors,
                   TN_WORDS("`near`", "-1 is out of range"));
    tn_check_holds(run_to(top, 1, TN_WORDS("--set", "solver.0.damped=false")).errors,
                   TN_WORDS("gyroscopic forces"));
    tn_check_holds(run_to(top, 1, TN_WORDS("--set", "solver.0.method=sparse")).errors,
                   TN_WORDS("`method = \"sparse\"` does not serve here: the model moves"));
    tn_check_holds(
        run_to(OSCILLATOR("0") "[[element]]\nname = 'y'\ntype = 'reference_variable'\nintegral = true\n"
                               "expression = '3 - VARVAL(y)'\n[[element]]\nname = 'f'\ntype = "
                               "'coordinate_force'\nmarkers = ['m']\nvalue = '-VARVAL(y)'\n" EIGEN(""),
               1, NULL)
            .errors,
        TN_WORDS("state 1 of `y` changes by 3 per second"));
}

static void test_a_law_that_switches_here(void **state)
{
    (void)state;
    static const char model[] =
        OSCILLATOR("0") "[[element]]\nname = 'gap'\ntype = 'coordinate_force'\nmarkers = ['m']\n"
                        "value = '-500*MAX(COORD(m), 0)'\n" EIGEN("");
    tn_check_holds(run_to(model, 1, NULL).errors,
                   TN_WORDS("`gap` has an expression that switches at this very state"));
    tn_check_holds(run_to(model, 0, TN_WORDS("--set", "solver.0.force=true")).errors,
                   TN_WORDS("`gap` has an expression that switches at this very state"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hanging_chain),
                                       cmocka_unit_test(test_free_row_of_masses),
                                       cmocka_unit_test(test_sparse_and_dense_agree),
                                       cmocka_unit_test(test_free_beam),
                                       cmocka_unit_test(test_damped_oscillator),
                                       cmocka_unit_test(test_first_order_states),
                                       cmocka_unit_test(test_a_top),
                                       cmocka_unit_test(test_redundant_loop),
                                       cmocka_unit_test(test_effective_masses),
                                       cmocka_unit_test(test_bicycles),
                                       cmocka_unit_test(test_eigenvalues_do_not_turn_with_wheels),
                                       cmocka_unit_test(test_a_disc_rolls_upright_where_it_is_fast_enough),
                                       cmocka_unit_test(test_steady_turning),
                                       cmocka_unit_test(test_a_pendulum_only_seems_to_turn_steadily),
                                       cmocka_unit_test(test_equations_that_change_are_told),
                                       cmocka_unit_test(test_behind_static),
                                       cmocka_unit_test(test_within_a_run),
                                       cmocka_unit_test(test_tables_are_replaced_and_never_those_of_others),
                                       cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_wrong_questions),
                                       cmocka_unit_test(test_a_law_that_switches_here)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_eigen.c - modes that `eigen` finds about equilibria: against closed solutions, dense and sparse; where it refuses; the tables that
 * it writes */
#include "modes.h"

#include <unistd.h>

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

/* Bodies of 1, 2 and 3 kg, welded together on a rail, swing on a spring; the last one is pushed by half of the force F that moves it and
 * the second one: F = 5 a - F/2, and 600 x = -(6 - 5/3) a. */
static void test_a_force_that_reads_a_reaction(void **state)
{
    (void)state;
    const modes *m = find_modes(
        "[[repeat]]\nvariable = 'i'\ncount = 3\n[[repeat.element]]\nname = 'b{i}'\ntype = 'rigid_body'\n"
        "mass = '1 + i'\ninertia = [1, 1, 1]\nposition = ['i', 0, 0]\n[[element]]\nname = 'rail'\n"
        "type = 'prismatic'\nmarkers = ['ground', 'b0']\n[[repeat]]\nvariable = 'i'\ncount = 2\n"
        "[[repeat.element]]\nname = 'weld{i}'\ntype = 'fixed'\nmarkers = [{ element = 'b{i}', position = "
        "[0.5, 0, 0] }, { element = 'b{i + 1}', position = [-0.5, 0, 0] }]\n[[element]]\nname = 'spring'\n"
        "type = 'linear_bushing'\nmarkers = ['ground', 'b0']\nstiffness = [0, 0, 0, 600, 0, 0]\n[[element]]\n"
        "name = 'push'\ntype = 'force'\nmarkers = ['b2']\nvalue = ['0.5*JOINT(weld0, 1, 2)', 0, 0]\n" EIGEN(
            ""),
        NULL);
    assert_int_equal(m->count, 1);
    check_number("w", m->im[0], sqrt(600.0 / (6.0 - 5.0 / 3.0)), 1e-12);
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
    assert_string_equal(tn_run_text(results, "run.files.3"), "modes.csv");
    assert_string_equal(tn_run_text(results, "run.files.6"), "shapes_2.csv");
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
    tn_check_holds(
        run_to(top, 1, TN_WORDS("--set", "solver.0.method=sparse")).errors,
        TN_WORDS("`method = \"sparse\"` does not serve here: `count` is more than half of all modes"));
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
                                       cmocka_unit_test(test_a_force_that_reads_a_reaction),
                                       cmocka_unit_test(test_effective_masses),
                                       cmocka_unit_test(test_behind_static),
                                       cmocka_unit_test(test_within_a_run),
                                       cmocka_unit_test(test_tables_are_replaced_and_never_those_of_others),
                                       cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_wrong_questions),
                                       cmocka_unit_test(test_a_law_that_switches_here)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_eigen_sparse.c - modes that `eigen` finds with sparse matrices about steady motions, of rolling and of redundant models: against
 * closed solutions, published numbers, and dense matrices */
#include "modes.h"
#include "published_bicycles.h"

#define DENSE TN_WORDS("--set", "solver.0.method=dense")
#define SPARSE TN_WORDS("--set", "solver.0.method=sparse")

/* ---- a chain that turns --------------------------------------------------------------------------------------- */

#define TURN 2.0 /* rad/s */

/* Beads of equal mass and distance on a straight chain that turns about its end, without gravity. */
static const char *turning_chain(int beads, const char *keys)
{
    return tn_format(
        "[[repeat]]\nvariable = 'i'\ncount = %d\n[[repeat.element]]\nname = 'bead{i}'\ntype = 'mass_point'\n"
        "mass = 0.7\nposition = ['0.3*(i + 1)', 0, 0]\nvelocity = [0, '2*0.3*(i + 1)', 0]\n[[element]]\n"
        "name = 'rod0'\ntype = 'distance'\nlength = 0.3\nmarkers = ['ground', 'bead0']\n[[repeat]]\n"
        "variable = 'i'\ncount = %d\n[[repeat.element]]\nname = 'rod{i + 1}'\ntype = 'distance'\n"
        "length = 0.3\nmarkers = ['bead{i}', 'bead{i + 1}']\n" EIGEN("%s"),
        beads, beads - 1, keys);
}

/* The pull of the chain grows with w^2: along it displacements out of the plane are odd polynomials of the number of the bead, of degree
 * k = 1, 3, ..., and swing with w^2 k(k + 1)/2, whatever the number of beads; in the plane with w^2 less in square. The turn itself goes
 * on at any speed: two zeros. */
static void check_turning_chain(const modes *m, double tolerance)
{
    assert_true(m->re[0] == 0.0 && m->im[0] == 0.0 && m->re[1] == 0.0 && m->im[1] == 0.0);
    check_number("the first one out of the plane", m->im[2], TURN, tolerance);
    for (size_t k = 3; k < m->count; k++) {
        const double degree = 3.0 + 2.0 * (double)((k - 3) / 2), square = 0.5 * degree * (degree + 1.0);
        check_number("frequency", m->im[k], TURN * sqrt(k % 2 ? square - 1.0 : square), tolerance);
        check_absolute("damping", m->re[k], 0.0, tolerance * m->im[k]);
    }
}

static void test_a_chain_that_turns(void **state)
{
    (void)state;
    const char *model = turning_chain(70, "count = 21\n");
    check_turning_chain(find_modes(model, DENSE), 1e-11);
    check_turning_chain(find_modes(model, SPARSE), 1e-11);
    const modes *m = find_modes(turning_chain(70, "count = 5\nnear = 6\n"), SPARSE);
    for (size_t k = 0; k < m->count; k++) { // all that were asked for are among the solutions
        const double square = m->im[k] * m->im[k] / (TURN * TURN);
        const double degree = floor(sqrt(2.0 * square + 2.0)), whole = 0.5 * degree * (degree + 1.0);
        assert_true(fabs(square - whole) < 1e-9 * whole || fabs(square + 1.0 - whole) < 1e-9 * whole);
        assert_true(fmod(degree, 2.0) == 1.0);
    }
}

/* 6000 coordinates, and 12000 rows of the state matrix. */
static void test_a_large_chain_that_turns(void **state)
{
    (void)state;
    check_turning_chain(find_modes(turning_chain(2000, "count = 11\n"), NULL), 1e-9);
    tn_check_holds(run_to(turning_chain(2000, "count = 2500\n"), 1, NULL).errors,
                   TN_WORDS("`count` is more than half of all modes", "too large for dense matrices"));
}

/* ---- gyroscopes ------------------------------------------------------------------------------------------------ */

/* Forty discs of a shaft that spins in two bearings, which leave it free along its axis, and about it. */
static const char shaft[] =
    "[parameters]\nw = 300\nc = 0\n[[repeat]]\nvariable = 'i'\ncount = 40\n[[repeat.element]]\n"
    "name = 'disc{i}'\ntype = 'rigid_body'\nmass = '1 + 0.02*i'\ninertia = [0.02, 0.012, 0.012]\n"
    "position = ['0.1*i', 0, 0]\nangular_velocity = ['w', 0, 0]\n[[repeat]]\nvariable = 'i'\ncount = 39\n"
    "[[repeat.element]]\nname = 'piece{i}'\ntype = 'linear_bushing'\nmarkers = [{ element = 'disc{i}', "
    "position = [0.05, 0, 0] }, { element = 'disc{i + 1}', position = [-0.05, 0, 0] }]\n"
    "stiffness = [5e4, 3e4, 3e4, 1e7, 4e6, 4e6]\ndamping = [0, 'c', 'c', 0, 'c', 'c']\n[[repeat]]\n"
    "variable = 'i'\ncount = 2\n[[repeat.element]]\nname = 'bearing{i}'\ntype = 'linear_bushing'\n"
    "markers = [{ element = 'ground', position = ['0.3 + 3*i', 0, 0] }, 'disc{3 + 30*i}']\n"
    "stiffness = [0, 0, 0, 0, 2e5, 2e5]\ndamping = [0, 0, 0, 0, 'c', 'c']\n" EIGEN("count = 30\n");

static void test_a_shaft_that_spins(void **state)
{
    (void)state;
    static const char *const damping[] = {"parameters.c=0", "parameters.c=20"}, *const near[] = {
                                                                                    "solver.0.near=0",
                                                                                    "solver.0.near=40"};
    static modes dense;
    for (int k = 0; k < 4; k++) {
        const char *const words[] = {"--set", damping[k % 2],          "--set", near[k / 2],
                                     "--set", "solver.0.method=dense", NULL};
        dense = *find_modes(shaft, words);
        check_same(find_modes(shaft, TN_WORDS("--set", damping[k % 2], "--set", near[k / 2])), &dense, 1e-9);
    }
    assert_null(strstr(run_to(shaft, 0, NULL).errors, "change along the motion"));
}

/* The limit of no turn is the shaft at rest. */
static void test_a_slow_turn_is_none(void **state)
{
    (void)state;
    static modes still;
    still = *find_modes(shaft, TN_WORDS("--set", "parameters.c=20", "--set", "parameters.w=0"));
    check_same(find_modes(shaft, TN_WORDS("--set", "parameters.c=20", "--set", "parameters.w=1e-8")), &still,
               1e-9);
}

/* ---- rolling --------------------------------------------------------------------------------------------------- */

/* Damped masses, each by itself with 60 rad/s and more, that make a model large; with a state where it is asked for. */
#define MASSES                                                                                              \
    "[[repeat]]\nvariable = 'j'\ncount = 200\n[[repeat.element]]\nname = 'm{j}'\ntype = 'mass_1d'\nmass = " \
    "2\n[[repeat.element]]\nname = 'w{j}'\ntype = 'coordinate_spring_damper'\nmarkers = ['ground', "        \
    "'m{j}']\nstiffness = '2*(60 + j)**2'\ndamping = 1\n"
#define LAG                                                                                               \
    "[[element]]\nname = 'lag'\ntype = 'reference_variable'\nintegral = true\nexpression = 'COORD(m3) - " \
    "4*VARVAL(lag)'\n[[element]]\nname = 'pull'\ntype = 'coordinate_force'\nmarkers = ['m9']\nvalue = "   \
    "'-5*VARVAL(lag)'\n"

static const char *with_masses(const char *file, const char *end, const char *more)
{
    const char *text = tn_read(file), *solver = strstr(text, end);
    assert_non_null(solver);
    return tn_format("%.*s" MASSES "%s", (int)(solver - text), text, more);
}

/* At their start, and wherever the wheels have come to. */
static void test_bicycles_among_many_masses(void **state)
{
    (void)state;
    check_published(find_modes(with_masses(BICYCLES, "[solver]", EIGEN("count = 100\n")), SPARSE));
    const char *later =
        with_masses(BICYCLES, "[solver]",
                    "[[solver]]\ntype = 'rk'\nstep = 0.01\nend_time = 0.37\n" EIGEN("count = 100\n"));
    check_published(find_modes(later, TN_WORDS("--set", "solver.1.method=sparse")));
}

/* A car on tyres with contact, whose wheels are held by revolutes, and a state. */
static void test_a_car(void **state)
{
    (void)state;
    static modes dense;
    const char *model =
        with_masses(TENON_SOURCE_DIR "/configs/seeds/linearise_car.toml", "[[solver]]",
                    LAG "[[solver]]\ntype = 'generalized_alpha'\nend_time = 2\nstep = 1e-3\n" EIGEN(
                        "count = 24\nforce = true\n"));
    dense = *find_modes(model, TN_WORDS("--set", "solver.1.method=dense"));
    check_same(find_modes(model, TN_WORDS("--set", "solver.1.method=sparse")), &dense, 1e-9);
}

/* ---- copies, and rows that depend on each other --------------------------------------------------------------- */

/* Iterations that begin with one vector need not meet all copies of an eigenvalue: 15 masses alike, the slowest of 300. */
static void test_copies_of_an_eigenvalue(void **state)
{
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        const modes *m = find_modes(
            tn_format("[[repeat]]\nvariable = 'i'\ncount = 300\n[[repeat.element]]\nname = 'm{i}'\ntype = "
                      "'mass_1d'\nmass = 2\n[[repeat.element]]\nname = 's{i}'\ntype = "
                      "'coordinate_spring_damper'\nmarkers = ['ground', 'm{i}']\nstiffness = '2*(5 + "
                      "STEP(i, 14, 0, 15, 1)*i)**2'\ndamping = %d\n" EIGEN("count = 20\n"),
                      4 * damped),
            SPARSE);
        assert_int_equal(m->count, 20);
        for (size_t k = 0; k < m->count; k++) {
            const double w = k < 15 ? 5.0 : 5.0 + (double)k;
            check_number("frequency", m->im[k], sqrt(w * w - damped), 1e-10);
        }
    }
}

#define AXIS "rotation = { axis = [1, 0, 0], angle = '-90 [deg]' }"

/* Of a hanging chain of rods a damper in one pin acts with a share of the reaction in another one. */
static void test_forces_that_read_reactions(void **state)
{
    (void)state;
    static modes dense;
    static const char model[] = GRAVITY
        "[[repeat]]\nvariable = 'i'\ncount = 60\n[[repeat.element]]\nname = 'rod{i}'\ntype = 'rigid_body'\n"
        "mass = 1\ninertia = [0.1, 0.1, 0.001]\nposition = [0, 0, '-0.5 - i']\n[[repeat.element]]\n"
        "name = 'pin{i}'\ntype = 'revolute'\nwhen = 'i > 0'\nmarkers = [{ element = 'rod{i - 1}', position = "
        "[0, 0, -0.5], " AXIS " }, { element = 'rod{i}', position = [0, 0, 0.5], " AXIS " }]\n[[element]]\n"
        "name = 'top'\ntype = 'revolute'\nmarkers = [{ element = 'ground', " AXIS " }, { element = 'rod0', "
        "position = [0, 0, 0.5], " AXIS
        " }]\n[[element]]\nname = 'pull'\ntype = 'coordinate_force'\nmarkers = "
        "'pin30'\nvalue = '-0.3*JOINT(pin20, 0, 2) - 2*RATE(pin30)'\n" EIGEN("count = 12\n");
    dense = *find_modes(model, DENSE);
    check_same(find_modes(model, SPARSE), &dense, 1e-9);
}

/* Forty parallelograms, each with three rows more than it needs: there are more rows than coordinates. */
static const char *parallelograms(const char *keys)
{
    return tn_format(GRAVITY
                     "[parameters]\nc = 0\n[[repeat]]\nvariable = 'k'\ncount = 40\n[[repeat.element]]\n"
                     "name = 'coupler{k}'\ntype = 'rigid_body'\nmass = 3\ninertia = [0.1, 1, 1]\n"
                     "position = [1, 'k', '-2*(1 + 0.01*k)']\n%s[[repeat.element]]\nname = 'damper{k}'\n"
                     "type = 'coordinate_spring_damper'\nmarkers = ['pin{k}_0']\ndamping = 'c'\n" EIGEN("%s"),
                     tn_format("%s%s",
#define SIDE(i, x, e)                                                                                       \
    "[[repeat.element]]\nname = 'crank{k}_" i "'\ntype = 'rigid_body'\nmass = 1\ninertia = ['1/3', '1/3', " \
    "1e-3]\nposition = [" x ", 'k', '-1 - 0.01*k']\n[[repeat.element]]\nname = 'pin{k}_" i                  \
    "'\ntype = 'revolute'\nmarkers = [{ element = 'ground', position = [" x ", 'k', 0], " AXIS              \
    " }, { element = 'crank{k}_" i "', position = [0, 0, '1 + 0.01*k'], " AXIS                              \
    " }]\n[[repeat.element]]\nname = 'joint{k}_" i "'\ntype = 'revolute'\nmarkers = [{ element = "          \
    "'crank{k}_" i "', position = [0, 0, '-1 - 0.01*k'], " AXIS " }, { element = 'coupler{k}', position = " \
    "[" e ", 0, 0], " AXIS " }]\n"
                               SIDE("0", "0", "-1"), SIDE("1", "2", "1")),
                     keys);
}

static void test_more_rows_than_coordinates(void **state)
{
    (void)state;
    static const char *const damping[] = {"parameters.c=0", "parameters.c=0.3"};
    static modes dense;
    for (int k = 0; k < 2; k++) {
        const char *model = parallelograms("count = 5\n");
        dense = *find_modes(model, TN_WORDS("--set", damping[k], "--set", "solver.0.method=dense"));
        check_same(find_modes(model, TN_WORDS("--set", damping[k], "--set", "solver.0.method=sparse")),
                   &dense, 1e-9);
    }
    tn_check_holds(run_to(parallelograms("count = 30\nmethod = 'sparse'\n"), 1, NULL).errors,
                   TN_WORDS("`count` is more than half of all modes"));
}

/* ---- linear solvers -------------------------------------------------------------------------------------------- */

/* Gauss' elimination of real numbers, which knows no complex ones. */
static const char gauss[] =
    "#include <tenon/author.h>\n#if TN_VALUES\n#include <math.h>\n#include <stdlib.h>\n"
    "typedef struct gauss { size_t n; double *a, *x; } gauss;\n"
    "static tn_status create(const tn_host *host, const void *instance, const tn_matrix *matrix, void "
    "**self)\n"
    "{\n    (void)instance;\n    gauss *g = host->allocate(host, sizeof *g);\n    const size_t n = "
    "matrix->size;\n"
    "    *self = g;\n    if (!g) return TN_OUT_OF_MEMORY;\n    g->n = n;\n"
    "    g->a = host->allocate(host, (n * n + 1) * sizeof(double));\n"
    "    g->x = host->allocate(host, (n + 1) * sizeof(double));\n"
    "    return g->a && g->x ? TN_OK : TN_OUT_OF_MEMORY;\n}\n"
    "static tn_status factor(void *self, const tn_matrix *matrix)\n{\n    gauss *g = self;\n"
    "    for (size_t k = 0; k < g->n * g->n; k++)\n        g->a[k] = 0.0;\n"
    "    for (size_t j = 0; j < g->n; j++)\n"
    "        for (int32_t e = matrix->column_start[j]; e < matrix->column_start[j + 1]; e++)\n"
    "            g->a[(size_t)matrix->row[e] * g->n + j] = matrix->value[e];\n    return TN_OK;\n}\n"
    "static tn_status solve(void *self, double *b)\n{\n    gauss *g = self;\n    const size_t n = g->n;\n"
    "    double *a = malloc((n * n + 1) * sizeof *a);\n    if (!a) return TN_OUT_OF_MEMORY;\n"
    "    for (size_t k = 0; k < n * n; k++)\n        a[k] = g->a[k];\n"
    "    for (size_t k = 0; k < n; k++) {\n        size_t p = k;\n        for (size_t i = k; i < n; i++)\n"
    "            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;\n"
    "        for (size_t j = 0; j < n; j++) {\n            const double t = a[k * n + j];\n"
    "            a[k * n + j] = a[p * n + j];\n            a[p * n + j] = t;\n        }\n"
    "        const double t = b[k];\n        b[k] = b[p];\n        b[p] = t;\n"
    "        for (size_t i = k + 1; i < n; i++) {\n            const double f = a[i * n + k] / a[k * n + "
    "k];\n"
    "            for (size_t j = k; j < n && f != 0.0; j++)\n                a[i * n + j] -= f * a[k * n + "
    "j];\n"
    "            b[i] -= f * b[k];\n        }\n    }\n"
    "    for (size_t k = n; k-- > 0;) {\n        for (size_t j = k + 1; j < n; j++)\n"
    "            b[k] -= a[k * n + j] * b[j];\n        b[k] /= a[k * n + k];\n    }\n    free(a);\n"
    "    return TN_OK;\n}\nstatic void destroy(void *self) { (void)self; }\n"
    "static const tn_linear_type type = {.struct_size = sizeof type, .name = \"gauss\", .summary = "
    "\"elimination\",\n    .formula = \"A x = b\", .create = create, .factor = factor, .solve = solve, "
    ".destroy "
    "= destroy};\nTN_LIBRARY(\"gauss\", \"1.0.0\", \"Apache-2.0\", \"gauss\", {TN_LINEAR_KIND, "
    "&type})\n#endif\n";

static const char *row_of_masses(const char *front, const char *keys)
{
    return tn_format(
        "%s[[repeat]]\nvariable = 'i'\ncount = 30\n[[repeat.element]]\nname = 'm{i}'\ntype = "
        "'mass_1d'\nmass = 2\n[[repeat]]\nvariable = 'i'\ncount = 29\n[[repeat.element]]\nname = "
        "'s{i}'\ntype = 'coordinate_spring_damper'\nmarkers = ['m{i}', 'm{i + 1}']\nstiffness = "
        "1000\ndamping = '1 + i'\n" EIGEN("count = 4\nnear = 2\nmethod = 'sparse'\n%s"),
        front, keys);
}

/* Complex matrices as real ones of twice the size. */
static void test_a_linear_solver_of_real_numbers(void **state)
{
    (void)state;
    static modes klu;
    klu = *find_modes(row_of_masses("", ""), NULL);
    check_same(find_modes(row_of_masses("", "linear = 'dense'\n"), NULL), &klu, 1e-10);
    const char *front = tn_format("[plugins]\ngauss = '%s'\n", tn_build_text("gauss", gauss));
    check_same(find_modes(row_of_masses(front, "linear = 'gauss'\n"), TN_WORDS("--trust")), &klu, 1e-10);
}

static void test_guarded(void **state)
{
    (void)state;
    static modes free_one;
    free_one = *find_modes(turning_chain(20, "count = 5\nmethod = 'sparse'\n"), NULL);
    check_same(find_modes(turning_chain(20, "count = 5\nmethod = 'sparse'\n"), TN_WORDS("--guard")),
               &free_one, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_chain_that_turns),
                                       cmocka_unit_test(test_a_large_chain_that_turns),
                                       cmocka_unit_test(test_a_shaft_that_spins),
                                       cmocka_unit_test(test_a_slow_turn_is_none),
                                       cmocka_unit_test(test_bicycles_among_many_masses),
                                       cmocka_unit_test(test_a_car),
                                       cmocka_unit_test(test_copies_of_an_eigenvalue),
                                       cmocka_unit_test(test_forces_that_read_reactions),
                                       cmocka_unit_test(test_more_rows_than_coordinates),
                                       cmocka_unit_test(test_a_linear_solver_of_real_numbers),
                                       cmocka_unit_test(test_guarded)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

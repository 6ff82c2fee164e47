/* test_out_of_memory.c - where one allocation of the whole process fails there are the same results, or none and the reason
 *
 * A library before the C library lets it fail. TENON_EVERY_ALLOCATION=1 tries all of them, one after the other, which takes
 * two minutes; else some are tried, other ones in each way to run. */
#include "harness.h"

#include <stdio.h>
#include <unistd.h>

/* A door on two hinges holds more than it must: its rank is looked for, and reactions of least norm are shown. */
static const char door[] =
    "[parameters]\na = 0.7\n"
    "[model]\ngravity = [0, '-9.81*cos(a)', '-9.81*sin(a)']\n"
    "[[element]]\nname = 'door'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n"
    "position = [0.5, 0, 0]\nrotation = { axis = [1, 0, 0], angle = 'a' }\n"
    "[[element]]\nname = 'upper'\ntype = 'revolute'\nmarkers = [{ element = 'ground', position = [0, "
    "'-0.5*sin(a)', '0.5*cos(a)'], rotation = { axis = [1, 0, 0], angle = 'a' } }, { element = 'door', "
    "position = [-0.5, 0, 0.5] }]\n"
    "[[element]]\nname = 'lower'\ntype = 'revolute'\nmarkers = [{ element = 'ground', position = [0, "
    "'0.5*sin(a)', '-0.5*cos(a)'], rotation = { axis = [1, 0, 0], angle = 'a' } }, { element = 'door', "
    "position = [-0.5, 0, -0.5] }]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = [{ element = 'ground', position = [0, "
    "1, 1] }, 'door']\nstiffness = '3*(1 + DM(door))'\ndamping = '0.1 [N s/m]'\n"
    "[[element]]\nname = 'turned'\ntype = 'reference_variable'\nexpression = 'AZ(door) + 0.1*WZ(door)'\n"
    "[[sensor]]\nname = 'a'\nelement = 'door'\noutput = 'acceleration'\n"
    "[[sensor]]\nname = 'upper'\nelement = 'upper'\noutput = 'force'\n"
    "[[sensor]]\nname = 'lower'\nelement = 'lower'\noutput = 'torque_local'\n"
    "[[sensor]]\nname = 'turned'\nexpression = 'VARVAL(turned)'\n"
    "[solver]\ntype = '%s'\nlinear = '%s'\nstep = 1e-3\nend_time = 5e-3\n";

/* Units that are converted, and data of splines: UDUNITS and the GNU Scientific Library allocate, too. */
static const char units_and_splines[] =
    "[parameters]\nk = '20 [kN/m]'\n"
    "[[signal]]\nname = 'push'\nx = [0, '100 [ms]', 0.2, 0.3, 0.4, 0.5]\ny = [0, 5, 0, 1, 2, 3]\n"
    "interpolation = 'quintic'\n"
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = '1000 [g]'\nposition = [1.1, 0, 0]\n"
    "[[element]]\nname = 'hand'\ntype = 'force'\nmarkers = 'mass'\nvalue = ['spline(push, time)', 0, 0]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = '3*k'\n"
    "reference_length = '1000 [mm]'\n"
    "[[sensor]]\nname = 'x'\nexpression = 'DX(mass)/2 + 3*VX(mass)'\n"
    "[solver]\ntype = 'rk'\nstep = '1 [ms]'\nend_time = 5e-3\n";

/* Loading comes first, and is the same in all of them. */
enum { RUNNING = 200, OF_LOADING = 31, OF_RUNNING = 5 };

typedef struct attempt {
    const char *model, *results, *counted;
} attempt;

static tn_outcome run(const attempt *a, size_t failing)
{
    static const char *const files[] = {"sensors.csv", "modes.csv", "shapes.csv", "linear.json",
                                        "linear.npz",  "linear.mat"}; // no run may have listed them
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        (void)unlink(tn_format("%s/%s", a->results, files[k]));
    (void)setenv("FAILING_ALLOCATION", tn_format("%zu", failing), 1);
    (void)setenv("COUNTED_ALLOCATIONS", a->counted, 1);
    (void)setenv("LD_PRELOAD", getenv("TENON_FAILING_ALLOCATION"), 1);
    const tn_child child = tn_start(TENON_BINARY, TN_WORDS("run", a->model, "--quiet", "--out", a->results));
    (void)unsetenv("LD_PRELOAD");
    return tn_await(child);
}

static const char *sensors_of(const attempt *a) { return tn_read(tn_format("%s/sensors.csv", a->results)); }

/* MUMPS 5.5 has a fault: where some small arrays are missing it calls exit(), or its Fortran runtime does. */
static bool is_fault_of_mumps(const char *errors)
{
    const char *call = strstr(errors, "error: the simulation failed at time ");
    return call && strstr(call, " s: exit(") && strstr(call, " of linear mumps;");
}

/* Thread-local data of a plugin get their memory when a thread first needs them; where there is none the dynamic linker of glibc ends
 * the process. */
static bool is_fault_of_linker(const tn_outcome *outcome)
{
    return outcome->status == 127 &&
           strstr(outcome->errors, "cannot allocate memory for thread-local data: ABORT");
}

static void check_allocation(const attempt *a, size_t failing, const char *right)
{
    const tn_outcome outcome = run(a, failing);
    if (outcome.status == 0) {
        if (strcmp(sensors_of(a), right) != 0) fail_msg("without allocation %zu: other results", failing);
    } else if (is_fault_of_linker(&outcome)) {
        return;
    } else if (outcome.status > 2 ||
               (!strstr(outcome.errors, "memory") && !is_fault_of_mumps(outcome.errors))) {
        fail_msg("without allocation %zu: exit %d: %s", failing, outcome.status, outcome.errors);
    }
}

static void check_model(const char *model, size_t offset)
{
    if (TN_SANITIZED || !getenv("TENON_FAILING_ALLOCATION"))
        skip(); /* the sanitizer has an allocator of its own */
    const attempt a = {tn_write("model.toml", model), tn_scratch_path(NULL), tn_scratch_path("counted")};
    const tn_outcome whole = run(&a, 0);
    if (whole.status != 0) fail_msg("%s", whole.errors);
    const char *right = sensors_of(&a);
    const size_t count = strtoull(tn_read(a.counted), NULL, 10);
    assert_true(count > 2 * RUNNING);
    const bool every = getenv("TENON_EVERY_ALLOCATION");
    for (size_t k = every ? 1 : 1 + offset; k <= count; k += every                 ? 1
                                                             : k + RUNNING < count ? OF_LOADING
                                                                                   : OF_RUNNING)
        check_allocation(&a, k, right);
}

static void check_solver(const char *solver, const char *linear, size_t offset)
{
    check_model(tn_format(door, solver, linear), offset);
}

static void test_generalized_alpha_with_klu(void **state)
{
    (void)state;
    check_solver("generalized_alpha", "klu", 0);
}

static void test_generalized_alpha_with_chain(void **state)
{
    (void)state;
    check_solver("generalized_alpha", "chain", 2);
}

static void test_generalized_alpha_with_dense(void **state)
{
    (void)state;
    check_solver("generalized_alpha", "dense", 3);
}

static void test_generalized_alpha_with_mumps(void **state)
{
    (void)state;
    tn_need_plugin("mumps");
    check_solver("generalized_alpha", "mumps", 1);
}

static void test_generalized_alpha_with_multifrontal(void **state)
{
    (void)state;
    tn_need_plugin("multifrontal");
    check_solver("generalized_alpha", "multifrontal", 6);
}

static void test_generalized_alpha_with_umfpack(void **state)
{
    (void)state;
    tn_need_plugin("umfpack");
    check_solver("generalized_alpha", "umfpack", 4);
}

static void test_generalized_alpha_with_minres(void **state)
{
    (void)state;
    check_solver("generalized_alpha", "minres", 2);
}

static void test_rk_with_gmres(void **state)
{
    (void)state;
    check_solver("rk", "gmres", 5);
}

static void test_static_with_klu(void **state)
{
    (void)state;
    check_solver("static", "klu", 4);
}

/* A row of masses with a state: all modes, and some of them by iterations. */
static const char *row_of(const char *method)
{
    return tn_format(
        "[[repeat]]\nvariable = 'i'\ncount = 20\n[[repeat.element]]\nname = 'm{i}'\ntype = 'mass_1d'\n"
        "mass = 2\n[[repeat]]\nvariable = 'i'\ncount = 19\n[[repeat.element]]\nname = 's{i}'\n"
        "type = 'coordinate_spring_damper'\nmarkers = ['m{i}', 'm{i + 1}']\nstiffness = 1000\ndamping = 1\n"
        "[[element]]\nname = 'lag'\ntype = 'reference_variable'\nintegral = true\n"
        "expression = 'COORD(m3) - VARVAL(lag)'\n[[sensor]]\nname = 'lag'\nelement = 'lag'\n"
        "output = 'value'\n[solver]\ntype = 'eigen'\ncount = 2\nnear = 2\nmethod = '%s'\n",
        method);
}

static void test_eigen_with_dense_matrices(void **state)
{
    (void)state;
    check_model(row_of("dense"), 1);
}

static void test_eigen_by_iterations(void **state)
{
    (void)state;
    check_model(row_of("sparse"), 5);
}

/* Named states, states of values, inputs, outputs by rules and by differences, the form between samples. */
static void test_linearise(void **state)
{
    (void)state;
    tn_need_plugin("linearise");
    check_model(
        "[[input]]\nname = 'push'\nunit = 'N'\nvalue = 0\n[[element]]\nname = 'm'\ntype = 'rigid_body'\n"
        "mass = 2\ninertia = [1, 1, 1]\n[[element]]\nname = 'guide'\ntype = 'prismatic'\n"
        "markers = ['ground', 'm']\n[[element]]\nname = 'spring'\ntype = 'cartesian_spring_damper'\n"
        "markers = ['ground', 'm']\nstiffness = ['3 + VARVAL(lag)', 3, 3]\n[[element]]\nname = 'f'\n"
        "type = 'coordinate_force'\nmarkers = 'guide'\nvalue = 'push'\n[[element]]\nname = 'lag'\n"
        "type = 'reference_variable'\nintegral = true\nexpression = 'COORD(guide) - VARVAL(lag)'\n"
        "[[sensor]]\nname = 'x'\nexpression = 'DX(m)'\n[[sensor]]\nname = 'p'\nsystem = 'momentum'\n"
        "[[solver]]\ntype = 'linearise'\nstates = ['guide']\nstep = 0.1\n[[solver]]\ntype = 'rk'\n"
        "step = 0.01\nend_time = 0.02\n",
        2);
}

/* A chain that turns. */
static void test_eigen_of_a_steady_motion(void **state)
{
    (void)state;
    check_model(
        "[[repeat]]\nvariable = 'i'\ncount = 8\n[[repeat.element]]\nname = 'bead{i}'\ntype = 'mass_point'\n"
        "mass = 0.7\nposition = ['0.3*(i + 1)', 0, 0]\nvelocity = [0, '0.6*(i + 1)', 0]\n[[element]]\n"
        "name = 'rod'\ntype = 'distance'\nlength = 0.3\nmarkers = ['ground', 'bead0']\n[[repeat]]\n"
        "variable = 'i'\ncount = 7\n[[repeat.element]]\nname = 'rod{i}'\ntype = 'distance'\nlength = 0.3\n"
        "markers = ['bead{i}', 'bead{i + 1}']\n[[sensor]]\nname = 'y'\nexpression = 'VY(bead3)'\n"
        "[solver]\ntype = 'eigen'\ncount = 3\nmethod = 'sparse'\n",
        2);
}

static void test_rk_with_klu(void **state)
{
    (void)state;
    check_solver("rk", "klu", 6);
}

static void test_rk_with_dense(void **state)
{
    (void)state;
    check_solver("rk", "dense", 9);
}

static void test_radau_with_klu(void **state)
{
    (void)state;
    check_solver("radau", "klu", 11);
}

static void test_radau_with_dense(void **state)
{
    (void)state;
    check_solver("radau", "dense", 13);
}

static void test_ida_with_klu(void **state)
{
    (void)state;
    tn_need_plugin("ida");
    check_solver("ida", "klu", 5);
}

static void test_gsl_ode_with_klu(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
    check_solver("gsl_ode", "klu", 13);
}

static void test_gsl_ode_with_dense(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
    check_solver("gsl_ode", "dense", 15);
}

static void test_units_and_splines(void **state)
{
    (void)state;
    tn_need_plugin("spline");
    check_model(units_and_splines, 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_generalized_alpha_with_klu),
                                       cmocka_unit_test(test_generalized_alpha_with_chain),
                                       cmocka_unit_test(test_generalized_alpha_with_dense),
                                       cmocka_unit_test(test_generalized_alpha_with_mumps),
                                       cmocka_unit_test(test_generalized_alpha_with_multifrontal),
                                       cmocka_unit_test(test_generalized_alpha_with_umfpack),
                                       cmocka_unit_test(test_generalized_alpha_with_minres),
                                       cmocka_unit_test(test_rk_with_gmres),
                                       cmocka_unit_test(test_static_with_klu),
                                       cmocka_unit_test(test_eigen_with_dense_matrices),
                                       cmocka_unit_test(test_eigen_by_iterations),
                                       cmocka_unit_test(test_linearise),
                                       cmocka_unit_test(test_eigen_of_a_steady_motion),
                                       cmocka_unit_test(test_rk_with_klu),
                                       cmocka_unit_test(test_rk_with_dense),
                                       cmocka_unit_test(test_radau_with_klu),
                                       cmocka_unit_test(test_radau_with_dense),
                                       cmocka_unit_test(test_ida_with_klu),
                                       cmocka_unit_test(test_gsl_ode_with_klu),
                                       cmocka_unit_test(test_gsl_ode_with_dense),
                                       cmocka_unit_test(test_units_and_splines)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

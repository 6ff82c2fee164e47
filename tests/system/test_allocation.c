/* test_allocation.c - nothing is allocated inside a step
 *
 * The allocation functions of this program stand in front of those of the C library, also for plugins, and
 * count their calls inside a window of a thousand steps. The first steps stay outside: there the pattern
 * of the matrix is built and factorised for the first time. */
#include "harness.h"

#include "signals/sensors.h"

#include <errno.h>
#include <execinfo.h>
#include <unistd.h>

enum { FIRST_STEP = 20, LAST_STEP = 1020 };

static volatile bool counting;
static volatile size_t calls;

#if !TN_SANITIZED

/* glibc's own names for what is replaced here */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

/* The first call inside the window tells where it came from. */
static void count_call(void)
{
    if (!counting) return;
    counting = false;
    void *place[16];
    if (calls++ == 0) backtrace_symbols_fd(place, backtrace(place, 16), STDERR_FILENO);
    counting = true;
}

TN_EXPORT void *malloc(size_t size)
{
    count_call();
    return __libc_malloc(size);
}

TN_EXPORT void *calloc(size_t count, size_t size)
{
    count_call();
    return __libc_calloc(count, size);
}

TN_EXPORT void *realloc(void *memory, size_t size)
{
    count_call();
    return __libc_realloc(memory, size);
}

TN_EXPORT void *reallocarray(void *memory, size_t count, size_t size)
{
    count_call();
    if (size && count > SIZE_MAX / size) return errno = ENOMEM, NULL;
    return __libc_realloc(memory, count * size);
}

TN_EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    count_call();
    return __libc_memalign(alignment, size);
}

TN_EXPORT void free(void *memory)
{
    if (memory) count_call();
    __libc_free(memory);
}

#endif

/* Everything that has a path of its own: points, bodies, offset markers, markers made of others, functions, values
 * that change with time, a loop of variables. */
static const char model[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.5, 0.8, 0.9, 0.1, -0.05, 0.08]\n"
    "com = [0.1, -0.2, 0.05]\nposition = [1, 0, 0]\nangular_velocity = [1, 2, 3]\n"
    "[[element]]\nname = 'c'\ntype = 'mass_point'\nmass = 0.7\nposition = [0, -2, 1]\n"
    "[[marker]]\nname = 'a1'\ntype = 'frame'\nelement = 'a'\nposition = [0.4, 0.1, -0.3]\n"
    "[[marker]]\nname = 'm'\ntype = 'center'\nmarkers = ['a1', 'c', 'a']\nweights = [1, 2, 3]\n"
    "[[element]]\nname = 's3'\ntype = 'spring_damper'\nmarkers = ['m', 'a1']\nstiffness = 20\n"
    "[[element]]\nname = 's1'\ntype = 'spring_damper'\nmarkers = ['ground', 'a1']\nstiffness = 200\ndamping "
    "= 3\n"
    "[[element]]\nname = 's2'\ntype = 'spring_damper'\nmarkers = ['a', 'c']\nstiffness = '150 + "
    "20*sin(time)'\n"
    "reference_length = 1\nforce_function = 'stiffness*deltaL + 10*deltaL**3 + 2*deltaL_t + VX(a1)'\n"
    "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['a1', 'c']\nvalue = ['VARVAL(v)', '3*sin(5*time)', "
    "1]\n"
    "[[element]]\nname = 'v'\ntype = 'reference_variable'\nexpression = '0.1*DX(c) + 0.5*VARVAL(w)'\n"
    "[[element]]\nname = 'w'\ntype = 'reference_variable'\nexpression = 'SIN(VARVAL(v))'\n"
    "[[element]]\nname = 't'\ntype = 'torque'\nmarkers = ['a']\nvalue = [0, 0, '0.1*cos(time)']\nlocal = "
    "true\n"
    "[[sensor]]\nname = 'R'\nelement = 'a'\noutput = 'rotation'\n"
    "[[sensor]]\nname = 'p'\nmarker = 'a1'\noutput = 'position'\n"
    "[[sensor]]\nname = 'v'\nmarker = 'm'\noutput = 'velocity'\n"
    "[[sensor]]\nname = 'L'\nelement = 's2'\noutput = 'force'\n"
    "[[sensor]]\nname = 'x'\nexpression = '2*time'\n"
    "[[sensor]]\nname = 'E'\nsystem = 'total_energy'\n"
    "[[sensor]]\nname = 'H'\nsystem = 'angular_momentum'\n";

/* Two rods in a row, and a joint too many. */
static const char joints[] =
    "[[element]]\nname = 'd'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.1, 0.1]\nposition = [0.5, 0, "
    "-3]\n"
    "[[element]]\nname = 'e'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.1, 0.1]\nposition = [1.5, 0, "
    "-3]\n"
    "[[element]]\nname = 'hinge'\ntype = 'revolute'\nmarkers = [{ element = 'ground', position = [0, 0, -3] "
    "}, "
    "{ element = 'd', position = [-0.5, 0, 0] }]\n"
    "[[element]]\nname = 'again'\ntype = 'revolute'\nmarkers = [{ element = 'ground', position = [0, 0, -3] "
    "}, "
    "{ element = 'd', position = [-0.5, 0, 0] }]\n"
    "[[element]]\nname = 'ball'\ntype = 'spherical'\nmarkers = [{ element = 'd', position = [0.5, 0, 0] }, "
    "{ element = 'e', position = [-0.5, 0, 0] }]\n";

/* A rod that a motion turns. */
static const char driven[] =
    "[model]\ngravity = [0, -9.81, 0]\n[[element]]\nname = 'd'\ntype = 'rigid_body'\nmass = 1\n"
    "inertia = [0.01, 0.1, 0.1]\nposition = [0.5, 0, 0]\n[[element]]\nname = 'hinge'\ntype = 'revolute'\n"
    "markers = ['ground', { element = 'd', position = [-0.5, 0, 0] }]\n"
    "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n";

static uint64_t matrices, last_matrices;
static bool with_sensors;
static double row[32];

/* Steps are counted here, so that the window opens and closes between two of them. */
static tn_status see(void *data, const tn_accepted_step *accepted)
{
    tn_assembly *assembly = data;
    const tn_system *system = &assembly->system;
    const uint64_t step = system->statistics->steps;
    if (step == LAST_STEP) counting = false;
    if (step == FIRST_STEP) {
        matrices = system->statistics->matrices;
        counting = true;
    }
    last_matrices = system->statistics->matrices;
    if (with_sensors) {
        (void)tn_evaluate_markers(assembly);
        tn_sensor_values(assembly, accepted->length, row);
    }
    return TN_OK;
}

/* Runs the model and gives the matrices that were filled inside the window; fails when anything was
 * allocated. */
static uint64_t check_steps_of(const char *items, const char *solver, const char *type, const char *plugin)
{
    if (TN_SANITIZED) skip();
    tn_world world;
    tn_world_open(&world, tn_format("%s[solver]\nstep = 1e-3\nend_time = 1.1\n%s", items, solver), type,
                  plugin);
    void *place[1];
    (void)backtrace(place, 1); /* loads its library now */
    calls = 0;
    assert_int_equal(tn_world_advance(&world, see, world.assembly), TN_OK);
    assert_true(world.assembly->statistics.steps >= LAST_STEP && !counting);
    if (calls != 0) fail_msg("%s: %zu calls in %d steps", solver, calls, LAST_STEP - FIRST_STEP);
    tn_world_close(&world);
    return last_matrices - matrices;
}

static uint64_t check_steps(const char *solver, const char *type, const char *plugin)
{
    return check_steps_of(model, solver, type, plugin);
}

/* The counter counts, here and in the libraries of plugins: the first factorisation makes its tables. */
static void test_allocations_are_seen(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip();
    calls = 1; /* no backtrace */
    counting = true;
    void *volatile memory = malloc(10);
    free(memory);
    counting = false;
    assert_int_equal(calls, 3);

    tn_world world;
    tn_world_open(&world,
                  tn_format("%s[solver]\ntype = 'generalized_alpha'\nstep = 1\nend_time = 1\n", model), NULL,
                  NULL);
    tn_world_open_linear(&world);
    assert_non_null(world.system->pattern(world.system));
    assert_int_equal(world.system->evaluate(world.system), TN_OK);
    assert_int_equal(world.system->matrix(world.system, 1.0, 1.0, 1.0), TN_OK);
    calls = 1;
    counting = true;
    const tn_status status = world.system->factor(world.system);
    counting = false;
    assert_int_equal(status, TN_OK);
    assert_true(calls > 1);
    tn_world_close(&world);
}

static void test_runge_kutta(void **state)
{
    (void)state;
    with_sensors = false;
    (void)check_steps("type = 'rk'\norder = 4\n", NULL, NULL);
    (void)check_steps("type = 'rk'\norder = 5\n", NULL, NULL);
    (void)check_steps("type = 'rk'\norder = 5\nadaptive = true\nmax_step = 1e-3\n", NULL, NULL);
}

static void test_generalized_alpha(void **state)
{
    (void)state;
    with_sensors = false;
    (void)check_steps("type = 'generalized_alpha'\n", NULL, NULL);
    (void)check_steps("type = 'generalized_alpha'\nlinear = 'dense'\n", NULL, NULL);
}

/* A search for where expressions switch, several times. */
static void test_events(void **state)
{
    (void)state;
    with_sensors = false;
    static const char *const solvers[] = {
        "type = 'rk'\norder = 5\nadaptive = true\nmax_step = 1e-3\n", "type = 'radau'\nmax_step = 1e-3\n",
        "type = 'gsl_ode'\nstepper = 'rkf45'\nadaptive = true\nmax_step = 1e-3\n",
        "type = 'gsl_ode'\nstepper = 'msadams'\nadaptive = true\nmax_step = 1e-3\n",
        "type = 'ida'\nmax_step = 1e-3\n"};
    for (size_t k = 0; k < (!tn_has_plugin("gsl_ode") ? 2 : tn_has_plugin("ida") ? 5 : 4); k++)
        (void)check_steps(tn_format("%s[[element]]\nname = 'e'\ntype = 'force'\nmarkers = ['c']\nvalue = "
                                    "['IF(SIN(100*time): 0, 1, 2)', 'ABS(DX(c))', 0]\n",
                                    solvers[k]),
                          NULL, NULL);
}

/* The implicit ones are not among them: GSL's factorisation makes and frees a list of pivots each time. */
static void test_gsl_steppers(void **state)
{
    (void)state;
    tn_need_plugin("gsl_ode");
    with_sensors = false;
    static const char *const steppers[] = {"rk2", "rk4", "rkf45", "rkck", "rk8pd", "msadams"};
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k++)
        (void)check_steps(tn_format("type = 'gsl_ode'\nstepper = '%s'\n", steppers[k]), NULL, NULL);
}

/* New multipliers at every stage, and a projection after every step. */
static void test_constraints(void **state)
{
    (void)state;
    with_sensors = false;
    static const char *const solvers[] = {
        "type = 'rk'\nlinear = 'klu'\norder = 4\n",
        "type = 'rk'\nlinear = 'klu'\norder = 5\nadaptive = true\nmax_step = 1e-3\n",
        "type = 'rk'\norder = 2\nlinear = 'dense'\n",
        "type = 'generalized_alpha'\nlinear = 'minres'\n",
        "type = 'generalized_alpha'\nlinear = 'gmres'\n",
        "type = 'moreau'\nlinear = 'klu'\n",
        "type = 'moreau'\nlinear = 'klu'\nforces = 'explicit'\n",
        "type = 'moreau'\nlinear = 'klu'\nconstraint_solver = 'gauss_seidel'\n",
        "type = 'moreau'\nlinear = 'klu'\nconstraint_solver = { type = 'gauss_seidel', joints = 'swept' }\n",
        "type = 'rk'\nlinear = 'chain'\norder = 4\n",
        "type = 'generalized_alpha'\nlinear = 'chain'\n",
        "type = 'radau'\nlinear = 'klu'\nmax_step = 1e-3\n",
        "type = 'radau'\nlinear = 'dense'\nmax_step = 1e-3\n",
        "type = 'gsl_ode'\nlinear = 'klu'\nstepper = 'rkf45'\n",
        "type = 'gsl_ode'\nlinear = 'klu'\nstepper = 'msadams'\n",
        "type = 'ida'\nlinear = 'klu'\nmax_step = 1e-3\n"};
    for (size_t k = 0; k < (!tn_has_plugin("gsl_ode") ? 11 : tn_has_plugin("ida") ? 14 : 13); k++)
        (void)check_steps(tn_format("%s%s", solvers[k], joints), NULL, NULL);
}

/* Balls that bounce, and a box that is pushed to and fro on its corners, from and to a wall: as many points as at the start, or less. Reactions
 * of the box are not unique. */
static void test_contacts_that_come_and_go(void **state)
{
    (void)state;
    with_sensors = true;
    static const char items[] =
        "[model]\ngravity = [0, 0, -10]\n[[marker]]\nname = 'floor'\ntype = 'shape'\nelement = 'ground'\n"
        "kind = 'plane'\n[[marker]]\nname = 'wall'\ntype = 'shape'\nelement = 'ground'\nkind = 'plane'\n"
        "position = [-0.2, 0, 0]\nrotation = { axis = [0, 1, 0], angle = '90D' }\n[[element]]\nname = 'b'\n"
        "type = 'rigid_body'\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = [0, 0, 0.1]\n[[marker]]\n"
        "name = 'box'\ntype = 'shape'\nelement = 'b'\nkind = 'box'\nsize = [0.4, 0.4, 0.2]\n[[element]]\n"
        "name = 'push'\ntype = 'force'\nmarkers = 'b'\nvalue = ['8*COS(20*time)', 0, '12*SIN(50*time)']\n"
        "[[repeat]]\ncount = 3\n[[repeat.element]]\nname = 'a{i}'\ntype = 'rigid_body'\nmass = 1\n"
        "inertia = [0.01, 0.01, 0.01]\nposition = ['0.3*i - 0.05', 1, '0.1']\n"
        "velocity = [0, 0, '-0.3 - 0.3*i']\n[[repeat.marker]]\nname = 's{i}'\ntype = 'shape'\n"
        "element = 'a{i}'\nkind = 'sphere'\nradius = 0.1\n[[element]]\nname = 'k'\ntype = 'contact'\n"
        "law = 'impulse'\nshapes = ['floor', 'wall', 'box', 's0', 's1', 's2']\nfriction = 0.4\n"
        "restitution = 0.9\n[[sensor]]\nname = 'N'\nelement = 'k'\noutput = 'normal_force'\n[[sensor]]\n"
        "name = 'gap'\nelement = 'k'\noutput = 'gap'\n[[sensor]]\nname = 'at'\nelement = 'k'\n"
        "output = 'position'\n";
    static const char *const solvers[] = {"'projected_newton'", "'gauss_seidel'",
                                          "{ type = 'admm', tolerance = 1e-6 }"};
    for (size_t k = 0; k < 3; k++)
        (void)check_steps_of(items, tn_format("type = 'moreau'\nconstraint_solver = %s\n", solvers[k]), NULL,
                             NULL);
}

/* A state from the rows at every step; with a state, or a prescribed rate, from four. */
static void test_kinematic(void **state)
{
    (void)state;
    with_sensors = false;
    static const char *const motions[] = {
        "value = 'SIN(time)'\n", "level = 'velocity'\nvalue = 'COS(time)'\n",
        ("value = 'SIN(time)'\n[[element]]\nname = 'x'\ntype = 'reference_variable'\nintegral = true\n"
         "expression = 'DX(d) - VARVAL(x)'\n")};
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++)
        (void)check_steps_of(driven,
                             tn_format("type = 'kinematic'\n[[element]]\nname = 'drive'\ntype = 'motion'\n"
                                       "joint = 'hinge'\n%s",
                                       motions[k]),
                             NULL, NULL);
}

/* A new matrix in every iteration. */
static void test_full_newton(void **state)
{
    (void)state;
    with_sensors = false;
    assert_true(check_steps("type = 'generalized_alpha'\nnewton = { jacobian = 'full' }\n", NULL, NULL) >=
                1000);
    assert_true(check_steps("type = 'generalized_alpha'\nlinear = 'dense'\nnewton = { jacobian = 'full' }\n",
                            NULL, NULL) >= 1000);
}

/* Central differences where a type was built without its passes. */
static void test_differences(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip();
    with_sensors = false;
    static const char *const types[] = {"spring_damper", "rigid_body"};
    for (int k = 0; k < 2; k++)
        (void)check_steps("type = 'generalized_alpha'\nnewton = { jacobian = 'full' }\n", types[k],
                          tn_build_without_passes(types[k]));
}

/* Reading all kinds of sensors at every step. */
static void test_sensors(void **state)
{
    (void)state;
    with_sensors = true;
    (void)check_steps("type = 'rk'\norder = 4\n", NULL, NULL);
    (void)check_steps("type = 'generalized_alpha'\n", NULL, NULL);
    with_sensors = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_allocations_are_seen),
                                       cmocka_unit_test(test_runge_kutta),
                                       cmocka_unit_test(test_generalized_alpha),
                                       cmocka_unit_test(test_constraints),
                                       cmocka_unit_test(test_contacts_that_come_and_go),
                                       cmocka_unit_test(test_kinematic),
                                       cmocka_unit_test(test_full_newton),
                                       cmocka_unit_test(test_events),
                                       cmocka_unit_test(test_gsl_steppers),
                                       cmocka_unit_test(test_differences),
                                       cmocka_unit_test(test_sensors)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

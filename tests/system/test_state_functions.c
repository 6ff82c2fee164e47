/* test_state_functions.c - functions of elements, such as a force_function, that read the state besides their arguments */
#include "models.h"
#include "tangent.h"

#include <math.h>

#define BALLS                                                                                          \
    "[[element]]\nname = 'ball'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0.2, 0]\n"              \
    "velocity = [0.3, 1, -0.5]\n"                                                                      \
    "[[element]]\nname = 'other'\ntype = 'mass_point'\nmass = 2\nposition = [0.5, 2, 0.3]\n"           \
    "[[element]]\nname = 'tie'\ntype = 'spring_damper'\nmarkers = ['ball', 'other']\nstiffness = 20\n" \
    "reference_length = 1.5\n"
#define GROUND_SPRING(more)                                                                                \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'ball']\nstiffness = 50\n" \
    "damping = 0.8\nreference_length = 0.7\n" more
#define SENSORS                                                            \
    "[[sensor]]\nname = 'p'\nelement = 'ball'\noutput = 'position'\n"      \
    "[[sensor]]\nname = 'f'\nelement = 'spring'\noutput = 'force_local'\n" \
    "[[sensor]]\nname = 'supplied'\nelement = 'spring'\noutput = 'supplied_energy'\n"

static const char *const solvers[] = {
    "type = 'generalized_alpha'\nstep = 1e-2\nnewton = { jacobian = 'full' }\n",
    "type = 'rk'\nstep = 1e-2\n"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static const tn_csv_table *run_for(const char *model, int solver)
{
    return tn_simulate(
        tn_format("%s[solver]\nend_time = 2\n%s[output]\ninterval = 0.1\n", model, solvers[solver]), NULL);
}

/* Fails unless two models move alike: the largest difference between their columns is `tolerance`. */
static void expect_alike(const char *one, const char *other, double tolerance)
{
    static const char *const columns[] = {"p.x", "p.y", "p.z", "f"};
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *a = run_for(one, s), *b = run_for(other, s);
        for (int k = 0; k <= 20; k++)
            for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
                const double x = tn_value_at(a, columns[c], 0.1 * k), y = tn_value_at(b, columns[c], 0.1 * k);
                if (!(fabs(x - y) <= tolerance * fmax(1.0, fabs(x))))
                    fail_msg("%s(%g) is %.17g, not %.17g", columns[c], 0.1 * k, y, x);
            }
    }
}

/* Lengths and rates that are arguments, too, read once more by functions of markers. */
static void test_the_linear_law_of_functions_of_markers(void **state)
{
    (void)state;
    const char *built_in = BALLS GROUND_SPRING("") SENSORS;
    expect_alike(built_in,
                 BALLS GROUND_SPRING("force_function = 'stiffness*(DM(ball) - 0.7) + damping*VR(ball)'\n")
                     SENSORS,
                 1e-12);
    expect_alike(
        built_in,
        BALLS GROUND_SPRING("force_function = '0.5*stiffness*(deltaL + DM(ball, ground)) - 0.35*stiffness + "
                            "damping*VR(ball)'\n") SENSORS,
        1e-12);
}

/* What a variable tells in a function is what it tells in a parameter; the function stands in front of the variables. */
static void test_variables_in_functions_and_in_parameters(void **state)
{
    (void)state;
#define VARIABLES VARIABLE("v", "0.3*VARVAL(w) + time") VARIABLE("w", "DX(other)*VZ(ball, other)")
    expect_alike(BALLS GROUND_SPRING("force = '2*VARVAL(v) + DY(other)'\n") SENSORS VARIABLES,
                 BALLS GROUND_SPRING("force_function = 'stiffness*deltaL + damping*deltaL_t + 2*VARVAL(v) + "
                                     "DY(other)'\n") SENSORS VARIABLES,
                 1e-12);
#define INTEGRAL VARIABLE("wear", "0.05*VR(ball)**2") "integral = true\n"
    expect_alike(BALLS GROUND_SPRING("force = '10*VARVAL(wear)'\n") SENSORS INTEGRAL,
                 BALLS GROUND_SPRING("force_function = 'stiffness*deltaL + damping*deltaL_t + "
                                     "10*VARVAL(wear)'\n") SENSORS INTEGRAL,
                 1e-12);
}

/* What the spring pulls with holds the ball at x = 1. */
static void test_the_multiplier_of_a_constraint_in_a_function(void **state)
{
    (void)state;
#define SERVO                                                                                       \
    "[[element]]\nname = 'ball'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0.2, 0]\n"           \
    "velocity = [0, 0.3, 0]\n"                                                                      \
    "[[element]]\nname = 'hold'\ntype = 'reference_variable'\nimplicit = true\n"                    \
    "autobalance = 'disabled'\nexpression = 'DX(ball) - 1'\n"                                       \
    "[[element]]\nname = 'wind'\ntype = 'force'\nmarkers = 'ball'\nvalue = ['SIN(3*time)', 0, 0]\n" \
    "[[sensor]]\nname = 'x'\nexpression = 'DX(ball)'\n[[sensor]]\nname = 'v'\nexpression = 'VARVAL(hold)'\n"
    const char *parameter = SERVO GROUND_SPRING("force = 'VARVAL(hold)'\n") SENSORS;
    const char *function =
        SERVO GROUND_SPRING("force_function = 'stiffness*deltaL + damping*deltaL_t + VARVAL(hold)'\n")
            SENSORS;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *a = run_for(parameter, s), *b = run_for(function, s);
        for (int k = 0; k <= 20; k++) {
            assert_true(fabs(tn_value_at(b, "x", 0.1 * k) - 1.0) <= 1e-9);
            assert_true(fabs(tn_value_at(b, "v", 0.1 * k) - tn_value_at(a, "v", 0.1 * k)) <= 1e-6);
            assert_true(fabs(tn_value_at(b, "p.y", 0.1 * k) - tn_value_at(a, "p.y", 0.1 * k)) <= 1e-9);
        }
    }
}

/* Copies of one function read what their own names say. */
static void test_copies_read_things_of_their_own(void **state)
{
    (void)state;
    const tn_csv_table *run = run_for(
        "[[repeat]]\ncount = 3\nvariable = 'i'\n"
        "[[repeat.element]]\nname = 'm_{i}'\ntype = 'mass_point'\nmass = 1\nposition = [1, 'i', 0]\n"
        "velocity = ['i', 0, 0]\n"
        "[[repeat.element]]\nname = 's_{i}'\ntype = 'spring_damper'\n"
        "markers = [{ element = 'ground', position = [-1e3, 'i', 0] }, 'm_{i}']\n"
        "force_function = '(1 + i)*DX(m_{i}) + i*VARVAL(v_{i})'\n"
        "[[repeat.element]]\nname = 'v_{i}'\ntype = 'reference_variable'\nexpression = 'i*DX(m_{i})'\n"
        "[[repeat.sensor]]\nname = 'x_{i}'\nexpression = 'DX(m_{i})'\n",
        1);
    for (int i = 0; i < 3; i++) {
        const double rate = sqrt(1.0 + i + i * i), expected = cos(2.0 * rate) + i * sin(2.0 * rate) / rate;
        assert_true(fabs(tn_value_at(run, tn_format("x_%d", i), 2.0) - expected) <= 1e-7);
    }
}

/* Supplied, as the work of any function. */
static void test_the_work_of_a_function_balances(void **state)
{
    (void)state;
    const tn_csv_table *run =
        run_for(BALLS GROUND_SPRING("force_function = 'stiffness*deltaL*(1 + 0.3*DX(other)) + VX(other)'\n")
                    SENSORS "[[sensor]]\nname = 'balance'\nsystem = 'energy_balance'\n",
                1);
    for (int k = 0; k <= 20; k++)
        assert_true(fabs(tn_value_at(run, "balance", 0.1 * k) - tn_value_at(run, "balance", 0.0)) <= 1e-5);
    assert_true(fabs(tn_value_at(run, "supplied", 2.0)) > 0.1);
}

static double iterations_of(const char *spring)
{
    const char *directory = tn_scratch_path(NULL);
    const tn_outcome run = tn_tenon(TN_WORDS(
        "run",
        tn_write("full.toml",
                 tn_format(BALLS "%s" VARIABLE("v", "DX(other)*DY(other)") "[solver]\nend_time = 2\n%s",
                           spring, solvers[0])),
        "--out", directory));
    if (run.status) fail_msg("%s", run.errors);
    return tn_run_number(directory, "run.statistics.newton_iterations");
}

/* Stiff in what is read: as many iterations as for a parameter that reads the same. */
static void test_newtons_method_is_quadratic(void **state)
{
    (void)state;
    const double parameter = iterations_of(GROUND_SPRING("force = '2000*SIN(3*VARVAL(v))'\n"));
    const double function = iterations_of(
        GROUND_SPRING("force_function = 'stiffness*deltaL + damping*deltaL_t + 2000*SIN(3*VARVAL(v))'\n"));
    assert_true(function == parameter);
    assert_true(function <= 4 * 200);
}

static void test_what_has_no_value_is_named(void **state)
{
    (void)state;
    const tn_outcome run = tn_tenon(TN_WORDS(
        "run",
        tn_write("wrong.toml",
                 tn_format(BALLS GROUND_SPRING(
                               "force_function = 'SQRT(1.2 - DX(ball))'\n") "[solver]\nend_time = 2\n%s",
                           solvers[1])),
        "--out", tn_scratch_path(NULL)));
    assert_int_equal(run.status, 1);
    tn_check_holds(run.errors, TN_WORDS("spring_damper `spring`", "SQRT of a negative number"));
}

/* ---- functions of other elements ------------------------------------------------------------------------- */

/* Pulls two points together by one function that may read the state, and one that may not; each may be absent. */
static const char puller[] =
    "#include <tenon/author.h>\n"
    "#define PULLER(P) \\\n"
    "    P(REAL, before, \"N\", TN_DYNAMIC, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, \"added\") \\\n"
    "    P(CALLABLE, free, \"N\", \"x [m], v [m/s]\", TN_DYNAMIC | TN_CHANGEABLE, \"reads all\") \\\n"
    "    P(VECTOR, behind, \"N\", TN_DYNAMIC, \"added\") \\\n"
    "    P(CALLABLE, bound, \"N\", \"x [m]\", 0, \"reads its argument\")\n"
    "TN_PARAMETERS(puller, PULLER)\n"
    "TN_FORCE(puller, TN_POINT, 2)\n"
    "{\n"
    "    const tn_vec3 distance = tn_subtract(marker[1].position, marker[0].position);\n"
    "    const tn_vec3 velocity = tn_subtract(marker[1].velocity, marker[0].velocity);\n"
    "    const tn_real arguments[] = {tn_dot(distance, distance), tn_dot(distance, velocity)};\n"
    "    tn_real part[] = {tn_constant(0.0), tn_constant(0.0)};\n"
    "    tn_status status = TN_OK;\n"
    "    if (tn_is_given(self->free)) status = tn_call(context, self->free, arguments, 2, &part[0]);\n"
    "    if (tn_is_given(self->bound) && status == TN_OK)\n"
    "        status = tn_call(context, self->bound, arguments, 1, &part[1]);\n"
    "    wrench[0].force = tn_add(self->behind, tn_scale(self->before + part[0] * part[0] + part[1], "
    "distance));\n"
    "    wrench[1].force = tn_negate(wrench[0].force);\n"
    "    return status;\n"
    "}\n"
    "#if TN_VALUES\n"
    "TN_PORTS(puller, {\"markers\", \"two points\", TN_POINT, 2, 2, 0})\n"
    "TN_ELEMENT(puller, .summary = \"by functions\", .ports = puller_ports, "
    "TN_CAPABILITIES(TN_HAS_FORCE(puller)))\n"
    "TN_LIBRARY(\"puller\", \"1.0.0\", \"Apache-2.0\", \"for tests\", {TN_ELEMENT_KIND, &puller_type})\n"
    "#endif\n";

#define PULLER(name, markers, more) \
    "[[element]]\nname = '" name "'\ntype = 'puller'\nmarkers = [" markers "]\n" more

/* Behind the changes one has a function that had none, one has a number in its place, one reads other things. */
static const char pullers[] = GRAVITY BODY_A BODY_B POINT_C POINT_D FRAMES VARIABLE("v", "DX(a1, b1) + VX(c)")
    PULLER("plain", "'a1', 'b1'", "free = 'SIN(x) + v*0.1'\nbound = 'COS(x)'\nbefore = 'DX(c)'\n")
        PULLER("reading", "'c', 'd'",
               "free = '(SIN(x) + 0.1*v)*VARVAL(v)'\nbound = 'x'\nbehind = [1, 'DX(a)', 'time']\n")
            PULLER("timed", "'a', 'd'", "free = 'SIN(x)*time'\n")
                PULLER("number", "'b', 'd'", "free = 'DX(c)*DY(a1)'\n")
                    PULLER("none", "'a2', 'd'", "bound = '1'\n")
                        AT_ONE_SECOND("none", "parameter = 'free'\nvalue = 'COS(x)*DZ(b1)'")
                            AT_ONE_SECOND("reading", "parameter = 'free'\nvalue = 'v + SIN(DX(a2))'")
                                AT_ONE_SECOND("number", "parameter = 'free'\nvalue = '2'");

static void test_functions_of_any_element(void **state)
{
    (void)state;
    tn_check_tangent(pullers);
}

static void test_functions_of_any_element_by_differences(void **state)
{
    (void)state;
    tn_compare_tangents(pullers, "puller", tn_build_without_passes("puller"), 1e-6);
    tn_compare_tangents(pullers, "puller", tn_build_complex_step("puller"), 1e-14);
}

static void test_functions_that_are_not_made_for_it_read_their_arguments_only(void **state)
{
    (void)state;
    const tn_outcome check = tn_tenon(TN_WORDS(
        "check", tn_write("bound.toml", POINT_C POINT_D PULLER("bound", "'c', 'd'", "bound = 'x*DX(c)'\n"))));
    assert_int_equal(check.status, 2);
    tn_check_holds(check.errors,
                   TN_WORDS("bound.toml:15:12: error: `dx` cannot be called in a function of `x`, only "
                            "where a number may change during the run"));
}

static int open(void **state)
{
    if (tn_scratch_open(state)) return -1;
    (void)tn_build_text("puller", puller);
    return setenv("TENON_PLUGIN_PATH", tn_scratch_path("."), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_linear_law_of_functions_of_markers),
        cmocka_unit_test(test_variables_in_functions_and_in_parameters),
        cmocka_unit_test(test_the_multiplier_of_a_constraint_in_a_function),
        cmocka_unit_test(test_copies_read_things_of_their_own),
        cmocka_unit_test(test_the_work_of_a_function_balances),
        cmocka_unit_test(test_newtons_method_is_quadratic),
        cmocka_unit_test(test_what_has_no_value_is_named),
        cmocka_unit_test(test_functions_of_any_element),
        cmocka_unit_test(test_functions_of_any_element_by_differences),
        cmocka_unit_test(test_functions_that_are_not_made_for_it_read_their_arguments_only)};
    return cmocka_run_group_tests(tests, open, tn_scratch_close);
}

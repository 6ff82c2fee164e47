/* test_acceleration_orders.c - forces and integrals that read accelerations or reactions: closed forms, to the order of each
 * solver and to the tolerances of those with error control */
#include "harness.h"

#include <math.h>

#define POINT(name, mass, more) \
    "[[element]]\nname = '" name "'\ntype = 'mass_point'\nmass = " mass "\n" more "\n"
#define FORCE(name, marker, value) \
    "[[element]]\nname = '" name "'\ntype = 'force'\nmarkers = '" marker "'\nvalue = " value "\n"
#define VARIABLE(name, expression, more) \
    "[[element]]\nname = '" name "'\ntype = 'reference_variable'\nexpression = '" expression "'\n" more
#define INTEGRAL(name, expression) VARIABLE(name, expression, "integral = true\n")
#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"

typedef struct problem {
    const char *name, *model;
    double end, value; /* of the sensor `y` at the end */
} problem;

static double value_of(const problem *p, const char *solver)
{
    const tn_csv_table *table =
        tn_simulate(tn_format("%s[solver]\n%send_time = %.17g\n[output]\ninterval = %.17g\n", p->model,
                              solver, p->end, p->end),
                    NULL);
    return tn_value_at(table, "y", p->end);
}

static double error_of(const problem *p, const char *method, int steps)
{
    return fabs(value_of(p, tn_format("%sstep = %.17g\n", method, p->end / steps)) - p->value);
}

static void expect_order(const problem *p, const char *method, double order, int steps)
{
    const double coarse = error_of(p, method, steps), fine = error_of(p, method, 2 * steps);
    if (!(fabs(log2(coarse / fine) - order) <= 0.2))
        fail_msg("%s, %s: order %g instead of %g (errors %g and %g)", p->name, method, log2(coarse / fine),
                 order, coarse, fine);
}

/* ---- models ------------------------------------------------------------------------------------------------ */

#define OSCILLATOR POINT("p", "1", "position = [1, 0, 0]") FORCE("k", "p", "['-4*DX(p)', 0, 0]")

/* Three times the mass. */
static problem added_mass(void)
{
    return (problem){"added mass",
                     POINT("p", "1", "position = [1, 0, 0]") FORCE("f", "p", "['-4*DX(p) - 2*ACCX(p)', 0, 0]")
                         SENSOR("y", "DX(p)"),
                     1.0, cos(sqrt(4.0 / 3.0))};
}

#define DRIVEN OSCILLATOR POINT("q", "2", "velocity = [1, 0, 0]") FORCE("f", "q", "['3*ACCX(p)', 0, 0]")

/* An acceleration drives another body. */
static problem driven_body(void)
{
    return (problem){"driven body", DRIVEN SENSOR("y", "VX(q)"), 1.0, 1.0 - 3.0 * sin(2.0)};
}

static problem work_of_added_mass(void)
{
    return (problem){"work of added mass", DRIVEN "[[sensor]]\nname = 'y'\nsystem = 'energy_balance'\n", 1.0,
                     1.0};
}

/* A slider of 2 kg with drag, pressed down by N = 2 g + 5 sin(3 t)^2, and friction 0.3 N. */
#define SLIDER                                                                                       \
    "[model]\ngravity = [0, 0, -9.81]\n[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 2\n"     \
    "inertia = [0.1, 0.1, 0.1]\nvelocity = [5, 0, 0]\n[[element]]\nname = 'j'\ntype = 'prismatic'\n" \
    "markers = ['ground', 'b']\n" FORCE("friction", "b",                                             \
                                        "['-0.3*JOINT(j,1,1) - VX(b)', 0, '-5*SIN(3*time)**2']")

static problem joint_friction(void)
{
    const double k = 0.5, a = 0.15 * (2.0 * 9.81 + 2.5), b = 0.15 * 2.5, share = b / (k * k + 36.0);
    return (problem){"joint friction", SLIDER SENSOR("y", "VX(b)"), 1.0,
                     (5.0 + a / k - share * k) * exp(-k) - a / k + share * (k * cos(6.0) + 6.0 * sin(6.0))};
}

/* The reaction itself, by way of another variable and along a motion. */
static problem integral_of_reaction(void)
{
    return (problem){"integral of a reaction",
                     SLIDER VARIABLE("n", "JOINT(j,1,1)", "") INTEGRAL("i", "VARVAL(n) + 2*ACCX(b)")
                         SENSOR("y", "VARVAL(i) - 2*VX(b)"),
                     1.0, 2.0 * 9.81 + 2.5 - 5.0 * sin(6.0) / 12.0 - 10.0};
}

/* x'' as it was before: along 1/3 + 2/3 cos(2 t), then in resonance with it. */
static problem delayed_acceleration(void)
{
    const double s = 0.25;
    return (problem){
        "delayed acceleration",
        POINT("p", "1", "position = [1, 0, 0]")
            FORCE("f", "p", "['-4*DX(p) - 0.5*DELAY(ACCX(p), 0.25, -8/3)', 0, 0]") SENSOR("y", "DX(p)"),
        2.0 * s,
        (1.0 + 2.0 * cos(2.0 * s)) / 3.0 * cos(2.0 * s) + (s - 2.0 * sin(2.0 * s)) / 3.0 * sin(2.0 * s)};
}

static problem integral_of_acceleration(void)
{
    return (problem){"integral of an acceleration",
                     OSCILLATOR INTEGRAL("i", "ACCX(p)") SENSOR("y", "VARVAL(i)"), 1.0, -2.0 * sin(2.0)};
}

/* Through two explicit variables, along with the motion. */
static problem integral_through_variables(void)
{
    return (problem){"integral through variables",
                     INTEGRAL("i", "VARVAL(power)*DX(p)") VARIABLE("power", "VARVAL(a)/2", "")
                         VARIABLE("a", "2*ACCX(p)", "") OSCILLATOR SENSOR("y", "VARVAL(i)"),
                     1.0, -2.0 - 0.5 * sin(4.0)};
}

typedef problem (*problem_function)(void);
static const problem_function in_forces[] = {added_mass, driven_body, work_of_added_mass, joint_friction};
static const problem_function in_integrals[] = {integral_of_acceleration, integral_through_variables,
                                                integral_of_reaction};

#define FOR_EACH(list, p)                                                  \
    for (size_t number = 0; number < sizeof list / sizeof *list; number++) \
        for (problem p = list[number](), *once = &p; once; once = NULL)

/* ---- orders ------------------------------------------------------------------------------------------------ */

static void expect_orders_of_rk(const problem *p)
{
    expect_order(p, "type = 'rk'\norder = 1\n", 1.0, 400);
    expect_order(p, "type = 'rk'\norder = 2\n", 2.0, 200);
    expect_order(p, "type = 'rk'\norder = 4\n", 4.0, 40);
}

static void test_rk_keeps_its_order_where_forces_read_accelerations(void **state)
{
    (void)state;
    FOR_EACH(in_forces, p) expect_orders_of_rk(&p);
    const problem delayed = delayed_acceleration();
    expect_orders_of_rk(&delayed);
    const problem mass = added_mass(), body = driven_body();
    expect_order(&mass, "type = 'rk'\norder = 5\n", 5.0, 20);
    expect_order(&body, "type = 'rk'\norder = 5\n", 5.0, 20);
}

static void test_rk_keeps_its_order_for_integrals_of_accelerations(void **state)
{
    (void)state;
    FOR_EACH(in_integrals, p) expect_orders_of_rk(&p);
    const problem integral = integral_of_acceleration();
    expect_order(&integral, "type = 'rk'\norder = 5\n", 5.0, 20);
}

static void test_generalized_alpha_is_of_order_2(void **state)
{
    (void)state;
    for (int index = 2; index <= 3; index++) {
        const char *method = tn_format("type = 'generalized_alpha'\nindex = %d\n", index);
        FOR_EACH(in_forces, p) expect_order(&p, method, 2.0, 100);
        FOR_EACH(in_integrals, p) expect_order(&p, method, 2.0, 100);
    }
}

static void test_steppers_of_gsl_keep_their_order(void **state)
{
    (void)state;
    static const struct stepper {
        const char *name;
        double order;
        int steps;
    } steppers[] = {{"rk4", 4.0, 40}, {"rk1imp", 1.0, 200}, {"rk2imp", 2.0, 40}, {"rk4imp", 4.0, 20}};
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k++) {
        const char *method = tn_format("type = 'gsl_ode'\nstepper = '%s'\n", steppers[k].name);
        const problem problems[] = {added_mass(), driven_body(), integral_of_acceleration(),
                                    integral_through_variables()};
        for (size_t i = 0; i < sizeof problems / sizeof *problems; i += TN_SANITIZED ? 3 : 1)
            expect_order(&problems[i], method, steppers[k].order, steppers[k].steps);
    }
}

/* ---- error control ----------------------------------------------------------------------------------------- */

static void expect_tolerance_met(const problem *p, const char *method, double error, double most_steps)
{
    const char *results = tn_scratch_path(NULL);
    const char *model = tn_format("%s[solver]\n%sadaptive = true\nrelative_tolerance = 1e-7\n"
                                  "absolute_tolerance = 1e-7\nend_time = %.17g\n[output]\ninterval = %.17g\n",
                                  p->model, method, p->end, p->end);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("adaptive.toml", model), "--quiet", "--out", results));
    if (outcome.status != 0) fail_msg("%s, %s: %s", p->name, method, outcome.errors);
    const double found = tn_value_at(tn_sensors(results), "y", p->end),
                 steps = tn_run_number(results, "run.statistics.steps") +
                         tn_run_number(results, "run.statistics.rejected_steps");
    if (!(fabs(found - p->value) <= error) || steps > most_steps)
        fail_msg("%s, %s: error %g after %g steps", p->name, method, found - p->value, steps);
}

/* Of the steppers the sanitizers see a few. */
static void expect_tolerances_met(const problem *p)
{
    expect_tolerance_met(p, "type = 'rk'\norder = 5\n", 1e-5, 200);
    expect_tolerance_met(p, "type = 'radau'\n", 1e-5, 200);
    if (tn_has_plugin("ida")) expect_tolerance_met(p, "type = 'ida'\n", 1e-5, 1000);
    static const char *const steppers[] = {"rk2",    "rk4",    "rkf45", "rkck",    "rk8pd",
                                           "rk2imp", "rk4imp", "bsimp", "msadams", "msbdf"};
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k += TN_SANITIZED ? 3 : 1)
        expect_tolerance_met(p, tn_format("type = 'gsl_ode'\nstepper = '%s'\n", steppers[k]), 1e-4, 1000);
}

static void test_error_control_meets_its_tolerances(void **state)
{
    (void)state;
    FOR_EACH(in_forces, p) expect_tolerances_met(&p);
    FOR_EACH(in_integrals, p) expect_tolerances_met(&p);
}

/* ---- what accelerate() leaves ------------------------------------------------------------------------------ */

/* A model in this process, with the accelerations of its start. */
static tn_system *open_at_start(tn_world *world, const char *model)
{
    tn_world_open(world,
                  tn_format("%s[solver]\ntype = 'rk'\nlinear = 'klu'\nstep = 0.1\nend_time = 1\n", model),
                  NULL, NULL);
    tn_system *system = world->system;
    tn_world_open_linear(world);
    system->run = &world->plan.solver[0].run;
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_int_equal(system->accelerate(system, system->a), TN_OK);
    return system;
}

/* A solver keeps slopes of other states where it likes, the one of the accepted state in the system itself. */
static void test_accelerations_of_a_trial_leave_those_of_the_state(void **state)
{
    (void)state;
    static const char *const models[] = {
        POINT("p", "1", "position = [1, 0, 0]") FORCE("f", "p", "['-4*DX(p) - 2*ACCX(p)', 0, 0]"),
        OSCILLATOR INTEGRAL("i", "ACCX(p)"), SLIDER INTEGRAL("i", "ACCX(b)")};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        tn_world world;
        tn_system *system = open_at_start(&world, models[k]);
        const double kept = system->a[0];
        double trial[6] = {0.0};
        system->q[0] += 0.5;
        system->v[0] += 0.5;
        system->time = 0.4;
        assert_int_equal(system->evaluate(system), TN_OK);
        assert_int_equal(system->accelerate(system, trial), TN_OK);
        assert_true(system->a[0] == kept);
        assert_true(fabs(trial[0] - kept) > 1e-2);
        if (system->nx) assert_true(fabs(system->x_rate[0] - trial[0]) < 1e-12);
        tn_world_close(&world);
    }
}

/* Where no accelerations are found, neither they nor the multipliers are spoilt for the next try. */
static void test_a_refusal_leaves_accelerations_and_multipliers(void **state)
{
    (void)state;
    tn_world world;
    tn_system *system = open_at_start(
        &world, SLIDER FORCE("odd", "b", "['IF(time - 0.5: 0, 0, 1)*(1 + ACCX(b)**2)*1e3', 0, 0]"));
    double a[6], lambda[5], trial[6];
    assert_int_equal(system->rows, 5);
    memcpy(a, system->a, sizeof a);
    memcpy(lambda, system->lambda, sizeof lambda);
    system->time = 0.6;
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_int_equal(system->accelerate(system, trial), TN_RETRY);
    assert_memory_equal(a, system->a, sizeof a);
    assert_memory_equal(lambda, system->lambda, sizeof lambda);
    tn_world_close(&world);
}

/* ---- the past of accelerations ----------------------------------------------------------------------------- */

/* The acceleration jumps from 1 to 3 with a change at 0.5: between the steps on either side of it nothing of the other one is
 * left. */
static void test_the_past_at_a_change_is_that_of_either_side(void **state)
{
    (void)state;
    static const char *const methods[] = {"type = 'rk'\n", "type = 'gsl_ode'\nstepper = 'rk4'\n",
                                          "type = 'generalized_alpha'\n"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const tn_csv_table *table = tn_simulate(
            tn_format(
                POINT("p", "1", "") FORCE("f", "p", "[1, 0, 0]") SENSOR(
                    "y", "DELAY(ACCX(p), 0.125, 0)") "[[change]]\ntime = 0.5\n"
                                                     "element = 'f'\nparameter = 'value'\nvalue = [3, 0, 0]\n"
                                                     "[solver]\n%sstep = 0.05\nend_time = 1\n",
                methods[k]),
            NULL);
        for (int row = 3; row <= 20; row++) {
            const double time = 0.05 * row, value = tn_value_at(table, "y", time);
            if (!(fabs(value - (time < 0.625 ? 1.0 : 3.0)) < 1e-9))
                fail_msg("%s, at %g s: %g", methods[k], time, value);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rk_keeps_its_order_where_forces_read_accelerations),
        cmocka_unit_test(test_rk_keeps_its_order_for_integrals_of_accelerations),
        cmocka_unit_test(test_generalized_alpha_is_of_order_2),
        cmocka_unit_test(test_steppers_of_gsl_keep_their_order),
        cmocka_unit_test(test_error_control_meets_its_tolerances),
        cmocka_unit_test(test_accelerations_of_a_trial_leave_those_of_the_state),
        cmocka_unit_test(test_a_refusal_leaves_accelerations_and_multipliers),
        cmocka_unit_test(test_the_past_at_a_change_is_that_of_either_side),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

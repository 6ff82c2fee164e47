/* test_determinism.c - the same model gives the same bits
 *
 * Guaranteed: a second run, sensors in another order, another set of sensors, and the same solver asked
 * for by --solver change no bit. A body's forces are summed in the order in which types, then elements of
 * a type, then markers first occur in the file; so with explicit steps the order of elements that do not
 * share a body changes no bit either. */
#include "harness.h"

static const char swing[] =
    "[model]\ngravity = [0, 0, -9.81]\n"
    "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.05, 0.08, 0.1]\n"
    "position = [-0.1, -0.05, -0.9]\nvelocity = [0.2, 0.1, 0]\nangular_velocity = [0.5, 1, -0.3]\n"
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\n"
    "markers = ['ground', { element = 'body', position = [0.1, 0.05, 0.2] }]\n"
    "reference_length = 0.5\nstiffness = 200\ndamping = 0.5\n";
static const char chain[] =
    "[[repeat]]\ncount = 12\n[[repeat.element]]\nname = 'm{i}'\ntype = 'mass_point'\nmass = '0.1 + 0.01*i'\n"
    "position = ['0.1*(i + 1)', '0.02*i', 1]\nvelocity = [0, 'sin(i)', 0]\n"
    "[[repeat.element]]\nname = 's{i}'\ntype = 'spring_damper'\nwhen = 'i > 0'\nmarkers = ['m{i - 1}', "
    "'m{i}']\n"
    "stiffness = '90 + i'\ndamping = 0.1\nreference_length = 0.1\n";
static const char push[] = "[[element]]\nname = 'push'\ntype = 'force'\nvalue = ['sin(3*time)', 1, 0]\n"
                           "markers = ['m3', 'body']\n";

static const char implicit_steps[] = "[solver]\ntype = 'generalized_alpha'\nend_time = 1\nstep = 1e-3\n";
static const char explicit_steps[] = "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-3\n";
static const char adaptive_steps[] = "[solver]\ntype = 'rk'\norder = 5\nend_time = 1\nadaptive = true\n";

#define SENSOR(name, element, output) \
    "[[sensor]]\nname = '" name "'\nelement = '" element "'\noutput = '" output "'\n"
#define ENERGY "[[sensor]]\nname = 'E'\nsystem = 'total_energy'\n"
#define SENSORS                     \
    SENSOR("R", "body", "rotation") \
    SENSOR("w", "body", "angular_velocity") SENSOR("p", "m11", "position") ENERGY

/* Every column of `a` stands in `b` with the same bits. */
static void check_same(const tn_csv_table *a, const tn_csv_table *b)
{
    assert_int_equal(a->rows, b->rows);
    for (size_t k = 0; k < a->columns; k++) {
        const size_t column = tn_column_of(b, a->name[k]);
        for (size_t row = 0; row < a->rows; row++) {
            const double x = tn_csv_value(a, row, k), y = tn_csv_value(b, row, column);
            if (memcmp(&x, &y, sizeof x) != 0)
                fail_msg("%s at %g s: %.17g and %.17g", a->name[k], tn_csv_value(a, row, 0), x, y);
        }
    }
}

/* For every solver, a text against another one. */
static void check_pairs(const char *one, const char *other)
{
    static const char *const solvers[] = {implicit_steps, explicit_steps, adaptive_steps};
    for (int k = 0; k < 3; k++)
        check_same(tn_simulate(tn_format("%s%s", one, solvers[k]), NULL),
                   tn_simulate(tn_format("%s%s", other, solvers[k]), NULL));
}

static const char *model_with(const char *sensors)
{
    return tn_format("%s%s%s%s", swing, chain, push, sensors);
}

static void test_second_run(void **state)
{
    (void)state;
    check_pairs(model_with(SENSORS), model_with(SENSORS));
}

static void test_order_of_sensors(void **state)
{
    (void)state;
    check_pairs(model_with(SENSORS), model_with(ENERGY SENSOR("w", "body", "angular_velocity") SENSOR(
                                         "p", "m11", "position") SENSOR("R", "body", "rotation")));
}

static void test_other_sensors_and_rows(void **state)
{
    (void)state;
    check_pairs(model_with(SENSOR("p", "m11", "position")),
                model_with(SENSORS SENSOR("f", "s4", "force") SENSOR("L", "spring", "distance")));
}

/* An interval that every step divides does not move the steps. */
static void test_interval(void **state)
{
    (void)state;
    const tn_csv_table *all = tn_simulate(tn_format("%s%s", model_with(SENSORS), implicit_steps), NULL);
    const tn_csv_table *some =
        tn_simulate(tn_format("%s%s[output]\ninterval = 0.1\n", model_with(SENSORS), implicit_steps), NULL);
    assert_int_equal(some->rows, 11);
    for (size_t row = 0; row < some->rows; row++)
        for (size_t k = 1; k < some->columns; k++)
            assert_true(tn_csv_value(some, row, k) == tn_csv_value(all, 100 * row, k));
}

/* The swinging body and the chain share nothing: which of them comes first does not matter to explicit
 * steps. */
static void test_order_of_independent_elements(void **state)
{
    (void)state;
    check_same(tn_simulate(tn_format("%s%s" SENSORS "%s", swing, chain, explicit_steps), NULL),
               tn_simulate(tn_format(SENSORS "%s%s%s", chain, explicit_steps, swing), NULL));
    /* bodies behind their springs */
    check_same(
        tn_simulate(tn_format("%s" SENSOR("p", "body", "position") "%s", swing, explicit_steps), NULL),
        tn_simulate(tn_format("[model]\ngravity = [0, 0, -9.81]\n%s%.*s" SENSOR("p", "body", "position") "%s",
                              strstr(swing, "[[element]]\nname = 'spring'"),
                              (int)(strstr(swing, "[[element]]\nname = 'spring'") -
                                    strstr(swing, "[[element]]\nname = 'body'")),
                              strstr(swing, "[[element]]\nname = 'body'"), explicit_steps),
                    NULL));
}

/* --solver is the same as writing the type. */
static void test_solver_from_the_command_line(void **state)
{
    (void)state;
    const char *model = model_with(SENSORS);
    check_same(tn_simulate(tn_format("%s%s", model, implicit_steps), TN_WORDS("--solver", "rk")),
               tn_simulate(tn_format("%s%s", model, explicit_steps), NULL));
    check_same(
        tn_simulate(tn_format("%s%s", model, explicit_steps), TN_WORDS("--solver", "generalized_alpha")),
        tn_simulate(tn_format("%s%s", model, implicit_steps), NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_second_run),
                                       cmocka_unit_test(test_order_of_sensors),
                                       cmocka_unit_test(test_other_sensors_and_rows),
                                       cmocka_unit_test(test_interval),
                                       cmocka_unit_test(test_order_of_independent_elements),
                                       cmocka_unit_test(test_solver_from_the_command_line)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

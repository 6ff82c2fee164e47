/* test_spring_damper.c - the law and its signs, the outputs, and what happens at length zero. */
#include "../test_element.h"

/* Two points 3 m apart along (2, -1, 2)/3, whose distance grows by 1 m/s. */
static void spring_begin(test_element *e)
{
    test_begin(e, "spring_damper");
    test_point(e, 0, tn_vector(1, 2, 3), tn_vector(1, 0, 0));
    test_point(e, 0, tn_vector(3, 1, 5), tn_vector(4, 3, 0));
}

/* All parameters at once: f = 100 (3 - 2.5) + 10 (1 - 0.4) - 2 = 54. */
static void give_all(const test_element *e)
{
    test_give(e, "stiffness", 100);
    test_give(e, "reference_length", 2.5);
    test_give(e, "damping", 10);
    test_give(e, "velocity_offset", 0.4);
    test_give(e, "force", -2);
}

static void test_every_parameter_has_its_place_in_the_law(void **state)
{
    (void)state;
    static const struct {
        double stiffness, reference_length, damping, velocity_offset, force, expected;
    } cases[] = {
        {0, 0, 0, 0, 0, 0},        {100, 0, 0, 0, 0, 300},      {100, 2.5, 0, 0, 0, 50},
        {100, 4, 0, 0, 0, -100},   {0, 0, 10, 0, 0, 10},        {0, 0, 10, 0.4, 0, 6},
        {0, 0, 10, 1.5, 0, -5},    {0, 0, 0, 0, 7, 7},          {0, 0, 0, 0, -2, -2},
        {0, 2.5, 0, 0.4, 0, 0},    {100, 2.5, 10, 0.4, -2, 54}, {100, 4, 10, 0.4, -2, -96},
        {100, 2.5, 0, 0.4, 0, 50}, {0, 2.5, 10, 0, 0, 10},      {100, 3, 10, 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_element e;
        spring_begin(&e);
        test_give(&e, "stiffness", cases[i].stiffness);
        test_give(&e, "reference_length", cases[i].reference_length);
        test_give(&e, "damping", cases[i].damping);
        test_give(&e, "velocity_offset", cases[i].velocity_offset);
        test_give(&e, "force", cases[i].force);
        expect_numbers(test_value(&e, "force_local"), cases[i].expected);
        const double third = cases[i].expected / 3.0;
        assert_int_equal(test_force(&e), TN_OK);
        expect_numbers(e.wrench, 2 * third, -third, 2 * third, -2 * third, third, -2 * third);
        test_end(&e);
    }
}

static void test_tension_pulls_and_compression_pushes(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e);
    give_all(&e);

    // 54 N of tension draw the first point towards the second, along (2, -1, 2)
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 36, -18, 36, -36, 18, -36);

    // a longer reference length: 96 N of compression drive them apart
    test_give(&e, "reference_length", 4);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, -64, 32, -64, 64, -32, 64);
    test_end(&e);
}

static void test_damper_sees_only_the_rate_of_the_length(void **state)
{
    (void)state;
    test_element e;
    test_begin(&e, "spring_damper");
    test_point(&e, 0, tn_vector(1, 2, 3), tn_vector(5, 5, 5));
    test_point(&e, 0, tn_vector(3, 1, 5), tn_vector(5, 5, 5));
    test_give(&e, "damping", 10);

    // both move alike; then the second goes across the line; then towards the first at 3 m/s
    expect_numbers(test_value(&e, "force_local"), 0);
    e.twist[6] = 6, e.twist[7] = 7;
    expect_numbers(test_value(&e, "force_local"), 0);
    e.twist[6] = 3, e.twist[7] = 6, e.twist[8] = 3;
    expect_numbers(test_value(&e, "force_local"), -30);
    test_end(&e);
}

static void test_power_is_stored_or_dissipated(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e);
    give_all(&e);
    test_give(&e, "force", 0);
    test_give(&e, "velocity_offset", 0);
    expect_numbers(&(double){test_balance_of_power(&e)}, 10); // 10 1^2

    // the damper of a driven spring dissipates by what it sees: 10 (1 - 0.4)^2
    test_give(&e, "velocity_offset", 0.4);
    assert_int_equal(e.type->dissipation(&e.batch), TN_OK);
    expect_numbers(e.value, 3.6);
    e.active[0] = 0;
    assert_int_equal(e.type->dissipation(&e.batch), TN_OK);
    expect_numbers(e.value, 0);
    test_end(&e);
}

static void test_outputs(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e);
    give_all(&e);
    expect_numbers(test_value(&e, "distance"), 3);
    expect_numbers(test_value(&e, "displacement"), 2, -1, 2);
    expect_numbers(test_value(&e, "velocity"), 3, 3, 0);
    expect_numbers(test_value(&e, "force_local"), 54);

    // the vector is the force on the first marker
    expect_numbers(test_value(&e, "force"), 36, -18, 36);
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, e.value[0], e.value[1], e.value[2]);

    // k (L - L0)^2 / 2, without the damper and the actuator
    expect_numbers(test_value(&e, "potential_energy"), 12.5);
    test_no_numbers(e.value, 1);
    assert_int_equal(e.type->potential(&e.batch), TN_OK);
    expect_numbers(e.value, 12.5);
    test_give(&e, "reference_length", 4);
    expect_numbers(test_value(&e, "potential_energy"), 50);
    test_end(&e);
}

/* A user's function that notes its arguments. */
typedef struct recorder {
    double argument[6], result;
    tn_status status;
    int calls;
} recorder;

static tn_status record_call(const tn_host *host, tn_callable callable, const double *arguments,
                             double *value, double *partials)
{
    (void)host, (void)partials;
    recorder *self = (recorder *)callable.handle;
    memcpy(self->argument, arguments, sizeof self->argument);
    self->calls++;
    *value = self->result;
    return self->status;
}

static void give_function(test_element *e, const recorder *function)
{
    e->host.table.call = record_call;
    *(tn_callable *)test_place(e, test_parameter(e, "force_function")) = (tn_callable){function};
}

static void test_a_function_replaces_the_law(void **state)
{
    (void)state;
    test_element e;
    spring_begin(&e);
    give_all(&e);
    recorder function = {.result = 9};
    give_function(&e, &function);
    e.batch.time = 0.25;

    // it gets L - L0, dL/dt less the offset, k, d, force and the time
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 6, -3, 6, -6, 3, -6);
    expect_numbers(function.argument, 0.5, 0.6, 100, 10, -2, 0.25);
    assert_int_equal(function.calls, 1);
    expect_numbers(test_value(&e, "force_local"), 9);
    expect_numbers(test_value(&e, "force"), 6, -3, 6);

    // no potential and no dissipation are known of it
    expect_numbers(test_value(&e, "potential_energy"), 0);
    assert_int_equal(e.type->potential(&e.batch), TN_OK);
    expect_numbers(e.value, 0);
    e.value[0] = 1;
    assert_int_equal(e.type->dissipation(&e.batch), TN_OK);
    expect_numbers(e.value, 0);

    // without a value there is no force
    function.status = TN_RETRY;
    assert_int_equal(test_force(&e), TN_RETRY);
    assert_non_null(e.failure.message);
    test_end(&e);
}

/* Two springs of equal parameters; the points of the second one coincide. */
static void begin_with_a_coincident_pair(test_element *e)
{
    spring_begin(e);
    test_point(e, 0, tn_vector(1, 1, 1), tn_vector(1, 0, 0));
    test_point(e, 0, tn_vector(1, 1, 1), tn_vector(0, 0, 0));
    e->batch.count = 2;
    e->batch.instance_stride = 0;
    e->batch.marker_count = 2;
    e->batch.wrench_size = 6;
    give_all(e);
}

static void test_length_zero_has_no_force_and_is_named(void **state)
{
    (void)state;
    static const char *const outputs[] = {"force", "force_local"};
    test_element e;
    begin_with_a_coincident_pair(&e);
    assert_int_equal(test_force(&e), TN_RETRY);
    assert_int_equal(e.failure.instance, 1);
    assert_int_equal(e.failure.status, TN_RETRY);
    assert_non_null(strstr(e.failure.message, "length zero"));
    expect_numbers(e.wrench, 36, -18, 36); // of the spring beside it

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        e.failure = (tn_failure){0};
        assert_int_equal(test_output(&e, outputs[i]), TN_RETRY);
        assert_int_equal(e.failure.instance, 1);
        assert_non_null(strstr(e.failure.message, "length zero"));
    }

    // what has a value there is still reported: 100 2.5^2 / 2
    expect_numbers(test_value(&e, "distance"), 3, 0);
    expect_numbers(test_value(&e, "velocity"), 3, 3, 0, -1, 0, 0);
    expect_numbers(test_value(&e, "potential_energy"), 12.5, 312.5);
    test_end(&e);
}

static void test_the_tangent_at_length_zero_takes_the_unit_matrix(void **state)
{
    (void)state;
    enum { W = 6, COLUMNS = 12 };
    test_element e;
    begin_with_a_coincident_pair(&e);
    test_no_numbers(e.tangent, 2 * W * COLUMNS);
    assert_int_equal(test_force_tangent(&e), TN_OK);

    // f I with f = 100 (0 - 2.5) + 10 (0 - 0.4) - 2 between the points, and nothing from velocities
    const double *tangent = e.tangent + W * COLUMNS;
    for (int row = 0; row < W; row++)
        for (int column = 0; column < COLUMNS; column++) {
            const bool same = row == column, other = (row + 3) % W == column;
            expect_numbers(tangent + COLUMNS * row + column, same ? 256 : other ? -256 : 0);
        }
    test_end(&e);
}

static void test_inactive_transmits_nothing_but_measures(void **state)
{
    (void)state;
    test_element e;
    begin_with_a_coincident_pair(&e);
    recorder function = {.result = 9};
    give_function(&e, &function);
    e.active[0] = e.active[1] = 0;
    assert_int_equal(test_force(&e), TN_OK);
    expect_numbers(e.wrench, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    test_no_numbers(e.tangent, 144);
    assert_int_equal(test_force_tangent(&e), TN_OK);
    for (int i = 0; i < 144; i++)
        assert_true(e.tangent[i] == 0.0);

    expect_numbers(test_value(&e, "force"), 0, 0, 0, 0, 0, 0);
    expect_numbers(test_value(&e, "force_local"), 0, 0);
    assert_int_equal(function.calls, 0);
    expect_numbers(test_value(&e, "distance"), 3, 0);
    expect_numbers(test_value(&e, "displacement"), 2, -1, 2);
    expect_numbers(test_value(&e, "velocity"), 3, 3, 0);

    // nor does it store energy
    give_function(&e, NULL);
    expect_numbers(test_value(&e, "potential_energy"), 0, 0);
    assert_int_equal(e.type->potential(&e.batch), TN_OK);
    expect_numbers(e.value, 0, 0);
    test_end(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_parameter_has_its_place_in_the_law),
        cmocka_unit_test(test_tension_pulls_and_compression_pushes),
        cmocka_unit_test(test_damper_sees_only_the_rate_of_the_length),
        cmocka_unit_test(test_power_is_stored_or_dissipated),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_a_function_replaces_the_law),
        cmocka_unit_test(test_length_zero_has_no_force_and_is_named),
        cmocka_unit_test(test_the_tangent_at_length_zero_takes_the_unit_matrix),
        cmocka_unit_test(test_inactive_transmits_nothing_but_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

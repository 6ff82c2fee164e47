/* test_inputs.c - inputs: numbers that are set between steps, and what they change */
#include "parts.h"
#include "tangent.h"
#include "values/value_graph.h"

#include <math.h>

#define INPUT "[[input]]\nname = 'push'\nunit = 'kN'\nvalue = 0.002\n"
#define CART "[[element]]\nname = 'cart'\ntype = 'mass_1d'\nmass = 2\n"
#define DRIVE(value) \
    "[[element]]\nname = 'drive'\ntype = 'coordinate_force'\nmarkers = ['cart']\nvalue = '" value "'\n"
#define SENSOR(name, value) "[[sensor]]\nname = '" name "'\nexpression = '" value "'\n"
#define FOR_A_SECOND(type) "[solver]\ntype = '" type "'\nend_time = 1\nstep = 0.01\n"

/* 2 N on 2 kg. */
static void test_an_input_keeps_its_value(void **state)
{
    (void)state;
    static const char model[] = INPUT CART DRIVE("push") SENSOR("x", "COORD(cart)") SENSOR("u", "push")
        FOR_A_SECOND("generalized_alpha") "[output]\ninterval = 0.5\n";
    const tn_csv_table *run = tn_simulate(model, NULL);
    assert_true(fabs(tn_value_at(run, "x", 1.0) - 0.5) <= 1e-9);
    assert_true(tn_value_at(run, "u", 1.0) == 2.0);
    run = tn_simulate(model, TN_WORDS("--set", "input.push.value=0.004"));
    assert_true(fabs(tn_value_at(run, "x", 1.0) - 1.0) <= 1e-9);
}

static void test_it_is_listed_and_set_by_its_number(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world,
                  INPUT "[[input]]\nname = 'open'\nvalue = 0.5\n" CART DRIVE("push*open") FOR_A_SECOND("rk"),
                  NULL, NULL);
    assert_int_equal(tn_input_count(world.model), 2);
    const tn_model_input push = tn_input_at(world.model, 0), open = tn_input_at(world.model, 1);
    assert_string_equal(push.name, "push");
    assert_string_equal(push.unit, "kN");
    assert_true(push.factor == 1000.0 && push.value == 0.002);
    assert_string_equal(open.name, "open");
    assert_string_equal(open.unit, "");
    assert_true(open.factor == 1.0 && open.value == 0.5);

    tn_system *system = world.system;
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_true(system->force[0] == 1.0);
    tn_input_set(world.model, 0, 0.006);
    assert_true(tn_input_at(world.model, 0).value == 0.006);
    assert_int_equal(system->evaluate(system), TN_OK);
    assert_true(system->force[0] == 3.0);
    tn_world_close(&world);
}

/* A controller between steps: push = -2 x - 2 v, at every accepted step. */
typedef struct controller {
    tn_world *world;
    size_t steps;
} controller;

static tn_status control(void *data, const tn_accepted_step *step)
{
    controller *self = data;
    const tn_system *system = self->world->system;
    (void)step;
    self->steps++;
    tn_input_set(self->world->model, 0, -1e-3 * (2.0 * system->q[0] + 2.0 * system->v[0]));
    return TN_OK;
}

/* x = exp(-t/2) (cos w t + sin(w t)/(2 w)) with w = sqrt(3)/2, but for the delay of half a step. */
static void test_a_controller_sets_it_between_steps(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open(&world,
                  INPUT "[[element]]\nname = 'cart'\ntype = 'mass_1d'\nmass = 2\nposition = 1\n" DRIVE(
                      "push") "[solver]\ntype = 'rk'\nend_time = 1\nstep = 1e-3\n",
                  NULL, NULL);
    controller self = {.world = &world};
    tn_input_set(world.model, 0, -0.002);
    assert_int_equal(tn_world_begin(&world), TN_OK);
    assert_int_equal(tn_world_advance(&world, control, &self), TN_OK);
    const double w = sqrt(0.75), exact = exp(-0.5) * (cos(w) + sin(w) / (2.0 * w));
    assert_true(self.steps >= 1000);
    assert_true(fabs(world.system->q[0] - exact) <= 2e-3);
    tn_world_close(&world);
}

static void test_derivatives_by_the_motion_are_exact_beside_it(void **state)
{
    (void)state;
    tn_check_tangent(INPUT "[[element]]\nname = 'c'\ntype = 'mass_point'\nmass = 0.7\nposition = [0, -2, 1]\n"
                           "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = ['c']\n"
                           "value = ['push*DX(c)/DM(c)', 'push*SIN(DY(c)/DM(c))', 'push*TANH(VZ(c))']\n");
}

static void test_parts_have_their_own(void **state)
{
    (void)state;
    (void)tn_write("axle.toml",
                   "uses = ['grip']\n[[input]]\nname = 'brake'\nvalue = 3\n" SENSOR("s", "brake + grip"));
    const tn_csv_table *run =
        tn_simulate_parts("[[input]]\nname = 'grip'\nvalue = 1\n[[input]]\nname = 'brake'\nvalue = 5\n" PART(
                              "front", "axle.toml") CART SENSOR("sum", "front.brake + 10*brake") SOLVER,
                          TN_WORDS("--set", "input.front.brake.value=4"));
    assert_true(tn_value_at(run, "front.s", 0.2) == 5.0);
    assert_true(tn_value_at(run, "sum", 0.2) == 54.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_input_keeps_its_value),
        cmocka_unit_test(test_it_is_listed_and_set_by_its_number),
        cmocka_unit_test(test_a_controller_sets_it_between_steps),
        cmocka_unit_test(test_derivatives_by_the_motion_are_exact_beside_it),
        cmocka_unit_test(test_parts_have_their_own),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

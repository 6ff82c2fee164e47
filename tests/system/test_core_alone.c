/* test_core_alone.c - the system without any of its services: it assembles, meets constraints, steps and fails by itself */
#include "harness.h"

#include "run/all_services.h"
#include "system/accept.h"
#include "system/linear.h"
#include "start/start.h"

#include <math.h>
#include <string.h>

#define SPRING                                                                          \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n" \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 3\n"
#define PENDULUM                                                                          \
    "[[element]]\nname = 'bob'\ntype = 'mass_point'\nmass = 2\nposition = [1, 0.01, 0]\n" \
    "[[element]]\nname = 'rod'\ntype = 'distance'\nmarkers = ['ground', 'bob']\nlength = 1\n"
#define EXPLICIT "[solver]\ntype = 'rk'\norder = 4\nstep = 0.01\nend_time = 1\n"
#define IMPLICIT "[solver]\ntype = 'generalized_alpha'\nstep = 0.01\nend_time = 1\n"

static const tn_services nothing = {0};

static tn_status run(tn_world *world, const char *model, const tn_services *services)
{
    tn_world_open_with(world, model, NULL, NULL, services);
    const tn_solver_plan *plan = &world->plan.solver[0];
    if (world->system->rows) tn_plan_linear(world->model, &world->plan);
    tn_accept_begin(world->assembly, &plan->run, plan->stop);
    if (plan->linear.type) tn_world_open_linear(world);
    const tn_status status = tn_make_consistent(world->assembly, true);
    return status == TN_OK ? plan->type->advance(plan->instance, world->system) : status;
}

/* The largest difference of the positions that a model ends in, with all services and without any. */
static double difference(const char *model)
{
    tn_world whole, alone;
    double largest = 0.0;
    assert_int_equal(run(&whole, model, &tn_all_services), TN_OK);
    assert_int_equal(run(&alone, model, &nothing), TN_OK);
    assert_true(alone.system->time == 1.0);
    for (uint32_t i = 0; i < alone.system->nq; i++)
        largest = fmax(largest, fabs(alone.system->q[i] - whole.system->q[i]));
    tn_world_close(&whole);
    tn_world_close(&alone);
    return largest;
}

static void test_free_motion_is_the_same_to_the_bit(void **state)
{
    (void)state;
    assert_true(difference(SPRING EXPLICIT) == 0.0);
    assert_true(difference(SPRING IMPLICIT) == 0.0);
}

static void test_constrained_motion_is_the_same(void **state)
{
    (void)state;
    assert_true(difference(PENDULUM EXPLICIT) < 1e-9);
    assert_true(difference(PENDULUM IMPLICIT) < 1e-9);
}

static void test_constraints_are_met_where_the_run_starts(void **state)
{
    (void)state;
    tn_world world;
    assert_int_equal(run(&world, PENDULUM EXPLICIT, &nothing), TN_OK);
    const double *q = world.system->q;
    assert_true(fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - 1.0) < 1e-6);
    tn_world_close(&world);
}

static void test_a_failure_has_the_text_of_its_status(void **state)
{
    (void)state;
    tn_world world;
    tn_world_open_with(&world, SPRING EXPLICIT, NULL, NULL, &nothing);
    world.system->time = 0.25;
    assert_int_equal((world.system->fail)(world.system, TN_RETRY, NULL, "nothing"), TN_RETRY);
    tn_check_holds(world.assembly->failures.reason, TN_WORDS("at time 0.25 s: ", tn_status_text(TN_RETRY)));
    tn_world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_motion_is_the_same_to_the_bit),
        cmocka_unit_test(test_constrained_motion_is_the_same),
        cmocka_unit_test(test_constraints_are_met_where_the_run_starts),
        cmocka_unit_test(test_a_failure_has_the_text_of_its_status),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

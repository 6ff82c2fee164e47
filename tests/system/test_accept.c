/* test_accept.c - the protocol of accepted steps: what observers see, and what they have a say in */
#include "harness.h"

#include <math.h>

#define MODEL                                                                                             \
    "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"                   \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 3\n" \
    "[[change]]\ntime = 0.5\nelement = 'spring'\nparameter = 'stiffness'\nvalue = 5\n"                    \
    "[[change]]\ntime = 0.7\nelement = 'spring'\nactive = false\n"
#define SOLVER "[solver]\ntype = 'rk'\norder = 5\nadaptive = true\nrelative_tolerance = 1e-5\nend_time = 1\n"

/* Notes what it sees; asks for times of its own; ends the solver, or fails, at one. */
typedef struct witness {
    tn_step_observer observer;
    const tn_system *system;
    const double *wanted; /* ascending, the last one HUGE_VAL */
    tn_status answer;     /* from `ends` on */
    double ends;
    double time, sum; /* last time; sum of the lengths of steps */
    unsigned seen, met, changes, last;
} witness;

static tn_status see(void *data, const tn_accepted_step *step)
{
    witness *w = data;
    const double time = w->system->time;
    w->seen++;
    w->sum += step->length;
    w->changes += step->changed;
    w->last += step->last;
    w->time = time;
    if (w->wanted) {
        w->met += *w->wanted == time;
        while (*w->wanted <= time)
            w->wanted++;
        w->observer.next = *w->wanted;
    }
    return time >= w->ends ? w->answer : TN_OK;
}

static void enter(witness *w, tn_world *world, const double *wanted)
{
    *w = (witness){.observer = {.see = see, .data = w, .next = wanted ? *wanted : HUGE_VAL},
                   .system = world->system,
                   .wanted = wanted,
                   .ends = HUGE_VAL};
    tn_accept_observe(world->assembly, &w->observer);
}

/* Adaptive steps end where any of the observers wants that, and at changes, which are made. */
static void test_steps_end_where_observers_ask(void **state)
{
    (void)state;
    const double some[] = {0.1, 0.123, 0.6, HUGE_VAL}, others[] = {0.123, 0.3, HUGE_VAL};
    tn_world world;
    witness first, second;
    tn_world_open(&world, MODEL SOLVER, NULL, NULL);
    enter(&first, &world, some);
    enter(&second, &world, others);
    assert_int_equal(tn_world_advance(&world, NULL, NULL), TN_OK);
    assert_int_equal(first.met, 3);
    assert_int_equal(second.met, 2);
    assert_int_equal(first.changes, 2);
    assert_true(first.seen == second.seen && first.seen < 60);
    assert_true(first.time == 1.0 && fabs(first.sum - 1.0) < 1e-12);
    tn_world_close(&world);
}

/* An event ends the solver behind a step that all have seen; a failure ends the step at once. The answer stays. */
static void check_end(tn_status answer, unsigned seen_by_second)
{
    const double wanted[] = {0.25, HUGE_VAL};
    tn_world world;
    witness first, second;
    tn_world_open(&world, MODEL SOLVER, NULL, NULL);
    enter(&first, &world, wanted);
    enter(&second, &world, NULL);
    first.ends = 0.25;
    first.answer = answer;
    assert_int_equal(tn_world_advance(&world, NULL, NULL), answer);
    assert_true(first.time == 0.25);
    assert_int_equal(second.seen, first.seen - 1 + seen_by_second);
    assert_int_equal(world.system->accept(world.system), answer);
    assert_true(first.time == 0.25);
    assert_int_equal(second.seen, first.seen - 1 + seen_by_second);
    tn_world_close(&world);
}

static void test_observers_end_the_solver(void **state)
{
    (void)state;
    check_end(TN_EVENT, 1);
    check_end(TN_OUT_OF_MEMORY, 0);
}

/* Who has left sees nothing more; the others do. */
static void test_observers_leave(void **state)
{
    (void)state;
    tn_world world;
    witness one, two, three;
    tn_world_open(&world, MODEL SOLVER, NULL, NULL);
    enter(&one, &world, NULL);
    enter(&two, &world, NULL);
    enter(&three, &world, NULL);
    tn_accept_unobserve(world.assembly, &two.observer);
    tn_accept_unobserve(world.assembly, &two.observer);
    assert_int_equal(tn_world_advance(&world, NULL, NULL), TN_OK);
    assert_int_equal(two.seen, 0);
    assert_true(one.seen > 2 && one.seen == three.seen);
    tn_world_close(&world);
}

/* `stop_when` tells observers that the step is the last one. */
static void test_the_last_step_is_told(void **state)
{
    (void)state;
    tn_world world;
    witness w;
    tn_world_open(&world, MODEL SOLVER "stop_when = 'time > 0.4'\n", NULL, NULL);
    enter(&w, &world, NULL);
    assert_int_equal(tn_world_advance(&world, NULL, NULL), TN_EVENT);
    assert_int_equal(w.last, 1);
    assert_true(fabs(w.time - 0.4) < 1e-9);
    tn_world_close(&world);
}

static tn_status refuse(void *data, tn_assembly *assembly)
{
    (void)assembly;
    return ++*(unsigned *)data == 3 ? TN_FATAL : TN_OK;
}

/* What the watch refuses nobody sees. */
static void test_the_watch_stands_in_front(void **state)
{
    (void)state;
    unsigned looks = 0;
    tn_world world;
    witness w;
    tn_world_open(&world, MODEL SOLVER, NULL, NULL);
    world.assembly->acceptance->watch = (tn_step_watch){refuse, &looks};
    enter(&w, &world, NULL);
    assert_int_equal(tn_world_advance(&world, NULL, NULL), TN_FATAL);
    assert_int_equal(w.seen, 2);
    assert_int_equal(world.system->accept(world.system), TN_FATAL);
    assert_int_equal(looks, 3);
    tn_world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_end_where_observers_ask), cmocka_unit_test(test_observers_end_the_solver),
        cmocka_unit_test(test_observers_leave), cmocka_unit_test(test_the_last_step_is_told),
        cmocka_unit_test(test_the_watch_stands_in_front)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

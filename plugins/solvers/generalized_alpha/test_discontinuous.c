/* test_discontinuous.c - a mass that falls onto a damper: how steps of generalized_alpha find the impact and switch. */
#include "test_alpha.h"

#define GRAVITY 10.0
#define HEIGHT 0.1

/* Force -g, and -c v below zero, where the held data say so. */
typedef struct fall {
    test_system test; /* first, so that callbacks find the rest */
    double damping, data, kept, longest_around_impact;
    bool never_settles;
    size_t updates, restores;
} fall;

static fall *fall_of(tn_system *system) { return (fall *)system; }

static bool closed(const fall *f)
{
    const bool held = f->test.system.frozen != 0;
    return held ? f->data < 0.0 : f->test.q[0] < 0.0 && f->test.v[0] < 0.0;
}

static tn_status fall_evaluate(tn_system *system)
{
    fall *f = fall_of(system);
    f->test.force[0] = -GRAVITY - (closed(f) ? f->damping * f->test.v[0] : 0.0);
    return TN_OK;
}

static tn_status fall_matrix(tn_system *system, double c_mass, double c_damping, double c_stiffness)
{
    fall *f = fall_of(system);
    (void)c_stiffness;
    f->test.value[0] = c_mass * f->test.mass[0] + (closed(f) ? c_damping * f->damping : 0.0);
    return TN_OK;
}

static tn_status fall_update(tn_system *system, double step, double *error, double *recommended_step)
{
    fall *f = fall_of(system);
    const double q = f->test.q[0], v = f->test.v[0];
    const bool was_closed = f->data < 0.0, is_closed = q < 0.0 && v < 0.0;
    f->updates++;
    f->data = is_closed ? q : fmax(q, 0.0);
    *error = was_closed == is_closed ? 0.0 : fabs(f->damping * v);
    *recommended_step = is_closed && !was_closed ? step - q / v : 0.0;
    if (!f->never_settles || step == 0.0) return TN_OK;
    *error = 5.0;
    *recommended_step = 0.0;
    return TN_OK;
}

static void fall_restore(tn_system *system)
{
    fall *f = fall_of(system);
    f->restores++;
    f->data = f->kept;
}

static const double impact = 0.141421356237309515; /* sqrt(2 HEIGHT/GRAVITY) */

static tn_status fall_accept(tn_system *system)
{
    fall *f = fall_of(system);
    const double before = f->test.accepted_time;
    if (before < impact && system->time >= impact) f->longest_around_impact = system->time - before;
    f->kept = f->data;
    f->test.accepted_time = system->time;
    f->test.accepts++;
    return TN_OK;
}

static void fall_begin(fall *f, double damping, double step)
{
    *f = (fall){.damping = damping};
    test_begin(&f->test, 1, 1);
    f->test.q[0] = f->data = f->kept = HEIGHT;
    tn_system *system = &f->test.system;
    system->switching = 1;
    system->evaluate = fall_evaluate;
    system->matrix = fall_matrix;
    system->update = fall_update;
    system->restore_data = fall_restore;
    system->accept = fall_accept;
    f->test.run.end_time = 0.2;
    f->test.run.step = step;
}

/* v' = -g - c v from the impact on. */
static double place_after(const fall *f, double time)
{
    const double c = f->damping, limit = -GRAVITY / c, start = -GRAVITY * impact - limit;
    return limit * time + start / c * (1.0 - exp(-c * time));
}

/* What is left of the impact is its force for less than h/1024, which changes q by no more than v h/1024; a step of h would
 * leave a thousand times that to chance. */
static void test_results_converge_across_an_impact(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        fall f;
        const double h = ldexp(0.005, -k);
        fall_begin(&f, 200.0, h);
        assert_int_equal(run(&f.test, defaults()), TN_OK);
        const double error = fabs(f.test.q[0] - place_after(&f, 0.2 - impact));
        if (!(error <= GRAVITY * impact * h / 1024 + 0.5 * h * h))
            fail_msg("error %.3g with %.3g s", error, h);
        test_end(&f.test);
    }
}

static void test_the_step_with_the_impact_is_short_and_rejected_ones_leave_no_trace(void **state)
{
    (void)state;
    fall f;
    fall_begin(&f, 200.0, 0.01);
    assert_int_equal(run(&f.test, defaults()), TN_OK);
    assert_true(f.longest_around_impact <= 0.01 / 1024 * (1.0 + 1e-9));
    assert_true(f.test.statistics.rejected_steps > 0);
    assert_int_equal(f.restores, f.test.statistics.rejected_steps);

    // a few steps of every size, and the grid again at the end
    assert_in_range(f.test.statistics.steps, 60, 150);
    assert_true(f.test.statistics.largest_step == 0.01);
    assert_true(f.test.system.time == 0.2);
    test_end(&f.test);
}

static void test_the_least_step_of_the_run_is_kept(void **state)
{
    (void)state;
    fall f;
    fall_begin(&f, 200.0, 0.01);
    f.test.run.minimum_step = 0.001;
    assert_int_equal(run(&f.test, defaults()), TN_OK);
    assert_true(f.test.statistics.smallest_step >= 0.001);
    assert_true(f.longest_around_impact <= 0.0025);
    test_end(&f.test);
}

static void test_a_force_below_the_tolerance_is_no_impact(void **state)
{
    (void)state;
    fall f;
    fall_begin(&f, 1e-4, 0.01);
    assert_int_equal(run(&f.test, defaults()), TN_OK);
    assert_int_equal(f.test.statistics.steps, 20);
    assert_int_equal(f.updates, 21); // with that at the start
    test_end(&f.test);
}

static void test_data_that_do_not_settle_are_told(void **state)
{
    (void)state;
    fall f;
    fall_begin(&f, 0.0, 0.01);
    f.never_settles = true;
    assert_int_equal(run(&f.test, defaults()), TN_OK);
    assert_int_equal(f.test.statistics.steps, 20);
    assert_int_equal(f.updates, 1 + 20 * 6);
    assert_non_null(strstr(f.test.host.message, "after 5 iterations in 20 of 20 steps, by up to 5 N"));
    test_end(&f.test);
}

/* The first state is on the damper already: forces act from the first step on. */
static void test_data_are_renewed_at_the_start(void **state)
{
    (void)state;
    fall f;
    fall_begin(&f, 200.0, 1e-3);
    f.test.q[0] = -1e-3;
    f.test.v[0] = -1.0;
    f.test.run.end_time = 0.0;
    assert_int_equal(run(&f.test, defaults()), TN_OK);
    assert_true(f.test.a[0] == 200.0 - GRAVITY);
    test_end(&f.test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_converge_across_an_impact),
        cmocka_unit_test(test_the_step_with_the_impact_is_short_and_rejected_ones_leave_no_trace),
        cmocka_unit_test(test_the_least_step_of_the_run_is_kept),
        cmocka_unit_test(test_a_force_below_the_tolerance_is_no_impact),
        cmocka_unit_test(test_data_that_do_not_settle_are_told),
        cmocka_unit_test(test_data_are_renewed_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

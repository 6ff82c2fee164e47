/* test_step.c - models that are stepped take the steps of a run, land where they are asked to, and end when they are closed */
#include "library/test_moment.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { MOST_STEPS = 4000 };

/* To the last bit, nan being nan. */
static void check_same(const moment *a, const moment *b)
{
    if (memcmp(a, b, sizeof *a) != 0) fail_msg("at %.17g s, %.17g s: another state", a->time, b->time);
}

static const char *const solvers[] = {
    "[solver]\ntype = 'rk'\nstep = 1e-2\nend_time = 0.5\n",
    "[solver]\ntype = 'rk'\norder = 5\nrelative_tolerance = 1e-8\nend_time = 0.5\n",
    "[solver]\ntype = 'generalized_alpha'\nstep = 1e-2\nend_time = 0.5\n",
    "[[solver]]\ntype = 'rk'\nstep = 1e-2\nend_time = 0.2\n[[solver]]\ntype = 'generalized_alpha'\nstep = "
    "1e-2\n"
    "end_time = 0.5\n[[change]]\nelement = 'spring'\nparameter = 'damping'\nvalue = 1\ntime = 0.3\n"};

static char *model_of(const char *solver)
{
    static char text[4096];
    (void)snprintf(text, sizeof text, OSCILLATOR "%s", solver);
    return text;
}

static void steps_are_those_of_a_run(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        tenon_model *whole = tn_test_open_text(model_of(solvers[k]));
        tenon_model *stepped = tn_test_open_text(model_of(solvers[k]));
        tn_test_good(whole, tenon_run(whole));
        tenon_status status;
        int steps = 0;
        for (double before = -1.0; (status = tenon_step(stepped)) == TENON_OK; steps++) {
            const moment now = look(stepped);
            assert_true(now.time > before);
            before = now.time;
        }
        assert_int_equal(status, TENON_ENDED);
        assert_true(steps > 5);
        const moment a = look(whole), b = look(stepped);
        assert_true(a.time == 0.5);
        check_same(&a, &b);
        assert_int_equal(tenon_step(stepped), TENON_ENDED);
        tenon_close(whole);
        tenon_close(stepped);
    }
}

/* Of a fixed-step solver: those of an adaptive one are its own only while nobody asks for others. */
static void times_of_steps_lead_to_the_same_states(void **state)
{
    (void)state;
    tenon_model *one = tn_test_open_file(SLIDER_CRANK, NULL), *other = tn_test_open_file(SLIDER_CRANK, NULL);
    for (int k = 1; k <= 50; k++) {
        for (int step = 0; step < 10; step++)
            tn_test_good(one, tenon_step(one));
        tn_test_good(other, tenon_step_to(other, 0.01 * k));
        const moment a = look(one), b = look(other);
        check_same(&a, &b);
    }
    tenon_close(one);
    tenon_close(other);
}

static void solvers_land_between_their_steps(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        tenon_model *model = tn_test_open_text(model_of(solvers[k]));
        static const double times[] = {0.0, 0.0123, 0.0124, 0.2, 0.33333, 0.5};
        for (size_t t = 0; t < sizeof times / sizeof *times; t++) {
            tn_test_good(model, tenon_step_to(model, times[t]));
            assert_true(tenon_time(model) == times[t] || fabs(tenon_time(model) - times[t]) < 1e-15);
        }
        tn_test_refused(model, tenon_step_to(model, 0.1), "lies before");
        assert_int_equal(tenon_step_to(model, 0.6), TENON_ENDED);
        assert_true(tenon_time(model) == 0.5);
        tenon_close(model);
    }
}

/* What a solver knows goes over to the next part of a run that is of its kind. */
static void parts_of_a_run_are_those_of_one(void **state)
{
    (void)state;
    static const char *const types[] = {"type = 'rk'\n", "type = 'generalized_alpha'\n",
                                        "type = 'generalized_alpha'\nindex = 2\n"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        char one[200], parts[400];
        (void)snprintf(one, sizeof one, "[solver]\n%sstep = 1e-2\nend_time = 0.5\n", types[k]);
        (void)snprintf(
            parts, sizeof parts,
            "[[solver]]\n%sstep = 1e-2\nend_time = 0.2\n[[solver]]\n%sstep = 1e-2\nend_time = 0.5\n",
            types[k], types[k]);
        tenon_model *whole = tn_test_open_text(model_of(one)), *cut = tn_test_open_text(model_of(parts));
        tn_test_good(whole, tenon_run(whole));
        tn_test_good(cut, tenon_run(cut));
        const moment a = look(whole), b = look(cut);
        assert_true(fabs(a.q[0] - b.q[0]) <= 1e-14 && fabs(a.v[0] - b.v[0]) <= 1e-13);
        tenon_close(whole);
        tenon_close(cut);
    }
}

/* The first slope of the next step is that of the state which was set: a fourth-order step errs by 1e-9 here. */
static void a_body_turns_as_it_was_set(void **state)
{
    (void)state;
    static const char text[] =
        "[[element]]\nname = 'body'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 2, 3]\n"
        "angular_velocity = [0, 0, 1]\n"
        "[solver]\ntype = 'rk'\nstep = 1e-2\nend_time = 0.5\n";
    tenon_model *model = tn_test_open_text(text);
    double q[7], v[6];
    tn_test_good(model, tenon_step_to(model, 0.1));
    tn_test_good(model, tenon_state(model, q, v));
    v[5] = 3.0;
    tn_test_good(model, tenon_set_state(model, NULL, v));
    tn_test_good(model, tenon_step(model));
    tn_test_good(model, tenon_state(model, q, v));
    const double half = 0.5 * (0.1 * 1.0 + 0.01 * 3.0);
    double largest = 0.0;
    for (int k = 0; k < 7; k++)
        if (fabs(q[k] - sin(half)) < fabs(largest - sin(half))) largest = q[k];
    assert_true(fabs(largest - sin(half)) < 1e-9);
    tenon_close(model);
}

/* Cut steps are as accurate as whole ones. */
static void a_landing_changes_next_to_nothing(void **state)
{
    (void)state;
    tenon_model *whole = tn_test_open_text(model_of(solvers[0]));
    tenon_model *cut = tn_test_open_text(model_of(solvers[0]));
    tn_test_good(whole, tenon_run(whole));
    tn_test_good(cut, tenon_step_to(cut, 0.2345));
    tn_test_good(cut, tenon_run(cut));
    const moment a = look(whole), b = look(cut);
    assert_true(fabs(a.q[0] - b.q[0]) < 1e-8);
    tenon_close(whole);
    tenon_close(cut);
}

static void models_are_closed_wherever_they_stand(void **state)
{
    (void)state;
    tenon_close(NULL);
    for (int steps = -1; steps < 4; steps++) {
        tenon_model *model = tn_test_open_file(SLIDER_CRANK, NULL);
        if (steps >= 0) tn_test_good(model, tenon_start(model));
        for (int k = 0; k < steps; k++)
            tn_test_good(model, tenon_step(model));
        tenon_close(model);
    }
}

static void failures_end_the_run(void **state)
{
    (void)state;
    tenon_model *model = tn_test_open_text(
        OSCILLATOR
        "[[element]]\nname = 'wall'\ntype = 'force'\nmarkers = 'mass'\nvalue = ['sqrt(0.1 - time)', 0, "
        "0]\n[solver]\ntype = 'rk'\nstep = 1e-2\nend_time = 0.5\n");
    tenon_status status;
    while ((status = tenon_step(model)) == TENON_OK)
        assert_true(tenon_time(model) < 0.2);
    assert_int_equal(status, TENON_FAILED);
    assert_non_null(strstr(tenon_reason(model), "the simulation failed at time 0.1"));
    assert_int_equal(tenon_step(model), TENON_FAILED);
    assert_non_null(strstr(tenon_reason(model), "only be closed"));
    tenon_close(model);
}

/* A model that is opened with `static` first stands at its equilibrium, is saved there, and goes on from it. */
static void a_model_begins_at_its_equilibrium(void **state)
{
    (void)state;
    static const char text[] =
        "[model]\ngravity = [0, -9.81, 0]\n"
        "[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 2\nposition = [0.5, -1, 0.1]\n"
        "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'mass']\nstiffness = 50\n"
        "reference_length = 1\n[[sensor]]\nname = 'y'\nexpression = 'DY(mass)'\n[[solver]]\ntype = 'static'\n"
        "[[solver]]\ntype = 'generalized_alpha'\nstep = 1e-2\nend_time = 0.5\n[[solver]]\ntype = 'static'\n";
    tenon_model *model = tn_test_open_text(text), *other = tn_test_open_text(text);
    tn_test_good(model, tenon_step_to(model, 0.0));
    const moment first = look(model);
    assert_true(first.time == 0.0 && fabs(first.q[1] + 1.0 + 2.0 * 9.81 / 50.0) < 1e-12);
    assert_true(fabs(first.q[0]) < 1e-12 && first.v[1] == 0.0 && first.sensor[0] == first.q[1]);
    static char bytes[1 << 16];
    size_t size = 0;
    tn_test_good(model, tenon_save(model, bytes, sizeof bytes, &size));
    assert_true(size <= sizeof bytes);
    tn_test_good(model, tenon_step_to(model, 0.25));
    assert_true(fabs(look(model).q[1] - first.q[1]) < 1e-12);
    tn_test_good(other, tenon_restore(other, bytes, size));
    const moment restored = look(other);
    assert_true(restored.time == 0.0 && restored.q[1] == first.q[1]);
    tn_test_good(other, tenon_step_to(other, 0.25));
    const moment a = look(model), b = look(other);
    check_same(&a, &b);
    assert_int_equal(tenon_step_to(model, 1.0), TENON_ENDED);
    assert_true(tenon_time(model) == 0.5 && fabs(look(model).q[1] - first.q[1]) < 1e-12);
    tenon_close(model);
    tenon_close(other);
}

/* ---- threads ---------------------------------------------------------------------------------------------- */

typedef struct work {
    const char *stiffness;
    moment last;
} work;

static void *run_alone(void *data)
{
    work *self = data;
    tenon_model *model = tn_test_open_file(SLIDER_CRANK, self->stiffness);
    for (int k = 0; k < 300; k++)
        tn_test_good(model, tenon_step(model));
    self->last = look(model);
    tenon_close(model);
    return NULL;
}

static void models_run_side_by_side(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    static const char *const stiffness[] = {"element.spring.stiffness='1 [N/m]'",
                                            "element.spring.stiffness='3 [N/cm]'"};
    work together[THREADS], alone;
    pthread_t thread[THREADS];
    for (int k = 0; k < THREADS; k++) {
        together[k].stiffness = stiffness[k % 2];
        assert_int_equal(pthread_create(&thread[k], NULL, run_alone, &together[k]), 0);
    }
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_join(thread[k], NULL), 0);
    for (int k = 0; k < THREADS; k++) {
        alone.stiffness = stiffness[k % 2];
        (void)run_alone(&alone);
        check_same(&alone.last, &together[k].last);
    }
    assert_true(together[0].last.q[0] != together[1].last.q[0] ||
                together[0].last.v[5] != together[1].last.v[5]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_those_of_a_run),
                                       cmocka_unit_test(times_of_steps_lead_to_the_same_states),
                                       cmocka_unit_test(solvers_land_between_their_steps),
                                       cmocka_unit_test(parts_of_a_run_are_those_of_one),
                                       cmocka_unit_test(a_body_turns_as_it_was_set),
                                       cmocka_unit_test(a_landing_changes_next_to_nothing),
                                       cmocka_unit_test(models_are_closed_wherever_they_stand),
                                       cmocka_unit_test(failures_end_the_run),
                                       cmocka_unit_test(a_model_begins_at_its_equilibrium),
                                       cmocka_unit_test(models_run_side_by_side)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

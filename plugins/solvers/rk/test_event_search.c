/* test_event_search.c - how the search encloses sign changes, whatever steps beyond them look like (tenon/kit/event_search.h). */
#include <tenon/kit/event_search.h>

#include "../test_host.h"

/* Event functions of time alone, and steps whose accuracy a case decides on. */
typedef struct world {
    tn_system system;
    tn_run run;
    tn_statistics statistics;
    test_host host;
    tn_event_watch watch;
    double (*function)(uint32_t k, double time);
    double accurate_until; /* longer steps are not */
    double spoilt_from,
        nearer; /* steps that end behind this are not, nor those that end less than h^2 times `nearer` before */
    double start;
    size_t tries;
    double v[1], x[1];
} world;

static tn_status values(tn_system *system, double *value)
{
    const world *self = (world *)system;
    for (uint32_t k = 0; k < system->events; k++)
        value[k] = self->function(k, system->time);
    return TN_OK;
}

static tn_status attempt(void *solver, double h, bool *accurate, bool *switched)
{
    world *self = solver;
    self->tries++;
    self->system.time = self->start + h;
    *accurate = h <= self->accurate_until && self->start + h < self->spoilt_from - self->nearer * h * h;
    return tn_event_watch_look(&self->watch, switched);
}

static void begin(world *self, uint32_t events, double (*function)(uint32_t k, double time), double start)
{
    *self = (world){.function = function,
                    .accurate_until = HUGE_VAL,
                    .spoilt_from = HUGE_VAL,
                    .start = start,
                    .run = {.adaptive = 1, .relative_tolerance = 1e-6, .absolute_tolerance = 1e-9}};
    test_host_begin(&self->host);
    self->system = (tn_system){.host = &self->host.table,
                               .run = &self->run,
                               .statistics = &self->statistics,
                               .v = self->v,
                               .x = self->x,
                               .events = events,
                               .time = start,
                               .event_values = values};
    assert_true(tn_event_watch_make(&self->watch, &self->system));
    assert_int_equal(tn_event_watch_begin(&self->watch), TN_OK);
}

/* The search in a step of length h that ended behind an event. */
static tn_event_landing search(world *self, double h)
{
    bool accurate = false, switched = false;
    tn_event_landing landing;
    assert_int_equal(attempt(self, h, &accurate, &switched), TN_OK);
    assert_true(switched);
    assert_int_equal(tn_event_search(&self->watch, self->start, h, accurate, 1e9, attempt, self, &landing),
                     TN_OK);
    return landing;
}

static void check_enclosed(const world *self, tn_event_landing landing, double event, size_t most_tries)
{
    const double low = self->start + landing.h, high = landing.behind;
    if (!(low < event && event <= high + 1e-16 && high - low <= 2e-12) || self->tries > most_tries)
        fail_msg("%.17g to %.17g after %zu tries", low - event, high - event, self->tries);
}

static double line(uint32_t k, double time) { return (k ? 3.0 : 1.0) * (time - 0.3456); }
static double cubic(uint32_t k, double time) { return pow(time, 3) - 0.2 - k; }
static double steep(uint32_t k, double time) { return exp(40.0 * (time - 0.7)) - 1e-9 - k; }
static double fall(uint32_t k, double time) { return 0.01 - 300.0 * time * time - k; }
static double jump(uint32_t k, double time) { return time < 0.123 ? -1.0 - k : 1e6; }
static double several(uint32_t k, double time) { return (k == 3 ? 1.0 : -1.0) * (time - 0.9 + 0.2 * k); }
static double touching(uint32_t k, double time) { return k + (time - 0.5) * (time - 0.5); }
static double at_once(uint32_t k, double time) { return k + time - 1e-16; }

static void test_events_are_enclosed(void **state)
{
    (void)state;
    static const struct {
        double (*function)(uint32_t k, double time);
        double event;
        size_t tries;
    } cases[] = {{line, 0.3456, 5},
                 {fall, 0.0057735026918962577, 8},
                 {cubic, 0.58480354764257321, 12},
                 {steep, 0.18192, 20},
                 {jump, 0.123, 75}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world w;
        begin(&w, 1, cases[i].function, 0.0);
        const double event = cases[i].function == steep ? 0.7 + log(1e-9) / 40.0 : cases[i].event;
        check_enclosed(&w, search(&w, 1.0), event, cases[i].tries);
        test_host_end(&w.host);
    }
}

/* Of many the first one in time. */
static void test_the_earliest_event_is_found(void **state)
{
    (void)state;
    world w;
    begin(&w, 4, several, 0.0);
    check_enclosed(&w, search(&w, 1.0), 0.3, 5);
    test_host_end(&w.host);
}

/* What steps beyond a jump show is not to be trusted, nor those that come too near. */
static void test_steps_that_err_end_before_the_event(void **state)
{
    (void)state;
    world w;
    begin(&w, 1, line, 0.0);
    w.spoilt_from = 0.3456;
    w.nearer = 0.01;
    for (int rounds = 0; rounds < 6; rounds++) {
        const tn_event_landing landing = search(&w, tn_event_watch_fit(&w.watch, w.start, 0.5));
        if (landing.behind < HUGE_VAL) {
            check_enclosed(&w, landing, 0.3456, 20);
            test_host_end(&w.host);
            return;
        }
        bool accurate = false, switched = true;
        assert_int_equal(attempt(&w, landing.h, &accurate, &switched), TN_OK);
        assert_true(accurate && !switched && w.watch.limit > w.system.time);
        assert_false(tn_event_watch_settle(&w.watch));
        w.start = w.system.time;
    }
    fail_msg("no event after six steps");
}

/* Where all of the step is too long the solver is to shorten it by its own rule. */
static void test_steps_that_are_too_long_are_left_to_error_control(void **state)
{
    (void)state;
    world w;
    begin(&w, 1, line, 0.0);
    w.accurate_until = 0.01;
    const tn_event_landing landing = search(&w, 1.0);
    assert_true(landing.behind == HUGE_VAL && landing.h > 0.01 && landing.h < 0.3456);
    test_host_end(&w.host);
}

static void test_touching_zero_is_no_sign_change(void **state)
{
    (void)state;
    world w;
    begin(&w, 2, touching, 0.0);
    bool accurate = false, switched = true;
    assert_int_equal(attempt(&w, 1.0, &accurate, &switched), TN_OK);
    assert_false(switched);
    test_host_end(&w.host);
}

/* Nearer than times resolve: there is no step before it, and crossings become longer until it is behind. */
static void test_events_at_the_start(void **state)
{
    (void)state;
    world w;
    begin(&w, 1, at_once, 0.0);
    const tn_event_landing landing = search(&w, 1e-3);
    assert_true(landing.h == 0.0 && landing.behind > 1e-16 && landing.behind < 1e-14);
    const double before = tn_event_width(&w.watch, 0.0, 1.0);
    bool changed = false;
    w.system.time = 0.5e-16;
    assert_int_equal(tn_event_watch_crossed(&w.watch, false, &changed), TN_OK);
    assert_true(!changed && tn_event_width(&w.watch, 0.0, 1.0) == 4.0 * before);
    w.system.time = landing.behind;
    assert_int_equal(tn_event_watch_crossed(&w.watch, true, &changed), TN_OK);
    assert_true(changed && tn_event_width(&w.watch, 0.0, 1.0) == before && w.statistics.events == 1);
    test_host_end(&w.host);
}

/* Round-off holds a function on its side behind every crossing: they become longer, also with steps between, until one leaves it. */
static void test_crossings_that_change_nothing_become_longer(void **state)
{
    (void)state;
    world w;
    begin(&w, 1, line, 0.0);
    const double before = tn_event_width(&w.watch, 0.0, 1.0);
    bool changed = true;
    for (int k = 1; k <= 12; k++) {
        w.system.time = 0.1 + 1e-3 * k;
        assert_int_equal(tn_event_watch_crossed(&w.watch, true, &changed), TN_OK);
        assert_false(changed);
        const double expected = before * fmin(pow(4.0, k), TN_EVENT_STUCK);
        assert_true(fabs(tn_event_width(&w.watch, 0.0, 1.0) / expected - 1.0) < 1e-12);
    }
    w.system.time = 0.4;
    assert_int_equal(tn_event_watch_crossed(&w.watch, true, &changed), TN_OK);
    assert_true(changed && tn_event_width(&w.watch, 0.0, 1.0) == before);
    test_host_end(&w.host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_are_enclosed),
        cmocka_unit_test(test_the_earliest_event_is_found),
        cmocka_unit_test(test_steps_that_err_end_before_the_event),
        cmocka_unit_test(test_steps_that_are_too_long_are_left_to_error_control),
        cmocka_unit_test(test_touching_zero_is_no_sign_change),
        cmocka_unit_test(test_events_at_the_start),
        cmocka_unit_test(test_crossings_that_change_nothing_become_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_phases.c - the time of a phase, from the steps of a small model that are timed */
#include "phases.c"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void test_times_of_some_steps_stand_for_all(void **state)
{
    (void)state;
    tn_phase_times times = {.steps = 62, .timed = 3};
    for (int k = 0; k < 3; k++)
        add_time(&times, TN_FACTORISATION, 1e-6);
    assert_true(fabs(tn_phase_time(&times, TN_FACTORISATION) - 60e-6) < 1e-15);
}

/* Another program that has the processor in one of them would otherwise count as often. */
static void test_an_interruption_counts_once(void **state)
{
    (void)state;
    tn_phase_times times = {.steps = 62, .timed = 3};
    add_time(&times, TN_FACTORISATION, 1e-6);
    add_time(&times, TN_FACTORISATION, 2e-2);
    add_time(&times, TN_FACTORISATION, 2e-6);
    assert_true(fabs(tn_phase_time(&times, TN_FACTORISATION) - (2e-2 + 60e-6)) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_of_some_steps_stand_for_all),
        cmocka_unit_test(test_an_interruption_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

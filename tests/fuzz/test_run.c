/* test_run.c - runs of spoilt model files */
#include "models.h"

static void spoilt_models_run_or_fail_with_a_reason(void **state)
{
    (void)state;
    spoil_models(tn_fuzz_run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spoilt_models_run_or_fail_with_a_reason)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_model.c - reading and assembly of spoilt model files */
#include "models.h"

static void spoilt_models_are_right_or_have_errors_with_places(void **state)
{
    (void)state;
    spoil_models(tn_fuzz_model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spoilt_models_are_right_or_have_errors_with_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

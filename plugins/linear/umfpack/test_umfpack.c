/* test_umfpack.c - umfpack with the matrices of ../test_linear.h, and its own sides; what every linear solver has to do is in tests/linear. */
#include "umfpack.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const tn_linear_type *const tested = &umfpack_type;
static const tn_cost_capability *const test_cost = &umfpack_cost;
static const tn_estimate_capability *const test_estimate = &umfpack_estimate;

#include "../test_linear.h"

static void test_descriptor_names_the_licence_of_the_library(void **state)
{
    (void)state;
    const tn_library *library = tn_plugin_library();
    assert_string_equal(library->types[0].kind, TN_LINEAR_KIND);
    assert_non_null(strstr(library->summary, "GPL-2.0-or-later"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_LINEAR,
        cmocka_unit_test(test_descriptor_names_the_licence_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_multifrontal.c - multifrontal with the matrices of ../test_linear.h, and its own sides; what every linear solver has to do is in
 * tests/linear. */
#include "multifrontal.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const tn_linear_type *const tested = &multifrontal_type;
static const tn_cost_capability *const test_cost = &multifrontal_cost;
static const tn_estimate_capability *const test_estimate = &multifrontal_estimate;

#include "../test_linear.h"

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_LINEAR};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

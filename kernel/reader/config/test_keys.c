/* test_keys.c - keys that others write otherwise */
#include "config/keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void case_and_separators_make_no_other_word(void **state)
{
    (void)state;
    assert_true(tn_is_same_word("RigidBody", "rigid_body"));
    assert_true(tn_is_same_word("total joint", "TotalJoint"));
    assert_true(tn_is_same_word("", "_"));
    assert_false(tn_is_same_word("body", "bodies"));
    assert_false(tn_is_same_word("body", "bod"));
    assert_false(tn_is_same_word("rk4", "rk5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(case_and_separators_make_no_other_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

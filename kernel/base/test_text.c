/* test_text.c - the word that a misspelt one was probably meant to be */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void nearest_words_have_at_most_a_third_wrong(void **state)
{
    (void)state;
    static const char *const candidates[] = {"stiffness", "damping", "mass", "SQRT"};
    static const struct {
        const char *wanted, *best;
    } cases[] = {{"stifness", "stiffness"}, {"dampnig", "damping"}, {"MASS", "mass"}, {"sqr", "SQRT"},
                 {"mess", "mass"},          {"abcd", NULL},         {"", NULL},       {"ma", NULL}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        tn_nearest search;
        tn_nearest_start(&search, cases[i].wanted);
        for (size_t j = 0; j < COUNT(candidates); j++)
            tn_nearest_offer(&search, candidates[j]);
        if (cases[i].best)
            assert_string_equal(search.best, cases[i].best);
        else
            assert_null(search.best);
    }
}

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_words_have_at_most_a_third_wrong),
                                       cmocka_unit_test(case_and_separators_make_no_other_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

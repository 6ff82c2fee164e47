/* test_text.c - the word that a misspelt one was probably meant to be */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

static void a_text_grows_with_what_is_added(void **state)
{
    (void)state;
    tn_text text = {0};
    for (int k = 0; k < 1000; k++)
        tn_text_list(&text, "name");
    assert_int_equal(text.length, 1000 * 4 + 999 * 2);
    assert_int_equal(strlen(text.letters), text.length);
    text.length = 0;
    tn_text_add(&text, "%s.%c%d", "tip", 'q', 12);
    tn_text_add_letters(&text, "; more", 1);
    assert_string_equal(text.letters, "tip.q12;");
    tn_free(text.letters);
}

static void a_cut_text_shows_that_it_is_cut(void **state)
{
    (void)state;
    char text[9];
    assert_int_equal(tn_print_cut(text, sizeof text, "%s", "12345678"), 8);
    assert_string_equal(text, "12345678");
    assert_int_equal(tn_print_cut(text, sizeof text, "%s", "123456789"), 8);
    assert_string_equal(text, "12345...");
    /* not within a letter of several bytes */
    assert_int_equal(tn_print_cut(text, sizeof text, "%s", "1234\u00e46789"), 7);
    assert_string_equal(text, "1234...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_words_have_at_most_a_third_wrong),
                                       cmocka_unit_test(a_text_grows_with_what_is_added),
                                       cmocka_unit_test(a_cut_text_shows_that_it_is_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_decimal.c - decimal numbers, and where they end */
#include "expression/decimal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void numbers_end_where_they_cannot_go_on(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        double number;
    } cases[] = {
        {"12", 2, 12.0},    {"-1.5e-3", 7, -1.5e-3}, {"+.5", 3, 0.5},        {"2.", 2, 2.0},
        {"1D3", 3, 1000.0}, {"1d-3x", 4, 1e-3},      {"1,5", 1, 1.0},        {"1e", 1, 1.0},
        {"0x1d", 1, 0.0},   {"7 8", 1, 7.0},         {"1e999", 5, HUGE_VAL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double number = -1.0;
        assert_int_equal(tn_decimal_read(cases[i].text, strlen(cases[i].text), &number), cases[i].length);
        assert_true(number == cases[i].number);
    }
}

static void words_are_no_numbers(void **state)
{
    (void)state;
    static const char *const words[] = {"", "x", "nan", "inf", "-infinity", "+", ".", "e5", "d", " 1"};
    for (size_t i = 0; i < COUNT(words); i++) {
        double number = 0.0;
        assert_int_equal(tn_decimal_read(words[i], strlen(words[i]), &number), 0);
    }
}

static void only_the_given_length_is_read(void **state)
{
    (void)state;
    double number = 0.0;
    assert_int_equal(tn_decimal_read("1234", 2, &number), 2);
    assert_true(number == 12.0);

    char digits[2 * TN_LONGEST_DECIMAL];
    memset(digits, '0', sizeof digits);
    assert_int_equal(tn_decimal_read(digits, sizeof digits, &number), TN_LONGEST_DECIMAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_end_where_they_cannot_go_on),
        cmocka_unit_test(words_are_no_numbers),
        cmocka_unit_test(only_the_given_length_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_utf8.c - code points of a text, and the columns that they take. */
#include "config/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

static void check(const char *letter, uint32_t code, uint32_t width)
{
    assert_int_equal(tn_utf8_length(letter, strlen(letter)), strlen(letter));
    assert_int_equal(tn_utf8_code(letter, strlen(letter)), code);
    assert_int_equal(tn_utf8_width(code), width);
}

static void letters_take_no_column_one_or_two(void **state)
{
    (void)state;
    check("a", 'a', 1);
    check("\xC3\xA4", 0xE4, 1);
    check("\xCC\x81", 0x301, 0);
    check("\xE2\x82\xAC", 0x20AC, 1);
    check("\xE6\x97\xA5", 0x65E5, 2);
    check("\xE2\x80\x8B", 0x200B, 0);
    check("\xF0\x9F\x98\x80", 0x1F600, 2);
    check("\xF0\x9D\x90\x80", 0x1D400, 1);
    check("\xF4\x8F\xBF\xBF", 0x10FFFF, 1);
}

static void other_bytes_are_none(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",    "\x80", "\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xE6\x97", "\xF4\x90\x80\x80",
        "\xFF"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(tn_utf8_length(wrong[k], strlen(wrong[k])), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_take_no_column_one_or_two),
        cmocka_unit_test(other_bytes_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_signal_text.c - text put together without printf reads as printf's */
#include "run/signal_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_real(double value)
{
    char expected[64];
    tn_signal_text text = {0};
    (void)snprintf(expected, sizeof expected, "%.9g", value);
    tn_put_real(&text, value);
    assert_string_equal(text.byte, expected);
}

static void real_numbers_have_nine_digits(void **state)
{
    (void)state;
    static const double values[] = {0.0,           -0.0,        1.0,           10.0,
                                    0.1,           0.0123,      -2.5,          1e-4,
                                    9.99999999e-5, 0.999999999, 0.99999999999, 123456789.0,
                                    999999999.4,   1e9,         1234567890.0,  1e15,
                                    1e100,         -3e-300,     5e-324,        1.7976931348623157e308,
                                    HUGE_VAL,      -HUGE_VAL,   100.5,         0.3};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        check_real(values[k]);
    /* times of steps, summed and multiplied */
    double sum = 0.0;
    for (int k = 1; k < 20000; k++, sum += 1e-4) {
        check_real(sum);
        check_real(k * 1e-3);
        check_real(k * 0x1.921fb54442d18p-7);
    }
    tn_signal_text text = {0};
    tn_put_real(&text, (double)NAN);
    assert_non_null(strstr(text.byte, "nan"));
}

static void integers_and_addresses(void **state)
{
    (void)state;
    tn_signal_text text = {0};
    tn_put_integer(&text, 0);
    tn_put(&text, " ", NULL);
    tn_put_integer(&text, UINT64_MAX);
    tn_put(&text, " ", NULL);
    tn_put_address(&text, NULL);
    tn_put(&text, " ", NULL);
    tn_put_address(&text, (const void *)(uintptr_t)0x7ffec0de); // NOLINT: any number will do
    assert_string_equal(text.byte, "0 18446744073709551615 0x0 0x7ffec0de");
}

static void strings_are_escaped(void **state)
{
    (void)state;
    tn_signal_text text = {0};
    tn_put_escaped(&text, "a \"b\" \\ \n\x1b ü");
    assert_string_equal(text.byte, "a \\\"b\\\" \\\\ \\u000a\\u001b ü");
    text.used = 0;
    tn_put_escaped(&text, "caf\xe9/\xc3");
    assert_string_equal(text.byte, "caf\\\\xe9/\\\\xc3");
}

static void what_does_not_fit_ends_with_dots(void **state)
{
    (void)state;
    tn_signal_text text = {0};
    for (int k = 0; k < 1000; k++)
        tn_put(&text, "0123", "456789", NULL);
    assert_int_equal(strlen(text.byte), 4095);
    assert_string_equal(text.byte + 4095 - 8, "78901...");

    /* behind whole letters and escapes */
    static const char *const parts[] = {"\u00fc", "\n"};
    static const char *const ends[] = {"\u00fc...", "\\u000a..."};
    for (int k = 0; k < 2; k++)
        for (int shift = 0; shift < 6; shift++) {
            text.used = 0;
            tn_put_escaped(&text, &"xxxxx"[shift]);
            for (int i = 0; i < 3000; i++)
                tn_put_escaped(&text, parts[k]);
            assert_true(strlen(text.byte) <= 4095);
            assert_string_equal(text.byte + strlen(text.byte) - strlen(ends[k]), ends[k]);
        }
}

static void a_text_is_written_whole(void **state)
{
    (void)state;
    int ends[2];
    char read_back[8] = "";
    assert_int_equal(pipe(ends), 0);
    assert_true(tn_write_text(ends[1], "abc\n"));
    assert_int_equal(read(ends[0], read_back, sizeof read_back), 4);
    assert_string_equal(read_back, "abc\n");
    close(ends[0]);
    close(ends[1]);
    assert_false(tn_write_text(ends[1], "abc\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_numbers_have_nine_digits), cmocka_unit_test(integers_and_addresses),
        cmocka_unit_test(strings_are_escaped),           cmocka_unit_test(what_does_not_fit_ends_with_dots),
        cmocka_unit_test(a_text_is_written_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_json.c - what the printer of JSON prints. */
#define _GNU_SOURCE
#include "config/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

static char *printed;
static size_t printed_size;

static tn_json start(void) { return (tn_json){.stream = open_memstream(&printed, &printed_size)}; }

static void check(tn_json *json, const char *expected)
{
    assert_int_equal(fclose(json->stream), 0);
    assert_string_equal(printed, expected);
    free(printed);
}

static void commas_and_lines_follow_the_nesting(void **state)
{
    (void)state;
    tn_json json = start();
    tn_json_open(&json, NULL, '{');
    tn_json_open(&json, "empty", '{');
    tn_json_close(&json);
    tn_json_open(&json, "numbers", '[');
    tn_json_number(&json, NULL, 1.0);
    tn_json_number(&json, NULL, -2.5);
    tn_json_close(&json);
    tn_json_open(&json, "objects", '[');
    tn_json_open(&json, NULL, '{');
    tn_json_boolean(&json, "good", true);
    tn_json_boolean(&json, "bad", false);
    tn_json_close(&json);
    tn_json_open(&json, NULL, '{');
    tn_json_close(&json);
    tn_json_close(&json);
    tn_json_close(&json);
    check(&json,
          "{\n  \"empty\": {},\n  \"numbers\": [1, -2.5],\n  \"objects\": [\n    {\n      \"good\": true,\n"
          "      \"bad\": false\n    },\n    {}\n  ]\n}\n");
}

static void a_format_is_printed_as_the_calls_would(void **state)
{
    static const char *const volatile absent = NULL;
    (void)state;
    tn_json json = start();
    tn_json_print(&json, "{'name': %s, %s: {'plain': 'a \"word\"'}, 'absent': %s, 'numbers': [1, -2.5, %u",
                  "it's", "of any key", absent, 7u);
    tn_json_print(&json, "%g], 'good': true, 'bad': %d, 'none': []}", 0.5, false);
    check(&json,
          "{\n  \"name\": \"it's\",\n  \"of any key\": {\n    \"plain\": \"a \\\"word\\\"\"\n  },\n"
          "  \"numbers\": [1, -2.5, 7, 0.5],\n  \"good\": true,\n  \"bad\": false,\n  \"none\": []\n}\n");
}

static void texts_are_escaped(void **state)
{
    (void)state;
    tn_json json = start();
    tn_json_open(&json, NULL, '[');
    tn_json_text(&json, NULL, "say \"a\\b\"\n\tend\x01 \xc3\xa4");
    tn_json_text_part(&json, NULL, "one|two", 3);
    tn_json_close(&json);
    check(&json, "[\"say \\\"a\\\\b\\\"\\n\\u0009end\\u0001 \xc3\xa4\", \"one\"]\n");
}

/* Objects in a file of lines, and texts that are no UTF-8. */
static void a_value_may_stand_on_one_line(void **state)
{
    (void)state;
    tn_json json = start();
    json.one_line = true;
    tn_json_open(&json, NULL, '{');
    tn_json_text(&json, "a", "\xE9\xC3\xA4\xC3");
    tn_json_open(&json, "b", '[');
    tn_json_number(&json, NULL, 1.0);
    tn_json_open(&json, NULL, '{');
    tn_json_close(&json);
    tn_json_close(&json);
    tn_json_close(&json);
    check(&json, "{\"a\": \"\\\\xe9\xc3\xa4\\\\xc3\", \"b\": [1, {}]}\n");
}

static void numbers_read_back_and_are_always_numbers_of_json(void **state)
{
    (void)state;
    const double values[] = {0.8, 1e-10, 1.0 / 3.0, 6.02214076e23, (double)NAN, HUGE_VAL, -HUGE_VAL};
    tn_json json = start();
    tn_json_open(&json, NULL, '[');
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        tn_json_number(&json, NULL, values[k]);
    tn_json_close(&json);
    check(&json, "[0.8, 1e-10, 0.3333333333333333, 6.02214076e+23, null, null, null]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_and_lines_follow_the_nesting),
        cmocka_unit_test(a_format_is_printed_as_the_calls_would),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(a_value_may_stand_on_one_line),
        cmocka_unit_test(numbers_read_back_and_are_always_numbers_of_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

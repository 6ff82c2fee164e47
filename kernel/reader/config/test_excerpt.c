/* test_excerpt.c - what messages show of the texts that they are about: exactly these lines */
#define _GNU_SOURCE
#include "base/memory.h"
#include "config/diagnostics.h"
#include "config/test_messages.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char file[] = "m.toml";

/* Messages about a text. */
static tn_diagnostics *open_text(const char *text, bool plain)
{
    tn_diagnostics *diagnostics = tn_diagnostics_new();
    char *letters = tn_copy_text(text);
    tn_source_text *source = tn_source_text_new(file, letters, strlen(text), plain);
    tn_diagnostics_show_text(diagnostics, source);
    return diagnostics;
}

/* What is printed behind the first line of the first message. */
static void check_below(tn_diagnostics *diagnostics, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    print_messages(diagnostics, stream);
    assert_int_equal(fclose(stream), 0);
    const char *below = strchr(text, '\n');
    assert_non_null(below);
    assert_string_equal(below + 1, expected);
    free(text);
}

/* One message at a place. */
static void check(const char *text, uint32_t line, uint32_t column, const char *expected)
{
    tn_diagnostics *diagnostics = open_text(text, false);
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, (tn_place){file, line, column}, "wrong");
    check_below(diagnostics, expected);
}

static void keys_values_and_headers_are_underlined_whole(void **state)
{
    (void)state;
    static const char text[] = "[[element]] # one\n"
                               "a-b_1.'c d'.\"e\" = -1.5e-3 # x\n"
                               "on = true\r\n"
                               "s = ['a', [1, 2], {x = \"]\"}] # y\n"
                               "[ \"solver\" ]\n"
                               "1.5 = 2020-01-01\n";
    check(text, 1, 1, "    1 | [[element]] # one\n      | ^~~~~~~~~~~\n");
    check(text, 2, 1, "    2 | a-b_1.'c d'.\"e\" = -1.5e-3 # x\n      | ^~~~~\n");
    check(text, 2, 7, "    2 | a-b_1.'c d'.\"e\" = -1.5e-3 # x\n      |       ^~~~~\n");
    check(text, 2, 13, "    2 | a-b_1.'c d'.\"e\" = -1.5e-3 # x\n      |             ^~~\n");
    check(text, 2, 19, "    2 | a-b_1.'c d'.\"e\" = -1.5e-3 # x\n      |                   ^~~~~~~\n");
    check(text, 3, 6, "    3 | on = true\n      |      ^~~~\n");
    check(text, 4, 5, "    4 | s = ['a', [1, 2], {x = \"]\"}] # y\n      |     ^~~~~~~~~~~~~~~~~~~~~~~~\n");
    check(text, 4, 11, "    4 | s = ['a', [1, 2], {x = \"]\"}] # y\n      |           ^~~~~~\n");
    check(text, 4, 19, "    4 | s = ['a', [1, 2], {x = \"]\"}] # y\n      |                   ^~~~~~~~~\n");
    check(text, 5, 1, "    5 | [ \"solver\" ]\n      | ^~~~~~~~~~~~\n");
    check(text, 6, 1, "    6 | 1.5 = 2020-01-01\n      | ^\n");
    check(text, 6, 7, "    6 | 1.5 = 2020-01-01\n      |       ^~~~~~~~~~\n");
}

/* Where nothing begins that is known, in comments, behind lines and behind the text. */
static void other_places_have_one_mark(void **state)
{
    (void)state;
    check("a = $ # it's 5\n", 1, 5, "    1 | a = $ # it's 5\n      |     ^\n");
    check("a = $ # it's 5\n", 1, 14, "    1 | a = $ # it's 5\n      |              ^\n");
    check("a =\nb = 1", 1, 4, "    1 | a =\n      |    ^\n");
    check("a =\nb = 1", 2, 6, "    2 | b = 1\n      |      ^\n");
    check("a = [1,\n\n", 1, 5, "    1 | a = [1,\n      |     ^\n");
    check("a = [1,\n\n", 2, 1, "    2 |\n      | ^\n");
    check("", 1, 1, "    1 |\n      | ^\n");
    check("a", 7, 3, "    7 | a\n      |  ^\n");
}

static void within_a_string_stands_an_expression(void **state)
{
    (void)state;
    static const char text[] = "f = 'g{i+1}' # '\nv = \"2*foo(a, b(c)) <= 1.5e-3 - x.y [N]\" # \"z\n";
#define SHOWN "    2 | v = \"2*foo(a, b(c)) <= 1.5e-3 - x.y [N]\" # \"z\n"
    check(text, 1, 7, "    1 | f = 'g{i+1}' # '\n      |       ^~~~~\n");
    check(text, 2, 5, SHOWN "      |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
    check(text, 2, 6, SHOWN "      |      ^\n");
    check(text, 2, 8, SHOWN "      |        ^~~~~~~~~~~~\n");
    check(text, 2, 15, SHOWN "      |               ^~~~\n");
    check(text, 2, 21, SHOWN "      |                     ^~\n");
    check(text, 2, 24, SHOWN "      |                        ^~~~~~\n");
    check(text, 2, 33, SHOWN "      |                                 ^~~\n");
    check(text, 2, 40, SHOWN "      |                                        ^\n");
    check("v = \"f(a\" # )\n", 1, 6, "    1 | v = \"f(a\" # )\n      |      ^\n");
    /* of a name that was meant to be another one, the call is not wrong */
    tn_diagnostics *diagnostics = open_text(text, false);
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, (tn_place){file, 2, 8}, "unknown `foo`: did you mean `fo`?");
    check_below(diagnostics, SHOWN "      |        ^~~\n");
#undef SHOWN
}

static void strings_of_several_lines_show_the_line_of_the_place(void **state)
{
    (void)state;
    static const char text[] = "a = \"\"\"\n 1 +\n\tfoo\"\"\"\"\nb = '''\nbar'''\nc = 1\n";
    check(text, 1, 5, "    1 | a = \"\"\"\n      |     ^~~\n");
    check(text, 2, 2, "    2 |  1 +\n      |  ^\n");
    check(text, 3, 2, "    3 |     foo\"\"\"\"\n      |     ^~~\n");
    check(text, 5, 1, "    5 | bar'''\n      | ^~~\n");
    check(text, 6, 5, "    6 | c = 1\n      |     ^\n");
}

static void columns_are_those_of_a_terminal(void **state)
{
    (void)state;
    check("\ta =\t\"\xC3\xA4\" # \t\n", 1, 6,
          "    1 |     a =    \"\xC3\xA4\" #     \n      |            ^~~\n");
    /* a wide letter takes two columns, a mark on a letter none */
    check("'\xE6\x97\xA5' = 'e\xCC\x81' # z\n", 1, 7,
          "    1 | '\xE6\x97\xA5' = 'e\xCC\x81' # z\n      |        ^~~\n");
    check("'\xE6\x97\xA5' = 1\n", 1, 1, "    1 | '\xE6\x97\xA5' = 1\n      | ^~~~\n");
    check("a = \"\xE6\x97\xA5\xE6\x97\xA5 + foo\"\n", 1, 11,
          "    1 | a = \"\xE6\x97\xA5\xE6\x97\xA5 + foo\"\n      |             ^~~\n");
    /* control characters, letters that turn a line around, and what is no UTF-8 */
    check("a = '\x1b[2J\x7F\xE2\x80\xAE\xFF' # z\n", 1, 5,
          "    1 | a = '\xEF\xBF\xBD[2J\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD' # z\n      |     ^~~~~~~~~\n");
}

/* A line of 10000 letters, with a mistake at a column. */
static void check_long(uint32_t column, const char *expected)
{
    char *text = malloc(10002);
    assert_non_null(text);
    for (int k = 0; k < 10000; k++)
        text[k] = (char)('a' + k % 10);
    text[column - 2] = '=';
    memcpy(text + 10000, "\n", 2);
    check(text, 1, column, expected);
    free(text);
}

#define TEN "abcdefghij"
#define BLANKS "          "
#define MARKS "~~~~~~~~~~"

static void long_lines_are_cut_around_the_place(void **state)
{
    (void)state;
    check_long(6, "    1 | abcd=fghij" TEN TEN TEN TEN TEN TEN TEN TEN TEN "...\n"
                  "      |      ^" MARKS MARKS MARKS MARKS MARKS MARKS MARKS MARKS MARKS "~~~~\n");
    check_long(5001,
               "    1 | ..." TEN TEN TEN "abcdefghi=" TEN TEN TEN TEN TEN TEN "...\n"
               "      |    " BLANKS BLANKS BLANKS BLANKS "^" MARKS MARKS MARKS MARKS MARKS "~~~~~~~~~\n");
    check_long(9991,
               "    1 | ..." TEN TEN TEN TEN TEN TEN TEN TEN "abcdefghi=" TEN "\n"
               "      |    " BLANKS BLANKS BLANKS BLANKS BLANKS BLANKS BLANKS BLANKS BLANKS "^~~~~~~~~~\n");
}

static void a_value_may_end_on_a_later_line(void **state)
{
    (void)state;
    tn_diagnostics *diagnostics = open_text("a = [1,\n  2] # c\n", false);
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, (tn_place){file, 1, 5}, "wrong");
    tn_diagnostics_publish(diagnostics);
    assert_int_equal(tn_told_count(diagnostics), 1);
    const tn_diagnostic *message = tn_told(diagnostics, 0);
    assert_int_equal(message->end_line, 2);
    assert_int_equal(message->end_column, 5);
    assert_string_equal(message->excerpt.line, "a = [1,");
    assert_int_equal(message->excerpt.column, 5);
    assert_int_equal(message->excerpt.end_column, 8);
}

__attribute__((format(printf, 4, 5))) static void diagnose(tn_diagnostics *diagnostics, tn_place place,
                                                           bool inside, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tn_diagnose_list(diagnostics, TN_SEVERITY_ERROR, place, (tn_error_detail){.inside = inside}, format,
                     arguments);
    va_end(arguments);
}

/* At the beginning of what `--set` says, the whole of it and its first name have one place. */
static void what_has_no_quotes_is_a_value_or_an_expression(void **state)
{
    (void)state;
    tn_diagnostics *diagnostics = open_text("foo + 1 [m]", true);
    diagnose(diagnostics, (tn_place){file, 1, 1}, false, "all is wrong");
    diagnose(diagnostics, (tn_place){file, 1, 1}, true, "a name is wrong");
    diagnose(diagnostics, (tn_place){file, 1, 7}, true, "a number is wrong");
    check_below(diagnostics, "    1 | foo + 1 [m]\n      | ^~~~~~~~~~~\n"
                             "m.toml:1:1: error: a name is wrong\n"
                             "    1 | foo + 1 [m]\n      | ^~~\n"
                             "m.toml:1:7: error: a number is wrong\n"
                             "    1 | foo + 1 [m]\n      |       ^\n");
}

/* Two texts of one name are told apart by the pointers of places. */
static void of_two_texts_of_one_name_the_right_one_is_shown(void **state)
{
    (void)state;
    static const char names[2][8] = {"--set a", "--set a"};
    static const char *const texts[] = {"first", "second"};
    tn_diagnostics *diagnostics = tn_diagnostics_new();
    for (int k = 0; k < 2; k++) {
        char *letters = tn_copy_text(texts[k]);
        tn_source_text *source = tn_source_text_new(names[k], letters, strlen(letters), true);
        tn_diagnostics_show_text(diagnostics, source);
    }
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, (tn_place){names[0], 1, 1}, "one");
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, (tn_place){names[1], 1, 1}, "two");
    check_below(diagnostics, "    1 | first\n      | ^~~~~\n"
                             "--set a:1:1: error: two\n    1 | second\n      | ^~~~~~\n");
}

static void a_message_without_a_line_or_text_shows_nothing(void **state)
{
    (void)state;
    tn_diagnostics *diagnostics = open_text("a = 1\n", false);
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, (tn_place){file, 0, 0}, "as a whole");
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, (tn_place){"other.toml", 1, 1}, "elsewhere");
    check_below(diagnostics, "other.toml:1:1: error: elsewhere\n");
    assert_int_equal(tn_told_count(diagnostics), 2);
    for (size_t k = 0; k < 2; k++)
        assert_null(tn_told(diagnostics, k)->excerpt.line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_values_and_headers_are_underlined_whole),
        cmocka_unit_test(other_places_have_one_mark),
        cmocka_unit_test(within_a_string_stands_an_expression),
        cmocka_unit_test(strings_of_several_lines_show_the_line_of_the_place),
        cmocka_unit_test(columns_are_those_of_a_terminal),
        cmocka_unit_test(long_lines_are_cut_around_the_place),
        cmocka_unit_test(a_value_may_end_on_a_later_line),
        cmocka_unit_test(what_has_no_quotes_is_a_value_or_an_expression),
        cmocka_unit_test(of_two_texts_of_one_name_the_right_one_is_shown),
        cmocka_unit_test(a_message_without_a_line_or_text_shows_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

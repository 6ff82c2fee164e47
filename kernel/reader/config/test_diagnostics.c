/* test_diagnostics.c - what the user sees of errors and warnings, and in which order. */
#include "config/diagnostics.h"
#include "config/test_messages.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static tn_place at(const char *file, uint32_t line, uint32_t column)
{
    return (tn_place){file, line, column};
}

/* Prints into `text` and forgets. */
static void print(tn_diagnostics *diagnostics, char *text, size_t size)
{
    memset(text, 0, size);
    FILE *stream = fmemopen(text, size, "w");
    assert_non_null(stream);
    print_messages(diagnostics, stream);
    fclose(stream);
}

static void check_printed(tn_diagnostics *diagnostics, const char *expected)
{
    char text[2048];
    print(diagnostics, text, sizeof text);
    assert_string_equal(text, expected);
}

static void messages_are_sorted_by_file_line_and_column(void **state)
{
    tn_diagnostics *diagnostics = *state;
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("z.toml", 10, 2), "third");
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("a.toml", 1, 1), "file reported later");
    tn_diagnose(diagnostics, TN_SEVERITY_WARNING, at("z.toml", 9, 30), "second");
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("z.toml", 9, 4), "number %d", 1);
    check_printed(diagnostics, "z.toml:9:4: error: number 1\n"
                               "z.toml:9:30: warning: second\n"
                               "z.toml:10:2: error: third\n"
                               "a.toml:1:1: error: file reported later\n");
    assert_int_equal(tn_error_count(diagnostics), 3);
}

static void messages_of_one_place_keep_their_order(void **state)
{
    tn_diagnostics *diagnostics = *state;
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("m.toml", 1, 1), "zebra");
    tn_diagnose(diagnostics, TN_SEVERITY_WARNING, at("m.toml", 1, 1), "ant");
    check_printed(diagnostics, "m.toml:1:1: error: zebra\nm.toml:1:1: warning: ant\n");
}

static void a_whole_file_has_no_line(void **state)
{
    tn_diagnostics *diagnostics = *state;
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("m.toml", 0, 0), "cannot read");
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at(NULL, 0, 0), "no model is given");
    check_printed(diagnostics, "m.toml: error: cannot read\nerror: no model is given\n");
}

static void repeats_are_dropped(void **state)
{
    tn_diagnostics *diagnostics = *state;
    char first[] = "m.toml", second[] = "m.toml";
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at(first, 1, 1), "twice");
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at(second, 1, 1), "twice");
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at(first, 1, 2), "twice");
    assert_int_equal(tn_error_count(diagnostics), 2);
    check_printed(diagnostics, "m.toml:1:1: error: twice\nm.toml:1:2: error: twice\n");
}

__attribute__((format(printf, 4, 5))) static void diagnose_copy(tn_diagnostics *diagnostics, tn_place place,
                                                                const char *copy, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tn_diagnose_list(diagnostics, TN_SEVERITY_ERROR, place, (tn_error_detail){.copy = copy}, format,
                     arguments);
    va_end(arguments);
}

static void a_place_shows_the_error_of_its_first_copy(void **state)
{
    tn_diagnostics *diagnostics = *state;
    assert_true(tn_error_shows(diagnostics, at("m.toml", 2, 1), "no ``"));
    for (int i = 3; i < 200; i++)
        diagnose_copy(diagnostics, at("m.toml", 2, 1), i == 3 ? "with i = 3" : "with i > 3", "no `p_%d`", i);
    assert_false(tn_error_shows(diagnostics, at("m.toml", 2, 1), "no ``"));
    diagnose_copy(diagnostics, at("m.toml", 2, 1), "with i = 3", "a second one");
    diagnose_copy(diagnostics, at("m.toml", 3, 1), "with i = 3", "alone");
    diagnose_copy(diagnostics, at("m.toml", 3, 1), "with i = 3", "alone");
    diagnose_copy(diagnostics, at("m.toml", 4, 1), NULL, "no copy");
    check_printed(diagnostics, "m.toml:2:1: error: no `p_3` (with i = 3, and in other copies)\n"
                               "m.toml:2:1: error: a second one (with i = 3)\n"
                               "m.toml:3:1: error: alone (with i = 3)\n"
                               "m.toml:4:1: error: no copy\n");
}

static void printing_forgets_all_but_the_count(void **state)
{
    tn_diagnostics *diagnostics = *state;
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("m.toml", 1, 1), "once");
    check_printed(diagnostics, "m.toml:1:1: error: once\n");
    check_printed(diagnostics, "");
    assert_int_equal(tn_error_count(diagnostics), 1);
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("n.toml", 1, 1), "again");
    check_printed(diagnostics, "n.toml:1:1: error: again\n");
}

static void warnings_are_not_counted_as_errors(void **state)
{
    tn_diagnostics *diagnostics = *state;
    tn_diagnose(diagnostics, TN_SEVERITY_WARNING, at("m.toml", 1, 1), "careful");
    assert_int_equal(tn_error_count(diagnostics), 0);
}

static void past_a_hundred_errors_only_the_count_grows(void **state)
{
    tn_diagnostics *diagnostics = *state;
    for (uint32_t line = 1; line <= 250; line++)
        tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("m.toml", line, 1), "wrong %c%c", 'a' + (int)line % 26,
                    'a' + (int)line / 26);
    assert_int_equal(tn_error_count(diagnostics), 250);

    static char text[16384];
    print(diagnostics, text, sizeof text);
    size_t lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 101);
    assert_non_null(strstr(text, "m.toml:100:1: error: wrong wd\nerrors not shown: 150\n"));
}

/* Quoted words and numbers are what a message says it of; so are names in front of it, and explanations behind it. */
static void of_a_kind_ten_are_shown(void **state)
{
    tn_diagnostics *diagnostics = *state;
    for (uint32_t line = 1; line <= 30; line++) {
        tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("m.toml", line, 1), "unknown key `k%u`%s", line,
                    line % 2 ? ": did you mean `k`?" : "");
        tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("m.toml", line, 9),
                    "`k` of `e%u`: %u is too much (%c)", line, line, 'a' + (int)line % 26);
    }
    assert_false(tn_error_shows(diagnostics, at("m.toml", 40, 1), "unknown key ``"));
    assert_true(tn_error_shows(diagnostics, at("m.toml", 40, 1), "unknown type ``"));
    tn_diagnose(diagnostics, TN_SEVERITY_WARNING, at("m.toml", 2, 2), "unknown key `k`");
    assert_int_equal(tn_error_count(diagnostics), 60);
    char text[4096];
    print(diagnostics, text, sizeof text);
    assert_non_null(strstr(text, "m.toml:2:2: warning: unknown key `k`\n"));
    assert_non_null(strstr(text, "m.toml:10:1: error: unknown key `k10`\n... and 20 more of this kind\n"
                                 "m.toml:10:9: error: `k` of `e10`: 10 is too much (k)\n"
                                 "... and 20 more of this kind\n"));
    assert_null(strstr(text, "k11"));
}

/* What a program finds that does not print them. */
static void what_was_collected_is_made_known(void **state)
{
    tn_diagnostics *diagnostics = *state;
    for (uint32_t line = 30; line > 0; line--)
        tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("m.toml", line, 1),
                    "unknown key `k%u`: did you mean `k`?", line);
    diagnose_copy(diagnostics, at("m.toml", 1, 1), "with i = 0", "no \"a\": did you mean \"b c\"?");
    diagnose_copy(diagnostics, at("m.toml", 1, 1), "with i = 1", "no \"a\": did you mean \"b c\"?");
    for (int k = 0; k < 250; k++)
        tn_diagnose(diagnostics, TN_SEVERITY_WARNING, at(NULL, 0, 0), "%c%c", 'a' + k % 20, 'a' + k / 20);
    char text[16384];
    print(diagnostics, text, sizeof text);
    assert_int_equal(tn_told_count(diagnostics), 10 + 1 + 100);
    const tn_diagnostic *copy = tn_told(diagnostics, 0), *last = tn_told(diagnostics, 10);
    assert_string_equal(copy->text, "no \"a\": did you mean \"b c\"?");
    assert_string_equal(copy->hint, "b c");
    assert_string_equal(copy->copy, "with i = 0");
    assert_true(copy->in_others);
    assert_int_equal(last->severity, TN_SEVERITY_ERROR);
    assert_string_equal(last->file, "m.toml");
    assert_int_equal(last->line, 30);
    assert_int_equal(last->end_line, 0);
    assert_string_equal(last->hint, "k");
    assert_null(last->copy);
    assert_null(tn_told(diagnostics, 11)->hint);
    assert_string_equal(tn_told(diagnostics, 11)->file, "");
    assert_non_null(strstr(text, "did you mean `k`?\n... and 20 more of this kind\nwarning: "));
    assert_non_null(strstr(text, "warnings not shown: 150\n"));
    assert_null(strstr(text, "errors not shown"));
    check_printed(diagnostics, "");
    assert_int_equal(tn_error_count(diagnostics), 32);
}

static void what_is_told_is_kept(void **state)
{
    tn_diagnostics *diagnostics = *state;
    tn_diagnose(diagnostics, TN_SEVERITY_WARNING, at("m.toml", 3, 1), "careful");
    check_printed(diagnostics, "m.toml:3:1: warning: careful\n");
    for (int k = 0; k < 25; k++)
        tn_tell(diagnostics, TN_SEVERITY_NOTE, (tn_place){0}, "at time %d s: all is well", k);
    tn_tell_rest(diagnostics);
    assert_int_equal(tn_told_count(diagnostics), 12);
    assert_string_equal(tn_told(diagnostics, 0)->text, "careful");
    assert_string_equal(tn_told(diagnostics, 0)->file, "m.toml");
    assert_string_equal(tn_told(diagnostics, 10)->text, "at time 9 s: all is well");
    assert_string_equal(tn_told(diagnostics, 11)->text, "... and 15 more of this kind: at time # s");
    assert_int_equal(tn_told(diagnostics, 11)->severity, TN_SEVERITY_NOTE);
}

static void every_message_is_one_line(void **state)
{
    tn_diagnostics *diagnostics = *state;
    char long_text[1001];
    memset(long_text, 'x', 1000);
    long_text[1000] = '\0';
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("m.toml", 1, 1), "%s\n\x1b[2J%s", long_text, "end");
    char text[4096];
    print(diagnostics, text, sizeof text);
    assert_int_equal(strlen(text), strlen("m.toml:1:1: error: ") + 1000 + strlen("  [2Jend\n"));
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);

    /* a very long one is cut, between two letters */
    tn_diagnose(diagnostics, TN_SEVERITY_ERROR, at("m.toml", 1, 1), "%s%s\xC3\xA4%s", long_text,
                long_text + 1, long_text);
    print(diagnostics, text, sizeof text);
    assert_int_equal(strlen(text), strlen("m.toml:1:1: error: ") + 1999 + strlen("...\n"));
}

static int make(void **state)
{
    *state = tn_diagnostics_new();
    return *state ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(messages_are_sorted_by_file_line_and_column, make),
        cmocka_unit_test_setup(messages_of_one_place_keep_their_order, make),
        cmocka_unit_test_setup(a_whole_file_has_no_line, make),
        cmocka_unit_test_setup(repeats_are_dropped, make),
        cmocka_unit_test_setup(a_place_shows_the_error_of_its_first_copy, make),
        cmocka_unit_test_setup(printing_forgets_all_but_the_count, make),
        cmocka_unit_test_setup(warnings_are_not_counted_as_errors, make),
        cmocka_unit_test_setup(past_a_hundred_errors_only_the_count_grows, make),
        cmocka_unit_test_setup(of_a_kind_ten_are_shown, make),
        cmocka_unit_test_setup(what_was_collected_is_made_known, make),
        cmocka_unit_test_setup(what_is_told_is_kept, make),
        cmocka_unit_test_setup(every_message_is_one_line, make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

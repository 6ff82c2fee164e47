/* test_compare.c - what `tenon compare` measures, accepts and refuses. */
#include "cli/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char root[] = "/tmp/tenon-test-compare-XXXXXX";
static char said[8192]; /* output and errors of the last command */

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(root) && chdir(root) == 0 ? 0 : 1;
}

static int tear_down(void **state)
{
    (void)state;
    unlink("A.csv");
    unlink("B.csv");
    unlink("said");
    return chdir("/") == 0 && rmdir(root) == 0 ? 0 : 1;
}

static void write_file(const char *name, const char *text)
{
    FILE *stream = fopen(name, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

/* Runs the command with the words that follow A.csv B.csv, its output going to `said`. */
static int compare(const char *first, const char *second)
{
    char *argv[] = {(char *)"compare", (char *)"A.csv", (char *)"B.csv", (char *)first, (char *)second, NULL};
    const int argc = 3 + (first != NULL) + (second != NULL);
    fflush(NULL);
    const int out = dup(1), err = dup(2), file = open("said", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(out >= 0 && err >= 0 && file >= 0);
    dup2(file, 1);
    dup2(file, 2);
    const int status = tn_command_compare(argc, argv);
    fflush(NULL);
    dup2(out, 1);
    dup2(err, 2);
    const ssize_t length = pread(file, said, sizeof said - 1, 0);
    said[length < 0 ? 0 : length] = '\0';
    close(out);
    close(err);
    close(file);
    return status;
}

static int compare_texts(const char *a, const char *b)
{
    write_file("A.csv", a);
    write_file("B.csv", b);
    return compare(NULL, NULL);
}

static void assert_said(const char *part)
{
    if (!strstr(said, part)) fail_msg("\"%s\" is not in:\n%s", part, said);
}

static void equal_files_pass_and_show_the_tolerance(void **state)
{
    (void)state;
    assert_int_equal(compare_texts("time,x\n0,1\n1,-4\n", "time,x\n0,1\n1,-4\n"), 0);
    assert_said("tolerance: 1e-09 + 1e-06 * largest magnitude in B.csv");
    assert_said("4.001e-06"); /* 1e-9 + 1e-6 * 4 */
    assert_said("rows compared: 2 of 2");
}

static void a_difference_above_tolerance_fails_and_is_measured(void **state)
{
    (void)state;
    assert_int_equal(
        compare_texts("time,x,y\n0,0,1\n1,3,1\n2,4,1\n3,0,1\n", "time,x,y\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n"), 1);
    assert_said("2.5"); /* rms of 0 3 4 0 */
    assert_said("ABOVE");
    assert_said("columns above tolerance: 1 of 2");
    assert_int_equal(compare("--atol", "4"), 0);
    assert_int_equal(compare("--atol=3.99", NULL), 1);
    assert_int_equal(compare("--columns", "y"), 0);
}

static void the_relative_tolerance_is_measured_by_the_second_file(void **state)
{
    (void)state;
    write_file("A.csv", "time,x\n0,100\n");
    write_file("B.csv", "time,x\n0,101\n");
    assert_int_equal(compare("--rtol", "0.00990099"), 1);
    assert_int_equal(compare("--rtol", "0.0099010"), 0); /* 1/101 = 0.00990099... */
}

static void the_second_file_is_interpolated(void **state)
{
    (void)state;
    assert_int_equal(compare_texts("time,x\n0.5,5\n1.25,20\n", "time,x\n0,0\n1,10\n2,50\n"), 0);
    assert_int_equal(compare_texts("time,x\n0.5,6\n", "time,x\n0,0\n1,10\n"), 1);
}

static void times_that_differ_by_round_off_are_the_same(void **state)
{
    (void)state;
    assert_int_equal(compare_texts("time,x\n0,0\n10.000000000000002,1\n", "time,x\n0,0\n10,1\n"), 0);
    assert_said("rows compared: 2 of 2");
}

static void a_jump_is_compared_row_by_row(void **state)
{
    (void)state;
    assert_int_equal(compare_texts("time,x\n0,0\n1,0\n1,5\n2,5\n", "time,x\n0,0\n1,0\n1,5\n2,5\n"), 0);
}

static void rows_outside_the_second_file_are_counted(void **state)
{
    (void)state;
    assert_int_equal(compare_texts("time,x\n-1,9\n0,1\n5,9\n", "time,x\n0,1\n1,1\n"), 0);
    assert_said("rows compared: 1 of 3");
    assert_said("not compared: 2 rows of A.csv outside the times of B.csv");
    assert_int_equal(compare_texts("time,x\n5,9\n", "time,x\n0,1\n1,1\n"),
                     1); /* nothing was compared at all */
}

static void nan_in_one_file_only_is_a_difference(void **state)
{
    (void)state;
    assert_int_equal(compare_texts("time,x\n0,nan\n", "time,x\n0,1\n"), 1);
    assert_int_equal(compare_texts("time,x\n0,1\n", "time,x\n0,nan\n"), 1);
    assert_int_equal(compare_texts("time,x\n0,nan\n1,inf\n", "time,x\n0,nan\n1,inf\n"), 0);
    assert_int_equal(compare_texts("time,x\n0,inf\n", "time,x\n0,-inf\n"), 1);
    assert_int_equal(compare_texts("time,x\n0,1\n1,1\n", "time,x\n0,1\n1,inf\n"), 1);
}

static void columns_of_one_file_only_are_reported(void **state)
{
    (void)state;
    assert_int_equal(compare_texts("time,\"a,\"\"b\"\"\",x\n0,1,1\n", "time,x,c\n0,1,1\n"), 0);
    assert_said("only in A.csv: a,\"b\"");
    assert_said("only in B.csv: c");
    assert_int_equal(compare_texts("time,a\n0,1\n", "time,b\n0,1\n"), 1);
}

static void a_chosen_column_must_be_in_both(void **state)
{
    (void)state;
    write_file("A.csv", "time,position.x\n0,1\n");
    write_file("B.csv", "time,position.x\n0,1\n");
    assert_int_equal(compare("--columns", "positoin.x"), 2);
    assert_said("has no column \"positoin.x\": did you mean \"position.x\"?");
}

static void a_row_without_an_end_is_left_out(void **state)
{
    (void)state;
    assert_int_equal(compare_texts("time,x\n0,1\n1,20", "time,x\n0,1\n1,200\n"), 0);
    assert_said("A.csv:3: warning: \"1,20\" has no end of line, as after a killed run: omitted");
    assert_int_equal(compare_texts("time,x\n0,1\n1,2\n", "time,x\n0,2\n1"), 1);
    assert_said("B.csv:3: warning: \"1\" has no end");
}

static void malformed_files_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "B.csv:1: error: the file is empty"},
        {"t,x\n0,1\n", "B.csv:1: error: the first column is \"t\", not \"time\""},
        {"time,x,x\n0,1,1\n", "B.csv:1: error: column \"x\" appears twice"},
        {"time,\"x\n0,1\n", "B.csv:1: error: the quotes"},
        {"time,x\n0,1\n1\n", "B.csv:3: error: less than the 2 values of a row"},
        {"time,x\n0,1\n1,2,3\n", "B.csv:3: error: more than the 2 values of a row"},
        {"time,x\n0,1\n1,two\n", "B.csv:3: error: \"two\" in column \"x\" is not a number"},
        {"time,x\n0,1\n1,\n", "B.csv:3: error: \"\" in column \"x\" is not a number"},
        {"time,x\n1,1\n0,1\n", "B.csv:3: error: time goes back to 0"},
        {"time,x\nnan,1\n", "B.csv:2: error: time nan is not finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(compare_texts("time,x\n0,1\n", cases[i].text), 2);
        assert_said(cases[i].error);
    }
    unlink("B.csv");
    assert_int_equal(compare(NULL, NULL), 2);
    assert_said("B.csv: error: No such file");
}

static void wrong_usage_names_the_word(void **state)
{
    (void)state;
    assert_int_equal(compare("--colums", "x"), 2);
    assert_said("unknown option \"--colums\": did you mean \"--columns\"?");
    assert_int_equal(compare("--rtol", "small"), 2);
    assert_said("--rtol takes a number, not \"small\"");
    assert_int_equal(compare("--rtol", NULL), 2);
    assert_said("--rtol needs a value: --rtol R");
    assert_int_equal(compare("--atol", "-1"), 2);
    assert_said("--atol cannot be -1");
    assert_int_equal(compare("C.csv", NULL), 2);
    assert_said("unexpected word \"C.csv\"");
    assert_int_equal(compare("--help", NULL), 0);
    assert_said("usage: tenon compare A.csv B.csv [--columns a,b,...] [--rtol R] [--atol A]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_files_pass_and_show_the_tolerance),
        cmocka_unit_test(a_difference_above_tolerance_fails_and_is_measured),
        cmocka_unit_test(the_relative_tolerance_is_measured_by_the_second_file),
        cmocka_unit_test(the_second_file_is_interpolated),
        cmocka_unit_test(times_that_differ_by_round_off_are_the_same),
        cmocka_unit_test(a_jump_is_compared_row_by_row),
        cmocka_unit_test(rows_outside_the_second_file_are_counted),
        cmocka_unit_test(nan_in_one_file_only_is_a_difference),
        cmocka_unit_test(columns_of_one_file_only_are_reported),
        cmocka_unit_test(a_chosen_column_must_be_in_both),
        cmocka_unit_test(a_row_without_an_end_is_left_out),
        cmocka_unit_test(malformed_files_are_refused_with_their_line),
        cmocka_unit_test(wrong_usage_names_the_word),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* test_columns.c - text files that are tables of numbers, and the places of what is wrong in those that are not */
#define _GNU_SOURCE
#include "config/columns.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char path[64];

static void write_file(const char *text, size_t length)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

/* Columns 0 and 1 of the text are the numbers 0, 1.5 and -2, 1e3. */
static void check_two_rows(const char *text)
{
    static const uint32_t column[] = {0, 1};
    static const double expected[2][2] = {{0.0, -2.0}, {1.5, 1e3}};
    tn_arena arena = {0};
    tn_columns columns;
    tn_text_failure failure;
    write_file(text, strlen(text));
    if (!tn_columns_read(path, column, 2, &arena, &columns, &failure))
        fail_msg("%u:%u: %s in\n%s", failure.line, failure.column, failure.text, text);
    assert_int_equal(columns.rows, 2);
    for (size_t k = 0; k < 2; k++)
        assert_memory_equal(columns.value[k], expected[k], sizeof expected[k]);
    tn_arena_free(&arena);
}

static void separators_are_found_out(void **state)
{
    (void)state;
    check_two_rows("0,1.5\n-2,1e3\n");
    check_two_rows("0, 1.5\n-2 ,1e3 ,\n");
    check_two_rows("0;1.5\n-2;1e3\n");
    check_two_rows("0; 1.5;\n -2 ; 1e3 ; 7\n");
    check_two_rows("0\t1.5\n-2\t1e3\n");
    check_two_rows(" 0\t 1.5\t\n-2 \t1e3\n");
    check_two_rows("0 1.5\n-2 1e3\n");
    check_two_rows("   0    1.5   \n  -2  \t  1e3  9\n");
}

static void numbers_may_be_written_in_many_ways(void **state)
{
    (void)state;
    check_two_rows("0,+1.5\n-2.,1000\n");
    check_two_rows("0.0,.15E1\n-2,1D3\n");
    check_two_rows("\"0\",\"1.5\"\n\" -2 \" , \"1e3\"\n");
    check_two_rows("\"0\" \"1.5\"\n\"-2\" \"1e3\"\n");
}

static void what_is_no_data_is_skipped(void **state)
{
    (void)state;
    check_two_rows("0,1.5\r\n-2,1e3\r\n");
    check_two_rows("\xEF\xBB\xBF"
                   "0,1.5\n-2,1e3");
    check_two_rows("# a;comment\n\n  \t\n0,1.5\n  # another, one\n\r\n-2,1e3\n\n");
    check_two_rows("time,force\n0,1.5\n-2,1e3\n");
    check_two_rows("# comment\n\ntime [s] force; N\n0,1.5\n-2,1e3\n");
    check_two_rows("\"time; or, \"\"t\"\"\";\"force, N\"\n0;1.5\n-2;1e3\n");
    check_two_rows("\"time; s\",\"force\tN\"\n0,1.5\n-2,1e3\n");
    check_two_rows("Measurement\n0,1.5\n-2,1e3\n");
    check_two_rows(",\n0,1.5\n-2,1e3\n");
    check_two_rows("2nd,3-component\n0,1.5\n-2,1e3\n");
    check_two_rows("W\xE4rme,\xB0"
                   "C in Latin-1\n0,1.5\n-2,1e3\n");
}

static void columns_come_in_the_order_asked_for(void **state)
{
    (void)state;
    static const char text[] = "time,x.x,x.y,x.z\n0,1.05,2,3\n0.10000000000000001,-1,5e-324,6\n";
    static const uint32_t column[] = {2, 0, 2};
    tn_arena arena = {0};
    tn_columns columns;
    tn_text_failure failure;
    write_file(text, strlen(text));
    assert_true(tn_columns_read(path, column, 3, &arena, &columns, &failure));
    assert_int_equal(columns.rows, 2);
    assert_true(columns.value[0][0] == 2.0 && columns.value[0][1] == 5e-324);
    assert_true(columns.value[1][0] == 0.0 && columns.value[1][1] == 0.1);
    assert_true(columns.value[2][1] == 5e-324);
    tn_arena_free(&arena);
}

/* Reading columns 0 and 2 fails there and so. */
static void check_failure(const char *text, size_t length, uint32_t line, uint32_t at, const char *message)
{
    static const uint32_t column[] = {0, 2};
    tn_arena arena = {0};
    tn_columns columns;
    tn_text_failure failure;
    write_file(text, length);
    assert_false(tn_columns_read(path, column, 2, &arena, &columns, &failure));
    assert_string_equal(failure.text, message);
    assert_int_equal(failure.line, line);
    assert_int_equal(failure.column, at);
    tn_arena_free(&arena);
}

static void mistakes_are_told_with_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message;
    } cases[] = {
        {"t,x,y\n0,1,2\n1,2,oops\n", 3, 5, "`oops` in column 2 is not a number"},
        {"t,x,y\na,b,c\n", 2, 1, "`a` in column 0 is not a number"},
        {"0,1,oops\n", 1, 5, "`oops` in column 2 is not a number"},
        {"\xC3\xA4,\"\xC3\xA4\", 7x\n0,1,2\n1,\xC3\xA4\xC3\xA4, 7x", 3, 7,
         "`7x` in column 2 is not a number"},
        {"0,1,2\n1,2\n", 2, 4, "there is no column 2: the line has 2, counted from 0"},
        {"0,1\n1,2\n", 1, 4, "there is no column 2: the line has 2, counted from 0"},
        {"0,1,2\n1,2,\n", 2, 5, "column 2 is empty"},
        {"0\t1\t2\n\t2\t1\n", 2, 1, "column 0 is empty"},
        {"0,1,2\n1,2,nan\n", 2, 5, "`nan` in column 2 is not a finite number"},
        {"0,1,-Infinity\n", 1, 5, "`-Infinity` in column 2 is not a finite number"},
        {"nan,1,inf\n", 1, 1, "`nan` in column 0 is not a finite number"},
        {"1e999,1,2\n", 1, 1, "`1e999` in column 0 is not a finite number"},
        {"0x10,1,2\n", 1, 1, "`0x10` in column 0 is not a number"},
        {"0,1,2\n0,1,0x1d\n", 2, 5, "`0x1d` in column 2 is not a number"},
        {"0;1;2\n0,5;1;2\n", 2, 1, "`0,5` in column 0 is not a number: the decimal sign is a point"},
        {"0,5;1;2,5\n", 1, 1, "`0,5` in column 0 is not a number: the decimal sign is a point"},
        {"0\t1\t2,5\n", 1, 5, "`2,5` in column 2 is not a number: the decimal sign is a point"},
        {"0,1,2\n0,\"1,2\n", 2, 3, "these quotes are not closed in the same line"},
        {"0,1,\"2\"3\n", 1, 8, "a separator is missing after the quotes"},
        {"", 0, 0, "the file has no line of numbers"},
        {"# only\n\nt,x,y\n", 0, 0, "the file has no line of numbers"},
        {"0,1,2\n1,2,"
         "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
         "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
         "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
         "x\xC3\xA4\xC3\xA4",
         2, 5,
         "`\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
         "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
         "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
         "x...` in column 2 is not a number"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        check_failure(cases[i].text, strlen(cases[i].text), cases[i].line, cases[i].column, cases[i].message);
}

/* A line without any of the wanted fields is no heading. */
static void missing_columns_are_told_in_the_first_line(void **state)
{
    (void)state;
    static const uint32_t column[] = {5};
    tn_arena arena = {0};
    tn_columns columns;
    tn_text_failure failure;
    write_file("t,x\n0,1\n", 8);
    assert_false(tn_columns_read(path, column, 1, &arena, &columns, &failure));
    assert_string_equal(failure.text, "there is no column 5: the line has 2, counted from 0");
    assert_int_equal(failure.line, 1);
}

static void binary_files_are_no_text(void **state)
{
    (void)state;
    static const char binary[] = "\x7f"
                                 "ELF\n\x02\x01\0\0\0\n",
                      utf16[] = "\xFF\xFE"
                                "0\0,\0"
                                "1\0\n\0";
    check_failure(binary, sizeof binary - 1, 2, 3, "the byte 0x00 is not UTF-8 text");
    check_failure("t,x,y\n\0", 7, 2, 1, "the byte 0x00 is not UTF-8 text");
    check_failure(utf16, sizeof utf16 - 1, 1, 4, "the byte 0x00 is not UTF-8 text");
}

static void files_that_cannot_be_read_are_told(void **state)
{
    (void)state;
    static const uint32_t column[] = {0};
    tn_arena arena = {0};
    tn_columns columns;
    tn_text_failure failure = {.line = 7};
    assert_false(tn_columns_read("/nowhere/data.csv", column, 1, &arena, &columns, &failure));
    assert_string_equal(failure.text, "cannot read: No such file or directory");
    assert_int_equal(failure.line, 0);
    assert_false(tn_columns_read("/", column, 1, &arena, &columns, &failure));
    assert_string_equal(failure.text, "cannot read: Is a directory");
    assert_null(arena.block);
}

static void long_lines_and_long_files_are_read(void **state)
{
    (void)state;
    enum { FIELDS = 20000, ROWS = 20000 };
    static const uint32_t column[] = {FIELDS - 1}, first[] = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    for (int k = 0; k < FIELDS; k++)
        fprintf(stream, "%d,", k);
    fclose(stream);
    write_file(text, size - 1);
    free(text);
    tn_arena arena = {0};
    tn_columns columns;
    tn_text_failure failure;
    assert_true(tn_columns_read(path, column, 1, &arena, &columns, &failure));
    assert_true(columns.rows == 1 && columns.value[0][0] == FIELDS - 1);

    stream = open_memstream(&text, &size);
    assert_non_null(stream);
    for (int k = 0; k < ROWS; k++)
        fprintf(stream, "%.17g\n", sqrt(k));
    fclose(stream);
    write_file(text, size);
    free(text);
    assert_true(tn_columns_read(path, first, 1, &arena, &columns, &failure));
    assert_int_equal(columns.rows, ROWS);
    for (int k = 0; k < ROWS; k++)
        assert_true(columns.value[0][k] == sqrt(k));
    tn_arena_free(&arena);
}

static int name_file(void **state)
{
    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/tenon-columns-XXXXXX");
    const int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separators_are_found_out),
        cmocka_unit_test(numbers_may_be_written_in_many_ways),
        cmocka_unit_test(what_is_no_data_is_skipped),
        cmocka_unit_test(columns_come_in_the_order_asked_for),
        cmocka_unit_test(mistakes_are_told_with_line_and_column),
        cmocka_unit_test(missing_columns_are_told_in_the_first_line),
        cmocka_unit_test(binary_files_are_no_text),
        cmocka_unit_test(files_that_cannot_be_read_are_told),
        cmocka_unit_test(long_lines_and_long_files_are_read),
    };
    return cmocka_run_group_tests(tests, name_file, remove_file);
}

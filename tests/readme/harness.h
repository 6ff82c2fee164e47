/* harness.h - what the tests of words and models share: a directory of their own, texts, programs, results. */
#ifndef TN_TESTS_README_HARNESS_H
#define TN_TESTS_README_HARNESS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <stdbool.h>

/* Makes a temporary directory, in which everything then runs; removes it. For cmocka's group functions. */
int make_directory(void **state);
int remove_directory(void **state);

/* A file below the root of the project, or any other one; fails the test when it cannot be read. Free it. */
char *read_source(const char *path);
char *read_file(const char *path);
void write_file(const char *path, const char *text);

/* The inside of the first fenced block that begins with ```LANGUAGE and contains `mark`, at or after `text`; free it. */
char *code_block(const char *text, const char *language, const char *mark);

/* Runs `tenon WORDS... NULL` in the temporary directory; what it said on both streams goes to `said` (free it),
 * unless that is NULL. Returns its exit status. */
int tenon(char **said, ...) __attribute__((sentinel));

/* cmocka's assert_float_equal compares single precision only. */
void assert_near(double value, double expected, double tolerance);

/* Value of a column of DIRECTORY/sensors.csv at a recorded time. */
double recorded(const char *directory, const char *column, double time);

#endif

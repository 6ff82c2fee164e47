/* test_directory.h - a model in a directory of its own, which is the working directory, for tests of what commands print */
#ifndef TN_TEST_DIRECTORY_H
#define TN_TEST_DIRECTORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const char right_model[] = "[[element]]\nname = \"mass\"\ntype = \"mass_point\"\nmass = 1\n"
                                  "[solver]\ntype = \"generalized_alpha\"\nend_time = 1\nstep = 0.1\n";

static void write_bytes(const char *name, const char *text, size_t length)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static char directory[32];

static int enter(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/test_cli_XXXXXX");
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    (void)unlink("m.toml");
    return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

#endif

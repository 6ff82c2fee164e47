/* test_sdk_page.c - the function of expressions in sdk/README.md builds and has its values. */
#define _GNU_SOURCE
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static void the_function_of_the_page_is_called_by_a_model(void **state)
{
    (void)state;
    char *page = read_source("sdk/README.md"), *at = strstr(page, "\n## Functions of expressions\n");
    assert_non_null(at);
    char *text = code_block(at, "c", "");
    write_file("parabola.c", text);
    write_file("parabola.toml", "[[signal]]\nname = 's'\ntype = 'parabola'\nfactors = [1, 2, 3]\n"
                                "[[sensor]]\nname = 'y'\nexpression = 'parabola(s, time)'\n"
                                "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
                                "[solver]\ntype = 'rk'\nend_time = 1\nstep = 0.5\n");
    assert_int_equal(tenon(NULL, "build", "parabola.c", NULL), 0);
    assert_int_equal(
        tenon(NULL, "run", "parabola.toml", "--plugin-path", ".", "--quiet", "--out", "results", NULL), 0);
    assert_near(recorded("results", "y", 1.0), 6.0, 1e-12);
    free(text);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_function_of_the_page_is_called_by_a_model)};
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

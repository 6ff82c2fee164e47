/* test_model_page.c - the pieces of TOML in configs/README.md make up a model that runs. */
#define _GNU_SOURCE
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void pieces_of_the_page_make_up_a_model(void **state)
{
    (void)state;
    char *page = read_source("configs/README.md");
    FILE *model = fopen("page.toml", "w");
    assert_non_null(model);
    size_t pieces = 0;
    for (const char *at = page; (at = strstr(at, "\n```toml\n")); at++, pieces++) {
        char *block = code_block(at, "toml", "");
        if (strncmp(block, "# hanger.toml", strlen("# hanger.toml")) == 0)
            write_file("hanger.toml", block);
        else
            (void)fputs(block, model);
        free(block);
    }
    assert_int_equal(fclose(model), 0);
    assert_true(pieces >= 9);
    assert_int_equal(tenon(NULL, "run", "page.toml", "--check", "--quiet", "--out", "results", NULL), 0);
    assert_near(recorded("results", "balance", 0.5), recorded("results", "balance", 0.0), 5e-3);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_of_the_page_make_up_a_model)};
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

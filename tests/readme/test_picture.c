/* test_picture.c - the pictures of the READMEs show what the pages of the first model and of a study look like: made anew they are nearly the same.
 * write_picture.sh makes them. */
#define _GNU_SOURCE
#include "harness.h"

#include <stdlib.h>
#include <unistd.h>

#define LARGEST "150000" /* bytes: who reads the page loads it */

static void the_pictures_are_those_of_the_pages(void **state)
{
    (void)state;
    const bool possible = access(TENON_PLUGINS "/report.so", F_OK) == 0 &&
                          system("command -v node >/dev/null && command -v chromium >/dev/null") == 0;
    if (!possible && getenv("TENON_NO_SKIPS")) fail_msg("there is no page, no node or no chromium");
    if (!possible) skip();
    assert_int_equal(system("sh '" TENON_SOURCE_DIR "/tests/readme/write_picture.sh' '" TENON_BINARY
                            "' '" TENON_SOURCE_DIR "' anew.png study.png"),
                     0);
    assert_int_equal(system("node '" TENON_SOURCE_DIR
                            "/plugins/writers/report/browser/compare.mjs' '" TENON_SOURCE_DIR
                            "/configs/first/spring_damper.png' anew.png " LARGEST),
                     0);
    assert_int_equal(system("node '" TENON_SOURCE_DIR
                            "/plugins/writers/report/browser/compare.mjs' '" TENON_SOURCE_DIR
                            "/configs/studies/damper.png' study.png " LARGEST),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_pictures_are_those_of_the_pages)};
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

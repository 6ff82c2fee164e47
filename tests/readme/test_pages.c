/* test_pages.c - every element and marker has a page beside its source, and the page names all that
 * `tenon describe` lists: parameters with their units, ports, outputs. */
#define _GNU_SOURCE
#include "harness.h"

#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of a list, "    name [unit]: ...", must have a row "| `name` | unit |" in the page. */
static void check_row(const char *page, const char *type, const char *line, const char *section)
{
    char name[64] = "", unit[64] = "", row[160];
    if (sscanf(line, "    %63[a-z_0-9.]", name) != 1) return;
    const char *bracket = strchr(line, '[');
    if (bracket) (void)sscanf(bracket, "[%63[^]]", unit);
    if (strcmp(section, "ports") == 0)
        (void)snprintf(row, sizeof row, "\n| `%s` | ", name);
    else
        (void)snprintf(row, sizeof row, "\n| `%s` | %s%s| ", name, unit, *unit ? " " : "");
    if (!strstr(page, row)) fail_msg("the page of %s has no row `%s` among its %s", type, row + 1, section);
}

static void check_page(const char *type, const char *path)
{
    char *page = read_file(path), *said = NULL;
    assert_int_equal(tenon(&said, "describe", type, NULL), 0);
    char section[16] = "", *rest = said;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (*line && *line != ' ') (void)snprintf(section, sizeof section, "%s", line);
        const bool listed = strcmp(section, "parameters") == 0 || strcmp(section, "ports") == 0 ||
                            strcmp(section, "outputs") == 0;
        if (listed && strncmp(line, "    ", 4) == 0 && line[4] != ' ' && line[4] != '(')
            check_row(page, type, line, section);
    }
    free(said);
    free(page);
}

static void pages_name_all_that_the_types_declare(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(TENON_SOURCE_DIR "/plugins/elements/*/CMakeLists.txt", 0, NULL, &found), 0);
    assert_int_equal(glob(TENON_SOURCE_DIR "/plugins/markers/*/CMakeLists.txt", GLOB_APPEND, NULL, &found),
                     0);
    assert_true(found.gl_pathc >= 8);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        char path[4096];
        char *folder = dirname(found.gl_pathv[k]);
        const char *type = strrchr(folder, '/') + 1;
        (void)snprintf(path, sizeof path, "%s/%s.md", folder, type);
        check_page(type, path);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages_name_all_that_the_types_declare)};
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

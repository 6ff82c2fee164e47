/* test_models.c - the models that a newcomer meets first give the results that their comments promise:
 *
 *     # Expected: COLUMN(TIME s) = VALUE, to TOLERANCE
 *
 * Every file of a folder is a model; parts and data of models stand in folders below, where nothing is looked for. */
#define _GNU_SOURCE
#include "harness.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_promises(const char *path, const char *results)
{
    char *text = read_file(path);
    size_t count = 0;
    for (const char *line = text; (line = strstr(line, "# Expected: ")); line++, count++) {
        char column[64];
        double time = 0.0, value = 0.0, tolerance = 0.0;
        if (sscanf(line, "# Expected: %63[^(](%lf s) = %lf, to %lf", column, &time, &value, &tolerance) != 4)
            fail_msg("%s: `%.40s...` cannot be read", path, line);
        const double result = recorded(results, column, time);
        if (!(fabs(result - value) <= tolerance))
            fail_msg("%s: %s(%g s) is %.12g, expected %.12g", path, column, time, result, value);
    }
    free(text);
    if (!count) fail_msg("%s promises nothing", path);
}

static int is_model(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".toml") == 0;
}

static void run_folder(const char *folder, int at_least)
{
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, is_model, alphasort);
    assert_true(count >= at_least);
    for (int k = 0; k < count; k++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry[k]->d_name);
        if (tenon(NULL, "run", path, "--quiet", "--out", entry[k]->d_name, NULL) != 0)
            fail_msg("%s does not run", path);
        check_promises(path, entry[k]->d_name);
        free(entry[k]);
    }
    free(entry);
}

static void first_models_keep_their_promises(void **state)
{
    (void)state;
    run_folder(TENON_SOURCE_DIR "/configs/first", 3);
}

static void seed_models_keep_their_promises(void **state)
{
    (void)state;
    run_folder(TENON_SOURCE_DIR "/configs/seeds", 5);
}

static void models_with_parts_keep_their_promises(void **state)
{
    (void)state;
    run_folder(TENON_SOURCE_DIR "/configs/parts", 1);
}

static void models_of_contact_keep_their_promises(void **state)
{
    (void)state;
    run_folder(TENON_SOURCE_DIR "/configs/contact", 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_models_keep_their_promises),
        cmocka_unit_test(seed_models_keep_their_promises),
        cmocka_unit_test(models_with_parts_keep_their_promises),
        cmocka_unit_test(models_of_contact_keep_their_promises),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

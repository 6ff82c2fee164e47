/* test_models.c - the models that a newcomer meets first have the figures that their [[expect]] tables promise
 *
 * Every file of a folder is a model; parts and data of models stand in folders below, where nothing is looked for. */
#define _GNU_SOURCE
#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_promises(const char *path, const char *results)
{
    char *text = read_file(path), *said = NULL;
    if (!strstr(text, "\n[[expect]]\n")) fail_msg("%s promises nothing", path);
    if (tenon(&said, "run", path, "--check", "--trust", "--quiet", "--out", results, NULL) != 0)
        fail_msg("%s does not keep its promises: %s", path, said);
    free(said);
    free(text);
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

/* test_errors_files.h - what the tests of wrong models in several files share. */
#ifndef TN_TEST_ERRORS_FILES_H
#define TN_TEST_ERRORS_FILES_H

#include "tables/test_errors.h"

#include <ftw.h>
#include <sys/stat.h>

enum { MOST_FILES = 6 };

/* Files by name and text; the model is model.toml. `errors` are the lines that are then printed, with the names of the
 * files as written here: "" for a model that is right. */
typedef struct scene {
    struct {
        const char *name, *text;
    } file[MOST_FILES];
    const char *errors;
} scene;

static int discard_file(const char *path, const struct stat *status, int kind, struct FTW *position)
{
    (void)status, (void)kind, (void)position;
    return remove(path);
}

/* Writes a file below a directory, and the directories between. */
static void write_below(const char *directory, const char *name, const char *text)
{
    char path[512];
    assert_true(snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path);
    for (char *slash = path + strlen(directory) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        (void)mkdir(path, 0700);
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A directory of the test; what is reported about model.toml in it, malloc'd; its end. */
static void open_directory(char *directory) { assert_non_null(mkdtemp(directory)); }

static char *reported_in(const char *directory, bool all)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/model.toml", directory);
    return reported_of(path, all, directory, strlen(directory) + 1);
}

static void close_directory(const char *directory)
{
    assert_int_equal(nftw(directory, discard_file, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static inline void check_scene(const scene *shown)
{
    char directory[] = "/tmp/test_errors_XXXXXX";
    open_directory(directory);
    for (int k = 0; k < MOST_FILES && shown->file[k].name; k++)
        write_below(directory, shown->file[k].name, shown->file[k].text);
    char *errors = reported_in(directory, false);
    close_directory(directory);
    assert_string_equal(errors, shown->errors);
    free(errors);
}

#define CHECK_SCENES(scenes)                                       \
    for (size_t k = 0; k < sizeof(scenes) / sizeof *(scenes); k++) \
    check_scene(&(scenes)[k])

#endif

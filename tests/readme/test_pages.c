/* test_pages.c - every type has a page beside its source, and the reference block of the page is what
 * `tenon describe` prints. write_pages.sh writes the blocks. */
#define _GNU_SOURCE
#include "harness.h"

#include "cases/cases.h"
#include "config/plugin_texts.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* The leak sanitizer of gcc 12 crashes at the end of a process that has loaded as many libraries as there are plugins by now. */
int __lsan_is_turned_off(void) __attribute__((visibility("default")));
int __lsan_is_turned_off(void) { return 1; }

/* The text between the two lines that enclose the block of a type; NULL without them. */
static char *reference_block(const char *page, const char *type)
{
    char mark[160];
    (void)snprintf(mark, sizeof mark, "\n<!-- tenon describe %s --markdown -->\n", type);
    const char *start = strstr(page, mark);
    if (!start) return NULL;
    start += strlen(mark);
    const char *end = strstr(start, "<!-- end of tenon describe -->\n");
    return end ? strndup(start, (size_t)(end - start)) : NULL;
}

/* A type without parameters may stand in the table of its library. */
static const char *block_name(const char *page, const tn_description *type, const char *library)
{
    char *own = reference_block(page, type->name), *table = reference_block(page, library);
    const bool in_table = !own && table && !(type->parameters && type->parameters->name);
    free(own);
    free(table);
    return in_table ? library : type->name;
}

static void check_page(const tn_description *description, const char *library, const char *path)
{
    char *page = read_file(path), *said = NULL;
    const char *type = block_name(page, description, library);
    char *block = reference_block(page, type);
    if (!block)
        fail_msg("%s has no lines\n<!-- tenon describe %s --markdown -->\n<!-- end of tenon describe -->\n"
                 "Add them, then run ./build.sh docs",
                 path, type);
    assert_int_equal(tenon(&said, "describe", type, "--markdown", NULL), 0);
    if (strcmp(block, said) != 0)
        fail_msg("%s is not what `tenon describe %s --markdown` prints: run ./build.sh docs", path, type);
    free(block);
    free(said);
    free(page);
}

/* A type's page is called like its library, and stands in a folder of that name: PLUGIN.so, PLUGIN/PLUGIN.md. */
static void check_type(void *data, const tn_kind *kind, const void *type, const tn_plugin_file *file)
{
    char pattern[4096];
    glob_t found;
    const tn_description description = tn_type_description(kind, type);
    const char *name = description.name, *start = strrchr(file->path, '/') + 1;
    const int length = (int)strcspn(start, ".");
    (void)snprintf(pattern, sizeof pattern, TENON_SOURCE_DIR "/plugins/*/%.*s/%.*s.md", length, start, length,
                   start);
    if (glob(pattern, 0, NULL, &found) != 0) fail_msg("%s \"%s\" has no page %s", kind->key, name, pattern);
    check_page(&description, file->library->name, found.gl_pathv[0]);
    globfree(&found);
    ++*(size_t *)data;
}

/* A plugin whose library this machine lacks is not built, and cannot be asked. */
static void pages_say_what_the_types_declare(void **state)
{
    (void)state;
    size_t count = 0;
    tn_kinds_add(tn_study_kinds, tn_study_kind_count);
    tn_registry *registry = tn_registry_new(TENON_BINARY, tn_reader_loading);
    tn_registry_load_all(registry, TENON_PLUGINS);
    tn_types_visit(registry, NULL, check_type, &count);
    assert_true(count >= 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages_say_what_the_types_declare)};
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

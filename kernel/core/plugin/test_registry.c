/* test_registry.c - which plugins are loaded and skipped, and why. */
#include "test_registry.h"

#include "plugin/loaded_types.h"

#include <tenon/draft/impulses.h>

/* ---- structs that begin alike ---- */

#define BEGINS_ALIKE(type)                                                           \
    TN_STATIC_ASSERT(offsetof(type, name) == offsetof(tn_type_head, name) &&         \
                         offsetof(type, flags) == offsetof(tn_type_head, flags) &&   \
                         offsetof(type, release) == offsetof(tn_type_head, release), \
                     #type " begins with the head that all kinds share")
BEGINS_ALIKE(tn_element_type);
BEGINS_ALIKE(tn_marker_type);
BEGINS_ALIKE(tn_solver_type);
BEGINS_ALIKE(tn_linear_type);
BEGINS_ALIKE(tn_writer_type);
BEGINS_ALIKE(tn_function_type);
BEGINS_ALIKE(tn_measure_type);
BEGINS_ALIKE(tn_constraint_solver_type);
BEGINS_ALIKE(tn_loaded_element);
BEGINS_ALIKE(tn_loaded_marker);
BEGINS_ALIKE(tn_loaded_solver);
/* The last field of the plugin's struct, and the first one behind it. */
#define BEGINS_WITH(loaded, own, last, behind)                        \
    TN_STATIC_ASSERT(offsetof(loaded, last) == offsetof(own, last) && \
                         offsetof(loaded, behind) == sizeof(own),     \
                     #loaded " begins with the plugin's struct")
BEGINS_WITH(tn_loaded_element, tn_element_type, instance_outputs, force);
BEGINS_WITH(tn_loaded_marker, tn_marker_type, relocate, local_pose);
BEGINS_WITH(tn_loaded_solver, tn_solver_type, advance, begin);
BEGINS_WITH(tn_loaded_function, tn_function_type, inspect, reads);

/* ---- what is loaded ---- */

static void a_type_is_found_by_the_name_of_its_file(void **state)
{
    (void)state;
    char reason[256] = "";
    tn_registry *registry = registry_with("good");
    assert_int_equal(tn_registry_file_count(registry), 0); /* nothing is opened before it is asked for */

    const tn_loaded_element *type =
        tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_non_null(type);
    assert_string_equal(type->name, "spring");
    const tn_plugin_file *file = tn_registry_file_of(registry, type);
    assert_int_equal(file->verdict, TN_LOADED);
    assert_string_equal(file->library->version, "1.2.3");
    assert_null(file->reason);

    assert_null(tn_registry_find(registry, TN_MARKER_KIND, "spring", reason, sizeof reason));
    assert_non_null(strstr(reason, "holds the element \"spring\", but no marker"));
}

/* As hash_file() of the reader works it out, byte by byte. */
static uint64_t hash_of(const unsigned char *byte, size_t size)
{
    uint64_t lane[4] = {1, 2, 3, 4}, word = 0, hash = size;
    for (size_t k = 0; k < (size + 31) / 32 * 32; k++) {
        word |= (uint64_t)(k < size ? byte[k] : 0) << k % 8 * 8;
        if (k % 8 != 7) continue;
        uint64_t *at = &lane[k / 8 % 4];
        *at = (*at ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        *at ^= *at >> 32;
        word = 0;
    }
    for (size_t i = 0; i < 4; i++) {
        hash = (hash ^ lane[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

static uint64_t hash_of_file(const char *name)
{
    uint64_t hash = 0;
    tn_reason reason;
    assert_true(tn_reader_loading.hash(path_of(name), &hash, &reason));
    return hash;
}

static void write_bytes(const char *name, const unsigned char *byte, size_t size)
{
    FILE *stream = fopen(path_of(name), "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(byte, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

static void the_hash_is_that_of_all_bytes_of_the_file(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 7, 8, 31, 32, 33, 100, 16383, 16384, 16385, 40000};
    static unsigned char byte[40000];
    for (size_t k = 0; k < sizeof byte; k++)
        byte[k] = (unsigned char)(k * k >> 3);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        write_bytes("bytes", byte, sizes[k]);
        assert_true(hash_of_file("bytes") == hash_of(byte, sizes[k]));
    }
    const char *const file = "good/spring.so";
    char reason[256];
    tn_registry *registry = registry_with("good");
    const void *type = tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_true(tn_registry_file_of(registry, type)->hash == hash_of_file(file));
}

static void files_that_differ_in_one_bit_have_other_hashes(void **state)
{
    (void)state;
    unsigned char byte[40] = {0};
    uint64_t hash[8 * sizeof byte + 2];
    size_t count = 0;
    write_bytes("bytes", byte, sizeof byte);
    hash[count++] = hash_of_file("bytes");
    write_bytes("bytes", byte, sizeof byte - 1);
    hash[count++] = hash_of_file("bytes");
    for (size_t k = 0; k < 8 * sizeof byte; k++) {
        byte[k / 8] = (unsigned char)(1u << k % 8);
        write_bytes("bytes", byte, sizeof byte);
        hash[count++] = hash_of_file("bytes");
        byte[k / 8] = 0;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(hash[i] != hash[k]);
}

static void an_older_shorter_type_is_filled_up_with_null(void **state)
{
    (void)state;
    char reason[256];
    make_directory("old");
    compile("old/spring.so", "-DTYPE_SIZE='offsetof(tn_element_type, prepare)'");
    tn_registry *registry = registry_with("old");
    const tn_loaded_element *type =
        tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_non_null(type);
    assert_int_equal(type->instance_size, 80);
    assert_null(type->prepare); /* it is there in memory, but beyond struct_size */
    assert_null(type->output);
}

static void a_library_may_hold_several_types(void **state)
{
    (void)state;
    char reason[256];
    make_directory("several");
    compile("several/spring.so", "-DMORE='{\"element\", &second}, {\"gizmo\", &second},'");
    tn_registry *registry = registry_with("several");
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason));
    assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason));
    assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason));
    const tn_plugin_file *file = file_named(registry, "several/spring.so");
    assert_int_equal(file->verdict, TN_LOADED);
    assert_non_null(strstr(file->reason, "\"gizmo\"")); /* a note, not a refusal */
}

static void the_program_brings_its_own_directory(void **state)
{
    (void)state;
    char reason[256];
    make_directory("bin");
    make_directory("bin/plugins");
    compile("bin/plugins/spring.so", "");
    tn_registry *registry = tn_registry_new(path_of("bin/tenon"), tn_reader_loading);
    assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason));
    assert_true(tn_registry_trusts(registry, path_of("bin/plugins/spring.so")));
    assert_false(tn_registry_trusts(registry, path_of("good/spring.so")));
    assert_false(tn_registry_trusts(registry, path_of("bin/plugins/../../good/spring.so")));
}

static void the_environment_adds_directories(void **state)
{
    (void)state;
    char reason[256], variable[1024];
    (void)snprintf(variable, sizeof variable, "%s::%s", path_of("absent"), path_of("good"));
    setenv("TENON_PLUGIN_PATH", variable, 1);
    tn_registry *registry = tn_registry_new("/nowhere/tenon", tn_reader_loading);
    unsetenv("TENON_PLUGIN_PATH");
    assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason));
    assert_reason(registry, "absent", TN_SKIPPED, "No such file");
}

static void a_link_of_a_type_beside_its_library_is_the_library(void **state)
{
    (void)state;
    char reason[256];
    make_directory("linked");
    compile("linked/springs.so", "-DMORE='{\"element\", &second},'");
    assert_int_equal(symlink("springs.so", path_of("linked/second.so")), 0);
    assert_int_equal(symlink("second.so", path_of("linked/spring.so")), 0);
    assert_int_equal(symlink("round.so", path_of("linked/round.so")), 0);

    tn_registry *registry = registry_with("linked");
    const void *type = tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_string_equal(tn_registry_file_of(registry, type)->path, path_of("linked/springs.so"));
    type = tn_registry_find(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason);
    assert_string_equal(tn_registry_file_of(registry, type)->path, path_of("linked/springs.so"));
    tn_registry_load_all(registry, NULL);
    assert_int_equal(tn_registry_file_count(registry), 2);
    assert_int_equal(file_named(registry, "linked/springs.so")->verdict, TN_LOADED);
    assert_reason(registry, "linked/round.so", TN_REFUSED, "symbolic link");
}

static void the_link_of_a_type_stands_in_the_place_of_its_directory(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        tn_registry *registry = registry_with(first ? "good" : "linked");
        assert_true(tn_registry_add_directory(registry, path_of(first ? "linked" : "good")));
        tn_registry_load_all(registry, NULL);
        const char *later = first ? "good/spring.so" : "linked/springs.so";
        assert_non_null(
            strstr(file_named(registry, later)->reason, first ? "linked/springs.so, which is found first"
                                                              : "good/spring.so, which is found first"));
    }
}

/* ---- what is no plugin at all ---- */

static void every_file_is_reported(void **state)
{
    (void)state;
    char reason[1024];
    make_directory("mixed");
    make_directory("mixed/folder.so");
    write_file("mixed/text.so", "just some text\n");
    write_file("mixed/empty.so", "");
    write_file("mixed/README", "hello\n");
    compile("mixed/spring.so", "");
    assert_int_equal(symlink("spring.so", path_of("mixed/twin.so")), 0);
    assert_int_equal(symlink("/nowhere/at/all.so", path_of("mixed/broken.so")), 0);

    tn_registry *registry = registry_with("mixed");
    tn_registry_load_all(registry, NULL);
    assert_int_equal(tn_registry_file_count(registry), 7);
    assert_reason(registry, "mixed/folder.so", TN_SKIPPED, "a directory");
    assert_reason(registry, "mixed/text.so", TN_REFUSED, "cannot be opened");
    assert_reason(registry, "mixed/empty.so", TN_REFUSED, "file too short");
    assert_reason(registry, "mixed/README", TN_SKIPPED, "does not end in .so");
    assert_reason(registry, "mixed/broken.so", TN_REFUSED, "symbolic link to \"/nowhere/at/all.so\"");
    assert_reason(registry, "mixed/twin.so", TN_SKIPPED, "the same file as");
    assert_int_equal(file_named(registry, "mixed/spring.so")->verdict, TN_LOADED);
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "broken", reason, sizeof reason));
    assert_non_null(strstr(reason, "symbolic link"));
}

static void an_unreadable_file_is_refused(void **state)
{
    (void)state;
    if (geteuid() == 0) skip(); /* root reads everything */
    make_directory("locked");
    compile("locked/spring.so", "");
    assert_int_equal(chmod(path_of("locked/spring.so"), 0), 0);
    tn_registry *registry = registry_with("locked");
    tn_registry_load_all(registry, NULL);
    assert_reason(registry, "locked/spring.so", TN_REFUSED, "Permission denied");
}

static void a_name_never_leads_out_of_the_directories(void **state)
{
    (void)state;
    char reason[256];
    tn_registry *registry = registry_with("front");
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "../good/spring", reason, sizeof reason));
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "", reason, sizeof reason));
    assert_int_equal(tn_registry_file_count(registry), 0);
}

/* ---- who wins ---- */

static void the_first_directory_wins_and_the_later_file_is_skipped(void **state)
{
    (void)state;
    char reason[256];
    tn_registry *registry = registry_with("good");
    assert_true(tn_registry_add_directory(registry, path_of("front")));
    tn_registry_load_all(registry, NULL);
    const void *type = tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_string_equal(tn_registry_file_of(registry, type)->library->licence, "first");
    assert_reason(registry, "good/spring.so", TN_SKIPPED, "element \"spring\" comes from");
}

static void a_file_of_the_name_beats_a_library_opened_before(void **state)
{
    (void)state;
    char reason[256];
    make_directory("both");
    compile("both/a.so", "-DNAME='\"a\"' -DMORE='{\"element\", &second},'");
    compile("both/second.so", "-DNAME='\"second\"'");
    for (int opened_before = 0; opened_before < 2; opened_before++) {
        tn_registry *registry = registry_with("both");
        if (opened_before)
            assert_non_null(tn_registry_find(registry, TN_ELEMENT_KIND, "a", reason, sizeof reason));
        const void *type = tn_registry_find(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason);
        assert_string_equal(tn_registry_file_of(registry, type)->path, path_of("both/second.so"));
    }
}

static void a_mapping_comes_first_and_never_falls_back(void **state)
{
    (void)state;
    char reason[1024];
    tn_registry *registry = registry_with("good");
    tn_registry_map(registry, "spring", path_of("front/spring.so"));
    const void *type = tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason);
    assert_string_equal(tn_registry_file_of(registry, type)->path, path_of("front/spring.so"));

    compile("other.so", "-DNAME='\"other\"'");
    tn_registry_map(registry, "spring", path_of("other.so"));
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "spring", reason, sizeof reason));
    assert_non_null(strstr(reason, "holds no element \"spring\""));
}

static void names_are_offered_without_opening_files(void **state)
{
    (void)state;
    tn_nearest search;
    tn_registry *registry = registry_with("good");
    tn_nearest_start(&search, "sprnig");
    tn_registry_offer(registry, TN_ELEMENT_KIND, &search);
    assert_string_equal(search.best, "spring");
    assert_int_equal(tn_registry_file_count(registry), 0);

    /* once the file is open it is known to be no marker */
    tn_registry_load_all(registry, NULL);
    tn_nearest_start(&search, "sprnig");
    tn_registry_offer(registry, TN_MARKER_KIND, &search);
    assert_null(search.best);
}

static void a_type_under_the_name_of_another_is_found_before_it_is_refused(void **state)
{
    (void)state;
    char reason[TN_LONGEST_REASON];
    make_directory("unlinked");
    compile("unlinked/springs.so", "-DMORE='{\"element\", &second},'");
    tn_registry *registry = registry_with("unlinked");
    assert_null(tn_registry_find(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason));
    assert_int_equal(tn_registry_file_count(registry), 0); /* nothing is opened for what may be there */
    assert_non_null(tn_registry_find_anywhere(registry, TN_ELEMENT_KIND, "second", reason, sizeof reason));
    assert_null(tn_registry_find_anywhere(registry, TN_ELEMENT_KIND, "third", reason, sizeof reason));
    assert_string_equal(reason, "no third.so on the search path");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_type_is_found_by_the_name_of_its_file),
        cmocka_unit_test(the_hash_is_that_of_all_bytes_of_the_file),
        cmocka_unit_test(files_that_differ_in_one_bit_have_other_hashes),
        cmocka_unit_test(an_older_shorter_type_is_filled_up_with_null),
        cmocka_unit_test(a_library_may_hold_several_types),
        cmocka_unit_test(a_link_of_a_type_beside_its_library_is_the_library),
        cmocka_unit_test(the_link_of_a_type_stands_in_the_place_of_its_directory),
        cmocka_unit_test(the_program_brings_its_own_directory),
        cmocka_unit_test(the_environment_adds_directories),
        cmocka_unit_test(every_file_is_reported),
        cmocka_unit_test(an_unreadable_file_is_refused),
        cmocka_unit_test(a_name_never_leads_out_of_the_directories),
        cmocka_unit_test(the_first_directory_wins_and_the_later_file_is_skipped),
        cmocka_unit_test(a_file_of_the_name_beats_a_library_opened_before),
        cmocka_unit_test(a_mapping_comes_first_and_never_falls_back),
        cmocka_unit_test(a_type_under_the_name_of_another_is_found_before_it_is_refused),
        cmocka_unit_test(names_are_offered_without_opening_files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

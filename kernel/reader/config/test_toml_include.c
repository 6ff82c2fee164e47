/* test_toml_include.c - files that a model includes: what is merged, in which order, and what goes wrong */
#define _GNU_SOURCE
#include "config/test_toml.h"
#include "config/test_messages.h"

#include <ftw.h>
#include <sys/stat.h>

enum { MOST_FILES = 6 };

/* Files by name and text, of which model.toml is read: then `tree` is the whole as TOML, or `errors` are reported. */
typedef struct scene {
    struct {
        const char *name, *text;
    } file[MOST_FILES];
    const char *tree, *errors;
} scene;

static char directory[] = "/tmp/test_include_XXXXXX";

static int open_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int discard_file(const char *path, const struct stat *status, int kind, struct FTW *position)
{
    (void)status, (void)kind, (void)position;
    return remove(path);
}

static int close_directory(void **state)
{
    (void)state;
    return nftw(directory, discard_file, 16, FTW_DEPTH | FTW_PHYS);
}

static const char *path_of(const char *name)
{
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *stream = fopen(path_of(name), "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0 && fclose(stream) == 0);
}

/* Reads model.toml; the diagnostics without the directory (malloc'd), and the tree as text (malloc'd; NULL for none). */
static char *read_model(char **tree)
{
    tn_diagnostics *diagnostics = tn_diagnostics_new();
    tn_document *document = tn_document_read(path_of("model.toml"), diagnostics);
    *tree = document ? tn_toml_print(tn_document_root(document)) : NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    print_messages(diagnostics, stream);
    (void)fclose(stream);
    keep_first_lines(text);
    for (char *place; (place = strstr(text, directory));
         memmove(place, place + sizeof directory, strlen(place + sizeof directory) + 1))
        ;
    return text;
}

static void check_scene(const scene *shown)
{
    char *tree = NULL;
    for (int k = 0; k < MOST_FILES && shown->file[k].name; k++)
        write_text(shown->file[k].name, shown->file[k].text);
    char *errors = read_model(&tree);
    assert_string_equal(errors, shown->errors ? shown->errors : "");
    if (shown->tree) assert_string_equal(tree, shown->tree);
    tn_free(errors);
    tn_free(tree);
}

#define CHECK_SCENES(scenes)                                       \
    for (size_t k = 0; k < sizeof(scenes) / sizeof *(scenes); k++) \
    check_scene(&(scenes)[k])

#define INCLUDE(files) "[include]\nfiles = [" files "]\n"

static void own_values_win_and_own_items_follow(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml",
           INCLUDE("\"a.toml\", \"b.toml\"") "[parameters]\nk = 3\n[[element]]\nname = \"own\"\n"},
          {"a.toml", "[parameters]\nk = 1\nm = 1\n[[element]]\nname = \"a\"\n"},
          {"b.toml", "[[element]]\nname = \"b\"\n[parameters]\nk = 2\nm = 2\nn = 2\n"}},
         "[parameters]\nk = 3\nm = 2\nn = 2\n\n[[element]]\nname = \"a\"\n\n[[element]]\nname = \"b\"\n\n"
         "[[element]]\nname = \"own\"\n",
         NULL},
        /* a solver is not mixed, whichever way it is written */
        {{{"model.toml", INCLUDE("\"a.toml\"") "[solver]\ntype = \"rk\"\n"},
          {"a.toml", "[solver]\ntype = \"ida\"\nmax_order = 3\n"}},
         "[solver]\ntype = \"rk\"\n",
         NULL},
        {{{"model.toml", INCLUDE("\"a.toml\"") "[solver]\ntype = \"rk\"\n"},
          {"a.toml", "[[solver]]\ntype = \"ida\"\n[[solver]]\ntype = \"static\"\n"}},
         "[solver]\ntype = \"rk\"\n",
         NULL},
        {{{"model.toml", INCLUDE("\"a.toml\"")}, {"a.toml", "[solver]\ntype = \"ida\"\n"}},
         "[solver]\ntype = \"ida\"\n",
         NULL},
        {{{"model.toml", INCLUDE("")}}, "", NULL},
        {{{"model.toml", INCLUDE("\"a.toml\"")}, {"a.toml", ""}}, "", NULL},
        /* arrays and tables do not mix, and none is lost */
        {{{"model.toml", INCLUDE("\"a.toml\"") "[part]\nuses = []\n"},
          {"a.toml", "\n[[part]]\nname = \"a\"\n"}},
         NULL,
         "model.toml:3:2: error: `part` cannot be joined with the one at a.toml:2: they are written "
         "differently\n"},
    };
    CHECK_SCENES(scenes);
}

static void a_file_is_merged_once(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", INCLUDE("\"a.toml\", \"b.toml\", \"./a.toml\"") "[[element]]\nname = \"own\"\n"},
          {"a.toml", INCLUDE("\"c.toml\"") "[[element]]\nname = \"a\"\n"},
          {"b.toml", INCLUDE("\"c.toml\"") "[[element]]\nname = \"b\"\n"},
          {"c.toml", "[[element]]\nname = \"c\"\n"}},
         "[[element]]\nname = \"c\"\n\n[[element]]\nname = \"a\"\n\n[[element]]\nname = \"b\"\n\n"
         "[[element]]\nname = \"own\"\n",
         NULL},
    };
    CHECK_SCENES(scenes);
}

static void paths_are_relative_to_the_file_they_stand_in(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path_of("deep er"), 0700), 0);
    assert_int_equal(mkdir(path_of("deep er/\"\xC3\xBC\""), 0700), 0);
    static const scene scenes[] = {
        {{{"model.toml", INCLUDE("\"deep er/a.toml\"")},
          {"deep er/a.toml", "[include]\nfiles = ['\"\xC3\xBC\"/b.toml']\n"},
          {"deep er/\"\xC3\xBC\"/b.toml", INCLUDE("\"../../c.toml\"") "[parameters]\nb = 1\n"},
          {"c.toml", "[parameters]\nc = 1\n"}},
         "[parameters]\nc = 1\nb = 1\n",
         NULL},
    };
    CHECK_SCENES(scenes);
    /* a link is the file that it leads to, and stands where it stands */
    assert_int_equal(symlink("../c.toml", path_of("deep er/link.toml")), 0);
    static const scene linked = {{{"model.toml", INCLUDE("\"deep er/link.toml\", \"c.toml\"")},
                                  {"c.toml", "[[element]]\nname = \"c\"\n"}},
                                 "[[element]]\nname = \"c\"\n",
                                 NULL};
    check_scene(&linked);
}

static void files_cannot_include_themselves(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", INCLUDE("\"model.toml\"")}},
         NULL,
         "model.toml:2:10: error: `model.toml` includes itself\n"},
        {{{"model.toml", INCLUDE("\"a.toml\"")},
          {"a.toml", INCLUDE("\"b.toml\"")},
          {"b.toml", INCLUDE("\"./a.toml\", \"model.toml\"")}},
         NULL,
         "b.toml:2:10: error: `./a.toml` includes itself, by way of the files between (included from "
         "a.toml:2:10, "
         "included from model.toml:2:10)\n"
         "b.toml:2:22: error: `model.toml` includes itself, by way of the files between (included from "
         "a.toml:2:10, included from model.toml:2:10)\n"},
    };
    CHECK_SCENES(scenes);
}

/* Each file includes the next one; the last one has an element. */
static char *report_chain(int depth, char **tree)
{
    char name[32], text[64];
    write_text("model.toml", INCLUDE("\"i1.toml\""));
    for (int k = 1; k <= depth; k++) {
        (void)snprintf(name, sizeof name, "i%d.toml", k);
        (void)snprintf(text, sizeof text, INCLUDE("\"i%d.toml\""), k + 1);
        write_text(name, k == depth ? "[[element]]\n" : text);
    }
    return read_model(tree);
}

static void files_include_each_other_a_hundred_deep(void **state)
{
    (void)state;
    char *tree = NULL, *errors = report_chain(100, &tree);
    assert_string_equal(errors, "");
    assert_string_equal(tree, "[[element]]\n");
    tn_free(errors);
    tn_free(tree);
    errors = report_chain(200, &tree);
    static const char expected[] =
        "i100.toml:2:10: error: files include each other more than 100 deep (included from";
    assert_int_equal(strncmp(errors, expected, sizeof expected - 1), 0);
    tn_free(errors);
    tn_free(tree);
}

static void what_cannot_be_read_is_told_where_it_is_asked_for(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", INCLUDE("\"a.toml\", \"none.toml\"") "[parameters]\nk = 1\n"},
          {"a.toml", INCLUDE("\"nothing.toml\"")}},
         "[parameters]\nk = 1\n",
         "a.toml:2:10: error: `nothing.toml`: cannot read: No such file or directory (included from "
         "model.toml:2:10)\n"
         "model.toml:2:20: error: `none.toml`: cannot read: No such file or directory\n"},
        {{{"model.toml", INCLUDE("\".\"")}},
         NULL,
         "model.toml:2:10: error: `.`: cannot read: Is a directory\n"},
        {{{"model.toml", INCLUDE("\"a.toml\"")}, {"a.toml", INCLUDE("\"b.toml\"")}, {"b.toml", "k = \n"}},
         NULL,
         "b.toml:1:5: error: key-value pair: expected value, saw '\\n' (included from a.toml:2:10, included "
         "from "
         "model.toml:2:10)\n"},
    };
    CHECK_SCENES(scenes);
}

static void the_table_holds_an_array_of_paths(void **state)
{
    (void)state;
    static const char needed[] = "error: [include] has an array of paths: files = [\"..\"]\n";
    const struct {
        const char *text, *place;
    } wrong[] = {{"[include]\nfiles = \"a.toml\"\n", "model.toml:2:9: "},
                 {"[include]\n", "model.toml:1:1: "},
                 {"include = [\"a.toml\"]\n", "model.toml:1:11: "},
                 {"[[include]]\nfiles = [\"a.toml\"]\n", "model.toml:1:1: "}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char expected[128];
        (void)snprintf(expected, sizeof expected, "%s%s", wrong[k].place, needed);
        const scene shown = {{{"model.toml", wrong[k].text}}, NULL, expected};
        check_scene(&shown);
    }
    static const scene scenes[] = {
        {{{"model.toml", "[include]\nfile = [\"a.toml\"]\n"}},
         NULL,
         "model.toml:2:1: error: unknown key `file`: [include] has `files`\n"},
        {{{"model.toml", INCLUDE("3, [\"a.toml\"]")}},
         NULL,
         "model.toml:2:10: error: the path of a file is expected\n"
         "model.toml:2:13: error: the path of a file is expected\n"},
    };
    CHECK_SCENES(scenes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_values_win_and_own_items_follow),
        cmocka_unit_test(a_file_is_merged_once),
        cmocka_unit_test(paths_are_relative_to_the_file_they_stand_in),
        cmocka_unit_test(files_cannot_include_themselves),
        cmocka_unit_test(files_include_each_other_a_hundred_deep),
        cmocka_unit_test(what_cannot_be_read_is_told_where_it_is_asked_for),
        cmocka_unit_test(the_table_holds_an_array_of_paths),
    };
    return cmocka_run_group_tests(tests, open_directory, close_directory);
}

/* test_model_errors.c - what `tenon check` says of files that are no models and of wrong overrides */
#include "cli/test_directory.h"
#include "config/test_first_lines.h"

#include <sys/wait.h>

/* Runs `tenon check` with these words: its exit status must be 2 with these errors, or 0 without any. */
static void check_words(const char *words, const char *errors)
{
    char command[1024], said[16384] = "";
    (void)snprintf(command, sizeof command, "%s check %s 2>&1 >/dev/null", TENON_BINARY, words);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    said[fread(said, 1, sizeof said - 1, output)] = '\0';
    keep_first_lines(said);
    const int status = pclose(output);
    assert_true(WIFEXITED(status));
    assert_string_equal(said, errors);
    assert_int_equal(WEXITSTATUS(status), errors[0] ? 2 : 0);
}

static void check_bytes(const char *text, size_t length, const char *errors)
{
    write_bytes("m.toml", text, length);
    check_words("m.toml", errors);
}

static void check_text(const char *text, const char *errors) { check_bytes(text, strlen(text), errors); }

static void check_set(const char *words, const char *errors)
{
    write_bytes("m.toml", right_model, strlen(right_model));
    check_words(words, errors);
}

/* ---- files ----------------------------------------------------------------------------------------------- */

static void what_cannot_be_read_is_told(void **state)
{
    (void)state;
    check_words("nowhere.toml", "nowhere.toml: error: cannot read: No such file or directory\n");
    check_words(".", ".: error: cannot read: Is a directory\n");
    check_words("''", "error: cannot read: No such file or directory\n");
    check_bytes("a\n\x80\xFF", 4, "m.toml:2:1: error: the byte 0x80 is not UTF-8 text\n");
    check_bytes("a = \"\0\"", 7,
                "m.toml:1:6: error: string: unescaped control characters other than TAB "
                "(U+0009) are explicitly prohibited\n");
    check_text("name = \"a\\u0000b\"\n", "m.toml:1:8: error: a string with U+0000\n");
}

static void an_empty_file_is_a_model_of_nothing(void **state)
{
    (void)state;
    check_text("", "");
    check_text("\xEF\xBB\xBF\r\n# nothing\r\n", "");
}

/* Neither a byte order mark nor carriage returns nor tabs move a place. */
static void places_are_those_that_an_editor_shows(void **state)
{
    (void)state;
    check_text("\xEF\xBB\xBF"
               "a = 1\n",
               "m.toml:1:1: error: unknown key `a`\n");
    check_text("\r\n\r\n\ta = 1\r\n", "m.toml:3:2: error: unknown key `a`\n");
    check_text("[parameters]\r\nk = \"\"\"\r\n1 +\r\n $\"\"\"\r\n",
               "m.toml:4:2: error: unexpected character `$`\n");
    check_text("[parameters]\nk = [\"\xC3\xA4\"] # \xC3\xA4\n[modell]\n",
               "m.toml:2:5: error: `k`: a number is expected, not an array\nm.toml:3:2: error: unknown key "
               "`modell`: did you mean `model`?\n");
}

/* Repeats a text, malloc'd. */
static char *many(const char *text, size_t count)
{
    const size_t length = strlen(text);
    char *result = calloc(count, length + 1);
    assert_non_null(result);
    for (size_t k = 0; k < count; k++)
        memcpy(result + k * length, text, length);
    return result;
}

static void check_long(const char *before, const char *text, size_t count, const char *after,
                       const char *errors)
{
    char *middle = many(text, count);
    const size_t size = strlen(before) + strlen(middle) + strlen(after) + 1;
    char *model = calloc(1, size);
    assert_non_null(model);
    (void)snprintf(model, size, "%s%s%s", before, middle, after);
    check_text(model, errors);
    free(model);
    free(middle);
}

static void lines_may_be_long_and_tables_deep(void **state)
{
    (void)state;
    check_long("[parameters]\nk = \"1", "+1", 500000, "\"\n", "");
    check_long("[parameters]\nk = \"", "(", 500000, "\"\n",
               "m.toml:2:206: error: nested deeper than 200 levels\n");
    check_long(
        "k = ", "[", 100000, "\n",
        "m.toml:1:261: error: value: exceeded maximum nested value depth of 256 (TOML_MAX_NESTED_VALUES)\n");
    check_long("k", ".k", 100000, " = 1\n", "m.toml:1:202: error: a key with more than 100 dots\n");
}

static void a_long_message_is_cut(void **state)
{
    (void)state;
    char *key = many("k", 1000000);
    char expected[4096];
    (void)snprintf(expected, sizeof expected, "m.toml:1:1: error: unknown key `%.*s...\n", 1987, key);
    check_long("", key, 1, " = 1\n", expected);
    free(key);
}

static void of_errors_of_a_kind_ten_are_shown(void **state)
{
    (void)state;
    char model[4096] = "", expected[8192] = "";
    for (int k = 0; k < 150; k++) {
        (void)sprintf(model + strlen(model), "k%d = 1\n", k);
        if (k < 10)
            (void)sprintf(expected + strlen(expected), "m.toml:%d:1: error: unknown key `k%d`\n", k + 1, k);
    }
    strcat(expected, "... and 140 more of this kind\n");
    check_text(model, expected);
}

/* ---- overrides ------------------------------------------------------------------------------------------- */

static void an_override_may_add_what_is_missing(void **state)
{
    (void)state;
    check_set("m.toml --set parameters.k=3 --set 'solver.step=k [ms]'", "");
    check_set("m.toml --set element.mass.mass=2 --set element.0.gravity_scale=0", "");
    check_set("m.toml --set 'model.gravity=[0, 0, -1]' --set solver.newton.max_iterations=5", "");
}

static void a_wrong_override_is_told_at_its_value(void **state)
{
    (void)state;
    check_set("m.toml --set parameters.k=foo", "--set parameters.k:1:1: error: unknown name `foo`\n");
    check_set("m.toml --set parameters.k=", "--set parameters.k:1:1: error: the expression is empty\n");
    check_set("m.toml --set 'element.mass.position=[1, \"2 $\", 3]'",
              "--set element.mass.position:1:8: error: unexpected character `$`\n");
    check_set("m.toml --set element.mass.mass=-1", "--set element.mass.mass:1:1: error: `mass` of `mass`: -1 "
                                                   "is out of range: it must be larger than 0\n");
    check_set("m.toml --set element.mass.mas=1",
              "--set element.mass.mas:1:1: error: unknown key `mas`: did you mean `mass`?\n");
    check_set("m.toml --set solver.step=-1 --set solvr.step=1",
              "--set solvr.step:1:1: error: unknown key `solvr`: did you mean `solver`?\n--set "
              "solver.step:1:1: error: `step` of [solver]: -1 is out of range: it must be larger than 0\n");
    check_set("m.toml --set output.interval=0.15", "--set output.interval:1:1: error: the interval 0.15 s is "
                                                   "not a multiple of the fixed step 0.1 s: steps "
                                                   "would not end at the rows\n");
}

static void a_path_must_lead_to_a_key(void **state)
{
    (void)state;
    check_set(
        "m.toml --set element.mas.mass=1",
        "--set element.mas.mass: error: \"element\" has no item named \"mas\": did you mean \"mass\"?\n");
    check_set("m.toml --set element.1.mass=1",
              "--set element.1.mass: error: \"element\" has no item named \"1\"\n");
    check_set("m.toml --set element.mass.mass.unit=kg",
              "--set element.mass.mass.unit: error: \"element.mass.mass\" has no keys: it is neither a table "
              "nor an "
              "array of tables\n");
    check_set("m.toml --set element=1",
              "m.toml:1:3: error: `element` is an array of tables: write [[element]]\n");
    check_set("m.toml --set parameters.k", "error: --set parameters.k: `path=value` is expected\n");
    check_set("m.toml --set parameters..k=1",
              "--set parameters..k: error: a path is needed, such as parameters.k or element.NAME.key\n");
    check_set("m.toml --set =1",
              "--set : error: a path is needed, such as parameters.k or element.NAME.key\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_read_is_told),
        cmocka_unit_test(an_empty_file_is_a_model_of_nothing),
        cmocka_unit_test(places_are_those_that_an_editor_shows),
        cmocka_unit_test(lines_may_be_long_and_tables_deep),
        cmocka_unit_test(a_long_message_is_cut),
        cmocka_unit_test(of_errors_of_a_kind_ten_are_shown),
        cmocka_unit_test(an_override_may_add_what_is_missing),
        cmocka_unit_test(a_wrong_override_is_told_at_its_value),
        cmocka_unit_test(a_path_must_lead_to_a_key),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}

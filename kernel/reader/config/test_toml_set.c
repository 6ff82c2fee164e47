/* test_toml_set.c - places inside strings, and overrides of values with places of their own. */
#include "config/test_toml.h"

/* ---- places inside strings ---- */

/* The byte `offset` of the string `s` of the text must stand at line:column. */
static void check_inside(fixture *test, const char *text, size_t offset, uint32_t line, uint32_t column)
{
    const tn_toml *string = tn_toml_get(read_text(test, text), "s");
    check_place(tn_toml_place_in_text(test->document, string, offset), line, column);
}

static void places_in_strings_of_one_line(void **state)
{
    check_inside(*state, "s = \"2*k\"\n", 0, 1, 6);
    check_inside(*state, "s = \"2*k\"\n", 2, 1, 8);
    check_inside(*state, "s = \"2*k\"\n", 3, 1, 9);
    check_inside(*state, "s = \"2*k\"\n", 99, 1, 9);
    check_inside(*state, "s = 'a\\nb'\n", 3, 1, 9);
    check_inside(*state, "a = 1\n  s = ''\n", 0, 2, 8);
}

static void places_behind_escapes_and_wide_characters(void **state)
{
    check_inside(*state, "s = \"\\t\\\"\\\\x\"\n", 3, 1, 12);
    check_inside(*state, "s = \"\\t\\\"\\\\x\"\n", 1, 1, 8);
    check_inside(*state, "s = \"\\u00e4\\U0001F600x\"\n", 2, 1, 12);
    check_inside(*state, "s = \"\\u00e4\\U0001F600x\"\n", 6, 1, 22);
    check_inside(*state, "s = \"\\u20ACx\"\n", 3, 1, 12);
    check_inside(*state, "s = \"\xC3\xA4\xE2\x82\xACx\"\n", 5, 1, 8);
    check_inside(*state, "s = \"\xC3\xA4\xE2\x82\xACx\"\n", 3, 1, 7);
}

static void places_in_strings_of_several_lines(void **state)
{
    check_inside(*state, "s = \"\"\"ab\ncd\"\"\"\n", 1, 1, 9);
    check_inside(*state, "s = \"\"\"\nab\ncd\"\"\"\n", 0, 2, 1);
    check_inside(*state, "s = \"\"\"\nab\ncd\"\"\"\n", 4, 3, 2);
    check_inside(*state, "s = \"\"\"\r\nab\r\ncd\"\"\"\r\n", 4, 3, 2);
    check_inside(*state, "s = \"\"\"a \"\"b\"\"\"\"\n", 4, 1, 12);
    check_inside(*state, "s = '''\na\\\nb'''\n", 3, 3, 1);
    check_inside(*state, "s = \"\"\"2 \\  \n\n   *k\"\"\"\n", 2, 3, 4);
    check_inside(*state, "s = \"\"\"\\\n   k\"\"\"\n", 0, 2, 4);
    check_inside(*state, "s = \"\"\"k\\\n   \"\"\"\n", 1, 2, 4);
}

/* Every character of a decoded string must be found again in the file. */
static void every_character_is_found_in_the_file(void **state)
{
    fixture *test = *state;
    static const char text[] =
        "s = \"\"\"\r\na\\tb\\u00e9\xC3\xA4 \\\r\n \t\r\n  c\r\nd\\\\\"e\\U0001F600f\"\"\"";
    const tn_toml *string = tn_toml_get(read_text(test, text), "s");
    assert_string_equal(string->text, "a\tb\xC3\xA9\xC3\xA4 c\nd\\\"e\xF0\x9F\x98\x80"
                                      "f");
    static const struct {
        char letter;
        uint32_t line, column;
    } places[] = {{'a', 2, 1}, {'b', 2, 4}, {'c', 4, 3}, {'d', 5, 1}, {'e', 5, 5}, {'f', 5, 16}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const size_t offset = (size_t)(strchr(string->text, places[i].letter) - string->text);
        check_place(tn_toml_place_in_text(test->document, string, offset), places[i].line, places[i].column);
    }
}

static void the_place_of_what_is_no_string_is_its_own(void **state)
{
    const tn_toml *root = read_text(*state, "k = 12\n");
    check_place(tn_toml_place_in_text(((fixture *)*state)->document, root->child[0], 1), 1, 5);
}

/* ---- overrides ---- */

static const char model[] = "[model]\nname = 'm'\n[parameters]\nk = 1\n[[element]]\nname = 'mass'\nmass = 1\n"
                            "[[element]]\nname = 'spring'\nstiffness = 2\nforce = { value = 1 }\n"
                            "[solver]\ntype = 'rk'\n";

static const tn_toml *set(fixture *test, const char *path, const char *value)
{
    assert_true(tn_document_set(test->document, path, value, test->diagnostics));
    return tn_document_root(test->document);
}

static void a_value_is_replaced(void **state)
{
    fixture *test = *state;
    const tn_toml *root = read_text(test, model);
    set(test, "parameters.k", "200");
    const tn_toml *k = tn_toml_get(tn_toml_get(root, "parameters"), "k");
    assert_int_equal(k->integer, 200);
    assert_string_equal(k->key, "k");
    assert_string_equal(k->place.file, "--set parameters.k");
    check_place(k->place, 1, 1);
    check_place(k->key_place, 4, 1);
    assert_int_equal(tn_toml_get(root, "parameters")->count, 1);

    set(test, "element.spring.stiffness", "[1, 2.5]");
    const tn_toml *stiffness = tn_toml_get(tn_toml_get(root, "element")->child[1], "stiffness");
    assert_true(same(stiffness->child[1]->real, 2.5));
    check_place(stiffness->child[1]->place, 1, 5);
    set(test, "element.spring.force.value", "true");
    assert_int_equal(tn_toml_get(tn_toml_get(tn_toml_get(root, "element")->child[1], "force"), "value")->kind,
                     TN_TOML_BOOLEAN);
}

static void what_is_missing_is_added(void **state)
{
    fixture *test = *state;
    const tn_toml *root = read_text(test, "[solver]\ntype = 'rk'\n");
    set(test, "solver.step", "1e-3");
    set(test, "parameters.k", "1");
    set(test, "output.directory", "here");
    assert_true(same(tn_toml_get(tn_toml_get(root, "solver"), "step")->real, 1e-3));
    assert_int_equal(tn_toml_get(tn_toml_get(root, "parameters"), "k")->integer, 1);
    const tn_toml *directory = tn_toml_get(tn_toml_get(root, "output"), "directory");
    assert_string_equal(directory->text, "here");
    assert_string_equal(directory->key_place.file, "--set output.directory");
    check_place(directory->key_place, 1, 1);

    set(test, "solver.newton.jacobian", "full");
    const tn_toml *newton = tn_toml_get(tn_toml_get(root, "solver"), "newton");
    assert_string_equal(tn_toml_get(newton, "jacobian")->text, "full");
    assert_string_equal(newton->place.file, "--set solver.newton.jacobian");
}

static void an_item_is_chosen_by_its_number(void **state)
{
    fixture *test = *state;
    const tn_toml *root = read_text(test, "[[solver]]\nstep = 1\n[[solver]]\nstep = 2\n");
    set(test, "solver.1.step", "3");
    assert_int_equal(tn_toml_get(root->child[0]->child[0], "step")->integer, 1);
    assert_int_equal(tn_toml_get(root->child[0]->child[1], "step")->integer, 3);
}

static void a_number_of_a_matrix_is_chosen_by_row_and_column(void **state)
{
    fixture *test = *state;
    const tn_toml *root = read_text(test, "[[element]]\nname = 'b'\ninertia = [[1, 2], [3, 4]]\n");
    set(test, "element.b.inertia[1][0]", "5");
    const tn_toml *rows = tn_toml_get(root->child[0]->child[0], "inertia");
    assert_int_equal(rows->child[1]->child[0]->integer, 5);
    assert_int_equal(rows->child[0]->child[0]->integer, 1);
    assert_int_equal(rows->child[1]->child[1]->integer, 4);
}

/* An item is found by the name that it has by then; of two of one name it is the first. */
static void an_item_is_found_after_it_was_renamed(void **state)
{
    fixture *test = *state;
    const tn_toml *root =
        read_text(test, "[[element]]\nname = 'a'\n[[element]]\nname = 'b'\n[[element]]\nname = 'b'\n");
    const tn_toml *element = root->child[0];
    set(test, "element.b.mass", "1");
    set(test, "element.a.name", "'c'");
    set(test, "element.c.mass", "2");
    assert_int_equal(tn_toml_get(element->child[0], "mass")->integer, 2);
    assert_int_equal(tn_toml_get(element->child[1], "mass")->integer, 1);
    assert_null(tn_toml_get(element->child[2], "mass"));
    assert_false(tn_document_set(test->document, "element.a.mass", "3", test->diagnostics));
}

static void what_is_no_toml_value_is_a_string(void **state)
{
    fixture *test = *state;
    static const char *const values[] = {"klu",     "0.5 [N/m]", "2*k",         "",     "[1, 2", "1\nw = 2",
                                         "'a' 'b'", "07",        "\"quotes\"x", "1 = 2"};
    read_text(test, model);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const tn_toml *value =
            tn_toml_get(tn_toml_get(set(test, "solver.type", values[i]), "solver"), "type");
        assert_int_equal(value->kind, TN_TOML_STRING);
        assert_string_equal(value->text, values[i]);
        assert_int_equal(value->length, strlen(values[i]));
    }
}

static void places_inside_values_of_overrides(void **state)
{
    fixture *test = *state;
    read_text(test, model);
    const tn_toml *plain = tn_toml_get(tn_toml_get(set(test, "parameters.a", "'\\n* k"), "parameters"), "a");
    check_place(tn_toml_place_in_text(test->document, plain, 5), 1, 6);
    const tn_toml *quoted =
        tn_toml_get(tn_toml_get(set(test, "parameters.b", "\"\\n* k\""), "parameters"), "b");
    check_place(tn_toml_place_in_text(test->document, quoted, 3), 1, 6);
    const tn_toml *array =
        tn_toml_get(tn_toml_get(set(test, "parameters.c", "[1, 'xy']"), "parameters"), "c");
    check_place(tn_toml_place_in_text(test->document, array->child[1], 1), 1, 7);
}

static void check_not_set(fixture *test, const char *path, const char *expected)
{
    assert_false(tn_document_set(test->document, path, "1", test->diagnostics));
    check_reported(test, expected);
}

static void a_path_that_leads_nowhere_is_reported(void **state)
{
    fixture *test = *state;
    read_text(test, model);
    check_not_set(
        test, "element.sprng.k",
        "--set element.sprng.k: error: \"element\" has no item named \"sprng\": did you mean \"spring\"?\n");
    check_not_set(test, "element.2.k", "--set element.2.k: error: \"element\" has no item named \"2\"\n");
    check_not_set(test, "parameters.k.x",
                  "--set parameters.k.x: error: \"parameters.k\" has no keys: it is neither a "
                  "table nor an array of tables\n");
    check_not_set(test, "parameters.k.x.y",
                  "--set parameters.k.x.y: error: \"parameters.k\" has no keys: it is neither "
                  "a table nor an array of tables\n");
    check_not_set(test, "element.spring",
                  "--set element.spring: error: \"element\" is an array: an item is chosen by "
                  "its name or number, and a key must follow\n");
}

static void a_path_needs_words(void **state)
{
    fixture *test = *state;
    read_text(test, model);
    static const char *const paths[] = {"", ".", "a.", ".a", "a..b"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char expected[128];
        snprintf(expected, sizeof expected,
                 "--set %s: error: a path is needed, such as parameters.k or element.NAME.key\n", paths[i]);
        check_not_set(test, paths[i], expected);
    }
    assert_false(tn_document_set(test->document, "parameters.k", "\xFF", test->diagnostics));
    check_reported(test, "--set parameters.k: error: the value is not UTF-8 text\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(places_in_strings_of_one_line),
        TEST(places_behind_escapes_and_wide_characters),
        TEST(places_in_strings_of_several_lines),
        TEST(every_character_is_found_in_the_file),
        TEST(the_place_of_what_is_no_string_is_its_own),
        TEST(a_value_is_replaced),
        TEST(what_is_missing_is_added),
        TEST(an_item_is_chosen_by_its_number),
        TEST(a_number_of_a_matrix_is_chosen_by_row_and_column),
        TEST(an_item_is_found_after_it_was_renamed),
        TEST(what_is_no_toml_value_is_a_string),
        TEST(places_inside_values_of_overrides),
        TEST(a_path_that_leads_nowhere_is_reported),
        TEST(a_path_needs_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

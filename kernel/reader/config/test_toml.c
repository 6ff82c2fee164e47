/* test_toml.c - documents: values and their places, errors of syntax, printing. */
#include "config/test_toml.h"

#include <math.h>

/* ---- values ---- */

static void values_have_their_kinds(void **state)
{
    const tn_toml *root = read_text(*state, "a = 'x'\nb = -3\nc = 2.5\nd = true\ne = [1, 2]\nf = {}\n"
                                            "g = 2020-01-02\nh = -0.0\ni = inf\n");
    static const tn_toml_kind kinds[] = {TN_TOML_STRING,  TN_TOML_INTEGER, TN_TOML_REAL,
                                         TN_TOML_BOOLEAN, TN_TOML_ARRAY,   TN_TOML_TABLE,
                                         TN_TOML_DATE,    TN_TOML_REAL,    TN_TOML_REAL};
    assert_int_equal(root->kind, TN_TOML_TABLE);
    assert_null(root->key);
    assert_int_equal(root->count, 9);
    for (size_t i = 0; i < root->count; i++)
        assert_int_equal(root->child[i]->kind, kinds[i]);
    assert_string_equal(tn_toml_get(root, "a")->text, "x");
    assert_int_equal(tn_toml_get(root, "b")->integer, -3);
    assert_true(same(tn_toml_get(root, "b")->real, -3));
    assert_true(same(tn_toml_get(root, "c")->real, 2.5));
    assert_int_equal(tn_toml_get(root, "d")->integer, 1);
    assert_int_equal(tn_toml_get(root, "e")->count, 2);
    assert_true(same(tn_toml_get(root, "h")->real, -0.0));
    assert_true(isinf(tn_toml_get(root, "i")->real));
    assert_null(tn_toml_get(root, "z"));
    assert_null(tn_toml_get(tn_toml_get(root, "e"), "z"));
}

static void strings_may_contain_all_but_nul(void **state)
{
    const tn_toml *root = read_text(*state, "a = \"x\\u0001y\\n\"\nb = ''\n");
    assert_int_equal(root->child[0]->length, 4);
    assert_string_equal(root->child[0]->text, "x\1y\n");
    assert_int_equal(root->child[1]->length, 0);
    assert_string_equal(root->child[1]->text, "");
    check_not_read(*state, "a = 1\nb = [\"x\\u0000y\"]\n", ":2:6: error: a string with U+0000\n");
}

static void tables_keep_the_order_of_the_file(void **state)
{
    const tn_toml *root =
        read_text(*state, "zebra = 1\nant = 2\n[m]\nb = 1\na = { y = 1, x = 2 }\n[d]\n[m.c]\n");
    static const char *const keys[] = {"zebra", "ant", "m", "d"};
    assert_int_equal(root->count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(root->child[i]->key, keys[i]);
    const tn_toml *table = root->child[2];
    assert_string_equal(table->child[0]->key, "b");
    assert_string_equal(table->child[1]->key, "a");
    assert_string_equal(table->child[2]->key, "c");
    assert_string_equal(table->child[1]->child[0]->key, "y");
}

static void places_are_those_of_value_and_key(void **state)
{
    const tn_toml *root =
        read_text(*state, "x = 1\n  y   =  -2.5\n"
                          "\"\xC3\xA4\xE2\x82\xAC\" = { k = 'v', l.m = [true,\n false] }\n");
    check_place(root->child[0]->key_place, 1, 1);
    check_place(root->child[0]->place, 1, 5);
    check_place(root->child[1]->key_place, 2, 3);
    check_place(root->child[1]->place, 2, 10);
    const tn_toml *table = root->child[2];
    check_place(table->place, 3, 8);
    check_place(table->child[0]->key_place, 3, 10);
    check_place(table->child[0]->place, 3, 14);
    const tn_toml *nested = tn_toml_get(table->child[1], "m");
    check_place(nested->key_place, 3, 21);
    check_place(nested->child[1]->place, 4, 2);
    assert_ptr_equal(nested->place.file, tn_document_path(((fixture *)*state)->document));
}

static void tables_stand_at_their_headers(void **state)
{
    const tn_toml *root =
        read_text(*state, "[a]\n[[e]]\nn = 1\n  [ b . c ]\n[[e]]\n\t[[e.f]]\n[[repeat]]\n"
                          "count = 1\n  [[repeat.element]]\nk = 1\n [[repeat.element]]\n[b]\n");
    check_place(tn_toml_get(root, "a")->place, 1, 1);
    const tn_toml *e = tn_toml_get(root, "e");
    check_place(e->place, 2, 1);
    check_place(e->key_place, 2, 3);
    check_place(e->child[0]->place, 2, 1);
    check_place(e->child[1]->place, 5, 1);
    check_place(tn_toml_get(e->child[1], "f")->child[0]->place, 6, 2);
    check_place(tn_toml_get(root, "b")->place, 12, 1);
    check_place(tn_toml_get(tn_toml_get(root, "b"), "c")->place, 4, 3);
    const tn_toml *repeat = tn_toml_get(root, "repeat")->child[0];
    check_place(repeat->place, 7, 1);
    check_place(tn_toml_get(repeat, "element")->child[0]->place, 9, 3);
    check_place(tn_toml_get(repeat, "element")->child[1]->place, 11, 2);
}

static void a_byte_order_mark_and_carriage_returns_are_no_characters(void **state)
{
    const tn_toml *root = read_text(*state, "\xEF\xBB\xBF[a]\r\nk = 1\r\n");
    check_place(root->child[0]->place, 1, 1);
    check_place(root->child[0]->child[0]->place, 2, 5);
}

static void a_million_numbers_are_read(void **state)
{
    fixture *test = *state;
    const size_t count = 1000000, width = 5;
    char *text = malloc(count * width + 16);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "x = [");
    for (size_t i = 0; i < count; i++, length += width)
        memcpy(text + length, "1.25,", width);
    length += (size_t)sprintf(text + length, "]\n");
    read_bytes(test, text, length);
    tn_free(text);
    assert_non_null(test->document);
    const tn_toml *array = tn_document_root(test->document)->child[0];
    assert_int_equal(array->count, count);
    assert_true(same(array->child[count - 1]->real, 1.25));
    check_place(array->child[count - 1]->place, 1, (uint32_t)(6 + (count - 1) * width));
}

/* ---- errors ---- */

static void a_header_without_its_bracket_is_reported_on_its_line(void **state)
{
    check_not_read(*state, "# 1\n[solver\ntype = \"rk\"\n",
                   ":2:8: error: table header: expected ']', saw '\\n'\n");
    check_not_read(*state, "# 1\r\n[[solver]\r\ntype = \"rk\"\r\n",
                   ":2:10: error: table header: expected ']', saw '\\r'\n");
}

static void a_duplicate_key_is_reported_at_the_second_key(void **state)
{
    check_not_read(*state, "[a]\nk = 1\n  k = [\n3]\n", ":3:3: error: duplicate key \"k\"\n");
    check_not_read(*state, "\"\xC3\xA4\" = {'k' = '', \"k\"=2 }\n", ":1:18: error: duplicate key \"k\"\n");
    check_not_read(*state, "[a]\nb.c = 1\nb . c = 2\n", ":3:5: error: duplicate key \"c\"\n");
    check_not_read(
        *state, "b = 1\nb.c = 2\n",
        ":2:1: error: key-value pair: cannot redefine existing integer as dotted key-value pair\n");
}

static void a_duplicate_table_is_reported_at_the_second_header(void **state)
{
    check_not_read(*state, "[a]\n[b]\n  [a]\n",
                   ":3:3: error: table header: cannot redefine existing table 'a'\n");
    check_not_read(*state, "x = 1\n  [x.a.b]\n[y]\n",
                   ":2:3: error: table header: cannot redefine existing integer 'x.a.b' as table\n");
    check_not_read(*state, "x = {a = 1}\n[x.b]\nk = 1\n",
                   ":2:1: error: table header: cannot insert 'x.b' into existing inline table\n");
    check_not_read(*state, "x = 1\n [x.a.b]",
                   ":2:2: error: table header: cannot redefine existing integer 'x.a.b' as "
                   "table\n");
}

static void a_header_of_the_other_kind_is_told_how_to_be_written(void **state)
{
    check_not_read(*state, "[[a]]\nk = 1\n [a]\nk = 2\n",
                   ":3:2: error: `a` is an array of tables: write [[a]]\n");
    check_not_read(*state, "[a]\nk = 1\n[[a]]\nk = 2\n",
                   ":3:1: error: `a` is a table above: write [[a]] in both places\n");
    check_not_read(*state, "[[a.b]]\nk = 1\n[a.b]\n",
                   ":3:1: error: `a.b` is an array of tables: write [[a.b]]\n");
}

static void other_syntax_errors_stand_where_they_are(void **state)
{
    check_not_read(*state, "k = \nj = 1\n", ":1:5: error: key-value pair: expected value, saw '\\n'\n");
    check_not_read(*state, "[a]\nk = 1 2\n",
                   ":2:5: error: a number with a unit needs quotes, the unit in brackets: \"1 [2]\"\n");
    check_not_read(*state, "k = \xC3\xA4\n",
                   ":1:5: error: `ä` is not a value: names and expressions need quotes, \"ä\"\n");
    check_not_read(*state, "[/a]\n",
                   ":1:2: error: key: expected bare key starting character or string delimiter, saw '/'\n");
    check_not_read(*state, "k", ":1:2: error: key-value pair: encountered end-of-file\n");
    check_not_read(*state, "\"a\\u0000b\" = 1\n", ":1:1: error: a key with U+0000\n");
    check_not_read(*state, "k = 99999999999999999999\n",
                   ":1:5: error: decimal integer: '99999999999999999999' is not representable in 64 bits\n");
}

/* A text of `count` pieces between a beginning and an end. */
static void check_pieces_not_read(fixture *test, const char *begin, const char *piece, size_t count,
                                  const char *end, const char *expected)
{
    char text[8192];
    strcpy(text, begin);
    for (size_t i = 0; i < count; i++)
        strcat(text, piece);
    strcat(text, end);
    check_not_read(test, text, expected);
}

static void nesting_has_an_end(void **state)
{
    check_pieces_not_read(*state, "a", ".a", 1500, " = 1\n",
                          ":1:202: error: a key with more than 100 dots\n");
    check_pieces_not_read(*state, "b = '.'\n[a", ".\"a.\"", 150, "]\n",
                          ":2:503: error: a key with more than 100 dots\n");
    check_pieces_not_read(*state, "k = ", "[", 300, "\n",
                          ":1:261: error: value: exceeded maximum nested value depth of 256 "
                          "(TOML_MAX_NESTED_VALUES)\n");
}

static void dots_in_strings_comments_and_numbers_nest_nothing(void **state)
{
    char text[8192], dots[1001] = "";
    memset(dots, '.', 1000);
    (void)snprintf(text, sizeof text,
                   "# %s\na = \"\\\"%s\"\nb = '\\' # %s\nc = \"\"\"\n%s\"\"\"\nd = [1.5,2.5]", dots, dots,
                   dots, dots);
    assert_int_equal(read_text(*state, text)->count, 4);
}

static void what_cannot_be_read_is_reported_without_a_line(void **state)
{
    fixture *test = *state;
    assert_null(tn_document_read("/nowhere/model.toml", test->diagnostics));
    check_reported(test, "/nowhere/model.toml: error: cannot read: No such file or directory\n");
    assert_null(tn_document_read("/tmp", test->diagnostics));
    check_reported(test, "/tmp: error: cannot read: Is a directory\n");

    assert_int_equal(truncate(test->path, (off_t)1 << 32), 0);
    assert_null(tn_document_read(test->path, test->diagnostics));
    check_reported(test, ": error: cannot read: it is larger than 256 MiB\n");
}

static void bytes_that_are_no_text_are_reported_where_they_stand(void **state)
{
    check_not_read(*state, "a = 1\nb = '\xC3\xA4\xFF'\n", ":2:7: error: the byte 0xFF is not UTF-8 text\n");
    check_not_read(*state, "b = '\xED\xA0\x80'\n", ":1:6: error: the byte 0xED is not UTF-8 text\n");
    check_not_read(*state, "b = '\xE2\x82", ":1:6: error: the byte 0xE2 is not UTF-8 text\n");
}

static void a_file_may_be_empty(void **state) { assert_int_equal(read_text(*state, "")->count, 0); }

/* ---- printing ---- */

static void check_equal(const tn_toml *a, const tn_toml *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->integer, b->integer);
    assert_true(same(a->real, b->real));
    if (a->text) assert_string_equal(a->text, b->text);
    for (size_t i = 0; i < a->count; i++) {
        const tn_toml *other = a->kind == TN_TOML_TABLE ? tn_toml_get(b, a->child[i]->key) : b->child[i];
        assert_non_null(other);
        check_equal(a->child[i], other);
    }
}

/* TOML has no way to say a byte that is not UTF-8: it is written as four characters. */
static void bytes_that_are_not_utf8_are_printed_as_escapes(void **state)
{
    (void)state;
    char *printed = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&printed, &size);
    assert_non_null(stream);
    tn_toml_print_text(stream, "caf\xe9 \xc3\xa9 \xed\xa0\x80 \"\x01\xf0\x9f\x98", 17);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(printed,
                        "\"caf\\\\xe9 \xc3\xa9 \\\\xed\\\\xa0\\\\x80 \\\"\\u0001\\\\xf0\\\\x9f\\\\x98\"");
    tn_free(printed);
}

static void what_is_printed_reads_as_the_same_tree(void **state)
{
    fixture *test = *state;
    read_text(test,
              "z = 0.1\na = -1\nreal = 1e300\nsmall = 5e-324\nwhole = 3.0\nbig = inf\nno = -0.0\n"
              "lines = \"\\na\\\\\\n'''\"\ns = \"q\\\"\\\\\\n\\t\\u0001 \xC3\xA4\"\nb = false\ndates = "
              "[2020-01-02, 07:32:00]\n"
              "stamp = 1979-05-27T00:32:00.999999-07:00\n"
              "empty = []\nnested = [[1, 2], ['x', { k = 1 }]]\nnone = {}\n\"odd key\" = 1\n'' = 2\n"
              "inline = { a.b = 1, c = [{ d = 1 }, { d = 2 }] }\n[t]\n[t.u.v]\nk = 1\n[[e]]\nname = 'a'\n"
              "[[e.f]]\nn = 1\n[[e.f]]\n[[e]]\n");
    char *printed = tn_toml_print(tn_document_root(test->document));
    assert_non_null(printed);

    write_file(test, printed, strlen(printed));
    tn_document *again = tn_document_read(test->path, test->diagnostics);
    check_reported(test, "");
    assert_non_null(again);
    check_equal(tn_document_root(test->document), tn_document_root(again));
    tn_free(printed);
}

static void the_text_keeps_the_order_of_the_tree(void **state)
{
    static const char text[] = "z = 1\n"
                               "\"odd key\" = \"tab\\t\"\n"
                               "\n[solver]\n"
                               "type = \"rk\"\n"
                               "newton = { jacobian = \"full\", tolerances = [0.1, 1e-10, 2.0] }\n"
                               "\n[[element]]\n"
                               "name = \"b\"\n"
                               "\n[[element]]\n"
                               "name = \"a\"\n"
                               "none = []\n"
                               "\n[[element.part]]\n"
                               "many = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10,\n    11]\n"
                               "\n[output]\n";
    char *printed = tn_toml_print(read_text(*state, text));
    assert_non_null(printed);
    assert_string_equal(printed, text);
    tn_free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(values_have_their_kinds),
        TEST(strings_may_contain_all_but_nul),
        TEST(bytes_that_are_not_utf8_are_printed_as_escapes),
        TEST(tables_keep_the_order_of_the_file),
        TEST(places_are_those_of_value_and_key),
        TEST(tables_stand_at_their_headers),
        TEST(a_byte_order_mark_and_carriage_returns_are_no_characters),
        TEST(a_million_numbers_are_read),
        TEST(a_header_without_its_bracket_is_reported_on_its_line),
        TEST(a_duplicate_key_is_reported_at_the_second_key),
        TEST(a_duplicate_table_is_reported_at_the_second_header),
        TEST(a_header_of_the_other_kind_is_told_how_to_be_written),
        TEST(other_syntax_errors_stand_where_they_are),
        TEST(nesting_has_an_end),
        TEST(dots_in_strings_comments_and_numbers_nest_nothing),
        TEST(what_cannot_be_read_is_reported_without_a_line),
        TEST(bytes_that_are_no_text_are_reported_where_they_stand),
        TEST(a_file_may_be_empty),
        TEST(what_is_printed_reads_as_the_same_tree),
        TEST(the_text_keeps_the_order_of_the_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

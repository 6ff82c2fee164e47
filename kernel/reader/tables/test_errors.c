/* test_errors.c - keys, names and plain values: each mistake gives one line, at its place */
#include "tables/test_errors.h"

static void an_unknown_key_is_told_with_the_nearest_one(void **state)
{
    (void)state;
    static const change changes[] = {
        {"[solver]", "[solvr]", "21:2: error: unknown key `solvr`: did you mean `solver`?\n"},
        {"[solver]", "[plot]", " error: missing table [solver]\n21:2: error: unknown key `plot`\n"},
        {"stiffness = 100", "stifness = 100",
         "19:1: error: unknown key `stifness`: did you mean `stiffness`?\n"},
        {"stiffness = 100", "zzz = 100", "19:1: error: unknown key `zzz`\n"},
        {"[model]\n", "colour = 1\n[model]\n", "1:1: error: unknown key `colour`\n"},
        {"name = \"right\"", "gravty = [0, 0, -9.81]",
         "2:1: error: unknown key `gravty`: did you mean `gravity`?\n"},
        {"mass = 1\n", "mass = 1\nactive = true\n", "8:1: error: unknown key `active`\n"},
        {NULL, "[output]\nintervall = 0.1\n",
         "27:1: error: unknown key `intervall`: did you mean `interval`?\n"},
        {NULL,
         "[[sensor]]\n"
         "name = \"x\"\n"
         "element = \"mass\"\n"
         "output = \"position\"\n"
         "unit = \"m\"\n",
         "30:1: error: unknown key `unit`\n"},
    };
    CHECK_CHANGES(changes);
}

/* The key that must be there and the one that stands there are one mistake. */
static void a_misspelt_key_is_not_missed_as_well(void **state)
{
    (void)state;
    static const change changes[] = {
        {"mass = 1\n", "mas = 1\n", "7:1: error: unknown key `mas`: did you mean `mass`?\n"},
        {"name = \"mass\"", "nane = \"mass\"", "5:1: error: unknown key `nane`: did you mean `name`?\n"},
        {"type = \"mass_point\"", "tpye = \"mass_point\"",
         "6:1: error: unknown key `tpye`: did you mean `type`?\n"},
        {"markers", "makers", "18:1: error: unknown key `makers`: did you mean `markers`?\n"},
        {"end_time", "endtime", "23:1: error: unknown key `endtime`: did you mean `end_time`?\n"},
        {"type = \"rk\"", "tpe = \"rk\"", "22:1: error: unknown key `tpe`: did you mean `type`?\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_missing_key_is_told_at_the_header_of_its_item(void **state)
{
    (void)state;
    static const change changes[] = {
        {"mass = 1\n", "", "4:1: error: missing key `mass` of `mass` (mass m; kg)\n"},
        {"name = \"mass\"\n", "", "4:1: error: missing key `name`\n"},
        {"type = \"mass_point\"\n", "", "4:1: error: missing key `type` of `mass`\n"},
        {"markers = [\"ground\", \"mass\"]\n", "",
         "15:1: error: missing key `markers` of `spring` (the two end points)\n"},
        {"end_time = 1\n", "", "21:1: error: missing key `end_time` of [solver] (end of the run; s)\n"},
        {"step = 0.1\n", "", "21:1: error: missing key `step` of [solver] (fixed step; s)\n"},
        {"type = \"rk\"\n", "", "21:1: error: missing key `type` of [solver] (the solver)\n"},
        {"[solver]\ntype = \"rk\"\nend_time = 1\nstep = 0.1\n", "", " error: missing table [solver]\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_wrong_kind_of_value_is_told_at_the_value(void **state)
{
    (void)state;
    static const change changes[] = {
        {"mass = 1\n", "mass = true\n",
         "7:8: error: `mass` of `mass`: a number is expected, not a boolean\n"},
        {"mass = 1\n", "mass = [1]\n", "7:8: error: `mass` of `mass`: a number is expected, not an array\n"},
        {"mass = 1\n", "mass = {a = 1}\n",
         "7:8: error: `mass` of `mass`: a number is expected, not a table\n"},
        {"mass = 1\n", "mass = 2020-01-01\n",
         "7:8: error: `mass` of `mass`: a number is expected, not a date\n"},
        {"mass = 1\n", "mass = \"heavy\"\n", "7:9: error: unknown name `heavy`\n"},
        {"mass = 1\n", "mass = 1\nposition = 1\n",
         "8:12: error: `position` of `mass`: an array of 3 numbers is expected (m)\n"},
        {"mass = 1\n", "mass = 1\nposition = \"1\"\n",
         "8:12: error: `position` of `mass`: an array of 3 numbers is expected (m)\n"},
        {"mass = 1\n", "mass = 1\nposition = [1, true, {}]\n",
         "8:16: error: `position` of `mass`: a number is expected, not a boolean\n8:22: error: `position` of "
         "`mass`: a number is expected, not a table\n"},
        {"name = \"mass\"", "name = 3", "5:8: error: `name`: a name is expected\n"},
        {"type = \"mass_point\"", "type = 3", "6:8: error: `type` of `mass`: a string is expected\n"},
        {"name = \"right\"", "name = 3", "2:8: error: `name` of [model]: a string is expected\n"},
        {"stiffness = 100", "active = \"yes\"",
         "19:10: error: `active` of `spring`: true or false is expected\n"},
        {"stiffness = 100", "force_function = 3",
         "19:18: error: `force_function` of `spring`: an expression of deltaL [m], deltaL_t [m/s], stiffness "
         "[N/m], damping [N s/m], force [N], time [s] is expected\n"},
        {"[model]\nname = \"right\"\n", "model = 3\n", "1:9: error: [model] is a table\n"},
        {"[model]", "[[model]]", "1:1: error: [model] is a table\n"},
        {"[solver]", "[[element]]\n[solver]",
         "21:1: error: missing key `type`\n21:1: error: missing key `name`\n"},
        {"[model]\n", "parameters = 3\n[model]\n", "1:14: error: [parameters] is a table of named numbers\n"},
        {"[model]\n", "marker = [3, \"a\"]\n[model]\n",
         "1:11: error: a table is expected\n1:14: error: a table is expected\n"},
        {"[model]\n", "marker = { name = \"a\" }\n[model]\n",
         "1:1: error: `marker` is an array of tables: write [[marker]]\n"},
        {"[model]\n", "repeat = 3\n[model]\n",
         "1:1: error: `repeat` is an array of tables: write [[repeat]]\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_value_out_of_range_is_told(void **state)
{
    (void)state;
    static const change changes[] = {
        {"mass = 1\n", "mass = 0\n",
         "7:8: error: `mass` of `mass`: 0 is out of range: it must be larger than 0\n"},
        {"mass = 1\n", "mass = -1\n",
         "7:8: error: `mass` of `mass`: -1 is out of range: it must be larger than 0\n"},
        {"mass = 1\n", "mass = nan\n", "7:8: error: `mass` of `mass`: the value is not finite\n"},
        {"mass = 1\n", "mass = inf\n", "7:8: error: `mass` of `mass`: the value is not finite\n"},
        {"mass = 1\n", "mass = \"1e300*1e300\"\n",
         "7:8: error: `mass` of `mass`: `1e300*1e300`: result is not finite\n"},
        {"stiffness = 100", "stiffness = -1",
         "19:13: error: `stiffness` of `spring`: -1 is out of range: it must be at least 0\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, -1]",
         "13:11: error: body: the inertia is not positive: its smallest principal moment is -1 kg m^2\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_vector_has_its_length_and_one_unit(void **state)
{
    (void)state;
    static const change changes[] = {
        {"mass = 1\n", "mass = 1\nposition = [1, 2]\n",
         "8:12: error: `position` of `mass`: an array of 3 numbers is expected (m)\n"},
        {"mass = 1\n", "mass = 1\nposition = [1, 2, 3, 4]\n",
         "8:12: error: `position` of `mass`: an array of 3 numbers is expected (m)\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1, 0]",
         "13:11: error: `inertia` of `body`: an array of 3 or 6 numbers is expected (kg m^2)\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1, 0, 0, 0]", ""},
        {"mass = 1\n", "mass = 1\nposition = { value = [1, 2, 3], unit = \"mm\" }\n", ""},
        {"mass = 1\n", "mass = 1\nposition = { value = [1, 2, 3], unit = \"kg\" }\n",
         "8:40: error: `position` of `mass`: unit kg does not fit: m is expected\n"},
        {"mass = 1\n", "mass = 1\nposition = { value = [1, 2], unit = \"mm\" }\n",
         "8:22: error: `position` of `mass`: an array of 3 numbers is expected (m)\n"},
        {"mass = 1\n", "mass = 1\nposition = { value = [1, 2, 3], unti = \"mm\" }\n",
         "8:33: error: unknown key `unti`: did you mean `unit`?\n"},
        {"mass = 1\n", "mass = 1\nposition = { value = [1, 2, 3] }\n",
         "8:12: error: `position` of `mass`: a vector is an array, or { value = [..], unit = \"..\" }\n"},
        {"mass = 1\n", "mass = 1\nposition = { value = [1, 2, 3], unit = 3 }\n",
         "8:12: error: `position` of `mass`: a vector is an array, or { value = [..], unit = \"..\" }\n"},
        {"mass = 1\n", "mass = 1\nposition = { value = [1, 2, \"3 [mm]\"], unit = \"mm\" }\n",
         "8:29: error: `position` of `mass`: `3 [mm]`: unit mm does not fit: a number without unit is "
         "expected\n"},
    };
    CHECK_CHANGES(changes);
}

/* Who refers to an item with a wrong name is not wrong, too. */
static void names_are_words_and_taken_once(void **state)
{
    (void)state;
    static const change changes[] = {
        {"name = \"mass\"", "name = \"ma-ss\"",
         "5:8: error: `ma-ss` is not a name: letters, digits and _ only\n"},
        {"name = \"mass\"", "name = \"\"", "5:8: error: `` is not a name: letters, digits and _ only\n"},
        {"name = \"mass\"", "name = \"4\"", "5:8: error: `4` is not a name: letters, digits and _ only\n"},
        {"name = \"body\"", "name = \"mass\"", "10:1: error: the name `mass` is taken, at line 5\n"},
        {"name = \"spring\"", "name = \"mass\"", "16:1: error: the name `mass` is taken, at line 5\n"},
        {NULL, "[[marker]]\nname = \"body\"\ntype = \"frame\"\nelement = \"body\"\n",
         "27:1: error: the name `body` is taken, at line 10\n"},
        {NULL, "[[element]]\nname = \"ground\"\ntype = \"ground\"\n", ""},
    };
    CHECK_CHANGES(changes);
}

static void numbers_of_items_are_integers_and_taken_once(void **state)
{
    (void)state;
    static const change changes[] = {
        {"mass = 1\n", "mass = 1\nid = 7\n", ""},
        {"mass = 1\n", "mass = 1\nid = \"3 + 4\"\n", ""},
        {"mass = 1\n", "mass = 1\nid = \"a\"\n", "8:7: error: unknown name `a`\n"},
        {"mass = 1\n", "mass = 1\nid = 1.5\n",
         "8:6: error: `id` of `mass`: an integer is expected, not 1.5\n"},
        {"mass = 1\n", "mass = 1\nid = true\n",
         "8:6: error: `id` of `mass`: a number is expected, not a boolean\n"},
        {"inertia = [1, 1, 1]",
         "inertia = [1, 1, 1]\n"
         "id = 7\n"
         "[[marker]]\n"
         "name = \"tip\"\n"
         "type = \"frame\"\n"
         "element = \"body\"\n"
         "id = 7",
         "19:1: error: the id 7 is taken\n"},
        {"inertia = [1, 1, 1]",
         "inertia = [1, 1, 1]\n"
         "id = 7\n"
         "[[element]]\n"
         "name = \"f\"\n"
         "type = \"force\"\n"
         "markers = [\"body\"]\n"
         "value = [1, 0, 0]\n"
         "id = 7",
         ""},
    };
    CHECK_CHANGES(changes);
}

static void all_mistakes_are_told_in_the_order_of_the_file(void **state)
{
    (void)state;
    static const change changes[] = {
        {"stiffness = 100\n\n[solver]",
         "stiffness = \"100*(2+\"\n"
         "dampin = 1\n"
         "\n"
         "[[element]]\n"
         "name = \"mass\"\n"
         "type = \"mass_point\"\n"
         "mass = \"heavy\"\n"
         "position = [1, 0]\n"
         "\n"
         "[solver]\n"
         "step_size = 1",
         "19:21: error: a number, a name or `(` is missing before the end of the text\n20:1: error: unknown "
         "key `dampin`: did you mean `damping`?\n23:1: error: the name `mass` is taken, at line 5\n25:9: "
         "error: unknown name `heavy`\n26:12: error: `position` of `mass`: an array of 3 numbers is expected "
         "(m)\n29:1: error: unknown key `step_size`: did you mean `step`?\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_key_is_told_with_the_nearest_one),
        cmocka_unit_test(a_misspelt_key_is_not_missed_as_well),
        cmocka_unit_test(a_missing_key_is_told_at_the_header_of_its_item),
        cmocka_unit_test(a_wrong_kind_of_value_is_told_at_the_value),
        cmocka_unit_test(a_value_out_of_range_is_told),
        cmocka_unit_test(a_vector_has_its_length_and_one_unit),
        cmocka_unit_test(names_are_words_and_taken_once),
        cmocka_unit_test(numbers_of_items_are_integers_and_taken_once),
        cmocka_unit_test(all_mistakes_are_told_in_the_order_of_the_file),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

/* test_errors_repeats.c - repeats: counts, variables and braces in names */
#include "tables/test_errors.h"

#define POINTS "[[repeat.element]]\nname = \"p_{i}\"\ntype = \"mass_point\"\n"
#define THREE_ELEMENTS "[[repeat]]\ncount = 3\n[[repeat.element]]\n"
#define MASS "type = \"mass_point\"\nmass = 1\n"
#define FORCE               \
    "[[element]]\n"         \
    "name = \"f\"\n"        \
    "type = \"force\"\n"    \
    "markers = [\"p_0\"]\n" \
    "value = [1, 0, 0]\n"
#define INNER "[[repeat.repeat]]\nvariable = \"j\"\n"
#define INNER_POINTS "[[repeat.repeat.element]]\nname = \"p_{i}_{j}\"\ntype = \"mass_point\"\n"

/* Items that are not made are not missed where others refer to them. */
static void a_count_is_an_integer_from_0_on(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[[repeat]]\ncount = 0\n" POINTS "mass = 1\n", ""},
        {NULL, "[[repeat]]\ncount = \"1 + 2\"\n" POINTS "mass = 1\n" FORCE, ""},
        {NULL, "[[repeat]]\ncount = -1\n" POINTS "mass = 1\n" FORCE,
         "27:9: error: `count` is an integer from 0 to 10000000, not -1\n"},
        {NULL, "[[repeat]]\ncount = 2.5\n" POINTS "mass = 1\n",
         "27:9: error: `count` is an integer from 0 to 10000000, not 2.5\n"},
        {NULL, "[[repeat]]\ncount = 2e9\n" POINTS "mass = 1\n",
         "27:9: error: `count` is an integer from 0 to 10000000, not 2000000000\n"},
        {NULL, "[[repeat]]\ncount = true\n" POINTS "mass = 1\n",
         "27:9: error: `count`: a number is expected, not a boolean\n"},
        {NULL, "[[repeat]]\ncount = \"3 [m]\"\n" POINTS "mass = 1\n",
         "27:9: error: `count`: `3 [m]`: unit m does not fit: a number without unit is expected\n"},
        {NULL, "[[repeat]]\ncount = \"time\"\n" POINTS "mass = 1\n",
         "27:10: error: the value must be known before the run: `time` makes it change\n"},
        {NULL, "[[repeat]]\n" POINTS "mass = 1\n" FORCE, "26:1: error: missing key `count`\n"},
        {NULL, "[[repeat]]\ncuont = 3\n" POINTS "mass = 1\n",
         "27:1: error: unknown key `cuont`: did you mean `count`?\n"},
        {NULL, "[[repeat]]\ncount = 3\n" INNER "count = \"i\"\n" INNER_POINTS "mass = 1\n", ""},
        {NULL, "[[repeat]]\ncount = 3\n" INNER "count = \"i/2\"\n" INNER_POINTS "mass = 1\n",
         "30:9: error: `count` is an integer from 0 to 10000000, not 0.5 (with i = 1)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" INNER "count = \"1/i\"\n" INNER_POINTS "mass = 1\n",
         "30:9: error: `count`: `1/i`: division by zero (with i = 0, and in other copies)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" INNER "count = 2.5\n" INNER_POINTS "mass = 1\n",
         "30:9: error: `count` is an integer from 0 to 10000000, not 2.5\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_variable_has_a_name_of_its_own(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL,
         "[[repeat]]\n"
         "count = 3\n"
         "variable = \"row\"\n"
         "[[repeat.element]]\n"
         "name = \"p_{row}\"\n" MASS,
         ""},
        {NULL,
         "[[repeat]]\n"
         "count = 3\n"
         "varable = \"row\"\n"
         "[[repeat.element]]\n"
         "name = \"p_{row}\"\n" MASS,
         "28:1: error: unknown key `varable`: did you mean `variable`?\n"},
        {NULL,
         "[[repeat]]\n"
         "count = 3\n"
         "variable = \"sin\"\n"
         "[[repeat.element]]\n"
         "name = \"p_{sin}\"\n" MASS,
         "28:12: error: `sin` is a word of the expression language: choose another name\n"},
        {NULL, "[[repeat]]\ncount = 3\nvariable = \"a-b\"\n" POINTS "mass = 1\n",
         "28:12: error: `variable` is a name\n"},
        {NULL, "[[repeat]]\ncount = 3\nvariable = 3\n" POINTS "mass = 1\n",
         "28:12: error: `variable` is a name\n"},
        {NULL,
         "[[repeat]]\n"
         "count = 3\n"
         "variable = \"k\"\n"
         "[[repeat.element]]\n"
         "name = \"p_{k}\"\n"
         "type = \"mass_point\"\n"
         "mass = 1\n"
         "[parameters]\n"
         "k = 1\n",
         "28:12: error: `k` is already the name of a parameter\n"},
        {NULL,
         "[[repeat]]\n"
         "count = 3\n"
         "[[repeat.repeat]]\n"
         "count = 2\n"
         "[[repeat.repeat.element]]\n"
         "name = \"p_{i}\"\n" MASS,
         "28:1: error: an outer repeat already counts with `i`\n"},
    };
    CHECK_CHANGES(changes);
}

#define LEVEL(path, keys) "[[" path "]]\n" keys
#define REPEAT(path, variable) LEVEL(path, "count = 1\nvariable = \"" variable "\"\n")
#define OF_FOUR "repeat.repeat.repeat.repeat."
#define OF_EIGHT OF_FOUR OF_FOUR
#define EIGHT_REPEATS                            \
    REPEAT("repeat", "v1")                       \
    REPEAT("repeat.repeat", "v2")                \
    REPEAT("repeat.repeat.repeat", "v3")         \
    REPEAT("repeat.repeat.repeat.repeat", "v4")  \
    REPEAT(OF_FOUR "repeat", "v5")               \
    REPEAT(OF_FOUR "repeat.repeat", "v6")        \
    REPEAT(OF_FOUR "repeat.repeat.repeat", "v7") \
    REPEAT(OF_FOUR "repeat.repeat.repeat.repeat", "v8")

static void repeats_nest_eight_deep(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL,
         EIGHT_REPEATS LEVEL(OF_EIGHT "element",
                             "name = \"p_{v1+v8}\"\ntype = \"mass_point\"\nmass = \"1 + v8\"\n"),
         ""},
        {NULL,
         EIGHT_REPEATS LEVEL(OF_EIGHT "repeat", "count = 1\nvariable = \"v9\"\n") LEVEL(
             OF_EIGHT "repeat.element", "name = \"p_{v1+v9}\"\ntype = \"mass_point\"\nmass = \"1 + v9\"\n"),
         "50:1: error: repeats are nested more than 8 deep\n"},
    };
    CHECK_CHANGES(changes);
}

static void other_keys_of_a_repeat_are_unknown(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[[repeat]]\ncount = 3\nwhen = \"i\"\n" POINTS "mass = 1\n",
         "28:1: error: unknown key `when`\n"},
        {NULL,
         "[[repeat]]\n"
         "count = 3\n"
         "[[repeat.elment]]\n"
         "name = \"p_{i}\"\n" MASS,
         "28:10: error: unknown key `elment`: did you mean `element`?\n"},
    };
    CHECK_CHANGES(changes);
}

static void braces_hold_an_integer_expression(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, THREE_ELEMENTS "name = \"p_{2*i-1+1}\"\n" MASS, ""},
        {NULL, THREE_ELEMENTS "name = \"p_{i/2}\"\n" MASS,
         "29:8: error: `p_{i/2}`: 0.5 is not an integer (with i = 1)\n"},
        {NULL, THREE_ELEMENTS "name = \"p_{i-1}\"\n" MASS,
         "29:8: error: `p_-1` is not a name: letters, digits and _ only (with i = 0)\n"},
        {NULL, THREE_ELEMENTS "name = \"p_{1/i}\"\n" MASS,
         "29:8: error: `p_{1/i}`: division by zero (with i = 0, and in other copies)\n"},
        {NULL, THREE_ELEMENTS "name = \"p_{j}\"\n" MASS, "29:12: error: unknown name `j`\n"},
        {NULL, THREE_ELEMENTS "name = \"p_{i\"\n" MASS, "29:11: error: `{` without its `}`\n"},
        {NULL, THREE_ELEMENTS "name = \"p_i}\"\n" MASS,
         "29:8: error: `p_i}` is not a name: letters, digits and _ only (with i = 0, and in other copies)\n"},
        {NULL, THREE_ELEMENTS "name = \"p_{}\"\n" MASS, "29:12: error: the expression is empty\n"},
        {NULL, THREE_ELEMENTS "name = \"p_{{i}}\"\n" MASS, "29:12: error: unexpected character `{`\n"},
        {NULL, THREE_ELEMENTS "name = \"p\"\n" MASS,
         "29:1: error: the name `p` is taken, at line 29 (with i = 1, and in other copies)\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_count_is_an_integer_from_0_on),
        cmocka_unit_test(a_variable_has_a_name_of_its_own),
        cmocka_unit_test(repeats_nest_eight_deep),
        cmocka_unit_test(other_keys_of_a_repeat_are_unknown),
        cmocka_unit_test(braces_hold_an_integer_expression),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

/* test_errors_copies.c - items of repeats: the mistakes of many copies are told once */
#include "tables/test_errors.h"

#define POINTS "[[repeat.element]]\nname = \"p_{i}\"\ntype = \"mass_point\"\n"
#define SPRINGS "[[repeat.element]]\nname = \"s_{i}\"\ntype = \"spring_damper\"\n"
#define FORCE               \
    "[[element]]\n"         \
    "name = \"f\"\n"        \
    "type = \"force\"\n"    \
    "markers = [\"p_0\"]\n" \
    "value = [1, 0, 0]\n"
#define INNER "[[repeat.repeat]]\nvariable = \"j\"\n"
#define INNER_POINTS "[[repeat.repeat.element]]\nname = \"p_{i}_{j}\"\ntype = \"mass_point\"\n"
#define NUMBERS "[parameters]\nk_0 = 1\nk_1 = 2\n"

static void braces_are_replaced_in_every_string(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[[repeat]]\ncount = 2\n" POINTS "mass = \"k_{i}\"\n" NUMBERS, ""},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = \"k_{i}\"\n" NUMBERS,
         "31:8: error: unknown name `k_2`: did you mean `k_0`? (with i = 2)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = \"k_{i}\"\nwhen = \"{i} < 2\"\n" NUMBERS, ""},
        {NULL,
         "[[repeat]]\n"
         "count = 2\n"
         "[[repeat.element]]\n"
         "name = \"f_{i}\"\n"
         "type = \"force\"\n"
         "markers = [{ element = \"body\", position = [\"k_{i}\", 0, 0] }]\n"
         "value = [\"k_{i}*time\", 0, 0]\n" NUMBERS,
         ""},
        {NULL,
         "[[element]]\n"
         "name = \"p_{n}\"\n"
         "type = \"mass_point\"\n"
         "mass = \"n\"\n"
         "[[sensor]]\n"
         "name = \"x_{n+1}\"\n"
         "element = \"p_{n}\"\n"
         "output = \"position\"\n"
         "[parameters]\n"
         "n = 3\n",
         ""},
        {NULL,
         "[[repeat]]\n"
         "count = 2\n"
         "[[repeat.element]]\n"
         "name = \"p_{i}\"\n"
         "type = \"weight_{i}\"\n"
         "mass = 1\n",
         "30:8: error: unknown element type `weight_0`: no weight_0.so on the search path; `tenon plugins` "
         "lists all types (with i = 0, and in other copies)\n"},
    };
    CHECK_CHANGES(changes);
}

static void when_leaves_copies_out(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = \"i\"\nwhen = \"i > 0 and not (i == 5)\"\n", ""},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = \"-i\"\nwhen = false\n", ""},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = 1\nwhen = \"i >\"\n",
         "32:12: error: a number, a name or `(` is missing before the end of the text\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = 1\nwhen = \"1/i > 0\"\n" FORCE,
         "32:8: error: `when`: `1/i > 0`: division by zero (with i = 0)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = 1\nwhen = \"time > 0\"\n",
         "32:9: error: the value must be known before the run: `time` makes it change\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = 1\nwhen = [1]\n",
         "32:8: error: `when` of `p_{i}`: a number is expected, not an array\n"},
    };
    CHECK_CHANGES(changes);
}

static void what_is_the_same_in_all_copies_is_told_once(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = -1\n",
         "31:8: error: `mass` of `p_{i}`: -1 is out of range: it must be larger than 0\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mas = 1\n",
         "31:1: error: unknown key `mas`: did you mean `mass`?\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS, "28:1: error: missing key `mass` of `p_{i}` (mass m; kg)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = \"1 +\"\n",
         "31:12: error: a number, a name or `(` is missing before the end of the text\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = 1\n" SPRINGS "markers = [\"p_{i}\"]\n",
         "35:11: error: `markers` of `s_{i}`: 2 markers are expected (the two end points)\n"},
        {NULL,
         "[[repeat]]\ncount = 3\n" POINTS "mass = 1\n" SPRINGS
         "markers = [\"p_{i}\", { element = \"ground\", positon = [0, 0, 1] }]\n",
         "35:43: error: unknown key `positon`: did you mean `position`?\n"},
        {NULL,
         "[[repeat]]\n"
         "count = 3\n"
         "[[repeat.sensor]]\n"
         "name = \"x_{i}\"\n"
         "expression = 1\n"
         "marker = \"mass\"\n",
         "28:1: error: a sensor has one of the keys `element`, `marker`, `expression` and `system`\n"},
    };
    CHECK_CHANGES(changes);
}

static void what_differs_names_the_first_copy(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = \"i\"\n",
         "31:8: error: `mass` of `p_0`: 0 is out of range: it must be larger than 0 (with i = 0)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = \"1 - i\"\n",
         "31:8: error: `mass` of `p_1`: 0 is out of range: it must be larger than 0 (with i = 1, and in "
         "other copies)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = 1\nposition = [\"i\", \"1/i\", \"1/(i-1)\"]\n",
         "32:18: error: `position` of `p_0`: `1/i`: division by zero (with i = 0)\n32:25: error: `position` "
         "of `p_1`: `1/(i-1)`: division by zero (with i = 1)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = 1\n" SPRINGS "markers = [\"p_{i}\", \"p_{i+1}\"]\n",
         "35:21: error: there is no element or marker `p_3`: did you mean `p_0`? (with i = 2)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = 1\n" SPRINGS "markers = [\"p_{i}\", \"q_{i}\"]\n",
         "35:21: error: there is no element or marker `q_0`: did you mean `p_0`? (with i = 0, and in other "
         "copies)\n"},
        {NULL,
         "[[repeat]]\ncount = 100000\n" POINTS "mass = 1\n" SPRINGS "markers = [\"p_{i}\", \"q_{i}\"]\n",
         "35:21: error: there is no element or marker `q_0`: did you mean `p_0`? (with i = 0, and in other "
         "copies)\n"},
        {NULL,
         "[[repeat]]\ncount = 3\n" POINTS "mass = 1\n" SPRINGS
         "markers = [\"p_{i}\", { element = \"ground\", position = [\"1/i\", 0, 1] }]\n",
         "35:55: error: `position`: `1/i`: division by zero (with i = 0)\n"},
        {NULL,
         "[[repeat]]\n"
         "count = 3\n"
         "[[repeat.element]]\n"
         "name = \"p_{i}\"\n"
         "type = \"rigid_body\"\n"
         "mass = 1\n"
         "inertia = [1, 1, \"i - 1.5\"]\n",
         "32:11: error: p_0: the inertia is not positive: its smallest principal moment is -1.5 kg m^2 (with "
         "i = 0, and in other copies)\n"},
        {NULL,
         "[[repeat]]\n"
         "count = 3\n"
         "[[repeat.element]]\n"
         "name = \"p_{i}\"\n"
         "type = \"rigid_body\"\n"
         "mass = 1\n"
         "inertia = [1, 1, 1]\n"
         "rotation = { axis = [\"i\", 0, 0], angle = 1 }\n",
         "33:21: error: `rotation` of `p_0`: a vector of length zero has no direction (with i = 0)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = 1\nid = \"i/2\"\n",
         "32:6: error: `id` of `p_1`: an integer is expected, not 0.5 (with i = 1)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" POINTS "mass = 1\nid = 4\n",
         "32:1: error: the id 4 is taken (with i = 1, and in other copies)\n"},
        {NULL, "[[repeat]]\ncount = 3\n" INNER "count = 2\n" INNER_POINTS "mass = \"3 - i - j\"\n",
         "34:8: error: `mass` of `p_2_1`: 0 is out of range: it must be larger than 0 (with i = 2, j = 1)\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(braces_are_replaced_in_every_string),
        cmocka_unit_test(when_leaves_copies_out),
        cmocka_unit_test(what_is_the_same_in_all_copies_is_told_once),
        cmocka_unit_test(what_differs_names_the_first_copy),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

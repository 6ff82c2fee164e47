/* test_errors_values.c - units, expressions, parameters and rotations */
#include "tables/test_errors.h"

#define LONG_WORD                                                                                \
    "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm" \
    "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"

static void a_unit_must_fit_by_a_pure_factor(void **state)
{
    (void)state;
    static const change changes[] = {
        {"stiffness = 100", "stiffness = \"25 [N/mm]\"", ""},
        {"stiffness = 100", "stiffness = \"100 [kg]\"",
         "19:13: error: `stiffness` of `spring`: `100 [kg]`: unit kg does not fit: N/m is expected\n"},
        {"stiffness = 100", "stiffness = \"100 [foo]\"",
         "19:13: error: `stiffness` of `spring`: `100 [foo]`: unknown unit \"foo\": N/m is expected\n"},
        {"stiffness = 100", "stiffness = \"100 [m/N]\"",
         "19:13: error: `stiffness` of `spring`: `100 [m/N]`: unit m/N does not fit: N/m is expected, not "
         "its reciprocal\n"},
        {"stiffness = 100", "stiffness = \"100 []\"",
         "19:18: error: unexpected `[`: a unit must be in brackets at the very end\n"},
        {"stiffness = 100", "stiffness = \"25 [N/mm] * 2\"",
         "19:17: error: unexpected `[`: a unit must be in brackets at the very end\n"},
        {"stiffness = 100", "stiffness = \"25 [N/mm] [N/mm]\"",
         "19:17: error: unexpected `[`: a unit must be in brackets at the very end\n"},
        {"stiffness = 100", "stiffness = \"1 [" LONG_WORD "]\"",
         "19:13: error: `stiffness` of `spring`: `1 [" LONG_WORD "]`: unknown unit \"" LONG_WORD
         "\": N/m is expected\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nangular_velocity = [\"1 [deg/s]\", 0, 0]", ""},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nangular_velocity = [\"1 [s]\", 0, 0]",
         "14:21: error: `angular_velocity` of `body`: `1 [s]`: unit s does not fit: rad/s is expected, not "
         "its reciprocal\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nangular_velocity = [\"1 [Hz]\", 0, 0]",
         "14:21: error: `angular_velocity` of `body`: `1 [Hz]`: unit Hz does not fit: rad/s is expected; "
         "cycles per second are written rev/s\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nangular_velocity = [\"1 [m/s]\", 0, 0]",
         "14:21: error: `angular_velocity` of `body`: `1 [m/s]`: unit m/s does not fit: rad/s is expected\n"},
        {NULL, "[parameters]\nt = \"20 [degC]\"\n",
         "27:5: error: `t`: `20 [degC]`: unit degC does not fit: K is expected, without an offset\n"},
        {NULL, "[parameters]\nt = \"1 [foo]\"\n", "27:5: error: `t`: `1 [foo]`: unknown unit \"foo\"\n"},
        {NULL, "[parameters]\nk = \"2 [N/mm]\"\n", ""},
    };
    CHECK_CHANGES(changes);
}

/* Also behind escapes, in arrays and tables, and on further lines. */
static void a_wrong_expression_is_told_at_the_offending_character(void **state)
{
    (void)state;
    static const change changes[] = {
        {"stiffness = 100", "stiffness = \"100*(2+\"",
         "19:21: error: a number, a name or `(` is missing before the end of the text\n"},
        {"stiffness = 100", "stiffness = \"100*kk\"", "19:18: error: unknown name `kk`\n"},
        {"stiffness = 100", "stiffness = \"100*sinn(2)\"",
         "19:18: error: unknown function `sinn`: did you mean `SIN`?\n"},
        {"stiffness = 100", "stiffness = \"\"", "19:14: error: the expression is empty\n"},
        {"stiffness = 100", "stiffness = \"2 $ 3\"", "19:16: error: unexpected character `$`\n"},
        {"stiffness = 100", "stiffness = '2 $ 3'", "19:16: error: unexpected character `$`\n"},
        {"stiffness = 100", "stiffness = \"\\u0032\\t$\"", "19:22: error: unexpected character `$`\n"},
        {"stiffness = 100", "stiffness = \"\"\"\n  2 +\n   $\"\"\"",
         "21:4: error: unexpected character `$`\n"},
        {"stiffness = 100", "stiffness = \"é + 1\"",
         "19:14: error: unexpected byte 0xC3: expressions are plain ASCII\n"},
        {"stiffness = 100", "stiffness = \"1/0\"",
         "19:13: error: `stiffness` of `spring`: `1/0`: division by zero\n"},
        {"stiffness = 100", "stiffness = \"25*(2+ [kg]\"",
         "19:13: error: `stiffness` of `spring`: `25*(2+ [kg]`: unit kg does not fit: N/m is "
         "expected\n19:20: error: a number, a name or `(` is missing before the end of the text\n"},
        {"mass = 1\n", "mass = 1\nposition = [1, \"1+\", \"2+$\"]\n",
         "8:19: error: a number, a name or `(` is missing before the end of the text\n"
         "8:25: error: unexpected character `$`\n"},
        {"\"ground\", \"mass\"", "\"mass\", { element = \"body\", position = [0, \"1 + $\", 0] }",
         "18:60: error: unexpected character `$`\n"},
        {NULL, "[[sensor]]\nname = \"x\"\nexpression = \"sin(tim)\"\n",
         "28:19: error: unknown name `tim`: did you mean `time`?\n"},
        {NULL, "[[sensor]]\nname = \"x\"\nexpression = \"sin(time) [foo]\"\n",
         "28:14: error: `expression` of `x`: `sin(time) [foo]`: unknown unit \"foo\"\n"},
    };
    CHECK_CHANGES(changes);
}

static void comparisons_and_logic_stand_everywhere(void **state)
{
    (void)state;
    static const change changes[] = {
        {"mass = 1\n", "mass = \"1 + 2*(3 > 2 and not 0)\"\n", ""},
        {"stiffness = 100", "stiffness = \"100*(3 > 2)\"", ""},
        {"stiffness = 100", "stiffness = \"100*(time > 2)\"", ""},
        {"stiffness = 100", "force_function = \"5*(3 > 0)\"", ""},
        {"stiffness = 100", "force_function = \"5*(deltaL > 0)\"", ""},
        {"stiffness = 100", "stiffness = \"100*(1 < time < 2)\"",
         "19:28: error: comparisons do not chain: join them with `and`\n"},
    };
    CHECK_CHANGES(changes);
}

/* A number that happens to be 0 or 1 is no comparison. */
static void a_comparison_has_no_unit(void **state)
{
    (void)state;
    static const change changes[] = {
        {"mass = 1\n", "mass = \"1 [kg]\"\n", ""},
        {"stiffness = 100", "stiffness = \"100*(time > 2) [N/m]\"", ""},
        {"stiffness = 100", "stiffness = \"time > 2 [N/mm]\"",
         "19:13: error: `stiffness` of `spring`: `time > 2 [N/mm]`: a comparison is 0 or 1, without a unit; "
         "the compared values are in SI units\n"},
        {NULL, "[[sensor]]\nname = \"s\"\nexpression = \"DX(mass) > 10 [mm] \"\n",
         "28:14: error: `expression` of `s`: `DX(mass) > 10 [mm] `: a comparison is 0 or 1, without a unit; "
         "the compared values are in SI units\n"},
    };
    CHECK_CHANGES(changes);
}

/* What may take single values only, such as a variable, is compared without a word. */
static void equality_of_what_varies_continuously_is_warned_of(void **state)
{
    (void)state;
    static const change changes[] = {
        {"stiffness = 100", "stiffness = \"100 + (time == 2)\"",
         "19:26: warning: continuous values are equal only at single instants, which a step may miss: "
         "compare them by `<` or `>`\n"},
        {"stiffness = 100", "stiffness = \"100 + (FLOOR(time) == 2)\"", ""},
        {"stiffness = 100", "stiffness = \"100 + (IF(time - 2: 1, 2, 3) != 2)*(time > 1)\"", ""},
        {"stiffness = 100", "force_function = \"5*(deltaL == 0)\"", ""},
        {NULL, "[[sensor]]\nname = \"s\"\nexpression = \"DX(mass) != 1\"\n",
         "28:24: warning: continuous values are equal only at single instants, which a step may miss: "
         "compare them by `<` or `>`\n"},
        {NULL,
         "[[sensor]]\nname = \"s\"\nexpression = \"VARVAL(v) == 1\"\n[[element]]\nname = \"v\"\n"
         "type = \"reference_variable\"\nexpression = \"time > 1\"\n",
         ""},
    };
    CHECK_CHANGES(changes);
}

static void time_is_told_where_the_value_must_be_constant(void **state)
{
    (void)state;
    static const change changes[] = {
        {"mass = 1\n", "mass = \"1 + time\"\n",
         "7:13: error: the value must be known before the run: `time` makes it change\n"},
        {"mass = 1\n", "mass = \"1 + TIME\"\n",
         "7:13: error: the value must be known before the run: `time` makes it change\n"},
        {"name = \"right\"", "gravity = [0, 0, \"-9.81*time\"]",
         "2:25: error: the value must be known before the run: `time` makes it change\n"},
        {"step = 0.1", "step = \"time\"",
         "24:9: error: the value must be known before the run: `time` makes it change\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { axis = [0, 0, 1], angle = \"time\" }",
         "14:41: error: the value must be known before the run: `time` makes it change\n"},
        {NULL, "[parameters]\na = \"time\"\n",
         "27:6: error: the value must be known before the run: `time` makes it change\n"},
        {"type = \"rk\"", "type = \"rk\"\norder = \"4*time\"",
         "23:12: error: the value must be known before the run: `time` makes it change\n"},
    };
    CHECK_CHANGES(changes);
}

static void time_is_accepted_where_the_value_may_change(void **state)
{
    (void)state;
    static const change changes[] = {
        {"stiffness = 100", "stiffness = \"100 + time\"", ""},
        {NULL,
         "[[element]]\n"
         "name = \"f\"\n"
         "type = \"force\"\n"
         "markers = [\"mass\"]\n"
         "value = [\"sin(time)\", 0, \"2*time [kN]\"]\n",
         ""},
        {NULL,
         "[[element]]\n"
         "name = \"f\"\n"
         "type = \"force\"\n"
         "markers = [\"mass\"]\n"
         "value = { value = [\"time\", 0, 0], unit = \"kN\" }\n",
         ""},
        {NULL,
         "[[element]]\n"
         "name = \"f\"\n"
         "type = \"force\"\n"
         "markers = [\"mass\"]\n"
         "value = [\"1 + $\", 0, \"time [kg]\"]\n",
         "30:15: error: unexpected character `$`\n30:22: error: `value` of `f`: `time [kg]`: unit kg does "
         "not fit: N is expected\n"},
        {"stiffness = 100", "force_function = \"stiffness*deltaL + time\"", ""},
        {"stiffness = 100", "force_function = \"stiffness*delta\"",
         "19:29: error: unknown name `delta`: did you mean `deltaL`?\n"},
        {"stiffness = 100", "force_function = \"5*time [kg]\"",
         "19:18: error: `force_function` of `spring`: `5*time [kg]`: unit kg does not fit: N is expected\n"},
        {"stiffness = 100", "force_function = \"5\"", ""},
        {"stiffness = 100", "force_function = \"1/0\"",
         "19:18: error: `force_function` of `spring`: `1/0`: division by zero\n"},
    };
    CHECK_CHANGES(changes);
}

static void parameters_refer_to_each_other_in_any_order_but_not_in_a_circle(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[parameters]\na = \"2*b\"\nb = 3\n", ""},
        {NULL, "[parameters]\na = \"2*a\"\n", "27:8: error: parameter `a` depends on itself\n"},
        {NULL, "[parameters]\na = \"2*b\"\nb = \"1 + a\"\n",
         "28:10: error: parameter `a` depends on itself\n"},
        {NULL, "[parameters]\na = \"b\"\nb = \"c\"\nc = \"a\"\n",
         "29:6: error: parameter `a` depends on itself\n"},
        {NULL, "[parameters]\naa = 1\nb = \"ab\"\n", "28:6: error: unknown name `ab`\n"},
        {NULL, "[parameters]\nk = 1\nb = \"K\"\n", "28:6: error: unknown name `K`: did you mean `k`?\n"},
        {NULL, "[parameters]\nb = \"q\"\nq = \"1/0\"\n", "28:5: error: `q`: `1/0`: division by zero\n"},
        {NULL, "[parameters]\nb = \"q\"\nq = \"r\"\nr = \"z\"\n", "29:6: error: unknown name `z`\n"},
    };
    CHECK_CHANGES(changes);
}

static void parameters_are_numbers_with_names_of_their_own(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[parameters]\nsin = 1\nPi = 3\nTIME = 2\nAnd = 1\n",
         "27:1: error: `sin` is a word of the expression language: choose another name\n"
         "28:1: error: `Pi` is a word of the expression language: choose another name\n"
         "29:1: error: `TIME` is a word of the expression language: choose another name\n"
         "30:1: error: `And` is a word of the expression language: choose another name\n"},
        {NULL, "[parameters]\n\"a-b\" = 1\n1a = 2\n",
         "27:1: error: `a-b` is not a name: letters, digits and _ only\n"
         "28:1: error: `1a` is not a name: letters, digits and _ only\n"},
        {NULL, "[parameters]\na = true\nb = [1]\nc = {x = 1}\nd = nan\n",
         "27:5: error: `a`: a number is expected, not a boolean\n28:5: error: `b`: a number is expected, not "
         "an array\n29:5: error: `c`: a number is expected, not a table\n30:5: error: `d`: the value is not "
         "finite\n"},
        {NULL, "[parameters]\nx.y = 1\n", "27:1: error: `x`: a number is expected, not a table\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_rotation_is_accepted_in_all_its_forms(void **state)
{
    (void)state;
    static const change changes[] = {
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]", ""},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { quaternion = [1, 2, 0, 0] }",
         "14:27: warning: `rotation` of `body`: a quaternion of length 2.23607 is normalised: is this "
         "intended?\n"},
        {"inertia = [1, 1, 1]",
         "inertia = [1, 1, 1]\nrotation = { axis = [0, 1e-200, 0], angle = \"90 [deg]\" }",
         "14:21: warning: `rotation` of `body`: an axis of length 1e-200 is normalised: is this intended?\n"},
        {"inertia = [1, 1, 1]",
         "inertia = [1, 1, 1]\nrotation = { axis = [0, 1e200, 0], angle = \"0.25 [rev]\" }",
         "14:21: warning: `rotation` of `body`: an axis of length 1e+200 is normalised: is this intended?\n"},
        {"inertia = [1, 1, 1]",
         "inertia = [1, 1, 1]\n"
         "rotation = { euler = \"xyz\", angles = [0.1, 0.2, \"30 [deg]\"] }",
         ""},
        {"inertia = [1, 1, 1]",
         "inertia = [1, 1, 1]\n"
         "rotation = { euler = \"ZXZ\", angles = { value = [10, 20, 30], unit = \"deg\" } }",
         ""},
    };
    CHECK_CHANGES(changes);
}

static void a_rotation_must_be_one(void **state)
{
    (void)state;
    static const change changes[] = {
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = [[1, 0, 0], [0, 1, 0.1], [0, 0, 1]]",
         "14:12: error: `rotation` of `body`: the matrix is not a rotation: it deviates from orthonormal by "
         "0.1\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]",
         "14:12: error: `rotation` of `body`: the matrix is a reflection, not a rotation: its determinant is "
         "-1\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = [[1, 0, 0], [0, 1, 0]]",
         "14:12: error: `rotation` of `body`: a rotation matrix has three rows of three numbers\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = [[1, 0, 0], [0, 1], 3]",
         "14:24: error: `rotation` of `body`: an array of 3 numbers is expected\n14:32: error: `rotation` of "
         "`body`: an array of 3 numbers is expected\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = [[1, 0, 0], [0, \"x\", 0], [0, true, nan]]",
         "14:29: error: unknown name `x`\n14:41: error: `rotation` of `body`: a number is expected, not a "
         "boolean\n14:47: error: `rotation` of `body`: the value is not finite\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { axis = [0, 0, 0], angle = 1 }",
         "14:21: error: `rotation` of `body`: a vector of length zero has no direction\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { axis = [0, 1], angle = 1 }",
         "14:21: error: `rotation` of `body`: an array of 3 numbers is expected\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { axis = [0, 0, 1], angle = \"1 [m]\" }",
         "14:40: error: `rotation` of `body`: `1 [m]`: unit m does not fit: rad is expected\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { axis = [0, 0, 1], angel = 1 }",
         "14:32: error: unknown key `angel`: did you mean `angle`?\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { axis = [0, 0, 1] }",
         "14:12: error: `rotation` of `body`: a rotation is a 3x3 array, { quaternion = [w, x, y, z] }, { "
         "axis = [x, y, z], angle = a } or { euler = \"xyz\", angles = [a, b, c] }\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { quaternion = [0, 0, 0, 0] }",
         "14:27: error: `rotation` of `body`: a vector of length zero has no direction\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { quaternion = [1, 0, 0] }",
         "14:27: error: `rotation` of `body`: an array of 4 numbers is expected\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { euler = \"xyw\", angles = [1, 2, 3] }",
         "14:22: error: `rotation` of `body`: three letters are expected, of xyz (about the body's axes) or "
         "XYZ (about those of space)\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { euler = \"xYz\", angles = [1, 2, 3] }",
         "14:22: error: `rotation` of `body`: three letters are expected, of xyz (about the body's axes) or "
         "XYZ (about those of space)\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { euler = 3, angles = [1, 2, 3] }",
         "14:22: error: `rotation` of `body`: three letters are expected, of xyz (about the body's axes) or "
         "XYZ (about those of space)\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = { euler = \"xyz\", angles = [1, 2] }",
         "14:38: error: `rotation` of `body`: an array of 3 numbers is expected\n"},
        {"inertia = [1, 1, 1]", "inertia = [1, 1, 1]\nrotation = \"xyz\"",
         "14:12: error: `rotation` of `body`: a rotation is a 3x3 array, { quaternion = [w, x, y, z] }, { "
         "axis = [x, y, z], angle = a } or { euler = \"xyz\", angles = [a, b, c] }\n"},
        {"inertia = [1, 1, 1]",
         "inertia = [1, 1, 1]\n"
         "rotation = { axis = [0, 0, 1], angle = 1, quaternion = [1, 0, 0, 0] }",
         "14:12: error: `rotation` of `body`: a rotation is a 3x3 array, { quaternion = [w, x, y, z] }, { "
         "axis = [x, y, z], angle = a } or { euler = \"xyz\", angles = [a, b, c] }\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_must_fit_by_a_pure_factor),
        cmocka_unit_test(a_wrong_expression_is_told_at_the_offending_character),
        cmocka_unit_test(comparisons_and_logic_stand_everywhere),
        cmocka_unit_test(a_comparison_has_no_unit),
        cmocka_unit_test(equality_of_what_varies_continuously_is_warned_of),
        cmocka_unit_test(time_is_told_where_the_value_must_be_constant),
        cmocka_unit_test(time_is_accepted_where_the_value_may_change),
        cmocka_unit_test(parameters_refer_to_each_other_in_any_order_but_not_in_a_circle),
        cmocka_unit_test(parameters_are_numbers_with_names_of_their_own),
        cmocka_unit_test(a_rotation_is_accepted_in_all_its_forms),
        cmocka_unit_test(a_rotation_must_be_one),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

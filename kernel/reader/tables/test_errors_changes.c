/* test_errors_changes.c - what is made different during a run, when, and to which value */
#include "tables/test_errors.h"

#define AT "[[change]]\ntime = 0.5\n"
#define SPRING AT "element = \"spring\"\n"
#define STIFFNESS SPRING "parameter = \"stiffness\"\n"
#define FRAME "[[marker]]\nname = \"tip\"\ntype = \"frame\"\nelement = \"body\"\n"
#define POINT "[[marker]]\nname = \"tip\"\ntype = \"point\"\nelement = \"mass\"\n"
#define TIP AT "marker = \"tip\"\n"
#define COPIES "[[repeat]]\ncount = 2\n[[repeat.change]]\n"
#define CHANGEABLE "reference_length, stiffness, damping, force, velocity_offset"

static void right_changes_are_accepted(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, STIFFNESS "value = 200\n", ""},
        {NULL, STIFFNESS "value = \"2 [N/mm]\"\nwhen = \"1 > 0\"\n", ""},
        {NULL, STIFFNESS "value = \"100 + sin(time)\"\n", ""},
        {NULL, SPRING "active = false\n", ""},
        {NULL, SPRING "active = false\n" STIFFNESS "value = 3\n", ""},
        {NULL, AT "element = \"mass\"\nparameter = \"gravity_scale\"\nvalue = -1\n", ""},
        {NULL, FRAME TIP "position = [1, 0, 0]\nrotation = { axis = [0, 0, 1], angle = \"90 [deg]\" }\n", ""},
        {NULL, POINT TIP "position = [0, 0, 0]\n", ""},
        {NULL, COPIES "time = \"0.1 * i\"\nelement = \"spring\"\nparameter = \"stiffness\"\nvalue = \"i\"\n",
         ""},
        {NULL, COPIES "time = \"0.1*i\"\nelement = \"spring\"\nactive = false\nwhen = \"i > 0\"\n", ""},
    };
    CHECK_CHANGES(changes);
}

static void a_change_happens_at_a_time(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, "[[change]]\nelement = \"spring\"\nactive = false\n",
         "26:1: error: a change has one of the keys `time` and `crosses`\n"},
        {NULL, "[[change]]\ntime = -1\nelement = \"spring\"\nactive = false\n",
         ""}, /* a run may start there */
        {NULL, "[[change]]\ntime = \"500 [ms]\"\nelement = \"spring\"\nactive = false\n", ""},
        {NULL, "[[change]]\ntime = \"0.5 [m]\"\nelement = \"spring\"\nactive = false\n",
         "27:8: error: `time`: `0.5 [m]`: unit m does not fit: s is expected\n"},
        {NULL, "[[change]]\ntime = \"time\"\nelement = \"spring\"\nactive = false\n",
         "27:9: error: the value must be known before the run: `time` makes it change\n"},
        {NULL, "[[change]]\ntime = inf\nelement = \"spring\"\nactive = false\n",
         "27:8: error: `time`: the value is not finite\n"},
        {NULL, "[[change]]\ntime = [1]\nelement = \"spring\"\nactive = false\n",
         "27:8: error: `time`: a number is expected, not an array\n"},
    };
    CHECK_CHANGES(changes);
}

#define CROSSES(text) "[[change]]\ncrosses = " text "\nelement = \"spring\"\nactive = false\n"

static void or_where_an_expression_crosses_zero(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, CROSSES("\"DX(mass) > 1\""), ""},
        {NULL, CROSSES("\"time - 0.5\""), ""},
        {NULL, CROSSES("\"DX(mass) - 1 [m]\""), ""},
        {NULL, CROSSES("1"), "27:11: error: `crosses` is a string\n"},
        {NULL, "[[change]]\ntime = 1\ncrosses = \"time - 1\"\nelement = \"spring\"\nactive = false\n",
         "28:1: error: a change has one of the keys `time` and `crosses`\n"},
        {NULL, CROSSES("\"DX(mas) > 1\""),
         "27:15: error: there is no element or marker `mas`: did you mean `mass`?\n"},
        {NULL, CROSSES("\"DX(mass) > hight\""), "27:23: error: unknown name `hight`\n"},
        {NULL, CROSSES("\"DX(mass) >\""),
         "27:22: error: a number, a name or `(` is missing before the end of the text\n"},
        {NULL, CROSSES("\"1 > 2\""),
         "27:11: error: `crosses` reads neither time nor the motion: it never crosses zero or becomes "
         "true\n"},
        {NULL, CROSSES("\"DX(mass) > VX(mass)\""),
         "27:21: warning: `>` of values of different units: a length (m), a velocity (m/s)\n"},
        {NULL,
         "[[repeat]]\ncount = 2\n[[repeat.change]]\ncrosses = \"DX(mass) - i\"\nelement = \"spring\"\n"
         "active = false\n",
         ""},
        {NULL,
         "[[repeat]]\ncount = 2\n[[repeat.change]]\ncrosses = \"i - 1\"\nelement = \"spring\"\n"
         "active = false\n",
         "29:11: error: `crosses` reads neither time nor the motion: it never crosses zero or becomes true "
         "(with i = 0, "
         "and in other copies)\n"},
        {NULL, CROSSES("\"time > 1\"") "parameter = \"stiffness\"\nvalue = 3\n",
         "30:1: error: a change has `parameter` and `value`, or `active`\n"},
        {NULL,
         "[[change]]\ncrosses = \"time > 1\"\nelement = \"spring\"\nparameter = \"stiffness\"\nvalue = -1\n",
         "30:9: error: `stiffness` of `spring`: -1 is out of range: it must be at least 0\n"},
    };
    CHECK_CHANGES(changes);
}

static void a_change_has_one_subject(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, AT, "26:1: error: a change has one of the keys `element` and `marker`\n"},
        {NULL, SPRING "marker = \"tip\"\nactive = false\n",
         "26:1: error: a change has one of the keys `element` and `marker`\n"},
        {NULL, AT "element = 3\nactive = false\n", "28:11: error: `element` is a string\n"},
        {NULL, AT "element = \"sprng\"\nactive = false\n",
         "28:11: error: there is no element or marker `sprng`: did you mean `spring`?\n"},
        {NULL, AT "marker = \"tpi\"\nposition = [1, 0, 0]\n" FRAME,
         "28:10: error: there is no element or marker `tpi`: did you mean `tip`?\n"},
        {NULL, AT "marker = \"spring\"\nposition = [1, 0, 0]\n",
         "28:10: error: `spring` is an element: write `element = \"spring\"`\n"},
        {NULL, AT "element = \"tip\"\nparameter = \"position\"\nvalue = [1, 0, 0]\n" FRAME,
         "28:11: error: `tip` is a marker: write `marker = \"tip\"`\n"},
        {NULL, COPIES "time = 0.5\nelement = \"spring_{i}\"\nparameter = \"stiffness\"\nvalue = \"i\"\n",
         "30:11: error: there is no element or marker `spring_0`: did you mean `spring`? (with i = 0, and in "
         "other copies)\n"},
        {NULL, "[change]\ntime = 1\n", "26:2: error: `change` is an array of tables: write [[change]]\n"},
    };
    CHECK_CHANGES(changes);
}

static void keys_that_would_do_nothing_are_errors(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SPRING, "26:1: error: missing key `parameter` (the changed parameter), or `active`\n"},
        {NULL, SPRING "value = 3\n",
         "26:1: error: missing key `parameter` (the changed parameter), or `active`\n"},
        {NULL, STIFFNESS, "26:1: error: missing key `value` (new value of `parameter`)\n"},
        {NULL, STIFFNESS "value = 3\nactive = false\n",
         "29:1: error: a change has `parameter` and `value`, or `active`\n"},
        {NULL, STIFFNESS "value = 3\nposition = [1, 0, 0]\n",
         "31:1: error: `position` belongs to `marker`\n"},
        {NULL, SPRING "parametr = \"stiffness\"\nvalue = 1\n",
         "29:1: error: unknown key `parametr`: did you mean `parameter`?\n"},
        {NULL, TIP FRAME, "26:1: error: missing key `position` or `rotation` (new value for the marker)\n"},
        {NULL, TIP "position = [1, 0, 0]\nactive = false\n" FRAME,
         "30:1: error: `active` belongs to `element`\n"},
        {NULL, TIP "rotation = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nvalue = 1\n" FRAME,
         "30:1: error: `value` belongs to `element`\n"},
    };
    CHECK_CHANGES(changes);
}

static void only_changeable_parameters_change(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SPRING "parameter = 3\nvalue = 1\n", "29:13: error: `parameter` is a string\n"},
        {NULL, SPRING "parameter = \"stifness\"\nvalue = 1\n",
         "29:13: error: a spring_damper has no parameter `stifness`: did you mean `stiffness`?\n"},
        {NULL, SPRING "parameter = \"colour\"\nvalue = 1\n",
         "29:13: error: a spring_damper has no parameter `colour` (changeable: " CHANGEABLE ")\n"},
        {NULL, SPRING "parameter = \"force_function\"\nvalue = \"deltaL\"\n",
         "29:13: error: `force_function` of a spring_damper cannot be changed during a run "
         "(changeable: " CHANGEABLE ")\n"},
        {NULL, AT "element = \"mass\"\nparameter = \"mass\"\nvalue = 2\n",
         "29:13: error: `mass` of a mass_point cannot be changed during a run (changeable: gravity_scale)\n"},
        {NULL, AT "element = \"ground\"\nparameter = \"position\"\nvalue = [1, 0, 0]\n",
         "29:13: error: `position` of a ground cannot be changed during a run\n"},
        {NULL, SPRING "parameter = \"active\"\nvalue = false\n",
         "29:13: error: write `active = true` or `false` in place of `parameter` and `value`\n"},
        {NULL, SPRING "active = 0\n", "29:10: error: `active`: true or false is expected\n"},
        {NULL, AT "element = \"mass\"\nactive = false\n",
         "29:1: error: `mass` has no markers: it cannot be made inactive\n"},
        {NULL, POINT TIP "rotation = { axis = [1, 0, 0], angle = 1 }\n",
         "33:1: error: a point has no parameter `rotation` (changeable: position)\n"},
    };
    CHECK_CHANGES(changes);
}

static void values_are_those_of_the_parameter(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, STIFFNESS "value = -1\n",
         "30:9: error: `stiffness` of `spring`: -1 is out of range: it must be at least 0\n"},
        {NULL, STIFFNESS "value = \"2 [m]\"\n",
         "30:9: error: `stiffness` of `spring`: `2 [m]`: unit m does not fit: N/m is expected\n"},
        {NULL, STIFFNESS "value = [1, 2]\n",
         "30:9: error: `stiffness` of `spring`: a number is expected, not an array\n"},
        {NULL, STIFFNESS "value = true\n",
         "30:9: error: `stiffness` of `spring`: a number is expected, not a boolean\n"},
        {NULL, STIFFNESS "value = \"k\"\n", "30:10: error: unknown name `k`\n"},
        {NULL, STIFFNESS "value = \"1/0\"\n",
         "30:9: error: `stiffness` of `spring`: `1/0`: division by zero\n"},
        {NULL, AT "element = \"mass\"\nparameter = \"gravity_scale\"\nvalue = \"sin(time)\"\n",
         "30:14: error: the value must be known before the run: `time` makes it change\n"},
        {NULL, TIP "position = [1, 0]\n" FRAME,
         "29:12: error: `position` of `tip`: an array of 3 numbers is expected (m)\n"},
        {NULL, TIP "position = [\"time\", 0, 0]\n" FRAME,
         "29:14: error: the value must be known before the run: `time` makes it change\n"},
        {NULL, TIP "rotation = [[1, 0, 0], [0, 1, 0], [0, 0, 2]]\n" FRAME,
         "29:12: error: `rotation` of `tip`: the matrix is not a rotation: it deviates from orthonormal by "
         "3\n"},
    };
    CHECK_CHANGES(changes);
}

/* A mass point carries markers at itself only. */
static void a_marker_stays_where_its_element_can_carry_it(void **state)
{
    (void)state;
    static const change changes[] = {
        {"\"mass\"]\nstiffness = 100\n", "\"tip\"]\nstiffness = 100\n" POINT TIP "position = [1, 0, 0]\n",
         "27:12: error: a mass point has no orientation: a marker on it has no offset\n"},
    };
    CHECK_CHANGES(changes);
}

static void nothing_is_changed_twice_at_one_time(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, STIFFNESS "value = 2\n" STIFFNESS "value = 3\n",
         "31:1: error: the change at line 26 sets the same value at the same time\n"},
        {NULL, SPRING "active = false\n" SPRING "active = true\n",
         "30:1: error: the change at line 26 sets the same value at the same time\n"},
        {NULL, FRAME TIP "position = [1, 0, 0]\n" TIP "position = [1, 0, 0]\n",
         "34:1: error: the change at line 30 sets the same value at the same time\n"},
        {NULL, COPIES "time = 0.5\nelement = \"spring\"\nparameter = \"stiffness\"\nvalue = \"i\"\n",
         "28:1: error: the change at line 28 sets the same value at the same time\n"},
        {NULL, STIFFNESS "value = 2\n" SPRING "parameter = \"damping\"\nvalue = 3\n", ""},
    };
    CHECK_CHANGES(changes);
}

#define VARIABLE(keys) "[[element]]\nname = \"v\"\ntype = \"reference_variable\"\n" keys
#define EXPRESSION AT "element = \"v\"\nparameter = \"expression\"\n"
#define SOFT "autobalance = \"penalty\"\n"

/* A solver that has begun cannot take it for something else. */
static void a_variable_keeps_its_kind(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, VARIABLE("expression = 2\n") EXPRESSION "value = \"VX(mass)\"\n", ""},
        {NULL, VARIABLE("expression = \"VX(mass)\"\n") EXPRESSION "value = 2\n", ""},
        {NULL,
         VARIABLE("expression = \"2*VARVAL(v)\"\nintegral = true\n") EXPRESSION "value = \"VARVAL(v)\"\n",
         ""},
        {NULL,
         VARIABLE("expression = \"DX(mass)\"\nimplicit = true\n") EXPRESSION "value = \"DY(mass) - TIME\"\n",
         ""},
        {NULL, VARIABLE("expression = \"DX(mass)\"\n") EXPRESSION "value = \"VARVAL(v) + TIME\"\n",
         "34:9: error: a change cannot make `v` implicit, which reads itself: it is explicit\n"},
        {NULL,
         VARIABLE("expression = \"DX(mass)\"\nimplicit = true\n") EXPRESSION
         "value = \"DX(mass) - VARVAL(v)\"\n",
         "35:9: error: a change cannot make `v` implicit, which reads itself: it is a constraint\n"},
        {NULL,
         VARIABLE("expression = \"DX(mass)\"\nimplicit = true\n" SOFT) EXPRESSION "value = \"VARVAL(v)\"\n",
         "36:9: error: a change cannot make `v` implicit, which reads itself: it is a soft constraint\n"},
        {NULL,
         VARIABLE("expression = \"VARVAL(v) - TIME\"\nimplicit = true\n") EXPRESSION "value = \"DX(mass)\"\n",
         "35:9: error: a change cannot make `v` a constraint: it is implicit, which reads itself\n"},
        {NULL,
         VARIABLE("expression = \"VARVAL(v)\"\nimplicit = true\n" SOFT) EXPRESSION "value = \"DX(mass)\"\n",
         "36:9: error: a change cannot make `v` a soft constraint: it is implicit, which reads itself\n"},
        {NULL,
         VARIABLE("expression = \"VARVAL(v)\"\nimplicit = true\n") AT
         "element = \"v\"\nparameter = \"implicit\"\nvalue = false\n",
         "34:13: error: `implicit` of a reference_variable cannot be changed during a run (changeable: "
         "expression, penalty, penalty1)\n"},
        {NULL, VARIABLE("expression = \"DX(mass)\"\n") EXPRESSION "value = \"VX(mass)\"\n",
         "34:9: warning: the expression is a velocity (m/s), but the expression that it replaces is a length "
         "(m)\n"},
    };
    CHECK_CHANGES(changes);
}

static void the_new_constraint_is_one(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL,
         VARIABLE("expression = \"DX(mass)\"\nimplicit = true\n") EXPRESSION
         "value = \"DX(mass) - VX(mass)\"\n",
         "35:21: error: a constraint holds displacements: this is a velocity\n"},
        {NULL,
         VARIABLE("expression = \"DX(mass)\"\nimplicit = true\n") EXPRESSION "value = \"ABS(DX(mass))\"\n",
         "35:9: error: a constraint must be smooth: ABS has no continuous derivative everywhere\n"},
        {NULL, VARIABLE("expression = \"DX(mass)\"\nimplicit = true\n") EXPRESSION "value = \"SIN(TIME)\"\n",
         "35:9: error: the constraint `v` reads no marker\n"},
        {NULL, VARIABLE("expression = \"DX(mass)\"\nimplicit = true\n") EXPRESSION "value = 1\n",
         "35:9: error: the constraint `v` reads no marker\n"},
        {NULL, VARIABLE("expression = \"TIME\"\nimplicit = true\n") EXPRESSION "value = \"DX(mass)\"\n",
         "26:1: error: the constraint `v` reads no marker\n"},
    };
    CHECK_CHANGES(changes);
}

static void constraints_alone_among_variables_can_be_inactive(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, VARIABLE("expression = \"DX(mass)\"\nimplicit = true\nactive = false\n"), ""},
        {NULL, VARIABLE("expression = \"DX(mass)\"\nactive = false\n"),
         "30:10: error: `v` is not a constraint: it cannot be made inactive\n"},
        {NULL,
         VARIABLE("expression = \"DX(mass)\"\nintegral = true\n") AT "element = \"v\"\nactive = false\n",
         "34:10: error: `v` is not a constraint: it cannot be made inactive\n"},
        {NULL,
         VARIABLE("expression = \"DX(mass)\"\n") AT
         "element = \"v\"\nparameter = \"active\"\nvalue = false\n",
         "33:13: error: write `active = true` or `false` in place of `parameter` and `value`\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_changes_are_accepted),
        cmocka_unit_test(a_change_happens_at_a_time),
        cmocka_unit_test(or_where_an_expression_crosses_zero),
        cmocka_unit_test(a_change_has_one_subject),
        cmocka_unit_test(keys_that_would_do_nothing_are_errors),
        cmocka_unit_test(only_changeable_parameters_change),
        cmocka_unit_test(values_are_those_of_the_parameter),
        cmocka_unit_test(a_marker_stays_where_its_element_can_carry_it),
        cmocka_unit_test(nothing_is_changed_twice_at_one_time),
        cmocka_unit_test(a_variable_keeps_its_kind),
        cmocka_unit_test(the_new_constraint_is_one),
        cmocka_unit_test(constraints_alone_among_variables_can_be_inactive),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

/* test_errors_delays.c - delay in expressions: its arguments, where it may stand, loops */
#include "tables/test_errors.h"

#define SENSOR(expression) "[[sensor]]\nname = \"x\"\nexpression = \"" expression "\"\n"
#define VARIABLE(name, expression) \
    "[[element]]\nname = \"" name "\"\ntype = \"reference_variable\"\nexpression = \"" expression "\"\n"

static void arguments_are_three_expressions(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR("1 + DELAY(DX(mass), 0.1, 2) + delay(time, IF(time: 1, 2, 3), (1 + 2)*time)"), ""},
        {NULL, SENSOR("1 + DELAY(DX(mass), 0.1)"), "28:19: error: `DELAY` takes 3 arguments, not 2\n"},
        {NULL, SENSOR("DELAY(1, 2, 3, 4, 5)"), "28:15: error: `DELAY` takes 3 arguments, not 5\n"},
        {NULL, SENSOR("delay()"), "28:15: error: `delay` takes 3 arguments, not 0\n"},
        {NULL, SENSOR("DELAY(1, , 2)"), "28:24: error: a number, a name or `(` is missing before `,`\n"},
        {NULL, SENSOR("DELAY(1, 2"), "28:25: error: missing `)`: the `(` at character 6 is not closed\n"},
        {NULL, SENSOR("1 + DELAY"), "28:19: error: function `DELAY` without its arguments in parentheses\n"},
        {NULL, SENSOR("DELEY(1, 2, 3)"), "28:15: error: unknown function `DELEY`: did you mean `delay`?\n"},
        {NULL, SENSOR("DELAY(1 +, 2, 3)"),
         "28:24: error: a number, a name or `(` is missing before the end of the text\n"},
    };
    CHECK_CHANGES(changes);
}

static void errors_in_arguments_have_their_place(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR("1 + DELAY(DX(mas), 1, 2)"),
         "28:28: error: there is no element or marker `mas`: did you mean `mass`?\n"},
        {NULL, SENSOR("DELAY(1, 2*DX(mas), 2)"),
         "28:29: error: there is no element or marker `mas`: did you mean `mass`?\n"},
        {NULL, SENSOR("DELAY(1, 2, 3 + DX(mass))"),
         "28:31: error: the value of `delay` before the run must be a number or a function of time: `dx` is "
         "neither\n"},
        {NULL, SENSOR("DELAY(1, 2, DELAY(1, 2, 3))"),
         "28:27: error: the value of `delay` before the run must be a number or a function of time: `delay` "
         "is neither\n"},
        {NULL, SENSOR("DELAY(time, 1/0, 0)"),
         "28:27: error: the time of `delay` has no value: division by zero\n"},
        {NULL, SENSOR("DELAY(DELAY(sine(time), 1, 2), 1, 2)"),
         "28:27: error: unknown function `sine`: did you mean `SIN`?\n"},
        {NULL, SENSOR("DELAY(time < 2, 1, 2)"), ""},
    };
    CHECK_CHANGES(changes);
}

#define TWICE(inner) "DELAY(DELAY(" inner ", 1, 2), 1, 2)"
static void delays_stand_inside_each_other_to_some_depth(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR(TWICE(TWICE(TWICE(TWICE("time"))))), ""},
        {NULL, SENSOR(TWICE(TWICE(TWICE(TWICE("DELAY(time, 1, 2)"))))),
         "28:63: error: more than 8 calls of `delay` inside each other\n"},
    };
    CHECK_CHANGES(changes);
}

static void it_stands_where_a_number_may_change(void **state)
{
    (void)state;
    static const change changes[] = {
        {"stiffness = 100", "stiffness = \"100 + 2*DELAY(DX(mass), 0.1, 0)\"", ""},
        {"mass = 1\n", "mass = \"DELAY(1, 2, 3)\"\n",
         "7:9: error: the value must be known before the run: `delay` makes it change\n"},
        {NULL, "[parameters]\np = \"1 + DELAY(1, 2, 3)\"\n",
         "27:10: error: the value must be known before the run: `delay` makes it change\n"},
        {"stiffness = 100", "force_function = \"2*deltaL*DELAY(deltaL, 1, 0)\"",
         "19:34: error: unknown name `deltaL`\n"},
        {NULL, "[parameters]\ndelay = 0.1\n" SENSOR("DELAY(time, delay, 0)"), ""},
    };
    CHECK_CHANGES(changes);
}

#define CONSTRAINT(expression) VARIABLE("c", expression) "implicit = true\n"
static void constraints_do_not_look_back(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, CONSTRAINT("DX(mass) - DELAY(DX(mass), 0.1, 0)"),
         "29:26: error: a constraint holds displacements: `delay` is not a function of them\n"},
        {NULL, CONSTRAINT("DX(mass) - DELAY(1, 0.1, 0)") "autobalance = \"penalty\"\n",
         "29:26: error: a constraint holds displacements: `delay` is not a function of them\n"},
        {NULL, VARIABLE("v", "2*DELAY(DX(mass), 0.1, 0)") CONSTRAINT("DX(mass) - VARVAL(v)"),
         "29:17: error: a constraint holds displacements: `delay` is not a function of them\n"},
        {NULL, VARIABLE("v", "VARVAL(v)**3 - DELAY(DX(mass), 0.1, 0)") "implicit = true\n", ""},
        {NULL, VARIABLE("v", "DELAY(VARVAL(v), 0.1, 0)") "integral = true\n", ""},
    };
    CHECK_CHANGES(changes);
}

static void loops_close_over_a_fixed_delay_only(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, VARIABLE("a", "1 + DELAY(VARVAL(a), 0.1, 0)"), ""},
        {NULL, VARIABLE("a", "VARVAL(b)") VARIABLE("b", "DELAY(time*VARVAL(a), 0.1, 0)"), ""},
        {NULL, VARIABLE("a", "VARVAL(b)") VARIABLE("b", "DELAY(VARVAL(a), time, 0)"),
         "29:14: error: variables that read each other in a loop over a delay: `b` reads `a` reads `b`\n"},
        {NULL, VARIABLE("a", "DELAY(time, VARVAL(b), 0)") VARIABLE("b", "VARVAL(a)"),
         "29:14: error: variables that read each other in a loop over a delay: `b` reads `a` reads `b`\n"},
        {NULL, VARIABLE("a", "DELAY(VARVAL(a), -1, 0)"),
         "29:14: error: variables that read each other in a loop over a delay: `a` reads `a`\n"},
        {NULL, VARIABLE("a", "VARVAL(a) + DELAY(VARVAL(a), 0, 0)") "implicit = true\n",
         "29:14: error: variables that read each other in a loop over a delay: `a` reads `a`\n"},
        {NULL, VARIABLE("a", "VARVAL(b) + DELAY(VARVAL(b), 0.1, 0)") VARIABLE("b", "VARVAL(a)"), ""},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arguments_are_three_expressions),
                                       cmocka_unit_test(errors_in_arguments_have_their_place),
                                       cmocka_unit_test(delays_stand_inside_each_other_to_some_depth),
                                       cmocka_unit_test(it_stands_where_a_number_may_change),
                                       cmocka_unit_test(constraints_do_not_look_back),
                                       cmocka_unit_test(loops_close_over_a_fixed_delay_only)};
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

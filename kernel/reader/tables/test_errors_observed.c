/* test_errors_observed.c - functions of markers and variables in expressions: what they take, where they may stand, ids */
#include "tables/test_errors.h"

#define SENSOR(expression) "[[sensor]]\nname = \"x\"\nexpression = \"" expression "\"\n"
#define VARIABLE(name, expression) \
    "[[element]]\nname = \"" name "\"\ntype = \"reference_variable\"\nexpression = \"" expression "\"\n"
#define TIP "[[marker]]\nname = \"tip\"\ntype = \"frame\"\nelement = \"body\"\n"
#define WITH_ID(item, id) item "id = " id "\n"

static void items_are_looked_up_by_name(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, TIP SENSOR("1 + DX(tip, mass) + dm(mass) + 2*WZ(body, tip, 0)"), ""},
        {NULL, TIP SENSOR("1 + DX(tip, tib)"),
         "32:27: error: there is no element or marker `tib`: did you mean `tip`?\n"},
        {NULL, TIP "[[sensor]]\nname = \"x\"\nexpression = \"\"\"\n1\n  + DX(tip,\n  tib)\"\"\"\n",
         "35:3: error: there is no element or marker `tib`: did you mean `tip`?\n"},
        {NULL, SENSOR("DX(nobody_at_all)"), "28:18: error: there is no element or marker `nobody_at_all`\n"},
        {"stiffness = 100", "stiffness = \"100 + DX(mas)\"",
         "19:23: error: there is no element or marker `mas`: did you mean `mass`?\n"},
        {NULL, VARIABLE("v", "2") SENSOR("VARVAL(v) + varval(v)"), ""},
        {NULL, VARIABLE("speed", "VX(mass)") SENSOR("1 + VARVAL(sped)"),
         "32:26: error: there is no variable `sped`: did you mean `speed`?\n"},
        {NULL, SENSOR("VARVAL(mas)"), "28:22: error: there is no variable `mas`\n"},
        {NULL, SENSOR("VARVAL(mass)"), "28:22: error: `mass` is a mass_point, not a variable\n"},
        {NULL, TIP SENSOR("VARVAL(tip)"), "32:22: error: `tip` is a frame, not a variable\n"},
    };
    CHECK_CHANGES(changes);
}

/* Variables have numbers of their own; bodies and markers share theirs. */
static void items_are_looked_up_by_id(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL,
         WITH_ID(TIP, "7") WITH_ID(VARIABLE("v", "1"), "7") WITH_ID(VARIABLE("w", "VARVAL(7)"), "8")
             SENSOR("DX(7) + VARVAL(7) + VARVAL(8)"),
         ""},
        {NULL, SENSOR("DX(77)"), "28:18: error: there is no body or marker with the id 77\n"},
        {NULL, WITH_ID(VARIABLE("v", "1"), "7") SENSOR("DX(7)"),
         "33:18: error: there is no body or marker with the id 7\n"},
        {NULL, WITH_ID(TIP, "7") SENSOR("VARVAL(7)"), "33:22: error: there is no variable with the id 7\n"},
        {NULL, WITH_ID(VARIABLE("v", "1"), "7") WITH_ID(VARIABLE("w", "1"), "7"),
         "35:1: error: the id 7 is taken\n"},
        {"mass = 1\n\n",
         "mass = 1\nid = 4\n[[marker]]\nname = \"m\"\ntype = \"point\"\nelement = \"mass\"\nid = 4\n",
         "13:1: error: the id 4 is taken\n"},
        {NULL, WITH_ID(VARIABLE("v", "1"), "7.5"),
         "30:6: error: `id` of `v`: an integer is expected, not 7.5\n"},
    };
    CHECK_CHANGES(changes);
}

static void calls_have_as_many_items_as_the_function_takes(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR("DX()"), "28:15: error: `dx` takes 1 to 3 arguments (i, j, k), not 0\n"},
        {NULL, SENSOR("1 + DM(mass, body, mass)"),
         "28:19: error: `dm` takes 1 to 2 arguments (i, j), not 3\n"},
        {NULL, SENSOR("DX(mass, mass, mass, mass, mass)"), "28:42: error: `dx` takes at most 4 items\n"},
        {NULL, SENSOR("VX(mass, 0, 0, body)"), ""},
        {NULL, SENSOR("DX(0) + DX(mass, ground)"), ""},
        {NULL,
         VARIABLE("many",
                  "DX(mass) + DY(mass) + DZ(mass) + 1*VX(mass) + 1*VY(mass) + 1*VZ(mass) + DM(mass) + "
                  "VM(mass) + DX(body) + DY(body) + DZ(body)"),
         ""},
        {NULL, SENSOR("DX(2*3)"), "28:19: error: `)` or an operator missing before `*`\n"},
        {NULL, SENSOR("DX(1.5)"), "28:18: error: the arguments of `dx` are names or ids of items\n"},
        {NULL, VARIABLE("v", "1") SENSOR("VARVAL(v, v)"),
         "32:15: error: `varval` takes 1 argument (variable), not 2\n"},
        {NULL, SENSOR("VARVAL()"), "28:15: error: `varval` takes 1 argument (variable), not 0\n"},
        {NULL, SENSOR("1 + DX"), "28:19: error: function `DX` without its arguments in parentheses\n"},
        {NULL, SENSOR("DXX(mass)"), "28:15: error: unknown function `DXX`: did you mean `dx`?\n"},
        {NULL, SENSOR("VARVALL(mass)"), "28:15: error: unknown function `VARVALL`: did you mean `varval`?\n"},
        {NULL, SENSOR("CENTER(mass)"), "28:15: error: unknown function `CENTER`\n"},
    };
    CHECK_CHANGES(changes);
}

static void items_must_be_what_the_function_looks_at(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR("AZ(mass)"), "28:18: error: `mass` is a mass_point: it cannot carry a frame\n"},
        {NULL, SENSOR("DX(body, 0, mass)"),
         "28:27: error: `mass` is a mass_point: it cannot carry a frame\n"},
        {NULL, "[[marker]]\nname = \"p\"\ntype = \"point\"\nelement = \"body\"\n" SENSOR("WX(p)"),
         "32:18: error: marker `p` is a point: a frame is needed\n"},
        {NULL, VARIABLE("v", "1") SENSOR("DX(v)"),
         "32:18: error: `v` is a reference_variable: it cannot carry a point\n"},
        {NULL, SENSOR("DX(spring)"), "28:18: error: `spring` is a spring_damper: it cannot carry a point\n"},
    };
    CHECK_CHANGES(changes);
}

static void what_must_be_known_before_the_run_reads_nothing(void **state)
{
    (void)state;
    static const change changes[] = {
        {"mass = 1\n", "mass = \"1 + DX(body)\"\n",
         "7:13: error: the value must be known before the run: `dx` makes it change\n"},
        {NULL, "[parameters]\np = \"VARVAL(v)\"\n" VARIABLE("v", "1"),
         "27:6: error: the value must be known before the run: `varval` makes it change\n"},
        {"step = 0.1", "step = \"0.1*DX(body)\"",
         "24:13: error: the value must be known before the run: `dx` makes it change\n"},
        {NULL, SENSOR("DX(body) > 3"), ""},
    };
    CHECK_CHANGES(changes);
}

/* The spring of the model is an item like any other; forces and constraints have ids of their own. */
static void forces_are_those_of_elements_on_markers(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR("SFORCE(spring, 0, 2) + FX(mass) + FM(mass, ground) + 2*TZ(body, 0, body)"), ""},
        {NULL, SENSOR("1 + SFORCE(sprng, 0, 2)"),
         "28:26: error: there is no connector `sprng`: did you mean `spring`?\n"},
        {NULL, SENSOR("SFORCE(mass, 0, 2)"), "28:22: error: `mass` is a mass_point, not a connector\n"},
        {NULL, SENSOR("SFORCE(7, 0, 2)"), "28:22: error: there is no force with the id 7\n"},
        {NULL, SENSOR("JOINT(7, 0, 2)"), "28:21: error: there is no constraint with the id 7\n"},
        {NULL, SENSOR("SFORCE(spring, 2, 2)"),
         "28:30: error: `2` is not a marker (0: the first one, 1: the last one): 0 to 1\n"},
        {NULL, SENSOR("SFORCE(spring, 0, 9)"),
         "28:33: error: `9` is not a component (1 to 4: force, x, y, z; 5 to 8: torque, x, y, z): 1 to 8\n"},
        {NULL, SENSOR("SFORCE(spring, 0)"),
         "28:15: error: `sforce` takes 3 to 4 arguments (element, last, component, frame), not 2\n"},
        {NULL, SENSOR("FX(mass, 0, mass)"),
         "28:27: error: `mass` is a mass_point: it cannot carry a frame\n"},
        {NULL, SENSOR("FX()"), "28:15: error: `fx` takes 1 to 3 arguments (i, j, k), not 0\n"},
        {NULL, VARIABLE("v", "2") SENSOR("VARFRC(v, mass, 1)"), "32:15: error: `v` does not act on `mass`\n"},
        {"stiffness = 100", "stiffness = 100\nforce = \"SFORCE(spring, 0, 2)\"",
         "20:9: error: a force that depends on itself: `spring` reads `spring`\n"},
        {NULL, SENSOR("SFORC(spring, 0, 2)"),
         "28:15: error: unknown function `SFORC`: did you mean `sforce`?\n"},
        {NULL, VARIABLE("v", "FX(mass) - 1") "implicit = true\n",
         "29:15: error: a constraint holds displacements: this is a force\n"},
        {NULL, VARIABLE("v", "1 - ACCX(mass)") "implicit = true\n",
         "29:19: error: a constraint holds displacements: this is an acceleration\n"},
    };
    CHECK_CHANGES(changes);
}

static void functions_of_elements_read_besides_their_arguments(void **state)
{
    (void)state;
    static const change changes[] = {
        {"stiffness = 100",
         "force_function = \"2*deltaL*DX(body) + VARVAL(v)*time\"\n" VARIABLE("v", "VX(mass)"), ""},
        {"stiffness = 100", "force_function = \"2*deltaL + DX(bodi)\"",
         "19:33: error: there is no element or marker `bodi`: did you mean `body`?\n"},
        {"stiffness = 100", "force_function = \"deltaL*VARVAL(w)\"\n" VARIABLE("v", "VX(mass)"),
         "19:33: error: there is no variable `w`\n"},
        {"stiffness = 100", "force_function = \"deltaL*WZ(mass)\"",
         "19:29: error: `mass` is a mass_point: it cannot carry a frame\n"},
        {"stiffness = 100", "force_function = \"deltaL + DX()\"",
         "19:28: error: `dx` takes 1 to 3 arguments (i, j, k), not 0\n"},
        {"stiffness = 100", "force_function = \"IF(deltaL: 0, 1, DX(body) > 1)\"", ""},
        {"stiffness = 100",
         "\n[[repeat]]\ncount = 2\nvariable = \"i\"\n[[repeat.element]]\nname = \"s_{i}\"\n"
         "type = \"spring_damper\"\nmarkers = [\"ground\", \"mass\"]\n"
         "force_function = \"deltaL*DX(m_{i})\"\n",
         "27:18: error: there is no element or marker `m_0`: did you mean `s_0`? (with i = 0, and in other "
         "copies)\n"},
    };
    CHECK_CHANGES(changes);
}

static void variables_read_each_other_but_not_themselves(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, VARIABLE("a", "VARVAL(b)") VARIABLE("b", "VARVAL(c) + time") VARIABLE("c", "DX(mass)"), ""},
        {NULL, VARIABLE("a", "VARVAL(b)") VARIABLE("b", "2*VARVAL(c)") VARIABLE("c", "VARVAL(a)"), ""},
        {NULL, VARIABLE("a", "1 + VARVAL(a)"),
         "29:14: error: `a` reads itself: write `implicit = true` to have it solved for\n"},
        {NULL, VARIABLE("a", "VARVAL(b)") VARIABLE("b", "VARVAL(a) + VARVAL(b)"),
         "33:14: error: `b` reads itself: write `implicit = true` to have it solved for\n"},
    };
    CHECK_CHANGES(changes);
}

#define REPEAT(expression)                                                                              \
    VARIABLE("v_0", "1")                                                                                \
    "[[repeat]]\ncount = 3\nvariable = \"i\"\n"                                                         \
    "[[repeat.element]]\nname = \"v_{i+1}\"\ntype = \"reference_variable\"\nexpression = \"" expression \
    "\"\n"

static void copies_call_with_names_of_their_own(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, REPEAT("i*VARVAL(v_{i}) + DX(mass)"), ""},
        {NULL, REPEAT("VARVAL(w_{i})"),
         "36:14: error: there is no variable `w_0`: did you mean `v_0`? (with i = 0, and in other copies)\n"},
        {NULL, REPEAT("VARVAL(v_{i+1})"),
         "36:14: error: `v_1` reads itself: write `implicit = true` to have it solved for\n"
         "36:14: error: `v_2` reads itself: write `implicit = true` to have it solved for\n"
         "36:14: error: `v_3` reads itself: write `implicit = true` to have it solved for\n"},
        {NULL, REPEAT("DX(mas)"),
         "36:18: error: there is no element or marker `mas`: did you mean `mass`? (with i = 0, and in other "
         "copies)\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_looked_up_by_name),
        cmocka_unit_test(items_are_looked_up_by_id),
        cmocka_unit_test(calls_have_as_many_items_as_the_function_takes),
        cmocka_unit_test(items_must_be_what_the_function_looks_at),
        cmocka_unit_test(what_must_be_known_before_the_run_reads_nothing),
        cmocka_unit_test(forces_are_those_of_elements_on_markers),
        cmocka_unit_test(functions_of_elements_read_besides_their_arguments),
        cmocka_unit_test(variables_read_each_other_but_not_themselves),
        cmocka_unit_test(copies_call_with_names_of_their_own),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

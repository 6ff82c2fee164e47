/* test_errors_inputs.c - inputs: what their tables say, and where expressions may read them */
#define _GNU_SOURCE
#include "tables/test_errors_files.h"

#define INPUT "[[input]]\nname = \"push\"\nunit = \"kN\"\nvalue = 1\n"
#define FORCE(value) \
    "[[element]]\nname = \"f\"\ntype = \"force\"\nmarkers = [\"mass\"]\nvalue = [\"" value "\", 0, 0]\n"
#define SENSOR(value) "[[sensor]]\nname = \"s\"\nexpression = \"" value "\"\n"
#define HOLD(value)                                                                                       \
    "[[element]]\nname = \"hold\"\ntype = \"reference_variable\"\nimplicit = true\nexpression = \"" value \
    "\"\n"

static void a_table_is_checked(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, INPUT, ""},
        {NULL, "[[input]]\nname = \"push\"\nvalue = \"1 [N]\"\nunit = \"kN\"\n", ""},
        {NULL, "[[input]]\nname = \"push\"\n", "26:1: error: missing key `value` (until it is set)\n"},
        {NULL, "[[input]]\nvalue = 1\n", "26:1: error: missing key `name` (its name in expressions)\n"},
        {NULL, "[[input]]\nname = \"a b\"\nvalue = 1\n",
         "27:8: error: `name` is made of letters, digits and _ only\n"},
        {NULL, "[[input]]\nname = \"sin\"\nvalue = 1\n",
         "27:8: error: it is a word of the expression language: choose another name\n"},
        {NULL, "[parameters]\nk = 1\n[[input]]\nname = \"k\"\nvalue = 1\n",
         "29:8: error: a parameter has this name, too\n"},
        {NULL, INPUT INPUT, "31:8: error: another input has this name\n"},
        {NULL, "[[input]]\nname = \"push\"\nvalue = \"time\"\n",
         "28:10: error: the value must be known before the run: `time` makes it change\n"},
        {NULL, "[[input]]\nname = \"push\"\nunit = \"foo\"\nvalue = 1\n",
         "28:8: error: unknown unit \"foo\"\n"},
        {NULL, "[[input]]\nname = \"push\"\nunit = \"N\"\nvalue = \"1 [mm]\"\n",
         "29:9: error: `value`: `1 [mm]`: unit mm does not fit: N is expected\n"},
        {NULL, "[[input]]\nname = \"push\"\nvalu = 1\n",
         "28:1: error: unknown key `valu`: did you mean `value`?\n"},
        {NULL, "[input]\nname = \"push\"\nvalue = 1\n",
         "26:2: error: `input` is an array of tables: write [[input]]\n"},
    };
    CHECK_CHANGES(changes);
}

static void it_is_read_where_a_number_may_change(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, INPUT FORCE("2*push") SENSOR("push"), ""},
        {NULL, INPUT SENSOR("pusj"), "32:15: error: unknown name `pusj`: did you mean `push`?\n"},
        {NULL, INPUT "[parameters]\nk = \"2*push\"\n",
         "31:8: error: the value must be known before the run: `push` makes it change\n"},
        {"mass = 1\n", "mass = \"push\"\n", "7:9: error: unknown name `push`\n"},
        {NULL, INPUT HOLD("DX(mass) - push"),
         "34:15: error: a constraint holds displacements, which cannot jump where an input is set\n"},
        {NULL, INPUT SENSOR("push(1)"),
         "32:15: error: `push` is not a function: to multiply write `push*(`\n"},
    };
    CHECK_CHANGES(changes);
}

static void its_unit_is_compared(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, INPUT FORCE("push") SENSOR("push + FX(mass)"), ""},
        {NULL, INPUT SENSOR("push + DX(mass)"),
         "32:20: warning: `+` of values of different units: a force (N), a length (m)\n"},
        {"stiffness = 100\n",
         "stiffness = 100\nforce = \"u\"\n[[input]]\nname = \"u\"\nunit = \"m/s\"\nvalue = 1\n",
         "20:9: warning: the expression is a velocity (m/s), but the parameter is a force (N)\n"},
    };
    CHECK_CHANGES(changes);
}

#define SOLVER "[solver]\ntype = \"rk\"\nend_time = 1\nstep = 0.1\n"
#define PART(name, file) "[[part]]\nname = \"" name "\"\nfile = \"" file "\"\n"

static void a_part_reads_its_own_and_those_that_it_uses(void **state)
{
    (void)state;
    static const scene scenes[] = {
        {{{"model.toml", PART("a", "p.toml") SENSOR("a.push") SOLVER}, {"p.toml", INPUT SENSOR("push")}}, ""},
        {{{"model.toml", INPUT PART("a", "p.toml") SOLVER},
          {"p.toml", "[part]\nuses = [\"push\"]\n" SENSOR("push")}},
         ""},
        {{{"model.toml", INPUT PART("a", "p.toml") SOLVER}, {"p.toml", SENSOR("push")}},
         "p.toml:3:15: error: `push` is outside of this part: list it in `[part] uses` (in part `a`, "
         "model.toml:5:1)\n"},
        {{{"model.toml", INPUT PART("a", "p.toml") SENSOR("push + a.push") SOLVER}, {"p.toml", INPUT}}, ""},
    };
    CHECK_SCENES(scenes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_table_is_checked),
                                       cmocka_unit_test(it_is_read_where_a_number_may_change),
                                       cmocka_unit_test(its_unit_is_compared),
                                       cmocka_unit_test(a_part_reads_its_own_and_those_that_it_uses)};
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

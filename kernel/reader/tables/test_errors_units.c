/* test_errors_units.c - warnings where the units of an expression do not fit together, and where there are none */
#include "tables/test_errors.h"

#define VARIABLE(expression, more) \
    "[[element]]\nname = \"v\"\ntype = \"reference_variable\"\nexpression = \"" expression "\"\n" more "\n"
#define SENSOR(expression) "[[sensor]]\nname = \"x\"\nexpression = \"" expression "\"\n"
#define FORCE(value) "[[element]]\nname = \"f\"\ntype = \"force\"\nmarkers = [\"mass\"]\nvalue = " value "\n"

static void sums_of_different_units_are_reported(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, SENSOR("DX(mass) + DM(mass) - 1"), ""},
        {NULL, SENSOR("DX(mass) + VX(mass)"),
         "28:24: warning: `+` of values of different units: a length (m), a velocity (m/s)\n"},
        {NULL, SENSOR("2*(DX(mass)*VX(mass) - WZ(body))"),
         "28:36: warning: `-` of values of different units: in m^2/s, an angular velocity (rad/s)\n"},
        {NULL, SENSOR("MAX(AX(body), DX(mass))"),
         "28:15: warning: `MAX` of values of different units: an angle (rad), a length (m)\n"},
        {NULL, "[[sensor]]\nname = \"x\"\nexpression = \"\"\"\nDX(mass)\n  + VX(mass)\"\"\"\n",
         "30:3: warning: `+` of values of different units: a length (m), a velocity (m/s)\n"},
        {NULL, SENSOR("1000*DX(mass) + 10*VX(mass)"), ""},
        {NULL, SENSOR("DX(mass) + VX(mass) [N]"), ""},
        {"stiffness = 100", "stiffness = \"100 + IF(DX(mass): 0, DX(mass), VX(mass))\"",
         "19:20: warning: `IF` of values of different units: a length (m), a velocity (m/s)\n"},
    };
    CHECK_CHANGES(changes);
}

static void units_reach_through_variables(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, VARIABLE("DX(mass)", "") SENSOR("VARVAL(v) + DX(mass)"), ""},
        {NULL, SENSOR("VARVAL(v) + VX(mass)") VARIABLE("DX(mass)", ""),
         "28:25: warning: `+` of values of different units: a length (m), a velocity (m/s)\n"},
        {NULL, VARIABLE("VX(mass)", "integral = true") SENSOR("VARVAL(v) + DX(mass)"), ""},
        {NULL, VARIABLE("VX(mass)", "integral = true") SENSOR("VARVAL(v) + VX(mass)"),
         "33:25: warning: `+` of values of different units: a length (m), a velocity (m/s)\n"},
        {NULL, VARIABLE("DM(mass) - 1", "implicit = true") SENSOR("VARVAL(v) + DX(mass)"),
         "33:25: warning: `+` of values of different units: a force (N), a length (m)\n"},
        {NULL, VARIABLE("AX(body) - 1", "implicit = true") SENSOR("VARVAL(v) + DX(mass)"),
         "33:25: warning: `+` of values of different units: a torque (N m), a length (m)\n"},
        {NULL,
         VARIABLE("DX(mass) - 1", "implicit = true\nautobalance = \"penalty\"")
             SENSOR("VARVAL(v) + DX(mass)"),
         ""},
        {NULL, VARIABLE("2*DX(mass)", "unit = \"N\"") SENSOR("VARVAL(v) + DX(mass)"),
         "33:25: warning: `+` of values of different units: a force (N), a length (m)\n"},
        {NULL, VARIABLE("DX(mass) - VARVAL(v)", "implicit = true") SENSOR("VARVAL(v) + VX(mass)"), ""},
        {NULL, VARIABLE("5 [N]", "") SENSOR("VARVAL(v) + VX(mass)"),
         "33:25: warning: `+` of values of different units: a force (N), a velocity (m/s)\n"},
        {NULL, VARIABLE("5", "") SENSOR("VARVAL(v) + VX(mass)"), ""},
    };
    CHECK_CHANGES(changes);
}

/* A multiplier that other elements make forces of has the unit that they need. */
static void a_passive_multiplier_has_no_unit_of_its_own(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL,
         VARIABLE("DX(mass) - 1", "implicit = true\nautobalance = \"disabled\"")
             FORCE("[\"VARVAL(v)\", 0, 0]") SENSOR("VARVAL(v) + DX(mass)"),
         ""},
    };
    CHECK_CHANGES(changes);
}

static void parameters_have_units(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, FORCE("[\"DX(mass)\", 0, 0]"),
         "30:10: warning: the expression is a length (m), but the parameter is a force (N)\n"},
        {NULL, FORCE("[\"DX(mass) [N]\", \"100*DX(mass)\", \"time\"]"), ""},
        {NULL, FORCE("{ value = [\"DX(mass)\", 0, 0], unit = \"N\" }"), ""},
        {NULL, FORCE("[\"AX(body)\", 0, \"SIN(time)\"]"),
         "30:10: warning: the expression is an angle (rad), but the parameter is a force (N)\n"},
        {"stiffness = 100",
         "stiffness = 100\nreference_length = \"DX(mass)\"\nforce = \"VARVAL(v)\"\n" VARIABLE("2*DX(mass)",
                                                                                              "unit = \"N\""),
         ""},
        {"stiffness = 100", "stiffness = 100\nreference_length = \"DX(mass)*VX(mass)\"",
         "20:20: warning: the expression is in m^2/s, but the parameter is a length (m)\n"},
        {NULL, VARIABLE("DX(mass)", "unit = \"N\""),
         "29:14: warning: the expression is a length (m), but `unit` of the variable is a force (N)\n"},
        {NULL,
         FORCE("[0, 0, 0]") "[[change]]\ntime = 1\nelement = \"f\"\nparameter = \"value\"\n"
                            "value = [\"DX(mass)\", 0, 0]\n",
         "35:10: warning: the expression is a length (m), but the parameter is a force (N)\n"},
    };
    CHECK_CHANGES(changes);
}

static void arguments_of_callables_have_units(void **state)
{
    (void)state;
    static const change changes[] = {
        {"stiffness = 100", "force_function = \"stiffness*deltaL + damping*deltaL_t + force\"", ""},
        {"stiffness = 100", "force_function = \"3*deltaL + 2*ABS(deltaL)*deltaL\"", ""},
        {"stiffness = 100", "force_function = \"stiffness*deltaL + damping*deltaL\"",
         "19:36: warning: `+` of values of different units: a force (N), a momentum (kg m/s)\n"},
        {"stiffness = 100", "force_function = \"deltaL_t\"",
         "19:18: warning: the expression is a velocity (m/s), but the parameter is a force (N)\n"},
        {"stiffness = 100", "force_function = \"deltaL_t [kN]\"", ""},
    };
    CHECK_CHANGES(changes);
}

/* All copies at the same place in the file. */
static void copies_warn_once(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL,
         "[[repeat]]\ncount = 3\n[[repeat.sensor]]\nname = \"x{i}\"\nexpression = \"i + DX(mass) + "
         "VX(mass)\"\n",
         "30:28: warning: `+` of values of different units: a length (m), a velocity (m/s)\n"},
    };
    CHECK_CHANGES(changes);
}

static void units_of_variables_are_si(void **state)
{
    (void)state;
    static const change changes[] = {
        {NULL, VARIABLE("1", "unit = \"mm\""), "30:8: error: `mm`: values are in SI units\n"},
        {NULL, VARIABLE("1", "unit = \"bananas\""), "30:8: error: `bananas`: unknown unit \"bananas\"\n"},
    };
    CHECK_CHANGES(changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_different_units_are_reported),
        cmocka_unit_test(units_reach_through_variables),
        cmocka_unit_test(a_passive_multiplier_has_no_unit_of_its_own),
        cmocka_unit_test(parameters_have_units),
        cmocka_unit_test(arguments_of_callables_have_units),
        cmocka_unit_test(copies_warn_once),
        cmocka_unit_test(units_of_variables_are_si),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}

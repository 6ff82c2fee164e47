/* test_expression_units.c - units of expressions in the results, and warnings that do not stop a run */
#include "harness.h"

#define VARIABLE(name, expression, more) \
    "[[element]]\nname = '" name "'\ntype = 'reference_variable'\nexpression = '" expression "'\n" more
#define COLUMN(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define OUTPUT(name, element, output) \
    "[[sensor]]\nname = '" name "'\nelement = '" element "'\noutput = '" output "'\n"
#define MODEL(items)                                                                       \
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n" items \
    "[solver]\ntype = 'rk'\nend_time = 0.1\nstep = 0.1\n"

static void check(const char *model, const char *units)
{
    const char *file = tn_write("model.toml", model);
    const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", "results"));
    assert_int_equal(run.status, 0);
    assert_string_equal(run.errors, "");
    assert_string_equal(tn_read(tn_scratch_path("results/sensors.units.csv")), units);
}

static void test_columns_of_expressions_have_units(void **state)
{
    (void)state;
    check(MODEL(COLUMN("a", "DX(m)") COLUMN("b", "VX(m)*TIME + DX(m)") COLUMN("c", "SQRT(VX(m)**2)")
                    COLUMN("d", "DX(m)*DY(m)") COLUMN("e", "2*DX(m)") COLUMN("f", "2*DX(m) [N/mm]")
                        COLUMN("g", "5 [deg]") COLUMN("h", "ATAN2(DY(m), DX(m))") COLUMN("i", "1/COS(VX(m))")
                            COLUMN("j", "DX(m)/(TIME + 1)**2")),
          "time,a,b,c,d,e,f,g,h,i,j\ns,m,m,m/s,m^2,,N/m,rad,rad,,m/s^2\n");
}

static void test_outputs_of_variables_have_units(void **state)
{
    (void)state;
    check(MODEL(VARIABLE("v", "VX(m)", "integral = true\n") VARIABLE("c", "DX(m) - 1", "implicit = true\n")
                    VARIABLE("s", "DY(m)", "implicit = true\nautobalance = 'penalty'\n")
                        VARIABLE("u", "2*DX(m)", "unit = 'J'\n") OUTPUT("a", "v", "value")
                            OUTPUT("b", "v", "rate") OUTPUT("c", "c", "value") OUTPUT("d", "c", "multiplier")
                                OUTPUT("e", "c", "constraint_error") OUTPUT("f", "s", "value")
                                    OUTPUT("g", "s", "multiplier") OUTPUT("h", "s", "constraint_error")
                                        OUTPUT("i", "u", "value") COLUMN("j", "VARVAL(u)")
                                            OUTPUT("k", "v", "multiplier")),
          "time,a,b,c,d,e,f,g,h,i,j,k\ns,m,m/s,N,N,m,m,N,m,J,J,\n");
}

static void test_a_chain_of_variables_hands_its_unit_on(void **state)
{
    (void)state;
    check(MODEL(COLUMN("last", "VARVAL(v_5000)") VARIABLE(
              "v_0", "VX(m)", "") "[[repeat]]\ncount = 5000\n"
                                  "[[repeat.element]]\nname = 'v_{i + 1}'\ntype = 'reference_variable'\n"
                                  "expression = 'VARVAL(v_{i}) + 1'\n"),
          "time,last\ns,m/s\n");
}

static void test_warnings_do_not_stop_a_run(void **state)
{
    (void)state;
    const char *file = tn_write("model.toml", MODEL(COLUMN("a", "DX(m) + VX(m)")));
    const tn_outcome run = tn_tenon(TN_WORDS("run", file, "--quiet", "--out", "results"));
    assert_int_equal(run.status, 0);
    assert_string_equal(run.errors, tn_format("%s:8:21: warning: `+` of values of different units: a "
                                              "length (m), a velocity (m/s)\n"
                                              "    8 | expression = 'DX(m) + VX(m)'\n"
                                              "      |                     ^\n",
                                              file));
    assert_string_equal(tn_read(tn_scratch_path("results/sensors.units.csv")), "time,a\ns,\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_of_expressions_have_units),
        cmocka_unit_test(test_outputs_of_variables_have_units),
        cmocka_unit_test(test_a_chain_of_variables_hands_its_unit_on),
        cmocka_unit_test(test_warnings_do_not_stop_a_run),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

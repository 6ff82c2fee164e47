/* test_crosses.c - changes that are made where an expression crosses zero or becomes true, against closed solutions */
#include "conditions.h"

#define PUSH(crosses, value)                                                                               \
    "[[change]]\ncrosses = '" crosses "'\nelement = 'thrust'\nparameter = 'value'\nvalue = [0, 0, '" value \
    "']\n"

/* ---- changes --------------------------------------------------------------------------------------------- */

/* The thrust begins at a height of 0.5, after sqrt(0.1) s, and stops the fall as long after that. */
static void adaptive_solvers_land_on_changes(void **state)
{
    (void)state;
    const double first = sqrt(0.1), second = 2.0 * first;
    for (size_t s = 0; s < adaptive_count(); s++) {
        const tn_csv_table *table =
            solve(BALL THRUST PUSH("DZ(ball) < 0.5", "20") PUSH("VZ(ball) >= 0 and time > 0.1", "10"),
                  adaptive[s], "1");
        near(adaptive[s], event_time(0), first, 1e-9);
        near(adaptive[s], event_time(1), second, 1e-9);
        near(adaptive[s], last(table, "p.z"), 0.0, 1e-9);
        near(adaptive[s], end_time(), 1.0, 0.0);
    }
}

/* Forces are constant between changes: what errs is only when these are made. */
static void solvers_of_fixed_step_make_them_behind_it(void **state)
{
    (void)state;
    const double made = 0.32, z = 1.0 - 5.0 * made * made, v = -10.0 * made, rest = 1.0 - made;
    for (size_t s = 0; s < fixed_count(); s++) {
        const tn_csv_table *table = solve(BALL THRUST PUSH("DZ(ball) - 0.5", "20"), fixed[s], "1");
        near(fixed[s], event_time(0), made, 1e-12);
        near(fixed[s], last(table, "p.z"), z + v * rest + 5.0 * rest * rest, 1e-9);
    }
}

/* Behind a change in a part of a step the rest of it is that of the new forces. */
static void generalized_alpha_starts_anew_in_parts_of_a_step(void **state)
{
    (void)state;
    const tn_csv_table *table =
        solve(BALL THRUST "[[change]]\ntime = 0\nelement = 'thrust'\nparameter = 'value'\nvalue = [0, 0, "
                          "'1e-9*SQRT(DZ(ball) + 0.001)']\n" PUSH("DZ(ball) < 0", "20"),
              "type = 'generalized_alpha'\nstep = 0.1\n", "1");
    const double made = event_time(0), z = 1.0 - 5.0 * made * made, v = -10.0 * made, rest = 1.0 - made;
    assert_true(made > 0.447 && made < 0.45);
    near("z", last(table, "p.z"), z + v * rest + 5.0 * rest * rest, 1e-8);
}

static void a_change_is_made_once(void **state)
{
    (void)state;
    for (size_t s = 0; s < adaptive_count(); s++) {
        const tn_csv_table *table = solve(SWING "[[change]]\ncrosses = 'DX(m)'\nelement = 's'\nparameter = "
                                                "'value'\nvalue = ['-16*DX(m)', 0, 0]\n",
                                          adaptive[s], tn_format("%.17g", M_PI_4 + 0.625 * M_PI));
        near(adaptive[s], event_time(0), M_PI_4, 1e-9);
        near(adaptive[s], last(table, "p.x"), -0.5, 1e-8);
    }
    says(tn_read(tn_format("%s/run.toml", results)), "[[run.event]]", true);
    assert_null(
        strstr(strstr(tn_read(tn_format("%s/run.toml", results)), "[[run.event]]") + 1, "[[run.event]]"));
}

static void a_change_that_is_not_made_is_noted(void **state)
{
    (void)state;
    (void)solve(BALL THRUST PUSH("DZ(ball) > 2", "20"), fixed[0], "1");
    tn_check_holds(messages,
                   TN_WORDS("model.toml:", "note: `crosses` has not occurred: the change was not made"));
}

static void what_is_true_at_the_start_is_changed_there(void **state)
{
    (void)state;
    const tn_csv_table *table = solve(BALL THRUST PUSH("DZ(ball) > 0.5", "20"), fixed[1], "1");
    tn_check_holds(messages, TN_WORDS("warning: `crosses` is true when it is first evaluated"));
    near("z", last(table, "p.z"), 6.0, 1e-9);
}

/* The first one makes the condition of the second true, which stands in front of it in the file. */
static void a_change_may_bring_another_at_the_same_time(void **state)
{
    (void)state;
    const char *gate =
        "[[element]]\nname = 'gate'\ntype = 'reference_variable'\nexpression = 0\n"
        "[[change]]\ncrosses = 'DZ(ball) < 0.5'\nelement = 'gate'\nparameter = 'expression'\nvalue = 1\n";
    for (size_t s = 0; s < adaptive_count(); s++) {
        (void)solve(tn_format(BALL THRUST PUSH("VARVAL(gate) > 0.5", "20") "%s", gate), adaptive[s], "1");
        near(adaptive[s], event_time(0), sqrt(0.1), 1e-9);
        near(adaptive[s], event_time(1), event_time(0), 0.0);
    }
}

/* Order and number are those of the motion: each leaves what others have made of the element. */
static void changes_of_one_element_add_up(void **state)
{
    (void)state;
    const tn_csv_table *table =
        solve("[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 1e12\nvelocity = 1\n"
              "[[element]]\nname = 's'\ntype = 'coordinate_spring_damper'\nmarkers = 'm'\n"
              "[[sensor]]\nname = 'f'\nelement = 's'\noutput = 'force'\n"
              "[[change]]\ncrosses = 'time > 0.6'\nelement = 's'\nparameter = 'stiffness'\nvalue = 3\n"
              "[[change]]\ncrosses = 'time > 0.3'\nelement = 's'\nparameter = 'offset'\nvalue = 7\n"
              "[[change]]\ntime = 0.45\nelement = 's'\nparameter = 'damping'\nvalue = 5\n",
              adaptive[0], "1\n[output]\ninterval = 0.125");
    near("before", tn_value_at(table, "f", 0.25), 0.0, 0.0);
    near("damped", tn_value_at(table, "f", 0.5), -5.0, 1e-9);
    near("all", tn_value_at(table, "f", 1.0), -3.0 * (1.0 - 7.0) - 5.0, 1e-9);
}

static void markers_move(void **state)
{
    (void)state;
    const tn_csv_table *table = solve(
        "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [1, 0, 0]\n"
        "[[marker]]\nname = 't'\ntype = 'frame'\nelement = 'b'\n"
        "[[sensor]]\nname = 't'\nexpression = 'DX(t)'\n[[sensor]]\nname = 'r'\nexpression = 'AZ(t)'\n"
        "[[change]]\ncrosses = 'DX(b) > 0.5'\nmarker = 't'\nposition = [7, 0, 0]\n"
        "[[change]]\ncrosses = 'DX(b) > 0.25'\nmarker = 't'\nrotation = { axis = [0, 0, 1], angle = 0.5 }\n"
        "[[change]]\ntime = 0.75\nmarker = 't'\nposition = [9, 0, 0]\n",
        adaptive[0], "1\n[output]\ninterval = 0.125");
    for (size_t row = 0; row < table->rows; row++) {
        const double time = tn_csv_value(table, row, 0);
        if (time == 0.25 || time == 0.5) continue; // just about then
        near("x", tn_value_at(table, "t", time), time + (time < 0.5 ? 0.0 : time < 0.75 ? 7.0 : 9.0), 1e-12);
        near("angle", tn_value_at(table, "r", time), time < 0.25 ? 0.0 : 0.5, 1e-12);
    }
    assert_int_equal(table->rows, 9);
}

static void copies_wait_for_themselves(void **state)
{
    (void)state;
    (void)solve(
        "[[repeat]]\ncount = 3\n[[repeat.element]]\nname = 'b_{i}'\ntype = 'mass_point'\nmass = 1\n"
        "velocity = ['i + 1', 0, 0]\n[[repeat.element]]\nname = 'f_{i}'\ntype = 'force'\nmarkers = 'b_{i}'\n"
        "value = [0, 0, 0]\n[[repeat.change]]\ncrosses = 'DX(b_{i}) - (i + 1)*(0.6 - i/10)'\n"
        "element = 'f_{i}'\nparameter = 'value'\nvalue = [1, 0, 0]\n",
        adaptive[0], "1");
    for (int k = 0; k < 3; k++)
        near("copy", event_time(k), 0.4 + 0.1 * k, 1e-9);
}

static void the_past_goes_on_behind_a_change(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        const tn_csv_table *table =
            solve("[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                  "[[marker]]\nname = 'p'\ntype = 'point'\nelement = 'b'\nposition = [1, 0, 0]\n"
                  "[[sensor]]\nname = 'v'\nexpression = 'DELAY(DX(p) + TIME, 0.5, 0)'\n"
                  "[[change]]\ncrosses = 'time - 0.995'\nmarker = 'p'\nposition = [7, 0, 0]\n",
                  s ? adaptive[0] : fixed[1], "2\n[output]\ninterval = 0.1");
        for (int k = 6; k <= 20; k++)
            if (k != 15)
                near("delayed", tn_value_at(table, "v", 0.1 * k), 0.1 * k - 0.5 + (k < 15 ? 1.0 : 7.0), 1e-9);
    }
}

/* ---- what is refused ------------------------------------------------------------------------------------- */

/* Ends that must not cross: only the motion tells that both changes are made. */
static const char gate[] =
    "#include <tenon/author.h>\n"
    "#define GATE(P) \\\n"
    "    P(REAL, low, \"\", TN_CHANGEABLE, 0.0, -TN_UNBOUNDED, TN_UNBOUNDED, \"low\") \\\n"
    "    P(REAL, high, \"\", TN_CHANGEABLE, 1.0, -TN_UNBOUNDED, TN_UNBOUNDED, \"high\")\n"
    "TN_PARAMETERS(gate, GATE)\n"
    "#if TN_VALUES\n"
    "static tn_status gate_prepare(const tn_host *host, void *instance)\n"
    "{\n"
    "    const gate *self = instance;\n"
    "    if (self->low < self->high) return TN_OK;\n"
    "    return tn_refuse(host, \"low\", \"low %g is not below high %g\", self->low, self->high);\n"
    "}\n"
    "#endif\n"
    "TN_FORCE(gate, TN_POINT, 1)\n"
    "{\n"
    "    (void)self, (void)marker, (void)context;\n"
    "    wrench[0].force = tn_vector(0.0, 0.0, 0.0);\n"
    "    return TN_OK;\n"
    "}\n"
    "TN_PORTS(gate, {\"markers\", \"its place\", TN_POINT, 1, 1, 0})\n"
    "TN_ELEMENT(gate, .summary = \"gate\", .ports = gate_ports, .prepare = gate_prepare,\n"
    "           TN_CAPABILITIES(TN_HAS_FORCE(gate)))\n"
    "TN_LIBRARY(\"gate\", \"1.0.0\", \"Apache-2.0\", \"gate\", {TN_ELEMENT_KIND, &gate_type})\n";

static void changes_that_only_the_run_brings_together(void **state)
{
    (void)state;
    (void)tn_build_text("gate", gate);
    const char *model =
        BALL "[[element]]\nname = 'gate'\ntype = 'gate'\nmarkers = 'ball'\n"
             "[[change]]\ncrosses = 'DZ(ball) < %s'\nelement = 'gate'\nparameter = 'low'\nvalue = 0.5\n"
             "[[change]]\ncrosses = 'DZ(ball) < 0.5'\nelement = 'gate'\nparameter = 'high'\nvalue = %s\n"
             "[solver]\ntype = 'rk'\nstep = 0.01\nend_time = 1\n";
    (void)run(tn_format(model, "0.7", "0.8"));
    assert_true(event_time(1) > event_time(0));
    for (int together = 0; together < 2; together++) {
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", tn_write("gate.toml", tn_format(model, together ? "0.5" : "0.7", "0.4")),
                              "--out", tn_scratch_path(NULL), "--plugin-path", tn_scratch_path("")));
        assert_int_equal(outcome.status, 1);
        tn_check_holds(outcome.errors,
                       TN_WORDS("gate.toml:", "gate: low 0.5 is not below high 0.4",
                                "at time 0.32 s: the change of `gate` is not possible at this time"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adaptive_solvers_land_on_changes),
        cmocka_unit_test(solvers_of_fixed_step_make_them_behind_it),
        cmocka_unit_test(generalized_alpha_starts_anew_in_parts_of_a_step),
        cmocka_unit_test(a_change_is_made_once),
        cmocka_unit_test(a_change_that_is_not_made_is_noted),
        cmocka_unit_test(what_is_true_at_the_start_is_changed_there),
        cmocka_unit_test(a_change_may_bring_another_at_the_same_time),
        cmocka_unit_test(changes_of_one_element_add_up),
        cmocka_unit_test(markers_move),
        cmocka_unit_test(copies_wait_for_themselves),
        cmocka_unit_test(the_past_goes_on_behind_a_change),
        cmocka_unit_test(changes_that_only_the_run_brings_together),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

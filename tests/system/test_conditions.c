/* test_conditions.c - expressions that end a solver (`stop_when`) or make a change (`crosses`), against closed solutions */
#include "harness.h"

#include <math.h>
#include <unistd.h>

/* z = 1 - 5 t^2, but for the thrust */
#define BALL                                                                                                 \
    "[model]\ngravity = [0, 0, -10]\n[[element]]\nname = 'ball'\ntype = 'mass_point'\nmass = 1\nposition = " \
    "[0, 0, "                                                                                                \
    "1]\n[[sensor]]\nname = 'p'\nelement = 'ball'\noutput = 'position'\n"
#define THRUST "[[element]]\nname = 'thrust'\ntype = 'force'\nmarkers = 'ball'\nvalue = [0, 0, 0]\n"
#define PUSH(crosses, value)                                                                               \
    "[[change]]\ncrosses = '" crosses "'\nelement = 'thrust'\nparameter = 'value'\nvalue = [0, 0, '" value \
    "']\n"
/* x = cos(2 t) */
#define SWING                                                                                            \
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n[[element]]\nname = " \
    "'s'\ntype = 'force'\nmarkers = 'm'\nvalue = ['-4*DX(m)', 0, 0]\n[[sensor]]\nname = 'p'\n"           \
    "element = 'm'\noutput = 'position'\n"
#define TOLERANCES "relative_tolerance = 1e-11\nabsolute_tolerance = 1e-12\n"
#define STOP(condition) "stop_when = '" condition "'\n"

static const char *const adaptive[] = {"type = 'rk'\norder = 5\n" TOLERANCES,
                                       "type = 'radau'\n" TOLERANCES,
                                       "type = 'gsl_ode'\nstepper = 'rk8pd'\n" TOLERANCES,
                                       "type = 'gsl_ode'\nstepper = 'msadams'\n" TOLERANCES,
                                       "type = 'gsl_ode'\nstepper = 'bsimp'\n" TOLERANCES,
                                       "type = 'ida'\n" TOLERANCES};
static const char *const fixed[] = {"type = 'rk'\nstep = 0.01\n", "type = 'generalized_alpha'\nstep = 0.01\n",
                                    "type = 'gsl_ode'\nstepper = 'rk4'\nadaptive = false\nstep = 0.01\n",
                                    "type = 'gsl_ode'\nstepper = 'rk4imp'\nadaptive = false\nstep = 0.01\n"};

/* gsl_ode is there where GSL is, ida where SUNDIALS is, too. */
static bool has_gsl(void) { return tn_has_plugin("gsl_ode"); }
static size_t adaptive_count(void)
{
    const size_t all = sizeof adaptive / sizeof *adaptive;
    return !has_gsl() ? 2 : tn_has_plugin("ida") ? all : all - 1;
}
static size_t fixed_count(void) { return has_gsl() ? sizeof fixed / sizeof *fixed : 2; }

static const char *results, *messages, *output;

static const tn_csv_table *run(const char *model)
{
    results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("model.toml", model), "--out", results,
                                                 "--plugin-path", tn_scratch_path("")));
    if (outcome.status != 0) fail_msg("%s%s", model, outcome.errors);
    messages = outcome.errors;
    output = outcome.output;
    return tn_sensors(results);
}

static const tn_csv_table *solve(const char *model, const char *solver, const char *end)
{
    return run(tn_format("%s[solver]\n%send_time = %s\n", model, solver, end));
}

static double event_time(int number)
{
    return tn_run_number(results, tn_format("run.event.%d.time", number));
}
static double end_time(void) { return tn_run_number(results, "run.end_time"); }

static double last(const tn_csv_table *table, const char *column)
{
    return tn_csv_value(table, table->rows - 1, tn_column_of(table, column));
}

static void near(const char *what, double value, double right, double tolerance)
{
    if (!(fabs(value - right) <= tolerance)) fail_msg("%s: %.17g, not %.17g", what, value, right);
}

static void says(const char *text, const char *word, bool wanted)
{
    if ((strstr(text, word) != NULL) != wanted)
        fail_msg("\"%s\" is %sthere: %s", word, wanted ? "not " : "", text);
}

/* ---- where a solver ends --------------------------------------------------------------------------------- */

static void adaptive_solvers_land_on_what_ends_them(void **state)
{
    (void)state;
    static const char *const conditions[] = {STOP("DZ(ball) < 0.3"),
                                             STOP("DZ(ball) - 0.3"),
                                             STOP("time > 0.1 and 0.3 > DZ(ball)"),
                                             STOP("not (DZ(ball) >= 0.3 or time < 0.1)"),
                                             STOP("IF(DZ(ball) - 0.3: 1, 0, 0)"),
                                             STOP("VZ(ball) <= -SQRT(14)"),
                                             STOP("VARVAL(height) - 0.3")};
    const double right = sqrt(0.14);
    for (size_t s = 0; s < adaptive_count(); s++)
        for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
            const char *what = tn_format("%s%s", adaptive[s], conditions[k]);
            const tn_csv_table *table = solve(
                BALL "[[element]]\nname = 'height'\ntype = 'reference_variable'\nexpression = 'DZ(ball)'\n",
                what, "2");
            near(what, end_time(), right, 1e-9);
            near(what, event_time(0), end_time(), 0.0);
            near(what, last(table, "time"), end_time(), 0.0);
            near(what, last(table, "p.z"), 0.3, 1e-8);
        }
}

/* The first step that ends at or behind 0.374165. */
static void solvers_of_fixed_step_end_behind_it(void **state)
{
    (void)state;
    for (size_t s = 0; s < fixed_count(); s++) {
        const tn_csv_table *table = solve(BALL, tn_format("%s" STOP("DZ(ball) < 0.3"), fixed[s]), "2");
        near(fixed[s], end_time(), 0.38, 1e-12);
        assert_int_equal(table->rows, 39);
    }
}

/* The step is halved where the root of the force would be that of a negative number. */
static void it_may_be_a_part_of_a_step(void **state)
{
    (void)state;
    (void)solve(BALL THRUST "[[change]]\ntime = 0\nelement = 'thrust'\nparameter = 'value'\n"
                            "value = [0, 0, '1e-3*SQRT(DZ(ball) + 0.01)']\n",
                "type = 'generalized_alpha'\nstep = 0.1\n" STOP("DZ(ball) < 0.0"), "2");
    const double part = (end_time() - 0.4) / 0.1;
    assert_true(end_time() > 0.447 && end_time() < 0.45);
    assert_true(part * 1024.0 == rint(part * 1024.0) || fabs(part * 1024.0 - rint(part * 1024.0)) < 1e-9);
}

static void the_reason_is_told(void **state)
{
    (void)state;
    (void)solve(BALL, tn_format("%s" STOP("DZ(ball) < 0.3"), adaptive[0]), "2");
    tn_check_holds(output,
                   TN_WORDS("rk, ended by `stop_when` at 0.374165739 s", "stop_when = \"DZ(ball) < 0.3\""));
    assert_string_equal(tn_run_text(results, "run.status"), "finished");
    tn_check_holds(tn_run_text(results, "run.reason"),
                   TN_WORDS("0.374165739 s", "`stop_when`", "DZ(ball) < 0.3"));
    assert_string_equal(tn_run_text(results, "run.event.0.stop_when"), "DZ(ball) < 0.3");
    says(messages, "note", false);
}

static void an_end_that_is_not_met_is_noted(void **state)
{
    (void)state;
    for (size_t s = 0; s < fixed_count(); s++) {
        (void)solve(BALL, tn_format("%s" STOP("DZ(ball) > 1.5"), fixed[s]), "1");
        near(fixed[s], end_time(), 1.0, 0.0);
        tn_check_holds(messages, TN_WORDS("model.toml:", "note: `stop_when` has not occurred"));
    }
}

/* What is zero at the start, such as a velocity, has crossed nothing. */
static void a_zero_at_the_start_is_no_crossing(void **state)
{
    (void)state;
    for (size_t s = 0; s < adaptive_count(); s++) {
        (void)solve(SWING, tn_format("%s" STOP("VX(m)"), adaptive[s]), "9");
        near(adaptive[s], end_time(), M_PI_2, 1e-9);
        says(messages, "warning", false);
    }
    (void)solve(SWING, tn_format("%s" STOP("VX(m)"), fixed[0]), "9");
    near("fixed", end_time(), 1.58, 1e-12);
}

static void reaching_zero_is_crossing_it(void **state)
{
    (void)state;
    (void)solve(BALL, "type = 'rk'\nstep = 0.125\n" STOP("time - 0.5"), "2");
    near("fixed", end_time(), 0.5, 0.0);
}

static void what_is_true_at_the_start_ends_it_at_once(void **state)
{
    (void)state;
    for (size_t s = 0; s < fixed_count(); s++) {
        const tn_csv_table *table = solve(BALL, tn_format("%s" STOP("DZ(ball) > 0.5"), fixed[s]), "1");
        assert_int_equal(table->rows, 1);
        near(fixed[s], end_time(), 0.0, 0.0);
        tn_check_holds(messages,
                       TN_WORDS("model.toml:", "warning: `stop_when` is true when the solver starts"));
    }
}

static void rows_at_intervals_end_with_one_where_it_ended(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *table =
            run(tn_format(BALL "[output]\ninterval = 0.1\n[solver]\n%send_time = 2\n" STOP("DZ(ball) < 0.3"),
                          k ? adaptive[0] : fixed[0]));
        assert_int_equal(table->rows, 5);
        near("row", tn_csv_value(table, 3, 0), 0.3, 1e-15);
        near("row", tn_csv_value(table, 4, 0), k ? sqrt(0.14) : 0.38, 1e-9);
    }
}

/* ---- several solvers ------------------------------------------------------------------------------------- */

static void the_next_solver_goes_on_from_there(void **state)
{
    (void)state;
    const tn_csv_table *table =
        run(tn_format(SWING "[[solver]]\n%send_time = 2\n" STOP(
                          "DX(m) < 0.5") "[[solver]]\ntype = "
                                         "'generalized_alpha'\nstep = 1e-3\nend_time = 2\n" STOP(
                                             "VX(m) > 0") "[[solver]]\n%send_time = 6\n" STOP("DX(m)"),
                      adaptive[0], adaptive[0]));
    near("first", event_time(0), M_PI / 6.0, 1e-9);
    near("second", event_time(1), M_PI_2 + 0.5e-3, 0.6e-3);
    near("third", end_time(), 0.75 * M_PI, 1e-5);
    for (size_t row = 1; row < table->rows; row++)
        assert_true(tn_csv_value(table, row, 0) > tn_csv_value(table, row - 1, 0));
}

/* At the end of the first one the expression lies on the other side: it is not crossed again there. */
static void solvers_may_wait_for_the_same(void **state)
{
    (void)state;
    (void)run(tn_format(
        SWING "[[solver]]\n%send_time = 9\n" STOP("DX(m)") "[[solver]]\n%send_time = 9\n" STOP("DX(m)"),
        adaptive[0], adaptive[0]));
    near("first", event_time(0), M_PI_4, 1e-9);
    near("second", end_time(), 0.75 * M_PI, 1e-9);
}

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

/* ---- what conditions read -------------------------------------------------------------------------------- */

/* The force of the spring is 4 cos(2 t), and so is the acceleration; that of the joint is 10 s. */
static void forces_and_accelerations(void **state)
{
    (void)state;
    static const char *const conditions[] = {STOP("ABS(SFORCE(s, 1, 2)) < 2"), STOP("-ACCX(m) - 2"),
                                             STOP("FM(m) < 2")};
    for (size_t s = 0; s < adaptive_count(); s++)
        for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
            (void)solve(SWING, tn_format("%s%s", adaptive[s], conditions[k]), "9");
            near(tn_format("%s%s", adaptive[s], conditions[k]), end_time(), M_PI / 6.0, 1e-8);
        }
    for (size_t k = 0; k < 3; k++) {
        (void)solve(SWING, tn_format("type = 'generalized_alpha'\nstep = 1e-3\n%s", conditions[k]), "9");
        near(conditions[k], end_time(), 0.524, 1e-9);
    }
}

/* A slider that is pushed with 3 t against its guide. */
static void reactions(void **state)
{
    (void)state;
    const char *model = "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, 1, 1]\n"
                        "[[element]]\nname = 'g'\ntype = 'prismatic'\nmarkers = ['ground', 'b']\n"
                        "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = 'b'\nvalue = [1, '3*time', 0]\n";
    for (size_t s = 0; s < adaptive_count() && s < 2; s++) {
        (void)solve(model, tn_format("%s" STOP("JOINT(g, 0, 1) > 1"), adaptive[s]), "9");
        near(adaptive[s], end_time(), 1.0 / 3.0, 1e-9);
    }
    (void)solve(model, "type = 'generalized_alpha'\nstep = 1e-2\n" STOP("JOINT(g, 0, 1) > 1"), "9");
    near("alpha", end_time(), 0.34, 1e-12);
}

static void the_past(void **state)
{
    (void)state;
    (void)solve(BALL, tn_format("%smax_step = 0.01\n" STOP("DELAY(DZ(ball), 0.2, 1) < 0.3"), adaptive[0]),
                "2");
    near("past", end_time(), 0.2 + sqrt(0.14), 1e-9);
}

/* The root has no value any more when the ball has fallen by 0.64. */
static void what_has_no_value_is_not_met(void **state)
{
    (void)state;
    (void)solve(BALL, tn_format("%s" STOP("SQRT(DZ(ball) - 0.36) < -1"), fixed[0]), "1");
    tn_check_holds(messages, TN_WORDS("model.toml:", "warning: `stop_when` has no value", "at 0.36 s",
                                      "note: `stop_when`"));
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

/* The last correction of a landing changes reactions by more than the crossing: it counts as landed, not as a miss that the
 * next step passes over. */
static void a_reaction_of_redundant_joints_is_landed_on(void **state)
{
    (void)state;
    const char *model = tn_write(
        "door.toml", "[model]\ngravity = [0, '-9.81*COS(0.7)', '-9.81*SIN(0.7)']\n"
                     "[[element]]\nname = 'door'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n"
                     "position = [0.5, 0, 0]\nrotation = { axis = [1, 0, 0], angle = 0.7 }\n"
                     "[[marker]]\nname = 'low'\ntype = 'frame'\nelement = 'ground'\nrotation = { axis = [1, "
                     "0, 0], angle = 0.7 }\n"
                     "position = [0, '-0.5*SIN(0.7)', '0.5*COS(0.7)']\n"
                     "[[marker]]\nname = 'high'\ntype = 'frame'\nelement = 'ground'\nrotation = { axis = [1, "
                     "0, 0], angle = 0.7 }\n"
                     "position = [0, '0.5*SIN(0.7)', '-0.5*COS(0.7)']\n"
                     "[[element]]\nname = 'h1'\ntype = 'revolute'\n"
                     "markers = ['low', { element = 'door', position = [-0.5, 0, 0.5] }]\n"
                     "[[element]]\nname = 'h2'\ntype = 'revolute'\n"
                     "markers = ['high', { element = 'door', position = [-0.5, 0, -0.5] }]\n"
                     "[[sensor]]\nname = 'angle'\nexpression = 'COORD(h1)'\n"
                     "[solver]\ntype = 'rk'\norder = 5\nadaptive = true\nend_time = 2\nstop_when = "
                     "'JOINT(h1, 1, 1) > 11'\n");
    const char *out = tn_scratch_path("door");
    assert_int_equal(tn_tenon(TN_WORDS("run", model, "--out", out, "--quiet")).status, 0);
    assert_true(fabs(tn_run_number(out, "run.end_time") - 0.28573984825) < 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reaction_of_redundant_joints_is_landed_on),
        cmocka_unit_test(adaptive_solvers_land_on_what_ends_them),
        cmocka_unit_test(solvers_of_fixed_step_end_behind_it),
        cmocka_unit_test(it_may_be_a_part_of_a_step),
        cmocka_unit_test(the_reason_is_told),
        cmocka_unit_test(an_end_that_is_not_met_is_noted),
        cmocka_unit_test(a_zero_at_the_start_is_no_crossing),
        cmocka_unit_test(reaching_zero_is_crossing_it),
        cmocka_unit_test(what_is_true_at_the_start_ends_it_at_once),
        cmocka_unit_test(rows_at_intervals_end_with_one_where_it_ended),
        cmocka_unit_test(the_next_solver_goes_on_from_there),
        cmocka_unit_test(solvers_may_wait_for_the_same),
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
        cmocka_unit_test(forces_and_accelerations),
        cmocka_unit_test(reactions),
        cmocka_unit_test(the_past),
        cmocka_unit_test(what_has_no_value_is_not_met),
        cmocka_unit_test(changes_that_only_the_run_brings_together),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

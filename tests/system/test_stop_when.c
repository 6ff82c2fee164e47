/* test_stop_when.c - expressions that end a solver, against closed solutions */
#include "conditions.h"

#define STOP(condition) "stop_when = '" condition "'\n"

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
        cmocka_unit_test(forces_and_accelerations),
        cmocka_unit_test(reactions),
        cmocka_unit_test(the_past),
        cmocka_unit_test(what_has_no_value_is_not_met),
        cmocka_unit_test(a_reaction_of_redundant_joints_is_landed_on),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

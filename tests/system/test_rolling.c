/* test_rolling.c - discs that roll: steady motions and where they lose their balance, impacts that steps land on, friction that
 * never drives, and what is refused */
#include "harness.h"

#include <math.h>

#define COIN TENON_SOURCE_DIR "/configs/seeds/rolling_coin.toml"
#define TURNTABLE TENON_SOURCE_DIR "/configs/seeds/rolling_disc_turntable.toml"

/* A thin disc of 1 kg and radius 0.2 m; `more` says where it is and how it moves. */
#define GRAVITY "[model]\ngravity = [0, 0, -9.81]\n"
#define DISC(more)                                                                                        \
    "[[element]]\nname = 'disc'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.02, 0.01, 0.01]\n" more "\n" \
    "[[sensor]]\nname = 'p'\nelement = 'disc'\noutput = 'position'\n"
#define ROLL(more)                                                                                         \
    "[[element]]\nname = 'roll'\ntype = 'rolling_disc'\nmarkers = ['ground', 'disc']\ndisc_radius = 0.2\n" \
    "contact_stiffness = 1e5\ncontact_damping = 100\n" more "\n"                                           \
    "[[sensor]]\nname = 'rotation'\nelement = 'roll'\noutput = 'rotation'\n"                               \
    "[[sensor]]\nname = 'slip'\nelement = 'roll'\noutput = 'velocity_local'\n"                             \
    "[[sensor]]\nname = 'force'\nelement = 'roll'\noutput = 'force_local'\n"
#define GRIP "dry_friction = [1, 1]\ndry_friction_proportional_zone = 1e-4\n"
#define SOLVER(type, step, end) \
    "[solver]\ntype = '" type "'\nstep = " step "\nend_time = " end "\n[output]\ninterval = 0.01\n"

static double most_of(const tn_csv_table *run, const char *column)
{
    const size_t k = tn_column_of(run, column);
    double most = 0.0;
    for (size_t row = 0; row < run->rows; row++)
        most = fmax(most, fabs(tn_csv_value(run, row, k)));
    return most;
}

/* ---- steady motions -------------------------------------------------------------------------------------- */

/* The disc leans by `lean` towards the middle of the circle that its centre runs round in the radius d, at the rate W:
 *
 *     W^2 ((m r + C/r) d + A sin(lean)) = m g r tan(lean),   spin about its axis  -W (d/r + sin(lean)),
 *
 * with the moments of inertia C = 0.02 about its axis and A = 0.01; d = 0 is Euler's disc. */
static const tn_csv_table *run_circle(double lean, double d, const char *solver)
{
    const double rate = sqrt(9.81 * 0.2 * tan(lean) / ((0.2 + 0.02 / 0.2) * d + 0.01 * sin(lean)));
    const double spin = -rate * (d / 0.2 + sin(lean));
    return tn_simulate(tn_format(GRAVITY DISC("position = [%.17g, 0, %.17g]\n"
                                              "rotation = { axis = [0, 1, 0], angle = %.17g }\n"
                                              "velocity = [0, %.17g, 0]\n"
                                              "angular_velocity_ground = [%.17g, 0, %.17g]\n")
                                     ROLL(GRIP) "%s",
                                 d, 0.2 * cos(lean) - 9.81 / 1e5, -lean, rate * d, spin * cos(lean),
                                 rate + spin * sin(lean), solver),
                       NULL);
}

static void test_steady_rolling_on_a_circle(void **state)
{
    (void)state;
    const tn_csv_table *run = run_circle(0.35, 0.5, SOLVER("generalized_alpha", "5e-4", "3"));
    const size_t x = tn_column_of(run, "p.x"), y = tn_column_of(run, "p.y"), z = tn_column_of(run, "p.z");
    for (size_t row = 0; row < run->rows; row++) {
        const double radius = hypot(tn_csv_value(run, row, x), tn_csv_value(run, row, y));
        if (!(fabs(radius - 0.5) <= 2e-3)) fail_msg("radius %.9g in row %zu", radius, row);
        assert_true(fabs(tn_csv_value(run, row, z) - 0.2 * cos(0.35)) <= 1e-3);
    }
}

/* The centre stays while the contact point goes round: W^2 = 4 g/(r sin(angle to the floor)). */
static void test_eulers_disc_stays_where_it_is(void **state)
{
    (void)state;
    const double lean = 1.2;
    const tn_csv_table *run = run_circle(lean, 0.0, SOLVER("generalized_alpha", "2e-4", "1"));
    assert_true(most_of(run, "p.x") <= 1e-3 && most_of(run, "p.y") <= 1e-3);
    const double z = tn_value_at(run, "p.z", 1.0), rate = sqrt(4 * 9.81 / (0.2 * cos(lean)));
    assert_true(fabs(z - 0.2 * cos(lean)) <= 1e-3);

    // w2 = a x n/|a x n| has turned by W t
    const double c = -tn_value_at(run, "rotation.4", 1.0), s = tn_value_at(run, "rotation.1", 1.0);
    assert_true(fabs(remainder(atan2(s, c) - rate, 2 * acos(-1.0))) <= 0.02);
}

/* Upright, rolling straight on with the rate w: it stays up above w^2 = g/(3 r), and falls below. */
static double lean_after(double rate)
{
    const tn_csv_table *run =
        tn_simulate(tn_format(GRAVITY DISC("position = [0, 0, 0.1999]\nvelocity = [0, %.17g, 0]\n"
                                           "angular_velocity = [%.17g, 1e-3, 0]\n") ROLL(GRIP)
                                  SOLVER("generalized_alpha", "1e-3", "3"),
                              -0.2 * rate, rate),
                    NULL);
    return 0.2 - tn_value_at(run, "p.z", 3.0);
}

static void test_a_rolling_disc_stays_up_above_its_critical_speed(void **state)
{
    (void)state;
    const double critical = sqrt(9.81 / (3 * 0.2));
    assert_true(lean_after(1.05 * critical) <= 1.1e-4);
    assert_true(lean_after(0.95 * critical) >= 2e-4);
}

/* A disc that leans too much for its curve: with ten times the stiffness and a tenth of the creep the penalty comes ten times
 * nearer to rolling without slip. */
static const tn_csv_table *run_wobbling(const char *contact)
{
    return tn_simulate(
        tn_format(
            GRAVITY DISC(
                "position = [0.5, 0, '0.2*COS(0.35)']\n"
                "rotation = { axis = [0, 1, 0], angle = -0.35 }\n"
                "velocity = [0, 1, 0]\nangular_velocity = [-5, 0, 0]\n") "[[element]]\nname = "
                                                                         "'roll'\nmarkers = ['ground', "
                                                                         "'disc']\ndisc_radius = "
                                                                         "0.2\n%s" SOLVER("generalized_alpha",
                                                                                          "2e-4", "1"),
            contact),
        NULL);
}

static void test_a_stiff_contact_comes_to_rolling_without_slip(void **state)
{
    (void)state;
    const tn_csv_table *ideal = run_wobbling("type = 'rolling_disc_constraint'\n");
    double before = 0.07;
    for (int k = 0; k < 4; k++, before /= 10.0) {
        const double stiffness = pow(10.0, 3 + k);
        const tn_csv_table *run =
            run_wobbling(tn_format("type = 'rolling_disc'\ncontact_stiffness = %g\ncontact_damping = %g\n"
                                   "dry_friction = [1, 1]\ndry_friction_proportional_zone = %g\n",
                                   stiffness, 2.0 * sqrt(stiffness), 100.0 / stiffness));
        for (int row = 0; row <= 10; row++) {
            const double t = 0.1 * row, x = tn_value_at(run, "p.x", t) - tn_value_at(ideal, "p.x", t);
            const double y = tn_value_at(run, "p.y", t) - tn_value_at(ideal, "p.y", t);
            if (!(hypot(x, y) <= before))
                fail_msg("off by %.3g m at %g s with %g N/m", hypot(x, y), t, stiffness);
        }
    }
}

/* ---- impacts --------------------------------------------------------------------------------------------- */

static void test_results_of_a_coin_that_lands_converge_with_order_2(void **state)
{
    (void)state;
    static const char *const step[] = {"solver.step=5e-4", "solver.step=2.5e-4", "solver.step=1.25e-4"};
    double error[3];
    for (int k = 0; k < 3; k++) {
        const tn_csv_table *run = tn_simulate(tn_read(COIN), TN_WORDS("--set", step[k]));
        assert_int_equal(run->rows, 101);
        error[k] =
            hypot(tn_value_at(run, "C.x", 0.5) - 0.03489769, tn_value_at(run, "C.y", 0.5) + 0.14106085);
    }
    if (!(error[0] <= 4e-6 && error[0] >= 3 * error[1] && error[1] >= 2.5 * error[2]))
        fail_msg("errors %.3g, %.3g, %.3g", error[0], error[1], error[2]);
}

/* Thrown down at 1 m/s from 1 cm, onto a spring with a damper: v(t) is known. Steps shrink to h/1024 for the impact and
 * grow again, and rows stay on the grid. */
static void test_steps_land_on_an_impact_and_grow_again(void **state)
{
    (void)state;
    const char *const model = DISC("position = [0, 0, 0.21]\nvelocity = [0, 0, -1]\n") ROLL("")
        SOLVER("generalized_alpha", "1e-3", "0.02");
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", tn_write("drop.toml", model), "--quiet", "--out", results));
    assert_int_equal(outcome.status, 0);
    const tn_csv_table *run = tn_sensors(results);
    assert_int_equal(run->rows, 3);
    assert_true(fabs(tn_run_number(results, "run.statistics.smallest_step") - 1e-3 / 1024) <= 1e-12);
    assert_true(fabs(tn_run_number(results, "run.statistics.largest_step") - 1e-3) <= 1e-12);
    const double steps = tn_run_number(results, "run.statistics.steps");
    assert_true(steps > 40 && steps < 200);

    // it leaves where the damper would begin to pull: z = -exp(-50 t)/w sin(w t), w^2 = 1e5 - 50^2
    const double w = sqrt(1e5 - 2500), leaves = atan2(2 * 50 * w, 2 * 2500 - 1e5) / w;
    const double out = -exp(-50 * leaves) * (cos(w * leaves) - 50 / w * sin(w * leaves));
    const double depth = -exp(-50 * leaves) * sin(w * leaves) / w;
    const double z = 0.2 + depth + out * (0.01 - leaves);
    assert_true(fabs(tn_value_at(run, "p.z", 0.02) - z) <= 2e-5);
}

/* ---- friction -------------------------------------------------------------------------------------------- */

/* Energy of every one of many discs that are thrown anyhow: what springs give back and friction takes. */
static void test_friction_never_drives(void **state)
{
    (void)state;
    enum { DISCS = TN_SANITIZED ? 50 : 1000 };
    const tn_csv_table *run = tn_simulate(tn_read(TENON_SOURCE_DIR "/tests/system/models/thrown_discs.toml"),
                                          TN_WORDS("--set", tn_format("parameters.discs=%d", DISCS)));
    double lost = 0.0;
    for (int i = 0; i < DISCS; i++) {
        const size_t T = tn_column_of(run, tn_format("T%d", i)), U = tn_column_of(run, tn_format("U%d", i));
        const size_t z = tn_column_of(run, tn_format("p%d.z", i));
        double before = HUGE_VAL, first = 0.0;
        for (size_t row = 0; row < run->rows; row++) {
            const double energy =
                tn_csv_value(run, row, T) + tn_csv_value(run, row, U) + 9.81 * tn_csv_value(run, row, z);
            if (!(energy <= before + 1e-3)) fail_msg("disc %d gains %.3g J", i, energy - before);
            if (row == 0) first = energy;
            before = energy;
        }
        lost += first - before;
    }
    assert_true(lost > 0.5 * DISCS);
}

/* A disc that cannot tip slides along its axis until friction stops it: after v/(mu g), v^2/(2 mu g). */
#define SLIDER(more)                                                                                 \
    GRAVITY "[[element]]\nname = 'disc'\ntype = 'rigid_body'\nmass = 1\ninertia = [1e9, 1e9, 1e9]\n" \
            "position = [0, 0, 0.1999019]\nvelocity = [1, 0, 0]\n"                                   \
            "[[sensor]]\nname = 'p'\nelement = 'disc'\noutput = 'position'\n" ROLL(                  \
                "dry_friction = [0.5, 0.5]\n" more) SOLVER("generalized_alpha", "1e-3", "0.4")

static void test_sliding_ends_where_friction_stops_it(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const tn_csv_table *run = tn_simulate(k ? SLIDER("dry_friction_proportional_zone = 1e-3\n"
                                                         "use_linear_proportional_zone = true\n")
                                                : SLIDER("dry_friction_proportional_zone = 1e-3\n"),
                                              NULL);
        assert_true(fabs(tn_value_at(run, "p.x", 0.4) - 1 / (2 * 0.5 * 9.81)) <= 3e-4);
        assert_true(fabs(tn_value_at(run, "p.x", 0.1) - (0.1 - 0.25 * 9.81 * 0.01)) <= 1e-5);
        assert_true(fabs(tn_value_at(run, "slip.x", 0.4)) <= 1e-4);
    }
}

static void test_friction_that_jumps_is_warned_of(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("jump.toml", SLIDER("")), "--out", results));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors,
                   TN_WORDS("jump.toml:", ": warning: roll: friction with a jump at zero slip",
                            "dry_friction_proportional_zone", "note: contact or friction still changed"));
    assert_true(fabs(tn_value_at(tn_sensors(results), "p.x", 0.4) - 1 / 9.81) <= 2e-3);

    // an explicit solver has no trouble, and no warning
    const tn_outcome explicit_run = tn_tenon(
        TN_WORDS("run", tn_write("jump.toml", SLIDER("")), "--out", tn_scratch_path(NULL), "--solver", "rk"));
    assert_int_equal(explicit_run.status, 0);
    assert_null(strstr(explicit_run.errors, "warning"));
}

/* ---- data ------------------------------------------------------------------------------------------------ */

/* Laws are held by one solver, not by the next, and again by the last. */
static void test_solvers_take_over_from_each_other(void **state)
{
    (void)state;
    const char *text = tn_read(TURNTABLE);
    const char *solver = strstr(text, "[solver]");
    assert_non_null(solver);
    const tn_csv_table *run =
        tn_simulate(tn_format("%.*s[[solver]]\ntype = 'generalized_alpha'\nend_time = 0.5\nstep = 2e-4\n"
                              "[[solver]]\ntype = 'rk'\nend_time = 1\nstep = 1e-4\n"
                              "[[solver]]\ntype = 'generalized_alpha'\nend_time = 1.5\nstep = 2e-4\n"
                              "[output]\ninterval = 0.05\n",
                              (int)(solver - text), text),
                    NULL);
    assert_true(fabs(tn_value_at(run, "speed", 1.5) - 1.5935999) <= 1e-5);
    assert_true(fabs(tn_value_at(run, "p.x", 1.5) - 0.7249749) <= 1e-5);
}

/* A floor that is switched off for a while, and meets the disc below its surface. */
static void test_a_contact_is_switched_off_and_on(void **state)
{
    (void)state;
    static const char model[] = GRAVITY DISC("position = [0, 0, 0.1999019]\n")
        ROLL("") "[[change]]\ntime = 0.02\nelement = 'roll'\nactive = false\n"
                 "[[change]]\ntime = 0.03\nelement = 'roll'\nactive = true\n[solver]\n%s\nend_time = 0.05\n"
                 "[output]\ninterval = 0.005\n";
    const tn_csv_table *implicit =
        tn_simulate(tn_format(model, "type = 'generalized_alpha'\nstep = 2e-5"), NULL);
    const tn_csv_table *explicit_run = tn_simulate(tn_format(model, "type = 'rk'\nstep = 1e-5"), NULL);
    for (int k = 0; k <= 10; k++) {
        const double t = 0.005 * k;
        assert_true(fabs(tn_value_at(implicit, "p.z", t) - tn_value_at(explicit_run, "p.z", t)) <= 1e-6);
    }
    assert_true(tn_value_at(implicit, "p.z", 0.03) <= 0.1999019 - 4e-4);
    assert_true(tn_value_at(implicit, "p.z", 0.05) >= 0.199);
}

/* ---- refusals -------------------------------------------------------------------------------------------- */

static void check_failure(const char *model, const char *solver, const char *time)
{
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", tn_write("flat.toml", model), "--quiet", "--out",
                                                 tn_scratch_path(NULL), "--solver", solver));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("rolling_disc `roll` (", "flat.toml:", time, "parallel"));
}

/* Its axis turns into the normal after 0.1 s, or lies there from the start. */
static void test_a_disc_that_lies_flat_is_named(void **state)
{
    (void)state;
    static const char *const solvers[] = {"generalized_alpha", "rk"};
    for (int k = 0; k < 2; k++) {
        check_failure(DISC("position = [0, 0, 1]\nrotation = { axis = [0, 1, 0], angle = 'PI/2' }\n") ROLL("")
                          SOLVER("rk", "0.01", "1"),
                      solvers[k], "at time 0 s");
        check_failure(DISC("position = [0, 0, 1]\nangular_velocity = [0, '5*PI', 0]\n") ROLL("")
                          SOLVER("rk", "1e-3", "1"),
                      solvers[k], k ? "at time 0.1 s" : "at time 0.09999");
    }
}

static void test_values_without_sense_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *place;
    } wrong[] = {{"disc_radius = 0.2", "disc_radius = 0", ":15:15: error: "},
                 {"contact_stiffness = 1e5", "contact_stiffness = -1", ":16:21: error: "},
                 {"contact_damping = 100", "contact_damping = -1", ":17:19: error: "},
                 {"contact_damping = 100", "plane_normal = [0, 0, 0]", ":17:16: error: "}};
    static const char right[] = DISC("") ROLL("") SOLVER("rk", "0.01", "1");
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *at = strstr(right, wrong[k].from);
        assert_non_null(at);
        const char *model =
            tn_format("%.*s%s%s", (int)(at - right), right, wrong[k].to, at + strlen(wrong[k].from));
        const tn_outcome outcome = tn_tenon(TN_WORDS("check", tn_write("wrong.toml", model)));
        assert_int_equal(outcome.status, 2);
        tn_check_holds(outcome.errors, TN_WORDS(wrong[k].place));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady_rolling_on_a_circle),
        cmocka_unit_test(test_eulers_disc_stays_where_it_is),
        cmocka_unit_test(test_a_rolling_disc_stays_up_above_its_critical_speed),
        cmocka_unit_test(test_a_stiff_contact_comes_to_rolling_without_slip),
        cmocka_unit_test(test_results_of_a_coin_that_lands_converge_with_order_2),
        cmocka_unit_test(test_steps_land_on_an_impact_and_grow_again),
        cmocka_unit_test(test_friction_never_drives),
        cmocka_unit_test(test_sliding_ends_where_friction_stops_it),
        cmocka_unit_test(test_friction_that_jumps_is_warned_of),
        cmocka_unit_test(test_solvers_take_over_from_each_other),
        cmocka_unit_test(test_a_contact_is_switched_off_and_on),
        cmocka_unit_test(test_a_disc_that_lies_flat_is_named),
        cmocka_unit_test(test_values_without_sense_are_refused_at_their_place),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

/* test_contact_loads.c - contact that lasts, with known results: friction, an arch, the legs of a table, piles, overlaps at the start;
 * under all constraint solvers for cones */
#include "contact_models.h"

#include <sys/resource.h>

/* ---- friction, statics ------------------------------------------------------------------------------------------ */

/* A small integration of m v' = 8 cos t - 7.848 v/|v|, by steps of 10 us, gives these figures; Solfec differs by up to 1.2e-5 from them. */
static void a_driven_block_moves_with_friction(void **state)
{
    (void)state;
    for (int solver = 0; solver < SOLVERS; solver++) {
        const char *words[] = {"--set", tn_format("solver.constraint_solver=%s", solvers[solver]),
                               TN_SANITIZED ? "--set" : NULL, "solver.end_time=2.1", NULL};
        const tn_csv_table *t = run_words(config("contact/table"), words);
        expect(tn_value_at(t, "v", 0.151), 0.0183666293, 1e-7, solvers[solver]);
        expect(tn_value_at(t, "x", 2.001), 3.0043485697, 2e-6, solvers[solver]);
        if (TN_SANITIZED) continue;
        expect(tn_value_at(t, "x", 5.001), 2.9913028331, 2e-6, solvers[solver]);
        expect(tn_value_at(t, "v", 3.151), -0.0212011332, 2e-6, solvers[solver]);
        expect(tn_value_at(t, "x", 8.001), 3.0043485697, 2e-6, solvers[solver]);
        expect(tn_value_at(t, "v", 6.151), 0.0027570279, 2e-6, solvers[solver]);
    }
}

/* On both sides of the thickness at which the line of thrust still fits in, 0.1094598 (the whole of it: 0.1067209). */
static void an_arch_stands_and_falls_by_its_line_of_thrust(void **state)
{
    (void)state;
    const char *end = TN_SANITIZED ? "solver.end_time=0.02" : "solver.end_time=0.05";
    static const char *const stand[][2] = {{"parameters.ratio=0.1095", "parameters.share=0.975"},
                                           {"parameters.ratio=0.1068", "parameters.share=1"}};
    for (int k = 0; k < 2; k++)
        assert_true(last(run_words(config("contact/arch"),
                                   TN_WORDS("--set", stand[k][0], "--set", stand[k][1], "--set", end)),
                         "energy") < 1e-14);
    if (TN_SANITIZED) return;
    assert_true(last(run_words(config("contact/arch"), TN_WORDS(NULL)), "energy") > 1e-3);
    assert_true(last(run_words(config("contact/arch"),
                               TN_WORDS("--set", "parameters.ratio=0.1066", "--set", "parameters.share=1")),
                     "energy") > 1e-3);
}

/* The loads on the legs of a table are not unique; the least norm is N_i = 15 +- 3 +- 1 for an eccentric load. */
static void a_table_on_four_legs_shares_its_load_by_least_norm(void **state)
{
    (void)state;
#define LEG(name, x, y)                                                                               \
    SHAPE(name, "table", SPHERE("0.01") "\nposition = [" x ", " y ", -0.99]")                         \
    "[[element]]\nname = 'on_" name "'\ntype = 'contact'\nlaw = 'impulse'\nshapes = ['floor', '" name \
    "']\n" OUTPUT("N_" name, "on_" name, "normal_force") OUTPUT("F_" name, "on_" name, "friction_force")
    static const struct {
        const char *name;
        double force;
    } leg[] = {{"a", 19}, {"b", 13}, {"c", 11}, {"d", 17}};
    for (int solver = 0; solver < SOLVERS; solver++) {
        const char *model = GRAVITY("10") PAIR("0.5", "0")
            BODY("table", "4", "[1, 1, 2]", "position = [0, 0, 1]") SHAPE("floor", "ground", PLANE)
                LEG("a", "0.5", "0.5") LEG("b", "-0.5", "0.5") LEG("c", "-0.5", "-0.5")
                    LEG("d", "0.5", "-0.5") "[[element]]\nname = 'load'\ntype = 'force'\nmarkers = { element "
                                            "= 'table', position = [0.3, 0.1, "
                                            "0] }\nvalue = [0, 0, -20]\n";
        const tn_csv_table *t = simulate(model, solver, NULL, 1e-3, 0.1);
        for (int k = 0; k < 4; k++) {
            expect(last(t, tn_format("N_%s", leg[k].name)), leg[k].force, 1e-5, solvers[solver]);
            expect(last(t, tn_format("F_%s", leg[k].name)), 0.0, 1e-5, solvers[solver]);
        }
        const tn_outcome outcome =
            tn_tenon(TN_WORDS("run", tn_scratch_path("model.toml"), "--out", tn_scratch_path(NULL)));
        tn_check_holds(outcome.errors, TN_WORDS("note: reactions of contacts are not unique in 100 steps",
                                                "first at `on_a`", "least norm"));
    }
}

/* ---- many shapes ------------------------------------------------------------------------------------------------- */

/* Gaps of all pairs in the last row of the states. */
static double sum_of_overlaps(const char *results, int count)
{
    tn_csv_table t = {0};
    double sum = 0.0;
    assert_true(tn_csv_read(tn_format("%s/states.csv", results), &t, stderr));
    const double *row = t.value + (t.rows - 1) * t.columns;
    double place[216][3];
    for (int k = 0; k < count; k++)
        for (int e = 0; e < 3; e++)
            place[k][e] = row[tn_column_of(&t, tn_format("ball%d.q%d", k, e))];
    for (int a = 0; a < count; a++) {
        sum += fmax(0.5 - place[a][2], 0.0);
        for (int b = 0; b < a; b++)
            sum += fmax(1.0 - hypot(hypot(place[a][0] - place[b][0], place[a][1] - place[b][1]),
                                    place[a][2] - place[b][2]),
                        0.0);
    }
    return sum;
}

/* In 10 s with steps of 1 ms, which take some minutes, the sum is 6e-14 m. */
static void balls_that_pile_up_do_not_overlap(void **state)
{
    (void)state;
    const char *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", config("contact/balls"), "--quiet", "--out", results, "--set",
                          "output.states=true", TN_SANITIZED ? "--set" : NULL, "solver.end_time=0.08"));
    if (outcome.status != 0 || outcome.errors[0]) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    assert_true(sum_of_overlaps(results, 216) < 1e-6);
    assert_true(TN_SANITIZED || last(tn_sensors(results), "points") > 216.0);
}

/* More shapes than one would list in pairs, each of which the floor bears: memory grows as their number, and not as that of the pairs,
 * which would take 130 MB more. */
static void a_contact_takes_thousands_of_shapes(void **state)
{
    (void)state;
    enum { BALLS = TN_SANITIZED ? 1100 : 4000 };
    struct rusage used;
    char *list = malloc(BALLS * 16);
    size_t length = 0;
    assert_non_null(list);
    for (int k = 0; k < BALLS; k++)
        length += (size_t)snprintf(list + length, BALLS * 16 - length, ", 'skin%d'", k);
    const tn_csv_table *t = simulate(
        tn_format(GRAVITY("10")
                      PAIR("0.3", "0") "[[repeat]]\ncount = %d\n[[repeat.element]]\nname = "
                                       "'ball{i}'\ntype = 'rigid_body'\nmass = 1\ninertia = "
                                       "[0.1, 0.1, 0.1]\nposition = ['1.5*MOD(i, 40)', "
                                       "'1.5*AINT(i/40)', 0.5]\n[[repeat.marker]]\nname = "
                                       "'skin{i}'\ntype = 'shape'\nelement = 'ball{i}'\n"
                                       "material = 'm'\n" SPHERE("0.5") "\n" SHAPE("floor", "ground", PLANE)
                                           CONTACT("'floor'%s", "") OUTPUT("N", "contact", "normal_force")
                                               OUTPUT("gap", "contact", "gap"),
                  BALLS, list),
        1, NULL, 1e-2, 0.05);
    free(list);
    expect(last(t, "N"), 10.0 * BALLS, 1e-3, "weight");
    expect(last(t, "gap"), 0.0, 1e-9, "gap");
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    if (!TN_SANITIZED && used.ru_maxrss > 100000) fail_msg("%ld KB", used.ru_maxrss);
}

/* ---- overlaps at the start -------------------------------------------------------------------------------------------- */

#define OVERLAPPING(more)                                                  \
    GRAVITY("10")                                                          \
    PAIR("0.5", "0.5")                                                     \
    BODY("brick", "1", "[0.004, 0.004, 0.004]", "position = [0, 0, 0.09]") \
    BODY("ball", "1", "[0.004, 0.004, 0.004]", "position = [0, 0, 0.28]")  \
    SHAPE("box", "brick", "kind = 'box'\nsize = [0.2, 0.2, 0.2]")          \
    SHAPE("skin", "ball", SPHERE("0.1"))                                   \
    SHAPE("floor", "ground", PLANE)                                        \
    CONTACT("'floor', 'box', 'skin'", more)                                \
    SENSOR("z", "DZ(brick) - 0.1")                                         \
    SENSOR("Z", "DZ(ball) - 0.3") SENSOR("V", "VZ(ball)") OUTPUT("force", "contact", "normal_force")

static void overlaps_at_the_start_are_refused_with_their_depths(void **state)
{
    (void)state;
    const char *path = tn_write("deep.toml", OVERLAPPING("") "[solver]\ntype = 'moreau'\nstep = 1e-3\n"
                                                             "end_time = 0.1\n");
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", path, "--quiet", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("at time 0 s: contact `contact` (", "deep.toml:", "shapes overlap at the start",
                            "`floor` and `box` by 0.01 m, `box` and `skin` by 0.01 m",
                            "start = \"resolve\""));
}

/* Also without a warning about the change of energy. */
static void resolved_overlaps_cause_no_velocity(void **state)
{
    (void)state;
    for (int solver = 0; solver < SOLVERS; solver++) {
        const tn_csv_table *t = simulate(OVERLAPPING("start = 'resolve'"), solver, NULL, 1e-3, 0.1);
        for (double time = 1e-3; time < 0.1; time += 1e-3) {
            expect(tn_value_at(t, "z", time), 0.0, 1e-8, solvers[solver]);
            expect(tn_value_at(t, "Z", time), 0.0, 1e-8, solvers[solver]);
            expect(tn_value_at(t, "V", time), 0.0, 1e-8, solvers[solver]);
            expect(tn_value_at(t, "force", time), 30.0, 1e-5, solvers[solver]);
        }
    }
}

static void law_velocity_warns_that_overlaps_remain(void **state)
{
    (void)state;
    const char *path =
        tn_write("deep.toml", OVERLAPPING("start = 'resolve'") "[solver]\ntype = 'moreau'\nstep = 1e-3\n"
                                                               "law = 'velocity'\nend_time = 0.1\n");
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", path, "--quiet", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("warning", "leaves overlaps as they are", "`contact`, 0.01 m"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driven_block_moves_with_friction),
        cmocka_unit_test(an_arch_stands_and_falls_by_its_line_of_thrust),
        cmocka_unit_test(a_table_on_four_legs_shares_its_load_by_least_norm),
        cmocka_unit_test(balls_that_pile_up_do_not_overlap),
        cmocka_unit_test(a_contact_takes_thousands_of_shapes),
        cmocka_unit_test(overlaps_at_the_start_are_refused_with_their_depths),
        cmocka_unit_test(resolved_overlaps_cause_no_velocity),
        cmocka_unit_test(law_velocity_warns_that_overlaps_remain),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

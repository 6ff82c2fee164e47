/* test_contact_impacts.c - impacts and motions with known results: balls, a cradle, a shock absorber, boxes that tumble, other frames;
 * under all constraint solvers for cones */
#include "contact_models.h"

/* ---- impacts ------------------------------------------------------------------------------------------------- */

/* Two spheres of 1 kg that meet with 1 m/s each, at any time within a step. */
static void two_spheres_rebound_exactly_by_the_restitution(void **state)
{
    (void)state;
    static const double restitutions[] = {0.0, 0.25, 0.5, 0.75, 1.0}, gaps[] = {0.1, 0.1003, 0.0};
    for (int solver = 0; solver < SOLVERS; solver++)
        for (int k = 0; k < 15; k++) {
            const double e = restitutions[k % 5], middle = 0.5 + 0.5 * gaps[k / 5];
            const tn_csv_table *t =
                simulate(tn_format(PAIR("0.3", "%.17g") BODY("a", "1", "[0.1, 0.1, 0.1]",
                                                             "position = [%.17g, 0, 0]\nvelocity = [1, 0, 0]")
                                       BODY("b", "1", "[0.1, 0.1, 0.1]",
                                            "position = [%.17g, 0, 0]\nvelocity = [-1, 0, 0]")
                                           SHAPE("one", "a", SPHERE("0.5")) SHAPE("other", "b", SPHERE("0.5"))
                                               CONTACT("'one', 'other'", "") SENSOR("a", "VX(a)")
                                                   SENSOR("b", "VX(b)") OUTPUT("gap", "contact", "gap"),
                                   e, -middle, middle),
                         solver, "1e-12", 1e-3, 0.2);
            expect(last(t, "a"), -e, 1e-11, solvers[solver]);
            expect(last(t, "b"), e, 1e-11, solvers[solver]);
            assert_true(least(t, "gap") > -1e-11);
        }
}

#define DROPPED(restitution)                                             \
    GRAVITY("10")                                                        \
    PAIR("0", restitution)                                               \
    BODY("ball", "1", "[0.004, 0.004, 0.004]", "position = [0, 0, 1.1]") \
    SHAPE("skin", "ball", SPHERE("0.1"))                                 \
    SHAPE("floor", "ground", PLANE)                                      \
    CONTACT("'floor', 'skin'", "")                                       \
    SENSOR("z", "DZ(ball) - 0.1")                                        \
    SENSOR("v", "VZ(ball)") OUTPUT("force", "contact", "normal_force") SYSTEM("energy_balance")

/* Finds the first rows after impacts; returns their number. */
static int find_impacts(const tn_csv_table *t, double *time, int most)
{
    int count = 0;
    const size_t v = tn_column_of(t, "v");
    for (size_t row = 1; row < t->rows && count < most; row++)
        if (t->value[(row - 1) * t->columns + v] < -0.1 && t->value[row * t->columns + v] >= 0.0)
            time[count++] = t->value[row * t->columns];
    return count;
}

static double highest(const tn_csv_table *t, double from)
{
    double found = 0.0;
    for (size_t row = 0; row < t->rows; row++)
        if (t->value[row * t->columns] > from)
            found = fmax(found, t->value[row * t->columns + tn_column_of(t, "z")]);
    return found;
}

/* Solfec-1.0 comes up to 0.2496, 0.06172 and 0.01503 m with the same steps, and stays 1.28e-3 m deep without restitution. Each impact is
 * within a step, in which the next ones come later by up to two. */
static void a_ball_bounces_at_the_right_times_and_heights(void **state)
{
    (void)state;
    static const double times[2][4] = {{0.4472136, 0.8944272, 1.1180340, 1.2298374},
                                       {0.4472136, 1.3416408, 2.2360680, 3.1304952}};
    for (int solver = 0; solver < SOLVERS; solver++)
        for (int k = 0; k < 2; k++) {
            double found[4];
            const tn_csv_table *t =
                simulate(k ? DROPPED("1") : DROPPED("0.5"), solver, NULL, 1e-3, k ? 3.2 : 1.25);
            assert_int_equal(find_impacts(t, found, 4), 4);
            for (int i = 0; i < 4; i++)
                assert_true(found[i] >= times[k][i] && found[i] - times[k][i] < 1e-3);
            expect(highest(t, 0.46), k ? 1.0 : 0.25, 2e-6, "first height");
            if (!k) expect(highest(t, 0.91), 0.0625, 2e-6, "second height");
            if (k) expect(last(t, "energy_balance"), t->value[tn_column_of(t, "energy_balance")], 1e-6, "J");
            assert_true(least(t, "z") > -1e-8);
        }
}

/* Impacts within steps are exact: errors do not accumulate. */
static void fifty_bounces_lose_no_energy(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(DROPPED("1"), PROJECTED_NEWTON, NULL, 1e-3, 45.0);
    expect(highest(t, 43.9), 1.0, 2e-6, "height of the fiftieth");
    expect(last(t, "energy_balance"), t->value[tn_column_of(t, "energy_balance")], 1e-8, "J");
}

static void plastic_impacts_leave_no_overlap(void **state)
{
    (void)state;
    for (int solver = 0; solver < SOLVERS; solver++) {
        const tn_csv_table *t = simulate(DROPPED("0"), solver, NULL, 1e-3, 0.6);
        expect(last(t, "z"), 0.0, 1e-10, solvers[solver]);
        expect(last(t, "force"), 10.0, 1e-6, solvers[solver]);
    }
}

/* Solfec's loses 1.3e-5 J. */
static void a_cradle_keeps_its_energy(void **state)
{
    (void)state;
    for (int solver = 0; solver < SOLVERS; solver++) {
        const tn_csv_table *t =
            run_words(config("contact/cradle"),
                      TN_WORDS("--set", tn_format("solver.constraint_solver=%s", solvers[solver])));
        expect(tn_value_at(t, "last", 0.72), 0.19133, 1e-4, solvers[solver]);
        expect(last(t, "energy"), t->value[tn_column_of(t, "energy")], 1e-6, solvers[solver]);
    }
}

/* Solfec-1.0 is 1.4e-3 m off with the same steps. */
static void a_shock_absorber_lands(void **state)
{
    (void)state;
    for (int solver = 0; solver < SOLVERS; solver++) {
        const tn_csv_table *t =
            run_words(config("seeds/solfec_shock_absorber"),
                      TN_WORDS("--set", tn_format("solver.constraint_solver=%s", solvers[solver])));
        for (double time = 0.01; time < 1.0; time += 0.01) {
            const double behind = time - sqrt(0.2), start = 0.025, rate = -10.0 * sqrt(0.2);
            const double after = -1.025 + (start + (rate + 20.0 * start) * behind) * exp(-20.0 * behind);
            expect(tn_value_at(t, "inner.z", time), behind < 0.0 ? -5.0 * time * time : after, 1e-3,
                   solvers[solver]);
        }
        expect(last(t, "inner.z"), -1.0250342899, 1e-6, solvers[solver]);
        expect(last(t, "outer.z"), -1.0, 1e-9, solvers[solver]);
    }
}

/* ---- motions ------------------------------------------------------------------------------------------------------ */

#define TUMBLING(spin)                                                                              \
    GRAVITY("9.81")                                                                                 \
    PAIR("0.3", "0.3")                                                                              \
    BODY("die", "1", "['0.05/12', '0.1/12', '0.13/12']",                                            \
         "position = [0, 0, 1.2]\nvelocity = [0, 0, 4]\nangular_velocity = " spin)                  \
    SHAPE("box", "die", "kind = 'box'\nsize = [0.3, 0.2, 0.1]")                                     \
    SHAPE("table", "ground", PLANE)                                                                 \
    CONTACT("'table', 'box'", "")                                                                   \
    OUTPUT("force", "contact", "normal_force")                                                      \
    OUTPUT("gap", "contact", "gap") SENSOR("spin", "WY(die, ground, die)") SYSTEM("kinetic_energy") \
        SYSTEM("total_energy") SYSTEM("angular_momentum")

/* About its middle axis it turns over (Dzhanibekov), with angular momentum to round-off and energy to the square of the step; on the table
 * it comes to rest on a face, and its weight presses without a break. */
static void a_box_that_tumbles_keeps_its_momentum_and_comes_to_rest(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(TUMBLING("[0.01, 30, 0.02]"), 1, NULL, 5e-4, 2.5);
    const double L = tn_value_at(t, "angular_momentum.y", 0.0);
    expect(tn_value_at(t, "angular_momentum.y", 1.0), L, 1e-13, "angular momentum");
    expect(tn_value_at(t, "total_energy", 1.0), tn_value_at(t, "total_energy", 0.0), 3e-5, "energy");
    assert_true(tn_value_at(t, "spin", 0.0) > 29.0 && tn_value_at(t, "spin", 0.8) < -25.0);
    assert_true(last(t, "kinetic_energy") < 1e-14 && least(t, "gap") > -1e-5);
    t = simulate(TUMBLING("[0.01, 12, 0.02]"), 1, NULL, 2e-4, 1.0);
    expect(last(t, "total_energy"), tn_value_at(t, "total_energy", 0.0), 2e-8, "energy");
}

/* Two of its corners are a millionth above the table: it rests on the others, and does not tip from step to step. */
static void a_box_at_rest_does_not_rattle(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(TUMBLING("[0.01, 12, 0.02]"), 1, NULL, 1e-3, 2.5);
    for (double time = 2.2; time < 2.5; time += 1e-3) {
        expect(tn_value_at(t, "force", time), 9.81, 1e-6, "weight");
        assert_true(tn_value_at(t, "kinetic_energy", time) < 1e-16);
    }
}

/* A ball that a spring holds on the face of a plate, both without any other support, in other axes and with another velocity. */
static const char *ball_on_plate(const char *rotation, const char *place, const char *ball,
                                 const char *velocity, const char *ball_velocity)
{
    return tn_format(
        PAIR("0.4", "0.3") BODY("plate", "5", "[0.5, 0.4, 0.8]",
                                "rotation = %s\nposition = %s\nvelocity = %s\nangular_velocity = [0.3, "
                                "-0.2, 1]") BODY("ball", "1", "[0.004, 0.004, 0.004]",
                                                 "rotation = %s\nposition = %s\nvelocity = %s")
            SHAPE("face", "plate", PLANE "\nposition = [0, 0, 0.05]") SHAPE("skin", "ball", SPHERE("0.1"))
                CONTACT("'face', 'skin'",
                        "") "[[element]]\nname = 'pull'\ntype = 'spring_damper'\nmarkers = ['plate', "
                            "'ball']\nstiffness = 50\nreference_length = 0\n" SENSOR(
                                "x", "DX(ball, plate, plate)") SENSOR("y", "DY(ball, plate, plate)")
                                SENSOR("z", "DZ(ball, plate, plate)") OUTPUT("N", "contact", "normal_force")
                                    OUTPUT("F", "contact", "friction_force") SYSTEM("momentum")
                                        SYSTEM("angular_momentum"),
        rotation, place, velocity, rotation, ball, ball_velocity);
}

static void a_plate_and_a_ball_move_the_same_in_all_frames(void **state)
{
    (void)state;
    const char *still = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", *turned = "[[0, 0, 1], [1, 0, 0], [0, 1, 0]]";
    const tn_csv_table *t[3] = {
        simulate(ball_on_plate(still, "[0, 0, 0]", "[0.2, 0.1, 0.16]", "[0, 0, 0]", "[0.5, -0.3, 0]"), 1,
                 "1e-12", 1e-3, 1.0),
        simulate(ball_on_plate(turned, "[0, 0, 0]", "[0.16, 0.2, 0.1]", "[0, 0, 0]", "[0, 0.5, -0.3]"), 1,
                 "1e-12", 1e-3, 1.0),
        simulate(ball_on_plate(still, "[1, 2, 3]", "[1.2, 2.1, 3.16]", "[3, -7, 2]", "[3.5, -7.3, 2]"), 1,
                 "1e-12", 1e-3, 1.0)};
    assert_true(last(t[0], "F") > 1.0 && fabs(last(t[0], "x") - 0.2) > 0.01); /* it moves, with friction */
    for (int k = 1; k < 3; k++) {
        for (size_t row = 0; row < t[0]->rows; row++)
            for (size_t c = 1; c <= 3; c++)
                expect(t[k]->value[row * t[k]->columns + c], t[0]->value[row * t[0]->columns + c], 1e-10,
                       "place on the plate");
        expect(last(t[k], "N"), last(t[0], "N"), 1e-7, "normal force");
        expect(last(t[k], "F"), last(t[0], "F"), 1e-7, "friction");
    }
    static const char *const momenta[] = {"momentum.x", "momentum.y", "momentum.z"},
                             *const angular[] = {"angular_momentum.x", "angular_momentum.y",
                                                 "angular_momentum.z"};
    for (int e = 0; e < 3; e++) {
        expect(last(t[0], momenta[e]), tn_value_at(t[0], momenta[e], 0.0), 1e-12, momenta[e]);
        expect(last(t[0], angular[e]), tn_value_at(t[0], angular[e], 0.0), 3e-4, angular[e]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_spheres_rebound_exactly_by_the_restitution),
        cmocka_unit_test(a_ball_bounces_at_the_right_times_and_heights),
        cmocka_unit_test(fifty_bounces_lose_no_energy),
        cmocka_unit_test(plastic_impacts_leave_no_overlap),
        cmocka_unit_test(a_cradle_keeps_its_energy),
        cmocka_unit_test(a_shock_absorber_lands),
        cmocka_unit_test(a_box_that_tumbles_keeps_its_momentum_and_comes_to_rest),
        cmocka_unit_test(a_box_at_rest_does_not_rattle),
        cmocka_unit_test(a_plate_and_a_ball_move_the_same_in_all_frames),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

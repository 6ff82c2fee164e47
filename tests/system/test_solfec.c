/* test_solfec.c - Solfec's constraints under solvers of all kinds, against independent integrations (tests/reference/solfec) and closed
 * solutions */
#include "reference.h"

#include <math.h>

#define SOLFEC TENON_SOURCE_DIR "/tests/reference/solfec/"

enum { ALPHA, ALPHA_2, RK, RADAU, SOLVERS };
static const char *const solvers[SOLVERS] = {
    "type = 'generalized_alpha'\nstep = 1e-3\n", "type = 'generalized_alpha'\nindex = 2\nstep = 1e-3\n",
    "type = 'rk'\nstep = 1e-3\n", "type = 'radau'\nrelative_tolerance = 1e-9\nabsolute_tolerance = 1e-11\n"};

static const tn_csv_table *run(const char *model, int solver, double end)
{
    return tn_simulate(
        tn_format("%s[solver]\n%send_time = %g\n[output]\ninterval = 0.05\n", model, solvers[solver], end),
        NULL);
}

/* ---- cases of the reference ------------------------------------------------------------------------------ */

/* Largest differences, of generalized_alpha, of the others. */
typedef struct tolerance {
    const char *columns;
    double alpha, exact;
} tolerance;

static const struct {
    const char *name;
    double end;
    tolerance tolerance[3];
} cases[] = {
    {"pinned_bar", 2, {{"p", 5e-6, 1e-9}, {"w", 5e-5, 1e-8}, {"R", 1e-6, 1e-9}}},
    {"link_pendulum", 10, {{"p", 4e-4, 1e-8}, {"R", 5e-3, 1e-7}}},
    {"box_pendulum", 5, {{"p", 6e-5, 1e-9}, {"w", 6e-4, 1e-8}, {"R", 3e-2, 1e-6}}},
    {"two_boxes", 5, {{"a", 1e-3, 1e-7}, {"b", 5e-3, 1e-7}, {"R", 1.0, 1e-4}}},
    {"driven_pendulum", 2, {{"p", 6e-5, 1e-9}, {"w", 3e-4, 1e-8}, {"R", 4e-2, 1e-5}}},
    {"driven_chain", 3, {{"first", 3e-6, 1e-9}, {"last", 5e-6, 1e-9}, {"R", 5e-3, 1e-6}}},
    {"two_bodies_on_spring", 5, {{"a", 2e-5, 1e-8}, {"b", 4e-5, 1e-8}}},
    {"spring_direction_fixed", 2, {{"c", 3e-6, 1e-9}, {"p", 3e-6, 1e-9}, {"w", 1e-4, 1e-8}}},
    {"spring_direction_first", 2, {{"c", 5e-5, 1e-8}, {"p", 5e-5, 1e-8}, {"w", 2e-3, 1e-7}}},
    {"shock_absorber", 0.5, {{"d", 2e-5, 1e-8}, {"v", 5e-4, 1e-7}}},
};

static void test_cases_agree_with_independent_integrations(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int s = 0; s < SOLVERS; s++) {
            const char *file = tn_format(SOLFEC "%s.csv", cases[c].name);
            const tn_csv_table *found =
                run(tn_read(tn_format(SOLFEC "%s.toml", cases[c].name)), s, cases[c].end);
            for (const tolerance *t = cases[c].tolerance; t < cases[c].tolerance + 3 && t->columns; t++)
                tn_check_columns(found, file, t->columns, s <= ALPHA_2 ? t->alpha : t->exact, 0.0);
        }
}

/* Neither lengths nor gaps drift. */
static void test_positions_do_not_drift(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *link = run(tn_read(SOLFEC "link_pendulum.toml"), s, 10);
        const tn_csv_table *boxes = run(tn_read(SOLFEC "two_boxes.toml"), s, 5);
        for (size_t r = 0; r < link->rows; r++)
            assert_true(fabs(tn_csv_value(link, r, tn_column_of(link, "length")) - 1.0) < 1e-10);
        assert_true(tn_largest_in(boxes, "gap") < 1e-10);
    }
}

/* ---- prescribed motions ---------------------------------------------------------------------------------- */

#define SPLINE                                                                      \
    "[[signal]]\nname = 's'\nx = [0, 0.25, 0.5, 1, 1.5]\ny = [0, 0.1, -0.05, 0.2, " \
    "0.2]\ninterpolation = 'linear'\noutside = 'constant'\n"
#define POINT "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\n"
#define SENSORS                                                    \
    "[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n" \
    "[[sensor]]\nname = 'v'\nelement = 'm'\noutput = 'velocity'\n"

static const double knots[] = {0.25, 0.5, 1, 1.5, 2};
static const double spline[] = {0.1, -0.05, 0.2, 0.2, 0.2};
static const double once[] = {0.0125, 0.01875, 0.05625, 0.15625, 0.25625};
static const double twice[] = {0.00104166666666667, 0.00572916666666667, 0.0192708333333333,
                               0.0723958333333333, 0.175520833333333};

static const tn_csv_table *prescribe(const char *type, const char *keys, int solver, double end)
{
    return run(tn_format(SPLINE POINT "[[element]]\nname = 'd'\ntype = '%s'\nmarkers = ['m']\n%s\n" SENSORS,
                         type, keys),
               solver, end);
}

static void expect(const tn_csv_table *found, const char *column, const double *values, double most)
{
    for (int k = 0; k < 5; k++) {
        const double value = tn_value_at(found, column, knots[k]);
        if (!(fabs(value - values[k]) <= most))
            fail_msg("%s(%g) = %.15g instead of %.15g", column, knots[k], value, values[k]);
    }
}

static const char one_direction[] = "direction = [2, 0, 0]\nvalue = 'spline(s, time)'";

/* The steps end at the knots; generalized_alpha takes what is quadratic between them by the trapezoidal rule. */
static void test_signals_are_reached_and_integrated(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        expect(prescribe("set_displacement", one_direction, s, 2), "p.x", spline, 1e-12);
        const tn_csv_table *velocity = prescribe("set_velocity", one_direction, s, 2);
        expect(velocity, "p.x", once, 1e-12);
        expect(velocity, "v.x", spline, s <= ALPHA_2 ? 1e-7 : 1e-9);
        const tn_csv_table *acceleration = prescribe("set_acceleration", one_direction, s, 2);
        expect(acceleration, "v.x", once, s <= ALPHA_2 ? 1e-7 : 1e-9);
        expect(acceleration, "p.x", twice, s <= ALPHA_2 ? 5e-8 : 1e-12);
    }
}

/* Along the axes of a base; the third velocity is that of the start. */
static void test_three_directions_have_a_base(void **state)
{
    (void)state;
    static const char keys[] = "base = { axis = [0, 0, 1], angle = '30 [deg]' }\n"
                               "values = ['COS(2*TIME)', 0.5, 'TIME']\n";
    const double along = 0.5 * sin(4.0), across = 1.0, c = cos(M_PI / 6), n = sin(M_PI / 6);
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *found = prescribe("set_velocity", keys, s, 2);
        const double most = s <= ALPHA_2 ? 5e-7 : 1e-9;
        assert_true(fabs(tn_value_at(found, "p.x", 2) - (along * c - across * n)) < most);
        assert_true(fabs(tn_value_at(found, "p.y", 2) - (along * n + across * c)) < most);
        assert_true(fabs(tn_value_at(found, "p.z", 2) - 2.0) < most);
        const tn_csv_table *driven =
            prescribe("set_acceleration", "values = [0, '2', 0]\ninitial_velocities = [1, 0, -1]", s, 1);
        assert_true(fabs(tn_value_at(driven, "p.x", 1) - 1.0) < 1e-9);
        assert_true(fabs(tn_value_at(driven, "p.y", 1) - 1.0) < 1e-6);
        assert_true(fabs(tn_value_at(driven, "v.y", 1) - 2.0) < 1e-9);
        assert_true(fabs(tn_value_at(driven, "p.z", 1) + 1.0) < 1e-9);
    }
}

/* A body at 1 m/s under a velocity of 0.25 m/s is taken to that, and somebody says so. */
static void test_the_start_takes_velocities_to_what_is_prescribed(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        const char *model = tn_write(
            "moving.toml",
            tn_format("[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nvelocity = [1, 0, 0]\n"
                      "[[element]]\nname = 'd'\ntype = 'set_velocity'\nmarkers = ['m']\n"
                      "direction = [1, 0, 0]\nvalue = 0.25\n" SENSORS
                      "[solver]\n%send_time = 1\n[output]\ninterval = 0.5\n",
                      solvers[s]));
        const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--out", tn_scratch_path(NULL)));
        assert_int_equal(outcome.status, 0);
        tn_check_holds(outcome.errors,
                       TN_WORDS("the constraints moved `m`", "changed its velocity by 0.75 m/s"));
        const tn_csv_table *found = tn_simulate(tn_read(model), NULL);
        assert_true(fabs(tn_value_at(found, "p.x", 1) - 0.25) < 1e-12);
    }
}

/* ---- guides ---------------------------------------------------------------------------------------------- */

static const char bodies[] =
    "[model]\ngravity = [0, 0, -10]\n"
    "[[element]]\nname = 'a'\ntype = 'rigid_body'\nmass = 3\ninertia = [0.3, 0.4, 0.2]\n"
    "angular_velocity = [1, -2, 0.5]\n"
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.1, 0.08, 0.12]\nposition = [0.3, "
    "0.1, 0.2]\n"
    "velocity = ['0.5 - 2*0.2 - 0.5*0.1', '0.5*0.3 - 1*0.2', '1*0.1 + 2*0.3']\nangular_velocity = [1, -2, "
    "0.5]\n"
    "[[sensor]]\nname = 'a'\nelement = 'a'\noutput = 'position'\n"
    "[[sensor]]\nname = 'b'\nelement = 'b'\noutput = 'position'\n";

/* Five directions that follow the first body make a prismatic joint. */
static void test_five_directions_guide_a_body_as_a_prismatic_joint_does(void **state)
{
    (void)state;
    static const struct {
        const char *name, *place, *direction;
    } guides[] = {{"g1", "[0, 0, 0]", "[0, 1, 0]"},
                  {"g2", "[0, 0, 0]", "[0, 0, 3]"},
                  {"g3", "[0.2, 0, 0]", "[0, 1, 0]"},
                  {"g4", "[0.2, 0, 0]", "[0, 0, 1]"},
                  {"g5", "[0, 0.2, 0]", "[0, 0, 1]"}};
    const char *guided = bodies;
    for (size_t k = 0; k < sizeof guides / sizeof *guides; k++)
        guided = tn_format(
            "%s[[element]]\nname = '%s'\ntype = 'fixed_direction'\nmarkers = ['a', { element = 'b', "
            "position = %s }]\ndirection = %s\n",
            guided, guides[k].name, guides[k].place, guides[k].direction);
    const char *jointed = tn_format("%s[[element]]\nname = 'j'\ntype = 'prismatic'\n"
                                    "markers = [{ element = 'a', position = [0.3, 0.1, 0.2] }, 'b']\n",
                                    bodies);
    static const char *const columns[] = {"a.x", "a.y", "a.z", "b.x", "b.y", "b.z"};
    for (int s = 0; s < SOLVERS; s++) {
        const tn_csv_table *found = run(guided, s, 1), *other = run(jointed, s, 1);
        for (int k = 0; k < 6; k++)
            assert_true(fabs(tn_value_at(found, columns[k], 1) - tn_value_at(other, columns[k], 1)) < 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_agree_with_independent_integrations),
        cmocka_unit_test(test_positions_do_not_drift),
        cmocka_unit_test(test_signals_are_reached_and_integrated),
        cmocka_unit_test(test_three_directions_have_a_base),
        cmocka_unit_test(test_the_start_takes_velocities_to_what_is_prescribed),
        cmocka_unit_test(test_five_directions_guide_a_body_as_a_prismatic_joint_does),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

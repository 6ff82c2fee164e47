/* test_moreau_contacts.c - the solver by impulses on one-sided rows and cones: impacts, friction, what is left of overlaps; steps that
 * fail; runs that go on from a checkpoint */
#include "checkpoints.h"

#include <math.h>
#include <signal.h>

static const char *contact;

static int set_up(void **state)
{
    if (tn_scratch_open(state)) return 1;
    contact =
        tn_build_text("floor_contact", tn_read(TENON_SOURCE_DIR "/tests/system/plugins/floor_contact.c"));
    return contact ? 0 : 1;
}

#define FALLING(motion, gravity)                                            \
    "[model]\ngravity = [0, 0, -" gravity                                   \
    "]\n[[element]]\nname = 'mass'\ntype = 'mass_point'\nmass = 2\n" motion \
    "\n[[sensor]]\nname = 'p'\nelement = 'mass'\noutput = 'position'\n"
#define FLOOR(frame, law) \
    "[[element]]\nname = 'floor'\ntype = 'floor_contact'\nfloor = " frame "\npoint = 'mass'\n" law "\n"
#define INCLINE "{ element = 'ground', rotation = { axis = [0, 1, 0], angle = '30 [deg]' } }"
#define STEPS(step, end) \
    "[output]\nstates = true\n[solver]\ntype = 'moreau'\nstep = " step "\nend_time = " end "\n"

static tn_outcome run_model(const char *model, const char *word)
{
    const char *file =
        tn_write("model.toml", tn_format("[plugins]\nfloor_contact = '%s'\n%s", contact, model));
    return tn_tenon(TN_WORDS("run", file, "--trust", "--quiet", "--out", "results", word));
}

static const tn_csv_table *simulate(const char *model)
{
    const tn_outcome run = run_model(model, NULL);
    if (run.status != 0 || run.errors[0]) fail_msg("exit %d: %s", run.status, run.errors);
    return tn_sensors(tn_scratch_path("results"));
}

static double largest(const tn_csv_table *t, const char *column, double from)
{
    double found = -HUGE_VAL;
    for (size_t row = 0; row < t->rows; row++)
        if (t->value[row * t->columns] >= from)
            found = fmax(found, t->value[row * t->columns + tn_column_of(t, column)]);
    return found;
}

/* C19: from 1 m with restitution 1/2, impacts at 0.4472, 0.8944, 1.1180 s; Solfec comes up to 0.2496 and 0.06172 m, and stays 1.28e-3 m
 * deep without restitution. */
static void a_ball_bounces(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(FALLING("position = [0, 0, 1]", "10")
                                         FLOOR("'ground'", "restitution = 0.5") STEPS("1e-3", "1.4"));
    assert_true(fabs(largest(t, "p.z", 0.5) - 0.25) < 1.5e-3);
    assert_true(fabs(largest(t, "p.z", 0.95) - 0.0625) < 1.5e-3);
    assert_true(fabs(tn_value_at(t, "p.z", 0.4) - 0.2) < 1e-12);
    assert_true(tn_value_at(t, "p.z", 0.448) < 2e-3 && tn_value_at(t, "p.z", 0.895) < 4e-3);
    double deepest = 0.0;
    for (size_t row = 0; row < t->rows; row++)
        deepest = fmin(deepest, t->value[row * t->columns + tn_column_of(t, "p.z")]);
    assert_true(deepest > -1e-10);
}

static void what_has_landed_rests_without_overlap(void **state)
{
    (void)state;
    const tn_csv_table *t =
        simulate(FALLING("position = [0, 0, 1]", "10") FLOOR("'ground'", "") STEPS("1e-3", "2"));
    for (double time = 0.5; time < 2.0; time += 0.125)
        assert_true(fabs(tn_value_at(t, "p.z", time)) < 1e-10);
    tn_csv_table states = {0};
    assert_true(tn_csv_read(tn_scratch_path("results/states.csv"), &states, stderr));
    assert_true(fabs(tn_value_at(&states, "floor.lambda0", 2.0) - 20.0) < 1e-9);
}

/* v^2/(2 mu g), and g (sin 30 - mu cos 30) t^2/2. */
static void friction_stops_and_lets_slide(void **state)
{
    (void)state;
    const tn_csv_table *t = simulate(FALLING("velocity = [5, 0, 0]", "9.81")
                                         FLOOR("'ground'", "friction = 0.5") STEPS("1e-3", "2"));
    assert_true(fabs(tn_value_at(t, "p.x", 2.0) - 2.5484199796) < 1e-5);
    assert_true(fabs(tn_value_at(t, "p.x", 1.5) - tn_value_at(t, "p.x", 2.0)) < 1e-14);
    t = simulate(FALLING("", "9.81") FLOOR(INCLINE, "friction = 0.5") STEPS("1e-3", "2"));
    assert_true(fabs(hypot(tn_value_at(t, "p.x", 2.0), tn_value_at(t, "p.z", 2.0)) - 1.3142907889) < 1e-9);
    t = simulate(FALLING("", "9.81") FLOOR(INCLINE, "friction = 0.57736") STEPS("1e-3", "2"));
    assert_true(hypot(tn_value_at(t, "p.x", 2.0), tn_value_at(t, "p.z", 2.0)) < 1e-12);
}

/* A mass on a rod slides to and fro on a floor that its rod pulls it off from and presses it to. */
static const char mixed[] =
    "[model]\ngravity = [0, 0, -10]\n[[element]]\nname = 'mass'\ntype = 'rigid_body'\nmass = 2\n"
    "inertia = [0.1, 0.1, 0.1]\nposition = [1, 0, 0.6]\n[[element]]\nname = 'rod'\ntype = 'distance'\n"
    "markers = [{ element = 'ground', position = [0, 0, 0.9] }, 'mass']\n"
    "[[sensor]]\nname = 'p'\nelement = 'mass'\noutput = 'position'\n" FLOOR(
        "'ground'", "friction = 0.3\nrestitution = 0.4");

static void joints_and_contacts_act_together(void **state)
{
    (void)state;
    static const char *const solvers[] = {"gauss_seidel",
                                          "{ type = 'gauss_seidel', joints = 'swept', tolerance = 1e-11 }",
                                          "'projected_newton'", "{ type = 'admm', tolerance = 1e-9 }"};
    double x[4];
    for (int k = 0; k < 4; k++) {
        const char *name = k ? solvers[k] : "'gauss_seidel'";
        const tn_csv_table *t =
            simulate(tn_format("%s" STEPS("1e-3", "1") "constraint_solver = %s\n", mixed, name));
        for (size_t row = 0; row < t->rows; row++) {
            const double px = t->value[row * t->columns + tn_column_of(t, "p.x")],
                         pz = t->value[row * t->columns + tn_column_of(t, "p.z")];
            assert_true(fabs(hypot(px, pz - 0.9) - hypot(1.0, 0.3)) < 1e-7 && pz > -1e-6);
        }
        x[k] = tn_value_at(t, "p.x", 1.0);
    }
    for (int k = 1; k < 4; k++)
        assert_true(fabs(x[k] - x[0]) < 1e-6);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    double x[2];
    for (int k = 0; k < 2; k++)
        x[k] = tn_value_at(simulate(tn_format("%s" STEPS("1e-3", "0.5") "threads = %d\n", mixed, k ? 4 : 1)),
                           "p.x", 0.5);
    assert_true(x[0] == x[1]);
}

static void direct_is_refused_by_name(void **state)
{
    (void)state;
    const tn_outcome run =
        run_model(tn_format("%s" STEPS("1e-3", "1") "constraint_solver = 'direct'\n", mixed), NULL);
    assert_int_equal(run.status, 2);
    tn_check_holds(run.errors, TN_WORDS("`direct` finds impulses of joints only", "`floor` (floor_contact)",
                                        "gauss_seidel"));
}

#define HASTY                                                                                                \
    "constraint_solver = { type = 'gauss_seidel', joints = 'swept', most_iterations = 1, tolerance = 1e-15 " \
    "}\n"

/* Halving does not help a constraint solver that may not iterate: names and errors are told. */
static void what_is_not_solved_is_not_silent(void **state)
{
    (void)state;
    tn_outcome run = run_model(tn_format("%s" STEPS("1e-3", "1") HASTY, mixed), NULL);
    assert_true(run.status != 0);
    tn_check_holds(run.errors, TN_WORDS("gauss_seidel", "have an error of", "most of it at"));
    run = run_model(tn_format("%s" STEPS("1e-3", "1") HASTY "on_failure = 'stop'\n", mixed), NULL);
    assert_true(run.status != 0);
    run = run_model(tn_format("%s" STEPS("1e-3", "1") HASTY "on_failure = 'continue'\n", mixed), NULL);
    assert_int_equal(run.status, 0);
    tn_check_holds(run.errors, TN_WORDS("warning", "goes on with impulses whose error is", "most of it at"));
    assert_true(tn_run_number(tn_scratch_path("results"), "run.statistics.impulse_problems_not_solved") >
                0.0);
    assert_true(tn_run_number(tn_scratch_path("results"), "run.statistics.worst_impulse_error") > 1e-15);
    assert_true(strlen(tn_run_text(tn_scratch_path("results"), "run.statistics.worst_impulse_of")) > 0);
}

/* A chain of boxes that a spring pulls at: what the linear solver keeps of its matrices, predictions and rows are in the bytes. */
static void a_killed_run_goes_on_to_the_last_bit(void **state)
{
    (void)state;
#define BOX(name, x)             \
    "[[element]]\nname = '" name \
    "'\ntype = 'rigid_body'\nmass = 10\ninertia = [0.02, 0.84, 0.84]\nposition = [" x ", 0, 0]\n"
#define BALL(name, first, second)                                                        \
    "[[element]]\nname = '" name "'\ntype = 'spherical'\nmarkers = [{ element = '" first \
    "', position = [0.5, 0, 0] }, { element = '" second "', position = [-0.5, 0, 0] }]\n"
#define SPRING                                                                                      \
    "[[element]]\nname = 'spring'\ntype = 'spring_damper'\nmarkers = ['ground', 'c']\nstiffness = " \
    "%s\nreference_length = 1\n"
    for (int k = 0; k < 2; k++) {
        const char *model =
            tn_write("chain.toml", tn_format("[model]\ngravity = [0, 0, -10]\n" BOX("a", "0.5")
                                                 BOX("b", "1.5") BOX("c", "2.5") BALL("ab", "a", "b")
                                                     BALL("bc", "b", "c") BALL("top", "ground", "a") SPRING
                                             "[[sensor]]\nname = 'p'\nelement = 'c'\noutput = "
                                             "'position'\n[solver]\ntype = 'moreau'\nstep = 1e-4\n"
                                             "end_time = 4\nforces = '%s'\n" OUTPUT,
                                             k ? "1e5" : "0", k ? "implicit" : "explicit"));
        const char *right = tn_scratch_path(NULL), *results = tn_scratch_path(NULL);
        assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right)).status, 0);
        (void)tn_checkpoint_end_early(model, results, SIGKILL);
        const tn_outcome resumed = tn_checkpoint_resume_run(results);
        if (resumed.status != 0) fail_msg("exit %d: %s", resumed.status, resumed.errors);
        tn_checkpoint_same(right, results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_bounces),
                                       cmocka_unit_test(what_has_landed_rests_without_overlap),
                                       cmocka_unit_test(friction_stops_and_lets_slide),
                                       cmocka_unit_test(joints_and_contacts_act_together),
                                       cmocka_unit_test(threads_change_nothing),
                                       cmocka_unit_test(direct_is_refused_by_name),
                                       cmocka_unit_test(what_is_not_solved_is_not_silent),
                                       cmocka_unit_test(a_killed_run_goes_on_to_the_last_bit)};
    return cmocka_run_group_tests(tests, set_up, tn_scratch_close);
}

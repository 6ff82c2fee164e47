/* test_account.c - a run whose energy does not add up says so; one that is accurate does not */
#include "harness.h"

#define GROUND "[[element]]\nname = 'ground'\ntype = 'ground'\n"
#define SOLVER(text) "[solver]\n" text "\n"

static const char *results;

static const char *messages_of(const char *model, const char *solver)
{
    results = tn_scratch_path(NULL);
    const tn_outcome outcome = tn_tenon(TN_WORDS(
        "run", tn_write("model.toml", tn_format("%s%s", model, solver)), "--quiet", "--out", results));
    if (outcome.status != 0) fail_msg("%s: %s", solver, outcome.errors);
    return outcome.errors;
}

static void check_gain(const char *model, const char *solver)
{
    tn_check_holds(messages_of(model, solver),
                   TN_WORDS("warning: the run has gained", "J that no force accounts for"));
    tn_check_holds(tn_run_text(results, "run.warnings.0"), TN_WORDS("gained"));
}

static void check_silence(const char *model, const char *solver)
{
    const char *const messages = messages_of(model, solver);
    if (strstr(messages, "warning")) fail_msg("%s: %s", solver, messages);
}

#define MEETING                                                                                \
    "[[element]]\nname = 'a'\ntype = 'mass_point'\nmass = 1\nposition = [-1, 1e-3, 0]\n"       \
    "[[element]]\nname = 'b'\ntype = 'mass_point'\nmass = 1\nposition = [1, 0, 0]\n"           \
    "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['a', 'b']\nstiffness = 1e4\n" \
    "reference_length = 0.5\n"

static void fixed_steps_through_length_zero_of_a_spring_are_told_about(void **state)
{
    (void)state;
    check_gain(MEETING, SOLVER("type = 'rk'\nend_time = 2\nstep = 1e-3"));
}

static void steps_that_resolve_it_are_not(void **state)
{
    (void)state;
    check_silence(MEETING, SOLVER("type = 'rk'\norder = 5\nadaptive = true\nend_time = 2\n"
                                  "relative_tolerance = 1e-9\nabsolute_tolerance = 1e-11"));
}

/* Its frequency is 100 rad/s. */
#define OSCILLATOR(more)                                                                                   \
    GROUND "[[element]]\nname = 'a'\ntype = 'mass_point'\nmass = 1\nposition = [2, 0, 0]\n"                \
           "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'a']\nstiffness = 1e4\n" \
           "reference_length = 1.5\n" more

/* Beyond step w = 2.83 the classical method is unstable; below, it damps. */
static void a_step_that_is_too_large_is_told_about(void **state)
{
    (void)state;
    check_gain(OSCILLATOR(""), SOLVER("type = 'rk'\nend_time = 1\nstep = 2.9e-2"));
    check_gain(OSCILLATOR(""), SOLVER("type = 'rk'\norder = 1\nend_time = 0.1\nstep = 1e-3"));
}

static void losses_of_an_explicit_method_are_told_about(void **state)
{
    (void)state;
    tn_check_holds(messages_of(OSCILLATOR(""), SOLVER("type = 'rk'\nend_time = 1\nstep = 1e-2")),
                   TN_WORDS("warning: the run has lost"));
}

/* Euler's method gains energy until a damper takes all of it. Then powers and potentials tell of round-off: that is no force with
 * another law, with which all begins anew. */
static void gains_are_told_about_when_the_motion_has_come_to_rest(void **state)
{
    (void)state;
    check_gain(OSCILLATOR("[[change]]\ntime = 0.1\nelement = 's'\nparameter = 'damping'\nvalue = 20\n"),
               SOLVER("type = 'rk'\norder = 1\nend_time = 20\nstep = 1e-3"));
}

/* They are what its spectral radius is for. */
static void losses_of_an_implicit_one_are_not(void **state)
{
    (void)state;
    check_silence(OSCILLATOR(""), SOLVER("type = 'generalized_alpha'\nend_time = 1\nstep = 5e-3"));
}

/* Steps of 0.04 s are too long for this pendulum, and little is damped. */
static void gains_at_index_3_are_told_about(void **state)
{
    (void)state;
    const tn_outcome outcome = tn_tenon(TN_WORDS(
        "run", TENON_SOURCE_DIR "/configs/benchmarks/iftomm_a01_pendulum.toml", "--solver",
        "generalized_alpha", "--set", "solver.step=0.04", "--set", "output.interval=0.04", "--set",
        "solver.spectral_radius=0.9", "--set", "solver.index=3", "--quiet", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 0);
    tn_check_holds(outcome.errors, TN_WORDS("warning: the run has gained"));
}

static void work_of_forces_and_dampers_is_accounted_for(void **state)
{
    (void)state;
    const char *const model = OSCILLATOR("damping = 3\n"
                                         "[[element]]\nname = 'f'\ntype = 'force'\nmarkers = 'a'\n"
                                         "value = ['200*SIN(90*time) - 3*VX(a)', 0, 0]\n");
    check_silence(model, SOLVER("type = 'rk'\nend_time = 2\nstep = 1e-3"));
    check_silence(model, SOLVER("type = 'rk'\nend_time = 2\nstep = 2e-4"));
    check_silence(model, SOLVER("type = 'generalized_alpha'\nend_time = 2\nstep = 1e-3"));
}

static void springs_that_act_by_other_laws_than_their_energy_are_accounted_for(void **state)
{
    (void)state;
    const char *const model =
        GROUND "[[element]]\nname = 'a'\ntype = 'mass_point'\nmass = 1\nposition = [2, 0, 0]\n"
               "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'a']\nstiffness = 1e3\n"
               "reference_length = 2\nforce = 100\ndamping = 2\nvelocity_offset = 1\n";
    check_silence(model, SOLVER("type = 'rk'\nend_time = 2\nstep = 1e-3"));
}

/* A ball deep in a brick that is deep in the floor, on springs and dampers that steps of 1 ms do not resolve: events where they part, and
 * what dampers take meanwhile, hide nothing. */
static void contacts_that_throw_with_more_than_they_have_are_told_about(void **state)
{
    (void)state;
    const char *model =
        "[model]\ngravity = [0, 0, -10]\n[[element]]\nname = 'brick'\ntype = 'rigid_body'\nmass = 1\n"
        "inertia = [0.004, 0.004, 0.004]\nposition = [0, 0, 0.07]\n[[element]]\nname = 'ball'\n"
        "type = 'rigid_body'\nmass = 1\ninertia = [0.004, 0.004, 0.004]\nposition = [0, 0, 0.24]\n"
        "[[marker]]\nname = 'box'\ntype = 'shape'\nelement = 'brick'\nkind = 'box'\nsize = [0.2, 0.2, 0.2]\n"
        "[[marker]]\nname = 'skin'\ntype = 'shape'\nelement = 'ball'\nkind = 'sphere'\nradius = 0.1\n"
        "[[marker]]\nname = 'floor'\ntype = 'shape'\nelement = 'ground'\nkind = 'plane'\n[[element]]\n"
        "name = 'touch'\ntype = 'contact'\nshapes = ['floor', 'box', 'skin']\nlaw = 'penalty'\n"
        "friction = 0.5\nrestitution = 0.5\nstiffness = 1e6\nexponent = 1\n";
    tn_check_holds(messages_of(model, SOLVER("type = 'moreau'\nstep = 1e-3\nend_time = 0.2")),
                   TN_WORDS("warning: the run has gained", "J that no force accounts for"));
    const char *const messages = messages_of(model, SOLVER("type = 'radau'\nend_time = 0.2"));
    assert_null(strstr(messages, "gained"));
}

static void a_change_may_add_energy(void **state)
{
    (void)state;
    const char *const model =
        OSCILLATOR("[[change]]\ntime = 0.5\nelement = 's'\nparameter = 'stiffness'\nvalue = 9e4\n");
    check_silence(model, SOLVER("type = 'rk'\nend_time = 1\nstep = 2e-4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_steps_through_length_zero_of_a_spring_are_told_about),
        cmocka_unit_test(steps_that_resolve_it_are_not),
        cmocka_unit_test(a_step_that_is_too_large_is_told_about),
        cmocka_unit_test(losses_of_an_explicit_method_are_told_about),
        cmocka_unit_test(gains_are_told_about_when_the_motion_has_come_to_rest),
        cmocka_unit_test(losses_of_an_implicit_one_are_not),
        cmocka_unit_test(gains_at_index_3_are_told_about),
        cmocka_unit_test(work_of_forces_and_dampers_is_accounted_for),
        cmocka_unit_test(springs_that_act_by_other_laws_than_their_energy_are_accounted_for),
        cmocka_unit_test(contacts_that_throw_with_more_than_they_have_are_told_about),
        cmocka_unit_test(a_change_may_add_energy),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

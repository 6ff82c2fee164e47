/* test_least_reactions.c - constraints that depend on each other: every way to ask for a reaction tells the least ones, and so do
 * forces and states that read them */
#include "recordings.h"
#include "reference.h"

#include <math.h>

static const char *const solvers[] = {"type = 'generalized_alpha'\nstep = 5e-4\nindex = 3\n",
                                      "type = 'generalized_alpha'\nstep = 5e-4\nindex = 2\n",
                                      "type = 'rk'\nstep = 1e-3\n",
                                      "type = 'radau'\ntolerance = 1e-8\n",
                                      "type = 'gsl_ode'\nstepper = 'rkf45'\nrelative_tolerance = 1e-9\n",
                                      "type = 'ida'\ntolerance = 1e-8\n"};
enum { REFERENCE = 4, ALL = sizeof solvers / sizeof *solvers };
/* ida is there where SUNDIALS is. */
#define SOLVERS (tn_has_plugin("ida") ? ALL : ALL - 1)

#define SENSOR(name, expression) "[[sensor]]\nname = '" name "'\nexpression = '" expression "'\n"
#define OUTPUT(name, element, output) \
    "[[sensor]]\nname = '" name "'\nelement = '" element "'\noutput = '" output "'\n"

static const tn_csv_table *run_for(const char *model, const char *end, int solver)
{
    return tn_simulate(
        tn_format("%s\n[solver]\nend_time = %s\n%s[output]\ninterval = 0.25\n", model, end, solvers[solver]),
        NULL);
}

static void expect(const tn_csv_table *run, int solver, const char *column, double time, double value,
                   double tolerance)
{
    const double found = tn_value_at(run, column, time);
    if (!(fabs(found - value) <= tolerance))
        fail_msg("%s: %s(%g) = %.12g instead of %.12g", solvers[solver], column, time, found, value);
}

/* ---- two drives of one motion ----------------------------------------------------------------------------- */

/* A body 1 m off its hinge, 1.1 kg m^2 about it, turned by t^2: half of the 2.2 N m is due to each of the two drives. */
static const char two_drives[] =
    "[[element]]\nname = 'b'\ntype = 'rigid_body'\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [1, 0, "
    "0]\n"
    "[[element]]\nname = 'j'\ntype = 'revolute'\n"
    "markers = ['ground', { element = 'b', position = [-1, 0, 0] }]\n"
    "[[element]]\nname = 'm'\ntype = 'motion'\njoint = 'j'\nvalue = 'time**2'\n"
    "[[element]]\nname = 'v'\ntype = 'reference_variable'\nimplicit = true\nexpression = 'AZ(b) - TIME**2'\n";

static void test_every_way_to_ask_tells_the_same(void **state)
{
    (void)state;
    const char *model =
        tn_format("%s%s", two_drives,
                  OUTPUT("effort", "m", "effort") OUTPUT("multiplier", "v", "multiplier")
                      SENSOR("motion", "MOTION(m, 1, 8)") SENSOR("variable", "VARFRC(v, b, 8, 0)")
                          SENSOR("value", "VARVAL(v)"));
    static const char *const columns[] = {"effort", "multiplier", "motion", "variable", "value"};
    for (int k = 0; k < SOLVERS; k++) {
        const tn_csv_table *run = run_for(model, "1", k);
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            for (int quarter = 1; quarter <= 4; quarter++)
                expect(run, k, columns[c], 0.25 * quarter, 1.1, 2e-5);
    }
}

/* The states that are recorded are those that the sensors show. */
static void test_recorded_multipliers_are_the_least(void **state)
{
    (void)state;
    const char *model =
        tn_write("drives.toml", tn_format("%s\n[solver]\nend_time = 1\n%s[output]\nstates = true\n",
                                          two_drives, solvers[0]));
    const char *results = tn_scratch_path("drives");
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--quiet", "--out", results));
    assert_int_equal(outcome.status, 0);
    tn_csv_table states;
    assert_true(tn_csv_read(tn_format("%s/states.csv", results), &states, stderr));
    const size_t column = tn_csv_column(&states, "m.lambda0");
    assert_true(column < states.columns);
    for (size_t row = 0; row < states.rows; row++)
        assert_true(fabs(fabs(tn_csv_value(&states, row, column)) - 1.1) <= 1e-3);
}

/* The work of each drive is half of the kinetic energy that both bring about, 1.1 w^2/2 with w = 2 t. */
static void test_work_of_redundant_drives_is_shared(void **state)
{
    (void)state;
    const char *model = tn_format("%s%s", two_drives, OUTPUT("work", "m", "supplied_energy"));
    for (int k = 0; k < SOLVERS; k++)
        expect(run_for(model, "1", k), k, "work", 1.0, 1.1, 1e-3);
}

/* ---- forces and states that read reactions of redundant hinges ------------------------------------------------- */

/* A trapdoor of 2 kg on two hinges with one axis, which is turned; friction in one hinge, by its reaction. */
static const char trapdoor[] =
    "[parameters]\na = 0.7\ns = 'sin(a)'\nc = 'cos(a)'\n"
    "[model]\ngravity = [0, '-9.81*c', '-9.81*s']\n"
    "[[element]]\nname = 'door'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n"
    "position = [0.5, 0, 0]\nrotation = { axis = [1, 0, 0], angle = 'a' }\n"
    "[[element]]\nname = 'upper'\ntype = 'revolute'\nmarkers = [\n"
    "{ element = 'ground', position = [0, '-0.5*s', '0.5*c'], rotation = { axis = [1, 0, 0], angle = 'a' } "
    "},\n"
    "{ element = 'door', position = [-0.5, 0, 0.5] }]\n"
    "[[element]]\nname = 'lower'\ntype = 'revolute'\nmarkers = [\n"
    "{ element = 'ground', position = [0, '0.5*s', '-0.5*c'], rotation = { axis = [1, 0, 0], angle = 'a' } "
    "},\n"
    "{ element = 'door', position = [-0.5, 0, -0.5] }]\n";

#define FRICTION "0.01*JOINT(upper, 1, 1)*TANH(2*(WZ(door)*c - WY(door)*s))"

/* Another solver, of high order, is the reference; the hinges carry equal shares. */
static void test_friction_by_reactions_of_redundant_hinges(void **state)
{
    (void)state;
    const char *model =
        tn_format("%s[[element]]\nname = 'friction'\ntype = 'torque'\nmarkers = ['ground', 'door']\n"
                  "value = [0, 's*" FRICTION "', '-c*" FRICTION "']\n%s",
                  trapdoor,
                  OUTPUT("x", "door", "position") OUTPUT("f", "upper", "force_local")
                      OUTPUT("g", "lower", "force_local") SENSOR("size", "JOINT(upper, 1, 1)"));
    const tn_csv_table *reference = run_for(model, "1", REFERENCE);
    for (int k = 0; k < SOLVERS; k++) {
        const tn_csv_table *run = run_for(model, "1", k);
        for (int quarter = 1; quarter <= 4; quarter++) {
            const double time = 0.25 * quarter;
            expect(run, k, "x.x", time, tn_value_at(reference, "x.x", time), 1e-5);
            expect(run, k, "size", time, tn_value_at(reference, "size", time), 1e-3);
            expect(run, k, "f.x", time, tn_value_at(run, "g.x", time), 1e-5);
            expect(run, k, "f.y", time, tn_value_at(run, "g.y", time), 1e-5);
        }
    }
}

/* The integral of half of the load's share, against that of the motion's momentum: 2 kg change their velocity. */
static void test_integrals_of_reactions_of_redundant_hinges(void **state)
{
    (void)state;
    const char *model =
        tn_format("%s[[element]]\nname = 'impulse'\ntype = 'reference_variable'\nintegral = true\n"
                  "expression = 'JOINT(upper, 1, 2)'\n%s",
                  trapdoor, SENSOR("impulse", "VARVAL(impulse)") OUTPUT("v", "door", "velocity"));
    for (int k = 0; k < SOLVERS; k++) {
        const tn_csv_table *run = run_for(model, "0.5", k);
        expect(run, k, "impulse", 0.5, tn_value_at(run, "v.x", 0.5), 1e-4);
    }
}

/* ---- the log --------------------------------------------------------------------------------------------- */

static tn_recording *record(const char *more, int solver)
{
    const char *results = tn_scratch_path(NULL);
    const char *model = tn_write(
        "logged.toml", tn_format("%s%s[solver]\nend_time = 0.3\n%s", trapdoor, more, solvers[solver]));
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", model, "--quiet", "--out", results));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    return tn_record_open(results);
}

/* The force of a hinge on the door, in a frame. */
static void find_force(const tn_recording *recording, uint64_t frame, const char *hinge, double *force)
{
    double wrench[4 * 6];
    uint32_t w = 0;
    assert_int_equal(recording->wrenches, 4);
    assert_int_equal(recording->frame(recording, frame, 1, NULL, NULL, wrench), TN_OK);
    while (strcmp(recording->wrench[w].element, hinge) != 0 ||
           recording->wrench[w].place.track == TN_GROUND_TRACK)
        w++;
    memcpy(force, wrench + 6 * (size_t)w, 3 * sizeof *force);
}

static void check_shares(const tn_recording *recording, int solver)
{
    double upper[3], lower[3], largest = 0.0;
    assert_true(recording->frames > 3);
    for (uint64_t k = 0; k < recording->frames; k++) {
        find_force(recording, k, "upper", upper);
        find_force(recording, k, "lower", lower);
        if (isnan(upper[0])) continue; /* no step ended between this frame and the next one */
        largest = fmax(largest, fabs(upper[1]));
        for (int i = 0; i < 2; i++) /* across the axis, about which the model is turned */
            if (!(fabs(upper[i] - lower[i]) <= 1e-3))
                fail_msg("%s: %g and %g N", solvers[solver], upper[i], lower[i]);
    }
    assert_true(largest > 1.0);
}

/* Whether a sensor reads reactions or not. */
static void test_the_log_has_the_least(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVERS; k++) {
        tn_recording *unread = record("", k), *read = record(OUTPUT("f", "upper", "force_local"), k);
        check_shares(unread, k);
        check_shares(read, k);
        assert_int_equal(unread->frames, read->frames);
        tn_recording_close(unread);
        tn_recording_close(read);
    }
}

/* ---- constraints that become redundant during a run -------------------------------------------------------------- */

static void test_hinges_that_are_switched_on_share_the_load(void **state)
{
    (void)state;
    const char *model = tn_format("%s%s%s", trapdoor,
                                  "[[change]]\ntime = 0\nelement = 'lower'\nactive = false\n"
                                  "[[change]]\ntime = 0.25\nelement = 'lower'\nactive = true\n",
                                  OUTPUT("f", "upper", "force_local") OUTPUT("g", "lower", "force_local"));
    for (int k = 0; k < SOLVERS; k++) {
        const tn_csv_table *run = run_for(model, "1", k);
        for (int quarter = 2; quarter <= 4; quarter++) {
            expect(run, k, "f.x", 0.25 * quarter, tn_value_at(run, "g.x", 0.25 * quarter), 1e-5);
            expect(run, k, "f.y", 0.25 * quarter, tn_value_at(run, "g.y", 0.25 * quarter), 1e-5);
        }
    }
}

/* ---- a long chain ----------------------------------------------------------------------------------------- */

/* 40 rods at rest, hinged at both ends, where three rows are redundant; others hardly differ from such. Each end carries half of the
 * weight. */
static void test_reactions_of_a_long_chain_carry_its_weight(void **state)
{
    (void)state;
    const char *model = tn_read(TENON_SOURCE_DIR "/configs/seeds/catenary.toml");
    const tn_csv_table *run = tn_simulate(model, TN_WORDS("--set", "element.left.type=\"revolute\"", "--set",
                                                          "element.right.type=\"revolute\""));
    const double pull = tn_value_at(run, "pull.y", 0.1);
    if (!(fabs(pull - 20 * 0.01 * 9.81) < 2e-8)) fail_msg("%.15g N", pull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_way_to_ask_tells_the_same),
                                       cmocka_unit_test(test_recorded_multipliers_are_the_least),
                                       cmocka_unit_test(test_work_of_redundant_drives_is_shared),
                                       cmocka_unit_test(test_friction_by_reactions_of_redundant_hinges),
                                       cmocka_unit_test(test_integrals_of_reactions_of_redundant_hinges),
                                       cmocka_unit_test(test_the_log_has_the_least),
                                       cmocka_unit_test(test_hinges_that_are_switched_on_share_the_load),
                                       cmocka_unit_test(test_reactions_of_a_long_chain_carry_its_weight)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

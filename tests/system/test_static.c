/* test_static.c - the equilibria that `static` finds: against closed solutions, by every stage, and what it says where there is none */
#include "harness.h"

#include <math.h>
#include <tenon/draft/statics.h>

#define STATIC(keys) "[solver]\ntype = 'static'\n" keys
#define GRAVITY "[model]\ngravity = [0, -9.81, 0]\n"

/* Runs a model to an exit status; what it says. */
static tn_outcome run_to(const char *model, int status, const char *const *more)
{
    const char *words[16] = {"run", tn_write("static.toml", model), "--out", tn_scratch_path(NULL)};
    for (size_t k = 0; more && more[k]; k++)
        words[4 + k] = more[k];
    const tn_outcome outcome = tn_tenon(words);
    if (outcome.status != status) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    return outcome;
}

static double at_rest(const tn_csv_table *run, const char *column)
{
    return tn_csv_value(run, run->rows - 1, tn_column_of(run, column));
}

/* A rod of 1 m and 2 kg on a pin, at an angle (degrees) from hanging. */
static const char *pendulum(double angle, const char *keys)
{
    const double a = angle * acos(-1.0) / 180.0;
    return tn_format(GRAVITY
                     "[[element]]\nname = 'rod'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.1, 0.2]\n"
                     "position = [%.17g, %.17g, 0]\n"
                     "[[element]]\nname = 'pin'\ntype = 'revolute'\n"
                     "markers = ['ground', {element = 'rod', position = [%.17g, %.17g, 0]}]\n"
                     "[[sensor]]\nname = 'c'\nelement = 'rod'\noutput = 'position'\n"
                     "[[sensor]]\nname = 'v'\nelement = 'rod'\noutput = 'velocity'\n"
                     "[[sensor]]\nname = 'a'\nelement = 'rod'\noutput = 'acceleration'\n"
                     "[[sensor]]\nname = 'f'\nelement = 'pin'\noutput = 'force'\n" STATIC("%s"),
                     0.5 * sin(a), -0.5 * cos(a), -0.5 * sin(a), 0.5 * cos(a), keys);
}

static void test_a_pendulum_near_its_top_ends_at_the_bottom(void **state)
{
    (void)state;
    static const double angles[] = {10.0, 90.0, 179.9, -179.999};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        const tn_csv_table *run = tn_simulate(pendulum(angles[k], ""), NULL);
        assert_int_equal(run->rows, 1);
        assert_true(fabs(at_rest(run, "c.x")) < 1e-12 && fabs(at_rest(run, "c.y") + 0.5) < 1e-12);
        assert_true(fabs(fabs(at_rest(run, "f.y")) - 2.0 * 9.81) < 1e-11);
        assert_true(at_rest(run, "v.x") == 0.0 && at_rest(run, "a.x") == 0.0 && at_rest(run, "a.y") == 0.0);
    }
    // 0.2 + 2 0.5^2 kg m^2 about the pin: m g l/J
    const tn_outcome outcome = run_to(pendulum(60.0, ""), 0, NULL);
    tn_check_holds(outcome.errors, TN_WORDS("equilibrium by Newton's method", "is stable",
                                            tn_format("%.6g s^-2", 2.0 * 9.81 * 0.5 / 0.7)));
}

/* On a rod that is as long as at the start; a gear keeps the angles of the start, too. */
static void test_what_the_start_defines_is_kept(void **state)
{
    (void)state;
    const tn_csv_table *run = tn_simulate(
        GRAVITY "[[element]]\nname = 'bob'\ntype = 'mass_point'\nmass = 1\nposition = [1, -1, 0]\n"
                "[[element]]\nname = 'rod'\ntype = 'distance'\nmarkers = ['ground', 'bob']\n"
                "[[element]]\nname = 'a'\ntype = 'rotor_1d'\ninertia = 1\nangle = 0.3\n"
                "[[element]]\nname = 'b'\ntype = 'rotor_1d'\ninertia = 1\nangle = 0.7\n"
                "[[element]]\nname = 'gear'\ntype = 'gear'\nmarkers = ['a', 'b']\nratio = 1\n"
                "[[element]]\nname = 'spring'\ntype = 'coordinate_spring_damper'\nmarkers = 'a'\n"
                "stiffness = 5\n"
                "[[sensor]]\nname = 'p'\nelement = 'bob'\noutput = 'position'\n"
                "[[sensor]]\nname = 'a'\nexpression = 'COORD(a)'\n"
                "[[sensor]]\nname = 'b'\nexpression = 'COORD(b)'\n" STATIC("free = 'hold'\n"),
        NULL);
    assert_true(fabs(at_rest(run, "p.x")) < 1e-9 && fabs(at_rest(run, "p.y") + sqrt(2.0)) < 1e-12);
    assert_true(fabs(at_rest(run, "a")) < 1e-12 && fabs(at_rest(run, "b") - 0.4) < 1e-12);
}

/* All ways lead to it, from a start that is not too far for them. */
static void test_every_stage_finds_an_equilibrium(void **state)
{
    (void)state;
    static const struct {
        const char *key, *name;
    } stages[] = {{"newton", "Newton's method with line search"},
                  {"trust_region", "trust region"},
                  {"load_steps", "load steps"},
                  {"relaxation", "dynamic relaxation"}};
    const char *roof = TENON_SOURCE_DIR "/configs/seeds/snap_through.toml";
    for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
        const char *key = tn_format("solver.stage='%s'", stages[k].key), *results = tn_scratch_path(NULL);
        const tn_outcome swings =
            run_to(pendulum(60.0, ""), 0, TN_WORDS("--set", key, "--set", "solver.free='hold'"));
        tn_check_holds(swings.errors, TN_WORDS(tn_format("equilibrium by %s", stages[k].name), "is stable"));
        // half of the limit load: the roof stays upright
        const tn_outcome stands =
            tn_tenon(TN_WORDS("run", roof, "--out", results, "--set", "solver.arc_length=false", "--set",
                              "parameters.load=19", "--set", key));
        if (stands.status != 0) fail_msg("%s: %s", stages[k].key, stands.errors);
        const double y = at_rest(tn_sensors(results), "ridge.y"), L = sqrt(1.0 + y * y);
        assert_true(y > 0.0577 && fabs(2e5 * (sqrt(1.01) - L) * y / L - 19.0) < 1e-7);
    }
}

/* Exactly at the top nothing pushes: it is an equilibrium, and told to be unstable. */
static void test_an_unstable_equilibrium_is_told(void **state)
{
    (void)state;
    const tn_outcome outcome = run_to(pendulum(180.0, ""), 0, NULL);
    tn_check_holds(outcome.errors,
                   TN_WORDS("warning: the equilibrium is unstable: 1 motion does not come back"));
}

static void test_start_velocities_are_set_to_zero(void **state)
{
    (void)state;
    const char *model = GRAVITY
        "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [0, -1, 0]\nvelocity = [1, 0, "
        "0]\n"
        "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'm']\nreference_length = 1\n"
        "stiffness = 100\n[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n" STATIC(
            "end_time = 3\nstep = 1\n");
    const tn_outcome outcome = run_to(model, 0, NULL);
    tn_check_holds(outcome.errors, TN_WORDS("velocities of the start are set to zero"));
    const tn_csv_table *run = tn_simulate(model, NULL);
    assert_true(fabs(at_rest(run, "p.y") + 1.0 + 9.81 / 100.0) < 1e-13); // time keys do not matter
    assert_int_equal(run->rows, 1);
    assert_true(tn_csv_value(run, 0, 0) == 0.0);
}

/* ---- the catenary, and what follows an equilibrium ------------------------------------------------------------- */

static void test_rods_hang_as_a_catenary_and_stay(void **state)
{
    (void)state;
    const char *model = tn_read(TENON_SOURCE_DIR "/configs/seeds/catenary.toml");
    const tn_csv_table *run = tn_simulate(model, TN_WORDS("--set", "output.interval=0.02"));
    assert_int_equal(run->rows, 6); // the one at 0 s once
    for (size_t row = 0; row < run->rows; row++) {
        assert_true(fabs(tn_csv_value(run, row, tn_column_of(run, "middle.y")) + 0.2924380676) < 1e-9);
        assert_true(fabs(tn_csv_value(run, row, tn_column_of(run, "middle.y")) -
                         tn_csv_value(run, 0, tn_column_of(run, "middle.y"))) < 1e-12);
    }
    const double pull = tn_csv_value(run, 0, tn_column_of(run, "pull.y"));
    assert_true(fabs(fabs(pull) - 20 * 0.01 * 9.81) < 1e-12); // half of the weight
}

#define MASS_ON_A_SPRING                                                                                 \
    GRAVITY                                                                                              \
    "[[element]]\nname = 'm'\ntype = 'mass_point'\nmass = 1\nposition = [0.3, -1, 0]\n"                  \
    "[[element]]\nname = 's'\ntype = 'spring_damper'\nmarkers = ['ground', 'm']\nreference_length = 1\n" \
    "stiffness = 100\n[[sensor]]\nname = 'p'\nelement = 'm'\noutput = 'position'\n"

static void test_solvers_follow_each_other(void **state)
{
    (void)state;
    static const char *const solvers[] = {"generalized_alpha", "rk"};
    for (size_t k = 0; k < 2; k++) {
        const tn_csv_table *run = tn_simulate(
            tn_format(MASS_ON_A_SPRING
                      "[[solver]]\ntype = 'static'\nstart_time = 1\n"
                      "[[solver]]\ntype = '%s'\nend_time = 2\nstep = 0.01\n[[solver]]\ntype = 'static'\n",
                      solvers[k]),
            NULL);
        assert_true(tn_csv_value(run, 0, 0) == 1.0 && tn_csv_value(run, run->rows - 1, 0) == 2.0);
        assert_int_equal(run->rows, 102); // the last equilibrium has a row of its own
        for (size_t row = 0; row < run->rows; row++)
            assert_true(fabs(tn_csv_value(run, row, tn_column_of(run, "p.y")) + 1.0981) < 1e-12);
    }
}

static void test_guarded_calls_find_the_same(void **state)
{
    (void)state;
    const char *model = MASS_ON_A_SPRING STATIC("");
    const tn_csv_table *plain = tn_simulate(model, NULL), *guarded = tn_simulate(model, TN_WORDS("--guard"));
    assert_true(at_rest(plain, "p.y") == at_rest(guarded, "p.y") &&
                at_rest(plain, "p.x") == at_rest(guarded, "p.x"));
}

/* ---- limit loads, buckling -------------------------------------------------------------------------------------- */

static void test_the_limit_load_is_told_and_passed(void **state)
{
    (void)state;
    const char *model = tn_read(TENON_SOURCE_DIR "/configs/seeds/snap_through.toml");
    const tn_outcome outcome = run_to(model, 0, NULL);
    tn_check_holds(outcome.errors,
                   TN_WORDS("limit point at load factor 0.38298788645: the load on `ridge` is "
                            "38.298788645 N there",
                            "limit point at load factor -0.38298788645", "is stable"));
    // rows of the path: load and deflection of each belong to each other, and the highest one is the limit point
    tn_check_holds(
        run_to(model, 0, TN_WORDS("--set", "solver.path=true")).errors,
        TN_WORDS("row 1 of the path is at load factor 0\n", "of the path is at load factor 0.38298788645\n"));
    const tn_csv_table *run = tn_simulate(model, TN_WORDS("--set", "solver.path=true"));
    assert_true(run->rows > 8);
    double highest = 0.0, place = 0.0;
    for (size_t row = 0; row < run->rows; row++) {
        const double y = tn_csv_value(run, row, tn_column_of(run, "ridge.y")), L = sqrt(1.0 + y * y),
                     load = 2.0 * 1e5 * (sqrt(1.01) - L) * y / L;
        const double force = -2.0 * tn_csv_value(run, row, tn_column_of(run, "rafter.y"));
        assert_true(fabs(fabs(load) - fabs(force)) < 1e-8);
        if (load > highest && y > 0.0) {
            highest = load;
            place = y;
        }
        assert_true(tn_csv_value(run, row, 0) == 0.0);
    }
    assert_true(fabs(highest - 38.298788645) < 1e-8 && fabs(place - sqrt(cbrt(1.01) - 1.0)) < 1e-6);
    // the same by weight
    const tn_outcome heavy = run_to(tn_format("%s\n[model]\ngravity = [0, -10, 0]\n", model), 0,
                                    TN_WORDS("--set", "parameters.load=0", "--set", "element.ridge.mass=10",
                                             "--set", "solver.load='gravity'"));
    tn_check_holds(
        heavy.errors,
        TN_WORDS("limit point at load factor 0.38298788645: the load on `ridge` is 38.298788645 N there"));
    // the same end without the path
    const tn_csv_table *end = tn_simulate(model, TN_WORDS("--set", "solver.arc_length=false"));
    assert_true(fabs(at_rest(end, "ridge.y") - at_rest(run, "ridge.y")) < 1e-12);
}

/* A column of n rods of 1/n m with torsional springs EI n between them: P = 4 n^2 EI sin^2(pi/(2 n)). */
static const char *column(int n, double load)
{
    return tn_format(
        "[parameters]\nn = %d\n[[repeat]]\ncount = 'n'\n"
        "[[repeat.element]]\nname = 'rod{i}'\ntype = 'rigid_body'\nmass = '1/n'\ninertia = ['1/n**3/12', "
        "'1/n**3/12', '1/n**3/12']\n"
        "position = ['(i + 0.5)/n', 0, 0]\n"
        "[[repeat.element]]\nname = 'hinge{i}'\ntype = 'revolute'\nwhen = 'i > 0'\n"
        "markers = [{element = 'rod{i-1}', position = ['0.5/n', 0, 0]}, {element = 'rod{i}', position = "
        "['-0.5/n', 0, 0]}]\n"
        "[[repeat.element]]\nname = 'spring{i}'\ntype = 'torsional_spring_damper'\nwhen = 'i > 0'\n"
        "markers = [{element = 'rod{i-1}'}, {element = 'rod{i}'}]\nstiffness = 'n'\n"
        "[[element]]\nname = 'foot'\ntype = 'revolute'\nmarkers = ['ground', {element = 'rod0', position = "
        "['-0.5/n', 0, 0]}]\n"
        "[[element]]\nname = 'head'\ntype = 'rigid_body'\nmass = 1e-3\ninertia = [1e-3, 1e-3, "
        "1e-3]\nposition = [1, 0, 0]\n"
        "[[element]]\nname = 'guide'\ntype = 'prismatic'\nmarkers = ['ground', 'head']\n"
        "[[element]]\nname = 'pin'\ntype = 'revolute'\nmarkers = ['head', {element = 'rod%d', position = "
        "['0.5/n', 0, 0]}]\n"
        "[[element]]\nname = 'load'\ntype = 'force'\nmarkers = ['head']\nvalue = [%.17g, 0, 0]\n" STATIC(""),
        n, n - 1, -load);
}

static void test_a_column_buckles_at_its_load(void **state)
{
    (void)state;
    static const int rods[] = {2, 10, 40};
    const double pi = acos(-1.0);
    for (size_t k = 0; k < 3; k++) {
        const double n = rods[k], s = sin(pi / (2.0 * n)), critical = 4.0 * n * n * s * s;
        tn_check_holds(run_to(column(rods[k], (1.0 - 1e-6) * critical), 0, NULL).errors,
                       TN_WORDS("is stable"));
        tn_check_holds(run_to(column(rods[k], (1.0 + 1e-6) * critical), 0, NULL).errors,
                       TN_WORDS("unstable: 1 motion does not come back"));
        if (rods[k] == 40) assert_true(fabs(critical / (pi * pi) - 1.0) < 1e-3); // Euler's
    }
}

/* ---- the smallest energy ---------------------------------------------------------------------------------------- */

/* A net of nonlinear springs (stiffnesses over two decades, some slack), random; points beside its equilibrium have more energy. */
static void test_equilibria_of_nets_are_minima(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        tn_random random = {seed};
        const char *model = "[model]\ngravity = [0, 0, -9.81]\n";
        for (int k = 0; k < 9; k++)
            model = tn_format("%s[[element]]\nname = 'p%d'\ntype = 'mass_point'\nmass = %.6g\nposition = "
                              "[%.6g, %.6g, %.6g]\n"
                              "[[sensor]]\nname = 'p%d'\nelement = 'p%d'\noutput = 'position'\n",
                              model, k, tn_draw(&random, 0.5, 2.0), 0.25 * (k % 3 + 1), 0.25 * (k / 3 + 1),
                              tn_draw(&random, -0.2, 0.2), k, k);
        for (int k = 0; k < 24; k++) {
            const int row = k / 8, i = k % 4; // along x, then along y
            const bool along = k / 4 % 2;
            const char *end[2];
            for (int e = 0; e < 2; e++) {
                const int a = i + e, x = along ? a : row + 1, y = along ? row + 1 : a;
                const bool fixed = a == 0 || a == 4;
                end[e] =
                    fixed ? tn_format("{element = 'ground', position = [%.6g, %.6g, 0]}", 0.25 * x, 0.25 * y)
                          : tn_format("'p%d'", 3 * (y - 1) + x - 1);
            }
            model = tn_format("%s[[element]]\nname = 's%d'\ntype = 'spring_damper'\nmarkers = [%s, %s]\n"
                              "reference_length = %.6g\nstiffness = %.6g\n",
                              model, k, end[0], end[1], tn_draw(&random, 0.15, 0.35),
                              pow(10.0, tn_draw(&random, 2.0, 4.0)));
        }
        model = tn_format("%s[[sensor]]\nname = 'V'\nsystem = 'potential_energy'\n" STATIC(""), model);
        const tn_outcome outcome = run_to(model, 0, NULL);
        tn_check_holds(outcome.errors, TN_WORDS("is stable"));
        const tn_csv_table *run = tn_simulate(model, NULL);
        const double lowest = at_rest(run, "V");

        // shaken: the energy rises, in second order of the way
        tn_world world;
        tn_world_open(&world, model, NULL, NULL);
        for (int shake = 0; shake < 20; shake++) {
            for (uint32_t c = 0; c < world.system->nq; c++)
                world.system->q[c] =
                    at_rest(run, tn_format("p%u.%c", c / 3, "xyz"[c % 3])) + tn_draw(&random, -1e-3, 1e-3);
            const tn_statics *statics = world.system->extension(world.system, TN_STATICS_KEY);
            double energy = 0.0;
            assert_int_equal(world.system->evaluate(world.system), TN_OK);
            assert_int_equal(statics->potential(world.system, &energy), TN_OK);
            assert_true(energy > lowest && energy - lowest < 1.0);
        }
        tn_world_close(&world);
    }
}

/* ---- wheels ------------------------------------------------------------------------------------------------------ */

static void test_a_car_stands_on_its_wheels(void **state)
{
    (void)state;
    const char *model = TENON_SOURCE_DIR "/configs/benchmarks/car.toml", *results = tn_scratch_path(NULL);
    const tn_outcome outcome =
        tn_tenon(TN_WORDS("run", model, "--solver", "static", "--set", "solver.free='hold'", "--set",
                          "parameters.torque=0", "--out", results));
    if (outcome.status != 0) fail_msg("%s", outcome.errors);
    tn_check_holds(outcome.errors,
                   TN_WORDS("nothing holds 7 motions", "held where they are", "the law of `tyre0` switches"));
    const tn_csv_table *run = tn_sensors(results);
    const double weight = 9.81 * (500.0 + 4.0 * 50.0 * acos(-1.0) * 0.4 * 0.4);
    assert_true(fabs(4.0 * at_rest(run, "force.z") - weight) < 1e-9 * weight);

    const char *seed = TENON_SOURCE_DIR "/configs/seeds/car.toml";
    assert_int_equal(tn_tenon(TN_WORDS("run", seed, "--solver", "static", "--set", "solver.free='hold'",
                                       "--set", "parameters.wanted_speed=0", "--out", results))
                         .status,
                     0);
    run = tn_sensors(results);
    const double sum = at_rest(run, "force0.z") + at_rest(run, "force1.z") + at_rest(run, "force2.z") +
                       at_rest(run, "force3.z");
    assert_true(fabs(sum - 9.81 * 1100.0) < 1e-8 * sum);
}

/* A door on two hinges in a line: five reactions of either are shared, as a dynamic solver shares them, and carry the weight. */
static void test_dependent_rows_get_the_least_reactions(void **state)
{
    (void)state;
    static const char door[] =
        "[model]\ngravity = [0, 0.3, -9.81]\n"
        "[[element]]\nname = 'door'\ntype = 'rigid_body'\nmass = 20\ninertia = [3, 2, 1]\nposition = [0.3, "
        "0.4, 0]\n"
        "[[element]]\nname = 'upper'\ntype = 'revolute'\nmarkers = [{element = 'ground', position = [0, 0, "
        "0.8]}, "
        "{element = 'door', position = [-0.3, -0.4, 0.8]}]\n"
        "[[element]]\nname = 'lower'\ntype = 'revolute'\nmarkers = [{element = 'ground', position = [0, 0, "
        "-0.8]}, "
        "{element = 'door', position = [-0.3, -0.4, -0.8]}]\n"
        "[[sensor]]\nname = 'c'\nelement = 'door'\noutput = 'position'\n"
        "[[sensor]]\nname = 'u'\nelement = 'upper'\noutput = 'force'\n"
        "[[sensor]]\nname = 'l'\nelement = 'lower'\noutput = 'force'\n[[solver]]\ntype = 'static'\n"
        "[[solver]]\ntype = 'generalized_alpha'\nend_time = 0.01\nstep = 1e-3\n";
    const tn_csv_table *run = tn_simulate(door, NULL);
    static const char *const forces[] = {"u.x", "u.y", "u.z", "l.x", "l.y", "l.z"};
    /* 98.1 N m about x are shared by forces on levers of 0.8 m, and by the torques of both hinges, as their rows are long */
    const double couple = 0.8 * 98.1 / (2.0 * (1.0 + 0.8 * 0.8)),
                 exact[] = {0.0, -3.0 - couple, 98.1, 0.0, -3.0 + couple, 98.1};
    for (size_t k = 0; k < 6; k++) {
        const size_t column = tn_column_of(run, forces[k]);
        assert_true(fabs(tn_csv_value(run, 0, column) - exact[k]) < 1e-9);
        /* round-off of M/h^2 q, which is 1e7 N */
        assert_true(fabs(tn_csv_value(run, run->rows - 1, column) - exact[k]) < 1e-7);
    }
    assert_true(fabs(at_rest(run, "c.x")) < 1e-10 &&
                fabs(at_rest(run, "c.y") - 0.5) < 1e-10); // it falls shut
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

/* A controller with an integral of the error holds a mass where it shall be, without a spring: the matrix of motion alone is
 * singular. */
static void test_states_are_found_with_the_motion(void **state)
{
    (void)state;
    const tn_csv_table *run =
        tn_simulate(GRAVITY "[[element]]\nname = 'm'\ntype = 'mass_1d'\nmass = 2\n"
                            "[[element]]\nname = 'sum'\ntype = 'reference_variable'\nintegral = true\n"
                            "expression = '0.3 - COORD(m)'\n"
                            "[[element]]\nname = 'hand'\ntype = 'coordinate_force'\nmarkers = 'm'\n"
                            "value = '5*VARVAL(sum) - 7'\n"
                            "[[sensor]]\nname = 'x'\nelement = 'm'\noutput = 'coordinate'\n"
                            "[[sensor]]\nname = 's'\nelement = 'sum'\noutput = 'value'\n" STATIC(""),
                    NULL);
    assert_true(fabs(at_rest(run, "x") - 0.3) < 1e-12 && fabs(at_rest(run, "s") - 1.4) < 1e-11);
}

/* ---- what is refused ---------------------------------------------------------------------------------------------- */

static void test_free_motions_are_named(void **state)
{
    (void)state;
    const char *model = GRAVITY "[[element]]\nname = 'wheel'\ntype = 'rigid_body'\nmass = 1\ninertia = [1, "
                                "1, 1]\nposition = [2, 1, 0]\n"
                                "[[element]]\nname = 'axle'\ntype = 'revolute'\nmarkers = [{element = "
                                "'ground', position = [2, 1, 0]}, 'wheel']\n"
                                "[[sensor]]\nname = 'p'\nelement = 'wheel'\noutput = 'position'\n" STATIC("");
    tn_check_holds(run_to(model, 1, NULL).errors,
                   TN_WORDS("nothing holds 1 motion at the equilibrium: `wheel` turns about (0, 0, ",
                            " through (2, 1, 0) freely", "free = \"hold\""));
    tn_check_holds(run_to(model, 0, TN_WORDS("--set", "solver.free='hold'")).errors,
                   TN_WORDS("held where they are"));
}

/* Where no force acts at all each motion is free; a chain of masses on slack springs has more of them than are looked for. */
static void test_many_free_motions_are_named(void **state)
{
    (void)state;
    const char *seed = TENON_SOURCE_DIR "/configs/seeds/universal.toml",
               *chain = TENON_SOURCE_DIR "/configs/first/chain_of_springs.toml";
    tn_outcome outcome =
        tn_tenon(TN_WORDS("run", seed, "--solver", "static", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors,
                   TN_WORDS("nothing holds 1 motion", "`flywheel` turns about", "`shaft` turns about"));
    outcome = tn_tenon(TN_WORDS("run", chain, "--solver", "static", "--out", tn_scratch_path(NULL)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("nothing holds at least 12 motions", "; and 8 more"));
}

static void test_a_mass_without_support_is_named(void **state)
{
    (void)state;
    const tn_outcome outcome =
        run_to(GRAVITY "[[element]]\nname = 'stone'\ntype = 'mass_point'\nmass = 3\n"
                       "[[sensor]]\nname = 'p'\nelement = 'stone'\noutput = 'position'\n" STATIC(""),
               1, NULL);
    tn_check_holds(
        outcome.errors,
        TN_WORDS(
            "no equilibrium was found by Newton's method, trust region, load steps and dynamic relaxation",
            "a force acts where nothing holds: `stone` translates along (0, -1, 0) freely",
            "Newton's method with line search finds no equilibrium", "load steps finds no equilibrium"));
}

static void test_prescribed_velocities_are_refused(void **state)
{
    (void)state;
    const char *model =
        GRAVITY "[[element]]\nname = 'rod'\ntype = 'rigid_body'\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n"
                "[[element]]\nname = 'pin'\ntype = 'revolute'\nmarkers = ['ground', 'rod']\n"
                "[[element]]\nname = 'drive'\ntype = 'motion'\njoint = 'pin'\n%s\n"
                "[[sensor]]\nname = 'p'\nelement = 'rod'\noutput = 'position'\n" STATIC("");
    tn_check_holds(run_to(tn_format(model, "value = 2\nlevel = 'velocity'"), 1, NULL).errors,
                   TN_WORDS("`drive` prescribes a velocity"));
    tn_check_holds(run_to(tn_format(model, "value = '2*time'"), 0, NULL).errors,
                   TN_WORDS("`drive` moves at time 0 s", "holds it at its position"));
}

static void test_wrong_keys_are_refused(void **state)
{
    (void)state;
    const char *model = MASS_ON_A_SPRING STATIC("path = true\n");
    tn_check_holds(run_to(model, 2, NULL).errors, TN_WORDS("static.toml:", "arc_length = true"));
    tn_check_holds(run_to(MASS_ON_A_SPRING STATIC("load = 'some'\n"), 2, NULL).errors,
                   TN_WORDS("gravity", "all"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_pendulum_near_its_top_ends_at_the_bottom),
                                       cmocka_unit_test(test_what_the_start_defines_is_kept),
                                       cmocka_unit_test(test_every_stage_finds_an_equilibrium),
                                       cmocka_unit_test(test_an_unstable_equilibrium_is_told),
                                       cmocka_unit_test(test_start_velocities_are_set_to_zero),
                                       cmocka_unit_test(test_rods_hang_as_a_catenary_and_stay),
                                       cmocka_unit_test(test_solvers_follow_each_other),
                                       cmocka_unit_test(test_guarded_calls_find_the_same),
                                       cmocka_unit_test(test_the_limit_load_is_told_and_passed),
                                       cmocka_unit_test(test_a_column_buckles_at_its_load),
                                       cmocka_unit_test(test_equilibria_of_nets_are_minima),
                                       cmocka_unit_test(test_a_car_stands_on_its_wheels),
                                       cmocka_unit_test(test_dependent_rows_get_the_least_reactions),
                                       cmocka_unit_test(test_states_are_found_with_the_motion),
                                       cmocka_unit_test(test_free_motions_are_named),
                                       cmocka_unit_test(test_many_free_motions_are_named),
                                       cmocka_unit_test(test_a_mass_without_support_is_named),
                                       cmocka_unit_test(test_prescribed_velocities_are_refused),
                                       cmocka_unit_test(test_wrong_keys_are_refused)};
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

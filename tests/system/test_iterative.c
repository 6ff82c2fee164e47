/* test_iterative.c - models under iterative solvers of linear systems: the motion is that of a direct one, whatever the threads */
#include "checkpoints.h"

#include <signal.h>

#define STEPS "[solver]\ntype = 'generalized_alpha'\nstep = %s\nend_time = %s\nlinear = %s\n"
#define TIP_AND_ENERGY                                                                             \
    "[[sensor]]\nname = 'tip'\nelement = '%s'\noutput = 'position'\n[[sensor]]\nname = 'energy'\n" \
    "system = 'total_energy'\n"

/* n^3 bodies on bushings, that hang from a wall. */
static const char lattice[] =
    "[model]\ngravity = [0, 0, -9.81]\n[parameters]\nn = 4\nm = 'n - 1'\n"
    "K = 1000\nk = 10\n[[repeat]]\nvariable = 'i'\ncount = 'n'\n[[repeat.repeat]]\nvariable = 'j'\n"
    "count = 'n'\n[[repeat.repeat.repeat]]\nvariable = 'l'\ncount = 'n'\nelement = [\n"
    "{ name = 'b_{i}_{j}_{l}', type = 'rigid_body', mass = 0.1, inertia = [1e-4, 1e-4, 1e-4], position = "
    "['0.1*i', '0.1*j', '0.1*l'] },\n"
#define BUSHING(name, when, from, at, to)                                                                    \
    "{ name = '" name "_{i}_{j}_{l}', type = 'linear_bushing', when = '" when                                \
    "', markers = [{ element = '" from "', position = " at " }, { element = 'b_{i}_{j}_{l}', position = " to \
    " }], stiffness = ['k', 'k', 'k', 'K', 'K', 'K'], damping = [0.02, 0.02, 0.02, 2, 2, 2] },\n"
    BUSHING("g", "i < 1", "ground", "[-0.05, '0.1*j', '0.1*l']", "[-0.05, 0, 0]")
        BUSHING("x", "i > 0", "b_{i-1}_{j}_{l}", "[0.05, 0, 0]", "[-0.05, 0, 0]")
            BUSHING("y", "j > 0", "b_{i}_{j-1}_{l}", "[0, 0.05, 0]", "[0, -0.05, 0]")
                BUSHING("z", "l > 0", "b_{i}_{j}_{l-1}", "[0, 0, 0.05]", "[0, 0, -0.05]") "]\n";

/* Bodies of different shapes on joints that turn about different axes, with springs beside them. */
static const char chain[] =
    "[model]\ngravity = [0, 0, -9.81]\n[[repeat]]\nvariable = 'i'\ncount = 12\nelement = [\n"
    "{ name = 'b_{i}', type = 'rigid_body', mass = 0.1, inertia = [1e-4, 2e-4, '3e-4'], position = ['0.1*i', "
    "0, "
    "0] },\n"
    "{ name = 'j_0', type = 'spherical', when = 'i < 1', markers = [{ element = 'ground', position = [-0.05, "
    "0, "
    "0] }, { element = 'b_0', position = [-0.05, 0, 0] }] },\n"
    "{ name = 'j_{i}', type = 'revolute', when = 'i > 0', markers = [{ element = 'b_{i-1}', position = "
    "[0.05, 0, "
    "0], rotation = { axis = [1, 0, 0], angle = '0.3*i' } }, { element = 'b_{i}', position = [-0.05, 0, 0], "
    "rotation = { axis = [1, 0, 0], angle = '0.3*i' } }] },\n"
    "{ name = 's_{i}', type = 'spring_damper', when = 'i > 1', reference_length = 0.2, stiffness = 20, "
    "damping = "
    "0.1, markers = ['b_{i-2}', 'b_{i}'] },\n]\n";

/* As under a direct solver, to 1e-9. */
static void check_motion(const char *model, const char *tip, const char *step, const char *end,
                         const char *linear)
{
    const tn_csv_table *table[2];
    for (int k = 0; k < 2; k++)
        table[k] = tn_simulate(
            tn_format("%s" TIP_AND_ENERGY STEPS, model, tip, step, end, k ? linear : "'klu'"), NULL);
    assert_int_equal(table[0]->rows, table[1]->rows);
    assert_true(table[0]->rows >= 100);
    static const char *const column[] = {"tip.x", "tip.y", "tip.z", "energy"};
    for (size_t k = 0; k < sizeof column / sizeof *column; k++)
        tn_check_column(table[1], table[0], column[k], 1e-9);
}

/* The benchmark by implicit steps. */
static void test_a_net_moves_as_under_klu(void **state)
{
    (void)state;
    const char *model = tn_read(TENON_SOURCE_DIR "/configs/benchmarks/springnet.toml");
    const tn_csv_table *expected = NULL;
    static const char *const linear[] = {"klu", "pcg", "minres", "gmres"};
    for (int k = 0; k < 4; k++) {
        const tn_csv_table *table =
            tn_simulate(model, TN_WORDS("--solver", "generalized_alpha", "--set", "parameters.n=12", "--set",
                                        "solver.step=0.01", "--set", "solver.end_time=1", "--set",
                                        tn_format("solver.linear=%s", linear[k])));
        if (k == 0) expected = table;
        for (size_t c = 0; c < table->columns; c++)
            tn_check_column(table, expected, table->name[c], 1e-9);
    }
}

static void test_a_lattice_moves_as_under_klu(void **state)
{
    (void)state;
    static const char *const linear[] = {"'pcg'", "'minres'", "'gmres'",
                                         "{ type = 'pcg', preconditioner = 'blocks' }"};
    for (int k = 0; k < 4; k++)
        check_motion(lattice, "b_{m}_{m}_{m}", "0.01", "1", linear[k]);
}

static void test_a_chain_with_joints_moves_as_under_klu(void **state)
{
    (void)state;
    static const char *const linear[] = {"'minres'", "'gmres'",
                                         "{ type = 'minres', preconditioner = 'blocks' }"};
    for (int k = 0; k < 3; k++)
        check_motion(chain, "b_11", "2e-3", "0.2", linear[k]);
}

static void test_threads_change_no_bit(void **state)
{
    (void)state;
    static const char *const linear[] = {"pcg", "minres", "gmres"}, *const threads[] = {"1", "2", "3", "7"};
    const char *model = tn_write("lattice.toml", tn_format("%s" TIP_AND_ENERGY STEPS, lattice,
                                                           "b_{m}_{m}_{m}", "0.01", "0.02", "'pcg'"));
    for (int k = 0; k < 3; k++) {
        const char *first = NULL;
        for (int t = 0; t < 4; t++) {
            const char *results = tn_scratch_path(NULL);
            const tn_outcome run = tn_tenon(TN_WORDS("run", model, "--set", "parameters.n=13", "--set",
                                                     tn_format("solver.linear=%s", linear[k]), "--threads",
                                                     threads[t], "--out", results));
            if (run.status != 0) fail_msg("exit %d: %s", run.status, run.errors);
            const char *sensors = tn_read(tn_format("%s/sensors.csv", results));
            if (!first) first = sensors;
            assert_string_equal(sensors, first);
        }
    }
}

/* A run that is ended in between goes on to the same files. */
static void test_a_run_goes_on_from_a_checkpoint(void **state)
{
    (void)state;
    static const char *const linear[] = {"'pcg'", "'gmres'"};
    for (int k = 0; k < 2; k++) {
        const char *right = tn_scratch_path(NULL), *found = tn_scratch_path(NULL);
        const char *model = tn_write("lattice.toml", tn_format("%s" TIP_AND_ENERGY STEPS OUTPUT, lattice,
                                                               "b_{m}_{m}_{m}", "0.01", "5", linear[k]));
        assert_int_equal(tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right)).status, 0);
        assert_int_equal(tn_checkpoint_end_early(model, found, SIGTERM).status, 128 + SIGTERM);
        assert_int_equal(tn_checkpoint_resume_run(found).status, 0);
        tn_checkpoint_same(right, found);
    }
}

/* What a type does not solve it refuses, by the one that does. */
static void test_a_wrong_choice_is_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *linear, *words[4];
    } cases[] = {{"'pcg'", {"pcg", "constraints make it indefinite", "linear = \"minres\""}},
                 {"{ type = 'minres', iterations = 1 }",
                  {"minres has not converged: after 1 iterations", "linear = \"klu\"", "matrix of size"}},
                 {"{ type = 'pcg', tolerance = 0.1 }", {"tolerance", "0.1", "1e-06"}},
                 {"'bicgstab'", {"bicgstab", "gmres"}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *model = tn_write("chain.toml", tn_format("%s" TIP_AND_ENERGY STEPS, chain, "b_11", "1e-3",
                                                             "0.1", cases[k].linear));
        const tn_outcome run = tn_tenon(TN_WORDS("run", model, "--out", tn_scratch_path(NULL)));
        assert_true(run.status == 1 || run.status == 2);
        tn_check_holds(run.errors, cases[k].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_net_moves_as_under_klu),
        cmocka_unit_test(test_a_lattice_moves_as_under_klu),
        cmocka_unit_test(test_a_chain_with_joints_moves_as_under_klu),
        cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_a_run_goes_on_from_a_checkpoint),
        cmocka_unit_test(test_a_wrong_choice_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

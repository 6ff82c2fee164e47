/* test_linear_plugins.c - all linear solvers that are installed give the same motion, and solve the equations of the benchmarks to
 * round-off; which one a model gets that names none */
#include "checkpoints.h"
#include "harness.h"

#include "../linear/linear_plugins.h"
#include "../linear/refined.h"

#include "start/start.h"

#include <math.h>
#include <signal.h>

#define BENCHMARKS TENON_SOURCE_DIR "/configs/benchmarks/"
#define IMPLICIT "solver.type=generalized_alpha", "--set", "solver.newton.relative_tolerance=1e-14"

/* Bodies on bushings, n x n x n of them. */
static const char *lattice(int n, const char *solver)
{
    const char *const rates =
        "stiffness = [10, 10, 10, 1000, 1000, 1000], damping = [0.02, 0.02, 0.02, 2, 2, 2]";
    const char *bushing = "";
    static const char *const axes[] = {"i-1}_{j}_{k", "i}_{j-1}_{k", "i}_{j}_{k-1"}, *const when[] = {
                                                                                         "i > 0", "j > 0",
                                                                                         "k > 0"};
    for (int a = 0; a < 3; a++)
        bushing = tn_format(
            "%s{ name = '%c_{i}_{j}_{k}', type = 'linear_bushing', when = '%s', markers = [{ element = "
            "'b_{%s}', "
            "position = [%g, %g, %g] }, { element = 'b_{i}_{j}_{k}', position = [%g, %g, %g] }], %s },\n",
            bushing, "xyz"[a], when[a], axes[a], a == 0 ? 0.05 : 0.0, a == 1 ? 0.05 : 0.0,
            a == 2 ? 0.05 : 0.0, a == 0 ? -0.05 : 0.0, a == 1 ? -0.05 : 0.0, a == 2 ? -0.05 : 0.0, rates);
    return tn_format(
        "[model]\ngravity = [0, 0, -9.81]\n[parameters]\nn = %d\n[[repeat]]\ncount = 'n'\nvariable = 'i'\n"
        "[[repeat.repeat]]\ncount = 'n'\nvariable = 'j'\n[[repeat.repeat.repeat]]\ncount = 'n'\nvariable = "
        "'k'\nelement = [\n"
        "{ name = 'b_{i}_{j}_{k}', type = 'rigid_body', mass = 0.1, inertia = [1e-4, 1e-4, 1e-4], position = "
        "['0.1*i', '0.1*j', "
        "'0.1*k'] },\n"
        "{ name = 'g_{j}_{k}', type = 'linear_bushing', when = 'i < 1', markers = [{ element = 'ground', "
        "position = [-0.05, '0.1*j', "
        "'0.1*k'] }, { element = 'b_{i}_{j}_{k}', position = [-0.05, 0, 0] }], %s },\n%s]\n"
        "[[sensor]]\nname = 'tip'\nelement = 'b_{n-1}_{n-1}_{n-1}'\noutput = 'position'\n[[sensor]]\nname = "
        "'E'\nsystem = "
        "'total_energy'\n[solver]\n%s",
        n, rates, bushing, solver);
}

#define LATTICE_STEPS "type = 'generalized_alpha'\nstep = 1e-3\nend_time = 0.02\n"

/* ---- the same motion ---- */

static const struct {
    const char *file;
    double step;
    int size; /* n of the model; 0: it has none */
} benchmarks[] = {{"chain", 1e-3, 16},
                  {"bushings", 1e-3, 16},
                  {"springnet", 1e-3, 6},
                  {"ladder", 1e-3, 6},
                  {"rod_net", 1e-3, 6},
                  {"iftomm_a01_pendulum", 1e-3, 0},
                  {"iftomm_a02_four_bar", 1e-3, 3},
                  {"iftomm_a03_andrews", 1e-5, 0},
                  {"iftomm_a04_bricard", 1e-3, 0},
                  {"iftomm_a05_flyball", 5e-4, 0},
                  {"slider_crank", 1e-3, 0},
                  {"spatial_slider_crank", 5e-4, 0},
                  {"heavy_top", 1e-4, 0},
                  {"car", 1e-3, 0}};
enum { BENCHMARKS_COUNT = sizeof benchmarks / sizeof *benchmarks };

/* The text of a benchmark of this size. */
static const char *benchmark(size_t k)
{
    const char *text = tn_read(tn_format(BENCHMARKS "%s.toml", benchmarks[k].file));
    if (benchmarks[k].size == 0) return text;
    const char *line = strstr(text, "\nn = ");
    assert_non_null(line);
    return tn_format("%.*s\nn = %d%s", (int)(line - text), text, benchmarks[k].size, strchr(line + 1, '\n'));
}

static const tn_csv_table *simulate(const char *model, const char *linear, const char *const *words)
{
    const char *all[24] = {"--set", tn_format("solver.linear=%s", linear)};
    for (size_t k = 0; words[k]; k++)
        all[k + 2] = words[k];
    return tn_simulate(model, all);
}

/* Reactions have the round-off of the motion over h^2, velocities of a car on stiff tyres and their slip that over h; those of the Bricard
 * mechanism (`F`), which is held more than once, grow with it. */
static double tolerance_of(const char *column)
{
    return strncmp(column, "F.", 2) == 0      ? 1.0
           : strncmp(column, "force", 5) == 0 ? 1e-6
           : strncmp(column, "slip", 4) == 0  ? 1e-8
           : strncmp(column, "v.", 2) == 0    ? 3e-9
                                              : 1e-9;
}

static void check_motion(const char *model, const char *const *words)
{
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS];
    const int count = tn_linear_plugins(type);
    const tn_csv_table *expected = simulate(model, "dense", words);
    for (int k = 0; k < count; k++) {
        if (strcmp(type[k]->name, "dense") == 0) continue;
        const tn_csv_table *found = simulate(model, type[k]->name, words);
        for (size_t c = 0; c < expected->columns; c++)
            tn_check_column(found, expected, expected->name[c], tolerance_of(expected->name[c]));
    }
}

static void test_all_linear_solvers_give_the_same_motion_over_100_steps(void **state)
{
    (void)state;
    for (size_t k = 0; k < BENCHMARKS_COUNT; k++)
        check_motion(benchmark(k),
                     TN_WORDS("--set", IMPLICIT, "--trust", "--set",
                              tn_format("solver.step=%g", benchmarks[k].step), "--set",
                              tn_format("solver.end_time=%g", 100.0 * benchmarks[k].step), "--set",
                              tn_format("output.interval=%g", 10.0 * benchmarks[k].step)));
    check_motion(lattice(3, LATTICE_STEPS),
                 TN_WORDS("--set", "solver.end_time=0.1", "--set", "solver.newton.relative_tolerance=1e-14"));
}

/* ---- the same equations ---- */

static void check_residual(const tn_linear_type *type, const tn_host *host, const tn_matrix *A,
                           const char *model)
{
    void *self = NULL;
    double largest = 0.0, terms = 0.0;
    double *x = calloc((size_t)A->size + 1, sizeof *x), *left = calloc((size_t)A->size + 1, sizeof *left);
    tn_random random = {7};
    assert_non_null(x);
    assert_non_null(left);
    assert_int_equal(type->create(host, NULL, A, &self), TN_OK);
    assert_int_equal(type->factor(self, A), TN_OK);
    for (uint32_t i = 0; i < A->size; i++) {
        left[i] = x[i] = tn_draw(&random, -1.0, 1.0);
        terms = fmax(terms, fabs(x[i]));
    }
    tn_solve_refined(type, self, A, x);
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            left[A->row[e]] -= A->value[e] * x[j];
            terms = fmax(terms, fabs(A->value[e] * x[j]));
        }
    for (uint32_t i = 0; i < A->size; i++)
        largest = fmax(largest, fabs(left[i]));
    if (!(largest <= 1e-12 * terms))
        fail_msg("%s, %s: residual %.3g of %.3g", model, type->name, largest, terms);
    type->destroy(self);
    free(x);
    free(left);
}

static void check_residuals(const char *model, const char *name)
{
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS];
    const int count = tn_linear_plugins(type);
    tn_world world;
    tn_world_open(&world, model, NULL, NULL);
    const double h = 1e-3;
    tn_system *system = world.system;
    if (!world.plan.solver[0].linear.type) tn_plan_linear(world.model, &world.plan);
    tn_world_open_linear(&world);
    assert_int_equal(tn_make_consistent(world.assembly, true), TN_OK);
    assert_int_equal(system->evaluate(system), TN_OK);
    system->row_factor = 1.0;
    assert_int_equal(system->matrix(system, 1.0, 0.5 * h, 0.25 * h * h), TN_OK);
    for (int k = 0; k < count; k++)
        check_residual(type[k], &world.model->host, system->pattern(system), name);
    tn_world_close(&world);
}

static void test_all_linear_solvers_solve_the_equations_to_round_off(void **state)
{
    (void)state;
    for (size_t k = 0; k < BENCHMARKS_COUNT; k++) {
        if (strcmp(benchmarks[k].file, "car") == 0) continue; /* its parts are found from its folder */
        check_residuals(benchmark(k), benchmarks[k].file);
    }
    check_residuals(lattice(4, LATTICE_STEPS), "lattice");
}

/* ---- the choice ---- */

/* OpenBLAS alone takes as long to load as the program to run a first model. */
static void test_a_first_model_loads_no_dense_linear_algebra(void **state)
{
    (void)state;
    (void)setenv("LD_DEBUG", "files", 1);
    const tn_outcome outcome = tn_tenon(TN_WORDS("run", TENON_SOURCE_DIR "/configs/first/spring_damper.toml",
                                                 "--quiet", "--out", tn_scratch_path(NULL)));
    (void)unsetenv("LD_DEBUG");
    assert_int_equal(outcome.status, 0);
    assert_non_null(strstr(outcome.errors, "file=libc.so"));
    static const char *const names[] = {"blas", "lapack", "mumps", "umfpack", "scotch"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strstr(outcome.errors, names[k])) fail_msg("%s is loaded", names[k]);
}

static const char *run(const char *model, const char *const *words)
{
    const char *results = tn_scratch_path(NULL),
               *all[16] = {"run", tn_write("choice.toml", model), "--out", results};
    for (size_t k = 0; words[k]; k++)
        all[k + 4] = words[k];
    const tn_outcome outcome = tn_tenon(all);
    if (outcome.status != 0) fail_msg("exit %d: %s", outcome.status, outcome.errors);
    return results;
}

static void test_a_lattice_gets_a_solver_for_structures_that_fill_and_a_chain_does_not(void **state)
{
    (void)state;
    tn_need_plugin("multifrontal");
    const char *filling = run(lattice(10, LATTICE_STEPS), TN_WORDS("--quiet"));
    assert_string_equal(tn_run_text(filling, "run.statistics.linear"), "multifrontal");
    assert_string_equal(tn_run_text(filling, "run.statistics.linear_chosen_by"), "cost");
    const double expected = tn_run_number(filling, "run.statistics.expected_factor_entries"),
                 found = tn_run_number(filling, "run.statistics.factor_entries");
    assert_true(fabs(expected - found) < 0.1 * found);
    assert_true(tn_run_number(filling, "run.statistics.expected_factor_operations") > found);
    assert_true(tn_run_number(filling, "run.statistics.expected_factor_memory") > 8.0 * found);
    const char *chain = run(tn_read(BENCHMARKS "chain.toml"),
                            TN_WORDS("--set", "parameters.n=400", "--set", "solver.end_time=2e-3"));
    assert_string_equal(tn_run_text(chain, "run.statistics.linear"), "chain");
    assert_string_equal(tn_run_text(chain, "run.statistics.linear_chosen_by"), "default");
}

/* Rows behind all of their bodies have strong pivots, in motion as well. */
static void test_joints_tied_to_a_net_get_a_solver_for_structures_that_fill(void **state)
{
    (void)state;
    tn_need_plugin("multifrontal");
    const char *net = run(tn_read(BENCHMARKS "rod_net.toml"), TN_WORDS("--set", "solver.end_time=2e-2"));
    assert_string_equal(tn_run_text(net, "run.statistics.linear"), "multifrontal");
    assert_string_equal(tn_run_text(net, "run.statistics.linear_chosen_by"), "cost");
    assert_true(tn_run_number(net, "run.statistics.factorisations") > 2.0);
    assert_null(strstr(tn_read(tn_format("%s/run.toml", net)), "linear_fallbacks"));
}

/* Of the same number of unknowns, below that from where on mechanisms have the choice. */
static void test_small_nets_have_the_choice_and_small_chains_do_not(void **state)
{
    (void)state;
    tn_need_plugin("multifrontal");
    const char *net = run(lattice(5, LATTICE_STEPS), TN_WORDS("--quiet"));
    assert_string_equal(tn_run_text(net, "run.statistics.linear"), "multifrontal");
    const char *chain = run(tn_read(BENCHMARKS "chain.toml"),
                            TN_WORDS("--set", "parameters.n=84", "--set", "solver.end_time=2e-3"));
    assert_string_equal(tn_run_text(chain, "run.statistics.linear"), "chain");
    assert_null(strstr(tn_read(tn_format("%s/run.toml", chain)), "linear_chosen_by"));
}

static void test_a_linear_solver_that_is_named_is_taken(void **state)
{
    (void)state;
    const char *results = run(lattice(7, LATTICE_STEPS "linear = 'klu'\n"), TN_WORDS("--quiet"));
    assert_string_equal(tn_run_text(results, "run.statistics.linear"), "klu");
    assert_string_equal(tn_run_text(results, "run.statistics.linear_chosen_by"), "model");
    assert_true(tn_run_number(results, "run.statistics.expected_factor_entries") > 1e5);
}

static void test_choice_and_bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    tn_need_plugin("multifrontal");
    const tn_csv_table *rows[3];
    for (int k = 0; k < 3; k++)
        rows[k] = tn_sensors(
            run(lattice(10, LATTICE_STEPS), TN_WORDS("--set", tn_format("solver.threads=%d", k + 1))));
    for (int k = 1; k < 3; k++)
        for (size_t c = 0; c < rows[0]->columns; c++)
            for (size_t row = 0; row < rows[0]->rows; row++) {
                const double a = tn_csv_value(rows[0], row, c), b = tn_csv_value(rows[k], row, c);
                assert_memory_equal(&a, &b, sizeof a);
            }
}

/* One with threads of its own would add in another order on another machine. */
static void check_blas_of(const char *plugin, const char *settings)
{
    if (!tn_has_plugin(plugin)) return;
    const char *asked = tn_scratch_path(NULL), *model = tn_write("lattice.toml", lattice(3, settings));
    (void)setenv("BLAS_THREADS", asked, 1);
    (void)setenv("LD_PRELOAD", getenv("TENON_BLAS_THREADS"), 1);
    const tn_child child =
        tn_start(TENON_BINARY, TN_WORDS("run", model, "--quiet", "--out", tn_scratch_path(NULL)));
    (void)unsetenv("LD_PRELOAD");
    const tn_outcome outcome = tn_await(child);
    if (outcome.status != 0) fail_msg("%s: %s", plugin, outcome.errors);
    assert_int_equal(strncmp(tn_read(asked), "1\n", 2), 0);
}

static void test_a_blas_stays_on_one_thread(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip(); /* its library is to be the first one */
    static const char *const linear[] = {"dense", "multifrontal", "mumps", "umfpack"};
    for (size_t k = 0; k < sizeof linear / sizeof *linear; k++)
        check_blas_of(linear[k], tn_format(LATTICE_STEPS "linear = '%s'\n", linear[k]));
    check_blas_of("static", "type = 'static'\n");
    check_blas_of("eigen", "type = 'eigen'\nforce = true\n");
}

#define ALONG_Y "rotation = { axis = [1, 0, 0], angle = 'PI/2' }"

/* In its own order klu would put rows of hinges before their rods, and the factors would have 700 000 entries. */
static void test_factors_of_a_chain_of_hinges_grow_as_its_length(void **state)
{
    (void)state;
    const char *hinges =
        "[model]\ngravity = [0, 0, -9.81]\n[parameters]\nn = 250\n[[repeat]]\ncount = 'n'\nelement = [\n"
        "{ name = 'rod_{i}', type = 'rigid_body', mass = 1, inertia = [1e-4, '1/12', '1/12'], position = ['i "
        "+ "
        "0.5', 0, 0] },\n"
        "{ name = 'joint_{i}', type = 'revolute', when = 'i > 0', markers = [{ element = 'rod_{i-1}', "
        "position = [0.5, 0, 0], " ALONG_Y " }, { element = 'rod_{i}', position = [-0.5, 0, 0], " ALONG_Y
        " }] },\n]\n"
        "[[element]]\nname = 'joint_0'\ntype = 'revolute'\nmarkers = [{ element = 'ground', " ALONG_Y
        " }, { element = 'rod_0', position = [-0.5, 0, 0], " ALONG_Y " }]\n"
        "[solver]\ntype = 'generalized_alpha'\nstep = 1e-3\nend_time = 0.02\nlinear = 'klu'\n";
    const double entries = tn_run_number(run(hinges, TN_WORDS("--quiet")), "run.statistics.factor_entries");
    assert_true(entries > 1e4 && entries < 1e5);
}

/* The limit stands for the memory of a small machine. */
static void test_factors_without_room_are_refused_before_they_are_made(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip(); /* reserves more addresses than there are here */
    tn_need_plugin("mumps");
    const char *model = tn_write("large.toml", lattice(20, LATTICE_STEPS "linear = 'mumps'\n"));
    const char *command = tn_format("ulimit -v 325000 && exec %s run %s --quiet --out %s", TENON_BINARY,
                                    model, tn_scratch_path(NULL));
    const tn_outcome outcome = tn_await(tn_start("/bin/sh", TN_WORDS("-c", command)));
    assert_int_equal(outcome.status, 1);
    tn_check_holds(outcome.errors, TN_WORDS("a matrix of size 48000", "entries, for which `mumps` needs 0.3",
                                            "GB of memory: there are 0.3"));
}

/* What is left of the run has the same bits, as the linear solver has handed over what it keeps; none takes checkpoints away. */
static void test_a_run_goes_on_from_a_checkpoint_with_each_linear_solver(void **state)
{
    (void)state;
    static const char *const names[] = {"klu", "multifrontal", "mumps", "umfpack"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (k > 0 && !tn_has_plugin(names[k])) continue;
        const char *model = tn_write(
            tn_format("%s.toml", names[k]),
            lattice(5, tn_format("type = 'generalized_alpha'\nstep = 1e-3\nend_time = 0.4\nlinear = '%s'\n"
                                 "[output]\ninterval = 0.01\ncheckpoint = 0.01\n",
                                 names[k])));
        const char *right = tn_scratch_path(NULL), *results = tn_scratch_path(NULL);
        const tn_outcome whole = tn_tenon(TN_WORDS("run", model, "--quiet", "--out", right));
        assert_int_equal(whole.status, 0);
        assert_null(strstr(whole.errors, "checkpoint"));
        assert_int_equal(tn_checkpoint_end_early(model, results, SIGTERM).status, 128 + SIGTERM);
        assert_int_equal(tn_checkpoint_resume_run(results).status, 0);
        tn_checkpoint_same(right, results);
    }
}

/* Wherever the memory comes to its end: in the analysis of one linear solver or of another one, or between them. */
static void test_a_lack_of_memory_while_linear_solvers_are_asked_ends_the_run(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip();
    tn_need_plugin("multifrontal");
    const char *model = tn_write("large.toml", lattice(20, LATTICE_STEPS));
    for (int kilobytes = 159000; kilobytes < 300000; kilobytes += 12000) {
        const char *command = tn_format("ulimit -v %d && exec %s run %s --quiet --out %s", kilobytes,
                                        TENON_BINARY, model, tn_scratch_path(NULL));
        const tn_outcome outcome = tn_await(tn_start("/bin/sh", TN_WORDS("-c", command)));
        if (outcome.status != 1 || !strstr(outcome.errors, "memory"))
            fail_msg("%d kB: exit %d: %s", kilobytes, outcome.status, outcome.errors);
    }
}

/* Also where there is enough for factors, but none for what the BLAS asks for by itself. */
static void test_a_lack_of_memory_for_dense_blocks_ends_the_run(void **state)
{
    (void)state;
    if (TN_SANITIZED) skip();
    tn_need_plugin("multifrontal");
    const char *model = tn_write("lattice.toml", lattice(9, LATTICE_STEPS));
    int ended = 0;
    for (int kilobytes = 120000; kilobytes < 360000; kilobytes += 8000) {
        const char *command = tn_format("ulimit -v %d && exec %s run %s --quiet --out %s", kilobytes,
                                        TENON_BINARY, model, tn_scratch_path(NULL));
        const tn_outcome outcome = tn_await(tn_start("/bin/sh", TN_WORDS("-c", command)));
        if (outcome.status != 0 && (outcome.status != 1 || !strstr(outcome.errors, "memory")))
            fail_msg("%d kB: exit %d: %s", kilobytes, outcome.status, outcome.errors);
        ended += outcome.status;
    }
    assert_true(ended > 5 && ended < 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_linear_solvers_give_the_same_motion_over_100_steps),
        cmocka_unit_test(test_all_linear_solvers_solve_the_equations_to_round_off),
        cmocka_unit_test(test_a_first_model_loads_no_dense_linear_algebra),
        cmocka_unit_test(test_a_lattice_gets_a_solver_for_structures_that_fill_and_a_chain_does_not),
        cmocka_unit_test(test_joints_tied_to_a_net_get_a_solver_for_structures_that_fill),
        cmocka_unit_test(test_small_nets_have_the_choice_and_small_chains_do_not),
        cmocka_unit_test(test_a_linear_solver_that_is_named_is_taken),
        cmocka_unit_test(test_factors_of_a_chain_of_hinges_grow_as_its_length),
        cmocka_unit_test(test_choice_and_bits_do_not_depend_on_threads),
        cmocka_unit_test(test_a_blas_stays_on_one_thread),
        cmocka_unit_test(test_a_run_goes_on_from_a_checkpoint_with_each_linear_solver),
        cmocka_unit_test(test_factors_without_room_are_refused_before_they_are_made),
        cmocka_unit_test(test_a_lack_of_memory_while_linear_solvers_are_asked_ends_the_run),
        cmocka_unit_test(test_a_lack_of_memory_for_dense_blocks_ends_the_run),
    };
    return cmocka_run_group_tests(tests, tn_scratch_open, tn_scratch_close);
}

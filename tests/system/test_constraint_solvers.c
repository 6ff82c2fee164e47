/* test_constraint_solvers.c - hundreds of random problems of impulses, easy and difficult, by all constraint solvers: what they call solved
 * is solved, and where velocities are unique they agree; and problems that are none */
#include "../../plugins/constraint_solvers/test_loaded.h"
#include "../../plugins/constraint_solvers/test_problems.h"

#define TOLERANCE 1e-9

/* Results of a family of problems, by solver. */
typedef struct tally {
    int problems, solved[TEST_SOLVERS], agree, compared;
} tally;

/* Rates of problem->impulse. */
static void find_rates(const tn_impulse_problem *problem, double *rate)
{
    tn_impulse_blocks blocks = {0};
    uint32_t strange;
    double *z = test_zeros(problem->nv, sizeof *z);
    assert_int_equal(tn_impulse_blocks_take(&blocks, problem, &strange), TN_OK);
    tn_impulse_blocks_velocity(&blocks, problem->impulse, z);
    tn_impulse_rates(problem, z, rate);
    tn_impulse_blocks_release(&blocks);
    free(z);
}

static double largest_of(const double *x, uint32_t count)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* Solves by all solvers, from zero; measures the error of problems reported as solved, and compares rates. */
static void solve_by_all(const test_problem *test, tally *to)
{
    const tn_impulse_problem *problem = &test->problem;
    double *rate[TEST_SOLVERS] = {NULL};
    tn_impulse_outcome outcome;
    bool all = true, agree = true;
    to->problems++;
    for (int k = 0; k < TEST_SOLVERS; k++) {
        memset(test->impulse, 0, problem->rows * sizeof *test->impulse);
        const tn_status status = test_solve_loaded(test_solver[k], problem, TOLERANCE, 3000, &outcome);
        assert_true(status == TN_OK || status == TN_RETRY);
        for (uint32_t i = 0; i < problem->rows; i++)
            assert_true(isfinite(test->impulse[i]));
        if (status == TN_OK && !(outcome.error <= 1.01 * TOLERANCE))
            fail_msg("%s calls %s solved with an error of %g", test_solver[k], test->name, outcome.error);
        to->solved[k] += status == TN_OK;
        all = all && status == TN_OK;
        rate[k] = test_zeros(problem->rows, sizeof **rate);
        find_rates(problem, rate[k]);
    }
    const double size = largest_of(problem->free_rate, problem->rows) + largest_of(rate[0], problem->rows);
    for (int k = 1; k < TEST_SOLVERS && all; k++)
        for (uint32_t i = 0; i < problem->rows; i++)
            agree = agree && fabs(rate[k][i] - rate[0][i]) <= 1e-5 * size;
    to->compared += all;
    to->agree += all && agree;
    for (int k = 0; k < TEST_SOLVERS; k++)
        free(rate[k]);
}

/* Each solver solves nearly all; where velocities are unique all agree. */
static void expect(const char *what, const tally *of, bool unique)
{
    print_message("%s: %d problems, solved", what, of->problems);
    for (int k = 0; k < TEST_SOLVERS; k++)
        print_message(" %d by %s%s", of->solved[k], test_solver[k], k + 1 < TEST_SOLVERS ? "," : "");
    print_message("; rates agree in %d of %d\n", of->agree, of->compared);
    for (int k = 0; k < TEST_SOLVERS; k++)
        assert_true(20 * of->solved[k] >= 19 * of->problems);
    if (unique) assert_int_equal(of->agree, of->compared);
}

static tally random_family(double friction, int joints)
{
    tally total = {0};
    for (uint32_t seed = 1; seed <= 40; seed++) {
        test_problem test;
        test_random_problem(&test, 1 + seed % 25, joints, friction, 100 + seed);
        solve_by_all(&test, &total);
        test_problem_end(&test);
    }
    return total;
}

static void random_problems(void **state)
{
    (void)state;
    static const double friction[] = {0.0, 0.3, 0.6, 1.0};
    for (int k = 0; k < 4; k++)
        for (int joints = 0; joints < 2; joints++) {
            char what[60];
            const tally total = random_family(friction[k], joints);
            (void)snprintf(what, sizeof what, "friction up to %g%s", friction[k], joints ? ", joints" : "");
            expect(what, &total, friction[k] <= 0.0);
            assert_true(10 * total.agree >=
                        9 * total.compared); // friction rarely has several solutions there
        }
}

/* A stack, pushed and turned, each corner with as many contacts in one place. */
static void make_hyperstatic(test_problem *test, uint32_t boxes, uint32_t times, double friction,
                             uint32_t seed)
{
    static const double up[3] = {0, 0, 1};
    test_problem_begin(test, boxes, 12 * boxes * times);
    (void)snprintf(test->name, sizeof test->name, "%u boxes, each corner %u times", boxes, times);
    for (uint32_t i = 0; i < boxes; i++) {
        test_place(test, i, 1.0 + 9.0 * test_uniform(&seed), 0.05, 0.0, 0.0, 0.1 + 0.2 * i);
        test_fall(test, i, 9.81e-3);
        for (int k = 0; k < 6; k++)
            test->body[i].velocity[k] += 0.02 * (test_uniform(&seed) - 0.5);
    }
    for (uint32_t i = 0; i < boxes; i++)
        for (uint32_t k = 0; k < 4 * times; k++) {
            const double point[3] = {k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, 0.2 * i};
            test_contact(test, i > 0 ? i - 1 : TEST_GROUND, i, point, up,
                         k % 3 == 2 ? 0.0 : friction * test_uniform(&seed));
        }
    test_problem_finish(test);
}

/* With different coefficients of friction even velocities depend on the distribution of the load. */
static void hyperstatic_problems(void **state)
{
    (void)state;
    for (int rough = 0; rough < 2; rough++) {
        tally total = {0};
        for (uint32_t seed = 1; seed <= 60; seed++) {
            test_problem test;
            make_hyperstatic(&test, 1 + seed % 6, 1 + seed % 3, rough * 0.7, seed);
            solve_by_all(&test, &total);
            test_problem_end(&test);
        }
        expect(rough ? "hyperstatic" : "hyperstatic, without friction", &total, !rough);
    }
}

/* Rods that slide on one end, at angles and frictions where sliding may have no solution without an impact. */
static void painleve_problems(void **state)
{
    (void)state;
    static const double up[3] = {0, 0, 1};
    tally total = {0};
    for (uint32_t seed = 1; seed <= 60; seed++) {
        test_problem test;
        const double angle = 0.02 * 1.57 * (seed % 50), friction = 0.5 + 0.1 * (seed % 20);
        test_problem_begin(&test, 1, 3);
        test_place(&test, 0, 1.0, 1.0 / 12.0, 0.0, 0.0, 0.5 * sin(angle));
        const double point[3] = {-0.5 * cos(angle), 0.0, 0.0};
        test_contact(&test, TEST_GROUND, 0, point, up, friction);
        test_fall(&test, 0, 9.81e-3);
        test.body[0].velocity[0] = seed % 2 ? 1.0 : -1.0;
        test_problem_finish(&test);
        solve_by_all(&test, &total);
        test_problem_end(&test);
    }
    expect("rods of Painleve", &total, true);
}

static void arches(void **state)
{
    (void)state;
    tally total = {0};
    for (uint32_t blocks = 3; blocks <= 17; blocks += 2) {
        test_problem test;
        test_arch(&test, blocks, 0.4 + 0.02 * blocks);
        solve_by_all(&test, &total);
        test_problem_end(&test);
    }
    expect("arches", &total, true);
}

/* Ten boxes on their corners, whose sweeps alone would take tens of thousands. */
static void stack_of_ten_boxes(void **state)
{
    (void)state;
    static const double most[TEST_SOLVERS] = {2000, 50, 2000};
    for (int k = 0; k < TEST_SOLVERS; k++) {
        test_problem test;
        tn_impulse_outcome outcome;
        test_stack(&test, 10, 0.5);
        if (test_solve_loaded(test_solver[k], &test.problem, 1e-8, most[k], &outcome) != TN_OK)
            fail_msg("%s: error %g", test_solver[k], outcome.error);
        double bottom = 0.0;
        for (uint32_t i = 0; i < 4; i++)
            bottom += test.impulse[3 * i];
        assert_true(fabs(bottom / 1e-3 - 981.0) < 1e-3);
        test_problem_end(&test);
    }
}

/* Impulses depend on the problem alone: after another problem they are the same, bit by bit. */
static void earlier_problems_leave_no_trace(void **state)
{
    (void)state;
    for (int k = 0; k < TEST_SOLVERS; k++) {
        char why[LOADED_WHY];
        loaded_solver solver;
        test_problem other, test, again;
        tn_impulse_outcome outcome = {.struct_size = sizeof outcome};
        test_random_problem(&other, 30, true, 0.6, 4);
        test_random_problem(&test, 20, true, 0.6, 5);
        test_random_problem(&again, 20, true, 0.6, 5);
        (void)test_solve_loaded(test_solver[k], &again.problem, 1e-8, 1000, &outcome);
        assert_true(load_solver(&solver, NULL, TENON_PLUGINS, test_solver[k], why));
        (void)set_loaded_by_name(solver.instance, solver.type->parameters, "most_iterations", 1000);
        assert_int_equal(start_loaded(&solver), TN_OK);
        (void)solver.type->solve(solver.self, &other.problem, &outcome);
        (void)solver.type->solve(solver.self, &test.problem, &outcome);
        assert_memory_equal(test.impulse, again.impulse, test.problem.rows * sizeof(double));
        end_loaded(&solver);
        test_problem_end(&other);
        test_problem_end(&test);
        test_problem_end(&again);
    }
}

/* ---- invalid problems -------------------------------------------------------------------------------------------- */

/* Those above, and the one for joints alone. */
static const char *const any_solver[TEST_SOLVERS + 1] = {"gauss_seidel", "projected_newton", "admm",
                                                         "direct"};

static void expect_of_all(const test_problem *test, int solvers, tn_status expected, uint32_t worst)
{
    for (int k = 0; k < solvers; k++) {
        tn_impulse_outcome outcome;
        memset(test->impulse, 0, test->problem.rows * sizeof *test->impulse);
        const tn_status status = test_solve_loaded(any_solver[k], &test->problem, TOLERANCE, 1000, &outcome);
        if (status != expected) fail_msg("%s: %s", any_solver[k], tn_status_text(status));
        if (status != TN_OK) assert_int_equal(outcome.worst, worst);
        if (expected == TN_RETRY) assert_true(outcome.iterations == 0);
    }
}

/* The block with NaN is named, without any iteration. */
static void numbers_that_are_not_finite(void **state)
{
    (void)state;
    const double none[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        test_problem test;
        test_stack(&test, 2, 0.5);
        test.free_rate[5] = none[k];
        expect_of_all(&test, TEST_SOLVERS, TN_RETRY, 1);
        test.free_rate[5] = 0.0;
        test.value[test.row_start[20]] = none[k];
        expect_of_all(&test, TEST_SOLVERS, TN_RETRY, 6);
        test.value[test.row_start[20]] = 0.0;
        test.block[7].friction = none[k];
        expect_of_all(&test, TEST_SOLVERS, TN_RETRY, 7);
        test_problem_end(&test);
        test_chain(&test, 4, 0);
        test.free_rate[10] = none[k];
        expect_of_all(&test, TEST_SOLVERS + 1, TN_RETRY, 3);
        test_problem_end(&test);
    }
}

static void unknown_laws(void **state)
{
    (void)state;
    test_problem test;
    test_chain(&test, 4, 0);
    test.block[2].law = 7;
    expect_of_all(&test, TEST_SOLVERS + 1, TN_UNSUPPORTED, 2);
    test.block[2].law = TN_UNILATERAL_LAW; // of three rows
    expect_of_all(&test, TEST_SOLVERS + 1, TN_UNSUPPORTED, 2);
    test_problem_end(&test);
    test_stack(&test, 1, 0.5);
    tn_impulse_outcome outcome;
    assert_int_equal(test_solve_loaded("direct", &test.problem, TOLERANCE, 1, &outcome), TN_UNSUPPORTED);
    assert_int_equal(outcome.worst, 0);
    test_problem_end(&test);
}

static void problems_without_rows(void **state)
{
    (void)state;
    test_problem test;
    test_chain(&test, 3, 0);
    test.problem.rows = test.problem.blocks = 0;
    expect_of_all(&test, TEST_SOLVERS + 1, TN_OK, 0);
    test.problem.nv = test.problem.bodies = test.matrix.size = 0;
    expect_of_all(&test, TEST_SOLVERS + 1, TN_OK, 0);
    test_problem_end(&test);
}

/* Rows without entries: their rates are constant; a violated one is not solved, an open one needs no impulse. */
static void rows_without_entries(void **state)
{
    (void)state;
    test_problem test;
    tn_impulse_outcome outcome;
    test_stack(&test, 1, 0.5);
    test.problem.blocks = 1;
    test.problem.rows = 3;
    for (int k = 0; k < 4; k++)
        test.row_start[k] = 0;
    test.free_rate[0] = 0.1;
    test.free_rate[1] = test.free_rate[2] = 0.0;
    expect_of_all(&test, TEST_SOLVERS, TN_OK, 0);
    test.free_rate[0] = -0.1;
    for (int k = 0; k < TEST_SOLVERS; k++) {
        assert_int_equal(test_solve_loaded(test_solver[k], &test.problem, TOLERANCE, 100, &outcome),
                         TN_RETRY);
        assert_true(isfinite(test.impulse[0]));
    }
    test_problem_end(&test);
}

static void bodies_without_mass(void **state)
{
    (void)state;
    test_problem test;
    tn_impulse_outcome outcome;
    test_stack(&test, 2, 0.5);
    for (int32_t e = 0; e < test.column_start[6]; e++)
        test.mass[e] = 0.0;
    for (int k = 0; k < TEST_SOLVERS; k++)
        assert_int_equal(test_solve_loaded(test_solver[k], &test.problem, TOLERANCE, 100, &outcome),
                         TN_RETRY);
    test_problem_end(&test);
}

/* Closed contacts stick. The shift of admm, friction times slip, is so large that fewer digits remain. */
static void very_large_friction(void **state)
{
    (void)state;
    static const double friction[TEST_SOLVERS] = {1e6, 1e6, 100.0};
    for (int k = 0; k < TEST_SOLVERS; k++) {
        test_problem test;
        tn_impulse_outcome outcome;
        double rate[12];
        test_stack(&test, 1, friction[k]);
        for (uint32_t i = 0; i < 4; i++)
            test.free_rate[3 * i + 1] = 1e-3;
        const tn_status status = test_solve_loaded(test_solver[k], &test.problem, TOLERANCE, 5000, &outcome);
        if (status != TN_OK) fail_msg("%s: error %g", test_solver[k], outcome.error);
        find_rates(&test.problem, rate);
        assert_true(largest_of(rate, 12) <= 1e-8);
        test_problem_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_problems),
                                       cmocka_unit_test(hyperstatic_problems),
                                       cmocka_unit_test(painleve_problems),
                                       cmocka_unit_test(arches),
                                       cmocka_unit_test(stack_of_ten_boxes),
                                       cmocka_unit_test(earlier_problems_leave_no_trace),
                                       cmocka_unit_test(numbers_that_are_not_finite),
                                       cmocka_unit_test(unknown_laws),
                                       cmocka_unit_test(problems_without_rows),
                                       cmocka_unit_test(rows_without_entries),
                                       cmocka_unit_test(bodies_without_mass),
                                       cmocka_unit_test(very_large_friction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

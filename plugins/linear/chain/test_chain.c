/* test_chain.c - chain against dense on matrices of mechanisms and on others, what it hands over, and its state. */
#include "chain.c"

#include "../../solvers/test_host.h"
#include "../test_complex.h"
#include "../test_lattice.h"
#include "test_mechanism.h"

#define tn_plugin_library dense_plugin_library
#define tn_library_types dense_library_types
#define tn_library_data dense_library_data
#include "../dense/dense.c"
#undef tn_plugin_library
#undef tn_library_types
#undef tn_library_data

/* ---- checks ---- */

/* Of solutions in b, of a right-hand side that x solves. */
static void product(const tn_matrix *matrix, const double *x, double *b)
{
    memset(b, 0, matrix->size * sizeof *b);
    for (uint32_t c = 0; c < matrix->size; c++)
        for (int32_t k = matrix->column_start[c]; k < matrix->column_start[c + 1]; k++)
            b[matrix->row[k]] += matrix->value[k] * x[c];
}

static double largest_of(const double *x, const double *y, uint32_t n)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i] - (y ? y[i] : 0.0)));
    return largest;
}

/* Against the solution that is known. */
static void check_solution(void *self, const tn_matrix *matrix, double tolerance)
{
    double x[TEST_MATRIX_SIZE], b[TEST_MATRIX_SIZE];
    for (uint32_t i = 0; i < matrix->size; i++)
        x[i] = cos((double)i);
    product(matrix, x, b);
    assert_int_equal(chain_type.factor(self, matrix), TN_OK);
    assert_int_equal(chain_type.solve(self, b), TN_OK);
    const double error = largest_of(x, b, matrix->size);
    if (!(error <= tolerance)) fail_msg("the solution is %.3g off", error);
}

static void check_mechanism(const mechanism *m)
{
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    void *self = NULL;
    fill_mechanism(&sparse, m, 1);
    assert_int_equal(chain_type.create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
    for (uint32_t seed = 1; seed <= 100; seed++) {
        fill_mechanism(&sparse, m, seed);
        check_solution(self, &sparse.matrix, 1e-7);
    }
    assert_false(((chain_solver *)self)->fallback.is.made); /* all by its own means */
    chain_type.destroy(self);
    test_host_end(&host);
}

static void test_chains_trees_and_loops_are_solved_without_help(void **state)
{
    (void)state;
    check_mechanism(&chain_of_bodies);
    check_mechanism(&tree_of_bodies);
    check_mechanism(&loops_of_bodies);
}

/* The last joint says the same as the one before. */
static void test_redundant_constraints_leave_no_residual(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    mechanism m = loops_of_bodies;
    m.joints = 14;
    m.inner[13] = 10;
    m.outer[13] = 9;
    m.compliance = 1e-10;
    void *self = NULL;
    fill_mechanism(&sparse, &m, 5);
    const uint32_t n = sparse.matrix.size;
    assert_int_equal(chain_type.create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
    for (uint32_t seed = 1; seed <= 20; seed++) {
        fill_mechanism(&sparse, &m, seed);
        for (int32_t k = sparse.start[n - 2]; k < sparse.start[n]; k++) /* two more columns */
            if (sparse.row[k] < 3 * BODIES)
                sparse.value[k] = sparse.value[k - (sparse.start[n] - sparse.start[n - 2])];
        for (uint32_t c = 3 * 9; c < 3 * 10; c++) /* and rows */
            for (int32_t k = sparse.start[c]; k < sparse.start[c + 1]; k++)
                if (sparse.row[k] >= (int32_t)n - 2) sparse.value[k] = sparse.value[k - 2];
        double x[TEST_MATRIX_SIZE], b[TEST_MATRIX_SIZE], found[TEST_MATRIX_SIZE], again[TEST_MATRIX_SIZE];
        for (uint32_t i = 0; i < n; i++)
            x[i] = sin((double)i);
        product(&sparse.matrix, x, b);
        memcpy(found, b, sizeof found);
        assert_int_equal(chain_type.factor(self, &sparse.matrix), TN_OK);
        assert_int_equal(chain_type.solve(self, found), TN_OK);
        product(&sparse.matrix, found, again);
        assert_true(largest_of(b, again, n) <=
                    1e-10 * fmax(largest_of(b, NULL, n), largest_of(found, NULL, n)));
        assert_true(largest_of(x, found, 3 * BODIES) <= 1e-7); /* motion does not depend on it */
    }
    chain_type.destroy(self);
    test_host_end(&host);
}

/* Nothing symmetric, and pivots anywhere. */
static void test_any_other_matrix_agrees_with_dense(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    test_sparse_pattern(&sparse, SIZE, 4);
    void *self = NULL, *dense = NULL;
    assert_int_equal(chain_type.create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
    assert_int_equal(dense_type.create(&host.table, NULL, &sparse.matrix, &dense), TN_OK);
    for (uint32_t seed = 1; seed <= 50; seed++) {
        double a[TEST_MATRIX_SIZE], b[TEST_MATRIX_SIZE];
        uint32_t seed_of_b = seed + 1000;
        test_sparse_values(&sparse, seed);
        for (uint32_t i = 0; i < SIZE; i++)
            a[i] = b[i] = test_random(&seed_of_b);
        assert_int_equal(chain_type.factor(self, &sparse.matrix), TN_OK);
        assert_int_equal(dense_type.factor(dense, &sparse.matrix), TN_OK);
        assert_int_equal(chain_type.solve(self, a), TN_OK);
        assert_int_equal(dense_type.solve(dense, b), TN_OK);
        assert_true(largest_of(a, b, SIZE) <= 1e-7 * largest_of(b, NULL, SIZE));
    }
    chain_type.destroy(self);
    dense_type.destroy(dense);
    test_host_end(&host);
}

/* A diagonal of zeros has no pivots: KLU takes over, with one note, and gives back when the pivots are there again. */
static void test_klu_takes_over_where_pivots_fail_and_gives_back(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    void *self = NULL;
    fill_path(&sparse, 4.0, 3.0, 1.0);
    assert_int_equal(chain_type.create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
    chain_solver *solver = self;
    check_solution(self, &sparse.matrix, 1e-14);
    assert_false(solver->fallback.is.active);
    assert_string_equal(host.message, "");
    fill_path(&sparse, 0.0, 0.0, 1.0);
    check_solution(self, &sparse.matrix, 1e-13);
    assert_true(solver->fallback.is.active);
    assert_non_null(strstr(host.message, "KLU"));
    host.message[0] = '\0';
    check_solution(self, &sparse.matrix, 1e-13);
    assert_string_equal(host.message, "");
    fill_path(&sparse, 4.0, 3.0, 1.0);
    for (int k = 0; k < 10; k++)
        check_solution(self, &sparse.matrix, 1e-14);
    assert_false(solver->fallback.is.active);
    const char *to = "";
    const uint64_t fallbacks = chain_fallback.fallbacks(self, &to);
    assert_true(fallbacks >= 2 && fallbacks < 10);
    assert_string_equal(to, "KLU");
    chain_type.destroy(self);
    test_host_end(&host);
}

/* Pivots that move away are tried, and a better order is found. Where that goes on and on it does not pay. */
static void test_an_order_that_is_worn_is_renewed_but_not_each_time(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    void *self = NULL;
    fill_path(&sparse, 1.0, 1e-14, 1.0);
    assert_int_equal(chain_type.create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
    chain_solver *solver = self;
    check_solution(self, &sparse.matrix, 1e-10);
    assert_int_equal(solver->is.credit, MOST_CREDIT);
    for (uint32_t c = 0; c < SIZE; c++)
        for (int32_t k = sparse.start[c]; k < sparse.start[c + 1]; k++)
            if (sparse.row[k] == (int32_t)c) sparse.value[k] = c % 4 < 2 ? 1e-14 : 1.0;
    for (int k = 0; k < 50; k++) {
        check_solution(self, &sparse.matrix, 1e-10);
        if (k % 2) fill_path(&sparse, 1.0, 1e-14, 1.0);
        if (k % 2 == 0) fill_path(&sparse, 1e-14, 1.0, 1.0);
    }
    assert_true(solver->is.credit < MOST_CREDIT);
    chain_type.destroy(self);
    test_host_end(&host);
}

/* A leaf whose pivot adds five times as much to a diagonal as that has been waits where less is accepted. */
static void test_growth_decides_what_waits(void **state)
{
    (void)state;
    const int32_t start[] = {0, 2, 5, 7}, row[] = {0, 1, 0, 1, 2, 1, 2};
    double value[] = {1.0, 2.2, 2.2, 1.0, 0.1, 0.1, 1.0};
    const tn_matrix matrix = {sizeof matrix, 3, start, row, value};
    chain_order order;
    bool latest_first = false;
    assert_int_equal(chain_order_make(&order, &matrix, (chain_growth){10.0, 1e8}, &latest_first),
                     CHAIN_ORDERED);
    assert_int_equal(order.order[0], 0);
    chain_order_free(&order);
    assert_int_equal(chain_order_make(&order, &matrix, (chain_growth){1.5, 150.0}, &latest_first),
                     CHAIN_ORDERED);
    assert_int_equal(order.order[0], 2);
    chain_order_free(&order);
}

static void test_singular_matrix_asks_for_a_retry(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double value[4] = {1.0, 2.0, 2.0, 4.0};
    const tn_matrix matrix = {sizeof matrix, 2, start, row, value};
    void *self = NULL;
    assert_int_equal(chain_type.create(&host.table, NULL, &matrix, &self), TN_OK);
    for (int k = 0; k < 3; k++) {
        double b[2] = {1.0, 2.0};
        value[3] = 4.0;
        assert_int_equal(chain_type.factor(self, &matrix), TN_RETRY);
        assert_int_equal(chain_type.solve(self, b), TN_FATAL);
        value[3] = 5.0;
        assert_int_equal(chain_type.factor(self, &matrix), TN_OK);
        assert_int_equal(chain_type.solve(self, b), TN_OK);
        assert_true(fabs(b[0] - 1.0) < 1e-14 && fabs(b[1]) < 1e-14);
    }
    assert_string_equal(host.message, "");
    chain_type.destroy(self);
    test_host_end(&host);
}

/* An arrow of zeros fills up entry by entry, and empties again: every matrix is solved as if it were the first one. */
static void test_entries_that_were_zero_join_the_pattern(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    test_sparse_pattern(&sparse, SIZE, SIZE);
    void *self = NULL;
    assert_int_equal(chain_type.create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
    for (uint32_t step = 0; step < 2 * SIZE; step++) {
        const uint32_t filled = step < SIZE ? step : 2 * SIZE - step;
        test_fill_arrow(&sparse, SIZE, filled);
        check_solution(self, &sparse.matrix, 1e-12);
    }
    chain_type.destroy(self);
    test_host_end(&host);
}

static void test_empty_matrix_and_one_number_are_fine(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    const int32_t start[] = {0, 1}, row[] = {0};
    double value[] = {4.0}, b[] = {2.0};
    tn_matrix matrix = {sizeof matrix, 0, start, row, value};
    void *self = NULL;
    assert_int_equal(chain_type.create(&host.table, NULL, &matrix, &self), TN_OK);
    assert_int_equal(chain_type.factor(self, &matrix), TN_OK);
    assert_int_equal(chain_type.solve(self, b), TN_OK);
    chain_type.destroy(self);
    chain_type.destroy(NULL);
    matrix.size = 1;
    assert_int_equal(chain_type.create(&host.table, NULL, &matrix, &self), TN_OK);
    assert_int_equal(chain_type.solve(self, b), TN_FATAL); /* nothing was factorised */
    assert_int_equal(chain_type.factor(self, &matrix), TN_OK);
    assert_int_equal(chain_type.solve(self, b), TN_OK);
    assert_true(b[0] == 0.5);
    value[0] = 0.0;
    assert_int_equal(chain_type.factor(self, &matrix), TN_RETRY);
    chain_type.destroy(self);
    test_host_end(&host);
}

static void test_full_matrix_goes_to_klu_for_good(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    enum { N = 250 };
    int32_t *start = calloc(N + 1, sizeof *start), *row = calloc(N * N, sizeof *row);
    double *value = calloc(N * N, sizeof *value), x[N];
    uint32_t seed = 3;
    assert_true(start && row && value);
    for (int32_t c = 0; c < N; c++) {
        x[c] = 0.0;
        for (int32_t r = 0; r < N; r++) {
            row[c * N + r] = r;
            value[c * N + r] = test_random(&seed) + (r == c) * N;
        }
        start[c + 1] = (c + 1) * N;
    }
    for (int32_t k = 0; k < N * N; k++)
        x[row[k]] += value[k];
    const tn_matrix matrix = {sizeof matrix, N, start, row, value};
    void *self = NULL;
    assert_int_equal(chain_type.create(&host.table, NULL, &matrix, &self), TN_OK);
    assert_int_equal(chain_type.factor(self, &matrix), TN_OK);
    assert_int_equal(((chain_solver *)self)->fallback.is.stay, UINT32_MAX);
    assert_string_equal(host.message, "");
    assert_int_equal(chain_type.solve(self, x), TN_OK);
    for (int32_t k = 0; k < N; k++)
        assert_true(fabs(x[k] - 1.0) < 1e-10);
    chain_type.destroy(self);
    free(start);
    free(row);
    free(value);
    test_host_end(&host);
}

static void fill_tree(test_sparse *sparse, uint32_t seed) { fill_mechanism(sparse, &tree_of_bodies, seed); }

static void test_complex_matrices_are_solved_beside_real_ones(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_complex_beside_real(&host.table, &chain_type, &dense_type, 10, fill_tree);
    test_complex_singular(&host.table, &chain_type);
    test_host_end(&host);
}

static void test_costs_hold_for_the_first_matrix(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    void *self = NULL;
    tn_linear_cost cost;
    double entries, operations;
    fill_mechanism(&sparse, &chain_of_bodies, 1);
    assert_int_equal(chain_type.create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
    assert_int_equal(estimate_chain(self, &entries, &operations), TN_RETRY);
    assert_int_equal(cost_of_chain(self, &sparse.matrix, &cost), TN_OK);
    assert_int_equal(estimate_chain(self, &entries, &operations), TN_RETRY); /* nothing is left of it */
    assert_int_equal(chain_type.factor(self, &sparse.matrix), TN_OK);
    assert_int_equal(estimate_chain(self, &entries, &operations), TN_OK);
    assert_true(entries >= sparse.start[sparse.matrix.size]);
    assert_true(fabs(entries - cost.entries) < 0.35 * entries);
    assert_true(fabs(operations - cost.operations) < 0.5 * operations);
    assert_true(cost.factorisation > cost.solution && cost.solution > 0.0 && cost.factorisation < 1e-3);
    assert_true(cost.memory > 8.0 * entries);
    chain_type.destroy(self);
    test_host_end(&host);
}

/* A row of bodies is not. */
static void test_lattices_are_left_to_others(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    for (int32_t width = 1; width <= 5; width += 4) {
        test_lattice lattice;
        test_lattice_make(&lattice, width, 5, 0.0);
        void *self = NULL;
        tn_linear_cost cost;
        double entries, operations;
        assert_int_equal(chain_type.create(&host.table, NULL, &lattice.matrix, &self), TN_OK);
        assert_int_equal(cost_of_chain(self, &lattice.matrix, &cost), TN_OK);
        assert_true((cost.factorisation < HUGE_VAL) == (width == 1));
        assert_true((cost.solution < HUGE_VAL) == (width == 1));
        assert_int_equal(chain_type.factor(self, &lattice.matrix), TN_OK);
        assert_int_equal(estimate_chain(self, &entries, &operations), TN_OK);
        assert_true(fabs(entries - cost.entries) < 0.35 * cost.entries);
        assert_true(fabs(operations - cost.operations) < 0.5 * cost.operations);
        chain_type.destroy(self);
        test_lattice_free(&lattice);
    }
    test_host_end(&host);
}

static void test_descriptor_names_the_licence_of_the_library(void **state)
{
    (void)state;
    const tn_library *library = tn_plugin_library();
    assert_string_equal(library->types[0].kind, TN_LINEAR_KIND);
    assert_non_null(strstr(library->summary, "LGPL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains_trees_and_loops_are_solved_without_help),
        cmocka_unit_test(test_redundant_constraints_leave_no_residual),
        cmocka_unit_test(test_any_other_matrix_agrees_with_dense),
        cmocka_unit_test(test_klu_takes_over_where_pivots_fail_and_gives_back),
        cmocka_unit_test(test_an_order_that_is_worn_is_renewed_but_not_each_time),
        cmocka_unit_test(test_growth_decides_what_waits),
        cmocka_unit_test(test_singular_matrix_asks_for_a_retry),
        cmocka_unit_test(test_entries_that_were_zero_join_the_pattern),
        cmocka_unit_test(test_empty_matrix_and_one_number_are_fine),
        cmocka_unit_test(test_full_matrix_goes_to_klu_for_good),
        cmocka_unit_test(test_complex_matrices_are_solved_beside_real_ones),
        cmocka_unit_test(test_costs_hold_for_the_first_matrix),
        cmocka_unit_test(test_lattices_are_left_to_others),
        cmocka_unit_test(test_descriptor_names_the_licence_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

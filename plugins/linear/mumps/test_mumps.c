/* test_mumps.c - mumps with the matrices of ../test_linear.h, and its own sides; what every linear solver has to do is in tests/linear. */
#include "mumps.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const tn_linear_type *const tested = &mumps_type;
static const tn_cost_capability *const test_cost = &mumps_cost;
static const tn_estimate_capability *const test_estimate = &mumps_estimate;

#include "../test_linear.h"

/* The library has no room for its factors at first: it gets more. */
static void test_more_memory_is_given_when_it_is_wanted(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_lattice lattice;
    void *self = NULL;
    tn_linear_cost cost;
    test_lattice_make(&lattice, 5, 5, 0.1);
    assert_int_equal(tested->create(&host.table, NULL, &lattice.matrix, &self), TN_OK);
    assert_int_equal(cost_of_mumps(self, &lattice.matrix, &cost), TN_OK);
    mumps_solver *solver = self;
    solver->library.of.ICNTL(14) = -60; /* % more than is expected */
    test_solves(tested, self, &lattice.matrix, 1);
    assert_true(solver->library.of.ICNTL(14) > 0);
    tested->destroy(self);
    test_lattice_free(&lattice);
    test_host_end(&host);
}

/* Springs in a row, of a stiffness of 1, under a load that takes stiffness off: eigenvalues are 2 - 2 cos(k pi / (SIZE + 1)) - load. */
static void make_column(test_sparse *m, double load)
{
    int32_t count = 0;
    for (uint32_t j = 0; j < SIZE; j++) {
        m->start[j] = count;
        for (uint32_t i = j > 0 ? j - 1 : 0; i <= j + 1 && i < SIZE; i++) {
            m->row[count] = (int32_t)i;
            m->value[count++] = i == j ? 2.0 - load : -1.0;
        }
    }
    m->start[SIZE] = count;
    m->matrix = (tn_matrix){sizeof(tn_matrix), SIZE, m->start, m->row, m->value};
}

static void check_inertia(void *self, uint32_t positive, uint32_t negative)
{
    uint32_t found[3] = {0};
    assert_int_equal(inertia_mumps(self, &found[0], &found[1], &found[2]), TN_OK);
    assert_int_equal(found[0], positive);
    assert_int_equal(found[1], negative);
    assert_int_equal(found[2], 0);
}

static void test_a_negative_eigenvalue_more_behind_each_critical_load(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    static test_sparse m;
    void *self = NULL;
    make_column(&m, 0.0);
    assert_int_equal(tested->create(&host.table, NULL, &m.matrix, &self), TN_OK);
    for (uint32_t critical = 0; critical < 5; critical++) {
        make_column(&m, 2.0 - 2.0 * cos((critical + 0.5) * acos(-1.0) / (SIZE + 1)));
        test_solves(tested, self, &m.matrix, critical);
        check_inertia(self, SIZE - critical, critical);
    }
    tested->destroy(self);
    test_host_end(&host);
}

static void test_each_constraint_has_a_negative_eigenvalue(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    static test_sparse m;
    uint32_t found[3];
    void *self = NULL;
    test_saddle(&m, true, 0.0, 0.0);
    assert_int_equal(tested->create(&host.table, NULL, &m.matrix, &self), TN_OK);
    assert_int_equal(inertia_mumps(self, &found[0], &found[1], &found[2]),
                     TN_FATAL); /* nothing was factorised */
    test_solves(tested, self, &m.matrix, 1);
    check_inertia(self, SIZE - SIZE / 3, SIZE / 3);
    test_saddle(&m, true, 0.0, 0.1);
    test_solves(tested, self, &m.matrix, 1);
    assert_int_equal(inertia_mumps(self, &found[0], &found[1], &found[2]),
                     TN_UNSUPPORTED); /* it is not symmetric */
    tested->destroy(self);
    test_host_end(&host);
}

/* Half of a matrix is factorised while all have been symmetric. */
static void test_symmetric_matrices_have_half_the_factors(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    double entries[2];
    for (int k = 0; k < 2; k++) {
        test_lattice lattice;
        double operations = 0.0;
        void *self = NULL;
        test_lattice_make(&lattice, 5, 5, k ? 1e-15 : 0.0);
        assert_int_equal(tested->create(&host.table, NULL, &lattice.matrix, &self), TN_OK);
        assert_int_equal(estimate_mumps(self, &entries[k], &operations), TN_RETRY);
        test_solves(tested, self, &lattice.matrix, 1);
        assert_int_equal(estimate_mumps(self, &entries[k], &operations), TN_OK);
        tested->destroy(self);
        test_lattice_free(&lattice);
    }
    assert_true(entries[0] < 0.6 * entries[1]);
    test_host_end(&host);
}

/* ---- random numbers ---------------------------------------------------------------------------------------------- */

typedef struct ordering {
    const tn_matrix *matrix;
    int32_t *order;
    tn_status status;
} ordering;

static void *find_one(void *memory)
{
    ordering *one = memory;
    one->status = dissection_order(one->matrix, one->order);
    return NULL;
}

/* Separators are sought by random numbers, but by their own. */
static void test_orders_are_the_same_on_threads_and_draw_nobody_elses_random_numbers(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    test_lattice lattice;
    test_lattice_make(&lattice, 12, 3, 0.0);
    pthread_t thread[THREADS];
    ordering one[THREADS];
    srand(5);
    const int first = rand(), second = rand();
    srand(5);
    assert_int_equal(rand(), first);
    for (int k = 0; k < THREADS; k++) {
        one[k] = (ordering){.matrix = &lattice.matrix, .order = calloc(lattice.matrix.size, sizeof(int32_t))};
        assert_non_null(one[k].order);
        assert_int_equal(pthread_create(&thread[k], NULL, find_one, &one[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(pthread_join(thread[k], NULL), 0);
        assert_int_equal(one[k].status, TN_OK);
        assert_memory_equal(one[k].order, one[0].order, lattice.matrix.size * sizeof(int32_t));
    }
    assert_int_equal(rand(), second);
    for (int k = 0; k < THREADS; k++)
        free(one[k].order);
    test_lattice_free(&lattice);
}

static void test_an_order_has_each_unknown_once_and_bodies_together(void **state)
{
    (void)state;
    test_lattice lattice;
    test_lattice_make(&lattice, 6, 6, 0.0);
    const uint32_t size = lattice.matrix.size;
    int32_t *order = calloc(size, sizeof *order);
    bool *seen = calloc(size, sizeof *seen);
    assert_true(order && seen);
    assert_int_equal(dissection_order(&lattice.matrix, order), TN_OK);
    for (uint32_t k = 0; k < size; k++) {
        assert_true(order[k] >= 0 && (uint32_t)order[k] < size && !seen[order[k]]);
        seen[order[k]] = true;
        if (k % 6 > 0) assert_int_equal(order[k], order[k - 1] + 1);
    }
    free(order);
    free(seen);
    test_lattice_free(&lattice);
}

static void test_descriptor_names_the_licence_of_the_library(void **state)
{
    (void)state;
    const tn_library *library = tn_plugin_library();
    assert_string_equal(library->types[0].kind, TN_LINEAR_KIND);
    assert_non_null(strstr(library->summary, "CeCILL-C"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_LINEAR,
        cmocka_unit_test(test_more_memory_is_given_when_it_is_wanted),
        cmocka_unit_test(test_symmetric_matrices_have_half_the_factors),
        cmocka_unit_test(test_a_negative_eigenvalue_more_behind_each_critical_load),
        cmocka_unit_test(test_each_constraint_has_a_negative_eigenvalue),
        cmocka_unit_test(test_orders_are_the_same_on_threads_and_draw_nobody_elses_random_numbers),
        cmocka_unit_test(test_an_order_has_each_unknown_once_and_bodies_together),
        cmocka_unit_test(test_descriptor_names_the_licence_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

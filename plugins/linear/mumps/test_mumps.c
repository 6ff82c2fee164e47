/* test_mumps.c - mumps against dense, by the tests of all sparse linear solvers, and its own sides. */
#include "mumps.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const tn_linear_type *const tested = &mumps_type;
static const tn_cost_capability *const test_cost = &mumps_cost;
static const tn_estimate_capability *const test_estimate = &mumps_estimate;

#include "../test_linear.h"

/* Too little memory for the factors is asked for first: the library gets more. */
static void test_more_memory_is_given_when_it_is_wanted(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    test_saddle(&sparse, false, 0.0, 0.1);
    void *self = NULL;
    tn_linear_cost cost;
    assert_int_equal(tested->create(&host.table, NULL, &sparse.matrix, &self), TN_OK);
    assert_int_equal(cost_of_mumps(self, &sparse.matrix, &cost), TN_OK);
    mumps_solver *solver = self;
    solver->library.of.ICNTL(14) = 1;
    /* columns wait where the diagonal is small: what the analysis expects is too little */
    for (uint32_t j = 0; j < SIZE; j++)
        for (int32_t e = sparse.start[j]; e < sparse.start[j + 1]; e++)
            if (sparse.row[e] == (int32_t)j) sparse.value[e] *= 1e-12;
    test_solves(tested, self, &sparse.matrix, 1);
    assert_true(solver->library.of.ICNTL(14) > 1);
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
        cmocka_unit_test(test_descriptor_names_the_licence_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

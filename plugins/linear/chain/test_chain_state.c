/* test_chain_state.c - a solver that takes over the state of another one goes on as it does. */
#include "chain.c"

#include "../../solvers/test_host.h"
#include "test_copier.h"
#include "test_mechanism.h"

/* A matrix of a mechanism; for NULL of a path, which has no pivots at times. */
static void fill_step(test_sparse *sparse, const mechanism *m, uint32_t step)
{
    if (m)
        fill_mechanism(sparse, m, step);
    else
        fill_path(sparse, step % 7 < 4 ? 4.0 : 0.0, step % 7 < 4 ? 3.0 + 0.1 * step : 0.0, 1.0);
}

/* One solver hands over to another one, which goes on as it does, to the last bit. */
static void check_state(const mechanism *m)
{
    static copier copy;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    void *first = NULL, *second = NULL;
    fill_step(&sparse, m, 1);
    const uint32_t n = sparse.matrix.size;
    assert_int_equal(chain_type.create(&host.table, NULL, &sparse.matrix, &first), TN_OK);
    assert_int_equal(chain_type.create(&host.table, NULL, &sparse.matrix, &second), TN_OK);
    for (uint32_t step = 0; step < 40; step++) {
        double a[TEST_MATRIX_SIZE], b[TEST_MATRIX_SIZE];
        fill_step(&sparse, m, 1 + step / 3);
        assert_int_equal(chain_type.factor(first, &sparse.matrix), TN_OK);
        copy_state(&copy, first, second, &sparse.matrix);
        for (uint32_t i = 0; i < n; i++)
            a[i] = b[i] = cos((double)i);
        for (uint32_t again = 0; again < 2; again++) { /* at once, and behind the next factorisation */
            assert_int_equal(chain_type.solve(first, a), TN_OK);
            assert_int_equal(chain_type.solve(second, b), TN_OK);
            assert_memory_equal(a, b, n * sizeof *a);
            fill_step(&sparse, m, 1000 + step);
            assert_int_equal(chain_type.factor(first, &sparse.matrix), TN_OK);
            assert_int_equal(chain_type.factor(second, &sparse.matrix), TN_OK);
        }
    }
    assert_int_equal(((chain_solver *)first)->fallback.is.made, m == NULL);
    chain_type.destroy(first);
    chain_type.destroy(second);
    test_host_end(&host);
}

static void test_state_goes_on_bit_by_bit(void **state)
{
    (void)state;
    check_state(&loops_of_bodies);
    check_state(&chain_of_bodies);
    check_state(NULL);
}

/* The factors of three unknowns in one node have places for all entries: an order that was chosen without one of them stays. */
static void test_entries_with_a_place_leave_the_order_as_it_is(void **state)
{
    (void)state;
    static copier copy;
    test_host host;
    test_host_begin(&host);
    double value[16] = {4.0, 1.0, 0.0, 1.0, 1.0, 5.0, 1.0, 0.0, 0.0, 1.0, 6.0, 1.0, 1.0, 0.0, 1.0, 7.0};
    double a[4] = {6.0, 8.0, 8.0, 10.0}, b[4] = {6.0, 8.0, 8.0, 10.0}; /* x = (1, 1, 1, 1) at last */
    const int32_t start[] = {0, 4, 8, 12, 16}, row[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    const tn_matrix matrix = {sizeof matrix, 4, start, row, value};
    void *first = NULL, *second = NULL;
    assert_int_equal(chain_type.create(&host.table, NULL, &matrix, &first), TN_OK);
    assert_int_equal(chain_type.create(&host.table, NULL, &matrix, &second), TN_OK);
    assert_int_equal(chain_type.factor(first, &matrix), TN_OK);
    value[7] = value[13] = 1.0; /* a ring: without unknown 0 its neighbours 1 and 3 have an entry */
    assert_int_equal(chain_type.factor(first, &matrix), TN_OK);
    const chain_solver *solver = first;
    assert_true(solver->is.ordered && solver->pattern.used[0] >> 7 & 1 && !(solver->order_used[0] >> 7 & 1));
    copy_state(&copy, first, second, &matrix);
    assert_int_equal(chain_type.solve(first, a), TN_OK);
    assert_int_equal(chain_type.solve(second, b), TN_OK);
    assert_memory_equal(a, b, sizeof a);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(a[k] - 1.0) < 1e-15 * 10.0);
    chain_type.destroy(first);
    chain_type.destroy(second);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_goes_on_bit_by_bit),
        cmocka_unit_test(test_entries_with_a_place_leave_the_order_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_klu.c - klu against dense on random sparse matrices, and what both say about singular ones. */
#include "klu.c"

static const tn_linear_type *const tested = &klu_type;
static const tn_cost_capability *const test_cost = &klu_cost;
static const tn_estimate_capability *const test_estimate = &klu_estimate;

#include "../test_complex.h"
#include "../test_linear.h"

#define tn_plugin_library dense_plugin_library
#define tn_library_types dense_library_types
#define tn_library_data dense_library_data
#include "../dense/dense.c"
#undef tn_plugin_library
#undef tn_library_types
#undef tn_library_data

static void test_klu_agrees_with_dense(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_sparse sparse;
    test_sparse_pattern(&sparse, SIZE, 4);
    void *klu = NULL, *dense = NULL;
    assert_int_equal(klu_type.create(&host.table, NULL, &sparse.matrix, &klu), TN_OK);
    assert_int_equal(dense_type.create(&host.table, NULL, &sparse.matrix, &dense), TN_OK);

    // many values over one pattern: most of them are refactorisations
    for (uint32_t seed = 1; seed <= 50; seed++) {
        double a[TEST_MATRIX_SIZE], b[TEST_MATRIX_SIZE], difference = 0.0, size = 0.0;
        uint32_t seed_of_b = seed + 1000;
        test_sparse_values(&sparse, seed);
        for (uint32_t i = 0; i < SIZE; i++)
            a[i] = b[i] = test_random(&seed_of_b);
        assert_int_equal(klu_type.factor(klu, &sparse.matrix), TN_OK);
        assert_int_equal(dense_type.factor(dense, &sparse.matrix), TN_OK);
        assert_int_equal(klu_type.solve(klu, a), TN_OK);
        assert_int_equal(dense_type.solve(dense, b), TN_OK);
        for (uint32_t i = 0; i < SIZE; i++) {
            difference = fmax(difference, fabs(a[i] - b[i]));
            size = fmax(size, fabs(b[i]));
        }
        assert_true(difference <= 1e-9 * size);
    }
    klu_type.destroy(klu);
    dense_type.destroy(dense);
    test_host_end(&host);
}

static void fill_random(test_sparse *sparse, uint32_t seed)
{
    test_sparse_pattern(sparse, SIZE, 4);
    test_sparse_values(sparse, seed);
}

static void test_complex_matrices_are_solved_beside_real_ones(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_complex_beside_real(&host.table, &klu_type, &dense_type, 20, fill_random);
    test_complex_singular(&host.table, &klu_type);
    test_complex_singular(&host.table, &dense_type);
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
    void *klu = NULL;
    assert_int_equal(klu_type.create(&host.table, NULL, &sparse.matrix, &klu), TN_OK);
    for (uint32_t step = 0; step < 2 * SIZE; step++) {
        double b[TEST_MATRIX_SIZE], expected[TEST_MATRIX_SIZE];
        const uint32_t filled = step < SIZE ? step : 2 * SIZE - step;
        test_fill_arrow(&sparse, SIZE, filled);
        for (uint32_t i = 0; i < SIZE; i++) {
            b[i] = 1.0;
            expected[i] = 0.5;
        }
        const uint32_t arrow = filled < SIZE - 1 ? filled : SIZE - 1;
        expected[SIZE - 1] = 0.5 * (1.0 - 0.5 * arrow);
        assert_int_equal(klu_type.factor(klu, &sparse.matrix), TN_OK);
        assert_int_equal(klu_type.solve(klu, b), TN_OK);
        for (uint32_t i = 0; i < SIZE; i++)
            assert_true(fabs(b[i] - expected[i]) < 1e-13);
    }
    const sparse_lu *solver = klu;
    assert_int_equal(solver->pattern.start[SIZE], sparse.start[SIZE]); // after many growths: as announced
    klu_type.destroy(klu);
    test_host_end(&host);
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */

typedef struct copier {
    tn_state_visitor visitor;
    char *byte; /* [room] */
    size_t used, room;
} copier;

static void copy_bytes(tn_state_visitor *visitor, void *data, size_t size)
{
    copier *c = (copier *)(void *)visitor;
    assert_true(c->used + size <= c->room);
    if (visitor->restores)
        memcpy(data, c->byte + c->used, size);
    else
        memcpy(c->byte + c->used, data, size);
    c->used += size;
}

/* Large factors that fill get panels, which follow new values under old pivots; a solver that takes over the state has the same ones. */
static void test_panels_follow_the_values_and_the_state(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_lattice lattice;
    test_lattice_make(&lattice, 20, 1, 0.1);
    const tn_matrix *matrix = &lattice.matrix;
    const size_t bytes = matrix->size * sizeof(double);
    copier copy = {.visitor = {sizeof(tn_state_visitor), 0, copy_bytes}, .room = 1u << 24};
    double *x = malloc(bytes), *y = malloc(bytes);
    copy.byte = malloc(copy.room);
    assert_true(x && y && copy.byte);
    void *first = NULL, *second = NULL;
    assert_int_equal(klu_type.create(&host.table, NULL, matrix, &first), TN_OK);
    assert_int_equal(klu_type.create(&host.table, NULL, matrix, &second), TN_OK);
    for (uint32_t round = 0; round < 3; round++) {
        test_solves(&klu_type, first, matrix, round);
        assert_true(((const sparse_lu *)first)->packed.has_panels);
        for (int32_t e = 0; e < matrix->column_start[matrix->size]; e++)
            lattice.value[e] *= 1.0 + 0.01 * (e % 7);
    }
    copy.used = 0;
    assert_int_equal(state_of_klu(first, matrix, &copy.visitor), TN_OK);
    copy.visitor.restores = 1;
    copy.used = 0;
    assert_int_equal(state_of_klu(second, matrix, &copy.visitor), TN_OK);
    for (uint32_t i = 0; i < matrix->size; i++)
        x[i] = y[i] = sin((double)i);
    assert_int_equal(klu_type.solve(first, x), TN_OK);
    assert_int_equal(klu_type.solve(second, y), TN_OK);
    assert_memory_equal(x, y, bytes);
    klu_type.destroy(first);
    klu_type.destroy(second);
    free(x);
    free(y);
    free(copy.byte);
    test_lattice_free(&lattice);
    test_host_end(&host);
}

/* A right-hand side with one entry: what it does not reach is left out. */
static void test_panels_solve_for_single_entries(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    test_lattice lattice;
    test_lattice_make(&lattice, 20, 1, 0.0);
    const tn_matrix *matrix = &lattice.matrix;
    double *x = calloc(matrix->size, sizeof *x), *b = calloc(matrix->size, sizeof *b);
    void *self = NULL;
    assert_true(x && b);
    assert_int_equal(klu_type.create(&host.table, NULL, matrix, &self), TN_OK);
    assert_int_equal(klu_type.factor(self, matrix), TN_OK);
    for (uint32_t i = 0; i < matrix->size; i += 97) {
        memset(x, 0, matrix->size * sizeof *x);
        memset(b, 0, matrix->size * sizeof *b);
        x[i] = b[i] = 1.0;
        assert_int_equal(klu_type.solve(self, x), TN_OK);
        assert_true(test_residual(matrix, x, b) <= LARGEST_RESIDUAL);
    }
    klu_type.destroy(self);
    free(x);
    free(b);
    test_lattice_free(&lattice);
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
        TEST_LINEAR,
        cmocka_unit_test(test_klu_agrees_with_dense),
        cmocka_unit_test(test_complex_matrices_are_solved_beside_real_ones),
        cmocka_unit_test(test_entries_that_were_zero_join_the_pattern),
        cmocka_unit_test(test_panels_follow_the_values_and_the_state),
        cmocka_unit_test(test_panels_solve_for_single_entries),
        cmocka_unit_test(test_descriptor_names_the_licence_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_multifrontal.c - multifrontal with the matrices of ../test_linear.h, and its own sides; what every linear solver has to do is in
 * tests/linear. */
#include "multifrontal.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const tn_linear_type *const tested = &multifrontal_type;
static const tn_cost_capability *const test_cost = &multifrontal_cost;
static const tn_estimate_capability *const test_estimate = &multifrontal_estimate;

#include "../test_linear.h"

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

/* New values in the order that there is; a solver that takes over the state has the same factors. */
static void test_factors_follow_the_values_and_the_state(void **state)
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
    assert_int_equal(multifrontal_type.create(&host.table, NULL, matrix, &first), TN_OK);
    assert_int_equal(multifrontal_type.create(&host.table, NULL, matrix, &second), TN_OK);
    for (uint32_t round = 0; round < 3; round++) {
        test_solves(&multifrontal_type, first, matrix, round);
        assert_false(((const multifrontal_solver *)first)->fallback.is.active);
        for (int32_t e = 0; e < matrix->column_start[matrix->size]; e++)
            lattice.value[e] *= 1.0 + 0.01 * (e % 7);
    }
    copy.used = 0;
    assert_int_equal(state_of_multifrontal(first, matrix, &copy.visitor), TN_OK);
    copy.visitor.restores = 1;
    copy.used = 0;
    assert_int_equal(state_of_multifrontal(second, matrix, &copy.visitor), TN_OK);
    for (uint32_t i = 0; i < matrix->size; i++)
        x[i] = y[i] = sin((double)i);
    assert_int_equal(multifrontal_type.solve(first, x), TN_OK);
    assert_int_equal(multifrontal_type.solve(second, y), TN_OK);
    assert_memory_equal(x, y, bytes);
    multifrontal_type.destroy(first);
    multifrontal_type.destroy(second);
    free(x);
    free(y);
    free(copy.byte);
    test_lattice_free(&lattice);
    test_host_end(&host);
}

/* A right-hand side with one entry: what it does not reach is left out. */
static void test_single_entries_are_solved_for(void **state)
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
    assert_int_equal(multifrontal_type.create(&host.table, NULL, matrix, &self), TN_OK);
    assert_int_equal(multifrontal_type.factor(self, matrix), TN_OK);
    for (uint32_t i = 0; i < matrix->size; i += 97) {
        memset(x, 0, matrix->size * sizeof *x);
        memset(b, 0, matrix->size * sizeof *b);
        x[i] = b[i] = 1.0;
        assert_int_equal(multifrontal_type.solve(self, x), TN_OK);
        assert_true(test_residual(matrix, x, b) <= LARGEST_RESIDUAL);
    }
    multifrontal_type.destroy(self);
    free(x);
    free(b);
    test_lattice_free(&lattice);
    test_host_end(&host);
}

/* Bodies of two coordinates in a row, whose diagonals are zero: pivots have to be exchanged within a body. */
static void make_crosswise(test_sparse *m)
{
    int32_t count = 0;
    for (uint32_t j = 0; j < SIZE; j++) {
        const uint32_t body = j / 2;
        m->start[j] = count;
        for (uint32_t i = body > 0 ? 2 * body - 2 : 0; i < 2 * body + 4 && i < SIZE; i++) {
            m->row[count] = (int32_t)i;
            m->value[count++] = i / 2 != body ? -0.1 - 0.01 * (i % 2) : i == j ? 0.0 : 2.0 + j % 2;
        }
    }
    m->start[SIZE] = count;
    m->matrix = (tn_matrix){sizeof(tn_matrix), SIZE, m->start, m->row, m->value};
}

static void test_pivots_are_exchanged_within_a_body(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    static test_sparse m;
    void *self = NULL;
    make_crosswise(&m);
    assert_int_equal(multifrontal_type.create(&host.table, NULL, &m.matrix, &self), TN_OK);
    for (uint32_t seed = 0; seed < 3; seed++)
        test_solves(&multifrontal_type, self, &m.matrix, seed);
    const multifrontal_solver *solver = self;
    assert_int_equal(solver->fallback.is.count, 0);
    assert_memory_not_equal(solver->numbers.row, solver->fronts.order, SIZE * sizeof *solver->fronts.order);
    multifrontal_type.destroy(self);
    test_host_end(&host);
}

/* A hub of one unknown, `count` bodies around it of one each, and a row between it and each of them. */
static void make_star(test_lattice *m, int32_t count)
{
    int32_t entries = 0;
    const int32_t size = 2 * count + 1; /* bodies, rows, the hub */
    m->start = malloc(((size_t)size + 1) * sizeof *m->start);
    m->row = malloc(8 * (size_t)size * sizeof *m->row);
    m->value = malloc(8 * (size_t)size * sizeof *m->value);
    assert_true(m->start && m->row && m->value);
    for (int32_t j = 0; j < size; j++) {
        const bool is_row = j >= count && j < 2 * count;
        m->start[j] = entries;
        for (int32_t i = 0; i < size; i++) {
            const bool other_is_row = i >= count && i < 2 * count;
            const bool joined = is_row != other_is_row &&
                                (i - j == count || j - i == count || i == 2 * count || j == 2 * count);
            if (i != j && !joined) continue;
            m->row[entries] = i;
            m->value[entries++] = joined   ? (i + j == 3 * count || i < count || j < count ? 1.0 : -1.0)
                                  : is_row ? 0.0
                                           : 2.0 + j;
        }
    }
    m->start[size] = entries;
    m->matrix = (tn_matrix){sizeof(tn_matrix), (uint32_t)size, m->start, m->row, m->value};
}

/* Rows wait for both of their bodies, but not for a hub: behind that they would be one dense block. */
static void test_factors_of_a_star_grow_as_its_size(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    for (int32_t count = 20; count <= 320; count *= 4) {
        test_lattice star;
        void *self = NULL;
        double entries = 0.0, operations = 0.0;
        make_star(&star, count);
        assert_int_equal(multifrontal_type.create(&host.table, NULL, &star.matrix, &self), TN_OK);
        test_solves(&multifrontal_type, self, &star.matrix, 1);
        assert_int_equal(((const multifrontal_solver *)self)->fallback.is.count, 0);
        assert_int_equal(estimate_multifrontal(self, &entries, &operations), TN_OK);
        assert_true(count < FRONT_HUB / 2 || entries < 10.0 * star.matrix.size);
        multifrontal_type.destroy(self);
        test_lattice_free(&star);
    }
    test_host_end(&host);
}

/* Ten unknowns without a diagonal, each of which is joined to all others but to none of the ten: their pivots stand in other panels. */
static void make_leaves(test_sparse *m, uint32_t seed)
{
    int32_t count = 0;
    for (uint32_t j = 0; j < SIZE; j++) {
        m->start[j] = count;
        for (uint32_t i = 0; i < SIZE; i++) {
            if (i < 10 && j < 10 && i != j) continue;
            m->row[count] = (int32_t)i;
            m->value[count++] = i == j ? 0.0 : test_random(&seed);
        }
    }
    m->start[SIZE] = count;
    m->matrix = (tn_matrix){sizeof(tn_matrix), SIZE, m->start, m->row, m->value};
}

static void test_klu_has_what_fronts_cannot_solve(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    static test_sparse m;
    void *self = NULL;
    const char *to = NULL;
    make_leaves(&m, 1);
    assert_int_equal(multifrontal_type.create(&host.table, NULL, &m.matrix, &self), TN_OK);
    multifrontal_solver *solver = self;
    solver->dissected = true; /* in an order that has the ten in front */
    for (int32_t i = 0; i < (int32_t)SIZE; i++)
        solver->dissection[i] = i;
    for (uint32_t seed = 1; seed <= 5; seed++) { /* tried in the first, third, sixth one */
        make_leaves(&m, seed);
        test_solves(&multifrontal_type, self, &m.matrix, seed);
        assert_true(solver->fallback.is.active);
        assert_int_equal(fallbacks_of_multifrontal(self, &to), seed);
    }
    assert_string_equal(to, "KLU");
    for (int32_t e = 0; e < m.start[SIZE]; e++) /* an entry that none had before: fronts have another try */
        if (m.value[e] == 0.0) m.value[e] = 5.0;
    test_solves(&multifrontal_type, self, &m.matrix, 1);
    assert_false(solver->fallback.is.active);
    multifrontal_type.destroy(self);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_LINEAR,
                                       cmocka_unit_test(test_factors_follow_the_values_and_the_state),
                                       cmocka_unit_test(test_single_entries_are_solved_for),
                                       cmocka_unit_test(test_pivots_are_exchanged_within_a_body),
                                       cmocka_unit_test(test_factors_of_a_star_grow_as_its_size),
                                       cmocka_unit_test(test_klu_has_what_fronts_cannot_solve)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

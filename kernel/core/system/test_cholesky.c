/* test_cholesky.c - sparse symmetric positive definite systems against their products */
#include "system/cholesky.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 60, ENTRIES = SIZE * SIZE };

typedef struct matrix {
    uint32_t count, row[ENTRIES], column[ENTRIES];
    double value[ENTRIES];
} matrix;

static void add(matrix *m, uint32_t row, uint32_t column, double value)
{
    m->row[m->count] = row;
    m->column[m->count] = column;
    m->value[m->count++] = value;
}

/* Coupled where `couples` says so; the diagonal outweighs each row. */
static void make(matrix *m, bool (*couples)(uint32_t a, uint32_t b))
{
    m->count = 0;
    for (uint32_t r = 0; r < SIZE; r++)
        for (uint32_t c = SIZE; c-- > 0;)
            if (r == c)
                add(m, r, c, SIZE);
            else if (couples(r, c))
                add(m, r, c, sin((double)(r + c) + 3.0 * (double)r * (double)c));
}

static bool in_a_band(uint32_t a, uint32_t b) { return a + 3 >= b && b + 3 >= a; }
static bool with_the_first(uint32_t a, uint32_t b) { return a < 2 || b < 2 || in_a_band(a, b); }
static bool at_random(uint32_t a, uint32_t b) { return (a * b + a + b) % 11 == 0; }
static bool never(uint32_t a, uint32_t b)
{
    (void)a, (void)b;
    return false;
}

/* The factor's numbers, after it has solved for a known solution. */
static size_t check(bool (*couples)(uint32_t a, uint32_t b))
{
    static matrix m;
    double x[SIZE], b[SIZE] = {0.0};
    make(&m, couples);
    tn_cholesky *c = tn_cholesky_new(SIZE, m.count, m.row, m.column);
    const size_t size = tn_cholesky_factor_size(c);
    double *factor = calloc(size, sizeof *factor);
    assert_non_null(factor);
    for (int turn = 0; turn < 2; turn++) { /* another matrix of the same pattern */
        for (uint32_t e = 0; e < m.count; e++)
            m.value[e] *= turn ? 3.0 : 1.0;
        memset(b, 0, sizeof b);
        for (uint32_t e = 0; e < m.count; e++)
            b[m.row[e]] += m.value[e] * cos(m.column[e]);
        assert_true(tn_cholesky_factor(c, m.value, factor));
        tn_cholesky_solve(c, factor, b, x);
        for (uint32_t k = 0; k < SIZE; k++)
            assert_true(fabs(x[k] - cos(k)) < 1e-14);
        tn_cholesky_solve(c, factor, b, b);
        assert_memory_equal(b, x, sizeof x);
    }
    free(factor);
    return size;
}

static void it_solves(void **state)
{
    (void)state;
    (void)check(at_random);
    assert_int_equal(check(never), SIZE);
}

static void bands_stay_narrow(void **state)
{
    (void)state;
    assert_true(check(in_a_band) < 5 * SIZE);
}

/* Eliminated first, the first two would couple all others. */
static void what_is_coupled_to_all_others_comes_last(void **state)
{
    (void)state;
    assert_true(check(with_the_first) < 7 * SIZE);
}

static void a_matrix_that_is_not_positive_definite_is_refused(void **state)
{
    (void)state;
    const uint32_t row[] = {0, 1, 0, 1}, column[] = {0, 1, 1, 0};
    const double good[] = {1.0, 1.0, 0.9, 0.9}, singular[] = {1.0, 1.0, 1.0, 1.0},
                 negative[] = {-1.0, 1.0, 0.0, 0.0}, none[] = {(double)NAN, 1.0, 0.0, 0.0};
    tn_cholesky *c = tn_cholesky_new(2, 4, row, column);
    double factor[3];
    assert_int_equal(tn_cholesky_factor_size(c), 3);
    assert_false(tn_cholesky_factor(c, singular, factor));
    assert_false(tn_cholesky_factor(c, negative, factor));
    assert_false(tn_cholesky_factor(c, none, factor));
    assert_true(tn_cholesky_factor(c, good, factor));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_solves), cmocka_unit_test(bands_stay_narrow),
                                       cmocka_unit_test(what_is_coupled_to_all_others_comes_last),
                                       cmocka_unit_test(a_matrix_that_is_not_positive_definite_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

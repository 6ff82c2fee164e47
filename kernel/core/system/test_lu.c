/* test_lu.c - small dense systems of equations */
#include "system/lu.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 40 };

/* Between -1 and 1, the same ones in every run. */
static double draw(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 4503599627370496.0 - 1.0;
}

static double largest_error(uint32_t n, const double *matrix, bool transposed, const double *x,
                            const double *right)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        double left = -right[i];
        for (uint32_t j = 0; j < n; j++)
            left += (transposed ? matrix[j * n + i] : matrix[i * n + j]) * x[j];
        largest = fmax(largest, fabs(left));
    }
    return largest;
}

/* Half of the entries are zeros, also on the diagonal. */
static void test_equations_hold(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= MOST; n++) {
        double matrix[MOST * MOST], factors[MOST * MOST], right[MOST], x[MOST];
        uint32_t exchange[MOST], column = 0;
        for (uint32_t k = 0; k < n * n; k++)
            matrix[k] = draw() > 0.0 ? draw() : 0.0;
        for (uint32_t i = 0; i < n; i++) {
            matrix[i * n + (i + 1) % n] = 5.0 + draw(); /* what makes it regular */
            right[i] = draw();
        }
        memcpy(factors, matrix, sizeof factors);
        assert_true(tn_lu_factor(n, factors, exchange, &column));
        for (int transposed = 0; transposed < 2; transposed++) {
            memcpy(x, right, sizeof x);
            (transposed ? tn_lu_solve_transposed : tn_lu_solve)(n, factors, exchange, x);
            assert_true(largest_error(n, matrix, transposed, x, right) <= 1e-12);
        }
    }
}

/* Column 2 is a sum of the two before it, but for round-off; or for a little more. */
static void test_dependent_columns_are_found(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        const bool regular = round >= 100;
        double matrix[16];
        uint32_t exchange[4], column = 0;
        for (uint32_t i = 0; i < 4; i++) {
            for (uint32_t j = 0; j < 4; j++)
                matrix[4 * i + j] = draw() + (i == j ? 3.0 : 0.0);
            matrix[4 * i + 2] =
                matrix[4 * i] / 3.0 + matrix[4 * i + 1] * 0.7 + (regular ? 1e-11 * draw() : 0.0);
        }
        assert_int_equal(tn_lu_factor(4, matrix, exchange, &column), regular);
        if (!regular) assert_int_equal(column, 2);
    }
}

static void test_what_is_no_number_is_refused(void **state)
{
    (void)state;
    const double none = (double)NAN;
    double matrix[] = {none, none, none, none}, infinite[] = {HUGE_VAL, 1.0, 1.0, 1.0};
    uint32_t exchange[2], column = 7;
    assert_false(tn_lu_factor(2, matrix, exchange, &column));
    assert_int_equal(column, 0);
    assert_false(tn_lu_factor(2, infinite, exchange, &column));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equations_hold),
                                       cmocka_unit_test(test_dependent_columns_are_found),
                                       cmocka_unit_test(test_what_is_no_number_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

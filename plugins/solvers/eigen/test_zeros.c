/* test_zeros.c - eigenvalues of matrices with zeros that belong together: exact ones, whatever round-off does to their Jordan blocks */
#include "products.c"
#include "zeros.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N = 9 };

/* Blocks of the host live until the end. */
static struct block {
    struct block *next;
    double number[];
} * blocks;

static void *allocate(TN_UNUSED const tn_host *host, size_t bytes)
{
    struct block *made = calloc(1, sizeof *made + bytes);
    assert_non_null(made);
    made->next = blocks;
    blocks = made;
    return made->number;
}

static int free_all(void **state)
{
    (void)state;
    while (blocks) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
    return 0;
}

double *tn_eigen_numbers(const tn_host *host, size_t count)
{
    return host->allocate(host, (count ? count : 1) * sizeof(double));
}

/* Two chains of zeros, of three and two; -1 +- 4i; 2; -3000. */
static void fill_blocks(double *J)
{
    memset(J, 0, N * N * sizeof *J);
    J[1 * N + 0] = J[2 * N + 1] = 1.0;
    J[4 * N + 3] = 1.0;
    J[5 * N + 5] = J[6 * N + 6] = -1.0;
    J[6 * N + 5] = 4.0;
    J[5 * N + 6] = -4.0;
    J[7 * N + 7] = 2.0;
    J[8 * N + 8] = -3000.0;
}

/* Q^T J Q of a random rotation. */
static void turn(const double *J, unsigned seed, double *A)
{
    double Q[N * N], half[N * N] = {0.0};
    srand(seed);
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++)
            Q[j * N + i] = (double)rand() / RAND_MAX - 0.5;
        for (int twice = 0; twice < 2; twice++)
            for (int k = 0; k < j; k++) {
                double along = 0.0;
                for (int i = 0; i < N; i++)
                    along += Q[j * N + i] * Q[k * N + i];
                for (int i = 0; i < N; i++)
                    Q[j * N + i] -= along * Q[k * N + i];
            }
        double square = 0.0;
        for (int i = 0; i < N; i++)
            square += Q[j * N + i] * Q[j * N + i];
        for (int i = 0; i < N; i++)
            Q[j * N + i] /= sqrt(square);
    }
    tn_eigen_product(N, N, N, J, Q, half);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            A[j * N + i] = 0.0;
            for (int k = 0; k < N; k++)
                A[j * N + i] += Q[i * N + k] * half[j * N + k];
        }
}

static bool has(const eigen_solution *s, double re, double im)
{
    for (size_t k = 0; k < s->count; k++)
        if (hypot(s->re[k] - re, s->im[k] - im) <= 1e-9) return true;
    return false;
}

/* |A x - z x| against |x|. */
static double residual(const double *A, double re, double im, const double *x)
{
    double left = 0.0, size = 0.0;
    for (int i = 0; i < N; i++) {
        double a = -(re * x[2 * i] - im * x[2 * i + 1]), b = -(re * x[2 * i + 1] + im * x[2 * i]);
        for (int j = 0; j < N; j++) {
            a += A[j * N + i] * x[2 * j];
            b += A[j * N + i] * x[2 * j + 1];
        }
        left = fmax(left, hypot(a, b));
        size = fmax(size, hypot(x[2 * i], x[2 * i + 1]));
    }
    return left / size;
}

static void test_chains_of_zeros(void **state)
{
    (void)state;
    const tn_host host = {.struct_size = sizeof host, .allocate = allocate};
    const eigen_reduced r = {.positions = N, .size = N};
    double J[N * N], A[N * N], used[N * N];
    fill_blocks(J);
    for (unsigned seed = 1; seed < 200; seed++) {
        eigen_solution s;
        size_t zeros = 0;
        turn(J, seed, A);
        memcpy(used, A, sizeof used);
        assert_int_equal(tn_eigen_solve(&host, &r, used, &s), TN_OK);
        assert_int_equal(s.count, 8); // the pair is one
        for (size_t k = 0; k < s.count; k++) {
            const bool zero = s.re[k] == 0.0 && s.im[k] == 0.0;
            zeros += zero;
            if (!zero) assert_true(residual(A, s.re[k], s.im[k], s.vector[k]) <= 1e-9);
        }
        assert_int_equal(zeros, 5);
        assert_true(residual(A, 0.0, 0.0, s.vector[0]) <= 1e-9);
        assert_true(has(&s, -1.0, 4.0) && has(&s, 2.0, 0.0) && has(&s, -3000.0, 0.0));
    }
}

/* What is zero as a whole; what has no zeros; nothing. */
static void test_ends(void **state)
{
    (void)state;
    const tn_host host = {.struct_size = sizeof host, .allocate = allocate};
    eigen_solution s;
    double none[1] = {0.0}, zero[4] = {0.0}, plain[4] = {1.0, 0.0, 0.0, 5.0};
    assert_int_equal(tn_eigen_solve(&host, &(eigen_reduced){.size = 0}, none, &s), TN_OK);
    assert_int_equal(s.count, 0);
    assert_int_equal(tn_eigen_solve(&host, &(eigen_reduced){.positions = 2, .size = 2}, zero, &s), TN_OK);
    assert_true(s.count == 2 && s.re[0] == 0.0 && s.re[1] == 0.0);
    assert_int_equal(tn_eigen_solve(&host, &(eigen_reduced){.positions = 2, .size = 2}, plain, &s), TN_OK);
    assert_true(s.count == 2 && has(&s, 1.0, 0.0) && has(&s, 5.0, 0.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains_of_zeros), cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, free_all);
}

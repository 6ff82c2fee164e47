/* test_iterative.h - lattices of bodies, with and without constraints, solved by one of the methods and by `dense` */
#ifndef TENON_TEST_ITERATIVE_H
#define TENON_TEST_ITERATIVE_H

#include "block_matrix.c"
#include "constraints.c"
#include "iterative.c"
#include "preconditioner.c"
#include "solve.c"
#include "vectors.c"

#include "../../solvers/test_host.h"
#include "../test_matrix.h"

#define tn_plugin_library dense_plugin_library
#define tn_library_types dense_library_types
#define tn_library_data dense_library_data
#include "../dense/dense.c"
#undef tn_plugin_library
#undef tn_library_types
#undef tn_library_data

/* ---- loops, in any order ---------------------------------------------------------------------------------------------- */

enum test_order { FORWARD, BACKWARD, EVEN_FIRST };
static enum test_order test_order_of_blocks;

static void test_parallel_for(const tn_host *host, size_t count, size_t grain,
                              void (*task)(void *data, size_t first, size_t last), void *data)
{
    (void)host;
    const size_t blocks = (count + grain - 1) / grain, even = (blocks + 1) / 2;
    for (size_t k = 0; k < blocks; k++) {
        const size_t alternate = k < even ? 2 * k : 2 * (k - even) + 1;
        const size_t b = test_order_of_blocks == FORWARD    ? k
                         : test_order_of_blocks == BACKWARD ? blocks - 1 - k
                                                            : alternate;
        task(data, b * grain, (b + 1) * grain < count ? (b + 1) * grain : count);
    }
}

static void test_begin(test_host *host)
{
    test_host_begin(host);
    host->table.parallel_for = test_parallel_for;
    test_order_of_blocks = FORWARD;
}

/* ---- matrices ---------------------------------------------------------------------------------------------------------- */

/* A cube of edge^3 bodies of `body` coordinates, and `constraints` of `rows` rows between body c and the next one, wherever that is. */
typedef struct test_lattice {
    uint32_t edge, body, constraints, rows;
    double mass, asymmetry; /* against springs of stiffness about 1; of couplings */
    double E; /* of constraints; negative: the symmetric form with -E, positive: the kernel's with E */
} test_lattice;

typedef struct test_blocks {
    tn_matrix matrix;
    int32_t *start, *row;
    double *value;
    uint32_t seed;
} test_blocks;

static uint32_t test_bodies(const test_lattice *l) { return l->edge * l->edge * l->edge; }

static bool are_coupled(const test_lattice *l, uint32_t a, uint32_t b)
{
    const uint32_t m = l->edge;
    const uint32_t x = a % m, y = a / m % m, z = a / m / m, u = b % m, v = b / m % m, w = b / m / m;
    return abs((int)x - (int)u) + abs((int)y - (int)v) + abs((int)z - (int)w) == 1;
}

/* What unknown i belongs to: a body, or beyond these a constraint. */
static uint32_t test_owner(const test_lattice *l, uint32_t i)
{
    const uint32_t coordinates = test_bodies(l) * l->body;
    return i < coordinates ? i / l->body : test_bodies(l) + (i - coordinates) / l->rows;
}

static bool test_has_block(const test_lattice *l, uint32_t a, uint32_t b)
{
    const uint32_t bodies = test_bodies(l);
    if (a == b) return true;
    if (a < bodies && b < bodies) return are_coupled(l, a, b);
    if (a >= bodies && b >= bodies) return false;
    const uint32_t body = a < b ? a : b, constraint = (a < b ? b : a) - bodies;
    return body == constraint || body == constraint + 1;
}

/* A number of (-1, 1) for a pair in either order. */
static double test_pair(uint32_t a, uint32_t b, uint32_t seed)
{
    uint32_t of = (a < b ? a * 7919u + b : b * 7919u + a) * 31u + seed;
    for (int k = 0; k < 3; k++)
        (void)test_random(&of);
    return test_random(&of);
}

static double test_entry(const test_lattice *l, uint32_t i, uint32_t j, uint32_t seed)
{
    const uint32_t bodies = test_bodies(l), a = test_owner(l, i), b = test_owner(l, j);
    if (a >= bodies && b >= bodies) return i == j ? l->E : 0.0;
    if (a >= bodies || b >= bodies) {
        const double entry = test_pair(i, j, seed);
        return b >= bodies && l->E >= 0.0 ? -entry : entry;
    }
    const double skew = i < j ? l->asymmetry : i > j ? -l->asymmetry : 0.0;
    const double unit = i % l->body < 3 ? 1.0 : 0.01; /* of coordinates, as lengths and angles have */
    const double other = j % l->body < 3 ? 1.0 : 0.01;
    if (a != b)
        return unit * other * ((i % l->body == j % l->body ? -1.0 : 0.1 * test_pair(i, j, seed)) + skew);
    return unit * other * (i == j ? l->mass + 6.0 + l->body * 0.6 : 0.2 * test_pair(i, j, seed) + skew);
}

static void test_fill_values(test_blocks *t, const test_lattice *l, uint32_t seed)
{
    for (uint32_t j = 0; j < t->matrix.size; j++)
        for (int32_t e = t->start[j]; e < t->start[j + 1]; e++)
            t->value[e] = test_entry(l, (uint32_t)t->row[e], j, seed);
}

static void test_make(test_blocks *t, const test_lattice *l)
{
    const uint32_t n = test_bodies(l) * l->body + l->constraints * l->rows, bodies = test_bodies(l);
    const size_t most = (size_t)n * (7 * l->body + l->rows * (l->constraints ? 3u : 0u)) + 1;
    t->start = calloc((size_t)n + 1, sizeof *t->start);
    t->row = calloc(most, sizeof *t->row);
    t->value = calloc(most, sizeof *t->value);
    int32_t count = 0;
    for (uint32_t j = 0; j < n; j++) {
        const uint32_t b = test_owner(l, j);
        for (uint32_t a = 0; a < bodies + l->constraints; a++) {
            if (!test_has_block(l, a, b)) continue;
            const uint32_t first = a < bodies ? a * l->body : bodies * l->body + (a - bodies) * l->rows;
            for (uint32_t r = 0; r < (a < bodies ? l->body : l->rows); r++)
                t->row[count++] = (int32_t)(first + r);
        }
        t->start[j + 1] = count;
    }
    t->matrix = (tn_matrix){sizeof t->matrix, n, t->start, t->row, t->value};
    test_fill_values(t, l, 1);
}

static void test_release(test_blocks *t)
{
    free(t->start);
    free(t->row);
    free(t->value);
}

/* ---- solutions --------------------------------------------------------------------------------------------------------- */

static void test_right(uint32_t n, uint32_t seed, double *b)
{
    for (uint32_t i = 0; i < n; i++)
        b[i] = test_random(&seed);
}

/* The largest difference from the solution of `dense`, against the largest number in that. */
static double test_difference(const tn_matrix *A, const double *x, const double *right)
{
    test_host host;
    void *dense = NULL;
    double *y = malloc((A->size + 1u) * sizeof *y), largest = 0.0, difference = 0.0;
    test_host_begin(&host);
    memcpy(y, right, A->size * sizeof *y);
    assert_int_equal(dense_type.create(&host.table, NULL, A, &dense), TN_OK);
    assert_int_equal(dense_type.factor(dense, A), TN_OK);
    assert_int_equal(dense_type.solve(dense, y), TN_OK);
    for (uint32_t i = 0; i < A->size; i++) {
        largest = fmax(largest, fabs(y[i]));
        difference = fmax(difference, fabs(x[i] - y[i]));
    }
    dense_type.destroy(dense);
    test_host_end(&host);
    free(y);
    return difference / largest;
}

/* A solver of the type under test. */
static void *test_create(const tn_linear_type *type, test_host *host, const void *instance,
                         const tn_matrix *A)
{
    void *self = NULL;
    assert_int_equal(type->create(&host->table, instance, A, &self), TN_OK);
    return self;
}

/* Several matrices of one pattern, each against `dense`; the largest number of iterations. */
static int64_t test_against_dense(const tn_linear_type *type, const void *instance, const test_lattice *l,
                                  double tolerance)
{
    test_host host;
    test_blocks t;
    int64_t most = 0;
    test_begin(&host);
    test_make(&t, l);
    double *x = malloc((t.matrix.size + 1u) * sizeof *x), *b = malloc((t.matrix.size + 1u) * sizeof *b);
    void *self = test_create(type, &host, instance, &t.matrix);
    for (uint32_t seed = 1; seed <= 3; seed++) {
        test_fill_values(&t, l, seed);
        test_right(t.matrix.size, seed, b);
        memcpy(x, b, t.matrix.size * sizeof *x);
        assert_int_equal(type->factor(self, &t.matrix), TN_OK);
        assert_int_equal(type->solve(self, x), TN_OK);
        const double difference = test_difference(&t.matrix, x, b);
        if (difference > tolerance)
            fail_msg("difference %g after %d", difference, (int)((iterative *)self)->last);
        if (((iterative *)self)->last > most) most = ((iterative *)self)->last;
    }
    type->destroy(self);
    free(x);
    free(b);
    test_release(&t);
    test_host_end(&host);
    return most;
}

/* The status of factor(), or of solve() behind it; what the plugin says of it is in `host`. */
static tn_status test_status(const tn_linear_type *type, const void *instance, const tn_matrix *A,
                             test_host *host)
{
    test_begin(host);
    void *self = test_create(type, host, instance, A);
    double *x = malloc((A->size + 1u) * sizeof *x);
    test_right(A->size, 1, x);
    tn_status status = type->factor(self, A);
    if (status == TN_OK) status = type->solve(self, x);
    free(x);
    type->destroy(self);
    test_host_end(host);
    return status;
}

static tn_status test_status_of(const tn_linear_type *type, const void *instance, const test_lattice *l,
                                test_host *host)
{
    test_blocks t;
    test_make(&t, l);
    const tn_status status = test_status(type, instance, &t.matrix, host);
    test_release(&t);
    return status;
}

static tn_status test_status_of_two(const tn_linear_type *type, const void *instance, const double *value,
                                    test_host *host)
{
    const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double entries[4];
    memcpy(entries, value, sizeof entries);
    return test_status(type, instance, &(tn_matrix){sizeof(tn_matrix), 2, start, row, entries}, host);
}

static void test_expect_words(const test_host *host, const char *const *word)
{
    for (; *word; word++)
        if (!strstr(host->message, *word)) fail_msg("`%s` is not in: %s", *word, host->message);
}
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- what holds for all methods ------------------------------------------------------------------------------------------ */

/* All orders of blocks give the same bits, of a model that is cut into several. */
static void test_same_bits(const tn_linear_type *type, const void *instance, const test_lattice *l)
{
    test_blocks t;
    test_host host;
    test_begin(&host);
    test_make(&t, l);
    const size_t bytes = t.matrix.size * sizeof(double);
    assert_true(tn_count_blocks(t.matrix.size) > 4);
    double *x[3];
    for (int k = 0; k < 3; k++) {
        test_order_of_blocks = (enum test_order)k;
        void *self = test_create(type, &host, instance, &t.matrix);
        x[k] = malloc(bytes);
        test_right(t.matrix.size, 5, x[k]);
        assert_int_equal(type->factor(self, &t.matrix), TN_OK);
        assert_int_equal(type->solve(self, x[k]), TN_OK);
        assert_memory_equal(x[k], x[0], bytes);
        type->destroy(self);
    }
    for (int k = 0; k < 3; k++)
        free(x[k]);
    test_release(&t);
    test_host_end(&host);
}

typedef struct test_visitor {
    tn_state_visitor base;
    char *bytes;
    size_t used, room;
} test_visitor;

static void test_visit(tn_state_visitor *base, void *data, size_t size)
{
    test_visitor *v = (test_visitor *)base;
    assert_true(v->used + size <= v->room);
    if (base->restores)
        memcpy(data, v->bytes + v->used, size);
    else
        memcpy(v->bytes + v->used, data, size);
    v->used += size;
}

/* A solver with the state of another one solves to the same bits, whatever it has solved itself. */
static void test_state_is_all(const tn_linear_type *type, const void *instance, const test_lattice *l)
{
    test_blocks t;
    test_host host;
    test_visitor visitor = {.base = {.struct_size = sizeof visitor.base, .bytes = test_visit},
                            .room = 1u << 22};
    visitor.bytes = malloc(visitor.room);
    test_begin(&host);
    test_make(&t, l);
    double *x = malloc(t.matrix.size * sizeof *x), *y = malloc(t.matrix.size * sizeof *y);
    void *source = test_create(type, &host, instance, &t.matrix),
         *other = test_create(type, &host, instance, &t.matrix);
    assert_int_equal(type->factor(source, &t.matrix), TN_OK);
    assert_int_equal(iterative_state(source, &t.matrix, &visitor.base), TN_OK);
    test_fill_values(&t, l, 9);
    assert_int_equal(type->factor(other, &t.matrix), TN_OK);
    visitor.used = 0;
    visitor.base.restores = 1;
    assert_int_equal(iterative_state(other, &t.matrix, &visitor.base), TN_OK);
    test_right(t.matrix.size, 3, x);
    test_right(t.matrix.size, 3, y);
    assert_int_equal(type->solve(source, x), TN_OK);
    assert_int_equal(type->solve(other, y), TN_OK);
    assert_memory_equal(x, y, t.matrix.size * sizeof *x);
    type->destroy(source);
    type->destroy(other);
    free(x);
    free(y);
    free(visitor.bytes);
    test_release(&t);
    test_host_end(&host);
}

/* Empty, zero, not a number, not factorised. */
static void test_extremes(const tn_linear_type *type, const void *instance)
{
    test_host host;
    const int32_t none[] = {0};
    double value[] = {0.0};
    assert_int_equal(
        test_status(type, instance, &(tn_matrix){sizeof(tn_matrix), 0, none, none, value}, &host), TN_OK);
    assert_int_equal(test_status_of_two(type, instance, (double[]){0.0, 0.0, 0.0, 0.0}, &host), TN_RETRY);
    assert_int_equal(test_status_of_two(type, instance, (double[]){1.0, 2.0, 2.0, 4.0}, &host), TN_RETRY);
    assert_int_equal(test_status_of_two(type, instance, (double[]){1.0, 0.0, 0.0, 0.0}, &host), TN_RETRY);
    assert_int_equal(test_status_of_two(type, instance, (double[]){(double)NAN, 0.0, 0.0, 1.0}, &host),
                     TN_RETRY);
    assert_int_equal(test_status_of_two(type, instance, (double[]){1.0, 0.0, 0.0, HUGE_VAL}, &host),
                     TN_RETRY);
    assert_int_equal(test_status_of_two(type, instance, (double[]){1e-300, 0.0, 0.0, 1e300}, &host), TN_OK);
    type->destroy(NULL);

    const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    double good[] = {2.0, 1.0, 1.0, 2.0}, x[] = {(double)NAN, 1.0}, zero[] = {0.0, 0.0}, b[] = {3.0, 3.0};
    const tn_matrix A = {sizeof A, 2, start, row, good};
    test_begin(&host);
    void *self = test_create(type, &host, instance, &A);
    assert_int_equal(type->solve(self, b), TN_FATAL); /* nothing was factorised */
    assert_int_equal(type->factor(self, &A), TN_OK);
    assert_int_equal(type->solve(self, x), TN_OK); /* the kernel looks for who has made it */
    assert_true(isnan(x[0]));
    assert_int_equal(type->solve(self, zero), TN_OK);
    assert_true(zero[0] == 0.0 && zero[1] == 0.0);
    assert_int_equal(type->solve(self, b), TN_OK);
    assert_true(fabs(b[0] - 1.0) < 1e-14 && fabs(b[1] - 1.0) < 1e-14);
    double entries = 0.0, operations = 0.0;
    assert_int_equal(iterative_estimate(self, &entries, &operations), TN_OK);
    assert_true(entries >= 8.0 && operations > 0.0);
    type->destroy(self);
    test_host_end(&host);
}

#endif

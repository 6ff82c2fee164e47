/* test_chain_threads.c - large models are cut into tasks, and results have the same bits whoever works these off. */
#include "chain.c"

#include "../../solvers/test_host.h"
#include "test_copier.h"
#include "test_large.h"

#include <pthread.h>
#include <stdatomic.h>

static const large_mechanism long_chain = {3000, 1, 0}, binary_tree = {3000, 2, 0}, broad_tree = {3000, 7, 0},
                             ladder_of_loops = {3000, 1, 4};

/* ---- a host of threads ---- */

enum { MOST_THREADS = 7 };
static size_t threads_of_host, loops_of_host;

typedef struct loop {
    void (*task)(void *data, size_t first, size_t last);
    void *data;
    size_t count, grain;
    atomic_size_t next;
} loop;

static void *take_from_loop(void *data)
{
    loop *l = data;
    for (size_t first; (first = atomic_fetch_add(&l->next, l->grain)) < l->count;)
        l->task(l->data, first, first + l->grain < l->count ? first + l->grain : l->count);
    return NULL;
}

static void loop_on_threads(const tn_host *host, size_t count, size_t grain,
                            void (*task)(void *data, size_t first, size_t last), void *data)
{
    (void)host;
    loop l = {.task = task, .data = data, .count = count, .grain = grain};
    pthread_t thread[MOST_THREADS];
    loops_of_host++;
    for (size_t t = 1; t < threads_of_host; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, take_from_loop, &l), 0);
    (void)take_from_loop(&l);
    for (size_t t = 1; t < threads_of_host; t++)
        (void)pthread_join(thread[t], NULL);
}

/* The last block first. */
static void loop_backwards(const tn_host *host, size_t count, size_t grain,
                           void (*task)(void *data, size_t first, size_t last), void *data)
{
    (void)host;
    for (size_t first = (count - 1) / grain * grain;; first -= grain) {
        task(data, first, first + grain < count ? first + grain : count);
        if (first == 0) break;
    }
}

/* ---- the same bits ---- */

static double *solve_for_cosines(void *self, const tn_matrix *matrix, double *x)
{
    for (uint32_t i = 0; i < matrix->size; i++)
        x[i] = cos((double)i);
    assert_int_equal(chain_type.factor(self, matrix), TN_OK);
    assert_int_equal(chain_type.solve(self, x), TN_OK);
    return x;
}

static void check_residual(const tn_matrix *matrix, const double *x)
{
    const uint32_t n = matrix->size;
    double *left = malloc(n * sizeof *left), largest = 0.0, residual = 0.0;
    assert_non_null(left);
    for (uint32_t i = 0; i < n; i++) {
        left[i] = cos((double)i);
        largest = fmax(largest, fabs(x[i]));
    }
    for (uint32_t c = 0; c < n; c++)
        for (int32_t k = matrix->column_start[c]; k < matrix->column_start[c + 1]; k++)
            left[matrix->row[k]] -= matrix->value[k] * x[c];
    for (uint32_t i = 0; i < n; i++)
        residual = fmax(residual, fabs(left[i]));
    if (!(residual <= 1e-12 * largest)) fail_msg("%.3g is left of terms of %.3g", residual, largest);
    free(left);
}

typedef void (*parallel_loop)(const tn_host *, size_t, size_t, void (*)(void *, size_t, size_t), void *);

/* The second of two matrices, which has the order of the first one; how many tasks there are. */
static uint32_t solve_on_host(const large_matrix *a, double *x, parallel_loop parallel_for)
{
    test_host host;
    void *self = NULL;
    test_host_begin(&host);
    host.table.parallel_for = parallel_for;
    assert_int_equal(chain_type.create(&host.table, NULL, &a[0].matrix, &self), TN_OK);
    (void)solve_for_cosines(self, &a[0].matrix, x);
    check_residual(&a[1].matrix, solve_for_cosines(self, &a[1].matrix, x));
    const chain_solver *solver = self;
    assert_false(solver->fallback.is.active);
    const uint32_t tasks = solver->factors.nodes.tasks;
    chain_type.destroy(self);
    test_host_end(&host);
    return tasks;
}

static void check_bits(const large_mechanism *m)
{
    const size_t counts[] = {1, 2, 3, 7};
    large_matrix a[2];
    large_make(&a[0], m, 1);
    large_make(&a[1], m, 2);
    const size_t bytes = a[0].matrix.size * sizeof(double);
    double *alone = malloc(bytes), *x = malloc(bytes);
    assert_true(alone && x);
    const uint32_t tasks = solve_on_host(a, alone, NULL); /* an older host */
    if (tasks < 4) fail_msg("no more than %u tasks", tasks);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        threads_of_host = counts[k];
        loops_of_host = 0;
        (void)solve_on_host(a, x, loop_on_threads);
        assert_memory_equal(x, alone, bytes);
        assert_true(loops_of_host >= 6); /* of two factorisations and solutions */
    }
    (void)solve_on_host(a, x, loop_backwards);
    assert_memory_equal(x, alone, bytes);
    free(alone);
    free(x);
    large_free(&a[0]);
    large_free(&a[1]);
}

static void test_bits_of_a_chain_do_not_depend_on_threads(void **state)
{
    (void)state;
    check_bits(&long_chain);
}

static void test_bits_of_trees_do_not_depend_on_threads(void **state)
{
    (void)state;
    check_bits(&binary_tree);
    check_bits(&broad_tree);
}

static void test_bits_of_a_ladder_do_not_depend_on_threads(void **state)
{
    (void)state;
    check_bits(&ladder_of_loops);
}

/* ---- tasks ---- */

static void check_place(const chain_task *task, int32_t place)
{
    const size_t p = (size_t)place;
    assert_true((p >= task->value && p < task[1].value) || (p >= task->upper && p < task[1].upper) ||
                (p >= task->room && p < task[1].room));
}

/* Numbers and unknowns that a task writes are its own. */
static void check_task(const chain_factors *f, const chain_task *task, const uint32_t *task_of)
{
    const int32_t *at = f->at + task->at;
    for (uint32_t k = task->run; k < task[1].run; k++) {
        const chain_span *span = &f->span[k];
        for (uint32_t i = 0; i < span->count * span->rows; i++)
            if (span->row[i] & CHAIN_SHARED) {
                const uint32_t shared = span->row[i] & ~CHAIN_SHARED;
                assert_true(shared >= task->unknown && shared < task[1].unknown);
            } else {
                assert_int_equal(task_of[span->row[i]], task - f->task);
            }
        for (uint32_t b = 0; b < span->count; b++)
            for (uint32_t i = 0, width; i < span->rows; i += width) {
                width = (uint32_t)*at;
                check_place(task, at[1]);
                check_place(task, at[1] + (int32_t)(width - 1) * (at[2] + 1));
                at += 3;
                for (uint32_t q = 0; q < 2 * (span->rows - i - width); q++)
                    check_place(task, *at++);
            }
    }
    assert_ptr_equal(at, f->at + task[1].at);
    for (size_t e = task->entry; e < task[1].entry; e++)
        check_place(task, (int32_t)f->target[e]);
}

static void check_tasks(const large_mechanism *m)
{
    test_host host;
    large_matrix a;
    void *self = NULL;
    test_host_begin(&host);
    large_make(&a, m, 1);
    uint32_t *task_of = malloc(a.matrix.size * sizeof *task_of);
    assert_non_null(task_of);
    assert_int_equal(chain_type.create(&host.table, NULL, &a.matrix, &self), TN_OK);
    assert_int_equal(chain_type.factor(self, &a.matrix), TN_OK);
    const chain_factors *f = &((chain_solver *)self)->factors;
    assert_true(f->nodes.tasks >= 4);
    for (uint32_t t = 0; t <= f->nodes.tasks; t++)
        for (uint32_t i = f->task[t].own; i < f->task[t + 1].own; i++)
            task_of[f->nodes.own[i]] = t;
    for (uint32_t t = 0; t <= f->nodes.tasks; t++)
        check_task(f, &f->task[t], task_of);
    const chain_task *top = f->task + f->nodes.tasks;
    assert_true(top[1].own - top->own < a.matrix.size / 50); /* little is left for one thread */
    chain_type.destroy(self);
    free(task_of);
    large_free(&a);
    test_host_end(&host);
}

static void test_tasks_write_what_is_their_own(void **state)
{
    (void)state;
    check_tasks(&long_chain);
    check_tasks(&binary_tree);
    check_tasks(&broad_tree);
    check_tasks(&ladder_of_loops);
}

static void test_small_models_have_no_tasks(void **state)
{
    (void)state;
    const large_mechanism small = {300, 1, 0};
    large_matrix a[2];
    large_make(&a[0], &small, 1);
    large_make(&a[1], &small, 2);
    double *x = malloc(a[0].matrix.size * sizeof *x);
    assert_non_null(x);
    threads_of_host = 2;
    loops_of_host = 0;
    assert_int_equal(solve_on_host(a, x, loop_on_threads), 0);
    assert_int_equal(loops_of_host, 0);
    free(x);
    large_free(&a[0]);
    large_free(&a[1]);
}

/* Twigs of equal work hang at a path. */
static void test_subtrees_become_tasks_where_that_pays(void **state)
{
    (void)state;
    enum { TWIGS = 8, NODES = 2 * TWIGS };
    for (int pays = 0; pays < 2; pays++) {
        uint32_t parent[NODES], task[NODES];
        double work[NODES];
        for (uint32_t b = 0; b < NODES; b++) {
            parent[b] = b < TWIGS ? TWIGS + b : b + 1 < NODES ? b + 1 : CHAIN_NONE;
            work[b] = b < TWIGS && pays ? CHAIN_LEAST_WORK : 1.0;
        }
        const uint32_t tasks = chain_cut_tree(parent, work, NODES, task);
        assert_int_equal(tasks, pays ? TWIGS : 0);
        assert_int_equal(task[NODES - 1], tasks); /* the top */
        for (uint32_t b = 0; b < TWIGS && pays; b++)
            for (uint32_t other = 0; other < b; other++)
                assert_true(task[b] < tasks && task[b] != task[other]);
    }
}

/* Into a solver that has other factors, or none. */
static void test_state_goes_on_bit_by_bit(void **state)
{
    (void)state;
    static copier copy;
    const large_mechanism *m = &ladder_of_loops;
    test_host host;
    large_matrix a[2];
    void *first = NULL, *second = NULL;
    test_host_begin(&host);
    large_make(&a[0], m, 1);
    large_make(&a[1], m, 2);
    const size_t n = a[0].matrix.size;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    assert_true(x && y);
    assert_int_equal(chain_type.create(&host.table, NULL, &a[0].matrix, &first), TN_OK);
    assert_int_equal(chain_type.create(&host.table, NULL, &a[0].matrix, &second), TN_OK);
    for (int k = 0; k < 2; k++) {
        (void)solve_for_cosines(first, &a[0].matrix, x);
        copy_state(&copy, first, second, &a[0].matrix);
        for (size_t i = 0; i < n; i++)
            x[i] = y[i] = sin((double)i);
        assert_int_equal(chain_type.solve(first, x), TN_OK);
        assert_int_equal(chain_type.solve(second, y), TN_OK);
        assert_memory_equal(x, y, n * sizeof *x);
        (void)solve_for_cosines(first, &a[1].matrix, x);
        assert_memory_equal(x, solve_for_cosines(second, &a[1].matrix, y), n * sizeof *x);
    }
    chain_type.destroy(first);
    chain_type.destroy(second);
    free(x);
    free(y);
    large_free(&a[0]);
    large_free(&a[1]);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_of_a_chain_do_not_depend_on_threads),
        cmocka_unit_test(test_bits_of_trees_do_not_depend_on_threads),
        cmocka_unit_test(test_bits_of_a_ladder_do_not_depend_on_threads),
        cmocka_unit_test(test_tasks_write_what_is_their_own),
        cmocka_unit_test(test_small_models_have_no_tasks),
        cmocka_unit_test(test_subtrees_become_tasks_where_that_pays),
        cmocka_unit_test(test_state_goes_on_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

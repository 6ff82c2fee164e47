/* test_linear_solvers.c - what every linear solver is held to: random matrices of all kinds, solved to one backward error, singular ones, none
 * at all, other values, and its state */
#include "../../plugins/linear/test_matrix.h"
#include "../../plugins/solvers/test_host.h"

#include "linear_plugins.h"
#include "refined.h"

#include <tenon/draft/linear.h>
#include <tenon/draft/stepping.h>

#include <math.h>

#define SIZE TEST_MATRIX_SIZE
#define ROUND_OFF 1e-12 /* of the sum of the magnitudes of the terms of a row */

typedef struct solver {
    test_host host;
    const tn_linear_type *type;
    void *self;
} solver;

static void begin(solver *s, const tn_linear_type *type, const tn_matrix *matrix)
{
    test_host_begin(&s->host);
    s->type = type;
    s->self = NULL;
    if (type->create(&s->host.table, tn_linear_defaults(type), matrix, &s->self) != TN_OK)
        fail_msg("%s: create fails", type->name);
}

static void end(solver *s)
{
    s->type->destroy(s->self);
    test_host_end(&s->host);
}

/* Solves for a right-hand side that depends on the seed, and checks what is left of it. */
static void check_solution(const solver *s, const tn_matrix *A, uint32_t seed, double *x)
{
    double left[SIZE], terms[SIZE], largest = 0.0, scale = 0.0;
    for (uint32_t i = 0; i < A->size; i++) {
        left[i] = x[i] = test_random(&seed);
        terms[i] = fabs(x[i]);
    }
    tn_solve_refined(s->type, s->self, A, x);
    for (uint32_t j = 0; j < A->size; j++)
        for (int32_t e = A->column_start[j]; e < A->column_start[j + 1]; e++) {
            left[A->row[e]] -= A->value[e] * x[j];
            terms[A->row[e]] += fabs(A->value[e] * x[j]);
        }
    for (uint32_t i = 0; i < A->size; i++) {
        largest = fmax(largest, fabs(left[i]));
        scale = fmax(scale, terms[i]);
    }
    if (!(largest <= ROUND_OFF * scale)) fail_msg("%s: residual %.3g of %.3g", s->type->name, largest, scale);
}

static void factor_and_check(const solver *s, const tn_matrix *A, uint32_t seed, double *x)
{
    const tn_status status = s->type->factor(s->self, A);
    if (status != TN_OK) fail_msg("%s: factor says %d for seed %u", s->type->name, (int)status, seed);
    check_solution(s, A, seed, x);
}

/* ---- kinds of matrices: values over one pattern ---- */

/* Neither pattern nor values are symmetric. */
static void fill_unsymmetric(test_sparse *m, uint32_t seed) { test_sparse_values(m, seed); }

/* A stiff structure: symmetric, with a large diagonal. */
static void fill_definite(test_sparse *m, uint32_t seed)
{
    for (uint32_t j = 0; j < SIZE; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++) {
            const uint32_t i = (uint32_t)m->row[e], low = i < j ? i : j, high = i < j ? j : i;
            uint32_t of_pair = seed + 977u * low + high;
            m->value[e] = i == j ? 2.0 * SIZE : test_random(&of_pair);
        }
}

/* Every third unknown is a multiplier without anything on its diagonal, and has masses beside it. */
static void fill_constrained(test_sparse *m, uint32_t seed)
{
    for (uint32_t j = 0; j < SIZE; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++) {
            const uint32_t i = (uint32_t)m->row[e], low = i < j ? i : j, high = i < j ? j : i;
            uint32_t of_pair = seed + 977u * low + high;
            const bool multipliers = i % 3 == 2 && j % 3 == 2;
            m->value[e] = multipliers ? 0.0 : i == j ? 1e3 : test_random(&of_pair);
        }
}

/* Units: rows and columns of very different sizes. */
static void fill_scaled(test_sparse *m, uint32_t seed)
{
    fill_constrained(m, seed);
    for (uint32_t j = 0; j < SIZE; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            m->value[e] *= ldexp(1.0, (int)(j % 5) * 4 - (int)(m->row[e] % 7) * 3);
}

/* Two halves that have nothing to do with each other, now and then. */
static void fill_parts(test_sparse *m, uint32_t seed)
{
    fill_definite(m, seed);
    for (uint32_t j = 0; j < SIZE; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            if (((uint32_t)m->row[e] ^ j) & 1u && seed % 3 != 0) m->value[e] = 0.0;
}

/* The pattern and its transpose, and neighbours of a chain, so that multipliers have something to hold on to. */
static void make_pattern(test_sparse *m, bool symmetric)
{
    static bool joined[SIZE][SIZE];
    uint32_t seed = 11;
    int32_t count = 0;
    memset(joined, 0, sizeof joined);
    for (uint32_t i = 0; i < SIZE; i++)
        for (uint32_t j = 0; j < SIZE; j++) {
            const bool chosen = i == j || (i > j && i - j < 3) || fabs(test_random(&seed)) < 0.05;
            if (chosen) joined[i][j] = true;
            if (chosen && symmetric) joined[j][i] = true;
        }
    for (uint32_t j = 0; j < SIZE; j++) {
        m->start[j] = count;
        for (uint32_t i = 0; i < SIZE; i++)
            if (joined[i][j]) m->row[count++] = (int32_t)i;
    }
    m->start[SIZE] = count;
    m->matrix = (tn_matrix){sizeof(tn_matrix), SIZE, m->start, m->row, m->value};
}

static const struct {
    void (*fill)(test_sparse *m, uint32_t seed);
    bool symmetric, definite;
} kinds[] = {{fill_unsymmetric, false, false},
             {fill_definite, true, true},
             {fill_constrained, true, false},
             {fill_scaled, true, false},
             {fill_parts, true, true}};

/* 30 matrices of a kind, one after the other. */
static void check_kind(const tn_linear_type *type, const tn_linear_type *dense, size_t kind)
{
    static test_sparse m;
    solver one, other;
    double x[SIZE], y[SIZE], size = 0.0;
    make_pattern(&m, kinds[kind].symmetric);
    begin(&one, type, &m.matrix);
    begin(&other, dense, &m.matrix);
    for (uint32_t seed = 1; seed <= 30; seed++) {
        kinds[kind].fill(&m, seed);
        factor_and_check(&one, &m.matrix, seed, x);
        factor_and_check(&other, &m.matrix, seed, y);
        for (uint32_t i = 0; i < SIZE; i++)
            size = fmax(size, fabs(y[i]));
        for (uint32_t i = 0; i < SIZE; i++)
            if (!(fabs(x[i] - y[i]) <= 1e-7 * size))
                fail_msg("%s, kind %zu: %.17g and %.17g", type->name, kind, x[i], y[i]);
    }
    end(&one);
    end(&other);
}

/* Iterative ones need not solve every kind. */
static void test_solutions_have_one_backward_error_and_agree_with_dense(void **state)
{
    (void)state;
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS], *dense = NULL;
    const int count = tn_all_linear_plugins(type);
    for (int k = 0; k < count; k++)
        if (strcmp(type[k]->name, "dense") == 0) dense = type[k];
    assert_non_null(dense);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (int k = 0; k < count; k++)
            if (kinds[kind].definite || !tn_has_tolerance(type[k])) check_kind(type[k], dense, kind);
}

/* Complex values over the pattern: solutions, and those of a real matrix beside them. */
static void check_complex(const solver *s, const tn_complex_capability *known, const test_sparse *m,
                          uint32_t seed)
{
    static double value[2 * SIZE * SIZE];
    double x[2 * SIZE], left[2 * SIZE], terms = 0.0, largest = 0.0;
    uint32_t random = seed;
    for (int32_t e = 0; e < m->start[SIZE]; e++) {
        value[2 * e] = m->value[e];
        value[2 * e + 1] = 0.5 * fabs(m->value[e]) * test_random(&random);
    }
    for (uint32_t i = 0; i < 2 * SIZE; i++)
        x[i] = left[i] = test_random(&random);
    assert_int_equal(known->factor_complex(s->self, &m->matrix, value), TN_OK);
    assert_int_equal(known->solve_complex(s->self, x), TN_OK);
    for (uint32_t j = 0; j < SIZE; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++) {
            const double re = value[2 * e], im = value[2 * e + 1], *z = x + 2 * j;
            left[2 * m->row[e]] -= re * z[0] - im * z[1];
            left[2 * m->row[e] + 1] -= re * z[1] + im * z[0];
            terms = fmax(terms, hypot(re, im) * hypot(z[0], z[1]));
        }
    for (uint32_t i = 0; i < 2 * SIZE; i++)
        largest = fmax(largest, fabs(left[i]));
    if (!(largest <= 10.0 * ROUND_OFF * terms))
        fail_msg("%s: complex residual %.3g of %.3g", s->type->name, largest, terms);
}

static void test_complex_matrices_are_solved_beside_real_ones(void **state)
{
    (void)state;
    static test_sparse m;
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS];
    const int count = tn_linear_plugins(type);
    make_pattern(&m, true);
    for (int k = 0; k < count; k++) {
        const tn_complex_capability *known = tn_capability_of(type[k]->capabilities, TN_COMPLEX_KEY);
        if (!known) continue;
        solver s;
        double x[SIZE], none[2] = {0.0};
        begin(&s, type[k], &m.matrix);
        assert_int_equal(known->solve_complex(s.self, none), TN_FATAL); /* nothing was factorised */
        fill_constrained(&m, 3);
        factor_and_check(&s, &m.matrix, 3, x);
        for (uint32_t seed = 1; seed <= 10; seed++) {
            fill_constrained(&m, seed);
            check_complex(&s, known, &m, seed);
        }
        fill_constrained(&m, 3);
        check_solution(&s, &m.matrix, 4, x);
        end(&s);
    }
}

/* ---- what is no matrix ---- */

static void test_singular_matrices_ask_for_a_retry_and_good_ones_after_them_are_solved(void **state)
{
    (void)state;
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS];
    const int count = tn_linear_plugins(type);
    const int32_t start[] = {0, 3, 6, 9}, row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    const double singular[2][9] = {{1, 2, 4, 2, 4, 8, 0, 0, 1}, {1, 0, 0, 0, 0, 0, 0, 0, 1}};
    for (int k = 0; k < count; k++)
        for (int which = 0; which < 2; which++) {
            double value[9];
            const tn_matrix matrix = {sizeof matrix, 3, start, row, value};
            solver s;
            begin(&s, type[k], &matrix);
            for (int again = 0; again < 2; again++) {
                memcpy(value, singular[which], sizeof value);
                if (type[k]->factor(s.self, &matrix) != TN_RETRY)
                    fail_msg("%s factorises a singular matrix", type[k]->name);
                value[4] += 5.0;
                double x[3];
                factor_and_check(&s, &matrix, 5, x);
            }
            end(&s);
        }
}

static void test_a_matrix_without_rows_is_fine(void **state)
{
    (void)state;
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS];
    const int count = tn_linear_plugins(type);
    const int32_t start[] = {0}, row[] = {0};
    double value[] = {0.0};
    const tn_matrix matrix = {sizeof matrix, 0, start, row, value};
    for (int k = 0; k < count; k++) {
        solver s;
        begin(&s, type[k], &matrix);
        assert_int_equal(type[k]->factor(s.self, &matrix), TN_OK);
        assert_int_equal(type[k]->solve(s.self, value), TN_OK);
        end(&s);
        type[k]->destroy(NULL);
    }
}

/* ---- bits ---- */

static void test_the_same_history_gives_the_same_bits(void **state)
{
    (void)state;
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS];
    const int count = tn_linear_plugins(type);
    for (int k = 0; k < count; k++) {
        static test_sparse m;
        double x[2][SIZE];
        make_pattern(&m, true);
        for (int run = 0; run < 2; run++) {
            solver s;
            begin(&s, type[k], &m.matrix);
            for (uint32_t seed = 1; seed <= 5; seed++) {
                fill_parts(&m, seed);
                factor_and_check(&s, &m.matrix, seed, x[run]);
            }
            end(&s);
        }
        assert_memory_equal(x[0], x[1], sizeof x[0]);
    }
}

typedef struct bytes {
    tn_state_visitor visitor;
    char data[1 << 18];
    size_t count;
} bytes;

static void take_bytes(tn_state_visitor *visitor, void *data, size_t size)
{
    bytes *b = (bytes *)visitor;
    assert_true(b->count + size <= sizeof b->data);
    if (visitor->restores)
        memcpy(data, b->data + b->count, size);
    else
        memcpy(b->data + b->count, data, size);
    b->count += size;
}

/* Hands the state of one over to the other. */
static void hand_over(const tn_linear_state_capability *known, const solver *one, const solver *other,
                      const tn_matrix *matrix)
{
    static bytes b;
    b.visitor = (tn_state_visitor){.struct_size = sizeof b.visitor, .bytes = take_bytes};
    b.count = 0;
    assert_int_equal(known->state(one->self, matrix, &b.visitor), TN_OK);
    const size_t count = b.count;
    b.visitor.restores = 1;
    b.count = 0;
    assert_int_equal(known->state(other->self, matrix, &b.visitor), TN_OK);
    assert_int_equal(b.count, count);
}

/* What comes before the state is handed over. */
typedef enum history { SYMMETRIC, UNSYMMETRIC, COST_ALONE, NOTHING, HISTORIES } history;

static void begin_history(const solver *s, history before, test_sparse *m)
{
    const tn_cost_capability *costs = tn_capability_of(s->type->capabilities, TN_COST_KEY);
    double x[SIZE];
    tn_linear_cost cost;
    if (before == UNSYMMETRIC) {
        fill_unsymmetric(m, 3);
        factor_and_check(s, &m->matrix, 3, x);
    }
    for (uint32_t seed = 1; seed <= 5; seed++) {
        fill_parts(m, seed);
        if (before == SYMMETRIC || before == UNSYMMETRIC) factor_and_check(s, &m->matrix, seed, x);
    }
    if (before == COST_ALONE && costs) assert_int_equal(costs->cost(s->self, &m->matrix, &cost), TN_OK);
}

/* Another one that has the state goes on with the same bits, whether it is fresh or has seen other matrices. */
static void check_state(const tn_linear_type *type, history before, bool fresh)
{
    static test_sparse m;
    const tn_linear_state_capability *known = tn_capability_of(type->capabilities, TN_LINEAR_STATE_KEY);
    solver one, other;
    double x[SIZE], y[SIZE];
    if (!known) return; /* then the kernel begins it anew from the last matrix */
    make_pattern(&m, true);
    begin(&one, type, &m.matrix);
    begin(&other, type, &m.matrix);
    begin_history(&one, before, &m);
    fill_definite(&m, 99);
    if (!fresh) factor_and_check(&other, &m.matrix, 99, y);
    hand_over(known, &one, &other, &m.matrix);
    const uint32_t first = before == SYMMETRIC || before == UNSYMMETRIC ? 5 : 6;
    for (uint32_t seed = first; seed <= 9; seed++) {
        fill_parts(&m, seed);
        if (seed > 5) factor_and_check(&one, &m.matrix, seed, x);
        if (seed > 5) factor_and_check(&other, &m.matrix, seed, y);
        check_solution(&one, &m.matrix, seed, x);
        check_solution(&other, &m.matrix, seed, y);
        assert_memory_equal(x, y, sizeof x);
    }
    end(&one);
    end(&other);
}

static void test_state_is_all_that_later_solutions_depend_on(void **state)
{
    (void)state;
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS];
    const int count = tn_linear_plugins(type);
    for (int k = 0; k < count; k++)
        for (int before = 0; before < HISTORIES; before++)
            for (int fresh = 0; fresh < 2; fresh++)
                check_state(type[k], (history)before, fresh);
}

static void test_large_models_choose_among_solvers_that_hand_over_their_state(void **state)
{
    (void)state;
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS];
    const int count = tn_linear_plugins(type);
    for (int k = 0; k < count; k++)
        if (tn_capability_of(type[k]->capabilities, TN_COST_KEY) &&
            !tn_capability_of(type[k]->capabilities, TN_LINEAR_STATE_KEY))
            fail_msg("%s takes checkpoints away from models that have not asked for it", type[k]->name);
}

/* ---- what they cost ---- */

static void test_costs_are_those_of_the_factors_that_come(void **state)
{
    (void)state;
    static test_sparse m;
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS];
    const int count = tn_linear_plugins(type);
    int asked = 0;
    make_pattern(&m, true);
    fill_definite(&m, 1);
    for (int k = 0; k < count; k++) {
        const tn_cost_capability *known = tn_capability_of(type[k]->capabilities, TN_COST_KEY);
        const tn_estimate_capability *estimates = tn_capability_of(type[k]->capabilities, TN_ESTIMATE_KEY);
        if (!known) continue;
        solver s;
        tn_linear_cost cost = {0};
        double x[SIZE], entries = 0.0, operations = 0.0;
        begin(&s, type[k], &m.matrix);
        assert_int_equal(known->cost(s.self, &m.matrix, &cost), TN_OK);
        factor_and_check(&s, &m.matrix, 1, x);
        assert_int_equal(estimates->estimate(s.self, &entries, &operations), TN_OK);
        assert_true(fabs(cost.entries - entries) <= 0.02 * entries);
        assert_true(cost.operations >= 0.3 * operations && cost.operations <= 3.0 * operations);
        assert_true(cost.memory >= 8.0 * entries && cost.solution > 0.0);
        const bool declines = cost.factorisation == HUGE_VAL; /* others are better */
        assert_true(declines ? cost.solution == HUGE_VAL : cost.factorisation > cost.solution);
        end(&s);
        asked++;
    }
    assert_true(asked > 0);
}

/* What each of them expects; zeros of those that do not say. */
static void ask_costs(const tn_linear_type *const *type, int count, const tn_matrix *matrix,
                      tn_linear_cost *cost)
{
    for (int k = 0; k < count; k++) {
        const tn_cost_capability *known = tn_capability_of(type[k]->capabilities, TN_COST_KEY);
        solver s;
        cost[k] = (tn_linear_cost){0};
        if (!known) continue;
        begin(&s, type[k], matrix);
        assert_int_equal(known->cost(s.self, matrix, &cost[k]), TN_OK);
        end(&s);
    }
}

/* Otherwise a large model would not ask one that is better. The bound follows from the shortest factors of the others. */
static void test_nobody_costs_less_than_its_bound_by_the_factors_of_others(void **state)
{
    (void)state;
    static test_sparse m;
    const tn_linear_type *type[TN_MOST_LINEAR_PLUGINS];
    tn_linear_cost cost[TN_MOST_LINEAR_PLUGINS], least;
    const int count = tn_linear_plugins(type);
    make_pattern(&m, true);
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 0)
            fill_definite(&m, 1);
        else
            fill_unsymmetric(&m, 1);
        ask_costs(type, count, &m.matrix, cost);
        for (int k = 0; k < count; k++) {
            const tn_cost_capability *asked = tn_capability_of(type[k]->capabilities, TN_COST_KEY);
            tn_linear_cost known = {.entries = HUGE_VAL, .operations = HUGE_VAL};
            for (int other = 0; other < count; other++) {
                if (other == k || cost[other].entries == 0.0) continue;
                known.entries = fmin(known.entries, cost[other].entries);
                known.operations = fmin(known.operations, cost[other].operations);
            }
            if (!asked || !asked->least || known.entries == HUGE_VAL) continue;
            asked->least(m.matrix.size, &known, &least);
            assert_true(least.factorisation > 0.0 && least.factorisation <= cost[k].factorisation);
            assert_true(least.solution > 0.0 && least.solution <= cost[k].solution);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions_have_one_backward_error_and_agree_with_dense),
        cmocka_unit_test(test_complex_matrices_are_solved_beside_real_ones),
        cmocka_unit_test(test_singular_matrices_ask_for_a_retry_and_good_ones_after_them_are_solved),
        cmocka_unit_test(test_a_matrix_without_rows_is_fine),
        cmocka_unit_test(test_the_same_history_gives_the_same_bits),
        cmocka_unit_test(test_state_is_all_that_later_solutions_depend_on),
        cmocka_unit_test(test_large_models_choose_among_solvers_that_hand_over_their_state),
        cmocka_unit_test(test_costs_are_those_of_the_factors_that_come),
        cmocka_unit_test(test_nobody_costs_less_than_its_bound_by_the_factors_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_chain_blocks.c - large models, whose order is that of whole bodies and joints. */
#include "chain.c"

#include "../../solvers/test_host.h"
#include "../test_matrix.h"
#include "test_copier.h"

enum { BAYS = 130, UNKNOWNS = 17 * BAYS, MOST_ENTRIES = 200 * BAYS };

/* Ladders of two rows of bodies with a rung in each bay, all of 3 unknowns, and 4 joints of 2 rows. */
typedef struct ladder {
    int32_t start[UNKNOWNS + 1], row[MOST_ENTRIES];
    double value[MOST_ENTRIES], x[UNKNOWNS], b[UNKNOWNS];
    tn_matrix matrix;
} ladder;

/* The body at end `side` of a joint; those before the first bay are the ground. */
static int32_t body_of(int32_t joint, int32_t side)
{
    const int32_t bay = joint / 4, kind = joint % 4, row = kind % 2;
    if (kind < 2) return 3 * (bay - (side == 0)) + row;
    return 3 * bay + (side == 0 ? row : 2);
}

/* Row i of a joint in the plane, along x or y, and unknown k of the body at a side of it: x, y or its angle, which is none where nothing is
 * bent. Bodies of rows lie along x, rungs along y, and all are 1 long. */
static double entry_of(int32_t joint, int32_t i, int32_t side, int32_t k, double bent)
{
    const int32_t body = body_of(joint, side);
    const double angle = bent * sin((double)body), sign = side ? 1.0 : -1.0;
    const double end = side == 0 || joint % 4 == 3 ? 0.5 : -0.5;
    const double along_x = body % 3 == 2 ? -end * sin(angle) : end * cos(angle);
    const double along_y = body % 3 == 2 ? end * cos(angle) : end * sin(angle);
    if (k < 2) return i == k ? sign : 0.0;
    return sign * (i == 0 ? -along_y : along_x);
}

static void add_entry(ladder *l, int32_t *count, int32_t row, double value)
{
    assert_true(*count < MOST_ENTRIES);
    l->row[*count] = row;
    l->value[(*count)++] = value;
}

static void fill_column(ladder *l, int32_t *count, int32_t c, double bent)
{
    const int32_t rows = 9 * BAYS;
    for (int32_t r = c / 3 * 3; c < rows && r < c / 3 * 3 + 3; r++)
        add_entry(l, count, r, r == c ? (c % 3 == 2 ? 1.0 / 12.0 : 1.0) : 0.1 * bent * (r - c));
    for (int32_t row = 0; c < rows && row < 8 * BAYS; row++)
        for (int32_t side = 0; side < 2; side++)
            if (body_of(row / 2, side) == c / 3)
                add_entry(l, count, rows + row, entry_of(row / 2, row % 2, side, c % 3, bent));
    if (c < rows) return;
    const int32_t joint = (c - rows) / 2;
    for (int32_t side = 0; side < 2; side++) /* the outer body is behind the inner one */
        for (int32_t k = 0; k < 3 && body_of(joint, side) >= 0; k++)
            add_entry(l, count, 3 * body_of(joint, side) + k,
                      entry_of(joint, c % 2 != rows % 2, side, k, bent));
    add_entry(l, count, c, 0.0);
}

static void fill_ladder(ladder *l, double bent)
{
    int32_t count = 0;
    for (int32_t c = 0; c < UNKNOWNS; c++) {
        l->start[c] = count;
        fill_column(l, &count, c, bent);
    }
    l->start[UNKNOWNS] = count;
    l->matrix = (tn_matrix){sizeof l->matrix, UNKNOWNS, l->start, l->row, l->value};
}

/* What the solution leaves of a right-hand side, against the largest number in either. */
static double residual_of(void *self, ladder *l)
{
    double residual = 0.0, largest = 1.0;
    for (int32_t i = 0; i < UNKNOWNS; i++)
        l->x[i] = l->b[i] = cos((double)i);
    assert_int_equal(chain_type.factor(self, &l->matrix), TN_OK);
    assert_int_equal(chain_type.solve(self, l->x), TN_OK);
    for (int32_t c = 0; c < UNKNOWNS; c++)
        for (int32_t k = l->start[c]; k < l->start[c + 1]; k++)
            l->b[l->row[k]] -= l->value[k] * l->x[c];
    for (int32_t i = 0; i < UNKNOWNS; i++) {
        residual = fmax(residual, fabs(l->b[i]));
        largest = fmax(largest, fabs(l->x[i]));
    }
    return residual / largest;
}

/* What the ladder is, without entries that come as it bends; then with them. */
static void test_order_of_blocks_stays_as_the_pattern_grows(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    ladder *l = calloc(1, sizeof *l);
    void *self = NULL;
    assert_non_null(l);
    fill_ladder(l, 0.0);
    assert_int_equal(chain_type.create(&host.table, NULL, &l->matrix, &self), TN_OK);
    const chain_solver *solver = self;
    assert_true(residual_of(self, l) < 1e-12);
    assert_true(solver->is.by_blocks);
    uint32_t *order = malloc(UNKNOWNS * sizeof *order);
    assert_non_null(order);
    memcpy(order, solver->factors.order.order, UNKNOWNS * sizeof *order);
    const size_t used = used_pattern_size(solver->pattern.used, &l->matrix);
    for (int k = 1; k < 5; k++) {
        fill_ladder(l, 1e-3 * k);
        assert_true(residual_of(self, l) < 1e-12);
        assert_true(solver->is.by_blocks && !solver->fallback.is.active);
        assert_memory_equal(order, solver->factors.order.order, UNKNOWNS * sizeof *order);
    }
    assert_true(used_pattern_size(solver->pattern.used, &l->matrix) > used);
    chain_type.destroy(self);
    free(order);
    free(l);
    test_host_end(&host);
}

/* What is counted before the first factorisation is there, and stays: solutions have the same bits as without it; so they have where
 * something that has been counted is zero in the first matrix, or something else is not. */
static void check_counted(double bent, double first)
{
    test_host host;
    test_host_begin(&host);
    ladder *l = calloc(1, sizeof *l);
    double *x = malloc(UNKNOWNS * sizeof *x);
    void *counted = NULL, *other = NULL;
    tn_linear_cost cost;
    assert_true(l && x);
    fill_ladder(l, bent);
    assert_int_equal(chain_type.create(&host.table, NULL, &l->matrix, &counted), TN_OK);
    assert_int_equal(chain_type.create(&host.table, NULL, &l->matrix, &other), TN_OK);
    assert_int_equal(cost_of_chain(counted, &l->matrix, &cost), TN_OK);
    const chain_factors *factors = &((chain_solver *)counted)->factors;
    const double *numbers = factors->value;
    assert_non_null(numbers);
    assert_true(cost.entries == 1.25 * (2.0 * factors->rows + UNKNOWNS) && cost.factorisation < 1.0);
    for (int k = 0; k < 4; k++) {
        fill_ladder(l, first + 0.01 * k);
        assert_true(residual_of(counted, l) < 1e-12);
        assert_true(k > 0 || bent != first || factors->value == numbers);
        memcpy(x, l->x, UNKNOWNS * sizeof *x);
        (void)residual_of(other, l);
        assert_memory_equal(x, l->x, UNKNOWNS * sizeof *x);
    }
    chain_type.destroy(counted);
    chain_type.destroy(other);
    free(x);
    free(l);
    test_host_end(&host);
}

static void test_factors_that_are_counted_serve_the_run(void **state)
{
    (void)state;
    check_counted(0.0, 0.0);
    check_counted(0.1, 0.0);
    check_counted(0.0, 0.1);
}

/* The other one has no order of its own before. */
static void test_state_of_blocks_goes_on_bit_by_bit(void **state)
{
    (void)state;
    static copier copy;
    test_host host;
    test_host_begin(&host);
    ladder *l = calloc(1, sizeof *l);
    double *x = malloc(UNKNOWNS * sizeof *x);
    void *first = NULL, *second = NULL;
    assert_true(l && x);
    fill_ladder(l, 0.0);
    assert_int_equal(chain_type.create(&host.table, NULL, &l->matrix, &first), TN_OK);
    assert_int_equal(chain_type.create(&host.table, NULL, &l->matrix, &second), TN_OK);
    for (int k = 0; k < 4; k++) { /* as it is, as it has grown, behind the next matrix */
        fill_ladder(l, k == 0 ? 0.0 : 0.01 * k);
        (void)residual_of(first, l);
        if (k == 3)
            (void)residual_of(second, l);
        else
            copy_state(&copy, first, second, &l->matrix);
        for (int32_t i = 0; i < UNKNOWNS; i++)
            x[i] = l->x[i] = sin((double)i);
        assert_int_equal(chain_type.solve(first, x), TN_OK);
        assert_int_equal(chain_type.solve(second, l->x), TN_OK);
        assert_memory_equal(x, l->x, UNKNOWNS * sizeof *x);
        assert_true(((chain_solver *)second)->is.by_blocks);
    }
    chain_type.destroy(first);
    chain_type.destroy(second);
    free(x);
    free(l);
    test_host_end(&host);
}

static chain_verdict order_of_blocks(chain_order *order, const tn_matrix *matrix)
{
    tn_block_pattern blocks;
    assert_true(tn_block_pattern_make(&blocks, matrix, CHAIN_WIDEST));
    const chain_verdict verdict = chain_order_blocks(order, &blocks, matrix);
    tn_block_pattern_free(&blocks);
    return verdict;
}

/* Each unknown goes once, and rows of constraints behind the bodies that they connect. */
static void test_rows_wait_for_their_bodies(void **state)
{
    (void)state;
    ladder *l = calloc(1, sizeof *l);
    uint32_t *position = malloc(UNKNOWNS * sizeof *position);
    chain_order order;
    assert_true(l && position);
    fill_ladder(l, 0.1);
    memset(position, 0xff, UNKNOWNS * sizeof *position);
    assert_int_equal(order_of_blocks(&order, &l->matrix), CHAIN_ORDERED);
    for (uint32_t k = 0; k < UNKNOWNS; k++) {
        assert_int_equal(position[order.order[k]], CHAIN_NONE);
        position[order.order[k]] = k;
    }
    for (int32_t c = 9 * BAYS; c < UNKNOWNS; c++)
        for (int32_t k = l->start[c]; k < l->start[c + 1] - 1; k++)
            assert_true(position[l->row[k]] < position[c]);
    chain_order_free(&order);
    free(position);
    free(l);
}

/* Entries on one side only: of a body in the row of another one that is far away. */
static void test_one_sided_patterns_have_an_order(void **state)
{
    (void)state;
    enum { N = 40 };
    int32_t start[N + 1], row[2 * N], count = 0;
    double value[2 * N];
    bool there[N] = {false};
    for (int32_t c = 0; c < N; c++) {
        start[c] = count;
        row[count] = c;
        value[count++] = 2.0;
        if (c >= N / 2) continue;
        row[count] = N - 1 - c;
        value[count++] = 1.0;
    }
    start[N] = count;
    const tn_matrix matrix = {sizeof matrix, N, start, row, value};
    chain_order order;
    assert_int_equal(order_of_blocks(&order, &matrix), CHAIN_ORDERED);
    for (uint32_t k = 0; k < N; k++) {
        assert_false(there[order.order[k]]);
        there[order.order[k]] = true;
    }
    chain_order_free(&order);
}

/* Rows that wait for a body without mass have no pivots. Blocks are not ordered again then. */
static void test_pivots_are_chosen_where_blocks_have_none(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    ladder *l = calloc(1, sizeof *l);
    void *self = NULL;
    assert_non_null(l);
    fill_ladder(l, 0.1);
    for (int32_t c = 300; c < 303; c++)
        for (int32_t k = l->start[c]; k < l->start[c + 1]; k++)
            if (l->row[k] < 9 * BAYS) l->value[k] = l->row[k] == c ? 1e-14 : 0.0;
    assert_int_equal(chain_type.create(&host.table, NULL, &l->matrix, &self), TN_OK);
    const chain_solver *solver = self;
    assert_true(residual_of(self, l) < 1e-11);
    assert_true(solver->is.no_blocks && !solver->is.by_blocks);
    fill_ladder(l, 0.1);
    for (int k = 0; k < 3; k++)
        assert_true(residual_of(self, l) < 1e-12);
    assert_true(solver->is.ordered && !solver->is.by_blocks && !solver->fallback.is.active);
    chain_type.destroy(self);
    free(l);
    test_host_end(&host);
}

/* Where each block has many neighbours. */
static void test_factors_that_fill_are_given_up_early(void **state)
{
    (void)state;
    enum { N = 400 };
    int32_t *start = malloc((N + 1) * sizeof *start), *row = malloc((size_t)N * N * sizeof *row), count = 0;
    double *value = malloc((size_t)N * N * sizeof *value);
    uint32_t seed = 7;
    assert_true(start && row && value);
    for (int32_t c = 0; c < N; c++) {
        start[c] = count;
        for (int32_t r = 0; r < N; r++) {
            if (r != c && (r * 7 + c * 7) % 11 > 4) continue;
            row[count] = r;
            value[count++] = r == c ? 100.0 : test_random(&seed);
        }
    }
    start[N] = count;
    const tn_matrix matrix = {sizeof matrix, N, start, row, value};
    chain_order order;
    assert_int_equal(order_of_blocks(&order, &matrix), CHAIN_TOO_FULL);
    chain_order_free(&order);
    free(start);
    free(row);
    free(value);
}

enum {
    ARMS = 700,
    COORDINATES = 3 * (1 + ARMS),
    STAR = COORDINATES + 2 * ARMS,
    STAR_ENTRIES = 35 * ARMS + 9
};

/* A heavy body, the hub, to which all others are joined by two rows each; whether there is an entry in this row and column. */
static bool is_in_star(int32_t row, int32_t column, double *value)
{
    const int32_t first = row < column ? row : column, last = row < column ? column : row;
    const int32_t joint = (last - COORDINATES) / 2;
    *value = 0.0;
    if (last < COORDINATES) {
        *value = row != column ? 0.01 : row < 3 ? 100.0 : 1.0;
        return row / 3 == column / 3;
    }
    if (first >= COORDINATES) return first == last;
    const double sign = first < 3 ? -1.0 : 1.0;
    *value = sign * (first % 3 == (last - COORDINATES) % 2) + 0.1 * sin((double)(first + 3 * last));
    return first < 3 || first / 3 - 1 == joint;
}

static void fill_star(tn_matrix *matrix, int32_t *start, int32_t *row, double *value)
{
    int32_t count = 0;
    for (int32_t c = 0; c < STAR; c++) {
        start[c] = count;
        for (int32_t r = 0; r < STAR; r++) {
            double number;
            if (!is_in_star(r, c, &number)) continue;
            assert_true(count < STAR_ENTRIES);
            row[count] = r;
            value[count++] = number;
        }
    }
    start[STAR] = count;
    *matrix = (tn_matrix){sizeof *matrix, STAR, start, row, value};
}

/* Behind the hub all of its rows would fill one block. */
static void test_rows_do_not_wait_for_a_hub(void **state)
{
    (void)state;
    static int32_t start[STAR + 1], row[STAR_ENTRIES];
    static double value[STAR_ENTRIES], x[STAR], left[STAR];
    test_host host;
    tn_matrix matrix;
    void *self = NULL;
    test_host_begin(&host);
    fill_star(&matrix, start, row, value);
    assert_int_equal(chain_type.create(&host.table, NULL, &matrix, &self), TN_OK);
    for (int32_t i = 0; i < STAR; i++)
        x[i] = left[i] = cos((double)i);
    assert_int_equal(chain_type.factor(self, &matrix), TN_OK);
    const chain_solver *solver = self;
    assert_true(solver->is.by_blocks && solver->factors.rows < 10.0 * STAR);
    assert_int_equal(chain_type.solve(self, x), TN_OK);
    for (int32_t c = 0; c < STAR; c++)
        for (int32_t k = start[c]; k < start[c + 1]; k++)
            left[row[k]] -= value[k] * x[c];
    for (int32_t i = 0; i < STAR; i++)
        assert_true(fabs(left[i]) < 1e-10);
    chain_type.destroy(self);
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_blocks_stays_as_the_pattern_grows),
        cmocka_unit_test(test_factors_that_are_counted_serve_the_run),
        cmocka_unit_test(test_state_of_blocks_goes_on_bit_by_bit),
        cmocka_unit_test(test_rows_wait_for_their_bodies),
        cmocka_unit_test(test_one_sided_patterns_have_an_order),
        cmocka_unit_test(test_pivots_are_chosen_where_blocks_have_none),
        cmocka_unit_test(test_factors_that_fill_are_given_up_early),
        cmocka_unit_test(test_rows_do_not_wait_for_a_hub),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_rank_eliminate.c - redundant rows of large parts, which are eliminated body by body. */
#include "analysis/test_rank.h"

/* Four-bars side by side in the plane x, y that share their rockers: bodies 0 ... windows are rockers. */
static mechanism windows_of(uint32_t windows)
{
    const uint32_t hinges = 3 * windows + 1;
    mechanism m = begin(2 * windows + 1, 6, 5 * hinges + 1, 60 * hinges);
    for (uint32_t k = 0; k < m.bodies; k++) {
        m.centre[k][0] = k <= windows ? k : k - windows - 0.5;
        m.centre[k][1] = k <= windows ? 0.5 : 1.0;
    }
    for (uint32_t k = 0; k <= windows; k++)
        revolute(&m, k, GROUND, (const double[3]){k, 0, 0}, 2);
    for (uint32_t k = 0; k < windows; k++) {
        revolute(&m, k, windows + 1 + k, (const double[3]){k, 1, 0}, 2);
        revolute(&m, k + 1, windows + 1 + k, (const double[3]){k + 1, 1, 0}, 2);
    }
    return m;
}

static void test_windows_have_three_redundant_rows_each_in_sets_that_stay_small(void **state)
{
    (void)state;
    needs_dense();
    const uint32_t windows = 300;
    mechanism m = windows_of(windows);
    tn_rank found;
    assert_int_equal(find(&m, dense, &found), TN_OK);
    assert_int_equal(found.redundant, 3 * windows);
    assert_int_equal(found.rank, m.matrix.rows - 3 * windows);
    assert_int_equal(found.rank, 6 * m.bodies - 1); // one degree of freedom
    for (uint32_t set = 0; set < found.set_count; set++)
        assert_true(found.set_start[set + 1] - found.set_start[set] <= 24);
    for (uint32_t k = 0; k < found.set_start[found.set_count]; k++)
        assert_true(found.set_row[k] % 5 >= 2); // out of the plane
    tn_rank_free(&found);
    end(&m);
}

/* A row of the middle once more, not quite the same: it would stop the only motion. */
static void test_nearly_dependent_rows_are_told_apart_in_large_parts(void **state)
{
    (void)state;
    needs_dense();
    const double differences[] = {1e-6, 1e-11};
    for (int k = 0; k < 2; k++) {
        mechanism m = windows_of(100);
        const uint32_t row = 5 * 150, start = m.matrix.row_start[row];
        for (uint32_t e = start; e < m.matrix.row_start[row + 1]; e++)
            add_entry(&m, m.matrix.column[e], m.matrix.value[e] * (e == start ? 1.0 + differences[k] : 1.0));
        end_row(&m);
        tn_rank found;
        assert_int_equal(find(&m, dense, &found), TN_OK);
        assert_int_equal(found.redundant, 300 + k);
        uint32_t pairs = 0; // sets of two are the row and its like
        for (uint32_t set = 0; set < found.set_count; set++)
            pairs += found.set_start[set + 1] - found.set_start[set] == 2 &&
                     found.set_row[found.set_start[set]] == row &&
                     found.set_row[found.set_start[set] + 1] == m.matrix.rows - 1;
        assert_int_equal(pairs, k);
        tn_rank_free(&found);
        end(&m);
    }
}

/* A closed chain of hinges in a plane: three redundant rows, however long it is. */
static void test_long_ring_has_three_redundant_rows(void **state)
{
    (void)state;
    needs_dense();
    const uint32_t count = 3000;
    const double radius = count / 6.283185307179586;
    mechanism m = begin(count, 6, 5 * count, 60 * count);
    for (uint32_t k = 0; k < count; k++) {
        m.centre[k][0] = radius * cos((k + 0.5) / radius);
        m.centre[k][1] = radius * sin((k + 0.5) / radius);
    }
    for (uint32_t k = 0; k < count; k++)
        revolute(&m, k ? k - 1 : 0, k ? k : count - 1,
                 (const double[3]){radius * cos(k / radius), radius * sin(k / radius), 0}, 2);
    tn_rank found;
    assert_int_equal(find(&m, dense, &found), TN_OK);
    assert_int_equal(found.redundant, 3);
    assert_int_equal(found.rank, 5 * count - 3);
    tn_rank_free(&found);
    end(&m);
}

/* ---- random systems ---------------------------------------------------------------------------------------- */

static double random_number(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static uint32_t pick(uint32_t *seed, uint32_t count)
{
    return (uint32_t)((random_number(seed) + 1.0) / 2.0 * count);
}

/* Rank of some rows, by one factorisation. */
static uint32_t dense_rank(const mechanism *m, const uint32_t *row, uint32_t count, double tolerance)
{
    const uint32_t width = m->matrix.columns;
    double *matrix = calloc((size_t)count * width, sizeof *matrix);
    double *combination = calloc((size_t)count * count / 4 + 1, sizeof *combination);
    uint32_t *order = calloc(count + 1u, sizeof *order), rank = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = m->matrix.row_start[row[i]]; k < m->matrix.row_start[row[i] + 1]; k++)
            matrix[(size_t)i * width + m->matrix.column[k]] = m->matrix.value[k];
    assert_int_equal(dense->dependent(NULL, width, count, matrix, tolerance, &rank, order, combination),
                     TN_OK);
    free(matrix);
    free(combination);
    free(order);
    return rank;
}

/* Rows on two neighbours of a ring of bodies, or on any two; every tenth row combines two near ones. */
static mechanism random_system(uint32_t seed, uint32_t bodies, uint32_t rows)
{
    const uint32_t columns = 6 * bodies;
    mechanism m = begin(bodies, 6, rows, rows * 48);
    double *full = calloc((size_t)rows * columns, sizeof *full);
    for (uint32_t row = 0; row < rows; row++) {
        double *values = full + (size_t)row * columns;
        const bool combined = row % 10 == 9;
        uint32_t body = pick(&seed, bodies);
        for (int k = 0; k < 2; k++) {
            const double *other = full + (size_t)(row - 1 - (combined ? pick(&seed, 9) : 0)) * columns;
            const double factor = random_number(&seed);
            for (uint32_t c = 0; c < columns && combined; c++)
                values[c] += factor * other[c];
            for (uint32_t c = 6 * body; c < 6 * body + 6 && !combined; c++)
                values[c] = random_number(&seed);
            body = pick(&seed, 8) ? (body + 1) % bodies : pick(&seed, bodies);
        }
        for (uint32_t c = 0; c < columns; c++)
            add_entry(&m, c, values[c]);
        end_row(&m);
    }
    free(full);
    return m;
}

static void test_large_random_systems_agree_with_one_factorisation(void **state)
{
    (void)state;
    needs_dense();
    uint32_t *all = calloc(900, sizeof *all), large = 0;
    for (uint32_t k = 0; k < 900; k++)
        all[k] = k;
    for (uint32_t seed = 1; seed <= 3; seed++) {
        const uint32_t rows = 600 + 100 * seed;
        mechanism m = random_system(seed, 130, rows);
        tn_rank found;
        assert_int_equal(find(&m, dense, &found), TN_OK);
        assert_int_equal(found.rank, dense_rank(&m, all, rows, 1e-9));
        assert_int_equal(found.redundant, rows - found.rank);
        for (uint32_t set = 0; set < found.set_count; set += 10) {
            const uint32_t *row = found.set_row + found.set_start[set];
            const uint32_t count = found.set_start[set + 1] - found.set_start[set];
            assert_true(dense_rank(&m, row, count, 1e-5) < count); // but for rows with the smallest parts
        }
        large += found.core_rows > 500;
        tn_rank_free(&found);
        end(&m);
    }
    assert_true(large >= 2); // otherwise nothing was eliminated
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows_have_three_redundant_rows_each_in_sets_that_stay_small),
        cmocka_unit_test(test_nearly_dependent_rows_are_told_apart_in_large_parts),
        cmocka_unit_test(test_long_ring_has_three_redundant_rows),
        cmocka_unit_test(test_large_random_systems_agree_with_one_factorisation),
    };
    return cmocka_run_group_tests(tests, load_dense, NULL);
}

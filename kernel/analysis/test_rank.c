/* test_rank.c - redundant rows of hand-made mechanisms and matrices; the dense plugin decides about closed loops. */
#include "analysis/test_rank.h"

/* A four-bar in the plane x, y at `x`: bodies first ... first + 2, 20 rows. */
static void add_four_bar(mechanism *m, uint32_t first, double x)
{
    const double point[4][3] = {{x, 0, 0}, {x + 0.3, 1, 0}, {x + 2, 1.2, 0}, {x + 2.5, 0, 0}};
    for (uint32_t k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            m->centre[first + k][c] = 0.5 * (point[k][c] + point[k + 1][c]);
    revolute(m, first, GROUND, point[0], 2);
    revolute(m, first, first + 1, point[1], 2);
    revolute(m, first + 1, first + 2, point[2], 2);
    revolute(m, first + 2, GROUND, point[3], 2);
}

/* ---- mechanisms -------------------------------------------------------------------------------------------- */

static void test_planar_four_bar_has_three_redundant_rows_out_of_its_plane(void **state)
{
    (void)state;
    needs_dense();
    mechanism m = begin(3, 6, 20, 400);
    add_four_bar(&m, 0, 0.0);
    tn_rank found;
    assert_int_equal(find(&m, dense, &found), TN_OK);
    assert_int_equal(found.rank, 17);
    assert_int_equal(found.redundant, 3);
    assert_int_equal(found.set_count, 3);
    for (uint32_t k = 0; k < found.set_start[3]; k++)
        assert_true(found.set_row[k] % 5 >= 2); // z and the two rotations, never x and y
    tn_rank_free(&found);
    end(&m);
}

static void test_two_mechanisms_do_not_mix_in_a_set(void **state)
{
    (void)state;
    needs_dense();
    mechanism m = begin(6, 6, 40, 800);
    add_four_bar(&m, 0, 0.0);
    add_four_bar(&m, 3, 10.0);
    tn_rank found;
    assert_int_equal(find(&m, dense, &found), TN_OK);
    assert_int_equal(found.redundant, 6);
    for (uint32_t set = 0; set < found.set_count; set++)
        for (uint32_t k = found.set_start[set]; k < found.set_start[set + 1]; k++)
            assert_int_equal(found.set_row[k] / 20, set / 3);
    assert_int_equal(found.core_rows, 12);
    tn_rank_free(&found);
    end(&m);
}

/* Six hinges in space that move only because of their special axes: no count of rows tells. */
static void test_bricard_mechanism_has_one_redundant_row(void **state)
{
    (void)state;
    needs_dense();
    const double point[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    const int axis[6] = {1, 2, 0, 1, 2, 0};
    mechanism m = begin(5, 6, 30, 600);
    for (uint32_t k = 0; k < 5; k++)
        for (int c = 0; c < 3; c++)
            m.centre[k][c] = 0.5 * (point[k][c] + point[k + 1][c]);
    revolute(&m, 0, GROUND, point[0], axis[0]);
    for (uint32_t k = 1; k < 5; k++)
        revolute(&m, k - 1, k, point[k], axis[k]);
    revolute(&m, 4, GROUND, point[5], axis[5]);
    tn_rank found;
    assert_int_equal(find(&m, dense, &found), TN_OK);
    assert_int_equal(m.matrix.rows, 30);
    assert_int_equal(found.rank, 29);
    assert_int_equal(found.redundant, 1);
    assert_int_equal(found.set_count, 1);
    assert_true(found.set_start[1] > 12); // a loop of six: every hinge has a part in it
    uint32_t hinges = 0;
    for (uint32_t k = 0; k < found.set_start[1]; k++)
        hinges |= 1u << found.set_row[k] / 5;
    assert_int_equal(hinges, 63);
    tn_rank_free(&found);
    end(&m);
}

/* Rods in a row on spherical joints, the first one on ground; `order` numbers the bodies. */
static mechanism chain_of(uint32_t count, uint32_t step)
{
    mechanism m = begin(count, 6, 3 * count, 36 * count);
    for (uint32_t k = 0; k < count; k++)
        m.centre[(uint64_t)k * step % count][0] = k + 0.5;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t body = (uint32_t)((uint64_t)k * step % count);
        const uint32_t before = k ? (uint32_t)((uint64_t)(k - 1) * step % count) : GROUND;
        const double point[3] = {k, 0, 0};
        spherical(&m, body < before ? body : before, body < before ? before : body, point);
    }
    return m;
}

static void test_tree_needs_no_factorisation_in_any_order_of_its_bodies(void **state)
{
    (void)state;
    const uint32_t count = 100000, steps[] = {1, 38317, 99999}; // ascending, scattered, descending
    for (int k = 0; k < 3; k++) {
        mechanism m = chain_of(count, steps[k]);
        tn_rank found;
        assert_int_equal(find(&m, NULL, &found), TN_OK);
        assert_int_equal(found.rank, 3 * count);
        assert_int_equal(found.redundant, 0);
        assert_int_equal(found.core_rows, 0);
        tn_rank_free(&found);
        end(&m);
    }
}

/* A long chain hangs from one rod of a four-bar: only the four-bar is left to the factorisation. */
static void test_branches_of_a_loop_are_taken_off(void **state)
{
    (void)state;
    needs_dense();
    mechanism m = begin(53, 6, 20 + 150, 36 * 170);
    add_four_bar(&m, 0, 0.0);
    for (uint32_t k = 3; k < 53; k++) {
        const double point[3] = {1.0, 1.1 - (k - 3), 0};
        m.centre[k][0] = 1.0;
        m.centre[k][1] = 0.6 - (k - 3);
        spherical(&m, k == 3 ? 1 : k - 1, k, point);
    }
    tn_rank found;
    assert_int_equal(find(&m, dense, &found), TN_OK);
    assert_int_equal(found.rank, 17 + 150);
    assert_int_equal(found.redundant, 3);
    assert_int_equal(found.core_rows, 12);
    tn_rank_free(&found);
    end(&m);
}

/* ---- rows -------------------------------------------------------------------------------------------------- */

/* Two rows on two bodies of two columns that differ by `difference`; `scale` lengthens the second one. */
static uint32_t rank_of_pair(double difference, double scale)
{
    mechanism m = begin(2, 2, 3, 12);
    for (int k = 0; k < 3; k++) {
        const double factor = k ? scale : 1.0;
        add_entry(&m, 0, factor);
        add_entry(&m, 1, k == 2 ? -factor : factor);
        add_entry(&m, 2, 2.0 * factor);
        add_entry(&m, 3, k ? factor * (1.0 + difference) : 1.0);
        end_row(&m);
    }
    tn_rank found;
    assert_int_equal(find(&m, dense, &found), TN_OK);
    assert_int_equal(found.rank + found.redundant, 3);
    if (found.redundant) {
        assert_int_equal(found.set_start[1], 2);
        assert_int_equal(found.set_row[0], 0);
        assert_int_equal(found.set_row[1], 1);
    }
    const uint32_t rank = found.rank;
    tn_rank_free(&found);
    end(&m);
    return rank;
}

static void test_nearly_dependent_rows_are_told_apart_at_1e_9(void **state)
{
    (void)state;
    needs_dense();
    for (int k = -12; k <= 12; k += 4) {
        assert_int_equal(rank_of_pair(1e-7, pow(10.0, k)), 3);
        assert_int_equal(rank_of_pair(1e-11, pow(10.0, k)), 2);
        assert_int_equal(rank_of_pair(0.0, pow(10.0, k)), 2);
    }
}

/* The same, where a single body decides. */
static void test_a_body_alone_decides_with_the_same_tolerance(void **state)
{
    (void)state;
    needs_dense();
    for (int k = 0; k < 2; k++) {
        mechanism m = begin(1, 3, 2, 6);
        add_entry(&m, 0, 1.0);
        end_row(&m);
        add_entry(&m, 0, 1.0);
        add_entry(&m, 2, k ? 1e-11 : 1e-7);
        end_row(&m);
        tn_rank found;
        assert_int_equal(find(&m, dense, &found), TN_OK);
        assert_int_equal(found.redundant, k);
        assert_int_equal(found.core_rows, k ? 2 : 0);
        tn_rank_free(&found);
        end(&m);
    }
}

static void test_row_given_twice_makes_a_set_of_two(void **state)
{
    (void)state;
    needs_dense();
    mechanism m = chain_of(4, 1);
    m.matrix.column = realloc(m.matrix.column, 200 * sizeof(uint32_t));
    m.matrix.value = realloc(m.matrix.value, 200 * sizeof(double));
    m.matrix.row_start = realloc(m.matrix.row_start, 14 * sizeof(uint32_t));
    m.active = realloc(m.active, 14);
    m.active[12] = 1;
    for (uint32_t k = m.matrix.row_start[7]; k < m.matrix.row_start[8]; k++)
        add_entry(&m, m.matrix.column[k], -3.0 * m.matrix.value[k]);
    end_row(&m);
    tn_rank found;
    assert_int_equal(find(&m, dense, &found), TN_OK);
    assert_int_equal(found.rank, 12);
    assert_int_equal(found.redundant, 1);
    assert_int_equal(found.set_start[1], 2);
    assert_int_equal(found.set_row[0], 7);
    assert_int_equal(found.set_row[1], 12);
    tn_rank_free(&found);

    // as soon as one of them is switched off, nothing is redundant
    m.active[7] = 0;
    assert_int_equal(find(&m, NULL, &found), TN_OK);
    assert_int_equal(found.rank, 12);
    assert_int_equal(found.redundant, 0);
    tn_rank_free(&found);
    end(&m);
}

static void test_active_row_of_zeros_is_redundant_by_itself_and_an_inactive_one_does_not_count(void **state)
{
    (void)state;
    mechanism m = begin(1, 6, 4, 4);
    end_row(&m);
    add_entry(&m, 2, 1.0);
    end_row(&m);
    end_row(&m);
    m.matrix.column[m.entries] = 3; // a zero that is stored
    m.matrix.value[m.entries++] = 0.0;
    end_row(&m);
    m.active[2] = 0;
    tn_rank found;
    assert_int_equal(find(&m, NULL, &found), TN_OK);
    assert_int_equal(found.rank, 1);
    assert_int_equal(found.redundant, 2);
    assert_int_equal(found.set_count, 2);
    assert_int_equal(found.set_start[2], 2);
    assert_int_equal(found.set_row[0], 0);
    assert_int_equal(found.set_row[1], 3);
    tn_rank_free(&found);
    end(&m);
}

static void test_nothing_at_all_has_rank_zero(void **state)
{
    (void)state;
    mechanism m = begin(0, 6, 0, 0);
    tn_rank found;
    assert_int_equal(find(&m, NULL, &found), TN_OK);
    assert_int_equal(found.rank, 0);
    assert_int_equal(found.redundant, 0);
    assert_int_equal(found.set_count, 0);
    tn_rank_free(&found);
    end(&m);
}

static void test_closed_loops_that_cannot_be_analysed_are_counted(void **state)
{
    (void)state;
    mechanism m = begin(3, 6, 20, 400);
    add_four_bar(&m, 0, 0.0);
    tn_rank found;
    assert_int_equal(find(&m, NULL, &found), TN_UNSUPPORTED);
    assert_int_equal(found.core_rows, 12);
    tn_rank_free(&found);
    end(&m);

    needs_dense();
    const uint32_t many = 5001;
    m = begin(1, 2, many, 2 * many); // rows that stand out, but not clearly
    for (uint32_t k = 0; k < many; k++) {
        add_entry(&m, 0, 1.0);
        add_entry(&m, 1, 1e-4 * sin(k));
        end_row(&m);
    }
    assert_int_equal(find(&m, dense, &found), TN_UNSUPPORTED);
    assert_int_equal(found.core_rows, many);
    tn_rank_free(&found);
    end(&m);
}

/* ---- random systems ---------------------------------------------------------------------------------------- */

#define ROWS 18u
#define COLUMNS 24u

static double random_number(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* Rank of some rows, by the factorisation alone. */
static uint32_t dense_rank(const mechanism *m, const uint32_t *row, uint32_t count)
{
    double matrix[ROWS * COLUMNS] = {0}, combination[ROWS * ROWS / 4];
    uint32_t order[ROWS], rank = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = m->matrix.row_start[row[i]]; k < m->matrix.row_start[row[i] + 1]; k++)
            matrix[i * COLUMNS + m->matrix.column[k]] = m->matrix.value[k];
    assert_int_equal(dense->dependent(NULL, COLUMNS, count, matrix, 1e-9, &rank, order, combination), TN_OK);
    return rank;
}

/* Bodies of 4 columns and rows on one or two of them; a third of the rows combine two rows before. */
static mechanism random_system(uint32_t seed)
{
    mechanism m = begin(COLUMNS / 4, 4, ROWS, ROWS * COLUMNS);
    double full[ROWS][COLUMNS] = {{0}};
    for (uint32_t row = 0; row < ROWS; row++) {
        const bool combined = row > 5 && random_number(&seed) < -0.3;
        for (int k = 0; k < 2; k++) {
            const uint32_t pick =
                (uint32_t)((random_number(&seed) + 1.0) / 2.0 * (combined ? row : m.bodies));
            const double factor = random_number(&seed);
            for (uint32_t c = 0; c < COLUMNS && combined; c++)
                full[row][c] += factor * full[pick][c];
            for (uint32_t c = 4 * pick; c < 4 * pick + 4 && !combined; c++)
                full[row][c] = random_number(&seed);
        }
        for (uint32_t c = 0; c < COLUMNS; c++)
            add_entry(&m, c, full[row][c]);
        end_row(&m);
    }
    return m;
}

static void test_random_systems_agree_with_one_factorisation_and_their_sets_are_minimal(void **state)
{
    (void)state;
    needs_dense();
    uint32_t all[ROWS], peeled = 0, redundant = 0;
    for (uint32_t k = 0; k < ROWS; k++)
        all[k] = k;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        mechanism m = random_system(seed * 7919u);
        tn_rank found;
        assert_int_equal(find(&m, dense, &found), TN_OK);
        assert_int_equal(found.rank, dense_rank(&m, all, ROWS));
        assert_int_equal(found.redundant, ROWS - found.rank);
        assert_int_equal(found.set_count, found.redundant);
        for (uint32_t set = 0; set < found.set_count; set++) {
            const uint32_t *row = found.set_row + found.set_start[set];
            const uint32_t count = found.set_start[set + 1] - found.set_start[set];
            assert_int_equal(dense_rank(&m, row, count), count - 1); // dependent ...
            for (uint32_t without = 0; without < count; without++) { // ... and none could be missing
                uint32_t others[ROWS];
                memcpy(others, row, without * sizeof *row);
                memcpy(others + without, row + without + 1, (count - without - 1) * sizeof *row);
                assert_int_equal(dense_rank(&m, others, count - 1), count - 1);
            }
            for (uint32_t k = 1; k < count; k++)
                assert_true(row[k - 1] < row[k]);
        }
        peeled += found.core_rows < ROWS;
        redundant += found.redundant;
        tn_rank_free(&found);
        end(&m);
    }
    assert_true(peeled > 50 && redundant > 600); // of every kind there was enough
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar_four_bar_has_three_redundant_rows_out_of_its_plane),
        cmocka_unit_test(test_two_mechanisms_do_not_mix_in_a_set),
        cmocka_unit_test(test_bricard_mechanism_has_one_redundant_row),
        cmocka_unit_test(test_tree_needs_no_factorisation_in_any_order_of_its_bodies),
        cmocka_unit_test(test_branches_of_a_loop_are_taken_off),
        cmocka_unit_test(test_nearly_dependent_rows_are_told_apart_at_1e_9),
        cmocka_unit_test(test_a_body_alone_decides_with_the_same_tolerance),
        cmocka_unit_test(test_row_given_twice_makes_a_set_of_two),
        cmocka_unit_test(test_active_row_of_zeros_is_redundant_by_itself_and_an_inactive_one_does_not_count),
        cmocka_unit_test(test_nothing_at_all_has_rank_zero),
        cmocka_unit_test(test_closed_loops_that_cannot_be_analysed_are_counted),
        cmocka_unit_test(test_random_systems_agree_with_one_factorisation_and_their_sets_are_minimal),
    };
    return cmocka_run_group_tests(tests, load_dense, NULL);
}

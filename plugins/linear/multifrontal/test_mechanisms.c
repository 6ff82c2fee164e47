/* test_mechanisms.c - multifrontal with matrices of random mechanisms: bodies in nets of springs and joints. */
#include "multifrontal.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const tn_linear_type *const tested = &multifrontal_type;
static const tn_cost_capability *const test_cost = &multifrontal_cost;
static const tn_estimate_capability *const test_estimate = &multifrontal_estimate;

#include "../test_linear.h"

enum { BODIES = 40, COUPLINGS = 120, MOST_SIZE = 6 * BODIES + 5 * COUPLINGS };

/* Dense, by columns, with the entries that a model would announce. */
typedef struct mechanism {
    uint32_t size;
    double value[MOST_SIZE][MOST_SIZE];
    bool announced[MOST_SIZE][MOST_SIZE];
} mechanism;
static mechanism m;

/* A number below `count`. */
static uint32_t draw(uint32_t *seed, uint32_t count)
{
    return (uint32_t)(0.5 * (test_random(seed) + 1.0) * count) % count;
}

static void add(uint32_t row, uint32_t column, double value)
{
    m.value[column][row] += value;
    m.announced[column][row] = true;
}

static void add_spring(uint32_t one, uint32_t other, uint32_t *seed)
{
    const uint32_t body[2] = {one, other};
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t j = 0; j < 6; j++) {
            const double stiffness = i == j ? 10.0 : 0.5 * test_random(seed);
            for (uint32_t e = 0; e < 4; e++)
                add(6 * body[e / 2] + i, 6 * body[e % 2] + j, e / 2 == e % 2 ? stiffness : -stiffness);
        }
}

/* Holds displacements of one body to those of the other one, with levers. */
static void add_joint(uint32_t one, uint32_t other, uint32_t rows, uint32_t *seed)
{
    for (uint32_t r = m.size; r < m.size + rows; r++) {
        for (uint32_t s = m.size; s < m.size + rows; s++)
            add(r, s, 0.0);
        for (uint32_t i = 0; i < 6; i++)
            for (uint32_t e = 0; e < 2; e++) {
                const double lever = i < 3 ? (double)(i == r - m.size) : test_random(seed);
                const double entry = e == 0 ? lever : -lever;
                add(r, 6 * (e == 0 ? one : other) + i, entry);
                add(6 * (e == 0 ? one : other) + i, r, entry);
            }
    }
    m.size += rows;
}

/* Some are around a hub. No body has more rows than it has coordinates, so that none depends on others. */
static void make_mechanism(uint32_t seed)
{
    uint32_t left[BODIES];
    const uint32_t joints_of_seven = draw(&seed, 8);
    const bool has_hub = draw(&seed, 2);
    memset(&m, 0, sizeof m);
    m.size = 6 * BODIES;
    for (uint32_t b = 0; b < BODIES; b++) {
        left[b] = has_hub && b == 0 ? UINT32_MAX : 6;
        for (uint32_t i = 0; i < 36; i++)
            add(6 * b + i / 6, 6 * b + i % 6, i % 7 == 0 ? 1.0 + 30.0 * draw(&seed, 100) / 100.0 : 0.0);
    }
    for (uint32_t k = 0; k < COUPLINGS; k++) {
        const uint32_t one = has_hub && k % 3 == 0 ? 0 : draw(&seed, BODIES), other = draw(&seed, BODIES);
        const uint32_t rows = 1 + draw(&seed, 5);
        if (one == other) continue;
        if (draw(&seed, 7) >= joints_of_seven) {
            add_spring(one, other, &seed);
        } else if (rows <= left[one] && rows <= left[other]) {
            left[one] -= rows;
            left[other] -= rows;
            add_joint(one, other, rows, &seed);
        }
    }
}

static void list_entries(test_lattice *list)
{
    int32_t count = 0;
    list->start = malloc((m.size + 1) * sizeof *list->start);
    list->row = malloc((size_t)m.size * m.size * sizeof *list->row);
    list->value = malloc((size_t)m.size * m.size * sizeof *list->value);
    assert_true(list->start && list->row && list->value);
    for (uint32_t j = 0; j < m.size; j++) {
        list->start[j] = count;
        for (uint32_t i = 0; i < m.size; i++) {
            if (!m.announced[j][i]) continue;
            list->row[count] = (int32_t)i;
            list->value[count++] = m.value[j][i];
        }
    }
    list->start[m.size] = count;
    list->matrix = (tn_matrix){sizeof(tn_matrix), m.size, list->start, list->row, list->value};
}

/* Rows behind their bodies have pivots: KLU is not needed. */
static void test_mechanisms_are_solved_by_fronts_alone(void **state)
{
    (void)state;
    test_host host;
    test_host_begin(&host);
    for (uint32_t seed = 1; seed <= 200; seed++) {
        test_lattice list;
        void *self = NULL;
        make_mechanism(seed);
        list_entries(&list);
        assert_int_equal(multifrontal_type.create(&host.table, NULL, &list.matrix, &self), TN_OK);
        test_solves(&multifrontal_type, self, &list.matrix, seed);
        if (((const multifrontal_solver *)self)->fallback.is.count > 0) fail_msg("seed %u", seed);
        multifrontal_type.destroy(self);
        test_lattice_free(&list);
    }
    test_host_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mechanisms_are_solved_by_fronts_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

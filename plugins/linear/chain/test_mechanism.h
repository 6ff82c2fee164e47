/* test_mechanism.h - matrices of small mechanisms, and of paths, for the tests of chain. */
#ifndef TENON_TEST_MECHANISM_H
#define TENON_TEST_MECHANISM_H

#include "../test_matrix.h"

enum { BODIES = 10, MOST_JOINTS = 14 };
#define SIZE 60u

/* ---- matrices of mechanisms ---- */

typedef struct mechanism {
    uint32_t joints, inner[MOST_JOINTS], outer[MOST_JOINTS]; /* inner: BODIES for the ground */
    bool turned;                                             /* columns of constraints with the other sign */
    double compliance;
} mechanism;

static const mechanism chain_of_bodies = {
    10, {10, 0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, true, 1e-10};
static const mechanism tree_of_bodies = {
    10, {10, 0, 0, 1, 1, 2, 2, 3, 3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, false, 0.0};
static const mechanism loops_of_bodies = {
    13, {10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 4, 10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 8, 9}, true, 0.0};

/* Bodies of 3 unknowns behind each other, then joints of 2 rows each; stiffness between neighbours is not symmetric. */
static inline void fill_mechanism(test_sparse *sparse, const mechanism *m, uint32_t seed)
{
    static double a[TEST_MATRIX_SIZE][TEST_MATRIX_SIZE];
    static bool there[TEST_MATRIX_SIZE][TEST_MATRIX_SIZE];
    const uint32_t size = 3 * BODIES + 2 * m->joints;
    memset(a, 0, sizeof a);
    memset(there, 0, sizeof there);
    for (uint32_t i = 0; i < 3 * BODIES; i++)
        for (uint32_t k = i / 3 * 3; k < i / 3 * 3 + 3; k++) {
            a[i][k] = (i == k) * (2.0 + (i % 3) * 100.0) + 0.3 * test_random(&seed);
            there[i][k] = true;
        }
    for (uint32_t j = 0; j < m->joints; j++)
        for (uint32_t side = 0; side < 2; side++) {
            const uint32_t body = side ? m->outer[j] : m->inner[j];
            for (uint32_t r = 3 * BODIES + 2 * j; r < 3 * BODIES + 2 * j + 2; r++) {
                a[r][r] = m->compliance;
                there[r][r] = true;
                for (uint32_t i = 3 * body; body < BODIES && i < 3 * body + 3; i++) {
                    a[r][i] = (side ? 1.0 : -1.0) * (i % 3 == (r + side) % 2) + test_random(&seed);
                    a[i][r] = (m->turned ? -a[r][i] : a[r][i]) * (1.0 + 0.01 * test_random(&seed));
                    there[r][i] = there[i][r] = true;
                }
            }
        }
    int32_t count = 0;
    for (uint32_t c = 0; c < size; c++) {
        sparse->start[c] = count;
        for (uint32_t r = 0; r < size; r++) {
            if (!there[r][c]) continue;
            sparse->row[count] = (int32_t)r;
            sparse->value[count++] = a[r][c];
        }
    }
    sparse->start[size] = count;
    sparse->matrix = (tn_matrix){sizeof(tn_matrix), size, sparse->start, sparse->row, sparse->value};
}

/* A path: each unknown with its two neighbours, and with diagonals of even and of odd ones. */
static inline void fill_path(test_sparse *sparse, double even, double odd, double beside)
{
    int32_t count = 0;
    for (int32_t c = 0; c < (int32_t)SIZE; c++) {
        sparse->start[c] = count;
        for (int32_t r = c > 0 ? c - 1 : 0; r <= c + 1 && r < (int32_t)SIZE; r++) {
            sparse->row[count] = r;
            sparse->value[count++] = r != c ? beside : c % 2 ? odd : even;
        }
    }
    sparse->start[SIZE] = count;
    sparse->matrix = (tn_matrix){sizeof(tn_matrix), SIZE, sparse->start, sparse->row, sparse->value};
}

#endif

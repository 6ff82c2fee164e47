/* test_lattice.h - matrices of lattices, whose factors fill, for the tests of linear solvers. Included behind cmocka.h. */
#ifndef TENON_TEST_LATTICE_H
#define TENON_TEST_LATTICE_H

#include "test_matrix.h"

#include <stdlib.h>

typedef struct test_lattice {
    tn_matrix matrix;
    int32_t *start, *row;
    double *value;
} test_lattice;

/* width^2 height bodies of six coordinates, each joined to its neighbours; symmetric but for `skew`. */
static inline void test_lattice_make(test_lattice *lattice, int32_t width, int32_t height, double skew)
{
    static const int32_t step[7][3] = {{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {0, 0, 0},
                                       {1, 0, 0},  {0, 1, 0},  {0, 0, 1}};
    const int32_t bodies = width * width * height;
    int32_t count = 0;
    lattice->start = malloc(((size_t)bodies * 6 + 1) * sizeof *lattice->start);
    lattice->row = malloc((size_t)bodies * 252 * sizeof *lattice->row);
    lattice->value = malloc((size_t)bodies * 252 * sizeof *lattice->value);
    assert_true(lattice->start && lattice->row && lattice->value);
    for (int32_t column = 0; column < 6 * bodies; column++) {
        const int32_t body = column / 6,
                      place[3] = {body % width, body / width % width, body / width / width};
        lattice->start[column] = count;
        for (int k = 0; k < 7; k++) {
            const int32_t x = place[0] + step[k][0], y = place[1] + step[k][1], z = place[2] + step[k][2];
            if (x < 0 || y < 0 || z < 0 || x >= width || y >= width || z >= height) continue;
            for (int32_t i = 0; i < 6; i++) {
                const int32_t row = 6 * ((z * width + y) * width + x) + i, low = row < column ? row : column;
                uint32_t seed = (uint32_t)(row + column) + 7919u * (uint32_t)low;
                const double value = row == column ? 30.0 : test_random(&seed);
                lattice->row[count] = row;
                lattice->value[count++] = row < column ? value * (1.0 + skew) : value;
            }
        }
    }
    lattice->start[6 * bodies] = count;
    lattice->matrix =
        (tn_matrix){sizeof(tn_matrix), (uint32_t)(6 * bodies), lattice->start, lattice->row, lattice->value};
}

static inline void test_lattice_free(test_lattice *lattice)
{
    free(lattice->start);
    free(lattice->row);
    free(lattice->value);
}

#endif

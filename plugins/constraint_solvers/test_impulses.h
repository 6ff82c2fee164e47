/* test_impulses.h - impulse problems made by hand and at random, to drive a constraint solver through its descriptor; whether a solution
 * keeps the laws. */
#ifndef TENON_TEST_IMPULSES_H
#define TENON_TEST_IMPULSES_H

#include <tenon/kit/impulse_error.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <cmocka.h>

enum { TEST_BODIES = 12, TEST_NV = 6 * TEST_BODIES, TEST_ROWS = 96, TEST_BLOCKS = 64 };

typedef struct test_problem {
    tn_impulse_problem problem;
    tn_impulse_block block[TEST_BLOCKS];
    uint32_t row_start[TEST_ROWS + 1], column[TEST_ROWS * TEST_NV], body_start[TEST_BODIES + 1];
    double value[TEST_ROWS * TEST_NV], free_rate[TEST_ROWS], impulse[TEST_ROWS];
    int32_t column_start[TEST_NV + 1], row[TEST_NV * TEST_NV];
    double entry[TEST_NV * TEST_NV];
    tn_matrix matrix;
    uint64_t draw;
} test_problem;

static inline double test_draw(test_problem *t)
{
    t->draw = t->draw * 6364136223846793005u + 1442695040888963407u;
    return (double)(t->draw >> 11) * 0x1p-52 - 1.0;
}

/* ---- linear systems, dense --------------------------------------------------------------------------------------- */

typedef struct test_linear {
    const tn_matrix *matrix;
    uint32_t size;
    double *factor;
    uint32_t *exchange;
} test_linear;

static inline tn_status test_open_matrix(TN_UNUSED const tn_own_matrices *own, const tn_matrix *matrix,
                                         TN_UNUSED uint32_t is_complex, void **system)
{
    test_linear *made = *system = calloc(1, sizeof *made);
    made->matrix = matrix;
    made->size = matrix->size;
    made->factor = calloc((size_t)matrix->size * matrix->size + 1, sizeof(double));
    made->exchange = calloc(matrix->size + 1u, sizeof(uint32_t));
    return TN_OK;
}

static inline tn_status test_factor(TN_UNUSED const tn_own_matrices *own, void *system, const double *value)
{
    test_linear *s = system;
    const tn_matrix *matrix = s->matrix;
    const uint32_t n = s->size;
    double *F = s->factor;
    memset(F, 0, (size_t)n * n * sizeof *F);
    for (uint32_t j = 0; j < n; j++)
        for (int32_t e = matrix->column_start[j]; e < matrix->column_start[j + 1]; e++)
            F[(uint32_t)matrix->row[e] * n + j] = value[e];
    for (uint32_t k = 0; k < n; k++) {
        uint32_t pivot = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (fabs(F[i * n + k]) > fabs(F[pivot * n + k])) pivot = i;
        s->exchange[k] = pivot;
        for (uint32_t j = 0; j < n; j++) {
            const double kept = F[k * n + j];
            F[k * n + j] = F[pivot * n + j];
            F[pivot * n + j] = kept;
        }
        if (F[k * n + k] == 0.0) return TN_RETRY;
        for (uint32_t i = k + 1; i < n; i++) {
            const double factor = F[i * n + k] /= F[k * n + k];
            for (uint32_t j = k + 1; j < n; j++)
                F[i * n + j] -= factor * F[k * n + j];
        }
    }
    return TN_OK;
}

static inline tn_status test_solve(TN_UNUSED const tn_own_matrices *own, void *system, double *x)
{
    const test_linear *s = system;
    const uint32_t n = s->size;
    const double *F = s->factor;
    for (uint32_t k = 0; k < n; k++) {
        const double kept = x[k];
        x[k] = x[s->exchange[k]];
        x[s->exchange[k]] = kept;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            x[i] -= F[i * n + j] * x[j];
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t j = i + 1; j < n; j++)
            x[i] -= F[i * n + j] * x[j];
        x[i] /= F[i * n + i];
    }
    return TN_OK;
}

static inline void test_close(TN_UNUSED const tn_own_matrices *own, void *system)
{
    test_linear *s = system;
    free(s->factor);
    free(s->exchange);
    free(s);
}

static const tn_own_matrices test_matrices = {.struct_size = sizeof test_matrices,
                                              .open = test_open_matrix,
                                              .factor = test_factor,
                                              .solve = test_solve,
                                              .close = test_close};

/* ---- problems ---------------------------------------------------------------------------------------------------- */

/* Bodies of six coordinates each, with full blocks of masses. */
static inline void test_make_bodies(test_problem *t, uint32_t bodies, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    t->draw = seed * 0x9e3779b97f4a7c15u + 1u;
    int32_t count = 0;
    for (uint32_t b = 0; b < bodies; b++) {
        double L[6][6];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                L[i][j] = j < i ? 0.3 * test_draw(t) : i == j ? 1.0 + 0.5 * test_draw(t) : 0.0;
        t->body_start[b] = 6 * b;
        for (int j = 0; j < 6; j++) {
            t->column_start[6 * b + (uint32_t)j] = count;
            for (int i = 0; i < 6; i++) {
                t->row[count] = 6 * (int32_t)b + i;
                for (int k = 0; k < 6; k++)
                    t->entry[count] += L[i][k] * L[j][k];
                count++;
            }
        }
    }
    const uint32_t nv = 6 * bodies;
    t->body_start[bodies] = nv;
    t->column_start[nv] = count;
    t->matrix = (tn_matrix){.struct_size = sizeof t->matrix,
                            .size = nv,
                            .column_start = t->column_start,
                            .row = t->row,
                            .value = t->entry};
    t->problem = (tn_impulse_problem){.struct_size = sizeof t->problem,
                                      .nv = nv,
                                      .block = t->block,
                                      .row_start = t->row_start,
                                      .column = t->column,
                                      .value = t->value,
                                      .free_rate = t->free_rate,
                                      .matrix = &t->matrix,
                                      .body_start = t->body_start,
                                      .bodies = bodies,
                                      .block_diagonal = 1,
                                      .symmetric = 1,
                                      .impulse = t->impulse};
}

/* A block of random rows between two bodies, or of one where they are the same. */
static inline void test_add_block(test_problem *t, uint32_t law, uint32_t rows, uint32_t first,
                                  uint32_t second, double friction)
{
    tn_impulse_problem *p = &t->problem;
    t->block[p->blocks++] = (tn_impulse_block){law, p->rows, rows, 100 + p->blocks, friction};
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t e = t->row_start[p->rows];
        for (uint32_t b = first; b <= second; b += second > first ? second - first : 1)
            for (uint32_t j = 0; j < 6; j++, e++) {
                t->column[e] = 6 * b + j;
                t->value[e] = test_draw(t);
            }
        t->free_rate[p->rows++] = test_draw(t);
        t->row_start[p->rows] = e;
    }
}

/* ---- solutions --------------------------------------------------------------------------------------------------- */

/* u = free_rate + G A^-1 G^T p, by dense algebra of the test's own. */
static inline void test_rates(test_problem *t, double *rate)
{
    void *system = NULL;
    double z[TEST_NV] = {0.0};
    const tn_impulse_problem *p = &t->problem;
    for (uint32_t r = 0; r < p->rows; r++)
        for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++)
            z[p->column[e]] += p->value[e] * p->impulse[r];
    (void)test_open_matrix(&test_matrices, &t->matrix, 0, &system);
    assert_int_equal(test_factor(&test_matrices, system, t->matrix.value), TN_OK);
    (void)test_solve(&test_matrices, system, z);
    test_close(&test_matrices, system);
    for (uint32_t r = 0; r < p->rows; r++) {
        rate[r] = p->free_rate[r];
        for (uint32_t e = p->row_start[r]; e < p->row_start[r + 1]; e++)
            rate[r] += p->value[e] * z[p->column[e]];
    }
}

/* Checks the definition of each law, up to `tolerance`. */
static inline void test_check_laws(test_problem *t, double tolerance)
{
    double rate[TEST_ROWS];
    test_rates(t, rate);
    for (uint32_t b = 0; b < t->problem.blocks; b++) {
        const tn_impulse_block *block = &t->block[b];
        const double *u = rate + block->first, *p = t->impulse + block->first;
        if (block->law == TN_JOINT_LAW)
            for (uint32_t r = 0; r < block->rows; r++)
                assert_true(fabs(u[r]) <= tolerance);
        if (block->law == TN_JOINT_LAW) continue;
        assert_true(u[0] >= -tolerance && p[0] >= -tolerance && fabs(u[0] * p[0]) <= tolerance);
        if (block->law == TN_UNILATERAL_LAW) continue;
        const double slip = hypot(u[1], u[2]), held = hypot(p[1], p[2]), most = block->friction * p[0];
        assert_true(held <= most + tolerance);
        assert_true(slip * (most - held) <=
                    tolerance * (1.0 + slip)); /* it slips at the edge of the cone only, */
        assert_true(u[1] * p[1] + u[2] * p[2] + slip * held <=
                    tolerance * (1.0 + slip)); /* against the friction */
    }
}

typedef struct test_solver {
    const tn_constraint_solver_type *type;
    void *self;
} test_solver;

static inline test_solver test_open(const tn_constraint_solver_type *type, const void *instance)
{
    test_solver s = {.type = type};
    assert_int_equal(type->create(NULL, instance, &test_matrices, &s.self), TN_OK);
    return s;
}

static inline tn_status test_run(test_solver *s, test_problem *t, tn_impulse_outcome *outcome)
{
    *outcome = (tn_impulse_outcome){.struct_size = sizeof *outcome};
    return s->type->solve(s->self, &t->problem, outcome);
}

#endif

/* test_laws.h - laws of joints, contacts and friction, verified from the definition, and runs of a constraint solver on problems of
 * test_problems.h; the file of the test includes the solver and its host before */
#ifndef TENON_TEST_LAWS_H
#define TENON_TEST_LAWS_H

#include "test_problems.h"

#include "../solvers/test_host.h"

/* u of problem->impulse, for the diagonal A of the models. */
static inline void test_rates(const test_problem *test, double *u)
{
    double *z = test_zeros(test->problem.nv, sizeof *z);
    tn_impulse_pull(&test->problem, test->impulse, z);
    for (uint32_t j = 0; j < test->problem.nv; j++)
        z[j] /= tn_impulse_mass(&test->matrix, j);
    tn_impulse_rates(&test->problem, z, u);
    free(z);
}

static inline void test_near(double value, double expected, double small)
{
    if (!(fabs(value - expected) <= small)) print_error("%.12g, not %.12g\n", value, expected);
    assert_true(fabs(value - expected) <= small);
}

static inline double test_largest(const double *x, uint32_t count)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* Coulomb's law at one point: in the cone, not penetrating, nothing without contact, and against the slip with all of the friction. */
static inline void test_assert_contact(double friction, const double *p, const double *u, double p_small,
                                       double u_small, double product_small)
{
    const double press = hypot(p[1], p[2]), slip = hypot(u[1], u[2]);
    assert_true(p[0] >= -p_small);
    assert_true(press <= friction * p[0] + p_small);
    assert_true(u[0] >= -u_small);
    assert_true(fabs(p[0] * u[0]) <= product_small);
    assert_true(p[1] * u[1] + p[2] * u[2] + friction * p[0] * slip <= product_small);
}

/* Checks all laws, with errors up to `small` times the largest impulse and rate. */
static inline void test_assert_laws(const test_problem *test, double small)
{
    const tn_impulse_problem *problem = &test->problem;
    double *u = test_zeros(problem->rows, sizeof *u);
    test_rates(test, u);
    const double p_size = test_largest(test->impulse, problem->rows);
    const double u_size = fmax(test_largest(test->free_rate, problem->rows), test_largest(u, problem->rows));
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *block = &problem->block[b];
        const double *p = test->impulse + block->first, *rate = u + block->first;
        for (uint32_t i = 0; i < block->rows && block->law == TN_JOINT_LAW; i++)
            assert_true(fabs(rate[i]) <= small * u_size);
        if (block->law == TN_CONE_LAW)
            test_assert_contact(block->friction, p, rate, small * p_size, small * u_size,
                                small * p_size * u_size);
        if (block->law == TN_UNILATERAL_LAW)
            test_assert_contact(0.0, (double[]){p[0], 0.0, 0.0}, (double[]){rate[0], 0.0, 0.0},
                                small * p_size, small * u_size, small * p_size * u_size);
    }
    free(u);
}

static inline void test_fill(const tn_parameter *parameters, void *instance)
{
    for (const tn_parameter *p = parameters; p->name; p++) {
        char *place = (char *)instance + p->offset;
        if (p->kind == TN_KIND_REAL) *(double *)(void *)place = p->standard;
        if (p->kind == TN_KIND_INTEGER) *(int64_t *)(void *)place = (int64_t)p->standard;
        if (p->kind == TN_KIND_CHOICE || p->kind == TN_KIND_BOOLEAN)
            *(int32_t *)(void *)place = (int32_t)p->standard;
    }
}

/* One run of a solver with these settings on problem->impulse. */
static inline tn_status test_solve(const tn_constraint_solver_type *type, const void *instance,
                                   test_problem *test, tn_impulse_outcome *outcome)
{
    test_host host;
    void *self = NULL;
    test_host_begin(&host);
    *outcome = (tn_impulse_outcome){.struct_size = sizeof *outcome};
    assert_int_equal(type->create(&host.table, instance, NULL, &self), TN_OK);
    const tn_status status = type->solve(self, &test->problem, outcome);
    type->destroy(self);
    test_host_end(&host);
    return status;
}

/* Contradictory joints: two ball joints in one place, one of which drifts. */
static inline void test_contradiction(test_problem *test)
{
    const double point[3] = {0.0, 0.0, 0.5}, other[3] = {0.3, 0.1, -0.2};
    test_problem_begin(test, 1, 9);
    test_place(test, 0, 2.0, 0.5, 0.0, 0.0, 0.0);
    test_fall(test, 0, 0.1);
    test_joint(test, TEST_GROUND, 0, other, 0);
    test_joint(test, TEST_GROUND, 0, point, 0);
    test_joint(test, TEST_GROUND, 0, point, 0);
    test_problem_finish(test);
    test->free_rate[7] += 1.0;
    test->free_rate[4] -= 0.5;
}

/* Contradictory joints are not solved, and one of the two is named. */
static inline void test_assert_contradicted(tn_status status, const tn_impulse_outcome *outcome)
{
    assert_int_equal(status, TN_RETRY);
    assert_true(outcome->error > 1e-2);
    assert_true(outcome->worst == 1 || outcome->worst == 2);
}

#endif

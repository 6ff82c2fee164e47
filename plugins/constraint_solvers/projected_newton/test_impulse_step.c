/* test_impulse_step.c - linear laws of all blocks together (tenon/kit/impulse_step.h): dp = -f - D W dp, with any elimination */
#include "projected_newton.h"

#include "../test_laws.h"

typedef struct fixture {
    tn_impulse_blocks blocks;
    tn_impulse_step step;
    double *slope, *f, *dp, *z, *du;
} fixture;

static void begin(fixture *x, const tn_impulse_problem *problem)
{
    uint32_t strange;
    *x = (fixture){0};
    assert_int_equal(tn_impulse_blocks_take(&x->blocks, problem, &strange), TN_OK);
    assert_int_equal(tn_impulse_step_plan(&x->step, &x->blocks), TN_OK);
    x->slope = test_zeros(3 * (size_t)problem->rows, sizeof(double));
    x->f = test_zeros(problem->rows, sizeof(double));
    x->dp = test_zeros(problem->rows, sizeof(double));
    x->du = test_zeros(problem->rows, sizeof(double));
    x->z = test_zeros(problem->nv, sizeof(double));
}

static void end(fixture *x)
{
    double *all[] = {x->slope, x->f, x->dp, x->z, x->du};
    for (int i = 0; i < 5; i++)
        free(all[i]);
    tn_impulse_step_release(&x->step);
    tn_impulse_blocks_release(&x->blocks);
}

/* D of a cone: B B^T, or nothing where it is open. */
static void draw_slope(const tn_impulse_block *block, uint32_t *seed, double *slope)
{
    const bool open = block->law != TN_JOINT_LAW && test_uniform(seed) < 0.2;
    double b[9];
    for (int i = 0; i < 9; i++)
        b[i] = 2.0 * test_uniform(seed) - 1.0;
    for (uint32_t i = 0; i < block->rows && !open; i++) {
        slope[3 * i] = 0.1 + test_uniform(seed);
        for (uint32_t j = 0; block->law == TN_CONE_LAW && j < 3; j++)
            slope[3 * i + j] =
                b[3 * i] * b[3 * j] + b[3 * i + 1] * b[3 * j + 1] + b[3 * i + 2] * b[3 * j + 2];
    }
}

/* Checks dp of random D and f by the law. */
static void assert_law(fixture *x, const tn_impulse_problem *problem, uint32_t seed)
{
    for (uint32_t b = 0; b < problem->blocks; b++)
        draw_slope(&problem->block[b], &seed, x->slope + 3 * (size_t)problem->block[b].first);
    for (uint32_t r = 0; r < problem->rows; r++)
        x->f[r] = 2.0 * test_uniform(&seed) - 1.0;
    assert_int_equal(tn_impulse_step_factor(&x->step, x->slope), TN_OK);
    tn_impulse_step_solve(&x->step, x->f, x->dp);
    tn_impulse_blocks_velocity(&x->blocks, x->dp, x->z);
    tn_impulse_blocks_rates(&x->blocks, NULL, x->z, x->du);
    for (uint32_t b = 0; b < problem->blocks; b++) {
        const tn_impulse_block *block = &problem->block[b];
        for (uint32_t i = 0; i < block->rows; i++) {
            const uint32_t r = block->first + i;
            double sum = x->dp[r] + x->f[r];
            for (uint32_t j = 0; j < (block->law == TN_CONE_LAW ? 3 : 1); j++)
                sum += x->slope[3 * (size_t)r + j] * x->du[block->law == TN_CONE_LAW ? block->first + j : r];
            test_near(sum, 0.0, 1e-10);
        }
    }
}

/* Three numbers for each joint, and no body. */
static void test_links_of_a_chain_stand_in_no_factor(void **state)
{
    (void)state;
    for (uint32_t locked = 0; locked < 4; locked++) {
        test_problem test;
        fixture x;
        test_chain(&test, 40, locked);
        test.problem.independent_joints = 1;
        begin(&x, &test.problem);
        assert_int_equal(x.step.bodies, 0);
        assert_int_equal(x.step.lu.size, 40 * (3 + locked));
        assert_law(&x, &test.problem, 3 + locked);
        end(&x);
        test.problem.independent_joints = 0; // joints that may be dependent: solved for velocities
        begin(&x, &test.problem);
        assert_int_equal(x.step.bodies, 40);
        assert_law(&x, &test.problem, 3 + locked);
        end(&x);
        test_problem_end(&test);
    }
}

/* Spheres with one contact are leaves, on a plate or on the ground. */
static void test_spheres_stand_in_no_factor(void **state)
{
    (void)state;
    for (int plate = 0; plate < 2; plate++) {
        test_problem test;
        fixture x;
        test_spheres(&test, 30, plate, 0);
        begin(&x, &test.problem);
        assert_int_equal(x.step.nodes, plate);
        assert_law(&x, &test.problem, 5);
        end(&x);
        test_problem_end(&test);
    }
}

static void test_random_graphs(void **state)
{
    (void)state;
    static const uint32_t contacts[] = {1, 2, 5, 17, 60, 150};
    for (uint32_t i = 0; i < 24; i++) {
        test_problem test;
        fixture x;
        test_random_problem(&test, contacts[i % 6], i % 4 > 1, 0.5, 100 + i);
        test.problem.independent_joints = i % 2;
        begin(&x, &test.problem);
        assert_law(&x, &test.problem, i + 1);
        assert_law(&x, &test.problem, i + 31); // other numbers in the same pattern
        end(&x);
        test_problem_end(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_of_a_chain_stand_in_no_factor),
        cmocka_unit_test(test_spheres_stand_in_no_factor),
        cmocka_unit_test(test_random_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

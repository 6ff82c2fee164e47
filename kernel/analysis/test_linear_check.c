/* test_linear_check.c - which solutions of a linear solver that loses digits are refined */
#include "analysis/analysis.h"
#include "extensions/solved.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The matrix is the number 2. */
static const int32_t start[] = {0, 1}, row[] = {0};
static double value[] = {2.0};
static uint32_t calls;

static tn_status solve(void *self, double *x)
{
    (void)self;
    calls++;
    x[0] /= 2.0 * (1.0 + 1e-8);
    return TN_OK;
}

static const tn_loaded_linear losing = {.name = "losing", .solve = solve};

/* The relative error of one solution. */
static double error_of_solution(tn_assembly *assembly)
{
    double x = 6.0;
    tn_linear_checks.given(assembly, &assembly->equations, &x);
    (void)solve(NULL, &x);
    assert_int_equal(tn_linear_checks.solved(assembly, &assembly->equations, &x), TN_OK);
    return fabs(x / 3.0 - 1.0);
}

static void corrections_of_an_iteration_are_refined_only_where_they_are_looked_at(void **state)
{
    (void)state;
    struct tn_linear linear = {.type = &losing, .record = tn_linear_checks.open(1)};
    tn_assembly assembly = {.linear = &linear};
    assembly.equations.matrix = (tn_matrix){sizeof(tn_matrix), 1, start, row, value};
    assembly.equations.is_factored = true;
    tn_linear_checks.factored(&assembly, &assembly.equations);
    calls = 0;

    assembly.system.corrects = 1;
    assert_true(error_of_solution(&assembly) < 1e-15); /* the first one of these factors is looked at, */
    assert_int_equal(calls, 2);
    assert_true(error_of_solution(&assembly) > 1e-9); /* the next one is not, */
    assert_int_equal(calls, 3);
    assembly.system.corrects = 0;
    assert_true(error_of_solution(&assembly) < 1e-15); /* and where nothing follows, all are refined */
    assert_int_equal(calls, 5);
    tn_linear_checks.close(linear.record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corrections_of_an_iteration_are_refined_only_where_they_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

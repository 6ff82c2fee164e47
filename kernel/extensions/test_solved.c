/* test_solved.c - solutions of a linear solver that loses digits, or more: how often they are looked at, and what becomes of them */
#include "extensions/solved.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A diagonal matrix, of which the solver finds solutions with a relative error. */
typedef struct losing {
    double loss;
    uint32_t calls;
} losing;

static const int32_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2};
static double value[] = {2.0, 3.0, 7.0}, pairs[] = {2.0, 1.0, 3.0, -1.0, 7.0, 0.5};
static const tn_matrix matrix = {sizeof matrix, 3, start, row, value};
static const double b[] = {1.0, -2.0, 5.0, 0.5, -1.0, 3.0};

static tn_status solve(void *self, double *x)
{
    losing *l = self;
    l->calls++;
    for (int i = 0; i < 3; i++)
        x[i] /= value[i] * (1.0 + (i + 1) * l->loss);
    return TN_OK;
}

static tn_status solve_complex(void *self, double *x)
{
    losing *l = self;
    l->calls++;
    for (int i = 0; i < 3; i++) {
        const double re = pairs[2 * i], im = pairs[2 * i + 1], given[] = {x[2 * i], x[2 * i + 1]};
        const double size = (re * re + im * im) * (1.0 + (i + 1) * l->loss);
        x[2 * i] = (re * given[0] + im * given[1]) / size;
        x[2 * i + 1] = (re * given[1] - im * given[0]) / size;
    }
    return TN_OK;
}

static tn_loaded_linear type = {.name = "losing", .solve = solve, .solve_complex = solve_complex};

/* One solution for that times b; gives its error. */
static double solve_for(losing *l, tn_accuracy *accuracy, double factor, double *error)
{
    double x[3], memory[9];
    for (int i = 0; i < 3; i++)
        x[i] = factor * b[i];
    tn_accuracy_given(accuracy, x, 3, memory);
    (void)solve(l, x);
    const tn_solved solved = {.type = &type,
                              .self = l,
                              .matrix = &matrix,
                              .value = value,
                              .given = memory,
                              .terms = memory + 3,
                              .trial = memory + 6};
    const double fault = tn_accuracy_needs_given(accuracy) ? tn_solved_refine(&solved, accuracy, x) : 0.0;
    *error = 0.0;
    for (int i = 0; i < 3; i++)
        *error = fmax(*error, fabs(x[i] - factor * b[i] / value[i]));
    return fault;
}

static void good_solutions_are_looked_at_now_and_then_and_cost_nothing_else(void **state)
{
    (void)state;
    losing l = {0.0, 0};
    tn_accuracy accuracy = {0};
    double error;
    for (int k = 0; k < 200; k++) {
        tn_accuracy_factored(&accuracy);
        assert_int_equal(accuracy.looks, k < 8 || k % 64 == 0);
        for (int again = 0; again < 3; again++) {
            assert_true(solve_for(&l, &accuracy, 1.0, &error) == 0.0);
            assert_false(tn_accuracy_needs_given(&accuracy));
        }
    }
    assert_int_equal(l.calls, 600);
    for (int k = 0; k < 300; k++)
        (void)solve_for(&l, &accuracy, 1.0, &error);
    tn_accuracy_factored(&accuracy);
    assert_int_equal(accuracy.looks, 1); /* factors that serve for long come seldom */
}

static void lost_digits_come_back_in_all_solutions_of_the_factors(void **state)
{
    (void)state;
    losing l = {1e-8, 0};
    tn_accuracy accuracy = {0};
    double error;
    tn_accuracy_factored(&accuracy);
    for (int k = 0; k < 5; k++) {
        assert_true(solve_for(&l, &accuracy, 1.0 + k, &error) == 0.0);
        assert_true(error < 1e-14);
    }
    assert_int_equal(l.calls, 10); /* one correction of each */

    // the next factors are good, and others that are not are found at once
    for (int k = 0; k < 100; k++) {
        l = (losing){k == 60 ? 1e-6 : 0.0, 0};
        tn_accuracy_factored(&accuracy);
        assert_int_equal(accuracy.looks, 1);
        assert_true(solve_for(&l, &accuracy, 1.0, &error) == 0.0);
        assert_true(error < 1e-14);
        assert_int_equal(l.calls, k == 60 ? 3 : 1); /* 1e-6 needs two */
    }
}

static void zeros_show_nothing(void **state)
{
    (void)state;
    losing l = {1e-8, 0};
    tn_accuracy accuracy = {0};
    double error;
    tn_accuracy_factored(&accuracy);
    assert_true(solve_for(&l, &accuracy, 0.0, &error) == 0.0);
    assert_int_equal(accuracy.looks, 1);
    assert_true(solve_for(&l, &accuracy, 1.0, &error) == 0.0);
    assert_true(error < 1e-14);
}

static void what_solves_to_a_tolerance_is_left_as_it_is(void **state)
{
    (void)state;
    losing l = {1e-8, 0};
    tn_accuracy accuracy = {0};
    double error;
    type.flags = TN_SOLVES_TO_TOLERANCE;
    tn_accuracy_factored(&accuracy);
    assert_true(solve_for(&l, &accuracy, 1.0, &error) == 0.0);
    type.flags = 0;
    assert_int_equal(l.calls, 1);
    assert_true(error > 1e-9);
}

static void wrong_solutions_are_not_refined_but_faults(void **state)
{
    (void)state;
    losing l = {1e-2, 0};
    tn_accuracy accuracy = {0};
    double error;
    tn_accuracy_factored(&accuracy);
    assert_true(solve_for(&l, &accuracy, 1.0, &error) > 1e-3);
}

static void complex_solutions_are_refined_likewise(void **state)
{
    (void)state;
    losing l = {1e-8, 0};
    tn_accuracy accuracy = {0};
    double x[6], memory[18];
    const tn_solved solved = {.type = &type,
                              .self = &l,
                              .matrix = &matrix,
                              .value = pairs,
                              .is_complex = true,
                              .given = memory,
                              .terms = memory + 6,
                              .trial = memory + 12};
    tn_accuracy_factored(&accuracy);
    for (int again = 0; again < 2; again++) {
        memcpy(x, b, sizeof x);
        tn_accuracy_given(&accuracy, x, 6, memory);
        (void)solve_complex(&l, x);
        assert_true(tn_solved_refine(&solved, &accuracy, x) == 0.0);
        for (int i = 0; i < 3; i++) {
            const double re = pairs[2 * i], im = pairs[2 * i + 1];
            assert_true(fabs(re * x[2 * i] - im * x[2 * i + 1] - b[2 * i]) < 1e-13);
            assert_true(fabs(re * x[2 * i + 1] + im * x[2 * i] - b[2 * i + 1]) < 1e-13);
        }
    }
    assert_int_equal(l.calls, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_solutions_are_looked_at_now_and_then_and_cost_nothing_else),
        cmocka_unit_test(lost_digits_come_back_in_all_solutions_of_the_factors),
        cmocka_unit_test(zeros_show_nothing),
        cmocka_unit_test(what_solves_to_a_tolerance_is_left_as_it_is),
        cmocka_unit_test(wrong_solutions_are_not_refined_but_faults),
        cmocka_unit_test(complex_solutions_are_refined_likewise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

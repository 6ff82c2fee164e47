/* refined.h - solutions of linear solvers as the kernel gives them to solvers of motion. */
#ifndef TENON_TESTS_REFINED_H
#define TENON_TESTS_REFINED_H

#include "extensions/solved.h"

#include <tenon/linear.h>

#include <stdlib.h>
#include <string.h>

/* Replaces the right-hand side by the solution, which is refined where need be. */
static inline void tn_solve_refined(const tn_linear_type *type, void *self, const tn_matrix *A, double *x)
{
    const tn_loaded_linear loaded = {.name = type->name, .flags = type->flags, .solve = type->solve};
    const size_t size = A->size;
    double *memory = calloc(3 * size + 1, sizeof *memory);
    tn_accuracy accuracy = {.looks = 1};
    assert_non_null(memory);
    tn_accuracy_given(&accuracy, x, size, memory);
    assert_int_equal(type->solve(self, x), TN_OK);
    const double fault = tn_solved_refine(&(tn_solved){.type = &loaded,
                                                       .self = self,
                                                       .matrix = A,
                                                       .value = A->value,
                                                       .given = memory,
                                                       .terms = memory + size,
                                                       .trial = memory + 2 * size},
                                          &accuracy, x);
    free(memory);
    if (fault != 0.0) fail_msg("%s does not solve: %.3g", type->name, fault);
}

#endif

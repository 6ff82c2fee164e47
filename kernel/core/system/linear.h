/* linear.h - the linear solver of the study, held to what it is called for. */
#ifndef TN_LINEAR_H
#define TN_LINEAR_H

#include "system/assembly.h"

struct tn_linear {
    const tn_loaded_linear *type; /* NULL: none is open */
    const void *instance;
    struct tn_linear_check *check;
    double time, first_factorisation_time; /* s: in its functions */
};

/* linear.c: the linear solver of the study behind tn_system. */
void tn_linear_open(tn_assembly *assembly, const tn_loaded_linear *type, const void *instance);
void tn_linear_close(tn_assembly *assembly);
tn_status tn_equations_factor(tn_assembly *assembly, tn_equations *equations);
tn_status tn_equations_solve(tn_assembly *assembly, tn_equations *equations, double *right_hand_side);
/* linear_check.c: a matrix was called singular, or was factored; a right-hand side is given, and its solution: blames the linear
 * solver for one that is none. */
struct tn_linear_check *tn_linear_check_new(uint32_t size);
void tn_linear_check_free(struct tn_linear_check *check);
tn_status tn_linear_check_verdict(tn_assembly *assembly, tn_equations *equations);
void tn_linear_check_factored(tn_assembly *assembly, tn_equations *equations);
void tn_linear_check_give(const tn_assembly *assembly, const tn_equations *equations,
                          const double *right_hand_side);
tn_status tn_linear_check_solution(tn_assembly *assembly, tn_equations *equations, double *x);

#endif

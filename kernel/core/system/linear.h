/* linear.h - the linear solver of the study, held to what it is called for. */
#ifndef TN_LINEAR_H
#define TN_LINEAR_H

#include "system/assembly.h"

struct tn_linear {
    const tn_loaded_linear *type; /* NULL: none is open */
    const void *instance;
    struct tn_linear_record *record; /* of who checks it, or NULL */
};

/* linear.c: the linear solver of the study behind tn_system. `close` ends it, also for a system without one: before another one is opened,
 * and at the end of the assembly, whose memory is freed with the model's. */
void tn_linear_open(tn_assembly *assembly, const tn_loaded_linear *type, const void *instance);
void tn_linear_close(tn_assembly *assembly);
/* The linear solver's part of these equations, once they have a pattern. */
tn_status tn_equations_create(tn_assembly *assembly, tn_equations *equations);
tn_status tn_equations_factor(tn_assembly *assembly, tn_equations *equations);
tn_status tn_equations_solve(tn_assembly *assembly, tn_equations *equations, double *right_hand_side);

/* Whether a linear solver solves, and refinement of its solutions: given with the model (services.h). Without one solutions are taken as
 * they are.
 *
 * When: `open` where the solver sees its first matrix, `close` where it goes; `factored`, or `singular`, behind each
 * factorisation; `given` and `solved` in front of and behind each solution. */
typedef struct tn_linear_check {
    struct tn_linear_record *(*open)(uint32_t size);
    void (*close)(struct tn_linear_record *record);
    void (*factored)(tn_assembly *assembly, tn_equations *equations);
    /* TN_RETRY, or TN_FATAL with the linear solver to blame for its verdict. */
    tn_status (*singular)(tn_assembly *assembly, tn_equations *equations);
    void (*given)(const tn_assembly *assembly, const tn_equations *equations, const double *right_hand_side);
    /* Refines x. TN_OK, TN_RETRY where the matrix or the right-hand side is no number, or TN_FATAL likewise for what is no solution. */
    tn_status (*solved)(tn_assembly *assembly, tn_equations *equations, double *x);
} tn_linear_check;

#endif

/* state_values.h - the memory of values that read the state, of one assembly, and the functions by which values.c, whose table the
 * system sees, has it made and filled
 *
 * Called in this order when a system is made: tn_accelerations_build, tn_live_prepare, tn_loops_build, tn_derivatives_build
 * (derivatives.h), tn_couplings_build (coupling.h), tn_closures_build, tn_forces_build. */
#ifndef TN_STATE_VALUES_H
#define TN_STATE_VALUES_H

#include "values/graph.h"
#include "values/values.h"

struct tn_value_memory {
    size_t most_inputs;                 /* of an expression */
    struct tn_live_batches *batches;    /* values that are evaluated together: live_batch.c */
    struct tn_loops *loops;             /* of values that read each other */
    struct tn_derivatives *derivatives; /* of all of them */
    size_t first_observed;              /* of the lists of what is reached, those that may become others */
    struct tn_couplings *couplings;     /* NULL: no parameter reads the state */
    struct tn_accelerations *accelerations; /* that expressions read, or NULL */
    bool accelerations_in_forces;   /* some dynamic value reads one: they are found in every evaluation */
    struct tn_force_memory *forces; /* to measure forces that expressions read, or NULL */
};

/* ---- live.c, live_batch.c -------------------------------------------------------------------------------- */

/* What expressions read gets its places. */
void tn_live_prepare(tn_assembly *assembly);
/* The value at the last evaluated markers; false with the reason (unless that is NULL) where it has none. */
bool tn_live_evaluate(const tn_assembly *assembly, const tn_live_value *live, double *value,
                      const char **problem);
/* Finds what a live value reads that stands nowhere by itself: forces, of elements whose parameters are known by now; then values of
 * the past (NULL, or why there is none). */
tn_status tn_live_measure(tn_assembly *assembly, const tn_live_value *live);
const char *tn_live_find(const tn_assembly *assembly, const tn_live_value *live);
/* Notes the value that has none; TN_RETRY. */
tn_status tn_value_refused(tn_assembly *assembly, const tn_dynamic_value *dynamic, const char *problem);
/* The switching functions at the last evaluation. */
void tn_live_switches(const tn_assembly *assembly, const tn_live_value *live, double *value);
/* Value and derivatives by all inputs, without the factor, and where `direction` (by inputs) is given the second derivatives times it,
 * at the last evaluation. */
bool tn_live_differentiate(const tn_assembly *assembly, const tn_live_value *live, const double *direction,
                           double *value, double *gradient, double *product);
/* Where a dynamic value stands; one of them, or the whole loop that it is of, into the instances; all that are in force, those with
 * one expression side by side. */
double *tn_dynamic_place(const tn_assembly *assembly, const tn_dynamic_value *dynamic);
tn_status tn_dynamic_evaluate(tn_assembly *assembly, const tn_dynamic_value *dynamic);
tn_status tn_dynamics_evaluate(tn_assembly *assembly);
/* Sorts the values in force, once more after a change of expressions. */
void tn_live_batches_build(tn_assembly *assembly);

/* ---- loops.c --------------------------------------------------------------------------------------------- */

/* Memory; the values of a loop, from the last ones, into the instances. */
void tn_loops_build(tn_assembly *assembly);
tn_status tn_loop_solve(tn_assembly *assembly, uint32_t loop);
/* A^-1 x, or A^-T x, with the derivatives A of the equations by the values, in their order, at the last evaluation. Changes of
 * the equations, which are those of the expressions by what stands outside, so become changes of the values; derivatives by the
 * values become derivatives by the expressions. */
tn_status tn_loop_divide(const tn_assembly *assembly, uint32_t loop, bool transposed, double *x);
/* The number in the loop of `reader` of the value that it reads there; TN_NONE: it stands outside. */
uint32_t tn_loop_place(const tn_model *model, const tn_dynamic_value *reader, const tn_value_node *node);

/* ---- acceleration_nodes.c, coupled_accelerations.c ------------------------------------------------------- */

/* Memory. */
void tn_accelerations_build(tn_assembly *assembly);
/* v' and lambda at the current state, where forces read them. TN_RETRY: there is no solution, and who it is was named. */
tn_status tn_coupled_accelerate(tn_assembly *assembly);

/* ---- variable_derivatives.c ------------------------------------------------------------------------------ */

/* Memory of variables that act on what they read; again after a change of expressions. */
void tn_closures_build(tn_assembly *assembly);
void tn_closures_renew(tn_assembly *assembly);

#endif

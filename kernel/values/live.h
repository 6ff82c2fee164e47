/* live.h - values of expressions, into the instances whose parameters they are. */
#ifndef TN_LIVE_H
#define TN_LIVE_H

#include "values/state_values.h"

struct tn_live {
    size_t most_inputs;              /* of an expression */
    struct tn_live_batches *batches; /* values that are worked out together: live_batch.c */
};

/* live.c: what expressions read gets its places; the value of one at the last evaluated markers, false with the reason (unless that
 * is NULL) where it has none; all dynamic values, into the instances. */
void tn_live_prepare(tn_assembly *assembly);
bool tn_live_evaluate(const tn_assembly *assembly, const tn_live_value *live, double *value,
                      const char **problem);
/* Finds what a live value reads that stands nowhere by itself: forces, of elements whose parameters are known by now; then values of the
 * past (NULL, or why there is none). */
tn_status tn_live_measure(tn_assembly *assembly, const tn_live_value *live);
const char *tn_live_find(const tn_assembly *assembly, const tn_live_value *live);
/* Notes the value that has none; TN_RETRY. live.c */
tn_status tn_value_refused(tn_assembly *assembly, const tn_dynamic_value *dynamic, const char *problem);
/* The switching functions at the last evaluation. */
void tn_live_switches(const tn_assembly *assembly, const tn_live_value *live, double *value);
tn_status tn_dynamics_evaluate(tn_assembly *assembly);
/* Where a dynamic value stands; one of them, or the whole loop that it is of, into the instances. */
double *tn_dynamic_place(const tn_assembly *assembly, const tn_dynamic_value *dynamic);
tn_status tn_dynamic_evaluate(tn_assembly *assembly, const tn_dynamic_value *dynamic);
/* Value and derivatives by all inputs, without the factor, and where `direction` (by inputs) is given the second derivatives times it,
 * at the last evaluation. */
bool tn_live_differentiate(const tn_assembly *assembly, const tn_live_value *live, const double *direction,
                           double *value, double *gradient, double *product);
/* live_batch.c: all values in force, those with one expression side by side; false when some has no value. */
void tn_live_batches_build(tn_assembly *assembly); /* again after a change of expressions */
bool tn_live_batches_evaluate(tn_assembly *assembly);
void tn_live_batches_free(struct tn_live_batches *batches);
/* loops.c: memory for loops; the values of one, from the last ones, into the instances. */
void tn_loops_build(tn_assembly *assembly);
tn_status tn_loop_solve(tn_assembly *assembly, uint32_t loop);
/* A^-1 x, or A^-T x, with the derivatives A of the equations by the values, in their order, at the last evaluation. Changes of
 * the equations, which are those of the expressions by what stands outside, so become changes of the values; derivatives by the
 * values become derivatives by the expressions. */
tn_status tn_loop_divide(const tn_assembly *assembly, uint32_t loop, bool transposed, double *x);
/* The number in the loop of `reader` of the value that it reads there; TN_NONE: it stands outside. */
uint32_t tn_loop_place(const tn_model *model, const tn_dynamic_value *reader, const tn_value_node *node);
#endif

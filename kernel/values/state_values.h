/* state_values.h - what the files of this folder ask of each other; the system sees the table tn_state_values only
 *
 * A live value is an expression with its inputs (model.h): parameters that change, sensors, conditions. Each file has one topic:
 * live.c one value, live_batch.c many side by side, loops.c values that read each other, delays.c values of the past, accelerations.c
 * and forces.c what they read of those, variables.c what elements observe, coupling.c and coupling_matrix.c derivatives into the
 * matrix. */
#ifndef TN_STATE_VALUES_H
#define TN_STATE_VALUES_H

#include "values/values.h"

/* Of one assembly. */
struct tn_value_memory {
    struct tn_live_batches *live_batches;   /* values that are worked out together */
    struct tn_loops *loops;                 /* of values that read each other */
    struct tn_closures *closures;           /* of variables that act */
    struct tn_couplings *couplings;         /* NULL: no parameter reads the state */
    struct tn_accelerations *accelerations; /* that expressions read, or NULL */
    struct tn_force_memory *forces;         /* to measure forces that expressions read, or NULL */
};

/* live.c: readies what expressions read; the value of one at the last evaluated markers, false with the reason (unless that
 * is NULL) where it has none; all dynamic values, into the instances. */
void tn_live_prepare(tn_assembly *assembly);
/* Value and gradient, and where `direction` (by inputs) is given the second derivatives times it, at the last evaluation. */
bool tn_live_second(const tn_assembly *assembly, const tn_live_value *live, const double *direction,
                    double *value, double *gradient, double *product);
/* accelerations.c: memory; all that expressions read, from v' of the state, where dynamic values need them or for outputs;
 * whether rates of states read any; where the one of a marker stands, and its derivative by the time derivative of the
 * marker's twist. */
void tn_accelerations_build(tn_assembly *assembly);
void tn_accelerations_free(struct tn_accelerations *accelerations);
tn_status tn_accelerations_evaluate(tn_assembly *assembly, bool for_outputs);
bool tn_accelerations_are_integrated(const tn_assembly *assembly);
const double *tn_acceleration_place(const tn_assembly *assembly, uint32_t marker);
void tn_acceleration_gradient(const tn_assembly *assembly, uint32_t marker, double *gradient);
/* forces.c: memory; the value of a force that expressions read, into it, and of all of them; its derivatives by what one
 * element depends on, and by the turn of the frame that it is told in (by_turn [3], ground axes). All are found anew from the
 * last evaluated markers, the parameters and the current multipliers; anything but TN_OK names the element that refused. */
typedef struct tn_force_gradient {
    double *by_wrench;     /* [W] of the element */
    double *by_pose;       /* [2 W] of its markers: by poses, then twists */
    double *by_dynamic;    /* [dynamic columns] */
    double *by_multiplier; /* [rows] */
} tn_force_gradient;
void tn_forces_build(tn_assembly *assembly);
void tn_forces_free(struct tn_force_memory *memory);
tn_status tn_force_evaluate(tn_assembly *assembly, tn_measured_force *force);
tn_status tn_forces_evaluate(tn_assembly *assembly);
tn_status tn_force_differentiate(tn_assembly *assembly, const tn_measured_force *force,
                                 const struct tn_force_share *share, const tn_force_gradient **gradient);
tn_status tn_force_by_frame(tn_assembly *assembly, const tn_measured_force *force, double by_turn[3]);
/* variables.c: what tn_host.observe gives; memory for it. */
void tn_closures_build(tn_assembly *assembly);
void tn_closures_renew(tn_assembly *assembly); /* after a change of expressions */
void tn_closures_free(struct tn_closures *closures);
tn_status tn_observe(const tn_host *host, const void *variable, const double *direction,
                     struct tn_expression_values *values);
/* Derivatives by all inputs, without the factor, at the inputs of the last evaluation; then those by what delays read. */
bool tn_live_gradient(const tn_assembly *assembly, const tn_live_value *live, double *gradient);
bool tn_live_evaluate(const tn_assembly *assembly, const tn_live_value *live, double *value,
                      const char **problem);
/* Notes the value that has none; TN_RETRY. live.c */
tn_status tn_value_refused(tn_assembly *assembly, const tn_dynamic_value *dynamic, const char *problem);
/* The switching functions at the last evaluation. */
void tn_live_switches(const tn_assembly *assembly, const tn_live_value *live, double *value);
tn_status tn_dynamics_evaluate(tn_assembly *assembly);
/* Where a dynamic value stands; one of them, or the whole loop that it is of, into the instances. */
double *tn_dynamic_place(const tn_assembly *assembly, const tn_dynamic_value *dynamic);
tn_status tn_dynamic_evaluate(tn_assembly *assembly, const tn_dynamic_value *dynamic);
/* live_batch.c: all values in force, those with one expression side by side; false when some has no value. */
void tn_live_batches_build(tn_assembly *assembly); /* again after a change of expressions */
bool tn_live_batches_evaluate(tn_assembly *assembly);
void tn_live_batches_free(struct tn_live_batches *batches);
/* loops.c: memory for loops; the values of one, from the last ones, into the instances. */
void tn_loops_build(tn_assembly *assembly);
void tn_loops_free(const tn_assembly *assembly);
tn_status tn_loop_solve(tn_assembly *assembly, uint32_t loop);
/* A^-1 x, or A^-T x, with the derivatives A of the equations by the values, in their order, at the last evaluation. Changes of
 * the equations, which are those of the expressions by what stands outside, so become changes of the values; derivatives by the
 * values become derivatives by the expressions. */
tn_status tn_loop_divide(const tn_assembly *assembly, uint32_t loop, bool transposed, double *x);
/* The number in the loop of `reader` of the value that it reads there; TN_NONE: it stands outside. */
uint32_t tn_loop_place(const tn_model *model, const tn_dynamic_value *reader, const tn_observed *observed);
/* delays.c: readies the delays that an expression reads for its evaluation: NULL, or why one has no value; after the gradient
 * by its calls those by what delays among them read now; a step ended with the last evaluation. */
const char *tn_delays_find(const tn_assembly *assembly, const tn_live_value *live);
bool tn_delays_gradient(const tn_assembly *assembly, const tn_live_value *live, double *gradient);
void tn_delays_accepted(const tn_assembly *assembly);
/* The time behind that of the system where an adaptive step should end on account of delays; HUGE_VAL for none. */
double tn_delays_next_stop(const tn_assembly *assembly, double tolerance);
/* coupling.c: lists the connectors whose parameters read the state; shows all pairs of nodes that they couple in a fixed
 * order, in which the blocks of the matrix that this makes room for are to be filled in; adds what belongs to one instance,
 * `next` being the connector that comes next in its group. */
void tn_couplings_build(tn_assembly *assembly);
void tn_couplings_visit(const tn_assembly *assembly,
                        void (*visit)(void *data, tn_nodes rows, tn_nodes columns), void *data);
tn_matrix_block *tn_couplings_prepare(tn_assembly *assembly);
tn_status tn_coupling_add(const tn_filling *fill, const tn_group *group, size_t instance, size_t *next,
                          const tn_end *ends, const double *tangent);
/* True when some force reads a multiplier or an acceleration: forces and accelerations depend on each other. */
bool tn_couplings_are_direct(const tn_assembly *assembly);
tn_status
tn_couplings_refuse(tn_assembly *assembly); /* for them there is no solution: names the first; TN_RETRY */
void tn_couplings_free(struct tn_couplings *couplings);

#endif

/* inputs.h - [[input]] tables: named numbers that expressions read and that are set from outside
 *
 * An input keeps its value until it is set, which whoever runs the model does between steps: within a step it is constant. Behind that
 * the system is to be evaluated anew, and what the solver knows of forces and accelerations is out of date, as after a change of the
 * model. Numbers are those of tn_model_inputs, in the order of the file, the inputs of a part behind those around it. */
#ifndef TN_INPUTS_H
#define TN_INPUTS_H

#include "model/model.h"

typedef struct tn_model_input {
    const char *name; /* with its part, "front.throttle" */
    const char *unit; /* as it is written; "" for a plain number */
    double factor;    /* takes a value to SI units */
    double value;     /* in its unit */
} tn_model_input;

/* How many inputs a model has; input number k of them. */
size_t tn_input_count(const tn_model *model);
tn_model_input tn_input_at(const tn_model *model, size_t k);
/* Sets the value, in the unit of the input. */
void tn_input_set(tn_model *model, size_t k, double value);

#endif

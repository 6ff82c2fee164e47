/* trial_element.h - elements and markers in the models of trial_model.h, with the bodies that they connect */
#ifndef TN_TRIAL_ELEMENT_H
#define TN_TRIAL_ELEMENT_H

#include "cli/trial_model.h"
#include "cli/trial_values.h"

/* The ports that are filled. */
typedef enum tn_trial_ports {
    TN_TRIAL_NEEDED_PORTS, /* with as many markers as they need */
    TN_TRIAL_PORTS_FILLED, /* with one or two where they take more */
    TN_TRIAL_FIRST_PORT,   /* those that are needed, and the first one */
    TN_TRIAL_LAST_PORT     /* or the last one */
} tn_trial_ports;

/* What may be done in one way or another. */
typedef struct tn_trial_shape {
    tn_trial_values values;
    bool swapped; /* bodies of a constraint stand apart, and those of other types in one place */
    tn_trial_ports ports;
    unsigned use; /* what is connected to it; or what it rides on */
    bool silent;  /* its outputs, which may depend on the instance, are not recorded */
} tn_trial_shape;

/* Whether the bodies of an instance stand in one place. */
bool tn_trial_stand_together(const tn_trial_subject *subject, const tn_trial_shape *shape);
void tn_trial_write_element(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape,
                            tn_trial_extra extra);
void tn_trial_write_marker(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape,
                           tn_trial_extra extra);

#endif

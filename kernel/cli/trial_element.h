/* trial_element.h - elements and markers in the models of trial_model.h, with the bodies that they connect */
#ifndef TN_TRIAL_ELEMENT_H
#define TN_TRIAL_ELEMENT_H

#include "cli/trial_model.h"
#include "cli/trial_values.h"

/* What may be done in one way or another. */
typedef struct tn_trial_shape {
    tn_trial_values values;
    bool swapped;   /* bodies of a constraint stand apart, and those of other types in one place */
    unsigned ports; /* which of the ports are filled that need not be */
    unsigned use;   /* what is connected to it; or what it rides on */
    bool silent;    /* its outputs, which may depend on the instance, are not recorded */
} tn_trial_shape;

void tn_trial_write_element(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape,
                            tn_trial_extra extra);
void tn_trial_write_marker(FILE *to, const tn_trial_subject *subject, const tn_trial_shape *shape,
                           tn_trial_extra extra);

#endif

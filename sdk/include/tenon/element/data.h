/* tenon/element/data.h - "tenon.data/1": discrete data that an element keeps from one accepted step to the next. */
#ifndef TENON_ELEMENT_DATA_H
#define TENON_ELEMENT_DATA_H

#include "tenon/batch.h"

#define TN_DATA_KEY "tenon.data/1"

/* The data are constant during a step, so that a law that follows them is of first order in the step; rejected steps do not
 * change them. */
typedef struct tn_data_capability {
    uint32_t struct_size, reserved;
    /* [hot] Once per accepted step (but see TN_KEEPS_RATES); writes d. An instance and a message in `failure`, with TN_OK, are a
     * warning for the user, printed with name, place and time. NULL: nothing. */
    tn_batch_function accepted;
    /* [hot] After the iterations of an implicit step converged: renews d by the state there, reports error and step. At the
     * start of a run (step 0) it may warn of difficulties for an implicit solver: an instance and a message in `failure`, with
     * TN_OK. NULL: the law does not switch. */
    tn_batch_function update;
    /* [hot] Where a run begins, at the state that the model gives, before bodies move to meet the constraints; writes d: what an element
     * has to remember of the model as it was made. The same for each solver of a sequence: what is known stays. NULL: nothing. */
    tn_batch_function at_start;
} tn_data_capability;

#endif

/* tenon/element/events.h - "tenon.events/1": switching of a law by the state. */
#ifndef TENON_ELEMENT_EVENTS_H
#define TENON_ELEMENT_EVENTS_H

#include "tenon/batch.h"

#define TN_EVENTS_KEY "tenon.events/1"

typedef struct tn_events_capability {
    uint32_t struct_size, reserved;
    /* [hot] Event functions into `value` [count][events], smooth, and zero at a switch (NaN: no event now). */
    tn_batch_function events;
    /* [hot] The effect of events, once for each accepted step in which signs changed: `value` holds 1 or -1 for those that are
     * positive or negative now and were not before, 0 for the others. It may write to d and x, and impulses on the markers into
     * `wrench`: these change the velocities at once, together with what the constraints transmit, and the new velocities
     * satisfy the constraints, those of the element as they are with the new d: a row that it leaves out from now on, or one that asks
     * for another velocity. Then `accepted` of types flagged TN_KEEPS_RATES is called, with batch->step 0, before the motion goes on. The
     * work of an impulse counts as supplied by the element where it is positive, else as dissipated. An instance and a message in
     * `failure`, with TN_OK, are a warning for the user, printed with name, place and time. NULL: nothing. */
    tn_batch_function on_event;
} tn_events_capability;

#endif

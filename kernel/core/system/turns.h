/* turns.h - the time since the last accepted state, and angles that count their turns over it. */
#ifndef TN_TURNS_H
#define TN_TURNS_H

#include "system/assembly.h"

struct tn_turns {
    double accepted_time; /* of the last accepted state; NAN: this solver has none yet */
    double since;         /* the time since then that types have in hand, */
    bool timed;           /* where some type has a use for it */
};

/* turns.c: the turns of angles that expressions read, at an evaluation; whether there are such angles. */
void tn_turns_add(const tn_derived *derived);
bool tn_turns_counted(const tn_assembly *assembly);
/* A solver begins: the next state follows no other one. The time since the last accepted state for all types (tn_batch.step),
 * before an evaluation, where it is timed. A state was accepted, that of the last evaluation: turns are counted on from there. */
void tn_turns_begin(tn_assembly *assembly);
void tn_turns_find_time(tn_assembly *assembly);
void tn_turns_accepted(tn_assembly *assembly);

#endif

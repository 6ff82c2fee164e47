/* phases.h - what the time of a run goes to
 *
 * The system asks for the time where one of its phases begins and ends (tn_clock in system/assembly.h). In a small model that would take
 * longer than the phase: there one step of many is timed, and counts for all of them. Results do not depend on it. */
#ifndef TN_PHASES_H
#define TN_PHASES_H

#include "system/accept.h"
#include "system/assembly.h"

typedef struct tn_phase_times {
    tn_step_observer observer;
    tn_assembly *assembly;
    uint64_t wait;         /* states until the one whose next step is chosen */
    uint64_t steps, timed; /* accepted states; those behind the second whose way was timed */
    /* s: up to the second accepted state, where factorisations are planned, and interruptions; and in the steps that are timed */
    double start[TN_PHASES], time[TN_PHASES];
    uint64_t count[TN_PHASES]; /* of what adds up to `time` */
    double first_factorisation;
    bool every_step;
} tn_phase_times;

/* Takes the time from here on. */
void tn_phases_begin(tn_assembly *assembly, tn_phase_times *times);
void tn_phases_end(tn_phase_times *times);
/* Times so far. */
void tn_phases_list_state(tn_phase_times *times, tn_state_visitor *visitor);
/* s, of the whole run. */
double tn_phase_time(const tn_phase_times *times, enum tn_phase phase);

#endif

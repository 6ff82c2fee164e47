/* interrupt.h - Ctrl-C, SIGTERM, SIGHUP and the time of `--limit` (SIGVTALRM) end a run at the next accepted step, as a run that was
 * interrupted.
 *
 * Where no step is accepted within a second, the program prints whose function is running. A second signal ends the program in
 * the current step, with the run.toml of an interrupted run. A signal that was ignored when the program started, as under
 * nohup, stays ignored. */
#ifndef TN_INTERRUPT_H
#define TN_INTERRUPT_H

#include "system/accept.h"

#include <signal.h>

/* The number of the signal that asks the run to end; 0 for none. */
extern volatile sig_atomic_t tn_interrupted;

void tn_interrupts_catch(void);
void tn_interrupts_release(void);
/* Accepted steps end the run from here on, where a signal asks for it; no longer so. */
void tn_interrupts_observe(tn_assembly *assembly);
void tn_interrupts_unobserve(tn_assembly *assembly);
/* The run is being ended, between two steps. */
void tn_interrupts_answered(void);
/* Nothing is interrupted from here on, or again. */
void tn_interrupts_mask(bool begins);

#endif

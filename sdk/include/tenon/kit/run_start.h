/* tenon/kit/run_start.h - where solvers of motion begin.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. */
#ifndef TENON_KIT_RUN_START_H
#define TENON_KIT_RUN_START_H

#include "tenon/solver.h"

/* Takes the system to the start of the run, where it is evaluated, with accelerations. The state is to be accepted, also when the run
 * ends there. */
static inline TN_UNUSED tn_status tn_evaluate_start(tn_system *system)
{
    if (system->time < system->run->start_time) system->time = system->run->start_time;
    tn_status status = system->evaluate(system);
    if (status == TN_OK) status = system->accelerate(system, system->a);
    return status == TN_OK ? TN_OK : system->fail(system, status, NULL, "this is the start state");
}

#endif

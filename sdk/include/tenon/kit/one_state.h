/* tenon/kit/one_state.h - solvers that find one state, as statics and modes do: begin() finds and accepts it, and no step is left.
 *
 * Part of the kit: no part of the binary interface, and it may change with any version. */
#ifndef TENON_KIT_ONE_STATE_H
#define TENON_KIT_ONE_STATE_H

#include "tenon/draft/stepping.h"

static inline tn_status tn_one_state_step(TN_UNUSED void *work, TN_UNUSED double until,
                                          TN_UNUSED uint64_t most)
{
    return TN_OK;
}

/* All memory is the host's. */
static inline void tn_one_state_end(TN_UNUSED void *work) {}

static inline void tn_one_state_state(TN_UNUSED void *work, TN_UNUSED tn_state_visitor *visitor) {}

/* From NAME_begin() the capabilities of the solver, NAME_capabilities, and NAME_advance(). */
#define TN_ONE_STATE(name)                                                                                  \
    static const tn_stepping_capability name##_stepping = {.struct_size = sizeof name##_stepping,           \
                                                           .begin = name##_begin,                           \
                                                           .step = tn_one_state_step,                       \
                                                           .end = tn_one_state_end,                         \
                                                           .state = tn_one_state_state};                    \
    static const tn_capability name##_capabilities[] = {{TN_STEPPING_KEY, &name##_stepping}, {NULL, NULL}}; \
    static tn_status name##_advance(const void *instance, tn_system *system)                                \
    {                                                                                                       \
        return tn_advance_in_steps(&name##_stepping, instance, system);                                     \
    }

#endif

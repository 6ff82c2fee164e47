/* value_source.h - values that read the state, as the system sees them: a table of functions, given with the model
 *
 * A parameter may be an expression of time and of what the state makes of markers, variables and forces. How that is worked out, and
 * what its derivatives are, the system does not know: it calls this table. Without one
 * all parameters are constant. Behind it: kernel/values.
 *
 * When: `open` once groups, rows and markers have their places; `evaluate` behind the markers of every evaluation, so that
 * instances hold current parameters; `renew` where a change of the model has replaced expressions; `accepted` behind each accepted
 * step, `look`, `hold_jumps` and `remember_jumps` likewise, in the order of accept.h; `visit_pairs` and `make_blocks` when the pattern of the matrix is made, `add_to_matrix` whenever it is filled. */
#ifndef TN_VALUE_SOURCE_H
#define TN_VALUE_SOURCE_H

#include "system/matrix.h"

struct tn_live_value;

typedef struct tn_value_source {
    /* [setup] Makes the memory, `assembly->read`, and sets `assembly->reading`. */
    void (*open)(tn_assembly *assembly);
    /* Parameters or values in force have changed; `other_expressions`: not only in their numbers. */
    void (*renew)(tn_assembly *assembly, bool other_expressions);

    /* Into the instances, at the markers that were evaluated last and the time of the system. TN_RETRY: some value does not exist
     * here, which has been named. */
    tn_status (*evaluate)(tn_assembly *assembly);
    /* One value at the last evaluation: false where it does not exist, with the reason unless `problem` is NULL. */
    bool (*value)(const tn_assembly *assembly, const struct tn_live_value *live, double *value,
                  const char **problem);

    /* The last evaluation was of an accepted state: histories go on. */
    void (*accepted)(const tn_assembly *assembly);
    /* The time, s, behind that of the system at which an adaptive step should end on account of past values; HUGE_VAL: none. */
    double (*next_stop)(const tn_assembly *assembly, double tolerance);

    /* [setup] The number of event functions: of expressions that act, then of conditions; and their values at the last evaluation. */
    uint32_t (*list_events)(tn_assembly *assembly);
    tn_status (*event_values)(tn_assembly *assembly, double *value);
    /* A solver begins that this condition ends, or TN_NONE. At the state of an accepted step: whether conditions are met that make
     * a change, which stay so until `changed`: from then on they are not evaluated any more. */
    void (*begin)(tn_assembly *assembly, uint32_t stop);
    tn_status (*look)(tn_assembly *assembly, bool *due);
    bool (*is_met)(const tn_assembly *assembly, uint32_t condition);
    void (*changed)(tn_assembly *assembly);
    /* After an accepted step of a length, s: jumps at which the motion stays become steep laws; behind the observers of the step:
     * where these have come to is remembered. */
    tn_status (*hold_jumps)(tn_assembly *assembly, double step);
    void (*remember_jumps)(tn_assembly *assembly);

    /* v' and lambda of the state where forces read them (couples_directly). TN_RETRY: there is no solution, and who it is was named. */
    tn_status (*accelerate)(tn_assembly *assembly);
    /* All pairs of nodes of the matrix that values couple, in a fixed order; room for their blocks, which are to be set in this
     * order; adds what belongs to one instance, `next` being the connector that comes next in its group. */
    void (*visit_pairs)(const tn_assembly *assembly,
                        void (*visit)(void *data, tn_nodes rows, tn_nodes columns), void *data);
    tn_matrix_block *(*make_blocks)(tn_assembly *assembly);
    tn_status (*add_to_matrix)(const tn_filling *fill, const tn_group *group, size_t instance, size_t *next,
                               const tn_end *ends, const double *tangent);
} tn_value_source;

/* The same where there may be no table. */

static inline bool tn_values_meet(const tn_assembly *assembly, uint32_t condition)
{
    return assembly->services->values && assembly->services->values->is_met(assembly, condition);
}

static inline void tn_values_renew(tn_assembly *assembly, bool other_expressions)
{
    if (assembly->services->values) assembly->services->values->renew(assembly, other_expressions);
}

static inline void tn_values_accepted(const tn_assembly *assembly)
{
    if (assembly->services->values) assembly->services->values->accepted(assembly);
}

#endif

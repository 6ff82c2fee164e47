/* checks.h - the checks that every element type and every marker type gets */
#ifndef TENON_TESTS_CHECKS_H
#define TENON_TESTS_CHECKS_H

#include "harness.h"

typedef struct tn_check {
    const char *meaning; /* completes "<type>: ..." */
    bool (*applies)(const tn_loaded_element *type);
    void (*run)(tn_trial *trial);
} tn_check;

/* Lists end with an entry without meaning. */
extern const tn_check tn_thread_checks[], tn_static_checks[]; /* the latter behind all others */
extern const tn_check tn_connector_checks[], tn_mechanics_checks[], tn_body_checks[], tn_own_checks[];
extern const tn_check tn_attachment_checks[], tn_constraint_checks[], tn_reaction_checks[],
    tn_coordinate_checks[], tn_unknowns_checks[];
/* Of marker types that are made of other markers. */
extern const tn_check tn_derived_checks[];

/* What expressions read, and what drives a constraint, is known in whole models only. */
static inline bool tn_stands_alone(const tn_loaded_element *type)
{
    return !type->is_variable && !(type->flags & TN_DRIVEN);
}
static inline bool tn_is_constraint(const tn_loaded_element *type)
{
    return type->constraint != NULL && tn_stands_alone(type);
}
static inline bool tn_is_connector(const tn_loaded_element *type)
{
    return type->force != NULL && tn_stands_alone(type);
}

#endif

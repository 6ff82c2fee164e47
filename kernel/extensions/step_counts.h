/* step_counts.h - what solvers report of their steps (tenon/draft/step_report.h), and who decided their length */
#ifndef TN_STEP_COUNTS_H
#define TN_STEP_COUNTS_H

#include "extensions/extension.h"

#include <tenon/draft/step_report.h>
#include <tenon/draft/stepping.h>

/* Whom a failure was put down to. */
typedef enum tn_evidence_kind {
    TN_NO_EVIDENCE,
    TN_LARGEST_RESIDUAL, /* a body, whose equations could not be met */
    TN_JUMPING,          /* a body, whose accelerations differ from try to try */
    TN_CONTRADICTION     /* constraints that cannot be met together */
} tn_evidence_kind;

enum { TN_MOST_SUSPECTS = 3 };
typedef struct tn_evidence {
    tn_evidence_kind kind;
    uint32_t count;
    const tn_group *group[TN_MOST_SUSPECTS];
    uint32_t instance[TN_MOST_SUSPECTS];
} tn_evidence;

typedef struct tn_step_counts {
    tn_step_report table;             /* that solvers get */
    uint64_t rejected[TN_REJECTIONS]; /* by reason */
    tn_evidence evidence;
    struct tn_phase_times *times; /* phases.h; NULL: none are taken */
    uint64_t *governed;           /* [nv + nx] steps whose length this component decided */
} tn_step_counts;

/* Those that there are, or NULL. */
static inline tn_step_counts *tn_step_counts_now(const tn_assembly *assembly)
{
    return assembly->extension[TN_STEP_COUNT_EXTENSION];
}
/* Made at the first call, in the memory of the assembly; NULL without memory. */
tn_step_counts *tn_step_counts_of(tn_assembly *assembly);

/* The element that has decided the length of most steps, its part of all that was reported, and the component of it. */
typedef struct tn_governor {
    const tn_group *group; /* NULL: nothing was reported */
    uint32_t instance, coordinate;
    bool of_state; /* the component is a state of the element, not a coordinate */
    uint64_t count, all;
} tn_governor;
tn_governor tn_step_governor(tn_assembly *assembly);

void tn_step_counts_list_state(tn_assembly *assembly, tn_state_visitor *visitor);

#endif

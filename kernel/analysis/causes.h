/* causes.h - what a failure, or a run whose results are doubted, may come of: causes found at a state, ranked, with names and cures
 *
 * Called behind a run. Nothing of the assembly is changed in the end but the refusal that was noted last. */
#ifndef TN_CAUSES_H
#define TN_CAUSES_H

#include "system/assembly.h"

#include <tenon/draft/step_report.h>

/* ---- states (state_copy.c) ------------------------------------------------------------------------------- */

typedef struct tn_state_copy {
    double time;
    double *q, *v, *x, *a, *lambda;
    double *kept; /* discrete data, and angles that count turns */
} tn_state_copy;

/* In the memory of the assembly. */
tn_state_copy tn_state_copy_new(tn_assembly *assembly);
void tn_state_copy_take(const tn_assembly *assembly, tn_state_copy *copy);
void tn_state_copy_of(const tn_assembly *assembly, const tn_state_copy *from, tn_state_copy *to);
void tn_state_copy_list_state(const tn_assembly *assembly, tn_state_copy *copy, tn_state_visitor *visitor);
void tn_state_copy_put(tn_assembly *assembly, const tn_state_copy *copy);

/* ---- the list -------------------------------------------------------------------------------------------- */

enum { TN_MOST_CAUSES = 32, TN_CAUSES_SAID = 3 };

typedef struct tn_cause {
    double likelihood; /* 0 to 1 */
    tn_place place;    /* of the element */
    char text[640];    /* what it is, and the cure */
} tn_cause;

typedef struct tn_cause_list {
    tn_assembly *assembly;
    tn_status status; /* TN_OK: the run came to its end, but its energy is wrong */
    bool implicit;    /* the solver works with matrices */
    bool at_end;      /* the state is that of the failure; else that of the start */
    double elapsed;   /* s, from the start of the solver */
    double step;      /* s, a fixed step, or about that of an adaptive solver */
    tn_state_copy start;
    tn_failures failures; /* as the run left them */
    bool slow;            /* the run is right, but has taken very many steps */
    bool ran_away;        /* the motion is far beyond anything at the start */
    size_t count;
    tn_cause cause[TN_MOST_CAUSES];
} tn_cause_list;

/* Adds one that is likely enough; an instance of a group or a place says where. */
TN_PRINTF(4, 5)
void tn_cause_add(tn_cause_list *list, double likelihood, tn_place place, const char *format, ...);
tn_place tn_place_of(const tn_assembly *assembly, const tn_group *group, uint32_t instance);
const char *tn_name_of(const tn_assembly *assembly, const tn_group *group, uint32_t instance);
/* The body that a coordinate of v belongs to. */
const tn_group *tn_owner_of(const tn_assembly *assembly, size_t coordinate, uint32_t *instance);

/* ---- what is looked for ---------------------------------------------------------------------------------- */

void tn_find_refusals(
    tn_cause_list *list); /* refusal_causes.c: who refused, or brought in what is no number */
void tn_find_contradictions(
    tn_cause_list *list);                /* row_causes.c: rows that contradict each other, or lost rank */
void tn_find_modes(tn_cause_list *list); /* mode_causes.c: stiff, light, unstable: against the step */
void tn_find_step_causes(
    tn_cause_list *list); /* step_causes.c: turns, jumps, tolerances, masses, the start */

/* Warns where the tolerances of an adaptive solver are below the spacing of the numbers that it has come to. */
void tn_tolerance_warn(tn_assembly *assembly, const tn_state_copy *start);
void tn_find_tolerances(tn_cause_list *list);
/* The mass of a coordinate of a body against the largest of the model, in units in which they compare. */
double tn_lightness_of(const tn_assembly *assembly, const tn_group *group, uint32_t instance);
/* A note on what has kept the steps of an adaptive solver short, where they were very many. */
void tn_slowness_tell(tn_assembly *assembly, bool implicit, const tn_state_copy *start);
/* Says the likeliest ones, as notes; `start` is the state that the solver began with. */
void tn_causes_tell(tn_assembly *assembly, tn_status status, bool implicit, const tn_state_copy *start);

#endif

/* accept.h - the protocol of an accepted step: what happens, in which order, where a step ends.
 *
 * A solver calls system->accept for the state that it starts from, and for the state at the end of each of its steps. From then
 * on the step cannot be taken back. What the state makes necessary is done in this order:
 *
 *   1. The watch looks at the state: one that no solver can have meant goes no further.
 *   2. The unknowns of elements are found for the state (algebraic.c).
 *   3. Elements hear of the step, which was taken with the model as it still is (`accepted` of their types); angles count their
 *      turns on from here (turns.c), and delays keep the values of now (value_source.h).
 *   4. Events: elements react to the signs that have changed, by impulses and discrete data, say (events.c, impulses.c).
 *   5. Discrete data are kept: a later step that is rejected goes back to these (data.c).
 *   6. Jumps at which the motion stays become steep laws (value_source.h).
 *   7. Changes that are due, by their time or by a condition, are made, each once, until none is due (services.h); the
 *      state is made consistent with them.
 *   8. Where the state or the equations have jumped in 4, 6 or 7, delays go on from behind that.
 *   9. The unknowns of elements are kept: those of the next steps are found from there.
 *  10. The observers see the state, in the order in which they were registered: the account of energies, rows, progress.
 *  11. Steep laws remember where they have come to, behind the row that shows them; next_stop is the earliest time that a change, a
 *      delay or an observer asks for.
 *
 * What fails ends the step there, and the solver. The solver is told TN_OK, to go on, TN_EVENT, to end because `stop_when` is met
 * or an observer wants that, or a failure with its reason. A solver that goes on all the same gets the same answer again. */
#ifndef TN_ACCEPT_H
#define TN_ACCEPT_H

#include "system/assembly.h"

#include <float.h>
#include <math.h>

typedef struct tn_accepted_step {
    double length; /* s: since the state that was accepted before; 0 for the first one of a solver */
    bool changed;  /* the model was changed where the step ended */
    bool last;     /* `stop_when` is met: the solver ends here */
} tn_accepted_step;

/* Who sees accepted states, and changes nothing about them. */
typedef struct tn_step_observer {
    /* The state of the system is the accepted one, not necessarily that of the last evaluation of markers. TN_EVENT: the solver is
     * to end here; the other observers see the step none the less. Anything else but TN_OK is a failure. */
    tn_status (*see)(void *data, const tn_accepted_step *step);
    void *data;
    /* s: adaptive solvers end a step there, so that it is seen; renewed by `see`. HUGE_VAL for none */
    double next;
    double landing; /* s: likewise solvers of fixed steps, which cut a step there; 0 or less for none */
    struct tn_step_observer *behind; /* the next one; of the protocol */
} tn_step_observer;

/* Checks a state before it is used: anything but TN_OK ends the solver. */
typedef struct tn_step_watch {
    tn_status (*look)(void *data, tn_assembly *assembly);
    void *data;
} tn_step_watch;

typedef struct tn_acceptance {
    tn_step_observer *first;
    tn_step_watch watch; /* `look` NULL: there is no watch */
    tn_status answer;    /* what the solver was told last */
    uint32_t stop;       /* the condition that ends the solver, or TN_NONE */
    double next_change;  /* s: of the model, by its time; HUGE_VAL: there is none */
    double last_time;    /* s: of the state that was accepted before; at first where the solver begins */
    bool tells_elements; /* some type, or angle or delay of an expression, is to hear of accepted steps */
    bool waits;          /* the model has conditions */
    size_t changes_made; /* of those of the model with a time */
    bool
        is_deaf; /* states that are handed over do nothing: those of a solver whose state is about to be restored */
} tn_acceptance;

/* Where the system is assembled, and where it is freed. */
void tn_accept_build(tn_assembly *assembly);
/* The observer's memory is its owner's, who removes it before it goes. */
void tn_accept_observe(tn_assembly *assembly, tn_step_observer *observer);
void tn_accept_unobserve(tn_assembly *assembly, const tn_step_observer *observer);
/* A solver begins, with these keys, at their start_time; `stop` is the condition that ends it, or TN_NONE. */
void tn_accept_begin(tn_assembly *assembly, const tn_run *run, uint32_t stop);
/* Whether that condition is met. */
bool tn_accept_stops(const tn_assembly *assembly);

/* Where solvers end steps next, once more: the caller of a solver that stands has changed what is asked for. */
void tn_accept_find_stops(tn_assembly *assembly);
/* Parameters, or q and v, have been changed after the accepted state, while an observer saw it: the same follows as after a change
 * of the model. */
tn_status tn_accept_anew(tn_assembly *assembly);

/* What an element has to tell, of a step or of the model; types that keep rates hear of a motion that has jumped. */
void tn_tell_of_element(const tn_assembly *assembly, const tn_group *group, bool of_step);
tn_status tn_accept_jump(tn_assembly *assembly);

/* Times that lie nearer than this are the same: a share of a `stride`, or the round-off of times. */
static inline double tn_slack_of_times(double time, double stride)
{
    const double share = 1e-9 * stride, round_off = 4.0 * DBL_EPSILON * fabs(time);
    return share > round_off ? share : round_off; /* not fmax, which is a call, at every step */
}

#endif

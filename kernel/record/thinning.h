/* thinning.h - chooses the states of a run that become frames: as few as allow to interpolate positions linearly, and rotations on the
 * shortest way, within a tolerance.
 *
 * From the last frame on, each component of the position, and of the rotation vector, has a cone of slopes that pass all states since
 * then within the tolerance. When a state is outside of a cone, the state before it becomes a frame. The cost of a state does not depend on
 * how many were left out. */
#ifndef TN_THINNING_H
#define TN_THINNING_H

#include "record/motion.h"

#include <tenon/draft/stepping.h>

enum {
    TN_MOST_LEFT_OUT = 1000
}; /* states between two frames, so that a run that is killed has a recent frame */

/* What is kept of one track. */
typedef struct tn_thinned_track {
    size_t pose, turn;    /* numbers of a pose: 3 or 12; of its change: 3 or 6 */
    double *frame, *last; /* [pose] of the last frame, and of the last state */
    double *sign;         /* of the quaternion of the last frame, by which tn_quaternion_of() is multiplied */
    float *low, *high;    /* [turn] slopes, which are compared with a tolerance */
} tn_thinned_track;

typedef struct tn_thinning {
    const tn_motion *motion;
    double *kept; /* of all tracks, one behind the other */
    size_t kept_size;
    tn_thinned_track first;
    double length, angle,
        largest_turn; /* m, rad: tolerances of a component; the largest rotation between frames */
    double frame_time, last_time;
    uint32_t left_out;
    bool begun, waits; /* there is a frame; the last state is not one */
    void (*emit)(void *data, double time,
                 const struct tn_thinning *thinning); /* writes the last state as a frame */
    void *data;
} tn_thinning;

/* The track behind another one. */
tn_thinned_track tn_thinned_next(const tn_thinning *thinning, const tn_thinned_track *track, size_t number);

void tn_thinning_begin(tn_thinning *thinning, const tn_motion *motion, double length, double angle);
/* Takes the state whose poses the motion has; as a frame in any case where `makes_frame`. Returns whether a frame was written. */
bool tn_thinning_see(tn_thinning *thinning, double time, bool makes_frame);
/* Writes the last state as a frame unless it is one. Returns whether it did. */
bool tn_thinning_end(tn_thinning *thinning);
void tn_thinning_list_state(tn_thinning *thinning, tn_state_visitor *visitor);

#endif

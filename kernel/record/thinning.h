/* thinning.h - which of the states that a run goes through become frames: as few as possible, so that positions in between are linear,
 * and rotations the shortest, to a tolerance.
 *
 * From the last frame on, each component of a position, and of the rotation vector from there, keeps a cone of slopes that pass all
 * states since within the tolerance. The first state outside of a cone makes a frame of the one before it. A state costs the same
 * however many were left out. */
#ifndef TN_THINNING_H
#define TN_THINNING_H

#include "record/motion.h"

#include <tenon/draft/stepping.h>

enum {
    TN_MOST_LEFT_OUT = 1000
}; /* states between two frames: a run that is killed has a frame not long before */

/* Of one track. */
typedef struct tn_thinned_track {
    double frame[12], last[12]; /* poses: of the last frame, and of the last state */
    double low[6], high[6];     /* slopes */
    double quaternion[4];       /* of the last frame: the next one is on the same side */
} tn_thinned_track;

typedef struct tn_thinning {
    const tn_motion *motion;
    tn_thinned_track *track;            /* [tracks] */
    double (*step)[6];                  /* [tracks] of the state that is looked at */
    double length, angle, largest_turn; /* m, rad: tolerances of a component; the most between two frames */
    double frame_time, last_time;
    uint32_t left_out;
    bool begun, waits; /* there is a frame; the last state is none */
    void (*emit)(void *data, double time,
                 const struct tn_thinning *thinning); /* the state that is the last one */
    void *data;
} tn_thinning;

void tn_thinning_begin(tn_thinning *thinning, const tn_motion *motion, double length, double angle);
/* The state whose poses the motion has. `makes_frame`: whatever the tolerance is. Whether there have been frames. */
bool tn_thinning_see(tn_thinning *thinning, double time, bool makes_frame);
/* The last state becomes a frame, if it is none. */
bool tn_thinning_end(tn_thinning *thinning);
void tn_thinning_list_state(tn_thinning *thinning, tn_state_visitor *visitor);

#endif

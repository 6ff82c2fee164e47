/* thinning.c - chooses frames (see thinning.h) */
#include "record/thinning.h"

#include <math.h>
#include <string.h>

/* A rotation by the angle a at constant speed differs by up to 0.004 a^3 from normalised linear interpolation of quaternions. */
#define SHARE_OF_LINEAR 0.004
#define LARGEST_TURN 0.6 /* rad, between two frames */

static size_t numbers_of(bool is_frame) { return is_frame ? 40 : 12; }

/* The numbers of a track that begin here. */
static tn_thinned_track track_at(double *kept, double *step, bool is_frame)
{
    const size_t pose = is_frame ? 12 : 3, turn = is_frame ? 6 : 3;
    return (tn_thinned_track){.pose = pose,
                              .turn = turn,
                              .frame = kept,
                              .last = kept + pose,
                              .low = kept + 2 * pose,
                              .high = kept + 2 * pose + turn,
                              .quaternion = kept + 2 * pose + 2 * turn,
                              .step = step};
}

tn_thinned_track tn_thinned_first(const tn_thinning *thinning)
{
    return track_at(thinning->kept, thinning->step,
                    thinning->motion->count && thinning->motion->source[0].is_frame);
}

tn_thinned_track tn_thinned_next(const tn_thinning *thinning, const tn_thinned_track *track, size_t number)
{
    return track_at(track->frame + numbers_of(track->turn == 6), track->step + track->turn,
                    number < thinning->motion->count && thinning->motion->source[number].is_frame);
}

void tn_thinning_begin(tn_thinning *thinning, const tn_motion *motion, double length, double angle)
{
    *thinning = (tn_thinning){.motion = motion,
                              .length = length / sqrt(3.0),
                              .angle = 0.5 * angle /
                                       sqrt(3.0), /* the other half is for the interpolation of quaternions */
                              .largest_turn = fmin(cbrt(0.5 * angle / SHARE_OF_LINEAR), LARGEST_TURN)};
    size_t turns = 0;
    for (size_t k = 0; k < motion->count; k++) {
        thinning->kept_size += numbers_of(motion->source[k].is_frame);
        turns += motion->source[k].is_frame ? 6 : 3;
    }
    thinning->kept = tn_new(thinning->kept_size, sizeof(double));
    thinning->step = tn_new(turns, sizeof(double));
}

/* The rotation vector from one rotation to another one, in axes of the first; false where it is longer than `largest`. */
static bool find_turn(const double *from, const double *to, double largest, double *turn)
{
    double sine = 0.0, trace = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        double jk = 0.0, kj = 0.0;
        for (int r = 0; r < 9; r += 3) {
            kj += from[r + k] * to[r + j];
            jk += from[r + j] * to[r + k];
            trace += from[r + i] * to[r + i];
        }
        turn[i] = 0.5 * (kj - jk);
        sine += turn[i] * turn[i];
    }
    /* asin(s)/s, to 1e-6 at the largest turn of all */
    const double factor =
        1.0 + sine * (1.0 / 6.0 + sine * (3.0 / 40.0 + sine * (15.0 / 336.0 + sine * (105.0 / 3456.0))));
    for (int i = 0; i < 3; i++)
        turn[i] *= factor;
    return trace > 1.0 && sine * factor * factor <= largest * largest;
}

/* The motion of a track since the last frame; false where it has turned too far. */
static bool find_step(const tn_thinning *thinning, const tn_track_source *source,
                      const tn_thinned_track *track)
{
    for (int i = 0; i < 3; i++)
        track->step[i] = source->pose[i] - track->frame[i];
    return !source->is_frame ||
           find_turn(track->frame + 3, source->pose + 3, thinning->largest_turn, track->step + 3);
}

/* Two numbers of a track, and what a comparison says of them. */
typedef double pair __attribute__((vector_size(16)));
typedef int64_t choice __attribute__((vector_size(16)));

static inline pair chosen(choice which, pair a, pair b)
{
    return (pair)((which & (choice)a) | (~which & (choice)b));
}

static inline pair read_pair(const double *from)
{
    pair p;
    memcpy(&p, from, sizeof p);
    return p;
}

/* Narrows the cones of two numbers by their present values; which of these were inside. */
static inline choice narrow_pair(const double *step, pair tolerance, double share, double *low, double *high)
{
    const pair here = read_pair(step), slope = here * share, from = (here - tolerance) * share,
               to = (here + tolerance) * share, lowest = read_pair(low), highest = read_pair(high);
    const choice inside = (slope >= lowest) & (slope <= highest), finite = from <= to;
    /* a state that is not finite becomes a frame by itself */
    const pair none = {HUGE_VAL, HUGE_VAL},
               narrowed = chosen(finite, chosen(from > lowest, from, lowest), none),
               upper = chosen(finite, chosen(to < highest, to, highest), -none);
    memcpy(low, &narrowed, sizeof narrowed);
    memcpy(high, &upper, sizeof upper);
    return inside;
}

/* Narrows the cones of a track by its present state; false where that was outside. */
static inline bool narrow(const tn_thinned_track *track, double share, const tn_thinning *thinning)
{
    const double length = thinning->length, angle = thinning->angle;
    choice inside = narrow_pair(track->step, (pair){length, length}, share, track->low, track->high);
    if (track->turn == 6) {
        inside &= narrow_pair(track->step + 2, (pair){length, angle}, share, track->low + 2, track->high + 2);
        inside &= narrow_pair(track->step + 4, (pair){angle, angle}, share, track->low + 4, track->high + 4);
        return inside[0] & inside[1] & 1;
    }
    double step[2] = {track->step[2], 0.0}, low[2] = {track->low[2], -HUGE_VAL},
           high[2] = {track->high[2], HUGE_VAL};
    inside &= narrow_pair(step, (pair){length, length}, share, low, high);
    track->low[2] = low[0];
    track->high[2] = high[0];
    return inside[0] & inside[1] & 1;
}

/* Whether the present state is inside of all cones, which become narrower; where it is not, they are opened behind that, or the last
 * state is a frame and they are as wide as they can be. */
static bool fits(const tn_thinning *thinning, double time)
{
    const double share = 1.0 / (time - thinning->frame_time);
    if (!(time > thinning->last_time) || thinning->left_out == TN_MOST_LEFT_OUT) return false;
    tn_thinned_track track = tn_thinned_first(thinning);
    for (size_t k = 0; k < thinning->motion->count; track = tn_thinned_next(thinning, &track, ++k))
        if (!find_step(thinning, &thinning->motion->source[k], &track) || !narrow(&track, share, thinning))
            return false;
    return true;
}

/* Keeps the present state as the last one. */
static void take(tn_thinning *thinning, double time)
{
    const tn_motion *motion = thinning->motion;
    tn_thinned_track track = tn_thinned_first(thinning);
    for (size_t k = 0; k < motion->count; track = tn_thinned_next(thinning, &track, ++k))
        memcpy(track.last, motion->source[k].pose, track.pose * sizeof(double));
    thinning->last_time = time;
    thinning->waits = true;
    thinning->left_out++;
}

/* Writes the last state as a frame, and opens all cones. */
static void emit(tn_thinning *thinning)
{
    thinning->emit(thinning->data, thinning->last_time, thinning);
    tn_thinned_track track = tn_thinned_first(thinning);
    for (size_t k = 0; k < thinning->motion->count; track = tn_thinned_next(thinning, &track, ++k)) {
        memcpy(track.frame, track.last, track.pose * sizeof(double));
        for (size_t i = 0; i < track.turn; i++) {
            track.low[i] = -HUGE_VAL;
            track.high[i] = HUGE_VAL;
        }
    }
    thinning->frame_time = thinning->last_time;
    thinning->begun = true;
    thinning->waits = false;
    thinning->left_out = 0;
}

bool tn_thinning_end(tn_thinning *thinning)
{
    const bool waits = thinning->waits;
    if (waits) emit(thinning);
    return waits;
}

bool tn_thinning_see(tn_thinning *thinning, double time, bool makes_frame)
{
    const bool jumps = !thinning->begun || !(time > thinning->last_time);
    const bool fitted = !jumps && fits(thinning, time), any = !fitted && tn_thinning_end(thinning);
    tn_thinned_track track = tn_thinned_first(thinning);
    for (size_t k = 0; !jumps && !fitted && k < thinning->motion->count;
         track = tn_thinned_next(thinning, &track, ++k)) {
        (void)find_step(thinning, &thinning->motion->source[k], &track);
        (void)narrow(&track, 1.0 / (time - thinning->frame_time), thinning);
    }
    take(thinning, time);
    if (!jumps && !makes_frame) return any;
    emit(thinning);
    return true;
}

void tn_thinning_list_state(tn_thinning *thinning, tn_state_visitor *visitor)
{
    tn_visit_numbers(visitor, thinning->kept, thinning->kept_size);
    tn_visit_numbers(visitor, &thinning->frame_time, 1);
    tn_visit_numbers(visitor, &thinning->last_time, 1);
    TN_VISIT(visitor, thinning->left_out);
    TN_VISIT(visitor, thinning->begun);
    TN_VISIT(visitor, thinning->waits);
}

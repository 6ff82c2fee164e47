/* thinning.c - chooses frames (see thinning.h) */
#include "record/thinning.h"

#include <math.h>
#include <string.h>

/* A rotation by the angle a at constant speed differs by up to 0.004 a^3 from normalised linear interpolation of quaternions. */
#define SHARE_OF_LINEAR 0.004
#define LARGEST_TURN 0.6 /* rad, between two frames */

/* Two poses, a sign of a frame, and two slopes of half a number for each direction. */
static size_t numbers_of(bool is_frame) { return is_frame ? 12 + 12 + 1 + 6 : 3 + 3 + 3; }

/* The numbers of a track that begin here. */
static tn_thinned_track track_at(double *kept, bool is_frame)
{
    const size_t pose = is_frame ? 12 : 3, turn = is_frame ? 6 : 3;
    float *slopes = (float *)(void *)(kept + numbers_of(is_frame) - turn);
    return (tn_thinned_track){.pose = pose,
                              .turn = turn,
                              .frame = kept,
                              .last = kept + pose,
                              .sign = kept + 2 * pose,
                              .low = slopes,
                              .high = slopes + turn};
}

tn_thinned_track tn_thinned_next(const tn_thinning *thinning, const tn_thinned_track *track, size_t number)
{
    return track_at(track->frame + numbers_of(track->turn == 6),
                    number < thinning->motion->count && thinning->motion->source[number].is_frame);
}

void tn_thinning_begin(tn_thinning *thinning, const tn_motion *motion, double length, double angle)
{
    *thinning = (tn_thinning){.motion = motion,
                              .length = length / sqrt(3.0),
                              .angle = 0.5 * angle /
                                       sqrt(3.0), /* the other half is for the interpolation of quaternions */
                              .largest_turn = fmin(cbrt(0.5 * angle / SHARE_OF_LINEAR), LARGEST_TURN)};
    for (size_t k = 0; k < motion->count; k++)
        thinning->kept_size += numbers_of(motion->source[k].is_frame);
    thinning->kept = tn_new(thinning->kept_size, sizeof(double));
    thinning->first = track_at(thinning->kept, motion->count && motion->source[0].is_frame);
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

/* The motion of a track since the last frame, step [turn]; false where it has turned too far. */
static inline bool find_step(const tn_thinning *thinning, const tn_track_source *source,
                             const tn_thinned_track *track, double *step)
{
    const double *pose = tn_track_pose(thinning->motion, source);
    for (int i = 0; i < 3; i++)
        step[i] = pose[i] - track->frame[i];
    return !source->is_frame || find_turn(track->frame + 3, pose + 3, thinning->largest_turn, step + 3);
}

/* Narrows cones by these numbers of a step; false where one was outside. How many there are is a constant of each copy. */
static inline __attribute__((always_inline)) bool narrow_cones(size_t count, const double *step, double share,
                                                               const tn_thinning *thinning,
                                                               float *restrict lows, float *restrict highs)
{
    const double length = thinning->length, angle = thinning->angle;
    int inside = 1;
    for (size_t i = 0; i < count; i++) {
        const double tolerance = i < 3 ? length : angle;
        const float slope = (float)(step[i] * share), low = (float)((step[i] - tolerance) * share),
                    high = (float)((step[i] + tolerance) * share);
        const float narrowed = low > lows[i] ? low : lows[i], lowered = high < highs[i] ? high : highs[i];
        const bool finite = low <= high; /* a state that is not finite becomes a frame by itself */
        inside &= (slope >= lows[i]) & (slope <= highs[i]);
        lows[i] = finite ? narrowed : HUGE_VALF;
        highs[i] = finite ? lowered : -HUGE_VALF;
    }
    return inside;
}

static inline bool narrow(const tn_thinned_track *track, const double *step, double share,
                          const tn_thinning *thinning)
{
    return track->turn == 6 ? narrow_cones(6, step, share, thinning, track->low, track->high)
                            : narrow_cones(3, step, share, thinning, track->low, track->high);
}

/* Whether the present state is inside of all cones, which become narrower; where it is not, they are opened behind that, or the last
 * state is a frame and they are as wide as they can be. */
static bool fits(const tn_thinning *thinning, double time)
{
    const double share = 1.0 / (time - thinning->frame_time);
    if (!(time > thinning->last_time) || thinning->left_out == TN_MOST_LEFT_OUT) return false;
    tn_thinned_track track = thinning->first;
    for (size_t k = 0; k < thinning->motion->count; track = tn_thinned_next(thinning, &track, ++k)) {
        double step[6];
        if (!find_step(thinning, &thinning->motion->source[k], &track, step) ||
            !narrow(&track, step, share, thinning))
            return false;
    }
    return true;
}

/* Keeps the present state as the last one. */
static void take(tn_thinning *thinning, double time)
{
    const tn_motion *motion = thinning->motion;
    tn_thinned_track track = thinning->first;
    for (size_t k = 0; k < motion->count; track = tn_thinned_next(thinning, &track, ++k))
        memcpy(track.last, tn_track_pose(motion, &motion->source[k]), track.pose * sizeof(double));
    thinning->last_time = time;
    thinning->waits = true;
    thinning->left_out++;
}

/* Writes the last state as a frame, and opens all cones. */
static void emit(tn_thinning *thinning)
{
    thinning->emit(thinning->data, thinning->last_time, thinning);
    tn_thinned_track track = thinning->first;
    for (size_t k = 0; k < thinning->motion->count; track = tn_thinned_next(thinning, &track, ++k)) {
        memcpy(track.frame, track.last, track.pose * sizeof(double));
        for (size_t i = 0; i < track.turn; i++) {
            track.low[i] = -HUGE_VALF;
            track.high[i] = HUGE_VALF;
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
    tn_thinned_track track = thinning->first;
    for (size_t k = 0; !jumps && !fitted && k < thinning->motion->count;
         track = tn_thinned_next(thinning, &track, ++k)) {
        double step[6];
        (void)find_step(thinning, &thinning->motion->source[k], &track, step);
        (void)narrow(&track, step, 1.0 / (time - thinning->frame_time), thinning);
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

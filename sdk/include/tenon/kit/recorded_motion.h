/* tenon/kit/recorded_motion.h - reads the frames of a recording one by one, as recorded or at equal intervals, in bounded memory.
 *
 *     tn_motion motion;
 *     tn_status status = tn_motion_begin(&motion, host, recording, rate, most);
 *     while (status == TN_OK && (status = tn_motion_next(&motion)) == TN_OK && !motion.ended) ... motion.time, pose, wrench ...
 *     tn_motion_end(&motion);
 *
 * Frames with a pose that is not finite are left out, and tn_motion_end() warns of them. Wrenches that are not finite, or not recorded, stay
 * NaN: see tn_motion_knows_wrenches(). Where a rate is given, or where there are more frames than `most`, frames are interpolated at equal
 * intervals.
 * Part of the kit: no part of the binary interface, and it may change with any version. C only. */
#ifndef TENON_KIT_RECORDED_MOTION_H
#define TENON_KIT_RECORDED_MOTION_H

#include "tenon/draft/recording.h"
#include "tenon/kit/poses.h"

#include <stdlib.h>

typedef struct tn_motion {
    const tn_host *host;
    const tn_recording *recording;
    /* the present frame */
    double time;          /* s */
    const double *pose;   /* [tracks][7] */
    const double *wrench; /* [wrenches][6] */
    bool ended;
    uint64_t count; /* of all frames, also of those that are left out */
    /* private */
    bool even;
    double start, step;    /* s, of equal intervals */
    uint64_t next, source; /* number of the next frame, and of the recorded one before it */
    uint64_t dropped;
    double first_dropped;
    uint64_t held_first, held, room; /* frames in memory */
    size_t poses, wrenches;          /* numbers of a frame */
    double *held_time, *held_pose, *held_wrench, *between;
} tn_motion;

enum { TN_MOTION_NUMBERS = 1 << 18 }; /* kept in memory, about */

/* The parameters of a writer, in its list: `rate`, NaN where it is not given, and `most_frames`. */
#define TN_MOTION_PARAMETERS(P, most, highest)                                       \
    P(REAL, rate, "1/s", TN_OPTIONAL | TN_ABOVE_LOW, 0.0, 0.0, 1e9,                  \
      "frames per second, at equal intervals; default: the frames of the recording") \
    P(INTEGER, most_frames, 0, most, 2, highest,                                     \
      "largest number of frames; longer motions get this many at equal intervals, with a note")

static inline tn_status tn_motion_fetch(tn_motion *motion, uint64_t frame)
{
    const tn_recording *recording = motion->recording;
    if (frame >= motion->held_first && frame < motion->held_first + motion->held) return TN_OK;
    const uint64_t rest = recording->frames - frame;
    motion->held = 0;
    const uint64_t count = rest < motion->room ? rest : motion->room;
    const tn_status status = recording->frame(recording, frame, count, motion->held_time, motion->held_pose,
                                              motion->wrenches > 0 ? motion->held_wrench : NULL);
    if (status != TN_OK) return status;
    motion->held_first = frame;
    motion->held = count;
    return TN_OK;
}

static inline bool tn_all_finite(const double *number, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++)
        sum += 0.0 * number[k]; // NaN where a number is not finite
    return sum == 0.0;
}

/* Numbers of a frame in memory. */
static inline double *tn_motion_time(const tn_motion *motion, uint64_t frame)
{
    return motion->held_time + (frame - motion->held_first);
}
static inline double *tn_motion_pose(const tn_motion *motion, uint64_t frame)
{
    return motion->held_pose + (frame - motion->held_first) * motion->poses;
}
static inline double *tn_motion_wrench(const tn_motion *motion, uint64_t frame)
{
    return motion->held_wrench + (frame - motion->held_first) * motion->wrenches;
}
static inline bool tn_motion_finite(const tn_motion *motion, uint64_t frame)
{
    return isfinite(*tn_motion_time(motion, frame)) &&
           tn_all_finite(tn_motion_pose(motion, frame), motion->poses);
}

/* Whether all wrenches of the present frame are finite: they are NaN where none were recorded, as at the end of a run that failed. */
static inline bool tn_motion_knows_wrenches(const tn_motion *motion)
{
    return tn_all_finite(motion->wrench, motion->wrenches);
}

static inline void tn_motion_drop(tn_motion *motion, double time)
{
    if (motion->dropped++ == 0) motion->first_dropped = time;
}

/* The next frame as it was recorded. */
static inline tn_status tn_motion_next_recorded(tn_motion *motion)
{
    for (; motion->next < motion->recording->frames; motion->next++) {
        const uint64_t frame = motion->next;
        const tn_status status = tn_motion_fetch(motion, frame);
        if (status != TN_OK) return status;
        motion->time = *tn_motion_time(motion, frame);
        motion->pose = tn_motion_pose(motion, frame);
        motion->wrench = tn_motion_wrench(motion, frame);
        if (tn_motion_finite(motion, frame)) return motion->next++, TN_OK;
        tn_motion_drop(motion, motion->time);
    }
    motion->ended = true;
    return TN_OK;
}

/* Finds the last recorded frame that is not after a time, and keeps the next one in memory, too. */
static inline tn_status tn_motion_seek(tn_motion *motion, double time)
{
    const uint64_t last = motion->recording->frames - 1;
    for (;; motion->source++) {
        tn_status status = tn_motion_fetch(motion, motion->source);
        if (status == TN_OK && motion->source < last &&
            motion->source + 1 >= motion->held_first + motion->held) {
            motion->held = 0; // read again from this frame on
            status = tn_motion_fetch(motion, motion->source);
        }
        if (status != TN_OK || motion->source == last) return status;
        if (*tn_motion_time(motion, motion->source + 1) > time) return TN_OK;
    }
}

static inline void tn_motion_interpolate(tn_motion *motion, double part)
{
    const uint64_t frame = motion->source;
    const double *from = tn_motion_pose(motion, frame), *to = tn_motion_pose(motion, frame + 1);
    for (size_t k = 0; k < motion->poses; k += 7)
        tn_pose_between(from + k, to + k, part, motion->between + k);
    double *wrench = motion->between + motion->poses;
    from = tn_motion_wrench(motion, frame);
    to = tn_motion_wrench(motion, frame + 1);
    for (size_t k = 0; k < motion->wrenches; k++)
        wrench[k] = from[k] + part * (to[k] - from[k]);
    motion->pose = motion->between;
    motion->wrench = wrench;
}

/* The next frame at equal intervals whose recorded neighbours are finite. */
static inline tn_status tn_motion_next_even(tn_motion *motion)
{
    for (; motion->next < motion->count; motion->next++) {
        const double time = motion->start + (double)motion->next * motion->step;
        const tn_status status = tn_motion_seek(motion, time);
        if (status != TN_OK) return status;
        const uint64_t frame = motion->source;
        const bool last = frame == motion->recording->frames - 1;
        const double from = *tn_motion_time(motion, frame),
                     to = last ? from : *tn_motion_time(motion, frame + 1);
        const double part = to > from ? fmax((time - from) / (to - from), 0.0) : 0.0;
        motion->time = time;
        motion->pose = tn_motion_pose(motion, frame);
        motion->wrench = tn_motion_wrench(motion, frame);
        if (tn_motion_finite(motion, frame) && (part == 0.0 || tn_motion_finite(motion, frame + 1))) {
            if (part > 0.0) tn_motion_interpolate(motion, part);
            return motion->next++, TN_OK;
        }
        tn_motion_drop(motion, time);
    }
    motion->ended = true;
    return TN_OK;
}

static inline tn_status tn_motion_next(tn_motion *motion)
{
    return motion->even ? tn_motion_next_even(motion) : tn_motion_next_recorded(motion);
}

/* Chooses equal intervals where a rate is given, or where there are too many frames. */
static inline tn_status tn_motion_choose(tn_motion *motion, double rate, uint64_t most)
{
    const tn_recording *recording = motion->recording;
    const uint64_t frames = recording->frames;
    double start = 0.0, end = 0.0;
    motion->count = frames;
    if (frames < 2 || (!(rate > 0.0) && frames <= most)) return TN_OK;
    tn_status status = recording->frame(recording, 0, 1, &start, NULL, NULL);
    if (status == TN_OK) status = recording->frame(recording, frames - 1, 1, &end, NULL, NULL);
    if (status != TN_OK || !(end > start) || !isfinite(end - start)) return status;
    motion->even = true;
    const double wanted = rate > 0.0 ? floor((end - start) * rate * (1.0 + 1e-12)) + 1.0 : (double)frames;
    motion->count = wanted < (double)most ? (uint64_t)wanted : most;
    const bool thinned = wanted > (double)most;
    motion->step = rate > 0.0 && !thinned ? 1.0 / rate : (end - start) / (double)(motion->count - 1);
    motion->start = start;
    if (thinned)
        tn_say(motion->host, TN_NOTE,
               "there would be %.0f frames, more than `most_frames`: %llu at equal intervals are written, "
               "and fast "
               "motions may look wrong",
               wanted, (unsigned long long)motion->count);
    return TN_OK;
}

/* `rate`: frames per second; NaN or 0: the frames of the recording. `most`: 2 or more. */
static inline tn_status tn_motion_begin(tn_motion *motion, const tn_host *host, const tn_recording *recording,
                                        double rate, uint64_t most)
{
    *motion = (tn_motion){.host = host, .recording = recording};
    motion->poses = 7 * (size_t)recording->tracks;
    motion->wrenches = 6 * (size_t)recording->wrenches;
    const uint64_t numbers = motion->poses + motion->wrenches + 1, room = TN_MOTION_NUMBERS / numbers;
    motion->room = room < 2 ? 2 : room;
    if (motion->room > recording->frames) motion->room = recording->frames + 1;
    motion->held_time = malloc((size_t)(motion->room * sizeof(double)));
    motion->held_pose = malloc((size_t)motion->room * motion->poses * sizeof(double) + 1);
    motion->held_wrench = malloc((size_t)motion->room * motion->wrenches * sizeof(double) + 1);
    motion->between = malloc((motion->poses + motion->wrenches + 1) * sizeof(double));
    if (!motion->held_time || !motion->held_pose || !motion->held_wrench || !motion->between)
        return TN_OUT_OF_MEMORY;
    return tn_motion_choose(motion, rate, most);
}

/* Also to be called where tn_motion_begin() has failed. */
static inline void tn_motion_end(tn_motion *motion)
{
    if (motion->dropped > 0)
        tn_say(motion->host, TN_WARNING,
               "%llu of %llu frames are left out, the first at %.6g s: a position or rotation is not finite",
               (unsigned long long)motion->dropped, (unsigned long long)motion->count, motion->first_dropped);
    free(motion->held_time);
    free(motion->held_pose);
    free(motion->held_wrench);
    free(motion->between);
    *motion = (tn_motion){0};
}

#endif

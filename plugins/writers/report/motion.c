/* motion.c - chooses the frames of a page: a limited number, between which the motion can be interpolated within a tolerance, and at
 * intervals of at most a sixtieth of a second in a playback of ten seconds
 *
 * Each attempt reads the frames once, in order, and keeps those since the last chosen one, in order to compare all of them with the
 * interpolation up to the newest. If too many are chosen, the next attempt has a larger tolerance. */
#include "report.h"

enum { LEAST_FRAMES = 600, STANDARD_FRAMES = 2000, LONGEST_WINDOW = 32, MOST_CHOICES = 8 };

typedef struct window {
    const tn_recording *recording;
    size_t tracks, room;
    double *pose; /* [room + 1][tracks][7]: of the last chosen frame, then of those since */
    double *time; /* [room + 1] */
    uint64_t *frame;
    size_t count; /* without the first */
} window;

static bool is_finite_pose(const double *pose, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++)
        sum += pose[k] - pose[k];
    return sum == 0.0;
}

/* Whether a pose is the one interpolated between two others, at share s, within the tolerances. */
static bool is_between(const double *from, const double *to, double s, const double *pose, double length,
                       double angle)
{
    double distance = 0.0, inner = 0.0, norm = 0.0, product = 0.0;
    for (int k = 0; k < 3; k++) {
        const double d = pose[k] - (from[k] + s * (to[k] - from[k]));
        distance += d * d;
    }
    if (distance > length * length) return false;
    for (int k = 3; k < 7; k++)
        inner += from[k] * to[k];
    for (int k = 3; k < 7; k++) {
        const double q = from[k] * (1.0 - s) + (inner < 0.0 ? -s : s) * to[k];
        norm += q * q;
        product += q * pose[k];
    }
    // the cosine of half the angle between them, which is small
    const double cosine = fabs(product) / sqrt(norm), sine2 = 1.0 - cosine * cosine;
    return norm > 0.0 && sine2 <= 0.25 * angle * angle;
}

/* Whether all frames of the window can be interpolated between the chosen frame and the last one. */
static bool fits(const window *w, double length, double angle)
{
    const size_t size = 7 * w->tracks, last = w->count;
    const double span = w->time[last] - w->time[0];
    for (size_t k = last - 1; k > 0; k--) {
        const double s = span > 0.0 ? (w->time[k] - w->time[0]) / span : 0.0;
        for (size_t t = 0; t < w->tracks; t++)
            if (!is_between(w->pose + 7 * t, w->pose + last * size + 7 * t, s, w->pose + k * size + 7 * t,
                            length, angle))
                return false;
    }
    return true;
}

static void keep_only(window *w, size_t k)
{
    const size_t size = 7 * w->tracks;
    memcpy(w->pose, w->pose + k * size, size * sizeof *w->pose);
    w->time[0] = w->time[k];
    w->frame[0] = w->frame[k];
}

/* Appends frame f to the window; false where it is not finite. */
static tn_status read_frame(window *w, uint64_t f, bool *finite)
{
    const size_t size = 7 * w->tracks, to = w->count + 1;
    const tn_status status = w->recording->frame(w->recording, f, 1, w->time + to, w->pose + to * size, NULL);
    w->frame[to] = f;
    *finite = status == TN_OK && isfinite(w->time[to]) && is_finite_pose(w->pose + to * size, size);
    return status;
}

static void add_frame(tn_motion *motion, const window *w, size_t k)
{
    motion->frame[motion->count++] = w->frame[k];
}

/* Widens the ranges of coordinates by the last frame of the window. */
static void see_reach(const window *w, double *low, double *high)
{
    for (size_t t = 0; t < w->tracks; t++)
        for (size_t k = 0; k < 3; k++) {
            const double x = w->pose[(w->count * w->tracks + t) * 7 + k];
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
}

/* One attempt, which reads every `stride`-th frame. */
static tn_status choose_once(window *w, tn_motion *motion, uint64_t stride, double longest, bool all)
{
    const uint64_t frames = w->recording->frames;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    bool any = false;
    tn_status status = TN_OK;
    motion->count = motion->dropped = 0;
    for (uint64_t f = 0; status == TN_OK && f < frames;
         f = f + stride < frames || f + 1 == frames ? f + stride : frames - 1) {
        bool finite;
        w->count = any ? w->count : SIZE_MAX; // the first goes to place 0
        status = read_frame(w, f, &finite);
        motion->dropped += status == TN_OK && !finite;
        if (!finite) {
            w->count = any ? w->count : 0;
            continue;
        }
        w->count++;
        see_reach(w, low, high);
        if (!any) add_frame(motion, w, 0);
        any = true;
        if (w->count == 0) continue;
        const bool far = w->time[w->count] - w->time[0] > longest;
        if (!all && w->count < w->room && !far && fits(w, motion->tolerance[0], motion->tolerance[1]))
            continue;
        const size_t chosen = all || w->count == 1 ? w->count : w->count - 1;
        add_frame(motion, w, chosen);
        keep_only(w, chosen);
        if (chosen < w->count) { // the newest remains
            memcpy(w->pose + 7 * w->tracks, w->pose + w->count * 7 * w->tracks,
                   7 * w->tracks * sizeof *w->pose);
            w->time[1] = w->time[w->count];
            w->frame[1] = w->frame[w->count];
            w->count = 1;
        } else {
            w->count = 0;
        }
    }
    if (any && w->count > 0) add_frame(motion, w, w->count);
    for (int k = 0; any && k < 3; k++)
        motion->reach = fmax(motion->reach, high[k] - low[k]);
    return status;
}

/* Keeps evenly spaced frames where there are still too many. */
static void cut(tn_motion *motion, uint64_t most)
{
    for (uint64_t k = 0; k < most; k++)
        motion->frame[k] = motion->frame[most > 1 ? k * (motion->count - 1) / (most - 1) : 0];
    motion->count = most;
}

static tn_status choose(window *w, tn_motion *motion, uint64_t most, double tolerance)
{
    const tn_recording *recording = w->recording;
    const uint64_t frames = recording->frames, stride = 1 + frames / (10 * most + 10000);
    const double span = recording->time_reached - recording->start_time,
                 longest = span / (double)(most < LEAST_FRAMES ? most : LEAST_FRAMES) * 1.001;
    motion->tolerance[0] = tolerance * recording->size;
    motion->tolerance[1] = tolerance;
    tn_status status = choose_once(w, motion, frames <= most ? 1 : stride, longest, frames <= most);
    if (frames <= most) {
        motion->tolerance[0] = motion->tolerance[1] = 0.0;
        return status;
    }
    for (int k = 1; status == TN_OK && motion->count > most && k < MOST_CHOICES; k++) {
        // the number of linear pieces is proportional to the inverse root of the tolerance
        const double excess = (double)motion->count / (double)most, factor = 1.3 * excess * excess;
        motion->tolerance[0] *= factor;
        motion->tolerance[1] *= factor;
        status = choose_once(w, motion, stride, longest * (k > 3 ? 2.0 : 1.0), false);
    }
    if (motion->count > most) cut(motion, most);
    return status;
}

tn_status tn_choose_frames(const tn_recording *recording, uint64_t most, double tolerance, tn_motion *motion)
{
    if (!most) most = STANDARD_FRAMES;
    *motion = (tn_motion){0};
    if (!recording->frames || !recording->tracks) return TN_OK;
    window w = {.recording = recording, .tracks = recording->tracks, .room = LONGEST_WINDOW};
    const size_t places = w.room + 2;
    w.pose = malloc(places * 7 * w.tracks * sizeof *w.pose);
    w.time = malloc(places * sizeof *w.time);
    w.frame = malloc(places * sizeof *w.frame);
    motion->frame = malloc((size_t)(recording->frames + 1) * sizeof *motion->frame);
    const bool complete = w.pose && w.time && w.frame && motion->frame;
    const tn_status status = complete ? choose(&w, motion, most, tolerance) : TN_OUT_OF_MEMORY;
    free(w.pose);
    free(w.time);
    free(w.frame);
    return status;
}

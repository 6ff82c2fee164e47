/* history.c - a ring of points, and the cubic through four of them */
#include "expression/history.h"

#include "base/memory.h"

#include <math.h>

enum { STENCIL = 4 };
/* A neighbour that is nearer than this share of the current interval is left out. */
static const double nearest = 0.01;

tn_past *tn_history_point(const tn_history *history, size_t k)
{
    return &history->point[(history->first + k) & (history->capacity - 1)];
}

static void make_room_for_point(tn_history *history)
{
    if (history->count < history->capacity) return;
    const size_t capacity = history->capacity ? 2 * history->capacity : 16;
    tn_past *point = tn_new(capacity, sizeof *point);
    for (size_t k = 0; k < history->count; k++)
        point[k] = *tn_history_point(history, k);
    tn_free(history->point);
    history->point = point;
    history->capacity = capacity;
    history->first = 0;
}

void tn_history_make(tn_history *history, size_t count)
{
    history->count = history->first = 0;
    while (history->capacity < count) {
        history->count = history->capacity;
        make_room_for_point(history);
    }
    history->count = count;
}

void tn_history_add(tn_history *history, double time, double value)
{
    if (history->count && time < tn_history_end(history)) history->count = 0;
    const bool again = history->count && time == tn_history_end(history);
    if (again && tn_history_point(history, history->count - 1)->value == value) {
        tn_history_point(history, history->count - 1)->begins = true;
        return;
    }
    make_room_for_point(history);
    if (!history->count) history->begin = time;
    history->count++;
    *tn_history_point(history, history->count - 1) = (tn_past){time, value, again};
    if (fabs(value) > history->greatest) history->greatest = fabs(value);
}

/* One point in front of the current interval is needed, or two where that is the last one; the step needs one more. */
void tn_history_forget(tn_history *history, double time)
{
    while (history->count > STENCIL + 1 && tn_history_point(history, 3)->time <= time) {
        history->first = (history->first + 1) & (history->capacity - 1);
        history->count--;
    }
}

double tn_history_end(const tn_history *history)
{
    return tn_history_point(history, history->count - 1)->time;
}

/* The last point that is not behind `time`, or the first one. */
static size_t find_point(const tn_history *history, double time)
{
    size_t low = 0, high = history->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (tn_history_point(history, middle)->time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether the curve through point k goes on at a neighbour of it, which may be in front of the first or behind the last. */
static bool reaches(const tn_history *history, size_t k, size_t neighbour, double span)
{
    return neighbour < history->count && !tn_history_point(history, k)->begins &&
           fabs(tn_history_point(history, neighbour)->time - tn_history_point(history, k)->time) >= span;
}

/* Between the last two of five points the error is at most their fourth divided difference times the fourth power of the longest
 * of the steps. */
double tn_history_step(const tn_history *history, double error)
{
    const size_t count = history->count;
    double difference[STENCIL + 1];
    if (count <= STENCIL) return (double)NAN;
    for (size_t k = 0; k <= STENCIL; k++) {
        if (k < STENCIL && tn_history_point(history, count - 1 - k)->begins) return (double)NAN;
        difference[k] = tn_history_point(history, count - 1 - k)->value;
    }
    for (size_t order = 1; order <= STENCIL; order++)
        for (size_t k = 0; k + order <= STENCIL; k++)
            difference[k] = (difference[k] - difference[k + 1]) /
                            (tn_history_point(history, count - 1 - k)->time -
                             tn_history_point(history, count - 1 - k - order)->time);
    const double last = tn_history_end(history) - tn_history_point(history, count - 2)->time;
    return fmin(2.0 * last, pow(error * history->greatest / fabs(difference[0]), 1.0 / STENCIL));
}

/* Points around the interval from point `left` to the next one, or to `now`; that end is the second of them. */
static size_t choose_points(const tn_history *history, size_t left, const tn_past *now, tn_past *stencil)
{
    size_t count = 2, right = left + 1;
    stencil[0] = *tn_history_point(history, left);
    stencil[1] = now ? *now : *tn_history_point(history, right);
    const double span = nearest * (stencil[1].time - stencil[0].time);
    const bool back = reaches(history, left, left - 1, span),
               on = !now && reaches(history, right, right + 1, span);
    if (back) stencil[count++] = *tn_history_point(history, --left);
    if (on) stencil[count++] = *tn_history_point(history, ++right);
    if (back && !on && reaches(history, left, left - 1, span))
        stencil[count++] = *tn_history_point(history, left - 1);
    if (on && !back && reaches(history, right, right + 1, span))
        stencil[count++] = *tn_history_point(history, right + 1);
    return count;
}

/* Lagrange's polynomial. */
static tn_recollection interpolate_points(const tn_past *stencil, size_t count, double time, bool with_now)
{
    tn_recollection result = {0.0, 0.0, 0.0};
    for (size_t j = 0; j < count; j++) {
        double weight = 1.0, slope = 0.0;
        for (size_t k = 0; k < count; k++) {
            if (k == j) continue;
            const double distance = stencil[j].time - stencil[k].time;
            slope = (slope * (time - stencil[k].time) + weight) / distance;
            weight *= (time - stencil[k].time) / distance;
        }
        result.value += weight * stencil[j].value;
        result.slope += slope * stencil[j].value;
        if (j == 1 && with_now) result.by_now = weight;
    }
    return result;
}

tn_recollection tn_history_at(const tn_history *history, double time, const tn_past *now)
{
    size_t left = find_point(history, time);
    tn_past stencil[STENCIL];
    if (time <= tn_history_end(history)) {
        now = NULL;
        /* at the end itself, or in front of a jump of no length */
        if (left + 1 == history->count) {
            if (left == 0 || tn_history_point(history, left)->begins)
                return (tn_recollection){tn_history_point(history, left)->value, 0.0, 0.0};
            left--;
        }
    }
    return interpolate_points(stencil, choose_points(history, left, now, stencil), time, now != NULL);
}

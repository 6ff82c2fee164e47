/* kinks.c - a step ends where a signal or a law switches at a given time, or the rate of a prescribed motion jumps: after it forces and
 * prescribed motions are smooth again, and a jump is an impact right there
 *
 * Such times are those at which an event function changes its sign, or the rate of a row jumps, while the state stays as it is. */
#include "moreau.h"

#define SMOOTH 1e-3 /* of the largest rates: a deviation from a straight line that is no jump */
enum { HALVINGS = 60 };

bool tn_moreau_make_events(moreau_work *work)
{
    const tn_system *system = work->system;
    work->event_room = system->events;
    for (uint32_t r = 0; r < system->rows; r++)
        work->driven_rows = work->driven_rows || work->o->row_driven[r];
    work->event =
        system->host->allocate(system->host, (2 * (size_t)system->events + 1) * sizeof *work->event);
    work->jump = system->host->allocate(system->host, (3 * (size_t)system->rows + 1) * sizeof *work->jump);
    return work->event != NULL && work->jump != NULL;
}

static tn_status look(moreau_work *work, double time, double *value)
{
    tn_system *system = work->system;
    system->time = time;
    const tn_status status = system->evaluate(system);
    return status == TN_OK ? system->event_values(system, value) : status;
}

/* Zero is on neither side; NaN is no event. */
static bool differ(const moreau_work *work, const double *first, const double *last)
{
    for (uint32_t k = 0; k < work->system->events; k++)
        if ((first[k] < 0.0 && last[k] > 0.0) || (first[k] > 0.0 && last[k] < 0.0)) return true;
    return false;
}

/* To the last bit: the end is on the new side, `seen` on the old one. */
static double find_event(moreau_work *work, double end, double *seen)
{
    tn_system *system = work->system;
    double *first = work->event, *last = first + system->events, low = system->time, high = end;
    if (!system->events || system->events > work->event_room) return HUGE_VAL;
    tn_status status = look(work, low, first);
    if (status == TN_OK) status = look(work, end, last);
    if (status != TN_OK || !differ(work, first, last)) return HUGE_VAL;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low) || !(middle < high) || look(work, middle, last) != TN_OK) break;
        *(differ(work, first, last) ? &high : &low) = middle;
    }
    *seen = low;
    return high;
}

/* ---- rates of prescribed motions -------------------------------------------------------------------------------- */

static bool find_rates(moreau_work *work, double time, double *rate)
{
    tn_system *system = work->system;
    system->time = time;
    return system->evaluate(system) == TN_OK && system->constraint_rate(system, rate) == TN_OK;
}

/* The driven row with the largest deviation from a straight line, if any. */
static bool find_row(const moreau_work *work, const double *first, const double *middle, const double *last,
                     uint32_t *row)
{
    double largest = 0.0, size = 0.0;
    for (uint32_t r = 0; r < work->system->rows; r++) {
        if (!work->o->row_driven[r]) continue;
        const double bend = fabs(first[r] - 2.0 * middle[r] + last[r]);
        size = fmax(size, fmax(fabs(first[r]), fmax(fabs(middle[r]), fabs(last[r]))));
        if (bend > largest) *row = r;
        largest = fmax(largest, bend);
    }
    return largest > SMOOTH * size;
}

/* When the interval shrinks, a jump keeps its height, while the deviation of a smooth rate vanishes. */
static double find_jump(moreau_work *work, double end, double *seen)
{
    const uint32_t rows = work->system->rows;
    double *first = work->jump, *middle = first + rows, *last = middle + rows, low = work->system->time,
           high = end;
    uint32_t r = 0;
    if (!work->driven_rows || !find_rates(work, low, first) ||
        !find_rates(work, 0.5 * (low + high), middle) || !find_rates(work, high, last) ||
        !find_row(work, first, middle, last, &r))
        return HUGE_VAL;
    const double height = fabs(first[r] - 2.0 * middle[r] + last[r]);
    double left = first[r], right = last[r];
    for (int k = 0; k < HALVINGS; k++) {
        const double time = 0.5 * (low + high);
        if (!(time > low) || !(time < high)) break;
        if (!find_rates(work, time, middle)) return HUGE_VAL;
        const bool late = fabs(right - middle[r]) > fabs(middle[r] - left);
        *(late ? &low : &high) = time;
        *(late ? &left : &right) = middle[r];
        if (!(fabs(right - left) > 0.5 * height)) return HUGE_VAL;
    }
    *seen = low;
    return high;
}

double tn_moreau_first_kink(moreau_work *work, double end, double *seen)
{
    tn_system *system = work->system;
    const double start = system->time;
    double before_event = end, before_jump = end;
    if (!system->events && !work->driven_rows) return HUGE_VAL;
    const double event = find_event(work, end, &before_event);
    system->time = start;
    const double jump = find_jump(work, fmin(end, event), &before_jump);
    system->time = start;
    (void)system->evaluate(system);
    *seen = jump < event ? before_jump : before_event;
    return fmin(event, jump);
}

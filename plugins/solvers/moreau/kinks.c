/* kinks.c - where time alone makes a signal or a law switch, a step ends: behind it forces and prescribed motions are smooth again, and signals
 * of straight lines are integrated exactly
 *
 * Such times are those at which an event function changes its sign while the state stays as it is. */
#include "moreau.h"

enum { HALVINGS = 60 };

bool tn_moreau_make_events(moreau_work *work)
{
    const tn_system *system = work->system;
    work->event_room = system->events;
    if (!system->events) return true;
    work->event = system->host->allocate(system->host, 2 * (size_t)system->events * sizeof *work->event);
    return work->event != NULL;
}

static tn_status look(moreau_work *work, double time, double *value)
{
    tn_system *system = work->system;
    system->time = time;
    const tn_status status = system->evaluate(system);
    return status == TN_OK ? system->event_values(system, value) : status;
}

/* Zero belongs to neither side; what is no number is no event. */
static bool differ(const moreau_work *work, const double *first, const double *last)
{
    for (uint32_t k = 0; k < work->system->events; k++)
        if ((first[k] < 0.0 && last[k] > 0.0) || (first[k] > 0.0 && last[k] < 0.0)) return true;
    return false;
}

/* To the last bit: the end is on the new side. */
double tn_moreau_first_kink(moreau_work *work, double end)
{
    tn_system *system = work->system;
    double *first = work->event, *last = first + system->events, low = system->time, high = end;
    if (!system->events || system->events > work->event_room) return end;
    const double start = system->time;
    tn_status status = look(work, start, first);
    if (status == TN_OK) status = look(work, end, last);
    const bool crosses = status == TN_OK && differ(work, first, last);
    for (int k = 0; crosses && k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low) || !(middle < high) || look(work, middle, last) != TN_OK) break;
        *(differ(work, first, last) ? &high : &low) = middle;
    }
    system->time = start;
    (void)system->evaluate(system);
    return crosses ? high : end;
}

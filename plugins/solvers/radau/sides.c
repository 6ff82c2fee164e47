/* sides.c - steps with stages on both sides of an event
 *
 * With a Jacobian that is much stiffer than what the stages meet, corrections become small before the stages are solutions, and the
 * estimate, which goes through the same matrix, becomes small, too: that of an iteration before on another side tells no rate. */
#include "radau.h"

enum { ZERO, NEGATIVE, POSITIVE };

static unsigned char side_of(double value) { return value > 0.0 ? POSITIVE : value < 0.0 ? NEGATIVE : ZERO; }

bool tn_radau_make_sides(radau_work *work)
{
    const tn_host *host = work->system->host;
    const size_t count = (size_t)work->watch.count + 1;
    work->jacobian_side = host->allocate(host, count);
    work->stage_side = host->allocate(host, STAGES * count);
    return work->jacobian_side && work->stage_side;
}

tn_status tn_radau_note_jacobian(radau_work *work)
{
    if (!work->watch.count) return TN_OK;
    const tn_status status = work->system->event_values(work->system, work->watch.value);
    for (uint32_t k = 0; k < work->watch.count; k++)
        work->jacobian_side[k] = side_of(work->watch.value[k]);
    return status;
}

void tn_radau_begin_sides(radau_work *work)
{
    for (int i = 0; i < STAGES && work->watch.count; i++)
        memcpy(work->stage_side + (size_t)i * work->watch.count, work->jacobian_side, work->watch.count);
}

tn_status tn_radau_note_stage(radau_work *work, uint32_t stage)
{
    const uint32_t count = work->watch.count;
    if (!count) return TN_OK;
    if (stage == 0) work->watch.beyond = work->watch.torn = work->sides_changed = false;
    const tn_status status = tn_event_watch_peek(&work->watch);
    unsigned char *side = work->stage_side + (size_t)stage * count;
    for (uint32_t k = 0; k < count; k++) {
        const unsigned char now = side_of(work->watch.value[k]);
        work->sides_changed = work->sides_changed || now != side[k];
        side[k] = now;
    }
    return status;
}

double tn_radau_broken_error(radau_work *work, double h)
{
    const tn_system *system = work->system;
    const int last = STAGES - 1;
    for (uint32_t k = 0; k < system->nv; k++) {
        const double v0 = work->start.v[k], v = work->v[last][k];
        work->error_v[k] = v - v0 - 0.5 * h * (work->start.a[k] + work->a[last][k]);
        work->error_q[k] = work->theta[last][k] - 0.5 * h * (v0 + work->theta_rate[last][k]);
    }
    for (uint32_t k = 0; k < work->states; k++)
        work->error_x[k] =
            work->x[last][k] - work->start.x[k] - 0.5 * h * (work->start.x_rate[k] + work->x_rate[last][k]);
    return tn_radau_norm(work, work->error_q, work->error_v, work->error_x);
}

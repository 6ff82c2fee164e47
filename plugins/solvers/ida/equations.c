/* equations.c - the equations as IDA sees them: residuals, event functions, weights of errors
 *
 *     q' - N(q) v + k (q - normalised q)    a quaternion's length is left to drift back; all else sees the normalised one
 *     M v' - f - G^T lambda                 or v' less the accelerations that satisfy all rows, where forces read reactions
 *     x' - h
 *     g                                     0 for velocity rows
 *     G v + dg/dt                           A v + b for velocity rows */
#include "ida.h"

/* ---- states ---------------------------------------------------------------------------------------------- */

void tn_ida_write_state(ida_work *work, double time, const double *y, const double *slope)
{
    tn_system *system = work->system;
    system->time = time;
    memcpy(system->q, y, system->nq * sizeof(double));
    memcpy(system->v, y + work->at_v, system->nv * sizeof(double));
    memcpy(system->x, y + work->at_x, work->states * sizeof(double));
    memcpy(system->lambda, work->reads_reactions ? work->lambda0 : y + work->at_lambda,
           system->rows * sizeof(double));
    if (slope) memcpy(system->a, slope + work->at_v, system->nv * sizeof(double));
}

tn_status tn_ida_read_state(ida_work *work)
{
    tn_system *system = work->system;
    double *y = N_VGetArrayPointer(work->y), *slope = N_VGetArrayPointer(work->slope);
    memset(y, 0, work->size * sizeof *y);
    memset(slope, 0, work->size * sizeof *slope);
    memcpy(y, system->q, system->nq * sizeof *y);
    memcpy(y + work->at_v, system->v, system->nv * sizeof *y);
    memcpy(y + work->at_x, system->x, work->states * sizeof *y);
    if (!work->reads_reactions) memcpy(y + work->at_lambda, system->lambda, system->rows * sizeof *y);
    memcpy(slope + work->at_v, system->a, system->nv * sizeof *y);
    memcpy(slope + work->at_x, system->x_rate, work->states * sizeof *y);
    if (!system->vector_space) return system->rate(system, slope);
    memcpy(slope, system->v, system->nv * sizeof *y);
    return TN_OK;
}

/* ---- residuals ------------------------------------------------------------------------------------------- */

/* q' - N v, and the way back to the manifold; the system then has the normalised coordinates. */
static tn_status residual_of_coordinates(ida_work *work, const double *slope, double *r)
{
    tn_system *system = work->system;
    if (system->vector_space) {
        for (uint32_t i = 0; i < system->nq; i++)
            r[i] = slope[i] - system->v[i];
        return TN_OK;
    }
    memcpy(work->q_residual, system->q, system->nq * sizeof(double));
    tn_status status = system->rate(system, r);
    if (status == TN_OK) status = system->normalise(system, system->q);
    for (uint32_t i = 0; i < system->nq && status == TN_OK; i++)
        r[i] = slope[i] - r[i] + IDA_RETURN * work->c * (work->q_residual[i] - system->q[i]);
    return status;
}

static tn_status residual_of_motion(ida_work *work, const double *slope, double *r)
{
    tn_system *system = work->system;
    if (!work->reads_reactions) return system->residual(system, slope, r);
    const tn_status status = system->accelerate(system, r);
    for (uint32_t i = 0; i < system->nv && status == TN_OK; i++)
        r[i] = slope[i] - r[i];
    return status;
}

static tn_status residual_of_rows(ida_work *work, double *position, double *velocity)
{
    tn_system *system = work->system;
    if (!system->rows) return TN_OK;
    tn_status status = system->constraint(system, position);
    if (status == TN_OK) status = system->constraint_rate(system, velocity);
    for (uint32_t k = 0; k < system->rows; k++)
        if (system->row_level[k] == TN_VELOCITY_ROW) position[k] = 0.0;
    return status;
}

/* Near an event that makes forces jump no evaluation may look behind it. */
static tn_status look_ahead(ida_work *work)
{
    bool switched = false;
    tn_status status = tn_event_watch_peek(&work->watch);
    if (status == TN_OK && work->guards) status = tn_event_watch_look(&work->watch, &switched);
    if (!switched) return status;
    work->refused = true;
    return TN_RETRY;
}

static tn_status evaluate_residual(ida_work *work, const double *y, const double *slope, double *r)
{
    tn_system *system = work->system;
    tn_status status = residual_of_coordinates(work, slope, r);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = look_ahead(work);
    if (status == TN_OK) status = residual_of_motion(work, slope + work->at_v, r + work->at_v);
    if (status == TN_OK) status = residual_of_rows(work, r + work->at_lambda, r + work->at_mu);
    for (uint32_t k = 0; k < work->states && status == TN_OK; k++)
        r[work->at_x + k] = slope[work->at_x + k] - system->x_rate[k];
    if (work->is_empty) r[0] = slope[0];
    memcpy(work->multipliers, y + work->at_lambda, 2 * (size_t)system->rows * sizeof(double));
    return status;
}

int tn_ida_residual(double time, N_Vector y, N_Vector slope, N_Vector residual, void *data)
{
    ida_work *work = data;
    const double *now = N_VGetArrayPointer(y), *rate = N_VGetArrayPointer(slope);
    (void)IDAGetCurrentCj(work->ida, &work->c);
    tn_ida_write_state(work, time, now, rate);
    const tn_status status = evaluate_residual(work, now, rate, N_VGetArrayPointer(residual));
    if (status == TN_OK) tn_stall_watch_see(&work->stall, work->system->a);
    return tn_ida_answer(work, status);
}

/* ---- events ---------------------------------------------------------------------------------------------- */

/* Above zero on the side of the accepted state; what nobody follows stays there. */
int tn_ida_roots(double time, N_Vector y, N_Vector slope, double *value, void *data)
{
    ida_work *work = data;
    tn_system *system = work->system;
    tn_ida_write_state(work, time, N_VGetArrayPointer(y), N_VGetArrayPointer(slope));
    tn_status status = system->vector_space ? TN_OK : system->normalise(system, system->q);
    if (status == TN_OK) status = system->evaluate(system);
    if (status == TN_OK) status = system->event_values(system, value);
    for (uint32_t k = 0; k < work->watch.count; k++) {
        const double side = work->watch.function[k].side;
        const bool left = status == TN_OK && tn_event_left(&work->watch, k, value[k]);
        const bool follows = side != 0.0 && work->watch.function[k].near < TN_EVENT_CHATTER;
        value[k] = left ? side * value[k] : follows && value[k] * side > 0.0 ? side * value[k] : 1.0;
    }
    work->status = status;
    return status == TN_OK || status == TN_RETRY ? 0 : -1;
}

/* ---- weights --------------------------------------------------------------------------------------------- */

#define NO_WEIGHT 1e-100 /* of multipliers: neither errors nor corrections of them count */

/* IDA divides sums of squares by the size of y, multipliers included. */
int tn_ida_weights(N_Vector y, N_Vector weight, void *data)
{
    const ida_work *work = data;
    const tn_system *system = work->system;
    const tn_run *run = system->run;
    const double *now = N_VGetArrayPointer(y), *size = work->weights.scale->coordinate;
    double *w = N_VGetArrayPointer(weight);
    const size_t counted = work->at_lambda > 0 ? work->at_lambda : 1;
    const double factor = sqrt((double)work->size / (double)counted) / work->settings->strictness;
    const bool chatters = work->watch.chattering > 0;
    const double relative = run->relative_tolerance;
    const double looser = chatters ? sqrt(run->absolute_tolerance) / run->absolute_tolerance : 1.0,
                 looser_share = chatters ? sqrt(relative) : relative;
    for (uint32_t i = 0; i < system->nq; i++)
        w[i] = factor / fmax(work->weights.absolute_q[i], relative * size[i]);
    for (size_t i = work->at_v; i < work->at_x; i++)
        w[i] = factor / (looser * work->weights.absolute_v[i - work->at_v] + looser_share * fabs(now[i]));
    for (size_t i = work->at_x; i < work->at_lambda; i++)
        w[i] = factor / (work->weights.absolute_x[i - work->at_x] + relative * fabs(now[i]));
    for (size_t i = work->at_lambda; i < work->size; i++)
        w[i] = work->is_empty ? 1.0 : NO_WEIGHT;
    return 0;
}
